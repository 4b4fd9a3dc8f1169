//! What players could write down about the tickets that they put under the deck (I-45).

use std::collections::{BTreeMap, BTreeSet};

use ttr_engine::{Seat, TicketId, TicketSet};

/// Where a ticket that a seat put back can be.
#[derive(Default)]
pub(crate) struct Note {
    /// The seats that may have drawn it.
    pub(crate) seats: BTreeSet<Seat>,
    /// The batches that it may be in.
    pub(crate) batches: BTreeSet<usize>,
}

/// What each player could write down about the tickets that it put under the deck.
pub(crate) struct Notes {
    /// Batches under the deck, oldest first, with a number each.
    pub(crate) bottom: Vec<(usize, TicketSet)>,
    /// Batches so far.
    batches: usize,
    /// By seat.
    pub(crate) notes: Vec<BTreeMap<TicketId, Note>>,
}

impl Notes {
    /// Nothing, for this many seats.
    pub(crate) fn new(seats: usize) -> Self {
        Self { bottom: Vec::new(), batches: 0, notes: (0..seats).map(|_| BTreeMap::new()).collect() }
    }

    /// Tickets are put under the deck, by seat.
    pub(crate) fn put_back(&mut self, by: &[TicketSet]) {
        let batch = by.iter().fold(TicketSet::EMPTY, |all, &tickets| all | tickets);
        if batch.is_empty() {
            return;
        }
        for (seat, &tickets) in by.iter().enumerate() {
            for ticket in tickets {
                let note = Note { batches: [self.batches].into(), ..Note::default() };
                self.notes[seat].insert(ticket, note);
            }
        }
        let who: Vec<_> = (0..5).filter(|&seat| by.get(seat).is_some_and(|by| !by.is_empty())).collect();
        for note in self.notes.iter_mut().flat_map(BTreeMap::values_mut) {
            if who.iter().any(|&seat| note.seats.contains(&Seat::new(seat))) {
                note.batches.insert(self.batches);
            }
        }
        self.bottom.push((self.batches, batch));
        self.batches += 1;
    }

    /// A seat draws tickets, some of them perhaps from under the deck.
    pub(crate) fn draw(&mut self, seat: Seat, drawn: TicketSet) {
        while let Some((number, batch)) = self.bottom.first_mut() {
            let here = drawn & *batch;
            if here.is_empty() {
                break;
            }
            let number = *number;
            *batch -= here;
            let emptied = batch.is_empty();
            if emptied {
                self.bottom.remove(0);
            }
            for (other, notes) in self.notes.iter_mut().enumerate() {
                if other == seat.index() {
                    notes.retain(|&ticket, _| !here.contains(ticket));
                }
                for note in notes.values_mut().filter(|note| note.batches.contains(&number)) {
                    if other != seat.index() {
                        note.seats.insert(seat);
                    }
                    if emptied {
                        note.batches.remove(&number);
                    }
                }
            }
        }
    }
}
