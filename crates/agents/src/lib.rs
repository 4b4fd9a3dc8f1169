//! Agents: whatever decides for a seat from what that seat can see. They arrive here one module each.

#![forbid(unsafe_code)]
