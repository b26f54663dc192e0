//! The report of a run that is resumed.

use super::*;

/// The report goes on after its last whole line, however long the line is that was cut off.
#[test]
fn a_report_goes_on_after_its_last_whole_line() {
    const BLOCK: usize = 64 << 10;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    for before in [0, 1, 10, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
        for cut in [0, 1, 10, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
            // A line of that length with its end, and the start of another.
            let mut bytes = vec![b'a'; before];
            if let Some(last) = bytes.last_mut() {
                *last = b'\n';
            }
            bytes.resize(before + cut, b'b');
            std::fs::write(&path, &bytes).unwrap();
            let (mut file, length) = go_on(&path).unwrap();
            assert_eq!(length, before as u64, "{before} and {cut}");
            file.write_all(b"new\n").unwrap();
            let expected = [&bytes[..before], b"new\n"].concat();
            assert!(
                std::fs::read(&path).unwrap() == expected,
                "{before} and {cut}"
            );
        }
    }
    // There is none yet.
    let (_, length) = go_on(&folder.path().join("none")).unwrap();
    assert_eq!(length, 0);
}

/// What the run that is resumed has reported is not reported again; where its report has gone, everything is.
#[test]
fn a_resumed_run_reports_each_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    for (there, expected) in [("{}\n", vec!["{}", "new"]), ("", vec!["old", "new"])] {
        std::fs::write(&path, there).unwrap();
        let reporter = Reporter::new(&Say {
            report: Some(&path),
            progress: Progress::Never,
            resume: true,
            ..Say::default()
        });
        let reporter = reporter.unwrap();
        for (name, is_reported) in [("old", true), ("new", false)] {
            let mut record = Record::new(name.into(), Fate::Finished);
            record.is_reported = is_reported;
            reporter.add(record);
        }
        reporter.finish().1.unwrap();
        let report = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = report.lines().collect();
        assert_eq!(lines.len(), expected.len(), "{report}");
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.contains(expected), "{report}");
        }
    }
}

/// Names are exact, and each is ended as the user has asked for.
#[test]
fn doubtful_files_are_listed_by_their_names_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    for end in [b'\n', 0] {
        let reporter = Reporter::new(&Say {
            doubtful: Some((&path, end)),
            progress: Progress::Never,
            ..Say::default()
        });
        let reporter = reporter.unwrap();
        for (name, fate) in [
            ("a", Fate::Doubtful),
            ("b", Fate::Failed),
            ("c d", Fate::Doubtful),
        ] {
            reporter.add(Record::new(name.into(), fate));
        }
        reporter.finish().1.unwrap();
        let list = std::fs::read(&path).unwrap();
        assert_eq!(list, [b"a", &[end][..], b"c d", &[end]].concat());
    }
}
