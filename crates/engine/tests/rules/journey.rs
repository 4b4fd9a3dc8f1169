//! First Journey: FJ-1 to FJ-12, its worked examples and its options.

use std::collections::BTreeSet;

use crate::europe::{all, hand, paid, subsets, these};
use crate::nordic::variant;
use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{Action, BoardGame, Ending, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Chance, Dice, Event, Game, RouteId, Script, Seat, TicketId, TicketSet, maps};

fn journey(seats: usize) -> BoardGame {
    BoardGame::new(&maps::load("first-journey-europe").unwrap(), seats).unwrap()
}

/// 16 of 20 trains; it joins Dublin, London, Paris, Amsterdam, Berlin, Copenhagen, Stockholm, Riga, Vienna,
/// Warsaw, Kiev, Zurich, Rome, Sarajevo, Athens and Bucharest.
const NETWORK: [&str; 15] = [
    "Dublin-London/green",
    "London-Amsterdam/white",
    "Amsterdam-Berlin/black",
    "Copenhagen-Berlin/white",
    "Copenhagen-Stockholm/blue",
    "Stockholm-Riga/red",
    "Berlin-Vienna/yellow",
    "Vienna-Warsaw",
    "Warsaw-Kiev",
    "London-Paris/green",
    "Paris-Zurich/blue",
    "Zurich-Rome/white",
    "Vienna-Sarajevo",
    "Sarajevo-Athens",
    "Sarajevo-Bucharest",
];

/// Tickets that the network completes.
const DONE: [&str; 6] = [
    "Amsterdam-Stockholm",
    "London-Stockholm",
    "Copenhagen-Kiev",
    "Berlin-Athens",
    "Zurich-Athens",
    "Paris-Athens",
];

/// Seat 0 has the network, this many completed tickets, two held ones and two white, green and blue cards.
fn arrange<'g>(game: &'g BoardGame, done: usize, held: [&str; 2]) -> Table<'g> {
    let mut table = Table::new(game);
    table.hand(0, hand("white*2 green*2 blue*2")).routes(0, NETWORK);
    table
        .completed(0, DONE.into_iter().take(done))
        .tickets(0, held)
        .tickets(1, ["Madrid-London", "Madrid-Vienna"]);
    table
}

/// Completed tickets of a seat, bonus included.
fn score(table: &Table, seat: usize) -> i16 {
    table.game.score_sheet(table.state())[seat].total
}

fn draws(game: &BoardGame, names: &[&str]) -> Vec<Event> {
    names.iter().map(|name| Table::new(game).draws(name)).collect()
}

/// FJ-1, A-49, I-2, fj card split: what is in the box; the split of the 72 cards is a parameter.
#[test]
fn fj_1_components() {
    for id in ["first-journey-europe", "first-journey-usa"] {
        let map = maps::load(id).unwrap();
        assert_eq!((map.rules.trains, map.tickets.len(), map.rules.opening_hand), (20, 32, 4));
        // Blue, white, green, yellow, black and red; no purple, no orange.
        assert_eq!(map.rules.deck.counts(), [0, 10, 0, 10, 10, 10, 10, 10, 12]);
        assert_eq!((map.seats.min, map.seats.max), (2, 4));
        assert!(map.tickets.iter().all(|ticket| ticket.points == 0));
        assert!(map.routes.iter().all(|route| route.ferry == 0 && !route.tunnel), "FJ-4");
    }
    let split =
        "[rules.deck]\nblue = 9\nwhite = 9\ngreen = 9\nyellow = 9\nblack = 9\nred = 9\nlocomotive = 18";
    let game = variant("first-journey-europe", split, 2);
    assert_eq!(Table::new(&game).piles()[0], Cards::from_counts([0, 9, 0, 9, 9, 9, 9, 9, 18]));
}

/// FJ-2: four cards and two tickets each, no choice, no market; the first seat is drawn.
#[test]
fn fj_2_setup() {
    let game = journey(2);
    let mut events = vec![Event::Seat(Seat::new(1))];
    events.extend(cards([Red, Red, Red, Red, Blue, Blue, Blue, Locomotive]));
    events.extend(draws(&game, &["Berlin-Athens", "Brest-Berlin", "Rome-Ankara", "Rome-Rostov"]));
    let table = Table::deal(&game, events);
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    assert_eq!((table.hand_of(0), table.hand_of(1)), (all("red*4"), all("blue*3 locomotive*1")));
    assert_eq!(table.tickets_of(0), ["Berlin-Athens", "Brest-Berlin"]);
    assert_eq!(table.tickets_of(1), ["Rome-Ankara", "Rome-Rostov"]);
    assert_eq!((table.piles()[0].total(), table.piles()[2]), (72 - 8, Cards::EMPTY), "I-7");
    assert_eq!((table.trains_of(0), table.trains_of(1)), (20, 20));
}

/// FJ-3: draw two cards, claim, or swap; nothing else.
#[test]
fn fj_3_actions() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
    let others: Vec<_> = table.actions().into_iter().filter(|action| !action.starts_with("claim")).collect();
    assert_eq!(others, ["take blind", "swap"]);
    for refused in ["take red", "tickets", "station Rome in white", "pass"] {
        table.play(refused, []).unwrap_err();
    }
    table.play("take blind", cards([Red, Locomotive])).unwrap();
    assert_eq!((table.seat(), table.hand_of(0)), (1, all("white*2 green*2 blue*2 red*1 locomotive*1")));
}

/// FJ-4, W-FJ-1: exactly `len` cards of the colour, any of them locomotives, on every route.
#[test]
fn fj_4_payments_of_every_route() {
    for id in ["first-journey-europe", "first-journey-usa"] {
        let game = BoardGame::new(&maps::load(id).unwrap(), 2).unwrap();
        let held = "blue*3 white*2 red*1 black*4 locomotive*3";
        let mut table = Table::new(&game);
        table.hand(0, hand(held));
        let names: Vec<_> = (0..4).map(|ticket| game.ticket_name(TicketId::new(ticket))).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        table.tickets(0, names[..2].to_vec()).tickets(1, names[2..].to_vec());
        for (index, route) in game.routes().iter().enumerate() {
            let name = game.route_name(RouteId::new(index));
            let colour = route.colour.unwrap();
            let expected: BTreeSet<_> = subsets(all(held))
                .into_iter()
                .filter(|c| c.total() == route.length && c.count(colour) + c.locomotives() == route.length)
                .map(Cards::counts)
                .collect();
            assert_eq!(paid(&table, &name), expected, "{name}");
        }
    }
    let game = journey(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("blue*3 red*2 locomotive*2")).tickets(0, ["Riga-Rostov", "Ankara-Kiev"]);
    table.tickets(1, ["Madrid-London", "Madrid-Vienna"]);
    assert_eq!(paid(&table, "Dublin-Brest"), these(&["blue*2", "blue*1 locomotive*1", "locomotive*2"]));
    table.play("claim Dublin-Brest in red", []).unwrap_err();
    table.play("claim Dublin-Brest in blue", []).unwrap();
    assert_eq!((table.owner("Dublin-Brest"), table.trains_of(0), table.points_of(0)), (Some(0), 18, 0));
    assert_eq!((table.hand_of(0), table.piles()[1]), (all("blue*1 red*2 locomotive*2"), all("blue*2")));
    assert_eq!(table.seat(), 1, "one route per turn");
}

/// FJ-4, CC-19, A-46, `fj_twins_min_players`: both tracks are open to different seats at every table, or
/// from four.
#[test]
fn fj_4_twins() {
    let four = "[rules.claim]\nboth_tracks_from = 4";
    for seats in 2..=4 {
        for (game, open) in
            [(journey(seats), true), (variant("first-journey-europe", four, seats), seats == 4)]
        {
            let mut table = Table::new(&game);
            table.routes(0, ["Paris-Berlin/white"]);
            let other = table.route("Paris-Berlin/yellow");
            let view = game.observe(table.state(), Seat::new(0));
            assert_eq!(view.open_routes(Seat::new(1)).contains(other), open, "{seats} seats");
            assert!(!view.open_routes(Seat::new(0)).contains(other), "nobody owns both");
        }
    }
}

/// FJ-5: both tickets go, two new ones come; held ones are not drawn again while others are there.
#[test]
fn fj_5_swap() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
    table.play("swap", draws(&game, &["Rome-Rostov", "Madrid-Amsterdam"])).unwrap();
    assert_eq!(
        (table.seat(), table.tickets_of(0)),
        (1, vec!["Madrid-Amsterdam".into(), "Rome-Rostov".into()])
    );
    assert_eq!(game.observe(table.state(), Seat::new(0)).ticket_deck_size(), 32 - 4 - 2);
    assert_eq!(game.observe(table.state(), Seat::new(0)).put_back().len(), 2);
    assert_eq!(score(&table, 0), 0);
}

/// Chance that follows a script and remembers from which tickets each one was drawn.
struct Watch {
    script: Script,
    piles: Vec<TicketSet>,
}

impl Chance for Watch {
    fn card(&mut self, pile: Cards) -> CardKind {
        self.script.card(pile)
    }

    fn ticket(&mut self, pile: TicketSet) -> TicketId {
        self.piles.push(pile);
        self.script.ticket(pile)
    }

    fn seat(&mut self, seats: usize) -> Seat {
        self.script.seat(seats)
    }
}

/// Swaps, and compares the piles that tickets are drawn from; returns the table after it.
fn swap<'g>(table: &Table<'g>, drawn: &[&str], piles: &[&[&str]]) -> ttr_engine::board::State {
    let game = table.game;
    let mut watch = Watch { script: Script::new(draws(game, drawn)), piles: Vec::new() };
    let mut state = *table.state();
    game.play(&mut state, Action::SwapTickets, &mut watch).unwrap();
    watch.script.assert_exhausted();
    let expected: Vec<TicketSet> =
        piles.iter().map(|pile| pile.iter().map(|name| table.ticket(name)).collect()).collect();
    assert_eq!(watch.piles, expected);
    ttr_engine::testing::Inspect::assert_invariants(game, &state);
    state
}

/// FJ-5, A-48: the discard is shuffled only when a ticket is needed, without the tickets of this swap.
#[test]
fn fj_5_lazy_reshuffle() {
    let game = journey(2);
    let own: &[&str] = &["Riga-Rostov", "Ankara-Kiev"];
    let start = |deck: &[&str], discard: &[&str]| {
        let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
        table.ticket_deck(deck.iter().copied()).swapped_away(1, discard.iter().copied());
        table
    };
    let left = |state| {
        let view = game.observe(state, Seat::new(0));
        (view.ticket_deck_size(), view.put_back().len())
    };
    // Two in the deck: they suffice, and the discard waits.
    let deck: &[&str] = &["Rome-Rostov", "Rome-Ankara"];
    let discard: &[&str] = &["Barcelona-Bucharest", "Barcelona-Warsaw"];
    let state = swap(&start(deck, discard), deck, &[deck, &deck[1..]]);
    assert_eq!(left(&state), (0, 2));
    // One in the deck: the discard follows, but not what is swapped away now.
    let one = &deck[..1];
    let state = swap(&start(one, discard), &["Rome-Rostov", "Barcelona-Warsaw"], &[one, discard]);
    assert_eq!(left(&state), (1, 2));
    // Nothing else is left: this swap's own tickets come back in.
    let state = swap(&start(one, &[]), &["Rome-Rostov", "Ankara-Kiev"], &[one, own]);
    assert_eq!(left(&state), (1, 0));
    // Only the discard is left, and it is not enough.
    let state =
        swap(&start(&[], &discard[..1]), &["Barcelona-Bucharest", "Riga-Rostov"], &[&discard[..1], own]);
    assert_eq!(left(&state), (1, 0));
}

/// FJ-5, FJ-6, A-47: a replacement drawn in a swap too is not one of this swap's tickets, unless there is
/// nothing else.
#[test]
fn fj_5_replacements_in_a_swap() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
    // Amsterdam-Riga is complete at once; its replacement comes from the old discard.
    let deck: &[&str] = &["Amsterdam-Riga", "Rome-Ankara"];
    table.ticket_deck(deck.iter().copied()).swapped_away(1, ["Barcelona-Bucharest"]);
    let drawn = ["Amsterdam-Riga", "Rome-Ankara", "Barcelona-Bucharest"];
    let state = swap(&table, &drawn, &[deck, &deck[1..], &["Barcelona-Bucharest"]]);
    assert_eq!(game.observe(&state, Seat::new(0)).completed(Seat::new(0)).len(), 1);
    assert_eq!(game.observe(&state, Seat::new(0)).put_back().len(), 2);
    // Without an old discard, from this swap's tickets.
    let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
    table.ticket_deck(deck.iter().copied());
    let own: &[&str] = &["Riga-Rostov", "Ankara-Kiev"];
    let state = swap(&table, &["Amsterdam-Riga", "Rome-Ankara", "Riga-Rostov"], &[deck, &deck[1..], own]);
    assert_eq!(game.observe(&state, Seat::new(0)).ticket_deck_size(), 1);
}

/// FJ-5: a swap is legal exactly if the deck or the discard has a ticket; fewer than two held tickets do
/// not matter.
#[test]
fn fj_5_when_a_swap_is_legal() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
    table.ticket_deck([]);
    assert!(table.play("swap", []).unwrap_err().to_string().contains("FJ-5"));
    assert!(!table.actions().contains(&"swap".to_owned()));
    for held in [&[][..], &["Riga-Rostov"]] {
        let mut few = Table::new(&game);
        few.tickets(0, held.iter().copied()).tickets(1, ["Madrid-London", "Madrid-Vienna"]);
        few.ticket_deck(["Rome-Rostov", "Rome-Ankara", "Paris-Athens"]);
        let deck: &[&str] = &["Rome-Rostov", "Rome-Ankara", "Paris-Athens"];
        let state = swap(&few, &["Rome-Rostov", "Rome-Ankara"], &[deck, &deck[1..]]);
        assert_eq!(game.observe(&state, Seat::new(0)).tickets().len(), 2);
        assert_eq!(game.observe(&state, Seat::new(0)).put_back().len(), held.len());
    }
}

/// FJ-6, A-47, A-50: a completed ticket is shown and replaced by itself, and so are replacements that are
/// complete.
#[test]
fn fj_6_chain_of_replacements() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Dublin-Barcelona", "Riga-Rostov"]);
    let chain = ["Amsterdam-Riga", "Rome-Warsaw", "Ankara-Kiev"];
    table.play("claim Barcelona-Paris in white", draws(&game, &chain)).unwrap();
    assert_eq!(table.completed_by(0), ["Rome-Warsaw", "Amsterdam-Riga", "Dublin-Barcelona"]);
    assert_eq!(table.tickets_of(0), ["Ankara-Kiev", "Riga-Rostov"]);
    assert_eq!((score(&table, 0), table.seat()), (3, 1));
    // Two at once are replaced by two.
    let mut two = arrange(&game, 0, ["Dublin-Barcelona", "Barcelona-Warsaw"]);
    two.play("claim Barcelona-Paris in white", draws(&game, &["Rome-Rostov", "Ankara-Kiev"])).unwrap();
    assert_eq!((score(&two, 0), two.tickets_of(0).len()), (2, 2));
    // The other seat's network completes nothing, and a claim elsewhere nothing either.
    let mut none = arrange(&game, 0, ["Dublin-Barcelona", "Riga-Rostov"]);
    none.hand(1, hand("white*2")).turn(1);
    none.play("claim Barcelona-Paris in white", []).unwrap();
    assert_eq!((score(&none, 0), score(&none, 1)), (0, 0));
}

/// FJ-6: if no ticket can be drawn the seat goes on with fewer; the discard is shuffled in if need be.
#[test]
fn fj_6_no_replacement_left() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Dublin-Barcelona", "Riga-Rostov"]);
    table.ticket_deck([]).swapped_away(1, ["Rome-Rostov"]);
    table.play("claim Barcelona-Paris in white", draws(&game, &["Rome-Rostov"])).unwrap();
    assert_eq!(table.tickets_of(0), ["Riga-Rostov", "Rome-Rostov"]);
    let mut empty = arrange(&game, 0, ["Dublin-Barcelona", "Riga-Rostov"]);
    empty.ticket_deck([]);
    empty.play("claim Barcelona-Paris in white", []).unwrap();
    assert_eq!((empty.tickets_of(0), score(&empty, 0)), (vec!["Riga-Rostov".to_owned()], 1));
}

const WEST: [(&str, [&str; 2]); 3] = [
    ("Dublin", ["Dublin-London/green", "London-Amsterdam/white"]),
    ("Brest", ["Brest-London", "London-Amsterdam/white"]),
    ("Madrid", ["Madrid-Paris/blue", "Paris-Amsterdam"]),
];
const EAST: [(&str, &[&str]); 3] = [
    ("Moscow", &["Berlin-Warsaw/blue", "Warsaw-Moscow/red"]),
    ("Rostov", &["Berlin-Warsaw/blue", "Warsaw-Kiev", "Kiev-Rostov"]),
    ("Ankara", &["Berlin-Vienna/yellow", "Vienna-Bucharest/blue", "Bucharest-Ankara/blue"]),
];

/// FJ-7, W-FJ-2: any eastern city joined to any western one is one completed ticket, without a replacement.
#[test]
fn fj_7_every_pair_of_east_and_west() {
    let game = journey(2);
    for (west, one) in WEST {
        for (east, other) in EAST {
            let mut table = Table::new(&game);
            table.hand(0, hand("black*1")).routes(0, one).routes(0, other.iter().copied());
            table.tickets(0, ["Riga-Rostov", "Zurich-Athens"]);
            table.tickets(1, ["Madrid-London", "Madrid-Vienna"]);
            assert_eq!(score(&table, 0), 0);
            table.play("claim Amsterdam-Berlin/black in black", []).unwrap();
            assert_eq!((score(&table, 0), score(&table, 1)), (1, 0), "{west} and {east}");
            assert_eq!(game.observe(table.state(), Seat::new(1)).bonus_tickets(Seat::new(0)), 1);
            assert_eq!(table.tickets_of(0), ["Zurich-Athens", "Riga-Rostov"]);
        }
    }
    // Two western cities, or a chain with a gap or over another's route, are nothing.
    let mut gap = Table::new(&game);
    gap.hand(0, hand("red*2")).routes(0, WEST[0].1).routes(0, EAST[0].1.iter().copied());
    gap.routes(1, ["Amsterdam-Berlin/black"]).tickets(0, ["Riga-Rostov", "Zurich-Athens"]);
    gap.tickets(1, ["Madrid-London", "Madrid-Vienna"]);
    gap.play("claim Brest-London in red", []).unwrap();
    assert_eq!(score(&gap, 0), 0);
}

/// FJ-7, A-45, `fj_bonus_limit`: once per seat, or once for every pair of end cities.
#[test]
fn a_45_bonus_limit() {
    let unlimited = variant("first-journey-europe", "[rules.journey]\nbonus_limit = \"unlimited\"", 2);
    for (game, again) in [(journey(2), 1), (unlimited, 4)] {
        let mut table = Table::new(&game);
        table.hand(0, hand("black*1 red*2")).hand(1, hand("green*2"));
        table.routes(0, WEST[0].1).routes(0, EAST[0].1.iter().copied()).routes(0, ["Warsaw-Kiev"]);
        table.tickets(0, ["Sarajevo-Warsaw", "Zurich-Athens"]).tickets(1, ["Madrid-London", "Madrid-Vienna"]);
        table.play("claim Amsterdam-Berlin/black in black", []).unwrap(); // Dublin-Moscow
        assert_eq!(score(&table, 0), 1);
        table.play("claim Bucharest-Rostov/green in green", []).unwrap();
        table.play("claim Brest-London in red", []).unwrap(); // and Brest-Moscow
        assert_eq!(score(&table, 0), again.min(2));
        table.turn(0).hand(0, hand("black*2"));
        table.play("claim Kiev-Rostov in black", []).unwrap(); // Dublin and Brest with Rostov
        assert_eq!(score(&table, 0), again);
        // The other seat may take one too.
        assert_eq!(score(&table, 1), 0);
    }
}

/// FJ-8, FJ-9, W-FJ-3: the bonus can be the sixth ticket, and then nothing more is completed or drawn.
#[test]
fn fj_8_bonus_as_sixth_ticket() {
    let game = journey(2);
    let mut table = arrange(&game, 5, ["Stockholm-Moscow", "Riga-Rostov"]);
    table.play("claim Kiev-Moscow in green", []).unwrap();
    assert_eq!(table.phase(), Phase::Over(Ending::TicketsDone));
    assert_eq!(score(&table, 0), 6);
    assert_eq!(table.tickets_of(0), ["Stockholm-Moscow", "Riga-Rostov"], "the bonus comes first");
    // With four completed the bonus is the fifth and the ticket the sixth.
    let mut both = arrange(&game, 4, ["Stockholm-Moscow", "Riga-Rostov"]);
    both.play("claim Kiev-Moscow in green", []).unwrap();
    assert_eq!((both.phase(), score(&both, 0)), (Phase::Over(Ending::TicketsDone), 6));
    // With three the seat goes on, and the ticket is replaced, not the bonus.
    let mut three = arrange(&game, 3, ["Stockholm-Moscow", "Riga-Rostov"]);
    three.play("claim Kiev-Moscow in green", draws(&game, &["Rome-Ankara"])).unwrap();
    assert_eq!((three.phase(), score(&three, 0), three.seat()), (Phase::Main, 5, 1));
}

/// FJ-8, FJ-9: the sixth ticket wins at once: no seventh, and no draw; also in the middle of a chain or
/// after a swap.
#[test]
fn fj_9_win_in_the_middle_of_a_chain() {
    let game = journey(3);
    let start = |done| {
        let mut table = arrange(&game, done, ["Dublin-Barcelona", "Barcelona-Warsaw"]);
        table.tickets(2, ["Madrid-Amsterdam", "Dublin-Madrid"]);
        table
    };
    let won = Phase::Over(Ending::TicketsDone);
    // Five and two more: one of them is the sixth, the other stays.
    let mut five = start(5);
    five.play("claim Barcelona-Paris in white", []).unwrap();
    assert_eq!((five.phase(), score(&five, 0), five.tickets_of(0).len()), (won, 6, 1));
    // Four and two: six, and neither is replaced.
    let mut four = start(4);
    four.play("claim Barcelona-Paris in white", []).unwrap();
    assert_eq!((four.phase(), score(&four, 0), four.tickets_of(0).len()), (won, 6, 0));
    // Three and two: both are replaced; the first replacement is the sixth, and nothing is drawn for it.
    let mut three = start(3);
    three.play("claim Barcelona-Paris in white", draws(&game, &["Rome-Warsaw", "Riga-Rostov"])).unwrap();
    assert_eq!((three.phase(), score(&three, 0)), (won, 6));
    assert_eq!(three.tickets_of(0), ["Riga-Rostov"]);
    assert_eq!(game.scores(three.state()).winners().collect::<Vec<_>>(), [Seat::new(0)]);
    // A swap can win too.
    let mut swapped = start(5);
    swapped.play("swap", draws(&game, &["Riga-Rostov", "Rome-Warsaw"])).unwrap();
    assert_eq!((swapped.phase(), score(&swapped, 0)), (won, 6));
    assert_eq!(swapped.tickets_of(0), ["Riga-Rostov"]);
}

/// FJ-9, FJ-8, W-FJ-3: the last train ends the game at once, after its tickets; most tickets win, equal
/// ones share.
#[test]
fn fj_9_last_train() {
    let game = journey(2);
    for (done, others, winners) in [(1, 1, &[0][..]), (0, 1, &[0, 1]), (0, 2, &[1]), (0, 0, &[0])] {
        let mut table = arrange(&game, done, ["Dublin-Barcelona", "Riga-Rostov"]);
        table.routes(0, ["Bucharest-Kiev"]); // two trains are left
        table.routes(1, ["Amsterdam-Berlin/green", "Berlin-Vienna/red", "Rome-Vienna", "Warsaw-Riga"]);
        table.routes(1, ["Vienna-Bucharest/blue", "Berlin-Warsaw/blue", "Zurich-Rome/green"]);
        table.completed(1, ["Rome-Warsaw", "Amsterdam-Riga"].into_iter().take(others));
        table.play("claim Barcelona-Paris in white", draws(&game, &["Rome-Rostov"])).unwrap();
        assert_eq!(table.phase(), Phase::Over(Ending::LastTrain));
        assert_eq!((score(&table, 0), score(&table, 1)), (done as i16 + 1, others as i16));
        let found: Vec<_> = game.scores(table.state()).winners().map(usize::from).collect();
        assert_eq!(found, winners);
        assert_eq!(table.actions(), [""; 0], "no further turns");
    }
    // The sixth ticket with the last train is a win by tickets.
    let mut both = arrange(&game, 5, ["Dublin-Barcelona", "Riga-Rostov"]);
    both.routes(0, ["Bucharest-Kiev"]);
    both.play("claim Barcelona-Paris in white", []).unwrap();
    assert_eq!((both.phase(), both.trains_of(0)), (Phase::Over(Ending::TicketsDone), 0));
}

/// FJ-10: the discard becomes the deck; one card is drawn if one is left; none is no draw.
#[test]
fn fj_10_drawing_the_last_cards() {
    let game = journey(2);
    let mut table = arrange(&game, 0, ["Riga-Rostov", "Ankara-Kiev"]);
    table.discard(hand("red*2")).deck_rest_to(1, [Blue]);
    table.play("take blind", cards([Blue, Red])).unwrap();
    assert_eq!(table.piles()[..2], [all("red*1"), Cards::EMPTY]);
    table.play("take blind", cards([Red])).unwrap();
    assert_eq!((table.piles()[0], table.seat()), (Cards::EMPTY, 0));
    assert!(table.play("take blind", []).unwrap_err().to_string().contains("CC-7"));
    assert!(!table.actions().contains(&"take blind".to_owned()));
    // A claim's cards are the new deck.
    table.play("claim Barcelona-Paris in white", []).unwrap();
    assert_eq!(table.piles()[..2], [all("white*2"), Cards::EMPTY]);
}

/// A board of blue routes of two spaces, and just two blue cards.
fn blue_ring(seats: usize) -> BoardGame {
    let text = r#"
        format = 1
        name = "Ring"
        seats = { min = 2, max = 3 }
        cities = [
          { name = "A", at = [0, 0] }, { name = "B", at = [1, 0] }, { name = "C", at = [2, 0] },
          { name = "D", at = [2, 1] }, { name = "E", at = [1, 1] }, { name = "F", at = [0, 1] },
        ]
        routes = [
          { from = "A", to = "B", length = 2, colour = "blue" }, { from = "B", to = "C", length = 2, colour = "blue" },
          { from = "C", to = "D", length = 2, colour = "blue" }, { from = "D", to = "E", length = 2, colour = "blue" },
          { from = "E", to = "F", length = 2, colour = "blue" }, { from = "F", to = "A", length = 2, colour = "blue" },
        ]
        tickets = [
          { from = "A", to = "C" }, { from = "A", to = "D" }, { from = "A", to = "E" }, { from = "B", to = "D" },
          { from = "B", to = "E" }, { from = "B", to = "F" }, { from = "C", to = "E" }, { from = "C", to = "F" },
          { from = "D", to = "F" },
        ]
        [rules]
        trains = 10
        opening_hand = 4
        deck = { blue = 2, orange = 20 }
        draw = { market = 0, face_up_locomotive = "ordinary" }
        claim = { locomotives = "anywhere", both_tracks_from = 2 }
        tickets = { opening = [{ deal = [{ deck = "regular", count = 2 }], hold = 2 }] }
        journey = { tickets_to_win = 6 }
    "#;
    BoardGame::new(&maps::parse("ring.toml", text).unwrap(), seats).unwrap()
}

/// FJ-10, A-48: if nobody drew, claimed or completed for a round, and nobody can draw or claim, the game
/// ends.
#[test]
fn fj_10_stall_guard() {
    let game = blue_ring(3);
    let mut table = Table::new(&game);
    table.hand(0, hand("blue*1")).hand(2, hand("blue*1")).deck_rest_to(1, []);
    table.tickets(0, ["A-C", "A-D"]).tickets(1, ["B-D", "B-E"]).tickets(2, ["C-E", "C-F"]);
    assert_eq!(table.actions(), ["swap"]);
    table.play("swap", draws(&game, &["A-E", "B-F"])).unwrap();
    table.play("swap", draws(&game, &["D-F", "A-C"])).unwrap();
    assert_eq!((table.phase(), table.seat()), (Phase::Main, 2), "two of three turns are no round");
    table.play("swap", draws(&game, &["A-D", "B-D"])).unwrap();
    assert_eq!(table.phase(), Phase::Over(Ending::Stalemate));
    let winners: Vec<_> = game.scores(table.state()).winners().collect();
    assert_eq!(winners, [Seat::new(0), Seat::new(1), Seat::new(2)], "ends as in FJ-9(b)");
}

/// FJ-10, CC-6: a pass is forced if nothing else is possible; a round of passes ends the game.
#[test]
fn fj_10_forced_pass() {
    let game = blue_ring(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("blue*1")).deck_rest_to(1, []);
    table.tickets(0, ["A-C", "A-D"]).tickets(1, ["B-D", "B-E"]).ticket_deck([]);
    assert_eq!(table.actions(), ["pass"]);
    table.play("pass", []).unwrap();
    assert_eq!((table.phase(), table.seat()), (Phase::Main, 1));
    table.play("pass", []).unwrap();
    assert_eq!(table.phase(), Phase::Over(Ending::Stalemate));
}

/// FJ-10, A-60: while somebody could claim, the stall guard waits, and 20 rounds without progress end the
/// game.
#[test]
fn fj_10_no_stall_while_a_claim_is_possible() {
    let game = blue_ring(2);
    let mut table = Table::new(&game);
    table.hand(1, hand("blue*2")).deck_rest_to(0, []);
    table.tickets(0, ["A-C", "A-D"]).tickets(1, ["B-D", "B-E"]);
    let mut state = *table.finish().state();
    let mut dice = ttr_engine::Dice::from_seed(2);
    for turn in 0..40 {
        assert_eq!(game.observe(&state, Seat::new(0)).phase(), Phase::Main, "turn {turn}");
        game.play(&mut state, Action::SwapTickets, &mut dice).unwrap();
    }
    assert_eq!(game.observe(&state, Seat::new(0)).phase(), Phase::Over(Ending::NoProgress));
}

/// FJ-11: others' hands, held and discarded tickets are secret; completed ones, bonuses and sizes are
/// public.
#[test]
fn fj_11_information() {
    let game = journey(2);
    let mut one = arrange(&game, 2, ["Riga-Rostov", "Ankara-Kiev"]);
    let mut other = arrange(&game, 2, ["Rome-Rostov", "Rome-Ankara"]);
    other.hand(0, hand("red*1"));
    one.hand(0, hand("black*1")).swapped_away(0, ["Barcelona-Bucharest"]);
    other.swapped_away(0, ["Barcelona-Warsaw"]);
    let see = |table: &Table, seat| game.observe(table.finish().state(), Seat::new(seat)).facts();
    assert_eq!(see(&one, 1), see(&other, 1));
    assert_ne!(see(&one, 0), see(&other, 0));
    let mut shown = one.clone();
    shown.play("claim Kiev-Moscow in green", []).unwrap();
    let facts = see(&shown, 1);
    assert_eq!((facts.seats[0].bonus_tickets, facts.seats[0].completed.len()), (1, 2));
    assert_eq!((facts.seats[0].ticket_count, facts.seats[0].hand_size), (Some(2), 5));
    assert_eq!((facts.discard, facts.seats[0].trains), (all("green*2"), 2));
    assert_eq!((facts.deck_size, facts.ticket_deck_size), (72 - 7, 32 - 4 - 2 - 1));
    assert_eq!(facts.seats[0].put_back_count, Some(1));
}

/// FJ-12: unfinished tickets cost nothing, routes count nothing, and there is no longest path.
#[test]
fn fj_12_only_completed_tickets_count() {
    let game = journey(2);
    let table = arrange(&game, 2, ["Riga-Rostov", "Ankara-Kiev"]);
    let sheet = game.score_sheet(table.state());
    assert_eq!((sheet[0].total, sheet[0].completed, sheet[0].failed), (2, 2, 2));
    assert_eq!((sheet[0].routes, sheet[0].longest_path, sheet[0].tickets), (0, 0, 0));
    assert_eq!((sheet[1].total, sheet[1].rank), (0, 1));
}

/// A journey on a made-up board of red routes, for two seats.
fn red_journey(cities: usize, length: u8, lines: &str) -> BoardGame {
    let city = |i: usize| format!("{{ name = 'C{i}', at = [{i}, 0] }}");
    let route =
        |i: usize| format!("{{ from = 'C{i}', to = 'C{}', length = {length}, colour = 'red' }}", i + 1);
    let list = |items: Vec<String>| items.join(", ");
    let text = format!(
        "format = 1\nname = 'Red'\nseats = {{ min = 2, max = 2 }}\ncities = [{}]\nroutes = [{}]\n\
         tickets = [{{ from = 'C0', to = 'C1' }}, {{ from = 'C1', to = 'C2' }}, {{ from = 'C0', to = 'C2' }}]\n\
         [rules]\ntrains = 40\nopening_hand = 2\n{lines}\n\
         [rules.claim]\nlocomotives = 'anywhere'\nboth_tracks_from = 2\n\
         [rules.tickets]\nopening = [{{ deal = [{{ deck = 'regular', count = 1 }}], hold = 1 }}]",
        list((0..cities).map(city).collect()),
        list((0..cities - 1).map(route).collect()),
    );
    let map = maps::parse("red.toml", &text).unwrap_or_else(|why| panic!("{why}"));
    BoardGame::new(&map, 2).unwrap()
}

/// FJ-10: as long as a card lies face up somebody can draw, and the game goes on.
#[test]
fn fj_10_no_stall_while_a_card_lies_face_up() {
    let lines = "deck = { red = 9 }\ndraw = { market = 5, face_up_locomotive = 'ordinary' }\n\
                 journey = { tickets_to_win = 3 }";
    let game = red_journey(3, 9, lines);
    let mut dice = Dice::from_seed(1);
    let mut state = game.deal(&mut dice);
    for _ in 0..2 {
        game.play(&mut state, Action::SwapTickets, &mut dice).unwrap();
    }
    let actions = game.actions(&state);
    assert!(actions.contains(&Action::TakeFaceUp(Red)), "{actions:?}");
}

/// FJ-7: one bonus ticket, however many pairs of cities a claim joins; 256 of them here.
#[test]
fn fj_7_very_many_pairs() {
    let names =
        |range: std::ops::Range<usize>| range.map(|i| format!("'C{i}'")).collect::<Vec<_>>().join(", ");
    let lines = format!(
        "deck = {{ red = 40 }}\ndraw = {{ market = 0, face_up_locomotive = 'ordinary' }}\n\
         journey = {{ tickets_to_win = 3, bonus_between = {{ one = [{}], other = [{}] }} }}",
        names(0..16),
        names(16..32)
    );
    let game = red_journey(32, 1, &lines);
    let mut table = Table::new(&game);
    let owned: Vec<String> = (0..31).filter(|&i| i != 15).map(|i| format!("C{i}-C{}", i + 1)).collect();
    table.routes(0, owned.iter().map(String::as_str)).hand(0, [(Red, 1)]);
    table.play("claim C15-C16 in red", []).unwrap();
    assert_eq!(table.seen_by(0).bonus_tickets(Seat::new(0)), 1);
}
