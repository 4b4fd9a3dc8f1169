//! Final scoring: points by source, bonuses, ranks.

use arrayvec::ArrayVec;
use serde::Serialize;

use crate::board::compile::BoardGame;
use crate::board::network::{self, Edge, StationOptions, TicketEnds};
use crate::board::state::{NOWHERE, State};
use crate::game::Scores;
use crate::pieces::{BySeat, CityId, CitySet, RouteSet, Seat, TicketId, TicketPlace, TicketSet};
use crate::spec::{MAX_STATIONS, TieBreak};

/// The points of one seat by source.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game, Seat};
/// let game = BoardGame::new(&maps::load("europe")?, 2)?;
/// let mut state = game.deal(&mut Dice::from_seed(1));
/// game.playout(&mut state, &mut Dice::from_seed(2), &mut Dice::from_seed(3));
/// let sheet = game.score_sheet(&state);
/// let score = sheet[Seat::new(1)];
/// assert_eq!(score.total, score.routes + score.tickets + score.stations + score.longest_path_bonus);
/// assert_eq!(score.total, game.scores(&state).points[Seat::new(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct SeatScore {
    /// For claimed routes.
    pub routes: i16,
    /// For tickets, failed ones subtracted.
    pub tickets: i16,
    /// For stations not built.
    pub stations: i16,
    /// For the longest path.
    pub longest_path_bonus: i16,
    /// For the most completed tickets.
    pub most_tickets_bonus: i16,
    /// For the most depots in reserve.
    pub depot_bonus: i16,
    /// The sum of the above; in games without points, the number of completed tickets.
    pub total: i16,
    /// Number of completed tickets, bonus tickets included.
    pub completed: u8,
    /// Number of held tickets that are not completed.
    pub failed: u8,
    /// Length of the longest path, if the rules need it.
    pub longest_path: u16,
    /// Number of stations built.
    pub stations_built: u8,
    /// Rank after all tie-breaks, 0 for a winner.
    pub rank: u8,
}

/// The points of all seats.
pub type ScoreSheet = BySeat<SeatScore>;

impl BoardGame {
    /// Scores a position as if the game ended now: points by source and seat.
    pub fn score_sheet(&self, s: &State) -> ScoreSheet {
        let mut sheet: ScoreSheet = Seat::all(self.seats).map(|seat| self.seat_score(s, seat)).collect();
        self.add_bonuses(s, &mut sheet);
        self.rank(s, &mut sheet);
        sheet
    }

    /// The tickets of a seat that count as completed if the game ends now, with the best use of its
    /// stations; in First Journey, those it has shown.
    pub fn completed_tickets(&self, s: &State, seat: Seat) -> TicketSet {
        if self.rules.journey.is_some() {
            return s.tickets.at(TicketPlace::Done(seat));
        }
        let mut components = self.components(s, seat);
        let held = s.tickets.at(TicketPlace::Held(seat));
        let stations = self.stations_to_use(s, seat);
        if !stations.is_empty() {
            let used = network::best_station_use(&components, &stations, &self.ticket_ends(held));
            for (station, city) in stations.iter().zip(used.borrowed) {
                if let Some(city) = city {
                    components.join(station.city, city);
                }
            }
        }
        let joined = |ticket: &TicketId| {
            let [a, b] = self.tickets[ticket.index()].ends;
            components.joined(a, b)
        };
        held.into_iter().filter(joined).collect()
    }

    /// The tickets of a seat that count as failed if the game ends now.
    pub fn failed_tickets(&self, s: &State, seat: Seat) -> TicketSet {
        s.tickets.at(TicketPlace::Held(seat)) - self.completed_tickets(s, seat)
    }

    pub(crate) fn scores(&self, s: &State) -> Scores {
        let sheet = self.score_sheet(s);
        Scores {
            points: sheet.iter().map(|seat| seat.total).collect(),
            ranks: sheet.iter().map(|seat| seat.rank).collect(),
        }
    }

    fn seat_score(&self, s: &State, seat: Seat) -> SeatScore {
        if self.rules.journey.is_some() {
            let completed = self.journey_completed(s, seat);
            let failed = s.tickets.at(TicketPlace::Held(seat)).len() as u8;
            return SeatScore { completed, failed, total: completed.into(), ..SeatScore::default() };
        }
        let edges = self.edges_of(s, seat);
        let held = s.tickets.at(TicketPlace::Held(seat));
        let (tickets, completed) = self.score_tickets(s, seat, &edges, held);
        let stations_built = s.stations_built(seat);
        let unbuilt = self.rules.stations - stations_built;
        let mut score = SeatScore {
            routes: s.points[seat] as i16,
            tickets,
            stations: i16::from(unbuilt) * i16::from(self.rules.unbuilt_station_points), // EU-10
            completed,
            failed: held.len() as u8 - completed,
            longest_path: if self.needs_longest_path() { network::longest_trail(&edges) } else { 0 },
            stations_built,
            ..SeatScore::default()
        };
        score.total = score.routes + score.tickets + score.stations;
        score
    }

    fn needs_longest_path(&self) -> bool {
        self.rules.longest_path_bonus > 0 || self.rules.tie_breaks.contains(&TieBreak::LongestPath)
    }

    /// Points of a seat's tickets and the number completed, with the best use of its stations (CC-32,
    /// EU-9).
    fn score_tickets(&self, s: &State, seat: Seat, edges: &[Edge], held: TicketSet) -> (i16, u8) {
        let components = network::Components::new(edges);
        if s.stations[seat][0] == NOWHERE {
            return network::score_tickets(&components, held.into_iter().map(|ticket| self.ends_of(ticket)));
        }
        network::best_stations(&components, &self.stations_to_use(s, seat), &self.ticket_ends(held))
    }

    #[inline]
    fn ends_of(&self, ticket: TicketId) -> TicketEnds {
        let ticket = &self.tickets[ticket.index()];
        TicketEnds { a: ticket.ends[0], b: ticket.ends[1], points: ticket.points }
    }

    fn ticket_ends(&self, tickets: TicketSet) -> ArrayVec<TicketEnds, { TicketSet::CAPACITY }> {
        let mut ends = ArrayVec::new();
        tickets.into_iter().for_each(|ticket| ends.push(self.ends_of(ticket)));
        ends
    }

    fn stations_to_use(&self, s: &State, seat: Seat) -> ArrayVec<StationOptions, MAX_STATIONS> {
        let others = s.claimed_routes() - s.routes_of(seat);
        s.stations_of(seat).map(|city| self.station_options(city, others)).collect()
    }

    /// The cities that a station could reach over another seat's route (EU-8).
    fn station_options(&self, city: CityId, others: RouteSet) -> StationOptions {
        let mut opposite = CitySet::EMPTY;
        for route in self.at_city[city.index()] & others {
            opposite.extend(self.route(route).ends);
        }
        opposite.remove(city);
        StationOptions { city, opposite }
    }

    /// Adds bonuses. A bonus goes to all seats that share the maximum, and to none if the maximum is 0
    /// (A-35).
    fn add_bonuses(&self, s: &State, sheet: &mut ScoreSheet) {
        let longest = sheet.iter().map(|seat| seat.longest_path).max().unwrap_or(0);
        let most = sheet.iter().map(|seat| seat.completed).max().unwrap_or(0);
        let depots = self.rules.depots.as_ref().map_or(0, |depots| depots.bonus);
        let reserves = s.reserve.iter().copied().max().unwrap_or(0);
        for (seat, reserve) in sheet.iter_mut().zip(s.reserve) {
            if reserves > 0 && reserve == reserves {
                seat.depot_bonus = depots.into(); // X-11
            }
            if longest > 0 && seat.longest_path == longest {
                seat.longest_path_bonus = self.rules.longest_path_bonus.into();
            }
            if most > 0 && seat.completed == most {
                seat.most_tickets_bonus = self.rules.most_tickets_bonus.into();
            }
            seat.total += seat.longest_path_bonus + seat.most_tickets_bonus + seat.depot_bonus;
        }
    }

    /// Ranks by points and tie-breaks (EU-11, NO-11, section 10, A-57).
    fn rank(&self, s: &State, sheet: &mut ScoreSheet) {
        let ranks: BySeat<u8> = Seat::all(self.seats)
            .map(|seat| {
                Seat::all(self.seats).filter(|&other| self.is_ahead(s, sheet, other, seat)).count() as u8
            })
            .collect();
        for (score, rank) in sheet.iter_mut().zip(&ranks) {
            score.rank = *rank;
        }
    }

    fn is_ahead(&self, s: &State, sheet: &ScoreSheet, seat: Seat, other: Seat) -> bool {
        let [score, others] = [seat, other].map(|seat| &sheet[seat]);
        if score.total != others.total || seat == other {
            return score.total > others.total;
        }
        let keys = self.rules.tie_breaks.iter().map(|&tie_break| {
            (self.tie_break_key(s, seat, score, tie_break), self.tie_break_key(s, other, others, tie_break))
        });
        keys.into_iter().find(|(key, others)| key != others).is_some_and(|(key, others)| key > others)
    }

    fn tie_break_key(&self, s: &State, seat: Seat, score: &SeatScore, tie_break: TieBreak) -> i16 {
        match tie_break {
            TieBreak::CompletedTickets => score.completed.into(),
            TieBreak::FewestStations => -i16::from(score.stations_built),
            TieBreak::LongestPathBonus => score.longest_path_bonus,
            TieBreak::LongestPath => score.longest_path as i16,
            TieBreak::LongestTicket => {
                let completed = self.completed_tickets(s, seat).into_iter();
                completed.map(|ticket| i16::from(self.tickets[ticket.index()].points)).max().unwrap_or(0)
            }
        }
    }
}
