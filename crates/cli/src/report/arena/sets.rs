//! What an arena says about single routes and tickets.

use std::fmt::Write;

use ttr_engine::RouteId;
use ttr_engine::board::BoardGame;

use crate::report::board::{BoardHeat, HeatScale, route_title};
use crate::report::format::Format;
use crate::report::page::{Section, Tabs};
use crate::report::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_sim::arena::{SetsSummary, Summary};
use ttr_sim::game::Playable;

/// With fewer games than this, wins with a route or ticket are luck, and stay without colour.
const FEWEST_GAMES: u64 = 30;
/// Agents that have tables and colours of their own: the best ones, so that a file does not grow beyond all bounds.
const MOST_AGENTS: usize = 10;

/// Routes and tickets of everybody, or of one agent.
struct Whose<'a> {
    label: &'a str,
    /// What single routes and tickets are compared with.
    win_share: f64,
    sets: &'a SetsSummary,
}

impl<'a> Whose<'a> {
    /// Everybody, then every agent if there are several.
    fn all(summary: &'a Summary) -> Vec<Self> {
        let agents = summary.agents.iter().take(MOST_AGENTS).map(|agent| Whose {
            label: &agent.label,
            win_share: agent.win_share.value,
            sets: &agent.sets,
        });
        let win_share = 1.0 / summary.seats as f64;
        let mut all = vec![Self { label: "everybody", win_share, sets: &summary.everybody }];
        if summary.agents.len() > 1 {
            all.extend(agents);
        }
        all
    }

    /// By route: how often it was claimed.
    fn claims(&self) -> Vec<Option<f64>> {
        self.sets.routes.iter().map(|route| Some(route.claimed.value)).collect()
    }

    /// By route: how much more often than usual whoever has it wins.
    fn lifts(&self) -> Vec<Option<f64>> {
        let enough = |games: u64| games >= FEWEST_GAMES;
        let routes = self.sets.routes.iter();
        routes.map(|route| enough(route.games).then_some(route.win_share.value - self.win_share)).collect()
    }
}

/// How far from the middle shares of wins are drawn: beyond all that rest on enough games.
fn reach(middle: f64, shares: impl Iterator<Item = (u64, f64)>) -> f64 {
    let enough = shares.filter(|&(games, _)| games >= FEWEST_GAMES);
    enough.map(|(_, share)| (share - middle).abs()).fold(0.1, f64::max) * 1.25
}

/// Whether any game was played to its end.
fn any_scored(summary: &Summary) -> bool {
    summary.agents.iter().any(|agent| agent.points.value.is_finite())
}

/// Which routes are claimed, on the board and as a table.
pub(super) fn routes<G: Playable>(summary: &Summary, game: &G) -> Option<Section> {
    let board = game.board().filter(|_| any_scored(summary))?;
    let all = Whose::all(summary);
    let (everybody, agents) = all.split_first()?;
    let claimed = |whose: &[Whose<'_>], meaning: &str| {
        let values = whose.iter().flat_map(Whose::claims).flatten();
        HeatScale::from_zero(values, Format::PERCENT, meaning)
    };
    let together = claimed(&all[..1], "share of games in which anybody claims the route");
    // Agents are compared with each other: they share a scale.
    let apart = claimed(agents, "share of its games in which the agent claims the route");
    let lifts = all.iter().flat_map(Whose::lifts).flatten();
    let lift = HeatScale::around(
        0.0,
        lifts,
        Format::PERCENT_MORE,
        "wins with the route, less the usual share of wins",
    );
    let mut heat = BoardHeat::new("board", board).tooltips(tooltips(board, &all));
    heat = heat.view("How often it is claimed", everybody.label, everybody.claims(), together);
    for whose in agents {
        heat = heat.view("How often it is claimed", whose.label, whose.claims(), apart.clone());
    }
    for whose in &all {
        heat = heat.view("Wins of whoever claims it", whose.label, whose.lifts(), lift.clone());
    }
    let tables =
        all.iter().fold(Tabs::new("routes"), |tabs, whose| tabs.tab(whose.label, routes_table(board, whose)));
    let section = Section::new("Routes")
        .text("Choose a measure; hover over a route for details.")
        .with(heat)
        .note(format!(
            "Correlation, not causation: winners claim more routes. Routes that were claimed in fewer \
             than {FEWEST_GAMES} games have no colour there."
        ))
        .details(format!("All {} routes as a table", summary.routes.len()), tables);
    Some(section)
}

fn tooltips(board: &BoardGame, all: &[Whose<'_>]) -> Vec<String> {
    let tooltip = |route: usize| {
        let mut text = route_title(board, route);
        for whose in all {
            let route = &whose.sets.routes[route];
            // Writing to a string can't fail.
            let _ = write!(text, "\n{}: {} of games", whose.label, Format::PERCENT.figure(&route.claimed));
            if route.games > 0 {
                let _ = write!(text, ", wins {}", Format::PERCENT.figure(&route.win_share));
            }
        }
        text
    };
    (0..board.routes().len()).map(tooltip).collect()
}

fn routes_table(board: &BoardGame, whose: &Whose<'_>) -> Table {
    let routes = &whose.sets.routes;
    let mut order: Vec<usize> = (0..routes.len()).collect();
    order.sort_by_key(|&route| std::cmp::Reverse(routes[route].games));
    let most = whose.claims().into_iter().flatten().fold(0.01, f64::max);
    let reach = reach(whose.win_share, routes.iter().map(|route| (route.games, route.win_share.value)));
    let wins = format!("wins with it (usual: {})", Format::PERCENT.value(whose.win_share));
    let with_points = board.routes().iter().any(|route| route.points > 0);
    let columns = [("route", Left), ("spaces", Right)]
        .into_iter()
        .chain(with_points.then_some(("points", Right)))
        .chain([("claimed, share of games", Left), (&wins, Left)]);
    let mut table = Table::new(columns);
    for route in order {
        let spec = &board.routes()[route];
        let name = Cell::text(pretty(&board.route_name(RouteId(route as u8))));
        let points = with_points.then(|| Cell::count(spec.points.into()));
        let cells = [
            Cell::bar(&routes[route].claimed, most * 1.1, Format::PERCENT),
            Cell::beside(&routes[route].win_share, whose.win_share, reach, Format::PERCENT),
        ];
        table.row([name, Cell::count(spec.length.into())].into_iter().chain(points).chain(cells));
    }
    table
}

/// Which tickets are held and completed, and what they are worth.
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
        "Held is the share of games that ended with the ticket in a hand, completed or not; completed, and wins, are shares of those games. \
         Intervals hold for one ticket at a time: of all tickets, about one in twenty lies outside its interval.",
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
    let mut table = Table::new(columns);
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

/// A name of notation for people: `Paris-Zürich/red` is `Paris – Zürich (red)`.
pub(in crate::report) fn pretty(name: &str) -> String {
    let name = name.replacen('-', " – ", 1);
    match name.rsplit_once('/') {
        Some((cities, track)) => format!("{cities} ({track})"),
        None => name,
    }
}
