//! Many games in step: decisions with what a learner reads of them.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ttr_engine::board::BoardGame;
use ttr_engine::{ActionSpace, Encoder, maps};
use ttr_sim::batch::{Batch, BatchOptions, Frame, Numbers};

const TABLES: usize = 1024;

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("batch");
    group.throughput(Throughput::Elements(TABLES as u64));
    for (map, seats) in [("usa", 2), ("europe", 2), ("europe", 5)] {
        let game = BoardGame::new(&maps::load(map).expect("it is shipped"), seats).expect("it fits");
        let numbers = Arc::new(Numbers::new(Arc::new(game), false));
        let (width, actions) = (numbers.encoder.layout().len(), numbers.space.actions().len());
        let mut views = vec![0; TABLES * width];
        let mut floats = vec![0.0; TABLES * width];
        let mut mask = vec![0; TABLES * actions];
        let mut packed_mask = vec![0; TABLES * actions.div_ceil(8)];
        for what in ["nothing", "packed mask", "uint8", "uint8 and packed mask", "float32 and mask"] {
            let options = BatchOptions { tables: TABLES, threads: 1, ..BatchOptions::default() };
            let mut batch = Batch::new(numbers.clone(), options).expect("random games need nothing");
            let mut chosen = batch.sample();
            group.bench_function(BenchmarkId::new(format!("{map}-{seats}"), what), |bencher| {
                bencher.iter(|| {
                    let mut frame = Frame::default();
                    if what.contains("uint8") {
                        frame.views = Some(&mut views);
                    }
                    if what.contains("packed") {
                        frame.packed_mask = Some(&mut packed_mask);
                    }
                    if what.contains("float32") {
                        frame.floats = Some(&mut floats);
                        frame.mask = Some(&mut mask);
                    }
                    batch.step_into(black_box(&chosen), frame).expect("sampled actions are legal");
                    batch.sample_into(&mut chosen);
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
