//! `ttr play`: a page on which people play and watch games.

use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use ttr_agents::{AgentSpec, Roster};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec, WITH_DEPOTS};
use ttr_engine::replay_game;
use ttr_sim::exec::{ExecOptions, fresh_secret};
use ttr_sim::game::Playable;
use ttr_sim::table::{Entrant, agent_text};
use ttr_web::{BuiltIn, Command, Host, Player, Session};

use super::replay::{find_map, read_record};
use crate::args::{self, GameArgs};
use crate::server::Server;
use crate::{BadInput, print, terminal};

/// Opens a page in the browser on which you play against agents.
///
/// The page is served on this machine only, from inside the program: it needs no network, and writes
/// nothing. It can start further games on any shipped map against any agent of `ttr agents`; your own maps
/// and processes (exec:COMMAND) have to be named here. Press Ctrl-C to end the server.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr play                                            Europe against planner
  ttr play --map nordic --seats 3 --against planner,ismcts:iters=1000
  ttr play --map europe --with depots --seat 2        the other seats play first
  ttr play --map card-game --seats 4
  ttr play --map my-map.toml --against 'exec:python3 my_bot.py'
  ttr play --watch --seats 4 --against planner        all cards open
  ttr play --record game.ttr                          a recorded game")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Opponents in turn order after you; the last one takes all further seats [default: planner, or yard
    /// in the Card Game]
    #[arg(long, value_name = "AGENTS")]
    against: Option<String>,
    /// Seed of the deal [default: random]
    #[arg(long, value_name = "SEED", value_parser = args::seed, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Your seat, counted from 1
    #[arg(long, value_name = "SEAT", default_value = "1", value_parser = seat, conflicts_with = "watch")]
    seat: u8,
    /// Open a recorded game instead: all its positions, with all cards open.
    ///
    /// Its map has to be a shipped one, or that of --map.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["with", "seats", "against", "seed", "seat", "watch"])]
    record: Option<PathBuf>,
    /// Watch agents play in all seats
    #[arg(long)]
    watch: bool,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Port of the page [default: any free one]
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    port: u16,
}

fn seat(text: &str) -> Result<u8, String> {
    let seat = text.parse().ok().filter(|&seat: &u8| seat > 0);
    seat.ok_or_else(|| "expected the number of a seat, counted from 1".to_owned())
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let session = match &args.record {
        Some(record) => recorded(args, record, roster)?,
        None => dealt(args, roster)?,
    };
    let server = Server::new(args.port, session)
        .map_err(|why| BadInput(format!("port {}: {why}; choose another one with --port", args.port)))?;
    let url = server.url();
    print(&format!("{url}\n"))?;
    let opens = !args.no_open && open(&url);
    let what = if opens { "Your browser opens this address" } else { "Open this address in a browser" };
    terminal::print_line(&format!("{what}, on this machine only. Press Ctrl-C to end."));
    server.run()
}

/// A session with a new game.
fn dealt(args: &Args, roster: &Roster) -> anyhow::Result<Session<Local>> {
    let spec = args.game.find()?;
    let seats = args.game.seats.unwrap_or_else(|| args::fewest_seats(&spec));
    if usize::from(args.seat) > seats {
        return Err(BadInput(format!("--seat {}: seats are counted from 1 to {seats}", args.seat)).into());
    }
    let usual = if matches!(spec, AnySpec::CardGame(_)) { "yard" } else { "planner" };
    let against = agent_text::list(roster, args.against.as_deref().unwrap_or(usual))?;
    let names: Vec<String> = against.iter().map(AgentSpec::listed).collect();
    let host = Local::new(roster, spec, names.iter().cloned().zip(against).collect());
    let order = serde_json::json!({
        "do": "new",
        "map": host.map.0,
        "seats": seats,
        "against": names,
        "seed": args.seed.map(|seed| seed.to_string()),
        "seat": (!args.watch).then(|| args.seat - 1),
    });
    let mut session = Session::new(host);
    session.run(serde_json::from_value(order)?).map_err(BadInput)?;
    Ok(session)
}

/// A session with a recorded game.
fn recorded(args: &Args, path: &Path, roster: &Roster) -> anyhow::Result<Session<Local>> {
    let record = read_record(path)?;
    let wrong = |why: String| BadInput(format!("{}: {why}", path.display()));
    let (map, _) = replay_game(&record).map_err(|why| wrong(why.to_string()))?;
    let given = Some(args.game.map.as_str()).filter(|map| !maps::all_ids().any(|id| id == *map));
    let mut host = Local::new(roster, find_map(&map, given)?, Vec::new());
    host.map.0 = map;
    let mut session = Session::new(host);
    session.run(Command::Load { record }).map_err(wrong)?;
    Ok(session)
}

/// Opens the browser. Returns whether there is a program for that; it may run as long as the browser does.
fn open(url: &str) -> bool {
    let opener: &[&str] = match () {
        () if cfg!(target_os = "macos") => &["open"],
        () if cfg!(windows) => &["rundll32", "url.dll,FileProtocolHandler"],
        () => &["xdg-open"],
    };
    let quiet = Stdio::null;
    let mut command = process::Command::new(opener[0]);
    let command = command.args(&opener[1..]).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet());
    command.spawn().is_ok()
}

/// The maps and agents of this machine: the shipped ones, and those of the command line. A page can name no
/// others, so it can read no files and start no processes.
struct Local {
    roster: Roster,
    map: (String, AnySpec),
    given: Vec<(String, AgentSpec)>,
    exec: ExecOptions,
}

impl Local {
    fn new(roster: &Roster, spec: AnySpec, given: Vec<(String, AgentSpec)>) -> Self {
        let id = match &spec {
            AnySpec::Board(map) => map.id.clone(),
            AnySpec::CardGame(game) => game.id.clone(),
        };
        Self { roster: roster.clone(), map: (id, spec), given, exec: ExecOptions::default() }
    }

    fn player<G: Playable>(&self, game: &G, agent: &str) -> Result<Player<G>, String> {
        let spec = match self.given.iter().find(|(name, _)| name == agent) {
            Some((_, spec)) => spec.clone(),
            None => self.roster.parse(agent).map_err(|why| why.to_string())?,
        };
        let is_process = spec.command().is_some();
        if is_process && !self.given.iter().any(|(_, given)| *given == spec) {
            return Err("processes have to be named with --against when `ttr play` starts".to_owned());
        }
        let entrant = Entrant::from_spec_with(game, &spec, &self.roster, &self.exec);
        let agent = entrant.and_then(|entrant| entrant.build(game)).map_err(|why| why.to_string())?;
        Ok(Player { agent, secret: is_process.then_some(self.exec.secret) })
    }
}

impl Host for Local {
    fn maps(&self) -> Vec<String> {
        let own = self.map.0.strip_suffix(WITH_DEPOTS).unwrap_or(&self.map.0);
        let mut all: Vec<String> = maps::all_ids().map(str::to_owned).collect();
        if !all.iter().any(|id| id == own) {
            all.push(self.map.0.clone());
        }
        all
    }

    fn agents(&self) -> &Roster {
        &self.roster
    }

    fn fresh_seed(&self) -> Option<u64> {
        Some(fresh_secret())
    }

    fn map(&self, id: &str) -> Result<AnySpec, String> {
        if id == self.map.0 { Ok(self.map.1.clone()) } else { BuiltIn.map(id) }
    }

    fn board_player(&self, game: &BoardGame, agent: &str) -> Result<Player<BoardGame>, String> {
        self.player(game, agent)
    }

    fn card_player(&self, game: &CardGame, agent: &str) -> Result<Player<CardGame>, String> {
        self.player(game, agent)
    }
}
