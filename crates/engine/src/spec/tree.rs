//! A TOML document as a tree in which everything knows the file and line it came from.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Problems;

/// A place in one of the files of a map. Line 0 is the file as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Pos {
    pub(super) file: u16,
    pub(super) line: u32,
}

/// A value and where it stands; in a table, where its key stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: Pos,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
    Date,
    List(Vec<Node>),
    Table(BTreeMap<String, Node>),
}

impl Node {
    /// Reads a document. Syntax errors are added to `problems`, and what could be read is returned.
    pub(super) fn parse(text: &str, file: u16, problems: &mut Problems) -> Self {
        let lines = Lines::new(text, file);
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let at = lines.pos(error.span().map_or(text.len(), |span| span.start));
            let (message, hint) = match error.message().split_once(", expected ") {
                Some((message, expected)) => (message, format!("expected {expected}")),
                None => (error.message(), "the file must be valid TOML".to_owned()),
            };
            problems.add(at, message, hint);
        }
        Self { at: Pos { file, line: 1 }, value: lines.table(document.into_inner()) }
    }

    pub(super) fn table(&self) -> Option<&BTreeMap<String, Node>> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn table_mut(&mut self) -> Option<&mut BTreeMap<String, Node>> {
        match &mut self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key, if this is a table that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.table()?.get(key)
    }

    /// Where the value at the end of a path stands, or as much of the path as there is.
    pub(super) fn at(&self, path: &[&str]) -> Pos {
        match path.split_first().and_then(|(key, rest)| Some((self.get(key)?, rest))) {
            Some((node, rest)) => node.at(rest),
            None => self.at,
        }
    }

    /// Where an item of a top-level list stands.
    pub(super) fn at_item(&self, list: &str, index: usize) -> Pos {
        let item = self.get(list).and_then(Node::list).and_then(|list| list.get(index));
        item.map_or_else(|| self.at(&[list]), |item| item.at)
    }

    /// Lays another value over this one: tables are merged key by key, anything else is replaced.
    pub(super) fn overlay(&mut self, own: Node) {
        match (&mut self.value, own.value) {
            (Value::Table(table), Value::Table(own_table)) => {
                self.at = own.at;
                for (key, node) in own_table {
                    match table.get_mut(&key) {
                        Some(below) => below.overlay(node),
                        None => drop(table.insert(key, node)),
                    }
                }
            }
            (_, value) => *self = Node { at: own.at, value },
        }
    }

    /// As a value that serde can read.
    pub(super) fn to_json(&self) -> Json {
        match &self.value {
            Value::Text(text) => text.as_str().into(),
            Value::Whole(n) => (*n).into(),
            Value::Number(x) => (*x).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::Date => Json::Null,
            Value::List(list) => list.iter().map(Node::to_json).collect(),
            Value::Table(table) => table.iter().map(|(key, node)| (key.clone(), node.to_json())).collect(),
        }
    }
}

/// Turns byte offsets of a text into lines.
struct Lines {
    file: u16,
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: &str, file: u16) -> Self {
        Self {
            file,
            starts: text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1).collect(),
        }
    }

    fn pos(&self, offset: usize) -> Pos {
        Pos { file: self.file, line: self.starts.partition_point(|&start| start <= offset) as u32 + 1 }
    }

    fn table(&self, table: DeTable<'_>) -> Value {
        Value::Table(
            table
                .into_iter()
                .map(|(key, value)| {
                    let at = self.pos(key.span().start);
                    (key.into_inner().into_owned(), Node { at, value: self.value(value.into_inner()) })
                })
                .collect(),
        )
    }

    fn value(&self, value: DeValue<'_>) -> Value {
        match value {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Integer(n) => {
                let limit = if n.as_str().starts_with('-') { i64::MIN } else { i64::MAX };
                Value::Whole(i64::from_str_radix(n.as_str(), n.radix()).unwrap_or(limit))
            }
            DeValue::Float(x) => Value::Number(x.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => Value::Flag(flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(items) => Value::List(items.into_iter().map(|item| self.item(item)).collect()),
            DeValue::Table(table) => self.table(table),
        }
    }

    fn item(&self, item: Spanned<DeValue<'_>>) -> Node {
        let at = self.pos(item.span().start);
        Node { at, value: self.value(item.into_inner()) }
    }
}
