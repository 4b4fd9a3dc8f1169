//! Input from outside is refused with a clear error or is sound: records, texts, map files and observations.

use std::sync::LazyLock;

use proptest::prelude::*;
use ttr_engine::board::{Action, BoardGame, Payment, State};
use ttr_engine::testing::{Inspect, Table, conform};
use ttr_engine::{
    CityId, Dice, Game, Notation, Replay, ReplayError, RouteId, Seat, Turn, maps, replay_header,
};

/// Every shipped map at every number of seats.
static GAMES: LazyLock<Vec<BoardGame>> = LazyLock::new(|| {
    let maps = maps::ids().iter().map(|id| maps::load(id).unwrap());
    maps.flat_map(|map| {
        let seats = map.seats.min..=map.seats.max;
        seats.map(|seats| BoardGame::new(&map, seats.into()).unwrap()).collect::<Vec<_>>()
    })
    .collect()
});

fn game(map: &str, seats: usize) -> &'static BoardGame {
    let found = GAMES.iter().find(|game| game.map_id() == map && game.seats() == seats);
    found.expect("the map is shipped")
}

fn record(game: &BoardGame, seed: u64) -> Replay<Action> {
    Replay::play(game, seed, ["one", "two"], |game, state, dice| game.random_action(state, dice)).unwrap()
}

/// A position of a random game.
fn position(game: &BoardGame, seed: u64, plies: usize) -> State {
    let mut chance = Dice::from_seed(seed);
    let mut chooser = Dice::from_parts(&[seed, 1]);
    let mut state = game.deal(&mut chance);
    for _ in 0..plies {
        if game.turn(&state) == Turn::Over {
            break;
        }
        let action = game.random_action(&state, &mut chooser);
        game.play_unchecked(&mut state, action, &mut chance);
    }
    state
}

/// Content in a frame of a record that is right: magic, version, length, checksum.
fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = b"ttr-game\x02\x00".to_vec();
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    bytes.extend((hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes());
    bytes
}

fn read(bytes: &[u8]) -> Result<Replay<Action>, ReplayError> {
    Replay::from_bytes(bytes)
}

// --- records ---

#[test]
fn every_changed_byte_of_a_record_is_noticed() {
    let bytes = record(game("europe", 2), 3).to_bytes();
    assert!(read(&bytes).is_ok() && replay_header(&bytes).is_ok());
    let mut damaged = bytes.clone();
    for at in 0..bytes.len() {
        for change in 1..=255 {
            damaged[at] = bytes[at] ^ change;
            assert!(read(&damaged).is_err(), "byte {at} changed by {change:#x} was not noticed");
        }
        assert!(replay_header(&damaged).is_err());
        damaged[at] = bytes[at];
    }
}

#[test]
fn every_truncation_and_every_tail_is_noticed() {
    let bytes = record(game("usa", 2), 3).to_bytes();
    for len in 0..bytes.len() {
        let error = read(&bytes[..len]).unwrap_err();
        match len {
            ..8 => assert_eq!(error, ReplayError::Foreign),
            _ => {
                assert!(matches!(error, ReplayError::Length { found, .. } if found == len as u64), "{error}")
            }
        }
    }
    for tail in [&b"\0"[..], b"x", &[0; 64], &bytes] {
        let error = read(&[&bytes, tail].concat()).unwrap_err();
        assert!(error.to_string().contains("cut off or damaged"), "{error}");
    }
}

#[test]
fn foreign_files_and_other_versions_are_named() {
    let png = b"\x89PNG\r\n\x1a\n and so on";
    for foreign in [&b""[..], b"ttr", b"ttr-gam", b"TTR-GAME\x01\x00", png, b"ttr game 2\nmap: usa\n"] {
        assert_eq!(read(foreign), Err(ReplayError::Foreign));
        assert_eq!(
            replay_header(foreign).unwrap_err().to_string(),
            "this is not a recorded game: it does not start with \"ttr-game\""
        );
    }
    let mut other = record(game("usa", 2), 1).to_bytes();
    other[8] = 1;
    assert_eq!(
        read(&other).unwrap_err().to_string(),
        "this record is of format version 1; this program reads version 2"
    );
    other[8..10].copy_from_slice(&[0xff; 2]);
    assert_eq!(read(&other), Err(ReplayError::Version(u16::MAX)));
}

/// Lengths that no file of this size can have, where a length is expected, in a frame with a right checksum.
#[test]
fn hostile_lengths_are_refused() {
    let huge = [253, 255, 255, 255, 255, 255, 255, 255, 127]; // a varint: 2^63 - 1
    let large = [252, 0, 0, 0, 64]; // 2^30
    for lie in [&huge[..], &large] {
        for before in [
            &[][..],                                     // the map's name
            &[3, b'u', b's', b'a', 1, 2, 3],             // the agents
            &[3, b'u', b's', b'a', 1, 2, 3, 1],          // an agent's name
            &[3, b'u', b's', b'a', 1, 2, 3, 0],          // the actions
            &[3, b'u', b's', b'a', 1, 2, 3, 0, 1, 1],    // the points
            &[3, b'u', b's', b'a', 1, 2, 3, 0, 1, 1, 0], // what follows
        ] {
            let bytes = framed(&[before, lie].concat());
            assert!(matches!(read(&bytes), Err(ReplayError::Content(_))), "{before:?}");
        }
    }
    let mut frame = framed(&[]);
    frame[10..18].copy_from_slice(&[0xff; 8]);
    assert!(matches!(read(&frame), Err(ReplayError::Length { expected: u64::MAX, .. })));
}

#[test]
fn a_record_of_another_game_is_refused_with_both_hashes() {
    let (usa, europe) = (game("usa", 2), game("europe", 2));
    let replay = record(usa, 5);
    let expected = format!(
        "the record is of map usa with rules {:016x}, not {:016x}: load the map it was played on",
        usa.rules_hash(),
        europe.rules_hash()
    );
    assert_eq!(replay.verify(europe).unwrap_err().to_string(), expected);
    let text = replay.to_text(usa).unwrap();
    assert_eq!(Replay::<Action>::from_text(europe, &text).unwrap_err().to_string(), expected);
    let error = "the record is of a game for 2 seats, not 3";
    assert_eq!(replay.verify(game("usa", 3)).unwrap_err().to_string(), error);
    assert_eq!(Replay::<Action>::from_text(game("usa", 3), &text).unwrap_err().to_string(), error);
    // Same board, one other rule.
    let short = maps::parse("short.toml", "format = 1\nname = 'S'\nbase = 'usa'\nrules.trains = 44").unwrap();
    let short = BoardGame::new(&short, 2).unwrap();
    assert!(matches!(replay.verify(&short), Err(ReplayError::OtherRules { .. })));
}

#[test]
fn a_record_that_lies_is_refused() {
    let usa = game("usa", 2);
    let good = record(usa, 8);
    assert!(good.verify(usa).is_ok());
    let says = |change: &dyn Fn(&mut Replay<Action>)| {
        let mut bad = good.clone();
        change(&mut bad);
        read(&bad.to_bytes()).expect("the form is right").verify(usa).unwrap_err().to_string()
    };
    let plies = good.actions.len();
    assert!(says(&|bad| bad.points[0] += 1).starts_with("the game ends with ["));
    assert!(says(&|bad| bad.points.clear()).starts_with("the game ends with ["));
    assert_eq!(
        says(&|bad| bad.actions.truncate(plies - 1)),
        format!("the game is not over after {} decisions", plies - 1)
    );
    assert_eq!(says(&|bad| bad.actions.clear()), "the game is not over after 0 decisions");
    assert_eq!(
        says(&|bad| bad.actions.push(Action::Pass)),
        format!("the game is over after {plies} decisions")
    );
    assert!(says(&|bad| bad.actions[0] = Action::Pass).starts_with("decision 1 is not legal: pass is not"));
    assert!(says(&|bad| bad.header.seed += 1).len() > 10);
}

/// An action on a route or city beyond the board is illegal, not a crash while it is written down.
#[test]
fn a_record_with_unknown_routes_and_cities_is_refused() {
    let europe = game("europe", 2);
    let payment = Payment { colour: None, locomotives: 1, sets: 0 };
    let routes = [101, 127].map(|id| (Action::Claim { route: RouteId::new(id), payment }, "no such route"));
    let cities = [47, 63].map(|id| (Action::BuildStation { city: CityId::new(id), payment }, "no such city"));
    for (action, what) in routes.into_iter().chain(cities) {
        let mut replay = record(europe, 2);
        // The first turn starts when both seats have chosen their tickets.
        replay.actions[2] = action;
        let errors = [replay.verify(europe).unwrap_err(), replay.to_text(europe).unwrap_err()];
        for error in errors.map(|error| error.to_string()) {
            assert!(error.starts_with("decision 3 is not legal: ") && error.contains(what), "{error}");
        }
    }
}

/// A record can hold any names, but the text form has one line for all of them.
#[test]
fn names_that_would_break_the_text_form_are_refused() {
    let usa = game("usa", 2);
    let text = |change: &dyn Fn(&mut Replay<Action>)| {
        let mut replay = record(usa, 1);
        change(&mut replay);
        let loaded = read(&replay.to_bytes()).unwrap();
        let text = loaded.to_text(usa);
        if let Ok(text) = &text {
            assert_eq!(Replay::from_text(usa, text).as_ref(), Ok(&loaded));
        }
        text
    };
    assert!(text(&|_| {}).is_ok());
    assert!(text(&|r| r.header.agents = vec!["ismcts:iters=100,rollout=planner".into(); 2]).is_ok());
    assert!(text(&|r| r.header.agents.clear()).is_ok());
    for name in ["", "a, b", "a\nb", " a", "a,", "\u{85}"] {
        let error = text(&|r| r.header.agents[0] = name.into()).unwrap_err();
        assert!(error.to_string().contains("can't be written as one name"), "{error}");
        assert!(text(&|r| r.header.map = name.into()).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_no_record(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes).is_err());
        // In a right frame they may even be one, of some game.
        if let Ok(replay) = read(&framed(&bytes)) {
            prop_assert!(replay_header(&framed(&bytes)) == Ok(replay.header.clone()));
            prop_assert!(replay.verify(game("usa", 2)).is_err());
        }
    }

    /// Damaged content behind a right checksum: refused, or a legal game.
    #[test]
    fn damaged_content_never_panics(
        which in any::<prop::sample::Index>(),
        seed in 0u64..8,
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let game = &GAMES[which.index(GAMES.len())];
        let bytes = record(game, seed).to_bytes();
        let mut content = bytes[18..bytes.len() - 8].to_vec();
        for (at, byte) in edits {
            let at = at.index(content.len());
            content[at] = byte;
        }
        if let Ok(replay) = read(&framed(&content)) {
            prop_assert!(read(&replay.to_bytes()).as_ref() == Ok(&replay));
            let verified = replay.verify(game);
            if let (Ok(_), Ok(text)) = (verified, replay.to_text(game)) {
                prop_assert!(Replay::from_text(game, &text).as_ref() == Ok(&replay));
            }
        }
    }

    /// Lines and words of a game's text removed, repeated, swapped and overwritten.
    #[test]
    fn damaged_texts_never_panic(
        which in any::<prop::sample::Index>(),
        seed in 0u64..8,
        edits in proptest::collection::vec((0u8..5, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
        junk in "\\PC{0,12}",
    ) {
        let game = &GAMES[which.index(GAMES.len())];
        let replay = record(game, seed);
        let text = replay.to_text(game).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (kind, a, b) in edits {
            if lines.is_empty() {
                break;
            }
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            match kind {
                0 => drop(lines.remove(a)),
                1 => lines.insert(b, lines[a].clone()),
                2 => lines.swap(a, b),
                3 => lines[a].push_str(&junk),
                _ => lines[a] = junk.clone(),
            }
        }
        if let Ok(read) = Replay::<Action>::from_text(game, &lines.join("\n")) {
            prop_assert!(read.verify(game).is_ok());
        }
    }
}

// --- notation ---

#[test]
fn all_legal_actions_of_random_positions_round_trip() {
    for game in GAMES.iter() {
        let mut chance = Dice::from_seed(17);
        let mut chooser = Dice::from_seed(18);
        let mut state = game.deal(&mut chance);
        let mut plies = 0;
        while let Turn::Of(_) = game.turn(&state) {
            let actions = game.actions(&state);
            if plies % 8 == 0 {
                for &action in &actions {
                    let text = game.write_action(&state, action);
                    assert_eq!(game.parse_action(&state, &text), Ok(action), "{text}");
                    for same in [format!("  {text} "), text.to_uppercase(), text.to_lowercase()] {
                        assert_eq!(game.parse_action(&state, &same), Ok(action), "{same}");
                    }
                }
            }
            let action = actions[chooser.below(actions.len() as u32) as usize];
            game.play_unchecked(&mut state, action, &mut chance);
            plies += 1;
        }
    }
}

/// What is written back must not lose or gain anything.
#[test]
fn payments_that_say_nothing_or_something_twice_are_refused() {
    let game = game("europe", 3);
    let state = position(game, 1, 20);
    for text in [
        "claim Paris-Dieppe in 0 locomotives",
        "station Roma in 0 sets",
        "claim Paris-Dieppe in 0 locomotives + 0 sets",
        "claim Paris-Dieppe in red + blue",
        "claim Paris-Dieppe in 1 locomotive + 2 locomotives",
        "claim Paris-Dieppe in 1 set + 1 set",
        "claim Paris-Dieppe in locomotive",
        "claim Paris-Dieppe in",
        "claim Paris-Dieppe in ",
        "claim in red",
        "claim Paris-Atlantis in red",
        "keep",
        "keep ,",
        "sets red*256",
        "sets *",
        "pay + -1 locomotives",
        "take 2",
        "",
        " ",
        "/",
    ] {
        assert!(game.parse_action(&state, text).is_err(), "{text}");
    }
    let zero = "claim Paris-Dieppe in red + 0 locomotives";
    let action = game.parse_action(&state, zero).unwrap();
    assert_eq!(game.write_action(&state, action), "claim Dieppe-Paris in red");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What parses writes back to the same action, and is legal exactly if it is listed.
    #[test]
    fn any_text_is_refused_or_one_action(
        which in any::<prop::sample::Index>(),
        seed in 0u64..4,
        plies in 0usize..120,
        nth in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), "[ -~]?"), 0..4),
        tail in "( \\+ ([0-9]{1,3} (locomotives?|sets?)|red|black))?",
    ) {
        let game = &GAMES[which.index(GAMES.len())];
        let mut state = position(game, seed, plies);
        prop_assume!(game.turn(&state) != Turn::Over);
        let action = game.nth_action(&state, nth.index(game.count_actions(&state))).unwrap();
        let mut text: Vec<char> = game.write_action(&state, action).chars().collect();
        for (at, new) in edits {
            let at = at.index(text.len() + 1);
            text.splice(at..(at + 1).min(text.len()), new.chars());
        }
        let text = text.into_iter().collect::<String>() + &tail;
        if let Ok(action) = game.parse_action(&state, &text) {
            let written = game.write_action(&state, action);
            prop_assert_eq!(game.parse_action(&state, &written), Ok(action), "{}", written);
            prop_assert_eq!(game.is_legal(&state, action), game.actions(&state).contains(&action), "{}", text);
            let before = state;
            if game.play(&mut state, action, &mut Dice::from_seed(seed)).is_err() {
                prop_assert!(before == state);
            }
        }
    }
}

// --- what a seat is shown ---

/// Two worlds that differ only in what a seat can't see look alike to that seat.
#[test]
fn observations_never_tell_hidden_cards() {
    let mut different = 0;
    for (n, game) in GAMES.iter().enumerate() {
        for plies in [0, 1, 5, 20, 60, 90, 150] {
            let state = position(game, n as u64, plies);
            let mut dice = Dice::from_seed(plies as u64);
            for seat in Seat::all(game.seats()) {
                let seen = game.observe(&state, seat);
                let world = game.determinize(&seen, &mut dice);
                different += usize::from(world != state);
                let guessed = game.observe(&world, seat);
                assert_eq!(format!("{seen:?}"), format!("{guessed:?}"));
                assert_eq!(format!("{seen:#?}"), format!("{guessed:#?}"));
                assert!(seen == guessed);
            }
        }
    }
    assert!(different > 500, "only {different} worlds differed: the test shows nothing");
}

// --- map files that fuzzing found ---

fn refused(map: &str) -> String {
    maps::parse("fuzzed.toml", map).unwrap_err().to_string()
}

fn variant(base: &str, rules: &str) -> String {
    format!("format = 1\nname = 'Variant'\nbase = '{base}'\n{rules}\n")
}

/// A map that loads plays: all invariants, some games.
fn plays(text: &str) {
    let map = maps::parse("fuzzed.toml", text).unwrap();
    for seats in map.seats.min..=map.seats.max {
        let game = BoardGame::new(&map, seats.into()).unwrap();
        conform(&game, 0..32);
        game.assert_invariants(&game.deal(&mut Dice::from_seed(1)));
    }
}

#[test]
fn an_opening_without_or_with_too_many_deals_is_refused() {
    let none = refused(&variant("usa", "rules.tickets.opening = []"));
    assert!(none.contains("rules.tickets.opening: 0 deals are not possible; there are 1 to 2"), "{none}");
    let step = "{ deal = [{ deck = 'regular', count = 1 }], hold = 1 }";
    let three = refused(&variant("usa", &format!("rules.tickets.opening = [{step}, {step}, {step}]")));
    assert!(three.contains("3 deals are not possible"), "{three}");
    plays(&variant("usa", &format!("rules.tickets.opening = [{step}, {step}]")));
}

/// "regular" is a deck even if no ticket has it.
#[test]
fn four_decks_besides_the_regular_one_are_refused() {
    let ends = [("Paris", "Wien"), ("Paris", "Roma"), ("Paris", "Madrid"), ("Paris", "London")];
    let decks = |names: [&str; 4]| {
        let ticket = |(deck, (from, to)): (&str, (&str, &str))| {
            let more =
                |points| format!("{{ from = '{from}', to = '{to}', points = {points}, deck = '{deck}' }}");
            [more(3), more(4)].join(", ")
        };
        let tickets: Vec<_> = names.into_iter().zip(ends).map(ticket).collect();
        let deals: Vec<_> = names.iter().map(|deck| format!("{{ deck = '{deck}', count = 1 }}")).collect();
        variant(
            "europe",
            &format!(
                "base_tickets = 'none'\nseats = {{ min = 2, max = 2 }}\ntickets = [{}]\nrules.tickets.draw = 0\n\
                 rules.tickets.keep = 0\nrules.tickets.opening = [{{ deal = [{}], hold = 1 }}]",
                tickets.join(", "),
                deals.join(", ")
            ),
        )
    };
    let error = refused(&decks(["a", "b", "c", "d"]));
    assert!(error.contains("4 different decks in addition to \"regular\" are too many"), "{error}");
    plays(&decks(["regular", "b", "c", "d"]));
}

/// The number of tickets under the deck would reveal which pile the kept ones are from.
#[test]
fn other_piles_do_not_go_under_the_deck() {
    let error = refused(&variant("europe", "rules.tickets.unkept_opening = 'bottom'"));
    assert!(error.contains("only \"regular\" tickets go under the deck"), "{error}");
}

#[test]
fn a_journey_deals_once_and_draws_no_tickets() {
    let error = refused(&variant("first-journey-usa", "rules.tickets.draw = 2"));
    assert!(error.contains("a journey swaps tickets instead of drawing them"), "{error}");
    let step = "{ deal = [{ deck = 'regular', count = 1 }], hold = 1 }";
    let error = refused(&variant("first-journey-usa", &format!("rules.tickets.opening = [{step}, {step}]")));
    assert!(error.contains("a journey deals once"), "{error}");
    plays(&variant(
        "first-journey-usa",
        "rules.tickets.opening = [{ deal = [{ deck = 'regular', count = 3 }], hold = 3 }]",
    ));
}

#[test]
fn points_that_no_score_can_hold_are_refused() {
    let cities: Vec<_> = maps::load("usa").unwrap().cities.into_iter().map(|city| city.name).collect();
    let tickets: Vec<_> = (0..70)
        .map(|i| {
            let (from, to) = (&cities[i % 30], &cities[(i % 30) + 1 + i / 30]);
            format!("{{ from = '{from}', to = '{to}', points = 255 }}")
        })
        .collect();
    let error =
        refused(&variant("usa", &format!("base_tickets = 'none'\ntickets = [{}]", tickets.join(", "))));
    assert!(error.contains("tickets: 17850 points together are too many"), "{error}");
}

/// Drawing tickets and keeping none is no progress: it can't go on for ever.
#[test]
fn keeping_no_ticket_is_no_progress() {
    let map =
        maps::parse("idle.toml", &variant("usa", "rules.tickets.keep = 0\nrules.no_progress_rounds = 3"));
    let game = BoardGame::new(&map.unwrap(), 2).unwrap();
    let mut chance = Dice::from_seed(1);
    let mut state = game.deal(&mut chance);
    let mut turns = 0;
    while let Turn::Of(_) = game.turn(&state) {
        let actions = game.actions(&state);
        let idle = [Action::Keep(0), Action::DrawTickets];
        let action =
            idle.into_iter().find(|action| actions.contains(action)).unwrap_or(actions[actions.len() - 1]);
        turns += usize::from(action == Action::DrawTickets);
        game.play(&mut state, action, &mut chance).unwrap();
        assert!(turns <= 6, "the game goes on");
    }
    assert_eq!(turns, 6);
}

/// A map may name all five tie-breaks, and the last ones count too.
#[test]
fn every_tie_break_counts() {
    let ties =
        "['longest-path-bonus', 'fewest-stations', 'completed-tickets', 'longest-ticket', 'longest-path']";
    let points = "{ 1 = 0, 2 = 0, 3 = 0, 4 = 0, 5 = 0, 6 = 0 }";
    let rules =
        format!("rules.tie_breaks = {ties}\nrules.bonus.longest_path = 0\nrules.claim.points = {points}");
    let game = BoardGame::new(&maps::parse("ties.toml", &variant("usa", &rules)).unwrap(), 2).unwrap();
    let mut table = Table::new(&game);
    assert_eq!(game.scores(table.state()).ranks.as_slice(), [0, 0]);
    table.routes(1, ["Miami-Atlanta"]);
    assert_eq!(game.scores(table.state()).points.as_slice(), [0, 0]);
    assert_eq!(game.scores(table.state()).ranks.as_slice(), [1, 0]);
}

/// As few tickets as a journey can have: what a seat guesses must still give every hand its number of
/// tickets, also of the seat that has won and may hold tickets that it was not asked about any more.
#[test]
fn scarce_journey_tickets_are_guessed_completely() {
    let text = "
        format = 1
        name = 'Scarce'
        base = 'first-journey-usa'
        base_tickets = 'none'
        seats = { min = 2, max = 4 }
        cities = [{ name = 'A', at = [0, 0] }, { name = 'B', at = [1, 0] }, { name = 'C', at = [2, 0] },
                  { name = 'D', at = [3, 0] }]
        routes = [{ from = 'A', to = 'B', length = 2, colour = 'red', double = 'D1' },
                  { from = 'A', to = 'B', length = 2, colour = 'red', double = 'D1' },
                  { from = 'A', to = 'C', length = 2, colour = 'black' },
                  { from = 'A', to = 'D', length = 1, colour = 'red' },
                  { from = 'B', to = 'C', length = 3, colour = 'blue' },
                  { from = 'B', to = 'D', length = 3, colour = 'green' },
                  { from = 'C', to = 'D', length = 1, colour = 'grey' }]
        tickets = [{ from = 'A', to = 'B' }, { from = 'B', to = 'C' }, { from = 'C', to = 'D' },
                   { from = 'D', to = 'A' }, { from = 'A', to = 'C' }, { from = 'B', to = 'D' },
                   { from = 'B', to = 'A', points = 1 }, { from = 'D', to = 'B', points = 1 }]
        rules.journey = { tickets_to_win = 5, bonus_between = { one = ['A'], other = ['B'] } }
    ";
    let map = maps::parse("scarce.toml", text).unwrap();
    for seats in 2..=4 {
        let game = BoardGame::new(&map, seats).unwrap();
        for seed in 0..60 {
            let mut chance = Dice::from_seed(seed);
            let mut dice = Dice::from_parts(&[seed, 1]);
            let mut state = game.deal(&mut chance);
            loop {
                for seat in Seat::all(seats) {
                    let world = game.determinize(&game.observe(&state, seat), &mut dice);
                    game.assert_invariants(&world);
                    assert_eq!(game.facts(&world, seat), game.facts(&state, seat), "seed {seed}");
                }
                if game.turn(&state) == Turn::Over {
                    break;
                }
                let action = game.random_action(&state, &mut dice);
                game.play(&mut state, action, &mut chance).unwrap();
            }
        }
    }
}
