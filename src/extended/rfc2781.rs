//! RFC 2781: the charsets "UTF-16", "UTF-16BE" and "UTF-16LE" of mail and other Internet protocols.
//!
//! The Encoding Standard reads the label "utf-16" as UTF-16LE and lets a byte order mark override any encoding. The
//! RFC's rules differ, and are implemented here, apart from the Web's labels:
//!
//! * In [`Charset::Utf16`] the first two octets decide: FE FF means big-endian, FF FE little-endian, anything else
//!   big-endian (section 4.3). They are a signature and not text; a second U+FEFF is text.
//! * In [`Charset::Utf16Be`] and [`Charset::Utf16Le`] a leading U+FEFF is text. The octets of a signature in the other
//!   order are an error, because there is no character 0xFFFE (sections 4.1 and 4.2).
//! * [`CharsetError`] reports the step of section 2.2 that failed, the code unit W1 and its offset.
//! * Encoders write a signature for "UTF-16" and none for the others (section 3.3).
//! * [`Charset::concat`] strips the signatures of the strings that it joins (section 3.2).
//!
//! The RFC leaves error recovery open. As in the Standard, a malformed sequence becomes one U+FFFD, and a code unit
//! after an unpaired high surrogate is read again.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use mojika::extended::rfc2781::Charset;
//!
//! assert_eq!(Charset::Utf16.decode(b"\0a").text, "a");
//! assert_eq!(Charset::Utf16.decode(b"\xFF\xFEa\0").text, "a");
//! assert_eq!(Charset::Utf16Le.decode(b"\xFF\xFEa\0").text, "\u{FEFF}a");
//! let error = Charset::Utf16.decode_fatal(b"\0a\xD8\x08\0b").unwrap_err();
//! assert_eq!((error.w1, error.offset), (Some(0xD808), 2));
//! # }
//! ```

mod decoder;
mod encoder;
#[cfg(feature = "alloc")]
mod one_shot;

pub use decoder::CharsetDecoder;
pub use encoder::CharsetEncoder;
#[cfg(feature = "alloc")]
pub use one_shot::ConcatError;

use crate::encodings::{UTF_16BE, UTF_16LE};
use core::fmt;

/// A charset that RFC 2781 registers (appendix A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// "UTF-16": a signature decides the byte order; without one it is big-endian.
    Utf16,
    /// "UTF-16BE": big-endian, without a signature.
    Utf16Be,
    /// "UTF-16LE": little-endian, without a signature.
    Utf16Le,
}

impl Charset {
    /// Returns the charset called `name`, or of the alias that IANA registers for it ("csUTF16"), ignoring ASCII case.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// assert_eq!(Charset::for_name("utf-16"), Some(Charset::Utf16));
    /// assert_eq!(Charset::for_name("csUTF16BE"), Some(Charset::Utf16Be));
    /// assert_eq!(Charset::for_name("utf-8"), None);
    /// ```
    pub fn for_name(name: impl AsRef<[u8]>) -> Option<Charset> {
        let charsets = [
            (Charset::Utf16, "csUTF16"),
            (Charset::Utf16Be, "csUTF16BE"),
            (Charset::Utf16Le, "csUTF16LE"),
        ];
        let is_named = |known: &str| name.as_ref().eq_ignore_ascii_case(known.as_bytes());
        let found = charsets
            .into_iter()
            .find(|(charset, alias)| is_named(charset.name()) || is_named(alias));
        found.map(|(charset, _)| charset)
    }

    /// Returns the name that the RFC registers.
    pub fn name(self) -> &'static str {
        match self {
            Charset::Utf16 => "UTF-16",
            Charset::Utf16Be => "UTF-16BE",
            Charset::Utf16Le => "UTF-16LE",
        }
    }
}

impl Charset {
    /// True if `bytes` start with the signature of the byte order opposite to this charset's, which is an error.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// assert!(Charset::Utf16Be.has_reversed_signature(b"\xFF\xFEa\0"));
    /// assert!(!Charset::Utf16.has_reversed_signature(b"\xFF\xFEa\0"));
    /// ```
    pub fn has_reversed_signature(self, bytes: &[u8]) -> bool {
        self.opening(bytes.first_chunk().copied()).reversed
    }
}

/// The interpretation of the first two octets.
#[derive(Clone, Copy, Debug)]
struct Opening {
    order: ByteOrder,
    /// Length in bytes of the signature: 0 or 2.
    signature_len: u8,
    /// True if the text starts with the signature of the opposite byte order, which is an error.
    reversed: bool,
}

impl Charset {
    /// Interprets the first two octets (section 4). `head` is `None` for text shorter than two octets.
    fn opening(self, head: Option<[u8; 2]>) -> Opening {
        let (order, signature_len) = match (self, head) {
            // Section 4.1.
            (Charset::Utf16Be, _) => (ByteOrder::BigEndian, 0),
            // Section 4.2.
            (Charset::Utf16Le, _) => (ByteOrder::LittleEndian, 0),
            // Section 4.3.
            (Charset::Utf16, Some([0xFE, 0xFF])) => (ByteOrder::BigEndian, 2),
            (Charset::Utf16, Some([0xFF, 0xFE])) => (ByteOrder::LittleEndian, 2),
            (Charset::Utf16, _) => (ByteOrder::BigEndian, 0),
        };
        Opening {
            order,
            signature_len,
            reversed: signature_len == 0
                && head == Some(order.octets(0xFFFE))
                && self != Charset::Utf16,
        }
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The order of the two octets of a code unit (section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrder {
    /// The high-order octet first.
    BigEndian,
    /// The low-order octet first.
    LittleEndian,
}

impl ByteOrder {
    /// Returns the encoding that reads and writes the order.
    fn encoding(self) -> &'static crate::Encoding {
        match self {
            ByteOrder::BigEndian => UTF_16BE,
            ByteOrder::LittleEndian => UTF_16LE,
        }
    }

    fn octets(self, unit: u16) -> [u8; 2] {
        match self {
            ByteOrder::BigEndian => unit.to_be_bytes(),
            ByteOrder::LittleEndian => unit.to_le_bytes(),
        }
    }

    fn unit(self, octets: [u8; 2]) -> u16 {
        match self {
            ByteOrder::BigEndian => u16::from_be_bytes(octets),
            ByteOrder::LittleEndian => u16::from_le_bytes(octets),
        }
    }
}

/// The reason why no character can be obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Section 2.2, step 2: W1 is a low surrogate.
    NotHighSurrogate,
    /// Section 2.2, step 3: W1 is a high surrogate, and no low surrogate follows.
    NoLowSurrogate,
    /// Sections 4.1 and 4.2: text labelled with its byte order starts with the signature of the other order. In the
    /// labelled order this is 0xFFFE, which is not a character.
    ReversedSignature,
    /// The stream ends with a single octet.
    OddOctet,
}

/// A sequence from which no character can be obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CharsetError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The code unit that the RFC calls W1, as a diagnostic; `None` for [`ErrorKind::OddOctet`].
    pub w1: Option<u16>,
    /// Offset of W1, or of the odd octet, in bytes from the start of the stream, including a signature.
    pub offset: u64,
    /// Length of the sequence in bytes. It is 3 if the stream ends with an odd octet after a high surrogate.
    pub len: u8,
}

impl CharsetError {
    /// Returns the error for the first `len` of `octets` at `offset`, by the steps of section 2.2 that can fail.
    fn of(opening: Opening, octets: &[u8], offset: u64, len: u8) -> CharsetError {
        let w1 = octets
            .first_chunk()
            .filter(|_| len > 1)
            .map(|&octets| opening.order.unit(octets));
        let kind = match w1 {
            None => ErrorKind::OddOctet,
            Some(_) if opening.reversed && offset == 0 => ErrorKind::ReversedSignature,
            // Step 2.
            Some(0xDC00..=0xDFFF) => ErrorKind::NotHighSurrogate,
            // Step 3.
            Some(_) => ErrorKind::NoLowSurrogate,
        };
        CharsetError {
            kind,
            w1,
            offset,
            len,
        }
    }
}

impl fmt::Display for CharsetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(w1) = self.w1 {
            write!(f, "0x{w1:04X} ")?;
        }
        let what = match self.kind {
            ErrorKind::NotHighSurrogate => "is a low surrogate without a high one before it",
            ErrorKind::NoLowSurrogate => "is a high surrogate without a low one after it",
            ErrorKind::ReversedSignature => {
                "is no character but a byte order mark in the other byte order"
            }
            ErrorKind::OddOctet => "half a code unit",
        };
        write!(f, "{what}, at byte offset {}", self.offset)
    }
}

impl core::error::Error for CharsetError {}
