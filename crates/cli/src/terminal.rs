//! What is known of the terminal.

use std::io::{self, IsTerminal, Write};

use ttr_engine::plain_text::printable_lines;

/// Widest paragraph that is pleasant to read.
const WIDEST: usize = 100;

/// The columns of the terminal that stdout is, if it is one.
pub(crate) fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0).max(20))
}

/// How wide paragraphs shall be.
pub(crate) fn paragraph() -> usize {
    columns().map_or(WIDEST, |columns| columns.min(WIDEST))
}

/// Whether somebody watches stderr.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Longest line of a message, in characters.
const MAX_LINE: usize = 4000;

/// Prints a message for people. Errors quote what files and arguments say: nothing of it reaches the terminal as a command.
pub(crate) fn tell(text: &str) {
    let text = printable_lines(text, MAX_LINE);
    // There is nobody to tell if stderr is closed.
    let _ = writeln!(io::stderr(), "{text}");
}
