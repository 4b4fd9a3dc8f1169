//! The extension module `ttr._native` of the Python package `ttr`.
//!
//! One file per class. [`kind`] puts the two kinds of games behind one face, so that no class knows which one it has;
//! [`errors`] makes panics ordinary exceptions.

mod agent;
mod batched;
mod errors;
mod game;
mod json;
mod kind;
mod player;
mod replay;
mod runs;
mod state;
mod vec_env;
mod view;

use pyo3::prelude::*;

/// The engine of the package `ttr`, written in Rust.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::agent::Agent;
    #[pymodule_export]
    use super::errors::{EngineError, IllegalAction};
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::replay::Replay;
    #[pymodule_export]
    use super::runs::{
        begin_run, experiment_runs, missing_deals, plan_of, play_experiment, play_experiment_run, play_rate,
        play_run, rate_tables, resolved_agent,
    };
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::vec_env::VecEnv;
    #[pymodule_export]
    use super::view::View;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("maps", ttr_engine::maps::all_ids().collect::<Vec<_>>())
    }
}
