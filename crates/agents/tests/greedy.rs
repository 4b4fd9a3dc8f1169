//! The agent `greedy`: its defining decisions, legality everywhere, and that it takes every kind of action.

mod support;

use support::{
    Kinds, assert_exercises, board, boards, card_game, decision, offered_by, offered_by_card_game, play,
    spec, win_share,
};
use ttr_engine::CardKind::*;
use ttr_engine::board::BoardGame;
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Game, maps};

const MARKET: [ttr_engine::CardKind; 5] = [Red, Blue, Blue, White, Green];

fn decide(table: &Table<'_>) -> String {
    decision(table.game, table.finish().state(), "greedy")
}

#[test]
fn claims_the_most_expensive_route_with_the_fewest_locomotives() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 4), (Locomotive, 1)]).market(MARKET);
    assert_eq!(decide(&table), "claim Helena-Omaha in red + 1 locomotive");
    table.hand(0, [(Red, 1)]);
    assert_eq!(decide(&table), "claim Miami-New Orleans in red + 1 locomotive");
    table.routes(1, ["Miami-New Orleans", "Sault St. Marie-Winnipeg"]);
    assert_eq!(decide(&table), "claim Helena-Omaha in red");
}

#[test]
fn a_ticket_that_is_completed_counts_twice() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 4), (White, 2)]).market(MARKET);
    table.routes(0, ["Denver-Santa Fe"]).tickets(0, ["Denver-El Paso"]);
    assert_eq!(decide(&table), "claim El Paso-Santa Fe in red");
}

#[test]
fn collects_the_colour_it_has_most_of() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    assert_eq!(decide(&table), "tickets", "no ticket is open");
    table.tickets(0, ["Denver-El Paso"]);
    assert_eq!(decide(&table), "take blue", "two lie there");
}

#[test]
fn keeps_what_costs_least() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).routes(0, ["Denver-Santa Fe", "El Paso-Santa Fe"]);
    let drawn = ["Denver-El Paso", "Los Angeles-Miami", "Kansas City-Houston"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(decide(&table), "keep Denver-El Paso", "it is completed already");
}

#[test]
fn tunnels_are_paid_for_unless_they_are_dear() {
    let game = board("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 6)]).market(MARKET);
    let mut cheap = table.clone();
    cheap.play("claim Marseille-Roma in purple", cards([Purple, Red, Red])).unwrap();
    assert_eq!(decide(&cheap), "pay");
    table.play("claim Marseille-Roma in purple", cards([Purple, Purple, Red])).unwrap();
    assert_eq!(decide(&table), "decline");
}

#[test]
fn a_station_saves_a_ticket_near_the_end() {
    let game = board("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 1)]).market(MARKET);
    table.routes(0, ["Budapest-Sarajevo"]).routes(1, ["Sarajevo-Sofia"]).tickets(0, ["Budapest-Sofia"]);
    assert_eq!(decide(&table), "claim Budapest-Wien/red in red", "it is early");
    table.trains(0, 4);
    let decided = decide(&table);
    assert!(["station Sarajevo in red", "station Sofia in red"].contains(&decided.as_str()), "{decided}");
}

#[test]
fn sets_take_what_is_missed_least() {
    let game = board("nordic", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 1), (Orange, 6), (White, 2), (Red, 1)]).market(MARKET);
    table.play("claim Bergen-Stavanger in 2 sets", []).unwrap();
    for chosen in ["sets blue*1", "sets orange*2"] {
        assert_eq!(decide(&table), chosen);
        table.play(chosen, []).unwrap();
    }
    assert_eq!(table.hand_of(0).count(Orange), 4);
}

#[test]
fn a_useless_hand_of_journey_tickets_is_swapped() {
    let game = board("first-journey-usa", 2);
    let mut table = Table::new(&game);
    let first = maps::load("first-journey-usa").unwrap().tickets[0].clone();
    table.tickets(0, [format!("{}-{}", first.from, first.to).as_str()]);
    assert_eq!(decide(&table), "take blind", "a ticket is open");
    let mut empty = Table::new(&game);
    empty.market([]);
    assert_eq!(decide(&empty), "swap", "none is");
}

#[test]
fn rows_serve_tickets_first() {
    let game = card_game(2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 2), (White, 3)]).market(MARKET).tickets(0, ["Dallas-Raleigh", "Dallas-Miami"]);
    assert_eq!(decision(&game, table.finish().state(), "greedy"), "play 2 red");
}

#[test]
fn legal_and_fair_everywhere() {
    for game in boards() {
        play(&game, &[spec("greedy"), spec("random")], 0..4, &mut Kinds::default());
    }
    for seats in 2..=4 {
        play(&card_game(seats), &[spec("greedy"), spec("random")], 0..20, &mut Kinds::default());
    }
    let mut choice = maps::card_game();
    choice.rules.assignment = ttr_engine::spec::Assignment::PlayerChoice;
    let game = ttr_engine::card_game::CardGame::new(&choice, 4).unwrap();
    play(&game, &[spec("greedy"), spec("random")], 0..10, &mut Kinds::default());
}

#[test]
fn does_all_there_is_to_do() {
    for game in boards().filter(|game| game.seats() == 3) {
        assert_exercises(&game, &spec("greedy"), &offered_by(&game), 1_000);
    }
    assert_exercises(&card_game(2), &spec("greedy"), &offered_by_card_game(), 100);
}

#[test]
fn beats_random() {
    let share = |game: &BoardGame| win_share(game, "greedy", "random", 50);
    assert!(share(&board("usa", 2)) > 0.95);
    assert!(share(&board("europe", 3)) > 0.95);
    assert!(win_share(&card_game(2), "greedy", "random", 200) > 0.55);
    assert!(win_share(&card_game(4), "greedy", "random", 100) > 0.5);
}
