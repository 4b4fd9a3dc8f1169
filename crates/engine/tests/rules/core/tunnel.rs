//! Tunnels: CC-23 to CC-28.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, BoardGame, Phase};
use ttr_engine::testing::{Table, cards, payment};

use crate::{MARKET, forbidden_by, game, pile};

/// A table of Europe with these cards in the hand of seat 0.
fn with_hand<'g>(game: &'g BoardGame, hand: &[(ttr_engine::CardKind, u8)]) -> Table<'g> {
    let mut table = Table::new(game);
    table.hand(0, hand.iter().copied()).market([White, White, Orange, Orange, Orange]);
    table
}

/// CC-23: a full payment is laid down first: the printed colour, any one colour if grey, or locomotives
/// alone.
#[test]
fn cc_23_the_payment_comes_first() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 1), (Red, 1), (Locomotive, 2)]);
    let mut blue = table.actions_like("claim Munchen-Venezia");
    blue.sort();
    assert_eq!(
        blue,
        ["claim Munchen-Venezia in 2 locomotives", "claim Munchen-Venezia in blue + 1 locomotive"]
    );
    assert_eq!(table.actions_like("claim Sarajevo-Sofia").len(), 3, "grey: blue, red, locomotives");
    assert!(forbidden_by(table.play("claim Munchen-Venezia in red + 1 locomotive", [])) == "EU-4");
    assert_eq!(forbidden_by(table.play("claim Munchen-Venezia in blue", [])), "CC-22");
    table.play("claim Munchen-Venezia in blue + 1 locomotive", cards([Locomotive, Red, Red])).unwrap();
    let (claim, laid, revealed) = table.seen_by(1).pending().expect("a tunnel is being claimed");
    assert_eq!(claim.payment, payment(Some(Blue), 1));
    assert_eq!((laid, revealed), (pile([(Blue, 1), (Locomotive, 1)]), pile([(Locomotive, 1), (Red, 2)])));
}

/// CC-24: three cards from the deck; the market is not used.
#[test]
fn cc_24_three_cards_from_the_deck() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 3)]);
    let before = table.piles();
    table.play("claim Munchen-Venezia in blue", cards([Red, Blue, Yellow])).unwrap();
    assert_eq!(table.phase(), Phase::Tunnel { extra: 1 });
    let [deck, discard, market] = table.piles();
    assert_eq!(deck + pile([(Red, 1), (Blue, 1), (Yellow, 1)]), before[0]);
    assert_eq!((discard.total(), market), (0, before[2]));
}

/// CC-24, CC-13: if the deck runs out, the discard is shuffled, without the laid and the revealed cards.
#[test]
fn cc_24_the_discard_is_shuffled_for_the_rest() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 3)]).market([White, White, Orange, Orange, Orange]);
    table.discard([(Black, 2)]).deck_rest_to(1, [Red]);
    // The script refuses a blue card here: those laid down are not in the deck. Nor is the red one.
    table.play("claim Munchen-Venezia in blue", cards([Red, Black, Black])).unwrap();
    assert_eq!(table.owner("Munchen-Venezia"), Some(0));
    // All of it is discarded, and becomes the deck.
    assert_eq!(table.piles()[0], pile([(Red, 1), (Black, 2), (Blue, 2)]));
}

/// CC-24: fewer than three cards: only those; none: no risk.
#[test]
fn cc_24_too_few_cards() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 3)]).market(MARKET).deck_rest_to(1, [Blue, Red]);
    table.play("claim Munchen-Venezia in blue", cards([Red, Blue])).unwrap();
    assert_eq!(table.phase(), Phase::Tunnel { extra: 1 });
    table.play("pay", []).unwrap();
    assert_eq!(table.piles()[0], pile([(Blue, 4), (Red, 1)]));

    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 2)]).market(MARKET).deck_rest_to(1, []);
    table.play("claim Munchen-Venezia in blue", []).unwrap();
    assert_eq!((table.owner("Munchen-Venezia"), table.points_of(0)), (Some(0), 2));
}

/// CC-25: locomotives and the colour played count (W-EU-4, W-EU-5).
#[test]
fn cc_25_extra_cost() {
    let game = game("europe", 2);
    let cases = [
        ([Red, White, Green], 0),
        ([Blue, White, Green], 1),
        ([Locomotive, White, Green], 1),
        ([Blue, Locomotive, Blue], 3),
        ([Locomotive, Locomotive, Locomotive], 3),
    ];
    for (revealed, extra) in cases {
        let mut table = with_hand(&game, &[(Blue, 5)]);
        table.play("claim Munchen-Venezia in blue", cards(revealed)).unwrap();
        match extra {
            0 => assert_eq!(table.owner("Munchen-Venezia"), Some(0)),
            extra => assert_eq!(table.phase(), Phase::Tunnel { extra }, "{revealed:?}"),
        }
    }
}

/// CC-25: on a grey tunnel the colour played is compared, with a locomotive in the payment too.
#[test]
fn cc_25_the_colour_played_is_compared() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Green, 2), (Red, 1), (Locomotive, 1)]);
    let claim = "claim Sarajevo-Sofia in green + 1 locomotive";
    table.play(claim, cards([Red, Green, Blue])).unwrap();
    assert_eq!(table.phase(), Phase::Tunnel { extra: 1 });
    let mut table = with_hand(&game, &[(Green, 2), (Red, 3)]);
    table.play("claim Sarajevo-Sofia in red", cards([Green, Green, Green])).unwrap();
    assert_eq!(table.owner("Sarajevo-Sofia"), Some(0));
}

/// CC-25, W-EU-6: for an all-locomotive payment colour cards never match, not even the printed colour.
#[test]
fn cc_25_colours_do_not_match_locomotives() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 5), (Locomotive, 3)]);
    table.play("claim Munchen-Venezia in 2 locomotives", cards([Blue, Blue, Green])).unwrap();
    assert_eq!(table.owner("Munchen-Venezia"), Some(0));
}

/// CC-26: e cards of the colour or locomotives, in any mix; no fewer, no more.
#[test]
fn cc_26_paying_the_extra_cost() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Yellow, 4), (Locomotive, 2)]);
    table.play("claim Munchen-Zurich in yellow", cards([Blue, Locomotive, Yellow])).unwrap();
    let mut listed = table.actions();
    listed.sort();
    assert_eq!(listed, ["decline", "pay", "pay + 1 locomotive", "pay + 2 locomotives"]);
    assert_eq!(forbidden_by(table.act(Action::PayTunnel { locomotives: 3 }, [])), "CC-26");
    for (pay, left) in [
        ("pay", pile([(Locomotive, 2)])),
        ("pay + 1 locomotive", pile([(Yellow, 1), (Locomotive, 1)])),
        ("pay + 2 locomotives", pile([(Yellow, 2)])),
    ] {
        let mut table = table.clone();
        table.play(pay, []).unwrap();
        assert_eq!(table.hand_of(0), left);
        assert_eq!((table.owner("Munchen-Zurich"), table.seat()), (Some(0), 1), "no second reveal");
    }
}

/// CC-26: no partial payment: whoever has too few has declined.
#[test]
fn cc_26_unable_is_declined() {
    let game = game("europe", 2);
    // One yellow card is left after laying two; two are asked for.
    let mut table = with_hand(&game, &[(Yellow, 3), (Red, 5)]);
    table.play("claim Munchen-Zurich in yellow", cards([Blue, Locomotive, Yellow])).unwrap();
    assert_eq!(table.actions(), ["decline"]);
    table.play("decline", []).unwrap();
    assert_eq!((table.owner("Munchen-Zurich"), table.seat()), (None, 1));
    assert_eq!(table.hand_of(0), pile([(Yellow, 3), (Red, 5)]));
    // Exactly enough, in locomotives only.
    let mut table = with_hand(&game, &[(Yellow, 2), (Locomotive, 2)]);
    table.play("claim Munchen-Zurich in yellow", cards([Blue, Locomotive, Yellow])).unwrap();
    assert_eq!(table.actions(), ["pay + 2 locomotives", "decline"]);
}

/// CC-26, W-EU-6: the extra cost of an all-locomotive payment is locomotives only.
#[test]
fn cc_26_locomotives_only() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 5), (Locomotive, 2)]);
    table.play("claim Munchen-Venezia in 2 locomotives", cards([Locomotive, Blue, Green])).unwrap();
    assert_eq!(table.actions(), ["decline"], "blue cards can't pay");
    table.play("decline", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 5), (Locomotive, 2)]));
    let mut table = with_hand(&game, &[(Blue, 5), (Locomotive, 3)]);
    table.play("claim Munchen-Venezia in 2 locomotives", cards([Locomotive, Blue, Green])).unwrap();
    assert_eq!(table.actions(), ["pay + 1 locomotive", "decline"]);
    assert_eq!(forbidden_by(table.play("pay", [])), "CC-26");
    table.play("pay + 1 locomotive", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 5)]));
}

/// CC-27: declining gives the laid cards back and ends the turn; the revealed ones are discarded.
#[test]
fn cc_27_declining() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 5)]);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 3)]), "two lie on the table");
    assert_eq!(table.piles()[1].total(), 0, "nothing is discarded yet");
    table.play("decline", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 5)]));
    assert_eq!(table.piles()[1], pile([(Blue, 1), (Red, 2)]));
    assert_eq!((table.trains_of(0), table.points_of(0), table.seat()), (45, 0, 1));
    assert_eq!((table.owner("Munchen-Venezia"), table.phase()), (None, Phase::Main));
}

/// CC-27: on success all paid and revealed cards are discarded together.
#[test]
fn cc_27_success_discards_everything() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 5)]);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap().play("pay", []).unwrap();
    assert_eq!(table.piles()[1], pile([(Blue, 4), (Red, 2)]));
}

/// CC-28, CC-18: trains and points depend on the length only.
#[test]
fn cc_28_extra_cards_are_no_trains() {
    let game = game("europe", 2);
    let mut table = with_hand(&game, &[(Blue, 5)]);
    // Exactly two trains are left: enough, though five cards are paid.
    table.trains(0, 2).play("claim Munchen-Venezia in blue", cards([Blue, Blue, Blue])).unwrap();
    let points = table.points_of(0);
    table.play("pay", []).unwrap();
    assert_eq!((table.trains_of(0), table.points_of(0)), (0, points + 2));
    assert_eq!(table.hand_of(0).total(), 0);
}
