#!/usr/bin/env python3
"""Measures `mojika edit` on a large file, beside `cp`.

    scripts/measure-edit.py [--megabytes N] [--runs N] [--folder DIR]

For a file of --megabytes (default 100) in each of some encodings, in --folder (default: a temporary one), by turns: `cp` of the
file, `cp` and `sync` of the copy, and `mojika edit` of one word in its middle, which is on the disk when the command ends.
Prints the median of --runs (default 9) in seconds with least and most, then the processor time of `cp` and of `mojika edit`, in
which no wait for the disk counts, and checks that no other byte has changed.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = [("ru", "windows-1251", "cp1251"), ("ja", "shift_jis", "cp932"), ("fr", "utf-8", "utf-8")]


def timed(*command):
    return built.timed(lambda: subprocess.run(command, check=True))


def shown(times):
    return f"{statistics.median(times):.3f} ({min(times):.3f} to {max(times):.3f})"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--folder")
    options = parser.parse_args()
    mojika = built.command()
    print("| file | cp | cp and sync | mojika edit | times cp | times cp and sync | CPU of cp | CPU of mojika edit |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        for language, label, codec in SAMPLES:
            text = (ROOT / f"samples/utf-8/{language}.txt").read_text(encoding="utf-8")
            half = text.encode(codec, "ignore") * (int(options.megabytes * 5e5) // len(text.encode(codec, "ignore")) + 1)
            old, new = "QWERTY".encode(codec), "ASDFGH".encode(codec)
            before, after = half + old + half, half + new + half
            file, copy = folder / "file.txt", folder / "copy.txt"
            file.write_bytes(before)
            times = {"cp": [], "sync": [], "edit": []}
            for run in range(options.runs):
                copy.unlink(missing_ok=True)
                times["cp"].append(timed("cp", file, copy))
                copy.unlink()
                times["sync"].append(timed("sh", "-c", f"cp '{file}' '{copy}' && sync '{copy}'"))
                shutil.copy(file, copy)
                subprocess.run(["sync", copy], check=True)
                words = ["QWERTY", "ASDFGH"]
                times["edit"].append(timed(mojika, "edit", "-q", "--from", label, copy, "--replace", *words))
                if copy.read_bytes() != after:
                    sys.exit(f"error: {label}: other bytes have changed")
            passed = {name: [passed for passed, _ in both] for name, both in times.items()}
            used = {name: [used for _, used in both] for name, both in times.items()}
            cp, sync, edit = (statistics.median(passed[name]) for name in ["cp", "sync", "edit"])
            row = [f"{len(before) / 1e6:.0f} MB of {label}", *(shown(passed[name]) for name in ["cp", "sync", "edit"])]
            row += [f"{edit / cp:.2f}", f"{edit / sync:.2f}", shown(used["cp"]), shown(used["edit"])]
            print("|", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
