#!/usr/bin/env python3
"""Imports the tables of mojika::extended from installed converters to gen/extended, and compares facts with their sources.

    gen/import-extended.py              # write gen/extended
    gen/import-extended.py --check DIR  # fail unless gen/extended is what is installed, and gen/indexes and gen/labels.txt
                                        # are the Standard's own files in DIR; what is missing is skipped

The sources are ICU (`uconv`) and its archive, glibc (`iconv`), Python's codecs, Perl's Encode and GNU libiconv. Each table has
at least two. Where they differ, gen/pages.txt chooses, and the file of a page lists each difference, the choice and its reason.
LIBICONV names the program of GNU libiconv. ICU_DATA names a folder with tables of ICU's archive (the repository icu-data) that
the library leaves out; for ICU 72, `makeconv` must have written them to its subfolder icudt72l. Without these two, the pages
that they serve stay as they are.
"""
import json
import os
import pathlib
import subprocess
import sys

GEN = pathlib.Path(__file__).resolve().parent
SOURCES = ("Icu", "Glibc", "Python", "Perl", "Libiconv", "Archive")
SUBSTITUTE = ["--from-callback", "substitute"]
# The output of Perl for each byte ends with U+FFFF.
PERL = """binmode STDOUT; for (0..255) {
    print encode('UTF-16BE', decode($ARGV[0], chr($_), Encode::FB_DEFAULT)), pack('n', 0xFFFF) }"""
PERL_ENCODE = "binmode STDOUT; print encode($ARGV[0], chr(hex($ARGV[1])), Encode::FB_CROAK)"
# The bytes that shift to double bytes and back in mixed encodings.
SHIFTS = (0x0E, 0x0F)


def run(command, data=b"", strict=True):
    """The output of a command; None if it is not installed or, if `strict`, fails."""
    try:
        done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return None
    return None if strict and done.returncode else done.stdout


class Missing(Exception):
    """A converter is not installed."""


def need(output):
    if output is None:
        raise Missing("uconv, iconv and perl are not all installed")
    return output


def units(data):
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def is_private(code_point):
    return 0xE000 <= code_point <= 0xF8FF


def character(found):
    """The single character of a byte. Apple's tables append code points for private use to some, to select a glyph."""
    if len(found) > 1:
        found = [unit for unit in found if not is_private(unit)]
    return found[0] if len(found) == 1 and found[0] != 0xFFFD else None


class Page:
    """A page with its name in each source."""

    def __init__(self, line):
        self.name, self.shape, *names, self.taken, self.reason = line.split()
        self.names = {source: name for source, name in zip(SOURCES, names) if name != "-"}

    def decode(self, source):
        """The table of a source: a code point for each byte, None for an unmapped one."""
        name, mixed = self.names[source], self.shape == "Mixed"
        data = bytes(0x40 if mixed and byte in SHIFTS else byte for byte in range(256))
        if source == "Icu":
            found = units(need(run(["uconv", "-f", name, "-t", "UTF-16BE", *SUBSTITUTE], data)))
            # For an unmapped byte ICU writes U+FFFD, or in a mixed encoding U+001A, to which only 0x3F decodes.
            lacks = lambda byte, unit: unit == 0xFFFD or mixed and unit == 0x1A and byte != 0x3F
            table = [None if lacks(byte, unit) else unit for byte, unit in enumerate(found)]
        elif source in ("Glibc", "Libiconv"):
            convert = lambda part: run([program(source), "-f", name, "-t", "UTF-16BE"], part)
            found = convert(data)
            # After it has stopped at an unmapped byte, bytes are converted one by one.
            each = lambda byte: (units(convert(bytes([byte])) or b"") or [None])[0]
            table = units(found) if found is not None else [each(byte) for byte in data]
        elif source == "Python":
            table = [None if c == "\uFFFD" else ord(c) for c in data.decode(name, "replace")]
        elif source == "Perl":
            found = need(run(["perl", "-MEncode", "-e", PERL, name]))
            table = [character(units(one)) for one in split(found, b"\xFF\xFF")]
        else:
            command = ["uconv", "-f", name, "-t", "UTF-16BE", *SUBSTITUTE]
            table = [character(units(need(run(command, bytes([byte]))))) for byte in range(256)]
        if mixed:
            for shift in SHIFTS:
                table[shift] = shift
        assert len(table) == 256, f"{source} has no {name}"
        return table

    def encode(self, code_point):
        """The bytes of a code point to which several bytes of the page decode."""
        if self.shape == "Repeated" and code_point < 0x80:
            return bytes([code_point])
        name = self.names[self.taken]
        if self.taken == "Python":
            data = chr(code_point).encode(name)
        elif self.taken == "Perl":
            data = run(["perl", "-MEncode", "-e", PERL_ENCODE, name, f"{code_point:x}"])
        else:
            data = run([program(self.taken), "-f", "UTF-16BE", "-t", name], code_point.to_bytes(2, "big"))
        return data[:1] if data and self.shape == "Repeated" else data

    def text(self):
        """The text of the page's file, and the number of bytes in which its sources differ."""
        tables = {source: self.decode(source) for source in self.names}
        taken = list(tables[self.taken])
        if self.shape == "Repeated":
            for byte, to in enumerate(taken):
                keeps = to is not None and not is_private(to)
                taken[byte] = byte if byte < 0x80 else to if keeps else tables["Libiconv"][byte]
        names = ", ".join(f"{source} {name}" for source, name in self.names.items())
        entries, differing = [], []
        for byte, to in enumerate(taken):
            # ASCII's control characters stay unchanged in every page that extends ASCII.
            if self.shape == "Ascii" and (byte < 0x20 or byte == 0x7F):
                to = byte
            if to is not None:
                entries.append(f"0x{byte:02X}\t0x{to:04X}\n")
            if any(table[byte] != to for table in tables.values()):
                each = "".join(f" {source} {shown(table[byte])}," for source, table in tables.items())
                differing.append(f"# 0x{byte:02X}:{each} taken {shown(to)}\n")
        # The source may encode a code point to a byte that is not its last one. Such a byte gets a second line.
        for byte, to in enumerate(taken):
            if to is not None and to in taken[byte + 1 :] and self.encode(to) == bytes([byte]):
                entries.append(f"0x{byte:02X}\t0x{to:04X}\n")
        text = f"# {self.name}: code point by byte. Imported by `gen import-extended` from {names}; do not edit.\n"
        if differing:
            text += "".join([f"# {REASONS[self.reason]}.\n", *differing])
        return text + "\n" + "".join(entries), len(differing)


def program(source):
    return {"Glibc": "iconv", "Libiconv": os.environ.get("LIBICONV", "libiconv")}.get(source, "uconv")


def split(data, mark):
    """The parts of UTF-16 before each mark."""
    parts, start = [], 0
    for at in range(0, len(data), 2):
        if data[at : at + 2] == mark:
            parts.append(data[start:at])
            start = at + 2
    return parts


def shown(code_point):
    return "unmapped" if code_point is None else f"U+{code_point:04X}"


def listed():
    lines = [line for line in (GEN / "pages.txt").read_text().splitlines() if line and not line.startswith("#")]
    reasons = dict(line.split(" = ") for line in lines if " = " in line)
    return reasons, [Page(line) for line in lines if " = " not in line]


REASONS, PAGES = listed()


def pages():
    """The file of each page whose sources are all installed."""
    there = {"Libiconv": run([program("Libiconv"), "-f", "ASCII", "-t", "UTF-16BE"]) is not None}
    archived = next(page for page in PAGES if "Archive" in page.names)
    there["Archive"] = run(["uconv", "-f", archived.names["Archive"], "-t", "UTF-16BE"]) is not None
    complete = [page for page in PAGES if all(there.get(source, True) for source in page.names)]
    differences = 0
    for page in complete:
        text, differing = page.text()
        differences += differing
        yield page.name, text
    print(f"{len(complete)} pages of {len(PAGES)}, whose files explain {differences} differences")


# The double bytes of mixed EBCDIC: each table, the table that it extends, and the numbers of its encodings in ICU and glibc.
PAIRS = {
    "ibm300": ("", 930, 939),
    "ibm16684": ("ibm300", 1390, 1399),
    "ibm834": ("", 933),
    "ibm4930": ("ibm834", 1364),
    "ibm837": ("", 935),
    "ibm4933": ("ibm837", 1388),
    "ibm835": ("", 937),
    "ibm9027": ("ibm835", 1371),
}
# The least length of an abbreviated sequence of pairs.
LONG = 8


def converters(page):
    """The names of the two converters of pairs, with their arguments for this page."""
    # For an unmapped pair, ICU writes a character reference, glibc nothing; it exits with an error then.
    yield "uconv", f"ibm-{page}", ["--from-callback", "escape-xml-hex"]
    yield "iconv", f"IBM{page}", ["-c"]


def pairs():
    """The file of each table of pairs. Both sources must agree on all pairs, in both directions."""
    tables = {}
    for name, (base, *numbers) in PAIRS.items():
        codes = [bytes([lead, trail]) for lead in range(0x40, 0xFF) for trail in range(0x40, 0xFF)]
        data = b"".join(b"\x0E" + code + b"\x0F\x25" for code in codes)
        agreed = None
        asked = [one for number in numbers for one in converters(number)]
        for command, page, unmapped in asked:
            lines = need(run([command, "-f", page, "-t", "UTF-8", *unmapped], data, strict=False)).decode().split("\n")
            is_mapped = lambda line: line and not line.startswith("&") and line != "\uFFFD"
            table = {int.from_bytes(code, "big"): line for code, line in zip(codes, lines) if is_mapped(line)}
            assert table and agreed in (None, table), f"{name}: sources differ"
            agreed = table
        # Each character is encoded to its last pair, or to a single byte.
        last = {to: pair for pair, to in agreed.items()}
        for command, page, _ in asked:
            data = run([command, "-f", "UTF-8", "-t", page], "".join(to + "\n" for to in last).encode(), strict=False)
            # If a line ends in double bytes, the next line starts with 0x0F.
            for (to, pair), line in zip(last.items(), data.split(b"\x25")):
                line = line.translate(None, b"\x0E\x0F")
                assert line == pair.to_bytes(2, "big") or len(line) == 1, f"{command}: {page}: {to!r}: {line!r}, not {pair:04X}"
        tables[name] = agreed
        yield name, text_of_pairs(name, base, numbers, agreed, tables.get(base, {}))
    print(f"{len(tables)} tables with {sum(map(len, tables.values()))} pairs, in both directions")


def text_of_pairs(name, base, numbers, table, extended):
    """The pairs that are not in the extended table, by lead byte, with N consecutive code points as `*N`."""
    of = " and ".join(f"IBM{number}" for number in numbers)
    text = f"# {name}: the pairs of bytes of {of}. Imported by `gen import-extended` from ICU and glibc, which agree; do not edit.\n"
    if base:
        text += f"# They are those of {base}, and these:\n"
    text += "\n"
    rest = [(pair, [ord(c) for c in to]) for pair, to in sorted(table.items()) if extended.get(pair) != to]
    while rest:
        first = rest[0][0]
        follows = lambda at: rest[at][0] == first + at and rest[at][0] >> 8 == first >> 8
        here = next((at for at in range(len(rest)) if not follows(at)), len(rest))

        def consecutive(at):
            start = rest[at][1][0]
            return next((n for n in range(here - at) if rest[at + n][1] != [start + n]), here - at)

        length = consecutive(0)
        if length >= LONG:
            text += f"0x{first:04X}*{length}\t{rest[0][1][0]:04X}\n"
        else:
            # The line ends before the next sequence that can be abbreviated.
            length = next((at for at in range(1, here) if consecutive(at) >= LONG), here)
            text += f"0x{first:04X}\t{' '.join('+'.join(f'{c:04X}' for c in to) for _, to in rest[:length])}\n"
        rest = rest[length:]
    return text


# The pairs of JIS X 0213 on which the sources differ: Python's code point, which is taken, and glibc's. The white parentheses
# of plane 1 are in Unicode since 3.2. The dash is that of JIS X 0208 in both.
DIFFERING = {0xA1BD: (0x2015, 0x2014), 0xA2D6: (0x2985, 0xFF5F), 0xA2D7: (0x2986, 0xFF60)}
# The characters of JIS X 0208 that differ from index jis0208.
OWN_0208 = {0x2141: 0x301C, 0x2142: 0x2016, 0x215D: 0x2212, 0x2171: 0xA2, 0x2172: 0xA3, 0x224C: 0xAC}
HIGH = range(0xA1, 0xFF)


def entries(path):
    """The entries of an index: its pointers and code points."""
    lines = [line.split("\t") for line in path.read_text().split("\n") if line and not line.startswith("#")]
    return {int(fields[0]): int(fields[1], 16) for fields in lines}


def jis_x_0213():
    """JIS X 0213:2004 beyond JIS X 0208, by bytes of EUC-JIS-2004; the first byte of plane 2 lacks the bit 0x80."""
    codes = [(lead << 8 | trail, bytes([lead, trail])) for lead in HIGH for trail in HIGH]
    codes += [(pair & 0x7FFF, b"\x8F" + code) for pair, code in codes]

    def table(texts):
        found = {pair: tuple(map(ord, text)) for (pair, _), text in zip(codes, texts) if text}
        # For unmapped pairs of plane 2, glibc skips only 0x8F and decodes the rest as a pair of plane 1.
        return {pair: to for pair, to in found.items() if pair & 0x8000 or found.get(pair | 0x8000) != to}

    python = table([code.decode("euc_jis_2004", "ignore") for _, code in codes])
    command = ["iconv", "-c", "-f", "EUC-JISX0213", "-t", "UTF-8"]
    data = b"".join(code + b"\n" for _, code in codes)
    glibc = table(need(run(command, data, strict=False)).decode().split("\n"))
    # For unmapped pairs of plane 2, Python decodes JIS X 0212.
    python = {pair: to for pair, to in python.items() if pair & 0x8000 or pair in glibc}
    for pair, (ours, theirs) in DIFFERING.items():
        assert (python[pair], glibc[pair]) == ((ours,), (theirs,)), f"JIS X 0213: 0x{pair:04X} is not as listed"
        glibc[pair] = (ours,)
    assert python == glibc, "JIS X 0213: sources differ"
    index = entries(GEN / "indexes" / "index-jis0208.txt")
    in_set = {at: to for at, to in index.items() if at // 94 < 8 or 15 <= at // 94 < 84}
    set_0208 = {(at // 94 + 0xA1) << 8 | (at % 94 + 0xA1): to for at, to in in_set.items()}
    set_0208 |= {pair | 0x8080: to for pair, to in OWN_0208.items()}
    for pair, to in set_0208.items():
        assert python.pop(pair) == (to,), f"JIS X 0213: 0x{pair:04X} is not as in JIS X 0208"
    text = (
        "# JIS X 0213:2004 beyond JIS X 0208, by bytes of EUC-JIS-2004; plane 2 without 0x80 in the first one.\n"
        "# Imported by `gen import-extended` from Python and glibc; do not edit. Where they differ, Python's is taken:\n"
    )
    text += "".join(f"# 0x{pair:04X}: Python U+{ours:04X}, glibc U+{theirs:04X}\n" for pair, (ours, theirs) in DIFFERING.items())
    lines = [f"0x{pair:04X}\t{'+'.join(f'{c:04X}' for c in to)}\n" for pair, to in sorted(python.items())]
    yield "jisx0213", text + "\n" + "".join(lines)
    print(f"JIS X 0213: {len(python)} pairs beyond JIS X 0208")


def cns_11643():
    """CNS 11643, planes 1 and 2, by `0xPRRCC`: the entries on which two of three tables agree."""
    places = [(plane, row, cell) for plane in (0, 1) for row in range(94) for cell in range(94)]
    code = lambda plane, row, cell: b"\x8E\xA2" * plane + bytes([row + 0xA1, cell + 0xA1, 0x0A])
    data = b"".join(code(*place) for place in places)
    tables = []
    for command in (["uconv", *SUBSTITUTE, "-f", "euc-tw-2014"], ["uconv", *SUBSTITUTE, "-f", "ibm-964_P110-1999"], ["iconv", "-c", "-f", "EUC-TW"]):
        lines = need(run([*command, "-t", "UTF-8"], data, strict=False)).decode().split("\n")
        tables.append([line if len(line) == 1 and line not in "\uFFFD\x1A" else None for line in lines])
    agreed = {}
    for place, first, second, third in zip(places, *tables):
        found = first if first in (second, third) else second if second == third else None
        if found:
            agreed[place] = found
    # Rows 7 to 9 of plane 1 are radicals, of which those with another place are left out.
    is_radical = lambda place: place[0] == 0 and place[1] in (6, 7, 8)
    others = {to for place, to in agreed.items() if not is_radical(place)}
    kept = {place: to for place, to in agreed.items() if not is_radical(place) or to not in others}
    text = (
        "# CNS 11643, planes 1 and 2, by the plane and a pair of seven bits.\n"
        "# Imported by `gen import-extended` from two tables of ICU (of 1999 and 2014) and one of glibc; do not edit. What two of\n"
        "# them agree on is taken, without radicals that have another place, too.\n\n"
    )
    lines = [f"0x{plane + 1:X}{row + 0x21:02X}{cell + 0x21:02X}\t{ord(to):04X}\n" for (plane, row, cell), to in kept.items()]
    yield "cns11643", text + "".join(lines)
    print(f"CNS 11643: {len(kept)} places of planes 1 and 2")


def indexes_of_glibc():
    """Fails unless the Standard's parts of ISO-8859 and IBM866 are glibc's."""
    for name in [f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)] + ["ibm866"]:
        standard = entries(GEN / "indexes" / f"index-{name}.txt")
        table = Page(f"- Other - {name.upper()} - - - - Glibc ISO").decode("Glibc")
        assert [standard.get(pointer) for pointer in range(128)] == table[128:], f"{name} differs from glibc's"
    print("the Standard's 12 parts of ISO-8859 and IBM866 are glibc's")


def standard(folder):
    """The differences of gen/indexes and gen/labels.txt from the Standard's own files."""
    ours, official = ({path.name: path for path in of.glob("index-*.txt")} for of in (GEN / "indexes", folder))
    for name in sorted(ours.keys() ^ official.keys()):
        yield f"{name} is in one folder alone"
    for name in sorted(ours.keys() & official.keys()):
        paths = ours[name], official[name]
        # "If an identifier changes, so has the index", section 5 of the Standard.
        stated = [[line for line in path.read_text().splitlines() if line.startswith(("# Identifier: ", "# Date: "))] for path in paths]
        if len(stated[0]) != 2 or stated[0] != stated[1]:
            yield f"{name}: ours states {stated[0]}, the official one {stated[1]}"
        one, other = map(entries, paths)
        for pointer in sorted(one.keys() | other.keys()):
            if one.get(pointer) != other.get(pointer):
                yield f"{name}: pointer {pointer}: ours {shown(one.get(pointer))}, official {shown(other.get(pointer))}"
    groups = json.loads((folder / "encodings.json").read_text())
    lines = [f"{e['name']}\t{' '.join(e['labels'])}" for group in groups for e in group["encodings"]]
    if lines != [line for line in (GEN / "labels.txt").read_text().splitlines() if not line.startswith("#")]:
        yield "labels.txt differs from encodings.json"


def extended(is_written):
    """Writes the files of gen/extended, or returns those that differ from what is installed."""
    for make in (pages, pairs, jis_x_0213, cns_11643):
        for name, text in make():
            path = GEN / "extended" / f"{name}.txt"
            if is_written:
                path.write_text(text)
            elif path.read_text() != text:
                yield f"gen/extended/{name}.txt is not what is installed"
    indexes_of_glibc()


def main():
    arguments = sys.argv[1:]
    if arguments and (len(arguments) != 2 or arguments[0] != "--check"):
        sys.exit(__doc__)
    try:
        wrong = list(extended(not arguments))
    except Missing as missing:
        if not arguments:
            sys.exit(str(missing))
        print(f"gen/extended: skipped: {missing}")
        wrong = []
    for folder in map(pathlib.Path, arguments[1:]):
        if folder.is_dir():
            wrong += standard(folder)
        else:
            print(f"the Standard's files: skipped: no folder {folder}")
    print("\n".join(wrong) if wrong else "no difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
