//! Agents as text whose settings may be in files, which are read here.

use std::path::Path;

use ttr_agents::{AgentSpec, Roster, SpecError};
use ttr_engine::input_file;

/// Maximum size of an agent file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Reads an agent: [`Roster::parse_with`], with files from the disk.
///
/// # Errors
/// If there is no such agent or parameter, or the file is invalid or unreadable.
pub fn parse(roster: &Roster, text: &str) -> Result<AgentSpec, SpecError> {
    roster.parse_with(text, &read)
}

/// Like [`parse`]; paths of files are relative to a folder.
///
/// # Errors
/// As [`parse`].
pub fn parse_in(roster: &Roster, text: &str, folder: &Path) -> Result<AgentSpec, SpecError> {
    roster.parse_with(text, &|file| read(&folder.join(file)))
}

/// Reads a list of agents: [`Roster::list_with`], with files from the disk.
///
/// # Errors
/// As [`parse`], and if the list is empty.
pub fn list(roster: &Roster, text: &str) -> Result<Vec<AgentSpec>, SpecError> {
    roster.list_with(text, &read)
}

fn read(file: &Path) -> Result<String, String> {
    input_file::read_text(file, MAX_BYTES).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read() {
        let folder = std::env::temp_dir();
        let name = format!("ttr-agent-{}.toml", std::process::id());
        let file = folder.join(&name);
        std::fs::write(&file, "name = \"ismcts\"\n[settings]\niters = 7\n").unwrap();
        let (roster, text) = (Roster::built_in(), format!("ismcts@{}", file.display()));
        let agents = list(roster, &format!("random,{text}:threads=2")).unwrap();
        assert_eq!(agents[1].to_string(), "ismcts:iters=7,threads=2");
        let beside = parse_in(roster, &format!("ismcts@{name}"), &folder).unwrap();
        assert_eq!(
            (beside.to_string(), beside.label()),
            ("ismcts:iters=7".to_owned(), format!("ismcts@{name}"))
        );
        std::fs::remove_file(&file).unwrap();
        let error = parse(roster, &text).unwrap_err();
        assert!(
            matches!(&error, SpecError::File { file: named, .. } if *named == file.display().to_string())
        );
    }
}
