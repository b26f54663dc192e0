//! Every route decides the same: `detect`, one file, a pipe, a folder, in place, `check`, an archive.

#![cfg(unix)]

use crate::common::{archives, run_in, samples};
use mojika::{Encoding, extended};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A file of the test.
struct Case {
    name: String,
    bytes: Vec<u8>,
}

fn named(name: &str) -> &'static Encoding {
    extended::find(name).unwrap_or_else(|| panic!("{name}"))
}

/// What an encoding can say of a text: lines that it has all characters of.
fn encoded(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let lines = text.lines().filter(|line| encoding.encode(line).is_ok());
    let kept: Vec<_> = lines.collect();
    if kept.iter().all(|line| line.is_ascii()) {
        return None;
    }
    Some(
        encoding
            .encode(&(kept.join("\n") + "\n"))
            .ok()?
            .into_owned(),
    )
}

/// Encodings, samples and kinds: plain text and what declares something, rightly or wrongly.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| cases.push(Case { name, bytes });
    let texts: Vec<_> = fs::read_dir(samples().join("utf-8"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let language = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (language, fs::read_to_string(path).unwrap())
        })
        .collect();
    for encoding in Encoding::all() {
        if encoding.new_encoder().is_err() {
            continue;
        }
        for (language, text) in &texts {
            let Some(bytes) = encoded(encoding, text) else {
                continue;
            };
            let stem = format!("{language}.{encoding}");
            let ascii = b"A line of ASCII, as there are many.\n".repeat(2500);
            add(format!("{stem}.far.txt"), [&ascii, &bytes[..]].concat());
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            if let Some(line) = lines.into_iter().find(|line| !line.is_ascii()) {
                add(format!("{stem}.line.txt"), line.to_vec());
            }
            add(format!("{stem}.txt"), bytes);
        }
        let mut bodies = texts.iter().filter_map(|(_, text)| encoded(encoding, text));
        let body = bodies.next().unwrap_or_default();
        let with = |before: &str, after: &str| {
            let part = |text| encoding.encode(text).unwrap().into_owned();
            [part(before), body.clone(), part(after)].concat()
        };
        let name = encoding.name();
        add(
            format!("{name}.meta.html"),
            with(&format!("<!DOCTYPE html><meta charset={name}><p>"), "</p>"),
        );
        let far = format!(
            "<!DOCTYPE html><!-- {} --><meta charset={name}><p>",
            "a".repeat(2000)
        );
        add(format!("{name}.late.html"), with(&far, "</p>"));
        add(
            format!("{name}.undeclared.html"),
            with("<!DOCTYPE html><p>", "</p>"),
        );
        for declared in ["utf-8", "windows-1252", "shift_jis"] {
            add(
                format!("{name}.said-{declared}.html"),
                with(
                    &format!("<!DOCTYPE html><meta charset={declared}><p>"),
                    "</p>",
                ),
            );
        }
        add(
            format!("{name}.xml"),
            with(
                &format!("<?xml version='1.0' encoding='{name}'?><a>"),
                "</a>",
            ),
        );
        add(
            format!("{name}.undeclared.xml"),
            with("<?xml version='1.0'?><a>", "</a>"),
        );
        add(
            format!("{name}.css"),
            with(&format!("@charset \"{name}\"; /* "), " */"),
        );
    }
    let (_, russian) = texts.iter().find(|(language, _)| language == "ru").unwrap();
    for name in ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        for text in [russian, "Plain words, and nothing else.\n"] {
            let marked = format!("\u{FEFF}{text}");
            let marked = named(name).encode(&marked).unwrap();
            let kind = if text.is_ascii() { "ascii" } else { "ru" };
            add(format!("{name}.{kind}.marked.txt"), marked.into_owned());
            let unmarked = named(name).encode(text).unwrap();
            add(format!("{name}.{kind}.unmarked.txt"), unmarked.into_owned());
        }
    }
    let russian = mojika::WINDOWS_1251.encode(russian).unwrap().into_owned();
    let odd: [(&str, Vec<u8>); 12] = [
        (
            "controls.txt",
            b"1\x01\x02 page\x0C\x0Fbold\x12\r\n".repeat(40),
        ),
        (
            "mark-and-legacy.txt",
            [b"\xEF\xBB\xBF", &russian[..]].concat(),
        ),
        ("mark-and-nul.txt", b"\xFF\xFE\0\0a\0b\0c\0\n\0".to_vec()),
        ("mark-alone.txt", b"\xFF\xFE\0\0".to_vec()),
        ("short.txt", b"\xE9\n".to_vec()),
        ("two.txt", b"\xC4\xE0\n".to_vec()),
        ("empty.txt", Vec::new()),
        ("ascii.txt", b"nothing else\n".to_vec()),
        ("escapes.txt", b"\x1B[31mred\x1B[0m\n".repeat(20)),
        (
            "contradiction.xml",
            b"<?xml version='1.0' encoding='UTF-16'?><a/>".to_vec(),
        ),
        (
            "unknown.xml",
            b"<?xml version='1.0' encoding='klingon'?><a/>".to_vec(),
        ),
        (
            "damaged-utf-8.txt",
            ["Жук и мост. ".repeat(200).as_bytes(), b"\xFF"].concat(),
        ),
    ];
    for (name, bytes) in odd {
        add(name.to_owned(), bytes);
    }
    cases
}

/// The encoding, the reason and the probability; or that a person has to decide.
type Decision = (Value, Value, Value);

fn decision(line: &Value, why: &str) -> Decision {
    let is_doubtful = line["status"] == "doubtful";
    if is_doubtful {
        return (Value::Null, "doubtful".into(), Value::Null);
    }
    (
        line["encoding"].clone(),
        line[why].clone(),
        line["probability"].clone(),
    )
}

fn of_report(report: &Path) -> BTreeMap<String, Decision> {
    let text = fs::read_to_string(report).unwrap();
    let lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let path = Path::new(line["path"].as_str().unwrap());
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, decision(&line, "why"))
    });
    lines.collect()
}

#[test]
fn every_route_decides_the_same() {
    let cases = cases();
    assert!(cases.len() > 700, "{} cases", cases.len());
    let folder = tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap());
    let path = folder.path();
    for place in ["src", "place"] {
        fs::create_dir(path.join(place)).unwrap();
        for case in &cases {
            fs::write(path.join(place).join(&case.name), &case.bytes).unwrap();
        }
    }
    let report = |line: &str| {
        let args: Vec<_> = line
            .split(' ')
            .chain(["-q", "--report", "report"])
            .collect();
        run_in(path, &args, b"");
        of_report(&path.join("report"))
    };
    let in_folder = report("convert --from auto --errors replacement src -o out/");
    assert_eq!(in_folder.len(), cases.len());
    let mut routes = BTreeMap::from([
        ("check", report("check src")),
        ("in place", report("convert --errors replacement -i place")),
    ]);

    let detected = run_in(path, &["detect", "--json", "-v", "src"], b"");
    let detected = String::from_utf8(detected.stdout).unwrap();
    let detected = detected.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["path"].as_str().unwrap().rsplit('/').next().unwrap();
        (name.to_owned(), decision(&line, "source"))
    });
    routes.insert("detect", detected.collect());

    let records = cases.iter().map(|case| {
        let kind = match case.name.rsplit('.').next() {
            Some("html") => "text/html",
            Some("xml") => "text/xml",
            Some("css") => "text/css",
            _ => "text/plain",
        };
        archives::record("resource", kind, &case.bytes)
    });
    let archive: Vec<u8> = records.flatten().collect();
    fs::write(path.join("all.warc"), archive).unwrap();
    let lines = run_in(path, &["warc", "-q", "all.warc"], b"").stdout;
    let lines = String::from_utf8(lines).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), cases.len());
    let archived = cases.iter().zip(&lines).map(|(case, line)| {
        let mut decision = decision(line, "source");
        if line["doubtful"] == true || !line["xml_error"].is_null() {
            decision = (Value::Null, "doubtful".into(), Value::Null);
        }
        (case.name.clone(), decision)
    });
    routes.insert("archive", archived.collect());

    // A process for each file takes its time.
    let some = cases
        .iter()
        .enumerate()
        .filter(|(at, case)| at % 5 == 0 || !case.name.contains(".txt") || case.bytes.len() < 100);
    let (mut alone, mut piped) = (BTreeMap::new(), BTreeMap::new());
    for (_, case) in some {
        let convert = "convert --from auto --errors replacement -q --report one -o text";
        let convert: Vec<_> = convert.split(' ').collect();
        let decided = |args: &[&str], bytes: &[u8]| {
            let _ = fs::remove_file(path.join("one"));
            let run = run_in(path, args, bytes);
            if run.stderr.contains("NUL bytes") {
                return (Value::Null, Value::Null, Value::Null);
            }
            if run.status == 1 {
                return (Value::Null, "doubtful".into(), Value::Null);
            }
            let decision = of_report(&path.join("one")).into_values().next();
            decision.unwrap_or_else(|| panic!("{}: {}", case.name, run.stderr))
        };
        let name = format!("src/{}", case.name);
        let of_file = decided(&[&convert[..], &[&name]].concat(), b"");
        alone.insert(case.name.clone(), of_file);
        let of_pipe = decided(&convert, &case.bytes);
        piped.insert(case.name.clone(), of_pipe);
    }
    routes.insert("one file", alone);
    routes.insert("pipe", piped);

    let mut differences = Vec::new();
    for (route, decisions) in &routes {
        for (name, expected) in &in_folder {
            let Some(found) = decisions.get(name) else {
                continue;
            };
            // `detect` has no doubt, only a probability.
            let is_guess = *route == "detect" && expected.1 == "doubtful";
            if found != expected && !is_guess {
                differences.push(format!("{name}: {route} {found:?}, folder {expected:?}"));
            }
        }
    }
    let count = differences.len();
    differences.truncate(40);
    assert!(
        count == 0,
        "{count} differences\n{}",
        differences.join("\n")
    );
    // The test is of decisions, not of failures to decide.
    let doubtful = in_folder.values().filter(|one| one.1 == "doubtful").count();
    assert!(doubtful * 3 < cases.len(), "{doubtful} of {}", cases.len());
}
