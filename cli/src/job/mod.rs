//! What a subcommand that writes many files needs beside the conversion itself.
//!
//! * [`folder`]: open folders, in which files are found, made and renamed; [`tree`] walks through them.
//! * [`draft`]: a file that nobody sees before it is complete.
//! * [`output_tree`]: the folders of the output.
//! * [`batch`]: drafts that are forced to the disk together, noted in the journal and made to appear.
//! * [`journal`]: what a run has finished, for `--resume`; [`state`]: where it is kept.
//! * [`record`]: what became of one file; [`report`] takes the records of all threads, shows progress, writes the
//!   report and adds up the [`summary`].
//! * [`signals`]: a run ends in order.
//! * [`names`]: file names in JSON.
//!
//! Nothing here knows which subcommand runs or chooses encodings.

#[cfg_attr(not(feature = "progress"), path = "no_bar.rs")]
mod bar;
pub mod batch;
pub mod draft;
pub mod folder;
#[cfg_attr(not(feature = "gitignore"), path = "no_ignores.rs")]
mod ignores;
pub mod journal;
pub mod names;
pub mod output_tree;
pub mod record;
pub mod report;
pub mod signals;
pub mod state;
pub mod summary;
pub mod tree;

use crate::quote::quote;
use std::path::Path;

/// The command that goes on with this run.
pub fn again() -> String {
    let mut words: Vec<_> = std::env::args_os()
        .filter(|word| word != "--restart")
        .map(|word| quote(Path::new(&word)))
        .collect();
    if !words.iter().any(|word| word == "--resume") {
        words.insert(words.len().min(2), "--resume".to_owned());
    }
    words.join(" ")
}
