#!/usr/bin/env python3
"""Checks that the public API of no crate grows, from rustdoc's JSON (nightly), with all features.

An item is a module, a type, a variant, a trait, a function that is no method, a constant, a static or an alias that a
program can name and the documentation shows. Hidden items are for this repository's tests and crates, and are no promise.

Usage: scripts/check-api.py [--list CRATE] [--self-test]
  --list CRATE   print every item of a crate
  --self-test    check that an item beyond a cap is refused, with rustdoc's JSON of scripts/fixtures/api
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUSTDOC = "cargo +nightly rustdoc -q -p {package} --lib --all-features --target-dir target/check-api --"
JSON = "-Z unstable-options --output-format json"
# The most items of each crate, and the target. Caps may only be lowered.
CAPS = {
    "mojika": (209, 218),
    "mojika-sniff": (199, 200),
    "mojika-convert": (370, 388),
    "mojika-warc": (7, 7),
    "mojika-names": (8, 11),
    "mojika-mail": (2, 2),
    "mojika-edit": (30, 30),
    "mojika-cli": (1, 1),
    "encoding_rs@0.8.44+mojika": (135, 135),
}


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


def documented(package):
    """What rustdoc says of a package."""
    subprocess.run(RUSTDOC.format(package=package).split() + JSON.split(), cwd=ROOT, check=True)
    library = package.partition("@")[0].replace("-", "_")
    return json.loads((ROOT / f"target/check-api/doc/{library}.json").read_text())


def report(package, found, cap, target):
    """Prints one line, and returns true if the items are within the cap."""
    kinds = collections.Counter(kind for kind, _ in found)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    print(f"{package}: {len(found)} public items, cap {cap}, target {target}: {counts}")
    return len(found) <= cap


def self_test():
    """Fails unless the two items of the fixture are refused by a cap of one, and pass one of two."""
    found = list(items(json.loads((ROOT / "scripts/fixtures/api/two.json").read_text())))
    if len(found) != 2 or report("fixture", found, 1, 1) or not report("fixture", found, 2, 1):
        sys.exit("self-test: an item beyond the cap passes, or one within it does not")
    print("self-test: an item beyond the cap is refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", metavar="CRATE")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.list:
        for kind, path in sorted(items(documented(options.list)), key=lambda item: item[1]):
            print(kind, path)
        return 0
    fits = True
    for package, (cap, target) in CAPS.items():
        found = list(items(documented(package)))
        if package == "mojika" and len(found) < 100:
            sys.exit(f"only {len(found)} items found: this script no longer understands rustdoc's JSON")
        fits &= report(package, found, cap, target)
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
