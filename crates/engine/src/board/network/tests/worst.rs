//! Networks on which the search for the longest trail takes longest.

use super::super::Edge;
use super::super::trail::longest_trail_counted;
use super::Random;
use crate::pieces::CityId;

/// Maximum number of trains that a map may give a seat.
const TRAINS: u32 = 60;

/// Maximum work on any network: 20 ms at one nanosecond per unit.
pub(super) const MOST_WORK: u64 = 20_000_000;

/// One network per line, as `name: city-city city-city*length`.
const WORST: &str = include_str!("worst.txt");

fn work_on(network: &[Edge]) -> u64 {
    let mut work = 0;
    longest_trail_counted(network, &mut work);
    work
}

fn edge(a: usize, b: usize) -> Edge {
    super::edge(a, b, 1)
}

fn parse(routes: &str) -> Vec<Edge> {
    routes
        .split_whitespace()
        .map(|route| {
            let (ends, length) = route.split_once('*').unwrap_or((route, "1"));
            let (a, b) = ends.split_once('-').expect("two cities");
            let number = |text: &str| text.parse::<usize>().expect("a number");
            super::edge(number(a), number(b), number(length) as u8)
        })
        .collect()
}

/// The networks of `worst.txt`.
fn known() -> Vec<(String, Vec<Edge>)> {
    let named = |line: &str| {
        let (name, routes) = line.split_once(':').expect("a name");
        (name.to_owned(), parse(routes))
    };
    WORST.lines().map(named).collect()
}

fn write(network: &[Edge]) -> String {
    let route = |e: &Edge| match e.length {
        1 => format!(" {}-{}", e.a.index(), e.b.index()),
        length => format!(" {}-{}*{length}", e.a.index(), e.b.index()),
    };
    network.iter().map(route).collect()
}

/// Returns `true` if a seat can own these routes on some map: see `spec::check`.
fn is_legal(network: &[Edge]) -> bool {
    let mut tracks = [[0; 64]; 64];
    network.iter().map(|e| u32::from(e.length)).sum::<u32>() <= TRAINS
        && network.iter().all(|e| {
            let tracks = &mut tracks[e.a.min(e.b).index()][e.a.max(e.b).index()];
            *tracks += 1;
            e.a != e.b && (1..=9).contains(&e.length) && *tracks <= 2
        })
}

fn complete(cities: usize) -> Vec<Edge> {
    (0..cities).flat_map(|b| (0..b).map(move |a| edge(a, b))).collect()
}

/// Copies of a network, each joined to one more city by routes from its first cities.
fn on_a_hub(copies: usize, network: &[Edge], joined: usize) -> Vec<Edge> {
    let cities = network.iter().map(|e| e.a.max(e.b).index() + 1).max().unwrap_or(1);
    (0..copies)
        .flat_map(|copy| {
            let first = 1 + copy * cities;
            let routes =
                network.iter().map(move |e| super::edge(e.a.index() + first, e.b.index() + first, e.length));
            routes.chain((0..joined).map(move |city| edge(first + city, 0)))
        })
        .collect()
}

fn grid(width: usize, height: usize) -> Vec<Edge> {
    let cities = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    cities
        .flat_map(|(x, y)| {
            let city = x + y * width;
            let right = (x + 1 < width).then(|| edge(city, city + 1));
            let down = (y + 1 < height).then(|| edge(city, city + width));
            right.into_iter().chain(down)
        })
        .collect()
}

/// A generalized Petersen graph: every city has three routes.
fn petersen(n: usize, step: usize) -> Vec<Edge> {
    (0..n).flat_map(|i| [edge(i, (i + 1) % n), edge(i, n + i), edge(n + i, n + (i + step) % n)]).collect()
}

/// Random routes, `degree` at every city.
fn regular(random: &mut Random, cities: usize, degree: usize) -> Vec<Edge> {
    let mut ends: Vec<_> = (0..cities * degree).map(|i| i % cities).collect();
    loop {
        let count = ends.len();
        random.pick(&mut ends, count);
        let mut network: Vec<_> = ends.chunks(2).map(|pair| edge(pair[0], pair[1])).collect();
        for _ in 0..1_000 {
            if is_legal(&network) {
                return network;
            }
            let (i, j) = (random.below(network.len()), random.below(network.len()));
            (network[i].b, network[j].b) = (network[j].b, network[i].b);
        }
    }
}

/// Random routes between any of these cities.
fn any(random: &mut Random, cities: usize) -> Vec<Edge> {
    let mut network = Vec::new();
    while network.len() < TRAINS as usize {
        network.push(edge(random.below(cities), random.below(cities)));
        if !is_legal(&network) {
            network.pop();
        }
    }
    network
}

fn families(random: &mut Random) -> Vec<(String, Vec<Edge>)> {
    let doubled = |network: &[Edge]| [network, network].concat();
    // K3,3 less the route between its first two cities, which lead to the hub instead.
    let k33: Vec<_> = (1..9).map(|i| edge(i / 3 * 2, i % 3 * 2 + 1)).collect();
    let mut families = vec![
        ("six K3,3 on a hub".to_owned(), on_a_hub(6, &k33, 2)),
        ("eight K4 on a hub".to_owned(), on_a_hub(8, &complete(4), 1)),
        ("three K6 on a hub".to_owned(), on_a_hub(3, &complete(6), 1)),
        ("two K8 on a hub".to_owned(), on_a_hub(2, &complete(8), 1)),
        ("K4 in pairs, doubled".to_owned(), doubled(&on_a_hub(4, &complete(4), 1))),
        ("grid of 6 x 6".to_owned(), grid(6, 6)),
        ("grid of 4 x 8".to_owned(), grid(4, 8)),
        ("grid of 4 x 5, doubled less one".to_owned(), doubled(&grid(4, 5))[1..61].to_vec()),
        ("prism of 20".to_owned(), petersen(20, 1)),
    ];
    families.extend((6..=10).step_by(2).map(|n| (format!("K{n}"), complete(n))));
    families.extend((2..9).map(|step| (format!("Petersen graph (20, {step})"), petersen(20, step))));
    for (cities, degree) in [(40, 3), (24, 5), (16, 7)] {
        families.extend(
            (0..3).map(|i| (format!("random, degree {degree}, no. {i}"), regular(random, cities, degree))),
        );
    }
    families
        .extend([14, 18, 24, 32, 40].map(|cities| (format!("random, {cities} cities"), any(random, cities))));
    for (name, network) in &families {
        assert!(is_legal(network), "{name}");
    }
    families
}

/// A legal network with one to three routes changed.
fn vary(random: &mut Random, network: &[Edge]) -> Vec<Edge> {
    loop {
        let mut varied = network.to_vec();
        for _ in 0..1 + random.below(3) {
            let (i, j) = (random.below(varied.len()), random.below(varied.len()));
            let other = varied[j];
            let (route, new) = (&mut varied[i], CityId::new(random.below(64)));
            match random.below(12) {
                0..4 => route.a = if random.below(2) == 0 { other.a } else { other.b },
                4..8 => (varied[i].b, varied[j].b) = (varied[j].b, varied[i].b),
                8 => route.b = new,
                9 => route.length = 1 + random.below(3) as u8,
                10 if varied.len() > 3 => drop(varied.swap_remove(i)),
                _ => {
                    let b = if random.below(4) == 0 { new } else { other.b };
                    let a = varied[i].a;
                    varied.push(Edge { a, b, length: 1 });
                }
            }
        }
        if is_legal(&varied) {
            return varied;
        }
    }
}

#[test]
fn the_worst_known_take_bounded_work() {
    for (name, network) in known() {
        assert!(is_legal(&network), "{name}");
        let work = work_on(&network);
        assert!(work < MOST_WORK, "{name}: {work}");
    }
}

#[test]
fn families_take_bounded_work() {
    for (name, network) in families(&mut Random(31)) {
        let work = work_on(&network);
        assert!(work < MOST_WORK / 4, "{name}: {work}");
    }
}

/// Prints the times that [`MOST_WORK`] stands for, with name, work and milliseconds:
///
/// ```sh
/// cargo test --release -p ttr-engine --lib times_of_the_worst -- --ignored --nocapture
/// ```
#[test]
#[ignore = "prints times, and asserts nothing"]
fn times_of_the_worst() {
    for (name, network) in known().into_iter().chain(families(&mut Random(31))) {
        let runs: [_; 5] = std::array::from_fn(|_| {
            let start = std::time::Instant::now();
            work_on(&network);
            start.elapsed()
        });
        let fastest = runs.iter().min().expect("five runs").as_secs_f64();
        println!("{name}: {} {:.3}", work_on(&network), 1e3 * fastest);
    }
}

/// Searches for a network that exceeds the allowed work, by simulated annealing from every known one and
/// every family:
///
/// ```sh
/// cargo test --release -p ttr-engine --lib search_finds_no_worse -- --ignored --nocapture
/// ```
///
/// The environment variables `SEED` (default 1) and `STEPS` (default 20000, per start) control the
/// search. The networks that it prints can be added to `worst.txt`.
#[test]
#[ignore = "takes many minutes"]
fn search_finds_no_worse() {
    let variable =
        |name, default| std::env::var(name).map_or(default, |value| value.parse().expect("a whole number"));
    let (seed, steps) = (variable("SEED", 1), variable("STEPS", 20_000));
    let mut random = Random(seed);
    for (name, start) in known().into_iter().chain(families(&mut random)) {
        let mut now = (work_on(&start), start);
        let mut worst = now.clone();
        for step in 0..steps {
            let varied = vary(&mut random, &now.1);
            let work = work_on(&varied);
            // A loss by the factor e^-t is accepted with probability e^(-t / temperature).
            let temperature = 0.1 * (1.0 - step as f64 / steps as f64);
            let chance = (work.max(1) as f64 / now.0.max(1) as f64).powf(1.0 / temperature);
            if random.below(1 << 20) as f64 <= chance * f64::from(1 << 20) {
                now = (work, varied);
                if work > worst.0 {
                    worst = now.clone();
                }
            }
        }
        println!("{} {name}:{}", worst.0, write(&worst.1));
        assert!(worst.0 < MOST_WORK, "{name}");
    }
}
