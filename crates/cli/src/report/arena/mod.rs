//! The report of an arena.

mod agents;
mod course;
mod played;
mod sets;

pub(super) use sets::pretty;

use super::format::Format;
use super::page::Page;
use super::provenance::Provenance;
use ttr_agents::Roster;
use ttr_show::text::{count, thousands};
use ttr_sim::arena::Summary;
use ttr_sim::game::Playable;

/// The report of an arena: the same summary gives the same bytes. The roster describes the settings of its
/// agents.
pub fn arena<G: Playable>(summary: &Summary, game: &G, roster: &Roster, provenance: &Provenance) -> String {
    let subtitle = format!(
        "{} at {}: {}",
        count(summary.agents.len(), "agent", "agents"),
        count(summary.seats, "seat", "seats"),
        games_in_words(summary),
    );
    let mut page = Page::new(format!("{}: who wins, and how", game.name()), subtitle).footer(format!(
        "ttr {}, map {} ({}), seed {}",
        summary.version, summary.map, summary.map_hash, summary.seed
    ));
    if let Some(banner) = agents::forfeit_banner(summary) {
        page = page.banner(banner);
    }
    if let Some(best) = summary.agents.first() {
        page = match summary.agents.len() {
            1 => page.tile("Agent", &best.label, "against itself"),
            _ => page.tile("Best agent", &best.label, "by share of wins").tile(
                "It wins",
                Format::PERCENT.value(best.win_share.value),
                with_margin(Format::PERCENT.margin(&best.win_share), "of its games"),
            ),
        };
        // No agent has points if all games were forfeited.
        if best.points.value.is_finite() {
            page = page.tile(
                "It scores",
                Format::POINTS.value(best.points.value),
                with_margin(Format::POINTS.margin(&best.points), "points on average"),
            );
        }
    }
    if let Some(seat) = summary.seat_advantage.first() {
        page = page.tile(
            "First to move wins",
            Format::PERCENT.value(seat.win_share.value),
            with_margin(
                Format::PERCENT.margin(&seat.win_share),
                &format!("(fair share: {})", Format::PERCENT.value(1.0 / summary.seats as f64)),
            ),
        );
    }
    page.section(agents::standings(summary))
        .section_if(course::sequential_test(summary))
        .section_if(course::convergence(summary))
        .section_if(agents::points(summary))
        .section_if(agents::head_to_head(summary))
        .section(agents::seats_and_endings(summary))
        .section_if(sets::routes(summary, game))
        .section_if(sets::tickets(summary, game))
        .section_if(agents::forfeits(summary))
        .section(played::what_was_played(summary, game, roster, provenance))
        .html()
}

/// A margin with words after it; empty if there is no margin.
fn with_margin(margin: String, words: &str) -> String {
    if margin.is_empty() { words.to_owned() } else { format!("{margin} {words}") }
}

fn games_in_words(summary: &Summary) -> String {
    format!("{} games of {} deals", thousands(summary.games), thousands(summary.deals))
}
