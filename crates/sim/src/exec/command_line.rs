//! A command line as words.

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CommandLine {
    /// The text of the command line.
    pub(super) text: String,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

impl CommandLine {
    /// Splits a text at white space; text in single or double quotation marks stays together. This is not a
    /// shell: nothing is expanded, and a backslash is a backslash.
    // Not `shlex`, which follows the shell: there a backslash escapes what follows, so that `C:\bot` loses
    // it, and a word that begins with # starts a comment.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut words: Vec<String> = Vec::new();
        let mut quote = None;
        let mut inside = false;
        for c in text.chars() {
            match quote {
                Some(mark) if c == mark => quote = None,
                None if c.is_whitespace() => inside = false,
                _ => {
                    if !inside {
                        words.push(String::new());
                        inside = true;
                    }
                    match words.last_mut() {
                        _ if quote.is_none() && matches!(c, '"' | '\'') => quote = Some(c),
                        Some(word) => word.push(c),
                        None => {}
                    }
                }
            }
        }
        if let Some(mark) = quote {
            return Err(format!("the quotation mark {mark} is not closed"));
        }
        let mut words = words.into_iter();
        match words.next() {
            Some(program) if !program.is_empty() => {
                Ok(Self { text: text.to_owned(), program, arguments: words.collect() })
            }
            _ => Err("it names no program".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let line = CommandLine::parse(text).unwrap();
        std::iter::once(line.program).chain(line.arguments).collect()
    }

    #[test]
    fn quotation_marks_keep_words_together() {
        assert_eq!(words(" python3  bot.py "), ["python3", "bot.py"]);
        assert_eq!(words("sh -c 'read a; echo \"x\"'"), ["sh", "-c", "read a; echo \"x\""]);
        assert_eq!(words(r#"'my bot' --name="a b" '' C:\bot"#), ["my bot", "--name=a b", "", r"C:\bot"]);
    }

    /// Characters that are special to a shell.
    #[test]
    fn nothing_else_is_special() {
        assert_eq!(words(r"bot \a #1 $HOME *.py ~"), ["bot", r"\a", "#1", "$HOME", "*.py", "~"]);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "  ", "''", "'a", "a \"b"] {
            assert!(CommandLine::parse(text).is_err(), "{text}");
        }
    }
}
