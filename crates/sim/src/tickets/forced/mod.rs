//! Causal values of tickets: every legal opening choice of every seat is played on the same seeds.

mod choices;
mod effects;
mod fit;
mod opening;
mod summary;
mod tables;
#[cfg(test)]
mod tests;

use ttr_agents::Agent;
use ttr_engine::{Dice, Turn, maps};

use opening::Arm;
pub(super) use opening::Choices;
pub(super) use opening::Opening;
pub(super) use summary::ForcedSums;
pub use summary::{CORRECTED_CHOICE, OWN_CHOICE, RANDOM_CHOICE};
pub use summary::{ChoiceRow, EffectRow, ForcedSummary};
pub(super) use tables::{OpeningRows, effect_cells, effect_columns, write_choices, write_effects};

use super::{SeatOutcome, Tickets};
use crate::game::{AnyGame, Playable};
use crate::table::entrant::Crew;
use crate::table::one_game::{Played, Watch};
use crate::table::runner::PlayError;
use crate::table::schedule::Slot;
use crate::with_game;
use opening::{Choice, Forced};

/// The error of a game in which no seat chooses among opening tickets.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{map} has no opening choice of tickets to force: every seat keeps all that it is dealt; maps with a choice: {}",
    maps_with_choices().join(", ")
)]
pub struct NoChoice {
    /// The map's id.
    pub map: String,
}

/// The shipped maps on which seats choose among opening tickets.
fn maps_with_choices() -> Vec<&'static str> {
    let chooses = |id: &&str| {
        let game = maps::find_any(id).ok().and_then(|spec| AnyGame::new(&spec, spec.seats().min.into()).ok());
        game.is_some_and(|game| with_game!(game, game => has_choice(&game)))
    };
    maps::all_ids().filter(chooses).collect()
}

fn has_choice<G: Playable>(game: &G) -> bool {
    sizes_of_choices(game).iter().any(|sizes| sizes.len() > 1)
}

/// Checks that seats choose among opening tickets.
///
/// # Errors
/// If they do not.
pub fn check_choice<G: Playable>(game: &G) -> Result<(), NoChoice> {
    if has_choice(game) { Ok(()) } else { Err(NoChoice { map: game.map_id().to_owned() }) }
}

/// By opening choice, in the order in which they are made: number of tickets that each legal choice keeps.
/// Every seat keeps as many tickets as it can, which leaves the most choices for later.
pub(super) fn sizes_of_choices<G: Playable>(game: &G) -> Vec<Vec<u32>> {
    let mut dice = Dice::from_seed(0);
    let mut state = game.deal(&mut dice);
    let mut all = Vec::new();
    while let Turn::Of(seat) = game.turn(&state) {
        let first = game.actions(&state)[0];
        let Some(choice) = Choice::new(game, &state, seat, first) else { break };
        all.push(choice.legal.iter().map(|(kept, _)| kept.count_ones()).collect());
        game.play_unchecked(&mut state, choice.largest().unwrap_or(first), &mut dice);
    }
    all
}

/// Maximum number of games of each line-up and rotation of a deal: the one without a forced choice, and one
/// for each other choice.
pub(super) fn most_games<G: Playable>(game: &G) -> u64 {
    1 + sizes_of_choices(game).iter().map(|sizes| sizes.len() as u64 - 1).sum::<u64>()
}

impl<G: Playable> Tickets<G> {
    /// Plays all other legal opening choices of a game without forced choices.
    pub(super) fn force(
        &self,
        crew: &mut Crew<'_, G>,
        deal: u64,
        slot: &Slot,
        choices: &Choices<G::Action>,
        free: &[SeatOutcome],
    ) -> Result<Vec<Opening>, PlayError> {
        choices.made.iter().map(|choice| self.force_choice(crew, deal, slot, choice, free)).collect()
    }

    fn force_choice(
        &self,
        crew: &mut Crew<'_, G>,
        deal: u64,
        slot: &Slot,
        choice: &Choice<G::Action>,
        free: &[SeatOutcome],
    ) -> Result<Opening, PlayError> {
        let seat = choice.seat.index();
        let mut arms = Vec::with_capacity(choice.legal.len());
        let mut own = 0;
        for &(kept, action) in &choice.legal {
            let SeatOutcome { share, points } = if action == choice.chosen {
                own = arms.len() as u8;
                free[seat]
            } else {
                let played = self.play_forced(crew, deal, slot, choice, action, &mut ())?;
                SeatOutcome::of_all(&played.results(&self.game))[seat]
            };
            arms.push(Arm { kept, share, points });
        }
        Ok(Opening {
            deal,
            game: slot.game as u32,
            seat: choice.seat.into(),
            agent: slot.agents[seat] as u32,
            offered: choice.offered,
            arms,
            own,
        })
    }

    /// Plays the game again with another action for a choice.
    fn play_forced(
        &self,
        crew: &mut Crew<'_, G>,
        deal: u64,
        slot: &Slot,
        choice: &Choice<G::Action>,
        action: G::Action,
        watch: &mut impl Watch<G>,
    ) -> Result<Played<G::State>, PlayError> {
        let mut agents = crew.take_seats(slot)?;
        let seat = choice.seat.index();
        let mut forced = Forced { agent: agents.remove(seat), wait: Some(choice.before), action };
        let mut agents: Vec<&mut dyn Agent<G>> =
            agents.into_iter().map(|agent| agent as &mut dyn Agent<G>).collect();
        agents.insert(seat, &mut forced);
        self.play_table(&mut agents, deal, slot, watch)
    }

    /// Checks that the openings of a part are those of its deals.
    pub(super) fn check_openings(
        &self,
        openings: &[Opening],
        deals: &std::ops::Range<u64>,
    ) -> Result<(), String> {
        let tickets = self.game.ticket_names().len();
        let per_table = sizes_of_choices(&self.game).len();
        let mut left = openings.iter();
        for (deal, slot) in
            deals.clone().flat_map(|deal| self.schedule.games(deal).map(move |slot| (deal, slot)))
        {
            for _ in 0..per_table {
                let here = left.next().filter(|opening| {
                    let agent = slot.agents.get(usize::from(opening.seat));
                    (opening.deal, opening.game as usize) == (deal, slot.game)
                        && agent == Some(&(opening.agent as usize))
                        && opening.check(tickets, crate::arena::SHARE)
                });
                if here.is_none() {
                    return Err(format!("the openings of deal {deal} are not those of its games"));
                }
            }
        }
        if left.next().is_some() { Err("it has openings of other deals".into()) } else { Ok(()) }
    }
}
