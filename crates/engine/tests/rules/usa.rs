//! Section 10: the USA boards.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Dice, Event, Game, Seat, TicketId};

use crate::{MARKET, game, pile, starts, ticket_set};

const MAPS: [&str; 4] = ["usa", "usa-1910", "usa-mega", "usa-big-cities"];

/// What sets the four maps apart.
struct Setting {
    map: &'static str,
    tickets: usize,
    opening: u8,
    keep: u8,
    draw: usize,
    longest_path: i16,
    most_tickets: i16,
}

fn assert_setting(setting: &Setting) {
    let &Setting { map, tickets, opening, keep, draw, longest_path, most_tickets } = setting;
    let game = game(map, 2);
    assert_eq!(game.tickets().len(), tickets);

    // The opening: `opening` tickets, of which at least `keep` are kept.
    let mut dice = Dice::from_seed(3);
    let mut table = Table::at(&game, game.deal(&mut dice));
    assert_eq!(table.seen_by(table.seat()).offered().len(), usize::from(opening));
    for choice in 0u8..1 << opening {
        let legal = game.is_legal(table.state(), Action::Keep(choice));
        assert_eq!(legal, choice.count_ones() >= u32::from(keep), "{map}: {choice:b}");
    }

    // The draw: `draw` tickets, of which at least one is kept.
    table = Table::new(&game);
    table.market(MARKET);
    let drawn: Vec<_> = (0..draw).map(|id| Event::Ticket(TicketId::new(id))).collect();
    table.play("tickets", drawn).unwrap();
    assert_eq!(table.actions().len(), (1 << draw) - 1, "{map}");

    // Bonuses: seat 0 has a long path, seat 1 a completed ticket.
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Calgary-Winnipeg"]).routes(1, ["Los Angeles-Phoenix"]);
    let ticket = game.ticket_ids().find(|&id| {
        let ends = game.ticket(id).ends;
        ends.map(|city| game.city_name(city)).contains(&"Chicago")
    });
    let ticket = ticket.expect("a ticket of Chicago");
    let [a, b] = game.tickets()[ticket.index()].ends;
    let path = path(&game, a, b);
    table.routes(1, path.iter().map(String::as_str)).tickets(1, [game.ticket_name(ticket).as_str()]);
    let sheet = game.score_sheet(table.state());
    assert_eq!((sheet[0].completed, sheet[1].completed), (0, 1), "{map}: {path:?}");
    assert_eq!([sheet[0].most_tickets_bonus, sheet[1].most_tickets_bonus], [0, most_tickets], "{map}");
    let longest = [&sheet[0], &sheet[1]].map(|seat| seat.longest_path_bonus);
    assert_eq!(longest.iter().sum::<i16>(), longest_path, "{map}");
    if longest_path > 0 {
        assert_eq!(longest[0] > 0, sheet[0].longest_path > sheet[1].longest_path);
    }
}

/// Some free routes that join two cities, by name.
fn path(game: &ttr_engine::board::BoardGame, a: ttr_engine::CityId, b: ttr_engine::CityId) -> Vec<String> {
    let mut reached = vec![(a, Vec::new())];
    let mut next = 0;
    while let Some((city, way)) = reached.get(next).cloned() {
        if city == b {
            return way;
        }
        next += 1;
        for (index, route) in game.routes().iter().enumerate() {
            if !route.ends.contains(&city) {
                continue;
            }
            let other = if route.ends[0] == city { route.ends[1] } else { route.ends[0] };
            if reached.iter().all(|(known, _)| *known != other) {
                let name = game.route_name(ttr_engine::RouteId::new(index));
                reached.push((other, [way.clone(), vec![name]].concat()));
            }
        }
    }
    panic!("no way")
}

/// US-1: `usa`: 30 tickets, 3 dealt (keep 2), 3 drawn (keep 1), longest path 10.
#[test]
fn us_1_usa() {
    let map = "usa";
    assert_setting(&Setting {
        map,
        tickets: 30,
        opening: 3,
        keep: 2,
        draw: 3,
        longest_path: 10,
        most_tickets: 0,
    });
}

/// US-2: `usa-1910`: 35 tickets, 3 dealt (keep 2), 3 drawn (keep 1), Globetrotter 15.
#[test]
fn us_2_usa_1910() {
    let map = "usa-1910";
    assert_setting(&Setting {
        map,
        tickets: 35,
        opening: 3,
        keep: 2,
        draw: 3,
        longest_path: 0,
        most_tickets: 15,
    });
}

/// US-3: `usa-mega`: 69 tickets, 5 dealt (keep 3), 4 drawn (keep 1), both bonuses.
#[test]
fn us_3_usa_mega() {
    let map = "usa-mega";
    assert_setting(&Setting {
        map,
        tickets: 69,
        opening: 5,
        keep: 3,
        draw: 4,
        longest_path: 10,
        most_tickets: 15,
    });
}

/// US-4: `usa-big-cities`: 35 tickets, 4 dealt (keep 2), 4 drawn (keep 1), no bonus.
#[test]
fn us_4_usa_big_cities() {
    let map = "usa-big-cities";
    assert_setting(&Setting {
        map,
        tickets: 35,
        opening: 4,
        keep: 2,
        draw: 4,
        longest_path: 0,
        most_tickets: 0,
    });
}

/// Section 10: two to five seats, 45 trains, four cards; no stations, tunnels or ferries; locomotives
/// everywhere.
#[test]
fn section_10_numbers() {
    for map in MAPS {
        for seats in 2..=5 {
            let game = game(map, seats);
            let table = Table::at(&game, game.deal(&mut Dice::from_seed(1)));
            for seat in 0..seats as u8 {
                assert_eq!((table.trains_of(seat), table.hand_of(seat).total()), (45, 4), "{map}");
            }
            assert!(game.routes().iter().all(|route| !route.tunnel && route.ferry == 0), "{map}");
        }
        let game = game(map, 2);
        assert!(ttr_engine::board::BoardGame::new(game.spec(), 1).is_err());
        assert!(ttr_engine::board::BoardGame::new(game.spec(), 6).is_err());
        let mut table = Table::new(&game);
        table.hand(0, [(Locomotive, 6), (Red, 1)]).market(MARKET);
        assert!(table.actions_like("station").is_empty());
        table.play("claim Calgary-Winnipeg in 6 locomotives", []).unwrap();
        assert_eq!(table.points_of(0), 15);
    }
}

/// Section 10: flush at three locomotives, and the face-up locomotive ends the draw, on all four maps.
#[test]
fn section_10_market() {
    for map in MAPS {
        let game = game(map, 2);
        let mut table = Table::new(&game);
        table.market([Locomotive, Locomotive, Blue, White, Green]);
        let mut other = table.clone();
        table.play("take blue", [cards([Locomotive]), cards([Red; 5])].concat()).unwrap();
        assert_eq!(table.piles()[2], pile([(Red, 5)]), "{map}");
        other.play("take locomotive", cards([Red])).unwrap();
        assert_eq!(other.seat(), 1, "{map}");
    }
}

/// Section 10: both tracks are open from four seats on.
#[test]
fn section_10_twins() {
    for map in MAPS {
        for seats in 2..=5 {
            let game = game(map, seats);
            let mut table = Table::new(&game);
            table.hand(1, [(Orange, 2)]).market([Red, Red, Blue, Blue, Blue]).turn(1);
            table.routes(0, ["New York-Washington/black"]);
            let claim = table.play("claim New York-Washington/orange in orange", []);
            assert_eq!(claim.is_ok(), seats >= 4, "{map}, {seats} seats");
        }
    }
}

/// A deal of USA for two seats: seat 0 is offered tickets 0 to 2, and seat 1 tickets 3 to 5.
fn dealt(game: &ttr_engine::board::BoardGame) -> Table<'_> {
    let mut events = vec![starts(0)];
    events.extend(cards([Red, Red, Red, Red, White, White, White, White]));
    events.extend(cards(MARKET));
    events.extend((0..3).map(|id| Event::Ticket(TicketId::new(id))));
    Table::deal(game, events)
}

/// Section 10, CC-3: the opening tickets that nobody kept are one batch under the deck, after the last
/// choice; there is no box.
#[test]
fn section_10_unkept_opening_tickets_go_under_the_deck_together() {
    let game = game("usa", 2);
    let mut table = dealt(&game);
    table.act(Action::Keep(0b011), (3..6).map(|id| Event::Ticket(TicketId::new(id)))).unwrap();
    assert!(table.seen_by(0).facts().bottom.is_empty(), "nothing is put back before the last choice");
    assert_eq!(table.seen_by(0).ticket_deck_size(), 24);
    table.act(Action::Keep(0b110), []).unwrap();
    assert_eq!(table.phase(), Phase::Main);
    let bottom = table.seen_by(0).facts().bottom;
    assert_eq!(bottom.len(), 1, "one batch");
    assert_eq!((bottom[0].size, bottom[0].by.as_slice(), bottom[0].own), (2, &[1, 1][..], ticket_set([2])));
    assert_eq!(table.seen_by(0).ticket_deck_size(), 24 + 2, "no box");

    // The 24 that nobody has seen are drawn first, eight times three.
    for draw in 0..8 {
        let ids = (6 + 3 * draw)..(9 + 3 * draw);
        table.act(Action::DrawTickets, ids.map(|id| Event::Ticket(TicketId::new(id)))).unwrap();
        table.act(Action::Keep(0b111), []).unwrap();
    }
    // Then the two of the opening, in any order.
    for order in [[2, 3], [3, 2]] {
        let mut table = table.clone();
        table.act(Action::DrawTickets, order.map(|id| Event::Ticket(TicketId::new(id)))).unwrap();
        assert_eq!(table.actions().len(), 3);
    }
}

/// Section 10: drawn tickets that are not kept go under the deck, behind those of the opening.
#[test]
fn section_10_unkept_drawn_tickets_go_to_the_bottom() {
    let game = game("usa", 2);
    let mut table = dealt(&game);
    table.act(Action::Keep(0b011), (3..6).map(|id| Event::Ticket(TicketId::new(id)))).unwrap();
    table.act(Action::Keep(0b111), []).unwrap();
    table.act(Action::DrawTickets, (6..9).map(|id| Event::Ticket(TicketId::new(id)))).unwrap();
    table.act(Action::Keep(0b001), []).unwrap();
    let sizes: Vec<_> = table.seen_by(1).facts().bottom.iter().map(|batch| batch.size).collect();
    assert_eq!(sizes, [1, 2]);
    assert_eq!(table.seen_by(1).ticket_deck_size(), 24 - 3 + 1 + 2);
}

/// Section 10: two trains or fewer start the final round.
#[test]
fn section_10_end_trigger() {
    for map in MAPS {
        for (left, starts) in [(3, false), (2, true)] {
            let game = game(map, 2);
            let mut table = Table::new(&game);
            table.hand(0, [(Purple, 3)]).market([Red, Red, Blue, Blue, Blue]).trains(0, left + 3);
            table.play("claim Helena-Salt Lake City in purple", []).unwrap();
            assert_eq!(table.seen_by(0).final_turns().is_some(), starts, "{map}, {left} left");
        }
    }
}

/// 24 points each: seat 0 by the longest path (two routes of four), seat 1 by routes alone, in pieces.
fn tied(game: &ttr_engine::board::BoardGame) -> Table<'_> {
    let mut table = Table::new(game);
    table.market(MARKET).routes(0, ["Denver-Oklahoma City", "Denver-Omaha"]);
    table.routes(1, ["Calgary-Helena", "Helena-Salt Lake City", "Montréal-Sault St. Marie"]);
    table.routes(1, ["Charleston-Raleigh", "Atlanta-Nashville"]);
    table
}

/// Section 10: of equal points most completed tickets win, then the holder of the longest-path bonus, else
/// both.
#[test]
fn section_10_ties() {
    let game = game("usa", 2);
    let mut table = tied(&game);
    let scores = game.scores(table.state());
    assert_eq!(scores.points.as_slice(), [24, 24]);
    assert_eq!(scores.ranks.as_slice(), [0, 1], "the holder of the bonus");
    // Seven points won and seven lost: the tie stays, and seat 1 has completed one ticket more.
    table.tickets(1, ["Calgary-Salt Lake City", "Chicago-New Orleans"]);
    let scores = game.scores(table.state());
    assert_eq!((scores.points.as_slice(), scores.ranks.as_slice()), (&[24, 24][..], &[1, 0][..]));
    // Both hold the bonus, neither has a ticket: shared.
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Denver-Omaha"]).routes(1, ["Dallas-El Paso"]);
    let scores = game.scores(table.state());
    assert_eq!((scores.points.as_slice(), scores.ranks.as_slice()), (&[17, 17][..], &[0, 0][..]));
    assert_eq!(scores.winners().collect::<Vec<_>>(), [Seat::new(0), Seat::new(1)]);
}

/// Section 10: without a longest-path bonus nobody holds it, and a tie stays a tie.
#[test]
fn section_10_ties_without_a_longest_path() {
    let game = game("usa-big-cities", 2);
    let mut table = Table::new(&game);
    // 14 points each: a path of eight, and two paths of four.
    table.market(MARKET).routes(0, ["Denver-Oklahoma City", "Denver-Omaha"]);
    table.routes(1, ["Dallas-El Paso", "Calgary-Helena"]);
    let scores = game.scores(table.state());
    assert_eq!((scores.points.as_slice(), scores.ranks.as_slice()), (&[14, 14][..], &[0, 0][..]));
}

/// Section 10, A-35: all who share the maximum get a bonus, but nobody for a maximum of 0.
#[test]
fn section_10_bonus_ties() {
    let game = game("usa-mega", 3);
    let mut table = Table::new(&game);
    table.market(MARKET);
    assert_eq!(game.scores(table.state()).points.as_slice(), [0, 0, 0]);
    table.routes(0, ["Denver-Omaha"]).routes(1, ["Dallas-El Paso"]).routes(2, ["Atlanta-Nashville"]);
    let sheet = game.score_sheet(table.state());
    let bonus: Vec<_> = sheet.iter().map(|seat| (seat.longest_path_bonus, seat.most_tickets_bonus)).collect();
    assert_eq!(bonus, [(10, 0), (10, 0), (0, 0)]);
}
