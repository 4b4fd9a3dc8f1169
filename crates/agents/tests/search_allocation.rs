//! No heap inside a search: once it has warmed up, five times as many playouts allocate no more.

use ttr_agents::{Agent, AgentSpec, RosterGame};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, Turn, maps};

/// The allocations of an agent for each of several decisions.
fn allocations<G: RosterGame>(game: &G, agent: &mut dyn Agent<G>, states: &[G::State]) -> Vec<u64> {
    states
        .iter()
        .map(|state| {
            let Turn::Of(seat) = game.turn(state) else { return 0 };
            let counted = allocation_counter::measure(|| {
                agent.choose(&game.observe(state, seat), &mut Dice::from_seed(1)).unwrap();
            });
            counted.count_total
        })
        .collect()
}

fn check<G: RosterGame>(game: &G, options: &str) {
    let mut dice = Dice::from_seed(1);
    let mut state = game.deal(&mut dice);
    let mut states = Vec::new();
    while game.turn(&state) != Turn::Over {
        states.push(state.clone());
        let action = game.random_action(&state, &mut dice);
        game.play_unchecked(&mut state, action, &mut dice);
    }
    let step = states.len() / 3;
    let states: Vec<_> = states.into_iter().step_by(step).collect();
    let counts: Vec<_> = [20, 100]
        .into_iter()
        .map(|playouts| {
            let spec = AgentSpec::parse(&format!("{options},iters={playouts}")).unwrap();
            let mut agent = game.agent(&spec).unwrap();
            // Warm-up: lists grow to the size that the largest of these searches needs.
            allocations(game, &mut *agent, &states);
            allocations(game, &mut *agent, &states);
            allocations(game, &mut *agent, &states)
        })
        .collect();
    assert_eq!(counts[0], counts[1], "{}, {options}", game.map_id());
    assert!(counts[1].iter().all(|&count| count < 10), "{}, {options}: {:?}", game.map_id(), counts[1]);
}

#[test]
fn playouts_allocate_nothing() {
    for map in ["usa", "europe", "nordic", "first-journey-europe", "europe+depots"] {
        let game = BoardGame::new(&maps::find(map).unwrap(), 2).unwrap();
        check(&game, "ismcts:belief=2");
        check(&game, "ismcts:root=tree,depth=40,prior=rollout");
        check(&game, "ismcts:rollout=light,prior=none");
        check(&game, "ismcts:rollout=greedy,cutoff=20");
        check(&game, "flat:rollout=random");
    }
    let game = CardGame::new(&maps::card_game(), 2).unwrap();
    check(&game, "ismcts:belief=2");
    check(&game, "ismcts:root=tree,depth=40,prior=rollout");
    check(&game, "ismcts:rollout=greedy,prior=none,cutoff=20");
    check(&game, "flat:rollout=random");
}

/// The counter counts.
#[test]
fn what_allocates_is_noticed() {
    let mut list = Vec::new();
    let counted = allocation_counter::measure(|| list = (0..10).map(|n| n.to_string()).collect());
    assert!(counted.count_total > 9 && list.len() == 10);
}
