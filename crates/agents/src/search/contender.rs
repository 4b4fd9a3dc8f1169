//! A candidate for the decision, and how it did against the first guess.

use crate::search::guide::{Hunch, Proposal};

/// A candidate for the decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contender<A> {
    pub(crate) action: A,
    pub(crate) prior: f32,
    hunch: Hunch,
    /// Playouts that began with it.
    pub(crate) playouts: u32,
    /// Sum of their values to the searching seat.
    total: f64,
    /// Playouts in worlds in which the first guess was tried too.
    pairs: u32,
    /// Sum of what it got more than the first guess in the same world, and of the squares of that.
    gain: f64,
    gain_squares: f64,
}

/// What a contender can be expected to gain over the first guess, and how far off that may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Expectation {
    pub(crate) gain: f64,
    error: f64,
    /// How far off a single playout is.
    luck: f64,
}

impl Expectation {
    /// Of the first guess, to which all others are compared.
    pub(crate) const FIRST_GUESS: Self = Self { gain: 0.0, error: 0.0, luck: 0.0 };

    /// What so many more playouts can be expected to gain by showing that this contender is better than one whose expected
    /// gain is `rival`, or, if it is the better one, that it is not.
    pub(crate) fn worth_of(&self, playouts: f64, rival: f64) -> f64 {
        let variance = self.error * self.error;
        if variance == 0.0 {
            return 0.0;
        }
        // How far the expectation is going to move.
        let deviation = variance / (variance + self.luck * self.luck / playouts).sqrt();
        let gap = (rival - self.gain).abs() / deviation;
        // The mean of what exceeds `gap` in a normal distribution, to within 3 % up to a gap of 3.
        deviation * (-0.919 - 1.253 * gap - 0.336 * gap * gap).exp()
    }
}

impl<A: Copy> Contender<A> {
    pub(crate) fn new(proposal: &Proposal<A>) -> Self {
        let Proposal { action, prior, hunch, .. } = *proposal;
        Self { action, prior, hunch, playouts: 0, total: 0.0, pairs: 0, gain: 0.0, gain_squares: 0.0 }
    }

    /// The same without any record.
    pub(crate) fn untried(&self) -> Self {
        Self { playouts: 0, total: 0.0, pairs: 0, gain: 0.0, gain_squares: 0.0, ..*self }
    }

    pub(crate) fn record(&mut self, value: f32) {
        self.playouts += 1;
        self.total += f64::from(value);
    }

    /// Replaces the record.
    pub(crate) fn set_record(&mut self, playouts: u32, value: f32) {
        self.playouts = playouts;
        self.total = f64::from(value) * f64::from(playouts);
    }

    pub(crate) fn record_pair(&mut self, value: f32, first_guess: f32) {
        let gain = f64::from(value - first_guess);
        self.pairs += 1;
        self.gain += gain;
        self.gain_squares += gain * gain;
    }

    /// Adds what another thread found out about the same action.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.total += other.total;
        self.pairs += other.pairs;
        self.gain += other.gain;
        self.gain_squares += other.gain_squares;
    }

    /// Its value on average.
    pub(crate) fn value(&self) -> f64 {
        if self.playouts == 0 { 0.0 } else { self.total / f64::from(self.playouts) }
    }

    /// What it can be expected to gain over the first guess: the hunch, as far as playouts leave room for it.
    pub(crate) fn expectation(&self) -> Expectation {
        let n = f64::from(self.pairs);
        let mean = if self.pairs == 0 { 0.0 } else { self.gain / n };
        // A few playouts that happen to agree prove little: two more are assumed, as far off as playouts typically are.
        const TYPICAL: f64 = 0.05;
        let deviations = (self.gain_squares - self.gain * mean).max(0.0) + 2.0 * TYPICAL;
        let luck = deviations / (n + 1.0);
        let hunch = f64::from(self.hunch.error).powi(2);
        let share = hunch * n / (hunch * n + luck);
        Expectation {
            gain: share * mean + (1.0 - share) * f64::from(self.hunch.gain),
            error: (hunch * (1.0 - share)).sqrt(),
            luck: luck.sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_overcomes_a_hunch() {
        let mut contender = Contender::new(&Proposal::open((), 0.1).with_hunch(Hunch::new(-0.02, 0.03)));
        let mut known = contender.expectation();
        assert!((known.gain + 0.02).abs() < 1e-6 && (known.error - 0.03).abs() < 1e-6);
        for _ in 0..4 {
            for _ in 0..100 {
                contender.record_pair(0.6, 0.4);
                contender.record_pair(0.4, 0.5);
            }
            let now = contender.expectation();
            assert!(known.gain < now.gain && now.gain < 0.05 && now.error < known.error, "{known:?} {now:?}");
            known = now;
        }
        assert!(known.gain > 0.03);
    }

    #[test]
    fn more_playouts_are_worth_more_where_it_is_close() {
        let mut contender = Contender::new(&Proposal::open((), 0.1).with_hunch(Hunch::new(-0.02, 0.03)));
        let close = contender.expectation();
        assert!(close.worth_of(100.0, 0.0) > close.worth_of(10.0, 0.0));
        assert!(close.worth_of(100.0, 0.0) > close.worth_of(100.0, 0.05));
        for _ in 0..1000 {
            contender.record_pair(0.4, 0.5);
        }
        assert!(contender.expectation().worth_of(100.0, 0.0) < 1e-6);
        assert_eq!(Expectation::FIRST_GUESS.worth_of(100.0, 0.0), 0.0);
    }
}
