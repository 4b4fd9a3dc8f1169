//! Which tickets a track stack completes: exactly, by branch and bound (CG-13 to CG-15).

use arrayvec::ArrayVec;

use crate::card::{CardKind, Cards};
use crate::card_game::compile::{CardGame, Ticket};
use crate::id::{TicketId, TicketSet};
use crate::spec::{Assignment, MAX_OF_COLOUR, MAX_TICKETS};

/// The best set of tickets that a track stack completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Completion {
    /// The tickets.
    pub tickets: TicketSet,
    /// The sum of their values.
    pub points: u16,
}

impl CardGame {
    /// Whether the cards of a track stack complete all of these tickets (CG-14).
    pub fn is_completable(&self, track: Cards, tickets: TicketSet) -> bool {
        let mut missing: u32 = 0;
        let mut left = track - Cards::of(CardKind::Locomotive, track.locomotives());
        for ticket in tickets {
            let circles = self.tickets[ticket.index()].circles;
            missing += u32::from(circles.saturating_sub(left).total());
            left = left.saturating_sub(circles);
        }
        missing <= track.locomotives().into()
    }

    /// The tickets, out of these, that are completed with the cards of a track stack (CG-15).
    ///
    /// ```
    /// use ttr_engine::{card_game::CardGame, maps, CardKind, Cards, TicketId};
    /// let game = CardGame::new(&maps::card_game(), 2).unwrap();
    /// let track = Cards::of(CardKind::Yellow, 1) + Cards::of(CardKind::Blue, 1);
    /// let held = [TicketId(0), TicketId(1), TicketId(4)].into_iter().collect(); // 5, 5, and 7 for both cards
    /// assert_eq!(game.best_completion(track, held).points, 10);
    /// ```
    pub fn best_completion(&self, track: Cards, held: TicketSet) -> Completion {
        let count_first = self.spec.rules.assignment == Assignment::AutoCount;
        let mut tickets = Candidates::new();
        for id in held {
            let ticket = &self.tickets[id.index()];
            // Alone out of reach means out of reach.
            if ticket.circles.saturating_sub(track).total() <= track.locomotives() {
                tickets.push(Candidate::new(id, ticket, count_first));
            }
        }
        let best = solve(track, &mut tickets);
        let points = best.into_iter().map(|ticket| u16::from(self.tickets[ticket.index()].points)).sum();
        Completion { tickets: best, points }
    }
}

/// A ticket that could be completed.
#[derive(Clone, Copy)]
struct Candidate {
    /// What it adds to the criteria of CG-15, most important first: bit fields that never overflow into each other.
    worth: i64,
    /// Circles of colours that can run out.
    circles: Cards,
    /// What it is worth beyond the prices of its circles; before there are prices, what it is worth for each circle.
    profit: i64,
    id: TicketId,
}

type Candidates = ArrayVec<Candidate, MAX_TICKETS>;

const COUNT: u32 = 17;
const POINTS: u32 = COUNT + 8;
const COUNT_FIRST: u32 = COUNT + 16;

impl Candidate {
    fn new(id: TicketId, ticket: &Ticket, count_first: bool) -> Self {
        let points = i64::from(ticket.points);
        let first =
            if count_first { 1 << COUNT_FIRST | points << COUNT } else { points << POINTS | 1 << COUNT };
        Self { worth: first | i64::from(ticket.city_points), circles: ticket.circles, profit: 0, id }
    }
}

/// The best set of candidates, each of which can be completed alone.
fn solve(track: Cards, tickets: &mut Candidates) -> TicketSet {
    let locomotives = track.locomotives();
    let mut track = track - Cards::of(CardKind::Locomotive, locomotives);
    let (mut left, mut missing, mut scarce) = (track, 0_u32, Cards::EMPTY);
    for ticket in tickets.iter() {
        let short = ticket.circles.saturating_sub(left);
        missing += u32::from(short.total());
        scarce = (scarce + short.one_of_each()).one_of_each();
        left = left.saturating_sub(ticket.circles);
    }
    if missing <= locomotives.into() {
        return tickets.iter().map(|ticket| ticket.id).collect();
    }
    // Colours of which there are enough for all tickets don't matter, and tickets without others are free.
    let mut free = TicketSet::EMPTY;
    tickets.retain(|ticket| {
        ticket.circles = ticket.circles.only(scarce);
        if ticket.circles.is_empty() {
            free.insert(ticket.id);
        }
        !ticket.circles.is_empty()
    });
    track = track.only(scarce);
    search(track, locomotives, tickets) | free
}

/// A depth-first search with prices for cards.
///
/// Give each colour a price, and the locomotive the highest of them. Then whatever a set is worth, it is no more than the
/// price of all cards plus the profits of those tickets that are worth more than their circles. A set falls short of this
/// bound by the profits it leaves out, the losses it takes in, and what it pays too much by using locomotives. With good
/// prices the bound is close to the best set, and few sets have to be looked at. (It is the Lagrangian relaxation.)
///
/// Sets of equal worth are told apart by the last criterion. Worth is so fine-grained that not cutting off at equality
/// costs next to nothing.
struct Search<'a> {
    tickets: &'a [Candidate],
    /// By how much the price of a locomotive exceeds that of each colour.
    extra: Prices,
    prices: Prices,
    /// For each ticket, the circles of it and all later ones, as far as they count.
    demand: &'a [Cards],
    best: i64,
    best_set: TicketSet,
}

/// A price for each colour.
struct Prices {
    by_colour: [i64; 8],
    /// They are all the same.
    uniform: bool,
}

impl Prices {
    fn new(by_colour: [i64; 8]) -> Self {
        Self { by_colour, uniform: by_colour == [by_colour[0]; 8] }
    }

    /// The price of cards.
    #[inline]
    fn value(&self, cards: Cards) -> i64 {
        if self.uniform {
            return self.by_colour[0] * i64::from(cards.total());
        }
        cards.colours().map(|(colour, count)| self.by_colour[colour.index()] * i64::from(count)).sum()
    }
}

fn search(track: Cards, locomotives: u8, tickets: &mut Candidates) -> TicketSet {
    let (best, best_set) = greedy(track, locomotives, tickets);
    let prices = prices(track, locomotives, tickets, best);
    let most = prices.by_colour.into_iter().max().unwrap_or(0);
    let mut bound = prices.value(track) + most * i64::from(locomotives);
    for ticket in tickets.iter_mut() {
        ticket.profit = ticket.worth - prices.value(ticket.circles);
        bound += ticket.profit.max(0);
    }
    // The clearest cases first.
    tickets.sort_unstable_by_key(|ticket| -ticket.profit.abs());
    let mut demand = ArrayVec::<Cards, { MAX_TICKETS + 1 }>::new();
    let mut sum = Cards::EMPTY;
    demand.push(sum);
    for ticket in tickets.iter().rev() {
        sum = (sum + ticket.circles).intersection(Cards::of_each(MAX_OF_COLOUR));
        demand.push(sum);
    }
    demand.reverse();
    let extra = Prices::new(prices.by_colour.map(|price| most - price));
    let mut search = Search { tickets, extra, prices, demand: &demand, best, best_set };
    search.descend(Node { next: 0, left: track, locomotives, bound, worth: 0, set: TicketSet::EMPTY });
    search.best_set
}

impl Search<'_> {
    fn descend(&mut self, mut node: Node) {
        while node.bound >= self.best {
            // Cards that no later ticket asks for are paid for in vain.
            let useless = node.left.saturating_sub(self.demand[node.next]);
            if node.bound - self.prices.value(useless) < self.best {
                return;
            }
            let Some(&ticket) = self.tickets.get(node.next) else {
                return self.finish(&node);
            };
            let next = node.next + 1;
            let without = Node { next, bound: node.bound - ticket.profit.max(0), ..node };
            let missing = ticket.circles.saturating_sub(node.left);
            let count = missing.total();
            if count > node.locomotives {
                node = without;
                continue;
            }
            let with = Node {
                next,
                left: node.left.saturating_sub(ticket.circles),
                locomotives: node.locomotives - count,
                bound: node.bound + ticket.profit.min(0) - self.extra.value(missing),
                worth: node.worth + ticket.worth,
                set: node.set | TicketSet::only(ticket.id),
            };
            let (first, second) = if ticket.profit >= 0 { (with, without) } else { (without, with) };
            self.descend(first);
            node = second;
        }
    }

    /// A choice about all tickets.
    fn finish(&mut self, node: &Node) {
        // Of equally long lists the lexicographically smaller one has the first id in which they differ.
        let before = |a: TicketSet, b: TicketSet| a.0.reverse_bits() > b.0.reverse_bits();
        if node.worth > self.best || node.worth == self.best && before(node.set, self.best_set) {
            self.best = node.worth;
            self.best_set = node.set;
        }
    }
}

/// A choice about the first tickets.
#[derive(Clone, Copy)]
struct Node {
    next: usize,
    /// Colour cards left.
    left: Cards,
    locomotives: u8,
    /// What no set with this choice is worth more than.
    bound: i64,
    worth: i64,
    set: TicketSet,
}

/// A good set: what fits, the densest tickets first. Sorts the tickets by that.
fn greedy(track: Cards, locomotives: u8, tickets: &mut Candidates) -> (i64, TicketSet) {
    for ticket in tickets.iter_mut() {
        ticket.profit = ticket.worth / i64::from(ticket.circles.total());
    }
    tickets.sort_unstable_by_key(|ticket| -ticket.profit);
    let (mut left, mut locomotives, mut worth, mut set) = (track, locomotives, 0, TicketSet::EMPTY);
    for ticket in tickets {
        let missing = ticket.circles.saturating_sub(left).total();
        if missing <= locomotives {
            left = left.saturating_sub(ticket.circles);
            locomotives -= missing;
            worth += ticket.worth;
            set.insert(ticket.id);
        }
    }
    (worth, set)
}

/// Few tickets are searched through faster than priced well.
const WORTH_PRICING: usize = 12;
/// Most steps towards the best prices. Few tickets deserve few.
const MOST_STEPS: usize = 30;

/// Prices of the colours that make the bound of [`Search`] small: subgradient steps towards a worth that can be reached.
/// Any prices are right, so rounding does no harm.
fn prices(track: Cards, locomotives: u8, tickets: &Candidates, reached: i64) -> Prices {
    // All colours at the density of the last ticket that fits.
    let cards = u32::from(track.total() + locomotives);
    let (mut used, mut start) = (0, 0);
    for ticket in tickets {
        start = ticket.profit;
        used += u32::from(ticket.circles.total());
        if used > cards {
            break;
        }
    }
    if tickets.len() <= WORTH_PRICING {
        return Prices::new([start; 8]);
    }
    let lanes = |cards: Cards| CardKind::COLOURS.map(|colour| f32::from(cards.count(colour)));
    let supply = lanes(track);
    let circles: ArrayVec<[f32; 8], MAX_TICKETS> =
        tickets.iter().map(|ticket| lanes(ticket.circles)).collect();
    let (locomotives, reached) = (f32::from(locomotives), reached as f32);
    let scarce: [f32; 8] =
        std::array::from_fn(|c| if circles.iter().any(|circles| circles[c] > 0.0) { 1.0 } else { 0.0 });
    let mut now = scarce.map(|scarce| scarce * start as f32);
    let (mut best, mut least, mut pace) = (now, f32::INFINITY, 1.0);
    for _ in 0..tickets.len().min(MOST_STEPS) {
        let top = now.iter().copied().fold(0.0, f32::max);
        let mut bound = locomotives * top;
        let mut slope = supply;
        for c in 0..8 {
            bound += supply[c] * now[c];
        }
        for (ticket, circles) in tickets.iter().zip(&circles) {
            let price: f32 = (0..8).map(|c| circles[c] * now[c]).sum();
            let profit = ticket.worth as f32 - price;
            if profit > 0.0 {
                bound += profit;
                for c in 0..8 {
                    slope[c] -= circles[c];
                }
            }
        }
        // A change of the highest price changes that of the locomotives; several are highest together.
        let highest = (0..8).filter(|&c| now[c] >= top * 0.999).count() as f32;
        for c in 0..8 {
            if now[c] >= top * 0.999 {
                slope[c] += locomotives / highest;
            }
            if now[c] <= 0.0 && slope[c] > 0.0 || scarce[c] == 0.0 {
                slope[c] = 0.0;
            }
        }
        if bound < least {
            (best, least) = (now, bound);
        } else {
            pace *= 0.8;
        }
        let steepness: f32 = slope.iter().map(|x| x * x).sum();
        if steepness == 0.0 || bound <= reached {
            break;
        }
        let step = pace * (bound - reached) / steepness;
        for c in 0..8 {
            now[c] = (now[c] - step * slope[c]).max(0.0);
        }
    }
    Prices::new(best.map(|price| price as i64))
}
