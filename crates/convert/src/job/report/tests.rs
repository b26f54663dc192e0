//! The report of a resumed run.

use super::*;

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

/// Names are exact, and each ends with the requested byte.
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
