//! Legal actions: listed, counted and picked.

use std::ops::ControlFlow;

use crate::board::action::{Action, Phase};
use crate::board::compile::BoardGame;
use crate::board::payment;
use crate::board::state::State;
use crate::chance::Dice;
use crate::pieces::{CardKind, CitySet, Draws, Seat};

/// Numbers of actions of the main phase, in list order.
struct MainActions {
    /// Draws of cards.
    cards: u32,
    /// Draws and swaps of tickets.
    tickets: u32,
    claims: u32,
    /// Stations, a pass and depots.
    others: u32,
}

impl MainActions {
    #[inline]
    fn len(&self) -> u32 {
        self.cards + self.tickets + self.claims + self.others
    }
}

impl BoardGame {
    /// Calls `visit` once with every legal action.
    pub(crate) fn legal_actions<B>(
        &self,
        s: &State,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match s.phase {
            Phase::Main => {
                let mut any = false;
                self.visit_main(s, |action| {
                    any = true;
                    visit(action)
                })?;
                if !any {
                    visit(Action::Pass)?; // CC-6
                }
                if self.rules.depots.is_some() {
                    self.depot_actions(s).try_for_each(visit)?;
                }
            }
            Phase::FirstCard | Phase::SecondCard => self.visit_cards(s, visit)?,
            Phase::FirstDepot | Phase::Collect { .. } | Phase::AfterAction | Phase::Window { .. } => {
                self.depot_actions(s).try_for_each(visit)?;
            }
            Phase::Opening { .. } | Phase::Tickets => {
                for choice in 0..=u8::MAX >> (8 - s.offered) {
                    if self.may_keep(s, choice) {
                        visit(Action::Keep(choice))?;
                    }
                }
            }
            Phase::Tunnel { .. } => {
                let (least, most) = self.tunnel_locomotives(s);
                for locomotives in least..=most {
                    visit(Action::PayTunnel { locomotives })?;
                }
                visit(Action::DeclineTunnel)?;
            }
            Phase::Sets { kind, due } => {
                let (least, most) = self.set_range(s, kind, due);
                for count in least..=most {
                    visit(Action::AddToSets { kind, count })?;
                }
            }
            Phase::Over(_) => {}
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn visit_main<B>(
        &self,
        s: &State,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_cards(s, &mut visit)?;
        if self.may_draw_tickets(s) {
            visit(Action::DrawTickets)?;
        }
        if self.may_swap(s) {
            visit(Action::SwapTickets)?;
        }
        let hand = s.cards.hands[s.seat];
        let open = self.open_routes(s, s.seat);
        self.tariff.groups.visit(hand, open, |group| self.tariff.groups.claims(&group, &mut visit))?;
        let sites = self.station_sites(s);
        if !sites.is_empty() {
            for payment in payment::any_colour(hand, s.stations_built(s.seat) + 1) {
                for city in sites {
                    visit(Action::BuildStation { city, payment })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn visit_cards<B>(&self, s: &State, visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if s.phase == Phase::Main && self.stores_first(s) {
            return Seat::all(self.seats).map(Action::Store).try_for_each(visit);
        }
        self.draws(s).iter().map(draw).try_for_each(visit)
    }

    #[inline]
    pub(crate) fn may_draw_tickets(&self, s: &State) -> bool {
        self.rules.ticket_draw > 0 && (s.bottom.len() > 0 || !s.tickets.deck().is_empty())
    }

    /// Returns `true` if a seat can claim any route with its hand.
    pub(crate) fn can_claim(&self, s: &State, seat: Seat) -> bool {
        let (hand, open) = (s.cards.hands[seat], self.open_routes(s, seat));
        self.tariff.groups.count(hand, open) > 0
    }

    /// Cities where the seat to move may build a station (EU-7).
    #[inline]
    fn station_sites(&self, s: &State) -> CitySet {
        if s.has_built(s.seat, self.rules.stations) { CitySet::EMPTY } else { self.all_cities - s.buildings }
    }

    /// Minimum and maximum number of locomotives that can pay the extra cost of the tunnel (CC-26).
    pub(crate) fn tunnel_locomotives(&self, s: &State) -> (u8, u8) {
        let Phase::Tunnel { extra } = s.phase else { return (1, 0) };
        let hand = s.cards.hands[s.seat];
        let colour = self.tunnel_colour(s);
        let least = extra.saturating_sub(colour.map_or(0, |colour| hand.count(colour)));
        (least, extra.min(hand.locomotives()))
    }

    pub(crate) fn count_actions(&self, s: &State) -> usize {
        match s.phase {
            Phase::Main => self.main_actions(s).len() as usize,
            Phase::FirstCard | Phase::SecondCard => self.draws(s).len() as usize,
            _ => {
                let mut count = 0;
                let _ = self.legal_actions(s, |_| {
                    count += 1;
                    ControlFlow::<()>::Continue(())
                });
                count
            }
        }
    }

    pub(crate) fn nth_action(&self, s: &State, n: usize) -> Option<Action> {
        if s.phase == Phase::Main {
            let actions = self.main_actions(s);
            return (n < actions.len() as usize).then(|| self.choose(s, &actions, n as u32));
        }
        let mut skip = n;
        let found = self.legal_actions(s, |action| {
            if skip == 0 {
                return ControlFlow::Break(action);
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// A random legal action, all equally likely.
    #[inline]
    pub(crate) fn random_action(&self, s: &State, dice: &mut Dice) -> Action {
        match s.phase {
            Phase::Main => self.random_main_action(s, dice),
            Phase::FirstCard | Phase::SecondCard => {
                let draws = self.draws(s);
                draw(draws.nth(dice.below(draws.len())))
            }
            Phase::Opening { .. } | Phase::Tickets => Action::Keep(self.random_keep(s, |n| dice.below(n))),
            _ => {
                let n = dice.below(self.count_actions(s) as u32);
                self.nth_action(s, n as usize).expect("n is below the number of actions")
            }
        }
    }

    /// A random choice among the offered tickets; `below` rolls a number below its argument. Most
    /// choices are allowed, so retrying is faster than counting them.
    #[inline]
    pub(crate) fn random_keep(&self, s: &State, mut below: impl FnMut(u32) -> u32) -> u8 {
        let least = self.least_kept(s).into();
        loop {
            let choice = below(1 << s.offered) as u8;
            if choice.count_ones() >= least && self.within_limits(s, choice) {
                return choice;
            }
        }
    }

    #[inline(never)]
    fn random_main_action(&self, s: &State, dice: &mut Dice) -> Action {
        let actions = self.main_actions(s);
        self.choose(s, &actions, dice.below(actions.len()))
    }

    /// Counts the actions of the main phase.
    #[inline(always)]
    fn main_actions(&self, s: &State) -> MainActions {
        let (cards, tickets) = (self.count_draws(s), self.count_ticket_draws(s));
        let claims = self.tariff.groups.count(s.cards.hands[s.seat], self.open_routes(s, s.seat));
        let stations = self.count_stations(s);
        let passes = u32::from(cards + tickets + claims + stations == 0); // CC-6
        MainActions { cards, tickets, claims, others: stations + passes + self.count_depot_sites(s) }
    }

    /// Number of actions that start with drawing cards.
    #[inline(always)]
    pub(crate) fn count_draws(&self, s: &State) -> u32 {
        if self.stores_first(s) { self.seats as u32 } else { self.first_draws(s).len() }
    }

    /// Number of ways to draw or swap tickets: 0 or 1, because no game has both.
    #[inline(always)]
    pub(crate) fn count_ticket_draws(&self, s: &State) -> u32 {
        u32::from(self.may_draw_tickets(s) || self.may_swap(s))
    }

    #[inline]
    pub(crate) fn count_depot_sites(&self, s: &State) -> u32 {
        if self.rules.depots.is_some() { self.depot_sites(s).len() as u32 } else { 0 }
    }

    /// The `n`-th action of the main phase.
    #[inline(always)]
    fn choose(&self, s: &State, actions: &MainActions, mut n: u32) -> Action {
        if n < actions.cards {
            //
            return if self.stores_first(s) {
                Action::Store(Seat::new(n as usize))
            } else {
                draw(self.first_draws(s).nth(n))
            };
        }
        n -= actions.cards;
        if n < actions.tickets {
            // No game has both.
            return if self.rules.journey.is_some() { Action::SwapTickets } else { Action::DrawTickets };
        }
        n -= actions.tickets;
        if n < actions.claims {
            return self.tariff.groups.nth(s.cards.hands[s.seat], self.open_routes(s, s.seat), n);
        }
        self.nth_other(s, n - actions.claims, actions.cards + actions.tickets + actions.claims)
    }

    /// The `n`-th station, pass or depot, where there are `more` other actions.
    #[inline(never)]
    pub(crate) fn nth_other(&self, s: &State, n: u32, more: u32) -> Action {
        let stations = self.count_stations(s);
        if n < stations {
            let sites = self.station_sites(s);
            let (payment, city) = (n / sites.len() as u32, n % sites.len() as u32);
            let hand = s.cards.hands[s.seat];
            let payment = payment::any_colour(hand, s.stations_built(s.seat) + 1).nth(payment as usize);
            let payment = payment.expect("n is below the number of stations");
            return Action::BuildStation { city: sites.member(city), payment };
        }
        let passes = u32::from(more + stations == 0);
        match (n - stations).checked_sub(passes) {
            Some(n) => Action::PlaceDepot(self.depot_sites(s).member(n)),
            None => Action::Pass,
        }
    }

    /// The ways to draw a card now.
    #[inline]
    pub(crate) fn draws(&self, s: &State) -> Draws {
        Draws { blind: self.can_take_blind(s), face_up: self.takeable(s) }
    }

    /// The ways to draw the first card of a turn: every card may be taken.
    #[inline]
    pub(crate) fn first_draws(&self, s: &State) -> Draws {
        Draws { blind: self.can_take_blind(s), face_up: s.cards.market }
    }

    /// Number of ways to build a station.
    #[inline(always)]
    pub(crate) fn count_stations(&self, s: &State) -> u32 {
        if s.has_built(s.seat, self.rules.stations) {
            return 0;
        }
        let sites = (self.all_cities - s.buildings).len() as u32;
        sites * payment::count_any_colour(s.cards.hands[s.seat], s.stations_built(s.seat) + 1)
    }

    /// The colour that can pay the extra cost of the tunnel, in addition to locomotives.
    pub(crate) fn tunnel_colour(&self, s: &State) -> Option<CardKind> {
        s.pending.and_then(|claim| claim.payment.colour)
    }
}

/// The action that draws a card, face up if a kind is given.
#[inline]
fn draw(face_up: Option<CardKind>) -> Action {
    face_up.map_or(Action::TakeBlind, Action::TakeFaceUp)
}
