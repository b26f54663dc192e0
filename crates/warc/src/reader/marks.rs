//! The start and end of records, by their bytes.

use super::fields;

/// True if "WARC/" at this place starts a record: at the start of a line, or, where the record before is cut off, with a
/// whole line of the version and a field.
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

/// True if a record ends before these bytes, which are the last ones of the archive or of a member if `is_last` is set.
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

/// The end of a head.
pub enum HeadEnd {
    /// Length of the head.
    At(usize),
    /// The next record begins before.
    CutOff,
    /// Not in these bytes.
    Open,
}

/// Looks for the end of the head that begins `data`, no farther than to the start of the next record.
pub fn head_end(data: &[u8]) -> HeadEnd {
    /// Most heads are shorter.
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

/// Length of the line ends that bytes begin with.
pub fn blank_length(bytes: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(|byte| is_blank(byte)).count()
}
