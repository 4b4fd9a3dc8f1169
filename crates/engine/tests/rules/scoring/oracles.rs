//! Networks and stations against plain methods, on the real boards.

use std::collections::HashMap;

use petgraph::algo::connected_components;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::unionfind::UnionFind;
use ttr_engine::board::network::{
    Components, Edge, StationOptions, TicketEnds, best_station_use, best_stations, longest_trail,
};
use ttr_engine::board::{Action, BoardGame, Phase};
use ttr_engine::{CityId, CitySet, Dice, Game, RouteId, Seat, Turn, maps};

fn board(map: &str) -> BoardGame {
    let map = maps::load(map).unwrap();
    BoardGame::new(&map, map.seats.max.into()).unwrap()
}

fn edge(game: &BoardGame, route: RouteId) -> Edge {
    let route = game.route(route);
    Edge { a: route.ends[0], b: route.ends[1], length: route.length }
}

/// How a network comes about.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Growth {
    /// Any routes.
    Scattered,
    /// Routes at cities reached before.
    Connected,
    /// The same, and if possible routes that close a loop.
    Looping,
    /// The same, with the shortest routes, so that there are many.
    Short,
}

const GROWTHS: [Growth; 4] = [Growth::Scattered, Growth::Connected, Growth::Looping, Growth::Short];

/// The routes of a seat that placed up to `trains`, never both tracks of a double route.
fn network(game: &BoardGame, growth: Growth, mut trains: u8, dice: &mut Dice) -> Vec<Edge> {
    let mut owned: Vec<RouteId> = Vec::new();
    let mut reached = CitySet::EMPTY;
    loop {
        let ends = |&id: &RouteId| game.route(id).ends.map(|city| reached.contains(city));
        let mut open: Vec<RouteId> = game.route_ids().collect();
        open.retain(|id| {
            let route = game.route(*id);
            let free = !owned.contains(id) && route.twin.is_none_or(|twin| !owned.contains(&twin));
            free && route.length <= trains
        });
        if growth != Growth::Scattered && !owned.is_empty() {
            open.retain(|id| ends(id) != [false; 2]);
        }
        if growth == Growth::Looping && open.iter().any(|id| ends(id) == [true; 2]) && dice.below(4) > 0 {
            open.retain(|id| ends(id) == [true; 2]);
        }
        if growth == Growth::Short && dice.below(4) > 0 {
            let least = open.iter().map(|&id| game.route(id).length).min();
            open.retain(|&id| Some(game.route(id).length) == least);
        }
        if open.is_empty() {
            return owned.into_iter().map(|id| edge(game, id)).collect();
        }
        let id = open[dice.below(open.len() as u32) as usize];
        trains -= game.route(id).length;
        reached.extend(game.route(id).ends);
        owned.push(id);
    }
}

/// CC-33 by going through all sets of routes at once: the longest connected set in which at most two cities
/// have an odd number of routes, which is what one trail can take (Euler). Routes come one by one, from
/// west to east; of what was chosen so far only the cities matter that have routes to come: to which piece
/// each belongs and whether it is odd.
fn longest_by_frontier(game: &BoardGame, edges: &[Edge]) -> u16 {
    let mut edges = edges.to_vec();
    let x = |city: CityId| game.spec().cities[city.index()].at[0];
    edges.sort_by(|e, f| x(e.a).max(x(e.b)).total_cmp(&x(f.a).max(x(f.b))));
    let touches = |e: &Edge, city: CityId| e.a == city || e.b == city;
    // A state is [odd cities left behind, whether the piece is finished, then piece * 2 + odd by city].
    let mut states = HashMap::from([(vec![0u8, 0], 0u16)]);
    let mut frontier: Vec<CityId> = Vec::new();
    for (i, e) in edges.iter().enumerate() {
        let fresh: Vec<CityId> = [e.a, e.b].into_iter().filter(|city| !frontier.contains(city)).collect();
        frontier.extend(&fresh);
        let place = |city: CityId| 2 + frontier.iter().position(|&c| c == city).unwrap();
        let (a, b) = (place(e.a), place(e.b));
        let done: Vec<usize> = [e.a, e.b]
            .into_iter()
            .filter(|&city| !edges[i + 1..].iter().any(|later| touches(later, city)))
            .map(place)
            .collect();
        let mut next = HashMap::new();
        for (mut state, length) in states {
            state.resize(2 + frontier.len(), 0);
            let taken = (state[1] == 0).then(|| {
                let mut taken = state.clone();
                let pieces = [taken[a] >> 1, taken[b] >> 1];
                let piece = if pieces[0] > 0 { pieces[0] } else { 100 };
                for code in &mut taken[2..] {
                    if *code >> 1 > 0 && *code >> 1 == pieces[1] {
                        *code = piece << 1 | *code & 1;
                    }
                }
                taken[a] = piece << 1 | (taken[a] & 1 ^ 1);
                taken[b] = piece << 1 | (taken[b] & 1 ^ 1);
                (taken, length + u16::from(e.length))
            });
            for (mut state, length) in [Some((state, length)), taken].into_iter().flatten() {
                if leave(&mut state, &done) {
                    let best = next.entry(state).or_insert(0);
                    *best = length.max(*best);
                }
            }
        }
        states = next;
        let gone: Vec<CityId> = done.iter().map(|&place| frontier[place - 2]).collect();
        frontier.retain(|city| !gone.contains(city));
    }
    states.into_values().max().unwrap_or(0)
}

/// Takes finished cities out of a state and renumbers the pieces; false if no trail can become of it.
fn leave(state: &mut Vec<u8>, done: &[usize]) -> bool {
    let mut places = done.to_vec();
    places.sort_unstable();
    for &place in places.iter().rev() {
        let code = state.remove(place);
        state[0] += code & 1;
        let piece = code >> 1;
        if piece > 0 && !state[2..].iter().any(|other| other >> 1 == piece) {
            if state[2..].iter().any(|other| other >> 1 > 0) {
                return false; // two pieces
            }
            state[1] = 1;
        }
    }
    let mut known: Vec<u8> = Vec::new();
    for code in &mut state[2..] {
        let piece = *code >> 1;
        if piece > 0 {
            let number = known.iter().position(|&other| other == piece).unwrap_or_else(|| {
                known.push(piece);
                known.len() - 1
            });
            *code = (number as u8 + 1) << 1 | *code & 1;
        }
    }
    state[0] <= 2
}

/// CC-33 by walking every trail.
fn longest_by_walking(edges: &[Edge], used: u32, at: CityId) -> u16 {
    let mut best = 0;
    for (i, e) in edges.iter().enumerate() {
        if used >> i & 1 == 0 && (e.a == at || e.b == at) {
            let on = longest_by_walking(edges, used | 1 << i, if e.a == at { e.b } else { e.a });
            best = best.max(u16::from(e.length) + on);
        }
    }
    best
}

/// CC-33, I-17: the longest path of 30,000 networks of the real boards, full ones included.
#[test]
fn cc_33_longest_path_against_frontier_search() {
    let (mut walked, mut large, mut loops) = (0, 0, 0);
    for (map, trains) in [("europe", 45), ("usa", 45), ("nordic", 40)] {
        let game = board(map);
        let mut dice = Dice::from_parts(&[33, trains.into(), game.routes().len() as u64]);
        for n in 0..10_000 {
            let growth = GROWTHS[n % 4];
            // Every second one is of the end of a game.
            let trains = if n % 8 < 4 { trains } else { 1 + dice.below(trains.into()) as u8 };
            let edges = network(&game, growth, trains, &mut dice);
            let found = longest_trail(&edges);
            assert_eq!(found, longest_by_frontier(&game, &edges), "{map} {growth:?} {edges:?}");
            let total: u16 = edges.iter().map(|e| u16::from(e.length)).sum();
            assert!(found <= total && total <= trains.into());
            if edges.len() <= 9 {
                let by_walking = game.city_ids().map(|city| longest_by_walking(&edges, 0, city)).max();
                assert_eq!(Some(found), by_walking, "{map} {growth:?} {edges:?}");
                walked += 1;
            }
            large += usize::from(edges.len() >= 18);
            let cities: CitySet = edges.iter().flat_map(|e| [e.a, e.b]).collect();
            loops += usize::from(growth != Growth::Scattered && edges.len() >= cities.len() + 3);
        }
    }
    // The sample must have what it is meant to have.
    assert!(
        walked > 3_000 && large > 3_000 && loops > 3_000,
        "{walked} small, {large} large, {loops} with loops"
    );
}

/// CC-32: which cities and tickets 30,000 networks of the real boards join, against petgraph.
#[test]
fn cc_32_connections_against_petgraph() {
    let mut completed = 0;
    for (map, trains) in [("europe", 45), ("usa", 45), ("nordic", 40)] {
        let game = board(map);
        let cities = game.city_count();
        let mut dice = Dice::from_parts(&[32, trains.into(), cities as u64]);
        for n in 0..10_000 {
            let trains = 1 + dice.below(trains) as u8;
            let edges = network(&game, GROWTHS[n % 4], trains, &mut dice);
            let components = Components::new(&edges);
            let mut graph = UnGraph::<(), ()>::new_undirected();
            let mut union = UnionFind::new(cities);
            for _ in 0..cities {
                graph.add_node(());
            }
            for e in &edges {
                graph.add_edge(NodeIndex::new(e.a.index()), NodeIndex::new(e.b.index()), ());
                union.union(e.a.index(), e.b.index());
            }
            let labels: CitySet = game.city_ids().map(|city| components.label(city)).collect();
            assert_eq!(labels.len(), connected_components(&graph), "{map} {edges:?}");
            for ticket in game.tickets() {
                let [a, b] = ticket.ends;
                let joined = union.equiv(a.index(), b.index());
                assert_eq!(components.joined(a, b), joined, "{map} {a:?}-{b:?} {edges:?}");
                completed += usize::from(joined);
            }
        }
    }
    assert!(completed > 10_000, "only {completed} tickets were completed");
}

/// EU-9 by trying every use of every station, from what an observer sees.
fn best_by_trying(game: &BoardGame, seats: usize, view: &ttr_engine::board::Observation) -> (i16, u8) {
    let own: Vec<Edge> = view.routes(view.seat()).into_iter().map(|route| edge(game, route)).collect();
    let others: Vec<Edge> = Seat::all(seats)
        .filter(|&seat| seat != view.seat())
        .flat_map(|seat| view.routes(seat).into_iter().map(|route| edge(game, route)))
        .collect();
    let mut uses = vec![own];
    for city in view.stations(view.seat()) {
        let mut more = uses.clone(); // none
        for borrowed in others.iter().filter(|e| e.a == city || e.b == city) {
            more.extend(uses.iter().map(|edges| [&edges[..], &[*borrowed]].concat()));
        }
        uses = more;
    }
    let tally = |edges: &Vec<Edge>| {
        let mut union = UnionFind::new(64);
        for e in edges {
            union.union(e.a.index(), e.b.index());
        }
        let (mut points, mut completed) = (0, 0);
        for id in view.tickets() {
            let ticket = game.ticket(id);
            let joined = union.equiv(ticket.ends[0].index(), ticket.ends[1].index());
            points += if joined { i16::from(ticket.points) } else { -i16::from(ticket.points) };
            completed += u8::from(joined);
        }
        (points, completed)
    };
    uses.iter().map(tally).max().unwrap()
}

/// EU-8, EU-9, CC-32, I-25: tickets with the best use of stations, in 40,000 positions of random games.
#[test]
fn eu_9_best_station_use_against_all_uses() {
    let map = maps::load("europe").unwrap();
    let (mut compared, mut helped, mut three) = (0, 0, 0);
    let mut seed = 0;
    while compared < 40_000 {
        let seats = 2 + (seed % 4) as usize;
        let game = BoardGame::new(&map, seats).unwrap();
        let mut dice = Dice::from_parts(&[9, seed]);
        seed += 1;
        let mut state = game.deal(&mut dice);
        while let Turn::Of(_) = game.turn(&state) {
            // Random play, but with more tickets than it would draw.
            let draw = dice.below(12) == 0 && game.is_legal(&state, Action::DrawTickets);
            let action = if draw { Action::DrawTickets } else { game.random_action(&state, &mut dice) };
            game.play(&mut state, action, &mut dice).unwrap();
            let view = game.observe(&state, Seat::new(0));
            if dice.below(24) > 0 || matches!(view.phase(), Phase::Opening { .. }) {
                continue;
            }
            let sheet = game.score_sheet(&state);
            for seat in Seat::all(seats) {
                let view = game.observe(&state, seat);
                if view.stations(seat).count() == 0 || view.tickets().is_empty() {
                    continue;
                }
                let score = sheet[seat];
                let expected = best_by_trying(&game, seats, &view);
                assert_eq!((score.tickets, score.completed), expected, "seed {}, {seat}: {view:?}", seed - 1);
                assert_eq!(usize::from(score.completed + score.failed), view.tickets().len());
                compared += 1;
                three += usize::from(view.stations(seat).count() == 3);
                let own: Vec<Edge> = view.routes(seat).into_iter().map(|route| edge(&game, route)).collect();
                let alone = Components::new(&own);
                let joined = |&id: &ttr_engine::TicketId| {
                    let [a, b] = game.ticket(id).ends;
                    alone.joined(a, b)
                };
                helped +=
                    usize::from(view.tickets().into_iter().filter(joined).count() < score.completed.into());
            }
        }
    }
    assert!(helped > 1_000 && three > 4_000, "stations helped in {helped} positions, three in {three}");
}

/// Points and number of completed tickets.
fn tally(edges: &[Edge], tickets: &[TicketEnds]) -> (i16, u8) {
    let mut union = UnionFind::new(64);
    for e in edges {
        union.union(e.a.index(), e.b.index());
    }
    let mut sum = (0, 0);
    for ticket in tickets {
        let joined = union.equiv(ticket.a.index(), ticket.b.index());
        let points = i16::from(ticket.points);
        sum = (sum.0 + if joined { points } else { -points }, sum.1 + u8::from(joined));
    }
    sum
}

/// EU-8, EU-9: three stations around one city, most routes with the opponents, tickets between the cities
/// nearby: the uses that depend on each other, which random games hardly reach. The use that is named must
/// be worth what is claimed.
#[test]
fn eu_9_stations_around_one_city() {
    let game = board("europe");
    let mut dice = Dice::from_parts(&[9, 9]);
    let all: Vec<Edge> = game.route_ids().map(|id| edge(&game, id)).collect();
    let neighbours = |city: CityId| -> Vec<CityId> {
        let at = all.iter().filter(|e| e.a == city || e.b == city);
        let mut cities: Vec<CityId> = at.map(|e| if e.a == city { e.b } else { e.a }).collect();
        cities.sort_unstable();
        cities.dedup();
        cities
    };
    let mut linked = 0;
    for n in 0..15_000 {
        let mut pick = |from: &[CityId]| from[dice.below(from.len() as u32) as usize];
        let cities: Vec<CityId> = game.city_ids().collect();
        let hub = loop {
            let city = pick(&cities);
            if neighbours(city).len() >= 3 {
                break city;
            }
        };
        let mut around = neighbours(hub);
        while around.len() > 3 {
            let out = pick(&around);
            around.retain(|&city| city != out);
        }
        let near: Vec<CityId> =
            around.iter().flat_map(|&city| neighbours(city)).chain(around.clone()).collect();
        let tickets: Vec<TicketEnds> = (0..1 + n % 6)
            .map(|i| {
                let from = if i % 3 == 0 { &near } else { &around };
                TicketEnds {
                    a: pick(from),
                    b: pick(if i % 2 == 0 { &around } else { &near }),
                    points: 5 + i as u8 % 3,
                }
            })
            .filter(|ticket| ticket.a != ticket.b)
            .collect();
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for &e in &all {
            match dice.below(8) {
                0 => own.push(e),
                1 => {}
                _ => others.push(e),
            }
        }
        let at = |city: CityId| others.iter().filter(move |e| e.a == city || e.b == city);
        let stations: Vec<StationOptions> = around
            .iter()
            .map(|&city| StationOptions {
                city,
                opposite: at(city).map(|e| if e.a == city { e.b } else { e.a }).collect(),
            })
            .collect();
        let mut best = tally(&own, &tickets);
        let alone = best;
        for x in at(around[0]) {
            for y in at(around[1]) {
                for z in at(around[2]) {
                    best = best.max(tally(&[&own[..], &[*x, *y, *z]].concat(), &tickets));
                }
            }
        }
        let components = Components::new(&own);
        if stations.iter().all(|station| !station.opposite.is_empty()) {
            assert_eq!(
                best_stations(&components, &stations, &tickets),
                best,
                "{n}: {stations:?} {own:?} {tickets:?}"
            );
            linked += usize::from(best.1 >= alone.1 + 2);
        }
        let named = best_station_use(&components, &stations, &tickets);
        let mut used = own.clone();
        for (station, opposite) in stations.iter().zip(named.borrowed) {
            used.extend(opposite.map(|opposite| {
                assert!(station.opposite.contains(opposite), "{n}: no such route");
                Edge { a: station.city, b: opposite, length: 1 }
            }));
        }
        assert_eq!(tally(&used, &tickets), (named.points, named.completed), "{n}");
        assert_eq!((named.points, named.completed), best_stations(&components, &stations, &tickets), "{n}");
    }
    assert!(linked > 3_000, "two tickets or more were won by stations in {linked} positions");
}
