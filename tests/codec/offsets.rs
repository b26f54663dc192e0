//! Offset maps, compared with the transliteration: the bytes of every character, in every encoding, in malformed input,
//! and for any chunks. Both kinds of map, both units and both directions are tested at every offset.

use crate::common::{Random, all_cases, case, everything, in_turns, input, one_in, oracle};
use mojika::offsets::{
    DenseOffsetMapBuilder, OffsetMap, OffsetMapBuilder, OffsetMapOptions, Offsets, TextUnit,
};
use mojika::{BomHandling, Encoding, GB18030};
use mojika_spec::DecodeItem;
use std::ops::Range;

/// A character, or the characters of one byte sequence, with their offsets by the transliteration.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expected {
    text: Range<u64>,
    source: Range<u64>,
    lead_in: Range<u64>,
}

/// Returns the encoding after BOM handling, and the BOM's length.
fn sniff(
    encoding: &'static Encoding,
    bom: BomHandling,
    bytes: &[u8],
) -> (&'static Encoding, usize) {
    if let mojika_spec::Encoding::Extended(extended) = oracle(encoding)
        && extended.is_utf_32()
    {
        if bom == BomHandling::Keep {
            return (encoding, 0);
        }
        let (marked, length) = extended.after_bom(bytes);
        let marked = mojika::extended::for_name(marked.name()).expect("an encoding of both");
        return (marked, length);
    }
    match (bom, Encoding::for_bom(bytes)) {
        (BomHandling::Sniff, Some(found)) => found,
        (BomHandling::Remove, Some(found)) if found.0 == encoding => found,
        _ => (encoding, 0),
    }
}

/// Returns the text, all its characters by the transliteration, and the BOM's length.
fn expected(
    encoding: &'static Encoding,
    bom: BomHandling,
    bytes: &[u8],
    unit: TextUnit,
) -> (String, Vec<Expected>, u64) {
    let (encoding, bom_length) = sniff(encoding, bom, bytes);
    let oracle = oracle(encoding);
    let base = bom_length as u64;
    let (mut string, mut segments) = (String::new(), Vec::<Expected>::new());
    let mut place = 0;
    let items = mojika_spec::decode_fragments_with_starts(oracle, &bytes[bom_length..]);
    for (start, item) in items {
        let before = segments.last().map_or(base, |last| last.source.end);
        let (value, start, end) = match item {
            DecodeItem::Scalar { value, end } => {
                // `start` follows any escape sequences and shifts before the character.
                (value, base + start as u64, base + end as u64)
            }
            DecodeItem::Error { offset, len, .. } => {
                let start = base + offset as u64;
                ('\u{FFFD}', start, start + len as u64)
            }
        };
        string.push(value);
        let length = match unit {
            TextUnit::Utf8 => value.len_utf8(),
            TextUnit::Utf16 => value.len_utf16(),
        } as u64;
        match segments.last_mut() {
            // This is the second of two characters from the same bytes.
            Some(last) if end == before => last.text.end += length,
            _ => segments.push(Expected {
                text: place..place + length,
                source: start..end,
                lead_in: before..start,
            }),
        }
        place += length;
    }
    (string, segments, base)
}

/// Compares the results of all queries about single offsets with the expected characters.
fn check_offsets(
    offsets: &Offsets<'_>,
    segments: &[Expected],
    bom_length: u64,
    read: u64,
    case: &str,
) {
    let text_length = segments.last().map_or(0, |last| last.text.end);
    let end = segments.last().map_or(bom_length, |last| last.source.end);
    assert_eq!(offsets.text_length(), text_length, "{case}");
    assert_eq!(offsets.source_length(), read, "{case}");
    let same = |found: Option<mojika::offsets::Segment>, expected: Option<&Expected>, at: u64| {
        let found = found.map(|segment| Expected {
            text: segment.text,
            source: segment.source,
            lead_in: segment.lead_in,
        });
        assert_eq!(found.as_ref(), expected, "at {at}: {case}");
    };
    let mut before = bom_length;
    for segment in segments {
        assert_eq!(segment.lead_in.start, before, "no partition: {case}");
        before = segment.source.end;
        for at in segment.text.clone() {
            same(offsets.segment_at_text(at), Some(segment), at);
            assert_eq!(
                offsets.source_offset(at),
                Some(segment.source.start),
                "{case}"
            );
        }
        for at in segment.lead_in.start..segment.source.end {
            same(offsets.segment_at_source(at), Some(segment), at);
            assert_eq!(offsets.text_offset(at), Some(segment.text.start), "{case}");
        }
    }
    for at in (0..bom_length).chain(end..read) {
        same(offsets.segment_at_source(at), None, at);
        let place = if at < bom_length { 0 } else { text_length };
        assert_eq!(offsets.text_offset(at), Some(place), "at {at}: {case}");
    }
    assert_eq!(offsets.source_offset(text_length), Some(end), "{case}");
    assert_eq!(offsets.text_offset(read), Some(text_length), "{case}");
    for beyond in [1, 2, 1 << 40, u64::MAX / 2] {
        same(
            offsets.segment_at_text(text_length + beyond),
            None,
            text_length,
        );
        same(offsets.segment_at_source(read + beyond), None, read);
        assert_eq!(offsets.source_offset(text_length + beyond), None, "{case}");
        assert_eq!(offsets.text_offset(read + beyond), None, "{case}");
        assert_eq!(
            offsets.source_range(0..text_length + beyond),
            None,
            "{case}"
        );
        assert_eq!(offsets.text_range(0..read + beyond), None, "{case}");
    }
}

/// Compares the result for a range with the union of the characters that overlap it.
fn check_ranges(
    offsets: &Offsets<'_>,
    segments: &[Expected],
    bom_length: u64,
    read: u64,
    random: &mut Random,
    case: &str,
) {
    let text_length = segments.last().map_or(0, |last| last.text.end);
    let end = segments.last().map_or(bom_length, |last| last.source.end);
    for _ in 0..40 {
        let [a, b] = [0; 2].map(|_| random.below(text_length as usize + 1) as u64);
        let range = a.min(b)..a.max(b);
        let touched: Vec<_> = segments
            .iter()
            .filter(|s| s.text.start < range.end && range.start < s.text.end)
            .collect();
        let expected = match (touched.first(), touched.last()) {
            (Some(first), Some(last)) if !range.is_empty() => first.lead_in.start..last.source.end,
            _ => {
                let here = segments.iter().find(|s| s.text.contains(&range.start));
                let at = here.map_or(end, |s| s.lead_in.start);
                at..at
            }
        };
        assert_eq!(
            offsets.source_range(range.clone()),
            Some(expected),
            "text {range:?}: {case}"
        );

        let [a, b] = [0; 2].map(|_| random.below(read as usize + 1) as u64);
        let range = a.min(b)..a.max(b);
        let touched: Vec<_> = segments
            .iter()
            .filter(|s| s.lead_in.start < range.end && range.start < s.source.end)
            .collect();
        let expected = match (touched.first(), touched.last()) {
            (Some(first), Some(last)) if !range.is_empty() => first.text.start..last.text.end,
            _ if range.start >= end => text_length..text_length,
            _ => {
                let here = segments
                    .iter()
                    .find(|s| (s.lead_in.start..s.source.end).contains(&range.start));
                let at = here.map_or(0, |s| s.text.start);
                at..at
            }
        };
        assert_eq!(
            offsets.text_range(range.clone()),
            Some(expected),
            "source {range:?}: {case}"
        );
    }
    if text_length > 0 {
        #[allow(clippy::reversed_empty_ranges, reason = "what is asked is nonsense")]
        let backwards = [offsets.source_range(1..0), offsets.text_range(1..0)];
        assert_eq!(backwards, [None, None], "{case}");
    }
}

/// Tests both builders, into UTF-8 or UTF-16, by queries at the end and, if `each` is set, after each chunk.
fn check(
    encoding: &'static Encoding,
    bom: BomHandling,
    chunks: &[&[u8]],
    interval: usize,
    to_utf16: bool,
    each: bool,
) {
    let bytes = chunks.concat();
    let case = case(encoding, chunks, interval);
    let options = OffsetMapOptions::default()
        .bom(bom)
        .interval(interval)
        .utf16(true);
    let mut builder = OffsetMapBuilder::with_options(encoding, options);
    let mut dense_builder = DenseOffsetMapBuilder::new(encoding, bom);
    let (mut text, mut dense_text) = (String::new(), String::new());
    let (mut units, mut dense_units) = (Vec::new(), Vec::new());
    let all = [TextUnit::Utf8, TextUnit::Utf16].map(|unit| expected(encoding, bom, &bytes, unit));
    let mut random = Random::new(bytes.len() as u64);
    let mut read = 0;
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let progress = if to_utf16 {
            dense_builder.decode_append(chunk, &mut dense_units, last);
            builder.decode_append(chunk, &mut units, last)
        } else {
            dense_builder.decode_append(chunk, &mut dense_text, last);
            builder.decode_append(chunk, &mut text, last)
        };
        assert_eq!(progress.read, chunk.len(), "{case}");
        read += chunk.len() as u64;
        if !(last || each) {
            continue;
        }
        if to_utf16 {
            assert_eq!(units, dense_units, "{case}");
            text = String::from_utf16(&units).expect("UTF-16");
        } else {
            assert_eq!(text, dense_text, "{case}");
        }
        let (map, dense) = (builder.map(), dense_builder.map());
        for (unit, (string, segments, bom_length)) in
            [TextUnit::Utf8, TextUnit::Utf16].into_iter().zip(&all)
        {
            if last {
                assert_eq!(&text, string, "{case}");
            }
            assert!(string.starts_with(&text), "{case}");
            let length = match unit {
                TextUnit::Utf8 => text.len(),
                TextUnit::Utf16 => text.encode_utf16().count(),
            } as u64;
            let so_far = segments.partition_point(|segment| segment.text.end <= length);
            let segments = &segments[..so_far];
            // An incomplete byte order mark counts neither as text nor as a mark.
            let bom_length = if read < *bom_length { 0 } else { *bom_length };
            let offsets = [
                map.offsets(&bytes, unit).expect("counted"),
                dense.offsets(unit),
            ];
            for (kind, offsets) in ["checkpoints", "dense"].into_iter().zip(offsets) {
                let case = format!("{kind}, {unit:?}, to UTF-16 {to_utf16}, {read} read: {case}");
                check_offsets(&offsets, segments, bom_length, read, &case);
                check_ranges(&offsets, segments, bom_length, read, &mut random, &case);
            }
        }
    }
}

fn each_encoding(mut check: impl FnMut(&'static Encoding, BomHandling)) {
    for encoding in everything() {
        for bom in [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep] {
            check(encoding, bom);
        }
    }
}

#[test]
fn every_offset_of_shared_inputs_is_exact_at_every_split() {
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            check(encoding, BomHandling::Sniff, &[bytes], 64, false, false);
            for split in in_turns(0..=bytes.len(), 3, bytes.len()) {
                let chunks = [&bytes[..split], &bytes[split..]];
                check(
                    encoding,
                    BomHandling::Sniff,
                    &chunks,
                    64,
                    split % 2 == 0,
                    true,
                );
            }
        }
    }
}

#[test]
fn base64_goes_on_after_malformed_digits() {
    for bytes in [&b"w+v-S"[..], b"+2D3-x+2D0AQ-y", b"+2A-+AGE-z"] {
        for name in ["UTF-7", "UTF-7-IMAP"] {
            let encoding = mojika::extended::find(name).unwrap();
            check(encoding, BomHandling::Keep, &[bytes], 64, false, true);
        }
    }
}

#[test]
fn every_offset_of_odd_input_is_exact_in_every_encoding() {
    let (mut random, mut turn) = (Random::new(1627), 0);
    each_encoding(|encoding, bom| {
        // `each_encoding` calls this with three BOM handlings for each encoding, one after the other.
        turn += 1;
        if turn % one_in(4) != 0 {
            return;
        }
        // The time of a test is quadratic in its length, so few inputs are long.
        let rounds = match random.below(12) {
            _ if all_cases() => 3,
            0 => 3,
            1..=4 => 2,
            _ => 1,
        };
        for len in [40, 150, 400].into_iter().take(rounds) {
            let mut bytes = random.odd_bytes(len);
            if random.below(3) == 0 {
                let mark = *random.pick(&[
                    &b"\xEF\xBB\xBF"[..],
                    b"\xFE\xFF",
                    b"\xFF\xFE",
                    b"\xFF\xFE\0\0",
                ]);
                bytes.splice(..0, mark.iter().copied());
            }
            check(encoding, bom, &[&bytes], 64, random.below(2) == 0, false);
            let mut chunks = Vec::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (chunk, behind) = rest.split_at((random.below(90) + 1).min(rest.len()));
                chunks.push(chunk);
                rest = behind;
            }
            check(encoding, bom, &chunks, 64, random.below(2) == 0, true);
        }
    });
}

#[test]
fn every_offset_of_well_formed_text_is_exact_byte_by_byte() {
    let mut random = Random::new(12);
    for encoding in everything().filter(|e| *e != mojika::REPLACEMENT) {
        let text = random.odd_text(120);
        let encoded = encoding
            .encode_or_else(&text, |_| mojika::Fallback::Omit)
            .expect("an encoder");
        let chunks: Vec<_> = encoded.bytes.chunks(1).collect();
        check(encoding, BomHandling::Sniff, &chunks, 64, false, false);
        check(
            encoding,
            BomHandling::Sniff,
            &[&encoded.bytes],
            100,
            true,
            false,
        );
    }
}

/// The input is so long that the map has many checkpoints, and the dense map many entries.
#[test]
fn every_offset_of_long_odd_input_is_exact() {
    let mut random = Random::new(8);
    for (number, encoding) in input::representatives().into_iter().enumerate() {
        let bytes = random.odd_bytes(1600);
        let third = bytes.len() / 3;
        let chunks = [
            &bytes[..third],
            &bytes[third..third + 1],
            &bytes[third + 1..],
        ];
        for (interval, to_utf16) in in_turns([(16, false), (200, true)], 2, number) {
            check(
                encoding,
                BomHandling::Sniff,
                &chunks,
                interval,
                to_utf16,
                false,
            );
        }
    }
}

/// In 81 30 81 2B, each byte but the last is a character of its own. Without 2B, the first three are one sequence.
#[test]
fn no_checkpoint_is_between_restored_bytes() {
    for before in 10..=16 {
        let bytes = [&b"aaaaaaaaaaaaaaaa"[..before], b"\x81\x30\x81+aa"].concat();
        for (at, to_utf16) in (0..=bytes.len()).flat_map(|at| [(at, false), (at, true)]) {
            let chunks = [&bytes[..at], &bytes[at..]];
            check(GB18030, BomHandling::Keep, &chunks, 16, to_utf16, false);
        }
    }
}

/// A pair of IBM1390 decodes to two characters of three bytes each, and another pair to two of two bytes each.
#[test]
fn characters_that_share_a_pair_share_its_offsets() {
    let encoding = mojika::extended::ibm(1390).unwrap();
    for (source, length) in [
        (&b"\xC1\x0E\xEC\xB5\x0F\xC2"[..], 6),
        (b"\xC1\x0E\xEC\xC3\x0F\xC2", 4),
    ] {
        let (text, map) = OffsetMap::decode(encoding, source);
        assert_eq!(
            (text.chars().count(), text.len() as u64),
            (4, length + 2),
            "{text:?}"
        );
        let (_, dense) = mojika::offsets::DenseOffsetMap::decode(encoding, source);
        for (unit, length) in [(TextUnit::Utf8, length), (TextUnit::Utf16, 2)] {
            let offsets = map.offsets(source, unit);
            for offsets in [
                offsets.unwrap_or_else(|| dense.offsets(unit)),
                dense.offsets(unit),
            ] {
                assert_eq!(offsets.source_range(1..1 + length), Some(1..4));
                assert_eq!(offsets.source_range(1 + length..2 + length), Some(4..6));
                assert_eq!(offsets.text_length(), length + 2);
            }
        }
    }
}

/// Tests each encoding in which a pair decodes to two characters, to UTF-8 and to UTF-16.
#[test]
fn two_characters_of_one_pair_count_as_two_in_both_forms() {
    for (name, source) in [
        ("Big5", &b"a\x88\x62\x88\x64b\x88\xA3\x88\xA5\xA4\xA4c"[..]),
        ("Big5-HKSCS", b"a\x88\x62\x88\x64b\x88\xA3\x88\xA5\xA4\xA4c"),
        ("IBM1390", b"\xC1\x0E\xEC\xB5\xEC\xC3\x0F\xC2"),
        ("EUC-JIS-2004", b"a\xA4\xF7\xA4\xF8b\xAB\xC4c"),
        ("Shift_JIS-2004", b"a\x82\xF5\x82\xF6b\x86\x63c"),
        ("ISO-2022-JP-2004", b"a\x1B$(Q$w$x$w$x$w$x\x1B(Bb"),
    ] {
        let encoding = mojika::extended::find(name).unwrap();
        let text = encoding.decode(source).text;
        assert!(
            text.contains(|c| matches!(c, '\u{300}'..='\u{30F}' | '\u{309A}')),
            "{name}: {text}"
        );
        for to_utf16 in [false, true] {
            check(encoding, BomHandling::Keep, &[source], 64, to_utf16, true);
        }
    }
}

/// In well-formed text, checkpoints have the documented distance. Input without text has none.
#[test]
fn checkpoints_cost_what_is_promised() {
    let (single_bytes, others): (Vec<_>, Vec<_>) = everything()
        .filter(|e| *e != mojika::REPLACEMENT)
        .partition(|e| e.is_single_byte());
    for encoding in in_turns(single_bytes, 24, 3).chain(in_turns(others, 6, 1)) {
        let text = "naïve 文字化 текст\n".repeat(40_000);
        let encoded = encoding.encode_or_else(&text, |_| mojika::Fallback::Omit);
        let source = encoded.expect("an encoder").bytes;
        let (_, map) = OffsetMap::decode(encoding, &source);
        let megabytes = source.len() as f64 / f64::from(1 << 20);
        let found = map.memory_usage() as f64 / megabytes;
        assert!(
            (0.9 * 1024.0..=1.1 * 1024.0).contains(&found),
            "{encoding}: {found} bytes"
        );
    }
    let (text, map) = OffsetMap::decode(mojika::REPLACEMENT, &vec![b'a'; 1 << 20]);
    assert_eq!(text, "\u{FFFD}");
    assert!(map.memory_usage() <= 64);
}

#[test]
fn a_builder_starts_another_stream_after_the_last_call() {
    let mut builder = OffsetMapBuilder::new(mojika::UTF_16LE);
    let mut dense_builder = DenseOffsetMapBuilder::new(mojika::UTF_16LE, BomHandling::Sniff);
    let mut text = String::new();
    for source in [&b"\xEF\xBB\xBFabc"[..], b"a\0b\0", b"", b"\xFF\xFEz\0"] {
        text.clear();
        builder.decode_append(source, &mut text, true);
        dense_builder.decode_append(source, &mut text, true);
        let (text, bom) = (text.len() as u64 / 2, Encoding::for_bom(source));
        let offsets = builder.map().offsets(source, TextUnit::Utf8).unwrap();
        for offsets in [offsets, dense_builder.map().offsets(TextUnit::Utf8)] {
            assert_eq!(offsets.text_length(), text);
            assert_eq!(offsets.source_length(), source.len() as u64);
            let start = bom.map_or(0, |(_, len)| len as u64);
            assert_eq!(offsets.source_offset(0), Some(start));
            assert_eq!(
                offsets.source_range(0..text),
                Some(start..source.len() as u64)
            );
        }
        let encoding = bom.map_or(mojika::UTF_16LE, |(encoding, _)| encoding);
        assert_eq!(builder.map().encoding(), encoding);
        assert_eq!(dense_builder.map().encoding(), encoding);
    }
}

#[test]
fn questions_that_have_no_answer_are_none() {
    let options = OffsetMapOptions::default().utf8(false).utf16(true);
    let mut builder = OffsetMapBuilder::with_options(mojika::EUC_JP, options);
    let source = b"\xCA\xB8\xBB\xFA";
    builder.decode_append(source, &mut String::new(), true);
    let map = builder.into_map();
    assert!(map.offsets(source, TextUnit::Utf8).is_none());
    assert!(map.offsets(&source[..3], TextUnit::Utf16).is_none());
    let offsets = map.offsets(source, TextUnit::Utf16).unwrap();
    assert_eq!(
        (offsets.unit(), offsets.source_range(1..2)),
        (TextUnit::Utf16, Some(2..4))
    );
}

/// If the source is not the decoded one, answers may be wrong, but nothing panics.
#[test]
fn a_source_that_is_another_one_does_no_harm() {
    let mut random = Random::new(4);
    for encoding in in_turns(everything(), 4, 1) {
        let options = OffsetMapOptions::default().interval(64);
        let mut builder = OffsetMapBuilder::with_options(encoding, options);
        let bytes = random.odd_bytes(900);
        builder.decode_append(&bytes, &mut String::new(), true);
        let mut other = random.odd_bytes(1000);
        other.resize(1000, 0);
        let map = builder.into_map();
        let offsets = map.offsets(&other, TextUnit::Utf8).unwrap();
        for at in 0..1100 {
            let _ = (offsets.segment_at_text(at), offsets.segment_at_source(at));
            let _ = (
                offsets.source_range(at / 2..at),
                offsets.text_range(at / 2..at),
            );
        }
    }
}

/// An entry of the dense map must not separate an escape sequence from its character.
#[test]
fn escape_sequences_stay_with_their_characters_in_long_text() {
    let source = b"a\x1B$B0!\x1B(B".repeat(300);
    check(
        mojika::ISO_2022_JP,
        BomHandling::Sniff,
        &[&source],
        200,
        false,
        false,
    );
}
