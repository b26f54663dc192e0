//! All subcommands decide the same: `detect`, `check`, and `convert` of a file, a pipe, a folder, in place, an archive.

#![cfg(unix)]

use crate::common::{archives, run_in, samples, tree};
use mojika::{Encoding, extended};
use mojika_spec::sample::{all_cases, in_turns};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A file of the test.
#[derive(Clone)]
struct Case {
    name: String,
    bytes: Vec<u8>,
}

fn named(name: &str) -> &'static Encoding {
    extended::find(name).unwrap_or_else(|| panic!("{name}"))
}

/// Returns the lines of a text that the encoding can represent in full.
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

/// Returns the samples in UTF-8, by language.
fn texts() -> Vec<(String, String)> {
    let paths = fs::read_dir(samples().join("utf-8")).unwrap();
    let mut texts: Vec<_> = paths
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let language = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (language, fs::read_to_string(path).unwrap())
        })
        .collect();
    texts.sort();
    texts
}

/// Adds every encoding with every text that it can represent: the whole text, one line, its start, and the text after
/// much ASCII. The last kind has one text per encoding, unless sweeps run [`all_cases`].
fn of_encodings(cases: &mut Vec<Case>, texts: &[(String, String)]) {
    let ascii = b"A line of ASCII, as there are many.\n".repeat(2500);
    for encoding in Encoding::all().iter().copied().chain(extended::all()) {
        if encoding.new_encoder().is_err() {
            continue;
        }
        let name = encoding.name();
        let mut follows_ascii = encoding.is_ascii_compatible();
        for (language, text) in texts {
            let Some(bytes) = encoded(encoding, text) else {
                continue;
            };
            let mut add = |kind: &str, bytes: &[u8]| {
                let name = format!("{language}.{name}.{kind}txt");
                let bytes = bytes.to_vec();
                cases.push(Case { name, bytes });
            };
            add("", &bytes);
            for length in [12, 40, 200] {
                add(&format!("{length}."), &bytes[..length.min(bytes.len())]);
            }
            if follows_ascii {
                add("far.", &[&ascii, &bytes[..]].concat());
                follows_ascii = all_cases();
            }
            if encoding.is_ascii_compatible() {
                let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
                if let Some(line) = lines.find(|line| !line.is_ascii()) {
                    add("line.", line);
                }
            }
        }
        declared(cases, encoding, texts);
    }
}

/// Adds pages, XML and style sheets that declare their own encoding, another one, or none.
fn declared(cases: &mut Vec<Case>, encoding: &'static Encoding, texts: &[(String, String)]) {
    let mut bodies = texts.iter().filter_map(|(_, text)| encoded(encoding, text));
    let body = bodies.next().unwrap_or_default();
    let name = encoding.name();
    let mut add = |kind: &str, before: &str, after: &str| {
        let part = |text| encoding.encode(text).unwrap_or_default().into_owned();
        cases.push(Case {
            name: format!("{name}.{kind}"),
            bytes: [part(before), body.clone(), part(after)].concat(),
        });
    };
    let page = "<!DOCTYPE html>";
    let far = format!(
        "{page}<!-- {} --><meta charset={name}><p>",
        "a".repeat(2000)
    );
    add(
        "meta.html",
        &format!("{page}<meta charset={name}><p>"),
        "</p>",
    );
    add("late.html", &far, "</p>");
    add("undeclared.html", &format!("{page}<p>"), "</p>");
    for wrong in ["utf-8", "windows-1252", "shift_jis"] {
        let head = format!("{page}<meta charset={wrong}><p>");
        add(&format!("said-{wrong}.html"), &head, "</p>");
    }
    let xml = format!("<?xml version='1.0' encoding='{name}'?><a>");
    add("xml", &xml, "</a>");
    add("undeclared.xml", "<?xml version='1.0'?><a>", "</a>");
    add("css", &format!("@charset \"{name}\"; /* "), " */");
}

/// Adds files with byte order marks, and files whose encoding is easily mistaken.
fn kinds(cases: &mut Vec<Case>, texts: &[(String, String)]) {
    let mut add = |name: String, bytes: &[u8]| {
        let bytes = bytes.to_vec();
        cases.push(Case { name, bytes });
    };
    let (_, russian) = texts.iter().find(|(language, _)| language == "ru").unwrap();
    for name in ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        for (kind, text) in [
            ("ru", &**russian),
            ("ascii", "Plain words, and nothing else.\n"),
        ] {
            for (mark, prefix) in [("marked", "\u{FEFF}"), ("unmarked", "")] {
                let bytes = named(name)
                    .encode(&format!("{prefix}{text}"))
                    .unwrap()
                    .into_owned();
                for ending in ["txt", "html", "xml", "css"] {
                    add(format!("{name}.{kind}.{mark}.{ending}"), &bytes);
                }
                add(
                    format!("{name}.{kind}.{mark}.odd.txt"),
                    &bytes[..bytes.len() - 1],
                );
            }
        }
    }
    let signs = [
        "£100",
        "© 2005",
        "35 °C (95 °F)",
        "area (m²)",
        "12 m³ of water",
        "he said “no”",
        "costs 5 €",
        "½ cup",
        "§ 12",
        "a café",
        "Herr Müller",
        "ÜBERGRÖSSE UND ÄRGER",
        "¿Qué hora es?",
        "10\u{A0}000\u{A0}km",
        "PM10 (µg/m³)",
    ];
    let line = "This program is free software; you can redistribute it and modify it.\n";
    for (number, sign) in signs.iter().enumerate() {
        for name in [
            "windows-1252",
            "UTF-8",
            "IBM850",
            "macintosh",
            "ISO-8859-15",
        ] {
            let Ok(bytes) = named(name).encode(sign) else {
                continue;
            };
            add(format!("sign{number}.{name}.txt"), &bytes);
            let around = [line.repeat(30).as_bytes(), &bytes, b"\n", line.as_bytes()].concat();
            add(format!("sign{number}.{name}.around.txt"), &around);
        }
    }
    let upper = russian.to_uppercase();
    for name in [
        "windows-1251",
        "KOI8-R",
        "IBM866",
        "ISO-8859-5",
        "x-mac-cyrillic",
    ] {
        if let Some(bytes) = encoded(named(name), &upper) {
            add(format!("upper.{name}.txt"), &bytes);
        }
    }
    let russian = mojika::WINDOWS_1251.encode(russian).unwrap().into_owned();
    let damage = "Жук и мост. ".repeat(200);
    let of_lines = |count| {
        [
            russian.repeat(count),
            damage.replace(". ", ".\n").into_bytes(),
        ]
        .concat()
    };
    for (name, mark) in [
        ("UTF-16LE", "\u{FEFF}"),
        ("UTF-16BE", "\u{FEFF}"),
        ("UTF-16LE", ""),
        ("UTF-16BE", ""),
    ] {
        let encode = |text: &str| named(name).encode(text).unwrap().into_owned();
        let (marked, line) = (
            encode(&format!("{mark}a line of the log\r\n")),
            encode("a line of the log\r\n"),
        );
        let filtered = marked
            .split_inclusive(|&byte| byte == b'\n')
            .map(|part| match part {
                [text @ .., b'\n'] => [text, b"\r\n"].concat(),
                text => text.to_vec(),
            });
        let other = encode("\u{FEFF}a line\n")
            .chunks(2)
            .flat_map(|unit| [unit[1], unit[0]])
            .collect::<Vec<u8>>();
        let filtered = filtered.collect::<Vec<_>>().concat();
        let (far, odd, legacy) = (line.repeat(3000), b"hello there\r\n", b"caf\xE9\n");
        let files: [(&str, [&[u8]; 3]); 7] = [
            ("narrow", [&marked, &line, b"hello there!\r\n"]),
            ("odd", [&marked, odd, &line]),
            ("after", ["größe\n".as_bytes(), &marked, &line]),
            ("after-legacy", [legacy, &marked, b"\ncaf\xE9\n"]),
            ("far", [&marked, &far, odd]),
            ("other-order", [&marked, &line, &other]),
            ("filtered", [&filtered, b"", b""]),
        ];
        for (kind, parts) in files {
            add(format!("{name}.{}.{kind}.txt", mark.len()), &parts.concat());
        }
    }
    let odd: [(&str, &[u8]); 41] = [
        ("mark-and-narrow.txt", b"\xFF\xFE#pragma once\r\n"),
        ("japanese-in-gbk.txt", &mojika::GBK.encode("それはとても簡単です。\nどうもありがとう。\n").unwrap()),
        ("unknown-label.html", "<meta charset=uft8><p>na\u{EF}ve text".as_bytes()),
        ("template.po", "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=CHARSET\\n\"\n\nmsgid \"a\"\nmsgstr \"\u{E4}\u{F6}\u{FC}\"\n".as_bytes()),
        ("said-ascii.html", b"<meta charset=us-ascii><p>na\xEFve caf\xE9 text"),
        (
            "torn.txt",
            b"(1,'gr\xFC\xDFe'),(2,'gr\xC3\xBC\xC3\x9Fe');\n",
        ),
        ("malformed.xml", b"<r>\xD3\xF4\xE0</r>"),
        (
            "malformed-default.xml",
            b"<?xml version='1.0'?><r>\xD3\xF4\xE0</r>",
        ),
        (
            "blank.xml",
            b"\n<?xml version='1.0' encoding='windows-1252'?><r>\xE9t\xE9</r>",
        ),
        ("false-mark.txt", b"\xEF\xBB\xBFM\xFCller"),
        (
            "nul.html",
            b"<meta charset=windows-1252><p>na\xEFve\0 text</p>",
        ),
        (
            "controls.txt",
            &b"1\x01\x02 page\x0C\x0Fbold\x12\r\n".repeat(40),
        ),
        (
            "mark-and-legacy.txt",
            &[b"\xEF\xBB\xBF", &russian[..]].concat(),
        ),
        ("mark-and-nul.txt", b"\xFF\xFE\0\0a\0b\0c\0\n\0"),
        ("mark-alone.txt", b"\xFF\xFE\0\0"),
        ("short.txt", b"\xE9\n"),
        ("two.txt", b"\xC4\xE0\n"),
        ("empty.txt", b""),
        ("ascii.txt", b"nothing else\n"),
        ("escapes.txt", &b"\x1B[31mred\x1B[0m\n".repeat(20)),
        (
            "contradiction.xml",
            b"<?xml version='1.0' encoding='UTF-16'?><a/>",
        ),
        (
            "unknown.xml",
            b"<?xml version='1.0' encoding='klingon'?><a/>",
        ),
        ("damaged-utf-8.txt", &[damage.as_bytes(), b"\xFF"].concat()),
        ("cut-utf-8.txt", &damage.as_bytes()[..damage.len() - 3]),
        (
            "surrogates.txt",
            &b"caf\xED\xA0\x81\xED\xB0\x80 and text around it\n".repeat(9),
        ),
        ("zero-fields.txt", &b"name\0value\0other\0\n".repeat(30)),
        ("padding.txt", &[line.as_bytes(), &[0; 300]].concat()),
        (
            "padding-of-1A.txt",
            &[line.as_bytes(), &[0x1A; 20]].concat(),
        ),
        (
            "table.txt",
            &b"\xC9\xCD\xCD\xCD\xBB\r\n\xBA one \xBA\r\n\xC8\xCD\xCD\xCD\xBC\r\n".repeat(8),
        ),
        (
            "utf-7.txt",
            &b"Hi Mom -+Jjo--! +AOk-t+AOk- and +BBYEQwQ6-\n".repeat(6),
        ),
        (
            "hz.txt",
            &b"This is ~{VPND~} and ~{NDVW~} in it.\n".repeat(6),
        ),
        ("iso-2022-kr.txt", &b"\x1B$)C\x0E0!3*\x0F text\n".repeat(6)),
        ("png.txt", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("pdf.txt", b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n"),
        ("elf.txt", b"\x7FELF\x02\x01\x01\0\0\0\0\0"),
        (
            "noise.txt",
            &(0..4000u32)
                .map(|at| (at.wrapping_mul(2_654_435_761) >> 11) as u8)
                .collect::<Vec<_>>(),
        ),
        (
            "one-odd-place.txt",
            &[line.repeat(200).as_bytes(), b"\x81\x8D\n", line.as_bytes()].concat(),
        ),
        ("lines-in-two.txt", &of_lines(1)),
        // The second encoding begins far after the start.
        ("parts-in-two.txt", &of_lines(400)),
        (
            "escapes-in-utf-8.txt",
            &[damage.as_bytes(), b"\n\x1B$B$\"$$$&\x1B(B\n"].concat(),
        ),
        (
            "two-encodings.txt",
            &[russian.as_slice(), damage.as_bytes()].concat(),
        ),
    ];
    for (name, bytes) in odd {
        add(name.to_owned(), bytes);
        add(format!("{name}.html"), bytes);
    }
    for entry in fs::read_dir(samples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_name().unwrap().to_str().unwrap();
            add(format!("sample.{name}"), &fs::read(&path).unwrap());
        }
    }
}

fn cases() -> Vec<Case> {
    let texts = texts();
    let mut cases = Vec::new();
    of_encodings(&mut cases, &texts);
    kinds(&mut cases, &texts);
    cases
}

/// The encoding, the source and the probability of a decision; for a doubtful file, the doubt.
type Decision = (Value, Value, Value);

fn decision(line: &Value, why: &str) -> Decision {
    // With several inputs, a doubtful one has a status of failure.
    let reason = line["reason"].as_str().unwrap_or_default();
    let is_refused = line["status"] == "failed" && reason.contains("name its encoding with --from");
    if line["status"] == "doubtful"
        || line["doubt"].is_string()
        || line["error"].is_string()
        || is_refused
    {
        return (Value::Null, "doubtful".into(), Value::Null);
    }
    // The file is not text.
    if line["encoding"].is_null() {
        return (Value::Null, Value::Null, Value::Null);
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

/// Returns the type that a server would give a file.
fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("xml") => "text/xml",
        Some("css") => "text/css",
        _ => "text/plain",
    }
}

/// Returns the word of `--context` for that type.
fn context(name: &str) -> &'static str {
    match media_type(name) {
        "text/plain" => "auto",
        kind => &kind[5..],
    }
}

/// Returns the decisions of `mojika warc` on an archive of the same documents.
fn archived(path: &Path, cases: &[Case], hints: &[&str]) -> BTreeMap<String, Decision> {
    let records = cases
        .iter()
        .map(|case| archives::record("resource", media_type(&case.name), &case.bytes));
    fs::write(
        path.join("all.warc"),
        records.flatten().collect::<Vec<u8>>(),
    )
    .unwrap();
    let lines = run_in(
        path,
        &[&["warc", "-q", "--keep-empty", "all.warc"], hints].concat(),
        b"",
    )
    .stdout;
    let lines: Vec<Value> = String::from_utf8(lines)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), cases.len());
    let decisions = cases.iter().zip(&lines).map(|(case, line)| {
        let mut decision = decision(line, "source");
        if line["doubtful"] == true || !line["xml_error"].is_null() {
            decision = (Value::Null, "doubtful".into(), Value::Null);
        }
        (case.name.clone(), decision)
    });
    decisions.collect()
}

/// Creates named pipes with the names of files. Each writes its document when it is opened.
fn pipes(path: &Path, cases: &[Case]) -> std::thread::JoinHandle<()> {
    let pipes: Vec<_> = cases
        .iter()
        .map(|case| (path.join(&case.name), case.bytes.clone()))
        .collect();
    let mut mkfifo = std::process::Command::new("mkfifo");
    mkfifo.args(pipes.iter().map(|(pipe, _)| pipe));
    assert!(mkfifo.status().unwrap().success());
    std::thread::spawn(move || {
        for (pipe, bytes) in pipes {
            // A reader that refuses the document closes the pipe.
            let _ = fs::write(pipe, bytes);
        }
    })
}

#[test]
fn every_route_decides_the_same() {
    let cases = cases();
    assert!(cases.len() > 2000, "{} cases", cases.len());
    compare_routes(&cases, &[]);
}

#[test]
fn every_route_decides_the_same_with_encodings_outside_the_standard() {
    let cases: Vec<_> = in_turns(cases(), 3, 1).collect();
    compare_routes(&cases, &["--extended"]);
}

fn compare_routes(cases: &[Case], hints: &[&str]) {
    let folder = tree::fast_folder();
    let path = folder.path();
    for place in ["src", "place", "pipes"] {
        fs::create_dir(path.join(place)).unwrap();
    }
    for case in cases {
        for place in ["src", "place"] {
            fs::write(path.join(place).join(&case.name), &case.bytes).unwrap();
        }
    }
    let report = |args: &[&str], files: &[String]| {
        let args = args
            .iter()
            .chain(hints)
            .chain(&["-q", "--report", "report"]);
        let args: Vec<&str> = args
            .copied()
            .chain(files.iter().map(|file| &**file))
            .collect();
        run_in(path, &args, b"");
        of_report(&path.join("report"))
    };
    let convert = ["convert", "--from", "auto", "--errors", "replacement"];
    let to = |place: &'static [&'static str]| [&convert[..], place].concat();
    let in_folder = report(&to(&["src", "-o", "out/"]), &[]);
    assert_eq!(in_folder.len(), cases.len());
    let mut routes = BTreeMap::from([
        ("check", report(&["check", "src"], &[])),
        ("in place", report(&to(&["-i", "place"]), &[])),
        ("archive", archived(path, cases, hints)),
    ]);

    let args = [&["detect", "--json", "-v", "src"], hints].concat();
    let detected = String::from_utf8(run_in(path, &args, b"").stdout).unwrap();
    let detected = detected.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["path"].as_str().unwrap().rsplit('/').next().unwrap();
        (name.to_owned(), decision(&line, "source"))
    });
    routes.insert("detect", detected.collect());

    // Convert all certain files to one output, because a doubtful file prevents that output.
    let is_sure = |case: &&Case| !in_folder[&case.name].0.is_null();
    let sure = cases.iter().filter(is_sure);
    let files: Vec<_> = sure.map(|case| format!("src/{}", case.name)).collect();
    let one = to(&["-o", "text"]);
    routes.insert("one output", report(&one, &files));
    let few: Vec<_> = cases.iter().step_by(4).cloned().collect();
    let files: Vec<_> = few
        .iter()
        .map(|case| format!("pipes/{}", case.name))
        .collect();
    let writer = pipes(&path.join("pipes"), &few);
    routes.insert("pipe", report(&one, &files));
    writer.join().unwrap();

    // A process per case takes long, so only some cases go through a pipe.
    let mut piped = BTreeMap::new();
    for case in cases
        .iter()
        .step_by(cases.len() / 100 + 1)
        .chain(cases.iter().rev().take(60))
    {
        let args = ["check", "--json", "-q", "--context", context(&case.name)];
        let run = run_in(path, &[&args[..], hints].concat(), &case.bytes);
        let line = serde_json::from_slice(&run.stdout).unwrap();
        piped.insert(case.name.clone(), decision(&line, "why"));
    }
    routes.insert("check of a pipe", piped);

    // Test about 60 of the refused files.
    let refused: Vec<_> = cases.iter().filter(|case| !is_sure(case)).collect();
    let refused = refused.iter().step_by(refused.len() / 60 + 1);
    for case in refused {
        for (file, stdin) in [
            (format!("src/{}", case.name), &b""[..]),
            ("-".to_owned(), &case.bytes[..]),
        ] {
            let args = [&one[..], &["--context", context(&case.name), &file], hints].concat();
            let run = run_in(path, &args, stdin);
            assert_eq!(run.status, 1, "{}: {}", case.name, run.stderr);
        }
    }

    let mut differences = Vec::new();
    for (route, decisions) in &routes {
        for (name, expected) in &in_folder {
            let Some(found) = decisions.get(name) else {
                continue;
            };
            // In archives, binary data whose record declares it as text is written, and flagged as doubtful.
            let is_flagged = *route == "archive" && expected.1.is_null() && found.1 == "doubtful";
            if found != expected && !is_flagged {
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
    // A document that declares its encoding is in that encoding.
    for (name, (encoding, why, _)) in &in_folder {
        let said = [".meta.html", ".xml", ".css"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        let said = said.and_then(|name| Encoding::for_label(name).or_else(|| extended::find(name)));
        let is_said = ["meta", "xml-declaration", "css-charset"]
            .iter()
            .any(|one| why == one);
        if let Some(said) = said
            && is_said
            && said.is_ascii_compatible()
            && said != mojika::X_USER_DEFINED
        {
            assert_eq!(encoding, said.name(), "{name}");
        }
    }
    // Most cases must be decided.
    let doubtful = in_folder.values().filter(|one| one.1 == "doubtful").count();
    assert!(doubtful * 2 < cases.len(), "{doubtful} of {}", cases.len());
}
