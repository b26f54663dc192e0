//! `TextDecoder` and the assertions that the tables of cases use, over `mojika::web`.

use mojika::web;

/// The constructor's RangeError.
#[derive(Debug, PartialEq, Eq)]
pub struct RangeError;

/// The `decode` method's TypeError, without its place.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeError;

/// `stream: true`.
pub const STREAM: bool = true;
/// `stream: false`, the default.
pub const END: bool = false;

/// `TextDecoder` as the cases want it: after an error, the rest of the input is forgotten.
pub struct TextDecoder(web::TextDecoder);

impl TextDecoder {
    /// `new TextDecoder(label, { fatal, ignoreBOM })`.
    pub fn with_options(label: &str, fatal: bool, ignore_bom: bool) -> Result<Self, RangeError> {
        let options = web::TextDecoderOptions { fatal, ignore_bom };
        let decoder = web::TextDecoder::new(label, options);
        decoder.map(Self).map_err(|_| RangeError)
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
        self.0.encoding()
    }

    /// `decode(bytes, { stream })`.
    pub fn decode(&mut self, bytes: &[u8], stream: bool) -> Result<String, TypeError> {
        let options = web::TextDecodeOptions { stream };
        let result = self.0.decode(bytes, options);
        if result.is_err() {
            self.0.forget_unread_input();
        }
        result.map_err(|_| TypeError)
    }
}

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

/// Decodes the bytes to `expected` in one call and in two chunks cut everywhere, with and without an empty one between
/// them, by the object and by the stream; in error mode "fatal" a TypeError comes if `is_malformed`.
pub fn decodes_as(label: &str, bytes: &[u8], expected: &str, is_malformed: bool) {
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
    for split in 0..=bytes.len() {
        for hole in [&[][..], &[&b""[..]]] {
            let chunks = [&[&bytes[..split]], hole, &[&bytes[split..]]].concat();
            let mut text = String::new();
            let mut stream = web::TextDecoderStream::new(label, Default::default()).expect(label);
            let mut stream_text = String::new();
            for (i, chunk) in chunks.iter().enumerate() {
                let last = i + 1 == chunks.len();
                text += &loose.decode(chunk, !last).expect("no error");
                let enqueued = stream.decode_and_enqueue_a_chunk(chunk);
                stream_text += &enqueued.expect("no error").unwrap_or_default();
            }
            stream_text += &stream
                .flush_and_enqueue()
                .expect("no error")
                .unwrap_or_default();
            assert_eq!(text, expected, "{label} cut at {split}: {bytes:02X?}");
            assert_eq!(
                stream_text, expected,
                "{label} cut at {split}: {bytes:02X?}"
            );
        }
    }
}

/// [`decodes_as`], malformed if `expected` has U+FFFD.
pub fn decodes(label: &str, bytes: &[u8], expected: &str) {
    decodes_as(label, bytes, expected, expected.contains('\u{FFFD}'));
}
