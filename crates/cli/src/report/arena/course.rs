//! Figures over the deals of a run: shares of wins, and the LLR of a sequential test.

use crate::report::colour::SERIES;
use crate::report::curve::LineCurve;
use crate::report::format::Format;
use crate::report::page::Section;
use ttr_sim::arena::Summary;
use ttr_sim::stats::Figure;

/// Shares of wins over deals. `None` for a run that is too short for intervals.
pub(super) fn convergence(summary: &Summary) -> Option<Section> {
    let with_interval =
        |agent: usize| summary.convergence.iter().filter(move |point| point.win_shares[agent].has_interval());
    let fair = 1.0 / summary.seats as f64;
    let mut chart = LineCurve::new("Share of wins", "deals", Format::PERCENT).reference(fair, "fair share");
    let mut curves = 0;
    for agent in summary.agents.iter().take(SERIES) {
        let points: Vec<(f64, Figure)> = with_interval(agent.index)
            .map(|point| (point.deals as f64, point.win_shares[agent.index]))
            .collect();
        if points.len() > 1 {
            chart = chart.curve(&agent.label, points);
            curves += 1;
        }
    }
    if curves == 0 {
        return None;
    }
    let mut text = "Share of wins over all deals so far, with its 95 % interval as a band. Bands narrow with the square root of the \
                    number of deals; where two do not overlap at the right end, the agents differ."
        .to_owned();
    if summary.agents.len() > SERIES {
        text += &format!(" The {SERIES} best agents are shown; the table has all of them.");
    }
    Some(
        Section::new("Convergence")
            .text(text)
            .with(chart)
            .note(
                "To stop a run once the bands are apart is not a valid test: the more often one looks, the more often they are \
                 apart by chance. A run that may stop early needs --sprt.",
            ),
    )
}

/// The course and the result of the sequential test, if there was one.
pub(super) fn sequential_test(summary: &Summary) -> Option<Section> {
    let test = summary.sprt.as_ref()?;
    let text =
        format!("{} against {}, by wins. {}. {}.", test.agent, test.other, test.hypotheses(), test.verdict());
    let (low, high) = test.bounds;
    let points: Vec<(f64, Figure)> =
        test.path.iter().map(|&(deals, llr)| (deals as f64, Figure::exactly(llr))).collect();
    let chart = LineCurve::new("Log-likelihood ratio (LLR)", "deals", Format::decimals(2))
        .note("The test stops when the LLR reaches one of the bounds.")
        .reference(high, "H1 accepted at")
        .reference(low, "H0 accepted at")
        .curve("LLR", points);
    let corrected = format!(
        "Difference in Elo, corrected for the stopping rule (median-unbiased estimate): {}. The shares and ratings of the other \
         sections are not corrected.",
        Format::ELO.figure(&test.elo)
    );
    Some(Section::new("Sequential test").text(text).with(chart).note(corrected))
}
