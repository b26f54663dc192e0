//! Target `bom`: whole, partial and doubled byte order marks, with every handling, in one call and in small chunks.
//!
//! The first byte selects the encoding. The second one selects the instruction set (low half) and the start of the
//! input (high half). The third one has the lengths of the first chunks (two bits each). The rest is the payload.

use crate::encodings::{self, Pair};
use crate::expect::{self, Decoded};
use crate::input::Input;
use crate::levels;
use mojika::{BomHandling, Decoder};
use mojika_spec::{IoQueue, hooks};

const STARTS: [&[u8]; 16] = [
    b"",
    b"\xEF\xBB\xBF",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xEF",
    b"\xEF\xBB",
    b"\xFE",
    b"\xFF",
    b"\xEF\xBB\xBF\xEF\xBB\xBF",
    b"\xFE\xFF\xFE\xFF",
    b"\xFF\xFE\xFF\xFE",
    b"\xEF\xBB\xEF\xBB\xBF",
    b"\xFE\xFE\xFF",
    b"\xFF\xFF\xFE",
    b"\xEF\xEF\xBB\xBF",
    b"\x1B(B\xEF\xBB\xBF",
];

/// Bytes after the UTF-32 input's own byte order mark, or after a part of that mark.
const BEHIND: [&[u8]; 4] = [b"", b"\0\0\xFE\xFF", b"\xFF\xFE\0\0", b"\xEF\xBB\xBF"];

/// Returns the start of the input that the upper half of `chosen` selects.
fn start(pair: Pair, chosen: u8) -> Vec<u8> {
    let chosen = usize::from(chosen >> 4);
    match pair.spec {
        mojika_spec::Encoding::Extended(extended) if extended.is_utf_32() => {
            let own = extended.code_unit(0xFEFF);
            // Two values select none or half of the mark's bytes, the other values all bytes.
            let length = [0, 2, 4, 4][chosen % 4];
            [&own[..length], BEHIND[chosen / 4]].concat()
        }
        _ => STARTS[chosen].to_vec(),
    }
}

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let pair = encodings::choose(&mut input);
    let chosen = input.byte();
    let level = levels::choose(chosen % 16);
    let chunks = input.byte();
    let mut bytes = start(pair, chosen);
    bytes.extend_from_slice(input.0);

    let context = || format!("{} at {level}, {bytes:02X?}", pair.spec.name());
    sniff(&bytes);
    if pair.spec == mojika_spec::Encoding::Utf8 {
        utf_8_hooks(&bytes);
    }
    // Also compare the Standard's own "decode", which combines BOM sniffing and decoding.
    let spec = hooks::decode_bytes(&bytes, pair.spec);
    assert_eq!(
        mojika::hooks::decode(&bytes, pair.engine).text,
        spec,
        "{}",
        context()
    );
    for handling in [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep] {
        one_shot(pair, handling, &bytes, &context);
        stream(pair, handling, &bytes, chunks, &context);
    }
}

fn sniff(bytes: &[u8]) {
    let spec = hooks::bom_sniff(&IoQueue::immediate(bytes)).map(|encoding| encoding.name());
    let found = mojika::Encoding::for_bom(bytes);
    assert_eq!(found.map(|(encoding, _)| encoding.name()), spec);
    assert_eq!(
        mojika::hooks::bom_sniff(bytes).map(|encoding| encoding.name()),
        spec
    );
    if let Some((encoding, length)) = found {
        assert_eq!(length, if encoding == mojika::UTF_8 { 3 } else { 2 });
    }
}

fn utf_8_hooks(bytes: &[u8]) {
    let queue = || IoQueue::immediate(bytes);
    assert_eq!(
        mojika::hooks::utf_8_decode(bytes),
        hooks::utf_8_decode(&mut queue()).into_string()
    );
    assert_eq!(
        mojika::hooks::utf_8_decode_without_bom(bytes),
        hooks::utf_8_decode_without_bom(&mut queue()).into_string()
    );
    assert_eq!(
        mojika::hooks::utf_8_decode_without_bom_or_fail(bytes).ok(),
        hooks::utf_8_decode_without_bom_or_fail(&mut queue()).map(|text| text.into_string().into())
    );
}

fn one_shot(pair: Pair, handling: BomHandling, bytes: &[u8], context: &dyn Fn() -> String) {
    let (items, bom_length) = expect::decode(pair, handling, bytes);
    let (encoding, _) = expect::bom(pair, handling, bytes);
    let utf_8 = Decoded::<u8>::new(&items, bom_length);
    let utf_16 = Decoded::<u16>::new(&items, bom_length);
    let had_errors = !utf_8.errors.is_empty();

    let decoded = pair.engine.decode_with(bytes, handling);
    assert_eq!(
        decoded.text.as_bytes(),
        utf_8.units,
        "{handling:?} {}",
        context()
    );
    assert_eq!(
        (
            decoded.encoding.name(),
            decoded.bom_length,
            decoded.had_errors
        ),
        (encoding.name(), bom_length, had_errors),
        "{handling:?} {}",
        context()
    );
    let mut units = Vec::new();
    let decoded = pair.engine.decode_append(bytes, handling, &mut units);
    assert_eq!(units, utf_16.units, "{handling:?} {}", context());
    assert_eq!(
        (
            decoded.encoding.name(),
            decoded.bom_length,
            decoded.had_errors
        ),
        (encoding.name(), bom_length, had_errors),
        "{handling:?} {}",
        context()
    );
    match pair.engine.decode_fatal(bytes, handling) {
        Ok(decoded) => {
            assert!(!had_errors, "{handling:?} {}", context());
            assert_eq!(decoded.text.as_bytes(), utf_8.units, "{}", context());
            assert_eq!(decoded.bom_length, bom_length, "{}", context());
        }
        Err(error) => {
            let found = (error.sequence.offset, error.sequence.len);
            let first = utf_8.errors.first().map(|first| (first.offset, first.len));
            assert_eq!(Some(found), first, "{handling:?} {}", context());
            assert_eq!(error.encoding.name(), encoding.name(), "{}", context());
        }
    }
}

/// Decodes a stream in chunks: the first four have 0 to 3 bytes, the fifth has the rest, and the last one is empty.
fn stream(
    pair: Pair,
    handling: BomHandling,
    bytes: &[u8],
    chunks: u8,
    context: &dyn Fn() -> String,
) {
    let (items, bom_length) = expect::decode(pair, handling, bytes);
    let expected = Decoded::<u8>::new(&items, bom_length);
    let mut decoder = Decoder::new(pair.engine, handling);
    let mut text = String::new();
    let mut input = Input(bytes);
    let mut had_errors = false;
    for number in 0..5 {
        let size = match number {
            4 => usize::MAX,
            _ => usize::from(chunks >> (2 * number) & 3),
        };
        let chunk = input.take(size);
        let progress = decoder.decode_append(chunk, &mut text, false);
        assert_eq!(progress.read, chunk.len(), "{handling:?} {}", context());
        had_errors |= progress.had_errors;
    }
    assert_eq!(decoder.position(), bytes.len() as u64, "{}", context());
    if bom_length > 0 {
        let (encoding, _) = expect::bom(pair, handling, bytes);
        assert_eq!(decoder.encoding().name(), encoding.name(), "{}", context());
    }
    had_errors |= decoder.decode_append(&[], &mut text, true).had_errors;
    assert_eq!(
        text.as_bytes(),
        expected.units,
        "{handling:?} in chunks {chunks:02X}, {}",
        context()
    );
    assert_eq!(had_errors, !expected.errors.is_empty(), "{}", context());
    // `encoding` returns the encoding of the finished stream, until the next one starts.
    let (encoding, _) = expect::bom(pair, handling, bytes);
    assert_eq!(decoder.encoding().name(), encoding.name(), "{}", context());
    decoder.reset();
    assert_eq!(decoder.encoding(), pair.engine, "as new: {}", context());
}
