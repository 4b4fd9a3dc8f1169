//! Any bytes as a map file, edited shipped maps and made-up boards: refused with reasons, or a playable
//! game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_engine::maps;
use ttr_engine::spec::MapSource;
use ttr_fuzz::{Input, boards, check_map};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    // A text never starts with a control character: these ask for a file made from the rest.
    let bytes = match bytes.first() {
        Some(1) => boards::edited(&mut after_first(&mut input)).into_bytes(),
        Some(2) => boards::variant(&mut after_first(&mut input)).into_bytes(),
        Some(3) => boards::board(&mut after_first(&mut input)).into_bytes(),
        _ => bytes.to_vec(),
    };
    let loaded = MapSource::from_bytes("fuzz", "fuzz.toml", bytes)
        .and_then(|source| maps::parse("fuzz.toml", &source.text));
    match loaded {
        Ok(map) => check_map(&map, map.hash() % 16),
        Err(error) => {
            assert!(!error.problems.is_empty(), "refused without a reason");
            assert!(
                error.problems.iter().all(|problem| !problem.message.is_empty() && !problem.hint.is_empty())
            );
            let _ = error.to_string();
        }
    }
});

fn after_first<'a>(input: &mut Input<'a>) -> Input<'a> {
    input.byte();
    input.clone()
}
