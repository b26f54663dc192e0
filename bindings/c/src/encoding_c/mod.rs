//! encoding_c: encoding_rs' functions and variables for C and C++ programs, over the API of `bindings/encoding_rs`.
//!
//! In the archive, functions have a prefix. Only `libmojika_encoding_c.so` has them under their own names. Variables have
//! their own names in both, because an alias that the linker makes has no size. Encodings are those of `mojika.h`.

mod mem;

use crate::args;
use crate::statics::{CEncoding, EncodingOrNull};
use encoding_rs::{CoderResult, Decoder, DecoderResult, Encoder, EncoderResult, Encoding};

/// The status codes "input empty" and "output full".
const INPUT_EMPTY: u32 = 0;
const OUTPUT_FULL: u32 = 0xFFFF_FFFF;

/// Returns the encoding of encoding_rs for an encoding of the Standard.
fn encoding_of(encoding: &'static CEncoding) -> &'static Encoding {
    Encoding::for_label(encoding.get().name().as_bytes()).unwrap_or(encoding_rs::UTF_8)
}

/// Returns the table entry for an encoding of encoding_rs.
fn entry_of(encoding: &'static Encoding) -> &'static CEncoding {
    let known = mojika::Encoding::for_label(encoding.name());
    CEncoding::of(known.unwrap_or(mojika::UTF_8))
}

fn coder_result(result: CoderResult) -> u32 {
    match result {
        CoderResult::InputEmpty => INPUT_EMPTY,
        CoderResult::OutputFull => OUTPUT_FULL,
    }
}

fn decoder_result(result: DecoderResult) -> u32 {
    match result {
        DecoderResult::InputEmpty => INPUT_EMPTY,
        DecoderResult::OutputFull => OUTPUT_FULL,
        DecoderResult::Malformed(bad, good) => u32::from(good) << 8 | u32::from(bad),
    }
}

fn encoder_result(result: EncoderResult) -> u32 {
    match result {
        EncoderResult::InputEmpty => INPUT_EMPTY,
        EncoderResult::OutputFull => OUTPUT_FULL,
        EncoderResult::Unmappable(scalar) => scalar.into(),
    }
}

/// Defines exported C functions, with the static archive's prefix `mojika_c_`.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $result)? $body
    )*};
}
use functions;

functions! {
    /// The Standard's "get an encoding".
    fn mojika_c_encoding_for_label(label: *const u8, length: usize) -> EncodingOrNull {
        // SAFETY: encoding_rs.h requires `length` bytes at `label`.
        let label = unsafe { args::slice(label, length) }?;
        Encoding::for_label(label).map(entry_of)
    }
    /// The Standard's "get an encoding", with null instead of replacement.
    fn mojika_c_encoding_for_label_no_replacement(label: *const u8, length: usize) -> EncodingOrNull {
        // SAFETY: encoding_rs.h requires `length` bytes at `label`.
        let label = unsafe { args::slice(label, length) }?;
        Encoding::for_label_no_replacement(label).map(entry_of)
    }
    /// The Standard's "BOM sniff". Replaces `length`, the buffer's length, with the length of the byte order mark.
    fn mojika_c_encoding_for_bom(buffer: *const u8, length: *mut usize) -> EncodingOrNull {
        // SAFETY: encoding_rs.h requires a length, and that many bytes at `buffer`.
        let found = unsafe { args::slice(buffer, *length) }.and_then(Encoding::for_bom);
        // SAFETY: as above.
        unsafe { args::write(length, found.map_or(0, |(_, length)| length)) };
        found.map(|(encoding, _)| entry_of(encoding))
    }
    /// Writes the name to 14 bytes of memory and returns its length.
    fn mojika_c_encoding_name(encoding: EncodingOrNull, out: *mut u8) -> usize {
        let Some(encoding) = encoding else {
            return 0;
        };
        let name = encoding_of(encoding).name();
        // SAFETY: encoding_rs.h requires ENCODING_NAME_MAX_LENGTH bytes, the length of the longest name in the Standard.
        unsafe { core::ptr::copy_nonoverlapping(name.as_ptr(), out, name.len()) };
        name.len()
    }
    /// True if the output encoding is UTF-8.
    fn mojika_c_encoding_can_encode_everything(encoding: EncodingOrNull) -> bool {
        encoding.is_some_and(|encoding| encoding_of(encoding).can_encode_everything())
    }
    /// True if bytes below 0x80 are ASCII.
    fn mojika_c_encoding_is_ascii_compatible(encoding: EncodingOrNull) -> bool {
        encoding.is_some_and(|encoding| encoding_of(encoding).is_ascii_compatible())
    }
    /// True if each byte decodes to one character.
    fn mojika_c_encoding_is_single_byte(encoding: EncodingOrNull) -> bool {
        encoding.is_some_and(|encoding| encoding_of(encoding).is_single_byte())
    }
    /// The Standard's "get an output encoding".
    fn mojika_c_encoding_output_encoding(encoding: EncodingOrNull) -> EncodingOrNull {
        encoding.map(|encoding| entry_of(encoding_of(encoding).output_encoding()))
    }
    /// Returns the length of the prefix that is valid UTF-8.
    fn mojika_c_encoding_utf8_valid_up_to(buffer: *const u8, length: usize) -> usize {
        // SAFETY: encoding_rs.h requires `length` bytes at `buffer`.
        unsafe { args::slice(buffer, length) }.map_or(0, Encoding::utf8_valid_up_to)
    }
    /// Returns the length of the prefix that is ASCII.
    fn mojika_c_encoding_ascii_valid_up_to(buffer: *const u8, length: usize) -> usize {
        // SAFETY: encoding_rs.h requires `length` bytes at `buffer`.
        unsafe { args::slice(buffer, length) }.map_or(0, Encoding::ascii_valid_up_to)
    }
    /// Returns the length of the prefix that ISO-2022-JP decodes as ASCII.
    fn mojika_c_encoding_iso_2022_jp_ascii_valid_up_to(buffer: *const u8, length: usize) -> usize {
        // SAFETY: encoding_rs.h requires `length` bytes at `buffer`.
        unsafe { args::slice(buffer, length) }.map_or(0, Encoding::iso_2022_jp_ascii_valid_up_to)
    }
    /// Frees a decoder.
    fn mojika_c_decoder_free(decoder: Option<Box<Decoder>>) {
        drop(decoder);
    }
    /// Frees an encoder.
    fn mojika_c_encoder_free(encoder: Option<Box<Encoder>>) {
        drop(encoder);
    }
    /// Returns the encoding that the decoder decodes.
    fn mojika_c_decoder_encoding(decoder: Option<&Decoder>) -> EncodingOrNull {
        decoder.map(|decoder| entry_of(decoder.encoding()))
    }
    /// Returns the encoding that the encoder encodes to.
    fn mojika_c_encoder_encoding(encoder: Option<&Encoder>) -> EncodingOrNull {
        encoder.map(|encoder| entry_of(encoder.encoding()))
    }
    /// True if the stream must end with an escape sequence to ASCII (ISO-2022-JP).
    fn mojika_c_encoder_has_pending_state(encoder: Option<&Encoder>) -> bool {
        encoder.is_some_and(Encoder::has_pending_state)
    }
    /// Returns the length of the prefix in which each byte decodes to the code point of the same value. `SIZE_MAX` if the
    /// decoder's state permits no such prefix.
    fn mojika_c_decoder_latin1_byte_compatible_up_to(
        decoder: Option<&Decoder>,
        buffer: *const u8,
        length: usize
    ) -> usize {
        // SAFETY: encoding_rs.h requires `length` bytes at `buffer`.
        let bytes = unsafe { args::slice(buffer, length) };
        decoder
            .zip(bytes)
            .and_then(|(decoder, bytes)| decoder.latin1_byte_compatible_up_to(bytes))
            .unwrap_or(usize::MAX)
    }
}

/// Defines constructors on the heap and in the caller's memory.
macro_rules! constructors {
    ($($new:ident $into:ident $type:ty, $method:ident;)*) => {functions! {$(
        /// Returns a coder on the heap.
        fn $new(encoding: EncodingOrNull) -> Option<Box<$type>> {
            Some(Box::new(encoding_of(encoding?).$method()))
        }
        /// Replaces the coder at `place`.
        fn $into(encoding: EncodingOrNull, place: *mut $type) {
            if let Some(encoding) = encoding {
                // SAFETY: encoding_rs.h requires a pointer that the constructor on the heap has returned.
                unsafe { args::write(place, encoding_of(encoding).$method()) };
            }
        }
    )*}};
}

constructors! {
    mojika_c_encoding_new_decoder mojika_c_encoding_new_decoder_into Decoder, new_decoder;
    mojika_c_encoding_new_decoder_with_bom_removal mojika_c_encoding_new_decoder_with_bom_removal_into
        Decoder, new_decoder_with_bom_removal;
    mojika_c_encoding_new_decoder_without_bom_handling mojika_c_encoding_new_decoder_without_bom_handling_into
        Decoder, new_decoder_without_bom_handling;
    mojika_c_encoding_new_encoder mojika_c_encoding_new_encoder_into Encoder, new_encoder;
}

/// Defines functions that return a sufficient output length; `SIZE_MAX` if a `usize` cannot hold it.
macro_rules! lengths {
    ($($name:ident $type:ty, $method:ident;)*) => {functions! {$(
        /// Returns a sufficient output length.
        fn $name(coder: Option<&$type>, length: usize) -> usize {
            coder.and_then(|coder| coder.$method(length)).unwrap_or(usize::MAX)
        }
    )*}};
}

lengths! {
    mojika_c_decoder_max_utf8_buffer_length Decoder, max_utf8_buffer_length;
    mojika_c_decoder_max_utf8_buffer_length_without_replacement
        Decoder, max_utf8_buffer_length_without_replacement;
    mojika_c_decoder_max_utf16_buffer_length Decoder, max_utf16_buffer_length;
    mojika_c_encoder_max_buffer_length_from_utf8_if_no_unmappables
        Encoder, max_buffer_length_from_utf8_if_no_unmappables;
    mojika_c_encoder_max_buffer_length_from_utf8_without_replacement
        Encoder, max_buffer_length_from_utf8_without_replacement;
    mojika_c_encoder_max_buffer_length_from_utf16_if_no_unmappables
        Encoder, max_buffer_length_from_utf16_if_no_unmappables;
    mojika_c_encoder_max_buffer_length_from_utf16_without_replacement
        Encoder, max_buffer_length_from_utf16_without_replacement;
}

/// Runs a streaming call, writes its lengths and returns its status: "output full" if an argument is invalid.
///
/// `run` takes the coder, the input and the output. It returns the status and the numbers of units read and written.
///
/// # Safety
///
/// `src_length` and `dst_length` must point to the lengths of the memory at `src` and `dst`, which must meet the
/// conditions of [`args::slice`] and [`args::initialised_target`].
unsafe fn stream<C, S, T>(
    coder: Option<&mut C>,
    (src, src_length): (*const S, *mut usize),
    (dst, dst_length): (*mut T, *mut usize),
    run: impl FnOnce(&mut C, &[S], &mut [T]) -> (u32, usize, usize),
) -> u32 {
    // SAFETY: the caller guarantees the lengths and the memory of input and output.
    let (src, dst) = unsafe {
        (
            args::slice(src, *src_length),
            args::initialised_target(dst, *dst_length),
        )
    };
    let (Some(coder), Some(src), Some(dst)) = (coder, src, dst) else {
        return OUTPUT_FULL;
    };
    let (status, read, written) = run(coder, src, dst);
    // SAFETY: the caller guarantees that `src_length` and `dst_length` point to lengths.
    unsafe {
        args::write(src_length, read);
        args::write(dst_length, written);
    }
    status
}

/// Defines streaming calls with and without replacement. `text` converts the input to the type that the methods take.
macro_rules! streaming {
    ($($name:ident $name_without:ident $type:ty, $from:ty, $to:ty, $method:ident, $result:ident, $without:ident, $result_without:ident, $text:expr;)*) => {functions! {$(
        /// Converts the next part of a stream, with replacement.
        fn $name(
            coder: Option<&mut $type>,
            src: *const $from,
            src_length: *mut usize,
            dst: *mut $to,
            dst_length: *mut usize,
            last: bool,
            had_replacements: *mut bool
        ) -> u32 {
            // SAFETY: encoding_rs.h requires pointers to lengths, memory of these lengths at `src` and `dst` without
            // overlap, valid UTF-8 for UTF-8 encoders, and memory of a bool. No output is read before it is written.
            unsafe {
                stream(coder, (src, src_length), (dst, dst_length), |coder, src, dst| {
                    let (result, read, written, replaced) = coder.$method($text(src), dst, last);
                    args::write(had_replacements, replaced);
                    ($result(result), read, written)
                })
            }
        }
        /// Converts the next part of a stream, until malformed or unmappable text.
        fn $name_without(
            coder: Option<&mut $type>,
            src: *const $from,
            src_length: *mut usize,
            dst: *mut $to,
            dst_length: *mut usize,
            last: bool
        ) -> u32 {
            // SAFETY: the conditions are those of the function with replacement.
            unsafe {
                stream(coder, (src, src_length), (dst, dst_length), |coder, src, dst| {
                    let (result, read, written) = coder.$without($text(src), dst, last);
                    ($result_without(result), read, written)
                })
            }
        }
    )*}};
}

/// Returns the input unchanged. Unsafe, because `streaming` also takes `str::from_utf8_unchecked` in its place.
const unsafe fn same<T: ?Sized>(input: &T) -> &T {
    input
}

streaming! {
    mojika_c_decoder_decode_to_utf8 mojika_c_decoder_decode_to_utf8_without_replacement
        Decoder, u8, u8, decode_to_utf8, coder_result, decode_to_utf8_without_replacement, decoder_result, same;
    mojika_c_decoder_decode_to_utf16 mojika_c_decoder_decode_to_utf16_without_replacement
        Decoder, u8, u16, decode_to_utf16, coder_result, decode_to_utf16_without_replacement, decoder_result, same;
    mojika_c_encoder_encode_from_utf8 mojika_c_encoder_encode_from_utf8_without_replacement
        Encoder, u8, u8, encode_from_utf8, coder_result, encode_from_utf8_without_replacement, encoder_result,
        str::from_utf8_unchecked;
    mojika_c_encoder_encode_from_utf16 mojika_c_encoder_encode_from_utf16_without_replacement
        Encoder, u16, u8, encode_from_utf16, coder_result, encode_from_utf16_without_replacement, encoder_result, same;
}
