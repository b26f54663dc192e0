//! Short input: search fields, headers, cells of a table.
//!
//! The benches measure the cost of a call on short input. Repeating one snippet would measure the branch predictor, so a
//! pass visits thousands of different ones.

use crate::contestants::{Contestant, Operation, Output};
use crate::inputs::Input;
use crate::rng::Rng;
use crate::subjects::Subject;
use std::hint::black_box;

/// Sizes of a snippet, in bytes of the encoding.
pub const SIZES: [usize; 6] = [8, 16, 32, 64, 128, 256];
/// The number of snippets in a pass.
const SNIPPETS: usize = 4096;

/// Many short texts in the forms that operations read.
pub struct Snippets(Vec<Input>);

impl Snippets {
    /// Creates snippets of up to `size` bytes, from random positions in the text; unmappable characters are dropped.
    pub fn new(subject: Subject, text: &str, size: usize) -> Self {
        let mut rng = Rng::new(size as u64);
        let all = Input::new(subject, text);
        let starts: Vec<usize> = all.text.char_indices().map(|(at, _)| at).collect();
        // Inputs are created in order, and visited in random order.
        let mut snippets: Vec<Input> = (0..SNIPPETS)
            .map(|_| {
                let rest = &all.text[*rng.pick(&starts)..];
                Input::new(subject, longest_within(subject, rest, size))
            })
            .collect();
        rng.shuffle(&mut snippets);
        Self(snippets)
    }

    /// Returns the number of bytes that a pass reads.
    pub fn input_length(&self, operation: Operation) -> usize {
        let length = |input: &Input| match operation {
            Operation::SmallEncode | Operation::SmallEncodeFromUtf8 => input.text.len(),
            Operation::SmallEncodeFromUtf16 => 2 * input.units.len(),
            _ => input.byte_length(),
        };
        self.0.iter().map(length).sum()
    }
}

/// Returns the longest prefix of at least one character whose bytes, including a return to ASCII, are at most `size`.
fn longest_within(subject: Subject, text: &str, size: usize) -> &str {
    let length = |piece: &str| {
        if subject.is_utf_16() {
            2 * piece.encode_utf16().count()
        } else {
            subject.peer.encode(piece).0.len()
        }
    };
    let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut longest = ends.next().unwrap_or(0);
    for end in ends.take_while(|&end| end <= 4 * size) {
        if length(&text[..end]) > size {
            break;
        }
        longest = end;
    }
    &text[..longest]
}

/// Returns the pass of a crate with encoding_rs' API; `None` for an encoding operation if the encoding has no encoder.
macro_rules! pass_of_encoding_rs {
    ($name:expr, $encoding:expr, $operation:expr, $subject:expr, $snippets:expr) => {{
        let (name, encoding, inputs) = ($name, $encoding, &$snippets.0[..]);
        // encoding_rs' encoder of UTF-16 writes UTF-8.
        let encodes = !$subject.is_utf_16();
        match $operation {
            Operation::SmallDecode => Some(one_shot(name, inputs, move |input, sink| {
                sink(encoding.decode(input.bytes.bytes()).0.as_bytes());
            })),
            Operation::SmallDecodeToUtf8 => Some(streaming(name, inputs, move |input, out, at| {
                let dst = &mut out.bytes[at..at + 1024];
                let mut decoder = encoding.new_decoder();
                decoder.decode_to_utf8(input.bytes.bytes(), dst, true).2
            })),
            Operation::SmallDecodeToUtf16 => {
                Some(streaming(name, inputs, move |input, out, at| {
                    let dst = &mut out.units[at..at + 512];
                    let mut decoder = encoding.new_decoder();
                    decoder.decode_to_utf16(input.bytes.bytes(), dst, true).2
                }))
            }
            Operation::SmallEncode if encodes => {
                Some(one_shot(name, inputs, move |input, sink| {
                    sink(&encoding.encode(&input.text).0);
                }))
            }
            Operation::SmallEncodeFromUtf8 if encodes => {
                Some(streaming(name, inputs, move |input, out, at| {
                    let dst = &mut out.bytes[at..at + 1024];
                    let mut encoder = encoding.new_encoder();
                    encoder.encode_from_utf8(&input.text, dst, true).2
                }))
            }
            Operation::SmallEncodeFromUtf16 if encodes => {
                Some(streaming(name, inputs, move |input, out, at| {
                    let dst = &mut out.bytes[at..at + 1024];
                    let mut encoder = encoding.new_encoder();
                    encoder.encode_from_utf16(&input.units, dst, true).2
                }))
            }
            _ => None,
        }
    }};
}

/// Returns encoding_rs' pass over the snippets; `None` for an encoding operation if the encoding has no encoder.
pub fn encoding_rs(
    operation: Operation,
    subject: Subject,
    snippets: &Snippets,
) -> Option<Contestant<'_>> {
    pass_of_encoding_rs!("encoding_rs", subject.peer, operation, subject, snippets)
}

/// Returns the pass of mojika's compatibility crate over the snippets.
pub fn compat(
    operation: Operation,
    subject: Subject,
    snippets: &Snippets,
) -> Option<Contestant<'_>> {
    let label = subject.encoding.name().as_bytes();
    let encoding = compat_encoding_rs::Encoding::for_label(label).expect("a name of the Standard");
    pass_of_encoding_rs!("compat", encoding, operation, subject, snippets)
}

/// Returns mojika's pass over the snippets.
pub fn mojika(operation: Operation, subject: Subject, snippets: &Snippets) -> Contestant<'_> {
    const NAME: &str = "mojika";
    let encoding = subject.encoding;
    let encoder = move || encoding.new_encoder().expect("replacement is no subject");
    let inputs = &snippets.0[..];
    match operation {
        Operation::SmallDecode => one_shot(NAME, inputs, move |input, sink| {
            sink(encoding.decode(input.bytes.bytes()).text.as_bytes());
        }),
        Operation::SmallEncode => one_shot(NAME, inputs, move |input, sink| {
            let encoded = encoding.encode_html(&input.text);
            sink(&encoded.expect("replacement is no subject").bytes);
        }),
        Operation::SmallDecodeToUtf8 => streaming(NAME, inputs, move |input, out, at| {
            let mut decoder = encoding.new_decoder();
            decoder
                .decode(input.bytes.bytes(), &mut out.bytes[at..at + 1024], true)
                .written
        }),
        Operation::SmallDecodeToUtf16 => streaming(NAME, inputs, move |input, out, at| {
            let mut decoder = encoding.new_decoder();
            decoder
                .decode(input.bytes.bytes(), &mut out.units[at..at + 512], true)
                .written
        }),
        Operation::SmallEncodeFromUtf8 => streaming(NAME, inputs, move |input, out, at| {
            encoder()
                .encode_html(&input.text, &mut out.bytes[at..at + 1024], true)
                .written
        }),
        Operation::SmallEncodeFromUtf16 => streaming(NAME, inputs, move |input, out, at| {
            encoder()
                .encode_html(&input.units, &mut out.bytes[at..at + 1024], true)
                .written
        }),
        large => unreachable!("{} is not for snippets", large.name()),
    }
}

/// Returns a buffer for the output of all snippets.
pub fn output() -> Output {
    Output {
        bytes: vec![0; SNIPPETS * 1024 + 1024],
        units: vec![0; SNIPPETS * 512 + 512],
    }
}

/// Times calls with an owned result, which the timed pass drops. A second pass collects the results for comparison.
fn one_shot<'a>(
    name: &'static str,
    inputs: &'a [Input],
    call: impl Fn(&Input, &mut dyn FnMut(&[u8])) + Copy + 'a,
) -> Contestant<'a> {
    Contestant {
        name,
        pass: Box::new(move |_| {
            for input in inputs {
                call(black_box(input), &mut |result| {
                    black_box(result);
                });
            }
            0
        }),
        check: Some(Box::new(move |out| {
            let mut written = 0;
            for input in inputs {
                call(input, &mut |result| {
                    out.bytes[written..written + result.len()].copy_from_slice(result);
                    written += result.len();
                });
            }
            written
        })),
    }
}

/// Times calls that append their output to the output of the previous call.
fn streaming<'a>(
    name: &'static str,
    inputs: &'a [Input],
    call: impl Fn(&Input, &mut Output, usize) -> usize + 'a,
) -> Contestant<'a> {
    Contestant::new(name, move |out| {
        inputs
            .iter()
            .fold(0, |at, input| at + call(black_box(input), out, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages;

    #[test]
    fn snippets_differ_and_have_the_size_asked_for() {
        for (label, language) in [
            ("windows-1251", "ru"),
            ("iso-2022-jp", "ja"),
            ("utf-16le", "ko"),
        ] {
            let subject = Subject::new(label, language);
            let text = languages::synthesise(language, 50_000);
            let snippets = Snippets::new(subject, &text, 32);
            let mut texts: Vec<_> = snippets.0.iter().map(|input| &input.text).collect();
            assert!(
                snippets
                    .0
                    .iter()
                    .all(|i| i.byte_length() <= 32 && !i.text.is_empty())
            );
            let usual = snippets.0.iter().filter(|i| i.byte_length() > 26).count();
            assert!(usual > SNIPPETS * 9 / 10, "{label}: {usual}");
            texts.sort_unstable();
            texts.dedup();
            assert!(texts.len() > SNIPPETS * 3 / 4, "{label}: {}", texts.len());
        }
    }
}
