//! The adapters for tokio give the results of the synchronous ones, if inner readers and writers are often pending.

#![cfg(feature = "tokio")]

use crate::common::{Random, hex, input};
use crate::inner::{CHUNKS, Picky, Trickle, decode_error, encode_error};
use ::tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use mojika::io::tokio::{AsyncDecodeReader, AsyncEncodeWriter};
use mojika::{Encoding, Fallback, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use std::future::Future;
use std::io::{ErrorKind, Read, Result, Write};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// An inner reader or writer that returns `Pending` in place of `WouldBlock`.
struct Pending<T>(T);

fn poll<T>(cx: &Context<'_>, result: Result<T>) -> Poll<Result<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
        result => Poll::Ready(result),
    }
}

impl AsyncRead for Pending<Trickle<'_>> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let result = self.0.read(buf.initialize_unfilled());
        poll(cx, result.map(|n| buf.advance(n)))
    }
}

impl AsyncWrite for Pending<Picky> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<Result<usize>> {
        poll(cx, self.0.write(buf))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        // After shutdown, the writer accepts no more bytes, so that a test can recognise the shutdown.
        self.0.chunk = 0;
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn any_chunks_into_any_buffers_as_one_shot() {
    let mut random = Random::new(91);
    for &encoding in Encoding::all() {
        for bytes in [
            random.odd_bytes(50),
            random.odd_bytes(600),
            random.odd_bytes(7000),
        ] {
            let decoded = encoding.decode(&bytes);
            for chunk in CHUNKS {
                for room in [1, 2, 5, 64, 2048, 100_000] {
                    let inner = Pending(Trickle::troubled(&bytes, chunk));
                    let mut reader = AsyncDecodeReader::new(inner, encoding);
                    let mut utf_8 = Vec::new();
                    let mut buf = vec![0; room];
                    loop {
                        match reader.read(&mut buf).await.expect("no error") {
                            0 => break,
                            n => utf_8.extend_from_slice(&buf[..n]),
                        }
                    }
                    assert_eq!(
                        utf_8,
                        decoded.text.as_bytes(),
                        "{encoding}, {chunk}, {room}: {}",
                        hex(&bytes)
                    );
                    assert_eq!(reader.had_errors(), decoded.had_errors);
                    assert_eq!(reader.text_position(), utf_8.len() as u64);
                    assert_eq!(reader.byte_position(), bytes.len() as u64);
                }
            }
            let inner = Pending(Trickle::troubled(&bytes, 7));
            let mut text = String::new();
            let mut reader = AsyncDecodeReader::new(inner, encoding).with_capacity(0);
            reader.read_to_string(&mut text).await.expect("no error");
            assert_eq!(text, decoded.text);
            let inner = Pending(Trickle::troubled(&bytes, 7));
            let mut lines = AsyncDecodeReader::new(inner, encoding).lines();
            let mut expected = decoded.text.lines();
            while let Some(line) = lines.next_line().await.expect("no error") {
                assert_eq!(Some(&*line), expected.next());
            }
            assert_eq!(expected.next(), None);
        }
    }
}

#[tokio::test]
async fn sniff_then_read() {
    let mut reader =
        AsyncDecodeReader::new(Pending(Trickle::troubled(b"\xFF\xFEa\0", 1)), SHIFT_JIS);
    assert_eq!(reader.encoding(), SHIFT_JIS);
    assert_eq!(reader.sniff().await.expect("no error"), UTF_16LE);
    assert_eq!(reader.get_ref().0.bytes, b"a\0");
    let mut text = String::new();
    reader.read_to_string(&mut text).await.expect("no error");
    assert_eq!(text, "a");
}

#[tokio::test]
async fn fatal_goes_on_behind_the_error() {
    let mut reader = AsyncDecodeReader::new(&b"ab\xFFcd"[..], SHIFT_JIS).fatal();
    let mut text = Vec::new();
    let error = reader.read_to_end(&mut text).await.expect_err("FF");
    assert_eq!(
        (decode_error(&error).sequence.offset, &*text),
        (2, &b"ab"[..])
    );
    reader.read_to_end(&mut text).await.expect("the rest");
    assert_eq!(text, b"abcd");
}

#[tokio::test]
async fn what_was_not_read_is_given_back() {
    let mut reader = AsyncDecodeReader::new(&b"ab\xFFcd"[..], SHIFT_JIS).fatal();
    assert_eq!(reader.read_u8().await.expect("a"), b'a');
    let (inner, unread) = reader.into_inner();
    assert_eq!(
        (inner, &*unread.text, &*unread.bytes),
        (&b""[..], &b"b"[..], &b"cd"[..])
    );
    assert!(unread.error.is_some());
}

#[tokio::test]
async fn writes_in_any_cuts_as_one_shot() {
    let mut random = Random::new(92);
    for &encoding in Encoding::all() {
        let mut texts: Vec<_> = input::text_inputs().into_iter().map(String::from).collect();
        texts.push(random.odd_text(300));
        for text in texts {
            let Ok(expected) = encoding.encode_html(&text) else {
                continue;
            };
            for chunk in CHUNKS {
                for (cut, capacity) in [(1, 0), (3, 0), (4096, 0), (4096, 70_000)] {
                    let inner = Pending(Picky::troubled(chunk));
                    let writer = AsyncEncodeWriter::new(inner, encoding).expect("an encoder");
                    let mut writer = writer.html().with_capacity(capacity);
                    for piece in text.as_bytes().chunks(cut) {
                        writer.write_all(piece).await.expect("no error");
                    }
                    writer.finish().await.expect("no error");
                    assert_eq!(writer.text_position(), text.len() as u64);
                    assert_eq!(writer.byte_position(), expected.bytes.len() as u64);
                    assert_eq!(writer.had_errors(), expected.had_errors);
                    let (inner, unwritten) = writer.into_inner();
                    assert_eq!(
                        hex(&inner.0.bytes),
                        hex(&expected.bytes),
                        "{encoding}, {chunk}, {cut}: {text:?}"
                    );
                    assert!(inner.0.flushes > 0 && unwritten.bytes.is_empty());
                }
            }
        }
    }
}

#[tokio::test]
async fn flush_goes_on_and_shutdown_ends() {
    let inner = Pending(Picky::troubled(2));
    let mut writer = AsyncEncodeWriter::new(inner, ISO_2022_JP).expect("an encoder");
    writer.write_all("文".as_bytes()).await.expect("mappable");
    writer.flush().await.expect("no error");
    assert_eq!(writer.get_ref().0.bytes, b"\x1B$BJ8");
    writer.write_all("字".as_bytes()).await.expect("mappable");
    writer.shutdown().await.expect("no error");
    assert_eq!(writer.get_ref().0.bytes, b"\x1B$BJ8;z\x1B(B");
    assert_eq!(writer.get_ref().0.chunk, 0, "shut down");
}

#[tokio::test]
async fn errors_and_fallbacks() {
    let mut writer = AsyncEncodeWriter::new(Vec::new(), WINDOWS_1252).expect("an encoder");
    let error = writer
        .write_all("né→".as_bytes())
        .await
        .expect_err("an arrow");
    assert_eq!(encode_error(&error), ('→', 3));
    let error = writer.write_all(b"\xFF").await.expect_err("no UTF-8");
    assert_eq!(decode_error(&error).sequence.offset, 3);
    let mut writer = writer
        .replace_invalid_utf8()
        .on_unmappable(|_| Fallback::Text("?".into()));
    writer
        .write_all(b"\xFF")
        .await
        .expect("U+FFFD, which falls back");
    writer.finish().await.expect("no error");
    assert_eq!(writer.get_ref(), b"n\xE9?");
}

#[test]
fn a_cancelled_write_has_taken_nothing() {
    let text = "文字化".repeat(40);
    let inner = Pending(Picky::troubled(5));
    let mut writer = AsyncEncodeWriter::new(inner, SHIFT_JIS)
        .expect("an encoder")
        .with_capacity(0);
    let cx = &mut Context::from_waker(Waker::noop());
    let mut rest = text.as_bytes();
    let mut cancelled = 0;
    while !rest.is_empty() {
        // Drop each future after one poll, to cancel it.
        match pin!(writer.write(rest)).poll(cx) {
            Poll::Ready(n) => rest = &rest[n.expect("no error")..],
            Poll::Pending => cancelled += 1,
        }
    }
    while pin!(writer.finish()).poll(cx).is_pending() {
        cancelled += 1;
    }
    assert!(cancelled > 10);
    assert_eq!(
        writer.get_ref().0.bytes,
        *SHIFT_JIS.encode(&text).expect("mappable")
    );
}

#[test]
fn adapters_can_be_sent_and_moved() {
    fn check<T: Send + Sync + Unpin + std::fmt::Debug>(_: &T) {}
    check(&AsyncDecodeReader::new(&b""[..], UTF_8));
    check(&AsyncEncodeWriter::new(Vec::<u8>::new(), UTF_8).expect("an encoder"));
}
