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

/// A figure with a 95 % interval. It is not a number if there was nothing to measure, such as the winning points of an agent
/// that never won; in JSON it is `null` then.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Figure {
    /// The figure.
    #[serde(deserialize_with = "number_or_null")]
    pub value: f64,
    /// Lower end of the interval.
    #[serde(deserialize_with = "number_or_null")]
    pub low: f64,
    /// Upper end of the interval.
    #[serde(deserialize_with = "number_or_null")]
    pub high: f64,
}

fn number_or_null<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
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

    /// The figure with half the width of its interval, as `63.1 ±1.2`; a dash if there is none.
    pub fn plus_minus(&self, digits: usize) -> String {
        if self.value.is_nan() {
            return "-".to_owned();
        }
        format!("{:.digits$} ±{:.digits$}", self.value, self.margin())
    }

    /// The same with a sign.
    pub fn signed_plus_minus(&self, digits: usize) -> String {
        let sign = if self.value.is_sign_positive() && !self.value.is_nan() { "+" } else { "" };
        format!("{sign}{}", self.plus_minus(digits))
    }

    /// The figure times a number.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }
}
