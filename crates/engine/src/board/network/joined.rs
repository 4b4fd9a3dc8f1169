//! The cities joined by routes, updated with every claim.

use arrayvec::ArrayVec;

use super::CITIES;
use crate::pieces::CitySet;

/// The sets of cities joined by the routes of a seat. They are disjoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    sets: ArrayVec<CitySet, { CITIES / 2 }>,
    /// All cities that are an end of a route.
    all: CitySet,
}

impl Joined {
    /// Adds a route between two cities. Returns all cities joined to it.
    #[inline]
    pub(crate) fn join(&mut self, ends: CitySet) -> CitySet {
        let (mut joined, mut apart) = (ends, 0);
        if self.all.intersects(ends) {
            for i in 0..self.sets.len() {
                let cities = self.sets[i];
                if cities.intersects(ends) {
                    joined |= cities;
                } else {
                    self.sets[apart] = cities;
                    apart += 1;
                }
            }
            self.sets.truncate(apart);
        }
        self.sets.push(joined);
        self.all |= ends;
        joined
    }

    /// Returns `true` if all of these cities are joined.
    #[inline]
    pub(crate) fn contains(&self, cities: CitySet) -> bool {
        // Most tickets have a city without a route, which is quick to check.
        cities.is_subset(self.all) && self.sets.iter().any(|joined| cities.is_subset(*joined))
    }
}

#[cfg(test)]
impl Joined {
    /// The sets, in an order that does not depend on the order of the routes.
    pub(crate) fn sorted(&self) -> Vec<u64> {
        let mut sets: Vec<_> = self.sets.iter().map(|cities| cities.0).collect();
        sets.sort_unstable();
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::network::Components;
    use crate::{CityId, Dice};

    #[test]
    fn agrees_with_components() {
        let mut dice = Dice::from_seed(1);
        for _ in 0..200 {
            let (mut joined, mut components) = (Joined::default(), Components::default());
            for _ in 0..dice.below(40) {
                let [a, b] = [(); 2].map(|()| CityId::from_u8(dice.below(64) as u8));
                if a == b {
                    continue;
                }
                let cities = joined.join([a, b].into_iter().collect());
                components.join(a, b);
                let all = CitySet::first(64).into_iter();
                let expected = all.filter(|&city| components.joined(a, city)).collect();
                assert_eq!(cities, expected);
            }
            for _ in 0..100 {
                let [a, b] = [(); 2].map(|()| CityId::from_u8(dice.below(64) as u8));
                let pair: CitySet = [a, b].into_iter().collect();
                if a != b {
                    assert_eq!(joined.contains(pair), components.joined(a, b));
                }
            }
        }
    }
}
