//! The codecs: one exact scalar state machine per encoding, and the driver that alternates it with prefix kernels.
//!
//! A state machine ([`DecodeMachine`], [`EncodeMachine`]) handles every byte, every error and every chunk boundary as
//! the Standard's handler does. Beside it stands a *prefix kernel*: started in the neutral state, it converts as long
//! a prefix of well-formed input as it can and stops before anything else: a malformed or unmapped sequence, the last
//! incomplete bytes, too little room. A kernel never reports an error, so exactness lives in the machine alone.
//!
//! Depends on `simd` and `tables` only; the codecs never import one another.

mod big5;
mod decode;
mod double_byte;
mod encode;
mod euc_jp;
mod euc_kr;
mod gb18030;
mod iso_2022_jp;
mod jis0208;
mod max_length;
mod permuted;
mod reference;
mod replacement;
mod restart;
mod shift_jis;
mod single_byte;
mod unit;
mod utf_16;
mod utf_32;
mod utf_8;
mod x_user_defined;

pub(crate) use decode::{DecodeStop, Errors, Replay, decode};
pub(crate) use encode::{EncodeStop, Source, Unmappables, encode};
#[cfg(feature = "alloc")]
pub(crate) use iso_2022_jp::{Mode as Iso2022JpMode, is_plain_ascii};
pub(crate) use reference::Reference;
use restart::Backoff;
pub(crate) use unit::Unit;

use crate::simd::{self, Out, Packed, Utf32Order};
use crate::tables::SingleByteIndex;
use crate::tables::extended::Permuted;

/// What one byte does to a decoder's state machine.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// The byte is part of a sequence that goes on.
    Continue,
    /// A scalar value is complete.
    Scalar(u32),
    /// Two scalar values are complete (four pointers of Big5).
    Pair(u32, u32),
    /// The sequence is malformed.
    Malformed(Malformed),
}

/// How a malformed sequence splits the bytes read so far.
///
/// The bytes are, in order: `len` malformed ones, `held` ones that the machine's new state stands for, `replay` ones
/// that the machine gives back to be read again, and, where `unread` is set, the current byte, to be read again too.
#[derive(Clone, Copy, Default)]
pub(crate) struct Malformed {
    pub len: u8,
    pub held: u8,
    pub replay: Replay,
    pub unread: bool,
}

impl Malformed {
    /// A malformed sequence of `len` bytes that ends with the current byte.
    #[inline]
    pub fn through(len: u8) -> Step {
        Step::Malformed(Malformed {
            len,
            ..Malformed::default()
        })
    }

    /// A malformed sequence of `len` bytes that ends before the current byte, which is restored.
    #[inline]
    pub fn before(len: u8) -> Step {
        Step::Malformed(Malformed {
            len,
            unread: true,
            ..Malformed::default()
        })
    }

    /// The Standard's rule for a bad trail: an ASCII byte is restored, any other belongs to the malformed pair.
    #[inline]
    pub fn pair(trail: u8, len: u8) -> Step {
        if trail < 0x80 {
            Malformed::before(len - 1)
        } else {
            Malformed::through(len)
        }
    }
}

/// A decoder's state machine: the Standard's handler for one encoding, one byte at a time.
///
/// `Copy`, so that the driver can take a step back when a scalar value does not fit into the output.
pub(crate) trait DecodeMachine: Copy {
    /// Handles one byte.
    fn step(&mut self, byte: u8) -> Step;

    /// Handles end-of-queue: the malformed rest, or `None` when the input is complete.
    fn finish(&mut self) -> Option<Malformed>;

    /// Whether no sequence is in progress, so that a kernel may start.
    fn is_neutral(&self) -> bool;

    /// The number of bytes within which most malformed sequences end. Only the last of them may be restored.
    const MALFORMED_WITHIN: usize = 0;

    /// The length of the malformed sequence that `src` starts with, from the neutral state; 0 where only the state
    /// machine can tell, or where it would do more than report that many bytes and stay as it is.
    ///
    /// A short cut for text that is replaced. This default steps a copy of the machine over the bytes of
    /// [`MALFORMED_WITHIN`](Self::MALFORMED_WITHIN).
    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        let mut machine = *self;
        for (before, &byte) in src.iter().take(Self::MALFORMED_WITHIN).enumerate() {
            match machine.step(byte) {
                Step::Continue => {}
                Step::Malformed(malformed) => {
                    debug_assert!(machine.is_neutral() && malformed.replay.is_empty());
                    return before + usize::from(!malformed.unread);
                }
                Step::Scalar(_) | Step::Pair(..) => return 0,
            }
        }
        0
    }

    /// Goes on behind what [`malformed`](Self::malformed) found, with U+FFFD for more malformed sequences; returns the
    /// number of bytes taken.
    #[inline(always)]
    fn replace<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let _ = (src, out);
        0
    }

    /// Prefix kernel: converts well-formed input from the neutral state; returns the number of bytes taken. `backoff` says
    /// when a vector kernel is started that a portable loop can do without.
    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, backoff: &mut Backoff)
    -> usize;

    /// Bytes read that the state stands for and that may still produce output.
    fn pending(&self) -> usize {
        usize::from(!self.is_neutral())
    }

    /// How many of the last bytes read belong to a character or an escape sequence that is incomplete.
    fn incomplete(&self) -> usize {
        self.pending()
    }

    /// Most UTF-8 bytes for `n` bytes of input, pending ones included, read from the neutral state.
    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        let _ = replacing;
        n.checked_mul(3)
    }

    /// Most UTF-16 code units for `n` bytes of input, pending ones included, read from the neutral state.
    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        let _ = replacing;
        Some(n)
    }
}

/// What one scalar value does to an encoder's state machine.
pub(crate) enum EncodeStep {
    /// The scalar value as bytes.
    Bytes(Packed),
    /// An escape sequence; the scalar value is restored and handled again.
    Escape(Packed),
    /// The encoding has no bytes for it. The Standard reports this scalar value, not always the one given.
    Unmappable(u32),
}

/// An encoder's state machine: the Standard's handler for one encoding, one scalar value at a time.
pub(crate) trait EncodeMachine: Copy {
    /// Handles one scalar value.
    fn step(&mut self, scalar: u32) -> EncodeStep;

    /// Handles end-of-queue: the bytes that bring the output back to its initial state.
    fn finish(&mut self) -> Option<Packed> {
        None
    }

    /// Prefix kernel over UTF-8: encodes mappable input, and what is not if `unmappables` has references written; returns
    /// the number of source bytes taken.
    fn prefix_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize;

    /// Prefix kernel over UTF-16, likewise; returns the number of code units taken.
    fn prefix_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize;
}

/// The algorithm behind an encoding; several encodings share one.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Utf8,
    SingleByte(&'static SingleByteIndex),
    /// A single-byte encoding whose lower half is not ASCII.
    Permuted(&'static Permuted),
    Gb18030 {
        is_gbk: bool,
    },
    Big5,
    EucJp,
    Iso2022Jp,
    ShiftJis,
    EucKr,
    Replacement,
    Utf16 {
        big_endian: bool,
    },
    Utf32(Utf32Order),
    XUserDefined,
}

#[cfg(feature = "alloc")]
impl Kind {
    /// False for replacement alone.
    pub fn has_encoder(self) -> bool {
        !matches!(self, Kind::Replacement)
    }

    /// Whether ASCII, all of it and wherever it stands, is itself in both directions.
    #[inline(always)]
    pub fn keeps_ascii(self) -> bool {
        !matches!(
            self,
            Kind::Iso2022Jp
                | Kind::Replacement
                | Kind::Utf16 { .. }
                | Kind::Utf32(_)
                | Kind::Permuted(_)
        )
    }
}

/// Any decoder's state machine, chosen once per stream so that the inner loops know their type.
#[derive(Clone, Copy)]
pub(crate) enum AnyDecoder {
    Utf8(utf_8::Utf8Decoder),
    SingleByte(single_byte::SingleByteDecoder),
    Permuted(permuted::PermutedDecoder),
    Gb18030(gb18030::Gb18030Decoder),
    Big5(big5::Big5Decoder),
    EucJp(euc_jp::EucJpDecoder),
    Iso2022Jp(iso_2022_jp::Iso2022JpDecoder),
    ShiftJis(shift_jis::ShiftJisDecoder),
    EucKr(euc_kr::EucKrDecoder),
    Replacement(replacement::ReplacementDecoder),
    Utf16(utf_16::Utf16Decoder),
    Utf32(utf_32::Utf32Decoder),
    XUserDefined(x_user_defined::XUserDefinedDecoder),
}

/// Runs one expression for whichever machine an `AnyDecoder` holds.
macro_rules! with_decoder {
    ($any:expr, $machine:ident => $body:expr) => {
        match $any {
            AnyDecoder::Utf8($machine) => $body,
            AnyDecoder::SingleByte($machine) => $body,
            AnyDecoder::Permuted($machine) => $body,
            AnyDecoder::Gb18030($machine) => $body,
            AnyDecoder::Big5($machine) => $body,
            AnyDecoder::EucJp($machine) => $body,
            AnyDecoder::Iso2022Jp($machine) => $body,
            AnyDecoder::ShiftJis($machine) => $body,
            AnyDecoder::EucKr($machine) => $body,
            AnyDecoder::Replacement($machine) => $body,
            AnyDecoder::Utf16($machine) => $body,
            AnyDecoder::Utf32($machine) => $body,
            AnyDecoder::XUserDefined($machine) => $body,
        }
    };
}

impl AnyDecoder {
    /// The decoder of ISO-2022-JP behind a character in this mode.
    #[cfg(feature = "alloc")]
    pub fn iso_2022_jp(mode: Iso2022JpMode) -> Self {
        Self::Iso2022Jp(iso_2022_jp::Iso2022JpDecoder::in_mode(mode))
    }

    /// The mode of ISO-2022-JP behind a character; `None` elsewhere and in other encodings.
    #[cfg(feature = "alloc")]
    pub fn iso_2022_jp_mode(&self) -> Option<Iso2022JpMode> {
        match self {
            Self::Iso2022Jp(machine) => machine.mode(),
            _ => None,
        }
    }

    #[inline]
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Utf8 => Self::Utf8(Default::default()),
            Kind::SingleByte(index) => Self::SingleByte(single_byte::SingleByteDecoder::new(index)),
            Kind::Permuted(page) => Self::Permuted(permuted::PermutedDecoder::new(page)),
            Kind::Gb18030 { .. } => Self::Gb18030(Default::default()),
            Kind::Big5 => Self::Big5(Default::default()),
            Kind::EucJp => Self::EucJp(Default::default()),
            Kind::Iso2022Jp => Self::Iso2022Jp(Default::default()),
            Kind::ShiftJis => Self::ShiftJis(Default::default()),
            Kind::EucKr => Self::EucKr(Default::default()),
            Kind::Replacement => Self::Replacement(Default::default()),
            Kind::Utf16 { big_endian } => Self::Utf16(utf_16::Utf16Decoder::new(big_endian)),
            Kind::Utf32(order) => Self::Utf32(utf_32::Utf32Decoder::new(order)),
            Kind::XUserDefined => Self::XUserDefined(x_user_defined::XUserDefinedDecoder),
        }
    }

    /// [`decode`] with this machine.
    pub fn decode<U: Unit>(
        &mut self,
        replay: &mut Replay,
        src: &[u8],
        behind_kernel: bool,
        out: &mut Out<'_, U>,
        last: bool,
        errors: &mut Errors,
    ) -> (DecodeStop, usize) {
        with_decoder!(self, machine => {
            decode(machine, replay, src, behind_kernel, out, last, errors)
        })
    }

    /// Whether short input is to be asked first if it is ASCII: whether that is itself between characters, and the kernel
    /// does not ask by itself.
    #[inline(always)]
    fn starts_with_ascii(&self) -> bool {
        !matches!(
            self,
            Self::Iso2022Jp(_)
                | Self::Replacement(_)
                | Self::Utf16(_)
                | Self::Utf32(_)
                | Self::SingleByte(_)
                | Self::Permuted(_)
                | Self::XUserDefined(_)
        )
    }

    /// This machine's prefix kernel where a call starts. A vector kernel goes first: most text is well-formed.
    #[inline(always)]
    pub fn start<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        if self.starts_with_ascii() && simd::push_short_ascii(src, out) {
            return src.len();
        }
        with_decoder!(self, machine => machine.prefix(src, out, &mut Backoff::new()))
    }

    pub fn pending(&self) -> usize {
        with_decoder!(self, machine => machine.pending())
    }

    pub fn incomplete(&self) -> usize {
        with_decoder!(self, machine => machine.incomplete())
    }

    pub fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        with_decoder!(self, machine => machine.max_utf8(n, replacing))
    }

    pub fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        with_decoder!(self, machine => machine.max_utf16(n, replacing))
    }
}

/// Any encoder's state machine.
#[derive(Clone, Copy)]
pub(crate) enum AnyEncoder {
    Utf8(utf_8::Utf8Encoder),
    SingleByte(single_byte::SingleByteEncoder),
    DoubleByte(double_byte::DoubleByteEncoder),
    Iso2022Jp(iso_2022_jp::Iso2022JpEncoder),
    Utf16(utf_16::Utf16Encoder),
    Utf32(utf_32::Utf32Encoder),
    XUserDefined(x_user_defined::XUserDefinedEncoder),
}

/// Runs one expression for whichever machine an `AnyEncoder` holds.
macro_rules! with_encoder {
    ($any:expr, $machine:ident => $body:expr) => {
        match $any {
            AnyEncoder::Utf8($machine) => $body,
            AnyEncoder::SingleByte($machine) => $body,
            AnyEncoder::DoubleByte($machine) => $body,
            AnyEncoder::Iso2022Jp($machine) => $body,
            AnyEncoder::Utf16($machine) => $body,
            AnyEncoder::Utf32($machine) => $body,
            AnyEncoder::XUserDefined($machine) => $body,
        }
    };
}

impl AnyEncoder {
    /// `None` for replacement, which has no encoder.
    #[inline]
    pub fn new(kind: Kind) -> Option<Self> {
        let pairs = |pairs| Self::DoubleByte(double_byte::DoubleByteEncoder::new(pairs));
        Some(match kind {
            Kind::Utf8 => Self::Utf8(utf_8::Utf8Encoder),
            Kind::SingleByte(index) => Self::SingleByte(single_byte::SingleByteEncoder::new(index)),
            // `Encoder` permutes what this writes.
            Kind::Permuted(page) => {
                Self::SingleByte(single_byte::SingleByteEncoder::new(page.index))
            }
            Kind::Gb18030 { is_gbk: true } => pairs(&gb18030::ENCODE_GBK),
            Kind::Gb18030 { is_gbk: false } => pairs(&gb18030::ENCODE),
            Kind::Big5 => pairs(&big5::ENCODE),
            Kind::EucJp => pairs(&euc_jp::ENCODE),
            Kind::Iso2022Jp => Self::Iso2022Jp(Default::default()),
            Kind::ShiftJis => pairs(&shift_jis::ENCODE),
            Kind::EucKr => pairs(&euc_kr::ENCODE),
            Kind::Replacement => return None,
            Kind::Utf16 { big_endian } => Self::Utf16(utf_16::Utf16Encoder::new(big_endian)),
            Kind::Utf32(order) => Self::Utf32(utf_32::Utf32Encoder::new(order)),
            Kind::XUserDefined => Self::XUserDefined(x_user_defined::XUserDefinedEncoder::new()),
        })
    }

    /// [`encode`] with this machine.
    pub fn encode<S: Source + ?Sized>(
        &mut self,
        src: &S,
        start: usize,
        behind_kernel: bool,
        out: &mut Out<'_, u8>,
        last: bool,
        unmappables: &mut Unmappables,
    ) -> (EncodeStop, usize) {
        with_encoder!(self, machine => {
            encode(machine, src, start, behind_kernel, out, last, unmappables)
        })
    }

    /// This machine's prefix kernel over UTF-8.
    #[inline(never)]
    pub fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        // To UTF-8 all is copied.
        if self.keeps_ascii()
            && !matches!(self, Self::Utf8(_))
            && simd::push_short_ascii(src.as_bytes(), out)
        {
            return src.len();
        }
        with_encoder!(self, machine => machine.prefix_utf8(src, out, &mut Unmappables::default()))
    }

    /// This machine's prefix kernel over UTF-16.
    #[inline(never)]
    pub fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        if self.keeps_ascii() && simd::push_short_ascii_units(src, out) {
            return src.len();
        }
        with_encoder!(self, machine => machine.prefix_utf16(src, out, &mut Unmappables::default()))
    }

    /// Whether ASCII is itself, wherever it stands.
    #[inline(always)]
    fn keeps_ascii(&self) -> bool {
        !matches!(self, Self::Iso2022Jp(_) | Self::Utf16(_) | Self::Utf32(_))
    }

    /// Leaves the state at the end of the stream; false, and nothing done, if that does not fit.
    ///
    /// Never inlined: callers in other crates are, and few encoders have a state.
    #[inline(never)]
    pub fn finish(&mut self, out: &mut Out<'_, u8>) -> bool {
        let Self::Iso2022Jp(machine) = self else {
            return true;
        };
        let before = *machine;
        let fits = machine.finish().is_none_or(|bytes| bytes.push_to(out));
        if !fits {
            *machine = before;
        }
        fits
    }

    /// Whether the output ends in a state that end-of-queue must leave (ISO-2022-JP).
    #[inline]
    pub fn has_state(&self) -> bool {
        match *self {
            Self::Iso2022Jp(mut copy) => copy.finish().is_some(),
            _ => false,
        }
    }
}
