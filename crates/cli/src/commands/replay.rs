//! `ttr replay`: shows a recorded game move by move.

use std::path::{Path, PathBuf};

use crate::words::opinion::Opinion;
use crate::words::replay_text::Story;
use serde::Serialize;
use ttr_agents::Roster;
use ttr_engine::maps::{self, AnySpec, WITH_DEPOTS};
use ttr_engine::{Replay, ReplayError, Seat, input_file};
use ttr_show::{SeatView, draw};
use ttr_sim::exec::ExecOptions;
use ttr_sim::game::{AnyGame, Playable};
use ttr_sim::table::agent_text;
use ttr_sim::table::entrant::Entrant;
use ttr_sim::with_game;
use ttr_web::record_page;

use super::maps::write_file;
use crate::{BadInput, print, print_json};

/// Maximum size of a record, in bytes. Real records have a few thousand.
const MOST_BYTES: u64 = 16 << 20;

/// Verifies a recorded game and shows it move by move.
///
/// Plays the game again under the rules of its map and checks every action and the final points. Prints one
/// line per turn: its decisions in notation and their outcome, the open points of all seats and the face-up
/// cards after it; then the last position and the score sheet. Records are the .ttr files that `ttr arena
/// --save-replays` saves, or their text form. Decisions are counted from 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr replay game.ttr                       the whole game and the score sheet
  ttr replay game.ttr --from 40 --to 60     some decisions
  ttr replay game.ttr --positions           the position after every decision
  ttr replay game.ttr --move 57             the positions before and after decision 57
  ttr replay game.ttr --move 57 --seat 2    the same as seat 2 sees it
  ttr replay game.ttr --move 57 --svg board.svg    draw the board after decision 57
  ttr replay game.ttr --move 57 --explain ismcts   the choice of an agent there, and why
  ttr replay game.ttr --map my-map.toml     a game on your own map
  ttr replay game.ttr --html game.html      a page to step through it, in one file
  ttr replay game.ttr --json                as JSON")]
pub(crate) struct Args {
    /// Record to show
    file: PathBuf,
    /// Show the positions before and after this decision
    #[arg(long = "move", value_name = "N", value_parser = decision, allow_hyphen_values = true,
        conflicts_with_all = ["from", "to", "positions"])]
    decision: Option<usize>,
    /// List decisions from this one on
    #[arg(long, value_name = "N", value_parser = decision, allow_hyphen_values = true)]
    from: Option<usize>,
    /// List decisions up to this one
    #[arg(long, value_name = "N", value_parser = decision, allow_hyphen_values = true)]
    to: Option<usize>,
    /// Show the position after every listed decision
    #[arg(long)]
    positions: bool,
    /// Show only what this seat can see; seats are counted from 1
    #[arg(long, value_name = "SEAT", value_parser = seat, allow_hyphen_values = true)]
    seat: Option<u8>,
    /// Draw the board after the decision of --move, or at the end, to this file instead; - is standard
    /// output.
    ///
    /// Routes are drawn in the colours of the seats that own them. An existing file is replaced.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "positions", "explain", "json"])]
    svg: Option<PathBuf>,
    /// Write a page to step through the game to this file instead; - is standard output.
    ///
    /// The page is one file that needs no network: the board, a slider, the cards of all seats or of one, and
    /// every event. An existing file is replaced.
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["decision", "from", "to", "positions", "seat", "svg", "explain", "json"])]
    html: Option<PathBuf>,
    /// Play this many games from every position, planner (or yard) in all seats, and draw everybody's share
    /// of wins on the page; 100 games take about 5 seconds of processor time
    #[arg(long, value_name = "GAMES", default_value = "0", requires = "html", hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(0..=1000))]
    odds: u32,
    /// Show which action an agent would choose at the decision of --move, and why.
    ///
    /// The agent sees what the seat to move saw. A search lists its candidates with their values, planner
    /// its plan.
    #[arg(long, value_name = "AGENT", requires = "decision")]
    explain: Option<String>,
    /// Map file, for a record of a map that is not shipped
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn decision(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected the number of a decision, counted from 1".to_owned())
}

fn seat(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| "expected the number of a seat, counted from 1".to_owned())
}

/// A recorded game as JSON.
#[derive(Serialize)]
struct Output<'s> {
    verified: bool,
    #[serde(flatten)]
    story: &'s Story,
    /// The position after each requested decision; with --move, before and after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    positions: Vec<Placed<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Opinion>,
}

/// A position and its index in the game.
#[derive(Serialize)]
struct Placed<'s> {
    /// Decisions taken before it.
    after: usize,
    #[serde(flatten)]
    position: &'s SeatView,
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let record = read_record(&args.file)?;
    let wrong = |error: ReplayError| BadInput(format!("{}: {error}", args.file.display()));
    let (map, seats) = ttr_engine::replay_game(&record).map_err(wrong)?;
    let seats_wrong = |error: ttr_engine::WrongSeats| {
        BadInput(format!("{}: the record is invalid: {error}", args.file.display()))
    };
    let game = AnyGame::new(&find_map(&map, args.map.as_deref())?, seats).map_err(seats_wrong)?;
    if let Some(path) = &args.html {
        let page = with_game!(game, game => Replay::read(&game, &record).and_then(|replay| record_page(game, &replay, args.odds)));
        return write_file(path, &page.map_err(wrong)?);
    }
    with_game!(game, game => show(&game, &record, args, roster))
}

pub(super) fn read_record(path: &Path) -> Result<Vec<u8>, BadInput> {
    input_file::read(path, MOST_BYTES).map_err(|error| {
        BadInput(format!(
            "the file {} can't be read: {error}; `ttr arena --save-replays N` saves games as .ttr files",
            path.display()
        ))
    })
}

/// The map of a record: the shipped one of that name, unless the user gives a path.
pub(super) fn find_map(recorded: &str, given: Option<&str>) -> anyhow::Result<AnySpec> {
    let plain = recorded.strip_suffix(WITH_DEPOTS).unwrap_or(recorded);
    match given {
        Some(given) if recorded.ends_with(WITH_DEPOTS) && !given.ends_with(WITH_DEPOTS) => {
            Ok(maps::find_any(&format!("{given}{WITH_DEPOTS}"))?)
        }
        Some(given) => Ok(maps::find_any(given)?),
        // A record must not choose which file is read.
        None if maps::all_ids().any(|id| id == plain) => Ok(maps::find_any(recorded)?),
        None => {
            let plain = plain.escape_debug();
            Err(BadInput(format!(
                "the game was played on the map \"{plain}\", which is not shipped; give its file with --map"
            ))
            .into())
        }
    }
}

fn show<G: Playable>(game: &G, record: &[u8], args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let wrong = |error: ReplayError| BadInput(format!("{}: {error}", args.file.display()));
    let replay = Replay::read(game, record).map_err(wrong)?;
    let story = Story::of(game, &replay, eyes(args.seat, game.seats())?).map_err(wrong)?;
    let last = story.decisions.len();
    for (option, n) in [("move", args.decision), ("from", args.from), ("to", args.to)] {
        if let Some(n) = n.filter(|n| !(1..=last).contains(n)) {
            return Err(BadInput(format!("--{option} {n}: decisions are counted from 1 to {last}")).into());
        }
    }
    let range = match args.decision {
        Some(n) => n..=n,
        None => args.from.unwrap_or(1)..=args.to.unwrap_or(last),
    };
    if range.is_empty() {
        return Err(BadInput("--from is after --to".to_owned()).into());
    }
    if let Some(path) = &args.svg {
        return draw_position(game, &story, args.decision.unwrap_or(last), path);
    }
    if let (Some(_), Some(n), Some(seat)) = (&args.explain, args.decision, args.seat)
        && story.decisions[n - 1].seat != Seat::new(usize::from(seat) - 1)
    {
        let by = story.decisions[n - 1].seat;
        let hint = "--explain uses the view of the seat that decides";
        return Err(BadInput(format!("--seat {seat}: decision {n} belongs to {by}; {hint}")).into());
    }
    let explanation = match (&args.explain, args.decision) {
        (Some(agent), Some(n)) => Some(explain(game, &replay, roster, agent, n)?),
        _ => None,
    };
    if args.json {
        let after = |n: usize| Placed { after: n, position: &story.positions[n] };
        let positions = match args.decision {
            Some(n) => vec![after(n - 1), after(n)],
            None if args.positions => range.map(after).collect(),
            None => vec![after(last)],
        };
        return print_json(&Output { verified: true, story: &story, positions, explanation });
    }
    let mut text = story.heading() + "\n";
    if let Some(n) = args.decision {
        text += &format!("{}\n{}\n", story.positions[n - 1], story.listing(range, false));
        text += &match explanation {
            Some(explanation) => explanation.to_string(),
            None => story.positions[n].to_string(),
        };
    } else {
        let whole = *range.end() == last;
        text += &story.legend().unwrap_or_default();
        text += &story.listing(range, args.positions);
        if whole {
            text += &format!("\n{}\n{}", story.positions[last], story.score_sheet());
        }
    }
    Ok(print(&text)?)
}

/// Draws the board after a decision.
fn draw_position<G: Playable>(game: &G, story: &Story, decision: usize, path: &Path) -> anyhow::Result<()> {
    let Some(board) = game.board() else {
        return Err(BadInput(format!("{} has no board to draw; omit --svg", game.name())).into());
    };
    let after = &story.decisions[decision - 1];
    let subtitle = format!("after decision {decision}, {}: {after}", after.seat);
    let svg = draw::position_svg(board, &story.positions[decision], &story.agents, &subtitle);
    write_file(path, &svg)
}

fn eyes(seat: Option<u8>, seats: usize) -> Result<Option<Seat>, BadInput> {
    match seat {
        Some(seat) if !(1..=seats).contains(&seat.into()) => {
            Err(BadInput(format!("--seat {seat}: seats are counted from 1 to {seats}")))
        }
        seat => Ok(seat.map(|seat| Seat::new(usize::from(seat) - 1))),
    }
}

fn explain<G: Playable>(
    game: &G,
    replay: &Replay<G::Action>,
    roster: &Roster,
    agent: &str,
    decision: usize,
) -> anyhow::Result<Opinion> {
    let spec = agent_text::parse(roster, agent)?;
    let entrant = Entrant::from_spec_with(game, &spec, roster, &ExecOptions::default())?;
    let mut agent = entrant.build(game)?;
    let opinion = Opinion::of(game, replay, decision, entrant.label(), agent.as_mut())?;
    opinion.map_err(|forfeit| anyhow::anyhow!("{} gives up: {forfeit}", entrant.label()))
}
