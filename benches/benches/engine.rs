//! A game step by step: deal, legal actions, play, whole playouts, copies, and determinized worlds.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use ttr_agents::{Agent, Yard};
use ttr_benches::{Table, decisions, planner_game, random_game, random_game_tables, tables, whole_game};
use ttr_engine::board::{BoardGame, State};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Dice, Game, Scores, Seat, Turn, maps};

/// Measures `step` on positions from all parts of random games, one after the other.
fn by_decision<T>(criterion: &mut Criterion, group: &str, step: impl FnMut(&Table, &State, &mut Dice) -> T) {
    by_decision_in(criterion, group, random_game, step);
}

/// Measures `step` on positions from all parts of games that `play` plays, one after the other.
fn by_decision_in<T>(
    criterion: &mut Criterion,
    group: &str,
    play: impl Fn(&BoardGame, u64) -> Vec<State>,
    mut step: impl FnMut(&Table, &State, &mut Dice) -> T,
) {
    let mut group = criterion.benchmark_group(group);
    for table in tables() {
        let states = decisions(|seed| play(&table.game, seed));
        let mut dice = Dice::from_seed(1);
        let mut next = states.iter().cycle();
        group.bench_function(&table.name, |bencher| {
            bencher.iter(|| step(&table, black_box(next.next().expect("it goes round")), &mut dice));
        });
    }
}

fn deal(criterion: &mut Criterion) {
    by_decision(criterion, "deal", |table, _, dice| table.game.deal(dice));
}

fn legal_actions(criterion: &mut Criterion) {
    by_decision(criterion, "visit", |table, state, _| {
        table.game.legal_actions(state, |action| {
            black_box(action);
            ControlFlow::<()>::Continue(())
        })
    });
    by_decision(criterion, "count", |table, state, _| table.game.count_actions(state));
    // Finding the middle one needs the count as well: the difference is the cost of finding.
    by_decision(criterion, "count+nth", |table, state, _| {
        table.game.nth_action(state, table.game.count_actions(state) / 2)
    });
    by_decision(criterion, "random_action", |table, state, dice| table.game.random_action(state, dice));
}

/// Copies the position and plays one action, chosen in advance.
fn play(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play");
    for table in tables() {
        let mut dice = Dice::from_seed(1);
        let plies: Vec<_> = decisions(|seed| random_game(&table.game, seed))
            .into_iter()
            .map(|state| (state, table.game.random_action(&state, &mut dice)))
            .collect();
        let mut next = plies.iter().cycle();
        group.bench_function(&table.name, |bencher| {
            bencher.iter(|| {
                let (mut state, action) = *black_box(next.next().expect("it goes round"));
                table.game.play_unchecked(&mut state, action, &mut dice);
                state
            });
        });
    }
}

/// A whole random game with its final scores.
fn playout(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout");
    for table in random_game_tables() {
        let mut dice = Dice::from_seed(1);
        group.bench_function(&table.name, |bencher| bencher.iter(|| play_out(&table.game, &mut dice)));
    }
    for seats in [2, 4] {
        let game = CardGame::new(&maps::card_game(), seats).expect("seats that the game allows");
        let mut dice = Dice::from_seed(1);
        group.bench_function(format!("card-game/{seats}"), |bencher| {
            bencher.iter(|| play_out(&game, &mut dice));
        });
    }
}

fn play_out<G: Game>(game: &G, dice: &mut Dice) -> Scores {
    let mut state = game.deal(dice);
    let mut choices = Dice::from_seed(dice.next_u64());
    game.playout(&mut state, &mut choices, dice);
    game.scores(&state)
}

/// Games of several threads together: two should play nearly twice as many as one.
fn threads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("threads");
    let table = &tables()[0];
    for threads in [1, 2] {
        group.bench_function(format!("{}/{threads}", table.name), |bencher| {
            bencher.iter_custom(|games| {
                let start = Instant::now();
                thread::scope(|scope| {
                    for seed in 0..threads {
                        scope.spawn(move || {
                            let mut dice = Dice::from_seed(seed);
                            for _ in 0..games.div_ceil(threads) {
                                black_box(play_out(&table.game, &mut dice));
                            }
                        });
                    }
                });
                start.elapsed()
            });
        });
    }
}

fn copy(criterion: &mut Criterion) {
    by_decision(criterion, "copy", |_, state, _| *state);
}

/// The step of every search iteration: the seat to move draws a world that looks the same to it. Between
/// planners hardly any seat draws tickets from under the deck; in random games most do, and there is much
/// to remember.
fn determinize(criterion: &mut Criterion) {
    fn world<G: Game>(game: &G, state: &G::State, dice: &mut Dice) -> G::State {
        let Turn::Of(seat) = game.turn(state) else { unreachable!("a decision is to be taken") };
        game.determinize(&game.observe(state, seat), dice)
    }
    by_decision(criterion, "determinize", |table, state, dice| world(&table.game, state, dice));
    by_decision_in(criterion, "determinize between planners", planner_game, |table, state, dice| {
        world(&table.game, state, dice)
    });
    let mut group = criterion.benchmark_group("determinize");
    for (seats, round) in [(2, 0), (4, 0), (4, 1)] {
        let game = CardGame::new(&maps::card_game(), seats).expect("seats that the game allows");
        let in_round = |states: Vec<card_game::State>| -> Vec<_> {
            states.into_iter().filter(|state| game.observe(state, Seat::new(0)).round() == round).collect()
        };
        let random = decisions(|seed| {
            in_round(whole_game(&game, seed, |state, _, dice| game.random_action(state, dice)))
        });
        let sensible = decisions(|seed| in_round(yard_game(&game, seed)));
        for (play, states) in [("random", random), ("yard", sensible)] {
            let mut dice = Dice::from_seed(1);
            let mut next = states.iter().cycle();
            group.bench_function(format!("card-game/{seats}/round {}/{play}", round + 1), |bencher| {
                bencher.iter(|| world(&game, black_box(next.next().expect("it goes round")), &mut dice));
            });
        }
    }
}

fn yard_game(game: &CardGame, seed: u64) -> Vec<card_game::State> {
    let mut agents = vec![Yard::new(game); game.seats()];
    for (seat, agent) in agents.iter_mut().enumerate() {
        agent.begin(game, Seat::new(seat));
    }
    whole_game(game, seed, |state, seat, dice| {
        agents[seat].choose(&game.observe(state, seat), dice).expect("yard never gives up")
    })
}

fn quick() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}

criterion_group!(name = engine; config = quick(); targets = deal, legal_actions, play, playout, threads, copy, determinize);
criterion_main!(engine);
