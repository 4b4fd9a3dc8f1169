//! Agents in any language: a process that reads and writes JSON, one message per line. `docs/PROTOCOL.md` describes it.
//!
//! Whatever the process does, the game goes on or is forfeited with the reason: [`ExecAgent`] never waits longer than it
//! may, and never fails the run.

mod answer;
mod command_line;
#[cfg(unix)]
mod errors;
#[cfg(unix)]
mod family;
mod message;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "no_process.rs"]
mod process;
#[cfg_attr(not(unix), expect(dead_code, reason = "only processes take from it"))]
mod stderr_budget;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use ttr_agents::{Agent, Forfeit};
use ttr_engine::{Dice, Seat, SeenAction, SeenStep, View};
use ttr_show::Event;

pub use answer::{Answer, AnswerError, MAX_LINE, parse_answer};
pub use message::PROTOCOL;
pub use stderr_budget::StderrBudget;

use crate::game::Playable;
use crate::table::one_game;
use answer::quoted;
use command_line::CommandLine;
use message::{Message, SeatEnd};
use process::Process;

/// So many processes in a row that end without a single right answer are enough: no more are started.
const MOST_FAILURES: u32 = 3;

/// How processes are treated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecOptions {
    /// How long a decision may take.
    pub time_limit: Duration,
    /// How much longer the first decision of a process may take, which has to start up.
    pub start_limit: Duration,
    /// How much of what processes write to stderr appears on ours; nothing without a budget.
    pub stderr: Option<StderrBudget>,
    /// The secret of a run: what processes get as `random` comes from it, and nothing else does. So it says nothing about
    /// the deals, which come from the seed.
    pub secret: u64,
}

impl Default for ExecOptions {
    fn default() -> Self {
        Self {
            time_limit: Duration::from_secs(10),
            start_limit: Duration::from_secs(20),
            stderr: Some(StderrBudget::default()),
            secret: fresh_secret(),
        }
    }
}

/// A secret that nobody can guess, from the randomness of the operating system.
pub fn fresh_secret() -> u64 {
    // The keys of a hasher are random, and what it makes of nothing depends on them alone.
    RandomState::new().build_hasher().finish()
}

/// Why a command can't be run as an agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the command \"{command}\" can't be started: {why}; try it in a shell, in this directory")]
pub struct CommandError {
    /// The command line.
    pub command: String,
    /// The reason.
    pub why: String,
}

/// An agent that is a process. It is started when it has to decide first, and plays one game after the other; after a
/// forfeit it is ended, and started again for the next game.
pub struct ExecAgent {
    command: CommandLine,
    options: ExecOptions,
    /// The game that it plays, by hash and seats, and what is said about it.
    game: Option<((u64, usize), String)>,
    seat: Seat,
    /// Whether the process knows of the game that is being played.
    begun: bool,
    process: Option<Process>,
    /// Whether the process has given a right answer.
    proven: bool,
    /// Processes in a row that have not.
    failures: u32,
    /// Why the last of them was ended.
    last_failure: String,
    /// What its seat has seen happen since its last decision.
    events: Vec<Event>,
}

impl ExecAgent {
    /// An agent for a command line: words with white space between them, or in quotation marks.
    ///
    /// # Errors
    /// If it is no command line.
    pub fn new(command: &str, options: ExecOptions) -> Result<Self, CommandError> {
        let refuse = |why| CommandError { command: command.to_owned(), why };
        Ok(Self {
            command: CommandLine::parse(command).map_err(refuse)?,
            options,
            game: None,
            seat: Seat(0),
            begun: false,
            process: None,
            proven: false,
            failures: 0,
            last_failure: String::new(),
            events: Vec::new(),
        })
    }

    /// Whether the program is there and may be run. It is started and ended at once.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn try_out(&self) -> Result<(), CommandError> {
        Process::try_out(&self.command)
            .map_err(|why| CommandError { command: self.command.text.clone(), why: why.to_string() })
    }

    /// The process, started if it is not running, and told of the game.
    fn at_the_table(&mut self, dice: &mut Dice) -> Result<&mut Process, String> {
        let process = match &mut self.process {
            Some(process) => process,
            None if self.failures == MOST_FAILURES => {
                return Err(format!(
                    "it is not started again, because it failed {MOST_FAILURES} times without a right answer; \
                     the last time {}",
                    self.last_failure
                ));
            }
            none => {
                let mut process = Process::start(&self.command, self.options.stderr.clone())
                    .map_err(|error| format!("it can't be started: {error}"))?;
                if let Some((_, hello)) = &self.game {
                    process.tell(hello);
                }
                none.insert(process)
            }
        };
        if !std::mem::replace(&mut self.begun, true) {
            process.tell(&Message::Begin { seat: self.seat, random: dice.next_u64() >> 11 }.line());
        }
        Ok(process)
    }

    fn decide<G: Playable>(
        &mut self,
        view: &G::Observation<'_>,
        dice: &mut Dice,
    ) -> Result<G::Action, String> {
        let actions = view.actions();
        let own = |&action: &G::Action| {
            G::seen_move(view, SeenAction::Open(action)).expect("a seat sees its own actions")
        };
        let moves = actions.iter().map(own).collect();
        let texts = actions.iter().map(|&action| view.write_action(action)).collect();
        let start_limit = if self.proven { Duration::ZERO } else { self.options.start_limit };
        let limit = self.options.time_limit.saturating_add(start_limit);
        let events = std::mem::take(&mut self.events);
        let process = self.at_the_table(dice)?;
        let id = process.next_question();
        let view_data = Box::new(G::seat_view(view));
        let question = Message::Decide { id, events: &events, view: view_data, actions: texts, moves };
        let line = process.ask(&question.line(), limit)?;
        let action = match parse_answer(&line, id, actions.len()).map_err(|error| error.to_string())? {
            Answer::Index(index) => actions[index],
            Answer::Action(text) => {
                let wrong = |why: String| format!("it answered {}: {why}", quoted(text.as_bytes()));
                let action = view.parse_action(&text).map_err(|error| wrong(error.to_string()))?;
                view.check(action).map_err(|error| wrong(format!("not legal: {error}")))?;
                action
            }
        };
        (self.proven, self.failures) = (true, 0);
        Ok(action)
    }
}

impl<G: Playable> Agent<G> for ExecAgent {
    fn begin(&mut self, game: &G, seat: Seat) {
        let key = (game.rules_hash(), game.seats());
        if self.game.as_ref().is_none_or(|(known, _)| *known != key) {
            // A process is told once what it plays.
            if let Some(process) = self.process.take() {
                process.finish();
            }
            (self.proven, self.failures) = (false, 0);
            let hello = Message::Hello {
                protocol: PROTOCOL,
                time_limit: self.options.time_limit.as_secs_f64(),
                description: game.description(),
            };
            self.game = Some((key, hello.line()));
        }
        (self.seat, self.begun) = (seat, false);
        self.events.clear();
    }

    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        self.decide::<G>(view, dice).map_err(|mut why| {
            if let Some(process) = self.process.take() {
                if let Some(last_words) = process.kill() {
                    why += &format!("; its last words: {last_words}");
                }
                self.begun = false;
                if !std::mem::take(&mut self.proven) {
                    self.failures += 1;
                    self.last_failure.clone_from(&why);
                }
            }
            Forfeit::new(&why)
        })
    }

    fn wants_steps(&self) -> bool {
        true
    }

    fn see(&mut self, step: &SeenStep<'_, G>) {
        self.events.extend(G::events(step));
    }

    fn end(&mut self, game: &G, state: &G::State, forfeit: Option<Seat>) {
        if let Some(process) = self.process.as_mut().filter(|_| self.begun) {
            let results = one_game::results(game, state, forfeit);
            let seats = results.iter().map(|result| SeatEnd::new(game, result)).collect();
            process.tell(&Message::End { forfeit, events: &self.events, seats }.line());
        }
    }
}

impl Drop for ExecAgent {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.finish();
        }
    }
}
