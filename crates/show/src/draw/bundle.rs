//! The routes between two cities: the curve they share, the spaces on it, and the cost of coming too close
//! to other things.

use super::geometry::{Block, Bounds, Point, Polyline};
use super::layout::{CITY_RADIUS, MAX_SPACE, PITCH, SPACE_GAP, SPACE_WIDTH};

/// Desired distance between spaces of different routes.
const CLEAR: f64 = 5.0;
/// Desired distance between a space and a city.
const CLEAR_CITY: f64 = 4.0;
/// Desired distance between a space and the line that joins another route to its city.
const CLEAR_LEAD: f64 = 2.0;
/// Desired distance between a name and a space.
const CLEAR_LABEL: f64 = 2.5;
/// The largest of the distances above.
pub(super) const REACH: f64 = 6.0;
/// The cost of two routes that cross.
const CROSSING: f64 = 900.0;

/// All routes between the same two cities: they run side by side on one curve.
pub(super) struct Bundle {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) tracks: Vec<Lane>,
    /// Offsets of the curve from the straight line at its thirds.
    pub(super) bend: [f64; 2],
    /// Distances from the centres of its cities at which the spaces begin.
    pub(super) trim: [f64; 2],
    pub(super) shape: Shape,
}

/// One track of a bundle.
pub(super) struct Lane {
    pub(super) route: usize,
    pub(super) length: usize,
    /// Distance from the curve to the middle of the track.
    pub(super) offset: f64,
    /// Width of its outline.
    pub(super) band: f64,
    /// The route runs from `b` to `a`.
    pub(super) reversed: bool,
}

/// The shape of a bundle.
#[derive(Clone, Default)]
pub(super) struct Shape {
    pub(super) tracks: Vec<(Polyline, Vec<Block>)>,
    /// The spaces of all tracks with the outlines of tunnels and ferries.
    pub(super) blocks: Vec<Block>,
    /// The thin lines between the cities and the first and last spaces.
    pub(super) leads: Vec<Block>,
    /// The curve without the cities.
    pub(super) centre: Polyline,
    pub(super) bounds: Option<Bounds>,
    /// The cost of the shape by itself.
    pub(super) cost: f64,
}

impl Bundle {
    /// The curve and spaces of a bundle, given the positions of its cities and its bends.
    pub(super) fn shape(&self, cities: &[Point], steps: usize) -> Shape {
        let (from, to) = (cities[self.a], cities[self.b]);
        let chord = to - from;
        let side = chord.unit().turned();
        let controls = if self.a == self.b {
            [from + Point::new(-60.0 - self.bend[0], -90.0), from + Point::new(60.0 + self.bend[1], -90.0)]
        } else {
            [from + chord * 0.3 + side * self.bend[0], from + chord * 0.7 + side * self.bend[1]]
        };
        let curve = Polyline::bezier([from, controls[0], controls[1], to], steps);
        let length = curve.length();
        // However short the curve, part of it is left for the spaces.
        let trims = self.trim[0] + self.trim[1];
        let squeeze = if trims > length * 0.8 { length * 0.8 / trims } else { 1.0 };
        let (start, end) = (self.trim[0] * squeeze, length - self.trim[1] * squeeze);
        let edge = CITY_RADIUS.min(length * 0.3);
        let mut shape =
            Shape { centre: curve.piece(edge, length - edge, 0.0, steps / 2), ..Shape::default() };
        let mut bounds = Bounds::EMPTY;
        let mut cost = 0.0;
        for lane in &self.tracks {
            let path = curve.piece(start, end, lane.offset, steps);
            let pitch = path.length() / lane.length as f64;
            let space = (pitch - SPACE_GAP).max(pitch * 0.6).clamp(1.0, MAX_SPACE);
            let mut blocks = Vec::with_capacity(lane.length);
            for k in 0..lane.length {
                let middle = (k as f64 + 0.5) * pitch;
                let (back, _) = path.point_at(middle - space * 0.4);
                let (front, _) = path.point_at(middle + space * 0.4);
                let (centre, along) = path.point_at(middle);
                let along = if (front - back).length() > 1e-6 { (front - back).unit() } else { along };
                let centre = centre * 0.5 + (front + back) * 0.25;
                let block = Block { centre, along, half_length: space / 2.0, half_width: SPACE_WIDTH / 2.0 };
                shape.blocks.push(block.widened(lane.band));
                bounds.include_block(&block.widened(lane.band));
                // The spaces of one track must not touch where it bends.
                for (apart, other) in blocks.iter().rev().take(12).enumerate() {
                    let wanted = if apart == 0 { SPACE_GAP * 0.6 } else { SPACE_GAP };
                    cost += penalty(block.gap(other), wanted) * 1.5;
                }
                blocks.push(block);
            }
            // The ends of the track are the ends of its first and last space.
            let rest = (pitch - space) / 2.0;
            let path = path.piece(rest, path.length() - rest, 0.0, steps);
            for (city, end) in [(from, path.points()[0]), (to, path.points()[steps])] {
                let lead = lead(city, end);
                bounds.include_block(&lead);
                shape.leads.push(lead);
            }
            let short = (1.0 - pitch / PITCH).max(0.0);
            let tiny = (21.0 - pitch).max(0.0);
            cost += lane.length as f64 * (140.0 * short * short + 4.0 * tiny * tiny);
            shape.tracks.push((path, blocks));
        }
        let room = chord.length().max(40.0);
        let [p, q] = self.bend.map(|bend| bend / room);
        cost += 110.0 * (p * p + q * q) + 200.0 * (p - q) * (p - q);
        cost += self.trim.iter().map(|trim| 0.04 * (trim - CITY_RADIUS - 4.0).powi(2)).sum::<f64>();
        shape.cost = cost;
        shape.bounds = Some(bounds);
        shape
    }
}

/// Puts the tracks of a bundle side by side.
pub(super) fn spread(tracks: &mut [Lane]) {
    let mut right = 0.0;
    for i in 0..tracks.len() {
        if i > 0 {
            let bands = tracks[i - 1].band + tracks[i].band;
            // Outlines of two tracks need more distance to be distinguishable.
            let gap = if tracks[i - 1].band.min(tracks[i].band) > 0.0 { 5.0 } else { 2.5 };
            right += SPACE_WIDTH + gap + bands;
        }
        tracks[i].offset = right;
    }
    tracks.iter_mut().for_each(|lane| lane.offset -= right / 2.0);
}

/// The cost of a gap that is smaller than wanted.
pub(super) fn penalty(gap: f64, wanted: f64) -> f64 {
    let lack = wanted - gap;
    if lack <= 0.0 {
        0.0
    } else if gap >= 0.0 {
        lack * lack
    } else {
        lack * lack - 12.0 * gap + 30.0
    }
}

/// The cost of two bundles against each other.
pub(super) fn between(a: &Shape, b: &Shape) -> f64 {
    let (Some(around), Some(other)) = (&a.bounds, &b.bounds) else {
        return 0.0;
    };
    if !around.near(other, REACH) {
        return 0.0;
    }
    let mut cost = CROSSING * a.centre.crossings(&b.centre) as f64;
    for block in &a.blocks {
        for other in &b.blocks {
            let d = other.centre - block.centre;
            let reach = block.half_length + other.half_length + 2.0 * SPACE_WIDTH + REACH;
            if d.dot(d) < reach * reach {
                cost += penalty(block.gap(other), CLEAR);
            }
        }
    }
    for (leads, blocks) in [(&a.leads, &b.blocks), (&b.leads, &a.blocks)] {
        for lead in leads {
            for block in blocks {
                let d = block.centre - lead.centre;
                let reach = block.half_length + lead.half_length + SPACE_WIDTH + REACH;
                if d.dot(d) < reach * reach {
                    cost += penalty(block.gap(lead), CLEAR_LEAD);
                }
            }
        }
    }
    cost
}

/// The line from the edge of a city to the start of the spaces.
fn lead(city: Point, to: Point) -> Block {
    let along = (to - city).unit();
    let length = ((to - city).length() - CITY_RADIUS).max(0.0);
    let centre = city + along * (CITY_RADIUS + length / 2.0);
    Block { centre, along, half_length: length / 2.0, half_width: 0.75 }
}

/// The cost of a bundle and a city against each other.
pub(super) fn on_city(shape: &Shape, bounds: &Bounds, city: Point) -> f64 {
    if !bounds.near_point(city, CITY_RADIUS + REACH) {
        return 0.0;
    }
    shape.blocks.iter().map(|block| 2.0 * penalty(block.gap_to(city) - CITY_RADIUS, CLEAR_CITY)).sum()
}

/// The cost of a bundle and a name against each other.
pub(super) fn on_name(shape: &Shape, bounds: &Bounds, name: &Block) -> f64 {
    let apart = (name.centre.x - bounds.min.x.max(name.centre.x.min(bounds.max.x))).abs()
        > name.half_length + REACH
        || (name.centre.y - bounds.min.y.max(name.centre.y.min(bounds.max.y))).abs()
            > name.half_width + REACH;
    if apart {
        return 0.0;
    }
    let spaces: f64 = shape.blocks.iter().map(|block| penalty(block.gap(name), CLEAR_LABEL)).sum();
    spaces + shape.leads.iter().map(|lead| 0.2 * penalty(lead.gap(name), 0.0)).sum::<f64>()
}

/// The cost of a name and another city against each other.
pub(super) fn label_on_city(name: &Block, city: Point) -> f64 {
    4.0 * penalty(name.gap_to(city) - CITY_RADIUS, 4.0)
}
