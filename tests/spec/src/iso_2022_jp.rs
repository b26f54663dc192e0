//! ISO-2022-JP (section 12.2).

use crate::handler::{DecoderState, Handler, HandlerResult, is_ascii_code_point};
use crate::indexes::{index_iso_2022_jp_katakana, index_jis0208};
use crate::io_queue::{IoQueue, Item};

/// ISO-2022-JP's decoder.
#[derive(Clone, Debug)]
pub struct Iso2022JpDecoder {
    state: DecoderState,
    output_state: DecoderState,
    lead: u8,
    output: bool,
}

impl Default for Iso2022JpDecoder {
    fn default() -> Self {
        Iso2022JpDecoder {
            state: DecoderState::Ascii,
            output_state: DecoderState::Ascii,
            lead: 0x00,
            output: false,
        }
    }
}

impl Iso2022JpDecoder {
    fn escape(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        // Step 1.
        let leading = self.lead;
        self.lead = 0x00;
        // Step 2.
        let mut state = None;
        // Step 3.
        if leading == 0x28 && byte == Item::Value(0x42) {
            state = Some(DecoderState::Ascii);
        }
        // Step 4.
        if leading == 0x28 && byte == Item::Value(0x4A) {
            state = Some(DecoderState::Roman);
        }
        // Step 5.
        if leading == 0x28 && byte == Item::Value(0x49) {
            state = Some(DecoderState::Katakana);
        }
        // Step 6.
        if leading == 0x24 && (byte == Item::Value(0x40) || byte == Item::Value(0x42)) {
            state = Some(DecoderState::LeadByte);
        }
        // Step 7.
        if let Some(state) = state {
            // Step 7.1.
            self.state = state;
            self.output_state = state;
            // Step 7.2.
            let output = self.output;
            // Step 7.3.
            self.output = true;
            // Step 7.4.
            return if !output {
                HandlerResult::Continue
            } else {
                HandlerResult::error()
            };
        }
        // Step 8.
        match byte {
            Item::EndOfQueue => io_queue.restore(leading),
            Item::Value(byte) => io_queue.restore_all(&[leading, byte]),
        }
        // Step 9.
        self.output = false;
        self.state = self.output_state;
        HandlerResult::error()
    }
}

impl Handler for Iso2022JpDecoder {
    type Input = u8;
    type Output = char;

    fn state(&self) -> Option<DecoderState> {
        Some(self.state)
    }

    /// Switching on ISO-2022-JP decoder state.
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        match self.state {
            DecoderState::Ascii => match byte {
                Item::Value(0x1B) => {
                    self.state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x00..=0x7F) if byte != 0x0E && byte != 0x0F => {
                    self.output = false;
                    HandlerResult::code_point(u32::from(byte))
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::error()
                }
            },
            DecoderState::Roman => match byte {
                Item::Value(0x1B) => {
                    self.state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(0x5C) => {
                    self.output = false;
                    HandlerResult::items(&['\u{00A5}'])
                }
                Item::Value(0x7E) => {
                    self.output = false;
                    HandlerResult::items(&['\u{203E}'])
                }
                Item::Value(byte @ 0x00..=0x7F) if byte != 0x0E && byte != 0x0F => {
                    self.output = false;
                    HandlerResult::code_point(u32::from(byte))
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::error()
                }
            },
            DecoderState::Katakana => match byte {
                Item::Value(0x1B) => {
                    self.state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x5F) => {
                    self.output = false;
                    HandlerResult::code_point(0xFF61 - 0x21 + u32::from(byte))
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::error()
                }
            },
            DecoderState::LeadByte => match byte {
                Item::Value(0x1B) => {
                    self.state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x7E) => {
                    self.output = false;
                    self.lead = byte;
                    self.state = DecoderState::TrailByte;
                    HandlerResult::Continue
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::error()
                }
            },
            DecoderState::TrailByte => match byte {
                Item::Value(0x1B) => {
                    self.state = DecoderState::EscapeStart;
                    HandlerResult::error()
                }
                Item::Value(byte @ 0x21..=0x7E) => {
                    // Step 1.
                    self.state = DecoderState::LeadByte;
                    // Step 2.
                    let pointer = (usize::from(self.lead) - 0x21) * 94 + usize::from(byte) - 0x21;
                    // Step 3.
                    let code_point = index_jis0208().code_point(pointer);
                    // Step 4.
                    let Some(code_point) = code_point else {
                        return HandlerResult::error();
                    };
                    // Step 5.
                    HandlerResult::items(&[code_point])
                }
                Item::EndOfQueue => {
                    self.state = DecoderState::LeadByte;
                    HandlerResult::error()
                }
                Item::Value(_) => {
                    self.state = DecoderState::LeadByte;
                    HandlerResult::error()
                }
            },
            DecoderState::EscapeStart => {
                // Step 1.
                if let Item::Value(byte @ (0x24 | 0x28)) = byte {
                    self.lead = byte;
                    self.state = DecoderState::Escape;
                    return HandlerResult::Continue;
                }
                // Step 2. If byte is not end-of-queue, then restore byte to ioQueue.
                if let Item::Value(byte) = byte {
                    io_queue.restore(byte);
                }
                // Step 3.
                self.output = false;
                self.state = self.output_state;
                HandlerResult::error()
            }
            DecoderState::Escape => self.escape(io_queue, byte),
        }
    }
}

/// ISO-2022-JP encoder state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EncoderState {
    #[default]
    Ascii,
    Roman,
    Jis0208,
}

/// ISO-2022-JP's encoder.
#[derive(Clone, Debug, Default)]
pub struct Iso2022JpEncoder {
    state: EncoderState,
}

impl Handler for Iso2022JpEncoder {
    type Input = char;
    type Output = u8;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<char>,
        code_point: Item<char>,
    ) -> HandlerResult<u8> {
        let Item::Value(mut code_point) = code_point else {
            // Step 1.
            if self.state != EncoderState::Ascii {
                self.state = EncoderState::Ascii;
                return HandlerResult::bytes(&[0x1B, 0x28, 0x42]);
            }
            // Step 2.
            return HandlerResult::Finished;
        };
        // Step 3. U+FFFD rather than codePoint, to prevent attacks.
        if (self.state == EncoderState::Ascii || self.state == EncoderState::Roman)
            && ['\u{000E}', '\u{000F}', '\u{001B}'].contains(&code_point)
        {
            return HandlerResult::error_with('\u{FFFD}');
        }
        // Step 4.
        if self.state == EncoderState::Ascii && is_ascii_code_point(code_point) {
            return HandlerResult::byte(u32::from(code_point));
        }
        // Step 5.
        if self.state == EncoderState::Roman
            && ((is_ascii_code_point(code_point)
                && code_point != '\u{005C}'
                && code_point != '\u{007E}')
                || code_point == '\u{00A5}'
                || code_point == '\u{203E}')
        {
            // Step 5.1.
            if is_ascii_code_point(code_point) {
                return HandlerResult::byte(u32::from(code_point));
            }
            // Step 5.2.
            if code_point == '\u{00A5}' {
                return HandlerResult::byte(0x5C);
            }
            // Step 5.3.
            return HandlerResult::byte(0x7E);
        }
        // Step 6.
        if is_ascii_code_point(code_point) && self.state != EncoderState::Ascii {
            io_queue.restore(code_point);
            self.state = EncoderState::Ascii;
            return HandlerResult::bytes(&[0x1B, 0x28, 0x42]);
        }
        // Step 7.
        if (code_point == '\u{00A5}' || code_point == '\u{203E}')
            && self.state != EncoderState::Roman
        {
            io_queue.restore(code_point);
            self.state = EncoderState::Roman;
            return HandlerResult::bytes(&[0x1B, 0x28, 0x4A]);
        }
        // Step 8.
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        // Step 9.
        if ('\u{FF61}'..='\u{FF9F}').contains(&code_point) {
            code_point = index_iso_2022_jp_katakana()
                .code_point((u32::from(code_point) - 0xFF61) as usize)
                .expect("the index is complete");
        }
        // Step 10. If pointer is non-null, it is less than 8836, due to the nature of index jis0208.
        let pointer = index_jis0208().pointer(code_point);
        // Step 11.
        let Some(pointer) = pointer else {
            // Step 11.1.
            if self.state == EncoderState::Jis0208 {
                io_queue.restore(code_point);
                self.state = EncoderState::Ascii;
                return HandlerResult::bytes(&[0x1B, 0x28, 0x42]);
            }
            // Step 11.2.
            return HandlerResult::error_with(code_point);
        };
        // Step 12.
        if self.state != EncoderState::Jis0208 {
            io_queue.restore(code_point);
            self.state = EncoderState::Jis0208;
            return HandlerResult::bytes(&[0x1B, 0x24, 0x42]);
        }
        // Step 13.
        let leading = pointer as u32 / 94 + 0x21;
        // Step 14.
        let trailing = pointer as u32 % 94 + 0x21;
        // Step 15.
        HandlerResult::bytes(&[leading, trailing])
    }
}
