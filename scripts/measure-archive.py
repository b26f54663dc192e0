#!/usr/bin/env python3
"""Converts an archive of files whose text is known, and counts what is right, doubtful, and wrong without a word.

usage: scripts/measure-archive.py [-h] [--texts FOLDER] [--files N] [--seed N] [--mojika PROGRAM] [--keep FOLDER] [--plain]
                                   [--manifest FOLDER]

The archive has N files (4000), made of the texts in FOLDER, which has a file LANGUAGE.txt of UTF-8 for each language, at any
depth; by default those of scripts/fetch-training-texts.py in target/texts/held-out, or else samples/utf-8. Its kinds:

plain     lines of text, from one to some hundreds          page, xml, css   that declare their encoding, or nothing
lie       pages and XML that declare another encoding       mail             with a header that says its charset
log       ASCII with a line of text somewhere               gettext, cookie  catalogues, and scripts with a coding line
dos       lines that end with CR LF, in a page of DOS       wide             UTF-16 and UTF-32, with a mark and without
mixed     lines in UTF-8, and then lines in another encoding

It is converted by `mojika convert --from auto --extended --update-declared --mail --mixed`; --plain leaves all but --from out, and
with it mail and what is mixed. A file is exact if its text is what it was made of, what it declares made true; doubtful if the
command left it and said so; failed or skipped if the command said that; warned if it was converted to another text, and the
summary names it, as its bytes look like another encoding than it declares, or as it has U+FFFD; and silent if it was converted to
another text without a word. The exit status is 1 if more than 2 in 1,000 of those that declare nothing wrong are silent, or more
than 5 in 100 of them doubtful.

--manifest writes only documents of the kinds whose bytes alone tell the encoding, and FOLDER/list.tsv for
`mojika-proof detect --files`.
"""

import argparse
import collections
import json
import pathlib
import quopri
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Python's codec and the command's name for it, by language: what such text is found in.
LATIN = [("cp1252", "windows-1252"), ("utf-8", "utf-8"), ("iso8859-15", "iso-8859-15"), ("mac-roman", "macintosh")]
CENTRAL = [("cp1250", "windows-1250"), ("iso8859-2", "iso-8859-2"), ("utf-8", "utf-8")]
CYRILLIC = [("cp1251", "windows-1251"), ("koi8-r", "koi8-r"), ("iso8859-5", "iso-8859-5"), ("utf-8", "utf-8")]
FOUND = {
    "de": LATIN, "fr": LATIN, "es": LATIN, "it": LATIN, "pt": LATIN, "sv": LATIN, "da": LATIN, "nl": LATIN, "fi": LATIN,
    "cs": CENTRAL, "pl": CENTRAL, "hu": CENTRAL, "sk": CENTRAL, "sl": CENTRAL, "hr": CENTRAL,
    "ru": CYRILLIC, "bg": CYRILLIC, "sr": [("cp1251", "windows-1251"), ("iso8859-5", "iso-8859-5"), ("utf-8", "utf-8")],
    "uk": [("cp1251", "windows-1251"), ("koi8-u", "koi8-u"), ("utf-8", "utf-8")],
    "el": [("cp1253", "windows-1253"), ("iso8859-7", "iso-8859-7"), ("utf-8", "utf-8")],
    "he": [("cp1255", "windows-1255"), ("iso8859-8", "iso-8859-8"), ("utf-8", "utf-8")],
    "ar": [("cp1256", "windows-1256"), ("iso8859-6", "iso-8859-6"), ("utf-8", "utf-8")],
    "tr": [("cp1254", "windows-1254"), ("utf-8", "utf-8")], "vi": [("cp1258", "windows-1258"), ("utf-8", "utf-8")],
    "lt": [("cp1257", "windows-1257"), ("utf-8", "utf-8")], "lv": [("cp1257", "windows-1257"), ("utf-8", "utf-8")],
    "et": [("cp1257", "windows-1257"), ("utf-8", "utf-8")], "th": [("cp874", "windows-874"), ("utf-8", "utf-8")],
    "ja": [("cp932", "shift_jis"), ("euc_jp", "euc-jp"), ("iso2022_jp", "iso-2022-jp"), ("utf-8", "utf-8")],
    "ko": [("cp949", "euc-kr"), ("utf-8", "utf-8")],
    "zh_CN": [("gbk", "gbk"), ("gb18030", "gb18030"), ("utf-8", "utf-8")],
    "zh_TW": [("cp950", "big5"), ("utf-8", "utf-8")],
}
DOS = {
    "de": ["cp437", "cp850"], "fr": ["cp437", "cp850"], "es": ["cp850"], "it": ["cp850"], "pt": ["cp860", "cp850"], "sv": ["cp437"],
    "da": ["cp865"], "nl": ["cp850"], "fi": ["cp437"], "cs": ["cp852"], "pl": ["cp852"], "hu": ["cp852"], "sk": ["cp852"],
    "sl": ["cp852"], "hr": ["cp852"], "ru": ["cp866"], "bg": ["cp855"], "el": ["cp737", "cp869"],
    "he": ["cp862"], "tr": ["cp857"], "lt": ["cp775"], "lv": ["cp775"], "et": ["cp775"],
}
ALIASES = {"zh-hans": "zh_CN", "zh-hant": "zh_TW", "zh_cn": "zh_CN", "zh_tw": "zh_TW", "pt_BR": "pt"}
LIES = ["utf-8", "windows-1252", "iso-8859-1", "shift_jis", "windows-1251", "euc-kr"]
# Characters whose bytes the Standard reads as others than Python does.
READ_OTHERWISE = {
    **dict.fromkeys(["cp932", "euc_jp", "iso2022_jp"], re.compile("[¢£¥¬‖‾−〜]")),
    "cp950": re.compile("[¢£¥•‾∼ёЁ\u0410-\u044f①-⑩⑴-⑽\u2160-\u2179\u3041-\u30fe╞╪╡◢◣◥◤╱╲╳╭╮╰╯▔▕▓☉♁々､]"),
}
# How often each kind comes.
KINDS = {"plain": 30, "page": 14, "lie": 8, "xml": 6, "css": 3, "mail": 7, "log": 8, "gettext": 4, "cookie": 4, "dos": 10, "wide": 4, "ascii": 2, "mixed": 3}
# Kinds of one encoding that bytes alone tell.
OF_BYTES = ["plain", "page", "xml", "css", "log", "gettext", "cookie", "dos"]
# Where a kind declares its encoding, and how UTF-8 is spelled there.
META = re.compile(r"(<meta [^>]*charset=)([\w-]+)"), "utf-8"
DECLARED = {
    "page": META, "lie": META, "xml": (re.compile(r'(encoding=")([\w-]+)'), "utf-8"),
    "css": (re.compile(r'^(@charset ")([\w-]+)'), "utf-8"), "mail": (re.compile(r"(charset=)([\w-]+)"), "utf-8"),
    "gettext": (re.compile(r"(charset=)([\w-]+)"), "UTF-8"), "cookie": (re.compile(r"(coding: )([\w-]+)"), "utf-8"),
}


class Texts:
    """Lines of each language."""

    def __init__(self, folder, chance):
        self.chance = chance
        self.lines = collections.defaultdict(list)
        for path in sorted(folder.rglob("*.txt")):
            language = ALIASES.get(path.stem, path.stem)
            if language in FOUND:
                lines = path.read_text("utf-8", "replace").splitlines()
                self.lines[language] += [line for line in lines if 8 < len(line) < 400 and "\ufffd" not in line]
        self.languages = [language for language in FOUND if self.lines[language]]
        self.languages_of_dos = [language for language in self.languages if language in DOS]

    def some(self, language, codec, most):
        """Up to `most` lines that follow one another and that a codec has all characters of, with one beyond ASCII."""
        lines = self.lines[language]
        for _ in range(200):
            start = self.chance.randrange(len(lines))
            chosen = []
            for line in lines[start : start + 4 * most]:
                if encoded(line, codec) is not None:
                    chosen.append(line)
                if len(chosen) == most:
                    break
            if any(not line.isascii() for line in chosen):
                return chosen
        return None


def encoded(text, codec):
    """The bytes, if they mean this text to everyone."""
    if codec in READ_OTHERWISE and READ_OTHERWISE[codec].search(text):
        return None
    try:
        data = text.encode(codec)
    except UnicodeEncodeError:
        return None
    return data if codec == "utf-8" or data.decode(codec) == text else None


def made_true(kind, text):
    """The text of a file that has been converted, and declares that."""
    if kind not in DECLARED:
        return text
    place, name = DECLARED[kind]
    return place.sub(lambda found: found[0] if found[2] == "utf-8" else found[1] + name, text, count=1)


def plain_mail(text):
    """A message whose body is in quoted-printable, as it has lines that are too long otherwise, with a body of 8 bits."""
    head, _, body = text.partition("\n\n")
    if "Content-Transfer-Encoding: quoted-printable" not in head:
        return text
    head = head.replace("quoted-printable", "8bit")
    return head + "\n\n" + quopri.decodestring(body.encode()).decode("utf-8", "replace")


def told(name, label, said):
    """The name of a file, with what it declares if that is wrong."""
    return name if said in (label, None) else f"{name}.said-{said}"


def is_honest(name):
    """Whether a file of this name declares nothing wrong."""
    return ".lie." not in name and ".said-" not in name


def document(texts, kind):
    """Name, ending, text, and the codec it is written in; None if there is no such text."""
    chance = texts.chance
    if kind == "ascii":
        return "us-ascii", ".txt", "nothing but ASCII, " * chance.randrange(1, 40) + "\n", "ascii"
    if kind == "dos":
        language = chance.choice(texts.languages_of_dos)
        codec = chance.choice(DOS[language])
        lines = texts.some(language, codec, chance.choice([3, 10, 40]))
        return lines and (f"{language}.{codec}", ".txt", "".join(line + "\r\n" for line in lines), codec)
    language = chance.choice(texts.languages)
    if kind == "wide":
        codec = chance.choice(["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
        lines = texts.some(language, "utf-8", chance.choice([2, 20]))
        mark = chance.choice(["", "\ufeff"]) if "16" in codec else "\ufeff"
        return lines and (f"{language}.{codec}", ".txt", mark + "\n".join(lines) + "\n", codec)
    codec, label = chance.choice(FOUND[language])
    lines = texts.some(language, codec, chance.choice([1, 2, 5, 20, 100]))
    if not lines:
        return None
    body = "\n".join(lines) + "\n"
    safe = body.replace("&", "and").replace("<", "(").replace("--", "-").replace("*/", "")
    name = f"{language}.{label}"
    if kind == "mixed":
        others = texts.some(language, "utf-8", 20)
        if codec in ("utf-8", "iso2022_jp") or len(lines) < 5 or not others:
            return None
        return name, ".log", "\n".join(others) + "\n" + body, [("utf-8", "\n".join(others) + "\n"), (codec, body)]
    if kind == "plain":
        return name, chance.choice([".txt", "", ".csv", ".text"]), body, codec
    if kind in ("page", "lie"):
        said = label if kind == "page" else chance.choice([lie for lie in LIES if lie != label])
        if kind == "page" and chance.random() < 0.2:
            said = None
        meta = f'<meta http-equiv="Content-Type" content="text/html; charset={said}">' if said else ""
        page = f"<!DOCTYPE html>\n<html><head>{meta}<title>{safe.splitlines()[0]}</title></head>\n<body><p>{safe}</p></body></html>\n"
        return told(name, label, said), ".html", page, codec
    if kind == "xml":
        said = label if chance.random() < 0.85 else chance.choice(["utf-8", "iso-8859-1"])
        return told(name, label, said), ".xml", f'<?xml version="1.0" encoding="{said}"?>\n<a>{safe}</a>\n', codec
    if kind == "css":
        said = f'@charset "{label}";\n' if chance.random() < 0.7 else ""
        return name, ".css", f"{said}/* {safe} */\nbody {{ color: red }}\n", codec
    if kind == "mail":
        said = label if chance.random() < 0.8 else chance.choice(LIES)
        head = f"From: a@example.org\nTo: b@example.org\nSubject: notes\nMIME-Version: 1.0\nContent-Type: text/plain; charset={said}\n"
        return told(name, label, said), ".eml", f"{head}Content-Transfer-Encoding: 8bit\n\n{body}", codec
    if kind == "log":
        before = "".join(f"2003-05-{day % 28 + 1:02} 12:00:00 INFO request {day} done\n" for day in range(chance.randrange(1, 3000)))
        return name, ".log", f"{before}2003-06-01 12:00:00 WARN {lines[0]}\n{body}", codec
    if kind == "gettext":
        head = f'msgid ""\nmsgstr ""\n"Project-Id-Version: x\\n"\n"Content-Type: text/plain; charset={label}\\n"\n\n'
        quoted = [line.replace("\\", "/").replace('"', "'") for line in lines]
        return name, ".po", head + "".join(f'msgid "message {at}"\nmsgstr "{line}"\n\n' for at, line in enumerate(quoted)), codec
    return name, ".py", f"#!/usr/bin/python\n# -*- coding: {label} -*-\n" + "".join(f"# {line}\n" for line in lines), codec


def build(folder, texts, count, kinds):
    """Writes the archive; the text of each file by its name."""
    truth = {}
    weights = [KINDS[kind] for kind in kinds]
    while len(truth) < count:
        kind = texts.chance.choices(kinds, weights)[0]
        made = document(texts, kind)
        if made and isinstance(made[3], list):
            data = b"".join(encoded(text, codec) for codec, text in made[3])
        else:
            data = made and encoded(made[2], made[3])
        if not data:
            continue
        name = f"{len(truth):05}.{kind}.{made[0]}{made[1]}"
        (folder / name).write_bytes(data)
        truth[name] = kind, made[2].removeprefix("\ufeff")
    return truth


def list_of(names):
    """The lines of a manifest, of label, language, path and kind."""
    for name in names:
        _, kind, language, label, *_ = name.split(".")
        yield f"{re.sub('^cp', 'IBM', label)}\t{language}\t{name}\t{kind}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=4000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--mojika", default=str(ROOT / "target/release/mojika"), metavar="PROGRAM")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="leave the archive there")
    parser.add_argument("--manifest", type=pathlib.Path, metavar="FOLDER", help="write documents and a manifest there")
    parser.add_argument("--plain", action="store_true", help="without --extended")
    args = parser.parse_args()
    held_out = ROOT / "target/texts/held-out"
    texts = Texts(args.texts or (held_out if held_out.is_dir() else ROOT / "samples/utf-8"), random.Random(args.seed))
    if not texts.languages_of_dos:
        sys.exit("no texts: name a folder with --texts")
    if args.manifest:
        args.manifest.mkdir(parents=True)
        documents = build(args.manifest, texts, args.files, OF_BYTES)
        (args.manifest / "list.tsv").write_text("".join(list_of(documents)), "utf-8")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        top = args.keep or pathlib.Path(temporary)
        source, target, report = top / "archive", top / "converted", top / "report"
        source.mkdir(parents=True)
        truth = build(source, texts, args.files, list(KINDS))
        command = [args.mojika, "convert", "--from", "auto", "--errors", "replacement", "-q"]
        command += [] if args.plain else ["--extended", "--update-declared", "--mail", "--mixed"]
        subprocess.run(command + [source, "-o", f"{target}/", "--report", report], check=False)
        counts, silent, doubtful, honest = collections.Counter(), [], 0, 0
        for line in map(json.loads, report.read_text("utf-8").splitlines()):
            name = pathlib.Path(line["path"]).name
            kind, text = truth.pop(name)
            fate = line["status"]
            if fate in ("converted", "already"):
                found = (target / name).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
                mail = line.get("mail", {})
                found = plain_mail(found) if kind == "mail" else found
                text = text if args.plain else made_true(kind, text)
                fate = "exact" if found == text else "doubtful" if mail.get("parts_doubtful") else "silent"
                if fate == "silent" and any(part.get("reason") for part in mail.get("parts", [])):
                    fate = "warned"
            if fate == "silent" and (line.get("disagreement") or line["malformed"]):
                fate = "warned"
            if fate == "silent":
                silent.append(f"{name}: {line['encoding']} ({line['why']}), {line['malformed']} replaced")
            counts[kind, fate] += 1
            if is_honest(name):
                honest += 1
                doubtful += fate in ("doubtful", "skipped", "failed")
    fates = ["exact", "doubtful", "skipped", "failed", "warned", "silent"]
    print(f"{'kind':<10}{'files':>7}" + "".join(f"{fate:>10}" for fate in fates))
    for kind in [*KINDS, "all"]:
        row = [sum(count for (of, is_fate), count in counts.items() if kind in (of, "all") and is_fate == fate) for fate in fates]
        print(f"{kind:<10}{sum(row):>7}" + "".join(f"{count:>10}" for count in row))
    for line in silent:
        print("silent:", line)
    if truth:
        print(f"{len(truth)} files are missing in the report")
    lies = sum(not is_honest(line) for line in silent)
    rate, doubts = 1000 * (len(silent) - lies) / honest, 100 * doubtful / honest
    print(f"of {honest} files that declare nothing wrong: silent {rate:.1f} in 1,000, doubtful {doubts:.1f} in 100")
    print(f"of {args.files - honest} files that do: {lies} silent")
    return int(rate > 2 or doubts > 5 or bool(truth))


if __name__ == "__main__":
    sys.exit(main())
