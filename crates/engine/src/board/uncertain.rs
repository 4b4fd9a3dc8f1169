//! Tickets that a seat put under the deck and that others may have drawn since (I-45).
//!
//! Once another seat draws from a batch, the seat that put tickets there no longer knows which are left.
//! But it still knows where they may be: in the rest of the batch, with a seat that has drawn from it,
//! in a batch that such a seat has put back since, with a seat that has drawn from that, and so on.
//! Tickets that a seat put back together and has not seen since share the same possible places, so they
//! form a group. Groups that later come to share the same places are merged.
//!
//! A group holds only what its seat knows: its own tickets, and who drew from and put back which batch,
//! which is public. Where a ticket really went has no effect, so nothing leaks.
//!
//! The groups are stored in the notes of the bottom of the deck, in the room that its tickets leave: if
//! few tickets are drawn from there, there are few groups; if many are, few tickets remain. Each seat
//! gets an equal share of the room, and forgets some of its groups if that is too little.

use arrayvec::ArrayVec;

use crate::board::compile::BoardGame;
use crate::board::state::State;
use crate::pieces::{MAX_SEATS, Seat, TicketId, TicketPlace, TicketSet};
use crate::spec::MAX_TICKETS;

/// Tickets that a seat put back, in batches that were drawn from, and has not seen since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Uncertain {
    /// The seat that put them back.
    pub(crate) seat: Seat,
    pub(crate) tickets: TicketSet,
    /// `true` if some may be in the oldest batch, and that has been drawn from.
    in_oldest: bool,
    /// By seat that may have drawn some: the number of batches under the deck that are older than its
    /// first such draw. They can't hold the tickets, even if that seat has put them back.
    older: [Option<u8>; MAX_SEATS],
}

/// The groups of all seats. The shortest take three bytes, and a draw adds at most one per seat.
type Groups = ArrayVec<Uncertain, { MAX_TICKETS / 3 + MAX_SEATS }>;

/// High bit of the first byte of a group. In the notes, a group is a byte with its seat, the flag and
/// the number of seats with older batches; a byte with the set of seats that may have drawn; a byte for
/// each seat with older batches; and a byte for each ticket. Only the first byte has the high bit, so a
/// group ends where the next one starts.
const STARTS_GROUP: u8 = 0x80;
const IN_OLDEST: u8 = 0x40;
/// Mask of a seat: the low three bits of a byte.
const SEAT: u8 = 0b111;
/// Maximum number of older batches that four bits can count. Larger numbers are clamped, so a batch that
/// can't hold a ticket may be considered a possible place.
const MAX_OLDER: u8 = 15;

impl Uncertain {
    /// Returns `true` if the seat knows that the tickets are where it put them, because no other seat
    /// has drawn from there.
    #[inline]
    pub(crate) fn is_certain(&self) -> bool {
        self.older == [None; MAX_SEATS]
    }

    /// Returns `true` if a seat may have drawn some of them.
    #[inline]
    pub(crate) fn may_have(&self, seat: Seat) -> bool {
        self.older[seat].is_some()
    }

    /// Returns `true` if some may be in a batch under the deck, where batch 0 is the oldest.
    pub(crate) fn may_be_under(&self, number: usize, owner: Option<Seat>) -> bool {
        let put_back = |owner: Seat| self.older[owner].is_some_and(|older| usize::from(older) <= number);
        number == 0 && self.in_oldest || owner.is_some_and(put_back)
    }

    /// Reads a group from its part of the notes.
    fn read(group: &[u8]) -> Self {
        let (head, drawn) = (group[0], group[1]);
        let (with_older, tickets) = group[2..].split_at(usize::from(head >> 3 & 0b111));
        let mut older = std::array::from_fn(|seat| (drawn >> seat & 1 != 0).then_some(0));
        for byte in with_older {
            older[usize::from(byte & SEAT)] = Some(byte >> 3);
        }
        Self {
            seat: Seat::from_u8(head & SEAT),
            tickets: tickets.iter().map(|&ticket| TicketId::from_u8(ticket)).collect(),
            in_oldest: head & IN_OLDEST != 0,
            older,
        }
    }

    fn write(&self, notes: &mut ArrayVec<u8, MAX_TICKETS>) {
        let flag = if self.in_oldest { IN_OLDEST } else { 0 };
        notes.push(STARTS_GROUP | flag | (self.with_older().count() as u8) << 3 | self.seat.to_u8());
        notes.push((0..MAX_SEATS).map(|seat| u8::from(self.older[seat].is_some()) << seat).sum());
        notes.extend(self.with_older().map(|(seat, older)| older << 3 | seat));
        notes.extend(self.tickets.into_iter().map(|ticket| ticket.to_u8()));
    }

    /// The seats that had put back batches before they drew, with the number of older batches.
    fn with_older(&self) -> impl Iterator<Item = (u8, u8)> {
        (0..).zip(self.older).filter_map(|(seat, older)| Some((seat, older.filter(|&older| older > 0)?)))
    }

    /// Length in the notes.
    fn bytes(&self) -> usize {
        2 + self.with_older().count() + self.tickets.len()
    }
}

/// The notes of all groups of all seats, oldest first.
fn group_notes(s: &State) -> impl Iterator<Item = &[u8]> {
    s.bottom.notes().chunk_by(|_, next| next & STARTS_GROUP == 0)
}

/// The notes of a seat's groups.
fn group_notes_of(s: &State, seat: Seat) -> impl Iterator<Item = &[u8]> {
    group_notes(s).filter(move |group| group[0] & SEAT == seat.to_u8())
}

/// All groups of all seats, oldest first.
fn groups(s: &State) -> impl Iterator<Item = Uncertain> {
    group_notes(s).map(Uncertain::read)
}

/// The groups of a seat, oldest first.
#[inline]
pub(crate) fn uncertain(s: &State, seat: Seat) -> impl Iterator<Item = Uncertain> {
    group_notes_of(s, seat).map(Uncertain::read)
}

/// Merges groups that can be at the same places, to save room. Most groups end up merged.
fn merge(s: &State, groups: &mut Groups) {
    let owners: ArrayVec<_, MAX_TICKETS> = s.bottom.batches().map(|batch| s.owner_of_batch(batch)).collect();
    let mut merged = Groups::new();
    for mut group in groups.take() {
        for (seat, older) in Seat::all(MAX_SEATS).zip(&mut group.older) {
            // Of the older batches, only those of this seat matter.
            let of_seat =
                |older: u8| owners.iter().take(older.into()).rposition(|&owner| owner == Some(seat));
            *older = older.map(|older| of_seat(older).map_or(0, |last| last as u8 + 1));
        }
        let same = |other: &&mut Uncertain| Uncertain { tickets: group.tickets, ..**other } == group;
        match merged.iter_mut().find(same) {
            Some(other) => other.tickets |= group.tickets,
            None => merged.push(group),
        }
    }
    *groups = merged;
}

impl State {
    /// The seat that put back a whole batch, or `None` if several did.
    pub(crate) fn owner_of_batch(&self, batch: TicketSet) -> Option<Seat> {
        if batch.intersects(self.tickets.at(TicketPlace::Mixed)) {
            return self.mixed_by;
        }
        Seat::all(MAX_SEATS).find(|&seat| batch.is_subset(self.tickets.at(TicketPlace::PutBack(seat))))
    }

    /// Number of tickets of a batch that are publicly known to be put back by a seat.
    pub(crate) fn put_back_by(&self, seat: Seat, batch: TicketSet) -> usize {
        if self.owner_of_batch(batch) == Some(seat) {
            return batch.len();
        }
        (batch & self.tickets.at(TicketPlace::PutBack(seat))).len()
    }

    /// Clears the memory of all seats but one.
    pub(crate) fn keep_memory_of(&mut self, seat: Seat) {
        if group_notes(self).any(|group| group[0] & SEAT != seat.to_u8()) {
            let notes: ArrayVec<u8, MAX_TICKETS> = group_notes_of(self, seat).flatten().copied().collect();
            self.bottom.set_notes(&notes);
        }
    }
}

impl BoardGame {
    /// Updates the knowledge of all seats after the seat to move has drawn a ticket from the oldest
    /// batch.
    pub(crate) fn remember_draw(&self, s: &mut State, batch: TicketSet, ticket: TicketId) {
        let seat = s.seat;
        let own = batch.is_subset(s.tickets.at(TicketPlace::PutBack(seat)));
        if own && s.bottom.notes().is_empty() {
            return;
        }
        let rest = batch - TicketSet::only(ticket);
        let mut groups: Groups = groups(s).collect();
        if !batch.intersects(s.tickets.at(TicketPlace::Mixed)) {
            let owner = s.owner_of_batch(batch);
            for group in &mut groups {
                group.in_oldest = group.may_be_under(0, owner);
            }
            if !own {
                // Only the drawing seat sees the ticket; to the others the rest is mixed (CC-35).
                for seat in Seat::all(self.seats) {
                    let tickets = batch & s.tickets.at(TicketPlace::PutBack(seat));
                    groups.push(Uncertain { seat, tickets, in_oldest: true, older: [None; MAX_SEATS] });
                }
                s.mixed_by = owner;
                s.tickets.put_all(rest, TicketPlace::Mixed);
            }
        }
        if rest.is_empty() {
            s.mixed_by = None;
        }
        let batches = s.bottom.batches().take(MAX_OLDER.into()).count() as u8;
        for group in &mut groups {
            if rest.is_empty() {
                group.older = group.older.map(|older| older.map(|older| older.saturating_sub(1)));
            }
            if group.seat == seat {
                group.tickets.remove(ticket);
            } else if group.in_oldest {
                group.older[seat].get_or_insert(batches);
            }
            group.in_oldest &= !rest.is_empty();
        }
        groups.retain(|group| !group.tickets.is_empty());
        self.set_memory(s, groups, 0);
    }

    /// Makes room for tickets that are about to be put under the deck.
    pub(crate) fn shorten_memory(&self, s: &mut State, tickets: usize) {
        if !s.bottom.notes().is_empty() {
            self.set_memory(s, groups(s).collect(), tickets);
        }
    }

    /// Keeps the groups that there is room for next to this many more tickets. A seat first forgets the
    /// groups that the most others may have, since these say least. The choice depends only on the
    /// seat's own knowledge and on the number of tickets under the deck.
    fn set_memory(&self, s: &mut State, mut groups: Groups, tickets: usize) {
        merge(s, &mut groups);
        let share = (MAX_TICKETS - s.bottom.len() - tickets) / self.seats;
        for seat in Seat::all(self.seats) {
            let own = |group: &&Uncertain| group.seat == seat;
            while groups.iter().filter(own).map(Uncertain::bytes).sum::<usize>() > share {
                let drawn_by = |group: &Uncertain| group.older.iter().flatten().count();
                let most = groups.iter().filter(own).map(drawn_by).max();
                let forgotten = groups.iter().position(|group| own(&group) && Some(drawn_by(group)) == most);
                groups.remove(forgotten.expect("there is one with the most"));
            }
        }
        let mut notes = ArrayVec::new();
        groups.iter().for_each(|group| group.write(&mut notes));
        s.bottom.set_notes(&notes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Dice};
    use crate::maps;

    /// Starts with the maximum number of tickets under the deck; seats draw in any order and put many
    /// back. Notes and tickets always fit, each seat keeps to its share, and forgets nothing while there
    /// is room for it.
    #[test]
    fn seats_forget_tickets_when_there_is_no_room() {
        let game = BoardGame::new(&maps::load("usa").unwrap(), 5).unwrap();
        let mut s = State::new(game.rules.deck, game.rules.trains, 5);
        let known =
            |s: &State, seat| uncertain(s, seat).fold(TicketSet::EMPTY, |all, group| all | group.tickets);
        let mut dice = Dice::from_seed(8);
        let put_back = |s: &mut State, seat, batch: TicketSet| {
            game.shorten_memory(s, batch.len());
            s.tickets.put_all(batch, TicketPlace::PutBack(seat));
            s.bottom.push_batch(batch);
        };
        for first in (0..MAX_TICKETS as u8).step_by(2) {
            put_back(
                &mut s,
                Seat::from_u8(first / 2 % 5),
                (first..first + 2).map(TicketId::from_u8).collect(),
            );
        }
        let (mut forgotten, mut remembered) = (0, 0);
        while s.bottom.len() > 0 {
            s.seat = Seat::new(dice.below(5) as usize);
            let mut offered = TicketSet::EMPTY;
            for _ in 0..s.bottom.len().min(3) {
                let batch = s.bottom.oldest();
                let ticket = dice.ticket(batch);
                let before = s;
                s.bottom.remove(ticket);
                game.remember_draw(&mut s, batch, ticket);
                s.tickets.put(ticket, TicketPlace::Offered);
                offered.insert(ticket);
                let share = (MAX_TICKETS - s.bottom.len()) / 5;
                for seat in Seat::all(5) {
                    let bytes = uncertain(&s, seat).map(|group| group.bytes()).sum::<usize>();
                    assert!(bytes <= share);
                    let mut expected =
                        known(&before, seat) | batch & before.tickets.at(TicketPlace::PutBack(seat));
                    if s.seat == seat {
                        expected.remove(ticket);
                        if batch.is_subset(before.tickets.at(TicketPlace::PutBack(seat))) {
                            continue; // it still knows the rest
                        }
                    }
                    let lost = (expected - known(&s, seat)).len();
                    assert!(
                        lost == 0 || bytes + 2 + 4 + lost > share,
                        "{lost} forgotten, {bytes} of {share} bytes"
                    );
                    forgotten += lost;
                    remembered += expected.len() - lost;
                }
            }
            let kept = offered.pick(1);
            s.tickets.transfer(kept, TicketPlace::Offered, TicketPlace::Held(s.seat));
            let seat = s.seat;
            put_back(&mut s, seat, offered - kept);
        }
        assert!(
            forgotten > 20 && remembered > 20 * forgotten,
            "{remembered} remembered, {forgotten} forgotten"
        );
        s.keep_memory_of(Seat::new(3));
        let all: Groups = groups(&s).collect();
        assert_eq!(all, uncertain(&s, Seat::new(3)).collect::<Groups>());
        assert!(!all.is_empty());
        game.shorten_memory(&mut s, MAX_TICKETS);
        assert!(s.bottom.notes().is_empty());
    }
}
