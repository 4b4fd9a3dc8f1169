//! Separate dice for each seat.

use ttr_engine::{CardKind, Cards, Chance, Dice, MAX_SEATS, Seat, TicketId, TicketSet};

/// The luck of one playout: every seat has its own dice, so that the actions of one seat hardly change what
/// another draws.
///
/// Two playouts with the same luck that start with different actions then differ in little else, and it
/// takes fewer of them to see which action is better.
#[derive(Clone, Debug)]
pub(crate) struct Luck {
    dice: [Dice; MAX_SEATS],
    mover: usize,
}

impl Luck {
    pub(crate) fn new(dice: &mut Dice) -> Self {
        let seed = dice.next_u64();
        let dice = std::array::from_fn(|seat| Dice::from_parts(&[seed, seat as u64]));
        Self { dice, mover: 0 }
    }

    /// The dice of the seat that moves from now on.
    pub(crate) fn of(&mut self, seat: Seat) -> &mut Dice {
        self.mover = seat.index();
        &mut self.dice[self.mover]
    }
}

impl Chance for Luck {
    fn card(&mut self, pile: Cards) -> CardKind {
        self.dice[self.mover].card(pile)
    }

    fn ticket(&mut self, pile: TicketSet) -> TicketId {
        self.dice[self.mover].ticket(pile)
    }

    fn seat(&mut self, seats: usize) -> Seat {
        self.dice[self.mover].seat(seats)
    }
}
