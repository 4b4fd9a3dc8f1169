//! A million decisions of every agent, on all games it plays and all numbers of seats: each is legal, and the same in a world
//! that differs only in what is hidden.
//!
//! Takes minutes: `cargo test -p ttr-agents --test million -- --ignored --nocapture`.

mod support;

use support::{Kinds, boards, card_game, play, spec};
use ttr_agents::{AGENTS, AgentSpec, Roster};

const DECISIONS: u64 = 1_000_000;

/// What an agent is called here: searches think little, but with all their parts.
fn settings(name: &str) -> String {
    match name {
        "ismcts" => "ismcts:iters=3,candidates=3,rollout=random".to_owned(),
        "flat" => "flat:iters=1,cutoff=4".to_owned(),
        name => name.to_owned(),
    }
}

fn play_round<G: Roster>(game: &G, agent: &AgentSpec, round: u64, kinds: &mut Kinds) {
    play(game, std::slice::from_ref(agent), round..round + 1, kinds);
}

#[test]
#[ignore = "takes minutes; see the top of the file"]
fn of_every_agent_are_legal_and_fair() {
    let boards: Vec<_> = boards().collect();
    let card_games = [2, 3, 4].map(card_game);
    for info in AGENTS {
        let agent = spec(&settings(info.name));
        let mut kinds = Kinds::default();
        let mut round = 0;
        while kinds.decisions(&agent) < DECISIONS {
            for game in boards.iter().filter(|game| game.agent(&agent).is_ok()) {
                play_round(game, &agent, round, &mut kinds);
            }
            for game in card_games.iter().filter(|game| game.agent(&agent).is_ok()) {
                play_round(game, &agent, round, &mut kinds);
            }
            round += 1;
        }
        println!("{agent}: {} decisions in {round} rounds of all games", kinds.decisions(&agent));
    }
}
