//! `ttr merge`: joins the shards of a run.

use std::path::PathBuf;

use ttr_agents::Roster;
use ttr_sim::run::parts::gaps;
use ttr_sim::run::{RunDir, RunPlan};

use crate::BadInput;
use crate::runs::{self, Show};

/// Joins the shards of a run that was played with --shard.
///
/// The result is byte-identical to the undivided run. Shards of different runs are rejected, and missing
/// deals are listed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ttr arena --shard 1/2 --out a     on one machine
  ttr arena --shard 2/2 --out b     on another
  ttr merge a b --out whole")]
pub(crate) struct Args {
    /// Directories of the shards
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
    for (index, part) in args.parts.iter().enumerate() {
        let same = |other: &PathBuf| {
            other == part || matches!((other.canonicalize(), part.canonicalize()), (Ok(a), Ok(b)) if a == b)
        };
        if args.parts[..index].iter().any(same) {
            return Err(BadInput(format!("{} is given twice; give each shard once", part.display())).into());
        }
    }
    let parts = args.parts.iter().map(|path| RunDir::open_to_read(path)).collect::<Result<Vec<_>, _>>()?;
    let plan = parts[0].plan().whole();
    for part in &parts {
        if part.is_complete() {
            let message = format!("{} is a complete run, not a shard", part.path().display());
            return Err(BadInput(message).into());
        }
        if let Some(difference) = plan.difference(part.plan()) {
            let (one, other) = (parts[0].path().display(), part.path().display());
            let hint = match difference.key.as_str() {
                RunPlan::EXEC_SECRET => "; give the same --exec-secret to all shards",
                _ => "",
            };
            let message = format!("{one} and {other} do not belong to the same run: {difference}{hint}");
            return Err(BadInput(message).into());
        }
    }
    let mut played: Vec<_> = Vec::new();
    for part in &parts {
        played.extend(part.parts()?);
    }
    played.sort_by_key(|range| range.start);
    if let Some(twice) = played.windows(2).find(|pair| pair[1].start < pair[0].end) {
        let message = format!(
            "deals {} to {} are in more than one directory; give each shard once",
            twice[1].start,
            twice[1].end.min(twice[0].end) - 1
        );
        return Err(BadInput(message).into());
    }
    let missing = gaps(&played, plan.range());
    if !missing.is_empty() {
        let ranges: Vec<_> = missing.iter().map(|gap| format!("{} to {}", gap.start, gap.end - 1)).collect();
        let message = format!(
            "of {} deals, these are missing: {}; play them (--resume their shard), then merge again",
            plan.deals,
            ranges.join(", ")
        );
        return Err(BadInput(message).into());
    }
    // Damaged shards are rejected before anything is written.
    parts.iter().try_for_each(RunDir::check_parts)?;
    // A merge that was killed resumes.
    let whole = match RunDir::open(&args.out) {
        Ok(whole) if *whole.plan() == plan && !whole.is_complete() => whole,
        opened => {
            drop(opened);
            RunDir::create(&args.out, plan)?
        }
    };
    for part in &parts {
        whole.adopt(part)?;
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
