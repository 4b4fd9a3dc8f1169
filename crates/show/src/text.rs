//! Tables and paragraphs for terminals. Widths are counted in characters.

use std::fmt::Write;

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table with a line of headings.
///
/// ```
/// use ttr_show::text::{Align, Table};
/// let mut table = Table::new([("map", Align::Left), ("cities", Align::Right)]);
/// table.row(["usa", "36"]);
/// table.row(["nordic", "39"]);
/// assert_eq!(table.to_string(), "\
/// map     cities
/// usa         36
/// nordic      39
/// ");
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these columns and no rows yet.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, Align)>) -> Self {
        Self {
            columns: columns.into_iter().map(|(name, align)| (name.into(), align)).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; cells missing at its end are blank.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The headings and the rows as lines, all columns but the last as wide as their widest cell.
    pub fn lines(&self) -> Vec<String> {
        let headings: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let all = || std::iter::once(&headings).chain(&self.rows);
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| all().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0))
            .collect();
        let line = |row: &Vec<String>| {
            let mut line = String::new();
            for ((cell, width), (_, align)) in row.iter().zip(&widths).zip(&self.columns) {
                let gap = if line.is_empty() { "" } else { "  " };
                let _ = match align {
                    Align::Left => write!(line, "{gap}{cell:<width$}"),
                    Align::Right => write!(line, "{gap}{cell:>width$}"),
                };
            }
            line.trim_end().to_owned()
        };
        all().map(line).collect()
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.lines().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Breaks a text at spaces into lines of at most `most` characters, and indents those after the first.
///
/// ```
/// let text = "Any three cards stand for one space of a ferry.";
/// assert_eq!(ttr_show::text::wrap(text, 28, 2), "Any three cards stand for\n  one space of a ferry.");
/// ```
pub fn wrap(text: &str, most: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut used = 0;
    // Not at other white space: a no-break space keeps words together.
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if used > 0 && used + 1 + width(word) > most {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
            used = indent;
        } else if used > 0 {
            wrapped.push(' ');
            used += 1;
        }
        wrapped.push_str(word);
        used += width(word);
    }
    wrapped
}

/// A number with its noun: `1 seat`, `2 seats`.
///
/// ```
/// use ttr_show::text::count;
/// assert_eq!((count(1, "city", "cities"), count(47, "city", "cities")), ("1 city".into(), "47 cities".into()));
/// ```
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `a, b and c`.
///
/// ```
/// assert_eq!(ttr_show::text::list(&["red", "blue", "green"]), "red, blue and green");
/// ```
pub fn list(words: &[impl AsRef<str>]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// A share in per cent, with two digits even if it is small.
///
/// ```
/// let shares = [0.0, 0.18012, 1.0, 0.0025, 1.2e-5, 1e-6];
/// let texts = ["0 %", "18.0 %", "100.0 %", "0.25 %", "0.0012 %", "0.00010 %"];
/// assert_eq!(shares.map(ttr_show::text::small_percent), texts);
/// ```
pub fn small_percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = if percent > 0.0 { (1.0 - percent.log10().floor()).clamp(1.0, 6.0) as usize } else { 0 };
    format!("{percent:.digits$} %")
}

/// A number with a thousands separator: `1,234,567`.
///
/// ```
/// use ttr_show::text::thousands;
/// assert_eq!((thousands(999), thousands(1_234_567)), ("999".to_owned(), "1,234,567".to_owned()));
/// ```
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

fn width(text: &str) -> usize {
    text.chars().count()
}
