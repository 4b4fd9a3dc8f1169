//! Every shipped map at every number of seats, 2,000 random games each, everything checked after every
//! decision.

use ttr_engine::board::BoardGame;
use ttr_engine::spec::{DepotTiming, EmptyTrigger, MapSpec};
use ttr_engine::testing::{Census, conform};
use ttr_engine::{Game, maps};

const GAMES: u64 = 2_000;

/// Plays a map at all its numbers of seats; `reached` must have happened at least once.
fn conforms(map: &str, reached: &[&str]) {
    plays(&maps::find(map).unwrap(), GAMES, reached);
}

fn plays(map: &MapSpec, games: u64, reached: &[&str]) {
    let mut census = Census::default();
    for seats in map.seats.min..=map.seats.max {
        let game = BoardGame::new(map, seats.into()).unwrap();
        assert_eq!(game.seats(), usize::from(seats));
        census.add(&conform(&game, 0..games));
    }
    println!("{}: {:#?}", map.id, census.0);
    for what in reached {
        assert!(census.of(what) > 0, "\"{what}\" never happened");
    }
}

const USA: [&str; 9] = [
    "keep",
    "take blind",
    "take a face-up locomotive",
    "take face up",
    "claim",
    "draw tickets",
    "reshuffle",
    "ticket drawn from the bottom",
    "end: final round",
];

#[test]
fn europe() {
    conforms("europe", &[&USA[..], &["pay tunnel", "decline tunnel", "build a station"]].concat());
}

#[test]
fn europe_expanded() {
    conforms("europe-expanded", &USA[..7]);
}

#[test]
fn europe_mega() {
    conforms("europe-mega", &USA[..7]);
}

#[test]
fn europe_big_cities() {
    conforms("europe-big-cities", &USA);
}

const DEPOTS: [&str; 6] =
    ["store", "draw without storing", "collect", "double collection", "place a depot", "warehouses emptied"];

#[test]
fn ticket_variants_with_depots() {
    for map in ["europe-expanded+depots", "europe-mega+depots", "europe-big-cities+depots"] {
        conforms(map, &["store", "collect", "double collection", "place a depot", "warehouses emptied"]);
    }
}

#[test]
fn europe_with_depots() {
    conforms("europe+depots", &DEPOTS);
}

/// The other values of the options.
#[test]
fn europe_with_depots_at_any_time() {
    let mut map = maps::find("europe+depots").unwrap();
    let depots = map.rules.depots.as_mut().unwrap();
    depots.timing = DepotTiming::AnyTime;
    depots.empty_trigger = EmptyTrigger::EmptyWarehouse;
    plays(&map, GAMES / 10, &["store", "collect", "double collection", "depot in another's turn"]);
}

#[test]
fn nordic_with_depots() {
    let map = maps::find("nordic+depots").unwrap();
    plays(&map, GAMES / 4, &["store", "collect", "double collection", "claim with sets"]);
}

#[test]
fn nordic() {
    conforms(
        "nordic",
        &[
            "claim with sets",
            "add to sets",
            "pay tunnel",
            "decline tunnel",
            "end: final round",
            "draw tickets",
        ],
    );
}

const FIRST_JOURNEY: [&str; 6] =
    ["take blind", "claim", "swap tickets", "bonus ticket", "end: tickets done", "end: last train"];

#[test]
fn first_journey_europe() {
    conforms("first-journey-europe", &FIRST_JOURNEY);
}

#[test]
fn first_journey_usa() {
    conforms("first-journey-usa", &FIRST_JOURNEY);
}

#[test]
fn usa() {
    conforms("usa", &USA);
}

#[test]
fn usa_1910() {
    conforms("usa-1910", &USA);
}

#[test]
fn usa_mega() {
    conforms("usa-mega", &USA[..7]);
}

#[test]
fn usa_big_cities() {
    conforms("usa-big-cities", &USA);
}
