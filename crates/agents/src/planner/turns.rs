//! The decision of a turn.

use ttr_engine::board::{Action, Observation};
use ttr_engine::{RouteSet, Seat};

use crate::planner::Planner;
use crate::planner::cards::GreyPayments;

impl Planner {
    /// Expected number of turns that this seat has left, including this one.
    pub(super) fn turns_left(&self, view: &Observation<'_>) -> f64 {
        if view.final_turns().is_some() {
            return 1.0;
        }
        let w = &self.weights;
        let turns = |seat: Seat| {
            let trains = f64::from(view.trains(seat).saturating_sub(self.atlas.rules.end_trains));
            let cards = trains * w.waste - f64::from(view.hand_size(seat));
            cards.max(0.0) / 2.0 + trains / w.stride + 1.0
        };
        Seat::all(self.atlas.seats).map(turns).fold(f64::MAX, f64::min)
    }

    /// Updates plan and needs in the middle of a turn: a playout may start there.
    pub(super) fn catch_up(&mut self, view: &Observation<'_>) {
        if self.planned_for.is_none() {
            self.follow(view);
            self.choose_fill(view);
        }
        self.count_needs(view);
    }

    pub(super) fn take_turn(&mut self, view: &Observation<'_>) -> Action {
        self.follow(view);
        let turns = self.turns_left(view);
        self.choose_fill(view);
        self.count_needs(view);
        if turns <= 1.0 {
            return self.last_turn(view);
        }

        let w = &self.weights;
        let needed = self.plan.turns(&self.atlas, w, view.hand());
        let hurried = turns - needed < w.hurry || turns < 4.0;
        let mut best = (self.worth_of_draw(view) * w.draw, Action::Pass);
        let (mood, mut grey) = (self.mood(view, hurried), GreyPayments::default());
        for route in self.wanted(view, hurried) {
            if let Some(better) = self.better_claim(view, route, &mood, best.0, &mut grey) {
                best = better;
            }
        }
        if let Some(station) = self.station(view, hurried)
            && (best.1 == Action::Pass || self.plan.routes.is_empty())
        {
            return station;
        }
        if best.1 == Action::Pass
            && turns >= w.draw_before
            && f64::from(self.plan.trains) <= w.unfinished
            && self.worth_of_more_tickets(view, turns - needed - 1.0) > w.turn
        {
            return Action::DrawTickets;
        }
        if self.atlas.rules.journey.is_some() && self.plan.pursued.is_empty() {
            return self.give_up_tickets(view);
        }
        match best.1 {
            Action::Pass => self.draw(view),
            action => self.depot_before(view, action).unwrap_or(action),
        }
    }

    /// Gives up the tickets of a journey, none of which can be completed any more. A seat that leads places
    /// its last trains, which ends the game; others try new tickets.
    fn give_up_tickets(&self, view: &Observation<'_>) -> Action {
        let done = |seat| view.completed(seat).len() + usize::from(view.bonus_tickets(seat));
        let seat = view.seat();
        let leads = Seat::all(self.atlas.seats).all(|other| other == seat || done(other) < done(seat));
        if !leads && view.ticket_deck_size() > 0 {
            return Action::SwapTickets;
        }
        let open = view.open_routes(seat) & self.atlas.payable(view.hand());
        let mut grey = GreyPayments::default();
        let longest = open
            .into_iter()
            .filter_map(|route| {
                let (payment, _) =
                    self.needs.pay(&self.atlas, &self.weights, view.hand(), route, &mut grey)?;
                Some((self.atlas.priced(route).length(), Action::Claim { route, payment }))
            })
            .max_by_key(|&(length, _)| length);
        longest.map_or_else(|| self.draw(view), |(_, claim)| claim)
    }

    /// Starts to draw cards, or does whatever is possible.
    pub(super) fn draw(&self, view: &Observation<'_>) -> Action {
        let blind = view.deck_size() > 0 || !view.discard().is_empty();
        if self.atlas.rules.depots && blind {
            return self.store(view);
        }
        if self.atlas.rules.depots
            && let Some(depot) = self.reviving_depot(view)
        {
            return depot;
        }
        self.take_card(view, false)
    }

    /// Routes to consider for a claim, if the hand can pay for them.
    fn wanted(&self, view: &Observation<'_>, hurried: bool) -> RouteSet {
        let open = view.open_routes(view.seat()) & self.atlas.payable(view.hand());
        if hurried && self.atlas.rules.journey.is_none() {
            return open;
        }
        let planned = self.plan.routes | self.fill;
        let twins =
            planned.into_iter().filter_map(|route| self.atlas.priced(route).twin).collect::<RouteSet>();
        (planned | twins) & open
    }
}
