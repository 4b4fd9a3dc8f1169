//! Points, oriented boxes and curves: the geometry of a board's layout.
//!
//! Nothing here needs trigonometry, so a layout is the same on every machine.

use std::ops::{Add, Mul, Neg, Sub};

/// A point or a vector of the drawing: x to the right, y down.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// The horizontal coordinate, to the right.
    pub x: f64,
    /// The vertical coordinate, downwards.
    pub y: f64,
}

impl Point {
    /// Creates a point.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The scalar product.
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The z component of the vector product.
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The Euclidean length.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The vector of length one in the same direction, or `(1, 0)` if there is no direction.
    pub fn unit(self) -> Self {
        let length = self.length();
        if length > 1e-9 { self * (1.0 / length) } else { Self::new(1.0, 0.0) }
    }

    /// The vector rotated by a quarter turn.
    pub fn turned(self) -> Self {
        Self::new(-self.y, self.x)
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Point {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// A rectangle that may be rotated: a space of a route, or the box around a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    /// Its middle.
    pub centre: Point,
    /// The unit vector along its length.
    pub along: Point,
    /// Half its length.
    pub half_length: f64,
    /// Half its width.
    pub half_width: f64,
}

impl Block {
    /// Creates a rectangle that is not rotated.
    pub fn upright(centre: Point, width: f64, height: f64) -> Self {
        Self { centre, along: Point::new(1.0, 0.0), half_length: width / 2.0, half_width: height / 2.0 }
    }

    /// The same rectangle, wider by `by` on both long sides.
    pub fn widened(self, by: f64) -> Self {
        Self { half_width: self.half_width + by, ..self }
    }

    /// The radius of the circle around it.
    pub fn radius(&self) -> f64 {
        (self.half_length * self.half_length + self.half_width * self.half_width).sqrt()
    }

    /// The four corners, in order.
    pub fn corners(&self) -> [Point; 4] {
        let l = self.along * self.half_length;
        let w = self.along.turned() * self.half_width;
        [self.centre - l - w, self.centre + l - w, self.centre + l + w, self.centre - l + w]
    }

    /// The widest gap between the two along any of their axes; if negative, the depth of their overlap.
    pub fn gap(&self, other: &Self) -> f64 {
        let d = other.centre - self.centre;
        let (cos, sin) = (self.along.dot(other.along).abs(), self.along.cross(other.along).abs());
        let beyond = |a: &Self, b: &Self| {
            let length = d.dot(a.along).abs() - a.half_length - b.half_length * cos - b.half_width * sin;
            let width = d.cross(a.along).abs() - a.half_width - b.half_length * sin - b.half_width * cos;
            length.max(width)
        };
        beyond(self, other).max(beyond(other, self))
    }

    /// The distance from its edge to a point outside; if negative, the depth of the point inside.
    pub fn gap_to(&self, point: Point) -> f64 {
        let d = point - self.centre;
        let x = d.dot(self.along).abs() - self.half_length;
        let y = d.cross(self.along).abs() - self.half_width;
        if x > 0.0 && y > 0.0 { (x * x + y * y).sqrt() } else { x.max(y) }
    }
}

/// An upright box around things, for quick rejection and for the size of the canvas.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Top left.
    pub min: Point,
    /// Bottom right.
    pub max: Point,
}

impl Bounds {
    /// A box around nothing.
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Grows to contain a point with `margin` around it.
    pub fn include(&mut self, point: Point, margin: f64) {
        self.min = Point::new(self.min.x.min(point.x - margin), self.min.y.min(point.y - margin));
        self.max = Point::new(self.max.x.max(point.x + margin), self.max.y.max(point.y + margin));
    }

    /// Grows to contain a rectangle.
    pub fn include_block(&mut self, block: &Block) {
        for corner in block.corners() {
            self.include(corner, 0.0);
        }
    }

    /// Returns `true` if the two come closer than `margin`.
    pub fn near(&self, other: &Self, margin: f64) -> bool {
        self.min.x < other.max.x + margin
            && other.min.x < self.max.x + margin
            && self.min.y < other.max.y + margin
            && other.min.y < self.max.y + margin
    }

    /// Returns `true` if the point is less than `margin` away.
    pub fn near_point(&self, point: Point, margin: f64) -> bool {
        self.near(&Self { min: point, max: point }, margin)
    }

    /// Width and height; zero if the box is empty.
    pub fn size(&self) -> Point {
        Point::new((self.max.x - self.min.x).max(0.0), (self.max.y - self.min.y).max(0.0))
    }
}

/// A line through points, measured by arc length.
#[derive(Clone, Debug, Default)]
pub struct Polyline {
    points: Vec<Point>,
    at: Vec<f64>,
}

impl Polyline {
    /// Creates the line through `points`.
    pub fn new(points: Vec<Point>) -> Self {
        let mut at = Vec::with_capacity(points.len());
        let mut sum = 0.0;
        for (i, &point) in points.iter().enumerate() {
            if i > 0 {
                sum += (point - points[i - 1]).length();
            }
            at.push(sum);
        }
        Self { points, at }
    }

    /// Approximates a cubic Bézier curve by `steps` straight pieces.
    pub fn bezier(p: [Point; 4], steps: usize) -> Self {
        let point = |i: usize| {
            let t = i as f64 / steps as f64;
            let s = 1.0 - t;
            p[0] * (s * s * s) + p[1] * (3.0 * s * s * t) + p[2] * (3.0 * s * t * t) + p[3] * (t * t * t)
        };
        Self::new((0..=steps).map(point).collect())
    }

    /// Its points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Its length.
    pub fn length(&self) -> f64 {
        self.at.last().copied().unwrap_or(0.0)
    }

    /// The point at arc length `s` and the unit vector along the line there.
    pub fn point_at(&self, s: f64) -> (Point, Point) {
        if self.points.len() < 2 {
            return (self.points.first().copied().unwrap_or_default(), Point::new(1.0, 0.0));
        }
        let i = self.at.partition_point(|&at| at < s).clamp(1, self.points.len() - 1);
        let (from, to) = (self.points[i - 1], self.points[i]);
        let length = self.at[i] - self.at[i - 1];
        let part = if length > 1e-9 { ((s - self.at[i - 1]) / length).clamp(0.0, 1.0) } else { 0.0 };
        (from + (to - from) * part, (to - from).unit())
    }

    /// The piece from arc length `start` to `end`, shifted sideways by `offset`, in `steps` pieces.
    pub fn piece(&self, start: f64, end: f64, offset: f64, steps: usize) -> Self {
        let point = |i: usize| {
            let (point, along) = self.point_at(start + (end - start) * i as f64 / steps as f64);
            point + along.turned() * offset
        };
        Self::new((0..=steps).map(point).collect())
    }

    /// Number of times the two lines cross.
    pub fn crossings(&self, other: &Self) -> usize {
        let mut count = 0;
        for a in self.points.windows(2) {
            let d = a[1] - a[0];
            for b in other.points.windows(2) {
                let (s, t) = (d.cross(b[0] - a[0]), d.cross(b[1] - a[0]));
                if (s < 0.0) == (t < 0.0) {
                    continue;
                }
                let e = b[1] - b[0];
                count += usize::from((e.cross(a[0] - b[0]) < 0.0) != (e.cross(a[1] - b[0]) < 0.0));
            }
        }
        count
    }
}
