//! A perfect memory (I-45): what follows from earlier events, not only from what lies on the table.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, BoardGame, Phase, State};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Dice, Game, Seat, Turn};

use crate::{MARKET, game, pile, variant};

/// What the players at the table could write down about the deck since the last reshuffle.
struct Notes {
    /// Cards that each seat has drawn blind since then.
    blind: Vec<Cards>,
    /// Cards stored since then, that may still be in a warehouse or in the hand of whoever collected it.
    stored: Cards,
    reshuffled: bool,
    /// No hidden card has left the deck since then.
    untouched: bool,
}

impl Notes {
    fn new(seats: usize) -> Self {
        Self { blind: vec![Cards::EMPTY; seats], stored: Cards::EMPTY, reshuffled: false, untouched: false }
    }

    fn note(&mut self, game: &BoardGame, before: &Table<'_>, action: Action, after: &Table<'_>) {
        let (old, new) = (before.piles()[0], after.piles()[0]);
        // Cards only leave the deck, unless there is a new one.
        let renewed = !old.contains(new);
        if renewed {
            *self = Self::new(game.seats());
            let emptied = Seat::all(game.seats()).all(|seat| after.warehouse_of(seat.into()).is_empty())
                && Seat::all(game.seats()).any(|seat| !before.warehouse_of(seat.into()).is_empty());
            self.reshuffled = !emptied;
            self.untouched = true;
        }
        let seat = before.seat();
        match action {
            // The last card of the old deck is not from the new one.
            Action::TakeBlind if !(renewed && old.total() == 1) => {
                self.blind[usize::from(seat)] += after.hand_of(seat).saturating_sub(before.hand_of(seat));
                self.untouched = false;
            }
            Action::Store(owner) if !(renewed && old.total() == 1) => {
                self.stored +=
                    after.warehouse_of(owner.into()).saturating_sub(before.warehouse_of(owner.into()));
                self.untouched = false;
            }
            _ => {}
        }
    }

    /// The cards that the deck may have, for all that a seat knows.
    fn possible(&self, deck: Cards, seat: Seat) -> Cards {
        let others = self.blind.iter().enumerate().filter(|&(other, _)| other != seat.index());
        others.fold(deck + self.stored, |all, (_, &cards)| all + cards)
    }
}

/// How good guesses of the deck are after reshuffles.
#[derive(Default)]
struct Quality {
    /// Guesses when no hidden card has left the deck since, and those with another deck than the true one.
    direct: [u32; 2],
    /// Cards of guessed decks at any later time, and those that can't be there.
    later: [u32; 2],
}

/// Plays games with many draws, and guesses the deck after reshuffles.
fn guess_decks(game: &BoardGame, games: u64) -> Quality {
    let mut quality = Quality::default();
    for seed in 0..games {
        let mut dice = Dice::from_seed(seed);
        let mut state = game.deal(&mut dice);
        let mut notes = Notes::new(game.seats());
        while let Turn::Of(_) = game.turn(&state) {
            let before = Table::at(game, state);
            let action = hoard(game, &state, &mut dice);
            game.play(&mut state, action, &mut dice).unwrap();
            let after = Table::at(game, state);
            notes.note(game, &before, action, &after);
            let deck = after.piles()[0];
            if !notes.reshuffled || deck.is_empty() || matches!(after.phase(), Phase::Tunnel { .. }) {
                continue;
            }
            for seat in Seat::all(game.seats()) {
                let world = game.determinize(&game.observe(&state, seat), &mut dice);
                let guess = Table::at(game, world).piles()[0];
                if notes.untouched {
                    quality.direct[0] += 1;
                    quality.direct[1] += u32::from(guess != deck);
                }
                quality.later[0] += u32::from(guess.total());
                quality.later[1] += u32::from(guess.saturating_sub(notes.possible(deck, seat)).total());
            }
        }
    }
    quality
}

/// Draws cards in three turns of four.
fn hoard(game: &BoardGame, state: &State, dice: &mut Dice) -> Action {
    for _ in 0..8 {
        let action = game.random_action(state, dice);
        let draws = matches!(action, Action::TakeBlind | Action::TakeFaceUp(_) | Action::Store(_));
        if draws || dice.below(4) == 0 {
            return action;
        }
    }
    game.random_action(state, dice)
}

/// All games in which decks are reshuffled and somebody does not know who holds what.
fn tables() -> Vec<(&'static str, BoardGame)> {
    vec![
        ("europe, 3 seats", game("europe", 3)),
        ("europe, 4 seats", game("europe", 4)),
        ("europe, 5 seats", game("europe", 5)),
        ("usa, 3 seats", game("usa", 3)),
        ("nordic, 3 seats", game("nordic", 3)),
        ("first-journey-usa, 3 seats", game("first-journey-usa", 3)),
        ("europe+depots, 2 seats", variant("europe", 2, "rules.depots = {}")),
        ("usa+depots, 2 seats", variant("usa", 2, "rules.depots = {}")),
        ("europe+depots, 4 seats", variant("europe", 4, "rules.depots = {}")),
    ]
}

/// I-45 (a): right after a reshuffle everybody knows the deck; later, nearly all of it.
#[test]
fn i_45_the_deck_is_known_after_a_reshuffle() {
    for (name, game) in tables() {
        let Quality { direct: [guesses, wrong], later: [cards, impossible] } = guess_decks(&game, 6);
        // In First Journey a reshuffle comes with a blind draw.
        assert!(guesses > 30 || name.starts_with("first-journey"), "{name}: only {guesses} guesses");
        assert_eq!(wrong, 0, "{name}: of {guesses} guesses right after a reshuffle");
        let share = f64::from(impossible) / f64::from(cards);
        assert!(share < 0.01, "{name}: {:.1} % of {cards} deck cards can't be there", 100.0 * share);
    }
}

/// The size of what is not remembered, for docs/ARCHITECTURE.md.
#[test]
#[ignore = "prints a table; run with --ignored --nocapture"]
fn share_of_deck_cards_that_can_not_be_there() {
    for (name, game) in tables() {
        let Quality { direct: [guesses, wrong], later: [cards, impossible] } = guess_decks(&game, 60);
        let share = 100.0 * f64::from(impossible) / f64::from(cards);
        println!(
            "{name}: {wrong} of {guesses} decks wrong right after a reshuffle; later {share:.2} % of {cards} cards"
        );
    }
}

/// I-45 (a): cards from before a reshuffle stay with those who hid them, also when they were stored or
/// collected.
#[test]
fn i_45_hidden_cards_from_before_a_reshuffle() {
    let game = variant("usa", 2, "rules.depots = {}");
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 3)]).hand(1, [(Blue, 3), (Locomotive, 4)]).warehouse(1, [(Locomotive, 2)]);
    table.depots(0, ["Denver"]).depots(1, ["Miami"]).market(MARKET).deck_rest_discarded([Black]).turn(0);
    table.play("store 2", cards([Black])).unwrap();
    assert_eq!(table.seen_by(0).old_cards(), pile([(Red, 3), (Blue, 3), (Locomotive, 6), (Black, 1)]));
    let mut dice = Dice::from_seed(1);
    let deck = table.piles()[0];
    for _ in 0..100 {
        let world = Table::at(&game, game.determinize(&table.seen_by(0), &mut dice));
        assert_eq!(world.piles()[0], deck, "the deck is what was discarded");
        let hidden = world.hand_of(1) + world.warehouse_of(1);
        assert_eq!(hidden, pile([(Blue, 3), (Locomotive, 6), (Black, 1)]));
    }
    let view = table.seen_by(0);
    assert_eq!((view.old_in_hand(Seat::new(1)), view.old_in_warehouse(Seat::new(1))), (7, 3));
}
