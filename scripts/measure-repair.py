#!/usr/bin/env python3
"""Measures how much text that was encoded twice `mojika convert --repair` undoes, beside ftfy, and what it harms.

    scripts/measure-repair.py [--texts FOLDER] [--lines N] [--mojika PROGRAM] [--kind KIND] [--show KIND]

FOLDER has files LANGUAGE.txt of UTF-8 at any depth: those of scripts/fetch-training-texts.py in target/texts/held-out, or else
samples/utf-8. At most N (300) lines of each language that are not ASCII alone are read in each encoding that ftfy knows such
mistakes of, as ftfy itself reads them: bytes without a character stay as controls. A line is undone if it is what it was, and wrong if it has become another text. All
lines of the texts are clean, and those that are changed are false. ftfy is measured if this Python has it; for its line, only
`fix_encoding` is called. --kind, once or more often, measures these rows of the table alone; --show prints lines of a kind that ftfy
undoes and mojika does not.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import time

try:
    import ftfy
except ImportError:
    ftfy = None

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {
    "latin-1": "latin-1", "windows-1252": "cp1252", "windows-1251": "cp1251", "windows-1250": "cp1250",
    "windows-1253": "cp1253", "windows-1254": "cp1254", "windows-1257": "cp1257", "iso-8859-2": "iso8859-2",
    "macintosh": "mac-roman", "cp437": "cp437", "iso-8859-15": "iso8859-15", "iso-8859-9": "iso8859-9", "iso-8859-16": "iso8859-16",
    "koi8-r": "koi8-r", "cp850": "cp850", "cp852": "cp852", "cp866": "cp866",
}


def misread(line, codec):
    """UTF-8 read in another encoding; a byte without a character is the control of that number."""
    return "".join(bytes([byte]).decode(codec) if is_known(byte, codec) else chr(byte) for byte in line.encode())


KNOWN = {}


def is_known(byte, codec):
    if (byte, codec) not in KNOWN:
        try:
            bytes([byte]).decode(codec)
            KNOWN[byte, codec] = True
        except UnicodeDecodeError:
            KNOWN[byte, codec] = False
    return KNOWN[byte, codec]


def repaired(mojika, lines, folder):
    source, target = folder / "in.txt", folder / "out.txt"
    source.write_bytes("".join(line + "\n" for line in lines).encode())
    with Clock() as clock:
        subprocess.run([mojika, "convert", "-q", "-f", "utf-8", "--repair", source, "-o", target], check=False)
    return target.read_bytes().decode().split("\n")[:-1], clock


class Clock:
    """Time that passes, and processor time of this process and of those it has waited for, in seconds."""

    def now(self):
        return time.perf_counter(), built.processor_seconds()

    def __enter__(self):
        self.start = self.now()
        return self

    def __exit__(self, *_):
        self.passed, self.used = (end - start for start, end in zip(self.start, self.now()))

    def __str__(self):
        return f"{self.passed:.2f} s, {self.used:.2f} s of processor time"


def shares(undone, broken, lines):
    """How many lines are what they were, and how many are neither that nor what they were read as."""
    if not undone:
        return "— | —"
    right = sum(text == line for text, (_, line) in zip(undone, lines, strict=True))
    left = sum(text == twice != line for text, twice, (_, line) in zip(undone, broken, lines, strict=True))
    return f"{100 * right / len(lines):.2f} % | {100 * (len(lines) - right - left) / len(lines):.2f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=pathlib.Path)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--mojika", default=ROOT / "target/release/mojika")
    parser.add_argument("--show")
    parser.add_argument("--kind", action="append")
    options = parser.parse_args()
    texts = options.texts or ROOT / "target/texts/held-out"
    if not texts.exists():
        texts = ROOT / "samples/utf-8"
    clean, sampled = [], collections.defaultdict(list)
    for path in sorted(texts.rglob("*.txt")):
        for line in path.read_text(encoding="utf-8", errors="ignore").split("\n"):
            line = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", line)
            clean.append(line)
            if not line.isascii():
                sampled[path.stem].append(line)
    for language, lines in sampled.items():
        sampled[language] = lines[:: max(1, len(lines) // options.lines)][: options.lines]
    lines = [(language, line) for language, lines in sorted(sampled.items()) for line in lines]
    print(f"{len(clean)} lines, {len(lines)} of them of {len(sampled)} languages misread", file=sys.stderr)
    print("| read in | mojika | wrong | ftfy | wrong |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for kind in options.kind or KINDS:
            broken = [misread(line, KINDS[kind]) for _, line in lines]
            ours, _ = repaired(options.mojika, broken, folder)
            theirs = [ftfy.fix_encoding(line) for line in broken] if ftfy else []
            right = [undone == line for undone, (_, line) in zip(ours, lines, strict=True)]
            peer = [undone == line for undone, (_, line) in zip(theirs, lines)]
            cells = [shares(undone, broken, lines) for undone in (ours, theirs)]
            print(f"| {kind} | {' | '.join(cells)} |", flush=True)
            if options.show == kind:
                missed = [(a, b, c) for (a, b), c, x, y in zip(lines, broken, right, peer) if y and not x]
                print(collections.Counter(language for language, *_ in missed), file=sys.stderr)
                for language, line, twice in missed[:: max(1, len(missed) // 60)]:
                    print(f"{language}: {line}\n    {twice}", file=sys.stderr)
        ours, clock = repaired(options.mojika, clean, folder)
        wrong = [(line, undone) for line, undone in zip(clean, ours, strict=True) if line != undone]
        print(f"mojika changes {len(wrong)} of {len(clean)} clean lines, in {clock}")
        for line, undone in wrong[:20]:
            print(f"    {line}\n    {undone}", file=sys.stderr)
        if ftfy:
            with Clock() as clock:
                wrong = sum(ftfy.fix_encoding(line) != line for line in clean)
            print(f"ftfy changes {wrong}, in {clock}")


if __name__ == "__main__":
    main()
