//! Determinization: a random position among all that are indistinguishable to one seat.
//!
//! Cards that the seat can't see are dealt anew to the other hands, in addition to those that they have
//! shown; the rest form the deck. After a reshuffle, cards from before it stay outside the new deck
//! (I-45). Tickets are dealt likewise, subject to the piles of the opening: the number of opening
//! tickets that a seat kept is public, the tickets are not, so every choice of that size is equally
//! likely. Tickets that the seat put under the deck and lost track of are dealt first, each to a place
//! where it may be (I-45).

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

use crate::board::action::{Ending, Phase};
use crate::board::compile::BoardGame;
use crate::board::observe::Observation;
use crate::board::rules::OpeningDeal;
use crate::board::state::{State, warehouse_place};
use crate::board::uncertain::{Uncertain, uncertain};
use crate::chance::{Chance, Dice};
use crate::pieces::{
    CardKind, CardPile, Cards, MAX_SEATS, Seat, TicketId, TicketPile, TicketPlace, TicketSet,
};
use crate::spec::{MAX_PILES, MAX_TICKETS};

/// Maximum number of attempts where a deal may turn out inconsistent.
const TRIES: usize = 1_000;

impl BoardGame {
    pub(crate) fn determinize(&self, observation: &Observation<'_>, dice: &mut Dice) -> State {
        let mut world = *observation.state;
        if let (Phase::Sets { kind, due }, false) = (world.phase, world.seat == observation.seat) {
            // Another seat is choosing cards for substitute sets, so it must have a choice. The number
            // of attempts is bounded so that determinization always terminates. The bound is hardly ever
            // reached; the seat can then still continue, but in one way only.
            for attempt in 0..TRIES {
                let surely = world.old.cards().is_empty() || attempt + 100 > TRIES;
                self.determinize_cards(&mut world, observation, surely.then_some((kind, due)), dice);
                let (least, most) = self.set_range(&world, kind, due);
                if least < most {
                    break;
                }
            }
        } else {
            self.determinize_cards(&mut world, observation, None, dice);
        }
        self.determinize_tickets(&mut world, observation, dice);
        world
    }

    /// Deals hidden cards. With `needed`, the seat to move gets enough cards for its substitute sets,
    /// old or fresh.
    fn determinize_cards(
        &self,
        world: &mut State,
        observation: &Observation<'_>,
        needed: Option<(CardKind, u8)>,
        dice: &mut Dice,
    ) {
        let (s, me) = (observation.state, observation.seat);
        let unseen = observation.unseen();
        let mut fresh = unseen;
        if !s.old.cards().is_empty() {
            let own = s.cards.hidden()[me];
            let own_old = s.old.draw_own(unseen, me.index(), own, dice);
            (_, fresh) = s.old.split(unseen, own_old);
        }
        let deck = self.deck_behind_full_market(world, fresh, dice).unwrap_or_else(|| {
            // The assumption about old cards contradicts the market, which is certain.
            self.deck_behind_full_market(world, unseen, dice).unwrap_or(Cards::EMPTY)
        });
        fresh = fresh.saturating_sub(deck);
        let mut old = unseen - deck - fresh;
        let mut hidden = s.hidden().map(Cards::total);
        hidden[me] = 0;
        if let Some((kind, due)) = needed {
            // Dealing to this seat first keeps all deals equally likely.
            let seat = s.seat.index();
            let kinds = Cards::of_each(1).at_or_after(kind);
            let least = due.saturating_sub(s.cards.shown[seat].only(kinds).total());
            let dealt = deal_with(kinds, least, hidden[seat], old + fresh, dice);
            fresh = fresh.saturating_sub(dealt);
            old = unseen - deck - dealt - fresh;
            hidden[seat] = 0;
            world.cards.hands[seat] = s.cards.shown[seat] + dealt;
        }
        let mut piles = s.old.piles(old, fresh, hidden);
        for seat in me.all_but(self.seats) {
            let place = seat.index();
            if hidden[place] > 0 {
                world.cards.hands[place] = s.cards.shown[place] + piles.draw(place, hidden[place], dice);
            }
        }
        if self.rules.depots.is_some() {
            for seat in Seat::all(self.seats) {
                let place = warehouse_place(seat);
                world.warehouses[seat] = piles.draw(place, hidden[place], dice);
            }
        }
        world.cards.deck = piles.rest() + deck;
    }

    /// Draws a deck that explains a market with too many locomotives that was not flushed: the pool has
    /// too few other cards for a better one (CC-12). Empty if the market needs no explanation, `None` if
    /// these cards allow no such deck.
    fn deck_behind_full_market(&self, world: &State, cards: Cards, dice: &mut Dice) -> Option<Cards> {
        let full = self.rules.flush_at > 0 && world.cards.market.locomotives() >= self.rules.flush_at;
        // While a tunnel is pending, cards have left the pool since the market was last checked.
        if !full || world.flush_capped || matches!(world.phase, Phase::Tunnel { .. }) {
            return Some(Cards::EMPTY);
        }
        let size = world.cards.deck.total();
        let visible = world.cards.discard + world.cards.market;
        let slots = self.rules.market.min(visible.total() + size);
        // The pool has at most `slots - flush_at` other cards.
        let most = (slots - self.rules.flush_at).saturating_sub(visible.total() - visible.locomotives());
        let locomotives = Cards::of(CardKind::Locomotive, cards.locomotives());
        let others = cards - locomotives;
        // Minimum number of other cards: there are only so many locomotives.
        let least = size.saturating_sub(cards.locomotives());
        let most = most.min(size).min(others.total());
        if least > most {
            return None;
        }
        let n = hypergeometric(size, others.total(), cards.locomotives(), least..=most, dice);
        Some(Cards::of(CardKind::Locomotive, size - n) + CardPile::new(others).draw(n, dice))
    }

    /// Deals hidden tickets. All numbers that control it are known to the observing seat.
    fn determinize_tickets(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let me = observation.seat;
        let mut seen = observation.tickets() | observation.offered() | observation.put_back();
        if self.rules.journey.is_some() {
            seen = Seat::all(self.seats).fold(seen, |seen, seat| seen | observation.completed(seat));
        }
        let mut deck = self.piles[0] - seen;
        world.tickets.put_all(deck, TicketPlace::Deck);
        let mut others = [TicketSet::EMPTY; MAX_PILES];
        let used = |(_, pile): &(&mut TicketSet, &TicketSet)| !pile.is_empty();
        for (unseen, pile) in others.iter_mut().zip(&self.piles).skip(1).filter(used) {
            *unseen = *pile - seen;
            world.tickets.put_all(*unseen, TicketPlace::Box);
        }

        let mut counts = [Counts::default(); MAX_SEATS];
        let mut put_back = [TicketSet::EMPTY; MAX_SEATS];
        for seat in me.all_but(self.seats) {
            put_back[seat] = observation.state.tickets.at(TicketPlace::PutBack(seat));
            counts[seat] = Counts {
                held: observation.state.tickets.at(TicketPlace::Held(seat)).len() as u8,
                away: put_back[seat].len() as u8,
            };
        }
        let choosing = (!observation.to_move() && world.offered > 0).then_some(world.seat);
        let mut placed = PlacedTickets::default();
        if !world.bottom.notes().is_empty() {
            world.keep_memory_of(me);
            self.place_uncertain(observation, seen, &counts, &mut placed, dice);
            for seat in me.all_but(self.seats) {
                let held = placed.held[seat];
                world.tickets.transfer(held, TicketPlace::Deck, TicketPlace::Held(seat));
                counts[seat].held -= held.len() as u8;
            }
            world.tickets.transfer(placed.offered, TicketPlace::Deck, TicketPlace::Offered);
            deck -= placed.tickets();
        }

        if self.rules.journey.is_some() {
            deck = deck - self.determinize_journey_hands(world, me, &counts, deck, dice);
        }
        let mut unseen = Unseen { deck: TicketPile::new(deck), others };
        if world.bottom.len() > 0 {
            let mixed = observation.state.tickets.at(TicketPlace::Mixed) - seen;
            let under = Under { placed: &mut placed.under, mixed, put_back: &put_back };
            self.determinize_bottom(world, observation, under, &mut counts, &mut unseen.deck, dice);
        }
        for seat in me.all_but(self.seats) {
            self.determinize_hand(world, seat, counts[seat], &mut unseen, dice);
        }
        if let Some(seat) = choosing {
            debug_assert_ne!(seat, me);
            match world.phase {
                Phase::Opening { step } => {
                    for deal in &self.opening[usize::from(step)].deals {
                        match deal.pile {
                            0 => unseen.give(world, deal.count, TicketPlace::Offered, dice),
                            pile => (0..deal.count).for_each(|_| {
                                unseen.give_other(world, pile.into(), TicketPlace::Offered, dice);
                            }),
                        }
                    }
                }
                _ => {
                    let count = world.offered - placed.offered.len() as u8;
                    unseen.give(world, count, TicketPlace::Offered, dice);
                }
            }
        }
    }

    /// Deals the tickets under the deck. The seat knows those that it put there; of the rest it knows
    /// only the owners. Tickets under the deck do not count as away.
    fn determinize_bottom(
        &self,
        world: &mut State,
        observation: &Observation<'_>,
        under: Under<'_>,
        counts: &mut [Counts; MAX_SEATS],
        unseen: &mut TicketPile,
        dice: &mut Dice,
    ) {
        let mut next = |batch: usize, dice: &mut Dice| {
            let placed = under.placed.iter().position(|&(number, _)| usize::from(number) == batch);
            placed.map_or_else(|| unseen.draw_one(dice), |at| under.placed.swap_remove(at).1)
        };
        // Tickets are dealt one at a time, so that their true order does not matter.
        let mut deal = |tickets: TicketSet, place: TicketPlace| {
            let mut drawn = TicketSet::EMPTY;
            world.bottom.replace(&observation.state.bottom, |batch, ticket| {
                let new = tickets.contains(ticket).then(|| next(batch, dice))?;
                drawn.insert(new);
                Some(new)
            });
            world.tickets.transfer(drawn, TicketPlace::Deck, place);
            drawn.len() as u8
        };
        for seat in observation.seat.all_but(self.seats) {
            counts[seat].away -= deal(under.put_back[seat], TicketPlace::PutBack(seat));
        }
        if !under.mixed.is_empty() {
            deal(under.mixed, TicketPlace::Mixed);
        }
    }

    /// Chooses places for the tickets that the seat put under the deck and lost track of, among all
    /// places where they may be.
    fn place_uncertain(
        &self,
        observation: &Observation<'_>,
        seen: TicketSet,
        counts: &[Counts; MAX_SEATS],
        placed: &mut PlacedTickets,
        dice: &mut Dice,
    ) {
        let (s, me) = (observation.state, observation.seat);
        let mut slots = ArrayVec::<Slots, MAX_SLOTS>::new();
        for seat in me.all_but(self.seats) {
            // Opening tickets were dealt before anything was put under the deck.
            let free = counts[seat].held.saturating_sub(s.opening_kept.sum(seat));
            slots.push(Slots::new(TicketSpot::With(seat), free));
        }
        for (number, batch) in s.bottom.batches().enumerate() {
            let owner = s.owner_of_batch(batch);
            slots.push(Slots::new(TicketSpot::Under(number as u8, owner), (batch - seen).len() as u8));
        }
        if s.offered > 0 && s.seat != me {
            slots.push(Slots::new(TicketSpot::Offered(s.seat), s.offered));
        }
        // Some tickets can take the only places of others; all are then placed again. The number of
        // attempts is bounded so that determinization always terminates; after the last one, tickets
        // that do not fit are dealt like any other.
        for attempt in 1..=TRIES {
            let mut fits = true;
            for group in uncertain(s, me).filter(|group| !group.is_certain()) {
                let mut tickets = group.tickets;
                if s.mixed_by == Some(me) && group.may_be_under(0, None) {
                    // The rest of the batch is all the seat's own.
                    let oldest =
                        slots.iter_mut().find(|slots| matches!(slots.place, TicketSpot::Under(0, _)));
                    let left = oldest.map_or(0, |slots| std::mem::take(&mut slots.free));
                    let here = TicketPile::new(tickets).draw(left, dice);
                    placed.under.extend(here.into_iter().map(|ticket| (0, ticket)));
                    tickets -= here;
                }
                let mut fitting: ArrayVec<&mut Slots, MAX_SLOTS> =
                    slots.iter_mut().filter(|slots| slots.fit(&group)).collect();
                let mut free: u32 = fitting.iter().map(|slots| u32::from(slots.free)).sum();
                for ticket in tickets {
                    if free == 0 {
                        fits = false;
                        break;
                    }
                    let mut roll = dice.below(free);
                    let chosen = fitting.iter_mut().find(|slots| {
                        let here = roll < u32::from(slots.free);
                        roll = roll.saturating_sub(slots.free.into());
                        here
                    });
                    let chosen = chosen.expect("the roll is below the number of free places");
                    chosen.free -= 1;
                    free -= 1;
                    match chosen.place {
                        TicketSpot::With(seat) => placed.held[seat].insert(ticket),
                        TicketSpot::Offered(_) => placed.offered.insert(ticket),
                        TicketSpot::Under(number, _) => placed.under.push((number, ticket)),
                    }
                }
            }
            if fits || attempt == TRIES {
                break;
            }
            placed.clear();
            slots.iter_mut().for_each(|slots| slots.free = slots.all);
        }
    }

    /// Deals the held and returned tickets of another seat.
    fn determinize_hand(
        &self,
        world: &mut State,
        seat: Seat,
        counts: Counts,
        unseen: &mut Unseen,
        dice: &mut Dice,
    ) {
        let Counts { mut held, mut away } = counts;
        if self.rules.journey.is_some() {
            held = 0; // dealt already
        } else {
            for (step, deal) in self.opening.iter().enumerate() {
                let status = self.opening_status(world, seat, step);
                if status == OpeningStatus::ToCome {
                    break;
                }
                let kept_of = if status == OpeningStatus::Secret {
                    // The number kept is secret too: every legal choice is equally likely.
                    let earlier: u8 = (0..step).map(|step| world.opening_kept.get(seat, step)).sum();
                    let kept_of = keep_any(deal, deal.hold.saturating_sub(earlier), dice);
                    let kept = kept_of.iter().sum();
                    let truly_kept = world.opening_kept.get(seat, step);
                    world.opening_kept.set(seat, step, kept);
                    held = held + kept - truly_kept;
                    away = away + truly_kept - kept;
                    kept_of
                } else {
                    keep_some(deal, world.opening_kept.get(seat, step), dice)
                };
                for (index, deal) in deal.deals.iter().enumerate().filter(|(_, deal)| deal.pile > 0) {
                    let kept = kept_of[index];
                    for n in 0..deal.count {
                        let to = if n < kept { TicketPlace::Held(seat) } else { TicketPlace::PutBack(seat) };
                        unseen.give_other(world, deal.pile.into(), to, dice);
                    }
                    held -= kept;
                    away -= deal.count - kept;
                }
            }
        }
        unseen.give(world, held, TicketPlace::Held(seat), dice);
        unseen.give(world, away, TicketPlace::PutBack(seat), dice);
    }

    /// Deals the First Journey hands of the other seats. Returns the dealt tickets.
    ///
    /// A seat does not hold a ticket that its network joins, because it would have completed it (FJ-6).
    /// The exception is a seat that has just won, whose remaining tickets were not checked.
    ///
    /// Each seat draws from the tickets that it can hold, and all seats draw again if two have drawn the
    /// same ticket: that makes every consistent deal equally likely. If tickets are too scarce for this
    /// to succeed, seats exchange tickets until everyone has enough.
    fn determinize_journey_hands(
        &self,
        world: &mut State,
        me: Seat,
        counts: &[Counts; MAX_SEATS],
        unseen: TicketSet,
        dice: &mut Dice,
    ) -> TicketSet {
        let won = |seat| world.phase == Phase::Over(Ending::TicketsDone) && world.seat == seat;
        let mut possible = [TicketSet::EMPTY; MAX_SEATS];
        for seat in me.all_but(self.seats) {
            let components = self.components(world, seat);
            let open = |ticket: &TicketId| {
                let [a, b] = self.tickets[ticket.index()].ends;
                won(seat) || !components.joined(a, b)
            };
            possible[seat] = unseen.into_iter().filter(open).collect();
        }
        let held = |seat: Seat| counts[seat].held;
        let dealt = (0..TRIES).find_map(|_| {
            let mut hands = [TicketSet::EMPTY; MAX_SEATS];
            let mut taken = TicketSet::EMPTY;
            for seat in me.all_but(self.seats) {
                let hand = &mut hands[seat];
                for _ in 0..held(seat) {
                    hand.insert(dice.ticket(possible[seat] - *hand));
                }
                if hand.intersects(taken) {
                    return None;
                }
                taken |= *hand;
            }
            Some(hands)
        });
        let hands = dealt.unwrap_or_else(|| {
            let mut hands = [TicketSet::EMPTY; MAX_SEATS];
            for seat in me.all_but(self.seats) {
                for _ in 0..held(seat) {
                    let found = make_way(&possible, &mut hands, seat, &mut TicketSet::default());
                    debug_assert!(found, "the tickets really held are one way to deal them");
                }
            }
            hands
        });
        for seat in me.all_but(self.seats) {
            world.tickets.transfer(hands[seat], TicketPlace::Deck, TicketPlace::Held(seat));
        }
        hands.into_iter().fold(TicketSet::EMPTY, |all, hand| all | hand)
    }

    fn opening_status(&self, s: &State, seat: Seat, step: usize) -> OpeningStatus {
        let Phase::Opening { step: now } = s.phase else {
            return OpeningStatus::Public;
        };
        let place = |seat: Seat| seat.turns_after(s.first, self.seats);
        match step.cmp(&now.into()) {
            std::cmp::Ordering::Less => OpeningStatus::Public,
            std::cmp::Ordering::Equal if place(seat) < place(s.seat) => OpeningStatus::Secret,
            _ => OpeningStatus::ToCome,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    held: u8,
    /// Put back, but not under the deck.
    away: u8,
}

/// Uncertain tickets, with the places that were chosen for them.
#[derive(Default)]
struct PlacedTickets {
    held: [TicketSet; MAX_SEATS],
    offered: TicketSet,
    under: PlacedUnder,
}

/// Tickets under the deck, with the numbers of their batches.
type PlacedUnder = ArrayVec<(u8, TicketId), MAX_TICKETS>;

impl PlacedTickets {
    fn clear(&mut self) {
        self.held = [TicketSet::EMPTY; _];
        self.offered = TicketSet::EMPTY;
        self.under.clear();
    }

    /// All uncertain tickets.
    fn tickets(&self) -> TicketSet {
        let under = self.under.iter().map(|&(_, ticket)| ticket).collect();
        self.held.into_iter().fold(self.offered | under, |all, held| all | held)
    }
}

/// A place where uncertain tickets may be.
#[derive(Clone, Copy)]
enum TicketSpot {
    With(Seat),
    Offered(Seat),
    /// In a batch under the deck, with its index and the seat that put it there.
    Under(u8, Option<Seat>),
}

/// Maximum number of places: hands, batches under the deck, and an offer.
const MAX_SLOTS: usize = MAX_TICKETS + MAX_SEATS + 1;

/// The room that a place has for tickets.
struct Slots {
    place: TicketSpot,
    all: u8,
    free: u8,
}

impl Slots {
    fn new(place: TicketSpot, all: u8) -> Self {
        Self { place, all, free: all }
    }

    /// Returns `true` if the place may hold tickets of a group.
    fn fit(&self, group: &Uncertain) -> bool {
        match self.place {
            TicketSpot::With(seat) | TicketSpot::Offered(seat) => self.free > 0 && group.may_have(seat),
            TicketSpot::Under(number, owner) => self.free > 0 && group.may_be_under(number.into(), owner),
        }
    }
}

/// Tickets to deal under the deck.
struct Under<'a> {
    placed: &'a mut PlacedUnder,
    /// The tickets of the mixed batch that are unknown to the seat.
    mixed: TicketSet,
    /// The tickets that each other seat actually put back.
    put_back: &'a [TicketSet; MAX_SEATS],
}

/// Public knowledge of a seat's choice in a step of the opening.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpeningStatus {
    /// The number of tickets kept is known.
    Public,
    /// The seat has chosen, but the choice is not public until all seats have.
    Secret,
    /// The seat has not chosen yet.
    ToCome,
}

/// Number of tickets kept from each deal of a step.
type KeptOf = [u8; MAX_PILES];

/// Random cards, at least `least` of them of the given kinds.
fn deal_with(kinds: Cards, least: u8, count: u8, from: Cards, dice: &mut Dice) -> Cards {
    let fitting = from.only(kinds);
    let others = from - fitting;
    let n = hypergeometric(count, fitting.total(), others.total(), least.min(count)..=count, dice);
    CardPile::new(fitting).draw(n, dice) + CardPile::new(others).draw(count - n, dice)
}

/// Number of cards of the first sort among `size` cards drawn from `first` and `second` cards, given
/// that it is in a range.
fn hypergeometric(size: u8, first: u8, second: u8, range: RangeInclusive<u8>, dice: &mut Dice) -> u8 {
    let ways = |n: u8| choose(first, n) * choose(second, size - n);
    let all: f64 = range.clone().map(ways).sum();
    let mut pick = dice.next_u64() as f64 / 2f64.powi(64) * all;
    let n = range.clone().find(|&n| {
        pick -= ways(n);
        pick < 0.0
    });
    // Rounding can leave a tiny remainder after the last possible number.
    let last = || range.clone().rev().find(|&n| ways(n) > 0.0);
    n.or_else(last).unwrap_or(*range.start())
}

/// Binomial coefficient: number of ways to choose `k` of `n`.
fn choose(n: u8, k: u8) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product() }
}

/// Number of tickets kept from each deal, `kept` in total, with every allowed choice equally likely.
fn keep_some(step: &OpeningDeal, kept: u8, dice: &mut Dice) -> KeptOf {
    loop {
        let (mut kept_of, mut allowed) = ([0; MAX_PILES], true);
        let (mut kept, mut dealt) = (kept, step.dealt());
        for (here, deal) in kept_of.iter_mut().zip(&step.deals) {
            if deal.count == dealt {
                *here = kept; // the last deal
            } else {
                // Each ticket is kept with probability (still to be kept) / (still to come).
                for earlier in 0..deal.count {
                    let to_come = u32::from(dealt - earlier);
                    *here += u8::from(dice.below(to_come) < u32::from(kept - *here));
                }
            }
            kept -= *here;
            dealt -= deal.count;
            allowed &= *here <= deal.keep_max;
        }
        if allowed {
            return kept_of;
        }
    }
}

/// Number of tickets kept from each deal, with every choice of at least `least` equally likely.
fn keep_any(step: &OpeningDeal, least: u8, dice: &mut Dice) -> KeptOf {
    loop {
        let mut choice = dice.below(1 << step.dealt());
        let (mut kept_of, mut allowed) = ([0; MAX_PILES], choice.count_ones() >= least.into());
        for (here, deal) in kept_of.iter_mut().zip(&step.deals) {
            *here = (choice & ((1 << deal.count) - 1)).count_ones() as u8;
            choice >>= deal.count;
            allowed &= *here <= deal.keep_max;
        }
        if allowed {
            return kept_of;
        }
    }
}

/// Gives a seat one more ticket that it can hold, if necessary one that another seat can replace.
fn make_way(
    possible: &[TicketSet; MAX_SEATS],
    hands: &mut [TicketSet; MAX_SEATS],
    seat: Seat,
    tried: &mut TicketSet,
) -> bool {
    for ticket in possible[seat] - hands[seat] {
        if tried.contains(ticket) {
            continue;
        }
        tried.insert(ticket);
        let owner = Seat::all(MAX_SEATS).find(|owner| hands[*owner].contains(ticket));
        if owner.is_none_or(|owner| make_way(possible, hands, owner, tried)) {
            if let Some(owner) = owner {
                hands[owner].remove(ticket);
            }
            hands[seat].insert(ticket);
            return true;
        }
    }
    false
}

/// Tickets whose place the observing seat does not know.
struct Unseen {
    deck: TicketPile,
    /// Indexed by pile; the first is the deck.
    others: [TicketSet; MAX_PILES],
}

impl Unseen {
    /// Deals tickets of the deck.
    #[inline]
    fn give(&mut self, world: &mut State, count: u8, to: TicketPlace, dice: &mut Dice) {
        if count > 0 {
            world.tickets.transfer(self.deck.draw(count, dice), TicketPlace::Deck, to);
        }
    }

    /// Deals a ticket of a pile other than the deck. Such piles remain in the box.
    #[inline(always)]
    fn give_other(&mut self, world: &mut State, pile: usize, to: TicketPlace, dice: &mut Dice) {
        let rest = &mut self.others[pile];
        let ticket = dice.one_ticket(*rest);
        *rest -= ticket;
        world.tickets.transfer(ticket, TicketPlace::Box, to);
    }
}
