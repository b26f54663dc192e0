//! Members of a compressed archive: one gzip member or Zstandard frame for each record.

use super::member::WholeMember;
use super::room::Room;
use crc32fast::Hasher;
use flate2::{Decompress, FlushDecompress, Status};
use std::io;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// The maximum size of a decompressed dictionary, in bytes.
const MOST_DICTIONARY: u64 = 16 << 20;

/// The first bytes of a gzip member with the method deflate.
const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B, 8];
/// The first bytes of a Zstandard frame.
const ZSTD_MAGIC: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// The compression of an archive.
pub enum Codec {
    /// No compression.
    Identity,
    Gzip(Gzip),
    Zstd(Zstd),
}

/// The result of one step of decompression.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecompressionStep {
    /// The number of bytes read.
    pub read: usize,
    /// True if the member is complete and its checksum is right.
    pub ended: bool,
}

/// The kind of member with which some bytes start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A member with content; the value is the length of its header.
    Member(usize),
    /// A member without content: a header, then `length` bytes to skip.
    Skip { header: usize, length: u64 },
    /// A dictionary for all frames: a header, then `length` bytes of the dictionary.
    Dictionary { header: usize, length: u64 },
    /// More bytes are needed to determine the kind.
    Short,
    /// The bytes are invalid in this format.
    Garbage,
}

impl Codec {
    /// Returns the codec of an archive that begins with these four or more bytes; `None` if they do not determine it.
    pub fn of(head: &[u8]) -> io::Result<Option<Self>> {
        Ok(Some(if head.starts_with(GZIP_MAGIC) {
            Self::Gzip(Gzip::new())
        } else if head.starts_with(ZSTD_MAGIC) || skippable(head).is_some() {
            Self::Zstd(Zstd::new(Vec::new())?)
        } else if head.starts_with(b"WARC") {
            Self::Identity
        } else {
            return Ok(None);
        }))
    }

    /// Returns the codec of an archive with a damaged start, by the first member that is found in `bytes`.
    pub fn within(bytes: &[u8]) -> io::Result<Self> {
        let find = |magic: &[u8]| memchr::memmem::find(bytes, magic).unwrap_or(bytes.len());
        // A record starts at a line start. A compressed frame may contain the start of a record uncompressed.
        let (plain, gzip, zstd) = (find(b"\nWARC/"), find(GZIP_MAGIC), find(ZSTD_MAGIC));
        Ok(if gzip < plain.min(zstd) {
            Self::Gzip(Gzip::new())
        } else if zstd < plain {
            Self::Zstd(Zstd::new(Vec::new())?)
        } else {
            Self::Identity
        })
    }

    /// Returns the magic number of members with content.
    pub fn magic(&self) -> &'static [u8] {
        match self {
            Self::Identity => b"WARC/",
            Self::Gzip(_) => GZIP_MAGIC,
            Self::Zstd(_) => ZSTD_MAGIC,
        }
    }

    /// Returns the kind of the member at the start of `bytes`, and prepares to decompress it.
    pub fn start(&mut self, bytes: &[u8]) -> io::Result<Start> {
        match self {
            Self::Identity => Ok(Start::Member(0)),
            Self::Gzip(gzip) => {
                let start = gzip_header(bytes);
                if let Start::Member(_) = start {
                    gzip.inflate.reset(false);
                    gzip.crc.reset();
                    gzip.length = 0;
                    gzip.is_deflated = false;
                }
                Ok(start)
            }
            Self::Zstd(zstd) => {
                let start = zstd_header(bytes);
                if let Start::Member(_) = start {
                    zstd.decoder.reinit()?;
                }
                Ok(start)
            }
        }
    }

    /// Decompresses bytes of `input` into the spare space of `output`.
    ///
    /// # Errors
    ///
    /// Fails with a reason if the member is damaged.
    pub fn step(&mut self, input: &[u8], output: &mut Room) -> Result<DecompressionStep, String> {
        match self {
            Self::Identity => unreachable!("what is not compressed is read directly"),
            Self::Gzip(gzip) => gzip.step(input, output),
            Self::Zstd(zstd) => zstd.step(input, output),
        }
    }

    /// Decompresses an undamaged gzip member that ends with `bytes`.
    ///
    /// This takes half the time of [`step`](Self::step), but errors are not described. `most` is the maximum length of
    /// the content, in bytes.
    pub fn whole(&mut self, bytes: &[u8], output: &mut Room, most: usize) -> bool {
        match self {
            Self::Gzip(gzip) => gzip.whole(bytes, output, most),
            _ => false,
        }
    }

    /// Sets the dictionary for all later frames.
    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> io::Result<()> {
        if let Self::Zstd(zstd) = self {
            *zstd = Zstd::new(plain_dictionary(dictionary)?)?;
        }
        Ok(())
    }

    /// Returns a new codec for other members of the same archive, for use while this codec is inside a member.
    pub fn another(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Identity => Self::Identity,
            Self::Gzip(_) => Self::Gzip(Gzip::new()),
            Self::Zstd(zstd) => Self::Zstd(Zstd::new(zstd.dictionary.clone())?),
        })
    }
}

/// Returns a dictionary, decompressed if it is compressed itself.
fn plain_dictionary(bytes: &[u8]) -> io::Result<Vec<u8>> {
    use io::Read;
    if !bytes.starts_with(ZSTD_MAGIC) {
        return Ok(bytes.to_owned());
    }
    let mut plain = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(bytes)?;
    decoder.take(MOST_DICTIONARY).read_to_end(&mut plain)?;
    Ok(plain)
}

/// Decodes raw deflate data. The header and the trailer of RFC 1952 are parsed separately.
pub struct Gzip {
    inflate: Decompress,
    /// The decompressor for members that are completely in memory.
    fast: WholeMember,
    crc: Hasher,
    /// The number of decompressed bytes, modulo 2^32.
    length: u32,
    /// True if all data is decompressed and only the trailer remains.
    is_deflated: bool,
}

impl Gzip {
    fn new() -> Self {
        Self {
            inflate: Decompress::new(false),
            fast: WholeMember::new(),
            crc: Hasher::new(),
            length: 0,
            is_deflated: false,
        }
    }

    fn whole(&mut self, bytes: &[u8], output: &mut Room, most: usize) -> bool {
        let Some(length) = WholeMember::content_len(bytes, most) else {
            return false;
        };
        output.reserve(length);
        if !self.fast.decompress(bytes, &mut output.spare()[..length]) {
            return false;
        }
        output.add(length);
        true
    }

    fn step(&mut self, input: &[u8], output: &mut Room) -> Result<DecompressionStep, String> {
        let mut step = DecompressionStep::default();
        if !self.is_deflated {
            let (read, start) = (self.inflate.total_in(), output.len());
            let written = self.inflate.total_out();
            let result = self
                .inflate
                .decompress(input, output.spare(), FlushDecompress::None);
            // The content before the damage is kept, too.
            output.add((self.inflate.total_out() - written) as usize);
            let status = result.map_err(|_| "damaged deflate data".to_owned())?;
            step.read = usize::try_from(self.inflate.total_in() - read).unwrap_or(input.len());
            let content = &output.bytes()[start..];
            self.crc.update(content);
            self.length = self.length.wrapping_add(content.len() as u32);
            self.is_deflated = status == Status::StreamEnd;
        }
        if self.is_deflated
            && let Some((trailer, _)) = input[step.read..].split_first_chunk::<8>()
        {
            let [crc @ .., l0, l1, l2, l3] = *trailer;
            if u32::from_le_bytes(crc) != self.crc.clone().finalize() {
                return Err("wrong checksum".to_owned());
            }
            if u32::from_le_bytes([l0, l1, l2, l3]) != self.length {
                return Err("wrong length in the trailer".to_owned());
            }
            step.read += trailer.len();
            step.ended = true;
        }
        Ok(step)
    }
}

/// Parses the header of a gzip member (RFC 1952, section 2.3).
fn gzip_header(bytes: &[u8]) -> Start {
    if bytes.len() < 10 {
        let is_one = bytes.starts_with(GZIP_MAGIC) || GZIP_MAGIC.starts_with(bytes);
        return if is_one { Start::Short } else { Start::Garbage };
    }
    let flags = bytes[3];
    if !bytes.starts_with(GZIP_MAGIC) || flags & 0xE0 != 0 {
        return Start::Garbage;
    }
    let mut at = 10;
    if flags & 4 != 0 {
        // FEXTRA
        let Some(&[low, high]) = bytes.get(at..at + 2) else {
            return Start::Short;
        };
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    // FNAME, FCOMMENT
    for flag in [8, 16] {
        if flags & flag != 0 {
            let Some(length) = bytes.get(at..).and_then(|rest| memchr::memchr(0, rest)) else {
                return Start::Short;
            };
            at += length + 1;
        }
    }
    // FHCRC
    at += usize::from(flags & 2);
    if at > bytes.len() {
        return Start::Short;
    }
    Start::Member(at)
}

/// Decodes Zstandard frames, with the dictionary at the start of the archive.
pub struct Zstd {
    decoder: Decoder<'static>,
    dictionary: Vec<u8>,
}

impl Zstd {
    /// Returns a decoder with this dictionary, which may be empty.
    fn new(dictionary: Vec<u8>) -> io::Result<Self> {
        let decoder = Decoder::with_dictionary(&dictionary)?;
        Ok(Self {
            decoder,
            dictionary,
        })
    }

    fn step(&mut self, input: &[u8], output: &mut Room) -> Result<DecompressionStep, String> {
        let mut source = InBuffer::around(input);
        let mut target = OutBuffer::around(output.spare());
        let result = self.decoder.run(&mut source, &mut target);
        let written = target.pos();
        output.add(written);
        let left = result.map_err(|error| {
            let error = error.to_string();
            match error.contains("too much memory") {
                true => "a Zstandard frame with a window of more than 128 MiB".to_owned(),
                false => format!("damaged Zstandard frame: {error}"),
            }
        })?;
        Ok(DecompressionStep {
            read: source.pos(),
            ended: left == 0,
        })
    }
}

/// Returns the low four bits of the magic number of a skippable frame.
fn skippable(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [low @ 0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(low & 0xF),
        _ => None,
    }
}

/// Parses the header of a Zstandard frame, which the decoder reads itself, or of a skippable frame (RFC 8878, section
/// 3.1.2).
///
/// Skippable frame 13 holds a dictionary (IIPC, "Use of Zstandard in WARC").
fn zstd_header(bytes: &[u8]) -> Start {
    if bytes.starts_with(ZSTD_MAGIC) {
        return Start::Member(0);
    }
    let Some(&[m0, m1, m2, m3, l0, l1, l2, l3]) = bytes.first_chunk::<8>() else {
        return Start::Short;
    };
    let length = u64::from(u32::from_le_bytes([l0, l1, l2, l3]));
    match skippable(&[m0, m1, m2, m3]) {
        Some(13) if length <= MOST_DICTIONARY => Start::Dictionary { header: 8, length },
        Some(_) => Start::Skip { header: 8, length },
        None => Start::Garbage,
    }
}
