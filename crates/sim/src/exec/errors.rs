//! The stderr of a process.

use std::io::{self, Write};

use ttr_engine::plain_text::printable;

use super::stderr_budget::{Room, StderrBudget};

/// Number of bytes of a process that are passed on immediately.
const PASSED_ON: usize = 64 << 10;
/// Number of bytes at its end that are kept.
const KEPT: usize = 4 << 10;
/// Number of bytes at its end that may be the last words.
const LAST_WORDS: usize = 400;
/// Maximum length of a line that is passed on whole, in bytes.
const LINE: usize = 1000;
/// The last line that is passed on when the budget is spent.
const NO_MORE: &str = "[further stderr of agents in this run is not shown]\n";

/// The stderr of a process: the start of it is passed on line by line, and of the rest only the end, with a
/// note about the gap, as far as the budget of the run allows.
pub(super) struct Errors<W = io::Stderr> {
    /// The destination, if there is one, and the budget of the run.
    sink: Option<(W, StderrBudget)>,
    /// Number of bytes that will still be passed on immediately.
    room: usize,
    /// A line that has not ended.
    line: Vec<u8>,
    /// The last bytes.
    end: Vec<u8>,
    /// Number of bytes that came when there was no room.
    held_back: u64,
}

impl<W: Write> Errors<W> {
    pub(super) fn new(sink: Option<(W, StderrBudget)>) -> Self {
        Self { sink, room: PASSED_ON, line: Vec::new(), end: Vec::new(), held_back: 0 }
    }

    /// Receives the next bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let (now, later) = bytes.split_at(self.room.min(bytes.len()));
        self.room -= now.len();
        self.held_back += later.len() as u64;
        if self.sink.is_some() {
            self.line.extend(now);
            while self.line.len() > LINE || self.line.contains(&b'\n') {
                let end = self.line.iter().take(LINE).position(|&byte| byte == b'\n');
                let rest = self.line.split_off(end.map_or(LINE, |end| end + 1));
                let line = std::mem::replace(&mut self.line, rest);
                self.pass_on(&line);
            }
        }
        self.end.extend(bytes);
        self.end.drain(..self.end.len().saturating_sub(KEPT));
    }

    /// Passes on the rest at the end.
    pub(super) fn finish(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.pass_on(&line);
        if self.held_back > 0 {
            let kept = self.held_back.min(self.end.len() as u64);
            let end = self.end.split_off(self.end.len() - kept as usize);
            let left_out = std::mem::take(&mut self.held_back) - kept;
            if left_out > 0 {
                self.pass_on(format!("[{left_out} bytes of stderr left out]").as_bytes());
            }
            let lines = end.split(|&byte| byte == b'\n').flat_map(|line| line.chunks(LINE));
            lines.for_each(|line| self.pass_on(line));
            self.end = end;
        }
    }

    fn pass_on(&mut self, line: &[u8]) {
        if let Some((sink, budget)) = self.sink.as_mut().filter(|_| !line.is_empty()) {
            let text = String::from_utf8_lossy(line).replace('\t', "    ");
            let text = printable(text.trim_end(), usize::MAX) + "\n";
            // If stderr is closed, there is nowhere to report it.
            let _ = match budget.take(text.len()) {
                Room::Line => sink.write_all(text.as_bytes()),
                Room::Remark => sink.write_all(NO_MORE.as_bytes()),
                Room::Nothing => Ok(()),
            };
        }
    }

    /// The last lines, joined into one; the end of a traceback names the error.
    pub(super) fn last_words(&self) -> Option<String> {
        let end = &self.end[self.end.len().saturating_sub(LAST_WORDS)..];
        let text = String::from_utf8_lossy(end);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(2)..].join(" / ");
        (!last.is_empty()).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed_on(said: &[&[u8]]) -> String {
        let mut errors = Errors::new(Some((Vec::new(), StderrBudget::default())));
        said.iter().for_each(|bytes| errors.add(bytes));
        errors.finish();
        errors.finish();
        String::from_utf8(errors.sink.unwrap().0).unwrap()
    }

    #[test]
    fn processes_share_a_budget() {
        let budget = StderrBudget::new(20);
        let passed_on = |said: &[u8]| {
            let mut errors = Errors::new(Some((Vec::new(), budget.clone())));
            errors.add(said);
            errors.finish();
            String::from_utf8(errors.sink.unwrap().0).unwrap()
        };
        assert_eq!(passed_on(b"one\ntwo\n"), "one\ntwo\n");
        assert_eq!(passed_on(b"three\nfour\nfive\nsix\n"), format!("three\nfour\n{NO_MORE}"));
        assert_eq!(passed_on(b"1\n"), "");
    }

    #[test]
    fn lines_are_passed_on_as_they_are() {
        assert_eq!(passed_on(&[b"one\ntw", b"o\n\n  three"]), "one\ntwo\n\n  three\n");
    }

    #[test]
    fn nothing_controls_the_terminal() {
        assert_eq!(passed_on(&[b"\x1b]0;title\x07\r\n\xff\n"]), "\\u{1b}]0;title\\u{7}\n\u{fffd}\n");
    }

    #[test]
    fn a_flood_is_cut() {
        let mut said = b"first\n".to_vec();
        (0..1_000_000).for_each(|n| said.extend(format!("line {n}\n").bytes()));
        said.extend(b"last");
        let chunks: Vec<&[u8]> = said.chunks(4096).collect();
        let text = passed_on(&chunks);
        assert!(text.len() < PASSED_ON + KEPT + 200, "{}", text.len());
        assert!(text.starts_with("first\nline 0\n") && text.ends_with("line 999999\nlast\n"));
        let left_out = said.len() - PASSED_ON - KEPT;
        assert!(text.contains(&format!("[{left_out} bytes of stderr left out]\n")));
        assert!(passed_on(&[&[b'x'; 5 << 20]]).len() < PASSED_ON + KEPT + 200);
    }

    #[test]
    fn last_words() {
        let mut errors = Errors::new(None::<(Vec<u8>, _)>);
        assert_eq!(errors.last_words(), None);
        errors.add(&b"noise\n".repeat(10_000));
        errors.add(b"  File bot.py\n\nValueError: 3\n");
        assert_eq!(errors.last_words().unwrap(), "File bot.py / ValueError: 3");
    }
}
