#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod command;
mod drawing;
mod files;
mod host;
mod record;
mod session;
mod table;

pub use command::Command;
pub use files::{FILES, File};
pub use host::{BuiltIn, Host, Player, SessionGame};
pub use record::record_page;
pub use session::Session;
