//! A candidate for the decision, its results compared with the first guess, and the decision rule.

use crate::search::settings::{Root, Settings};

/// A candidate for the decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contender<A> {
    pub(crate) action: A,
    pub(crate) prior: f32,
    /// Number of playouts that started with it.
    pub(crate) playouts: u32,
    /// Sum of their values to the searching seat.
    total: f64,
    /// Sum of the squares of their values, if known.
    squares: Option<f64>,
    /// Number of playouts in worlds in which the first guess was tried too.
    pairs: u32,
    /// Sum of its gains over the first guess in the same world, and sum of their squares.
    gain: f64,
    gain_squares: f64,
}

impl<A> Contender<A> {
    pub(crate) fn new(action: A, prior: f32) -> Self {
        Self {
            action,
            prior,
            playouts: 0,
            total: 0.0,
            squares: Some(0.0),
            pairs: 0,
            gain: 0.0,
            gain_squares: 0.0,
        }
    }

    pub(crate) fn record(&mut self, value: f32) {
        self.playouts += 1;
        let value = f64::from(value);
        self.total += value;
        self.squares = self.squares.map(|squares| squares + value * value);
    }

    /// Replaces the record.
    pub(crate) fn set_record(&mut self, playouts: u32, value: f32) {
        self.playouts = playouts;
        self.total = f64::from(value) * f64::from(playouts);
        self.squares = None;
    }

    pub(crate) fn record_pair(&mut self, value: f32, first_guess: f32) {
        let gain = f64::from(value - first_guess);
        self.pairs += 1;
        self.gain += gain;
        self.gain_squares += gain * gain;
    }

    /// Adds another thread's results for the same action.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.total += other.total;
        self.squares = self.squares.zip(other.squares).map(|(one, other)| one + other);
        self.pairs += other.pairs;
        self.gain += other.gain;
        self.gain_squares += other.gain_squares;
    }

    /// Its mean value.
    pub(crate) fn value(&self) -> f64 {
        if self.playouts == 0 { 0.0 } else { self.total / f64::from(self.playouts) }
    }

    /// Standard error of [`Contender::value`].
    pub(crate) fn value_error(&self) -> Option<f64> {
        standard_error(self.playouts, self.total, self.squares?)
    }

    /// Mean gain over the first guess in the same worlds, and its standard error.
    pub(crate) fn mean_gain(&self) -> Option<(f64, f64)> {
        let error = standard_error(self.pairs, self.gain, self.gain_squares)?;
        Some((self.gain / f64::from(self.pairs), error))
    }

    /// Its expected gain over the first guess: the posterior mean of a normal distribution whose prior has
    /// the mean `-deficit` and the standard deviation `reach`, given the observed gains.
    pub(crate) fn expected_gain(&self, deficit: f64, reach: f64) -> f64 {
        if self.pairs == 0 {
            return -deficit;
        }
        let n = f64::from(self.pairs);
        let mean = self.gain / n;
        // A few playouts that happen to agree prove little: two more with a typical deviation are assumed.
        const TYPICAL: f64 = 0.05;
        let deviations = (self.gain_squares - self.gain * mean).max(0.0) + 2.0 * TYPICAL;
        let error = deviations / (n + 1.0) / n;
        (mean * reach * reach - deficit * error) / (reach * reach + error)
    }
}

/// Standard error of a mean, from the number of values, their sum and the sum of their squares.
fn standard_error(count: u32, sum: f64, squares: f64) -> Option<f64> {
    let n = f64::from(count);
    let deviations = (squares - sum * sum / n).max(0.0);
    (count > 1).then(|| (deviations / (n - 1.0) / n).sqrt())
}

impl Settings {
    /// The standing of a contender: the highest one wins the decision. The first guess is the first
    /// contender.
    pub(crate) fn standing<A>(&self, contenders: &[Contender<A>], index: usize) -> f64 {
        let contender = &contenders[index];
        match self.root {
            Root::Tree => f64::from(contender.playouts) + contender.value() / 2.0,
            Root::Even => contender.value(),
            Root::Halving if index == 0 => 0.0,
            Root::Halving => {
                let less_likely = f64::from(contenders[0].prior / contender.prior).ln();
                contender.expected_gain(f64::from(self.doubt) * less_likely, self.reach.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_means() {
        let mut contender = Contender::new((), 0.1);
        contender.record(0.5);
        assert_eq!(contender.value_error(), None);
        contender.record(1.0);
        assert_eq!((contender.value(), contender.value_error()), (0.75, Some(0.25)));
        contender.set_record(7, 0.5);
        assert_eq!(contender.value_error(), None, "a tree keeps no squares");
    }

    #[test]
    fn evidence_overcomes_doubt() {
        let mut contender = Contender::new((), 0.1);
        assert_eq!(contender.expected_gain(0.02, 0.03), -0.02);
        let mut expected = -0.02;
        for _ in 0..4 {
            for _ in 0..100 {
                contender.record_pair(0.6, 0.4);
                contender.record_pair(0.4, 0.5);
            }
            let now = contender.expected_gain(0.02, 0.03);
            assert!(expected < now && now < 0.05, "{expected} {now}");
            expected = now;
        }
        assert!(expected > 0.03);
    }
}
