//! Guarantees of the planner: legal actions on every board, every kind of them, no look at hidden cards,
//! and strength.

use std::collections::BTreeMap;

use ttr_agents::{Agent, AgentSpec, LightPlanner, Planner, Range, Roster, RosterGame, Weights};
use ttr_engine::board::{Action, BoardGame, State};
use ttr_engine::{Dice, Game, Seat, Turn, View, maps};

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
        agent.begin(game, Seat::new(seat));
    }
    while let Turn::Of(seat) = game.turn(&state) {
        let action = agents[seat].choose(&game.observe(&state, seat), &mut dice).unwrap();
        if let Err(why) = game.check(&state, action) {
            panic!("{} at {} seats, seed {seed}: {action:?}: {why}", game.spec().id, game.seats());
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

/// The kinds of action that a board offers to a sensible player.
fn offered_kinds(game: &BoardGame) -> Vec<&'static str> {
    let rules = &game.spec().rules;
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

/// Weights follow from the rules, not from the name of a file.
#[test]
fn a_copy_of_a_map_has_the_same_weights() {
    for map in boards() {
        for seats in seats(&map) {
            let original = game(&map, seats);
            let mut copy = original.spec().clone();
            copy.id = "my-map".to_owned();
            let copy = BoardGame::new(&copy, seats).unwrap();
            assert_eq!(Weights::for_game(&copy), Weights::for_game(&original), "{map} at {seats} seats");
        }
    }
}

/// Parameters that are not set have the weights of the game, and those that are set do not.
#[test]
fn settings_replace_weights() {
    let game = game("usa", 4);
    let spec = Roster::built_in().resolved(&game, &AgentSpec::parse("planner:hurry=4").unwrap());
    let weights = Weights { hurry: 4.0, ..Weights::for_game(&game) };
    let number = |key| spec.given(key).unwrap().parse::<f64>().unwrap();
    assert_eq!(number("hurry"), weights.hurry);
    assert_eq!(number("claim"), weights.claim);
    let mut agents = [game.agent(&spec).unwrap(), Box::new(Planner::with_weights(&game, weights))];
    let mut chance = Dice::from_seed(7);
    let mut state = game.deal(&mut chance);
    while let Turn::Of(seat) = game.turn(&state) {
        let view = game.observe(&state, seat);
        let [one, two] = agents.each_mut().map(|agent| {
            agent.begin(&game, seat);
            agent.choose(&view, &mut Dice::from_seed(1)).unwrap()
        });
        assert_eq!(one, two);
        game.play_unchecked(&mut state, one, &mut chance);
    }
}

#[test]
fn any_weights_play_legally() {
    let mut dice = Dice::from_seed(5);
    for map in ["usa", "europe+depots", "nordic", "first-journey-europe"] {
        let game = game(map, 3);
        for seed in 0..30 {
            let mut spec = AgentSpec::new("planner");
            for param in Roster::built_in().entry("planner").unwrap().params() {
                let Range::Real(least, most) = param.range else { panic!("{} is no number", param.name) };
                let share = f64::from(dice.below(1001)) / 1000.0;
                spec = spec.with(param.name, least + share * (most - least));
            }
            let mut agents: Vec<_> = (0..3).map(|_| game.agent(&spec).unwrap()).collect();
            play(&game, seed, &mut agents, |_, _| {});
        }
    }
}

/// Makes the same decision in two worlds that look the same to a seat.
#[test]
fn hidden_cards_do_not_matter() {
    let mut dice = Dice::from_seed(11);
    for map in ["usa", "europe+depots", "nordic", "first-journey-usa", "europe-mega"] {
        for seats in [2, 3] {
            let game = game(map, seats);
            let mut planners = vec![Planner::new(&game); seats];
            let mut lights = vec![LightPlanner::new(&game); seats];
            for seed in 0..8 {
                let mut chance = Dice::from_parts(&[seed, 3]);
                let mut state = game.deal(&mut chance);
                for seat in Seat::all(seats) {
                    planners[seat].begin(&game, seat);
                    lights[seat].begin(&game, seat);
                }
                while let Turn::Of(seat) = game.turn(&state) {
                    let here = game.observe(&state, seat);
                    let elsewhere = game.determinize(&here, &mut dice);
                    let there = game.observe(&elsewhere, seat);
                    let mut twin = planners[seat].clone();
                    let action = planners[seat].choose(&here, &mut dice).unwrap();
                    assert_eq!(action, twin.choose(&there, &mut dice).unwrap(), "{map} seed {seed}");
                    let mut twin = lights[seat].clone();
                    let light = lights[seat].choose(&here, &mut dice).unwrap();
                    assert_eq!(light, twin.choose(&there, &mut dice).unwrap(), "{map} seed {seed}");
                    game.play_unchecked(&mut state, action, &mut chance);
                }
            }
        }
    }
}

/// A new game contains no trace of the one before.
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

/// Its explanation is its plan: for a choice among tickets the chosen one first, otherwise open routes,
/// cards and turns.
#[test]
fn it_explains_itself() {
    let (mut choices, mut planned, mut wanted) = (0, 0, 0);
    for map in ["europe", "nordic", "usa+depots", "first-journey-usa"] {
        let game = game(map, 2);
        let mut agents = planners(&game);
        let (mut chance, mut dice) = (Dice::from_parts(&[7, 0]), Dice::from_parts(&[7, 1]));
        let mut state = game.deal(&mut chance);
        while let Turn::Of(seat) = game.turn(&state) {
            let view = game.observe(&state, seat);
            let agent = &mut agents[seat.index()];
            let action = agent.choose(&view, &mut dice).unwrap();
            let notes = agent.explain(&view).notes;
            let note = |about: &str| notes.iter().find(|note| note.about == about).map(|note| &note.text);
            if matches!(action, Action::Keep(_)) {
                assert_eq!(notes.len(), view.count_actions());
                assert_eq!(notes[0].about, view.write_action(action), "{map}: the best first");
                assert!(notes[0].text.starts_with("plan worth "), "{notes:?}");
                choices += 1;
            } else {
                assert!(note("turns").is_some_and(|text| text.starts_with("about ")), "{notes:?}");
                let routes = note("routes for tickets").unwrap();
                for name in
                    routes.split(": ").next().unwrap().split(", ").filter_map(|item| item.strip_suffix(')'))
                {
                    let (name, length) = name.rsplit_once(" (").unwrap();
                    let route = game.parse_route(name).unwrap();
                    assert_eq!(game.route(route).length.to_string(), length);
                    assert!(view.open_routes(seat).contains(route), "{map}: {name} can still be claimed");
                    planned += 1;
                }
                wanted += usize::from(note("cards wanted").is_some());
            }
            game.play(&mut state, action, &mut chance).unwrap();
        }
    }
    assert!(choices > 5 && planned > 200 && wanted > 100, "{choices} {planned} {wanted}");
}
