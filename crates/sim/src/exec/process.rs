//! A process that reads and writes lines.
//!
//! Its pipes never block, and one `poll` watches all three: a caller can give up on a process that never
//! answers, never reads or never stops writing, and nothing is left when this value is dropped, even if
//! another process keeps the other ends of the pipes open.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionbio, ioctl_fionread};

use super::answer::{MAX_LINE, quoted};
use super::command_line::CommandLine;
use super::errors::Errors;
use super::family;
use super::stderr_budget::StderrBudget;

/// Time for a process to end after it was asked to, or seems to have ended.
const GRACE: Duration = Duration::from_secs(1);
/// Interval at which a silent process is checked.
const LOOK: Duration = Duration::from_millis(20);
/// Time for the last words of a process to arrive after its end.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A running process, which ends when this value is dropped.
pub(super) struct Process {
    child: Child,
    /// `None` once it is closed at our end.
    input: Option<ChildStdin>,
    /// It is closed at the other end.
    input_closed: bool,
    /// `None` once it is closed at the other end.
    output: Option<ChildStdout>,
    /// `None` once it is closed at the other end.
    errors: Option<ChildStderr>,
    /// Bytes still to be sent.
    unsent: Vec<u8>,
    /// Bytes received and not yet consumed.
    received: Vec<u8>,
    said: Errors,
    /// Number of questions asked.
    questions: u64,
    /// It was ended: its process id may have been reused.
    ended: bool,
}

impl Process {
    /// Starts a program. What it says on stderr is remembered and, with a budget, passed on.
    pub(super) fn start(command: &CommandLine, stderr: Option<StderrBudget>) -> io::Result<Self> {
        let mut command = prepared(command);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = family::spawn(piped)?;
        let process = Self {
            input: child.stdin.take(),
            input_closed: false,
            output: child.stdout.take(),
            errors: child.stderr.take(),
            child,
            unsent: Vec::new(),
            received: Vec::new(),
            said: Errors::new(stderr.map(|budget| (io::stderr(), budget))),
            questions: 0,
            ended: false,
        };
        process.input.iter().try_for_each(|pipe| ioctl_fionbio(pipe, true))?;
        process.output.iter().try_for_each(|pipe| ioctl_fionbio(pipe, true))?;
        process.errors.iter().try_for_each(|pipe| ioctl_fionbio(pipe, true))?;
        Ok(process)
    }

    /// Checks that a program can be started at all.
    pub(super) fn try_out(command: &CommandLine) -> io::Result<()> {
        let mut command = prepared(command);
        let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        family::end(&mut family::spawn(silent)?);
        Ok(())
    }

    /// Sends a line that needs no answer, no later than the next question.
    pub(super) fn tell(&mut self, line: &str) {
        self.unsent.extend(line.bytes());
        self.unsent.push(b'\n');
    }

    /// The number of the next question.
    pub(super) fn next_question(&mut self) -> u64 {
        self.questions += 1;
        self.questions
    }

    /// Sends a line and waits for the answer. It counts only if the process has read everything that it was
    /// sent.
    ///
    /// # Errors
    /// The reason in words, if there is no answer in time, or it is more than one line.
    pub(super) fn ask(&mut self, line: &str, limit: Duration) -> Result<Vec<u8>, String> {
        let start = Instant::now();
        self.exchange(Duration::ZERO);
        let early = !self.received.is_empty();
        if !early {
            self.tell(line);
        }
        let (mut seen, mut last_words) = (0, None);
        loop {
            let left = limit.saturating_sub(start.elapsed());
            self.exchange(left.min(LOOK));
            let end = self.received[seen..].iter().position(|&byte| byte == b'\n').map(|end| seen + end);
            seen = self.received.len();
            if end.unwrap_or(seen) >= MAX_LINE {
                return Err(format!("it wrote a line of more than {} KiB", MAX_LINE >> 10));
            }
            if let Some(end) = end {
                let more = self.received.split_off(end + 1);
                let mut line = std::mem::take(&mut self.received);
                line.pop();
                return if early {
                    Err(format!("it wrote {} before it was asked", quoted(&line)))
                } else if !more.is_empty() {
                    Err(format!("it answered {} and wrote more, but an answer is one line", quoted(&line)))
                } else if !self.has_read_all() {
                    Err(format!("it answered {} before it had read the question", quoted(&line)))
                } else {
                    Ok(line)
                };
            }
            // Another process may keep its output open after its end.
            if last_words.is_none() && family::has_ended(&self.child) {
                last_words = Some(Instant::now());
            }
            if self.output.is_none()
                || self.input_closed
                || last_words.is_some_and(|since| since.elapsed() > LAST_WORDS)
            {
                return Err(self.how_it_ended());
            }
            if left.is_zero() {
                return Err(format!("it did not answer within {limit:?}"));
            }
        }
    }

    /// Reads and writes as much as possible; waits if nothing is ready.
    fn exchange(&mut self, wait: Duration) {
        let mut watched = Vec::with_capacity(3);
        // The input comes first; a closed input is reported without being polled for.
        let sending = if self.unsent.is_empty() { PollFlags::empty() } else { PollFlags::OUT };
        let input = self.input.as_ref().filter(|_| !self.input_closed);
        watched.extend(input.map(|pipe| PollFd::new(pipe, sending)));
        watched.extend(self.output.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        watched.extend(self.errors.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: i64::from(wait.subsec_nanos()) };
        let _ = poll(&mut watched, Some(&wait));
        let closed = PollFlags::ERR | PollFlags::HUP;
        self.input_closed |= input.is_some() && watched[0].revents().intersects(closed);

        let mut chunk = [0; 1 << 14];
        if let Some(bytes) = read(&mut self.output, &mut chunk) {
            self.received.extend(bytes);
        }
        if let Some(bytes) = read(&mut self.errors, &mut chunk) {
            self.said.add(bytes);
        }
        if let Some(input) = &mut self.input
            && !self.unsent.is_empty()
        {
            match input.write(&self.unsent) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(error) => self.input_closed |= !is_temporary(&error),
            }
        }
    }

    /// Returns `true` if the process has read everything that it was sent. Where the system does not report
    /// this, everything sent counts as read.
    fn has_read_all(&self) -> bool {
        let unread = self.input.as_ref().map_or(0, |input| ioctl_fionread(input).unwrap_or(0));
        self.unsent.is_empty() && unread == 0
    }

    /// Kills it, and returns the last lines of its stderr, if any.
    pub(super) fn kill(mut self) -> Option<String> {
        self.end();
        // Another process may have its stderr and keep it open: this is not worth waiting for.
        let start = Instant::now();
        while self.errors.is_some() && start.elapsed() < LAST_WORDS {
            self.exchange(LOOK);
            self.received.clear();
        }
        self.said.last_words().map(|words| quoted(words.as_bytes()))
    }

    /// Sends the rest, closes its input, and gives it a moment to end by itself.
    pub(super) fn finish(mut self) {
        let start = Instant::now();
        while !self.unsent.is_empty() && !self.input_closed && start.elapsed() < GRACE {
            self.exchange(LOOK);
            self.received.clear();
        }
        self.input = None;
        self.wait_for_end();
    }

    fn how_it_ended(&mut self) -> String {
        if !self.wait_for_end() {
            let pipe = if self.output.is_none() { "output" } else { "input" };
            return format!("it closed its {pipe}");
        }
        self.ended = true;
        match family::end(&mut self.child) {
            Some(status) => format!("it ended with {status}"),
            None => "it ended".to_owned(),
        }
    }

    /// Returns `true` if it ends by itself within [`GRACE`].
    fn wait_for_end(&mut self) -> bool {
        let start = Instant::now();
        while !family::has_ended(&self.child) {
            if start.elapsed() > GRACE {
                return false;
            }
            self.exchange(Duration::from_millis(2));
            self.received.clear();
        }
        true
    }

    /// Kills it and its descendants if it has not ended.
    fn end(&mut self) {
        self.input = None;
        if !std::mem::replace(&mut self.ended, true) {
            family::end(&mut self.child);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
        self.exchange(Duration::ZERO);
        self.said.finish();
    }
}

fn prepared(command: &CommandLine) -> Command {
    let mut prepared = Command::new(&command.program);
    prepared.args(&command.arguments);
    prepared
}

/// Reads the available bytes; closes a pipe that has ended.
fn read<'b>(pipe: &mut Option<impl Read>, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    match pipe.as_mut()?.read(buffer) {
        Ok(0) => *pipe = None,
        Ok(read) => return Some(&buffer[..read]),
        Err(error) if is_temporary(&error) => {}
        Err(_) => *pipe = None,
    }
    None
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
