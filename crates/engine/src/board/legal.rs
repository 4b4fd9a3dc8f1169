//! Which actions are legal: as a list, as a number, and one by one with the reason why not.

use std::ops::ControlFlow;

use crate::board::action::{Action, Payment, Phase};
use crate::board::compile::BoardGame;
use crate::board::payment::{self, Price};
use crate::board::state::State;
use crate::card::{CardKind, Cards};
use crate::chance::Dice;
use crate::game::{IllegalAction, Seat};
use crate::id::{CitySet, RouteId};

/// How many actions of the main phase there are, in the order of the list.
struct Menu {
    /// Draws of cards.
    cards: u32,
    /// Draws and swaps of tickets.
    tickets: u32,
    claims: u32,
    /// Stations, a pass and depots.
    others: u32,
}

impl Menu {
    #[inline]
    fn len(&self) -> u32 {
        self.cards + self.tickets + self.claims + self.others
    }
}

/// The ways to draw a card.
#[derive(Clone, Copy)]
pub(crate) struct Draws {
    blind: bool,
    face_up: Cards,
}

impl Draws {
    /// At the start of a turn every card may be taken.
    #[inline]
    pub(crate) fn at_first(s: &State) -> Self {
        Self { blind: !s.deck_and_discard_empty(), face_up: s.market }
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        u32::from(self.blind) + self.face_up.kinds() as u32
    }

    #[inline]
    fn nth(&self, n: u32) -> Action {
        if self.blind && n == 0 {
            Action::TakeBlind
        } else {
            Action::TakeFaceUp(self.face_up.nth_kind(n - u32::from(self.blind)))
        }
    }

    /// The card that the n-th takes from the market; none if it takes the top card of the deck.
    #[inline]
    pub(crate) fn nth_face_up(&self, n: u32) -> Option<Cards> {
        let place = n.checked_sub(u32::from(self.blind))?;
        Some(self.face_up.nth_kind_as_one(place))
    }
}

impl BoardGame {
    /// Shows every legal action once to `visit`.
    pub(crate) fn visit_actions<B>(
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

    fn visit_main<B>(&self, s: &State, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_cards(s, &mut visit)?;
        if self.may_draw_tickets(s) {
            visit(Action::DrawTickets)?;
        }
        if self.may_swap(s) {
            visit(Action::SwapTickets)?;
        }
        let hand = s.hands[s.seat.index()];
        let open = self.open_routes(s, s.seat);
        self.tariff.groups(hand, open, |group| self.tariff.claims(&group, &mut visit))?;
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

    fn visit_cards<B>(&self, s: &State, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if s.phase == Phase::Main && self.stores_first(s) {
            return Seat::all(self.seats).map(Action::Store).try_for_each(visit);
        }
        if self.can_take_blind(s) {
            visit(Action::TakeBlind)?;
        }
        for (kind, _) in self.takeable(s).iter() {
            visit(Action::TakeFaceUp(kind))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn may_draw_tickets(&self, s: &State) -> bool {
        self.rules.ticket_draw > 0 && (s.bottom.len() > 0 || !s.ticket_deck().is_empty())
    }

    /// Whether a seat could claim any route with its hand.
    pub(crate) fn can_claim(&self, s: &State, seat: Seat) -> bool {
        let (hand, open) = (s.hands[seat.index()], self.open_routes(s, seat));
        self.tariff.count(hand, open) > 0
    }

    /// Cities where the seat to move may build a station (EU-7).
    #[inline]
    fn station_sites(&self, s: &State) -> CitySet {
        if s.has_built(s.seat, self.rules.stations) { CitySet::EMPTY } else { self.all_cities - s.buildings }
    }

    /// Fewest and most locomotives that can pay the extra cost of the tunnel (CC-26).
    pub(crate) fn tunnel_locomotives(&self, s: &State) -> (u8, u8) {
        let Phase::Tunnel { extra } = s.phase else { return (1, 0) };
        let hand = s.hands[s.seat.index()];
        let colour = self.tunnel_colour(s);
        let least = extra.saturating_sub(colour.map_or(0, |colour| hand.count(colour)));
        (least, extra.min(hand.locomotives()))
    }

    pub(crate) fn count(&self, s: &State) -> usize {
        match s.phase {
            Phase::Main => self.menu(s).len() as usize,
            Phase::FirstCard | Phase::SecondCard => self.draws(s).len() as usize,
            _ => {
                let mut count = 0;
                let _ = self.visit_actions(s, |_| {
                    count += 1;
                    ControlFlow::<()>::Continue(())
                });
                count
            }
        }
    }

    pub(crate) fn nth(&self, s: &State, n: usize) -> Option<Action> {
        if s.phase == Phase::Main {
            let menu = self.menu(s);
            return (n < menu.len() as usize).then(|| self.choose(s, &menu, n as u32));
        }
        let mut skip = n;
        let found = self.visit_actions(s, |action| {
            if skip == 0 {
                return ControlFlow::Break(action);
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// A legal action, each equally likely.
    #[inline]
    pub(crate) fn pick(&self, s: &State, dice: &mut Dice) -> Action {
        match s.phase {
            Phase::Main => self.pick_main(s, dice),
            Phase::FirstCard | Phase::SecondCard => {
                let draws = self.draws(s);
                draws.nth(dice.below(draws.len()))
            }
            Phase::Opening { .. } | Phase::Tickets => Action::Keep(self.pick_tickets(s, |n| dice.below(n))),
            _ => {
                let n = dice.below(self.count(s) as u32);
                self.nth(s, n as usize).expect("n is below the number of actions")
            }
        }
    }

    /// A choice among the offered tickets, with rolls below a number. Most are allowed: trying again is quicker than counting
    /// them.
    #[inline]
    pub(crate) fn pick_tickets(&self, s: &State, mut below: impl FnMut(u32) -> u32) -> u8 {
        let least = self.least_kept(s).into();
        loop {
            let choice = below(1 << s.offered) as u8;
            if choice.count_ones() >= least && self.within_limits(s, choice) {
                return choice;
            }
        }
    }

    #[inline(never)]
    fn pick_main(&self, s: &State, dice: &mut Dice) -> Action {
        let menu = self.menu(s);
        self.choose(s, &menu, dice.below(menu.len()))
    }

    /// Counts the actions of the main phase.
    #[inline(always)]
    fn menu(&self, s: &State) -> Menu {
        let (cards, tickets) = (self.count_draws(s), self.count_ticket_draws(s));
        let claims = self.tariff.count(s.hands[s.seat.index()], self.open_routes(s, s.seat));
        let stations = self.count_stations(s);
        let passes = u32::from(cards + tickets + claims + stations == 0); // CC-6
        Menu { cards, tickets, claims, others: stations + passes + self.count_depot_sites(s) }
    }

    /// How many ways there are to begin with drawing cards.
    #[inline(always)]
    pub(crate) fn count_draws(&self, s: &State) -> u32 {
        if self.stores_first(s) { self.seats as u32 } else { Draws::at_first(s).len() }
    }

    /// Whether tickets can be drawn or swapped: no game has both.
    #[inline(always)]
    pub(crate) fn count_ticket_draws(&self, s: &State) -> u32 {
        u32::from(self.may_draw_tickets(s) || self.may_swap(s))
    }

    #[inline]
    pub(crate) fn count_depot_sites(&self, s: &State) -> u32 {
        if self.rules.depots.is_some() { self.depot_sites(s).len() as u32 } else { 0 }
    }

    /// The n-th action of the main phase.
    #[inline(always)]
    fn choose(&self, s: &State, menu: &Menu, mut n: u32) -> Action {
        if n < menu.cards {
            //
            return if self.stores_first(s) {
                Action::Store(Seat(n as u8))
            } else {
                Draws::at_first(s).nth(n)
            };
        }
        n -= menu.cards;
        if n < menu.tickets {
            // No game has both.
            return if self.rules.journey.is_some() { Action::SwapTickets } else { Action::DrawTickets };
        }
        n -= menu.tickets;
        if n < menu.claims {
            return self.tariff.nth(s.hands[s.seat.index()], self.open_routes(s, s.seat), n);
        }
        self.nth_other(s, n - menu.claims, menu.cards + menu.tickets + menu.claims)
    }

    /// The n-th station, pass or depot, where there are `more` actions besides.
    #[inline(never)]
    pub(crate) fn nth_other(&self, s: &State, n: u32, more: u32) -> Action {
        let stations = self.count_stations(s);
        if n < stations {
            let sites = self.station_sites(s);
            let (payment, city) = (n / sites.len() as u32, n % sites.len() as u32);
            let hand = s.hands[s.seat.index()];
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

    /// The ways to draw a card of a turn that has begun to.
    #[inline]
    pub(crate) fn draws(&self, s: &State) -> Draws {
        Draws { blind: !s.deck_and_discard_empty(), face_up: self.takeable(s) }
    }

    /// How many ways there are to build a station.
    #[inline(always)]
    pub(crate) fn count_stations(&self, s: &State) -> u32 {
        if s.has_built(s.seat, self.rules.stations) {
            return 0;
        }
        let sites = (self.all_cities - s.buildings).len() as u32;
        sites * payment::count_any_colour(s.hands[s.seat.index()], s.stations_built(s.seat) + 1)
    }

    /// Why an action may not be taken now, if so. Written apart from the list: a test compares the two.
    pub(crate) fn check_action(&self, s: &State, action: Action) -> Result<(), IllegalAction> {
        let forbidden = |rule, reason: String| Err(IllegalAction::Forbidden { rule, reason });
        let now = match s.phase {
            Phase::Opening { .. } | Phase::Tickets => "tickets are being chosen",
            Phase::Main => "a turn starts",
            Phase::FirstCard | Phase::SecondCard => "a card is being drawn",
            Phase::FirstDepot => "the first depot is being placed",
            Phase::Collect { .. } => "warehouses are being collected",
            Phase::AfterAction => "depots are being placed after the action",
            Phase::Window { .. } => "depots are being placed before another turn",
            Phase::Sets { .. } => "the cards of substitute sets are being chosen",
            Phase::Tunnel { .. } => "the extra cost of a tunnel is to be paid or declined",
            Phase::Over(_) => return Err(IllegalAction::GameOver),
        };
        let main = s.phase == Phase::Main;
        let drawing = match s.phase {
            Phase::Main => !self.stores_first(s),
            Phase::FirstCard | Phase::SecondCard => true,
            _ => false,
        };
        match action {
            Action::Keep(choice) if matches!(s.phase, Phase::Opening { .. } | Phase::Tickets) => {
                if self.may_keep(s, choice) {
                    return Ok(());
                }
                let least = self.least_kept(s);
                let offered = s.offered;
                forbidden(
                    "CC-3, CC-29",
                    format!(
                        "of the {offered} offered tickets at least {least} are kept, and not too many of one pile"
                    ),
                )
            }
            Action::TakeBlind if drawing => {
                if self.can_take_blind(s) {
                    return Ok(());
                }
                forbidden("CC-7", "deck and discard are empty".into())
            }
            Action::TakeFaceUp(kind) if drawing => {
                if self.takeable(s).count(kind) > 0 {
                    return Ok(());
                }
                if s.market.count(kind) > 0 {
                    return forbidden("CC-10", "a face-up locomotive can't be the second card".into());
                }
                forbidden("CC-8", format!("no {kind} card lies face up"))
            }
            Action::DrawTickets if main => {
                if self.may_draw_tickets(s) {
                    return Ok(());
                }
                forbidden("CC-29", "there are no tickets to draw".into())
            }
            Action::SwapTickets if main => {
                if self.may_swap(s) {
                    return Ok(());
                }
                forbidden("FJ-5", "there are no tickets to swap for".into())
            }
            Action::Claim { route, payment } if main => self.check_claim(s, route, payment),
            Action::BuildStation { city, payment } if main => {
                let built = s.stations_built(s.seat);
                if city.index() >= self.map.cities.len() {
                    return Err(IllegalAction::Unknown("city"));
                }
                if built >= self.rules.stations {
                    return forbidden("EU-7", "no station is left".into());
                }
                if s.buildings.contains(city) {
                    return forbidden("EU-7", format!("{} is built on already", self.city_name(city)));
                }
                self.check_payment(s, &Price::of_any_colour(built + 1), payment, "EU-7")
            }
            Action::PayTunnel { locomotives } if matches!(s.phase, Phase::Tunnel { .. }) => {
                let (least, most) = self.tunnel_locomotives(s);
                if (least..=most).contains(&locomotives) {
                    return Ok(());
                }
                forbidden("CC-26", format!("{least} to {most} of the extra cards can be locomotives"))
            }
            Action::DeclineTunnel if matches!(s.phase, Phase::Tunnel { .. }) => Ok(()),
            Action::AddToSets { kind, count } if matches!(s.phase, Phase::Sets { .. }) => {
                let Phase::Sets { kind: asked, due } = s.phase else { unreachable!("just matched") };
                let (least, most) = self.set_range(s, asked, due);
                if kind == asked && (least..=most).contains(&count) {
                    return Ok(());
                }
                forbidden("CC-22", format!("{least} to {most} {asked} cards can go into the sets"))
            }
            Action::Pass if main => {
                let possible = self.visit_main(s, ControlFlow::Break);
                match possible {
                    ControlFlow::Break(_) => forbidden("CC-6", "there is something to do".into()),
                    ControlFlow::Continue(()) => Ok(()),
                }
            }
            Action::TakeBlind | Action::TakeFaceUp(_) if main => {
                forbidden("X-5", "first a card goes into a warehouse".into())
            }
            Action::Store(seat) if main => {
                if seat.index() >= self.seats {
                    return Err(IllegalAction::Unknown("seat"));
                }
                if self.stores_first(s) {
                    return Ok(());
                }
                forbidden("X-5, X-6", "there is no warehouse, or no card to store".into())
            }
            Action::Collect(owner) if matches!(s.phase, Phase::Collect { .. }) => {
                if self.may_collect(s, owner) {
                    return Ok(());
                }
                forbidden("X-7", "no depot of that seat, no card or no reserve for it".into())
            }
            Action::PlaceDepot(city)
                if matches!(
                    s.phase,
                    Phase::Main | Phase::FirstDepot | Phase::AfterAction | Phase::Window { .. }
                ) =>
            {
                if city.index() >= self.map.cities.len() {
                    return Err(IllegalAction::Unknown("city"));
                }
                if self.rules.depots.is_some() && self.depot_sites(s).contains(city) {
                    return Ok(());
                }
                forbidden("X-3, X-9", "there is no depot in reserve, or a building in the city".into())
            }
            Action::Done
                if matches!(s.phase, Phase::Collect { .. } | Phase::AfterAction | Phase::Window { .. }) =>
            {
                Ok(())
            }
            _ => Err(IllegalAction::WrongMoment { action: format!("{action:?}"), now }),
        }
    }

    fn check_claim(&self, s: &State, route: RouteId, payment: Payment) -> Result<(), IllegalAction> {
        let forbidden = |rule, reason: String| Err(IllegalAction::Forbidden { rule, reason });
        let Some(spec) = self.routes.get(route.index()) else {
            return Err(IllegalAction::Unknown("route"));
        };
        if let Some(owner) = s.owner(route) {
            return forbidden("CC-16", format!("{owner} owns this route"));
        }
        if s.closed_routes().contains(route) {
            return forbidden("CC-20", "the other track is claimed, and this closes it".into());
        }
        if self.owns_twin(s, route) {
            return forbidden("CC-19", "nobody may own both tracks".into());
        }
        let trains = s.trains[s.seat.index()];
        if trains < spec.length {
            return forbidden("CC-16", format!("{} trains are needed, {trains} are left", spec.length));
        }
        if let (Some(printed), Some(played)) = (spec.colour, payment.colour)
            && printed != played
        {
            return forbidden("EU-4", format!("the route is {printed}, not {played}"));
        }
        self.check_payment(s, self.tariff.of(route), payment, "CC-22")
    }

    fn check_payment(
        &self,
        s: &State,
        price: &Price,
        payment: Payment,
        rule: &'static str,
    ) -> Result<(), IllegalAction> {
        let hand = s.hands[s.seat.index()];
        if price.allows(hand, payment) {
            return Ok(());
        }
        let reason = if payment.locomotives > 0 && !price.locomotives {
            "locomotives can't be played here".to_owned()
        } else if payment.sets > price.most_sets {
            "substitute sets can't be played here".to_owned()
        } else if payment.locomotives.saturating_add(payment.sets) < price.ferry {
            format!("{} locomotives are needed at least", price.ferry)
        } else {
            format!("{} spaces can't be paid for like that from the hand", price.length)
        };
        Err(IllegalAction::Forbidden { rule, reason })
    }

    /// What the extra cost of the tunnel can be paid with: the colour played, and locomotives.
    pub(crate) fn tunnel_colour(&self, s: &State) -> Option<CardKind> {
        s.pending.and_then(|claim| claim.payment.colour)
    }
}
