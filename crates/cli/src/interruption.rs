//! Interruptions: what Ctrl-C and the signals of a scheduler do to a run.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::terminal;

/// Exit code of a run that was interrupted, or whose directory is in use: the same command with
/// `--or-resume` continues it. It is `EX_TEMPFAIL` of sysexits.h.
pub(crate) const TRY_AGAIN: u8 = 75;

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that interruptions set.
///
/// Ctrl-C lets the running games finish, and a second one ends the program at once. SIGTERM and SIGUSR1 come
/// from schedulers, which do not wait: games that are not finished after a few seconds are abandoned. What
/// was finished is in the directory of the run either way.
pub(crate) fn interruption() -> &'static AtomicBool {
    // If there can be no handler, a signal ends the program; finished games are kept either way.
    platform::watch();
    &STOP
}

/// Acts on Ctrl-C.
fn interrupt() {
    if STOP.swap(true, Ordering::Relaxed) {
        std::process::exit(TRY_AGAIN.into());
    }
    terminal::print_line(
        "\nfinishing the running games; Ctrl-C again quits at once; --resume works either way",
    );
}

#[cfg(unix)]
mod platform {
    use std::sync::Once;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
    use signal_hook::iterator::Signals;

    use super::{STOP, TRY_AGAIN, interrupt};
    use crate::terminal;

    /// Time that a scheduler is sure to leave: most send SIGKILL 30 seconds after SIGTERM.
    const GRACE: Duration = Duration::from_secs(5);

    pub(super) fn watch() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGUSR1]) else { return };
            // If it can't be started, the signals are ignored; SIGKILL still works.
            let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
                for signal in signals.forever() {
                    if signal == SIGINT { interrupt() } else { leave() }
                }
            });
        });
    }

    /// Acts on the signal of a scheduler. It may send several.
    fn leave() {
        if STOP.swap(true, Ordering::Relaxed) {
            return;
        }
        terminal::print_line("stopping: finished games are kept");
        let end = || {
            std::thread::sleep(GRACE);
            std::process::exit(TRY_AGAIN.into());
        };
        if std::thread::Builder::new().name("grace".to_owned()).spawn(end).is_err() {
            std::process::exit(TRY_AGAIN.into());
        }
    }
}

#[cfg(not(unix))]
mod platform {
    pub(super) fn watch() {
        let _ = ctrlc::set_handler(super::interrupt);
    }
}
