//! A chart of values before and after, each on its own range.

use super::axis::{Axis, percent};
use super::format::Format;
use super::html::{Element, Html, element};
use super::rows_chart::{bare_plot, caption};

const ROW: f64 = 34.0;
/// High enough that a dot at an end of the range does not cover the number below it.
const MIDDLE: f64 = 12.0;

/// Two values of each item, joined by a bar, on the range of possible values.
///
/// ```
/// use ttr_cli::report::{Dumbbells, Html};
/// let chart = Dumbbells::new("Weights").row("train", "cost of a train", (0.0, 4.0), (1.5, 2.25));
/// assert!(Html::from(chart).as_str().contains("1.50 → 2.25"));
/// ```
#[derive(Clone, Debug)]
pub struct Dumbbells {
    title: String,
    rows: Vec<DumbbellRow>,
    note: Option<String>,
}

#[derive(Clone, Debug)]
struct DumbbellRow {
    name: String,
    about: String,
    range: (f64, f64),
    values: (f64, f64),
}

impl Dumbbells {
    /// Creates a chart without rows.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), rows: Vec::new(), note: None }
    }

    /// Adds an item: its name, a description, the ends of its range, and its values before and after.
    #[must_use]
    pub fn row(
        mut self,
        name: impl Into<String>,
        about: impl Into<String>,
        range: (f64, f64),
        values: (f64, f64),
    ) -> Self {
        self.rows.push(DumbbellRow { name: name.into(), about: about.into(), range, values });
        self
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl From<Dumbbells> for Html {
    fn from(chart: Dumbbells) -> Self {
        let swatch = |style: &str, text: &str| {
            element("span").with(element("i").class("round").attr("style", style)).text(text)
        };
        let before = swatch("border:2px solid var(--muted)", "before");
        let after = swatch("background:var(--accent);border:2px solid var(--accent)", "after");
        element("figure")
            .class("chart")
            .with(caption(&chart.title, chart.note.as_deref()))
            .with(element("div").class("key").with(before).with(after))
            .with(
                element("table")
                    .class("rows dumbbells")
                    .attr("aria-label", &chart.title)
                    .with(element("tbody").with_all(chart.rows.iter().map(row))),
            )
            .into()
    }
}

fn row(row: &DumbbellRow) -> Element {
    let (low, high) = row.range;
    let axis = Axis::between(low, high, 1);
    let (before, after) = row.values;
    let decimals = Format::decimals(if high - low > 20.0 { 1 } else { 2 });
    let values = format!("{} → {}", decimals.value(before), decimals.value(after));
    let circle = |class: &str, value: f64| {
        element("circle").class(class).attr("cx", percent(axis.place(value))).attr("cy", MIDDLE).attr("r", 5)
    };
    let line = |class: &str, from: f64, to: f64| {
        element("line")
            .class(class)
            .attr("x1", percent(axis.place(from)))
            .attr("x2", percent(axis.place(to)))
            .attr("y1", MIDDLE)
            .attr("y2", MIDDLE)
    };
    let end = |value: f64, anchor: &str| {
        element("text")
            .class("mark")
            .attr("x", percent(axis.place(value)))
            .attr("y", ROW - 3.0)
            .attr("text-anchor", anchor)
            .text(decimals.short(value))
    };
    let title = format!("{}: {values}, range {} to {}", row.name, decimals.short(low), decimals.short(high));
    let drawing = bare_plot(ROW)
        .with(line("zero", low, high))
        .with(line("moved", before, after))
        .with(circle("was", before))
        .with(circle("dot", after))
        .with(end(low, "start"))
        .with(end(high, "end"))
        .with(element("title").text(title));
    let name = element("th")
        .attr("scope", "row")
        .with(element("code").text(&row.name))
        .with(element("small").text(&row.about));
    element("tr")
        .with(name)
        .with(element("td").class("plot").with(drawing))
        .with(element("td").class("value").text(values))
}
