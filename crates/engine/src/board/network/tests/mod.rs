//! Simple reference implementations of the fast algorithms, and random networks to compare them on.

mod frontier;
mod stations;
mod trail;
mod worst;

use super::{Components, Edge, StationOptions, TicketEnds};
use crate::codec::mix;
use crate::pieces::{CityId, CitySet};

fn edge(a: usize, b: usize, length: u8) -> Edge {
    Edge { a: CityId::new(a), b: CityId::new(b), length }
}

impl Edge {
    fn ends(&self) -> CitySet {
        [self.a, self.b].into_iter().collect()
    }

    /// The end other than this city.
    fn opposite(&self, city: CityId) -> CityId {
        if self.a == city { self.b } else { self.a }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let roll = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (roll % n as u64) as usize
    }

    /// Moves `count` random members to the front and truncates the rest.
    fn pick<T>(&mut self, from: &mut Vec<T>, count: usize) {
        for i in 0..count.min(from.len()) {
            let j = i + self.below(from.len() - i);
            from.swap(i, j);
        }
        from.truncate(count);
    }

    /// Routes between any of a few cities, at least `fewest`, including parallel ones.
    fn any_network(&mut self, routes: usize, fewest: usize) -> Vec<Edge> {
        let cities = fewest + self.below(routes);
        let base = self.below(65 - cities);
        let longest = 1 + self.below(8);
        (0..routes)
            .map(|_| {
                let a = self.below(cities);
                let b = (a + 1 + self.below(cities - 1)) % cities;
                edge(base + a, base + b, (1 + self.below(longest)) as u8)
            })
            .collect()
    }

    /// All routes of a planar board: a grid of cities with one diagonal in some of the squares.
    fn board(&mut self, width: usize, height: usize) -> Vec<Edge> {
        let mut board = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let at = |x: usize, y: usize| x + y * width;
                let mut add = |a, b, rng: &mut Self| {
                    let length = [1, 2, 2, 2, 3, 3, 4, 6][rng.below(8)];
                    board.push(edge(a, b, length));
                };
                if x + 1 < width {
                    add(at(x, y), at(x + 1, y), self);
                }
                if y + 1 < height {
                    add(at(x, y), at(x, y + 1), self);
                }
                if x + 1 < width && y + 1 < height {
                    match self.below(3) {
                        0 => add(at(x, y), at(x + 1, y + 1), self),
                        1 => add(at(x + 1, y), at(x, y + 1), self),
                        _ => {}
                    }
                }
            }
        }
        board
    }

    /// Some routes of a board, either anywhere or around one city.
    fn board_network(&mut self, routes: usize) -> Vec<Edge> {
        let (width, height) = (2 + self.below(5), 2 + self.below(4));
        let mut board = self.board(width, height);
        if self.below(2) == 0 {
            let (x, y) = (self.below(width) as i32, self.below(height) as i32);
            board.sort_by_key(|e| {
                let a = e.a.index() as i32;
                let (ex, ey) = (a % width as i32, a / width as i32);
                (ex - x).abs() + (ey - y).abs()
            });
            board.truncate(routes + self.below(4));
        }
        self.pick(&mut board, routes);
        board
    }
}

/// CC-33, by walking every trail from every city.
fn longest_trail_by_walking(edges: &[Edge]) -> u16 {
    fn walk(edges: &[Edge], used: u32, at: CityId) -> u16 {
        let mut best = 0;
        for (i, e) in edges.iter().enumerate() {
            if used & 1 << i == 0 && e.ends().contains(at) {
                best = best.max(u16::from(e.length) + walk(edges, used | 1 << i, e.opposite(at)));
            }
        }
        best
    }
    CitySet::first(64).into_iter().map(|city| walk(edges, 0, city)).max().unwrap_or(0)
}

/// CC-33, by checking every set of routes for connected ones with at most two odd cities.
fn longest_trail_by_subsets(edges: &[Edge]) -> u16 {
    let mut best = 0;
    let mut odd = 0u64;
    let mut total = 0;
    let mut set = 0u32;
    // In Gray code order, each step adds or removes one route.
    for step in 1..1u32 << edges.len() {
        let i = step.trailing_zeros() as usize;
        let e = edges[i];
        set ^= 1 << i;
        odd ^= 1 << e.a.index() ^ 1 << e.b.index();
        total = if set & 1 << i != 0 { total + u16::from(e.length) } else { total - u16::from(e.length) };
        if odd.count_ones() <= 2 && total > best && is_connected(edges, set) {
            best = total;
        }
    }
    best
}

fn is_connected(edges: &[Edge], set: u32) -> bool {
    let mut cities = CitySet::EMPTY;
    let mut rest = set;
    loop {
        let before = rest;
        for (i, e) in edges.iter().enumerate() {
            if rest & 1 << i != 0 && (cities.is_empty() || cities.intersects(e.ends())) {
                cities |= e.ends();
                rest ^= 1 << i;
            }
        }
        if rest == 0 || rest == before {
            return rest == 0;
        }
    }
}

/// Returns `true` if routes join two cities, by flood fill from one.
fn joined_by_flood(edges: &[Edge], a: CityId, b: CityId) -> bool {
    let mut reached = CitySet::only(a);
    for _ in edges {
        for e in edges {
            if reached.intersects(e.ends()) {
                reached |= e.ends();
            }
        }
    }
    reached.contains(b)
}

/// EU-9, by trying every assignment.
fn best_stations_by_trying(edges: &[Edge], stations: &[StationOptions], tickets: &[TicketEnds]) -> (i16, u8) {
    let Some((station, others)) = stations.split_first() else {
        return tally_by_flood(edges, tickets);
    };
    let mut best = best_stations_by_trying(edges, others, tickets);
    for opposite in station.opposite {
        let mut borrowed = edges.to_vec();
        borrowed.push(Edge { a: station.city, b: opposite, length: 1 });
        best = best.max(best_stations_by_trying(&borrowed, others, tickets));
    }
    best
}

/// Points and number of completed tickets.
fn tally_by_flood(edges: &[Edge], tickets: &[TicketEnds]) -> (i16, u8) {
    let (mut points, mut completed) = (0, 0);
    for t in tickets {
        if joined_by_flood(edges, t.a, t.b) {
            points += i16::from(t.points);
            completed += 1;
        } else {
            points -= i16::from(t.points);
        }
    }
    (points, completed)
}

#[test]
fn components_agree_with_flood() {
    let mut random = Random(1);
    for round in 0..2000 {
        let edges = random.board_network(round % 20);
        let components = Components::new(&edges);
        for a in CitySet::first(30) {
            for b in CitySet::first(30) {
                assert_eq!(components.joined(a, b), joined_by_flood(&edges, a, b), "{edges:?} {a:?} {b:?}");
            }
            assert!(components.joined(a, components.label(a)));
        }
    }
}
