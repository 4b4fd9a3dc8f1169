//! A random position among all that look the same to one seat.
//!
//! Cards: whatever the seat can't see is dealt anew to the other hands, beyond what they have shown, and the
//! deck keeps the rest. Tickets: likewise; but what a seat returned in the opening is not among what the others kept
//! then, though they may have drawn it later.

use crate::bottom::Bottom;
use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::observe::Observation;
use crate::card_game::state::{SEATS, State, TicketPlace};
use crate::chance::{Chance, Dice};
use crate::game::Seat;
use crate::id::TicketSet;
use crate::sample::CardPile;

impl CardGame {
    pub(crate) fn redeal(&self, observation: &Observation<'_>, dice: &mut Dice) -> State {
        let mut world = *observation.state;
        self.redeal_cards(&mut world, observation, dice);
        if world.phase == Phase::Opening {
            self.redeal_opening(&mut world, observation, dice);
        } else {
            self.redeal_tickets(&mut world, observation, dice);
        }
        world
    }

    fn redeal_cards(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let mut unseen = CardPile::new(observation.unseen());
        for seat in self.others(observation.seat) {
            let i = seat.index();
            let secret = world.hands[i].total() - world.shown[i].total();
            world.hands[i] = world.shown[i] + unseen.draw(secret, dice);
        }
        world.deck = unseen.rest();
    }

    /// While opening tickets are being chosen, even how many the others kept is secret: every choice is as likely.
    fn redeal_opening(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let me = observation.seat;
        let rules = &self.spec.rules;
        let seen = observation.tickets() | observation.offered() | observation.put_back();
        let mut unseen = self.all_tickets - seen;
        let place = |seat: Seat| (seat.index() + self.seats - world.first.index()) % self.seats;
        let now = place(world.seat);
        let before: [usize; SEATS] = std::array::from_fn(|seat| place(Seat(seat as u8)));
        for seat in self.others(me) {
            world.set_opening(seat, TicketSet::EMPTY, TicketSet::EMPTY);
        }
        for seat in self.others(me) {
            if before[seat.index()] == now {
                give(world, &mut unseen, rules.opening_tickets, TicketPlace::Offered, dice);
            }
            if before[seat.index()] < now {
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
        world.move_tickets(unseen, TicketPlace::Deck);
    }

    /// Everything that moves below is decided by numbers that the observing seat knows.
    fn redeal_tickets(&self, world: &mut State, observation: &Observation<'_>, dice: &mut Dice) {
        let me = observation.seat;
        let old = observation.state;
        let seen =
            observation.tickets() | observation.chosen() | observation.offered() | observation.put_back();
        let seen = Seat::all(self.seats).fold(seen, |seen, seat| seen | observation.completed(seat));
        let mut unseen = self.all_tickets - seen;

        // What the others kept in the opening and have not completed is none of what this seat returned.
        let own = observation.returned();
        let mut opening = [TicketSet::EMPTY; SEATS];
        let mut later = [0; SEATS];
        let completed_then = self.sample_completed_opening(observation, unseen, dice);
        for seat in self.others(me) {
            let i = seat.index();
            // Which of the completed tickets those are, matters for what could have been returned.
            let mut completed = observation.completed(seat) - own;
            for _ in 0..completed_then[i] {
                let ticket = dice.ticket(completed);
                completed.remove(ticket);
                opening[i].insert(ticket);
            }
            let hidden = old.kept_first(seat).len() as u8 - completed_then[i];
            for _ in 0..hidden {
                let ticket = dice.ticket(unseen - own);
                unseen.remove(ticket);
                opening[i].insert(ticket);
                world.move_ticket(ticket, TicketPlace::Held(seat));
            }
            later[i] = observation.ticket_count(seat).unwrap_or(0) - hidden;
        }
        for seat in self.others(me) {
            give(world, &mut unseen, later[seat.index()], TicketPlace::Held(seat), dice);
        }
        if !observation.to_move() && old.offered > 0 {
            give(world, &mut unseen, old.offered, TicketPlace::Offered, dice);
        }
        self.redeal_bottom(world, observation, &mut unseen, dice);
        world.move_tickets(unseen, TicketPlace::Deck);
        self.redeal_returned(world, me, &opening, dice);
        if let Phase::Completing(_) = world.phase {
            self.redeal_choices(world, me, dice);
        }
    }

    /// Under the deck: what this seat put there is known, of the rest only who did.
    fn redeal_bottom(&self, world: &mut State, o: &Observation<'_>, unseen: &mut TicketSet, dice: &mut Dice) {
        world.bottom = Bottom::EMPTY;
        for batch in o.state.bottom.batches() {
            if batch.is_subset(o.put_back()) {
                world.bottom.push_batch(batch);
                continue;
            }
            let by = self
                .others(o.seat)
                .find(|&seat| batch.intersects(o.state.tickets_at(TicketPlace::PutBack(seat))));
            let place = by.map_or(TicketPlace::Buried, TicketPlace::PutBack);
            let mut tickets = TicketSet::EMPTY;
            for _ in 0..batch.len() {
                let ticket = dice.ticket(*unseen);
                unseen.remove(ticket);
                world.move_ticket(ticket, place);
                tickets.insert(ticket);
            }
            world.bottom.push_batch(tickets);
        }
    }

    /// What the others returned in the opening: anything that nobody kept then and this seat was not dealt.
    fn redeal_returned(&self, world: &mut State, me: Seat, opening: &[TicketSet; SEATS], dice: &mut Dice) {
        let kept = opening.iter().fold(world.kept_first(me), |all, &kept| all | kept);
        let mut possible = self.all_tickets - world.returned(me) - kept;
        let counts = [0, 1, 2, 3].map(|seat| world.returned(Seat(seat)).len());
        for seat in self.others(me) {
            world.set_opening(seat, TicketSet::EMPTY, TicketSet::EMPTY);
        }
        for seat in self.others(me) {
            let mut returned = TicketSet::EMPTY;
            for _ in 0..counts[seat.index()] {
                let ticket = dice.ticket(possible);
                possible.remove(ticket);
                returned.insert(ticket);
            }
            world.set_opening(seat, opening[seat.index()], returned);
        }
    }

    /// What others have chosen to complete is secret: any set that they can complete.
    fn redeal_choices(&self, world: &mut State, me: Seat, dice: &mut Dice) {
        let place = |seat: Seat| (seat.index() + self.seats - world.first.index()) % self.seats;
        let now = place(world.seat);
        let before: [bool; SEATS] = std::array::from_fn(|seat| place(Seat(seat as u8)) < now);
        for seat in self.others(me).filter(|seat| before[seat.index()]) {
            let mut chosen = TicketSet::EMPTY;
            for ticket in world.tickets_at(TicketPlace::Held(seat)) {
                let more = chosen | TicketSet::only(ticket);
                if dice.below(2) == 0 && self.is_completable(world.tracks[seat.index()], more) {
                    chosen = more;
                }
            }
            world.move_tickets(chosen, TicketPlace::Chosen(seat));
        }
    }

    /// How many of the opening tickets of each other seat are among its completed ones, if every consistent deal is
    /// equally likely.
    ///
    /// A seat kept `k` tickets in the opening and `m` later, and has completed some: those that the observing seat
    /// returned are later ones, `d` others may be either. `k - a` opening tickets are still hidden, and the tickets that the
    /// observing seat returned must find room elsewhere.
    fn sample_completed_opening(
        &self,
        observation: &Observation<'_>,
        unseen: TicketSet,
        dice: &mut Dice,
    ) -> [u8; SEATS] {
        let mut answer = [0; SEATS];
        let own = observation.returned();
        if self.others(observation.seat).all(|seat| observation.completed(seat).is_empty()) {
            return answer;
        }
        // ways[seat][a], and the ways of this and all later seats to have a in sum.
        let mut ways = [[0f64; MOST_KEPT + 1]; SEATS];
        let mut sums = [[0f64; SEATS * MOST_KEPT + 1]; SEATS + 1];
        sums[SEATS][0] = 1.0;
        let mut opening = 0;
        for i in (0..SEATS).rev() {
            let seat = Seat(i as u8);
            if seat == observation.seat || i >= self.seats {
                ways[i][0] = 1.0;
            } else {
                let completed = observation.completed(seat);
                let either = (completed - own).len();
                let all = completed.len() + usize::from(observation.ticket_count(seat).unwrap_or(0));
                let k = observation.state.kept_first(seat).len();
                let m = all - k;
                opening += k;
                for (a, ways) in ways[i].iter_mut().enumerate().take(either.min(k) + 1) {
                    *ways = choose(either, a) * falling(k, a) * falling(m, completed.len() - a);
                }
            }
            for (a, ways) in ways[i].iter().enumerate() {
                for sum in a..sums[i].len() {
                    sums[i][sum] += ways * sums[i + 1][sum - a];
                }
            }
        }
        let returned = (own & unseen).len();
        let mut total = [0f64; SEATS * MOST_KEPT + 1];
        for (sum, total) in total.iter_mut().enumerate().take(opening + 1) {
            let room = unseen.len().checked_sub(opening - sum);
            *total = sums[0][sum] * room.map_or(0.0, |room| falling(room, returned));
        }
        let mut left = pick(&total, dice);
        for i in 0..SEATS {
            let mut weights = [0f64; MOST_KEPT + 1];
            for (a, weight) in weights.iter_mut().enumerate().take(left + 1) {
                *weight = ways[i][a] * sums[i + 1][left - a];
            }
            let a = pick(&weights, dice);
            answer[i] = a as u8;
            left -= a;
        }
        answer
    }

    fn others(&self, me: Seat) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.seats).filter(move |&seat| seat != me)
    }
}

/// Most opening tickets of a seat.
const MOST_KEPT: usize = 8;

/// Moves random tickets to a place, and says which.
fn give(world: &mut State, unseen: &mut TicketSet, count: u8, to: TicketPlace, dice: &mut Dice) -> TicketSet {
    let mut given = TicketSet::EMPTY;
    for _ in 0..count {
        let ticket = dice.ticket(*unseen);
        unseen.remove(ticket);
        given.insert(ticket);
    }
    world.move_tickets(given, to);
    given
}

/// An index, as likely as its weight.
fn pick(weights: &[f64], dice: &mut Dice) -> usize {
    let all: f64 = weights.iter().sum();
    let mut point = dice.next_u64() as f64 / 2f64.powi(64) * all;
    let found = weights.iter().position(|weight| {
        point -= weight;
        point < 0.0
    });
    found.or_else(|| weights.iter().rposition(|&weight| weight > 0.0)).unwrap_or(0)
}

/// The number of ways to choose `k` of `n`.
fn choose(n: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() }
}

/// The number of ways to put `k` different things into `n` places.
fn falling(n: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64).product() }
}
