//! Final scoring: whole score sheets, and its two searches.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ttr_benches::{finished, networks, tables};
use ttr_engine::board::network::{best_stations, longest_trail};

/// All seats of a finished random game.
fn score_sheet(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("score_sheet");
    for table in tables() {
        let states = finished(&table.game);
        let mut next = states.iter().cycle();
        group.bench_function(&table.name, |bencher| {
            bencher.iter(|| table.game.score_sheet(black_box(next.next().expect("it goes round"))));
        });
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

criterion_group!(name = scoring; config = quick(); targets = score_sheet, longest_path, station_assignment);
criterion_main!(scoring);
