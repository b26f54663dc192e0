//! Signals: a run ends in order, and no temporary file remains.

use super::folder::Folder;
use crate::engine::lock;
use crate::report::{self, Failure};
use signal_hook::consts::{
    SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    SIGXFSZ,
};
use signal_hook::iterator::Signals;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// The temporary files by name, with their folders. All names differ.
static TEMPORARIES: Mutex<BTreeMap<OsString, Arc<Folder>>> = Mutex::new(BTreeMap::new());

/// The signals that end a process and can be caught, except signals for errors of the process itself, such as SIGSEGV.
const ENDING: [i32; 10] = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
];

/// Returns further signals that end a process, which some systems lack or ignore.
#[cfg(target_os = "linux")]
fn ending_here() -> impl Iterator<Item = i32> {
    use rustix::process::Signal;
    // C libraries reserve the first real-time signals.
    let real_time = if cfg!(target_env = "musl") {
        35..=64
    } else {
        34..=64
    };
    let named = [Signal::IO, Signal::POWER];
    named.map(Signal::as_raw).into_iter().chain(real_time)
}

#[cfg(not(target_os = "linux"))]
fn ending_here() -> impl Iterator<Item = i32> {
    std::iter::empty()
}

/// The effect of a signal on the run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// Removes temporary files and exits at once, for a single stream, which cannot end in order.
    Exit,
    /// Lets the workers finish or discard their files. The process exits by force only if they take too long.
    Drain,
}

/// The time limit for an orderly end. A second signal ends the run at once.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts to handle the signals that end a process; turns SIGXFSZ into an error of the write that causes it.
///
/// # Errors
///
/// Fails if no thread or open file is available.
pub fn watch(reaction: Reaction) -> Result<(), Failure> {
    start(reaction).map_err(|error| Failure::io("watch for", "signals", error))
}

fn start(reaction: Reaction) -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new(ENDING.into_iter().chain(ending_here()))?;
    let watch = move || {
        for signal in signals.forever() {
            let again = SIGNAL.swap(signal, Ordering::SeqCst) != 0;
            STOP.store(true, Ordering::SeqCst);
            if again || reaction == Reaction::Exit {
                exit_now(signal);
            }
            let exit_later = move || {
                thread::sleep(PATIENCE);
                exit_now(signal);
            };
            // Without this thread, a second signal takes effect only after the time limit.
            if thread::Builder::new().spawn(exit_later).is_err() {
                exit_later();
            }
        }
    };
    thread::Builder::new().spawn(watch)?;
    Ok(())
}

fn exit_now(signal: i32) -> ! {
    let temporaries = lock(&TEMPORARIES);
    for (name, folder) in temporaries.iter() {
        let _ = folder.remove(name);
    }
    if signal != SIGHUP {
        report::say("interrupted; temporary files have been removed");
    }
    // The lock is held until the process ends, so that no thread creates a new temporary file.
    std::process::exit(128 + signal)
}

/// True if the run must stop.
pub fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Stops the run without a signal.
pub fn stop() {
    STOP.store(true, Ordering::SeqCst);
}

/// Returns the exit status for the received signal.
pub fn status() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(u8::try_from(128 + signal).unwrap_or(1)),
    }
}

/// Creates a temporary file with this name by `create`. The file is removed if a signal ends the process.
pub(crate) fn register<T>(
    folder: &Arc<Folder>,
    name: &OsStr,
    create: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    let mut temporaries = lock(&TEMPORARIES);
    let created = create()?;
    temporaries.insert(name.to_owned(), folder.clone());
    Ok(created)
}

/// Unregisters a temporary file that has been renamed or removed.
pub(crate) fn forget(name: &OsStr) {
    let mut temporaries = lock(&TEMPORARIES);
    temporaries.remove(name);
}
