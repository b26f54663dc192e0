//! One-shot calls to and from UTF-16.

use super::Encoded;
use crate::bom::{self, BomHandling};
use crate::{
    DecodeError, Decoder, EncodeError, EncodeStatus, Encoding, FatalDecodeStatus, NoEncoder,
};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// UTF-16 that [`Encoding::decode_to_utf16`] or [`Encoding::decode_to_utf16_fatal`] made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodedUtf16 {
    /// The text as UTF-16 code units.
    pub units: Vec<u16>,
    /// The encoding that was decoded: the one asked for, or the one that a byte order mark named.
    pub encoding: &'static Encoding,
    /// Whether malformed sequences were replaced with U+FFFD.
    pub had_errors: bool,
    /// Length in bytes of the byte order mark that was removed from the input; 0 if none.
    pub bom_length: usize,
}

impl Encoding {
    /// Decodes whole input to UTF-16; malformed sequences become U+FFFD.
    ///
    /// ```
    /// use mojika::BomHandling;
    ///
    /// let decoded = mojika::KOI8_R.decode_to_utf16(b"\xC4\xC1", BomHandling::Sniff);
    /// assert_eq!(decoded.units, [0x0434, 0x0430]);
    /// ```
    pub fn decode_to_utf16(&'static self, bytes: &[u8], bom: BomHandling) -> DecodedUtf16 {
        let (encoding, bom_length) = bom::find(bom, self, bytes).unwrap_or((self, 0));
        let mut units = Vec::new();
        let mut decoder = Decoder::new(encoding, BomHandling::Keep);
        let progress = decoder.decode_append(&bytes[bom_length..], &mut units, true);
        DecodedUtf16 {
            units,
            encoding,
            had_errors: progress.had_errors,
            bom_length,
        }
    }

    /// Decodes whole input to UTF-16 in error mode "fatal".
    ///
    /// # Errors
    ///
    /// [`DecodeError`] with offset and length of the first malformed sequence.
    ///
    /// ```
    /// use mojika::BomHandling;
    ///
    /// let error = mojika::GBK.decode_to_utf16_fatal(b"\xCE\xC4\xFF", BomHandling::Sniff).unwrap_err();
    /// assert_eq!((error.sequence.offset, error.sequence.len), (2, 1));
    /// ```
    pub fn decode_to_utf16_fatal(
        &'static self,
        bytes: &[u8],
        bom: BomHandling,
    ) -> Result<DecodedUtf16, DecodeError> {
        let (encoding, bom_length) = bom::find(bom, self, bytes).unwrap_or((self, 0));
        let mut units = Vec::new();
        let mut decoder = Decoder::starting_at(encoding, bom_length);
        let progress = decoder.decode_append_fatal(&bytes[bom_length..], &mut units, true);
        if let FatalDecodeStatus::Malformed(sequence) = progress.status {
            return Err(DecodeError { encoding, sequence });
        }
        Ok(DecodedUtf16 {
            units,
            encoding,
            had_errors: false,
            bom_length,
        })
    }

    /// Encodes whole UTF-16 in error mode "fatal"; lone surrogates count as U+FFFD.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with the first scalar value that the encoding has no bytes for, and its offset in code
    /// units; [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// assert_eq!(mojika::KOI8_R.encode_utf16(&[0x0434, 0x0430])?, b"\xC4\xC1");
    /// assert!(mojika::KOI8_R.encode_utf16(&[0xD83D]).is_err());
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode_utf16(&'static self, units: &[u16]) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::new();
        let progress = self.new_encoder()?.encode_append(units, &mut bytes, true);
        match progress.status {
            EncodeStatus::Unmappable(unmappable) => Err(EncodeError::Unmappable {
                encoding: self,
                unmappable,
            }),
            _ => Ok(bytes),
        }
    }

    /// Encodes whole UTF-16 in error mode "html"; lone surrogates count as U+FFFD.
    ///
    /// An unmappable scalar value becomes a numeric character reference, as in [`encode_html`](Self::encode_html).
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    ///
    /// ```
    /// let encoded = mojika::KOI8_R.encode_utf16_html(&[0x0434, 0x2192])?;
    /// assert_eq!((&*encoded.bytes, encoded.had_unmappables), (&b"\xC4&#8594;"[..], true));
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    pub fn encode_utf16_html(&'static self, units: &[u16]) -> Result<Encoded<'static>, NoEncoder> {
        let mut bytes = Vec::new();
        let mut encoder = self.new_encoder()?;
        let progress = encoder.encode_html_append(units, &mut bytes, true);
        Ok(Encoded {
            bytes: Cow::Owned(bytes),
            had_unmappables: progress.had_unmappables,
        })
    }
}
