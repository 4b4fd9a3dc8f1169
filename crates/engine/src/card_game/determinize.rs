//! Determinization: a random position among all that are indistinguishable to one seat.
//!
//! Cards that the seat can't see are dealt anew to the other hands, in addition to those that they have
//! shown; the rest form the deck. In round 2, cards kept from round 1 stay outside the deck (I-45).
//!
//! Tickets are dealt likewise, with two constraints: the tickets that a seat returned in the opening are
//! not among those that the others kept then, though they may have drawn them later; and the tickets
//! that a seat still holds from round 1 are those that its track stack did not complete then.

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::observe::Observation;
use crate::card_game::state::{SEATS, State};
use crate::chance::{Chance, Dice};
use crate::pieces::{Bottom, CardKind, Cards, Seat, TicketId, TicketPlace, TicketSet};

impl CardGame {
    pub(crate) fn determinize(&self, observation: &Observation<'_>, dice: &mut Dice) -> State {
        let mut world = *observation.state;
        self.determinize_cards(&mut world, observation, dice);
        if world.phase == Phase::Opening {
            self.determinize_opening(&mut world, observation, dice);
        } else {
            self.determinize_tickets(&mut world, observation, dice);
        }
        world
    }

    fn determinize_cards(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let (s, me) = (observation.state, observation.seat.index());
        let (mut old, mut fresh) = (Cards::EMPTY, observation.unseen());
        if !s.old.cards().is_empty() {
            (old, fresh) = s.old.split(fresh, s.old_hands[me]);
        }
        let mut hidden = s.cards.hidden().map(Cards::total);
        hidden[me] = 0;
        let mut piles = s.old.piles(old, fresh, hidden);
        for seat in observation.seat.all_but(self.seats) {
            let i = seat.index();
            let (old, fresh) = piles.draw_apart(i, hidden[i], dice);
            world.cards.hands[i] = s.cards.shown[i] + old + fresh;
            world.old_hands[i] = old;
        }
        world.cards.deck = piles.rest();
    }

    /// Deals tickets while opening tickets are being chosen. Even the number that the others kept is
    /// secret, so every choice is equally likely.
    fn determinize_opening(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let me = observation.seat;
        let rules = &self.spec.rules;
        let seen = observation.tickets() | observation.offered() | observation.put_back();
        let mut unseen = self.all_tickets - seen;
        let first = world.first;
        let before = |seat: Seat| seat.turns_after(first, self.seats);
        let now = before(world.seat);
        for seat in me.all_but(self.seats) {
            world.set_opening(seat, TicketSet::EMPTY, TicketSet::EMPTY);
        }
        for seat in me.all_but(self.seats) {
            if before(seat) == now {
                give(world, &mut unseen, rules.opening_tickets, TicketPlace::Offered, dice);
            }
            if before(seat) < now {
                let keep = loop {
                    let choice = dice.below(1 << rules.opening_tickets);
                    if choice.count_ones() >= rules.opening_keep.into() {
                        break choice.count_ones() as u8;
                    }
                };
                let kept = give(world, &mut unseen, keep, TicketPlace::Held(seat), dice);
                let rest = rules.opening_tickets - keep;
                let returned = give(world, &mut unseen, rest, TicketPlace::PutBack(seat), dice);
                world.set_opening(seat, kept, returned);
            }
        }
        world.tickets.put_all(unseen, TicketPlace::Deck);
    }

    /// Deals hidden tickets. All numbers that control it are known to the observing seat.
    fn determinize_tickets(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let me = observation.seat;
        let old = observation.state;
        let seen =
            observation.tickets() | observation.chosen() | observation.offered() | observation.put_back();
        let seen = Seat::all(self.seats).fold(seen, |seen, seat| seen | observation.completed(seat));
        let mut unseen = self.all_tickets - seen;

        // Tickets kept since the last completion come after those held before.
        let kept_over = self.remembers_completion(old);
        let mut hands = Hands::new(observation, unseen);
        let mut later = [0; SEATS];
        for seat in me.all_but(self.seats) {
            let i = seat.index();
            hands.kept[i] = old.kept_first(seat).len();
            hands.done[i] = observation.completed(seat);
            let held = observation.ticket_count(seat).unwrap_or(0);
            hands.held[i] = if kept_over { observation.old_ticket_count(seat) } else { held };
            later[i] = held - hands.held[i];
        }
        let dealt = self.deal_hands(&hands, old, kept_over, dice);
        let mut opening = [TicketSet::EMPTY; SEATS];
        for seat in me.all_but(self.seats) {
            let i = seat.index();
            unseen -= dealt[i];
            let place = if kept_over { TicketPlace::HeldOver(seat) } else { TicketPlace::Held(seat) };
            world.tickets.put_all(dealt[i], place);
            opening[i] = draw((hands.done[i] | dealt[i]) - hands.own, hands.kept[i] as u8, dice);
        }
        for seat in me.all_but(self.seats) {
            give(world, &mut unseen, later[seat], TicketPlace::Held(seat), dice);
        }
        if !observation.to_move() {
            give(world, &mut unseen, observation.offered_count(), TicketPlace::Offered, dice);
        }
        self.determinize_bottom(world, observation, &mut unseen, dice);
        world.tickets.put_all(unseen, TicketPlace::Deck);
        self.determinize_returned(world, me, &opening, dice);
        if let Phase::Completing(_) = world.phase {
            self.determinize_choices(world, me, dice);
        }
    }

    /// Deals the hidden tickets that the others held when tickets were last completed, if `completed`,
    /// or hold now.
    ///
    /// Every way to deal all hidden tickets, and to choose which ones were kept in the opening, is
    /// equally likely. The tickets outside these hands can be dealt in the same number of ways whatever
    /// the hands are. The probability of hands is thus proportional to the number of ways to choose
    /// their opening tickets, none of which the observing seat returned.
    fn deal_hands(&self, hands: &Hands, s: &State, completed: bool, dice: &mut Dice) -> [TicketSet; SEATS] {
        if hands.done.iter().all(|done| done.is_empty()) && !completed {
            return hands.deal_opening_first(dice);
        }
        let mut allowed: [TicketSet; SEATS] = std::array::from_fn(|i| {
            let mut allowed = hands.unseen;
            if hands.own_at_most(i) == 0 {
                allowed -= hands.own;
            }
            if completed {
                self.not_completed_as_well(s.old_tracks[i], hands.done[i], allowed)
            } else {
                allowed
            }
        });
        // True if the tickets in a hand are consistent with having been left over.
        let fits = |i: usize, hand: TicketSet| {
            let (track, done) = (s.old_tracks[i], hands.done[i]);
            // Constructed positions can have tickets that were never completed.
            !completed
                || hand.is_empty()
                || !self.is_completable(track, done)
                || self.best_completion(track, done | hand).tickets == done
        };
        for attempt in 0..TRIES {
            if attempt == FEW_TRIES && completed {
                for (i, allowed) in allowed.iter_mut().enumerate() {
                    *allowed = self.not_completed_instead(s.old_tracks[i], hands.done[i], *allowed);
                }
            }
            let dealt = hands.deal(&allowed, dice);
            if let Some(dealt) = dealt.filter(|dealt| (0..SEATS).all(|i| fits(i, dealt[i]))) {
                return dealt;
            }
        }
        let dealt = (0..TRIES).find_map(|_| hands.deal_in_turn(&allowed, &fits, dice));
        dealt.unwrap_or_else(|| hands.deal_opening_first(dice))
    }

    /// The tickets that a track stack did not complete in place of tickets that it completed.
    ///
    /// If the completed set was the best of all sets of the tickets held then, it was also the best
    /// among those with just one of the others.
    fn not_completed_instead(&self, track: Cards, done: TicketSet, tickets: TicketSet) -> TicketSet {
        if !self.is_completable(track, done) {
            return tickets;
        }
        let possible =
            |ticket: &TicketId| self.best_completion(track, done | TicketSet::only(*ticket)).tickets == done;
        tickets.into_iter().filter(possible).collect()
    }

    /// The tickets that a track stack did not complete in addition to the tickets it completed.
    ///
    /// A ticket held then could not be completed together with the others: the completed set was the
    /// best possible, and one more ticket would have made it better (I-37).
    fn not_completed_as_well(&self, track: Cards, done: TicketSet, tickets: TicketSet) -> TicketSet {
        let mut left = track;
        for ticket in done {
            let circles = self.tickets[ticket.index()].circles;
            let missing = circles.saturating_sub(left).total();
            if missing > left.locomotives() {
                return tickets;
            }
            left = left.saturating_sub(circles) - Cards::of(CardKind::Locomotive, missing);
        }
        let possible = |ticket: &TicketId| {
            let circles = self.tickets[ticket.index()].circles;
            circles.saturating_sub(left).total() > left.locomotives()
        };
        tickets.into_iter().filter(possible).collect()
    }

    /// Deals the tickets under the deck. The seat knows those that it put there; of the rest it knows
    /// only the owners.
    fn determinize_bottom(
        &self,
        world: &mut State,
        o: &Observation<'_>,
        unseen: &mut TicketSet,
        dice: &mut Dice,
    ) {
        world.bottom = Bottom::EMPTY;
        for batch in o.state.bottom.batches() {
            if batch.is_subset(o.put_back()) {
                world.bottom.push_batch(batch);
                continue;
            }
            let by = o
                .seat
                .all_but(self.seats)
                .find(|&seat| batch.intersects(o.state.tickets.at(TicketPlace::PutBack(seat))));
            let place = by.map_or(TicketPlace::Mixed, TicketPlace::PutBack);
            let mut tickets = TicketSet::EMPTY;
            for _ in 0..batch.len() {
                let ticket = dice.ticket(*unseen);
                unseen.remove(ticket);
                world.tickets.put(ticket, place);
                tickets.insert(ticket);
            }
            world.bottom.push_batch(tickets);
        }
    }

    /// Deals the tickets that the others returned in the opening: any that no seat kept then and this
    /// seat was not dealt.
    fn determinize_returned(
        &self,
        world: &mut State,
        me: Seat,
        opening: &[TicketSet; SEATS],
        dice: &mut Dice,
    ) {
        let kept = opening.iter().fold(world.kept_first(me), |all, &kept| all | kept);
        let mut possible = self.all_tickets - world.returned(me) - kept;
        let counts = [0, 1, 2, 3].map(|seat| world.returned(Seat::new(seat)).len());
        for seat in me.all_but(self.seats) {
            world.set_opening(seat, TicketSet::EMPTY, TicketSet::EMPTY);
        }
        for seat in me.all_but(self.seats) {
            let mut returned = TicketSet::EMPTY;
            for _ in 0..counts[seat] {
                let ticket = dice.ticket(possible);
                possible.remove(ticket);
                returned.insert(ticket);
            }
            world.set_opening(seat, opening[seat], returned);
        }
    }

    /// Deals the completion choices of the others, which are secret: any set that they can complete.
    fn determinize_choices(&self, world: &mut State, me: Seat, dice: &mut Dice) {
        let (first, now) = (world.first, world.seat.turns_after(world.first, self.seats));
        for seat in me.all_but(self.seats).filter(|seat| seat.turns_after(first, self.seats) < now) {
            let mut chosen = TicketSet::EMPTY;
            for ticket in world.held(seat) {
                let more = chosen | TicketSet::only(ticket);
                if dice.below(2) == 0 && self.is_completable(world.tracks[seat], more) {
                    chosen = more;
                }
            }
            world.tickets.put_all(chosen, TicketPlace::Chosen(seat));
        }
    }
}

/// Maximum number of deals until one is consistent with the completed tickets, so that determinization
/// always terminates. After that, hands are dealt ticket by ticket, keeping each consistent: any deal
/// can come out, but not all are equally likely. If that fails as often (it did not once in 3,000 games
/// of seats that keep every ticket), hands are dealt regardless of the completed tickets, so that they may
/// hold what round 1 would have completed.
const TRIES: usize = 200;
/// Number of deals before tickets are examined one by one, which takes as long as many attempts.
const FEW_TRIES: usize = 20;

/// The hidden tickets in the hands of all seats but one, as far as that seat knows them.
struct Hands {
    /// The tickets that the seat can't see, some of which are in these hands.
    unseen: TicketSet,
    /// The tickets that the seat returned in the opening.
    own: TicketSet,
    /// Number of hidden tickets in each hand.
    held: [u8; SEATS],
    /// The completed tickets of each seat.
    done: [TicketSet; SEATS],
    /// Number of tickets that each seat kept in the opening, completed or held.
    kept: [usize; SEATS],
}

impl Hands {
    fn new(observation: &Observation<'_>, unseen: TicketSet) -> Self {
        let own = observation.returned();
        Self { unseen, own, held: [0; _], done: [TicketSet::EMPTY; _], kept: [0; _] }
    }

    /// Maximum number of the observing seat's returned tickets that a hand can hold: they were drawn
    /// later.
    fn own_at_most(&self, i: usize) -> usize {
        let drawn = (self.done[i].len() + usize::from(self.held[i])).saturating_sub(self.kept[i]);
        drawn.saturating_sub((self.done[i] & self.own).len())
    }

    /// Deals the opening tickets that must be in the hands first, then the rest. Without completed
    /// tickets, the distribution is the one of [`CardGame::deal_hands`].
    fn deal_opening_first(&self, dice: &mut Dice) -> [TicketSet; SEATS] {
        let mut unseen = self.unseen;
        let mut dealt = [TicketSet::EMPTY; SEATS];
        let opening: [u8; SEATS] = std::array::from_fn(|i| {
            let hidden = self.kept[i].saturating_sub((self.done[i] - self.own).len());
            (hidden as u8).min(self.held[i])
        });
        for (dealt, opening) in dealt.iter_mut().zip(opening) {
            *dealt = draw(unseen - self.own, opening, dice);
            unseen -= *dealt;
        }
        for (i, dealt) in dealt.iter_mut().enumerate() {
            let more = draw(unseen, self.held[i] - opening[i], dice);
            unseen -= more;
            *dealt |= more;
        }
        dealt
    }

    /// Deals hands of allowed tickets, with probability proportional to the number of ways to choose
    /// their opening tickets. `None` if this attempt was rejected.
    ///
    /// Dealing hand by hand makes a deal less likely the more tickets are left to choose from, and the
    /// number of ways differs. Rejection sampling corrects for both, relative to the maximum of each.
    fn deal(&self, allowed: &[TicketSet; SEATS], dice: &mut Dice) -> Option<[TicketSet; SEATS]> {
        let mut dealt = [TicketSet::EMPTY; SEATS];
        let (mut taken, mut allowed_before) = (TicketSet::EMPTY, TicketSet::EMPTY);
        let mut likelihood = 1.0;
        for i in 0..SEATS {
            let held = usize::from(self.held[i]);
            let left = allowed[i] - taken;
            if left.len() < held {
                return None;
            }
            let taken_at_least = taken.len().saturating_sub((allowed_before - allowed[i]).len());
            likelihood *= ratio_of_choices(left.len(), allowed[i].len() - taken_at_least, held);
            dealt[i] = draw(left, self.held[i], dice);
            let possible = (self.done[i] - self.own).len();
            let nameable = possible + (dealt[i] - self.own).len();
            likelihood *= ratio_of_choices(nameable, possible + held, self.kept[i]);
            taken |= dealt[i];
            if held > 0 {
                allowed_before |= allowed[i];
            }
        }
        let roll = dice.next_u64() as f64 / 2f64.powi(64);
        (roll < likelihood).then_some(dealt)
    }

    /// Deals hands of allowed tickets ticket by ticket, as long as the hands fit. `None` if that fails.
    fn deal_in_turn(
        &self,
        allowed: &[TicketSet; SEATS],
        fits: &impl Fn(usize, TicketSet) -> bool,
        dice: &mut Dice,
    ) -> Option<[TicketSet; SEATS]> {
        let mut dealt = [TicketSet::EMPTY; SEATS];
        // Hands with the fewest choices come first.
        let mut order: [usize; SEATS] = std::array::from_fn(|i| i);
        order.sort_by_key(|&i| allowed[i].len().saturating_sub(self.held[i].into()));
        for i in order {
            for _ in 0..self.held[i] {
                if !self.deal_one(allowed, fits, &mut dealt, i, &mut TicketSet::default(), dice) {
                    return None;
                }
            }
        }
        Some(dealt)
    }

    /// Deals a hand one more ticket that fits, if necessary one that another hand can replace. A ticket
    /// that does not fit now won't fit with more tickets either.
    fn deal_one(
        &self,
        allowed: &[TicketSet; SEATS],
        fits: &impl Fn(usize, TicketSet) -> bool,
        dealt: &mut [TicketSet; SEATS],
        i: usize,
        tried: &mut TicketSet,
        dice: &mut Dice,
    ) -> bool {
        let elsewhere = dealt.iter().fold(TicketSet::EMPTY, |all, &hand| all | hand) - dealt[i];
        for from_others in [false, true] {
            let possible = allowed[i] - dealt[i];
            let mut left = if from_others { possible & elsewhere } else { possible - elsewhere };
            while !left.is_empty() {
                let ticket = dice.ticket(left);
                left.remove(ticket);
                let hand = dealt[i] | TicketSet::only(ticket);
                if (hand & self.own).len() > self.own_at_most(i) || !fits(i, hand) {
                    continue;
                }
                if from_others {
                    if tried.contains(ticket) {
                        continue;
                    }
                    tried.insert(ticket);
                    let before = *dealt;
                    let holder = (0..SEATS).find(|&holder| before[holder].contains(ticket));
                    let holder = holder.expect("another hand has it");
                    dealt[holder].remove(ticket);
                    dealt[i] = hand;
                    if !self.deal_one(allowed, fits, dealt, holder, tried, dice) {
                        *dealt = before;
                        continue;
                    }
                } else {
                    dealt[i] = hand;
                }
                return true;
            }
        }
        false
    }
}

/// Number of ways to choose `k` of `n`, divided by the number of ways to choose `k` of `m`, where `m >=
/// n`.
fn ratio_of_choices(n: usize, m: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (m - i) as f64).product() }
}

/// Random tickets of a set, which must have at least `count`.
fn draw(mut from: TicketSet, count: u8, dice: &mut Dice) -> TicketSet {
    let mut drawn = TicketSet::EMPTY;
    for _ in 0..count {
        let ticket = dice.ticket(from);
        from.remove(ticket);
        drawn.insert(ticket);
    }
    drawn
}

/// Moves random tickets to a place. Returns them.
fn give(world: &mut State, unseen: &mut TicketSet, count: u8, to: TicketPlace, dice: &mut Dice) -> TicketSet {
    let given = draw(*unseen, count, dice);
    *unseen -= given;
    world.tickets.put_all(given, to);
    given
}
