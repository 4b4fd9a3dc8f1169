//! Warehouses and depots of the Europa 1912 expansion (section 4.A).

use crate::board::action::{Action, Outcome, Phase};
use crate::board::compile::BoardGame;
use crate::board::state::{NOWHERE, State, warehouse_place};
use crate::chance::{Chance, TableEvent};
use crate::pieces::{Cards, CityId, CitySet, MAX_SEATS, OldCards, RouteId, Seat};
use crate::spec::{DepotTiming, EmptyTrigger};

impl BoardGame {
    /// Distributes the depots. The last seat is the first to place one.
    pub(crate) fn start_depots(&self, s: &mut State) {
        let Some(depots) = &self.rules.depots else { return };
        s.reserve[..self.seats].fill(depots.per_seat - 1);
        s.seat = s.first.previous(self.seats);
        s.phase = Phase::FirstDepot;
    }

    /// Cities where a depot may be placed.
    pub(crate) fn depot_sites(&self, s: &State) -> CitySet {
        let may = match s.phase {
            Phase::FirstDepot => true,
            Phase::Main | Phase::AfterAction | Phase::Window { .. } => s.reserve[s.seat] > 0,
            _ => false,
        };
        if may { self.all_cities - s.buildings } else { CitySet::EMPTY }
    }

    /// Returns `true` if a turn that draws cards starts with storing one.
    #[inline]
    pub(crate) fn stores_first(&self, s: &State) -> bool {
        self.rules.depots.is_some() && self.can_take_blind(s)
    }

    /// Moves the top card of the deck into a warehouse; the normal draw follows.
    pub(crate) fn store(&self, s: &mut State, seat: Seat, chance: &mut impl Chance) {
        self.draw_to(s, chance, |s| &mut s.warehouses[seat]);
        self.replenish(s, chance);
        s.phase = Phase::FirstCard;
    }

    pub(crate) fn place_depot(&self, s: &mut State, city: CityId, chance: &mut impl Chance) {
        let seat = s.seat;
        let free = s.depots[seat].iter_mut().find(|place| **place == NOWHERE);
        *free.expect("a seat has no more depots than places for them") = city.to_u8();
        s.buildings.insert(city);
        if s.phase == Phase::FirstDepot {
            s.seat = seat.previous(self.seats);
            if seat == s.first {
                s.seat = s.first;
                self.start_turn(s);
            }
            return;
        }
        s.reserve[seat] -= 1;
        self.replenish(s, chance);
        if s.phase != Phase::Main && self.depot_sites(s).is_empty() {
            self.done(s);
        }
    }

    /// Offers the warehouses whose depots are at the ends of a claimed route.
    pub(crate) fn offer_collecting(&self, s: &mut State, route: RouteId) {
        let mut owners = 0;
        let ends = self.routes[route.index()].ends.map(CityId::to_u8);
        for seat in Seat::all(self.seats) {
            if s.depots[seat].iter().any(|depot| ends.contains(depot)) {
                owners |= 1 << seat.to_u8();
            }
        }
        self.go_on_collecting(s, owners);
    }

    fn go_on_collecting(&self, s: &mut State, owners: u8) {
        s.phase = Phase::Collect { owners };
        if Seat::all(self.seats).all(|seat| !self.may_collect(s, seat)) {
            self.finish_action(s, Outcome::Progress);
        }
    }

    /// Returns `true` if the warehouse of a seat may be collected now.
    pub(crate) fn may_collect(&self, s: &State, owner: Seat) -> bool {
        let Phase::Collect { owners } = s.phase else { return false };
        owner.index() < self.seats
            && owners >> owner.to_u8() & 1 != 0
            && s.reserve[s.seat] > 0
            && !s.warehouses[owner].is_empty()
    }

    pub(crate) fn collect(&self, s: &mut State, owner: Seat, chance: &mut impl Chance) {
        let Phase::Collect { owners } = s.phase else { unreachable!("the action is legal") };
        let seat = s.seat.index();
        s.cards.hands[seat] += std::mem::take(&mut s.warehouses[owner]);
        s.old.move_all(warehouse_place(owner), seat);
        s.reserve[seat] -= 1;
        self.replenish(s, chance);
        self.go_on_collecting(s, owners & !(1 << owner.to_u8()));
    }

    /// Ends the optional part of the current phase.
    pub(crate) fn done(&self, s: &mut State) {
        match s.phase {
            Phase::Collect { .. } => self.finish_action(s, Outcome::Progress),
            Phase::Window { turn_of } => self.open_window(s, turn_of, s.seat.next(self.seats)),
            _ => self.end_turn(s, s.outcome),
        }
    }

    /// Ends the action: depots may still be placed, then the turn ends.
    #[inline(always)]
    pub(crate) fn finish_action(&self, s: &mut State, outcome: Outcome) {
        if self.rules.depots.is_some() && !matches!(s.phase, Phase::Over(_)) {
            s.outcome = outcome;
            s.phase = Phase::AfterAction;
            if !self.depot_sites(s).is_empty() {
                return;
            }
        }
        self.end_turn(s, outcome);
    }

    /// Starts the turn of the seat to move, after the others have had the chance to place depots.
    #[inline]
    pub(crate) fn start_turn(&self, s: &mut State) {
        s.phase = Phase::Main;
        if let Some(depots) = &self.rules.depots
            && depots.timing == DepotTiming::AnyTime
        {
            self.open_window(s, s.seat, s.seat.next(self.seats));
        }
    }

    /// Lets the seats from `seat` on place depots before the turn of `turn_of`.
    fn open_window(&self, s: &mut State, turn_of: Seat, mut seat: Seat) {
        while seat != turn_of {
            s.seat = seat;
            s.phase = Phase::Window { turn_of };
            if !self.depot_sites(s).is_empty() {
                return;
            }
            seat = seat.next(self.seats);
        }
        s.seat = turn_of;
        s.phase = Phase::Main;
    }

    /// Turns all warehouses into the deck if deck and discard are empty and a seat is out of depots
    ///
    pub(crate) fn empty_warehouses(&self, s: &mut State, chance: &mut impl Chance) {
        let Some(depots) = &self.rules.depots else { return };
        // A pending tunnel still has cards on the table.
        if !s.cards.is_exhausted() || s.pending.is_some() || s.phase == Phase::FirstDepot {
            return;
        }
        let triggered = match depots.empty_trigger {
            EmptyTrigger::NoDepots => s.reserve[..self.seats].contains(&0),
            EmptyTrigger::EmptyWarehouse => s.warehouses[..self.seats].contains(&Cards::EMPTY),
        };
        if triggered {
            let stored = std::mem::replace(&mut s.warehouses, [Cards::EMPTY; MAX_SEATS]);
            s.cards.deck = stored.into_iter().fold(Cards::EMPTY, |all, cards| all + cards);
            if !s.cards.deck.is_empty() {
                chance.notice(TableEvent::WarehousesEmptied(s.cards.deck.total()));
            }
            if Seat::all(self.seats).any(|seat| s.old.count(warehouse_place(seat)) > 0) {
                s.old = OldCards::NONE; // The new deck mixes old and fresh cards.
            }
        }
    }

    /// The depot actions available in this phase.
    pub(crate) fn depot_actions(&self, s: &State) -> impl Iterator<Item = Action> + use<> {
        let owners: u8 = Seat::all(self.seats)
            .filter(|&seat| self.may_collect(s, seat))
            .map(|seat| 1 << seat.to_u8())
            .sum();
        let collect =
            Seat::all(MAX_SEATS).filter(move |seat| owners >> seat.to_u8() & 1 != 0).map(Action::Collect);
        let place = self.depot_sites(s).into_iter().map(Action::PlaceDepot);
        let optional = matches!(s.phase, Phase::Collect { .. } | Phase::AfterAction | Phase::Window { .. });
        collect.chain(place).chain(optional.then_some(Action::Done))
    }
}
