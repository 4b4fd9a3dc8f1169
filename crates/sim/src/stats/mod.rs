//! Figures with their uncertainty.
//!
//! Games of a deal share their cards, so they are no independent samples: everything is resampled by deal.

mod bootstrap;
mod rating;
mod sprt;

use serde::{Deserialize, Serialize};

pub use bootstrap::{Blocks, GROUPS, Resamples};
pub use rating::{elo_of_share, ratings, share_of_elo};
pub use sprt::{Decision, Sprt};

/// A figure with a 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Figure {
    /// A figure and the same figure of each resample.
    pub fn new(value: f64, mut resampled: Vec<f64>) -> Self {
        resampled.retain(|value| value.is_finite());
        resampled.sort_by(f64::total_cmp);
        if !value.is_finite() || resampled.is_empty() {
            return Self { value, low: value, high: value };
        }
        let at = |share: f64| resampled[((resampled.len() - 1) as f64 * share).round() as usize];
        Self { value, low: at(0.025).min(value), high: at(0.975).max(value) }
    }

    /// A number that needs no interval.
    pub fn exactly(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// Half the width of the interval.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The figure times a number.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }
}
