//! Reverts the names of a run of `mojika names`, in reverse order.

use super::{Steps, UndoOutcome, shown};
use mojika_convert::job::folder::Opener;
use mojika_convert::job::history::RecordedRun;
use mojika_convert::job::operation::going;
use mojika_convert::job::renames::{RenameState, Renames};
use mojika_convert::job::signals;
use mojika_convert::quote::quote;
use mojika_convert::report::Failure;
use std::path::Path;

/// Reverts the names of a run.
///
/// # Errors
///
/// Fails if the run's record cannot be read, or the undo cannot be recorded.
pub fn undo(run: &RecordedRun, is_dry: bool, steps: &mut Steps) -> Result<(), Failure> {
    let failed = |error| Failure::io("read", "the record of the run", error);
    let mut renames = Renames::read(run).map_err(failed)?;
    if !is_dry {
        let noted = run.append(b"\n{\"undo\":true}\n");
        noted.map_err(|error| Failure::io("write to", "the record of the run", error))?;
    }
    let mut opener = Opener::default();
    for at in going((0..renames.list.len()).rev()) {
        let one = &renames.list[at];
        let is_next = match one.state {
            RenameState::Done => true,
            RenameState::Undone => false,
            // An interrupted run may have renamed the file without recording that.
            RenameState::Planned => !renames.is_complete && renames.was_done(&mut opener, at),
        };
        if !is_next {
            continue;
        }
        let name = shown(&one.spot.root.join(renames.now(&one.spot)));
        let line = format!(
            "{} -> {}",
            shown(&one.spot.root.join(one.spot.parent()).join(&one.to)),
            quote(Path::new(one.spot.name()))
        );
        let result = match is_dry {
            true => renames.check_undo(&mut opener, at),
            false => renames.undo(&mut opener, run, at),
        };
        steps.add(match result {
            Ok(()) => UndoOutcome::Back(line),
            Err(reason) => UndoOutcome::Refused(name, reason),
        })?;
    }
    if !is_dry && !signals::stopped() {
        let noted = run.append(b"{\"undo\":false}\n");
        noted.map_err(|error| Failure::io("complete", "the record of the run", error))?;
    }
    Ok(())
}
