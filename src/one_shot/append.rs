//! One-shot calls that append to an existing `String` or vector, from and to UTF-8 or UTF-16.

use super::{Decoded, Encoded, Options};
use crate::{
    AppendTarget, DecodeError, Decoder, EncodeError, EncodeSource, Encoding, NoEncoder, Status,
};
use alloc::vec::Vec;
use core::ops::Range;

impl Options {
    /// Decodes whole input to the end of a `String` or a `Vec<u16>`; malformed sequences become U+FFFD.
    ///
    /// ```
    /// use mojika::{BomHandling, KOI8_R};
    ///
    /// let koi8_r = KOI8_R.with(BomHandling::Sniff);
    /// let mut text = String::from("> ");
    /// let decoded = koi8_r.decode_append(b"\xC4\xC1", &mut text);
    /// assert_eq!((&*text, &text[decoded.text]), ("> да", "да"));
    ///
    /// let mut units = Vec::new();
    /// koi8_r.decode_append(b"\xC4\xC1", &mut units);
    /// assert_eq!(units, [0x0434, 0x0430]);
    /// ```
    pub fn decode_append<T: AppendTarget>(
        self,
        bytes: &[u8],
        dst: &mut T,
    ) -> Decoded<Range<usize>> {
        let (encoding, bom_length) = self.find(bytes);
        let start = dst.text().len();
        let mut decoder = Decoder::starting_at(encoding, bom_length);
        let progress = decoder.decode_append(&bytes[bom_length..], dst, true);
        Decoded {
            text: start..start + progress.written,
            encoding,
            had_errors: progress.had_errors,
            bom_length,
        }
    }

    /// [`decode_append`](Self::decode_append) in error mode "fatal".
    ///
    /// # Errors
    ///
    /// [`DecodeError`] with offset and length of the first malformed sequence. The text before it has been appended.
    ///
    /// ```
    /// use mojika::{BomHandling, GBK};
    ///
    /// let mut text = String::new();
    /// let error = GBK.with(BomHandling::Sniff).decode_append_fatal(b"\xCE\xC4\xFF", &mut text).unwrap_err();
    /// assert_eq!((&*text, error.sequence.offset, error.sequence.len), ("文", 2, 1));
    /// ```
    pub fn decode_append_fatal<T: AppendTarget>(
        self,
        bytes: &[u8],
        dst: &mut T,
    ) -> Result<Decoded<Range<usize>>, DecodeError> {
        let (encoding, bom_length) = self.find(bytes);
        let start = dst.text().len();
        let mut decoder = Decoder::starting_at(encoding, bom_length);
        let progress = decoder.decode_append_fatal(&bytes[bom_length..], dst, true);
        if let Status::Malformed(sequence) = progress.status {
            return Err(DecodeError { encoding, sequence });
        }
        Ok(Decoded {
            text: start..start + progress.written,
            encoding,
            had_errors: false,
            bom_length,
        })
    }
}

impl Encoding {
    /// Encodes whole text, UTF-8 or UTF-16, to the end of a vector in error mode "fatal".
    ///
    /// Lone surrogates of UTF-16 count as U+FFFD. Returns the range of `dst` that was written.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with the first unmappable scalar value, and its offset in code units of the text;
    /// the text before it has been appended. [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// use mojika::KOI8_R;
    ///
    /// let mut bytes = Vec::from(*b"> ");
    /// assert_eq!(KOI8_R.encode_append("да", &mut bytes)?, 2..4);
    /// KOI8_R.encode_append(&[0x0434, 0x0430], &mut bytes)?;
    /// assert_eq!(bytes, b"> \xC4\xC1\xC4\xC1");
    /// assert!(KOI8_R.encode_append(&[0xD83D], &mut bytes).is_err());
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode_append<S: EncodeSource + ?Sized>(
        &'static self,
        src: &S,
        dst: &mut Vec<u8>,
    ) -> Result<Range<usize>, EncodeError> {
        let start = dst.len();
        let progress = self.new_encoder()?.encode_append(src, dst, true);
        match progress.status {
            Status::Unmappable(unmappable) => Err(EncodeError::Unmappable {
                encoding: self,
                unmappable,
            }),
            _ => Ok(start..dst.len()),
        }
    }

    /// [`encode_append`](Self::encode_append) in error mode "html".
    ///
    /// An unmappable scalar value becomes a numeric character reference, as in [`encode_html`](Self::encode_html).
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let encoded = mojika::KOI8_R.encode_html_append(&[0x0434, 0x2192], &mut bytes)?;
    /// assert_eq!((&*bytes, encoded.had_errors), (&b"\xC4&#8594;"[..], true));
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    pub fn encode_html_append<S: EncodeSource + ?Sized>(
        &'static self,
        src: &S,
        dst: &mut Vec<u8>,
    ) -> Result<Encoded<Range<usize>>, NoEncoder> {
        let start = dst.len();
        let progress = self.new_encoder()?.encode_html_append(src, dst, true);
        Ok(Encoded {
            bytes: start..dst.len(),
            had_errors: progress.had_errors,
        })
    }
}
