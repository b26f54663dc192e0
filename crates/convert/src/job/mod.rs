//! The parts of a run over many files, except the conversion itself.
//!
//! * [`folder`]: open folders, in which files are found, created and renamed; [`tree`] walks through them.
//! * [`draft`]: a file that is invisible until it is complete.
//! * [`output_tree`]: the folders of the output.
//! * [`batch`]: drafts that are flushed together, recorded in the journal and made to appear.
//! * [`journal`]: finished files, for `--resume`; [`state`]: its folder.
//! * [`history`]: runs that can be reverted; [`renames`]: changed names; [`replaced`]: changed files.
//! * [`problem`]: the reason why a file was not converted; [`record`]: its result. [`report`] receives the records of all
//!   threads, shows progress, writes the report and adds up the [`summary`].
//! * `again`: the command that continues a run.
//! * [`operation`]: the whole of a run; [`signals`]: its orderly end; [`sources`]: locks on files that are changed in place.
//! * [`mail`]: the parts of messages in reports.
//! * [`lines`]: reports and lists; `own`: the files that they must not replace.
//! * [`names`]: file names in JSON.
//!
//! Nothing here depends on the subcommand or chooses encodings.

mod again;
pub mod batch;
pub mod draft;
pub mod folder;
pub mod history;
#[cfg_attr(not(feature = "gitignore"), path = "no_ignores.rs")]
mod ignores;
pub mod journal;
pub mod lines;
pub mod mail;
pub mod names;
pub mod operation;
pub mod output_tree;
mod own;
pub mod problem;
pub mod record;
pub mod renames;
pub mod replaced;
pub mod report;
pub mod signals;
pub mod sources;
pub mod state;
pub mod summary;
pub mod tree;
