//! The command, for `python -m mojika`.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command with these arguments, the program's name first; returns its exit status. For a process of its own.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let status = mojika_cli::run(arguments);
        // A program in Rust does this when it ends.
        let flushed = std::io::stdout().flush();
        if status == 0 && flushed.is_err() {
            1
        } else {
            status
        }
    })
}
