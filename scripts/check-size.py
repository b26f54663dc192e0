#!/usr/bin/env python3
"""Checks that no part of the repository grows beyond its cap.

Usage: scripts/check-size.py [--self-test]
  --self-test   checks that a part beyond its cap is refused, with the files of scripts/fixtures/size
"""

import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = "cargo tree -p mojika-cli -e normal,build --prefix none"

RUST, TEXT, WORDS = "lines of Rust", "lines of text", "words"
COMMAND = ["cli/src", *(f"crates/{name}/src" for name in ["convert", "edit", "mail", "names", "warc"])]
SNIFF = ["crates/sniff/src"]
TESTS = ["tests", "cli/tests", "crates/sniff/tests", "crates/edit/tests"]
SNAPSHOTS = ["cli/tests/snapshots"]
# Each part: its name, its unit, its folders, the cap, and the target. A cap may only be lowered: it is the part's size, rounded
# up to the next ten lines or hundred words, until the target is reached. Then the target is the cap.
PARTS = [
    ("src", RUST, ["src"], 41_650, 45_000),
    ("src/simd", RUST, ["src/simd"], 17_990, 19_500),
    ("sniff", RUST, SNIFF, 8_900, 8_000),
    ("command", RUST, COMMAND, 42_480, 33_000),
    ("tests", RUST, TESTS, 43_420, 46_000),
    ("snapshots", TEXT, SNAPSHOTS, 5_000, 5_000),
    ("docs", WORDS, ["docs"], 38_000, 38_000),
    ("repository", RUST, [""], 167_070, 155_000),
]
# Packages that the command is built of: the cap, and the target.
MOST_PACKAGES, FEWEST_PACKAGES = 130, 130

SUFFIXES = {RUST: {".rs"}, TEXT: {".txt", ".html"}, WORDS: {".md"}}


def tracked():
    """The files that Git knows, apart from the fixtures of checks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    names = [pathlib.PurePosixPath(name) for name in listed.split("\0") if name]
    return [name for name in names if not name.is_relative_to("scripts/fixtures") and (TOP / name).is_file()]


def size(files, unit, folders):
    """The size of the files below these folders, in the unit."""
    total = 0
    for name in files:
        if name.suffix in SUFFIXES[unit] and any(name.is_relative_to(folder) for folder in folders):
            data = (TOP / name).read_bytes()
            total += len(data.split()) if unit == WORDS else data.count(b"\n")
    return total


def packages():
    """The number of packages that the command is built of."""
    tree = subprocess.run(PACKAGES.split(), cwd=TOP, check=True, capture_output=True, text=True).stdout
    return len({re.sub(r" \(.*", "", line) for line in tree.splitlines() if line})


def report(name, found, unit, cap, target):
    """Prints one line, and returns true if the part is within its cap."""
    print(f"{name}: {found} {unit}, cap {cap}, target {target}" + ("" if found <= cap else ": TOO MUCH"))
    return found <= cap


def self_test():
    """Fails unless three lines of the fixture are refused by a cap of two, and pass one of three."""
    files = [pathlib.PurePosixPath("scripts/fixtures/size/lines.rs")]
    found = size(files, RUST, ["scripts/fixtures"])
    if found != 3 or report("fixture", found, RUST, 2, 2) or not report("fixture", found, RUST, 3, 2):
        sys.exit("self-test: a part beyond its cap passes, or one within it does not")
    print("self-test: a part beyond its cap is refused")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files = tracked()
    fits = [report(name, size(files, unit, folders), unit, cap, target) for name, unit, folders, cap, target in PARTS]
    fits.append(report("command", packages(), "packages", MOST_PACKAGES, FEWEST_PACKAGES))
    if not all(fits):
        print("caps may only be lowered: delete something else, or join what is there twice")
    return 0 if all(fits) else 1


if __name__ == "__main__":
    sys.exit(main())
