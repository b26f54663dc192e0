//! The transport's declaration: the `charset` parameter of a Content-Type, by the parser of the MIME Sniffing Standard.

/// The maximum length of a `charset` value that can be a label, including whitespace.
pub(super) const MAX_VALUE: usize = 64;

/// Returns the label in a value that is a label, or a whole Content-Type if it contains a slash.
pub(super) fn label<'b>(value: &'b [u8], buffer: &'b mut [u8; MAX_VALUE]) -> Option<&'b [u8]> {
    if value.contains(&b'/') {
        charset(value, buffer)
    } else {
        Some(value.trim_ascii())
    }
}

/// Returns the essence of a Content-Type, before its parameters: `text/html`. Case is as in the header.
pub(super) fn essence(header: &[u8]) -> Option<&[u8]> {
    split_essence(header).map(|(essence, _)| essence)
}

fn split_essence(header: &[u8]) -> Option<(&[u8], &[u8])> {
    // Step 1.
    let header = trim(header);
    let end = position(header, |byte| byte == b';');
    let (essence, rest) = header.split_at(end);
    // Steps 3 to 9.
    let essence = trim_end(essence);
    let slash = essence.iter().position(|&byte| byte == b'/')?;
    (is_token(&essence[..slash]) && is_token(&essence[slash + 1..])).then_some((essence, rest))
}

/// Returns the value of the first valid `charset` parameter, unescaped into `buffer` if it is quoted.
pub(super) fn charset<'b>(header: &'b [u8], buffer: &'b mut [u8; MAX_VALUE]) -> Option<&'b [u8]> {
    let (_, mut rest) = split_essence(header)?;
    // Step 11.
    while let [b';', after @ ..] = rest {
        // Steps 11.1 to 11.4.
        rest = trim_start(after);
        let (name, after) = rest.split_at(position(rest, |byte| matches!(byte, b';' | b'=')));
        rest = after;
        // Steps 11.5 and 11.6.
        let [b'=', after @ ..] = rest else { continue };
        rest = after;
        let is_charset = name.eq_ignore_ascii_case(b"charset");
        if let [b'"', quoted @ ..] = rest {
            // Step 11.8.
            let (length, after, valid) = unescape(quoted, buffer);
            rest = &after[position(after, |byte| byte == b';')..];
            if is_charset && valid {
                return buffer.get(..length);
            }
        } else {
            // Step 11.9.
            let (value, after) = rest.split_at(position(rest, |byte| byte == b';'));
            rest = after;
            let value = trim_end(value);
            if is_charset && !value.is_empty() && value.iter().copied().all(is_quotable) {
                return Some(value);
            }
        }
    }
    None
}

/// Implements "collect an HTTP quoted string" after its opening quote. Returns the length of the value, the bytes after
/// the string, and true if the string is valid.
fn unescape<'a>(mut quoted: &'a [u8], buffer: &mut [u8; MAX_VALUE]) -> (usize, &'a [u8], bool) {
    let (mut length, mut valid) = (0, true);
    loop {
        let (byte, after) = match *quoted {
            [] => break,
            [b'"', ref after @ ..] => {
                quoted = after;
                break;
            }
            [b'\\', escaped, ref after @ ..] => (escaped, after),
            [byte, ref after @ ..] => (byte, after),
        };
        quoted = after;
        valid &= is_quotable(byte);
        if let Some(place) = buffer.get_mut(length) {
            *place = byte;
        }
        length += 1;
    }
    (length, quoted, valid)
}

fn position(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> usize {
    let found = bytes.iter().position(|&byte| is_end(byte));
    found.unwrap_or(bytes.len())
}

fn is_http_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    &bytes[position(bytes, |byte| !is_http_space(byte))..]
}

fn trim_end(bytes: &[u8]) -> &[u8] {
    let kept = bytes.iter().rposition(|&byte| !is_http_space(byte));
    &bytes[..kept.map_or(0, |last| last + 1)]
}

fn trim(bytes: &[u8]) -> &[u8] {
    trim_end(trim_start(bytes))
}

fn is_token(bytes: &[u8]) -> bool {
    let is_mark = |byte| b"!#$%&'*+-.^_`|~".contains(&byte);
    !bytes.is_empty()
        && bytes
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || is_mark(byte))
}

/// True for an "HTTP quoted-string token code point".
fn is_quotable(byte: u8) -> bool {
    matches!(byte, b'\t' | b' '..=b'~' | 0x80..)
}
