//! The tables of an arena: they follow from the games, damage is found, and their commands repeat the run.
//! `tables.py` reads the files with independent programs.

mod support;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use parquet::basic::{LogicalType, Type as PhysicalType};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::Type;
use support::{Folder, depends_on_the_clock};
use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::{RouteId, TicketId};
use ttr_sim::arena::{Arena, ArenaPart, SeatRecord};
use ttr_sim::game::{Ending, Playable, Source};
use ttr_sim::run::dir::RunDir;
use ttr_sim::run::kept::KeptStudy;
use ttr_sim::run::provenance;
use ttr_sim::table::entrant::Entrant;
use ttr_sim::table::runner::{self, Drive, Go, PlayError};

fn arena<G: Playable>(game: G, agents: &str) -> Arena<G> {
    let agents = AgentSpec::list(agents).unwrap();
    let entrants = agents.iter().map(|agent| Entrant::from_spec(&game, agent).unwrap()).collect();
    let mut arena = Arena::round_robin(game, entrants, 5);
    (arena.options.decisions, arena.options.seat_tables) = (true, true);
    arena
}

fn play<G: Playable>(arena: &Arena<G>, deals: u64) -> Vec<(Range<u64>, ArenaPart)> {
    let mut parts = Vec::new();
    runner::run(arena, 0..deals, &Drive::threads(1), |deals, part| {
        parts.push((deals, part));
        Ok::<_, PlayError>(Go::On)
    })
    .unwrap();
    parts
}

/// Plays, checks every part, and shows every seat.
fn check_seats<G: Playable>(arena: &Arena<G>, deals: u64, mut show: impl FnMut(&SeatRecord)) {
    for (deals, part) in play(arena, deals) {
        arena.check(&part, &deals).unwrap();
        part.games.iter().flat_map(|game| &game.seats).for_each(&mut show);
    }
}

/// The logs add up to the points, trains and tickets of the score sheet, in every game.
#[test]
fn logs_lead_to_the_results() {
    for (map, seats, agents) in [
        ("europe", 2, "planner,hungry,random"),
        ("europe-mega", 5, "greedy,random"),
        ("europe+depots", 3, "greedy,random"),
        ("europe-big-cities", 2, "greedy,random"),
        ("nordic", 3, "planner,greedy,random"),
        ("usa-mega", 4, "hungry,greedy,path,random"),
        ("first-journey-usa", 4, "greedy,random"),
        ("first-journey-europe", 2, "planner,random"),
        ("card-game", 2, "yard,random"),
        ("card-game", 4, "yard,greedy,random"),
    ] {
        let (mut routes, mut tickets, mut discarded) = (0, 0, 0);
        let mut count = |seat: &SeatRecord| {
            routes += seat.log.routes.len();
            tickets += seat.log.tickets.len();
            discarded += seat.log.tickets.iter().filter(|ticket| ticket.discarded_turn.is_some()).count();
        };
        match maps::find_any(map).unwrap() {
            AnySpec::CardGame(spec) => {
                check_seats(&arena(CardGame::new(&spec, seats).unwrap(), agents), 10, count);
                assert!(routes == 0 && tickets > 100, "{map}: {routes} routes, {tickets} tickets");
            }
            AnySpec::Board(spec) => {
                let arena = arena(BoardGame::new(&spec, seats).unwrap(), agents);
                let board = arena.game.clone();
                check_seats(&arena, 10, |seat| {
                    count(seat);
                    check_board_seat(&board, seat);
                });
                assert!(routes > 100 && tickets > 100, "{map}: {routes} routes, {tickets} tickets");
                assert_eq!(discarded > 0, spec.rules.journey.is_some(), "{map}: {discarded} tickets swapped");
            }
        }
    }
}

fn check_board_seat(board: &BoardGame, seat: &SeatRecord) {
    let (result, log) = (&seat.result, &seat.log);
    let claimed = || log.routes.iter().map(|record| &board.routes()[record.route.index()]);
    let trains: u8 = claimed().map(|route| route.length).sum();
    assert_eq!(trains + result.left, board.spec().rules.trains, "{seat:?}");
    assert!(log.routes.windows(2).all(|pair| pair[0].turn < pair[1].turn), "one claim per turn: {seat:?}");
    assert_eq!(
        claimed().map(|route| i16::from(route.points)).sum::<i16>(),
        result.sources[Source::Routes],
        "{seat:?}"
    );
    if board.spec().rules.journey.is_some() {
        return;
    }
    let kept = log.tickets.iter().filter(|ticket| ticket.kept);
    let points = kept.map(|record| {
        let points = i16::from(board.tickets()[record.ticket.index()].points);
        if record.completed { points } else { -points }
    });
    assert_eq!(points.sum::<i16>(), result.sources[Source::Tickets], "{seat:?}");
}

/// Any change in a part that was read is noticed before it enters a table.
#[test]
fn damaged_logs_are_refused() {
    let arena = arena(BoardGame::new(&maps::load("europe").unwrap(), 2).unwrap(), "planner,random");
    let (deals, part) = play(&arena, 1).remove(0);
    arena.check(&part, &deals).unwrap();
    fn seat(part: &mut ArenaPart) -> &mut SeatRecord {
        &mut part.games[0].seats[0]
    }
    type Change = fn(&mut ArenaPart);
    let changes: [(&str, Change); 12] = [
        ("a route is missing", |part| seat(part).log.routes.truncate(1)),
        ("a route is there twice", |part| {
            let first = seat(part).log.routes[0];
            seat(part).log.routes.push(first);
        }),
        ("a route does not exist", |part| seat(part).log.routes[0].route = RouteId::new(101)),
        ("a claim before the first turn", |part| seat(part).log.routes[0].turn = 0),
        ("a ticket does not exist", |part| seat(part).log.tickets[0].ticket = TicketId::new(127)),
        ("a completed ticket is missing", |part| seat(part).log.tickets.clear()),
        ("a ticket is completed and was not kept", |part| {
            let ticket = seat(part).log.tickets.iter_mut().find(|ticket| !ticket.kept).unwrap();
            ticket.completed = true;
        }),
        ("a ticket is completed before it was offered", |part| {
            let ticket = seat(part).log.tickets.iter_mut().find(|ticket| ticket.completed).unwrap();
            (ticket.offered_turn, ticket.completed_turn) = (5, Some(4));
        }),
        ("a decision claims what does not exist", |part| part.decisions[0].route = Some(RouteId::new(101))),
        ("nobody forfeited", |part| part.games[0].ending = Ending::Forfeit),
        ("a seat owns what does not exist", |part| seat(part).result.routes.insert(RouteId::new(101))),
        ("a value is not a number", |part| part.decisions[0].value = Some(f64::NAN)),
    ];
    for (what, change) in changes {
        let mut changed = part.clone();
        change(&mut changed);
        assert_ne!(format!("{changed:?}"), format!("{part:?}"), "{what}");
        assert!(arena.check(&changed, &deals).is_err(), "{what}");
    }
    let mut without = arena;
    without.options.seat_tables = false;
    assert!(without.check(&part, &deals).unwrap_err().contains("not requested"));
}

/// A table, by column.
fn column(file: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let fields = |line: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                c => fields.last_mut().unwrap().push(c),
            }
        }
        fields
    };
    let mut lines = text.lines();
    let header = fields(lines.next().unwrap());
    let at = header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{header:?}"));
    lines.map(|line| fields(line)[at].clone()).collect()
}

fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (!depends_on_the_clock(&name) && name != ".lock").then(|| (name, std::fs::read(path).unwrap()))
    };
    entries.filter(|path| path.is_file()).filter_map(file).collect()
}

/// The table of the agents defines each agent completely, whatever later versions tune, and the command
/// plays the same run.
#[test]
fn what_was_played_can_be_played_again() {
    let folder = Folder::new("again-from-tables");
    let first =
        ["--agents", "planner:wild=0.5,planner,greedy", "--games", "18", "--seat-tables", "--out", "first"];
    let nordic = ["arena", "--map", "nordic", "--seats", "3", "--quiet"];
    folder.ttr(&[&nordic[..], &first].concat()).good();
    let agents = column(&folder.0.join("first/agents.csv"), "specification");
    assert!(agents[0].len() > 400 && agents[0].contains("wild=0.5") && agents[0] != agents[1], "{agents:?}");
    assert_eq!(agents[2], "greedy");
    let spelled_out = ["--agents", &agents.join(","), "--games", "18", "--seat-tables", "--out", "second"];
    folder.ttr(&[&nordic[..], &spelled_out].concat()).good();
    for (table, columns) in [
        ("seats", &["points", "rank", "turn_order", "decisions", "agent_index"][..]),
        ("seat_routes", &["route", "turn", "colour"]),
        ("seat_tickets", &["ticket", "offered_turn", "completed_turn"]),
    ] {
        for name in columns {
            let of = |run: &str| column(&folder.0.join(run).join(format!("{table}.csv")), name);
            assert_eq!(of("first"), of("second"), "{table}: {name}");
        }
    }

    let table =
        ["--table", "planner,greedy,greedy", "--games", "9", "--anchor", "2", "--decisions", "--seed", "3"];
    folder.ttr(&[&nordic[..], &table, &["--out", "table"]].concat()).good();
    let command = provenance::command(RunDir::open_to_read(&folder.0.join("table")).unwrap().plan());
    let ttr = env!("CARGO_BIN_EXE_ttr");
    let command = command.replacen("ttr ", &format!("'{ttr}' "), 1) + " --quiet --out again";
    let run =
        std::process::Command::new("sh").args(["-c", &command]).current_dir(&folder.0).output().unwrap();
    assert!(run.status.success(), "{command}: {run:?}");
    let (once, again) = (results(&folder.0.join("table")), results(&folder.0.join("again")));
    assert!(once.len() > 10 && once.keys().eq(again.keys()), "{:?}", once.keys());
    for (name, bytes) in &once {
        assert!(again[name] == *bytes, "{command}: {name} differs");
    }
}

/// Searches report the visits and value of the chosen action; other agents report nothing.
#[test]
fn decisions_have_the_estimates_of_searches() {
    let folder = Folder::new("estimates");
    let arena =
        ["arena", "--map", "card-game", "--agents", "ismcts:iters=12,yard", "--games", "4", "--decisions"];
    for threads in ["1", "2"] {
        folder.ttr(&[&arena[..], &["--threads", threads, "--quiet", "--out", threads]].concat()).good();
    }
    let (one, two) = (results(&folder.0.join("1")), results(&folder.0.join("2")));
    assert!(one == two, "estimates depend on the number of threads");
    let of = |name: &str| column(&folder.0.join("1/decisions.csv"), name);
    let (mut known, mut forced) = (0, 0);
    for (((agent, visits), value), choices) in
        of("agent").into_iter().zip(of("visits")).zip(of("value")).zip(of("choices"))
    {
        assert_eq!(visits.is_empty(), value.is_empty(), "{agent}");
        if agent == "yard" {
            assert_eq!(visits, "", "yard does not search");
        } else if visits.is_empty() {
            forced += 1;
        } else {
            assert_ne!(choices, "1");
            let (visits, value): (u32, f64) = (visits.parse().unwrap(), value.parse().unwrap());
            assert!((1..=12).contains(&visits) && (0.0..=1.0).contains(&value), "{visits} {value}");
            known += 1;
        }
    }
    assert!(known > 50 && forced > 0, "{known} {forced}");
    let times = column(&folder.0.join("1/decision_times.csv"), "nanoseconds");
    assert_eq!(times.len(), of("ply").len());
    assert!(times.iter().all(|time| time.parse::<u64>().unwrap() > 0));
}

/// The columns of a Parquet file with their types, as in the data dictionary.
fn schema(file: &Path) -> Vec<(String, String)> {
    let reader = SerializedFileReader::new(std::fs::File::open(file).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema().clone();
    let kind = |field: &Type| {
        let kind = match (field.get_physical_type(), field.get_basic_info().logical_type_ref()) {
            (PhysicalType::BOOLEAN, _) => "bool".to_owned(),
            (_, Some(LogicalType::Integer(of))) => {
                format!("{}int{}", if of.is_signed { "" } else { "u" }, of.bit_width)
            }
            (PhysicalType::INT64, None) => "int64".to_owned(),
            (PhysicalType::DOUBLE, _) => "double".to_owned(),
            (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)) => "text".to_owned(),
            other => panic!("{other:?}"),
        };
        kind + if field.is_optional() { "?" } else { "" }
    };
    schema.get_fields().iter().map(|field| (field.name().to_owned(), kind(field))).collect()
}

/// The data dictionary has every column of every table with its type, and nothing else.
#[test]
fn the_dictionary_is_complete() {
    let folder = Folder::new("dictionary");
    let arena =
        ["arena", "--map", "first-journey-usa", "--agents", "random,greedy", "--games", "2", "--quiet"];
    folder
        .ttr(&[&arena[..], &["--decisions", "--seat-tables", "--sprt", "1,2", "--out", "run"]].concat())
        .good();
    let text = include_str!("../../../docs/FORMATS.md");
    let section = text.split("## Tables of ttr arena\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut tables = BTreeMap::new();
    for table in section.split("\n### ").skip(1) {
        let (name, rest) = table.split_once(':').unwrap();
        let mut columns = Vec::new();
        for line in rest.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let names = cells[1].split(", ").filter(|&name| name != "...").map(|name| name.trim_matches('`'));
            let kinds: Vec<&str> = cells[2].split(", ").collect();
            // One type for all, or one for each.
            let kinds = kinds.iter().chain(std::iter::repeat(&kinds[0]));
            columns.extend(names.zip(kinds).map(|(name, &kind)| (name.to_owned(), kind.to_owned())));
        }
        tables.insert(name.to_owned(), columns);
    }
    let files = results(&folder.0.join("run")).into_keys().chain(["decision_times.parquet".to_owned()]);
    let mut names: Vec<_> =
        files.filter_map(|name| name.strip_suffix(".parquet").map(str::to_owned)).collect();
    names.sort();
    assert_eq!(names, tables.keys().cloned().collect::<Vec<_>>());
    for (name, columns) in tables {
        // A table may list its key first.
        let sorted = |mut columns: Vec<_>| {
            columns.sort();
            columns
        };
        assert_eq!(sorted(columns), sorted(schema(&folder.0.join(format!("run/{name}.parquet")))), "{name}");
    }
}

/// Every figure has its precision and number of blocks, and the file names the methods.
#[test]
fn the_summary_has_errors_and_methods() {
    let folder = Folder::new("errors");
    let arena =
        ["arena", "--map", "card-game", "--agents", "yard,greedy", "--games", "200", "--quiet", "--json"];
    let summary = folder.ttr(&[&arena[..], &["--out", "run"]].concat()).json();
    for method in ["share", "mean", "deviation", "rating"] {
        let id = summary["intervals"][method].as_str().unwrap();
        assert!(include_str!("../../../docs/STATISTICS.md").contains(&format!("`{id}`")), "{id}");
    }
    assert_eq!(
        (&summary["intervals"]["level"], &summary["intervals"]["fewest_blocks"]),
        (&0.95.into(), &5.into())
    );
    let agents = summary["agents"].as_array().unwrap();
    for name in ["win_share", "points", "spread", "tickets_completed"] {
        for agent in agents {
            let figure = &agent[name];
            let number = |key: &str| figure[key].as_f64().unwrap_or_else(|| panic!("{name}: {figure}"));
            assert_eq!(figure["blocks"], 100, "{name}: {figure}");
            // An interval of 95 % is about two standard errors wide either way.
            let errors = (number("high") - number("low")) / 2.0 / number("standard_error");
            assert!((1.7..2.4).contains(&errors), "{name}: {figure}");
        }
    }
    let rating = agents.iter().find(|agent| agent["label"] != summary["anchor"]).unwrap()["rating"].clone();
    assert!(
        rating["standard_error"].as_f64().is_some_and(|error| error > 5.0) && rating["blocks"] == 100,
        "{rating}"
    );
    // Unmeasured figures have no error.
    let few = ["arena", "--map", "card-game", "--agents", "yard,greedy", "--games", "4", "--quiet", "--json"];
    let few = folder.ttr(&few).json();
    let points = &few["agents"][0]["points"];
    assert!(
        points["standard_error"].is_null() && points["low"].is_null() && points["blocks"] == 2,
        "{points}"
    );
}
