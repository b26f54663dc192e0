//! The codecs: one exact scalar state machine per encoding, and the driver that alternates it with prefix kernels.
//!
//! A state machine ([`DecodeMachine`], [`EncodeMachine`]) handles every byte, error and chunk boundary as the Standard's
//! handler does. Each has a *prefix kernel*, which starts in the neutral state and converts the longest well-formed prefix
//! that it can. It stops before anything else: a malformed or unmapped sequence, the last incomplete bytes, or a full
//! output. A kernel never reports an error, so only the machine must be exact.
//!
//! Depends on `simd` and `tables` only; the codecs never import one another.

mod big5;
pub(crate) mod big5_hkscs;
mod big5_index;
mod by_steps;
pub(crate) mod cesu_8;
mod chars;
mod decode;
mod double_byte;
mod ebcdic_pairs;
mod encode;
mod euc_jp;
mod euc_kr;
pub(crate) mod euc_tw;
mod gb18030;
pub(crate) mod gb18030_2005;
mod gb18030_index;
pub(crate) mod gsm;
pub(crate) mod iso_2022;
pub(crate) mod iso_2022_cn;
mod iso_2022_jp;
mod jis0208;
pub(crate) mod jis_x_0213;
mod kind;
pub(crate) mod linked;
mod machine;
mod max_length;
pub(crate) mod mixed;
#[cfg(feature = "alloc")]
mod mode;
mod pair_decoder;
mod permuted;
pub(crate) mod pure_pairs;
mod reference;
mod replacement;
mod replay;
mod restart;
mod shift_jis;
pub(crate) mod shifted;
mod single_byte;
pub(crate) mod table;
pub(crate) mod two_bytes;
mod unit;
mod utf_16;
pub(crate) mod utf_32;
pub(crate) mod utf_7;
mod utf_8;
mod x_user_defined;

pub(crate) use chars::Chars;
pub(crate) use decode::{DecodeStop, Errors, decode};
pub(crate) use encode::{EncodeStop, encode};
#[cfg(feature = "alloc")]
pub(crate) use iso_2022_jp::{Mode as Iso2022JpMode, is_plain_ascii};
pub(crate) use kind::{PairEncoding, Scheme};
pub(crate) use linked::LinkedDecoder;
use linked::LinkedEncoder;
pub(crate) use machine::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step};
#[cfg(feature = "alloc")]
pub use mode::Mode;
use pair_decoder::PairDecoder;
pub(crate) use reference::{InReferences, Reference, Unmappables};
pub(crate) use replay::Replay;
use restart::Backoff;
pub(crate) use unit::Unit;

use crate::simd::{self, Out, tuning};

/// Defines an enum of state machines, and a macro that evaluates an expression with the machine that a value holds.
///
/// The first token is a dollar sign, for the inner macro's parameters.
macro_rules! machines {
    ($dollar:tt $(#[$doc:meta])* $any:ident $with:ident: $($(#[$if:meta])* $variant:ident($machine:ty),)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) enum $any {
            $($(#[$if])* $variant($machine)),*
        }

        macro_rules! $with {
            ($dollar value:expr, $dollar machine:ident => $dollar body:expr) => {
                match $dollar value {
                    $($(#[$if])* $any::$variant($dollar machine) => $dollar body,)*
                }
            };
        }
    };
}

/// Defines the items that depend on the list of [encodings in pairs](PairEncoding), each with the module of its `Decode`
/// and `ENCODE`.
macro_rules! pair_encodings {
    ($dollar:tt $($name:ident in $module:ident,)*) => {
        impl PairEncoding {
            /// Returns a table of character lengths, indexed by the first byte.
            #[cfg(feature = "alloc")]
            pub fn lengths(self) -> &'static [u8; 256] {
                match self {
                    $(Self::$name => const { &pair_decoder::lengths::<$module::Decode>() },)*
                }
            }

            #[cfg(not(mojika_small))]
            const fn decoder(self) -> AnyDecoder {
                match self {
                    $(Self::$name => AnyDecoder::$name(PairDecoder::NEW),)*
                }
            }

            #[inline(always)]
            fn encode(self) -> &'static double_byte::Encoding {
                match self {
                    $(Self::$name => &$module::ENCODE,)*
                }
            }
        }

        machines! { $dollar
            /// Any decoder's state machine, chosen once per stream so that the inner loops know their type.
            AnyDecoder with_decoder:
            Utf8(utf_8::Utf8Decoder),
            SingleByte(single_byte::SingleByteDecoder),
            Permuted(permuted::PermutedDecoder),
            #[cfg(not(mojika_small))]
            Gb18030(gb18030::Gb18030Decoder),
            #[cfg(not(mojika_small))]
            EucJp(euc_jp::EucJpDecoder),
            #[cfg(not(mojika_small))]
            Iso2022Jp(iso_2022_jp::Iso2022JpDecoder),
            $(
                #[cfg(not(mojika_small))]
                $name(PairDecoder<$module::Decode>),
            )*
            Replacement(replacement::ReplacementDecoder),
            Utf16(utf_16::Utf16Decoder),
            Utf32(utf_32::Utf32Decoder),
            XUserDefined(x_user_defined::XUserDefinedDecoder),
            Linked(LinkedDecoder),
        }
    };
}

pair_encodings! { $
    Big5 in big5,
    ShiftJis in shift_jis,
    EucKr in euc_kr,
}

impl AnyDecoder {
    /// Returns the decoder of a stateful encoding in `mode`, after a character.
    #[cfg(feature = "alloc")]
    pub fn in_mode(kind: Scheme, mode: Mode) -> Self {
        match (mode, kind) {
            (Mode::Linked(mode), Scheme::Linked(linked)) => {
                Self::Linked(LinkedDecoder::between(linked, mode))
            }
            #[cfg(not(mojika_small))]
            _ => mode.iso_2022_jp().map_or(Self::new(kind), |mode| {
                Self::Iso2022Jp(iso_2022_jp::Iso2022JpDecoder::in_mode(mode))
            }),
            #[cfg(mojika_small)]
            _ => Self::new(kind),
        }
    }

    /// Returns the mode of a stateful encoding after a character; `None` inside a character and in other encodings.
    #[cfg(feature = "alloc")]
    pub fn mode(&self) -> Option<Mode> {
        match self {
            #[cfg(not(mojika_small))]
            Self::Iso2022Jp(machine) => machine.mode().map(Mode::from),
            Self::Linked(machine) => machine.mode().map(Mode::Linked),
            _ => None,
        }
    }

    /// Returns the mode of ISO-2022-JP that the last escape sequence has selected; `None` in other encodings.
    #[cfg(feature = "alloc")]
    pub fn iso_2022_jp_selected(&self) -> Option<Iso2022JpMode> {
        match self {
            #[cfg(not(mojika_small))]
            Self::Iso2022Jp(machine) => Some(machine.selected()),
            _ => None,
        }
    }

    /// Returns the state machine of an encoding's decoder. [`Encoding::decoder`](crate::Encoding) copies it.
    pub const fn new(kind: Scheme) -> Self {
        match kind {
            Scheme::Utf8 => Self::Utf8(utf_8::Utf8Decoder::NEW),
            Scheme::SingleByte(index) => {
                Self::SingleByte(single_byte::SingleByteDecoder::new(index))
            }
            Scheme::Permuted(page) => Self::Permuted(permuted::PermutedDecoder::new(page)),
            #[cfg(not(mojika_small))]
            Scheme::Gb18030 { .. } => Self::Gb18030(gb18030::Gb18030Decoder::NEW),
            #[cfg(not(mojika_small))]
            Scheme::Pairs(encoding) => encoding.decoder(),
            #[cfg(not(mojika_small))]
            Scheme::EucJp => Self::EucJp(euc_jp::EucJpDecoder::NEW),
            #[cfg(not(mojika_small))]
            Scheme::Iso2022Jp => Self::Iso2022Jp(iso_2022_jp::Iso2022JpDecoder::NEW),
            // The decoder of replacement also serves encodings that are left out.
            #[cfg(mojika_small)]
            Scheme::Gb18030 { .. }
            | Scheme::Pairs(_)
            | Scheme::EucJp
            | Scheme::Iso2022Jp
            | Scheme::LeftOut { .. } => Self::Replacement(replacement::ReplacementDecoder::NEW),
            Scheme::Replacement => Self::Replacement(replacement::ReplacementDecoder::NEW),
            Scheme::Utf16 { big_endian } => Self::Utf16(utf_16::Utf16Decoder::new(big_endian)),
            Scheme::Utf32(utf_32) => Self::Utf32(utf_32::Utf32Decoder::new(utf_32)),
            Scheme::XUserDefined => Self::XUserDefined(x_user_defined::XUserDefinedDecoder),
            Scheme::Linked(linked) => Self::Linked(LinkedDecoder::new(linked)),
        }
    }

    /// Decodes one byte: see [`DecodeMachine::step`].
    #[inline(never)]
    pub fn step(&mut self, byte: u8) -> Step {
        with_decoder!(self, machine => machine.step(byte))
    }

    /// Returns the slot for the second of two characters, for the case that only the first one fits. In Big5, the second
    /// always fits too.
    pub fn owed(&mut self) -> Option<&mut Option<char>> {
        match self {
            Self::Linked(machine) => Some(machine.owed()),
            _ => None,
        }
    }

    /// Handles end-of-queue: see [`DecodeMachine::finish`].
    pub fn finish(&mut self) -> Option<Malformed> {
        with_decoder!(self, machine => machine.finish())
    }

    /// True between sequences: see [`DecodeMachine::is_neutral`].
    pub fn is_neutral(&self) -> bool {
        with_decoder!(self, machine => machine.is_neutral())
    }

    /// Decodes a prefix after a stop: see [`DecodeMachine::prefix`].
    #[inline(never)]
    fn prefix<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, U>,
        backoff: &mut Backoff,
    ) -> usize {
        with_decoder!(self, machine => machine.prefix(src, out, backoff))
    }

    /// Runs [`decode::replace_malformed`] with this machine.
    #[inline(never)]
    fn replace_malformed<U: Unit>(
        &self,
        src: &[u8],
        out: &mut Out<'_, U>,
        errors: &mut Errors,
    ) -> usize {
        with_decoder!(self, machine => decode::replace_malformed(machine, src, out, errors))
    }

    /// Decodes a prefix at the start of a call: inlined, unlike [`prefix`](Self::prefix), because it decides the speed
    /// of short input. The vector kernel goes first, as most text is well-formed.
    #[inline(always)]
    pub fn start<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        with_decoder!(self, machine => {
            if machine.probes_ascii() && simd::push_short_ascii(src, out) {
                src.len()
            } else if cfg!(not(mojika_small)) && src.len() <= tuning::STRAIGHT_UP_TO {
                machine.short(src, out)
            } else {
                machine.prefix(src, out, &mut Backoff::new())
            }
        })
    }

    pub fn pending(&self) -> usize {
        with_decoder!(self, machine => machine.pending())
    }

    pub fn incomplete(&self) -> usize {
        with_decoder!(self, machine => machine.incomplete())
    }

    /// Discards the [incomplete](Self::incomplete) bytes and nothing else. The modes of stateful encodings stay, and so
    /// does the flag that replacement has reported its error.
    pub fn forget_incomplete(&mut self, kind: Scheme) {
        match self {
            #[cfg(not(mojika_small))]
            Self::Iso2022Jp(machine) => machine.forget_incomplete(),
            Self::Linked(machine) => machine.forget_incomplete(),
            Self::Replacement(_) => {}
            _ => *self = Self::new(kind),
        }
    }

    pub fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        with_decoder!(self, machine => machine.max_utf8(n, replacing))
    }

    pub fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        with_decoder!(self, machine => machine.max_utf16(n, replacing))
    }
}

/// An encoding that the double-byte encoder supports.
///
/// An [`Encoding`](crate::Encoding) holds an encoder. If the encoder named its tables, a program that only decodes
/// would link them.
#[derive(Clone, Copy)]
pub(crate) enum DoubleByte {
    Gbk,
    Gb18030,
    EucJp,
    Pairs(PairEncoding),
}

impl DoubleByte {
    #[inline(always)]
    fn encoding(self) -> &'static double_byte::Encoding {
        match self {
            Self::Gbk => &gb18030::ENCODE_GBK,
            Self::Gb18030 => &gb18030::ENCODE,
            Self::EucJp => &euc_jp::ENCODE,
            Self::Pairs(encoding) => encoding.encode(),
        }
    }
}

machines! { $
    /// Any encoder's state machine.
    AnyEncoder with_encoder:
    Utf8(utf_8::Utf8Encoder),
    SingleByte(single_byte::SingleByteEncoder),
    #[cfg(not(mojika_small))]
    DoubleByte(double_byte::DoubleByteEncoder),
    #[cfg(not(mojika_small))]
    Iso2022Jp(iso_2022_jp::Iso2022JpEncoder),
    Utf16(utf_16::Utf16Encoder),
    Utf32(utf_32::Utf32Encoder),
    XUserDefined(x_user_defined::XUserDefinedEncoder),
    Linked(LinkedEncoder),
}

impl AnyEncoder {
    /// Returns the state machine of an encoding's encoder. [`Encoding::encoder`](crate::Encoding) copies it. `None` for
    /// replacement, which has no encoder, and for encodings that are left out.
    pub const fn new(kind: Scheme) -> Option<Self> {
        #[cfg(not(mojika_small))]
        const fn double_byte(of: DoubleByte) -> AnyEncoder {
            AnyEncoder::DoubleByte(double_byte::DoubleByteEncoder::new(of))
        }
        Some(match kind {
            Scheme::Utf8 => Self::Utf8(utf_8::Utf8Encoder),
            Scheme::SingleByte(index) => {
                Self::SingleByte(single_byte::SingleByteEncoder::new(index))
            }
            // `Encoder` permutes the output.
            Scheme::Permuted(page) => {
                Self::SingleByte(single_byte::SingleByteEncoder::new(page.index))
            }
            #[cfg(not(mojika_small))]
            Scheme::Gb18030 { is_gbk: true } => double_byte(DoubleByte::Gbk),
            #[cfg(not(mojika_small))]
            Scheme::Gb18030 { is_gbk: false } => double_byte(DoubleByte::Gb18030),
            #[cfg(not(mojika_small))]
            Scheme::Pairs(encoding) => double_byte(DoubleByte::Pairs(encoding)),
            #[cfg(not(mojika_small))]
            Scheme::EucJp => double_byte(DoubleByte::EucJp),
            #[cfg(not(mojika_small))]
            Scheme::Iso2022Jp => Self::Iso2022Jp(iso_2022_jp::Iso2022JpEncoder::NEW),
            #[cfg(mojika_small)]
            Scheme::Gb18030 { .. }
            | Scheme::Pairs(_)
            | Scheme::EucJp
            | Scheme::Iso2022Jp
            | Scheme::LeftOut { .. } => return None,
            Scheme::Replacement => return None,
            Scheme::Utf16 { big_endian } => Self::Utf16(utf_16::Utf16Encoder::new(big_endian)),
            Scheme::Utf32(utf_32) => Self::Utf32(utf_32::Utf32Encoder::new(utf_32)),
            Scheme::XUserDefined => Self::XUserDefined(x_user_defined::XUserDefinedEncoder::new()),
            Scheme::Linked(linked) => Self::Linked(LinkedEncoder::new(linked)),
        })
    }

    /// Returns the bytes of references, if they are not ASCII.
    #[inline(always)]
    pub fn in_references(&self) -> Option<InReferences> {
        match self {
            Self::Linked(machine) => machine.in_references(),
            _ => None,
        }
    }

    /// Runs [`encode()`] with this machine.
    pub fn encode<S: Chars + ?Sized>(
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

    /// Encodes a prefix at the start of a call.
    #[inline(always)]
    pub fn start<S: Chars + ?Sized>(&mut self, src: &S, out: &mut Out<'_, u8>) -> usize {
        let push_utf8 =
            |src: &str, out: &mut Out<'_, u8>| simd::push_short_ascii(src.as_bytes(), out);
        with_encoder!(self, machine => {
            if machine.probes_ascii() && src.by_form(&mut *out, push_utf8, simd::push_short_ascii_units) {
                src.len()
            } else {
                machine.prefix(src, out, &mut Unmappables::default())
            }
        })
    }

    /// Handles end-of-queue: writes the bytes that bring the output back to its initial state. Returns false and
    /// changes nothing if they do not fit.
    ///
    /// Never inlined, because callers in other crates are inlined and few encoders have a state.
    #[inline(never)]
    pub fn finish(&mut self, out: &mut Out<'_, u8>) -> bool {
        match self {
            #[cfg(not(mojika_small))]
            Self::Iso2022Jp(machine) => finish_to(machine, out),
            Self::Linked(machine) => finish_to(machine, out),
            _ => true,
        }
    }

    /// True if the state differs from that of a new machine. Only then does end-of-queue have an effect.
    #[inline]
    pub fn is_changed(&self) -> bool {
        match self {
            Self::Linked(machine) => machine.is_changed(),
            _ => self.has_state(),
        }
    }

    /// True if end-of-queue must change the state of the output (ISO-2022-JP, and other encodings with shifts).
    #[inline]
    pub fn has_state(&self) -> bool {
        match *self {
            #[cfg(not(mojika_small))]
            Self::Iso2022Jp(mut copy) => copy.finish().is_some(),
            Self::Linked(mut copy) => copy.finish().is_some(),
            _ => false,
        }
    }
}

/// Implements [`AnyEncoder::finish`] for a machine. It copies only the machine: a copy of the enum would be slower.
#[inline(always)]
fn finish_to<M: EncodeMachine>(machine: &mut M, out: &mut Out<'_, u8>) -> bool {
    let before = *machine;
    let fits = machine.finish().is_none_or(|bytes| bytes.push_to(out));
    if !fits {
        *machine = before;
    }
    fits
}
