//! Chance: the only entry point for random events.
//!
//! Piles are multisets: a shuffled pile has no order until a card is drawn from it, so every random
//! event is a draw. [`Dice`] draws at random, [`Script`] draws what a test or a replay specifies, and
//! [`Recorder`] records what another source draws. Since every step of a game has access to a source of
//! chance, [`Witness`] uses the same interface to record the public events between two decisions.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::codec::mix;
use crate::pieces::{CardKind, Cards, Seat, TicketId, TicketSet};

/// A source of random events.
///
/// ```
/// use ttr_engine::{Cards, CardKind, Chance, Dice, Seat, TicketId, TicketSet};
///
/// /// Always the first card or ticket.
/// struct Sorted;
///
/// impl Chance for Sorted {
///     fn card(&mut self, pile: Cards) -> CardKind {
///         pile.nth(0)
///     }
///     fn ticket(&mut self, pile: TicketSet) -> TicketId {
///         pile.lowest().expect("the pile is not empty")
///     }
///     fn seat(&mut self, _: usize) -> Seat {
///         Seat::new(0)
///     }
/// }
///
/// # use ttr_engine::{board::BoardGame, maps, Game};
/// # let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let state = game.deal(&mut Sorted);
/// assert_eq!(game.observe(&state, Seat::new(0)).hand(), Cards::of(CardKind::Purple, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Chance {
    /// Draws the top card of a shuffled pile, which is not empty.
    fn card(&mut self, pile: Cards) -> CardKind;
    /// Like [`Chance::card`], for callers that move the card and need not know its kind.
    #[inline]
    fn one_card(&mut self, pile: Cards) -> Cards {
        Cards::of(self.card(pile), 1)
    }
    /// Draws the top ticket of a shuffled pile, which is not empty.
    fn ticket(&mut self, pile: TicketSet) -> TicketId;
    /// Like [`Chance::ticket`], as a set of that ticket alone.
    #[inline]
    fn one_ticket(&mut self, pile: TicketSet) -> TicketSet {
        TicketSet::only(self.ticket(pile))
    }
    /// Chooses one of the first `seats` seats.
    fn seat(&mut self, seats: usize) -> Seat;
    /// Receives an event that all seats saw. Only a [`Witness`] records it.
    #[inline(always)]
    fn notice(&mut self, event: TableEvent) {
        let _ = event;
    }
}

/// A public event on the table between two decisions that positions alone do not show.
// Exhaustive: what shows a table must show every event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TableEvent {
    /// The seat to move paid these cards for a route, including the extra cost of a tunnel, or for a
    /// station.
    Paid(Cards),
    /// These cards were turned up for a tunnel (CC-24).
    TurnedUp(Cards),
    /// These face-up cards were discarded because too many of them were locomotives (CC-12).
    Flushed(Cards),
    /// The discard, with this many cards, became the deck (CC-13).
    Reshuffled(u8),
    /// The cards of all warehouses, this many in total, became the deck (X-12).
    WarehousesEmptied(u8),
}

/// Uniformly random events from a seed.
///
/// They are no `rand_core::Rng`: its numbers and the algorithms that use them may differ between versions of
/// other crates, while the games that a seed produces must not. So every roll is one of the methods here.
///
/// ```
/// use ttr_engine::{CardKind, Cards, Chance, Dice};
/// let mut dice = Dice::from_seed(7);
/// assert_eq!(dice.card(Cards::of(CardKind::Red, 3)), CardKind::Red);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "DiceState")]
pub struct Dice(Pcg64Mcg);

/// The form of dice that are read back.
#[derive(Deserialize)]
struct DiceState(DiceWord);

/// The field of the generator.
#[derive(Deserialize)]
struct DiceWord {
    state: u128,
}

impl From<DiceState> for Dice {
    fn from(dice: DiceState) -> Self {
        // The generator makes the number odd, without which it would be stuck.
        Self(Pcg64Mcg::new(dice.0.state))
    }
}

impl Dice {
    /// Creates dice from a seed. Equal seeds give equal rolls; adjacent seeds give independent rolls.
    pub fn from_seed(seed: u64) -> Self {
        Self::from_parts(&[seed])
    }

    /// Creates dice from several numbers, such as (master seed, domain, game, seat).
    ///
    /// The numbers are hashed, never used as a state or a stream of the generator: neighbouring states of
    /// a PCG are correlated.
    pub fn from_parts(parts: &[u64]) -> Self {
        let mut state = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344 ^ parts.len() as u64];
        for &part in parts {
            state[0] = mix(state[0] ^ part);
            state[1] = mix(state[1].wrapping_add(state[0]) ^ part.rotate_left(32));
        }
        let mut seed = [0; 16];
        seed[..8].copy_from_slice(&mix(state[0] ^ state[1].rotate_left(17)).to_le_bytes());
        seed[8..].copy_from_slice(&mix(state[1]).to_le_bytes());
        Self(Pcg64Mcg::from_seed(seed))
    }

    /// A uniformly random number below `n`. `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        fair(n, || self.next_u32())
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    #[inline]
    fn next_u32(&mut self) -> u32 {
        // The high half of this generator's output is the better one.
        (self.0.next_u64() >> 32) as u32
    }
}

/// A number below `n` from 32 random bits at a time.
#[inline(always)]
fn fair(n: u32, mut bits: impl FnMut() -> u32) -> u32 {
    // Lemire's multiplication; the loop is entered with probability n / 2^32.
    let mut product = u64::from(bits()) * u64::from(n);
    if (product as u32) < n {
        let unfair = n.wrapping_neg() % n;
        while (product as u32) < unfair {
            product = u64::from(bits()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}

/// Dice for the choices of one playout: just as fair at half the cost (wyrand). No recorded game depends
/// on them, but the checksums of `ttr bench` do.
#[derive(Clone, Debug)]
pub(crate) struct QuickDice(u64);

impl QuickDice {
    /// Creates dice seeded by a roll of `dice`.
    pub(crate) fn new(dice: &mut Dice) -> Self {
        Self(dice.next_u64())
    }

    /// A uniformly random number below `n`. `n` must not be 0.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        fair(n, || {
            self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
            let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
            ((product >> 64) as u64 ^ product as u64) as u32
        })
    }
}

impl Chance for Dice {
    #[inline]
    fn card(&mut self, pile: Cards) -> CardKind {
        pile.nth(self.below(pile.total().into()) as u8)
    }

    #[inline]
    fn one_card(&mut self, pile: Cards) -> Cards {
        pile.nth_as_one(self.below(pile.total().into()) as u8)
    }

    #[inline]
    fn ticket(&mut self, pile: TicketSet) -> TicketId {
        pile.member(self.below(pile.len() as u32))
    }

    #[inline(always)]
    fn one_ticket(&mut self, pile: TicketSet) -> TicketSet {
        pile.member_as_set(self.below(pile.len() as u32))
    }

    #[inline]
    fn seat(&mut self, seats: usize) -> Seat {
        Seat::new(self.below(seats as u32) as usize)
    }
}

/// A random event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// This card was drawn.
    Card(CardKind),
    /// This ticket was drawn.
    Ticket(TicketId),
    /// This seat was chosen.
    Seat(Seat),
}

/// A scripted sequence of random events.
///
/// Every draw must ask for the next event, and a finished script must be
/// [exhausted](Script::assert_exhausted): a test then covers every random event of a game and no other.
///
/// ```
/// use ttr_engine::{CardKind, Cards, Chance, Event, Script, Seat};
/// let mut script = Script::new([Event::Seat(Seat::new(1)), Event::Card(CardKind::Red)]);
/// assert_eq!(script.seat(2), Seat::new(1));
/// assert_eq!(script.card(Cards::of(CardKind::Red, 3) + Cards::of(CardKind::Blue, 60)), CardKind::Red);
/// script.assert_exhausted();
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    events: Vec<Event>,
    next: usize,
}

impl Script {
    /// A script of these events, in this order.
    pub fn new(events: impl IntoIterator<Item = Event>) -> Self {
        Self { events: events.into_iter().collect(), next: 0 }
    }

    /// Number of remaining events.
    pub fn remaining(&self) -> usize {
        self.events.len() - self.next
    }

    /// Asserts that every event has taken place.
    ///
    /// # Panics
    /// If events remain.
    pub fn assert_exhausted(&self) {
        assert_eq!(self.remaining(), 0, "events left: {:?}", &self.events[self.next..]);
    }

    fn next(&mut self, asked: impl std::fmt::Debug) -> Event {
        let event = self.events.get(self.next);
        let event = *event.unwrap_or_else(|| panic!("the script is exhausted, but {asked:?} is drawn from"));
        self.next += 1;
        event
    }
}

impl Chance for Script {
    fn card(&mut self, pile: Cards) -> CardKind {
        match self.next(pile) {
            Event::Card(kind) if pile.count(kind) > 0 => kind,
            other => panic!("event {}: {other:?} can't be drawn from the cards {pile:?}", self.next - 1),
        }
    }

    fn ticket(&mut self, pile: TicketSet) -> TicketId {
        match self.next(pile) {
            Event::Ticket(ticket) if pile.contains(ticket) => ticket,
            other => panic!("event {}: {other:?} can't be drawn from the tickets {pile:?}", self.next - 1),
        }
    }

    fn seat(&mut self, seats: usize) -> Seat {
        match self.next(seats) {
            Event::Seat(seat) if seat.index() < seats => seat,
            other => panic!("event {}: {other:?} is none of {seats} seats", self.next - 1),
        }
    }
}

/// A source that forwards the events of another source and records them.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game, Recorder, Script};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut recorder = Recorder::new(Dice::from_seed(1));
/// let state = game.deal(&mut recorder);
/// let mut script = Script::new(recorder.events().iter().copied());
/// assert_eq!(game.deal(&mut script), state);
/// script.assert_exhausted();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder<C> {
    source: C,
    events: Vec<Event>,
}

impl<C: Chance> Recorder<C> {
    /// Records the draws of `source`.
    pub fn new(source: C) -> Self {
        Self { source, events: Vec::new() }
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

impl<C: Chance> Chance for Recorder<C> {
    fn card(&mut self, pile: Cards) -> CardKind {
        let kind = self.source.card(pile);
        self.events.push(Event::Card(kind));
        kind
    }

    fn ticket(&mut self, pile: TicketSet) -> TicketId {
        let ticket = self.source.ticket(pile);
        self.events.push(Event::Ticket(ticket));
        ticket
    }

    fn seat(&mut self, seats: usize) -> Seat {
        let seat = self.source.seat(seats);
        self.events.push(Event::Seat(seat));
        seat
    }
}

/// A source that forwards the events of another source and records public events.
///
/// ```
/// use ttr_engine::{board, Dice, Game, TableEvent, Turn, Witness};
/// let game = board::BoardGame::new(&ttr_engine::maps::load("europe").unwrap(), 2).unwrap();
/// let (mut chance, mut choices) = (Dice::from_seed(1), Dice::from_seed(2));
/// let mut state = game.deal(&mut chance);
/// let mut reshuffles = 0;
/// while game.turn(&state) != Turn::Over {
///     let action = game.random_action(&state, &mut choices);
///     let mut witness = Witness::new(&mut chance);
///     game.play_unchecked(&mut state, action, &mut witness);
///     let reshuffled = |event: &&TableEvent| matches!(event, TableEvent::Reshuffled(_));
///     reshuffles += witness.seen().iter().filter(reshuffled).count();
/// }
/// assert!(reshuffles > 0);
/// ```
#[derive(Debug)]
pub struct Witness<'c, C> {
    source: &'c mut C,
    seen: Vec<TableEvent>,
}

impl<'c, C: Chance> Witness<'c, C> {
    /// Records the public events of steps that draw from `source`.
    pub fn new(source: &'c mut C) -> Self {
        Self { source, seen: Vec::new() }
    }

    /// The public events so far, in order.
    pub fn seen(&self) -> &[TableEvent] {
        &self.seen
    }

    /// The public events, in order.
    pub fn into_seen(self) -> Vec<TableEvent> {
        self.seen
    }
}

impl<C: Chance> Chance for Witness<'_, C> {
    fn card(&mut self, pile: Cards) -> CardKind {
        self.source.card(pile)
    }

    fn one_card(&mut self, pile: Cards) -> Cards {
        self.source.one_card(pile)
    }

    fn ticket(&mut self, pile: TicketSet) -> TicketId {
        self.source.ticket(pile)
    }

    fn one_ticket(&mut self, pile: TicketSet) -> TicketSet {
        self.source.one_ticket(pile)
    }

    fn seat(&mut self, seats: usize) -> Seat {
        self.source.seat(seats)
    }

    fn notice(&mut self, event: TableEvent) {
        self.seen.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream of a seed is part of the guarantee that results are a function of the seed.
    #[test]
    fn golden_stream() {
        let mut dice = Dice::from_seed(1);
        let rolls: Vec<_> = (0..8).map(|_| dice.below(110)).collect();
        assert_eq!(rolls, GOLDEN);
        let mut dice = QuickDice::new(&mut Dice::from_seed(1));
        let rolls: Vec<_> = (0..8).map(|_| dice.below(110)).collect();
        assert_eq!(rolls, QUICK_GOLDEN);
        assert_ne!(Dice::from_parts(&[1, 0]).next_u64(), Dice::from_parts(&[1]).next_u64());
        assert_ne!(Dice::from_parts(&[1, 0]).next_u64(), Dice::from_parts(&[0, 1]).next_u64());
    }
    const GOLDEN: [u32; 8] = [26, 38, 76, 34, 102, 44, 24, 27];
    const QUICK_GOLDEN: [u32; 8] = [92, 67, 16, 62, 51, 27, 29, 15];

    /// First rolls of adjacent seeds must look independent: tests pairs of faces against a chi-squared
    /// bound (1023 degrees of freedom, mean 1023, standard deviation 45).
    #[test]
    fn neighbouring_seeds_are_independent() {
        for parts in [|i: u64| [i, 0, 0], |i: u64| [5, 0, i], |i: u64| [i << 32, 1, 2]] {
            let mut pairs = vec![0u32; 1024];
            let games = 102_400;
            for i in 0..games {
                let a = Dice::from_parts(&parts(i)).below(32);
                let b = Dice::from_parts(&parts(i + 1)).below(32);
                pairs[(a * 32 + b) as usize] += 1;
            }
            let expected = games as f64 / 1024.0;
            let chi2: f64 = pairs.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
            assert!((800.0..1300.0).contains(&chi2), "chi-squared {chi2}");
        }
    }

    #[test]
    fn below_is_fair() {
        let mut dice = Dice::from_seed(3);
        let mut faces = [0u32; 6];
        for _ in 0..60_000 {
            faces[dice.below(6) as usize] += 1;
        }
        assert!(faces.iter().all(|n| (9_600..10_400).contains(n)), "{faces:?}");
    }

    /// Pairs of consecutive rolls, over many playouts and within one (1023 degrees of freedom, standard
    /// deviation 45).
    #[test]
    fn quick_dice_are_fair() {
        let mut dice = Dice::from_seed(4);
        for rolls in [2, 20, 204_800] {
            let mut pairs = vec![0u32; 1024];
            for _ in 0..204_800 / rolls {
                let mut quick = QuickDice::new(&mut dice);
                for _ in 0..rolls / 2 {
                    pairs[(quick.below(32) * 32 + quick.below(32)) as usize] += 1;
                }
            }
            let chi2: f64 = pairs.iter().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
            assert!((800.0..1300.0).contains(&chi2), "chi-squared {chi2}");
        }
    }

    #[test]
    #[should_panic(expected = "can't be drawn")]
    fn a_script_refuses_what_is_not_in_the_pile() {
        Script::new([Event::Card(CardKind::Red)]).card(Cards::of(CardKind::Blue, 2));
    }
}
