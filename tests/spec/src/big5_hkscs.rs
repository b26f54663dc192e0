//! **Extension of mojika**, not in the Standard: the encoder of Big5 with the Hong Kong supplement of 2008. The decoder is the
//! Standard's.

use crate::handler::{Handler, HandlerResult, is_ascii_code_point};
use crate::indexes;
use crate::io_queue::{IoQueue, Item};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Pairs that the encoder does not write, because their characters have other pairs.
const RESERVED: &str = "8e69 8e6f 8e7e 8eab 8eb4 8ecd 8ed0 8f57 8f69 8f6e 8fcb 8fcc 8ffe 906d 907a 90dc 90f1 91bf 9244 92af \
    92b0 92b1 92b2 92c8 92d1 9447 94ca 95d9 9644 96ed 96fc 9b76 9b78 9b7b 9bc6 9bde 9bec 9bf6 9c42 9c53 9c62 9c68 9c6b 9c77 \
    9cbc 9cbd 9cd0 9d57 9d5a 9dc4 9ea9 9eef 9efd 9f60 9f66 9fcb 9fd8 a063 a077 a0d5 a0df a0e4 a2cc a2ce c6cf c6d3 c6d5 c6d7 \
    c6de c6df fa5f fa66 fabd fac5 fad5 fb48 fbb8 fbf3 fbf9 fc4f fc6c fcb9 fce2 fcf1 fdb7 fdb8 fdbb fdf1 fe52 fe6f feaa fedd";

/// Box-drawing characters with several pairs. Like the Standard's encoder, this one writes the last pair.
const LAST: &str = "\u{2550}\u{255E}\u{2561}\u{256A}";

fn pairs() -> &'static BTreeMap<char, [u8; 2]> {
    static PAIRS: OnceLock<BTreeMap<char, [u8; 2]>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let mut pairs = BTreeMap::new();
        for &(pointer, code_point) in indexes::index_big5().entries() {
            let cell = pointer % 157;
            let trail = if cell < 63 { cell + 0x40 } else { cell + 0x62 };
            let pair = [(pointer / 157) as u8 + 0x81, trail as u8];
            let digits = format!("{:02x}{:02x}", pair[0], pair[1]);
            if RESERVED.split(' ').any(|reserved| reserved == digits) {
                continue;
            }
            if LAST.contains(code_point) {
                pairs.insert(code_point, pair);
            } else {
                pairs.entry(code_point).or_insert(pair);
            }
        }
        pairs
    })
}

/// The encoder.
#[derive(Clone, Debug, Default)]
pub struct Big5HkscsEncoder;

impl Handler for Big5HkscsEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(code_point.into());
        }
        match pairs().get(&code_point) {
            Some(pair) => HandlerResult::items(pair),
            None => HandlerResult::error_with(code_point),
        }
    }
}
