//! Final scoring: points by source, city bonuses, ranks (CG-19 to CG-21).

use arrayvec::ArrayVec;
use serde::Serialize;

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::state::{SEATS, State, TicketPlace};
use crate::game::{MAX_SEATS, Scores, Seat};
use crate::id::TicketSet;

/// The points of one seat by source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SeatScore {
    /// For completed tickets (CG-16).
    pub tickets: i16,
    /// For tickets not completed, at most 0 (CG-19).
    pub failed_tickets: i16,
    /// For big cities (CG-20).
    pub city_bonus: i16,
    /// All together.
    pub total: i16,
    /// Tickets completed.
    pub completed: u8,
    /// Tickets held and not completed.
    pub failed: u8,
    /// Bonus cards scored.
    pub bonus_cards: u8,
    /// Place after all tie-breaks, 0 for a winner.
    pub rank: u8,
}

/// The points of all seats.
pub type ScoreSheet = ArrayVec<SeatScore, MAX_SEATS>;

impl CardGame {
    /// Scores a position as if the game ended now: points by source and seat.
    pub fn score_sheet(&self, s: &State) -> ScoreSheet {
        let mut done = [TicketSet::EMPTY; MAX_SEATS];
        let mut sheet = ScoreSheet::new();
        let now = match s.phase {
            Phase::Over(_) => [TicketSet::EMPTY; SEATS],
            _ => self.completions(s, true),
        };
        for seat in Seat::all(self.seats) {
            let now = now[seat.index()];
            let held = (s.held(seat) | s.tickets_at(TicketPlace::Chosen(seat))) - now;
            let completed = s.tickets_at(TicketPlace::Done(seat)) | now;
            done[seat.index()] = completed;
            let tickets = self.points(completed);
            let failed_tickets = -self.points(held);
            sheet.push(SeatScore {
                tickets,
                failed_tickets,
                total: tickets + failed_tickets,
                completed: completed.len() as u8,
                failed: held.len() as u8,
                ..SeatScore::default()
            });
        }
        self.add_city_bonuses(&mut sheet, &done);
        let key = |score: &SeatScore| (score.total, score.completed, score.bonus_cards); // CG-21
        for seat in 0..sheet.len() {
            let own = key(&sheet[seat]);
            sheet[seat].rank = sheet.iter().filter(|other| key(other) > own).count() as u8;
        }
        sheet
    }

    pub(crate) fn final_scores(&self, s: &State) -> Scores {
        let sheet = self.score_sheet(s);
        Scores {
            points: sheet.iter().map(|seat| seat.total).collect(),
            ranks: sheet.iter().map(|seat| seat.rank).collect(),
        }
    }

    fn points(&self, tickets: TicketSet) -> i16 {
        tickets.into_iter().map(|ticket| i16::from(self.tickets[ticket.index()].points)).sum()
    }

    /// Each bonus card goes to all who completed the most tickets to its city, if anybody did (CG-20, A-44).
    fn add_city_bonuses(&self, sheet: &mut ScoreSheet, done: &[TicketSet; MAX_SEATS]) {
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
