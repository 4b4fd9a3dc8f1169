//! What tickets, routes and cities are worth: statistics over many games.

mod run;
mod summary;
mod tally;

use std::ops::Range;

use ttr_engine::board::BoardGame;
use ttr_engine::{CardKind, Dice, Seat};

pub use run::TicketRun;
pub(crate) use summary::descending;
pub use summary::{CityRow, PairRow, Rare, RouteRow, TicketRow, TicketSummary};
pub use tally::{TicketSums, TicketTally};

use crate::arena::{ENDINGS, SHARE};
use crate::entrant::{Crew, Entrant};
use crate::game_play::{self, Watch, deal_seed};
use crate::kept_run::KeptStudy;
use crate::playable::{Claim, Playable, Rarities, members};
use crate::runner::{self, Drive, Go, Study};
use crate::schedule::{Schedule, Slot};

/// Plays games and keeps sums only: memory and disk do not grow with their number.
///
/// ```
/// use ttr_agents::AgentSpec;
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::{entrant::Entrant, runner::Drive, tickets::Tickets};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let entrants = vec![Entrant::from_spec(&game, &AgentSpec::parse("greedy")?)?];
/// let study = Tickets::new(game, entrants, 1);
/// let summary = study.play_deals(0..200, &Drive::threads(2))?;
/// assert_eq!((summary.games, summary.tickets.len(), summary.routes.len()), (200, 30, 100));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tickets<G> {
    /// The rules.
    pub game: G,
    /// Who plays.
    pub entrants: Vec<Entrant<G>>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The master seed.
    pub seed: u64,
}

impl<G: Playable> Tickets<G> {
    /// Everybody against everybody; a single agent against itself.
    pub fn new(game: G, entrants: Vec<Entrant<G>>, seed: u64) -> Self {
        let schedule = Schedule::round_robin(entrants.len(), game.seats());
        Self { game, entrants, schedule, seed }
    }

    /// Plays deals in memory, and sums up.
    ///
    /// # Errors
    /// If an agent can't be made, or forfeits.
    pub fn play_deals(&self, deals: Range<u64>, drive: &Drive<'_>) -> anyhow::Result<TicketSummary> {
        let mut tally = self.tally();
        runner::run(&self.game, &self.entrants, self, deals, drive, |_, part| {
            tally.merge(&part);
            Ok(Go::On)
        })?;
        Ok(TicketSummary::new(self, &tally))
    }

    /// A tally without games.
    pub fn tally(&self) -> TicketTally {
        let cities = self.game.board().map_or(0, |board| board.map().cities.len());
        TicketTally::new(self.game.ticket_names().len(), self.game.route_names().len(), cities)
    }

    fn play_game(
        &self,
        crew: &mut Crew<'_, G>,
        deal: u64,
        slot: &Slot,
        tally: &mut TicketTally,
    ) -> anyhow::Result<()> {
        let seats = self.game.seats();
        let entrant = |seat: Seat| &self.entrants[slot.agents[seat.index()]];
        let mut dice: Vec<Dice> = Seat::all(seats)
            .map(|seat| entrant(seat).dice(self.seed, deal, slot.game as u64, seat))
            .collect();
        let mut watch =
            Watcher { deal, tally, claims: Vec::new(), open_claim: None, rarities: Rarities::default() };
        let mut agents = crew.take_seats(slot)?;
        let played =
            game_play::play(&self.game, deal_seed(self.seed, deal), &mut agents, &mut dice, &mut watch);
        if let Some((seat, why)) = &played.forfeit {
            anyhow::bail!("deal {deal}, game {}: {seat} forfeits: {why}", slot.game);
        }
        watch.settle(&self.game, &played.state);
        let Watcher { claims, rarities, .. } = watch;
        let results = played.results(&self.game);
        let winners = results.iter().filter(|result| result.rank == 0).count() as i64;
        tally.games += 1;
        tally.turns += u64::from(self.game.turns(&played.state));
        tally.deck_empty += u64::from(rarities.deck_empty);
        tally.flush_guard += u64::from(rarities.flush_guard);
        let ending = played.ending(&self.game);
        if let Some(index) = ENDINGS.iter().position(|&known| known == ending) {
            tally.endings[index] += 1;
        }
        for (seat, result) in Seat::all(seats).zip(&results) {
            let share = if result.rank == 0 { (SHARE / winners) as u8 } else { 0 };
            tally.add_seat(deal, None, share, result.points);
            let held = result.completed_tickets | result.failed_tickets;
            for ticket in members(held) {
                tally.add_seat(deal, Some(ticket), share, result.points);
                let completed = i64::from(result.completed_tickets >> ticket & 1 == 1);
                tally.blocks.add(deal, TicketTally::holders(Some(ticket)) + tally::COMPLETED, completed);
                for other in members(held).take_while(|&other| other < ticket) {
                    let both = result.completed_tickets >> ticket & result.completed_tickets >> other & 1;
                    let pair = &mut tally.pairs[TicketTally::pair(ticket, other)];
                    pair[0] += 1;
                    pair[1] += both as u64;
                    pair[2] += u64::from(share);
                }
            }
            let own: Vec<_> = claims.iter().filter(|claim| claim.0 == seat).collect();
            for (_, claim, turn) in &own {
                let at = tally.route(claim.route);
                let sums = [1, i64::from(share), i64::from(*turn), i64::from(claim.locomotives)];
                sums.into_iter().enumerate().for_each(|(sum, value)| tally.blocks.add(deal, at + sum, value));
                let colour = claim.colour.map_or(tally::KINDS - 1, |colour| {
                    CardKind::ALL.iter().position(|&kind| kind == colour).unwrap_or(tally::KINDS - 1)
                });
                tally.colours[claim.route][colour] += 1;
            }
            if let Some(board) = self.game.board() {
                let routes: Vec<_> = own.iter().map(|(_, claim, turn)| (claim.route, *turn)).collect();
                add_network(board, deal, &routes, held, share, tally);
            }
        }
        Ok(())
    }
}

impl<G: Playable> Study<G> for Tickets<G> {
    type Part = TicketTally;

    fn empty(&self) -> TicketTally {
        self.tally()
    }

    fn play(&self, crew: &mut Crew<'_, G>, deal: u64, tally: &mut TicketTally) -> anyhow::Result<()> {
        self.schedule.games(deal).try_for_each(|slot| self.play_game(crew, deal, &slot, tally))
    }

    fn join(&self, part: &mut TicketTally, next: TicketTally) {
        part.merge(&next);
    }

    fn games_per_deal(&self) -> u64 {
        self.schedule.games_per_deal()
    }
}

impl<G: Playable> KeptStudy<G> for Tickets<G> {
    fn check(&self, tally: &TicketTally, deals: &Range<u64>) -> Result<(), String> {
        tally.check(&self.tally(), deals, self.games_per_deal(), self.game.seats() as u64)
    }
}

/// Adds which cities a seat reached, and when and with how many trains it joined the cities of its tickets. `routes`
/// are its routes with the turns of their claims, in order.
fn add_network(
    board: &BoardGame,
    deal: u64,
    routes: &[(usize, u16)],
    held: u128,
    share: u8,
    tally: &mut TicketTally,
) {
    use ttr_engine::board::network::Components;
    let mut joined = Components::new(&[]);
    let mut cities = 0u128;
    let mut open = held;
    for &(route, turn) in routes {
        let [a, b] = board.routes()[route].ends;
        joined.join(a.0, b.0);
        cities |= 1 << a.0 | 1 << b.0;
        for ticket in members(open) {
            let [from, to] = board.tickets()[ticket].ends;
            if joined.joined(from.0, to.0) {
                open &= !(1 << ticket);
                let sums = &mut tally.tickets[ticket];
                sums.joined += 1;
                sums.turns += u64::from(turn);
                sums.trains += u64::from(shortest(board, routes, from.index(), to.index()));
            }
        }
    }
    for city in members(cities) {
        let at = tally.city(city);
        tally.blocks.add(deal, at, 1);
        tally.blocks.add(deal, at + 1, share.into());
    }
}

/// Trains of the shortest way between two cities that some routes join.
fn shortest(board: &BoardGame, routes: &[(usize, u16)], from: usize, to: usize) -> u16 {
    let mut distance = [u16::MAX / 2; 128];
    distance[from] = 0;
    // Few routes: relaxing all of them until nothing changes is quick.
    loop {
        let mut changed = false;
        for &(route, _) in routes {
            let route = &board.routes()[route];
            let [a, b] = route.ends.map(|city| city.index());
            for (a, b) in [(a, b), (b, a)] {
                let through = distance[a] + u16::from(route.length);
                if through < distance[b] {
                    distance[b] = through;
                    changed = true;
                }
            }
        }
        if !changed {
            return distance[to];
        }
    }
}

/// Keeps of a game what the sums need.
struct Watcher<'t> {
    deal: u64,
    tally: &'t mut TicketTally,
    /// Whose, what, in which turn.
    claims: Vec<(Seat, Claim, u16)>,
    /// A claim that may still fail, as tunnels do, with the claimant's routes before it.
    open_claim: Option<(Seat, Claim, u16, u128)>,
    rarities: Rarities,
}

impl Watcher<'_> {
    /// Looks whether the last claim succeeded.
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

impl<G: Playable> Watch<G> for Watcher<'_> {
    fn decision(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        self.settle(game, state);
        let seen = game.rarities(state);
        self.rarities.deck_empty |= seen.deck_empty;
        self.rarities.flush_guard |= seen.flush_guard;
        if let Some(claim) = game.claim(action) {
            let turn = game.turns(state);
            self.open_claim = Some((seat, claim, turn, game.routes_of(state, seat)));
        } else if let Some(choice) = game.ticket_choice(state, seat, action) {
            for ticket in members(choice.offered) {
                let kept = choice.kept >> ticket & 1 == 1;
                if choice.opening {
                    let at = TicketTally::holders(Some(ticket));
                    self.tally.blocks.add(self.deal, at + tally::OFFERED, 1);
                    self.tally.blocks.add(self.deal, at + tally::KEPT, kept.into());
                } else {
                    let sums = &mut self.tally.tickets[ticket];
                    sums.offered_later += 1;
                    sums.kept_later += u64::from(kept);
                }
            }
        }
    }
}
