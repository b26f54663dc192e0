//! Passes the versions in the report to the compiler: that of rustc, and those of the peers in the lock file.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).trim().into(),
    );
    println!("cargo::rustc-env=BENCH_RUSTC_VERSION={version}");

    let lock = Path::new("../Cargo.lock");
    println!("cargo::rerun-if-changed=../Cargo.lock");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(nightly_peers)");
    let lock = fs::read_to_string(lock).unwrap_or_default();
    for (package, variable) in [
        ("encoding_rs", "BENCH_ENCODING_RS_VERSION"),
        ("simdutf", "BENCH_SIMDUTF_VERSION"),
    ] {
        println!(
            "cargo::rustc-env={variable}={}",
            locked_version(&lock, package)
        );
    }
}

/// Returns the version of a package in a lock file, or "unknown".
fn locked_version<'a>(lock: &'a str, package: &str) -> &'a str {
    lock.split("[[package]]")
        .find(|entry| entry.contains(&format!("name = \"{package}\"\n")))
        .and_then(|entry| entry.split("version = \"").nth(1))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or("unknown")
}
