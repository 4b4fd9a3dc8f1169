//! Problems of map files, with hints.

use std::collections::BTreeSet;
use std::fmt;

use super::tree::Pos;
use crate::plain_text::printable;

/// Longest name of a file that is shown whole, in characters.
const MAX_PATH: usize = 300;

/// One thing that is wrong with a map file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file, as it was named by whoever asked for it.
    pub file: String,
    /// The line, counted from 1; none if the problem is with the file as a whole.
    pub line: Option<usize>,
    /// The problem.
    pub message: String,
    /// The way to fix it.
    pub hint: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.file, MAX_PATH))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

/// A map that can't be used, with everything that is wrong with it.
///
/// ```
/// let error = ttr_engine::maps::parse("tiny.toml", "format = 1\nnam = 'Tiny'").unwrap_err();
/// assert!(error.problems.iter().any(|problem| problem.line == Some(2)));
/// assert!(error.to_string().contains("tiny.toml:2: unknown key \"nam\"; did you mean \"name\"?"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", lines(.problems))]
pub struct MapError {
    /// All problems, file by file and line by line.
    pub problems: Vec<Problem>,
}

impl From<Problem> for MapError {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem] }
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// Problems of one map while it is being read, with the files it is made of.
#[derive(Default)]
pub(super) struct Problems {
    files: Vec<String>,
    found: Vec<(Pos, String, String)>,
    /// Where they are.
    places: BTreeSet<Pos>,
    /// Problems that were only counted.
    counted: usize,
}

impl Problems {
    /// More than anybody reads: the rest is only counted.
    pub(super) const MOST: usize = 100;

    /// Adds a file; positions refer to it by the number returned. The first is the map's own.
    pub(super) fn add_file(&mut self, name: &str) -> u16 {
        self.files.push(name.to_owned());
        (self.files.len() - 1) as u16
    }

    pub(super) fn add(&mut self, at: Pos, message: impl Into<String>, hint: impl Into<String>) {
        self.places.insert(at);
        // A hostile file can have a hundred thousand.
        if self.found.len() < 100 * Self::MOST {
            self.found.push((at, message.into(), hint.into()));
        } else {
            self.counted += 1;
        }
    }

    /// Counts problems that would not be shown anyway, because there are [`Self::MOST`] of their kind
    /// before them.
    pub(super) fn count(&mut self, more: usize) {
        self.counted += more;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.found.len() + self.counted
    }

    /// Whether there is a problem at a place already.
    pub(super) fn is_at(&self, at: Pos) -> bool {
        self.places.contains(&at)
    }

    /// The names of the files so far.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    /// All problems in the order of the files and lines.
    pub(super) fn into_error(mut self) -> MapError {
        self.found.sort_by_key(|(at, ..)| *at);
        self.found.dedup();
        let left_out = self.counted + self.found.len().saturating_sub(Self::MOST);
        self.found.truncate(Self::MOST);
        let own = self.files.first().cloned().unwrap_or_default();
        let mut problems = Vec::with_capacity(self.found.len() + 1);
        for (at, mut message, hint) in self.found {
            if at.file != 0 {
                message.push_str(&format!(" (inherited by {own})"));
            }
            let line = (at.line > 0).then_some(at.line as usize);
            problems.push(Problem { file: self.files[at.file as usize].clone(), line, message, hint });
        }
        if left_out > 0 {
            problems.push(Problem {
                file: own,
                line: None,
                message: format!("{left_out} more problems are not shown"),
                hint: "fix the ones above first".to_owned(),
            });
        }
        MapError { problems }
    }
}

/// The problem of a map that is asked for by an id that does not exist.
pub(crate) fn unknown_map(id: &str, known: &[&str]) -> Problem {
    Problem {
        file: id.to_owned(),
        line: None,
        message: format!("there is no map {}", quoted(id)),
        hint: suggest(id, known.iter().copied(), "shipped maps (the path of your own ends in .toml)"),
    }
}

/// A text in quotes, shortened if it is absurdly long.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => printable(&format!("{:?}", &text[..end]), usize::MAX) + "...",
        None => printable(&format!("{text:?}"), usize::MAX),
    }
}

/// `"a", "b", "c"`.
pub(super) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// "did you mean ..?" if a known name is near, and the known names.
///
/// ```
/// let hint = ttr_engine::spec::suggest("Rmoa", ["Paris", "Roma"], "cities");
/// assert_eq!(hint, "did you mean \"Roma\"? cities: \"Paris\", \"Roma\"");
/// ```
pub fn suggest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone, all: &str) -> String {
    let list = format!("{all}: {}", quoted_list(known.clone()));
    match nearest(wrong, known) {
        Some(near) => format!("did you mean {}? {list}", quoted(near)),
        None => list,
    }
}

/// The known name that a misspelt one most likely stands for: the nearest, if it is near enough.
///
/// ```
/// assert_eq!(ttr_engine::spec::nearest("planer", ["random", "planner"]), Some("planner"));
/// ```
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Other words for the same things.
    const SYNONYMS: [(&str, &str); 6] = [
        ("pink", "purple"),
        ("brown", "orange"),
        ("gray", "grey"),
        ("loco", "locomotive"),
        ("color", "colour"),
        ("players", "seats"),
    ];
    /// Longer texts are misspelt beyond recognition, and comparing them takes long.
    const MOST: usize = 80;
    let start = |text: &str| text.to_lowercase().chars().take(MOST).collect::<String>();
    let wrong = start(wrong);
    let meant = SYNONYMS.iter().find(|(word, _)| *word == wrong).map(|&(_, meant)| meant);
    known
        .into_iter()
        .map(|name| (if Some(name) == meant { 0 } else { strsim::osa_distance(&wrong, &start(name)) }, name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, _)| distance <= (wrong.chars().count() + 1) / 3)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names() {
        let known = ["Roma", "Paris", "London"];
        assert_eq!(nearest("Rmoa", known), Some("Roma"));
        assert_eq!(nearest("paris", known), Some("Paris"));
        assert_eq!(nearest("Lodnon", known), Some("London"));
        assert_eq!(nearest("Como", known), None);
        assert_eq!(nearest("Wien", known), None);
        assert_eq!(nearest("pink", ["red", "purple"]), Some("purple"));
        assert_eq!(nearest("", known), None);
    }
}
