//! The command as users run it: files, folders, compression, interruption, and output.

#[path = "../common/mod.rs"]
mod common;

mod attributes;
mod bulk;
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
mod files;
#[cfg(unix)]
#[cfg(unix)]
mod lists;
mod rfc2781;
mod samples;
mod terminal;
