//! The state of standard output.

use std::fs;
use std::path::Path;

/// True if standard output is this file, which would grow while it is read.
pub fn is_standard_output(file: &Path) -> bool {
    let is_regular = fs::metadata(file).is_ok_and(|metadata| metadata.is_file());
    is_regular
        && match (
            same_file::Handle::stdout(),
            same_file::Handle::from_path(file),
        ) {
            (Ok(output), Ok(input)) => output == input,
            _ => false,
        }
}

/// True if standard output was closed when the command started.
///
/// Rust's runtime opens the null device for reading and writing in place of a closed stream. A user who discards the output
/// opens it only for writing.
pub fn was_closed() -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = rustix::fs::fcntl_getfl(rustix::stdio::stdout());
        let is_both = flags.is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR);
        let own = same_file::Handle::stdout();
        let null = same_file::Handle::from_path("/dev/null");
        is_both && matches!((own, null), (Ok(own), Ok(null)) if own == null)
    }
    #[cfg(not(unix))]
    false
}
