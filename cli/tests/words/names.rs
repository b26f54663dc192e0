//! What `names` and `undo` say: of nothing, of one name, of several that are renamed and refused.

use crate::common::mojika;
use crate::{snapshot, stable};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What a command says on both streams, with its status. Its notes are in the folder.
fn told(path: &Path, line: &str) -> String {
    let mut command = mojika();
    command.args(line.split(' ')).current_dir(path);
    let output = command.env("XDG_STATE_HOME", path.join("state")).output();
    let output = output.unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let status = output.status.code().unwrap();
    stable(&format!("$ mojika {line}\n{text}status {status}\n"))
}

fn write(path: &Path, name: &str) {
    let name = mojika::KOI8_R.encode(name).unwrap();
    fs::write(path.join(OsStr::from_bytes(&name)), "").unwrap();
}

#[test]
fn names_and_undo() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["none", "one", "several/inner"] {
        fs::create_dir_all(path.join(name)).unwrap();
    }
    fs::write(path.join("none/ascii"), "").unwrap();
    write(&path.join("one"), "имя");
    write(&path.join("several"), "первое");
    write(&path.join("several/inner"), "второе");
    // Both would have one name; and one that is there.
    fs::write(path.join("several/e\u{301}"), "").unwrap();
    fs::write(path.join("several/é"), "").unwrap();
    let lines = [
        "names none",
        "names --from koi8-r one",
        "names --from koi8-r --json one",
        "names --from koi8-r --normalize nfc several",
        "names --from koi8-r --normalize nfc --json several",
        "names --from koi8-r --rename none",
        "names --from koi8-r --rename one",
        "names --from koi8-r --rename --resume several",
        "names --from koi8-r --rename --normalize nfc several",
        "names several",
        "undo 7",
        "undo 2 --dry-run",
        "undo 2",
        "undo 1 -q",
        "undo",
        "undo --list",
        "names gone",
        "names --from utf-16le one",
        "names --to utf-16le one",
        "names --from koi8-r --to gbk one",
        "names --from koi8-r --tld ru one",
    ]
    .map(|line| told(path, line));
    // Notes have the path of the command.
    snapshot("names.txt", &lines.join("\n"));
}
