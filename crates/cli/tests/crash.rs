//! Crashes and failing disks: every operation that changes a file is hit once, by each kind of fault, and the
//! bytes at the end are compared with those of an undisturbed run. A trace shows that names are durable
//! before anything relies on them.
//!
//! `TTR_FILE_FAULT` (see `src/file_ops.rs`) injects the faults. The Card Game has no board to draw, so a
//! run takes only a few milliseconds.

#![cfg(unix)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{Folder, depends_on_the_clock, unfinished_arena};

/// A command and how to resume it after a crash.
struct Scenario<'s> {
    /// Fills the folder before the command.
    before: &'s dyn Fn(&Path),
    command: &'s [&'s str],
    /// The output directory of the command.
    out: &'s str,
    /// The command to run after the fault, given the folder.
    again: &'s dyn Fn(&Path) -> Vec<&'s str>,
}

/// Minimum number of file operations of a command: fewer would mean that the faults have no effect.
const FEWEST: u64 = 15;

impl Scenario<'_> {
    fn check(&self, name: &str) {
        // Memory, where there is such a file system: the disk would only be slower.
        let memory = PathBuf::from("/dev/shm");
        let root = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let root = Folder(root.join(format!("ttr-crash-{name}-{}", std::process::id())));
        let whole = self.fresh(&root, "whole");
        let output = run(&whole, self.command, None);
        assert!(output.status.success(), "{output:?}");
        let expected = files(&whole.join(self.out));
        self.check_names(&root);
        for fault in ["kill", "full", "broken"] {
            let mut at = 1;
            while self.hit(&root, fault, at, &expected, &output.stdout) {
                at += 1;
            }
            assert!(at > FEWEST, "{fault}: only {at} operations");
        }
    }

    /// Checks that a new name is followed by a sync of its directory, before anything is removed, a run is
    /// declared complete, or the command ends.
    fn check_names(&self, root: &Folder) {
        let folder = self.fresh(root, "traced");
        let trace = root.0.join("trace");
        let output = run(&folder, self.command, Some(&format!("trace:{}", trace.display())));
        assert!(output.status.success(), "{output:?}");
        let trace = std::fs::read_to_string(trace).unwrap();
        let (mut names, mut unsynced) = (0, Vec::new());
        for (number, line) in (1..).zip(trace.lines()) {
            let (operation, path) = line.split_once(' ').unwrap();
            let path = Path::new(path);
            if operation == "remove" || operation == "rename" && path.ends_with("summary.json") {
                assert!(unsynced.is_empty(), "line {number}, {line}: {unsynced:?} before it\n{trace}");
            }
            match operation {
                "rename" | "create-dir" => {
                    names += 1;
                    unsynced.push(path);
                }
                "sync-dir" => unsynced.retain(|name| name.parent() != Some(path)),
                _ => {}
            }
        }
        assert!(unsynced.is_empty(), "{unsynced:?} at the end\n{trace}");
        assert!(names >= 3, "{trace}");
    }

    fn fresh(&self, root: &Folder, name: &str) -> PathBuf {
        let folder = root.0.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        (self.before)(&folder);
        folder
    }

    /// Runs the command with a fault and resumes it. Returns `false` if the command ended before the fault.
    fn hit(
        &self,
        root: &Folder,
        fault: &str,
        at: u64,
        expected: &BTreeMap<String, Vec<u8>>,
        stdout: &[u8],
    ) -> bool {
        let folder = self.fresh(root, "hit");
        let point = format!("{fault}:{at}");
        let output = run(&folder, self.command, Some(&point));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let hit = !output.status.success();
        if hit {
            assert!(!error.contains("panicked"), "{point}: {error}");
            if fault == "kill" {
                assert_eq!(output.status.code(), None, "{point}: {error}");
            } else {
                let number = if fault == "full" { "(os error 28)" } else { "(os error 5)" };
                assert_eq!(output.status.code(), Some(1), "{point}: {error}");
                assert!(output.stdout.is_empty(), "{point}: nothing is reported as a result");
                let line = error.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
                let named = line.contains(" can't be ") && line.contains(self.out);
                assert!(named && line.contains(number), "{point}: the error names the file: {error}");
            }
            let again = (self.again)(&folder);
            let output = run(&folder, &again, None);
            assert!(output.status.success(), "{point}, then {again:?}: {output:?}");
            assert!(output.stdout == stdout, "{point}: another output: {output:?}");
        }
        let found = files(&folder.join(self.out));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{point}");
        for (name, bytes) in expected {
            assert!(found[name] == *bytes, "{point}: {name} differs");
        }
        std::fs::remove_dir_all(folder).unwrap();
        hit
    }
}

fn run(folder: &Path, args: &[&str], fault: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ttr"));
    command.args(args).current_dir(folder);
    if let Some(fault) = fault {
        command.env("TTR_FILE_FAULT", fault);
    }
    command.output().expect("ttr runs")
}

/// All files, including hidden and temporary ones, except for those that depend on the clock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                files.insert(name + "/", Vec::new());
                collect(root, &path, files);
            } else if !depends_on_the_clock(&name) && !name.ends_with(".lock") {
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

/// The command itself if there is no plan yet, otherwise `--resume`.
fn resume<'s>(folder: &Path, command: &'s [&'s str]) -> Vec<&'s str> {
    if folder.join("out/run.toml").exists() {
        vec![command[0], "--resume", "out", "--json", "--quiet"]
    } else {
        command.to_vec()
    }
}

fn check_run(name: &str, command: &[&str]) {
    let again = |folder: &Path| resume(folder, command);
    Scenario { before: &|_| (), command, out: "out", again: &again }.check(name);
}

#[test]
fn arena() {
    check_run(
        "arena",
        &[
            "arena",
            "--map",
            "card-game",
            "--agents",
            "random,greedy",
            "--games",
            "4",
            "--save-replays",
            "2",
            "--decisions",
            "--seat-tables",
            "--out",
            "out",
            "--json",
            "--quiet",
        ],
    );
}

/// Without a directory of its own: a run that dies before it has a plan leaves none that stays empty.
#[test]
fn numbered_arena() {
    let command = ["arena", "--map", "card-game", "--agents", "random", "--games", "4", "--json", "--quiet"];
    let again = |folder: &Path| match folder.join("runs/arena-card-game-1/run.toml").exists() {
        true => vec!["arena", "--resume", "runs/arena-card-game-1", "--json", "--quiet"],
        false => command.to_vec(),
    };
    Scenario { before: &|_| (), command: &command, out: "runs", again: &again }.check("numbered");
}

/// A run with parts on both sides of a gap.
#[test]
fn resumed_arena() {
    let command = ["arena", "--resume", "out", "--json", "--quiet"];
    let before = |folder: &Path| {
        unfinished_arena(&folder.join("out"), 6, 3);
        std::fs::remove_file(folder.join("out/parts/0000000001-0000000002")).unwrap();
    };
    let again = |_: &Path| command.to_vec();
    Scenario { before: &before, command: &command, out: "out", again: &again }.check("resumed");
}

#[test]
fn tickets() {
    check_run(
        "tickets",
        &[
            "tickets",
            "--map",
            "card-game",
            "--agents",
            "random",
            "--games",
            "4",
            "--out",
            "out",
            "--json",
            "--quiet",
        ],
    );
}

/// Every part has openings, and there are more tables to write.
#[test]
fn forced_tickets() {
    check_run(
        "forced",
        &[
            "tickets",
            "--map",
            "card-game",
            "--agents",
            "random",
            "--forced",
            "--games",
            "1",
            "--out",
            "out",
            "--json",
            "--quiet",
        ],
    );
}

#[test]
fn tune() {
    check_run(
        "tune",
        &[
            "tune",
            "--map",
            "card-game",
            "--agent",
            "yard",
            "--budget",
            "48",
            "--deals",
            "2",
            "--candidates",
            "4",
            "--confirm",
            "8",
            "--out",
            "out",
            "--json",
            "--quiet",
        ],
    );
}

/// A run that contains a run for each table.
#[test]
fn rate() {
    check_run("rate", &["rate", "random", "--only", "card-game-2", "--out", "out", "--json", "--quiet"]);
}

#[test]
fn merge() {
    let arena = ["arena", "--map", "card-game", "--agents", "random,greedy", "--games", "8", "--quiet"];
    let before = |folder: &Path| {
        for (shard, out) in [("1/2", "first"), ("2/2", "second")] {
            let output = run(folder, &[&arena[..], &["--shard", shard, "--out", out]].concat(), None);
            assert!(output.status.success(), "{output:?}");
        }
    };
    let command = ["merge", "first", "second", "--out", "out", "--json"];
    let again = |folder: &Path| {
        if folder.join("out/summary.json").exists() {
            vec!["arena", "--resume", "out", "--json", "--quiet"]
        } else {
            command.to_vec()
        }
    };
    Scenario { before: &before, command: &command, out: "out", again: &again }.check("merge");
}

#[test]
fn experiment() {
    let before = |folder: &Path| {
        std::fs::create_dir(folder.join("out")).unwrap();
        let run = |name: &str, command: &str| {
            format!(
                "[[run]]\nname = '{name}'\ncommand = '{command}'\nmap = 'card-game'\nagents = ['random']\ngames = 2\n"
            )
        };
        let text = format!("title = 'T'\nquestion = 'Q'\n{}{}", run("a", "arena"), run("b", "tickets"));
        std::fs::write(folder.join("out/experiment.toml"), text).unwrap();
    };
    let command = ["experiment", "run", "out", "--quiet"];
    let again = |_: &Path| command.to_vec();
    Scenario { before: &before, command: &command, out: "out", again: &again }.check("experiment");
}
