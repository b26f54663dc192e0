//! What was read beyond ASCII, as a whole: how often each byte comes, and how much of it is malformed in which encoding.
//!
//! A sample decides which encodings are likely; all that was read has to agree. Encodings of several bytes decode it, by
//! the engine: a short document when it has been read, in those that are asked for, and a longer one as it comes, in the few
//! in which its beginning is well-formed.

use crate::encoding::single_byte_code_points;
use crate::{BIG5, BomHandling, Decoder, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, Status};

/// How many bytes are looked at, from the first one beyond ASCII on.
pub(super) const LIMIT: usize = 64 * 1024;

/// How many bytes are kept. A longer document is decoded as it comes, in all encodings.
const KEPT: usize = 8192;

/// The length of the beginning in bytes.
const BEGINNING: usize = 4096;

/// An encoding is followed beyond the beginning if that has at most one malformed sequence in this many bytes.
const FOLLOWED: u64 = 64;

/// The encodings of several bytes; GB18030 reads what GBK does.
const ENCODINGS: [&Encoding; 5] = [EUC_JP, SHIFT_JIS, EUC_KR, BIG5, GB18030];

/// The bytes from the first one beyond ASCII on, as far as they are kept. They lie outside [`Evidence`], so that these are
/// not moved when a detector is made.
#[derive(Clone)]
pub(super) struct Kept([u8; KEPT]);

impl Kept {
    /// Before the first byte.
    #[inline(always)]
    pub fn new() -> Self {
        Self([0; KEPT])
    }
}

#[derive(Clone)]
pub(super) struct Evidence {
    /// How often each byte beyond ASCII comes, in two parts, because raising one count twice in a row is slow. Of bytes of ASCII
    /// only some are counted, and no one reads these counts.
    counts: [[u32; 256]; 2],
    read: usize,
    /// Whether the document begins beyond ASCII: it may be a piece of another one, and begin within a character.
    is_cut: bool,
    followed: [Followed; ENCODINGS.len()],
}

/// How much is malformed in an encoding.
#[derive(Clone, Copy, Default)]
pub(super) struct Malformed {
    pub sequences: u64,
    /// Whether one of them is the rest of a character at the start of the document.
    pub is_cut: bool,
}

/// An encoding of several bytes.
#[derive(Clone)]
struct Followed {
    decoder: Option<Decoder>,
    malformed: Malformed,
    /// Bytes beyond ASCII up to where the encoding was given up.
    high: u64,
}

impl Followed {
    fn feed(&mut self, chunk: &[u8]) {
        if let Some(decoder) = &mut self.decoder {
            self.malformed.sequences += count_malformed(decoder, chunk, u64::MAX);
        }
    }
}

impl Evidence {
    #[inline(always)]
    pub fn new() -> Self {
        const NONE: Followed = Followed {
            decoder: None,
            malformed: Malformed {
                sequences: 0,
                is_cut: false,
            },
            high: 0,
        };
        Self {
            counts: [[0; 256]; 2],
            read: 0,
            is_cut: false,
            followed: [NONE; ENCODINGS.len()],
        }
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.read == 0
    }

    /// Whether more input changes nothing.
    pub fn is_full(&self) -> bool {
        self.read == LIMIT
    }

    /// How many bytes are still to be read.
    pub fn left(&self) -> usize {
        LIMIT - self.read
    }

    /// Reads one more chunk. The first chunk begins with a byte beyond ASCII; `is_first` says whether the document does.
    pub fn feed(&mut self, chunk: &[u8], is_first: bool, kept_bytes: &mut Kept) {
        self.is_cut |= is_first;
        let chunk = &chunk[..chunk.len().min(LIMIT - self.read)];
        self.count(chunk);
        let kept = chunk.len().min(KEPT.saturating_sub(self.read));
        kept_bytes.0[self.read.min(KEPT)..][..kept].copy_from_slice(&chunk[..kept]);
        self.read += chunk.len();
        let rest = &chunk[kept..];
        if rest.is_empty() {
            return;
        }
        if self.read - rest.len() == KEPT {
            self.followed = ENCODINGS.map(|encoding| self.follow(encoding, kept_bytes));
        }
        for followed in &mut self.followed {
            followed.feed(rest);
        }
    }

    fn count(&mut self, chunk: &[u8]) {
        let [evens, odds] = &mut self.counts;
        let (eights, rest) = chunk.as_chunks::<8>();
        for eight in eights {
            if u64::from_ne_bytes(*eight) & 0x8080_8080_8080_8080 == 0 {
                continue;
            }
            for &[even, odd] in eight.as_chunks().0 {
                evens[usize::from(even)] += 1;
                odds[usize::from(odd)] += 1;
            }
        }
        for &byte in rest {
            evens[usize::from(byte)] += 1;
        }
    }

    /// What the counts tell.
    pub fn counted<'e>(&'e self, kept: &'e Kept) -> Counted<'e> {
        let (mut bytes, mut counts, mut len) = ([0; 128], [0; 128], 0);
        let [evens, odds] = &self.counts;
        for at in 0..128_u8 {
            let place = 128 + usize::from(at);
            let count = evens[place] + odds[place];
            (bytes[len & 127], counts[len & 127]) = (at, count);
            len += usize::from(count > 0);
        }
        Counted {
            evidence: self,
            kept,
            bytes,
            high: counts[..len].iter().sum::<u32>().into(),
            counts,
            len,
        }
    }

    /// What an encoding makes of the bytes that are kept of a document that is longer than its beginning.
    fn follow(&self, encoding: &'static Encoding, kept: &Kept) -> Followed {
        let (beginning, rest) = kept.0[..self.read.min(KEPT)].split_at(BEGINNING);
        let most = high(beginning) / FOLLOWED;
        let (malformed, decoder) = decoded(encoding, beginning, self.is_cut, most + 2);
        let mut followed = Followed {
            decoder: (malformed.sequences <= most + 1).then_some(decoder),
            malformed,
            high: most * FOLLOWED,
        };
        followed.feed(rest);
        followed
    }

    /// The number of malformed sequences in an encoding of several bytes; a lower bound if the encoding was given up. `high` bytes
    /// were beyond ASCII.
    fn malformed(&self, encoding: &'static Encoding, high: u64, kept_bytes: &Kept) -> Malformed {
        let encoding = if encoding == crate::GBK {
            GB18030
        } else {
            encoding
        };
        let Some(at) = ENCODINGS.iter().position(|&one| one == encoding) else {
            return Malformed::default();
        };
        let kept = &kept_bytes.0[..self.read.min(KEPT)];
        if self.read <= BEGINNING {
            return decoded(encoding, kept, self.is_cut, u64::MAX).0;
        }
        let of_kept;
        let followed = if self.read > KEPT {
            &self.followed[at]
        } else {
            of_kept = self.follow(encoding, kept_bytes);
            &of_kept
        };
        if followed.decoder.is_some() || followed.high == 0 {
            return followed.malformed;
        }
        // The rest is taken to be as the beginning was.
        Malformed {
            sequences: followed.malformed.sequences * high / followed.high,
            ..followed.malformed
        }
    }
}

/// What was read, with the counts of its bytes beyond ASCII.
pub(super) struct Counted<'e> {
    evidence: &'e Evidence,
    kept: &'e Kept,
    /// The bytes that there are, each less 0x80, and how often each comes.
    bytes: [u8; 128],
    counts: [u32; 128],
    len: usize,
    /// How many bytes are beyond ASCII.
    pub high: u64,
}

impl Counted<'_> {
    /// The bytes beyond ASCII that were read, each less 0x80.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The number of malformed sequences in an encoding; a lower bound if the encoding was given up.
    pub fn malformed(&self, encoding: &'static Encoding) -> Malformed {
        let Some(code_points) = single_byte_code_points(encoding) else {
            return self.evidence.malformed(encoding, self.high, self.kept);
        };
        let counts = self.bytes().iter().zip(&self.counts);
        let undefined = counts.map(|(&byte, &count)| {
            if code_points[usize::from(byte & 0x7F)] == 0 {
                count
            } else {
                0
            }
        });
        Malformed {
            sequences: undefined.sum::<u32>().into(),
            is_cut: false,
        }
    }
}

fn high(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64
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
    let mut units = [0_u16; 512];
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
