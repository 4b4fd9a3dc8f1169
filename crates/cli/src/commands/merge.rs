//! `ttr merge`: joins the shards of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use ttr_agents::Roster;
use ttr_sim::run::dir::PLAN;
use ttr_sim::run::parts::gaps;
use ttr_sim::run::{RunDir, RunPlan};

use crate::BadInput;
use crate::errors::describe;
use crate::runs::{self, Show};

/// Joins the shards of a run that was played with --shard.
///
/// The result is byte-identical to the undivided run. All shards are checked before anything is written:
/// those of different runs are rejected, and missing deals and shards are listed. Memory does not grow with
/// the number of games.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ttr arena --shard 1/2 --out a     on one machine
  ttr arena --shard 2/2 --out b     on another
  ttr merge a b --out whole
  ttr merge parts --out whole       all shards in the directory `parts`")]
pub(crate) struct Args {
    /// Directories of the shards, or directories that contain them
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// Output directory, which must be new
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let paths = directories(&args.parts)?;
    let plan = check(&paths)?;
    // A merge that was killed resumes.
    let whole = match RunDir::open(&args.out) {
        Ok(whole) if *whole.plan() == plan && !whole.is_complete() => whole,
        opened => {
            drop(opened);
            RunDir::create(&args.out, plan)?
        }
    };
    let mut adopted: BTreeMap<u64, u64> =
        whole.parts()?.into_iter().map(|part| (part.start, part.end)).collect();
    for path in &paths {
        whole.adopt(&RunDir::open_to_read(path)?, &mut adopted)?;
    }
    runs::reopen(
        whole,
        &Show {
            threads: 1,
            json: args.json,
            quiet: true,
            roster: roster.clone(),
            processes: Default::default(),
        },
        false,
    )
}

/// The directories of the shards, each once.
fn directories(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let (mut paths, mut known) = (Vec::new(), BTreeSet::new());
    for path in given {
        let inside = if path.join(PLAN).exists() { Vec::new() } else { runs_in(path) };
        for path in if inside.is_empty() { vec![path.clone()] } else { inside } {
            if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                return Err(
                    BadInput(format!("{} is given twice; give each shard once", path.display())).into()
                );
            }
            paths.push(path);
        }
    }
    Ok(paths)
}

/// The directories of runs in a directory, by name.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> =
        entries.map(|entry| entry.path()).filter(|path| path.join(PLAN).exists()).collect();
    found.sort();
    found
}

/// Checks all shards, one after the other, and returns the plan of the whole run.
fn check(paths: &[PathBuf]) -> anyhow::Result<RunPlan> {
    let first = &paths[0];
    let plan = RunDir::open_to_read(first)?.plan().whole();
    let (mut shards, mut played, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let part = RunDir::open_to_read(path)?;
        check_same(&plan, first, &part)?;
        shards.push(part.plan().range());
        // All damaged ones are reported at once.
        match part.parts().and_then(|deals| part.check_parts().map(|()| deals)) {
            Ok(deals) => played.extend(deals),
            Err(error) => damaged.push(describe(error.into()).0),
        }
    }
    played.sort_by_key(|range: &Range<u64>| range.start);
    if let Some(twice) = played.windows(2).find(|pair| pair[1].start < pair[0].end) {
        let message = format!(
            "deals {} to {} are in more than one directory; give each shard once",
            twice[1].start,
            twice[1].end.min(twice[0].end) - 1
        );
        return Err(BadInput(message).into());
    }
    let missing = gaps(&played, plan.range());
    if damaged.is_empty() && missing.is_empty() {
        return Ok(plan);
    }
    let lines: Vec<_> = damaged.into_iter().chain(describe_missing(&plan, &shards, &missing)).collect();
    Err(BadInput(lines.join("\n")).into())
}

/// Checks that a directory has a shard of the run.
fn check_same(plan: &RunPlan, first: &Path, part: &RunDir) -> Result<(), BadInput> {
    if part.is_complete() {
        return Err(BadInput(format!("{} is a complete run, not a shard", part.path().display())));
    }
    let Some(difference) = plan.difference(part.plan()) else { return Ok(()) };
    let hint = match difference.key.as_str() {
        RunPlan::EXEC_SECRET => "; give the same --exec-secret to all shards",
        _ => "",
    };
    let (one, other) = (first.display(), part.path().display());
    Err(BadInput(format!("{one} and {other} do not belong to the same run: {difference}{hint}")))
}

/// The deals that are missing, and the shards that they belong to, in a form that schedulers understand.
fn describe_missing(plan: &RunPlan, shards: &[Range<u64>], missing: &[Range<u64>]) -> Option<String> {
    /// Number of gaps that are listed one by one.
    const LISTED: usize = 20;
    let most = missing.len().min(LISTED);
    let mut ranges: Vec<_> =
        missing[..most].iter().map(|gap| format!("{} to {}", gap.start, gap.end - 1)).collect();
    if missing.len() > most {
        ranges.push(format!("and {} more ranges", missing.len() - most));
    }
    let (deals, ranges) = (plan.deals, (!missing.is_empty()).then(|| ranges.join(", "))?);
    let Some(count) = plan.shards_with(shards) else {
        return Some(format!(
            "of {deals} deals, these are missing: {ranges}; play them (--resume their shard), then merge \
             again"
        ));
    };
    let list = index_list(plan.shards_of(missing, count));
    Some(format!(
        "of {deals} deals, these are missing: {ranges}\nplay these shards of {count} (--or-resume), then \
         merge again: {list}"
    ))
}

/// Numbers in order as `1-3,7`, which `sbatch --array` understands.
fn index_list(indices: impl Iterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for index in indices {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == index => *last = index,
            _ => ranges.push((index, index)),
        }
    }
    let text = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_short() {
        let list = |indices: &[u64]| index_list(indices.iter().copied());
        assert_eq!([list(&[1, 2, 3, 7, 9, 10]), list(&[4]), list(&[])], ["1-3,7,9-10", "4", ""]);
    }
}
