//! Active CMA-ES: minimises a noisy black-box function of a few dozen numbers.
//!
//! The candidates of a generation are drawn from a normal distribution. Its mean moves towards the better
//! half of them. Its covariance grows along the directions of the better half, and shrinks along those of
//! the worse half (negative weights). Constants are those of Hansen's tutorial (arXiv:1604.00772, version
//! 2). Ask for candidates, report their costs.

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
    /// By rank, best first: the better half is positive and adds up to 1, the rest is not.
    weights: Vec<f64>,
    /// Effective number of candidates in the better half.
    mass: f64,
    rates: Rates,
    covariance: Vec<Vec<f64>>,
    /// Axes of the covariance, as columns, and their lengths.
    axes: Vec<Vec<f64>>,
    lengths: Vec<f64>,
    path: Vec<f64>,
    sigma_path: Vec<f64>,
    generation: u64,
    dice: Dice,
}

/// Learning rates: for the two paths, and for the covariance from the path and from the candidates.
#[derive(Clone, Copy, Debug)]
struct Rates {
    sigma: f64,
    damping: f64,
    path: f64,
    one: f64,
    many: f64,
}

impl Rates {
    fn new(n: f64, mass: f64) -> Self {
        let sigma = (mass + 2.0) / (n + mass + 5.0);
        let one = 2.0 / ((n + 1.3).powi(2) + mass);
        Self {
            sigma,
            damping: 1.0 + 2.0 * (((mass - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + sigma,
            path: (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n),
            one,
            many: (1.0 - one).min(2.0 * (0.25 + mass + 1.0 / mass - 2.0) / ((n + 2.0).powi(2) + mass)),
        }
    }
}

impl CmaEs {
    /// Creates a search around a point, with steps of about `sigma`, and `size` candidates per generation.
    pub fn new(start: Vec<f64>, sigma: f64, size: usize, seed: u64) -> Self {
        let n = start.len();
        let size = size.max(4);
        let raw: Vec<f64> =
            (1..=size).map(|rank| ((size as f64 + 1.0) / 2.0).ln() - (rank as f64).ln()).collect();
        let better: f64 = raw.iter().filter(|raw| **raw > 0.0).sum();
        let worse: f64 = -raw.iter().filter(|raw| **raw <= 0.0).sum::<f64>();
        let mass_of = |keep: fn(f64) -> bool| {
            let kept = || raw.iter().filter(|raw| keep(**raw));
            kept().sum::<f64>().powi(2) / kept().map(|raw| raw * raw).sum::<f64>()
        };
        let mass = mass_of(|raw| raw > 0.0);
        let rates = Rates::new(n as f64, mass);
        // Negative weights undo at most what the path adds, no more than is as certain as the positive
        // ones, and never so much that the covariance loses a direction.
        let undo = (1.0 + rates.one / rates.many)
            .min(1.0 + 2.0 * mass_of(|raw| raw <= 0.0) / (mass + 2.0))
            .min((1.0 - rates.one - rates.many) / (n as f64 * rates.many))
            .max(0.0);
        let weights =
            raw.iter().map(|raw| if *raw > 0.0 { raw / better } else { undo * raw / worse }).collect();
        let identity: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        Self {
            mass,
            rates,
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

    /// The mean of the distribution: with noise, a better answer than any single candidate.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The step size: the root mean square of the standard deviations of the coordinates.
    pub fn step(&self) -> f64 {
        let trace: f64 = self.lengths.iter().map(|length| length * length).sum();
        self.sigma * (trace / self.lengths.len() as f64).sqrt()
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

    /// Learns from the costs of candidates; the lowest is the best.
    pub fn tell(&mut self, candidates: &[Vec<f64>], costs: &[f64]) {
        let n = self.mean.len() as f64;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        let steps: Vec<Vec<f64>> = order
            .iter()
            .map(|&i| candidates[i].iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.sigma).collect())
            .collect();
        let mut step = vec![0.0; self.mean.len()];
        for (weight, one) in self.weights.iter().zip(&steps).filter(|(weight, _)| **weight > 0.0) {
            step.iter_mut().zip(one).for_each(|(sum, x)| *sum += weight * x);
        }
        self.mean.iter_mut().zip(&step).for_each(|(mean, step)| *mean += self.sigma * step);

        let (mass, rates) = (self.mass, self.rates);
        let usual = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let push = (rates.sigma * (2.0 - rates.sigma) * mass).sqrt();
        let whitened = self.whitened(&step);
        self.sigma_path
            .iter_mut()
            .zip(&whitened)
            .for_each(|(path, x)| *path = (1.0 - rates.sigma) * *path + push * x);
        let length = self.sigma_path.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.generation += 1;
        let settled = (1.0 - (1.0 - rates.sigma).powf(2.0 * self.generation as f64)).sqrt();
        let steady = length / settled < (1.4 + 2.0 / (n + 1.0)) * usual;
        let push = if steady { (rates.path * (2.0 - rates.path) * mass).sqrt() } else { 0.0 };
        self.path.iter_mut().zip(&step).for_each(|(path, x)| *path = (1.0 - rates.path) * *path + push * x);

        // Only the direction of a bad step counts: a long one must not remove more than there is.
        let weights: Vec<f64> = self
            .weights
            .iter()
            .zip(&steps)
            .map(|(&weight, step)| match weight {
                ..0.0 => {
                    let squared: f64 = self.whitened(step).iter().map(|x| x * x).sum();
                    weight * n / squared.max(1e-12)
                }
                _ => weight,
            })
            .collect();
        let lost = if steady { 0.0 } else { rates.one * rates.path * (2.0 - rates.path) };
        let kept = 1.0 + lost - rates.one - rates.many * self.weights.iter().sum::<f64>();
        for i in 0..self.mean.len() {
            for j in 0..=i {
                let many: f64 =
                    weights.iter().zip(&steps).map(|(weight, step)| weight * step[i] * step[j]).sum();
                let entry = kept * self.covariance[i][j]
                    + rates.one * self.path[i] * self.path[j]
                    + rates.many * many;
                (self.covariance[i][j], self.covariance[j][i]) = (entry, entry);
            }
        }
        self.sigma *= ((rates.sigma / rates.damping) * (length / usual - 1.0)).min(1.0).exp();
        let (values, axes) = eigen(&self.covariance);
        self.lengths = values.into_iter().map(|value| value.max(1e-20).sqrt()).collect();
        self.axes = axes;
    }

    /// A step in units of the distribution, whose covariance becomes the identity.
    fn whitened(&self, step: &[f64]) -> Vec<f64> {
        let mut along = transposed_times(&self.axes, step);
        along.iter_mut().zip(&self.lengths).for_each(|(x, length)| *x /= length.max(1e-12));
        times(&self.axes, &along)
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

    const N: usize = 10;

    /// Number of evaluations until the mean costs less than 1e-9: the median of five seeds in ten
    /// dimensions.
    fn evaluations(cost: impl Fn(&[f64]) -> f64, start: f64, active: bool) -> u64 {
        let mut needed: Vec<u64> = (1..=5)
            .map(|seed| {
                let mut search = CmaEs::new(vec![start; N], 0.5, 10, seed);
                if !active {
                    search.weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
                }
                (1..2000)
                    .find(|_| {
                        let candidates = search.ask();
                        let costs: Vec<f64> = candidates.iter().map(|x| cost(x)).collect();
                        search.tell(&candidates, &costs);
                        cost(search.mean()) < 1e-9
                    })
                    .map_or(u64::MAX, |generation| 10 * generation)
            })
            .collect();
        needed.sort_unstable();
        needed[2]
    }

    fn sphere(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    /// A curved valley: only a covariance that rotates with it gets through.
    fn rosenbrock(x: &[f64]) -> f64 {
        x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
    }

    /// Axes that differ by a factor of a thousand.
    fn ellipsoid(x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, x)| 1e6_f64.powf(i as f64 / (N as f64 - 1.0)) * x * x).sum()
    }

    /// A reference implementation (pycma) needs 1,450, 4,960 and 4,000 evaluations with negative weights,
    /// and 1,480, 6,140 and 5,700 without.
    #[test]
    fn evaluations_are_those_of_the_reference() {
        type Case = (&'static str, fn(&[f64]) -> f64, f64, u64, f64);
        let cases: [Case; 3] = [
            ("sphere", sphere, 1.0, 1450, 1.05),
            ("rosenbrock", rosenbrock, 0.0, 4960, 0.95),
            ("ellipsoid", ellipsoid, 1.0, 4000, 0.8),
        ];
        for (name, cost, start, reference, saving) in cases {
            let (active, passive) = (evaluations(cost, start, true), evaluations(cost, start, false));
            println!("{name}: {active} evaluations, {passive} without negative weights");
            assert!(active as f64 <= 1.15 * reference as f64, "{name}: {active}");
            assert!(active as f64 <= saving * passive as f64, "{name}: {active}, passive {passive}");
        }
    }

    /// Noise as large as the differences slows the search, but does not lead it away; the average of late
    /// means is closer to the optimum than the last mean.
    #[test]
    fn noise() {
        let (mut last, mut averaged) = (0.0, 0.0);
        for seed in 1..=10 {
            let mut noise = Dice::from_seed(900 + seed);
            let mut search = CmaEs::new(vec![1.0; N], 0.5, 10, seed);
            let mut late = vec![0.0; N];
            for generation in 0..300 {
                let candidates = search.ask();
                let costs: Vec<f64> = candidates.iter().map(|x| sphere(x) + normal(&mut noise)).collect();
                search.tell(&candidates, &costs);
                if generation >= 200 {
                    late.iter_mut().zip(search.mean()).for_each(|(sum, x)| *sum += x / 100.0);
                }
            }
            last += sphere(search.mean()) / 10.0;
            averaged += sphere(&late) / 10.0;
        }
        println!("noisy sphere after 3,000 evaluations: {last:.2}, averaged {averaged:.2}");
        assert!(last < 0.7 && averaged < last, "{last} {averaged}");
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
