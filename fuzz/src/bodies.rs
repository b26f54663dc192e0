//! The target `bodies`: the work of `mojika warc` on the body of a response. It covers transfer and
//! content codings, and the declarations that are changed to UTF-8.
//!
//! Byte 0 selects the kind. With bit 7, it is a body with codings: bits 0 to 2 of byte 1 are their number, later bytes
//! select them, and byte 3 truncates the block. Otherwise the rest is a document, and bits 0 and 1 select its type.

#[allow(dead_code, unexpected_cfgs, reason = "the command uses more of it")]
#[path = "../../crates/convert/src/declared/markup/mod.rs"]
mod markup;

use crate::input::Input;
use crate::warc::http;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use markup::Markup;
use std::io::Write;

/// The maximum length that is requested for a body, in bytes.
const MOST: u64 = 1 << 20;
/// The maximum number of codings that are decoded.
const MOST_CODINGS: usize = 5;

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let choice = input.byte();
    if choice & 0x80 != 0 {
        return codings(input);
    }
    let kinds = [Markup::Html, Markup::Xhtml, Markup::Xml, Markup::Css];
    let text = String::from_utf8_lossy(input.0);
    let labels = markup::labels(&text, kinds[usize::from(choice & 3)]);
    // Only text with one of these words has labels. Labels are parts of the text that are in order and do not overlap.
    let has_label = ["charset", "encoding"]
        .iter()
        .any(|word| text.to_ascii_lowercase().contains(word));
    assert!(has_label || labels.is_empty(), "{text:?}");
    assert!(labels.iter().all(|label| text.get(label.clone()).is_some()));
    assert!(
        labels.is_sorted_by(|one, next| one.end <= next.start),
        "{labels:?} {text:?}"
    );
}

fn codings(mut input: Input<'_>) {
    let count = usize::from(input.byte() & 7);
    let (choice, cut) = (input.byte(), input.byte());
    let mut body = input.0.to_vec();
    let mut names = Vec::new();
    for number in 0..count {
        let (name, coded) = coded(choice.rotate_left(3 * number as u32) % 6, &body);
        names.push(name);
        body = coded;
    }
    let field = match choice & 0x40 {
        0 => "Transfer-Encoding",
        _ => "Content-Encoding",
    };
    let head = format!("HTTP/1.1 200 OK\r\n{field}: {}\r\n\r\n", names.join(", "));
    let mut block = [head.as_bytes(), &body].concat();
    let is_whole = cut == 0;
    if !is_whole {
        let length = head.len() + body.len() * usize::from(cut) / 256;
        block.truncate(length);
    }
    let response = http::parse(&block).expect("a status line");
    let plain = response.plain(MOST);
    // "identity" does not count towards the limit of codings.
    let count = names.iter().filter(|name| **name != "identity").count();
    if count > MOST_CODINGS {
        assert!(plain.damage.is_some());
        assert_eq!(&*plain.bytes, response.body);
    } else if is_whole {
        assert_eq!(plain.damage, None, "{names:?}");
        assert!(&*plain.bytes == input.0, "{names:?}: {:02X?}", input.0);
    }
    // Any limit must work, however small or large.
    for most in [0, 1, 100, u64::MAX] {
        let plain = response.plain(most);
        assert!(plain.bytes.len() as u64 <= most || plain.bytes.len() <= block.len());
    }
}

/// Returns the body in a coding, and the coding's name.
fn coded(which: u8, body: &[u8]) -> (&'static str, Vec<u8>) {
    let level = flate2::Compression::fast();
    match which {
        0 => {
            let mut chunks = Vec::new();
            for chunk in body.chunks(200) {
                let _ = write!(chunks, "{:x};a=b\r\n", chunk.len());
                chunks.extend_from_slice(chunk);
                chunks.extend_from_slice(b"\r\n");
            }
            chunks.extend_from_slice(b"0\r\n\r\n");
            ("Chunked", chunks)
        }
        1 => {
            let mut encoder = GzEncoder::new(Vec::new(), level);
            encoder.write_all(body).expect("memory");
            ("gzip", encoder.finish().expect("memory"))
        }
        2 => {
            let mut encoder = ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(body).expect("memory");
            ("deflate", encoder.finish().expect("memory"))
        }
        3 => {
            let mut encoder = DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(body).expect("memory");
            ("deflate", encoder.finish().expect("memory"))
        }
        4 => ("zstd", zstd::encode_all(body, 1).expect("memory")),
        _ => ("identity", body.to_vec()),
    }
}

/// Returns the seeds.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let documents: [&[u8]; 8] = [
        b"<meta charset=sjis><p>",
        b"<META http-equiv=Content-Type content='text/html; charset=\"gbk\"'>",
        b"<?xml version='1.0' encoding='koi8-r'?><meta charset=a>",
        b"<?xml <meta charset='encoding=\"a\"'>",
        b"<!-- <meta charset=a> --><script>'<meta charset=b>'</script ><meta charset = ' c '/>",
        b"@charset \"gbk\";a",
        b"<title></titl</title><meta content=charset=charset=x http-equiv=content-type charset=y>",
        b"<meta charset=",
    ];
    let mut seeds = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        for essence in 0..5 {
            seeds.push((
                format!("document-{number}-{essence}"),
                [&[essence], *document].concat(),
            ));
        }
    }
    for count in 0..8 {
        for choice in 0..6 {
            let body = b"some text, some text, some text";
            seeds.push((
                format!("body-{count}-{choice}"),
                [&[0x80, count, choice * 41, choice / 5], &body[..]].concat(),
            ));
        }
    }
    seeds
}
