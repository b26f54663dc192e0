//! Runs one input without libFuzzer: `cargo run --no-default-features --example replay -- TARGET FILE...`.

use std::{env, fs, io};

fn main() -> io::Result<()> {
    let mut arguments = env::args_os().skip(1);
    let name = arguments.next().expect("a target");
    let (_, check) = mojika_fuzz::TARGETS
        .into_iter()
        .find(|(target, _)| name == *target)
        .expect("the name of a target");
    for file in arguments {
        check(&fs::read(&file)?);
        println!("{}: passed", file.display());
    }
    Ok(())
}
