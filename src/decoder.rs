//! `Decoder`: decodes a byte stream to UTF-8 or UTF-16, with chunks and buffers of any size.

use crate::bom::{BomHandling, BomStep, BomWatch};
#[cfg(feature = "alloc")]
use crate::codec::Mode;
use crate::codec::{AnyDecoder, DecodeStop, Errors, Replay, Scheme, Unit, decode};
use crate::encodings::{UTF_8, UTF_16LE};
use crate::progress::{ErrorMode, Progress, Status};
use crate::simd::Out;
use crate::{Encoding, MalformedSequence};

#[cfg(feature = "alloc")]
mod append;
mod target;
#[allow(unsafe_code, reason = "where bytes that a decoder wrote become str")]
pub(crate) mod text;

#[cfg(feature = "alloc")]
pub use append::AppendTarget;
#[cfg(feature = "alloc")]
pub(crate) use append::Text;

pub use target::DecodeTarget;
pub(crate) use target::Sealed as Target;

/// A streaming decoder.
///
/// Pass the stream in chunks of any size, with `last` set only for the final chunk; a chunk may end in the middle of a
/// character. Output buffers may have any size from one character on: 4 bytes of UTF-8, 2 code units of UTF-16. The
/// complete output, and the errors with their offsets, do not depend on the sizes of chunks and buffers. Only the units
/// that a call reports as written are changed.
///
/// [`decode`](Self::decode) writes to any [`DecodeTarget`], `decode_append` to the end of a `String` or a `Vec<u16>`.
/// Both work in the Standard's error mode "replacement" and write U+FFFD for a malformed sequence. Methods named
/// `…_fatal` work in error mode "fatal" and stop after it. After a call with `last` set has returned "input empty", the
/// next call starts another stream, as with a new decoder. Until then [`encoding`](Self::encoding) and
/// [`position`](Self::position) describe the stream that has ended.
///
/// ```
/// use mojika::{SHIFT_JIS, Status};
///
/// let mut decoder = SHIFT_JIS.new_decoder();
/// let mut text = [0_u8; 16];
/// // The second byte of 字 comes in the second chunk.
/// let first = decoder.decode(b"\x95\xB6\x8E", &mut text, false);
/// assert_eq!((first.status, first.read, first.written), (Status::InputEmpty, 3, 3));
/// let second = decoder.decode(b"\x9A", &mut text[3..], true);
/// assert_eq!(second.status, Status::InputEmpty);
/// assert_eq!(&text[..6], "文字".as_bytes());
/// ```
#[derive(Clone)]
pub struct Decoder {
    asked: &'static Encoding,
    encoding: &'static Encoding,
    handling: BomHandling,
    stage: Stage,
    machine: AnyDecoder,
    replay: Replay,
    /// True if a U+FFFD did not fit into the last output.
    owes_replacement: bool,
    /// Bytes read since the start of the stream.
    position: u64,
}

/// The start of the next call, which alone decides its plan.
#[derive(Clone, Copy)]
enum Stage {
    /// The start of the stream has not been checked for a byte order mark.
    Start(BomWatch),
    /// The next byte starts a character, and nothing is pending: the call starts in the kernel.
    Between,
    /// Bytes or output are pending: the call starts in the state machine.
    Inside,
    /// The stream is complete: the next call starts another one.
    Finished,
}

impl Encoding {
    /// Creates a streaming decoder that switches to the encoding of a byte order mark: the Standard's "decode".
    ///
    /// [`Decoder::new`] takes a different [`BomHandling`].
    #[inline]
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::new(self, BomHandling::Sniff)
    }
}

impl Decoder {
    /// Creates a decoder of `encoding`, or of the encoding of a byte order mark if `handling` lets it override.
    ///
    /// [`Encoding::new_decoder`] does the same with [`BomHandling::Sniff`], the Standard's "decode".
    ///
    /// ```
    /// use mojika::{BomHandling, Decoder, UTF_8};
    ///
    /// let mut text = String::new();
    /// Decoder::new(UTF_8, BomHandling::Keep).decode_append(b"\xEF\xBB\xBFa", &mut text, true);
    /// assert_eq!(text, "\u{FEFF}a");
    /// ```
    #[inline]
    pub fn new(encoding: &'static Encoding, handling: BomHandling) -> Self {
        Self {
            asked: encoding,
            encoding,
            handling,
            stage: match handling {
                BomHandling::Keep => Stage::Between,
                _ => Stage::Start(BomWatch::new(handling, encoding)),
            },
            machine: encoding.decoder,
            replay: Replay::default(),
            owes_replacement: false,
            position: 0,
        }
    }

    /// Creates a decoder that starts `position` bytes into its stream, after any BOM.
    #[cfg(feature = "alloc")]
    pub(crate) fn starting_at(encoding: &'static Encoding, position: usize) -> Self {
        Self {
            position: position as u64,
            ..Self::new(encoding, BomHandling::Keep)
        }
    }

    /// Creates a decoder of a stateful encoding, in `mode`, that starts `position` bytes into its stream.
    #[cfg(feature = "alloc")]
    pub(crate) fn starting_in(encoding: &'static Encoding, mode: Mode, position: usize) -> Self {
        Self {
            machine: AnyDecoder::in_mode(encoding.kind, mode),
            ..Self::starting_at(encoding, position)
        }
    }

    /// Returns the mode of a stateful encoding if the last byte read completed a character; `None` in other encodings.
    #[cfg(feature = "alloc")]
    pub fn mode(&self) -> Option<Mode> {
        let is_start = matches!(self.stage, Stage::Start(_));
        let is_between = !is_start && self.replay.is_empty() && !self.owes_replacement;
        self.machine.mode().filter(|_| is_between)
    }

    /// Returns the mode that the last escape sequence of ISO-2022-JP selected; `None` in other encodings.
    #[cfg(feature = "alloc")]
    pub fn iso_2022_jp_selected(&self) -> Option<Mode> {
        self.machine.iso_2022_jp_selected().map(Mode::from)
    }

    /// Returns the encoding being decoded: the requested one, or the one that a byte order mark names.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the number of bytes read since the start of the stream.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns the length of an incomplete byte order mark, character or escape sequence at the end of the bytes read.
    ///
    /// After "input empty", all bytes but these are decoded: a new decoder that starts with them yields the rest of the
    /// text. Two cases need more: [stateful](Encoding::is_stateful) encodings also need the current mode, and
    /// replacement needs to know that it has written its U+FFFD.
    ///
    /// ```
    /// let mut decoder = mojika::GB18030.new_decoder();
    /// decoder.decode(b"a\x81\x30\x81", &mut [0_u8; 8], false);
    /// assert_eq!(decoder.incomplete_len(), 3);
    /// ```
    pub fn incomplete_len(&self) -> usize {
        match self.stage {
            Stage::Finished => 0,
            _ => self.held() + self.replay.len() + self.machine.incomplete(),
        }
    }

    /// Unreads the [incomplete](Self::incomplete_len) bytes at the end of the input, and returns their number.
    ///
    /// The decoder forgets these bytes, and the caller passes them again before the next input. iconv leaves an
    /// incomplete sequence in the input in the same way. Complete escape sequences of ISO-2022-JP stay read.
    ///
    /// ```
    /// let mut decoder = mojika::SHIFT_JIS.new_decoder();
    /// let mut text = [0_u8; 8];
    /// let progress = decoder.decode(b"\x95\xB6\x8E", &mut text, false);
    /// assert_eq!(progress.read - decoder.unread_incomplete(), 2);
    /// assert_eq!(decoder.position(), 2);
    /// let progress = decoder.decode(b"\x8E\x9A", &mut text, true);
    /// assert_eq!(&text[..progress.written], "字".as_bytes());
    /// ```
    pub fn unread_incomplete(&mut self) -> usize {
        let count = self.incomplete_len();
        if count > 0 {
            self.replay = Replay::default();
            self.machine.forget_incomplete(self.encoding.kind);
            self.position -= count as u64;
            let is_ready = !self.owes_replacement && self.machine.pending() == 0;
            self.stage = match self.stage {
                Stage::Start(_) => Stage::Start(BomWatch::new(self.handling, self.asked)),
                _ if is_ready => Stage::Between,
                _ => Stage::Inside,
            };
        }
        count
    }

    /// Returns the number of bytes held because they may belong to a byte order mark.
    fn held(&self) -> usize {
        match self.stage {
            Stage::Start(watch) => watch.len(),
            _ => 0,
        }
    }

    /// Returns the number of bytes that a malformed sequence has restored and that will be read again.
    #[cfg(feature = "alloc")]
    pub(crate) fn restored_len(&self) -> usize {
        self.replay.len()
    }

    /// Drops the restored bytes. The state between characters stays.
    #[cfg(feature = "alloc")]
    pub(crate) fn forget_restored(&mut self) {
        self.replay = Replay::default();
    }

    /// Makes the next call start with U+FFFD, for a malformed sequence that a call in error mode "fatal" has reported.
    #[cfg(feature = "std")]
    pub(crate) fn owe_replacement(&mut self) {
        self.owes_replacement = true;
    }

    /// Resets the decoder for a new stream.
    pub fn reset(&mut self) {
        *self = Self::new(self.asked, self.handling);
    }

    /// Decodes to the front of `dst`; malformed sequences become U+FFFD.
    ///
    /// ```
    /// let mut units = [0_u16; 4];
    /// let progress = mojika::GBK.new_decoder().decode(b"\xCE\xC4\xFF", &mut units, true);
    /// assert_eq!(units[..progress.written], [0x6587, 0xFFFD]);
    /// ```
    #[inline(always)]
    pub fn decode<T: DecodeTarget + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        dst.run(0, self, ErrorMode::Replacement, src, last)
    }

    /// Decodes to the front of `dst` and stops after a malformed sequence.
    ///
    /// ```
    /// use mojika::{EUC_KR, Status};
    ///
    /// let mut decoder = EUC_KR.new_decoder();
    /// let mut text = [0_u8; 16];
    /// let progress = decoder.decode_fatal(b"ab\xFFcd", &mut text, true);
    /// let Status::Malformed(sequence) = progress.status else { panic!() };
    /// assert_eq!((sequence.offset, sequence.len, progress.written), (2, 1, 2));
    /// ```
    #[inline(always)]
    pub fn decode_fatal<T: DecodeTarget + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        dst.run(0, self, ErrorMode::Fatal, src, last)
    }

    /// Returns the maximum number of UTF-8 bytes that `byte_length` further bytes can decode to with replacement, over
    /// any number of calls.
    ///
    /// At the start of a stream without BOM handling the bound is exact: some input reaches it. `None` if the number
    /// does not fit into `usize`.
    ///
    /// ```
    /// use mojika::{BomHandling, Decoder, ISO_8859_2};
    ///
    /// let decoder = Decoder::new(ISO_8859_2, BomHandling::Keep);
    /// assert_eq!(decoder.max_utf8_length(100), Some(200));
    /// assert_eq!(decoder.max_utf8_length(usize::MAX), None);
    /// ```
    pub fn max_utf8_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, 3, |machine, n| machine.max_utf8(n, true))
    }

    /// [`max_utf8_length`](Self::max_utf8_length) in error mode "fatal", where malformed sequences produce no output.
    pub fn max_utf8_length_fatal(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, 3, |machine, n| machine.max_utf8(n, false))
    }

    /// Returns the maximum number of UTF-16 code units that `byte_length` further bytes can decode to with replacement,
    /// over any number of calls. `None` if the number does not fit into `usize`.
    pub fn max_utf16_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, 1, |machine, n| machine.max_utf16(n, true))
    }

    /// [`max_utf16_length`](Self::max_utf16_length) in error mode "fatal".
    pub fn max_utf16_length_fatal(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, 1, |machine, n| machine.max_utf16(n, false))
    }

    fn max_length(
        &self,
        byte_length: usize,
        replacement_length: usize,
        max: impl Fn(&AnyDecoder, usize) -> Option<usize>,
    ) -> Option<usize> {
        if let Stage::Finished = self.stage {
            let new = Self::new(self.asked, self.handling);
            return new.max_length(byte_length, replacement_length, max);
        }
        let pending = self.held() + self.replay.len() + self.machine.pending();
        let n = byte_length.checked_add(pending)?;
        let mut longest = max(&self.machine, n)?;
        let is_utf_32 = matches!(self.encoding.kind, Scheme::Utf32(_));
        let is_start = matches!(self.stage, Stage::Start(_));
        if is_start && self.handling == BomHandling::Sniff && !is_utf_32 {
            // A BOM is removed, and the bytes after it are decoded as the encoding that it names.
            for (encoding, bom) in [(UTF_8, 3), (UTF_16LE, 2)] {
                if let Some(n) = n.checked_sub(bom) {
                    longest = longest.max(max(&encoding.decoder, n)?);
                }
            }
        }
        longest.checked_add(replacement_length * usize::from(self.owes_replacement))
    }

    /// Implements [`Form::run`]. Most calls, and nearly all on short input, are a single kernel run.
    #[inline(always)]
    fn run_form<U: Form>(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        out: &mut Out<'_, U>,
        last: bool,
    ) -> Progress {
        match self.stage {
            Stage::Between => {}
            // The start of a stream whose first bytes rule out a byte order mark, as most do.
            Stage::Start(watch) if watch.is_absent(src) => self.stage = Stage::Between,
            Stage::Finished => {
                self.reset();
                return Form::run(self, mode, src, out, last);
            }
            _ => return self.run_on(mode, src, None, out, last),
        }
        let taken = self.machine.start(src, out);
        if taken < src.len() {
            return self.run_on(mode, src, Some(taken), out, last);
        }
        self.position += taken as u64;
        self.stage = if last {
            Stage::Finished
        } else {
            Stage::Between
        };
        Progress::new(taken, out.written(), true)
    }

    /// Continues [`run_form`](Self::run_form) after the kernel has `taken` part of the input, or has not started.
    #[inline(never)]
    fn run_on<U: Unit>(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        taken: Option<usize>,
        out: &mut Out<'_, U>,
        last: bool,
    ) -> Progress {
        let mut run = Progress {
            status: Status::InputEmpty,
            read: taken.unwrap_or(0),
            written: 0,
            had_errors: false,
        };
        run.status = self.run_to(mode, src, taken.is_some(), out, last, &mut run);
        run.written = out.written();
        self.position += run.read as u64;
        let empty = run.status == Status::InputEmpty;
        debug_assert!(!empty || self.replay.is_empty());
        if !matches!(self.stage, Stage::Start(_)) {
            self.stage = match empty {
                true if last => Stage::Finished,
                true if self.machine.pending() == 0 => Stage::Between,
                _ => Stage::Inside,
            };
        }
        run
    }

    fn run_to<U: Unit>(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        mut after_kernel: bool,
        out: &mut Out<'_, U>,
        last: bool,
        run: &mut Progress,
    ) -> Status {
        if let Stage::Start(watch) = self.stage {
            run.read = self.look_for_bom(watch, src, last);
            if let Stage::Start(_) = self.stage {
                return Status::InputEmpty;
            }
        }
        let mut errors = Errors {
            replace: mode == ErrorMode::Replacement,
            seen: false,
        };
        loop {
            if self.owes_replacement {
                if !U::push_bmp(out, 0xFFFD) {
                    return Status::OutputFull;
                }
                self.owes_replacement = false;
            }
            let rest = &src[run.read..];
            let (stop, read) = decode(
                &mut self.machine,
                &mut self.replay,
                rest,
                after_kernel,
                out,
                last,
                &mut errors,
            );
            after_kernel = false;
            run.read += read;
            run.had_errors |= errors.seen;
            match stop {
                DecodeStop::InputEmpty => return Status::InputEmpty,
                DecodeStop::OutputFull => return Status::OutputFull,
                DecodeStop::Malformed { len, after } => {
                    if mode == ErrorMode::Fatal {
                        let end = self.position + run.read as u64;
                        let offset = end - u64::from(len) - u64::from(after);
                        let sequence = MalformedSequence::new(offset, len, after);
                        return Status::Malformed(sequence);
                    }
                    self.owes_replacement = true;
                }
            }
        }
    }

    /// Reads bytes until a BOM is found or ruled out; returns the number of bytes consumed.
    fn look_for_bom(&mut self, mut watch: BomWatch, src: &[u8], last: bool) -> usize {
        let mut read = 0;
        loop {
            let step = match src.get(read) {
                Some(&byte) => watch.step(self.encoding, byte),
                None if last => BomStep::Absent,
                None => {
                    self.stage = Stage::Start(watch);
                    return read;
                }
            };
            match step {
                BomStep::Held => read += 1,
                BomStep::Found(encoding) => {
                    self.encoding = encoding;
                    self.machine = encoding.decoder;
                    self.stage = Stage::Inside;
                    return read + 1;
                }
                BomStep::Absent => {
                    self.stage = Stage::Inside;
                    if watch.len() <= read {
                        // All held bytes are in this chunk: decode the chunk from its start.
                        return read - watch.len();
                    }
                    self.replay = watch.into_replay();
                    return read;
                }
            }
        }
    }
}

impl core::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Decoder")
            .field("encoding", &self.encoding)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

/// A form of text, UTF-8 or UTF-16. The code that all calls share is compiled once for each form.
pub(crate) trait Form: Unit {
    /// Runs one call in either mode.
    fn run(
        decoder: &mut Decoder,
        mode: ErrorMode,
        src: &[u8],
        out: &mut Out<'_, Self>,
        last: bool,
    ) -> Progress;
}

/// Implements [`Form`] without generics, so that it is compiled in this crate and not in every crate that decodes.
macro_rules! form {
    ($unit:ty) => {
        impl Form for $unit {
            #[inline(never)]
            fn run(
                decoder: &mut Decoder,
                mode: ErrorMode,
                src: &[u8],
                out: &mut Out<'_, Self>,
                last: bool,
            ) -> Progress {
                decoder.run_form(mode, src, out, last)
            }
        }
    };
}
form!(u8);
form!(u16);
