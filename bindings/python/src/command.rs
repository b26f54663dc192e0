//! The command-line program, for `python -m mojika`.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command with these arguments, of which the first is the program name, and returns its exit status. Nothing
/// else may run in the process.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let status = mojika_cli::run(arguments);
        // Flush standard output, as a Rust program does at its end.
        let flushed = std::io::stdout().flush();
        if status == 0 && flushed.is_err() {
            1
        } else {
            status
        }
    })
}
