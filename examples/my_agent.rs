//! An agent is a function from what a seat sees to an action. This one wins 60.3 ±2.1 % of its games
//! against `hungry` on USA.
//!
//! ```sh
//! cargo run --release --example my_agent
//! ```
//!
//! `my_ttr.rs` makes an agent known to all commands of `ttr`.

use ttr_agents::{AgentSpec, Roads};
use ttr_engine::board::{Action, BoardGame, Observation};
use ttr_engine::{Dice, View, maps};
use ttr_sim::arena::Arena;
use ttr_sim::table::{Drive, Entrant};

/// Claims routes on the shortest paths of its tickets, the longest first, and collects cards for them.
fn ticket_routes(view: &Observation<'_>, _: &mut Dice) -> Action {
    let (game, needed) = (view.game(), Roads::new(view.game()).needed(view));
    let wanted = if needed.is_empty() { view.open_routes(view.seat()) } else { needed };
    let spaces = |route| i32::from(game.route(route).length);
    let of = |kind| wanted.into_iter().filter(move |&route| game.route(route).colour == Some(kind));
    let value = |action: &Action| match *action {
        Action::Claim { route, payment } if wanted.contains(route) => {
            20 * spaces(route) - i32::from(payment.locomotives)
        }
        Action::TakeFaceUp(kind) => of(kind).map(spaces).sum(),
        Action::TakeBlind => 1,
        Action::Keep(tickets) => -(tickets.count_ones() as i32),
        _ => -10,
    };
    view.actions().into_iter().max_by_key(value).expect("the seat to move has an action")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deals = std::env::args().nth(1).map_or(Ok(1000), |deals| deals.parse())?;
    let game = BoardGame::new(&maps::load("usa")?, 2)?;
    let entrants = vec![
        Entrant::new("ticket-routes", |_: &BoardGame| ticket_routes),
        Entrant::from_spec(&game, &AgentSpec::parse("hungry")?)?,
    ];
    println!("{}", Arena::round_robin(game, entrants, 1).play_deals(0..deals, &Drive::threads(2))?);
    Ok(())
}
