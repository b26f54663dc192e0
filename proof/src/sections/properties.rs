//! Section F: properties, by quickcheck. Their input shrinks by itself.

use crate::engine::{Buffers, Cut, Modes, decode_all, encode_all};
use crate::expected::{Decoding, Encoded, Text};
use crate::inputs::{BOUNDARY_BYTES, noise, text, units};
use crate::random::Random;
use crate::report::{Failure, Tally, hex};
use crate::run::{Check, Job, Profile, run as run_jobs};
use crate::subject::Subject;
use mojika::{BomHandling, FatalDecodeStatus, FatalEncodeStatus, Status};
use mojika_spec::Encoding;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::borrow::Cow;

/// Bytes for a decoder.
#[derive(Clone, Debug)]
pub struct Bytes {
    subject: Subject,
    bytes: Vec<u8>,
}

impl Arbitrary for Bytes {
    fn arbitrary(g: &mut Gen) -> Self {
        let random = &mut Random::new(&[u64::arbitrary(g)]);
        let all: Vec<Subject> = Subject::all().collect();
        let subject = *random.pick(&all);
        let length = random.below(4 * g.size());
        let mut bytes = noise(subject, random, length);
        if random.below(4) == 0 {
            let boms: [&[u8]; 6] = [
                b"\xEF\xBB\xBF",
                b"\xFE\xFF",
                b"\xFF\xFE",
                b"\xEF\xBB",
                b"\xEF",
                b"\xFF",
            ];
            bytes.splice(0..0, random.pick(&boms).iter().copied());
        }
        if random.below(6) == 0 {
            bytes.retain(u8::is_ascii);
        }
        Bytes { subject, bytes }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let subject = self.subject;
        let shrunk = self.bytes.shrink();
        Box::new(shrunk.map(move |bytes| Bytes { subject, bytes }))
    }
}

/// Text for an encoder.
#[derive(Clone, Debug)]
pub struct Scalars {
    subject: Subject,
    scalars: Vec<char>,
}

impl Arbitrary for Scalars {
    fn arbitrary(g: &mut Gen) -> Self {
        let random = &mut Random::new(&[u64::arbitrary(g)]);
        let all: Vec<Subject> = Subject::all().filter(|subject| subject.encodes()).collect();
        let subject = *random.pick(&all);
        let length = random.below(2 * g.size());
        let mut scalars = text(subject, random, length);
        if random.below(6) == 0 {
            scalars.retain(char::is_ascii);
        }
        Scalars { subject, scalars }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let subject = self.subject;
        let shrunk = self.scalars.shrink();
        Box::new(shrunk.map(move |scalars| Scalars { subject, scalars }))
    }
}

/// Runs section F.
pub fn run(profile: &Profile, tally: &Tally) {
    let tests = profile.of(200_000, 800);
    let jobs: Vec<Job> = vec![
        property("round_trip", tests, round_trip as fn(Scalars) -> bool),
        property(
            "decoding_concatenates",
            tests,
            decoding_concatenates as fn(Bytes, Bytes) -> TestResult,
        ),
        property(
            "encoding_concatenates",
            tests,
            encoding_concatenates as fn(Scalars, Vec<char>) -> bool,
        ),
        property(
            "decoders_keep_to_their_maximum",
            tests,
            decoders_keep_to_their_maximum as fn(Bytes, usize) -> bool,
        ),
        property(
            "encoders_keep_to_their_maximum",
            tests,
            encoders_keep_to_their_maximum as fn(Scalars, usize) -> bool,
        ),
        property(
            "replacement_is_fatal_plus_u_fffd",
            tests,
            replacement_is_fatal_plus_u_fffd as fn(Bytes) -> bool,
        ),
        property(
            "html_is_fatal_plus_references",
            tests,
            html_is_fatal_plus_references as fn(Scalars) -> bool,
        ),
        property(
            "unchanged_text_is_borrowed",
            tests,
            unchanged_text_is_borrowed as fn(Bytes) -> bool,
        ),
        property(
            "unchanged_bytes_are_borrowed",
            tests,
            unchanged_bytes_are_borrowed as fn(Scalars) -> bool,
        ),
        property(
            "chunks_do_not_matter_to_decoders",
            tests,
            chunks_do_not_matter_to_decoders as fn(Bytes, Vec<usize>, u8) -> bool,
        ),
        property(
            "chunks_do_not_matter_to_encoders",
            tests,
            chunks_do_not_matter_to_encoders as fn(Scalars, Vec<usize>, u8) -> bool,
        ),
        property(
            "a_complete_stream_leaves_nothing_behind",
            tests,
            a_complete_stream_leaves_nothing_behind as fn(Bytes, Vec<u8>, Scalars, bool) -> bool,
        ),
        property(
            "a_str_stays_well_formed",
            tests,
            a_str_stays_well_formed as fn(Bytes, String) -> bool,
        ),
        property(
            "byte_order_marks_are_obeyed",
            tests,
            byte_order_marks_are_obeyed as fn(Bytes, Vec<usize>) -> bool,
        ),
        property(
            "lone_surrogates_do_not_matter",
            tests,
            lone_surrogates_do_not_matter as fn(Scalars, u64, Vec<usize>) -> bool,
        ),
    ];
    run_jobs(profile, jobs.into_iter(), tally);
    run_jobs(profile, longest_outputs(profile), tally);
}

/// The maxima of all short inputs made of what needs most room: quickcheck seldom comes that close to them.
fn longest_outputs(profile: &Profile) -> impl Iterator<Item = Job> + use<> {
    const LETTERS: [char; 8] = ['a', '\\', '\u{E}', '\u{7FF}', 'Ω', '¥', '漢', '\u{10FFFF}'];
    let letters = profile.of(6, 4);
    let bytes = profile.of(3, 2);
    profile.subjects().map(move |subject| -> Job {
        Box::new(move || -> Check {
            Box::new(move |tally| {
                let mut cases = 0;
                for length in 0..=bytes {
                    each_word(&BOUNDARY_BYTES, length, |bytes| {
                        cases += 1;
                        let input = Bytes {
                            subject,
                            bytes: bytes.to_vec(),
                        };
                        if !decoders_keep_to_their_maximum(input, cases as usize) {
                            tally.differ(|| beyond(subject, "decoder", hex(bytes)));
                        }
                    });
                }
                for length in (0..=letters).filter(|_| subject.encodes()) {
                    each_word(&LETTERS, length, |scalars| {
                        cases += 1;
                        let input = Scalars {
                            subject,
                            scalars: scalars.to_vec(),
                        };
                        // Whole, and cut somewhere.
                        let cut = if cases % 2 == 0 { 0 } else { cases as usize };
                        if !encoders_keep_to_their_maximum(input, cut) {
                            tally.differ(|| beyond(subject, "encoder", format!("{scalars:?}")));
                        }
                    });
                }
                tally.count(cases);
            })
        })
    })
}

/// Calls `visit` with every sequence of `length` of `letters`.
fn each_word<T: Copy>(letters: &[T], length: u32, mut visit: impl FnMut(&[T])) {
    for number in 0..letters.len().pow(length) {
        let word: Vec<T> = (0..length)
            .map(|place| letters[number / letters.len().pow(place) % letters.len()])
            .collect();
        visit(&word);
    }
}

fn beyond(subject: Subject, operation: &'static str, input: String) -> Failure<'static> {
    Failure {
        encoding: subject.name(),
        operation,
        split: "-".into(),
        input,
        detail: "the output is longer than the maximum, or does not fit into it".into(),
    }
}

fn property<T: Testable + Copy + Send + Sync + 'static>(
    name: &'static str,
    tests: u64,
    property: T,
) -> Job {
    Box::new(move || -> Check {
        Box::new(move |tally| {
            let mut quickcheck = QuickCheck::new()
                .tests(tests)
                .max_tests(100 * tests)
                .min_tests_passed(0);
            match quickcheck.quicktest(property) {
                Ok(passed) => tally.count(passed),
                Err(result) => tally.differ(|| Failure {
                    encoding: "(see below)",
                    operation: name,
                    split: "-".into(),
                    input: format!("{result:?}"),
                    detail: "the property does not hold".into(),
                }),
            }
        })
    })
}

/// Scalar values that the Standard does not bring back: several encoders map two to the same bytes, and gb18030 has
/// bytes for some private-use ones that decode otherwise.
fn may_come_back_otherwise(subject: Subject, c: char) -> bool {
    match subject.spec {
        Encoding::ShiftJis | Encoding::EucJp => matches!(c, '¥' | '‾' | '−'),
        Encoding::Iso2022Jp => matches!(c, '−' | '\u{FF61}'..='\u{FF9F}'),
        Encoding::Gbk | Encoding::Gb18030 => matches!(c, '\u{E000}'..='\u{F8FF}'),
        _ => false,
    }
}

/// What an encoder has bytes for decodes to itself.
fn round_trip(input: Scalars) -> bool {
    let Scalars { subject, scalars } = input;
    let mut kept: Vec<char> = scalars;
    kept.retain(|&c| {
        !may_come_back_otherwise(subject, c) && subject.engine.encode(&c.to_string()).is_ok()
    });
    let text: String = kept.iter().collect();
    let Ok(bytes) = subject.engine.encode(&text) else {
        return false;
    };
    let back = subject
        .engine
        .decode_fatal(&bytes, BomHandling::Keep)
        .map(|decoded| decoded.text.into_owned());
    let units = subject.engine.decode_to_utf16(&bytes, BomHandling::Keep);
    back == Ok(text.clone())
        && units.units == text.encode_utf16().collect::<Vec<u16>>()
        && !units.had_errors
}

/// Behind a reset, decoding begins anew.
fn decoding_concatenates(first: Bytes, second: Bytes) -> TestResult {
    let subject = first.subject;
    if subject.spec == Encoding::Replacement {
        return TestResult::discard();
    }
    let mut first = first.bytes;
    first.extend(subject.reset(first.len()));
    let all = [&first[..], &second.bytes].concat();
    let decode = |bytes: &[u8]| {
        let decoded = subject.engine.decode_without_bom_handling(bytes);
        let utf16 = subject.engine.decode_to_utf16(bytes, BomHandling::Keep);
        (decoded.text.into_owned(), utf16.units)
    };
    let (mut text, mut units) = decode(&first);
    let more = decode(&second.bytes);
    text.push_str(&more.0);
    units.extend(more.1);
    TestResult::from_bool(decode(&all) == (text, units))
}

/// Encoding is character by character, but for the states of ISO-2022-JP, which end with the text.
fn encoding_concatenates(first: Scalars, second: Vec<char>) -> bool {
    let subject = first.subject;
    let text: String = first.scalars.iter().collect();
    let more: String = second.iter().collect();
    let encode = |text: &str| {
        let encoded = subject.engine.encode_html(text);
        encoded.map_or_else(|_| Vec::new(), |encoded| encoded.bytes.into_owned())
    };
    // A backslash between the two takes ISO-2022-JP out of any state: Roman has none.
    let joined = format!("{text}\\{more}");
    encode(&joined) == [encode(&text), encode("\\"), encode(&more)].concat()
}

/// No output is longer than the decoder foretold, before the stream and in the middle of it.
fn decoders_keep_to_their_maximum(input: Bytes, cut: usize) -> bool {
    let Bytes { subject, bytes } = input;
    let (head, tail) = bytes.split_at(cut % (bytes.len() + 1));
    let sniffing = || subject.engine.new_decoder();
    let keeping = || subject.engine.new_decoder_without_bom_handling();
    [sniffing(), keeping()].into_iter().all(|decoder| {
        let (mut to_string, mut to_units) = (decoder.clone(), decoder.clone());
        let mut fatal = decoder;
        let mut text = String::new();
        let mut units = Vec::new();
        [(head, false), (tail, true)]
            .into_iter()
            .all(|(chunk, last)| {
                // Bytes held back from the first chunk count with the second.
                let most = to_string.max_utf8_length(chunk.len());
                let mut exact = vec![0; most.unwrap_or(0).max(4)];
                let fitted = to_string.clone().decode_to_utf8(chunk, &mut exact, last);
                let written = to_string.decode_to_string(chunk, &mut text, last).written;
                let most_units = to_units.max_utf16_length(chunk.len());
                let written_units = to_units
                    .decode_to_utf16_vec(chunk, &mut units, last)
                    .written;
                let most_fatal = fatal.max_utf8_length_fatal(chunk.len());
                let (mut read, mut written_fatal) = (0, 0);
                loop {
                    let progress = fatal.decode_to_string_fatal(&chunk[read..], &mut text, last);
                    read += progress.read;
                    written_fatal += progress.written;
                    if progress.status == FatalDecodeStatus::InputEmpty {
                        break;
                    }
                }
                most.is_some_and(|most| written <= most)
                    && most_fatal.is_some_and(|most| written_fatal <= most)
                    && fitted.status == Status::InputEmpty
                    && fitted.written == written
                    && most_units.is_some_and(|most| written_units <= most)
            })
    })
}

/// No output is longer than the encoder foretold.
fn encoders_keep_to_their_maximum(input: Scalars, cut: usize) -> bool {
    let text: String = input.scalars.iter().collect();
    let at: usize = input.scalars[..cut % (input.scalars.len() + 1)]
        .iter()
        .map(|c| c.len_utf8())
        .sum();
    let (Ok(mut encoder), Ok(mut fatal)) = (
        input.subject.engine.new_encoder(),
        input.subject.engine.new_encoder(),
    ) else {
        return true;
    };
    let all: Vec<u16> = text.encode_utf16().collect();
    let units = all.split_at(cut % (all.len() + 1));
    let (mut from_units, mut fatal_from_units) = (encoder.clone(), encoder.clone());
    let mut bytes = Vec::new();
    let strings = text.split_at(at);
    [(strings.0, units.0, false), (strings.1, units.1, true)]
        .into_iter()
        .all(|(utf8, utf16, last)| {
            let most = encoder.max_length_from_utf8(utf8.len());
            let written = encoder
                .encode_from_utf8_to_vec(utf8, &mut bytes, last)
                .written;
            let most_from_units = from_units.max_length_from_utf16(utf16.len());
            let written_from_units = from_units
                .encode_from_utf16_to_vec(utf16, &mut bytes, last)
                .written;
            let most_fatal_from_units = fatal_from_units.max_length_from_utf16_fatal(utf16.len());
            let (mut read, mut written_fatal_from_units) = (0, 0);
            loop {
                let progress = fatal_from_units.encode_from_utf16_to_vec_fatal(
                    &utf16[read..],
                    &mut bytes,
                    last,
                );
                read += progress.read;
                written_fatal_from_units += progress.written;
                if progress.status == FatalEncodeStatus::InputEmpty {
                    break;
                }
            }
            let most_fatal = fatal.max_length_from_utf8_fatal(utf8.len());
            let (mut read, mut written_fatal) = (0, 0);
            loop {
                let progress = fatal.encode_from_utf8_to_vec_fatal(&utf8[read..], &mut bytes, last);
                read += progress.read;
                written_fatal += progress.written;
                if progress.status == FatalEncodeStatus::InputEmpty {
                    break;
                }
            }
            most.is_some_and(|most| written <= most)
                && most_from_units.is_some_and(|most| written_from_units <= most)
                && most_fatal.is_some_and(|most| written_fatal <= most)
                && most_fatal_from_units.is_some_and(|most| written_fatal_from_units <= most)
        })
}

/// The text of mode "replacement" is that of mode "fatal" with U+FFFD where errors were reported.
fn replacement_is_fatal_plus_u_fffd(input: Bytes) -> bool {
    let Bytes { subject, bytes } = input;
    let mut decoder = subject.engine.new_decoder();
    let mut text = String::new();
    let mut read = 0;
    let mut errors = false;
    loop {
        let progress = decoder.decode_to_string_fatal(&bytes[read..], &mut text, true);
        read += progress.read;
        let FatalDecodeStatus::Malformed(sequence) = progress.status else {
            break;
        };
        errors = true;
        let end = sequence.offset + u64::from(sequence.len) + u64::from(sequence.after);
        if end != read as u64 {
            return false;
        }
        text.push('\u{FFFD}');
    }
    let decoded = subject.engine.decode(&bytes);
    let units = subject.engine.decode_to_utf16(&bytes, BomHandling::Sniff);
    // Once fatal always fatal: the one-shot call stops at the first error.
    let fatal = subject.engine.decode_fatal(&bytes, BomHandling::Sniff);
    decoded.text == text
        && decoded.had_errors == errors
        && units.units == text.encode_utf16().collect::<Vec<u16>>()
        && units.had_errors == errors
        && fatal.is_err() == errors
}

/// The bytes of mode "html" are those of mode "fatal" with references where unmappable scalar values were reported.
fn html_is_fatal_plus_references(input: Scalars) -> bool {
    let Scalars { subject, scalars } = input;
    let text: String = scalars.iter().collect();
    let mut unmappables = Vec::new();
    let with = subject.engine.encode_with(&text, |unmappable| {
        unmappables.push(unmappable);
        mojika::Fallback::Html
    });
    let (Ok(with), Ok(html)) = (with, subject.engine.encode_html(&text)) else {
        return false;
    };
    let first = subject.engine.encode(&text);
    let placed = unmappables.iter().all(|unmappable| {
        let offset = usize::try_from(unmappable.offset).expect("within the text");
        let there = text.get(offset..).and_then(|rest| rest.chars().next());
        there == Some(unmappable.scalar)
            || (unmappable.scalar == '\u{FFFD}'
                && matches!(there, Some('\u{E}' | '\u{F}' | '\u{1B}')))
    });
    with == html
        && placed
        && html.had_unmappables != unmappables.is_empty()
        && first.is_err() == html.had_unmappables
}

/// Text is borrowed exactly when its bytes are those of the input.
fn unchanged_text_is_borrowed(input: Bytes) -> bool {
    let Bytes { subject, bytes } = input;
    [
        subject.engine.decode(&bytes),
        subject.engine.decode_with_bom_removal(&bytes),
        subject.engine.decode_without_bom_handling(&bytes),
    ]
    .iter()
    .all(|decoded| {
        let unchanged = decoded.text.as_bytes() == &bytes[decoded.bom_length..];
        matches!(decoded.text, Cow::Borrowed(_)) == unchanged
    })
}

/// Bytes are borrowed exactly when they are those of the text.
fn unchanged_bytes_are_borrowed(input: Scalars) -> bool {
    let text: String = input.scalars.iter().collect();
    let Ok(encoded) = input.subject.engine.encode_html(&text) else {
        return false;
    };
    matches!(encoded.bytes, Cow::Borrowed(_)) == (*encoded.bytes == *text.as_bytes())
}

/// Ascending places to cut `length` units at.
fn ends(mut cuts: Vec<usize>, length: usize) -> Vec<usize> {
    for cut in &mut cuts {
        *cut %= length + 1;
    }
    cuts.sort_unstable();
    cuts
}

fn chunks_do_not_matter_to_decoders(input: Bytes, cuts: Vec<usize>, room: u8) -> bool {
    let Bytes { subject, bytes } = input;
    let ends = ends(cuts, bytes.len());
    let cut = Cut {
        ends: &ends,
        room: (room > 3).then_some(room.into()),
    };
    let expected = Decoding::of(subject, &bytes);
    let mut buffers = Buffers::default();
    decode_all(subject, &bytes, cut, Modes::Both, &expected, &mut buffers)
        .0
        .is_empty()
}

fn chunks_do_not_matter_to_encoders(input: Scalars, cuts: Vec<usize>, room: u8) -> bool {
    let Scalars { subject, scalars } = input;
    let text = Text::of(&scalars);
    cut_anyhow(subject, &text, cuts, room)
}

/// Lone surrogates are U+FFFD wherever chunks end.
fn lone_surrogates_do_not_matter(input: Scalars, seed: u64, cuts: Vec<usize>) -> bool {
    let random = &mut Random::new(&[seed]);
    let length = input.scalars.len();
    let text = Text::of_units(&units(input.subject, random, length));
    cut_anyhow(input.subject, &text, cuts, (seed >> 8) as u8)
}

fn cut_anyhow(subject: Subject, text: &Text, cuts: Vec<usize>, room: u8) -> bool {
    let ends = ends(cuts, text.utf16.len());
    let cut = Cut {
        ends: &ends,
        room: (room > 3).then_some(room.into()),
    };
    let expected = Encoded::of(subject, text);
    let mut buffers = Buffers::default();
    encode_all(subject, text, cut, Modes::Both, &expected, &mut buffers)
        .0
        .is_empty()
}

/// Behind the end of a stream, or a reset in the middle of one, decoders and encoders work as new ones do.
fn a_complete_stream_leaves_nothing_behind(
    first: Bytes,
    second: Vec<u8>,
    text: Scalars,
    reset: bool,
) -> bool {
    let mut decoder = first.subject.engine.new_decoder();
    decoder.decode_to_string(&first.bytes, &mut String::new(), !reset);
    if reset {
        decoder.reset();
    }
    let mut decoded = String::new();
    decoder.decode_to_string(&second, &mut decoded, true);
    let Ok(mut encoder) = text.subject.engine.new_encoder() else {
        return false;
    };
    let string: String = text.scalars.iter().collect();
    let mut bytes = Vec::new();
    encoder.encode_from_utf8_to_vec(&string, &mut bytes, !reset);
    if reset {
        encoder.reset();
    }
    bytes.clear();
    encoder.encode_from_utf8_to_vec(&string, &mut bytes, true);
    let anew = text.subject.engine.encode_html(&string);
    decoded == first.subject.engine.decode(&second).text
        && anew.is_ok_and(|anew| *anew.bytes == *bytes)
}

/// Decoding over any `str` leaves a `str`, whose front is the text.
fn a_str_stays_well_formed(input: Bytes, mut over: String) -> bool {
    over.push_str("漢字");
    let mut decoder = input.subject.engine.new_decoder();
    let mut text = String::new();
    let mut read = 0;
    loop {
        let mut dst = over.clone();
        let progress = decoder.decode_to_str(&input.bytes[read..], &mut dst, true);
        read += progress.read;
        if std::str::from_utf8(dst.as_bytes()).is_err() {
            return false;
        }
        let Some(front) = dst.get(..progress.written) else {
            return false;
        };
        text.push_str(front);
        if progress.status == Status::InputEmpty {
            return text == input.subject.engine.decode(&input.bytes).text;
        }
    }
}

/// "Decode", with its byte order marks, in one call and in chunks.
fn byte_order_marks_are_obeyed(input: Bytes, cuts: Vec<usize>) -> bool {
    let Bytes { subject, bytes } = input;
    let expected = mojika_spec::hooks::decode_bytes(&bytes, subject.spec);
    let mut decoder = subject.engine.new_decoder();
    let mut text = String::new();
    let ends = ends(cuts, bytes.len());
    let mut start = 0;
    for end in ends {
        decoder.decode_to_string(&bytes[start..end], &mut text, false);
        start = end;
    }
    decoder.decode_to_string(&bytes[start..], &mut text, true);
    text == expected && subject.engine.decode(&bytes).text == expected
}
