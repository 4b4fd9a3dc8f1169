use super::super::{
    Components, Edge, MAX_CITIES, MAX_STATIONS, StationOptions, TicketEnds, best_station_use, best_stations,
};
use super::{Random, best_stations_by_trying, tally_by_flood};

fn scene(random: &mut Random, tickets: usize) -> (Vec<Edge>, Vec<StationOptions>, Vec<TicketEnds>) {
    let mut board = random.board(5, 4);
    let count = board.len();
    random.pick(&mut board, count);
    let own = board.split_off(count - random.below(count / 2 + 1));
    let mut stations = Vec::new();
    for _ in 0..random.below(4) {
        let city = random.below(20) as u8;
        let taken = 1 + random.below(4);
        let mut opposite = 0;
        for e in &board {
            if (e.a == city || e.b == city) && random.below(4) < taken {
                opposite |= 1 << (e.a ^ e.b ^ city);
            }
        }
        stations.push(StationOptions { city, opposite });
    }
    let tickets = (0..tickets)
        .map(|_| {
            let a = random.below(20);
            TicketEnds {
                a: a as u8,
                b: ((a + 1 + random.below(19)) % 20) as u8,
                points: random.below(22) as u8,
            }
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
        let told = format!("{own:?} {stations:?} {tickets:?}");
        assert_eq!(best_stations(&components, &stations, &tickets), expected, "{told}");

        let best = best_station_use(&components, &stations, &tickets);
        assert_eq!((best.points, best.completed), expected, "{told}");
        // The routes it names are there, are enough, and all are needed.
        let routes = |without: Option<usize>| {
            let mut routes = own.clone();
            for (i, station) in stations.iter().enumerate() {
                if let (Some(b), true) = (best.borrowed[i], without != Some(i)) {
                    assert!(station.opposite & 1 << b != 0, "{told}");
                    routes.push(Edge { a: station.city, b, length: 1 });
                }
            }
            tally_by_flood(&routes, &tickets)
        };
        assert_eq!(routes(None), expected, "{told}");
        for i in (0..MAX_STATIONS).filter(|&i| best.borrowed[i].is_some()) {
            assert!(routes(Some(i)) < expected, "{told}");
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
            let opposite = (0..MAX_CITIES as u8).filter(|c| station.opposite & 1 << c != 0);
            all.extend(opposite.map(|b| Edge { a: station.city, b, length: 1 }));
        }
        assert!(tally_by_flood(&own, &tickets) <= best && best <= tally_by_flood(&all, &tickets));
    }
}

#[test]
fn one_route_a_station() {
    // EU-8: one station, two tickets that would need two routes; the dearer one is won.
    let tickets = [TicketEnds { a: 0, b: 1, points: 5 }, TicketEnds { a: 0, b: 2, points: 8 }];
    let station = StationOptions { city: 0, opposite: 0b110 };
    let none = Components::default();
    assert_eq!(best_stations(&none, &[], &tickets), (-13, 0));
    assert_eq!(best_stations(&none, &[station], &tickets), (3, 1));
    assert_eq!(best_station_use(&none, &[station], &tickets).borrowed, [Some(2), None, None]);
    // Two stations borrow adjacent routes: 1-0 and 0-2.
    let other = StationOptions { city: 1, opposite: 0b1 };
    assert_eq!(best_stations(&none, &[station, other], &tickets), (13, 2));
    assert_eq!(best_stations(&none, &[station, other], &[TicketEnds { a: 1, b: 2, points: 4 }]), (4, 1));
}

#[test]
fn ties_go_to_more_tickets() {
    let tickets = [
        TicketEnds { a: 0, b: 1, points: 8 },
        TicketEnds { a: 0, b: 2, points: 4 },
        TicketEnds { a: 0, b: 3, points: 4 },
    ];
    let components = Components::new(&[Edge { a: 2, b: 3, length: 1 }]);
    let station = StationOptions { city: 0, opposite: 0b1110 };
    assert_eq!(best_stations(&components, &[station], &tickets), (0, 2));
}

#[test]
fn many_tickets_and_routes() {
    // Three hubs among which opponents own many routes, and all tickets of the largest map.
    let mut random = Random(37);
    for round in 0..40 {
        let own: Vec<_> =
            (0..round % 4).map(|i| Edge { a: i, b: 3 + random.below(20) as u8, length: 1 }).collect();
        let stations = [0, 1, 2].map(|city| {
            let opposite = (0..9).fold(0, |set, _| set | 1u64 << (3 + random.below(20)));
            StationOptions { city, opposite }
        });
        let ticket = |_| {
            let a = random.below(23);
            let b = (a + 1 + random.below(22)) % 23;
            TicketEnds { a: a as u8, b: b as u8, points: 1 + random.below(20) as u8 }
        };
        let tickets: Vec<_> = (0..112).map(ticket).collect();
        let expected = best_stations_by_trying(&own, &stations, &tickets);
        let found = best_stations(&Components::new(&own), &stations, &tickets);
        assert_eq!(found, expected, "{own:?} {stations:?} {tickets:?}");
    }
}
