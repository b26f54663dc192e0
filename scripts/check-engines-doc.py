#!/usr/bin/env python3
"""Runs the Python blocks of docs/ENGINES.md, each in a process of its own, in one scratch folder.

    scripts/check-engines-doc.py      # with the Python that has the wheel and the engines

Without the engines, it fails.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Behind each block: without the interpreter's end, during which a thread of pyarrow that still closes a file written in
# Python sometimes ends the process ("terminate called without an active exception").
END = "\nimport os, sys\nsys.stdout.flush()\nos._exit(0)\n"


def main():
    text = (ROOT / "docs/ENGINES.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    if len(blocks) < 8:
        sys.exit("check-engines-doc: the blocks are not where they are looked for")
    with tempfile.TemporaryDirectory() as folder:
        for number, block in enumerate(blocks, 1):
            done = subprocess.run([sys.executable, "-X", "utf8", "-c", block + END], cwd=folder)
            if done.returncode:
                sys.exit(f"check-engines-doc: block {number} of docs/ENGINES.md fails:\n{block}")
    print(f"check-engines-doc: {len(blocks)} blocks pass")


if __name__ == "__main__":
    main()
