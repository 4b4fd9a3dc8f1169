//! What the planner weighs, with defaults by game. All values are points unless they say otherwise.

use ttr_engine::Game;
use ttr_engine::board::BoardGame;

use crate::planner::tuned::TUNED;
use crate::spec::{AgentSpec, Param, Range};

macro_rules! weights {
    ($($name:ident = $default:literal in $least:literal .. $most:literal, $about:literal;)*) => {
        /// The weights of a planner.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub(crate) struct Weights {
            $(pub(crate) $name: f64,)*
        }

        impl Weights {
            const BASE: Self = Self { $($name: $default,)* };

            fn named(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            fn set(&mut self, name: &str, value: f64) {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => unreachable!("only weights are set"),
                }
            }
        }

        /// The weights as parameters.
        pub(crate) const PARAMS: &[Param] = &[$(Param {
            name: stringify!($name),
            about: $about,
            default: stringify!($default),
            range: Range::Real($least, $most),
        },)*];
    };
}

weights! {
    train = 1.52 in 0.0..4.0, "network: what a train costs";
    claim = 4.50 in 0.0..10.0, "network: what the turn of a claim costs";
    point = 0.66 in 0.0..2.0, "network: what a point for a route is worth";
    ferry = 1.50 in 0.0..6.0, "network: what a locomotive symbol of a ferry costs";
    tunnel = 1.50 in 0.0..6.0, "network: what the risk of a tunnel costs";
    grey = 0.21 in 0.0..1.0, "network: what a space is cheaper for being grey";
    held = 0.27 in 0.0..1.5, "network: what a space is cheaper for a fitting card in the hand";
    borrow = 12.00 in 0.0..40.0, "network: what a station costs, its turn and cards included";
    refresh = 40.0 in 1.0..40.0, "network: turns after which a plan is made anew, though nobody has touched it";
    overtime = 1.77 in 0.0..5.0, "tickets: what each turn costs that a plan needs beyond the end of the game";
    ticket_cost = 2.31 in 0.2..3.0, "tickets: how much the cost of the network counts when tickets are kept";
    lateness = 4.70 in -6.0..12.0, "tickets: turns that a plan may need beyond the end of the game before tickets are given up";
    spare_trains = 2.27 in 0.0..15.0, "tickets: trains that a plan leaves over";
    turn = 1.88 in 0.0..12.0, "tickets: what must be gained by a turn of drawing tickets";
    extra_train = 0.83 in 0.0..4.0, "tickets: what a train costs that a drawn ticket asks for";
    draw_before = 5.79 in 1.0..25.0, "tickets: turns that must be left for drawing any";
    unfinished = 12.2 in 0.0..30.0, "tickets: trains of unfinished plan at which none are drawn";
    globetrotter = 0.30 in 0.0..1.0, "tickets: share of the bonus for most tickets that each completed ticket is taken to bring";
    fill = 0.46 in 0.0..1.2, "cards: what a card for a route beyond the tickets is worth, next to one for a ticket";
    spare = 0.34 in 0.0..1.0, "cards: what a card is worth that the plan does not ask for";
    near = 0.27 in 0.0..2.0, "cards: what the last missing card of a route is worth on top";
    locomotive = 1.13 in 0.5..4.0, "cards: what a locomotive is worth";
    draw = 1.25 in 0.1..5.0, "turns: what the cards of a draw are worth";
    ready = 0.29 in -2.0..8.0, "turns: what claiming a planned route is worth by itself";
    contest = 0.06 in 0.0..3.0, "turns: what each train of detour adds to the urgency of a route";
    rivals = 0.57 in 0.0..3.0, "turns: how much more urgent a route is where another seat builds";
    wild = 0.48 in 0.0..2.0, "turns: what playing a locomotive costs";
    harm = 0.60 in 0.0..3.0, "turns: what playing a card costs that another route needs";
    fill_length = 2.70 in 1.0..6.0, "fill: shortest route that is claimed for its points alone";
    fill_point = 0.74 in 0.0..3.0, "fill: what a point is worth";
    fill_train = 1.56 in 0.0..3.0, "fill: what a train costs";
    fill_turn = 2.52 in 0.0..6.0, "fill: what a turn costs";
    fill_join = 1.50 in 0.0..6.0, "fill: what a route is worth for extending the network, for the longest path";
    longest = 0.50 in 0.0..4.0, "fill: what each train is worth by which a route extends the longest path";
    missing = 0.39 in 0.3..1.5, "fill: turns that it takes to get a card of a certain colour";
    share = 1.00 in 0.0..3.0, "pace: how much of its tickets' points a planned route counts when time is short";
    pointless = 2.00 in -2.0..10.0, "pace: points below which a route beyond the tickets is not worth a turn when time is short";
    finish = 1.00 in 0.0..5.0, "pace: what ending the game is worth for each ten points that this seat leads by";
    their_ticket = 7.00 in 0.0..15.0, "pace: points that each ticket of another seat is taken to bring";
    lack = 0.30 in 0.2..1.5, "pace: turns that it takes to get a card that a plan lacks";
    waste = 1.20 in 1.0..2.0, "pace: cards that seats draw for each train they place";
    stride = 3.63 in 1.5..6.0, "pace: trains that seats place in a claim";
    hurry = 7.85 in -4.0..14.0, "pace: turns of slack below which claims come before all else";
    tunnel_slack = 1.00 in 0.0..3.0, "tunnels: spare cards wanted before a tunnel is tried";
    tunnel_extra = 1.60 in 0.0..5.0, "tunnels: most cards of surcharge that are paid, locomotives counted twice; a route's points allow for more";
    collect = 5.00 in 1.0..15.0, "depots: cards in a warehouse that are worth a depot of the reserve";
    reserve = 4.00 in 0.0..15.0, "depots: cards that it takes on top if the bonus for the reserve is lost by it";
    place = 8.00 in 2.0..20.0, "depots: cards in a warehouse that are worth placing another depot";
    bonus_trains = 4.00 in 0.0..15.0, "journeys: most trains that are spent on the bonus ticket alone";
    block = 0.00 in 0.0..4.0, "blocking: what spoiling another seat's way is worth at two seats";
}

impl Weights {
    /// What a weight is for a game if nobody sets it.
    pub(crate) fn default_for(game: &BoardGame, name: &str) -> Option<f64> {
        Self::new(game, &AgentSpec::new("planner")).named(name)
    }

    /// The weights for a game: the tuned ones, and what the spec sets.
    pub(crate) fn new(game: &BoardGame, spec: &AgentSpec) -> Self {
        let mut weights = Self::BASE;
        for (map, seats, tuned) in TUNED {
            if game.map().id.starts_with(map) && seats.contains(&game.seats()) {
                for &(name, value) in *tuned {
                    weights.set(name, value);
                }
            }
        }
        for param in PARAMS {
            if spec.given(param.name).is_some() {
                weights.set(param.name, spec.number(param.name));
            }
        }
        weights
    }
}
