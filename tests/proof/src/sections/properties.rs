//! Section F: one-shot calls. They return the text of the oracle, borrow unchanged text, and obey byte order marks.

use super::failure;
use crate::engine::{Difference, calmly, decode_whole, encode_whole, same};
use crate::expected::{Encoded, Text};
use crate::inputs::{noise, text};
use crate::report::{Tally, hex};
use crate::run::{Check, Job, Profile, run as run_jobs};
use crate::subject::Subject;
use mojika::BomHandling;
use mojika_spec::{Encoding, Random};
use std::borrow::Cow;

/// Runs section F.
pub fn run(profile: &Profile, tally: &Tally) {
    let tests = profile.of(1000, 100);
    let jobs = profile.subjects().map(|subject| -> Job {
        Box::new(move || -> Check { Box::new(move |tally| check(subject, tests, tally)) })
    });
    run_jobs(profile, jobs, tally);
}

fn check(subject: Subject, tests: u64, tally: &Tally) {
    let random = &mut Random::from_seeds(&[subject.number() as u64, 0xF]);
    for _ in 0..tests {
        let bytes = arbitrary(subject, random);
        let cut = random.below(bytes.len() + 1);
        let boms = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep];
        let decoded = || {
            boms.iter()
                .try_for_each(|&bom| decode_whole(subject, bom, &bytes))
        };
        let mut results = vec![
            ("decode, in one call", calmly(&mut { decoded }), hex(&bytes)),
            (
                "decode, borrowing",
                borrows_text(subject, &bytes),
                hex(&bytes),
            ),
            (
                "decode, with a mark",
                obeys_marks(subject, &bytes, cut),
                hex(&bytes),
            ),
        ];
        if subject.encodes() {
            let length = random.below(200);
            let mut scalars = text(subject, random, length);
            if random.below(6) == 0 {
                scalars.retain(char::is_ascii);
            }
            let text: String = scalars.iter().collect();
            let expected = Encoded::of(subject, &Text::of(&scalars));
            let mut encoded = || encode_whole(subject, &text, &expected);
            results.push(("encode, in one call", calmly(&mut encoded), text.clone()));
            results.push(("encode, borrowing", borrows_bytes(subject, &text), text));
        }
        tally.count(results.len() as u64);
        for (operation, result, input) in results {
            if let Err(detail) = result {
                let split = format!("cut at {cut}");
                tally.differ(|| failure(subject, operation, split, input, detail));
            }
        }
    }
}

/// Returns bytes for a decoder. Some begin with a byte order mark, or with a part of one.
fn arbitrary(subject: Subject, random: &mut Random) -> Vec<u8> {
    const MARKS: [&[u8]; 6] = [
        b"\xEF\xBB\xBF",
        b"\xFE\xFF",
        b"\xFF\xFE",
        b"\xEF\xBB",
        b"\xEF",
        b"\xFF",
    ];
    let length = random.below(400);
    let mut bytes = noise(subject, random, length);
    if random.below(4) == 0 {
        bytes.splice(0..0, random.pick(&MARKS).iter().copied());
    }
    if random.below(6) == 0 {
        bytes.retain(u8::is_ascii);
    }
    bytes
}

/// Checks that text or bytes are borrowed exactly when they are unchanged.
///
/// Some encodings may copy unchanged text. In others, ASCII characters have other bytes, so that only the empty text is
/// unchanged. CESU-8 and WTF-8 differ from UTF-8 in a few characters, and borrow only ASCII.
fn borrows_rightly(
    subject: Subject,
    is_borrowed: bool,
    is_unchanged: bool,
) -> Result<(), Difference> {
    let holds = match subject.spec {
        Encoding::Extended(_)
            if !subject.engine.is_ascii_compatible()
                || ["CESU-8", "WTF-8"].contains(&subject.engine.name()) =>
        {
            is_unchanged || !is_borrowed
        }
        _ => is_borrowed == is_unchanged,
    };
    match holds {
        true => Ok(()),
        false => Err(format!(
            "borrowed: {is_borrowed}, unchanged: {is_unchanged}"
        )),
    }
}

/// Checks that text is borrowed exactly when its bytes are those of the input.
fn borrows_text(subject: Subject, bytes: &[u8]) -> Result<(), Difference> {
    let fatal = subject.engine.with(BomHandling::Keep).decode_fatal(bytes);
    let lenient = [
        subject.engine.decode(bytes),
        subject.engine.with(BomHandling::Remove).decode(bytes),
        subject.engine.with(BomHandling::Keep).decode(bytes),
    ];
    lenient.into_iter().chain(fatal).try_for_each(|decoded| {
        let unchanged = decoded.text.as_bytes() == &bytes[decoded.bom_length..];
        borrows_rightly(subject, matches!(decoded.text, Cow::Borrowed(_)), unchanged)
    })
}

/// Checks that bytes are borrowed exactly when they are those of the text.
fn borrows_bytes(subject: Subject, text: &str) -> Result<(), Difference> {
    let encoded = subject.engine.encode_html(text);
    let encoded = encoded.map_err(|error| error.to_string())?;
    let is_borrowed = matches!(encoded.bytes, Cow::Borrowed(_));
    borrows_rightly(subject, is_borrowed, *encoded.bytes == *text.as_bytes())
}

/// Checks that "decode" obeys byte order marks in two chunks.
fn obeys_marks(subject: Subject, bytes: &[u8], cut: usize) -> Result<(), Difference> {
    let expected = mojika_spec::hooks::decode_bytes(bytes, subject.spec);
    let mut decoder = subject.engine.new_decoder();
    let mut text = String::new();
    decoder.decode_append(&bytes[..cut], &mut text, false);
    decoder.decode_append(&bytes[cut..], &mut text, true);
    same(text.as_bytes(), expected.as_bytes())
}
