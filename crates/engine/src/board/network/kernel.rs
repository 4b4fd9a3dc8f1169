//! Exact search for the longest trail where a network has loops that share cities.
//!
//! A connected set of edges is one trail if at most two cities have an odd number of them (Euler). The
//! question is thus which edges of a component to leave out. Let F be a longest trail of it, and among
//! those one with the most edges. If the component has odd cities at all, F ends in two different ones
//! and uses every edge there, or else it could be extended.
//!
//! The search keeps a connected set of edges and takes its odd cities one by one. It either makes the
//! city an end and keeps all its edges, or leaves out one of its edges, which changes the parity of the
//! opposite city; where that splits the set, the trail is on one side. It finds F:
//!
//! * As long as the set contains F, every odd city of it is an end of F or has an edge outside F, so one
//!   of the choices again contains F. The choices after an edge was tried keep that edge: they stand for
//!   F containing it, and no set comes up twice.
//! * When no odd city is left, the set is itself a trail, and no longer than F.
//!
//! The search is pruned by prices (see [`EndSearch::price`]): the edges left out must pair off the odd
//! cities that are not ends by paths, and these paths cost at least the prices of the cities.
//!
//! Its time has no useful bound: a network of 60 routes of length 1 can take half a second or more.
//! After [`MAX_VISITS`] sets it therefore gives way to [`super::frontier`], which is slower on ordinary
//! networks.

use super::frontier::Sweep;
use super::{CITIES, CITY_MASK, members};

/// Maximum number of edges: they are members of a 64-bit set.
const MAX_EDGES: usize = 64;

/// Number of sets that the search visits before it gives up: about the time that the other search needs
/// for its setup, and several times what the slowest networks of the printed boards need.
const MAX_VISITS: u64 = 4_096;

/// Units of work per set (see [`super::trail::longest_trail_counted`]).
const WORK: u64 = 100;

/// A graph of chains and pendants, with cities as vertices.
pub(super) struct Kernel {
    edges: usize,
    ends: [[u8; 2]; MAX_EDGES],
    length: [u32; MAX_EDGES],
    /// The edges of each city.
    at: [u64; CITIES],
    cities: u64,
    odd: u64,
    /// Edges from a city to itself.
    loops: u64,
}

impl Kernel {
    pub(super) fn new() -> Self {
        Self {
            edges: 0,
            ends: [[0; 2]; MAX_EDGES],
            length: [0; MAX_EDGES],
            at: [0; CITIES],
            cities: 0,
            odd: 0,
            loops: 0,
        }
    }

    pub(super) fn add(&mut self, a: usize, b: usize, length: u32) {
        let edge = self.edges;
        self.edges += 1;
        self.ends[edge] = [a as u8, b as u8];
        self.length[edge] = length;
        self.at[a] |= 1 << edge;
        self.at[b] |= 1 << edge;
        self.cities |= 1 << a | 1 << b;
        self.odd ^= 1 << a ^ 1 << b;
        if a == b {
            self.loops |= 1 << edge;
        }
    }

    /// The cities that have an edge.
    pub(super) fn cities(&self) -> u64 {
        self.cities
    }

    /// The longest trail, or `best` if none is longer.
    pub(super) fn longest_trail(&self, mut best: u32, work: &mut u64) -> u32 {
        let mut rest = self.cities;
        while rest != 0 {
            let component = self.reach(rest.trailing_zeros() as usize, 0, u64::MAX);
            rest &= !component;
            let edges = self.edges_of(component);
            let total = self.total(edges);
            if total > best {
                let odd = self.odd & component;
                let beyond_two = odd & odd.wrapping_sub(1);
                best = if beyond_two & beyond_two.wrapping_sub(1) == 0 {
                    // Euler: one trail uses every edge.
                    total
                } else {
                    EndSearch::new(self, odd, best).run(edges, total, work)
                };
            }
        }
        best
    }

    #[inline]
    fn opposite(&self, edge: usize, city: usize) -> usize {
        let [a, b] = self.ends[edge & (MAX_EDGES - 1)];
        (usize::from(a) ^ usize::from(b) ^ city) & CITY_MASK
    }

    /// The cities that `edges` join to `start`. Stops early if `goal` is reached.
    fn reach(&self, start: usize, goal: u64, edges: u64) -> u64 {
        let mut reached = 1u64 << start;
        let mut frontier = reached;
        let mut left = edges;
        while frontier != 0 {
            let city = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let mut edges = self.at[city] & left;
            left ^= edges;
            while edges != 0 {
                let opposite = 1 << self.opposite(edges.trailing_zeros() as usize, city);
                edges &= edges - 1;
                frontier |= opposite & !reached;
                reached |= opposite;
            }
            if reached & goal != 0 {
                break;
            }
        }
        reached
    }

    fn edges_of(&self, mut cities: u64) -> u64 {
        let mut edges = 0;
        while cities != 0 {
            edges |= self.at[cities.trailing_zeros() as usize];
            cities &= cities - 1;
        }
        edges
    }

    fn total(&self, mut edges: u64) -> u32 {
        let mut total = 0;
        while edges != 0 {
            total += self.length[edges.trailing_zeros() as usize];
            edges &= edges - 1;
        }
        total
    }
}

/// Branch and bound over ends and pairing paths of one component.
struct EndSearch<'a> {
    kernel: &'a Kernel,
    /// Twice the price of each city. No edge is shorter than the prices of its two ends together, so no
    /// path is either, and disjoint paths that pair off some cities are together no shorter than the
    /// prices of these cities.
    price: [u32; CITIES],
    /// The maximum that 0, 1 or 2 ends can save of twice the prices.
    saved: [u32; 3],
    /// The odd cities of the component.
    odd: u64,
    best: u32,
    visits_left: u64,
}

/// The decisions made by the search so far.
#[derive(Clone, Copy)]
struct Choice {
    /// Edges not left out. They are connected.
    edges: u64,
    /// Those of them that must be kept.
    kept: u64,
    /// Cities that must still lose an edge or become an end.
    odd: u64,
    ends_left: usize,
    /// Total length of `edges`.
    length: u32,
    /// Twice the prices of `odd`.
    price: u32,
}

impl<'a> EndSearch<'a> {
    fn new(kernel: &'a Kernel, odd: u64, best: u32) -> Self {
        let mut search =
            Self { kernel, price: [0; CITIES], saved: [0; 3], odd, best, visits_left: MAX_VISITS };
        search.set_prices();
        search
    }

    /// Splits the length of every edge between its ends, in halves where both are odd; then raises each
    /// price as far as the others allow. Even cities have a price of zero.
    fn set_prices(&mut self) {
        let kernel = self.kernel;
        for raise in [false, true] {
            let mut cities = self.odd;
            while cities != 0 {
                let city = cities.trailing_zeros() as usize;
                cities &= cities - 1;
                let mut edges = kernel.at[city] & !kernel.loops;
                let mut price = u32::MAX;
                while edges != 0 {
                    let edge = edges.trailing_zeros() as usize;
                    edges &= edges - 1;
                    let opposite = kernel.opposite(edge, city);
                    let twice = 2 * kernel.length[edge];
                    price = price.min(if raise {
                        twice - self.price[opposite]
                    } else if self.odd & 1 << opposite != 0 {
                        twice / 2
                    } else {
                        twice
                    });
                }
                self.price[city] = price;
                if raise {
                    if price > self.saved[1] {
                        (self.saved[2], self.saved[1]) = (self.saved[1], price);
                    } else if price > self.saved[2] {
                        self.saved[2] = price;
                    }
                }
            }
        }
        self.saved[2] += self.saved[1];
    }

    fn run(mut self, edges: u64, length: u32, work: &mut u64) -> u32 {
        let start =
            Choice { edges, kept: 0, odd: self.odd, ends_left: 2, length, price: self.price_of(self.odd) };
        self.visit(start);
        *work += WORK * (MAX_VISITS - self.visits_left);
        if self.visits_left == 0 {
            self.finish(start, work);
        }
        self.best
    }

    /// Finds the longest trail after the search has given up.
    #[cold]
    fn finish(&mut self, start: Choice, work: &mut u64) {
        let edges: Vec<_> = members(start.edges)
            .map(|edge| {
                let [a, b] = self.kernel.ends[edge];
                (a.into(), b.into(), self.kernel.length[edge])
            })
            .collect();
        if let Some(plan) = Sweep::new(&edges, work) {
            self.best = start.length - plan.least_left_out(start.length - self.best, work);
        } else {
            // No network was found that is too wide for it; even then the answer would be exact.
            self.visits_left = u64::MAX;
            self.visit(start);
            *work += WORK * (u64::MAX - self.visits_left);
        }
    }

    fn price_of(&self, mut cities: u64) -> u32 {
        let mut price = 0;
        while cities != 0 {
            price += self.price[cities.trailing_zeros() as usize];
            cities &= cities - 1;
        }
        price
    }

    /// Returns `true` if no trail within these edges can be longer than the best.
    #[inline]
    fn is_hopeless(&self, now: &Choice) -> bool {
        2 * now.length + self.saved[now.ends_left] <= 2 * self.best + now.price
    }

    /// The odd city with the fewest options, which keeps the search narrow.
    #[inline]
    fn fewest_options(&self, now: &Choice) -> usize {
        let may_end = if now.ends_left > 0 { self.odd } else { 0 };
        let open = now.edges & !now.kept & !self.kernel.loops;
        let (mut city, mut fewest) = (0, u32::MAX);
        let mut cities = now.odd;
        while cities != 0 {
            let at = cities.trailing_zeros() as usize;
            cities &= cities - 1;
            let edges = self.kernel.at[at];
            let mut options = u32::from(may_end & 1 << at != 0 && edges & !now.edges == 0);
            let mut free = edges & open;
            while free != 0 && options < fewest {
                free &= free - 1;
                options += 1;
            }
            if options < fewest {
                (city, fewest) = (at, options);
                if options <= 1 {
                    break;
                }
            }
        }
        city
    }

    fn visit(&mut self, now: Choice) {
        let kernel = self.kernel;
        if self.visits_left == 0 || self.is_hopeless(&now) {
            return;
        }
        self.visits_left -= 1;
        if now.odd == 0 {
            // All remaining edges form one trail.
            self.best = self.best.max(now.length);
            return;
        }
        let city = self.fewest_options(&now);
        let mut rest = Choice { odd: now.odd ^ 1 << city, price: now.price - self.price[city], ..now };
        let edges = kernel.at[city];
        if now.ends_left > 0 && self.odd & 1 << city != 0 && edges & !now.edges == 0 {
            self.visit(Choice { kept: now.kept | edges, ends_left: now.ends_left - 1, ..rest });
        }
        let mut free = edges & now.edges & !now.kept & !kernel.loops;
        while free != 0 {
            let edge = free.trailing_zeros() as usize;
            free &= free - 1;
            self.leave_out(rest, edge, city);
            rest.kept |= 1 << edge;
        }
    }

    /// Continues without this edge of `city`, which makes the city even.
    fn leave_out(&mut self, mut now: Choice, edge: usize, city: usize) {
        let kernel = self.kernel;
        let opposite = kernel.opposite(edge, city);
        now.edges ^= 1 << edge;
        now.length -= kernel.length[edge];
        now.odd ^= 1 << opposite;
        if now.odd & 1 << opposite != 0 {
            now.price += self.price[opposite];
        } else {
            now.price -= self.price[opposite];
        }
        if now.edges & kernel.at[city] == 0 || now.edges & kernel.at[opposite] == 0 {
            // Cuts off at most one city.
            self.visit(now);
            return;
        }
        if self.is_hopeless(&now) {
            return;
        }
        let reached = kernel.reach(opposite, 1 << city, now.edges);
        if reached & 1 << city != 0 {
            self.visit(now);
            return;
        }
        // The trail is on one of the two sides: the one with all edges that must be kept.
        let side = kernel.edges_of(reached) & now.edges;
        let length = kernel.total(side);
        let odd = now.odd & reached;
        let price = self.price_of(odd);
        if now.kept & !side == 0 {
            self.visit(Choice { edges: side, odd, length, price, ..now });
        }
        if now.kept & side == 0 {
            self.visit(Choice {
                edges: now.edges ^ side,
                odd: now.odd ^ odd,
                length: now.length - length,
                price: now.price - price,
                ..now
            });
        }
    }
}
