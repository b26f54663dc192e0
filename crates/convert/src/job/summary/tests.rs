//! Tests of listed and counted files, and of the format of byte counts.

use super::*;
use crate::engine::Seen;

fn record(number: usize, fate: Fate) -> Record {
    let mut record = Record::new(PathBuf::from(format!("{number:02}")), fate);
    record.bytes_in = 1000;
    record
}

fn text(summary: &Summary) -> String {
    summary.text(Duration::from_secs(2), None, "converted")
}

/// Returns the lines after a heading, up to the empty line.
fn listed<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn lists_have_twenty_files_and_say_how_many_more() {
    type Change = fn(&mut Record);
    let failed: Change = |record| record.reason = Some("why".to_owned());
    let replaced: Change = |record| record.malformed = 1;
    let mixed: Change = |record| {
        let mut seen = Seen::default();
        (seen.line_ends.lf, seen.line_ends.crlf) = (1, 1);
        record.seen = Some(seen);
    };
    let doubted: Change = |record| {
        (record.encoding, record.why, record.malformed) =
            (Some(mojika::KOI8_R), Some("detection"), 1);
        record.doubt = Some(Box::default());
    };
    let marked: Change = |record| {
        let seen = Seen {
            marks: 1,
            ..Seen::default()
        };
        record.seen = Some(seen);
    };
    for (heading, fate, change) in [
        ("failed:", Fate::Failed, failed),
        ("doubtful, left as they are:", Fate::Doubtful, doubted),
        (
            "replaced or dropped, as --errors says:",
            Fate::Converted,
            replaced,
        ),
        ("mixed line ends:", Fate::Converted, mixed),
        ("byte order marks after the start:", Fate::Converted, marked),
        ("warnings:", Fate::Converted, failed),
    ] {
        for count in [1, 20, 21, 25] {
            let mut summary = Summary::default();
            for number in 0..count {
                let mut record = record(number, fate);
                change(&mut record);
                summary.add(&record);
            }
            let text = text(&summary);
            let lines = listed(&text, heading);
            let shown = count.min(20);
            assert_eq!(lines.len(), shown + usize::from(count > 20), "{text}");
            for (number, line) in lines[..shown].iter().enumerate() {
                assert!(line.starts_with(&format!("  {number:02}: ")), "{text}");
            }
            if count > 20 {
                let more = format!("  and {} more; --report FILE lists all", count - 20);
                assert_eq!(lines[20], more);
            }
            assert_eq!(summary.has_failures(), fate == Fate::Failed);
            assert_eq!(summary.has_doubts(), fate == Fate::Doubtful);
            // The table has no doubtful files.
            assert!(!text.contains("KOI8-R"), "{text}");
        }
        // Without such files, there is no heading.
        let mut summary = Summary::default();
        summary.add(&record(0, Fate::Converted));
        assert!(!text(&summary).contains(heading));
    }
}

#[test]
fn bytes_are_those_of_the_files_that_were_worked_on() {
    let mut summary = Summary::default();
    let fates = [
        Fate::Converted,
        Fate::Already,
        Fate::Copied,
        Fate::Skipped,
        Fate::Finished,
        Fate::Failed,
    ];
    for (number, fate) in fates.into_iter().enumerate() {
        summary.add(&record(number, fate));
    }
    let text = text(&summary);
    let first = text.lines().next().unwrap();
    assert_eq!(
        first,
        "6 files, 4.0 kB in 2.00 s (2.0 kB/s): 1 converted, 1 in the output encoding already, 1 copied, 1 skipped, \
         1 finished before, 1 failed"
    );
    let mut one = Summary::default();
    one.add(&record(0, Fate::Converted));
    assert!(self::text(&one).starts_with("1 file, 1.0 kB in 2.00 s (500 B/s): 1 converted\n"));
}

/// A failed file has no replacements, because nothing was written.
#[test]
fn the_table_adds_up_by_encoding_and_reason() {
    let mut summary = Summary::default();
    for (number, fate) in [Fate::Converted, Fate::Converted, Fate::Failed]
        .into_iter()
        .enumerate()
    {
        let mut record = record(number, fate);
        (record.encoding, record.why) = (Some(mojika::KOI8_R), Some("detection"));
        (record.malformed, record.unmappable) = (2, 3);
        summary.add(&record);
    }
    let text = text(&summary);
    let row = text.lines().find(|line| line.starts_with("KOI8-R"));
    let cells: Vec<_> = row.unwrap().split_whitespace().collect();
    assert_eq!(cells, ["KOI8-R", "detection", "3", "3.0", "kB", "10", "1"]);
    assert_eq!(
        listed(&text, "replaced or dropped, as --errors says:"),
        [
            "  00: 2 malformed, 3 not in the output encoding",
            "  01: 2 malformed, 3 not in the output encoding"
        ]
    );
}

#[test]
fn line_ends_are_mixed_from_two_kinds_on() {
    let mut summary = Summary::default();
    for (number, (lf, crlf, cr)) in [(3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 0, 1), (0, 1, 1)]
        .into_iter()
        .enumerate()
    {
        let mut record = record(number, Fate::Converted);
        let mut seen = Seen::default();
        (seen.line_ends.lf, seen.line_ends.crlf, seen.line_ends.cr) = (lf, crlf, cr);
        record.seen = Some(seen);
        summary.add(&record);
    }
    let text = text(&summary);
    let names: Vec<_> = listed(&text, "mixed line ends:")
        .iter()
        .map(|line| &line[2..4])
        .collect();
    assert_eq!(names, ["03", "04"]);
}

#[test]
fn bytes_have_two_or_three_digits_and_the_largest_unit_that_fits() {
    for (count, text) in [
        (0.0, "0 B"),
        (1.0, "1 B"),
        (999.0, "999 B"),
        (1000.0, "1.0 kB"),
        (1049.0, "1.0 kB"),
        (1051.0, "1.1 kB"),
        (99_900.0, "99.9 kB"),
        (99_960.0, "100 kB"),
        (999_400.0, "999 kB"),
        (999_600.0, "1.0 MB"),
        (1e9, "1.0 GB"),
        (2.5e12, "2.5 TB"),
        (1e15, "1000 TB"),
    ] {
        assert_eq!(bytes(count), text);
    }
}

/// The column is wide enough for reasons that are longer than its heading.
#[test]
fn columns_of_the_table_end_at_one_place() {
    let mut summary = Summary::default();
    for (number, why) in ["bom", "xml-declaration"].into_iter().enumerate() {
        let mut record = record(number, Fate::Converted);
        (record.encoding, record.why) = (Some(mojika::UTF_8), Some(why));
        summary.add(&record);
    }
    let text = text(&summary);
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("encoding"));
    let ends: Vec<_> = lines.take(3).map(str::len).collect();
    assert!(
        ends.len() == 3 && ends.iter().all(|end| *end == ends[0]),
        "{text}"
    );
}
