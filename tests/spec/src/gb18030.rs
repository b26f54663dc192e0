//! gb18030 and GBK (section 10).

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes::{
    index_gb18030, index_gb18030_ranges_code_point, index_gb18030_ranges_pointer,
};
use crate::io_queue::{IoQueue, Item};

/// The decoder of gb18030, which is also GBK's.
#[derive(Clone, Debug, Default)]
pub struct Gb18030Decoder {
    first: u8,
    second: u8,
    third: u8,
}

impl Handler for Gb18030Decoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            // Step 1.
            if self.first == 0x00 && self.second == 0x00 && self.third == 0x00 {
                return HandlerResult::Finished;
            }
            // Step 2.
            self.first = 0x00;
            self.second = 0x00;
            self.third = 0x00;
            return HandlerResult::error();
        };
        // Step 3.
        if self.third != 0x00 {
            // Step 3.1.
            if !(0x30..=0x39).contains(&byte) {
                // Step 3.1.1.
                io_queue.restore_all(&[self.second, self.third, byte]);
                // Step 3.1.2.
                self.first = 0x00;
                self.second = 0x00;
                self.third = 0x00;
                // Step 3.1.3.
                return HandlerResult::error();
            }
            // Step 3.2.
            let code_point = index_gb18030_ranges_code_point(
                ((usize::from(self.first) - 0x81) * (10 * 126 * 10))
                    + ((usize::from(self.second) - 0x30) * (10 * 126))
                    + ((usize::from(self.third) - 0x81) * 10)
                    + usize::from(byte)
                    - 0x30,
            );
            // Step 3.3.
            self.first = 0x00;
            self.second = 0x00;
            self.third = 0x00;
            // Step 3.4.
            let Some(code_point) = code_point else {
                return HandlerResult::error();
            };
            // Step 3.5.
            return HandlerResult::items(&[code_point]);
        }
        // Step 4.
        if self.second != 0x00 {
            // Step 4.1.
            if (0x81..=0xFE).contains(&byte) {
                self.third = byte;
                return HandlerResult::Continue;
            }
            // Step 4.2.
            io_queue.restore_all(&[self.second, byte]);
            self.first = 0x00;
            self.second = 0x00;
            return HandlerResult::error();
        }
        // Step 5.
        if self.first != 0x00 {
            // Step 5.1.
            if (0x30..=0x39).contains(&byte) {
                self.second = byte;
                return HandlerResult::Continue;
            }
            // Step 5.2.
            let leading = self.first;
            // Step 5.3.
            self.first = 0x00;
            // Step 5.4.
            let mut pointer = None;
            // Step 5.5.
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            // Step 5.6.
            if (0x40..=0x7E).contains(&byte) || (0x80..=0xFE).contains(&byte) {
                pointer = Some((usize::from(leading) - 0x81) * 190 + (usize::from(byte) - offset));
            }
            // Step 5.7.
            let code_point = pointer.and_then(|pointer| index_gb18030().code_point(pointer));
            // Step 5.8.
            if let Some(code_point) = code_point {
                return HandlerResult::items(&[code_point]);
            }
            // Step 5.9.
            if is_ascii_byte(byte) {
                io_queue.restore(byte);
            }
            // Step 5.10.
            return HandlerResult::error();
        }
        // Step 6.
        if is_ascii_byte(byte) {
            return HandlerResult::code_point(u32::from(byte));
        }
        // Step 7.
        if byte == 0x80 {
            return HandlerResult::items(&['\u{20AC}']);
        }
        // Step 8.
        if (0x81..=0xFE).contains(&byte) {
            self.first = byte;
            return HandlerResult::Continue;
        }
        // Step 9.
        HandlerResult::error()
    }
}

/// The rows of step 5 of the encoder: private-use code points that index gb18030 has not had since 2022.
pub const SIDE_TABLE: [(char, [u8; 2]); 18] = [
    ('\u{E78D}', [0xA6, 0xD9]),
    ('\u{E78E}', [0xA6, 0xDA]),
    ('\u{E78F}', [0xA6, 0xDB]),
    ('\u{E790}', [0xA6, 0xDC]),
    ('\u{E791}', [0xA6, 0xDD]),
    ('\u{E792}', [0xA6, 0xDE]),
    ('\u{E793}', [0xA6, 0xDF]),
    ('\u{E794}', [0xA6, 0xEC]),
    ('\u{E795}', [0xA6, 0xED]),
    ('\u{E796}', [0xA6, 0xF3]),
    ('\u{E81E}', [0xFE, 0x59]),
    ('\u{E826}', [0xFE, 0x61]),
    ('\u{E82B}', [0xFE, 0x66]),
    ('\u{E82C}', [0xFE, 0x67]),
    ('\u{E832}', [0xFE, 0x6D]),
    ('\u{E843}', [0xFE, 0x7E]),
    ('\u{E854}', [0xFE, 0x90]),
    ('\u{E864}', [0xFE, 0xA0]),
];

/// The encoder of gb18030 and of GBK.
#[derive(Clone, Debug)]
pub struct Gb18030Encoder {
    is_gbk: bool,
}

impl Gb18030Encoder {
    /// Creates an encoder with its "is GBK" set to `is_gbk`.
    pub fn new(is_gbk: bool) -> Self {
        Gb18030Encoder { is_gbk }
    }
}

impl Handler for Gb18030Encoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        // Step 1.
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        // Step 2.
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(u32::from(code_point));
        }
        // Step 3. Index gb18030 maps 0xA3 0xA0 to U+3000 rather than U+E5E5, so this would not roundtrip.
        if code_point == '\u{E5E5}' {
            return HandlerResult::error_with(code_point);
        }
        // Step 4.
        if self.is_gbk && code_point == '\u{20AC}' {
            return HandlerResult::byte(0x80);
        }
        // Step 5.
        if let Some((_, bytes)) = SIDE_TABLE.iter().find(|row| row.0 == code_point) {
            return HandlerResult::items(bytes);
        }
        // Step 6.
        let pointer = index_gb18030().pointer(code_point);
        // Step 7.
        if let Some(pointer) = pointer {
            // Step 7.1.
            let leading = pointer as u32 / 190 + 0x81;
            // Step 7.2.
            let trailing = pointer as u32 % 190;
            // Step 7.3.
            let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
            // Step 7.4.
            return HandlerResult::bytes(&[leading, trailing + offset]);
        }
        // Step 8.
        if self.is_gbk {
            return HandlerResult::error_with(code_point);
        }
        // Step 9.
        let mut pointer = index_gb18030_ranges_pointer(code_point) as u32;
        // Step 10.
        let byte1 = pointer / (10 * 126 * 10);
        // Step 11.
        pointer %= 10 * 126 * 10;
        // Step 12.
        let byte2 = pointer / (10 * 126);
        // Step 13.
        pointer %= 10 * 126;
        // Step 14.
        let byte3 = pointer / 10;
        // Step 15.
        let byte4 = pointer % 10;
        // Step 16.
        HandlerResult::bytes(&[byte1 + 0x81, byte2 + 0x30, byte3 + 0x81, byte4 + 0x30])
    }
}
