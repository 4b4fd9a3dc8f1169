//! Tickets and the end of the game: CC-29 to CC-33.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Ending, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Event, Game, Turn};

use crate::{MARKET, forbidden_by, game};

/// CC-29: three tickets, of which at least one is kept.
#[test]
fn cc_29_draw_three_keep_one() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    let drawn = ["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(table.phase(), Phase::Tickets);
    assert_eq!(table.actions().len(), 7);
    assert_eq!(forbidden_by(table.play("keep none", [])), "CC-3, CC-29");
    table.play("keep Essen-Kyiv", []).unwrap();
    assert_eq!((table.tickets_of(0), table.seat()), (vec!["Essen-Kyiv".to_owned()], 1));
}

/// CC-29, A-58: in Europe the others go under the deck, in random order, behind all that lies there.
#[test]
fn cc_29_unkept_tickets_go_under_the_deck() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).ticket_deck(["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna", "London-Wien"]);
    let draws = |names: &[&str]| names.iter().map(|name| table.draws(name)).collect::<Vec<Event>>();
    let first = draws(&["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"]);
    // The one that has not been seen lies on top; then either of the two that were put back.
    for order in [["Essen-Kyiv", "Roma-Smyrna"], ["Roma-Smyrna", "Essen-Kyiv"]] {
        let mut table = table.clone();
        table.play("tickets", first.clone()).unwrap().play("keep Kyiv-Sochi", []).unwrap();
        assert_eq!(table.seen_by(0).ticket_deck_size(), 3);
        table.play("tickets", draws(&["London-Wien", order[0], order[1]])).unwrap();
        assert_eq!(table.actions().len(), 7);
        table.play("keep London-Wien, Essen-Kyiv, Roma-Smyrna", []).unwrap();
        assert_eq!(table.seen_by(0).ticket_deck_size(), 0);
    }
}

/// CC-29: batches stay in order: what was put back first is drawn first.
#[test]
fn cc_29_first_put_back_first_drawn() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    let names = ["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna", "London-Wien", "Paris-Wien", "Paris-Zagrab"];
    table.market(MARKET).ticket_deck(names);
    let draws = |names: &[&str]| names.iter().map(|name| table.draws(name)).collect::<Vec<Event>>();
    let (first, second) = (draws(&names[..3]), draws(&names[3..]));
    let third = draws(&[names[1], names[0], names[3]]);
    table.play("tickets", first).unwrap().play("keep Roma-Smyrna", []).unwrap();
    table.play("tickets", second).unwrap().play("keep Paris-Zagrab", []).unwrap();
    // The script would refuse a ticket of the second batch before the first is gone.
    table.play("tickets", third).unwrap().play("keep Kyiv-Sochi, Essen-Kyiv, London-Wien", []).unwrap();
    assert_eq!(table.seen_by(1).ticket_deck_size(), 1);
}

/// CC-29, NO-2: in Nordic they leave the game.
#[test]
fn cc_29_nordic_unkept_tickets_leave_the_game() {
    let game = game("nordic", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).ticket_deck(["Bergen-Tornio", "Bergen-Narvik", "Göteborg-Oulu"]);
    let drawn = ["Bergen-Tornio", "Bergen-Narvik", "Göteborg-Oulu"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap().play("keep Bergen-Narvik", []).unwrap();
    assert_eq!(table.seen_by(0).ticket_deck_size(), 0);
    assert_eq!(forbidden_by(table.play("tickets", [])), "CC-29");
}

/// CC-29: of a small deck what is left is drawn, and one kept; an empty one can't be drawn from.
#[test]
fn cc_29_a_small_ticket_deck() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).ticket_deck(["Kyiv-Sochi", "Essen-Kyiv"]);
    let drawn = ["Kyiv-Sochi", "Essen-Kyiv"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(forbidden_by(table.play("keep none", [])), "CC-3, CC-29");
    assert_eq!(table.actions().len(), 3);
    table.play("keep Kyiv-Sochi, Essen-Kyiv", []).unwrap();
    assert_eq!(forbidden_by(table.play("tickets", [])), "CC-29");
    assert!(table.actions_like("tickets").is_empty());
}

/// CC-30: any number of tickets; one that is complete when drawn counts at the end.
#[test]
fn cc_30_no_limit_on_tickets() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Denver-Santa Fe", "El Paso-Santa Fe"]);
    let names: Vec<_> = (0..26).map(|id| game.ticket_name(ttr_engine::TicketId::new(id))).collect();
    assert_eq!(names[6], "Denver-El Paso");
    table.tickets(0, names.iter().enumerate().filter(|(n, _)| *n != 6).map(|(_, name)| name.as_str()));
    let before = game.score_sheet(table.state())[0];
    let others: Vec<_> = (26..28).map(|id| game.ticket_name(ttr_engine::TicketId::new(id))).collect();
    let drawn = [table.draws(&names[6]), table.draws(&others[0]), table.draws(&others[1])];
    table.play("tickets", drawn).unwrap().play("keep Denver-El Paso", []).unwrap();
    let after = game.score_sheet(table.state())[0];
    assert_eq!(table.tickets_of(0).len(), 26);
    assert_eq!((after.completed, after.tickets), (before.completed + 1, before.tickets + 4));
}

/// A table of USA with three seats, seat 1 to move with some trains left and cards for a route of three.
fn near_the_end(game: &ttr_engine::board::BoardGame, left: u8) -> Table<'_> {
    let mut table = Table::new(game);
    table.hand(1, [(Purple, 3)]).hand(2, [(Blue, 3)]).market([Red, Red, White, White, White]);
    table.trains(1, left).trains(2, 5).turn(1);
    table
}

fn take_two(table: &mut Table<'_>) {
    table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
}

/// CC-31: with at most two trains at the end of a turn every seat has one more turn, the trigger seat last.
#[test]
fn cc_31_the_final_round() {
    let game = game("usa", 3);
    for left in [3, 4, 5] {
        let mut table = near_the_end(&game, left);
        assert_eq!(table.seen_by(0).final_turns(), None);
        table.play("claim Helena-Salt Lake City in purple", []).unwrap();
        assert_eq!((table.trains_of(1), table.seen_by(0).final_turns()), (left - 3, Some(3)));
        for seat in [2, 0, 1] {
            assert_eq!(table.seat(), seat);
            take_two(&mut table);
        }
        assert_eq!(game.turn(table.state()), Turn::Over);
        assert_eq!(table.phase(), Phase::Over(Ending::FinalRound));
    }
}

/// CC-31: three trains do not start it.
#[test]
fn cc_31_three_trains_do_not_start_the_final_round() {
    let game = game("usa", 3);
    let mut table = near_the_end(&game, 6);
    table.play("claim Helena-Salt Lake City in purple", []).unwrap();
    assert_eq!((table.trains_of(1), table.seen_by(0).final_turns()), (3, None));
}

/// CC-31: nothing that happens in the final round extends it.
#[test]
fn cc_31_the_final_round_is_not_extended() {
    let game = game("usa", 3);
    let mut table = near_the_end(&game, 5);
    table.play("claim Helena-Salt Lake City in purple", []).unwrap();
    table.play("claim Montréal-New York in blue", []).unwrap();
    assert_eq!((table.trains_of(2), table.seen_by(0).final_turns()), (2, Some(2)));
    take_two(&mut table);
    take_two(&mut table);
    assert_eq!(table.phase(), Phase::Over(Ending::FinalRound));
    assert!(table.actions().is_empty());
    assert!(table.play("take blind", []).is_err());
}

/// CC-32: completed tickets add their value, others subtract it; totals may be negative.
#[test]
fn cc_32_tickets_count_both_ways() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Denver-Santa Fe", "El Paso-Santa Fe"]);
    // The other seat owns the last link to Duluth: it does not count.
    table.routes(1, ["Denver-Omaha", "Duluth-Omaha/1"]);
    table.tickets(0, ["Denver-El Paso", "Duluth-El Paso"]).tickets(1, ["Los Angeles-New York"]);
    let sheet = game.score_sheet(table.state());
    assert_eq!((sheet[0].tickets, sheet[0].completed, sheet[0].failed), (4 - 10, 1, 1));
    // Points 2 + 2 and 7 + 2; seat 1 has the longest path.
    assert_eq!((sheet[0].total, sheet[1].total), (4 - 6, 9 - 21 + 10));
    assert!(sheet[0].total < 0 && sheet[1].total < 0);
}

/// CC-33: the longest path is a trail: cities may be visited again, routes not; branches and parts don't
/// add up.
#[test]
fn cc_33_longest_path() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    let longest = |table: &Table<'_>| game.score_sheet(table.state())[0].longest_path;
    table.market(MARKET);
    assert_eq!(longest(&table), 0);
    // A loop of eight through Dallas, with two tails at Dallas: all of it is one trail.
    table.routes(
        0,
        ["Dallas-Houston/1", "Houston-New Orleans", "Little Rock-New Orleans", "Dallas-Little Rock"],
    );
    assert_eq!(longest(&table), 8);
    table.routes(0, ["Dallas-El Paso", "Dallas-Oklahoma City/1"]);
    assert_eq!(longest(&table), 14);
    // A third tail elsewhere: El Paso, Dallas, Little Rock, New Orleans, Miami is the best now.
    table.routes(0, ["Miami-New Orleans"]);
    assert_eq!(longest(&table), 15);
    // A network apart.
    table.routes(0, ["Helena-Seattle", "Calgary-Helena"]);
    assert_eq!(longest(&table), 15);
}

/// CC-33, EU-8: borrowed routes never count for the longest path.
#[test]
fn cc_33_borrowed_routes_do_not_count() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Kobenhavn-Stockholm/white", "Essen-Frankfurt"]);
    table.routes(1, ["Essen-Kobenhavn/1"]).tickets(0, ["Frankfurt-Kobenhavn"]).stations(0, ["Essen"]);
    let score = game.score_sheet(table.state())[0];
    assert_eq!((score.tickets, score.longest_path), (5, 3));
}
