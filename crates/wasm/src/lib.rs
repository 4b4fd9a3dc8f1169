//! The session of the page as WebAssembly, for pages without a server. It imports nothing, and its interface
//! is numbers and one buffer of text: the page asks for room, writes a command into it, has it answered, and
//! reads the answer from it.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use ttr_web::{BuiltIn, Session};

static SESSION: LazyLock<Mutex<Session<BuiltIn>>> = LazyLock::new(|| Mutex::new(Session::new(BuiltIn)));
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a command of `length` bytes. Returns the address of the buffer.
#[allow(unsafe_code, reason = "the page knows it by name; nothing else has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *const u8 {
    let mut text = locked(&TEXT);
    text.clear();
    text.resize(length, 0);
    text.as_ptr()
}

/// Runs the command in the buffer and replaces it by the answer. Returns the answer's length.
#[allow(unsafe_code, reason = "the page knows it by name; nothing else has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let mut text = locked(&TEXT);
    *text = locked(&SESSION).answer(&String::from_utf8_lossy(&text)).into_bytes();
    text.len()
}

/// The address of the answer.
#[allow(unsafe_code, reason = "the page knows it by name; nothing else has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *const u8 {
    locked(&TEXT).as_ptr()
}
