//! Deals, and the effects of actions.

use arrayvec::ArrayVec;

use crate::board::action::{Action, Ending, Outcome, Payment, PendingClaim, Phase};
use crate::board::compile::{BoardGame, Route};
use crate::board::network::{Components, Edge};
use crate::board::state::State;
use crate::chance::{Chance, TableEvent};
use crate::pieces::{CardKind, Cards, CityId, MAX_SEATS, OldCards, RouteId, RouteSet, Seat, TicketPlace};

impl BoardGame {
    /// Deals cards, the market and the first opening tickets (CC-1 to CC-4).
    pub(crate) fn deal(&self, chance: &mut impl Chance) -> State {
        let mut s = State::new(self.rules.deck, self.rules.trains, self.seats);
        s.first = self.rules.first_seat.choose(self.seats, chance);
        s.seat = s.first;
        for seat in Seat::all(self.seats) {
            for _ in 0..self.rules.opening_hand {
                self.draw_to(&mut s, chance, |s| &mut s.cards.hands[seat]);
            }
        }
        self.settle(&mut s, chance);
        s.tickets.put_all(self.piles[0], TicketPlace::Deck);
        if self.rules.journey.is_some() {
            self.deal_journey(&mut s, chance);
        } else {
            self.offer_opening(&mut s, 0, chance);
        }
        s
    }

    /// Deals First Journey tickets: two per seat, without a choice (FJ-2).
    fn deal_journey(&self, s: &mut State, chance: &mut impl Chance) {
        for seat in Seat::all(self.seats) {
            for _ in 0..self.opening[0].dealt() {
                let ticket = chance.ticket(s.tickets.deck());
                s.tickets.put(ticket, TicketPlace::Held(seat));
            }
        }
    }

    pub(crate) fn play_unchecked(&self, s: &mut State, action: Action, chance: &mut impl Chance) {
        match action {
            Action::TakeBlind => self.take_card(s, None, chance),
            Action::TakeFaceUp(kind) => self.take_card(s, Some(Cards::of(kind, 1)), chance),
            Action::Claim { route, payment } => self.claim(s, route, payment, chance),
            Action::AddToSets { kind, count } => self.add_to_sets(s, kind, count, chance),
            Action::PayTunnel { locomotives } => self.pay_tunnel(s, locomotives, chance),
            Action::DeclineTunnel => self.decline_tunnel(s, chance),
            Action::BuildStation { city, payment } => self.build_station(s, city, payment, chance),
            Action::DrawTickets => self.offer_drawn(s, chance),
            Action::Keep(choice) => match s.phase {
                Phase::Opening { step } => self.keep_opening(s, step, choice, chance),
                _ => self.keep_drawn(s, choice),
            },
            Action::SwapTickets => {
                let journey = self.rules.journey.as_ref().expect("the action is legal");
                let routes = s.routes_of(s.seat);
                self.swap_tickets(s, journey, |drawn| self.joined_tickets(drawn, routes), chance);
            }
            Action::Pass => {
                if usize::from(s.passes) + 1 == self.seats {
                    s.phase = Phase::Over(Ending::Stalemate); // CC-6
                }
                self.finish_action(s, Outcome::Passed);
            }
            Action::Store(seat) => self.store(s, seat, chance),
            Action::Collect(owner) => self.collect(s, owner, chance),
            Action::PlaceDepot(city) => self.place_depot(s, city, chance),
            Action::Done => self.done(s),
        }
    }

    // --- cards ---

    /// Draws the top card of the deck to a pile, reshuffling if necessary. Returns `false` if deck and
    /// discard are empty.
    #[inline(always)] // once or twice in every turn
    pub(crate) fn draw_to(
        &self,
        s: &mut State,
        chance: &mut impl Chance,
        pile: impl FnOnce(&mut State) -> &mut Cards,
    ) -> bool {
        if s.cards.deck.is_empty() {
            self.reshuffle(s, chance); // lazy
            if s.cards.deck.is_empty() {
                return false;
            }
        }
        let card = s.cards.draw(chance);
        *pile(s) += card;
        if s.cards.deck.is_empty() {
            self.renew_deck(s, chance);
        }
        true
    }

    /// Turns the discard into the deck, which must be empty.
    #[cold]
    fn reshuffle(&self, s: &mut State, chance: &mut impl Chance) {
        s.cards.deck = std::mem::take(&mut s.cards.discard);
        if !s.cards.deck.is_empty() {
            chance.notice(TableEvent::Reshuffled(s.cards.deck.total()));
        }
        if self.seats == 2 && s.warehouses == [Cards::EMPTY; MAX_SEATS] {
            s.cards.show_hands();
        }
        if s.remembers {
            s.old = OldCards::after_reshuffle(s.hidden());
        }
    }

    /// Replenishes after cards were discarded, see [`BoardGame::replenish`]. A new discard is a new
    /// reason to flush (CC-11).
    #[inline(always)]
    pub(crate) fn settle(&self, s: &mut State, chance: &mut impl Chance) {
        s.flush_capped = false;
        let full = s.cards.market.total() >= self.rules.market && !s.cards.deck.is_empty();
        if !full || self.rules.flush_at > 0 && s.cards.market.locomotives() >= self.rules.flush_at {
            self.settle_market(s, chance);
        }
    }

    #[inline(never)]
    fn settle_market(&self, s: &mut State, chance: &mut impl Chance) {
        self.replenish(s, chance);
    }

    /// Reshuffles, refills and flushes after a step that may have emptied the deck or a market slot
    /// (CC-11 to CC-13, X-12).
    #[inline(always)] // half of all actions take a card from the market
    pub(crate) fn replenish(&self, s: &mut State, chance: &mut impl Chance) {
        if s.cards.deck.is_empty() {
            self.renew_deck(s, chance);
        }
        if s.cards.market.total() < self.rules.market && !s.cards.is_exhausted() {
            s.flush_capped = false;
            self.refill(s, chance);
        }
        self.check_market(s, chance);
    }

    /// Renews an empty deck: from the discard if the rules reshuffle at once (CC-13), then from the
    /// warehouses.
    #[cold]
    fn renew_deck(&self, s: &mut State, chance: &mut impl Chance) {
        if self.rules.eager_reshuffle {
            self.reshuffle(s, chance);
        }
        self.empty_warehouses(s, chance);
    }

    /// Flushes the market if it has too many locomotives (CC-12).
    #[inline]
    fn check_market(&self, s: &mut State, chance: &mut impl Chance) {
        if self.rules.flush_at > 0 && s.cards.market.locomotives() >= self.rules.flush_at && !s.flush_capped {
            self.flush(s, chance);
        }
    }

    #[inline]
    fn refill(&self, s: &mut State, chance: &mut impl Chance) {
        for _ in s.cards.market.total()..self.rules.market {
            if !self.draw_to(s, chance, |s| &mut s.cards.market) {
                break;
            }
        }
    }

    /// Discards the whole market and deals a new one, as long as it has too many locomotives and a
    /// better one exists (CC-12).
    #[cold]
    fn flush(&self, s: &mut State, chance: &mut impl Chance) {
        for _ in 0..self.rules.max_flushes {
            if s.cards.market.locomotives() < self.rules.flush_at || !self.flush_helps(s) {
                return;
            }
            chance.notice(TableEvent::Flushed(s.cards.market));
            s.cards.discard += std::mem::take(&mut s.cards.market);
            if s.cards.deck.is_empty() {
                self.renew_deck(s, chance);
            }
            self.refill(s, chance);
        }
        s.flush_capped = s.cards.market.locomotives() >= self.rules.flush_at;
    }

    /// Returns `true` if the pool has enough other cards for a market with few locomotives.
    pub(crate) fn flush_helps(&self, s: &State) -> bool {
        let pool = s.cards.deck + s.cards.discard + s.cards.market;
        let others = pool.total() - pool.locomotives();
        others + self.rules.flush_at > self.rules.market.min(pool.total())
    }

    /// Takes a card from the market, or the top card of the deck if none is given.
    #[inline(always)]
    pub(crate) fn take_card(&self, s: &mut State, face_up: Option<Cards>, chance: &mut impl Chance) {
        let seat = s.seat;
        if let Some(card) = face_up {
            s.cards.take_face_up(seat, card);
            if !s.cards.deck.is_empty() {
                debug_assert_eq!(
                    s.cards.market.total() + 1,
                    self.rules.market,
                    "the market is full as long as it can be"
                );
                s.flush_capped = false;
                self.draw_to(s, chance, |s| &mut s.cards.market);
                self.check_market(s, chance);
            } else {
                self.settle_market(s, chance);
            }
        } else {
            self.draw_to(s, chance, |s| &mut s.cards.hands[seat]);
            if self.rules.market == 0 {
                // The two cards leave no choice (FJ-3).
                self.draw_to(s, chance, |s| &mut s.cards.hands[seat]);
            }
            self.replenish(s, chance); // a smaller pool can make a flush possible
        }
        if self.rules.face_up_locomotive_ends_draw && face_up.is_some_and(|card| card.locomotives() > 0) {
            return self.finish_action(s, Outcome::Progress); // CC-10
        }
        self.after_card(s);
    }

    /// Continues with the second card if there is one to take; otherwise ends the turn (CC-9).
    #[inline(always)]
    fn after_card(&self, s: &mut State) {
        if s.phase != Phase::SecondCard && self.rules.market > 0 {
            s.phase = Phase::SecondCard;
            if !self.draws(s).is_empty() {
                return;
            }
        }
        self.finish_action(s, Outcome::Progress);
    }

    #[inline]
    pub(crate) fn can_take_blind(&self, s: &State) -> bool {
        !s.cards.is_exhausted()
    }

    /// The market cards that may be taken now.
    #[inline]
    pub(crate) fn takeable(&self, s: &State) -> Cards {
        let mut takeable = s.cards.market;
        if s.phase == Phase::SecondCard && self.rules.face_up_locomotive_ends_draw {
            takeable -= Cards::of(CardKind::Locomotive, takeable.locomotives()); // CC-10
        }
        takeable
    }

    // --- claims ---

    /// Routes that a seat may claim if it can pay (CC-16, CC-19, CC-20).
    #[inline]
    pub(crate) fn open_routes(&self, s: &State, seat: Seat) -> RouteSet {
        let trains = usize::from(s.trains[seat]).min(self.within.len() - 1);
        let open = s.free_routes() & self.within[trains];
        if self.rules.both_tracks { open - self.twins(s.routes_of(seat)) } else { open }
    }

    /// Returns `true` if the seat to move owns the other track of a route.
    #[inline]
    pub(crate) fn owns_twin(&self, s: &State, route: RouteId) -> bool {
        self.routes[route.index()].twin.is_some_and(|twin| s.owner(twin) == Some(s.seat))
    }

    #[inline(always)]
    pub(crate) fn claim(&self, s: &mut State, route: RouteId, payment: Payment, chance: &mut impl Chance) {
        let &Route { length, tunnel, .. } = self.route(route);
        let cards = payment.cards(length);
        self.pay(s, cards);
        if tunnel {
            s.pending = Some(PendingClaim { route, payment });
            s.laid = cards;
            self.reveal_tunnel(s, payment.colour, chance);
        } else if payment.sets > 0 {
            s.pending = Some(PendingClaim { route, payment });
            s.laid = cards;
            let due = payment.sets * self.tariff.groups.price(route).set_cards;
            self.ask_for_sets(s, 0, due, chance);
        } else {
            chance.notice(TableEvent::Paid(cards));
            s.cards.discard += cards;
            self.complete_claim(s, route, chance);
        }
    }

    /// Takes cards from the hand of the seat to move, visibly to all.
    #[inline]
    pub(crate) fn pay(&self, s: &mut State, cards: Cards) {
        let seat = s.seat;
        if s.old.count(seat.index()) > 0 {
            self.show_old(s, cards.saturating_sub(s.cards.shown[seat]));
        }
        s.cards.play(seat, cards);
    }

    /// Updates knowledge of old cards: the seat to move pays with hidden cards, perhaps from before the
    /// last reshuffle.
    #[cold]
    fn show_old(&self, s: &mut State, cards: Cards) {
        if !cards.is_empty() {
            let seat = s.seat;
            let seen = s
                .cards
                .shown
                .iter()
                .fold(s.cards.discard + s.cards.market + s.laid + s.revealed, |all, &cards| all + cards);
            let here = s.cards.hands[seat].total() - s.cards.shown[seat].total();
            s.old.show(seat.index(), cards, here, self.rules.deck - seen);
        }
    }

    /// Completes a claim: trains, points, and the end of the turn (CC-18). The payment is already in the
    /// discard.
    #[inline(always)]
    fn complete_claim(&self, s: &mut State, route: RouteId, chance: &mut impl Chance) {
        self.take_route(s, route, chance);
        if let Some(journey) = &self.rules.journey {
            self.complete_tickets(s, journey, route, chance);
        }
        if self.rules.depots.is_some() {
            return self.offer_collecting(s, route);
        }
        self.finish_action(s, Outcome::Progress);
    }

    /// Gives a paid route to the seat to move.
    #[inline(always)]
    pub(crate) fn take_route(&self, s: &mut State, route: RouteId, chance: &mut impl Chance) {
        let seat = s.seat;
        let &Route { length, points, twin, .. } = self.route(route);
        s.pending = None;
        s.set_owner(route, seat);
        s.trains[seat] -= length;
        s.points[seat] += u16::from(points);
        if let Some(twin) = twin
            && !self.rules.both_tracks
        {
            s.close(twin); // CC-20
        }
        self.settle(s, chance);
    }

    /// Asks for the cards of substitute sets kind by kind (CC-22), skipping kinds without a choice.
    fn ask_for_sets(&self, s: &mut State, from: usize, mut due: u8, chance: &mut impl Chance) {
        for kind in &CardKind::ALL[from..] {
            let (least, most) = self.set_range(s, *kind, due);
            if least < most {
                s.phase = Phase::Sets { kind: *kind, due };
                return;
            }
            if least > 0 {
                self.lay_for_sets(s, *kind, least);
                due -= least;
            }
        }
        debug_assert_eq!(due, 0);
        let claim = s.pending.expect("a claim is being paid for");
        chance.notice(TableEvent::Paid(s.laid));
        s.cards.discard += std::mem::take(&mut s.laid);
        self.complete_claim(s, claim.route, chance);
    }

    /// Minimum and maximum number of cards of a kind that can go into sets that still need `due` cards.
    pub(crate) fn set_range(&self, s: &State, kind: CardKind, due: u8) -> (u8, u8) {
        let hand = s.cards.hands[s.seat];
        let held = hand.count(kind);
        let later = hand.at_or_after(kind).total() - held;
        (due.saturating_sub(later), due.min(held))
    }

    fn lay_for_sets(&self, s: &mut State, kind: CardKind, count: u8) {
        let cards = Cards::of(kind, count);
        self.pay(s, cards);
        s.laid += cards;
    }

    fn add_to_sets(&self, s: &mut State, kind: CardKind, count: u8, chance: &mut impl Chance) {
        let Phase::Sets { due, .. } = s.phase else { unreachable!("the action is legal") };
        self.lay_for_sets(s, kind, count);
        self.ask_for_sets(s, kind.index() + 1, due - count, chance);
    }

    // --- tunnels ---

    /// Reveals the tunnel cards and determines the extra cost (CC-24 to CC-26).
    fn reveal_tunnel(&self, s: &mut State, colour: Option<CardKind>, chance: &mut impl Chance) {
        for _ in 0..self.rules.tunnel_reveal {
            if !self.draw_to(s, chance, |s| &mut s.revealed) {
                break;
            }
        }
        chance.notice(TableEvent::TurnedUp(s.revealed));
        let matching = |cards: Cards| cards.locomotives() + colour.map_or(0, |colour| cards.count(colour));
        match matching(s.revealed) {
            0 => self.finish_tunnel(s, chance),
            // Also if the seat can't pay: to the others that looks like a refusal (CC-27).
            extra => s.phase = Phase::Tunnel { extra },
        }
    }

    pub(crate) fn pay_tunnel(&self, s: &mut State, locomotives: u8, chance: &mut impl Chance) {
        let Phase::Tunnel { extra } = s.phase else { unreachable!("the action is legal") };
        let colour = self.tunnel_colour(s);
        let cards = Payment { colour, locomotives, sets: 0 }.cards(extra);
        self.pay(s, cards);
        s.laid += cards;
        self.finish_tunnel(s, chance);
    }

    fn finish_tunnel(&self, s: &mut State, chance: &mut impl Chance) {
        let claim = s.pending.expect("a tunnel is being claimed");
        chance.notice(TableEvent::Paid(s.laid));
        s.cards.discard += std::mem::take(&mut s.laid) + std::mem::take(&mut s.revealed);
        self.complete_claim(s, claim.route, chance);
    }

    /// Returns the laid cards to the hand, where they count as shown (CC-27).
    pub(crate) fn decline_tunnel(&self, s: &mut State, chance: &mut impl Chance) {
        let seat = s.seat;
        s.pending = None;
        s.cards.hands[seat] += s.laid;
        s.cards.shown[seat] += std::mem::take(&mut s.laid);
        s.cards.discard += std::mem::take(&mut s.revealed);
        self.settle(s, chance);
        self.finish_action(s, Outcome::Idle);
    }

    // --- stations ---

    fn build_station(&self, s: &mut State, city: CityId, payment: Payment, chance: &mut impl Chance) {
        let seat = s.seat;
        let built = s.stations_built(seat);
        let cards = payment.cards(built + 1);
        self.pay(s, cards);
        chance.notice(TableEvent::Paid(cards));
        s.cards.discard += cards;
        s.stations[seat][usize::from(built)] = city.to_u8();
        s.buildings.insert(city);
        self.settle(s, chance);
        self.finish_action(s, Outcome::Progress);
    }

    // --- turns ---

    /// Ends the turn: final round, guards, next seat (CC-6, CC-31, FJ-10, A-60).
    #[inline(always)] // what the turn came to is mostly known where it ends
    pub(crate) fn end_turn(&self, s: &mut State, outcome: Outcome) {
        let seat = s.seat;
        s.turns = s.turns.saturating_add(1);
        s.passes = if outcome == Outcome::Passed { s.passes + 1 } else { 0 };
        if matches!(s.phase, Phase::Over(_)) {
            return;
        }
        s.idle_turns = if outcome == Outcome::Progress { 0 } else { s.idle_turns.saturating_add(1) };
        if s.final_turns > 0 {
            s.final_turns -= 1;
            if s.final_turns == 0 {
                s.phase = Phase::Over(Ending::FinalRound);
                return;
            }
        } else if self.rules.journey.is_none() && s.trains[seat] <= self.rules.end_trains {
            s.final_turns = self.seats as u8;
        }
        s.seat = seat.next(self.seats);
        self.start_turn(s);
        if s.idle_turns > 0 {
            self.guard_against_idling(s);
        }
    }

    #[cold]
    fn guard_against_idling(&self, s: &mut State) {
        let idle = s.idle_turns;
        if self.rules.idle_limit.is_some_and(|limit| idle >= limit) {
            s.phase = Phase::Over(Ending::NoProgress);
        } else if self.rules.journey.is_some()
            && usize::from(idle) >= self.seats
            && !self.can_take_blind(s)
            && s.cards.market.is_empty()
            && Seat::all(self.seats).all(|seat| !self.can_claim(s, seat))
        {
            s.phase = Phase::Over(Ending::Stalemate); // FJ-10
        }
    }

    // --- networks ---

    /// The routes of a seat as edges between cities.
    #[inline]
    pub(crate) fn edges_of(&self, s: &State, seat: Seat) -> ArrayVec<Edge, { RouteSet::CAPACITY }> {
        let mut edges = ArrayVec::new();
        s.routes_of(seat).into_iter().for_each(|route| edges.push(self.edges[route.index()]));
        edges
    }

    /// The components of the cities that the routes of a seat join.
    #[inline]
    pub(crate) fn components(&self, s: &State, seat: Seat) -> Components {
        let mut components = Components::default();
        s.routes_of(seat).into_iter().for_each(|route| {
            let Edge { a, b, .. } = self.edges[route.index()];
            components.join(a, b);
        });
        components
    }
}

const _: () = assert!(MAX_SEATS <= 5, "route and ticket places have room for five seats");
