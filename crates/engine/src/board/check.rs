//! Legality checks of single actions, with the rule that forbids an illegal one.
//!
//! Implemented independently of the list in `legal`, so that tests can compare the two.

use std::ops::ControlFlow;

use crate::board::action::{Action, Payment, Phase};
use crate::board::compile::BoardGame;
use crate::board::payment::Price;
use crate::board::state::State;
use crate::game::{IllegalAction, require};
use crate::pieces::{CardKind, CityId, RouteId, Seat};

impl BoardGame {
    pub(crate) fn check(&self, s: &State, action: Action) -> Result<(), IllegalAction> {
        if let Phase::Over(_) = s.phase {
            return Err(IllegalAction::GameOver);
        }
        if !is_moment_for(action, s.phase) {
            return Err(IllegalAction::WrongMoment { action: action.kind().to_owned(), now: now(s.phase) });
        }
        match action {
            Action::Keep(choice) => self.check_keep(s, choice),
            Action::TakeBlind => self.check_take_blind(s),
            Action::TakeFaceUp(kind) => self.check_take_face_up(s, kind),
            Action::Claim { route, payment } => self.check_claim(s, route, payment),
            Action::AddToSets { kind, count } => self.check_sets(s, kind, count),
            Action::PayTunnel { locomotives } => self.check_tunnel_payment(s, locomotives),
            Action::BuildStation { city, payment } => self.check_station(s, city, payment),
            Action::DrawTickets => {
                require(self.may_draw_tickets(s), "CC-29", || "there are no tickets to draw")
            }
            Action::SwapTickets => require(self.may_swap(s), "FJ-5", || "there are no tickets to swap for"),
            Action::Pass => self.check_pass(s),
            Action::Store(seat) => self.check_store(s, seat),
            Action::Collect(owner) => self.check_collect(s, owner),
            Action::PlaceDepot(city) => self.check_depot(s, city),
            Action::DeclineTunnel | Action::Done => Ok(()),
        }
    }

    fn check_keep(&self, s: &State, choice: u8) -> Result<(), IllegalAction> {
        require(self.may_keep(s, choice), "CC-3, CC-29", || {
            let (offered, least) = (s.offered, self.least_kept(s));
            format!(
                "of the {offered} offered tickets at least {least} are kept, and not too many of one pile"
            )
        })
    }

    fn check_take_blind(&self, s: &State) -> Result<(), IllegalAction> {
        self.check_stored_first(s)?;
        require(self.can_take_blind(s), "CC-7", || "deck and discard are empty")
    }

    fn check_take_face_up(&self, s: &State, kind: CardKind) -> Result<(), IllegalAction> {
        self.check_stored_first(s)?;
        require(s.cards.market.count(kind) > 0, "CC-8", || format!("no {kind} card lies face up"))?;
        require(self.takeable(s).count(kind) > 0, "CC-10", || "a face-up locomotive can't be the second card")
    }

    fn check_stored_first(&self, s: &State) -> Result<(), IllegalAction> {
        let to_store = s.phase == Phase::Main && self.stores_first(s);
        require(!to_store, "X-5", || "first a card goes into a warehouse")
    }

    fn check_claim(&self, s: &State, id: RouteId, payment: Payment) -> Result<(), IllegalAction> {
        let Some(route) = self.routes.get(id.index()) else {
            return Err(IllegalAction::Unknown("route"));
        };
        if let Some(owner) = s.owner(id) {
            return require(false, "CC-16", || format!("{owner} owns this route"));
        }
        require(
            !s.closed_routes().contains(id),
            "CC-20",
            || "the other track is claimed, and this closes it",
        )?;
        require(!self.owns_twin(s, id), "CC-19", || "nobody may own both tracks")?;
        let trains = s.trains[s.seat];
        require(route.length <= trains, "CC-16", || {
            format!("{} trains are needed, {trains} are left", route.length)
        })?;
        if let (Some(printed), Some(played)) = (route.colour, payment.colour) {
            require(printed == played, "EU-4", || format!("the route is {printed}, not {played}"))?;
        }
        self.check_payment(s, self.tariff.groups.price(id), payment, "CC-22")
    }

    fn check_payment(
        &self,
        s: &State,
        price: &Price,
        payment: Payment,
        rule: &'static str,
    ) -> Result<(), IllegalAction> {
        require(price.allows(s.cards.hands[s.seat], payment), rule, || {
            if payment.locomotives > 0 && !price.locomotives {
                "locomotives can't be played here".to_owned()
            } else if payment.sets > price.most_sets {
                "substitute sets can't be played here".to_owned()
            } else if payment.locomotives.saturating_add(payment.sets) < price.ferry {
                format!("{} locomotives are needed at least", price.ferry)
            } else {
                format!("{} spaces can't be paid for like that from the hand", price.length)
            }
        })
    }

    fn check_sets(&self, s: &State, kind: CardKind, count: u8) -> Result<(), IllegalAction> {
        let Phase::Sets { kind: asked, due } = s.phase else { unreachable!("the moment was checked") };
        let (least, most) = self.set_range(s, asked, due);
        require(kind == asked && (least..=most).contains(&count), "CC-22", || {
            format!("{least} to {most} {asked} cards can go into the sets")
        })
    }

    fn check_tunnel_payment(&self, s: &State, locomotives: u8) -> Result<(), IllegalAction> {
        let (least, most) = self.tunnel_locomotives(s);
        require((least..=most).contains(&locomotives), "CC-26", || {
            format!("{least} to {most} of the extra cards can be locomotives")
        })
    }

    fn check_station(&self, s: &State, city: CityId, payment: Payment) -> Result<(), IllegalAction> {
        self.check_city(city)?;
        let built = s.stations_built(s.seat);
        require(built < self.rules.stations, "EU-7", || "no station is left")?;
        require(!s.buildings.contains(city), "EU-7", || {
            format!("{} is built on already", self.city_name(city))
        })?;
        self.check_payment(s, &Price::of_any_colour(built + 1), payment, "EU-7")
    }

    fn check_pass(&self, s: &State) -> Result<(), IllegalAction> {
        let possible = self.visit_main(s, ControlFlow::Break);
        require(possible.is_continue(), "CC-6", || "there is something to do")
    }

    fn check_store(&self, s: &State, seat: Seat) -> Result<(), IllegalAction> {
        if seat.index() >= self.seats {
            return Err(IllegalAction::Unknown("seat"));
        }
        require(self.stores_first(s), "X-5, X-6", || "there is no warehouse, or no card to store")
    }

    fn check_collect(&self, s: &State, owner: Seat) -> Result<(), IllegalAction> {
        require(self.may_collect(s, owner), "X-7", || "no depot of that seat, no card or no reserve for it")
    }

    fn check_depot(&self, s: &State, city: CityId) -> Result<(), IllegalAction> {
        self.check_city(city)?;
        require(
            self.rules.depots.is_some() && self.depot_sites(s).contains(city),
            "X-3, X-9",
            || "there is no depot in reserve, or a building in the city",
        )
    }

    fn check_city(&self, city: CityId) -> Result<(), IllegalAction> {
        if city.index() < self.spec.cities.len() { Ok(()) } else { Err(IllegalAction::Unknown("city")) }
    }
}

/// Returns `true` if an action can ever be legal in a phase.
fn is_moment_for(action: Action, phase: Phase) -> bool {
    match action {
        Action::Keep(_) => matches!(phase, Phase::Opening { .. } | Phase::Tickets),
        Action::TakeBlind | Action::TakeFaceUp(_) => {
            matches!(phase, Phase::Main | Phase::FirstCard | Phase::SecondCard)
        }
        Action::Claim { .. }
        | Action::BuildStation { .. }
        | Action::DrawTickets
        | Action::SwapTickets
        | Action::Pass
        | Action::Store(_) => phase == Phase::Main,
        Action::AddToSets { .. } => matches!(phase, Phase::Sets { .. }),
        Action::PayTunnel { .. } | Action::DeclineTunnel => matches!(phase, Phase::Tunnel { .. }),
        Action::Collect(_) => matches!(phase, Phase::Collect { .. }),
        Action::PlaceDepot(_) => {
            matches!(phase, Phase::Main | Phase::FirstDepot | Phase::AfterAction | Phase::Window { .. })
        }
        Action::Done => matches!(phase, Phase::Collect { .. } | Phase::AfterAction | Phase::Window { .. }),
    }
}

/// Describes the pending decision in words.
fn now(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening { .. } | Phase::Tickets => "tickets are being chosen",
        Phase::Main => "a turn starts",
        Phase::FirstCard | Phase::SecondCard => "a card is being drawn",
        Phase::Sets { .. } => "the cards of substitute sets are being chosen",
        Phase::Tunnel { .. } => "the extra cost of a tunnel is to be paid or declined",
        Phase::FirstDepot => "the first depot is being placed",
        Phase::Collect { .. } => "warehouses are being collected",
        Phase::AfterAction => "depots are being placed after the action",
        Phase::Window { .. } => "depots are being placed before another turn",
        Phase::Over(_) => "the game is over",
    }
}
