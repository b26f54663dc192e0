//! Input read in blocks.

use super::split::Points;
use super::{Failure, Input, Turn, Turned};
use std::io::{self, Read};

/// The length of the longest byte order mark.
pub const LONGEST_BOM: usize = 4;

/// Reads blocks, one after another.
pub struct Blocks<'a> {
    reader: &'a mut (dyn Read + Send),
    size: Option<u64>,
    /// True if a block is filled before it is returned; otherwise input is passed on at once.
    fill: bool,
    /// The split points; [`Points::None`] if all blocks go through the same coder.
    points: Points,
    block_size: usize,
    /// The number of bytes that have been read.
    read: u64,
    /// True if the bytes read so far include NUL; `None` if that is not tested.
    pub has_nul: Option<bool>,
    /// The bytes that were read after the last split point or turn.
    rest: Vec<u8>,
    /// The source of later encodings, and the encoding of `rest` if it is not that of the block before.
    turn: Option<&'a Turn>,
    turned: Option<Turned>,
    /// The next block's number.
    number: u64,
    ended: bool,
}

/// A block's position in the input; its bytes are in the caller's buffer.
pub struct Block {
    /// The number of the block, from 0.
    pub number: u64,
    /// The offset of the block's first byte.
    pub offset: u64,
    /// The length of the block in bytes.
    pub len: usize,
    /// True if this is the last block.
    pub last: bool,
    /// The encoding of this block and of the blocks after it, if it is not that of the block before.
    pub turned: Option<Turned>,
    /// True if a decoder is in its initial state at the end of the block.
    pub neutral_end: bool,
    /// The error that ends the input after this block.
    pub failure: Option<Failure>,
}

impl<'a> Blocks<'a> {
    pub fn new(input: Input<'a>, fill: bool, block_size: usize) -> Self {
        Self {
            reader: input.reader,
            size: input.size.filter(|size| *size > 0),
            fill,
            points: Points::None,
            block_size,
            read: 0,
            has_nul: None,
            rest: Vec::new(),
            turn: input.turn,
            turned: None,
            number: 0,
            ended: false,
        }
    }

    /// Splits the next blocks at `points`.
    pub fn cut_at(&mut self, points: Points) {
        self.points = points;
    }

    /// Returns the number of bytes that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Returns the first block without splitting it. It is long enough for any byte order mark.
    pub fn first(&mut self, buffer: &mut Vec<u8>) -> Block {
        self.read_block(buffer, LONGEST_BOM)
    }

    /// Shortens a block to its last split point. The first `skip` bytes of the block do not belong to any character.
    pub fn cut(&mut self, block: &mut Block, buffer: &[u8], skip: usize) {
        if block.last || block.failure.is_some() {
            return;
        }
        if let Some(len) = self.points.last_in(&buffer[skip..block.len]) {
            let len = skip + len;
            self.rest.extend_from_slice(&buffer[len..block.len]);
            block.len = len;
            block.neutral_end = true;
        } else if matches!(
            self.points,
            Points::Utf16 { .. } | Points::Pairs | Points::Quads
        ) {
            // Without a split point, the next block may start inside a code unit, so later points would be misaligned.
            self.points = Points::None;
        }
    }

    /// Returns the next block; `None` after the last one.
    pub fn next(&mut self, buffer: &mut Vec<u8>) -> Option<Block> {
        if self.ended {
            return None;
        }
        let mut block = self.read_block(buffer, 1);
        self.cut(&mut block, buffer, 0);
        Some(block)
    }

    fn read_block(&mut self, buffer: &mut Vec<u8>, least: usize) -> Block {
        if buffer.len() < self.block_size {
            // The system zeroes new pages on first use, so unused pages cost nothing.
            *buffer = vec![0; self.block_size];
        }
        let buffer = &mut buffer[..self.block_size];
        let offset = self.read - self.rest.len() as u64;
        let mut len = self.rest.len();
        let before = len;
        buffer[..len].copy_from_slice(&self.rest);
        self.rest.clear();
        let least = if self.fill { self.block_size } else { least };
        let mut turned = self.turned.take();
        let mut failure = None;
        let mut last = false;
        while len < least.min(self.block_size) {
            match self.reader.read(&mut buffer[len..]) {
                Ok(0) => {
                    last = true;
                    break;
                }
                Ok(more) => {
                    self.read += more as u64;
                    let next = self.turn.and_then(Turn::take);
                    if next.is_some() && len > 0 {
                        self.rest.extend_from_slice(&buffer[len..len + more]);
                        self.turned = next;
                        break;
                    }
                    turned = turned.or(next);
                    len += more;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    failure = Some(Failure::Read(error));
                    break;
                }
            }
        }
        if self.has_nul == Some(false) {
            self.has_nul = Some(memchr::memchr(0, &buffer[before..len]).is_some());
        }
        if let (Some(expected), None) = (self.size, &failure) {
            let read = self.read;
            if read > expected || last && read < expected {
                failure = Some(Failure::Changed { expected, read });
            }
        }
        self.ended = last || failure.is_some();
        let number = self.number;
        self.number += 1;
        Block {
            number,
            offset,
            len,
            last: last && failure.is_none(),
            turned,
            neutral_end: false,
            failure,
        }
    }
}
