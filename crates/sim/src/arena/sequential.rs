//! A sequential test that ends an arena as soon as it is decided.

use std::ops::Range;

use super::record::{GameRecord, SHARE};
use super::{Arena, ArenaPart, SprtPlan, SprtSummary};
use crate::game::Playable;
use crate::run::kept::StopRule;
use crate::stats::{Course, Encounter, Sprt};
use crate::table::runner::{Go, Study};

/// The error probability of a sequential test, for either hypothesis.
const ERROR: f64 = 0.05;

/// The sequential test of an arena, with its LLR over deals. It takes deals in order.
pub(super) struct Sequential<'a, G> {
    arena: &'a Arena<G>,
    plan: &'a SprtPlan,
    sprt: Sprt,
    path: Course<f64>,
}

impl<'a, G: Playable> Sequential<'a, G> {
    /// The test before the first deal, if there is one.
    pub(super) fn new(arena: &'a Arena<G>) -> Option<Self> {
        let plan = arena.options.sprt.as_ref()?;
        let sprt = Sprt::new(plan.elo0, plan.elo1, ERROR, ERROR);
        Some(Self { arena, plan, sprt, path: Course::default() })
    }

    /// Returns `true` once the test has decided.
    pub(super) fn is_decided(&self) -> bool {
        self.sprt.decision().is_some()
    }

    /// The current state of the test.
    pub(super) fn summary(self) -> SprtSummary {
        let label = |agent: usize| self.arena.entrants[agent].label();
        let summary = SprtSummary::new(&self.sprt, label(self.plan.agent), label(self.plan.other));
        SprtSummary { path: self.path.finish(|| self.sprt.llr()), ..summary }
    }

    /// Adds the games of a part; returns the deal that decides.
    fn add(&mut self, part: &ArenaPart) -> Option<u64> {
        for games in part.games.chunk_by(|a, b| a.deal == b.deal) {
            let (wins, encounters) = encounters(games, self.plan.agent, self.plan.other);
            if encounters.is_empty() {
                continue;
            }
            let decision = self.sprt.add(wins, &encounters);
            self.path.add(|| self.sprt.llr());
            if decision.is_some() {
                return games.first().map(|game| game.deal);
            }
        }
        None
    }
}

impl<G: Playable> StopRule<ArenaPart> for Sequential<'_, G> {
    fn look(&mut self, deals: &mut Range<u64>, part: &mut ArenaPart) -> Go {
        let Some(deal) = self.add(part) else { return Go::On };
        deals.end = deal + 1;
        part.shorten(deals.end, self.arena.games_per_deal());
        Go::Stop
    }
}

/// Number of wins of an agent in games of a deal against another, and number of these games that either of
/// the two won.
pub(crate) fn encounters(games: &[GameRecord], agent: usize, other: usize) -> (f64, Vec<Encounter>) {
    let mut wins = 0.0;
    let mut encounters: Vec<Encounter> = Vec::new();
    for game in games {
        let of = |agent: usize| {
            let seats = game.seats.iter().filter(|seat| seat.agent == agent);
            seats.fold((0.0, 0.0), |sum, seat| (sum.0 + 1.0, sum.1 + f64::from(seat.share) / SHARE as f64))
        };
        let ((seats, own), (others, lost)) = (of(agent), of(other));
        if seats == 0.0 || others == 0.0 || own + lost == 0.0 {
            continue;
        }
        wins += own;
        match encounters.iter_mut().find(|known| known.seats == seats / others) {
            Some(known) => known.games += own + lost,
            None => encounters.push(Encounter { seats: seats / others, games: own + lost }),
        }
    }
    (wins, encounters)
}
