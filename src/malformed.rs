//! The malformed sequences of whole input, one by one.

use crate::{BomHandling, Decoder, Encoding, MalformedSequence, Status};
use core::fmt::Debug;
use core::iter::FusedIterator;
use core::mem::MaybeUninit;

/// See [`Encoding::malformed_sequences`].
#[derive(Clone, Debug)]
struct MalformedSequences<'a> {
    decoder: Decoder,
    rest: &'a [u8],
    finished: bool,
}

impl Encoding {
    /// Returns an iterator over the malformed sequences of whole input, in order, without the text.
    ///
    /// Decoding with replacement writes one U+FFFD for each sequence. An empty iterator means that the input is
    /// well-formed. Nothing is allocated.
    ///
    /// ```
    /// use mojika::{BomHandling, SHIFT_JIS};
    ///
    /// let bytes = b"\x95\xB6 \x82\" \xFF";
    /// let offsets = SHIFT_JIS.malformed_sequences(bytes, BomHandling::Sniff).map(|sequence| sequence.offset);
    /// assert!(offsets.eq([3, 6]));
    /// ```
    pub fn malformed_sequences<'a>(
        &'static self,
        bytes: &'a [u8],
        bom: BomHandling,
    ) -> impl FusedIterator<Item = MalformedSequence> + Clone + Debug + use<'a> {
        MalformedSequences {
            decoder: Decoder::new(self, bom),
            rest: bytes,
            finished: false,
        }
    }
}

impl Iterator for MalformedSequences<'_> {
    type Item = MalformedSequence;

    fn next(&mut self) -> Option<MalformedSequence> {
        // The decoded text is discarded.
        let mut text = [MaybeUninit::<u16>::uninit(); 1024];
        while !self.finished {
            let progress = self.decoder.decode_fatal(self.rest, &mut text, true);
            self.rest = &self.rest[progress.read..];
            match progress.status {
                Status::Malformed(sequence) => return Some(sequence),
                Status::InputEmpty => self.finished = true,
                _ => {}
            }
        }
        None
    }
}

impl FusedIterator for MalformedSequences<'_> {}
