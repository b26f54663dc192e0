//! Encoding to the end of a growing vector.

use super::source::Text;
use super::{EncodeSource, Encoder, Form};
use crate::progress::{ErrorMode, Progress, Status};
use crate::simd;
use alloc::vec::Vec;

impl Encoder {
    /// Encodes to the end of a growing vector, and stops after an unmappable scalar value.
    ///
    /// ```
    /// let mut bytes = Vec::from(*b"> ");
    /// mojika::GBK.new_encoder()?.encode_append("文字", &mut bytes, true);
    /// assert_eq!(bytes, b"> \xCE\xC4\xD7\xD6");
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    #[inline(always)]
    pub fn encode_append<S: EncodeSource + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Progress {
        self.run_append(ErrorMode::Fatal, src, dst, last)
    }

    /// Encodes all of `src` to the end of a growing vector; unmappable scalar values become numeric character
    /// references.
    #[inline(always)]
    pub fn encode_html_append<S: EncodeSource + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Progress {
        self.run_append(ErrorMode::Html, src, dst, last)
    }

    #[inline(always)]
    fn run_append<S: EncodeSource + ?Sized>(
        &mut self,
        mode: ErrorMode,
        src: &S,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Progress {
        match src.text() {
            Text::Utf8(src) => self.utf8_to_vec(mode, src, dst, last),
            Text::Utf16(src) => self.utf16_to_vec(mode, src, dst, last),
        }
    }

    fn utf8_to_vec(
        &mut self,
        mode: ErrorMode,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Progress {
        self.run_growing(mode, src, dst, last)
    }

    fn utf16_to_vec(
        &mut self,
        mode: ErrorMode,
        src: &[u16],
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Progress {
        self.run_growing(mode, src, dst, last)
    }

    /// Encodes all of `src` to the end of `dst`, growing it until the output fits.
    #[inline(always)]
    fn run_growing<S: Form + ?Sized>(
        &mut self,
        mode: ErrorMode,
        src: &S,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Progress {
        dst.reserve(src.len());
        // The first result starts the total: adding it to an empty one would defeat store forwarding.
        let mut total = simd::append(dst, |out| src.run(self, mode, out, last));
        while total.status == Status::OutputFull {
            // Room for any single step; `reserve` grows the capacity geometrically.
            dst.reserve((src.len() - total.read).max(64));
            let rest = src.tail(total.read);
            total.add(simd::append(dst, |out| rest.run(self, mode, out, last)));
        }
        total
    }
}
