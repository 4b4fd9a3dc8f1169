//! `--dry-run`: the cost of a run, from a small run of the same kind on this machine.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use ttr_show::text::{Align, Table, thousands};
use ttr_sim::run::{KeptRun, RunDir, RunError, RunPlan};
use ttr_sim::table::runner::{Drive, Outcome};

use crate::interruption::interruption;
use crate::report::{self, Reported};
use crate::runs::Show;
use crate::{Interrupted, print, print_json};

/// Duration of a measurement that is long enough.
const ENOUGH: Duration = Duration::from_secs(1);
/// Duration of a shard on one core: long compared with its start, short compared with the time between two
/// failures of a machine.
const SHARD_SECONDS: f64 = 1800.0;
/// Files that do not grow with the number of games.
const FIXED: [&str; 3] = ["report.html", "summary.json", "run.toml"];

/// The cost of a run.
#[derive(Serialize)]
struct Cost {
    games: u64,
    deals: u64,
    measured_games: u64,
    measured_seconds: f64,
    threads: usize,
    games_per_second: f64,
    core_hours: f64,
    part_bytes: u64,
    result_bytes: u64,
    shards: u64,
}

/// Plays a small run in a temporary directory and prints what the whole one costs. `open` makes the run of a
/// directory.
pub(crate) fn run<S: Reported>(
    plan: &RunPlan,
    show: &Show,
    open: impl Fn(RunDir) -> Result<KeptRun<S>, RunError>,
) -> anyhow::Result<()> {
    let folder = Temporary::create()?;
    let mut deals = 1;
    loop {
        let small = plan.whole().with_deals(&plan.schedule(), deals);
        let dir = RunDir::create(&folder.0.join(deals.to_string()), small)?;
        let mut run = open(dir)?;
        let start = Instant::now();
        if run.play(&Drive::new(show.threads, interruption(), &|_| {}))? == Outcome::Stopped {
            return Err(Interrupted("stopped; nothing was kept".to_owned()).into());
        }
        let time = start.elapsed();
        if time < ENOUGH && deals < plan.deals {
            let more = 1.5 * ENOUGH.as_secs_f64() / time.as_secs_f64().max(1e-3);
            deals = ((deals as f64 * more.clamp(2.0, 100.0)) as u64).min(plan.deals);
            continue;
        }
        // A sequential test may have decided.
        let measured = run.games_played()?;
        let parts = bytes(&run.dir().path().join("parts"))?;
        report::finish(&run, &show.roster)?;
        let games = [run.games_planned() / deals * plan.deals, measured];
        let cost = Cost::new(plan.deals, games, time, show.threads, [parts, results(run.dir().path())?]);
        if show.json {
            print_json(&cost)?
        } else {
            print(&cost.to_string())?
        }
        return Ok(());
    }
}

impl Cost {
    /// The cost of a run of this many deals and games, where another number of games was measured.
    fn new(
        deals: u64,
        [games, measured]: [u64; 2],
        time: Duration,
        threads: usize,
        [parts, results]: [u64; 2],
    ) -> Self {
        let scale = games as f64 / measured as f64;
        let seconds = time.as_secs_f64();
        let core_seconds = scale * seconds * threads as f64;
        Self {
            games,
            deals,
            measured_games: measured,
            measured_seconds: seconds,
            threads,
            games_per_second: measured as f64 / seconds,
            core_hours: core_seconds / 3600.0,
            part_bytes: (parts as f64 * scale) as u64,
            result_bytes: (results as f64 * scale) as u64,
            shards: ((core_seconds / SHARD_SECONDS).ceil() as u64).clamp(1, deals),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([("cost", Align::Left), ("", Align::Right)]);
        table.row(["games, in whole deals".to_owned(), thousands(self.games)]);
        table.row(["games per second here".to_owned(), number(self.games_per_second)]);
        table.row(["core hours".to_owned(), number(self.core_hours)]);
        table.row(["parts, while it is played".to_owned(), size(self.part_bytes)]);
        table.row(["results".to_owned(), size(self.result_bytes)]);
        table.row(["proposed shards".to_owned(), thousands(self.shards)]);
        writeln!(
            f,
            "measured: {} games in {:.1} s on {} threads of this machine; nothing was kept\n\n{table}",
            thousands(self.measured_games),
            self.measured_seconds,
            self.threads,
        )
    }
}

/// A number with about three digits.
fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => thousands(value.round() as u64),
        value if value >= 1.0 => format!("{value:.1}"),
        value => format!("{value:.4}"),
    }
}

fn size(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let mut value = bytes as f64;
    for unit in units {
        if value < 1000.0 {
            return format!("{value:.0} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.0} EB")
}

/// The size of the tables and replays of a complete run.
fn results(folder: &Path) -> io::Result<u64> {
    let fixed = FIXED.iter().map(|name| fs::metadata(folder.join(name)).map_or(0, |found| found.len()));
    Ok(bytes(folder)?.saturating_sub(fixed.sum()))
}

/// The size of all files of a folder.
fn bytes(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.metadata()?;
        sum += if found.is_dir() { bytes(&entry.path())? } else { found.len() };
    }
    Ok(sum)
}

/// A folder that is deleted in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn create() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("ttr-dry-run-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // If it can't be deleted, the system does it some day.
        let _ = fs::remove_dir_all(&self.0);
    }
}
