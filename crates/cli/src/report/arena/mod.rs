//! The report of an arena.

mod agents;
mod sets;

pub(super) use sets::pretty;

use super::format::Format;
use super::html::{Html, element};
use super::page::{Page, Section};
use super::table::{Cell, Table};
use ttr_show::text::{Align, count, thousands};
use ttr_sim::arena::Summary;
use ttr_sim::game::Playable;

/// Line-ups that are told one by one.
const MOST_LINE_UPS: usize = 12;

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
    if let Some(best) = summary.agents.first() {
        page = page.tile("Best agent", &best.label, "by share of wins").tile(
            "It wins",
            Format::PERCENT.value(best.win_share.value),
            format!("{} of its games", Format::PERCENT.margin(&best.win_share)),
        );
        page = page.tile(
            "It scores",
            Format::POINTS.value(best.points.value),
            format!("{} points on average", Format::POINTS.margin(&best.points)),
        );
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
        .section_if(agents::sequential_test(summary))
        .section(agents::points(summary))
        .section_if(agents::head_to_head(summary))
        .section(agents::seats_and_endings(summary))
        .section_if(sets::routes(summary, game))
        .section_if(sets::tickets(summary, game))
        .section_if(agents::forfeits(summary))
        .section(what_was_played(summary, game))
        .html()
}

fn games_in_words(summary: &Summary) -> String {
    format!("{} games of {} deals", thousands(summary.games), thousands(summary.deals))
}

/// All that is needed to play the same games again, and how to read the figures.
fn what_was_played<G: Playable>(summary: &Summary, game: &G) -> Section {
    let mut agents = Table::new([("agent", Align::Left), ("in full", Align::Left), ("games", Align::Right)]);
    for agent in &summary.agents {
        agents.row([Cell::text(&agent.label), Cell::code(&agent.agent), Cell::count(agent.games)]);
    }
    let code = |text: &str| -> Html { element("code").text(text).into() };
    let mut map = Html::text(format_args!("{}, ", game.name()));
    map.push(code(&summary.map));
    map.push_text(", hash ");
    map.push(code(&summary.map_hash));
    Section::new("What was played")
        .facts([
            ("Map", map),
            ("Seats", Html::text(summary.seats)),
            ("Games", Html::text(games_in_words(summary))),
            ("Line-ups", Html::text(line_ups(summary))),
            ("Seed", code(&summary.seed.to_string())),
            ("Version", Html::text(format_args!("ttr {}", summary.version))),
        ])
        .with(agents)
        .heading("How to read the figures")
        .text(
            "A deal is one seed: all its games have the same opening cards, tickets and first seat. Every line-up plays every deal \
             once in each rotation of its seats; from three seats on, the deals take turns in the order in which its agents sit, \
             so that everybody sits behind everybody. A tie is shared among the winners.",
        )
        .text(
            "Figures come with 95 % intervals from the spread among deals, as games of the same deal share their cards; there are none \
             below 5 deals. ± is half the width of the interval; where its halves differ, both ends are given.",
        )
        .text(
            "Ratings are strengths on the Elo scale by wins: each seat wins in proportion to the strength of its agent, and 100 \
             points more mean 64 % of the games that one of two agents wins. The anchor's rating is 0. An agent that won or lost all \
             its games has only a bound (≥ or ≤).",
        )
}

fn line_ups(summary: &Summary) -> String {
    let line_up = |agents: &Vec<usize>| {
        agents.iter().map(|&agent| summary.label(agent)).collect::<Vec<_>>().join(" – ")
    };
    let mut text = summary.line_ups.iter().take(MOST_LINE_UPS).map(line_up).collect::<Vec<_>>().join("; ");
    if summary.line_ups.len() > MOST_LINE_UPS {
        text += &format!("; and {} more", summary.line_ups.len() - MOST_LINE_UPS);
    }
    text
}
