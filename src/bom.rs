//! Byte order marks: "BOM sniff" (section 6.1 of the Standard) on whole input and byte by byte.

use crate::Encoding;
use crate::codec::{Replay, Scheme};
use crate::encodings::{UTF_8, UTF_16BE, UTF_16LE};

/// The handling of a byte order mark at the start of a stream.
///
/// UTF-32 (see [`extended`](crate::extended)) is not overridden by the Standard's byte order marks. Its own marks have
/// four bytes and apply to UTF-32 only: `FF FE 00 00` is U+FEFF in UTF-32LE. In every other encoding these bytes are
/// the UTF-16LE mark before U+0000. In UTF-32 without a stated byte order, the mark selects the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum BomHandling {
    /// A BOM of UTF-8, UTF-16BE or UTF-16LE overrides the encoding and is removed: the Standard's "decode". For UTF-32
    /// the same as [`Remove`](Self::Remove).
    #[default]
    Sniff,
    /// The encoding's own BOM is removed; other BOMs are content. As in "UTF-8 decode".
    Remove,
    /// A BOM is content: it decodes to U+FEFF. As in "UTF-8 decode without BOM".
    Keep,
}

/// The length of the longest byte order mark: UTF-32's.
pub(crate) const MAX_BOM_LENGTH: usize = 4;

/// The byte order marks, in the Standard's order. [`Encoding::bom`] has the only list of their bytes.
pub(crate) static BOMS: [(&[u8], &Encoding); 3] = [
    (UTF_8.bom().unwrap(), UTF_8),
    (UTF_16BE.bom().unwrap(), UTF_16BE),
    (UTF_16LE.bom().unwrap(), UTF_16LE),
];

/// The byte order marks of UTF-32 with the encoding that each selects; `None` for all other encodings. UTF-32
/// recognises no other marks.
#[inline(always)]
fn utf_32_boms(encoding: &'static Encoding) -> Option<[(&'static [u8], &'static Encoding); 2]> {
    match encoding.kind {
        Scheme::Utf32(_) => {
            let named = encoding.named_by_bom.unwrap_or([encoding; 2]);
            Some(named.map(|named| (named.bom().unwrap_or_default(), named)))
        }
        _ => None,
    }
}

/// The first two bytes of each of the Standard's byte order marks.
const STARTS: [[u8; 2]; 3] = [
    start(Scheme::Utf8),
    start(Scheme::Utf16 { big_endian: true }),
    start(Scheme::Utf16 { big_endian: false }),
];

const fn start(scheme: Scheme) -> [u8; 2] {
    *scheme.bom().unwrap().first_chunk().unwrap()
}

/// The lowest first byte of the Standard's byte order marks.
const MIN_FIRST_BYTE: u8 = STARTS[0][0];

/// True if the first byte can start a BOM. Most texts fail this test.
#[inline(always)]
pub(crate) fn may_start(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&first| first >= MIN_FIRST_BYTE)
}

/// Returns the encoding of the BOM at the start of `bytes`, and the BOM's length in bytes.
#[inline]
pub(crate) fn sniff(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    if !may_start(bytes) {
        return None;
    }
    sniff_all(bytes)
}

#[inline(never)]
fn sniff_all(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    BOMS.iter()
        .find(|(bom, _)| bytes.starts_with(bom))
        .map(|&(bom, encoding)| (encoding, bom.len()))
}

impl Encoding {
    /// Returns the encoding of the byte order mark at the start of `bytes`, and its length in bytes: "BOM sniff" (section
    /// 6.1).
    ///
    /// ```
    /// assert_eq!(mojika::Encoding::for_bom(b"\xFF\xFEa\0"), Some((mojika::UTF_16LE, 2)));
    /// ```
    pub fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        sniff(bytes)
    }
}

/// Returns the BOM at the start of `bytes` that `handling` recognises for `encoding`.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn find(
    handling: BomHandling,
    encoding: &'static Encoding,
    bytes: &[u8],
) -> Option<(&'static Encoding, usize)> {
    if let Some(boms) = utf_32_boms(encoding) {
        let mut boms = boms.into_iter().filter(|_| handling != BomHandling::Keep);
        let found = boms.find(|(bom, _)| bytes.starts_with(bom));
        return found.map(|(bom, named)| (named, bom.len()));
    }
    match handling {
        BomHandling::Sniff => sniff(bytes),
        BomHandling::Remove => sniff(bytes).filter(|(found, _)| *found == encoding),
        BomHandling::Keep => None,
    }
}

/// The bytes read so far, while they are a proper prefix of a BOM.
#[derive(Clone, Copy)]
pub(crate) struct BomWatch {
    handling: BomHandling,
    bytes: [u8; MAX_BOM_LENGTH],
    len: u8,
    /// True for a stream in UTF-32.
    is_utf_32: bool,
}

/// The result of [`BomWatch::step`].
pub(crate) enum BomStep {
    /// The byte may belong to a BOM, and is held.
    Held,
    /// The byte completes the BOM of the given encoding.
    Found(&'static Encoding),
    /// There is no BOM, and the byte is not read.
    Absent,
}

impl BomWatch {
    pub fn new(handling: BomHandling, encoding: &Encoding) -> Self {
        Self {
            handling,
            bytes: [0; MAX_BOM_LENGTH],
            len: 0,
            is_utf_32: matches!(encoding.kind, Scheme::Utf32(_)),
        }
    }

    pub fn step(&mut self, encoding: &'static Encoding, byte: u8) -> BomStep {
        self.bytes[usize::from(self.len)] = byte;
        let seen = &self.bytes[..=usize::from(self.len)];
        let counts = |found: &Encoding| match self.handling {
            BomHandling::Sniff => true,
            BomHandling::Remove => found == encoding,
            BomHandling::Keep => false,
        };
        let may_be = |bom: &[u8], found| bom.starts_with(seen) && counts(found);
        let found = match utf_32_boms(encoding) {
            Some(boms) => {
                let found = boms.into_iter().find(|(bom, _)| bom.starts_with(seen));
                found.map(|(bom, named)| (bom.len(), named))
            }
            None => {
                let found = BOMS.iter().find(|(bom, found)| may_be(bom, found));
                found.map(|&(bom, found)| (bom.len(), found))
            }
        };
        match found {
            None => BomStep::Absent,
            Some((len, found)) if len == seen.len() => BomStep::Found(found),
            Some(_) => {
                self.len += 1;
                BomStep::Held
            }
        }
    }

    /// True if no byte is held and `next`, the following input, rules out a BOM. Most input does. Always false in
    /// UTF-32: there, [`step`](Self::step) decides.
    #[inline]
    pub fn is_absent(&self, next: &[u8]) -> bool {
        // The first byte alone is not enough: many Russian words start with the first byte of a BOM.
        let may_be = match *next {
            [] => true,
            [first] => STARTS.iter().any(|start| start[0] == first),
            [first, second, ..] => STARTS.contains(&[first, second]),
        };
        self.len == 0 && !may_be && !self.is_utf_32
    }

    /// Returns the number of bytes held.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Returns the held bytes, to be decoded as content.
    pub fn into_replay(self) -> Replay {
        let mut replay = Replay::default();
        for &byte in &self.bytes[..self.len()] {
            replay.push(byte);
        }
        replay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_become_a_bom_is_told_at_once() {
        let watch = BomWatch::new(BomHandling::Sniff, UTF_8);
        let may_become = |bytes: &[u8]| BOMS.iter().any(|(bom, _)| bom.starts_with(bytes));
        assert!(!watch.is_absent(&[]));
        for a in 0..=0xFF {
            assert_eq!(watch.is_absent(&[a]), !may_become(&[a]), "{a:X}");
            for b in 0..=0xFF {
                assert_eq!(
                    watch.is_absent(&[a, b]),
                    !may_become(&[a, b]),
                    "{a:X} {b:X}"
                );
                for c in [0, 0xBB, 0xBE, 0xBF, 0xC0, 0xFE, 0xFF] {
                    let bytes = [a, b, c];
                    let bom = BOMS.iter().find(|(bom, _)| bytes.starts_with(bom));
                    let bom = bom.map(|&(bom, encoding)| (encoding, bom.len()));
                    assert_eq!(sniff(&bytes), bom, "{bytes:X?}");
                    assert!(!(watch.is_absent(&bytes) && bom.is_some()), "{bytes:X?}");
                }
            }
        }
        // With a held byte, the result is always false.
        let mut watch = watch;
        assert!(matches!(watch.step(UTF_8, 0xEF), BomStep::Held));
        assert!(!watch.is_absent(b"a"));
    }
}
