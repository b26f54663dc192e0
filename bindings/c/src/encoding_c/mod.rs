//! encoding_c: the functions and the variables that C++ programs have for encoding_rs, over its API and contract in
//! `bindings/encoding_rs`.
//!
//! Functions have a prefix in the archive, and their own names in `libmojika_encoding_c.so` alone; variables have theirs
//! everywhere, as a second name from the linker would have no size. Encodings are those of `mojika.h`.

mod mem;

use crate::args;
use crate::statics::{CEncoding, Found, statics};
use encoding_rs::{CoderResult, Decoder, DecoderResult, Encoder, EncoderResult, Encoding};

/// "Input empty" and "output full" as a status.
const INPUT_EMPTY: u32 = 0;
const OUTPUT_FULL: u32 = 0xFFFF_FFFF;

statics! {
    "encoding_rs_statics.h":
    UTF_8_ENCODING "UTF-8";
    IBM866_ENCODING "IBM866";
    ISO_8859_2_ENCODING "ISO-8859-2";
    ISO_8859_3_ENCODING "ISO-8859-3";
    ISO_8859_4_ENCODING "ISO-8859-4";
    ISO_8859_5_ENCODING "ISO-8859-5";
    ISO_8859_6_ENCODING "ISO-8859-6";
    ISO_8859_7_ENCODING "ISO-8859-7";
    ISO_8859_8_ENCODING "ISO-8859-8";
    ISO_8859_8_I_ENCODING "ISO-8859-8-I";
    ISO_8859_10_ENCODING "ISO-8859-10";
    ISO_8859_13_ENCODING "ISO-8859-13";
    ISO_8859_14_ENCODING "ISO-8859-14";
    ISO_8859_15_ENCODING "ISO-8859-15";
    ISO_8859_16_ENCODING "ISO-8859-16";
    KOI8_R_ENCODING "KOI8-R";
    KOI8_U_ENCODING "KOI8-U";
    MACINTOSH_ENCODING "macintosh";
    WINDOWS_874_ENCODING "windows-874";
    WINDOWS_1250_ENCODING "windows-1250";
    WINDOWS_1251_ENCODING "windows-1251";
    WINDOWS_1252_ENCODING "windows-1252";
    WINDOWS_1253_ENCODING "windows-1253";
    WINDOWS_1254_ENCODING "windows-1254";
    WINDOWS_1255_ENCODING "windows-1255";
    WINDOWS_1256_ENCODING "windows-1256";
    WINDOWS_1257_ENCODING "windows-1257";
    WINDOWS_1258_ENCODING "windows-1258";
    X_MAC_CYRILLIC_ENCODING "x-mac-cyrillic";
    GBK_ENCODING "GBK";
    GB18030_ENCODING "gb18030";
    BIG5_ENCODING "Big5";
    EUC_JP_ENCODING "EUC-JP";
    ISO_2022_JP_ENCODING "ISO-2022-JP";
    SHIFT_JIS_ENCODING "Shift_JIS";
    EUC_KR_ENCODING "EUC-KR";
    REPLACEMENT_ENCODING "replacement";
    UTF_16BE_ENCODING "UTF-16BE";
    UTF_16LE_ENCODING "UTF-16LE";
    X_USER_DEFINED_ENCODING "x-user-defined";
}

/// encoding_rs' encoding for one of the Standard's.
fn encoding_of(encoding: &'static CEncoding) -> &'static Encoding {
    Encoding::for_label(encoding.get().name().as_bytes()).unwrap_or(encoding_rs::UTF_8)
}

/// The entry for encoding_rs' encoding.
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

/// Defines exported C functions. Their names have the prefix of the static archive, `mojika_c_`.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $result)? $body
    )*};
}
use functions;

functions! {
    /// "Get an encoding".
    fn mojika_c_encoding_for_label(label: *const u8, length: usize) -> Found {
        // SAFETY: encoding_rs.h asks for `length` bytes at `label`.
        let label = unsafe { args::slice(label, length) }?;
        Encoding::for_label(label).map(entry_of)
    }
    /// "Get an encoding"; null instead of replacement.
    fn mojika_c_encoding_for_label_no_replacement(label: *const u8, length: usize) -> Found {
        // SAFETY: encoding_rs.h asks for `length` bytes at `label`.
        let label = unsafe { args::slice(label, length) }?;
        Encoding::for_label_no_replacement(label).map(entry_of)
    }
    /// "BOM sniff"; `length`, initially the length of the buffer, becomes the length of the mark.
    fn mojika_c_encoding_for_bom(buffer: *const u8, length: *mut usize) -> Found {
        // SAFETY: encoding_rs.h asks for a length, and for that many bytes at `buffer`.
        let found = unsafe { args::slice(buffer, *length) }.and_then(Encoding::for_bom);
        // SAFETY: as above.
        unsafe { args::write(length, found.map_or(0, |(_, length)| length)) };
        found.map(|(encoding, _)| entry_of(encoding))
    }
    /// The name, to memory for 14 bytes; returns its length.
    fn mojika_c_encoding_name(encoding: Found, out: *mut u8) -> usize {
        let Some(encoding) = encoding else {
            return 0;
        };
        let name = encoding_of(encoding).name();
        // SAFETY: encoding_rs.h asks for ENCODING_NAME_MAX_LENGTH bytes, the length of the longest name in the Standard.
        unsafe { core::ptr::copy_nonoverlapping(name.as_ptr(), out, name.len()) };
        name.len()
    }
    /// True if the output encoding is UTF-8.
    fn mojika_c_encoding_can_encode_everything(encoding: Found) -> bool {
        encoding.is_some_and(|encoding| encoding_of(encoding).can_encode_everything())
    }
    /// True if bytes below 0x80 are ASCII.
    fn mojika_c_encoding_is_ascii_compatible(encoding: Found) -> bool {
        encoding.is_some_and(|encoding| encoding_of(encoding).is_ascii_compatible())
    }
    /// True if each byte is a character.
    fn mojika_c_encoding_is_single_byte(encoding: Found) -> bool {
        encoding.is_some_and(|encoding| encoding_of(encoding).is_single_byte())
    }
    /// "Get an output encoding".
    fn mojika_c_encoding_output_encoding(encoding: Found) -> Found {
        encoding.map(|encoding| entry_of(encoding_of(encoding).output_encoding()))
    }
    /// Length of the prefix that is valid UTF-8.
    fn mojika_c_encoding_utf8_valid_up_to(buffer: *const u8, length: usize) -> usize {
        // SAFETY: encoding_rs.h asks for `length` bytes at `buffer`.
        unsafe { args::slice(buffer, length) }.map_or(0, Encoding::utf8_valid_up_to)
    }
    /// Length of the prefix that is ASCII.
    fn mojika_c_encoding_ascii_valid_up_to(buffer: *const u8, length: usize) -> usize {
        // SAFETY: encoding_rs.h asks for `length` bytes at `buffer`.
        unsafe { args::slice(buffer, length) }.map_or(0, Encoding::ascii_valid_up_to)
    }
    /// Length of the prefix that ISO-2022-JP reads as ASCII.
    fn mojika_c_encoding_iso_2022_jp_ascii_valid_up_to(buffer: *const u8, length: usize) -> usize {
        // SAFETY: encoding_rs.h asks for `length` bytes at `buffer`.
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
    /// The encoding being decoded.
    fn mojika_c_decoder_encoding(decoder: Option<&Decoder>) -> Found {
        decoder.map(|decoder| entry_of(decoder.encoding()))
    }
    /// The encoding that is encoded to.
    fn mojika_c_encoder_encoding(encoder: Option<&Encoder>) -> Found {
        encoder.map(|encoder| entry_of(encoder.encoding()))
    }
    /// True if the stream cannot end without an escape sequence to ASCII (ISO-2022-JP).
    fn mojika_c_encoder_has_pending_state(encoder: Option<&Encoder>) -> bool {
        encoder.is_some_and(Encoder::has_pending_state)
    }
    /// Length of the prefix in which each byte decodes to the code point of the same value; `SIZE_MAX` if the state of the
    /// decoder has no such bytes.
    fn mojika_c_decoder_latin1_byte_compatible_up_to(
        decoder: Option<&Decoder>,
        buffer: *const u8,
        length: usize
    ) -> usize {
        // SAFETY: encoding_rs.h asks for `length` bytes at `buffer`.
        let bytes = unsafe { args::slice(buffer, length) };
        decoder
            .zip(bytes)
            .and_then(|(decoder, bytes)| decoder.latin1_byte_compatible_up_to(bytes))
            .unwrap_or(usize::MAX)
    }
}

/// Defines constructors, on the heap and into memory of the caller.
macro_rules! constructors {
    ($($new:ident $into:ident $type:ty, $method:ident;)*) => {functions! {$(
        /// A coder on the heap.
        fn $new(encoding: Found) -> Option<Box<$type>> {
            Some(Box::new(encoding_of(encoding?).$method()))
        }
        /// A coder in place of another.
        fn $into(encoding: Found, place: *mut $type) {
            if let Some(encoding) = encoding {
                // SAFETY: encoding_rs.h asks for a pointer that the other constructor has returned.
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

/// Defines lengths that suffice; `SIZE_MAX` if no `usize` holds the number.
macro_rules! lengths {
    ($($name:ident $type:ty, $method:ident;)*) => {functions! {$(
        /// A length of output that suffices.
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

/// Runs a streaming call, writes its lengths and returns its status; "output full" if an argument is invalid.
///
/// `run` takes the coder, the input and the output, and returns the status, and the units read and written.
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
    // SAFETY: the caller guarantees this of both.
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
    // SAFETY: the caller guarantees that these point to lengths.
    unsafe {
        args::write(src_length, read);
        args::write(dst_length, written);
    }
    status
}

/// Defines streaming calls, with and without replacement. `text` converts the input to the parameter of the methods.
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
            // SAFETY: encoding_rs.h asks for lengths, for memory of these lengths at `src` and `dst`, which does not overlap,
            // for valid UTF-8 where text is UTF-8, and for memory of a bool. The output is written before it is read, if at
            // all.
            unsafe {
                stream(coder, (src, src_length), (dst, dst_length), |coder, src, dst| {
                    let (result, read, written, replaced) = coder.$method($text(src), dst, last);
                    args::write(had_replacements, replaced);
                    ($result(result), read, written)
                })
            }
        }
        /// Converts the next part of a stream, up to malformed or unmappable text.
        fn $name_without(
            coder: Option<&mut $type>,
            src: *const $from,
            src_length: *mut usize,
            dst: *mut $to,
            dst_length: *mut usize,
            last: bool
        ) -> u32 {
            // SAFETY: as for the function before.
            unsafe {
                stream(coder, (src, src_length), (dst, dst_length), |coder, src, dst| {
                    let (result, read, written) = coder.$without($text(src), dst, last);
                    ($result_without(result), read, written)
                })
            }
        }
    )*}};
}

/// The input itself; unsafe as `str::from_utf8_unchecked`, which takes its place for UTF-8.
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
