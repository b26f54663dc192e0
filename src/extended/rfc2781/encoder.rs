//! The streaming encoder: UTF-16 after the signature that section 3.3 requires.

use super::{ByteOrder, Charset};
use crate::{EncodeSource, Encoding, NoEncoder, Progress, Status};

/// A streaming encoder to a charset of RFC 2781.
///
/// "UTF-16" gets a signature before the first character, also if the text is empty; "UTF-16BE" and "UTF-16LE" get none
/// (section 3.3). U+FEFF in the text is encoded like any other character.
#[derive(Clone)]
pub struct CharsetEncoder {
    order: ByteOrder,
    encoder: crate::Encoder,
    is_signed: bool,
    /// True if the signature has not been written yet.
    owes_signature: bool,
}

impl Charset {
    /// Creates a streaming encoder; big-endian for "UTF-16".
    ///
    /// # Errors
    ///
    /// Never fails: the return type is the same as that of [`Encoding::new_encoder`](crate::Encoding::new_encoder).
    pub fn new_encoder(self) -> Result<CharsetEncoder, NoEncoder> {
        match self {
            Charset::Utf16 => CharsetEncoder::new(ByteOrder::BigEndian, true),
            Charset::Utf16Be => CharsetEncoder::new(ByteOrder::BigEndian, false),
            Charset::Utf16Le => CharsetEncoder::new(ByteOrder::LittleEndian, false),
        }
    }
}

impl CharsetEncoder {
    /// Creates an encoder to "UTF-16" in little-endian order, with a signature. [`Charset::new_encoder`] is big-endian.
    ///
    /// # Errors
    ///
    /// Never fails, like `new_encoder`.
    ///
    /// ```
    /// use mojika::extended::rfc2781::CharsetEncoder;
    ///
    /// let mut encoder = CharsetEncoder::signed_little_endian()?;
    /// let mut bytes = [0; 8];
    /// let progress = encoder.encode("a", &mut bytes, true);
    /// assert_eq!(bytes[..progress.written], *b"\xFF\xFEa\0");
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    pub fn signed_little_endian() -> Result<CharsetEncoder, NoEncoder> {
        CharsetEncoder::new(ByteOrder::LittleEndian, true)
    }

    fn new(order: ByteOrder, is_signed: bool) -> Result<CharsetEncoder, NoEncoder> {
        Ok(CharsetEncoder {
            order,
            encoder: order.encoding().new_encoder()?,
            is_signed,
            owes_signature: is_signed,
        })
    }

    /// Returns UTF-16BE or UTF-16LE, by the byte order of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.order.encoding()
    }

    /// Encodes UTF-8 or UTF-16. Output buffers may have any size from 4 bytes on; every character is mappable.
    ///
    /// Once a call with `last` set has returned "input empty", the next call starts another stream.
    pub fn encode<S: EncodeSource + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut [u8],
        last: bool,
    ) -> Progress {
        let mut signature_len = 0;
        if self.owes_signature {
            let Some(front) = dst.first_chunk_mut() else {
                return Progress::new(0, 0, false);
            };
            *front = self.order.octets(0xFEFF);
            self.owes_signature = false;
            signature_len = front.len();
        }
        let progress = self.encoder.encode(src, &mut dst[signature_len..], last);
        if last && progress.status == Status::InputEmpty {
            self.owes_signature = self.is_signed;
        }
        Progress {
            written: signature_len + progress.written,
            ..progress
        }
    }
}

impl core::fmt::Debug for CharsetEncoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CharsetEncoder")
            .field("order", &self.order)
            .field("encoder", &self.encoder)
            .finish_non_exhaustive()
    }
}
