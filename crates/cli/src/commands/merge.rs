//! `ttr merge`: the shards of a run become the run.

use std::path::PathBuf;

use ttr_agents::Roster;
use ttr_sim::run::parts::gaps;
use ttr_sim::run::{RunDir, RunPlan};

use crate::BadInput;
use crate::runs::{self, Show};

/// Join the parts of a run that was played with --shard.
///
/// The result is byte for byte that of the undivided run. Parts of different runs are refused, and what is missing is
/// named.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ttr arena --shard 1/2 --out a     on one machine
  ttr arena --shard 2/2 --out b     on another
  ttr merge a b --out whole")]
pub(crate) struct Args {
    /// The directories of the parts
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// A new directory for the whole
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
            return Err(BadInput(format!("{} is given twice; give each part once", part.display())).into());
        }
    }
    let parts = args.parts.iter().map(|path| RunDir::open_to_read(path)).collect::<Result<Vec<_>, _>>()?;
    let plan = parts[0].plan().whole();
    for part in &parts {
        if part.is_complete() {
            let message = format!("{} is a complete run, not a part of one", part.path().display());
            return Err(BadInput(message).into());
        }
        if let Some(difference) = plan.difference(part.plan()) {
            let (one, other) = (parts[0].path().display(), part.path().display());
            let hint = match difference.key.as_str() {
                RunPlan::EXEC_SECRET => "; give the same --exec-secret to all shards",
                _ => "",
            };
            let message = format!("{one} and {other} are not of the same run: {difference}{hint}");
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
            "deals {} to {} are in two of the directories; give each shard once",
            twice[1].start,
            twice[1].end.min(twice[0].end) - 1
        );
        return Err(BadInput(message).into());
    }
    let missing = gaps(&played, plan.range());
    if !missing.is_empty() {
        let ranges: Vec<_> = missing.iter().map(|gap| format!("{} to {}", gap.start, gap.end - 1)).collect();
        let message = format!(
            "of {} deals these are missing: {}; play them (--resume the part they belong to), then merge",
            plan.deals,
            ranges.join(", ")
        );
        return Err(BadInput(message).into());
    }
    // Nothing is made of damaged parts.
    parts.iter().try_for_each(RunDir::check_parts)?;
    // A merge that was killed goes on.
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
