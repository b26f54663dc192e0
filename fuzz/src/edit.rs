//! Target `edit`: replaces ranges of a document's text, and decodes the result.
//!
//! Byte 0 selects the encoding, byte 1 the number of edits (low two bits) and the handling of byte order marks (bit 2).
//! Each edit has three bytes: the distance from the last one, the number of removed characters, and the length of the
//! insertion. The insertion follows: UTF-8 or, if bit 7 of the length is set, bytes to decode. The rest is the document.

use crate::encodings;
use crate::input::Input;
use mojika::BomHandling;
use mojika_drive::edits::{self, Edits};
use mojika_proof::sections::edits::decode;

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let subject = encodings::choose(&mut input);
    let chosen = input.byte();
    let bom = match chosen & 4 {
        0 => BomHandling::Sniff,
        _ => BomHandling::Keep,
    };
    let mut steps = Vec::new();
    for _ in 0..chosen & 3 {
        let (distance, removed, length) = (input.byte(), input.byte(), input.byte());
        let bytes = input.take(usize::from(length % 16));
        let inserted = match length & 0x80 {
            0 => String::from_utf8_lossy(bytes).into_owned(),
            _ => edits::encodable(subject.engine, bytes),
        };
        steps.push((usize::from(distance), usize::from(removed), inserted));
    }
    let document = input.0;
    let decode = |bytes: &[u8]| decode(subject, bom, bytes);
    let text = decode(document);
    let boundaries: Vec<usize> = (0..=text.len())
        .filter(|&at| text.is_char_boundary(at))
        .collect();
    let (mut edits, mut at) = (Edits::new(), 0);
    for (distance, removed, inserted) in steps {
        let start = (at + distance).min(boundaries.len() - 1);
        let end = (start + removed % 8).min(boundaries.len() - 1);
        edits.push((boundaries[start]..boundaries[end], inserted));
        at = end;
    }
    if let Err(what) = edits::check(subject.engine, bom, document, &edits, &decode) {
        panic!(
            "{} {bom:?} {document:02X?} {edits:?}: {what}",
            subject.name()
        );
    }
}
