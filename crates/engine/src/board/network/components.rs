//! The cities joined by a seat's routes (CC-32).

use super::{CITIES, CITY_MASK, Edge, city};
use crate::pieces::CityId;

/// Labels where every city is its own component.
const ALONE: [u8; CITIES] = {
    let mut alone = [0; CITIES];
    let mut i = 0;
    while i < CITIES {
        alone[i] = i as u8;
        i += 1;
    }
    alone
};

/// Connected components of owned routes.
///
/// Labels are kept up to date, so that a query is one comparison; joining relabels one side.
///
/// ```
/// use ttr_engine::board::network::{Components, Edge};
/// use ttr_engine::CityId;
/// let [a, b, c] = [0, 1, 2].map(CityId::new);
/// let mut components = Components::new(&[Edge { a, b, length: 3 }]);
/// assert!(components.joined(a, b) && !components.joined(b, c));
/// components.join(b, c);
/// assert!(components.joined(a, c));
/// ```
#[derive(Clone, Debug)]
pub struct Components {
    label: [u8; CITIES],
    /// The next city of the same component, in a ring.
    next: [u8; CITIES],
}

impl Components {
    /// The components of these routes.
    #[inline]
    pub fn new(edges: &[Edge]) -> Self {
        let mut components = Self::default();
        for edge in edges {
            components.join(edge.a, edge.b);
        }
        components
    }

    /// Returns `true` if a chain of routes joins the two cities; a city is joined to itself.
    #[inline]
    pub fn joined(&self, a: CityId, b: CityId) -> bool {
        self.label[city(a)] == self.label[city(b)]
    }

    /// The label of a city's component: one of its cities, the same for all of them.
    #[inline]
    pub fn label(&self, of: CityId) -> CityId {
        CityId::from_u8(self.label[city(of)])
    }

    /// Adds a route between the two cities.
    #[inline]
    pub fn join(&mut self, a: CityId, b: CityId) {
        let (mut a, mut b) = (city(a), city(b));
        if self.label[a] == self.label[b] {
            return;
        }
        // A cheap test that usually finds the smaller side.
        if usize::from(self.next[a]) == a {
            (a, b) = (b, a);
        }
        let label = self.label[a];
        let mut member = b;
        loop {
            self.label[member] = label;
            member = usize::from(self.next[member]) & CITY_MASK;
            if member == b {
                break;
            }
        }
        self.next.swap(a, b);
    }
}

impl Default for Components {
    /// The components of an empty network.
    #[inline]
    fn default() -> Self {
        Self { label: ALONE, next: ALONE }
    }
}
