//! `ttr rate`: identical bytes under all circumstances, ratings that are reproduced, and clear errors.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::Value as Json;
use support::{Folder, depends_on_the_clock, ttr, unlock};
use ttr_agents::AgentSpec;
use ttr_sim::exec::ExecOptions;
use ttr_sim::rate::{Ladder, Rate, RateEntry};
use ttr_sim::run::{KeptRun, RunDir};
use ttr_sim::table::runner::{Drive, Outcome};

/// All files of a run with their bytes, except for those that depend on the clock.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                collect(root, &path, files);
            } else if !depends_on_the_clock(&name) && name != ".lock" {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(folder, folder, &mut files);
    files
}

fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(other[name] == *bytes, "{name} differs");
    }
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or(f64::NAN)
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = Folder::new("rate-threads");
    let rate = ["rate", "greedy", "--only", "card-game-2,first-journey-usa-2"];
    for threads in ["1", "2"] {
        folder.ttr_slowly(&[&rate[..], &["--threads", threads, "--out", threads]].concat()).good();
    }
    let one = results(&folder.0.join("1"));
    assert_same(&one, &results(&folder.0.join("2")));
    for file in ["summary.json", "ratings.csv", "report.html", "tables/card-game-2/games.csv"] {
        assert!(one.contains_key(file), "{file}: {:?}", one.keys());
    }
    let csv = String::from_utf8(one["ratings.csv"].clone()).unwrap();
    let columns = |line: &str| line.split(',').count();
    assert!(csv.lines().all(|line| columns(line) == columns(csv.lines().next().unwrap())), "{csv}");
    assert_eq!(csv.lines().count(), 4, "{csv}");
}

/// A run that ends in the middle of its second table, with the possible remains of a killed process, is
/// resumed to the same bytes.
#[test]
fn a_rating_is_resumed_in_the_middle_of_a_table() {
    let folder = Folder::new("rate-resume");
    let rate = ["rate", "random", "--only", "first-journey-usa-2,card-game-2"];
    folder.ttr_slowly(&[&rate[..], &["--out", "whole"]].concat()).good();

    let ladder = Ladder::v1();
    let only = vec!["first-journey-usa-2".to_owned(), "card-game-2".to_owned()];
    let entry = RateEntry { agent: AgentSpec::new("random"), card_game: None, only, times: 1 };
    let path = folder.0.join("part");
    let dir = RunDir::create(&path, entry.plan(&ladder)).unwrap();
    let rate = |plan: &_| Rate::from_plan(ladder, plan, Default::default(), ExecOptions::default());
    let mut run = KeptRun::open(dir, rate).unwrap();
    let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = |games| {
        if played.fetch_add(games, Ordering::Relaxed) + games > 450 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let outcome = run.play(&Drive::new(1, &stop, &progress)).unwrap();
    assert_eq!(outcome, Outcome::Stopped);
    let kept = run.games_played().unwrap();
    assert!(400 < kept && kept < run.games_planned(), "{kept} of {}", run.games_planned());
    let so_far = run.so_far().unwrap().unwrap();
    assert!(so_far.overall.value.is_nan());
    assert!(so_far.tables.iter().all(|table| table.missing.is_none()), "{so_far}");
    drop(run);
    let tables = path.join("tables");
    let half = tables.join("card-game-2");
    assert!(tables.join("first-journey-usa-2/summary.json").exists() && !half.join("summary.json").exists());
    for dir in [&path, &half, &tables.join("first-journey-usa-2")] {
        unlock(dir);
    }
    std::fs::write(half.join("parts/.0000000000-0000000001.99-0.tmp"), b"half").unwrap();
    folder.ttr_slowly(&["rate", "--resume", "part"]).good();
    assert_same(&results(&folder.0.join("whole")), &results(&path));
    // Once more: it is complete, and only printed.
    let again = folder.ttr(&["rate", "--resume", "part", "--json"]).json();
    assert_eq!(again["tables"].as_array().unwrap().len(), 2);
    let wrong = folder.ttr(&["arena", "--resume", "part"]).refused();
    assert!(wrong.contains("ttr rate --resume part"), "{wrong}");
    let wrong = folder.ttr(&["rate", "--resume", "part/tables/card-game-2"]).refused();
    assert!(wrong.contains("a run of ttr arena"), "{wrong}");
}

/// Agents that are anchors get the rating of the anchor.
#[test]
fn anchors_are_found_again() {
    let ladder = Ladder::v1();
    let folder = Folder::new("rate-anchors");
    for (table, anchor) in
        [("first-journey-usa-2", "one-step"), ("first-journey-usa-2", "planner"), ("card-game-2", "yard")]
    {
        let known = ladder.tables.iter().find(|known| known.name == table).unwrap();
        let agent = AgentSpec { label: None, ..ladder.anchor(known, anchor) };
        let run = folder.ttr_slowly(&[
            "rate",
            &agent.to_string(),
            "--only",
            table,
            "--times",
            "2",
            "--json",
            "--out",
            anchor,
        ]);
        let rating = run.json()["tables"][0]["rating"].clone();
        let (low, high, truth) = (number(&rating["low"]), number(&rating["high"]), known.ratings[anchor]);
        assert!(
            low < truth && truth < high && high - low < 90.0,
            "{anchor} on {table}: {rating}, not {truth}"
        );
    }
}

#[test]
fn agents_may_lack_tables() {
    let folder = Folder::new("rate-lack");
    let only = ["--only", "card-game-2,first-journey-usa-2", "--out"];
    let text = folder.ttr_slowly(&[&["rate", "planner"], &only[..], &["one"]].concat()).good();
    assert!(
        text.contains("card-game-2 was not played: planner plays boards only; give --card-game AGENT"),
        "{text}"
    );
    let both = ["rate", "planner", "--card-game", "yard"];
    let text = folder.ttr_slowly(&[&both, &only[..], &["two"]].concat()).good();
    assert!(
        text.contains("planner + yard on ladder v1: 796 games") && !text.contains("was not played"),
        "{text}"
    );
    assert!(text.contains("there is no overall rating unless all tables"), "{text}");
    let refused = folder.ttr(&["rate", "yard", "--only", "usa-2"]).refused();
    assert!(refused.contains("yard plays none of these tables: yard plays the Card Game only"), "{refused}");
}

#[test]
fn what_can_not_be_rated() {
    for (args, message) in [
        (&["rate", "plannr"][..], "did you mean \"planner\"?"),
        (&["rate", "planner", "--card-game", "yrd"], "did you mean \"yard\"?"),
        (&["rate", "greedy", "--only", "usa-3"], "there is no table \"usa-3\"; did you mean \"usa-2\"?"),
        (&["rate", "greedy", "--times", "0"], "from 1 to 1000"),
        (&["rate", "exec:./no-such-bot"], "can't be started"),
        (&["rate"], "<AGENT>"),
    ] {
        let error = ttr(args).refused();
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

/// An agent that forfeits everything has a bound, the reason, and a different exit code.
#[cfg(unix)]
#[test]
fn an_agent_that_never_answers() {
    let folder = Folder::new("rate-forfeit");
    let run = folder.ttr_slowly(&["rate", "exec:true", "--only", "first-journey-usa-2", "--out", "run"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("exec:true finished none of its 400 games on first-journey-usa-2"), "{run:?}");
    assert!(run.out.contains("forfeits: 400 of 400 games"), "{run:?}");
    let summary = std::fs::read_to_string(folder.0.join("run/summary.json")).unwrap();
    let summary: Json = serde_json::from_str(&summary).unwrap();
    let rating = &summary["tables"][0]["rating"];
    assert!(
        rating["value"].is_null() && rating["low"].is_null() && number(&rating["high"]) < -200.0,
        "{rating}"
    );
}

/// A process is rated like any agent: the example, which claims the longest route that it can, is not far
/// from greedy.
#[cfg(unix)]
#[test]
fn a_process_is_rated() {
    let folder = Folder::new("rate-exec");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bot = format!("exec:python3 '{}'", root.join("examples/bots/python/bot.py").display());
    let args =
        ["rate", &bot, "--only", "first-journey-usa-2", "--json", "--out", "run", "--exec-secret", "1"];
    let run = folder.ttr_slowly(&args).json();
    let table = &run["tables"][0];
    assert_eq!((&table["games"], &table["forfeits"]), (&400.into(), &0.into()), "{table}");
    let rating = &table["rating"];
    let [value, low, high] = ["value", "low", "high"].map(|key| number(&rating[key]));
    let greedy = Ladder::v1().tables[0].ratings["greedy"];
    assert!(greedy - 300.0 < low && low < value && value < high && high < greedy + 300.0, "{rating}");
}

/// An experiment rates agents as `ttr rate` does.
#[test]
fn experiments_rate_agents() {
    let folder = Folder::new("rate-experiment");
    let head = "title = \"T\"\nquestion = \"Q\"\n[[run]]\nname = \"one\"\ncommand = \"rate\"\n";
    let run = "map = \"ladder-v1\"\nagents = [\"greedy\"]\ntables = [\"card-game-2\"]\ngames = 1\n";
    folder.write("experiment.toml", format!("{head}{run}"));
    folder.ttr_slowly(&["experiment", "run", "experiment.toml"]).good();
    let results = std::fs::read_to_string(folder.0.join("results.csv")).unwrap();
    let rate = ["rate", "greedy", "--only", "card-game-2", "--json", "--out", "run"];
    let rated = folder.ttr_slowly(&rate).json();
    let value = number(&rated["tables"][0]["rating"]["value"]);
    assert!(results.contains(&format!("one,card-game-2,elo,{value:.6},")), "{value} {results}");
    assert!(results.contains("one,overall,elo,NaN,"), "{results}");
    assert!(std::fs::read_to_string(folder.0.join("report.html")).unwrap().contains("Leaderboard"));
    for (wrong, message) in [
        (run.replace("ladder-v1", "usa"), "there is no ladder \"usa\""),
        (run.replace("card-game-2", "card-game-3"), "there is no table \"card-game-3\""),
        (run.replace("\"greedy\"", "\"greedy\", \"random\""), "2 agents are to be rated"),
        (run.replace("greedy", "planner"), "planner plays none of these tables"),
        (run.to_owned() + "seed = 5\n", "seed is defined by the ladder"),
        (run.to_owned() + "card_game = \"yrd\"\n", "did you mean \"yard\"?"),
    ] {
        folder.write("experiment.toml", format!("{head}{wrong}"));
        let error = folder.ttr(&["experiment", "check", "experiment.toml"]).refused();
        assert!(error.contains(message), "{wrong}: {error}");
    }
    let arena = "map = \"usa\"\nagents = [\"greedy\"]\ntables = [\"usa-2\"]\ngames = 1\n";
    folder.write("experiment.toml", format!("{}{arena}", head.replace("rate", "arena")));
    let error = folder.ttr(&["experiment", "check", "experiment.toml"]).refused();
    assert!(error.contains("tables belongs to a ladder"), "{error}");
}
