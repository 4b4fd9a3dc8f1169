//! A million decisions of every agent, on all games it plays and all numbers of seats: each is legal, and
//! the same in a world that differs only in hidden information.
//!
//! Run with `cargo test -p ttr-agents --test million -- --ignored`; add a name to run one agent. `flat`
//! takes the longest, ten minutes, because it tries every action.

mod support;

use support::{Kinds, boards, card_game, play, spec};
use ttr_agents::{Roster, RosterGame};

const DECISIONS: u64 = 1_000_000;

/// Lets an agent play against itself, one game after the other.
fn decide(agent: &str) {
    let agent = spec(agent);
    let mut kinds = Kinds::default();
    let seeds = (0..).map(|seed| seed..seed + 1);
    let (boards, card_games) = (boards().collect::<Vec<_>>(), [2, 3, 4].map(card_game));
    for seed in seeds {
        for game in boards.iter().filter(|game| game.agent(&agent).is_ok()) {
            play(game, std::slice::from_ref(&agent), seed.clone(), &mut kinds);
        }
        for game in card_games.iter().filter(|game| game.agent(&agent).is_ok()) {
            play(game, std::slice::from_ref(&agent), seed.clone(), &mut kinds);
        }
        if kinds.decisions(&agent) >= DECISIONS {
            return;
        }
    }
}

macro_rules! a_million_decisions {
    ($($name:ident: $agent:literal;)*) => {
        $(
            #[test]
            #[ignore = "takes minutes; see the top of the file"]
            fn $name() {
                decide($agent);
            }
        )*

        #[test]
        fn every_agent_is_here() {
            let here = [$(spec($agent).name),*];
            assert!(Roster::built_in().entries().all(|entry| here.iter().any(|name| name == entry.name())));
        }
    };
}

// Searches are short, but use all their parts.
a_million_decisions! {
    random: "random";
    greedy: "greedy";
    path: "path";
    path_coded: "path:variant=coded";
    one_step: "one-step";
    one_step_coded: "one-step:variant=coded";
    long_route: "long-route";
    long_route_coded: "long-route:variant=coded";
    hungry: "hungry";
    hungry_coded: "hungry:variant=coded";
    flat: "flat:iters=1";
    planner: "planner";
    yard: "yard";
    ismcts: "ismcts:iters=3,candidates=3,rollout=random";
}
