//! Decodes bytes to UTF-16.

use crate::memory::{Decoding, Memory, NONE, with};
use crate::names;
use mojika::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
use mojika::{BomHandling, Decoder, Encoding, MalformedSequence, Status, WINDOWS_1252, mem};

/// Returns a new decoder's number. `bom`: 0 sniffs a byte order mark, 1 removes the encoding's own, 2 keeps all. 3 and 4
/// create a `TextDecoder`, which removes its own mark or keeps it.
#[unsafe(no_mangle)]
pub extern "C" fn new_decoder(encoding: usize, bom: u32, fatal: bool) -> i32 {
    let Some(encoding) = names::nth(encoding) else {
        return NONE;
    };
    let plain = |handling| Decoding::Plain {
        decoder: Decoder::new(encoding, handling),
        fatal,
        #[cfg(not(mojika_small))]
        characters: (!fatal).then(|| characters(encoding)).flatten(),
    };
    let decoding = match bom {
        0 => plain(BomHandling::Sniff),
        1 => plain(BomHandling::Remove),
        2 => plain(BomHandling::Keep),
        // Without `fatal`, this behaves like any other decoder, which can write to the memory that exists already.
        3 if !fatal => plain(BomHandling::Remove),
        4 if !fatal => plain(BomHandling::Keep),
        _ => {
            let options = TextDecoderOptions {
                fatal,
                ignore_bom: bom == 4,
            };
            // The name of every encoding of the Standard is a label. `TextDecoder` refuses only "replacement".
            let Ok(decoder) = TextDecoder::new(encoding.name(), options) else {
                return NONE;
            };
            Decoding::Web(decoder)
        }
    };
    with(|memory| memory.decoders.add(decoding))
}

#[unsafe(no_mangle)]
pub extern "C" fn free_decoder(number: usize) {
    with(|memory| memory.decoders.remove(number));
}

/// Decodes `len` bytes of the input; returns the number of code units. After the last call for an input, the decoder is
/// at the start of another one. The words hold the address of the text, and 1 if it is bytes of Latin-1, which requires
/// `narrow`.
///
/// For malformed input, returns [`NONE`], and writes the offset and length to the words and, except for a `TextDecoder`,
/// the number of the encoding.
#[unsafe(no_mangle)]
pub extern "C" fn decode(number: usize, len: usize, more: bool, narrow: bool) -> i32 {
    with(|memory| {
        let (src, units) = (&memory.input[..len], &mut memory.units);
        let malformed = match memory.decoders.get(number) {
            Some(Decoding::Web(decoder)) => {
                let decoded = decoder.decode_to_utf16(src, TextDecodeOptions { stream: more });
                if decoded.is_err() {
                    // The Web platform's tests require this. After an error, the rest of long input is never passed.
                    decoder.forget_unread_input();
                }
                decoded
                    .map(|text| *units = text)
                    .err()
                    .map(|error| error.sequence)
            }
            Some(Decoding::Plain { decoder, .. })
                if cfg!(not(mojika_small))
                    && narrow
                    && !more
                    && decoder.position() == 0
                    && is_text(decoder.encoding(), src) =>
            {
                memory.words[0] = src.as_ptr() as u32;
                memory.words[1] = 1;
                return len as i32;
            }
            #[cfg(not(mojika_small))]
            Some(Decoding::Plain {
                decoder,
                characters: Some(characters),
                ..
            }) if !more && decoder.position() == 0 && Encoding::for_bom(src).is_none() => {
                units.clear();
                units.extend(src.iter().map(|&byte| characters[usize::from(byte)]));
                None
            }
            Some(Decoding::Plain { decoder, fatal, .. }) => {
                units.clear();
                let progress = match fatal {
                    true => decoder.decode_append_fatal(src, units, !more),
                    false => decoder.decode_append(src, units, !more),
                };
                match progress.status {
                    Status::Malformed(sequence) => {
                        // A byte order mark may have selected another encoding.
                        memory.words[5] = names::number_of(decoder.encoding()) as u32;
                        decoder.reset();
                        Some(sequence)
                    }
                    _ => {
                        if !more {
                            decoder.reset();
                        }
                        None
                    }
                }
            }
            None => return NONE,
        };
        match malformed {
            Some(sequence) => {
                memory.say_malformed(sequence);
                NONE
            }
            None => memory.show_units(narrow),
        }
    })
}

/// Returns the characters of a single-byte encoding. Decoding with this table takes 0.6 to 0.9 times as long as with
/// the kernels. In windows-1252 the kernels are faster.
#[cfg(not(mojika_small))]
fn characters(encoding: &'static Encoding) -> Option<Box<[u16; 256]>> {
    if !encoding.is_single_byte() || encoding == WINDOWS_1252 {
        return None;
    }
    let bytes: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    let mut units = Vec::new();
    Decoder::new(encoding, BomHandling::Keep).decode_append(&bytes, &mut units, true);
    units.into_boxed_slice().try_into().ok()
}

/// True if the text has the same bytes in Latin-1: ASCII, or windows-1252 without 0x80 to 0x9F, where the two differ.
fn is_text(encoding: &Encoding, bytes: &[u8]) -> bool {
    // No branch for each byte, and few bytes are looked at in text of other letters.
    let has = |mask, value| {
        let is_in = |chunk: &[u8]| {
            chunk
                .iter()
                .fold(false, |has, byte| has | (byte & mask == value))
        };
        bytes.chunks(32).any(is_in)
    };
    match encoding == WINDOWS_1252 {
        true => !has(0xE0, 0x80) && Encoding::for_bom(bytes).is_none(),
        false => encoding.is_ascii_compatible() && !encoding.is_stateful() && !has(0x80, 0x80),
    }
}

/// Resets a decoder to the start of an input.
#[unsafe(no_mangle)]
pub extern "C" fn reset_decoder(number: usize) {
    with(|memory| {
        if let Some(Decoding::Plain { decoder, .. }) = memory.decoders.get(number) {
            decoder.reset();
        }
    });
}

/// Finds the next malformed sequence in the input from `from` to `len`. Returns the number of bytes read up to its end,
/// or [`NONE`] if the available input has none. The words hold its offset in the whole input, and its length.
#[unsafe(no_mangle)]
pub extern "C" fn find_malformed(number: usize, from: usize, len: usize, more: bool) -> i32 {
    with(|memory| {
        let Some(Decoding::Plain { decoder, .. }) = memory.decoders.get(number) else {
            return NONE;
        };
        let mut read = from;
        loop {
            // The decoded text is discarded.
            let mut text = [0_u16; 1024];
            let progress = decoder.decode_fatal(&memory.input[read..len], &mut text[..], !more);
            read += progress.read;
            match progress.status {
                Status::Malformed(sequence) => {
                    memory.say_malformed(sequence);
                    return read as i32;
                }
                Status::OutputFull => {}
                _ => return NONE,
            }
        }
    })
}

impl Memory {
    fn say_malformed(&mut self, sequence: MalformedSequence) {
        self.words[2] = sequence.offset as u32;
        self.words[3] = (sequence.offset >> 32) as u32;
        self.words[4] = u32::from(sequence.len);
    }

    fn show_units(&mut self, narrow: bool) -> i32 {
        let is_latin1 = narrow && mem::is_latin1_utf16(&self.units);
        self.words[1] = u32::from(is_latin1);
        if is_latin1 {
            self.bytes.resize(self.units.len(), 0);
            mem::utf16_to_latin1_lossy(&self.units, &mut self.bytes);
            self.show_bytes()
        } else {
            self.words[0] = self.units.as_ptr() as u32;
            self.units.len() as i32
        }
    }
}
