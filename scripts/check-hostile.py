#!/usr/bin/env python3
"""Makes archives and texts that cost much, and runs the command on each with little memory and little time.

    scripts/check-hostile.py [--short] [--unoptimised] [--binary PATH] [--only PART] [--keep FOLDER]

Address space is limited to 1,000,000 KB (`ulimit -v`), processor time to BASE seconds, and more for each MB of the
file and of what it holds when it is decompressed once: what the command does is in proportion to what it reads. A crash, a
panic, a limit that is met, and an exit status other than the one that is expected are failures.

After that, time and memory of commands and of options that keep lists are measured while the size of the input doubles three times,
signals end commands at random points, and reading and writing fail.

`--short` makes files of a quarter of the size; the limits are the same for a MB. `--unoptimised` multiplies the limits of
time by 20, for a command of the profile of the tests. `.ci/run` does both.
"""

import argparse
import bz2
import gzip
import hashlib
import lzma
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ADDRESS_SPACE = 1_000_000 << 10
# Seconds of processor time: at the least, for a MB of the file, and for a MB of what it holds.
BASE, FOR_FILE, FOR_CONTENT = 1.0, 1.0, 0.06
# By which a command of the profile of the tests is slower, at most: processor time, too, is longer on a busy machine.
UNOPTIMISED = 20

CASES = []


def case(status, command="warc {} -o {out}", name="a.warc.gz", for_file=FOR_FILE, memory=ADDRESS_SPACE):
    """A function of a size that makes a file: its bytes, and how many it holds when it is decompressed once."""

    def add(make, title=None):
        statuses = status if isinstance(status, tuple) else (status,)
        CASES.append((title or make.__name__.replace("_", " "), make, statuses, command, name, for_file, memory))
        return make

    return add


def record(block, kind="response", content_type="application/http", length=None):
    length = len(block) if length is None else length
    return (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode() + block + b"\r\n\r\n"


def response(head, body):
    return record(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body)


def page(body, content_type=b"text/html"):
    return response(b"Content-Type: " + content_type, body)


def plain_and_gzip(data):
    return gzip.compress(data, mtime=0), len(data)


def as_it_is(data):
    return data, len(data)


def without_content(data):
    return data, 0


def table(add, wrap, rows):
    """Adds a case for each title and function of a size that makes the data."""
    for title, make in rows.items():
        add(lambda size, make=make: wrap(make(size)), title)


def noise(length, seed=7):
    return random.Random(seed).randbytes(length)


def zstd_raw_frame(data):
    """A frame of raw blocks."""
    frame = struct.pack("<IBB", 0xFD2FB528, 0, 0x58)
    blocks = [data[at : at + 100_000] for at in range(0, len(data), 100_000)] or [b""]
    for number, block in enumerate(blocks):
        last = number == len(blocks) - 1
        frame += struct.pack("<I", len(block) << 3 | last)[:3] + block
    return frame


@case(1, name="a.warc.zst")
def a_random_record_before_heads_in_zstandard(size):
    data = record(noise(size * 4)) + b"WARC/1\n" * (size // 10)
    return zstd_raw_frame(data), len(data)


@case(1)
def members_that_end_early(size):
    member = gzip.compress(record(b"HTTP/1.1 200 OK\r\n\r\n", length=10_000_000), mtime=0)
    count = size // len(member)
    return member * count, count * 200


@case(1)
def magic_numbers_before_empty_blocks(size):
    member = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    data = gzip.compress(page(b"a"), mtime=0) + b"x" + (member + b"\0\0\0\xff\xff" * 6) * (size // 40)
    return data, len(data)


@case(1)
def magic_numbers_that_lead_to_the_same_empty_blocks(size):
    # Each header has an extra field that ends where the blocks begin.
    blocks = b"\0\0\0\xff\xff" * 50_000
    heads = b"".join(
        b"\x1f\x8b\x08\x04\0\0\0\0\0\xff" + struct.pack("<H", (4999 - number) * 12) for number in range(5000)
    )
    data = gzip.compress(page(b"a"), mtime=0) + b"x" + (heads + blocks) * (size // 310_000 + 1)
    return data, len(data)


@case(1)
def magic_numbers_in_a_member_that_is_cut_off(size):
    compressor = zlib.compressobj(0, zlib.DEFLATED, 31)
    data = record((b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + b"\0\0\0\xff\xff" * 6) * (size // 40), length=size * 20)
    data = compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)
    return data, len(data)


@case(1, name="a.warc.zst")
def frames_with_blocks_that_do_not_end(size):
    block = struct.pack("<I", 0x10000 << 3 | 2 << 1)[:3]
    data = zstd_raw_frame(page(b"a")) + b"x" + (b"\x28\xb5\x2f\xfd\0\x58" + block) * (size // 9)
    return data, len(data)


@case((0, 1), name="a.warc.zst")
def dictionaries(size):
    dictionary = struct.pack("<II", 0x184D2A5D, 300) + noise(300)
    frame = zstd_raw_frame(page(b"a"))
    data = (dictionary + frame) * (size // (len(dictionary) + len(frame)))
    return data, len(data)


@case((0, 1), name="a.warc.zst")
def dictionaries_that_expand(size):
    # A frame of blocks of one repeated byte: 16 MB each.
    block = struct.pack("<I", 0x1FFFF << 3 | 1 << 1)[:3] + b"a"
    frame = struct.pack("<IBB", 0xFD2FB528, 0, 0x58) + block * 128 + struct.pack("<I", 1)[:3]
    one = struct.pack("<II", 0x184D2A5D, len(frame)) + frame
    data = one * (size // 4 // len(one)) + zstd_raw_frame(page(b"a"))
    return data, len(data)


@case(0)
def chunked_within_chunked(size):
    # The chunks of all levels begin and end at the same places.
    before, after, length = [], [], size * 16
    for _ in range(500):
        before.append(b"%x\r\n" % length)
        after.append(b"\r\n0\r\n\r\n")
        length += len(before[-1]) + len(after[-1])
    body = b"".join(reversed(before)) + b"a" * (size * 16) + b"".join(after)
    head = b"Content-Type: text/html\r\nTransfer-Encoding: " + b",".join([b"chunked"] * 500)
    return plain_and_gzip(response(head, body))


@case(0)
def gzip_within_gzip(size):
    body = b"a" * (size * 8)
    for _ in range(40):
        body = gzip.compress(body, mtime=0)
    head = b"Content-Type: text/html\r\nContent-Encoding: " + b",".join([b"gzip"] * 40)
    data = response(head, body) * 200
    return gzip.compress(data, mtime=0), len(data) + size * 8


@case(0)
def bodies_that_expand(size):
    body = gzip.compress(bytes(size * 256), mtime=0)
    data = response(b"Content-Type: text/html\r\nContent-Encoding: gzip", body)
    # Up to --max-body, each time.
    count = size // 125_000
    return gzip.compress(data * count, mtime=0), count * (len(data) + (64 << 20))


@case(0)
def chunks_of_one_byte(size):
    body = b"1\r\na\r\n" * (size // 6) + b"0\r\n\r\n"
    return plain_and_gzip(response(b"Content-Type: text/html\r\nTransfer-Encoding: chunked", body))


@case(0)
def fields_of_one_record(size):
    data = b"WARC/1.0\r\n" + b"A:\r\n" * 12_000 + b"WARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    return plain_and_gzip(data * (size // len(data)))


@case(0)
def types_without_number(size):
    records = [record(b"x", kind=f"type-{number}") for number in range(size // 150)]
    return plain_and_gzip(b"".join(records))


@case(0)
def bytes_of_zero_after_a_record(size):
    data = page(b"a")
    return gzip.compress(data + b"\r\n" * (size * 50), mtime=0), len(data) + size * 100


@case((0, 1), "convert -f koi8-r -t koi8-u -e replacement {} -o {out}/ -j 2", name="text.gz")
def text_that_expands(size):
    data = bytes(size * 100).replace(b"\0", b"a")
    return gzip.compress(data, mtime=0), len(data)


@case((0, 1), "check -f utf-8 {} -q", name="text", for_file=1)
def text_encoded_twice(size):
    data = "Ã©\n".encode() * (size * 2 // 5)
    return data, 0


def edit(encoding):
    return f"edit {{}} --from {encoding} --replace a b --all -q --dry-run"


@case(0, "pages {} -o {out} -q", name="a.html.bz2", memory=450_000 << 10)
def page_that_expands(size):
    # In full, as long as a page may be.
    length = min(size * 68, 64 << 20)
    return bz2.compress(bytes(length)), length


@case(0, "pages {} -o {out} -q", name="a.html.xz")
def page_that_expands_beyond_the_limit(size):
    return lzma.compress(bytes(size * 200)), size * 200


@case(0, name="a.warc")
def bodies_of_brotli_that_expand(size):
    # 16 MiB of "a": Python has no Brotli of its own.
    body = bytes.fromhex("cfffff7ff825c2e2b14020f7fe7f")
    count = size // 50_000
    data = response(b"Content-Type: text/html\r\nContent-Encoding: br", body) * count
    return data, count * (16 << 20)


def zip_archive(entries):
    """A zip archive of (names, data): each piece of data is stored once, under all its names."""
    body, directory, count = bytearray(), bytearray(), 0
    for names, data in entries:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(data) + packer.flush()
        start = len(body)
        for number, name in enumerate(names):
            middle = struct.pack("<HHHIIIIHH", 20, 0, 8, 0x28216000, zlib.crc32(data), len(packed), len(data), len(name), 0)
            if number == 0:
                body += b"PK\3\4" + middle + name + packed
            directory += b"PK\1\2" + struct.pack("<H", 20) + middle + bytes(10) + struct.pack("<I", start) + name
            count += 1
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + end)


@case(0, "names --zip {} --from cp437 -q", name="a.zip")
def zip_of_many_names(size):
    names = [b"%d/" % number * 10 + b"\x81" * 30 for number in range(min(size // 100, 60_000))]
    data = zip_archive([([name], b"") for name in names])
    return data, len(data)


@case(1, "names --zip {} -o {out} -q", name="a.zip")
def zip_of_one_stream_under_many_names(size):
    data = zip_archive([([b"%d" % number for number in range(5000)], bytes(size * 8))])
    return data, size * 8


@case((0, 1), "names --zip {} -o {out} -q --max-size 100000000", name="a.zip")
def zip_that_expands(size):
    data = zip_archive([([b"%d" % number], bytes(size * 20)) for number in range(20)])
    return data, min(size * 20 * 20, 100_000_000)


MAIL = "convert --from auto --mail=headers {} -o {out}/ -q -j 2"
HEAD = b"From: a@a.example\r\nTo: b@b.example\r\nSubject: x\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\nMIME-Version: 1.0\r\n"


def multipart(boundary):
    return b'Content-Type: multipart/mixed; boundary="' + boundary + b'"\r\n'


def text_part(coding, charset=b"koi8-r"):
    return b"Content-Type: text/plain; charset=" + charset + b"\r\nContent-Transfer-Encoding: " + coding + b"\r\n\r\n"


@case((0, 1), MAIL, name="a.eml")
def mail_within_mail(size):
    inner = [multipart(b"%d" % number) + b"\r\n--%d\r\n" % number for number in range(size // 70)]
    data = HEAD + b"".join(inner) + text_part(b"8bit") + b"\xc1\xc2\r\n"
    return data, len(data)


@case((0, 1), MAIL, name="a.eml")
def mail_of_a_giant_boundary(size):
    boundary = b"b" * size
    nearly = (b"--" + boundary[:-1] + b"\r\n") * 8
    data = HEAD + multipart(boundary) + b"\r\n" + nearly + b"--" + boundary + b"\r\n" + text_part(b"8bit") + b"\xc1"
    return data, len(data)


@case((0, 1), MAIL, name="a.eml")
def mail_of_many_parts(size):
    part = b"--b\r\n" + text_part(b"8bit") + b"\xc1\xc2\r\n"
    data = HEAD + multipart(b"b") + b"\r\n" + part * (size // len(part)) + b"--b--\r\n"
    return data, len(data)


@case((0, 1), MAIL, name="a.eml")
def mail_of_encoded_words(size):
    words = b"=?koi8-r?Q?=C1?= =?koi8-r?B?wcI=?= =?x?q? =?=?koi8-r?Q?"
    data = HEAD + b"Subject: " + words * (size // len(words)) + b"\r\n" + text_part(b"8bit") + b"\xc1"
    return data, len(data)


@case((0, 1), MAIL, name="a.eml")
def mail_of_parameters_in_pieces(size):
    pieces = b"".join(b";\r\n name*%d*=%%C1%%C2" % number for number in range(size // 24))
    kind = b"Content-Type: text/plain; name*0*=koi8-r''%C1" + pieces
    data = HEAD + kind + b"\r\nContent-Disposition: attachment" + pieces + b"\r\n\r\n\xc1"
    return data, len(data)


@case((0, 1), MAIL, name="a.eml")
def mail_of_comments_and_quotes(size):
    deep = b"(" * (size // 4) + b'"\\' * (size // 8)
    data = HEAD + b"Content-Type: text/plain; " + deep + b"; charset=koi8-r\r\nTo: " + deep + b"\r\n\r\n\xc1"
    return data, len(data)


@case((0, 1), MAIL, name="a.mbox")
def mailbox_of_separators(size):
    line = b"From a@a.example Thu Jan  1 00:00:00 2026\n"
    data = line * (size // len(line)) + HEAD.replace(b"\r", b"") + b"\n" + line * 9
    return data, len(data)


@case((0, 1), MAIL, name="a.mbox")
def mailbox_of_quoted_separators(size):
    line = b"From a@a.example Thu Jan  1 00:00:00 2026\n" + HEAD.replace(b"\r", b"")
    data = (line + b"\n" + b">From " * 40 + b"\xc1\n\n") * (size // 400)
    return data, len(data)


table(case(1), plain_and_gzip, {
    "heads in one member": lambda size: b"WARC/1\n" * (size * 4 // 7),
    "heads with a field": lambda size: b"WARC/1.0\r\nWARC-Type: response\r\n" * (size * 4 // 31),
    "a random record before heads": lambda size: record(noise(size * 4)) + b"WARC/1\n" * (size // 10),
})

table(case(1, name="a.warc"), as_it_is, {
    "heads without compression": lambda size: b"WARC/1\n" * (size * 4 // 7),
    "lengths that are false": lambda size: record(b"HTTP/1.1 200 OK\r\n\r\ntext", length=999_999_999) * (size // 160),
    "lengths that end inside": lambda size: record(b"HTTP/1.1 200 OK\r\n\r\ntext", length=size // 2) * (size // 160),
})

table(case(1), as_it_is, {
    "magic numbers alone": lambda size: (
        gzip.compress(page(b"a"), mtime=0) + b"x" + b"\x1f\x8b\x08\0\0\0\0\0\0\xff" * (size // 10)
    ),
    "magic numbers with endless names": lambda size: (
        gzip.compress(page(b"a"), mtime=0) + b"x" + b"\x1f\x8b\x08\x08aaaaaaaaaaaa" * (size // 16)
    ),
})

table(case((0, 1), name="a.warc.zst"), as_it_is, {
    "skippable frames": lambda size: zstd_raw_frame(page(b"a")) + struct.pack("<II", 0x184D2A50, 0) * (size // 8),
})

table(case(0, "warc {} --format warc-utf8 -o {out}"), plain_and_gzip, {
    "metas of one page": lambda size: page(b"<meta http-equiv=content-type content=charset=x>" * (size * 4 // 48)),
    "metas of one tag": lambda size: page(b"<meta " + b"content=charset=x charset=y " * (size // 28)),
    "raw text without end": lambda size: page(b"<title></titl" * (size // 13)),
    "comments without end": lambda size: page(b"<!-- <meta charset=a " * (size // 21)),
    "labels in one content": lambda size: page(b'<meta http-equiv=content-type content="' + b"charset " * (size // 8)),
})

table(case(0, "warc {} --text plain -o {out}"), plain_and_gzip, {
    "nested elements": lambda size: page(b"<div><b><pre><table>" * (size // 20)),
    "attributes and references": lambda size: page(b"<p " + b"a=&amp;" * (size // 14) + b">" + b"&#x41;&notit;" * (size // 26)),
})

table(case(0), plain_and_gzip, {
    "codings without end": lambda size: response(b"Content-Type: text/html\r\nTransfer-Encoding: " + b"x," * (size * 25), b"a"),
    "codings of many fields": lambda size: (
        response(b"Content-Type: text/html" + b"\r\nContent-Encoding: br" * (size // 24), b"a")
    ),
})

table(case(1, "warc - -o {out}", name="a.warc"), as_it_is, {
    "lengths that are false in a pipe": lambda size: record(b"HTTP/1.1 200 OK\r\n\r\ntext", length=7_000_000) * (size // 160),
})

table(case((0, 1), "convert -e skip -f utf-8 {} -o {out}/ --report {out}.r -j 2", name="text"), as_it_is, {
    "malformed bytes": lambda size: b"\xff" * (size * 4),
    "malformed and well formed bytes": lambda size: b"\xffa" * (size * 2),
})

table(case((0, 1), "detect -v {}", name="text"), as_it_is, {
    "text to guess": lambda size: bytes(range(128, 256)) * (size // 128),
})

table(case(0, edit("utf-7"), name="text"), without_content, {
    "places in utf 7": lambda size: b"a\n" * (size * 2),
    "places in one run of utf 7": lambda size: b"+" + b"AGEACgBhAAoAYQAK" * (size // 4) + b"-",
})

table(case(0, edit("ibm939"), name="text"), without_content, {
    "places in ibm939": lambda size: b"\x81\x15" * (size * 2),
})

table(case(0, edit("iso-2022-jp"), name="text"), without_content, {
    "places in iso 2022 jp": lambda size: b"a\x1b$B0!\x1b(B" * (size // 2),
})

table(case(1, "names --zip {} -o {out} -q", name="a.zip"), as_it_is, {
    "zip of collisions": lambda size: zip_archive([([b"a/" * 50 + b"b"], b"")] * min(size // 400, 60_000)),
})

table(case((0, 1), MAIL, name="a.eml"), as_it_is, {
    "mail within mail of one boundary": lambda size: (
        HEAD + (multipart(b"b") + b"\r\n--b\r\n") * (size // 50) + text_part(b"8bit") + b"\xc1\r\n"
        + b"--b--\r\n" * (size // 50)
    ),
    "mail of messages within messages": lambda size: (
        HEAD + b"Content-Type: message/rfc822\r\n\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * (size // 35) + HEAD
        + b"\r\n\xc1\r\n"
    ),
    "mail of many fields": lambda size: HEAD + b"X:\r\n" * (size * 4) + text_part(b"8bit") + b"\xc1\xc2\r\n",
    "mail of one folded field": lambda size: HEAD + b"X: a\r\n" + b" \xc1\r\n" * size + text_part(b"8bit") + b"\xc1\r\n",
    "mail of lines that are nearly boundaries": lambda size: (
        HEAD + multipart(b"-" * 69 + b"b") + b"\r\n" + (b"-" * 71 + b"\r\n") * (size // 20)
    ),
    "mail of soft line breaks": lambda size: (
        HEAD + text_part(b"quoted-printable") + b"=\r\n" * (size // 2) + b"=C1=C2= \t \r\n=G=" * (size // 20) + b"="
    ),
    "mail of one quoted line": lambda size: HEAD + text_part(b"quoted-printable") + b"=C1" * size + b" " * size + b"=C",
    "mail of base64 that is cut off": lambda size: HEAD + text_part(b"base64") + b"wcLD\r\n" * size + b"w",
    "mail of base64 among noise": lambda size: HEAD + text_part(b"base64") + b"w=c*L=\0D\xff" * (size // 4),
    "mail of zero bytes": lambda size: HEAD + b"Subject: " + bytes(size) + b"\r\n" + text_part(b"8bit") + bytes(size),
    "mail of starts of encoded words": lambda size: (
        HEAD + b"Subject: " + b"=?a?q?" * (size // 6) + b"\r\nX: " + b"=?" * (size // 2) + b"\r\n" + text_part(b"8bit")
        + b"\xc1"
    ),
})


# Command, input, and the growth that is allowed of memory while the size becomes eight times as large; time may grow by as much as the
# size, and a half more. An input takes a folder and a size, and writes what the command names.
GROWTH = []
MOST_TIME = 1.5 * 8
# Measurements of less than that are noise.
LEAST_SECONDS, LEAST_MEMORY = 0.5, 32 << 10
# Other work on the machine lengthens the time of a system call, and never shortens it: the least of these attempts counts.
ATTEMPTS = 5


def growth(command, memory, sizes=1.0, before=""):
    """`before` is a command that comes first, and is not measured."""

    def add(make, title=None):
        GROWTH.append((title or make.__name__.replace("_", " "), make, (before, command), memory, sizes))
        return make

    return add


def files(folder, count, data, ending):
    (folder / "in").mkdir()
    for number in range(count):
        (folder / "in" / f"{number}{ending}").write_bytes(data)


def page_of(make, name="page.txt"):
    """An input of one file: its data as a function of the size."""

    def write(folder, size):
        (folder / name).write_bytes(make(size))

    return write


CONVERT = "convert -f koi8-r in -o out -q -j 1 --report report"


@growth("convert --mail=headers in -o out -q -j 1 --report report", 1.25, 0.1)
def files_of_many_parts(folder, size):
    part = b"--b\n" + text_part(b"8bit", b"nonsense").replace(b"\r", b"") + b"\xc1\n"
    files(folder, size // 10_000, HEAD.replace(b"\r", b"") + multipart(b"b") + b"\n" + part * 900 + b"--b--\n", ".eml")


def sha1(data):
    return hashlib.sha1(data).hexdigest()


@growth("put page.txt --expect {} -q", 10.0, 0.1)
def lines_that_differ(folder, size):
    lines = [b"%d\n" % (byte % 4) for byte in noise(2 * size)]
    (folder / "page.txt").write_bytes(b"".join(lines[:size]))
    (folder / "stdin").write_bytes(b"".join(lines[size:]))
    return "UTF-8:" + sha1(b"".join(lines[:size]))


@growth("put page.txt --expect {} -q", 10.0, 0.1)
def one_line_that_differs(folder, size):
    (folder / "page.txt").write_bytes(noise(size).hex().encode())
    (folder / "stdin").write_bytes(noise(size, 8).hex().encode())
    return "UTF-8:" + sha1(noise(size).hex().encode())


@growth("edit page.txt --from koi8-r --patch change -q", 10.0, 0.02)
def hunks_of_a_diff(folder, size):
    (folder / "page.txt").write_bytes(b"".join(b"%d\n" % line for line in range(size)))
    hunks = (b"@@ -%d +%d @@\n-%d\n+x\n" % (line + 1, line + 1, line) for line in range(0, size, 10))
    (folder / "change").write_bytes(b"--- a\n+++ b\n" + b"".join(hunks))


@growth("convert -f koi8-r --files-from list -o out -q --resume=journal", 4.0, 0.01)
def files_of_a_list(folder, size):
    files(folder, size // 10, b"\xd4", ".txt")
    (folder / "list").write_text("".join(f"in/{number}.txt\n" for number in range(size // 10)))


@growth("warc page.warc -o out -q --force --dedup digest", 8.0)
def records_that_are_told_apart(folder, size):
    pages = (page(b"text %d" % number) for number in range(size // 100))
    (folder / "page.warc").write_bytes(b"".join(pages))


@growth("warc page.warc -o out -q --force --cdx list", 4.0)
def lines_of_an_index(folder, size):
    one = page(b"text \xc1")
    (folder / "page.warc").write_bytes(one * (size // 100))
    entry = '{{"url": "http://a.example/", "length": "{}", "offset": "{}", "filename": "page.warc"}}\n'
    lines = (f"a,example)/ 2020 " + entry.format(len(one), at * len(one)) for at in range(0, size // 100, 3))
    (folder / "list").write_text("".join(lines))


@growth("names in --from koi8-r --rename -q", 4.0, 0.05)
def names_to_change(folder, size):
    (folder / "in").mkdir()
    for number in range(size // 10):
        (folder / "in" / os.fsdecode(b"\xd4%d" % number)).write_bytes(b"")


# The input is the file that the command names, or files of a folder.
for title, make, command, memory, *sizes in [
    ("files of many declarations",
     lambda folder, size: files(folder, size // 10_000, gzip.compress(b"<meta charset=koi8-r>" * 20_000 + b"\xf0", 9), ".html.gz"),
     CONVERT + " --update-declared", 1.25, 0.1),
    ("files of many errors",
     lambda folder, size: files(folder, size // 10_000, b"\xc1 " * 5_000, ".txt"),
     CONVERT + " --to latin1 --errors html", 1.25, 0.1),
    ("files of many repairs",
     lambda folder, size: files(folder, size // 10_000, "Ð¿Ñ€Ð¸Ð²ÐµÑ‚\n".encode() * 900, ".txt"),
     "convert -f utf-8 --repair in -o out -q -j 1 --report report", 1.25, 0.1),
    ("misread text to check",
     page_of(lambda size: ("Ã©" * 200 + "Привет ").encode() * (size // 80)),
     "check -f utf-8 page.txt -q", 1.25, 0.5),
    ("misread words to check",
     page_of(lambda size: "ÑÅÊÐÅÒ\n".encode() * (size // 4)),
     "check -f utf-8 page.txt -q", 1.25, 0.5),
    ("files of many changes",
     lambda folder, size: files(folder, size // 10_000, b"\xc1\xc2\n\xd0\x9f\n" * 900, ".txt"),
     "convert --mixed -f koi8-r in -o out -q -j 1 --report report", 1.25, 0.1),
    ("metas of one file",
     page_of(lambda size: b"<meta charset=koi8-r>" * (size // 200), "page.html"),
     "convert -f koi8-r page.html -o out -q --update-declared --force", 4.0),
    ("commands in one line",
     page_of(lambda size: b"x\\inputencoding{ encoding " * (size // 200), "page.texi"),
     "convert -f koi8-r page.texi -o out -q --update-declared --force", 4.0),
    ("places of an edit",
     page_of(lambda size: b"a\n" * size),
     "edit page.txt --from latin1 --replace a b --all -q", 1.25, 2.0),
    ("places of an edit in shift jis",
     page_of(lambda size: b"a\n" * size),
     "edit page.txt --from shift_jis --replace a b --all -q", 1.25, 2.0),
    ("places of an edit in utf 7",
     page_of(lambda size: b"a\n" * size),
     "edit page.txt --from utf-7 --replace a b --all -q", 1.25, 2.0),
    ("places of an edit in iso 2022 jp",
     page_of(lambda size: b"a\x1b$B0!\x1b(B\n" * (size // 4)),
     "edit page.txt --from iso-2022-jp --replace a b --all -q", 1.25, 2.0),
    ("errors of a check",
     page_of(lambda size: b"\xff\n" * size),
     "check -f koi8-r page.txt -q", 1.25),
    ("text to detect",
     page_of(lambda size: b"\xd4\xc5\xcb\xd3\xd4 " * size),
     "detect page.txt", 1.25),
    ("a line to show",
     page_of(lambda size: b"\xd4" * 4 * size),
     "show -f koi8-r page.txt", 1.25),
    ("names of a folder",
     lambda folder, size: files(folder, size // 20, b"", ".txt"),
     "names in --from koi8-r", 4.0, 0.02),
    ("names of a zip archive",
     page_of(lambda size: zip_archive([([b"%d" % number], b"") for number in range(size // 25)]), "page.zip"),
     "names --zip page.zip --from cp437 -q", 10.0, 0.2),
    ("records of an archive",
     page_of(lambda size: page(b"text \xc1") * (size // 100), "page.warc"),
     "warc page.warc -o out -q --force", 1.25),
    ("pages of a folder",
     lambda folder, size: files(folder, size // 50, b"<p>\xd4\xc5\xcb\xd3\xd4", ".html"),
     "pages in -o out -q --force", 4.0, 0.05),
    ("a text to get",
     page_of(lambda size: b"\xd4\n" * size),
     "get page.txt --from koi8-r -q", 10.0),
    ("files to compare",
     lambda folder, size: files(folder, size // 10, b"text", ".txt"),
     "check --against in in -f utf-8 -q", 4.0, 0.05),
    ("records for shards",
     page_of(lambda size: page(b"text \xc1") * (size // 100), "page.warc"),
     "warc page.warc -o out.jsonl -q --force --shards 8", 1.25),
    ("files with backups",
     lambda folder, size: files(folder, size // 10, b"\xd4", ".txt"),
     "convert -f koi8-r -i in -q --backup .orig", 4.0, 0.01),
    ("files of damage",
     lambda folder, size: files(folder, size // 1_000, gzip.compress(noise(20_000))[:-4_000], ".txt.gz"),
     "convert --salvage -f koi8-r in -o out -q -j 1 --report report", 1.25, 0.1),
    ("names of a zip archive to unpack",
     page_of(lambda size: zip_archive([([b"%d" % number], b"") for number in range(size // 25)]), "page.zip"),
     "names --zip page.zip --from cp437 -o out -q", 10.0, 0.02),
]:
    growth(command, memory, *sizes)(make, title)


@growth("undo -q", 4.0, 0.01, before="convert -f koi8-r -i in -q --backup .orig")
def files_to_take_back(folder, size):
    files(folder, size // 10, b"\xd4", ".txt")


# Runs a command and writes its processor seconds and peak memory. The peak of a process begins with that of the process that starts
# it, which is small here and is not in this script.
MEASURE = """
import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=open(sys.argv[1], "w"))
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""


def grown(binary, make, commands, size):
    """Processor seconds and peak memory in KB of a command on an input of a size."""
    with tempfile.TemporaryDirectory(prefix="mojika-growth-") as folder:
        expected = make(pathlib.Path(folder), size)
        before, command = (command.replace("{}", expected or "") for command in commands)
        given = pathlib.Path(folder) / "stdin"
        environment = {**os.environ, "XDG_STATE_HOME": folder + "/state"}
        binary = os.path.abspath(binary)
        if before:
            subprocess.run([binary, *before.split()], cwd=folder, env=environment, check=True)
        with tempfile.NamedTemporaryFile("r") as used:
            done = subprocess.run(
                [sys.executable, "-ISc", MEASURE, used.name, binary, *command.split()],
                cwd=folder,
                env=environment,
                stdin=open(given) if given.exists() else subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if done.returncode not in (0, 1) or b"panicked" in done.stderr:
                return None
            seconds, memory = used.read().split()
        return float(seconds), int(memory)


def check_growth(binary, base, factors, only):
    """Names of the commands of which time or memory grows by more than is allowed."""
    failed = []
    for name, make, commands, memory, sizes in GROWTH:
        if only not in name:
            continue
        size = int(base * sizes)
        least = None
        for _ in range(ATTEMPTS):
            measured = [grown(binary, make, commands, size * factor) for factor in factors]
            is_bad = None in measured
            if not is_bad:
                least = [tuple(map(min, *pair)) for pair in zip(least or measured, measured)]
                (first_time, first_memory), (last_time, last_memory) = least[0], least[-1]
                is_bad = (
                    last_time > MOST_TIME * max(first_time, LEAST_SECONDS / 8)
                    or last_memory > memory * max(first_memory, LEAST_MEMORY)
                )
            shown = "  ".join("none" if one is None else f"{one[0]:.2f} s {one[1] >> 10} MB" for one in measured)
            print(f"{name:<44} {shown}{'  FAILED' if is_bad else ''}", flush=True)
            if not is_bad:
                break
        if is_bad:
            failed.append(name)
    return failed


# Commands of which a signal at any point leaves files that are as before or complete. Each begins with the files of `to_interrupt`.
INTERRUPTED = [
    "convert -f koi8-r in -o out -q -j 2",
    "convert -f koi8-r -i in -q -j 2",
    "edit in/0.txt --from koi8-r --replace a b --all -q",
    "warc page.warc -o out -q --force",
    "names in --from koi8-r --rename -q",
]


def to_interrupt(folder):
    files(folder, 40, b"\xd4a\n" * 60_000, ".txt")
    (folder / "page.warc").write_bytes(page(b"text \xc1" * 100) * 3000)
    for number in range(200):
        (folder / "in" / os.fsdecode(b"\xd4%d" % number)).write_bytes(b"\xd4")


def state(folder):
    """The names below a folder, with the digest of each file."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "state" not in path.relative_to(folder).parts)
    return {str(path.relative_to(folder)): sha1(path.read_bytes()) for path in paths}


def start(binary, folder, words, **others):
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    return subprocess.Popen([os.path.abspath(binary), *words], cwd=folder, env=environment, stderr=subprocess.PIPE, **others)


def check_interruptions(binary, rounds, only):
    """Names of the commands that leave half of a file, or lose one, where a signal ends them."""
    chance, failed = random.Random(11), []
    for command in INTERRUPTED:
        if only not in command:
            continue
        bad = []
        for number in range(rounds + 1):
            with tempfile.TemporaryDirectory(prefix="mojika-signal-") as name:
                folder = pathlib.Path(name)
                to_interrupt(folder)
                before, began = state(folder), time.monotonic()
                process = start(binary, folder, command.split())
                if number > 0:
                    time.sleep(chance.random() * length)
                    process.send_signal(chance.choice([signal.SIGTERM, signal.SIGINT]))
                message = process.communicate()[1]
                after = state(folder)
                if number == 0:
                    complete, length = after, time.monotonic() - began
                halves = [path for path, digest in after.items() if digest not in (before.get(path), complete.get(path))]
                lost = [path for path in before if path not in after and path in complete]
                kept = len(after) >= len(before)
                if halves or lost or not kept or b"panicked" in message:
                    bad.append((number, halves, lost))
        print(f"{command:<64} {rounds} signals in {length:.2f} s{f'  FAILED {bad[0]}' if bad else ''}", flush=True)
        failed += [command] * bool(bad)
    return failed


# What the shell runs, and the exit statuses that are right: nothing is written, or nothing is left half-written.
FAILURES = [
    ("reading fails", "mojika convert -f koi8-r < in > /dev/null", {1, 2}),
    ("reading a file fails", "mojika get --from koi8-r /proc/self/mem", {1, 2}),
    ("writing fails", "mojika convert -f koi8-r in/0.txt > /dev/full", {1, 2}),
    ("a pipe closes", "mojika convert -f koi8-r in/0.txt | head -c 1 > /dev/null; exit ${PIPESTATUS[0]}", {0, 1, 2, 141}),
    ("a pipe closes before", "mojika convert -f koi8-r in/0.txt > >(exec true); exit $?", {0, 1, 2, 141}),
    ("files may not be long", "ulimit -f 10; mojika convert -f koi8-r in -o out -q", {1, 2, 153}),
    ("files may not be long, in place", "ulimit -f 10; mojika convert -f koi8-r -i in -q", {1, 2, 153}),
    ("an edit may not be long", "ulimit -f 10; mojika edit in/0.txt --from koi8-r --replace a bb --all", {1, 2, 153}),
    ("an archive's text may not be long", "ulimit -f 10; mojika warc page.warc -o out", {1, 2, 153}),
    ("a folder may not be written", "mount --bind -o ro in in && ! mojika convert -f koi8-r -i in -q", {0}),
    ("a folder may not be written, names", "mount --bind -o ro in in && ! mojika names in --from koi8-r --rename -q", {0}),
]


def check_failures(binary, only):
    """Names of the failures of the system after which a file is half-written or lost, or the exit status is wrong."""
    failed = []
    path = f"{os.path.dirname(os.path.abspath(binary))}:{os.environ['PATH']}"
    can_mount = subprocess.run(["unshare", "-m", "mount", "--bind", "-o", "ro", "/usr", "/usr"], stderr=subprocess.DEVNULL)
    for name, script, statuses in FAILURES:
        if only not in name:
            continue
        words = ["bash", "-c", script]
        if "mount" in script:
            words = ["unshare", "-m", *words]
            if can_mount.returncode != 0:
                print(f"{name:<44} left out: folders can be mounted read-only as root alone")
                continue
        with tempfile.TemporaryDirectory(prefix="mojika-failure-") as folder:
            folder = pathlib.Path(folder)
            to_interrupt(folder)
            before = state(folder)
            environment = {**os.environ, "PATH": path, "XDG_STATE_HOME": str(folder / "state")}
            done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            after = state(folder)
            # Short files are converted.
            changed = [path for path, digest in before.items() if after.get(path) != digest and path.endswith(".txt")]
            long = [path for path in after if path not in before and (folder / path).stat().st_size > 10_000]
            is_bad = done.returncode not in statuses or changed or long or b"panicked" in done.stderr
            print(f"{name:<44} status {done.returncode}{f'  FAILED {changed[:2]} {long[:2]}' if is_bad else ''}", flush=True)
            failed += [name] * bool(is_bad)
    return failed


def run(binary, path, command, out, limit, memory):
    words = [word.replace("{out}", str(out)).replace("{}", str(path)) for word in command.split()]

    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    stdin = open(path, "rb") if " - " in command else subprocess.DEVNULL
    if stdin != subprocess.DEVNULL:
        # A pipe, not the file.
        stdin = subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE).stdout
    environment = {**os.environ, "XDG_STATE_HOME": str(out) + ".state"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(
        [binary, *words], stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=restrict, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return done.returncode, seconds, time.monotonic() - start, done.stderr.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--unoptimised", action="store_true")
    parser.add_argument("--binary", default="target/release/mojika")
    parser.add_argument("--only", default="", help="cases whose names have this")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the files in this folder")
    args = parser.parse_args()
    if not os.path.exists(args.binary):
        parser.error(f"{args.binary} is not there: build it (cargo build --release -p mojika-cli), or name another with --binary")
    size = 250_000 if args.short else 1_000_000
    folder = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="mojika-hostile-"))
    folder.mkdir(exist_ok=True)
    failed = []
    print(f"{'case':<44} {'file':>9} {'holds':>11} {'status':>6} {'limit s':>8} {'cpu s':>7}")
    for name, make, statuses, command, file_name, for_file, memory in CASES:
        if args.only not in name:
            continue
        data, content = make(size)
        own = folder / name.replace(" ", "-")
        own.mkdir(exist_ok=True)
        path = own / file_name
        path.write_bytes(data)
        limit = BASE + for_file * len(data) / 1e6 + FOR_CONTENT * content / 1e6
        limit *= UNOPTIMISED if args.unoptimised else 1
        status, seconds, _, message = run(args.binary, path, command, own / "out", limit, memory)
        is_bad = status not in statuses or seconds > limit or "panicked" in message
        print(
            f"{name:<44} {len(data):>9} {content:>11} {status:>6} {limit:>8.2f} {seconds:>7.2f}{'  FAILED' if is_bad else ''}",
            flush=True,
        )
        if is_bad:
            failed.append(name)
            print("    " + "\n    ".join(message.strip().splitlines()[:8]))
    if not args.keep:
        shutil.rmtree(folder)
    print("growth while the size doubles three times")
    # Only the first and the last size decide; those between show where a growth begins.
    factors = (1, 8) if args.short else (1, 2, 4, 8)
    failed += check_growth(args.binary, 100_000 if args.short else 1_000_000, factors, args.only)
    print("signals at random points")
    failed += check_interruptions(args.binary, 6 if args.short else 60, args.only)
    print("failures of the system")
    failed += check_failures(args.binary, args.only)
    if failed:
        sys.exit(f"{len(failed)} cases failed: {', '.join(failed)}")
    print("all within their limits")


if __name__ == "__main__":
    main()
