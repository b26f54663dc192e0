//! `Decoder`: decodes a byte stream to UTF-8 or UTF-16, by encoding_rs' contract.

use crate::bom::{Mark, Stage};
use crate::encoding::Family;
use crate::max_length::{self, Form};
use crate::sink::{Front, Sink};
use crate::{CoderResult, DecoderResult, Encoding};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;
use mojika::Status;

/// A streaming decoder.
///
/// Works like [`mojika::Decoder`], with the differences listed in this crate's documentation. Leaves the output after the
/// reported units unchanged.
pub struct Decoder {
    encoding: &'static Encoding,
    /// The decoder, which does not search for byte order marks, because this type does.
    engine: mojika::Decoder,
    stage: Stage,
    /// A malformed sequence that the engine has reported, but that is not reported to the caller until U+FFFD fits.
    owed: Option<(u8, u8)>,
}

impl Encoding {
    /// Returns a streaming decoder that switches to the encoding of a byte order mark.
    #[inline]
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::sniffing(self)
    }

    /// Returns a streaming decoder that removes the encoding's own byte order mark.
    #[inline]
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        Decoder::removing(self)
    }

    /// Returns a streaming decoder that treats a byte order mark as content.
    #[inline]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::keeping(self)
    }
}

impl Decoder {
    #[inline]
    fn new(encoding: &'static Encoding, stage: Stage) -> Self {
        Self {
            encoding,
            engine: mojika::Decoder::new(encoding.engine, mojika::BomHandling::Keep),
            stage,
            owed: None,
        }
    }

    #[inline]
    pub(crate) fn sniffing(encoding: &'static Encoding) -> Self {
        Self::new(encoding, Stage::Start(None))
    }

    pub(crate) fn removing(encoding: &'static Encoding) -> Self {
        let stage = Mark::of(encoding).map_or(Stage::Converting, |mark| Stage::Start(Some(mark)));
        Self::new(encoding, stage)
    }

    #[inline]
    pub(crate) fn keeping(encoding: &'static Encoding) -> Self {
        Self::new(encoding, Stage::Converting)
    }

    /// Returns the encoding being decoded: the requested one, or the one that a byte order mark names.
    #[inline]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns a number of UTF-8 bytes that suffices for `byte_length` further bytes, with replacement.
    ///
    /// The `max_…_length` methods return encoding_rs' numbers, with one exception. In the middle of an ISO-2022-JP
    /// stream their numbers are exact, and encoding_rs' are larger by up to one character.
    ///
    /// # Panics
    ///
    /// If the stream is complete. The other `max_…_length` methods panic likewise.
    pub fn max_utf8_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(Form::Utf8, byte_length)
    }

    /// [`max_utf8_buffer_length`](Self::max_utf8_buffer_length) without replacement.
    pub fn max_utf8_buffer_length_without_replacement(&self, byte_length: usize) -> Option<usize> {
        self.max_length(Form::Utf8WithoutReplacement, byte_length)
    }

    /// Returns a number of UTF-16 code units that suffices for `byte_length` further bytes.
    pub fn max_utf16_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(Form::Utf16, byte_length)
    }

    fn max_length(&self, form: Form, byte_length: usize) -> Option<usize> {
        let length = max_length::of_decoder(
            form,
            self.stage,
            self.encoding,
            || max_length::pending(self.encoding.family, &self.engine),
            byte_length,
        )?;
        let owed = match form {
            Form::Utf16 => 1,
            _ => 3,
        };
        length.checked_add(owed * usize::from(self.owed.is_some()))
    }

    /// Decodes to UTF-8; malformed sequences become U+FFFD. Returns the result, bytes read, bytes written, and true if
    /// a sequence was malformed.
    ///
    /// # Panics
    ///
    /// If the stream is complete. The other decoding methods panic likewise.
    #[inline]
    pub fn decode_to_utf8(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.replacing(src, &mut Front::of(dst), last)
    }

    /// [`decode_to_utf8`](Self::decode_to_utf8) into the start of a `str`. If the written part cuts an old character,
    /// the rest of that character becomes U+0000.
    pub fn decode_to_str(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.replacing(src, &mut Front::of(dst), last)
    }

    /// [`decode_to_utf8`](Self::decode_to_utf8) into the capacity that a `String` has left, without growing it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_to_string(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (CoderResult, usize, bool) {
        let (result, read, _, had_errors) = self.replacing(src, &mut Front::of(dst), last);
        (result, read, had_errors)
    }

    /// Decodes to UTF-8 and stops after a malformed sequence. Returns the result, bytes read, and bytes written.
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        let mut sink = Front::of(dst);
        let (result, read) = self.fatal(src, &mut sink, last);
        (result, read, sink.written())
    }

    /// [`decode_to_str`](Self::decode_to_str) that stops after a malformed sequence.
    pub fn decode_to_str_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        let mut sink = Front::of(dst);
        let (result, read) = self.fatal(src, &mut sink, last);
        (result, read, sink.written())
    }

    /// [`decode_to_string`](Self::decode_to_string) that stops after a malformed sequence.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (DecoderResult, usize) {
        self.fatal(src, &mut Front::of(dst), last)
    }

    /// Decodes to UTF-16; malformed sequences become U+FFFD. Returns the result, bytes read, code units written, and
    /// true if a sequence was malformed.
    #[inline]
    pub fn decode_to_utf16(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.replacing(src, &mut Front::of(dst), last)
    }

    /// Decodes to UTF-16 and stops after a malformed sequence. Returns the result, bytes read, and code units written.
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        let mut sink = Front::of(dst);
        let (result, read) = self.fatal(src, &mut sink, last);
        (result, read, sink.written())
    }

    /// Returns the length of the longest prefix of `bytes` in which each byte decodes to the code point of the same number.
    /// `None` if the decoder is inside a sequence or cannot tell.
    pub fn latin1_byte_compatible_up_to(&self, bytes: &[u8]) -> Option<usize> {
        match self.stage {
            Stage::Finished => panic!("{FINISHED}"),
            Stage::Converting if self.owed.is_none() => {}
            _ => return None,
        }
        match self.encoding.family {
            Family::Replacement | Family::Utf16 => None,
            Family::SingleByte => Some(self.latin1_prefix_len(bytes)),
            family if max_length::pending(family, &self.engine) > 0 => None,
            // Test for the ASCII state: in every other state, two bytes can decode to more than two bytes of UTF-8.
            Family::Iso2022Jp => (self.engine.max_utf8_length_fatal(2) == Some(2))
                .then(|| mojika::mem::iso_2022_jp_ascii_prefix_len(bytes)),
            _ => Some(mojika::mem::ascii_prefix_len(bytes)),
        }
    }

    /// Returns the length of the prefix that decodes to code points of the same number, in a single-byte encoding.
    fn latin1_prefix_len(&self, bytes: &[u8]) -> usize {
        let mut units = [0; 256];
        let mut read = mojika::mem::ascii_prefix_len(bytes);
        loop {
            let part = &bytes[read..bytes.len().min(read + units.len())];
            let mut decoder = mojika::Decoder::new(self.encoding.engine, mojika::BomHandling::Keep);
            let written = decoder.decode_fatal(part, &mut units, true).written;
            let same = part
                .iter()
                .zip(&units[..written])
                .take_while(|&(&byte, &unit)| u16::from(byte) == unit)
                .count();
            read += same;
            if same < units.len() {
                return read;
            }
        }
    }

    /// Decodes with replacement to any output. Returns the result, bytes read, units written, and true if a sequence
    /// was malformed.
    #[inline]
    fn replacing<S: Sink>(
        &mut self,
        src: &[u8],
        sink: &mut S,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        if let (Stage::Start(expected), Some(&first)) = (self.stage, src.first())
            && Mark::is_absent(expected, first)
        {
            self.stage = Stage::Converting;
        }
        if matches!(self.stage, Stage::Converting)
            && self.owed.is_none()
            && Self::is_enough(&self.engine, src.len(), sink)
        {
            // The output cannot become full, so encoding_rs' rules for full output do not apply. The engine's
            // replacement is faster than the steps below.
            let progress = sink.decode_replacing(&mut self.engine, src, last);
            if last {
                self.stage = Stage::Finished;
            }
            let result = CoderResult::InputEmpty;
            return (result, progress.read, sink.written(), progress.had_errors);
        }
        self.replacing_in_steps(src, sink, last)
    }

    /// True if `n` further bytes cannot fill the output.
    #[inline]
    fn is_enough<S: Sink>(engine: &mojika::Decoder, n: usize, sink: &S) -> bool {
        // Each byte becomes at most one U+FFFD, and at most three bytes read earlier are not decoded yet.
        let most = n.saturating_add(4).saturating_mul(S::REPLACEMENT);
        most <= sink.room() || S::most(engine, n).is_some_and(|most| most.max(4) <= sink.room())
    }

    /// [`replacing`](Self::replacing) for an output that may become full, or a pending byte order mark.
    #[inline(never)]
    fn replacing_in_steps<S: Sink>(
        &mut self,
        src: &[u8],
        sink: &mut S,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let mut total_read = 0;
        let mut had_errors = false;
        let result = loop {
            let (result, read) = self.fatal(&src[total_read..], sink, last);
            total_read += read;
            match result {
                DecoderResult::InputEmpty => break CoderResult::InputEmpty,
                DecoderResult::OutputFull => break CoderResult::OutputFull,
                DecoderResult::Malformed(..) => {
                    // `fatal` returns a malformed sequence only if U+FFFD fits.
                    sink.push_replacement();
                    had_errors = true;
                }
            }
        };
        (result, total_read, sink.written(), had_errors)
    }

    /// Decodes up to a malformed sequence, to any output. Returns the result and bytes read.
    fn fatal<S: Sink>(&mut self, src: &[u8], sink: &mut S, last: bool) -> (DecoderResult, usize) {
        if let Some((len, after)) = self.owed {
            if sink.room() < S::REPLACEMENT {
                return (DecoderResult::OutputFull, 0);
            }
            self.owed = None;
            return (DecoderResult::Malformed(len, after), 0);
        }
        let mut read = 0;
        loop {
            match self.stage {
                Stage::Converting => {
                    let (result, more) = self.convert(&src[read..], sink, last);
                    if last && result == DecoderResult::InputEmpty {
                        self.stage = Stage::Finished;
                    }
                    return (result, read + more);
                }
                Stage::Start(expected) => {
                    // As in encoding_rs, a call without input does not end the stream.
                    let Some(&first) = src.first() else {
                        return (DecoderResult::InputEmpty, 0);
                    };
                    self.stage = match Mark::starting_with(first) {
                        Some(mark) if !Mark::is_absent(expected, first) => {
                            read = 1;
                            Stage::Matching { mark, seen: 1 }
                        }
                        _ => Stage::Converting,
                    };
                }
                Stage::Matching { mark, seen } => match src.get(read) {
                    None if !last => return (DecoderResult::InputEmpty, read),
                    Some(&byte) if byte == mark.bytes()[usize::from(seen)] => {
                        read += 1;
                        self.stage = if usize::from(seen) + 1 == mark.bytes().len() {
                            self.encoding = mark.encoding();
                            self.engine = mojika::Decoder::new(
                                self.encoding.engine,
                                mojika::BomHandling::Keep,
                            );
                            Stage::Converting
                        } else {
                            Stage::Matching {
                                mark,
                                seen: seen + 1,
                            }
                        };
                    }
                    _ => {
                        // These bytes are not a mark: decode those of earlier chunks first, then those of this chunk.
                        let earlier = seen - read as u8;
                        read = 0;
                        self.stage = Stage::held(mark, 0, earlier);
                    }
                },
                Stage::Held { mark, from, to } => {
                    let (result, more) =
                        self.convert(&mark.bytes()[from.into()..to.into()], sink, false);
                    self.stage = Stage::held(mark, from + more as u8, to);
                    if result != DecoderResult::InputEmpty {
                        return (result, 0);
                    }
                }
                Stage::Finished => panic!("{FINISHED}"),
            }
        }
    }

    /// Calls the engine once.
    #[inline]
    fn convert<S: Sink>(&mut self, src: &[u8], sink: &mut S, last: bool) -> (DecoderResult, usize) {
        let progress = sink.decode(&mut self.engine, src, last);
        let mut read = progress.read;
        let result = match progress.status {
            Status::InputEmpty => DecoderResult::InputEmpty,
            Status::OutputFull | Status::Unmappable(_) => {
                read -= self.unread(read);
                DecoderResult::OutputFull
            }
            Status::Malformed(sequence) => {
                let mut after = sequence.after;
                if self.encoding.family == Family::Utf16 && after == 2 && read >= 4 {
                    // The engine has read a lone lead surrogate and the code unit after it. encoding_rs reads that code
                    // unit only if part of the surrogate was in an earlier chunk. So unread it: after the surrogate,
                    // the engine is in its initial state.
                    self.engine =
                        mojika::Decoder::new(self.encoding.engine, mojika::BomHandling::Keep);
                    after = 0;
                    read -= 2;
                }
                if sink.room() < S::REPLACEMENT {
                    self.owed = Some((sequence.len, after));
                    return (DecoderResult::OutputFull, read);
                }
                DecoderResult::Malformed(sequence.len, after)
            }
        };
        (result, read)
    }

    /// Unreads the bytes of a partly read character when the output is full, and returns their number. encoding_rs
    /// checks the space before it reads them, and dependants compare the number of bytes read.
    #[cold]
    fn unread(&mut self, read: usize) -> usize {
        let pending = max_length::pending(self.encoding.family, &self.engine);
        if self.encoding.family == Family::Iso2022Jp || pending == 0 || pending > read {
            return 0;
        }
        self.engine = mojika::Decoder::new(self.encoding.engine, mojika::BomHandling::Keep);
        pending
    }
}

impl Stage {
    fn held(mark: Mark, from: u8, to: u8) -> Self {
        if from < to {
            Stage::Held { mark, from, to }
        } else {
            Stage::Converting
        }
    }
}

const FINISHED: &str = "Must not use a decoder that has finished.";

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("encoding", self.encoding)
            .field("life_cycle", &self.stage)
            .finish_non_exhaustive()
    }
}
