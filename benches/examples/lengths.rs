//! Times lengths, counts, validation and conversion of text in cache, compared with simdutf, simdutf8 and the standard
//! library.
//!
//! Takes the options `--corpus` and `--level` of `versus`. Prints the GB of input per second, and the ratio to each
//! peer, by size, language, kind of text and function: medians over rounds, with quartiles, of thread CPU time.

use clap::Parser;
use mojika::mem;
use mojika_benches::machine::Machine;
use mojika_benches::options::Options;
use mojika_benches::simdutf_peer::{utf8_to_utf16, utf16_to_utf8};
use mojika_benches::texts::{Kind, Texts};
use mojika_benches::timing::{Plan, median, quantile, race};
use std::cell::RefCell;
use std::hint::black_box;

const PLAN: Plan = Plan {
    rounds: 15,
    slice_nanos: 1_000_000,
};

const LANGUAGES: [&str; 4] = ["en", "ru", "zh_cn", "ja"];

/// The number of UTF-8 bytes for the L1, L2 and last-level cache; the UTF-16 text is the same.
const SIZES: [usize; 3] = [4 << 10, 128 << 10, 2 << 20];

/// One operation by mojika, by simdutf and by a third library, each with the same result.
struct Job<'t> {
    name: &'static str,
    length: usize,
    contestants: [Box<dyn Fn() -> usize + 't>; 3],
    third: &'static str,
}

fn jobs<'t>(text: &'t str, units: &'t [u16]) -> [Job<'t>; 7] {
    let bytes = text.as_bytes();
    [
        Job {
            name: "utf8_prefix_len",
            length: bytes.len(),
            contestants: [
                Box::new(move || mem::utf8_prefix_len(black_box(bytes))),
                Box::new(move || match simdutf::validate_utf8(black_box(bytes)) {
                    true => bytes.len(),
                    false => 0,
                }),
                Box::new(move || simdutf8::compat::from_utf8(black_box(bytes)).map_or(0, str::len)),
            ],
            third: "simdutf8",
        },
        Job {
            name: "utf8_to_utf16",
            length: bytes.len(),
            contestants: [
                conversion(bytes.len(), move |out| {
                    mem::utf8_to_utf16(black_box(bytes), out).written
                }),
                conversion(bytes.len(), move |out| utf8_to_utf16(black_box(bytes), out)),
                conversion(bytes.len(), move |out| {
                    let units = black_box(text).encode_utf16();
                    out.iter_mut()
                        .zip(units)
                        .map(|(to, unit)| *to = unit)
                        .count()
                }),
            ],
            third: "std",
        },
        Job {
            name: "utf16_to_utf8",
            length: 2 * units.len(),
            contestants: [
                conversion(3 * units.len(), move |out| {
                    mem::utf16_to_utf8(black_box(units), out).written
                }),
                conversion(3 * units.len(), move |out| {
                    utf16_to_utf8(black_box(units), out)
                }),
                conversion(3 * units.len(), move |out| {
                    let mut written = 0;
                    for c in char::decode_utf16(black_box(units).iter().copied()) {
                        let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
                        written += c.encode_utf8(&mut out[written..]).len();
                    }
                    written
                }),
            ],
            third: "std",
        },
        Job {
            name: "count_chars",
            length: bytes.len(),
            contestants: [
                Box::new(move || mem::count_chars(black_box(text))),
                Box::new(move || simdutf::count_utf8(black_box(bytes))),
                Box::new(move || black_box(text).chars().count()),
            ],
            third: "std",
        },
        Job {
            name: "utf16_len_of_utf8",
            length: bytes.len(),
            contestants: [
                Box::new(move || mem::utf16_len_of_utf8(black_box(text))),
                Box::new(move || simdutf::utf16_length_from_utf8(black_box(bytes))),
                Box::new(move || black_box(text).encode_utf16().count()),
            ],
            third: "std",
        },
        Job {
            name: "utf8_len_of_utf16",
            length: 2 * units.len(),
            contestants: [
                Box::new(move || mem::utf8_len_of_utf16(black_box(units))),
                Box::new(move || simdutf::utf8_length_from_utf16(black_box(units))),
                Box::new(move || {
                    char::decode_utf16(black_box(units).iter().copied())
                        .map(|c| c.map_or(3, char::len_utf8))
                        .sum()
                }),
            ],
            third: "std",
        },
        Job {
            name: "count_chars_of_utf16",
            length: 2 * units.len(),
            contestants: [
                Box::new(move || mem::count_chars_of_utf16(black_box(units))),
                Box::new(move || simdutf::count_utf16(black_box(units))),
                Box::new(move || char::decode_utf16(black_box(units).iter().copied()).count()),
            ],
            third: "std",
        },
    ]
}

/// Returns a conversion into an output that is allocated once.
fn conversion<'t, T: Copy + Default + 't>(
    length: usize,
    convert: impl Fn(&mut [T]) -> usize + 't,
) -> Box<dyn Fn() -> usize + 't> {
    let output = RefCell::new(vec![T::default(); length]);
    Box::new(move || convert(black_box(&mut output.borrow_mut())))
}

/// Returns `text` with a character above U+FFFF in place of every fourth space.
fn with_emoji(text: &str) -> String {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    words.enumerate().fold(first, |mut text, (at, word)| {
        text.push(if at % 4 == 0 { '😀' } else { ' ' });
        text + word
    })
}

fn main() {
    let options = Options::parse();
    if let Some(level) = options.level {
        mojika::simd::cap(Some(level));
    }
    let mut texts = Texts::new(options.corpus);
    println!("{}\n", Machine::new().line());
    println!("| bytes | text | function | GB/s | to simdutf (quartiles) | to a third |");
    println!("|---:|---|---|---:|---:|---:|");
    for size in SIZES {
        let of_languages = (LANGUAGES.into_iter())
            .flat_map(|language| [(language, "dense"), (language, "markup")]);
        for (language, form) in of_languages.chain([("en", "emoji")]) {
            let times = 1 + size / 100_000;
            let whole = match form {
                "markup" => texts.get(language, Kind::Mix).repeat(times),
                "dense" => texts.get(language, Kind::Dense).repeat(times),
                _ => with_emoji(&texts.get(language, Kind::Dense)).repeat(times),
            };
            let text = &whole[..mem::whole_chars_len_of_utf8(&whole.as_bytes()[..size])];
            let units: Vec<u16> = text.encode_utf16().collect();
            for job in jobs(text, &units) {
                let [ours, simdutf, third] = &job.contestants;
                assert_eq!(ours(), simdutf(), "{}", job.name);
                assert_eq!(ours(), third(), "{}", job.name);
                let nanos = race(
                    &mut [
                        &mut || {
                            black_box(ours());
                        },
                        &mut || {
                            black_box(simdutf());
                        },
                        &mut || {
                            black_box(third());
                        },
                    ],
                    PLAN,
                );
                let ratios = |peer: usize| -> Vec<f64> {
                    (nanos[peer].iter().zip(&nanos[0]))
                        .map(|(theirs, ours)| theirs / ours)
                        .collect()
                };
                let to_simdutf = ratios(1);
                println!(
                    "| {} | {language}, {form} | `{}` | {:.1} | {:.2} ({:.2}-{:.2}) | {:.2} {} |",
                    job.length,
                    job.name,
                    job.length as f64 / median(&nanos[0]),
                    median(&to_simdutf),
                    quantile(&to_simdutf, 0.25),
                    quantile(&to_simdutf, 0.75),
                    median(&ratios(2)),
                    job.third,
                );
            }
        }
    }
}
