//! Section 1: the common core, on the boards of Europe, Nordic Countries and USA.

mod claim;
mod draw;
mod ending;
mod setup;
mod tunnel;
