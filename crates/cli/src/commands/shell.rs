//! `ttr completions` and `ttr man`: shell completions and manual pages.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Cli, print};

/// Prints completions for a shell.
///
/// For example: ttr completions bash > ~/.local/share/bash-completion/completions/ttr
#[derive(clap::Args)]
pub(crate) struct CompletionArgs {
    /// Shell to complete for
    shell: Shell,
}

/// Prints the manual page of ttr or of one of its commands.
///
/// For example: ttr man arena | man -l -
#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Command to describe [default: ttr as a whole]
    command: Option<String>,
}

pub(crate) fn completions(args: &CompletionArgs) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ttr", &mut bytes);
    Ok(print(&String::from_utf8(bytes)?)?)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut whole = Cli::command();
    whole.build();
    let command = match &args.command {
        Some(name) => match whole.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let commands: Vec<_> =
                    whole.get_subcommands().map(|command| command.get_name().to_owned()).collect();
                return Err(crate::BadInput(format!(
                    "there is no command \"{name}\"; the commands are {}",
                    commands.join(", ")
                ))
                .into());
            }
        },
        None => whole,
    };
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command).render(&mut bytes)?;
    Ok(print(&String::from_utf8(bytes)?)?)
}
