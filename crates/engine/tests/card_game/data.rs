//! The data of the shipped game (CG-1), its file form, and what is said about files that are wrong.

use std::path::Path;

use ttr_engine::card_game::{Action, CardGame, State};
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::card_game_schema;
use ttr_engine::{CardKind, Game};

use crate::game;

/// `UPDATE_SCHEMA=1 cargo test -p ttr-engine --test card_game` writes the file again.
#[test]
fn published_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/card-game.schema.json");
    let schema = serde_json::to_string_pretty(&card_game_schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == schema,
        "maps/card-game.schema.json is out of date: set UPDATE_SCHEMA=1"
    );
}

/// CG-1.
#[test]
fn components() {
    let spec = maps::card_game();
    assert_eq!(spec.rules.deck.counts(), [10, 10, 10, 10, 10, 10, 10, 10, 16]);
    assert_eq!((spec.tickets.len(), spec.seats.min, spec.seats.max), (46, 2, 4));
    let cities: Vec<_> = spec.big_cities.iter().map(|city| (city.name.as_str(), city.points)).collect();
    assert_eq!(
        cities,
        [
            ("Seattle", 8),
            ("Los Angeles", 12),
            ("Chicago", 12),
            ("Dallas", 10),
            ("New York", 15),
            ("Miami", 8)
        ]
    );
    assert!(spec.tickets.iter().all(|ticket| (1..=5).contains(&ticket.circles.len())));
    assert_eq!(spec.tickets.iter().map(|ticket| u32::from(ticket.points)).sum::<u32>(), 581);
    let longest = spec.tickets.iter().max_by_key(|ticket| ticket.points).unwrap();
    assert_eq!((longest.from.as_str(), longest.to.as_str(), longest.points), ("Seattle", "Miami", 22));
    assert!(CardGame::new(&spec, 1).is_err() && CardGame::new(&spec, 5).is_err());
}

/// Small enough for a search.
#[test]
fn sizes() {
    assert!(size_of::<State>() <= 512, "{}", size_of::<State>());
    assert!(size_of::<Action>() <= 8);
    println!("a state has {} bytes, an action {}", size_of::<State>(), size_of::<Action>());
}

/// The game written out again is the same game.
#[test]
fn written_game_reads_back() {
    let spec = maps::card_game();
    let mut file = toml::Table::try_from(&spec).unwrap();
    file.remove("id");
    file.insert("format".to_owned(), 1.into());
    file.insert("game".to_owned(), "card-game".into());
    let text = toml::to_string(&file).unwrap();
    assert_eq!(maps::parse_card_game("card-game.toml", &text), Ok(spec));
}

#[test]
fn hash_tells_rules_apart() {
    let spec = maps::card_game();
    let mut other = spec.clone();
    other.name = "Another name".to_owned();
    assert_eq!(spec.hash(), other.hash());
    other.rules.may_stop_after_one = true;
    assert_ne!(spec.hash(), other.hash());
}

/// A file is found by its path, and distinguished from a map by its content.
#[test]
fn any_game() {
    let path = std::env::temp_dir().join(format!("ttr-card-game-{}.toml", std::process::id()));
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/card-game.toml"))
            .unwrap();
    std::fs::write(&path, text.replace("second_round_hand = 4", "second_round_hand = 5")).unwrap();
    let found = maps::find_any(path.to_str().unwrap());
    std::fs::remove_file(&path).unwrap();
    match found.unwrap() {
        AnySpec::CardGame(spec) => assert_eq!(spec.rules.second_round_hand, 5),
        AnySpec::Board(map) => panic!("{} is no map", map.id),
    }
    assert!(matches!(maps::find_any("usa").unwrap(), AnySpec::Board(_)));
    assert!(maps::find_any("card-gam").is_err());
}

/// There must be enough tickets for the deal, and none are not enough.
#[test]
fn no_tickets() {
    let text = include_str!("../../../../maps/card-game.toml");
    let (head, rest) = text.split_once("big_cities = [").unwrap();
    let (_, tickets) = rest.split_once("tickets = [").unwrap();
    let (_, rules) = tickets.split_once("\n]").unwrap();
    let text = format!("{head}big_cities = []\ntickets = []{rules}");
    let error = maps::parse_card_game("empty.toml", &text).unwrap_err().to_string();
    assert!(error.contains("4 seats are dealt 24 tickets, and there are 0"), "{error}");
}

/// All problems at once, with line and hint.
#[test]
fn problems() {
    let text = r#"format = 1
game = "card-game"
name = "Small"
seats = { min = 2, max = 5 }
big_cities = [{ name = "Oslo", points = 5 }, { name = "Oslo", points = 3 }, { name = "Turku", points = 1 }]
tickets = [
  { from = "Oslo", to = "Oslo", points = 0, circles = [] },
  { from = "Oslo", to = "Bergen", points = 4, circles = ["locomotive"] },
  { from = "Oslo", to = "Bergen", points = 4, circles = ["red", "purpel"] },
  { from = "Oslo", to = "Bergen", points = 4, circles = ["red"] },
  { from = "Oslo", to = "Bergen", points = 4, circles = ["red"] },
  { from = "Oslo", to = "Bergen", points = 4, circles = ["blue", "blue", "blue"] },
]
[rules]
opening_locomotives = 1
opening_hand = 7
second_round_hand = 4
two_rounds_from = 4
market = 6
opening_tickets = 9
opening_keep = 1
ticket_draw = 4
no_progress_rounds = 20
assignment = "auto-value"
[rules.deck]
red = 60
locomotive = 2
"#;
    let error = maps::parse_card_game("small.toml", text).unwrap_err();
    let expected = r#"small.toml:4: seats.max: 5 seats are not possible; from 2 to 4 can play
small.toml:5: big city "Oslo": it is there twice; the first is in line 5: remove one
small.toml:5: big city "Turku": no ticket names it; add one, or remove the city
"#;
    println!("{error}");
    assert!(error.to_string().starts_with(expected), "{error}");
    for says in [
        "small.toml:7: ticket \"Oslo-Oslo\": both ends are the same city",
        "small.toml:7: ticket \"Oslo-Oslo\": it has no points",
        "small.toml:7: ticket \"Oslo-Oslo\": 0 circles are not possible",
        "small.toml:8: ticket \"Oslo-Bergen\": a circle has a colour",
        "small.toml:9: ticket \"Oslo-Bergen\": circles[1]: \"purpel\" is not known; did you mean",
        "small.toml:11: ticket \"Oslo-Bergen\": the same ticket is there twice; the first is in line 10",
        "small.toml:12: ticket \"Oslo-Bergen\": nobody can complete it",
        "small.toml:19: rules.market: 6 is not possible; it must be from 1 to 5",
        "small.toml:20: rules.opening_tickets: 9 is not possible",
        "small.toml:20: rules.opening_tickets: 5 seats are dealt 45 tickets, and there are 6",
        "small.toml:26: rules.deck.red: 60 cards are too many",
        "small.toml:27: rules.deck.locomotive: 2 are too few for 5 seats",
    ] {
        assert!(error.to_string().contains(says), "{says}\nis not in\n{error}");
    }
    assert!(error.problems.iter().all(|problem| problem.line.is_some() && !problem.hint.is_empty()));
    let broken =
        maps::parse_card_game("broken.toml", "format = 1\ngame = \"card-game\nname = 3").unwrap_err();
    assert!(broken.problems[0].line == Some(2), "{broken}");
    assert!(
        maps::parse_card_game("new.toml", "format = 2")
            .unwrap_err()
            .to_string()
            .contains("format 2 is not known")
    );
    assert!(maps::parse_card_game("map.toml", "format = 1\ngame = 'chess'").is_err());
}

/// Tickets that join the same two cities have different names.
#[test]
fn names() {
    let game = game(2);
    let names: std::collections::BTreeSet<_> =
        (0..46).map(|id| game.ticket_name(ttr_engine::TicketId::new(id))).collect();
    assert_eq!(names.len(), 46);
    assert!(names.contains("Chicago-New York/1") && names.contains("New York-Chicago/2"));
    assert_eq!(CardKind::from_name("pink"), Some(CardKind::Purple));
    assert_eq!(game.seats(), 2);
}

/// What is no action says why.
#[test]
fn notation_errors() {
    use ttr_engine::{Dice, Notation};
    let game = game(2);
    let state = game.deal(&mut Dice::from_seed(1));
    for text in [
        "",
        "play",
        "play x red",
        "play 2 pnik",
        "play 2 red + x",
        "play red, blue",
        "keep Oslo-Rome",
        "dance",
        "play 300 red",
        "play 1 red + 300 locomotives",
        "complete Oslo-Rome",
        "take nothing",
    ] {
        assert!(game.parse_action(&state, text).is_err(), "{text}");
    }
}
