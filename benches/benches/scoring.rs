//! Final scoring: whole score sheets, and its two searches.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ttr_benches::{finished, finished_by_planners, networks, tables};
use ttr_engine::board::network::{Edge, best_stations, longest_trail};

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

/// Routes as (city, city, length).
type Network = &'static [(u8, u8, u8)];

/// The slowest networks that a search over the legal ones of each board has found.
const WORST: [(&str, Network); 3] = [
    (
        "europe",
        &[
            (0, 1, 1),
            (27, 20, 1),
            (22, 23, 1),
            (0, 3, 2),
            (0, 4, 2),
            (10, 25, 2),
            (1, 22, 2),
            (1, 3, 2),
            (1, 23, 2),
            (27, 30, 2),
            (22, 4, 2),
            (3, 37, 2),
            (15, 44, 2),
            (37, 46, 2),
            (37, 44, 2),
            (25, 46, 2),
            (46, 30, 2),
            (46, 44, 2),
            (20, 30, 2),
            (17, 20, 3),
            (3, 23, 3),
            (9, 10, 4),
        ],
    ),
    (
        "usa",
        &[
            (0, 3, 1),
            (20, 22, 1),
            (26, 16, 1),
            (0, 1, 2),
            (0, 5, 2),
            (1, 5, 2),
            (14, 18, 2),
            (20, 23, 2),
            (20, 24, 2),
            (26, 24, 2),
            (26, 18, 2),
            (23, 24, 2),
            (23, 18, 2),
            (3, 18, 2),
            (17, 19, 2),
            (17, 34, 2),
            (30, 19, 2),
            (14, 17, 3),
            (3, 5, 3),
            (14, 19, 4),
            (25, 26, 4),
        ],
    ),
    (
        "nordic",
        &[
            (11, 13, 1),
            (17, 19, 1),
            (17, 22, 1),
            (17, 23, 1),
            (28, 29, 1),
            (27, 29, 1),
            (19, 22, 1),
            (15, 20, 1),
            (30, 13, 1),
            (33, 13, 1),
            (22, 23, 1),
            (2, 16, 2),
            (18, 27, 2),
            (18, 19, 2),
            (28, 27, 2),
            (28, 30, 2),
            (7, 4, 2),
            (15, 16, 2),
            (16, 4, 2),
            (16, 20, 2),
            (30, 33, 2),
            (31, 15, 3),
            (27, 19, 3),
            (20, 23, 3),
        ],
    ),
];

/// The longest path where it is hardest to find.
fn worst_network(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("worst network");
    for (board, routes) in WORST {
        let edges: Vec<_> = routes.iter().map(|&(a, b, length)| Edge { a, b, length }).collect();
        group.bench_function(board, |bencher| bencher.iter(|| longest_trail(black_box(&edges))));
    }
}

/// The best use of one seat's stations; only of seats that built any.
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

criterion_group!(name = scoring; config = quick(); targets = score_sheet, longest_path, worst_network, station_assignment);
criterion_main!(scoring);
