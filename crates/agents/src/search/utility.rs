//! The value of a playout's end to each seat, from 0 to 1.

use ttr_engine::{BySeat, Scores, Seat};

/// Conversion of results into values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Utility {
    /// Weight of the lead in points, from 0, where only winning counts, to 1, where only the lead does. A
    /// lead carries more information about a position than who happened to win in the end, so it takes
    /// fewer playouts to see a difference.
    pub margin: f32,
    /// The lead in points that is worth a win in three out of four games.
    pub spread: f32,
}

impl Utility {
    /// Values of a finished game. A shared win is divided.
    pub fn of_scores(&self, scores: &Scores) -> BySeat<f32> {
        let points = scores.points.iter().map(|&points| points.into()).collect();
        let mut values = self.of_points(&points);
        let share = 1.0 / scores.winners().count() as f32;
        for (value, &rank) in values.iter_mut().zip(&scores.ranks) {
            let won = if rank == 0 { share } else { 0.0 };
            *value = self.margin * *value + (1.0 - self.margin) * won;
        }
        values
    }

    /// Values of expected points.
    pub fn of_points(&self, points: &BySeat<f32>) -> BySeat<f32> {
        let value = |(seat, own): (Seat, &f32)| {
            let others = seat.others(points.len()).map(|other| points[other]);
            let lead = own - others.fold(f32::NEG_INFINITY, f32::max);
            // 1 / (1 + 3^-1) = 3/4.
            1.0 / (1.0 + 3f32.powf(-lead / self.spread))
        };
        points.enumerate().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(points: &[i16], ranks: &[u8]) -> Scores {
        Scores { points: points.iter().copied().collect(), ranks: ranks.iter().copied().collect() }
    }

    #[test]
    fn a_win_is_one_and_a_shared_win_is_shared() {
        let wins = Utility { margin: 0.0, spread: 20.0 };
        assert_eq!(wins.of_scores(&scores(&[50, 70], &[1, 0])).as_slice(), [0.0, 1.0]);
        assert_eq!(wins.of_scores(&scores(&[70, 70, 10], &[0, 0, 2])).as_slice(), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn a_greater_lead_is_worth_more() {
        let leads = Utility { margin: 1.0, spread: 20.0 };
        let values = leads.of_scores(&scores(&[50, 70], &[1, 0]));
        assert!((values[0] - 0.25).abs() < 1e-6 && (values[1] - 0.75).abs() < 1e-6, "{values:?}");
        let both = Utility { margin: 0.5, spread: 20.0 };
        let narrow = both.of_scores(&scores(&[50, 51], &[1, 0]))[1];
        let clear = both.of_scores(&scores(&[50, 90], &[1, 0]))[1];
        assert!(0.7 < narrow && narrow < clear && clear < 1.0, "{narrow} {clear}");
    }
}
