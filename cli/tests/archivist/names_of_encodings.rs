//! Tests that the encoding names of glibc's iconv mean the same in `mojika`: both must decode the same text.

use mojika::{Encoding, extended};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

/// Code pages that differ from glibc's edition: docs/EXTENDED.md states the reasons.
const EDITIONS: [&str; 2] = ["IBM290", "IBM918"];

/// Names that mean something else in the Standard, or in IBM's tables, than in glibc: see docs/FROM_ICONV.md.
const OTHERWISE: &[&str] = &[
    "EUC-JP",
    "EUC-JP-MS",
    "IBM278",
    "IBM285",
    "IBM424",
    "IBM856",
    "IBM870",
    "IBM875",
    "IBM880",
    "IBM905",
    "IBM1006",
    "IBM1026",
    "IBM864",
    "IBM871",
    "ISO-8859-8",
    "KOI8-U",
    "MACINTOSH",
    "MAC-UK",
    "CP10007",
    "SJIS",
    "TIS-620",
    "IBM874",
    "ISO-8859-11",
    "CP932",
];

/// Returns the names that iconv lists; `None` without glibc's iconv.
fn names() -> Option<Vec<String>> {
    let version = Command::new("iconv").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&version.stdout).contains("GNU libc")
        && !String::from_utf8_lossy(&version.stdout).contains("GLIBC")
    {
        return None;
    }
    let list = Command::new("iconv").arg("-l").output().ok()?;
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let names: BTreeSet<_> = list
        .split(|c: char| c.is_whitespace() || c == ',')
        .map(|name| name.trim_end_matches('/').to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    Some(names.into_iter().collect())
}

/// Returns iconv's text for each byte; `None` if the byte is unmapped.
///
/// A process per byte takes long, so all bytes are lines of one text, if iconv keeps the lines.
fn decoded(name: &str, bytes: &[u8]) -> Vec<Option<String>> {
    let lines: Vec<u8> = bytes.iter().flat_map(|&byte| [byte, b'\n']).collect();
    let text = run_iconv(name, &lines, &["-c"]).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let is_one = |line: &&str| line.chars().count() == 1;
    if lines.len() == bytes.len() && lines.iter().all(|line| line.is_empty() || is_one(line)) {
        let found = lines.into_iter().map(|line| Some(line).filter(is_one));
        return found.map(|line| line.map(str::to_owned)).collect();
    }
    let one = |&byte: &u8| run_iconv(name, &[byte], &[]).filter(|text| is_one(&&**text));
    bytes.iter().map(one).collect()
}

/// Returns the text that iconv decodes; `None` if it fails without `-c`.
fn run_iconv(name: &str, bytes: &[u8], options: &[&str]) -> Option<String> {
    use std::io::Write;
    let mut child = Command::new("iconv")
        .args(["-f", name, "-t", "UTF-8"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(bytes).ok()?;
    let output = child.wait_with_output().ok()?;
    let is_read = output.status.success() || !options.is_empty();
    String::from_utf8(output.stdout).ok().filter(|_| is_read)
}

#[test]
fn names_of_glibc_are_found_or_said_to_be_missing() {
    let Some(names) = names() else { return };
    let (mut found, mut missing, mut unknown) = (0, 0, Vec::new());
    for name in &names {
        if extended::find(name).is_some() {
            found += 1;
        } else if extended::missing(name).is_some() {
            missing += 1;
        } else {
            unknown.push(name);
        }
    }
    println!(
        "{found} of {} names are found, {missing} are of other encodings",
        names.len()
    );
    assert!(unknown.is_empty(), "{unknown:?}");
    // mojika finds at least 550 of the 1,100 or more names in glibc's full list.
    assert!(names.len() < 1100 || found >= 550, "{found}");
}

/// For each name, mojika's encoding and glibc's decode bytes alike, if both decode them to a single character.
#[test]
fn names_of_glibc_mean_the_bytes_that_glibc_reads() {
    let Some(names) = names() else { return };
    // Test each encoding with a few of its names only, because a process per byte takes long.
    let mut judged = BTreeSet::new();
    for name in &names {
        let Some(encoding) = extended::find(name) else {
            continue;
        };
        let is_listed = extended::for_name(name).is_none() && Encoding::for_label(name).is_none();
        if !is_listed
            || !encoding.is_single_byte()
            || !judged.insert((encoding.name(), name.len() % 3))
        {
            continue;
        }
        let bytes: Vec<u8> = (0x40..=0xFF_u8).step_by(7).collect();
        let differ: Vec<u8> = bytes
            .iter()
            .zip(decoded(name, &bytes))
            .filter(|(byte, theirs)| {
                let bytes = [**byte];
                let ours = encoding.decode_fatal(&bytes);
                matches!((&ours, theirs), (Ok(ours), Some(theirs)) if ours.text != *theirs)
                    || theirs.is_some() && ours.is_err()
            })
            .map(|(&byte, _)| byte)
            .collect();
        // For labels of Latin alphabets, the Web uses windows-125x, where 80 to 9F are not control characters.
        let is_latin = name.contains('1') || name.contains('9');
        let differ: Vec<u8> = match encoding.name() {
            "windows-1252" | "windows-1254" | "windows-874" if is_latin => {
                differ.into_iter().filter(|byte| *byte >= 0xA0).collect()
            }
            _ => differ,
        };
        let is_known = OTHERWISE.iter().any(|known| {
            extended::find(known).is_some_and(|one| one == encoding) && differ.len() <= 4
        });
        assert!(
            differ.is_empty() || is_known || EDITIONS.contains(&encoding.name()),
            "{name} as {encoding}: {differ:02X?}"
        );
    }
    assert!(judged.len() >= 20, "{}", judged.len());
}
