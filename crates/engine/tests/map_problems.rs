//! What is said about map files that are wrong: everything at once, with file, line and a hint.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Deserialize;
use ttr_engine::maps;
use ttr_engine::spec::{MAX_CITIES, MAX_ROUTES, MAX_TICKETS, MapSource, load};

const SMALL: &str = include_str!("fixtures/small.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    what: String,
    text: Option<String>,
    #[serde(default)]
    edits: Vec<[String; 2]>,
    says: String,
}

#[test]
fn small_map_is_right() {
    let map = maps::parse("small.toml", SMALL).unwrap();
    assert_eq!((map.id.as_str(), map.cities.len(), map.routes.len(), map.tickets.len()), ("small", 5, 6, 9));
}

#[test]
fn problems() {
    let cases: Cases = toml::from_str(include_str!("fixtures/problems.toml")).unwrap();
    assert!(cases.case.len() > 90);
    let mut names = BTreeSet::new();
    let mut wrong = String::new();
    for case in &cases.case {
        assert!(names.insert(&case.what), "{} is there twice", case.what);
        let mut text = SMALL.to_owned();
        for [old, new] in &case.edits {
            assert!(text.contains(old), "{}: nothing to edit: {old}", case.what);
            text = text.replacen(old, new, 1);
        }
        let (file, text) = match &case.text {
            Some(text) => ("variant.toml", text),
            None => ("small.toml", &text),
        };
        let error = maps::parse(file, text).expect_err(&case.what);
        assert!(error.problems.iter().all(|problem| !problem.hint.is_empty() && problem.line.is_some()));
        if error.to_string() != case.says {
            writeln!(wrong, "{}\nexpected:\n{}\nfound:\n{error}\n", case.what, case.says).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A board in a row with these numbers of cities, routes and tickets; routes beyond a single row are double.
fn row(cities: usize, routes: usize, tickets: usize) -> String {
    let mut text =
        String::from("format = 1\nname = 'Row'\nbase = 'usa'\nbase_tickets = 'none'\nrules.trains = 60\n");
    let mut list = |key: &str, items: &mut dyn Iterator<Item = String>| {
        writeln!(text, "{key} = [{}]", items.collect::<Vec<_>>().join(", ")).unwrap();
    };
    list("cities", &mut (0..cities).map(|i| format!("{{ name = 'C{i}', at = [{i}, 0] }}")));
    let last = cities - 1;
    let double = routes - last;
    list(
        "routes",
        &mut (0..routes).map(|i| {
            let from = i % last;
            let double = if from < double { format!(", double = 'D{from}'") } else { String::new() };
            format!("{{ from = 'C{from}', to = 'C{}', length = 1, colour = 'red'{double} }}", from + 1)
        }),
    );
    list(
        "tickets",
        &mut (0..tickets)
            .map(|i| format!("{{ from = 'C{}', to = 'C{}', points = {} }}", i % last, last, i / last + 1)),
    );
    text
}

#[test]
fn sizes() {
    let map = maps::parse("row.toml", &row(61, 100, MAX_TICKETS)).unwrap();
    assert_eq!((map.cities.len(), map.routes.len(), map.tickets.len()), (61, 100, MAX_TICKETS));
    let big = row(MAX_CITIES, 2 * (MAX_CITIES - 1), 40)
        .replace("rules.trains = 60", "rules.stations = { per_seat = 3, unbuilt_points = 0 }");
    assert_eq!(maps::parse("row.toml", &big).unwrap().cities.len(), MAX_CITIES);

    let says = |text: &str| maps::parse("row.toml", text).unwrap_err().to_string();
    let stations = |text: String| {
        text.replace("rules.trains = 60", "rules.stations = { per_seat = 3, unbuilt_points = 0 }")
    };
    assert_eq!(
        says(&stations(row(MAX_CITIES + 1, MAX_CITIES, 40))),
        format!("row.toml:6: 65 cities are too many; at most {MAX_CITIES} are possible")
    );
    assert_eq!(
        says(&stations(row(MAX_CITIES + 2, MAX_ROUTES + 1, 40))),
        "row.toml:6: 66 cities are too many; at most 64 are possible\n\
         row.toml:7: 129 routes are too many; at most 128 are possible"
    );
    assert_eq!(
        says(&row(10, 12, MAX_TICKETS + 1)),
        format!("row.toml:8: 105 tickets are too many; at most {MAX_TICKETS} are possible")
    );
}

/// Stations borrow routes: a ticket is out of reach only if they can't help either.
#[test]
fn out_of_reach() {
    let row = |stations: u8| {
        let rule = format!("rules.stations = {{ per_seat = {stations}, unbuilt_points = 0 }}");
        let text = row(MAX_CITIES, MAX_CITIES - 1, 40).replace("rules.trains = 60", &rule);
        maps::parse("row.toml", &text)
    };
    assert!(row(2).is_ok());
    let error = row(1).unwrap_err();
    assert_eq!(error.problems.len(), 9);
    assert_eq!(
        error.problems[0].to_string(),
        "row.toml:8: ticket \"C0-C63\": nobody can complete it: it takes 63 trains; \
         a seat has 45, and 1 stations to borrow routes"
    );
}

#[test]
fn inherited_problems_name_both_files() {
    let base =
        MapSource { id: "small".to_owned(), file: "maps/small.toml".to_owned(), text: SMALL.to_owned() };
    let text =
        "format = 1\nname = 'Variant'\nbase = 'small'\nrules.trains = 4\nrules.tunnels = false\n".to_owned();
    let source = MapSource { id: "variant".to_owned(), file: "variant.toml".to_owned(), text };
    let error = load(&source, |_, _| Ok(base.clone())).unwrap_err();
    let first = &error.problems[0];
    assert_eq!(
        first.to_string(),
        "maps/small.toml:15: route \"Brno-Como\": it is a tunnel, but the rules know none (inherited by variant.toml); \
         add [rules.tunnels] with reveal = 3, or leave out tunnel"
    );
    assert_eq!((first.file.as_str(), first.line), ("maps/small.toml", Some(15)));
    assert_eq!(error.problems.len(), 6);
}

/// Whatever people will read: it shows as it is, and what it is.
#[test]
fn names_are_plain_text() {
    let long = "x".repeat(121);
    for (old, what, names) in [
        (
            "Small",
            "name: ",
            &[
                "",
                " ",
                "\\u001b[31mred",
                "a\\u0007",
                "a\\nb",
                "\\u202Ellams",
                "\\u200B",
                "=1+1",
                "@x",
                "-x",
                &long,
            ][..],
        ),
        (
            "Exeter",
            "city ",
            &[
                "\\u202Eretexe",
                "\\u200B",
                "Ex\\u200Beter",
                "\\u2066Exeter",
                "\\u3164",
                "=Exeter",
                "+x",
                "-x",
                "@x",
            ],
        ),
    ] {
        for name in names {
            let text = SMALL.replace(&format!("\"{old}\""), &format!("\"{name}\""));
            let error = maps::parse("small.toml", &text).unwrap_err();
            let line = if old == "Small" { 3 } else { 10 };
            let problem = error.problems.iter().find(|problem| problem.message.starts_with(what));
            let problem = problem.unwrap_or_else(|| panic!("{name}: {error}"));
            assert_eq!(problem.line, Some(line), "{name}: {error}");
            assert!(problem.message.contains("can't be used"), "{name}: {error}");
            let shown = error.to_string();
            assert!(shown.chars().all(|c| c == '\n' || ttr_engine::plain_text::is_printable(c)), "{shown:?}");
        }
    }
    for name in ["Zürich", "Saint-Étienne", "東京", "Curaçao 1912", "Cafe\u{301}"] {
        let text =
            SMALL.replace("\"Exeter\"", &format!("\"{name}\"")).replace("\"Small\"", &format!("\"{name}\""));
        maps::parse("small.toml", &text).unwrap();
    }
    let note = |note: &str| {
        maps::parse("small.toml", &SMALL.replace("seats =", &format!("note = \"{note}\"\nseats =")))
    };
    assert_eq!(note("one line\\nand another").unwrap().note.unwrap(), "one line\nand another");
    assert!(note("a \\u001b[31m note").unwrap_err().to_string().starts_with("small.toml:4: note: "));
    assert!(note(&"x".repeat(100_000)).unwrap_err().to_string().contains("use at most 2000 characters"));
}

/// Twenty thousand misspelt keys are refused about as fast as the file is parsed, and so are three times as
/// many.
#[test]
fn unknown_keys_take_no_time() {
    for torn in ["", "= =\n"] {
        let time = |keys: usize| {
            let mut text = "format = 1\nname = 'Keys'\nbase = 'usa'\n[rules]\n".to_owned();
            (0..keys).for_each(|n| writeln!(text, "key_{n} = 1").unwrap());
            text += torn;
            let start = std::time::Instant::now();
            let error = maps::parse("keys.toml", &text).unwrap_err();
            assert_eq!(error.problems.len(), 101);
            assert!(error.problems[100].message.contains("more problems are not shown"), "{error}");
            start.elapsed()
        };
        let (few, many) = (time(20_000), time(60_000));
        assert!(few.as_millis() < 500 && many.as_millis() < 1500, "{few:?}, {many:?}");
    }
}

#[test]
fn no_more_than_anybody_reads() {
    let text: String = (0..500).map(|n| format!("key{n} = 1\n")).collect();
    let error = maps::parse("many.toml", &text).unwrap_err();
    assert_eq!(error.problems.len(), 101);
    assert_eq!(
        error.problems[100].to_string(),
        "many.toml: 407 more problems are not shown; fix the ones above first"
    );
}
