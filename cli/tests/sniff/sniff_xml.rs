//! Document 004 from the command line: every row of its tables through `mojika detect --json`, and
//! decodable ones through `mojika convert --from auto`.

use crate::common::run_in;
use crate::common::tree::fast_folder;
use mojika::{Encoding, extended};
use std::fs;
use std::path::Path;

/// One line of `mojika detect --json` on a file with these bytes, without its path.
fn detected(name: &str, bytes: &[u8], more: &[&str]) -> (String, i32) {
    let folder = fast_folder();
    fs::write(folder.path().join(name), bytes).unwrap();
    let run = run_in(
        folder.path(),
        &[&["detect", "--json"], more, &[name]].concat(),
        b"",
    );
    assert_eq!(run.stderr, "");
    let line = String::from_utf8(run.stdout).unwrap();
    let path = format!("{{\"path\":\"{name}\",");
    let rest = line.strip_prefix(&path).unwrap_or_else(|| panic!("{line}"));
    (rest.trim_end().to_owned(), run.status)
}

#[track_caller]
fn finds(bytes: &[u8], encoding: &str, source: &str, bom_length: usize) {
    let (line, status) = detected("a.xml", bytes, &[]);
    let mut object: serde_json::Value = serde_json::from_str(&format!("{{{line}")).unwrap();
    // Whatever detection would say.
    object.as_object_mut().unwrap().remove("probability");
    let expected = serde_json::json!({
        "encoding": encoding,
        "source": source,
        "confidence": "certain",
        "bom_length": bom_length,
        "error": null,
    });
    assert_eq!((object, status), (expected, 0), "{bytes:X?}");
}

/// A fatal error, and the words of its message.
#[track_caller]
fn refuses(bytes: &[u8], encoding: Option<&str>, words: &str) {
    let (line, status) = detected("a.xml", bytes, &[]);
    let object: serde_json::Value = serde_json::from_str(&format!("{{{line}")).unwrap();
    assert_eq!(status, 1, "{line}");
    assert_eq!(object["encoding"].as_str(), encoding, "{line}");
    let error = object["error"].as_str().unwrap();
    assert!(error.contains(words), "{error}");
    let (stdout, stderr, status) = converted(bytes);
    assert_eq!((&*stdout, status), ("", 1), "{stderr}");
    let mut lines = stderr.lines();
    let said = format!("a.xml: {error}; name its encoding with --from LABEL");
    assert_eq!(lines.next(), Some(&*said));
    // The encodings in question.
    assert!(lines.all(|line| line.starts_with("  ")), "{stderr}");
}

fn converted(bytes: &[u8]) -> (String, String, i32) {
    let folder = fast_folder();
    fs::write(folder.path().join("a.xml"), bytes).unwrap();
    let run = run_in(folder.path(), &["convert", "--from", "auto", "a.xml"], b"");
    (
        String::from_utf8(run.stdout).unwrap(),
        run.stderr,
        run.status,
    )
}

#[track_caller]
fn converts(bytes: &[u8], text: &str) {
    assert_eq!(converted(bytes), (text.to_owned(), String::new(), 0));
}

fn document(name: &str) -> String {
    format!("<?xml version=\"1.0\" encoding='{name}'?>\n<a b='c'>42</a>\n")
}

fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).unwrap().into_owned()
}

/// An octet order of UCS-4: name, byte order mark, `<` of the table without one, places of the octets.
type Order = (&'static str, [u8; 4], [u8; 4], [usize; 4]);

const ORDERS: [Order; 4] = [
    (
        "UTF-32BE",
        [0, 0, 0xFE, 0xFF],
        [0, 0, 0, 0x3C],
        [0, 1, 2, 3],
    ),
    (
        "UTF-32LE",
        [0xFF, 0xFE, 0, 0],
        [0x3C, 0, 0, 0],
        [3, 2, 1, 0],
    ),
    (
        "UTF-32-2143",
        [0, 0, 0xFF, 0xFE],
        [0, 0, 0x3C, 0],
        [1, 0, 3, 2],
    ),
    (
        "UTF-32-3412",
        [0xFE, 0xFF, 0, 0],
        [0, 0x3C, 0, 0],
        [2, 3, 0, 1],
    ),
];

/// Text in UCS-4, by its definition rather than by the library.
fn ucs_4(text: &str, places: [usize; 4]) -> Vec<u8> {
    let octets = |c: char| places.map(|place| u32::from(c).to_be_bytes()[place]);
    text.chars().flat_map(octets).collect()
}

#[test]
fn ucs_4_with_a_byte_order_mark() {
    for (name, mark, _, places) in ORDERS {
        for text in [
            "<a>文字 😀</a>".to_owned(),
            document("ISO-10646-UCS-4"),
            document(name),
        ] {
            let bytes = [&mark[..], &ucs_4(&text, places)].concat();
            finds(&bytes, name, "bom", 4);
            converts(&bytes, &text);
        }
        finds(&mark, name, "bom", 4);
        let bytes = [&mark[..], &ucs_4(&document("UTF-16"), places)].concat();
        refuses(
            &bytes,
            Some(name),
            &format!("\"UTF-16\" declared, but the byte order mark is that of {name}"),
        );
    }
}

#[test]
fn ucs_4_without_a_byte_order_mark() {
    for (name, _, start, places) in ORDERS {
        for declared in ["ISO-10646-UCS-4", "UCS-4", "UTF-32", name] {
            let text = document(declared) + "<!-- 文字 😀 -->";
            let bytes = ucs_4(&text, places);
            assert_eq!(bytes[..4], start);
            finds(&bytes, name, "xml-declaration", 0);
            converts(&bytes, &text);
        }
        let bytes = ucs_4("<a>é</a>", places);
        finds(&bytes, name, "xml-family", 0);
        converts(&bytes, "<a>é</a>");
        for declared in ["UTF-8", "UTF-16", "ISO-8859-1"] {
            refuses(
                &ucs_4(&document(declared), places),
                Some(name),
                "declared, but the bytes are UCS-4",
            );
        }
        let other = if name == "UTF-32BE" {
            "UTF-32LE"
        } else {
            "UTF-32BE"
        };
        refuses(
            &ucs_4(&document(other), places),
            Some(name),
            "declared, but the bytes are UCS-4",
        );
        refuses(
            &ucs_4(&document("klingon"), places),
            Some(name),
            "unsupported encoding \"klingon\"",
        );
    }
}

#[test]
fn utf_16_in_both_orders() {
    for (name, mark, start, encoding) in [
        (
            "UTF-16BE",
            [0xFE, 0xFF],
            [0, 0x3C, 0, 0x3F],
            mojika::UTF_16BE,
        ),
        (
            "UTF-16LE",
            [0xFF, 0xFE],
            [0x3C, 0, 0x3F, 0],
            mojika::UTF_16LE,
        ),
    ] {
        for declared in ["UTF-16", "ISO-10646-UCS-2", name] {
            let text = document(declared) + "<!-- 文字 -->";
            let bytes = encode(encoding, &text);
            assert_eq!(bytes[..4], start);
            finds(&bytes, name, "xml-declaration", 0);
            converts(&bytes, &text);
            let bytes = [&mark[..], &bytes].concat();
            finds(&bytes, name, "bom", 2);
            converts(&bytes, &text);
        }
        let bytes = encode(encoding, "<?xml version='1.0'?><a/>");
        finds(&bytes, name, "xml-family", 0);
        for declared in ["UTF-8", "UTF-32", "EUC-JP"] {
            let bytes = encode(encoding, &document(declared));
            refuses(&bytes, Some(name), "declared, but the bytes are UTF-16");
            let bytes = [&mark[..], &bytes].concat();
            let message = format!("declared, but the byte order mark is that of {name}");
            refuses(&bytes, Some(name), &message);
        }
    }
}

#[test]
fn encodings_that_contain_ascii_go_by_their_declaration() {
    let text = |name: &str| document(name) + "<!-- 文字 -->\n";
    for (declared, encoding) in [
        ("UTF-8", mojika::UTF_8),
        ("Shift_JIS", mojika::SHIFT_JIS),
        ("EUC-JP", mojika::EUC_JP),
        ("ISO-2022-JP", mojika::ISO_2022_JP),
    ] {
        let text = text(declared);
        let bytes = encode(encoding, &text);
        finds(&bytes, encoding.name(), "xml-declaration", 0);
        converts(&bytes, &text);
    }
    for declared in ["ISO-8859-1", "US-ASCII"] {
        finds(
            document(declared).as_bytes(),
            "windows-1252",
            "xml-declaration",
            0,
        );
    }
    finds(
        document("ISO-8859-5").as_bytes(),
        "ISO-8859-5",
        "xml-declaration",
        0,
    );
    finds(b"<?xml version='1.0'?><a/>", "UTF-8", "default", 0);
    for declared in ["UTF-16", "ISO-10646-UCS-4", "IBM037"] {
        let bytes = document(declared);
        refuses(
            bytes.as_bytes(),
            Some("UTF-8"),
            "declared, but the bytes are an ASCII-compatible encoding",
        );
    }
    refuses(
        format!("\u{FEFF}{}", document("ISO-8859-1")).as_bytes(),
        Some("UTF-8"),
        "declared, but the byte order mark is that of UTF-8",
    );
    refuses(
        document("UTF-7").as_bytes(),
        Some("UTF-8"),
        "unsupported encoding \"UTF-7\"",
    );
}

#[test]
fn no_name_of_what_browsers_refuse_is_taken() {
    for name in [
        "csiso2022cn",
        "ISO-2022-CN",
        "csISO2022KR",
        "ISO-2022-KR",
        "HZ",
        "hz-gb-2312",
    ] {
        let expected = format!("unsupported encoding \"{name}\"");
        refuses(document(name).as_bytes(), Some("UTF-8"), &expected);
    }
    // Their kin that the Standard does not know are taken.
    finds(
        document("ISO-2022-JP-2").as_bytes(),
        "ISO-2022-JP-2",
        "xml-declaration",
        0,
    );
}

#[test]
fn utf_8_with_a_byte_order_mark() {
    let bytes = |name: &str| [b"\xEF\xBB\xBF", document(name).as_bytes()].concat();
    finds(&bytes("utf-8"), "UTF-8", "bom", 3);
    converts(&bytes("utf-8"), &document("utf-8"));
    finds(b"\xEF\xBB\xBF<a/>", "UTF-8", "bom", 3);
    refuses(&bytes("Shift_JIS"), Some("UTF-8"), "\"Shift_JIS\" declared");
}

#[test]
fn ebcdic_is_read_in_every_code_page() {
    let pages: Vec<_> = extended::all()
        .filter(|page| page.is_single_byte() && !page.is_ascii_compatible())
        .collect();
    assert!(pages.len() > 10, "{pages:?}");
    for page in pages {
        let text = document(page.name());
        let bytes = encode(page, &text);
        // Small letters or the quotation mark are elsewhere, so the declaration cannot be read before its encoding is known.
        let characters = "<?xml version=\"1.0\" encoding='";
        if encode(page, characters) != encode(extended::ibm(37).unwrap(), characters) {
            assert!(
                ["IBM290", "IBM1026", "IBM1155", "IBM905"].contains(&page.name()),
                "{page}"
            );
            continue;
        }
        assert_eq!(bytes[..4], [0x4C, 0x6F, 0xA7, 0x94], "{page}");
        finds(&bytes, page.name(), "xml-declaration", 0);
        converts(&bytes, &text);
    }
    let bytes = encode(extended::ibm(37).unwrap(), &document("ebcdic-cp-us"));
    finds(&bytes, "IBM037", "xml-declaration", 0);
}

#[test]
fn ebcdic_needs_a_declared_code_page() {
    let bytes = encode(extended::ibm(37).unwrap(), "<?xml version='1.0'?><a/>");
    refuses(&bytes, None, "EBCDIC without an encoding declaration");
    for declared in ["UTF-8", "windows-1252", "UTF-16"] {
        let bytes = encode(extended::ibm(37).unwrap(), &document(declared));
        refuses(&bytes, None, "declared, but the bytes are EBCDIC");
    }
    let bytes = encode(extended::ibm(37).unwrap(), &document("IBM99999"));
    refuses(&bytes, None, "unsupported encoding \"IBM99999\"");
}

#[test]
fn other_bytes_are_utf_8() {
    for bytes in [
        &b"<a/>"[..],
        b"",
        b"a",
        b" <?xml encoding='gbk'?>",
        b"<a>\xFF</a>",
    ] {
        finds(bytes, "UTF-8", "default", 0);
    }
}

#[test]
fn external_information_comes_first() {
    let ebcdic = encode(extended::ibm(37).unwrap(), "<?xml version='1.0'?><a/>");
    for (bytes, transport, encoding, source) in [
        (ebcdic, "IBM037", "IBM037", "transport"),
        (
            document("EUC-JP").into_bytes(),
            "text/xml; charset=shift_jis",
            "Shift_JIS",
            "transport",
        ),
        (
            document("UTF-16").into_bytes(),
            "utf-8",
            "UTF-8",
            "transport",
        ),
        // Unknown labels are ignored.
        (
            document("EUC-JP").into_bytes(),
            "klingon",
            "EUC-JP",
            "xml-declaration",
        ),
        // A byte order mark comes before the transport, and the declaration is not asked.
        (
            [b"\xEF\xBB\xBF", document("EUC-JP").as_bytes()].concat(),
            "gbk",
            "UTF-8",
            "bom",
        ),
    ] {
        let (line, status) = detected("a.xml", &bytes, &["--transport", transport]);
        let expected = format!("\"encoding\":\"{encoding}\",\"source\":\"{source}\"");
        assert!(line.starts_with(&expected), "{transport}: {line}");
        assert!(line.ends_with("\"error\":null}"), "{transport}: {line}");
        assert_eq!(status, 0);
    }
}

#[test]
fn an_unknown_extension_is_xml_by_its_declaration_in_any_family() {
    for (bytes, encoding) in [
        (document("EUC-JP").into_bytes(), "EUC-JP"),
        (ucs_4(&document("UCS-4"), [1, 0, 3, 2]), "UTF-32-2143"),
        (
            encode(extended::ibm(1047).unwrap(), &document("IBM1047")),
            "IBM1047",
        ),
    ] {
        let (line, status) = detected("data", &bytes, &[]);
        let expected = format!("\"encoding\":\"{encoding}\",\"source\":\"xml-declaration\"");
        assert!(line.starts_with(&expected), "{line}");
        assert_eq!(status, 0);
        let run = run_in(Path::new("."), &["convert", "--from", "auto"], &bytes);
        assert!(run.ok().starts_with(b"<?xml"));
    }
}

#[test]
fn several_files_are_refused_before_anything_is_written() {
    let folder = fast_folder();
    fs::write(folder.path().join("a.xml"), document("EUC-JP")).unwrap();
    fs::write(folder.path().join("b.xml"), document("UTF-16")).unwrap();
    let run = run_in(
        folder.path(),
        &["convert", "--from", "auto", "a.xml", "b.xml"],
        b"",
    );
    let line = "b.xml: encoding \"UTF-16\" declared, but the bytes are an ASCII-compatible encoding at byte \
                offset 30; name its encoding with --from LABEL";
    assert_eq!(run.fails(1, line), b"");
}
