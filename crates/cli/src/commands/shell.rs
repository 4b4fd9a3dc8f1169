//! `ttr completions` and `ttr man`: for the shell and for `man`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Cli, print};

/// Print completions for a shell.
///
/// For example: ttr completions bash > ~/.local/share/bash-completion/completions/ttr
#[derive(clap::Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

/// Print the manual page, of ttr or of one of its verbs.
///
/// For example: ttr man arena | man -l -
#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// The verb; left out, ttr as a whole
    verb: Option<String>,
}

pub(crate) fn completions(args: &CompletionArgs) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ttr", &mut bytes);
    Ok(print(&String::from_utf8(bytes)?)?)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    let command = match &args.verb {
        Some(verb) => match command.find_subcommand(verb) {
            Some(found) => found.clone(),
            None => {
                let verbs: Vec<_> =
                    command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
                return Err(crate::BadInput(format!(
                    "there is no verb \"{verb}\"; there are {}",
                    verbs.join(", ")
                ))
                .into());
            }
        },
        None => command,
    };
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command).render(&mut bytes)?;
    Ok(print(&String::from_utf8(bytes)?)?)
}
