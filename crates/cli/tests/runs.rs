//! Runs as their users see them: identical bytes under all circumstances, nothing lost, clear errors.

mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{Folder, begin_arena, depends_on_the_clock, play_some, ttr, unlock};

/// All files of a run with their bytes, except for those that depend on the clock.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    collect(folder, folder, &mut files);
    assert!(files.contains_key("summary.json") && files.contains_key("report.html"), "{:?}", files.keys());
    files
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            collect(root, &path, files);
        } else if !depends_on_the_clock(&name) && name != ".lock" {
            files.insert(name, std::fs::read(path).unwrap());
        }
    }
}

/// Reports the file that differs, rather than all their bytes.
fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(other[name] == *bytes, "{name} differs");
    }
}

const ARENA: [&str; 13] = [
    "arena",
    "--map",
    "usa",
    "--agents",
    "greedy,random,one-step",
    "--games",
    "600",
    "--save-replays",
    "3",
    "--decisions",
    "--seat-tables",
    "--seed",
    "7",
];

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = Folder::new("threads");
    for threads in ["1", "2", "8"] {
        folder.ttr(&[&ARENA[..], &["--threads", threads, "--out", threads]].concat()).good();
    }
    let one = results(&folder.0.join("1"));
    assert_same(&one, &results(&folder.0.join("2")));
    assert_same(&one, &results(&folder.0.join("8")));
    for table in ["agents", "games", "seats", "seat_tickets", "seat_routes", "decisions"] {
        for ending in ["csv", "parquet"] {
            assert!(one.contains_key(&format!("{table}.{ending}")), "{table}.{ending}");
        }
    }
    assert!(one.contains_key("replays/000002.ttr"));
    let games = String::from_utf8(one["games.csv"].clone()).unwrap();
    assert_eq!(games.lines().count(), 601, "600 games are 100 deals of three pairs, each in both orders");
    let tickets = ["tickets", "--map", "nordic", "--agents", "greedy", "--games", "300"];
    for threads in ["1", "3"] {
        let out = format!("tickets-{threads}");
        folder.ttr(&[&tickets[..], &["--threads", threads, "--out", &out]].concat()).good();
    }
    assert_same(&results(&folder.0.join("tickets-1")), &results(&folder.0.join("tickets-3")));
}

/// Starts a run in the background.
fn begin(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ttr"));
    command.args(args).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("ttr runs")
}

/// Waits until a run has written a part.
fn wait_for_parts(run: &Path) {
    let start = Instant::now();
    loop {
        let parts = std::fs::read_dir(run.join("parts"));
        let kept = |entry: std::io::Result<std::fs::DirEntry>| {
            !entry.unwrap().file_name().to_string_lossy().starts_with('.')
        };
        if parts.is_ok_and(|mut entries| entries.any(kept)) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "nothing was kept");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Long enough to be interrupted after it has written a part.
const LONG: [&str; 7] =
    ["arena", "--map", "europe", "--agents", "greedy,one-step,random", "--games", "40000"];

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = Folder::new("killed");
    let mut child = begin(&folder, &[&LONG[..], &["--out", "killed"]].concat());
    wait_for_parts(&folder.0.join("killed"));
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = folder.0.join("killed");
    assert!(!killed.join("summary.json").exists(), "it was killed before its end");
    // Possible remains of a crash next to the parts.
    std::fs::write(killed.join("parts/.0000000000-0000000001.99-0.tmp"), b"half").unwrap();
    let resumed = folder.ttr_slowly(&["arena", "--resume", "killed"]).good();
    let whole = folder.ttr_slowly(&[&LONG[..], &["--out", "whole"]].concat()).good();
    // The tables are the same except for the speed of the agents.
    let standings = |text: &str| text.lines().skip_while(|line| !line.starts_with("points from")).count();
    assert_eq!(standings(&resumed), standings(&whole));
    assert_same(&results(&killed), &results(&folder.0.join("whole")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_played() {
    let folder = Folder::new("interrupted");
    let child = begin(&folder, &[&LONG[..], &["--out", "run"]].concat());
    wait_for_parts(&folder.0.join("run"));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(75), "{err}");
    assert!(
        out.contains("greedy") && out.contains("wins by order of play"),
        "the results so far are printed: {out}"
    );
    assert!(err.contains("resume with: ttr arena --resume run"), "{err}");
}

/// A line of progress: games done, games per second, seconds left and the precision of these.
fn progress(line: &str) -> Option<[f64; 4]> {
    let (_, line) = line.rsplit_once(": ")?;
    let (done, line) = line.split_once("/2,000,000 games, ")?;
    let (rate, left) = line.strip_suffix(" left")?.split_once("/s, ")?;
    let number = |text: &str| text.trim().replace(',', "").parse::<f64>().expect("a number");
    let (mut seconds, mut unit) = (0.0, 1.0);
    for words in left.split_whitespace().collect::<Vec<_>>().chunks(2) {
        let units = [("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0)];
        unit = units.iter().find(|(name, _)| *name == words[1]).expect("a unit").1;
        seconds += number(words[0]) * unit;
    }
    Some([number(done), number(rate), seconds, unit])
}

/// Without a terminal, lines come now and then; games of an earlier process are done, but were not played
/// here, so they say nothing about the rate.
#[cfg(unix)]
#[test]
fn progress_is_right_after_a_resume() {
    const INTERVAL: f64 = 0.2;
    let folder = Folder::new("progress");
    let path = folder.0.join("run");
    let mut run = begin_arena(&path, 1_000_000, &Default::default());
    play_some(&mut run, 20_000);
    let before = run.games_played().unwrap() as f64;
    assert!(before >= 20_000.0);
    drop(run);
    unlock(&path);
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ttr"))
        .args(["arena", "--resume", "run", "--threads", "1"])
        .env("TTR_PROGRESS_INTERVAL", "200")
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut shown = Vec::new();
    for line in lines {
        let Some([done, rate, left, unit]) = progress(&line) else { continue };
        let (played, n) = (done - before, 1.0 + shown.len() as f64);
        assert!(played > 0.0, "{line}: games of the other process are done");
        // Rates are rounded to a tenth, or to one. At least this much time has passed, and at most all of it.
        let rounded = if rate < 100.0 { 0.06 } else { 0.6 };
        assert!(rate - rounded <= played / (n * INTERVAL), "{line}: {played} games were played here");
        assert!(rate + rounded >= played / start.elapsed().as_secs_f64(), "{line}: {played} games");
        let expected = (2e6 - done) / rate;
        assert!((left - expected).abs() <= unit + expected * rounded / rate, "{line}: {expected} s");
        shown.push(done);
        if shown.len() == 3 {
            break;
        }
    }
    assert!(start.elapsed().as_secs_f64() >= 3.0 * INTERVAL, "lines are occasional");
    assert!(shown.is_sorted() && shown.len() == 3, "{shown:?}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How often an agent sits at the table decides what its fair share is.
#[test]
fn line_ups_and_fair_shares_are_told() {
    let folder = Folder::new("shares");
    let every = ", every line-up in every rotation; seed 1;";
    let one = ", one line-up in every rotation; seed 1;";
    for (seats, heading, fair) in [
        ("--agents random,greedy", one, "wins: ties are shared. spread"),
        ("--agents random,greedy,yard", every, "wins: ties are shared. spread"),
        (
            "--agents random,greedy,yard --seats 3",
            one,
            "wins: ties are shared; the fair share is 33.3 %. spread",
        ),
        (
            "--agents random,greedy --seats 3",
            every,
            "wins: ties are shared; the fair share is 33.3 %, as games are counted by seat. spread",
        ),
        (
            "--table random,random,greedy,greedy",
            one,
            "wins: ties are shared; the fair share is 25.0 %, as games are counted by seat. spread",
        ),
        ("--agents random", ", one line-up; seed 1;", "wins: ties are shared. spread"),
    ] {
        let command = format!("arena --map card-game {seats} --games 24 --quiet");
        let table = folder.ttr(&command.split(' ').collect::<Vec<_>>()).good();
        assert!(table.contains(heading) && table.contains(fair), "{seats}: {table}");
    }
}

#[test]
fn shards_become_the_whole() {
    let folder = Folder::new("shards");
    let play = |more: &[&str]| folder.ttr(&[&ARENA[..], more].concat());
    play(&["--out", "whole"]).good();
    for shard in ["1/3", "2/3", "3/3"] {
        let out = format!("part{}", &shard[..1]);
        let run = play(&["--shard", shard, "--out", &out]);
        assert!(run.err.contains("ttr merge"), "{}", run.err);
        run.good();
    }
    let missing = folder.ttr(&["merge", "part1", "part3", "--out", "merged"]).refused();
    assert!(missing.contains("these are missing: 33 to 65"), "{missing}");
    assert!(!folder.0.join("merged").exists());
    let twice = folder.ttr(&["merge", "part1", "part2", "part2", "part3", "--out", "merged"]).refused();
    assert!(twice.contains("part2 is given twice"), "{twice}");
    // A copy is not a different shard.
    folder.ttr(&[&ARENA[..], &["--shard", "2/3", "--out", "copy"]].concat()).good();
    let copied = folder.ttr(&["merge", "part1", "part2", "copy", "part3", "--out", "merged"]).refused();
    assert!(copied.contains("deals 33 to") && copied.contains("give each shard once"), "{copied}");
    let linked = folder.ttr(&["merge", "part1", "part2", "./part2", "part3", "--out", "merged"]).refused();
    assert!(linked.contains("./part2 is given twice"), "{linked}");
    assert!(!folder.0.join("merged").exists());
    folder.ttr(&["merge", "part3", "part1", "part2", "--out", "merged"]).good();
    assert_same(&results(&folder.0.join("merged")), &results(&folder.0.join("whole")));

    let other = [&ARENA[..11], &["--seed", "8", "--shard", "3/3", "--out", "other"]].concat();
    folder.ttr(&other).good();
    let strange = folder.ttr(&["merge", "part1", "part2", "other", "--out", "never"]).refused();
    assert!(
        strange.contains("do not belong to the same run: seed is 7 in one and 8 in the other"),
        "{strange}"
    );
    assert!(!folder.0.join("never").exists());
}

#[test]
fn a_damaged_part_is_refused() {
    let folder = Folder::new("damaged");
    folder.ttr(&[&ARENA[..], &["--shard", "1/2", "--out", "part"]].concat()).good();
    let parts = folder.0.join("part/parts");
    let part = std::fs::read_dir(&parts).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    folder.ttr(&[&ARENA[..], &["--shard", "2/2", "--out", "rest"]].concat()).good();
    let error = folder.ttr(&["merge", "part", "rest", "--out", "whole"]).refused();
    let name = Path::new("part/parts").join(part.file_name().unwrap());
    assert!(
        error.contains(&format!("{} is damaged: its checksum is wrong; delete it", name.display())),
        "{error}"
    );
    assert!(!folder.0.join("whole").exists(), "nothing is made of damaged parts");
    std::fs::remove_file(part).unwrap();
    folder.ttr(&["arena", "--resume", "part"]).good();
    folder.ttr(&["merge", "part", "rest", "--out", "whole"]).good();
}

/// Also if a figure of an agent is undefined, such as its points in games it won.
#[test]
fn a_complete_run_tells_its_table_again() {
    let folder = Folder::new("again");
    let args = [
        "arena",
        "--map",
        "usa",
        "--agents",
        "planner,random",
        "--games",
        "6",
        "--threads",
        "1",
        "--out",
        "run",
    ];
    let first = folder.ttr(&args).good();
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.0.join("run/summary.json")).unwrap()).unwrap();
    assert!(json["agents"][1]["winning_points"]["value"].is_null(), "random never wins against planner");
    let again = folder.ttr(&["arena", "--resume", "run"]).good();
    assert!(again.contains("planner") && again.contains("100.0 ±-") && !again.contains("±0"), "{again}");
    assert_eq!(again, first, "including the speed of the agents");
    folder.write("run/summary.json", "{");
    let error = folder.ttr(&["arena", "--resume", "run"]).refused();
    assert!(error.contains("summary.json is damaged") && error.contains("delete run and play"), "{error}");
}

/// Unmeasured figures are printed as a dash, never as "NaN".
#[test]
fn what_was_not_measured_is_a_dash() {
    let folder = Folder::new("dash");
    let forfeits = ["arena", "--map", "usa", "--agents", "exec:false,random", "--games", "2"];
    let run = folder.ttr(&forfeits);
    // It has results, but hardly the wanted ones.
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("warning: exec:false finished none of its 2 games: "), "{run:?}");
    let again = folder.ttr(&["arena", "--resume", "runs/arena-usa-1"]);
    assert!(again.code == Some(1) && again.err.contains("warning: exec:false finished none"), "{again:?}");
    let table = run.out;
    let row = table.lines().find(|line| line.starts_with("exec:false")).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert!(!table.contains("NaN") && cells.iter().filter(|&&cell| cell == "-").count() >= 5, "{table}");
    let tickets = folder.ttr(&["tickets", "--map", "usa", "--agents", "random", "--games", "2"]).good();
    let never_held = |line: &str| line.split_whitespace().filter(|&cell| cell == "-").count() >= 5;
    assert!(!tickets.contains("NaN") && tickets.lines().any(never_held), "{tickets}");
}

#[test]
fn a_sequential_test_stops_early_and_exactly() {
    let folder = Folder::new("sprt");
    let run = |threads: &str, out: &str| {
        folder
            .ttr(&[
                "arena",
                "--map",
                "usa",
                "--agents",
                "greedy,random",
                "--games",
                "50000",
                "--sprt",
                "greedy,random",
                "--elo1",
                "50",
                "--threads",
                threads,
                "--out",
                out,
            ])
            .good()
    };
    let one = run("1", "one");
    run("2", "two");
    assert!(
        one.contains("H1 accepted after")
            && one.contains("greedy is stronger (LLR")
            && one.contains("alpha 0.05"),
        "{one}"
    );
    let games = std::fs::read_to_string(folder.0.join("one/games.csv")).unwrap().lines().count() - 1;
    assert!(games < 2000, "{games} games");
    assert_same(&results(&folder.0.join("one")), &results(&folder.0.join("two")));
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new("overwrite");
    let small = ["arena", "--map", "usa", "--agents", "random", "--games", "4", "--out", "run"];
    folder.ttr(&small).good();
    let before = results(&folder.0.join("run"));
    let error = folder.ttr(&small).refused();
    assert!(error.contains("run is the directory of a run; resume it with --resume"), "{error}");
    assert_same(&results(&folder.0.join("run")), &before);
    std::fs::create_dir(folder.0.join("letters")).unwrap();
    folder.write("letters/letter.txt", "dear");
    let error = folder.ttr(&["arena", "--agents", "random", "--out", "letters"]).refused();
    assert!(error.contains("letters is not empty"), "{error}");
    let error = folder.ttr(&["arena", "--resume", "letters"]).refused();
    assert!(error.contains("not the directory of a run"), "{error}");
    assert_eq!(std::fs::read(folder.0.join("letters/letter.txt")).unwrap(), b"dear");
    // A complete run prints its table again.
    assert!(folder.ttr(&["arena", "--resume", "run"]).good().contains("random"));
}

#[test]
fn bad_input_is_refused_before_anything_is_made() {
    let folder = Folder::new("refused");
    for (args, says) in [
        (&["arena", "--agents", "plannner"][..], "there is no agent \"plannner\"; did you mean \"planner\"?"),
        (&["arena", "--agents", "random:speed=3"], "random has no parameter \"speed\""),
        (&["arena", "--map", "atlantis"], "atlantis"),
        (&["arena", "--map", "nordic", "--seats", "4", "--agents", "random"], "2 to 3 seats, not by 4"),
        (&["arena", "--map", "atlantis"], "\"card-game\""),
        (&["arena", "--games", "0"], "a number of games from 1"),
        (&["arena", "--seed", "-1"], "expected a whole number from 0 to"),
        (&["bench", "--seed", "many"], "expected a whole number from 0 to"),
        (&["arena", "--time-limit", "-1"], "expected seconds, such as 10"),
        (&["arena", "--agents", "ismcts:ms=-0,random"], "ismcts: ms is a whole number from 0"),
        (&["arena", "--agents", "yard"], "yard plays the Card Game, not europe; agents for it: random"),
        (&["arena", "--agents", "random,random"], "random is listed twice"),
        (&["arena", "--table", "random,greedy", "--seats", "3"], "--seats 2"),
        (&["arena", "--agents", "random,greedy", "--sprt", "random,planner"], "--sprt random,planner"),
        (&["arena", "--agents", "random,greedy", "--sprt", "1,2", "--elo0", "5", "--elo1", "5"], "--elo0"),
        (&["arena", "--agents", "random,greedy", "--anchor", "planner"], "--anchor planner"),
        (&["arena", "--shard", "3/2"], "there is no shard 3 of 2"),
        (&["arena", "--resume", "nowhere"], "nowhere is not the directory of a run"),
        (&["arena", "--agents", "planner@nowhere.toml"], "nowhere.toml"),
        (&["tickets", "--agents", "nobody"], "nobody"),
        (
            &["tune", "--budget", "10"],
            "budget 10: a generation takes 3,200 games (16 candidates, 100 deals); raise the budget",
        ),
        (&["tune", "--agent", "random"], "random has no parameter that can be tuned"),
        (&["tune", "--agent", "planner", "--params", "luck"], "planner has no parameter \"luck\""),
        (&["experiment", "run", "nowhere"], "nowhere"),
        (&["merge", "nowhere", "--out", "whole"], "nowhere is not the directory of a run"),
        (&["agents", "nobody"], "there is no agent \"nobody\""),
    ] {
        let error = folder.ttr(args).refused();
        assert!(error.contains(says), "{args:?}: {error}");
        assert_eq!(folder.files(), Vec::<String>::new(), "{args:?}");
    }
}

#[test]
fn an_unwritable_directory_is_told_at_once() {
    let folder = Folder::new("unwritable");
    folder.write("file", "not a directory");
    let start = Instant::now();
    let run = folder.ttr(&["arena", "--agents", "random", "--games", "1000000", "--out", "file/run"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("file/run can't be made"), "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn every_game_can_be_played() {
    let folder = Folder::new("games");
    for (map, seats, agents) in [
        ("europe+depots", "3", "greedy,random"),
        ("first-journey-usa", "4", "greedy,random"),
        ("nordic", "3", "greedy,path,random"),
        ("card-game", "4", "yard,greedy,random"),
        ("europe-mega", "5", "random"),
    ] {
        let args =
            ["arena", "--map", map, "--seats", seats, "--agents", agents, "--games", "40", "--out", map];
        let text = folder.ttr(&args).good();
        assert!(text.contains("wins by order of play"), "{map}: {text}");
        let out = format!("tickets-{map}");
        folder
            .ttr(&[
                "tickets", "--map", map, "--seats", seats, "--agents", "greedy", "--games", "20", "--out",
                &out,
            ])
            .good();
    }
}

#[test]
fn tuning_leaves_weights_that_load() {
    let folder = Folder::new("tune");
    let tune = [
        "tune",
        "--map",
        "usa",
        "--agent",
        "planner",
        "--against",
        "greedy",
        "--budget",
        "640",
        "--deals",
        "10",
        "--candidates",
        "8",
        "--confirm",
        "64",
    ];
    folder.ttr_slowly(&[&tune[..], &["--threads", "1", "--out", "one"]].concat()).good();
    folder.ttr_slowly(&[&tune[..], &["--threads", "2", "--out", "two"]].concat()).good();
    assert_same(&results(&folder.0.join("one")), &results(&folder.0.join("two")));
    let tuned = std::fs::read_to_string(folder.0.join("one/tuned.toml")).unwrap();
    let settings =
        || tuned.lines().filter_map(|line| line.split_once(" = ")).filter(|(key, _)| *key != "name");
    assert!(settings().count() > 20 && settings().all(|(_, value)| value.parse::<f64>().is_ok()), "{tuned}");
    let curve = std::fs::read_to_string(folder.0.join("one/curve.csv")).unwrap();
    // Generations have 8 candidates in 2 rotations of at least 10 deals, and use up the budget except for
    // less than one.
    let last: Vec<&str> = curve.lines().last().unwrap().split(',').collect();
    let games: u64 = last[1].parse().unwrap();
    assert!(games <= 640 && games + 8 * 10 * 2 > 640, "{curve}");
    let report = std::fs::read_to_string(folder.0.join("one/report.html")).unwrap();
    let command = "ttr tune --map usa --seats 2 --agent planner --against greedy --budget 640 --deals 10";
    let text = report.replace("<span class=\"word\">", "").replace("</span>", "");
    assert!(text.contains(command) && text.contains("cost of a train"), "{report}");
    let table =
        folder.ttr(&["arena", "--map", "usa", "--agents", "planner@one/tuned.toml,greedy", "--games", "8"]);
    assert!(table.good().contains("planner@one/tuned.toml"));
}

#[test]
fn an_experiment_gives_the_same_bytes_again() {
    let folder = Folder::new("experiment");
    folder.write(
        "experiment.toml",
        r#"
            title = "Greed"
            question = "Does it pay?"
            [[run]]
            name = "two"
            map = "usa"
            agents = ["greedy", "random"]
            games = 200
            [[run]]
            name = "short"
            map = "usa"
            rules = { trains = 20 }
            line_up = ["greedy", "random", "random"]
            games = 30
            [[run]]
            name = "worth"
            command = "tickets"
            map = "usa"
            agents = ["greedy"]
            games = 100
            [[published]]
            run = "two"
            subject = "greedy"
            figure = "win_share"
            value = 0.5
            error = 0.01
            source = "a guess"
            [[published]]
            run = "two"
            subject = "greedy"
            figure = "points"
            value = 50
            source = "a guess without an error"
        "#,
    );
    let check = folder.ttr(&["experiment", "check", "."]).good();
    assert!(check.contains("Greed") && check.contains("200"), "{check}");
    let run = folder.ttr(&["experiment", "run", "."]).good();
    let line = |figure: &str| run.lines().find(|line| line.contains(figure)).unwrap();
    assert!(line("win_share").ends_with(" no") && line("points").ends_with(" unknown"), "{run}");
    let files = ["results.csv", "report.html"].map(|name| std::fs::read(folder.0.join(name)).unwrap());
    assert_eq!(folder.files(), ["experiment.toml", "report.html", "results.csv"]);
    folder.ttr(&["experiment", "run", ".", "--threads", "1"]).good();
    assert!(files == ["results.csv", "report.html"].map(|name| std::fs::read(folder.0.join(name)).unwrap()));

    // Playing one run at a time gives the same table.
    std::fs::remove_file(folder.0.join("results.csv")).unwrap();
    for only in ["worth", "two,short", "short"] {
        folder.ttr(&["experiment", "run", ".", "--only", only]).good();
    }
    assert!(files[0] == std::fs::read(folder.0.join("results.csv")).unwrap());
    let report = std::fs::read_to_string(folder.0.join("report.html")).unwrap();
    for of in ["Who wins", "two: greedy", "short: greedy"] {
        assert!(report.contains(of), "the chart has runs that were played before: {of}");
    }
    let error = folder.ttr(&["experiment", "run", ".", "--only", "tow"]).refused();
    assert!(error.contains("did you mean \"two\"? runs: \"two\", \"short\", \"worth\""), "{error}");
    let whole = std::fs::read_to_string(folder.0.join("results.csv")).unwrap();
    for (damaged, says) in [
        (whole[..whole.len() - 8].to_owned(), format!("results.csv:{}: ", whole.lines().count())),
        (whole.replacen("measured", "measure", 1), "results.csv:1: ".into()),
    ] {
        folder.write("results.csv", damaged);
        let error = folder.ttr(&["experiment", "run", ".", "--only", "two"]).refused();
        assert!(error.contains("results.csv") && error.contains(&says), "{says}: {error}");
    }

    for (from, to, says) in [
        ("name = \"two\"", "name = \"worth\"", "the same name"),
        (
            "\"greedy\", \"random\"]\n            games = 200",
            "\"greedyy\"]\n            games = 200",
            "greedyy",
        ),
        ("games = 200", "games = 0", "games: expected a whole number from 1 to"),
        ("run = \"two\"", "run = \"three\"", "there is no run \"three\""),
        ("map = \"usa\"", "mop = \"usa\"", "mop"),
    ] {
        let text = std::fs::read_to_string(folder.0.join("experiment.toml")).unwrap();
        folder.write("broken.toml", text.replacen(from, to, 1));
        let error = folder.ttr(&["experiment", "run", "broken.toml"]).refused();
        assert!(error.contains(says), "{says}: {error}");
    }
}

/// The files of agents are found next to the experiment, wherever it is run from.
#[test]
fn an_experiment_has_agents_of_its_own() {
    let folder = Folder::new("own-agents");
    std::fs::create_dir_all(folder.0.join("mine")).unwrap();
    folder.write("mine/patient.toml", "name = 'planner'\n[settings]\nhurry = 2.0\n");
    let run = |name: &str, key: &str, agents: &str| {
        format!("[[run]]\nname = '{name}'\nmap = 'usa'\n{key} = [{agents}]\ngames = 4\n")
    };
    let runs = [
        run("file", "agents", "'patient=planner@patient.toml', 'greedy'"),
        run("text", "agents", "'patient=planner:hurry=2.0', 'greedy'"),
        run("line-up", "line_up", "'patient=planner@patient.toml', 'greedy'"),
    ];
    folder.write("mine/experiment.toml", format!("title = 'Mine'\nquestion = 'Is it?'\n{}", runs.concat()));
    folder.ttr(&["experiment", "run", "mine"]).good();
    let results = std::fs::read_to_string(folder.0.join("mine/results.csv")).unwrap();
    let rows = |run: &str| -> Vec<&str> {
        results.lines().filter_map(|line| line.strip_prefix(run)?.strip_prefix(',')).collect()
    };
    assert!(rows("file").len() > 10, "{results}");
    assert_eq!(rows("file"), rows("text"));
    assert!(!rows("line-up").is_empty());
}

/// A map file next to an experiment is found from anywhere, with other rules and with depots too.
#[test]
fn an_experiment_has_maps_of_its_own() {
    let folder = Folder::new("own-maps");
    let run = |name: &str, map: &str, more: &str| {
        format!(
            "[[run]]\nname = '{name}'\nmap = '{map}'\nagents = ['random']\nseats = 2\ngames = 4\n{more}\n"
        )
    };
    let runs = [
        run("as-it-is", "beside.toml", ""),
        run("shorter", "beside.toml", "rules = { trains = 22 }"),
        run("depots", "beside.toml+depots", ""),
        run("both", "beside.toml+depots", "rules = { trains = 22 }"),
        run("above", "../above.toml", "rules = { trains = 22 }"),
        run("below", "sub/below.toml", "rules = { trains = 22 }"),
    ];
    std::fs::create_dir_all(folder.0.join("mine/sub")).unwrap();
    for file in ["above.toml", "mine/sub/below.toml"] {
        folder.write(file, "format = 1\nname = 'Beside'\nbase = 'usa'\nrules.trains = 44\n");
    }
    folder.write("mine/cards.toml", include_str!("../../../maps/card-game.toml"));
    folder.write("mine/beside.toml", "format = 1\nname = 'Beside'\nbase = 'usa'\nrules.trains = 44\n");
    folder.write("mine/experiment.toml", format!("title = 'Mine'\nquestion = 'Is it?'\n{}", runs.concat()));
    folder.ttr(&["experiment", "run", "mine"]).good();
    let results = std::fs::read_to_string(folder.0.join("mine/results.csv")).unwrap();
    let turns = |run: &str| -> f64 {
        let line = results.lines().find(|line| line.starts_with(&format!("{run},random,turns,"))).unwrap();
        line.split(',').nth(3).unwrap().parse().unwrap()
    };
    assert!(turns("shorter") < turns("as-it-is") && turns("both") < turns("depots"), "{results}");

    for (map, more, says) in [
        ("nowhere.toml", "rules = { trains = 10 }", "nowhere.toml can't be read"),
        ("card-game", "rules = { trains = 10 }", "the Card Game is no board"),
        ("cards.toml", "rules = { trains = 10 }", "the Card Game is no board"),
        ("card-game+depots", "", "leave out +depots"),
        ("cards.toml+depots", "", "leave out +depots"),
    ] {
        let text = format!("title = 'Mine'\nquestion = 'Is it?'\n{}", run("odd", map, more));
        folder.write("mine/odd.toml", text);
        let error = folder.ttr(&["experiment", "run", "mine/odd.toml"]).refused();
        assert!(error.contains(says), "{says}: {error}");
    }
}

#[test]
fn agents_completions_and_manual() {
    let agents = ttr(&["agents"]).good();
    for name in ["random", "greedy", "planner", "hungry", "exec:COMMAND"] {
        assert!(agents.contains(name), "{name}: {agents}");
    }
    let parameter = |args: &[&str], name: &str| {
        let agent = ttr(&[&["agents"], args, &["--json"]].concat()).json()[0].clone();
        let all = agent["parameters"].as_array().unwrap().clone();
        all.into_iter().find(|parameter| parameter["name"] == name).unwrap()["default"].clone()
    };
    // Defaults that differ by game are shown for a game.
    assert_ne!(parameter(&["planner"], "block"), parameter(&["planner", "--map", "usa"], "block"));
    let yards = ["2", "3"].map(|seats| parameter(&["yard", "--map", "card-game", "--seats", seats], "risk"));
    assert_ne!(yards[0], yards[1]);
    assert!(agents.contains("tuned for some games"), "{agents}");
    let boards = ttr(&["agents", "--map", "europe", "--with", "depots"]).good();
    assert!(boards.contains("planner") && !boards.contains("yard:"), "{boards}");
    assert!(ttr(&["agents", "yard", "--map", "europe"]).refused().contains("yard does not play europe"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(ttr(&["completions", shell]).good().contains("arena"), "{shell}");
    }
    assert!(ttr(&["man"]).good().contains(".TH"));
    assert!(ttr(&["man", "arena"]).good().contains("ttr\\-arena"));
    assert!(ttr(&["man", "flight"]).refused().contains("arena"));
}
