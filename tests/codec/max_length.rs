//! The `max_length` functions: their results are never exceeded, and exact for a new decoder or encoder.

use crate::common::{Form, How, Unit, drive, hex, in_turns, utf_16};
use mojika::{BomHandling, Decoder, Encoder, Encoding, Status};
use mojika_drive::{Buffer, Coder, Source, run};
use std::fmt::Debug;

/// Byte sequences that are repeated to make the input with the longest output.
const BYTES: [&[u8]; 14] = [
    b"a",
    b"\x80",
    b"\xFF",
    b"\xA1",
    b"\xA4\x40",
    b"\xB0\xA1",
    b"\x88\x62",
    b"\x81\x30",
    b"\x1B(I",
    b"1",
    b"\xDC\xDC",
    b"\xE3\x81",
    b"\xF7",
    b"\x30\x30",
];

/// Characters that are repeated to make the input with the longest output.
const TEXTS: [&str; 13] = [
    "a",
    "\u{E}",
    "\u{7FF}",
    "\u{80}",
    "é",
    "α",
    "¥",
    "文",
    "\u{FFFF}",
    "\u{E5E5}",
    "ｱ",
    "💩",
    "\u{10FFFF}",
];

/// Returns inputs of `n` units: one or two parts repeated, with an optional part at the start and one at the end.
/// Inputs of one repeated part come first.
fn periodic<'a, T: Copy>(parts: &'a [&'a [T]], n: usize) -> impl Iterator<Item = Vec<T>> + 'a {
    let build = move |start: &[T], first: &[T], second: &[T], end: &[T]| {
        let period = [first, second].concat();
        let middle = n.checked_sub(start.len() + end.len())?;
        let repeated = period.repeat(middle / period.len());
        (middle % period.len() == 0).then(|| [start, &repeated, end].concat())
    };
    let none: &[T] = &[];
    let pairs = move || {
        parts
            .iter()
            .flat_map(move |&a| parts.iter().map(move |&b| (a, b)))
    };
    let plain = parts
        .iter()
        .filter_map(move |first| build(none, first, none, none));
    let ended = pairs().filter_map(move |(first, end)| build(none, first, none, end));
    let started = pairs().flat_map(move |(first, end)| {
        parts
            .iter()
            .filter_map(move |start| build(start, first, none, end))
    });
    let twofold = pairs().flat_map(move |(first, second)| {
        let ends = parts.iter().copied().chain([none]);
        ends.filter_map(move |end| build(none, first, second, end))
    });
    let all = pairs().flat_map(move |(first, second)| {
        pairs().filter_map(move |(start, end)| build(start, first, second, end))
    });
    plain.chain(ended).chain(twofold).chain(started).chain(all)
}

/// Returns the length of a stream's output, skipping errors. The buffer has the size of the query, which must suffice.
fn converted_length<C, S, U>(coder: &mut C, src: &S, fatal: bool) -> usize
where
    C: Coder<S, U> + Debug,
    S: Source + Debug + ?Sized,
    U: Unit,
{
    let max = coder.max_length(src.units(), fatal).expect("a short input");
    let mut out = Buffer::new(max.max(C::LEAST), None);
    let how = if fatal { How::FATAL } else { How::LENIENT };
    if let Err(broken) = run(coder, [src], &mut out, how, |_, _, _| Ok(())) {
        panic!("{broken}, {how:?}: {coder:?} {src:02X?}");
    }
    out.units.len()
}

/// Asserts that some input of `n` units, made of these parts, has an output of the maximum length.
fn reaches<C, T, U, S>(coder: &mut C, parts: &[&[T]], n: usize, fatal: bool, of: fn(&[T]) -> &S)
where
    C: Coder<S, U> + Debug,
    T: Copy,
    S: Source + Debug + ?Sized,
    U: Unit,
{
    let max = coder.max_length(n, fatal).unwrap();
    let mut inputs = periodic(parts, n);
    let reached = inputs.any(|input| converted_length(coder, of(&input), fatal) == max);
    assert!(reached, "{coder:?}: {max} of {n} is too large, {fatal}");
}

fn decoders_reach_it<U: Form>() {
    for (number, encoding) in Encoding::all().iter().enumerate() {
        // Single-byte encodings differ in their malformed bytes, and in the byte that decodes to the longest character.
        let all: Vec<u8> = (0..=0xFF).collect();
        let decode = |byte: u8| {
            let byte = [byte];
            let decoded = encoding.with(BomHandling::Keep).decode(&byte);
            (decoded.had_errors, decoded.text.len())
        };
        let clean = all.chunks(1).filter(|byte| !decode(byte[0]).0);
        let longest = clean.max_by_key(|byte| decode(byte[0]).1);
        let malformed = all.chunks(1).find(|byte| decode(byte[0]).0);
        let parts: Vec<&[u8]> = longest.into_iter().chain(malformed).chain(BYTES).collect();
        for n in in_turns(0..=64, 3, number) {
            for fatal in [false, true] {
                let decoder = &mut Decoder::new(encoding, BomHandling::Keep);
                reaches::<_, _, U, _>(decoder, &parts, n, fatal, |bytes| bytes);
            }
        }
    }
}

#[test]
fn some_input_decodes_to_the_max_length() {
    decoders_reach_it::<u8>();
    decoders_reach_it::<u16>();
}

#[test]
fn some_text_encodes_to_the_max_length() {
    let bytes = TEXTS.map(str::as_bytes);
    let units = TEXTS.map(utf_16);
    let units: Vec<&[u16]> = units.iter().map(Vec::as_slice).collect();
    for encoding in Encoding::all() {
        let Ok(mut encoder) = encoding.new_encoder() else {
            continue;
        };
        for n in 0..=64 {
            for fatal in [false, true] {
                reaches(&mut encoder, &bytes, n, fatal, |text| {
                    str::from_utf8(text).unwrap()
                });
                reaches(&mut encoder, &units, n, fatal, |units| units);
            }
        }
    }
}

#[test]
fn bounds_of_other_encodings_suffice() {
    let texts = TEXTS.map(str::as_bytes);
    for (number, encoding) in mojika::extended::all().enumerate() {
        for n in in_turns(0..=5, 2, number) {
            for (bytes, text) in periodic(&BYTES, n).zip(periodic(&texts, n)).take(4000) {
                for fatal in [false, true] {
                    let text = str::from_utf8(&text).unwrap();
                    let decoder = &mut Decoder::new(encoding, BomHandling::Keep);
                    converted_length::<_, _, u8>(decoder, &bytes[..], fatal);
                    let encoder = &mut encoding.new_encoder().unwrap();
                    converted_length(encoder, text, fatal);
                    converted_length(encoder, &utf_16(text)[..], fatal);
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_into_usize_is_none() {
    let max = usize::MAX;
    for encoding in Encoding::all() {
        let decoder = Decoder::new(encoding, BomHandling::Keep);
        for query in [
            Decoder::max_utf8_length,
            Decoder::max_utf8_length_fatal,
            Decoder::max_utf16_length,
            Decoder::max_utf16_length_fatal,
        ] {
            check_overflow(encoding, |n| query(&decoder, n));
        }
        let Ok(mut encoder) = encoding.new_encoder() else {
            continue;
        };
        for query in [
            Encoder::max_length_from_utf8_html,
            Encoder::max_length_from_utf8,
            Encoder::max_length_from_utf16_html,
            Encoder::max_length_from_utf16,
        ] {
            check_overflow(encoding, |n| query(&encoder, n));
        }
        // With a code unit read but not encoded, the maximum for the largest input overflows.
        encoder.encode_html(&[0xD83D], &mut [0; 4], false);
        assert_eq!(encoder.max_length_from_utf16_html(max), None, "{encoding}");
    }
}

/// Compares a query near the largest numbers with its extrapolation from small inputs, which cannot overflow.
fn check_overflow(encoding: &Encoding, query: impl Fn(usize) -> Option<usize>) {
    // From 12 units on, every maximum grows by the same amount per 6 units.
    let step = query(24).unwrap() - query(18).unwrap();
    assert_eq!(query(18).unwrap() - query(12).unwrap(), step, "{encoding}");
    for n in (usize::MAX - 40..=usize::MAX).chain((1..40).map(|i| usize::MAX / i)) {
        let base = 12 + (n - 12) % 6;
        let exact = query(base).unwrap() as u128 + ((n - base) / 6) as u128 * step as u128;
        let expected = usize::try_from(exact).ok();
        assert_eq!(query(n), expected, "{encoding}: {n}");
    }
}

#[test]
fn the_documented_numbers() {
    let decoder = Decoder::new(mojika::GB18030, BomHandling::Keep);
    assert_eq!(decoder.max_utf8_length(10), Some(30));
    let encoder = mojika::UTF_16LE.new_encoder().unwrap();
    assert_eq!(encoder.max_length_from_utf16_html(10), Some(20));
    let encoder = mojika::ISO_2022_JP.new_encoder().unwrap();
    assert_eq!(encoder.max_length_from_utf8_html(1), Some(8));
    let html = drive::encode(&mut encoder.clone(), &["\u{E}"], 8);
    assert_eq!(hex(&html.bytes), hex(b"&#65533;"));
}

/// If only the first of a pair's two characters fits, the second one counts in the maximum.
#[test]
fn a_character_that_is_still_to_be_written_counts() {
    for (name, bytes, [first, second]) in [
        ("Shift_JIS-2004", b"\x82\xF5", ["か", "\u{309A}"]),
        ("EUC-JIS-2004", b"\xA4\xF7", ["か", "\u{309A}"]),
        ("Big5-HKSCS", b"\x88\x62", ["Ê", "\u{304}"]),
    ] {
        let encoding = mojika::extended::for_name(name).expect(name);
        let mut decoder = Decoder::new(encoding, BomHandling::Keep);
        let mut output = [0; 8];
        let progress = decoder.decode(bytes, &mut output[..first.len()], false);
        assert_eq!(progress.status, Status::OutputFull, "{encoding}");
        assert_eq!(&output[..progress.written], first.as_bytes(), "{encoding}");
        let most = decoder.max_utf8_length(0).expect("a length");
        assert!(most >= second.len(), "{encoding}: {most}");
        assert!(decoder.max_utf16_length(0) >= Some(1), "{encoding}");
        let rest = decoder.decode(&[], &mut output[..most], true);
        assert_eq!(rest.status, Status::InputEmpty, "{encoding}");
        assert_eq!(&output[..rest.written], second.as_bytes(), "{encoding}");
    }
}
