//! Layouts of the shipped boards, so that a picture needs no search.
//!
//! `cargo run --release -p ttr-show --example layouts` writes `layouts.txt`. An entry applies to all boards
//! with the same cities and routes, whatever their names. Lines:
//!
//! ```text
//! board HASH NAME
//! city X Y              in the order of the map
//! name PLACE            of each city that has a name: an index into the possible positions
//! routes BEND BEND TRIM TRIM      between two cities
//! ```

use std::fmt::Write;

use ttr_engine::codec;
use ttr_engine::spec::{CitySpec, RouteSpec};

use super::anneal::Arrangement;

const LAYOUTS: &str = include_str!("layouts.txt");

/// The stored arrangement of a board, if there is one.
pub(super) fn find(cities: &[CitySpec], routes: &[RouteSpec]) -> Option<Arrangement> {
    let hash = hash(cities, routes);
    let mut lines = LAYOUTS.lines().skip_while(|line| !is_entry(line, &hash));
    lines.next()?;
    let mut found = Arrangement::default();
    for line in lines.take_while(|line| !line.starts_with("board ")) {
        let mut words = line.split(' ');
        let kind = words.next()?;
        match kind {
            "city" => found.cities.push(numbers(words)?),
            "name" => found.names.push(words.next()?.parse().ok()?),
            "routes" => found.bundles.push(numbers(words)?),
            _ => return None,
        }
    }
    Some(found)
}

/// The entry of a board.
pub(super) fn write(
    name: &str,
    cities: &[CitySpec],
    routes: &[RouteSpec],
    arrangement: &Arrangement,
) -> String {
    let mut entry = format!("board {} {name}\n", hash(cities, routes));
    let Arrangement { cities, names, bundles } = arrangement;
    for [x, y] in cities {
        let _ = writeln!(entry, "city {x} {y}");
    }
    for place in names {
        let _ = writeln!(entry, "name {place}");
    }
    for [a, b, c, d] in bundles {
        let _ = writeln!(entry, "routes {a} {b} {c} {d}");
    }
    entry
}

fn is_entry(line: &str, hash: &str) -> bool {
    line.strip_prefix("board ").and_then(|rest| rest.split(' ').next()) == Some(hash)
}

fn numbers<'w, const N: usize>(words: impl Iterator<Item = &'w str>) -> Option<[f64; N]> {
    let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

/// Identifies everything that a layout depends on.
fn hash(cities: &[CitySpec], routes: &[RouteSpec]) -> String {
    let mut text = String::new();
    for CitySpec { name, at: [x, y] } in cities {
        let _ = writeln!(text, "{name:?} {x} {y}");
    }
    for RouteSpec { from, to, length, tunnel, ferry, .. } in routes {
        let _ = writeln!(text, "{from:?} {to:?} {length} {}", *tunnel || *ferry > 0);
    }
    format!("{:016x}", codec::checksum(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use ttr_engine::maps;

    use super::super::layout;

    /// The file contains the current result of the search for every shipped board.
    #[test]
    fn stored_layouts_are_up_to_date() {
        let mut shipped = 0;
        for id in maps::ids() {
            let map = maps::load(id).unwrap();
            let found = super::find(&map.cities, &map.routes);
            assert!(found.is_some(), "{id} has no stored layout; see stored.rs");
            shipped += 1;
        }
        assert!(shipped > 8);
        let written: String = layout::shipped().collect();
        assert_eq!(super::LAYOUTS, written, "run the example `layouts` again; see stored.rs");
    }
}
