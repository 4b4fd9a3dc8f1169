//! Positions and dice as bytes: whoever reads them goes on with the same game.

use serde::Serialize;
use serde::de::DeserializeOwned;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, Game, Turn, codec, maps};

fn check<G: Game<State: Serialize + DeserializeOwned>>(game: &G, name: &str) {
    for seed in 0..3 {
        let (mut chance, mut choices) = (Dice::from_seed(seed), Dice::from_parts(&[seed, 1]));
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            let bytes = codec::encode(&(&state, &chance));
            let (read, mut dice): (G::State, Dice) = codec::decode(&bytes).unwrap();
            assert_eq!((&read, &dice), (&state, &chance), "{name}");
            assert!(codec::decode::<(G::State, Dice)>(&bytes[..bytes.len() - 1]).is_err());
            let action = game.random_action(&state, &mut choices);
            let mut again = read;
            game.play(&mut again, action, &mut dice).unwrap();
            game.play(&mut state, action, &mut chance).unwrap();
            assert_eq!((&again, &dice), (&state, &chance), "{name}");
        }
    }
}

#[test]
fn positions_and_dice_come_back_from_bytes() {
    for id in maps::ids() {
        let map = maps::load(id).unwrap();
        for seats in map.seats.min..=map.seats.max {
            check(&BoardGame::new(&map, seats.into()).unwrap(), id);
        }
        if let Ok(map) = maps::with_depots(map) {
            check(&BoardGame::new(&map, 3).unwrap(), &map.id);
        }
    }
    for seats in 2..=4 {
        check(&CardGame::new(&maps::card_game(), seats).unwrap(), "card-game");
    }
}

/// Dice without a state would roll the same number forever.
#[test]
fn no_bytes_make_dice_that_are_stuck() {
    let mut dice: Dice = codec::decode(&codec::encode(&0u128)).unwrap();
    let rolls: Vec<u64> = (0..4).map(|_| dice.next_u64()).collect();
    assert!(rolls.iter().any(|roll| *roll != rolls[0]), "{rolls:?}");
}
