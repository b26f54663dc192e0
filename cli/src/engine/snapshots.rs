//! Results and messages of whole conversions: every option of the engine on inputs that show its
//! effect.

use super::*;
use mojika::extended::{self, rfc2781::Charset};
use mojika::{
    BIG5, EUC_JP, EUC_KR, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use mojika_spec::snapshot::compare;
use std::fmt::Write as _;

const MODES: [ErrorMode; 4] = [
    ErrorMode::Fatal,
    ErrorMode::Replacement,
    ErrorMode::Html,
    ErrorMode::Skip,
];

/// Returns bytes as text, with hexadecimal for bytes outside of printable ASCII.
fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Returns the bytes and messages of one conversion.
fn told(label: &str, bytes: &[u8], options: &Options) -> String {
    let (mut reader, mut output, mut troubles) = (bytes, Vec::new(), Vec::new());
    let input = Input {
        reader: &mut reader,
        size: Some(bytes.len() as u64),
        prompt: false,
        turn: None,
    };
    let (outcome, result) = convert(input, &mut output, options, &mut |trouble| {
        troubles.push(trouble.clone());
    });
    let mut text = format!("{label}: {} bytes to {}", bytes.len(), options.to);
    if bytes.len() < 100 {
        write!(text, ", {}", shown(bytes)).unwrap();
    }
    write!(text, "\n  \"{}\"\n ", shown(&output)).unwrap();
    assert_eq!(outcome.first_error, troubles.first().cloned());
    if let Some(encoding) = outcome.encoding {
        write!(text, " {encoding} ({})", outcome.why).unwrap();
    }
    write!(text, " {} in, {} out", outcome.bytes_in, outcome.bytes_out).unwrap();
    let Seen {
        line_ends,
        marks,
        normalized,
    } = outcome.seen;
    for (count, what) in [
        (outcome.malformed, "malformed"),
        (outcome.unmappable, "unmappable"),
        (outcome.substituted, "substituted"),
        (marks, "marks"),
        (normalized, "normalized"),
        (outcome.change_count, "changes"),
        (outcome.repaired.count, "repaired"),
        (outcome.repaired.ambiguous, "ambiguous"),
    ] {
        if count > 0 {
            write!(text, ", {count} {what}").unwrap();
        }
    }
    for (kind, count) in line_ends.kinds() {
        if count > 0 {
            write!(text, ", {count} {kind}").unwrap();
        }
    }
    if outcome.seen.is_changed(options.shape) {
        text.push_str(", changed");
    }
    text.push('\n');
    for change in &outcome.changes {
        let Change {
            offset,
            line,
            encoding,
        } = change;
        writeln!(text, "  {encoding} from byte offset {offset}, line {line}").unwrap();
    }
    for trouble in troubles {
        writeln!(text, "  {}", Failure::Trouble(trouble)).unwrap();
    }
    if let Err(failure) = result {
        writeln!(text, "  fails: {failure}").unwrap();
    }
    text
}

fn given(from: &'static Encoding, to: &'static Encoding) -> Options {
    Options {
        bom: BomMode::Strip,
        ..Options::new(From::Given(from), to)
    }
}

/// The conversion in each of these error modes.
fn in_modes(modes: &[ErrorMode], label: &str, bytes: &[u8], options: &Options) -> String {
    let in_mode = |&errors: &ErrorMode| {
        let options = Options { errors, ..*options };
        told(&format!("{label}, {errors:?}"), bytes, &options)
    };
    modes.iter().map(in_mode).collect()
}

fn in_each_mode(label: &str, bytes: &[u8], options: &Options) -> String {
    in_modes(&MODES, label, bytes, options)
}

fn check(name: &str, texts: &[String]) {
    let path = format!("{}/tests/snapshots/{name}", env!("CARGO_MANIFEST_DIR"));
    compare(&path, &texts.join("\n"));
}

#[test]
fn troubles_of_each_kind_of_encoding_are_those_reviewed() {
    let named = |name| extended::find(name).unwrap();
    let far = |character: &str, before: usize| {
        let text = format!("{}{character}\n", "日本".repeat(before / 4));
        SHIFT_JIS.encode(&text).unwrap().into_owned()
    };
    let texts = [
        in_each_mode(
            "a character that is not there",
            "naïve →\n文字\r\n".as_bytes(),
            &given(UTF_8, WINDOWS_1252),
        ),
        in_each_mode(
            "malformed and cut off",
            b"a\xFF\xE2\x82b\n\xF0\x9F\x98\x80\xF0\x9F",
            &given(UTF_8, SHIFT_JIS),
        ),
        in_each_mode(
            "to UTF-8",
            b"a\x82\"\x95\xB6\xFF\n\xFD\x81",
            &given(SHIFT_JIS, UTF_8),
        ),
        in_each_mode(
            "surrogates and half of a unit",
            b"a\0\x3D\xD8\x00\xDE\x3D\xD8\xB9\x70\x00\xDC\n\0b",
            &given(UTF_16LE, SHIFT_JIS),
        ),
        in_each_mode(
            "four bytes and restored ASCII",
            b"\x81\x30\x81\x30\x81\x30x\x81\x30\x84\x36\xB0\xA1\x81\n",
            &given(GB18030, BIG5),
        ),
        in_each_mode(
            "three bytes",
            b"\x8F\xB0\xA1\xB0\xA1\x8E\xB1\x8F\xA1\xFF\xA4\xA2",
            &given(EUC_JP, WINDOWS_1252),
        ),
        in_each_mode(
            "escape sequences",
            b"a\x1B$BJ8;z\x1B(B\x1B$z\x1B(J\\\x1B(Bb",
            &given(ISO_2022_JP, WINDOWS_1252),
        ),
        in_each_mode(
            "escape sequences in the output",
            "文é字\u{1B}文".as_bytes(),
            &given(UTF_8, ISO_2022_JP),
        ),
        in_each_mode(
            "four bytes each",
            b"\0\0\0a\0\0\x65\x87\0\x11\0\0\0\0\0b\0\0",
            &given(named("UTF-32BE"), WINDOWS_1252),
        ),
        in_each_mode(
            "two characters of one sequence",
            b"\x88\x62\x88\x62\xA4\xA4",
            &given(BIG5, WINDOWS_1252),
        ),
        // Around the strides in which a place is looked for.
        [60, 64, 68, 124, 128, 132]
            .map(|before| {
                let bytes = [far("ｱ", before), far("髙ｱ", before)].concat();
                let options = Options {
                    errors: ErrorMode::Html,
                    ..given(SHIFT_JIS, EUC_KR)
                };
                told(&format!("after {before}"), &bytes, &options)
            })
            .concat(),
    ];
    check("engine.troubles.txt", &texts);
}

#[test]
fn shaped_texts_are_those_reviewed() {
    let lines = "\u{FEFF}a\nb\r\nc\rd\u{85}\u{FEFF}→\r\n";
    let of_form = |form| Shape {
        form: Some(form),
        counts: true,
        ..Shape::default()
    };
    let mut texts = Vec::new();
    for newline in Newline::ALL {
        for (interior_bom, to) in [
            (InteriorBom::Keep, WINDOWS_1252),
            (InteriorBom::Strip, UTF_8),
        ] {
            let options = Options {
                errors: ErrorMode::Html,
                shape: Shape {
                    newline,
                    interior_bom,
                    counts: true,
                    ..Shape::default()
                },
                ..given(UTF_8, to)
            };
            let label = format!("{newline:?}, {interior_bom:?}");
            texts.push(told(&label, lines.as_bytes(), &options));
        }
    }
    if cfg!(feature = "normalize") {
        // Text that is held back has its place, and its new form is named.
        let marks = "e\u{301}x\u{301}\u{323}\n→\u{338}ﬁ①\u{212B}ｱ\u{FF9E}e\u{301}";
        for form in [Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd] {
            for errors in [ErrorMode::Html, ErrorMode::Fatal] {
                let options = Options {
                    errors,
                    shape: of_form(form),
                    ..given(UTF_8, WINDOWS_1252)
                };
                let label = format!("{form:?}, {errors:?}");
                texts.push(told(&label, marks.as_bytes(), &options));
            }
        }
        let options = Options {
            errors: ErrorMode::Replacement,
            shape: of_form(Form::Nfc),
            ..given(UTF_8, UTF_8)
        };
        let malformed = b"e\xCC\x81e\xFF\xCC\x81\xFFe\xCC";
        texts.push(told("malformed", malformed, &options));
    }
    let every = Substitutes {
        jis_variants: true,
        decompose: true,
        translit: true,
    };
    let letters = "〜—ế\u{E000}€é";
    if cfg!(all(feature = "normalize", feature = "translit")) {
        for to in [
            SHIFT_JIS,
            ISO_2022_JP,
            mojika::WINDOWS_1258,
            extended::US_ASCII,
        ] {
            for substitutes in [Substitutes::default(), every] {
                let options = Options {
                    errors: ErrorMode::Html,
                    substitutes,
                    ..given(UTF_8, to)
                };
                let label = format!("substitutes {}", substitutes == every);
                texts.push(told(&label, letters.as_bytes(), &options));
            }
        }
    }
    check("engine.shapes.txt", &texts);
}

#[test]
fn starts_and_byte_order_marks_are_those_reviewed() {
    let mut texts = Vec::new();
    let starts: [&[u8]; 10] = [
        b"",
        b"ab",
        b"\xEF\xBB\xBFab",
        b"\xEF\xBBab",
        b"\xFE\xFF\0a",
        b"\xFF\xFEa\0",
        b"\xFF\xFE\0\0a\0\0\0",
        b"\0\0\xFE\xFF\0\0\0a",
        b"ab\xE9",
        b"\xC3\xA9\xE9",
    ];
    let wide = extended::find("UTF-32LE").unwrap();
    let froms = [
        ("unnamed", From::Unnamed),
        ("windows-1252", From::Given(WINDOWS_1252)),
        ("UTF-16LE", From::Given(UTF_16LE)),
        ("UTF-32LE", From::Given(wide)),
    ];
    for bytes in starts {
        for (label, from) in froms {
            let options = Options {
                errors: ErrorMode::Replacement,
                ..Options::new(from, UTF_16BE)
            };
            texts.push(told(label, bytes, &options));
        }
    }
    for bom in [BomMode::Add, BomMode::Strip, BomMode::Keep] {
        for to in [UTF_8, UTF_16LE, GB18030, mojika::REPLACEMENT] {
            for bytes in [&b"a"[..], b"\xEF\xBB\xBFa"] {
                let options = Options {
                    bom,
                    ..given(WINDOWS_1252, to)
                };
                texts.push(told(&format!("{bom:?}"), bytes, &options));
            }
        }
    }
    for charset in [Charset::Utf16, Charset::Utf16Be, Charset::Utf16Le] {
        let encoding = match charset {
            Charset::Utf16Le => UTF_16LE,
            _ => UTF_16BE,
        };
        for bytes in [
            &b"\xFE\xFF\0a"[..],
            b"\xFF\xFEa\0",
            b"\xEF\xBB\xBFa",
            b"\0a",
        ] {
            for errors in [ErrorMode::Replacement, ErrorMode::Fatal] {
                let options = Options {
                    rfc2781: Some(charset),
                    errors,
                    ..given(encoding, UTF_8)
                };
                texts.push(told(&format!("{charset:?}, {errors:?}"), bytes, &options));
            }
        }
    }
    check("engine.starts.txt", &texts);
}

#[test]
fn records_lines_of_ebcdic_and_mixed_lines_are_those_reviewed() {
    let ibm = |number| extended::ibm(number).unwrap();
    let mut texts = Vec::new();
    let fixed = |length, trim| Records {
        format: RecordFormat::Fixed(length),
        trim,
    };
    for (label, records, next_line, bytes) in [
        (
            "fixed",
            fixed(3, false),
            false,
            &b"\xC1\x40\x40\xC2\xC3\x25"[..],
        ),
        (
            "trimmed",
            fixed(3, true),
            false,
            b"\xC1\x40\x40\x40\x40\x40",
        ),
        ("with 15", fixed(3, true), true, b"\xC1\x15\x25\xC2\x25\x40"),
        ("too short", fixed(4, true), false, b"\xC1\x40\x40\x40\xC1"),
        (
            "of their own length",
            Records {
                format: RecordFormat::Rdw,
                trim: false,
            },
            false,
            b"\0\x06\0\0\xC1\xC2\0\x04\0\0\0\x05\0\0\xC3",
        ),
        (
            "in blocks",
            Records {
                format: RecordFormat::Bdw,
                trim: false,
            },
            false,
            b"\0\x0E\0\0\0\x05\0\0\xC1\0\x05\0\0\xC2\x80\0\0\x09\0\x05\0\0\xC3",
        ),
        (
            "empty in blocks",
            Records {
                format: RecordFormat::Bdw,
                trim: false,
            },
            false,
            b"\0\x08\0\0\0\x04\0\0",
        ),
    ] {
        for to in [UTF_8, ibm(500)] {
            let options = Options {
                records: Some(records),
                next_line,
                ..given(ibm(1047), to)
            };
            texts.push(told(label, bytes, &options));
        }
    }
    for (from, to, bytes) in [
        (ibm(1047), UTF_8, &b"\xC1\x15\xC2\x25"[..]),
        (UTF_8, ibm(1047), "A\nB\u{85}".as_bytes()),
        (ibm(1047), ibm(500), b"\xC1\x15\xC2\x25"),
        (ibm(939), UTF_8, b"\x0E\x41\x15\x15\x25\x0F\x15"),
        // In encodings that have ASCII, 25 and 15 are no line ends.
        (UTF_8, WINDOWS_1252, b"A%\n\x15"),
        (UTF_8, ibm(850), b"A%\n\x15"),
        (ibm(850), UTF_8, b"A%\n\x15"),
    ] {
        let options = Options {
            errors: ErrorMode::Replacement,
            next_line: true,
            ..given(from, to)
        };
        texts.push(told(&format!("next line, {from}"), bytes, &options));
    }
    let lines =
        b"\xEF\xBB\xBFa\n\xC3\xA9\n\x95\xB6\x8E\x9A\r\nb\n\xE6\x96\x87\xFF\n\x82\n\xE6\x96\x87";
    let options = Options::new(From::Mixed(SHIFT_JIS, "override"), UTF_16LE);
    // The first error is the failure; the bytes read ahead differ.
    texts.push(told("mixed, Fatal", b"a\n\x82\n", &options));
    for (label, bytes) in [
        ("mixed", &lines[..]),
        ("mixed, without a mark", &lines[3..]),
    ] {
        texts.push(in_modes(&MODES[1..], label, bytes, &options));
    }
    texts.push(told("mixed, of UTF-8 alone", &lines[..7], &options));
    let options = Options {
        repair: true,
        ..given(UTF_8, UTF_8)
    };
    let twice = "plain\ncafÃ©\nÐŸÑ€Ð¸Ð²ÐµÑ‚\n".as_bytes();
    texts.push(told("encoded twice", twice, &options));
    let options = Options {
        to: WINDOWS_1252,
        errors: ErrorMode::Html,
        ..options
    };
    texts.push(told("encoded twice", twice, &options));
    check("engine.lines.txt", &texts);
}

/// The first thousand changes and malformed sequences are listed. All are counted.
#[test]
fn changes_and_malformed_sequences_are_listed_up_to_a_thousand() {
    let mut options = Options::new(From::Mixed(SHIFT_JIS, "override"), UTF_8);
    options.errors = ErrorMode::Skip;
    for (count, listed) in [(500, 500), (501, 501), (1000, 1000), (1001, 1000)] {
        let bytes = b"\xC3\xA9\n\x82\n".repeat(count);
        let (mut reader, mut troubles) = (&bytes[..], 0);
        let input = Input {
            reader: &mut reader,
            size: None,
            prompt: false,
            turn: None,
        };
        let (outcome, _) = convert(input, &mut Vec::new(), &options, &mut |_| troubles += 1);
        assert_eq!((outcome.malformed, troubles), (count as u64, listed));
        // The first line is in UTF-8, as the text is taken to be before.
        let changes = 2 * count - 1;
        assert_eq!(outcome.change_count, changes as u64);
        assert_eq!(outcome.changes.len(), changes.min(1000));
    }
}
