//! Error messages for users: one line, a hint, and the exit code.

use ttr_agents::SpecError;
use ttr_engine::WrongSeats;
use ttr_engine::spec::{MapError, Problem};
use ttr_sim::exec::CommandError;
use ttr_sim::experiment::{AnswerError, ExperimentError, RunSpecError};
use ttr_sim::game::GameError;
use ttr_sim::rate::RateError;
use ttr_sim::run::{DirectoryError, FileAction, FileError, RunError};
use ttr_sim::table::EntrantError;
use ttr_sim::table::runner::PlayError;
use ttr_sim::tune::TuneError;

use crate::BadInput;
use crate::interruption::TRY_AGAIN;

/// The text of an error, and the exit code: 2 for invalid input, [`TRY_AGAIN`] if another process is at work
/// in the directory, 1 for any other failure.
pub(crate) fn describe(error: anyhow::Error) -> (String, u8) {
    let error = innermost(error);
    if let Some(error) = error.downcast_ref::<MapError>() {
        (problems("map", &error.problems), 2)
    } else if let Some(error) = error.downcast_ref::<ExperimentError>() {
        (problems("experiment", &error.problems), 2)
    } else if let Some(error) = error.downcast_ref::<WrongSeats>() {
        (format!("{error}; give --seats from {} to {}", error.min, error.max), 2)
    } else if let Some(error @ DirectoryError::Busy(_)) = error.downcast_ref() {
        (error.to_string(), TRY_AGAIN)
    } else if let Some(error) = error.downcast_ref::<DirectoryError>() {
        (directory(error), 2)
    } else if let Some(FileError { action: FileAction::Write, .. }) = error.downcast_ref() {
        (format!("{error:#}; everything finished before is safe; fix the cause, then resume"), 1)
    } else if let Some(error) = error.downcast_ref::<SpecError>() {
        (agent(error), 2)
    } else if let Some(error) = error.downcast_ref::<TuneError>() {
        (tuning(error), 2)
    } else if error.is::<BadInput>()
        || error.is::<CommandError>()
        || error.is::<RateError>()
        || error.is::<RunSpecError>()
    {
        (error.to_string(), 2)
    } else {
        (format!("{error:#}"), 1)
    }
}

/// Describes a problem with an agent, with a helpful command.
fn agent(error: &SpecError) -> String {
    let hint = match error {
        SpecError::File { .. } => "; `ttr tune` writes such files as runs/tune-MAP-N/tuned.toml".to_owned(),
        SpecError::UnknownKey { agent, nearest: None, known, .. } if !known.is_empty() => {
            format!("; `ttr agents {agent}` lists them")
        }
        _ => String::new(),
    };
    format!("{error}{hint}")
}

/// Describes a problem with an agent to tune, with a helpful option.
fn tuning(error: &TuneError) -> String {
    let hint = match error {
        TuneError::NothingToTune { .. } => "; `ttr agents` lists the parameters of all agents",
        TuneError::AllSet { .. } => "; omit some, or list those to tune with --params",
        _ => "",
    };
    format!("{error}{hint}")
}

/// Describes a problem with a directory, with a helpful option.
fn directory(error: &DirectoryError) -> String {
    let hint = match error {
        DirectoryError::Occupied(_) => {
            "; resume it with --resume or --or-resume, or give another --out".to_owned()
        }
        DirectoryError::NotEmpty(_)
        | DirectoryError::DividedOtherwise { .. }
        | DirectoryError::OtherRun { .. }
        | DirectoryError::OtherShard { .. } => "; give another --out".to_owned(),
        DirectoryError::OtherStudy { path, found, .. } => {
            format!("; resume it with: ttr {found} --resume {}", path.display())
        }
        _ => String::new(),
    };
    format!("{error}{hint}")
}

/// Formats one problem on a single line, several below each other.
fn problems(of: &str, problems: &[Problem]) -> String {
    match problems {
        [Problem { file, line: None, message, hint }] if message.contains(file) => {
            format!("{message}; {hint}")
        }
        [problem] => problem.to_string(),
        problems => {
            let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
            format!("the {of} has {} problems\n{}", problems.len(), lines.join("\n"))
        }
    }
}

/// Unwraps errors that only wrap another error.
fn innermost(mut error: anyhow::Error) -> anyhow::Error {
    loop {
        error = match unwrapped(error) {
            Ok(inner) => inner,
            Err(error) => return error,
        };
    }
}

/// The wrapped error, or the same error if it has a message of its own.
fn unwrapped(error: anyhow::Error) -> Result<anyhow::Error, anyhow::Error> {
    let error = match error.downcast() {
        Ok(AnswerError::Experiment(inner)) => return Ok(inner.into()),
        Ok(AnswerError::Plan(inner)) => return Ok(inner.into()),
        Ok(AnswerError::Run(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    let error = match error.downcast() {
        Ok(RunSpecError::Map(inner)) => return Ok(inner.into()),
        Ok(RunSpecError::Agent(inner)) => return Ok(inner.into()),
        Ok(RunSpecError::Seats(inner)) => return Ok(inner.into()),
        Ok(RunSpecError::Rate(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    let error = match error.downcast() {
        Ok(RateError::Agent(inner)) => return Ok(inner.into()),
        Ok(RateError::Game(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    let error = match error.downcast() {
        Ok(RunError::Play(inner)) => return Ok(inner.into()),
        Ok(RunError::Game(inner)) => return Ok(inner.into()),
        Ok(RunError::Directory(inner)) => return Ok(inner.into()),
        Ok(RunError::File(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    let error = match error.downcast() {
        Ok(PlayError::Agent(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    let error = match error.downcast() {
        Ok(TuneError::Spec(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    let error = match error.downcast() {
        Ok(EntrantError::Spec(inner)) => return Ok(inner.into()),
        Ok(EntrantError::Command(inner)) => return Ok(inner.into()),
        Ok(error) => return Err(error.into()),
        Err(error) => error,
    };
    match error.downcast() {
        Ok(GameError::Map(inner)) => Ok(inner.into()),
        Ok(GameError::Seats(inner)) => Ok(inner.into()),
        Ok(error) => Err(error.into()),
        Err(error) => Err(error),
    }
}
