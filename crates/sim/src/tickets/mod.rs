//! Statistics of tickets, routes and cities over many games.
//!
//! [`Tickets::play_deals`] plays in memory; a [`KeptRun`](crate::run::KeptRun) of [`Tickets`] plays into a
//! directory and writes tables. Both end in a [`TicketSummary`]. With [`Tickets::forced`] every legal
//! opening choice is played, which adds a [`ForcedSummary`].
//!
//! | module | contents |
//! |---|---|
//! | `tally` | sums over games, by ticket, route, city and deal |
//! | `effect` | differences that a ticket makes |
//! | `forced` | opening choices that are played in every legal way |
//! | `summary` | figures, and their tables for the terminal |
//! | `kept`, `tables` | statistics in a directory |

mod effect;
mod forced;
mod kept;
mod summary;
mod tables;
mod tally;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ttr_agents::{Agent, AgentSpec, Roads};
use ttr_engine::board::BoardGame;
use ttr_engine::{CardKind, CitySet, Dice, RouteId, RouteSet, Seat, TicketSet};

pub use effect::Effect;
pub use forced::{CORRECTED_CHOICE, OWN_CHOICE, RANDOM_CHOICE};
pub use forced::{ChoiceRow, EffectRow, ForcedSummary, NoChoice, check_choice};
pub use summary::descending;
pub use summary::{CityRow, PairRow, Rare, RouteRow, TicketRow, TicketSummary};

pub use crate::run::options::TicketOptions;

use crate::arena::SHARE;
use crate::game::{Claim, Playable, Rarities, SeatResult};
use crate::run::options::StudyPlan;
use crate::run::plan::RunPlan;
use crate::table::entrant::{Crew, Entrant};
use crate::table::one_game::{self, Played, Watch, deal_seed};
use crate::table::runner::{self, Drive, Go, PlayError, Study};
use crate::table::schedule::{Schedule, Slot};
use forced::{Choices, ForcedSums, Opening};
use tally::TicketTally;

/// Plays games and stores only sums: neither memory nor disk space grows with their number, unless opening
/// choices are forced.
///
/// ```
/// use ttr_agents::AgentSpec;
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::table::{Drive, Entrant};
/// use ttr_sim::tickets::Tickets;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let entrants = vec![Entrant::from_spec(&game, &AgentSpec::parse("greedy")?)?];
/// let study = Tickets::new(game, entrants, 1);
/// let summary = study.play_deals(0..200, &Drive::threads(2))?;
/// assert_eq!((summary.games, summary.tickets.len(), summary.cities.len()), (200, 30, 36));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tickets<G> {
    /// The rules.
    pub game: G,
    /// The agents.
    pub entrants: Vec<Entrant<G>>,
    /// The schedule of line-ups.
    pub schedule: Schedule,
    /// The master seed.
    pub seed: u64,
    /// Play every legal opening choice of every seat.
    pub forced: bool,
    /// The paths over the board, if there is one.
    roads: Option<Roads>,
}

/// The results of some consecutive deals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketPart {
    /// Sums of the games without a forced choice.
    tally: TicketTally,
    /// Opening choices, if they are forced.
    openings: Vec<Opening>,
}

/// The short result of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SeatOutcome {
    /// Share of the win, out of [`SHARE`].
    share: u8,
    points: i16,
}

impl SeatOutcome {
    fn of_all(results: &[SeatResult]) -> Vec<Self> {
        let winners = results.iter().filter(|result| result.rank == 0).count() as i64;
        let outcome = |result: &SeatResult| Self {
            share: if result.rank == 0 { (SHARE / winners) as u8 } else { 0 },
            points: result.points,
        };
        results.iter().map(outcome).collect()
    }
}

impl<G: Playable> Tickets<G> {
    /// Creates a study in which all agents play each other; a single agent plays itself.
    pub fn new(game: G, entrants: Vec<Entrant<G>>, seed: u64) -> Self {
        let schedule = Schedule::round_robin(entrants.len(), game.seats());
        let roads = game.board().map(Roads::new);
        Self { game, entrants, schedule, seed, forced: false, roads }
    }

    /// Forces every legal opening choice of every seat.
    ///
    /// # Errors
    /// If the game has no such choice.
    pub fn forced(self) -> Result<Self, NoChoice> {
        check_choice(&self.game)?;
        Ok(Self { forced: true, ..self })
    }

    /// Plays deals in memory, and sums up.
    ///
    /// # Errors
    /// If an agent can't be made, or forfeits.
    pub fn play_deals(&self, deals: Range<u64>, drive: &Drive<'_>) -> Result<TicketSummary, PlayError> {
        let mut whole = self.empty();
        runner::run(self, deals, drive, |_, part| {
            self.join(&mut whole, part);
            Ok::<_, PlayError>(Go::On)
        })?;
        let forced = self.forced.then(|| self.forced_summary(&whole.openings));
        Ok(TicketSummary::new(self, &whole.tally, forced))
    }

    /// Sums up opening choices, which are in order.
    fn forced_summary(&self, openings: &[Opening]) -> ForcedSummary {
        let mut sums = ForcedSums::new(self);
        openings.iter().for_each(|opening| sums.add(opening));
        let mut choices = sums.choices(self);
        openings.iter().for_each(|opening| choices.add(opening));
        sums.summary(self, &choices)
    }

    /// Maximum number of games per deal; fewer only where a choice in the opening leaves fewer for a later
    /// one.
    pub(crate) fn most_games_per_deal(game: &G, schedule: &Schedule, forced: bool) -> u64 {
        schedule.games_per_deal() * if forced { forced::most_games(game) } else { 1 }
    }

    /// The plan of a study of at least this many games, with as many deals as they take at most.
    ///
    /// # Errors
    /// If opening choices are to be forced, and there are none.
    pub fn plan(
        options: TicketOptions,
        game: &G,
        map: &str,
        seed: u64,
        agents: Vec<AgentSpec>,
        schedule: &Schedule,
        games: u64,
    ) -> Result<RunPlan, NoChoice> {
        if options.forced {
            check_choice(game)?;
        }
        let deals = games.div_ceil(Self::most_games_per_deal(game, schedule, options.forced));
        let plan = RunPlan::new(StudyPlan::Tickets(options), game, map, seed, agents);
        Ok(plan.with_deals(schedule, deals))
    }

    /// Creates a tally without games.
    fn tally(&self) -> TicketTally {
        let cities = self.game.board().map_or(0, |board| board.spec().cities.len());
        TicketTally::new(self.game.ticket_names().len(), self.game.route_names().len(), cities)
    }

    /// Plays a game of a deal with these agents, on the seeds of a slot.
    fn play_table(
        &self,
        agents: &mut [&mut dyn Agent<G>],
        deal: u64,
        slot: &Slot,
        watch: &mut impl Watch<G>,
    ) -> Result<Played<G::State>, PlayError> {
        let mut dice: Vec<Dice> = Seat::all(self.game.seats())
            .map(|seat| {
                let entrant = &self.entrants[slot.agents[seat]];
                entrant.dice(self.seed, deal, slot.game as u64, seat)
            })
            .collect();
        let played = one_game::play(&self.game, deal_seed(self.seed, deal), agents, &mut dice, watch);
        if let Some((seat, why)) = &played.forfeit {
            let agent = self.entrants[slot.agents[seat.index()]].label().to_owned();
            let reason = why.to_string();
            return Err(PlayError::Forfeit { deal, game: slot.game, agent, seat: *seat, reason });
        }
        Ok(played)
    }

    fn play_game(
        &self,
        crew: &mut Crew<'_, G>,
        deal: u64,
        slot: &Slot,
        part: &mut TicketPart,
    ) -> Result<(), PlayError> {
        let seats = self.game.seats();
        let tally = &mut part.tally;
        let mut choices = Choices::new(seats);
        let mut watch = Watcher {
            deal,
            tally,
            claims: Vec::new(),
            open_claim: None,
            offered: vec![TicketSet::EMPTY; seats],
            rarities: Rarities::default(),
        };
        let mut agents = crew.take_seats(slot)?;
        let played = if self.forced {
            self.play_table(&mut agents, deal, slot, &mut (&mut watch, &mut choices))?
        } else {
            self.play_table(&mut agents, deal, slot, &mut &mut watch)?
        };
        watch.settle(&self.game, &played.state);
        let Watcher { claims, offered, rarities, .. } = watch;
        let results = played.results(&self.game);
        let outcomes = SeatOutcome::of_all(&results);
        tally.games += 1;
        tally.turns += u64::from(self.game.turns(&played.state));
        tally.deck_empty += u64::from(rarities.deck_empty);
        tally.flush_guard += u64::from(rarities.flush_guard);
        tally.endings[played.ending(&self.game).index()] += 1;
        for (seat, result) in Seat::all(seats).zip(&results) {
            let share = outcomes[seat].share;
            for ticket in offered[seat] {
                tally.add_offer(deal, ticket.index(), share, result.points);
            }
            tally.add_seat(deal, None, share, result.points);
            let held = result.completed_tickets | result.failed_tickets;
            for ticket in held {
                let completed = result.completed_tickets.contains(ticket);
                let holders = TicketTally::holders(Some(ticket.index()));
                tally.add_seat(deal, Some(ticket.index()), share, result.points);
                tally.blocks.add(deal, holders + tally::COMPLETED, completed.into());
                for other in held.into_iter().take_while(|&other| other < ticket) {
                    let both = completed && result.completed_tickets.contains(other);
                    let pair = &mut tally.pairs[TicketTally::pair(ticket.index(), other.index())];
                    pair[0] += 1;
                    pair[1] += u64::from(both);
                    pair[2] += u64::from(share);
                }
            }
            let own: Vec<_> = claims.iter().filter(|claim| claim.0 == seat).collect();
            for (_, claim, turn) in &own {
                let at = tally.route(claim.route.index());
                let sums = [1, i64::from(share), i64::from(*turn), i64::from(claim.locomotives)];
                sums.into_iter().enumerate().for_each(|(sum, value)| tally.blocks.add(deal, at + sum, value));
                let colour = claim.colour.map_or(tally::KINDS - 1, |colour| {
                    CardKind::ALL.iter().position(|&kind| kind == colour).unwrap_or(tally::KINDS - 1)
                });
                tally.colours[claim.route.index()][colour] += 1;
            }
            if let (Some(board), Some(roads)) = (self.game.board(), &self.roads) {
                let routes: Vec<_> = own.iter().map(|(_, claim, turn)| (claim.route, *turn)).collect();
                add_network(board, roads, deal, &routes, held, share, tally);
            }
        }
        part.openings.extend(self.force(crew, deal, slot, &choices, &outcomes)?);
        Ok(())
    }
}

impl<G: Playable> Study for Tickets<G> {
    type Game = G;
    type Part = TicketPart;

    fn game(&self) -> &G {
        &self.game
    }

    fn entrants(&self) -> &[Entrant<G>] {
        &self.entrants
    }

    fn empty(&self) -> TicketPart {
        TicketPart { tally: self.tally(), openings: Vec::new() }
    }

    fn play(&self, crew: &mut Crew<'_, G>, deal: u64, part: &mut TicketPart) -> Result<(), PlayError> {
        self.schedule.games(deal).try_for_each(|slot| self.play_game(crew, deal, &slot, part))
    }

    fn join(&self, part: &mut TicketPart, next: TicketPart) {
        part.tally.merge(&next.tally);
        part.openings.extend(next.openings);
    }

    fn bytes(&self, part: &TicketPart) -> usize {
        // Points take up to three bytes, the number of the deal at least as many.
        part.openings.iter().map(|opening| 12 + opening.offered.len() + 5 * opening.arms.len()).sum()
    }

    fn games_per_deal(&self) -> u64 {
        Self::most_games_per_deal(&self.game, &self.schedule, self.forced)
    }
}

/// Adds the cities that a seat reached, and the turns and numbers of trains with which it joined the cities
/// of its tickets. `routes` are its routes with the turns of their claims, in order.
fn add_network(
    board: &BoardGame,
    roads: &Roads,
    deal: u64,
    routes: &[(RouteId, u16)],
    held: TicketSet,
    share: u8,
    tally: &mut TicketTally,
) {
    use ttr_engine::board::network::Components;
    let mut joined = Components::new(&[]);
    let mut cities = CitySet::EMPTY;
    let mut open = held;
    let all = routes.iter().map(|&(route, _)| route).collect();
    for &(route, turn) in routes {
        let [a, b] = board.routes()[route.index()].ends;
        joined.join(a, b);
        cities.extend([a, b]);
        for ticket in open {
            let [from, to] = board.tickets()[ticket.index()].ends;
            if joined.joined(from, to) {
                open.remove(ticket);
                let sums = &mut tally.tickets[ticket.index()];
                sums.joined += 1;
                sums.turns += u64::from(turn);
                let shortest = roads.from(from, all, |route| board.route(route).length.into()).cost(to);
                sums.trains += u64::from(shortest.expect("its routes join the two"));
            }
        }
    }
    for city in cities {
        let at = tally.city(city.index());
        tally.blocks.add(deal, at, 1);
        tally.blocks.add(deal, at + 1, share.into());
    }
}

/// Records the data of a game that the sums need.
struct Watcher<'t> {
    deal: u64,
    tally: &'t mut TicketTally,
    /// The seat, the claim and the turn.
    claims: Vec<(Seat, Claim, u16)>,
    /// A claim that may still fail, as tunnels do, with the claimant's routes before it.
    open_claim: Option<(Seat, Claim, u16, RouteSet)>,
    /// The tickets offered before the first turn, by seat.
    offered: Vec<TicketSet>,
    rarities: Rarities,
}

impl Watcher<'_> {
    /// Checks whether the last claim succeeded.
    fn settle<G: Playable>(&mut self, game: &G, state: &G::State) {
        if let Some((seat, claim, turn, before)) = self.open_claim {
            let now = game.routes_of(state, seat);
            if now != before {
                self.open_claim = None;
                self.claims.push((seat, claim, turn));
            }
        }
    }
}

impl<G: Playable> Watch<G> for &mut Watcher<'_> {
    fn decision(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        self.settle(game, state);
        let seen = game.rarities(state);
        self.rarities.deck_empty |= seen.deck_empty;
        self.rarities.flush_guard |= seen.flush_guard;
        if let Some(claim) = game.claim(action) {
            let turn = game.turns(state);
            self.open_claim = Some((seat, claim, turn, game.routes_of(state, seat)));
        } else if let Some(choice) = game.ticket_choice(state, seat, action) {
            if choice.opening {
                self.offered[seat] |= choice.offered;
            }
            for ticket in choice.offered {
                let kept = choice.kept.contains(ticket);
                if choice.opening {
                    let at = TicketTally::holders(Some(ticket.index())) + tally::KEPT;
                    self.tally.blocks.add(self.deal, at, kept.into());
                } else {
                    let sums = &mut self.tally.tickets[ticket.index()];
                    sums.offered_later += 1;
                    sums.kept_later += u64::from(kept);
                }
            }
        }
    }
}
