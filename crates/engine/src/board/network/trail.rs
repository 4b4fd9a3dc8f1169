//! The longest path of a seat (CC-33): the longest trail in the graph of its routes.
//!
//! Most networks are forests, and stripping leaves finds the longest trail of a forest in one pass. What
//! remains after stripping is the core, where every city has two routes or more. A core that is one loop
//! is walked once; any other is contracted and searched (see [`super::kernel`]).

use super::kernel::Kernel;
use super::{CITIES, CITY_MASK, Edge, city};

/// The remaining routes of a city while leaves are stripped: their number (bits 0..8), the XOR of the
/// opposite cities (8..16) and the XOR of the lengths (16..32). With one route left, the XORs are that
/// route; with two, they lead from either route to the other. No adjacency list is needed.
#[derive(Clone, Copy)]
struct Links(u32);

impl Links {
    /// The link to `opposite` of this length, to be toggled in and out.
    #[inline]
    fn link(opposite: usize, length: u32) -> u32 {
        length << 16 | (opposite as u32) << 8
    }

    #[inline]
    fn degree(self) -> u32 {
        self.0 & 0xff
    }

    #[inline]
    fn opposite(self) -> usize {
        (self.0 >> 8) as usize & CITY_MASK
    }

    #[inline]
    fn length(self) -> u32 {
        self.0 >> 16
    }
}

/// The routes of a seat while leaves are stripped. At the end, a city in the core has two links or more,
/// any other at most one.
struct Stripped {
    links: [Links; CITIES],
    /// Longest stripped path that ends at the city.
    depth: [u16; CITIES],
}

/// CC-33: the maximum total length over all trails, that is, walks that use no route twice; cities may
/// repeat.
///
/// Accepts at most 64 routes. Parallel routes count as different ones.
///
/// ```
/// use ttr_engine::board::network::{Edge, longest_trail};
/// use ttr_engine::CityId;
/// let edge = |a, b, length| Edge { a: CityId::new(a), b: CityId::new(b), length };
/// // A triangle with a tail: all of it, and the second route of the fork is left out.
/// assert_eq!(longest_trail(&[edge(0, 1, 2), edge(1, 2, 3), edge(2, 0, 4), edge(0, 3, 5)]), 14);
/// assert_eq!(longest_trail(&[edge(0, 1, 2), edge(0, 2, 3), edge(0, 3, 4)]), 7);
/// ```
pub fn longest_trail(edges: &[Edge]) -> u16 {
    longest_trail_counted(edges, &mut 0)
}

/// Like [`longest_trail`], but also adds the cost of the search to `work`. A unit of work is about a
/// nanosecond, but it is counted, not measured: it depends on the network only. Stripping leaves is not
/// counted.
#[inline]
pub(super) fn longest_trail_counted(edges: &[Edge], work: &mut u64) -> u16 {
    let mut s = Stripped { links: [Links(0); CITIES], depth: [0; CITIES] };
    // Cities with a route, and with more than one.
    let (mut some, mut more) = (0u64, 0u64);
    for edge in edges {
        let (a, b, length) = (city(edge.a), city(edge.b), u32::from(edge.length));
        s.links[a].0 = (s.links[a].0 ^ Links::link(b, length)) + 1;
        s.links[b].0 = (s.links[b].0 ^ Links::link(a, length)) + 1;
        let ends = 1 << a | 1 << b;
        more |= some & ends;
        some |= ends;
    }
    let mut leaves = some & !more;
    let mut left = edges.len();
    let mut best = 0;
    // All current leaves are stripped in one go, without a branch on what they uncover, so that they
    // need not wait for each other.
    while leaves != 0 {
        let mut now = leaves;
        leaves = 0;
        while now != 0 {
            let leaf = now.trailing_zeros() as usize;
            let (next, length) = (s.links[leaf].opposite(), s.links[leaf].length());
            now &= now - 1;
            now &= !(1 << next);
            let through = s.depth[leaf] + length as u16;
            best = best.max(s.depth[next] + through);
            s.depth[next] = s.depth[next].max(through);
            let rest = Links((s.links[next].0 ^ Links::link(leaf, length)) - 1);
            s.links[next] = rest;
            leaves = leaves & !(1 << next) | u64::from(rest.degree() == 1) << next;
            left -= 1;
        }
    }
    if left == 0 { best } else { longest_through_core(edges, &s, best, work) }
}

/// The two longest stripped paths that end at a city of the core, each by a different route.
#[derive(Clone, Copy, Default)]
struct Pendants {
    first: (u16, u8),
    second: (u16, u8),
}

/// The longest trail, given the `best` of those outside the core.
#[inline(never)]
fn longest_through_core(edges: &[Edge], s: &Stripped, mut best: u16, work: &mut u64) -> u16 {
    let mut pendants = [Pendants::default(); CITIES];
    let mut branching = false;
    for edge in edges {
        let (a, b) = (city(edge.a), city(edge.b));
        let (of_a, of_b) = (s.links[a].degree(), s.links[b].degree());
        branching |= of_a > 2 || of_b > 2;
        let (root, leaf) = match (of_a, of_b) {
            (..2, 2..) => (b, a),
            (2.., ..2) => (a, b),
            _ => continue,
        };
        let pendant = (s.depth[leaf] + u16::from(edge.length), leaf as u8);
        let p = &mut pendants[root];
        if pendant.0 > p.first.0 {
            *p = Pendants { first: pendant, second: p.first };
        } else if pendant.0 > p.second.0 {
            p.second = pendant;
        }
    }
    let mut seen = 0u64;
    if branching {
        let kernel;
        (kernel, seen) = contract(edges, s, &pendants);
        best = kernel.longest_trail(best.into(), work) as u16;
    }
    // Only loops of cities with two links are left unseen by the contraction.
    for edge in edges {
        let start = city(edge.a);
        if s.links[start].degree() == 2 && s.links[city(edge.b)].degree() == 2 && seen & 1 << start == 0 {
            best = best.max(longest_around_loop(edge, s, &pendants, &mut seen));
        }
    }
    best
}

/// The longest trail in a loop with pendant paths: the whole loop with the two pendants of one city, or
/// the longer way between two cities with one pendant of each.
fn longest_around_loop(edge: &Edge, s: &Stripped, pendants: &[Pendants; CITIES], seen: &mut u64) -> u16 {
    let start = city(edge.a);
    let (mut at, mut link) = (start, Links::link(city(edge.b), edge.length.into()));
    let mut place = 0i32;
    // Over the cities so far: the best pendant minus and plus the distance from the start.
    let (mut less, mut plus) = (i32::MIN / 2, i32::MIN / 2);
    // Best trail from one city to a later one, and best trail the other way round, the latter without
    // the length of the loop.
    let (mut within, mut around) = (0, 0);
    loop {
        *seen |= 1 << at;
        let pendant = i32::from(pendants[at].first.0);
        within = within.max(less + pendant + place);
        around = around.max(plus + pendant - place).max(pendant + i32::from(pendants[at].second.0));
        less = less.max(pendant - place);
        plus = plus.max(pendant + place);

        let (next, length) = (Links(link).opposite(), Links(link).length());
        place += length as i32;
        if next == start {
            return within.max(around + place) as u16;
        }
        link = s.links[next].0 & !0xff ^ Links::link(at, length);
        at = next;
    }
}

/// The components of the core in which some city has three links or more, with every chain of two-link
/// cities and every pendant path contracted to one edge; and the cities seen.
fn contract(edges: &[Edge], s: &Stripped, pendants: &[Pendants; CITIES]) -> (Kernel, u64) {
    let mut kernel = Kernel::new();
    let mut seen = 0u64;
    for edge in edges {
        let (a, b) = (city(edge.a), city(edge.b));
        match (s.links[a].degree(), s.links[b].degree()) {
            (3.., 3..) => kernel.add(a, b, edge.length.into()),
            (3.., 2) if seen & 1 << b == 0 => {
                add_chain(&mut kernel, (a, b, edge.length), s, pendants, &mut seen)
            }
            (2, 3..) if seen & 1 << a == 0 => {
                add_chain(&mut kernel, (b, a, edge.length), s, pendants, &mut seen)
            }
            _ => {}
        }
    }
    let mut rooted = kernel.cities();
    while rooted != 0 {
        let root = rooted.trailing_zeros() as usize;
        rooted &= rooted - 1;
        // A trail has two ends, so a third pendant is of no use.
        for (length, leaf) in [pendants[root].first, pendants[root].second] {
            if length > 0 {
                kernel.add(root, leaf.into(), length.into());
            }
        }
    }
    (kernel, seen)
}

/// Adds the chain that leaves `from` towards `to`, up to the next city with three links or more.
fn add_chain(
    kernel: &mut Kernel,
    (mut from, to, length): (usize, usize, u8),
    s: &Stripped,
    pendants: &[Pendants; CITIES],
    seen: &mut u64,
) {
    let mut length = u32::from(length);
    let (mut before, mut at, mut step) = (from, to, length);
    while s.links[at].degree() == 2 {
        *seen |= 1 << at;
        if pendants[at].first.0 > 0 {
            kernel.add(from, at, length);
            (from, length) = (at, 0);
        }
        let onward = Links(s.links[at].0 ^ Links::link(before, step));
        (before, at, step) = (at, onward.opposite(), onward.length());
        length += step;
    }
    kernel.add(from, at, length);
}
