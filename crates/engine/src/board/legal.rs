//! Which actions are legal: as a list, as a number, and one by one with the reason why not.

use std::ops::ControlFlow;

use crate::board::action::{Action, Payment, Phase};
use crate::board::compile::BoardGame;
use crate::board::payment::{self, Shape};
use crate::board::state::{State, TicketPlace};
use crate::card::CardKind;
use crate::chance::Dice;
use crate::game::{IllegalAction, Seat};
use crate::id::{CitySet, RouteId};

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
        if self.rules.journey.is_some() && self.may_swap(s) {
            visit(Action::SwapTickets)?;
        }
        let hand = s.hands[s.seat.index()];
        let open = self.open_routes(s, s.seat);
        self.shapes.groups(hand, open, |group| {
            for route in group.routes {
                for n in 0..group.payments {
                    visit(Action::Claim { route, payment: self.shapes.payment(group, hand, n) })?;
                }
            }
            ControlFlow::Continue(())
        })?;
        let sites = self.station_sites(s);
        if !sites.is_empty() {
            payment::any_colour(hand, s.stations_built(s.seat) + 1, |payment| {
                for city in sites {
                    visit(Action::BuildStation { city, payment })?;
                }
                ControlFlow::Continue(())
            })?;
        }
        ControlFlow::Continue(())
    }

    fn visit_cards<B>(&self, s: &State, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.stores_first(s) {
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

    fn may_draw_tickets(&self, s: &State) -> bool {
        self.rules.ticket_draw > 0 && (!s.tickets_at(TicketPlace::Deck).is_empty() || s.bottom.len() > 0)
    }

    /// Whether a seat could claim any route with its hand.
    pub(crate) fn can_claim(&self, s: &State, seat: Seat) -> bool {
        let (hand, open) = (s.hands[seat.index()], self.open_routes(s, seat));
        self.shapes
            .groups(hand, open, |group| {
                if group.len() > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .is_break()
    }

    /// Cities where the seat to move may build a station (EU-7).
    fn station_sites(&self, s: &State) -> CitySet {
        if s.stations_built(s.seat) < self.rules.stations {
            self.all_cities - s.buildings
        } else {
            CitySet::EMPTY
        }
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
        if s.phase != Phase::Main {
            let mut count = 0;
            let _ = self.visit_actions(s, |_| {
                count += 1;
                ControlFlow::<()>::Continue(())
            });
            return count;
        }
        let mut count = self.count_before_claims(s);
        let hand = s.hands[s.seat.index()];
        let _ = self.shapes.groups(hand, self.open_routes(s, s.seat), |group| {
            count += group.len() as usize;
            ControlFlow::<()>::Continue(())
        });
        let sites = self.station_sites(s).len();
        if sites > 0 {
            count += sites * payment::count_any_colour(hand, s.stations_built(s.seat) + 1);
        }
        let depots = if self.rules.depots.is_some() { self.depot_sites(s).len() } else { 0 };
        count.max(1) + depots // a pass, if there is nothing else
    }

    /// Actions of the main phase that stand before the claims in the list.
    fn count_before_claims(&self, s: &State) -> usize {
        let cards = match self.stores_first(s) {
            true => self.seats,
            false => usize::from(self.can_take_blind(s)) + self.takeable(s).kinds(),
        };
        cards
            + usize::from(self.may_draw_tickets(s))
            + usize::from(self.rules.journey.is_some() && self.may_swap(s))
    }

    pub(crate) fn nth(&self, s: &State, n: usize) -> Option<Action> {
        let before = if s.phase == Phase::Main { self.count_before_claims(s) } else { usize::MAX };
        if n < before {
            let mut skip = n;
            let found = self.visit_actions(s, |action| {
                if skip == 0 {
                    return ControlFlow::Break(action);
                }
                skip -= 1;
                ControlFlow::Continue(())
            });
            return found.break_value();
        }
        let mut skip = u32::try_from(n - before).ok()?;
        let hand = s.hands[s.seat.index()];
        let claim = self.shapes.groups(hand, self.open_routes(s, s.seat), |group| {
            if skip < group.len() {
                return ControlFlow::Break(self.shapes.claim(group, hand, skip));
            }
            skip -= group.len();
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(claim) = claim {
            return Some(claim);
        }
        let sites = self.station_sites(s);
        if !sites.is_empty() {
            let station = payment::any_colour(hand, s.stations_built(s.seat) + 1, |payment| {
                if let Some(city) = sites.nth(skip as usize) {
                    return ControlFlow::Break(Action::BuildStation { city, payment });
                }
                skip -= sites.len() as u32;
                ControlFlow::Continue(())
            });
            if let ControlFlow::Break(station) = station {
                return Some(station);
            }
        }
        if skip as usize == n {
            // Nothing was there before: a pass is (CC-6).
            if n == 0 {
                return Some(Action::Pass);
            }
            skip -= 1;
        }
        let sites = if self.rules.depots.is_some() { self.depot_sites(s) } else { CitySet::EMPTY };
        sites.nth(skip as usize).map(Action::PlaceDepot)
    }

    /// A legal action, each equally likely: like the [`BoardGame::nth`] of a random number, but in one walk through
    /// the claims.
    pub(crate) fn pick(&self, s: &State, dice: &mut Dice) -> Action {
        if s.phase != Phase::Main {
            let n = dice.below(self.count(s) as u32);
            return self.nth(s, n as usize).expect("n is below the number of actions");
        }
        let hand = s.hands[s.seat.index()];
        let sites = self.station_sites(s);
        let stations = match sites.is_empty() {
            true => 0,
            false => sites.len() * payment::count_any_colour(hand, s.stations_built(s.seat) + 1),
        };
        let before = self.count_before_claims(s) as u32;
        let mut after = stations as u32;
        if self.rules.depots.is_some() {
            after += self.depot_sites(s).len() as u32;
            if before == 0 {
                let n = dice.below(self.count(s) as u32); // perhaps a pass among the placements
                return self.nth(s, n as usize).expect("n is below the number of actions");
            }
        }
        let open = self.open_routes(s, s.seat);
        let picked = self.shapes.pick(hand, open, before, after, dice);
        picked.unwrap_or_else(|n| self.nth(s, n as usize).expect("n is below the number of actions"))
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
                if self.rules.journey.is_some() && self.may_swap(s) {
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
                let shape = Shape::new(built + 1, true, 0, 0, 0);
                self.check_payment(s, &shape, payment, "EU-7")
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
        if spec.twin.is_some_and(|twin| s.owner(twin) == Some(s.seat)) {
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
        self.check_payment(s, self.shapes.of(route), payment, "CC-22")
    }

    fn check_payment(
        &self,
        s: &State,
        shape: &Shape,
        payment: Payment,
        rule: &'static str,
    ) -> Result<(), IllegalAction> {
        let hand = s.hands[s.seat.index()];
        if shape.pays(hand, payment) {
            return Ok(());
        }
        let reason = if payment.locomotives > 0 && !shape.locomotives {
            "locomotives can't be played here".to_owned()
        } else if payment.sets > shape.most_sets {
            "substitute sets can't be played here".to_owned()
        } else if payment.locomotives.saturating_add(payment.sets) < shape.ferry {
            format!("{} locomotives are needed at least", shape.ferry)
        } else {
            format!("{} spaces can't be paid for like that from the hand", shape.length)
        };
        Err(IllegalAction::Forbidden { rule, reason })
    }

    /// What the extra cost of the tunnel can be paid with: the colour played, and locomotives.
    pub(crate) fn tunnel_colour(&self, s: &State) -> Option<CardKind> {
        s.pending.and_then(|claim| claim.payment.colour)
    }
}
