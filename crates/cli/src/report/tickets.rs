//! The report of ticket statistics.

use super::arena::pretty;
use super::board::{BoardHeat, HeatScale, route_title};
use super::forced;
use super::format::Format;
use super::page::{Page, Section};
use super::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::{small_percent, thousands};
use ttr_sim::game::Playable;
use ttr_sim::stats::binomial;
use ttr_sim::tickets::{RouteRow, TicketRow, TicketSummary, descending, same_tracks};

/// Pairs that are told one by one.
const MOST_PAIRS: usize = 60;
/// Fewest holders of a pair, or claims of a route, whose share of wins is told.
const FEWEST: u64 = 30;

/// The report of ticket statistics: the same summary gives the same bytes.
pub fn tickets<G: Playable>(summary: &TicketSummary, game: &G) -> String {
    let name = game.board().map_or("The Card Game", |board| board.map().name.as_str());
    let games = match &summary.forced {
        Some(forced) => format!("{} games with every opening choice", thousands(forced.games)),
        None => format!("{} games", thousands(summary.games)),
    };
    let subtitle = format!("{games} at {} seats, played by {}", summary.seats, summary.agents.join(", "));
    let mut page = Page::new(format!("{name}: what tickets are worth"), subtitle).footer(format!(
        "ttr {}, map {} ({}), seed {}; intervals are 95 %, from the spread among deals",
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
                "{} wins of its holders: an association",
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
        .html()
}

fn ticket_section(summary: &TicketSummary) -> Section {
    let mut table = Table::new([
        ("ticket", Left),
        ("value", Right),
        ("held", Right),
        ("kept in the opening", Right),
        ("kept later", Right),
        ("completed", Right),
        ("association: wins", Right),
        ("points", Right),
        ("offer: wins", Right),
        ("points", Right),
        ("trains", Right),
        ("turn", Right),
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
            "The association is the difference between players who ended the game holding the ticket and all others, in share of wins \
             and in mean points; the offer is the effect of having been offered it at the opening. The intervals of both hold for all \
             tickets at once, so that the best and the worst can be read off; those of other columns hold for one ticket at \
             a time. Trains are those of the shortest path between its cities over the player's own routes; the turn is the one in \
             which they were connected.",
        )
        .with(table)
}

fn route_section<G: Playable>(summary: &TicketSummary, game: &G) -> Option<Section> {
    let board = game.board()?;
    let usual = summary.win_share;
    let enough = |row: &RouteRow| row.claims.value * summary.games as f64 >= FEWEST as f64;
    let claims = || summary.routes.iter().map(|row| row.claims.value);
    let lifts = || summary.routes.iter().filter(|row| enough(row)).map(|row| row.win_share.value - usual);
    let turns = || summary.routes.iter().filter(|row| enough(row)).map(|row| row.turn.value);
    // By track: those that are one row have the same figures.
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
    let group = "Routes";
    let heat = BoardHeat::new("board", board)
        .tooltips(tooltips)
        .view(
            group,
            "claims",
            row_of.iter().map(|row| Some(row.claims.value)).collect(),
            HeatScale::from_zero(claims(), Format::decimals(2), "claims per game"),
        )
        .view(
            group,
            "wins",
            some(&|row| row.win_share.value - usual),
            HeatScale::around(0.0, lifts(), Format::PERCENT_MORE, "wins of claimants, less the fair share"),
        )
        .view(
            group,
            "turn",
            some(&|row| row.turn.value),
            HeatScale::from_zero(turns(), Format::WHOLE, "mean turn of the claim"),
        );
    let most = claims().fold(0.01, f64::max) * 1.1;
    let mut table = Table::new([
        ("route", Left),
        ("claims per game", Left),
        ("in winning networks", Right),
        ("wins of claimants", Right),
        ("turn", Right),
        ("locomotives", Right),
        ("paid in", Left),
    ]);
    let mut order: Vec<_> = summary.routes.iter().collect();
    order.sort_by(|a, b| descending(&a.claims, &b.claims));
    for row in order {
        let mut colours = row.colours.clone();
        colours.sort_by(|a, b| b.1.total_cmp(&a.1));
        let paid: Vec<_> = colours
            .iter()
            .take(3)
            .map(|(colour, share)| {
                let colour = if colour == "none" { "locomotives only" } else { colour };
                format!("{colour} {:.0}\u{a0}%", 100.0 * share)
            })
            .collect();
        table.row([
            Cell::text(pretty(&row.route)),
            Cell::bar(&row.claims, most, Format::decimals(3)),
            Cell::figure(&row.in_winning, Format::PERCENT),
            Cell::figure(&row.win_share, Format::PERCENT),
            Cell::figure(&row.turn, Format::POINTS),
            Cell::figure(&row.locomotives, Format::decimals(2)),
            Cell::text(paid.join(", ")),
        ]);
    }
    let section = Section::new("Routes")
        .text("Choose a measure; hover over a route for details. Two tracks that ask for the same cards are one route.")
        .with(heat)
        .note("Correlation, not causation: winners claim more routes.")
        .heading("All routes")
        .with(table);
    Some(section)
}

fn city_section(summary: &TicketSummary) -> Option<Section> {
    if summary.cities.is_empty() {
        return None;
    }
    let mut table = Table::new([("city", Left), ("reached by seats", Left), ("reached by winners", Left)]);
    let mut order: Vec<_> = summary.cities.iter().collect();
    order.sort_by(|a, b| descending(&a.in_winning, &b.in_winning));
    for row in order {
        table.row([
            Cell::text(&row.city),
            Cell::bar(&row.reached, 1.0, Format::PERCENT),
            Cell::bar(&row.in_winning, 1.0, Format::PERCENT),
        ]);
    }
    Some(Section::new("Cities").text("How often networks reach each city.").with(table))
}

fn pair_section(summary: &TicketSummary) -> Section {
    let mut table = Table::new([
        ("one ticket", Left),
        ("another", Left),
        ("held together", Right),
        ("both completed", Right),
        ("wins", Left),
    ]);
    for row in summary.pairs.iter().filter(|row| row.held >= FEWEST).take(MOST_PAIRS) {
        table.row([
            Cell::text(pretty(&row.one)),
            Cell::text(pretty(&row.other)),
            Cell::count(row.held),
            Cell::number(row.completed, Format::PERCENT),
            // A pair is held at most once in a game: its games are nearly all of different deals.
            Cell::bar(&binomial(row.win_share, row.held as f64, 1.96), 1.0, Format::PERCENT),
        ]);
    }
    Section::new("Tickets held together")
        .text(format!("The {MOST_PAIRS} most frequent pairs; all of them are in pairs.csv."))
        .with(table)
}

fn rare_section(summary: &TicketSummary) -> Section {
    let rare = &summary.rare;
    let mut table = Table::new([("state", Left), ("share of games", Right)]).fixed();
    for (what, rate) in [
        ("nobody can do anything: stalemate", rare.stalemate),
        ("nobody makes progress", rare.no_progress),
        ("deck and discard are both empty", rare.deck_empty),
        ("the market was flushed as often as is allowed", rare.flush_guard),
    ] {
        table.row([Cell::text(what), Cell::text(small_percent(rate / 1e6))]);
    }
    Section::new("Unusual states").with(table)
}
