//! Choice of the tickets that a track stack completes, by branch and bound (CG-13 to CG-15): the best one, as
//! long as a search takes no more than [`MOST_NODES`].

use arrayvec::ArrayVec;

use crate::card_game::compile::{CardGame, Ticket};
use crate::card_game::state::{SEATS, State};
use crate::pieces::{CardKind, Cards, Seat, TicketId, TicketPlace, TicketSet};
use crate::spec::{Assignment, MAX_BIG_CITIES, MAX_OF_COLOUR, MAX_TICKETS};

#[cfg(test)]
mod tests;

/// The best set of tickets that a track stack completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Completion {
    /// The tickets.
    pub tickets: TicketSet,
    /// The sum of their values.
    pub points: u16,
}

impl CardGame {
    /// Returns `true` if the cards of a track stack complete all of these tickets (CG-14).
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

    /// The value-best set of these tickets that the cards of a track stack complete (CG-15): the highest
    /// sum of values, then the most tickets (with `auto-count`, in reverse order), then the highest sum
    /// of city bonus values, then the smallest ids.
    ///
    /// ```
    /// use ttr_engine::{card_game::CardGame, maps, CardKind, Cards, TicketId};
    /// let game = CardGame::new(&maps::card_game(), 2).unwrap();
    /// let track = Cards::of(CardKind::Yellow, 1) + Cards::of(CardKind::Blue, 1);
    /// let held = [0, 1, 4].map(TicketId::new).into_iter().collect(); // 5, 5, and 7 for both cards
    /// assert_eq!(game.best_completion(track, held).points, 10);
    /// ```
    pub fn best_completion(&self, track: Cards, held: TicketSet) -> Completion {
        let goal = match self.spec.rules.assignment {
            Assignment::AutoCount => Goal::Count,
            _ => Goal::Value,
        };
        self.completion(self.best_set(track, held, goal, &mut 0))
    }

    /// The completable set with which a seat scores the most points at the end of the game, given that
    /// it has completed the tickets `done` before and the others have completed `others`. Among equals,
    /// the value-best (CG-15).
    ///
    /// ```
    /// use ttr_engine::{card_game::CardGame, maps, CardKind, Cards, TicketSet};
    /// let game = CardGame::new(&maps::card_game(), 2).unwrap();
    /// let [denver, los_angeles] = ["Seattle-Denver", "Seattle-Los Angeles"].map(|name| game.parse_ticket(name).unwrap());
    /// let held = [denver, los_angeles].into_iter().collect();
    /// let track = Cards::of(CardKind::Locomotive, 2);
    /// // 10 points and Seattle, or 9 points, Seattle and Los Angeles.
    /// assert_eq!(game.best_completion(track, held).tickets, TicketSet::only(denver));
    /// let most = game.best_final_completion(track, held, TicketSet::EMPTY, &[TicketSet::EMPTY]);
    /// assert_eq!(most.tickets, TicketSet::only(los_angeles));
    /// ```
    pub fn best_final_completion(
        &self,
        track: Cards,
        held: TicketSet,
        done: TicketSet,
        others: &[TicketSet],
    ) -> Completion {
        let best = self.best_set(track, held, Goal::Value, &mut 0);
        self.completion(self.respond(track, held, best, done, others.iter().copied(), &mut 0))
    }

    /// The tickets that the seats complete at the end of a round, unless they choose themselves. `last`
    /// is `true` if the game ends.
    pub(crate) fn completions(&self, s: &State, last: bool) -> [TicketSet; SEATS] {
        let mut held = [TicketSet::EMPTY; SEATS];
        let mut best = [TicketSet::EMPTY; SEATS];
        let mut done = [TicketSet::EMPTY; SEATS];
        for seat in Seat::all(self.seats) {
            let i = seat.index();
            held[i] = s.held(seat) | s.tickets.at(TicketPlace::Chosen(seat));
            done[i] = s.tickets.at(TicketPlace::Done(seat));
            best[i] = self.best_completion(s.tracks[i], held[i]).tickets;
        }
        if !last || matches!(self.spec.rules.assignment, Assignment::AutoValue | Assignment::AutoCount) {
            return best;
        }
        let mut answer = best;
        for i in 0..self.seats {
            let others = (0..self.seats).filter(|&other| other != i).map(|other| best[other] | done[other]);
            answer[i] = self.respond(s.tracks[i], held[i], best[i], done[i], others, &mut 0);
        }
        answer
    }

    /// The set with the most final points. `best` is the value-best set, which is the answer unless it
    /// misses a city bonus that another set wins. `work` is increased by the nodes of the search.
    fn respond(
        &self,
        track: Cards,
        held: TicketSet,
        best: TicketSet,
        done: TicketSet,
        others: impl Iterator<Item = TicketSet> + Clone,
        work: &mut u64,
    ) -> TicketSet {
        if best == held {
            return best;
        }
        let mut bonuses = Bonuses::default();
        for (i, city) in self.big_cities.iter().enumerate() {
            let naming = |tickets: TicketSet| (tickets & city.tickets).len();
            let most = others.clone().map(naming).max().unwrap_or(0).max(1);
            bonuses.worth[i] = i64::from(city.points) << FINAL_POINTS;
            bonuses.need[i] = most.saturating_sub(naming(done)) as u8;
        }
        let mut tickets = self.candidates(track, held, Goal::FinalPoints);
        bonuses.count(&tickets);
        if bonuses.missed(&tickets, best) == 0 {
            return best;
        }
        solve(track, &mut tickets, &mut bonuses, best, work)
    }

    /// The best set by a goal. `work` is increased by the nodes of the search.
    fn best_set(&self, track: Cards, held: TicketSet, goal: Goal, work: &mut u64) -> TicketSet {
        let mut tickets = self.candidates(track, held, goal);
        solve(track, &mut tickets, &mut Bonuses::default(), TicketSet::EMPTY, work)
    }

    fn completion(&self, tickets: TicketSet) -> Completion {
        let points = tickets.into_iter().map(|ticket| u16::from(self.tickets[ticket.index()].points)).sum();
        Completion { tickets, points }
    }

    /// The tickets that can be completed alone; no other ticket can be completed at all.
    fn candidates(&self, track: Cards, held: TicketSet, goal: Goal) -> Completables {
        let mut tickets = Completables::new();
        for id in held {
            let ticket = &self.tickets[id.index()];
            if ticket.circles.saturating_sub(track).total() <= track.locomotives() {
                tickets.push(Completable::new(id, ticket, goal));
            }
        }
        tickets
    }
}

/// The primary criterion.
#[derive(Clone, Copy)]
enum Goal {
    /// The sum of values, then the number of tickets.
    Value,
    /// The number of tickets, then the sum of values.
    Count,
    /// Final points, to which [`Bonuses`] add; then like [`Goal::Value`].
    FinalPoints,
}

/// A ticket that could be completed.
#[derive(Clone, Copy)]
struct Completable {
    /// The ticket's contribution to the criteria of CG-15, most important first, in bit fields that
    /// never overflow into each other.
    worth: i64,
    /// Circles of colours that can run out.
    circles: Cards,
    /// Worth minus the prices of its circles; before there are prices, worth per circle.
    profit: i64,
    /// The big cities that it names, as bits.
    cities: u16,
    id: TicketId,
}

type Completables = ArrayVec<Completable, MAX_TICKETS>;

// City bonus values of all tickets take 17 bits, their number 8, their values 15, final points 17.
const COUNT: u32 = 17;
const POINTS: u32 = COUNT + 8;
const COUNT_FIRST: u32 = COUNT + 16;
const FINAL_POINTS: u32 = POINTS + 15;

impl Completable {
    fn new(id: TicketId, ticket: &Ticket, goal: Goal) -> Self {
        let points = i64::from(ticket.points);
        let by_value = points << POINTS | 1 << COUNT;
        let first = match goal {
            Goal::Value => by_value,
            Goal::Count => 1 << COUNT_FIRST | points << COUNT,
            // An uncompleted ticket counts against the seat (CG-19).
            Goal::FinalPoints => (2 * points) << FINAL_POINTS | by_value,
        };
        let worth = first | i64::from(ticket.city_points);
        Self { worth, circles: ticket.circles, profit: 0, cities: ticket.cities, id }
    }

    /// The profit, including the parts that open cities pay.
    #[inline]
    fn profit_with(&self, parts: &[i64; MAX_BIG_CITIES], open: u16) -> i64 {
        self.profit + bits(self.cities & open).map(|city| parts[city]).sum::<i64>()
    }
}

/// The city bonuses that a set of candidates can win, each for completing enough tickets that name the
/// city (CG-20).
#[derive(Clone, Copy, Default)]
struct Bonuses {
    /// The cities that matter, as bits: those that some sets win and others don't.
    open: u16,
    /// The amount that winning a city adds to the worth of a set.
    worth: [i64; MAX_BIG_CITIES],
    /// Number of tickets naming the city that are needed.
    need: [u8; MAX_BIG_CITIES],
    /// Number of candidates naming the city.
    naming: [u8; MAX_BIG_CITIES],
}

impl Bonuses {
    /// Counts the candidates, and closes the cities that every set wins or no set wins.
    fn count(&mut self, tickets: &[Completable]) {
        self.naming = [0; _];
        for ticket in tickets {
            for city in bits(ticket.cities) {
                self.naming[city] += 1;
            }
        }
        let open = |&city: &usize| self.need[city] > 0 && self.need[city] <= self.naming[city];
        self.open = (0..MAX_BIG_CITIES).filter(open).map(|city| 1 << city).sum();
    }

    /// The worth of the open cities that a set of the candidates does not win.
    fn missed(&self, tickets: &[Completable], set: TicketSet) -> i64 {
        let mut taken = [0; MAX_BIG_CITIES];
        for ticket in tickets.iter().filter(|ticket| set.contains(ticket.id)) {
            for city in bits(ticket.cities) {
                taken[city] += 1;
            }
        }
        bits(self.open).filter(|&city| taken[city] < self.need[city]).map(|city| self.worth[city]).sum()
    }

    /// The remainder of a city's bonus after a part is paid for each needed ticket.
    fn rest(&self, city: usize, parts: &[i64; MAX_BIG_CITIES]) -> i64 {
        self.worth[city] - i64::from(self.need[city]) * parts[city]
    }

    /// The worth of all open cities.
    fn sum(&self) -> i64 {
        bits(self.open).map(|city| self.worth[city]).sum()
    }
}

/// The positions of the bits of a mask.
fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lowest)
    })
}

/// The best set of candidates, each of which can be completed alone. `known` is a completable set to
/// start from.
fn solve(
    track: Cards,
    tickets: &mut Completables,
    bonuses: &mut Bonuses,
    known: TicketSet,
    work: &mut u64,
) -> TicketSet {
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
    // Colours with enough cards for all tickets don't matter, and tickets with no other colours are
    // free.
    let mut free = TicketSet::EMPTY;
    tickets.retain(|ticket| {
        ticket.circles = ticket.circles.only(scarce);
        if ticket.circles.is_empty() {
            free.insert(ticket.id);
            for city in bits(ticket.cities & bonuses.open) {
                bonuses.need[city] = bonuses.need[city].saturating_sub(1);
            }
        }
        !ticket.circles.is_empty()
    });
    track = track.only(scarce);
    if bonuses.open != 0 {
        bonuses.count(tickets);
    }
    search(track, locomotives, tickets, bonuses, known - free, work) | free
}

/// A depth-first search with prices for cards (a Lagrangian relaxation).
///
/// Each colour has a price, and the locomotive has the highest of them. The worth of a set is then at
/// most the price of all cards plus the profits of the tickets that are worth more than their circles. A
/// set falls short of this bound by the profits it leaves out, the losses it takes in, and what it
/// overpays by using locomotives. With good prices the bound is close to the best set, and few sets have
/// to be visited.
///
/// A city bonus is paid in parts, one for each ticket that names the city, and the remainder if enough
/// of them can still be taken. A set that wins the bonus has enough, so the sum is no less than the
/// bonus. Once a city is won or lost, later tickets are paid nothing.
///
/// The last criterion decides between sets of equal worth. Worth is so fine-grained that continuing at
/// equality costs next to nothing.
struct SetSearch<'a> {
    tickets: &'a [Completable],
    bonuses: &'a Bonuses,
    /// The amount by which the price of a locomotive exceeds that of each colour.
    extra: CirclePrices,
    prices: CirclePrices,
    /// For each ticket, the circles of it and all later ones that matter.
    demand: &'a [Cards],
    best: i64,
    best_set: TicketSet,
    /// Number of nodes visited, at most [`MOST_NODES`].
    nodes: u64,
}

/// A price per colour, and the payments for tickets to big cities.
struct CirclePrices {
    by_colour: [i64; 8],
    /// `true` if all prices are equal.
    uniform: bool,
    /// For each open city, the part of its bonus that is paid per ticket. For all needed tickets
    /// together, at most the bonus.
    parts: [i64; MAX_BIG_CITIES],
}

impl CirclePrices {
    fn new(by_colour: [i64; 8]) -> Self {
        Self { by_colour, uniform: by_colour == [by_colour[0]; 8], parts: [0; _] }
    }

    /// The price of some cards.
    #[inline]
    fn value(&self, cards: Cards) -> i64 {
        if self.uniform {
            return self.by_colour[0] * i64::from(cards.total());
        }
        cards.colours().map(|(colour, count)| self.by_colour[colour.index()] * i64::from(count)).sum()
    }
}

fn search(
    track: Cards,
    locomotives: u8,
    tickets: &mut Completables,
    bonuses: &Bonuses,
    known: TicketSet,
    work: &mut u64,
) -> TicketSet {
    let (mut best, mut best_set) = greedy(track, locomotives, tickets, bonuses);
    let prices = prices(track, locomotives, tickets, bonuses, best);
    if !known.is_empty() {
        let members = tickets.iter().filter(|ticket| known.contains(ticket.id));
        let worth =
            members.map(|ticket| ticket.worth).sum::<i64>() + bonuses.sum() - bonuses.missed(tickets, known);
        if worth >= best {
            (best, best_set) = (worth, known);
        }
    }
    let most = prices.by_colour.into_iter().max().unwrap_or(0);
    let mut bound = prices.value(track) + most * i64::from(locomotives);
    for ticket in tickets.iter_mut() {
        ticket.profit = ticket.worth - prices.value(ticket.circles);
    }
    bound += bits(bonuses.open).map(|city| bonuses.rest(city, &prices.parts)).sum::<i64>();
    bound += tickets.iter().map(|ticket| ticket.profit_with(&prices.parts, bonuses.open).max(0)).sum::<i64>();
    // The clearest cases come first.
    tickets.sort_unstable_by_key(|ticket| -ticket.profit_with(&prices.parts, bonuses.open).abs());
    let mut demand = ArrayVec::<Cards, { MAX_TICKETS + 1 }>::new();
    let mut sum = Cards::EMPTY;
    demand.push(sum);
    for ticket in tickets.iter().rev() {
        sum = (sum + ticket.circles).intersection(Cards::of_each(MAX_OF_COLOUR));
        demand.push(sum);
    }
    demand.reverse();
    let extra = CirclePrices::new(prices.by_colour.map(|price| most - price));
    let mut search = SetSearch { tickets, bonuses, extra, prices, demand: &demand, best, best_set, nodes: 0 };
    search.descend(PartialSet {
        next: 0,
        left: track,
        locomotives,
        bound,
        worth: bonuses.sum(),
        set: TicketSet::EMPTY,
        open: bonuses.open,
        taken: [0; _],
        left_out: [0; _],
    });
    *work += search.nodes;
    let (nodes, mut set) = (search.nodes, search.best_set);
    if nodes == MOST_NODES {
        fill(track, locomotives, tickets, &mut set);
    }
    set
}

/// Adds the tickets that the cards complete in addition to a set: no ticket is left out that costs nothing
/// (I-37), even if the best set was not found.
fn fill(track: Cards, locomotives: u8, tickets: &Completables, set: &mut TicketSet) {
    let (mut left, mut locomotives, members) = (track, locomotives, *set);
    for first in [true, false] {
        for ticket in tickets.iter().filter(|ticket| members.contains(ticket.id) == first) {
            let missing = ticket.circles.saturating_sub(left).total();
            if missing <= locomotives {
                left = left.saturating_sub(ticket.circles);
                locomotives -= missing;
                set.insert(ticket.id);
            }
        }
    }
}

impl SetSearch<'_> {
    fn descend(&mut self, mut node: PartialSet) {
        while node.bound >= self.best && self.nodes < MOST_NODES {
            self.nodes += 1;
            // Cards that no later ticket needs are paid for in vain.
            let useless = node.left.saturating_sub(self.demand[node.next]);
            if node.bound - self.prices.value(useless) < self.best {
                return;
            }
            let Some(&ticket) = self.tickets.get(node.next) else {
                return self.finish(&node);
            };
            let profit = ticket.profit_with(&self.prices.parts, node.open);
            let next = node.next + 1;
            let mut without = PartialSet { next, bound: node.bound - profit.max(0), ..node };
            for city in bits(ticket.cities & node.open) {
                without.left_out[city] += 1;
                if without.left_out[city] + self.bonuses.need[city] > self.bonuses.naming[city] {
                    let paid = i64::from(without.taken[city]) * self.prices.parts[city];
                    without.bound -= paid + self.bonuses.rest(city, &self.prices.parts);
                    without.worth -= self.bonuses.worth[city];
                    self.close(&mut without, city);
                }
            }
            let missing = ticket.circles.saturating_sub(node.left);
            let count = missing.total();
            if count > node.locomotives {
                node = without;
                continue;
            }
            let mut with = PartialSet {
                next,
                left: node.left.saturating_sub(ticket.circles),
                locomotives: node.locomotives - count,
                bound: node.bound + profit.min(0) - self.extra.value(missing),
                worth: node.worth + ticket.worth,
                set: node.set | TicketSet::only(ticket.id),
                ..node
            };
            for city in bits(ticket.cities & node.open) {
                with.taken[city] += 1;
                if with.taken[city] == self.bonuses.need[city] {
                    self.close(&mut with, city);
                }
            }
            let (first, second) = if profit >= 0 { (with, without) } else { (without, with) };
            self.descend(first);
            node = second;
        }
    }

    /// Marks a city as won or lost, so that later tickets are paid nothing for it.
    fn close(&self, node: &mut PartialSet, city: usize) {
        let part = self.prices.parts[city];
        if part > 0 {
            for ticket in &self.tickets[node.next..] {
                if ticket.cities >> city & 1 != 0 {
                    let profit = ticket.profit_with(&self.prices.parts, node.open);
                    node.bound -= profit.max(0) - (profit - part).max(0);
                }
            }
        }
        node.open &= !(1 << city);
    }

    /// Handles a node in which all tickets are decided.
    fn finish(&mut self, node: &PartialSet) {
        // Of two lists of equal length, the lexicographically smaller one has the first id in which they
        // differ.
        let before = |a: TicketSet, b: TicketSet| a.0.reverse_bits() > b.0.reverse_bits();
        if node.worth > self.best || node.worth == self.best && before(node.set, self.best_set) {
            self.best = node.worth;
            self.best_set = node.set;
        }
    }
}

/// A decision on the first tickets.
#[derive(Clone, Copy)]
struct PartialSet {
    next: usize,
    /// Number of remaining colour cards.
    left: Cards,
    locomotives: u8,
    /// Upper bound on the worth of any set with this decision.
    bound: i64,
    /// The worth of the chosen tickets, plus the bonuses of all cities that can still be won.
    worth: i64,
    set: TicketSet,
    /// The cities that are neither won nor lost, as bits.
    open: u16,
    /// For each open city, the number of tickets naming it that are taken (and left out).
    taken: [u8; MAX_BIG_CITIES],
    left_out: [u8; MAX_BIG_CITIES],
}

/// A good set: the densest tickets that fit. Sorts the tickets by density.
fn greedy(track: Cards, locomotives: u8, tickets: &mut Completables, bonuses: &Bonuses) -> (i64, TicketSet) {
    for ticket in tickets.iter_mut() {
        ticket.profit = ticket.worth / i64::from(ticket.circles.total());
    }
    tickets.sort_unstable_by_key(|ticket| -ticket.profit);
    let (mut left, mut locomotives, mut worth, mut set) = (track, locomotives, 0, TicketSet::EMPTY);
    for ticket in tickets.iter() {
        let missing = ticket.circles.saturating_sub(left).total();
        if missing <= locomotives {
            left = left.saturating_sub(ticket.circles);
            locomotives -= missing;
            worth += ticket.worth;
            set.insert(ticket.id);
        }
    }
    if bonuses.open != 0 {
        worth += bonuses.sum() - bonuses.missed(tickets, set);
    }
    (worth, set)
}

/// Maximum number of nodes of a search: a few hundredths of a second. With 30 of the shipped tickets in one
/// hand no search is known to take as many, so the best set is found. Among more of them, or dozens of
/// tickets of five circles with nearly equal values, which a file may have, the best one found so far may
/// have to do.
const MOST_NODES: u64 = 1_000_000;
/// Minimum number of tickets for which good prices pay off; fewer are searched faster without.
const WORTH_PRICING: usize = 12;
/// Maximum number of steps towards the best prices. Fewer tickets get fewer steps.
const MOST_STEPS: usize = 30;
/// Number of steps with open cities: a longer search justifies better prices.
const STEPS_WITH_CITIES: usize = 40;

/// Colour prices that make the bound of [`SetSearch`] small, by subgradient steps towards a worth that can
/// be reached. Any prices give a valid bound, so rounding does no harm.
fn prices(
    track: Cards,
    locomotives: u8,
    tickets: &Completables,
    bonuses: &Bonuses,
    reached: i64,
) -> CirclePrices {
    // All colours start at the density of the last ticket that fits.
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
        return CirclePrices::new([start; 8]);
    }
    let lanes = |cards: Cards| CardKind::COLOURS.map(|colour| f32::from(cards.count(colour)));
    let supply = lanes(track);
    let circles: ArrayVec<[f32; 8], MAX_TICKETS> =
        tickets.iter().map(|ticket| lanes(ticket.circles)).collect();
    let (locomotives, reached) = (f32::from(locomotives), reached as f32);
    let scarce: [f32; 8] =
        std::array::from_fn(|c| if circles.iter().any(|circles| circles[c] > 0.0) { 1.0 } else { 0.0 });
    let mut now = scarce.map(|scarce| scarce * start as f32);
    let mut parts = [0.0; MAX_BIG_CITIES];
    let (mut best, mut best_parts, mut least, mut pace) = (now, parts, f32::INFINITY, 1.0);
    let steps = if bonuses.open == 0 { tickets.len().min(MOST_STEPS) } else { STEPS_WITH_CITIES };
    for _ in 0..steps {
        let top = now.iter().copied().fold(0.0, f32::max);
        let mut bound = locomotives * top;
        let mut slope = supply;
        for c in 0..8 {
            bound += supply[c] * now[c];
        }
        let mut part_slope = [0.0; MAX_BIG_CITIES];
        for city in bits(bonuses.open) {
            let need = f32::from(bonuses.need[city]);
            bound += bonuses.worth[city] as f32 - need * parts[city];
            part_slope[city] = -need;
        }
        for (ticket, circles) in tickets.iter().zip(&circles) {
            let price: f32 = (0..8).map(|c| circles[c] * now[c]).sum();
            let paid: f32 = bits(ticket.cities & bonuses.open).map(|city| parts[city]).sum();
            let profit = ticket.worth as f32 + paid - price;
            if profit > 0.0 {
                bound += profit;
                for c in 0..8 {
                    slope[c] -= circles[c];
                }
                for city in bits(ticket.cities & bonuses.open) {
                    part_slope[city] += 1.0;
                }
            }
        }
        for city in bits(bonuses.open) {
            let most = bonuses.worth[city] as f32 / f32::from(bonuses.need[city]);
            let stuck = parts[city] <= 0.0 && part_slope[city] > 0.0;
            if stuck || parts[city] >= most && part_slope[city] < 0.0 {
                part_slope[city] = 0.0;
            }
        }
        // A change of the highest price changes that of the locomotives; several can be highest
        // together.
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
            (best, best_parts, least) = (now, parts, bound);
        } else {
            pace *= 0.8;
        }
        let steepness: f32 = slope.iter().chain(&part_slope).map(|x| x * x).sum();
        if steepness == 0.0 || bound <= reached {
            break;
        }
        let step = pace * (bound - reached) / steepness;
        for c in 0..8 {
            now[c] = (now[c] - step * slope[c]).max(0.0);
        }
        for city in bits(bonuses.open) {
            let most = bonuses.worth[city] as f32 / f32::from(bonuses.need[city]);
            parts[city] = (parts[city] - step * part_slope[city]).clamp(0.0, most);
        }
    }
    let mut prices = CirclePrices::new(best.map(|price| price as i64));
    for city in bits(bonuses.open) {
        let most = bonuses.worth[city] / i64::from(bonuses.need[city]);
        prices.parts[city] = (best_parts[city] as i64).min(most);
    }
    prices
}
