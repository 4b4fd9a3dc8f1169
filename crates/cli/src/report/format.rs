//! Numbers as text.

use ttr_show::text::thousands;
use ttr_sim::stats::Figure;

/// The text for a missing figure.
pub const MISSING: &str = "–";

/// The format of numbers of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    decimals: usize,
    percent: bool,
    signed: bool,
}

impl Format {
    /// A share, such as `63.1 %`.
    pub const PERCENT: Self = Self { decimals: 1, percent: true, signed: false };
    /// A difference of shares, such as `+3.1 %`.
    pub const PERCENT_MORE: Self = Self { decimals: 1, percent: true, signed: true };
    /// A rating, such as `+120`.
    pub const ELO: Self = Self { decimals: 0, percent: false, signed: true };
    /// A whole number, such as `1,234`.
    pub const WHOLE: Self = Self::decimals(0);
    /// A number with one decimal, such as `63.1`.
    pub const POINTS: Self = Self::decimals(1);

    /// A number with some decimals.
    pub const fn decimals(decimals: usize) -> Self {
        Self { decimals, percent: false, signed: false }
    }

    /// A share with some decimals, in per cent.
    pub const fn percent(decimals: usize) -> Self {
        Self { decimals, percent: true, signed: false }
    }

    /// Adds a sign, for differences.
    #[must_use]
    pub const fn signed(self) -> Self {
        Self { signed: true, ..self }
    }

    /// Formats a number.
    ///
    /// ```
    /// use ttr_cli::report::Format;
    /// assert_eq!(Format::PERCENT.value(0.6314), "63.1\u{a0}%");     // a no-break space
    /// assert_eq!(Format::ELO.value(-0.2), "0");
    /// assert_eq!(Format::WHOLE.value(-1234.0), "−1,234");
    /// assert_eq!(Format::POINTS.value(f64::NAN), "–");
    /// ```
    pub fn value(&self, value: f64) -> String {
        let number = self.number(value);
        if self.percent && value.is_finite() { number + "\u{a0}%" } else { number }
    }

    /// A number without trailing zero decimals, for the ends of a scale.
    pub(super) fn short(&self, value: f64) -> String {
        let factor = if self.percent { 100.0 } else { 1.0 };
        let exact = |&decimals: &usize| {
            let shifted = value * factor * 10f64.powi(decimals as i32);
            (shifted - shifted.round()).abs() < 1e-6
        };
        let decimals = (0..self.decimals).find(exact).unwrap_or(self.decimals);
        Self { decimals, ..*self }.value(value)
    }

    /// A figure with its interval, such as `63.1 ±1.2 %`: the same digits as in the terminal.
    ///
    /// ```
    /// use ttr_cli::report::Format;
    /// use ttr_sim::stats::Figure;
    /// let share = Figure::new(0.631, 0.619, 0.643);
    /// assert_eq!(Format::PERCENT.figure(&share), "63.1\u{a0}±1.2\u{a0}%");
    /// let elo = Figure::new(-85.2, -107.0, -67.1);
    /// assert_eq!(Format::ELO.figure(&elo), "−85\u{a0}(−107..−67)");
    /// assert_eq!(Format::POINTS.figure(&Figure::alone(7.0)), "7.0");     // the interval is unknown
    /// ```
    pub fn figure(&self, figure: &Figure) -> String {
        let (value, interval) = self.parts(figure);
        let unit = if self.percent && value != MISSING { "\u{a0}%" } else { "" };
        if interval.is_empty() { format!("{value}{unit}") } else { format!("{value}\u{a0}{interval}{unit}") }
    }

    /// The interval of a figure alone, such as `±1.2`.
    pub fn margin(&self, figure: &Figure) -> String {
        self.parts(figure).1
    }

    /// The figure and its interval, without a unit; no interval if it is unknown.
    pub(super) fn parts(&self, figure: &Figure) -> (String, String) {
        let shown = figure.times(if self.percent { 100.0 } else { 1.0 }).shown(self.decimals);
        let plain = Self { decimals: shown.decimals, percent: false, ..*self };
        let number = |value: f64| plain.number(value);
        let interval = shown.interval(number, MISSING).filter(|_| figure.has_interval());
        (shown.value(number, MISSING), interval.unwrap_or_default())
    }

    /// The ends of an interval, such as `61.9 % to 64.3 %`.
    pub fn interval(&self, figure: &Figure) -> String {
        format!("{} to {}", self.value(figure.low), self.value(figure.high))
    }

    /// Returns `true` if it is a share, and not a difference of shares.
    pub(super) fn is_share(&self) -> bool {
        self.percent && !self.signed
    }

    /// Returns `true` if it is written in per cent.
    pub(super) fn is_percent(&self) -> bool {
        self.percent
    }

    /// A number without its unit.
    fn number(&self, value: f64) -> String {
        if !value.is_finite() {
            return MISSING.to_owned();
        }
        let value = if self.percent { value * 100.0 } else { value };
        let digits = format!("{:.*}", self.decimals, value.abs());
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        let whole = whole.parse().map(thousands).unwrap_or_else(|_| whole.to_owned());
        let zero = !digits.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
        let sign = match (value < 0.0, self.signed) {
            _ if zero => "",
            (true, _) => "−",
            (false, true) => "+",
            (false, false) => "",
        };
        let point = if decimals.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{decimals}")
    }
}
