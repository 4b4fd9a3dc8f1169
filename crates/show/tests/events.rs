//! Events are complete: their sum is the position.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use support::{boards, card_games, each_step};
use ttr_engine::board::{Action, BoardGame};
use ttr_engine::card_game::CardGame;
use ttr_engine::{Cards, Dice, Game, Seat, maps};
use ttr_show::view::{SeatMore, TableView};
use ttr_show::{Event, Move, SeatView, Show};

fn kind(event: &Event) -> String {
    serde_json::to_value(event).unwrap()["type"].as_str().unwrap().to_owned()
}

/// The board as the events of one seat describe it.
#[derive(Default)]
struct Ledger {
    points: BTreeMap<Seat, u16>,
    routes: BTreeMap<Seat, BTreeSet<String>>,
    stations: BTreeMap<Seat, Vec<String>>,
    depots: BTreeMap<Seat, Vec<String>>,
    completed: BTreeMap<Seat, BTreeSet<String>>,
    bonus: BTreeMap<Seat, u8>,
    trains: BTreeMap<Seat, u8>,
    hand: Cards,
    discard: Cards,
    warehouses: BTreeMap<Seat, i32>,
}

impl Ledger {
    /// The state before the first event.
    fn new(view: &SeatView) -> Self {
        let own = view.own.as_ref().unwrap();
        Self { hand: own.hand, discard: view.discard, ..Self::default() }
    }

    fn add(&mut self, event: &Event, eyes: Seat) {
        match event.clone() {
            Event::Decision { seat, chosen, .. } => match chosen {
                Move::TakeFaceUp { card } if seat == eyes => self.hand.insert(card),
                Move::PlaceDepot { city } => self.depots.entry(seat).or_default().push(city),
                Move::Store { seat } => *self.warehouses.entry(seat).or_default() += 1,
                Move::Collect { seat } => *self.warehouses.entry(seat).or_default() = 0,
                _ => {}
            },
            Event::Drawn { seat, count, cards: Some(cards) } => {
                assert_eq!((cards.total(), seat), (count, eyes));
                self.hand += cards;
            }
            Event::Claimed { seat, route, cards, points, trains } => {
                self.pay(seat, cards, eyes);
                *self.points.entry(seat).or_default() += points;
                assert!(self.routes.entry(seat).or_default().insert(route), "{event:?}");
                self.trains.insert(seat, trains);
            }
            Event::Built { seat, city, cards } => {
                self.pay(seat, cards, eyes);
                self.stations.entry(seat).or_default().push(city);
            }
            Event::TurnedUp { cards, .. } | Event::Flushed { cards } => self.discard += cards,
            Event::Reshuffled { cards } => {
                assert_eq!(cards, self.discard.total(), "the whole discard is shuffled");
                self.discard = Cards::EMPTY;
            }
            Event::WarehousesEmptied { cards } => {
                assert_eq!(i32::from(cards), self.warehouses.values().sum::<i32>());
                self.warehouses.clear();
            }
            Event::Completed { seat, tickets } => {
                let names = tickets.into_iter().map(|ticket| ticket.name);
                self.completed.entry(seat).or_default().extend(names);
            }
            Event::BonusTickets { seat, count } => *self.bonus.entry(seat).or_default() += count,
            _ => {}
        }
    }

    fn pay(&mut self, seat: Seat, cards: Cards, eyes: Seat) {
        self.discard += cards;
        if seat == eyes {
            self.hand -= cards;
        }
    }

    /// The events lead to this view, in which nothing is being paid for.
    fn assert_leads_to(&self, view: &SeatView) {
        let eyes = view.seat.unwrap();
        assert_eq!(self.hand, view.own.as_ref().unwrap().hand);
        assert_eq!(self.discard, view.discard);
        for (index, state) in view.seats.iter().enumerate() {
            let seat = Seat::new(index);
            let SeatMore::Board(board) = &state.more else { panic!("a board") };
            let routes: BTreeSet<_> = board.routes.iter().cloned().collect();
            let completed: BTreeSet<_> = state.completed.iter().map(|ticket| ticket.name.clone()).collect();
            assert_eq!(self.points.get(&seat).copied().unwrap_or(0), state.points);
            assert_eq!(self.routes.get(&seat).cloned().unwrap_or_default(), routes);
            assert_eq!(self.stations.get(&seat).cloned().unwrap_or_default(), board.stations);
            assert_eq!(self.depots.get(&seat).cloned().unwrap_or_default(), board.depots);
            assert_eq!(self.completed.get(&seat).cloned().unwrap_or_default(), completed, "{eyes}");
            assert_eq!(self.bonus.get(&seat).copied().unwrap_or(0), board.bonus_tickets);
            assert_eq!(self.trains.get(&seat).copied().unwrap_or(board.trains), board.trains);
            let stored = self.warehouses.get(&seat).copied().unwrap_or(0);
            assert_eq!(stored, i32::from(board.warehouse_size));
        }
    }
}

#[test]
fn events_add_up_to_the_board() {
    for game in boards() {
        for eyes in [Seat::new(0), Seat::new(game.seats() - 1)] {
            let mut ledger: Option<Ledger> = None;
            each_step(&game, 3, |step| {
                let before = || game.position(&step.before, Some(eyes));
                let ledger = ledger.get_or_insert_with(|| Ledger::new(&before()));
                for event in BoardGame::events(&step.seen_by(&game, eyes)) {
                    ledger.add(&event, eyes);
                }
                let after = game.position(&step.after, Some(eyes));
                let TableView::Board(table) = &after.table else { panic!("a board") };
                if table.pending.is_none() {
                    ledger.assert_leads_to(&after);
                }
            });
        }
    }
}

#[test]
fn events_add_up_to_the_track_stacks() {
    for game in card_games() {
        let mut tracks = vec![Cards::EMPTY; game.seats()];
        let mut completed = vec![0; game.seats()];
        let mut rounds = 0;
        each_step(&game, 3, |step| {
            for event in CardGame::events(&step.seen_by(&game, Seat::new(1))) {
                match event {
                    Event::MovedToTrack { seat, cards } => tracks[seat.index()] += cards,
                    Event::Completed { seat, tickets } => completed[seat.index()] += tickets.len(),
                    Event::RoundOver { round } => {
                        assert_eq!(round, rounds);
                        rounds += 1;
                        tracks.fill(Cards::EMPTY);
                    }
                    _ => {}
                }
            }
            for (seat, state) in game.position(&step.after, Some(Seat::new(1))).seats.iter().enumerate() {
                let SeatMore::CardGame(more) = &state.more else { panic!("the Card Game") };
                assert_eq!((more.track, state.completed.len()), (tracks[seat], completed[seat]));
            }
        });
        assert_eq!(
            usize::from(rounds),
            usize::from(game.seats() == 4),
            "from four seats on there are two rounds"
        );
    }
}

/// Every kind of event occurs, and the last is the end of the game.
#[test]
fn there_is_every_kind_of_event() {
    fn kinds<G: Show>(games: &[G], seeds: u64) -> BTreeSet<String> {
        let mut kinds = BTreeSet::new();
        for (game, seed) in games.iter().flat_map(|game| (0..seeds).map(move |seed| (game, seed))) {
            let mut last = None;
            each_step(game, seed, |step| {
                let events = G::events(&step.seen_by(game, Seat::new(0)));
                kinds.extend(events.iter().map(kind));
                last = events.into_iter().next_back();
            });
            assert!(matches!(last, Some(Event::GameOver { .. })), "{}: {last:?}", game.map_id());
        }
        kinds
    }
    let common = ["decision", "drawn", "offered", "opening-kept", "completed", "final-round", "game-over"];
    let board = "dealt turned-up given-up claimed built flushed reshuffled warehouses-emptied bonus-tickets";
    let cards = "robbed moved-to-track round-over";
    let expected = |more: &'static str| -> BTreeSet<String> {
        common.into_iter().chain(more.split(' ')).map(str::to_owned).collect()
    };
    assert_eq!(kinds(&boards(), 4), expected(board));
    assert_eq!(kinds(&card_games(), 4), expected(cards));
}

/// CC-27: a seat that can't pay for a tunnel and one that does not want to look the same to the others.
#[test]
fn cc_27_unable_looks_like_unwilling() {
    let game = BoardGame::new(&maps::load("europe").unwrap(), 3).unwrap();
    let mut told: [BTreeSet<String>; 2] = Default::default();
    for seed in 0..20 {
        each_step(&game, seed, |step| {
            if step.action != Action::DeclineTunnel {
                return;
            }
            let unable = game.count_actions(&step.before) == 1;
            for seat in step.by.others(3) {
                let seen = step.seen_by(&game, seat);
                let [Event::Decision { action, .. }, Event::GivenUp { seat, route }, ..] =
                    &BoardGame::events(&seen)[..]
                else {
                    panic!("a tunnel is declined and given up");
                };
                assert_eq!((*seat, action.as_str()), (step.by, "decline"));
                told[usize::from(unable)].insert(route.clone());
            }
        });
    }
    assert!(told.iter().all(|routes| routes.len() > 3), "{told:?}");
}

/// A step is shown in the same way whether or not anybody observes it: the game is the same.
#[test]
fn listening_changes_nothing() {
    for game in boards() {
        let mut chance = Dice::from_parts(&[9, 0]);
        let mut choices = Dice::from_parts(&[9, 1]);
        let mut state = game.deal(&mut chance);
        each_step(&game, 9, |step| {
            assert!(state == step.before);
            let action = game.random_action(&state, &mut choices);
            game.play_unchecked(&mut state, action, &mut chance);
            assert!(action == step.action && state == step.after);
        });
    }
}

/// A position with everything open contains what each seat sees of itself.
#[test]
fn an_open_position_is_what_all_seats_see() {
    fn check<G: Show>(game: &G) {
        each_step(game, 1, |step| {
            let open = game.position(&step.after, None);
            assert_eq!((open.seat, &open.own), (None, &None));
            for seat in Seat::all(game.seats()) {
                let view = game.position(&step.after, Some(seat));
                assert_eq!(open.own_of(seat), view.own_of(seat));
                assert!(
                    view.own_of(seat).is_some()
                        && seat.others(game.seats()).all(|o| view.own_of(o).is_none())
                );
                assert_eq!(
                    (open.market, open.deck_size, &open.table),
                    (view.market, view.deck_size, &view.table)
                );
                if view.to_move == Some(seat) {
                    assert_eq!(open.offered, view.offered);
                }
            }
        });
    }
    boards().iter().for_each(check);
    card_games().iter().for_each(check);
}
