//! Recorded games as CSV, one row per decision.
//!
//! ```sh
//! cargo run --release -- arena --map usa --agents planner,greedy --games 100 --save-replays 100 --out games
//! cargo run --release --example replays_to_csv games/replays/*.ttr > decisions.csv
//! ```

use std::error::Error;
use std::io::{self, Write};

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::{Notation, Replay, Turn, replay_header};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "file,map,seed,decision,seat,action")?;
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file)?;
        let header = replay_header(&bytes)?;
        match maps::find_any(&header.map)? {
            AnySpec::Board(map) => {
                write_game(&mut out, &file, &BoardGame::new(&map, header.seats.into())?, &bytes)?;
            }
            AnySpec::CardGame(spec) => {
                write_game(&mut out, &file, &CardGame::new(&spec, header.seats.into())?, &bytes)?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Plays a game again, which checks every action and the points at the end, and writes its decisions.
fn write_game<G: Notation>(
    out: &mut impl Write,
    file: &str,
    game: &G,
    bytes: &[u8],
) -> Result<(), Box<dyn Error>> {
    let replay = Replay::<G::Action>::from_bytes(bytes)?;
    let mut rows = Vec::new();
    replay.walk(game, |state, action| {
        if let (Turn::Of(seat), Some(action)) = (game.turn(state), action) {
            rows.push((seat.index() + 1, game.write_action(state, action)));
        }
    })?;
    for (index, (seat, action)) in rows.iter().enumerate() {
        let (map, seed) = (&replay.header.map, replay.header.seed);
        writeln!(out, "\"{file}\",{map},{seed},{},{seat},\"{action}\"", index + 1)?;
    }
    Ok(())
}
