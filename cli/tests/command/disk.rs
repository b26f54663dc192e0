//! Full or read-only file systems, file systems that fail to read a source, and runs that may open few files.

#![cfg(target_os = "linux")]

use crate::common::tree::{bash, converted, fast_folder, folder, read, run, status};
use crate::common::{list, mojika};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const OLD: &[u8] = b"\xE4\xE0 ";
const NEW: &str = "да ";

/// A file system in memory, unmounted on drop.
struct Mount(PathBuf);

impl Mount {
    /// Mounts the file system; `None` if this user may not mount.
    fn new(path: &Path, options: &str) -> Option<Self> {
        fs::create_dir_all(path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "mojika-test"])
            .arg(path)
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self(path.to_owned()));
        }
        eprintln!("left out: mounting is not permitted here");
        None
    }

    fn make_read_only(&self) {
        let mounted = Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(&self.0)
            .status();
        assert!(mounted.unwrap().success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn write_files(folder: &Path, count: usize, bytes: &[u8]) {
    fs::create_dir_all(folder).unwrap();
    for file in 0..count {
        fs::write(folder.join(format!("{file:02}")), bytes).unwrap();
    }
}

#[test]
fn a_file_system_that_fills_up_loses_nothing() {
    let (old, new) = (OLD.repeat(10_000), NEW.repeat(10_000));
    let folder = folder(&[]);
    let made_of = |name: &str, count| {
        let names = (0..count).map(|file| format!("{name}/{file:02}"));
        converted(&folder, names, &old, new.as_bytes())
    };
    let Some(_mount) = Mount::new(&folder.path().join("small"), "size=1m") else {
        return;
    };
    // The output folder is on the small file system. Each file has 50 KB.
    write_files(&folder.path().join("src"), 40, &old);
    let summary = status(&folder, "convert -f windows-1251 src -o small/out -j 2", 1);
    assert!(summary.contains("No space left on device"), "{summary}");
    let made = made_of("small/out", 40);
    assert!((5..40).contains(&made), "{made}");
    assert_eq!(made_of("src", 40), 0);
    let names = list(&folder.path().join("small/out"));
    assert_eq!(names.len(), made, "outputs: {names:?}");
    fs::remove_dir_all(folder.path().join("small/out")).unwrap();

    // The sources are on the small file system and converted in place.
    write_files(&folder.path().join("small/src"), 25, &old);
    let line = "convert -f windows-1251 -i small/src -j 1";
    let summary = status(&folder, line, 1);
    assert!(summary.contains("No space left on device"), "{summary}");
    let made = made_of("small/src", 25);
    assert!(made < 25, "{made}");
    assert_eq!(list(&folder.path().join("small/src")).len(), 25);
    // When there is free space again, the run is resumed.
    for file in 0..10 {
        fs::remove_file(folder.path().join(format!("small/src/{file:02}"))).unwrap();
    }
    status(&folder, &format!("{line} --resume"), 0);
    assert_eq!(made_of("small/src", 25), 15);
}

#[test]
fn what_is_read_only_is_reported_and_the_rest_goes_on() {
    let folder = folder(&[("src/a", OLD), ("other/b", OLD)]);
    let Some(mount) = Mount::new(&folder.path().join("src/fixed"), "size=1m") else {
        return;
    };
    fs::write(folder.path().join("src/fixed/c"), OLD).unwrap();
    fs::create_dir(folder.path().join("src/fixed/there")).unwrap();
    fs::create_dir(folder.path().join("other/sub")).unwrap();
    mount.make_read_only();
    let summary = status(&folder, "convert -f windows-1251 -i src", 1);
    assert!(summary.contains("src/fixed/c: cannot "), "{summary}");
    assert!(summary.contains("Read-only file system"), "{summary}");
    assert_eq!(read(&folder, "src/a"), NEW.as_bytes());
    assert_eq!(read(&folder, "src/fixed/c"), OLD);
    // The output, or one of the sources in place, is on the read-only file system.
    for line in [
        "convert -f windows-1251 other -o src/fixed/out",
        "convert -f windows-1251 -i src/fixed",
    ] {
        let message = status(&folder, line, 1);
        assert!(message.contains("Read-only file system"), "{message}");
    }
    // The output is a subfolder of an existing output folder.
    let line = "convert -f windows-1251 other -o src/fixed/there/";
    let summary = status(&folder, line, 1);
    let said = "other/sub: cannot create the folder: Read-only file system";
    assert!(summary.contains(said), "{summary}");
    // The sources are on the read-only file system.
    status(&folder, "convert -f windows-1251 src/fixed -o out", 0);
    assert_eq!(read(&folder, "out/c"), NEW.as_bytes());
}

#[test]
fn a_source_that_shrinks_is_reported_and_gives_no_output() {
    let folder = fast_folder();
    fs::create_dir(folder.path().join("src")).unwrap();
    let path = folder.path().join("src/a");
    for line in ["src -o out -q -j 1", "src/a -o out/a"] {
        let _ = fs::create_dir(folder.path().join("out"));
        File::create(&path).unwrap().set_len(400 << 20).unwrap();
        let child = mojika()
            .args(["convert", "-a", "-f", "windows-1251"])
            .args(line.split(' '))
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Wait until the file is open.
        let descriptors = PathBuf::from(format!("/proc/{}/fd", child.id()));
        let is_open = || {
            let links = fs::read_dir(&descriptors).into_iter().flatten().flatten();
            links
                .filter_map(|link| fs::read_link(link.path()).ok())
                .any(|target| target == path)
        };
        let start = Instant::now();
        while !is_open() {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "it is not opened"
            );
        }
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(1 << 20)
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}");
        let names = list(&folder.path().join("out"));
        assert!(names.is_empty(), "{names:?}");
    }
    let failed = run(&folder, "convert -f windows-1251 src/gone -o out/");
    assert_eq!(failed.status, 1);
    failed.says("src/gone: cannot read");
}

/// `MOJIKA_FILES` is the number of files, 2000 by default.
#[test]
fn many_files_need_few_open_files() {
    let count = std::env::var("MOJIKA_FILES").map_or(2000, |count| count.parse().unwrap());
    let folder = fast_folder();
    for file in 0..count {
        let name = folder.path().join(format!("src/{}", file / 500));
        if file % 500 == 0 {
            fs::create_dir_all(&name).unwrap();
        }
        // Some files are empty.
        fs::write(name.join(file.to_string()), OLD.repeat(file % 7)).unwrap();
    }
    let script = "ulimit -n 80; exec mojika convert -f windows-1251 src -o out -j 4";
    let run = bash(folder.path(), script);
    let summary = run.stderr;
    assert_eq!(run.status, 0, "{summary}");
    assert!(
        summary.starts_with(&format!("{count} files, ")),
        "{summary}"
    );
    for file in 0..count {
        let text = read(&folder, &format!("out/{}/{file}", file / 500));
        assert!(text == NEW.repeat(file % 7).as_bytes(), "{file}");
    }
}

/// Each waiting draft may keep a folder of its own open, and each job its source and folders.
#[test]
fn files_in_folders_of_their_own_need_few_open_files_too() {
    let folder = fast_folder();
    for file in 0..200 {
        let name = folder.path().join(format!("src/{file}"));
        fs::create_dir_all(&name).unwrap();
        fs::write(name.join("a"), OLD).unwrap();
    }
    for (files, jobs) in [(16, 8), (100, 2)] {
        let line = format!("convert -f windows-1251 src -o {files} -j {jobs}");
        let run = bash(
            folder.path(),
            &format!("ulimit -n {files}; exec mojika {line}"),
        );
        assert_eq!(run.status, 0, "{files}: {}", run.stderr);
        run.says(" 200 converted\n");
    }
}

/// With all cores on one file, output and report are the same as with one core.
#[test]
fn jobs_do_not_change_the_output_of_one_file() {
    let folder = fast_folder();
    let mut bytes = b"\x95\xB6\x8E\x9A text of a line\n".repeat(900_000);
    for at in (1000..bytes.len()).step_by(777_777) {
        bytes[at] = 0xFD;
    }
    fs::write(folder.path().join("a"), &bytes).unwrap();
    let line = "convert -f sjis --errors replacement a";
    for jobs in [1, 2, 5] {
        run(
            &folder,
            &format!("{line} -o {jobs} -j {jobs} --report r{jobs} -q"),
        )
        .ok();
    }
    let report = |jobs: &str| {
        let report = String::from_utf8(read(&folder, &format!("r{jobs}"))).unwrap();
        report.split(",\"seconds\"").next().unwrap().to_owned()
    };
    assert!(report("1").contains("\"malformed\":"), "{}", report("1"));
    for jobs in ["2", "5"] {
        assert!(read(&folder, "1") == read(&folder, jobs), "{jobs} jobs");
        assert_eq!(report("1"), report(jobs));
    }
}
