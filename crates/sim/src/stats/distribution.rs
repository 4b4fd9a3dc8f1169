//! The distributions that intervals need.

/// The 97.5 % quantile of the normal distribution.
pub(super) const NORMAL: f64 = 1.959_963_984_540_054;

/// The 97.5 % quantile of Student's t distribution, by the expansion of Cornish and Fisher (within 0.3 %
/// from 4 degrees of freedom on).
pub(super) fn student(freedom: f64) -> f64 {
    let v = freedom.max(2.0);
    let z = NORMAL;
    let (z3, z5, z7, z9) = (z.powi(3), z.powi(5), z.powi(7), z.powi(9));
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92160.0 * v.powi(4))
}

/// The quantile of the chi-squared distribution that a normal quantile `z` corresponds to, by the cube root
/// of Wilson and Hilferty.
pub(super) fn chi_squared(freedom: f64, z: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    freedom * (1.0 - spread + z * spread.sqrt()).max(0.0).powi(3)
}

/// The probability of a normal value above `z`.
pub(super) fn normal_tail(z: f64) -> f64 {
    // A continued fraction of the complementary error function for large values, a power series for small
    // ones.
    let x = z.abs();
    let tail = if x < 3.0 {
        let (mut term, mut sum, mut n) = (x, x, 1.0);
        while term > 1e-17 * sum {
            n += 2.0;
            term *= x * x / n;
            sum += term;
        }
        0.5 - sum * density(x)
    } else {
        density(x) * mills(x)
    };
    if z >= 0.0 { tail } else { 1.0 - tail }
}

/// The tail of the normal distribution above `x` over its density there.
pub(super) fn mills(x: f64) -> f64 {
    if x < 3.0 {
        return normal_tail(x) / density(x);
    }
    1.0 / (1..60).rev().fold(x, |below, n| x + f64::from(n) / below)
}

/// The density of the normal distribution.
pub(super) fn density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The logarithm of the gamma function (Lanczos).
fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.5203681218851,
        -1259.1392167224028,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507343278686905,
        -0.13857109526572012,
        9.984_369_578_019_572e-6,
        1.5056327351493116e-7,
    ];
    if x < 0.5 {
        return (std::f64::consts::PI / (std::f64::consts::PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let t = x + 7.5;
    let terms = COEFFICIENTS.iter().enumerate().map(|(i, c)| c / (x + i as f64 + 1.0));
    let sum = 0.999_999_999_999_809_9 + terms.sum::<f64>();
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised incomplete beta function: the probability that a beta variable with parameters `a` and
/// `b` is below `x`. Continued fraction of Lentz.
pub(super) fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || b <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 || a <= 0.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let tiny = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / tiny(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..100_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / tiny(1.0 + even * d);
        c = tiny(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / tiny(1.0 + odd * d);
        c = tiny(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-12 {
            break;
        }
    }
    front * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within * expected.abs(), "{found} instead of {expected}");
    }

    /// Against published tables.
    #[test]
    fn quantiles() {
        for (freedom, t) in [(4.0, 2.776), (9.0, 2.262), (29.0, 2.045), (99.0, 1.984)] {
            close(student(freedom), t, 0.003);
        }
        for (freedom, low, high) in [(4.0, 0.484, 11.143), (10.0, 3.247, 20.483), (100.0, 74.22, 129.56)] {
            close(chi_squared(freedom, NORMAL), high, 0.002);
            close(chi_squared(freedom, -NORMAL), low, 0.1);
        }
        close(normal_tail(1.0), 0.158_655_253_931, 1e-10);
        close(normal_tail(-1.0), 0.841_344_746_069, 1e-10);
        close(normal_tail(4.0), 3.167_124_183_3e-5, 1e-9);
        close(normal_tail(NORMAL), 0.025, 1e-12);
    }

    #[test]
    fn incomplete_beta() {
        close(beta(2.0, 3.0, 0.4), 0.5248, 1e-10);
        close(beta(0.5, 0.5, 0.25), 1.0 / 3.0, 1e-10);
        close(beta(1.0, 10.0, 0.3), 1.0 - 0.7f64.powi(10), 1e-10);
        close(beta(500.0, 500.0, 0.5), 0.5, 1e-9);
    }
}
