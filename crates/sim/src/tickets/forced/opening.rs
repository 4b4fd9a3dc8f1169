//! Opening choices of tickets: the tickets offered to a seat, and the result of each legal choice.

use serde::{Deserialize, Serialize};
use ttr_agents::{Agent, Forfeit};
use ttr_engine::{Dice, Game, Seat, SeenStep, TicketId, TicketSet};

use crate::game::Playable;
use crate::table::one_game::Watch;

/// A choice of tickets before the first turn, with one game for each legal choice. These games are
/// identical up to the choice; after it all agents decide freely.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::tickets) struct Opening {
    /// The deal.
    pub(in crate::tickets) deal: u64,
    /// Index of the game without a forced choice, among those of the deal.
    pub(in crate::tickets) game: u32,
    /// The seat that chose.
    pub(in crate::tickets) seat: u8,
    /// Index of its agent.
    pub(in crate::tickets) agent: u32,
    /// The tickets offered.
    pub(in crate::tickets) offered: TicketSet,
    /// All legal choices, by ascending `kept`.
    pub(in crate::tickets) arms: Vec<Arm>,
    /// Index of the agent's own choice among them.
    pub(in crate::tickets) own: u8,
}

/// A legal choice, and its result for the seat that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::tickets) struct Arm {
    /// The tickets kept: bit `i` is the `i`-th offered one.
    pub(in crate::tickets) kept: u8,
    /// Share of the win, out of [`crate::arena::SHARE`].
    pub(in crate::tickets) share: u8,
    /// Points.
    pub(in crate::tickets) points: i16,
}

impl Arm {
    /// Number of tickets kept.
    pub(in crate::tickets) fn size(&self) -> usize {
        self.kept.count_ones() as usize
    }
}

impl Opening {
    /// The arm of a set of offered tickets, if it is legal.
    pub(in crate::tickets) fn arm(&self, kept: u8) -> Option<&Arm> {
        Some(&self.arms[self.arms.binary_search_by_key(&kept, |arm| arm.kept).ok()?])
    }

    /// The agent's own choice and its result.
    pub(in crate::tickets) fn own(&self) -> &Arm {
        &self.arms[usize::from(self.own)]
    }

    /// The tickets that an arm keeps.
    pub(in crate::tickets) fn tickets(&self, kept: u8) -> impl Iterator<Item = TicketId> {
        let chosen = move |&(index, _): &(usize, TicketId)| kept >> index & 1 == 1;
        self.offered.into_iter().enumerate().filter(chosen).map(|(_, ticket)| ticket)
    }

    /// Returns `true` if an opening that was read is valid.
    pub(super) fn check(&self, tickets: usize, most_share: i64) -> bool {
        let known =
            self.offered.is_subset(TicketSet::first(tickets)) && self.offered.len() <= u8::BITS as usize;
        let legal =
            |arm: &Arm| u32::from(arm.kept) >> self.offered.len() == 0 && i64::from(arm.share) <= most_share;
        known
            && usize::from(self.own) < self.arms.len()
            && self.arms.is_sorted_by(|a, b| a.kept < b.kept)
            && self.arms.iter().all(legal)
    }
}

/// An opening choice that is being made.
pub(in crate::tickets) struct Choice<A> {
    pub(super) seat: Seat,
    /// Number of earlier decisions of the seat.
    pub(super) before: usize,
    /// The tickets offered.
    pub(super) offered: TicketSet,
    /// The action chosen.
    pub(super) chosen: A,
    /// All legal actions with the tickets that they keep, by ascending bits.
    pub(super) legal: Vec<(u8, A)>,
}

impl<A: Copy + PartialEq> Choice<A> {
    /// The choice that an action makes, if it is an opening choice of tickets.
    pub(super) fn new<G: Playable<Action = A>>(
        game: &G,
        state: &G::State,
        seat: Seat,
        action: A,
    ) -> Option<Self> {
        let offered = game.ticket_choice(state, seat, action).filter(|choice| choice.opening)?.offered;
        let bits = |kept: TicketSet| {
            let kept = offered.into_iter().enumerate().filter(|&(_, ticket)| kept.contains(ticket));
            kept.fold(0, |bits, (index, _)| bits | 1 << index)
        };
        let keeps = |action: A| Some((bits(game.ticket_choice(state, seat, action)?.kept), action));
        let mut legal: Vec<_> = game.actions(state).into_iter().filter_map(keeps).collect();
        legal.sort_by_key(|&(kept, _)| kept);
        Some(Self { seat, before: 0, offered, chosen: action, legal })
    }

    /// The legal choice with the most tickets.
    pub(super) fn largest(&self) -> Option<A> {
        self.legal.iter().max_by_key(|(kept, _)| kept.count_ones()).map(|&(_, action)| action)
    }
}

/// Records the opening choices of a game.
pub(in crate::tickets) struct Choices<A> {
    pub(super) made: Vec<Choice<A>>,
    /// Number of decisions by seat.
    taken: Vec<usize>,
}

impl<A> Choices<A> {
    pub(in crate::tickets) fn new(seats: usize) -> Self {
        Self { made: Vec::new(), taken: vec![0; seats] }
    }
}

impl<G: Playable> Watch<G> for &mut Choices<G::Action> {
    fn decision(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        let before = self.taken[seat];
        self.taken[seat] += 1;
        if let Some(choice) = Choice::new(game, state, seat, action) {
            self.made.push(Choice { before, ..choice });
        }
    }
}

/// An agent with one decision replaced.
pub(super) struct Forced<'a, G: Game> {
    pub(super) agent: &'a mut dyn Agent<G>,
    /// Number of decisions before the replaced one; `None` afterwards.
    pub(super) wait: Option<usize>,
    pub(super) action: G::Action,
}

impl<G: Game> Agent<G> for Forced<'_, G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.agent.begin(game, seat);
    }

    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        // The agent decides in any case: its rolls and its memory are the same in all games of the choice.
        let own = self.agent.choose(view, dice)?;
        let now = self.wait == Some(0);
        self.wait = self.wait.and_then(|wait| wait.checked_sub(1));
        Ok(if now { self.action } else { own })
    }

    fn wants_steps(&self) -> bool {
        self.agent.wants_steps()
    }

    fn see(&mut self, step: &SeenStep<'_, G>) {
        self.agent.see(step);
    }

    fn end(&mut self, game: &G, state: &G::State, forfeit: Option<Seat>) {
        self.agent.end(game, state, forfeit);
    }
}
