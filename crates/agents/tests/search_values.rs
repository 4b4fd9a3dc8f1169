//! Search on small games whose values are known: Kuhn's poker, Nim, and a choice followed by another seat's
//! choice.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use ttr_agents::Agent;
use ttr_agents::search::{Budget, Guide, Proposal, Root, Search, Selection, Settings};
use ttr_engine::{
    BySeat, CardKind, Cards, Chance, Dice, Game, IllegalAction, NotationError, Scores, Seat, Turn, View,
};

fn settings(root: Root, playouts: u32) -> Settings {
    Settings {
        budget: Budget::Playouts(playouts),
        threads: 1,
        root,
        candidates: 100,
        selection: Selection::Visits,
        exploration: 0.3,
        faith: 0.0,
        widening: 1.0,
        depth: 100,
        cutoff: u32::MAX,
        margin: 1.0,
        guesses: 1,
        doubt: 0.0,
        reach: 1.0,
    }
}

const ROOTS: [Root; 3] = [Root::Tree, Root::Halving, Root::Even];

/// A guide without knowledge: all actions are alike, and rollouts are random.
struct Clueless {
    spread: f32,
}

impl<G: Game> Guide<G> for Clueless {
    fn begin_playout(&mut self, _: &G) {}

    fn propose(
        &mut self,
        view: &G::Observation<'_>,
        _: usize,
        _: &mut Dice,
        list: &mut Vec<Proposal<G::Action>>,
    ) {
        let _ = view.legal_actions(|action| {
            list.push(Proposal::open(action, 1.0));
            ControlFlow::<()>::Continue(())
        });
    }

    fn act(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> G::Action {
        view.random_action(dice)
    }

    fn evaluate(&mut self, game: &G, _: &G::State) -> BySeat<f32> {
        Seat::all(game.seats()).map(|_| 0.0).collect()
    }

    fn spread(&self) -> f32 {
        self.spread
    }
}

/// Searches once; returns the decision, and every candidate's lead in points as estimated by the search.
fn search<G: Game>(
    game: &G,
    state: &G::State,
    settings: Settings,
    seed: u64,
) -> (G::Action, Vec<(G::Action, f64)>) {
    let spread = 40.0;
    let mut agent = Search::new(settings, || Clueless { spread });
    let Turn::Of(seat) = game.turn(state) else { panic!("the game is over") };
    let view = game.observe(state, seat);
    agent.begin(game, seat);
    let action = agent.choose(&view, &mut Dice::from_seed(seed)).unwrap();
    let lead = |value: f64| f64::from(spread) * (value / (1.0 - value)).ln() / 3f64.ln();
    let candidates = agent.explain(&view).candidates;
    (action, candidates.into_iter().map(|candidate| (candidate.action, lead(candidate.value))).collect())
}

// --- Kuhn's poker: three cards, one each, and one bet ---

#[derive(Clone, Copy)]
struct Kuhn;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Hand {
    cards: [CardKind; 2],
    bets: [Option<Bet>; 3],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Bet {
    /// Check, or fold.
    Pass,
    /// Bet, or call.
    Bet,
}

const JACK: CardKind = CardKind::from_index(0);
const QUEEN: CardKind = CardKind::from_index(1);
const KING: CardKind = CardKind::from_index(2);

#[derive(Clone, Copy)]
struct Look<'s, G: Game> {
    game: &'s G,
    state: &'s G::State,
    seat: Seat,
}

impl<G: Game<State: Copy> + Copy> View for Look<'_, G> {
    type Game = G;
    type Action = G::Action;

    fn game(&self) -> &G {
        self.game
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> Turn {
        self.game.turn(self.state)
    }

    fn legal_actions<B>(&self, visit: impl FnMut(G::Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.game.legal_actions(self.state, visit)
    }

    fn count_actions(&self) -> usize {
        self.game.count_actions(self.state)
    }

    fn nth_action(&self, n: usize) -> Option<G::Action> {
        self.game.nth_action(self.state, n)
    }

    fn random_action(&self, dice: &mut Dice) -> G::Action {
        self.game.random_action(self.state, dice)
    }

    fn check(&self, action: G::Action) -> Result<(), IllegalAction> {
        self.game.check(self.state, action)
    }

    fn write_action(&self, action: G::Action) -> String {
        format!("{action:?}")
    }

    fn parse_action(&self, text: &str) -> Result<G::Action, NotationError> {
        Err(NotationError::NoNotation(text.to_owned()))
    }
}

impl Hand {
    fn made(&self) -> usize {
        self.bets.iter().flatten().count()
    }
}

impl Game for Kuhn {
    type State = Hand;
    type Action = Bet;
    type Observation<'s> = Look<'s, Kuhn>;

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, chance: &mut impl Chance) -> Hand {
        let mut pile: Cards = [JACK, QUEEN, KING].into_iter().collect();
        let cards = std::array::from_fn(|_| {
            let card = chance.card(pile);
            pile.remove(card);
            card
        });
        Hand { cards, bets: [None; 3] }
    }

    fn turn(&self, hand: &Hand) -> Turn {
        match (hand.made(), hand.bets) {
            (3, _) | (2, [_, Some(Bet::Pass), _]) | (2, [Some(Bet::Bet), ..]) => Turn::Over,
            (made, _) => Turn::Of(Seat::new(made % 2)),
        }
    }

    fn legal_actions<B>(&self, hand: &Hand, visit: impl FnMut(Bet) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.turn(hand) == Turn::Over {
            return ControlFlow::Continue(());
        }
        [Bet::Pass, Bet::Bet].into_iter().try_for_each(visit)
    }

    fn check(&self, hand: &Hand, _: Bet) -> Result<(), IllegalAction> {
        if self.turn(hand) == Turn::Over { Err(IllegalAction::GameOver) } else { Ok(()) }
    }

    fn play_unchecked(&self, hand: &mut Hand, bet: Bet, _: &mut impl Chance) {
        hand.bets[hand.made()] = Some(bet);
    }

    /// The second seat loses what the first one wins.
    fn scores(&self, hand: &Hand) -> Scores {
        let better = if hand.cards[0] > hand.cards[1] { 1 } else { -1 };
        let won = match hand.bets {
            [Some(Bet::Pass), Some(Bet::Pass), _] => better,
            [Some(Bet::Bet), Some(Bet::Pass), _] => 1,
            [Some(Bet::Pass), Some(Bet::Bet), Some(Bet::Pass)] => -1,
            _ => 2 * better,
        };
        let ranks = [u8::from(won < 0), u8::from(won > 0)];
        Scores { points: [won, -won].into_iter().collect(), ranks: ranks.into_iter().collect() }
    }

    fn observe<'s>(&'s self, state: &'s Hand, seat: Seat) -> Look<'s, Self> {
        Look { game: self, state, seat }
    }

    fn determinize(&self, look: &Look<'_, Self>, dice: &mut Dice) -> Hand {
        let mut hand = *look.state;
        let own = hand.cards[look.seat];
        let others: Cards = [JACK, QUEEN, KING].into_iter().filter(|&card| card != own).collect();
        hand.cards[1 - look.seat.index()] = dice.card(others);
        hand
    }
}

/// The seat that answers a bet knows its value: with the king 2 by calling, with the jack -1 by folding,
/// and with the queen, against either of the two others, 0 by calling.
#[test]
fn answers_to_a_bet_in_kuhn_poker_have_their_values() {
    let histories = [[Some(Bet::Bet), None, None], [Some(Bet::Pass), Some(Bet::Bet), None]];
    for root in ROOTS {
        for bets in histories {
            for (own, other, right, won) in
                [(KING, QUEEN, Bet::Bet, 2.0), (JACK, KING, Bet::Pass, -1.0), (QUEEN, KING, Bet::Bet, 0.0)]
            {
                let second = bets[1].is_none();
                let cards = if second { [other, own] } else { [own, other] };
                let (action, values) = search(&Kuhn, &Hand { cards, bets }, settings(root, 4_000), 1);
                assert_eq!(action, right, "{root:?} {own} {bets:?}: {values:?}");
                // Both bet the same amount, so a lead is twice the win.
                let value = values.iter().find(|(action, _)| *action == right).unwrap().1 / 2.0;
                assert!((value - won).abs() < 0.1, "{root:?} {own} {bets:?}: {value} instead of {won}");
            }
        }
    }
}

/// The second seat, after a check: betting with the king never loses anything, and never wins less than a
/// check.
#[test]
fn the_king_bets_and_its_value_is_between_one_and_two() {
    for root in [Root::Tree, Root::Halving] {
        let hand = Hand { cards: [QUEEN, KING], bets: [Some(Bet::Pass), None, None] };
        let (action, values) = search(&Kuhn, &hand, settings(root, 4_000), 2);
        assert_eq!(action, Bet::Bet, "{root:?}: {values:?}");
        for (bet, lead) in values {
            let won = lead / 2.0;
            let expected = if bet == Bet::Pass { 1.0..=1.05 } else { 0.95..=2.05 };
            assert!(expected.contains(&won), "{root:?} {bet:?}: {won}");
        }
    }
}

/// The other hand is hidden: both worlds give the same decision and the same values.
#[test]
fn the_other_card_makes_no_difference() {
    for root in ROOTS {
        let worlds = [JACK, KING].map(|other| Hand { cards: [QUEEN, other], bets: [None; 3] });
        let [a, b] = worlds.map(|hand| search(&Kuhn, &hand, settings(root, 500), 3));
        assert_eq!(a, b);
    }
}

// --- Nim: take one to three; who takes the last one wins ---

#[derive(Clone, Copy)]
struct Nim {
    seats: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Heap {
    stones: u8,
    to_move: Seat,
}

impl Game for Nim {
    type State = Heap;
    type Action = u8;
    type Observation<'s> = Look<'s, Nim>;

    fn seats(&self) -> usize {
        self.seats
    }

    fn deal(&self, _: &mut impl Chance) -> Heap {
        Heap { stones: 10, to_move: Seat::new(0) }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        if heap.stones == 0 { Turn::Over } else { Turn::Of(heap.to_move) }
    }

    fn legal_actions<B>(&self, heap: &Heap, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=heap.stones.min(3)).try_for_each(visit)
    }

    fn check(&self, heap: &Heap, taken: u8) -> Result<(), IllegalAction> {
        if (1..=heap.stones.min(3)).contains(&taken) { Ok(()) } else { Err(IllegalAction::Unknown("move")) }
    }

    fn play_unchecked(&self, heap: &mut Heap, taken: u8, _: &mut impl Chance) {
        heap.stones -= taken;
        heap.to_move = heap.to_move.next(self.seats);
    }

    fn scores(&self, heap: &Heap) -> Scores {
        let winner = heap.to_move.previous(self.seats);
        let won = |seat: Seat| seat == winner;
        Scores {
            points: Seat::all(self.seats).map(|seat| i16::from(won(seat))).collect(),
            ranks: Seat::all(self.seats).map(|seat| u8::from(!won(seat))).collect(),
        }
    }

    fn observe<'s>(&'s self, state: &'s Heap, seat: Seat) -> Look<'s, Self> {
        Look { game: self, state, seat }
    }

    fn determinize(&self, look: &Look<'_, Self>, _: &mut Dice) -> Heap {
        *look.state
    }
}

/// With two seats the right move leaves a multiple of four.
#[test]
fn nim_is_solved() {
    let wins = |root| Settings { margin: 0.0, exploration: 0.5, ..settings(root, 20_000) };
    for root in [Root::Tree, Root::Halving] {
        for stones in [5, 6, 7, 9, 10, 11] {
            let heap = Heap { stones, to_move: Seat::new(0) };
            let (taken, values) = search(&Nim { seats: 2 }, &heap, wins(root), 4);
            assert_eq!(taken, stones % 4, "{root:?}, {stones} stones: {values:?}");
        }
    }
}

/// With three seats, too, a win is taken at once.
#[test]
fn three_seats_take_the_win() {
    for to_move in Seat::all(3) {
        for stones in 1..=3 {
            let heap = Heap { stones, to_move };
            let wins = Settings { margin: 0.0, ..settings(Root::Tree, 500) };
            assert_eq!(search(&Nim { seats: 3 }, &heap, wins, 5).0, stones, "{to_move}");
        }
    }
}

// --- Two choices: the first seat's, then the second's; the third looks on ---

/// Points of all seats, by both choices.
#[derive(Clone, Copy)]
struct Fork([[[i16; 3]; 2]; 2]);

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Choices {
    made: usize,
    chosen: [usize; 2],
}

impl Game for Fork {
    type State = Choices;
    type Action = u8;
    type Observation<'s> = Look<'s, Fork>;

    fn seats(&self) -> usize {
        3
    }

    fn deal(&self, _: &mut impl Chance) -> Choices {
        Choices::default()
    }

    fn turn(&self, choices: &Choices) -> Turn {
        if choices.made == 2 { Turn::Over } else { Turn::Of(Seat::new(choices.made)) }
    }

    fn legal_actions<B>(&self, choices: &Choices, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        if choices.made == 2 { ControlFlow::Continue(()) } else { (0..2).try_for_each(visit) }
    }

    fn check(&self, choices: &Choices, choice: u8) -> Result<(), IllegalAction> {
        if choices.made < 2 && choice < 2 { Ok(()) } else { Err(IllegalAction::Unknown("choice")) }
    }

    fn play_unchecked(&self, choices: &mut Choices, choice: u8, _: &mut impl Chance) {
        choices.chosen[choices.made] = choice.into();
        choices.made += 1;
    }

    fn scores(&self, choices: &Choices) -> Scores {
        let points = self.0[choices.chosen[0]][choices.chosen[1]];
        let rank = |own: &i16| points.iter().filter(|&other| other > own).count() as u8;
        Scores { points: points.into_iter().collect(), ranks: points.iter().map(rank).collect() }
    }

    fn observe<'s>(&'s self, state: &'s Choices, seat: Seat) -> Look<'s, Self> {
        Look { game: self, state, seat }
    }

    fn determinize(&self, look: &Look<'_, Self>, _: &mut Dice) -> Choices {
        *look.state
    }
}

/// Every seat is expected to do what is best for itself (max^n): neither to harm the one that searches, nor
/// to help it.
#[test]
fn every_seat_looks_after_itself() {
    // On the left the second seat gains by what is best for the first one, and would have to give up points
    // to harm it.
    let harmless = Fork([[[90, 60, 0], [0, 10, 60]], [[40, 20, 20], [40, 20, 20]]]);
    // On the left the second seat would have to give up points to help.
    let helpless = Fork([[[90, 10, 0], [0, 60, 20]], [[40, 20, 20], [40, 20, 20]]]);
    for root in [Root::Tree, Root::Halving] {
        for (fork, right) in [(harmless, 0), (helpless, 1)] {
            let (choice, values) = search(&fork, &Choices::default(), settings(root, 2_000), 7);
            assert_eq!(choice, right, "{root:?}: {values:?}");
        }
    }
}

/// A playout that is cut off has the value that the guide returns: nothing for any seat.
#[test]
fn a_cut_off_playout_is_evaluated() {
    let cut = Settings { cutoff: 1, depth: 0, ..settings(Root::Even, 300) };
    let (_, values) = search(&Nim { seats: 2 }, &Heap { stones: 30, to_move: Seat::new(0) }, cut, 6);
    assert!(values.iter().all(|(_, lead)| lead.abs() < 1e-6), "{values:?}");
}
