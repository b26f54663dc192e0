//! Encoding in one of the error modes, shared by the writers. This module neither validates UTF-8 nor buffers.

use crate::{Encoder, Encoding, Fallback, Status, Unmappable};

/// An encoder with the handling of unmappable scalar values.
pub(super) struct Transcoder<H> {
    encoder: Encoder,
    /// True in error mode "html", which the encoder implements itself; the handler is not called then.
    html: bool,
    handler: H,
    /// The bytes of a fallback text that did not fit into the output, from `aside_read` on.
    aside: Vec<u8>,
    aside_read: usize,
    had_errors: bool,
}

/// The result of one call.
pub(super) struct Encoded {
    /// Bytes of text taken.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// True if the output is too small for the rest of the text.
    pub full: bool,
    /// A scalar value that the error mode or the handler refuses. It is not among the bytes taken.
    pub refused: Option<Unmappable>,
}

impl Transcoder<fn(Unmappable) -> Fallback> {
    pub fn new(encoder: Encoder) -> Self {
        Transcoder {
            encoder,
            html: false,
            handler: |_| Fallback::Fail,
            aside: Vec::new(),
            aside_read: 0,
            had_errors: false,
        }
    }
}

impl<H> Transcoder<H> {
    pub fn set_html(&mut self) {
        self.html = true;
    }

    pub fn with_handler<G>(self, handler: G) -> Transcoder<G> {
        Transcoder {
            encoder: self.encoder,
            html: false,
            handler,
            aside: self.aside,
            aside_read: self.aside_read,
            had_errors: self.had_errors,
        }
    }

    pub fn encoding(&self) -> &'static Encoding {
        self.encoder.encoding()
    }

    pub fn had_errors(&self) -> bool {
        self.had_errors
    }

    /// True if bytes of a fallback text are pending.
    pub fn waits(&self) -> bool {
        !self.aside.is_empty()
    }

    /// Returns the encoder, and the bytes that are pending in the encoder or came from the handler.
    pub fn into_parts(mut self) -> (Encoder, Vec<u8>) {
        let mut bytes = self.aside.split_off(self.aside_read);
        self.encoder.encode_html_append("", &mut bytes, false);
        (self.encoder, bytes)
    }

    /// Moves the pending fallback bytes to the front of `dst`.
    fn write_aside(&mut self, dst: &mut [u8]) -> usize {
        let waiting = &self.aside[self.aside_read..];
        let n = waiting.len().min(dst.len());
        dst[..n].copy_from_slice(&waiting[..n]);
        self.aside_read += n;
        if self.aside_read == self.aside.len() {
            self.aside.clear();
            self.aside_read = 0;
        }
        n
    }
}

impl<H: FnMut(Unmappable) -> Fallback> Transcoder<H> {
    /// Encodes `text`, which starts at `offset` in the stream, to the front of `dst`.
    ///
    /// If `dst` has space for one character (16 bytes suffice), at least one character is read, unless it is refused or
    /// fallback bytes are pending.
    pub fn encode(&mut self, text: &str, offset: u64, dst: &mut [u8], last: bool) -> Encoded {
        let mut done = Encoded {
            read: 0,
            written: 0,
            full: false,
            refused: None,
        };
        loop {
            done.written += self.write_aside(&mut dst[done.written..]);
            if !self.aside.is_empty() {
                done.full = true;
                return done;
            }
            let (rest, spare) = (&text[done.read..], &mut dst[done.written..]);
            if self.html {
                let progress = self.encoder.encode_html(rest, spare, last);
                self.had_errors |= progress.had_errors;
                done.read += progress.read;
                done.written += progress.written;
                done.full = progress.status == Status::OutputFull;
                return done;
            }
            let progress = self.encoder.encode(rest, spare, last);
            done.read += progress.read;
            done.written += progress.written;
            match progress.status {
                Status::InputEmpty | Status::Malformed(_) => return done,
                Status::OutputFull => {
                    done.full = true;
                    return done;
                }
                Status::Unmappable(unmappable) => {
                    let scalar = text[..done.read].chars().next_back();
                    let start = done.read - scalar.map_or(0, char::len_utf8);
                    // The encoder's count includes refused scalar values.
                    let offset = offset + start as u64;
                    let unmappable = Unmappable {
                        offset,
                        ..unmappable
                    };
                    if !self.fall_back(unmappable) {
                        done.read = start;
                        done.refused = Some(unmappable);
                        return done;
                    }
                    self.had_errors = true;
                }
            }
        }
    }

    /// Writes the handler's choice before anything else; returns false if the handler refuses the scalar value.
    fn fall_back(&mut self, unmappable: Unmappable) -> bool {
        match (self.handler)(unmappable) {
            Fallback::Fail => return false,
            Fallback::Omit => {}
            Fallback::Html => self.encoder.owe_reference(unmappable.scalar),
            Fallback::Text(text) => {
                // If the fallback text has unmappable characters too, nothing is written.
                let before = self.encoder.clone();
                if !self.encoder.encode_aside(&text, &mut self.aside) {
                    self.encoder = before;
                    self.aside.clear();
                    return false;
                }
            }
        }
        true
    }
}
