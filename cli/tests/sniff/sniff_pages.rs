//! Pages, XML documents and style sheets in every encoding, with their declaration added, through `mojika detect
//! --json` and `mojika convert --from auto`. The texts are the samples, and the articles of a folder of corpora if
//! there is one (`MOJIKA_CORPORA`, or `shared/corpora` next to the repository). Each encoding takes two texts in turns,
//! or six if `MOJIKA_ALL_CASES` is set, as in `.ci/run`.

use crate::common::tree::fast_folder;
use crate::common::{run_in, samples};
use mojika::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED, extended};
use mojika_spec::sample::all_cases;
use std::fs;
use std::path::{Path, PathBuf};

/// At most this much of an article.
const MOST: usize = 60_000;

/// Texts in UTF-8, without declarations of their own.
fn texts() -> Vec<String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    let corpora = std::env::var_os("MOJIKA_CORPORA").map_or(beside, PathBuf::from);
    let mut texts = Vec::new();
    for folder in [samples().join("utf-8"), corpora] {
        let Ok(entries) = fs::read_dir(&folder) else {
            eprintln!("left out, as it is not there: {}", folder.display());
            continue;
        };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if let Ok(mut text) = fs::read_to_string(path) {
                let end = (0..=MOST.min(text.len())).rfind(|&at| text.is_char_boundary(at));
                text.truncate(end.unwrap_or(0));
                texts.push(text.replace("<meta", "<m").replace("<?xml", "<"));
            }
        }
    }
    assert!(texts.len() >= 12);
    texts
}

/// Returns the `texts` for encoding `number`: two in turns, or six if all cases are taken.
fn in_turns(texts: &[String], number: usize) -> impl Iterator<Item = &String> {
    let count = if all_cases() { 6 } else { 2 };
    texts.iter().cycle().skip(number * 2).take(count)
}

/// Returns the text in an encoding, with references for unmappable characters.
fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode_html(text).unwrap().bytes.into_owned()
}

/// Documents with the encodings that are to be found in them.
type Documents = Vec<(Vec<u8>, &'static Encoding)>;

/// Checks the decision about each document, and that its conversion equals its decoded text. One
/// run takes all documents; the first of each encoding is converted alone, too, and so are those in
/// UTF-8, which a folder leaves as they are.
fn check(context: &str, documents: &Documents, source: &str) {
    let folder = fast_folder();
    let names: Vec<_> = (0..documents.len()).map(|at| at.to_string()).collect();
    for (name, (bytes, _)) in names.iter().zip(documents) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let args = [&["detect", "--json", "--context", context], &names[..]].concat();
    let lines = String::from_utf8(run_in(folder.path(), &args, b"").ok()).unwrap();
    assert_eq!(lines.lines().count(), documents.len());
    // A few signs in the text of another language may look like another encoding: doubt is not tested here.
    let convert = [
        "convert",
        "--from",
        "auto",
        "--confidence",
        "0",
        "--context",
        context,
    ];
    let args = [&convert[..], &names, &["-q", "-o", "out/"]].concat();
    let run = run_in(folder.path(), &args, b"");
    assert_eq!(run.status, 0, "{context}: {}", run.stderr);
    let mut before = None;
    for ((line, name), (bytes, encoding)) in lines.lines().zip(names).zip(documents) {
        let start =
            format!("{{\"path\":\"{name}\",\"encoding\":\"{encoding}\",\"source\":\"{source}\",");
        assert!(line.starts_with(&start), "{context}, {encoding}: {line}");
        assert!(line.ends_with(",\"error\":null}"), "{line}");
        let expected = encoding.decode(bytes);
        assert!(!expected.had_errors, "{context}, {encoding}: {name}");
        let agrees = |converted: &[u8]| {
            assert!(
                converted == expected.text.as_bytes(),
                "{context}, {encoding}: {name} is converted otherwise"
            );
        };
        if *encoding != UTF_8 {
            agrees(&fs::read(folder.path().join("out").join(name)).unwrap());
        }
        if *encoding == UTF_8 || before != Some(encoding) {
            let run = run_in(folder.path(), &[&convert[..], &[name]].concat(), b"");
            // It is warned of instead.
            let is_warned = run.stderr.contains("though its bytes look like");
            assert!(run.stderr.is_empty() || is_warned, "{}", run.stderr);
            agrees(&run.ok_but_for_summary());
        }
        before = Some(encoding);
    }
}

/// All encodings but "replacement" and x-user-defined, and those that "must not" be sniffed by ASCII.
fn ascii_supersets() -> impl Iterator<Item = &'static Encoding> {
    let others = [REPLACEMENT, X_USER_DEFINED, UTF_16BE, UTF_16LE];
    let all = Encoding::all().iter().copied();
    all.filter(move |encoding| !others.contains(encoding))
}

#[test]
fn pages_in_every_encoding_by_their_meta() {
    let texts = texts();
    let mut documents = Documents::new();
    for (number, encoding) in ascii_supersets().enumerate() {
        for start in [
            format!("<!doctype html><meta charset=\"{encoding}\">"),
            format!(
                "<html><head><title>x</title>\n<META http-equiv='Content-Type' \
                 content='text/html; charset={encoding}' />\n"
            ),
        ] {
            let document = |text: &String| (encoded(encoding, &(start.clone() + text)), encoding);
            documents.extend(in_turns(&texts, number).map(document));
        }
    }
    check("html", &documents, "meta");
}

#[test]
fn pages_in_utf_16_by_their_byte_order_mark_whatever_their_meta() {
    let texts = texts();
    let mut documents = Documents::new();
    for encoding in [UTF_16LE, UTF_16BE] {
        let start = "\u{FEFF}<meta charset=gbk>".to_owned();
        let document = |text: &String| (encoded(encoding, &(start.clone() + text)), encoding);
        documents.extend(texts.iter().map(document));
    }
    check("html", &documents, "bom");
}

#[test]
fn xml_in_every_encoding_by_its_declaration() {
    let texts = texts();
    let mut documents = Documents::new();
    let standard = ascii_supersets().chain([UTF_16BE, UTF_16LE]);
    for (number, encoding) in standard.chain(extended::all()).enumerate() {
        // Three have no small letters where XML's autodetection looks for those of "<?xml", and pages of double bytes
        // alone have no ASCII. HZ, ISO-2022-KR and -CN have labels of "replacement", UTF-7 is for mail alone, and "@" of
        // GSM-03.38 is U+0000 of a binary file.
        if encoding.code_unit_len() == 2 && encoding.bom().is_none() {
            continue;
        }
        if matches!(
            encoding.name(),
            "IBM290"
                | "IBM930"
                | "IBM1390"
                | "HZ"
                | "ISO-2022-KR"
                | "ISO-2022-CN"
                | "UTF-7"
                | "UTF-7-IMAP"
                | "GSM-03.38"
        ) {
            continue;
        }
        let start = format!("<?xml version='1.0' encoding='{encoding}'?>\n");
        // "ISO-8859-1" is a label of windows-1252 in the Standard.
        let meant = match Encoding::for_label(encoding.name()) {
            Some(meant) => meant,
            // The bytes tell the octet order.
            None if encoding == extended::UTF_32 => extended::UTF_32BE,
            None => encoding,
        };
        let document = |text: &String| (encoded(encoding, &(start.clone() + text)), meant);
        documents.extend(in_turns(&texts, number).map(document));
    }
    check("xml", &documents, "xml-declaration");
}

#[test]
fn style_sheets_in_every_encoding_by_their_rule() {
    let texts = texts();
    let mut documents = Documents::new();
    for (number, encoding) in ascii_supersets().enumerate() {
        let rule = |text: &String| format!("@charset \"{encoding}\";\n/* {text} */");
        let document = |text: &String| (encoded(encoding, &rule(text)), encoding);
        documents.extend(in_turns(&texts, number).map(document));
    }
    check("css", &documents, "css-charset");
}

#[test]
fn a_meta_that_lies_is_reported_where_it_shows() {
    let folder = fast_folder();
    let page = "<meta charset=gbk><p>\u{E9}</p>";
    fs::write(folder.path().join("a.html"), page).unwrap();
    let line = run_in(folder.path(), &["detect", "--json", "a.html"], b"").ok();
    let line = String::from_utf8(line).unwrap();
    assert!(
        line.contains("\"encoding\":\"GBK\",\"source\":\"meta\""),
        "{line}"
    );
    // C3 A9 is a character in GBK; the byte of windows-1252 is none.
    let page = b"<meta charset=utf-8><p>\xE9</p>";
    fs::write(folder.path().join("b.html"), page).unwrap();
    let run = run_in(
        folder.path(),
        &["convert", "--from", "auto", "-o", "out", "b.html"],
        b"",
    );
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("b.html"), "{}", run.stderr);
    assert!(run.stderr.contains("23"), "{}", run.stderr);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn noise_and_heads_of_one_byte_are_listed_in_every_context() {
    let folder = fast_folder();
    let mut state = 27_u64;
    let mut names = Vec::new();
    for number in 0..400_usize {
        let bytes: Vec<u8> = if let Ok(byte) = u8::try_from(number) {
            vec![byte]
        } else {
            (0..number * 7)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    (state >> 32) as u8
                })
                .collect()
        };
        fs::write(folder.path().join(number.to_string()), bytes).unwrap();
        names.push(number.to_string());
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    for context in ["auto", "html", "xml", "css", "text", "event-stream"] {
        let args = [&["detect", "--json", "--context", context], &names[..]].concat();
        let run = run_in(folder.path(), &args, b"");
        assert_eq!((run.status, &*run.stderr), (0, ""), "{context}");
        let lines = String::from_utf8(run.stdout).unwrap();
        assert_eq!(lines.lines().count(), names.len());
        for (line, name) in lines.lines().zip(&names) {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(object["path"], *name);
            // Binary data has no encoding.
            let Some(name) = object["encoding"].as_str() else {
                assert_eq!(object["source"], serde_json::Value::Null, "{line}");
                continue;
            };
            assert!(Encoding::for_label(name).is_some() || extended::for_name(name).is_some());
            assert_eq!(object["bom_length"], 0, "{line}");
            if ["xml", "css", "event-stream"].contains(&context) {
                // In a file that is not UTF-8, a sign such as a dash may be a guess that is good enough.
                let is_sign = object["source"] == "detection" && name == "windows-1252";
                let is_one_byte = object["path"]
                    .as_str()
                    .is_some_and(|path| path < "256" && path.len() == 3);
                assert!(
                    context != "event-stream" && is_sign && is_one_byte
                        || object["source"] == "default",
                    "{line}"
                );
                assert!(is_sign || name == "UTF-8", "{line}");
            }
        }
    }
}
