//! HTTP responses: status line, fields, and the decoded body.

use super::reader::fields::{Field, Head, head_length};
use super::reader::member::WholeMember;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// The maximum number of codings of a body. More codings serve no purpose, and each takes time.
const MOST_CODINGS: usize = 5;

/// A response in a record.
pub struct Response<'a> {
    pub head: Head<'a>,
    /// The three digits of the status line.
    pub status: Option<u16>,
    /// The body with its codings.
    pub body: &'a [u8],
}

/// A body without codings.
pub struct Plain<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// The reason why a part of the body is missing.
    pub damage: Option<String>,
}

/// Splits a response; `None` if it does not begin with a status line.
pub fn parse(block: &[u8]) -> Option<Response<'_>> {
    if !block.starts_with(b"HTTP/") {
        return None;
    }
    // A response whose header has no end has no body.
    let end = head_length(block).unwrap_or(block.len());
    let (head_bytes, body) = block.split_at(end);
    let head = Head::new(head_bytes);
    let status = head.first.split(|&byte| byte == b' ').nth(1);
    let status = status.and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    Some(Response { head, status, body })
}

impl<'a> Response<'a> {
    /// Returns the body without transfer and content codings.
    ///
    /// Archives often have decoded bodies whose fields still name the codings. A body that is not in the named coding is
    /// taken unchanged. `most` is the maximum length of a body, in bytes.
    pub fn plain(&self, most: u64) -> Plain<'a> {
        let mut plain = Plain {
            bytes: Cow::Borrowed(self.body),
            damage: None,
        };
        let transfer = self.codings("Transfer-Encoding");
        let mut codings: Vec<_> = self.codings("Content-Encoding").chain(transfer).collect();
        if codings.len() > MOST_CODINGS {
            plain.damage = Some(format!("more than {MOST_CODINGS} codings"));
        }
        // The last coding in the list was applied last, so it is undone first.
        while let Some(coding) = codings.pop()
            && plain.damage.is_none()
        {
            plain.undo(&coding.to_ascii_lowercase(), most);
        }
        plain
    }

    /// Returns the codings in all fields called `name`. Implausible names are left out.
    fn codings(&self, name: &'static str) -> impl Iterator<Item = &'a [u8]> {
        let fields = self.head.fields();
        let is_named = move |field: &Field<'_>| field.name.eq_ignore_ascii_case(name.as_bytes());
        let values = fields.filter(is_named).map(|field| field.value);
        let codings = values.flat_map(|value| value.split(|&byte| byte == b','));
        let codings = codings.map(<[u8]>::trim_ascii);
        let is_one =
            |coding: &&[u8]| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity");
        codings.filter(is_one).take(MOST_CODINGS + 1)
    }
}

impl Plain<'_> {
    fn undo(&mut self, coding: &[u8], most: u64) {
        // The fields of a response without a body may still name codings.
        if self.bytes.is_empty() {
            return;
        }
        let coding = str::from_utf8(coding).unwrap_or_default();
        let bytes = &*self.bytes;
        let mut output = Vec::new();
        let result = match coding {
            "chunked" => match dechunk(bytes) {
                None => return,
                Some((joined, damage)) => {
                    output = joined;
                    damage.map_or(Ok(()), Err)
                }
            },
            "gzip" | "x-gzip" if bytes.starts_with(&[0x1F, 0x8B]) => {
                match whole_gzip(bytes, most) {
                    Some(content) => {
                        output = content;
                        Ok(())
                    }
                    None => read(MultiGzDecoder::new(bytes), &mut output, most),
                }
            }
            // By RFC 9110, "deflate" is zlib's format, but some servers send raw deflate data.
            "deflate" if is_zlib(bytes) => read(ZlibDecoder::new(bytes), &mut output, most),
            "deflate" => read(DeflateDecoder::new(bytes), &mut output, most),
            "br" => read(
                brotli::Decompressor::new(bytes, 64 << 10),
                &mut output,
                most,
            ),
            "zstd" if bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => {
                match zstd::stream::read::Decoder::with_buffer(bytes) {
                    Ok(decoder) => read(decoder, &mut output, most),
                    Err(error) => Err(error.to_string()),
                }
            }
            _ => return,
        };
        if let Err(error) = result {
            if output.is_empty() && coding != "chunked" {
                // The body is not in this coding.
                return;
            }
            self.damage = Some(format!("{coding}: {error}"));
        }
        self.bytes = Cow::Owned(output);
    }
}

/// Returns the content of a gzip member, if `bytes` are one undamaged member with at most `most` bytes of content.
fn whole_gzip(bytes: &[u8], most: u64) -> Option<Vec<u8>> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut content = vec![0; WholeMember::content_len(bytes, most)?];
    WholeMember::new()
        .decompress(bytes, &mut content)
        .then_some(content)
}

fn is_zlib(bytes: &[u8]) -> bool {
    match *bytes {
        [method, flags, ..] => method & 0xF == 8 && u16::from_be_bytes([method, flags]) % 31 == 0,
        _ => false,
    }
}

/// Reads up to `most` bytes.
fn read(reader: impl Read, output: &mut Vec<u8>, most: u64) -> Result<(), String> {
    let result = reader.take(most.saturating_add(1)).read_to_end(output);
    if output.len() as u64 > most {
        output.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        return Err(format!("longer than {most} bytes"));
    }
    result.map(drop).map_err(|error| error.to_string())
}

/// Joins chunks (RFC 9112, section 7.1); `None` if the bytes do not begin with a chunk. Also returns a message if the
/// last chunk is missing.
fn dechunk(bytes: &[u8]) -> Option<(Vec<u8>, Option<String>)> {
    let (mut size, mut rest) = chunk_size(bytes)?;
    let mut joined = Vec::with_capacity(bytes.len());
    while size > 0 {
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            joined.extend_from_slice(rest);
            return Some((joined, Some("the last chunk is cut off".to_owned())));
        };
        joined.extend_from_slice(chunk);
        let after = after.strip_prefix(b"\r").unwrap_or(after);
        let after = after.strip_prefix(b"\n").unwrap_or(after);
        let Some(next) = chunk_size(after) else {
            let what = if after.is_empty() {
                "the last chunk is missing"
            } else {
                "what follows a chunk is none"
            };
            return Some((joined, Some(what.to_owned())));
        };
        (size, rest) = next;
    }
    // Trailer fields after the last chunk do not affect the text.
    Some((joined, None))
}

/// Returns the size at the start of a chunk, and the bytes after its line.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    if !(1..=15).contains(&digits) {
        return None;
    }
    let size = str::from_utf8(&bytes[..digits]).ok()?;
    let size = usize::from_str_radix(size, 16).ok()?;
    let line = &bytes[digits..bytes.len().min(digits + 4096)];
    // White space or an extension may follow the size.
    if !matches!(line.first()?, b'\r' | b'\n' | b' ' | b'\t' | b';') {
        return None;
    }
    let end = memchr::memchr(b'\n', line)?;
    Some((size, &bytes[digits + end + 1..]))
}
