//! Ratings of a Bradley-Terry model on the Elo scale.

/// Points of an Elo scale for each unit of log-strength.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings that explain best who came in ahead of whom; their mean is 0.
///
/// `ahead[a][b]` is how often `a` came in ahead of `b`, a tie counting half. Each pair that met is given one tie more,
/// so that a clean sheet has a rating too.
///
/// ```
/// use ttr_sim::stats::ratings;
/// let elo = ratings(&[vec![0.0, 640.0], vec![360.0, 0.0]]);
/// assert!((elo[0] - elo[1] - 100.0).abs() < 1.0, "{elo:?}");
/// ```
pub fn ratings(ahead: &[Vec<f64>]) -> Vec<f64> {
    let agents = ahead.len();
    let met = |a: usize, b: usize| a != b && ahead[a][b] + ahead[b][a] > 0.0;
    let won = |a: usize, b: usize| if met(a, b) { ahead[a][b] + 0.5 } else { 0.0 };
    let mut log = vec![0.0f64; agents];
    // Newton's method for each agent in turn: the likelihood is concave, and a few agents need a few rounds.
    for _ in 0..500 {
        let mut moved = 0.0f64;
        for a in 0..agents {
            let (mut slope, mut curve) = (0.0, 0.0);
            for b in (0..agents).filter(|&b| met(a, b)) {
                let expected = 1.0 / (1.0 + (log[b] - log[a]).exp());
                let games = won(a, b) + won(b, a);
                slope += won(a, b) - games * expected;
                curve += games * expected * (1.0 - expected);
            }
            if curve > 0.0 {
                let step = (slope / curve).clamp(-1.0, 1.0);
                log[a] += step;
                moved = moved.max(step.abs());
            }
        }
        if moved < 1e-9 {
            break;
        }
    }
    let mean = log.iter().sum::<f64>() / agents.max(1) as f64;
    log.iter().map(|log| (log - mean) * SCALE).collect()
}

/// The share of points that a difference in Elo makes.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

/// The difference in Elo that makes a share of points.
///
/// ```
/// use ttr_sim::stats::{elo_of_share, share_of_elo};
/// assert!((elo_of_share(0.75) - 190.85).abs() < 0.01);
/// assert!((elo_of_share(share_of_elo(-37.0)) + 37.0).abs() < 1e-9);
/// ```
pub fn elo_of_share(share: f64) -> f64 {
    (share / (1.0 - share)).ln() * SCALE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratings that made the results are found again.
    #[test]
    fn known_strengths_are_found() {
        let elo = [-200.0, -50.0, 0.0, 250.0];
        let games = 1e6;
        let ahead: Vec<Vec<f64>> = elo
            .iter()
            .map(|a| elo.iter().map(|b| if a == b { 0.0 } else { games * share_of_elo(a - b) }).collect())
            .collect();
        for (found, true_elo) in ratings(&ahead).iter().zip(elo) {
            assert!((found - true_elo).abs() < 0.01, "{found} {true_elo}");
        }
    }

    #[test]
    fn a_clean_sheet_is_finite() {
        let elo = ratings(&[vec![0.0, 100.0], vec![0.0, 0.0]]);
        assert!(elo[0].is_finite() && elo[0] - elo[1] > 800.0, "{elo:?}");
    }

    #[test]
    fn who_never_met_anybody_is_average() {
        assert_eq!(ratings(&[vec![0.0]]), [0.0]);
    }
}
