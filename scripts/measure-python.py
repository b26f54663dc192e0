#!/usr/bin/env python3
"""Measures the Python module: legacy CSV in pandas, pyarrow and polars against the same file in UTF-8; codecs against
CPython's; a column of Arrow against a loop.

    scripts/measure-python.py                 # all, with a 100 MB file
    scripts/measure-python.py --megabytes 20 --only codecs

Each figure is the median of alternating runs by time of day, with the least and the greatest; ratios are of medians. One
thread for the engines. Run it with the Python that has the wheel and the engines, on a quiet machine.
"""
import argparse
import codecs
import os
import random
import statistics
import tempfile
import time

os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mojika
import mojika.arrow

TEXT = "文字化けという現象は、文字コードの取り違えで起こる。ソースは表示できない。カタカナも漢字もある。"
CHINESE = "汉字编码转换的速度，取决于字符集的大小。"
# CPython's codec for encodings that it has under another name, and text for those of more than one byte.
NAMES = {
    "Shift_JIS": "cp932", "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp", "EUC-KR": "cp949", "windows-874": "cp874",
    "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "ISO-8859-8-I": "iso8859-8", "IBM037": "cp037",
}
TEXTS = {
    "Shift_JIS": TEXT, "EUC-JP": TEXT, "ISO-2022-JP": TEXT, "GBK": CHINESE, "gb18030": CHINESE,
    "Big5": "漢字編碼轉換的速度，取決於字符集的大小。", "EUC-KR": "한글 부호화의 빠르기는 문자 집합에 달렸다. ",
}


def peer(name):
    """CPython's codec for an encoding of ours, or None."""
    bare = name.removeprefix("extended:")
    for known in (NAMES.get(bare), bare, bare.replace("IBM", "cp"), bare.replace("windows-", "cp")):
        try:
            if known is not None:
                return codecs.lookup(known).name
        except LookupError:
            pass
    return None


def text_of(name, python):
    """Text that both encode, and alike: words of the letters that the encoding has, half of them not ASCII if it can be. None if
    they agree on no letter."""
    if name in TEXTS or name.startswith("UTF-"):
        return TEXTS.get(name, TEXT)
    letters = [bytes([byte]).decode(python, "ignore") for byte in range(256)]
    letters = [letter for letter in letters if letter.isalpha() and mojika.encode(letter, name, "ignore") == letter.encode(python)]
    if not letters:
        return None
    rng = random.Random(name)
    halves = [letter for letter in letters if letter.isascii()], [letter for letter in letters if not letter.isascii()]
    words = ("".join(rng.choices(rng.choice([half for half in halves if half]), k=rng.randrange(2, 9))) for _ in range(60))
    return " ".join(words) + " "


def alternately(rounds, **calls):
    """Seconds of each call: medians, least, greatest."""
    times = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: (statistics.median(seen), min(seen), max(seen)) for name, seen in times.items()}


def show(what, times, base):
    for name, (median, least, most) in times.items():
        print(f"{what:<22} {name:<14} {median:8.4f} s ({least:.4f}-{most:.4f})  {median / times[base][0]:6.2f} x {base}", flush=True)


def files(megabytes, rounds):
    import pandas
    import polars
    import pyarrow
    from pyarrow import csv

    pyarrow.set_cpu_count(1)
    try:
        # From 3.1 on it reads large files of UTF-8 with several threads, if it opens them itself.
        pandas.set_option("mode.max_threads", 1)
    except KeyError:
        pass
    row = f"{TEXT[:12]},{{}},{TEXT[12:30]},3.25,plain ASCII text\n"
    rows = megabytes * 1_000_000 // len(row.format(100_000).encode("cp932"))
    text = "one,two,three,four,five\n" + "".join(row.format(n) for n in range(rows))
    with tempfile.TemporaryDirectory() as folder:
        legacy, utf_8 = os.path.join(folder, "legacy.csv"), os.path.join(folder, "utf-8.csv")
        with open(legacy, "wb") as file:
            file.write(text.encode("cp932"))
        with open(utf_8, "wb") as file:
            file.write(text.encode())
        print(f"CSV: {os.path.getsize(legacy)} bytes of Shift_JIS, {os.path.getsize(utf_8)} of UTF-8")
        engines = {
            "pandas": (lambda file: pandas.read_csv(file), lambda: pandas.read_csv(legacy, encoding="cp932")),
            "pyarrow": (
                lambda file: csv.read_csv(file, read_options=csv.ReadOptions(use_threads=False)),
                lambda: csv.read_csv(legacy, read_options=csv.ReadOptions(encoding="cp932", use_threads=False)),
            ),
            "polars": (lambda file: polars.read_csv(file), lambda: polars.read_csv(legacy, encoding="cp932")),
        }
        for name, (read, today) in engines.items():
            times = alternately(
                rounds, utf_8=lambda: read(utf_8), mojika=lambda: read(mojika.open(legacy, "shift_jis")), today=today
            )
            show(name, times, "utf_8")


def codecs_(rounds, only):
    """Each encoding that CPython has: the function, and the registered codec, against CPython's.

    CPython calls its own UTF-8 and ASCII without asking the registry, which no other codec can have. So its codecs are timed
    under another name, too: what the registry leaves possible.
    """
    mojika.register_codecs()
    codecs.register(lambda name: codecs.lookup(name[6:]) if name.startswith("other_") else None)
    slower = []
    for name in mojika.encodings():
        python = peer(name)
        if python is None or (only and name not in only):
            continue
        text = text_of(name, python)
        if text is None:
            print(f"{name}: CPython's {python} has other letters", flush=True)
            continue
        for size in (20, 2_000, 1_000_000):
            text_ = (text * (size // len(text) + 1))[:size]
            data = text_.encode(python)
            if mojika.encode(text_, name) != data or mojika.decode(data, name, bom="keep") != text_:
                # CPython's UTF-32 has a byte order mark, and its iso2022_kr begins otherwise.
                print(f"{name}: CPython's {python} has other bytes", flush=True)
                break
            codec, calls = f"mojika:{name}", range(max(1, 40_000 // size))

            def each(call, *arguments):
                def run():
                    for _ in calls:
                        call(*arguments)

                return run

            for way, ours, object_ in (("decode", mojika.decode, data), ("encode", mojika.encode, text_)):
                own = getattr(object_, way)
                times = alternately(
                    rounds,
                    cpython=each(own, python),
                    registry=each(own, f"other_{python}"),
                    function=each(ours, object_, name),
                    codec=each(own, codec),
                )
                base = times["cpython"][0]
                function, codec_, registry = (base / times[key][0] for key in ("function", "codec", "registry"))
                print(
                    f"{name:<20} {way} {size:>8} characters: function {function:7.2f}, codec {codec_:7.2f} times CPython's {python},"
                    f" itself {registry:7.2f} through the registry",
                    flush=True,
                )
                slower += [(name, way, size, f"{codec_:.2f}", f"{registry:.2f}")] if codec_ < 1 else []
    print("codecs slower than CPython's, and CPython's through the registry:", *(slower or ["none"]), sep="\n  ")


def columns(rounds):
    import pyarrow

    rows = [(TEXT * 2)[n % 40 : n % 40 + 40].encode("cp932") for n in range(200_000)]
    column = pyarrow.array(rows)
    # By itself: between the loops, the allocator gives its 24 MB back to the system and pays for new pages each time. The
    # same in Rust, and a call for each row: `cargo run --release --example measure` in bindings/arrow.
    times = alternately(4 * rounds, column=lambda: mojika.arrow.decode(column, "shift_jis"))
    times |= alternately(
        rounds,
        loop_mojika=lambda: pyarrow.array([mojika.decode(row.as_py(), "shift_jis") for row in column]),
        loop_cpython=lambda: pyarrow.array([row.as_py().decode("cp932") for row in column]),
    )
    show("200,000 rows", times, "column")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["files", "codecs", "columns"])
    parser.add_argument("--encodings", nargs="*", default=[], help="those alone, of the codecs")
    args = parser.parse_args()
    if args.only in (None, "files"):
        files(args.megabytes, args.rounds)
    if args.only in (None, "codecs"):
        codecs_(args.rounds, args.encodings)
    if args.only in (None, "columns"):
        columns(args.rounds)


if __name__ == "__main__":
    main()
