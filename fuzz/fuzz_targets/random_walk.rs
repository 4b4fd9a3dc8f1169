//! Bytes choose the map, the seats, the seed and every action; all invariants hold after every decision.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_engine::Dice;
use ttr_fuzz::{CARD_GAMES, GAMES, Input, TOO_LONG, walk};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    // One input in eight plays the Card Game.
    let card_game = input.byte().is_multiple_of(8);
    let (board, cards) = (input.byte(), input.byte());
    let seed = u64::from(input.byte()) << 8 | u64::from(input.byte());
    // When the bytes are used up the game continues at random, so that every input is a whole game.
    let mut rest = Dice::from_parts(&[seed, 1]);
    let choose = |count| {
        if input.is_empty() { rest.below(count as u32) as usize } else { input.below(count) }
    };
    let ended = if card_game {
        walk(&CARD_GAMES[usize::from(cards) % CARD_GAMES.len()], seed, TOO_LONG, choose)
    } else {
        walk(&GAMES[usize::from(board) % GAMES.len()], seed, TOO_LONG, choose)
    };
    assert!(ended, "the game does not end (I-44)");
});
