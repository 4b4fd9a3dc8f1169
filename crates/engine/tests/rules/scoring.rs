//! Final scores, bonuses and tie-breaks: CC-32, EU-10, EU-11, NO-10, NO-11, A-15, A-35, A-57.

mod oracles;

use crate::europe::{MARKET, europe};
use crate::nordic::variant;
use ttr_engine::board::{BoardGame, ScoreSheet};
use ttr_engine::testing::Table;
use ttr_engine::{Game, maps};

fn nordic(seats: usize) -> BoardGame {
    BoardGame::new(&maps::load("nordic").unwrap(), seats).unwrap()
}

/// The score sheet, after comparing it with the result.
fn sheet(table: &Table) -> ScoreSheet {
    let sheet = table.game.score_sheet(table.finish().state());
    let scores = table.game.scores(table.state());
    assert!(sheet.iter().map(|seat| seat.total).eq(scores.points.iter().copied()));
    assert!(sheet.iter().map(|seat| seat.rank).eq(scores.ranks.iter().copied()));
    sheet
}

fn totals(sheet: &ScoreSheet) -> Vec<i16> {
    sheet.iter().map(|seat| seat.total).collect()
}

fn ranks(sheet: &ScoreSheet) -> Vec<u8> {
    sheet.iter().map(|seat| seat.rank).collect()
}

/// EU-10, W-EU-10, CC-32: route points, tickets, four per unbuilt station, ten for the longest path.
#[test]
fn eu_10_final_score() {
    let game = europe(3);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Budapest-Sarajevo", "Sarajevo-Sofia", "Petrograd-Stockholm"]);
    table.routes(1, ["Moskva-Smolensk", "Smolensk-Wilno", "Kyiv-Wilno"]);
    table.stations(0, ["Roma"]).stations(2, ["Paris", "London", "Wien"]);
    table.tickets(0, ["Budapest-Sofia", "Palermo-Moskva"]).tickets(1, ["Kyiv-Petrograd"]);
    table.tickets(2, ["Edinburgh-Athina", "Paris-Wien"]);
    let sheet = sheet(&table);
    // Seat 0: 4 + 2 + 21, then +5 - 20, two stations, and the longest path of 8.
    assert_eq!((sheet[0].routes, sheet[0].tickets, sheet[0].stations), (27, -15, 8));
    assert_eq!((sheet[0].longest_path, sheet[0].longest_path_bonus), (8, 10));
    assert_eq!((sheet[0].completed, sheet[0].failed, sheet[0].stations_built), (1, 1, 1));
    // Seat 1: 2 + 4 + 2, one failed ticket, three stations, a path of 7.
    assert_eq!((sheet[1].routes, sheet[1].tickets, sheet[1].stations), (8, -6, 12));
    assert_eq!((sheet[1].longest_path, sheet[1].longest_path_bonus), (7, 0));
    // Seat 2: nothing but failed tickets; a total may be negative.
    assert_eq!(totals(&sheet), [30, 14, -29]);
    assert_eq!(ranks(&sheet), [0, 1, 2]);
    assert!(sheet.iter().all(|seat| seat.most_tickets_bonus == 0));
}

/// EU-10, A-35: everybody with the longest path gets the bonus; a longest path of 0 is nobody's.
#[test]
fn eu_10_bonus_ties() {
    let game = europe(3);
    let mut table = Table::new(&game);
    table.market(MARKET);
    assert_eq!(totals(&sheet(&table)), [12, 12, 12], "no route, no bonus");
    table.routes(0, ["Moskva-Smolensk", "Smolensk-Wilno"]).routes(1, ["Budapest-Sarajevo", "Sarajevo-Sofia"]);
    table.routes(2, ["Cadiz-Madrid", "Berlin-Danzig"]);
    assert_eq!(totals(&sheet(&table)), [12 + 6 + 10, 12 + 6 + 10, 12 + 4 + 7]);
}

/// CC-33, EU-10: a path may pass a city again but not a route; branches and separate networks do not add up.
#[test]
fn cc_33_longest_path() {
    let game = europe(2);
    let longest = |routes: &[&str]| {
        let mut table = Table::new(&game);
        table.market(MARKET).routes(0, routes.iter().copied());
        sheet(&table)[0].longest_path
    };
    // A loop Paris-Frankfurt-Bruxelles of 3 + 2 + 2, with a tail at Paris.
    let ring = ["Frankfurt-Paris/white", "Bruxelles-Frankfurt", "Bruxelles-Paris/red"];
    assert_eq!(longest(&ring), 7);
    assert_eq!(longest(&[&ring[..], &["Dieppe-Paris"]].concat()), 8, "the loop and the tail");
    // Two tails at one city of the loop: in on one, around, out on the other.
    assert_eq!(longest(&[&ring[..], &["Dieppe-Paris", "Brest-Paris"]].concat()), 11);
    // Tails at different cities: the whole loop and one of them, or both without the loop's shorter side.
    assert_eq!(longest(&[&ring[..], &["Brest-Paris", "Frankfurt-Munchen"]].concat()), 7 + 3);
    let tails = ["Brest-Paris", "Amsterdam-Bruxelles", "Amsterdam-Essen"];
    assert_eq!(longest(&[&ring[..], &tails].concat()), 3 + 5 + 4);
    // A star: the two longest branches.
    assert_eq!(longest(&["Brest-Paris", "Dieppe-Paris", "Marseille-Paris"]), 7);
    // Separate networks.
    assert_eq!(longest(&["Brest-Paris", "Cadiz-Madrid", "Kyiv-Wilno"]), 3);
}

/// EU-11: of equal points, most completed tickets.
#[test]
fn eu_11_completed_tickets_first() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Budapest-Sarajevo", "Sarajevo-Sofia"]).tickets(0, ["Budapest-Sofia"]);
    table.routes(1, ["Moskva-Smolensk", "Smolensk-Wilno", "Cadiz-Madrid", "Dieppe-Paris"]);
    let sheet = sheet(&table);
    assert_eq!(totals(&sheet), [33, 33]);
    assert_eq!((ranks(&sheet), sheet[0].completed, sheet[1].completed), (vec![0, 1], 1, 0));
}

/// EU-11: then fewest stations built, although the points do not show it.
#[test]
fn eu_11_then_fewest_stations() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table
        .market(MARKET)
        .routes(0, ["Moskva-Smolensk", "Smolensk-Wilno", "Cadiz-Madrid"])
        .stations(0, ["Roma"]);
    table.routes(1, ["Budapest-Sarajevo", "Sarajevo-Sofia"]);
    let sheet = sheet(&table);
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![28, 28], vec![1, 0]));
}

/// EU-11: completed tickets come before stations.
#[test]
fn eu_11_tickets_before_stations() {
    let game = europe(2);
    let mut table = Table::new(&game);
    // Seat 0 has a station more and a ticket more.
    table.market(MARKET).routes(0, ["Budapest-Sarajevo", "Sarajevo-Sofia"]).stations(0, ["Roma"]);
    table.tickets(0, ["Budapest-Sofia"]);
    table.routes(1, ["Moskva-Smolensk", "Smolensk-Wilno", "Dieppe-Paris"]);
    let sheet = sheet(&table);
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![29, 29], vec![0, 1]));
}

/// EU-11: then the holder of the express bonus.
#[test]
fn eu_11_then_the_express_bonus() {
    let game = europe(2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Moskva-Smolensk", "Smolensk-Wilno"]);
    table.routes(1, ["Kharkov-Kyiv", "Berlin-Danzig", "Barcelona-Madrid"]);
    let sheet = sheet(&table);
    assert_eq!((sheet[0].longest_path_bonus, sheet[1].longest_path_bonus), (10, 0));
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![28, 28], vec![0, 1]));
}

/// EU-11, A-57: what is equal to the last is shared; whoever follows counts those before.
#[test]
fn eu_11_else_shared() {
    let game = europe(4);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Moskva-Smolensk", "Smolensk-Wilno"]);
    table.routes(2, ["Budapest-Sarajevo", "Sarajevo-Sofia"]).routes(1, ["Barcelona-Madrid"]);
    // Neither seat 1 nor seat 3 has the bonus, and both have 14 points.
    table.routes(3, ["Danzig-Warszawa"]);
    let sheet = sheet(&table);
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![28, 14, 28, 14], vec![0, 2, 0, 2]));
    let winners: Vec<_> = game.scores(table.state()).winners().map(usize::from).collect();
    assert_eq!(winners, [0, 2]);
}

/// NO-10, A-16: route points, tickets, ten for the most completed tickets; nothing for stations or paths.
#[test]
fn no_10_final_score() {
    let game = nordic(3);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Göteborg-Oslo", "Göteborg-København"]);
    table.tickets(0, ["Oslo-København", "Bergen-Tornio"]);
    table.routes(1, ["Lieksa-Murmansk"]).tickets(1, ["Tampere-Tallinn"]);
    let sheet = sheet(&table);
    assert_eq!((sheet[0].routes, sheet[0].tickets, sheet[0].most_tickets_bonus), (4, 4 - 17, 10));
    assert_eq!((sheet[1].routes, sheet[1].tickets, sheet[1].most_tickets_bonus), (27, -3, 0));
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![1, 24, 0], vec![1, 0, 2]));
}

/// NO-10, A-35: all who share the most completed tickets get the bonus; none completed is nobody's bonus.
#[test]
fn no_10_bonus_ties() {
    let game = nordic(3);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Bergen-Tornio"]).routes(1, ["Kirkenes-Rovaniemi"]);
    assert_eq!(totals(&sheet(&table)), [-17, 10, 0]);
    table.routes(0, ["Göteborg-Oslo", "Göteborg-København"]).tickets(0, ["Oslo-København"]);
    table.routes(2, ["Helsinki-Tallinn", "Helsinki-Tampere"]).tickets(2, ["Tampere-Tallinn"]);
    assert_eq!(totals(&sheet(&table)), [4 + 4 - 17 + 10, 10, 3 + 3 + 10]);
}

/// NO-11: of equal points, most completed tickets.
#[test]
fn no_11_completed_tickets_first() {
    let game = nordic(2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Göteborg-Oslo", "Göteborg-København"]).tickets(0, ["Oslo-København"]);
    // A longer path and more points for routes do not help.
    table.routes(1, ["Kuopio-Vaasa", "Örebro-Sundsvall", "Sundsvall-Vaasa"]);
    let sheet = sheet(&table);
    assert!(sheet[1].longest_path > sheet[0].longest_path);
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![18, 18], vec![0, 1]));
}

/// NO-11, A-15, `nordic_tiebreak`: then the longest path, or with the option the most valuable completed
/// ticket.
#[test]
fn no_11_then_the_longest_path_or_ticket() {
    let ticket = variant("nordic", "[rules]\ntie_breaks = [\"completed-tickets\", \"longest-ticket\"]", 2);
    for (game, expected) in [(nordic(2), [0, 1]), (ticket, [1, 0])] {
        let mut table = Table::new(&game);
        table.market(MARKET);
        table
            .routes(0, ["Tampere-Vaasa", "Helsinki-Tampere", "Helsinki-Tallinn"])
            .tickets(0, ["Tampere-Tallinn"]);
        table.routes(1, ["Göteborg-Oslo", "Göteborg-København"]).tickets(1, ["Oslo-København"]);
        let sheet = sheet(&table);
        assert_eq!((totals(&sheet), ranks(&sheet)), (vec![18, 18], expected.to_vec()));
    }
}

/// with the option, a failed ticket's value does not count, however high.
#[test]
fn a_15_only_completed_tickets_are_compared() {
    let game = variant("nordic", "[rules]\ntie_breaks = [\"completed-tickets\", \"longest-ticket\"]", 2);
    let mut even = Table::new(&game);
    // 4 + 4 + 10, and 3 + 7 + 2 + 3 - 7 + 10.
    even.market(MARKET).routes(0, ["Göteborg-Oslo", "Göteborg-København"]).tickets(0, ["Oslo-København"]);
    even.routes(1, ["Helsinki-Tallinn", "Helsinki-Tampere"])
        .tickets(1, ["Tampere-Tallinn", "Bergen-Trondheim"]);
    even.routes(1, ["Örebro-Sundsvall", "Oulu-Rovaniemi"]);
    let sheet = sheet(&even);
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![18, 18], vec![0, 1]));
}

/// NO-11, A-57: what is equal to the last is shared.
#[test]
fn no_11_else_shared() {
    let game = nordic(3);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Göteborg-Oslo"]).routes(1, ["Oulu-Rovaniemi"]);
    // Seat 2 has two points too, but in two pieces.
    table.routes(2, ["Boden-Tornio", "Helsinki-Lahti"]);
    let sheet = sheet(&table);
    assert_eq!((totals(&sheet), ranks(&sheet)), (vec![2, 2, 2], vec![0, 0, 2]));
}
