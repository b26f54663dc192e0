//! The codecs: one exact scalar state machine per encoding, and the driver that alternates it with prefix kernels.
//!
//! A state machine ([`DecodeMachine`], [`EncodeMachine`]) handles every byte, every error and every chunk boundary as
//! the Standard's handler does. Beside it stands a *prefix kernel*: started in the neutral state, it converts as long
//! a prefix of well-formed input as it can and stops before anything else: a malformed or unmapped sequence, the last
//! incomplete bytes, too little room. A kernel never reports an error, so exactness lives in the machine alone.
//!
//! Depends on `simd` and `tables` only; the codecs never import one another.

mod any;
mod big5;
mod decode;
mod double_byte;
mod encode;
mod euc_jp;
mod euc_kr;
mod gb18030;
mod iso_2022_jp;
mod jis0208;
mod machine;
mod max_length;
mod pair_decoder;
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

pub(crate) use any::{AnyDecoder, AnyEncoder};
pub(crate) use decode::{DecodeStop, Errors, Replay, decode};
pub(crate) use encode::{EncodeStop, Source, Unmappables, encode};
#[cfg(feature = "alloc")]
pub(crate) use iso_2022_jp::{Mode as Iso2022JpMode, is_plain_ascii};
pub(crate) use machine::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step};
pub(crate) use reference::Reference;
pub(crate) use unit::Unit;

use crate::simd::Utf32Order;
use crate::tables::SingleByteIndex;
use crate::tables::extended::Permuted;

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
