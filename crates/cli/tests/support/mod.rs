//! Running the binary in tests.

#![allow(dead_code, unreachable_pub, reason = "every test file uses a different part of this")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use ttr_agents::AgentSpec;
use ttr_engine::card_game::CardGame;
use ttr_sim::arena::{Arena, ArenaOptions};
use ttr_sim::run::{KeptRun, RunDir, RunPlan, StudyPlan};
use ttr_sim::table::entrant::Entrant;
use ttr_sim::table::runner::{Drive, Outcome};
use ttr_sim::table::schedule::Schedule;

/// The result of a run of `ttr`.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// The output of a run that must have worked.
    pub fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The error of a run that must have refused its input, without any output on stdout.
    pub fn refused(self) -> String {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self.err
    }

    pub fn json(self) -> Json {
        serde_json::from_str(&self.good()).unwrap()
    }
}

pub fn ttr_in(folder: &Path, args: &[&str]) -> Run {
    ttr_within(folder, args, Duration::from_secs(60))
}

fn ttr_within(folder: &Path, args: &[&str], limit: Duration) -> Run {
    let start = Instant::now();
    let output =
        Command::new(env!("CARGO_BIN_EXE_ttr")).args(args).current_dir(folder).output().expect("ttr runs");
    assert!(start.elapsed() < limit, "{args:?} took {:?}", start.elapsed());
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

pub fn ttr(args: &[&str]) -> Run {
    ttr_in(Path::new("."), args)
}

/// A folder for one test, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ttr-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    pub fn ttr(&self, args: &[&str]) -> Run {
        ttr_in(&self.0, args)
    }

    /// Runs a slow command.
    pub fn ttr_slowly(&self, args: &[&str]) -> Run {
        ttr_within(&self.0, args, Duration::from_secs(600))
    }

    /// The names of all files in it, including hidden ones.
    pub fn files(&self) -> Vec<String> {
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut files: Vec<_> = std::fs::read_dir(&self.0).unwrap().map(name).collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns `true` if a file of a run may differ between identical runs.
pub fn depends_on_the_clock(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    ["timing.json", "decision_times.csv", "decision_times.parquet"].contains(&file)
}

/// The agents of [`unfinished_arena`], as on the command line.
pub const CARD_ARENA: [&str; 5] = ["arena", "--map", "card-game", "--agents", "random,greedy"];

/// A run of [`CARD_ARENA`] over this many deals, stopped after each of the first few, each of which is a
/// part.
pub fn unfinished_arena(path: &Path, deals: u64, parts: u64) {
    play_in_parts(path, deals, parts, &ArenaOptions::default());
}

/// Plays one deal after the other into separate parts, until there are `parts` or the run needs no more.
pub fn play_in_parts(path: &Path, deals: u64, parts: u64, options: &ArenaOptions) {
    let mut run = begin_arena(path, deals, options);
    for _ in 0..parts {
        if play_some(&mut run, 1) == Outcome::Finished {
            break;
        }
    }
    drop(run);
    unlock(path);
}

/// Starts a run of [`CARD_ARENA`].
pub fn begin_arena(path: &Path, deals: u64, options: &ArenaOptions) -> KeptRun<Arena<CardGame>> {
    let game = CardGame::new(&ttr_engine::maps::card_game(), 2).unwrap();
    let agents = AgentSpec::list("random,greedy").unwrap();
    let schedule = Schedule::round_robin(2, 2);
    let plan = RunPlan::new(StudyPlan::Arena(options.clone()), &game, "card-game", 1, agents.clone());
    let dir = RunDir::create(path, plan.with_deals(&schedule, deals)).unwrap();
    let entrants = agents.iter().map(|agent| Entrant::from_spec(&game, agent).unwrap()).collect();
    KeptRun::open(dir, |plan| Arena::from_plan(game, entrants, plan)).unwrap()
}

/// Plays at least this many more games, if there are as many, and keeps them.
pub fn play_some(run: &mut KeptRun<Arena<CardGame>>, games: u64) -> Outcome {
    let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = |more| {
        if played.fetch_add(more, Ordering::Relaxed) + more >= games {
            stop.store(true, Ordering::Relaxed);
        }
    };
    run.play(&Drive::new(1, &stop, &progress)).unwrap()
}

/// Removes the lock file of a directory that this process has closed: a child that another test is just
/// starting may still hold the lock.
pub fn unlock(path: &Path) {
    std::fs::remove_file(path.join(".lock")).unwrap();
}
