//! `TextDecoder` over the engine and over the transliteration, in step.

use mojika::{BomHandling, Decoder, Encoding, Status};
use mojika_spec::text_decoder as spec;

/// The constructor's RangeError.
#[derive(Debug, PartialEq, Eq)]
pub struct RangeError;

/// The `decode` method's TypeError.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeError;

/// `TextDecoder`: three decoders of the engine, whose outputs have different forms, and the transliteration.
pub struct TextDecoder {
    label: String,
    encoding: &'static Encoding,
    fatal: bool,
    to_string: Decoder,
    to_utf16: Decoder,
    /// Decodes into a buffer of 4 bytes.
    tight: Decoder,
    do_not_flush: bool,
    /// Absent after an error that leaves input unread while streaming. By the Standard, the next
    /// call decodes that input. The Web platform's tests want it forgotten, as here.
    spec: Option<spec::TextDecoder>,
    /// The input since the last reset, for failure messages.
    history: String,
}

/// A decoder's result of one call; true if all input was read.
type Outcome = (Result<String, TypeError>, bool);

impl TextDecoder {
    /// `new TextDecoder(label, { fatal, ignoreBOM })`.
    pub fn with_options(label: &str, fatal: bool, ignore_bom: bool) -> Result<Self, RangeError> {
        let options = spec::TextDecoderOptions { fatal, ignore_bom };
        let spec = spec::TextDecoder::new(label, options);
        let encoding =
            Encoding::for_label(label).filter(|&encoding| encoding != mojika::REPLACEMENT);
        assert_eq!(encoding.is_some(), spec.is_ok(), "label {label:?}");
        let encoding = encoding.ok_or(RangeError)?;
        let decoder = || {
            if ignore_bom {
                Decoder::new(encoding, BomHandling::Keep)
            } else {
                Decoder::new(encoding, BomHandling::Remove)
            }
        };
        Ok(Self {
            label: label.to_owned(),
            encoding,
            fatal,
            to_string: decoder(),
            to_utf16: decoder(),
            tight: decoder(),
            do_not_flush: false,
            spec: spec.ok(),
            history: String::new(),
        })
    }

    /// `new TextDecoder(label)`, for labels that exist.
    pub fn new(label: &str) -> Self {
        Self::with_options(label, false, false).expect(label)
    }

    /// `new TextDecoder(label, { fatal: true })`, for labels that exist.
    pub fn fatal(label: &str) -> Self {
        Self::with_options(label, true, false).expect(label)
    }

    /// `encoding`.
    pub fn encoding(&self) -> String {
        let name = self.encoding.name().to_ascii_lowercase();
        let spec = self.spec.as_ref().map(spec::TextDecoder::encoding);
        assert_eq!(spec.as_ref().unwrap_or(&name), &name);
        name
    }

    /// `decode(bytes, { stream })`.
    pub fn decode(&mut self, bytes: &[u8], stream: bool) -> Result<String, TypeError> {
        if !self.do_not_flush {
            self.to_string.reset();
            self.to_utf16.reset();
            self.tight.reset();
            self.history.clear();
        }
        self.do_not_flush = stream;
        self.history
            .push_str(&format!("{bytes:02X?}{}", if stream { " | " } else { "" }));
        let case = format!(
            "{} with fatal {} at level {}: {}",
            self.label,
            self.fatal,
            mojika::simd::level(),
            self.history
        );

        let last = !stream;
        let outcomes = if self.fatal {
            [
                fatal_to_string(&mut self.to_string, bytes, last),
                fatal_to_utf16(&mut self.to_utf16, bytes, last),
                fatal_tight(&mut self.tight, bytes, last),
            ]
        } else {
            [
                loose_to_string(&mut self.to_string, bytes, last),
                loose_to_utf16(&mut self.to_utf16, bytes, last),
                loose_tight(&mut self.tight, bytes, last),
            ]
        };
        assert_eq!(outcomes[0], outcomes[1], "UTF-8 and UTF-16 differ: {case}");
        assert_eq!(
            outcomes[0], outcomes[2],
            "buffers of 4 bytes differ: {case}"
        );
        let [(result, all_read), ..] = outcomes;
        if let Some(spec) = &mut self.spec {
            let expected = spec.decode(bytes, stream).map_err(|_| TypeError);
            assert_eq!(result, expected, "the transliteration differs: {case}");
        }
        if result.is_err() && stream && !all_read {
            self.spec = None;
        }
        result
    }
}

fn loose_to_string(decoder: &mut Decoder, bytes: &[u8], last: bool) -> Outcome {
    let mut text = String::new();
    let progress = decoder.decode_append(bytes, &mut text, last);
    assert_eq!(
        (progress.status, progress.read),
        (Status::InputEmpty, bytes.len())
    );
    (Ok(text), true)
}

fn loose_to_utf16(decoder: &mut Decoder, bytes: &[u8], last: bool) -> Outcome {
    let mut units = Vec::new();
    let progress = decoder.decode_append(bytes, &mut units, last);
    assert_eq!(
        (progress.status, progress.read),
        (Status::InputEmpty, bytes.len())
    );
    (Ok(String::from_utf16(&units).expect("UTF-16")), true)
}

fn loose_tight(decoder: &mut Decoder, bytes: &[u8], last: bool) -> Outcome {
    let (mut text, mut read) = (Vec::new(), 0);
    loop {
        let mut buffer = [0; 4];
        let progress = decoder.decode(&bytes[read..], &mut buffer, last);
        text.extend_from_slice(&buffer[..progress.written]);
        read += progress.read;
        if progress.status == Status::InputEmpty {
            assert_eq!(read, bytes.len());
            return (Ok(String::from_utf8(text).expect("UTF-8")), true);
        }
    }
}

fn fatal_outcome(
    status: Status,
    read: usize,
    bytes: &[u8],
    text: impl FnOnce() -> String,
) -> Outcome {
    match status {
        Status::InputEmpty => {
            assert_eq!(read, bytes.len());
            (Ok(text()), true)
        }
        Status::Malformed(sequence) => {
            assert!((1..=4).contains(&sequence.len));
            (Err(TypeError), read == bytes.len())
        }
        other => panic!("{other:?} from a growing output"),
    }
}

fn fatal_to_string(decoder: &mut Decoder, bytes: &[u8], last: bool) -> Outcome {
    let mut text = String::new();
    let progress = decoder.decode_append_fatal(bytes, &mut text, last);
    fatal_outcome(progress.status, progress.read, bytes, || text)
}

fn fatal_to_utf16(decoder: &mut Decoder, bytes: &[u8], last: bool) -> Outcome {
    let mut units = Vec::new();
    let progress = decoder.decode_append_fatal(bytes, &mut units, last);
    fatal_outcome(progress.status, progress.read, bytes, || {
        String::from_utf16(&units).expect("UTF-16")
    })
}

fn fatal_tight(decoder: &mut Decoder, bytes: &[u8], last: bool) -> Outcome {
    let (mut text, mut read) = (Vec::new(), 0);
    loop {
        let mut buffer = [0; 4];
        let progress = decoder.decode_fatal(&bytes[read..], &mut buffer, last);
        text.extend_from_slice(&buffer[..progress.written]);
        read += progress.read;
        if progress.status != Status::OutputFull {
            return fatal_outcome(progress.status, read, bytes, || {
                String::from_utf8(text).expect("UTF-8")
            });
        }
    }
}

/// `stream: true`.
pub const STREAM: bool = true;
/// `stream: false`, the default.
pub const END: bool = false;

/// One call of `decode`: the bytes, [`STREAM`] or [`END`], and the result; `None` is a TypeError.
pub type Call<'a> = (&'a [u8], bool, Option<&'a str>);

/// The calls, one after the other, on one object.
pub fn calls(label: &str, fatal: bool, calls: &[Call<'_>]) {
    let mut decoder = TextDecoder::with_options(label, fatal, false).expect(label);
    for (i, &(bytes, stream, expected)) in calls.iter().enumerate() {
        let result = decoder.decode(bytes, stream).ok();
        assert_eq!(
            result.as_deref(),
            expected,
            "{label} with fatal {fatal}, call {i}: {bytes:02X?}"
        );
    }
}

/// The amount of ASCII before a case, so that kernels meet it at different places of a vector.
const PADDINGS: [usize; 9] = [0, 1, 7, 15, 16, 31, 33, 63, 130];

/// Decodes the bytes to `expected` in one call, in two chunks cut everywhere, with and without an empty one between
/// them, by one-shot calls, and behind ASCII; in error mode "fatal" a TypeError comes if `is_malformed`.
pub fn decodes_as(label: &str, bytes: &[u8], expected: &str, is_malformed: bool) {
    let has_padding = !label.starts_with("utf-16");
    for padding in PADDINGS.into_iter().take(if has_padding { 9 } else { 1 }) {
        let bytes = &[&b"x".repeat(padding), bytes].concat()[..];
        let expected = &*("x".repeat(padding) + expected);
        let mut loose = TextDecoder::new(label);
        let mut fatal = TextDecoder::fatal(label);
        assert_eq!(
            loose.decode(bytes, END).as_deref(),
            Ok(expected),
            "{label}: {bytes:02X?}"
        );
        assert_eq!(
            fatal.decode(bytes, END).is_err(),
            is_malformed,
            "{label} with fatal: {bytes:02X?}"
        );
        for split in padding.saturating_sub(1)..=bytes.len() {
            for hole in [false, true] {
                let mut text = loose.decode(&bytes[..split], STREAM).expect("no error");
                if hole {
                    text += &loose.decode(b"", STREAM).expect("no error");
                }
                text += &loose.decode(&bytes[split..], END).expect("no error");
                assert_eq!(text, expected, "{label} cut at {split}: {bytes:02X?}");
            }
        }
        let encoding = loose.encoding;
        let decoded = encoding.decode_with(bytes, BomHandling::Remove);
        assert_eq!(
            (&*decoded.text, decoded.had_errors),
            (expected, is_malformed),
            "{label}: {bytes:02X?}"
        );
        let decoded = encoding.decode_fatal(bytes, BomHandling::Remove);
        assert_eq!(decoded.is_err(), is_malformed, "{label}: {bytes:02X?}");
    }
}

/// [`decodes_as`], malformed if `expected` has U+FFFD.
pub fn decodes(label: &str, bytes: &[u8], expected: &str) {
    decodes_as(label, bytes, expected, expected.contains('\u{FFFD}'));
}
