//! Shared by the tests of agents: whole games that check every decision, and the kinds of action seen.

#![allow(dead_code, unreachable_pub, reason = "every test file uses a different part of this")]

use std::collections::{BTreeMap, BTreeSet};

use ttr_agents::{Agent, AgentSpec, RosterGame};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, Seat, Turn, maps};

/// More decisions than any game needs.
const TOO_LONG: usize = 5_000;

/// Number of actions by the agent's text and the kind of action.
#[derive(Clone, Debug, Default)]
pub struct Kinds(BTreeMap<String, BTreeMap<String, u64>>);

impl Kinds {
    /// Number of actions of a kind by an agent.
    pub fn of(&self, agent: &AgentSpec, kind: &str) -> u64 {
        self.0.get(&agent.to_string()).and_then(|kinds| kinds.get(kind)).copied().unwrap_or(0)
    }

    /// Number of decisions of an agent.
    pub fn decisions(&self, agent: &AgentSpec) -> u64 {
        self.0.get(&agent.to_string()).map_or(0, |kinds| kinds.values().sum())
    }

    /// The kinds that an agent never played.
    pub fn missing<'k>(&self, agent: &AgentSpec, kinds: &BTreeSet<&'k str>) -> Vec<&'k str> {
        kinds.iter().copied().filter(|kind| self.of(agent, kind) == 0).collect()
    }
}

/// The kind of an action: the first word of its notation, with the next one where it stands for two kinds.
pub fn kind(text: &str) -> String {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    match (verb, rest) {
        ("take", "blind") => "take blind".to_owned(),
        ("take", _) => "take face up".to_owned(),
        ("play", three) if three.contains(',') => "play three".to_owned(),
        ("play", _) => "play a row".to_owned(),
        ("sets", _) => "sets".to_owned(),
        _ => verb.to_owned(),
    }
}

/// Plays games in which the agents take turns at the seats. Asserts that every action is legal, and that an
/// agent makes the same decision in a world that looks the same to its seat but differs in everything
/// hidden.
pub fn play<G: RosterGame>(game: &G, agents: &[AgentSpec], seeds: std::ops::Range<u64>, kinds: &mut Kinds) {
    let built = |spec: &AgentSpec| game.agent(spec).unwrap_or_else(|error| panic!("{error}"));
    // The twin of an agent only sees determinized worlds, from the first decision to the last.
    let mut pool: Vec<[Box<dyn Agent<G>>; 2]> =
        agents.iter().map(|spec| [built(spec), built(spec)]).collect();
    for seed in seeds {
        let at = |seat: Seat| (seed as usize + seat.index()) % agents.len();
        // A table of one kind of agent needs one at every seat.
        let mut own: Vec<[Box<dyn Agent<G>>; 2]> = Vec::new();
        if agents.len() < game.seats() {
            own = Seat::all(game.seats())
                .map(|seat| [built(&agents[at(seat)]), built(&agents[at(seat)])])
                .collect();
        }
        let shared = own.is_empty();
        let place = |seat: Seat| if shared { at(seat) } else { seat.index() };
        let table = if shared { &mut pool } else { &mut own };
        for seat in Seat::all(game.seats()) {
            table[place(seat)].iter_mut().for_each(|agent| agent.begin(game, seat));
        }
        let mut chance = Dice::from_parts(&[seed, 1]);
        let mut imagination = Dice::from_parts(&[seed, 2]);
        let mut state = game.deal(&mut chance);
        let mut decisions = 0;
        while let Turn::Of(seat) = game.turn(&state) {
            let here = || {
                format!(
                    "{} on {} at {seat} of {}, seed {seed}",
                    agents[at(seat)],
                    game.map_id(),
                    game.seats()
                )
            };
            let dice = Dice::from_parts(&[seed, 3, decisions as u64]);
            let world = game.determinize(&game.observe(&state, seat), &mut imagination);
            let [agent, twin] = &mut table[place(seat)];
            let action =
                agent.choose(&game.observe(&state, seat), &mut dice.clone()).expect("it does not resign");
            let again =
                twin.choose(&game.observe(&world, seat), &mut dice.clone()).expect("it does not resign");
            assert_eq!(action, again, "{}: the decision depends on hidden cards", here());
            let text = game.write_action(&state, action);
            game.play(&mut state, action, &mut chance)
                .unwrap_or_else(|why| panic!("{}: {text}: {why}", here()));
            *kinds.0.entry(agents[at(seat)].to_string()).or_default().entry(kind(&text)).or_default() += 1;
            decisions += 1;
            assert!(decisions < TOO_LONG, "{}: the game does not end", here());
        }
    }
}

/// Plays until an agent has done everything, or a number of games.
///
/// # Panics
/// If it never did something in all these games.
pub fn assert_exercises<G: RosterGame>(game: &G, agent: &AgentSpec, wanted: &BTreeSet<&str>, games: u64) {
    let mut kinds = Kinds::default();
    for seed in 0..games {
        play(game, std::slice::from_ref(agent), seed..seed + 1, &mut kinds);
        if kinds.missing(agent, wanted).is_empty() {
            return;
        }
    }
    panic!("{agent} never did {:?} in {games} games on {}", kinds.missing(agent, wanted), game.map_id());
}

/// The kinds of action that a board offers.
pub fn offered_by(game: &BoardGame) -> BTreeSet<&'static str> {
    let rules = &game.spec().rules;
    let sets = rules.ferry_sets.is_some()
        || game.spec().routes.iter().any(|route| route.any_cards_per_space.is_some());
    let mut kinds = BTreeSet::from(["claim", "take blind"]);
    let mut offer = |offered: bool, more: &[&'static str]| {
        if offered {
            kinds.extend(more);
        }
    };
    offer(rules.draw.market > 0, &["take face up"]);
    offer(rules.tickets.draw > 0, &["tickets", "keep"]);
    offer(rules.journey.is_some(), &["swap"]);
    offer(rules.tunnels.is_some(), &["pay", "decline"]);
    offer(rules.stations.is_some(), &["station"]);
    offer(sets, &["sets"]);
    offer(rules.depots.is_some(), &["store", "collect", "depot", "done"]);
    kinds
}

/// The kinds of action that the Card Game offers. A pass is too rare to wait for.
pub fn offered_by_card_game() -> BTreeSet<&'static str> {
    BTreeSet::from(["keep", "take blind", "take face up", "tickets", "play a row", "play three"])
}

/// Every shipped board, some of them with depots too, at every number of seats.
pub fn boards() -> impl Iterator<Item = BoardGame> {
    let with_depots = ["europe+depots", "nordic+depots", "usa+depots"];
    maps::ids().iter().copied().chain(with_depots).flat_map(|id| {
        let map = maps::find(id).expect("the map is shipped");
        (map.seats.min..=map.seats.max)
            .map(move |seats| BoardGame::new(&map, seats.into()).expect("seats in range"))
    })
}

/// A shipped board.
pub fn board(id: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::find(id).expect("the map is shipped"), seats).expect("seats in range")
}

/// The Card Game.
pub fn card_game(seats: usize) -> CardGame {
    CardGame::new(&maps::card_game(), seats).expect("seats in range")
}

/// Parses the text of an agent.
pub fn spec(text: &str) -> AgentSpec {
    AgentSpec::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The decision of a new agent for the seat to move, in notation.
pub fn decision<G: RosterGame>(game: &G, state: &G::State, agent: &str) -> String {
    let Turn::Of(seat) = game.turn(state) else { panic!("the game is over") };
    let mut agent = game.agent(&spec(agent)).unwrap_or_else(|error| panic!("{error}"));
    agent.begin(game, seat);
    let action =
        agent.choose(&game.observe(state, seat), &mut Dice::from_seed(1)).expect("it does not resign");
    game.write_action(state, action)
}

/// The share of games that the first agent wins against others of the second, every deal once from each
/// seat; a shared win counts as a fraction.
pub fn win_share<G: RosterGame>(game: &G, agent: &str, others: &str, deals: u64) -> f64 {
    let (agent, others) = (spec(agent), spec(others));
    let mut won = 0.0;
    for deal in 0..deals {
        for own in Seat::all(game.seats()) {
            let mut table: Vec<_> = Seat::all(game.seats())
                .map(|seat| {
                    game.agent(if seat == own { &agent } else { &others }).expect("it plays this game")
                })
                .collect();
            let (mut chance, mut dice) =
                (Dice::from_parts(&[deal, 4]), Dice::from_parts(&[deal, 5, own.index() as u64]));
            let mut state = game.deal(&mut chance);
            for seat in Seat::all(game.seats()) {
                table[seat].begin(game, seat);
            }
            while let Turn::Of(seat) = game.turn(&state) {
                let action =
                    table[seat].choose(&game.observe(&state, seat), &mut dice).expect("it does not resign");
                game.play(&mut state, action, &mut chance).expect("it is legal");
            }
            let scores = game.scores(&state);
            if scores.ranks[own.index()] == 0 {
                won += 1.0 / scores.winners().count() as f64;
            }
        }
    }
    won / (deals * game.seats() as u64) as f64
}
