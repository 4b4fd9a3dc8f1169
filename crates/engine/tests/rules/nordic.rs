//! Nordic Countries: NO-1 to NO-12, its worked examples and its options.

use std::collections::{BTreeMap, BTreeSet};

use crate::europe::{MARKET, all, hand, paid, subsets, these};
use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{Action, BoardGame, Ending, Phase, Route};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Dice, Event, Game, RouteId, Seat, Turn, maps};

fn nordic(seats: usize) -> BoardGame {
    BoardGame::new(&maps::load("nordic").unwrap(), seats).unwrap()
}

/// A shipped map with other rules.
pub(crate) fn variant(base: &str, rules: &str, seats: usize) -> BoardGame {
    let text = format!("format = 1\nname = \"Variant\"\nbase = \"{base}\"\n{rules}");
    BoardGame::new(&maps::parse("variant.toml", &text).unwrap(), seats).unwrap()
}

const LOCOMOTIVE_SPACE_ONLY: &str = "[rules.ferry_sets]\nspaces = \"locomotive-space-only\"";

fn table<'g>(game: &'g BoardGame, held: &str) -> Table<'g> {
    let mut table = Table::new(game);
    table.hand(0, hand(held)).market(MARKET);
    table
}

/// The multisets that pay for a route; sets can make the same multiset twice, under different names.
fn pays(table: &Table, route: &str) -> BTreeSet<[u8; 9]> {
    table.payments(route).into_iter().map(|(_, cards)| cards.counts()).collect()
}

fn has(paid: &BTreeSet<[u8; 9]>, text: &str) -> bool {
    paid.contains(&all(text).counts())
}

/// NO-4 to NO-7 read off the text: whether exactly these cards pay. `most_sets` is A-12.
fn text_pays(cards: Cards, route: &Route, murmansk: bool, most_sets: u8) -> bool {
    let set_cards = if murmansk { 4 } else { 3 };
    let most_sets = if murmansk {
        9
    } else if route.ferry > 0 {
        most_sets
    } else {
        0
    };
    let colours: Vec<_> = match route.colour {
        Some(colour) => vec![colour],
        None => CardKind::COLOURS.to_vec(),
    };
    let most_locomotives = if route.tunnel || route.ferry > 0 { cards.locomotives() } else { 0 };
    for sets in 0..=most_sets.min(route.length) {
        for locomotives in 0..=most_locomotives.min(route.length - sets) {
            let coloured = route.length - sets - locomotives;
            if locomotives + sets >= route.ferry
                && cards.total() == coloured + locomotives + sets * set_cards
                && (coloured == 0 || colours.iter().any(|&colour| cards.count(colour) >= coloured))
            {
                return true;
            }
        }
    }
    false
}

/// NO-1, A-14, A-19: what is in the box, and who can play; most ferries are coloured.
#[test]
fn no_1_components() {
    let map = maps::load("nordic").unwrap();
    let game = nordic(3);
    let pairs: BTreeSet<_> = game.routes().iter().map(|route| route.ends).collect();
    let twins = game.routes().iter().filter(|route| route.twin.is_some()).count();
    assert_eq!((map.cities.len(), game.routes().len(), pairs.len(), twins), (39, 81, 67, 28));
    assert_eq!(map.rules.deck.counts(), [12, 12, 12, 12, 12, 12, 12, 12, 14]);
    assert_eq!((map.tickets.len(), map.rules.trains, map.rules.opening_hand), (46, 40, 4));
    assert!(map.tickets.iter().all(|ticket| ticket.deck == "regular"), "one deck");
    assert!(BoardGame::new(&map, 2).is_ok() && BoardGame::new(&map, 1).is_err());
    assert!(BoardGame::new(&map, 4).is_err());
    let ferry = &game.routes()[game.parse_route("Åndalsnes-Bergen").unwrap().index()];
    assert_eq!((ferry.colour, ferry.ferry, ferry.length), (Some(Black), 2, 5));
    let grey = game.routes().iter().filter(|route| route.ferry > 0 && route.colour.is_none()).count();
    let ferries = game.routes().iter().filter(|route| route.ferry > 0).count();
    assert!(grey > 0 && 2 * grey < ferries, "A-19: {grey} of {ferries} ferries are grey");
    assert!(game.routes().iter().all(|route| !route.tunnel || route.colour.is_some()), "NO-6");
}

/// NO-2, CC-3, A-14: four cards; five tickets, of which at least two are kept.
#[test]
fn no_2_opening() {
    let game = nordic(2);
    let names = ["Oslo-Vaasa", "Oslo-Stavanger", "Bergen-Narvik", "Bergen-Tornio", "Tampere-Boden"];
    let blank = Table::new(&game);
    let mut events = vec![Event::Seat(Seat::new(0))];
    events.extend(cards([Red; 4]));
    events.extend(cards([Locomotive; 9])); // four in the hand, five face up and not flushed
    events.extend(names.map(|name| blank.draws(name)));
    let mut table = Table::deal(&game, events);
    assert_eq!((table.hand_of(0), table.hand_of(1)), (all("red*4"), all("locomotive*4")));
    assert_eq!(table.piles()[2], all("locomotive*5"), "NO-3: no flush at setup");
    assert_eq!(table.actions().len(), 10 + 10 + 5 + 1);
    table.play("keep Oslo-Vaasa", []).unwrap_err();
    let next = ["Turku-Trondheim", "Helsinki-Bergen", "Oslo-Helsinki", "Narvik-Tallinn", "Stockholm-Umeå"];
    let next = next.map(|name| blank.draws(name));
    table.play("keep Oslo-Vaasa, Oslo-Stavanger", next).unwrap();
    table
        .play("keep Turku-Trondheim, Helsinki-Bergen, Oslo-Helsinki, Narvik-Tallinn, Stockholm-Umeå", [])
        .unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::Main));
    assert_eq!(game.observe(table.state(), Seat::new(0)).ticket_deck_size(), 36);
}

/// NO-2, CC-29, I-22: of three drawn tickets at least one is kept; the others leave the game.
#[test]
fn no_2_unkept_tickets_leave_the_game() {
    let game = nordic(2);
    let mut table = table(&game, "");
    let drawn = ["Oslo-Vaasa", "Oslo-Stavanger", "Bergen-Narvik"];
    table.play("tickets", drawn.map(|name| Table::new(&game).draws(name))).unwrap();
    assert_eq!(table.actions().len(), 7);
    table.play("keep none", []).unwrap_err();
    table.play("keep Oslo-Vaasa", []).unwrap();
    assert_eq!(table.tickets_of(0), ["Oslo-Vaasa"]);
    let mut state = *table.state();
    let mut dice = Dice::from_seed(5);
    let mut seen = BTreeSet::new();
    while game.is_legal(&state, Action::DrawTickets) {
        let Turn::Of(seat) = game.turn(&state) else { panic!("over") };
        game.play(&mut state, Action::DrawTickets, &mut dice).unwrap();
        seen.extend(game.observe(&state, seat).offered());
        game.play(&mut state, Action::Keep(1), &mut dice).unwrap();
    }
    assert_eq!(seen.len(), 43, "each of the others once");
    assert!(drawn.iter().all(|name| !seen.contains(&table.ticket(name))));
}

/// A-22, CC-29: a short deck is drawn as far as it goes; an empty one not at all.
#[test]
fn a_22_short_ticket_deck() {
    let game = nordic(2);
    for (deck, choices) in [(&["Oslo-Vaasa", "Bergen-Narvik"][..], 3), (&["Oslo-Vaasa"], 1)] {
        let mut table = table(&game, "");
        table.ticket_deck(deck.iter().copied());
        let events: Vec<_> = deck.iter().map(|name| Table::new(&game).draws(name)).collect();
        table.play("tickets", events).unwrap();
        assert_eq!(table.actions().len(), choices);
        table.play("keep none", []).unwrap_err();
        table.play("keep Oslo-Vaasa", []).unwrap();
        assert!(table.play("tickets", []).unwrap_err().to_string().contains("CC-29"));
    }
}

/// NO-3, A-17, A-18: face-up locomotives are cards like others; three of them flush only with `flush_at =
/// 3`.
#[test]
fn no_3_locomotives_are_ordinary_cards() {
    let game = nordic(2);
    let mut free = Table::new(&game);
    free.market([Locomotive, Locomotive, Locomotive, Locomotive, Red]);
    free.play("take locomotive", cards([Locomotive])).unwrap();
    assert_eq!((free.seat(), free.phase()), (0, Phase::SecondCard));
    assert_eq!(free.piles()[2], all("locomotive*4 red*1"));
    free.play("take locomotive", cards([Blue])).unwrap();
    assert_eq!((free.seat(), free.hand_of(0)), (1, all("locomotive*2")));
    assert_eq!((free.piles()[1], free.piles()[2]), (Cards::EMPTY, all("locomotive*3 red*1 blue*1")));

    let flushing = variant("nordic", "[rules.draw]\nflush_at = 3", 2);
    let mut table = Table::new(&flushing);
    table.market([Locomotive, Locomotive, Red, Blue, Blue]);
    table.play("take blue", cards([Locomotive, Green, Green, White, White, Locomotive])).unwrap();
    assert_eq!(table.piles()[1], all("locomotive*3 red*1 blue*1"));
    assert_eq!(table.piles()[2], all("green*2 white*2 locomotive*1"));
    table.play("take locomotive", cards([Red])).unwrap(); // still an ordinary card
}

/// NO-4, NO-5, NO-6, NO-7, CC-22, A-12, A-21, A-59: on every route of the board, with either reading of
/// A-12, exactly the payments of the text, and every choice of set cards by exactly one sequence of
/// decisions.
#[test]
fn no_7_payments_of_every_route() {
    let held = "red*4 blue*3 white*1 green*2 locomotive*3";
    for (game, any_space) in [(nordic(2), true), (variant("nordic", LOCOMOTIVE_SPACE_ONLY, 2), false)] {
        let table = table(&game, held);
        let subsets = subsets(all(held));
        for (index, route) in game.routes().iter().enumerate() {
            let name = game.route_name(RouteId::new(index));
            let most_sets = if any_space { route.length } else { route.ferry };
            let payments = table.payments(&name);
            let expected: BTreeSet<_> = subsets
                .iter()
                .filter(|&&cards| text_pays(cards, route, route.length == 9, most_sets))
                .map(|cards| cards.counts())
                .collect();
            let found: BTreeSet<_> = payments.iter().map(|(_, cards)| cards.counts()).collect();
            assert_eq!(found, expected, "{name}");
            let set_cards = if route.length == 9 { 4 } else { 3 };
            assert_one_way_each(&payments, route.length, set_cards, all(held), &subsets);
        }
    }
}

/// Each payment's sets are all multisets of the rest of the hand, each once.
fn assert_one_way_each(
    payments: &[(ttr_engine::board::Payment, Cards)],
    length: u8,
    set_cards: u8,
    held: Cards,
    subsets: &[Cards],
) {
    let mut by_payment: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for &(payment, cards) in payments {
        by_payment.entry(payment).or_default().push((cards - payment.cards(length)).counts());
    }
    for (payment, mut sets) in by_payment {
        let rest = held - payment.cards(length);
        let size = payment.sets * set_cards;
        let fits = |set: &&Cards| set.total() == size && rest.contains(**set);
        let mut expected: Vec<_> = subsets.iter().filter(fits).map(|set| set.counts()).collect();
        sets.sort();
        expected.sort();
        assert_eq!(sets, expected, "{payment:?}");
    }
}

/// W-NO-1, NO-4: a blue route takes blue cards and nothing else.
#[test]
fn w_no_1_blue_route() {
    let game = nordic(2);
    let mut table = table(&game, "blue*3 red*2 locomotive*3");
    assert_eq!(paid(&table, "Göteborg-Örebro"), these(&["blue*2"]));
    let refused = table.play("claim Göteborg-Örebro in blue + 1 locomotive", []).unwrap_err();
    assert!(refused.to_string().contains("locomotives can't be played here"), "{refused}");
    table.play("claim Göteborg-Örebro in red", []).unwrap_err();
    table.play("claim Göteborg-Örebro in 2 locomotives", []).unwrap_err();
    table.play("claim Göteborg-Örebro in blue", []).unwrap();
    assert_eq!((table.hand_of(0), table.points_of(0)), (all("blue*1 red*2 locomotive*3"), 2));
}

/// W-NO-3, NO-4: a yellow route of two takes two yellow.
#[test]
fn w_no_3_yellow_route_of_two() {
    let game = nordic(2);
    let mut table = table(&game, "yellow*2 locomotive*2");
    assert_eq!(paid(&table, "Imatra-Lahti"), these(&["yellow*2"]));
    table.play("claim Imatra-Lahti in yellow + 1 locomotive", []).unwrap_err();
}

/// W-NO-4, NO-4: a grey route of three takes any one colour.
#[test]
fn w_no_4_grey_route_of_three() {
    let game = nordic(2);
    let mut table = table(&game, "red*3 green*4 blue*2 locomotive*3");
    assert_eq!(paid(&table, "Kuopio-Oulu"), these(&["red*3", "green*3"]));
    table.play("claim Kuopio-Oulu in blue", []).unwrap_err(); // 2 blue and 1 of something else
    table.play("claim Kuopio-Oulu in red + 1 locomotive", []).unwrap_err();
    table.play("claim Kuopio-Oulu in 3 locomotives", []).unwrap_err();
}

/// W-NO-9, CC-16, CC-17: two spaces now and the third later is no claim.
#[test]
fn w_no_9_a_route_is_claimed_whole() {
    let game = nordic(2);
    let mut table = table(&game, "white*2 orange*2");
    assert_eq!(paid(&table, "Kuopio-Lahti"), these(&[]));
    table.play("claim Kuopio-Lahti in white", []).unwrap_err();
    let few = ["Lieksa-Murmansk", "Mo I Rana-Trondheim/red", "Kirkenes-Rovaniemi", "Åndalsnes-Bergen"];
    table.routes(0, few).routes(0, ["Bergen-Oslo/blue", "Örebro-Sundsvall", "Stockholm-Sundsvall/1"]);
    table.routes(0, ["Göteborg-Oslo"]).finish();
    assert_eq!(table.trains_of(0), 40 - 9 - 6 - 5 - 5 - 4 - 4 - 4 - 2);
    assert!(table.play("claim Oulu-Rovaniemi in orange", []).unwrap_err().to_string().contains("CC-16"));
}

/// W-NO-2, NO-5, A-21: Murmansk-Lieksa takes one colour and sets of any four cards; a lone locomotive is
/// nothing.
#[test]
fn w_no_2_murmansk_lieksa() {
    let game = nordic(2);
    let route = "Murmansk-Lieksa";
    for (held, legal) in [
        ("green*7 blue*3 red*2 white*1 locomotive*2", true), // 7 green + any 8
        ("green*7 blue*8", true),
        ("blue*8 locomotive*4", true),
        ("blue*12", true), // 8 blue + 4 blue, or 9 blue
        ("blue*9", true),
        ("blue*8 locomotive*1", false),
        ("locomotive*9", false),
        ("green*7 blue*3 red*2 white*1 locomotive*1", false), // 7 green + 7
        ("blue*8 red*3", false),
    ] {
        let table = table(&game, held);
        let paid = pays(&table, route);
        assert_eq!(!paid.is_empty(), legal, "{held}");
        if legal {
            assert!(has(&paid, held) || held == "blue*12" && has(&paid, "blue*9"), "{held}");
        }
    }
    let paid = pays(&table(&game, "blue*12"), route);
    assert_eq!(paid, these(&["blue*9", "blue*12"]));
    let mut table = table(&game, "green*7 blue*3 red*2 white*1 locomotive*2");
    // There is nothing to choose from: all 15 cards go, and nothing is asked.
    table.play("claim Murmansk-Lieksa in green + 2 sets", []).unwrap();
    assert_eq!((table.seat(), table.owner(route)), (1, Some(0)));
    assert_eq!((table.hand_of(0), table.points_of(0), table.trains_of(0)), (Cards::EMPTY, 27, 31));
    assert_eq!(table.piles()[1], all("green*7 blue*3 red*2 white*1 locomotive*2"));
}

/// NO-5, A-21, I-10: all nine spaces by sets, 36 cards; a tenth set or a locomotive beside the sets is
/// refused.
#[test]
fn no_5_nine_sets_of_four() {
    let game = nordic(2);
    let held = "purple*4 blue*4 orange*4 white*4 green*4 yellow*4 black*4 red*4 locomotive*4";
    let mut table = Table::new(&game);
    table.hand(0, hand(held)).market(MARKET);
    for refused in ["10 sets", "1 locomotive + 8 sets", "red + 1 locomotive + 7 sets", "red + 9 sets"] {
        table.play(&format!("claim Murmansk-Lieksa in {refused}"), []).unwrap_err();
    }
    table.play("claim Murmansk-Lieksa in 9 sets", []).unwrap();
    assert_eq!((table.hand_of(0), table.owner("Murmansk-Lieksa")), (Cards::EMPTY, Some(0)));
    // One card fewer, and nine sets are too many; but two red and seven sets are not.
    let mut fewer = Table::new(&game);
    fewer
        .hand(0, hand(held).into_iter().map(|(kind, n)| (kind, n - u8::from(kind == Locomotive))))
        .market(MARKET);
    fewer.play("claim Murmansk-Lieksa in 9 sets", []).unwrap_err();
    fewer.play("claim Murmansk-Lieksa in red + 7 sets", []).unwrap();
    assert!(matches!(fewer.phase(), Phase::Sets { due: 28, .. }));
}

/// NO-5, CC-22: every choice of Murmansk's set cards on a hand with locomotives and more of the chosen
/// colour.
#[test]
fn no_5_every_choice_of_set_cards() {
    let game = nordic(2);
    let held = "green*9 blue*3 red*2 locomotive*3";
    let table = table(&game, held);
    let payments = table.payments("Murmansk-Lieksa");
    let subsets = subsets(all(held));
    let route = &game.routes()[game.parse_route("Murmansk-Lieksa").unwrap().index()];
    let expected: BTreeSet<_> =
        subsets.iter().filter(|&&c| text_pays(c, route, true, 0)).map(|cards| cards.counts()).collect();
    let found: BTreeSet<_> = payments.iter().map(|(_, cards)| cards.counts()).collect();
    assert_eq!(found, expected);
    assert!(has(&found, "green*9 blue*1 red*1 locomotive*1"), "a set with a card of the chosen colour in it");
    assert_one_way_each(&payments, 9, 4, all(held), &subsets);
}

/// CC-22, NO-7: set cards are asked for kind by kind, but only where there is a choice.
#[test]
fn cc_22_set_cards_kind_by_kind() {
    let game = nordic(2);
    let mut table = table(&game, "orange*2 blue*2 green*1 red*1");
    table.play("claim Stavanger-Kristiansand/orange in orange + 1 set", []).unwrap();
    assert_eq!(table.phase(), Phase::Sets { kind: Blue, due: 3 });
    assert_eq!(table.actions(), ["sets blue*1", "sets blue*2"], "green and red are two cards only");
    for refused in ["sets blue*0", "sets blue*3", "sets green*1", "take blind", "pass", "decline"] {
        table.play(refused, []).unwrap_err();
    }
    // Until it is paid the route is nobody's, and the cards lie on the table (I-3).
    assert_eq!((table.owner("Stavanger-Kristiansand/orange"), table.seat()), (None, 0));
    assert_eq!((table.hand_of(0), table.piles()[1]), (all("blue*2 green*1 red*1"), Cards::EMPTY));
    let mut forced = table.clone();
    forced.play("sets blue*1", []).unwrap();
    assert_eq!((forced.seat(), forced.hand_of(0)), (1, all("blue*1")), "green and red follow by themselves");
    table.play("sets blue*2", []).unwrap();
    assert_eq!(table.phase(), Phase::Sets { kind: Green, due: 1 });
    table.play("sets green*0", []).unwrap();
    assert_eq!((table.seat(), table.hand_of(0)), (1, all("green*1")));
    assert_eq!(table.piles()[1], all("orange*2 blue*2 red*1"));
    assert_eq!((table.points_of(0), table.trains_of(0)), (4, 37), "three spaces, five cards");
}

/// W-NO-5, NO-7, A-19: the ferry Stavanger-Kristiansand, three spaces, one locomotive.
#[test]
fn w_no_5_stavanger_kristiansand() {
    let game = nordic(2);
    let mut table = table(&game, "orange*5 blue*2 red*1 locomotive*3");
    let paid = pays(&table, "Stavanger-Kristiansand/orange");
    for legal in [
        "orange*2 locomotive*1",
        "orange*1 locomotive*2",
        "locomotive*3",
        "orange*2 blue*2 red*1",
        "orange*5",
        "orange*3 blue*1 locomotive*1", // a locomotive inside the set
    ] {
        assert!(has(&paid, legal), "{legal}");
    }
    for illegal in [
        "orange*3",
        "blue*2 locomotive*1",
        "orange*2",
        "orange*4",
        "orange*2 locomotive*2",
        "orange*2 blue*2",
    ] {
        assert!(!has(&paid, illegal), "{illegal}");
    }
    table.play("claim Stavanger-Kristiansand/orange in orange", []).unwrap_err();
    table.play("claim Stavanger-Kristiansand/orange in blue + 1 locomotive", []).unwrap_err();
    table.play("claim Stavanger-Kristiansand/orange in orange + 1 locomotive", []).unwrap();
    assert_eq!(table.hand_of(0), all("orange*3 blue*2 red*1 locomotive*2"));
}

/// W-NO-11, A-12, `nordic_ferry_sets`: the red ferry of six with two symbols, with both readings.
#[test]
fn w_no_11_mo_i_rana_trondheim() {
    let only = variant("nordic", LOCOMOTIVE_SPACE_ONLY, 2);
    let route = "Mo I Rana-Trondheim/red";
    for (game, any_space) in [(nordic(2), true), (only, false)] {
        let pays = |held: &str, cards: &str| has(&pays(&table(&game, held), route), cards);
        for legal in ["red*3 locomotive*3", "red*1 locomotive*5", "locomotive*6", "red*4 blue*6"] {
            assert!(pays(legal, legal), "{legal}");
        }
        for sets in ["red*3 yellow*9", "purple*3 blue*3 orange*3 white*3 green*3 yellow*3"] {
            assert_eq!(pays(sets, sets), any_space, "{sets}");
        }
        for illegal in ["red*6", "red*4 locomotive*1", "red*5 locomotive*1"] {
            assert!(!pays(illegal, illegal), "{illegal}");
        }
        // One set in place of a symbol, one locomotive in place of the other.
        assert!(pays("red*4 locomotive*1 blue*3", "red*4 locomotive*1 blue*3"));
    }
}

/// NO-7: where every space has a symbol, one locomotive or any three cards.
#[test]
fn no_7_ferries_of_one_space() {
    let game = nordic(2);
    for route in ["Århus-København", "Umeå-Vaasa"] {
        let table = table(&game, "red*2 blue*1 locomotive*2");
        let paid = pays(&table, route);
        let mut expected = these(&["locomotive*1"]);
        expected.extend(
            subsets(all("red*2 blue*1 locomotive*2")).iter().filter(|c| c.total() == 3).map(|c| c.counts()),
        );
        assert_eq!(paid, expected, "{route}");
        assert!(!has(&paid, "red*1"));
    }
}

/// NO-7, NO-8: the two ferries Helsinki-Stockholm differ in colour and symbols.
#[test]
fn no_7_helsinki_stockholm() {
    let game = nordic(2);
    let table = table(&game, "red*3 yellow*3 locomotive*2");
    let (yellow, grey) = (pays(&table, "Helsinki-Stockholm/yellow"), pays(&table, "Helsinki-Stockholm/grey"));
    assert!(has(&yellow, "yellow*3 locomotive*1") && !has(&grey, "yellow*3 locomotive*1"));
    assert!(has(&grey, "red*2 locomotive*2") && !has(&yellow, "red*2 locomotive*2"));
    assert!(has(&yellow, "yellow*2 locomotive*2") && has(&grey, "yellow*2 locomotive*2"));
}

/// W-NO-6, W-NO-7, A-13, NO-6: two green, a green or a locomotive revealed: one more green or a locomotive.
#[test]
fn w_no_7_tunnel_in_green() {
    let game = nordic(2);
    let route = "Kristiansand-Stavanger/green";
    for matching in [Green, Locomotive] {
        let mut table = table(&game, "green*3 red*3 locomotive*1");
        table.play(&format!("claim {route} in green + 1 set"), []).unwrap_err();
        table.play(&format!("claim {route} in green"), cards([matching, Red, Red])).unwrap();
        assert_eq!(table.phase(), Phase::Tunnel { extra: 1 });
        assert_eq!(table.actions(), ["pay", "pay + 1 locomotive", "decline"], "no set of three red");
        let mut locomotive = table.clone();
        locomotive.play("pay + 1 locomotive", []).unwrap();
        assert_eq!(locomotive.hand_of(0), all("green*1 red*3"));
        table.play("pay", []).unwrap();
        assert_eq!((table.owner(route), table.hand_of(0)), (Some(0), all("red*3 locomotive*1")));
    }
}

/// W-NO-8, NO-6: two locomotives, a locomotive revealed: one more locomotive, no colour and no set.
#[test]
fn w_no_8_tunnel_in_locomotives() {
    let game = nordic(2);
    let route = "Kristiansand-Stavanger/green";
    let mut table = table(&game, "green*6 locomotive*3");
    table.play(&format!("claim {route} in 2 locomotives"), cards([Locomotive, Green, Green])).unwrap();
    assert_eq!(table.actions(), ["pay + 1 locomotive", "decline"]);
    table.play("pay + 1 locomotive", []).unwrap();
    assert_eq!((table.owner(route), table.hand_of(0)), (Some(0), all("green*6")));
}

/// W-NO-10, CC-21: points by length.
#[test]
fn w_no_10_points_by_length() {
    let game = nordic(2);
    let points = [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15), (9, 27)];
    for route in game.routes() {
        assert!(points.contains(&(route.length, route.points)), "{route:?}");
    }
    assert!(points.iter().all(|&(length, _)| game.routes().iter().any(|route| route.length == length)));
}

const UNEQUAL: [[&str; 2]; 2] = [
    ["Kristiansand-Stavanger/green", "Kristiansand-Stavanger/orange"],
    ["Mo I Rana-Trondheim/green", "Mo I Rana-Trondheim/red"],
];
const EQUAL: [[&str; 2]; 2] = [
    ["Helsinki-Stockholm/yellow", "Helsinki-Stockholm/grey"],
    ["Norrköping-Stockholm/orange", "Norrköping-Stockholm/red"],
];

/// NO-8, CC-19, CC-20, A-20, `twins_require_equal_length`: which tracks are twins, and what that means.
#[test]
fn no_8_twins() {
    let equal = "[rules.claim]\ntwins_require_equal_length = true";
    for seats in [2, 3] {
        for (game, twins) in [(nordic(seats), true), (variant("nordic", equal, seats), false)] {
            for (pair, twins) in
                UNEQUAL.map(|pair| (pair, twins)).into_iter().chain(EQUAL.map(|pair| (pair, true)))
            {
                for [claimed, other] in [pair, [pair[1], pair[0]]] {
                    let mut table = Table::new(&game);
                    table.market(MARKET).routes(0, [claimed]).finish();
                    let open = |seat| {
                        let open = game.observe(table.state(), Seat::new(0)).open_routes(Seat::new(seat));
                        open.contains(table.route(other))
                    };
                    assert_eq!(open(0), !twins, "{seats} seats, {claimed}: nobody owns both");
                    assert_eq!(open(1), !twins || seats == 3, "{seats} seats, {claimed}: the other seat");
                }
            }
        }
    }
}

/// NO-9: no stations, no long tickets, no longest-path bonus.
#[test]
fn no_9_no_stations() {
    let game = nordic(2);
    let mut table = table(&game, "red*5 locomotive*5");
    assert_eq!(table.actions_like("station"), [""; 0]);
    assert!(table.play("station Oslo in red", []).unwrap_err().to_string().contains("EU-7"));
    table.routes(0, ["Göteborg-Oslo"]);
    let sheet = game.score_sheet(table.state());
    assert_eq!((sheet[0].longest_path, sheet[0].longest_path_bonus, sheet[0].stations), (2, 0, 0));
    assert_eq!(sheet[0].total, 2);
}

/// NO-12, CC-6: without a card to draw, a claim or tickets; without those, a pass; when all pass, the end.
#[test]
fn no_12_without_cards_to_draw() {
    let game = nordic(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("locomotive*1")).deck_rest_to(1, []);
    let mut actions = table.actions();
    actions.sort();
    // A locomotive is of use on the two ferries of one space and on tunnels of one space.
    let claims = ["Kiruna-Narvik/purple", "Kiruna-Narvik/white", "Umeå-Vaasa", "Århus-København"];
    let mut expected: Vec<_> = claims.map(|route| format!("claim {route} in 1 locomotive")).into();
    expected.push("tickets".to_owned());
    assert_eq!(actions, expected);
    table.play("pass", []).unwrap_err();

    // No tickets, no cards, no trains: nothing is left to do for either.
    let mut stuck = Table::new(&game);
    stuck.ticket_deck([]).deck_rest_to(1, []).trains(1, 0);
    assert_eq!(stuck.actions(), ["pass"]);
    stuck.play("pass", []).unwrap();
    assert_eq!((stuck.seat(), stuck.actions()), (1, vec!["pass".to_owned()]));
    stuck.play("pass", []).unwrap();
    assert_eq!(stuck.phase(), Phase::Over(Ending::Stalemate));
}

/// Every way to deal what seat 2 can't see to the payer (seat 1), to seat 0 and to the deck in which the
/// payer has a choice about its set cards is as likely: compared with all ways, card by card.
#[test]
fn i_42_guesses_in_the_middle_of_a_claim() {
    let game = nordic(3);
    let mut table = table(&game, "red*1 yellow*1");
    table.hand(1, hand("orange*2 red*2 locomotive*2")).deck_rest_to(2, [Black, Locomotive]).turn(1);
    table.play("claim Stavanger-Kristiansand/orange in orange + 1 set", []).unwrap();
    assert_eq!(table.phase(), Phase::Sets { kind: Red, due: 3 });

    let unseen = [Red, Red, Red, Locomotive, Locomotive, Locomotive, Yellow, Black];
    let mut expected = BTreeMap::<_, f64>::new();
    for payer in (0_u32..1 << 8).filter(|cards| cards.count_ones() == 4) {
        for other in (0_u32..1 << 8).filter(|cards| cards.count_ones() == 2 && cards & payer == 0) {
            let taken = |set: u32| -> Cards {
                (0..8)
                    .filter(|i| set >> i & 1 != 0)
                    .map(|i| Cards::of(unseen[i], 1))
                    .fold(Cards::EMPTY, |a, b| a + b)
            };
            let (payer, other) = (taken(payer), taken(other));
            let (red, wild) = (payer.count(Red), payer.locomotives());
            if 3_u8.saturating_sub(wild) < red.min(3) {
                *expected.entry((payer.counts(), other.counts())).or_default() += 1.0;
            }
        }
    }
    let all: f64 = expected.values().sum();
    let mut dice = Dice::from_seed(1);
    let (n, mut found) = (40_000, BTreeMap::<_, f64>::new());
    for _ in 0..n {
        let world = game.determinize(&table.seen_by(2), &mut dice);
        let world = Table::at(&game, world);
        *found.entry((world.hand_of(1).counts(), world.hand_of(0).counts())).or_default() += 1.0;
    }
    assert!(found.keys().all(|deal| expected.contains_key(deal)), "{found:?}");
    let chi: f64 = expected
        .iter()
        .map(|(deal, ways)| {
            let expected = ways / all * f64::from(n);
            (found.get(deal).copied().unwrap_or(0.0) - expected).powi(2) / expected
        })
        .sum();
    let freedom = expected.len() as f64 - 1.0;
    assert!(chi < freedom + 4.0 * (2.0 * freedom).sqrt(), "{chi} with {freedom} degrees of freedom");
}

/// CC-27: a seat that can't pay for a tunnel and one that does not want to look the same to the others,
/// before and after it declines; and a guess may give it either hand.
#[test]
fn cc_27_unable_looks_like_unwilling() {
    let game = nordic(3);
    let mut tables = ["locomotive*3 red*2", "locomotive*2 red*3"].map(|held| {
        let mut table = table(&game, "red*2 blue*1");
        table.hand(1, hand(held)).turn(1);
        table.play("claim Lillehammer-Oslo in 2 locomotives", cards([Locomotive, Blue, Blue])).unwrap();
        assert_eq!((table.seat(), table.phase()), (1, Phase::Tunnel { extra: 1 }));
        table
    });
    let [able, unable] = &tables;
    assert_eq!((able.actions().len(), unable.actions()), (2, vec!["decline".to_owned()]));
    for seat in [0, 2] {
        assert_eq!(able.seen_by(seat).facts(), unable.seen_by(seat).facts());
    }
    let mut dice = Dice::from_seed(1);
    let choices = |_| Table::at(&game, game.determinize(&able.seen_by(2), &mut dice)).actions().len();
    let choices: Vec<_> = (0..500).map(choices).collect();
    assert!(choices.contains(&1) && choices.contains(&2), "both hands are possible");
    for table in &mut tables {
        table.play("decline", []).unwrap();
    }
    assert_eq!(tables[0].seen_by(2).facts(), tables[1].seen_by(2).facts());
}
