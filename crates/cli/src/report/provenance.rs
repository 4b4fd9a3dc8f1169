//! The command that repeats a run, and links to its data.

use super::html::{Html, element};

/// The command that repeats a run, and the files next to its report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Provenance {
    /// The command, for a shell.
    pub command: Option<String>,
    /// Names of the tables and other files in the directory of the report.
    pub files: Vec<String>,
}

impl Provenance {
    /// The facts by name.
    pub(super) fn facts(&self) -> Vec<(&'static str, Html)> {
        let command = self.command.as_deref().map(|text| ("Command", command(text)));
        let files = (!self.files.is_empty()).then(|| ("Data", self.links()));
        command.into_iter().chain(files).collect()
    }

    /// Links to the files; one that exists as CSV and as Parquet is named once.
    fn links(&self) -> Html {
        let mut html = Html::default();
        for file in &self.files {
            let stem = |end: &str| file.strip_suffix(end);
            let has = |name: &str, end: &str| self.files.contains(&format!("{name}{end}"));
            if stem(".parquet").is_some_and(|name| has(name, ".csv")) {
                continue;
            }
            if !html.is_empty() {
                html.push_text(", ");
            }
            html.push(element("a").attr("href", file).text(file));
            if let Some(name) = stem(".csv").filter(|name| has(name, ".parquet")) {
                html.push_text(" (");
                html.push(element("a").attr("href", format_args!("{name}.parquet")).text("Parquet"));
                html.push_text(")");
            }
        }
        html
    }
}

/// A command that may only be broken between its words.
pub(super) fn command(text: &str) -> Html {
    let mut words = element("code");
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            words = words.text(" ");
        }
        words = words.with(element("span").class("word").text(word));
    }
    words.into()
}
