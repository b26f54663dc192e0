//! Recognises the start and the end of records by their bytes.

use super::fields;

/// True if "WARC/" at offset `at` starts a record. It must start a line. After a truncated record, it may be anywhere
/// if a whole version line and a field follow.
pub fn starts_record(data: &[u8], at: usize) -> bool {
    let rest = &data[at + 5..];
    let [major, after @ ..] = rest else {
        return false;
    };
    if !major.is_ascii_digit() {
        return false;
    }
    let is_version_line = || match after {
        [b'.', minor, b'\r', b'\n', fields @ ..] | [b'.', minor, b'\n', fields @ ..] => {
            minor.is_ascii_digit() && fields.starts_with(b"WARC-")
        }
        _ => false,
    };
    (at > 0 && data[at - 1] == b'\n') || is_version_line()
}

/// True if `rest` may follow the end of a record. `is_last` is true if `rest` ends with the archive or with a member.
pub fn ends_record(rest: &[u8], is_last: bool) -> bool {
    if is_last && rest.len() <= 4 {
        return blank_length(rest) == rest.len();
    }
    let ends = [
        &b"\r\n\r\n"[..],
        b"\n\n",
        b"\r\nWARC/",
        b"\nWARC/",
        b"WARC/",
    ];
    ends.iter().any(|end| rest.starts_with(end))
}

/// The end of a header.
pub enum HeadEnd {
    /// The length of the header.
    At(usize),
    /// The next record begins before the header ends.
    CutOff,
    /// The end of the header is not in these bytes.
    Open,
}

/// Finds the end of the header at the start of `data`, but stops at the start of the next record.
pub fn head_end(data: &[u8]) -> HeadEnd {
    /// Most headers have fewer bytes than this.
    const SHORT: usize = 1 << 10;
    let mut most = SHORT;
    loop {
        let part = &data[..most.min(data.len())];
        let length = fields::head_length(part);
        let head = &part[..length.unwrap_or(part.len())];
        let starts = memchr::memmem::find_iter(head, b"WARC/").skip(1);
        if starts.into_iter().any(|at| starts_record(data, at)) {
            return HeadEnd::CutOff;
        }
        if let Some(length) = length {
            return HeadEnd::At(length);
        }
        if part.len() == data.len() {
            return HeadEnd::Open;
        }
        most *= 4;
    }
}

/// Returns the length of the line ends at the start of the bytes.
pub fn blank_length(bytes: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(|byte| is_blank(byte)).count()
}
