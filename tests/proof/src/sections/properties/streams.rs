//! Properties of streams: chunks and buffers do not matter, no state remains, byte order marks are obeyed.

use super::arbitrary::{Bytes, Scalars};
use crate::engine::{Buffers, Cut, Modes, decode_all, encode_all};
use crate::expected::{Decoding, Encoded, Text};
use crate::inputs::units;
use crate::subject::Subject;
use mojika::Status;
use mojika_spec::Random;

/// Ascending places to cut `length` units at.
fn ends(mut cuts: Vec<usize>, length: usize) -> Vec<usize> {
    for cut in &mut cuts {
        *cut %= length + 1;
    }
    cuts.sort_unstable();
    cuts
}

pub fn chunks_do_not_matter_to_decoders(input: Bytes, cuts: Vec<usize>, room: u8) -> bool {
    let Bytes { subject, bytes } = input;
    let ends = ends(cuts, bytes.len());
    let cut = Cut {
        ends: &ends,
        // A buffer of two units is for UTF-16 only.
        room: (room > 1).then_some(room.into()),
        ..Cut::WHOLE
    };
    let expected = Decoding::of(subject, &bytes);
    let mut buffers = Buffers::default();
    decode_all(subject, &bytes, cut, Modes::All, &expected, &mut buffers)
        .0
        .is_empty()
}

pub fn chunks_do_not_matter_to_encoders(input: Scalars, cuts: Vec<usize>, room: u8) -> bool {
    let Scalars { subject, scalars } = input;
    let text = Text::of(&scalars);
    cut_anyhow(subject, &text, cuts, room)
}

/// Lone surrogates are U+FFFD wherever chunks end.
pub fn lone_surrogates_do_not_matter(input: Scalars, seed: u64, cuts: Vec<usize>) -> bool {
    let random = &mut Random::new(seed);
    let length = input.scalars.len();
    let text = Text::of_units(&units(input.subject, random, length));
    cut_anyhow(input.subject, &text, cuts, (seed >> 8) as u8)
}

fn cut_anyhow(subject: Subject, text: &Text, cuts: Vec<usize>, room: u8) -> bool {
    let ends = ends(cuts, text.utf16.len());
    let cut = Cut {
        ends: &ends,
        room: (room > 3).then_some(room.into()),
        ..Cut::WHOLE
    };
    let expected = Encoded::of(subject, text);
    let mut buffers = Buffers::default();
    encode_all(subject, text, cut, Modes::All, &expected, &mut buffers)
        .0
        .is_empty()
}

/// After the end of a stream, or a reset in the middle, decoders and encoders work as new ones do.
pub fn a_complete_stream_leaves_nothing_behind(
    first: Bytes,
    second: Vec<u8>,
    text: Scalars,
    reset: bool,
) -> bool {
    let mut decoder = first.subject.engine.new_decoder();
    decoder.decode_append(&first.bytes, &mut String::new(), !reset);
    if reset {
        decoder.reset();
    }
    let mut decoded = String::new();
    decoder.decode_append(&second, &mut decoded, true);
    let Ok(mut encoder) = text.subject.engine.new_encoder() else {
        return false;
    };
    let string: String = text.scalars.iter().collect();
    let mut bytes = Vec::new();
    encoder.encode_html_append(&string, &mut bytes, !reset);
    if reset {
        encoder.reset();
    }
    bytes.clear();
    encoder.encode_html_append(&string, &mut bytes, true);
    let anew = text.subject.engine.encode_html(&string);
    decoded == first.subject.engine.decode(&second).text
        && anew.is_ok_and(|anew| *anew.bytes == *bytes)
}

/// Decoding over any `str` leaves a valid `str` that starts with the text.
pub fn a_str_stays_well_formed(input: Bytes, mut over: String) -> bool {
    over.push_str("漢字");
    let mut decoder = input.subject.engine.new_decoder();
    let mut text = String::new();
    let mut read = 0;
    loop {
        let mut dst = over.clone();
        let progress = decoder.decode(&input.bytes[read..], &mut dst[..], true);
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
pub fn byte_order_marks_are_obeyed(input: Bytes, cuts: Vec<usize>) -> bool {
    let Bytes { subject, bytes } = input;
    let expected = mojika_spec::hooks::decode_bytes(&bytes, subject.spec);
    let mut decoder = subject.engine.new_decoder();
    let mut text = String::new();
    let ends = ends(cuts, bytes.len());
    let mut start = 0;
    for end in ends {
        decoder.decode_append(&bytes[start..end], &mut text, false);
        start = end;
    }
    decoder.decode_append(&bytes[start..], &mut text, true);
    text == expected && subject.engine.decode(&bytes).text == expected
}
