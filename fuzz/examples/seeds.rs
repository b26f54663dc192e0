//! Writes the seeds: `cargo run --no-default-features --example seeds -- DIRECTORY` makes `DIRECTORY/TARGET/NAME`.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let directory = PathBuf::from(env::args_os().nth(1).expect("a directory"));
    for (target, _) in mojika_fuzz::TARGETS {
        let directory = directory.join(target);
        fs::create_dir_all(&directory)?;
        for (name, bytes) in mojika_fuzz::seeds::of(target) {
            fs::write(directory.join(name), bytes)?;
        }
    }
    Ok(())
}
