#!/usr/bin/env python3
"""Compares every encoding of mojika::extended with glibc's iconv, ICU, Python's codecs and Perl's, in both directions.

    scripts/compare-extended.py          # fails unless the differences are exactly those that gen/extended/differences.md has
    scripts/compare-extended.py --write  # write that table, for the converters that are installed
    scripts/compare-extended.py --list   # print every difference, byte by byte and character by character

Every byte is decoded, and every character of the Basic Multilingual Plane encoded. UTF-32 is compared on all scalar values.
A converter that is not installed, and cannot be, is left out with a message; so are pages that it lacks. The command is
built with cargo, or taken from the environment variable MOJIKA.
"""
import codecs
import ctypes
import errno
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "gen" / "extended" / "differences.md"
HEAD = "| converter | direction | what it has instead | encodings |"

# A name of each converter for each page, as gen/import-extended.py imports them; "-" for none.
PAGE = re.compile(r"^(\S+) (?:Ascii|Ebcdic|Other|Repeated) (\S+) (\S+) (\S+) ", re.M)
UTF_32 = {"UTF-32BE": "utf-32-be", "UTF-32LE": "utf-32-le"}
# Python's names, and the characters that GB 2312 has elsewhere in Python than in GBK, whose table the engine takes.
SHIFTED = {"ISO-2022-KR": ("iso2022_kr", ""), "HZ": ("hz", "\u2015\u30FB")}
# Text of all scalar values in these is what the converters have, in both directions.
UTF_7 = {
    "UTF-7": {"ICU": "UTF-7", "glibc": "UTF-7", "Python": "utf_7"},
    "UTF-7-IMAP": {"ICU": "IMAP-mailbox-name", "glibc": "UTF-7-IMAP"},
}


def pairs(leads, trails, before=b"", after=b""):
    return [before + bytes([lead, trail]) + after for lead in leads for trail in trails]


SEVEN, HIGH, DIGITS, ASCII = range(0x21, 0x7F), range(0xA1, 0xFF), range(0x30, 0x3A), b"\x1B(B"
# Every sequence of bytes that can be a character, and what the converters call the encoding.
SEQUENCES = {
    "Johab": (pairs(range(0x81, 0xFF), range(0x31, 0xFF)), {"glibc": "JOHAB", "Python": "johab"}),
    "ISO-2022-JP-1": (
        pairs(SEVEN, SEVEN, b"\x1B$B", ASCII) + pairs(SEVEN, SEVEN, b"\x1B$(D", ASCII),
        {"Python": "iso2022_jp_1"},
    ),
    "ISO-2022-JP-2": (
        [one for set_of in (b"\x1B$B", b"\x1B$(D", b"\x1B$A", b"\x1B$(C") for one in pairs(SEVEN, SEVEN, set_of, ASCII)]
        + [b"\x1B." + half + b"\x1BN" + bytes([byte]) for half in (b"A", b"F") for byte in range(0x20, 0x80)],
        {"glibc": "ISO-2022-JP-2", "Python": "iso2022_jp_2"},
    ),
    "ISO-2022-JP-3": (
        [one for set_of in (b"\x1B$B", b"\x1B$(O", b"\x1B$(P") for one in pairs(SEVEN, SEVEN, set_of, ASCII)],
        {"glibc": "ISO-2022-JP-3", "Python": "iso2022_jp_3"},
    ),
    "ISO-2022-JP-2004": (
        [one for set_of in (b"\x1B$B", b"\x1B$(Q", b"\x1B$(P") for one in pairs(SEVEN, SEVEN, set_of, ASCII)],
        {"Python": "iso2022_jp_2004"},
    ),
    "EUC-JIS-2004": (
        pairs(HIGH, HIGH) + pairs(HIGH, HIGH, b"\x8F") + [b"\x8E" + bytes([byte]) for byte in HIGH],
        {"glibc": "EUC-JISX0213", "Python": "euc_jis_2004"},
    ),
    "Shift_JIS-2004": (
        pairs(range(0x81, 0xFD), range(0x40, 0xFD)) + [bytes([byte]) for byte in (0x5C, 0x7E, *range(0xA1, 0xE0))],
        {"glibc": "SHIFT_JISX0213", "Python": "shift_jis_2004"},
    ),
    "GB2312": (pairs(range(0xA1, 0xFF), range(0xA1, 0xFF)), {"glibc": "EUC-CN", "Python": "gb2312"}),
    # All pairs, and the sequences of four bytes for the Basic Multilingual Plane without U+FFFD.
    "GB18030-2005": (
        pairs(range(0x81, 0xFF), [*range(0x40, 0x7F), *range(0x80, 0xFF)])
        + [bytes([a, b, c, d]) for a in range(0x81, 0x85) for b in DIGITS for c in range(0x81, 0xFF) for d in DIGITS
           if (a, b, c, d) != (0x84, 0x31, 0xA4, 0x37)],
        {"ICU": "gb18030", "Python": "gb18030"},
    ),
    "Big5-HKSCS": (
        pairs(range(0x87, 0xFF), [*range(0x40, 0x7F), *HIGH]),
        {"glibc": "BIG5-HKSCS", "Python": "big5hkscs"},
    ),
    "ISO-2022-CN": (
        pairs(SEVEN, SEVEN, b"\x1B$)A\x0E") + pairs(SEVEN, SEVEN, b"\x1B$)G\x0E") + pairs(SEVEN, SEVEN, b"\x1B$*H\x1BN"),
        {"ICU": "ISO-2022-CN", "glibc": "ISO-2022-CN"},
    ),
    "EUC-TW": (
        pairs(HIGH, HIGH) + pairs(HIGH, HIGH, b"\x8E\xA2"),
        {"ICU": "euc-tw-2014", "glibc": "EUC-TW"},
    ),
    "GSM-03.38": (
        [bytes([byte]) for byte in range(0x80) if byte not in (0x0A, 0x0D, 0x1B)]
        + [b"\x1B" + bytes([byte]) for byte in (0x0A, 0x14, 0x28, 0x29, 0x2F, 0x3C, 0x3D, 0x3E, 0x40, 0x65)],
        {"ICU": "gsm-03.38-2009", "Perl": "gsm0338"},
    ),
}
# What UTF-32 is by signature and in two unusual orders, and CESU-8, MUTF-8 and WTF-8, whose text the tests compare.
ELSEWHERE = {"UTF-32", "UTF-32-2143", "UTF-32-3412", "CESU-8", "MUTF-8", "WTF-8"}
# Pages that are the pairs, or the single bytes, of another one: what ICU and glibc call that.
HALVES = {
    "IBM300": ("ibm-930", "IBM930"),
    "IBM834": ("ibm-933", "IBM933"),
    "IBM835": ("ibm-937", "IBM937"),
    "IBM837": ("ibm-935", "IBM935"),
    "IBM833": ("ibm-933", "IBM933"),
    "IBM836": ("ibm-935", "IBM935"),
    "IBM1027": ("ibm-939", "IBM939"),
}
# A double-byte page, whose pairs gen/import-extended.py compares with ICU and glibc.
MIXED = re.compile(r"IBM(93\d|13[679]\d|1388)$")

CHARACTERS = [chr(i) for i in range(0x10000) if not 0xD800 <= i < 0xE000]
SCALAR_VALUES = CHARACTERS + [chr(i) for i in range(0x10000, 0x110000)]
ALL_BYTES = bytes(range(256))
# Characters that can be in lines of their own; U+000C has a line feed as its second byte in GSM 03.38.
LINES = [c for c in CHARACTERS if c not in "\n\f\r\x0E\x0F\x1B&"]


def run(command, data):
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def units(data):
    """UTF-16BE as a character for each code unit; None for U+FFFD."""
    found = [data[i : i + 2].decode("utf-16-be") for i in range(0, len(data), 2)]
    return [None if c == "\uFFFD" else c for c in found]


class Command:
    """A converter that is a filter: it writes U+FFFD, and one byte, in the place of what is unmapped."""

    def decode(self, name):
        return units(self.convert(name, "UTF-16BE", ALL_BYTES))

    def encode(self, name):
        # A letter behind each character, as ICU leaves out what is unmapped and invisible.
        text = "".join(c + "A" for c in CHARACTERS)
        data = self.convert("UTF-16BE", name, text.encode("utf-16-be"))
        letter, at, found = self.convert("UTF-16BE", name, b"\0A")[0], 0, []
        for c in CHARACTERS:
            is_there = data[at] != letter or c == "A"
            found.append(data[at] if is_there else None)
            at += is_there
            assert data[at] == letter, f"{name}: {code_point(c)} is more than a byte"
            at += 1
        # What stands for unmapped characters also stands for the one that it is.
        substitute = found[CHARACTERS.index("\u4E00")]
        stands_for = self.decode(name)[substitute]
        return [None if b == substitute and c != stands_for else b for c, b in zip(CHARACTERS, found)]


class Mojika(Command):
    def __init__(self):
        self.path = os.environ.get("MOJIKA")
        if not self.path:
            subprocess.run(["cargo", "build", "-q", "-p", "mojika-cli"], cwd=ROOT, check=True)
            self.path = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "mojika"

    def convert(self, source, target, data):
        standard = ("UTF-16BE", "UTF-8")
        named = [name if name.upper() in standard else f"extended:{name}" for name in (source, target)]
        command = [self.path, "convert", "--quiet", "--errors", "replacement", "--rfc2781", "--from", named[0], "--to", named[1]]
        if "UTF-16BE" not in (source, target):
            command.remove("--rfc2781")
        return run(command, data)


    def each(self, name, sequences):
        """What each sequence of bytes is, and the bytes of each character, by lines."""
        lines = self.convert(name, "UTF-8", b"".join(sequence + b"\n" for sequence in sequences)).decode().split("\n")
        decoded = [None if "\uFFFD" in line else line for line in lines[:-1]]
        html = [self.path, "convert", "--quiet", "--errors", "html", "--from", "utf-8", "--to", f"extended:{name}"]
        data = run(html, "".join(c + "\n" for c in LINES).encode()).split(b"\n")
        found = {c: None if line.endswith(b";") and b"&#" in line else line for c, line in zip(LINES, data)}
        return decoded, [found.get(c, c.encode()) for c in CHARACTERS]


class Icu(Command):
    name = "ICU"

    def __init__(self):
        if not shutil.which("uconv") and shutil.which("apt-get") and os.geteuid() == 0:
            subprocess.run(["apt-get", "update", "-qq"], check=False)
            install = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", "icu-devtools"]
            subprocess.run(install, check=False, stdout=subprocess.DEVNULL)
        self.is_there = shutil.which("uconv") is not None

    def convert(self, source, target, data):
        callbacks = ["--from-callback", "substitute", "--to-callback", "substitute"]
        return run(["uconv", "-f", source, "-t", target, *callbacks], data)

    def each(self, name, sequences, ours):
        """What sequences are, and the bytes of all characters: ours where they decode to the character there, too."""

        def texts(sequences):
            data = b"".join(sequence + b"\n" for sequence in sequences)
            lines = run(["uconv", "-f", name, "-t", "UTF-8", "--from-callback", "substitute"], data).decode().split("\n")
            return [None if "\uFFFD" in line or "\x1A" in line else line for line in lines[:-1]]

        escape = ["--to-callback", "escape-xml-dec"]
        lines = run(["uconv", "-f", "UTF-8", "-t", name, *escape], "".join(c + "\n" for c in LINES).encode()).split(b"\n")
        # Of some invisible characters that a page lacks nothing is left.
        found = {c: None if line.startswith(b"&#") or not line else line for c, line in zip(LINES, lines)}
        written = {c: data for c, data in zip(CHARACTERS, ours) if data and c in found and b"\n" not in data}
        decoded = dict(zip(written, texts(written.values())))
        theirs = [data if decoded.get(c) == c else found.get(c, c.encode()) for c, data in zip(CHARACTERS, ours)]
        return texts(sequences), theirs


class OneByOne:
    """A converter that says of each sequence whether it has it."""

    def each(self, name, sequences, ours):
        decode, encode = self.by_one(name)
        theirs = [data if data and decode(data) == c else encode(c) for c, data in zip(CHARACTERS, ours)]
        return [decode(sequence) for sequence in sequences], theirs


class Perl:
    name = "Perl"
    # A direction and hexadecimal digits in each line; what that becomes.
    PROGRAM = """use Encode; my $name = shift; while (<STDIN>) { chomp; my ($way, $hex) = split / /; my $in = pack "H*", $hex;
        my $out = eval { $way eq "d" ? encode("UTF-16BE", decode($name, $in, Encode::FB_CROAK))
        : encode($name, decode("UTF-16BE", $in), Encode::FB_CROAK) }; print defined $out ? unpack("H*", $out) : "-", chr 10; }"""

    def __init__(self):
        self.is_there = shutil.which("perl") is not None

    def ask(self, name, way, data):
        lines = "".join(f"{way} {one.hex()}\n" for one in data).encode()
        answers = run(["perl", "-e", self.PROGRAM, name], lines).decode().split("\n")[:-1]
        return [None if answer == "-" else bytes.fromhex(answer) for answer in answers]

    def each(self, name, sequences, ours):
        texts = [text and text.decode("utf-16-be") for text in self.ask(name, "d", sequences)]
        found = dict(zip(LINES, self.ask(name, "e", [c.encode("utf-16-be") for c in LINES])))
        return texts, [found.get(c, c.encode()) for c in CHARACTERS]


class Glibc(OneByOne):
    name = "glibc"

    def __init__(self):
        self.library = ctypes.CDLL(None, use_errno=True)
        self.is_there = hasattr(self.library, "gnu_get_libc_version")
        if self.is_there:
            self.library.iconv_open.restype = ctypes.c_void_p
            self.library.iconv.restype = ctypes.c_size_t
            self.library.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4

    def open(self, target, source):
        descriptor = self.library.iconv_open(target.encode(), source.encode())
        assert descriptor != ctypes.c_void_p(-1).value, f"glibc has no {source} or {target}"
        return descriptor

    def one(self, descriptor, data, at_end=False):
        """What `data` becomes; None if it is malformed or unmapped. At the end a letter waits for no mark."""
        self.library.iconv(descriptor, None, None, None, None)
        source = ctypes.create_string_buffer(data, len(data))
        target = ctypes.create_string_buffer(16)
        at, to = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(16)
        pointers = [ctypes.byref(x) for x in (at, left, to, room)]
        done = self.library.iconv(descriptor, *pointers)
        if at_end and not done:
            self.library.iconv(descriptor, None, None, *pointers[2:])
        if done == ctypes.c_size_t(-1).value:
            assert ctypes.get_errno() in (errno.EILSEQ, errno.EINVAL)
            return None
        # A number of irreversible conversions is not the character's own byte.
        return target.raw[: 16 - room.value] if done == 0 else None

    def by_one(self, name):
        to, back = self.open("UTF-16BE", name), self.open(name, "UTF-16BE")

        def decode(data):
            found = self.one(to, data)
            return found and found.decode("utf-16-be")

        return decode, lambda c: self.one(back, c.encode("utf-16-be"))

    def decode(self, name):
        descriptor = self.open("UTF-16BE", name)
        found = [self.one(descriptor, bytes([byte]), at_end=True) for byte in ALL_BYTES]
        return [data and data.decode("utf-16-be") for data in found]

    def encode(self, name):
        descriptor = self.open(name, "UTF-16BE")
        found = (self.one(descriptor, c.encode("utf-16-be")) for c in CHARACTERS)
        return [data and (data[0] if len(data) == 1 else data) for data in found]

    def convert(self, source, target, data):
        return run(["iconv", "-f", source, "-t", target], data)


class Python(OneByOne):
    name = "Python"
    is_there = True

    def by_one(self, name):
        def attempt(convert):
            try:
                return convert()
            except UnicodeError:
                return None

        return lambda data: attempt(lambda: data.decode(name)), lambda c: attempt(lambda: c.encode(name))

    def decode(self, name):
        return [None if c == "\uFFFD" else c for c in ALL_BYTES.decode(name, "replace")]

    def encode(self, name):
        encode = codecs.lookup(name).encode
        found = []
        for c in CHARACTERS:
            try:
                found.append(encode(c)[0][0])
            except UnicodeEncodeError:
                found.append(None)
        return found

    def convert(self, source, target, data):
        names = [UTF_32.get(name, name) for name in (source, target)]
        return data.decode(names[0]).encode(names[1])


def code_point(c):
    return "unmapped" if c is None else f"U+{ord(c):04X}"


def code_points(text):
    return "unmapped" if text is None else " ".join(map(code_point, text))


def hexadecimal(data):
    return "unmapped" if data is None else "0x" + data.hex().upper()


def byte(b):
    return f"0x{b:02X}" if isinstance(b, int) else hexadecimal(b)


def differences(ours, theirs, keys, shown):
    """(what is converted, what we have, what they have) for each that differs."""
    return [(key, shown(a), shown(b)) for key, a, b in zip(keys, ours, theirs, strict=True) if a != b]


def compare(mojika, converters):
    """Every difference by converter, direction and encoding."""
    found = {}
    pages = PAGE.findall((ROOT / "gen" / "pages.txt").read_text())
    listed = json.loads(run([mojika.path, "encodings", "--json"], b""))
    listed = [e["name"] for e in listed if e["room"] == "extended"]
    known = {name.upper() for name, *_ in pages} | ELSEWHERE | UTF_32.keys() | SHIFTED.keys() | UTF_7.keys()
    known |= {name.upper() for name in SEQUENCES} | HALVES.keys()
    unknown = [name for name in listed if name.upper() not in known and not MIXED.match(name)]
    assert not unknown, f"compared with nothing: {unknown}"
    compared = 0
    for name, *names in pages:
        ours = mojika.decode(name), mojika.encode(name)
        for converter in converters:
            theirs = dict(zip(("ICU", "glibc", "Python"), names)).get(converter.name, "-")
            if theirs != "-":
                decoding = differences(ours[0], converter.decode(theirs), [byte(b) for b in ALL_BYTES], code_point)
                keys = [code_point(c) for c in CHARACTERS]
                encoding = differences(ours[1], converter.encode(theirs), keys, byte)
                found[converter.name, "decodes", name.upper()] = decoding
                found[converter.name, "encodes", name.upper()] = encoding
                compared += 1
    text = "".join(SCALAR_VALUES)
    for name, python in UTF_32.items():
        data = text.encode(python)
        for converter in converters:
            if converter.name == "Perl":
                continue
            for direction, source, target, given in (
                ("decodes", name, "UTF-8", data),
                ("encodes", "UTF-8", name, text.encode()),
            ):
                ours = run([mojika.path, "convert", "-f", source.lower(), "-t", target.lower()], given)
                theirs = converter.convert(source, target, given)
                found[converter.name, direction, name] = [] if ours == theirs else [("text", "its own", "another")]
            compared += 1
    for name, (python, others) in SHIFTED.items():
        for direction, instead in shifted(mojika, name, python, others):
            found["Python", direction, name] = [] if instead is None else [("text", "its own", instead)]
        compared += 1
    for name, names in UTF_7.items():
        lines = [text[at : at + 40] for at in range(0, len(text), 40)]
        given = "\r".join(lines).encode()
        ours = mojika.convert("UTF-8", name, given)
        for converter in converters:
            if theirs := names.get(converter.name):
                # Set O may be direct or in Base64, and the end may have its "-": each reads what the other writes.
                for direction, back in (
                    ("encodes", converter.convert(theirs, "UTF-8", ours)),
                    ("decodes", mojika.convert(name, "UTF-8", converter.convert("UTF-8", theirs, given))),
                ):
                    found[converter.name, direction, name] = [] if back == given else [("text", "its own", "another")]
                compared += 1
    for name, (sequences, names) in SEQUENCES.items():
        decoded, encoded = mojika.each(name, sequences)
        for converter in converters:
            if theirs := names.get(converter.name):
                their_text, their_bytes = converter.each(theirs, sequences, encoded)
                keys = ["0x" + sequence.hex().upper() for sequence in sequences]
                decoding = differences(decoded, their_text, keys, code_points)
                keys = [code_point(c) for c in CHARACTERS]
                encoding = differences(encoded, their_bytes, keys, hexadecimal)
                if (converter.name, name) == ("Python", "EUC-JIS-2004"):
                    # It has JIS X 0212, too, where plane 2 has nothing.
                    decoding = [one for one in decoding if not (one[0].startswith("0x8F") and one[1] == "unmapped")]
                    encoding = [one for one in encoding if not (one[2].startswith("0x8F") and one[1] == "unmapped")]
                if name == "EUC-TW":
                    # They have planes from 3 on.
                    encoding = [one for one in encoding if one[1] != "unmapped" or one[2][:6] in ("0x8EA1", "0x8EA2") or "0x8E" not in one[2]]
                found[converter.name, "decodes", name] = decoding
                found[converter.name, "encodes", name] = encoding
                compared += 1
    for name, names in HALVES.items():
        for converter in converters:
            if theirs := dict(zip(("ICU", "glibc"), names)).get(converter.name):
                for direction, differing in halves(mojika, name, converter, theirs):
                    found[converter.name, direction, name] = differing
                compared += 1
    return found, compared


def halves(mojika, name, converter, mixed):
    """The differences of a page from the half of `mixed` that it is: all that it decodes, and what it has encoded from that."""
    single = name in ("IBM833", "IBM836", "IBM1027")
    # The shifts are controls in a page of single bytes, and 0x25 ends lines.
    bytes_alone = [bytes([b]) for b in ALL_BYTES if b not in (0x0E, 0x0F, 0x25)]
    sequences = bytes_alone if single else pairs(range(0x40, 0xFF), range(0x40, 0xFF))
    ours = units(mojika.convert(name, "UTF-16BE", b"".join(sequences)))
    shifts = (b"", b"") if single else (b"\x0E", b"\x0F")
    if converter.name == "ICU":
        lines = b"".join(shifts[0] + sequence + shifts[1] + b"\x25" for sequence in sequences)
        lines = converter.convert(mixed, "UTF-16BE", lines).decode("utf-16-be").split("\n")[:-1]
        found = zip(lines, sequences, strict=True)
        theirs = [line if len(line) == 1 and line not in "\uFFFD\x1A" or one == b"\x3F" else None for line, one in found]
    else:
        decode, encode = converter.by_one(mixed)
        theirs = [decode(shifts[0] + sequence) for sequence in sequences]
    keys = ["0x" + sequence.hex().upper() for sequence in sequences]
    yield "decodes", differences(ours, theirs, keys, code_points)

    back = dict(zip(sequences, theirs))

    def half(data):
        """The bytes of a character without its shift."""
        return data and data.removeprefix(b"\x0E")[: 1 if single else 2]

    asked = [c for c in CHARACTERS if c not in "\x0A\x0C\x0D\x0E\x0F\x85"]
    if converter.name == "ICU":
        lines = "".join(c + "\n" for c in asked).encode("utf-16-be")
        escaped = run(["uconv", "-f", "UTF-16BE", "-t", mixed, "--to-callback", "escape-xml-dec"], lines).split(b"\x25")
        # 0x50 begins references, and is the ampersand.
        written = [None if len(line) > 4 or not line else line for line in escaped]
    else:
        written = [encode(c) for c in asked]
    # A character may have its bytes in the other half, or others that stand for it alone.
    is_here = lambda c, data: not data or (data[0] == 0x0E) != single and back.get(half(data)) == c
    expected = {c: half(data) for c, data in zip(asked, written) if is_here(c, data)}
    wide = list(expected)
    end = "A" if single else "\u3000"
    text = "".join(c + end for c in wide).encode("utf-16-be")
    data = run([mojika.path, "convert", "-q", "--errors", "html", "-f", "utf-16be", "-t", f"extended:{name}"], text)
    step = 1 if single else 2
    stop, at, own = mojika_bytes(mojika, name, end), 0, []
    for c in wide:
        start = at
        while data[at : at + step] != stop or at == start and c == end:
            at += step
        own.append(data[start:at] if at - start == step else None)
        at += step
    yield "encodes", differences(own, [expected[c] for c in wide], [code_point(c) for c in wide], hexadecimal)


def mojika_bytes(mojika, name, text):
    return run([mojika.path, "convert", "-q", "-f", "utf-8", "-t", f"extended:{name}"], text.encode())


def shifted(mojika, name, python, others):
    """Whether text of all characters that Python has is the same in a stateful encoding, in lines of 40, as line ends count."""
    theirs = [c for c in CHARACTERS if c >= " " and c not in others and is_in(c, python)]
    lines = ["".join(theirs[at : at + 40]) for at in range(0, len(theirs), 40)]
    text = "\n".join(lines) + "\n"
    label = f"extended:{name.lower()}"
    decoded = run([mojika.path, "convert", "-q", "-f", label], text.encode(python)).decode()
    yield "decodes", None if decoded == text else "another"
    encoded = run([mojika.path, "convert", "-q", "-f", "utf-8", "-t", label], text.encode())
    yield "encodes", None if encoded.decode(python) == text else "another"


def is_in(character, python):
    try:
        character.encode(python)
    except UnicodeEncodeError:
        return False
    return True


def rows(found):
    """Returns a row of the table for each set of differences, with the encodings that have it."""
    grouped = {}
    for (converter, direction, name), differing in found.items():
        if differing:
            instead = ", ".join(f"{key} {theirs}" for key, _, theirs in differing)
            grouped.setdefault((converter, direction, instead), []).append(name)
    return [f"| {c} | {d} | {instead} | {', '.join(names)} |" for (c, d, instead), names in sorted(grouped.items())]


def documented(converters):
    lines = TABLE.read_text().splitlines()
    start = lines.index(HEAD) + 2
    table = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        table.append(line)
    names = [converter.name for converter in converters]
    return [line for line in table if line.split("|")[1].strip() in names]


def write(actual, expected):
    """Replaces the rows of the installed converters."""
    before, rest = TABLE.read_text().split(HEAD + "\n", 1)
    separator, *old = rest.splitlines()
    lines = [before + HEAD, separator, *sorted(set(old) - set(expected) | set(actual))]
    TABLE.write_text("\n".join(lines) + "\n")


def main():
    mojika = Mojika()
    converters = []
    for converter in (Icu(), Glibc(), Python(), Perl()):
        if converter.is_there:
            converters.append(converter)
        else:
            print(f"left out, as it is not installed: {converter.name}")
    found, compared = compare(mojika, converters)
    if "--list" in sys.argv[1:]:
        for (converter, direction, name), differing in found.items():
            for key, ours, theirs in differing:
                print(f"{name} {direction} {key}: mojika {ours}, {converter} {theirs}")
    actual, expected = rows(found), documented(converters)
    if "--write" in sys.argv[1:]:
        write(actual, expected)
        return
    for line in actual:
        if line not in expected:
            print(f"not in {TABLE.name}: {line}")
    for line in expected:
        if line not in actual:
            print(f"no longer so: {line}")
    if sorted(actual) != sorted(expected):
        sys.exit(1)
    total = sum(len(differing) for differing in found.values())
    print(f"{compared} comparisons; {total} differences, all of them in {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
