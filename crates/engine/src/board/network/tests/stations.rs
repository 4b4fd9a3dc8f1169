use super::super::stations::best_stations_counted;
use super::super::{
    Components, Edge, MAX_STATIONS, StationOptions, TicketEnds, best_station_use, best_stations,
};
use super::worst::MOST_WORK;
use super::{Random, best_stations_by_trying, edge, tally_by_flood};
use crate::pieces::{CityId, CitySet};

fn ticket(a: usize, b: usize, points: u8) -> TicketEnds {
    TicketEnds { a: CityId::new(a), b: CityId::new(b), points }
}

fn station<const N: usize>(city: usize, opposite: [usize; N]) -> StationOptions {
    StationOptions { city: CityId::new(city), opposite: opposite.into_iter().map(CityId::new).collect() }
}

fn scene(random: &mut Random, tickets: usize) -> (Vec<Edge>, Vec<StationOptions>, Vec<TicketEnds>) {
    let mut board = random.board(5, 4);
    let count = board.len();
    random.pick(&mut board, count);
    let own = board.split_off(count - random.below(count / 2 + 1));
    let mut stations = Vec::new();
    for _ in 0..random.below(4) {
        let city = CityId::new(random.below(20));
        let taken = 1 + random.below(4);
        let mut opposite = CitySet::EMPTY;
        for e in &board {
            if e.ends().contains(city) && random.below(4) < taken {
                opposite.insert(e.opposite(city));
            }
        }
        stations.push(StationOptions { city, opposite });
    }
    let tickets = (0..tickets)
        .map(|_| {
            let a = random.below(20);
            let b = (a + 1 + random.below(19)) % 20;
            ticket(a, b, random.below(22) as u8)
        })
        .collect();
    (own, stations, tickets)
}

#[test]
fn agrees_with_trying() {
    let mut random = Random(3);
    for round in 0..12_000 {
        let tickets = if round % 100 == 0 { 40 } else { random.below(9) };
        let (own, stations, tickets) = scene(&mut random, tickets);
        let components = Components::new(&own);
        let expected = best_stations_by_trying(&own, &stations, &tickets);
        let scene = format!("{own:?} {stations:?} {tickets:?}");
        assert_eq!(best_stations(&components, &stations, &tickets), expected, "{scene}");

        let best = best_station_use(&components, &stations, &tickets);
        assert_eq!((best.points, best.completed), expected, "{scene}");
        // The named routes exist, are sufficient, and are all needed.
        let routes = |without: Option<usize>| {
            let mut routes = own.clone();
            for (i, station) in stations.iter().enumerate() {
                if let (Some(b), true) = (best.borrowed[i], without != Some(i)) {
                    assert!(station.opposite.contains(b), "{scene}");
                    routes.push(Edge { a: station.city, b, length: 1 });
                }
            }
            tally_by_flood(&routes, &tickets)
        };
        assert_eq!(routes(None), expected, "{scene}");
        for i in (0..MAX_STATIONS).filter(|&i| best.borrowed[i].is_some()) {
            assert!(routes(Some(i)) < expected, "{scene}");
        }
    }
}

#[test]
fn bounded_by_none_and_all() {
    // I-25.
    let mut random = Random(5);
    for _ in 0..2_000 {
        let (own, stations, tickets) = scene(&mut random, 6);
        let best = best_stations(&Components::new(&own), &stations, &tickets);
        let mut all = own.clone();
        for station in &stations {
            all.extend(station.opposite.into_iter().map(|b| Edge { a: station.city, b, length: 1 }));
        }
        assert!(tally_by_flood(&own, &tickets) <= best && best <= tally_by_flood(&all, &tickets));
    }
}

#[test]
fn one_route_a_station() {
    // EU-8: one station and two tickets that would need two routes; the more valuable ticket is won.
    let tickets = [ticket(0, 1, 5), ticket(0, 2, 8)];
    let one = station(0, [1, 2]);
    let none = Components::default();
    assert_eq!(best_stations(&none, &[], &tickets), (-13, 0));
    assert_eq!(best_stations(&none, &[one], &tickets), (3, 1));
    assert_eq!(best_station_use(&none, &[one], &tickets).borrowed, [Some(CityId::new(2)), None, None]);
    // Two stations borrow adjacent routes: 1-0 and 0-2.
    let other = station(1, [0]);
    assert_eq!(best_stations(&none, &[one, other], &tickets), (13, 2));
    assert_eq!(best_stations(&none, &[one, other], &[ticket(1, 2, 4)]), (4, 1));
}

#[test]
fn ties_go_to_more_tickets() {
    let tickets = [ticket(0, 1, 8), ticket(0, 2, 4), ticket(0, 3, 4)];
    let components = Components::new(&[edge(2, 3, 1)]);
    assert_eq!(best_stations(&components, &[station(0, [1, 2, 3])], &tickets), (0, 2));
}

#[test]
fn many_tickets_and_routes() {
    // Three hubs among which opponents own many routes, and all tickets of the largest map.
    let mut random = Random(37);
    for round in 0..40 {
        let own: Vec<_> = (0..round % 4).map(|i| edge(i, 3 + random.below(20), 1)).collect();
        let stations = [0, 1, 2].map(|city| station(city, [(); 9].map(|()| 3 + random.below(20))));
        let any_ticket = |_| {
            let a = random.below(23);
            let b = (a + 1 + random.below(22)) % 23;
            ticket(a, b, 1 + random.below(20) as u8)
        };
        let tickets: Vec<_> = (0..112).map(any_ticket).collect();
        let expected = best_stations_by_trying(&own, &stations, &tickets);
        let mut work = 0;
        let found = best_stations_counted(&Components::new(&own), &stations, &tickets, &mut work);
        assert_eq!(found, expected, "{own:?} {stations:?} {tickets:?}");
        assert!(work < 4_000, "{work}");
    }
}

/// Three stations with as many options as the 128 routes of a legal board allow, and tickets so different
/// that most options matter. Trying them all takes too long, so only the work is checked.
#[test]
fn the_most_options_take_bounded_work() {
    let mut random = Random(41);
    let mut worst = 0;
    for round in 0..300 {
        let stations = [0, 1, 2].map(|city: usize| StationOptions {
            city: CityId::new(city),
            opposite: (3..64).filter(|to| (to + 20 * city) % 61 < 42).map(CityId::new).collect(),
        });
        let any_ticket = |i: usize| {
            let a = (2 * i + random.below(2)) % 64;
            ticket(a, (a + 1 + random.below(63)) % 64, 1 + random.below(20) as u8)
        };
        let tickets: Vec<_> = (0..5 + round % 100).map(any_ticket).collect();
        let mut work = 0;
        best_stations_counted(&Components::default(), &stations, &tickets, &mut work);
        worst = worst.max(work);
    }
    println!("worst {worst}");
    assert!((100_000..MOST_WORK / 10).contains(&worst), "{worst}");
}
