//! Section G: edits of documents. Bytes outside of the edits stay unchanged, and the result decodes to the edited text.

use crate::engine::replaced;
use crate::expected::Decoding;
use crate::report::{Failure, Tally, hex};
use crate::run::{Check, Job, Profile, run as run_jobs};
use crate::subject::Subject;
use mojika::BomHandling;
use mojika_drive::edits::{Edits, STARTS, check, encodable, random_edits};
use mojika_spec::Random;

/// Runs section G. The full profile has ten million cases, over all encodings and four levels.
pub fn run(profile: &Profile, tally: &Tally) {
    let subjects: Vec<Subject> = profile.subjects().collect();
    let each = profile.of(1000, 150);
    // In single-byte encodings, bytes do not combine, so fewer cases suffice.
    let batches = |subject: Subject| match subject.engine.is_single_byte() {
        true => profile.of(8, 1),
        false => profile.of(120, 2),
    };
    let jobs = subjects.into_iter().flat_map(|subject| {
        (0..batches(subject)).map(move |batch| -> Job {
            Box::new(move || -> Check { Box::new(move |tally| cases(subject, batch, each, tally)) })
        })
    });
    run_jobs(profile, jobs, tally);
}

fn cases(subject: Subject, batch: u64, count: u64, tally: &Tally) {
    for case in 0..count {
        let seeds = [0x45, subject.number() as u64, batch, case];
        let (bom, bytes, edits) = any(subject, &mut Random::from_seeds(&seeds));
        let oracle = |bytes: &[u8]| decode(subject, bom, bytes);
        if let Err(detail) = check(subject.engine, bom, &bytes, &edits, &oracle) {
            tally.differ(|| Failure {
                encoding: subject.name(),
                operation: "edit",
                split: format!("{bom:?}, edits {edits:?}"),
                input: hex(&bytes),
                detail: detail.clone(),
            });
        }
    }
    tally.count(count);
}

/// Returns a document of odd bytes, and edits whose replacements are mostly mappable.
fn any(subject: Subject, random: &mut Random) -> (BomHandling, Vec<u8>, Edits) {
    let bom = match random.below(3) {
        0 => BomHandling::Keep,
        1 => BomHandling::Remove,
        _ => BomHandling::Sniff,
    };
    let length = random.below(60);
    let mut bytes = random.odd_bytes(length);
    if random.below(8) == 0 {
        let start: &[u8] = random.pick::<&[u8]>(&STARTS);
        bytes.splice(0..0, start.iter().copied());
    }
    let text = decode(subject, bom, &bytes);
    let mut more = random.clone();
    more.next();
    let mut replacement = || match more.below(6) {
        0 => more.odd_text(3),
        1 => ["\u{FFFD}", "\u{FEFF}", "\n", "a", "(B", "$B"][more.below(6)].into(),
        _ => encodable(subject.engine, &more.odd_bytes(6)),
    };
    let edits = random_edits(&text, 3, &mut |most| random.below(most), &mut replacement);
    (bom, bytes, edits)
}

/// The transliteration's text.
pub fn decode(subject: Subject, bom: BomHandling, bytes: &[u8]) -> String {
    let (decoding, ..) = Decoding::marked(subject, bom, bytes);
    mojika_drive::Form::text(&replaced::<u8>(&decoding.as_ref()))
}
