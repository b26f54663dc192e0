//! An encoding, as the engine's and as the oracle's.

use mojika_spec::{EncodeItem, Encoding as Spec, encode_fragments};
use std::ops::RangeInclusive;

/// An encoding of the Standard or of `mojika::extended`: the engine's and the oracle's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The oracle's encoding.
    pub spec: Spec,
    /// The engine's encoding.
    pub engine: &'static mojika::Encoding,
}

impl Subject {
    /// Returns all encodings: the Standard's in the order of its table, then those of `extended`.
    pub fn all() -> impl Iterator<Item = Subject> {
        let engines = || {
            let standard = mojika::Encoding::all().iter().copied();
            standard.chain(mojika::extended::all())
        };
        assert_eq!(
            Spec::all().count(),
            engines().count(),
            "the transliteration has every encoding"
        );
        Spec::all().zip(engines()).map(|(spec, engine)| {
            assert_eq!(spec.name(), engine.name(), "the same order");
            Subject { spec, engine }
        })
    }

    /// Returns the encoding of this name, in any ASCII case.
    pub fn named(name: &str) -> Option<Subject> {
        Subject::all().find(|subject| subject.name().eq_ignore_ascii_case(name))
    }

    /// Returns the Standard's name.
    pub fn name(self) -> &'static str {
        self.spec.name()
    }

    /// Returns the index of the encoding in [`all`](Self::all).
    pub fn number(self) -> usize {
        self.spec.number()
    }

    /// True if this is UTF-16BE or UTF-16LE.
    pub fn is_utf_16(self) -> bool {
        matches!(self.spec, Spec::Utf16Be | Spec::Utf16Le)
    }

    /// Returns the encoding if it is UTF-32, in any octet order.
    pub fn utf_32(self) -> Option<mojika_spec::Extended> {
        match self.spec {
            Spec::Extended(extended) if extended.is_utf_32() => Some(extended),
            _ => None,
        }
    }

    /// Returns the length of an ASCII character in bytes.
    pub fn ascii_length(self) -> usize {
        match self.spec {
            Spec::Utf16Be | Spec::Utf16Le => 2,
            _ if self.utf_32().is_some() => 4,
            Spec::Extended(spec) if spec.is_pure() => 2,
            _ => 1,
        }
    }

    /// True if each byte decodes to one character.
    pub fn is_single_byte(self) -> bool {
        self.engine.is_single_byte()
    }

    /// True if the engine has an encoder.
    pub fn encodes(self) -> bool {
        self.spec != Spec::Replacement
    }

    /// Returns the bytes of a UTF-16 code unit in this encoding's byte order.
    pub fn unit(self, unit: u16) -> [u8; 2] {
        if self.spec == Spec::Utf16Be {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    }

    /// Returns ASCII text as bytes of this encoding. Encodings without ASCII get full-width characters.
    pub fn ascii(self, ascii: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ascii.len() * self.ascii_length());
        for &byte in ascii {
            match self.spec {
                Spec::Utf16Be | Spec::Utf16Le => bytes.extend(self.unit(byte.into())),
                // A letter replaces signs and controls that have no full-width form.
                Spec::Extended(spec) if spec.is_pure() => {
                    let of = |byte: u8| self.encoded(spec.in_references(char::from(byte)));
                    let bytes_of = of(byte);
                    bytes.extend(if bytes_of.is_empty() {
                        of(b'x')
                    } else {
                        bytes_of
                    });
                }
                Spec::Extended(_) => bytes.extend(self.encoded(char::from(byte))),
                _ => bytes.push(byte),
            }
        }
        bytes
    }

    /// Returns the bytes to which the oracle encodes a character alone.
    pub fn encoded(self, c: char) -> Vec<u8> {
        let mut bytes = Vec::new();
        for item in encode_fragments(self.spec, &[c]) {
            if let EncodeItem::Bytes { bytes: more, .. } = item {
                bytes.extend(more);
            }
        }
        bytes
    }

    /// Returns the shift to pairs, and the range of their bytes. `None` for stateless and for the Standard's encodings.
    pub fn shift(self) -> Option<(&'static [u8], RangeInclusive<u8>)> {
        match (self.spec, self.engine.name()) {
            (Spec::Extended(spec), _) if spec.is_mixed() => Some((b"\x0E", 0x40..=0xFE)),
            (Spec::Extended(_), "HZ") => Some((b"~{", 0x21..=0x7D)),
            (Spec::Extended(_), "ISO-2022-JP-1" | "ISO-2022-JP-2") => {
                Some((b"\x1B$(D", 0x21..=0x7E))
            }
            (Spec::Extended(_), "ISO-2022-JP-3") => Some((b"\x1B$(P", 0x21..=0x7E)),
            (Spec::Extended(_), "ISO-2022-JP-2004") => Some((b"\x1B$(Q", 0x21..=0x7E)),
            (Spec::Extended(_), "ISO-2022-CN") => Some((b"\x1B$)G\x0E", 0x21..=0x7E)),
            (Spec::Extended(_), "ISO-2022-KR") => Some((b"\x0E", 0x21..=0x7E)),
            _ => None,
        }
    }

    /// Returns bytes that bring the decoder back to its neutral state, after `length` bytes from that state on.
    ///
    /// Only the replacement decoder cannot be brought back.
    pub fn reset(self, length: usize) -> Vec<u8> {
        match self.spec {
            // A letter follows, because another escape sequence directly after this one would be an error.
            Spec::Iso2022Jp => b"\n\x1B(Bx".to_vec(),
            // The shift to single bytes. In HZ, ISO-2022-KR and ISO-2022-CN, a line feed has its effect.
            Spec::Extended(spec) if spec.is_mixed() => [&[0x0F][..], &self.ascii(b"\n")].concat(),
            // Designates ASCII.
            Spec::Extended(_) if self.engine.name().starts_with("ISO-2022-JP-") => {
                b"\n\x1B(Bx".to_vec()
            }
            // The hyphen ends Base64; outside of Base64 it is a character.
            Spec::Extended(_) if self.engine.name().starts_with("UTF-7") => b"-".to_vec(),
            _ => {
                let incomplete = length % self.ascii_length();
                let mut reset = vec![0; (self.ascii_length() - incomplete) % self.ascii_length()];
                reset.extend(self.ascii(b"\n"));
                reset
            }
        }
    }
}
