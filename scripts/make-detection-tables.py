#!/usr/bin/env python3
"""Makes tables, logs, INI files, SQL and lists of names in 36 encodings, with a manifest for `mojika-proof detect --files`.

usage: scripts/make-detection-tables.py TEXTS INTO SEED

TEXTS is a set of scripts/fetch-training-texts.py, such as target/texts/held-out. The words of each language are drawn from it. A
document has 1 to 300 rows. INTO/list.tsv names the encoding, the language and the kind of each.
"""
import glob, os, random, re, sys

# Python's codecs of each language.
ENCODINGS = {
    "cs": "cp1250 iso8859-2", "pl": "cp1250 iso8859-2", "hu": "cp1250 iso8859-2", "sk": "cp1250", "sl": "cp1250", "hr": "cp1250",
    "ro": "cp1250", "ru": "cp1251 koi8-r iso8859-5 cp866", "uk": "cp1251 koi8-u", "bg": "cp1251", "sr": "cp1251", "be": "cp1251",
    "de": "cp1252 mac-roman", "fr": "cp1252 iso8859-15", "es": "cp1252", "pt": "cp1252", "sv": "cp1252", "da": "cp1252",
    "fi": "cp1252", "it": "cp1252", "is": "cp1252", "nl": "cp1252", "ca": "cp1252", "el": "cp1253 iso8859-7", "tr": "cp1254",
    "he": "cp1255", "ar": "cp1256", "fa": "cp1256", "lt": "cp1257", "lv": "cp1257", "et": "cp1257", "th": "cp874",
    "ja": "cp932 euc_jp", "ko": "cp949", "zh_CN": "gbk", "zh_TW": "cp950",
}
LABELS = {"cp932": "shift_jis", "euc_jp": "euc-jp", "cp949": "euc-kr", "cp950": "big5", "mac-roman": "macintosh", "cp866": "ibm866",
          "cp874": "windows-874"}
WITHOUT_SPACES = ("ja", "zh_CN", "zh_TW")
CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")
ROWS = (1, 2, 3, 10, 30, 100, 300)


def words(folder, language, random):
    """The words of a language with something beyond ASCII, and the others."""
    found = set()
    for path in sorted(glob.glob(f"{folder}/*/{language}.txt")):
        text = open(path, encoding="utf-8").read()[:400_000].translate(CEDILLAS)
        if language in WITHOUT_SPACES:
            for run in re.findall(r"[\u3041-\u30ff\u4e00-\u9fff]{2,12}", text):
                found.update(run[at:at + random.choice((2, 2, 3, 4))] for at in range(0, len(run) - 1, 3))
        else:
            found.update(re.findall(r"[^\W\d_]{3,16}", text))
    return sorted(one for one in found if not one.isascii()), sorted(one for one in found if one.isascii())


def document(kind, rows, word, random):
    """The text of a document of a kind."""
    name = lambda: " ".join(one[:1].upper() + one[1:] for one in (word() for _ in range(random.choice((1, 1, 2)))))
    number, few = random.randint, [word() for _ in range(random.choice((2, 3)))]
    row = {
        "csv": lambda at: f"{at},{name()},{number(1, 99999)},{word()}",
        "tsv": lambda at: f"{at}\t{name()}\t{random.random() * 100:.2f}",
        "fixed": lambda at: f"{name():<20}{number(1, 999):>6}   {number(1950, 2024)}-{number(1, 12):02}",
        "log": lambda at: f"2024-{number(1, 12):02}-{number(1, 28):02} INFO server: user={number(1, 999)} city={name()} status=200",
        "ini": lambda at: f"[item{at}]\nname={name()}\nenabled={number(0, 1)}",
        "sql": lambda at: f"INSERT INTO people (id, name, city) VALUES ({at}, '{name()}', '{word()}');",
        "names": lambda at: name(),
        "few words": lambda at: f"{at};{random.choice(few)};{number(0, 9)}",
        "source": lambda at: f'    {{ "{name()}", 0x{number(0, 65535):04x} }}, /* {word()} */',
    }[kind]
    return "\n".join(row(at) for at in range(1, rows + 1)) + "\n"


KINDS = ("csv", "tsv", "fixed", "log", "ini", "sql", "names", "few words", "source")


def main():
    folder, into, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(into, exist_ok=True)
    chance, lines = random.Random(seed), []
    for language, codecs in ENCODINGS.items():
        own, ascii_words = words(folder, language, chance)
        if len(own) < 200:
            continue
        word = lambda: chance.choice(own if not ascii_words or chance.random() < 0.6 else ascii_words)
        for codec in codecs.split():
            for kind in KINDS:
                for rows in ROWS:
                    text = document(kind, rows, word, chance)
                    if chance.random() < 0.5:
                        text = text.replace("\n", "\r\n")
                    data = "".join(one for one in text if one.isascii() or one.encode(codec, "ignore")).encode(codec)
                    if data.isascii() or chance.random() < 0.3:
                        continue
                    label = LABELS.get(codec, codec.replace("cp125", "windows-125").replace("iso8859", "iso-8859"))
                    open(f"{into}/{len(lines)}", "wb").write(data)
                    lines.append(f"{label}\t{language}\t{len(lines)}\t{kind}\n")
    open(f"{into}/list.tsv", "w").writelines(lines)
    print(len(lines), "documents")


main()
