//! A table of figures in colours.

use super::colour::Ramp;
use super::format::{Format, MISSING};
use super::html::{Html, element};
use super::rows_chart::caption;
use ttr_sim::stats::Figure;

/// Number of characters that fit above the columns; if names need more, they are rotated.
const ROOM: usize = 60;

/// Figures of pairs, each in the colour of its value.
#[derive(Clone, Debug)]
pub struct HeatMatrix {
    title: String,
    corner: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<Figure>>)>,
    format: Format,
    ramp: Ramp,
    low: f64,
    high: f64,
    note: Option<String>,
}

impl HeatMatrix {
    /// Creates a matrix of shares around one half, without rows: blue above, orange below.
    pub fn shares<S: Into<String>>(
        title: impl Into<String>,
        corner: impl Into<String>,
        columns: impl IntoIterator<Item = S>,
    ) -> Self {
        Self::new(title, corner, columns, Format::PERCENT, Ramp::Side, 0.0, 1.0)
    }

    /// Creates a matrix of figures from `low` to `high`, without rows.
    pub fn new<S: Into<String>>(
        title: impl Into<String>,
        corner: impl Into<String>,
        columns: impl IntoIterator<Item = S>,
        format: Format,
        ramp: Ramp,
        low: f64,
        high: f64,
    ) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        let (title, corner) = (title.into(), corner.into());
        Self { title, corner, columns, rows: Vec::new(), format, ramp, low, high, note: None }
    }

    /// Adds a row; a cell may be empty.
    #[must_use]
    pub fn row(mut self, label: impl Into<String>, cells: Vec<Option<Figure>>) -> Self {
        self.rows.push((label.into(), cells));
        self
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl From<HeatMatrix> for Html {
    fn from(matrix: HeatMatrix) -> Self {
        let longest = matrix.rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let widest = matrix.columns.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let turned = if widest.max(8) * matrix.columns.len() > ROOM { "turned" } else { "" };
        let headings = matrix
            .columns
            .iter()
            .map(|name| element("th").attr("scope", "col").class(turned).with(element("span").text(name)));
        let row = |(label, cells): &(String, Vec<Option<Figure>>)| {
            let cells = cells.iter().zip(&matrix.columns).map(|(cell, column)| {
                let Some(figure) = cell.filter(|figure| figure.value.is_finite()) else {
                    return element("td").class("muted").text(MISSING);
                };
                let place = (figure.value - matrix.low) / (matrix.high - matrix.low).max(1e-9);
                let (number, interval) = matrix.format.parts(&figure);
                let hint = format!("{label}, {column}: {}", matrix.format.figure(&figure));
                element("td")
                    .attr("style", matrix.ramp.box_style(place))
                    .attr("title", hint)
                    .text(number)
                    .with(element("small").text(interval))
            });
            element("tr").with(element("th").attr("scope", "row").text(label)).with_all(cells)
        };
        let table = element("table")
            .class("matrix")
            .attr("style", format_args!("--longest:{longest}ch"))
            .with(element("thead").with(
                element("tr").with(element("th").class("corner").text(&matrix.corner)).with_all(headings),
            ))
            .with(element("tbody").with_all(matrix.rows.iter().map(row)));
        element("figure")
            .class("chart")
            .with(caption(&matrix.title, matrix.note.as_deref()))
            .with(element("div").class("scroll").attr("tabindex", 0).with(table))
            .into()
    }
}
