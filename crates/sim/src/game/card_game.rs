//! Results and events of the Card Game.

use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Game, RouteSet, Seat, TicketId, TicketSet, Turn};

use super::{
    Claim, Ending, Playable, Rarities, SeatResult, Source, Surcharge, TicketChoice, TicketsOf, choice,
};

impl Playable for CardGame {
    fn name(&self) -> &str {
        &self.spec().name
    }

    fn results(&self, state: &card_game::State) -> Vec<SeatResult> {
        let over = self.turn(state) == Turn::Over;
        let sheet = self.score_sheet(state);
        let result = |(seat, score): (Seat, &card_game::SeatScore)| {
            let view = self.observe(state, seat);
            SeatResult {
                points: score.total,
                rank: score.rank,
                sources: [
                    (Source::Tickets, score.tickets + score.failed_tickets),
                    (Source::BigCities, score.city_bonus),
                ]
                .into(),
                completed: score.completed,
                failed: score.failed,
                left: view.hand_size(seat),
                routes: RouteSet::EMPTY,
                completed_tickets: view.completed(seat),
                failed_tickets: if over { view.tickets() } else { TicketSet::EMPTY },
            }
        };
        Seat::all(self.seats()).zip(&sheet).map(result).collect()
    }

    fn ending(&self, state: &card_game::State) -> Option<Ending> {
        match self.observe(state, Seat::new(0)).phase() {
            card_game::Phase::Over(ending) => Some(ending.into()),
            _ => None,
        }
    }

    fn first(&self, state: &card_game::State) -> Seat {
        self.observe(state, Seat::new(0)).first()
    }

    fn turns(&self, state: &card_game::State) -> u16 {
        self.observe(state, Seat::new(0)).turns()
    }

    fn turn_of_decision(&self, state: &card_game::State) -> u16 {
        match self.observe(state, Seat::new(0)).phase() {
            card_game::Phase::Opening => 0,
            // The last turn of the round is over.
            card_game::Phase::Completing(_) => self.turns(state),
            _ => self.turns(state).saturating_add(1),
        }
    }

    fn has_source(&self, source: Source) -> bool {
        matches!(source, Source::Tickets | Source::BigCities)
    }

    fn left_over(&self) -> &'static str {
        "cards left"
    }

    fn ticket_choice(
        &self,
        state: &card_game::State,
        seat: Seat,
        action: card_game::Action,
    ) -> Option<TicketChoice> {
        let card_game::Action::Keep(kept) = action else { return None };
        let view = self.observe(state, seat);
        Some(choice(view.offered(), kept, matches!(view.phase(), card_game::Phase::Opening)))
    }

    fn tickets_of(&self, state: &card_game::State, seat: Seat) -> TicketsOf {
        let view = self.observe(state, seat);
        // A chosen ticket is completed only when all seats have chosen.
        TicketsOf { held: view.tickets() | view.chosen(), completed: view.completed(seat) }
    }

    fn claim(&self, _: card_game::Action) -> Option<Claim> {
        None
    }

    fn surcharge(&self, _: &card_game::State, _: card_game::Action) -> Option<Surcharge> {
        None
    }

    fn routes_of(&self, _: &card_game::State, _: Seat) -> RouteSet {
        RouteSet::EMPTY
    }

    fn rarities(&self, state: &card_game::State) -> Rarities {
        let view = self.observe(state, Seat::new(0));
        Rarities { deck_empty: view.deck_size() == 0 && view.discard().is_empty(), flush_guard: false }
    }

    fn ticket_points(&self) -> Vec<u8> {
        self.tickets().iter().map(|ticket| ticket.points).collect()
    }

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId::new(ticket))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        Vec::new()
    }
}
