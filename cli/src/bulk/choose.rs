//! The encoding of a file, and why.

use super::classify;
use super::source::Opened;
use crate::detect::{FileContext, detect_whole};
use crate::engine;
use mojika::extended::rfc2781::Charset;
use mojika::sniff::detect::DetectHints;
use mojika::sniff::{Hints, Source, sniff_leniently};
use mojika::{Encoding, UTF_8};
use std::io;
use std::path::Path;

/// Why `encoding` is taken, in the words of the report.
#[derive(Clone, Copy)]
pub struct Choice {
    pub encoding: &'static Encoding,
    pub why: &'static str,
}

/// The encoding of the file at `path`; `None` if nothing says which one it is.
///
/// A byte order mark, the encoding that the user gives (which `charset` of RFC 2781 may say more about), what an HTML, XML or CSS file declares, UTF-8 if all of the
/// file is valid, and detection, in this order.
pub fn choose(
    source: &Opened<'_>,
    given: Option<&'static Encoding>,
    charset: Option<Charset>,
    path: &Path,
) -> io::Result<Option<Choice>> {
    let head = source.head();
    if let Some((encoding, _)) = engine::byte_order_mark(head, given, charset) {
        let why = "bom";
        return Ok(Some(Choice { encoding, why }));
    }
    if let Some(encoding) = given {
        let why = "given";
        return Ok(Some(Choice { encoding, why }));
    }
    let undetected = Hints {
        detect: false,
        ..Hints::new(FileContext::Auto.resolve(path, head))
    };
    let decision = sniff_leniently(head, &undetected);
    if !matches!(decision.source, Source::Locale | Source::Default) {
        let (encoding, why) = (decision.encoding, decision.source.as_str());
        return Ok(Some(Choice { encoding, why }));
    }
    if memchr::memchr(0, head).is_some()
        && let Some(choice) = detected(head).filter(|choice| classify::has_nuls(choice.encoding))
    {
        return Ok(Some(choice));
    }
    if classify::utf_8(source)?.is_some() {
        let (encoding, why) = (UTF_8, "utf-8");
        return Ok(Some(Choice { encoding, why }));
    }
    let choice = detected(head);
    if choice.is_some() || source.whole().is_some() {
        return Ok(choice);
    }
    // What tells may stand far behind the head.
    let ranking = detect_whole(&mut *source.text(None)?, &DetectHints::default())?;
    Ok(ranking.first().map(|guess| Choice {
        encoding: guess.encoding,
        why: Source::Detection.as_str(),
    }))
}

/// What the bytes look like.
pub fn detected(head: &[u8]) -> Option<Choice> {
    let decision = sniff_leniently(head, &Hints::default());
    (decision.source == Source::Detection).then(|| Choice {
        encoding: decision.encoding,
        why: decision.source.as_str(),
    })
}
