#![doc = include_str!("../README.md")]
//!
//! One file per command in `commands`; they read arguments and print, and the libraries do the work. Data
//! goes to stdout, progress and errors to stderr. Exit code 2: invalid input; 75: interrupted; 1: any other
//! failure.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod dry_run;
mod errors;
mod interruption;
mod progress;
pub mod report;
mod runs;
mod server;
mod terminal;
pub mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use commands::{agents, arena, bench, experiment, maps, merge, play, rate, replay, shell, tickets, tune};
use interruption::TRY_AGAIN;
use ttr_agents::Roster;

/// A research engine for Ticket to Ride: boards as data, exact rules, millions of games.
#[derive(Parser)]
#[command(name = "ttr", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  ttr arena                                 agents against each other on Europe
  ttr arena --map usa --agents planner,greedy --games 10000
  ttr tickets --map usa --agents planner    the value of tickets and routes
  ttr tune --agent planner --map nordic     better weights by self-play
  ttr rate planner --card-game yard         rate it against fixed opponents
  ttr experiment run experiments/0001-...   reproduce a published study
  ttr agents                                list the agents and their parameters
  ttr maps                                  list the shipped maps
  ttr maps show europe --svg europe.svg     draw a board
  ttr maps check my-map.toml                validate a map file
  ttr bench --map nordic --seats 3          measure the speed of the engine
  ttr replay game.ttr                       show a recorded game move by move
  ttr play                                  play against agents in the browser

Run `ttr COMMAND --help` for details.
Exit code: 0 success; 2 invalid input, which another try does not change; 75 interrupted, or another process
is at work in the directory: try again; 1 any other failure, including an agent that finished no game.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Arena(Box<arena::Args>),
    Agents(agents::Args),
    Tickets(tickets::Args),
    Tune(Box<tune::Args>),
    Rate(Box<rate::Args>),
    Experiment(experiment::Args),
    Maps(maps::Args),
    Merge(merge::Args),
    Bench(bench::Args),
    Completions(shell::CompletionArgs),
    Man(shell::ManArgs),
    Play(play::Args),
    Replay(replay::Args),
}

/// The program `ttr`: parses the command line, runs the command and returns the exit code.
pub fn main() -> ExitCode {
    main_with(Roster::default())
}

/// The program `ttr` with additional agents: every command knows the roster's agents by name.
///
/// ```no_run
/// use std::process::ExitCode;
/// use ttr_agents::{AgentEntry, Roster};
/// use ttr_engine::board::{Action, BoardGame, Observation};
/// use ttr_engine::{Dice, View};
///
/// /// Claims whatever it can, and otherwise does anything.
/// fn claims(view: &Observation<'_>, dice: &mut Dice) -> Action {
///     let is_claim = |action: &Action| matches!(action, Action::Claim { .. });
///     view.actions().into_iter().find(is_claim).unwrap_or_else(|| view.random_action(dice))
/// }
///
/// fn main() -> ExitCode {
///     let eager = AgentEntry::new("eager", "claims whatever it can").plays(|_: &BoardGame, _| claims);
///     ttr_cli::main_with(Roster::default().with(eager))
/// }
/// ```
///
/// `examples/my_ttr.rs` has an agent with parameters, which `tune` can tune and `replay --explain` can
/// query.
pub fn main_with(roster: Roster) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let done = match cli.command {
        Command::Arena(args) => arena::run(&args, &roster),
        Command::Agents(args) => agents::run(&args, &roster),
        Command::Tickets(args) => tickets::run(&args, &roster),
        Command::Tune(args) => tune::run(&args, &roster),
        Command::Rate(args) => rate::run(&args, &roster),
        Command::Experiment(args) => experiment::run(&args, &roster),
        Command::Maps(args) => maps::run(args),
        Command::Merge(args) => merge::run(&args, &roster),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Play(args) => play::run(&args, &roster),
        Command::Replay(args) => replay::run(&args, &roster),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(error),
    }
}

/// Invalid input, with a hint at what is expected.
#[derive(Debug)]
struct BadInput(String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A result that was computed but is probably not what was wanted.
#[derive(Debug)]
struct Warning(String);

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Warning {}

/// A run that was stopped before its end, with how to resume it.
#[derive(Debug)]
struct Interrupted(String);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// Prints help, the version, or an error in the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    // A closed output can't be reported anywhere.
    let _ = error.print();
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
        && ttr_engine::maps::text(word).is_some()
    {
        terminal::print_line(&format!("\n{word} is a map: try 'ttr maps show {word}'"));
    }
    ExitCode::from(error.exit_code() as u8)
}

fn failure(error: anyhow::Error) -> ExitCode {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    if error.downcast_ref::<io::Error>().is_some_and(closed) {
        // The reader has closed the pipe, as in `ttr maps | head -1`.
        return ExitCode::SUCCESS;
    }
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        terminal::print_line(&interrupted.to_string());
        return ExitCode::from(TRY_AGAIN);
    }
    if let Some(warning) = error.downcast_ref::<Warning>() {
        terminal::print_line(&format!("warning: {warning}"));
        return ExitCode::FAILURE;
    }
    let (text, code) = errors::describe(error);
    terminal::print_line(&format!("error: {text}"));
    ExitCode::from(code)
}

/// Prints data to stdout.
fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Prints a value as JSON.
fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    Ok(print(&(serde_json::to_string_pretty(value)? + "\n"))?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// A resumed run already has its settings. Only options that affect this process are accepted.
    #[test]
    fn resume_refuses_settings() {
        const ALLOWED: [&str; 6] = ["resume", "threads", "time_limit", "json", "quiet", "help"];
        let mut whole = Cli::command();
        whole.build();
        let mut names = Vec::new();
        for command in whole.get_subcommands() {
            let Some(resume) = command.get_arguments().find(|arg| arg.get_id() == "resume") else { continue };
            let refused: Vec<_> =
                command.get_arg_conflicts_with(resume).iter().map(|arg| arg.get_id().as_str()).collect();
            for arg in command.get_arguments().map(|arg| arg.get_id().as_str()) {
                assert_ne!(refused.contains(&arg), ALLOWED.contains(&arg), "{} --{arg}", command.get_name());
            }
            names.push(command.get_name());
        }
        assert_eq!(names, ["arena", "tickets", "tune", "rate"]);
    }
}

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
