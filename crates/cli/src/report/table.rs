//! Tables with bars and intervals in their cells, sorted by a click on a heading.

use super::axis::percent;
use super::format::{Format, MISSING};
use super::html::{Html, element};
use ttr_show::text::{Align, thousands};
use ttr_sim::stats::Figure;

/// A table; its first column names the rows.
#[derive(Clone, Debug)]
pub struct Table {
    caption: String,
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<Cell>>,
    sortable: bool,
    /// Headings with their meanings.
    legend: Vec<(String, &'static str)>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    inside: Html,
    /// The sort key [default: the text].
    key: Option<f64>,
    /// The text that appears when the mouse is over the cell.
    hint: Option<String>,
    /// Number of characters of its text.
    letters: usize,
    /// The class and style of a drawing next to it.
    drawing: Option<(&'static str, String)>,
}

impl Table {
    /// Creates a table with these columns and no rows yet.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, Align)>) -> Self {
        let columns = columns.into_iter().map(|(name, align)| (name.into(), align)).collect();
        Self { caption: String::new(), columns, rows: Vec::new(), sortable: true, legend: Vec::new() }
    }

    /// Explains columns, given by heading, below the table.
    #[must_use]
    pub fn explain<S: Into<String>>(mut self, columns: impl IntoIterator<Item = (S, &'static str)>) -> Self {
        self.legend.extend(columns.into_iter().map(|(heading, meaning)| (heading.into(), meaning)));
        self
    }

    /// Adds a caption above.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Makes the order of the rows fixed.
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.sortable = false;
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Cell {
    fn new(inside: impl Into<Html>) -> Self {
        Self { inside: inside.into(), key: None, hint: None, letters: 0, drawing: None }
    }

    /// A cell with text.
    pub fn text(text: impl std::fmt::Display) -> Self {
        let text = text.to_string();
        Self { letters: text.chars().count(), ..Self::new(Html::text(text)) }
    }

    /// A cell with text that a program understands.
    pub fn code(text: impl std::fmt::Display) -> Self {
        let text = text.to_string();
        Self { letters: text.chars().count(), ..Self::new(element("code").text(text)) }
    }

    /// A cell with a link to another page or file, next to this one or below it.
    pub fn link(text: impl std::fmt::Display, to: impl std::fmt::Display) -> Self {
        let text = text.to_string();
        Self { letters: text.chars().count(), ..Self::new(element("a").attr("href", to).text(text)) }
    }

    /// A cell with text that may wrap.
    pub fn prose(text: impl std::fmt::Display) -> Self {
        Self::new(element("span").class("prose").text(text))
    }

    /// A cell with a name that may wrap.
    pub fn prose_name(text: impl std::fmt::Display) -> Self {
        Self::new(element("span").class("name").text(text))
    }

    /// A cell with text that must not be overlooked.
    pub fn strong(text: impl std::fmt::Display) -> Self {
        Self::new(element("strong").class("alarm").text(text))
    }

    /// A cell with a count.
    pub fn count(n: u64) -> Self {
        Self { key: Some(n as f64), ..Self::new(Html::text(thousands(n))) }
    }

    /// A cell with a number without an interval.
    pub fn number(value: f64, format: Format) -> Self {
        Self {
            key: Some(value).filter(|value| value.is_finite()),
            ..Self::new(Html::text(format.value(value)))
        }
    }

    /// A cell with a figure.
    pub fn figure(figure: &Figure, format: Format) -> Self {
        // A bound has only one end.
        let key = [figure.value, figure.low, figure.high].into_iter().find(|value| value.is_finite());
        if key.is_none() {
            return Self::missing();
        }
        let hint = figure.has_interval().then(|| format.interval(figure));
        let letters = format.figure(figure).chars().count();
        Self { key, hint, letters, ..Self::new(written(figure, format)) }
    }

    /// A cell with a figure, a bar from 0 to it, and its interval at the end of the bar.
    pub fn bar(figure: &Figure, most: f64, format: Format) -> Self {
        Self::drawn(figure, 0.0, most, None, format)
    }

    /// A cell with a figure, and a dot with its interval to the left or right of a middle.
    pub fn beside(figure: &Figure, middle: f64, reach: f64, format: Format) -> Self {
        Self::drawn(figure, middle - reach, middle + reach, Some(middle), format)
    }

    /// An empty cell.
    pub fn missing() -> Self {
        Self::new(element("span").class("muted").text(MISSING))
    }

    fn drawn(figure: &Figure, low: f64, high: f64, middle: Option<f64>, format: Format) -> Self {
        let mut cell = Self::figure(figure, format);
        if !figure.value.is_finite() {
            return cell;
        }
        let place = |value: f64| percent(((value - low) / (high - low).max(1e-9)).clamp(0.0, 1.0));
        let (from, to) =
            if figure.has_interval() { (figure.low, figure.high) } else { (figure.value, figure.value) };
        let ends = format!("--v:{};--l:{};--h:{}", place(figure.value), place(from), place(to));
        let class = match middle {
            None => "drawn",
            // The difference from the middle is the first thing to show.
            Some(middle) if figure.low > middle => "drawn dot above",
            Some(middle) if figure.high < middle => "drawn dot below",
            Some(_) => "drawn dot",
        };
        cell.drawing = Some((class, ends));
        cell
    }
}

/// Number of characters of the longest text of each column.
fn widths(table: &Table) -> Vec<usize> {
    let mut widths = vec![0; table.columns.len()];
    for cells in &table.rows {
        widths.iter_mut().zip(cells).for_each(|(width, cell)| *width = (*width).max(cell.letters));
    }
    widths
}

/// The number, and its margin in small letters.
fn written(figure: &Figure, format: Format) -> Html {
    let text = format.figure(figure);
    let (number, margin) = text.split_once('\u{a0}').unwrap_or((&text, ""));
    let mut html = Html::text(number);
    if !margin.is_empty() {
        html.push(element("small").text(format_args!("\u{a0}{margin}")));
    }
    html
}

impl From<Table> for Html {
    fn from(table: Table) -> Self {
        let widths = widths(&table);
        let aligned = |align: Align| if align == Align::Right { "right" } else { "left" };
        let headings = table
            .columns
            .iter()
            .map(|(name, align)| element("th").attr("scope", "col").class(aligned(*align)).text(name));
        let row = |cells: &Vec<Cell>| {
            let cells = cells.iter().zip(&table.columns).enumerate().map(|(i, (cell, (_, align)))| {
                let mut td = if i == 0 { element("th").attr("scope", "row") } else { element("td") };
                if *align == Align::Right {
                    td = td.class("right");
                }
                if let Some(key) = cell.key.filter(|_| table.sortable) {
                    td = td.attr("data-key", (key * 1e6).round() / 1e6);
                }
                if let Some(hint) = &cell.hint {
                    td = td.attr("title", hint);
                }
                match &cell.drawing {
                    None => td.with(cell.inside.clone()),
                    // All numbers of a column have the same width, so its drawings start at the same
                    // position.
                    Some((class, ends)) => td.with(
                        element("span")
                            .class("figure")
                            .attr("style", format_args!("--n:{}ch", widths[i]))
                            .with(element("span").with(cell.inside.clone()))
                            .with(element("i").class(class).attr("style", ends)),
                    ),
                }
            });
            element("tr").with_all(cells)
        };
        let caption = (!table.caption.is_empty()).then(|| element("caption").text(&table.caption));
        // Names in the first column stay on one line where there is room.
        let inside = element("table")
            .class(if table.sortable { "data sortable" } else { "data" })
            .attr("style", format_args!("--longest:{}ch", widths.first().unwrap_or(&0)))
            .with(caption)
            .with(element("thead").with(element("tr").with_all(headings)))
            .with(element("tbody").with_all(table.rows.iter().map(row)));
        let mut html = Self::from(element("div").class("scroll").attr("tabindex", 0).with(inside));
        if !table.legend.is_empty() {
            let entry = |(heading, meaning): &(String, &str)| {
                element("span").with(element("b").text(heading)).text(format_args!(": {meaning}. "))
            };
            html.push(element("p").class("note").with_all(table.legend.iter().map(entry)));
        }
        html
    }
}
