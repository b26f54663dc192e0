//! What was read beyond ASCII, as a whole: which bytes there are, and how much of it is malformed in which encoding.
//!
//! A sample decides which encodings are likely; all that was read has to agree. The encodings of several bytes that are in
//! question decode it by the engine.

use crate::encoding::single_byte_code_points;
use crate::simd::{self, ByteSet};
use crate::{BomHandling, Decoder, Encoding, Status};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// How many bytes are looked at, from the first one beyond ASCII on.
pub(super) const LIMIT: usize = 64 * 1024;

/// The length of the beginning in bytes.
const BEGINNING: usize = 4096;

/// An encoding decodes more than the beginning if that has at most one malformed sequence in this many bytes.
const FOLLOWED: u64 = 64;

/// The length in bytes of a block that may be denser than the sample, and the least number of bytes beyond ASCII in it.
const BLOCK: usize = 64;
const DENSE: usize = 24;

#[derive(Clone)]
pub(super) struct Evidence {
    /// What was read.
    bytes: Vec<u8>,
    /// Whether the document begins beyond ASCII: it may be a piece of another one, and begin within a character.
    is_cut: bool,
}

/// How much is malformed in an encoding.
#[derive(Clone, Copy, Default)]
pub(super) struct Malformed {
    pub sequences: u64,
    /// Whether one of them is the rest of a character at the start of the document.
    pub is_cut: bool,
}

impl Malformed {
    /// Returns the number of malformed sequences without the rest of a character at the start of the document.
    pub fn counted(self) -> u64 {
        self.sequences - u64::from(self.is_cut)
    }
}

impl Evidence {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            bytes: Vec::new(),
            is_cut: false,
        }
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether more input changes nothing.
    pub fn is_full(&self) -> bool {
        self.bytes.len() == LIMIT
    }

    /// How many bytes are still to be read.
    pub fn left(&self) -> usize {
        LIMIT - self.bytes.len()
    }

    /// Reads one more chunk. The first chunk begins with a byte beyond ASCII; `is_first` says whether the document does.
    pub fn feed(&mut self, chunk: &[u8], is_first: bool) {
        self.is_cut |= is_first;
        let chunk = &chunk[..chunk.len().min(self.left())];
        self.bytes.extend_from_slice(chunk);
    }

    /// Which bytes there are.
    pub fn inventory(&self) -> Inventory<'_> {
        // Most values are in the beginning. A search for the others in the rest reads many bytes at once.
        let (beginning, mut rest) = self.bytes.split_at(self.bytes.len().min(BEGINNING));
        let mut lacks = ByteSet::lacking(beginning);
        while let Some((&byte, after)) = rest[lacks.free_prefix_len(rest)..].split_first() {
            lacks.remove(byte);
            rest = after;
        }
        let (mut bytes, mut len) = ([0; 128], 0);
        for at in 0..128_u8 {
            bytes[len & 127] = at;
            len += usize::from(!lacks.contains(0x80 | at));
        }
        Inventory {
            evidence: self,
            bytes,
            len,
            high: simd::count_not_ascii(&self.bytes) as u64,
        }
    }

    /// The number of malformed sequences in an encoding of several bytes. Where the beginning has too many of them, the rest is
    /// taken to be as the beginning is; `high` bytes were beyond ASCII.
    fn malformed(&self, encoding: &'static Encoding, high: u64) -> Malformed {
        if self.bytes.len() <= BEGINNING {
            return decoded(encoding, &self.bytes, self.is_cut, u64::MAX).0;
        }
        let (beginning, rest) = self.bytes.split_at(BEGINNING);
        let most = simd::count_not_ascii(beginning) as u64 / FOLLOWED;
        let (mut malformed, mut decoder) = decoded(encoding, beginning, self.is_cut, most + 2);
        if malformed.sequences <= most + 1 {
            malformed.sequences += count_malformed(&mut decoder, rest, u64::MAX);
        } else if most > 0 {
            malformed.sequences = malformed.sequences * high / (most * FOLLOWED);
        }
        malformed
    }
}

/// What was read, and which bytes beyond ASCII are in it.
pub(super) struct Inventory<'e> {
    evidence: &'e Evidence,
    /// The bytes that there are, each less 0x80.
    bytes: [u8; 128],
    len: usize,
    /// How many bytes are beyond ASCII.
    pub high: u64,
}

impl Inventory<'_> {
    /// The bytes beyond ASCII that were read, each less 0x80.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the block of [`BLOCK`] bytes that contains the most bytes beyond ASCII.
    ///
    /// The result is `None` if the block contains fewer than [`DENSE`] of them, or fewer than twice as many as a block of the
    /// sample's `parts`.
    pub fn densest(&self, parts: [&[u8]; 2]) -> Option<&[u8]> {
        let of_parts = parts.into_iter().flat_map(|part| part.chunks(BLOCK));
        let least = DENSE.max(2 * of_parts.map(simd::count_not_ascii).max()?);
        if least > BLOCK {
            return None;
        }
        // In most texts, four blocks together contain fewer.
        let fours = self.evidence.bytes.chunks(4 * BLOCK);
        let blocks = fours
            .filter(|four| simd::count_not_ascii(four) >= least)
            .flat_map(|four| four.chunks(BLOCK));
        let counts = blocks.map(|block| (simd::count_not_ascii(block), block));
        let (most, densest) = counts.max_by_key(|one| one.0)?;
        (most >= least).then_some(densest)
    }

    /// The number of malformed sequences in an encoding.
    pub fn malformed(&self, encoding: &'static Encoding) -> Malformed {
        let Some(code_points) = single_byte_code_points(encoding) else {
            return self.evidence.malformed(encoding, self.high);
        };
        let bytes = self.bytes().iter();
        let undefined = bytes.filter(|&&byte| code_points[usize::from(byte & 0x7F)] == 0);
        let undefined = undefined
            .map(|byte| memchr::memchr_iter(byte | 0x80, &self.evidence.bytes).count() as u64);
        Malformed {
            sequences: undefined.sum(),
            is_cut: false,
        }
    }
}

/// What is malformed in a beginning of the document, up to `most` sequences, and the decoder after it.
fn decoded(
    encoding: &'static Encoding,
    kept: &[u8],
    is_cut: bool,
    most: u64,
) -> (Malformed, Decoder) {
    let decode = |src| {
        let mut decoder = Decoder::new(encoding, BomHandling::Keep);
        (count_malformed(&mut decoder, src, most), decoder)
    };
    let (sequences, decoder) = decode(kept);
    if is_cut && sequences > 0 {
        // From the second byte on, if that is better.
        let (later, decoder) = decode(&kept[1..]);
        if later < sequences {
            let malformed = Malformed {
                sequences: later + 1,
                is_cut: true,
            };
            return (malformed, decoder);
        }
    }
    let malformed = Malformed {
        sequences,
        is_cut: false,
    };
    (malformed, decoder)
}

/// Counts malformed sequences up to `most`. What is incomplete at the end is none: the text goes on.
fn count_malformed(decoder: &mut Decoder, mut src: &[u8], most: u64) -> u64 {
    let mut count = 0;
    let mut units = [const { MaybeUninit::<u16>::uninit() }; 4096];
    while count < most {
        let progress = decoder.decode_fatal(src, &mut units[..], false);
        src = &src[progress.read..];
        match progress.status {
            Status::Malformed(_) => count += 1,
            Status::OutputFull => {}
            Status::InputEmpty | Status::Unmappable(_) => break,
        }
    }
    count
}
