use super::super::{Edge, longest_trail};
use super::{Random, edge, longest_trail_by_subsets, longest_trail_by_walking};
use crate::pieces::CityId;

fn edges(list: &[(usize, usize, u8)]) -> Vec<Edge> {
    list.iter().map(|&(a, b, length)| edge(a, b, length)).collect()
}

fn complete(n: usize) -> Vec<Edge> {
    (0..n).flat_map(|b| (0..b).map(move |a| edge(a, b, 1))).collect()
}

fn longest(list: &[(usize, usize, u8)]) -> u16 {
    longest_trail(&edges(list))
}

#[test]
fn known_shapes() {
    assert_eq!(longest(&[]), 0);
    assert_eq!(longest(&[(0, 63, 8)]), 8);
    // Path.
    assert_eq!(longest(&[(2, 3, 3), (0, 1, 1), (1, 2, 2), (3, 4, 4)]), 10);
    // Star: the two longest.
    assert_eq!(longest(&[(0, 1, 1), (0, 2, 2), (3, 0, 3), (0, 4, 4)]), 7);
    // Tree.
    assert_eq!(longest(&[(0, 1, 2), (1, 2, 2), (1, 3, 5), (3, 4, 1), (3, 5, 2), (0, 6, 4)]), 13);
    // Cycle.
    assert_eq!(longest(&[(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 0, 4)]), 10);
    // Figure eight.
    assert_eq!(longest(&[(0, 1, 1), (1, 2, 2), (2, 0, 3), (0, 3, 4), (3, 4, 1), (4, 0, 2)]), 13);
    // Theta: two odd cities.
    assert_eq!(longest(&[(0, 1, 6), (0, 2, 2), (2, 1, 2), (0, 3, 1), (3, 1, 2)]), 13);
    // Two components do not add up.
    assert_eq!(longest(&[(0, 1, 3), (1, 2, 3), (10, 11, 4), (11, 12, 4)]), 8);
    assert_eq!(longest(&[(0, 1, 3), (1, 2, 3), (2, 0, 1), (10, 11, 4), (11, 12, 4)]), 8);
}

#[test]
fn parallel_routes() {
    assert_eq!(longest(&[(0, 1, 2), (1, 0, 3)]), 5);
    assert_eq!(longest(&[(0, 1, 2), (1, 0, 3), (0, 1, 4)]), 9);
    assert_eq!(longest(&[(0, 1, 2), (0, 1, 3), (1, 2, 1), (2, 1, 1), (0, 5, 4), (2, 6, 4)]), 12);
}

#[test]
fn pendant_paths_of_a_loop() {
    let triangle = [(0, 1, 2), (1, 2, 3), (2, 0, 4)];
    let with = |more: &[(usize, usize, u8)]| longest(&[&triangle, more].concat());
    assert_eq!(with(&[(0, 3, 5)]), 14);
    // Both at one city: everything. At two cities: the longer way between them.
    assert_eq!(with(&[(0, 3, 5), (0, 4, 1), (0, 5, 2)]), 16);
    assert_eq!(with(&[(0, 3, 5), (2, 4, 5)]), 15);
    assert_eq!(with(&[(0, 3, 5), (1, 4, 5)]), 17);
}

#[test]
fn dense_shapes() {
    // K4 has 6 edges and 4 odd cities; K5 is a closed trail; K6 loses 2 of 15, K7 none, K8 3 of 28.
    assert_eq!(longest_trail(&complete(4)), 5);
    assert_eq!(longest_trail(&complete(5)), 10);
    assert_eq!(longest_trail(&complete(6)), 13);
    assert_eq!(longest_trail(&complete(7)), 21);
    assert_eq!(longest_trail(&complete(8)), 25);
    // Petersen: ten odd cities; a trail leaves out four edges and so has eleven.
    let petersen: Vec<_> = (0..5)
        .flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)])
        .map(|(a, b)| edge(a, b, 1))
        .collect();
    assert_eq!(longest_trail(&petersen), 11);
    assert_eq!(longest_trail(&petersen), longest_trail_by_subsets(&petersen));
}

#[test]
fn loops_behind_bridges() {
    // Three loops on bridges to one city: only two of them count, although leaving out one bridge would
    // already make the degrees even.
    let mut list = Vec::new();
    for i in 0..3 {
        let first = 1 + 3 * i;
        list.extend([(0, first, 1), (first, first + 1, 2), (first + 1, first + 2, 2), (first + 2, first, 2)]);
    }
    assert_eq!(longest(&list), 14);
}

#[test]
fn agrees_with_walking() {
    let mut random = Random(7);
    for round in 0..30_000 {
        let routes = 1 + round % 13;
        // Walking takes too long with many routes between few cities.
        let network = if round % 2 == 0 {
            random.any_network(routes, 2 + routes / 2)
        } else {
            random.board_network(routes)
        };
        assert_eq!(longest_trail(&network), longest_trail_by_walking(&network), "{network:?}");
    }
}

#[test]
fn agrees_with_subsets() {
    let mut random = Random(11);
    for round in 0..4_000 {
        let routes = 10 + round % 6;
        let network =
            if round % 2 == 0 { random.any_network(routes, 2) } else { random.board_network(routes) };
        assert_eq!(longest_trail(&network), longest_trail_by_subsets(&network), "{network:?}");
    }
    for _ in 0..40 {
        let network = random.board_network(20);
        assert_eq!(longest_trail(&network), longest_trail_by_subsets(&network), "{network:?}");
    }
}

#[test]
fn independent_of_order_and_names() {
    let mut random = Random(13);
    for _ in 0..2_000 {
        let mut network = random.board_network(24);
        let expected = longest_trail(&network);
        let shift = random.below(64);
        let moved = |city: CityId| CityId::new(city.index() ^ shift);
        for e in &mut network {
            *e = Edge { a: moved(e.b), b: moved(e.a), ..*e };
        }
        let count = network.len();
        random.pick(&mut network, count);
        assert_eq!(longest_trail(&network), expected, "{network:?}");
    }
}

#[test]
fn grows_with_every_route() {
    // I-17: monotone, at most the total, and equal to it if the routes are one trail.
    let mut random = Random(17);
    for _ in 0..500 {
        let network = random.board_network(25);
        let mut before = 0;
        for n in 1..=network.len() {
            let now = longest_trail(&network[..n]);
            let total: u16 = network[..n].iter().map(|e| u16::from(e.length)).sum();
            assert!(before <= now && now <= total);
            before = now;
        }
    }
}
