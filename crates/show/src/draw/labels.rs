//! Names of cities: their width, line breaks, and possible positions around a city.

use super::geometry::{Block, Point};
use super::layout::CITY_RADIUS;

/// The size of the names of cities.
pub const FONT_SIZE: f64 = 15.0;
/// The distance between the baselines of two lines, in font sizes.
pub(super) const LINE_HEIGHT: f64 = 1.02;
/// Maximum number of characters of a name; longer ones are cut.
const MAX_NAME: usize = 36;

/// A name at its position.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The index of the city.
    pub city: usize,
    /// The lines of the name, top to bottom; none if the name is empty.
    pub lines: Vec<String>,
    /// The box around them.
    pub block: Block,
}

/// A way to write a name: its position, its line breaks, and its cost compared with the best position.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Index of the name's form: see [`forms`].
    pub(super) form: usize,
    /// Offset from the city to the middle of the name.
    pub(super) offset: Point,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) cost: f64,
}

/// Estimates the width of a line of text in a common sans-serif font, high rather than low.
pub fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' | ' ' => 0.33,
        'f' | 'r' | 't' | '-' | '(' | ')' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.97,
        'A'..='Z' => 0.72,
        c if (c as u32) < 0x250 => {
            if c.is_uppercase() {
                0.76
            } else {
                0.62
            }
        }
        c if (c as u32) < 0x1100 => 0.75,
        _ => 1.15,
    };
    size * text.chars().map(em).sum::<f64>()
}

/// Height of the first line of a name above its baseline, in font sizes.
pub(super) fn ascent(lines: &[String]) -> f64 {
    let marks = |c: char| !c.is_ascii() && c.is_uppercase();
    if lines.first().is_some_and(|line| line.chars().any(marks)) { 0.94 } else { 0.76 }
}

/// The text without characters that must not or cannot appear in a picture.
pub(super) fn clean(text: &str) -> String {
    let printable: String = text
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') { ' ' } else { c })
        .collect();
    printable.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The ways to break a name into lines: one line, and for a long name also two.
pub(super) fn forms(name: &str) -> Vec<Vec<String>> {
    let mut name = clean(name);
    if name.chars().count() > MAX_NAME {
        name = name.chars().take(MAX_NAME - 1).collect::<String>().trim_end().to_owned() + "…";
    }
    if name.is_empty() {
        return Vec::new();
    }
    let wider = |cut: usize| {
        let (first, second) = name.split_at(cut);
        text_width(first.trim_end(), 1.0).max(text_width(second, 1.0))
    };
    let breaks = name.char_indices().filter(|&(i, c)| i > 0 && i + 1 < name.len() && matches!(c, ' ' | '-'));
    let best = breaks.map(|(i, _)| i + 1).min_by(|&a, &b| wider(a).total_cmp(&wider(b)));
    let mut forms = vec![vec![name.clone()]];
    if let Some(cut) = best {
        let (first, second) = name.split_at(cut);
        forms.push(vec![first.trim_end().to_owned(), second.to_owned()]);
    }
    forms
}

/// The positions around a city where the name could stand, in all its forms.
pub(super) fn candidates(forms: &[Vec<String>]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (form, lines) in forms.iter().enumerate() {
        let width = lines.iter().map(|line| text_width(line, FONT_SIZE)).fold(0.0, f64::max);
        let below = lines.len() as f64 * LINE_HEIGHT - LINE_HEIGHT + 0.2;
        let height = FONT_SIZE * (ascent(lines) + below);
        let broken = 6.0 * form as f64;
        for extra in [0.0, 4.0, 9.0] {
            let reach = CITY_RADIUS + 2.5 + extra;
            let mut add = |x: f64, y: f64, cost: f64| {
                let cost = cost + broken + extra * 2.0;
                all.push(Candidate { form, offset: Point::new(x, y), width, height, cost });
            };
            for side in [1.0, -1.0] {
                for slide in [0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75] {
                    let x = side * (reach + width / 2.0);
                    add(x, slide * height, if side > 0.0 { 0.0 } else { 1.0 } + f64::abs(slide) * 5.0);
                }
                for slide in [0.0, 0.12, -0.12, 0.25, -0.25, 0.38, -0.38, 0.5, -0.5] {
                    add(slide * width, side * (reach + height / 2.0), 2.0 + f64::abs(slide) * 6.0);
                }
                for down in [1.0, -1.0] {
                    add(side * (reach * 0.72 + width / 2.0), down * (reach * 0.72 + height / 2.0), 4.0);
                }
            }
        }
    }
    all
}
