//! The search for a board without overlaps: threshold accepting over the bends and ends of routes, small
//! shifts of cities, and positions of names, with its own random numbers from a fixed seed.

use ttr_engine::spec::{CitySpec, RouteSpec};

use super::bundle::{Bundle, Lane, REACH, Shape, between, label_on_city, on_city, on_name, penalty, spread};
use super::geometry::{Block, Bounds, Point, Polyline};
use super::labels::{Candidate, Label, candidates, forms};
use super::layout::{BAND, CITY_RADIUS, Layout, Track};

/// Number of straight pieces of a curve while it is being moved.
const STEPS: usize = 16;

struct Name {
    city: usize,
    forms: Vec<Vec<String>>,
    candidates: Vec<Candidate>,
    chosen: usize,
}

/// The result of a search: positions of cities and names, and bends of routes.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Arrangement {
    pub(super) cities: Vec<[f64; 2]>,
    /// The position chosen for each name.
    pub(super) names: Vec<usize>,
    /// Bends and trims of the routes between two cities.
    pub(super) bundles: Vec<[f64; 4]>,
}

/// A board during the search.
pub(super) struct Board {
    homes: Vec<Point>,
    cities: Vec<Point>,
    bundles: Vec<Bundle>,
    /// The bundles that end at each city.
    at_city: Vec<Vec<usize>>,
    names: Vec<Name>,
    /// The index into `names` of each city.
    name_of: Vec<Option<usize>>,
    routes: usize,
    random: SplitMix,
}

impl Board {
    /// Creates a board with straight routes.
    pub(super) fn new(
        cities: &[CitySpec],
        routes: &[RouteSpec],
        ends: &[Option<(usize, usize)>],
        homes: Vec<Point>,
    ) -> Self {
        let mut bundles: Vec<Bundle> = Vec::new();
        for (index, (route, &end)) in routes.iter().zip(ends).enumerate() {
            let Some((from, to)) = end else { continue };
            let (a, b) = (from.min(to), from.max(to));
            let lane = Lane {
                route: index,
                length: usize::from(route.length.max(1)),
                offset: 0.0,
                band: if route.tunnel || route.ferry > 0 { BAND } else { 0.0 },
                reversed: from > to,
            };
            match bundles.iter_mut().find(|bundle| (bundle.a, bundle.b) == (a, b)) {
                Some(bundle) => bundle.tracks.push(lane),
                None => bundles.push(Bundle {
                    a,
                    b,
                    tracks: vec![lane],
                    bend: [0.0; 2],
                    trim: [CITY_RADIUS + 4.0; 2],
                    shape: Shape::default(),
                }),
            }
        }
        let mut at_city = vec![Vec::new(); cities.len()];
        for (i, bundle) in bundles.iter_mut().enumerate() {
            at_city[bundle.a].push(i);
            if bundle.b != bundle.a {
                at_city[bundle.b].push(i);
            }
            spread(&mut bundle.tracks);
        }
        let mut names = Vec::new();
        for (city, spec) in cities.iter().enumerate() {
            let forms = forms(&spec.name);
            let candidates = candidates(&forms);
            if !candidates.is_empty() {
                names.push(Name { city, forms, candidates, chosen: 0 });
            }
        }
        let mut name_of = vec![None; cities.len()];
        for (i, name) in names.iter().enumerate() {
            name_of[name.city] = Some(i);
        }
        let mut board = Self {
            cities: homes.clone(),
            homes,
            bundles,
            at_city,
            names,
            name_of,
            routes: routes.len(),
            random: SplitMix(0x5EED),
        };
        for i in 0..board.bundles.len() {
            board.bundles[i].shape = board.bundles[i].shape(&board.cities, STEPS);
        }
        board
    }

    /// Searches: first the routes alone, then everything together.
    pub(super) fn solve(&mut self) {
        let size = self.bundles.len() + self.cities.len();
        let rounds = (160_000 / size.max(1)).min(1_400_000 / self.near_pairs().max(1)).clamp(200, 2_000);
        for (share, hot, names) in [(0.3, 1.0, false), (0.45, 0.5, true), (0.25, 0.0, true)] {
            if names {
                (0..self.names.len()).for_each(|name| self.best_place(name));
            }
            let rounds = (rounds as f64 * share) as usize;
            for round in 0..rounds {
                let left = 1.0 - round as f64 / rounds as f64;
                self.round(hot * left * left, names);
            }
        }
        for _ in 0..3 {
            (0..self.names.len()).for_each(|name| self.best_place(name));
        }
    }

    /// The result of the search, rounded as it is stored.
    pub(super) fn arrangement(&self) -> Arrangement {
        let round = |x: f64| (x * 100.0).round() / 100.0;
        Arrangement {
            cities: self.cities.iter().map(|city| [city.x, city.y].map(round)).collect(),
            names: self.names.iter().map(|name| name.chosen).collect(),
            bundles: self
                .bundles
                .iter()
                .map(|Bundle { bend, trim, .. }| [bend[0], bend[1], trim[0], trim[1]].map(round))
                .collect(),
        }
    }

    /// Applies an arrangement in place of a search; returns `false` if it does not fit this board.
    pub(super) fn arrange(&mut self, arrangement: &Arrangement) -> bool {
        let Arrangement { cities, names, bundles } = arrangement;
        let fits = [cities.len(), names.len(), bundles.len()]
            == [self.cities.len(), self.names.len(), self.bundles.len()]
            && names.iter().zip(&self.names).all(|(&chosen, name)| chosen < name.candidates.len());
        if fits {
            self.cities = cities.iter().map(|&[x, y]| Point::new(x, y)).collect();
            names.iter().zip(&mut self.names).for_each(|(&chosen, name)| name.chosen = chosen);
            for (&[bend_a, bend_b, trim_a, trim_b], bundle) in bundles.iter().zip(&mut self.bundles) {
                (bundle.bend, bundle.trim) = ([bend_a, bend_b], [trim_a, trim_b]);
            }
        }
        fits
    }

    /// Number of pairs of bundles whose surroundings overlap: the work of a round.
    fn near_pairs(&self) -> usize {
        let bounds: Vec<Bounds> = self.bundles.iter().filter_map(|bundle| bundle.shape.bounds).collect();
        let before = |(i, a): (usize, &Bounds)| bounds[..i].iter().filter(|b| a.near(b, REACH)).count();
        bounds.iter().enumerate().map(before).sum()
    }

    /// Tries one change of every route, and of some cities and names.
    fn round(&mut self, heat: f64, names: bool) {
        // Small losses are accepted more often than large ones.
        let luck = self.random.signed();
        let threshold = 80.0 * heat * luck * luck;
        for bundle in 0..self.bundles.len() {
            self.try_bundle(bundle, heat, threshold, names);
        }
        for city in 0..self.cities.len() {
            if self.random.below(4) == 0 {
                self.try_city(city, heat, threshold, names);
            }
        }
        if names {
            for name in 0..self.names.len() {
                if self.random.below(2) == 0 {
                    self.try_name(name, threshold);
                }
            }
        }
    }

    fn try_bundle(&mut self, i: usize, heat: f64, threshold: f64, names: bool) {
        let (bend, trim) = (self.bundles[i].bend, self.bundles[i].trim);
        let before = self.bundle_cost(i, names, f64::INFINITY);
        let step = self.random.signed() * (3.0 + 60.0 * heat);
        let bundle = &mut self.bundles[i];
        match self.random.below(9) {
            0..3 => bundle.bend = [bend[0] + step, bend[1] + step],
            3 => bundle.bend[0] += step,
            4 => bundle.bend[1] += step,
            5 => bundle.trim[0] += step * 0.4,
            6 => bundle.trim[1] += step * 0.4,
            7 => bundle.trim = [trim[0] + step * 0.4, trim[1] - step * 0.4],
            _ => {
                bundle.bend = if self.random.below(2) == 0 {
                    [-bend[1], -bend[0]]
                } else {
                    [bend[0] * 0.8, bend[1] * 0.8]
                }
            }
        }
        let least = CITY_RADIUS + 1.0;
        bundle.trim = bundle.trim.map(|trim| trim.clamp(least, 80.0));
        bundle.bend = bundle.bend.map(|bend| bend.clamp(-400.0, 400.0));
        let shape = self.bundles[i].shape(&self.cities, STEPS);
        let old = std::mem::replace(&mut self.bundles[i].shape, shape);
        let limit = before + threshold;
        if self.bundle_cost(i, names, limit) > limit {
            let bundle = &mut self.bundles[i];
            (bundle.bend, bundle.trim, bundle.shape) = (bend, trim, old);
        }
    }

    fn try_city(&mut self, city: usize, heat: f64, threshold: f64, names: bool) {
        let place = self.cities[city];
        let before = self.city_cost(city, names, f64::INFINITY);
        let reach = 1.5 + 12.0 * heat;
        let step = Point::new(self.random.signed(), self.random.signed()) * reach;
        self.cities[city] = place + step;
        let bundles = std::mem::take(&mut self.at_city[city]);
        let mut old = Vec::with_capacity(bundles.len());
        for &i in &bundles {
            let shape = self.bundles[i].shape(&self.cities, STEPS);
            old.push(std::mem::replace(&mut self.bundles[i].shape, shape));
        }
        self.at_city[city] = bundles;
        let limit = before + threshold;
        if self.city_cost(city, names, limit) > limit {
            self.cities[city] = place;
            for (k, shape) in old.into_iter().enumerate() {
                let i = self.at_city[city][k];
                self.bundles[i].shape = shape;
            }
        }
    }

    fn try_name(&mut self, i: usize, threshold: f64) {
        let chosen = self.names[i].chosen;
        let next = self.random.below(self.names[i].candidates.len());
        let before = self.name_cost(i, chosen);
        if self.name_cost(i, next) <= before + threshold * 0.3 {
            self.names[i].chosen = next;
        }
    }

    /// Chooses the best position for a name, given everything else.
    fn best_place(&mut self, i: usize) {
        let costs = (0..self.names[i].candidates.len()).map(|c| (self.name_cost(i, c), c));
        if let Some((_, best)) = costs.min_by(|a, b| a.0.total_cmp(&b.0)) {
            self.names[i].chosen = best;
        }
    }

    /// The cost of a bundle, by itself and against everything else. Above `limit`, it need not be exact.
    fn bundle_cost(&self, i: usize, names: bool, limit: f64) -> f64 {
        let shape = &self.bundles[i].shape;
        let Some(bounds) = shape.bounds else {
            return 0.0;
        };
        let mut cost = shape.cost;
        for &city in &self.cities {
            cost += on_city(shape, &bounds, city);
        }
        if names {
            for name in &self.names {
                cost += on_name(shape, &bounds, &self.name_block(name, name.chosen));
            }
        }
        for (j, other) in self.bundles.iter().enumerate() {
            if cost > limit {
                break;
            }
            if j != i {
                cost += between(shape, &other.shape);
            }
        }
        cost
    }

    /// The cost of a city with its bundles and its name. Above `limit`, it need not be exact.
    fn city_cost(&self, city: usize, names: bool, limit: f64) -> f64 {
        let place = self.cities[city];
        let away = (place - self.homes[city]).length();
        let mut cost = 0.02 * away * away + 0.5 * (away - 30.0).max(0.0).powi(2);
        for (other, &at) in self.cities.iter().enumerate() {
            if other != city {
                cost += 10.0 * penalty((at - place).length() - 2.0 * CITY_RADIUS, 12.0);
            }
        }
        let mine = &self.at_city[city];
        for (i, bundle) in self.bundles.iter().enumerate() {
            if let Some(bounds) = bundle.shape.bounds.filter(|_| !mine.contains(&i)) {
                cost += on_city(&bundle.shape, &bounds, place);
            }
        }
        if names {
            if let Some(name) = self.name_of[city] {
                cost += self.name_cost(name, self.names[name].chosen);
            }
            for name in self.names.iter().filter(|name| name.city != city) {
                cost += label_on_city(&self.name_block(name, name.chosen), place);
            }
        }
        // The mutual cost of two bundles of the city counts once.
        for (k, &i) in mine.iter().enumerate() {
            if cost > limit {
                break;
            }
            cost += self.bundle_cost(i, names, f64::INFINITY);
            for &j in &mine[..k] {
                cost -= between(&self.bundles[i].shape, &self.bundles[j].shape);
            }
        }
        cost
    }

    /// The cost of a name at one of its positions.
    fn name_cost(&self, i: usize, candidate: usize) -> f64 {
        let name = &self.names[i];
        let block = self.name_block(name, candidate);
        let mut cost = name.candidates[candidate].cost;
        let mut bounds = Bounds::EMPTY;
        bounds.include_block(&block);
        let own = block.gap_to(self.cities[name.city]);
        for (city, &place) in self.cities.iter().enumerate() {
            if city != name.city && bounds.near_point(place, 40.0) {
                cost += label_on_city(&block, place);
                // A name that is as close to another city could be read as that city's.
                cost += (own + 8.0 - block.gap_to(place)).max(0.0) * 1.5;
            }
        }
        for other in self.names.iter().filter(|other| other.city != name.city) {
            cost += 4.0 * penalty(block.gap(&self.name_block(other, other.chosen)), 5.0);
        }
        for bundle in &self.bundles {
            if let Some(around) = &bundle.shape.bounds {
                cost += on_name(&bundle.shape, around, &block);
            }
        }
        cost
    }

    fn name_block(&self, name: &Name, candidate: usize) -> Block {
        let candidate = &name.candidates[candidate];
        Block::upright(self.cities[name.city] + candidate.offset, candidate.width, candidate.height)
    }

    /// The finished layout.
    pub(super) fn finish(self) -> Layout {
        let mut tracks = vec![Track::default(); self.routes];
        let mut bounds = Bounds::EMPTY;
        self.cities.iter().for_each(|&city| bounds.include(city, 2.0 * CITY_RADIUS));
        for bundle in &self.bundles {
            let shape = bundle.shape(&self.cities, 2 * STEPS);
            shape.blocks.iter().for_each(|block| bounds.include_block(block));
            for (lane, (mut path, mut spaces)) in bundle.tracks.iter().zip(shape.tracks) {
                if lane.reversed {
                    path = Polyline::new(path.points().iter().rev().copied().collect());
                    spaces.reverse();
                    spaces.iter_mut().for_each(|space| space.along = -space.along);
                }
                let ends = [self.cities[bundle.a], self.cities[bundle.b]];
                let ends = if lane.reversed { [ends[1], ends[0]] } else { ends };
                tracks[lane.route] = Track { ends, path, spaces };
            }
        }
        let mut labels = Vec::with_capacity(self.names.len());
        for name in &self.names {
            let block = self.name_block(name, name.chosen);
            bounds.include_block(&block);
            let lines = name.forms[name.candidates[name.chosen].form].clone();
            labels.push(Label { city: name.city, lines, block });
        }
        if self.cities.is_empty() {
            bounds.include(Point::default(), 10.0);
        }
        Layout { cities: self.cities, tracks, labels, bounds }
    }
}

/// SplitMix64, the random number generator of the search.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; zero if `n` is zero.
    fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }

    /// A number from -1 to 1.
    fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
