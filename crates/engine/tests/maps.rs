//! The shipped maps against facts about the games.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use serde::Deserialize;
use ttr_engine::maps;
use ttr_engine::spec::{FaceUpLocomotive, LocomotiveUse, MapSpec, RouteColour, TieBreak, Unkept};

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Facts {
    cities: usize,
    routes: usize,
    pairs: usize,
    doubles: usize,
    spaces: u32,
    lengths: BTreeMap<String, u32>,
    tracks_of: BTreeMap<String, u32>,
    spaces_of: BTreeMap<String, u32>,
    tunnels: usize,
    ferries: usize,
    ferry_locomotives: u32,
    tickets: usize,
    long_tickets: usize,
    reconstructed: usize,
    big_city_tickets: usize,
    points: u32,
    trains: u32,
    deviations: BTreeMap<String, i32>,
}

impl Facts {
    fn of(map: &MapSpec) -> Self {
        let (mut lengths, mut tracks_of, mut spaces_of) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let city = |name: &str| NodeIndex::new(map.cities.iter().position(|city| city.name == name).unwrap());
        let mut graph = UnGraph::<(), u32>::default();
        for _ in &map.cities {
            graph.add_node(());
        }
        let mut pairs = BTreeSet::new();
        let mut doubles: BTreeMap<&str, BTreeSet<[&str; 2]>> = BTreeMap::new();
        for route in &map.routes {
            let length = u32::from(route.length);
            *lengths.entry(length.to_string()).or_default() += 1;
            *tracks_of.entry(route.colour.name().to_owned()).or_default() += 1;
            *spaces_of.entry(route.colour.name().to_owned()).or_default() += length;
            graph.add_edge(city(&route.from), city(&route.to), length);
            let mut ends = [&route.from, &route.to];
            ends.sort_unstable();
            pairs.insert(ends);
            if let Some(label) = &route.double {
                doubles.entry(label).or_default().insert([&route.from, &route.to]);
            }
        }
        assert!(doubles.values().all(|ends| ends.len() == 1));
        let trains: Vec<u32> = map
            .tickets
            .iter()
            .map(|ticket| (city(&ticket.from), city(&ticket.to)))
            .map(|(from, to)| dijkstra(&graph, from, Some(to), |edge| *edge.weight())[&to])
            .collect();
        let has_points = map.rules.journey.is_none();
        let deviations =
            map.tickets.iter().zip(&trains).filter(|_| has_points).filter_map(|(ticket, &trains)| {
                let deviation = i32::from(ticket.points) - trains as i32;
                (deviation != 0).then(|| (format!("{}-{}", ticket.from, ticket.to), deviation))
            });
        Self {
            cities: map.cities.len(),
            routes: map.routes.len(),
            pairs: pairs.len(),
            doubles: doubles.len(),
            spaces: map.routes.iter().map(|route| u32::from(route.length)).sum(),
            lengths,
            tracks_of,
            spaces_of,
            tunnels: map.routes.iter().filter(|route| route.tunnel).count(),
            ferries: map.routes.iter().filter(|route| route.ferry > 0).count(),
            ferry_locomotives: map.routes.iter().map(|route| u32::from(route.ferry)).sum(),
            tickets: map.tickets.len(),
            long_tickets: map.tickets.iter().filter(|ticket| ticket.deck == "long").count(),
            reconstructed: map.tickets.iter().filter(|ticket| ticket.reconstructed).count(),
            big_city_tickets: map
                .tickets
                .iter()
                .filter(|t| t.tags.iter().any(|tag| tag == "big-city"))
                .count(),
            points: map.tickets.iter().map(|ticket| u32::from(ticket.points)).sum(),
            trains: trains.iter().sum(),
            deviations: deviations.collect(),
        }
    }
}

#[test]
fn facts() {
    let known: BTreeMap<String, Facts> = toml::from_str(include_str!("fixtures/facts.toml")).unwrap();
    assert_eq!(
        known.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        maps::ids().iter().copied().collect()
    );
    for (id, facts) in known {
        assert_eq!(Facts::of(&maps::load(&id).unwrap()), facts, "{id}");
    }
}

fn route<'a>(map: &'a MapSpec, from: &str, to: &str) -> Vec<&'a ttr_engine::spec::RouteSpec> {
    let joins = |route: &&ttr_engine::spec::RouteSpec| {
        (route.from == from && route.to == to) || (route.from == to && route.to == from)
    };
    map.routes.iter().filter(joins).collect()
}

#[test]
fn europe() {
    let map = maps::load("europe").unwrap();
    let rules = &map.rules;
    assert_eq!((map.seats.min, map.seats.max, rules.trains, rules.opening_hand), (2, 5, 45, 4));
    assert_eq!(rules.deck.counts(), [12, 12, 12, 12, 12, 12, 12, 12, 14]);
    assert_eq!((rules.draw.market, rules.draw.flush_at, rules.draw.max_flushes), (5, 3, 50));
    assert_eq!(rules.draw.face_up_locomotive, FaceUpLocomotive::EndsDraw);
    assert_eq!((rules.claim.locomotives, rules.claim.both_tracks_from), (LocomotiveUse::Anywhere, 4));
    let points: Vec<_> =
        rules.claim.points.iter().map(|(length, points)| (length.as_str(), *points)).collect();
    assert_eq!(points, [("1", 1), ("2", 2), ("3", 4), ("4", 7), ("5", 10), ("6", 15), ("8", 21)]);
    let opening = &rules.tickets.opening[..];
    assert_eq!(opening.len(), 1);
    let dealt: Vec<_> =
        opening[0].deal.iter().map(|deal| (deal.deck.as_str(), deal.count, deal.keep_max)).collect();
    assert_eq!((dealt, opening[0].hold), (vec![("long", 1, None), ("regular", 3, None)], 2));
    let tickets = &rules.tickets;
    assert_eq!(
        (tickets.draw, tickets.keep, tickets.unkept, tickets.unkept_opening),
        (3, 1, Unkept::Bottom, Unkept::Box)
    );
    assert_eq!(
        rules.stations.as_ref().map(|stations| (stations.per_seat, stations.unbuilt_points)),
        Some((3, 4))
    );
    assert_eq!((rules.tunnels.as_ref().unwrap().reveal, rules.ferry_sets.is_none()), (3, true));
    assert_eq!(rules.end.as_ref().unwrap().trains_at_most, 2);
    assert_eq!((rules.bonus.longest_path, rules.bonus.most_tickets), (10, 0));
    use TieBreak::*;
    assert_eq!(rules.tie_breaks, [CompletedTickets, FewestStations, LongestPathBonus]);

    let ferry = route(&map, "Smyrna", "Palermo");
    assert_eq!((ferry.len(), ferry[0].length, ferry[0].ferry), (1, 6, 2));
    let ferry = route(&map, "London", "Amsterdam");
    assert_eq!((ferry[0].length, ferry[0].ferry), (2, 2));
    let tunnels = route(&map, "Madrid", "Pamplona");
    assert!(tunnels.iter().all(|track| track.tunnel));
    assert_eq!(
        tunnels.iter().map(|track| track.colour.name()).collect::<BTreeSet<_>>(),
        ["black", "white"].into()
    );
    assert_eq!(
        map.routes.iter().filter(|route| route.tunnel && route.colour == RouteColour::Grey).count(),
        10
    );
    assert!(map.routes.iter().filter(|route| route.ferry > 0).all(|route| route.colour == RouteColour::Grey));
}

#[test]
fn nordic() {
    let map = maps::load("nordic").unwrap();
    let rules = &map.rules;
    assert_eq!((map.seats.min, map.seats.max, rules.trains, rules.opening_hand), (2, 3, 40, 4));
    assert_eq!(rules.deck.counts().map(u32::from).iter().sum::<u32>(), 110);
    assert_eq!((rules.draw.flush_at, rules.draw.face_up_locomotive), (0, FaceUpLocomotive::Ordinary));
    assert_eq!(
        (rules.claim.locomotives, rules.claim.both_tracks_from),
        (LocomotiveUse::TunnelsAndFerries, 3)
    );
    assert_eq!((rules.claim.points["5"], rules.claim.points["9"]), (10, 27));
    assert_eq!((rules.tickets.opening[0].deal[0].count, rules.tickets.opening[0].hold), (5, 2));
    assert_eq!((rules.tickets.unkept, rules.tickets.unkept_opening), (Unkept::Box, Unkept::Box));
    assert_eq!((rules.bonus.longest_path, rules.bonus.most_tickets), (0, 10));
    assert_eq!((rules.ferry_sets.as_ref().unwrap().cards, rules.stations.is_none()), (3, true));
    assert_eq!(rules.tie_breaks, [TieBreak::CompletedTickets, TieBreak::LongestPath]);

    let long = route(&map, "Murmansk", "Lieksa");
    assert_eq!((long[0].length, long[0].any_cards_per_space), (9, Some(4)));
    assert_eq!(map.routes.iter().filter(|route| route.any_cards_per_space.is_some()).count(), 1);
    let unequal: Vec<_> = map
        .routes
        .iter()
        .filter(|track| route(&map, &track.from, &track.to).iter().any(|twin| twin.length != track.length))
        .map(|track| (track.from.as_str(), track.to.as_str(), track.length))
        .collect();
    let stavanger = ("Kristiansand", "Stavanger");
    let trondheim = ("Mo I Rana", "Trondheim");
    let pair = |(a, b), lengths: [u8; 2]| lengths.map(|length| (a, b, length));
    assert_eq!(unequal, [pair(stavanger, [2, 3]), pair(trondheim, [5, 6])].concat());
    assert!(map.routes.iter().all(|route| !route.tunnel || route.colour != RouteColour::Grey));
}

#[test]
fn first_journeys() {
    for (id, west) in [("first-journey-europe", "Brest"), ("first-journey-usa", "Miami")] {
        let map = maps::load(id).unwrap();
        let rules = &map.rules;
        assert_eq!((map.seats.min, map.seats.max, rules.trains, rules.opening_hand), (2, 4, 20, 4));
        assert_eq!(rules.deck.counts(), [0, 10, 0, 10, 10, 10, 10, 10, 12]);
        assert_eq!((rules.draw.market, rules.claim.both_tracks_from, rules.claim.points.len()), (0, 2, 0));
        assert_eq!((rules.tickets.opening[0].deal[0].count, rules.tickets.opening[0].hold), (2, 2));
        let journey = rules.journey.as_ref().unwrap();
        assert_eq!((journey.tickets_to_win, rules.end.is_none(), rules.tie_breaks.len()), (6, true, 0));
        let between = journey.bonus_between.as_ref().unwrap();
        assert_eq!((between.one.len(), between.other.len()), (3, 3));
        assert!(between.other.iter().any(|city| city == west));
    }
    let europe = maps::load("first-journey-europe").unwrap();
    assert!(europe.note.unwrap().contains("reconstructed"));
    let documented = europe.tickets.iter().filter(|ticket| !ticket.reconstructed);
    let documented: Vec<_> = documented.map(|ticket| (ticket.from.as_str(), ticket.to.as_str())).collect();
    assert_eq!(documented, [("Berlin", "Athens"), ("Brest", "Berlin")]);
    assert_eq!(maps::load("first-journey-usa").unwrap().note, None);
}

/// Every ticket of a game of big cities goes to one of them, and each has several.
#[test]
fn big_cities() {
    for (id, count) in [("usa-big-cities", 7), ("europe-big-cities", 9)] {
        let map = maps::load(id).unwrap();
        let big = |name: &String| map.big_cities.contains(name);
        assert_eq!(map.big_cities.len(), count, "{id}");
        assert!(map.tickets.iter().all(|ticket| big(&ticket.from) || big(&ticket.to)), "{id}");
        for city in &map.big_cities {
            let tickets = map.tickets.iter().filter(|ticket| [&ticket.from, &ticket.to].contains(&city));
            assert!(tickets.count() >= 3, "{id}: {city}");
        }
    }
    assert!(maps::load("usa").unwrap().big_cities.is_empty());
}

#[test]
fn usa() {
    let usa = maps::load("usa").unwrap();
    for (id, dealt, hold, draw, longest_path, most_tickets) in [
        ("usa", 3, 2, 3, 10, 0),
        ("usa-1910", 3, 2, 3, 0, 15),
        ("usa-mega", 5, 3, 4, 10, 15),
        ("usa-big-cities", 4, 2, 4, 0, 0),
    ] {
        let map = maps::load(id).unwrap();
        let (rules, tickets) = (&map.rules, &map.rules.tickets);
        assert_eq!((&map.cities, &map.routes, map.seats), (&usa.cities, &usa.routes, usa.seats), "{id}");
        assert_eq!((tickets.opening[0].deal[0].count, tickets.opening[0].hold), (dealt, hold), "{id}");
        assert_eq!((tickets.draw, tickets.keep), (draw, 1), "{id}");
        assert_eq!((tickets.unkept, tickets.unkept_opening), (Unkept::Bottom, Unkept::Bottom), "{id}");
        assert_eq!(
            (rules.bonus.longest_path, rules.bonus.most_tickets),
            (longest_path, most_tickets),
            "{id}"
        );
        assert_eq!(rules.tie_breaks, [TieBreak::CompletedTickets, TieBreak::LongestPathBonus], "{id}");
        assert_eq!((rules.trains, rules.claim.both_tracks_from, rules.draw.flush_at), (45, 4, 3), "{id}");
        assert!(rules.stations.is_none() && rules.tunnels.is_none() && rules.journey.is_none(), "{id}");
    }
}
