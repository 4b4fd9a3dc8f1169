//! One command per shard, for any scheduler: it starts, resumes or does nothing, and its exit code says what
//! to do next.
#![cfg(unix)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use support::{Folder, depends_on_the_clock};

const TRY_AGAIN: Option<i32> = Some(75);
const INVALID: Option<i32> = Some(2);

/// A run that takes some seconds.
const ARENA: [&str; 10] = [
    "arena",
    "--map",
    "usa",
    "--agents",
    "greedy,one-step",
    "--games",
    "12000",
    "--seat-tables",
    "--quiet",
    "--threads=2",
];

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ttr"));
    command.args(args).current_dir(&folder.0).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("ttr runs")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits for something that happens soon.
fn wait_for(mut what: impl FnMut() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(120), "it did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// All files of a run with their bytes, except for those that depend on the clock.
fn results(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name != Path::new(".lock") && !depends_on_the_clock(name.to_str().unwrap()) {
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    assert!(files.contains_key(Path::new("summary.json")), "{:?}", files.keys());
    files
}

/// Starts a command again and again, as a scheduler does, until it says that all is done.
fn keep_starting(folder: &Folder, args: &[&str], mut disturb: impl FnMut(usize, &mut Child)) -> usize {
    for attempt in 0.. {
        assert!(attempt < 200, "it never ends");
        let mut child = start(folder, args);
        disturb(attempt, &mut child);
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        match status.code() {
            Some(0) => return attempt,
            code => assert!(code.is_none() || code == TRY_AGAIN, "{}", String::from_utf8_lossy(&stderr)),
        }
    }
    unreachable!("attempts do not end")
}

#[test]
fn one_command_starts_resumes_and_ends() {
    let folder = Folder::new("or-resume");
    let args = [&ARENA[..], &["--out", "run", "--or-resume"]].concat();
    let signals = ["-TERM", "-USR1", "-KILL", "-INT"];
    let mut codes = Vec::new();
    for name in signals {
        let mut child = start(&folder, &args);
        wait_for(|| folder.0.join("run/run.toml").exists());
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, name);
        codes.push(child.wait().unwrap().code());
    }
    assert_eq!(codes[..2], [TRY_AGAIN, TRY_AGAIN], "of {signals:?}");
    keep_starting(&folder, &args, |_, _| {});
    let files = results(&folder.0.join("run"));
    folder.ttr(&[&ARENA[..], &["--out", "whole"]].concat()).good();
    assert!(files == results(&folder.0.join("whole")));
    // Another start changes nothing.
    folder.ttr(&args).good();
    assert!(files == results(&folder.0.join("run")));
}

#[test]
fn shards_that_are_killed_at_random_become_the_whole() {
    let folder = Folder::new("random-kills");
    folder.ttr(&[&ARENA[..], &["--out", "whole"]].concat()).good();
    // Not in order, and each is killed some times.
    let mut kills = 0;
    for (order, shard) in [3, 1, 4, 2].into_iter().enumerate() {
        let (shard, out) = (format!("{shard}/4"), format!("parts/{shard}"));
        let args = [&ARENA[..], &["--shard", &shard, "--out", &out, "--or-resume"]].concat();
        kills += keep_starting(&folder, &args, |attempt, child| {
            if attempt < 3 {
                std::thread::sleep(Duration::from_millis([1, 20, 60][attempt] * (order as u64 + 1)));
                signal(child, ["-KILL", "-TERM", "-USR1"][(attempt + order) % 3]);
            }
        });
        // A finished shard is not played again.
        assert_eq!(keep_starting(&folder, &args, |_, _| {}), 0);
    }
    assert!(kills > 0);
    folder.ttr(&["merge", "parts", "--out", "merged"]).good();
    assert!(results(&folder.0.join("merged")) == results(&folder.0.join("whole")));
}

/// A scheduler does not wait for a game that takes an hour.
#[test]
fn a_signal_of_a_scheduler_ends_slow_games_within_seconds() {
    let folder = Folder::new("slow-games");
    let slow = "exec:sleep 1000";
    for name in ["-TERM", "-USR1"] {
        let out = &name[1..];
        let args = ["arena", "--agents", slow, "--agents", "random", "--time-limit", "900", "--out", out];
        let mut child = start(&folder, &[&args[..], &["--or-resume", "--map", "usa"]].concat());
        wait_for(|| folder.0.join(out).join("run.toml").exists());
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        signal(&child, name);
        let status: ExitStatus = child.wait().unwrap();
        assert_eq!(status.code(), TRY_AGAIN);
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    }
}

#[test]
fn what_another_try_does_not_change_is_invalid() {
    let folder = Folder::new("or-resume-wrong");
    let small = ["arena", "--map", "usa", "--agents", "greedy,random", "--games", "40", "--quiet"];
    let play = |more: &[&str]| {
        let output = folder.ttr(&[&small[..], more].concat());
        (output.code, output.err.clone())
    };
    assert_eq!(play(&["--shard", "1/2", "--out", "part", "--or-resume"]).0, Some(0));
    for (more, says) in [
        (&["--or-resume"][..], "--out"),
        (&["--resume", "part", "--or-resume"], "cannot be used with"),
        (
            &["--shard", "2/2", "--out", "part", "--or-resume"],
            "another shard of this run: deals 0 to 9, not 10",
        ),
        (&["--shard", "1/2", "--seed", "2", "--out", "part", "--or-resume"], "seed is 1 in one and 2"),
        (
            &["--shard", "1/2", "--out", "part"],
            "is the directory of a run; resume it with --resume or --or-resume",
        ),
    ] {
        let (code, err) = play(more);
        assert_eq!(code, INVALID, "{err}");
        assert!(err.contains(says), "{more:?}: {err}");
    }
    // Another process is at work, and will have ended later.
    let lock = std::fs::File::options().write(true).open(folder.0.join("part/.lock")).unwrap();
    lock.lock().unwrap();
    let (code, err) = play(&["--shard", "1/2", "--out", "part", "--or-resume"]);
    assert_eq!(code, TRY_AGAIN, "{err}");
    assert!(err.contains("another process is at work"), "{err}");
}

/// The secret of processes is part of the run: later starts use the one of the first.
#[test]
fn processes_keep_their_secret() {
    let folder = Folder::new("or-resume-secret");
    let bot = concat!("exec:python3 ", env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/python/bot.py");
    let args =
        ["arena", "--map", "usa", "--games", "8", "--agents", "random", "--agents", bot, "--out", "run"];
    let args = [&args[..], &["--or-resume", "--quiet"]].concat();
    folder.ttr(&args).good();
    let files = results(&folder.0.join("run"));
    folder.ttr(&args).good();
    assert!(files == results(&folder.0.join("run")));
}

#[test]
fn merge_names_all_that_is_missing() {
    let folder = Folder::new("merge-many");
    let small = ["arena", "--map", "usa", "--agents", "greedy,random", "--games", "2000", "--quiet"];
    folder.ttr(&[&small[..], &["--out", "whole"]].concat()).good();
    let shard = |index: u64| {
        let (shard, out) = (format!("{index}/50"), format!("parts/{index:03}"));
        folder.ttr(&[&small[..], &["--shard", &shard, "--out", &out, "--or-resume"]].concat()).good();
    };
    (1..=50).filter(|index| ![4, 17, 18, 19, 50].contains(index)).for_each(shard);
    let damaged =
        std::fs::read_dir(folder.0.join("parts/030/parts")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&damaged, b"ttr-part").unwrap();
    let error = folder.ttr(&["merge", "parts", "--out", "merged"]).refused();
    assert!(error.contains("is damaged: it was cut off"), "{error}");
    assert!(
        error.contains("of 1000 deals, these are missing: 60 to 79, 320 to 379, 580 to 599, 980 to 999"),
        "{error}"
    );
    let (_, list) = error.rsplit_once("shards of 50 (--or-resume), then merge again: ").expect(&error);
    assert_eq!(list.trim(), "4,17-19,30,50");
    assert!(!folder.0.join("merged").exists(), "nothing is written before all is there");
    std::fs::remove_file(damaged).unwrap();
    [4, 17, 18, 19, 30, 50].into_iter().for_each(shard);
    folder.ttr(&["merge", "parts", "--out", "merged"]).good();
    assert!(results(&folder.0.join("merged")) == results(&folder.0.join("whole")));
}

#[test]
fn a_dry_run_measures_and_keeps_nothing() {
    let folder = Folder::new("dry-run");
    let args = ["arena", "--map", "usa", "--agents", "greedy,random", "--games", "10M", "--dry-run"];
    let text = folder.ttr(&args).good();
    for line in ["games per second here", "core hours", "parts, while it is played", "proposed shards"] {
        assert!(text.contains(line), "{text}");
    }
    let json = folder.ttr(&[&args[..], &["--json"]].concat()).good();
    let cost: serde_json::Value = serde_json::from_str(&json).unwrap();
    let number = |key: &str| cost[key].as_f64().unwrap();
    assert_eq!(number("games"), 1e7);
    assert!(number("measured_games") >= 100.0 && number("measured_seconds") > 0.5);
    let hours = number("games") / number("games_per_second") * number("threads") / 3600.0;
    assert!((number("core_hours") / hours - 1.0).abs() < 1e-6);
    assert!((20.0..1000.0).contains(&(number("part_bytes") / number("games"))));
    assert_eq!(number("shards"), (hours * 2.0).ceil().max(1.0));
    // A study of tickets keeps only sums.
    folder.ttr(&["tickets", "--map", "usa", "--games", "1e9", "--dry-run", "--threads", "1"]).good();
    assert_eq!(folder.files(), Vec::<String>::new());
}
