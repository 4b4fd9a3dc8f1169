//! Sessions from the outside: commands in, answers out.

use serde_json::{Value as Json, json};
use ttr_engine::{Dice, Notation, Replay, board::BoardGame, card_game::CardGame, maps};
use ttr_web::{BuiltIn, Session};

type Table = Session<BuiltIn>;

fn run(session: &mut Table, command: Json) -> Result<Json, String> {
    let mut answer: Json = serde_json::from_str(&session.answer(&command.to_string())).unwrap();
    match answer["error"].as_str() {
        Some(why) => Err(why.to_owned()),
        None => Ok(answer["ok"].take()),
    }
}

fn start(map: &str, seats: usize, agent: &str, seat: Option<u8>) -> Table {
    let mut session = Session::new(BuiltIn);
    let order =
        json!({ "do": "new", "map": map, "seats": seats, "against": [agent], "seed": "9", "seat": seat });
    let info = run(&mut session, order).unwrap();
    assert_eq!(info["players"].as_array().unwrap().len(), seats);
    session
}

/// Lets the agents decide, and the person at random; `watch` sees every answer. Returns the last answer.
fn play(session: &mut Table, seed: u64, mut watch: impl FnMut(&mut Table, &Json)) -> Json {
    let mut dice = Dice::from_seed(seed);
    let mut look = run(session, json!({ "do": "look" })).unwrap();
    loop {
        watch(session, &look);
        if look["to_move"].is_null() {
            return look;
        }
        let legal = look["legal"].as_array().unwrap();
        let command = match legal.len() {
            0 => json!({ "do": "advance" }),
            n => json!({ "do": "play", "action": legal[dice.below(n as u32) as usize]["index"] }),
        };
        look = run(session, command).unwrap();
    }
}

/// A saved game, played again by the engine, has the points that the session showed.
fn assert_recorded(session: &mut Table, map: &str, seats: usize, look: &Json) {
    fn points<G: Notation>(game: &G, text: &str) -> Vec<i16> {
        let replay = Replay::from_text(game, text).unwrap();
        replay.verify(game).unwrap().points.to_vec()
    }
    let saved = run(session, json!({ "do": "save" })).unwrap();
    let text = saved["text"].as_str().unwrap();
    let points = match map {
        "card-game" => points(&CardGame::new(&maps::card_game(), seats).unwrap(), text),
        _ => points(&BoardGame::new(&maps::find(map).unwrap(), seats).unwrap(), text),
    };
    let shown = look["sheet"].as_array().unwrap().iter().map(|seat| seat["total"].as_i64().unwrap() as i16);
    assert!(shown.eq(points), "{map}");
}

#[test]
fn every_map_is_played_to_its_end() {
    for id in maps::all_ids() {
        let agent = if id == "card-game" { "yard" } else { "planner" };
        let mut session = start(id, 2, agent, Some(0));
        let last = play(&mut session, 1, |_, _| {});
        assert_recorded(&mut session, id, 2, &last);
    }
    let mut session = start("europe+depots", 3, "greedy", Some(1));
    let last = play(&mut session, 2, |_, _| {});
    assert_recorded(&mut session, "europe+depots", 3, &last);
}

/// Whatever the page asks while a person plays: others' cards and tickets are not in the answer.
#[test]
fn nothing_hidden_is_sent_during_a_game() {
    for (id, seats, agent) in
        [("europe+depots", 3, "greedy"), ("nordic", 2, "greedy"), ("card-game", 3, "yard")]
    {
        let mut session = start(id, seats, agent, Some(0));
        let mut looks = 0;
        play(&mut session, 3, |session, look| {
            if look["over"] == true {
                return;
            }
            let last = look["last"].as_u64().unwrap();
            // Asking to look from elsewhere changes nothing.
            let others = [json!(null), json!(1)];
            for (eyes, at) in others.iter().flat_map(|eyes| [(eyes, last), (eyes, last / 2)]) {
                let look = run(session, json!({ "do": "look", "at": at, "eyes": eyes })).unwrap();
                assert_eq!(look["view"]["seat"], 0);
                assert!(look["seed"].is_null() && look["sheet"].is_null());
                for seat in look["view"]["seats"].as_array().unwrap() {
                    assert!(seat.get("hand").is_none() && seat.get("tickets").is_none(), "{seat}");
                }
                for entry in look["log"].as_array().unwrap().iter().filter(|entry| entry["seat"] != 0) {
                    assert_hidden(entry);
                }
            }
            assert!(run(session, json!({ "do": "save" })).unwrap_err().contains("when it is over"));
            if look["to_move"] != 0 {
                let think = run(session, json!({ "do": "think", "agent": "random" }));
                assert!(think.unwrap_err().contains("would show their cards"));
            }
            looks += 1;
        });
        assert!(looks > 50, "the test would see little of {id}");
    }
}

/// An entry of the log about another seat names no tickets that it keeps, and no cards that it draws.
fn assert_hidden(entry: &Json) {
    if entry["move"]["type"] == "keep" {
        assert!(entry["move"].get("tickets").is_none(), "{entry}");
        assert!(entry["text"].as_str().unwrap().ends_with("(hidden)"), "{entry}");
    }
    for event in entry["events"].as_array().unwrap() {
        match event["type"].as_str().unwrap() {
            "drawn" => assert!(event.get("cards").is_none(), "{entry}"),
            "offered" | "dealt" => assert!(event.get("tickets").is_none(), "{entry}"),
            _ => {}
        }
    }
}

/// The same choices lead to the same game after decisions were taken back, against an agent without a plan
/// that it would have to make again.
#[test]
fn decisions_can_be_taken_back() {
    let mut session = start("usa", 2, "greedy", Some(0));
    assert!(run(&mut session, json!({ "do": "undo" })).unwrap_err().contains("no decision of yours"));
    let mut dice = Dice::from_seed(4);
    let mut played = 0;
    while played < 25 {
        let look = run(&mut session, json!({ "do": "look" })).unwrap();
        let legal = look["legal"].as_array().unwrap();
        if legal.is_empty() {
            run(&mut session, json!({ "do": "advance" })).unwrap();
            continue;
        }
        let index = &legal[dice.below(legal.len() as u32) as usize]["index"];
        let next = |session: &mut Table| {
            run(session, json!({ "do": "play", "action": index })).unwrap();
            let mut look = run(session, json!({ "do": "look" })).unwrap();
            while look["to_move"] == 1 {
                look = run(session, json!({ "do": "advance" })).unwrap();
            }
            run(session, json!({ "do": "look" })).unwrap()
        };
        let once = next(&mut session);
        let back = run(&mut session, json!({ "do": "undo" })).unwrap();
        assert_eq!((&back["view"], &back["legal"]), (&look["view"], &look["legal"]));
        assert_eq!(next(&mut session), once);
        played += 1;
    }
}

#[test]
fn all_cards_are_open_to_spectators() {
    let mut session = start("first-journey-usa", 3, "planner", None);
    let last = play(&mut session, 5, |session, look| {
        assert!(look["view"]["seat"].is_null() && look["legal"].as_array().unwrap().is_empty());
        assert!(look["view"]["seats"][2]["hand"].is_object());
        let seen = run(session, json!({ "do": "look", "eyes": 2 })).unwrap();
        assert_eq!(seen["view"]["seat"], 2);
        assert!(seen["view"]["seats"][0].get("hand").is_none());
    });
    assert_recorded(&mut session, "first-journey-usa", 3, &last);
}

/// A record, in both of its forms, is opened as it was played; from any of its positions, a person plays on.
#[test]
fn recorded_games_are_opened_and_played_on() {
    let mut session = start("nordic", 2, "greedy", Some(1));
    play(&mut session, 6, |_, _| {});
    let saved = run(&mut session, json!({ "do": "save" })).unwrap();
    let end = run(&mut session, json!({ "do": "look" })).unwrap();
    let text = saved["text"].as_str().unwrap();
    let game = BoardGame::new(&maps::find("nordic").unwrap(), 2).unwrap();
    let bytes = Replay::from_text(&game, text).unwrap().to_bytes();
    for record in [text.as_bytes(), &bytes] {
        let mut session = Session::new(BuiltIn);
        let info = run(&mut session, json!({ "do": "load", "record": record })).unwrap();
        assert_eq!((&info["players"][1]["name"], &info["person"]), (&json!("person"), &json!(null)));
        assert_eq!(run(&mut session, json!({ "do": "look" })).unwrap(), end);
        assert!(run(&mut session, json!({ "do": "advance" })).unwrap_err().contains("the game is over"));
        let middle = run(&mut session, json!({ "do": "look", "at": 40, "eyes": 0 })).unwrap();
        let order = json!({ "do": "branch", "at": 40, "against": ["planner"], "seat": 0 });
        assert_eq!(run(&mut session, order.clone()).unwrap()["person"], 0);
        let look = run(&mut session, json!({ "do": "look" })).unwrap();
        assert_eq!((&look["view"], &look["over"]), (&middle["view"], &json!(false)));
        assert!(run(&mut session, order).unwrap_err().contains("when it is over"));
        let last = play(&mut session, 7, |_, _| {});
        assert_recorded(&mut session, "nordic", 2, &last);
    }
    let damaged = text.replace("points: ", "points: 9");
    for (record, why) in [(&b"ttr"[..], "not a recorded game"), (damaged.as_bytes(), "points")] {
        let mut session = Session::new(BuiltIn);
        let error = run(&mut session, json!({ "do": "load", "record": record })).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

/// Odds add up, are certain at the end, and are not for those who must not see the cards.
#[test]
fn odds_come_from_games_played_on() {
    for (map, agent) in [("nordic", "planner"), ("card-game", "yard")] {
        let mut session = start(map, 3, "greedy", None);
        let odds = |session: &mut Table, at: u64| {
            let command = json!({ "do": "odds", "agent": agent, "at": at, "games": 30 });
            run(session, command).map(|odds| {
                let wins = odds["wins"].as_array().unwrap().iter().map(|wins| wins.as_f64().unwrap());
                wins.collect::<Vec<_>>()
            })
        };
        let look = play(&mut session, 8, |_, _| {});
        let last = look["last"].as_u64().unwrap();
        let first = odds(&mut session, 0).unwrap();
        assert!((first.iter().sum::<f64>() - 30.0).abs() < 1e-9 && first.iter().all(|&wins| wins > 0.0));
        assert_eq!(odds(&mut session, 0).unwrap(), first);
        let ranks = look["sheet"].as_array().unwrap().iter().map(|seat| seat["rank"].as_u64().unwrap());
        let winners = ranks.clone().filter(|&rank| rank == 0).count() as f64;
        let certain: Vec<f64> = ranks.map(|rank| if rank == 0 { 30.0 / winners } else { 0.0 }).collect();
        assert_eq!(odds(&mut session, last).unwrap(), certain);
        assert!(odds(&mut session, last + 1).is_err());
        let mut session = start(map, 3, "greedy", Some(2));
        assert!(odds(&mut session, 0).unwrap_err().contains("would show the cards"));
    }
}

/// The plan of planner names its routes, so that they can be drawn.
#[test]
fn plans_can_be_drawn() {
    let mut session = start("europe", 2, "planner", None);
    for _ in 0..10 {
        run(&mut session, json!({ "do": "advance" })).unwrap();
    }
    let opinion = run(&mut session, json!({ "do": "think", "agent": "planner" })).unwrap();
    let notes = opinion["notes"].as_array().unwrap();
    let planned = notes.iter().find(|note| note["about"] == "routes for tickets").unwrap();
    let routes = planned["routes"].as_array().unwrap();
    assert!(!routes.is_empty());
    for route in routes {
        assert!(planned["text"].as_str().unwrap().contains(route.as_str().unwrap()), "{planned}");
    }
}

#[test]
fn thoughts_are_those_of_the_agent() {
    let mut session = start("usa", 2, "greedy", None);
    let opinion = run(&mut session, json!({ "do": "think", "agent": "ismcts:iters=40" })).unwrap();
    let candidates = opinion["candidates"].as_array().unwrap();
    let visits: u64 = candidates.iter().map(|candidate| candidate["visits"].as_u64().unwrap()).sum();
    assert!((30..=40).contains(&visits), "{visits}");
    assert!(candidates.iter().any(|candidate| candidate["index"] == opinion["index"]));
    let plan = run(&mut session, json!({ "do": "think", "agent": "planner" })).unwrap();
    assert!(!plan["notes"].as_array().unwrap().is_empty());
}

#[test]
fn invalid_commands_are_refused() {
    let mut session = Session::new(BuiltIn);
    for (command, why) in [
        ("", "this is not a valid command"),
        ("{}", "this is not a valid command"),
        (r#"{"do": "look", "moon": 1}"#, "this is not a valid command"),
        (r#"{"do": "look"}"#, "no game has been started"),
        (
            r#"{"do": "new", "map": "../x.toml", "seats": 2, "against": ["greedy"], "seed": "1"}"#,
            "there is no map",
        ),
        (r#"{"do": "new", "map": "usa", "seats": 9, "against": ["greedy"], "seed": "1"}"#, "by 2 to 5 seats"),
        (r#"{"do": "new", "map": "usa", "seats": 2, "against": [], "seed": "1"}"#, "an opponent is missing"),
        (
            r#"{"do": "new", "map": "usa", "seats": 2, "against": ["yard"], "seed": "1"}"#,
            "yard plays the Card Game",
        ),
        (
            r#"{"do": "new", "map": "usa", "seats": 2, "against": ["exec:sh"], "seed": "1"}"#,
            "processes can't play",
        ),
        (
            r#"{"do": "new", "map": "usa", "seats": 2, "against": ["planner@x.toml"], "seed": "1"}"#,
            "not read here",
        ),
        (
            r#"{"do": "new", "map": "usa", "seats": 2, "against": ["greedy"], "seed": "-1"}"#,
            "expected a seed",
        ),
        (r#"{"do": "new", "map": "usa", "seats": 2, "against": ["greedy"]}"#, "a seed is missing"),
        (
            r#"{"do": "new", "map": "usa", "seats": 2, "against": ["greedy"], "seed": "1", "seat": 2}"#,
            "no seat 2",
        ),
    ] {
        let answer = session.answer(command);
        assert!(answer.starts_with(r#"{"error""#) && answer.contains(why), "{command}: {answer}");
    }
    let mut session = start("usa", 2, "greedy", Some(0));
    for (command, why) in [
        (json!({ "do": "play", "action": 1_000_000 }), "there is no action"),
        (json!({ "do": "play", "action": 500 }), "not possible now"),
        (json!({ "do": "look", "at": 77 }), "there is no decision 77"),
        (json!({ "do": "think", "agent": "nobody" }), "there is no agent"),
    ] {
        while run(&mut session, json!({ "do": "advance" })).is_ok() {}
        let answer = run(&mut session, command.clone()).unwrap_err();
        assert!(answer.contains(why), "{command}: {answer}");
    }
}
