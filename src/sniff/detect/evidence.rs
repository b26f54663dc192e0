//! What was read beyond ASCII, as a whole: how often each byte comes, and how much of it is malformed in which encoding.
//!
//! A sample decides which encodings are likely; all that was read has to agree. Encodings of several bytes decode it, by
//! the engine: a short document when it has been read, and a longer one as it comes, in the few encodings in which its
//! beginning is well-formed.

use crate::encoding::single_byte_code_points;
use crate::{BIG5, BomHandling, Decoder, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, Status};

/// How many bytes are looked at, from the first one beyond ASCII on.
pub(super) const LIMIT: usize = 64 * 1024;

/// How many bytes are kept.
const KEPT: usize = 4096;

/// An encoding is followed beyond the kept bytes if they have at most one malformed sequence in this many bytes.
const FOLLOWED: u64 = 64;

/// The encodings of several bytes; GB18030 reads what GBK does.
const ENCODINGS: [&Encoding; 5] = [EUC_JP, SHIFT_JIS, EUC_KR, BIG5, GB18030];

#[derive(Clone)]
pub(super) struct Evidence {
    counts: [u32; 256],
    kept: [u8; KEPT],
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

impl Evidence {
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
            counts: [0; 256],
            kept: [0; KEPT],
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
    pub fn feed(&mut self, chunk: &[u8], is_first: bool) {
        self.is_cut |= is_first;
        let chunk = &chunk[..chunk.len().min(LIMIT - self.read)];
        for &byte in chunk {
            self.counts[usize::from(byte)] += 1;
        }
        let kept = chunk.len().min(KEPT.saturating_sub(self.read));
        if kept > 0 {
            self.kept[self.read..self.read + kept].copy_from_slice(&chunk[..kept]);
        }
        self.read += chunk.len();
        let rest = &chunk[kept..];
        if rest.is_empty() {
            return;
        }
        if self.read - rest.len() == KEPT {
            self.choose(rest);
        }
        for followed in &mut self.followed {
            if let Some(decoder) = &mut followed.decoder {
                followed.malformed.sequences += count_malformed(decoder, rest, u64::MAX);
            }
        }
    }

    /// Chooses the encodings that are followed; `ahead` has been counted, and is not kept.
    fn choose(&mut self, ahead: &[u8]) {
        let most = self.high().saturating_sub(high(ahead)) / FOLLOWED;
        for (followed, encoding) in self.followed.iter_mut().zip(ENCODINGS) {
            let (malformed, decoder) = decoded(encoding, &self.kept, self.is_cut, most + 2);
            followed.malformed = malformed;
            if malformed.sequences <= most + 1 {
                followed.decoder = Some(decoder);
            }
            followed.high = most * FOLLOWED;
        }
    }

    /// How many bytes are beyond ASCII.
    pub fn high(&self) -> u64 {
        self.counts[128..]
            .iter()
            .map(|&count| u64::from(count))
            .sum()
    }

    /// The bytes beyond ASCII that were read, each less 0x80, and how many there are.
    pub fn bytes(&self) -> ([u8; 128], usize) {
        let (mut bytes, mut len) = ([0; 128], 0);
        for at in 0..128 {
            bytes[len & 127] = at;
            len += usize::from(self.counts[128 + usize::from(at)] > 0);
        }
        (bytes, len)
    }

    /// The number of malformed sequences in an encoding; a lower bound if the encoding was given up.
    pub fn malformed(&self, encoding: &'static Encoding) -> Malformed {
        if let Some(code_points) = single_byte_code_points(encoding) {
            let counts = code_points.iter().zip(&self.counts[128..]);
            let sequences = counts
                .filter(|&(&code_point, _)| code_point == 0)
                .map(|(_, &count)| u64::from(count))
                .sum();
            return Malformed {
                sequences,
                is_cut: false,
            };
        }
        let encoding = if encoding == crate::GBK {
            GB18030
        } else {
            encoding
        };
        let Some(at) = ENCODINGS.iter().position(|&one| one == encoding) else {
            return Malformed::default();
        };
        if self.read <= KEPT {
            return decoded(encoding, &self.kept[..self.read], self.is_cut, u64::MAX).0;
        }
        let followed = &self.followed[at];
        if followed.decoder.is_some() || followed.high == 0 {
            return followed.malformed;
        }
        // The rest is taken to be as the beginning was.
        Malformed {
            sequences: followed.malformed.sequences * self.high() / followed.high,
            ..followed.malformed
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
