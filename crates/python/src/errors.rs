//! Errors and panics as Python exceptions.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use ttr_engine::IllegalAction as Illegal;

create_exception!(
    ttr,
    IllegalAction,
    PyValueError,
    "An action that the rules forbid; `rule` is the number of the rule, or None if it is no matter of a rule."
);
create_exception!(
    ttr,
    EngineError,
    PyRuntimeError,
    "A bug in the engine. Nothing is wrong with the interpreter; please report it."
);

/// Invalid input.
pub(crate) fn invalid(why: impl Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Any other failure.
pub(crate) fn failed(why: impl Display) -> PyErr {
    PyRuntimeError::new_err(why.to_string())
}

/// An action that is not legal, with the number of the rule.
pub(crate) fn illegal(why: &Illegal) -> PyErr {
    let rule = match why {
        Illegal::Forbidden { rule, .. } => Some(*rule),
        _ => None,
    };
    illegal_by(rule, &why.to_string())
}

/// An action that is not legal by a rule.
pub(crate) fn illegal_by(rule: Option<&str>, message: &str) -> PyErr {
    let error = IllegalAction::new_err(message.to_owned());
    Python::attach(|py| match error.value(py).setattr("rule", rule) {
        Ok(()) => error,
        Err(other) => other,
    })
}

/// Calls the engine. A panic becomes an [`EngineError`].
pub(crate) fn guard<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| EngineError::new_err(text(&*panic)))
}

/// Calls the engine without the interpreter, so that other threads of Python run meanwhile.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| guard(work))
}

/// The message of a panic.
pub(crate) fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a bug in the engine: {}", text.unwrap_or_else(|| "a panic without a message".to_owned()))
}
