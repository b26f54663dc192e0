//! `mojika warc` on damaged archives, and killed or interrupted runs over folders.
#![cfg(all(unix, feature = "warc"))]

use crate::common::archives::{gzip, lines, page, record_of_length, zstd};
use crate::common::tree::{
    Met, begun, fast_folder, has_journal, kill_runs, number, read, signal, start, status,
};
use crate::common::{has, list};
use mojika_spec::sample::one_in;
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[test]
fn damage_is_reported_and_the_rest_is_read() {
    let (one, two) = (gzip(&page("一")), gzip(&page("二")));
    let mut flipped = two.clone();
    flipped[40] ^= 0x55;
    let long = record_of_length(
        "response",
        "application/http",
        b"HTTP/1.1 200 OK\r\n\r\n",
        5000,
    );
    let short = record_of_length(
        "response",
        "application/http",
        b"HTTP/1.1 200 OK\r\n\r\nabc",
        10,
    );
    let at = one.len();
    let rows = [
        ("flipped", [&one[..], &flipped, &one].concat(), 2),
        (
            "cut short",
            [&one[..], &two[..two.len() / 2], &one].concat(),
            2,
        ),
        ("garbage", [&one[..], b"garbage", &one].concat(), 2),
        ("too long", [&one[..], &gzip(&long), &one].concat(), 2),
        ("too short", [&one[..], &gzip(&short), &one].concat(), 2),
        (
            "the end is cut off",
            [&one[..], &two[..two.len() - 3]].concat(),
            1,
        ),
    ];
    for (name, archive, left) in rows {
        let (found, summary) = lines(&archive, 1);
        assert_eq!(found.len(), left, "{name}: {summary}");
        let offset = format!("a.warc: byte offset {at}: ");
        assert!(summary.contains(&offset), "{name}: {summary}");
    }
    // An archive that is not compressed loses no other record either.
    let (one, at) = (page("一"), page("一").len());
    // The record is truncated in the middle of a header line, or of the body.
    let (in_head, in_body) = (one[..60].to_vec(), one[..at - 6].to_vec());
    for damaged in [in_head, in_body, long, short, b"garbage\r\n\r\n".to_vec()] {
        let (found, summary) = lines(&[&one[..], &damaged, &one].concat(), 1);
        assert_eq!(found.len(), 2, "{summary}");
        has(&summary, &format!("byte offset {at}: "));
    }
}

#[test]
fn damaged_zstandard_frames_are_left_out() {
    let (one, two) = (zstd(&page("一")), zstd(&page("二")));
    let mut flipped = two.clone();
    flipped[30] ^= 0x55;
    let rows = [
        ("flipped", [&one[..], &flipped, &one].concat()),
        (
            "cut short",
            [&one[..], &two[..two.len() / 2], &one].concat(),
        ),
        ("garbage", [&one[..], b"garbage", &one].concat()),
    ];
    for (name, archive) in rows {
        let (found, summary) = lines(&archive, 1);
        assert_eq!(found.len(), 2, "{name}: {summary}");
        let offset = format!("a.warc: byte offset {}: ", one.len());
        assert!(summary.contains(&offset), "{name}: {summary}");
    }
}

#[test]
fn an_archive_whose_first_bytes_are_damaged_is_read_behind_them() {
    let one = page("一");
    for member in [gzip(&one), zstd(&one), one.clone()] {
        let mut flipped = member.clone();
        flipped[1] ^= 0x55;
        let (found, summary) = lines(&[&flipped[..], &member].concat(), 1);
        assert_eq!(found.len(), 1, "{summary}");
        assert!(summary.contains("byte offset 0: "), "{summary}");
    }
}

/// If a single member contains all records, no record after the damage can be read.
#[test]
fn a_damaged_member_of_many_records_keeps_those_before() {
    let records: Vec<_> = (0..50)
        .map(|number| page(&format!("{number} {}", "x".repeat(3000 + number))))
        .collect();
    let whole = gzip(&records.concat());
    let (found, summary) = lines(&whole[..whole.len() / 2], 1);
    assert!((5..50).contains(&found.len()), "{}", found.len());
    assert!(
        summary.contains("byte offset 0, ") && summary.contains(" bytes into the member: "),
        "{summary}"
    );
}

const ARCHIVES: usize = 12;
const LINE: &str = "warc in -o out/ -j 2 -q --resume=journal";

/// Creates a folder `in` of archives, with pages in many encodings, and returns the expected outputs.
fn archives() -> (TempDir, Vec<(String, Vec<u8>)>) {
    let folder = fast_folder();
    fs::create_dir(folder.path().join("in")).unwrap();
    let sample = fs::read(crate::common::samples().join("pages.warc.gz")).unwrap();
    for number in 0..ARCHIVES {
        let archive = [
            sample.repeat(20 + number),
            gzip(&page(&format!("archive {number}"))),
        ]
        .concat();
        fs::write(folder.path().join(format!("in/{number}.warc.gz")), archive).unwrap();
    }
    status(&folder, &LINE.replace("out/", "whole/"), 0);
    let names = (0..ARCHIVES).map(|number| format!("{number}.jsonl"));
    let whole = names.map(|name| {
        let bytes = read(&folder, &format!("whole/{name}"));
        (name, bytes)
    });
    let whole = whole.collect();
    (folder, whole)
}

/// Returns the number of outputs, after asserting that each is complete.
#[track_caller]
fn finished(folder: &TempDir, whole: &[(String, Vec<u8>)], what: &str) -> usize {
    let there = whole.iter().filter(|(name, expected)| {
        let found = fs::read(folder.path().join("out").join(name)).ok();
        assert!(
            found.as_ref().is_none_or(|found| found == expected),
            "{what}: {name} is not whole"
        );
        found.is_some()
    });
    there.count()
}

/// `MOJIKA_KILLS` is the number of killed runs, by default 8, or 24 if sweeps run all cases.
#[test]
fn killed_at_any_moment_a_run_is_resumed() {
    let rounds = number("MOJIKA_KILLS", 24 / one_in(3));
    let (folder, whole) = archives();
    let out = folder.path().join("out");
    let begin = Instant::now();
    assert!(start(&folder, LINE).wait().unwrap().success());
    let time = begin.elapsed();
    kill_runs(rounds, 4, time, |moment, what| {
        fs::remove_dir_all(&out).unwrap();
        let mut child = start(&folder, LINE);
        moment.wait(|| has_journal(&folder));
        child.kill().unwrap();
        let by_kill = child.wait().unwrap().code().is_none();
        finished(&folder, &whole, what);
        let has_begun = has_journal(&folder);
        let is_complete = !has_begun && finished(&folder, &whole, what) == ARCHIVES;
        let met = match (by_kill && !is_complete, has_begun) {
            (false, _) => Met::End,
            (true, false) => Met::Nothing,
            (true, true) => Met::Middle,
        };
        if !matches!(met, Met::End) {
            status(&folder, LINE, 0);
        }
        assert_eq!(finished(&folder, &whole, what), ARCHIVES, "{what}");
        assert_eq!(list(&out).len(), ARCHIVES, "{what}: outputs");
        assert_eq!(list(folder.path()), ["in", "out", "whole"], "{what}");
        met
    });
}

#[test]
fn signals_end_a_run_in_order() {
    for (name, expected) in [("INT", 130), ("TERM", 143)] {
        let (folder, whole) = archives();
        // The archive is so large that it is unfinished when the signal arrives.
        let large = folder.path().join("in/large.warc.gz");
        fs::write(&large, gzip(&page(&"字".repeat(1 << 20))).repeat(200)).unwrap();
        let mut child = start(&folder, LINE);
        let begin = Instant::now();
        while !folder.path().join("journal").exists() {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing begins");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(expected), "SIG{name}");
        finished(&folder, &whole, name);
        let names = list(&folder.path().join("out"));
        assert!(
            names
                .iter()
                .all(|one| !one.ends_with(".tmp") && one != "large.jsonl"),
            "{names:?}"
        );
        fs::remove_file(large).unwrap();
        status(&folder, LINE, 0);
        assert_eq!(finished(&folder, &whole, name), ARCHIVES);
    }
}

#[test]
fn an_interrupted_run_to_one_file_leaves_none() {
    let folder = tempfile::tempdir().unwrap();
    // Keep the input open until the signal has been handled.
    let (mut child, stdin) = begun(&folder, "warc - -o out.jsonl", &page("一"));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdin);
    assert!(list(folder.path()).is_empty(), "{:?}", list(folder.path()));
}

#[test]
fn outputs_in_a_folder_are_not_replaced_without_force() {
    let (folder, _) = archives();
    status(&folder, LINE, 0);
    let message = status(&folder, "warc in -o out/", 1);
    assert!(message.contains("--force"), "{message}");
    status(&folder, &format!("{LINE} --force"), 0);
    // A complete run cannot be resumed, so a new one begins.
    let message = status(&folder, &format!("{LINE} --force"), 0);
    assert!(message.contains("nothing to resume"), "{message}");
    assert!(!folder.path().join("journal").exists());
}

#[test]
fn a_run_goes_on_with_its_own_options_only() {
    let (folder, whole) = archives();
    status(&folder, LINE, 0);
    let out = folder.path().join("out");
    fs::remove_file(out.join(&list(&out)[0])).unwrap();
    // Only one archive is converted, because the outputs of the others exist.
    status(&folder, LINE, 1);
    for option in ["--confidence 0.5", "--tld ru", "--text plain"] {
        let message = status(&folder, &format!("{LINE} {option}"), 2);
        assert!(message.contains("another command"), "{option}: {message}");
    }
    status(&folder, &format!("{LINE} --force"), 0);
    assert_eq!(finished(&folder, &whole, "resumed"), ARCHIVES);
}
