//! Which cities a seat's routes join (CC-32).

use super::{Edge, MAX_CITIES, city};

/// Every city a component of its own.
const ALONE: [u8; MAX_CITIES] = {
    let mut alone = [0; MAX_CITIES];
    let mut i = 0;
    while i < MAX_CITIES {
        alone[i] = i as u8;
        i += 1;
    }
    alone
};

/// Connected components of owned routes.
///
/// Labels are kept up to date, so that asking is one comparison; joining relabels one side.
#[derive(Clone, Debug)]
pub struct Components {
    label: [u8; MAX_CITIES],
    /// The cities of a component in a ring.
    next: [u8; MAX_CITIES],
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

    /// Whether a chain of routes joins the two cities; a city is joined to itself.
    #[inline]
    pub fn joined(&self, a: u8, b: u8) -> bool {
        self.label(a) == self.label(b)
    }

    /// The component of a city: one of its cities, the same for all of them.
    #[inline]
    pub fn label(&self, a: u8) -> u8 {
        self.label[city(a)]
    }

    /// Adds a route between the two cities.
    #[inline]
    pub fn join(&mut self, a: u8, b: u8) {
        let (mut a, mut b) = (city(a), city(b));
        if self.label[a] == self.label[b] {
            return;
        }
        // The cheap test that most often finds the smaller side.
        if usize::from(self.next[a]) == a {
            (a, b) = (b, a);
        }
        let label = self.label[a];
        let mut member = b;
        loop {
            self.label[member] = label;
            member = city(self.next[member]);
            if member == b {
                break;
            }
        }
        self.next.swap(a, b);
    }
}

impl Default for Components {
    /// No routes.
    #[inline]
    fn default() -> Self {
        Self { label: ALONE, next: ALONE }
    }
}
