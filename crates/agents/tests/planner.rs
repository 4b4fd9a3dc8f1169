//! What the planner promises: legal actions on every board, every kind of them, no look at hidden cards, and strength.

use std::collections::BTreeMap;

use ttr_agents::{Agent, AgentSpec, LightPlanner, Planner, Range, Roster, info};
use ttr_engine::board::{Action, BoardGame, State};
use ttr_engine::{Dice, Game, Seat, Turn, maps};

/// Every shipped board, without and with depots.
fn boards() -> Vec<String> {
    let plain = maps::ids().iter().map(|id| id.to_string());
    let depots = maps::ids().iter().map(|id| format!("{id}+depots")).filter(|id| maps::find(id).is_ok());
    plain.chain(depots).collect()
}

fn game(map: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::find(map).unwrap(), seats).unwrap()
}

fn seats(map: &str) -> std::ops::RangeInclusive<usize> {
    let range = maps::find(map).unwrap().seats;
    range.min.into()..=range.max.into()
}

/// Plays a game and shows every decision before it is played.
fn play(
    game: &BoardGame,
    seed: u64,
    agents: &mut [Box<dyn Agent<BoardGame>>],
    mut watch: impl FnMut(&State, Action),
) -> State {
    let (mut chance, mut dice) = (Dice::from_parts(&[seed, 0]), Dice::from_parts(&[seed, 1]));
    let mut state = game.deal(&mut chance);
    for (seat, agent) in agents.iter_mut().enumerate() {
        agent.begin(game, Seat(seat as u8));
    }
    while let Turn::Of(seat) = game.turn(&state) {
        let action = agents[seat.index()].choose(&game.observe(&state, seat), &mut dice).unwrap();
        if let Err(why) = game.check(&state, action) {
            panic!("{} at {} seats, seed {seed}: {action:?}: {why}", game.map().id, game.seats());
        }
        watch(&state, action);
        game.play_unchecked(&mut state, action, &mut chance);
    }
    state
}

fn planners(game: &BoardGame) -> Vec<Box<dyn Agent<BoardGame>>> {
    let spec = AgentSpec::parse("planner").unwrap();
    (0..game.seats()).map(|_| game.agent(&spec).unwrap()).collect()
}

fn kind(action: Action) -> &'static str {
    match action {
        Action::Keep(_) => "keep",
        Action::TakeBlind => "take blind",
        Action::TakeFaceUp(_) => "take face up",
        Action::Claim { .. } => "claim",
        Action::AddToSets { .. } => "sets",
        Action::PayTunnel { .. } => "pay",
        Action::DeclineTunnel => "decline",
        Action::BuildStation { .. } => "station",
        Action::DrawTickets => "tickets",
        Action::SwapTickets => "swap",
        Action::Pass => "pass",
        Action::Store(_) => "store",
        Action::Collect(_) => "collect",
        Action::PlaceDepot(_) => "depot",
        Action::Done => "done",
    }
}

/// The kinds of action that a board offers to somebody who plays sensibly.
fn offered_kinds(game: &BoardGame) -> Vec<&'static str> {
    let rules = &game.map().rules;
    let mut kinds = vec!["take blind", "claim"];
    let mut when = |offered: bool, names: &[&'static str]| {
        if offered {
            kinds.extend(names);
        }
    };
    when(rules.draw.market > 0, &["take face up"]);
    when(rules.journey.is_none(), &["keep", "tickets"]);
    when(rules.journey.is_some(), &["swap"]);
    when(rules.tunnels.is_some(), &["pay", "decline"]);
    when(rules.ferry_sets.is_some(), &["sets"]);
    when(rules.stations.is_some(), &["station"]);
    when(rules.depots.is_some(), &["store", "collect", "depot", "done"]);
    kinds
}

#[test]
fn plays_every_board_legally_and_with_every_kind_of_action() {
    for map in boards() {
        let mut kinds = BTreeMap::<_, u32>::new();
        for seats in seats(&map) {
            let game = game(&map, seats);
            let mut agents = planners(&game);
            for seed in 0..60 {
                play(&game, seed, &mut agents, |_, action| *kinds.entry(kind(action)).or_default() += 1);
            }
        }
        for offered in offered_kinds(&game(&map, *seats(&map).start())) {
            assert!(kinds.contains_key(offered), "never a {offered} on {map}: {kinds:?}");
        }
    }
}

#[test]
fn the_light_planner_plays_every_board_legally() {
    for map in boards() {
        for seats in seats(&map) {
            let game = game(&map, seats);
            let light = LightPlanner::new(&game);
            let mut agents: Vec<Box<dyn Agent<BoardGame>>> =
                (0..seats).map(|_| Box::new(light.clone()) as _).collect();
            for seed in 0..40 {
                play(&game, seed, &mut agents, |_, _| {});
            }
        }
    }
}

#[test]
fn any_weights_play_legally() {
    let mut dice = Dice::from_seed(5);
    for map in ["usa", "europe+depots", "nordic", "first-journey-europe"] {
        let game = game(map, 3);
        for seed in 0..30 {
            let mut spec = AgentSpec::new("planner");
            for param in info("planner").unwrap().params {
                let Range::Real(least, most) = param.range else { panic!("{} is no number", param.name) };
                let share = f64::from(dice.below(1001)) / 1000.0;
                spec = spec.with(param.name, least + share * (most - least));
            }
            let mut agents: Vec<_> = (0..3).map(|_| game.agent(&spec).unwrap()).collect();
            play(&game, seed, &mut agents, |_, _| {});
        }
    }
}

/// In two worlds that look the same to a seat it decides the same.
#[test]
fn hidden_cards_do_not_matter() {
    let mut dice = Dice::from_seed(11);
    for map in ["usa", "europe+depots", "nordic", "first-journey-usa", "europe-mega"] {
        for seats in [2, 3] {
            let game = game(map, seats);
            let mut planners = vec![Planner::new(&game, &AgentSpec::new("planner")); seats];
            let mut lights = vec![LightPlanner::new(&game); seats];
            for seed in 0..8 {
                let mut chance = Dice::from_parts(&[seed, 3]);
                let mut state = game.deal(&mut chance);
                for seat in Seat::all(seats) {
                    planners[seat.index()].begin(&game, seat);
                    lights[seat.index()].begin(&game, seat);
                }
                while let Turn::Of(seat) = game.turn(&state) {
                    let here = game.observe(&state, seat);
                    let elsewhere = game.determinize(&here, &mut dice);
                    let there = game.observe(&elsewhere, seat);
                    let mut twin = planners[seat.index()].clone();
                    let action = planners[seat.index()].choose(&here, &mut dice).unwrap();
                    assert_eq!(action, twin.choose(&there, &mut dice).unwrap(), "{map} seed {seed}");
                    let mut twin = lights[seat.index()].clone();
                    let light = lights[seat.index()].choose(&here, &mut dice).unwrap();
                    assert_eq!(light, twin.choose(&there, &mut dice).unwrap(), "{map} seed {seed}");
                    game.play_unchecked(&mut state, action, &mut chance);
                }
            }
        }
    }
}

/// A new game finds no trace of the one before.
#[test]
fn forgets_between_games() {
    for map in ["usa", "europe"] {
        let game = game(map, 2);
        let mut used = planners(&game);
        for seed in 0..5 {
            let mut fresh = planners(&game);
            let mut actions = [Vec::new(), Vec::new()];
            play(&game, seed, &mut used, |_, action| actions[0].push(action));
            play(&game, seed, &mut fresh, |_, action| actions[1].push(action));
            assert_eq!(actions[0], actions[1], "{map} seed {seed}");
        }
    }
}

#[test]
fn beats_random() {
    for map in ["usa", "europe", "nordic", "first-journey-usa", "europe+depots"] {
        let game = game(map, 2);
        let mut won = 0;
        let games = 200;
        for seed in 0..games {
            let mut agents = planners(&game);
            let random = seed as usize % 2;
            agents[random] = game.agent(&AgentSpec::new("random")).unwrap();
            let end = play(&game, seed, &mut agents, |_, _| {});
            won += u64::from(game.scores(&end).ranks[random] > 0);
        }
        assert!(won * 100 >= games * 99, "{map}: {won} of {games}");
    }
}
