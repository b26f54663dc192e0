//! Reads a file as an archive with one record.

use super::Archive;
use super::archive::Piece;
use super::reader::Input;
use mojika_convert::engine;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// Returns the type by the file's extension; `None` if the first bytes must decide.
fn content_type(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match &*extension {
        "html" | "htm" | "shtml" | "php" | "asp" | "aspx" | "jsp" => "text/html",
        "xhtml" | "xht" => "application/xhtml+xml",
        "xml" | "rss" | "atom" | "rdf" => "application/xml",
        "svg" => "image/svg+xml",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "txt" | "text" | "csv" | "tsv" => "text/plain",
        _ => return None,
    })
}

/// Returns a file as an archive with one record.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub(super) fn piece(
    archive: &Archive,
    url: &str,
    file: File,
    most: u64,
) -> io::Result<Piece<'static>> {
    let (format, reader) = engine::decompressed(Box::new(file))?;
    let mut body = Vec::new();
    // One byte more than the limit is read to detect a file that is too long.
    reader.take(most.saturating_add(1)).read_to_end(&mut body)?;
    let named = engine::renamed(archive.path.clone(), format, None);
    let mut head = format!("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\n");
    let kind = content_type(&named).unwrap_or("application/octet-stream");
    head += &format!(
        "Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let length = body.len() as u64;
    if length > most {
        // The record will be skipped, so its bytes are not needed.
        body = Vec::new();
    }
    let skipped = io::repeat(0).take(length - body.len() as u64);
    let record = Cursor::new(head.into_bytes())
        .chain(Cursor::new(body))
        .chain(skipped)
        .chain(&b"\r\n\r\n"[..]);
    Ok(Piece::whole(Input::stream(
        Box::new(record) as Box<dyn Read>
    )))
}
