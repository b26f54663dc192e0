//! What a run needs before its first file, and what stands in its way.

use super::args::SelectArgs;
use super::{Order, Place, Source, walk};
use crate::engine::{self, BomMode, Compress};
use crate::job::journal::Journal;
use crate::job::{draft, quote, signals};
use crate::report::Failure;
use rustix::fs::FlockOperation;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a run starts with.
pub struct Ready {
    /// Whether anything is written.
    pub writes: bool,
    /// The names of `--files-from`.
    pub listed: Vec<PathBuf>,
    /// Device and inode of the output folder.
    pub leave_out: Option<(u64, u64)>,
    /// The folders that are converted in place, locked.
    pub locks: Vec<File>,
    pub journal: Option<Journal>,
}

/// Checks what is asked for, watches for signals, and opens what the run holds open.
///
/// # Errors
///
/// Fails if the run cannot be as it is asked for: nothing has been converted then.
pub fn prepare(order: &Order<'_>) -> Result<Ready, Failure> {
    let Order {
        place,
        rules,
        how,
        select,
        sources,
        ..
    } = order;
    // A target without an encoder is found before the first file.
    if let Err(error) = rules.to.new_encoder() {
        let encoding = error.encoding;
        return Err(Failure::NoEncoder { encoding });
    }
    if rules.bom == BomMode::Add && !engine::has_bom(rules.to) {
        return Err(Failure::NoBom { encoding: rules.to });
    }
    if matches!(place, Place::Sources { .. }) {
        if order.compress != Compress::Keep {
            return Err(Failure::usage(
                "in place, a file keeps its name, so it stays as it is compressed: use -o DIR with --compress",
            ));
        }
        if order.salvage {
            return Err(Failure::usage(
                "in place, damaged files stay as they are: use -o DIR with --salvage",
            ));
        }
    }
    let listed = listed(select)?;
    if sources.is_empty() && listed.is_empty() && select.files_from.is_none() {
        return Err(Failure::usage(
            "no files: name files or folders, or use --files-from",
        ));
    }
    if sources.iter().any(|source| source.as_os_str() == "-") {
        return Err(Failure::usage(
            "standard input is no file: it is converted with -o FILE or to standard output",
        ));
    }
    let writes = !how.dry_run && !matches!(place, Place::Nowhere);
    let watched = signals::watch(signals::Reaction::Drain);
    watched.map_err(|error| Failure::io("watch for", "signals", error))?;
    let leave_out = match place {
        Place::Folder(folder) => output_folder(folder, sources, writes)?,
        _ => None,
    };
    let mut locks = Vec::new();
    if matches!(place, Place::Sources { .. }) && writes {
        locks = lock(sources)?;
    }
    let journal = if writes {
        Some(open_journal(order, &listed)?)
    } else {
        None
    };
    Ok(Ready {
        writes,
        listed,
        leave_out,
        locks,
        journal,
    })
}

/// The names of `--files-from`.
fn listed(select: &SelectArgs) -> Result<Vec<PathBuf>, Failure> {
    let Some(list) = &select.files_from else {
        return Ok(Vec::new());
    };
    let bytes = if list.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(list)
    };
    let bytes = bytes.map_err(|error| Failure::io("read", quote(list), error))?;
    Ok(walk::names(&bytes, if select.null { 0 } else { b'\n' }))
}

/// Makes the output folder; returns its identity.
fn output_folder(
    folder: &Path,
    sources: &[PathBuf],
    writes: bool,
) -> Result<Option<(u64, u64)>, Failure> {
    if writes {
        let made = fs::create_dir_all(folder);
        made.map_err(|error| Failure::io("create the folder", quote(folder), error))?;
        draft::sweep(folder);
    }
    let Ok(metadata) = fs::metadata(folder) else {
        return Ok(None);
    };
    let identity = (metadata.dev(), metadata.ino());
    let is_it = |source: &&PathBuf| {
        fs::metadata(source).is_ok_and(|one| (one.dev(), one.ino()) == identity)
    };
    if let Some(source) = sources.iter().find(is_it) {
        return Err(Failure::usage(&format!(
            "{}: is source and output folder; use --in-place to replace its files",
            quote(source)
        )));
    }
    Ok(Some(identity))
}

/// Locks the folders that are converted in place, so that no second run takes them.
fn lock(sources: &[PathBuf]) -> Result<Vec<File>, Failure> {
    let mut locks = Vec::new();
    let mut identities = HashSet::new();
    for source in sources {
        let Ok(file) = File::open(source) else {
            // The walk says what is wrong.
            continue;
        };
        let metadata = file
            .metadata()
            .map_err(|error| Failure::io("read", quote(source), error))?;
        if !metadata.is_dir() || !identities.insert((metadata.dev(), metadata.ino())) {
            continue;
        }
        let locked = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            return Err(Failure::usage(&format!(
                "{}: another run is converting this folder in place; wait until it ends",
                quote(source)
            )));
        }
        locks.push(file);
    }
    Ok(locks)
}

/// The journal is in the output folder or, in place, in the first source's.
fn open_journal(order: &Order<'_>, listed: &[PathBuf]) -> Result<Journal, Failure> {
    let Order {
        rules,
        how,
        select,
        sources,
        ..
    } = order;
    let in_place = matches!(order.place, Place::Sources { .. });
    let folder = match (&order.place, sources.first()) {
        (Place::Folder(folder), _) => folder.clone(),
        (_, Some(source)) if source.is_dir() => source.clone(),
        (_, Some(source)) => draft::folder_of(source).to_owned(),
        (_, None) => PathBuf::from("."),
    };
    let from = match order.from {
        Source::Given(encoding) => encoding.name(),
        Source::Auto => "auto",
    };
    let cwd = std::env::current_dir().unwrap_or_default();
    let options = format!(
        "{from} {} {:?} {:?} {:?} {:?} {in_place} {:?} {:?} {:?} {:?} {:?} {} {}",
        rules.to,
        rules.errors,
        rules.bom,
        rules.newline,
        order.compress,
        how.backup,
        select.include,
        select.exclude,
        sources,
        listed,
        select.gitignore,
        quote(&cwd)
    );
    let opened = Journal::open(&folder, &options, how.resume, in_place && !how.force);
    opened.map_err(|error| error.failure(&folder))
}
