//! `TextDecoder` and the assertions that the tables of cases use, over `mojika::web`.

use mojika::web;

/// The constructor's RangeError.
#[derive(Debug, PartialEq, Eq)]
pub struct RangeError;

/// The `decode` method's TypeError, without its offset.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeError;

/// `stream: true`.
pub const STREAM: bool = true;
/// `stream: false`, the default.
pub const END: bool = false;

/// `TextDecoder` as the suite requires: after an error, the rest of the input is discarded.
pub struct TextDecoder(web::TextDecoder);

impl TextDecoder {
    /// `new TextDecoder(label, { fatal, ignoreBOM })`.
    pub fn with_options(label: &str, fatal: bool, ignore_bom: bool) -> Result<Self, RangeError> {
        let options = web::TextDecoderOptions { fatal, ignore_bom };
        let decoder = web::TextDecoder::new(label, options);
        decoder.map(Self).map_err(|_| RangeError)
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
