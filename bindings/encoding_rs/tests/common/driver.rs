// This file is included twice, into two modules. In each, `peer` is one of the two crates.

use super::{Bom, CANARY, Call, Drive, Form, Outcome, Run, run};
use peer::{CoderResult, Decoder, DecoderResult, Encoder, EncoderResult, Encoding};

/// Returns an encoding by its name.
pub fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(peer::REPLACEMENT)
}

impl From<CoderResult> for Outcome {
    fn from(result: CoderResult) -> Self {
        match result {
            CoderResult::InputEmpty => Outcome::InputEmpty,
            CoderResult::OutputFull => Outcome::OutputFull,
        }
    }
}

impl From<DecoderResult> for Outcome {
    fn from(result: DecoderResult) -> Self {
        match result {
            DecoderResult::InputEmpty => Outcome::InputEmpty,
            DecoderResult::OutputFull => Outcome::OutputFull,
            DecoderResult::Malformed(len, after) => Outcome::Malformed(len, after),
        }
    }
}

impl From<EncoderResult> for Outcome {
    fn from(result: EncoderResult) -> Self {
        match result {
            EncoderResult::InputEmpty => Outcome::InputEmpty,
            EncoderResult::OutputFull => Outcome::OutputFull,
            EncoderResult::Unmappable(scalar) => Outcome::Unmappable(scalar),
        }
    }
}

pub fn new_decoder(name: &str, bom: Bom) -> Decoder {
    match bom {
        Bom::Sniff => encoding(name).new_decoder(),
        Bom::Remove => encoding(name).new_decoder_with_bom_removal(),
        Bom::Keep => encoding(name).new_decoder_without_bom_handling(),
    }
}

/// Returns the results of all accessors of a decoder. If the stream has ended, they would panic and are not called.
pub fn decoder_state(decoder: &Decoder, ended: bool) -> String {
    if ended {
        return format!("{decoder:?}");
    }
    let max: Vec<_> = [
        0,
        1,
        2,
        3,
        7,
        100,
        usize::MAX / 3,
        usize::MAX - 2,
        usize::MAX,
    ]
    .into_iter()
    .map(|n| {
        (
            decoder.max_utf8_buffer_length(n),
            decoder.max_utf8_buffer_length_without_replacement(n),
            decoder.max_utf16_buffer_length(n),
        )
    })
    .collect();
    let latin1 = decoder.latin1_byte_compatible_up_to(b"ab\x0E\x7F\x80\x81\xA0\xE9\xFF");
    let latin1_high = decoder.latin1_byte_compatible_up_to(b"ab\xE9\xFF\xA0\x80");
    format!(
        "{decoder:?} {max:?} {latin1:?} {latin1_high:?} {:?}",
        decoder.encoding()
    )
}

/// Returns the units of U+FFFD, as a caller without replacement may write them.
fn replacement(form: Form) -> &'static [u16] {
    if form == Form::Utf16 {
        &[0xFFFD]
    } else {
        &[0xEF, 0xBF, 0xBD]
    }
}

/// Decodes a stream. The output is code units, or bytes as `u16`.
pub fn decode(form: Form, bom: Bom, drive: &Drive<'_, [u8]>) -> Run<u16> {
    let mut decoder = new_decoder(drive.encoding, bom);
    run(drive, |rest, last, output| {
        let (mut call, room_left) = decode_call(&mut decoder, form, drive, rest, last, output);
        if let Outcome::Malformed(..) = call.result {
            // U+FFFD must fit, because the contract promises callers that they can write it here.
            let replacement = replacement(form);
            let fits = room_left >= replacement.len();
            assert!(fits, "no room for U+FFFD: {drive:?} {form:?}");
            output.extend_from_slice(replacement);
        }
        if drive.with_state {
            call.state = decoder_state(&decoder, last && call.result == Outcome::InputEmpty);
        }
        call
    })
}

/// Makes one call. Returns its result, and the number of units left in the output.
fn decode_call(
    decoder: &mut Decoder,
    form: Form,
    drive: &Drive<'_, [u8]>,
    src: &[u8],
    last: bool,
    output: &mut Vec<u16>,
) -> (Call, usize) {
    let room = drive.room;
    let call = match form {
        Form::Utf8 => {
            let mut dst = vec![CANARY; room];
            let call = match drive.replacing {
                true => replaced(decoder.decode_to_utf8(src, &mut dst, last)),
                false => stopped(decoder.decode_to_utf8_without_replacement(src, &mut dst, last)),
            };
            output.extend(dst[..call.written].iter().map(|&byte| u16::from(byte)));
            call
        }
        Form::Utf16 => {
            let mut dst = vec![u16::from(CANARY); room];
            let call = match drive.replacing {
                true => replaced(decoder.decode_to_utf16(src, &mut dst, last)),
                false => stopped(decoder.decode_to_utf16_without_replacement(src, &mut dst, last)),
            };
            output.extend_from_slice(&dst[..call.written]);
            call
        }
        Form::Str => {
            // Wide characters, some of which the output overwrites partly.
            let mut dst = "文".repeat(room / 3) + &"x".repeat(room % 3);
            let call = match drive.replacing {
                true => replaced(decoder.decode_to_str(src, &mut dst, last)),
                false => stopped(decoder.decode_to_str_without_replacement(src, &mut dst, last)),
            };
            assert_eq!(dst.len(), room);
            assert!(std::str::from_utf8(dst.as_bytes()).is_ok(), "{drive:?}");
            output.extend(dst[..call.written].bytes().map(u16::from));
            call
        }
        Form::String => {
            let mut dst = String::with_capacity(room + 4);
            dst.push_str("<文");
            let (capacity, before) = (dst.capacity(), dst.len());
            let mut call = if drive.replacing {
                let (result, read, had) = decoder.decode_to_string(src, &mut dst, last);
                replaced((result, read, 0, had))
            } else {
                let (result, read) =
                    decoder.decode_to_string_without_replacement(src, &mut dst, last);
                stopped((result, read, 0))
            };
            call.written = dst.len() - before;
            assert_eq!(dst.capacity(), capacity, "{drive:?}");
            assert!(std::str::from_utf8(dst.as_bytes()).is_ok(), "{drive:?}");
            output.extend(dst[before..].bytes().map(u16::from));
            return (call, capacity - dst.len());
        }
    };
    let room_left = room - call.written;
    (call, room_left)
}

fn replaced((result, read, written, replaced): (CoderResult, usize, usize, bool)) -> Call {
    Call::new(result, read, written, replaced)
}

fn stopped<R: Into<Outcome>>((result, read, written): (R, usize, usize)) -> Call {
    Call::new(result, read, written, false)
}

/// Encodes a stream of text, to a slice or to a vector.
pub fn encode_utf8(to_vec: bool, drive: &Drive<'_, str>) -> Run<u8> {
    let mut encoder = encoding(drive.encoding).new_encoder();
    run(drive, |rest, last, output| {
        let mut dst = vec![CANARY; drive.room];
        let mut vec = Vec::with_capacity(drive.room + 1);
        vec.push(b'<');
        let capacity = vec.capacity();
        let mut call = match (to_vec, drive.replacing) {
            (false, true) => replaced(encoder.encode_from_utf8(rest, &mut dst, last)),
            (false, false) => {
                stopped(encoder.encode_from_utf8_without_replacement(rest, &mut dst, last))
            }
            (true, true) => {
                let (result, read, had) = encoder.encode_from_utf8_to_vec(rest, &mut vec, last);
                replaced((result, read, vec.len() - 1, had))
            }
            (true, false) => {
                let (result, read) =
                    encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut vec, last);
                stopped((result, read, vec.len() - 1))
            }
        };
        assert_eq!(vec.capacity(), capacity, "{drive:?}");
        let written = if to_vec { &vec[1..] } else { &dst[..call.written] };
        output.extend_from_slice(written);
        call.state = encoder_state(&encoder);
        call
    })
}

/// Encodes a stream of UTF-16.
pub fn encode_utf16(drive: &Drive<'_, [u16]>) -> Run<u8> {
    let mut encoder = encoding(drive.encoding).new_encoder();
    run(drive, |rest, last, output| {
        let mut dst = vec![CANARY; drive.room];
        let mut call = match drive.replacing {
            true => replaced(encoder.encode_from_utf16(rest, &mut dst, last)),
            false => stopped(encoder.encode_from_utf16_without_replacement(rest, &mut dst, last)),
        };
        output.extend_from_slice(&dst[..call.written]);
        call.state = encoder_state(&encoder);
        call
    })
}

fn encoder_state(encoder: &Encoder) -> String {
    let max: Vec<_> = [0, 1, 2, 3, 7, 100, usize::MAX / 3, usize::MAX]
        .into_iter()
        .map(|n| {
            (
                encoder.max_buffer_length_from_utf8_if_no_unmappables(n),
                encoder.max_buffer_length_from_utf8_without_replacement(n),
                encoder.max_buffer_length_from_utf16_if_no_unmappables(n),
                encoder.max_buffer_length_from_utf16_without_replacement(n),
            )
        })
        .collect();
    format!("{encoder:?} {:?} {max:?}", encoder.has_pending_state())
}
