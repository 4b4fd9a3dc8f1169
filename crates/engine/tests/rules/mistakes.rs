//! Mistakes that engines make, one test each.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Ending, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Dice, Game, Seat, Turn};

use crate::{MARKET, forbidden_by, game, pile};

/// CC-31: the last round is there, one turn each, and is not longer if another seat runs out of trains in
/// it.
#[test]
fn last_round_missing_or_extended() {
    for seats in 2..=5 {
        let game = game("usa", seats);
        let mut table = Table::new(&game);
        for seat in 0..seats as u8 {
            table.hand(seat, [(Locomotive, 2)]);
        }
        table.market([Red, Red, Blue, Blue, Blue]).trains(0, 3).trains(1, 3);
        table.play("claim Dallas-Houston/1 in 1 locomotive", []).unwrap();
        // Two trains or fewer in the last round, too.
        table.play("claim Atlanta-Nashville in 1 locomotive", []).unwrap();
        let mut turns = 1;
        while game.turn(table.state()) != Turn::Over {
            table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
            turns += 1;
        }
        assert_eq!(turns, seats, "turns after the trigger");
        assert_eq!(table.phase(), Phase::Over(Ending::FinalRound));
    }
}

/// CC-16: `trains >= length`, not `>`: the last trains can be placed.
#[test]
fn trains_greater_than_length() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Green, 2)]).market(MARKET).trains(0, 2);
    table.play("claim Kharkov-Rostov in green", []).unwrap();
    assert_eq!((table.trains_of(0), table.owner("Kharkov-Rostov")), (0, Some(0)));
}

/// CC-19, CC-20: double routes with two *and* three seats, and never both for one seat with four and five.
#[test]
fn double_route_rule_at_two_seats_only_or_absent() {
    for seats in 2..=5 {
        let game = game("usa", seats);
        let mut table = Table::new(&game);
        table.hand(0, [(Orange, 2)]).hand(1, [(Orange, 2)]).market([Red, Red, Blue, Blue, Blue]);
        table.routes(0, ["New York-Washington/black"]);
        let claim = "claim New York-Washington/orange in orange";
        let own = if seats <= 3 { "CC-20" } else { "CC-19" };
        assert_eq!(forbidden_by(table.play(claim, [])), own, "{seats} seats");
        assert_eq!(table.turn(1).play(claim, []).is_ok(), seats >= 4, "{seats} seats");
    }
}

/// CC-33: not a path over different cities (11 here), not the most segments, not the depth of a tree, but a
/// trail: 14, through Dallas twice.
#[test]
fn longest_path_as_a_simple_path_as_most_segments_or_as_a_tree() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    table.routes(
        0,
        ["Dallas-Houston/1", "Houston-New Orleans", "Little Rock-New Orleans", "Dallas-Little Rock"],
    );
    table.routes(0, ["Dallas-El Paso", "Dallas-Oklahoma City/1"]);
    assert_eq!(game.score_sheet(table.state())[0].longest_path, 14);
    // Three segments of five spaces, then one of six: length counts, not segments.
    table.routes(1, ["Atlanta-Nashville", "Nashville-Saint Louis", "Chicago-Saint Louis/green"]);
    assert_eq!(game.score_sheet(table.state())[1].longest_path, 5);
    table.routes(1, ["Calgary-Winnipeg"]);
    assert_eq!(game.score_sheet(table.state())[1].longest_path, 6);
    // A star: two branches make a path, the third adds nothing.
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Denver-Helena", "Denver-Omaha", "Denver-Phoenix"]);
    assert_eq!(game.score_sheet(table.state())[0].longest_path, 9);
}

/// CC-12: three locomotives reset the market, again if need be, into the discard, and not for ever.
#[test]
fn three_locomotive_reset_absent_not_repeated_into_the_wrong_pile_or_endless() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]);
    let twice = cards([Locomotive, Locomotive, Locomotive, Red, Red]);
    table.play("take blue", [cards([Locomotive]), twice, cards([Black; 5])].concat()).unwrap();
    let [deck, discard, market] = table.piles();
    assert_eq!(market, pile([(Black, 5)]));
    assert_eq!(discard, pile([(Locomotive, 6), (White, 1), (Green, 1), (Red, 2)]));
    assert_eq!((deck.locomotives(), deck.count(Red)), (8, 10), "not back into the deck");

    // Only locomotives are left to lay out: this must come to an end.
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]).deck_rest_to(1, [Locomotive; 12]);
    table.play("take blue", cards([Locomotive])).unwrap();
    assert_eq!(table.piles()[2].locomotives(), 3);
}

/// EU-8: a station borrows one route of its city, the same for all tickets.
#[test]
fn station_borrowing_every_route_or_a_different_one_per_ticket() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    // Seat 0 owns nothing; from Paris, seat 1 has routes to Dieppe, Zurich and Brest.
    table.market(MARKET).routes(1, ["Brest-Paris", "Dieppe-Paris", "Paris-Zurich"]).stations(0, ["Paris"]);
    table.routes(0, ["Brest-Pamplona", "Madrid-Pamplona/black", "Marseille-Zurich", "Pamplona-Paris/blue"]);
    // Over Zurich: Madrid-Zurich (8). Over Dieppe: Madrid-Dieppe (8). Not both.
    table.tickets(0, ["Madrid-Zurich", "Madrid-Dieppe"]);
    let score = game.score_sheet(table.state())[0];
    assert_eq!((score.completed, score.tickets), (1, 0));
    // A second station for the second ticket.
    table.stations(0, ["Dieppe"]);
    let score = game.score_sheet(table.state())[0];
    assert_eq!((score.completed, score.tickets), (2, 16));
}

/// EU-5: the locomotives of a ferry are part of its length: two locomotives and four cards pay for six
/// spaces.
#[test]
fn ferry_locomotives_counted_twice() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 6), (Locomotive, 2)]).market(MARKET);
    assert_eq!(table.actions_like("claim Palermo-Smyrna"), ["claim Palermo-Smyrna in red + 2 locomotives"]);
    table.play("claim Palermo-Smyrna in red + 2 locomotives", []).unwrap();
    assert_eq!((table.hand_of(0), table.trains_of(0)), (pile([(Red, 2)]), 39));
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 6), (Locomotive, 1)]).market(MARKET);
    assert_eq!(forbidden_by(table.play("claim Palermo-Smyrna in red + 1 locomotive", [])), "CC-22");
    assert!(table.actions_like("claim Palermo-Smyrna").is_empty());
}

/// CC-11: a slot that stayed empty when the deck ran dry is filled again.
#[test]
fn market_slot_that_never_refills_after_the_deck_ran_dry() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.hand(1, [(Purple, 3)]).market(MARKET).deck_rest_to(0, []);
    table.play("take blue", []).unwrap().play("take white", []).unwrap();
    assert_eq!(table.piles()[2].total(), 3);
    table.play("claim Helena-Salt Lake City in purple", cards([Purple, Purple])).unwrap();
    let [deck, _, market] = table.piles();
    assert_eq!((market.total(), market.count(Purple), deck), (5, 3, pile([(Purple, 1)])));
}

/// CC-6, A-60: a game in which nobody can or will do anything ends.
#[test]
fn stalemate_that_never_ends() {
    // Seat 1 has all cards but no trains, seat 0 has trains but no cards; no ticket is left.
    let usa = game("usa", 2);
    let mut table = Table::new(&usa);
    table.trains(1, 0).deck_rest_to(1, []).ticket_deck([]);
    table.play("pass", []).unwrap().play("pass", []).unwrap();
    assert!(matches!(table.phase(), Phase::Over(_)));

    // Everybody tries a tunnel and declines, for ever.
    let europe = game("europe", 2);
    let mut table = Table::new(&europe);
    table
        .hand(0, [(Blue, 5)])
        .market([White, White, Orange, Orange, Orange])
        .deck_rest_to(1, [Blue, Blue, Blue]);
    let mut turns = 0;
    while europe.turn(table.state()) != Turn::Over {
        table.play("claim Munchen-Venezia in blue", cards([Blue; 3])).unwrap().play("decline", []).unwrap();
        turns += 1;
    }
    assert_eq!((turns, table.phase()), (40, Phase::Over(Ending::NoProgress)));
}

/// I-42: a search gets worlds, not the truth: over many guesses the true hand and the true next card are as
/// rare as they should be.
#[test]
fn search_that_sees_the_true_deck_or_hands() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.hand(1, [(Red, 4)]).market(MARKET);
    let view = table.seen_by(0);
    let mut dice = Dice::from_seed(5);
    let (mut same_hand, mut same_deck) = (0, 0);
    for _ in 0..2_000 {
        let world = game.determinize(&view, &mut dice);
        same_hand += u32::from(game.observe(&world, Seat::new(1)).hand() == table.hand_of(1));
        same_deck += u32::from(Table::at(&game, world).piles()[0] == table.piles()[0]);
    }
    // Four red cards of twelve among 105: one guess in 9,700.
    assert!(same_hand < 5 && same_deck < 5, "{same_hand}, {same_deck}");
}

/// CC-34: what was taken face up stays known until it is played.
#[test]
fn determinizer_that_forgets_cards_taken_face_up() {
    let game = game("usa", 3);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 5)]).market([Green, Green, White, White, White]);
    table.play("take green", cards([Black])).unwrap().play("take green", cards([Black])).unwrap();
    let mut dice = Dice::from_seed(5);
    for seat in [1, 2] {
        for _ in 0..300 {
            let world = game.determinize(&table.seen_by(seat), &mut dice);
            assert!(game.observe(&world, Seat::new(0)).hand().contains(pile([(Green, 2)])));
        }
    }
}
