#!/usr/bin/env python3
"""Sees that no test is left out: every file below a directory of tests is a module of its binary, and every test that
tests/README.md names is there.

    scripts/check-tests.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARIES = [main for folder in ["tests", "cli/tests", "crates/sniff/tests", "tests/spec/tests"] for main in sorted((ROOT / folder).glob("*/main.rs"))]


def modules(file):
    """The files that a module's file takes in, itself included."""
    found = {file}
    folder = file.parent if file.name in ("main.rs", "mod.rs") else file.with_suffix("")
    for path, name in re.findall(r'(?:#\[path = "([^"]+)"\]\s*)?(?:pub )?mod (\w+);', file.read_text(encoding="utf-8")):
        choices = [file.parent / path] if path else [folder / f"{name}.rs", folder / name / "mod.rs"]
        for choice in choices:
            if choice.exists():
                found |= modules(choice.resolve())
    return found


def main():
    if sys.argv[1:]:
        sys.exit(__doc__)
    faults = []
    for binary in BINARIES:
        taken = modules(binary)
        for file in sorted(binary.parent.rglob("*.rs")):
            if file not in taken:
                faults.append(f"{file.relative_to(ROOT)} is no module of {binary.relative_to(ROOT)}")
    sources = [ROOT / folder for folder in ["tests", "cli", "crates", "src"]]
    tests = {
        name
        for source in sources
        for file in source.rglob("*.rs")
        for name in re.findall(r"#\[test\]\s*(?:#\[.*\]\s*)*fn (\w+)", file.read_text(encoding="utf-8"))
    }
    page = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\|(.*)\|$", page[page.index("## Faults"):], re.M)[2:]
    for row in rows:
        named = re.findall(r"`(\w+)`", row)
        if not named:
            faults.append(f"tests/README.md names no test here: {row}")
        faults += [f"tests/README.md names {name}, and there is no such test" for name in named if name not in tests]
    if len(rows) < 20:
        faults.append(f"tests/README.md has {len(rows)} classes of faults")
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
