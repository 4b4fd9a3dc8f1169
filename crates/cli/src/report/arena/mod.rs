//! The report of an arena.

mod agents;
mod course;
mod played;
mod sets;

pub(super) use sets::pretty;

use super::format::Format;
use super::page::Page;
use ttr_show::text::{count, thousands};
use ttr_sim::arena::Summary;
use ttr_sim::game::Playable;

/// The report of an arena: the same summary gives the same bytes.
pub fn arena<G: Playable>(summary: &Summary, game: &G) -> String {
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
        page = page.tile("Best agent", &best.label, "by share of wins").tile(
            "It wins",
            Format::PERCENT.value(best.win_share.value),
            format!("{} of its games", Format::PERCENT.margin(&best.win_share)),
        );
        // Nobody has points if all games were forfeited.
        if best.points.value.is_finite() {
            page = page.tile(
                "It scores",
                Format::POINTS.value(best.points.value),
                format!("{} points on average", Format::POINTS.margin(&best.points)),
            );
        }
    }
    if let Some(seat) = summary.seat_advantage.first() {
        page = page.tile(
            "Who plays first wins",
            Format::PERCENT.value(seat.win_share.value),
            format!(
                "{}; fair: {}",
                Format::PERCENT.margin(&seat.win_share),
                Format::PERCENT.value(1.0 / summary.seats as f64)
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
        .section(played::what_was_played(summary, game))
        .html()
}

fn games_in_words(summary: &Summary) -> String {
    format!("{} games of {} deals", thousands(summary.games), thousands(summary.deals))
}
