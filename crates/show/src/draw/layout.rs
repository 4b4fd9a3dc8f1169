//! Positions of everything on a board: cities, the spaces of every route, names.
//!
//! The positions of the map are scaled so that most routes have room for their spaces; [`super::anneal`]
//! then bends routes, shifts cities a little and moves names until nothing overlaps.

use ttr_engine::maps;
use ttr_engine::spec::{CitySpec, RouteSpec};

use super::anneal::{Arrangement, Board};
use super::geometry::{Block, Bounds, Point, Polyline};
use super::labels::Label;
use super::stored;

/// The radius of a city.
pub const CITY_RADIUS: f64 = 8.5;
/// The width of a space.
pub const SPACE_WIDTH: f64 = 13.0;
/// The preferred length of a space, including the gap after it.
pub(super) const PITCH: f64 = 34.0;
/// The gap between two spaces of a track.
pub(super) const SPACE_GAP: f64 = 3.0;
/// Maximum length of a space: beyond it, the gaps grow.
pub(super) const MAX_SPACE: f64 = 72.0;
/// Width of the outline of a tunnel or a ferry on each side.
pub(super) const BAND: f64 = 3.5;
/// Maximum length of a board's sides.
const MAX_SIDE: f64 = 2200.0;
/// Minimum length of a board's longer side.
const MIN_SIDE: f64 = 480.0;
/// Minimum distance between cities.
const MIN_DISTANCE: f64 = 3.2 * CITY_RADIUS;

/// One route on the board: the spaces between its two cities.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// The cities that it joins.
    pub ends: [Point; 2],
    /// The line through the middle of the spaces, from the first space's start to the last one's end.
    pub path: Polyline,
    /// The spaces, from the route's `from` to its `to`.
    pub spaces: Vec<Block>,
}

/// The geometry of a board, in drawing units.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The positions of the cities, in the order of the map.
    pub cities: Vec<Point>,
    /// The routes, in the order of the map; a route whose cities do not exist has no spaces.
    pub tracks: Vec<Track>,
    /// The names of the cities that have one.
    pub labels: Vec<Label>,
    /// The box around everything.
    pub bounds: Bounds,
}

/// Number of overlaps in a [`Layout`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlaps {
    /// Pairs of names.
    pub label_label: usize,
    /// Names on cities.
    pub label_city: usize,
    /// Names on spaces.
    pub label_space: usize,
    /// Pairs of spaces of different routes.
    pub space_space: usize,
    /// Spaces on cities.
    pub space_city: usize,
    /// Pairs of routes that cross.
    pub crossings: usize,
}

impl Layout {
    /// Lays out the cities and routes of a map. The same map always gets the same layout. Those of shipped
    /// boards are stored; others take about a second.
    pub fn new(cities: &[CitySpec], routes: &[RouteSpec]) -> Self {
        let mut board = start(cities, routes);
        if !stored::find(cities, routes).is_some_and(|arrangement| board.arrange(&arrangement)) {
            search(&mut board);
        }
        board.finish()
    }

    /// Counts overlaps; those between the two tracks of a double route or the spaces of one route never
    /// count.
    pub fn overlaps(&self) -> Overlaps {
        let mut found = Overlaps::default();
        for (i, label) in self.labels.iter().enumerate() {
            found.label_label +=
                self.labels[..i].iter().filter(|other| other.block.gap(&label.block) < 0.0).count();
            found.label_city +=
                self.cities.iter().filter(|&&city| label.block.gap_to(city) < CITY_RADIUS).count();
            let spaces = self.tracks.iter().flat_map(|track| &track.spaces);
            found.label_space += spaces.filter(|space| space.gap(&label.block) < 0.0).count();
        }
        for (i, track) in self.tracks.iter().enumerate() {
            for space in &track.spaces {
                let others = self.tracks[..i].iter().flat_map(|other| &other.spaces);
                found.space_space += others.filter(|other| other.gap(space) < 0.0).count();
                found.space_city +=
                    self.cities.iter().filter(|&&city| space.gap_to(city) < CITY_RADIUS).count();
            }
            found.crossings +=
                self.tracks[..i].iter().map(|other| other.path.crossings(&track.path)).sum::<usize>();
        }
        found
    }

    /// The length of the shortest space: a measure of how readable the board is.
    pub fn shortest_space(&self) -> f64 {
        let spaces = self.tracks.iter().flat_map(|track| &track.spaces);
        spaces.map(|space| 2.0 * space.half_length).fold(f64::INFINITY, f64::min)
    }
}

/// The board before anything has been moved.
fn start(cities: &[CitySpec], routes: &[RouteSpec]) -> Board {
    let index = |name: &str| cities.iter().position(|city| city.name == name);
    let ends: Vec<Option<(usize, usize)>> =
        routes.iter().map(|route| Some((index(&route.from)?, index(&route.to)?))).collect();
    let raw: Vec<Point> =
        cities.iter().map(|city| Point::new(clamp(city.at[0]), clamp(city.at[1]))).collect();
    let homes = scaled(&raw, routes, &ends);
    Board::new(cities, routes, &ends, homes)
}

/// Searches for an arrangement, and rounds it as it would be stored so that stored and new layouts are the
/// same.
fn search(board: &mut Board) -> Arrangement {
    board.solve();
    let found = board.arrangement();
    board.arrange(&found);
    found
}

/// The entries of all shipped boards in the file of stored layouts, one for maps with the same cities and
/// routes.
pub fn shipped() -> impl Iterator<Item = String> {
    let mut seen: Vec<(Vec<CitySpec>, Vec<RouteSpec>)> = Vec::new();
    let maps = maps::ids().iter().filter_map(|id| maps::load(id).ok());
    maps.filter_map(move |map| {
        let is_known = seen.iter().any(|(cities, routes)| (cities, routes) == (&map.cities, &map.routes));
        if is_known {
            return None;
        }
        let found = search(&mut start(&map.cities, &map.routes));
        let entry = stored::write(&map.id, &map.cities, &map.routes, &found);
        seen.push((map.cities, map.routes));
        Some(entry)
    })
}

/// Converts a coordinate of a file into a number that is safe to calculate with.
fn clamp(x: f32) -> f64 {
    if x.is_finite() { f64::from(x).clamp(-1e9, 1e9) } else { 0.0 }
}

/// Scales the positions so that most routes have room for their spaces and most cities for their names, and
/// separates cities that would touch.
fn scaled(raw: &[Point], routes: &[RouteSpec], ends: &[Option<(usize, usize)>]) -> Vec<Point> {
    let mut bounds = Bounds::EMPTY;
    raw.iter().for_each(|&point| bounds.include(point, 0.0));
    let side = bounds.size().x.max(bounds.size().y);
    if raw.is_empty() {
        return Vec::new();
    }
    if side <= 0.0 {
        return heap(raw.len());
    }
    let mut needs = Vec::new();
    for (route, &end) in routes.iter().zip(ends) {
        let Some((a, b)) = end else { continue };
        let distance = (raw[a] - raw[b]).length();
        if distance > side * 1e-3 {
            needs.push((f64::from(route.length) * PITCH + 2.0 * CITY_RADIUS) / distance);
        }
    }
    let mut rooms = Vec::new();
    for (i, &a) in raw.iter().enumerate() {
        let others = raw.iter().enumerate().filter(|&(j, _)| j != i);
        let nearest = others.map(|(_, &b)| (a - b).length()).fold(f64::INFINITY, f64::min);
        if nearest > side * 1e-3 {
            rooms.push(100.0 / nearest);
        }
    }
    let at = |values: &mut Vec<f64>, part: f64| {
        values.sort_by(f64::total_cmp);
        values.get((values.len() as f64 * part) as usize).copied().unwrap_or(0.0)
    };
    let scale = at(&mut needs, 0.8).max(at(&mut rooms, 0.5));
    let scale = scale.clamp(MIN_SIDE / side, MAX_SIDE / side);
    let mut points: Vec<Point> = raw.iter().map(|&point| (point - bounds.min) * scale).collect();
    separate(&mut points);
    points
}

/// A slightly irregular grid, for cities that are all in one place.
fn heap(count: usize) -> Vec<Point> {
    let columns = (count as f64).sqrt().ceil() as usize;
    let at = |i: usize| (Point::new((i % columns) as f64, (i / columns) as f64) * 5.0 + direction(i)) * 30.0;
    (0..count).map(at).collect()
}

/// Pushes cities apart until no two touch.
fn separate(points: &mut [Point]) {
    for _ in 0..200 {
        let mut moved = false;
        for i in 1..points.len() {
            for j in 0..i {
                let between = points[i] - points[j];
                let distance = between.length();
                if distance < MIN_DISTANCE {
                    let way = if distance > 1e-6 { between.unit() } else { direction(i * 64 + j) };
                    let push = way * ((MIN_DISTANCE - distance) * 0.5 + 0.1);
                    points[i] = points[i] + push;
                    points[j] = points[j] - push;
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
}

/// The n-th of many directions.
fn direction(n: usize) -> Point {
    Point::new(((n * 37) % 101) as f64 - 50.0, ((n * 61) % 103) as f64 - 51.5).unit()
}
