//! The report of ticket statistics.

use super::arena::pretty;
use super::board::{BoardHeat, HeatScale, route_title};
use super::forced;
use super::format::Format;
use super::html::{Html, element};
use super::page::{Page, Section};
use super::provenance::Provenance;
use super::settings::labelled;
use super::table::{Cell, Table};
use ttr_agents::{AgentSpec, Roster};
use ttr_engine::board::BoardGame;
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::{small_percent, thousands};
use ttr_sim::game::{Playable, same_tracks};
use ttr_sim::stats::binomial;
use ttr_sim::tickets::{RouteRow, TicketRow, TicketSummary, descending};

/// Maximum number of pairs that are listed.
const MOST_PAIRS: usize = 60;
/// Minimum number of holders of a pair, or claims of a route, for which the share of wins is shown.
const FEWEST: u64 = 30;

/// The report of ticket statistics: the same summary gives the same bytes. The roster describes the agents.
pub fn tickets<G: Playable>(
    summary: &TicketSummary,
    game: &G,
    agents: &[AgentSpec],
    roster: &Roster,
    provenance: &Provenance,
) -> String {
    let name = game.board().map_or("The Card Game", |board| board.spec().name.as_str());
    let games = match &summary.forced {
        Some(forced) => format!("{} games with every opening choice", thousands(forced.games)),
        None => format!("{} games", thousands(summary.games)),
    };
    let subtitle = format!("{games} at {} seats, played by {}", summary.seats, summary.agents.join(", "));
    let mut page = Page::new(format!("{name}: value of tickets"), subtitle).footer(format!(
        "ttr {}, map {} ({}), seed {}; 95 % confidence intervals from the spread among deals",
        summary.version, summary.map, summary.map_hash, summary.seed
    ));
    let by_wins = |a: &&TicketRow, b: &&TicketRow| descending(&a.worth_wins, &b.worth_wins);
    if let Some(forced) = &summary.forced {
        page = forced::tiles(page, summary, forced);
    } else if let Some(best) = summary.tickets.iter().filter(|row| row.held >= FEWEST).min_by(by_wins) {
        page = page.tile(
            "Best ticket to hold",
            pretty(&best.ticket),
            format!(
                "{} share of wins of its holders: an association, not an effect",
                Format::PERCENT_MORE.figure(&best.worth_wins_of_all)
            ),
        );
    }
    page.tile("Points", Format::POINTS.value(summary.points), "per player and game")
        .tile("Turns", Format::POINTS.value(summary.turns), "per game, all players")
        .section_if(forced::effect_section(summary))
        .section_if(summary.forced.as_ref().map(forced::choice_section))
        .section_if(summary.forced.as_ref().map(|forced| forced::table_section(summary, forced)))
        .section(ticket_section(summary))
        .section_if(route_section(summary, game))
        .section_if(city_section(summary))
        .section(pair_section(summary))
        .section(rare_section(summary))
        .section(what_was_played(summary, name, &games, provenance).settings(labelled(agents), game, roster))
        .html()
}

fn what_was_played(summary: &TicketSummary, name: &str, games: &str, provenance: &Provenance) -> Section {
    let text = |text: &dyn std::fmt::Display| Html::text(text);
    let code = |text: &str| Html::from(element("code").text(text));
    let mut map = text(&format_args!("{name}, "));
    map.push(code(&summary.map));
    map.push_text(", hash ");
    map.push(code(&summary.map_hash));
    let facts = [
        ("Map", map),
        ("Seats", text(&summary.seats)),
        ("Agents", code(&summary.agents.join(", "))),
        ("Games", text(&games)),
        ("Seed", code(&summary.seed.to_string())),
        ("Version", text(&format_args!("ttr {}", summary.version))),
    ];
    Section::new("What was played").facts(facts.into_iter().chain(provenance.facts()))
}

fn ticket_section(summary: &TicketSummary) -> Section {
    let mut table = Table::new([
        ("ticket", Left),
        ("value", Right),
        ("held", Right),
        ("kept at the opening", Right),
        ("kept later", Right),
        ("completed", Right),
        ("association: wins", Right),
        ("association: points", Right),
        ("offer: wins", Right),
        ("offer: points", Right),
        ("trains", Right),
        ("turn", Right),
    ])
    .explain([
        ("value", "points printed on the ticket"),
        ("held", "players who ended a game holding it"),
        ("kept", "share of offers that were kept"),
        ("completed", "share of its holders who completed it"),
        (
            "association",
            "difference between players who ended the game holding it and all others, in share of wins and in mean points; not a \
             causal effect",
        ),
        (
            "offer",
            "difference between players who were offered it at the opening and those who were not: a causal effect, as the deal \
             decides it at random",
        ),
        ("trains", "length of the shortest path between its cities over the player's own routes"),
        ("turn", "turn in which they were connected, counting those of all players"),
    ]);
    let mut rows: Vec<_> = summary.tickets.iter().collect();
    rows.sort_by(|a, b| descending(&a.worth_wins, &b.worth_wins));
    for row in rows {
        table.row([
            Cell::text(pretty(&row.ticket)),
            Cell::count(row.value.into()),
            Cell::count(row.held),
            Cell::number(row.kept_opening.value, Format::PERCENT),
            Cell::number(row.kept_later, Format::PERCENT),
            Cell::number(row.completed.value, Format::PERCENT),
            Cell::figure(&row.worth_wins_of_all, Format::PERCENT_MORE),
            Cell::figure(&row.worth_points_of_all, Format::POINTS.signed()),
            Cell::figure(&row.offer.wins_of_all, Format::PERCENT_MORE),
            Cell::figure(&row.offer.points_of_all, Format::POINTS.signed()),
            Cell::number(row.trains, Format::POINTS),
            Cell::number(row.turn, Format::POINTS),
        ]);
    }
    Section::new("Tickets")
        .text(
            "The intervals of associations and offers hold for all tickets at once, so that the best and the worst can be read off.",
        )
        .with(table)
}

fn route_section<G: Playable>(summary: &TicketSummary, game: &G) -> Option<Section> {
    let board = game.board()?;
    let section = Section::new("Routes")
        .text(
            "Choose a measure; hover over a route for details. Two tracks that ask for the same cards count as one route.",
        )
        .with(route_heat(summary, board))
        .note("Correlation, not causation: winners claim more routes.")
        .heading("All routes")
        .with(route_table(summary));
    Some(section)
}

fn route_heat<'a>(summary: &TicketSummary, board: &'a BoardGame) -> BoardHeat<'a> {
    let usual = summary.win_share;
    let enough = |row: &RouteRow| row.claims.value * summary.games as f64 >= FEWEST as f64;
    let claims = || summary.routes.iter().map(|row| row.claims.value);
    let lifts = || summary.routes.iter().filter(|row| enough(row)).map(|row| row.win_share.value - usual);
    let turns = || summary.routes.iter().filter(|row| enough(row)).map(|row| row.turn.value);
    // By track: those of one row have the same figures.
    let tracks = same_tracks(board);
    let row_of: Vec<&RouteRow> = (0..board.routes().len())
        .filter_map(|track| summary.routes.get(tracks.iter().position(|same| same.contains(&track))?))
        .collect();
    let some = |of: &dyn Fn(&RouteRow) -> f64| {
        row_of.iter().map(|row| enough(row).then(|| of(row))).collect::<Vec<_>>()
    };
    let tooltips = row_of
        .iter()
        .enumerate()
        .map(|(track, row)| {
            format!(
                "{}\n{} claims per game{}, turn {}\nwins {}",
                route_title(board, track),
                Format::decimals(3).figure(&row.claims),
                if row.tracks > 1 { " of both tracks" } else { "" },
                Format::POINTS.figure(&row.turn),
                Format::PERCENT.figure(&row.win_share)
            )
        })
        .collect();
    let group = "Measure";
    BoardHeat::new("board", board)
        .tooltips(tooltips)
        .view(
            group,
            "claims per game",
            row_of.iter().map(|row| Some(row.claims.value)).collect(),
            HeatScale::from_zero(claims(), Format::decimals(2), "claims per game"),
        )
        .view(
            group,
            "wins of claimants",
            some(&|row| row.win_share.value - usual),
            HeatScale::around(0.0, lifts(), Format::PERCENT_MORE, "wins of claimants, minus the fair share"),
        )
        .view(
            group,
            "turn of the claim",
            some(&|row| row.turn.value),
            HeatScale::from_zero(turns(), Format::WHOLE, "mean turn of the claim"),
        )
}

fn route_table(summary: &TicketSummary) -> Table {
    let claims = summary.routes.iter().map(|row| row.claims.value);
    let most = claims.fold(0.01, f64::max) * 1.1;
    let mut table = Table::new([
        ("route", Left),
        ("claims per game", Left),
        ("in winning networks", Right),
        ("wins of claimants", Right),
        ("turn", Right),
        ("locomotives", Right),
        ("paid in", Left),
    ])
    .explain([
        ("claims per game", "by any player"),
        ("in winning networks", "share of winners who have it"),
        ("wins of claimants", "share of wins of players who have it"),
        ("turn", "mean turn of the claim, counting those of all players"),
        ("locomotives", "mean number paid for it"),
        ("paid in", "colours that were paid most often"),
    ]);
    let mut order: Vec<_> = summary.routes.iter().collect();
    order.sort_by(|a, b| descending(&a.claims, &b.claims));
    for row in order {
        table.row([
            Cell::text(pretty(&row.route)),
            Cell::bar(&row.claims, most, Format::decimals(3)),
            Cell::figure(&row.in_winning, Format::PERCENT),
            Cell::figure(&row.win_share, Format::PERCENT),
            Cell::figure(&row.turn, Format::POINTS),
            Cell::figure(&row.locomotives, Format::decimals(2)),
            Cell::prose(paid_in(row)),
        ]);
    }
    table
}

/// The colours that a route was paid in most often.
fn paid_in(row: &RouteRow) -> String {
    let mut colours = row.colours.clone();
    colours.sort_by(|a, b| b.1.total_cmp(&a.1));
    let often = colours.iter().filter(|(_, share)| *share >= 0.005).take(3);
    let paid: Vec<_> = often
        .map(|(colour, share)| {
            let colour = if colour == "none" { "locomotives only" } else { colour };
            format!("{colour} {:.0}\u{a0}%", 100.0 * share)
        })
        .collect();
    paid.join(", ")
}

fn city_section(summary: &TicketSummary) -> Option<Section> {
    if summary.cities.is_empty() {
        return None;
    }
    let mut table = Table::new([("city", Left), ("reached", Left), ("reached by winners", Left)])
        .explain([("reached", "share of players whose routes touch the city")]);
    let mut order: Vec<_> = summary.cities.iter().collect();
    order.sort_by(|a, b| descending(&a.in_winning, &b.in_winning));
    for row in order {
        table.row([
            Cell::text(&row.city),
            Cell::bar(&row.reached, 1.0, Format::PERCENT),
            Cell::bar(&row.in_winning, 1.0, Format::PERCENT),
        ]);
    }
    Some(Section::new("Cities").with(table))
}

fn pair_section(summary: &TicketSummary) -> Section {
    let mut table = Table::new([
        ("one ticket", Left),
        ("another", Left),
        ("held together", Right),
        ("both completed", Right),
        ("wins", Left),
    ])
    .explain([
        ("held together", "players who ended a game holding both"),
        ("both completed", "share of them who completed both"),
        ("wins", "their share of wins"),
    ]);
    for row in summary.pairs.iter().filter(|row| row.held >= FEWEST).take(MOST_PAIRS) {
        table.row([
            Cell::text(pretty(&row.one)),
            Cell::text(pretty(&row.other)),
            Cell::count(row.held),
            Cell::number(row.completed, Format::PERCENT),
            // A pair is held at most once in a game, so nearly all of its games are of different deals.
            Cell::bar(&binomial(row.win_share, row.held as f64, 1.96), 1.0, Format::PERCENT),
        ]);
    }
    Section::new("Tickets held together")
        .text(format!("The {MOST_PAIRS} most frequent pairs; pairs.csv has all of them."))
        .with(table)
}

fn rare_section(summary: &TicketSummary) -> Section {
    let rare = &summary.rare;
    let mut table = Table::new([("state", Left), ("share of games", Right)]).fixed();
    for (what, rate) in [
        ("the game ended because nobody could act", rare.stalemate),
        ("the game ended because nobody made progress", rare.no_progress),
        ("deck and discard pile were both empty", rare.deck_empty),
        ("the market was replaced as often as is allowed in a row", rare.flush_guard),
    ] {
        table.row([Cell::text(what), Cell::text(small_percent(rate / 1e6))]);
    }
    Section::new("Unusual states").with(table)
}
