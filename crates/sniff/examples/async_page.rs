//! Decodes a page while its asynchronous body arrives, and reads it again if a late `meta` requires that.
//!
//! ```sh
//! cargo run -p mojika-sniff --example async_page
//! ```
//!
//! [`Body`] stands for the bodies of HTTP clients: `chunk` of reqwest's `Response`, or the data of each frame of hyper's
//! `Incoming`, with `BodyExt::frame` of http-body-util. Here a tokio reader implements it.

use mojika_sniff::{PageReader, PageStop};
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

/// A body that arrives in chunks; `None` is its end.
trait Body {
    async fn chunk(&mut self) -> io::Result<Option<Vec<u8>>>;
}

impl<R: AsyncRead + Unpin> Body for R {
    async fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut chunk = vec![0; 1500];
        let length = self.read(&mut chunk).await?;
        chunk.truncate(length);
        Ok((length > 0).then_some(chunk))
    }
}

/// Returns the text of a page, and its encoding.
async fn read_page(
    url: &str,
    content_type: Option<&str>,
    body: &mut impl Body,
) -> io::Result<(String, &'static str)> {
    let mut reader = PageReader::new(url, content_type);
    let mut text = String::new();
    // Received chunks are kept as long as a `meta` may require reading the page again.
    let mut chunks: Vec<Vec<u8>> = Vec::new();
    loop {
        let chunk = body.chunk().await?;
        let fed = match &chunk {
            Some(chunk) => reader.feed(chunk, &mut text),
            None => reader.finish(&mut text),
        };
        let is_last = chunk.is_none();
        chunks.extend(chunk);
        match fed {
            Ok(()) if is_last => break,
            Ok(()) => {}
            Err(PageStop::ChangeEncoding(encoding)) => {
                println!("the page says that it is {encoding}: from the start");
                reader = reader.with_encoding(encoding);
                text.clear();
                for chunk in &chunks {
                    reader.feed(chunk, &mut text).map_err(io::Error::other)?;
                }
                if is_last {
                    reader.finish(&mut text).map_err(io::Error::other)?;
                    break;
                }
            }
            Err(stop) => return Err(io::Error::other(stop)),
        }
    }
    let decision = reader.decision().expect("a page that has ended is decided");
    Ok((text, decision.encoding.name()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let late = format!("<!--{}--><meta charset=euc-jp><p>", " ".repeat(5000));
    let pages = [
        (
            Some("text/html; charset=shift_jis"),
            b"<p>\x95\xB6\x8E\x9A</p>".to_vec(),
        ),
        (
            Some("text/html"),
            [late.as_bytes(), b"\xCA\xB8\xBB\xFA</p>"].concat(),
        ),
    ];
    for (content_type, bytes) in pages {
        let (mut sender, mut body) = tokio::io::duplex(64);
        let send = async move { sender.write_all(&bytes).await };
        let (sent, page) = tokio::join!(
            send,
            read_page("http://example.jp/", content_type, &mut body)
        );
        sent?;
        let (text, encoding) = page?;
        let end: String = text.chars().rev().take(6).collect();
        let end: String = end.chars().rev().collect();
        assert_eq!(end, "文字</p>");
        println!(
            "{encoding}: {} characters, at the end {end}",
            text.chars().count()
        );
    }
    Ok(())
}
