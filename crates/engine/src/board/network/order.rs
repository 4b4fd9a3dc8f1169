//! An order of cities with a narrow frontier.
//!
//! The frontier of the first cities of an order consists of those that have an edge to a later city.
//! [`super::frontier`] takes time exponential in the largest frontier. A graph of m edges has an order
//! with a frontier of about m / 5.8 cities (Kneis, Mölle, Richter, Rossmanith 2009), which is 10 for the
//! 60 edges that a seat can own at most. The best order is hard to find; this module looks for a good
//! one.

use super::{CITIES, members};

/// Attempts: prefixes kept per first city, and the width at which that is enough. The wider the order,
/// the more there is to gain from a narrower one.
const ATTEMPTS: [(u8, u32); 3] = [(1, 11), (4, 13), (16, u32::MAX)];

/// Units of work per extended prefix (see [`super::trail::longest_trail_counted`]).
const WORK: u64 = 60;

/// The first cities of an order.
#[derive(Clone, Copy)]
struct Prefix {
    cities: [u8; CITIES],
    placed: u64,
    frontier: u64,
    /// Sum of `4^n` over the cities, with n the size of the frontier while the city is added.
    cost: u64,
    /// The largest n.
    width: u32,
}

/// A prefix with one more city.
struct Extension {
    /// The cost, including the remaining frontier.
    rating: u64,
    placed: u64,
    frontier: u64,
    prefix: usize,
    city: u8,
}

/// An order of connected cities, and its width: the largest frontier, plus one for the city that is
/// being added.
pub(super) fn narrow_order(cities: u64, neighbours: &[u64; CITIES], work: &mut u64) -> (Vec<u8>, usize) {
    let mut best: Option<Prefix> = None;
    for (quota, narrow) in ATTEMPTS {
        let found = beam_search(cities, neighbours, quota, work);
        best = best.into_iter().chain(found).min_by_key(|order| order.cost);
        if best.is_some_and(|order| order.width <= narrow) {
            break;
        }
    }
    best.map_or((Vec::new(), 0), |order| {
        (order.cities[..cities.count_ones() as usize].to_vec(), order.width as usize)
    })
}

/// The cheapest order found by extending prefixes, with `quota` of them kept per first city.
fn beam_search(cities: u64, neighbours: &[u64; CITIES], quota: u8, work: &mut u64) -> Option<Prefix> {
    let mut beam: Vec<Prefix> = members(cities)
        .map(|city| {
            let mut order = [0; CITIES];
            order[0] = city as u8;
            Prefix { cities: order, placed: 1 << city, frontier: 1 << city, cost: 4, width: 1 }
        })
        .collect();
    let mut extensions = Vec::new();
    for length in 1..cities.count_ones() as usize {
        extensions.clear();
        for (prefix, p) in beam.iter().enumerate() {
            let near = members(p.frontier).fold(0, |near, city| near | neighbours[city]) & !p.placed;
            for city in members(near) {
                let placed = p.placed | 1 << city;
                let mut frontier = p.frontier | 1 << city;
                for member in members(frontier & (neighbours[city] | 1 << city)) {
                    if neighbours[member] & !placed == 0 {
                        frontier ^= 1 << member;
                    }
                }
                let rating = p.cost + cost_of(p.frontier.count_ones() + 1) + cost_of(frontier.count_ones());
                extensions.push(Extension { rating, placed, frontier, prefix, city: city as u8 });
            }
        }
        *work += WORK * extensions.len() as u64;
        extensions.sort_unstable_by_key(|e| (e.rating, e.placed, e.prefix));
        // One quota per first city: otherwise all prefixes would soon be variants of one of them.
        let mut kept = [0; CITIES];
        let mut next: Vec<Prefix> = Vec::with_capacity(beam.len());
        for e in &extensions {
            let mut p = beam[e.prefix];
            let kept = &mut kept[usize::from(p.cities[0])];
            if *kept == quota || next.iter().any(|other| other.placed == e.placed) {
                continue;
            }
            *kept += 1;
            let frontier = p.frontier.count_ones() + 1;
            p.cities[length] = e.city;
            p.cost += cost_of(frontier);
            p.width = p.width.max(frontier);
            (p.placed, p.frontier) = (e.placed, e.frontier);
            next.push(p);
        }
        beam = next;
    }
    beam.into_iter().min_by_key(|order| order.cost)
}

/// `4^frontier`, capped so that a sum of 64 of them cannot overflow.
fn cost_of(frontier: u32) -> u64 {
    1 << (2 * frontier).min(56)
}
