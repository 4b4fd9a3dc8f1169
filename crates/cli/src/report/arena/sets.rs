//! Sections of the arena report about single routes and tickets.

use std::fmt::Write;

use ttr_engine::RouteId;
use ttr_engine::board::BoardGame;

use crate::report::board::{BoardHeat, HeatScale, route_title};
use crate::report::format::Format;
use crate::report::page::{Section, Tabs};
use crate::report::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_sim::arena::{RouteUse, SetsSummary, Summary};
use ttr_sim::game::{Playable, same_tracks};

/// With fewer games than this, wins with a route or ticket are mostly luck, and are shown without colour.
const FEWEST_GAMES: u64 = 30;
/// Maximum number of agents with separate tables and colours, the best ones, to limit the size of the file.
const MOST_AGENTS: usize = 10;

/// Routes and tickets of all agents together, or of one agent.
struct Whose<'a> {
    label: &'a str,
    /// The share of wins with which single routes and tickets are compared.
    win_share: f64,
    sets: &'a SetsSummary,
    /// All agents together: then several may claim a route of two tracks.
    is_everybody: bool,
}

impl<'a> Whose<'a> {
    /// All agents together, then every agent if there are several.
    fn all(summary: &'a Summary) -> Vec<Self> {
        let agents = summary.agents.iter().take(MOST_AGENTS).map(|agent| Whose {
            label: &agent.label,
            win_share: agent.win_share.value,
            sets: &agent.sets,
            is_everybody: false,
        });
        let win_share = 1.0 / summary.seats as f64;
        let mut all =
            vec![Self { label: "everybody", win_share, sets: &summary.everybody, is_everybody: true }];
        if summary.agents.len() > 1 {
            all.extend(agents);
        }
        all
    }

    /// The format of claims.
    fn format(&self) -> Format {
        if self.is_everybody { Format::decimals(2) } else { Format::PERCENT }
    }

    /// The meaning of the number of claims.
    fn claims_are(&self) -> &'static str {
        if self.is_everybody { "claims per game" } else { "claimed, share of its games" }
    }

    /// Frequency of the claims of a route.
    fn claimed(&self, route: usize) -> f64 {
        self.sets.same_tracks[route].claimed.value
    }

    /// Difference between the share of wins with a route and the usual one.
    fn lift(&self, route: usize) -> Option<f64> {
        let RouteUse { games, win_share, .. } = &self.sets.same_tracks[route];
        (*games >= FEWEST_GAMES).then_some(win_share.value - self.win_share)
    }
}

/// The routes of a board as rows: tracks that ask for the same cards are one.
struct Rows {
    /// Tracks, grouped by row.
    tracks: Vec<Vec<usize>>,
}

impl Rows {
    /// The values of rows by track.
    fn by_track<T: Clone>(&self, tracks: usize, of: impl Fn(usize) -> Option<T>) -> Vec<Option<T>> {
        let mut values = vec![None; tracks];
        for (row, same) in self.tracks.iter().enumerate() {
            same.iter().for_each(|&track| values[track] = of(row));
        }
        values
    }
}

/// Range of shares around the middle: covers all that rest on enough games.
fn reach(middle: f64, shares: impl Iterator<Item = (u64, f64)>) -> f64 {
    let enough = shares.filter(|&(games, _)| games >= FEWEST_GAMES);
    enough.map(|(_, share)| (share - middle).abs()).fold(0.1, f64::max) * 1.25
}

/// Returns `true` if any game was finished.
fn any_scored(summary: &Summary) -> bool {
    summary.agents.iter().any(|agent| agent.points.value.is_finite())
}

/// Claims of routes, on the board and as a table.
pub(super) fn routes<G: Playable>(summary: &Summary, game: &G) -> Option<Section> {
    let board = game.board().filter(|_| any_scored(summary))?;
    let rows = Rows { tracks: same_tracks(board) };
    let all = Whose::all(summary);
    let (everybody, agents) = all.split_first()?;
    let claims = |whose: &[Whose<'_>]| -> Vec<f64> {
        whose.iter().flat_map(|whose| (0..rows.tracks.len()).map(|row| whose.claimed(row))).collect()
    };
    let together = HeatScale::from_zero(claims(&all[..1]), everybody.format(), "claims per game");
    // Agents are compared with each other: they share a scale.
    let meaning = "share of its games in which the agent claims the route";
    let apart = HeatScale::from_zero(claims(agents), Format::PERCENT, meaning);
    let lifts = all.iter().flat_map(|whose| (0..rows.tracks.len()).filter_map(|row| whose.lift(row)));
    let meaning = "share of wins with the route, less the usual share of wins";
    let lift = HeatScale::around(0.0, lifts, Format::PERCENT_MORE, meaning);
    let by_track = |of: &dyn Fn(usize) -> Option<f64>| rows.by_track(board.routes().len(), of);
    let tooltips = rows.by_track(board.routes().len(), |row| Some(tooltip(board, &rows, row, &all)));
    let mut heat = BoardHeat::new("board", board).tooltips(tooltips.into_iter().flatten().collect());
    for whose in &all {
        let scale = if whose.is_everybody { &together } else { &apart };
        let values = by_track(&|row| Some(whose.claimed(row)));
        heat = heat.view("How often it is claimed", whose.label, values, scale.clone());
    }
    for whose in &all {
        let values = by_track(&|row| whose.lift(row));
        heat = heat.view("Wins of those who claim it", whose.label, values, lift.clone());
    }
    let tables = all
        .iter()
        .fold(Tabs::new("routes"), |tabs, whose| tabs.tab(whose.label, routes_table(board, &rows, whose)));
    let section = Section::new("Routes")
        .text(
            "Choose a measure; hover over a route for details. Two tracks that ask for the same cards count as one route.",
        )
        .with(heat)
        .note(format!(
            "Correlation, not causation: winners claim more routes. Routes that were claimed in fewer than {FEWEST_GAMES} games \
             have no colour there."
        ))
        .details(format!("All {} routes as a table", rows.tracks.len()), tables);
    Some(section)
}

fn tooltip(board: &BoardGame, rows: &Rows, row: usize, all: &[Whose<'_>]) -> String {
    let tracks = &rows.tracks[row];
    let mut text = route_title(board, tracks[0]);
    if tracks.len() > 1 {
        text += ", both tracks";
    }
    for whose in all {
        let route = &whose.sets.same_tracks[row];
        let claimed = whose.format().figure(&route.claimed);
        let unit = if whose.is_everybody { " claims per game" } else { " of its games" };
        // Writing to a string can't fail.
        let _ = write!(text, "\n{}: {claimed}{unit}", whose.label);
        if route.games > 0 {
            let _ = write!(text, ", wins {}", Format::PERCENT.figure(&route.win_share));
        }
    }
    text
}

fn routes_table(board: &BoardGame, rows: &Rows, whose: &Whose<'_>) -> Table {
    let routes = &whose.sets.same_tracks;
    let mut order: Vec<usize> = (0..routes.len()).collect();
    order.sort_by_key(|&route| std::cmp::Reverse(routes[route].games));
    let most = order.iter().map(|&route| whose.claimed(route)).fold(0.01, f64::max);
    let reach = reach(whose.win_share, routes.iter().map(|route| (route.games, route.win_share.value)));
    let wins = format!("wins with it (usual: {})", Format::PERCENT.value(whose.win_share));
    let with_points = board.routes().iter().any(|route| route.points > 0);
    let columns = [("route", Left), ("spaces", Right)]
        .into_iter()
        .chain(with_points.then_some(("points", Right)))
        .chain([(whose.claims_are(), Left), (&wins, Left)]);
    let mut table = Table::new(columns);
    for route in order {
        let tracks = &rows.tracks[route];
        let spec = &board.routes()[tracks[0]];
        let name = pretty(&board.route_name(RouteId::new(tracks[0])));
        let name = match tracks.len() {
            1 => name,
            _ => name.split(" (").next().unwrap_or(&name).to_owned(),
        };
        let points = with_points.then(|| Cell::count(spec.points.into()));
        let cells = [
            Cell::bar(&routes[route].claimed, most * 1.1, whose.format()),
            Cell::beside(&routes[route].win_share, whose.win_share, reach, Format::PERCENT),
        ];
        let first = [Cell::text(name), Cell::count(spec.length.into())];
        table.row(first.into_iter().chain(points).chain(cells));
    }
    table
}

/// Tickets held and completed, with wins.
pub(super) fn tickets<G: Playable>(summary: &Summary, game: &G) -> Option<Section> {
    if summary.tickets.is_empty() || !any_scored(summary) {
        return None;
    }
    // First Journey's tickets have no points.
    let board = game.board().filter(|board| board.tickets().iter().any(|ticket| ticket.points > 0));
    let points = |ticket: usize| board.map(|board| board.tickets()[ticket].points);
    let tabs = Whose::all(summary).iter().fold(Tabs::new("tickets"), |tabs, whose| {
        tabs.tab(whose.label, tickets_table(summary, whose, &points))
    });
    let section = Section::new("Tickets").text(
        "Tickets in the hands of players at the end of the game. The share of wins with a ticket is an association, not an effect \
         of the ticket: the command \"ttr tickets\" measures effects.",
    );
    Some(section.with(tabs))
}

fn tickets_table(summary: &Summary, whose: &Whose<'_>, points: &dyn Fn(usize) -> Option<u8>) -> Table {
    let tickets = &whose.sets.tickets;
    let mut order: Vec<usize> = (0..tickets.len()).collect();
    order.sort_by_key(|&ticket| std::cmp::Reverse(tickets[ticket].games));
    let most = tickets.iter().map(|ticket| ticket.held.value).fold(0.01, f64::max);
    let reach = reach(whose.win_share, tickets.iter().map(|ticket| (ticket.games, ticket.win_share.value)));
    let wins = format!("wins with it (usual: {})", Format::PERCENT.value(whose.win_share));
    let with_points = points(0).is_some();
    let columns = [("ticket", Left)].into_iter().chain(with_points.then_some(("points", Right))).chain([
        ("held, share of games", Left),
        ("completed", Left),
        (&wins, Left),
    ]);
    let mut table = Table::new(columns).explain([
        ("held", "share of games that ended with the ticket in a hand, completed or not"),
        ("completed", "share of those games in which it was completed"),
        ("wins with it", "share of those games that its holder won; intervals hold for one ticket at a time"),
    ]);
    for ticket in order {
        let row = &tickets[ticket];
        let cells = [
            Cell::bar(&row.held, most * 1.1, Format::PERCENT),
            Cell::bar(&row.completed, 1.0, Format::PERCENT),
            Cell::beside(&row.win_share, whose.win_share, reach, Format::PERCENT),
        ];
        let name = Cell::text(pretty(&summary.tickets[ticket]));
        let points = points(ticket).map(|points| Cell::count(points.into()));
        table.row([name].into_iter().chain(points).chain(cells));
    }
    table
}

/// Formats a name of notation for people: `Paris-Zürich/red` is `Paris – Zürich (red)`.
pub(in crate::report) fn pretty(name: &str) -> String {
    let name = name.replacen('-', " – ", 1);
    match name.rsplit_once('/') {
        Some((cities, track)) => format!("{cities} ({track})"),
        None => name,
    }
}
