//! Agents in any language: a process that reads and writes JSON, one message per line. `docs/PROTOCOL.md`
//! describes it.
//!
//! No matter what the process does, the game continues or is forfeited with the reason: [`ExecAgent`] never
//! waits beyond its time limit, and never fails the run.

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
use answer::quoted;
use command_line::CommandLine;
use message::{Message, SeatEnd};
use process::Process;

/// Number of successive processes without a single valid answer after which no more are started.
const MOST_FAILURES: u32 = 3;

/// Options for processes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ExecOptions {
    /// Time limit per decision.
    pub time_limit: Duration,
    /// Additional time for the first decision of a process, which has to start up.
    pub start_limit: Duration,
    /// Budget for passing the stderr of processes on to this program's stderr; none passes nothing on.
    pub stderr: Option<StderrBudget>,
    /// The secret of a run: it only determines the `random` that processes receive, so this reveals nothing
    /// about the deals, which come from the seed.
    pub secret: u64,
}

impl ExecOptions {
    /// The usual limits, with the secret of a run.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ttr_sim::exec::ExecOptions;
    /// let patient = ExecOptions::new(7).with_time_limit(Duration::from_secs(60)).without_stderr();
    /// assert_eq!((patient.secret, patient.stderr), (7, None));
    /// ```
    pub fn new(secret: u64) -> Self {
        let (time_limit, start_limit) = (Duration::from_secs(10), Duration::from_secs(20));
        Self { time_limit, start_limit, stderr: Some(StderrBudget::default()), secret }
    }

    /// The same with another [time limit](Self::time_limit).
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// The same with another [limit for the start](Self::start_limit).
    #[must_use]
    pub fn with_start_limit(mut self, limit: Duration) -> Self {
        self.start_limit = limit;
        self
    }

    /// The same with the secret of a run.
    #[must_use]
    pub fn with_secret(mut self, secret: u64) -> Self {
        self.secret = secret;
        self
    }

    /// The same, with nothing of what processes say on stderr.
    #[must_use]
    pub fn without_stderr(mut self) -> Self {
        self.stderr = None;
        self
    }
}

/// The usual limits, with a fresh secret.
impl Default for ExecOptions {
    fn default() -> Self {
        Self::new(fresh_secret())
    }
}

/// An unpredictable secret, from the randomness of the operating system.
pub fn fresh_secret() -> u64 {
    // The keys of a hasher are random, and its hash of no input depends on them alone.
    RandomState::new().build_hasher().finish()
}

/// The reason why a command can't be run as an agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the command \"{command}\" can't be started: {why}; try it in a shell, in this directory")]
pub struct CommandError {
    /// The command line.
    pub command: String,
    /// The reason.
    pub why: String,
}

/// An agent that is a process. It is started for its first decision, and plays one game after the other;
/// after a forfeit it is killed, and started again for the next game.
///
/// ```
/// use ttr_sim::exec::{ExecAgent, ExecOptions};
/// let agent = ExecAgent::new("./no-such-bot --fast", ExecOptions::new(1))?;
/// let error = agent.try_out().unwrap_err().to_string();
/// assert!(error.starts_with("the command \"./no-such-bot --fast\" can't be started"), "{error}");
/// assert!(ExecAgent::new("bot 'my file", ExecOptions::new(1)).is_err(), "a quotation mark is open");
/// # Ok::<(), ttr_sim::exec::CommandError>(())
/// ```
pub struct ExecAgent {
    command: CommandLine,
    options: ExecOptions,
    /// The game that it plays, by hash and seats, and its description.
    game: Option<((u64, usize), String)>,
    seat: Seat,
    /// The process has received the beginning of the current game.
    begun: bool,
    process: Option<Process>,
    /// The process has given a valid answer.
    proven: bool,
    /// Number of successive processes that have not.
    failures: u32,
    /// The reason why the last of them was killed.
    last_failure: String,
    /// The events that its seat has seen since its last decision.
    events: Vec<Event>,
}

impl ExecAgent {
    /// Creates an agent from a command line: words separated by white space, or in quotation marks.
    ///
    /// # Errors
    /// If the command line is invalid.
    pub fn new(command: &str, options: ExecOptions) -> Result<Self, CommandError> {
        let refuse = |why| CommandError { command: command.to_owned(), why };
        Ok(Self {
            command: CommandLine::parse(command).map_err(refuse)?,
            options,
            game: None,
            seat: Seat::new(0),
            begun: false,
            process: None,
            proven: false,
            failures: 0,
            last_failure: String::new(),
            events: Vec::new(),
        })
    }

    /// Checks that the program exists and may be run. It is started and killed at once.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn try_out(&self) -> Result<(), CommandError> {
        Process::try_out(&self.command)
            .map_err(|why| CommandError { command: self.command.text.clone(), why: why.to_string() })
    }

    /// The process, started if it is not running, with the current game announced.
    fn at_the_table(&mut self, dice: &mut Dice) -> Result<&mut Process, String> {
        let process = match &mut self.process {
            Some(process) => process,
            None if self.failures == MOST_FAILURES => {
                return Err(format!(
                    "it is not started again, because it failed {MOST_FAILURES} times without a valid answer; \
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
            // A process receives the description of the game once.
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
            let results = game.results_after(state, forfeit);
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
