//! `ttr agents`: who plays, and what can be set.

use serde::Serialize;
use ttr_agents::{AGENTS, AgentInfo};
use ttr_sim::text::{Align, Table, wrap};

use super::{print, print_json, terminal};

/// List the agents, their parameters, defaults and ranges.
///
/// An agent is written NAME, NAME:key=value,key=value or NAME@file.toml (as `ttr tune` writes it). A process of your own
/// is written exec:COMMAND; docs/PROTOCOL.md says what it must speak.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr agents                 all agents
  ttr agents planner         one agent with its parameters
  ttr agents --json          for programs")]
pub(crate) struct Args {
    /// Only this agent
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Agent {
    name: &'static str,
    about: &'static str,
    plays: String,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    about: &'static str,
    default: &'static str,
    range: String,
}

impl Agent {
    fn new(info: &AgentInfo) -> Self {
        let parameter = |param: &ttr_agents::Param| Parameter {
            name: param.name,
            about: param.about,
            default: param.default,
            range: param.range.to_string(),
        };
        Self {
            name: info.name,
            about: info.about,
            plays: info.plays.to_string(),
            parameters: info.params.iter().map(parameter).collect(),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let agents: Vec<Agent> = match &args.name {
        Some(name) => vec![Agent::new(ttr_agents::info(name)?)],
        None => AGENTS.iter().map(|info| Agent::new(info)).collect(),
    };
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
                    parameter.default.to_owned(),
                    format!("{}; {}", parameter.range, parameter.about),
                ]);
            }
            text += &table.to_string();
        }
    }
    if args.name.is_none() {
        text +=
            "\nexec:COMMAND: a process of your own, in any language; plays every game (docs/PROTOCOL.md)\n";
    }
    Ok(print(&text)?)
}
