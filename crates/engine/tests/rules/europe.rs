//! Europe: EU-1 to EU-12, its worked examples, tunnels (CC-23 to CC-28) and stations.

mod tunnels;

use std::collections::BTreeSet;

use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{Action, BoardGame, Payment, Phase};
use ttr_engine::testing::{Table, cards, payment};
use ttr_engine::{Cards, Event, Game, Notation, RouteId, Seat, TicketId, maps};

pub(crate) fn europe(seats: usize) -> BoardGame {
    BoardGame::new(&maps::load("europe").unwrap(), seats).unwrap()
}

pub(crate) const MARKET: [CardKind; 5] = [White, White, White, Green, Green];

/// The cards of a text such as "red*2 locomotive*1".
pub(crate) fn hand(text: &str) -> Vec<(CardKind, u8)> {
    text.split_whitespace()
        .map(|part| {
            let (kind, count) = part.split_once('*').unwrap();
            (CardKind::from_name(kind).unwrap(), count.parse().unwrap())
        })
        .collect()
}

pub(crate) fn all(text: &str) -> Cards {
    hand(text).into_iter().fold(Cards::EMPTY, |all, (kind, count)| all + Cards::of(kind, count))
}

/// Every multiset within a hand.
pub(crate) fn subsets(hand: Cards) -> Vec<Cards> {
    let mut subsets = vec![Cards::EMPTY];
    for (kind, count) in hand.iter() {
        let more = subsets.iter().flat_map(|&set| (0..=count).map(move |n| set + Cards::of(kind, n)));
        subsets = more.collect();
    }
    subsets
}

/// The multisets that pay for a route, each once.
pub(crate) fn paid(table: &Table, route: &str) -> BTreeSet<[u8; 9]> {
    let payments: Vec<_> = table.payments(route).into_iter().map(|(_, cards)| cards.counts()).collect();
    let set: BTreeSet<_> = payments.iter().copied().collect();
    assert_eq!(set.len(), payments.len(), "a payment of {route} is listed twice");
    set
}

pub(crate) fn these(texts: &[&str]) -> BTreeSet<[u8; 9]> {
    texts.iter().map(|text| all(text).counts()).collect()
}

/// EU-4 and EU-5, read off the text: whether exactly these cards pay.
fn pays(cards: Cards, colour: Option<CardKind>, length: u8, symbols: u8) -> bool {
    let locomotives = cards.locomotives();
    let coloured: Vec<_> = cards.iter().filter(|&(kind, _)| kind != Locomotive).collect();
    cards.total() == length
        && locomotives >= symbols
        && match coloured[..] {
            [] => true,
            [(kind, _)] => colour.is_none_or(|colour| colour == kind),
            _ => false,
        }
}

/// EU-1, A-1, A-2: what is in the box, and who can play.
#[test]
fn eu_1_components() {
    let map = maps::load("europe").unwrap();
    let game = europe(5);
    let pairs: BTreeSet<_> = game.routes().iter().map(|route| route.ends).collect();
    let twins = game.routes().iter().filter(|route| route.twin.is_some()).count();
    assert_eq!((map.cities.len(), game.routes().len(), pairs.len(), twins), (47, 101, 90, 22));
    assert_eq!(map.rules.deck.counts(), [12, 12, 12, 12, 12, 12, 12, 12, 14]);
    assert_eq!(map.tickets.iter().filter(|ticket| ticket.deck == "long").count(), 6);
    assert_eq!(map.tickets.iter().filter(|ticket| ticket.deck == "regular").count(), 40);
    assert_eq!(map.rules.trains, 45);
    assert_eq!(map.rules.stations.as_ref().unwrap().per_seat, 3);
    assert!((2..=5).all(|seats| BoardGame::new(&map, seats).is_ok()));
    assert!(BoardGame::new(&map, 1).is_err() && BoardGame::new(&map, 6).is_err());
}

/// Events of a Europe deal for two seats up to the first choice, seat 1 being first.
fn opening(table: &Table) -> Vec<Event> {
    let mut events = vec![Event::Seat(Seat::new(1))];
    events.extend(cards([Red, Red, Red, Red, Blue, Blue, Blue, Blue]));
    events.extend(cards(MARKET));
    let tickets = ["Brest-Petrograd", "Paris-Wien", "Kyiv-Sochi", "London-Wien"];
    events.extend(tickets.map(|name| table.draws(name)));
    events
}

/// EU-2, CC-2, A-3: one long and three regular tickets each; at least two of the four are kept, any of them.
#[test]
fn eu_2_one_long_and_three_regular_tickets() {
    let game = europe(2);
    let mut table = Table::deal(&game, opening(&Table::new(&game)));
    assert_eq!((table.seat(), table.phase()), (1, Phase::Opening { step: 0 }));
    assert_eq!((table.hand_of(0), table.hand_of(1)), (all("red*4"), all("blue*4")));
    let choices = table.actions();
    assert_eq!(choices.len(), 6 + 4 + 1, "two, three or four of four");
    for refused in ["keep none", "keep Brest-Petrograd", "keep Paris-Wien"] {
        table.play(refused, []).unwrap_err();
    }
    // The long ticket is returned.
    let next =
        ["Cadiz-Stockholm", "Berlin-Roma", "Berlin-Moskva", "Sofia-Smyrna"].map(|name| table.draws(name));
    table.play("keep Paris-Wien, Kyiv-Sochi", next).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::Opening { step: 0 }));
    table.play("keep Cadiz-Stockholm, Berlin-Roma, Berlin-Moskva", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    assert_eq!(table.tickets_of(1), ["Kyiv-Sochi", "Paris-Wien"]);
    assert_eq!(game.observe(table.state(), Seat::new(0)).ticket_deck_size(), 40 - 6);
    // another seat may be first.
    let mut events = opening(&Table::new(&game));
    events[0] = Event::Seat(Seat::new(0));
    assert_eq!(Table::deal(&game, events).seat(), 0);
}

/// A-3, CC-4: with a given first seat nothing is drawn for it.
#[test]
fn a_3_given_first_seat() {
    let game = crate::nordic::variant("europe", "[rules]\nfirst_seat = { seat = 2 }", 2);
    let events = opening(&Table::new(&game)).split_off(1);
    let table = Table::deal(&game, events);
    assert_eq!((table.seat(), table.hand_of(0)), (1, all("red*4")));
}

/// EU-2, CC-3, CC-29: returned opening tickets and long ones never come back; unkept drawn ones do.
#[test]
fn eu_2_returned_tickets_and_long_ones_never_come_back() {
    let game = europe(2);
    let mut table = Table::deal(&game, opening(&Table::new(&game)));
    let next =
        ["Cadiz-Stockholm", "Berlin-Roma", "Berlin-Moskva", "Sofia-Smyrna"].map(|name| table.draws(name));
    table.play("keep Paris-Wien, Kyiv-Sochi", next).unwrap();
    table.play("keep Cadiz-Stockholm, Berlin-Roma", []).unwrap();
    let gone =
        ["Brest-Petrograd", "London-Wien", "Berlin-Moskva", "Sofia-Smyrna"].map(|name| table.ticket(name));
    let mut dice = ttr_engine::Dice::from_seed(1);
    let mut state = *table.state();
    let mut drawn = BTreeSet::new();
    while game.is_legal(&state, Action::DrawTickets) {
        game.play(&mut state, Action::DrawTickets, &mut dice).unwrap();
        let seat = game.observe(&state, Seat::new(0)).to_move();
        let offered = game.observe(&state, Seat::new((!seat).into())).offered();
        drawn.extend(offered);
        game.play(&mut state, Action::Keep((1 << offered.len()) - 1), &mut dice).unwrap();
    }
    let regular: BTreeSet<_> = (6..46).map(TicketId::new).collect();
    assert!(drawn.is_subset(&regular), "a long ticket was drawn");
    assert!(gone.iter().all(|ticket: &TicketId| !drawn.contains(ticket)));
    assert_eq!(drawn.len(), 34);
}

/// EU-3, EU-4, EU-5, EU-6, CC-22, CC-23: for every route of the board the payments are exactly those of the
/// text.
#[test]
fn eu_4_payments_of_every_route() {
    let game = europe(2);
    let held = "red*4 blue*3 black*2 purple*1 locomotive*8";
    let mut table = Table::new(&game);
    table.hand(0, hand(held)).market(MARKET);
    let mut tunnels = 0;
    for (index, route) in game.routes().iter().enumerate() {
        let name = game.route_name(RouteId::new(index));
        let expected: BTreeSet<_> = subsets(all(held))
            .into_iter()
            .filter(|&cards| pays(cards, route.colour, route.length, route.ferry))
            .map(Cards::counts)
            .collect();
        assert_eq!(paid(&table, &name), expected, "{name}");
        assert!(!(route.ferry > 0 && (route.tunnel || route.colour.is_some())), "{name}");
        tunnels += usize::from(route.tunnel);
    }
    let grey = game.routes().iter().filter(|route| route.tunnel && route.colour.is_none()).count();
    assert_eq!((tunnels, grey), (18, 10), "EU-6");
}

/// W-EU-1, EU-3, EU-4: a blue route of three has four payments.
#[test]
fn w_eu_1_blue_route_of_three() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("blue*4 red*1 locomotive*3")).market(MARKET);
    let route = "Constantinople-Sofia";
    let expected = ["blue*3", "blue*2 locomotive*1", "blue*1 locomotive*2", "locomotive*3"];
    assert_eq!(paid(&table, route), these(&expected));
    for (how, left) in
        [("blue", "blue*1 red*1 locomotive*3"), ("blue + 1 locomotive", "blue*2 red*1 locomotive*2")]
    {
        let mut table = table.clone();
        table.play(&format!("claim {route} in {how}"), []).unwrap();
        assert_eq!((table.hand_of(0), table.points_of(0), table.trains_of(0)), (all(left), 4, 42));
        assert_eq!(table.owner(route), Some(0));
    }
    table.play(&format!("claim {route} in red + 2 locomotives"), []).unwrap_err();
    table.play(&format!("claim {route} in red + 1 locomotive"), []).unwrap_err();
    // Two blue are not three, and surplus can't be paid.
    let mut poor = Table::new(&game);
    poor.hand(0, hand("blue*2 red*1")).market(MARKET);
    assert_eq!(paid(&poor, route), these(&[]));
    poor.play(&format!("claim {route} in blue"), []).unwrap_err();
    table.play(&format!("claim {route} in blue + 4 locomotives"), []).unwrap_err();
}

/// W-EU-2, EU-4: a grey route of two takes one colour, whichever, and locomotives.
#[test]
fn w_eu_2_grey_route_of_two() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("red*2 yellow*1 locomotive*2")).market(MARKET);
    let expected = ["red*2", "red*1 locomotive*1", "yellow*1 locomotive*1", "locomotive*2"];
    assert_eq!(paid(&table, "Danzig-Warszawa"), these(&expected));
    table.play("claim Danzig-Warszawa in yellow", []).unwrap_err(); // 1 red + 1 yellow
}

/// W-EU-3, CC-16, CC-17: a route is claimed whole or not at all.
#[test]
fn w_eu_3_a_route_is_claimed_whole() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("blue*6 black*6")).market(MARKET).routes(0, LONG_43);
    assert_eq!(table.trains_of(0), 2);
    let refused = table.play("claim Constantinople-Sofia in blue", []).unwrap_err();
    assert!(refused.to_string().contains("CC-16"), "{refused}");
    assert!(table.actions_like("claim").iter().all(|claim| !claim.contains("Constantinople-Sofia")));
    // Two spaces are within reach.
    table.play("claim Berlin-Essen in blue", []).unwrap();
    assert_eq!(table.trains_of(0), 0);
}

/// 43 trains, nothing near the cities of the tests.
const LONG_43: [&str; 9] = [
    "Petrograd-Stockholm", // 8
    "Palermo-Smyrna",      // 6
    "Budapest-Kyiv",       // 6
    "Moskva-Petrograd",    // 4
    "Kharkov-Moskva",      // 4
    "Rostov-Sevastopol",   // 4
    "Riga-Wilno",          // 4
    "Kharkov-Kyiv",        // 4
    "Danzig-Riga",         // 3
];

/// EU-5, section 9.1: Smyrna-Palermo needs two locomotives, London-Amsterdam nothing else; there are no
/// sets.
#[test]
fn eu_5_ferries() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("yellow*6 red*3 locomotive*6")).market(MARKET);
    let expected = [
        "yellow*4 locomotive*2",
        "yellow*3 locomotive*3",
        "yellow*2 locomotive*4",
        "yellow*1 locomotive*5",
        "red*3 locomotive*3",
        "red*2 locomotive*4",
        "red*1 locomotive*5",
        "locomotive*6",
    ];
    assert_eq!(paid(&table, "Smyrna-Palermo"), these(&expected));
    table.play("claim Smyrna-Palermo in yellow + 1 locomotive", []).unwrap_err();
    table.play("claim Smyrna-Palermo in yellow", []).unwrap_err();
    assert_eq!(paid(&table, "London-Amsterdam"), these(&["locomotive*2"]));
    table.play("claim London-Amsterdam in red + 1 locomotive", []).unwrap_err();
    table.play("claim London-Amsterdam in 1 locomotive + 1 set", []).unwrap_err();
    table.play("claim Smyrna-Palermo in 6 locomotives", []).unwrap();
    assert_eq!((table.points_of(0), table.trains_of(0)), (15, 39));
}

/// W-EU-8, W-EU-9, A-11, CC-21: points by length; 5 is in the table although the board has no such route.
#[test]
fn w_eu_8_points_by_length() {
    let game = europe(2);
    let points = [(1, 1), (2, 2), (3, 4), (4, 7), (6, 15), (8, 21)];
    for route in game.routes() {
        assert!(points.contains(&(route.length, route.points)), "{route:?}");
    }
    for (length, points) in points.into_iter().chain([(5, 10)]) {
        assert_eq!(game.spec().rules.claim.points[&length.to_string()], points);
        assert_eq!(game.routes().iter().any(|route| route.length == length), length != 5);
    }
    let mut table = Table::new(&game);
    table.hand(0, hand("red*8 locomotive*2")).market(MARKET);
    table.play("claim Petrograd-Stockholm in red", cards([Blue, Blue, Blue])).unwrap();
    assert_eq!((table.points_of(0), table.trains_of(0)), (21, 37));
}

/// W-EU-11, CC-31: two trains or fewer at the end of a turn start the final round, three do not.
#[test]
fn w_eu_11_two_trains_start_the_final_round() {
    let game = europe(2);
    for (route, pay, starts) in [("Berlin-Essen", "blue", false), ("Danzig-Riga", "black", true)] {
        let mut table = Table::new(&game);
        table.hand(0, hand("blue*4 black*4")).market(MARKET).routes(0, LONG_43.into_iter().take(8));
        assert_eq!(table.trains_of(0), 5);
        table.play(&format!("claim {route} in {pay}"), []).unwrap();
        assert_eq!(game.observe(table.state(), Seat::new(0)).final_turns(), starts.then_some(2));
    }
}

/// W-EU-12, CC-19, CC-20: a claim closes the other track between the same cities and nothing else.
#[test]
fn w_eu_12_only_routes_between_the_same_cities_are_twins() {
    for (seats, closes) in [(2, true), (3, true), (4, false), (5, false)] {
        let game = europe(seats);
        for (index, route) in game.routes().iter().enumerate() {
            let name = game.route_name(RouteId::new(index));
            let mut table = Table::new(&game);
            table.market(MARKET).routes(1, [name.as_str()]).finish();
            let open = game.observe(table.state(), Seat::new(0)).open_routes(Seat::new(0));
            for (other, spec) in game.routes().iter().enumerate() {
                let twin = other != index && spec.ends == route.ends;
                let expected = other != index && !(twin && closes);
                assert_eq!(open.contains(RouteId::new(other)), expected, "{name} and {other}");
                let own = game.observe(table.state(), Seat::new(1)).open_routes(Seat::new(1));
                assert_eq!(own.contains(RouteId::new(other)), other != index && !twin, "CC-19");
            }
        }
    }
    let game = europe(2);
    let track = |name: &str| game.routes()[game.parse_route(name).unwrap().index()].clone();
    let (black, white) = (track("Madrid-Pamplona/black"), track("Madrid-Pamplona/white"));
    assert!(black.tunnel && white.tunnel && black.twin.is_some() && white.twin.is_some());
}

// --- stations ---

/// EU-7, W-EU-7, A-8, I-24: the n-th station costs n cards of one colour, any of them locomotives.
#[test]
fn eu_7_station_prices() {
    let game = europe(2);
    let held = "red*3 blue*2 green*1 locomotive*3";
    for built in 0..3u8 {
        let mut table = Table::new(&game);
        table
            .hand(0, hand(held))
            .market(MARKET)
            .stations(0, ["Roma", "Paris"].into_iter().take(built.into()));
        let price = built + 1;
        let expected: BTreeSet<_> = subsets(all(held))
            .into_iter()
            .filter(|&cards| pays(cards, None, price, 0))
            .map(Cards::counts)
            .collect();
        let mut offered = BTreeSet::new();
        for action in game.actions(table.state()) {
            let Action::BuildStation { city, payment } = action else { continue };
            if game.city_name(city) == "Wien" {
                assert!(offered.insert(payment.cards(price).counts()), "{payment:?} is listed twice");
            }
        }
        assert_eq!(offered, expected, "station {price}");
        // One red and one blue card are no price of two; a colour never pays alone for what it can't.
        table.play("station Wien in green + 3 locomotives", []).unwrap_err();
        let before = table.hand_of(0);
        let how = ["green", "red", "red + 1 locomotive"][usize::from(built)];
        table.play(&format!("station Wien in {how}"), []).unwrap();
        assert_eq!(table.hand_of(0).total() + price, before.total());
        assert_eq!(table.piles()[1].total(), price, "the cards are discarded");
        assert_eq!((table.seat(), table.phase()), (1, Phase::Main), "it was the whole turn");
    }
}

/// EU-7, I-24: no second station in a city, whoever built it; no fourth station; any other city will do.
#[test]
fn eu_7_station_places() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("red*4")).market(MARKET).stations(0, ["Roma"]).stations(1, ["Paris"]);
    assert_eq!(table.actions_like("station").len(), 47 - 2, "all cities but two, though no route is claimed");
    for city in ["Roma", "Paris"] {
        let refused = table.play(&format!("station {city} in red"), []).unwrap_err();
        assert!(refused.to_string().contains("EU-7"), "{refused}");
    }
    let mut done = Table::new(&game);
    done.hand(0, hand("red*4 locomotive*4")).market(MARKET).stations(0, ["Roma", "Wien", "Kyiv"]);
    assert_eq!(done.actions_like("station"), [""; 0]);
    assert!(done.play("station Paris in red", []).unwrap_err().to_string().contains("EU-7"));
    // Without a card there is no station.
    let mut poor = Table::new(&game);
    poor.market(MARKET).play("station Paris in red", []).unwrap_err();
}

/// Ticket points and completed tickets of a seat.
fn tickets(table: &Table, seat: usize) -> (i16, u8) {
    let score = game_sheet(table)[seat];
    (score.tickets, score.completed)
}

fn game_sheet(table: &Table) -> ttr_engine::board::ScoreSheet {
    table.finish();
    table.game.score_sheet(table.state())
}

/// EU-8, section 9.6 (D1), CC-33, I-26: a station closes the gap for tickets, but not for the longest path.
#[test]
fn eu_8_a_station_closes_the_gap() {
    let game = europe(2);
    let arrange = |stations: &[&str]| {
        let mut table = Table::new(&game);
        table.market(MARKET).tickets(0, ["Frankfurt-Kobenhavn", "Cadiz-Stockholm"]);
        table.routes(0, ["Stockholm-Kobenhavn/white", "Essen-Frankfurt"]).routes(1, ["Kobenhavn-Essen/1"]);
        table.stations(0, stations.iter().copied());
        table
    };
    assert_eq!(tickets(&arrange(&[]), 0), (-26, 0));
    for stations in [&["Kobenhavn"][..], &["Essen"], &["Essen", "Kobenhavn"]] {
        let table = arrange(stations);
        assert_eq!(tickets(&table, 0), (5 - 21, 1), "{stations:?}");
        let sheet = game_sheet(&table);
        assert_eq!((sheet[0].longest_path, sheet[1].longest_path), (3, 3));
        assert_eq!((sheet[0].longest_path_bonus, sheet[1].longest_path_bonus), (10, 10));
        assert_eq!(sheet[1].tickets, 0);
    }
    for useless in ["Stockholm", "Frankfurt", "Cadiz"] {
        assert_eq!(tickets(&arrange(&[useless]), 0), (-26, 0), "{useless}");
    }
}

/// EU-8, EU-9, A-9, section 9.6 (D1): one station counts one route, the one that is worth most.
#[test]
fn eu_9_one_route_of_a_station() {
    let game = europe(3);
    let arrange = |more: &[&str]| {
        let mut table = Table::new(&game);
        table
            .market(MARKET)
            .stations(0, ["Essen"])
            .routes(0, ["Stockholm-Kobenhavn/white", "Frankfurt-Munchen"]);
        // Over Kobenhavn one ticket, over Frankfurt up to three.
        table.routes(1, ["Essen-Kobenhavn/1"]).routes(2, ["Essen-Frankfurt"]);
        table.routes(0, ["Berlin-Essen", "Zurich-Munchen", "Marseille-Zurich"]);
        table.tickets(0, ["Stockholm-Wien"].into_iter().chain(more.iter().copied()));
        table
    };
    // Stockholm-Wien (11) over Kobenhavn and Berlin-Wien; Marseille-Essen (8) over Frankfurt.
    let mut one = arrange(&["Marseille-Essen"]);
    one.routes(0, ["Berlin-Wien"]);
    assert_eq!(tickets(&one, 0), (11 - 8, 1), "11 points count more than 8");
    // Three over Frankfurt turn the choice: only they are completed.
    let mut three = arrange(&["Marseille-Essen", "Zurich-Budapest", "Berlin-Roma"]);
    three.routes(0, ["Berlin-Wien", "Budapest-Wien/red", "Venezia-Zurich", "Roma-Venezia"]);
    assert_eq!(tickets(&three, 0), (8 + 6 + 9 - 11, 3));
    // A route of one's own, or of nobody, is not borrowed.
    let mut alone = Table::new(&game);
    alone
        .market(MARKET)
        .stations(0, ["Essen"])
        .tickets(0, ["Frankfurt-Kobenhavn"])
        .routes(0, ["Essen-Frankfurt"]);
    assert_eq!(tickets(&alone, 0), (-5, 0));
}

/// EU-8, section 9.6 (B): Budapest-Sofia over an opponent's Sarajevo-Sofia, with a station at either end or
/// both.
#[test]
fn eu_8_budapest_sofia() {
    let game = europe(2);
    for stations in [&["Sarajevo"][..], &["Sofia"], &["Sarajevo", "Sofia"]] {
        let mut table = Table::new(&game);
        table.market(MARKET).tickets(0, ["Budapest-Sofia"]).stations(0, stations.iter().copied());
        table.routes(0, ["Budapest-Sarajevo"]).routes(1, ["Sarajevo-Sofia"]);
        assert_eq!(tickets(&table, 0), (5, 1), "{stations:?}");
    }
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Budapest-Sofia"]).stations(0, ["Budapest"]);
    table.routes(0, ["Budapest-Sarajevo"]).routes(1, ["Sarajevo-Sofia"]);
    assert_eq!(tickets(&table, 0), (-5, 0), "the station must be at an end of the borrowed route");
}

/// EU-8: two stations borrow two adjacent routes; several seats borrow the same; its owner loses nothing.
#[test]
fn eu_8_several_stations_and_borrowers() {
    let game = europe(3);
    let mut table = Table::new(&game);
    table
        .market(MARKET)
        .tickets(0, ["Paris-Wien"])
        .tickets(1, ["Zurich-Budapest"])
        .tickets(2, ["Paris-Zagrab"]);
    table.routes(2, ["Frankfurt-Paris/white", "Frankfurt-Munchen", "Munchen-Wien", "Wien-Zagrab"]);
    table.routes(0, ["Munchen-Zurich"]).routes(1, ["Budapest-Wien/red"]);
    // Seat 0 needs three borrowed routes in a row, and three stations can do that.
    table.stations(0, ["Paris", "Frankfurt", "Wien"]);
    assert_eq!(tickets(&table, 0), (8, 1));
    // Seat 1 borrows Munchen-Wien too, but Munchen-Zurich is another's and out of a lone station's reach.
    table.stations(1, ["Munchen"]);
    assert_eq!(tickets(&table, 1), (-6, 0));
    table.stations(1, ["Zurich"]);
    assert_eq!(tickets(&table, 1), (6, 1));
    assert_eq!(tickets(&table, 2), (7, 1), "the owner still has its routes");
    // One station fewer, and the chain of seat 0 breaks.
    let mut fewer = Table::new(&game);
    fewer.market(MARKET).tickets(0, ["Paris-Wien"]).stations(0, ["Paris", "Wien"]);
    fewer.routes(2, ["Frankfurt-Paris/white", "Frankfurt-Munchen", "Munchen-Wien"]);
    assert_eq!(tickets(&fewer, 0), (-8, 0));
}

/// EU-12, A-10: without any card to draw, claims, tickets and stations are still possible.
#[test]
fn eu_12_without_cards_to_draw() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("red*2 blue*1")).deck_rest_to(1, []);
    let actions = table.actions();
    assert_eq!(table.actions_like("take"), [""; 0]);
    assert!(table.play("take blind", []).unwrap_err().to_string().contains("CC-7"));
    for possible in ["tickets", "claim Danzig-Warszawa in red", "station Roma in blue"] {
        assert!(actions.contains(&possible.to_owned()), "{possible}");
    }
    // The station's card becomes the deck, and a market of one card is laid out (CC-11, CC-13).
    table.play("station Roma in blue", cards([Blue])).unwrap();
    assert_eq!(table.piles(), [Cards::EMPTY, Cards::EMPTY, all("blue*1")]);
}

/// A-4, CC-10: after a blind first card too, no face-up locomotive is the second.
#[test]
fn a_4_no_face_up_locomotive_after_a_blind_card() {
    let game = europe(2);
    for first in ["take blind", "take red"] {
        let mut table = Table::new(&game);
        table.market([Locomotive, Red, Red, Blue, Blue]);
        // The replacement of a taken card is a locomotive, which may not be taken either.
        let events = if first == "take blind" { vec![Green] } else { vec![Locomotive] };
        table.play(first, cards(events)).unwrap();
        assert_eq!(table.phase(), Phase::SecondCard);
        assert!(table.play("take locomotive", []).unwrap_err().to_string().contains("CC-10"));
        assert!(table.actions().contains(&"take blue".to_owned()));
        table.play("take blind", cards([Locomotive])).unwrap();
        assert_eq!((table.seat(), table.hand_of(0).locomotives()), (1, 1));
    }
}

/// A payment is what [`Payment::cards`] says: the tests above rely on it.
#[test]
fn payments_are_made_of_their_cards() {
    assert_eq!(payment(Some(Red), 2).cards(5), all("red*3 locomotive*2"));
    assert_eq!(Payment { colour: None, locomotives: 2, sets: 1 }.cards(3), all("locomotive*2"));
    let game = europe(2);
    let mut table = Table::new(&game);
    table.hand(0, hand("red*2")).market(MARKET);
    let claim = table.game.parse_action(table.state(), "claim Danzig-Warszawa in red").unwrap();
    assert_eq!(
        claim,
        Action::Claim { route: table.route("Danzig-Warszawa"), payment: payment(Some(Red), 0) }
    );
}
