//! Properties of the terminal, and messages to it.

use std::io::{self, IsTerminal, Write};

use ttr_engine::plain_text::printable_lines;

/// Maximum width of a paragraph that is pleasant to read.
const WIDEST: usize = 100;

/// Width of the terminal in columns, if stdout is a terminal.
pub(crate) fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0).max(20))
}

/// Width for paragraphs.
pub(crate) fn paragraph() -> usize {
    columns().map_or(WIDEST, |columns| columns.min(WIDEST))
}

/// Returns whether stderr is a terminal.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Maximum length of a line of a message, in characters.
const MAX_LINE: usize = 4000;

/// Prints a message to stderr. Errors quote files and arguments, so control characters are escaped.
pub(crate) fn print_line(text: &str) {
    let text = printable_lines(text, MAX_LINE);
    // A closed stderr can't be reported anywhere.
    let _ = writeln!(io::stderr(), "{text}");
}
