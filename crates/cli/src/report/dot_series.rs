//! A chart with several dots per row: the same quantity measured in different ways.

use super::axis::{Axis, percent};
use super::format::Format;
use super::html::{Element, Html, element};
use super::rows_chart::{
    MARKS, axis_row, bar, chart_row, figure_of, longest, plot, reference_row, sentences, upright_line,
};
use ttr_sim::stats::Figure;

/// Height of a dot with its whisker.
const LINE: f64 = 10.0;
/// Space above and below the dots of a row.
const SPACE: f64 = 7.0;

/// Figures as dots with whiskers, several per row, each kind in its colour.
#[derive(Clone, Debug)]
pub struct DotSeries {
    title: String,
    format: Format,
    kinds: Vec<Kind>,
    rows: Vec<(String, Vec<Figure>)>,
    reference: Option<(f64, String)>,
    note: Option<String>,
}

#[derive(Clone, Debug)]
struct Kind {
    name: String,
    colour: usize,
    hollow: bool,
}

impl DotSeries {
    /// Creates a chart without rows.
    pub fn new(title: impl Into<String>, format: Format) -> Self {
        Self { title: title.into(), format, kinds: Vec::new(), rows: Vec::new(), reference: None, note: None }
    }

    /// Adds a kind of figure in one of the colours of series; hollow dots put it in the background.
    #[must_use]
    pub fn kind(mut self, name: impl Into<String>, colour: usize, hollow: bool) -> Self {
        self.kinds.push(Kind { name: name.into(), colour, hollow });
        self
    }

    /// Adds a row with a figure of each kind. The first is also written next to the row.
    #[must_use]
    pub fn row(mut self, label: impl Into<String>, figures: Vec<Figure>) -> Self {
        self.rows.push((label.into(), figures));
        self
    }

    /// Adds a line at a value to which everything is compared.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> Self {
        self.reference = Some((value, label.into()));
        self
    }

    /// Adds a note below the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The axis. It covers all dots and whiskers, except for whiskers that are far longer than the others:
    /// they are cut off.
    fn axis(&self) -> Axis {
        let figures = || self.rows.iter().flat_map(|(_, figures)| figures);
        let dots = figures().map(|figure| figure.value);
        let mut margins: Vec<f64> =
            figures().map(Figure::margin).filter(|margin| margin.is_finite()).collect();
        margins.sort_by(f64::total_cmp);
        let usual = margins.get(margins.len() / 2).copied().unwrap_or(0.0);
        let whiskers = figures().filter(|figure| figure.margin() <= 2.0 * usual);
        let ends = whiskers.flat_map(|figure| [figure.low, figure.high]);
        Axis::around(dots.chain(ends).chain(self.reference.iter().map(|reference| reference.0)), MARKS)
    }

    /// Returns `true` if a whisker is cut off at an end of the axis.
    fn is_cut(&self, axis: &Axis) -> bool {
        let inside = |end: f64| end.is_nan() || axis.has(end);
        !self
            .rows
            .iter()
            .flat_map(|(_, figures)| figures)
            .all(|figure| inside(figure.low) && inside(figure.high))
    }

    fn dots(&self, axis: &Axis, label: &str, figures: &[Figure]) -> Element {
        let height = LINE * self.kinds.len() as f64 + 2.0 * SPACE;
        let line = self.reference.as_ref();
        let mut drawing = plot(height, axis)
            .with(line.map(|(value, _)| upright_line("reference", &percent(axis.place(*value)))));
        let measured = self.kinds.iter().zip(figures).enumerate();
        for (index, (kind, figure)) in measured.filter(|(_, (_, figure))| figure.value.is_finite()) {
            let y = SPACE + LINE * (index as f64 + 0.5);
            let ink = format!("var(--series-{})", kind.colour);
            let fill = if kind.hollow { "var(--surface)" } else { &ink };
            let whisker = figure.has_interval().then(|| {
                bar("thin", axis.place(figure.low), axis.place(figure.high), y - 1.0, 2.0)
                    .attr("style", format_args!("fill:{ink}"))
            });
            let dot = element("circle")
                .attr("cx", percent(axis.place(figure.value)))
                .attr("cy", y)
                .attr("r", 3.6)
                .attr("style", format_args!("fill:{fill};stroke:{ink};stroke-width:1.6"))
                .with(element("title").text(format_args!(
                    "{label}, {}: {}",
                    kind.name,
                    self.format.figure(figure)
                )));
            drawing = drawing.with(whisker).with(dot);
        }
        drawing
    }

    fn key(&self) -> Element {
        let entries = self.kinds.iter().map(|kind| {
            let fill =
                if kind.hollow { "transparent".to_owned() } else { format!("var(--series-{})", kind.colour) };
            let swatch = element("i").class("round").attr(
                "style",
                format_args!("background:{fill};border:2px solid var(--series-{})", kind.colour),
            );
            element("span").with(swatch).text(&kind.name)
        });
        element("div").class("key").with_all(entries)
    }
}

impl From<DotSeries> for Html {
    fn from(chart: DotSeries) -> Self {
        let axis = chart.axis();
        let row = |(label, figures): &(String, Vec<Figure>)| {
            let value = figures.first().map(|figure| chart.format.figure(figure)).unwrap_or_default();
            chart_row(label, chart.dots(&axis, label, figures), &value).class("parted")
        };
        let head = chart.reference.as_ref().map(|(value, label)| reference_row(&axis, *value, label));
        let marks = axis_row(&axis, &chart.format);
        let rows: Self = chart.rows.iter().map(row).collect();
        let body = element("tbody").with(head).with(rows).with(marks);
        let longest = longest(chart.rows.iter().map(|(label, _)| label));
        let cut = chart.is_cut(&axis).then_some("Intervals that leave the chart are cut off.");
        let note = sentences([chart.note.as_deref(), cut]);
        figure_of((&chart.title, note.as_deref()), Some(chart.key()), longest, body)
    }
}
