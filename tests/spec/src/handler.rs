//! Handlers and their results (section 4.1, Encoders and decoders).

use crate::io_queue::{IoQueue, Item};
use std::fmt::Debug;

/// ISO-2022-JP decoder state. The decoder output state is one of the first four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "these are the Standard's names")]
pub enum DecoderState {
    Ascii,
    Roman,
    Katakana,
    LeadByte,
    TrailByte,
    EscapeStart,
    Escape,
}

/// One to four items that a handler returns together. The maximum is four bytes, in UTF-8 and gb18030.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items<T> {
    items: [T; 4],
    len: usize,
}

impl<T: Copy + Default> Items<T> {
    /// The items as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }
}

/// The result of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerResult<T> {
    /// Finished.
    Finished,
    /// One or more items.
    Items(Items<T>),
    /// An error. An encoder's error has a code point, which is a scalar value.
    Error(Option<char>),
    /// Continue.
    Continue,
}

impl<T: Copy + Default> HandlerResult<T> {
    /// Returns these one to four items.
    pub fn items(list: &[T]) -> Self {
        assert!((1..=4).contains(&list.len()));
        let mut items = [T::default(); 4];
        items[..list.len()].copy_from_slice(list);
        HandlerResult::Items(Items {
            items,
            len: list.len(),
        })
    }
}

impl HandlerResult<char> {
    /// Returns a code point whose value is `value`.
    ///
    /// # Panics
    ///
    /// If `value` is a surrogate or not a code point, which no decoder returns.
    pub fn code_point(value: u32) -> Self {
        HandlerResult::items(&[char::from_u32(value).expect("decoders return scalar values")])
    }

    /// Returns an error without a code point, as decoders do.
    pub fn error() -> Self {
        HandlerResult::Error(None)
    }
}

impl HandlerResult<u8> {
    /// Returns a byte whose value is `value`.
    ///
    /// # Panics
    ///
    /// If `value` is not a byte.
    pub fn byte(value: u32) -> Self {
        HandlerResult::bytes(&[value])
    }

    /// Returns bytes whose values are `values`.
    ///
    /// # Panics
    ///
    /// If one of `values` is not a byte.
    pub fn bytes(values: &[u32]) -> Self {
        let bytes: [u8; 4] = std::array::from_fn(|i| {
            values
                .get(i)
                .map_or(0, |&value| u8::try_from(value).expect("a byte"))
        });
        HandlerResult::items(&bytes[..values.len()])
    }

    /// Returns an error with `code_point`, as encoders do.
    pub fn error_with(code_point: char) -> Self {
        HandlerResult::Error(Some(code_point))
    }
}

/// An instance of a decoder (bytes in, scalar values out) or of an encoder (scalar values in, bytes out).
pub trait Handler: Debug {
    /// The type of the items of the input queue.
    type Input: Copy;
    /// The type of the items returned.
    type Output: Copy + Default;

    /// The handler algorithm: takes the input queue and the item that was read from it last.
    fn handler(
        &mut self,
        io_queue: &mut IoQueue<Self::Input>,
        item: Item<Self::Input>,
    ) -> HandlerResult<Self::Output>;

    /// True if the bytes read are whole characters and shifts, in the decoder of an encoding that shifts.
    fn is_between(&self) -> bool {
        false
    }

    /// The state of ISO-2022-JP's decoder.
    fn state(&self) -> Option<DecoderState> {
        None
    }
}

impl<H: Handler + ?Sized> Handler for Box<H> {
    type Input = H::Input;
    type Output = H::Output;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<Self::Input>,
        item: Item<Self::Input>,
    ) -> HandlerResult<Self::Output> {
        (**self).handler(io_queue, item)
    }

    fn is_between(&self) -> bool {
        (**self).is_between()
    }

    fn state(&self) -> Option<DecoderState> {
        (**self).state()
    }
}

/// An ASCII byte is a byte in the range 0x00 to 0x7F, inclusive.
pub(crate) fn is_ascii_byte(byte: u8) -> bool {
    (0x00..=0x7F).contains(&byte)
}

/// An ASCII code point is a code point in the range U+0000 to U+007F, inclusive.
pub(crate) fn is_ascii_code_point(code_point: char) -> bool {
    ('\u{0000}'..='\u{007F}').contains(&code_point)
}
