//! Reverts the files of a run of `mojika convert --in-place --backup`, the last one first. The other hard links of a
//! file are reverted before the name with the backup.

use super::{Steps, UndoOutcome, shown};
use mojika_convert::job::history::RecordedRun;
use mojika_convert::job::journal;
use mojika_convert::job::operation::going;
use mojika_convert::job::replaced::{self, Back};
use mojika_convert::report::Failure;
use std::collections::HashSet;

/// Reverts the files of a run.
///
/// # Errors
///
/// Fails if the run's record cannot be read, or the journal of an interrupted run cannot be removed.
pub fn undo(run: &RecordedRun, is_dry: bool, steps: &mut Steps) -> Result<(), Failure> {
    let failed = |error| Failure::io("read", "the record of the run", error);
    let list = replaced::read(run).map_err(failed)?;
    if !is_dry && let Some(path) = &run.header.journal {
        // Reverted files are no longer converted, so the run must not be resumed.
        let removed = journal::remove_of_run(path, run.id);
        removed.map_err(|error| Failure::io("remove", "the journal of the run", error))?;
    }
    let mut swept = HashSet::new();
    for one in going(list.iter().rev()) {
        if !is_dry && swept.insert(one.path().parent()) {
            one.sweep();
        }
        let result = match is_dry {
            true => one.check(),
            false => one.undo(),
        };
        let name = shown(one.path());
        match result {
            Ok(Back::Already) => {}
            Ok(Back::Possible) => steps.add(UndoOutcome::Back(name))?,
            Err(reason) => steps.add(UndoOutcome::Refused(name, reason))?,
        }
    }
    Ok(())
}
