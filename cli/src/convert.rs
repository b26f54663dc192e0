//! The first half of the pipeline: input read in pieces, decoded into a fixed buffer, handed to the [`Sink`].

use crate::args::ErrorMode;
use crate::report::{Counts, Failure};
use crate::sink::{Sink, SinkError};
use mojika::{Decoder, Encoding, FatalDecodeStatus, MalformedSequence, UTF_8};
use std::io::{self, Read, Write};

/// Bytes to read at once.
const CHUNK: usize = 128 << 10;

/// Bytes of text: as many as a chunk can become, so that one call usually decodes all of it.
const TEXT: usize = 3 * CHUNK + 16;

/// Bytes of earlier chunks to remember: more than a malformed sequence and what was read after it (at most 4 each).
const HISTORY: usize = 16;

/// Length of the longest byte order mark.
pub const LONGEST_BOM: usize = 3;

/// Converts inputs, one after another, to one output.
pub struct Converter<W> {
    from: Option<&'static Encoding>,
    errors: ErrorMode,
    /// The last bytes of the chunk before, then the chunk.
    input: Box<[u8]>,
    text: String,
    sink: Sink<W>,
    output_name: String,
}

impl<W: Write> Converter<W> {
    /// A converter that takes inputs without a byte order mark to be in `from`, or in UTF-8 if all of it is valid.
    pub fn new(
        from: Option<&'static Encoding>,
        errors: ErrorMode,
        sink: Sink<W>,
        output_name: String,
    ) -> Self {
        Self {
            from,
            errors,
            input: vec![0; HISTORY + CHUNK].into(),
            text: "\0".repeat(TEXT),
            sink,
            output_name,
        }
    }

    /// Converts one input, to its end.
    pub fn convert(&mut self, name: &str, reader: &mut dyn Read) -> Result<Counts, Failure> {
        let result = self.convert_stream(name, reader);
        if result.is_err() {
            // What comes before an error goes out, as far as it can.
            let _ = self.sink.flush();
        }
        result
    }

    /// Ends the output.
    pub fn finish(self) -> Result<W, Failure> {
        let output_name = self.output_name;
        self.sink
            .finish()
            .map_err(|error| Failure::write(&output_name, error))
    }

    fn convert_stream(&mut self, name: &str, reader: &mut dyn Read) -> Result<Counts, Failure> {
        let read_error = |error| Failure::io("read", name, error);
        let mut len = 0;
        while len < LONGEST_BOM {
            match read_some(reader, &mut self.input[HISTORY + len..]).map_err(read_error)? {
                0 => break,
                more => len += more,
            }
        }
        if len == 0 {
            // Nothing is nothing in any encoding.
            return Ok(Counts::default());
        }

        let bom = Encoding::for_bom(&self.input[HISTORY..][..len]);
        let (encoding, bom_len) = bom.unwrap_or((self.from.unwrap_or(UTF_8), 0));
        let mut stream = Stream {
            name,
            decoder: encoding.new_decoder_without_bom_handling(),
            bom_len: bom_len as u64,
            assumed: bom.is_none() && self.from.is_none(),
            chunk_offset: 0,
            counts: Counts::default(),
        };
        let mut start = bom_len;
        loop {
            self.convert_chunk(&mut stream, start, len)?;
            if len == 0 {
                return Ok(stream.counts);
            }
            if len < CHUNK {
                // More may be long in coming, as from a pipe: let the reader have what there is.
                self.sink
                    .flush()
                    .map_err(|error| Failure::write(&self.output_name, error))?;
            }
            self.input.copy_within(len..len + HISTORY, 0);
            stream.chunk_offset += len as u64;
            start = 0;
            len = read_some(reader, &mut self.input[HISTORY..]).map_err(read_error)?;
        }
    }

    /// Converts the chunk's bytes from `start` to `len`; a chunk without bytes ends the input.
    fn convert_chunk(
        &mut self,
        stream: &mut Stream<'_>,
        start: usize,
        len: usize,
    ) -> Result<(), Failure> {
        let chunk = &self.input[HISTORY..][..len];
        let last = len == 0;
        let mut read = start;
        loop {
            let rest = &chunk[read..];
            let before = (self.errors == ErrorMode::Fail).then(|| stream.decoder.clone());
            let progress = stream
                .decoder
                .decode_to_str_fatal(rest, &mut self.text, last);
            read += progress.read;
            match self.sink.push(&self.text[..progress.written]) {
                Ok(unmappable) => stream.counts.unmappable += unmappable,
                Err(SinkError::Write(error)) => {
                    return Err(Failure::write(&self.output_name, error));
                }
                Err(SinkError::Unmappable { character, at }) => {
                    let decoder = before.as_ref().unwrap_or(&stream.decoder);
                    return Err(Failure::Unmappable {
                        name: stream.name.to_owned(),
                        encoding: self.sink.target(),
                        character,
                        offset: stream.bom_len + locate(decoder, rest, at),
                    });
                }
            }
            match progress.status {
                FatalDecodeStatus::InputEmpty => return Ok(()),
                FatalDecodeStatus::OutputFull => {}
                FatalDecodeStatus::Malformed(sequence) => {
                    if stream.assumed {
                        let name = stream.name.to_owned();
                        let offset = sequence.offset;
                        return Err(Failure::UnknownSource { name, offset });
                    }
                    stream.counts.malformed += 1;
                    match self.errors {
                        ErrorMode::Fail => return Err(stream.malformed(sequence, &self.input)),
                        ErrorMode::Skip => {}
                        ErrorMode::Replace | ErrorMode::Html => {
                            match self.sink.push_replacement() {
                                Err(SinkError::Write(error)) => {
                                    return Err(Failure::write(&self.output_name, error));
                                }
                                // Unmappable ends a conversion in mode "fail" only.
                                Ok(()) | Err(SinkError::Unmappable { .. }) => {}
                            }
                        }
                    }
                }
            }
        }
    }
}

/// One input.
struct Stream<'a> {
    name: &'a str,
    decoder: Decoder,
    /// Length of the byte order mark, which the decoder has not seen and its offsets do not count.
    bom_len: u64,
    /// Whether the input is taken to be UTF-8 because nothing names its encoding.
    assumed: bool,
    /// Where in the input the chunk begins.
    chunk_offset: u64,
    counts: Counts,
}

impl Stream<'_> {
    /// The failure that shows a sequence; `input` holds the chunk and what came before it.
    fn malformed(&self, sequence: MalformedSequence, input: &[u8]) -> Failure {
        let offset = self.bom_len + sequence.offset;
        let start = (HISTORY as u64 + offset).checked_sub(self.chunk_offset);
        let bytes = start
            .and_then(|start| input.get(usize::try_from(start).ok()?..))
            .and_then(|bytes| bytes.get(..usize::from(sequence.len)))
            .unwrap_or_default();
        Failure::Malformed {
            name: self.name.to_owned(),
            encoding: self.decoder.encoding(),
            bytes: bytes.to_owned(),
            offset,
        }
    }
}

/// The offset of the first malformed sequence if `reader` is taken to be UTF-8; `None` if all of it is valid.
///
/// Reads to the end, in constant memory.
pub fn first_malformed_utf8(reader: &mut dyn Read) -> io::Result<Option<u64>> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut chunk = vec![0; CHUNK];
    let mut text = "\0".repeat(TEXT);
    loop {
        let len = read_some(reader, &mut chunk)?;
        let mut read = 0;
        loop {
            let progress = decoder.decode_to_str_fatal(&chunk[read..len], &mut text, len == 0);
            read += progress.read;
            match progress.status {
                FatalDecodeStatus::Malformed(sequence) => return Ok(Some(sequence.offset)),
                FatalDecodeStatus::OutputFull => {}
                FatalDecodeStatus::InputEmpty if len == 0 => return Ok(None),
                FatalDecodeStatus::InputEmpty => break,
            }
        }
    }
}

/// Where the character at byte `at` of the text begins that `decoder` makes of `bytes`, which are well-formed.
///
/// Decodes again, byte by byte, until that character comes out; it begins where the decoder stood with nothing pending.
fn locate(decoder: &Decoder, bytes: &[u8], at: usize) -> u64 {
    let mut decoder = decoder.clone();
    // More than one step can write.
    let mut scratch = "\0".repeat(32);
    let mut written = 0;
    for byte in bytes {
        // If the input ended here, what is pending would be malformed.
        let ended = decoder.clone().decode_to_str_fatal(b"", &mut scratch, true);
        let start = match ended.status {
            FatalDecodeStatus::Malformed(sequence) => sequence.offset,
            _ => decoder.position(),
        };
        let byte = std::slice::from_ref(byte);
        written += decoder
            .decode_to_str_fatal(byte, &mut scratch, false)
            .written;
        if written > at {
            return start;
        }
    }
    decoder.position()
}

/// Reads what there is; 0 bytes are the end.
fn read_some(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests;
