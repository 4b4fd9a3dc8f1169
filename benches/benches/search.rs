//! Parts of a search: a world, a playout and its score, with each rollout policy; and whole decisions.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ttr_agents::{Agent, AgentSpec, LightPlanner, Planner, Random, RosterGame};
use ttr_benches::tables;
use ttr_engine::board::{BoardGame, State};
use ttr_engine::{Dice, Game, Scores, Seat, Turn};

/// A world that looks to a seat like the true one, played to the end.
fn playout<A: Agent<BoardGame>>(
    game: &BoardGame,
    state: &State,
    seat: Seat,
    policies: &mut [A],
    dice: &mut Dice,
) -> Scores {
    let mut world = game.determinize(&game.observe(state, seat), dice);
    for (seat, policy) in policies.iter_mut().enumerate() {
        policy.begin(game, Seat::new(seat));
    }
    while let Turn::Of(seat) = game.turn(&world) {
        let action = policies[seat].choose(&game.observe(&world, seat), dice);
        game.play_unchecked(&mut world, action.expect("policies never give up"), dice);
    }
    game.scores(&world)
}

/// Playouts per second from the opening: determinize, play, score.
fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search/playout");
    group.throughput(Throughput::Elements(1));
    for table in tables() {
        let game = &table.game;
        let state = game.deal(&mut Dice::from_seed(1));
        let Turn::Of(seat) = game.turn(&state) else { continue };
        let mut dice = Dice::from_seed(2);
        let mut random = vec![Random; game.seats()];
        group.bench_function(format!("random/{}", table.name), |bencher| {
            bencher.iter(|| playout(game, &state, seat, &mut random, &mut dice));
        });
        let mut light = vec![LightPlanner::new(game); game.seats()];
        group.bench_function(format!("light/{}", table.name), |bencher| {
            bencher.iter(|| playout(game, &state, seat, &mut light, &mut dice));
        });
        let mut planners = vec![Planner::new(game); game.seats()];
        group.bench_function(format!("planner/{}", table.name), |bencher| {
            bencher.iter(|| playout(game, &state, seat, &mut planners, &mut dice));
        });
    }
}

/// A decision of a hundred playouts in the opening.
fn decision(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search/decision");
    for table in tables() {
        let state = table.game.deal(&mut Dice::from_seed(1));
        let Turn::Of(seat) = table.game.turn(&state) else { continue };
        for options in ["ismcts:iters=100", "ismcts:iters=100,rollout=light", "flat:iters=100"] {
            let spec = AgentSpec::parse(options).expect("a known agent");
            let mut agent = table.game.agent(&spec).expect("it plays boards");
            let mut dice = Dice::from_seed(2);
            group.bench_function(format!("{options}/{}", table.name), |bencher| {
                bencher.iter(|| agent.choose(&table.game.observe(&state, seat), &mut dice));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20);
    targets = playouts, decision
}
criterion_main!(benches);
