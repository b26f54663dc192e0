//! The mixin `TextDecoderCommon` (section 7.1 of the Standard), shared by `TextDecoder` and `TextDecoderStream`.

use super::{RangeError, TypeError};
use crate::{
    AppendTarget, BomHandling, Decoder, Encoding, REPLACEMENT, Status, UTF_8, UTF_16BE, UTF_16LE,
};
use alloc::string::String;
use alloc::vec::Vec;

/// The dictionary `TextDecoderOptions`: the options of a new decoder.
///
/// ```
/// use mojika::web::{TextDecoder, TextDecoderOptions};
///
/// let options = TextDecoderOptions { ignore_bom: true, ..TextDecoderOptions::default() };
/// let mut decoder = TextDecoder::new("utf-8", options)?;
/// assert_eq!(decoder.decode(b"\xEF\xBB\xBFa", Default::default())?, "\u{FEFF}a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TextDecoderOptions {
    /// `fatal`: malformed input is a [`TypeError`]; otherwise it becomes U+FFFD.
    pub fatal: bool,
    /// `ignoreBOM`: a byte order mark is text. Otherwise the encoding's own mark is dropped. Other marks are always
    /// text.
    pub ignore_bom: bool,
}

/// A string that decoded text is put in: UTF-8 or UTF-16.
pub(super) trait Sink: Default + AppendTarget {
    fn is_empty(&self) -> bool;

    /// Drops the first scalar value if it is U+FEFF.
    fn drop_bom(&mut self);
}

impl Sink for String {
    fn is_empty(&self) -> bool {
        String::is_empty(self)
    }

    fn drop_bom(&mut self) {
        if self.starts_with('\u{FEFF}') {
            self.drain(..'\u{FEFF}'.len_utf8());
        }
    }
}

impl Sink for Vec<u16> {
    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }

    fn drop_bom(&mut self) {
        if self.first() == Some(&0xFEFF) {
            self.remove(0);
        }
    }
}

/// The mixin's fields.
#[derive(Clone, Debug)]
pub(super) struct TextDecoderCommon {
    pub encoding: &'static Encoding,
    /// Treats a byte order mark as content: the mark is dropped when output is serialized. The decoder's own handling
    /// would differ after an error: that call has no output, and the next one may still begin with a mark.
    decoder: Decoder,
    /// The bytes from `front` on are input that was unread when an error occurred; without an error there are none. The
    /// I/O queue consists of the bytes that the decoder has restored after a malformed sequence, and then of these.
    queue: Vec<u8>,
    front: usize,
    pub ignore_bom: bool,
    bom_seen: bool,
    /// True if the error mode is "fatal".
    pub fatal: bool,
}

impl TextDecoderCommon {
    /// Runs the first steps of both objects' constructors.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        // Steps 1 and 2.
        let encoding = Encoding::for_label(label).ok_or(RangeError::UnknownLabel)?;
        if encoding == REPLACEMENT {
            return Err(RangeError::ReplacementLabel);
        }
        // Steps 3 to 5.
        Ok(Self::of(encoding, options))
    }

    pub fn of(encoding: &'static Encoding, options: TextDecoderOptions) -> Self {
        Self {
            encoding,
            decoder: Decoder::new(encoding, BomHandling::Keep),
            queue: Vec::new(),
            front: 0,
            ignore_bom: options.ignore_bom,
            bom_seen: false,
            fatal: options.fatal,
        }
    }

    /// Returns the name of the encoding in lower case.
    pub fn name(&self) -> String {
        self.encoding.name().to_ascii_lowercase()
    }

    /// Resets to a new decoder, an empty I/O queue and no BOM seen.
    pub fn reset(&mut self) {
        self.decoder.reset();
        self.clear_queue();
        self.bom_seen = false;
    }

    /// Empties the I/O queue, also of the bytes that the decoder has restored to it.
    pub fn forget_queue(&mut self) {
        self.clear_queue();
        self.decoder.forget_restored();
    }

    /// Returns the number of bytes in the I/O queue, including those that the decoder has restored to it.
    pub fn queued(&self) -> usize {
        self.unread() + self.decoder.restored_len()
    }

    fn clear_queue(&mut self) {
        self.queue.clear();
        self.front = 0;
    }

    /// Returns the number of bytes that the decoder has not read.
    fn unread(&self) -> usize {
        self.queue.len() - self.front
    }

    /// Pushes `input` to the I/O queue and processes the items of the queue, and end-of-queue if `flush` is set.
    ///
    /// An error leaves the unread input in the queue.
    pub fn process<S: Sink>(&mut self, input: &[u8], flush: bool) -> Result<S, TypeError> {
        let has_queue = self.unread() > 0;
        if has_queue {
            // Bytes read are removed once they are the greater part, so that many errors cost linear time.
            if self.front > self.queue.len() / 2 {
                self.queue.drain(..self.front);
                self.front = 0;
            }
            self.queue.extend_from_slice(input);
        }
        let src = if has_queue {
            &self.queue[self.front..]
        } else {
            input
        };
        let mut output = S::default();
        if self.fatal {
            let progress = self.decoder.decode_append_fatal(src, &mut output, flush);
            if let Status::Malformed(sequence) = progress.status {
                if has_queue {
                    self.front += progress.read;
                } else {
                    self.clear_queue();
                    self.queue.extend_from_slice(&input[progress.read..]);
                }
                return Err(TypeError {
                    encoding: self.encoding,
                    sequence,
                });
            }
        } else {
            self.decoder.decode_append(src, &mut output, flush);
        }
        self.clear_queue();
        Ok(self.serialize_io_queue(output))
    }

    /// "Serialize I/O queue".
    fn serialize_io_queue<S: Sink>(&mut self, mut output: S) -> S {
        // Step 2.3. Only the first item of the queue can be a byte order mark.
        let has_bom = [UTF_8, UTF_16BE, UTF_16LE].contains(&self.encoding);
        if has_bom && !self.ignore_bom && !self.bom_seen && !output.is_empty() {
            // Step 2.3.1.
            self.bom_seen = true;
            // Step 2.3.2.
            output.drop_bom();
        }
        output
    }
}
