//! The rules of the Card Game, one by one (rules.md section 5), with scripted chance that must end
//! exhausted.

#[path = "card_game/bottom.rs"]
mod bottom;
#[path = "card_game/completion.rs"]
mod completion;
#[path = "card_game/data.rs"]
mod data;
#[path = "card_game/hidden.rs"]
mod hidden;
#[path = "card_game/rounds.rs"]
mod rounds;
#[path = "card_game/turns.rs"]
mod turns;
#[path = "support/under_the_deck.rs"]
mod under_the_deck;

use ttr_engine::card_game::CardGame;
use ttr_engine::maps;
use ttr_engine::spec::CardGameRules;

/// The shipped game.
fn game(seats: usize) -> CardGame {
    game_with(seats, |_| {})
}

/// The game with changed rules.
fn game_with(seats: usize, change: impl FnOnce(&mut CardGameRules)) -> CardGame {
    let mut spec = maps::card_game();
    change(&mut spec.rules);
    CardGame::new(&spec, seats).unwrap()
}
