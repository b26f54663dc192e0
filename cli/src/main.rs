//! The program `mojika`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mojika_cli::run(std::env::args_os()))
}
