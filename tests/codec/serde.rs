//! A serialized value is deserialized to the same value. With a changed one, no query panics.

#![cfg(feature = "serde")]

use crate::common::{Random, everything, in_turns};
use mojika::offsets::{
    DenseOffsetMap, DenseOffsetMapBuilder, OffsetMap, OffsetMapBuilder, OffsetMapOptions, Offsets,
    TextUnit,
};
use mojika::{BomHandling, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Serializes and deserializes a value in two formats: JSON, which is self-describing, and postcard, which is not.
fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> [T; 2] {
    let json = serde_json::to_vec(value).expect("JSON");
    let postcard = postcard::to_allocvec(value).expect("postcard");
    [
        serde_json::from_slice(&json).expect("JSON of a map"),
        postcard::from_bytes(&postcard).expect("postcard of a map"),
    ]
}

#[test]
fn encodings_go_by_their_exact_names() {
    for encoding in everything() {
        let json = serde_json::to_string(encoding).expect("JSON");
        assert_eq!(json, format!("\"{}\"", encoding.name()));
        let found: &Encoding = serde_json::from_str(&json).expect("a name");
        assert!(std::ptr::eq(found, encoding), "{encoding}");
        let postcard = postcard::to_allocvec(encoding).expect("postcard");
        let found: &Encoding = postcard::from_bytes(&postcard).expect("a name");
        assert!(std::ptr::eq(found, encoding), "{encoding}");
    }
    for wrong in [
        "\"shift_jis\"",
        "\"sjis\"",
        "\" Shift_JIS\"",
        "\"\"",
        "7",
        "null",
    ] {
        let error = serde_json::from_str::<&Encoding>(wrong).expect_err(wrong);
        assert!(
            error.to_string().contains("the name of an encoding"),
            "{error}"
        );
    }
}

#[test]
fn bom_handling_goes_by_its_name() {
    for (handling, name) in [
        (BomHandling::Sniff, "\"sniff\""),
        (BomHandling::Remove, "\"remove\""),
        (BomHandling::Keep, "\"keep\""),
    ] {
        assert_eq!(serde_json::to_string(&handling).expect("JSON"), name);
        let found: BomHandling = serde_json::from_str(name).expect("a name");
        assert_eq!(found, handling);
    }
    assert!(serde_json::from_str::<BomHandling>("\"Sniff\"").is_err());
}

/// Returns the results of all queries about single offsets.
fn answers(offsets: Offsets<'_>) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let most = offsets.text_length().max(offsets.source_length()) + 2;
    (0..=most)
        .map(|at| {
            let segments = (offsets.segment_at_text(at), offsets.segment_at_source(at));
            (segments, offsets.source_offset(at), offsets.text_offset(at))
        })
        .collect()
}

#[test]
fn maps_of_odd_input_answer_as_before() {
    let mut random = Random::new(301);
    for (turn, encoding) in everything().enumerate() {
        let handlings = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep];
        for bom in in_turns(handlings, 3, turn) {
            let mut bytes = random.odd_bytes(150);
            if random.below(2) == 0 {
                bytes.splice(..0, *b"\xEF\xBB\xBF");
            }
            let utf16 = random.below(2) == 0;
            let options = OffsetMapOptions::default().bom(bom).interval(64);
            let options = options.utf16(utf16).utf8(!utf16 || random.below(2) == 0);
            let mut builder = OffsetMapBuilder::with_options(encoding, options);
            let mut dense_builder = DenseOffsetMapBuilder::new(encoding, bom);
            let cut = random.below(bytes.len());
            for (chunk, last) in [(&bytes[..cut], false), (&bytes[cut..], true)] {
                builder.decode_append(chunk, &mut String::new(), last);
                dense_builder.decode_append(chunk, &mut String::new(), last);
                let (map, dense) = (builder.map(), dense_builder.map());
                let (found, found_dense) = (there_and_back(map), there_and_back(dense));
                for unit in [TextUnit::Utf8, TextUnit::Utf16] {
                    let expected = map.offsets(&bytes, unit).map(answers);
                    for found in &found {
                        assert_eq!(found.encoding(), map.encoding());
                        let found = found.offsets(&bytes, unit).map(answers);
                        assert_eq!(found, expected, "{encoding} {bom:?}");
                    }
                    let expected = answers(dense.offsets(unit));
                    for found in &found_dense {
                        assert_eq!(found.encoding(), dense.encoding());
                        assert_eq!(answers(found.offsets(unit)), expected, "{encoding} {bom:?}");
                    }
                }
            }
        }
    }
}

/// The longest byte order mark, that of UTF-32, has four bytes.
#[test]
fn maps_of_text_with_a_byte_order_mark_answer_as_before() {
    for (name, source, length) in [
        ("UTF-8", &b"\xEF\xBB\xBFa\xC3\xA9"[..], 3),
        ("UTF-16LE", b"\xFF\xFEa\0\xE9\0", 2),
        ("UTF-32LE", b"\xFF\xFE\0\0a\0\0\0\xE9\0\0\0", 4),
        ("UTF-32BE", b"\0\0\xFE\xFF\0\0\0a\0\0\0\xE9", 4),
    ] {
        let encoding = mojika::extended::find(name).expect(name);
        let (_, map) = DenseOffsetMap::decode(encoding, source);
        for found in there_and_back(&map) {
            let offsets = found.offsets(TextUnit::Utf8);
            assert_eq!(offsets.source_range(0..1).unwrap().start, length, "{name}");
            let expected = answers(map.offsets(TextUnit::Utf8));
            assert_eq!(answers(offsets), expected, "{name}");
        }
    }
}

fn dense_map(encoding: &'static Encoding, source: &[u8]) -> Value {
    serde_json::to_value(DenseOffsetMap::decode(encoding, source).1).expect("JSON")
}

fn map(encoding: &'static Encoding, source: &[u8]) -> Value {
    let options = OffsetMapOptions::default().interval(64).utf16(true);
    let mut builder = OffsetMapBuilder::with_options(encoding, options);
    builder.decode_append(source, &mut String::new(), true);
    serde_json::to_value(builder.map()).expect("JSON")
}

/// Returns a serialized map in which one value is replaced.
fn with(mut map: Value, pointer: &str, value: Value) -> Value {
    *map.pointer_mut(pointer).expect(pointer) = value;
    map
}

#[test]
fn dense_maps_that_contradict_themselves_are_refused() {
    let good = dense_map(SHIFT_JIS, b"ab\x95\xB6");
    assert_eq!(
        good["runs"],
        json!([(5 + 1) << 3 | 2, (2 * 5 + 3) << 3 | 1])
    );
    serde_json::from_value::<DenseOffsetMap>(good.clone()).expect("a map");
    let huge = [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
    for (field, value, message) in [
        ("/encoding", json!("sjis"), "the name of an encoding"),
        ("/bom_length", json!(5), "byte order mark"),
        ("/bom_length", json!(1), "longer than the source"),
        ("/source_length", json!(3), "longer than the source"),
        ("/source_length", json!(-1), "invalid value"),
        ("/runs", json!([0x30]), "incomplete"),
        ("/runs", json!([0x30, 0x80]), "incomplete"),
        ("/runs", json!([0x30, 0]), "no such run"),
        // Impossible runs: a character without source bytes, source bytes without a character, five source bytes.
        ("/runs", json!([1 << 3 | 1]), "no such run"),
        ("/runs", json!([(2 * 5) << 3 | 1]), "no such run"),
        ("/runs", json!([(5 * 5 + 1) << 3 | 1]), "no such run"),
        // Four source bytes for a character, which Shift_JIS does not have.
        ("/runs", json!([(2 * 5 + 4) << 3 | 1]), "no such run"),
        ("/runs", json!(huge), "longer than the source"),
        (
            "/runs",
            json!([0x30, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
            "incomplete",
        ),
    ] {
        let map = with(good.clone(), field, value);
        let error = serde_json::from_value::<DenseOffsetMap>(map.clone()).expect_err("an error");
        assert!(error.to_string().contains(message), "{error}: {map}");
    }
    // The sums overflow.
    let map = with(good.clone(), "/source_length", json!(u64::MAX));
    let runs = [huge; 3].concat();
    let map = with(map, "/runs", json!(runs));
    serde_json::from_value::<DenseOffsetMap>(map).expect_err("an overflow");
}

#[test]
fn maps_that_contradict_themselves_are_refused() {
    let source = "naïve 文字化 ".repeat(20);
    let utf_8 = map(UTF_8, source.as_bytes());
    let iso_2022_jp = map(
        ISO_2022_JP,
        &ISO_2022_JP.encode_html(&source).unwrap().bytes,
    );
    assert!(utf_8["sources"].as_array().unwrap().len() > 3);
    let modes = iso_2022_jp["modes"].as_array().unwrap();
    assert!(modes.contains(&json!("lead-byte")));
    let length = utf_8["source_length"].as_u64().unwrap();
    let crafted = [
        (&utf_8, "/asked", json!("Shift_JIS"), None),
        (
            &utf_8,
            "/encoding",
            json!("Shift_JIS"),
            Some("byte order mark"),
        ),
        (&utf_8, "/sources/0", json!(1), Some("ascend")),
        (&utf_8, "/sources/2", json!(1), Some("ascend")),
        (&utf_8, "/sources/1", json!(15), Some("ascend")),
        (&utf_8, "/source_length", json!(200), Some("ascend")),
        (&utf_8, "/sources", json!([]), Some("ascend")),
        (&utf_8, "/utf8", json!([]), Some("offsets in the text")),
        (&utf_8, "/utf8", json!([0]), Some("offsets in the text")),
        (&utf_8, "/utf8/0", json!(1), Some("offsets in the text")),
        (&utf_8, "/utf8/1", json!(u64::MAX), Some("cannot yield")),
        (&utf_8, "/utf16/1", json!(200), Some("cannot yield")),
        (
            &utf_8,
            "/utf16_length",
            json!(length + 1),
            Some("cannot yield"),
        ),
        (&utf_8, "/utf8_length", json!(0), Some("cannot yield")),
        (&utf_8, "/modes", json!(["ascii"]), Some("mode")),
        (&iso_2022_jp, "/modes", json!([]), Some("mode")),
        (
            &iso_2022_jp,
            "/modes/0",
            json!("kanji"),
            Some("unknown variant"),
        ),
        (
            &iso_2022_jp,
            "/encoding",
            json!("replacement"),
            Some("byte order mark"),
        ),
    ];
    for (good, field, value, message) in crafted {
        let map = with(good.clone(), field, value);
        let found = serde_json::from_value::<OffsetMap>(map.clone());
        match (found, message) {
            (Ok(_), None) => {}
            (Err(error), Some(message)) => {
                assert!(error.to_string().contains(message), "{error}: {map}");
            }
            (found, _) => panic!("{found:?}: {map}"),
        }
    }
}

/// Makes all queries at some offsets. No query may panic, and the returned range must contain the offset.
fn ask(offsets: Offsets<'_>, random: &mut Random, case: &Value) {
    let lengths = [offsets.text_length(), offsets.source_length()];
    let mut places = vec![0, 1, 2, 63, 64, 65, u64::MAX];
    for length in lengths {
        places.extend([length.saturating_sub(1), length, length.saturating_add(1)]);
        places.extend([0; 8].map(|_| random.next() % length.max(1)));
    }
    for &at in &places {
        if let Some(segment) = offsets.segment_at_text(at) {
            assert!(segment.text.contains(&at), "{at}: {case}");
            assert!(segment.text.end <= lengths[0], "{at}: {case}");
            assert!(segment.source.end <= lengths[1], "{at}: {case}");
        }
        if let Some(segment) = offsets.segment_at_source(at) {
            let bytes = segment.lead_in.start..segment.source.end;
            assert!(bytes.contains(&at), "{at}: {case}");
        }
        let _ = (offsets.source_offset(at), offsets.text_offset(at));
        let other = *random.pick(&places);
        let range = at.min(other)..at.max(other);
        let _ = (
            offsets.source_range(range.clone()),
            offsets.text_range(range),
        );
    }
}

/// Changes a random value.
fn damage(value: &mut Value, random: &mut Random) {
    let numbers = [
        0,
        1,
        2,
        5,
        63,
        64,
        127,
        128,
        255,
        1 << 32,
        u64::MAX / 3,
        u64::MAX,
    ];
    match value {
        Value::Object(fields) => {
            let place = random.below(fields.len());
            damage(fields.values_mut().nth(place).expect("a field"), random);
        }
        Value::Array(items) if !items.is_empty() => {
            let place = random.below(items.len());
            match random.below(6) {
                0 => drop(items.remove(place)),
                1 => items.insert(place, items[place].clone()),
                2 => items.truncate(place),
                _ => damage(&mut items[place], random),
            }
        }
        Value::Number(number) => {
            let old = number.as_u64().expect("no sign");
            *value = json!(match random.below(3) {
                0 => *random.pick(&numbers),
                1 => old.wrapping_add(*random.pick(&numbers)),
                _ => random.next() % 256,
            });
        }
        Value::String(name) => {
            let others = [
                "UTF-8",
                "Shift_JIS",
                "ISO-2022-JP",
                "replacement",
                "ascii",
                "keep",
            ];
            *name = (*random.pick(&others)).into();
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::Null | Value::Array(_) => {}
    }
}

#[test]
fn damaged_maps_are_refused_or_answer_without_a_panic() {
    let mut random = Random::new(302);
    let (mut refused, mut read) = (0, 0);
    for encoding in [
        SHIFT_JIS,
        UTF_8,
        UTF_16LE,
        ISO_2022_JP,
        WINDOWS_1252,
        mojika::BIG5,
    ] {
        let source = random.odd_bytes(600);
        let (map, dense) = (map(encoding, &source), dense_map(encoding, &source));
        for _ in 0..1500 {
            let (mut map, mut dense) = (map.clone(), dense.clone());
            for _ in 0..1 + random.below(3) {
                damage(&mut map, &mut random);
                damage(&mut dense, &mut random);
            }
            let found = serde_json::from_value::<OffsetMap>(map.clone());
            let found_dense = serde_json::from_value::<DenseOffsetMap>(dense.clone());
            for unit in [TextUnit::Utf8, TextUnit::Utf16] {
                if let Ok(found) = &found
                    && let Some(offsets) = found.offsets(&source, unit)
                {
                    ask(offsets, &mut random, &map);
                }
                if let Ok(found) = &found_dense {
                    ask(found.offsets(unit), &mut random, &dense);
                }
            }
            for is_ok in [found.is_ok(), found_dense.is_ok()] {
                read += u32::from(is_ok);
                refused += u32::from(!is_ok);
            }
        }
    }
    assert!(
        read > 700 && refused > 700,
        "{read} read, {refused} refused"
    );
}
