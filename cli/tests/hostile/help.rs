//! Helpers for modes, pipes and other users.

use crate::common::{Run, mojika};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;
use tempfile::TempDir;

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

pub fn mode(folder: &TempDir, name: &str) -> u32 {
    fs::metadata(folder.path().join(name)).unwrap().mode() & 0o7777
}

pub fn set_mode(folder: &TempDir, name: &str, mode: u32) {
    fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs the script as another user, if this one is root. That user may run the binary and enter the folder.
pub fn run_as_other(folder: &TempDir, script: &str) -> Run {
    let binary = folder.path().join("mojika-copy");
    fs::copy(mojika().get_program(), &binary).unwrap();
    set_mode(folder, "mojika-copy", 0o755);
    set_mode(folder, "", 0o755);
    let script = script.replace("mojika ", &format!("{} ", binary.display()));
    let mut command = match is_root() {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "bash"]);
            command
        }
        false => Command::new("bash"),
    };
    let state = folder.path().join("state");
    fs::create_dir_all(&state).unwrap();
    set_mode(folder, "state", 0o777);
    command
        .env("XDG_STATE_HOME", state)
        .args(["-c", &script])
        .current_dir(folder.path());
    command.output().unwrap().into()
}
