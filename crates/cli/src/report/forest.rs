//! A forest plot: the same figures from two sources, each with its interval, marked where they disagree.

use super::axis::{Axis, percent};
use super::format::Format;
use super::html::{Element, Html, element};
use super::rows_chart::{MARKS, axis_row, bar, chart_row, figure_of, longest, plot};
use ttr_sim::experiment::Agreement;
use ttr_sim::stats::Figure;

const ROW: f64 = 36.0;

/// Pairs of figures, one per row: the published one hollow above, the measured one filled below.
#[derive(Clone, Debug)]
pub struct Forest {
    title: String,
    format: Format,
    theirs: String,
    rows: Vec<ForestRow>,
}

#[derive(Clone, Debug)]
struct ForestRow {
    label: String,
    theirs: Figure,
    ours: Figure,
    agreement: Agreement,
}

impl Forest {
    /// Creates a chart without rows; `theirs` names the published figures.
    pub fn new(title: impl Into<String>, theirs: impl Into<String>, format: Format) -> Self {
        Self { title: title.into(), format, theirs: theirs.into(), rows: Vec::new() }
    }

    /// Adds a pair of figures.
    #[must_use]
    pub fn row(
        mut self,
        label: impl Into<String>,
        theirs: Figure,
        ours: Figure,
        agreement: Agreement,
    ) -> Self {
        self.rows.push(ForestRow { label: label.into(), theirs, ours, agreement });
        self
    }

    fn drawing(&self, row: &ForestRow, axis: &Axis) -> Element {
        let ours = if row.agreement == Agreement::No { "var(--alarm)" } else { "var(--accent)" };
        let lines = [
            (&self.theirs, row.theirs, 11.0, "var(--muted)", "var(--surface)"),
            (&"measured".to_owned(), row.ours, 25.0, ours, ours),
        ];
        let mut drawing = plot(ROW, axis);
        for (name, figure, y, ink, fill) in lines {
            if !figure.value.is_finite() {
                continue;
            }
            let whisker = figure.has_interval().then(|| {
                bar("thin", axis.place(figure.low), axis.place(figure.high), y - 1.0, 2.0)
                    .attr("style", format_args!("fill:{ink}"))
            });
            let dot = element("circle")
                .attr("cx", percent(axis.place(figure.value)))
                .attr("cy", y)
                .attr("r", 4)
                .attr("style", format_args!("fill:{fill};stroke:{ink};stroke-width:1.6"))
                .with(element("title").text(format_args!(
                    "{}, {name}: {}",
                    row.label,
                    self.format.figure(&figure)
                )));
            drawing = drawing.with(whisker).with(dot);
        }
        drawing
    }

    fn key(&self) -> Element {
        let entry = |fill: &str, ink: &str, text: &str| {
            let style = format!("background:{fill};border:2px solid {ink}");
            element("span").with(element("i").class("round").attr("style", style)).text(text)
        };
        element("div")
            .class("key")
            .with(entry("transparent", "var(--muted)", &self.theirs))
            .with(entry("var(--accent)", "var(--accent)", "measured"))
            .with(entry("var(--alarm)", "var(--alarm)", "measured, disagrees"))
    }
}

impl From<Forest> for Html {
    fn from(chart: Forest) -> Self {
        let ends = chart.rows.iter().flat_map(|row| [row.theirs, row.ours]);
        let axis = Axis::around(ends.flat_map(|figure| [figure.value, figure.low, figure.high]), MARKS);
        let row = |row: &ForestRow| {
            let (theirs, ours) = (chart.format.figure(&row.theirs), chart.format.figure(&row.ours));
            let class = match row.agreement {
                Agreement::No => "parted disagrees",
                _ => "parted",
            };
            let mark = match row.agreement {
                Agreement::No => "≠ ",
                Agreement::Unknown => "? ",
                Agreement::Yes => "",
            };
            chart_row(
                &format!("{mark}{}", row.label),
                chart.drawing(row, &axis),
                &format!("{theirs}\n{ours}"),
            )
            .class(class)
        };
        let rows: Self = chart.rows.iter().map(row).collect();
        let body = element("tbody").with(rows).with(axis_row(&axis, &chart.format));
        let longest = longest(chart.rows.iter().map(|row| &row.label)) + 2;
        let note = "The interval of each is a line. Red and ≠: they differ by more than both errors explain; ?: an error is unknown.";
        figure_of((&chart.title, Some(note)), Some(chart.key()), longest, body)
    }
}
