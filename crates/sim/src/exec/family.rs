//! The processes that this program has started, and those that they leave behind.
//!
//! Every agent leads a process group of its own, which is killed as a whole. What leaves the group survives
//! that: so on Linux this program is a *subreaper*, which makes it the parent of every descendant that loses
//! its own, and what agents have left is killed when an agent ends.
//!
//! This program may have other children, which must not be touched. Agents are therefore marked with
//! something that everything they start inherits and cannot get rid of: a lower limit on file locks, which
//! Linux has ignored since version 2.4.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// The running agents: their process ids, which are those of their groups too.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process in its own group: it can be killed together with its descendants, and an interrupt from
/// the keyboard reaches only this program, which may want to finish the game.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    std::os::unix::process::CommandExt::process_group(command, 0);
    // Until it is in the list it would be considered an orphan.
    let mut running = running();
    #[cfg(target_os = "linux")]
    let child = orphans::spawn_marked(command)?;
    #[cfg(not(target_os = "linux"))]
    let child = command.spawn()?;
    running.insert(child.id());
    Ok(child)
}

/// Returns whether a child has ended, and leaves its status for [`end`].
pub(super) fn has_ended(child: &Child) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that there is no such child any more.
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

/// Kills a child and its descendants, unless it was already ended.
pub(super) fn end(child: &mut Child) -> Option<ExitStatus> {
    // Its process id is not reused until it is waited for.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
    let _ = waitid(WaitId::Pid(Pid::from_child(child)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    let mut running = running();
    let status = child.wait().ok();
    running.remove(&child.id());
    #[cfg(target_os = "linux")]
    orphans::kill(&running);
    status
}

#[cfg(target_os = "linux")]
mod orphans {
    use std::collections::BTreeSet;
    use std::process::{Child, Command};
    use std::sync::Once;
    use std::{fs, io};

    use rustix::process::{
        Pid, Resource, Rlimit, Signal, WaitOptions, getpgrp, getpid, getrlimit, kill_process, prlimit,
        set_child_subreaper, setrlimit, waitpid,
    };

    /// The limit of agents where this program has none.
    const MARK: u64 = 1 << 40;

    /// Maximum number of searches for children of killed orphans. Only processes that start others faster
    /// than they are killed need more.
    const ROUNDS: usize = 100;

    /// Starts an agent with the mark of agents, which its first child has too, however early.
    pub(super) fn spawn_marked(command: &mut Command) -> io::Result<Child> {
        adopt();
        let own = getrlimit(Resource::Locks);
        let mark = Some(own.current.map_or(MARK, |own| own.saturating_sub(1)));
        // A limit that can't be set marks nothing: then orphans go on.
        let _ = setrlimit(Resource::Locks, Rlimit { current: mark, ..own });
        let child = command.spawn();
        let _ = setrlimit(Resource::Locks, own);
        let child = child?;
        // From here on it can't raise its limit any more.
        let _ =
            prlimit(Some(Pid::from_child(&child)), Resource::Locks, Rlimit { current: mark, maximum: mark });
        Ok(child)
    }

    /// Makes this program the parent of all descendants that lose their own.
    fn adopt() {
        static ONCE: Once = Once::new();
        // Without it, orphans get another parent, and keep running.
        ONCE.call_once(|| {
            let _ = set_child_subreaper(Some(getpid()));
        });
    }

    /// Kills the children of this program that have the mark of agents and are neither in its own group nor
    /// in that of a running agent. An orphan that has stayed in its group is killed with the group.
    pub(super) fn kill(running: &BTreeSet<u32>) {
        let own = getpgrp();
        for _ in 0..ROUNDS {
            let mut orphans = children();
            orphans.retain(|&(pid, group)| {
                let known = |pid: Pid| running.contains(&pid.as_raw_nonzero().get().unsigned_abs());
                group != own && !known(group) && !known(pid) && is_marked(pid)
            });
            if orphans.is_empty() {
                return;
            }
            // The process id of a child is not reused until it is waited for, so the wrong process can't be
            // hit.
            for &(pid, _) in &orphans {
                let _ = kill_process(pid, Signal::KILL);
            }
            for (pid, _) in orphans {
                let _ = waitpid(Some(pid), WaitOptions::empty());
            }
        }
    }

    /// Returns whether a process, or one that has ended and was not waited for, has the mark of agents.
    fn is_marked(pid: Pid) -> bool {
        let limits = fs::read_to_string(format!("/proc/{}/limits", pid.as_raw_nonzero())).unwrap_or_default();
        let limit =
            limits.lines().find_map(|line| line.strip_prefix("Max file locks")?.split_whitespace().next());
        // "unlimited" is no number.
        let limit = limit.and_then(|limit| limit.parse::<u64>().ok());
        limit.is_some_and(|limit| getrlimit(Resource::Locks).current.is_none_or(|own| limit < own))
    }

    /// The children of this program with their process groups.
    fn children() -> Vec<(Pid, Pid)> {
        let own = getpid();
        let child = |entry: fs::DirEntry| {
            let pid = number(entry.file_name().to_str()?)?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // "PID (NAME) STATE PARENT GROUP ...", and a name may contain anything.
            let mut words = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(1);
            let (parent, group) = (number(words.next()?)?, number(words.next()?)?);
            (parent == own).then_some((pid, group))
        };
        fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(child).collect()
    }

    fn number(text: &str) -> Option<Pid> {
        Pid::from_raw(text.parse().ok()?)
    }
}
