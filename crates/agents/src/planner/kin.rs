//! Tables of tuned weights, and the choice of one for a game: that of the most similar game.
//!
//! Only rules count, so a copy of a map has the weights of the original, and a new map those of the map
//! most like it.

use ttr_engine::board::BoardGame;
use ttr_engine::spec::LocomotiveUse;

/// Rules by which games are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Traits {
    /// Completed tickets decide the game, not points.
    race: bool,
    depots: bool,
    tunnels: bool,
    /// Locomotives can be played on tunnels and ferries only.
    locomotives_only_there: bool,
    stations: bool,
    /// The bonus for the most completed tickets.
    most_tickets: u8,
    /// The bonus for the longest path.
    longest_path: u8,
    /// Trains per seat.
    trains: u8,
    /// Spaces of all routes.
    spaces: u16,
    tickets: u16,
    /// Points of all tickets.
    ticket_points: u16,
}

impl Traits {
    fn new(game: &BoardGame) -> Self {
        let rules = &game.spec().rules;
        Self {
            race: rules.journey.is_some(),
            depots: rules.depots.is_some(),
            tunnels: rules.tunnels.is_some(),
            locomotives_only_there: rules.claim.locomotives == LocomotiveUse::TunnelsAndFerries,
            stations: rules.stations.is_some(),
            most_tickets: rules.bonus.most_tickets,
            longest_path: rules.bonus.longest_path,
            trains: rules.trains,
            spaces: game.routes().iter().map(|route| u16::from(route.length)).sum(),
            tickets: game.tickets().len() as u16,
            ticket_points: game.tickets().iter().map(|ticket| u16::from(ticket.points)).sum(),
        }
    }

    /// The distance between two games: 100 for how they are won, 3 to 10 for modules and kinds of routes,
    /// about 1 for the usual differences between boards, sets of tickets and bonuses.
    fn distance(&self, other: &Self) -> f64 {
        let flag = |one: bool, two: bool, cost: f64| if one == two { 0.0 } else { cost };
        let number = |one: f64, two: f64, unit: f64| (one - two).abs() / unit;
        let mean_points = |game: &Self| f64::from(game.ticket_points) / f64::from(game.tickets.max(1));
        flag(self.race, other.race, 100.0)
            + flag(self.depots, other.depots, 8.0)
            + flag(self.tunnels, other.tunnels, 10.0)
            + flag(self.locomotives_only_there, other.locomotives_only_there, 10.0)
            + flag(self.stations, other.stations, 3.0)
            + number(self.most_tickets.into(), other.most_tickets.into(), 10.0)
            + number(self.longest_path.into(), other.longest_path.into(), 10.0)
            + number(self.trains.into(), other.trains.into(), 10.0)
            + number(self.spaces.into(), other.spaces.into(), 100.0)
            + number(self.tickets.into(), other.tickets.into(), 20.0)
            + number(mean_points(self), mean_points(other), 4.0)
    }
}

/// A game whose weights were tuned.
pub(super) struct Kin {
    /// The map that they were tuned on.
    #[cfg(test)]
    map: &'static str,
    traits: Traits,
    /// The weights, by number of seats.
    pub(super) table: &'static str,
}

macro_rules! kin {
    ($($map:literal has { $($trait:ident: $value:literal),* })*) => {
        &[$(Kin {
            #[cfg(test)]
            map: $map,
            traits: Traits { $($trait: $value,)* ..PLAIN },
            table: include_str!(concat!("weights/", $map, ".csv")),
        },)*]
    };
}

/// Traits of most games.
const PLAIN: Traits = Traits {
    race: false,
    depots: false,
    tunnels: false,
    locomotives_only_there: false,
    stations: false,
    most_tickets: 0,
    longest_path: 0,
    trains: 45,
    spaces: 0,
    tickets: 0,
    ticket_points: 0,
};

const TUNED: &[Kin] = kin! {
    "usa" has { longest_path: 10, spaces: 309, tickets: 30, ticket_points: 349 }
    "usa-1910" has { most_tickets: 15, spaces: 309, tickets: 35, ticket_points: 391 }
    "usa+depots" has { depots: true, longest_path: 10, spaces: 309, tickets: 30, ticket_points: 349 }
    "europe" has {
        tunnels: true, stations: true, longest_path: 10, spaces: 300, tickets: 46, ticket_points: 444
    }
    "europe+depots" has {
        depots: true, tunnels: true, stations: true, longest_path: 10, spaces: 300,
        tickets: 46, ticket_points: 444
    }
    "nordic" has {
        tunnels: true, locomotives_only_there: true, most_tickets: 10, trains: 40, spaces: 207,
        tickets: 46, ticket_points: 460
    }
    "first-journey-europe" has { race: true, trains: 20, spaces: 126, tickets: 32 }
};

/// The table of the game most like this one.
pub(super) fn nearest(game: &BoardGame) -> &'static Kin {
    let traits = Traits::new(game);
    let distance = |kin: &&Kin| traits.distance(&kin.traits);
    let kin = TUNED.iter().min_by(|one, two| distance(one).total_cmp(&distance(two)));
    kin.expect("there are tuned games")
}

#[cfg(test)]
mod tests {
    use ttr_engine::maps;
    use ttr_engine::spec::MapSpec;

    use super::*;

    /// The map whose table a game gets.
    fn kin(map: &str, change: impl Fn(&mut MapSpec)) -> &'static str {
        let mut map = maps::find(map).unwrap();
        map.id = "another-name".to_owned();
        change(&mut map);
        nearest(&BoardGame::new(&map, map.seats.min.into()).unwrap()).map
    }

    #[test]
    fn traits_are_those_of_the_maps() {
        for kin in TUNED {
            let map = maps::find(kin.map).unwrap();
            let game = BoardGame::new(&map, map.seats.min.into()).unwrap();
            assert_eq!(kin.traits, Traits::new(&game), "{}", kin.map);
        }
    }

    #[test]
    fn tuned_games_have_their_own_tables() {
        for tuned in TUNED {
            assert_eq!(kin(tuned.map, |_| {}), tuned.map);
        }
    }

    /// House rules and new boards get the table of what they resemble.
    #[test]
    fn other_games_have_the_tables_of_their_kin() {
        assert_eq!(kin("usa", |map| drop(map.tickets.pop())), "usa");
        assert_eq!(kin("usa", |map| map.rules.trains = 35), "usa");
        assert_eq!(kin("europe", |map| map.rules.stations = None), "europe");
        assert_eq!(kin("nordic", |map| map.rules.bonus.most_tickets = 20), "nordic");
        assert_eq!(kin("usa-mega", |_| {}), "usa-1910");
        assert_eq!(kin("usa-big-cities", |_| {}), "usa");
        assert_eq!(kin("usa-mega+depots", |_| {}), "usa+depots");
        assert_eq!(kin("europe-expanded", |_| {}), "europe");
        assert_eq!(kin("europe-mega", |_| {}), "europe");
        assert_eq!(kin("europe-big-cities", |_| {}), "europe");
        assert_eq!(kin("nordic+depots", |_| {}), "nordic");
        assert_eq!(kin("first-journey-usa", |_| {}), "first-journey-europe");
    }
}
