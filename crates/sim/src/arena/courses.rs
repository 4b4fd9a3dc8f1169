//! The tables of figures over deals: `convergence` and `llr`.

use super::Summary;
use crate::run::dir::RunDir;
use crate::run::error::FileError;
use crate::run::rows::{Column, ColumnType};

/// Writes the shares of wins over deals, and the LLR of a sequential test.
pub(super) fn write(dir: &RunDir, summary: &Summary) -> Result<(), FileError> {
    use ColumnType::{Real, Text, U32, Whole};
    let number = |value: f64| value.is_finite().then_some(value);
    if !summary.convergence.is_empty() {
        let columns = [
            Column::new("deals", Whole),
            Column::new("agent_index", U32),
            Column::new("agent", Text),
            Column::new("win_share", Real),
            Column::new("low", Real).or_null(),
            Column::new("high", Real).or_null(),
        ];
        let mut rows = dir.table("convergence", &columns)?;
        for point in &summary.convergence {
            for (index, share) in
                point.win_shares.iter().enumerate().filter(|(_, share)| share.value.is_finite())
            {
                rows.row([
                    point.deals.into(),
                    (index as u64).into(),
                    summary.label(index).into(),
                    share.value.into(),
                    number(share.low).into(),
                    number(share.high).into(),
                ])?;
            }
        }
        rows.finish()?;
    }
    if let Some(test) = &summary.sprt {
        let columns = [Column::new("deals", Whole), Column::new("llr", Real)];
        let mut rows = dir.table("llr", &columns)?;
        for &(deals, llr) in &test.path {
            rows.row([deals.into(), llr.into()])?;
        }
        rows.finish()?;
    }
    Ok(())
}
