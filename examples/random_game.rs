//! One random game: every decision, and the points at the end.
//!
//! ```sh
//! cargo run --release --example random_game            # Europe with three seats
//! cargo run --release --example random_game nordic 2   # another map
//! ```

use ttr_engine::board::BoardGame;
use ttr_engine::{Dice, Game, Turn, View, maps};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let map = maps::load(&args.next().unwrap_or_else(|| "europe".to_owned()))?;
    let game = BoardGame::new(&map, args.next().map_or(Ok(3), |seats| seats.parse())?)?;

    // All chance comes from dice: the same seed gives the same game.
    let mut dice = Dice::from_seed(1);
    let mut state = game.deal(&mut dice);
    while let Turn::Of(seat) = game.turn(&state) {
        // A seat decides from what it can see.
        let view = game.observe(&state, seat);
        let action = view.random_action(&mut dice);
        println!("{seat}: {}", view.write_action(action));
        game.play(&mut state, action, &mut dice)?;
    }
    let scores = game.scores(&state);
    println!("points: {:?}", scores.points);
    println!("winner: {}", scores.winners().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" and "));
    Ok(())
}
