//! The invariants of the Card Game: section 8 of the rules.

use crate::card_game::{Action, CardGame, Ending, Phase, State};
use crate::game::{Game, Turn};
use crate::pieces::{CardKind, Cards, Seat, TicketId, TicketPlace, TicketSet};
use crate::spec::Assignment;
use crate::testing::{Census, Inspect};

/// Facts that are followed through one game.
#[derive(Default)]
pub struct CardGameTracker {
    /// The seat that emptied the deck; none in a round that was dealt without one.
    trigger: Option<Seat>,
    /// Turns since.
    final_turns: usize,
    /// The seat whose turn ended last.
    last_turn: Option<Seat>,
}

impl Inspect for CardGame {
    type Tracker = CardGameTracker;

    fn assert_invariants(&self, s: &State) {
        assert_cards(self, s);
        assert_yards(self, s);
        assert_tickets(self, s);
    }

    fn assert_step(&self, tracker: &mut CardGameTracker, before: &State, action: Action, after: &State) {
        assert_hands(self, before, action, after);
        assert_tracks(self, before, after);
        for seat in Seat::all(self.seats) {
            let done = |s: &State| s.tickets.at(TicketPlace::Done(seat));
            assert!(done(before).is_subset(done(after)), "a completed ticket was lost");
        }
        assert_turns(self, tracker, before, action, after);
        assert_completion(self, before, action, after);
    }

    fn assert_end(&self, tracker: &CardGameTracker, s: &State) {
        let Phase::Over(ending) = s.phase else { panic!("the game is not over") };
        if ending == Ending::LastTurns {
            assert_eq!(tracker.final_turns, 0, "the tracker starts again with each round");
            assert!(s.cards.deck.is_empty(), "last turns with cards in the deck (CG-12)");
        }
        assert_eq!(s.round + 1, self.rounds, "rounds played");
        assert_scores(self, s);
        assert_eq!(self.turn(s), Turn::Over);
    }

    fn conceivable_actions(&self, _: &State) -> Vec<Action> {
        let mut space = vec![
            Action::TakeBlind,
            Action::StopDrawing,
            Action::DrawTickets,
            Action::StopCompleting,
            Action::Pass,
        ];
        space.extend((0..=u8::MAX).map(Action::Keep));
        space.extend(CardKind::ALL.map(Action::TakeFaceUp));
        space.extend((0..self.tickets.len() as u8 + 2).map(|id| Action::Complete(TicketId::from_u8(id))));
        for colour in CardKind::ALL {
            for cards in (0..13).chain([u8::MAX]) {
                for locomotives in (0..18).chain([u8::MAX]) {
                    space.push(Action::PlayRow { colour, cards, locomotives });
                }
            }
            for second in CardKind::ALL {
                space.extend(CardKind::ALL.map(|third| Action::PlayThree([colour, second, third])));
            }
        }
        space
    }

    fn facts(&self, state: &State, seat: Seat) -> String {
        format!("{:#?}", self.observe(state, seat))
    }

    fn census(&self, _: &Self::Tracker, before: &State, action: Action, after: &State, census: &mut Census) {
        census.count(match action {
            Action::Keep(0) => "keep none",
            Action::Keep(_) => "keep",
            Action::TakeBlind => "take blind",
            Action::TakeFaceUp(CardKind::Locomotive) => "take a face-up locomotive",
            Action::TakeFaceUp(_) => "take face up",
            Action::StopDrawing => "stop after one card",
            Action::PlayRow { locomotives: 0, .. } => "row",
            Action::PlayRow { .. } => "row with locomotives",
            Action::PlayThree(_) => "three-colour play",
            Action::DrawTickets => "draw tickets",
            Action::Complete(_) => "complete a ticket",
            Action::StopCompleting => "complete no more",
            Action::Pass => "forced pass",
        });
        if let Action::PlayRow { colour, .. } = action {
            let robbed = before.yards.iter().enumerate().filter(|&(seat, _)| seat != before.seat.index());
            let row: Vec<_> = robbed.filter(|(_, yard)| yard.rows().count(colour) > 0).collect();
            if let [(_, yard)] = row[..] {
                census.count("robbed row");
                if yard.locomotives.count(colour) > 0 {
                    census.count("robbed row with locomotives");
                }
            }
        }
        if !before.cards.deck.is_empty() && after.cards.deck.is_empty() {
            census.count(match action {
                Action::TakeBlind => "deck emptied by a blind draw",
                _ => "deck emptied by a refill",
            });
        }
        if before.ticket_deck_len() > 0 && after.ticket_deck_len() == 0 {
            census.count("empty ticket deck");
        }
        if after.final_turns > 0 && matches!(action, Action::TakeFaceUp(_)) && before.final_turns > 0 {
            census.count("card taken in a last turn");
        }
        if before.bottom.len() > after.bottom.len() {
            census.count("ticket drawn from the bottom");
        }
        let buried = |s: &State| s.tickets.at(TicketPlace::Mixed).len();
        if buried(before) < buried(after) {
            census.count("batch broken by another seat");
        }
        if before.round < after.round {
            census.count("round 2");
            if after.final_turns > 0 {
                census.count("round 2 without a deck");
            }
        }
        if let Phase::Over(ending) = after.phase {
            census.count(match ending {
                Ending::LastTurns => "end: last turns",
                Ending::NoProgress => "end: no progress",
            });
        }
    }
}

fn all_cards(s: &State) -> Cards {
    let seats =
        (0..s.cards.hands.len()).map(|seat| s.cards.hands[seat] + s.tracks[seat] + s.yards[seat].all());
    seats.fold(s.cards.deck + s.cards.discard + s.cards.market, |all, cards| all + cards)
}

fn assert_cards(game: &CardGame, s: &State) {
    assert_eq!(all_cards(s), game.deck, "cards were lost or made (I-2)");
    for seat in Seat::all(game.seats) {
        assert!(s.cards.hands[seat].contains(s.cards.shown[seat]), "{seat} showed cards it does not hold");
    }
    if s.cards.market.total() < game.spec.rules.market {
        assert!(s.cards.deck.is_empty(), "a market slot waits (I-5)");
    }
    if s.cards.deck.is_empty() && s.phase == Phase::Main {
        assert!((1..=game.seats).contains(&s.final_turns.into()), "an empty deck without last turns (I-36)");
    }
    if s.final_turns > 0 {
        assert!(s.cards.deck.is_empty(), "last turns with cards in the deck (I-36)");
    }
}

fn assert_yards(game: &CardGame, s: &State) {
    for colour in CardKind::COLOURS {
        let rows = s.yards.iter().filter(|yard| yard.rows().count(colour) > 0);
        assert!(rows.count() <= 1, "{colour} lies in two yards (I-33)");
        for yard in &s.yards {
            let bare = yard.locomotives.count(colour) > 0 && yard.cards.count(colour) == 0;
            assert!(!bare, "a row without its colour (I-34)");
        }
    }
    for yard in &s.yards {
        assert_eq!(yard.rows().locomotives(), 0, "a row of the colour locomotive (A-37)");
    }
    for seat in game.seats..s.yards.len() {
        assert!((s.cards.hands[seat] + s.tracks[seat] + s.yards[seat].all()).is_empty(), "cards of nobody");
    }
}

fn assert_tickets(game: &CardGame, s: &State) {
    let places = |place: fn(Seat) -> TicketPlace| {
        Seat::all(4).fold(TicketSet::EMPTY, |all, seat| all | s.tickets.at(place(seat)))
    };
    let put_back = places(TicketPlace::PutBack);
    let (deck, offered) = (s.tickets.at(TicketPlace::Deck), s.tickets.at(TicketPlace::Offered));
    let buried = s.tickets.at(TicketPlace::Mixed);
    let boxed = s.tickets.at(TicketPlace::Box) & game.all_tickets;
    let parts = [
        places(TicketPlace::Held),
        places(TicketPlace::HeldOver),
        put_back,
        places(TicketPlace::Done),
        places(TicketPlace::Chosen),
        deck,
        offered,
        buried,
        boxed,
    ];
    assert_eq!(
        parts.iter().map(|part| part.len()).sum::<usize>(),
        game.tickets.len(),
        "tickets are lost (I-20)"
    );
    assert!(parts.iter().all(|part| part.is_subset(game.all_tickets)), "tickets that do not exist");
    let below = s.bottom.tickets();
    assert_eq!(below.len(), s.bottom.len(), "a ticket lies twice under the deck (I-20)");
    if s.phase == Phase::Opening {
        assert!(s.bottom.len() == 0 && buried.is_empty());
    } else {
        assert_eq!(below, put_back | buried, "what was put back lies under the deck (CG-10)");
    }
    for batch in s.bottom.batches() {
        let owners = Seat::all(4).filter(|&seat| batch.intersects(s.tickets.at(TicketPlace::PutBack(seat))));
        assert!(owners.count() <= 1, "two seats put back together");
    }
    let choosing = matches!(s.phase, Phase::Opening | Phase::Tickets);
    assert_eq!(choosing, !offered.is_empty());
    for seat in Seat::all(game.seats) {
        let has = [TicketPlace::Held, TicketPlace::HeldOver, TicketPlace::Done, TicketPlace::Chosen]
            .iter()
            .fold(TicketSet::EMPTY, |all, place| all | s.tickets.at(place(seat)));
        let (kept, returned) = (s.kept_first(seat), s.returned(seat));
        assert!(kept.is_subset(has), "{seat} does not have what it kept");
        // Positions made to order had no opening.
        if s.phase != Phase::Opening && !s.kept_first(Seat::new(0)).is_empty() {
            let rules = &game.spec.rules;
            assert_eq!(kept.len() + returned.len(), usize::from(rules.opening_tickets), "CG-2");
            assert!(kept.len() >= rules.opening_keep.into(), "{seat} kept too few (I-21)");
        }
        if !matches!(s.phase, Phase::Completing(_)) {
            assert!(s.tickets.at(TicketPlace::Chosen(seat)).is_empty());
        }
        let (held_over, done) =
            (s.tickets.at(TicketPlace::HeldOver(seat)), s.tickets.at(TicketPlace::Done(seat)));
        if game.remembers_completion(s) {
            let best = game.best_completion(s.old_tracks[seat], done | held_over).tickets;
            // Positions made to order have no track stacks from before.
            let made = s.old_tracks == [Cards::EMPTY; 4];
            assert!(made || best == done, "{seat} holds a ticket that round 1 completed (I-45)");
        } else {
            assert!(held_over.is_empty());
        }
        assert!(game.is_completable(s.tracks[seat], s.tickets.at(TicketPlace::Chosen(seat))), "I-37");
        assert!(s.cards.hidden()[seat].contains(s.old_hands[seat]), "{seat} holds what it kept (I-45)");
    }
}

/// Whether a turn, or the opening choice of a seat, ended between two decisions.
fn turn_over(before: &State, after: &State) -> bool {
    after.turns > before.turns
}

/// How hands change (I-8, I-38).
fn assert_hands(game: &CardGame, before: &State, action: Action, after: &State) {
    let new_round = after.round > before.round;
    let mut expected = before.cards.hands;
    let hand = &mut expected[before.seat];
    match action {
        Action::TakeBlind | Action::TakeFaceUp(_) => {
            let ends = action == Action::TakeFaceUp(CardKind::Locomotive);
            assert!(!(ends && before.phase == Phase::SecondCard), "CC-10");
            if before.phase == Phase::Main && turn_over(before, after) && !ends && !new_round {
                let mut choosing = *after;
                choosing.phase = Phase::SecondCard;
                assert!(
                    after.cards.deck.is_empty() && game.takeable(&choosing).is_empty(),
                    "a second card was to be had (CC-9)"
                );
            }
            if !new_round {
                let total = after.cards.hands[before.seat].total();
                assert_eq!(total, hand.total() + 1, "I-8");
                *hand = after.cards.hands[before.seat];
            } else if let Action::TakeFaceUp(kind) = action {
                hand.insert(kind);
            }
        }
        Action::PlayRow { colour, cards, locomotives } => {
            *hand -= Cards::of(colour, cards) + Cards::of(CardKind::Locomotive, locomotives);
        }
        Action::PlayThree(colours) => *hand -= colours.into_iter().collect(),
        _ => {}
    }
    if !new_round {
        assert_eq!(expected, after.cards.hands, "hands changed");
        return;
    }
    assert!(before.cards.deck.is_empty() || before.idle_turns > 0, "a round ended early");
    let mut dealt = 0;
    for (seat, &expected) in expected.iter().enumerate() {
        assert!(after.cards.hands[seat].contains(expected), "a hand lost cards between rounds (I-38)");
        let new = after.cards.hands[seat].total() - expected.total();
        assert!(new <= game.spec.rules.second_round_hand, "I-38");
        dealt += usize::from(new);
        assert!(after.tracks[seat].is_empty() && after.yards[seat].rows().is_empty(), "I-38");
    }
    let all = usize::from(game.spec.rules.second_round_hand) * game.seats;
    assert!(dealt == all || after.cards.market.is_empty() && after.cards.deck.is_empty(), "I-38");
    assert!(after.cards.discard.is_empty(), "I-38");
}

/// How yards and track stacks change (I-34, I-35).
fn assert_tracks(game: &CardGame, before: &State, after: &State) {
    if after.round > before.round {
        return;
    }
    for seat in Seat::all(game.seats) {
        let i = seat.index();
        let starts = turn_over(before, after) && after.phase == Phase::Main && after.seat == seat;
        let (old, new) = (before.tracks[i], after.tracks[i]);
        assert!(new.contains(old), "a track stack shrank (I-35)");
        if !starts {
            assert_eq!(old, new, "a track stack grew out of turn (I-35)");
            continue;
        }
        // Robbing can take rows away before the turn starts; what is left loses one card of each row.
        let (rows, left) = (before.yards[i].rows(), after.yards[i].rows());
        let mut moved = 0;
        for colour in CardKind::COLOURS {
            let (row, left) = (rows.count(colour), left.count(colour));
            let robbed =
                after.yards.iter().enumerate().any(|(other, yard)| {
                    other != i && yard.rows().count(colour) > 0 && rows.count(colour) > 0
                });
            if row > 0 && !robbed {
                assert_eq!(left, row - 1, "a {colour} row (I-34)");
                moved += 1;
            } else {
                assert_eq!(left, 0);
            }
        }
        assert_eq!(new.total() - old.total(), moved, "I-35");
    }
}

/// Whose turn it is, and how a round ends (CG-12, CG-18).
fn assert_turns(
    game: &CardGame,
    tracker: &mut CardGameTracker,
    before: &State,
    action: Action,
    after: &State,
) {
    if matches!(before.phase, Phase::Opening) {
        if after.phase == Phase::Main {
            assert_eq!(after.seat, after.first, "the first seat starts");
        }
        return;
    }
    if action == Action::Pass {
        assert_eq!(game.count_actions(before), 1, "a pass although something is possible (CG-11)");
    }
    if turn_over(before, after) {
        if let Some(last) = tracker.last_turn {
            assert_eq!(before.seat, last.next(game.seats), "a turn was skipped");
        }
        tracker.last_turn = Some(before.seat);
        assert_eq!(after.seat, before.seat.next(game.seats), "turns out of order");
        if before.final_turns > 0 {
            tracker.final_turns += 1;
        } else if before.phase != Phase::Over(Ending::LastTurns)
            && after.final_turns > 0
            && after.round == before.round
        {
            tracker.trigger = Some(before.seat);
        }
    } else if !matches!(before.phase, Phase::Completing(_)) {
        assert_eq!(after.seat, before.seat, "another seat within a turn");
    }
    let ended = after.round > before.round || matches!(after.phase, Phase::Over(_));
    if ended {
        if tracker.final_turns == game.seats {
            if let Some(trigger) = tracker.trigger {
                assert_eq!(tracker.last_turn, Some(trigger), "who emptied the deck is last (I-36)");
            }
        } else {
            let limit = game.idle_limit.expect("only the guard ends a round early");
            let idle = before.idle_turns + u16::from(turn_over(before, after));
            assert!(idle >= limit, "the round ended after {} last turns (I-36)", tracker.final_turns);
        }
        if after.round > before.round {
            assert_eq!(Some(after.seat), tracker.last_turn.map(|seat| seat.next(game.seats)), "CG-18");
        }
        *tracker = CardGameTracker { last_turn: tracker.last_turn, ..CardGameTracker::default() };
    }
}

/// Completed sets are completable and can't be extended (I-37).
fn assert_completion(game: &CardGame, before: &State, action: Action, after: &State) {
    let ended = after.round > before.round || matches!(after.phase, Phase::Over(_));
    if !ended {
        return;
    }
    for seat in Seat::all(game.seats) {
        let i = seat.index();
        let new = after.tickets.at(TicketPlace::Done(seat)) - before.tickets.at(TicketPlace::Done(seat));
        // A phase-1 move never follows the last turn, so the track is the one before.
        let track = before.tracks[i];
        assert!(game.is_completable(track, new), "tickets completed without cards (I-37)");
        if game.spec.rules.assignment == Assignment::PlayerChoice {
            assert_eq!(action, Action::StopCompleting);
            assert_eq!(new, before.tickets.at(TicketPlace::Chosen(seat)), "A-41");
            continue;
        }
        for ticket in after.held(seat) {
            let mut more = new;
            more.insert(ticket);
            assert!(!game.is_completable(track, more), "one more ticket could be completed (I-37)");
        }
    }
}

/// The score from the tickets alone (CG-19 to CG-21).
fn assert_scores(game: &CardGame, s: &State) {
    let sheet = game.score_sheet(s);
    let value = |tickets: TicketSet| -> i16 {
        tickets.into_iter().map(|ticket| i16::from(game.tickets[ticket.index()].points)).sum()
    };
    let done: Vec<_> = Seat::all(game.seats).map(|seat| s.tickets.at(TicketPlace::Done(seat))).collect();
    for (seat, score) in Seat::all(game.seats).zip(&sheet) {
        let mut total = value(done[seat]) - value(s.held(seat));
        for city in &game.big_cities {
            let naming = |tickets: TicketSet| {
                let named = |ticket: &TicketId| game.tickets[ticket.index()].ends.contains(&city.name);
                tickets.into_iter().filter(named).count()
            };
            let own = naming(done[seat]);
            if own > 0 && done.iter().all(|&other| naming(other) <= own) {
                total += i16::from(city.points);
            }
        }
        assert_eq!(score.total, total, "points of {seat}");
        let better = sheet.iter().filter(|other| {
            let key = |score: &crate::card_game::SeatScore| (score.total, score.completed, score.bonus_cards);
            key(other) > key(score)
        });
        assert_eq!(usize::from(score.rank), better.count());
    }
}
