//! A process that reads and writes lines.
//!
//! Threads do the reading and writing, so that whoever asks can give up waiting: on a process that never answers, never
//! reads, or never stops writing. They end when the process does.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{MAX_LINE, quoted};
use super::command_line::CommandLine;

/// How long a process that was told to end, or seems to have ended, has to do so.
const GRACE: Duration = Duration::from_secs(1);
/// How often a process that is silent is looked after.
const LOOK: Duration = Duration::from_millis(20);
/// How long the last words of one that has ended may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How much of what it says on stderr is remembered, in bytes.
const REMEMBERED: usize = 400;

/// A running process, which ends with this value.
pub(super) struct Process {
    child: Child,
    /// Messages to be written; none once its input is closed.
    input: Option<mpsc::Sender<String>>,
    output: Receiver<Output>,
    errors: Arc<Mutex<Vec<u8>>>,
    errors_closed: Receiver<()>,
}

/// What a process wrote.
enum Output {
    /// A line, and whether more was behind it already.
    Line(Vec<u8>, bool),
    /// More than any line may have.
    TooLong,
}

impl Process {
    /// Starts a program. What it says on stderr is remembered and, if so wished, passed on.
    pub(super) fn start(command: &CommandLine, pass_stderr_on: bool) -> io::Result<Self> {
        let mut child =
            prepared(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were asked for");
        };
        let (input, messages) = mpsc::channel();
        // A process that floods us waits until somebody reads.
        let (lines, output) = mpsc::sync_channel(1);
        let (errors_open, errors_closed) = mpsc::channel();
        let errors = Arc::new(Mutex::new(Vec::new()));
        let process = Self { child, input: Some(input), output, errors: errors.clone(), errors_closed };
        let name = |what: &str| thread::Builder::new().name(format!("{what} {}", command.program));
        name("to").spawn(move || write_all(stdin, &messages))?;
        name("from").spawn(move || read_lines(stdout, &lines))?;
        name("errors of").spawn(move || {
            remember(stderr, &errors, pass_stderr_on);
            drop(errors_open);
        })?;
        Ok(process)
    }

    /// Whether a program can be started at all.
    pub(super) fn try_out(command: &CommandLine) -> io::Result<()> {
        let silent = || Stdio::null();
        let mut child = prepared(command).stdin(silent()).stdout(silent()).stderr(silent()).spawn()?;
        end_group(&child);
        let _ = child.kill();
        child.wait()?;
        Ok(())
    }

    /// Sends a line that asks for no answer.
    pub(super) fn tell(&self, line: String) {
        // If it does not read any more, the next question shows.
        let _ = self.input.as_ref().map(|input| input.send(line));
    }

    /// Sends a line and waits for the answer.
    ///
    /// # Errors
    /// In words, if there is none in time, or it is more than one line.
    pub(super) fn ask(&mut self, line: String, limit: Duration) -> Result<Vec<u8>, String> {
        match self.output.try_recv() {
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return Err(self.how_it_ended()),
            Ok(Output::TooLong) => return Err(too_long()),
            Ok(Output::Line(line, _)) => {
                return Err(format!("it wrote {} before it was asked", quoted(&line)));
            }
        }
        self.tell(line);
        match self.listen(limit) {
            Ok(Output::Line(line, false)) => Ok(line),
            Ok(Output::Line(line, true)) => {
                Err(format!("it answered {} and wrote more, but an answer is one line", quoted(&line)))
            }
            Ok(Output::TooLong) => Err(too_long()),
            Err(RecvTimeoutError::Timeout) => Err(format!("it did not answer within {limit:?}")),
            Err(RecvTimeoutError::Disconnected) => Err(self.how_it_ended()),
        }
    }

    /// Waits for output, as long as there may be some: what a process has started can keep its output open after its end.
    fn listen(&mut self, limit: Duration) -> Result<Output, RecvTimeoutError> {
        let start = Instant::now();
        loop {
            let ended = has_ended(&mut self.child);
            let wait = if ended { LAST_WORDS } else { LOOK.min(limit.saturating_sub(start.elapsed())) };
            match self.output.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) if ended => return Err(RecvTimeoutError::Disconnected),
                Err(RecvTimeoutError::Timeout) if start.elapsed() < limit => {}
                result => return result,
            }
        }
    }

    /// Ends it, and tells the last that it said on stderr, if anything.
    pub(super) fn kill(mut self) -> Option<String> {
        self.end();
        // Somebody else may have got hold of its stderr and keep it open: this is not worth waiting for.
        let _ = self.errors_closed.recv_timeout(LAST_WORDS);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        // A traceback says at its end what happened.
        let last = lines[lines.len().saturating_sub(2)..].join(" / ");
        (!last.is_empty()).then(|| quoted(last.as_bytes()))
    }

    /// Closes its input, and gives it a moment to end by itself.
    pub(super) fn finish(mut self) {
        self.input = None;
        self.wait_for_end();
    }

    fn how_it_ended(&mut self) -> String {
        if !self.wait_for_end() {
            return "it closed its output".to_owned();
        }
        match self.end() {
            Some(status) => format!("it ended with {status}"),
            None => "it ended".to_owned(),
        }
    }

    /// Whether it ends by itself within [`GRACE`].
    fn wait_for_end(&mut self) -> bool {
        let start = Instant::now();
        while !has_ended(&mut self.child) {
            if start.elapsed() > GRACE {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// Ends it if it has not ended, with all that it has started.
    fn end(&mut self) -> Option<ExitStatus> {
        self.input = None;
        end_group(&self.child);
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn too_long() -> String {
    format!("it wrote a line of more than {} KiB", MAX_LINE >> 10)
}

fn prepared(command: &CommandLine) -> Command {
    let mut prepared = Command::new(&command.program);
    prepared.args(&command.arguments);
    // A group of its own: it can be ended with all that it has started, and an interrupt from the keyboard is for us,
    // who may want to finish the game.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut prepared, 0);
    prepared
}

/// Ends all processes of a child's group. The child must not have been waited for: until then its number is its own.
#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn end_group(_: &Child) {}

/// Whether a child has ended, without waiting for it.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error says that there is no such child any more.
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

fn write_all(mut stdin: ChildStdin, messages: &Receiver<String>) {
    for mut message in messages {
        message.push('\n');
        if stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, lines: &SyncSender<Output>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
        if line.len() > MAX_LINE {
            let _ = lines.send(Output::TooLong);
            return;
        }
        // Half a line at the end is no answer.
        if read.is_err() || line.pop() != Some(b'\n') {
            return;
        }
        let more = !reader.buffer().is_empty();
        if lines.send(Output::Line(line, more)).is_err() {
            return;
        }
    }
}

fn remember(mut stderr: impl Read, errors: &Mutex<Vec<u8>>, pass_on: bool) {
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        if pass_on {
            let _ = io::stderr().write_all(&chunk[..read]);
        }
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.extend(&chunk[..read]);
        let forget = errors.len().saturating_sub(REMEMBERED);
        errors.drain(..forget);
    }
}
