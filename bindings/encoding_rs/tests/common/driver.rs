// This file is included twice, into modules in which `peer` is the one or the other crate.

use super::{Bom, CANARY, Call, Drive, EncodeForm, Form, Outcome, Run};
use peer::{CoderResult, Decoder, DecoderResult, Encoder, EncoderResult, Encoding};

/// Returns an encoding by its name.
pub fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(peer::REPLACEMENT)
}

fn coder(result: CoderResult) -> Outcome {
    match result {
        CoderResult::InputEmpty => Outcome::InputEmpty,
        CoderResult::OutputFull => Outcome::OutputFull,
    }
}

fn decoder_result(result: DecoderResult) -> Outcome {
    match result {
        DecoderResult::InputEmpty => Outcome::InputEmpty,
        DecoderResult::OutputFull => Outcome::OutputFull,
        DecoderResult::Malformed(len, after) => Outcome::Malformed(len, after),
    }
}

fn encoder_result(result: EncoderResult) -> Outcome {
    match result {
        EncoderResult::InputEmpty => Outcome::InputEmpty,
        EncoderResult::OutputFull => Outcome::OutputFull,
        EncoderResult::Unmappable(scalar) => Outcome::Unmappable(scalar),
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
    let mut run = Run {
        calls: Vec::new(),
        output: Vec::new(),
    };
    for (i, chunk) in drive.chunks.iter().enumerate() {
        let last = i + 1 == drive.chunks.len();
        let mut rest = *chunk;
        loop {
            let call = decode_call(&mut decoder, form, drive, rest, last, &mut run.output);
            rest = &rest[call.read..];
            let result = call.result;
            let stuck = call.read == 0 && call.written == 0;
            run.calls.push(call);
            match result {
                Outcome::InputEmpty => break,
                // U+FFFD must fit, because the contract promises callers that they can write it here.
                Outcome::Malformed(..) => run.output.extend_from_slice(replacement(form)),
                _ => assert!(!stuck, "no progress: {drive:?} {form:?} {bom:?}"),
            }
        }
        assert!(rest.is_empty(), "unread input: {drive:?} {form:?} {bom:?}");
    }
    run
}

fn decode_call(
    decoder: &mut Decoder,
    form: Form,
    drive: &Drive<'_, [u8]>,
    src: &[u8],
    last: bool,
    output: &mut Vec<u16>,
) -> Call {
    let room = drive.room;
    let room_left;
    let (result, read, written, replaced) = match form {
        Form::Utf8 => {
            let mut dst = vec![CANARY; room];
            let (result, read, written, replaced) = if drive.replacing {
                let (result, read, written, replaced) = decoder.decode_to_utf8(src, &mut dst, last);
                (coder(result), read, written, replaced)
            } else {
                let (result, read, written) =
                    decoder.decode_to_utf8_without_replacement(src, &mut dst, last);
                (decoder_result(result), read, written, false)
            };
            output.extend(dst[..written].iter().map(|&byte| u16::from(byte)));
            room_left = room - written;
            (result, read, written, replaced)
        }
        Form::Utf16 => {
            let mut dst = vec![u16::from(CANARY); room];
            let (result, read, written, replaced) = if drive.replacing {
                let (result, read, written, replaced) =
                    decoder.decode_to_utf16(src, &mut dst, last);
                (coder(result), read, written, replaced)
            } else {
                let (result, read, written) =
                    decoder.decode_to_utf16_without_replacement(src, &mut dst, last);
                (decoder_result(result), read, written, false)
            };
            output.extend_from_slice(&dst[..written]);
            room_left = room - written;
            (result, read, written, replaced)
        }
        Form::Str => {
            // Wide characters, some of which the output overwrites partly.
            let mut dst: String = "文".repeat(room.div_ceil(3));
            while dst.len() > room {
                dst.pop();
            }
            while dst.len() < room {
                dst.push('x');
            }
            let (result, read, written, replaced) = if drive.replacing {
                let (result, read, written, replaced) = decoder.decode_to_str(src, &mut dst, last);
                (coder(result), read, written, replaced)
            } else {
                let (result, read, written) =
                    decoder.decode_to_str_without_replacement(src, &mut dst, last);
                (decoder_result(result), read, written, false)
            };
            assert_eq!(dst.len(), room);
            assert!(std::str::from_utf8(dst.as_bytes()).is_ok(), "{drive:?}");
            output.extend(dst[..written].bytes().map(u16::from));
            room_left = room - written;
            (result, read, written, replaced)
        }
        Form::String => {
            let mut dst = String::with_capacity(room + 4);
            dst.push_str("<文");
            let (capacity, before) = (dst.capacity(), dst.len());
            let (result, read, replaced) = if drive.replacing {
                let (result, read, replaced) = decoder.decode_to_string(src, &mut dst, last);
                (coder(result), read, replaced)
            } else {
                let (result, read) =
                    decoder.decode_to_string_without_replacement(src, &mut dst, last);
                (decoder_result(result), read, false)
            };
            assert_eq!(dst.capacity(), capacity, "{drive:?}");
            assert!(std::str::from_utf8(dst.as_bytes()).is_ok(), "{drive:?}");
            output.extend(dst[before..].bytes().map(u16::from));
            room_left = capacity - dst.len();
            (result, read, dst.len() - before, replaced)
        }
    };
    if let Outcome::Malformed(..) = result {
        assert!(
            room_left >= replacement(form).len(),
            "no room for U+FFFD: {drive:?} {form:?}"
        );
    }
    let ended = last && result == Outcome::InputEmpty;
    let state = if drive.with_state {
        decoder_state(decoder, ended)
    } else {
        String::new()
    };
    Call {
        result,
        read,
        written,
        replaced,
        state,
    }
}

/// Encodes a stream of text, converted from UTF-8 to the units of the form chunk by chunk.
pub fn encode_utf8(to_vec: bool, drive: &Drive<'_, str>) -> Run<u8> {
    let mut encoder = encoding(drive.encoding).new_encoder();
    let mut run = Run {
        calls: Vec::new(),
        output: Vec::new(),
    };
    let form = if to_vec {
        EncodeForm::Utf8ToVec
    } else {
        EncodeForm::Utf8
    };
    for (i, chunk) in drive.chunks.iter().enumerate() {
        let last = i + 1 == drive.chunks.len();
        let mut rest = *chunk;
        loop {
            let mut dst = vec![CANARY; drive.room];
            let (result, read, written, replaced) = match (form, drive.replacing) {
                (EncodeForm::Utf8ToVec, replacing) => {
                    let mut vec = Vec::with_capacity(drive.room + 1);
                    vec.push(b'<');
                    let capacity = vec.capacity();
                    let (result, read, replaced) = if replacing {
                        let (result, read, replaced) =
                            encoder.encode_from_utf8_to_vec(rest, &mut vec, last);
                        (coder(result), read, replaced)
                    } else {
                        let (result, read) = encoder
                            .encode_from_utf8_to_vec_without_replacement(rest, &mut vec, last);
                        (encoder_result(result), read, false)
                    };
                    assert_eq!(vec.capacity(), capacity, "{drive:?}");
                    let written = vec.len() - 1;
                    dst[..written].copy_from_slice(&vec[1..]);
                    (result, read, written, replaced)
                }
                (_, true) => {
                    let (result, read, written, replaced) =
                        encoder.encode_from_utf8(rest, &mut dst, last);
                    (coder(result), read, written, replaced)
                }
                (_, false) => {
                    let (result, read, written) =
                        encoder.encode_from_utf8_without_replacement(rest, &mut dst, last);
                    (encoder_result(result), read, written, false)
                }
            };
            run.output.extend_from_slice(&dst[..written]);
            let call = Call {
                result,
                read,
                written,
                replaced,
                state: encoder_state(&encoder),
            };
            rest = &rest[read..];
            run.calls.push(call);
            if result == Outcome::InputEmpty {
                break;
            }
            let stuck = read == 0 && written == 0;
            assert!(
                result != Outcome::OutputFull || !stuck,
                "no progress: {drive:?}"
            );
        }
        assert!(rest.is_empty(), "unread input: {drive:?}");
    }
    run
}

/// Encodes a stream of UTF-16.
pub fn encode_utf16(drive: &Drive<'_, [u16]>) -> Run<u8> {
    let mut encoder = encoding(drive.encoding).new_encoder();
    let mut run = Run {
        calls: Vec::new(),
        output: Vec::new(),
    };
    for (i, chunk) in drive.chunks.iter().enumerate() {
        let last = i + 1 == drive.chunks.len();
        let mut rest = *chunk;
        loop {
            let mut dst = vec![CANARY; drive.room];
            let (result, read, written, replaced) = if drive.replacing {
                let (result, read, written, replaced) =
                    encoder.encode_from_utf16(rest, &mut dst, last);
                (coder(result), read, written, replaced)
            } else {
                let (result, read, written) =
                    encoder.encode_from_utf16_without_replacement(rest, &mut dst, last);
                (encoder_result(result), read, written, false)
            };
            run.output.extend_from_slice(&dst[..written]);
            let call = Call {
                result,
                read,
                written,
                replaced,
                state: encoder_state(&encoder),
            };
            rest = &rest[read..];
            run.calls.push(call);
            if result == Outcome::InputEmpty {
                break;
            }
            let stuck = read == 0 && written == 0;
            assert!(
                result != Outcome::OutputFull || !stuck,
                "no progress: {drive:?}"
            );
        }
        assert!(rest.is_empty(), "unread input: {drive:?}");
    }
    run
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
