//! Final scoring: whole score sheets, and its two searches.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ttr_benches::{finished, finished_by_planners, networks, tables};
use ttr_engine::CityId;
use ttr_engine::board::network::{
    Components, Edge, StationOptions, TicketEnds, best_stations, longest_trail,
};

/// All seats of a finished game, between random agents and between planners.
fn score_sheet(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("score_sheet");
    for table in tables() {
        for (agents, states) in [("", finished(&table.game)), ("/planner", finished_by_planners(&table.game))]
        {
            let mut next = states.iter().cycle();
            group.bench_function(format!("{}{agents}", table.name), |bencher| {
                bencher.iter(|| table.game.score_sheet(black_box(next.next().expect("it goes round"))));
            });
        }
    }
}

/// The longest path of one seat, on the networks that random games end with.
fn longest_path(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("longest_path");
    for table in tables() {
        let networks = networks(&table.game, &finished(&table.game));
        let mut next = networks.iter().cycle();
        group.bench_function(&table.name, |bencher| {
            bencher.iter(|| longest_trail(black_box(&next.next().expect("it goes round").edges)));
        });
    }
}

/// The slowest networks found, one per line as `name: city-city city-city*length`: from a search over the
/// legal networks of printed boards, and over those of any board that a map file can describe.
const WORST: &str = include_str!("../../crates/engine/src/board/network/tests/worst.txt");

/// The longest path where it is hardest to find.
fn worst_network(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("worst network");
    for line in WORST.lines() {
        let (board, routes) = line.split_once(':').expect("a name");
        let edges: Vec<_> = routes.split_whitespace().map(route).collect();
        group.bench_function(board, |bencher| bencher.iter(|| longest_trail(black_box(&edges))));
    }
}

fn route(text: &str) -> Edge {
    let (ends, length) = text.split_once('*').unwrap_or((text, "1"));
    let (a, b) = ends.split_once('-').expect("two cities");
    let number = |text: &str| text.parse::<usize>().expect("a number");
    Edge { a: CityId::new(number(a)), b: CityId::new(number(b)), length: number(length) as u8 }
}

/// Three stations with as many options as 128 routes allow, and the most tickets that a map can have.
fn worst_stations(criterion: &mut Criterion) {
    let stations = [0, 1, 2].map(|city: usize| StationOptions {
        city: CityId::new(city),
        opposite: (3..64).filter(|opposite| (opposite + 20 * city) % 61 < 42).map(CityId::new).collect(),
    });
    let ticket = |i: usize| {
        let [a, b] = [i % 64, (i + 1 + i % 61) % 64].map(CityId::new);
        TicketEnds { a, b, points: 1 + (i % 20) as u8 }
    };
    let tickets: Vec<_> = (0..112).map(ticket).collect();
    criterion.bench_function("worst stations", |bencher| {
        bencher.iter(|| best_stations(&Components::default(), black_box(&stations), &tickets));
    });
}

/// The best use of one seat's stations, for seats that built any.
fn station_assignment(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("station_assignment");
    for table in tables() {
        let mut networks = networks(&table.game, &finished(&table.game));
        networks.retain(|network| !network.stations.is_empty());
        if networks.is_empty() {
            continue;
        }
        let mut next = networks.iter().cycle();
        group.bench_function(&table.name, |bencher| {
            bencher.iter(|| {
                let network = black_box(next.next().expect("it goes round"));
                best_stations(&network.components, &network.stations, &network.tickets)
            });
        });
    }
}

fn quick() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}

criterion_group!(name = scoring; config = quick(); targets = score_sheet, longest_path, worst_network, station_assignment, worst_stations);
criterion_main!(scoring);
