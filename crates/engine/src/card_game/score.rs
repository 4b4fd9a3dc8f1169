//! Final scoring: points by source, city bonuses, ranks (CG-19 to CG-21).

use serde::Serialize;

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::state::{SEATS, State};
use crate::game::Scores;
use crate::pieces::{BySeat, Seat, TicketPlace, TicketSet};

/// The points of one seat by source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct SeatScore {
    /// For completed tickets (CG-16).
    pub tickets: i16,
    /// For tickets not completed, at most 0 (CG-19).
    pub failed_tickets: i16,
    /// For big cities (CG-20).
    pub city_bonus: i16,
    /// The sum.
    pub total: i16,
    /// Number of completed tickets.
    pub completed: u8,
    /// Number of held tickets that are not completed.
    pub failed: u8,
    /// Number of bonus cards scored.
    pub bonus_cards: u8,
    /// Rank after all tie-breaks, 0 for a winner.
    pub rank: u8,
}

/// The points of all seats.
pub type ScoreSheet = BySeat<SeatScore>;

impl CardGame {
    /// Scores a position as if the game ended now: points by source and seat.
    pub fn score_sheet(&self, s: &State) -> ScoreSheet {
        let now = match s.phase {
            Phase::Over(_) => [TicketSet::EMPTY; SEATS],
            _ => self.completions(s, true),
        };
        let mut done = [TicketSet::EMPTY; SEATS];
        let score = |seat: Seat| {
            let held = (s.held(seat) | s.tickets.at(TicketPlace::Chosen(seat))) - now[seat];
            let completed = s.tickets.at(TicketPlace::Done(seat)) | now[seat];
            done[seat] = completed;
            let (tickets, failed_tickets) = (self.points(completed), -self.points(held));
            SeatScore {
                tickets,
                failed_tickets,
                total: tickets + failed_tickets,
                completed: completed.len() as u8,
                failed: held.len() as u8,
                ..SeatScore::default()
            }
        };
        let mut sheet: ScoreSheet = Seat::all(self.seats).map(score).collect();
        self.add_city_bonuses(&mut sheet, &done);
        let key = |score: &SeatScore| (score.total, score.completed, score.bonus_cards); // CG-21
        for seat in 0..sheet.len() {
            let own = key(&sheet[seat]);
            sheet[seat].rank = sheet.iter().filter(|other| key(other) > own).count() as u8;
        }
        sheet
    }

    pub(crate) fn scores(&self, s: &State) -> Scores {
        let sheet = self.score_sheet(s);
        Scores {
            points: sheet.iter().map(|seat| seat.total).collect(),
            ranks: sheet.iter().map(|seat| seat.rank).collect(),
        }
    }

    fn points(&self, tickets: TicketSet) -> i16 {
        tickets.into_iter().map(|ticket| i16::from(self.tickets[ticket.index()].points)).sum()
    }

    /// Adds city bonuses. A bonus card goes to all seats with the most completed tickets to its city, if
    /// any (CG-20, A-44).
    fn add_city_bonuses(&self, sheet: &mut ScoreSheet, done: &[TicketSet; SEATS]) {
        for city in &self.big_cities {
            let naming = |seat: usize| (done[seat] & city.tickets).len();
            let most = (0..self.seats).map(naming).max().unwrap_or(0);
            for (seat, score) in sheet.iter_mut().enumerate() {
                if most > 0 && naming(seat) == most {
                    score.city_bonus += i16::from(city.points);
                    score.total += i16::from(city.points);
                    score.bonus_cards += 1;
                }
            }
        }
    }
}
