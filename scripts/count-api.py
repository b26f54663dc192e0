#!/usr/bin/env python3
"""Counts the public items of the library, from rustdoc's JSON (nightly), with all features.

An item is a module, a type, a variant, a trait, a function that is no method, a constant, a static or an alias that a
program can name and the documentation shows. What is hidden from the documentation is for this repository's tests and
for compat/encoding_rs, and is no promise.

Usage: scripts/count-api.py [--max N] [--list]
  --max N   exit with 1 if there are more than N
  --list    print every item
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUSTDOC = "cargo +nightly rustdoc -q -p mojika --all-features --target-dir target/count-api --"
JSON = "-Z unstable-options --output-format json"


def items(crate):
    """The kind and the path of each public item."""
    index, seen = crate["index"], set()

    def visit(number, path):
        item = index.get(str(number))
        if item is None or item["crate_id"] != 0:
            return
        kind, inner = next(iter(item["inner"].items()))
        if kind == "use":
            target = index.get(str(inner["id"]))
            if not inner["is_glob"]:
                yield from visit(inner["id"], path)
            elif target is not None:
                for child in target["inner"]["module"]["items"]:
                    yield from visit(child, path)
            return
        if number in seen or item["visibility"] not in ("public", "default"):
            return
        seen.add(number)
        path = f"{path}::{item['name']}"
        yield kind, path
        if kind == "module":
            for child in inner["items"]:
                yield from visit(child, path)
        if kind == "enum":
            for variant in inner["variants"]:
                if str(variant) in index:
                    yield "variant", f"{path}::{index[str(variant)]['name']}"

    root = index[str(crate["root"])]
    for child in root["inner"]["module"]["items"]:
        yield from visit(child, root["name"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--max", type=int)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    subprocess.run(RUSTDOC.split() + JSON.split(), cwd=ROOT, check=True)
    crate = json.loads((ROOT / "target/count-api/doc/mojika.json").read_text())
    found = list(items(crate))
    if len(found) < 100:
        sys.exit(f"only {len(found)} items found: this script no longer understands rustdoc's JSON")
    if options.list:
        for kind, path in sorted(found, key=lambda item: item[1]):
            print(kind, path)
    kinds = collections.Counter(kind for kind, _ in found)
    print(f"{len(found)} public items: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    if options.max is not None and len(found) > options.max:
        sys.exit(f"more than {options.max}")


if __name__ == "__main__":
    main()
