//! Encoded views are a promise too: if `layouts_are_as_published` fails, restore the layout or raise
//! `Encoder::VERSION` and update the table. That encodings hide what views hide is part of the conformance
//! suite.

use ttr_engine::board::{Action, BoardGame};
use ttr_engine::card_game::CardGame;
use ttr_engine::{CardKind, Dice, EncodedViews, Encoder, Game, Layout, Seat, Turn, View, maps};

/// Length and hash at the fewest and the most seats, with derived blocks and without.
const LAYOUTS: &str = "\
europe 2 1016 c87ae9cd3a821e3c 1255 5e9c7bc003edbf5a 211 0076dc2564594453
europe 5 1670 00b3a595f2113322 1909 462317520d698d38 514 1495ba6b7e17b311
europe-expanded 2 1092 37d1c3c391d5c8d5 1388 0d981891acea6c0a 287 901e914a9846b687
europe-expanded 5 1746 30c094154401c484 2042 4a9425acc0203e98 704 7c2e283fdfbf740a
europe-mega 2 1236 8bfc9adcd49720a2 1640 04c86c46d236e9ff 431 ee8d9a391918b5f4
europe-mega 5 1890 057bd4c4d8d4750b 2294 e511f53ab20c045f 1064 fe1f72d2ff1ef815
europe-big-cities 2 1012 c5fed4b155f73d8e 1248 04dfe7a0a5b4d965 207 2d1408be298c74aa
europe-big-cities 5 1666 d432ea1371ce7d68 1902 cba79684b988468c 504 32e918f735ac9aa5
nordic 2 728 b3bd5b8c5dc32b3a 947 30ab7ef117c89d03 211 c3f30b48496f78d3
nordic 3 832 aadd544517ce8c0e 1051 ce265769308c5bec 312 14e97ef2e42598cc
first-journey-europe 2 681 c3f6287ad98a531d 847 85a038791deccabb 155 ecc7009f8f115a09
first-journey-europe 4 931 5347ff710ff3672c 1097 6090bc93efbae9fe 301 04bb8df1b0cd943b
first-journey-usa 2 651 f17b639de424061f 811 941f9b1d906e9fa9 155 c7beaacefc16adb9
first-journey-usa 4 889 2fb32f03d3d064ea 1049 03110106ce1f0998 301 77ba977c79563ece
usa 2 759 6d49f1f42c7eab5a 949 8c72605ce062e42a 147 26a5522a426ce250
usa 5 1128 5ea52b9799ccf1bc 1318 3018b94c34b98144 354 ad34d118184f6fc9
usa-1910 2 779 38b1735ebd675b32 984 75a61f7b549bb4b1 167 348a7db808b8be31
usa-1910 5 1148 b1426e27f1caabd0 1353 4381fcf6c7f3e450 404 69587f9b42acfd4f
usa-mega 2 915 81a768357ec8472b 1222 2f0cd31197918caa 303 4466e019f703724a
usa-mega 5 1284 134c2b46d01ee99a 1591 9b8f7c8b83c7a1db 744 a48e9a8a8f8ee031
usa-big-cities 2 779 651f7b95530dd551 984 47015fcd00452a3d 167 438e768ab58c3782
usa-big-cities 5 1148 a27087c1e677d258 1353 02744a562b33114b 404 1c6b48c0836226ac
card-game 2 544 e849a259e7546233 590 0e4a87063010612f 211 1b4151676a0a2cbf
card-game 4 744 7ad21fa52934a5d6 790 10a38b163747abe8 413 31b159c71e0a30f9
";

#[test]
fn layouts_are_as_published() {
    let mut layouts = String::new();
    let mut add = |name: &str, seats: u8, plain: &Layout, derived: &Layout, hidden: &Layout| {
        layouts += &format!("{name} {seats}");
        for layout in [plain, derived, hidden] {
            layouts += &format!(" {} {:016x}", layout.len(), layout.hash());
        }
        layouts += "\n";
    };
    for id in maps::ids() {
        let map = maps::load(id).unwrap();
        for seats in [map.seats.min, map.seats.max] {
            let game = BoardGame::new(&map, seats.into()).unwrap();
            let (plain, derived) = (game.encoder(false), game.encoder(true));
            add(id, seats, plain.layout(), derived.layout(), plain.hidden_layout());
        }
    }
    for seats in [2, 4] {
        let game = CardGame::new(&maps::card_game(), seats.into()).unwrap();
        let (plain, derived) = (game.encoder(false), game.encoder(true));
        add("card-game", seats, plain.layout(), derived.layout(), plain.hidden_layout());
    }
    assert_eq!(layouts, LAYOUTS);
}

/// Plays at random and hands every position to `look`.
fn positions<G: Game>(game: &G, seed: u64, mut look: impl FnMut(&G::State)) {
    let mut dice = Dice::from_seed(seed);
    let mut state = game.deal(&mut dice);
    look(&state);
    while let Turn::Of(_) = game.turn(&state) {
        let action = game.random_action(&state, &mut dice);
        game.play(&mut state, action, &mut dice).unwrap();
        look(&state);
    }
}

#[test]
fn numbers_are_those_of_the_view() {
    let game = BoardGame::new(&maps::load("europe").unwrap(), 3).unwrap();
    let encoder = game.encoder(true);
    let layout = encoder.layout();
    let mut bytes = vec![0; layout.len()];
    let block = |name: &str| layout.block(name).unwrap();
    let mut claimable = 0;
    positions(&game, 1, |state| {
        for seat in Seat::all(3) {
            let view = game.observe(state, seat);
            encoder.encode(&view, &mut bytes);
            let (cards, seats, routes, tickets) =
                (block("cards"), block("seats"), block("routes"), block("tickets"));
            for kind in CardKind::ALL {
                let row = |row| bytes[cards.at(row, kind.index())];
                assert_eq!([row(0), row(1)], [view.hand().count(kind), view.market().count(kind)]);
                assert_eq!([row(2), row(3)], [view.discard().count(kind), view.unseen().count(kind)]);
            }
            for (place, other) in [seat, seat.next(3), seat.next(3).next(3)].into_iter().enumerate() {
                let of = |name| bytes[seats.at(place, seats.column(name).unwrap())];
                assert_eq!((of("trains"), of("hand")), (view.trains(other), view.hand_size(other)));
                assert_eq!(of("tickets"), view.ticket_count(other).unwrap_or(0));
                assert_eq!(of("stations"), view.stations(other).count() as u8);
                for route in game.route_ids() {
                    let owned = view.owner(route) == Some(other);
                    assert_eq!(bytes[routes.at(route.index(), place)], u8::from(owned));
                }
            }
            for ticket in game.ticket_ids() {
                let flags = [view.tickets(), view.offered(), view.put_back()];
                for (column, set) in flags.into_iter().enumerate() {
                    assert_eq!(bytes[tickets.at(ticket.index(), column)], u8::from(set.contains(ticket)));
                }
            }
            let derived = block("derived-routes");
            let marked = game.route_ids().filter(|route| bytes[derived.at(route.index(), 0)] == 1);
            let is_claim = |action: &Action| matches!(action, Action::Claim { .. });
            claimable += marked.clone().count();
            assert_eq!(marked.count() > 0, view.actions().iter().any(is_claim));
        }
    });
    assert!(claimable > 100, "claims were seen");
}

/// The trains that tickets need, next to a plain search over all cities.
#[test]
fn missing_trains_are_the_cheapest_connection() {
    let game = BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap();
    let encoder = game.encoder(true);
    let block = encoder.layout().block("derived-tickets").unwrap();
    let mut bytes = vec![0; encoder.layout().len()];
    let (mut possible, mut impossible, mut joined) = (0, 0, 0);
    for seed in 0..20 {
        positions(&game, seed, |state| {
            let Turn::Of(seat) = game.turn(state) else { return };
            let view = game.observe(state, seat);
            encoder.encode(&view, &mut bytes);
            for ticket in view.tickets() {
                let [from, to] = game.ticket(ticket).ends;
                // Bellman and Ford.
                let mut cost = vec![u32::MAX; game.city_count()];
                cost[from.index()] = 0;
                for _ in game.city_ids() {
                    for id in game.route_ids() {
                        let route = game.route(id);
                        let price = if view.owner(id) == Some(seat) { 0 } else { u32::from(route.length) };
                        if price > 0 && !view.open_routes(seat).contains(id) {
                            continue;
                        }
                        let [a, b] = route.ends.map(|city| city.index());
                        cost[a] = cost[a].min(cost[b].saturating_add(price));
                        cost[b] = cost[b].min(cost[a].saturating_add(price));
                    }
                }
                let row = block.at(ticket.index(), 0);
                let expected = Some(cost[to.index()]).filter(|&cost| cost <= view.trains(seat).into());
                let found = (bytes[row + 1] == 1).then_some(u32::from(bytes[row + 2]));
                assert_eq!(found, expected, "seed {seed}");
                assert_eq!(bytes[row] == 1, view.connected().contains(ticket));
                assert_eq!(bytes[row] == 1, expected == Some(0), "there are no stations here");
                match expected {
                    Some(0) => joined += 1,
                    Some(_) => possible += 1,
                    None => impossible += 1,
                }
            }
        });
    }
    assert!(possible > 100 && impossible > 100 && joined > 10, "{possible} {impossible} {joined}");
}

#[test]
fn floats_are_bytes_over_scales() {
    let game = CardGame::new(&maps::card_game(), 2).unwrap();
    let encoder = game.encoder(true);
    let layout = encoder.layout();
    let state = game.deal(&mut Dice::from_seed(1));
    let (mut bytes, mut floats) = (vec![0; layout.len()], vec![0.0; layout.len()]);
    encoder.encode(&game.observe(&state, Seat::new(0)), &mut bytes);
    layout.scale(&bytes, &mut floats);
    for block in layout.blocks() {
        for row in 0..block.rows {
            for (column, of) in block.columns.iter().enumerate() {
                let at = block.at(row, column);
                let expected = f32::from(bytes[at]) / f32::from(of.scale);
                assert!((floats[at] - expected).abs() < 1e-6, "{} {}", block.name, of.name);
            }
        }
    }
}

/// The hidden part is the truth: with the view, it gives every card and ticket.
#[test]
fn the_hidden_part_is_complete() {
    let game = BoardGame::new(&maps::load("nordic").unwrap(), 3).unwrap();
    let encoder = game.encoder(false);
    let [hands, deck, tickets] = encoder.hidden_layout().blocks() else { panic!() };
    let mut bytes = vec![0; encoder.hidden_layout().len()];
    positions(&game, 3, |state| {
        encoder.encode_hidden(&game, state, Seat::new(1), &mut bytes);
        for (place, seat) in [Seat::new(1), Seat::new(2), Seat::new(0)].into_iter().enumerate() {
            let view = game.observe(state, seat);
            for kind in CardKind::ALL {
                assert_eq!(bytes[hands.at(place, kind.index())], view.hand().count(kind));
            }
            let held = game.ticket_ids().filter(|ticket| bytes[tickets.at(ticket.index(), place)] == 1);
            assert!(held.eq(view.tickets()));
        }
        let total: u32 = CardKind::ALL.iter().map(|kind| u32::from(bytes[deck.at(0, kind.index())])).sum();
        assert_eq!(total, u32::from(game.observe(state, Seat::new(0)).deck_size()));
    });
}
