//! Tests decoding streams with both crates.
//!
//! In large outputs, every call must have the same result, `Malformed` numbers, bytes read, units written, replacement,
//! and decoder state. In small outputs, the crates check free space differently and may stop at different characters.
//! Their contract is then progress, no write beyond the output, and space for U+FFFD after a malformed sequence; the
//! driver asserts it for each. The whole output, and the positions of malformed sequences, must be the same.

mod common;

use common::input::{self, REPRESENTATIVES};
use common::{BOMS, Bom, Drive, Form, Run, hex, in_turns, one_in, ours, theirs};
use mojika_spec::Random;
use mojika_spec::odd::STARTS;

const FORMS: [Form; 4] = [Form::Utf8, Form::Utf16, Form::Str, Form::String];

/// Returns the record without the maximum lengths in ISO-2022-JP, which differ by a documented exception.
fn comparable(mut run: Run<u16>) -> Run<u16> {
    for call in &mut run.calls {
        if call.state.contains("\"ISO-2022-JP\"")
            && let Some(start) = call.state.find(" [")
            && let Some(end) = call.state.find("] ")
        {
            call.state.replace_range(start..end, "");
        }
    }
    run
}

/// Compares each call, with ample output.
fn check_calls(form: Form, bom: Bom, mut drive: Drive<'_, [u8]>) {
    let longest = drive.chunks.iter().map(|chunk| chunk.len()).max();
    // This is more than any maximum length, which includes pending bytes and a possible byte order mark.
    drive.room = 3 * (longest.unwrap_or(0) + 8);
    for replacing in [false, true] {
        drive.replacing = replacing;
        let ours = comparable(ours::decode(form, bom, &drive));
        let theirs = comparable(theirs::decode(form, bom, &drive));
        let case = || {
            let level = mojika::simd::level();
            let encoding = drive.encoding;
            format!(
                "{encoding} {form:?} {bom:?} replacing: {replacing}, at level {level}: {}",
                hex(&drive.chunks)
            )
        };
        for (i, (ours, theirs)) in ours.calls.iter().zip(&theirs.calls).enumerate() {
            assert_eq!(ours, theirs, "call {i}: {}", case());
        }
        assert_eq!(ours, theirs, "{}", case());
    }
}

/// Compares the whole output and the error positions, with small output.
fn check_totals(form: Form, bom: Bom, mut drive: Drive<'_, [u8]>) {
    drive.with_state = false;
    for replacing in [false, true] {
        drive.replacing = replacing;
        let ours = ours::decode(form, bom, &drive);
        let theirs = theirs::decode(form, bom, &drive);
        let case = || {
            let (encoding, room) = (drive.encoding, drive.room);
            format!(
                "{encoding} {form:?} {bom:?} replacing: {replacing}, room {room}: {}",
                hex(&drive.chunks)
            )
        };
        assert_eq!(ours.output, theirs.output, "{}", case());
        assert_eq!(ours.replaced(), theirs.replaced(), "{}", case());
        assert_eq!(ours.places(), theirs.places(), "{}", case());
    }
}

fn smallest(form: Form) -> usize {
    if form == Form::Utf16 { 2 } else { 4 }
}

/// Returns `bytes` split in two at each position, in chunks of one to three bytes, and with empty chunks.
fn cuts(bytes: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut cuts = vec![
        vec![bytes],
        vec![b"", bytes],
        vec![bytes, b""],
        vec![b"", b"", bytes, b""],
    ];
    cuts.extend((1..bytes.len()).map(|at| vec![&bytes[..at], &bytes[at..]]));
    cuts.extend((1..bytes.len().min(4)).map(|size| bytes.chunks(size).collect()));
    cuts
}

#[test]
fn pieces_in_pairs_cut_everywhere() {
    // Test a part of the pairs: each piece with every eighth piece or, in the sample, every thirty-second one. The part
    // differs by encoding.
    let step = 8 * one_in(4);
    for (number, name) in REPRESENTATIVES.into_iter().enumerate() {
        for (i, first) in input::pieces().into_iter().enumerate() {
            for second in input::pieces()
                .into_iter()
                .skip((7 * i + number) % step)
                .step_by(step)
            {
                let bytes = [first, second, b"a", second].concat();
                for chunks in cuts(&bytes) {
                    check_calls(Form::Utf16, Bom::Keep, Drive::new(name, chunks.clone(), 0));
                    check_calls(Form::Utf8, Bom::Keep, Drive::new(name, chunks, 0));
                }
            }
        }
    }
}

/// All sequences of two bytes, also after designations; three of EUC-JP and four of gb18030.
#[test]
fn all_short_sequences() {
    let check = |name, sequences: &mut dyn Iterator<Item = Vec<u8>>| {
        let stream: Vec<u8> = sequences
            .flat_map(|one| [&one, &b"aaa"[..]].concat())
            .collect();
        let stateless = Drive {
            with_state: false,
            ..Drive::new(name, vec![&stream[..]], 0)
        };
        check_calls(Form::Utf8, Bom::Keep, stateless);
    };
    for name in input::names() {
        let starts: &[&[u8]] = match name {
            "ISO-2022-JP" => &[b"", b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"],
            "EUC-JP" => &[b"", b"\x8F"],
            _ => &[b""],
        };
        for first in 0..=0xFF {
            for start in starts {
                let pair = |second| [start, &[first, second][..]].concat();
                check(name, &mut (0..=0xFF).map(pair));
            }
        }
    }
    for number in 0..0x7E * 10 {
        let (first, second) = (0x81 + number / 10, 0x30 + number % 10);
        let four = |rest: u16| {
            vec![
                first as u8,
                second as u8,
                0x81 + (rest / 10) as u8,
                0x30 + (rest % 10) as u8,
            ]
        };
        check("gb18030", &mut (0..0x7E * 10).map(four));
    }
}

#[test]
fn marks_and_what_nearly_is_one_cut_everywhere() {
    let mut turn = 0;
    for name in input::names() {
        for first in STARTS {
            for second in [
                &b""[..],
                b"a",
                b"\xBF",
                b"\xA1\xA1",
                b"\xD8\x3D\0a",
                b"\xBB\xBF",
                b"\0\xD8a\0",
            ] {
                let bytes = [first, second].concat();
                for chunks in cuts(&bytes) {
                    turn += 1;
                    let ways = BOMS.map(|bom| [(bom, Form::Utf8), (bom, Form::Utf16)]);
                    for (bom, form) in in_turns(ways.into_iter().flatten(), 3, turn) {
                        check_calls(form, bom, Drive::new(name, chunks.clone(), 0));
                        for room in in_turns(smallest(form)..8, 4, turn / 3) {
                            check_totals(form, bom, Drive::new(name, chunks.clone(), room));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn streams_in_all_forms_in_chunks_of_many_sizes() {
    let (mut random, mut turn) = (Random::new(1), 0);
    for name in input::names() {
        for round in (0..12).step_by(one_in(6)) {
            let mut bytes = random.pick::<&[u8]>(&STARTS).to_vec();
            bytes.extend(input::stream(&mut random, name, 4 * round));
            for size in [1, 2, 3, 5, 17, 1000] {
                let chunks: Vec<_> = bytes.chunks(size).chain([&b""[..]]).collect();
                let ways = BOMS
                    .into_iter()
                    .flat_map(|bom| FORMS.map(|form| (bom, form)));
                // There are twelve combinations. Five in succession cover all twelve.
                for (bom, form) in in_turns(ways, 5, turn) {
                    check_calls(form, bom, Drive::new(name, chunks.clone(), 0));
                }
                turn += 1;
            }
        }
    }
}

#[test]
fn streams_with_every_small_room() {
    let (mut random, mut turn) = (Random::new(2), 0);
    for name in input::names() {
        for round in 0..4 {
            let mut bytes = random.pick::<&[u8]>(&STARTS).to_vec();
            bytes.extend(input::stream(&mut random, name, 8 * round + 4));
            for size in [1, 7, 1000] {
                let chunks: Vec<_> = bytes.chunks(size).collect();
                for form in FORMS {
                    for room in in_turns(smallest(form)..40, 5, turn) {
                        check_totals(form, Bom::Sniff, Drive::new(name, chunks.clone(), room));
                    }
                    turn += 1;
                }
            }
        }
    }
}

#[test]
fn long_streams_of_text_and_noise() {
    let mut random = Random::new(3);
    for name in input::names() {
        for parts in [200, 3000 / one_in(4)] {
            let mut bytes = input::stream(&mut random, name, parts);
            bytes.extend(random.odd_text(400).bytes());
            bytes.extend(random.noise(500));
            for form in FORMS {
                check_calls(form, Bom::Keep, Drive::new(name, vec![&bytes], 0));
                check_totals(
                    form,
                    Bom::Sniff,
                    Drive::new(name, bytes.chunks(777).collect(), 555),
                );
            }
        }
    }
}

#[test]
fn the_maximum_is_room_enough_in_every_state() {
    let mut random = Random::new(4);
    for name in input::names() {
        for round in 0..60 {
            let mut bytes = random.pick::<&[u8]>(&STARTS).to_vec();
            bytes.extend(input::stream(&mut random, name, 1 + round % 7));
            let at = random.below(bytes.len() + 1);
            for bom in BOMS {
                let fresh = || {
                    let mut decoder = ours::new_decoder(name, bom);
                    let mut units = vec![0; 3 * bytes.len() + 8];
                    let (_, read, _, _) = decoder.decode_to_utf16(&bytes[..at], &mut units, false);
                    assert_eq!(read, at);
                    decoder
                };
                let rest = &bytes[at..];
                let full = |result: &encoding_rs::CoderResult| {
                    assert_eq!(
                        *result,
                        encoding_rs::CoderResult::InputEmpty,
                        "{name} {bom:?} {}",
                        hex(&[&bytes[..at], rest])
                    );
                };
                let mut decoder = fresh();
                let mut dst = vec![0; decoder.max_utf8_buffer_length(rest.len()).unwrap()];
                full(&decoder.decode_to_utf8(rest, &mut dst, true).0);
                let mut decoder = fresh();
                let mut dst = vec![0; decoder.max_utf16_buffer_length(rest.len()).unwrap()];
                full(&decoder.decode_to_utf16(rest, &mut dst, true).0);
                let mut decoder = fresh();
                let most = decoder.max_utf8_buffer_length_without_replacement(rest.len());
                let mut dst = vec![0; most.unwrap()];
                let (result, _, _) =
                    decoder.decode_to_utf8_without_replacement(rest, &mut dst, true);
                assert_ne!(
                    result,
                    encoding_rs::DecoderResult::OutputFull,
                    "{name} {bom:?}"
                );
            }
        }
    }
}

#[test]
fn less_room_than_the_least_still_makes_progress_or_says_so() {
    // Below four bytes or two code units, the published crate guarantees nothing. Here, one character's length
    // suffices.
    let mut dst = [0; 3];
    let mut decoder = encoding_rs::SHIFT_JIS.new_decoder();
    let (_, read, written, _) = decoder.decode_to_utf8(b"\x95\xB6\x95\xB6", &mut dst, true);
    assert_eq!((read, written, dst), (2, 3, *b"\xE6\x96\x87"));
    // U+FFFD does not fit: the malformed byte is read now, and reported when U+FFFD fits.
    let mut decoder = encoding_rs::SHIFT_JIS.new_decoder();
    let (result, read, written) =
        decoder.decode_to_utf8_without_replacement(b"a\xFFb", &mut dst, true);
    assert_eq!(
        (result, read, written),
        (encoding_rs::DecoderResult::OutputFull, 2, 1)
    );
    assert!(decoder.max_utf8_buffer_length(0).unwrap() >= 3);
    let (result, read, written) = decoder.decode_to_utf8_without_replacement(b"b", &mut dst, true);
    assert_eq!(
        (result, read, written),
        (encoding_rs::DecoderResult::Malformed(1, 0), 0, 0)
    );
    let (result, read, written) = decoder.decode_to_utf8_without_replacement(b"b", &mut dst, true);
    assert_eq!(
        (result, read, written),
        (encoding_rs::DecoderResult::InputEmpty, 1, 1)
    );
}

#[test]
fn no_character_is_read_in_part_where_the_output_is_full() {
    // The published crate's dependants rely on the relation of the numbers read and written.
    for name in REPRESENTATIVES {
        let text = "aé文字漢中a".repeat(20);
        let bytes = match name {
            "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => theirs::encoding(name).encode(&text).0.into_owned(),
        };
        if name == "ISO-2022-JP" {
            // An escape sequence is not a character. It may be read although the output is full.
            continue;
        }
        for room in 4..bytes.len() {
            let mut dst = vec![0; room];
            let mut decoder = ours::new_decoder(name, Bom::Keep);
            let (result, read, written, _) = decoder.decode_to_utf8(&bytes, &mut dst, true);
            if result == encoding_rs::CoderResult::OutputFull {
                let mut again = ours::new_decoder(name, Bom::Keep);
                let mut all = vec![0; 3 * bytes.len() + 8];
                let (_, _, more, had_errors) = again.decode_to_utf8(&bytes[..read], &mut all, true);
                assert_eq!((more, had_errors), (written, false), "{name} {room}");
            }
        }
    }
}

#[test]
fn nothing_is_written_beyond_what_is_reported() {
    let mut random = Random::new(5);
    for name in input::names() {
        let bytes = input::stream(&mut random, name, 40);
        for room in 4..200 {
            let mut dst = vec![common::CANARY; room];
            let mut decoder = ours::new_decoder(name, Bom::Sniff);
            let (_, _, written, _) = decoder.decode_to_utf8(&bytes, &mut dst, true);
            assert!(
                dst[written..].iter().all(|&byte| byte == common::CANARY),
                "{name} {room}"
            );
        }
    }
}

#[test]
fn a_finished_decoder_panics() {
    let panics = |call: fn(&mut encoding_rs::Decoder)| {
        let mut decoder = encoding_rs::UTF_8.new_decoder();
        let _ = decoder.decode_to_utf8(b"a", &mut [0; 8], true);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(&mut decoder))).is_err()
    };
    std::panic::set_hook(Box::new(|_| {}));
    assert!(panics(|decoder| {
        let _ = decoder.decode_to_utf8(b"a", &mut [0; 8], true);
    }));
    assert!(panics(|decoder| {
        let _ = decoder.max_utf8_buffer_length(1);
    }));
    assert!(panics(|decoder| {
        let _ = decoder.latin1_byte_compatible_up_to(b"");
    }));
    drop(std::panic::take_hook());
}
