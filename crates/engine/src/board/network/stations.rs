//! The best use of stations (EU-9).
//!
//! Tickets depend on components only: a station may join its own component to one of the components at
//! the other ends of the opponents' routes. Routes into the same component are therefore one option, and
//! an option is dropped if it leads neither to a ticket's end nor to another station's option.

use super::{CITIES, CITY_MASK, Components, members};
use crate::pieces::{CityId, CitySet};

pub use crate::spec::MAX_STATIONS;

/// Number of tickets that the fast path has room for; more are allowed.
const MANY_TICKETS: usize = 24;

/// A station and the routes it may borrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StationOptions {
    /// The city of the station.
    pub city: CityId,
    /// The opposite cities of other seats' routes that end there.
    pub opposite: CitySet,
}

/// A ticket, reduced to what scoring needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicketEnds {
    /// One city.
    pub a: CityId,
    /// The other city.
    pub b: CityId,
    /// Points won if completed, lost if not.
    pub points: u8,
}

/// The result of the tickets with the best use of the stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StationUse {
    /// Points of completed tickets minus points of the others.
    pub points: i16,
    /// Number of completed tickets.
    pub completed: u8,
    /// For each station, the opposite city of the route it borrows, or `None` if it needs none.
    pub borrowed: [Option<CityId>; MAX_STATIONS],
}

/// EU-9: the best ticket points, then the most completed tickets, over all ways to let each station
/// count one of its routes or none.
///
/// # Panics
///
/// With more than [`MAX_STATIONS`] stations.
#[inline]
pub fn best_stations(
    components: &Components,
    stations: &[StationOptions],
    tickets: &[TicketEnds],
) -> (i16, u8) {
    best_stations_counted(components, stations, tickets, &mut 0)
}

/// Like [`best_stations`], but also adds the cost of the search to `work`: the tickets, or pairs of joined
/// components, that it looks at. A unit takes about a nanosecond.
#[inline]
pub(super) fn best_stations_counted(
    components: &Components,
    stations: &[StationOptions],
    tickets: &[TicketEnds],
    work: &mut u64,
) -> (i16, u8) {
    let best = choose(components, stations, tickets, work);
    (best.points, best.completed)
}

/// Like [`best_stations`], and names the borrowed routes. Among equally good solutions, it returns one
/// in which every borrowed route is needed.
///
/// # Panics
///
/// With more than [`MAX_STATIONS`] stations.
pub fn best_station_use(
    components: &Components,
    stations: &[StationOptions],
    tickets: &[TicketEnds],
) -> StationUse {
    let (best, joins) = search(components, stations, tickets, tally(components, tickets), &mut 0);
    let mut borrowed = [None; MAX_STATIONS];
    for ((borrowed, join), station) in borrowed.iter_mut().zip(joins).zip(stations) {
        *borrowed = station.opposite.into_iter().find(|&city| join == label_bit(components, city));
    }
    // A station whose route changes nothing borrows none.
    for i in 0..stations.len() {
        let spare = borrowed[i].take();
        let mut joined = components.clone();
        for (station, city) in stations.iter().zip(borrowed) {
            if let Some(city) = city {
                joined.join(station.city, city);
            }
        }
        if tally(&joined, tickets) != best {
            borrowed[i] = spare;
        }
    }
    StationUse { points: best.points, completed: best.completed, borrowed }
}

/// The result of the tickets.
#[derive(Clone, Copy, PartialEq, Eq)]
struct TicketScore {
    points: i16,
    completed: u8,
}

/// The points of the tickets and the number completed, without stations (CC-32).
#[inline]
pub(crate) fn score_tickets(components: &Components, tickets: impl Iterator<Item = TicketEnds>) -> (i16, u8) {
    tickets.fold((0, 0), |(points, completed), ticket| {
        let joined = components.joined(ticket.a, ticket.b);
        let worth = i16::from(ticket.points);
        (points + if joined { worth } else { -worth }, completed + u8::from(joined))
    })
}

/// The result with these components and no station.
#[inline]
fn tally(components: &Components, tickets: &[TicketEnds]) -> TicketScore {
    let (points, completed) = score_tickets(components, tickets.iter().copied());
    TicketScore { points, completed }
}

#[inline]
fn choose(
    components: &Components,
    stations: &[StationOptions],
    tickets: &[TicketEnds],
    work: &mut u64,
) -> TicketScore {
    let tally = tally(components, tickets);
    if stations.is_empty() || usize::from(tally.completed) == tickets.len() {
        tally
    } else {
        search(components, stations, tickets, tally, work).0
    }
}

/// A station as the component it is in and the components it may join, as sets of labels.
#[derive(Clone, Copy, Default)]
struct Joins {
    own: u64,
    others: u64,
}

/// The value of completing a ticket, as one number to be maximised: points count first (from lost to
/// won, hence twice), then tickets.
#[inline]
fn worth(ticket: &TicketEnds) -> u32 {
    u32::from(ticket.points) << 9 | 1
}

/// Improves on the result without stations. Also returns, for each station, the label it is joined to,
/// as a set.
fn search(
    components: &Components,
    stations: &[StationOptions],
    tickets: &[TicketEnds],
    without: TicketScore,
    work: &mut u64,
) -> (TicketScore, [u64; MAX_STATIONS]) {
    assert!(stations.len() <= MAX_STATIONS);
    let mut joins = [Joins::default(); MAX_STATIONS];
    let mut touched = 0;
    for (joins, station) in joins.iter_mut().zip(stations) {
        let own = label_bit(components, station.city);
        let labels = station.opposite.into_iter().fold(0, |set, city| set | label_bit(components, city));
        let others = labels & !own;
        if others != 0 {
            *joins = Joins { own, others };
            touched |= own | others;
        }
    }

    // Only tickets between two components that stations touch can be won.
    let mut ends = [0; MANY_TICKETS];
    let mut worths = [0; MANY_TICKETS];
    let mut open = 0;
    let mut wanted = 0;
    let mut hoped = 0;
    for ticket in tickets {
        let both = label_bit(components, ticket.a) | label_bit(components, ticket.b);
        if both & !touched == 0 && both & (both - 1) != 0 {
            if open < MANY_TICKETS {
                ends[open] = both;
                worths[open] = worth(ticket);
            }
            open += 1;
            wanted |= both;
            hoped += worth(ticket);
        }
    }
    if open == 0 {
        return (without, [0; MAX_STATIONS]);
    }
    drop_useless(&mut joins, wanted);

    let (gain, chosen) = if open <= MANY_TICKETS {
        let (ends, worths) = (&ends[..open], &worths[..open]);
        best_joins(&joins, hoped, |joined| {
            *work += open as u64;
            let won = |&(&both, _): &(&u64, _)| joined.iter().any(|set| both & !set == 0);
            ends.iter().zip(worths).filter(won).map(|(_, &worth)| worth).sum()
        })
    } else {
        // Tickets by their two components, so that the time does not depend on their number.
        let mut between = [[0; CITIES]; CITIES];
        for ticket in tickets {
            let (a, b) = (components.label(ticket.a), components.label(ticket.b));
            if a != b {
                between[a.min(b).index()][a.max(b).index()] += worth(ticket);
            }
        }
        best_joins(&joins, hoped, |joined| {
            let pairs = |set: u64| u64::from(set.count_ones().pow(2) / 2);
            *work += joined.iter().map(|&set| pairs(set)).sum::<u64>();
            let won = |&set: &u64| -> u32 {
                // The members of a set after one of them.
                let beyond = |a: usize| members(set & u64::MAX << a ^ 1 << a);
                let with_a = |a: usize| beyond(a).map(|b| between[a & CITY_MASK][b & CITY_MASK]).sum::<u32>();
                members(set).map(with_a).sum()
            };
            joined.iter().map(won).sum()
        })
    };
    let tally = TicketScore {
        points: without.points + (gain >> 8) as i16,
        completed: without.completed + (gain & 0xff) as u8,
    };
    (tally, chosen)
}

/// Drops the joins that cannot help: a component that is neither a ticket's end (`wanted`) nor a
/// station's own can only link two stations, and one such link is as good as another.
#[inline]
fn drop_useless(joins: &mut [Joins; MAX_STATIONS], wanted: u64) {
    let [a, b, c] = joins.map(|j| j.others);
    let useful = wanted | joins[0].own | joins[1].own | joins[2].own;
    let all = lowest(a & b & c & !useful);
    let [mut ab, mut ac, mut bc] = [0; 3];
    if all == 0 {
        (ab, ac, bc) = (lowest(a & b & !useful), lowest(a & c & !useful), lowest(b & c & !useful));
    }
    joins[0].others &= useful | all | ab | ac;
    joins[1].others &= useful | all | ab | bc;
    joins[2].others &= useful | all | ac | bc;
}

/// The choice of one join per station that maximises the `value` of the joined components.
#[inline]
fn best_joins(
    joins: &[Joins; MAX_STATIONS],
    hoped: u32,
    mut value: impl FnMut(&[u64; MAX_STATIONS]) -> u32,
) -> (u32, [u64; MAX_STATIONS]) {
    let mut best = (0, [0; MAX_STATIONS]);
    // Joining never loses a ticket (I-19), so a station that can join something does.
    each_singleton(joins[0].others, |x| {
        let a = joins[0].own | x;
        each_singleton(joins[1].others, |y| {
            let (ab, b) = merge(a, joins[1].own | y);
            each_singleton(joins[2].others, |z| {
                let (bc, c) = merge(b, joins[2].own | z);
                let (abc, c) = merge(ab, c);
                let (abc, bc) = merge(abc, bc);
                let gain = value(&[abc, bc, c]);
                if gain > best.0 {
                    best = (gain, [x, y, z]);
                }
                gain < hoped
            })
        })
    });
    best
}

/// The label of a city's component, as a set.
#[inline]
fn label_bit(components: &Components, city: CityId) -> u64 {
    1 << components.label(city).to_u8()
}

/// Merges two sets into one if they share a member.
#[inline]
fn merge(a: u64, b: u64) -> (u64, u64) {
    if a & b != 0 { (a | b, 0) } else { (a, b) }
}

/// Calls `visit` with every member as a set of one, as long as it returns `true`; for an empty set, with
/// the set itself.
#[inline]
fn each_singleton(mut set: u64, mut visit: impl FnMut(u64) -> bool) -> bool {
    loop {
        let one = lowest(set);
        set ^= one;
        if !visit(one) {
            return false;
        }
        if set == 0 {
            return true;
        }
    }
}

#[inline]
fn lowest(set: u64) -> u64 {
    set & set.wrapping_neg()
}
