//! Content transfer encodings (RFC 2045, section 6).

use super::mailbox::without_end;
use data_encoding::BASE64;

/// The transfer encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// "7bit", "8bit", "binary", or no field.
    Identity,
    QuotedPrintable,
    Base64,
}

impl Transfer {
    /// Returns the transfer encoding called `name`.
    pub fn for_name(name: &[u8]) -> Option<Self> {
        let is = |one: &str| name.eq_ignore_ascii_case(one.as_bytes());
        Some(match () {
            () if is("7bit") || is("8bit") || is("binary") || is("") => Self::Identity,
            () if is("quoted-printable") => Self::QuotedPrintable,
            () if is("base64") => Self::Base64,
            () => return None,
        })
    }

    /// Returns the decoded body; `None` if it is damaged.
    pub fn decode(self, body: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Identity => Some(body.to_vec()),
            Self::QuotedPrintable => decode_quoted_printable(body),
            Self::Base64 => {
                let mut digits = body.to_vec();
                digits.retain(|byte| !byte.is_ascii_whitespace());
                BASE64.decode(&digits).ok()
            }
        }
    }

    /// Returns a body with lines that end with `end`; the last line of base64 has no end.
    pub fn encode(self, bytes: &[u8], end: &str) -> Vec<u8> {
        match self {
            Self::Identity => bytes.to_vec(),
            Self::QuotedPrintable => encode_quoted_printable(bytes, end),
            Self::Base64 => {
                let digits = BASE64.encode(bytes).into_bytes();
                let lines: Vec<_> = digits.chunks(76).collect();
                lines.join(end.as_bytes())
            }
        }
    }
}

fn decode_quoted_printable(body: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let text = without_end(line);
        let end = &line[text.len()..];
        // Trailing space is not part of the line.
        let length = text
            .iter()
            .rposition(|byte| !matches!(byte, b' ' | b'\t'))
            .map_or(0, |at| at + 1);
        let text = &text[..length];
        // A soft break: the line continues on the next one.
        if let Some(text) = text.strip_suffix(b"=") {
            decoded.extend(unescaped(text, b'=')?);
        } else {
            decoded.extend(unescaped(text, b'=')?);
            decoded.extend_from_slice(end);
        }
    }
    Some(decoded)
}

/// Decodes escapes of `mark` and two hexadecimal digits.
pub fn unescaped(text: &[u8], mark: u8) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter();
    while let Some(&byte) = rest.next() {
        if byte != mark {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(*rest.next()?).to_digit(16);
        bytes.push((digit()? * 16 + digit()?) as u8);
    }
    Some(bytes)
}

fn encode_quoted_printable(bytes: &[u8], end: &str) -> Vec<u8> {
    const MAX_LINE_LENGTH: usize = 76;
    let mut encoded = Vec::with_capacity(bytes.len() * 3 / 2);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = without_end(line);
        let mut length = 0;
        for (at, &byte) in text.iter().enumerate() {
            let is_last = at + 1 == text.len();
            let is_plain_after = |length| match byte {
                b' ' | b'\t' => !is_last,
                // A line with this first byte may look like a separator.
                b'F' | b'>' | b'-' | b'.' => length > 0,
                b'=' => false,
                _ => byte.is_ascii_graphic(),
            };
            let width_after = |length| if is_plain_after(length) { 1 } else { 3 };
            // A soft break takes one character.
            if length + width_after(length) > MAX_LINE_LENGTH - 1 {
                encoded.push(b'=');
                encoded.extend_from_slice(end.as_bytes());
                length = 0;
            }
            let (is_plain, width) = (is_plain_after(length), width_after(length));
            if is_plain {
                encoded.push(byte);
            } else {
                encoded.extend_from_slice(format!("={byte:02X}").as_bytes());
            }
            length += width;
        }
        if text.len() < line.len() {
            encoded.extend_from_slice(end.as_bytes());
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika_spec::Random;

    #[test]
    fn what_is_encoded_is_decoded() {
        let random = &mut Random::new(5);
        for _ in 0..500 {
            let bytes: Vec<u8> = (0..random.below(300))
                .map(|_| match random.below(6) {
                    0 => b'\n',
                    1 => b' ',
                    2 => b'=',
                    3 => b'F',
                    _ => random.below(256) as u8,
                })
                .filter(|byte| *byte != b'\r')
                .collect();
            for transfer in [Transfer::QuotedPrintable, Transfer::Base64] {
                let encoded = transfer.encode(&bytes, "\n");
                assert!(
                    encoded
                        .split(|&byte| byte == b'\n')
                        .all(|line| line.len() <= 76)
                );
                assert!(encoded.is_ascii());
                assert_eq!(transfer.decode(&encoded).unwrap(), bytes);
            }
        }
    }

    #[test]
    fn damage_is_not_decoded() {
        for body in [&b"a=4"[..], b"=XY", b"a= b"] {
            assert_eq!(Transfer::QuotedPrintable.decode(body), None);
        }
        for body in [&b"abc"[..], b"ab=c", b"a-b_"] {
            assert_eq!(Transfer::Base64.decode(body), None);
        }
        let soft = Transfer::QuotedPrintable.decode(b"a=  \r\nb=3D \t\r\n=\n");
        assert_eq!(soft.unwrap(), b"ab=\r\n");
    }

    /// RFC 2045, section 6.7: a line has at most 76 characters including the soft break, and does not end with a space.
    #[test]
    fn quoted_printable_is_as_short_as_it_may_be() {
        let a = |count| "a".repeat(count);
        for (text, encoded) in [
            (a(75), a(75)),
            (a(76), a(75) + "=\r\na"),
            (a(72) + "é", a(72) + "=C3=\r\n=A9"),
            (a(73) + "é", a(73) + "=\r\n=C3=A9"),
            (a(69) + "é", a(69) + "=C3=A9"),
            ("a b \r\n\t".to_owned(), "a b=20\r\n=09".to_owned()),
            (" \ta".to_owned(), " \ta".to_owned()),
            ("=~!\u{7F}".to_owned(), "=3D~!=7F".to_owned()),
            // At the start of a line, also after a soft break.
            ("From >-.".to_owned(), "=46rom >-.".to_owned()),
            (">a\n-a\n.a".to_owned(), "=3Ea\r\n=2Da\r\n=2Ea".to_owned()),
            (a(75) + "From", a(75) + "=\r\n=46rom"),
        ] {
            let found = Transfer::QuotedPrintable.encode(text.as_bytes(), "\r\n");
            assert_eq!(String::from_utf8(found).unwrap(), encoded, "{text:?}");
        }
        let base64 = Transfer::Base64.encode(&[0; 58], "\r\n");
        let expected = a(76).replace('a', "A") + "\r\nAA==";
        assert_eq!(String::from_utf8(base64).unwrap(), expected);
    }

    #[test]
    fn names_of_transfer_encodings_are_those_of_the_rfc() {
        use Transfer::*;
        for (name, transfer) in [
            ("", Some(Identity)),
            ("7BIT", Some(Identity)),
            ("8bit", Some(Identity)),
            ("Binary", Some(Identity)),
            ("Quoted-Printable", Some(QuotedPrintable)),
            ("BASE64", Some(Base64)),
            ("uuencode", None),
        ] {
            assert_eq!(Transfer::for_name(name.as_bytes()), transfer, "{name}");
        }
    }
}
