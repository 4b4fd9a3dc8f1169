//! A sequential test of two agents.

use serde::{Deserialize, Serialize};

use super::share_of_elo;

/// Fewest deals before a test may decide: the spread must be known.
const FEWEST_DEALS: u64 = 32;

/// Tests whether one agent is `elo1` stronger than another, against `elo0`, by generalised sequential likelihood ratio
/// over deals: the shares of points in the games of a deal are one sample, whatever their distribution.
///
/// ```
/// use ttr_sim::stats::{Decision, Sprt};
/// let mut test = Sprt::new(0.0, 10.0, 0.05, 0.05);
/// let decided = (0..10_000).find_map(|deal| test.add(if deal % 5 < 3 { 1.0 } else { 0.0 }));
/// assert_eq!(decided, Some(Decision::Stronger));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The weaker claim.
    pub elo0: f64,
    /// The stronger claim.
    pub elo1: f64,
    /// Chance to accept `elo1` though `elo0` holds.
    pub alpha: f64,
    /// Chance to accept `elo0` though `elo1` holds.
    pub beta: f64,
    /// Deals so far.
    pub deals: u64,
    sum: f64,
    squares: f64,
}

/// What a test decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// `elo1` is the better explanation.
    Stronger,
    /// `elo0` is.
    NotStronger,
}

impl Sprt {
    /// A test without data.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Self {
        Self { elo0, elo1, alpha, beta, deals: 0, sum: 0.0, squares: 0.0 }
    }

    /// Adds the share of points that the agent made in the games of a deal.
    pub fn add(&mut self, share: f64) -> Option<Decision> {
        self.deals += 1;
        self.sum += share;
        self.squares += share * share;
        self.decision()
    }

    /// The logarithm of the likelihood ratio.
    pub fn llr(&self) -> f64 {
        let n = self.deals as f64;
        let mean = self.sum / n;
        // One more deal with half of the points: a spread of 0 would decide at once.
        let variance = ((self.squares + 0.25) / (n + 1.0) - ((self.sum + 0.5) / (n + 1.0)).powi(2)).max(1e-4);
        let (low, high) = (share_of_elo(self.elo0), share_of_elo(self.elo1));
        if n == 0.0 { 0.0 } else { n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance) }
    }

    /// Where the test decides.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        let (low, high) = self.bounds();
        match self.llr() {
            _ if self.deals < FEWEST_DEALS => None,
            llr if llr >= high => Some(Decision::Stronger),
            llr if llr <= low => Some(Decision::NotStronger),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttr_engine::Dice;

    /// How often of 300 tests the stronger claim is accepted if the true share is this.
    fn accepted(share: f64) -> u32 {
        let limit = (share * f64::from(u32::MAX)) as u32;
        (0..300)
            .map(|trial| {
                let mut dice = Dice::from_seed(trial);
                let mut test = Sprt::new(0.0, 40.0, 0.05, 0.05);
                let decision = std::iter::repeat_with(|| dice.next_u64() as u32 <= limit)
                    .find_map(|won| test.add(f64::from(u8::from(won))));
                u32::from(decision == Some(Decision::Stronger))
            })
            .sum()
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let wrong = accepted(share_of_elo(0.0));
        let right = accepted(share_of_elo(40.0));
        assert!(wrong <= 24, "{wrong} of 300 wrongly accepted");
        assert!(right >= 276, "{right} of 300 rightly accepted");
    }
}
