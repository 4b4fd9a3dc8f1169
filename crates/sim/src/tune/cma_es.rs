//! CMA-ES: minimises a function of a few dozen numbers that can only be tried, and whose values are noisy.
//!
//! The candidates of a generation are drawn from a normal distribution; its mean moves towards the better half of them, and its
//! covariance stretches along the directions that paid. Ask for candidates, tell what they are worth.

use ttr_engine::Dice;

/// The state of a search.
///
/// ```
/// use ttr_sim::tune::CmaEs;
/// // The minimum of an ill-shaped bowl at (1, 2, 3).
/// let cost = |x: &[f64]| (x[0] - 1.0).powi(2) + 100.0 * (x[1] - 2.0).powi(2) + (x[0] + x[2] - 4.0).powi(2);
/// let mut search = CmaEs::new(vec![0.0; 3], 1.0, 12, 1);
/// for _ in 0..200 {
///     let candidates = search.ask();
///     let costs: Vec<f64> = candidates.iter().map(|x| cost(x)).collect();
///     search.tell(&candidates, &costs);
/// }
/// assert!(search.mean().iter().zip([1.0, 2.0, 3.0]).all(|(x, best)| (x - best).abs() < 1e-4));
/// ```
#[derive(Clone, Debug)]
pub struct CmaEs {
    mean: Vec<f64>,
    sigma: f64,
    size: usize,
    weights: Vec<f64>,
    /// How many candidates the weights amount to.
    mass: f64,
    covariance: Vec<Vec<f64>>,
    /// Axes of the covariance, as columns, and their lengths.
    axes: Vec<Vec<f64>>,
    lengths: Vec<f64>,
    path: Vec<f64>,
    sigma_path: Vec<f64>,
    generation: u64,
    dice: Dice,
}

impl CmaEs {
    /// Starts around a point, with steps of about `sigma`, and `size` candidates a generation.
    pub fn new(start: Vec<f64>, sigma: f64, size: usize, seed: u64) -> Self {
        let n = start.len();
        let size = size.max(4);
        let raw: Vec<f64> =
            (0..size / 2).map(|i| ((size as f64 + 1.0) / 2.0).ln() - ((i + 1) as f64).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let identity: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        Self {
            mass: 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>(),
            mean: start,
            sigma,
            size,
            weights,
            covariance: identity.clone(),
            axes: identity,
            lengths: vec![1.0; n],
            path: vec![0.0; n],
            sigma_path: vec![0.0; n],
            generation: 0,
            dice: Dice::from_parts(&[seed, 0xc3a]),
        }
    }

    /// The centre of the distribution: with noise, a better answer than any single candidate.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// How far candidates spread.
    pub fn spread(&self) -> f64 {
        self.sigma * self.lengths.iter().copied().fold(0.0, f64::max)
    }

    /// The candidates of the next generation.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        (0..self.size)
            .map(|_| {
                let z: Vec<f64> = (0..self.mean.len()).map(|_| normal(&mut self.dice)).collect();
                let scaled: Vec<f64> = z.iter().zip(&self.lengths).map(|(z, length)| z * length).collect();
                let step = times(&self.axes, &scaled);
                self.mean.iter().zip(step).map(|(mean, step)| mean + self.sigma * step).collect()
            })
            .collect()
    }

    /// Learns from what candidates cost; the least is the best.
    pub fn tell(&mut self, candidates: &[Vec<f64>], costs: &[f64]) {
        let n = self.mean.len() as f64;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        let steps: Vec<Vec<f64>> = order
            .iter()
            .take(self.weights.len())
            .map(|&i| candidates[i].iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.sigma).collect())
            .collect();
        let mut step = vec![0.0; self.mean.len()];
        for (weight, one) in self.weights.iter().zip(&steps) {
            step.iter_mut().zip(one).for_each(|(sum, x)| *sum += weight * x);
        }
        self.mean.iter_mut().zip(&step).for_each(|(mean, step)| *mean += self.sigma * step);

        // The learning rates of Hansen's tutorial.
        let mass = self.mass;
        let rate_sigma = (mass + 2.0) / (n + mass + 5.0);
        let damping = 1.0 + 2.0 * (((mass - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + rate_sigma;
        let rate_path = (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n);
        let rate_one = 2.0 / ((n + 1.3).powi(2) + mass);
        let rate_many = (1.0 - rate_one).min(2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0).powi(2) + mass));
        let usual = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));

        let whitened = {
            let mut along = transposed_times(&self.axes, &step);
            along.iter_mut().zip(&self.lengths).for_each(|(x, length)| *x /= length.max(1e-12));
            times(&self.axes, &along)
        };
        let push = (rate_sigma * (2.0 - rate_sigma) * mass).sqrt();
        self.sigma_path
            .iter_mut()
            .zip(&whitened)
            .for_each(|(path, x)| *path = (1.0 - rate_sigma) * *path + push * x);
        let length = self.sigma_path.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.generation += 1;
        let settled = (1.0 - (1.0 - rate_sigma).powf(2.0 * self.generation as f64)).sqrt();
        let steady = length / settled < (1.4 + 2.0 / (n + 1.0)) * usual;
        let push = if steady { (rate_path * (2.0 - rate_path) * mass).sqrt() } else { 0.0 };
        self.path.iter_mut().zip(&step).for_each(|(path, x)| *path = (1.0 - rate_path) * *path + push * x);

        let lost = if steady { 0.0 } else { rate_one * rate_path * (2.0 - rate_path) };
        for i in 0..self.mean.len() {
            for j in 0..self.mean.len() {
                let many: f64 =
                    self.weights.iter().zip(&steps).map(|(weight, step)| weight * step[i] * step[j]).sum();
                self.covariance[i][j] = (1.0 - rate_one - rate_many + lost) * self.covariance[i][j]
                    + rate_one * self.path[i] * self.path[j]
                    + rate_many * many;
            }
        }
        self.sigma *= ((rate_sigma / damping) * (length / usual - 1.0)).min(1.0).exp();
        let (values, axes) = eigen(&self.covariance);
        self.lengths = values.into_iter().map(|value| value.max(1e-20).sqrt()).collect();
        self.axes = axes;
    }
}

/// A normally distributed number.
fn normal(dice: &mut Dice) -> f64 {
    let mut uniform = || (dice.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (radius, angle) = (1.0 - uniform(), uniform());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, x)| a * x).sum()).collect()
}

fn transposed_times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    (0..vector.len()).map(|j| matrix.iter().zip(vector).map(|(row, x)| row[j] * x).sum()).collect()
}

/// Eigenvalues of a symmetric matrix and its eigenvectors as columns, by Jacobi's rotations.
fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut axes: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..100 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off < 1e-24 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() < 1e-18 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
                for row in &mut axes {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimise(cost: impl Fn(&[f64]) -> f64, start: Vec<f64>, generations: usize) -> Vec<f64> {
        let mut search = CmaEs::new(start, 0.5, 16, 3);
        for _ in 0..generations {
            let candidates = search.ask();
            let costs: Vec<f64> = candidates.iter().map(|x| cost(x)).collect();
            search.tell(&candidates, &costs);
        }
        search.mean().to_vec()
    }

    /// A curved valley: only a covariance that turns with it gets through.
    #[test]
    fn rosenbrock() {
        let cost = |x: &[f64]| {
            x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum::<f64>()
        };
        let best = minimise(cost, vec![-1.0; 5], 600);
        assert!(best.iter().all(|x| (x - 1.0).abs() < 1e-3), "{best:?}");
    }

    /// Axes that differ by a thousand.
    #[test]
    fn ellipsoid() {
        let cost =
            |x: &[f64]| x.iter().enumerate().map(|(i, x)| 1000f64.powf(i as f64 / 7.0) * x * x).sum::<f64>();
        let best = minimise(cost, vec![2.0; 8], 400);
        assert!(best.iter().all(|x| x.abs() < 1e-3), "{best:?}");
    }

    /// Noise as large as the differences slows the search, but does not lead it away.
    #[test]
    fn noise() {
        let noise = std::cell::RefCell::new(Dice::from_seed(9));
        let cost = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>() + 0.3 * normal(&mut noise.borrow_mut());
        let best = minimise(cost, vec![2.0; 4], 300);
        assert!(best.iter().all(|x| x.abs() < 0.6), "{best:?}");
    }

    #[test]
    fn eigenvectors_make_the_matrix_again() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -0.2], vec![0.5, -0.2, 2.0]];
        let (values, axes) = eigen(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let again: f64 = (0..3).map(|k| axes[i][k] * values[k] * axes[j][k]).sum();
                assert!((again - matrix[i][j]).abs() < 1e-9, "{i} {j}");
            }
        }
    }
}
