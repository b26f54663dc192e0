//! `TextDecoder` (sections 7.1 and 7.2), without JavaScript.

use crate::encoding::Encoding;
use crate::instances::Decoder;
use crate::io_queue::{IoQueue, Item};
use crate::labels::get_an_encoding;
use crate::process_queue::{ErrorMode, Processed, process_an_item};

/// The constructor's RangeError, for an unknown label or a label of replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError;

/// The `decode` method's TypeError, in error mode "fatal".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeError;

/// `TextDecoderOptions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextDecoderOptions {
    /// `fatal`: the error mode is "fatal" rather than "replacement".
    pub fatal: bool,
    /// `ignoreBOM`: a byte order mark is part of the output.
    pub ignore_bom: bool,
}

/// `TextDecoder`.
#[derive(Debug)]
pub struct TextDecoder {
    encoding: Encoding,
    decoder: Decoder,
    io_queue: IoQueue<u8>,
    ignore_bom: bool,
    bom_seen: bool,
    error_mode: ErrorMode,
    do_not_flush: bool,
}

impl TextDecoder {
    /// `new TextDecoder(label, options)`.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        // Step 1.
        let encoding = get_an_encoding(label);
        // Step 2.
        let Some(encoding) = encoding else {
            return Err(RangeError);
        };
        if encoding == Encoding::Replacement {
            return Err(RangeError);
        }
        Ok(TextDecoder {
            // Step 3.
            encoding,
            // Step 4. If options["fatal"] is true, then set this's error mode to "fatal".
            error_mode: if options.fatal {
                ErrorMode::Fatal
            } else {
                ErrorMode::Replacement
            },
            // Step 5.
            ignore_bom: options.ignore_bom,
            // The decode method sets the decoder, because the flag "do not flush" is false.
            decoder: encoding.decoder(),
            io_queue: IoQueue::immediate(&[]),
            bom_seen: false,
            do_not_flush: false,
        })
    }

    /// The `encoding` getter: the name in ASCII lowercase.
    pub fn encoding(&self) -> String {
        self.encoding.name().to_ascii_lowercase()
    }

    /// `decode(input, options)`, where `stream` is `options["stream"]`. For an omitted input, pass an empty one.
    ///
    /// After a [`TypeError`] while streaming, the unread input and the decoder's state remain. By the Standard, do not
    /// flush is then true, so step 1 of the next call does not reset them.
    pub fn decode(&mut self, input: &[u8], stream: bool) -> Result<String, TypeError> {
        // Step 1.
        if !self.do_not_flush {
            self.decoder = self.encoding.decoder();
            self.io_queue = IoQueue::immediate(&[]);
            self.bom_seen = false;
        }
        // Step 2.
        self.do_not_flush = stream;
        // Step 3.
        self.io_queue.push_all(input);
        // Step 4.
        let mut output = IoQueue::immediate(&[]);
        // Step 5. While true:
        loop {
            // Step 5.1.
            let item = self.io_queue.read();
            // Step 5.2.
            if item == Item::EndOfQueue && self.do_not_flush {
                return Ok(self.serialize_io_queue(output));
            }
            // Step 5.3. Otherwise:
            // Step 5.3.1.
            let result = process_an_item(
                item,
                &mut self.decoder,
                &mut self.io_queue,
                &mut output,
                self.error_mode,
            );
            match result {
                // Step 5.3.2.
                Processed::Finished => return Ok(self.serialize_io_queue(output)),
                // Step 5.3.3.
                Processed::Error(_) => return Err(TypeError),
                Processed::Continue => {}
            }
        }
    }

    /// Returns the number of bytes in the I/O queue.
    pub fn unread_input(&self) -> usize {
        let mut queue = self.io_queue.clone();
        let mut unread = 0;
        while let Item::Value(_) = queue.read() {
            unread += 1;
        }
        unread
    }

    /// Empties the I/O queue, as the Web platform's tests require after an error.
    pub fn forget_unread_input(&mut self) {
        self.io_queue = IoQueue::immediate(&[]);
    }

    /// Serialize I/O queue.
    fn serialize_io_queue(&mut self, mut io_queue: IoQueue<char>) -> String {
        // Step 1.
        let mut output = String::new();
        // Step 2. While true:
        loop {
            // Step 2.1.
            let item = io_queue.read();
            // Step 2.2.
            let Item::Value(item) = item else {
                return output;
            };
            // Step 2.3.
            if matches!(
                self.encoding,
                Encoding::Utf8 | Encoding::Utf16Be | Encoding::Utf16Le
            ) && !self.ignore_bom
                && !self.bom_seen
            {
                // Step 2.3.1.
                self.bom_seen = true;
                // Step 2.3.2.
                if item == '\u{FEFF}' {
                    continue;
                }
            }
            // Step 2.4.
            output.push(item);
        }
    }
}
