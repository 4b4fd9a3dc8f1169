//! One file per command. A command reads its arguments and prints; the libraries do the work.

pub(crate) mod agents;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod experiment;
pub(crate) mod maps;
pub(crate) mod merge;
pub(crate) mod play;
pub(crate) mod rate;
pub(crate) mod replay;
pub(crate) mod shell;
pub(crate) mod tickets;
pub(crate) mod tune;
