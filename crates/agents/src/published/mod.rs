//! The four agents of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting of Contemporary
//! Board Games" (FDG 2017), which Witter and Lyford measured (FDG 2020).
//!
//! Each comes in two variants: `coded` does what the released program does, bugs included, and `intended`
//! does what it was evidently meant to do. See `docs/agents/`.

mod hungry;
mod path;
mod payment;
mod pursuit;

use ttr_engine::board::{Action, BoardGame, Observation, Phase};
use ttr_engine::{Dice, Game, RouteSet, Seat, View};

use crate::agent::{Agent, Forfeit};
use crate::board::{Options, Roads, any_open_ticket, best_station, free_routes, habit, pay_tunnel};
use crate::roster::{AgentEntry, Params};
use crate::spec::{Param, Range};

use hungry::Hungry;
use path::ByPath;
use pursuit::Pursuit;

const PARAMS: &[Param] = &[
    Param {
        name: "variant",
        about: "coded: the released code, bugs included; intended: bugs fixed",
        default: "intended",
        range: Range::OneOf(&["coded", "intended"]),
    },
    Param {
        name: "ties",
        about: "coded only, between paths of equally many routes: own routes come last, or anywhere",
        default: "own-last",
        range: Range::OneOf(&["own-last", "mixed"]),
    },
];

/// The four agents: path, one-step, long-route and hungry.
pub(crate) fn entries() -> [AgentEntry; 4] {
    fn entry<S: Strategy + 'static>(
        name: &'static str,
        about: &'static str,
        strategy: fn() -> S,
    ) -> AgentEntry {
        AgentEntry::new(name, about).with_params(PARAMS).plays(move |game: &BoardGame, params| {
            PublishedAgent { roads: Roads::new(game), variant: Variant::new(params), strategy: strategy() }
        })
    }
    [
        entry("path", "all dealt tickets, the most valuable first (published 2017)", || ByPath),
        entry(
            "one-step",
            "one ticket at a time, and of its path one route at a time (published 2017)",
            Pursuit::one_step,
        ),
        entry("long-route", "few tickets, and long routes only (published 2017)", Pursuit::long_route),
        entry(
            "hungry",
            "as many tickets as one plan can serve with all trains (published 2017)",
            Hungry::default,
        ),
    ]
}

/// The variant of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    /// As released. Its paths depend on the order of a dictionary: since Python 3.7 a seat's own routes
    /// come last.
    Coded { own_last: bool },
    /// As intended.
    Intended,
}

impl Variant {
    fn new(params: &Params<'_>) -> Self {
        match params.word("variant").as_str() {
            "coded" => Self::Coded { own_last: params.word("ties") == "own-last" },
            _ => Self::Intended,
        }
    }
}

/// The strategy of one of the four.
trait Strategy: Send {
    /// Starts a new game.
    fn forget(&mut self);

    /// Chooses among offered tickets.
    fn keep(&mut self, table: &Situation<'_>) -> Action;

    /// Chooses an action, or a card. `None` if the strategy has no preference.
    fn turn(&mut self, table: &Situation<'_>) -> Option<Action>;
}

/// One of the four: a strategy, and the parts that all share.
struct PublishedAgent<S> {
    roads: Roads,
    variant: Variant,
    strategy: S,
}

impl<S: Strategy + 'static> Agent<BoardGame> for PublishedAgent<S> {
    fn begin(&mut self, _: &BoardGame, _: Seat) {
        self.strategy.forget();
    }

    fn choose(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Result<Action, Forfeit> {
        let Self { roads, variant, strategy } = self;
        Ok(match view.phase() {
            Phase::Opening { .. } | Phase::Tickets => strategy.keep(&Situation::new(view, roads, *variant)),
            Phase::Main | Phase::FirstCard | Phase::SecondCard => {
                let table = Situation::new(view, roads, *variant);
                turn(strategy, &table).unwrap_or_else(|| view.random_action(dice))
            }
            Phase::Tunnel { .. } => pay_tunnel(view, |_, _| true),
            _ => habit(view).expect("habit decides the rest"),
        })
    }
}

/// The action that a strategy wants, with fallbacks where it has none.
fn turn(strategy: &mut impl Strategy, table: &Situation<'_>) -> Option<Action> {
    if table.options.swap && !any_open_ticket(table.view, table.roads) {
        return Some(Action::SwapTickets);
    }
    let action = strategy.turn(table);
    let claims = matches!(action, Some(Action::Claim { .. }));
    // Their engine has no stations.
    let station = if claims || table.is_coded() { None } else { best_station(table.view) };
    station.map(|(_, station)| station).or(action).or_else(|| table.options.take(None))
}

/// A position as the four see it.
struct Situation<'v> {
    view: &'v Observation<'v>,
    roads: &'v Roads,
    variant: Variant,
    options: Options,
    /// The routes of the deciding seat.
    own: RouteSet,
    /// The routes available for planning.
    free: RouteSet,
}

impl<'v> Situation<'v> {
    fn new(view: &'v Observation<'v>, roads: &'v Roads, variant: Variant) -> Self {
        let seat = view.seat();
        let free = match variant {
            // Too few trains are only noticed when it is too late.
            Variant::Coded { .. } => free_routes(view, seat),
            Variant::Intended => view.open_routes(seat),
        };
        Self { view, roads, variant, options: Options::of(view), own: view.routes(seat), free }
    }

    fn is_coded(&self) -> bool {
        matches!(self.variant, Variant::Coded { .. })
    }

    fn trains(&self) -> u16 {
        self.view.trains(self.view.seat()).into()
    }

    /// A number that grows with every claim of any seat: the total points, or in games without points the
    /// total number of trains placed.
    fn progress(&self) -> u32 {
        Seat::all(self.view.game().seats()).map(|seat| self.progress_of(seat)).sum()
    }

    fn progress_of(&self, seat: Seat) -> u32 {
        let placed = self.view.game().spec().rules.trains - self.view.trains(seat);
        u32::from(self.view.points(seat)).max(placed.into())
    }
}
