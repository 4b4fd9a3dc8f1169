//! The agent `yard`: its defining decisions, legality, kinds of action, and strength.

mod support;

use support::{Kinds, assert_exercises, card_game, decision, offered_by_card_game, play, spec, win_share};
use ttr_agents::{AgentSpec, Roster, RosterGame};
use ttr_engine::CardKind::{self, *};
use ttr_engine::card_game::CardGame;
use ttr_engine::spec::Assignment;
use ttr_engine::testing::Table;
use ttr_engine::{Dice, Game, maps};

const MARKET: [CardKind; 5] = [Purple, Purple, White, White, Orange];

fn decide(table: &Table<'_, CardGame>) -> String {
    decision(table.game, table.finish().state(), "yard")
}

#[test]
fn collects_what_tickets_ask_for() {
    let game = card_game(2);
    let mut table = Table::new(&game);
    table.market([Purple, Purple, White, White, Red]).tickets(0, ["Dallas-Raleigh", "Dallas-Miami"]);
    assert_eq!(decide(&table), "take red");
}

#[test]
fn plays_long_rows_and_waits_with_short_ones() {
    let game = card_game(2);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Dallas-Raleigh", "Dallas-Miami"]);
    let mut short = table.clone();
    short.hand(0, [(Red, 2)]);
    assert!(decide(&short).starts_with("take"), "{}", decide(&short));
    table.hand(0, [(Red, 6), (Green, 1)]);
    assert_eq!(decide(&table), "play 6 red");
}

#[test]
fn a_row_that_robs_is_better_than_one_that_does_not() {
    let game = card_game(2);
    let mut table = Table::new(&game);
    table.market(MARKET).hand(0, [(Red, 4), (Blue, 4)]);
    for (theirs, played) in [(Red, "play 4 red"), (Blue, "play 4 blue")] {
        let mut table = table.clone();
        table.row(1, theirs, 3, 0);
        assert_eq!(decide(&table), played);
    }
}

#[test]
fn the_last_turn_is_for_tickets() {
    let game = card_game(2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 5)]).track(0, [(Yellow, 1), (Blue, 2)]).deck_rest_discarded([]);
    assert_eq!(decide(&table), "tickets", "a row would not move any more");
    let drawn = ["Chicago-New York/1", "New York-Chicago/2", "Seattle-Miami", "Dallas-Raleigh"]
        .map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(
        decide(&table),
        "keep Chicago-New York/1, New York-Chicago/2",
        "what the track stack completes"
    );
}

#[test]
fn in_the_opening_a_ticket_is_kept() {
    let game = card_game(3);
    for seed in 0..50 {
        let keep = decision(&game, &game.deal(&mut Dice::from_seed(seed)), "yard");
        assert!(keep.starts_with("keep ") && keep != "keep none", "{keep}");
    }
}

#[test]
fn weights_can_be_set_and_depend_on_the_seats() {
    let game = card_game(2);
    let mut table = Table::new(&game);
    table.market(MARKET).hand(0, [(Red, 6)]);
    assert_eq!(decision(&game, table.state(), "yard"), "play 6 red");
    assert_ne!(decision(&game, table.state(), "yard:hold=1"), "play 6 red", "a card in the hand is as good");
    assert!(AgentSpec::parse("yard:hold=2").is_err());
    let entry = Roster::built_in().entry("yard").unwrap();
    let default = |seats| entry.default_of(&card_game(seats), entry.param("risk").unwrap());
    assert_eq!([2, 3, 4].map(default), ["6", "4.12", "2.78"]);
    assert!(support::board("usa", 2).agent(&spec("yard")).is_err(), "it plays the Card Game only");
}

#[test]
fn legal_and_fair() {
    let agents = [spec("yard"), spec("greedy"), spec("yard:rob=0,hold=0.3")];
    for seats in 2..=4 {
        play(&card_game(seats), &agents, 0..60, &mut Kinds::default());
    }
    let mut rules = maps::card_game();
    rules.rules.assignment = Assignment::PlayerChoice;
    rules.rules.may_stop_after_one = true;
    play(&CardGame::new(&rules, 4).unwrap(), &agents, 0..30, &mut Kinds::default());
}

#[test]
fn does_all_there_is_to_do() {
    for seats in 2..=4 {
        assert_exercises(&card_game(seats), &spec("yard"), &offered_by_card_game(), 20);
    }
}

#[test]
fn beats_greedy_and_random() {
    for (seats, least) in [(2, 0.95), (3, 0.8), (4, 0.65)] {
        for other in ["greedy", "random"] {
            let share = win_share(&card_game(seats), "yard", other, 150);
            assert!(share > least, "{share} of games against {other} at {seats} seats");
        }
    }
}
