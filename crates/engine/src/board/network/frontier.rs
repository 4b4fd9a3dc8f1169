//! Exact search for the longest trail, in time bounded by the width of the network.
//!
//! [`super::kernel`] solves almost every network within microseconds, but would need seconds for some.
//! This search takes over for those.
//!
//! The edges are decided one by one: each is kept or left out. Later decisions depend on little of the
//! earlier ones, because only cities with both a decided and an undecided edge, the frontier, are
//! affected by both:
//!
//! * which cities of the frontier have an odd number of kept edges,
//! * which of them have kept edges at all, and which of these the kept edges join ([`Partition`]),
//! * how many cities behind the frontier are odd and thus ends of the trail, at most two.
//!
//! Of all decisions that lead to the same [`State`], only the one that leaves out least matters. A block
//! whose last city leaves the frontier is complete: if no other block remains, it is a trail (Euler),
//! and all undecided edges are left out; otherwise the kept edges can never form one trail.
//!
//! States are visited in the order of a lower bound (A*): the length left out so far plus the minimum
//! still to be left out if the kept edges need not be connected. Without connectivity, a state is only
//! the odd cities and the number of ends, so the bounds of all states fit in a table that is filled
//! backwards from the last edge ([`Sweep::bounds`]). The bound never decreases from one state to the next
//! and never exceeds the length left out in the end. Once it reaches the best trail found, that trail is
//! therefore longest.
//!
//! A state is dropped if one visited earlier is at least as good whatever follows; see
//! [`Partition::are_as_good_as`].
//!
//! With a frontier of at most w cities there are at most 3 · 2^w bounds per edge, and at most 3 · D(w)
//! states, where D(w) counts the ways to choose odd cities and blocks (the Dowling numbers 24, 116, 648,
//! 4,088, 28,640, 219,920 for w from 3 to 8). The bounds and the dropped states keep the number of
//! visited states far below that: see `docs/PERFORMANCE.md` for the worst networks found.

use super::order::narrow_order;
use super::{CITIES, members};

/// Maximum width of the frontier: the relation of [`Partition::relation`] fits in 128 bits.
const MAX_WIDTH: usize = 15;

/// A bound that no trail can meet.
const IMPOSSIBLE: u16 = u16::MAX;

/// Units of work (see [`super::trail::longest_trail_counted`]) per entry of the table of bounds, per
/// state and per comparison of two states.
const WORK: [u64; 3] = [1, 100, 6];

/// The decision on one edge.
#[derive(Clone, Copy)]
struct EdgeChoice {
    /// The slots of its cities in the frontier.
    slots: [u8; 2],
    length: u16,
    /// Slots of cities that have no later edge.
    done: u16,
    /// Those of them whose city may be an end.
    may_end: u16,
}

/// The order of decisions on a connected graph.
pub(super) struct Sweep {
    steps: Vec<EdgeChoice>,
    width: usize,
}

/// Everything about the decisions before `step` that affects the rest.
#[derive(Clone, Copy, Default)]
struct State {
    blocks: Partition,
    /// Slots of cities with an odd number of kept edges.
    odd: u16,
    /// Number of ends behind the frontier.
    ends: u8,
    step: u8,
}

/// The result of a decision.
enum Verdict {
    State(State),
    /// The kept edges form one trail, and no more can be kept.
    Trail,
    /// The kept edges cannot become one trail.
    Dead,
}

/// A visited state.
struct VisitedState {
    blocks: Partition,
    relation: u128,
    /// Index of another visited state with the same step, odd cities and ends; 0 if there is none.
    next: u32,
}

impl Sweep {
    /// Orders the decisions on `edges`, given as city, city and length. `None` if the frontier is too
    /// wide.
    ///
    /// Only cities with an odd number of edges may be ends. That is exact if there are any (see
    /// [`super::kernel`]).
    pub(super) fn new(edges: &[(usize, usize, u32)], work: &mut u64) -> Option<Self> {
        let mut neighbours = [0u64; CITIES];
        let mut undecided = [0u8; CITIES];
        let (mut cities, mut odd) = (0u64, 0u64);
        for &(a, b, _) in edges {
            neighbours[a] |= 1 << b;
            neighbours[b] |= 1 << a;
            undecided[a] += 1;
            undecided[b] += 1;
            cities |= 1 << a | 1 << b;
            odd ^= 1 << a ^ 1 << b;
        }
        for (city, neighbours) in neighbours.iter_mut().enumerate() {
            *neighbours &= !(1 << city);
        }
        let (order, width) = narrow_order(cities, &neighbours, work);
        if width > MAX_WIDTH {
            return None;
        }

        let mut steps = Vec::with_capacity(edges.len());
        let mut slot_of = [0u8; CITIES];
        let (mut placed, mut taken) = (0u64, 0u16);
        for city in order.into_iter().map(usize::from) {
            placed |= 1 << city;
            slot_of[city] = taken.trailing_ones() as u8;
            taken |= 1 << slot_of[city];
            let mut to_earlier: Vec<_> = edges
                .iter()
                .filter(|&&(a, b, _)| (a == city || b == city) && placed >> a & placed >> b & 1 != 0)
                .collect();
            // Cities with few undecided edges come first, so that they leave the frontier early.
            to_earlier.sort_by_key(|&&(a, b, _)| undecided[a ^ b ^ city]);
            for &(a, b, length) in to_earlier {
                let (mut done, mut may_end) = (0, 0);
                for end in [a, b] {
                    undecided[end] -= 1;
                    if undecided[end] == 0 {
                        done |= 1 << slot_of[end];
                        may_end |= u16::from(odd >> end & 1 != 0) << slot_of[end];
                    }
                }
                let slots = [slot_of[a], slot_of[b]];
                steps.push(EdgeChoice { slots, length: length as u16, done, may_end });
                taken &= !done;
            }
        }
        Some(Self { steps, width })
    }

    /// The minimum total length that must be left out for the rest to be one trail, or `limit` if that
    /// is less.
    pub(super) fn least_left_out(&self, limit: u32, work: &mut u64) -> u32 {
        let bounds = self.bounds();
        *work += WORK[0] * bounds.len() as u64;
        let mut undecided = vec![0; self.steps.len() + 1];
        for (i, step) in self.steps.iter().enumerate().rev() {
            undecided[i] = undecided[i + 1] + u32::from(step.length);
        }
        // The last visited state by step, ends and odd cities.
        let mut last = vec![0u32; bounds.len()];
        let mut visited = vec![VisitedState { blocks: Partition::default(), relation: 0, next: 0 }];
        // The states to visit, by bound. Late steps are taken first, to find a trail early.
        let mut open = vec![Vec::new(); limit as usize];
        let mut best = limit;
        let start = State::default();
        let mut bound = u32::from(bounds[self.index(&start)]);
        if bound < limit {
            open[bound as usize].push(start);
        }
        while bound < best {
            let Some(state) = open[bound as usize].pop() else {
                bound += 1;
                continue;
            };
            *work += WORK[1];
            let index = self.index(&state);
            // States in one list have the same bound on the rest, so the earlier ones leave out no more.
            let relation = state.blocks.relation();
            let mut other = last[index];
            while other != 0 {
                *work += WORK[2];
                let earlier = &visited[other as usize];
                if relation & !earlier.relation == 0 && earlier.blocks.are_as_good_as(state.blocks) {
                    break;
                }
                other = earlier.next;
            }
            if other != 0 {
                continue;
            }
            visited.push(VisitedState { blocks: state.blocks, relation, next: last[index] });
            last[index] = visited.len() as u32 - 1;

            let so_far = bound - u32::from(bounds[index]);
            let length = u32::from(self.steps[usize::from(state.step)].length);
            for (keep, left_out) in [(false, so_far + length), (true, so_far)] {
                match self.decide(state, keep) {
                    Verdict::State(next) => {
                        let bound = left_out + u32::from(bounds[self.index(&next)]);
                        if bound < best {
                            open[bound as usize].push(next);
                        }
                    }
                    Verdict::Trail => {
                        best = best.min(left_out + undecided[usize::from(state.step) + 1]);
                    }
                    Verdict::Dead => {}
                }
            }
        }
        best
    }

    /// Index of a state's bound in the table.
    #[inline]
    fn index(&self, state: &State) -> usize {
        (usize::from(state.step) * 3 + usize::from(state.ends)) << self.width | usize::from(state.odd)
    }

    /// For every step, number of ends and set of odd cities, the minimum still to be left out for the
    /// number of ends to stay within two, connected or not. It is a shortest T-join, where T is the odd
    /// cities and those that the undecided edges would make odd, less the ends.
    fn bounds(&self) -> Vec<u16> {
        let size = 1usize << self.width;
        let mut bounds = vec![IMPOSSIBLE; (self.steps.len() + 1) * 3 * size];
        for ends in 0..3 {
            bounds[(self.steps.len() * 3 + ends) * size] = 0;
        }
        for (i, step) in self.steps.iter().enumerate().rev() {
            let (now, next) = bounds[i * 3 * size..(i + 2) * 3 * size].split_at_mut(3 * size);
            let flip = usize::from(step.flip());
            let (done, may_end) = (usize::from(step.done), usize::from(step.may_end));
            for ends in 0..3 {
                let after = |odd: usize| {
                    let ends = ends + (odd & done).count_ones() as usize;
                    if odd & done & !may_end != 0 || ends > 2 {
                        IMPOSSIBLE
                    } else {
                        next[ends * size + (odd & !done)]
                    }
                };
                let now = &mut now[ends * size..][..size];
                if done == 0 {
                    // The same, without the work that only cities leaving the frontier need.
                    let next = &next[ends * size..][..size];
                    for (odd, bound) in now.iter_mut().enumerate() {
                        *bound = next[odd].saturating_add(step.length).min(next[(odd ^ flip) & (size - 1)]);
                    }
                } else {
                    for (odd, bound) in now.iter_mut().enumerate() {
                        *bound = after(odd).saturating_add(step.length).min(after(odd ^ flip));
                    }
                }
            }
        }
        bounds
    }

    /// Keeps the edge of the state's step or leaves it out.
    fn decide(&self, mut state: State, keep: bool) -> Verdict {
        let step = &self.steps[usize::from(state.step)];
        state.step += 1;
        if keep {
            state.odd ^= step.flip();
            state.blocks.join(step.slots);
        }
        let ends = state.odd & step.done;
        state.ends += ends.count_ones() as u8;
        if ends & !step.may_end != 0 || state.ends > 2 {
            return Verdict::Dead;
        }
        state.odd ^= ends;
        for slot in members(step.done.into()) {
            if state.blocks.leave(slot) {
                return if state.blocks == Partition::default() { Verdict::Trail } else { Verdict::Dead };
            }
        }
        if usize::from(state.step) == self.steps.len() {
            // No edge is kept.
            return Verdict::Dead;
        }
        state.blocks.renumber();
        Verdict::State(state)
    }
}

impl EdgeChoice {
    /// The slots whose parity changes if the edge is kept: none for a loop.
    #[inline]
    fn flip(&self) -> u16 {
        1 << self.slots[0] ^ 1 << self.slots[1]
    }
}

/// The slots of the frontier by block, where a block is a set of cities joined by kept edges. Four bits
/// per slot: 0 if its city has no kept edge, else the number of its block.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Partition(u64);

impl Partition {
    #[inline]
    fn block_of(self, slot: usize) -> u64 {
        self.0 >> (4 * slot) & 15
    }

    #[inline]
    fn put(&mut self, slot: usize, block: u64) {
        self.0 = self.0 & !(15 << (4 * slot)) | block << (4 * slot);
    }

    /// Adds an edge.
    fn join(&mut self, slots: [u8; 2]) {
        let [a, b] = slots.map(usize::from);
        match (self.block_of(a), self.block_of(b)) {
            (0, 0) => {
                // A free number: the other slots, 14 at most, have the numbers from 1 to 14.
                self.put(a, 15);
                self.put(b, 15);
            }
            (0, block) => self.put(a, block),
            (block, 0) => self.put(b, block),
            (one, other) if one != other => {
                for slot in 0..MAX_WIDTH {
                    if self.block_of(slot) == other {
                        self.put(slot, one);
                    }
                }
            }
            _ => {}
        }
    }

    /// Removes a city. Returns `true` if it was the last of its block.
    fn leave(&mut self, slot: usize) -> bool {
        let block = self.block_of(slot);
        self.put(slot, 0);
        block != 0 && (0..MAX_WIDTH).all(|other| self.block_of(other) != block)
    }

    /// Numbers the blocks in the order of their first slots, so that equal blocks have equal numbers.
    fn renumber(&mut self) {
        let mut numbers = [0; 16];
        let mut count = 0;
        let (mut old, mut new) = (self.0, 0);
        while old != 0 {
            let shift = old.trailing_zeros() & !3;
            let block = (old >> shift & 15) as usize;
            if numbers[block] == 0 {
                count += 1;
                numbers[block] = count;
            }
            new |= numbers[block] << shift;
            old &= !(15 << shift);
        }
        self.0 = new;
    }

    /// The set of pairs of slots that are in one block; a slot in any block forms a pair with itself.
    fn relation(self) -> u128 {
        let mut pairs = 0;
        let mut blocks = [0u128; 16];
        let mut rest = self.0;
        while rest != 0 {
            let slot = rest.trailing_zeros() as usize / 4;
            let block = &mut blocks[self.block_of(slot) as usize];
            *block |= 1 << slot;
            pairs |= *block << (slot * (slot + 1) / 2);
            rest &= !(15 << (4 * slot));
        }
        pairs
    }

    /// Returns `true` if these blocks are as good as `others`, provided that every pair of the others'
    /// relation is in theirs: each of them must have a city that is in one of the others.
    ///
    /// Then any later edges that complete the others to one trail also complete these: a path between
    /// two cities of the others uses later edges and joins within their blocks, and these blocks join
    /// the same cities. So all later edges are connected, and each of these blocks is attached to them
    /// by a city of the others.
    fn are_as_good_as(self, others: Self) -> bool {
        let (mut with, mut without) = (0u16, 0u16);
        let mut rest = self.0;
        while rest != 0 {
            let slot = rest.trailing_zeros() as usize / 4;
            let block = 1 << self.block_of(slot);
            if others.block_of(slot) == 0 {
                without |= block;
            } else {
                with |= block;
            }
            rest &= !(15 << (4 * slot));
        }
        without & !with == 0
    }
}
