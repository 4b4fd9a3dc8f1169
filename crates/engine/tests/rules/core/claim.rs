//! Claiming routes: CC-16 to CC-22.

use ttr_engine::CardKind::*;
use ttr_engine::Game;
use ttr_engine::board::{Action, Payment};
use ttr_engine::testing::{Table, cards, payment};

use crate::{MARKET, forbidden_by, game, pile};

/// CC-16: not a route that somebody owns.
#[test]
fn cc_16_an_owned_route_can_not_be_claimed() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 3)]).market(MARKET).routes(1, ["Dieppe-Paris"]);
    assert_eq!(forbidden_by(table.play("claim Dieppe-Paris in purple", [])), "CC-16");
    assert!(table.actions_like("claim Dieppe-Paris").is_empty());
    table.routes(0, ["Frankfurt-Munchen"]);
    assert_eq!(forbidden_by(table.play("claim Frankfurt-Munchen in purple", [])), "CC-16");
}

/// CC-16: as many trains as the route has spaces are enough, one fewer is not.
#[test]
fn cc_16_trains_must_suffice() {
    let game = game("usa", 2);
    for (left, allowed) in [(3, true), (2, false)] {
        let mut table = Table::new(&game);
        table.hand(0, [(Purple, 4)]).market(MARKET).trains(0, left);
        let claim = table.play("claim Helena-Salt Lake City in purple", []);
        assert_eq!(claim.is_ok(), allowed, "{left} trains for 3 spaces");
        if !allowed {
            assert_eq!(forbidden_by(claim), "CC-16");
            assert!(table.actions_like("claim Helena-Salt Lake City").is_empty());
        }
    }
}

/// CC-16: the player must hold the payment.
#[test]
fn cc_16_the_payment_must_be_in_hand() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 3)]).hand(1, [(Purple, 5)]).market([Purple, Purple, Red, Red, Red]);
    assert_eq!(forbidden_by(table.play("claim Brest-Pamplona in purple", [])), "CC-22");
    assert_eq!(forbidden_by(table.play("claim Brest-Pamplona in purple + 1 locomotive", [])), "CC-22");
    table.hand(0, [(Locomotive, 1)]).play("claim Brest-Pamplona in purple + 1 locomotive", []).unwrap();
}

/// CC-17: any open route, touching one's own or not, wholly and one a turn.
#[test]
fn cc_17_any_open_route_as_a_whole() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 8)]).market(MARKET).routes(0, ["Kharkov-Rostov"]);
    table.play("claim Dieppe-Paris in purple", []).unwrap();
    assert_eq!(table.seat(), 1, "one route a turn");
    // Every action names a route, never a part of it: W-EU-3.
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 2)]).market(MARKET);
    assert_eq!(forbidden_by(table.play("claim Budapest-Sarajevo in purple", [])), "CC-22");
}

/// CC-18: the cards are discarded, a train stands on each space, the points count at once.
#[test]
fn cc_18_effects_of_a_claim() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 3), (Locomotive, 2), (Red, 1)]).market(MARKET);
    table.play("claim Brest-Pamplona in purple + 2 locomotives", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Purple, 1), (Red, 1)]));
    assert_eq!(table.piles()[1], pile([(Purple, 2), (Locomotive, 2)]));
    assert_eq!((table.trains_of(0), table.points_of(0)), (41, 7));
    assert_eq!((table.trains_of(1), table.points_of(1)), (45, 0));
    assert_eq!((table.owner("Brest-Pamplona"), table.seat()), (Some(0), 1));
}

/// CC-19: nobody may own both tracks, however many play.
#[test]
fn cc_19_never_both_twins() {
    for (map, seats) in [("europe", 4), ("usa", 5)] {
        let game = game(map, seats);
        let pair = if map == "europe" { "Edinburgh-London" } else { "New York-Washington" };
        let mut table = Table::new(&game);
        table.hand(0, [(Orange, 4)]).hand(1, [(Orange, 4)]).market([Red, Red, Blue, Blue, Blue]);
        table.routes(0, [format!("{pair}/black").as_str()]);
        let claim = format!("claim {pair}/orange in orange");
        assert_eq!(forbidden_by(table.play(&claim, [])), "CC-19");
        assert!(!table.actions().contains(&claim));
        table.turn(1).play(&claim, []).unwrap();
    }
}

/// CC-20: with two or three seats (Nordic: two) a claimed track closes the other for everybody.
#[test]
fn cc_20_the_other_twin_is_closed_in_small_games() {
    let cases = [
        ("europe", "Edinburgh-London/black", "Edinburgh-London/orange", "orange", 3),
        ("usa", "New York-Washington/black", "New York-Washington/orange", "orange", 3),
        ("nordic", "Boden-Kiruna/black", "Boden-Kiruna/orange", "orange", 2),
    ];
    for (map, owned, other, colour, most_closed) in cases {
        for seats in 2..=if map == "nordic" { 3 } else { 5 } {
            let game = game(map, seats);
            let mut table = Table::new(&game);
            table.hand(1, [(Orange, 4)]).market([Red, Red, Blue, Blue, Blue]).routes(0, [owned]).turn(1);
            let claim = format!("claim {other} in {colour}");
            if seats <= most_closed {
                assert_eq!(forbidden_by(table.play(&claim, [])), "CC-20", "{map}, {seats} seats");
                assert!(!table.actions().contains(&claim));
                assert!(!table.seen_by(0).open_routes(ttr_engine::Seat::new(1)).contains(table.route(other)));
            } else {
                table.play(&claim, []).unwrap();
                assert_eq!(table.owner(other), Some(1), "{map}, {seats} seats");
            }
        }
    }
}

/// CC-20: the claim itself closes the twin; routes that end in different cities are not twins.
#[test]
fn cc_20_only_the_same_two_cities_are_twins() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Black, 4)]).hand(1, [(Orange, 6), (Purple, 1)]).market([Red, Red, Blue, Blue, Blue]);
    table.play("claim Edinburgh-London/black in black", []).unwrap();
    assert_eq!(forbidden_by(table.play("claim Edinburgh-London/orange in orange", [])), "CC-20");
    // Brest-Paris runs beside Brest-Dieppe-Paris.
    table.routes(0, ["Brest-Paris"]);
    assert!(table.actions().contains(&"claim Brest-Dieppe in orange".to_owned()));
    assert!(table.actions().contains(&"claim Dieppe-Paris in purple".to_owned()));
}

/// CC-21: points by length, on every board.
#[test]
fn cc_21_points_by_length() {
    let table = [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15), (8, 21), (9, 27)];
    let mut lengths = std::collections::BTreeSet::new();
    for map in ["europe", "nordic", "usa", "usa-1910", "usa-mega", "usa-big-cities"] {
        for route in game(map, 2).routes() {
            let points = table.iter().find(|(length, _)| *length == route.length).map(|(_, points)| *points);
            assert_eq!(points, Some(route.points), "{map}, length {}", route.length);
            lengths.insert(route.length);
        }
    }
    assert_eq!(lengths.into_iter().collect::<Vec<_>>(), table.map(|(length, _)| length));
}

/// CC-21, CC-28: claiming scores them, tunnels and ferries too (W-EU-8).
#[test]
fn cc_21_claims_score_points() {
    let claims = [
        ("claim Dieppe-Paris in purple", 1, 1, vec![]),
        ("claim Frankfurt-Munchen in purple", 2, 2, vec![]),
        ("claim Athina-Sofia in purple", 3, 4, vec![]),
        ("claim Brest-Pamplona in purple", 4, 7, vec![]),
        ("claim Palermo-Smyrna in purple + 2 locomotives", 6, 15, vec![]),
        ("claim Petrograd-Stockholm in purple", 8, 21, cards([Red, Red, Red])),
    ];
    let game = game("europe", 2);
    for (claim, length, points, events) in claims {
        let mut table = Table::new(&game);
        table.hand(0, [(Purple, 8), (Locomotive, 2)]).market([Red, Red, Blue, Blue, Blue]);
        table.play(claim, events).unwrap();
        assert_eq!((table.trains_of(0), table.points_of(0)), (45 - length, points), "{claim}");
    }
}

/// CC-22, W-EU-1: a blue route of three has four payments, and no card more or fewer is played.
#[test]
fn cc_22_payments_are_exact() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 4), (Red, 4), (Locomotive, 5)]).market(MARKET);
    let mut listed = table.actions_like("claim Constantinople-Sofia");
    listed.sort();
    assert_eq!(
        listed,
        [
            "claim Constantinople-Sofia in 3 locomotives",
            "claim Constantinople-Sofia in blue",
            "claim Constantinople-Sofia in blue + 1 locomotive",
            "claim Constantinople-Sofia in blue + 2 locomotives",
        ]
    );
    let route = table.route("Constantinople-Sofia");
    let surplus = [
        payment(Some(Blue), 3),
        payment(Some(Blue), 4),
        payment(None, 4),
        payment(None, 2),
        payment(Some(Locomotive), 0),
        payment(Some(Red), 0),
        payment(Some(Red), 2),
        Payment { colour: Some(Blue), locomotives: 0, sets: 1 },
    ];
    for payment in surplus {
        let action = Action::Claim { route, payment };
        assert!(table.act(action, []).is_err(), "{payment:?}");
    }
    for (claim, paid) in [
        ("in 3 locomotives", pile([(Locomotive, 3)])),
        ("in blue", pile([(Blue, 3)])),
        ("in blue + 1 locomotive", pile([(Blue, 2), (Locomotive, 1)])),
    ] {
        let mut table = table.clone();
        table.play(&format!("claim Constantinople-Sofia {claim}"), []).unwrap();
        assert_eq!(table.piles()[1], paid);
    }
}

/// CC-22, W-EU-2: a grey route takes any one colour, never two.
#[test]
fn cc_22_grey_routes_take_one_colour() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 2), (Yellow, 1), (Locomotive, 2)]).market(MARKET);
    let listed = table.actions_like("claim Danzig-Warszawa");
    assert_eq!(listed.len(), 4, "two red, red or yellow with a locomotive, two locomotives: {listed:?}");
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 1), (Yellow, 1)]).market(MARKET);
    assert!(table.actions_like("claim Danzig-Warszawa").is_empty());
    assert_eq!(forbidden_by(table.play("claim Danzig-Warszawa in red", [])), "CC-22");
}

/// CC-22, I-43: every payment that is listed can be made, and the list is the whole of what is legal.
#[test]
fn cc_22_listed_payments_are_those_that_are_legal() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 3), (Red, 2), (Locomotive, 2)]).market(MARKET);
    let listed = game.actions(table.state());
    for action in ttr_engine::testing::conceivable_actions(&game, table.state()) {
        assert_eq!(game.is_legal(table.state(), action), listed.contains(&action), "{action:?}");
    }
}
