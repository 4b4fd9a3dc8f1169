//! Other TOML files of this project, read as map files are: every problem at once, with its line and a hint.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::form::Forms;
use super::load::{MAX_FILE_BYTES, too_long};
use super::problem::{Problem, Problems};
use super::schema::schema_of;
use super::tree::{Node, Pos};

/// A TOML file that was compared with the form of a type.
///
/// ```
/// use ttr_engine::spec::Document;
/// #[derive(schemars::JsonSchema)]
/// #[schemars(deny_unknown_fields)]
/// struct Form { title: String, runs: Vec<u8> }
/// let mut document = Document::read::<Form>("my.toml", "titel = 'x'\nruns = [\n  7,\n  -1,\n]");
/// assert_eq!(document.part::<u8>(&["runs", "0"]), Some(7));
/// document.add(&["runs", "0"], "7 is not prime enough", "take 11");
/// let problems: Vec<_> = document.into_problems().iter().map(ToString::to_string).collect();
/// assert_eq!(problems[1], "my.toml:1: unknown key \"titel\"; did you mean \"title\"? known keys: \"runs\", \"title\"");
/// assert_eq!(problems[2], "my.toml:3: 7 is not prime enough; take 11");
/// assert_eq!(problems[3], "my.toml:4: runs[1]: expected a whole number from 0 to 255; found the number -1");
/// ```
pub struct Document {
    tree: Node,
    problems: Problems,
}

impl Document {
    /// Reads a text. `file` is its name in messages.
    pub fn read<T: JsonSchema>(file: &str, text: &str) -> Self {
        let mut problems = Problems::default();
        let number = problems.add_file(file);
        if text.len() > MAX_FILE_BYTES {
            let Problem { message, hint, .. } = too_long(file);
            problems.add(Pos { file: number, line: 0 }, message, hint);
            return Self { tree: Node::parse("", number, &mut Problems::default()), problems };
        }
        let tree = Node::parse(text, number, &mut problems);
        let torn = !problems.is_empty();
        Forms::new(schema_of::<T>()).check_document(&tree, torn, &mut problems);
        Self { tree, problems }
    }

    /// A part of the file, if it is there and can be read. A path has keys of tables and indices of lists.
    pub fn part<T: DeserializeOwned>(&self, path: &[&str]) -> Option<T> {
        let mut node = &self.tree;
        for step in path {
            node = node.get(step).or_else(|| node.list()?.get(step.parse::<usize>().ok()?))?;
        }
        serde_json::from_value(node.to_json()).ok()
    }

    /// Number of items of a list.
    pub fn count(&self, list: &str) -> usize {
        self.tree.get(list).and_then(Node::list).map_or(0, <[Node]>::len)
    }

    /// Adds a problem of the value at a path, or of as much of the path as there is.
    pub fn add(&mut self, path: &[&str], message: impl Into<String>, hint: impl Into<String>) {
        let mut node = &self.tree;
        for step in path {
            let below = node.get(step).or_else(|| node.list()?.get(step.parse::<usize>().ok()?));
            let Some(below) = below else { break };
            node = below;
        }
        self.problems.add(node.at, message, hint);
    }

    /// All problems, line by line.
    pub fn into_problems(self) -> Vec<Problem> {
        if self.problems.is_empty() { Vec::new() } else { self.problems.into_error().problems }
    }
}
