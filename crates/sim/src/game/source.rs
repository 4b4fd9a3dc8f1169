//! Sources of points.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A source of points, over all games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// Claimed routes.
    Routes,
    /// Tickets, minus those that were not completed.
    Tickets,
    /// The bonus for the longest path.
    LongestPath,
    /// The bonus for the most completed tickets.
    MostTickets,
    /// Stations that were not built.
    Stations,
    /// Depots.
    Depots,
    /// The Card Game's bonuses for big cities.
    BigCities,
}

impl Source {
    /// All sources, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Routes,
        Self::Tickets,
        Self::LongestPath,
        Self::MostTickets,
        Self::Stations,
        Self::Depots,
        Self::BigCities,
    ];

    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Routes => "routes",
            Self::Tickets => "tickets",
            Self::LongestPath => "longest_path",
            Self::MostTickets => "most_tickets",
            Self::Stations => "stations",
            Self::Depots => "depots",
            Self::BigCities => "big_cities",
        }
    }

    /// The name in words, for people.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Its index in [`Source::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A value per source.
///
/// ```
/// use ttr_sim::game::{BySource, Source};
/// let mut points = BySource::default();
/// points[Source::Tickets] = 12;
/// assert_eq!(points.iter().filter(|(_, points)| **points > 0).collect::<Vec<_>>(), [(Source::Tickets, &12)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BySource<T>([T; Source::ALL.len()]);

impl<T> BySource<T> {
    /// Every source with its value, in the order of [`Source::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Source, &T)> {
        Source::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Source> for BySource<T> {
    type Output = T;

    fn index(&self, source: Source) -> &T {
        &self.0[source.index()]
    }
}

impl<T> IndexMut<Source> for BySource<T> {
    fn index_mut(&mut self, source: Source) -> &mut T {
        &mut self.0[source.index()]
    }
}

/// The given sources; the others have the default value.
impl<T: Copy + Default, const N: usize> From<[(Source, T); N]> for BySource<T> {
    fn from(values: [(Source, T); N]) -> Self {
        let mut all = Self::default();
        values.into_iter().for_each(|(source, value)| all[source] = value);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names() {
        for (index, source) in Source::ALL.into_iter().enumerate() {
            assert_eq!(source.index(), index);
            assert_eq!(serde_json::to_value(source).unwrap(), source.name());
        }
        assert!(serde_json::from_str::<Source>("\"luck\"").is_err());
    }
}
