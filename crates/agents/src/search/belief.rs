//! Inference of the others' tickets from their claims.

use ttr_engine::board::{BoardGame, Observation, State};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Game, MAX_SEATS, RouteId, RouteSet, Seat, TicketSet};

use crate::board::Roads;
use crate::card_game::in_play;

/// Log-likelihood ratio of a ticket between a seat that has done everything for it and one that has done
/// nothing: about a factor of twenty.
const STRENGTH: f32 = 3.0;

/// By seat and ticket, the seat's progress on the ticket, from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) struct Hints {
    progress: [[f32; TicketSet::CAPACITY]; MAX_SEATS],
}

impl Hints {
    pub(crate) fn new() -> Self {
        Self { progress: [[0.0; TicketSet::CAPACITY]; MAX_SEATS] }
    }

    /// The likelihood of the seats' actions given these tickets.
    fn likelihood(&self, hands: impl Iterator<Item = (Seat, TicketSet)>) -> f32 {
        let progress = |(seat, tickets): (Seat, TicketSet)| -> f32 {
            tickets.into_iter().map(|ticket| self.progress[seat][ticket.index()]).sum()
        };
        (STRENGTH * hands.map(progress).sum::<f32>()).exp()
    }

    /// Looks at the routes that the others have claimed: a seat that holds a ticket has come closer to
    /// completing it than others do by chance.
    pub(crate) fn look_at_routes(&mut self, roads: &Roads, view: &Observation<'_>) {
        let game = view.game();
        let all = RouteSet::first(game.routes().len());
        let length = |route: RouteId| u16::from(game.routes()[route.index()].length);
        let claimed = Seat::all(game.seats()).fold(RouteSet::EMPTY, |all, seat| all | view.routes(seat));
        for seat in others(game, view.seat()) {
            let own = view.routes(seat);
            let usable = all - (claimed - own);
            for (index, ticket) in game.tickets().iter().enumerate() {
                let [a, b] = ticket.ends;
                let whole = roads.from(a, all, length).cost(b).unwrap_or(1).max(1);
                let left = roads.from(a, usable, |route| if own.contains(route) { 0 } else { length(route) });
                let left = left.cost(b).unwrap_or(whole).min(whole);
                self.progress[seat][index] = 1.0 - f32::from(left) / f32::from(whole);
            }
        }
    }

    /// Looks at the cards that the others have played: a seat that holds a ticket has played its colours.
    pub(crate) fn look_at_cards(&mut self, view: &card_game::Observation<'_>) {
        let game = view.game();
        for seat in others(game, view.seat()) {
            let played = in_play(view, seat);
            for (index, ticket) in game.tickets().iter().enumerate() {
                let covered = ticket.circles.intersection(played).total();
                self.progress[seat][index] = f32::from(covered) / f32::from(ticket.circles.total().max(1));
            }
        }
    }

    /// The likelihood of the others' actions in a world of a board game.
    pub(crate) fn of_board(&self, game: &BoardGame, world: &State, searching: Seat) -> f32 {
        self.likelihood(others(game, searching).map(|seat| (seat, game.observe(world, seat).tickets())))
    }

    /// The likelihood of the others' actions in a world of the Card Game.
    pub(crate) fn of_card_game(&self, game: &CardGame, world: &card_game::State, searching: Seat) -> f32 {
        self.likelihood(others(game, searching).map(|seat| (seat, game.observe(world, seat).tickets())))
    }
}

fn others<G: Game>(game: &G, seat: Seat) -> impl Iterator<Item = Seat> + use<G> {
    Seat::all(game.seats()).filter(move |&other| other != seat)
}
