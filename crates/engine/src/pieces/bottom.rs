//! Tickets under a ticket deck.

use serde::{Deserialize, Serialize};

use super::{TicketId, TicketSet, array};
use crate::chance::Chance;

/// Tickets under the deck, first in, first out.
///
/// Tickets put back together lie in random order among themselves, so they form a batch that is drawn from
/// like a shuffled pile; batches keep their order.
///
/// The space that tickets do not need holds notes: bytes that mean something to the game alone.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Bottom<const TICKETS: usize> {
    /// Where the oldest ticket stands.
    start: u8,
    len: u8,
    /// Length of the notes.
    notes: u8,
    /// Ticket indices; the high bit marks the first of a batch. The notes are at the very end.
    #[serde(with = "array")]
    entries: [u8; TICKETS],
}

const STARTS_BATCH: u8 = 0x80;

impl<const TICKETS: usize> Bottom<TICKETS> {
    pub(crate) const EMPTY: Self = Self { start: 0, len: 0, notes: 0, entries: [0; TICKETS] };

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    fn used(&self) -> &[u8] {
        let start = usize::from(self.start);
        &self.entries[start..start + self.len()]
    }

    /// Makes sure that this many entries are free after the last ticket.
    #[inline]
    fn make_room(&mut self, room: usize) {
        let (start, len) = (usize::from(self.start), self.len());
        if start + len + room > TICKETS {
            self.entries.copy_within(start..start + len, 0);
            self.start = 0;
        }
    }

    /// The notes.
    #[inline]
    pub(crate) fn notes(&self) -> &[u8] {
        &self.entries[TICKETS - usize::from(self.notes)..]
    }

    /// Replaces the notes. With the tickets that lie here they are at most `TICKETS` bytes.
    pub(crate) fn set_notes(&mut self, notes: &[u8]) {
        self.notes = 0;
        self.make_room(notes.len());
        self.entries[TICKETS - notes.len()..].copy_from_slice(notes);
        self.notes = notes.len() as u8;
    }

    /// Puts tickets under all that lie here. With them and the notes there are at most `TICKETS`.
    pub(crate) fn push_batch(&mut self, tickets: TicketSet) {
        self.make_room(tickets.len() + usize::from(self.notes));
        let mut mark = STARTS_BATCH;
        for ticket in tickets {
            self.entries[usize::from(self.start + self.len)] = ticket.to_u8() | mark;
            self.len += 1;
            mark = 0;
        }
    }

    /// The batches, oldest first.
    pub(crate) fn batches(&self) -> impl Iterator<Item = TicketSet> + '_ {
        self.used()
            .chunk_by(|_, next| next & STARTS_BATCH == 0)
            .map(|batch| batch.iter().map(|entry| TicketId::from_u8(entry & !STARTS_BATCH)).collect())
    }

    /// The oldest batch; empty if no ticket lies here.
    pub(crate) fn oldest(&self) -> TicketSet {
        let mut oldest = TicketSet::EMPTY;
        for (i, entry) in self.used().iter().enumerate() {
            if i > 0 && entry & STARTS_BATCH != 0 {
                break;
            }
            oldest.insert(TicketId::from_u8(entry & !STARTS_BATCH));
        }
        oldest
    }

    /// Puts other tickets in the places of some, by what lies there in `old`, which has batches of the same
    /// sizes. `by` also gets the number of the batch, the oldest being 0.
    #[inline]
    pub(crate) fn replace(&mut self, old: &Self, mut by: impl FnMut(usize, TicketId) -> Option<TicketId>) {
        debug_assert_eq!((self.start, self.len), (old.start, old.len));
        let start = usize::from(self.start);
        let end = start + self.len();
        let mut started = 0;
        for (entry, old) in self.entries[start..end].iter_mut().zip(old.used()) {
            started += usize::from(old & STARTS_BATCH != 0);
            if let Some(ticket) = by(started - 1, TicketId::from_u8(old & !STARTS_BATCH)) {
                *entry = ticket.to_u8() | old & STARTS_BATCH;
            }
        }
    }

    /// Draws a ticket of the oldest batch. Returns it after the batch that it was in.
    #[inline(always)] // the batch stays in registers
    pub(crate) fn draw(&mut self, chance: &mut impl Chance) -> (TicketSet, TicketId) {
        let batch = self.oldest();
        let ticket = chance.ticket(batch);
        self.remove(ticket);
        (batch, ticket)
    }

    /// Takes one ticket of the oldest batch out.
    pub(crate) fn remove(&mut self, ticket: TicketId) {
        let at = self.used().iter().position(|entry| entry & !STARTS_BATCH == ticket.to_u8());
        let at = at.expect("only tickets that lie here are drawn");
        debug_assert!(
            self.used()[1..=at].iter().all(|entry| entry & STARTS_BATCH == 0),
            "of the oldest batch"
        );
        // The order within a batch means nothing, so the first ticket of the batch takes the place.
        let start = usize::from(self.start);
        self.entries[start + at] = self.entries[start] & !STARTS_BATCH;
        self.start += 1;
        self.len -= 1;
        if self.len > 0 {
            self.entries[start + 1] |= STARTS_BATCH;
        }
    }

    /// All tickets that lie here.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn tickets(&self) -> TicketSet {
        self.used().iter().map(|entry| TicketId::from_u8(entry & !STARTS_BATCH)).collect()
    }
}

/// Equal if the batches and the notes are: the order within a batch means nothing, nor do unused entries.
impl<const TICKETS: usize> PartialEq for Bottom<TICKETS> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.batches().eq(other.batches()) && self.notes() == other.notes()
    }
}

impl<const TICKETS: usize> Eq for Bottom<TICKETS> {}

impl<const TICKETS: usize> std::hash::Hash for Bottom<TICKETS> {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        for batch in self.batches() {
            batch.hash(hasher);
        }
        self.notes().hash(hasher);
    }
}

impl<const TICKETS: usize> std::fmt::Debug for Bottom<TICKETS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.batches()).finish()?;
        if self.notes().is_empty() { Ok(()) } else { write!(f, " with notes {:x?}", self.notes()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_is_first_in_first_out_by_batch() {
        let set = |ids: &[u8]| ids.iter().map(|&id| TicketId::from_u8(id)).collect::<TicketSet>();
        let mut bottom = Bottom::<104>::EMPTY;
        bottom.push_batch(set(&[3, 5]));
        bottom.push_batch(TicketSet::EMPTY);
        bottom.push_batch(set(&[1]));
        bottom.push_batch(set(&[7, 8, 9]));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[3, 5]), set(&[1]), set(&[7, 8, 9])]);
        assert_eq!(bottom.oldest(), set(&[3, 5]));
        bottom.remove(TicketId::from_u8(3));
        assert_eq!(bottom.batches().next(), Some(set(&[5])));
        bottom.remove(TicketId::from_u8(5));
        bottom.remove(TicketId::from_u8(1));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[7, 8, 9])]);
        bottom.remove(TicketId::from_u8(8));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[7, 9])]);
        assert_eq!(bottom.len(), 2);
        assert_eq!(bottom.tickets(), set(&[7, 9]));
        bottom.push_batch(set(&[2]));
        let old = bottom;
        bottom.replace(&old, |batch, ticket| {
            assert_eq!(batch, usize::from(ticket.to_u8() == 2));
            (ticket.to_u8() < 9).then_some(TicketId::from_u8(ticket.to_u8() + 10))
        });
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[17, 9]), set(&[12])]);
    }

    /// Tickets and notes share the space, wherever the tickets stand.
    #[test]
    fn notes_and_tickets_keep_out_of_each_others_way() {
        let only = |id| TicketSet::only(TicketId::from_u8(id));
        let mut bottom = Bottom::<104>::EMPTY;
        let notes: Vec<u8> = (0..40).collect();
        bottom.set_notes(&notes);
        for id in 0..200 {
            // Between 60 and 64 batches of one, which stand further and further to the back.
            bottom.push_batch(only(id % 100));
            if id >= 60 {
                bottom.remove(TicketId::from_u8((id - 60) % 100));
            }
            assert_eq!(bottom.notes(), notes);
            assert_eq!(bottom.oldest(), only(id.saturating_sub(59) % 100));
        }
        let batches: Vec<_> = bottom.batches().collect();
        assert_eq!(batches, (140..200).map(|id| only(id % 100)).collect::<Vec<_>>());
        let mut other = Bottom::EMPTY;
        for &batch in &batches {
            other.push_batch(batch);
        }
        assert_ne!(bottom, other, "other notes");
        other.set_notes(&notes[..39]);
        assert_ne!(bottom, other, "other notes");
        other.set_notes(&notes);
        assert_eq!(bottom, other, "wherever they stand");
        let all: Vec<u8> = (60..104).collect();
        bottom.set_notes(&all);
        assert_eq!((bottom.notes(), bottom.batches().collect::<Vec<_>>()), (&all[..], batches));
        bottom.set_notes(&[]);
        assert!(bottom.notes().is_empty());
    }
}
