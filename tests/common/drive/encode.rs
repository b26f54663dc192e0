//! Drivers of encoders.

use super::{Ended, ended, initialised};
use crate::common::hex;
use mojika::{EncodeProgress, EncodeStatus, Encoder, Encoding, HtmlEncodeProgress};
use std::mem::MaybeUninit;

/// What encoders read: `str` (UTF-8) or `[u16]` (UTF-16).
pub trait Source {
    fn encode(&self, e: &mut Encoder, dst: &mut [u8], last: bool) -> HtmlEncodeProgress;
    fn encode_fatal(&self, e: &mut Encoder, dst: &mut [u8], last: bool) -> EncodeProgress;
    fn encode_uninit(
        &self,
        e: &mut Encoder,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> HtmlEncodeProgress;
    fn encode_fatal_uninit(
        &self,
        e: &mut Encoder,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> EncodeProgress;
    fn encode_to_vec(&self, e: &mut Encoder, dst: &mut Vec<u8>, last: bool) -> HtmlEncodeProgress;
    fn encode_to_vec_fatal(&self, e: &mut Encoder, dst: &mut Vec<u8>, last: bool)
    -> EncodeProgress;
    fn max_length(e: &Encoder, units: usize) -> Option<usize>;
    fn max_length_fatal(e: &Encoder, units: usize) -> Option<usize>;
    fn hex(&self) -> String;
    fn units(&self) -> usize;
    fn from(&self, at: usize) -> &Self;
}

impl Source for str {
    fn encode(&self, e: &mut Encoder, dst: &mut [u8], last: bool) -> HtmlEncodeProgress {
        e.encode_html(self, dst, last)
    }
    fn encode_fatal(&self, e: &mut Encoder, dst: &mut [u8], last: bool) -> EncodeProgress {
        e.encode(self, dst, last)
    }
    fn encode_uninit(
        &self,
        e: &mut Encoder,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> HtmlEncodeProgress {
        e.encode_html(self, dst, last)
    }
    fn encode_fatal_uninit(
        &self,
        e: &mut Encoder,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> EncodeProgress {
        e.encode(self, dst, last)
    }
    fn encode_to_vec(&self, e: &mut Encoder, dst: &mut Vec<u8>, last: bool) -> HtmlEncodeProgress {
        e.encode_html_append(self, dst, last)
    }
    fn encode_to_vec_fatal(
        &self,
        e: &mut Encoder,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> EncodeProgress {
        e.encode_append(self, dst, last)
    }
    fn max_length(e: &Encoder, units: usize) -> Option<usize> {
        e.max_length_from_utf8_html(units)
    }
    fn max_length_fatal(e: &Encoder, units: usize) -> Option<usize> {
        e.max_length_from_utf8(units)
    }
    fn hex(&self) -> String {
        hex(self.as_bytes())
    }
    fn units(&self) -> usize {
        self.len()
    }
    fn from(&self, at: usize) -> &Self {
        &self[at..]
    }
}

impl Source for [u16] {
    fn encode(&self, e: &mut Encoder, dst: &mut [u8], last: bool) -> HtmlEncodeProgress {
        e.encode_html(self, dst, last)
    }
    fn encode_fatal(&self, e: &mut Encoder, dst: &mut [u8], last: bool) -> EncodeProgress {
        e.encode(self, dst, last)
    }
    fn encode_uninit(
        &self,
        e: &mut Encoder,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> HtmlEncodeProgress {
        e.encode_html(self, dst, last)
    }
    fn encode_fatal_uninit(
        &self,
        e: &mut Encoder,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> EncodeProgress {
        e.encode(self, dst, last)
    }
    fn encode_to_vec(&self, e: &mut Encoder, dst: &mut Vec<u8>, last: bool) -> HtmlEncodeProgress {
        e.encode_html_append(self, dst, last)
    }
    fn encode_to_vec_fatal(
        &self,
        e: &mut Encoder,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> EncodeProgress {
        e.encode_append(self, dst, last)
    }
    fn max_length(e: &Encoder, units: usize) -> Option<usize> {
        e.max_length_from_utf16_html(units)
    }
    fn max_length_fatal(e: &Encoder, units: usize) -> Option<usize> {
        e.max_length_from_utf16(units)
    }
    fn hex(&self) -> String {
        hex(self)
    }
    fn units(&self) -> usize {
        self.len()
    }
    fn from(&self, at: usize) -> &Self {
        &self[at..]
    }
}

/// An unmappable scalar value, and where in the output it showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    pub at: usize,
    pub offset: u64,
    pub scalar: char,
}

/// What an encoder made of a stream. `errors` is empty in error mode "html".
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    pub had_unmappables: bool,
    pub errors: Vec<EncodeError>,
}

/// Encodes in mode "html"; the last chunk is the last call's.
pub fn encode<S: Source + ?Sized>(encoder: &mut Encoder, chunks: &[&S], room: usize) -> Encoded {
    encode_by(encoder.encoding(), chunks, room, |src, dst, last, total| {
        let progress = src.encode(encoder, dst, last);
        total.had_unmappables |= progress.had_unmappables;
        (ended(progress.status), progress.read, progress.written)
    })
}

/// [`encode`] into memory that is uninitialised as far as the library can tell.
pub fn encode_uninit<S: Source + ?Sized>(
    encoder: &mut Encoder,
    chunks: &[&S],
    room: usize,
) -> Encoded {
    let mut memory = vec![MaybeUninit::uninit(); room];
    encode_by(encoder.encoding(), chunks, room, |src, dst, last, total| {
        let progress = src.encode_uninit(encoder, &mut memory, last);
        total.had_unmappables |= progress.had_unmappables;
        initialised(&memory[..progress.written], dst);
        (ended(progress.status), progress.read, progress.written)
    })
}

/// Encodes in mode "fatal", going on after each error.
pub fn encode_fatal<S: Source + ?Sized>(
    encoder: &mut Encoder,
    chunks: &[&S],
    room: usize,
) -> Encoded {
    encode_by(encoder.encoding(), chunks, room, |src, dst, last, total| {
        let progress = src.encode_fatal(encoder, dst, last);
        let ended = note_unmappable(&progress, total);
        (ended, progress.read, progress.written)
    })
}

/// [`encode_fatal`] into memory that is uninitialised as far as the library can tell.
pub fn encode_fatal_uninit<S: Source + ?Sized>(
    encoder: &mut Encoder,
    chunks: &[&S],
    room: usize,
) -> Encoded {
    let mut memory = vec![MaybeUninit::uninit(); room];
    encode_by(encoder.encoding(), chunks, room, |src, dst, last, total| {
        let progress = src.encode_fatal_uninit(encoder, &mut memory, last);
        initialised(&memory[..progress.written], dst);
        let ended = note_unmappable(&progress, total);
        (ended, progress.read, progress.written)
    })
}

fn note_unmappable(progress: &EncodeProgress, total: &mut Encoded) -> Ended {
    match progress.status {
        EncodeStatus::InputEmpty => Ended::InputEmpty,
        EncodeStatus::OutputFull => Ended::OutputFull,
        EncodeStatus::Unmappable(unmappable) => {
            total.had_unmappables = true;
            total.errors.push(EncodeError {
                at: total.bytes.len() + progress.written,
                offset: unmappable.offset,
                scalar: unmappable.scalar,
            });
            Ended::Error
        }
    }
}

fn encode_by<S: Source + ?Sized>(
    encoding: &'static Encoding,
    chunks: &[&S],
    room: usize,
    mut call: impl FnMut(&S, &mut [u8], bool, &mut Encoded) -> (Ended, usize, usize),
) -> Encoded {
    const CANARY: u8 = 0xC5;
    let mut buffer = vec![CANARY; room];
    let mut total = Encoded::default();
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let mut rest = *chunk;
        loop {
            let (ended, read, written) = call(rest, &mut buffer, last, &mut total);
            let broken = if written > room || read > rest.units() {
                Some("more read or written than there is")
            } else if buffer[written..].iter().any(|&byte| byte != CANARY) {
                Some("written beyond what is reported as written")
            } else if ended == Ended::InputEmpty && read != rest.units() {
                Some("input empty with input left")
            } else if ended == Ended::OutputFull && written == 0 && room >= 4 {
                Some("no progress")
            } else {
                None
            };
            if let Some(broken) = broken {
                let chunks: Vec<String> = chunks.iter().map(|chunk| chunk.hex()).collect();
                panic!(
                    "{broken}: {encoding} in buffers of {room}: {}",
                    chunks.join(" | ")
                );
            }
            total.bytes.extend_from_slice(&buffer[..written]);
            buffer[..written].fill(CANARY);
            rest = rest.from(read);
            let units: usize = chunks.iter().map(|chunk| chunk.units()).sum();
            assert!(total.errors.len() <= units);
            // A reference takes ten bytes, an escape sequence before it and one at the end three each.
            assert!(
                total.bytes.len() <= 13 * units + 3,
                "output without end: {encoding} in buffers of {room}"
            );
            if ended == Ended::InputEmpty {
                break;
            }
        }
    }
    total
}
