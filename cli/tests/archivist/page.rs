//! Runs the commands in the table of docs/FROM_ICONV.md, and compares them with the programs that they replace.

use super::common::state;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One row of the table: the other program's command, mojika's command, and the difference.
struct Row {
    there: String,
    here: String,
    differs: bool,
}

/// Returns the rows; empty if the page is not packaged with the tests.
fn rows() -> Vec<Row> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/FROM_ICONV.md");
    let Ok(text) = fs::read_to_string(page) else {
        return Vec::new();
    };
    let lines = text.lines().filter(|line| line.starts_with("| `"));
    let rows = lines.map(|line| {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<_> = line.trim_matches('|').split('|').collect();
        let [there, here, differs] = cells[..] else {
            panic!("{line}");
        };
        let command = |cell: &str| cell.trim().trim_matches('`').replace('\u{1}', "|");
        Row {
            there: command(there),
            here: command(here),
            differs: !differs.trim().is_empty(),
        }
    });
    rows.collect()
}

/// Creates the files that the table's commands read.
fn fill(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let french = "Les élèves ont déjà été reçus à l'école française, près du marché.\n";
    let japanese = "これは日本語の文章です。文字コードを変換します。\n";
    let russian = "Это русский текст, который написан достаточно длинно, чтобы его кодировку можно было узнать.\n";
    let latin1 = mojika::WINDOWS_1252.encode(french).unwrap();
    write("latin1.txt", &latin1);
    write("a/one.txt", &latin1);
    write("utf8.txt", french.as_bytes());
    write("utf8.ja.txt", japanese.as_bytes());
    write("bom.txt", &[b"\xEF\xBB\xBF", french.as_bytes()].concat());
    write("crlf.txt", b"one\r\ntwo\r\n");
    write("cr.txt", b"one\rtwo\r");
    write("sjis.txt", &mojika::SHIFT_JIS.encode(japanese).unwrap());
    write("koi8.txt", &mojika::KOI8_R.encode(russian).unwrap());
    fs::create_dir_all(folder.join("tree")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        for name in [
            &b"\xE9l\xE8ves re\xE7us.txt"[..],
            b"d\xE9j\xE0 vu \xE0 l'\xE9cole.txt",
        ] {
            let name = std::ffi::OsStr::from_bytes(name);
            fs::write(folder.join("tree").join(name), b"").unwrap();
        }
    }
}

/// Runs a command line in its own folder; also returns the files that it left.
fn shell(folder: &Path, line: &str) -> (Output, BTreeMap<PathBuf, Vec<u8>>) {
    fill(folder);
    let own = Path::new(env!("CARGO_BIN_EXE_mojika"))
        .parent()
        .unwrap()
        .to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(own).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("XDG_STATE_HOME", state())
        .output()
        .unwrap();
    let mut files = BTreeMap::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if let Ok(bytes) = fs::read(&path) {
            files.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
        }
    }
    (output, files)
}

#[test]
fn every_command_of_the_page_does_what_it_replaces() {
    let rows = rows();
    if rows.is_empty() {
        return;
    }
    assert!(rows.len() >= 30, "{} invocations", rows.len());
    let mut compared = 0;
    for row in &rows {
        let folder = tempfile::tempdir().unwrap();
        let (output, files) = shell(folder.path(), &row.here);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", row.here);
        let program = row
            .there
            .split(' ')
            .find(|word| ["iconv", "uconv"].contains(word));
        let Some(program) = program.filter(|_| !row.differs) else {
            continue;
        };
        if Command::new(program).arg("--version").output().is_err() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let (there, their_files) = shell(folder.path(), &row.there);
        assert!(there.status.success(), "{}", row.there);
        assert_eq!(output.stdout, there.stdout, "{} | {}", row.there, row.here);
        assert_eq!(files, their_files, "{} | {}", row.there, row.here);
        compared += 1;
    }
    println!("{compared} of {} commands are compared", rows.len());
}
