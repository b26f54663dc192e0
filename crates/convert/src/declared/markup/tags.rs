//! Tags of HTML: their ends, and their attributes.

/// Returns the offset after the tag that begins at `at`, or `at + 1` if no tag begins there. A tag within an attribute
/// value is not an element.
pub fn after_tag(bytes: &[u8], at: usize) -> usize {
    let slash = usize::from(bytes.get(at + 1) == Some(&b'/'));
    let name = at + 1 + slash;
    if !bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
        return at + 1;
    }
    let is_name = |byte: &&u8| !byte.is_ascii_whitespace() && !b"/>".contains(byte);
    let mut attributes = Attributes {
        bytes,
        at: name + bytes[name..].iter().take_while(is_name).count(),
    };
    while attributes.next().is_some() {}
    attributes.at
}

/// Returns the offset of the end tag of an element with raw text.
pub fn end_tag(bytes: &[u8], mut at: usize, name: &[u8]) -> usize {
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"</") {
        at += found + 2;
        let end = bytes.get(at..at + name.len());
        if end.is_some_and(|end| end.eq_ignore_ascii_case(name)) {
            return at;
        }
    }
    bytes.len()
}

/// Returns the first offset from `at` on that is not white space.
pub fn skip_blank(bytes: &[u8], at: usize) -> usize {
    let blank = bytes[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    at + blank.count()
}

/// Iterates over the ranges of the names and values of a tag's attributes.
pub struct Attributes<'a> {
    pub bytes: &'a [u8],
    /// The offset of the next attribute, or of the end of the tag.
    pub at: usize,
}

impl Iterator for Attributes<'_> {
    type Item = ((usize, usize), (usize, usize));

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.bytes;
        let is_between = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'/';
        self.at += bytes[self.at..].iter().take_while(is_between).count();
        match bytes.get(self.at) {
            None => return None,
            Some(b'>') => {
                self.at += 1;
                return None;
            }
            _ => {}
        }
        let start = self.at;
        // A name may begin with "=".
        self.at += 1;
        let is_name = |byte: &&u8| !byte.is_ascii_whitespace() && !b"=/>".contains(byte);
        self.at += bytes[self.at..].iter().take_while(is_name).count();
        let name = (start, self.at);
        let equals = skip_blank(bytes, self.at);
        if bytes.get(equals) != Some(&b'=') {
            return Some((name, (self.at, self.at)));
        }
        self.at = skip_blank(bytes, equals + 1);
        let value = match bytes.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let length = memchr::memchr(quote, &bytes[start..]);
                let end = length.map_or(bytes.len(), |length| start + length);
                self.at = bytes.len().min(end + 1);
                (start, end)
            }
            _ => {
                let start = self.at;
                let is_value = |byte: &&u8| !byte.is_ascii_whitespace() && **byte != b'>';
                self.at += bytes[start..].iter().take_while(is_value).count();
                (start, self.at)
            }
        };
        Some((name, value))
    }
}
