//! Documents for the detector: texts, mixtures, signs, damage, noise, any length.

use super::texts::texts as sentences;
use super::{encoded, encoding};
use mojika_spec::Random;

/// Text that the project's sample lacks: combining marks, half-width kana, characters of three and four bytes, box-drawing
/// characters, signs, non-breaking spaces.
const OTHERS: &[(&str, &str)] = &[
    ("windows-1255", "בְּיוֹם הַשִּׁשִּׁי נָסַעְנוּ לַכְּפָר, 20₪ לָאִישׁ"),
    ("windows-1256", "دَرَسَ الطَّالِبُ الدَّرْسَ، 5% فَقَط"),
    ("ISO-8859-6", "كَتَبَ الوَلَدُ رِسَالَةً"),
    ("Shift_JIS", "ﾒﾓﾘ ｶﾞ 足りません。ｻｲｽﾞ: 12 ﾊﾞｲﾄ"),
    ("EUC-JP", "ﾒﾓﾘ ﾌｿｸ ok 足りない"),
    ("gb18030", "價格 ㄱ 100 元 ☃ 한 字 ÿ"),
    ("EUC-KR", "똠방각하 펲시콜라 a뷁b 나라"),
    ("Big5", "價錢 a圓b 一百 x 元"),
    ("IBM866", "╔══════╗\r\n║ Цена ║ 5 ║\r\n╚══════╝ №7 °C √"),
    ("IBM866", "╓┐░▒▓█▄▌ ├──┼┤ a└┘b"),
    ("KOI8-R", "┌──┬──┐\n│да│ no│\n└──┴──┘ 20°C ©"),
    (
        "windows-1252",
        "£5 · 20 °C – “no” it’s 5 µm, 7½ € § 3 ©\u{A0}x 10%…",
    ),
    ("windows-1251", "«Да» № 5 – 20 °C, 5\u{A0}€ a‰b ’я’ и в с"),
    ("macintosh", "“It’s” – 5 µm £7 • ∞ Ω"),
    (
        "windows-1252",
        "1.\u{A0} one \u{A0} two \u{A0}\u{A0}\u{A0}\u{A0}\u{A0}x\n\u{A0}\nÄÄÄÄÄ ····· yes",
    ),
];

/// JIS X 0212 in EUC-JP, which the encoder cannot produce.
const JIS_X_0212: &[u8] = b"\xA4\xCF\x8F\xB0\xA1\xA4\xF2 ok \x8F\xB0\xA2\n\x8F\xB0\xA3\x8F\xB0\xA4";

/// Returns documents, each a different mixture.
pub fn documents(count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(29);
    let texts = texts();
    (0..count).map(move |_| {
        let mut document = Vec::new();
        let pieces = if random.below(2) == 0 {
            1
        } else {
            1 + random.below(8)
        };
        for _ in 0..pieces {
            piece(&texts, &mut random, &mut document);
        }
        match random.below(6) {
            // A document of any length, with few words or many.
            0 => {
                let ascii = vec![b'a'; random.below(400)];
                document = [document, ascii].concat().repeat(1 + random.below(40));
                piece(&texts, &mut random, &mut document);
            }
            1 => document.extend(document.repeat(random.below(100))),
            2 => {
                // The document is made mostly from one text, or from all texts.
                let texts = match random.below(2) {
                    0 => &texts[..],
                    _ => &texts[random.below(texts.len())..][..1],
                };
                for _ in 0..random.below(200) {
                    piece(texts, &mut random, &mut document);
                }
            }
            _ => {}
        }
        for _ in 0..random.below(8).saturating_sub(4) * document.len().min(600) / 200 {
            let at = random.below(document.len());
            document[at] = 0x20 | random.below(256) as u8;
        }
        // The document may start and end within a character.
        let begin = match document.iter().position(|&byte| byte >= 0x80) {
            Some(at) if random.below(3) == 0 => (at + random.below(2)).min(document.len()),
            _ => 0,
        };
        let end = document.len() - random.below(3).min(document.len() - begin);
        document[begin..end].to_vec()
    })
}

/// Returns the texts, and their upper-case forms that can be encoded.
fn texts() -> Vec<Vec<u8>> {
    let of_sample = sentences().map(|(name, _, text)| (name, text));
    let mut texts = vec![JIS_X_0212.to_vec()];
    for (name, text) in of_sample.chain(OTHERS.iter().copied()) {
        if name.starts_with("UTF") || name.starts_with("ISO-2022") {
            continue;
        }
        texts.push(encoded(name, text));
        if text.to_uppercase() != text
            && let Ok(bytes) = encoding(name).encode(&text.to_uppercase())
        {
            texts.push(bytes.into_owned());
        }
    }
    texts
}

fn piece(texts: &[Vec<u8>], random: &mut Random, document: &mut Vec<u8>) {
    let text = &texts[random.below(texts.len())];
    let start = random.below(text.len());
    let end = start + random.below(text.len() - start + 1);
    let high = |random: &mut Random| 0x80 | random.below(128) as u8;
    match random.below(9) {
        0 => document.extend(std::iter::repeat_n(
            b"<p> Lorem\n"[random.below(10)],
            random.below(40),
        )),
        1 => document.extend((0..random.below(30)).map(|_| high(random))),
        2 => document.extend(text.repeat(1 + random.below(6))),
        // One or two bytes, repeated between bytes of all other kinds.
        3 => {
            let sort = |random: &mut Random| b" 5a.<\xE9Z"[random.below(7)];
            let mut signs = vec![sort(random), high(random)];
            if random.below(2) == 0 {
                signs.push(high(random));
            }
            signs.push(sort(random));
            document.extend(signs.repeat(1 + random.below(3)));
        }
        4 => document.extend(b"Plain words in ASCII, then "),
        5 => document.extend_from_slice(text),
        _ => document.extend_from_slice(&text[start..end]),
    }
}
