//! Bytes choose the map, the seats, the seed and every action; all invariants hold after every decision.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_engine::Dice;
use ttr_fuzz::{GAMES, Input, TOO_LONG, walk};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let game = input.pick(&GAMES);
    let seed = u64::from(input.byte()) << 8 | u64::from(input.byte());
    // When the bytes are used up the game goes on at random, so that every input is a whole game.
    let mut rest = Dice::from_parts(&[seed, 1]);
    let ended = walk(game, seed, TOO_LONG, |count| {
        if input.is_empty() { rest.below(count as u32) as usize } else { input.below(count) }
    });
    assert!(ended, "the game does not end (I-44)");
});
