//! Header lines "name: value", which begin WARC records and HTTP messages.
//!
//! Lines are parsed as leniently as in browsers: they end in LF or CR LF, and values may have any bytes. A line that
//! begins with white space continues the previous line, and a line without a colon is ignored. A parser that refuses a
//! whole header for one such line would lose the record.

/// The first line of a header and its fields.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The first line without its line end.
    pub first: &'a [u8],
    fields: &'a [u8],
}

impl<'a> Head<'a> {
    /// Splits a header.
    pub fn new(head: &'a [u8]) -> Self {
        let (first, fields) = split_line(head);
        Self { first, fields }
    }

    /// Returns the fields, in order.
    pub fn fields(&self) -> Fields<'a> {
        Fields { rest: self.fields }
    }

    /// Returns the address, without the angle brackets of old archives; empty if it is missing.
    pub fn url(&self) -> &'a [u8] {
        let url = self.get("WARC-Target-URI").unwrap_or_default();
        let inner = url
            .strip_prefix(b"<")
            .and_then(|url| url.strip_suffix(b">"));
        inner.unwrap_or(url)
    }

    /// Returns the value of the first field called `name`, ignoring case.
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        let name = name.as_bytes();
        let mut fields = self.fields();
        while let Some((line, lines)) = fields.next_line() {
            // The name is usually at the start of the line, unless white space precedes it.
            let start = line.get(..name.len()).unwrap_or_default();
            if !start.eq_ignore_ascii_case(name) && !line[0].is_ascii_whitespace() {
                continue;
            }
            if let Some(field) = Field::new(line, lines)
                && field.name.eq_ignore_ascii_case(name)
            {
                return Some(field.value);
            }
        }
        None
    }
}

/// A header field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    pub name: &'a [u8],
    /// The value without surrounding white space. A continued value contains its line ends.
    pub value: &'a [u8],
    /// All lines of the field, with their line ends.
    pub lines: &'a [u8],
}

/// An iterator over fields.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Field<'a> {
    /// Parses a field from `lines`, whose first line is `line`. Returns `None` if that line has no colon.
    fn new(line: &[u8], lines: &'a [u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', line)?;
        Some(Field {
            name: lines[..colon].trim_ascii(),
            value: lines[colon + 1..].trim_ascii(),
            lines,
        })
    }
}

impl<'a> Fields<'a> {
    /// Returns the next line without its end, and the whole lines with their continuations.
    fn next_line(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let all = self.rest;
        let (line, mut rest) = split_line(all);
        if line.is_empty() {
            // An empty line ends the header.
            return None;
        }
        while let [b' ' | b'\t', ..] = rest {
            rest = split_line(rest).1;
        }
        self.rest = rest;
        Some((line, &all[..all.len() - rest.len()]))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        loop {
            let (line, lines) = self.next_line()?;
            if let Some(field) = Field::new(line, lines) {
                return Some(field);
            }
        }
    }
}

fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some(end) = memchr::memchr(b'\n', bytes) else {
        return (bytes, &[]);
    };
    let line = &bytes[..end];
    (line.strip_suffix(b"\r").unwrap_or(line), &bytes[end + 1..])
}

/// Returns the length of a header including the empty line at its end; `None` if the header is incomplete.
pub fn head_length(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_leniently() {
        let bytes = b"HTTP/1.1 200 OK\r\nA : 1\r\nno colon\nB:\xE9\r\n  more\r\nC:\r\n\r\nD: body";
        assert_eq!(head_length(bytes), Some(bytes.len() - 7));
        let head = Head::new(bytes);
        assert_eq!(head.first, b"HTTP/1.1 200 OK");
        let fields: Vec<_> = head.fields().map(|one| (one.name, one.value)).collect();
        let expected: [(&[u8], &[u8]); 3] = [(b"A", b"1"), (b"B", b"\xE9\r\n  more"), (b"C", b"")];
        assert_eq!(fields, expected);
        assert_eq!(head.get("b"), Some(&b"\xE9\r\n  more"[..]));
        assert_eq!(head.get("a"), Some(&b"1"[..]));
        assert_eq!(head.get("no"), None);
        assert_eq!(head.get("D"), None);
    }
}
