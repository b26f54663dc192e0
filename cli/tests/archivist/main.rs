//! From an old server to clean UTF-8: the tasks of archivists and users of iconv.

#[path = "../common/mod.rs"]
mod common;

#[cfg(unix)]
mod declarations;
#[cfg(unix)]
mod line_ends;
#[cfg(unix)]
mod mail;
#[cfg(all(unix, feature = "mail"))]
mod mail_header;
#[cfg(unix)]
mod mixed;
#[cfg(unix)]
mod names;
mod names_of_encodings;
#[cfg(unix)]
mod page;
#[cfg(unix)]
mod repair;
#[cfg(unix)]
mod show;
#[cfg(unix)]
mod undo;
#[cfg(unix)]
mod unmappable;
#[cfg(all(unix, feature = "zip"))]
mod zip;
