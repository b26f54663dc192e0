//! No output is longer than predicted by `max_…_length`.

use super::arbitrary::{Bytes, Scalars};
use crate::inputs::BOUNDARY_BYTES;
use crate::report::{Failure, hex};
use crate::run::{Check, Job, Profile};
use crate::subject::Subject;
use mojika::{BomHandling, Decoder, Status};

/// Checks the maxima for all short inputs with the longest output, which quickcheck rarely generates.
pub fn longest_outputs(profile: &Profile) -> impl Iterator<Item = Job> + use<> {
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
                        // Test the whole input, and the input split at some offset.
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

/// No output exceeds the decoder's prediction, before the stream and in the middle.
pub fn decoders_keep_to_their_maximum(input: Bytes, cut: usize) -> bool {
    let Bytes { subject, bytes } = input;
    let (head, tail) = bytes.split_at(cut % (bytes.len() + 1));
    let sniffing = || subject.engine.new_decoder();
    let keeping = || Decoder::new(subject.engine, BomHandling::Keep);
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
                let mut exact = vec![0_u8; most.unwrap_or(0).max(4)];
                let fitted = to_string.clone().decode(chunk, &mut exact[..], last);
                let written = to_string.decode_append(chunk, &mut text, last).written;
                let most_units = to_units.max_utf16_length(chunk.len());
                let written_units = to_units.decode_append(chunk, &mut units, last).written;
                let most_fatal = fatal.max_utf8_length_fatal(chunk.len());
                let (mut read, mut written_fatal) = (0, 0);
                loop {
                    let progress = fatal.decode_append_fatal(&chunk[read..], &mut text, last);
                    read += progress.read;
                    written_fatal += progress.written;
                    if progress.status == Status::InputEmpty {
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

/// No output is longer than the encoder predicts.
pub fn encoders_keep_to_their_maximum(input: Scalars, cut: usize) -> bool {
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
            let most = encoder.max_length_from_utf8_html(utf8.len());
            let written = encoder.encode_html_append(utf8, &mut bytes, last).written;
            let most_from_units = from_units.max_length_from_utf16_html(utf16.len());
            let written_from_units = from_units
                .encode_html_append(utf16, &mut bytes, last)
                .written;
            let most_fatal_from_units = fatal_from_units.max_length_from_utf16(utf16.len());
            let (mut read, mut written_fatal_from_units) = (0, 0);
            loop {
                let progress = fatal_from_units.encode_append(&utf16[read..], &mut bytes, last);
                read += progress.read;
                written_fatal_from_units += progress.written;
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
            let most_fatal = fatal.max_length_from_utf8(utf8.len());
            let (mut read, mut written_fatal) = (0, 0);
            loop {
                let progress = fatal.encode_append(&utf8[read..], &mut bytes, last);
                read += progress.read;
                written_fatal += progress.written;
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
            most.is_some_and(|most| written <= most)
                && most_from_units.is_some_and(|most| written_from_units <= most)
                && most_fatal.is_some_and(|most| written_fatal <= most)
                && most_fatal_from_units.is_some_and(|most| written_fatal_from_units <= most)
        })
}
