//! Tests that any block size and any number of threads give the same result as a single block.

use super::workers::convert_blocks;
use super::*;
use mojika::io::{MixedEvent, MixedReader};
use mojika::{BomHandling, EUC_KR, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use mojika_spec::Random;
use mojika_spec::sample::in_turns;

/// The complete result of a conversion.
#[derive(Debug, PartialEq, Eq)]
struct Result {
    output: Vec<u8>,
    troubles: Vec<Trouble>,
    failure: Option<String>,
    malformed: u64,
    unmappable: u64,
    seen: Seen,
}

fn options(from: &'static Encoding, to: &'static Encoding, errors: ErrorMode) -> Options {
    Options {
        errors,
        bom: BomMode::Strip,
        ..Options::new(From::Given(from), to)
    }
}

fn of_newline(newline: Newline) -> Shape {
    Shape {
        newline,
        ..Shape::default()
    }
}

fn run(mut bytes: &[u8], options: &Options, threads: usize, block_size: usize) -> Result {
    let mut output = Vec::new();
    let mut troubles = Vec::new();
    let input = Input {
        size: Some(bytes.len() as u64),
        ..Input::new(&mut bytes)
    };
    let (outcome, result) = convert_blocks(
        input,
        &mut output,
        options,
        &mut |trouble| troubles.push(trouble.clone()),
        threads,
        block_size,
    );
    assert_eq!(outcome.bytes_out, output.len() as u64);
    assert_eq!(outcome.first_error, troubles.first().cloned());
    // After a failure, the counts are incomplete.
    let seen = result
        .as_ref()
        .map_or_else(|_| Seen::default(), |()| outcome.seen);
    Result {
        output,
        troubles,
        failure: result.err().map(|failure| failure.to_string()),
        malformed: outcome.malformed,
        unmappable: outcome.unmappable,
        seen,
    }
}

/// Returns bytes that make split points of all kinds likely: lead and trail bytes, line ends, escapes, surrogates and text.
fn noise(encoding: &'static Encoding, length: usize, seed: u64) -> Vec<u8> {
    let random = &mut Random::new(seed);
    let text = "a1 文字化け, 한국어 текст\r\né\n\r😀 語\u{1B}?\r\n~€";
    let text = encoding.encode_or_else(text, |_| mojika::Fallback::Text("?".into()));
    let text = text
        .map(|encoded| encoded.bytes.into_owned())
        .unwrap_or_default();
    let odd = b"\x81\x30\x81\n\x82\"\x8E\x8F\xFF\xFE\r\n\xF0\x9F\x98\n\x1B$B\n\x1B(B\xD8\x3D\xDE\x00\x0D\x00\x0A\xA4 \xC9\n\x80\xE9";
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let source = if text.is_empty() || random.below(4) == 0 {
            &odd[..]
        } else {
            &text[..]
        };
        let start = random.below(source.len());
        let end = (start + random.below(9)).min(source.len());
        bytes.extend_from_slice(&source[start..end]);
    }
    bytes
}

/// Checks that the reported bytes of an unmappable character decode to it, except after an escape sequence.
fn show_their_character(encoding: &'static Encoding, trouble: &Trouble) {
    let TroubleKind::Unmappable(character) = trouble.kind else {
        return;
    };
    if encoding != ISO_2022_JP {
        let text = encoding.with(BomHandling::Keep).decode(&trouble.bytes).text;
        assert!(text.contains(character), "{encoding}: {trouble:?}");
    }
}

/// Describes the first error that differs between two results, or else the first output byte that differs.
fn difference(split: &Result, whole: &Result) -> String {
    let mut troubles = split.troubles.iter().zip(&whole.troubles);
    if let Some((split, whole)) = troubles.find(|(split, whole)| split != whole) {
        return format!("{split:?} instead of {whole:?}");
    }
    let at = split
        .output
        .iter()
        .zip(&whole.output)
        .take_while(|(split, whole)| split == whole);
    let lengths = [split, whole].map(|result| result.output.len());
    let failures = [split, whole].map(|result| &result.failure);
    format!(
        "output differs at {} of {lengths:?}, failures {failures:?}",
        at.count()
    )
}

/// Tests every split point in every encoding.
#[test]
fn split_points_everywhere_change_nothing() {
    for (number, encoding) in Encoding::all().iter().enumerate() {
        let composed = Shape {
            form: Some(Form::Nfc),
            ..of_newline(Newline::Lf)
        };
        let decomposed = Shape {
            form: Some(Form::Nfkd),
            strips_marks: true,
            ..Shape::default()
        };
        let counted = Shape {
            counts: true,
            ..Shape::default()
        };
        let ways = [
            (UTF_8, counted),
            (UTF_8, composed),
            (SHIFT_JIS, of_newline(Newline::Crlf)),
            (UTF_16LE, Shape::default()),
            (ISO_2022_JP, of_newline(Newline::Lf)),
            (WINDOWS_1252, decomposed),
        ];
        for (to, shape) in in_turns(ways, 3, number) {
            for errors in [
                ErrorMode::Replacement,
                ErrorMode::Html,
                ErrorMode::Skip,
                ErrorMode::Fatal,
            ] {
                let bytes = noise(encoding, 300, errors as u64);
                let options = Options {
                    shape,
                    ..options(encoding, to, errors)
                };
                let whole = run(&bytes, &options, 1, 4096);
                let as_they_are = whole.troubles.iter().filter(|_| shape.form.is_none());
                for trouble in as_they_are {
                    show_their_character(encoding, trouble);
                }
                for block_size in [8, 9, 16, 31, 64, 301] {
                    for threads in [1, 3] {
                        let split = run(&bytes, &options, threads, block_size);
                        let difference = difference(&split, &whole);
                        assert!(
                            split == whole,
                            "{encoding} to {to}, {errors:?}, {shape:?}, {threads} threads, blocks of {block_size}: \
                             {difference}, in {}",
                            hex(&bytes)
                        );
                    }
                }
            }
        }
    }
}

/// Decoding both sides of a split point separately gives the same text as decoding the whole.
#[test]
fn decoders_are_neutral_at_every_point() {
    for encoding in Encoding::all() {
        let points = split::Points::of(encoding);
        let mut met = 0;
        for seed in 1..200 {
            let bytes = noise(encoding, 40, seed);
            for len in 1..=bytes.len() {
                if points.last_in(&bytes[..len]) != Some(len) {
                    continue;
                }
                met += 1;
                let (before, after) = bytes.split_at(len);
                let whole = encoding.with(BomHandling::Keep).decode(&bytes).text;
                let parts =
                    [before, after].map(|part| encoding.with(BomHandling::Keep).decode(part).text);
                assert_eq!(
                    whole,
                    parts.concat(),
                    "{encoding}, cut at {len}: {}",
                    hex(&bytes)
                );
            }
        }
        let stateful = ["ISO-2022-JP", "replacement"].contains(&encoding.name());
        assert_eq!(met == 0, stateful, "{encoding}");
    }
}

/// Converts one input; returns its malformed sequences and unmappable characters as text.
fn troubles(bytes: &[u8], options: &Options) -> Vec<String> {
    let list = run(bytes, options, 1, BLOCK).troubles;
    let list = list
        .into_iter()
        .map(|trouble| Failure::Trouble(trouble).to_string());
    list.collect()
}

#[test]
fn troubles_have_offset_line_column_and_bytes() {
    let to_latin = options(SHIFT_JIS, WINDOWS_1252, ErrorMode::Replacement);
    assert_eq!(
        troubles(b"ab\r\n\x95\xB6\x82\"\n\x95", &to_latin),
        [
            "Unmappable('文') 95 B6 at byte offset 4 (line 2, column 1)",
            "Malformed 82 at byte offset 6 (line 2, column 2)",
            "Malformed 95 at byte offset 9 (line 3, column 1)",
        ]
    );
    // Offsets include the byte order mark, columns do not.
    let from_utf_8 = options(UTF_8, EUC_KR, ErrorMode::Html);
    assert_eq!(
        troubles(b"\xEF\xBB\xBFa\xF0\x9F\x98\x80\xFF", &from_utf_8),
        [
            "Unmappable('😀') F0 9F 98 80 at byte offset 4 (line 1, column 2)",
            "Malformed FF at byte offset 8 (line 1, column 3)",
        ]
    );
}

/// All error modes report the same errors, but "fatal" ends with the first one, after writing the text before it.
#[test]
fn each_mode_meets_the_same_troubles() {
    let composed = Shape {
        form: Some(Form::Nfkd),
        ..Shape::default()
    };
    let cases: [(&Encoding, &'static Encoding, Shape, &[u8]); 10] = [
        (
            UTF_8,
            WINDOWS_1252,
            Shape::default(),
            "naïve →\n文字\r\n".as_bytes(),
        ),
        (
            UTF_8,
            WINDOWS_1252,
            composed,
            "e\u{301}x\u{323}\n→\u{338}ﬁ\u{212B}".as_bytes(),
        ),
        (
            UTF_8,
            SHIFT_JIS,
            Shape::default(),
            b"a\xFF\xE2\x82b\n\xF0\x9F\x98\x80\xF0\x9F",
        ),
        (
            UTF_8,
            ISO_2022_JP,
            Shape::default(),
            "文é字\u{1B}文".as_bytes(),
        ),
        (
            SHIFT_JIS,
            UTF_8,
            Shape::default(),
            b"a\x82\"\x95\xB6\xFF\n\xFD\x81",
        ),
        (
            UTF_16LE,
            SHIFT_JIS,
            Shape::default(),
            b"a\0\x3D\xD8\x00\xDE\x3D\xD8\xB9\x70\x00\xDC\n\0b",
        ),
        (
            GB18030,
            EUC_KR,
            Shape::default(),
            b"\x81\x30\x81\x30\x81\x30x\x81\x30\x84\x36\xB0\xA1\x81\n",
        ),
        (
            mojika::EUC_JP,
            WINDOWS_1252,
            Shape::default(),
            b"\x8F\xB0\xA1\xB0\xA1\x8E\xB1\x8F\xA1\xFF\xA4\xA2",
        ),
        (
            ISO_2022_JP,
            WINDOWS_1252,
            Shape::default(),
            b"a\x1B$BJ8;z\x1B(B\x1B$z\x1B(J\\\x1B(Bb",
        ),
        (
            mojika::BIG5,
            WINDOWS_1252,
            Shape::default(),
            b"\x88\x62\x88\x62\xA4\xA4",
        ),
    ];
    for (from, to, shape, bytes) in cases {
        let in_mode = |errors| {
            let options = Options {
                shape,
                ..options(from, to, errors)
            };
            run(bytes, &options, 1, BLOCK)
        };
        let html = in_mode(ErrorMode::Html);
        assert!(!html.troubles.is_empty(), "{from} to {to}");
        for trouble in &html.troubles {
            let there = &bytes[usize::try_from(trouble.offset).unwrap()..];
            assert!(
                there.starts_with(&trouble.bytes),
                "{from} to {to}: {trouble:?}"
            );
        }
        let count = html.malformed + html.unmappable;
        assert_eq!(html.troubles.len() as u64, count, "{from} to {to}");
        for errors in [ErrorMode::Replacement, ErrorMode::Skip] {
            let other = in_mode(errors);
            // In these modes, an unmappable U+FFFD is a replacement for malformed input, not a character of the input.
            let of_input = |result: &Result| -> Vec<Trouble> {
                let mut troubles = result.troubles.clone();
                troubles.retain(|trouble| trouble.kind != TroubleKind::Unmappable('\u{FFFD}'));
                troubles
            };
            assert_eq!(
                of_input(&other),
                of_input(&html),
                "{from} to {to}, {errors:?}"
            );
            assert_eq!(other.failure, None);
        }
        let fatal = in_mode(ErrorMode::Fatal);
        assert_eq!(fatal.troubles, html.troubles[..1], "{from} to {to}");
        let first = Failure::Trouble(html.troubles[0].clone()).to_string();
        assert_eq!(fatal.failure, Some(first));
        assert!(html.output.starts_with(&fatal.output), "{from} to {to}");
    }
}

#[test]
fn a_mark_decides_before_what_is_given() {
    let given = [
        From::Unnamed,
        From::Given(WINDOWS_1252),
        From::Given(UTF_16LE),
    ];
    for (bytes, expected) in [
        (
            &b"ab"[..],
            [
                "UTF-8 default",
                "windows-1252 override",
                "UTF-16LE override",
            ],
        ),
        (b"\xEF\xBB\xBFab", ["UTF-8 bom"; 3]),
        (
            b"\xEF\xBBab",
            [
                "UTF-8 default",
                "windows-1252 override",
                "UTF-16LE override",
            ],
        ),
        (b"\xFE\xFF\0a", ["UTF-16BE bom"; 3]),
        (b"\xFF\xFEa\0", ["UTF-16LE bom"; 3]),
        (
            b"\xFF\xFE\0\0a\0\0\0",
            ["UTF-32LE bom", "UTF-32LE bom", "UTF-16LE bom"],
        ),
        (
            b"\0\0\xFE\xFF\0\0\0a",
            ["UTF-32BE bom", "UTF-32BE bom", "UTF-16LE override"],
        ),
    ] {
        let found = given.map(|from| {
            let start = start::Start::of(bytes, &Options::new(from, UTF_8));
            format!("{} {}", start.encoding, start.why)
        });
        assert_eq!(found, expected, "{}", hex(bytes));
    }
}

/// The text of a mixed input, its changes, and the offset, line and column of its malformed sequences.
type MixedResult = (Vec<u8>, Vec<Change>, Vec<(u64, u64, u64)>);

fn run_mixed(
    reader: &mut (dyn Read + Send),
    other: &'static Encoding,
    parts: &[Part],
) -> MixedResult {
    let mut options = options(UTF_8, UTF_8, ErrorMode::Replacement);
    options.from = From::Mixed(other, "override");
    let input = Input {
        parts,
        ..Input::new(reader)
    };
    let (mut text, mut malformed) = (Vec::new(), Vec::new());
    let mut note = |one: &Trouble| malformed.push((one.offset, one.line, one.column));
    let (outcome, result) = convert(input, &mut text, &options, &mut note);
    result.unwrap();
    assert_eq!(outcome.bytes_out, text.len() as u64);
    (text, outcome.changes, malformed)
}

/// A mixed text is converted as the library's reader of mixed lines reads it, with any sizes of reads.
#[test]
fn mixed_lines_are_those_of_the_reader_of_lines() {
    let others: [&'static Encoding; 3] = [WINDOWS_1252, SHIFT_JIS, EUC_KR];
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let other = others[seed as usize % others.len()];
        let pieces: [&[u8]; 9] = [
            b"ascii, ",
            "größe ".as_bytes(),
            "日本語".as_bytes(),
            b"gr\xF6\xDFe ",
            b"\x82\xA0\x82",
            b"\n",
            b"\r\n",
            b"\r",
            b"\xC7\xD1\n",
        ];
        let pieces = (0..random.below(30)).map(|_| pieces[random.below(pieces.len())]);
        let mut text = pieces.collect::<Vec<_>>().concat();
        if seed % 50 == 49 {
            // A line that is read in pieces.
            let long = ["größe ".as_bytes(), b"gr\xF6\xDFe "][random.below(2)].repeat(1 << 18);
            text.splice(random.below(text.len() + 1)..text.len(), long);
            text.extend_from_slice("größe\nascii\ngröße".as_bytes());
        }
        let (mut expected, mut changes, mut malformed) = (Vec::new(), Vec::new(), Vec::new());
        let mut reader = MixedReader::new(&text[..], other).on_event(|event| match event {
            MixedEvent::Change {
                offset,
                line,
                encoding,
            } => changes.push(Change {
                offset,
                line,
                encoding,
            }),
            MixedEvent::Malformed {
                offset,
                line,
                column,
                ..
            } => malformed.push((offset, line, column)),
            _ => {}
        });
        reader.read_to_end(&mut expected).unwrap();
        drop(reader);
        let whole = run_mixed(&mut &text[..], other, &[]);
        assert_eq!(whole.1, changes, "{seed}");
        assert_eq!(whole.2, malformed, "{seed}");
        assert!(whole.0 == expected, "{seed}");
        for size in [1, 2, 5].into_iter().filter(|_| text.len() < 300) {
            let mut reader = in_pieces(&text, size);
            assert_eq!(run_mixed(&mut *reader, other, &[]), whole, "{seed} {size}");
        }
    }
}

/// Returns a reader whose reads have at most `size` bytes.
fn in_pieces(text: &[u8], size: usize) -> Box<dyn Read + Send + '_> {
    let first: Box<dyn Read + Send> = Box::new(io::empty());
    let pieces = text.chunks(size);
    pieces.fold(first, |before, piece| Box::new(before.chain(piece)))
}

/// A mark of UTF-16 makes the whole text one part. A mark of UTF-8 is removed before a line in the other encoding.
#[test]
fn a_mark_comes_before_the_rules_of_lines() {
    for (order, text) in [
        (UTF_16LE, "\u{FEFF}größe\n文字\nнет\n"),
        (UTF_16LE, "\u{FEFF}\u{FEFF}a\n"),
        (mojika::UTF_16BE, "\u{FEFF}\u{E9}\n"),
    ] {
        let bytes = order.encode(text).unwrap();
        let (read, ..) = run_mixed(&mut &bytes[..], WINDOWS_1252, &[]);
        assert_eq!(String::from_utf8(read).unwrap(), text[3..]);
    }
    // The first bytes of UTF-32LE are those of UTF-16LE, and of a text that begins with U+0000.
    for (bytes, text) in [
        (&b"\xFF\xFE\0\0a\0\0\0\n\0\0\0"[..], "a\n"),
        (b"\xFF\xFE\0\0a\0b\0\n\0", "\0ab\n"),
        (b"\0\0\xFE\xFF\0\0\0a\0\0\0\n", "a\n"),
    ] {
        for size in 1..=bytes.len() {
            let (read, ..) = run_mixed(&mut *in_pieces(bytes, size), WINDOWS_1252, &[]);
            assert_eq!(String::from_utf8(read).unwrap(), text, "{size}");
        }
    }
    let marked = b"\xEF\xBB\xBFM\xFCller\nM\xC3\xBCller\n";
    let (read, changes, _) = run_mixed(&mut &marked[..], WINDOWS_1252, &[]);
    assert_eq!(String::from_utf8(read).unwrap(), "Müller\nMüller\n");
    assert_eq!(changes.len(), 2);
}

/// A part in UTF-16 that ends within a character is malformed there, at its position in the input.
#[test]
fn a_part_ends_before_the_next_one_begins() {
    let text = b"\xFCb\na\0\n\0b\0\x3D\xD8\xC3\xBC\n\xE9\n";
    let place = |offset, line| Place {
        offset,
        line: Some((line, 1)),
    };
    let parts = [(None, 0, 1), (Some(UTF_16LE), 3, 2), (None, 11, 3)];
    let parts = parts.map(|(encoding, offset, line)| Part {
        encoding,
        place: place(offset, line),
    });
    let (read, changes, malformed) = run_mixed(&mut &text[..], WINDOWS_1252, &parts);
    assert_eq!(String::from_utf8(read).unwrap(), "üb\na\nb\u{FFFD}ü\né\n");
    assert_eq!(malformed, [(9, 3, 2)]);
    let changes: Vec<_> = changes
        .iter()
        .map(|one| (one.offset, one.line, one.encoding))
        .collect();
    let expected = [
        (0, 1, WINDOWS_1252),
        (3, 2, UTF_16LE),
        (11, 3, UTF_8),
        (14, 4, WINDOWS_1252),
    ];
    assert_eq!(changes, expected);
}

#[test]
fn line_ends_are_converted() {
    let convert = |newline, bytes: &[u8]| {
        let options = Options {
            shape: of_newline(newline),
            ..options(WINDOWS_1252, UTF_8, ErrorMode::Fatal)
        };
        String::from_utf8(run(bytes, &options, 1, 8).output).unwrap()
    };
    let text = b"a\nb\r\nc\rd\r\r\n\n\r";
    assert_eq!(convert(Newline::Keep, text).as_bytes(), text);
    let lines = "a\nb\nc\nd\n\n\n\n";
    assert_eq!(convert(Newline::Lf, text), lines);
    assert_eq!(convert(Newline::Crlf, text), lines.replace('\n', "\r\n"));
}

#[test]
fn byte_order_mark_is_added_kept_or_stripped() {
    let convert = |bom, to, bytes: &[u8]| {
        let options = Options {
            bom,
            ..options(UTF_8, to, ErrorMode::Fatal)
        };
        run(bytes, &options, 1, BLOCK)
    };
    const MARKED: &[u8] = b"\xEF\xBB\xBFa";
    assert_eq!(convert(BomMode::Add, UTF_16LE, b"a").output, b"\xFF\xFEa\0");
    assert_eq!(convert(BomMode::Add, UTF_8, MARKED).output, MARKED);
    assert_eq!(convert(BomMode::Keep, UTF_8, MARKED).output, MARKED);
    assert_eq!(convert(BomMode::Keep, UTF_8, b"a").output, b"a");
    assert_eq!(convert(BomMode::Keep, GB18030, MARKED).output, b"a");
    assert_eq!(convert(BomMode::Strip, UTF_8, MARKED).output, b"a");
    assert!(convert(BomMode::Add, GB18030, b"a").failure.is_some());
}

#[test]
fn source_that_shrinks_or_grows_is_a_failure() {
    for (size, says) in [(5, Some("shrank")), (3, None), (2, Some("grew")), (0, None)] {
        for threads in [1, 2] {
            let (mut bytes, mut output) = (&b"abc"[..], Vec::new());
            let input = Input {
                size: Some(size),
                ..Input::new(&mut bytes)
            };
            let options = options(WINDOWS_1252, UTF_8, ErrorMode::Fatal);
            let (_, result) = convert_blocks(input, &mut output, &options, &mut |_| (), threads, 8);
            let message = result.err().map(|failure| failure.to_string());
            let as_said = match says {
                Some(says) => message
                    .as_ref()
                    .is_some_and(|message| message.contains(says)),
                None => message.is_none(),
            };
            assert!(as_said, "size {size}: {message:?}");
        }
    }
}
