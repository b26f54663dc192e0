#!/usr/bin/env python3
"""Measures `mojika warc` on an archive of mixed pages with codings, and on pages in UTF-8: the processor time of the process,
and the time until it ends.

    scripts/measure-warc.py                                  # 8,000 pages, with target/release/mojika
    scripts/measure-warc.py --pages 400 --runs 1 --command target/debug/mojika

Seven of eight mixed pages are in a legacy encoding, declared or not, rightly or wrongly, and their bodies are sent as they are, in
chunks, in gzip, or in gzip and chunks. Each figure is the median of alternating runs, with the least and the greatest.
"""
import argparse
import pathlib
import random
import statistics
import subprocess
import tempfile

import built
import legacy_pages
import web_archive

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = {
    "mixed, JSON lines": ("mixed", ["-o", "out.jsonl"]),
    "mixed, text alone": ("mixed", ["--text", "plain", "-o", "out.jsonl"]),
    "mixed, Parquet": ("mixed", ["-o", "out.parquet"]),
    "UTF-8, JSON lines": ("utf-8", ["-o", "out.jsonl"]),
    "UTF-8, text alone": ("utf-8", ["--text", "plain", "-o", "out.jsonl"]),
    "UTF-8, Parquet": ("utf-8", ["-o", "out.parquet"]),
}


def write(path, pages, codings):
    dice = random.Random(46)
    size = 0
    with open(path, "wb") as file:
        for url, content_type, body in pages:
            size += len(body)
            record = web_archive.response(url, content_type, body, dice.choice(codings))
            file.writelines(web_archive.compressed([record]))
    return size


def seconds(command, folder):
    """Of the processor, and of the clock."""
    passed, used = built.timed(lambda: subprocess.run(command, cwd=folder, check=True))
    return used, passed


def shown(times):
    return f"{statistics.median(times):6.2f} s ({min(times):.2f} to {max(times):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=8000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--command", type=pathlib.Path, action="append", help="the command; several are compared [target/release/mojika]")
    parser.add_argument("--only", default="", help="rows whose names have this")
    args = parser.parse_args()
    commands = args.command or [ROOT / "target/release/mojika"]
    paragraphs = legacy_pages.texts(ROOT / "../shared/corpora", ROOT / "samples/utf-8")
    legacy = [(page.url, page.content_type, page.body) for page in legacy_pages.pages(paragraphs, args.pages * 7 // 8)]
    modern = list(legacy_pages.modern(paragraphs, args.pages * 11_600))
    mixed = legacy + modern[: args.pages // 8]
    random.Random(46).shuffle(mixed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, pages, codings in (("mixed", mixed, [None, "chunked", "gzip", "gzip and chunks"]), ("utf-8", modern, [None])):
            size = write(folder / f"{name}.warc.gz", pages, codings)
            print(f"{name}: {len(pages)} pages, {size / 1e6:.0f} MB")
        for row, (name, options) in ROWS.items():
            if args.only not in row:
                continue
            times = {command: [] for command in commands}
            for _ in range(args.runs):
                for command, seen in times.items():
                    line = [command.resolve(), "warc", f"{name}.warc.gz", "--quiet", "--force", *options]
                    seen.append(seconds(line, folder))
            for command, seen in times.items():
                what = f" {command}" if len(commands) > 1 else ""
                processor, clock = zip(*seen)
                print(f"{row:<20}{shown(processor)}, ends after {shown(clock)}{what}", flush=True)


if __name__ == "__main__":
    main()
