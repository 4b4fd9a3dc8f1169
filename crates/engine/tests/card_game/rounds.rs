//! The end of a round, the second round, and the final scoring (CG-12 to CG-21, A-60).

use ttr_engine::CardKind::{self, *};
use ttr_engine::card_game::{CardGame, Ending, Phase};
use ttr_engine::spec::{Assignment, LastTurnDraw};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Event, Game, Seat, TicketId};

use crate::{game, game_with};

fn tickets(ids: impl IntoIterator<Item = usize>) -> Vec<Event> {
    ids.into_iter().map(|id| Event::Ticket(TicketId::new(id))).collect()
}

fn over(ending: Ending) -> Phase {
    Phase::Over(ending)
}

/// CG-12, A-40, I-36: emptied by a blind draw. The turn is finished, then everybody has one turn, the seat
/// that emptied the deck last. Market cards are taken without refill.
#[test]
fn deck_emptied_by_a_blind_draw() {
    let game = game(3);
    let mut table = Table::new(&game);
    table.market([Red, Red, White, White, Green]).deck_rest_discarded([Blue]);
    table.turn(1).play("take blind", cards([Blue])).unwrap();
    // The second card comes from what is left.
    assert_eq!(table.phase(), Phase::SecondCard);
    table.play("take red", []).unwrap();
    assert_eq!((table.seat(), table.piles()[2].total()), (2, 4), "no refill");
    table.play("take red", []).unwrap().play("take white", []).unwrap();
    table.play("take white", []).unwrap().play("take green", []).unwrap();
    // Nothing is left: A is impossible, C remains.
    assert_eq!((table.seat(), table.actions()), (1, vec!["tickets".to_owned()]));
    table.play("tickets", tickets(0..4)).unwrap().play("keep none", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
    assert!(table.actions().is_empty());
    // The discard was never reshuffled (CG-6).
    assert!(table.piles()[1].total() > 0 && table.piles()[0].is_empty());
}

/// CG-12, A-40: emptied by a refill; phase 1 happens in the last turns too.
#[test]
fn deck_emptied_by_a_refill() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market([Red, Red, White, White, Green]).row(1, Black, 2, 0).row(0, Purple, 3, 0);
    table.deck_rest_discarded([Blue]);
    table.play("take red", cards([Blue])).unwrap();
    assert_eq!(table.piles()[0], Cards::EMPTY);
    table.play("take white", []).unwrap();
    assert_eq!((table.seat(), table.track_of(1)), (1, Cards::of(Black, 1)));
    table.play("take red", []).unwrap().play("take white", []).unwrap();
    assert_eq!(table.track_of(0), Cards::of(Purple, 1));
    // Two cards are left; seat 0 is the last.
    table.play("take blue", []).unwrap().play("take green", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
    assert_eq!(table.track_of(1), Cards::of(Black, 1), "no phase 1 after the last turn");
}

/// CG-12, CC-15: with one card left the action takes just that one; a locomotive as well, as the first card
/// only.
#[test]
fn one_card_left() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market([Red]).deck_rest_discarded([]);
    table.play("take red", []).unwrap();
    assert_eq!(table.seat(), 1);
    let mut table = Table::new(&game);
    table.market([Red, Locomotive]).deck_rest_discarded([]);
    let mut other = table.clone();
    table.play("take red", []).unwrap();
    assert_eq!((table.seat(), table.hand_of(0).total()), (1, 1), "the locomotive can't be second (CC-10)");
    table.play("take locomotive", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
    other.play("take locomotive", []).unwrap();
    assert_eq!((other.seat(), other.hand_of(0)), (1, Cards::of(Locomotive, 1)));
}

/// A-61, `cg_last_turn_draw = none`: no card at all once the deck is empty.
#[test]
fn no_cards_in_last_turns() {
    let game = game_with(2, |rules| rules.last_turn_draw = LastTurnDraw::None);
    let mut table = Table::new(&game);
    table.market([Red, Red, White, White, Green]).deck_rest_discarded([Blue]);
    table.play("take blind", cards([Blue])).unwrap();
    assert_eq!(table.seat(), 1, "the last blind card was the last card");
    assert_eq!(table.actions(), ["tickets"]);
    assert!(table.clone().play("take red", []).unwrap_err().to_string().contains("A-61"));
    table.play("tickets", tickets(0..4)).unwrap().play("keep none", []).unwrap();
    table.play("tickets", tickets(4..8)).unwrap().play("keep none", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
}

/// CG-13, CG-16, CG-19: only the track stack counts, not hand and yard; completed tickets score, the others
/// cost.
#[test]
fn completing_with_the_track_stack() {
    let game = game(2);
    let mut table = Table::new(&game);
    // Chicago-Dallas is green and yellow (6), Chicago-New York/1 yellow (5), New York-Chicago/2 blue (5).
    table.tickets(0, ["Chicago-Dallas", "Chicago-New York/1", "New York-Chicago/2"]);
    table.track(0, [(Green, 1), (Yellow, 1)]).hand(0, [(Yellow, 3), (Blue, 1)]).row(0, Blue, 2, 0);
    table.tickets(1, ["Seattle-Miami"]);
    table.market([Red]).deck_rest_discarded([]).final_turns(1).play("take red", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
    // Chicago 12 and New York 15 go to seat 0; Chicago 12 and Dallas 10 would be less.
    assert_eq!(table.completed_by(0), ["Chicago-New York/1"]);
    assert_eq!(table.tickets_of(0), ["New York-Chicago/2", "Chicago-Dallas"]);
    let sheet = game.score_sheet(table.state());
    assert_eq!((sheet[0].tickets, sheet[0].failed_tickets, sheet[0].city_bonus), (5, -11, 27));
    assert_eq!((sheet[1].tickets, sheet[1].failed_tickets, sheet[1].city_bonus), (0, -22, 0));
    assert_eq!(game.scores(table.state()).points[..], [21, -22]);
    assert_eq!(
        game.observe(table.state(), Seat::new(1)).completed(Seat::new(0)).len(),
        1,
        "they are shown (CG-16)"
    );
}

/// A game that is not over is scored as if it were: with the tickets that the track stack completes now.
#[test]
fn scores_as_if_over() {
    let game = game(2);
    let mut table = Table::new(&game);
    table.market([Red; 5]).tickets(0, ["Chicago-Dallas"]).track(0, [(Green, 1), (Yellow, 1)]);
    assert_eq!(game.scores(table.state()).points[..], [6 + 12 + 10, 0]);
}

/// CG-20, A-44: all tied seats score a city in full; a ticket between two big cities counts for both;
/// nobody scores a city that nobody completed a ticket to.
#[test]
fn big_cities() {
    let game = game(3);
    let mut table = Table::new(&game);
    table.market([Red]).deck_rest_discarded([]).final_turns(1);
    table.completed(0, ["Seattle-Los Angeles", "Dallas-Miami"]);
    table.completed(1, ["Los Angeles-Dallas", "Los Angeles-Vancouver"]);
    table.completed(2, ["Seattle-Denver"]);
    table.play("take red", []).unwrap();
    let sheet = game.score_sheet(table.state());
    // Seattle 8 (0 and 2), Los Angeles 12 (1), Dallas 10 (0 and 1), Miami 8 (0); Chicago and New York
    // nobody.
    assert_eq!([0, 1, 2].map(|seat| sheet[seat].city_bonus), [8 + 10 + 8, 12 + 10, 8]);
    assert_eq!([0, 1, 2].map(|seat| sheet[seat].bonus_cards), [3, 2, 1]);
}

/// CG-21: points, then completed tickets, then bonus cards, else shared.
#[test]
fn ties() {
    let game = game(2);
    let ranks = |zero: &[&str], one: &[&str]| {
        let mut table = Table::new(&game);
        table.market([Red]).deck_rest_discarded([]).final_turns(1);
        for (seat, names) in [(0, zero), (1, one)] {
            let (done, held): (Vec<&str>, Vec<&str>) =
                names.iter().copied().partition(|n| !n.starts_with('-'));
            table.completed(seat, done);
            table.tickets(seat, held.into_iter().map(|name| &name[1..]));
        }
        table.play("take red", []).unwrap();
        let scores = game.scores(table.state());
        (scores.points.to_vec(), scores.ranks.to_vec())
    };
    // 5 points and both cities each: shared.
    assert_eq!(ranks(&["Chicago-New York/1"], &["New York-Chicago/2"]), (vec![32, 32], vec![0, 0]));
    let (points, places) = ranks(
        &["Dallas-Helena", "Seattle-Denver", "-Seattle-Phoenix", "-Chicago-Dallas"],
        &["Dallas-Washington"],
    );
    // Seat 0: 20 - 18 + Dallas 10 + Seattle 8 = 20; seat 1: 10 + Dallas 10 = 20. Two completed tickets win.
    assert_eq!((points, places), (vec![20, 20], vec![0, 1]));
    let (points, places) = ranks(
        &["Seattle-Los Angeles", "-Chicago-Dallas", "-New York-Sault St. Marie"],
        &["New York-Chicago/2"],
    );
    assert_eq!((points, places), (vec![17, 32], vec![1, 0]), "points come first");
    // 9 + 8 + 12 - 9 = 20 by two bonus cards, 10 + 10 = 20 by one, with one completed ticket each.
    let (points, places) = ranks(&["Seattle-Los Angeles", "-Dallas-Miami"], &["Dallas-Washington"]);
    assert_eq!((points, places), (vec![20, 20], vec![0, 1]));
}

const MANY: [CardKind; 5] = [Red, Red, White, White, Green];

/// CG-17, CG-18, A-42, I-38: with four seats a second round. Uncompleted tickets and hands are kept,
/// everything else is shuffled, four cards each one at a time from the seat left of the last turn's, five
/// new face-up cards.
#[test]
fn second_round() {
    let game = game(4);
    let mut table = Table::new(&game);
    table.hand(0, [(Black, 2)]).track(2, [(Green, 1), (Yellow, 1)]).row(1, Blue, 3, 1);
    table.tickets(2, ["Chicago-Dallas", "Seattle-Miami"]).market(MANY).deck_rest_discarded([]).final_turns(1);
    table.turn(2);
    let deal = [
        [Red, Red, Red, Red],
        [White, White, White, White],
        [Blue, Blue, Blue, Blue],
        [Green, Green, Green, Green],
    ];
    let mut events = Vec::new();
    events.extend(deal.iter().flat_map(|round| cards(*round)));
    events.extend(cards([Purple, Purple, Purple, Purple, Purple]));
    table.play("take red", []).unwrap().play("take white", events).unwrap();
    assert_eq!((table.round(), table.seat(), table.phase()), (1, 3, Phase::Main));
    assert_eq!(table.completed_by(2), ["Chicago-Dallas"]);
    assert_eq!(table.tickets_of(2), ["Seattle-Miami"]);
    let four: Cards = [Red, White, Blue, Green].into_iter().collect();
    assert_eq!(table.hand_of(0), Cards::of(Black, 2) + four);
    assert_eq!(table.hand_of(2), Cards::of(Red, 1) + Cards::of(White, 1) + four);
    assert_eq!(table.hand_of(3), four);
    let [deck, discard, market] = table.piles();
    assert_eq!((discard, market), (Cards::EMPTY, Cards::of(Purple, 5)));
    assert_eq!(deck.total(), 96 - 2 - 2 - 16 - 5);
    assert_eq!((table.track_of(2), table.row_of(1, Blue)), (Cards::EMPTY, (0, 0)));
    assert_eq!(table.ticket_deck_size(), 44, "the ticket deck goes on");
    // Uncompleted tickets cost nothing between the rounds, and points are kept (CG-17, CG-18).
    assert_eq!(game.observe(table.state(), Seat::new(0)).points(Seat::new(2)), 6);

    // Round 2 ends the game; its points come on top.
    table.track(2, [(Red, 2), (Black, 1), (White, 1), (Orange, 1)]);
    table.deck_rest_discarded([]).final_turns(1).turn(1).play("take purple", []).unwrap();
    table.play("take purple", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
    let score = game.score_sheet(table.state())[2];
    assert_eq!((score.tickets, score.completed, score.failed), (28, 2, 0));
}

/// CG-17: with two or three seats the game ends after one round.
#[test]
fn one_round_for_few_seats() {
    for seats in [2, 3] {
        let game = game(seats);
        let mut table = Table::new(&game);
        table.market([Red]).deck_rest_discarded([]).final_turns(1).play("take red", []).unwrap();
        assert_eq!((table.phase(), table.round()), (over(Ending::LastTurns), 0));
    }
}

/// CG-17, A-42: cards run out while round 2 is dealt: dealing stops, the market shows what is left, and
/// everybody has one turn from the starting seat.
#[test]
fn second_round_without_a_deck() {
    let game = game(4);
    let mut table = Table::new(&game);
    // All but 18 cards are in the hand of seat 0.
    table.hand(0, CardKind::COLOURS[2..].iter().map(|&colour| (colour, 10)));
    table.hand(0, [(Locomotive, 16), (Blue, 2)]).market([Blue, Blue]).deck_rest_discarded([]).final_turns(1);
    table.turn(3);
    let mut events = cards([Purple; 10]);
    events.extend(cards([Blue; 6]));
    events.push(Event::Card(Blue)); // one is left for the market
    table.play("take blue", []).unwrap();
    let deals = |n: usize| events.clone().into_iter().take(n).collect::<Vec<_>>();
    // The second blue card is taken too, so 16 are dealt and none is left.
    table.play("take blue", deals(16)).unwrap();
    let [deck, discard, market] = table.piles();
    assert_eq!((deck, discard, market), (Cards::EMPTY, Cards::EMPTY, Cards::EMPTY));
    assert_eq!((table.round(), table.seat()), (1, 0));
    assert_eq!(table.hand_of(1).total(), 4);
    for seat in 0..4 {
        assert_eq!(table.seat(), seat);
        let first = 4 * usize::from(seat);
        table.play("tickets", tickets(first..first + 4)).unwrap().play("keep none", []).unwrap();
    }
    assert_eq!(table.phase(), over(Ending::LastTurns));

    // Fewer than 16: dealt one at a time from the starting seat, as far as they go; with 17 one lies face
    // up.
    for (left, hands, face_up) in [(6, [1, 1, 2, 2], 0), (17, [4, 4, 4, 4], 1)] {
        let mut table = Table::new(&game);
        let held = 96 - left;
        let mut give = held;
        for kind in CardKind::ALL.into_iter().rev() {
            let most = if kind == Locomotive { 16 } else { 10 };
            let count = most.min(give);
            table.hand(0, [(kind, count)]);
            give -= count;
        }
        table.deck_rest_discarded([]).final_turns(1).turn(1);
        let before: Vec<u8> = (0..4).map(|seat| table.hand_of(seat).total()).collect();
        table.play("tickets", tickets(0..4)).unwrap();
        let all = table.piles()[1];
        let order: Vec<_> = all.iter().flat_map(|(kind, count)| vec![kind; count.into()]).collect();
        table.play("keep none", cards(order)).unwrap();
        assert_eq!((table.round(), table.seat()), (1, 2));
        let dealt: Vec<u8> =
            (0..4).map(|seat| table.hand_of(seat).total() - before[usize::from(seat)]).collect();
        assert_eq!(dealt, hands);
        assert_eq!(table.piles()[2].total(), face_up);
        assert_eq!(game.observe(table.state(), Seat::new(0)).final_turns(), Some(4));
    }
}

/// rounds without progress end the round; in round 1 of four seats round 2 follows with a fresh count.
#[test]
fn no_progress() {
    let game = game_with(2, |rules| rules.no_progress_rounds = 2);
    let mut table = Table::new(&game);
    table.market(MANY).tickets(0, ["Chicago-New York/1"]).track(0, [(Yellow, 1)]);
    let idle = |table: &mut Table<'_, CardGame>, turn: usize, events: Vec<Event>| {
        let first = 5 + 4 * turn;
        table.play("tickets", tickets(first..first + 4)).unwrap().play("keep none", events).unwrap();
    };
    for turn in 0..3 {
        idle(&mut table, turn, vec![]);
    }
    // A kept ticket, a card or a yard play is progress.
    table.play("tickets", tickets(20..24)).unwrap().play("keep Miami-Omaha", []).unwrap_or_else(|_| panic!());
    for turn in 5..8 {
        idle(&mut table, turn, vec![]);
        assert_eq!(table.phase(), Phase::Main);
    }
    idle(&mut table, 8, vec![]);
    assert_eq!(table.phase(), over(Ending::NoProgress));
    assert_eq!(table.completed_by(0), ["Chicago-New York/1"], "scored as it stands");

    let game = game_with(4, |rules| rules.no_progress_rounds = 1);
    let mut table = Table::new(&game);
    table.market(MANY).row(3, Blue, 5, 0);
    for turn in 0..3 {
        idle(&mut table, turn, vec![]);
    }
    let mut events = cards([Red, Red, Red, Red, White, White, White, White, Blue, Blue, Blue, Blue]);
    events.extend(cards([Green, Green, Green, Green, Purple, Purple, Purple, Purple, Purple]));
    idle(&mut table, 3, events);
    assert_eq!((table.round(), table.seat(), table.phase()), (1, 0, Phase::Main));
    for turn in 4..8 {
        idle(&mut table, turn, vec![]);
    }
    assert_eq!(table.phase(), over(Ending::NoProgress));

    // Off: it goes on for ever.
    let game = game_with(2, |rules| rules.no_progress_rounds = 0);
    let mut table = Table::new(&game);
    table.market(MANY);
    table.ticket_deck(["Seattle-Denver"]);
    for _ in 0..200 {
        let draw = table.draws("Seattle-Denver");
        table.play("tickets", [draw]).unwrap().play("keep none", []).unwrap();
    }
    assert_eq!(table.phase(), Phase::Main);
}

/// A-41, `cg_assignment = player_choice`: seats choose one after the other, secretly; any completable set
/// will do.
#[test]
fn player_choice() {
    let game = game_with(2, |rules| rules.assignment = Assignment::PlayerChoice);
    let mut table = Table::new(&game);
    table.tickets(0, ["Chicago-New York/1", "New York-Chicago/2", "Chicago-Montreal", "Seattle-Miami"]);
    table.track(0, [(Blue, 1), (Yellow, 1)]).tickets(1, ["Seattle-Denver"]);
    table.market([Red]).deck_rest_discarded([]).final_turns(1).turn(1).play("take red", []).unwrap();
    assert_eq!((table.phase(), table.seat()), (Phase::Completing(Ending::LastTurns), 0));
    assert_eq!(
        table.actions(),
        [
            "complete Chicago-New York/1",
            "complete New York-Chicago/2",
            "complete Chicago-Montreal",
            "complete no more"
        ]
    );
    let seen = |table: &Table<'_, CardGame>| format!("{:?}", game.observe(table.state(), Seat::new(1)));
    let before = seen(&table);
    table.play("complete New York-Chicago/2", []).unwrap();
    assert_eq!(seen(&table), before, "others see nothing of it");
    // In the order of the tickets, and only what the cards are enough for (CG-14).
    assert_eq!(table.actions(), ["complete no more"]);
    assert!(table.clone().play("complete Chicago-New York/1", []).is_err());
    assert!(table.clone().play("complete Chicago-Montreal", []).is_err());
    assert!(table.clone().play("complete Seattle-Denver", []).is_err(), "it is another's");
    table.play("complete no more", []).unwrap();
    assert_eq!((table.seat(), table.completed_by(0).len()), (1, 0), "not shown yet");
    assert_eq!(game.observe(table.state(), Seat::new(1)).ticket_count(Seat::new(0)), Some(4));
    table.play("complete no more", []).unwrap();
    assert_eq!(table.phase(), over(Ending::LastTurns));
    assert_eq!(table.completed_by(0), ["New York-Chicago/2"]);
    assert_eq!(table.tickets_of(0).len(), 3);
}

/// A-41 with four seats: a ticket can wait for round 2.
#[test]
fn player_choice_before_round_two() {
    let game = game_with(4, |rules| rules.assignment = Assignment::PlayerChoice);
    let mut table = Table::new(&game);
    table.tickets(1, ["Chicago-New York/1"]).track(1, [(Yellow, 1)]).market([Red]).deck_rest_discarded([]);
    table.final_turns(1).turn(2).play("take red", []).unwrap();
    for seat in [3, 0, 1] {
        assert_eq!(table.seat(), seat);
        table.play("complete no more", []).unwrap();
    }
    let mut events = cards([Red, Red, Red, Red, White, White, White, White, Blue, Blue, Blue, Blue]);
    events.extend(cards([Green, Green, Green, Green, Purple, Purple, Purple, Purple, Purple]));
    table.play("complete no more", events).unwrap();
    assert_eq!((table.round(), table.seat()), (1, 3));
    assert_eq!(table.tickets_of(1), ["Chicago-New York/1"]);
}
