//! Tickets under a ticket deck.

use crate::id::{TicketId, TicketSet};
use crate::spec::MAX_TICKETS;

/// Tickets under the deck, first in, first out.
///
/// Tickets put back together lie in random order among themselves, so they form a batch that is drawn from
/// like a shuffled pile; batches keep their order.
#[derive(Clone, Copy)]
pub(crate) struct Bottom {
    /// Where the oldest ticket stands.
    start: u8,
    len: u8,
    /// Ticket indices; the high bit marks the first of a batch.
    entries: [u8; MAX_TICKETS],
}

const STARTS_BATCH: u8 = 0x80;

impl Bottom {
    pub(crate) const EMPTY: Self = Self { start: 0, len: 0, entries: [0; MAX_TICKETS] };

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    fn used(&self) -> &[u8] {
        let start = usize::from(self.start);
        &self.entries[start..start + self.len()]
    }

    /// Puts tickets under all that lie here.
    pub(crate) fn push_batch(&mut self, tickets: TicketSet) {
        let (start, len) = (usize::from(self.start), self.len());
        if start + len + tickets.len() > MAX_TICKETS {
            self.entries.copy_within(start..start + len, 0);
            self.start = 0;
        }
        let mut mark = STARTS_BATCH;
        for ticket in tickets {
            self.entries[usize::from(self.start + self.len)] = ticket.0 | mark;
            self.len += 1;
            mark = 0;
        }
    }

    /// The batches, oldest first.
    pub(crate) fn batches(&self) -> impl Iterator<Item = TicketSet> + '_ {
        self.used()
            .chunk_by(|_, next| next & STARTS_BATCH == 0)
            .map(|batch| batch.iter().map(|entry| TicketId(entry & !STARTS_BATCH)).collect())
    }

    /// The oldest batch; empty if no ticket lies here.
    pub(crate) fn oldest(&self) -> TicketSet {
        let mut oldest = TicketSet::EMPTY;
        for (i, entry) in self.used().iter().enumerate() {
            if i > 0 && entry & STARTS_BATCH != 0 {
                break;
            }
            oldest.insert(TicketId(entry & !STARTS_BATCH));
        }
        oldest
    }

    /// Puts other tickets in the places of some, by what lies there in `old`, which has batches of the same sizes.
    #[inline]
    pub(crate) fn replace(&mut self, old: &Self, mut by: impl FnMut(TicketId) -> Option<TicketId>) {
        debug_assert_eq!((self.start, self.len), (old.start, old.len));
        let start = usize::from(self.start);
        let end = start + self.len();
        for (entry, old) in self.entries[start..end].iter_mut().zip(old.used()) {
            if let Some(ticket) = by(TicketId(old & !STARTS_BATCH)) {
                *entry = ticket.0 | old & STARTS_BATCH;
            }
        }
    }

    /// Takes one ticket of the oldest batch out.
    pub(crate) fn remove(&mut self, ticket: TicketId) {
        let at = self.used().iter().position(|entry| entry & !STARTS_BATCH == ticket.0);
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
        self.used().iter().map(|entry| TicketId(entry & !STARTS_BATCH)).collect()
    }
}

/// Equal if the batches are: the order within a batch means nothing, nor does what lies beyond the end.
impl PartialEq for Bottom {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.batches().eq(other.batches())
    }
}

impl Eq for Bottom {}

impl std::hash::Hash for Bottom {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        for batch in self.batches() {
            batch.hash(hasher);
        }
    }
}

impl std::fmt::Debug for Bottom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.batches()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_is_first_in_first_out_by_batch() {
        let set = |ids: &[u8]| ids.iter().map(|&id| TicketId(id)).collect::<TicketSet>();
        let mut bottom = Bottom::EMPTY;
        bottom.push_batch(set(&[3, 5]));
        bottom.push_batch(TicketSet::EMPTY);
        bottom.push_batch(set(&[1]));
        bottom.push_batch(set(&[7, 8, 9]));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[3, 5]), set(&[1]), set(&[7, 8, 9])]);
        assert_eq!(bottom.oldest(), set(&[3, 5]));
        bottom.remove(TicketId(3));
        assert_eq!(bottom.batches().next(), Some(set(&[5])));
        bottom.remove(TicketId(5));
        bottom.remove(TicketId(1));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[7, 8, 9])]);
        bottom.remove(TicketId(8));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[7, 9])]);
        assert_eq!(bottom.len(), 2);
        assert_eq!(bottom.tickets(), set(&[7, 9]));
        bottom.push_batch(set(&[2]));
        let old = bottom;
        bottom.replace(&old, |ticket| (ticket.0 < 9).then_some(TicketId(ticket.0 + 10)));
        assert_eq!(bottom.batches().collect::<Vec<_>>(), [set(&[17, 9]), set(&[12])]);
    }
}
