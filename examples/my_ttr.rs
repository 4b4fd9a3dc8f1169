//! `ttr` with an agent of your own: every command knows it by its name, reports show its settings, `tune`
//! tunes its numbers, and `replay --explain` shows its reasons.
//!
//! ```sh
//! cargo run --release --example my_ttr -- agents ticket-routes
//! cargo run --release --example my_ttr -- arena --map usa --agents ticket-routes,hungry --save-replays 1 --out games
//! cargo run --release --example my_ttr -- replay games/replays/000000.ttr --move 40 --explain ticket-routes:long=5
//! cargo run --release --example my_ttr -- tune --agent ticket-routes --map usa --against hungry --budget 100000
//! ```

use std::process::ExitCode;

use ttr_agents::{Agent, AgentEntry, Explanation, Forfeit, Note, Param, Params, Range, Roads, Roster};
use ttr_engine::board::{Action, BoardGame, Observation};
use ttr_engine::{Dice, RouteId, RouteSet, View};

fn main() -> ExitCode {
    let mine = AgentEntry::new("ticket-routes", "claims routes on the shortest paths of its tickets")
        .with_params(PARAMS)
        .plays(TicketRoutes::new);
    ttr_cli::main_with(Roster::default().with(mine))
}

const PARAMS: &[Param] = &[
    Param::new(
        "long",
        "length from which routes are claimed for their points alone",
        "4",
        Range::Whole(1, 6),
    ),
    Param::new(
        "locomotive",
        "cost of playing a locomotive, in spaces of a route",
        "0.1",
        Range::Real(0.0, 5.0),
    ),
    Param::new(
        "blind",
        "value of the top card of the deck, in spaces of the routes that a card is for",
        "1.0",
        Range::Real(0.0, 20.0),
    ),
];

/// Claims routes on the shortest paths of its tickets, the longest first, and collects cards for them.
struct TicketRoutes {
    roads: Roads,
    long: u8,
    locomotive: f64,
    blind: f64,
    /// The last decision: every action with its value, best first.
    considered: Vec<(f64, Action)>,
}

impl TicketRoutes {
    fn new(game: &BoardGame, params: &Params<'_>) -> Self {
        Self {
            roads: Roads::new(game),
            long: params.number("long"),
            locomotive: params.number("locomotive"),
            blind: params.number("blind"),
            considered: Vec::new(),
        }
    }

    /// The routes that the tickets need; if they need none, long ones; if there are none, any.
    fn wanted(&self, view: &Observation<'_>) -> RouteSet {
        let (game, open) = (view.game(), view.open_routes(view.seat()));
        let long = open.into_iter().filter(|&route| game.route(route).length >= self.long).collect();
        let wishes = [self.roads.needed(view), long, open];
        wishes.into_iter().find(|routes| !routes.is_empty()).unwrap_or_default()
    }

    fn value(&self, view: &Observation<'_>, wanted: RouteSet, action: Action) -> f64 {
        let length = |route: RouteId| f64::from(view.game().route(route).length);
        match action {
            Action::Claim { route, payment } if wanted.contains(route) => {
                100.0 + length(route) - self.locomotive * f64::from(payment.locomotives)
            }
            Action::TakeFaceUp(kind) => {
                let of_kind = |route: &RouteId| view.game().route(*route).colour == Some(kind);
                wanted.into_iter().filter(of_kind).map(length).sum()
            }
            Action::TakeBlind => self.blind,
            Action::Keep(tickets) => -f64::from(tickets.count_ones()),
            _ => -10.0,
        }
    }
}

impl Agent<BoardGame> for TicketRoutes {
    fn begin(&mut self, _: &BoardGame, _: ttr_engine::Seat) {
        self.considered.clear();
    }

    fn choose(&mut self, view: &Observation<'_>, _: &mut Dice) -> Result<Action, Forfeit> {
        let wanted = self.wanted(view);
        let actions = view.actions().into_iter();
        self.considered = actions.map(|action| (self.value(view, wanted, action), action)).collect();
        self.considered.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        self.considered.first().map(|&(_, action)| action).ok_or_else(|| Forfeit::new("it is not to move"))
    }

    /// The routes that it wants, and its best actions with their values.
    fn explain(&self, view: &Observation<'_>) -> Explanation<Action> {
        let game = view.game();
        let name = |route| game.route(route).ends.map(|city| game.city_name(city)).join("-");
        let wanted: Vec<String> = self.wanted(view).into_iter().map(name).collect();
        let action = |&(value, action): &(f64, Action)| format!("{} ({value:.1})", view.write_action(action));
        let best: Vec<String> = self.considered.iter().take(3).map(action).collect();
        let notes = vec![Note::new("wanted", wanted.join(", ")), Note::new("best actions", best.join("; "))];
        Explanation::new(notes, Vec::new())
    }
}
