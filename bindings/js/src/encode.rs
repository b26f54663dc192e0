//! Encodes UTF-16 to bytes.

use crate::memory::{Encoding, Mode, NONE, with};
use crate::names;
use mojika::web::TextEncoder;
use mojika::{Status, mem};

/// Returns a new encoder's number. `mode`: 0 is fatal, 1 writes numeric character references, 2 writes the first `len`
/// units of the text in place of each unmappable character.
#[unsafe(no_mangle)]
pub extern "C" fn new_encoder(encoding: usize, mode: u32, len: usize) -> i32 {
    let encoder = names::nth(encoding).and_then(|encoding| encoding.new_encoder().ok());
    let Some(encoder) = encoder else { return NONE };
    with(|memory| {
        let mode = match mode {
            0 => Mode::Fatal,
            1 => Mode::Html,
            _ => {
                // A lead surrogate at the end would form a pair with the text after the replacement.
                let mut replacement = memory.text[..len].to_vec();
                mem::replace_lone_surrogates(&mut replacement);
                Mode::Replacement(replacement)
            }
        };
        memory.encoders.add(Encoding { encoder, mode })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn free_encoder(number: usize) {
    with(|memory| memory.encoders.remove(number));
}

/// Encodes `len` code units of the text; returns the number of bytes. After the last call for a text, the encoder is at
/// the start of another one. The words hold the address of the bytes.
///
/// For an unmappable character, returns [`NONE`]. The words then hold its offset in code units from the start of the
/// stream, and its scalar value.
#[unsafe(no_mangle)]
pub extern "C" fn encode(number: usize, len: usize, more: bool) -> i32 {
    with(|memory| {
        memory.bytes.clear();
        let Some(Encoding { encoder, mode }) = memory.encoders.get(number) else {
            return NONE;
        };
        let (text, bytes) = (&memory.text[..len], &mut memory.bytes);
        let mut read = 0;
        loop {
            let rest = &text[read..];
            let progress = match mode {
                Mode::Html => encoder.encode_html_append(rest, bytes, !more),
                _ => encoder.encode_append(rest, bytes, !more),
            };
            read += progress.read;
            let Status::Unmappable(unmappable) = progress.status else {
                if !more {
                    encoder.reset();
                }
                return memory.show_bytes();
            };
            if let Mode::Replacement(replacement) = mode {
                let aside = encoder.encode_append(&replacement[..], bytes, false);
                if aside.status == Status::InputEmpty {
                    continue;
                }
            }
            encoder.reset();
            memory.words[2] = unmappable.offset as u32;
            memory.words[3] = (unmappable.offset >> 32) as u32;
            memory.words[4] = unmappable.scalar.into();
            return NONE;
        }
    })
}

/// The Standard's `encodeInto`: writes at most `room` bytes of UTF-8 for `len` code units. Returns the number of bytes.
/// The words hold the address of the bytes, and the number of code units read.
#[unsafe(no_mangle)]
pub extern "C" fn encode_into(len: usize, room: usize) -> i32 {
    with(|memory| {
        let (text, bytes) = (&memory.text[..len], &mut memory.bytes);
        bytes.resize(room, 0);
        let done = TextEncoder::new().encode_into_utf16(text, bytes);
        bytes.truncate(done.written);
        memory.words[1] = done.read as u32;
        memory.show_bytes()
    })
}
