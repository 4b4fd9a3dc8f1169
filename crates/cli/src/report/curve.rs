//! Charts with two axes: curves with bands, and histograms.

use std::fmt::Write;

use super::axis::{Axis, exactly, percent};
use super::colour::SERIES;
use super::format::Format;
use super::html::{Element, Html, element};
use super::rows_chart::{bare_plot, caption, key, label_at, mark_labels};
use ttr_show::text::thousands;
use ttr_sim::stats::Figure;

const HEIGHT: f64 = 240.0;
/// Room above the highest value, for the label of its mark.
const ABOVE: f64 = 8.0;
/// Curves are drawn in these units and stretched to the width of the screen.
const UNITS: f64 = 1000.0;
const MARKS: usize = 6;
/// Maximum number of marks of the horizontal axis: they must not touch on a phone.
const ACROSS: usize = 4;

/// Figures that change along an axis, each curve in the band of its intervals.
#[derive(Clone, Debug)]
pub struct LineCurve {
    title: String,
    along: String,
    format: Format,
    curves: Vec<(String, Vec<(f64, Figure)>)>,
    references: Vec<(f64, String)>,
    note: Option<String>,
}

impl LineCurve {
    /// Creates a chart without curves; `along` names the horizontal axis.
    pub fn new(title: impl Into<String>, along: impl Into<String>, format: Format) -> Self {
        let (title, along) = (title.into(), along.into());
        Self { title, along, format, curves: Vec::new(), references: Vec::new(), note: None }
    }

    /// Adds a curve, its points from left to right.
    #[must_use]
    pub fn curve(mut self, label: impl Into<String>, points: Vec<(f64, Figure)>) -> Self {
        let points = points.into_iter().filter(|(x, figure)| x.is_finite() && figure.value.is_finite());
        self.curves.push((label.into(), points.collect()));
        self
    }

    /// Adds a line at a value to which the curves are compared; several lines need to be far apart.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> Self {
        self.references.push((value, label.into()));
        self
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl From<LineCurve> for Html {
    fn from(chart: LineCurve) -> Self {
        let points = || chart.curves.iter().flat_map(|(_, points)| points);
        let across = Axis::between_ends(points().map(|(x, _)| *x), ACROSS);
        let ends = |(_, figure): &(f64, Figure)| [figure.low, figure.high, figure.value];
        let references = chart.references.iter().map(|(value, _)| *value);
        let up = Axis::rounded(points().flat_map(ends).chain(references), MARKS);
        let y = |value: f64| down(&up, value);
        let mut stretched = element("svg")
            .attr("viewBox", format_args!("0 0 {UNITS} {HEIGHT}"))
            .attr("width", "100%")
            .attr("height", HEIGHT)
            .attr("preserveAspectRatio", "none");
        let mut dots = Html::default();
        for (i, (label, points)) in chart.curves.iter().enumerate() {
            let colour = format!("--curve:var(--series-{})", i % SERIES);
            let x = |value: f64| across.place(value) * UNITS;
            // Where the interval is unknown, the band has no width.
            let end = |end: f64, figure: &Figure| y(if end.is_finite() { end } else { figure.value });
            let upper = points.iter().map(|(at, figure)| (x(*at), end(figure.high, figure)));
            let lower = points.iter().rev().map(|(at, figure)| (x(*at), end(figure.low, figure)));
            let middle = points.iter().map(|(at, figure)| (x(*at), y(figure.value)));
            stretched = stretched
                .with(
                    element("path")
                        .class("band")
                        .attr("style", &colour)
                        .attr("d", path(upper.chain(lower)) + "Z"),
                )
                .with(element("path").class("curve").attr("style", &colour).attr("d", path(middle)));
            dots.push(
                dotted(points)
                    .map(|(at, figure)| {
                        let title = element("title").text(format_args!(
                            "{label}, {} {}: {}",
                            chart.along,
                            exactly(*at),
                            chart.format.figure(figure)
                        ));
                        element("circle")
                            .class("point")
                            .attr("style", &colour)
                            .attr("cx", percent(across.place(*at)))
                            .attr("cy", coordinate(y(figure.value)))
                            .attr("r", 3)
                            .with(title)
                    })
                    .collect::<Html>(),
            );
        }
        let names: Vec<String> = chart.curves.iter().map(|(label, _)| label.clone()).collect();
        let references = chart.references.iter().map(|(value, label)| {
            let at = coordinate(y(*value));
            let line = element("line").class("reference").attr("x1", 0).attr("x2", "100%");
            let text = format!("{label} {}", chart.format.value(*value));
            let label = label_at(1.0, y(*value) - 4.0, &text).class("reference-label halo");
            Html::from_iter([line.attr("y1", &at).attr("y2", &at), label])
        });
        let references: Html = references.collect();
        let drawing = frame(&up, &chart.title).with(stretched).with(dots).with(references).with(marks(
            &across,
            &up,
            &chart.along,
            &chart.format,
        ));
        element("figure")
            .class("chart")
            .with(caption(&chart.title, chart.note.as_deref()))
            .with((names.len() > 1).then(|| key(&names)))
            .with(drawing)
            .into()
    }
}

/// The points of a curve that have a dot: all, or about 30 of many, the last one included.
fn dotted(points: &[(f64, Figure)]) -> impl Iterator<Item = &(f64, Figure)> {
    let distance = if points.len() > 60 { points.len().div_ceil(30) } else { 1 };
    points.iter().rev().step_by(distance)
}

/// Frequencies of values in bins of equal width.
#[derive(Clone, Debug)]
pub struct Histogram {
    title: String,
    along: String,
    first: f64,
    width: f64,
    counts: Vec<u64>,
    note: Option<String>,
}

impl Histogram {
    /// Creates a chart of bins that begin at `first` and are `width` wide; `along` names the values.
    pub fn new(
        title: impl Into<String>,
        along: impl Into<String>,
        first: f64,
        width: f64,
        counts: Vec<u64>,
    ) -> Self {
        Self { title: title.into(), along: along.into(), first, width, counts, note: None }
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl From<Histogram> for Html {
    fn from(chart: Histogram) -> Self {
        let total = chart.counts.iter().sum::<u64>().max(1) as f64;
        let edge = |i: usize| chart.first + chart.width * i as f64;
        let across = Axis::between_ends([edge(0), edge(chart.counts.len())], ACROSS);
        let share = |count: u64| count as f64 / total;
        let up = Axis::rounded(chart.counts.iter().map(|&count| share(count)).chain([0.0]), 4);
        let bars = chart.counts.iter().enumerate().map(|(i, &count)| {
            let (from, to) = (across.place(edge(i)), across.place(edge(i + 1)));
            let height = up.place(share(count)) * (HEIGHT - ABOVE);
            element("rect")
                .class("column")
                .attr("x", percent(from))
                .attr("width", percent(to - from))
                .attr("y", coordinate(HEIGHT - height))
                .attr("height", coordinate(height))
                .with(element("title").text(format_args!(
                    "{} to {}: {} ({})",
                    exactly(edge(i)),
                    exactly(edge(i + 1)),
                    thousands(count),
                    Format::PERCENT.value(share(count))
                )))
        });
        let drawing =
            frame(&up, &chart.title).with_all(bars).with(marks(&across, &up, &chart.along, &Format::PERCENT));
        element("figure")
            .class("chart")
            .with(caption(&chart.title, chart.note.as_deref()))
            .with(drawing)
            .into()
    }
}

/// Distance of a value from the top.
fn down(up: &Axis, value: f64) -> f64 {
    ABOVE + (1.0 - up.place(value)) * (HEIGHT - ABOVE)
}

/// A drawing with the lines of its upright axis.
fn frame(up: &Axis, title: &str) -> Element {
    let line = |mark: f64| {
        let y = coordinate(down(up, mark));
        element("line").class("grid").attr("x1", 0).attr("x2", "100%").attr("y1", &y).attr("y2", &y)
    };
    bare_plot(HEIGHT + 38.0)
        .class("frame")
        .attr("aria-label", title)
        .with_all(up.marks().into_iter().map(line))
}

/// The labels of both axes: left of the drawing, in the margin that the style sheet leaves, and below it.
fn marks(across: &Axis, up: &Axis, along: &str, format: &Format) -> Html {
    let left = up.marks().into_iter().map(|mark| {
        element("text")
            .class("mark")
            .attr("x", -6)
            .attr("y", coordinate(down(up, mark) + 4.0))
            .attr("text-anchor", "end")
            .text(up.mark(mark, format.is_percent()))
    });
    let below = mark_labels(across, HEIGHT + 15.0, false);
    left.chain(below).chain([label_at(0.5, HEIGHT + 33.0, along).class("mark")]).collect()
}

/// A line through points.
fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.enumerate() {
        // Writing to a string can't fail.
        let _ = write!(d, "{}{} {}", if i == 0 { 'M' } else { 'L' }, coordinate(x), coordinate(y));
    }
    d
}

/// A coordinate with at most one decimal.
fn coordinate(value: f64) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}
