//! Shared by the benchmarks: tables, and positions of random games on them.
//!
//! Run all with `cargo bench -p ttr-benches`, some with `cargo bench -p ttr-benches -- playout/usa`.

use ttr_agents::{Agent, Planner};
use ttr_engine::board::network::{Components, Edge, StationOptions, TicketEnds};
use ttr_engine::board::{BoardGame, State};
use ttr_engine::{CitySet, Dice, Game, RouteSet, Seat, Turn, maps};

/// A game with a name such as `usa/2`.
#[derive(Debug)]
pub struct Table {
    /// Map and seats.
    pub name: String,
    /// The game.
    pub game: BoardGame,
}

/// The tables for measurements.
///
/// ```
/// assert!(ttr_benches::tables().iter().any(|table| table.name == "usa/2"));
/// ```
pub fn tables() -> Vec<Table> {
    let maps = [
        ("usa", 2),
        ("usa", 4),
        ("europe", 2),
        ("europe", 4),
        ("europe+depots", 2),
        ("europe-mega", 2),
        ("nordic", 2),
        ("first-journey-usa", 2),
    ];
    maps.into_iter().map(|(map, seats)| table(map, seats)).collect()
}

/// A table for each measured board, with two seats and with four (three where four are not allowed).
///
/// ```
/// let names: Vec<_> = ttr_benches::random_game_tables().into_iter().map(|table| table.name).collect();
/// assert!(names.contains(&"europe+depots/4".into()) && names.contains(&"nordic/3".into()));
/// ```
pub fn random_game_tables() -> Vec<Table> {
    let maps = ["usa", "europe", "europe+depots", "europe-mega", "nordic", "first-journey-usa"];
    let few_and_many = |map| [2, maps::find(map).expect("a shipped map").seats.max.min(4).into()];
    maps.into_iter().flat_map(|map| few_and_many(map).map(|seats| table(map, seats))).collect()
}

fn table(map: &str, seats: usize) -> Table {
    let spec = maps::find(map).expect("a shipped map");
    let game = BoardGame::new(&spec, seats).expect("seats that the map allows");
    Table { name: format!("{map}/{seats}"), game }
}

/// Every position of a random game, the final one last.
pub fn random_game(game: &BoardGame, seed: u64) -> Vec<State> {
    whole_game(game, seed, |state, _, dice| game.random_action(state, dice))
}

/// Every position of a game between planners, the final one last.
pub fn planner_game(game: &BoardGame, seed: u64) -> Vec<State> {
    let mut planners = vec![Planner::new(game); game.seats()];
    for (seat, planner) in planners.iter_mut().enumerate() {
        planner.begin(game, Seat::new(seat));
    }
    whole_game(game, seed, |state, seat, dice| {
        let action = planners[seat].choose(&game.observe(state, seat), dice);
        action.expect("planners never give up")
    })
}

/// Every position of a game of any kind, the final one last.
pub fn whole_game<G: Game>(
    game: &G,
    seed: u64,
    mut choose: impl FnMut(&G::State, Seat, &mut Dice) -> G::Action,
) -> Vec<G::State> {
    let mut dice = Dice::from_seed(seed);
    let mut state = game.deal(&mut dice);
    let mut states = vec![state.clone()];
    while let Turn::Of(seat) = game.turn(&state) {
        let action = choose(&state, seat, &mut dice);
        game.play_unchecked(&mut state, action, &mut dice);
        states.push(state.clone());
    }
    states
}

/// Positions with a decision to take, from all parts of games.
///
/// ```
/// let table = &ttr_benches::tables()[0];
/// assert_eq!(ttr_benches::decisions(|seed| ttr_benches::random_game(&table.game, seed)).len(), 512);
/// ```
pub fn decisions<S>(play: impl Fn(u64) -> Vec<S>) -> Vec<S> {
    // A step that no number of seats divides, so that all seats are covered equally.
    let positions = (0..).flat_map(|seed| {
        let mut states = play(seed);
        states.pop();
        states.into_iter().step_by(7)
    });
    positions.take(512).collect()
}

/// Final positions of random games.
///
/// ```
/// use ttr_engine::{Game, Turn};
/// let game = &ttr_benches::tables()[0].game;
/// assert!(ttr_benches::finished(game).iter().all(|state| game.turn(state) == Turn::Over));
/// ```
pub fn finished(game: &BoardGame) -> Vec<State> {
    (0..256).filter_map(|seed| random_game(game, seed).pop()).collect()
}

/// Final positions of games between planners: their networks are connected, and they build stations where
/// that is worthwhile.
///
/// ```
/// use ttr_engine::{Game, Turn};
/// let game = &ttr_benches::tables()[2].game;
/// assert!(ttr_benches::finished_by_planners(game).iter().all(|state| game.turn(state) == Turn::Over));
/// ```
pub fn finished_by_planners(game: &BoardGame) -> Vec<State> {
    (0..128).filter_map(|seed| planner_game(game, seed).pop()).collect()
}

/// The input of scoring for one seat at the end of a game.
#[derive(Clone, Debug)]
pub struct Network {
    /// Its routes.
    pub edges: Vec<Edge>,
    /// The cities that they join.
    pub components: Components,
    /// Its stations, with what they can borrow.
    pub stations: Vec<StationOptions>,
    /// Its tickets.
    pub tickets: Vec<TicketEnds>,
}

/// The networks of all seats in these positions.
///
/// ```
/// let game = &ttr_benches::tables()[2].game;
/// let networks = ttr_benches::networks(game, &ttr_benches::finished(game));
/// assert!(networks.iter().any(|network| network.stations.len() == 3));
/// ```
pub fn networks(game: &BoardGame, states: &[State]) -> Vec<Network> {
    let of = |state, seat| {
        let seen = game.observe(state, seat);
        let edge = |route: ttr_engine::RouteId| {
            let route = game.route(route);
            Edge { a: route.ends[0], b: route.ends[1], length: route.length }
        };
        let edges: Vec<Edge> = seen.routes(seat).into_iter().map(edge).collect();
        let others = Seat::all(game.seats()).filter(|&other| other != seat);
        let others = others.fold(RouteSet::EMPTY, |all, other| all | seen.routes(other));
        let stations = seen
            .stations(seat)
            .map(|city| {
                let ends = others.into_iter().map(|route| game.route(route).ends);
                let mut opposite: CitySet = ends.filter(|ends| ends.contains(&city)).flatten().collect();
                opposite.remove(city);
                StationOptions { city, opposite }
            })
            .collect();
        let tickets = seen
            .tickets()
            .into_iter()
            .map(|ticket| game.ticket(ticket))
            .map(|ticket| TicketEnds { a: ticket.ends[0], b: ticket.ends[1], points: ticket.points })
            .collect();
        Network { components: Components::new(&edges), edges, stations, tickets }
    };
    states.iter().flat_map(|state| Seat::all(game.seats()).map(move |seat| of(state, seat))).collect()
}
