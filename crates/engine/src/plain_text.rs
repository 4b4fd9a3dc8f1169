//! Text from outside, made fit for terminals, tables and pages.
//!
//! Names of maps and cities, labels of agents, reasons of forfeits and the like pass through here where
//! they enter the program, so that nothing that prints them has to care: no control character reaches a
//! terminal, no bidi override turns a line around, no name is invisible, and nothing is longer than a
//! reader wants.

/// Characters that show nothing, although Unicode lists them among letters and symbols.
const BLANK: [char; 7] = ['\u{115f}', '\u{1160}', '\u{17b4}', '\u{17b5}', '\u{2800}', '\u{3164}', '\u{ffa0}'];

/// Characters that make a spreadsheet take a cell for a formula if they come first.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// What is wrong with a name or a text. The message is the way to fix it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A name without characters.
    #[error("give a name")]
    Empty,
    /// A name with white space around it.
    #[error("remove the blanks around it")]
    Blanks,
    /// More characters than this.
    #[error("use at most {0} characters")]
    TooLong(usize),
    /// A character that does not show as itself.
    #[error("remove the character U+{:04X}", u32::from(*.0))]
    Unprintable(char),
    /// A first character that makes it a formula.
    #[error("don't begin with '{0}': a spreadsheet would take it for a formula")]
    Formula(char),
}

/// Returns whether a character shows as itself: not a control or format character (bidi overrides,
/// zero-width characters), nor a line or paragraph separator, nor unassigned.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return c == ' ' || c.is_ascii_graphic();
    }
    if BLANK.contains(&c) || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
        return false;
    }
    if c.is_whitespace() {
        return true;
    }
    // The standard library knows what is printable, but says so only by what it escapes. At the start of a
    // text it escapes combining marks too: hence the letter in front.
    let mut bytes = [b'a', 0, 0, 0, 0];
    let end = 1 + c.encode_utf8(&mut bytes[1..]).len();
    str::from_utf8(&bytes[..end]).is_ok_and(|text| text.escape_debug().count() == 2)
}

/// A text as one printable line of at most `most` characters. What is not printable is escaped; a longer
/// text ends in `...`.
///
/// ```
/// use ttr_engine::plain_text::printable;
/// assert_eq!(printable("Zürich\n\u{1b}[31m", 40), r"Zürich\n\u{1b}[31m");
/// assert_eq!(printable("a long text", 6), "a long...");
/// ```
pub fn printable(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut room = most;
    for c in text.chars() {
        let shown: String = if is_printable(c) { c.into() } else { c.escape_default().collect() };
        let Some(left) = room.checked_sub(shown.chars().count()) else { return line + "..." };
        room = left;
        line += &shown;
    }
    line
}

/// A text with every line as [`printable`] makes it.
///
/// ```
/// use ttr_engine::plain_text::printable_lines;
/// assert_eq!(printable_lines("one\n\u{7}two\n", 40), "one\n\\u{7}two\n");
/// ```
pub fn printable_lines(text: &str, most: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| printable(line, most)).collect();
    lines.join("\n")
}

/// Checks a name that tables and pages will show.
///
/// # Errors
/// The way to fix it.
///
/// ```
/// use ttr_engine::plain_text::check_name;
/// assert_eq!(check_name("Zürich", 40), Ok(()));
/// let fix = |name| check_name(name, 40).unwrap_err().to_string();
/// assert_eq!(fix("\u{202e}hciruZ"), "remove the character U+202E");
/// assert_eq!(fix("=1+1"), "don't begin with '=': a spreadsheet would take it for a formula");
/// ```
pub fn check_name(name: &str, most: usize) -> Result<(), TextError> {
    if name.is_empty() {
        return Err(TextError::Empty);
    }
    if name.trim() != name {
        return Err(TextError::Blanks);
    }
    check_text(name, most)?;
    match name.chars().next().filter(|first| FORMULA.contains(first)) {
        Some(first) => Err(TextError::Formula(first)),
        None => Ok(()),
    }
}

/// Checks a text of one line that tables and pages will show.
///
/// # Errors
/// The way to fix it.
pub fn check_text(text: &str, most: usize) -> Result<(), TextError> {
    if text.chars().count() > most {
        return Err(TextError::TooLong(most));
    }
    match text.chars().find(|&c| !is_printable(c)) {
        Some(wrong) => Err(TextError::Unprintable(wrong)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_characters() {
        for c in "aZ09 ~-=üßéЖ東京عש日🚂\u{301}\u{a0}".chars() {
            assert!(is_printable(c), "{c:?}");
        }
        for c in "\0\n\t\r\u{1b}\u{7f}\u{85}\u{9b}\u{200b}\u{200e}\u{202e}\u{2066}\u{2028}\u{2060}\u{feff}\
                  \u{3164}\u{2800}\u{e0041}\u{e000}\u{378}"
            .chars()
        {
            assert!(!is_printable(c), "{c:?}");
        }
    }

    #[test]
    fn lines_are_bounded() {
        assert_eq!(printable(&"x".repeat(1 << 20), 10), "xxxxxxxxxx...");
        assert_eq!(printable("\u{1b}\u{1b}", 10), "\\u{1b}...");
        assert_eq!(printable("0123456789", 10), "0123456789");
        assert_eq!(printable_lines("a\n\nb", 10), "a\n\nb");
    }

    #[test]
    fn names() {
        for name in ["A", "Saint-Étienne", "Čačak", "x=1", "Washington D.C."] {
            assert_eq!(check_name(name, 40), Ok(()), "{name}");
        }
        let long = "x".repeat(41);
        for name in
            ["", " ", " a", "a\u{a0}", "\u{200b}", "a\u{200b}b", "a\nb", "-1", "+1", "@a", "=a", &long]
        {
            assert!(check_name(name, 40).is_err(), "{name:?}");
        }
    }
}
