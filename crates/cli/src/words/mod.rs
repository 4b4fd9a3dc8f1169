//! Maps and recorded games in words.

pub mod map_rules;
pub mod map_summary;
pub mod opinion;
pub mod replay_text;
