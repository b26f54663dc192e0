//! gzip members (RFC 1952) that are completely in memory.

/// Decompresses whole members. That is twice as fast as a stream, but the length of the content must be known.
pub struct WholeMember(libdeflater::Decompressor);

impl WholeMember {
    pub fn new() -> Self {
        Self(libdeflater::Decompressor::new())
    }

    /// Returns the content length of the member `bytes` in bytes, from its trailer; `None` if the length is impossible or
    /// more than `most`.
    pub fn content_len(bytes: &[u8], most: usize) -> Option<usize> {
        let length = u32::from_le_bytes(*bytes.last_chunk()?) as usize;
        // Zero bytes after an empty member look like its trailer. No member expands by more than 1,032 times.
        let is_possible = length > 0 && length <= most && length / 1032 <= bytes.len();
        // libdeflate ignores the checksum of a header (FHCRC).
        let has_header_checksum = bytes.get(3)? & 2 != 0;
        (is_possible && !has_header_checksum).then_some(length)
    }

    /// Decompresses `bytes` to `content`, which has the length from [`content_len`](Self::content_len). Returns true if
    /// `bytes` are exactly one undamaged member; otherwise, `content` is unspecified.
    pub fn decompress(&mut self, bytes: &[u8], content: &mut [u8]) -> bool {
        let length = &bytes[bytes.len() - 4..];
        // libdeflate checks the trailer after the compressed data. That trailer is the end of `bytes` if its length
        // field occurs nowhere else in them. Otherwise, garbage and the end of an equal member may follow it.
        self.0.gzip_decompress(bytes, content) == Ok(content.len())
            && memchr::memmem::find(bytes, length) == Some(bytes.len() - length.len())
    }
}
