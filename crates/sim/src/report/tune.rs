//! The report of tuning.

use super::curve::LineCurve;
use super::format::Format;
use super::page::{Page, Section};
use super::table::{Cell, Table};
use crate::playable::Playable;
use crate::stats::{Decision, Figure};
use crate::text::Align::{Left, Right};
use crate::tune::Tuned;

/// The report of tuning: the same result gives the same bytes.
pub fn tune<G: Playable>(tuned: &Tuned, game: &G) -> String {
    let games = tuned.curve.last().map_or(0, |generation| generation.games);
    let subtitle = format!("{} on {}, {} seats", tuned.before, game.map_id(), game.seats());
    let mut page = Page::new("Better weights", subtitle)
        .tile("Games", Format::WHOLE.value(games as f64), "of the search")
        .tile("Generations", tuned.curve.len().to_string(), "of candidates");
    if let Some(test) = &tuned.confirmed {
        let verdict = match test.decision {
            Some(Decision::Stronger) => "stronger, says the sequential test",
            Some(Decision::NotStronger) => "not stronger, says the sequential test",
            None => "the sequential test is undecided",
        };
        let par = Format::PERCENT.value(1.0 / game.seats() as f64);
        let corrected =
            format!("par {par}; {verdict}; {} Elo, corrected for the stop", Format::ELO.figure(&test.elo));
        page = page.tile("Wins against itself before", Format::PERCENT.figure(&test.share), corrected);
    }
    let mean = tuned.curve.iter().map(|generation| (generation.games as f64, generation.mean)).collect();
    let best = tuned
        .curve
        .iter()
        .map(|generation| (generation.games as f64, Figure::exactly(generation.best)))
        .collect();
    let wins = LineCurve::new("Wins against the opponents", "games", Format::PERCENT)
        .curve("all candidates of a generation (band: their deviation)", mean)
        .curve("the best of them", best)
        .note("Candidates of a generation share their deals; generations do not, so the curve goes up and down with the luck of the deal.");
    let margin = tuned
        .curve
        .iter()
        .map(|generation| (generation.games as f64, Figure::exactly(generation.margin)))
        .collect();
    let margins =
        LineCurve::new("Margin in points", "games", Format::POINTS).curve("mean of all candidates", margin);
    let mut table = Table::new([("parameter", Left), ("before", Right), ("after", Right)]);
    for (name, before, after) in &tuned.params {
        table.row([
            Cell::code(name),
            Cell::number(*before, Format::decimals(3)),
            Cell::number(*after, Format::decimals(3)),
        ]);
    }
    page.section(Section::new("The search").with(wins).with(margins))
        .section(Section::new("The weights").with(table))
        .html()
}
