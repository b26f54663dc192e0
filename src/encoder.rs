//! `Encoder`: encodes UTF-8 or UTF-16, with chunks and buffers of any size.

use crate::codec::{AnyEncoder, Chars, EncodeStop, InReferences, Reference, Scheme, Unmappables};
use crate::progress::{ErrorMode, Progress, Status};
use crate::simd::{self, Out, is_trail};
use crate::{Encoding, NoEncoder, Unmappable};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
mod append;
mod source;
mod target;

pub use source::EncodeSource;
pub(crate) use source::Text;
pub use target::EncodeTarget;

/// A streaming encoder.
///
/// Pass text in chunks of any size, with `last` set only for the final chunk; UTF-16 may be cut between two surrogates.
/// Output buffers may have any size from 4 bytes on. The complete output, and the errors with their offsets, do not
/// depend on the sizes of chunks and buffers. Nothing is written to a buffer beyond the bytes that a call reports as
/// written. A stream is either UTF-8 or UTF-16 throughout, because offsets count its units.
///
/// [`encode`](Self::encode) and [`encode_append`](Self::encode_append) work in the Standard's error mode "fatal" and
/// stop after an unmappable scalar value. Methods with `html` in their names work in error mode "html" and write `&#…;`
/// for it. All take UTF-8 or UTF-16, as an [`EncodeSource`]. After a call with `last` set has returned "input empty",
/// the next call starts another stream, as with a new encoder.
///
/// ```
/// let mut encoder = mojika::ISO_2022_JP.new_encoder()?;
/// let mut bytes = [0; 32];
/// let first = encoder.encode("a文", &mut bytes, false);
/// let second = encoder.encode("字", &mut bytes[first.written..], true);
/// assert_eq!(&bytes[..first.written + second.written], b"a\x1B$BJ8;z\x1B(B");
/// # Ok::<(), mojika::NoEncoder>(())
/// ```
#[derive(Clone)]
pub struct Encoder {
    encoding: &'static Encoding,
    machine: AnyEncoder,
    /// The lead surrogate that ended the last chunk of UTF-16.
    lead_surrogate: Option<u16>,
    reference: Reference,
    /// Units read since the start of the stream.
    position: u64,
    stage: Stage,
}

/// The start of the next call, which alone decides its plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The call starts in the kernel, because nothing is pending.
    Between,
    /// The call starts in the state machine, because a surrogate or a reference is pending.
    Inside,
    /// The stream is complete: the next call starts another one.
    Finished,
}

impl Encoding {
    /// Creates a streaming encoder.
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    #[inline]
    pub fn new_encoder(&'static self) -> Result<Encoder, NoEncoder> {
        Encoder::new(self)
    }
}

impl Encoder {
    /// Creates an encoder to `encoding`, as [`Encoding::new_encoder`] does.
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    #[inline]
    pub fn new(encoding: &'static Encoding) -> Result<Self, NoEncoder> {
        match &encoding.encoder {
            Some(machine) => Ok(Self::with_machine(encoding, *machine)),
            None => Err(NoEncoder { encoding }),
        }
    }

    #[inline(always)]
    fn with_machine(encoding: &'static Encoding, machine: AnyEncoder) -> Self {
        Self {
            encoding,
            machine,
            lead_surrogate: None,
            reference: Reference::default(),
            position: 0,
            stage: Stage::Between,
        }
    }

    /// Returns the encoding of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// True if the stream may end here without further bytes. False for ISO-2022-JP in a state other than ASCII, for a
    /// partly written reference and for a lead surrogate without its trail.
    pub fn is_complete(&self) -> bool {
        !self.machine.has_state() && self.lead_surrogate.is_none() && self.reference.left() == 0
    }

    /// Resets the encoder for a new stream.
    pub fn reset(&mut self) {
        if let Ok(new) = Self::new(self.encoding) {
            *self = new;
        }
    }

    /// Encodes to the front of `dst` and stops after an unmappable scalar value. Lone surrogates of UTF-16 count as
    /// U+FFFD.
    ///
    /// ```
    /// use mojika::Status;
    ///
    /// let mut encoder = mojika::WINDOWS_1251.new_encoder()?;
    /// let mut bytes = [0; 8];
    /// let progress = encoder.encode("да→", &mut bytes, true);
    /// let Status::Unmappable(unmappable) = progress.status else { panic!() };
    /// assert_eq!((unmappable.scalar, unmappable.offset), ('→', 4));
    /// assert_eq!(&bytes[..progress.written], b"\xE4\xE0");
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    #[inline(always)]
    pub fn encode<S, T>(&mut self, src: &S, dst: &mut T, last: bool) -> Progress
    where
        S: EncodeSource + ?Sized,
        T: EncodeTarget + ?Sized,
    {
        self.run_text(ErrorMode::Fatal, src.text(), &mut dst.out(), last)
    }

    /// Encodes to the front of `dst`; unmappable scalar values become numeric character references. Lone surrogates of
    /// UTF-16 count as U+FFFD.
    ///
    /// ```
    /// let mut bytes = [0; 16];
    /// let progress = mojika::KOI8_U.new_encoder()?.encode_html(&[0x457, 0x2192], &mut bytes, true);
    /// assert_eq!(&bytes[..progress.written], b"\xA7&#8594;");
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    #[inline(always)]
    pub fn encode_html<S, T>(&mut self, src: &S, dst: &mut T, last: bool) -> Progress
    where
        S: EncodeSource + ?Sized,
        T: EncodeTarget + ?Sized,
    {
        self.run_text(ErrorMode::Html, src.text(), &mut dst.out(), last)
    }

    /// Queues a numeric character reference to be written before anything else.
    #[cfg(feature = "alloc")]
    pub(crate) fn owe_reference(&mut self, scalar: char) {
        self.reference = Reference::new(scalar.into(), self.machine.in_references());
        self.stage = Stage::Inside;
    }

    /// Encodes text that is not part of the stream's input; returns false if it has an unmappable character.
    #[cfg(feature = "alloc")]
    pub(crate) fn encode_aside(&mut self, text: &str, dst: &mut Vec<u8>) -> bool {
        let position = self.position;
        let progress = self.encode_append(text, dst, false);
        self.position = position;
        progress.status == Status::InputEmpty
    }

    /// Returns the maximum number of bytes that the last `byte_length` bytes of UTF-8 of a stream can encode to in mode
    /// "html".
    ///
    /// At the start of a stream the bound is exact: some text reaches it. `None` if the number does not fit into
    /// `usize`.
    ///
    /// ```
    /// let encoder = mojika::WINDOWS_1252.new_encoder()?;
    /// // The longest from two bytes is the like of "&#2047;".
    /// assert_eq!(encoder.max_length_from_utf8_html(2), Some(7));
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    pub fn max_length_from_utf8_html(&self, byte_length: usize) -> Option<usize> {
        self.encoding
            .kind
            .max_html_from_utf8(byte_length)?
            .checked_add(self.extra_length(self.longest_for_surrogate()))
    }

    /// [`max_length_from_utf8_html`](Self::max_length_from_utf8_html) in error mode "fatal".
    pub fn max_length_from_utf8(&self, byte_length: usize) -> Option<usize> {
        self.encoding
            .kind
            .max_fatal_from_utf8(byte_length)?
            .checked_add(self.extra_length(4))
    }

    /// Returns the maximum number of bytes that the last `unit_length` UTF-16 code units of a stream can encode to in
    /// mode "html". `None` if the number does not fit into `usize`.
    pub fn max_length_from_utf16_html(&self, unit_length: usize) -> Option<usize> {
        self.encoding
            .kind
            .max_html_from_utf16(unit_length)?
            .checked_add(self.extra_length(self.longest_for_surrogate()))
    }

    /// [`max_length_from_utf16_html`](Self::max_length_from_utf16_html) in error mode "fatal".
    pub fn max_length_from_utf16(&self, unit_length: usize) -> Option<usize> {
        self.encoding
            .kind
            .max_fatal_from_utf16(unit_length)?
            .checked_add(self.extra_length(4))
    }

    /// Returns the maximum number of bytes for a pending surrogate: the length of "&#65533;".
    fn longest_for_surrogate(&self) -> usize {
        8 * self.machine.in_references().map_or(1, InReferences::width)
    }

    /// Returns the maximum number of bytes that the state may add: the return to ASCII, a pending surrogate, the rest of a
    /// reference.
    fn extra_length(&self, for_surrogate: usize) -> usize {
        3 * usize::from(self.machine.has_state())
            + for_surrogate * usize::from(self.lead_surrogate.is_some())
            + self.reference.left()
    }

    /// Runs one call in either mode, from either form.
    #[inline(always)]
    fn run_text(
        &mut self,
        mode: ErrorMode,
        src: Text<'_>,
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress {
        match src {
            Text::Utf8(src) => src.run(self, mode, out, last),
            Text::Utf16(src) => src.run(self, mode, out, last),
        }
    }

    /// Runs one call in either mode.
    ///
    /// Most calls, and nearly all on short input, are a single kernel run. [`Form::run`] is this function, compiled once
    /// for each form.
    #[inline(always)]
    fn run<S: Chars + ?Sized>(
        &mut self,
        mode: ErrorMode,
        src: &S,
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress {
        let taken = (self.stage == Stage::Between).then(|| self.machine.start(src, out));
        if taken != Some(src.len()) || !self.is_finished(last, out) {
            let progress = self.run_behind(mode, src, taken, out, last);
            self.permute(out);
            return progress;
        }
        self.permute(out);
        self.position += src.len() as u64;
        self.stage = if last {
            Stage::Finished
        } else {
            Stage::Between
        };
        Progress::new(src.len(), out.written(), true)
    }

    /// For EBCDIC, translates the output of one call from the order of the index to that of the page. References are
    /// part of the output and are translated too.
    #[inline(always)]
    fn permute(&self, out: &mut Out<'_, u8>) {
        if let Scheme::Permuted(page) = self.encoding.kind {
            simd::permute_written(page.from_index, out);
        }
    }

    /// Ends the stream if `last` is set. True if the end needs no bytes, or its bytes fit.
    #[inline(always)]
    fn is_finished(&mut self, last: bool, out: &mut Out<'_, u8>) -> bool {
        !last || !self.machine.is_changed() || self.machine.finish(out)
    }

    /// Continues [`run`](Self::run) after the kernel has `taken` part of the input, or has not started.
    #[inline(never)]
    fn run_behind<S: Chars + ?Sized>(
        &mut self,
        mode: ErrorMode,
        src: &S,
        taken: Option<usize>,
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress {
        src.by_form(
            (self, out),
            |src, (encoder, out)| encoder.run_on(mode, src, 0, taken, out, last),
            |src, (encoder, out)| match encoder.lead_surrogate {
                Some(_) => encoder.run_after_lead(mode, src, out, last),
                None => encoder.run_on(mode, src, 0, taken, out, last),
            },
        )
    }

    /// Continues [`run`](Self::run) over UTF-16 after a pending lead surrogate.
    #[cold]
    fn run_after_lead(
        &mut self,
        mode: ErrorMode,
        src: &[u16],
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress {
        let mut done = Progress {
            read: 0,
            status: Status::InputEmpty,
            written: 0,
            had_errors: false,
        };
        let Some(lead) = self.lead_surrogate else {
            return done;
        };
        let pair = match src.first() {
            Some(&trail) if is_trail(trail) => [lead, trail],
            None if !last => return done,
            _ => [0xFFFD, 0],
        };
        let len = if pair[1] == 0 { 1 } else { 2 };
        // The pending surrogate and its trail are encoded as separate input. The first unit has been counted before.
        self.position -= 1;
        self.lead_surrogate = None;
        done = self.run_on(mode, &pair[..len], 0, None, out, false);
        if done.read == 0 {
            self.position += 1;
            self.lead_surrogate = Some(lead);
            return done;
        }
        done.read -= 1;
        if done.status != Status::InputEmpty {
            return done;
        }
        let mut run = self.run_on(mode, src, done.read, None, out, last);
        run.had_errors |= done.had_errors;
        run
    }

    /// Runs one call in either mode, over `src` from `start` on. `taken` is the number of units the kernel has read.
    fn run_on<S: Chars + ?Sized>(
        &mut self,
        mode: ErrorMode,
        src: &S,
        start: usize,
        mut taken: Option<usize>,
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress {
        if self.stage == Stage::Finished {
            self.position = 0;
        }
        let mut run = Progress {
            status: Status::InputEmpty,
            read: start + taken.unwrap_or(0),
            written: 0,
            had_errors: false,
        };
        let mut unmappables = Unmappables {
            reference: mode == ErrorMode::Html,
            spelling: self.machine.in_references(),
            seen: false,
        };
        run.status = loop {
            if self.reference.left() > 0 && !self.reference.push_to(out) {
                break Status::OutputFull;
            }
            let after_kernel = taken.take().is_some();
            let (stop, read) =
                self.machine
                    .encode(src, run.read, after_kernel, out, last, &mut unmappables);
            run.read = read;
            let EncodeStop::Unmappable { scalar, len } = stop else {
                break match stop {
                    EncodeStop::OutputFull => Status::OutputFull,
                    _ => Status::InputEmpty,
                };
            };
            if mode == ErrorMode::Fatal {
                let end = self.position + (run.read - start) as u64;
                break Status::Unmappable(Unmappable {
                    scalar: char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER),
                    offset: end - u64::from(len),
                });
            }
            self.reference = Reference::new(scalar, self.machine.in_references());
        };
        run.had_errors = unmappables.seen;
        if run.status == Status::InputEmpty {
            self.lead_surrogate = src.lead_at_end(run.read);
            run.read += usize::from(self.lead_surrogate.is_some());
        }
        run.written = out.written();
        // With `last`, end-of-queue has reset the machine to its initial state, and nothing is pending.
        self.stage = match run.status {
            Status::InputEmpty if last => Stage::Finished,
            Status::InputEmpty if self.lead_surrogate.is_none() => Stage::Between,
            _ => Stage::Inside,
        };
        self.position += (run.read - start) as u64;
        run
    }
}

impl core::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Encoder")
            .field("encoding", &self.encoding)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

/// A form of text, UTF-8 or UTF-16. The code that all calls share is compiled once for each form.
trait Form: Chars {
    /// [`Encoder::run`].
    fn run(
        &self,
        encoder: &mut Encoder,
        mode: ErrorMode,
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress;
}

/// Implements [`Form`] without generics, so that it is compiled in this crate and not in every crate that encodes.
macro_rules! form {
    ($text:ty) => {
        impl Form for $text {
            #[inline(never)]
            fn run(
                &self,
                encoder: &mut Encoder,
                mode: ErrorMode,
                out: &mut Out<'_, u8>,
                last: bool,
            ) -> Progress {
                encoder.run(mode, self, out, last)
            }
        }
    };
}
form!(str);
form!([u16]);
