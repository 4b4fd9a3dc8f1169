//! Set-up, the two phases of a turn, and its three actions (CG-2 to CG-11).

use ttr_engine::CardKind::{self, *};
use ttr_engine::card_game::{Action, CardGame, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Event, Game, IllegalAction, Seat, TicketId};

use crate::{game, game_with};

const FIVE: [CardKind; 5] = [Purple, Purple, Blue, Orange, White];

/// The number of the rule that an action was refused for.
fn rule<T>(refused: Result<T, IllegalAction>) -> &'static str {
    match refused.map(|_| ()) {
        Err(IllegalAction::Forbidden { rule, .. }) => rule,
        other => panic!("not forbidden by a rule: {other:?}"),
    }
}

fn tickets(ids: std::ops::Range<usize>) -> Vec<Event> {
    ids.map(|id| Event::Ticket(TicketId::new(id))).collect()
}

/// The events of a deal: seat 1 starts, every seat gets seven cards of a colour, the market shows `FIVE`.
fn dealt(seats: usize) -> Vec<Event> {
    let mut events = vec![Event::Seat(Seat::new(1))];
    for colour in [Green, Yellow, Black, Red].into_iter().take(seats) {
        events.extend(cards([colour; 7]));
    }
    events.extend(cards(FIVE));
    events.extend(tickets(0..6));
    events
}

/// CG-2, CG-22, I-7: hands of one locomotive and seven cards, five face up, six tickets each of which at
/// least one is kept; what is returned is shuffled into the deck after the last choice; nobody knows before
/// how many others kept.
#[test]
fn set_up() {
    for seats in 2..=4 {
        let game = game(seats);
        let mut table = Table::deal(&game, dealt(seats));
        assert_eq!(usize::from(table.piles()[0].total()), 96 - 8 * seats - 5);
        assert_eq!(table.hand_of(0), Cards::of(Green, 7) + Cards::of(Locomotive, 1));
        assert_eq!(table.piles()[2], FIVE.into_iter().collect());
        assert_eq!((table.seat(), table.phase()), (1, Phase::Opening));
        assert_eq!(table.actions().len(), 63);
        assert_eq!(rule(table.clone().play("keep none", [])), "CG-2, CG-10");

        // Returned tickets can't be drawn before all have chosen.
        let observe = |table: &Table<'_, CardGame>| {
            game.observe(table.state(), Seat::new(0)).ticket_count(Seat::new(1))
        };
        table.play("keep Chicago-New York/1, Chicago-Dallas", tickets(6..12)).unwrap();
        assert_eq!(table.seat(), 2 % seats as u8);
        assert_eq!(observe(&table), None);
        let mut next = 12;
        for _ in 2..seats {
            table.act(Action::Keep(0b111111), tickets(next..next + 6)).unwrap();
            next += 6;
        }
        assert_eq!(table.ticket_deck_size(), 46 - 6 * seats);
        table.act(Action::Keep(0b1), []).unwrap();
        assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
        assert_eq!(observe(&table), Some(2));
        assert_eq!(table.tickets_of(1), ["Chicago-New York/1", "Chicago-Dallas"]);
        assert_eq!(table.ticket_deck_size(), 46 - 2 - 1 - 6 * (seats - 2));

        // They lie in the shuffled deck, not under it: the very next draw may find them.
        assert_eq!(table.bottom().len(), 0);
        table.play("tickets", tickets(3..6).into_iter().chain(tickets(1..2))).unwrap();
    }
}

/// CG-2: all six may be kept, and the first seat can be given.
#[test]
fn all_opening_tickets_and_a_given_first_seat() {
    let game = game_with(2, |rules| rules.first_seat = ttr_engine::spec::FirstSeat::Seat(2));
    let mut table = Table::deal(&game, dealt(2).into_iter().skip(1));
    assert_eq!(table.seat(), 1);
    table.act(Action::Keep(0b111111), tickets(6..12)).unwrap();
    table.act(Action::Keep(0b111111), []).unwrap();
    assert_eq!(table.ticket_deck_size(), 34);
}

/// CG-3, CG-4, CG-5, A-36, I-34, I-35: at the start of a turn the top card of every row goes to the track
/// stack, locomotives first; a row that has become empty is gone. Others' yards stay.
#[test]
fn phase_one() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).row(1, Green, 2, 1).row(1, Red, 1, 0).row(0, Blue, 2, 0);
    table.play("take blind", cards([Black])).unwrap();
    assert_eq!(table.track_of(1), Cards::EMPTY);
    table.play("take blind", cards([Black])).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    assert_eq!(table.track_of(1), Cards::of(Locomotive, 1) + Cards::of(Red, 1));
    assert_eq!((table.row_of(1, Green), table.row_of(1, Red)), ((2, 0), (0, 0)));
    assert_eq!((table.row_of(0, Blue), table.track_of(0)), ((2, 0), Cards::EMPTY));
    // The red row is gone, so the colour is free again; phase 1 came before the action.
    idle(&mut table, 0);
    assert_eq!((table.row_of(0, Blue), table.track_of(0)), ((1, 0), Cards::of(Blue, 1)));
    // An empty yard moves nothing (CG-5).
    table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
    assert_eq!(table.track_of(1), Cards::of(Locomotive, 1) + Cards::of(Red, 1) + Cards::of(Green, 1));
}

/// W-CG-1: a row of four green cards of which two are locomotives counts as four, and the locomotives move
/// first.
#[test]
fn worked_example_1() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).hand(0, [(Green, 2), (Locomotive, 2)]).hand(1, [(Green, 5)]);
    table.play("play 2 green + 2 locomotives", []).unwrap();
    assert_eq!(table.row_of(0, Green), (2, 2));
    assert_eq!(rule(table.clone().play("play 4 green", [])), "CG-8");
    assert_eq!(table.actions_like("play"), ["play 5 green"]);
    for (turn, expected) in [(2, 1), (2, 0), (1, 0), (0, 0)].into_iter().enumerate() {
        idle(&mut table, 8 * turn);
        assert_eq!(table.row_of(0, Green), expected);
        idle(&mut table, 8 * turn + 4);
    }
    assert_eq!(table.track_of(0), Cards::of(Green, 2) + Cards::of(Locomotive, 2));
}

/// A turn that changes neither hand nor yard: four tickets are drawn, from this one on, and none is kept.
fn idle(table: &mut Table<'_, CardGame>, first: usize) {
    table.play("tickets", tickets(first..first + 4)).unwrap().play("keep none", []).unwrap();
}

/// W-CG-2, CG-8, CG-9, A-38: three blue cards rob a train of one; two would do; one in a three-colour play
/// would not.
#[test]
fn worked_example_2() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).row(1, Blue, 1, 0).row(1, Red, 1, 0).row(1, Yellow, 1, 0);
    table.hand(0, [(Blue, 3), (White, 1), (Green, 1), (Black, 1)]);
    let plays = table.actions_like("play");
    assert_eq!(plays, ["play 2 blue", "play 3 blue", "play white, green, black"]);
    assert_eq!(rule(table.clone().play("play blue, white, green", [])), "CG-8");
    let two = table.clone().play("play 2 blue", []).unwrap().row_of(1, Blue);
    assert_eq!(two, (0, 0));
    table.play("play 3 blue", []).unwrap();
    // Seat 1 has started its turn: one red and one yellow card moved on.
    assert_eq!(table.piles()[1], Cards::of(Blue, 1));
    assert_eq!(table.row_of(0, Blue), (3, 0));
    assert_eq!(table.track_of(1), Cards::of(Red, 1) + Cards::of(Yellow, 1));
}

/// CG-6, CC-8, CC-9, CC-11: two cards, blind or face up, with the market refilled in between; the second is
/// mandatory.
#[test]
fn drawing_two_cards() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE);
    assert_eq!(table.actions_like("take").len(), 5);
    table.play("take blue", cards([Red])).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::SecondCard));
    assert_eq!(table.piles()[2].count(Red), 1);
    assert!(table.play("stop", []).is_err(), "the second card is mandatory (A-39)");
    assert!(table.play("tickets", []).is_err());
    table.play("take red", cards([Black])).unwrap();
    assert_eq!(table.hand_of(0), Cards::of(Blue, 1) + Cards::of(Red, 1));
    assert_eq!(table.seat(), 1);
    table.play("take blind", cards([Locomotive])).unwrap().play("take blind", cards([Green])).unwrap();
    assert_eq!(table.hand_of(1), Cards::of(Locomotive, 1) + Cards::of(Green, 1));
    assert_eq!(table.seat(), 0);
}

/// CG-6, CC-10: a face-up locomotive counts as two cards and is never the second; a blind one is an
/// ordinary card. Three and more face-up locomotives stay.
#[test]
fn face_up_locomotives() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Locomotive, Red, Red]);
    table.play("take locomotive", cards([Locomotive])).unwrap();
    assert_eq!((table.seat(), table.hand_of(0)), (1, Cards::of(Locomotive, 1)));
    assert_eq!(table.piles()[2].locomotives(), 3, "no flush (CG-6)");
    table.play("take red", cards([Locomotive])).unwrap();
    assert_eq!(table.piles()[2].locomotives(), 4);
    assert_eq!(rule(table.clone().play("take locomotive", [])), "CC-10");
    assert_eq!(table.actions(), ["take blind", "take red"]);
    table.play("take blind", cards([Locomotive])).unwrap();
    assert_eq!(table.hand_of(1), Cards::of(Red, 1) + Cards::of(Locomotive, 1));
}

/// A-39, `cg_may_stop_after_one`.
#[test]
fn stopping_after_one_card() {
    let game = game_with(2, |rules| rules.may_stop_after_one = true);
    let mut table = Table::new(&game);
    table.market(FIVE);
    assert!(table.play("stop", []).is_err(), "not before the first card");
    table.play("take blind", cards([Red])).unwrap();
    assert!(table.actions().contains(&"stop".to_owned()));
    table.play("stop", []).unwrap();
    assert_eq!((table.seat(), table.hand_of(0)), (1, Cards::of(Red, 1)));
}

/// CG-7(a), A-37: two or more cards of a colour, locomotives included, at least one of the colour.
#[test]
fn rows() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).hand(0, [(Red, 2), (Black, 1), (Locomotive, 2)]);
    assert_eq!(
        table.actions_like("play"),
        [
            "play 1 black + 1 locomotive",
            "play 1 black + 2 locomotives",
            "play 1 red + 1 locomotive",
            "play 1 red + 2 locomotives",
            "play 2 red",
            "play 2 red + 1 locomotive",
            "play 2 red + 2 locomotives",
        ]
    );
    assert_eq!(rule(table.clone().play("play 1 red", [])), "CG-7");
    assert_eq!(rule(table.clone().play("play 3 red", [])), "CG-7");
    assert_eq!(rule(table.clone().play("play 0 red + 2 locomotives", [])), "CG-7, A-37");
    assert_eq!(rule(table.clone().play("play 2 locomotive", [])), "CG-7, A-37");
    table.play("play 1 red + 2 locomotives", []).unwrap();
    assert_eq!(table.row_of(0, Red), (1, 2));
    assert_eq!(table.hand_of(0), Cards::of(Red, 1) + Cards::of(Black, 1));
}

/// CG-7(b): three cards of three different colours, without locomotives, form three rows of one.
#[test]
fn three_colours() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).hand(0, [(Red, 1), (Black, 1), (Green, 1), (White, 1), (Locomotive, 3)]);
    assert_eq!(table.actions_like("play").iter().filter(|play| play.contains(',')).count(), 4);
    assert_eq!(rule(table.clone().act(Action::PlayThree([Black, Red, Locomotive]), [])), "CG-7");
    assert_eq!(rule(table.clone().act(Action::PlayThree([Black, Black, Red]), [])), "CG-7");
    assert_eq!(rule(table.clone().act(Action::PlayThree([Blue, Black, Red]), [])), "CG-7");
    table.play("play red, black, white", []).unwrap();
    assert_eq!([Red, Black, White].map(|colour| table.row_of(0, colour)), [(1, 0); 3]);
    assert_eq!(table.hand_of(0), Cards::of(Green, 1) + Cards::of(Locomotive, 3));
}

/// CG-8: a colour in the seat's own yard can't be played, however many cards, until its row is gone.
#[test]
fn own_colour_is_closed() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).row(0, Red, 2, 0).hand(0, [(Red, 5), (Black, 1), (Green, 1), (White, 1)]);
    assert_eq!(table.actions_like("play"), ["play white, green, black"]);
    assert_eq!(rule(table.clone().play("play 5 red", [])), "CG-8");
    assert_eq!(rule(table.clone().play("play red, green, black", [])), "CG-8");
    for left in [2, 1] {
        assert_eq!(table.row_of(0, Red), (left, 0));
        assert!(table.actions_like("play 5 red").is_empty());
        idle(&mut table, 16 - 8 * usize::from(left));
        idle(&mut table, 20 - 8 * usize::from(left));
    }
    assert_eq!(table.row_of(0, Red), (0, 0));
    table.play("play 5 red", []).unwrap();
}

/// CG-8, CG-9: robbing counts locomotives on both sides; the whole row is discarded, not taken.
#[test]
fn robbing_a_row_with_locomotives() {
    let game = game(3);
    let mut table = Table::new(&game);
    table.market(FIVE).row(2, Red, 1, 2).row(2, Black, 1, 0).hand(0, [(Red, 2), (Locomotive, 2)]);
    assert_eq!(table.actions_like("play"), ["play 2 red + 2 locomotives"]);
    table.play("play 2 red + 2 locomotives", []).unwrap();
    assert_eq!(table.row_of(2, Red), (0, 0));
    assert_eq!(table.row_of(2, Black), (1, 0));
    assert_eq!(table.row_of(0, Red), (2, 2));
    assert_eq!(table.piles()[1], Cards::of(Red, 1) + Cards::of(Locomotive, 2));
    assert_eq!(table.hand_of(0), Cards::EMPTY);
}

/// CG-8: what counts is what the row has now, after the owner's phase 1.
#[test]
fn rows_shrink_before_they_are_robbed() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE).turn(1).row(0, Red, 3, 0).hand(1, [(Red, 3)]);
    assert_eq!(rule(table.clone().play("play 3 red", [])), "CG-8");
    idle(&mut table, 0);
    idle(&mut table, 4);
    table.play("play 3 red", []).unwrap();
    assert_eq!(table.piles()[1], Cards::of(Red, 2));
}

/// CG-10: four tickets, any number kept, also none; the others go under the deck, first in, first out.
#[test]
fn drawing_tickets() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE);
    table.ticket_deck([
        "Seattle-Denver",
        "Dallas-Helena",
        "Dallas-Washington",
        "Dallas-Winnipeg",
        "Miami-Omaha",
    ]);
    let draws = |table: &Table<'_, CardGame>, names: &[&str]| {
        names.iter().map(|name| table.draws(name)).collect::<Vec<_>>()
    };
    let events = draws(&table, &["Seattle-Denver", "Dallas-Helena", "Dallas-Washington", "Miami-Omaha"]);
    table.play("tickets", events).unwrap();
    assert_eq!(table.actions().len(), 16);
    table.play("keep Seattle-Denver, Miami-Omaha", []).unwrap();
    assert_eq!(table.tickets_of(0), ["Seattle-Denver", "Miami-Omaha"]);
    assert_eq!(table.bottom(), [["Dallas-Helena", "Dallas-Washington"]]);
    // The shuffled part first, then the bottom; three are left in all.
    let events = draws(&table, &["Dallas-Winnipeg", "Dallas-Washington", "Dallas-Helena"]);
    table.play("tickets", events).unwrap();
    assert_eq!(table.actions().len(), 8);
    table.play("keep none", []).unwrap();
    assert_eq!(table.tickets_of(1), Vec::<String>::new());
    let events = draws(&table, &["Dallas-Winnipeg", "Dallas-Washington", "Dallas-Helena"]);
    table.play("tickets", events).unwrap();
    table.play("keep Dallas-Helena, Dallas-Washington, Dallas-Winnipeg", []).unwrap();
    assert_eq!(rule(table.play("tickets", [])), "CG-10");
}

/// CG-11: a pass if nothing else is possible, and only then.
#[test]
fn forced_pass() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 1), (Locomotive, 1)]).row(0, Red, 2, 0).deck_rest_discarded([]).ticket_deck([]);
    assert_eq!(table.actions(), ["pass"]);
    table.play("pass", []).unwrap();
    assert_eq!(table.seat(), 1);

    let mut table = Table::new(&game);
    table.hand(0, [(Red, 1), (Locomotive, 1)]).deck_rest_discarded([]).ticket_deck([]);
    assert_eq!(table.actions(), ["play 1 red + 1 locomotive"]);
    assert_eq!(rule(table.play("pass", [])), "CG-11");
}

/// I-43: what belongs to another moment is refused, and so is everything after the end.
#[test]
fn wrong_moments() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market(FIVE);
    for action in
        [Action::StopDrawing, Action::StopCompleting, Action::Complete(TicketId::new(0)), Action::Keep(0)]
    {
        assert!(matches!(table.act(action, []), Err(IllegalAction::WrongMoment { .. })));
    }
}
