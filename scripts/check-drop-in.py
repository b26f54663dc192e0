#!/usr/bin/env python3
"""Checks that bindings/encoding_rs has the features and the public items of the published crate, with the same signatures.

rustdoc writes a JSON description of each crate, with the default features and serde, and without any. The check compares
every module, type, variant, static, function, method and implementation. Automatic implementations such as `Send` are
included, as are generics, types, `must_use` and `repr`. Names of parameters and private items are ignored. JSON is an unstable
output of rustdoc, which the check allows by a toolchain setting.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ROOT / "bindings" / "encoding_rs"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "check-drop-in"
JSON = ["--", "-Z", "unstable-options", "--output-format", "json"]
VERSION = "0.8.44"
# The features of both crates, and the least number of items that the published crate has with them.
CASES = [
    ("with-alloc", 'features = ["serde"]', ["--features", "serde"], 250),
    ("without-alloc", "default-features = false", ["--no-default-features"], 220),
]


def cargo(*arguments, **environment):
    done = subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, env=os.environ | environment)
    return done.stdout


def package_with_published(name, features):
    """A package that depends on the published crate alone. It has this workspace's lock file, so that nothing else is fetched."""
    package = TARGET / name / "package"
    (package / "src").mkdir(parents=True, exist_ok=True)
    (package / "src" / "lib.rs").write_text("")
    (package / "Cargo.toml").write_text(
        '[package]\nname = "with-published"\nedition = "2024"\n[workspace]\n[dependencies]\n'
        f'encoding_rs = {{ version = "={VERSION}", {features} }}\n'
    )
    (package / "Cargo.lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
    return package


def features(package, is_ours):
    """The features of encoding_rs, each with those that it enables."""
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--manifest-path", package / "Cargo.toml"))
    found = [p for p in metadata["packages"] if p["name"] == "encoding_rs" and (p["source"] is None) == is_ours]
    return found[0]["features"]


def missing_features():
    ours, theirs = features(OURS, True), features(package_with_published("features", "features = []"), False)
    if len(theirs) < 14:
        sys.exit(f"only {len(theirs)} features found")
    for name, enables in theirs.items():
        # A feature must enable the same features here, and may enable others.
        for one in {name, *enables} & theirs.keys():
            if one not in ours.get(name, []) and one != name or name not in ours:
                yield f"feature {name}: does not exist, or does not enable {one}"


class Api:
    """The signatures by item, from rustdoc's description of a crate."""

    def __init__(self, target, package, options):
        arguments = ["--lib", "--manifest-path", package / "Cargo.toml", *options, *JSON]
        cargo("rustdoc", "-q", *arguments, RUSTC_BOOTSTRAP="1", CARGO_TARGET_DIR=str(target))
        self.doc = json.loads((target / "doc" / "encoding_rs.json").read_text())
        self.index, self.items = self.doc["index"], {}
        self.module(self.doc["root"], "")
        self.implementations()

    def module(self, number, path):
        for child in self.index[str(number)]["inner"]["module"]["items"]:
            self.visit(child, path)

    def visit(self, number, path):
        item = self.index.get(str(number))
        if item is None:
            return
        kind, inner = next(iter(item["inner"].items()))
        name = f"{path}::{item['name']}"
        if kind == "use":
            (self.module if inner["is_glob"] else self.visit)(inner["id"], path)
        elif kind == "module":
            self.module(number, name)
        elif kind == "function":
            self.items[name] = self.function(item)
        elif kind in ("enum", "struct"):
            self.items[name] = f"{kind} {self.plain(inner['generics'])} {attributes(item)}"
            for place, variant in enumerate(inner.get("variants", [])):
                variant = self.index[str(variant)]
                inside = variant["inner"]["variant"]
                tuple_fields = inside["kind"]["tuple"] if isinstance(inside["kind"], dict) else []
                fields = [self.plain(self.index[str(field)]["inner"]) for field in tuple_fields]
                self.items[f"{name}::{variant['name']}"] = f"{place} {fields} {self.plain(inside['discriminant'])}"
        elif kind in ("static", "constant", "type_alias"):
            self.items[name] = f"{kind} {self.plain(inner['type'])} {inner.get('is_mutable')}"
        else:
            self.items[name] = f"{kind} {self.plain(inner)}"

    def function(self, item):
        function = item["inner"]["function"]
        types = [self.plain(type_of) for _, type_of in function["sig"]["inputs"]]
        rest = [self.plain(part) for part in (function["sig"]["output"], function["generics"], function["header"])]
        return f"fn {types} {rest} {attributes(item)}"

    def implementations(self):
        """Adds every trait implementation, and the items of every inherent implementation."""
        for item in self.index.values():
            implementation = item["inner"].get("impl")
            # A blanket implementation follows from the implementations of other traits.
            if implementation is None or implementation["blanket_impl"] is not None:
                continue
            of = str(self.plain(implementation["for"]))
            # Each crate's visitor for serde is private, but implements traits.
            if "Visitor" in of:
                continue
            if implementation["trait"] is None:
                for method in (self.index[str(number)] for number in implementation["items"]):
                    self.items[f"{of}::{method['name']}"] = self.function(method)
                continue
            shown = f"{self.plain(implementation['generics'])} negative {implementation['is_negative']}"
            self.items[f"impl {self.plain(implementation['trait'])} for {of}"] = shown

    def plain(self, value):
        """A description without harmless differences: numbers of items, and the paths by which a crate names its own types."""
        if isinstance(value, list):
            return [self.plain(one) for one in value]
        if not isinstance(value, dict):
            return value
        plain = {key: self.plain(one) for key, one in value.items() if key != "id"}
        if "path" in value and "id" in value:
            known = self.doc["paths"].get(str(value["id"]), {})
            segments = known.get("path") or value["path"].split("::")
            plain["path"] = "::".join(segments[-1:] if known.get("crate_id") == 0 else segments)
        return plain


def attributes(item):
    """The attributes that are part of an item's contract."""
    shown = sorted(map(str, item["attrs"]))
    return [one for one in shown if any(name in one for name in ("must_use", "repr", "non_exhaustive"))]


def differences(name, published, options, least):
    """Compares the crates with these features."""
    ours = Api(TARGET / name / "ours", OURS, options).items
    theirs = Api(TARGET / name / "theirs", package_with_published(name, published), ["-p", "encoding_rs"]).items
    print(f"{name}: {len(theirs)} items of the published crate")
    if len(theirs) < least:
        sys.exit("too few items: this script no longer understands rustdoc's JSON")
    for item in sorted(ours.keys() | theirs.keys()):
        if ours.get(item) != theirs.get(item):
            yield f"{name}: {item}\n  published: {theirs.get(item)}\n  here:      {ours.get(item)}"


def main():
    wrong = list(missing_features())
    for case in CASES:
        wrong += differences(*case)
    print("\n".join(wrong) if wrong else "no difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
