#!/usr/bin/env python3
"""Measures sniffing: in one process beside decoding, and `mojika detect` on large files.

    scripts/measure-sniffing.py [--corpora DIR] [--megabytes N] [--runs N] [--folder DIR] [--files-only]

First the bench `sniffing` (pages of --corpora, or made ones), unless --files-only; then `mojika detect FILE` on files of
--megabytes (default 200) in --folder (default: a temporary one): seconds of the whole process, median of --runs (default 15) with least and most, and
how many bytes were read of the file (what the process read in all, less what it reads with an empty file). Fails if a median
reaches 0.3 s, if more than 64 KB and a block are read where the encoding is declared, or more than 16 MB where the text may turn
into text of another encoding (ASCII and UTF-8 may be read on until something tells).
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is declared or guessed is compared with a first piece of the text; UTF-8 and a late `meta` ask for all of it.
PIECE, TURNS, ALL = 68 * 1024, 17 << 20, float("inf")
RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей чаю. "
PAGE = "<p class=item><a href=/text.html>" + RUSSIAN + "</a></p>\n"

# Name, start, what is repeated, encoding, most bytes read, source.
FILES = [
    ("a.html", "<!doctype html><meta charset=windows-1251>", PAGE, "cp1251", PIECE, "meta"),
    ("b.xml", "<?xml version='1.0' encoding='windows-1251'?><a>", PAGE, "cp1251", PIECE, "xml-declaration"),
    ("c.xml", "<a>", PAGE, "utf-8", ALL, "default"),
    ("d.css", '@charset "windows-1251";', "/* " + RUSSIAN + "*/\n", "cp1251", PIECE, "css-charset"),
    ("e.txt", "\ufeff", RUSSIAN, "utf-16-le", TURNS, "bom"),
    ("f.html", "<!doctype html>", PAGE, "cp1251", ALL, "detection"),
    ("g.txt", "", RUSSIAN, "cp1251", TURNS, "detection"),
    ("h.txt", "", RUSSIAN, "utf-8", ALL, "detection"),
    ("i.txt", "", "plain ASCII, over and over\n", "ascii", ALL, "default"),
]


def run(mojika, file):
    """Seconds, bytes read by the process, and its output."""
    start = time.perf_counter()
    child = subprocess.Popen([mojika, "detect", "--json", file], stdout=subprocess.PIPE)
    output = child.stdout.read()
    # The child is dead and not yet forgotten: its counts can be read.
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.perf_counter() - start
    counts = dict(line.split(": ") for line in pathlib.Path(f"/proc/{child.pid}/io").read_text().splitlines())
    if child.wait():
        sys.exit(f"error: {file}: {output.decode()}")
    return seconds, int(counts["rchar"]), json.loads(output)


def write(path, start, unit, encoding, length):
    unit = unit.encode(encoding)
    block = unit * (1 + (1 << 20) // len(unit))
    with open(path, "wb") as file:
        file.write(start.encode(encoding))
        while file.tell() < length:
            file.write(block)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=pathlib.Path)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--folder")
    parser.add_argument("--files-only", action="store_true")
    arguments = parser.parse_args()
    mojika, failed = built.command(), False
    if not arguments.files_only:
        bench = ["cargo", "run", "-q", "--profile", "bench", "-p", "mojika-benches", "--example", "sniffing", "--"]
        failed = subprocess.run(bench + ([arguments.corpora.resolve()] if arguments.corpora else []), cwd=ROOT).returncode != 0
    print(f"\nmojika detect on files of {arguments.megabytes:g} MB, {arguments.runs} runs each\n")
    print("| file | by | bytes read | milliseconds (least-most) |\n|---|---|---:|---:|")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for name, start, unit, encoding, most, source in FILES:
            path, empty = pathlib.Path(folder) / name, pathlib.Path(folder) / f"empty-{name}"
            empty.write_bytes(b"")
            write(path, start, unit, encoding, arguments.megabytes * 1e6)
            _, overhead, _ = run(mojika, empty)
            runs = [run(mojika, path) for _ in range(arguments.runs)]
            times, read, found = [1000 * one[0] for one in runs], runs[0][1] - overhead, runs[0][2]
            median = statistics.median(times)
            print(f"| {name}, {found['encoding']} | {found['source']} | {read} | {median:.1f} ({min(times):.1f}-{max(times):.1f}) |")
            if found["source"] != source or read > most or median >= 300:
                print(f"error: {name}: {found}, at most {most} bytes in less than 300 ms were to be read", file=sys.stderr)
                failed = True
            path.unlink()
    sys.exit(1 if failed else 0)


main()
