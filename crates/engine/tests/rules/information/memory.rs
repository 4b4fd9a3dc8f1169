//! A perfect memory (I-45): what follows from earlier events, not only from what lies on the table.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, BoardGame, Phase, State};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{CardKind, Cards, Dice, Game, Seat, Turn};

use crate::{MARKET, game, pile, variant};

/// Where the deck comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Deal,
    Discard,
    Warehouses,
}

/// Hidden cards that come from one deck.
#[derive(Clone, Default)]
struct Hidden {
    /// By seat, the most that can be in its hand. A card that was played is taken out if it can't come from
    /// another deck.
    hands: [Cards; 5],
    /// By owner, in its warehouse.
    stored: [Cards; 5],
    /// In the current deck, after the warehouses were emptied.
    emptied: Cards,
}

/// What the players at the table could write down about hidden cards.
struct Notes {
    /// By deck, the last one being the current one.
    decks: Vec<Hidden>,
    origin: Origin,
    /// No hidden card has left the current deck.
    untouched: bool,
}

impl Notes {
    fn new(table: &Table<'_>, seats: usize) -> Self {
        let mut dealt = Hidden::default();
        Seat::all(seats).for_each(|seat| dealt.hands[seat] = table.hand_of(seat.into()));
        Self { decks: vec![dealt], origin: Origin::Deal, untouched: false }
    }

    fn note(&mut self, game: &BoardGame, before: &Table<'_>, action: Action, after: &Table<'_>) {
        let (old, new) = (before.piles()[0], after.piles()[0]);
        // Cards only leave the deck, unless there is a new one.
        let renewed = !old.contains(new);
        let seat = usize::from(before.seat());
        let last = self.decks.last_mut().expect("one was dealt");
        // The last card of the old deck is not from the new one.
        let from_old = !renewed || old.total() == 1;
        match action {
            Action::TakeBlind if from_old => {
                last.hands[seat] +=
                    after.hand_of(before.seat()).saturating_sub(before.hand_of(before.seat()));
                self.untouched = false;
            }
            Action::Store(owner) if from_old => {
                let stored =
                    after.warehouse_of(owner.into()).saturating_sub(before.warehouse_of(owner.into()));
                // If it is not there, it was emptied at once.
                last.stored[owner] += if stored.is_empty() { old } else { stored };
                self.untouched = false;
            }
            Action::Collect(owner) => {
                for deck in &mut self.decks {
                    deck.hands[seat] += std::mem::take(&mut deck.stored[owner]);
                }
            }
            _ => self.note_played(game, before, after),
        }
        if renewed {
            let emptied = Seat::all(game.seats()).all(|seat| after.warehouse_of(seat.into()).is_empty())
                && self.decks.iter().any(|deck| deck.stored.iter().any(|cards| !cards.is_empty()));
            for deck in &mut self.decks {
                let stored = deck.stored.iter().fold(Cards::EMPTY, |all, &cards| all + cards);
                deck.emptied = if emptied { stored } else { Cards::EMPTY };
                if emptied {
                    deck.stored = Default::default();
                }
            }
            self.decks.push(Hidden::default());
            self.origin = if emptied { Origin::Warehouses } else { Origin::Discard };
            self.untouched = true;
        }
        if renewed && !from_old {
            // The card came from the new deck.
            let last = self.decks.last_mut().expect("it was just pushed");
            match action {
                Action::TakeBlind => {
                    last.hands[seat] +=
                        after.hand_of(before.seat()).saturating_sub(before.hand_of(before.seat()));
                    self.untouched = false;
                }
                Action::Store(owner) => {
                    last.stored[owner] +=
                        after.warehouse_of(owner.into()).saturating_sub(before.warehouse_of(owner.into()));
                    self.untouched = false;
                }
                _ => {}
            }
        }
    }

    /// Cards that nobody had seen leave hands.
    fn note_played(&mut self, game: &BoardGame, before: &Table<'_>, after: &Table<'_>) {
        for seat in Seat::all(game.seats()) {
            let hidden =
                |table: &Table<'_>| table.hand_of(seat.into()) - table.seen_by(seat.into()).shown(seat);
            let played = hidden(before).saturating_sub(hidden(after));
            for (kind, count) in played.iter() {
                let mut decks = self.decks.iter_mut().filter(|deck| deck.hands[seat].count(kind) > 0);
                if let (Some(deck), None) = (decks.next(), decks.next()) {
                    let gone = Cards::of(kind, count.min(deck.hands[seat].count(kind)));
                    deck.hands[seat] -= gone;
                }
            }
        }
    }

    /// The cards that the current deck can have, for all that a seat knows.
    fn possible(&self, deck: Cards, seat: Seat) -> Cards {
        let now = self.decks.last().expect("one was dealt");
        let others = now.hands.iter().enumerate().filter(|&(other, _)| other != seat.index());
        let hands = others.fold(deck, |all, (_, &cards)| all + cards);
        now.stored.iter().fold(hands, |all, &cards| all + cards)
    }

    /// The most of these cards that a deck can have that warehouses have become, for all that a seat knows:
    /// of each older deck, it has as many as were stored, among those that others hid. This is a flow from
    /// decks to kinds, and so the smallest of all cuts.
    fn most_from_warehouses(&self, cards: Cards, seat: Seat) -> u32 {
        let hidden = |deck: &Hidden| {
            let others = deck.hands.iter().enumerate().filter(|&(other, _)| other != seat.index());
            CardKind::ALL.map(|kind| {
                let hands = others.clone().map(|(_, hand)| u32::from(hand.count(kind))).sum::<u32>();
                hands + u32::from(deck.emptied.count(kind))
            })
        };
        let decks: Vec<_> =
            self.decks.iter().map(|deck| (u32::from(deck.emptied.total()), hidden(deck))).collect();
        let cut = |set: u32| {
            let (inside, outside): (Vec<usize>, Vec<usize>) = (0..9).partition(|kind| set >> kind & 1 != 0);
            let taken = inside.iter().map(|&kind| u32::from(cards.count(CardKind::ALL[kind]))).sum::<u32>();
            let left = |(stored, hidden): &(u32, [u32; 9])| {
                outside.iter().map(|&kind| hidden[kind]).sum::<u32>().min(*stored)
            };
            taken + decks.iter().map(left).sum::<u32>()
        };
        (0..1 << 9).map(cut).min().expect("there are cuts")
    }
}

/// How good guesses of the deck are after reshuffles.
#[derive(Default)]
struct Quality {
    /// Guesses when no hidden card has left the deck since, and those with another deck than the true one.
    direct: [u32; 2],
    /// Cards of guessed decks at any later time, and those that can't be there.
    later: [u32; 2],
    /// The same of decks that warehouses have just become, which may have held cards from before a reshuffle.
    emptied: [u32; 2],
}

/// Plays games with many draws, and guesses the deck after reshuffles.
fn guess_decks(game: &BoardGame, games: u64) -> Quality {
    let mut quality = Quality::default();
    for seed in 0..games {
        let mut dice = Dice::from_seed(seed);
        let mut state = game.deal(&mut dice);
        let mut notes = Notes::new(&Table::at(game, state), game.seats());
        while let Turn::Of(_) = game.turn(&state) {
            let before = Table::at(game, state);
            let action = hoard(game, &state, &mut dice);
            game.play(&mut state, action, &mut dice).unwrap();
            let after = Table::at(game, state);
            notes.note(game, &before, action, &after);
            let deck = after.piles()[0];
            let is_known = match notes.origin {
                Origin::Deal => false,
                Origin::Discard => true,
                Origin::Warehouses => notes.untouched,
            };
            if !is_known || deck.is_empty() || matches!(after.phase(), Phase::Tunnel { .. }) {
                continue;
            }
            for seat in Seat::all(game.seats()) {
                let world = game.determinize(&game.observe(&state, seat), &mut dice);
                let guess = Table::at(game, world).piles()[0];
                let total = u32::from(guess.total());
                if notes.origin == Origin::Warehouses {
                    quality.emptied[0] += total;
                    quality.emptied[1] += total - notes.most_from_warehouses(guess, seat);
                    continue;
                }
                if notes.untouched {
                    quality.direct[0] += 1;
                    quality.direct[1] += u32::from(guess != deck);
                }
                quality.later[0] += total;
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
fn tables() -> impl Iterator<Item = (String, BoardGame)> {
    [
        ("europe, 3 seats", game("europe", 3)),
        ("europe, 4 seats", game("europe", 4)),
        ("europe, 5 seats", game("europe", 5)),
        ("usa, 3 seats", game("usa", 3)),
        ("nordic, 3 seats", game("nordic", 3)),
        ("first-journey-usa, 3 seats", game("first-journey-usa", 3)),
    ]
    .into_iter()
    .map(|(name, game)| (name.to_owned(), game))
    .chain(depots())
}

/// Games in which warehouses become the deck.
fn depots() -> impl Iterator<Item = (String, BoardGame)> {
    ["europe", "usa"].into_iter().flat_map(|map| {
        (2..=5).map(move |seats| {
            (format!("{map}+depots, {seats} seats"), variant(map, seats, "rules.depots = {}"))
        })
    })
}

/// I-45 (a): right after a reshuffle everybody knows the deck; later, nearly all of it. Of a deck that
/// warehouses with old cards became, less is remembered.
#[test]
fn i_45_the_deck_is_known_after_a_reshuffle() {
    let share = |[cards, impossible]: [u32; 2]| f64::from(impossible) / f64::from(cards.max(1));
    let mut decks_from_warehouses = 0;
    for (name, game) in tables() {
        let Quality { direct: [guesses, wrong], later, emptied } = guess_decks(&game, 6);
        // In First Journey a reshuffle comes with a blind draw.
        assert!(guesses > 30 || name.starts_with("first-journey"), "{name}: only {guesses} guesses");
        assert_eq!(wrong, 0, "{name}: of {guesses} guesses right after a reshuffle");
        let percent = 100.0 * share(later);
        assert!(percent < 1.0, "{name}: {percent:.1} % of {} deck cards can't be there", later[0]);
        let percent = 100.0 * share(emptied);
        assert!(percent < 12.0, "{name}: {percent:.1} % of {} cards from warehouses", emptied[0]);
        decks_from_warehouses += emptied[0];
    }
    assert!(decks_from_warehouses > 1_000, "{decks_from_warehouses} cards");
}

/// The size of what is not remembered, for docs/ARCHITECTURE.md.
#[test]
#[ignore = "prints a table; run with --ignored --nocapture"]
fn share_of_deck_cards_that_can_not_be_there() {
    let share = |[cards, impossible]: [u32; 2]| {
        format!("{:.2} % of {cards} cards", 100.0 * f64::from(impossible) / f64::from(cards.max(1)))
    };
    for (name, game) in tables() {
        let Quality { direct: [guesses, wrong], later, emptied } = guess_decks(&game, 60);
        println!(
            "{name}: {wrong} of {guesses} decks wrong right after a reshuffle; later {}; of decks from warehouses {}",
            share(later),
            share(emptied)
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
