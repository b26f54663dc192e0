//! UTF-16 and UTF-32 without a byte order mark: found in all scripts from eight characters on, and never in bytes that are
//! not text in them.

use super::{encoded, plain};
use mojika_sniff::detect::Content;

const NAMES: [&str; 6] = [
    "UTF-16BE",
    "UTF-16LE",
    "UTF-32BE",
    "UTF-32LE",
    "UTF-32-2143",
    "UTF-32-3412",
];

/// Original sentences, one in each script.
const SENTENCES: [&str; 24] = [
    "The river is wide and slow here.",
    "Größere Häuser stehen am Fluß.",
    "Příliš žluťoučký kůň pěl ódy.",
    "Река здесь широкая и медленная.",
    "Ο ποταμός είναι πλατύς εδώ.",
    "הנהר רחב ואיטי כאן היום.",
    "النهر هنا واسع وبطيء اليوم.",
    "رودخانه اینجا پهن و آرام است.",
    "नदी यहाँ चौड़ी और धीमी है।",
    "নদী এখানে চওড়া আর ধীর।",
    "ஆறு இங்கே அகலமாக உள்ளது.",
    "แม่น้ำที่นี่กว้างและไหลช้า",
    "ແມ່ນ້ຳຢູ່ນີ້ກວ້າງແລະໄຫຼຊ້າ",
    "ទន្លេនៅទីនេះធំទូលាយហើយហូរយឺត។",
    "မြစ်သည် ဤနေရာတွင် ကျယ်ပြန့်သည်။",
    "ወንዙ እዚህ ሰፊና ዝግ ያለ ነው።",
    "მდინარე აქ ფართო და ნელია.",
    "Գետը այստեղ լայն է և դանդաղ։",
    "かわはここではひろくてゆっくりです。",
    "カワハココデハヒロクテユックリデス。",
    "川はここでは広くてゆっくり流れる。",
    "这条河在这里又宽又慢，我们常来。",
    "這條河在這裡又寬又慢，我們常來。",
    "강은 여기에서 넓고 천천히 흐른다.",
];

fn first(bytes: &[u8]) -> Option<&'static str> {
    plain(bytes).first().map(|guess| guess.encoding.name())
}

#[test]
fn text_in_every_script_is_found_from_eight_characters_on() {
    for sentence in SENTENCES {
        for name in NAMES {
            for count in 8..=sentence.chars().count() {
                let text: String = sentence.chars().take(count).collect();
                // Without a space or a control character, the bytes are text in one of many legacy encodings.
                let has_control = encoded(name, &text)
                    .iter()
                    .any(|byte| matches!(byte, 0..=7 | 11 | 14..=26 | 28..=31));
                if has_control || count >= 16 {
                    let bytes = encoded(name, &text);
                    assert_eq!(first(&bytes), Some(name), "{text} {}", bytes.escape_ascii());
                }
            }
        }
    }
}

/// One ideograph in three or four consists of two printable ASCII bytes.
#[test]
fn long_text_in_ideographs_is_found() {
    for sentence in &SENTENCES[20..23] {
        for name in ["UTF-16BE", "UTF-16LE"] {
            let bytes = encoded(name, &sentence.repeat(12));
            assert_eq!(first(&bytes), Some(name), "{sentence}");
        }
    }
}

/// In the other byte order, U+2500 is a percent sign. Half of a drawing may consist of that sign.
#[test]
fn lines_that_are_drawn_do_not_turn_the_order() {
    let line = |sign: &str| sign.repeat(40) + "\n";
    let boxes = format!("┌{0}┐\n│ {1} │\n└{0}┘\n", "─".repeat(34), SENTENCES[0]);
    for text in [
        format!("Stock\n{}Apples 12\nPears 7\n", line("─")),
        format!("{0}Stock list\n{0}Apples 12, pears 7\n{0}", line("─")),
        format!("{0}Stock list\n{0}Apples 12, pears 7\n{0}", line("%")),
        format!("Schmidt {}", line("─")),
        format!("{0}Größe: 12 {0}", line("━")),
        format!("{0}Склад{0}", line("═")),
        boxes,
    ] {
        for name in NAMES {
            let bytes = encoded(name, &text);
            assert_eq!(first(&bytes), Some(name), "{text}");
        }
    }
}

/// Returns a sentence followed by code units, in big-endian UTF-16.
fn with_units(sentence: &str, units: &[u16]) -> Vec<u8> {
    let mut bytes = encoded("UTF-16BE", sentence);
    bytes.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
    bytes
}

#[test]
fn utf_16_has_no_unit_that_no_text_has() {
    let sentence = SENTENCES[0];
    assert_eq!(
        first(&with_units(sentence, &[0xD83D, 0xDE00, 0x20])),
        Some("UTF-16BE")
    );
    let alone = [
        0x00, 0x01, 0x0E, 0xFFFE, 0xFFFF, 0xFDD0, 0xD7FF, 0xDC00, 0xD83D,
    ];
    let pairs = alone.map(|unit| [unit, 0x20]).into_iter();
    for units in pairs.chain([[0xDE00, 0xD83D]]) {
        let bytes = with_units(sentence, &units);
        assert_eq!(plain(&bytes).content(), Content::Binary, "{units:04X?}");
    }
}

#[test]
fn one_damaged_unit_in_64_is_forgiven() {
    // A noncharacter, and half of a surrogate pair.
    for (from_end, unit) in [(false, 0xFFFF), (true, 0xFFFF), (true, 0xDC00)] {
        let text = |letters: usize, damaged: usize| {
            let mut units = vec![u16::from(b'e'); letters];
            let at = if from_end { letters - 5 } else { 5 };
            units[at..at + damaged].fill(unit);
            with_units("", &units)
        };
        assert_eq!(first(&text(64, 1)), Some("UTF-16BE"));
        assert_eq!(first(&text(63, 1)), None);
        assert_eq!(first(&text(128, 2)), Some("UTF-16BE"));
        assert_eq!(first(&text(127, 2)), None);
    }
}

#[test]
fn utf_32_has_no_unit_that_is_no_scalar_value() {
    let text = |name, unit: u32| {
        let mut bytes = encoded(name, SENTENCES[0]);
        let octets = unit.to_be_bytes();
        bytes.extend(if name == "UTF-32BE" {
            octets
        } else {
            unit.to_le_bytes()
        });
        bytes.extend(encoded(name, " and more"));
        first(&bytes)
    };
    for name in ["UTF-32BE", "UTF-32LE"] {
        for unit in [0x61, 0xE9, 0x4E00, 0x1_F600] {
            assert_eq!(text(name, unit), Some(name), "{unit:X}");
        }
        for unit in [
            0x11_0000,
            0x7FFF_FFFF,
            0xFFFF_FFFF,
            0xD800,
            0xDFFF,
            0xFFFF,
            0x1_FFFE,
        ] {
            assert_eq!(text(name, unit), None, "{unit:X}");
        }
    }
}

#[test]
fn numbers_and_private_use_are_no_text() {
    let numbers = |step: usize| -> Vec<u8> {
        (0..256)
            .flat_map(|number| ((number * step) as u16).to_le_bytes())
            .collect()
    };
    let offsets: Vec<u8> = (0..128_u32)
        .flat_map(|number| (number * 0x97).to_be_bytes())
        .collect();
    let private: Vec<u8> = (0..64_u16)
        .flat_map(|number| (0xE000 + number * 3).to_be_bytes())
        .collect();
    let samples: Vec<u8> = (0..256_i32)
        .flat_map(|at| ((at * at % 701 - 350) as i16).to_le_bytes())
        .collect();
    for bytes in [
        numbers(1),
        numbers(3),
        numbers(257),
        offsets,
        private,
        samples,
    ] {
        assert_eq!(first(&bytes), None, "{}", bytes[..32].escape_ascii());
    }
}

#[test]
fn ideographs_that_are_pairs_of_ascii_are_none() {
    // Format strings at even offsets.
    let formats = b",\0%s,\0%s,\0%s,\0%s,\0%s,\0eta\0%s-k\0";
    assert_eq!(first(formats), None);
    assert_eq!(first(&formats[1..]), None);
}

#[test]
fn text_padded_with_zero_units_is_found() {
    for name in NAMES {
        let mut bytes = encoded(name, SENTENCES[3]);
        bytes.resize(256, 0);
        assert_eq!(first(&bytes), Some(name));
    }
}

/// Words in each other script of Unicode that has its own code units.
#[test]
fn scripts_that_no_legacy_encoding_has_are_found() {
    let texts = [
        "ܢܗܪܐ ܗܘ ܪܘܝܚܐ ܘܢܝܚܐ ܗܪܟܐ",
        "މި ކޯރު ފުޅާ އަދި މަޑު",
        "ਨਦੀ ਇੱਥੇ ਚੌੜੀ ਅਤੇ ਹੌਲੀ ਹੈ।",
        "નદી અહીં પહોળી અને ધીમી છે.",
        "ନଦୀ ଏଠାରେ ଚଉଡ଼ା ଓ ଧୀର।",
        "నది ఇక్కడ వెడల్పుగా ఉంది.",
        "ನದಿ ಇಲ್ಲಿ ಅಗಲವಾಗಿದೆ.",
        "നദി ഇവിടെ വീതിയുള്ളതാണ്.",
        "ගඟ මෙහි පළල් හා මන්දගාමී වේ.",
        "ແມ່ນ້ຳຢູ່ທີ່ນີ້ກວ້າງແລະຊ້າ",
        "မြစ်သည် ဤနေရာတွင် ကျယ်သည်။",
        "ወንዙ እዚህ ሰፊ እና ቀርፋፋ ነው።",
        "ᎤᎵᎮᎵᏍᏗ ᏂᎦᏓ ᎠᏂᏴᏫ ᎾᏍᎩ ᎠᏎᏊᎢ",
        "ᑰᒃ ᓯᓕᒃᑐᖅ ᐊᒻᒪ ᓱᒃᑲᐃᑦᑐᖅ ᐅᕙᓂ",
        "ទន្លេនៅទីនេះធំទូលាយ ហើយយឺត",
        "ᠭᠣᠣᠯ ᠡᠨᠳᠡ ᠥᠷᠭᠡᠨ ᠪᠠ ᠤᠳᠠᠭᠠᠨ",
        "ㄓㄜˋ ㄊㄧㄠˊ ㄏㄜˊ ㄏㄣˇ ㄎㄨㄢ",
    ];
    for text in texts {
        for name in ["UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"] {
            assert_eq!(first(&encoded(name, text)), Some(name), "{text}");
        }
    }
}

/// The units of a bullet and an ellipsis consist of two ASCII bytes, too. One character in eight may be such a sign.
#[test]
fn signs_that_are_pairs_of_ascii_may_be_in_ascii() {
    let list = "• apples and pears\r\n• bread and butter\r\n• a bottle of milk\r\n• and so on…\r\n";
    for more in 0..8 {
        let list = list.to_owned() + &"x".repeat(more);
        for name in ["UTF-16BE", "UTF-16LE"] {
            assert_eq!(first(&encoded(name, &list)), Some(name), "{list}");
        }
    }
}
