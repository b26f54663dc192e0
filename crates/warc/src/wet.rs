//! Documents as conversion records of WARC 1.0, as in the WET files of Common Crawl.

use super::document::Document;
use super::document::Shown;
use data_encoding::BASE32;
use sha1_smol::Sha1;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time from 1970 to the end of the year 9999, the last year with four digits.
const MOST_AGE: Duration = Duration::from_secs(253_402_300_800);

/// Returns the record at the start of an archive, which names the program; `path` is the source archive.
///
/// # Errors
///
/// Fails if the clock shows a date that no record can have.
pub fn info(path: &Path, is_utf_8: bool) -> io::Result<Vec<u8>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.replace(['\r', '\n'], " ");
    let what = if is_utf_8 {
        "documents converted to UTF-8, and labelled so"
    } else {
        "text of documents, converted to UTF-8"
    };
    let version = env!("CARGO_PKG_VERSION");
    let block = format!(
        "software: mojika/{version}\r\nformat: WARC File Format 1.0\r\ndescription: {what}\r\nisPartOf: {name}\r\n"
    );
    let date = now()?;
    let mut fields = Fields::new("warcinfo");
    fields.add("WARC-Date", &date);
    fields.add(
        "WARC-Record-ID",
        &record_id(&["warcinfo", what, &name, &date]),
    );
    fields.add("Content-Type", "application/warc-fields");
    let mut output = Vec::new();
    fields.write(&mut output, block.as_bytes());
    Ok(output)
}

/// Returns the time, or `SOURCE_DATE_EPOCH` for reproducible output, in the format of WARC-Date.
fn now() -> io::Result<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    let fixed = fixed.and_then(|seconds| seconds.parse().ok());
    let fixed = fixed.and_then(|seconds| UNIX_EPOCH.checked_add(Duration::from_secs(seconds)));
    date(fixed.unwrap_or_else(SystemTime::now))
}

/// Returns a time in the format of WARC-Date.
fn date(time: SystemTime) -> io::Result<String> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(age) if age < MOST_AGE => Ok(mojika_convert::date::rfc_3339(age.as_secs())),
        _ => Err(io::Error::other(
            "the clock, or SOURCE_DATE_EPOCH, shows a year before 1970 or after 9999",
        )),
    }
}

/// Appends the record for a document.
pub fn write(output: &mut Vec<u8>, document: &Document<'_>, text: Shown) {
    let mut fields = Fields::new("conversion");
    fields.add("WARC-Target-URI", &document.url);
    if let Some(date) = &document.date {
        fields.add("WARC-Date", date);
    }
    let original = document.record_id.as_deref();
    let date = document.date.as_deref().unwrap_or_default();
    let id = record_id(&[
        "conversion",
        original.unwrap_or_default(),
        &document.url,
        date,
    ]);
    fields.add("WARC-Record-ID", &id);
    if let Some(original) = original {
        fields.add("WARC-Refers-To", original);
    }
    let content_type = match text {
        Shown::Plain => "text/plain",
        Shown::Whole if document.essence.is_empty() => "text/plain",
        Shown::Whole => &document.essence,
    };
    let decided = &document.text;
    fields.add("Content-Type", &format!("{content_type}; charset=utf-8"));
    fields.add("X-Mojika-Encoding", decided.decision.encoding.name());
    fields.add("X-Mojika-Source", decided.decision.source.as_str());
    let words: Vec<_> = decided.voices.disagreements.words().collect();
    if !words.is_empty() {
        fields.add("X-Mojika-Disagreements", &words.join(", "));
    }
    if decided.replaced > 0 {
        fields.add("X-Mojika-Replaced", &decided.replaced.to_string());
    }
    fields.write(output, document.shown().as_bytes());
}

/// The header of a record.
struct Fields(Vec<u8>);

impl Fields {
    fn new(kind: &str) -> Self {
        Self(format!("WARC/1.0\r\nWARC-Type: {kind}\r\n").into_bytes())
    }

    /// Adds a field. Line ends from damaged archives do not begin new fields.
    fn add(&mut self, name: &str, value: &str) {
        let _ = write!(self.0, "{name}: ");
        let bytes = value.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n'));
        self.0.extend(bytes);
        self.0.extend_from_slice(b"\r\n");
    }

    fn write(mut self, output: &mut Vec<u8>, block: &[u8]) {
        self.add("WARC-Block-Digest", &digest(block));
        self.add("Content-Length", &block.len().to_string());
        output.extend_from_slice(&self.0);
        output.extend_from_slice(b"\r\n");
        output.extend_from_slice(block);
        output.extend_from_slice(b"\r\n\r\n");
    }
}

/// Returns a digest in the format of archives: SHA-1 in Base32.
pub fn digest(bytes: &[u8]) -> String {
    format!(
        "sha1:{}",
        BASE32.encode(&Sha1::from(bytes).digest().bytes())
    )
}

/// Returns the identifier of a record with these parts, which is reproducible (a UUID of version 5, RFC 9562).
fn record_id(parts: &[&str]) -> String {
    let mut hash = Sha1::new();
    hash.update(b"mojika");
    for part in parts {
        hash.update(&[0]);
        hash.update(part.as_bytes());
    }
    let hash = hash.digest().bytes();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0F | 0x50;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let number = u128::from_be_bytes(bytes);
    let hex = format!("{number:032x}");
    let (a, b, c, d, e) = (
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    );
    format!("<urn:uuid:{a}-{b}-{c}-{d}-{e}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_wrong_is_an_error() {
        assert_eq!(date(UNIX_EPOCH).unwrap(), "1970-01-01T00:00:00Z");
        let last = UNIX_EPOCH + MOST_AGE - Duration::from_secs(1);
        assert_eq!(date(last).unwrap(), "9999-12-31T23:59:59Z");
        let second = Duration::from_secs(1);
        for time in [
            UNIX_EPOCH - second,
            UNIX_EPOCH + MOST_AGE,
            UNIX_EPOCH + MOST_AGE * 4,
        ] {
            assert!(date(time).is_err(), "{time:?}");
        }
    }
}
