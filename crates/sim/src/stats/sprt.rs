//! A sequential test of two agents.

use serde::{Deserialize, Serialize};

use super::distribution::{density, mills, normal_tail};
use super::{Figure, elo_of_share, share_of_elo};

/// Minimum number of deals before a test may decide: the spread must be known.
const FEWEST_DEALS: u64 = 32;
/// Number of standard deviations of a step by which a discrete walk overshoots a bound (Siegmund).
const OVERSHOOT: f64 = 0.583;

/// The games of a deal in which one of two agents won, all with the same numbers of seats.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Encounter {
    /// Number of seats of the agent per seat of the other.
    pub seats: f64,
    /// Number of games that one of the two won.
    pub games: f64,
}

impl Encounter {
    /// Expected number of wins of the agent if it is this much stronger.
    fn expected(&self, elo: f64) -> f64 {
        let odds = self.seats * share_of_elo(elo) / share_of_elo(-elo);
        self.games * odds / (1.0 + odds)
    }
}

/// Tests whether one agent is `elo1` stronger than another (H1) or `elo0` (H0), by a generalised sequential
/// likelihood ratio over deals: the wins in the games of a deal are one sample, whatever their
/// distribution.
///
/// Elo is that of the ratings: it determines the agent's share of the games that one of the two agents
/// wins.
///
/// ```
/// use ttr_sim::stats::{Decision, Encounter, Sprt};
/// let mut test = Sprt::new(0.0, 10.0, 0.05, 0.05);
/// let game = [Encounter { seats: 1.0, games: 1.0 }];
/// let decided = (0..10_000).find_map(|deal| test.add(if deal % 5 < 3 { 1.0 } else { 0.0 }, &game));
/// assert_eq!(decided, Some(Decision::Stronger));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// H0: the agent is at most this much stronger.
    pub elo0: f64,
    /// H1: it is at least this much stronger.
    pub elo1: f64,
    /// Probability to accept H1 if H0 holds.
    pub alpha: f64,
    /// Probability to accept H0 if H1 holds.
    pub beta: f64,
    /// Number of deals so far.
    pub deals: u64,
    /// Sums of the wins beyond the mean of the expectations under H0 and H1, and of their squares.
    sum: f64,
    squares: f64,
    /// Difference in expected wins between H1 and H0.
    apart: f64,
    /// All games that one of the two won.
    encounters: Vec<Encounter>,
}

/// The decision of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// H1 is the better explanation.
    Stronger,
    /// H0 is the better explanation.
    NotStronger,
}

impl Sprt {
    /// Creates a test without data.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Self {
        Self { elo0, elo1, alpha, beta, deals: 0, sum: 0.0, squares: 0.0, apart: 0.0, encounters: Vec::new() }
    }

    /// Adds the agent's wins in a deal, and the games that one of the two won.
    pub fn add(&mut self, wins: f64, encounters: &[Encounter]) -> Option<Decision> {
        let expected = |elo: f64| encounters.iter().map(|games| games.expected(elo)).sum::<f64>();
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        let beyond = wins - (low + high) / 2.0;
        self.deals += 1;
        self.sum += beyond;
        self.squares += beyond * beyond;
        self.apart += high - low;
        for new in encounters {
            match self.encounters.iter_mut().find(|known| known.seats == new.seats) {
                Some(known) => known.games += new.games,
                None => self.encounters.push(*new),
            }
        }
        self.decision()
    }

    /// Variance of a deal's wins. It includes one more deal without surprise: a spread of 0 would decide at
    /// once.
    fn variance(&self) -> f64 {
        let n = self.deals as f64;
        let games = self.encounters.iter().map(|games| games.games).sum::<f64>() / n;
        let even = self.encounters.iter().map(|games| games.expected(0.0)).sum::<f64>() / n;
        let middle = [self.elo0, self.elo1]
            .map(|elo| self.encounters.iter().map(|all| all.expected(elo)).sum::<f64>());
        let one = even - (middle[0] + middle[1]) / 2.0 / n;
        let mean = (self.sum + one) / (n + 1.0);
        ((self.squares + one * one) / (n + 1.0) - mean * mean).max(1e-4 * games * games)
    }

    /// The logarithm of the likelihood ratio.
    pub fn llr(&self) -> f64 {
        if self.apart <= 0.0 { 0.0 } else { self.apart * self.sum / self.deals as f64 / self.variance() }
    }

    /// The bounds of the LLR at which the test decides.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision, if the test has made one.
    pub fn decision(&self) -> Option<Decision> {
        let (low, high) = self.bounds();
        match self.llr() {
            _ if self.deals < FEWEST_DEALS => None,
            llr if llr >= high => Some(Decision::Stronger),
            llr if llr <= low => Some(Decision::NotStronger),
            _ => None,
        }
    }

    /// The difference in Elo with a 95 % interval, corrected for the stop: half of all runs that are like
    /// this one or more extreme lie on either side of its value (median-unbiased).
    ///
    /// The likelihood ratio is modelled as a Brownian motion between the bounds. Runs are ordered by the
    /// time at which they reach a bound: the earlier they reach the upper one, the stronger the agent.
    pub fn estimate(&self) -> Figure {
        if self.deals < FEWEST_DEALS || self.apart <= 0.0 {
            return Figure::NONE;
        }
        let n = self.deals as f64;
        let variance = self.variance();
        let apart = self.apart / n;
        // The step of the likelihood ratio per deal.
        let step = apart / variance.sqrt();
        let (low, high) = self.bounds();
        let (low, high) = (low - OVERSHOOT * step, high + OVERSHOOT * step);
        let walk = Motion::new(low, high, step, n, self.llr(), self.decision());
        let elo = |probability: f64| {
            let naive = self.llr() / n;
            let (mut weak, mut strong) = (naive - 8.0 * step / n.sqrt(), naive + 8.0 * step / n.sqrt());
            for _ in 0..60 {
                let drift = (weak + strong) / 2.0;
                if walk.stronger(drift) < probability { weak = drift } else { strong = drift }
            }
            self.elo_of_drift((weak + strong) / 2.0 * variance / apart)
        };
        Figure::new(elo(0.5), elo(0.025), elo(0.975))
    }

    /// The difference in Elo for a number of wins per deal beyond the mean of the expectations under H0 and
    /// H1.
    fn elo_of_drift(&self, beyond: f64) -> f64 {
        let expected = |elo: f64| self.encounters.iter().map(|games| games.expected(elo)).sum::<f64>();
        let wins = beyond * self.deals as f64 + (expected(self.elo0) + expected(self.elo1)) / 2.0;
        if let [Encounter { seats: 1.0, games }] = self.encounters[..] {
            return elo_of_share((wins / games).clamp(1e-6, 1.0 - 1e-6));
        }
        let (mut low, mut high) = (-2400.0, 2400.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if expected(middle) < wins { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}

/// A Brownian motion from 0 between two bounds, at the time it stopped.
struct Motion {
    low: f64,
    high: f64,
    /// Standard deviation per deal.
    step: f64,
    deals: f64,
    /// Current position.
    at: f64,
    decision: Option<Decision>,
    /// Positions between the bounds, measured from the lower one, with the probability that a walk without
    /// drift is there by now and has reached no bound. `None` if it is too short to have come near both.
    cells: Option<Vec<(f64, f64)>>,
}

impl Motion {
    fn new(low: f64, high: f64, step: f64, deals: f64, at: f64, decision: Option<Decision>) -> Self {
        const CELLS: u32 = 400;
        let (width, time) = (high - low, step * step * deals);
        let cell = |cell: u32| {
            let place = width * (f64::from(cell) + 0.5) / f64::from(CELLS);
            let mode = |n: u32| {
                let wave = f64::from(n) * std::f64::consts::PI / width;
                (wave * -low).sin() * (wave * place).sin() * (-wave * wave * time / 2.0).exp()
            };
            (place, 2.0 / f64::from(CELLS) * (1..40).map(mode).sum::<f64>())
        };
        let long = time >= 0.02 * width * width;
        let cells = long.then(|| (0..CELLS).map(cell).collect());
        Self { low, high, step, deals, at, decision, cells }
    }

    /// Probability of a run with stronger evidence for the agent than this one, if the walk drifts by this
    /// much per deal.
    fn stronger(&self, drift: f64) -> f64 {
        let (time, mean) = (self.step.powi(2) * self.deals, drift * self.deals);
        let Some(cells) = &self.cells else {
            return match self.decision {
                Some(Decision::Stronger) => passed(self.high, mean, time),
                Some(Decision::NotStronger) => 1.0 - passed(-self.low, -mean, time),
                None => normal_tail((self.at - mean) / time.sqrt()),
            };
        };
        let pull = drift / self.step.powi(2);
        let (width, start) = (self.high - self.low, -self.low);
        let there = |&(place, chance): &(f64, f64)| {
            (place, chance * (pull * (place - start) - mean * pull / 2.0).exp())
        };
        // The probability of having reached a bound by now is that of ever reaching it, minus that of
        // reaching it later.
        let up = |place: f64| hit(pull, place, width);
        let still = cells.iter().map(there);
        match self.decision {
            Some(Decision::Stronger) => {
                up(start) - still.map(|(place, chance)| chance * up(place)).sum::<f64>()
            }
            Some(Decision::NotStronger) => {
                up(start) + still.map(|(place, chance)| chance * (1.0 - up(place))).sum::<f64>()
            }
            None => {
                let above = |place: f64| f64::from(u8::from(place > self.at + start));
                up(start) + still.map(|(place, chance)| chance * (above(place) - up(place))).sum::<f64>()
            }
        }
    }
}

/// Probability that a walk with this mean and variance by now has reached `bound` above: the time is
/// inverse Gaussian.
fn passed(bound: f64, mean: f64, variance: f64) -> f64 {
    let (to, back) = ((bound - mean) / variance.sqrt(), (bound + mean) / variance.sqrt());
    let mirrored = if back > 0.0 { density(to) * mills(back) } else { 1.0 - normal_tail(to) };
    normal_tail(to) + mirrored
}

/// Probability that a Brownian motion that is `from` above 0 reaches `width` first; `pull` is its drift
/// over its variance.
fn hit(pull: f64, from: f64, width: f64) -> f64 {
    let x = 2.0 * pull;
    if (x * width).abs() < 1e-9 {
        return from / width;
    }
    if x > 0.0 {
        (1.0 - (-x * from).exp()) / (1.0 - (-x * width).exp())
    } else {
        // The same without large numbers.
        ((x * (width - from)).exp() - (x * width).exp()) / (1.0 - (x * width).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttr_engine::Dice;

    const GAME: [Encounter; 1] = [Encounter { seats: 1.0, games: 1.0 }];

    /// A test that has decided, given the true difference.
    fn decided(elo: f64, trial: u64) -> Sprt {
        let limit = (share_of_elo(elo) * f64::from(u32::MAX)) as u32;
        let mut dice = Dice::from_seed(trial);
        let mut test = Sprt::new(0.0, 40.0, 0.05, 0.05);
        while test.add(f64::from(u8::from(dice.next_u64() as u32 <= limit)), &GAME).is_none() {}
        test
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let accepted = |elo: f64| {
            (0..300).filter(|&trial| decided(elo, trial).decision() == Some(Decision::Stronger)).count()
        };
        let (wrong, right) = (accepted(0.0), accepted(40.0));
        assert!(wrong <= 24, "{wrong} of 300 wrongly accepted");
        assert!(right >= 276, "{right} of 300 rightly accepted");
    }

    /// The share of wins at the stop is biased, and its interval too narrow; the estimate is on either side
    /// of the truth equally often, and its interval covers it.
    #[test]
    fn the_estimate_allows_for_the_stop() {
        for truth in [0.0, 20.0, 40.0, 80.0] {
            let (mut naive, mut low, mut covered) = (0, 0, 0);
            for trial in 0..400 {
                let test = decided(truth, trial);
                let estimate = test.estimate();
                low += u32::from(estimate.value < truth);
                covered += u32::from(estimate.low <= truth && truth <= estimate.high);
                let wins = test.sum / test.deals as f64 + (share_of_elo(0.0) + share_of_elo(40.0)) / 2.0;
                naive += u32::from(elo_of_share(wins) < truth);
            }
            assert!((165..=235).contains(&low), "{truth}: {low} of 400 too low");
            assert!((368..=395).contains(&covered), "{truth}: {covered} of 400 covered");
            if truth == 40.0 {
                assert!(naive < 160, "without a correction {naive} of 400 are too low");
            }
        }
    }

    /// At three and more seats only games that one of the two won count, and two seats of an agent count
    /// twice.
    #[test]
    fn seats_are_allowed_for() {
        let mut test = Sprt::new(0.0, 10.0, 0.05, 0.05);
        for deal in 0..40 {
            // Three seats against one and one against three, equally strong.
            test.add(
                [0.0, 2.0][deal % 2],
                &[Encounter { seats: 3.0, games: 1.0 }, Encounter { seats: 1.0 / 3.0, games: 1.0 }],
            );
        }
        let elo = test.estimate();
        assert!(elo.value.abs() < 1.0, "{elo:?}");
        assert_eq!(Sprt::new(0.0, 10.0, 0.05, 0.05).llr(), 0.0);
        let mut nobody = Sprt::new(0.0, 10.0, 0.05, 0.05);
        nobody.add(0.0, &[]);
        assert_eq!(nobody.llr(), 0.0);
    }
}
