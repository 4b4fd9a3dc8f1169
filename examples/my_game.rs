//! A game of your own: implement [`Game`], and agents, search and statistics work with it.
//!
//! ```sh
//! cargo run --release --example my_game                                       # search against random agents
//! cargo run --release --example my_game -- experiments/0004-maloney-2020      # all figures of this experiment
//! ```
//!
//! The game is that of Maloney, "Monte Carlo Tree Search Applied to Ticket to Ride" (2020), who let random
//! agents play it and counted wins. The rules are those of his program:
//!
//! - The board is the eastern half of Europe: [`CITIES`], and all routes between two of them. Tunnels and
//!   ferries are routes like any other. Two tracks of the same colour count as one.
//! - 25 trains and four cards each. A card is one of eight colours, each equally likely; there are no
//!   locomotives.
//! - A turn is one card, drawn blind, or one route. A grey route takes the colour that the seat has most of.
//! - When a claim leaves three trains or fewer, all others have one more turn.
//! - Points for routes as usual, and 10 for the seat that placed most trains (he calls it the longest
//!   track). Of equal seats, the one that moved first wins: that is a part of the advantage.
//!
//! Nothing is hidden, so a view shows the whole state.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use serde::{Deserialize, Serialize};
use ttr_agents::search::{Budget, Guide, Proposal, Search, Settings};
use ttr_agents::{Agent, Random};
use ttr_engine::{
    BySeat, CardKind, Cards, Chance, Dice, Game, IllegalAction, MAX_SEATS, RouteId, RouteSet, Scores, Seat,
    Turn, View, maps,
};
use ttr_sim::experiment::{Answer, Published};
use ttr_sim::stats::binomial;

/// The cities of the board.
const CITIES: [&str; 26] = [
    "Angora",
    "Athina",
    "Berlin",
    "Bucuresti",
    "Budapest",
    "Constantinople",
    "Danzig",
    "Erzurum",
    "Essen",
    "Kharkov",
    "Kobenhavn",
    "Kyiv",
    "Moskva",
    "Petrograd",
    "Riga",
    "Rostov",
    "Sarajevo",
    "Sevastopol",
    "Smolensk",
    "Smyrna",
    "Sochi",
    "Sofia",
    "Stockholm",
    "Warszawa",
    "Wien",
    "Wilno",
];

const TRAINS: u8 = 25;
const OPENING_HAND: u8 = 4;
/// A claim that leaves at most this many trains starts the last turns.
const LAST_TRAINS: u8 = 3;
const MOST_TRAINS_BONUS: i16 = 10;
/// Once no route fits any more, a game could continue forever.
const MOST_TURNS: u16 = 10_000;

/// The rules for a number of seats.
#[derive(Clone, Debug)]
struct ToyGame {
    seats: usize,
    routes: Vec<ToyRoute>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ToyRoute {
    ends: [usize; 2],
    length: u8,
    colour: Option<CardKind>,
    points: u8,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ToyState {
    seat: Seat,
    /// Cards by seat and colour.
    hands: [[u16; 8]; MAX_SEATS],
    trains: [u8; MAX_SEATS],
    routes: [RouteSet; MAX_SEATS],
    free: RouteSet,
    /// The seat that has the last turn, once that is known.
    last: Option<Seat>,
    turns: u16,
    over: bool,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum ToyAction {
    /// Draw a card.
    Draw,
    /// Claim a route.
    Claim(RouteId),
}

/// A position as a seat sees it: nothing is hidden.
#[derive(Clone, Copy, Debug)]
struct ToyView<'s> {
    game: &'s ToyGame,
    state: &'s ToyState,
    seat: Seat,
}

impl ToyGame {
    /// Creates the game for 2 to 5 seats.
    ///
    /// # Panics
    /// If the number of seats is out of range.
    fn new(seats: usize) -> Self {
        assert!((2..=MAX_SEATS).contains(&seats), "2 to {MAX_SEATS} seats play");
        let europe = maps::load("europe").expect("the map is shipped");
        let city = |name: &str| CITIES.iter().position(|city| *city == name);
        let mut routes: Vec<ToyRoute> = Vec::new();
        for route in &europe.routes {
            if let (Some(from), Some(to)) = (city(&route.from), city(&route.to)) {
                let points = europe.rules.claim.points[&route.length.to_string()];
                let (length, colour) = (route.length, route.colour.card());
                let route = ToyRoute { ends: [from, to], length, colour, points };
                if !routes.contains(&route) {
                    routes.push(route);
                }
            }
        }
        Self { seats, routes }
    }

    /// The colour in which a seat pays for a route, if it can.
    fn colour_for(&self, state: &ToyState, seat: Seat, route: &ToyRoute) -> Option<usize> {
        let hand = &state.hands[seat];
        let most = || (0..8).rev().max_by_key(|&colour| hand[colour]).expect("there are eight colours");
        let colour = route.colour.map_or_else(most, CardKind::index);
        (hand[colour] >= route.length.into()).then_some(colour)
    }

    fn claimable(&self, state: &ToyState) -> impl Iterator<Item = RouteId> {
        let seat = state.seat;
        state.free.into_iter().filter(move |id| {
            let route = &self.routes[id.index()];
            route.length <= state.trains[seat] && self.colour_for(state, seat, route).is_some()
        })
    }

    fn draw(&self, state: &mut ToyState, seat: Seat, chance: &mut impl Chance) {
        let colours = CardKind::COLOURS.into_iter().collect::<Cards>();
        state.hands[seat][chance.card(colours).index()] += 1;
    }

    fn points(&self, state: &ToyState) -> Vec<i16> {
        let placed = |seat: usize| TRAINS - state.trains[seat];
        let most = (0..self.seats).map(placed).max().unwrap_or(0);
        let points = |seat: usize| {
            let routes = state.routes[seat].into_iter().map(|id| i16::from(self.routes[id.index()].points));
            routes.sum::<i16>() + if placed(seat) == most { MOST_TRAINS_BONUS } else { 0 }
        };
        (0..self.seats).map(points).collect()
    }
}

impl Game for ToyGame {
    type State = ToyState;
    type Action = ToyAction;
    type Observation<'s> = ToyView<'s>;

    fn seats(&self) -> usize {
        self.seats
    }

    fn deal(&self, chance: &mut impl Chance) -> ToyState {
        let mut state = ToyState {
            seat: Seat::new(0),
            hands: [[0; 8]; MAX_SEATS],
            trains: [TRAINS; MAX_SEATS],
            routes: [RouteSet::EMPTY; MAX_SEATS],
            free: RouteSet::first(self.routes.len()),
            last: None,
            turns: 0,
            over: false,
        };
        for seat in Seat::all(self.seats) {
            for _ in 0..OPENING_HAND {
                self.draw(&mut state, seat, chance);
            }
        }
        state
    }

    fn turn(&self, state: &ToyState) -> Turn {
        if state.over { Turn::Over } else { Turn::Of(state.seat) }
    }

    fn legal_actions<B>(
        &self,
        state: &ToyState,
        mut visit: impl FnMut(ToyAction) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if state.over {
            return ControlFlow::Continue(());
        }
        visit(ToyAction::Draw)?;
        self.claimable(state).map(ToyAction::Claim).try_for_each(visit)
    }

    fn check(&self, state: &ToyState, action: ToyAction) -> Result<(), IllegalAction> {
        match action {
            _ if state.over => Err(IllegalAction::GameOver),
            ToyAction::Draw => Ok(()),
            ToyAction::Claim(id) if id.index() >= self.routes.len() => Err(IllegalAction::Unknown("route")),
            ToyAction::Claim(id) if self.claimable(state).any(|claimable| claimable == id) => Ok(()),
            ToyAction::Claim(_) => {
                let reason = "it is claimed, or cards or trains are missing".to_owned();
                Err(IllegalAction::Forbidden { rule: "CC-16", reason })
            }
        }
    }

    fn play_unchecked(&self, state: &mut ToyState, action: ToyAction, chance: &mut impl Chance) {
        let seat = state.seat;
        match action {
            ToyAction::Draw => self.draw(state, seat, chance),
            ToyAction::Claim(id) => {
                let route = &self.routes[id.index()];
                let colour = self.colour_for(state, seat, route).expect("the claim is legal");
                state.hands[seat][colour] -= u16::from(route.length);
                state.trains[seat] -= route.length;
                state.routes[seat].insert(id);
                state.free.remove(id);
                if state.trains[seat] <= LAST_TRAINS {
                    // The seat before this one is last; a later claim of this kind gives the others a turn
                    // again.
                    state.last = Some(seat.previous(self.seats));
                }
            }
        }
        state.turns += 1;
        state.over = state.last == Some(seat) || state.turns >= MOST_TURNS;
        state.seat = seat.next(self.seats);
    }

    fn scores(&self, state: &ToyState) -> Scores {
        let points = self.points(state);
        let better = |seat: usize| {
            let ahead =
                |other: usize| points[other] > points[seat] || points[other] == points[seat] && other < seat;
            (0..self.seats).filter(|&other| ahead(other)).count() as u8
        };
        Scores { points: points.iter().copied().collect(), ranks: (0..self.seats).map(better).collect() }
    }

    fn observe<'s>(&'s self, state: &'s ToyState, seat: Seat) -> ToyView<'s> {
        ToyView { game: self, state, seat }
    }

    fn determinize(&self, view: &ToyView<'_>, _: &mut Dice) -> ToyState {
        view.state.clone()
    }
}

impl View for ToyView<'_> {
    type Game = ToyGame;
    type Action = ToyAction;

    fn game(&self) -> &ToyGame {
        self.game
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> Turn {
        self.game.turn(self.state)
    }

    fn legal_actions<B>(&self, visit: impl FnMut(ToyAction) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.to_move() { self.game.legal_actions(self.state, visit) } else { ControlFlow::Continue(()) }
    }

    fn count_actions(&self) -> usize {
        if self.to_move() { self.game.count_actions(self.state) } else { 0 }
    }

    fn nth_action(&self, n: usize) -> Option<ToyAction> {
        self.to_move().then(|| self.game.nth_action(self.state, n)).flatten()
    }

    fn random_action(&self, dice: &mut Dice) -> ToyAction {
        self.game.random_action(self.state, dice)
    }
}

/// Knowledge of a game beyond its rules, for a search: a policy, the actions worth considering, and the
/// value of a position where a playout is cut off.
struct ToyGuide;

impl Guide<ToyGame> for ToyGuide {
    fn begin_playout(&mut self, _: &ToyGame) {}

    /// The policy claims long routes, and draws cards until it can.
    fn act(&mut self, view: &ToyView<'_>, _: &mut Dice) -> ToyAction {
        let length = |action: &ToyAction| match *action {
            ToyAction::Draw => 3,
            ToyAction::Claim(route) => view.game.routes[route.index()].length,
        };
        view.actions().into_iter().rev().max_by_key(length).expect("a seat can always draw")
    }

    /// Every action is worth considering, and that of the policy most.
    fn propose(
        &mut self,
        view: &ToyView<'_>,
        _: usize,
        dice: &mut Dice,
        list: &mut Vec<Proposal<ToyAction>>,
    ) {
        let first = self.act(view, dice);
        list.push(Proposal::open(first, 1.0));
        view.for_each_action(|action| {
            if action != first {
                list.push(Proposal::open(action, 0.2));
            }
        });
    }

    fn evaluate(&mut self, game: &ToyGame, world: &ToyState) -> BySeat<f32> {
        game.points(world).iter().map(|&points| points.into()).collect()
    }

    fn spread(&self) -> f32 {
        20.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1) {
        Some(folder) => print!("{}", who_wins_at_random(Path::new(&folder), 20_000)?.csv()),
        None => println!("search wins {} of 20 games against a random agent", wins_of_search(20, 100)?),
    }
    Ok(())
}

/// Number of games that a search wins against a random agent, which moves first.
fn wins_of_search(games: u64, playouts: u32) -> Result<usize, Box<dyn Error>> {
    let game = ToyGame::new(2);
    // When all long routes are claimed the policy would draw forever: playouts are cut off.
    let settings = Settings { budget: Budget::Playouts(playouts), cutoff: 60, ..Settings::default() };
    let mut agents: [Box<dyn Agent<ToyGame>>; 2] =
        [Box::new(Random), Box::new(Search::new(settings, || ToyGuide))];
    let mut wins = 0;
    for n in 0..games {
        let (mut chance, mut dice) = (Dice::from_parts(&[1, n]), Dice::from_parts(&[2, n]));
        let mut state = game.deal(&mut chance);
        while let Turn::Of(seat) = game.turn(&state) {
            let action = agents[seat.index()].choose(&game.observe(&state, seat), &mut dice)?;
            game.play(&mut state, action, &mut chance)?;
        }
        wins += game.scores(&state).winners().filter(|&winner| winner == Seat::new(1)).count();
    }
    Ok(wins)
}

/// Shares of wins of each seat among random agents, next to the figures that Maloney published.
fn who_wins_at_random(folder: &Path, games: u64) -> Result<Answer, Box<dyn Error>> {
    let mut answer = Answer::default();
    for seats in 2..=MAX_SEATS {
        let run = format!("random-{seats}");
        for (seat, wins) in random_wins(seats, games, 1).into_iter().enumerate() {
            let share = binomial(wins as f64 / games as f64, games as f64, 1.96);
            answer.add_figure(&run, &format!("place {}", seat + 1), "win_share", share, Some(games));
        }
    }
    answer.compare(&Published::read(&folder.join("published.csv"))?, folder)?;
    Ok(answer)
}

/// Number of games that each seat wins when all play at random.
fn random_wins(seats: usize, games: u64, seed: u64) -> Vec<u64> {
    let game = ToyGame::new(seats);
    let mut wins = vec![0; seats];
    for n in 0..games {
        let mut dice = Dice::from_parts(&[seed, n]);
        let mut state = game.deal(&mut dice);
        while let Turn::Of(_) = game.turn(&state) {
            let action = random_decision(&game, &state, &mut dice);
            game.play_unchecked(&mut state, action, &mut dice);
        }
        for winner in game.scores(&state).winners() {
            wins[winner] += 1;
        }
    }
    wins
}

/// A random decision as his program makes it: its list of moves has every route twice, once from each end.
fn random_decision(game: &ToyGame, state: &ToyState, dice: &mut Dice) -> ToyAction {
    let routes = game.count_actions(state) - 1;
    let n = dice.below(2 * routes as u32 + 1) as usize;
    game.nth_action(state, n.div_ceil(2)).expect("n is below the number of actions")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position with these cards for the first seat, and no others.
    fn with_hand(game: &ToyGame, cards: &[(CardKind, u16)]) -> ToyState {
        let mut state = game.deal(&mut Dice::from_seed(1));
        state.hands = [[0; 8]; MAX_SEATS];
        for &(kind, count) in cards {
            state.hands[0][kind.index()] = count;
        }
        state
    }

    #[test]
    fn the_board() {
        let game = ToyGame::new(2);
        for (index, name) in CITIES.iter().enumerate() {
            assert!(game.routes.iter().any(|route| route.ends.contains(&index)), "no route ends at {name}");
        }
        assert_eq!(game.routes.len(), 49);
        assert!(game.routes.iter().any(|route| route.length == 8));
    }

    #[test]
    fn grey_takes_the_most_frequent_colour() {
        let game = ToyGame::new(2);
        let mut state = with_hand(&game, &[(CardKind::Red, 2), (CardKind::Blue, 3)]);
        let grey = game.routes.iter().position(|route| route.colour.is_none() && route.length == 2).unwrap();
        game.play(&mut state, ToyAction::Claim(RouteId::new(grey)), &mut Dice::from_seed(1)).unwrap();
        assert_eq!(state.hands[0][CardKind::Blue.index()], 1);
        assert_eq!((state.trains[0], state.seat), (23, Seat::new(1)));
        assert!(
            game.play(&mut state, ToyAction::Claim(RouteId::new(grey)), &mut Dice::from_seed(1)).is_err()
        );
    }

    #[test]
    fn the_others_have_one_more_turn() {
        let game = ToyGame::new(3);
        let mut state = with_hand(&game, &[(CardKind::Red, 2)]);
        state.trains[0] = 5;
        let grey = game.routes.iter().position(|route| route.colour.is_none() && route.length == 2).unwrap();
        let mut dice = Dice::from_seed(1);
        game.play(&mut state, ToyAction::Claim(RouteId::new(grey)), &mut dice).unwrap();
        for seat in [1, 2] {
            assert_eq!(game.turn(&state), Turn::Of(Seat::new(seat)));
            game.play(&mut state, ToyAction::Draw, &mut dice).unwrap();
        }
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(game.scores(&state).winners().collect::<Vec<_>>(), [Seat::new(0)]);
    }

    #[test]
    fn equal_points_are_the_earlier_seats() {
        let game = ToyGame::new(4);
        let state = game.deal(&mut Dice::from_seed(1));
        assert_eq!(game.scores(&state).ranks.as_slice(), [0, 1, 2, 3]);
    }

    #[test]
    fn the_list_of_actions_is_what_is_legal() {
        let game = ToyGame::new(5);
        let mut dice = Dice::from_seed(3);
        let mut state = game.deal(&mut dice);
        while let Turn::Of(_) = game.turn(&state) {
            let listed = game.actions(&state);
            for route in 0..=game.routes.len() {
                let claim = ToyAction::Claim(RouteId::new(route));
                assert_eq!(listed.contains(&claim), game.is_legal(&state, claim));
            }
            let action = game.random_action(&state, &mut dice);
            game.play(&mut state, action, &mut dice).unwrap();
        }
        assert!(game.actions(&state).is_empty());
    }

    /// Published for 3,000 games each: 56.0, 37.3, 28.1 and 23.5 % for the first seat.
    #[test]
    fn moving_first_helps_as_much_as_published() {
        for (seats, published) in [(2, 0.5603), (3, 0.3733), (4, 0.2807), (5, 0.2350)] {
            let games = 4_000;
            let share = random_wins(seats, games, 1)[0] as f64 / games as f64;
            // Both numbers have a standard error of about 0.008.
            assert!((share - published).abs() < 0.03, "{seats} seats: {share}, published {published}");
        }
    }
}
