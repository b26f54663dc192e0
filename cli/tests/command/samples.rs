//! Every sample file, converted there and back, and the messages about encodings.

use crate::common::{list, run, run_in, samples};
use std::fs;

#[test]
fn every_sample_converts_to_its_expected_text_and_back() {
    let folder = samples();
    let mut count = 0;
    for name in list(&folder) {
        let Some(stem) = name.strip_suffix(".txt") else {
            continue;
        };
        let (language, label) = stem.split_once('.').unwrap();
        let expected = fs::read(folder.join(format!("utf-8/{language}.txt"))).unwrap();
        let sample = fs::read(folder.join(&name)).unwrap();

        let text = run_in(&folder, &["convert", "--from", label, &name], b"").ok();
        assert!(text == expected, "{name} to UTF-8");

        let mut args = vec!["convert", "--from", "utf-8", "--to", label, "-"];
        if sample.starts_with(b"\xFF\xFE") {
            args.push("--bom");
        }
        assert!(
            run_in(&folder, &args, &text).ok() == sample,
            "{name} and back"
        );
        count += 1;
    }
    assert!(count >= 16, "{count} samples");
}

#[test]
fn encodings_are_listed_with_their_labels() {
    let list = String::from_utf8(run("encodings", b"").ok()).unwrap();
    let count = mojika::Encoding::all().len() + mojika::extended::all().count();
    // The Standard's encodings are followed by an empty line and a heading, then by the others.
    assert_eq!(list.lines().count(), count + 2);
    assert!(list.starts_with("UTF-8: unicode-1-1-utf-8, "));
    let names = String::from_utf8(run("encodings --names", b"").ok()).unwrap();
    assert_eq!(names.lines().count(), count);
    assert!(names.lines().any(|name| name == "Shift_JIS"));
    // Each row has a name from the list above, with its other names.
    let rows: Vec<_> = list
        .lines()
        .filter_map(|row| row.split_once(": "))
        .collect();
    let of_rows: Vec<_> = rows.iter().map(|(name, _)| *name).collect();
    assert_eq!(of_rows, names.lines().collect::<Vec<_>>());
    let of_page = rows.iter().find(|(name, _)| *name == "IBM037").unwrap().1;
    assert_eq!(
        of_page,
        "ibm037, ebcdic-cp-us, ebcdic-cp-ca, ebcdic-cp-wt, ebcdic-cp-nl, csibm037 (Windows code page 37)"
    );
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = String::from_utf8(run("--version", b"").ok()).unwrap();
    assert_eq!(
        version.trim_end(),
        concat!("mojika ", env!("CARGO_PKG_VERSION"))
    );
}
