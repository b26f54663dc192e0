//! Output of decoders: slices of bytes or code units, `str`, and a `String`'s spare capacity.

#[cfg(feature = "alloc")]
use alloc::string::String;
use mojika::Progress;

/// An output for decoded text, filled from the front.
pub(crate) trait Sink {
    /// The number of units that U+FFFD takes.
    const REPLACEMENT: usize;

    /// Returns the number of units written.
    fn written(&self) -> usize;

    /// Returns the number of units that still fit.
    fn room(&self) -> usize;

    /// Decodes after the written part, until a malformed sequence.
    fn decode(&mut self, engine: &mut mojika::Decoder, src: &[u8], last: bool) -> Progress;

    /// Decodes after the written part, with replacement; `room` is at least [`most`](Self::most).
    fn decode_replacing(
        &mut self,
        engine: &mut mojika::Decoder,
        src: &[u8],
        last: bool,
    ) -> Progress;

    /// Returns the maximum number of units for `n` bytes, with replacement.
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize>;

    /// Writes U+FFFD; `room` is at least [`REPLACEMENT`](Self::REPLACEMENT).
    fn push_replacement(&mut self);
}

/// The unwritten end and the written start of a slice or a `str`.
pub(crate) struct Front<'a, T: ?Sized> {
    dst: &'a mut T,
    written: usize,
}

impl<'a, T: ?Sized> Front<'a, T> {
    #[inline]
    pub fn of(dst: &'a mut T) -> Self {
        Self { dst, written: 0 }
    }
}

const FFFD: &[u8; 3] = b"\xEF\xBF\xBD";

impl Sink for Front<'_, [u8]> {
    const REPLACEMENT: usize = 3;

    #[inline]
    fn written(&self) -> usize {
        self.written
    }

    #[inline]
    fn room(&self) -> usize {
        self.dst.len() - self.written
    }

    #[inline]
    fn decode(&mut self, engine: &mut mojika::Decoder, src: &[u8], last: bool) -> Progress {
        let progress = engine.decode_fatal(src, &mut self.dst[self.written..], last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn decode_replacing(
        &mut self,
        engine: &mut mojika::Decoder,
        src: &[u8],
        last: bool,
    ) -> Progress {
        let progress = engine.decode(src, &mut self.dst[self.written..], last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize> {
        engine.max_utf8_length(n)
    }

    #[inline]
    fn push_replacement(&mut self) {
        self.dst[self.written..][..3].copy_from_slice(FFFD);
        self.written += 3;
    }
}

impl Sink for Front<'_, [u16]> {
    const REPLACEMENT: usize = 1;

    #[inline]
    fn written(&self) -> usize {
        self.written
    }

    #[inline]
    fn room(&self) -> usize {
        self.dst.len() - self.written
    }

    #[inline]
    fn decode(&mut self, engine: &mut mojika::Decoder, src: &[u8], last: bool) -> Progress {
        let progress = engine.decode_fatal(src, &mut self.dst[self.written..], last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn decode_replacing(
        &mut self,
        engine: &mut mojika::Decoder,
        src: &[u8],
        last: bool,
    ) -> Progress {
        let progress = engine.decode(src, &mut self.dst[self.written..], last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize> {
        engine.max_utf16_length(n)
    }

    #[inline]
    fn push_replacement(&mut self) {
        self.dst[self.written] = 0xFFFD;
        self.written += 1;
    }
}

impl Sink for Front<'_, str> {
    const REPLACEMENT: usize = 3;

    fn written(&self) -> usize {
        self.written
    }

    fn room(&self) -> usize {
        self.dst.len() - self.written
    }

    fn decode(&mut self, engine: &mut mojika::Decoder, src: &[u8], last: bool) -> Progress {
        let progress = engine.decode_fatal(src, &mut self.dst[self.written..], last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn decode_replacing(
        &mut self,
        engine: &mut mojika::Decoder,
        src: &[u8],
        last: bool,
    ) -> Progress {
        let progress = engine.decode(src, &mut self.dst[self.written..], last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize> {
        engine.max_utf8_length(n)
    }

    fn push_replacement(&mut self) {
        // Only a decoder of UTF-8 can write to a `str` without unsafe code.
        let mut utf_8 = mojika::Decoder::new(mojika::UTF_8, mojika::BomHandling::Keep);
        let progress = utf_8.decode(FFFD, &mut self.dst[self.written..], true);
        self.written += progress.written;
    }
}

/// The spare capacity of a `String`.
#[cfg(feature = "alloc")]
impl Sink for Front<'_, String> {
    const REPLACEMENT: usize = 3;

    #[inline]
    fn written(&self) -> usize {
        self.written
    }

    #[inline]
    fn room(&self) -> usize {
        self.dst.capacity() - self.dst.len()
    }

    #[inline]
    fn decode(&mut self, engine: &mut mojika::Decoder, src: &[u8], last: bool) -> Progress {
        let progress = mojika::mem::decode_to_capacity_fatal(engine, src, self.dst, last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn decode_replacing(
        &mut self,
        engine: &mut mojika::Decoder,
        src: &[u8],
        last: bool,
    ) -> Progress {
        // The engine reserves at most `most` bytes, or four, so the string does not grow.
        let progress = engine.decode_append(src, self.dst, last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize> {
        engine.max_utf8_length(n)
    }

    #[inline]
    fn push_replacement(&mut self) {
        self.dst.push('\u{FFFD}');
        self.written += 3;
    }
}
