//! Ladders: tables, anchors with their ratings, seeds and numbers of deals, as data.

use std::collections::BTreeMap;

use serde::Deserialize;
use ttr_agents::AgentSpec;
use ttr_engine::codec;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::MapError;

use crate::game::{AnyGame, GameError};
use crate::table::schedule::Schedule;

const V1: &str = include_str!("ladder-v1.toml");

/// A benchmark with a name and a version. Any change to its figures makes a new version.
///
/// ```
/// use ttr_sim::rate::Ladder;
/// let ladder = Ladder::v1();
/// let table = &ladder.tables[0];
/// assert_eq!((ladder.id().as_str(), table.ratings[&table.zero]), ("ladder-v1", 0.0));
/// assert_eq!(ladder.anchor(table, &table.zero).label(), format!("anchor {}", table.zero));
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// Anchors that are the same at every table: name and agent, with all settings.
    pub anchors: BTreeMap<String, String>,
    /// The tables, in the order in which they are played.
    #[serde(rename = "table")]
    pub tables: Vec<LadderTable>,
    /// Checksum of the file.
    #[serde(skip)]
    pub hash: u64,
}

/// A map with a number of seats, and the opponents of an agent there.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderTable {
    /// Its name; also the name of a directory.
    pub name: String,
    /// The id of a shipped map.
    pub map: String,
    /// Number of seats.
    pub seats: usize,
    /// The master seed. Each table has its own, so that tables are independent.
    pub seed: u64,
    /// Number of deals. Every field plays every deal in all rotations.
    pub deals: u64,
    /// Anchors in the other seats, by name, one list per line-up.
    pub fields: Vec<Vec<String>>,
    /// Anchors of this table alone, such as those with settings tuned for it.
    #[serde(default)]
    pub anchors: BTreeMap<String, String>,
    /// Name of the anchor whose rating is 0.
    pub zero: String,
    /// The ratings of the anchors, by name.
    pub ratings: BTreeMap<String, f64>,
    /// Seed of the games that these ratings come from.
    pub calibration_seed: u64,
    /// Number of deals of those games.
    pub calibration_deals: u64,
    /// Checksum of the anchors' games in the first deal of the calibration, in hexadecimal digits.
    pub anchor_games: String,
}

impl Ladder {
    /// The current ladder.
    ///
    /// # Panics
    /// Never: tests read the file.
    pub fn v1() -> Self {
        let ladder: Self = toml::from_str(V1).expect("the shipped ladder is valid");
        Self { hash: codec::checksum(V1.as_bytes()), ..ladder }
    }

    /// Name and version in one word, such as `ladder-v1`.
    pub fn id(&self) -> String {
        format!("{}-v{}", self.name, self.version)
    }

    /// The agent of an anchor at a table, labelled as an anchor.
    ///
    /// # Panics
    /// If there is no such anchor; tests check the file.
    pub fn anchor(&self, table: &LadderTable, name: &str) -> AgentSpec {
        let text = table.anchors.get(name).or_else(|| self.anchors.get(name));
        let text = text.unwrap_or_else(|| panic!("the ladder has an anchor {name}"));
        let agent = AgentSpec::parse(text).expect("anchors are agents");
        AgentSpec { label: Some(format!("anchor {name}")), ..agent }
    }

    /// Number of games to play the tables of these names once; all tables if empty.
    pub fn games(&self, only: &[String]) -> u64 {
        self.tables(only).map(|table| table.deals * table.schedule().games_per_deal()).sum()
    }

    /// The tables of these names; all if empty.
    pub fn tables<'l>(&'l self, only: &[String]) -> impl Iterator<Item = &'l LadderTable> {
        self.tables.iter().filter(move |table| only.is_empty() || only.contains(&table.name))
    }
}

impl LadderTable {
    /// The names of its anchors, in the order of the fields.
    pub(super) fn anchor_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.fields.iter().flatten() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The fields as indices of [`LadderTable::anchor_names`].
    pub(super) fn fields(&self) -> Vec<Vec<usize>> {
        let names = self.anchor_names();
        let index = |name: &String| names.iter().position(|known| known == name).unwrap_or_default();
        self.fields.iter().map(|field| field.iter().map(index).collect()).collect()
    }

    /// The schedule: agent 0 is rated, and the anchors follow in the order of their names.
    pub fn schedule(&self) -> Schedule {
        let line_up =
            |field: Vec<usize>| std::iter::once(0).chain(field.into_iter().map(|i| i + 1)).collect();
        Schedule::new(self.fields().into_iter().map(line_up).collect())
    }

    /// Number of games behind its anchors' ratings.
    pub fn calibration_games(&self) -> u64 {
        self.calibration_deals * super::calibrate::schedule(self).games_per_deal()
    }

    /// The map.
    ///
    /// # Errors
    /// If it is not shipped any more.
    pub(super) fn spec(&self) -> Result<AnySpec, MapError> {
        maps::find_any(&self.map)
    }

    /// Its game.
    ///
    /// # Errors
    /// If the map is not shipped any more, or is played by other numbers of seats.
    pub(super) fn game(&self) -> Result<AnyGame, GameError> {
        AnyGame::find(&self.map, self.seats)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ttr_agents::Roster;

    use super::*;
    use crate::rate::calibrate::anchor_games;
    use crate::with_game;

    /// Ratings on a ladder are comparable only while it stays the same: a change needs a new version.
    #[test]
    fn version_1_is_what_it_was() {
        assert_eq!(format!("{:016x}", Ladder::v1().hash), "c9dd1f4d54b2f67a");
    }

    #[test]
    fn the_ladder_is_complete() {
        let ladder = Ladder::v1();
        assert_eq!(ladder.id(), "ladder-v1");
        let mut seeds = BTreeSet::new();
        for table in &ladder.tables {
            assert!(seeds.insert(table.seed) && seeds.insert(table.calibration_seed), "{}", table.name);
            assert!(table.fields.iter().all(|field| field.len() + 1 == table.seats), "{}", table.name);
            assert_eq!(table.deals % table.schedule().cycle(), 0, "{}: all orders equally often", table.name);
            assert_eq!(table.ratings[&table.zero], 0.0, "{}", table.name);
            let names = table.anchor_names();
            assert!(names.iter().all(|name| table.ratings[*name].is_finite()), "{}", table.name);
            assert_eq!(table.ratings.len(), names.len(), "{}", table.name);
            for name in names {
                let anchor = ladder.anchor(table, name);
                let resolved =
                    with_game!(table.game().unwrap(), game => Roster::built_in().resolved(&game, &anchor));
                assert_eq!(anchor, resolved, "{}: all settings of {name} are written out", table.name);
            }
        }
    }

    /// Anchors must not change with the program: if they play differently, restore them, or make a new
    /// version of the ladder.
    #[test]
    fn anchors_play_as_they_did() {
        let ladder = Ladder::v1();
        for table in &ladder.tables {
            let games = anchor_games(&ladder, table).unwrap();
            assert_eq!(format!("{games:016x}"), table.anchor_games, "{}", table.name);
        }
    }
}
