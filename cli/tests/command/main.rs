//! The command as users run it: files, folders, compression, interruption, and output.

#[path = "../common/mod.rs"]
mod common;

mod attributes;
mod bulk;
#[cfg(all(unix, feature = "compressed"))]
mod cases;
#[cfg(feature = "compressed")]
mod compressed;
mod convert;
mod crash;
mod decision;
mod disk;
#[cfg(unix)]
mod doubt;
#[cfg(all(unix, feature = "edit"))]
mod edit;
mod extended;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod lists;
mod samples;
mod terminal;
