//! One game between agents, from the deal to the result.

use std::time::{Duration, Instant};

use ttr_agents::{Agent, Estimate, Forfeit};
use ttr_engine::{Dice, Seat, Step, Turn};

use crate::game::{Ending, Playable, SeatResult};

/// The dice of the deal and the draws, and those that agents roll.
const DEALS: u64 = 0;
const AGENTS: u64 = 1;

/// The seed of a deal: of the shuffles and draws of all games that are played with it.
pub fn deal_seed(seed: u64, deal: u64) -> u64 {
    Dice::from_parts(&[seed, DEALS, deal]).next_u64()
}

/// The dice of an agent in a game. Its rolls never change the deal.
pub(crate) fn agent_dice(seed: u64, deal: u64, game: u64, seat: Seat) -> Dice {
    Dice::from_parts(&[seed, AGENTS, deal, game, seat.index() as u64])
}

/// An observer of every decision of a game.
pub trait Watch<G: Playable> {
    /// Receives an action and the position in which a seat takes it.
    fn decision(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action);

    /// Returns `true` if decisions are to be timed, which has a small cost.
    fn timed(&self) -> bool {
        false
    }

    /// Receives the duration of the decision, if decisions are timed.
    fn took(&mut self, seat: Seat, time: Duration) {
        let _ = (seat, time);
    }

    /// Returns `true` if the observer wants the estimates behind decisions.
    fn wants_estimates(&self) -> bool {
        false
    }

    /// Receives the estimate behind the next decision, if estimates are wanted.
    fn estimated(&mut self, estimate: Option<Estimate>) {
        let _ = estimate;
    }
}

/// No observer.
impl<G: Playable> Watch<G> for () {
    fn decision(&mut self, _: &G, _: &G::State, _: Seat, _: G::Action) {}
}

/// Two observers.
impl<G: Playable, A: Watch<G>, B: Watch<G>> Watch<G> for (A, B) {
    fn decision(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        self.0.decision(game, state, seat, action);
        self.1.decision(game, state, seat, action);
    }

    fn timed(&self) -> bool {
        self.0.timed() || self.1.timed()
    }

    fn took(&mut self, seat: Seat, time: Duration) {
        self.0.took(seat, time);
        self.1.took(seat, time);
    }
}

/// The course and the end of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<S> {
    /// The last position.
    pub state: S,
    /// The seat that had the first turn.
    pub first: Seat,
    /// Number of decisions.
    pub plies: u32,
    /// The seat that resigned or chose an illegal action, and its reason.
    pub forfeit: Option<(Seat, Forfeit)>,
}

/// Plays a game; `agents` and `dice` are indexed by seat. An agent that resigns, or chooses an illegal
/// action, ends it.
pub fn play<G: Playable>(
    game: &G,
    deal_seed: u64,
    agents: &mut [&mut dyn Agent<G>],
    dice: &mut [Dice],
    watch: &mut impl Watch<G>,
) -> Played<G::State> {
    let mut chance = Dice::from_seed(deal_seed);
    let mut state = game.deal(&mut chance);
    let first = game.first(&state);
    for (seat, agent) in Seat::all(game.seats()).zip(agents.iter_mut()) {
        agent.begin(game, seat);
    }
    let (timed, wants_estimates) = (watch.timed(), watch.wants_estimates());
    let wants_steps = agents.iter().any(|agent| agent.wants_steps());
    let mut plies = 0;
    while let Turn::Of(seat) = game.turn(&state) {
        let start = timed.then(Instant::now);
        let choice = agents[seat].choose(&game.observe(&state, seat), &mut dice[seat]);
        if let Some(start) = start {
            watch.took(seat, start.elapsed());
        }
        let action = match choice.and_then(|action| legal(game, &state, action)) {
            Ok(action) => action,
            Err(why) => {
                end(game, &state, agents, Some(seat));
                return Played { state, first, plies, forfeit: Some((seat, why)) };
            }
        };
        if wants_estimates {
            watch.estimated(agents[seat].estimate());
        }
        watch.decision(game, &state, seat, action);
        if wants_steps {
            show_step(game, &Step::play(game, &mut state, action, &mut chance), agents);
        } else {
            game.play_unchecked(&mut state, action, &mut chance);
        }
        plies += 1;
    }
    end(game, &state, agents, None);
    Played { state, first, plies, forfeit: None }
}

/// The action of an agent, which forfeits if it is not legal.
pub(crate) fn legal<G: Playable>(
    game: &G,
    state: &G::State,
    action: G::Action,
) -> Result<G::Action, Forfeit> {
    let forfeit = |why| Forfeit::new(&format!("it chose {action:?}, which is not legal: {why}"));
    game.check(state, action).map(|()| action).map_err(forfeit)
}

/// Shows a step to the agents that want it, as their seats see it.
fn show_step<G: Playable>(game: &G, step: &Step<G>, agents: &mut [&mut dyn Agent<G>]) {
    for (seat, agent) in Seat::all(game.seats()).zip(agents) {
        if agent.wants_steps() {
            agent.see(&step.seen_by(game, seat));
        }
    }
}

fn end<G: Playable>(game: &G, state: &G::State, agents: &mut [&mut dyn Agent<G>], forfeit: Option<Seat>) {
    for agent in agents {
        agent.end(game, state, forfeit);
    }
}

impl<S> Played<S> {
    /// The result of each seat. The seat that forfeits is last, and the others share the win.
    pub fn results<G: Playable<State = S>>(&self, game: &G) -> Vec<SeatResult> {
        game.results_after(&self.state, self.forfeit.as_ref().map(|&(seat, _)| seat))
    }

    /// The reason why the game ended.
    ///
    /// # Panics
    /// Never: [`play`] always finishes the game.
    pub fn ending<G: Playable<State = S>>(&self, game: &G) -> Ending {
        match self.forfeit {
            Some(_) => Ending::Forfeit,
            None => game.ending(&self.state).expect("a game without a forfeit is played to its end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ttr_agents::Random;
    use ttr_engine::card_game::CardGame;
    use ttr_engine::maps;

    use super::*;

    /// Records the seat that decided first.
    struct FirstDecision(Option<Seat>);

    impl Watch<CardGame> for FirstDecision {
        fn decision(
            &mut self,
            _: &CardGame,
            _: &<CardGame as ttr_engine::Game>::State,
            seat: Seat,
            _: <CardGame as ttr_engine::Game>::Action,
        ) {
            self.0.get_or_insert(seat);
        }
    }

    #[test]
    fn who_began_is_not_who_would_go_on() {
        for seats in [2, 4] {
            let game = CardGame::new(&maps::card_game(), seats).unwrap();
            let mut went_on_elsewhere = 0;
            for seed in 0..20 {
                let mut agents: Vec<Random> = (0..seats).map(|_| Random).collect();
                let mut agents: Vec<&mut dyn Agent<CardGame>> =
                    agents.iter_mut().map(|agent| agent as &mut dyn Agent<CardGame>).collect();
                let mut dice: Vec<_> =
                    (0..seats).map(|seat| Dice::from_parts(&[seed, seat as u64])).collect();
                let mut watch = FirstDecision(None);
                let played = play(&game, seed, &mut agents, &mut dice, &mut watch);
                assert_eq!(Some(played.first), watch.0);
                went_on_elsewhere += u32::from(game.first(&played.state) != played.first);
            }
            assert!(went_on_elsewhere > 0, "the test would see nothing");
        }
    }
}
