//! The agents `ismcts` and `flat`: legal and fair everywhere, repeatable, able to explain themselves, and
//! better than their starting point. Small games with known values are in `search_values.rs`, the heap is
//! in `search_allocation.rs`.

mod support;

use std::time::{Duration, Instant};

use support::{
    Kinds, assert_exercises, board, boards, card_game, offered_by, offered_by_card_game, play, spec,
    win_share,
};
use ttr_agents::{Agent, Candidate, Estimate, RosterGame};
use ttr_engine::board::Action;
use ttr_engine::testing::Table;
use ttr_engine::{CardKind, Dice, Game, Notation, Seat, Turn};

/// Short searches that use all their parts.
const QUICK: [&str; 3] = [
    "ismcts:iters=4,rollout=light,belief=2",
    "flat:iters=4,cutoff=4",
    "ismcts:iters=4,root=tree,prior=none,rollout=random,cutoff=20",
];

/// Every action is legal, and the same in a world that differs in what is hidden: on every map, at some
/// number of seats.
#[test]
fn legal_and_fair_everywhere() {
    let agents = QUICK.map(spec);
    for (seed, game) in boards().enumerate().filter(|(place, _)| place % 4 == 0) {
        play(&game, &agents, seed as u64..seed as u64 + 1, &mut Kinds::default());
    }
    for seats in 2..=4 {
        play(&card_game(seats), &agents, 0..2, &mut Kinds::default());
    }
}

/// With the intended settings, but fewer playouts.
#[test]
fn fair_with_the_planner() {
    for (map, seats) in [("usa", 2), ("europe", 3), ("nordic", 2), ("first-journey-usa", 2)] {
        play(&board(map, seats), &[spec("ismcts:iters=8")], 0..1, &mut Kinds::default());
    }
}

/// Takes every action that the rules offer on any map, with every source of the first guess.
fn takes_every_kind_of_action(agent: &str) {
    for game in boards().filter(|game| game.seats() == 3) {
        assert_exercises(&game, &spec(agent), &offered_by(&game), 400);
    }
    assert_exercises(&card_game(2), &spec(agent), &offered_by_card_game(), 40);
}

#[test]
fn every_kind_of_action_is_taken() {
    takes_every_kind_of_action("ismcts:iters=12,rollout=light,cutoff=4");
}

#[test]
fn every_kind_of_action_is_taken_without_a_first_guess() {
    takes_every_kind_of_action("ismcts:iters=4,prior=none,rollout=random,cutoff=2");
}

#[test]
fn every_kind_of_action_is_taken_by_flat() {
    takes_every_kind_of_action("flat:iters=2,cutoff=1");
}

/// Positions with a decision, from all parts of a random game.
fn positions<G: RosterGame>(game: &G, seed: u64) -> Vec<G::State> {
    let mut dice = Dice::from_seed(seed);
    let mut state = game.deal(&mut dice);
    let mut states = Vec::new();
    while game.turn(&state) != Turn::Over {
        states.push(state.clone());
        let action = game.random_action(&state, &mut dice);
        game.play_unchecked(&mut state, action, &mut dice);
    }
    let step = (states.len() / 6).max(1);
    states.into_iter().step_by(step).collect()
}

/// A decision with its explanation.
fn thoughts<G: RosterGame>(
    game: &G,
    agent: &mut dyn Agent<G>,
    state: &G::State,
) -> (G::Action, Vec<Candidate<G::Action>>) {
    let Turn::Of(seat) = game.turn(state) else { panic!("the game is over") };
    let view = game.observe(state, seat);
    agent.begin(game, seat);
    let action = agent.choose(&view, &mut Dice::from_seed(7)).unwrap();
    (action, agent.explain(&view).candidates)
}

/// Values, visits and lines are the same too: for equal seeds and threads, whatever the agent did before,
/// and whatever is hidden.
#[test]
fn equal_views_are_thought_about_equally() {
    fn check<G: RosterGame>(game: &G) {
        for (threads, rollout) in [(1, "light"), (2, "planner"), (3, "light"), (1, "planner")] {
            let spec = spec(&format!("ismcts:iters=24,belief=2,rollout={rollout},threads={threads}"));
            let [mut one, mut two] = [(); 2].map(|()| game.agent(&spec).unwrap());
            for state in positions(game, 5) {
                let Turn::Of(seat) = game.turn(&state) else { continue };
                let first = thoughts(game, &mut *one, &state);
                assert_eq!(first, thoughts(game, &mut *two, &state), "{}, {threads} threads", game.map_id());
                assert_eq!(first, thoughts(game, &mut *one, &state), "{}, {threads} threads", game.map_id());
                let world = game.determinize(&game.observe(&state, seat), &mut Dice::from_seed(99));
                assert_eq!(first, thoughts(game, &mut *one, &world), "{}, {threads} threads", game.map_id());
            }
        }
    }
    check(&board("usa", 2));
    check(&board("nordic", 3));
    check(&card_game(2));
}

#[test]
fn it_explains_itself() {
    let game = board("usa", 2);
    let state = game.deal(&mut Dice::from_seed(4));
    for (options, lines) in [("ismcts:iters=500,rollout=light", true), ("flat:iters=500", false)] {
        let mut agent = game.agent(&spec(options)).unwrap();
        let (action, candidates) = thoughts(&game, &mut *agent, &state);
        assert_eq!(candidates[0].action, action, "the decision comes first");
        let Candidate { visits, value, .. } = candidates[0];
        assert_eq!(agent.estimate(), Some(Estimate::new(visits, value)), "{options}");
        assert_eq!(candidates.len(), 4, "two or three of three tickets can be kept");
        let playouts: u32 = candidates.iter().map(|candidate| candidate.visits).sum();
        assert!((480..=520).contains(&playouts), "{options}: {playouts}");
        let expected: Vec<f64> = candidates.iter().filter_map(|candidate| candidate.expected_gain).collect();
        assert!(expected.is_sorted_by(|one, next| one >= next), "best first: {expected:?}");
        assert_eq!(expected.len(), if lines { 4 } else { 0 }, "{options}");
        for candidate in &candidates {
            assert!((0.0..=1.0).contains(&candidate.value));
            assert!(candidate.error.is_some_and(|error| (0.0..0.2).contains(&error)), "{candidate:?}");
            assert!(candidate.line[0].starts_with("keep "), "{options}: {:?}", candidate.line);
        }
        assert_eq!(candidates[0].line.len() > 1, lines, "{options}: {:?}", candidates[0].line);
        // The tickets that the other seat keeps next are secret, in determinized worlds too.
        assert!(!lines || candidates[0].line[1] == "keep (hidden)", "{:?}", candidates[0].line);
    }
}

/// Where there is no choice nothing is searched, and nothing is reported of the search before.
#[test]
fn a_decision_without_a_choice_is_not_thought_about() {
    let game = card_game(2);
    let mut agent = game.agent(&spec("ismcts:iters=50")).unwrap();
    let mut forced = 0;
    for seed in 0..20 {
        let mut dice = Dice::from_seed(seed);
        let mut state = game.deal(&mut dice);
        while game.turn(&state) != Turn::Over {
            if game.count_actions(&state) == 1 {
                let (action, candidates) = thoughts(&game, &mut *agent, &state);
                let text = game.write_action(&state, action);
                let mut alone = Candidate::new(action);
                alone.line.push(text);
                assert_eq!(candidates, [alone]);
                assert_eq!(agent.estimate(), None);
                forced += 1;
            }
            let action = game.random_action(&state, &mut dice);
            game.play_unchecked(&mut state, action, &mut dice);
        }
    }
    assert!(forced > 0);
}

/// Plays at most the requested number of playouts, however many actions there are.
#[test]
fn playouts_are_counted() {
    let game = board("usa", 2);
    for iters in [1, 7, 30, 200] {
        for options in ["prior=none,rollout=random", "rollout=light", "root=tree,rollout=light"] {
            let mut agent = game.agent(&spec(&format!("ismcts:iters={iters},{options}"))).unwrap();
            for state in positions(&game, 3) {
                let (_, candidates) = thoughts(&game, &mut *agent, &state);
                let playouts: u32 = candidates.iter().map(|candidate| candidate.visits).sum();
                let enough = candidates.len() == 1 || 2 * playouts >= iters;
                assert!(playouts <= iters && enough, "{options}: {playouts} of {iters} playouts");
            }
        }
    }
}

/// A time budget is used, and not exceeded by much.
#[test]
fn time_is_kept() {
    let game = board("usa", 2);
    let state = game.deal(&mut Dice::from_seed(4));
    let mut agent = game.agent(&spec("ismcts:ms=50")).unwrap();
    let start = Instant::now();
    let (_, candidates) = thoughts(&game, &mut *agent, &state);
    let used = start.elapsed();
    assert!((Duration::from_millis(50)..Duration::from_secs(3)).contains(&used), "{used:?}");
    assert!(candidates.iter().all(|candidate| candidate.visits > 0));
}

/// Where there is no choice, nothing is searched.
#[test]
fn one_candidate_needs_no_search() {
    let game = board("usa", 2);
    let state = game.deal(&mut Dice::from_seed(4));
    let mut agent = game.agent(&spec("ismcts:candidates=1")).unwrap();
    let (_, candidates) = thoughts(&game, &mut *agent, &state);
    assert_eq!((candidates.len(), candidates[0].visits), (1, 0));
}

/// In the last turn everything that matters is known: the route that completes a ticket.
#[test]
fn the_last_turn_is_played_right() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(CardKind::Red, 2), (CardKind::Blue, 2)]).market([CardKind::Green; 5]);
    table.routes(0, ["Denver-Santa Fe"]).tickets(0, ["Denver-El Paso"]).trains(1, 2).turn(1);
    let mut state = *table.finish().state();
    let mut dice = Dice::from_seed(1);
    for _ in 0..2 {
        game.play(&mut state, Action::TakeBlind, &mut dice).unwrap();
    }
    assert_eq!(game.turn(&state), Turn::Of(Seat::new(0)));
    for options in [
        "ismcts:iters=200",
        "ismcts:iters=200,root=tree",
        "ismcts:iters=400,prior=none,rollout=light,candidates=100",
    ] {
        let mut agent = game.agent(&spec(options)).unwrap();
        let (action, candidates) = thoughts(&game, &mut *agent, &state);
        let text = game.write_action(&state, action);
        assert!(text.starts_with("claim El Paso-Santa Fe"), "{options}: {text}, {candidates:?}");
    }
}

#[test]
fn searching_beats_not_searching() {
    assert!(win_share(&board("usa", 2), "ismcts:iters=30,rollout=light", "random", 4) == 1.0);
    assert!(win_share(&board("usa", 2), "flat:iters=100", "random", 4) >= 0.8);
    assert!(win_share(&board("first-journey-usa", 2), "ismcts:iters=60", "random", 8) >= 0.8);
    assert!(win_share(&card_game(2), "ismcts:iters=60", "random", 8) >= 0.8);
}
