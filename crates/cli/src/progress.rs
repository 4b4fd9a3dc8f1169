//! Progress on stderr: a bar on a terminal, an occasional line elsewhere, nothing with --quiet.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use ttr_show::text::thousands;

use crate::terminal;

/// Time before the first line, and between lines, where there is no terminal.
const INTERVALS: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(60)];
/// A hook for tests, of no use otherwise: the environment variable with milliseconds for both.
const TEST_INTERVAL: &str = "TTR_PROGRESS_INTERVAL";

/// Progress of a number of games. Games of an earlier process count as done, but not for the rate.
pub(crate) struct Progress {
    count: Arc<Count>,
    start: Instant,
    title: Mutex<String>,
    display: Display,
}

#[derive(Default)]
struct Count {
    total: u64,
    resumed: AtomicU64,
    played: AtomicU64,
}

enum Display {
    Nothing,
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

struct Lines {
    /// The time at which the next line is due.
    due: Duration,
    between: Duration,
}

impl Progress {
    /// Starts the clock.
    pub(crate) fn new(title: &str, total: u64, quiet: bool) -> Self {
        let count = Arc::new(Count { total, ..Count::default() });
        let display = match (quiet, terminal::is_watched()) {
            (true, _) => Display::Nothing,
            (false, true) => Display::Bar(bar(&count)),
            (false, false) => Display::Lines(Mutex::new(Lines::new(intervals()))),
        };
        let progress = Self { count, start: Instant::now(), title: Mutex::default(), display };
        progress.set_title(title);
        progress
    }

    /// Sets the title: what is being played.
    pub(crate) fn set_title(&self, title: &str) {
        if let Display::Bar(bar) = &self.display {
            bar.set_prefix(title.to_owned());
        }
        if let Ok(mut known) = self.title.lock() {
            title.clone_into(&mut known);
        }
    }

    /// Counts games of an earlier process.
    pub(crate) fn resume(&self, games: u64) {
        self.count.resumed.fetch_add(games, Ordering::Relaxed);
        if let Display::Bar(bar) = &self.display {
            bar.inc(games);
        }
    }

    /// Counts games that were just played.
    pub(crate) fn add(&self, games: u64) {
        self.count.played.fetch_add(games, Ordering::Relaxed);
        match &self.display {
            Display::Nothing => {}
            Display::Bar(bar) => bar.inc(games),
            // If another thread holds the lock, that thread prints the line.
            Display::Lines(lines) => {
                if let Ok(mut lines) = lines.try_lock()
                    && lines.is_due(self.start.elapsed())
                {
                    let title = self.title.lock().map(|title| title.clone()).unwrap_or_default();
                    terminal::print_line(&format!("{title}: {}", self.count.pace(self.start.elapsed())));
                }
            }
        }
    }

    /// Hides the bar while something else is printed.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.display {
            Display::Bar(bar) => bar.suspend(print),
            _ => print(),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

fn bar(count: &Arc<Count>) -> ProgressBar {
    let bar = ProgressBar::new(count.total);
    let count = Arc::clone(count);
    let pace = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Errors are ignored: a closed terminal can't be reported anywhere.
        let _ = out.write_str(&count.pace(state.elapsed()).to_string());
    };
    match ProgressStyle::with_template("{prefix} {wide_bar} {pace}") {
        Ok(style) => bar.with_style(style.with_key("pace", pace)),
        Err(_) => bar,
    }
}

fn intervals() -> [Duration; 2] {
    let test = std::env::var(TEST_INTERVAL).ok().and_then(|text| text.parse().ok());
    test.map_or(INTERVALS, |milliseconds| [Duration::from_millis(milliseconds); 2])
}

impl Lines {
    fn new([due, between]: [Duration; 2]) -> Self {
        Self { due, between }
    }

    /// Returns whether a line is due, and if so sets the time of the next.
    fn is_due(&mut self, now: Duration) -> bool {
        let is_due = now >= self.due;
        if is_due {
            self.due = now + self.between;
        }
        is_due
    }
}

impl Count {
    fn pace(&self, time: Duration) -> Pace {
        let (resumed, played) = (self.resumed.load(Ordering::Relaxed), self.played.load(Ordering::Relaxed));
        Pace { total: self.total, done: (resumed + played).min(self.total), played, time }
    }
}

/// `90/200 games,  5.5 s/game,  10 min left`; its width stays constant, so that a bar keeps its length.
struct Pace {
    total: u64,
    done: u64,
    played: u64,
    time: Duration,
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let total = thousands(self.total);
        let done = thousands(self.done);
        let (rate, left) = match self.played {
            0 => ("-".to_owned(), "-".to_owned()),
            played => {
                let seconds = self.time.as_secs_f64() / played as f64;
                (rate(seconds), duration(seconds * (self.total - self.done) as f64))
            }
        };
        write!(f, "{done:>0$}/{total} games, {rate:>12}, {left:>11} left", total.len())
    }
}

/// Games per second, or seconds per game if a game takes longer than a second.
fn rate(seconds: f64) -> String {
    match seconds.recip() {
        rate if rate >= 100.0 => format!("{}/s", thousands(rate.round() as u64)),
        rate if rate >= 1.0 => format!("{rate:.1}/s"),
        _ if seconds < 100.0 => format!("{seconds:.1} s/game"),
        _ => format!("{:.1} min/game", seconds / 60.0),
    }
}

/// A duration in its two largest units.
fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {} min", minutes % 60),
        _ => format!("{} d {} h", thousands(days), hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 90 of 200 games come from an earlier process: the rate is unknown until one is played here.
    #[test]
    fn resumed_games_do_not_count_for_the_rate() {
        let count = Count { total: 200, ..Count::default() };
        count.resumed.store(90, Ordering::Relaxed);
        assert_eq!(
            count.pace(Duration::from_millis(1)).to_string(),
            " 90/200 games,            -,           - left"
        );
        count.played.store(10, Ordering::Relaxed);
        let text = count.pace(Duration::from_secs(55)).to_string();
        assert_eq!(text, "100/200 games,   5.5 s/game,  9 min 10 s left");
    }

    #[test]
    fn rates_and_times() {
        for (seconds, text) in [
            (1e-5, "100,000/s"),
            (0.02, "50.0/s"),
            (1.0, "1.0/s"),
            (5.5, "5.5 s/game"),
            (120.0, "2.0 min/game"),
        ] {
            assert_eq!(rate(seconds), text);
        }
        for (seconds, text) in
            [(0.4, "0 s"), (59.0, "59 s"), (61.0, "1 min 1 s"), (7260.0, "2 h 1 min"), (1e8, "1,157 d 9 h")]
        {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn lines_are_occasional() {
        let mut lines = Lines::new(INTERVALS);
        let due = (0..300).filter(|&second| lines.is_due(Duration::from_secs(second)));
        assert_eq!(due.collect::<Vec<_>>(), [10, 70, 130, 190, 250]);
    }
}
