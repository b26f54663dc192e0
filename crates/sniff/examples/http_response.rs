//! Turns a response into text as a crawler does: from the status line, the fields and the body, with the reason.
//!
//! ```sh
//! cargo run -p mojika-sniff --example http_response                           # responses of the example's own
//! cargo run -p mojika-sniff --example http_response -- ADDRESS response.txt   # as `curl -i --raw` writes them
//! ```
//!
//! Without the feature `detect`, a page without a declaration is in the encoding that the HTML Standard suggests.

use mojika_sniff::Response;

/// A page, ready for an index.
#[derive(Debug)]
pub struct Page {
    /// HTTP status: 200.
    pub status: u16,
    /// The text as UTF-8, without a byte order mark.
    pub text: String,
    /// The original encoding.
    pub encoding: &'static str,
    /// The source of the decision: "transport", "meta", "detection" and so on.
    pub source: &'static str,
    /// The number of malformed sequences. The text has a U+FFFD for each.
    pub replaced: u64,
}

/// Reads a response as it arrived: status and fields, then the body.
///
/// `body` must not be chunked or compressed, as HTTP clients return it. `Ok(None)` means that the body is not text.
pub fn page(
    url: &str,
    head: &str,
    body: &[u8],
) -> Result<Option<Page>, Box<dyn std::error::Error>> {
    let mut lines = head.lines();
    let status_line = lines.next().unwrap_or_default();
    let status = status_line
        .split(' ')
        .nth(1)
        .ok_or("no status line")?
        .parse()?;
    let fields = lines.filter_map(|line| line.split_once(':'));
    let fields = fields.map(|(name, value)| (name.trim(), value.trim()));

    let response = Response::new(url, fields);
    let Some(document) = response.decode(body) else {
        return Ok(None);
    };
    // XML that contradicts itself is an error. So is malformed text, if the context's standard says so.
    let document = document?;
    Ok(Some(Page {
        status,
        encoding: document.decision.encoding.name(),
        source: document.decision.source.as_str(),
        replaced: document.malformed,
        text: document.text,
    }))
}

/// Returns responses: address, head and body.
pub fn samples() -> Vec<(&'static str, &'static str, &'static [u8])> {
    vec![
        (
            "http://example.jp/",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=Shift_JIS",
            b"<p>\x95\xB6\x8E\x9A</p>",
        ),
        (
            "http://example.ru/",
            "HTTP/1.1 404 Not Found\nserver: x\ncontent-type: text/html",
            b"<meta charset=windows-1251><p>\xCD\xE5\xF2 \xF2\xE0\xEA\xEE\xE9 \xF1\xF2\xF0\xE0\xED\xE8\xF6\xFB</p>",
        ),
        (
            "http://example.com/notes",
            "HTTP/1.0 200 OK\r\nContent-Type: text/plain; charset=utf-8",
            b"caf\xE9",
        ),
        (
            "http://example.com/logo",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png",
            b"\x89PNG",
        ),
    ]
}

#[allow(dead_code, reason = "a test includes this file as a module")]
fn show(url: &str, head: &str, body: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    match page(url, head, body)? {
        None => println!("{url}: no text"),
        Some(page) => {
            let Page {
                status,
                encoding,
                source,
                replaced,
                text,
            } = page;
            println!(
                "{url}: {status}, {encoding} by {source}, {replaced} replaced\n    {}",
                text.trim_end()
            );
        }
    }
    Ok(())
}

#[allow(dead_code, reason = "a test includes this file as a module")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => samples()
            .into_iter()
            .try_for_each(|(url, head, body)| show(url, head, body)),
        [url, path] => {
            let bytes = std::fs::read(path)?;
            let blank = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            let (head, body) = bytes.split_at(blank.ok_or("the head has no end")? + 4);
            // Header fields with non-ASCII bytes are Latin-1 in HTTP.
            let head: String = head.iter().map(|&byte| char::from(byte)).collect();
            show(url, &head, body)
        }
        _ => Err("arguments: none, or an address and a file".into()),
    }
}
