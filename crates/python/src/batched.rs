//! Players written in Python that decide for many games at once.
//!
//! Every game runs on a thread of its own and waits here for its answer. One of the waiting threads calls
//! the player for all of them; games that ask during the call are the next batch.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use ttr_agents::{Agent, Forfeit};
use ttr_engine::{Dice, View as _};

use crate::kind::{Compiled, Kind, Rules};
use crate::player::{instance, reason};
use crate::vec_env::whole_numbers;

/// A player that decides for many games at once, and the games that wait for it.
pub(crate) struct Batcher<G: Kind> {
    game: Arc<Compiled<G>>,
    /// The player, or a class of players.
    given: Py<PyAny>,
    player: OnceLock<Result<Player, String>>,
    queue: Mutex<Queue>,
}

struct Player {
    object: Py<PyAny>,
    /// Whether it wants the derived blocks.
    derived: bool,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Request>,
    /// Whether a thread is calling the player.
    is_calling: bool,
}

/// A decision to be made.
struct Request {
    view: Vec<f32>,
    mask: Vec<i8>,
    seat: i8,
    seed: u64,
    reply: Sender<Reply>,
}

enum Reply {
    /// The index of an action, or why there is none.
    Answer(Result<i64, String>),
    /// The player is free: call it for all that wait.
    Call,
}

impl<G: Kind> Batcher<G> {
    pub(crate) fn new(game: Arc<Compiled<G>>, given: Py<PyAny>) -> Self {
        Self { game, given, player: OnceLock::new(), queue: Mutex::default() }
    }

    fn player(&self) -> Result<&Player, String> {
        let find = || {
            Python::attach(|py| {
                let object = instance(self.given.bind(py)).map_err(|error| reason(py, &error))?;
                let derived = object.getattr_opt("derived").and_then(|found| match found {
                    Some(derived) => derived.is_truthy(),
                    None => Ok(false),
                });
                let derived = derived.map_err(|error| reason(py, &error))?;
                Ok(Player { object: object.unbind(), derived })
            })
        };
        self.player.get_or_init(find).as_ref().map_err(Clone::clone)
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the player's decision.
    fn decide(&self, view: &G::Observation<'_>, seed: u64) -> Result<i64, String> {
        let derived = self.player()?.derived;
        let (reply, replies) = mpsc::channel();
        let mut mask = vec![0; self.game.num_actions()];
        self.game.numbers.for_each_index(view, |index| mask[index] = 1);
        let seat = view.seat().index() as i8;
        let request = Request { view: self.game.floats(view, derived), mask, seat, seed, reply };
        let calls = {
            let mut queue = self.queue();
            queue.waiting.push(request);
            !std::mem::replace(&mut queue.is_calling, true)
        };
        if calls {
            self.call();
        }
        self.wait(&replies)
    }

    fn wait(&self, replies: &Receiver<Reply>) -> Result<i64, String> {
        loop {
            match replies.recv() {
                Ok(Reply::Answer(answer)) => return answer,
                Ok(Reply::Call) => self.call(),
                Err(_) => return Err("the player was never called".into()),
            }
        }
    }

    /// Calls the player for all games that wait, and lets one of those that have come since do the same.
    fn call(&self) {
        self.gather();
        let batch = std::mem::take(&mut self.queue().waiting);
        let answers = self.ask(&batch);
        for (row, request) in batch.into_iter().enumerate() {
            let answer = answers.as_ref().map(|answers| answers[row]).map_err(Clone::clone);
            // A game that does not wait any more has ended with its run.
            let _ = request.reply.send(Reply::Answer(answer));
        }
        let mut queue = self.queue();
        let next = queue.waiting.iter().any(|request| request.reply.send(Reply::Call).is_ok());
        queue.is_calling = next;
    }

    /// Waits until no more games ask: a call costs more than a row.
    fn gather(&self) {
        const PAUSE: Duration = Duration::from_micros(50);
        let mut known = 0;
        loop {
            let waiting = self.queue().waiting.len();
            if waiting == known {
                return;
            }
            known = waiting;
            std::thread::sleep(PAUSE);
        }
    }

    /// The player's answers, one per request.
    fn ask(&self, batch: &[Request]) -> Result<Vec<i64>, String> {
        let Player { object, derived } = self.player()?;
        let rows = batch.len();
        let (width, actions) = (self.game.layout(*derived).len(), self.game.num_actions());
        Python::attach(|py| {
            let call = || {
                let views: Vec<f32> = batch.iter().flat_map(|request| &request.view).copied().collect();
                let mask: Vec<i8> = batch.iter().flat_map(|request| &request.mask).copied().collect();
                let seats = batch.iter().map(|request| request.seat).collect();
                let seeds = batch.iter().map(|request| request.seed).collect();
                let answer = object.bind(py).call_method1(
                    "choose_batch",
                    (
                        PyArray1::from_vec(py, views).reshape([rows, width])?,
                        PyArray1::from_vec(py, mask).reshape([rows, actions])?,
                        PyArray1::from_vec(py, seats),
                        PyArray1::<u64>::from_vec(py, seeds),
                    ),
                )?;
                Ok(whole_numbers(&answer, rows)?.to_vec()?)
            };
            call().map_err(|error: PyErr| reason(py, &error))
        })
    }
}

/// A seat of a player that decides for many games at once.
pub(crate) struct BatchedSeat<G: Kind>(pub(crate) Arc<Batcher<G>>);

impl<G: Kind> Agent<G> for BatchedSeat<G> {
    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        let index = self.0.decide(view, dice.next_u64()).map_err(|why| Forfeit::new(&why))?;
        self.0.game.choice(view, index)
    }
}
