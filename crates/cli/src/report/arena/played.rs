//! Full settings of the run: enough to play the same games again.

use super::games_in_words;
use crate::report::html::{Html, element};
use crate::report::page::Section;
use crate::report::provenance::Provenance;
use crate::report::table::{Cell, Table};
use ttr_agents::Roster;
use ttr_show::text::Align;
use ttr_sim::arena::Summary;
use ttr_sim::game::Playable;

/// Maximum number of line-ups that are listed.
const MOST_LINE_UPS: usize = 12;

/// The settings needed to play the same games again, and an explanation of the figures.
pub(super) fn what_was_played<G: Playable>(
    summary: &Summary,
    game: &G,
    roster: &Roster,
    provenance: &Provenance,
) -> Section {
    let mut agents =
        Table::new([("agent", Align::Left), ("specification", Align::Left), ("games", Align::Right)]);
    for agent in &summary.agents {
        agents.row([Cell::text(&agent.label), Cell::code(&agent.agent), Cell::count(agent.games)]);
    }
    let code = |text: &str| -> Html { element("code").text(text).into() };
    let mut map = Html::text(format_args!("{}, ", game.name()));
    map.push(code(&summary.map));
    map.push_text(", hash ");
    map.push(code(&summary.map_hash));
    let mut facts = vec![
        ("Map", map),
        ("Seats", Html::text(summary.seats)),
        ("Games", Html::text(games_in_words(summary))),
        ("Line-ups", Html::text(line_ups(summary))),
        ("Seed", code(&summary.seed.to_string())),
        ("Version", Html::text(format_args!("ttr {}", summary.version))),
    ];
    facts.extend(provenance.facts());
    let specs = summary.agents.iter().filter_map(|agent| Some((agent.label.clone(), agent.spec.as_ref()?)));
    Section::new("What was played")
        .facts(facts)
        .with(agents)
        .settings(specs, game, roster)
        .heading("How to read the figures")
        .text(
            "A seat is a player's place at the table; a deal is one seed: all its games have the same opening cards, tickets and \
             first seat. Every line-up plays every deal once in each rotation of its seats; from three seats on, the order in which \
             its agents sit changes from deal to deal, so that every agent sits behind every other. A tie is shared among the winners.",
        )
        .text(
            "Games of one deal share their cards, so a deal counts as one observation: all 95 % confidence intervals come from the \
             spread among deals. Below 5 deals there are none, nor for a figure that was the same in all deals.",
        )
        .text(
            "Ratings are on the Elo scale: each seat wins with a probability in proportion to the strength of its agent, and 100 \
             points more mean 64 % of the games that one of two agents wins. The rating of the anchor is 0. An agent that won or lost \
             all its games has only a bound (≥ or ≤).",
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
