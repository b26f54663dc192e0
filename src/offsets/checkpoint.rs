//! Checkpoints of an `OffsetMap`, for partial re-decoding of a source.

use super::map::OffsetMap;
use crate::Decoder;
use crate::codec::Mode;

/// A position in the source at which the decoder has nothing pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Offset in the source; 0 at the start of the stream, before a byte order mark.
    pub source: usize,
    /// Offset in the text, in bytes of UTF-8.
    pub text: usize,
    /// The mode of a stateful encoding; `None` in other encodings and at the start.
    pub mode: Option<Mode>,
}

impl OffsetMap {
    /// Returns the last checkpoint at or before an offset in the source.
    pub fn checkpoint_before(&self, source: usize) -> Checkpoint {
        self.checkpoint(self.index_for_source(source as u64))
    }

    /// Returns the first checkpoint at or after an offset in the source, or `None` after the last one. Never returns
    /// the start.
    pub fn checkpoint_after(&self, source: usize) -> Option<Checkpoint> {
        let index = self
            .sources
            .partition_point(|&place| place < source as u64)
            .max(1);
        (index < self.sources.len()).then(|| self.checkpoint(index))
    }

    fn checkpoint(&self, index: usize) -> Checkpoint {
        let at = |numbers: &[u64]| numbers.get(index).copied().unwrap_or_default() as usize;
        Checkpoint {
            source: at(&self.sources),
            text: at(&self.utf8),
            mode: self.mode(index),
        }
    }

    /// Creates a decoder that continues at a checkpoint.
    pub fn decoder_at(&self, checkpoint: Checkpoint) -> Decoder {
        match checkpoint.source {
            0 => Decoder::new(self.asked, self.bom),
            position => self.decoder_from(position, checkpoint.mode),
        }
    }
}
