//! mojika alone, under criterion: `cargo bench -p mojika-benches --bench codecs -- [FILTER]`.
//!
//! One group per operation and encoding, one bench per kind of text and size. `--save-baseline` and `--baseline` compare
//! two revisions.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mojika_benches::contestants::{self, Operation, Output};
use mojika_benches::inputs::{Input, Trouble, part, troubled};
use mojika_benches::subjects::Subject;
use mojika_benches::texts::{Kind, Texts};
use std::time::Duration;

const SIZES: [(&str, usize); 4] = [
    ("16B", 16),
    ("256B", 256),
    ("4KB", 4 << 10),
    ("1MB", 1 << 20),
];

const SUBJECTS: [(&str, &str); 11] = [
    ("utf-8", "ru"),
    ("utf-16le", "ru"),
    ("windows-1252", "de"),
    ("windows-1251", "ru"),
    ("windows-874", "th"),
    ("gb18030", "zh_cn"),
    ("big5", "zh_tw"),
    ("shift_jis", "ja"),
    ("euc-jp", "ja"),
    ("iso-2022-jp", "ja"),
    ("euc-kr", "ko"),
];

/// Returns the inputs of a subject by kind of text, about a megabyte each.
///
/// "broken" input has one malformed byte per hundred bytes for a decoder, and unmappable characters for an encoder. It
/// is empty if no bytes are malformed in the encoding, or no characters unmappable.
fn kinds(subject: Subject, texts: &mut Texts) -> Vec<(&'static str, Input)> {
    let megabyte = 1 << 20;
    let dense = texts.get(subject.language, Kind::ShuffledDense);
    let mix = texts.get(subject.language, Kind::ShuffledMix);
    let mut broken = troubled(subject, Trouble::ErrorEvery100, &dense);
    let unmappable = troubled(subject, Trouble::Unmappable, &dense);
    (broken.text, broken.units) = (unmappable.text, unmappable.units);
    vec![
        ("ascii", troubled(subject, Trouble::Ascii, &dense)),
        ("markup", Input::new(subject, part(&mix, 2 * megabyte))),
        ("dense", Input::new(subject, part(&dense, 3 * megabyte))),
        ("broken", broken),
    ]
}

fn codecs(criterion: &mut Criterion) {
    let mut texts = Texts::default();
    for (label, language) in SUBJECTS {
        let subject = Subject::new(label, language);
        let kinds = kinds(subject, &mut texts);
        for operation in Operation::STREAMING {
            let encoding = subject.encoding.name().to_ascii_lowercase();
            let mut group = criterion.benchmark_group(format!("{}/{encoding}", operation.name()));
            for (kind, input) in &kinds {
                for (size_name, size) in SIZES {
                    let input = input.first(size);
                    let length = operation.input_length(&input);
                    if length == 0 {
                        continue;
                    }
                    let mut output = Output::for_input(length);
                    let mut contestant = contestants::mojika(operation, subject, &input);
                    group.throughput(Throughput::Bytes(length as u64));
                    group.bench_function(BenchmarkId::new(*kind, size_name), |bencher| {
                        bencher.iter(|| (contestant.pass)(&mut output));
                    });
                }
            }
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(20);
    targets = codecs
}
criterion_main!(benches);
