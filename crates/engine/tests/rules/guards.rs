//! Guards and options: CC-6, the general rulings A-3, A-20, A-35 and A-51 to A-60.

use ttr_engine::CardKind::*;
use ttr_engine::board::{BoardGame, Ending, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Event, Game, TicketId, Turn};

use crate::{MARKET, assert_wrong_moment, forbidden_by, game, pile, variant};

/// Three cities, six cards, no locomotives: too little to do anything for long.
pub(crate) const TINY: &str = r#"
format = 1
name = "Tiny"
seats = { min = 2, max = 3 }
cities = [{ name = "Alba", at = [0, 0] }, { name = "Brno", at = [1, 0] }, { name = "Como", at = [0, 1] }]
routes = [
  { from = "Alba", to = "Brno", length = 1, colour = "grey" },
  { from = "Brno", to = "Como", length = 2, colour = "grey" },
  { from = "Alba", to = "Como", length = 2, colour = "grey" },
]
tickets = [
  { from = "Alba", to = "Brno", points = 1 },
  { from = "Brno", to = "Como", points = 2 },
  { from = "Alba", to = "Como", points = 3 },
]
[rules]
trains = 12
opening_hand = 0
[rules.deck]
red = 2
blue = 2
green = 2
[rules.draw]
market = 2
face_up_locomotive = "ends-draw"
[rules.claim]
locomotives = "anywhere"
both_tracks_from = 3
points = { 1 = 1, 2 = 2 }
[rules.tickets]
opening = [{ deal = [{ deck = "regular", count = 1 }], hold = 1 }]
draw = 1
keep = 1
[rules.end]
trains_at_most = 2
"#;

fn tiny(seats: usize) -> BoardGame {
    let map = ttr_engine::maps::parse("tiny.toml", TINY).unwrap_or_else(|why| panic!("{why}"));
    BoardGame::new(&map, seats).unwrap()
}

/// Each of two seats has three colours, and all open routes have two spaces; there are no tickets.
pub(crate) fn nothing_to_do(game: &BoardGame) -> Table<'_> {
    let mut table = Table::new(game);
    let each = [(Red, 1), (Blue, 1), (Green, 1)];
    table.hand(0, each).hand(1, each).ticket_deck([]).routes(0, ["Alba-Brno"]);
    table
}

/// CC-6, A-55: whoever can do nothing passes, and if all pass in a row the game ends at once and is scored.
#[test]
fn cc_6_all_pass() {
    for seats in [2, 3] {
        let game = tiny(seats);
        let mut table = nothing_to_do(&game);
        table.tickets(0, ["Alba-Como"]);
        for seat in 0..seats as u8 {
            assert_eq!((table.seat(), table.phase()), (seat, Phase::Main));
            assert_eq!(table.actions(), ["pass"]);
            table.play("pass", []).unwrap();
        }
        assert_eq!(table.phase(), Phase::Over(Ending::Stalemate));
        assert_eq!(game.turn(table.state()), Turn::Over);
        assert_eq!(game.scores(table.state()).points[0], 1 - 3);
        assert!(table.play("pass", []).is_err(), "the game is over");
    }
}

/// CC-6, A-55: nobody may pass who can do anything else: draw a ticket, a card, or claim a route.
#[test]
fn cc_6_no_pass_while_anything_is_legal() {
    let game = tiny(2);
    let mut table = nothing_to_do(&game);
    table.ticket_deck(["Alba-Como"]);
    assert_eq!(forbidden_by(table.play("pass", [])), "CC-6");
    assert_eq!(table.actions(), ["tickets"]);

    let mut table = Table::new(&game);
    table.hand(0, [(Red, 2)]).deck_rest_to(1, []).ticket_deck([]).routes(0, ["Alba-Brno"]);
    assert_eq!(forbidden_by(table.play("pass", [])), "CC-6");
    assert_eq!(table.actions(), ["claim Brno-Como in red", "claim Alba-Como in red"]);

    let mut table = Table::new(&game);
    table.market([Red]).deck_rest_to(1, []).ticket_deck([]);
    assert_eq!(forbidden_by(table.play("pass", [])), "CC-6");
    assert_eq!(table.actions(), ["take red"]);
}

/// CC-6: passes must be in a row.
#[test]
fn cc_6_a_turn_in_between_breaks_the_row() {
    let game = tiny(2);
    let mut table = Table::new(&game);
    table.deck_rest_to(1, []).ticket_deck([]).routes(0, ["Brno-Como", "Alba-Como"]);
    table.play("pass", []).unwrap();
    assert_eq!(table.seen_by(0).facts().passes, 1);
    // The card becomes the deck, and the market.
    table.play("claim Alba-Brno in red", cards([Red])).unwrap();
    assert_eq!(table.seen_by(0).facts().passes, 0);
    table.play("take red", []).unwrap().play("pass", []).unwrap();
    assert_eq!(table.phase(), Phase::Main, "one pass, and a turn before it");
    table.play("pass", []).unwrap();
    assert_eq!(table.phase(), Phase::Over(Ending::Stalemate));
}

/// A-3, CC-4: a given seat starts, without chance; a seat beyond the table is its last one.
#[test]
fn a_3_given_first_seat() {
    for (given, seats, first) in [(1, 3, 0), (2, 3, 1), (3, 3, 2), (5, 2, 1)] {
        let game = variant("usa", seats, &format!("rules.first_seat = {{ seat = {given} }}"));
        let mut events = cards([Red, Red, Red, Red, White, White, White, White]);
        events.extend(cards([Blue; 4]).into_iter().take(if seats == 3 { 4 } else { 0 }));
        events.extend(cards(MARKET));
        events.extend((0..3).map(|id| Event::Ticket(TicketId::new(id))));
        assert_eq!(Table::deal(&game, events).seat(), first, "seat {given} of {seats}");
    }
}

/// A-20: by default two routes between the same cities are twins whatever their lengths; the option asks
/// for equal lengths, and then others are routes of their own.
#[test]
fn a_20_twins_of_different_length() {
    let both = "claim Kristiansand-Stavanger/orange in orange + 1 locomotive";
    let lines = "rules.claim.twins_require_equal_length = true";
    for (game, allowed) in [(game("nordic", 2), false), (variant("nordic", 2, lines), true)] {
        let mut table = Table::new(&game);
        table.hand(0, [(Orange, 2), (Locomotive, 1)]).hand(1, [(Orange, 2), (Locomotive, 1)]);
        table.market([Red, Red, Blue, Blue, Blue]).routes(0, ["Kristiansand-Stavanger/green"]);
        let mut other = table.clone();
        other.turn(1);
        if allowed {
            table.play(both, []).unwrap();
            other.play(both, []).unwrap();
        } else {
            assert_eq!(forbidden_by(table.play(both, [])), "CC-20");
            assert_eq!(forbidden_by(other.play(both, [])), "CC-20");
        }
    }
    // Equal lengths stay twins, with the option too.
    let game = variant("nordic", 3, lines);
    let mut table = Table::new(&game);
    table.hand(0, [(Orange, 3)]).market([Red, Red, Blue, Blue, Blue]).routes(0, ["Boden-Kiruna/black"]);
    assert_eq!(forbidden_by(table.play("claim Boden-Kiruna/orange in orange", [])), "CC-19");
}

/// A-35: a bonus whose maximum is 0 goes to nobody.
#[test]
fn a_35_no_bonus_for_nothing() {
    for map in ["europe", "nordic", "usa", "usa-1910", "usa-mega"] {
        let game = game(map, 2);
        let mut table = Table::new(&game);
        table.market(MARKET);
        let sheet = game.score_sheet(table.state());
        let stations = if map == "europe" { 12 } else { 0 };
        assert_eq!([sheet[0].total, sheet[1].total], [stations; 2], "{map}");
        assert_eq!([sheet[0].rank, sheet[1].rank], [0; 2], "{map}");
    }
}

/// The last card of the deck goes to the hand; the market is full, so no other card is needed.
fn last_card_taken(game: &BoardGame) -> Table<'_> {
    let mut table = Table::new(game);
    table.hand(1, [(Purple, 3)]).market(MARKET).discard([(Red, 2)]).deck_rest_to(0, [Black]);
    table.play("take blind", cards([Black])).unwrap();
    table
}

/// A-51: a lazy reshuffle waits until a card is needed, and so takes later discards along.
#[test]
fn a_51_lazy_reshuffle() {
    let (lazy, eager) = (variant("usa", 2, "rules.draw.reshuffle = \"lazy\""), game("usa", 2));
    let table = last_card_taken(&eager);
    assert_eq!((table.piles()[0], table.piles()[1].total()), (pile([(Red, 2)]), 0));
    let mut table = last_card_taken(&lazy);
    assert_eq!((table.piles()[0].total(), table.piles()[1]), (0, pile([(Red, 2)])));
    // Blind: now a card is needed, and the two red ones are all there is.
    let mut blind = table.clone();
    blind.play("take blind", cards([Red])).unwrap();
    assert_eq!((blind.piles()[0], blind.piles()[1].total()), (pile([(Red, 1)]), 0));
    // The refill of a slot needs one as well.
    table.play("take blue", cards([Red])).unwrap();
    assert_eq!((table.piles()[0], table.piles()[1].total()), (pile([(Red, 1)]), 0));

    // Discards of a claim wait, and are shuffled in together with the older ones.
    let mut table = Table::new(&lazy);
    table.hand(0, [(Purple, 3)]).market(MARKET).discard([(Red, 2)]).deck_rest_to(1, []);
    table.play("claim Helena-Salt Lake City in purple", []).unwrap();
    assert_eq!(table.piles()[1], pile([(Red, 2), (Purple, 3)]));
    table.play("take blind", cards([Purple])).unwrap();
    assert_eq!(table.piles()[0], pile([(Red, 2), (Purple, 2)]));
}

/// A-51, CC-24: lazy: a tunnel that needs a card shuffles the discard, too.
#[test]
fn a_51_lazy_reshuffle_in_a_tunnel() {
    let game = variant("europe", 2, "rules.draw.reshuffle = \"lazy\"");
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 2)]).market(MARKET).discard([(Red, 4)]).deck_rest_to(1, [Black]);
    table.play("claim Munchen-Venezia in blue", cards([Black, Red, Red])).unwrap();
    let [deck, discard, _] = table.piles();
    assert_eq!((deck, discard), (pile([(Red, 2)]), pile([(Black, 1), (Red, 2), (Blue, 2)])));
}

/// Market and deck of a pool with some locomotives in the market and some cards in the deck; seat 1 has the
/// rest.
fn pool<'g>(
    game: &'g BoardGame,
    market: &[ttr_engine::CardKind],
    deck: &[ttr_engine::CardKind],
) -> Table<'g> {
    let mut table = Table::new(game);
    table.market(market.iter().copied()).deck_rest_to(1, deck.iter().copied());
    table
}

/// A-52, CC-12: a flush takes place if the pool has N >= M - 2 other cards: exactly three, or one too few.
#[test]
fn a_52_feasibility_boundary() {
    let game = game("usa", 2);
    // After the draw: three locomotives, two others in the market; the deck decides.
    let market = [Locomotive, Locomotive, Blue, White, Green];
    // N = 3: flushed. Six cards: five are drawn of them, one stays.
    let mut table = pool(&game, &market, &[Locomotive, Red]);
    let again = cards([Red, White, Green, Locomotive, Locomotive]);
    table.play("take blue", [cards([Locomotive]), again].concat()).unwrap();
    assert_eq!(table.piles()[2], pile([(Red, 1), (White, 1), (Green, 1), (Locomotive, 2)]));
    assert_eq!(table.piles()[0], pile([(Locomotive, 1)]));
    // N = 2: no market with two locomotives exists, so it stays.
    let mut table = pool(&game, &market, &[Locomotive, Locomotive]);
    table.play("take blue", cards([Locomotive])).unwrap();
    assert_eq!(table.piles()[2], pile([(White, 1), (Green, 1), (Locomotive, 3)]));
    assert!(!table.seen_by(0).facts().flush_capped);
}

/// A-52: the discard belongs to the pool.
#[test]
fn a_52_the_discard_is_in_the_pool() {
    let game = variant("usa", 2, "rules.draw.reshuffle = \"lazy\"");
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]).discard([(Red, 1)]);
    table.deck_rest_to(1, [Locomotive]);
    let again = cards([Red, White, Green, Locomotive, Locomotive]);
    table.play("take blue", [cards([Locomotive]), again].concat()).unwrap();
    assert_eq!(table.piles()[2].locomotives(), 2);
}

/// A-52, CC-12: at most fifty flushes, or as many as the option says; then the market stays as it is.
#[test]
fn a_52_endless_flush_is_capped() {
    let three = variant("europe", 2, "rules.draw.max_flushes = 3");
    for (game, cap) in [(game("europe", 2), 50), (three, 3)] {
        let mut table = pool(&game, &[Locomotive, Locomotive, Blue, White, Green], &[Locomotive, Red]);
        let mut events = cards([Locomotive]);
        // Each flush takes the one card of the deck, then four of the five that were flushed: red or white
        // stays behind by turns.
        for n in 0..cap {
            let (first, last) = if n % 2 == 0 { (Red, Green) } else { (White, Green) };
            events.extend(cards([first, last, Locomotive, Locomotive, Locomotive]));
        }
        table.play("take blue", events).unwrap();
        let [deck, discard, market] = table.piles();
        assert_eq!((market.locomotives(), deck.total(), discard.total()), (3, 1, 0));
        assert!(table.seen_by(0).facts().flush_capped);
        assert_eq!(table.phase(), Phase::SecondCard);
        // CC-11: it stays while nothing is refilled or discarded: a blind card changes nothing.
        let mut blind = table.clone();
        let left = if deck.count(Red) > 0 { Red } else { White };
        blind.play("take blind", cards([left])).unwrap();
        assert_eq!(blind.piles()[2], market);
        // The next refill is a new check; here no better market exists.
        table.play("take green", cards([left])).unwrap();
        assert_eq!(table.piles()[2].locomotives(), 3);
        assert!(!table.seen_by(0).facts().flush_capped);
    }
}

/// A-52, CC-11: the cap counts the flushes of one check; the next check starts again.
#[test]
fn a_52_the_cap_is_per_check() {
    let game = variant("usa", 2, "rules.draw.max_flushes = 1");
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]);
    let three = cards([Locomotive, Locomotive, Locomotive, Red, Red]);
    table.play("take blue", [cards([Locomotive]), three.clone()].concat()).unwrap();
    assert!(table.seen_by(0).facts().flush_capped);
    table.play("take red", [cards([Black]), three.clone()].concat()).unwrap();
    assert!(table.seen_by(0).facts().flush_capped, "flushed once more, and capped again");
    table.hand(1, [(Purple, 3)]);
    let claim = "claim Helena-Salt Lake City in purple";
    table.play(claim, cards([Black, Black, Black, White, White])).unwrap();
    assert_eq!(table.piles()[2], pile([(Black, 3), (White, 2)]), "discards are a reason to check");
}

/// A-53: with fewer than five cards in all, three locomotives are flushed only if that can help.
#[test]
fn a_53_fewer_than_five_cards() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 1)]).market([Locomotive, Locomotive, Locomotive]).deck_rest_to(1, []);
    // Four cards, of which three must be locomotives: N = 1 < M - 2.
    table.play("claim Dieppe-Paris in purple", cards([Purple])).unwrap();
    assert_eq!(table.piles()[2], pile([(Locomotive, 3), (Purple, 1)]));

    // Seven cards, five in the market: it is flushed although it had only three before.
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 4)]).market([Locomotive, Locomotive, Locomotive]).deck_rest_to(1, []);
    let refill = cards([Purple, Purple]);
    let flushed = cards([Purple, Purple, Purple, Purple, Locomotive]);
    table.play("claim Brest-Pamplona in purple", [refill, flushed].concat()).unwrap();
    assert_eq!(table.piles()[2], pile([(Purple, 4), (Locomotive, 1)]));
}

/// A-54: the second card is mandatory, also if only useless ones are left.
#[test]
fn a_54_no_stopping_after_one_card() {
    let game = game("usa", 2);
    let mut table = pool(&game, &[Locomotive, Red], &[]);
    table.play("take red", []).unwrap();
    assert_eq!(table.seat(), 1, "no legal second card: the turn is over");
    let mut table = pool(&game, &[White, Red], &[]);
    table.play("take red", []).unwrap();
    assert_eq!(table.actions(), ["take white"]);
    assert_wrong_moment(table.play("pass", []));
}

/// A-57: seats that are equal after all tie-breaks share their place.
#[test]
fn a_57_shared_places() {
    for map in ["europe", "nordic", "usa"] {
        let game = game(map, 3);
        let mut table = Table::new(&game);
        table.market(MARKET);
        let route = game.route_name(ttr_engine::RouteId::new(0));
        table.routes(1, [route.as_str()]);
        let scores = game.scores(table.state());
        assert_eq!(*scores.ranks, [1, 0, 1], "{map}");
        assert_eq!(scores.winners().count(), 1);
    }
}

/// A-58, section 10: tickets that go under the deck together come out in any order.
#[test]
fn a_58_put_back_tickets_are_shuffled() {
    let game = game("usa", 2);
    let names = ["Boston-Miami", "Calgary-Phoenix", "Chicago-Santa Fe"];
    for last in [1, 2] {
        let mut table = Table::new(&game);
        table.market(MARKET).ticket_deck(names);
        let draws = names.map(|name| table.draws(name));
        table.play("tickets", draws).unwrap().play("keep Boston-Miami", []).unwrap();
        let (first, second) = (draws[3 - last], draws[last]);
        table.play("tickets", [first, second]).unwrap();
    }
}

/// Nobody makes progress: each turn fails at a tunnel with three blue cards in the deck.
fn idle(game: &BoardGame) -> Table<'_> {
    let mut table = Table::new(game);
    for seat in 0..game.seats() as u8 - 1 {
        table.hand(seat, [(Blue, 2)]);
    }
    // The last seat could pay, but declines.
    let last = game.seats() as u8 - 1;
    table.market([White, White, Orange, Orange, Orange]).deck_rest_to(last, [Blue, Blue, Blue]);
    table
}

fn fail_at_a_tunnel(table: &mut Table<'_>) {
    table.play("claim Munchen-Venezia in blue", cards([Blue; 3])).unwrap();
    if matches!(table.phase(), Phase::Tunnel { .. }) {
        table.play("decline", []).unwrap();
    }
}

/// A-60: after 20 x seats turns without progress the game ends and is scored; the option sets other numbers.
#[test]
fn a_60_no_progress() {
    for (rounds, seats) in [(20, 2), (20, 3), (20, 4), (3, 2), (1, 4)] {
        let game = match rounds {
            20 => game("europe", seats),
            rounds => variant("europe", seats, &format!("rules.no_progress_rounds = {rounds}")),
        };
        let mut table = idle(&game);
        for turn in 0..rounds * seats {
            assert_eq!(table.phase(), Phase::Main, "turn {turn} of {rounds} rounds, {seats} seats");
            assert_eq!(usize::from(table.seat()), turn % seats);
            fail_at_a_tunnel(&mut table);
        }
        assert_eq!(table.phase(), Phase::Over(Ending::NoProgress));
        assert_eq!(game.scores(table.state()).points[0], 12, "three stations");
    }
}

/// A-60: the guard can be turned off.
#[test]
fn a_60_off() {
    let game = variant("europe", 2, "rules.no_progress_rounds = 0");
    let mut table = idle(&game);
    for _ in 0..400 {
        fail_at_a_tunnel(&mut table);
    }
    assert_eq!(table.phase(), Phase::Main);
}

/// A-60: a card drawn, a route claimed, a station built or a ticket kept restarts the count.
#[test]
fn a_60_progress_starts_the_count_anew() {
    let game = variant("europe", 2, "rules.no_progress_rounds = 2");
    type Progress = fn(&mut Table<'_>);
    let progress: [Progress; 4] = [
        |table| {
            table.play("take white", cards([Blue])).unwrap().play("take blind", cards([Blue])).unwrap();
        },
        |table| {
            table.play("claim Cadiz-Lisboa in blue", []).unwrap();
        },
        |table| {
            table.play("station Roma in blue", []).unwrap();
        },
        |table| {
            let draws = ["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"].map(|name| table.draws(name));
            table.play("tickets", draws).unwrap().play("keep Kyiv-Sochi", []).unwrap();
        },
    ];
    for progress in progress {
        let mut table = idle(&game);
        for _ in 0..3 {
            fail_at_a_tunnel(&mut table);
        }
        assert_eq!(table.seen_by(0).facts().idle_turns, 3);
        progress(&mut table);
        assert_eq!((table.seen_by(0).facts().idle_turns, table.phase()), (0, Phase::Main));
    }
}

/// A-60: passes are no progress either.
#[test]
fn a_60_passes_count() {
    let game = tiny(3);
    let mut table = nothing_to_do(&game);
    table.play("pass", []).unwrap();
    assert_eq!(table.seen_by(0).facts().idle_turns, 1);
}

/// A-17, CC-12: `flush_at` turns the flush off, or on in Nordic.
#[test]
fn flush_at_none_and_flush_at_three() {
    let market = [Locomotive, Locomotive, Blue, White, Green];
    let europe = variant("europe", 2, "rules.draw.flush_at = 0");
    let mut table = Table::new(&europe);
    table.market(market).play("take blue", cards([Locomotive])).unwrap();
    table.play("take white", cards([Locomotive])).unwrap().play("take green", cards([Locomotive])).unwrap();
    assert_eq!(table.piles()[2].locomotives(), 5);

    let mut table = Table::new(&europe);
    table.market([Locomotive; 5]).play("take locomotive", cards([Locomotive])).unwrap();
    assert_eq!((table.seat(), table.piles()[2].locomotives()), (1, 5), "CC-10 stays in force");

    let nordic = variant("nordic", 2, "rules.draw.flush_at = 3");
    let mut table = Table::new(&nordic);
    table.market(market).play("take blue", [cards([Locomotive]), cards([Red; 5])].concat()).unwrap();
    assert_eq!(table.piles()[2], pile([(Red, 5)]));
}
