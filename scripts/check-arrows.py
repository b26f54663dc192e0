#!/usr/bin/env python3
"""Checks which way the modules of each crate depend on one another, by their `use` lines and paths.

* In the library and in the command, rooms are layers: a module uses its own room and those below.
* Within `codec`, an encoding's file uses no other encoding's.
* The modules of a folder, at every level, form no circle, in every crate of the repository. A name that a module
  re-exports counts as the module that defines it.

* `unsafe` stands in a few places only, which UNSAFE lists.

Tests are left out, but not of the last rule.

Usage: scripts/check-arrows.py [--self-test]
  --self-test   checks the crate of scripts/fixtures/arrows, whose circle stands behind every kind of literal
"""

import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent

# From below: a module of a room may use its own room and every room of an earlier line.
LIBRARY = [
    ["tables"],
    ["simd"],
    ["codec"],
    ["encoding"],
    ["error"],
    ["encodings", "progress"],
    ["bom"],
    ["decoder", "encoder"],
    ["malformed", "mem", "one_shot"],
    ["extended"],
    ["hooks"],
    ["io", "offsets", "serialize", "web"],
]
CONVERT = [
    ["bounded", "date", "quote", "repair", "sha1", "standard"],
    ["engine"],
    ["mail", "survey"],
    ["decide"],
    ["report"],
    ["mixed"],
    ["labels"],
    ["declared"],
    ["job"],
    ["args", "output"],
]
COMMAND = [
    ["args", "source"],
    ["bulk", "encodings", "iconv", "stream"],
    ["detect"],
    ["command"],
    ["completions"],
]
LAYERS = {"src": LIBRARY, "crates/convert/src": CONVERT, "cli/src": COMMAND}
# What several encodings share within `codec`.
SHARED_BY_CODECS = {
    "big5_index", "by_steps", "decode", "double_byte", "ebcdic_pairs", "encode", "gb18030_index", "jis0208", "kind",
    "chars", "linked", "machine", "max_length", "pair_decoder", "reference", "replay", "restart", "single_byte", "unit",
}
# Files of `codec` that belong to no encoding: they name what encodings define.
OF_NO_ENCODING = {"kind", "mode"}
# The vector kernels, the places where proven bytes become `str`, the borders to other languages, and tests of memory.
UNSAFE = [
    "src/simd", "src/decoder/text.rs", "bindings/arrow/src/decode.rs",
    "bindings/c/", "bindings/js/src", "bindings/python/src", "bindings/datafusion/python/src/lib.rs",
    "benches/src", "tests/drive/src/memory.rs", "tests/proof/src/guarded.rs", "scripts/wasm-smoke", "scripts/aarch64-count",
]


def module_of(file, src):
    """The path of a file's module, such as ("simd", "ascii", "run")."""
    parts = list(file.relative_to(src).with_suffix("").parts)
    if parts[-1] in ("mod", "lib"):
        parts.pop()
    return tuple(parts)


# Rust's tokens that can hold text of any kind, then names, then the rest.
TOKEN = re.compile(
    r"""
      (?P<line>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>\b(?:b|c)?r(?P<hashes>\#*)"(?s:.*?)"(?P=hashes))
    | (?P<string>\b[bc]?"(?s:[^"\\]|\\.)*"|"(?s:[^"\\]|\\.)*")
    | (?P<char>(?:\bb)?'(?:[^'\\\n]|\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]+\}|.))')
    | (?P<lifetime>'\w+)
    | (?P<name>r\#\w+|\w+)
    | (?P<other>(?s:.))
    """,
    re.VERBOSE,
)
BLOCK_END = re.compile(r"/\*|\*/")
OF_TESTS = re.compile(r"#\[cfg\((?:test\b|all\(\s*(?:test|doctest)\b)")


def code(text):
    """The text of a source file without its comments, and with empty literals."""
    out, at = [], 0
    while match := TOKEN.match(text, at):
        at, kind = match.end(), match.lastgroup
        if kind == "block":
            # Block comments nest.
            depth = 1
            while depth and (mark := BLOCK_END.search(text, at)):
                depth += 1 if mark.group() == "/*" else -1
                at = mark.end()
            if depth:
                raise ValueError("a block comment has no end")
            out.append(" ")
        elif kind in ("raw", "string"):
            out.append('""')
        elif kind == "char":
            out.append("' '")
        elif kind == "name":
            out.append(match.group().removeprefix("r#"))
        elif kind != "line":
            if match.group() == '"':
                raise ValueError("a string has no end")
            out.append(match.group())
    return re.sub(r"\s*::\s*", "::", "".join(out))


def item_end(text, at):
    """The end of the item that starts here: its semicolon, or the brace that closes its body."""
    depth = 0
    for mark in re.finditer(r"[(\[{}\]);,]", text[at:]):
        char = mark.group()
        depth += char in "([{"
        depth -= char in ")]}"
        if depth < 0 or depth == 0 and char in ";},":
            return at + mark.end() - (depth < 0)
    return len(text)


def without_tests(text):
    """The code of a source file without items that only tests have."""
    text = code(text)
    while match := OF_TESTS.search(text):
        # Other attributes of the same item follow.
        at = text.index("]", match.end()) + 1
        while attribute := re.match(r"\s*#\[", text[at:]):
            depth, at = 1, at + attribute.end()
            while depth:
                depth += {"[": 1, "]": -1}.get(text[at], 0)
                at += 1
        text = text[: match.start()] + text[item_end(text, at) :]
    return text


def expand(tree):
    """The paths of a tree of `use`, such as `a::{b, c::{d, e as f}}`, each with the name that it gets."""
    tree = " ".join(tree.split())
    start = tree.find("{")
    if start < 0:
        path, _, name = tree.partition(" as ")
        parts = [part.strip() for part in path.split("::") if part.strip()]
        if parts and parts[-1] == "self":
            parts.pop()
        return [(parts, name.strip() or (parts[-1] if parts else ""))]
    head = [part.strip() for part in tree[:start].split("::") if part.strip()]
    body, paths, depth, item = tree[start + 1 : tree.rindex("}")], [], 0, ""
    for char in body + ",":
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            if item.strip():
                for parts, name in expand(item):
                    parts = head + parts
                    paths.append((parts, name or parts[-1]))
            item = ""
        else:
            item += char
    return paths


class Sources:
    """The modules of a crate, with what each imports and names."""

    def __init__(self, src):
        self.files, self.imports, self.paths = {}, {}, {}
        for file in sorted(src.rglob("*.rs")):
            module = module_of(file, src)
            if "tests" not in module and module != ("main",):
                self.files[module] = file
        # A program that is no library.
        if () not in self.files:
            self.files[()] = src / "main.rs"
        for module, file in self.files.items():
            try:
                self.read(module, without_tests(file.read_text()))
            except ValueError as error:
                sys.exit(f"{file}: {error}")

    def read(self, module, text):
        trees = [pair for tree in re.findall(r"\buse\s+([^;]+);", text) for pair in expand(tree)]
        rest = re.sub(r"\buse\s+[^;]+;", "", text)
        named = re.findall(r"(?<![\w:])(?:crate|super|self)(?:::\w+)+", rest)
        self.imports[module], self.paths[module] = {}, []
        for parts, name in trees + [(path.split("::"), "") for path in named]:
            path = self.absolute(module, parts)
            if path is not None:
                self.paths[module].append(path)
                if name:
                    self.imports[module].setdefault(name, path)

    def absolute(self, module, parts):
        """A path from the crate's root; none for a path into another crate."""
        base, parts = list(module), list(parts)
        if parts and parts[0] == "crate":
            return tuple(parts[1:])
        if parts and parts[0] in ("super", "self"):
            while parts and parts[0] in ("super", "self"):
                if parts.pop(0) == "super":
                    base = base[:-1]
            return tuple(base + parts)
        # A child of this module, by a path without `self`.
        return tuple(base + parts) if parts and tuple(base + parts[:1]) in self.files else None

    def defining(self, path, depth=0):
        """The module that defines what a path names, through re-exports."""
        module = ()
        for at, part in enumerate(path):
            if module + (part,) in self.files:
                module += (part,)
                continue
            imported = self.imports[module].get(part)
            if imported is None and "*" in self.imports[module]:
                imported = self.imports[module]["*"][:-1] + (part,)
            if imported is None or depth > 8 or imported == path[: at + 1]:
                return module
            return self.defining(imported + tuple(path[at + 1 :]), depth + 1)
        return module


def find_circle(graph):
    """A circle in a graph of sets, or none."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return None
        path.append(node)
        for next_node in sorted(graph.get(node, ())):
            if circle := visit(next_node):
                return circle
        path.pop()
        done.add(node)
        return None

    for node in sorted(graph):
        if circle := visit(node):
            return circle
    return None


def dependencies(sources):
    """Each pair of a module and a module of the same crate that it uses."""
    for module in sources.files:
        for path in sources.paths[module]:
            used = sources.defining(path)
            if module and used:
                yield module, used


def circles(pairs):
    """For each folder of a crate, a circle of its modules."""
    folders = {}
    for module, used in pairs:
        # Where the two paths part, one child of a folder uses another.
        depth = 0
        while depth < min(len(module), len(used)) and module[depth] == used[depth]:
            depth += 1
        if depth < min(len(module), len(used)):
            folders.setdefault(module[:depth], {}).setdefault(module[depth], set()).add(used[depth])
    for folder, graph in sorted(folders.items()):
        if circle := find_circle(graph):
            yield f"a circle in {'::'.join(folder) or 'the root'}: " + " -> ".join(circle)


def upwards(pairs, layers):
    """Each use of a room by one that is not above it."""
    layer = {room: height for height, rooms in enumerate(layers) for room in rooms}
    for module, used in pairs:
        mine, theirs = module[0], used[0]
        if mine != theirs and layer.get(theirs, 0) >= layer.get(mine, 0):
            yield f"{'::'.join(module)} uses {'::'.join(used)}: {mine} is not above {theirs}"


def other_encodings(pairs):
    """Each use of an encoding's file by another's."""
    for module, used in pairs:
        if module[0] == used[0] == "codec" and len(module) > 1 and len(used) > 1 and module[1] != used[1]:
            if used[1] not in SHARED_BY_CODECS and module[1] not in OF_NO_ENCODING:
                yield f"{'::'.join(module)} uses another encoding: {'::'.join(used)}"


def unsafe_outside(files, places):
    """The faults of files with the word `unsafe` that are in none of the places."""
    for file in files:
        inside = any(pathlib.PurePath(file).is_relative_to(place) for place in places)
        if not inside and re.search(r"\bunsafe\b", code((TOP / file).read_text())):
            yield f"{file}: unsafe code outside {', '.join(places)}"


def of_crate(crate):
    """The dependencies of a crate and its faults."""
    pairs = list(dependencies(Sources(TOP / crate)))
    found = list(circles(pairs))
    if layers := LAYERS.get(crate):
        rooms = {path.stem for path in (TOP / crate).iterdir()} - {"lib", "main"}
        found += [f"{room}: no layer has this room" for room in sorted(rooms - {name for row in layers for name in row})]
        found += upwards(pairs, layers)
    if crate == "src":
        found += other_encodings(pairs)
    return pairs, {f"{crate}: {line}" for line in found}


def self_test():
    """Fails unless the circle of the fixture is found, and no other fault."""
    fixture = "scripts/fixtures/arrows/src"
    _, wrong = of_crate(fixture)
    expected = {f"{fixture}: a circle in the root: args -> choose -> document -> args"}
    if wrong != expected:
        sys.exit(f"self-test: {sorted(wrong)} instead of {sorted(expected)}")
    for places, expected in (["src/simd"], 1), ([fixture], 0):
        if len(list(unsafe_outside([f"{fixture}/text.rs"], places))) != expected:
            sys.exit(f"self-test: the unsafe code of {fixture}/text.rs should be {expected} faults of {places}")
    print("self-test: the circle and the unsafe code of the fixture are found")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    packages = subprocess.run(["git", "ls-files", "*Cargo.toml"], cwd=TOP, check=True, capture_output=True, text=True)
    folders = sorted(pathlib.PurePath(line).parent / "src" for line in packages.stdout.split())
    crates = [str(folder) for folder in folders if (TOP / folder).is_dir() and "fixtures" not in folder.parts]
    wrong, checked = set(), {}
    for crate in crates:
        pairs, found = of_crate(crate)
        checked[crate] = len(pairs)
        wrong |= found
    files = subprocess.run(["git", "ls-files", "*.rs"], cwd=TOP, check=True, capture_output=True, text=True).stdout.split()
    wrong |= set(unsafe_outside([file for file in files if "fixtures" not in pathlib.PurePath(file).parts], UNSAFE))
    for line in sorted(wrong):
        print(line)
    if checked["src"] < 300 or checked["crates/convert/src"] < 150:
        print(f"only {checked} dependencies found: this script no longer understands the sources")
        return 1
    print(f"{sum(checked.values())} dependencies in {len(crates)} crates, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
