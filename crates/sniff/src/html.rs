//! HTML: "prescan a byte stream to determine its encoding", and the default encoding of a locale.
//!
//! The prescan never allocates and reads each byte a bounded number of times (HTML Standard, section 13.2.3.2).

use crate::{Decision, Source};
use core::ops::Range;
use mojika::Encoding;
use mojika::{
    BIG5, EUC_KR, GBK, ISO_8859_2, ISO_8859_7, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257, WINDOWS_1258, X_USER_DEFINED,
};

#[cfg(feature = "alloc")]
mod late;
#[cfg(feature = "alloc")]
pub(super) use late::LateMeta;

/// The number of bytes of a page that the prescan reads.
pub const HEAD_LENGTH: usize = 1024;

/// Prescans the first [`HEAD_LENGTH`] bytes of a page. The source is [`Source::Meta`], [`Source::XmlDeclaration`], or
/// [`Source::XmlFamily`] for `<?x` in UTF-16.
///
/// ```
/// use mojika_sniff::html::prescan;
///
/// let found = prescan(b"<!-- <meta charset=gbk> --><meta charset=euc-jp>").unwrap();
/// assert_eq!(found.encoding, mojika::EUC_JP);
/// ```
pub fn prescan(bytes: &[u8]) -> Option<Decision> {
    prescan_all(&bytes[..bytes.len().min(HEAD_LENGTH)])
}

/// Prescans bytes that end the document, or are all that is known.
pub fn prescan_all(bytes: &[u8]) -> Option<Decision> {
    let found = |encoding, source| Some(Decision::tentative(encoding, source));
    // Step 3.
    if bytes.starts_with(b"<\0?\0x\0") {
        return found(UTF_16LE, Source::XmlFamily);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return found(UTF_16BE, Source::XmlFamily);
    }
    if let Some(encoding) = find_meta(bytes, &mut 0) {
        return found(encoding, Source::Meta);
    }
    xml_encoding(bytes).and_then(|encoding| found(encoding, Source::XmlDeclaration))
}

/// Implements "get an XML encoding": returns the encoding in the XML declaration of a page.
pub(crate) fn xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let label = &bytes[xml_label(bytes)?];
    // Step 15.
    if label.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    // Steps 16 to 18.
    Encoding::for_label(label).map(utf_16_is_utf_8)
}

/// Returns the place of the label in the XML declaration at the start.
pub(super) fn xml_label(bytes: &[u8]) -> Option<Range<usize>> {
    // Steps 2 and 3.
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let end = bytes.iter().position(|&byte| byte == b'>')?;
    let declaration = &bytes[..end];
    let skip_controls = |at: usize| {
        let controls = declaration[at..].iter().take_while(|byte| **byte <= b' ');
        at + controls.count()
    };
    // Steps 4 and 5.
    let word = memchr::memmem::find(declaration, b"encoding")?;
    // Steps 6 to 9.
    let at = skip_controls(word + 8);
    if declaration.get(at) != Some(&b'=') {
        return None;
    }
    let at = skip_controls(at + 1);
    // Steps 10 to 14.
    let &quote = declaration.get(at)?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let start = at + 1;
    let length = memchr::memchr(quote, &declaration[start..])?;
    Some(start..start + length)
}

/// Replaces UTF-16, in which a readable declaration cannot be, with UTF-8.
pub(super) fn utf_16_is_utf_8(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else {
        encoding
    }
}

/// Implements "extracting a character encoding from a meta element": returns the place of the label in the value of
/// `content`.
pub fn content_label(content: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        // Steps 2 to 5.
        let word = content[at..]
            .windows(7)
            .position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        at = skip_space(content, at + word + 7);
        if content.get(at) == Some(&b'=') {
            break;
        }
    }
    // Step 6.
    let at = skip_space(content, at + 1);
    // Step 7.
    let (start, length) = match content[at..] {
        [quote @ (b'"' | b'\''), ref rest @ ..] => (at + 1, memchr::memchr(quote, rest)?),
        ref value => {
            let is_label = |byte: &&u8| !is_space(**byte) && **byte != b';';
            (at, value.iter().take_while(is_label).count())
        }
    };
    Some(start..start + length)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Returns the first offset from `at` on that is not white space.
pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let space = bytes[at..].iter().take_while(|byte| is_space(**byte));
    at + space.count()
}

/// The attributes of a tag: "get an attribute". Each item has the places of a name and a value.
#[derive(Clone, Debug)]
pub struct Attributes<'a> {
    bytes: &'a [u8],
    /// The offset of the next attribute, and at the end that of the byte after the tag.
    pub at: usize,
    /// True if the bytes end within the tag.
    pub is_cut: bool,
}

impl<'a> Attributes<'a> {
    /// Begins after the name of the tag.
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        let is_cut = false;
        Self { bytes, at, is_cut }
    }

    /// Reads up to a byte that ends a name or a value.
    fn read_to(&mut self, is_end: impl Fn(u8) -> bool) {
        let rest = self.bytes[self.at..].iter();
        self.at += rest.take_while(|byte| !is_end(**byte)).count();
        self.is_cut |= self.at == self.bytes.len();
    }
}

impl Iterator for Attributes<'_> {
    type Item = (Range<usize>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.bytes;
        // Step 1.
        self.read_to(|byte| !is_space(byte) && byte != b'/');
        // Step 2.
        if *bytes.get(self.at)? == b'>' {
            self.at += 1;
            return None;
        }
        // Steps 3 to 5. A name may begin with "=".
        let start = self.at;
        self.at += 1;
        self.read_to(|byte| is_space(byte) || b"=/>".contains(&byte));
        let name = start..self.at;
        // Steps 6 to 8.
        let equals = skip_space(bytes, self.at);
        self.is_cut |= equals == bytes.len();
        if bytes.get(equals) != Some(&b'=') {
            return Some((name, self.at..self.at));
        }
        // Step 9.
        self.at = skip_space(bytes, equals + 1);
        // Step 10.
        if let Some(&quote @ (b'"' | b'\'')) = bytes.get(self.at) {
            self.at += 1;
            let start = self.at;
            self.at += memchr::memchr(quote, &bytes[start..]).unwrap_or(bytes.len() - start);
            let value = start..self.at;
            self.is_cut |= self.at == bytes.len();
            self.at = bytes.len().min(self.at + 1);
            return Some((name, value));
        }
        // Step 11.
        let start = self.at;
        self.read_to(|byte| is_space(byte) || byte == b'>');
        Some((name, start..self.at))
    }
}

/// Step 4: the loop that searches for a `meta` element with an encoding. It ends where the bytes end within a tag.
///
/// `tag` becomes the start of the last tag or comment, or the length if the bytes end outside.
fn find_meta(bytes: &[u8], tag: &mut usize) -> Option<&'static Encoding> {
    let mut at = 0;
    loop {
        *tag = bytes.len();
        at += memchr::memchr(b'<', bytes.get(at..)?)?;
        *tag = at;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // In `<!-->`, the hyphens that start the comment also end it.
            let end = memchr::memmem::find(&rest[2..], b"-->")?;
            at += 2 + end + 2;
        } else if rest.len() > 5
            && rest[1..5].eq_ignore_ascii_case(b"meta")
            && (is_space(rest[5]) || rest[5] == b'/')
        {
            let mut attributes = Attributes::new(bytes, at + 5);
            let encoding = meta(bytes, &mut attributes);
            if attributes.is_cut || encoding.is_some() {
                return encoding.filter(|_| !attributes.is_cut);
            }
            at = attributes.at - 1;
        } else if matches!(rest, [_, b'/', letter, ..] | [_, letter, ..] if letter.is_ascii_alphabetic())
        {
            let tail = rest
                .iter()
                .position(|&byte| is_space(byte) || byte == b'>')?;
            let mut attributes = Attributes::new(bytes, at + tail);
            attributes.by_ref().for_each(drop);
            if attributes.is_cut {
                return None;
            }
            at = attributes.at - 1;
        } else if matches!(rest, [_, b'!' | b'/' | b'?', ..]) {
            at += memchr::memchr(b'>', rest)?;
        }
        // The Standard's "next byte".
        at += 1;
    }
}

/// Reads the attributes of a `meta` element, and returns the declared encoding.
fn meta(bytes: &[u8], attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    // Step 2. The first occurrence of an attribute counts.
    let (mut http_equiv, mut content, mut charset) = (None, None, None);
    for (name, value) in attributes {
        let name = &bytes[name];
        let place = if name.eq_ignore_ascii_case(b"http-equiv") {
            &mut http_equiv
        } else if name.eq_ignore_ascii_case(b"content") {
            &mut content
        } else if name.eq_ignore_ascii_case(b"charset") {
            &mut charset
        } else {
            continue;
        };
        place.get_or_insert(&bytes[value]);
    }
    let from_content = |content: &[u8]| Encoding::for_label(&content[content_label(content)?]);
    let encoding = match (charset, content.and_then(from_content)) {
        // A charset attribute needs no pragma and overrides `content`, even with an unknown label.
        (Some(label), _) => Encoding::for_label(label),
        (None, from_content) => {
            let pragma =
                http_equiv.is_some_and(|value| value.eq_ignore_ascii_case(b"content-type"));
            from_content.filter(|_| pragma)
        }
    };
    encoding.map(|encoding| match utf_16_is_utf_8(encoding) {
        encoding if encoding == X_USER_DEFINED => WINDOWS_1252,
        encoding => encoding,
    })
}

/// The HTML Standard's suggested default encodings, by locale (section 13.2.3.2, last step).
static LOCALES: &[(&str, &Encoding)] = &[
    ("ar fa", WINDOWS_1256),
    ("az ku tr", WINDOWS_1254),
    ("ba be bg kk ky mk ru sah sr tg tt uk", WINDOWS_1251),
    ("cs hr sk", WINDOWS_1250),
    ("el", ISO_8859_7),
    ("et lt lv", WINDOWS_1257),
    ("he", WINDOWS_1255),
    ("hu pl sl", ISO_8859_2),
    ("ja", SHIFT_JIS),
    ("ko", EUC_KR),
    ("th", WINDOWS_874),
    ("vi", WINDOWS_1258),
];

/// Returns the suggested default encoding of a BCP 47 tag: windows-1252 if the table has no row.
///
/// For Chinese, the script decides, then the region: `zh-TW`, `zh-HK`, `zh-MO` and `zh-Hant` are Big5, others GBK.
///
/// ```
/// assert_eq!(mojika_sniff::html::encoding_for_locale("zh-Hant-TW"), mojika::BIG5);
/// assert_eq!(mojika_sniff::html::encoding_for_locale("pl_PL"), mojika::ISO_8859_2);
/// ```
pub fn encoding_for_locale(locale: &str) -> &'static Encoding {
    let mut subtags = locale.split(['-', '_', '.']);
    let language = subtags.next().unwrap_or_default();
    if language.eq_ignore_ascii_case("zh") {
        return if is_traditional(subtags) { BIG5 } else { GBK };
    }
    find_word(LOCALES, language).unwrap_or(WINDOWS_1252)
}

/// Returns the value of the row that lists `word` in any case, among words that are separated by blanks.
pub(super) fn find_word<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let is_word = |one: &str| one.eq_ignore_ascii_case(word);
    let row = table
        .iter()
        .find(|(words, _)| words.split(' ').any(is_word));
    row.map(|&(_, value)| value)
}

/// True if the subtags of a Chinese locale stand for traditional characters: by the script, then by the region.
pub(super) fn is_traditional<'a>(mut subtags: impl Iterator<Item = &'a str>) -> bool {
    let is = |tag: &str, list: &[&str]| list.iter().any(|one| one.eq_ignore_ascii_case(tag));
    let decides = |tag: &&str| is(tag, &["Hans", "Hant", "TW", "HK", "MO"]);
    subtags.find(decides).is_some_and(|tag| !is(tag, &["Hans"]))
}
