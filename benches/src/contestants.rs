//! Conversions of one input by mojika and by each peer, as closures that write to preallocated output.
//!
//! The measurement models a program that reuses its buffers: a new decoder or encoder per pass, and one call over the whole
//! input. simdutf has neither streams nor error modes, so it does less. iconv keeps its descriptor open, and ICU its
//! converters; both are in their initial state at the start of a pass.

use crate::iconv::Converter;
use crate::icu;
use crate::inputs::Input;
use crate::simdutf_peer;
use crate::subjects::Subject;
use mojika::{BomHandling, Decoder};
use serde::Serialize;
use std::hint::black_box;

/// The measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Bytes to UTF-8, streaming.
    DecodeToUtf8,
    /// Bytes to UTF-16, streaming.
    DecodeToUtf16,
    /// UTF-8 to bytes, streaming, mode "html".
    EncodeFromUtf8,
    /// UTF-16 to bytes, streaming, mode "html".
    EncodeFromUtf16,
    /// One-shot decoding of UTF-8 to `str`, which borrows the input without a copy.
    BorrowUtf8,
    /// One-shot decoding of snippets.
    SmallDecode,
    /// One-shot encoding of snippets, mode "html".
    SmallEncode,
    /// [`DecodeToUtf8`](Self::DecodeToUtf8) of snippets.
    SmallDecodeToUtf8,
    /// [`DecodeToUtf16`](Self::DecodeToUtf16) of snippets.
    SmallDecodeToUtf16,
    /// [`EncodeFromUtf8`](Self::EncodeFromUtf8) of snippets.
    SmallEncodeFromUtf8,
    /// [`EncodeFromUtf16`](Self::EncodeFromUtf16) of snippets.
    SmallEncodeFromUtf16,
}

impl Operation {
    /// The streaming conversions.
    pub const STREAMING: [Self; 4] = [
        Self::DecodeToUtf8,
        Self::DecodeToUtf16,
        Self::EncodeFromUtf8,
        Self::EncodeFromUtf16,
    ];
    /// The operations on snippets.
    pub const SMALL: [Self; 6] = [
        Self::SmallDecode,
        Self::SmallEncode,
        Self::SmallDecodeToUtf8,
        Self::SmallDecodeToUtf16,
        Self::SmallEncodeFromUtf8,
        Self::SmallEncodeFromUtf16,
    ];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::DecodeToUtf8 => "decode-to-utf8",
            Self::DecodeToUtf16 => "decode-to-utf16",
            Self::EncodeFromUtf8 => "encode-from-utf8",
            Self::EncodeFromUtf16 => "encode-from-utf16",
            Self::BorrowUtf8 => "borrow-utf8",
            Self::SmallDecode => "small-decode",
            Self::SmallEncode => "small-encode",
            Self::SmallDecodeToUtf8 => "small-decode-to-utf8",
            Self::SmallDecodeToUtf16 => "small-decode-to-utf16",
            Self::SmallEncodeFromUtf8 => "small-encode-from-utf8",
            Self::SmallEncodeFromUtf16 => "small-encode-from-utf16",
        }
    }

    /// True if the output is UTF-16 code units.
    pub fn writes_units(self) -> bool {
        matches!(self, Self::DecodeToUtf16 | Self::SmallDecodeToUtf16)
    }

    /// Returns the number of input bytes that the operation reads.
    pub fn input_length(self, input: &Input) -> usize {
        match self {
            Self::EncodeFromUtf8 => input.text.len(),
            Self::EncodeFromUtf16 => 2 * input.units.len(),
            _ => input.byte_length(),
        }
    }
}

/// Space for a contestant's output, shared by all contestants of a cell.
#[derive(Debug)]
pub struct Output {
    /// Bytes of any encoding.
    pub bytes: Vec<u8>,
    /// UTF-16 code units.
    pub units: Vec<u16>,
}

impl Output {
    /// Returns space for any conversion of an input with this many units, even if all become numeric character references.
    pub fn for_input(length: usize) -> Self {
        Self {
            // A multiple of four, because UTF-32 is also written here.
            bytes: vec![0; (10 * length + 1024).next_multiple_of(4)],
            units: vec![0; length + 1024],
        }
    }
}

/// A pass over the input, which returns the number of bytes or units written.
pub type Pass<'a> = Box<dyn FnMut(&mut Output) -> usize + 'a>;

/// A conversion by one library.
pub struct Contestant<'a> {
    /// The library.
    pub name: &'static str,
    /// The timed pass.
    pub pass: Pass<'a>,
    /// The pass whose output is compared, if the timed pass leaves no output.
    pub check: Option<Pass<'a>>,
}

impl<'a> Contestant<'a> {
    /// Creates a contestant with a separate pass for the comparison.
    fn checked_by(mut self, check: impl FnMut(&mut Output) -> usize + 'a) -> Self {
        self.check = Some(Box::new(check));
        self
    }

    /// Creates a contestant whose timed pass writes the output to compare.
    pub fn new(name: &'static str, pass: impl FnMut(&mut Output) -> usize + 'a) -> Self {
        Self {
            name,
            pass: Box::new(pass),
            check: None,
        }
    }
}

/// A copy: the upper limit of speed for input that needs no conversion.
pub const MEMCPY: &str = "memcpy";
/// glibc, whose tables may differ from the Standard's.
pub const ICONV: &str = "iconv";
/// ICU, whose tables may differ from the Standard's.
pub const ICU: &str = "ICU";
/// A library for Unicode transcoding.
pub const SIMDUTF: &str = "simdutf";
/// simdutf for operations that need two passes: validation, then a copy.
pub const SIMDUTF_TWO_PASSES: &str = "simdutf, 2 passes";
/// The peers that may differ from the Standard.
pub const OF_OTHER_STANDARDS: [&str; 2] = [ICONV, ICU];

/// Returns mojika's conversion.
pub fn mojika(operation: Operation, subject: Subject, input: &Input) -> Contestant<'_> {
    const NAME: &str = "mojika";
    let encoding = subject.encoding;
    let bytes = input.bytes.bytes();
    let encoder = move || encoding.new_encoder().expect("replacement is no subject");
    match operation {
        Operation::DecodeToUtf8 => Contestant::new(NAME, move |out| {
            let mut decoder = Decoder::new(encoding, BomHandling::Keep);
            decoder
                .decode(black_box(bytes), &mut out.bytes[..], true)
                .written
        }),
        Operation::DecodeToUtf16 => Contestant::new(NAME, move |out| {
            let mut decoder = Decoder::new(encoding, BomHandling::Keep);
            decoder
                .decode(black_box(bytes), &mut out.units[..], true)
                .written
        }),
        Operation::EncodeFromUtf8 => Contestant::new(NAME, move |out| {
            encoder()
                .encode_html(black_box(&input.text), &mut out.bytes[..], true)
                .written
        }),
        Operation::EncodeFromUtf16 => Contestant::new(NAME, move |out| {
            encoder()
                .encode_html(black_box(&input.units), &mut out.bytes[..], true)
                .written
        }),
        Operation::BorrowUtf8 => Contestant::new(NAME, move |_| {
            let decoded = encoding.with(BomHandling::Keep).decode(black_box(bytes));
            black_box(decoded.text.len())
        })
        .checked_by(move |out| {
            copy_text(&encoding.with(BomHandling::Keep).decode(bytes).text, out)
        }),
        small => unreachable!("{} has a module of its own", small.name()),
    }
}

/// Returns the conversions of the peers that support this input.
pub fn peers(operation: Operation, subject: Subject, input: &Input) -> Vec<Contestant<'_>> {
    let mut peers = Vec::new();
    peers.extend(encoding_rs(operation, subject, input));
    if input.is_clean {
        peers.extend(simdutf(operation, subject, input));
        peers.extend(iconv(operation, subject, input));
        peers.extend(icu(operation, subject, input));
    }
    if input.is_ascii && operation != Operation::BorrowUtf8 && !subject.is_utf_16() {
        peers.push(memcpy(operation, input));
    }
    peers
}

/// Copies a result that was borrowed or allocated to `out`, where it can be compared.
fn copy_text(text: &str, out: &mut Output) -> usize {
    out.bytes[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

/// Returns encoding_rs' conversion; `None` if it lacks the operation.
pub fn encoding_rs(
    operation: Operation,
    subject: Subject,
    input: &Input,
) -> Option<Contestant<'_>> {
    const NAME: &str = "encoding_rs";
    let encoding = subject.peer;
    let bytes = input.bytes.bytes();
    // encoding_rs' encoder of UTF-16 writes UTF-8.
    let encodes = !subject.is_utf_16();
    Some(match operation {
        Operation::DecodeToUtf8 => Contestant::new(NAME, move |out| {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let (_, _, written, _) = decoder.decode_to_utf8(black_box(bytes), &mut out.bytes, true);
            written
        }),
        Operation::DecodeToUtf16 => Contestant::new(NAME, move |out| {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let (_, _, written, _) =
                decoder.decode_to_utf16(black_box(bytes), &mut out.units, true);
            written
        }),
        Operation::EncodeFromUtf8 if encodes => Contestant::new(NAME, move |out| {
            let mut encoder = encoding.new_encoder();
            let (_, _, written, _) =
                encoder.encode_from_utf8(black_box(&input.text), &mut out.bytes, true);
            written
        }),
        Operation::EncodeFromUtf16 if encodes => Contestant::new(NAME, move |out| {
            let mut encoder = encoding.new_encoder();
            let (_, _, written, _) =
                encoder.encode_from_utf16(black_box(&input.units), &mut out.bytes, true);
            written
        }),
        Operation::BorrowUtf8 => Contestant::new(NAME, move |_| {
            let (text, had_errors) = encoding.decode_without_bom_handling(black_box(bytes));
            black_box(had_errors);
            black_box(text.len())
        })
        .checked_by(move |out| copy_text(&encoding.decode_without_bom_handling(bytes).0, out)),
        _ => return None,
    })
}

/// Creates a contestant whose code units are compared as bytes; `pass` returns the number of bytes.
fn writing_units<'a>(
    name: &'static str,
    pass: impl Fn(&mut [u16]) -> usize + Copy + 'a,
) -> Contestant<'a> {
    Contestant {
        name,
        pass: Box::new(move |out| pass(&mut out.units)),
        check: Some(Box::new(move |out| {
            let written = pass(&mut out.units);
            let bytes = &bytemuck::cast_slice(&out.units)[..written];
            out.bytes[..written].copy_from_slice(bytes);
            written
        })),
    }
}

fn simdutf(operation: Operation, subject: Subject, input: &Input) -> Option<Contestant<'_>> {
    const NAME: &str = SIMDUTF;
    let (bytes, words) = (input.bytes.bytes(), input.bytes.words());
    let big_endian = subject.encoding == mojika::UTF_16BE;
    let is_utf_8 = subject.encoding == mojika::UTF_8;
    Some(match operation {
        // simdutf has no conversion from UTF-8 to UTF-8: it validates, and memcpy copies.
        Operation::DecodeToUtf8 if is_utf_8 => Contestant::new(SIMDUTF_TWO_PASSES, move |out| {
            let valid = simdutf::validate_utf8(black_box(bytes));
            out.bytes[..bytes.len()].copy_from_slice(bytes);
            if valid { bytes.len() } else { 0 }
        }),
        Operation::DecodeToUtf8 if subject.is_utf_16() => Contestant::new(NAME, move |out| {
            simdutf_peer::utf16_bytes_to_utf8(black_box(words), &mut out.bytes, big_endian)
        }),
        Operation::DecodeToUtf16 if is_utf_8 => Contestant::new(NAME, move |out| {
            simdutf_peer::utf8_to_utf16(black_box(bytes), &mut out.units)
        }),
        Operation::DecodeToUtf16 if subject.is_utf_16() => Contestant::new(NAME, move |out| {
            simdutf_peer::check_and_copy_utf16(black_box(words), &mut out.units, big_endian)
        }),
        Operation::EncodeFromUtf8 if subject.is_utf_16() => writing_units(NAME, move |units| {
            let text = black_box(input.text.as_bytes());
            simdutf_peer::utf8_to_utf16_bytes(text, units, big_endian)
        }),
        Operation::EncodeFromUtf16 if is_utf_8 => Contestant::new(NAME, move |out| {
            simdutf_peer::utf16_to_utf8(black_box(&input.units), &mut out.bytes)
        }),
        Operation::BorrowUtf8 if is_utf_8 => Contestant::new(NAME, move |_| {
            usize::from(simdutf::validate_utf8(black_box(bytes)))
        })
        .checked_by(move |out| {
            // Valid input is borrowed unchanged.
            std::str::from_utf8(bytes)
                .ok()
                .filter(|_| simdutf::validate_utf8(bytes))
                .map_or(0, |text| copy_text(text, out))
        }),
        _ => return None,
    })
}

fn iconv(operation: Operation, subject: Subject, input: &Input) -> Option<Contestant<'_>> {
    let name = subject.iconv_name()?;
    let (mut converter, source) = match operation {
        Operation::DecodeToUtf8 => (Converter::open("UTF-8", name)?, input.bytes.bytes()),
        Operation::EncodeFromUtf8 => (Converter::open(name, "UTF-8")?, input.text.as_bytes()),
        _ => return None,
    };
    Some(Contestant::new(ICONV, move |out| {
        converter
            .convert(black_box(source), &mut out.bytes)
            .unwrap_or(0)
    }))
}

/// Returns ICU's contestant, if ICU is installed and has the encoding.
pub fn icu(operation: Operation, subject: Subject, input: &Input) -> Option<Contestant<'_>> {
    let icu = icu::installed()?;
    let name = subject.icu_name()?;
    let (bytes, words) = (input.bytes.bytes(), input.bytes.words());
    let is_utf_8 = subject.encoding == mojika::UTF_8;
    // ICU has functions for UTF-8 and native UTF-16 that are faster than its converters.
    let is_native = subject.encoding
        == if cfg!(target_endian = "little") {
            mojika::UTF_16LE
        } else {
            mojika::UTF_16BE
        };
    Some(match operation {
        Operation::DecodeToUtf8 if is_native => Contestant::new(ICU, move |out| {
            let written = icu.utf16_to_utf8(black_box(words), &mut out.bytes);
            written.unwrap_or(0)
        }),
        Operation::DecodeToUtf8 => {
            let mut transcoder = icu::Transcoder::open("UTF-8", name)?;
            Contestant::new(ICU, move |out| {
                let written = transcoder.convert(black_box(bytes), &mut out.bytes);
                written.unwrap_or(0)
            })
        }
        Operation::DecodeToUtf16 if is_utf_8 => Contestant::new(ICU, move |out| {
            let written = icu.utf8_to_utf16(black_box(bytes), &mut out.units);
            written.unwrap_or(0)
        }),
        Operation::DecodeToUtf16 => {
            let mut converter = icu::Converter::open(name)?;
            Contestant::new(ICU, move |out| {
                let written = converter.to_utf16(black_box(bytes), &mut out.units);
                written.unwrap_or(0)
            })
        }
        Operation::EncodeFromUtf8 if is_native => writing_units(ICU, move |units| {
            let written = icu.utf8_to_utf16(black_box(input.text.as_bytes()), units);
            2 * written.unwrap_or(0)
        }),
        Operation::EncodeFromUtf8 => {
            let mut transcoder = icu::Transcoder::open(name, "UTF-8")?;
            Contestant::new(ICU, move |out| {
                let text = black_box(input.text.as_bytes());
                transcoder.convert(text, &mut out.bytes).unwrap_or(0)
            })
        }
        Operation::EncodeFromUtf16 if is_utf_8 => Contestant::new(ICU, move |out| {
            let written = icu.utf16_to_utf8(black_box(&input.units), &mut out.bytes);
            written.unwrap_or(0)
        }),
        Operation::EncodeFromUtf16 => {
            let mut converter = icu::Converter::open(name)?;
            Contestant::new(ICU, move |out| {
                let written = converter.from_utf16(black_box(&input.units), &mut out.bytes);
                written.unwrap_or(0)
            })
        }
        _ => return None,
    })
}

fn memcpy(operation: Operation, input: &Input) -> Contestant<'_> {
    let source: &[u8] = match operation {
        Operation::EncodeFromUtf8 => input.text.as_bytes(),
        Operation::EncodeFromUtf16 => bytemuck::cast_slice(&input.units),
        _ => input.bytes.bytes(),
    };
    Contestant::new(MEMCPY, move |out| {
        let source = black_box(source);
        out.bytes[..source.len()].copy_from_slice(source);
        source.len()
    })
}
