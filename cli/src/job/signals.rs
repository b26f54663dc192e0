//! Signals: a run ends in order, and no temporary file stays behind.

use crate::report;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What a signal does to the run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// Remove temporary files and exit at once: for one stream, which cannot end in order.
    Exit,
    /// Let the workers finish or drop what they hold, and exit by force only if they take too long.
    Drain,
}

/// How long a run may take to end in order. A second signal ends it at once.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts to watch for SIGINT, SIGTERM and SIGHUP; makes SIGXFSZ an error of the write that causes it.
pub fn watch(reaction: Reaction) -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let again = SIGNAL.swap(signal, Ordering::SeqCst) != 0;
            STOP.store(true, Ordering::SeqCst);
            if again || reaction == Reaction::Exit {
                exit_now(signal);
            }
            thread::spawn(move || {
                thread::sleep(PATIENCE);
                exit_now(signal);
            });
        }
    });
    Ok(())
}

fn exit_now(signal: i32) -> ! {
    let temporaries = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
    for path in temporaries.iter() {
        let _ = fs::remove_file(path);
    }
    if signal != SIGHUP {
        report::say("interrupted; temporary files have been removed");
    }
    // The lock is held until the process ends, so no thread makes a new temporary file.
    std::process::exit(128 + signal)
}

/// Whether the run is to stop.
pub fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Stops the run without a signal.
pub fn stop() {
    STOP.store(true, Ordering::SeqCst);
}

/// The exit status that the signal asks for, if one has come.
pub fn status() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(u8::try_from(128 + signal).unwrap_or(1)),
    }
}

/// Creates a temporary file by `create`, and has it removed if a signal ends the process.
pub fn register<T>(path: &Path, create: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut temporaries = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
    let created = create()?;
    temporaries.insert(path.to_owned());
    Ok(created)
}

/// Forgets a temporary file that has been renamed or removed.
pub fn forget(path: &Path) {
    let mut temporaries = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
    temporaries.remove(path);
}
