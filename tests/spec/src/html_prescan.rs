//! HTML Standard, section 13.2.3.2: "prescan a byte stream to determine its encoding", step by step.
//!
//! Functions return `Err(OutOfBytes)` if the algorithm would read beyond the end of the input.

use crate::{Encoding, get_an_encoding};

/// The end of the input, at which the Standard says "abort the prescan".
struct OutOfBytes;

/// The input, and the algorithm's "position" in it.
struct Scanner<'a> {
    input: &'a [u8],
    position: usize,
}

/// "Prescan a byte stream to determine its encoding", whose end condition is the end of `input`.
pub fn prescan(input: &[u8]) -> Option<Encoding> {
    let mut scanner = Scanner { input, position: 0 };
    match scanner.prescan() {
        Ok(encoding) => Some(encoding),
        Err(OutOfBytes) => get_an_xml_encoding(input),
    }
}

fn is_space(byte: u8) -> bool {
    [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(&byte)
}

/// "Get an encoding" from bytes, which are isomorphically decoded.
fn encoding_of(label: &[u8]) -> Option<Encoding> {
    let label: String = label.iter().map(|&byte| char::from(byte)).collect();
    get_an_encoding(&label)
}

fn utf_8_for_utf_16(encoding: Encoding) -> Encoding {
    match encoding {
        Encoding::Utf16Be | Encoding::Utf16Le => Encoding::Utf8,
        other => other,
    }
}

impl Scanner<'_> {
    fn byte(&self) -> Result<u8, OutOfBytes> {
        self.input.get(self.position).copied().ok_or(OutOfBytes)
    }

    fn points_to(&self, word: &[u8]) -> bool {
        let ahead = self.input[self.position..].iter();
        ahead.len() >= word.len() && word.iter().zip(ahead).all(|(a, b)| a == b)
    }

    fn prescan(&mut self) -> Result<Encoding, OutOfBytes> {
        // Step 2.
        if self.points_to(b"<\0?\0x\0") {
            return Ok(Encoding::Utf16Le);
        }
        if self.points_to(b"\0<\0?\0x") {
            return Ok(Encoding::Utf16Be);
        }
        // Step 3.
        loop {
            self.byte()?;
            if self.points_to(b"<!--") {
                let start = self.position;
                loop {
                    self.position += 1;
                    let is_end = self.byte()? == b'>'
                        && self.position >= start + 4
                        && self.input[self.position - 2..self.position] == *b"--";
                    if is_end {
                        break;
                    }
                }
            } else if self.is_at_meta() {
                if let Some(encoding) = self.meta()? {
                    return Ok(encoding);
                }
            } else if self.is_at_tag() {
                // Steps 1 and 2 of a tag.
                while !is_space(self.byte()?) && self.byte()? != b'>' {
                    self.position += 1;
                }
                while self.get_an_attribute()?.is_some() {}
            } else if self.points_to(b"<!") || self.points_to(b"</") || self.points_to(b"<?") {
                while self.byte()? != b'>' {
                    self.position += 1;
                }
            }
            // Step 4, "next byte".
            self.position += 1;
        }
    }

    fn is_at_meta(&self) -> bool {
        let ahead: Vec<u8> = self.input[self.position..]
            .iter()
            .take(6)
            .copied()
            .collect();
        ahead.len() == 6
            && ahead[..5].eq_ignore_ascii_case(b"<meta")
            && (is_space(ahead[5]) || ahead[5] == b'/')
    }

    fn is_at_tag(&self) -> bool {
        let ahead = &self.input[self.position..];
        match ahead {
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => true,
            [b'<', letter, ..] => letter.is_ascii_alphabetic(),
            _ => false,
        }
    }

    /// The steps for a `meta` element. `None` means that they continue at "next byte".
    fn meta(&mut self) -> Result<Option<Encoding>, OutOfBytes> {
        // Step 1.
        self.position += 5;
        // Steps 2 to 5. The charset is null, or failure, or an encoding.
        let mut attribute_list: Vec<Vec<u8>> = Vec::new();
        let mut got_pragma = false;
        let mut need_pragma = None;
        let mut charset: Option<Option<Encoding>> = None;
        // Step 6.
        while let Some((name, value)) = self.get_an_attribute()? {
            // Step 7.
            if attribute_list.contains(&name) {
                continue;
            }
            // Step 8.
            attribute_list.push(name.clone());
            // Step 9.
            match &*name {
                b"http-equiv" => got_pragma = value == b"content-type",
                b"content" => {
                    if let Some(encoding) = extract_a_character_encoding(&value)
                        && charset.is_none()
                    {
                        charset = Some(Some(encoding));
                        need_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(encoding_of(&value));
                    need_pragma = Some(false);
                }
                _ => {}
            }
        }
        // Step 11.
        let Some(need_pragma) = need_pragma else {
            return Ok(None);
        };
        // Step 12.
        if need_pragma && !got_pragma {
            return Ok(None);
        }
        // Step 13.
        let Some(Some(charset)) = charset else {
            return Ok(None);
        };
        // Steps 14 and 15.
        Ok(Some(match utf_8_for_utf_16(charset) {
            Encoding::XUserDefined => encoding_of(b"windows-1252").expect("a label"),
            other => other,
        }))
    }

    /// "Get an attribute": returns name and value in lower case.
    #[expect(clippy::type_complexity, reason = "the algorithm's result")]
    fn get_an_attribute(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>, OutOfBytes> {
        // Step 1.
        while is_space(self.byte()?) || self.byte()? == b'/' {
            self.position += 1;
        }
        // Step 2.
        if self.byte()? == b'>' {
            return Ok(None);
        }
        // Step 3.
        let (mut name, mut value) = (Vec::new(), Vec::new());
        // Steps 4 and 5.
        loop {
            match self.byte()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    // Step 6.
                    while is_space(self.byte()?) {
                        self.position += 1;
                    }
                    // Step 7.
                    if self.byte()? != b'=' {
                        return Ok(Some((name, value)));
                    }
                    break;
                }
                b'/' | b'>' => return Ok(Some((name, value))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.position += 1;
        }
        // Step 8.
        self.position += 1;
        // Step 9.
        while is_space(self.byte()?) {
            self.position += 1;
        }
        // Step 10.
        match self.byte()? {
            quote @ (b'"' | b'\'') => loop {
                self.position += 1;
                if self.byte()? == quote {
                    self.position += 1;
                    return Ok(Some((name, value)));
                }
                value.push(self.byte()?.to_ascii_lowercase());
            },
            b'>' => return Ok(Some((name, value))),
            byte => {
                value.push(byte.to_ascii_lowercase());
                self.position += 1;
            }
        }
        // Steps 11 and 12.
        loop {
            match self.byte()? {
                byte if is_space(byte) || byte == b'>' => return Ok(Some((name, value))),
                byte => value.push(byte.to_ascii_lowercase()),
            }
            self.position += 1;
        }
    }
}

/// "Extracting a character encoding from a meta element".
pub fn extract_a_character_encoding(s: &[u8]) -> Option<Encoding> {
    // Step 1.
    let mut position = 0;
    loop {
        // Step 2.
        loop {
            if s.len() < position + 7 {
                return None;
            }
            if s[position..position + 7].eq_ignore_ascii_case(b"charset") {
                break;
            }
            position += 1;
        }
        position += 7;
        // Step 3.
        while s.get(position).copied().is_some_and(is_space) {
            position += 1;
        }
        // Step 4.
        if s.get(position) == Some(&b'=') {
            break;
        }
    }
    position += 1;
    // Step 5.
    while s.get(position).copied().is_some_and(is_space) {
        position += 1;
    }
    // Step 6.
    let rest = s.get(position..).unwrap_or_default();
    match rest.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let rest = &rest[1..];
            let end = rest.iter().position(|byte| byte == quote)?;
            encoding_of(&rest[..end])
        }
        None => None,
        Some(_) => {
            let end = rest.iter().position(|&byte| is_space(byte) || byte == b';');
            encoding_of(&rest[..end.unwrap_or(rest.len())])
        }
    }
}

/// "Get an XML encoding". Bytes after the `>` of the declaration are ignored.
pub fn get_an_xml_encoding(input: &[u8]) -> Option<Encoding> {
    // Steps 1 and 2.
    if !input.starts_with(b"<?xml") {
        return None;
    }
    // Step 3.
    let xml_declaration_end = input.iter().position(|&byte| byte == b'>')?;
    let input = &input[..xml_declaration_end];
    // Step 4.
    let mut encoding_position =
        (0..input.len()).find(|&at| input[at..].starts_with(b"encoding"))?;
    // Step 5.
    encoding_position += 8;
    // Step 6.
    while *input.get(encoding_position)? <= 0x20 {
        encoding_position += 1;
    }
    // Step 7.
    if input[encoding_position] != b'=' {
        return None;
    }
    // Step 8.
    encoding_position += 1;
    // Step 9.
    while *input.get(encoding_position)? <= 0x20 {
        encoding_position += 1;
    }
    // Steps 10 and 11.
    let quote_mark = input[encoding_position];
    if quote_mark != b'"' && quote_mark != b'\'' {
        return None;
    }
    // Step 12.
    encoding_position += 1;
    // Step 13.
    let encoding_end_position =
        (encoding_position..input.len()).find(|&at| input[at] == quote_mark)?;
    // Step 14.
    let potential_encoding = &input[encoding_position..encoding_end_position];
    // Step 15.
    if potential_encoding.iter().any(|&byte| byte <= 0x20) {
        return None;
    }
    // Steps 16 to 18.
    encoding_of(potential_encoding).map(utf_8_for_utf_16)
}
