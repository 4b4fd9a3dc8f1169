//! Charts with one row per item: dots with whiskers, and stacked bars.
//!
//! They are tables with a drawing in each row. Horizontal positions are percentages, so that the drawing
//! follows the width of the screen while letters keep their size.

use super::axis::{Axis, percent};
use super::colour::SERIES;
use super::format::Format;
use super::html::{Element, Html, element};
use ttr_sim::stats::Figure;

const ROW: f64 = 30.0;
const MIDDLE: f64 = ROW / 2.0;
/// Maximum number of marks on an axis: they must not touch on a phone.
pub(super) const MARKS: usize = 5;
/// The width of a digit, and that of a bar on a phone, in pixels.
const DIGIT: f64 = 7.4;
const PHONE: f64 = 340.0;

/// Figures as dots, each with its interval as a whisker.
#[derive(Clone, Debug)]
pub struct DotWhisker {
    title: String,
    format: Format,
    rows: Vec<DotRow>,
    references: Vec<(f64, String)>,
    range: Option<(f64, f64)>,
    note: Option<String>,
}

#[derive(Clone, Debug)]
struct DotRow {
    label: String,
    figure: Figure,
    spread: Option<f64>,
}

impl DotWhisker {
    /// Creates a chart without rows.
    pub fn new(title: impl Into<String>, format: Format) -> Self {
        Self {
            title: title.into(),
            format,
            rows: Vec::new(),
            references: Vec::new(),
            range: None,
            note: None,
        }
    }

    /// Adds a figure.
    #[must_use]
    pub fn row(mut self, label: impl Into<String>, figure: Figure) -> Self {
        self.rows.push(DotRow { label: label.into(), figure, spread: None });
        self
    }

    /// Adds a mean, and the standard deviation of the single values as a pale band.
    #[must_use]
    pub fn row_with_spread(mut self, label: impl Into<String>, figure: Figure, deviation: f64) -> Self {
        self.rows.push(DotRow { label: label.into(), figure, spread: Some(deviation) });
        self
    }

    /// Adds a line at a value to which everything is compared; several lines need to be far apart.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> Self {
        self.references.push((value, label.into()));
        self
    }

    /// Sets the ends of the axis.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    fn axis(&self) -> Axis {
        if let Some((low, high)) = self.range {
            return Axis::between(low, high, MARKS);
        }
        let ends = self.rows.iter().flat_map(|row| {
            let spread = row.spread.unwrap_or(0.0);
            let Figure { value, low, high, .. } = row.figure;
            [low, high, value - spread, value + spread]
        });
        let values = ends.chain(self.references.iter().map(|reference| reference.0));
        match self.format.is_share() {
            true => Axis::of_shares(values, MARKS),
            false => Axis::around(values, MARKS),
        }
    }
}

impl From<DotWhisker> for Html {
    fn from(chart: DotWhisker) -> Self {
        let axis = chart.axis();
        let format = chart.format;
        // Without this note, a reader might think that the whisker was forgotten.
        let hidden = |row: &DotRow| {
            row.figure.has_interval() && axis.place(row.figure.high) - axis.place(row.figure.low) < 0.02
        };
        let hidden = chart
            .rows
            .iter()
            .any(hidden)
            .then_some("Where no whisker is visible, the interval is narrower than the dot.");
        let note = sentences([chart.note.as_deref(), hidden]);
        let row = |row: &DotRow| {
            let figure = &row.figure;
            let at = |value: f64| percent(axis.place(value));
            let mut drawing = plot(ROW, &axis)
                .with_all(chart.references.iter().map(|(value, _)| upright_line("reference", &at(*value))));
            if figure.value.is_finite() {
                let (low, high) = (axis.place(figure.low), axis.place(figure.high));
                drawing = drawing
                    .with(row.spread.map(|spread| {
                        let (from, to) =
                            (axis.place(figure.value - spread), axis.place(figure.value + spread));
                        bar("spread", from, to, 8.0, ROW - 16.0)
                    }))
                    .with(figure.has_interval().then(|| bar("whisker", low, high, MIDDLE - 1.5, 3.0)))
                    .with(figure.has_interval().then(|| upright_tick(&percent(low))))
                    .with(figure.has_interval().then(|| upright_tick(&percent(high))))
                    .with(
                        element("circle")
                            .class("dot")
                            .attr("cx", at(figure.value))
                            .attr("cy", MIDDLE)
                            .attr("r", 5),
                    )
                    .with(element("title").text(format_args!("{}: {}", row.label, format.figure(figure))));
            } else if let Some((from, to, arrow)) = bound(figure, &axis) {
                // Only one end is known: an arrow at the open one.
                drawing = drawing
                    .with(bar("whisker", from, to, MIDDLE - 1.5, 3.0))
                    .with(label_at(if arrow == "◂" { from } else { to }, MIDDLE + 4.5, arrow).class("bound"))
                    .with(element("title").text(format_args!("{}: {}", row.label, format.figure(figure))));
            }
            chart_row(&row.label, drawing, &format.figure(figure))
        };
        let labels = chart.references.iter().map(|(value, label)| {
            let text = format!("{label} {}", format.value(*value));
            label_at(axis.place(*value), 12.0, &text).class("reference-label")
        });
        let head = (!chart.references.is_empty())
            .then(|| chart_row("", bare_plot(16.0).with_all(labels), "").attr("aria-hidden", "true"));
        let rows: Html = chart.rows.iter().map(row).collect();
        let body = element("tbody").with(head).with(rows).with(axis_row(&axis, &chart.format));
        let longest = longest(chart.rows.iter().map(|row| &row.label));
        figure_of((&chart.title, note.as_deref()), None, longest, body)
    }
}

/// The position of a figure of which only one end is known, and the arrow at the open end.
fn bound(figure: &Figure, axis: &Axis) -> Option<(f64, f64, &'static str)> {
    match (figure.low.is_finite(), figure.high.is_finite()) {
        (false, true) => Some((0.0, axis.place(figure.high), "◂")),
        (true, false) => Some((axis.place(figure.low), 1.0, "▸")),
        _ => None,
    }
}

/// Figures that add up, side by side in a bar; negative ones go to the left of 0.
#[derive(Clone, Debug)]
pub struct StackedBars {
    title: String,
    format: Format,
    parts: Vec<String>,
    rows: Vec<BarRow>,
    note: Option<String>,
    /// Approximate maximum width of the bars on a large screen, in pixels.
    width: f64,
}

#[derive(Clone, Debug)]
struct BarRow {
    label: String,
    parts: Vec<Figure>,
    total: Figure,
}

impl StackedBars {
    /// Creates a chart of these parts, without rows.
    pub fn new<S: Into<String>>(
        title: impl Into<String>,
        format: Format,
        parts: impl IntoIterator<Item = S>,
    ) -> Self {
        let parts = parts.into_iter().map(Into::into).collect();
        Self { title: title.into(), format, parts, rows: Vec::new(), note: None, width: 800.0 }
    }

    /// Fits the chart next to another one.
    #[must_use]
    pub fn beside(mut self) -> Self {
        self.width = 280.0;
        self
    }

    /// Adds a bar and its total.
    #[must_use]
    pub fn row(mut self, label: impl Into<String>, parts: Vec<Figure>, total: Figure) -> Self {
        self.rows.push(BarRow { label: label.into(), parts, total });
        self
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    fn segments(&self, row: &BarRow, axis: &Axis) -> Html {
        let (mut below, mut above) = (0.0, 0.0);
        let mut html = Html::default();
        for (i, (name, figure)) in self.parts.iter().zip(&row.parts).enumerate() {
            if !figure.value.is_finite() || figure.value == 0.0 {
                continue;
            }
            let start = if figure.value < 0.0 { &mut below } else { &mut above };
            let end = *start + figure.value;
            let (from, to) = (axis.place(start.min(end)), axis.place(start.max(end)));
            *start = end;
            let colour = i % SERIES;
            html.push(
                bar("segment", from, to, 4.0, ROW - 8.0)
                    .attr("style", format_args!("fill:var(--series-{colour})"))
                    .with(element("title").text(format_args!(
                        "{}, {name}: {}",
                        row.label,
                        self.format.figure(figure)
                    ))),
            );
            // Only where there is room, also on a phone: see the style sheet.
            let text = self.format.value(figure.value);
            let needed = text.chars().count() as f64 * DIGIT + 4.0;
            if (to - from) * self.width > needed {
                let room = if (to - from) * PHONE > needed { "inside" } else { "inside wide-only" };
                // Next to the mark of the total, if that is in the same position.
                let total = axis.place(row.total.value);
                let (from, to) = match (total - from, to - total) {
                    (left, right) if left <= 0.0 || right <= 0.0 => (from, to),
                    (left, right) if left > right => (from, total),
                    _ => (total, to),
                };
                html.push(
                    label_at((from + to) / 2.0, MIDDLE + 4.5, &text)
                        .class(room)
                        .attr("style", format_args!("fill:var(--on-series-{colour})")),
                );
            }
        }
        html
    }
}

impl From<StackedBars> for Html {
    fn from(chart: StackedBars) -> Self {
        let sums = chart.rows.iter().flat_map(|row| {
            let sum =
                |keep: fn(&f64) -> bool| row.parts.iter().map(|part| part.value).filter(keep).sum::<f64>();
            [sum(|value| *value > 0.0), sum(|value| *value < 0.0), row.total.value]
        });
        let axis = Axis::rounded(sums.chain([0.0]), MARKS);
        let several = chart.parts.len() > 1;
        let row = |row: &BarRow| {
            let mut drawing = plot(ROW, &axis)
                .with(chart.segments(row, &axis))
                .with(upright_line("zero", &percent(axis.place(0.0))));
            if several && row.total.value.is_finite() && row.parts.iter().any(|part| part.value < 0.0) {
                drawing = drawing.with(
                    element("circle")
                        .class("total")
                        .attr("cx", percent(axis.place(row.total.value)))
                        .attr("cy", MIDDLE)
                        .attr("r", 4.5)
                        .with(element("title").text("the sum of all parts")),
                );
            }
            chart_row(&row.label, drawing, &chart.format.figure(&row.total))
        };
        let rows: Html = chart.rows.iter().map(row).collect();
        let body = element("tbody").with(rows).with(axis_row(&axis, &chart.format));
        let longest = longest(chart.rows.iter().map(|row| &row.label));
        figure_of((&chart.title, chart.note.as_deref()), several.then(|| key(&chart.parts)), longest, body)
    }
}

/// Colours and their meanings.
pub(super) fn key(names: &[String]) -> Element {
    let entries = names.iter().enumerate().map(|(i, name)| {
        let swatch = element("i").attr("style", format_args!("background:var(--series-{})", i % SERIES));
        element("span").with(swatch).text(name)
    });
    element("div").class("key").with_all(entries)
}

/// A chart with its title; `longest` is the number of characters of the longest label.
pub(super) fn figure_of(
    head: (&str, Option<&str>),
    key: Option<Element>,
    longest: usize,
    rows: Element,
) -> Html {
    let (title, note) = head;
    element("figure")
        .class("chart")
        .with(caption(title, note))
        .with(key)
        .with(
            element("table")
                .class("rows")
                .attr("aria-label", title)
                .attr("style", format_args!("--longest:{longest}ch"))
                .with(rows),
        )
        .into()
}

pub(super) fn longest<'a>(labels: impl Iterator<Item = &'a String>) -> usize {
    labels.map(|label| label.chars().count()).max().unwrap_or(0)
}

/// Joins sentences; `None` if there are none.
pub(super) fn sentences(parts: [Option<&str>; 2]) -> Option<String> {
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

pub(super) fn caption(title: &str, note: Option<&str>) -> Element {
    element("figcaption").text(title).with(note.map(|note| element("small").text(note)))
}

pub(super) fn chart_row(label: &str, drawing: Element, value: &str) -> Element {
    element("tr")
        .with(element("th").attr("scope", "row").text(label))
        .with(element("td").class("plot").with(drawing))
        .with(element("td").class("value").text(value))
}

/// A drawing of the available width.
pub(super) fn bare_plot(height: f64) -> Element {
    element("svg").attr("width", "100%").attr("height", height).attr("role", "img")
}

/// A drawing with a line at each mark.
pub(super) fn plot(height: f64, axis: &Axis) -> Element {
    let lines = axis.marks().into_iter().map(|mark| upright_line("grid", &percent(axis.place(mark))));
    bare_plot(height).with_all(lines)
}

/// The name of a reference line, above it.
pub(super) fn reference_row(axis: &Axis, value: f64, text: &str) -> Element {
    let label = label_at(axis.place(value), 12.0, text).class("reference-label");
    chart_row("", bare_plot(16.0).with(label), "").attr("aria-hidden", "true")
}

pub(super) fn axis_row(axis: &Axis, format: &Format) -> Element {
    let marks = mark_labels(axis, 13.0, format.is_percent());
    chart_row("", bare_plot(18.0).with_all(marks), "").class("axis").attr("aria-hidden", "true")
}

/// The labels of an axis, without those that would touch their neighbours on a phone.
pub(super) fn mark_labels(axis: &Axis, y: f64, percent: bool) -> Vec<Element> {
    let mut labels = Vec::new();
    let mut free = f64::NEG_INFINITY;
    for mark in axis.marks() {
        let (place, text) = (axis.place(mark), axis.mark(mark, percent));
        let width = text.chars().count() as f64 * LETTER;
        let from = match anchor(place, &text) {
            "start" => place,
            "end" => place - width,
            _ => place - width / 2.0,
        };
        if from >= free {
            labels.push(label_at(place, y, &text).class("mark"));
            free = from + width + LETTER;
        }
    }
    labels
}

/// Approximate width of a digit as a fraction of a phone's width.
const LETTER: f64 = 0.022;

/// Text at a position, moved inwards where it would stick out.
pub(super) fn label_at(place: f64, y: f64, text: &str) -> Element {
    let anchor = anchor(place, text);
    element("text").attr("x", percent(place)).attr("y", y).attr("text-anchor", anchor).text(text)
}

fn anchor(place: f64, text: &str) -> &'static str {
    let letters = text.chars().count() as f64;
    // Approximate width of half of the text as a fraction of a phone's width.
    let half = (letters - 3.0).max(1.0) * 0.012;
    match place {
        place if place < half => "start",
        place if place > 1.0 - half => "end",
        _ => "middle",
    }
}

pub(super) fn upright_line(class: &str, x: &str) -> Element {
    element("line").class(class).attr("x1", x).attr("x2", x).attr("y1", 0).attr("y2", "100%")
}

fn upright_tick(x: &str) -> Element {
    element("line")
        .class("tick")
        .attr("x1", x)
        .attr("x2", x)
        .attr("y1", MIDDLE - 5.0)
        .attr("y2", MIDDLE + 5.0)
}

pub(super) fn bar(class: &str, from: f64, to: f64, y: f64, height: f64) -> Element {
    element("rect")
        .class(class)
        .attr("x", percent(from))
        .attr("width", percent(to - from))
        .attr("y", y)
        .attr("height", height)
}
