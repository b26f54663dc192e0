#!/usr/bin/env python3
"""Checks which way modules of `src` depend on one another, by their `use` lines and `crate::` paths.

Rooms are layers, as docs/ARCHITECTURE.md has them: a module uses its own room and those below. Within `codec`, an
encoding's file uses no other encoding's. Within `simd`, its modules form no circle. Tests are left out.

Usage: scripts/check-arrows.py
"""

import pathlib
import re
import sys

SRC = pathlib.Path(__file__).resolve().parent.parent / "src"

# From below: a module of a room may use its own room and every room of an earlier line.
LAYERS = [
    ["tables"],
    ["simd"],
    ["codec"],
    # Encodings, and the streams that they make: one room, as each names the other.
    ["bom", "decoder", "encoder", "encoding", "encodings", "error"],
    ["extended", "hooks", "malformed", "mem", "one_shot"],
    ["io", "offsets", "serialize", "sniff", "web"],
]
# An arrow beside the layers: a page has an offset map.
MAY_USE = {("sniff", "offsets")}
ONE_ROOM = {"bom", "decoder", "encoder", "encoding", "encodings", "error"}
# What several encodings share within `codec`.
SHARED_BY_CODECS = {
    "decode", "double_byte", "encode", "jis0208", "machine", "max_length", "pair_decoder", "reference", "restart",
    "single_byte", "unit",
}

def module_of(file):
    """The path of a file's module, such as ["simd", "ascii", "run"]."""
    parts = list(file.relative_to(SRC).with_suffix("").parts)
    if parts[-1] in ("mod", "lib"):
        parts.pop()
    return parts


def without_tests(text):
    """The text without comments, string literals and what follows a module of tests."""
    text = re.split(r"#\[cfg\((?:test|all\(\s*test)", text)[0]
    text = re.sub(r"//.*", "", text)
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)


def expand(tree):
    """The paths of a tree of `use`, such as `a::{b, c::{d, e}}`."""
    tree = tree.strip()
    start = tree.find("{")
    if start < 0:
        return [re.sub(r"\s+as\s+\w+$", "", tree)]
    head, body = tree[:start], tree[start + 1 : tree.rindex("}")]
    paths, depth, item = [], 0, ""
    for char in body + ",":
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            if item.strip():
                paths += expand(item)
            item = ""
        else:
            item += char
    return [head + path for path in paths]


def dependencies(file, root_names):
    """The modules that a file names, as paths from the crate's root."""
    module = module_of(file)
    text = without_tests(file.read_text())
    paths = [path for tree in re.findall(r"\buse\s+([^;]+);", text) for path in expand(tree)]
    paths += re.findall(r"\bcrate::[\w:]+", re.sub(r"\buse\s+[^;]+;", "", text))
    paths += re.findall(r"(?<![\w:])super::[\w:]+", re.sub(r"\buse\s+[^;]+;", "", text))
    for path in paths:
        parts = [part for part in path.replace(" ", "").split("::") if part]
        if parts[0] == "crate":
            resolved = parts[1:]
        elif parts[0] in ("super", "self"):
            base = list(module)
            while parts and parts[0] in ("super", "self"):
                if parts.pop(0) == "super":
                    base = base[:-1]
            resolved = base + parts
        else:
            continue
        if resolved:
            # A name of the root that is no module is re-exported from the streams' room.
            yield resolved if resolved[0] in root_names else ["decoder"]


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


def main():
    layer = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}
    names = {path.stem for path in SRC.iterdir()} - {"lib"}
    wrong = [f"{name}: no layer has this room" for name in sorted(names - set(layer))]
    kernels, checked = {}, 0
    kernel_modules = {path.stem for path in (SRC / "simd").iterdir()} - {"mod", "tests"}
    for file in sorted(SRC.rglob("*.rs")):
        module = module_of(file)
        if not module or "tests" in module:
            continue
        room = module[0]
        for used in dependencies(file, names):
            checked += 1
            other = used[0]
            same = other == room or (room in ONE_ROOM and other in ONE_ROOM)
            if not same and (room, other) not in MAY_USE and layer.get(other, 0) >= layer.get(room, 0):
                wrong.append(f"{file.relative_to(SRC)} uses {'::'.join(used)}: {room} is not above {other}")
            if room == other == "codec" and len(module) > 1 and len(used) > 1:
                mine, theirs = module[1], used[1]
                is_codec = (SRC / "codec" / f"{theirs}.rs").exists() and theirs not in SHARED_BY_CODECS
                if mine != theirs and is_codec:
                    wrong.append(f"{file.relative_to(SRC)} uses another encoding: {'::'.join(used)}")
            if room == other == "simd" and len(module) > 1 and len(used) > 1:
                if used[1] in kernel_modules and used[1] != module[1]:
                    kernels.setdefault(module[1], set()).add(used[1])
    if circle := find_circle(kernels):
        wrong.append("a circle in simd: " + " -> ".join(circle))
    for line in sorted(set(wrong)):
        print(line)
    if checked < 300:
        print(f"only {checked} dependencies found: this script no longer understands the sources")
        return 1
    print(f"{checked} dependencies, {len(set(wrong))} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
