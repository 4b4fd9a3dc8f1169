//! The search agents: fair, legal, repeatable, and better than chance. Small games with known values are in
//! `search_values.rs`, the heap is in `search_allocation.rs`.

use std::collections::BTreeSet;

use ttr_agents::{Agent, AgentSpec, Candidate, Roster};
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Dice, Game, Seat, Turn, maps};

fn build<G: Roster>(game: &G, spec: &str) -> Box<dyn Agent<G>> {
    game.agent(&AgentSpec::parse(spec).unwrap()).unwrap()
}

fn board_game(map: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::find(map).unwrap(), seats).unwrap()
}

fn card_game(seats: usize) -> CardGame {
    CardGame::new(&maps::card_game(), seats).unwrap()
}

/// Plays a game; every action must be legal. Returns the points.
fn play<G: Roster>(
    game: &G,
    agents: &mut [Box<dyn Agent<G>>],
    seed: u64,
    mut see: impl FnMut(Seat, &G::State, G::Action),
) -> Vec<i16> {
    let mut chance = Dice::from_parts(&[seed, 0]);
    let mut dice = Dice::from_parts(&[seed, 1]);
    let mut state = game.deal(&mut chance);
    for (seat, agent) in agents.iter_mut().enumerate() {
        agent.begin(game, Seat(seat as u8));
    }
    while let Turn::Of(seat) = game.turn(&state) {
        let action = agents[seat.index()].choose(&game.observe(&state, seat), &mut dice).unwrap();
        see(seat, &state, action);
        if let Err(error) = game.play(&mut state, action, &mut chance) {
            panic!("{}, {} seats, seed {seed}, {seat}: {action:?}: {error}", game.map_id(), game.seats());
        }
    }
    game.scores(&state).points.to_vec()
}

/// Positions with a decision, from all parts of a random game.
fn positions<G: Roster>(game: &G, seed: u64) -> Vec<G::State> {
    let mut dice = Dice::from_seed(seed);
    let mut state = game.deal(&mut dice);
    let mut states = Vec::new();
    while game.turn(&state) != Turn::Over {
        states.push(state.clone());
        let action = game.random_action(&state, &mut dice);
        game.play_unchecked(&mut state, action, &mut dice);
    }
    let step = (states.len() / 8).max(1);
    states.into_iter().step_by(step).collect()
}

/// A decision and all that was thought about it.
fn thoughts<G: Roster>(
    game: &G,
    agent: &mut dyn Agent<G>,
    state: &G::State,
    seed: u64,
) -> (G::Action, Vec<Candidate<G::Action>>) {
    let Turn::Of(seat) = game.turn(state) else { panic!("the game is over") };
    let view = game.observe(state, seat);
    agent.begin(game, seat);
    let action = agent.choose(&view, &mut Dice::from_seed(seed)).unwrap();
    (action, agent.explain(&view))
}

fn for_every_game(mut check: impl FnMut(&str, &BoardGame), mut check_cards: impl FnMut(&CardGame)) {
    for id in maps::ids().iter().chain(&["europe+depots", "nordic+depots"]) {
        let map = maps::find(id).unwrap();
        for seats in [map.seats.min, map.seats.max] {
            check(id, &BoardGame::new(&map, seats.into()).unwrap());
        }
    }
    for seats in [2, 4] {
        check_cards(&card_game(seats));
    }
}

/// Games on every map, at fewest and most seats, with little search at every seat.
#[test]
fn every_action_is_legal() {
    fn check<G: Roster>(game: &G) {
        let specs = ["ismcts:iters=6", "flat:iters=6", "ismcts:iters=6,prior=none,root=tree,rollout=random"];
        let mut agents: Vec<_> =
            (0..game.seats()).map(|seat| build(game, specs[seat % specs.len()])).collect();
        play(game, &mut agents, 1, |_, _, _| {});
    }
    for_every_game(|_, game| check(game), check);
}

/// Nothing that the rules offer is beyond it.
#[test]
fn every_kind_of_action_is_taken() {
    let name = |action: String| action.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
    let mut kinds = BTreeSet::new();
    for (map, seats) in [("europe", 2), ("nordic", 2), ("first-journey-europe", 2), ("europe+depots", 3)] {
        let game = board_game(map, seats);
        for seed in 0..3 {
            let mut agents: Vec<_> = (0..seats)
                .map(|_| build(&game, "ismcts:iters=3,prior=none,rollout=random,candidates=1000"))
                .collect();
            play(&game, &mut agents, seed, |_, _, action: board::Action| {
                kinds.insert(name(format!("{action:?}")));
            });
        }
    }
    let all = [
        "AddToSets",
        "BuildStation",
        "Claim",
        "Collect",
        "DeclineTunnel",
        "Done",
        "DrawTickets",
        "Keep",
        "PayTunnel",
        "PlaceDepot",
        "Store",
        "SwapTickets",
        "TakeBlind",
        "TakeFaceUp",
    ];
    let missing: Vec<_> = all.into_iter().filter(|kind| !kinds.contains(*kind)).collect();
    assert!(missing.is_empty(), "never taken: {missing:?}");

    let game = card_game(2);
    let mut kinds = BTreeSet::new();
    for seed in 0..5 {
        let mut agents: Vec<_> = (0..2)
            .map(|_| build(&game, "ismcts:iters=3,prior=none,rollout=random,candidates=1000"))
            .collect();
        play(&game, &mut agents, seed, |_, _, action: card_game::Action| {
            kinds.insert(name(format!("{action:?}")));
        });
    }
    for kind in ["DrawTickets", "Keep", "PlayRow", "PlayThree", "TakeBlind", "TakeFaceUp"] {
        assert!(kinds.contains(kind), "never taken: {kind}");
    }
}

/// Two worlds that look the same to a seat are the same to its agent.
#[test]
fn hidden_cards_make_no_difference() {
    fn check<G: Roster>(game: &G) {
        for spec in ["ismcts:iters=60,belief=4", "flat:iters=60"] {
            let mut agent = build(game, spec);
            for (seed, state) in positions(game, 3).iter().enumerate() {
                let Turn::Of(seat) = game.turn(state) else { continue };
                let other = game.determinize(&game.observe(state, seat), &mut Dice::from_seed(99));
                let first = thoughts(game, &mut *agent, state, seed as u64);
                let second = thoughts(game, &mut *agent, &other, seed as u64);
                assert_eq!(first, second, "{}, {spec}", game.map_id());
            }
        }
    }
    for (map, seats) in
        [("usa", 2), ("europe", 3), ("nordic", 2), ("first-journey-usa", 4), ("europe+depots", 2)]
    {
        check(&board_game(map, seats));
    }
    check(&card_game(3));
}

#[test]
fn equal_seeds_and_threads_decide_equally() {
    fn check<G: Roster>(game: &G) {
        for threads in 1..=3 {
            let spec = format!("ismcts:iters=100,threads={threads}");
            let (mut one, mut two) = (build(game, &spec), build(game, &spec));
            for state in positions(game, 5) {
                let first = thoughts(game, &mut *one, &state, 7);
                assert_eq!(first, thoughts(game, &mut *two, &state, 7), "{}, {threads}", game.map_id());
                // What it did before makes no difference either.
                assert_eq!(first, thoughts(game, &mut *one, &state, 7), "{}, {threads}", game.map_id());
            }
        }
    }
    check(&board_game("usa", 2));
    check(&card_game(2));
}

#[test]
fn it_explains_itself() {
    let game = board_game("usa", 2);
    let state = game.deal(&mut Dice::from_seed(4));
    let mut agent = build(&game, "ismcts:iters=500");
    let (action, candidates) = thoughts(&game, &mut *agent, &state, 1);
    assert_eq!(candidates[0].action, action, "the decision comes first");
    assert_eq!(candidates.len(), 4, "two or three of three tickets can be kept");
    let playouts: u32 = candidates.iter().map(|candidate| candidate.visits).sum();
    assert!((490..=510).contains(&playouts), "{playouts}");
    for candidate in &candidates {
        assert!((0.0..=1.0).contains(&candidate.value));
        assert!(candidate.line[0].starts_with("keep "), "{:?}", candidate.line);
    }
    assert!(candidates[0].line.len() > 1, "{:?}", candidates[0].line);
}

/// A time budget is kept, more or less.
#[test]
fn time_is_kept() {
    let game = board_game("usa", 2);
    let state = game.deal(&mut Dice::from_seed(4));
    let mut agent = build(&game, "ismcts:ms=50");
    let start = std::time::Instant::now();
    let (_, candidates) = thoughts(&game, &mut *agent, &state, 1);
    assert!(start.elapsed().as_millis() >= 50);
    assert!(start.elapsed().as_millis() < 2_000, "{:?}", start.elapsed());
    assert!(candidates.iter().all(|candidate| candidate.visits > 0));
}

#[test]
fn searching_beats_not_searching() {
    fn wins<G: Roster>(game: &G, spec: &str, other: &str, deals: u64) -> u64 {
        let mut won = 0;
        for seed in 0..deals {
            for place in 0..2 {
                let mut agents = vec![build(game, spec), build(game, other)];
                agents.rotate_left(place);
                let points = play(game, &mut agents, seed, |_, _, _| {});
                won += u64::from(points[place] > points[1 - place]);
            }
        }
        won
    }
    assert!(wins(&board_game("first-journey-usa", 2), "ismcts:iters=100", "random", 8) >= 14);
    assert!(wins(&board_game("usa", 2), "ismcts:iters=30", "random", 4) == 8);
    assert!(wins(&board_game("usa", 2), "flat:iters=100", "random", 4) >= 7);
    assert!(wins(&card_game(2), "ismcts:iters=60", "random", 8) >= 12);
}

/// Where there is nothing to choose, nothing is thought.
#[test]
fn one_candidate_needs_no_search() {
    let game = board_game("usa", 2);
    let state = game.deal(&mut Dice::from_seed(4));
    let mut agent = build(&game, "ismcts:iters=500,candidates=1");
    let (_, candidates) = thoughts(&game, &mut *agent, &state, 1);
    assert_eq!((candidates.len(), candidates[0].visits), (1, 0));
}
