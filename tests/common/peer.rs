//! encoding_rs as a peer: the same calls, for comparison.

use super::{DecodeError, EncodeError, How, Stop};
use mojika::{BomHandling, Decoder, Encoding, UTF_16BE, UTF_16LE};

/// The encoding of the same name.
pub fn of(encoding: &Encoding) -> &'static encoding_rs::Encoding {
    encoding_rs::Encoding::for_label(encoding.name().as_bytes()).unwrap_or_else(|| {
        // The name of replacement is a label for mojika, and for encoding_rs by this one alone.
        assert_eq!(encoding.name(), "replacement");
        encoding_rs::REPLACEMENT
    })
}

/// A call of either library in mode "fatal", as far as results can be compared.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Called {
    InputEmpty,
    Malformed { len: u8, after: u8 },
}

/// A malformed sequence, with the bytes read after it.
#[derive(Debug, PartialEq, Eq, Clone)]
pub struct Malformed {
    pub error: DecodeError,
    pub after: u8,
}

/// Decodes by repeated calls of `call` with all the rest of the input, as the last, and room for everything.
pub fn decode_with<U: Copy>(
    bytes: &[u8],
    buffer: &mut [U],
    errors: &mut Vec<Malformed>,
    mut call: impl FnMut(&[u8], &mut [U]) -> (Called, usize, usize),
) -> usize {
    errors.clear();
    let (mut read, mut written) = (0, 0);
    loop {
        let (called, more_read, more_written) = call(&bytes[read..], &mut buffer[written..]);
        read += more_read;
        written += more_written;
        let Called::Malformed { len, after } = called else {
            assert_eq!(read, bytes.len());
            return written;
        };
        errors.push(Malformed {
            error: DecodeError {
                at: written,
                offset: read as u64 - u64::from(after) - u64::from(len),
                len,
            },
            after,
        });
    }
}

/// A form that both libraries decode to.
pub trait PeerForm: super::Form {
    /// A call of mojika in mode "fatal".
    fn ours(d: &mut mojika::Decoder, src: &[u8], dst: &mut [Self]) -> (Called, usize, usize) {
        let call = Self::call(d, src, dst, true, How::FATAL);
        let called = match call.stop {
            Stop::InputEmpty => Called::InputEmpty,
            Stop::OutputFull => panic!("room for everything"),
            Stop::Error(sequence) => Called::Malformed {
                len: sequence.len,
                after: sequence.after,
            },
        };
        (called, call.read, call.written)
    }

    /// A call of encoding_rs without replacement.
    fn theirs(
        d: &mut encoding_rs::Decoder,
        src: &[u8],
        dst: &mut [Self],
    ) -> (encoding_rs::DecoderResult, usize, usize);

    /// A call of encoding_rs with replacement: units written, and whether there were errors.
    fn theirs_replaced(d: &mut encoding_rs::Decoder, src: &[u8], dst: &mut [Self])
    -> (usize, bool);
}

impl PeerForm for u8 {
    fn theirs(
        d: &mut encoding_rs::Decoder,
        src: &[u8],
        dst: &mut [u8],
    ) -> (encoding_rs::DecoderResult, usize, usize) {
        d.decode_to_utf8_without_replacement(src, dst, true)
    }
    fn theirs_replaced(d: &mut encoding_rs::Decoder, src: &[u8], dst: &mut [u8]) -> (usize, bool) {
        let (_, _, written, had_errors) = d.decode_to_utf8(src, dst, true);
        (written, had_errors)
    }
}

impl PeerForm for u16 {
    fn theirs(
        d: &mut encoding_rs::Decoder,
        src: &[u8],
        dst: &mut [u16],
    ) -> (encoding_rs::DecoderResult, usize, usize) {
        d.decode_to_utf16_without_replacement(src, dst, true)
    }
    fn theirs_replaced(d: &mut encoding_rs::Decoder, src: &[u8], dst: &mut [u16]) -> (usize, bool) {
        let (_, _, written, had_errors) = d.decode_to_utf16(src, dst, true);
        (written, had_errors)
    }
}

/// The buffers for comparing both libraries on many inputs without allocating.
pub struct Comparison<U> {
    encoding: &'static Encoding,
    ours: Vec<U>,
    theirs: Vec<U>,
    our_errors: Vec<Malformed>,
    their_errors: Vec<Malformed>,
}

impl<U: PeerForm> Comparison<U> {
    pub fn new(encoding: &'static Encoding, longest: usize) -> Self {
        // encoding_rs wants room to spare.
        let room = 3 * longest + 64;
        Comparison {
            encoding,
            ours: vec![U::CANARY; room],
            theirs: vec![U::CANARY; room],
            our_errors: Vec::new(),
            their_errors: Vec::new(),
        }
    }

    fn encoding_of(&self, bytes: &[u8], sniff: bool) -> &'static Encoding {
        let named = Encoding::for_bom(bytes).filter(|_| sniff);
        named.map_or(self.encoding, |(encoding, _)| encoding)
    }

    /// Asserts that both libraries decode `bytes` to the same, with the same errors, in both modes.
    pub fn check(&mut self, bytes: &[u8], sniff: bool) {
        let peer = of(self.encoding);
        let case = || super::case(self.encoding, &[bytes], 0);
        let (mut our_decoder, new_peer): (_, fn(_) -> _) = if sniff {
            (
                self.encoding.new_decoder(),
                |e: &'static encoding_rs::Encoding| e.new_decoder(),
            )
        } else {
            (
                Decoder::new(self.encoding, BomHandling::Keep),
                |e: &'static encoding_rs::Encoding| e.new_decoder_without_bom_handling(),
            )
        };
        let ours = decode_with(bytes, &mut self.ours, &mut self.our_errors, |src, dst| {
            U::ours(&mut our_decoder, src, dst)
        });
        let mut their_decoder = new_peer(peer);
        let theirs = decode_with(
            bytes,
            &mut self.theirs,
            &mut self.their_errors,
            |src, dst| {
                let (result, read, written) = U::theirs(&mut their_decoder, src, dst);
                let called = match result {
                    encoding_rs::DecoderResult::InputEmpty => Called::InputEmpty,
                    encoding_rs::DecoderResult::OutputFull => panic!("room for everything"),
                    encoding_rs::DecoderResult::Malformed(len, after) => {
                        Called::Malformed { len, after }
                    }
                };
                (called, read, written)
            },
        );
        assert!(
            self.ours[..ours] == self.theirs[..theirs],
            "fatal: {}",
            case()
        );
        let decoded_as = self.encoding_of(bytes, sniff);
        let pairs = self.our_errors.iter().zip(&mut self.their_errors);
        for (ours, theirs) in pairs {
            // encoding_rs does not always read the unit that turns out to be no trail before it reports the lead.
            if [UTF_16BE, UTF_16LE].contains(&decoded_as) {
                theirs.after = ours.after;
            }
            assert_eq!(ours, theirs, "{}", case());
        }
        assert_eq!(self.our_errors.len(), self.their_errors.len(), "{}", case());

        let progress = U::call(&mut our_decoder, bytes, &mut self.ours, true, How::LENIENT);
        let (theirs, had_errors) = U::theirs_replaced(&mut new_peer(peer), bytes, &mut self.theirs);
        assert!(
            self.ours[..progress.written] == self.theirs[..theirs],
            "replaced: {}",
            case()
        );
        assert_eq!(progress.had_errors, had_errors, "{}", case());
        assert_eq!(had_errors, !self.our_errors.is_empty(), "{}", case());
    }
}

/// Encodes by encoding_rs without replacement, going on after unmappable scalar values.
pub fn encode_fatal(encoding: &Encoding, text: &str) -> (Vec<u8>, Vec<EncodeError>) {
    let mut encoder = of(encoding).new_encoder();
    let mut buffer = vec![0; 10 * text.len() + 64];
    let (mut read, mut written, mut errors) = (0, 0, Vec::new());
    loop {
        let (result, more_read, more_written) = encoder.encode_from_utf8_without_replacement(
            &text[read..],
            &mut buffer[written..],
            true,
        );
        read += more_read;
        written += more_written;
        match result {
            encoding_rs::EncoderResult::InputEmpty => {
                buffer.truncate(written);
                return (buffer, errors);
            }
            encoding_rs::EncoderResult::OutputFull => panic!("room for everything"),
            encoding_rs::EncoderResult::Unmappable(scalar) => errors.push(EncodeError {
                at: written,
                // The scalar value that was read last, whatever is reported.
                offset: text[..read].char_indices().next_back().unwrap().0 as u64,
                scalar,
            }),
        }
    }
}

/// Encodes by encoding_rs with references, from either form.
pub fn encode_html(encoding: &Encoding, text: &str, from_utf_16: bool) -> Vec<u8> {
    let mut encoder = of(encoding).new_encoder();
    let mut buffer = vec![0; 10 * text.len() + 64];
    let written = if from_utf_16 {
        encoder
            .encode_from_utf16(&super::utf_16(text), &mut buffer, true)
            .2
    } else {
        encoder.encode_from_utf8(text, &mut buffer, true).2
    };
    buffer.truncate(written);
    buffer
}
