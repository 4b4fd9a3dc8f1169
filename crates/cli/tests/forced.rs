//! `ttr tickets --forced`: identical bytes under all circumstances, figures that follow from its tables,
//! clear errors.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use support::{Folder, unlock};
use ttr_agents::AgentSpec;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps;
use ttr_sim::run::{KeptRun, RunDir, RunPlan, StudyPlan};
use ttr_sim::table::entrant::Entrant;
use ttr_sim::table::runner::Drive;
use ttr_sim::table::schedule::Schedule;
use ttr_sim::tickets::{TicketOptions, Tickets};

/// All files of a complete run.
fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name != ".lock").then(|| (name, std::fs::read(path).unwrap()))
    };
    let files: BTreeMap<_, _> = std::fs::read_dir(run).unwrap().filter_map(file).collect();
    assert!(
        files.contains_key("summary.json") && files.contains_key("openings.parquet"),
        "{:?}",
        files.keys()
    );
    files
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    one.iter().for_each(|(name, bytes)| assert!(other[name] == *bytes, "{name} differs"));
}

/// The rows of a table by column.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

#[test]
fn threads_shards_and_plain_runs_agree() {
    let folder = Folder::new("forced");
    let command =
        ["tickets", "--map", "usa", "--agents", "greedy,random", "--forced", "--games", "560", "-q"];
    let run = |more: &[&str]| folder.ttr(&[&command[..], more].concat()).good();
    let printed = run(&["--threads", "1", "--out", "one"]);
    assert!(printed.contains("560 games, 80 of them without a forced choice"), "{printed}");
    assert!(printed.contains("greedy: keep all 3") && printed.contains("an association"), "{printed}");
    run(&["--threads", "3", "--out", "three"]);
    assert_same(&folder.0.join("one"), &folder.0.join("three"));
    run(&["--shard", "1/2", "--out", "a"]);
    run(&["--shard", "2/2", "--out", "b"]);
    assert_eq!(folder.ttr(&["merge", "a", "b", "--out", "merged"]).good(), printed);
    assert_same(&folder.0.join("one"), &folder.0.join("merged"));
    assert_eq!(folder.ttr(&["tickets", "--resume", "one", "-q"]).good(), printed);
    // The games without a forced choice are those of a plain run with the same number of deals.
    let plain = ["tickets", "--map", "usa", "--agents", "greedy,random", "-q"];
    folder.ttr(&[&plain[..], &["--games", "80", "--out", "plain"]].concat()).good();
    for name in ["tickets.csv", "pairs.csv", "routes.csv", "cities.csv"] {
        let [forced, free] =
            ["one", "plain"].map(|run| std::fs::read(folder.0.join(run).join(name)).unwrap());
        assert!(forced == free, "{name} differs");
    }
    // A plain run is another run.
    folder.ttr(&[&plain[..], &["--games", "80", "--shard", "2/2", "--out", "other"]].concat()).good();
    let error = folder.ttr(&["merge", "a", "other", "--out", "mixed"]).refused();
    assert!(
        error.contains("do not belong to the same run: study.tickets.forced is true in one and false"),
        "{error}"
    );
}

/// Parts on both sides of a gap.
#[test]
fn a_stopped_run_is_resumed_to_the_same_bytes() {
    let folder = Folder::new("forced-parts");
    let game = || CardGame::new(&maps::card_game(), 2).unwrap();
    let agents = AgentSpec::list("random").unwrap();
    let schedule = Schedule::round_robin(1, 2);
    let options = TicketOptions::forced(true);
    let plan = RunPlan::new(StudyPlan::Tickets(options), &game(), "card-game", 1, agents.clone());
    let plan = plan.with_deals(&schedule, 6);
    let dir = RunDir::create(&folder.0.join("run"), plan).unwrap();
    let entrants = agents.iter().map(|agent| Entrant::from_spec(&game(), agent).unwrap()).collect();
    let mut run = KeptRun::open(dir, |plan| Tickets::from_plan(game(), entrants, plan)).unwrap();
    for _ in 0..4 {
        let stop = AtomicBool::new(false);
        let progress = |_| stop.store(true, Ordering::Relaxed);
        run.play(&Drive::new(1, &stop, &progress)).unwrap();
    }
    let so_far = run.so_far().unwrap().unwrap();
    assert_eq!((so_far.games, so_far.forced.unwrap().games), (4, 4 * 125));
    assert_eq!((run.games_played().unwrap(), run.games_planned()), (4 * 125, 6 * 125));
    drop(run);
    unlock(&folder.0.join("run"));
    std::fs::remove_file(folder.0.join("run/parts/0000000001-0000000002")).unwrap();
    folder.ttr(&["tickets", "--resume", "run", "-q"]).good();
    let whole = ["tickets", "--map", "card-game", "--agents", "random", "--forced", "--games", "750", "-q"];
    folder.ttr(&[&whole[..], &["--out", "whole"]].concat()).good();
    assert_same(&folder.0.join("run"), &folder.0.join("whole"));
}

/// Effects and regrets, recomputed from the table of all openings.
#[test]
fn effects_follow_from_the_openings() {
    let folder = Folder::new("forced-openings");
    let command = ["tickets", "--map", "europe", "--agents", "greedy", "--forced", "--games", "420", "-q"];
    folder.ttr(&[&command[..], &["--out", "run"]].concat()).good();
    let run = folder.0.join("run");
    let rows = table(&run.join("openings.csv"));
    assert_eq!(rows.len(), 20 * 2 * 11);
    let set = |text: &str| text.split("; ").map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
    // An empty field is an undefined figure.
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().unwrap_or(f64::NAN);
    // By deal and seat: the offer, and the points of each set.
    let mut openings = BTreeMap::new();
    for row in &rows {
        let seat = (row["deal"].clone(), row["seat"].clone());
        let (_, sets, own) =
            openings.entry(seat).or_insert_with(|| (set(&row["offered"]), BTreeMap::new(), f64::NAN));
        sets.insert(set(&row["kept"]), number(row, "points"));
        if row["own"] == "1" {
            assert!(own.is_nan(), "there is one own choice");
            *own = number(row, "points");
        }
    }
    assert_eq!(openings.len(), 40);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9 || a.is_nan() && b.is_nan();
    for row in table(&run.join("effects.csv")) {
        let ticket = &row["ticket"];
        let (mut add, mut swap) = (Vec::new(), Vec::new());
        for (offered, sets, _) in openings.values() {
            for (with, points) in sets.iter().filter(|(with, _)| with.contains(ticket)) {
                let mut without = with.clone();
                without.remove(ticket);
                add.extend(sets.get(&without).map(|less| points - less));
                for other in offered.difference(with) {
                    let mut instead = without.clone();
                    instead.insert(other.clone());
                    swap.extend(sets.get(&instead).map(|less| points - less));
                }
            }
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        assert!(close(number(&row, "add_points"), mean(&add)), "{row:?}");
        assert!(close(number(&row, "swap_points"), mean(&swap)), "{row:?}");
    }
    let own = openings.values().map(|(.., own)| own).sum::<f64>() / 40.0;
    let all = openings.values().map(|(offered, sets, _)| sets[offered]).sum::<f64>() / 40.0;
    let choices = table(&run.join("choices.csv"));
    let row = choices.iter().find(|row| row["rule"] == "keep all 4").unwrap();
    assert!(close(number(row, "points"), all) && close(number(row, "regret_points"), all - own), "{row:?}");
}

#[test]
fn what_can_not_be_forced_is_refused() {
    let folder = Folder::new("forced-errors");
    let error = folder.ttr(&["tickets", "--map", "first-journey-usa", "--forced"]).refused();
    assert!(error.contains("first-journey-usa has no opening choice of tickets"), "{error}");
    assert!(error.contains("europe-mega") && error.contains("card-game; omit --forced"), "{error}");
    let error = folder.ttr(&["tickets", "--resume", "run", "--forced"]).refused();
    assert!(error.contains("--forced") && error.contains("cannot be used with"), "{error}");
    assert!(folder.files().is_empty(), "{:?}", folder.files());

    let experiment = |command: &str, map: &str, more: &str| {
        folder.write(
            "experiment.toml",
            format!(
                "title = 't'\nquestion = 'q'\n[[run]]\nname = 'a'\ncommand = '{command}'\nmap = '{map}'\n\
                 agents = ['greedy']\ngames = 70\n{more}"
            ),
        );
        folder.ttr(&["experiment", "check", "."])
    };
    let error = experiment("arena", "usa", "forced = true").refused();
    assert!(error.contains("experiment.toml:9: run \"a\": opening choices are forced"), "{error}");
    let error = experiment("tickets", "first-journey-usa", "forced = true").refused();
    assert!(error.contains("experiment.toml:9: run \"a\": first-journey-usa has no opening"), "{error}");
    let error = experiment("tickets", "usa", "forced = 1").refused();
    assert!(error.contains("experiment.toml:9"), "{error}");
    let published = "forced = true\n[[published]]\nrun = 'a'\nsubject = 'greedy / keep all 3'\n\
                     figure = 'regret_win'\nvalue = 0.1\nsource = 's'";
    let error = experiment("tickets", "usa", published).refused();
    assert!(error.contains("did you mean \"regret_wins\"?"), "{error}");
    let good = experiment("tickets", "usa", &published.replace("regret_win'", "regret_wins'")).good();
    assert!(good.contains("70"), "{good}");
    folder.ttr(&["experiment", "run", ".", "-q"]).good();
    let results = std::fs::read_to_string(folder.0.join("results.csv")).unwrap();
    for row in ["a,Boston-Miami,add_wins,", "a,Boston-Miami,offer_points,", "a,greedy / own choice,points,"] {
        assert!(results.contains(row), "{row}: {results}");
    }
}

/// Every board with a choice is played to its end, with the number of games in the plan.
#[test]
fn every_board_with_a_choice() {
    let folder = Folder::new("forced-boards");
    for (map, seats, openings) in
        [("card-game", "4", 4), ("europe-mega", "2", 4), ("usa-big-cities", "2", 2), ("nordic", "3", 3)]
    {
        let command = ["tickets", "--map", map, "--seats", seats, "--agents", "random", "--forced"];
        let run =
            folder.ttr(&[&command[..], &["--games", "1", "--out", map, "--json", "-q"]].concat()).json();
        assert_eq!(run["forced"]["openings"], openings, "{map}");
        assert_eq!(run["games"], 1, "{map}");
        assert_eq!(
            run["forced"]["tickets"].as_array().unwrap().len(),
            run["tickets"].as_array().unwrap().len()
        );
        let report = std::fs::read_to_string(folder.0.join(map).join("report.html")).unwrap();
        for part in ["What a ticket does", "Regret in wins", "for the play of random"] {
            assert!(report.contains(part), "{map}: {part}");
        }
    }
}
