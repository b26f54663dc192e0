//! An encoding on both sides: the engine's and the oracle's.

use mojika_spec::Encoding as Spec;

/// One of the 40 encodings, on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The oracle's encoding.
    pub spec: Spec,
    /// The engine's encoding.
    pub engine: &'static mojika::Encoding,
}

impl Subject {
    /// All encodings, in the order of the Standard's table.
    pub fn all() -> impl Iterator<Item = Subject> {
        Spec::ALL
            .into_iter()
            .zip(mojika::Encoding::all())
            .map(|(spec, &engine)| {
                assert_eq!(spec.name(), engine.name(), "the same order");
                Subject { spec, engine }
            })
    }

    /// The encoding of this name, in any ASCII case.
    pub fn named(name: &str) -> Option<Subject> {
        Subject::all().find(|subject| subject.name().eq_ignore_ascii_case(name))
    }

    /// The Standard's name.
    pub fn name(self) -> &'static str {
        self.spec.name()
    }

    /// The place in the Standard's table.
    pub fn number(self) -> usize {
        self.spec as usize
    }

    /// Whether this is UTF-16BE or UTF-16LE.
    pub fn is_utf_16(self) -> bool {
        matches!(self.spec, Spec::Utf16Be | Spec::Utf16Le)
    }

    /// Whether each byte is a character of its own.
    pub fn is_single_byte(self) -> bool {
        self.engine.is_single_byte()
    }

    /// Whether the engine has an encoder.
    pub fn encodes(self) -> bool {
        self.spec != Spec::Replacement
    }

    /// A UTF-16 code unit in this encoding's byte order.
    pub fn unit(self, unit: u16) -> [u8; 2] {
        if self.spec == Spec::Utf16Be {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    }

    /// ASCII text as bytes of this encoding.
    pub fn ascii(self, ascii: &[u8]) -> Vec<u8> {
        if self.is_utf_16() {
            ascii
                .iter()
                .flat_map(|&byte| self.unit(byte.into()))
                .collect()
        } else {
            ascii.to_vec()
        }
    }

    /// Bytes that bring the decoder back to its neutral state after input of `length` bytes that began in it.
    ///
    /// Replacement alone has no way back.
    pub fn reset(self, length: usize) -> Vec<u8> {
        match self.spec {
            // Behind the escape sequence stands output, without which a further one would be an error.
            Spec::Iso2022Jp => b"\n\x1B(Bx".to_vec(),
            Spec::Utf16Be | Spec::Utf16Le => {
                let mut reset = vec![0; length % 2];
                reset.extend(self.unit(0x0A));
                reset
            }
            _ => b"\n".to_vec(),
        }
    }
}
