//! Measured figures next to those of others.

use super::spec::Published;
use crate::stats::Figure;

/// Standard errors of half a 95 % interval.
pub(super) const NORMAL: f64 = 1.96;

/// A figure, and the corresponding result of others.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The run.
    pub run: String,
    /// The subject.
    pub subject: String,
    /// The name of the figure.
    pub figure: String,
    /// As measured here.
    pub measured: Figure,
    /// Number of games behind it, if each of them counts the same.
    pub games: Option<u64>,
    /// The published figure.
    pub published: Option<Published>,
}

/// Agreement of two figures within their errors, at 95 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The difference is within the errors.
    Yes,
    /// The difference is larger.
    No,
    /// One of the errors is unknown.
    Unknown,
}

impl Agreement {
    /// The word used in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl Comparison {
    /// The standard error of the measured figure, if it is known.
    fn own_error(&self) -> Option<f64> {
        self.measured.has_interval().then(|| self.measured.margin() / NORMAL)
    }

    /// The standard error of the published figure that follows from its number of games, if no error was
    /// published: games there are assumed to vary as they do here.
    pub fn estimated_error(&self) -> Option<f64> {
        let published = self.published.as_ref().filter(|published| published.error.is_none())?;
        let (theirs, ours) = (published.games?, self.games?);
        Some(self.own_error()? * (ours as f64 / theirs as f64).sqrt())
    }

    /// The published figure with its 95 % interval, as far as it is known.
    pub fn published_figure(&self) -> Option<Figure> {
        let Published { value, error, .. } = self.published.as_ref()?;
        Some(match error.or_else(|| self.estimated_error()) {
            Some(error) => Figure::new(*value, value - NORMAL * error, value + NORMAL * error),
            None => Figure::alone(*value),
        })
    }

    /// The difference between both figures in standard errors of the difference.
    pub fn z(&self) -> Option<f64> {
        let published = self.published.as_ref()?;
        let theirs = published.error.or_else(|| self.estimated_error())?;
        Some((self.measured.value - published.value) / self.own_error()?.hypot(theirs))
    }

    /// The agreement of measured and published figure, if there is a published one.
    pub fn agreement(&self) -> Option<Agreement> {
        self.published.as_ref()?;
        Some(match self.z() {
            Some(z) if z.abs() <= NORMAL => Agreement::Yes,
            Some(_) => Agreement::No,
            None => Agreement::Unknown,
        })
    }
}

/// Number of decimals for all rows of a figure: the narrowest of their intervals has two digits.
pub fn decimals(figure: &str, rows: &[&Comparison], factor: f64) -> usize {
    let margins = rows.iter().filter(|row| row.figure == figure).flat_map(|row| {
        let published = row.published_figure().unwrap_or(Figure::NONE);
        [row.measured, published].map(|figure| figure.margin() * factor)
    });
    let least = margins.filter(|margin| *margin > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { (1.0 - least.log10().floor()).clamp(0.0, 5.0) as usize } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::super::spec::SourceKind;
    use super::*;

    fn compared(error: Option<f64>, games: Option<u64>) -> Comparison {
        let published = Published {
            run: "a".into(),
            subject: "b".into(),
            figure: "points".into(),
            value: 100.0,
            error,
            games,
            kind: SourceKind::Published,
            source: "c".into(),
        };
        Comparison {
            run: "a".into(),
            subject: "b".into(),
            figure: "points".into(),
            measured: Figure::new(101.0, 101.0 - 0.98, 101.0 + 0.98),
            games: Some(10_000),
            published: Some(published),
        }
    }

    #[test]
    fn unknown_errors_are_not_0() {
        assert_eq!(compared(None, None).agreement(), Some(Agreement::Unknown));
        assert_eq!(compared(None, None).published_figure().map(|figure| figure.has_interval()), Some(false));
        assert_eq!(compared(Some(0.05), None).agreement(), Some(Agreement::No));
        assert_eq!(compared(Some(2.0), None).agreement(), Some(Agreement::Yes));
        let unplayed = Comparison { measured: Figure::alone(101.0), ..compared(Some(2.0), None) };
        assert_eq!(unplayed.agreement(), Some(Agreement::Unknown));
    }

    /// A standard error of 0.5 in 10,000 games is one of 5 in 100 games.
    #[test]
    fn errors_follow_from_numbers_of_games() {
        let few = compared(None, Some(100));
        assert!((few.estimated_error().unwrap() - 5.0).abs() < 1e-12);
        assert_eq!(few.agreement(), Some(Agreement::Yes));
        assert_eq!(compared(None, Some(1_000_000)).agreement(), Some(Agreement::No));
        assert_eq!(compared(Some(2.0), Some(100)).estimated_error(), None, "a known error is not estimated");
    }

    #[test]
    fn decimals_show_the_narrowest_interval() {
        let rows = [compared(Some(0.05), None), compared(None, None)];
        let rows: Vec<&Comparison> = rows.iter().collect();
        assert_eq!(decimals("points", &rows, 1.0), 3); // ±0.098
        assert_eq!(decimals("points", &rows[1..], 1.0), 2); // ±0.98
        assert_eq!(decimals("win_share", &rows, 1.0), 3);
    }
}
