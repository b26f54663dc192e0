//! Determines the encoding by the first bytes of an input and the options.

use super::{BomMode, From, Options};
use mojika::extended::rfc2781::Charset;
use mojika::{Encoding, UTF_8};
use mojika_sniff::bom;
use mojika_sniff::judge::is_wide;

/// The start of an input.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub encoding: &'static Encoding,
    /// The source of the decision, in the library's words.
    pub why: &'static str,
    /// The length of the byte order mark, in bytes.
    pub bom_length: usize,
    /// True if the encoding is assumed only because the input is valid.
    pub assumed: bool,
    /// The number of bytes at the start that are malformed although the decoder accepts them: RFC 2781's reversed
    /// signature.
    pub malformed: usize,
}

impl Start {
    /// Determines the encoding by `head` and the options.
    pub fn of(head: &[u8], options: &Options) -> Self {
        let given = match options.from {
            From::Decided(decision) => {
                return Self {
                    encoding: decision.encoding,
                    why: decision.source.as_str(),
                    bom_length: decision.bom_length.min(head.len()),
                    assumed: false,
                    malformed: 0,
                };
            }
            From::Given(encoding) => Some(encoding),
            From::Unnamed | From::Mixed(..) => None,
        };
        let is_mixed = matches!(options.from, From::Mixed(..));
        let mark = byte_order_mark(head, given, options.rfc2781);
        let (encoding, why, bom_length) = match (mark, given) {
            (Some((_, length)), Some(given)) if options.bom == BomMode::Ignore => {
                (given, "override", length)
            }
            (Some((encoding, length)), _) => (encoding, "bom", length),
            (None, Some(encoding)) => (encoding, "override", 0),
            (None, None) if is_mixed => (UTF_8, "override", 0),
            (None, None) => (UTF_8, "default", 0),
        };
        Self {
            encoding,
            why,
            bom_length,
            assumed: mark.is_none() && given.is_none() && !is_mixed,
            malformed: match options.rfc2781 {
                Some(charset) if charset.has_reversed_signature(head) => 2,
                _ => 0,
            },
        }
    }
}

impl Options {
    /// True if a mark of UTF-16 or UTF-32 decides, unless the user names the same encoding.
    pub fn has_deciding_mark(&self, head: &[u8]) -> bool {
        let start = Start::of(head, self);
        let is_other = match self.from {
            From::Given(given) => given != start.encoding && self.rfc2781.is_none(),
            From::Unnamed => true,
            From::Decided(_) | From::Mixed(..) => false,
        };
        is_other && start.why == "bom" && is_wide(start.encoding)
    }
}

/// Returns the encoding of the byte order mark at the start of `head`, and the length of the mark.
///
/// If the user names UTF-32, only the mark of that byte order counts; with a charset of RFC 2781, only its own
/// signature. `FF FE 00 00` is the mark of UTF-32LE if text in UTF-32LE follows, unless the user names UTF-16.
pub fn byte_order_mark(
    head: &[u8],
    given: Option<&'static Encoding>,
    charset: Option<Charset>,
) -> Option<(&'static Encoding, usize)> {
    if let Some(charset) = charset {
        let counts = |found| charset == Charset::Utf16 && found != UTF_8;
        return Encoding::for_bom(head).filter(|&(found, _)| counts(found));
    }
    let is_wide = given.is_some_and(|given| given.code_unit_len() > 1);
    if !is_wide && let Some(bom) = bom::of_text(head).filter(|bom| bom.length == 4) {
        return Some((bom.encoding, bom.length));
    }
    let start = &head[..head.len().min(4)];
    let decoded = given.unwrap_or(UTF_8).decode(start);
    (decoded.bom_length > 0).then_some((decoded.encoding, decoded.bom_length))
}
