//! Any bytes as a record, and damaged records whose frame and checksum are valid: refused or valid, never a
//! panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_engine::board::{Action, BoardGame};
use ttr_engine::{Game, Replay, replay_header};
use ttr_fuzz::{GAMES, Input, damage};

fuzz_target!(|bytes: &[u8]| {
    // Records start with a letter: any other first byte asks for a real one, damaged.
    if bytes.first().is_none_or(|&first| first >= 32) {
        check(bytes, &GAMES[0]);
        check(&framed(bytes), &GAMES[0]);
        return;
    }
    let mut input = Input::new(bytes);
    let mode = input.byte();
    let game = input.pick(&GAMES);
    let seed = u64::from(input.byte());
    let record =
        Replay::play(game, seed, ["random"], |game, state, dice| game.random_action(state, dice)).unwrap();
    let mut record = record.to_bytes();
    match mode % 4 {
        0 => {
            let whole = record.clone();
            damage(&mut record, &mut input);
            let loaded = Replay::<Action>::from_bytes(&record);
            assert!(record == whole || loaded.is_err(), "a damaged record was read");
        }
        1 => {
            // The header and the first actions are where most of the meaning is.
            let mut content = record[18..record.len() - 8].to_vec();
            let tail = content.split_off(content.len().min(64));
            damage(&mut content, &mut input);
            content.extend(tail);
            check(&framed(&content), game);
        }
        _ => {
            let mut content = record[18..record.len() - 8].to_vec();
            damage(&mut content, &mut input);
            check(&framed(&content), game);
        }
    }
});

/// Content in a valid frame.
fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = b"ttr-game\x01\x00".to_vec();
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let sum = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn check(bytes: &[u8], game: &BoardGame) {
    let header = replay_header(bytes);
    let Ok(replay) = Replay::<Action>::from_bytes(bytes) else { return };
    assert_eq!(header.as_ref(), Ok(&replay.header));
    assert_eq!(Replay::from_bytes(&replay.to_bytes()).as_ref(), Ok(&replay));
    let known = GAMES.iter().find(|game| {
        game.rules_hash() == replay.header.rules_hash && game.seats() == usize::from(replay.header.seats)
    });
    let game = known.unwrap_or(game);
    let verified = replay.verify(game);
    let text = replay.to_text(game);
    if verified.is_ok()
        && let Ok(text) = text
    {
        assert_eq!(Replay::from_text(game, &text).as_ref(), Ok(&replay));
    }
}
