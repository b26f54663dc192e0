//! Trait implementations of the public types.

#![cfg(feature = "std")]

use mojika::extended::rfc2781;
use mojika::offsets::{
    DenseOffsetMap, DenseOffsetMapBuilder, OffsetMap, OffsetMapBuilder, OffsetMapOptions, Offsets,
};
use mojika::simd::{self, Level};
use mojika::{
    DecodeError, Decoded, Decoder, EncodeError, Encoded, Encoder, Encoding, NoEncoder,
    UnknownCodePage, UnknownLabel, io, web,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Debug;

#[test]
fn types_can_be_shared_sent_and_printed() {
    fn check<T: Debug + Send + Sync>() {}
    fn check_clone<T: Clone + Debug + Send + Sync>() {}
    check::<Encoding>();
    check_clone::<&'static Encoding>();
    check_clone::<Decoder>();
    check_clone::<Encoder>();
    check_clone::<(Decoded<Cow<'_, str>>, Encoded<Cow<'_, [u8]>>)>();
    check_clone::<UnknownCodePage>();
    check_clone::<(DecodeError, EncodeError, NoEncoder, UnknownLabel)>();
    check_clone::<(rfc2781::CharsetDecoder, rfc2781::CharsetEncoder)>();
    check_clone::<(OffsetMap, OffsetMapBuilder, OffsetMapOptions, Offsets<'_>)>();
    check_clone::<(DenseOffsetMap, DenseOffsetMapBuilder)>();
    check_clone::<(
        web::TextDecoder,
        web::TextDecoderStream,
        web::TextEncoderStream,
    )>();
    check::<(io::DecodeReader<&[u8]>, io::EncodeWriter<Vec<u8>>)>();
}

/// Programs create a decoder or encoder for each short text, so its size is a part of the cost.
#[test]
#[cfg(target_pointer_width = "64")]
fn coders_have_the_size_that_the_docs_state() {
    let (decoder, encoder) = (size_of::<Decoder>(), size_of::<Encoder>());
    let stated = format!("A `Decoder` is {decoder} bytes, an `Encoder` {encoder},");
    assert!(
        include_str!("../../docs/SPEED.md").contains(&stated),
        "{stated}"
    );
    assert!(decoder <= 80 && encoder <= 80, "{stated}");
}

#[test]
fn debug_tells_name_and_position_and_no_tables() {
    let mut decoder = mojika::SHIFT_JIS.new_decoder();
    decoder.decode(b"abc", &mut [0_u8; 8], false);
    assert_eq!(
        format!("{decoder:?}"),
        "Decoder { encoding: Encoding(Shift_JIS), position: 3, .. }"
    );
    let mut encoder = mojika::KOI8_R.new_encoder().unwrap();
    encoder.encode("ab", &mut [0; 8], false);
    assert_eq!(
        format!("{encoder:?}"),
        "Encoder { encoding: Encoding(KOI8-R), position: 2, .. }"
    );
    let (_, map) = DenseOffsetMap::decode(mojika::GBK, b"a\xCE\xC4");
    assert!(format!("{map:?}").starts_with("DenseOffsetMap { encoding: Encoding(GBK), "));
}

#[test]
fn encodings_are_parsed_from_labels_and_displayed_by_name() {
    for &encoding in Encoding::all() {
        for label in encoding.labels() {
            assert_eq!(label.parse(), Ok(encoding));
            assert_eq!(label.try_into(), Ok(encoding));
        }
        assert_eq!(encoding.to_string(), encoding.name());
    }
    let error = "latin-1".parse::<&Encoding>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"latin-1\" is not a label of the Encoding Standard"
    );
    let distinct: HashSet<&Encoding> = Encoding::all().iter().copied().collect();
    assert_eq!(distinct.len(), 40);
}

#[test]
fn levels_go_from_portable_to_what_the_processor_has_and_parse_by_name() {
    let levels: Vec<Level> = simd::available().collect();
    assert_eq!(levels.first(), Some(&Level::Portable));
    assert_eq!(levels.last(), Some(&simd::detected()));
    for name in ["", "avx", "AVX-2", "sse4.1"] {
        assert!(name.parse::<Level>().is_err(), "{name}");
    }
    for level in levels {
        assert_eq!(level.name().to_uppercase().parse(), Ok(level));
    }
    assert!(simd::level() <= simd::detected());
}
