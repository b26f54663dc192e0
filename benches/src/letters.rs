//! The frequencies of letters in each language, in occurrences per 10,000 letters.
//!
//! Counted in one encyclopedia article per language (on the planet Mars, tags removed, case folded). Czech is estimated:
//! its letters are in the usual order of frequency, with counts by Zipf's law.

use crate::rng::Rng;

/// Languages written in an alphabet, and their letters: each followed by its count.
const LETTERS: [(&str, &str); 9] = [
    (
        "en",
        "e1178 a934 r807 t789 s751 i729 o722 n663 l405 m375 h369 c367 d307 u253 p251 f205 g177 b176 y156 v128 w106 \
         k64 j35 x29 z12 q10",
    ),
    (
        "de",
        "e1616 n947 r803 i744 s698 a647 t573 d481 h370 l368 o355 m353 u349 c261 g257 b204 f164 k160 w125 p124 v97 \
         z86 ä65 ü43 j30 y26 ö23 ß15 x14 q3",
    ),
    (
        "fr",
        "e1418 s841 a796 r706 n690 i686 t685 l575 o537 u511 d463 m351 c302 p301 é267 v111 g103 h103 f102 q100 b86 \
         è60 y46 à42 x41 k17 j17 ê12 z8 ô4 û4 w3 î3 ç2 ù2 ï2 â1",
    ),
    (
        "cs",
        "o1170 e877 a702 n585 t501 s439 i390 l351 v319 k292 r270 d251 p234 í219 m206 u195 á185 z175 j167 y159 ě153 \
         c146 b140 é135 h130 ř125 ý121 ž117 č113 š110 ů106 f103 g100 ú97 ň95 x92 ť90 ó88 ď86 w84 q82",
    ),
    (
        "ru",
        "о1038 а897 е821 и753 н704 с621 т595 р549 в429 л414 м412 п307 к295 д293 я216 ы201 у181 з167 г162 б123 ь120 \
         ч115 х113 й111 ж74 ю66 ш51 ф47 щ32 ц31 э30 ё26 ъ4",
    ),
    (
        "el",
        "α904 τ842 ο818 ε732 ι666 ν541 ρ514 σ455 η426 π421 κ340 υ338 ς323 μ315 λ277 ό266 ά238 ί233 δ157 γ154 έ153 \
         ή150 ύ129 φ121 χ117 ω95 θ72 ξ59 ώ53 β52 ζ22 ψ14 ϊ2",
    ),
    (
        "ar",
        "ا1411 ل1100 ي812 م679 و621 ر585 ت442 ن433 ب394 س319 ة311 ك300 ع254 د251 ف242 أ198 ه196 ق178 ح170 خ137 \
         ج136 ط110 ض94 ى92 ص86 ش68 ث65 إ62 غ52 ذ48 ء46 ئ38 ز38 ظ16 آ12 ؤ3",
    ),
    (
        "vi",
        "n1178 h905 t725 c530 i528 g492 a448 o320 đ273 m270 r263 u242 à239 s225 v192 l173 b167 á138 k138 y125 ư116 \
         p108 ê91 e86 ỏ81 ấ78 ó75 ớ73 ộ73 ạ71 d69 ủ65 ă61 ả57 ế56 ữ53 q52 ệ52 ề51 ặ51 ể51 í50 ợ49 ố46 ầ46 ự45 ờ44 \
         ã39 ở38 ô37 x34 ị33 ơ32 ì31 ằ28 ậ27 ừ26 â26 ử25 ồ24 ụ24 ọ23 ứ23 ổ18 ú18 ù18 ũ17 ắ14 ò14 ỹ13 ẽ10 ỉ9 ỳ8 ẫ7 \
         ỷ7 w7 f5 ĩ5 ễ5 ẩ5 ý4 é4 z3 ẳ2 j2 ẹ2 ẻ2 è2 õ2 ỗ2 ỡ1",
    ),
    (
        "th",
        "า792 น569 อ491 ร489 ง444 ่437 ก423 ว378 เ362 ม335 ด319 ้297 ี294 ั292 ล289 ย269 ิ207 ส206 ค206 ท205 บ189 \
         ต181 ห169 ะ153 ป149 แ147 ข136 จ130 ์114 ื104 พ103 ไ100 ใ98 โ92 ู84 ็81 ุ80 ำ68 ึ62 ช62 ศ61 ซ57 ผ45 ถ39 \
         ณ37 ภ34 ฟ17 ธ17 ษ16 ญ14 ๆ12 ฏ10 ฤ9 ฐ7 ฉ7 ฮ6 ฝ4 ฎ2 ฒ1 ๊1",
    ),
];

/// Returns the letters of a language, each as often as in 10,000 letters of text; `None` if its alphabet is not listed.
pub fn by_frequency(tag: &str) -> Option<Vec<char>> {
    let (_, counts) = LETTERS.iter().find(|(language, _)| *language == tag)?;
    let mut letters = Vec::new();
    for entry in counts.split(' ') {
        let mut rest = entry.chars();
        let letter = rest.next()?;
        let count = rest.as_str().parse().ok()?;
        letters.extend(std::iter::repeat_n(letter, count));
    }
    Some(letters)
}

/// Returns a Latin word as it occurs in other scripts: a name, a unit, an abbreviation.
pub fn latin_word(rng: &mut Rng) -> &'static str {
    const WORDS: [&str; 9] = [
        "NASA", "Viking", "km", "Orbiter", "Web", "GPS", "Express", "pH", "Nature",
    ];
    WORDS[rng.below(WORDS.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_to_ten_thousand() {
        for (tag, _) in LETTERS {
            let count = by_frequency(tag).unwrap().len();
            assert!((9_900..=10_100).contains(&count), "{tag}: {count}");
        }
        assert_eq!(by_frequency("ja"), None);
    }
}
