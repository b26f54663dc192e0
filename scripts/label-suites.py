#!/usr/bin/env python3
"""Writes manifests of labelled files that others made, for `mojika-proof detect --files`.

usage: scripts/label-suites.py INTO FORM:NAME=FOLDER...

Writes INTO/NAME.tsv: lines of label, language (may be empty) and path. FORM says where the labels are:

  folder    in the name of the folder: tests/iso-8859-2-hungarian/x.txt (chardet's tests, char-dataset, UTF-unknown)
  file      in the name of the file, the folder being the language: test/hu/iso-8859-2.txt (uchardet's test)
  declared  in the file: catalogues, editors' lines, XML, HTML, affix files of dictionaries with their lists (vim, httpd)
  udhr      after the language in the name: Hungarian_Magyar-Latin2 (the corpora udhr and udhr2 of NLTK, unpacked)

Files that Python cannot decode by their label are left out and listed. Labels become those of the Encoding Standard, or
the name that mojika or Python has. What of several files has the same content is taken once.
"""
import codecs, collections, glob, hashlib, os, re, sys

# What a label names, and Python's codec, for those that Python knows by another name or reads too narrowly.
WIDER = {
    "iso8859-1": ("windows-1252", "latin1"), "latin-1": ("windows-1252", "latin1"), "cp1252": ("windows-1252", "latin1"),
    "iso8859-9": ("windows-1254", "iso8859_9"), "gb2312": ("GBK", "gb18030"), "gbk": ("GBK", "gb18030"),
    "euc_kr": ("EUC-KR", "cp949"), "cp949": ("EUC-KR", "cp949"), "shift_jis": ("Shift_JIS", "cp932"),
    "cp932": ("Shift_JIS", "cp932"), "big5": ("Big5", "big5hkscs"), "cp950": ("Big5", "cp950"), "big5hkscs": ("Big5", "big5hkscs"),
    "euc_jp": ("EUC-JP", "euc_jp"), "tis-620": ("windows-874", "cp874"), "iso8859-11": ("windows-874", "cp874"),
    "mac-cyrillic": ("x-mac-cyrillic", "mac_cyrillic"), "mac-roman": ("macintosh", "mac_roman"),
    "mac-latin2": ("x-mac-ce", "mac_latin2"), "utf-8-sig": ("UTF-8", "utf-8"), "utf-8": ("UTF-8", "utf-8"),
    "iso2022_jp": ("ISO-2022-JP", "iso2022_jp"), "iso2022_kr": ("ISO-2022-KR", "iso2022_kr"), "hz": ("HZ-GB-2312", "hz"),
    "koi8-r": ("KOI8-R", "koi8_r"), "koi8-u": ("KOI8-U", "koi8_u"), "gb18030": ("gb18030", "gb18030"),
    "utf-16-le": ("UTF-16LE", "utf-16-le"), "utf-16-be": ("UTF-16BE", "utf-16-be"),
    "utf-32-le": ("UTF-32LE", "utf-32-le"), "utf-32-be": ("UTF-32BE", "utf-32-be"),
}
# Labels of the suites that Python does not know.
UNKNOWN = {"uhc": "cp949", "cp1252 (latin1)": "latin1", "mac-centraleurope": "mac_latin2", "x-mac-ce": "mac_latin2",
           "x-mac-cyrillic": "mac_cyrillic", "ujis": "euc_jp", "windows-1252 (latin1)": "latin1", "macroman": "mac_roman"}
LANGUAGES = {"bulgarian": "bg", "croatian": "hr", "czech": "cs", "greek": "el", "hebrew": "he", "hungarian": "hu", "polish": "pl",
             "romanian": "ro", "russian": "ru", "slovak": "sk", "slovene": "sl", "turkish": "tr", "arabic": "ar"}
MARKS = [(codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
         (codecs.BOM_UTF16_BE, "utf-16-be")]
DECLARATIONS = [
    rb"Content-Type: text/[a-z]+; charset=([\w.-]+)", rb"<\?xml[^>]*encoding=[\"']([\w.-]+)", rb"<meta[^>]*charset=[\"']?([\w.-]+)",
    rb"(?m)^scriptencoding\s+([\w.-]+)", rb"(?:fileencoding|fenc)=([\w-]+)", rb"-\*-.*coding: *([\w.-]+)",
]
AFFIX = rb"(?m)^SET\s+([\w.-]+)"
# By NLTK's corpus and by eye: what a name of udhr says, and the files of which it says what is not so.
UDHR = {"Latin1": "latin1", "Latin2": "iso8859-2", "UTF8": "utf-8", "Cyrillic": "cp1251", "Hebrew": "iso8859-8",
        "Arabic": "cp1256", "Greek": "iso8859-7", "Turkish": "iso8859-9", "Baltic": "iso8859-4", "SJIS": "cp932",
        "EUC": "euc_jp", "JIS": "iso2022_jp", "GB2312": "gb2312", "HZ": "hz"}
UDHR_FILES = {"Hungarian_Magyar-Latin1": "iso8859-2", "Mongolian_Khalkha-Cyrillic": "iso8859-5"}
# In encodings of their fonts.
UDHR_FONTS = ("Abkhaz-Cyrillic+Abkh", "Kazakh-Cyrillic", "Latvian-Latin1")


def named(label):
    """The label's name and Python's codec; None for a codec that Python lacks."""
    label = UNKNOWN.get(label.lower(), label)
    try:
        codec = codecs.lookup(label).name
    except LookupError:
        return label, None
    if codec in WIDER:
        return WIDER[codec]
    name = re.sub(r"^cp(?=\d)", "IBM", re.sub(r"^cp(?=125\d$|874$)", "windows-", codec))
    return re.sub("^iso8859-", "ISO-8859-", name).replace("ascii", "ASCII"), codec


def is_utf_8(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def of_folder(path, root):
    folder = os.path.basename(os.path.dirname(path))
    label, _, language = folder.rpartition("-")
    if language in LANGUAGES:
        return label, LANGUAGES[language]
    return (None, "") if folder in ("None", os.path.basename(root)) else (folder, "")


def of_file(path, root):
    stem = re.sub(r"\.(txt|smi|html|xml)$", "", os.path.basename(path))
    if os.path.samefile(os.path.dirname(path), root):
        return None, ""
    label = re.sub(r"\.(le|be)$", r"\1", re.sub(r"\.(logical|visual)$", "", stem))
    return label, os.path.basename(os.path.dirname(path))


def of_declaration(path, root):
    data = open(path, "rb").read()
    if b"\0" in data:
        return None, ""
    if path.endswith(".dic") and os.path.exists(path[:-4] + ".aff"):
        return of_declaration(path[:-4] + ".aff", root)
    ends = (data[:4096], data[-512:])
    found = [found for one in DECLARATIONS for end in ends if (found := re.search(one, end, re.I))]
    if path.endswith(".aff"):
        found = [found] if (found := re.search(AFFIX, data)) else []
    label = re.sub("^microsoft-", "", found[0][1].decode().lower()) if found else None
    # What declares Latin-1, and is UTF-8, was converted.
    if label and named(label)[0] == "windows-1252" and is_utf_8(data):
        label = "utf-8"
    return (label if label and named(label)[1] else None), ""


def of_udhr(path, root):
    name = os.path.basename(path)
    label = "utf-8" if name.endswith(".txt") else UDHR_FILES.get(name) or UDHR.get(name.rpartition("-")[2])
    if name in UDHR_FONTS:
        return None, ""
    # The letters of 1250, where those of ISO-8859-2 are controls.
    if label == "iso8859-2" and re.search(rb"[\x80-\x9f]", open(path, "rb").read()):
        label = "cp1250"
    return label, ""


FORMS = {"folder": of_folder, "file": of_file, "declared": of_declaration, "udhr": of_udhr}


def main():
    into, suites = sys.argv[1], sys.argv[2:]
    os.makedirs(into, exist_ok=True)
    for suite in suites:
        form, name, root = re.fullmatch(r"(\w+):([^=]+)=(.*)", suite).groups()
        seen, counts = set(), collections.Counter()
        with open(f"{into}/{name}.tsv", "w", encoding="utf-8") as manifest:
            for path in sorted(glob.glob(glob.escape(root) + "/**/*", recursive=True)):
                if os.path.islink(path) or not os.path.isfile(path) or not (data := open(path, "rb").read()):
                    continue
                label, language = FORMS[form](path, root)
                if label and re.sub("[^a-z0-9]", "", label.lower()) in ("utf16", "utf32"):
                    label = next((codec for mark, codec in MARKS if data.startswith(mark)), None)
                if not label:
                    counts["without a label"] += 1
                    continue
                label, codec = named(label)
                if codec:
                    try:
                        data.decode(codec)
                    except UnicodeDecodeError as error:
                        # A character that is cut off at the end is none that is malformed.
                        if error.start < len(data) - 4:
                            print(f"{path}: {error}", file=sys.stderr)
                            counts["not as labelled"] += 1
                            continue
                is_plain = data.isascii() and codec and "abc".encode(codec) == b"abc" and not re.search(rb"\x1b|~\{", data)
                digest = hashlib.sha256(data).digest()
                if (label, digest) not in seen:
                    seen.add((label, digest))
                    counts["files"] += 1
                    manifest.write(f"{'ASCII' if is_plain else label}\t{language}\t{os.path.abspath(path)}\n")
        print(name, dict(counts))


main()
