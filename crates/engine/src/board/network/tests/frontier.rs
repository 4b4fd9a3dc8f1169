//! Tests of the frontier search alone: [`longest_trail`] uses it only for networks too large for an
//! oracle.

use super::super::frontier::Sweep;
use super::super::{Edge, longest_trail};
use super::{Random, is_connected, longest_trail_by_subsets};

/// The length that must be left out for the rest to be one trail, or `limit` if that is less.
fn least_left_out(edges: &[Edge], limit: u32) -> u32 {
    let list: Vec<_> = edges.iter().map(|e| (e.a.index(), e.b.index(), e.length.into())).collect();
    let plan = Sweep::new(&list, &mut 0).expect("a narrow network");
    plan.least_left_out(limit, &mut 0)
}

fn total(edges: &[Edge]) -> u32 {
    edges.iter().map(|e| u32::from(e.length)).sum()
}

/// Connected edges between a few cities, including parallel ones; one in `loops` may join a city to
/// itself.
fn any_connected(random: &mut Random, edges: usize, loops: usize) -> Vec<Edge> {
    loop {
        let mut network = random.any_network(edges, 2);
        for edge in &mut network {
            if random.below(loops) == 0 {
                edge.b = edge.a;
            }
        }
        if is_connected(&network, (1 << edges) - 1) {
            return network;
        }
    }
}

#[test]
fn agrees_with_subsets() {
    let mut random = Random(19);
    for round in 0..8_000 {
        let network = any_connected(&mut random, 1 + round % 14, 12);
        let expected = total(&network) - u32::from(longest_trail_by_subsets(&network));
        assert_eq!(least_left_out(&network, total(&network)), expected, "{network:?}");
    }
}

#[test]
fn finds_nothing_within_the_limit() {
    let mut random = Random(23);
    for round in 0..500 {
        let network = any_connected(&mut random, 6 + round % 6, 100);
        let least = least_left_out(&network, total(&network));
        for limit in 0..total(&network) {
            assert_eq!(least_left_out(&network, limit), least.min(limit), "{network:?} {limit}");
        }
    }
}

#[test]
fn agrees_with_the_other_search() {
    let mut random = Random(29);
    for round in 0..2_000 {
        let routes = 16 + round % 12;
        let network = if round % 2 == 0 {
            any_connected(&mut random, routes, usize::MAX)
        } else {
            random.board_network(routes)
        };
        // Boards may be disconnected.
        if is_connected(&network, ((1u64 << network.len()) - 1) as u32) {
            let left_out = least_left_out(&network, total(&network));
            assert_eq!(u32::from(longest_trail(&network)), total(&network) - left_out, "{network:?}");
        }
    }
}
