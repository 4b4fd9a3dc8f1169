//! All games that can be shown.

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::spec::Assignment;
use ttr_engine::{Dice, Game, Step, Turn, maps};

/// Every shipped map with its fewest and its most seats, some of them with depots.
pub(crate) fn boards() -> Vec<BoardGame> {
    let ids = maps::ids().iter().copied().chain(["europe+depots", "nordic+depots", "usa+depots"]);
    let maps = ids.map(|id| maps::find(id).expect("shipped maps load"));
    maps.flat_map(|map| {
        [map.seats.min, map.seats.max]
            .map(|seats| BoardGame::new(&map, seats.into()).expect("seats in range"))
    })
    .collect()
}

/// The Card Game, with tickets completed for the seats and by them.
pub(crate) fn card_games() -> Vec<CardGame> {
    let mut by_choice = maps::card_game();
    by_choice.rules.assignment = Assignment::PlayerChoice;
    [maps::card_game(), by_choice]
        .iter()
        .flat_map(|spec| (2..=4).map(|seats| CardGame::new(spec, seats).expect("seats in range")))
        .collect()
}

/// Plays a random game and shows every step.
pub(crate) fn each_step<G: Game>(game: &G, seed: u64, show: impl FnMut(&Step<G>)) {
    each_chosen_step(game, seed, |state, dice| game.random_action(state, dice), show);
}

/// Plays a game in which `choose` decides, and shows every step.
pub(crate) fn each_chosen_step<G: Game>(
    game: &G,
    seed: u64,
    mut choose: impl FnMut(&G::State, &mut Dice) -> G::Action,
    mut show: impl FnMut(&Step<G>),
) {
    let (mut chance, mut choices) = (Dice::from_parts(&[seed, 0]), Dice::from_parts(&[seed, 1]));
    let mut state = game.deal(&mut chance);
    while game.turn(&state) != Turn::Over {
        let action = choose(&state, &mut choices);
        show(&Step::play(game, &mut state, action, &mut chance));
    }
}
