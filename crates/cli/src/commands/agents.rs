//! `ttr agents`: lists agents and their parameters.

use serde::Serialize;
use ttr_agents::{AgentEntry, Param, Roster};
use ttr_show::text::{Align, Table, wrap};
use ttr_sim::game::{AnyGame, Playable};
use ttr_sim::with_game;

use crate::args::{self, Module, agents_for, fewest_seats, find_game};
use crate::{BadInput, print, print_json, terminal};

/// Lists the agents with their parameters, defaults and ranges.
///
/// An agent is written NAME, NAME:key=value,key=value or NAME@file.toml (`ttr tune` writes such files). Your
/// own process is written exec:COMMAND; docs/PROTOCOL.md describes the protocol. With --map, only agents
/// that play that game are listed, with their defaults in it: some agents were tuned for certain maps and
/// numbers of seats.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr agents                                  all agents
  ttr agents planner                          one agent with its parameters
  ttr agents planner --map usa --seats 4      its defaults in this game
  ttr agents --json                           as JSON")]
pub(crate) struct Args {
    /// Show only this agent
    name: Option<String>,
    /// Show only agents for this game, with their defaults in it: the id of a shipped map, or the path of a
    /// map file
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// Optional rules to add
    #[arg(long, value_name = "MODULE", requires = "map")]
    with: Vec<Module>,
    /// Number of seats [default: the map's minimum]
    #[arg(long, value_name = "N", value_parser = args::seats, allow_hyphen_values = true, requires = "map")]
    seats: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Agent {
    name: &'static str,
    about: &'static str,
    plays: String,
    /// True if defaults depend on the game.
    tuned: bool,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    about: &'static str,
    default: String,
    range: String,
}

impl Agent {
    fn new(entry: &AgentEntry, default: impl Fn(&Param) -> String) -> Self {
        let parameter = |param: &Param| Parameter {
            name: param.name,
            about: param.about,
            default: default(param),
            range: param.range.to_string(),
        };
        Self {
            name: entry.name(),
            about: entry.about(),
            plays: entry.plays_what().to_string(),
            tuned: entry.is_tuned(),
            parameters: entry.params().iter().map(parameter).collect(),
        }
    }
}

/// The agents that were requested.
fn agents(args: &Args, roster: &Roster) -> anyhow::Result<Vec<Agent>> {
    let chosen = match &args.name {
        Some(name) => vec![roster.entry(name)?],
        None => roster.entries().collect(),
    };
    let Some(map) = &args.map else {
        let general = |param: &Param| param.default.to_owned();
        return Ok(chosen.into_iter().map(|entry| Agent::new(entry, general)).collect());
    };
    let spec = find_game(map, &args.with)?;
    let seats = args.seats.unwrap_or_else(|| fewest_seats(&spec));
    with_game!(AnyGame::new(&spec, seats)?, game => playing(&game, chosen, args, roster))
}

/// The requested agents that play a game.
fn playing<G: Playable>(
    game: &G,
    chosen: Vec<&AgentEntry>,
    args: &Args,
    roster: &Roster,
) -> anyhow::Result<Vec<Agent>> {
    let playing = chosen.into_iter().filter(|entry| entry.is_for::<G>());
    let agents: Vec<Agent> =
        playing.map(|entry| Agent::new(entry, |param| entry.default_of(game, param))).collect();
    match &args.name {
        Some(name) if agents.is_empty() => {
            let known = agents_for::<G>(roster);
            Err(BadInput(format!("{name} does not play {}; agents for it: {known}", game.map_id())).into())
        }
        _ => Ok(agents),
    }
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let agents = agents(args, roster)?;
    if args.json {
        return print_json(&agents);
    }
    let width = terminal::paragraph();
    let mut text = String::new();
    for agent in &agents {
        if !text.is_empty() {
            text.push('\n');
        }
        let line = format!("{}: {}; plays {}", agent.name, agent.about, agent.plays);
        text += &(wrap(&line, width, 2) + "\n");
        if !agent.parameters.is_empty() {
            let mut table = Table::new([
                ("  parameter", Align::Left),
                ("default", Align::Right),
                ("range, meaning", Align::Left),
            ]);
            for parameter in &agent.parameters {
                table.row([
                    format!("  {}", parameter.name),
                    parameter.default.clone(),
                    format!("{}; {}", parameter.range, parameter.about),
                ]);
            }
            text += &table.to_string();
        }
        if agent.tuned && args.map.is_none() {
            text += "  tuned for some games: use --map and --seats to see its defaults there\n";
        }
    }
    if args.name.is_none() {
        text += "\nexec:COMMAND: your own process, in any language; plays every game (docs/PROTOCOL.md)\n";
    }
    Ok(print(&text)?)
}
