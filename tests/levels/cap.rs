//! Every instruction set gives the same results as the portable code (fault class 17).

use crate::common::{Random, at_every_level, case, drive, in_turns, input, utf_16};
use mojika::simd::{self, Level};
use mojika::{BomHandling, Decoder, Encoding};

/// The results of all one-shot and streaming calls for an input.
#[derive(Debug, PartialEq, Clone)]
struct Results {
    text: String,
    had_errors: bool,
    units: Vec<u16>,
    first_error: Option<(u64, u8)>,
    chunked: drive::Decoding<u8>,
    html: Option<(Vec<u8>, bool)>,
    from_units: Option<Vec<u8>>,
}

fn results(encoding: &'static Encoding, bytes: &[u8], text: &str, at: usize) -> Results {
    let decoded = encoding.decode(bytes);
    let decoder = &mut Decoder::new(encoding, BomHandling::Keep);
    let (first, second) = bytes.split_at(at);
    let error = encoding.decode_fatal(bytes, BomHandling::Keep).err();
    let html = encoding.encode_html(text).ok();
    let mut units = Vec::new();
    encoding.decode_append(bytes, BomHandling::Sniff, &mut units);
    Results {
        text: decoded.text.into_owned(),
        had_errors: decoded.had_errors,
        units,
        first_error: error.map(|error| (error.sequence.offset, error.sequence.len)),
        chunked: drive::decode_fatal(decoder, &[first, second], 37),
        from_units: encoding
            .new_encoder()
            .ok()
            .map(|mut encoder| drive::encode(&mut encoder, &[&*utf_16(text)], 61).bytes),
        html: html.map(|html| (html.bytes.into_owned(), html.had_errors)),
    }
}

/// Inputs for the limits of vector code: every length beyond two of the widest vectors, the odd byte at every offset, every
/// alignment.
fn inputs() -> Vec<(Vec<u8>, String)> {
    let mut random = Random::new(13);
    let mut inputs = Vec::new();
    for length in 0..140 {
        let mut bytes = vec![b'a'; length];
        let mut text = vec!['a'; length];
        inputs.push((bytes.clone(), text.iter().collect()));
        if length > 0 {
            let at = random.below(length);
            bytes[at] = random.in_range(0x80, 0xFF);
            text[at] = random.odd_scalar();
        }
        inputs.push((bytes, text.iter().collect()));
        inputs.push((random.odd_bytes(length), random.odd_text(length)));
    }
    inputs.extend((0..30).map(|i| {
        (
            random.odd_bytes(100 + 70 * i),
            random.odd_text(100 + 70 * i),
        )
    }));
    inputs
}

/// Returns text that alternates between scripts, because kernels are chosen by the prevailing script.
fn written(random: &mut Random) -> String {
    let mut text = String::new();
    // Usually several scripts alternate; occasionally there is one.
    let of_text = [(); 3].map(|()| input::SCRIPTS[random.below(input::SCRIPTS.len())]);
    for _ in 0..1 + random.below(120) {
        let (first, count) = of_text[random.below(3)];
        let most = if random.below(3) == 0 { 60 } else { 8 };
        for _ in 0..1 + random.below(most) {
            text.extend(char::from_u32(first + random.below(count) as u32));
        }
        if random.below(2) == 0 {
            text.push(' ');
        }
    }
    text
}

/// The results of each encoding of the Standard for inputs, in the order of [`Encoding::all`].
struct Expected {
    of_inputs: Vec<Vec<Results>>,
    /// Texts in each encoding's own bytes, some with a byte replaced.
    of_texts: Vec<Vec<(Vec<u8>, Results)>>,
}

fn expected(inputs: &[(Vec<u8>, String)], texts: &[String], random: &mut Random) -> Expected {
    let of_inputs = Encoding::all().iter().map(|encoding| {
        let results = inputs
            .iter()
            .map(|(bytes, text)| results(encoding, bytes, text, bytes.len() / 3));
        results.collect()
    });
    let of_texts = Encoding::all().iter().map(|encoding| {
        let results = texts.iter().enumerate().map(|(i, text)| {
            let encoded = encoding.output_encoding().encode_html(text);
            let mut bytes = encoded.unwrap().bytes.into_owned();
            if i % 4 == 0 {
                let at = random.below(bytes.len());
                bytes[at] = random.in_range(0x30, 0xFF);
            }
            let results = results(encoding, &bytes, text, bytes.len() / 2);
            (bytes, results)
        });
        results.collect()
    });
    Expected {
        of_inputs: of_inputs.collect(),
        of_texts: of_texts.collect(),
    }
}

#[test]
fn results_do_not_depend_on_the_instruction_set_or_the_alignment() {
    let inputs = inputs();
    let mut random = Random::new(14);
    let texts = [(); 60].map(|()| written(&mut random));
    // The portable level comes first, and the others must give its results.
    let mut of_portable = None;
    at_every_level(|level| {
        let expected = of_portable.get_or_insert_with(|| {
            assert_eq!(level, Level::Portable);
            expected(&inputs, &texts, &mut random)
        });
        let encodings = Encoding::all().iter();
        for (number, (encoding, written)) in encodings.zip(&expected.of_texts).enumerate() {
            for (text, (bytes, expected)) in in_turns(texts.iter().zip(written), 3, number) {
                let actual = results(encoding, bytes, text, bytes.len() / 2);
                assert!(actual == *expected, "{encoding} at level {level}: {text:?}");
            }
        }
        let encodings = Encoding::all().iter();
        for (number, (encoding, expected)) in encodings.zip(&expected.of_inputs).enumerate() {
            let cases = inputs.iter().zip(expected).enumerate();
            for (i, ((bytes, text), expected)) in in_turns(cases, 3, number) {
                // Use another alignment each time.
                let shift = i % 67;
                let shifted = [&vec![0; shift][..], bytes].concat();
                let bytes = &shifted[shift..];
                let actual = results(encoding, bytes, text, bytes.len() / 3);
                assert_eq!(&actual, expected, "{}", case(encoding, &[bytes], 0));
            }
        }
    });
}

#[test]
fn levels_go_from_portable_to_what_the_processor_has_and_parse_by_name() {
    let levels: Vec<Level> = simd::available().collect();
    assert_eq!(levels.first(), Some(&Level::Portable));
    assert_eq!(levels.last(), Some(&simd::detected()));
    for name in ["", "avx", "AVX-2", "sse4.1"] {
        assert!(name.parse::<Level>().is_err(), "{name}");
    }
    for level in levels {
        assert_eq!(level.name().to_uppercase().parse(), Ok(level));
    }
    assert!(simd::level() <= simd::detected());
}
