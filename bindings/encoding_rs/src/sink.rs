//! Output of decoders: slices of bytes or code units, `str`, and a `String`'s spare capacity.

#[cfg(feature = "alloc")]
use alloc::string::String;
use mojika::{DecodeTarget, Progress};

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

/// Units of an output that does not grow.
pub(crate) trait Units: DecodeTarget {
    /// The number of units that U+FFFD takes.
    const REPLACEMENT: usize;

    fn len(&self) -> usize;

    /// Returns the units from `start` on.
    fn after(&mut self, start: usize) -> &mut Self;

    /// Returns the maximum number of units for `n` bytes, with replacement.
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize>;

    /// Writes U+FFFD to the start.
    fn write_replacement(&mut self);
}

const FFFD: &[u8; 3] = b"\xEF\xBF\xBD";

/// Implements all methods of [`Units`] but one.
macro_rules! units {
    ($type:ty, $replacement:literal, $most:ident, $write:expr) => {
        impl Units for $type {
            const REPLACEMENT: usize = $replacement;

            #[inline]
            fn len(&self) -> usize {
                self.len()
            }

            #[inline]
            fn after(&mut self, start: usize) -> &mut Self {
                &mut self[start..]
            }

            #[inline]
            fn most(engine: &mojika::Decoder, n: usize) -> Option<usize> {
                engine.$most(n)
            }

            #[inline]
            fn write_replacement(&mut self) {
                $write(self)
            }
        }
    };
}

units!([u8], 3, max_utf8_length, |dst: &mut [u8]| dst[..3]
    .copy_from_slice(FFFD));
units!([u16], 1, max_utf16_length, |dst: &mut [u16]| dst[0] =
    0xFFFD);
units!(str, 3, max_utf8_length, |dst: &mut str| {
    // Only a decoder of UTF-8 can write to a `str` without unsafe code.
    let mut utf_8 = mojika::Decoder::new(mojika::UTF_8, mojika::BomHandling::Keep);
    utf_8.decode(FFFD, dst, true);
});

impl<T: Units + ?Sized> Sink for Front<'_, T> {
    const REPLACEMENT: usize = T::REPLACEMENT;

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
        let progress = engine.decode_fatal(src, self.dst.after(self.written), last);
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
        let progress = engine.decode(src, self.dst.after(self.written), last);
        self.written += progress.written;
        progress
    }

    #[inline]
    fn most(engine: &mojika::Decoder, n: usize) -> Option<usize> {
        T::most(engine, n)
    }

    #[inline]
    fn push_replacement(&mut self) {
        self.dst.after(self.written).write_replacement();
        self.written += T::REPLACEMENT;
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
