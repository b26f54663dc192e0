//! One-shot calls: the functions that return a whole text, or all bytes of one.

use super::{Difference, replaced, same};
use crate::expected::{Decoding, Encoded};
use crate::subject::Subject;
use mojika::{BomHandling, EncodeError, Fallback};
use std::fmt::Debug;

/// Decodes by each function that returns a text, and compares the text, its encoding, the mark's length, and errors.
pub fn decode_whole(subject: Subject, bom: BomHandling, bytes: &[u8]) -> Result<(), Difference> {
    let (expected, encoding, length) = Decoding::marked(subject, bom, bytes);
    let text = expected.as_ref();
    let facts = (encoding.name(), length, !expected.errors.is_empty());
    let decoded = subject.engine.with(bom).decode(bytes);
    same(decoded.text.as_bytes(), &replaced::<u8>(&text))?;
    let found = (decoded.encoding.name(), decoded.bom_length);
    equal((found.0, found.1, decoded.had_errors), facts)?;
    let mut units = Vec::new();
    let decoded = subject.engine.with(bom).decode_append(bytes, &mut units);
    same(&units, &replaced::<u16>(&text))?;
    let found = (decoded.encoding.name(), decoded.bom_length);
    equal((found.0, found.1, decoded.had_errors), facts)?;
    match (
        subject.engine.with(bom).decode_fatal(bytes),
        expected.errors.first(),
    ) {
        (Ok(decoded), None) => {
            same(decoded.text.as_bytes(), &expected.utf8)?;
            equal((decoded.encoding.name(), decoded.bom_length, false), facts)
        }
        (Err(error), Some(first)) => {
            let sequence = (error.sequence.offset, error.sequence.len.into());
            equal(sequence, (first.offset as u64, first.len))?;
            equal(error.encoding.name(), encoding.name())
        }
        (found, first) => Err(format!("fatal: engine {found:?}, oracle {first:?}")),
    }
}

/// Encodes by each function that returns bytes, and compares the bytes and the unmappable scalar values.
pub fn encode_whole(subject: Subject, text: &str, expected: &Encoded) -> Result<(), Difference> {
    let mut errors = (expected.unmappables.iter()).map(|error| (error.scalar, error.utf8 as u64));
    let html = (subject.engine.encode_html(text)).map_err(|error| error.to_string())?;
    same(&html.bytes, &expected.html)?;
    equal(html.had_errors, !expected.unmappables.is_empty())?;
    let mut reported = Vec::new();
    let with = subject.engine.encode_or_else(text, |unmappable| {
        reported.push((unmappable.scalar, unmappable.offset));
        Fallback::Html
    });
    same(
        &with.map_err(|error| error.to_string())?.bytes,
        &expected.html,
    )?;
    equal(reported, errors.clone().collect())?;
    match (subject.engine.encode(text), errors.next()) {
        (Ok(bytes), None) => same(&bytes, &expected.bytes),
        (Err(EncodeError::Unmappable { unmappable, .. }), Some(first)) => {
            equal((unmappable.scalar, unmappable.offset), first)
        }
        (found, first) => Err(format!("fatal: engine {found:?}, oracle {first:?}")),
    }
}

/// Compares the engine's value with the oracle's. An error describes both.
pub fn equal<T: PartialEq + Debug>(engine: T, oracle: T) -> Result<(), Difference> {
    match engine == oracle {
        true => Ok(()),
        false => Err(format!("engine {engine:?}, oracle {oracle:?}")),
    }
}
