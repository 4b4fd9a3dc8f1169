//! First Journey's tickets: completed immediately, replaced, swapped (section 6).

use crate::board::action::{Ending, Outcome, Phase};
use crate::board::compile::BoardGame;
use crate::board::network::Joined;
use crate::board::rules::{Bonus, Journey};
use crate::board::state::State;
use crate::chance::Chance;
use crate::pieces::{CityId, CitySet, RouteId, RouteSet, Seat, TicketPlace, TicketSet};

impl BoardGame {
    /// Number of tickets that a seat has completed, bonus included.
    pub(crate) fn journey_completed(&self, s: &State, seat: Seat) -> u8 {
        s.tickets.at(TicketPlace::Done(seat)).len() as u8 + s.bonus_tickets[seat]
    }

    /// Tickets in the discard: returned by swaps and not reshuffled yet.
    pub(crate) fn ticket_discard(&self, s: &State) -> TicketSet {
        Seat::all(self.seats)
            .fold(TicketSet::EMPTY, |all, seat| all | s.tickets.at(TicketPlace::PutBack(seat)))
    }

    /// Returns `true` if a swap is allowed (FJ-5).
    #[inline]
    pub(crate) fn may_swap(&self, s: &State) -> bool {
        self.rules.journey.is_some() && (!s.tickets.deck().is_empty() || !self.ticket_discard(s).is_empty())
    }

    /// Discards all held tickets, draws two new ones and ends the turn (FJ-5). `joined` returns the
    /// drawn tickets that are already complete.
    #[inline]
    pub(crate) fn swap_tickets(
        &self,
        s: &mut State,
        journey: &Journey,
        joined: impl Fn(TicketSet) -> TicketSet,
        chance: &mut impl Chance,
    ) {
        let seat = s.seat;
        let mut aside = s.tickets.at(TicketPlace::Held(seat));
        let drawn = self.draw_journey_tickets(s, self.opening[0].dealt(), &mut aside, chance);
        let completed = joined(drawn);
        if !completed.is_empty() {
            self.complete(s, journey, completed, &mut aside, joined, chance);
        }
        s.tickets.transfer(aside, TicketPlace::Held(seat), TicketPlace::PutBack(seat));
        self.finish_action(s, if completed.is_empty() { Outcome::Idle } else { Outcome::Progress });
    }

    /// Draws tickets into the hand of the seat to move, as far as there are any (FJ-5, FJ-6). Returns
    /// them.
    ///
    /// Tickets being swapped stay `aside` until the last draw, replacements included: they are shuffled
    /// in only when nothing else is left.
    fn draw_journey_tickets(
        &self,
        s: &mut State,
        count: u8,
        aside: &mut TicketSet,
        chance: &mut impl Chance,
    ) -> TicketSet {
        let (mut deck, mut drawn) = (s.tickets.deck(), TicketSet::EMPTY);
        for _ in 0..count {
            if deck.is_empty() {
                deck = self.ticket_discard(s);
                if deck.is_empty() {
                    deck = std::mem::take(aside);
                }
                s.tickets.put_all(deck, TicketPlace::Deck);
            }
            if deck.is_empty() {
                break;
            }
            let ticket = chance.one_ticket(deck);
            deck -= ticket;
            drawn |= ticket;
        }
        s.tickets.transfer(drawn, TicketPlace::Deck, TicketPlace::Held(s.seat));
        drawn
    }

    /// Completes the tickets that the new route joins for the seat to move, and draws replacements (FJ-6
    /// to FJ-8).
    #[inline]
    pub(crate) fn complete_tickets(
        &self,
        s: &mut State,
        journey: &Journey,
        route: RouteId,
        chance: &mut impl Chance,
    ) {
        let routes = s.routes_of(s.seat);
        let mut tickets = self.ending_at(s.tickets.at(TicketPlace::Held(s.seat)), routes);
        let bonus = journey.bonus.as_ref().filter(|bonus| bonus.ends_at(routes));
        if !tickets.is_empty() || bonus.is_some() {
            // Tickets that the new route is not part of were checked before.
            let joined = self.joined_to(RouteSet::only(route), routes);
            tickets = self.ending_at(tickets, joined);
            let bonus = bonus.filter(|bonus| bonus.ends_at(joined));
            self.complete_joined(
                s,
                journey,
                tickets,
                bonus,
                |drawn| self.joined_tickets(drawn, routes),
                chance,
            );
        }
        self.end_with_last_train(s);
    }

    /// Like [`BoardGame::complete_tickets`], for playouts: uses the cities joined to the new route.
    #[inline(always)]
    pub(crate) fn complete_tickets_in(
        &self,
        s: &mut State,
        journey: &Journey,
        route: RouteId,
        joined: &mut Joined,
        chance: &mut impl Chance,
    ) {
        let cities = joined.join(self.routes[route.index()].ends.into_iter().collect());
        let held = s.tickets.at(TicketPlace::Held(s.seat));
        let tickets = self.tickets_where(held, |ends| ends.is_subset(cities));
        let bonus = journey.bonus.as_ref().filter(|bonus| bonus.is_joined_by(cities));
        if !tickets.is_empty() || bonus.is_some() {
            self.complete_joined(s, journey, tickets, bonus, |drawn| self.tickets_in(drawn, joined), chance);
        }
        self.end_with_last_train(s);
    }

    /// Completes joined tickets, with a bonus if one is due. `joined` returns the drawn tickets that are
    /// complete.
    #[inline]
    fn complete_joined(
        &self,
        s: &mut State,
        journey: &Journey,
        tickets: TicketSet,
        bonus: Option<&Bonus>,
        joined: impl Fn(TicketSet) -> TicketSet,
        chance: &mut impl Chance,
    ) {
        let bonus = bonus.is_some_and(|bonus| self.take_bonus(s, journey, bonus));
        if bonus || !tickets.is_empty() {
            self.complete(s, journey, tickets, &mut TicketSet::default(), joined, chance);
        }
    }

    /// Ends the game if the seat to move has no trains left and the game is not over yet (FJ-9(b)).
    #[inline]
    fn end_with_last_train(&self, s: &mut State) {
        if s.trains[s.seat] == 0 && !matches!(s.phase, Phase::Over(_)) {
            s.phase = Phase::Over(Ending::LastTrain);
        }
    }

    /// Completes joined tickets and draws replacements until no ticket is complete or the seat has won.
    #[inline(never)]
    fn complete(
        &self,
        s: &mut State,
        journey: &Journey,
        mut completed: TicketSet,
        aside: &mut TicketSet,
        joined: impl Fn(TicketSet) -> TicketSet,
        chance: &mut impl Chance,
    ) {
        let seat = s.seat;
        loop {
            let missing = usize::from(journey.tickets_to_win.saturating_sub(self.journey_completed(s, seat)));
            let won = completed.len() >= missing;
            if won {
                completed = completed.into_iter().take(missing).collect();
                s.phase = Phase::Over(Ending::TicketsDone); // FJ-9(a)
            }
            s.tickets.transfer(completed, TicketPlace::Held(seat), TicketPlace::Done(seat));
            if won || completed.is_empty() {
                return;
            }
            completed = joined(self.draw_journey_tickets(s, completed.len() as u8, aside, chance));
        }
    }

    /// The bonus ticket for joining the two sets of cities (FJ-7, A-45).
    #[inline(never)]
    fn take_bonus(&self, s: &mut State, journey: &Journey, bonus: &Bonus) -> bool {
        if s.bonus_tickets[s.seat] > 0 && !journey.unlimited_bonus {
            return false; // one for each seat
        }
        let [one, other] = bonus.between;
        let components = self.components(s, s.seat);
        let joined = one
            .into_iter()
            .map(|a| other.into_iter().filter(|&b| components.joined(a, b)).count())
            .sum::<usize>()
            .min(u8::MAX.into()) as u8;
        let due = if journey.unlimited_bonus { joined } else { joined.min(1) };
        // The game ends the moment it is won, even between two bonuses.
        let done = s.tickets.at(TicketPlace::Done(s.seat)).len() as u8;
        let due = due.min(journey.tickets_to_win.saturating_sub(done));
        let taken = &mut s.bonus_tickets[s.seat];
        let new = due > *taken;
        *taken = due.max(*taken);
        new
    }

    /// The tickets whose two cities are both ends of these routes.
    #[inline]
    fn ending_at(&self, tickets: TicketSet, routes: RouteSet) -> TicketSet {
        let touched = |city: CityId| self.at_city[city.index()].intersects(routes);
        let mut ending = TicketSet::EMPTY;
        for ticket in tickets {
            let [a, b] = self.tickets[ticket.index()].ends;
            if touched(a) && touched(b) {
                ending.insert(ticket);
            }
        }
        ending
    }

    /// The tickets whose two cities satisfy a predicate.
    #[inline]
    fn tickets_where(&self, tickets: TicketSet, such: impl Fn(CitySet) -> bool) -> TicketSet {
        let mut found = TicketSet::EMPTY;
        tickets.into_iter().for_each(|ticket| {
            if such(self.ticket_cities[ticket.index()]) {
                found.insert(ticket);
            }
        });
        found
    }

    /// The tickets whose cities are joined.
    #[inline]
    pub(crate) fn tickets_in(&self, tickets: TicketSet, joined: &Joined) -> TicketSet {
        self.tickets_where(tickets, |ends| joined.contains(ends))
    }

    /// The tickets whose cities these routes join.
    #[inline]
    pub(crate) fn joined_tickets(&self, tickets: TicketSet, routes: RouteSet) -> TicketSet {
        // Most tickets have a city without a route, which is quick to check.
        let mut joined = TicketSet::EMPTY;
        for ticket in self.ending_at(tickets, routes) {
            let [a, b] = self.tickets[ticket.index()].ends;
            let from_a = self.joined_to(self.at_city[a.index()] & routes, routes);
            if self.at_city[b.index()].intersects(from_a) {
                joined.insert(ticket);
            }
        }
        joined
    }

    /// The routes that are connected to the first ones by chains of routes.
    fn joined_to(&self, first: RouteSet, routes: RouteSet) -> RouteSet {
        let (mut joined, mut frontier) = (first, first);
        while !frontier.is_empty() {
            let mut next = RouteSet::EMPTY;
            frontier.into_iter().for_each(|route| next |= self.adjacent[route.index()]);
            frontier = (next & routes) - joined;
            joined |= frontier;
        }
        joined
    }
}
