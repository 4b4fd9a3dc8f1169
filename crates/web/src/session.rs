//! The session: one game, and the commands to it.

use serde_json::{Value as Json, json};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_engine::{Replay, replay_game};

use crate::command::{Command, NewGame};
use crate::host::{Host, SessionGame, menu_entry};
use crate::table::{Table, Tabled, seated};

/// One game, and everything that a page can ask about it.
///
/// ```
/// use ttr_web::{BuiltIn, Session};
/// let mut session = Session::new(BuiltIn);
/// assert_eq!(session.answer(r#"{"do": "look"}"#), r#"{"error":"no game has been started"}"#);
/// ```
pub struct Session<H> {
    host: H,
    table: Option<Box<dyn Tabled>>,
}

impl<H: Host> Session<H> {
    /// Creates a session without a game.
    pub fn new(host: H) -> Self {
        Self { host, table: None }
    }

    /// Runs a command in JSON. The answer is an object with either `ok` or `error`.
    pub fn answer(&mut self, command: &str) -> String {
        let command =
            serde_json::from_str(command).map_err(|why| format!("this is not a valid command: {why}"));
        match command.and_then(|command| self.run(command)) {
            Ok(answer) => json!({ "ok": answer }).to_string(),
            Err(why) => json!({ "error": why }).to_string(),
        }
    }

    /// Runs a command.
    ///
    /// # Errors
    /// If it can't be run; the session is unchanged.
    pub fn run(&mut self, command: Command) -> Result<Json, String> {
        let table = match command {
            Command::Menu => return Ok(self.menu()),
            Command::New(order) => {
                let table = self.table.insert(start(&self.host, &order)?);
                return Ok(table.describe());
            }
            Command::Load { record } => {
                let table = self.table.insert(load(&self.host, &record)?);
                return Ok(table.describe());
            }
            _ => self.table.as_mut().ok_or("no game has been started")?,
        };
        match command {
            Command::Menu | Command::New(_) | Command::Load { .. } | Command::Describe => {
                Ok(table.describe())
            }
            Command::Branch { at, against, seat } => {
                *table = table.branch(&self.host, at, &against, seat)?;
                Ok(table.describe())
            }
            Command::Look(look) => table.look(&look),
            Command::Play { action, look } => {
                table.play(action)?;
                table.look(&look)
            }
            Command::Advance { look } => {
                table.advance()?;
                table.look(&look)
            }
            Command::Undo { look } => {
                table.undo()?;
                table.look(&look)
            }
            Command::Think { agent, at } => table.think(&self.host, &agent, at),
            Command::Odds { agent, at, games } => table.odds(&self.host, &agent, at, games),
            Command::Save => table.save(),
        }
    }

    fn menu(&self) -> Json {
        let map = |id: String| {
            let spec = self.host.map(&id).ok()?;
            let seats = spec.seats();
            let (name, depots) = match &spec {
                AnySpec::Board(map) => (&map.name, self.host.map(&format!("{id}+depots")).is_ok()),
                AnySpec::CardGame(game) => (&game.name, false),
            };
            let cards = matches!(spec, AnySpec::CardGame(_));
            Some(
                json!({ "id": id, "name": name, "seats": [seats.min, seats.max], "cards": cards, "depots": depots }),
            )
        };
        json!({
            "maps": self.host.maps().into_iter().filter_map(map).collect::<Vec<_>>(),
            "agents": self.host.agents().entries().map(menu_entry).collect::<Vec<_>>(),
            "playing": self.table.is_some(),
        })
    }
}

/// Deals a new game.
fn start(host: &dyn Host, order: &NewGame) -> Result<Box<dyn Tabled>, String> {
    match find(host, &order.map, order.seats)? {
        AnyGame::Board(game) => deal(host, game, order),
        AnyGame::Cards(game) => deal(host, game, order),
    }
}

/// Opens a recorded game.
fn load(host: &dyn Host, record: &[u8]) -> Result<Box<dyn Tabled>, String> {
    let (map, seats) = replay_game(record).map_err(|why| why.to_string())?;
    match find(host, &map, seats)? {
        AnyGame::Board(game) => recorded(game, record),
        AnyGame::Cards(game) => recorded(game, record),
    }
}

/// A game of either kind.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum AnyGame {
    Board(BoardGame),
    Cards(CardGame),
}

fn find(host: &dyn Host, map: &str, seats: usize) -> Result<AnyGame, String> {
    let spec = host.map(map)?;
    spec.check_seats(seats).map_err(|why| why.to_string())?;
    let game = match &spec {
        AnySpec::Board(map) => BoardGame::new(map, seats).map(AnyGame::Board),
        AnySpec::CardGame(spec) => CardGame::new(spec, seats).map(AnyGame::Cards),
    };
    game.map_err(|why| why.to_string())
}

fn deal<G: SessionGame>(host: &dyn Host, game: G, order: &NewGame) -> Result<Box<dyn Tabled>, String> {
    let seed = match &order.seed {
        Some(seed) => seed.trim().parse().map_err(|_| {
            format!("expected a seed from 0 to {}, found \"{}\"", u64::MAX, seed.escape_debug())
        })?,
        None => host.fresh_seed().ok_or("a seed is missing")?,
    };
    let players = seated(host, &game, &order.against, order.seat)?;
    Ok(Box::new(Table::new(game, seed, players)))
}

fn recorded<G: SessionGame>(game: G, record: &[u8]) -> Result<Box<dyn Tabled>, String> {
    let replay = Replay::read(&game, record).map_err(|why| why.to_string())?;
    Ok(Box::new(Table::of_replay(game, &replay).map_err(|why| why.to_string())?))
}
