//! Target `bom`: whole, partial and doubled byte order marks, with every handling, in one call and in small chunks.
//!
//! The first byte selects the encoding. The second one selects the instruction set (low half) and the start of the
//! input (high half). The third one has the lengths of the first chunks (two bits each). The rest is the payload.

use crate::input::Input;
use crate::{encodings, levels};
use mojika::{BomHandling, Decoder};
use mojika_proof::engine::{decode_whole, replaced};
use mojika_proof::expected::Decoding;
use mojika_proof::subject::Subject;
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
fn start(subject: Subject, chosen: u8) -> Vec<u8> {
    let chosen = usize::from(chosen >> 4);
    match subject.utf_32() {
        Some(extended) => {
            let own = extended.code_unit(0xFEFF);
            // Two values select none or half of the mark's bytes, the other values all bytes.
            let length = [0, 2, 4, 4][chosen % 4];
            [&own[..length], BEHIND[chosen / 4]].concat()
        }
        None => STARTS[chosen].to_vec(),
    }
}

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let subject = encodings::choose(&mut input);
    let chosen = input.byte();
    let level = levels::choose(chosen % 16);
    let chunks = input.byte();
    let mut bytes = start(subject, chosen);
    bytes.extend_from_slice(input.0);

    let context = || format!("{} at {level}, {bytes:02X?}", subject.name());
    sniff(&bytes);
    if subject.spec == mojika_spec::Encoding::Utf8 {
        utf_8_hooks(&bytes);
    }
    // Also compare the Standard's own "decode", which combines BOM sniffing and decoding.
    let spec = hooks::decode_bytes(&bytes, subject.spec);
    assert_eq!(
        mojika::hooks::decode(&bytes, subject.engine).text,
        spec,
        "{}",
        context()
    );
    for handling in [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep] {
        if let Err(found) = decode_whole(subject, handling, &bytes) {
            panic!("{handling:?}: {found}, {}", context());
        }
        stream(subject, handling, &bytes, chunks, &context);
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

/// Decodes a stream in chunks: the first four have 0 to 3 bytes, the fifth has the rest, and the last one is empty.
fn stream(
    subject: Subject,
    handling: BomHandling,
    bytes: &[u8],
    chunks: u8,
    context: &dyn Fn() -> String,
) {
    let (expected, encoding, bom_length) = Decoding::marked(subject, handling, bytes);
    let mut decoder = Decoder::new(subject.engine, handling);
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
        assert_eq!(decoder.encoding().name(), encoding.name(), "{}", context());
    }
    had_errors |= decoder.decode_append(&[], &mut text, true).had_errors;
    assert_eq!(
        text.as_bytes(),
        replaced::<u8>(&expected.as_ref()),
        "{handling:?} in chunks {chunks:02X}, {}",
        context()
    );
    assert_eq!(had_errors, !expected.errors.is_empty(), "{}", context());
    // `encoding` returns the encoding of the finished stream, until the next one starts.
    assert_eq!(decoder.encoding().name(), encoding.name(), "{}", context());
    decoder.reset();
    assert_eq!(decoder.encoding(), subject.engine, "as new: {}", context());
}
