//! Lists of letters: keyboard maps, classes of characters, cases of a `switch`.

use super::common::Random;
use super::{encoded, encoding, plain};
use mojika::WINDOWS_1252;

/// Letters that a list may have, in the order of their alphabet.
const ALPHABETS: &[(&str, &str)] = &[
    ("windows-1252", "àâçèéêëîïôùûü"),
    ("windows-1252", "äöüßÄÖÜ"),
    ("windows-1252", "áéíóúñü¿¡"),
    (
        "windows-1252",
        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    ),
    ("windows-1252", "ÀÖØÞßöøÿ"),
    ("windows-1250", "áčďéěíňóřšťúůýž"),
    ("ISO-8859-2", "čšžćđČŠŽĆĐ"),
    ("windows-1254", "çğıöşüÇĞİÖŞÜ"),
    ("windows-1257", "ąčęėįšųūž"),
    ("windows-1251", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    ("KOI8-R", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    ("ISO-8859-5", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    ("IBM866", "абвгдежзийклмнопрстуфхцчшщъыьэюя"),
    ("ISO-8859-7", "αβγδεζηθικλμνξοπρστυφχψω"),
    ("windows-1255", "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    ("windows-1256", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    ("macintosh", "àâçèéêëîïôùûü"),
    ("windows-1252", "£§½°©®±×÷«»"),
];

/// How programs and tables cite a letter; `@` stands for it, and `#` for a number.
const FORMS: [&str; 12] = [
    "case '@': return #;\n",
    "$@, ",
    "'@', ",
    "\"@\" => #,\n",
    "[@-@]",
    "'@'..'@' |\n",
    "@\t#\n",
    "{ 0x#, '@' },\n",
    " @",
    " | @ | # |\n",
    "XK_# = @\n",
    "(@)",
];

/// How programs cite letters in a row; `@` stands for them.
const ROWS: [&str; 10] = [
    "$letters = '@';\n",
    "[a-zA-Z@]+\n",
    "Umlauts: @ in a sentence\n",
    "@\n",
    "Name1@,Name2@,Street@\n",
    "tr/@/abcdefgh/;\n",
    "if (name.match(/^[0-9@ ]*$/)) return true;\n",
    "<td>@</td><td>@</td>\n",
    "key_@=value\n",
    "#define SPECIAL \"@\"\n",
];

/// Letters in rows with the names of their encodings.
fn rows(count: usize) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    let mut random = Random::new(34);
    // Signs in a row are no letters.
    let alphabets = &ALPHABETS[..ALPHABETS.len() - 1];
    (0..count).map(move |at| {
        let (name, letters) = alphabets[at % alphabets.len()];
        let letters = some(&mut random, letters);
        let row: String = letters.iter().collect();
        let mut text = String::new();
        if random.below(3) == 0 {
            text += "/* Removes what is no letter from a name. */\n";
        }
        for _ in 0..1 + random.below(2) {
            text += &ROWS[random.below(ROWS.len())].replace('@', &row);
        }
        (name, encoded(name, &text))
    })
}

/// Three or more of these letters, in their order or another one.
fn some(random: &mut Random, letters: &str) -> Vec<char> {
    let mut letters: Vec<char> = letters.chars().collect();
    if random.below(3) > 0 {
        for at in 1..letters.len() {
            letters.swap(at, random.below(at + 1));
        }
    }
    letters.truncate(3 + random.below(18));
    letters
}

/// A list of some of these letters.
fn list(random: &mut Random, letters: &str) -> String {
    let letters = some(random, letters);
    let mut list = ["", "/* Letters */\n", "word\n"][random.below(3)].to_owned();
    let form = FORMS[random.below(FORMS.len())];
    let mut next = letters.iter().cycle();
    for _ in 0..letters.len() {
        for part in form.chars() {
            match part {
                '@' => list.extend(next.next()),
                '#' => list += &random.below(1000).to_string(),
                part => list.push(part),
            }
        }
    }
    list
}

/// Lists with the names of their encodings.
fn lists(count: usize) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    let mut random = Random::new(32);
    (0..count).map(move |at| {
        let (name, letters) = ALPHABETS[at % ALPHABETS.len()];
        (name, encoded(name, &list(&mut random, letters)))
    })
}

/// Returns lists of letters. Some are followed by a second list, contain a word, or are cut off at any byte.
pub fn documents(count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(33);
    let mut before = Vec::new();
    lists(count / 2)
        .chain(rows(count / 2))
        .map(move |(name, mut list)| {
            match random.below(4) {
                0 => list.extend(&before),
                1 if name != "macintosh" => {
                    let (_, letters) = ALPHABETS[random.below(ALPHABETS.len())];
                    let word: String = letters.chars().take(1 + random.below(6)).collect();
                    let at = random.below(list.len());
                    let word = encoding(name).encode(&word);
                    list.splice(at..at, word.into_iter().flat_map(|word| word.into_owned()));
                }
                2 => list.truncate(1 + random.below(list.len())),
                _ => {}
            }
            before.clone_from(&list);
            list
        })
}

#[test]
fn lists_of_western_letters_are_in_windows_1252() {
    let (mut right, mut all) = (0, 0);
    for (_, list) in lists(1800).filter(|list| list.0 == "windows-1252") {
        all += 1;
        right += u32::from(plain(&list)[0].encoding == WINDOWS_1252);
    }
    assert_eq!(all, 600);
    assert!(right >= 580, "{right}");
}

/// The encodings of the documents that are right, and the documents that are wrong with 0.9 and more.
pub fn judged(
    documents: impl Iterator<Item = (&'static str, Vec<u8>)>,
) -> (Vec<&'static str>, Vec<String>) {
    let (mut right, mut sure) = (Vec::new(), Vec::new());
    for (name, document) in documents {
        let ranking = plain(&document);
        let first = &ranking[0];
        if first.encoding.decode(&document).text == encoding(name).decode(&document).text {
            right.push(name);
        } else if first.probability >= 0.9 {
            sure.push(format!("{name}: {} {ranking:?}", document.escape_ascii()));
        }
    }
    (right, sure)
}

#[test]
fn lists_in_the_wrong_encoding_are_doubted() {
    let (right, sure) = judged(lists(1800));
    assert!(right.len() >= 900, "{}", right.len());
    assert!(sure.len() <= 2, "{} {}", sure.len(), sure.join("\n"));
}

#[test]
fn rows_of_letters_are_read_by_their_alphabets() {
    let (right, sure) = judged(rows(1700));
    let western = right.iter().filter(|&&name| name == "windows-1252").count();
    assert!(right.len() >= 700, "{}", right.len());
    assert!(western >= 300, "{western}");
    assert!(sure.len() <= 34, "{} {}", sure.len(), sure.join("\n"));
}

/// Signs that texts have remain what they are, and programs that name letters in windows-1252 keep these.
#[test]
fn signs_and_ranges_of_letters_are_read() {
    for (text, least) in [
        ("Temperature 20 °C ± 1 °C, § 5, price £ 20 ½, © 1999", 0.9),
        ("5 × 3 ÷ 2 ± 1 ¼ · 100 µ", 0.5),
        (
            "is_upper(C) when C >= $À, C =< $Þ, C =/= $× -> true;\n",
            0.3,
        ),
        (
            "if (c >= 'À' && c <= 'Þ' && c != '×') return c + 32;\n",
            0.3,
        ),
        (
            "lower($À) -> $à;\nlower($Á) -> $á;\nlower($Â) -> $â;\n",
            0.3,
        ),
        ("[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]*\n", 0.1),
        ("case 'á': case 'é': case 'í': case 'ó': case 'ú':\n", 0.4),
        (
            "'À'..'Ö' | 'Ø'..'Þ' => upper,\n'ß'..'ö' | 'ø'..'ÿ' => lower,\n",
            0.3,
        ),
    ] {
        let ranking = plain(&encoded("windows-1252", text));
        let first = &ranking[0];
        assert_eq!(first.encoding, WINDOWS_1252, "{text}: {ranking:?}");
        assert!(first.probability >= least, "{text}: {ranking:?}");
    }
}
