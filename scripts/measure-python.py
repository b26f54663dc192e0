#!/usr/bin/env python3
"""Measures the Python module: legacy CSV in pandas, pyarrow and polars against the same file in UTF-8; codecs against
CPython's; a column of Arrow against a loop.

    scripts/measure-python.py                 # all, with a 100 MB file
    scripts/measure-python.py --megabytes 20 --only codecs

Each figure is the median of alternating runs by time of day, with the least and the greatest; ratios are of medians. One
thread for the engines. Run it with the Python that has the wheel and the engines, on a quiet machine.
"""
import argparse
import os
import statistics
import tempfile
import time

os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mojika
import mojika.arrow

TEXT = "文字化けという現象は、文字コードの取り違えで起こる。ソースは表示できない。カタカナも漢字もある。"
# CPython's codec for each of the encodings that it has, and text that the two write alike.
CODECS = {
    "Shift_JIS": ("cp932", TEXT), "EUC-JP": ("euc_jp", TEXT), "ISO-2022-JP": ("iso2022_jp", TEXT),
    "GBK": ("gbk", "汉字编码转换的速度，取决于字符集的大小。"), "gb18030": ("gb18030", "汉字编码转换的速度，取决于字符集的大小。"),
    "Big5": ("big5", "漢字編碼轉換的速度，取決於字符集的大小。"), "EUC-KR": ("cp949", "한글 부호화의 빠르기는 문자 집합에 달렸다. "),
    "UTF-8": ("utf-8", TEXT), "UTF-16LE": ("utf-16-le", TEXT), "UTF-16BE": ("utf-16-be", TEXT),
    "UTF-32LE": ("utf-32-le", TEXT),
    "windows-1251": ("cp1251", "Съешь же ещё этих мягких французских булок, да выпей чаю. "), "KOI8-R": ("koi8-r", "съешь же ещё этих мягких булок "),
    "windows-1252": ("cp1252", "naïve cafés, déjà vu; façade über alles. "), "extended:ISO-8859-1": ("latin-1", "naïve cafés, déjà vu; façade. "),
    "extended:US-ASCII": ("ascii", "The quick brown fox jumps over the lazy dog. "), "IBM037": ("cp037", "The quick brown fox jumps. "),
    "ISO-8859-2": ("iso8859-2", "příliš žluťoučký kůň úpěl ďábelské ódy "), "windows-1253": ("cp1253", "ξεσκεπάζω την ψυχοφθόρα βδελυγμία "),
    "macintosh": ("mac_roman", "naïve cafés, déjà vu. "), "IBM866": ("cp866", "Съешь же этих мягких булок "),
}


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


def codecs_(rounds):
    slower = []
    for label, (python, text) in CODECS.items():
        for size in (20, 2_000, 1_000_000):
            text_ = (text * (size // len(text) + 1))[:size]
            data = text_.encode(python)
            assert mojika.encode(text_, label) == data and mojika.decode(data, label, bom="keep") == text_
            times = max(1, 40_000 // size)
            repeat = range(times)

            def each(call, *arguments):
                def run():
                    for _ in repeat:
                        call(*arguments)

                return run

            decode = alternately(
                rounds, cpython=each(data.decode, python), mojika=each(mojika.decode, data, label)
            )
            encode = alternately(
                rounds, cpython=each(text_.encode, python), mojika=each(mojika.encode, text_, label)
            )
            ratios = [way["cpython"][0] / way["mojika"][0] for way in (decode, encode)]
            print(f"{label:<20} {size:>8} characters: decode {ratios[0]:6.2f}, encode {ratios[1]:6.2f} times CPython's {python}", flush=True)
            slower += [(label, size, way) for way, ratio in zip(("decode", "encode"), ratios) if ratio < 1]
    print("slower than CPython:", slower or "none")


def columns(rounds):
    import pyarrow

    rows = [(TEXT * 2)[n % 40 : n % 40 + 40].encode("cp932") for n in range(200_000)]
    column = pyarrow.array(rows)
    whole = b"\n".join(rows)
    times = alternately(
        rounds,
        bare_call=lambda: mojika.to_utf8(whole, "shift_jis"),
        column=lambda: mojika.arrow.decode(column, "shift_jis"),
        loop_mojika=lambda: pyarrow.array([mojika.decode(row.as_py(), "shift_jis") for row in column]),
        loop_cpython=lambda: pyarrow.array([row.as_py().decode("cp932") for row in column]),
    )
    show("200,000 rows", times, "column")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["files", "codecs", "columns"])
    args = parser.parse_args()
    if args.only in (None, "files"):
        files(args.megabytes, args.rounds)
    if args.only in (None, "codecs"):
        codecs_(args.rounds)
    if args.only in (None, "columns"):
        columns(args.rounds)


if __name__ == "__main__":
    main()
