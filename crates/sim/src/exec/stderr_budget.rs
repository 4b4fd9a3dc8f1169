//! The budget for forwarded stderr of a run.

use std::sync::{Arc, Mutex, PoisonError};

/// How much of what all processes of a run write to stderr is passed on, however many there are. Its clones
/// share what is left of it; two are equal if they do.
#[derive(Clone, Debug)]
pub struct StderrBudget(Arc<Mutex<Option<usize>>>);

/// What a [`StderrBudget`] has room for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Room {
    Line,
    /// Only for the remark that there is no more.
    Remark,
    Nothing,
}

impl StderrBudget {
    /// A budget of this many bytes, which leaves room for one remark at its end.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Mutex::new(Some(bytes))))
    }

    /// Takes this many bytes, if they are left.
    pub(super) fn take(&self, bytes: usize) -> Room {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (rest, room) = match left.map(|left| left.checked_sub(bytes)) {
            None => (None, Room::Nothing),
            Some(None) => (None, Room::Remark),
            Some(rest) => (rest, Room::Line),
        };
        *left = rest;
        room
    }
}

/// A budget of a megabyte.
impl Default for StderrBudget {
    fn default() -> Self {
        Self::new(1_000_000)
    }
}

impl PartialEq for StderrBudget {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StderrBudget {}
