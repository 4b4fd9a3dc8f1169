//! Tunnels: CC-23 to CC-28, in Europe, where some are grey.

use std::collections::BTreeSet;

use super::{MARKET, all, europe, hand, these};
use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{BoardGame, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Game, Seat};

fn table<'g>(game: &'g BoardGame, held: &str) -> Table<'g> {
    let mut table = Table::new(game);
    table.hand(0, hand(held)).market(MARKET);
    table
}

/// What the extra cost can be paid with: the cards that each listed payment takes.
fn extras(table: &Table) -> BTreeSet<[u8; 9]> {
    let before = table.hand_of(0);
    let mut extras = BTreeSet::new();
    for action in table.actions_like("pay") {
        let mut after = table.clone();
        after.play(&action, []).unwrap();
        assert!(extras.insert((before - after.hand_of(0)).counts()), "{action} is listed twice");
    }
    assert_eq!(table.actions_like("decline"), ["decline"]);
    assert_eq!(table.actions().len(), extras.len() + 1, "nothing else is possible");
    extras
}

/// W-EU-4, A-5: two red on a grey tunnel, a red revealed: one more red or a locomotive.
#[test]
fn w_eu_4_two_red_and_a_red_revealed() {
    let game = europe(2);
    let mut table = table(&game, "red*3 blue*2 locomotive*1");
    table.play("claim Barcelona-Pamplona in red", cards([Blue, Red, Blue])).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::Tunnel { extra: 1 }));
    assert_eq!(extras(&table), these(&["red*1", "locomotive*1"]));
    table.play("pay", []).unwrap();
    assert_eq!((table.owner("Barcelona-Pamplona"), table.hand_of(0)), (Some(0), all("blue*2 locomotive*1")));
    assert_eq!((table.points_of(0), table.trains_of(0)), (2, 43), "CC-28");
}

/// W-EU-5: two green, a locomotive revealed: one more green or a locomotive.
#[test]
fn w_eu_5_two_green_and_a_locomotive_revealed() {
    let game = europe(2);
    let mut table = table(&game, "green*3 locomotive*1");
    table.play("claim Venezia-Zurich in green", cards([Locomotive, Red, Black])).unwrap();
    assert_eq!(extras(&table), these(&["green*1", "locomotive*1"]));
    table.play("pay + 1 locomotive", []).unwrap();
    assert_eq!((table.owner("Venezia-Zurich"), table.hand_of(0)), (Some(0), all("green*1")));
}

/// W-EU-6, A-6, CC-25, CC-26: two locomotives match revealed locomotives only, and only locomotives pay for
/// those.
#[test]
fn w_eu_6_two_locomotives() {
    let game = europe(2);
    let start = table(&game, "green*5 locomotive*3");
    let mut matched = start.clone();
    matched.play("claim Venezia-Zurich in 2 locomotives", cards([Locomotive, Green, Green])).unwrap();
    assert_eq!(matched.phase(), Phase::Tunnel { extra: 1 });
    assert_eq!(extras(&matched), these(&["locomotive*1"]));
    matched.play("pay", []).unwrap_err();
    matched.play("pay + 1 locomotive", []).unwrap();
    assert_eq!(matched.hand_of(0), all("green*5"));
    // Colours do not match at all, not even the colour of the tunnel.
    let mut unmatched = start.clone();
    unmatched.play("claim Venezia-Zurich in 2 locomotives", cards([Green, Green, Green])).unwrap();
    assert_eq!((unmatched.seat(), unmatched.owner("Venezia-Zurich")), (1, Some(0)));
    assert_eq!(unmatched.hand_of(0), all("green*5 locomotive*1"));
    // Without a third locomotive the tunnel fails, however many green cards there are.
    let mut failed = start.clone();
    failed.play("claim Venezia-Zurich in 2 locomotives", cards([Locomotive, Locomotive, Green])).unwrap();
    failed.play("decline", []).unwrap();
    assert_eq!((failed.seat(), failed.owner("Venezia-Zurich")), (1, None));
    assert_eq!(failed.hand_of(0), all("green*5 locomotive*3"));
}

/// CC-26, section 9.6: three yellow, revealed blue, locomotive, yellow: any two of yellow and locomotives.
#[test]
fn cc_26_two_extra_cards() {
    let game = europe(2);
    let mut table = table(&game, "yellow*5 blue*2 locomotive*2");
    table.play("claim Paris-Zurich in yellow", cards([Blue, Locomotive, Yellow])).unwrap();
    assert_eq!(table.phase(), Phase::Tunnel { extra: 2 });
    assert_eq!(extras(&table), these(&["yellow*2", "yellow*1 locomotive*1", "locomotive*2"]));
    table.play("pay + 3 locomotives", []).unwrap_err();
    table.play("pay + 1 locomotive", []).unwrap();
    assert_eq!(table.hand_of(0), all("yellow*1 blue*2 locomotive*1"));
    // All five paid and three revealed cards are in the discard.
    assert_eq!(table.piles()[1], all("yellow*5 locomotive*2 blue*1"));
    assert_eq!((table.points_of(0), table.trains_of(0)), (4, 42), "CC-28: three spaces, not five");
}

/// CC-26: exactly the extra cost is paid, and a hand that allows one way only is offered that one only.
#[test]
fn cc_26_what_the_hand_allows() {
    let game = europe(2);
    for (held, expected) in [
        ("yellow*3 locomotive*2", &["locomotive*2"][..]),
        ("yellow*4 locomotive*1", &["yellow*1 locomotive*1"]),
        ("yellow*5", &["yellow*2"]),
        ("yellow*4 locomotive*3", &["yellow*1 locomotive*1", "locomotive*2"]),
    ] {
        let mut table = table(&game, held);
        table.play("claim Paris-Zurich in yellow", cards([Yellow, Yellow, Blue])).unwrap();
        assert_eq!(extras(&table), these(expected), "{held}");
    }
    // Unable means declining: one card is not two, and other colours do not help.
    let mut unable = table(&game, "yellow*4 blue*6");
    unable.play("claim Paris-Zurich in yellow", cards([Yellow, Yellow, Blue])).unwrap();
    assert_eq!(unable.actions(), ["decline"]);
    unable.play("decline", []).unwrap();
    assert_eq!((unable.seat(), unable.owner("Paris-Zurich")), (1, None));
    assert_eq!(unable.hand_of(0), all("yellow*4 blue*6"));
}

/// CC-23, CC-25, A-5, EU-6: the extra cost for every colour played on a grey tunnel and every three cards
/// revealed.
#[test]
fn cc_25_extra_cost_of_every_reveal() {
    let game = europe(2);
    let held = "purple*6 blue*6 orange*6 white*6 green*6 yellow*6 black*6 red*6 locomotive*9";
    let mut start = Table::new(&game);
    start.hand(0, hand(held)).market([White, White, Green, Green, Red]);
    let plays = CardKind::COLOURS.into_iter().flat_map(|colour| [(Some(colour), 0), (Some(colour), 1)]);
    for (colour, locomotives) in plays.chain([(None, 2)]) {
        for first in CardKind::ALL {
            for second in CardKind::ALL {
                for third in [first, second, Blue, Locomotive] {
                    let revealed = [first, second, third];
                    let matching = |kind: &&CardKind| **kind == Locomotive || colour == Some(**kind);
                    let extra = revealed.iter().filter(matching).count() as u8;
                    let how = match (colour, locomotives) {
                        (Some(colour), 0) => colour.name().to_owned(),
                        (Some(colour), _) => format!("{colour} + 1 locomotive"),
                        (None, _) => "2 locomotives".to_owned(),
                    };
                    let mut table = start.clone();
                    table.play(&format!("claim Sarajevo-Sofia in {how}"), cards(revealed)).unwrap();
                    if extra == 0 {
                        assert_eq!(table.owner("Sarajevo-Sofia"), Some(0), "{how} {revealed:?}");
                    } else {
                        assert_eq!(table.phase(), Phase::Tunnel { extra }, "{how} {revealed:?}");
                    }
                }
            }
        }
    }
}

/// CC-23: the whole payment is needed before anything is revealed, in the tunnel's colour.
#[test]
fn cc_23_a_full_payment_is_laid_down() {
    let game = europe(2);
    let mut table = table(&game, "red*2 green*8 locomotive*1");
    table.play("claim Erzurum-Sochi in red", []).unwrap_err();
    table.play("claim Erzurum-Sochi in green", []).unwrap_err();
    table.play("claim Erzurum-Sochi in red + 1 locomotive", cards([Red, Blue, Blue])).unwrap();
    // Nothing is left to pay with: the laid cards can't pay twice.
    assert_eq!(table.actions(), ["decline"]);
    table.play("decline", []).unwrap();
    assert_eq!((table.owner("Erzurum-Sochi"), table.seat()), (None, 1));
    assert_eq!(table.hand_of(0), all("red*2 green*8 locomotive*1"));
}

/// CC-23, CC-27: while the seat decides, the laid cards are out of its hand and lie apart from the discard.
#[test]
fn cc_27_laid_and_revealed_cards_lie_apart() {
    let game = europe(2);
    let mut table = table(&game, "red*5");
    table.play("claim Erzurum-Sochi in red", cards([Red, Blue, Blue])).unwrap();
    assert_eq!(table.hand_of(0), all("red*2"));
    assert_eq!(table.piles()[1], Cards::EMPTY);
    for seat in [0, 1] {
        let (claim, laid, revealed) = game.observe(table.state(), Seat::new(seat)).pending().unwrap();
        assert_eq!(claim.route, table.route("Erzurum-Sochi"));
        assert_eq!((laid, revealed), (all("red*3"), all("red*1 blue*2")));
    }
}

/// CC-27, I-9: declining returns the laid cards, ends the turn, and discards what was revealed.
#[test]
fn cc_27_decline() {
    let game = europe(2);
    let mut table = table(&game, "red*5 locomotive*1");
    let (market, deck) = (table.piles()[2], table.piles()[0]);
    table.play("claim Erzurum-Sochi in red + 1 locomotive", cards([Red, Locomotive, Blue])).unwrap();
    for refused in ["take blind", "tickets", "pass", "claim Danzig-Warszawa in red", "station Roma in red"] {
        table.play(refused, []).unwrap_err();
    }
    table.play("decline", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    assert_eq!((table.hand_of(0), table.owner("Erzurum-Sochi")), (all("red*5 locomotive*1"), None));
    assert_eq!((table.points_of(0), table.trains_of(0)), (0, 45));
    let revealed = all("red*1 locomotive*1 blue*1");
    assert_eq!(table.piles(), [deck - revealed, revealed, market]);
    // The laid cards were seen (CC-34).
    assert_eq!(game.observe(table.state(), Seat::new(1)).shown(Seat::new(0)), all("red*2 locomotive*1"));
    // The tunnel is still open, to anybody.
    assert!(
        game.observe(table.state(), Seat::new(1))
            .open_routes(Seat::new(1))
            .contains(table.route("Erzurum-Sochi"))
    );
}

/// CC-24, CC-13, A-7: the discard is shuffled when the deck runs out, without the laid and revealed cards.
#[test]
fn cc_24_reshuffle_while_revealing() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("red*5")).market(MARKET).discard(hand("blue*2 red*1")).deck_rest_to(1, [Black]);
    // One from the deck, then two of the three discarded cards; not a white or green of the market.
    table.play("claim Erzurum-Sochi in red", cards([Black, Blue, Red])).unwrap();
    assert_eq!(table.phase(), Phase::Tunnel { extra: 1 });
    assert_eq!(table.piles()[..2], [all("blue*1"), Cards::EMPTY]);
    table.play("pay", []).unwrap();
    assert_eq!(table.piles()[..2], [all("blue*1"), all("red*5 black*1 blue*1")]);
    assert_eq!(table.piles()[2].total(), 5, "the market was never touched");
}

/// CC-24, CC-13: with the deck emptied by the reveal, all cards of the attempt become the deck when it is
/// resolved.
#[test]
fn cc_24_the_reveal_takes_the_last_cards() {
    let game = europe(2);
    for (end, deck) in [("pay", "red*5 black*1 blue*1"), ("decline", "red*1 black*1 blue*1")] {
        let mut table = Table::new(&game);
        table.hand(0, hand("red*5")).market(MARKET).deck_rest_to(1, [Black, Blue, Red]);
        table.play("claim Erzurum-Sochi in red", cards([Black, Blue, Red])).unwrap();
        assert_eq!(table.piles()[..2], [Cards::EMPTY; 2]);
        table.play(end, []).unwrap();
        assert_eq!(table.piles()[..2], [all(deck), Cards::EMPTY], "{end}");
    }
}

/// CC-24: with fewer than three cards those are revealed; with none the tunnel is claimed without risk.
#[test]
fn cc_24_fewer_than_three_cards() {
    let game = europe(2);
    for (left, owner) in [(vec![], Some(0)), (vec![Blue], Some(0)), (vec![Blue, Red], None)] {
        let mut table = Table::new(&game);
        table.hand(0, hand("red*3")).market(MARKET).deck_rest_to(1, left.clone());
        table.play("claim Erzurum-Sochi in red", cards(left.clone())).unwrap();
        if owner.is_none() {
            table.play("decline", []).unwrap();
        }
        assert_eq!(table.owner("Erzurum-Sochi"), owner, "{left:?}");
        assert_eq!(table.seat(), 1);
        // What was revealed and paid is the new deck.
        let paid = if owner.is_some() { 3 } else { 0 };
        assert_eq!(table.piles()[0].total(), paid + left.len() as u8);
    }
}

/// CC-28, CC-18: an expensive tunnel needs and places only as many trains as it has spaces.
#[test]
fn cc_28_trains_and_points_by_length_only() {
    let game = europe(2);
    let mut table = table(&game, "purple*5 blue*1");
    table.routes(0, super::LONG_43);
    assert_eq!(table.trains_of(0), 2);
    let points = table.points_of(0);
    table.play("claim Marseille-Zurich in purple", cards([Purple, Purple, Purple])).unwrap();
    assert_eq!(table.phase(), Phase::Tunnel { extra: 3 });
    table.play("pay", []).unwrap();
    assert_eq!((table.points_of(0), table.trains_of(0)), (points + 2, 0));
    assert_eq!(table.hand_of(0), all("blue*1"));
}
