//! The binary as its users see it: output, errors, exit codes, files.

mod support;

use std::process::{Command, Stdio};

use serde_json::Value as Json;
use support::{Folder, ttr};
use ttr_engine::maps;

#[test]
fn help_and_version() {
    assert_eq!(ttr(&["--version"]).good(), format!("ttr {}\n", env!("CARGO_PKG_VERSION")));
    for verb in [&[][..], &["maps"], &["maps", "show"], &["maps", "check"], &["bench"]] {
        let help = ttr(&[verb, &["--help"]].concat()).good();
        assert!(help.contains("Examples:") && help.contains("  ttr "), "{verb:?}: {help}");
    }
    let nothing = ttr(&[]);
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("Usage: ttr <COMMAND>"), "{nothing:?}");
}

#[test]
fn wrong_verbs_and_options() {
    for (args, says) in [
        (&["bnech"][..], "'bench'"),
        (&["maps", "shwo"], "'show'"),
        (&["maps", "europe"], "try 'ttr maps show europe'"),
        (&["bench", "--gamse", "5"], "'--games'"),
        (&["maps", "show"], "<MAP>"),
        (&["maps", "check"], "<FILE>"),
        (&["maps", "show", "usa", "--tickets", "--json"], "cannot be used with"),
        (&["bench", "--all", "--map", "usa"], "cannot be used with"),
    ] {
        let error = ttr(args).refused();
        assert!(error.starts_with("error: ") && error.contains(says), "{args:?}: {error}");
    }
}

#[test]
fn list() {
    let list = ttr(&["maps"]).good();
    for id in maps::ids() {
        assert_eq!(list.lines().filter(|line| line.starts_with(&format!("{id} "))).count(), 1, "{list}");
    }
    let line = |id: &str| list.lines().find(|line| line.starts_with(&format!("{id} "))).unwrap().to_owned();
    let numbers: Vec<String> = line("europe").split_whitespace().skip(1).take(6).map(str::to_owned).collect();
    assert_eq!(numbers, ["2-5", "47", "90", "11", "101", "46"]);
    for (id, says) in [
        ("europe", "tunnels, 13 ferries, 3 stations, longest path +10"),
        ("nordic", "Globetrotter +10"),
        ("first-journey-usa", "race to 6 tickets"),
        ("first-journey-europe", " 32*"),
        ("usa-big-cities", "no bonus"),
        ("card-game", "train robbing"),
    ] {
        assert!(line(id).contains(says), "{}", line(id));
    }
    assert!(list.contains("30 of the 32 tickets of first-journey-europe are reconstructed"), "{list}");

    let json = ttr(&["maps", "--json"]).json();
    let ids: Vec<_> = json.as_array().unwrap().iter().map(|map| map["id"].as_str().unwrap()).collect();
    assert_eq!(ids, maps::all_ids().collect::<Vec<_>>());
    let map = |id: &str| &json[maps::all_ids().position(|known| known == id).unwrap()];
    assert_eq!(map("first-journey-europe")["reconstructed_tickets"], 30);
    assert_eq!(map("europe")["seats"]["max"], 5);
}

/// The Card Game has no board, but tickets; depots can be added to boards only.
#[test]
fn card_game_and_depots() {
    let game = ttr(&["maps", "show", "card-game", "--tickets"]).good();
    for says in ["2-4 seats, 46 tickets", "New York     15 points", "Chicago-New York"] {
        assert!(game.contains(says), "{says}: {game}");
    }
    assert!(ttr(&["maps", "show", "card-game", "--svg", "-"]).refused().contains("no board to draw"));
    assert!(ttr(&["bench", "--map", "card-game", "--with", "depots"]).refused().contains("omit --with"));
    assert!(ttr(&["bench", "--map", "first-journey-usa", "--with", "depots"]).refused().contains(
        "depots: it has no points for them; choose a board with points, such as europe, nordic or usa\n"
    ));
    let depots = ttr(&["maps", "show", "nordic", "--with", "depots"]).good();
    assert!(depots.contains("nordic+depots") && depots.contains("Depots"), "{depots}");
    let with = ttr(&["bench", "--map", "nordic", "--with", "depots", "--games", "50", "--json"]).json();
    let plus = ttr(&["bench", "--map", "nordic+depots", "--games", "50", "--json"]).json();
    assert_eq!(with["checksum"], plus["checksum"]);
}

#[test]
fn show() {
    let europe = ttr(&["maps", "show", "europe"]).good();
    for says in ["Europe (europe)", "Each one not built: +4.", "Zurich", "tunnels", "Worth 5 to 21 points"] {
        assert!(europe.contains(says), "{says}: {europe}");
    }
    assert!(europe.lines().all(|line| line.chars().count() <= 100), "{europe}");
    let routes = || europe.lines().skip_while(|line| !line.starts_with("Routes (90")).skip(2);
    assert_eq!(routes().take_while(|line| !line.is_empty()).count(), 101, "{europe}");
    let route = |cities: &str| {
        routes().find(|line| line.starts_with(cities)).unwrap().split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(route("  Moskva").join(" "), "Moskva Petrograd 4 white");

    let journey = ttr(&["maps", "show", "first-journey-europe", "--tickets"]).good();
    assert!(journey.contains("only 2 are documented; the others are reconstructed"), "{journey}");
    assert_eq!(journey.lines().filter(|line| line.ends_with("  reconstructed")).count(), 30, "{journey}");
    assert_eq!(journey.lines().filter(|line| line.ends_with("  documented")).count(), 2, "{journey}");
    let journey = ttr(&["maps", "show", "first-journey-europe"]).good();
    assert!(journey.contains("30 of the 32 are reconstructed"), "{journey}");

    let json = ttr(&["maps", "show", "nordic", "--json"]).json();
    assert_eq!(json["map"]["rules"]["trains"], 40);
    assert_eq!(json["summary"]["tracks"], 81);
    assert_eq!(json["map"]["tickets"].as_array().unwrap().len(), 46);
}

#[test]
fn schema() {
    let published = include_str!("../../../maps/schema.json");
    assert_eq!(ttr(&["maps", "schema"]).good(), published);
    let published = include_str!("../../../maps/card-game.schema.json");
    assert_eq!(ttr(&["maps", "schema", "--card-game"]).good(), published);
}

#[test]
fn drawings() {
    let folder = Folder::new("drawings");
    let first = folder.ttr(&["maps", "show", "nordic", "--svg", "nordic.svg"]);
    assert!(first.err.starts_with("wrote nordic.svg ("), "{first:?}");
    assert_eq!(first.good(), "");
    let svg = std::fs::read_to_string(folder.0.join("nordic.svg")).unwrap();
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{}", &svg[..80]);
    assert!(svg.trim_end().ends_with("</svg>") && svg.contains("Murmansk"));
    let again = folder.ttr(&["maps", "show", "nordic", "--svg", "nordic.svg"]);
    assert!(again.err.starts_with("replaced nordic.svg ("), "{again:?}");
    assert_eq!(std::fs::read_to_string(folder.0.join("nordic.svg")).unwrap(), svg);
    assert_eq!(folder.ttr(&["maps", "show", "nordic", "--svg", "-"]).good(), svg);
    assert_eq!(folder.files(), ["nordic.svg"]);
}

#[test]
fn drawings_that_fail_leave_nothing() {
    let folder = Folder::new("no-drawings");
    std::fs::create_dir(folder.0.join("taken.svg")).unwrap();
    for path in ["taken.svg", "missing/board.svg", "..", ""] {
        let run = folder.ttr(&["maps", "show", "first-journey-usa", "--svg", path]);
        // clap itself refuses an empty path.
        assert_eq!(run.code, Some(if path.is_empty() { 2 } else { 1 }), "{run:?}");
        assert!(run.err.starts_with("error: ") && run.out.is_empty(), "{run:?}");
    }
    // An invalid map, and an existing picture: it stays unchanged.
    folder.write("old.svg", "old");
    folder.write("bad.toml", "format = 1\nname = 'x'\nbase = 'eurpoe'");
    for map in ["eurpoe", "bad.toml", "none.toml"] {
        folder.ttr(&["maps", "show", map, "--svg", "old.svg"]).refused();
        folder.ttr(&["maps", "show", map, "--svg", "new.svg"]).refused();
    }
    assert_eq!(std::fs::read(folder.0.join("old.svg")).unwrap(), b"old");
    assert_eq!(folder.files(), ["bad.toml", "old.svg", "taken.svg"]);
}

#[cfg(unix)]
#[test]
fn drawings_through_links_and_into_devices() {
    let folder = Folder::new("links");
    folder.write("real.svg", "old");
    std::os::unix::fs::symlink("real.svg", folder.0.join("link.svg")).unwrap();
    folder.ttr(&["maps", "show", "first-journey-usa", "--svg", "link.svg"]).good();
    assert!(std::fs::symlink_metadata(folder.0.join("link.svg")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(folder.0.join("real.svg")).unwrap().contains("</svg>"));
    let to_stdout = folder.ttr(&["maps", "show", "first-journey-usa", "--svg", "/dev/stdout"]).good();
    assert!(to_stdout.contains("</svg>"));
    assert_eq!(folder.files(), ["link.svg", "real.svg"]);
}

#[test]
fn unknown_maps() {
    for args in [&["maps", "show", "eurpoe"][..], &["bench", "--map", "eurpoe"]] {
        let error = ttr(args).refused();
        assert!(error.starts_with("error: there is no map \"eurpoe\"; did you mean \"europe\"?"), "{error}");
        assert!(maps::ids().iter().all(|id| error.contains(&format!("\"{id}\""))), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let error = ttr(&["maps", "show", "nowhere/map.toml"]).refused();
    assert!(error.contains("can't be read"), "{error}");
}

#[test]
fn check_of_good_files() {
    let folder = Folder::new("good");
    folder.write("open.toml", "format = 1\nname = 'Open'\nbase = 'europe'\nrules.stations = false\n");
    let says =
        "open.toml: valid: Open, 2-5 seats, 47 cities, 90 routes (11 double), 101 tracks, 46 tickets\n";
    assert_eq!(folder.ttr(&["maps", "check", "open.toml"]).good(), says);
    let two = folder.ttr(&["maps", "check", "open.toml", "first-journey-europe"]).good();
    assert!(two.starts_with(says) && two.ends_with("32 tickets (30 reconstructed)\n"), "{two}");
    folder.write("cards.toml", include_str!("../../../maps/card-game.toml"));
    let cards = folder.ttr(&["maps", "check", "cards.toml", "card-game"]).good();
    assert_eq!(cards.matches("valid: The Card Game, 2-4 seats, 46 tickets\n").count(), 2, "{cards}");
    // Your own map is treated like a shipped one.
    assert!(folder.ttr(&["maps", "show", "open.toml"]).good().contains("Open (open)"));
    let bench = folder.ttr(&["bench", "--map", "./open.toml", "--games", "10", "--json"]).json();
    assert_eq!(bench["map"], "open");
}

/// A shipped map with one thing changed.
fn edited(id: &str, from: &str, to: &str) -> String {
    let text = maps::text(id).unwrap();
    assert!(text.contains(from), "nothing to edit in {id}: {from}");
    text.replacen(from, to, 1)
}

#[test]
fn check_of_bad_files() {
    let folder = Folder::new("bad");
    let variant = |rest: &str| format!("format = 1\nname = 'x'\n{rest}\n");
    folder.write("latin.toml", b"format = 1\nname = 'K\xf8benhavn'\n");
    folder.write("self.toml", variant("base = 'self.toml'"));
    folder.write("a.toml", variant("base = 'b.toml'"));
    folder.write("b.toml", variant("base = 'a.toml'"));
    folder.write(
        "negative.toml",
        edited("usa", "length = 2, colour = \"grey\" }", "length = -2, colour = \"grey\" }"),
    );
    folder.write("key.toml", variant("base = 'usa'\nrules.trians = 40"));
    folder.write("empty.toml", "");
    // A hundred megabytes that take no space on the disk.
    std::fs::File::create(folder.0.join("huge.toml")).unwrap().set_len(100_000_000).unwrap();
    let route = "  { from = \"Atlanta\", to = \"Miami\", length = 5, colour = \"blue\" },\n";
    folder.write("many.toml", edited("usa", "routes = [\n", &format!("routes = [\n{}", route.repeat(100))));

    for (file, says) in [
        ("latin.toml", "latin.toml:2: the byte at offset 20 is not UTF-8; save the file as UTF-8 text"),
        ("self.toml", "self.toml:3: base \"self.toml\": a map can't be its own base; "),
        ("a.toml", "a.toml -> b.toml -> a.toml go round in a circle"),
        ("negative.toml", "-2"),
        ("key.toml", "key.toml:4: rules: unknown key \"trians\"; did you mean \"trains\"?"),
        ("empty.toml", "the key \"format\" is missing"),
        ("huge.toml", "huge.toml: the file is longer than 1048576 bytes; "),
        ("many.toml", "200 routes are too many; at most 128 are possible"),
        ("none.toml", "none.toml: the file none.toml can't be read: "),
        (".", "can't be read"),
    ] {
        let error = folder.ttr(&["maps", "check", file]).refused();
        assert!(error.contains(says), "{file}: {error}");
        let problems = error.lines().count() - 1;
        let sum =
            if problems == 1 { "error: 1 problem".into() } else { format!("error: {problems} problems") };
        assert_eq!(error.lines().last(), Some(sum.as_str()), "{error}");
        // The other commands refuse it for the same reason.
        if file.ends_with(".toml") {
            let shown = folder.ttr(&["maps", "show", file]).refused();
            assert!(
                shown.starts_with("error: ") && shown.contains(says.trim_start_matches("none.toml: ")),
                "{shown}"
            );
            folder.ttr(&["bench", "--map", file]).refused();
        }
    }
    let negative = folder.ttr(&["maps", "check", "negative.toml"]).refused();
    let line = maps::text("usa").unwrap().lines().position(|line| line.contains("length = 2")).unwrap() + 1;
    assert!(negative.contains(&format!("negative.toml:{line}: ")), "{negative}");
}

#[test]
fn check_reports_all_problems_of_all_files() {
    let folder = Folder::new("all");
    folder.write(
        "one.toml",
        "format = 1\nname = 'x'\nbase = 'usa'\nrules.trians = 40\nseats = { min = 3, max = 9 }\n",
    );
    folder.write("two.toml", "format = 1\nname = 'x'\nbase = 'usa'\n");
    folder.write("three.toml", "format = 1\nname = 'x'\nbase = 'us'\n");
    let run = folder.ttr(&["maps", "check", "one.toml", "two.toml", "three.toml"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.out.starts_with("two.toml: valid: x, 2-5 seats") && run.out.lines().count() == 1, "{run:?}");
    for says in ["one.toml:4: ", "one.toml:5: ", "three.toml:3: ", "error: 3 problems in 2 of 3 files"] {
        assert!(run.err.contains(says), "{says}: {run:?}");
    }
}

#[test]
fn bench_is_a_function_of_the_seed() {
    let bench = |args: &[&str]| ttr(&[&["bench", "--json", "--games", "300"], args].concat()).json();
    let one = bench(&["--threads", "1"]);
    for (key, value) in
        [("map", "usa".into()), ("seats", 2.into()), ("games", 300.into()), ("seed", Json::from(1))]
    {
        assert_eq!(one[key], value);
    }
    assert!(one["games_per_second"].as_f64().unwrap() > 0.0);
    assert!((50.0..500.0).contains(&one["plies_per_game"].as_f64().unwrap()), "{one}");
    assert!(one["nanoseconds_per_ply"].as_f64().unwrap() > 1.0);
    assert_eq!(one["checksum"].as_str().unwrap().len(), 16);
    for threads in ["2", "3", "0"] {
        let more = bench(&["--threads", threads]);
        assert_eq!((&more["checksum"], &more["plies"]), (&one["checksum"], &one["plies"]), "{threads}");
    }
    for other in [&["--seed", "2"][..], &["--seats", "3"], &["--map", "europe"], &["--games", "299"]] {
        // The last of an option that is given twice is refused by clap, so games are given once.
        let other = match other[0] {
            "--games" => ttr(&[&["bench", "--json"], other].concat()).json(),
            _ => bench(other),
        };
        assert_ne!(other["checksum"], one["checksum"], "{other}");
    }
}

#[test]
fn bench_for_people() {
    let run = ttr(&["bench", "--map", "first-journey-usa", "--seats", "4", "--games", "1_000"]);
    assert_eq!(run.err, "", "no progress bar unless stderr is a terminal");
    let out = run.good();
    assert!(out.starts_with("first-journey-usa, 4 seats: 1,000 random games, seed 1, 1 thread, "), "{out}");
    for figure in ["games/s ", "games/s per core ", "plies per game ", "ns per ply ", "checksum "] {
        assert!(out.lines().any(|line| line.starts_with(figure)), "{out}");
    }
}

/// If one of these changes, games play out differently, and the commit must explain it.
#[test]
fn golden_checksums() {
    let golden = [
        ("usa", "2", "85e9a482df24f5b9"),
        ("europe", "3", "cad1abada3e379de"),
        ("nordic", "2", "c825378ea10876ce"),
        ("first-journey-usa", "4", "b0cc400029a3b0e4"),
        ("europe+depots", "2", "24784cef56d8bd7e"),
        ("card-game", "4", "eb40f5cbf248fb4d"),
    ];
    for (map, seats, checksum) in golden {
        let run = ttr(&["bench", "--map", map, "--seats", seats, "--games", "500", "--json"]).json();
        assert_eq!(run["checksum"], checksum, "{map}, {seats} seats");
    }
}

#[test]
fn bench_of_everything() {
    let boards = maps::ids().iter().map(|id| maps::load(id).unwrap().seats);
    let seats = boards.chain([maps::card_game().seats]);
    let runs: usize = seats.map(|s| usize::from(s.max - s.min) + 1).sum();
    let table = ttr(&["bench", "--all", "--games", "20"]).good();
    assert_eq!(table.lines().count(), 1 + runs + 1, "{table}");
    assert!(table.lines().all(|line| line.len() <= 80), "{table}");
    let json = ttr(&["bench", "--all", "--games", "20", "--json", "--threads", "2"]).json();
    let json = json.as_array().unwrap();
    for (line, run) in table.lines().skip(1).zip(json) {
        let (map, checksum) = (run["map"].as_str().unwrap(), run["checksum"].as_str().unwrap());
        assert!(line.starts_with(map) && line.ends_with(checksum), "{line}: {run}");
    }
    assert_eq!(json.len(), runs);
}

#[test]
fn bench_refuses() {
    for (args, says) in [
        (&["--seats", "9"][..], "usa is played by 2 to 5 seats, not by 9; give --seats from 2 to 5"),
        (&["--map", "nordic", "--seats", "4"], "nordic is played by 2 to 3 seats, not by 4"),
        (&["--seats", "0"], "not by 0"),
        (&["--seats", "-1"], "expected a number of seats"),
        (&["--seats", "99999999999999999999999"], "expected a number of seats"),
        (&["--games", "0"], "expected a number of games from 1"),
        (&["--games", "-5"], "expected a number of games from 1"),
        (&["--games", "many"], "expected a number of games from 1"),
        (&["--threads", "100000"], "expected a number of threads up to 1024"),
        (&["--threads", "-1"], "expected a number of threads"),
        (&["--seed", "x"], "invalid value 'x' for '--seed"),
    ] {
        let error = ttr(&[&["bench"], args].concat()).refused();
        assert!(error.starts_with("error: ") && error.contains(says), "{args:?}: {error}");
    }
}

/// `ttr maps | head -1` must end quietly, wherever the reader stops.
#[test]
fn closed_output() {
    for args in [&["maps"][..], &["maps", "schema"], &["bench", "--all", "--games", "1"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ttr"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.is_empty()), (Some(0), true), "{args:?}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ttr")).arg("maps").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{output:?}");
}
