#!/usr/bin/env python3
"""Checks that comments and guides read like reference documentation.

Three rules, over the comments of tracked Rust files and the text of tracked Markdown files:

* opening   A doc comment of an item or a module opens with a verb or a noun, not with an interrogative ("What", "Whether", "How many").
* clause    A noun is a noun, not a clause or a pronoun for one: no "what is read", "where there is none", "half of them".
* long      A sentence has at most 32 words.

Code, tables, headings, quotations and questions are exempt. A paragraph counts once for each rule.

Usage: scripts/check-prose.py [--list | --self-test | FILE...]
  --list        prints every finding, and not only the counts
  --self-test   checks the findings in scripts/fixtures/prose against the marks there
  FILE...       prints the findings in these files
"""

import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = TOP / "scripts/fixtures/prose"

# The most findings of each rule, for openings and sentences in number, for clauses in tenths of a percent of all paragraphs.
# A cap may only be lowered, down to the target.
CAPS = {"opening": (0, 0), "clause": (1, 1), "long": (0, 0)}
LONGEST = 32

ASKING = "what|whether|how|where|why|who|whose|which|that|those|nothing|none"
OPENINGS = re.compile(rf"(?:(?:as|at|by|for|from|in|of|on|so|to|up to|with)\s+)?(?:{ASKING})\s|(?:as|so) (?:far|long|many|much)\b", re.I)
CLAUSES = [
    # "what follows", but not "what's", "whatever" or a rule named so.
    re.compile(r"\bwhat (?=[a-z])", re.I),
    re.compile(r"\bwhere there (?:is|are|was|were)\b", re.I),
    # "all of it", "the first of them": the noun is missing.
    re.compile(r"\b(?:of|beside|besides) (?:it|them)\b", re.I),
    re.compile(r"\bof those(?=[.,;:)]|$| (?:that|which|who|are|is|have|has)\b)", re.I),
    re.compile(r"\bof which\b(?! the\b)", re.I),
    re.compile(r"\b(?:as|so) many\b|\bso much\b|\bno more than\b|\bnone of\b", re.I),
    re.compile(r"\b(?:is|are|was|were) said\b|\bsaid of\b|\bto be had\b|\bbut for\b|\bin vain\b|\bmakes? nothing\b", re.I),
]
CODE = re.compile(r"``[^`]*``|`[^`]*`|\[[^\]]*\]\([^)]*\)|\[`?[^\]]*`?\]|https?://\S+")
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
COMMENT = re.compile(r"\s*(///|//!|//)(?![/])\s?(.*)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


class Paragraph:
    """A paragraph with the line on which it starts, and whether it documents an item."""

    def __init__(self, line, documents=False):
        self.line, self.documents, self.words = line, documents, []

    def text(self):
        return " ".join(self.words)


def rust_paragraphs(lines):
    """Yields the paragraphs of comments that stand on lines of their own."""
    current, mark_before, fenced = None, None, False
    for number, line in enumerate(lines, 1):
        found = COMMENT.match(line)
        mark, text = found.groups() if found else (None, "")
        if mark != mark_before:
            fenced = False
        text = text.strip()
        is_fence = text.startswith("```")
        if is_fence:
            fenced = not fenced
        is_text = mark and text and not is_fence and not fenced and not text.startswith(("#", "|"))
        # A doc comment of an item begins where the marks before are none or of another kind.
        if current and (not is_text or mark != mark_before or ITEM.match(text)):
            yield current
            current = None
        if is_text:
            current = current or Paragraph(number, mark in ("///", "//!") and mark != mark_before)
            current.words.append(ITEM.sub("", text, count=1))
        mark_before = mark
    if current:
        yield current


def markdown_paragraphs(lines):
    """Yields the paragraphs and list items outside of code, tables and headings."""
    current, fenced = None, False
    for number, line in enumerate(lines, 1):
        is_indented_code = current is None and line.startswith("    ")
        text = "" if is_indented_code else line.strip()
        is_fence = text.startswith("```")
        if is_fence:
            fenced = not fenced
        is_text = text and not is_fence and not fenced and not text.startswith(("#", "|", "<", "!["))
        if current and (not is_text or ITEM.match(line)):
            yield current
            current = None
        if is_text:
            current = current or Paragraph(number)
            current.words.append(ITEM.sub("", line, count=1).strip())
    if current:
        yield current


def sentences(text):
    """Returns the sentences of a paragraph; a colon or a semicolon ends one, too."""
    return [one for one in re.split(r"(?<=[.!?:;])\s+", text) if one]


def findings(paragraph):
    """Returns the names of the rules that a paragraph breaks."""
    text = CODE.sub("X", paragraph.text())
    found = ["opening"] if paragraph.documents and OPENINGS.match(text) else []
    stated = [one for one in sentences(QUOTED.sub("X", text)) if not one.endswith("?")]
    if any(rule.search(one) for rule in CLAUSES for one in stated):
        found.append("clause")
    if any(len(one.split()) > LONGEST for one in sentences(text)):
        found.append("long")
    return found


def paragraphs(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return markdown_paragraphs(lines) if path.suffix == ".md" else rust_paragraphs(lines)


def tracked():
    """Returns the Rust and Markdown files that Git knows, apart from the fixtures of checks."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.rs", "*.md"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.split("\0") if name and not name.startswith("scripts/fixtures/")]
    return [TOP / name for name in names if (TOP / name).is_file()]


def check(files, listing):
    """Returns the number of paragraphs, and that of findings by rule."""
    total, counts = 0, dict.fromkeys(CAPS, 0)
    for path in files:
        for paragraph in paragraphs(path):
            total += 1
            for rule in findings(paragraph):
                counts[rule] += 1
                if listing:
                    name = path.relative_to(TOP) if path.is_relative_to(TOP) else path
                    print(f"{name}:{paragraph.line}: {rule}: {paragraph.text()[:160]}")
    return total, counts


def report(total, counts):
    """Prints a line for each rule, and returns true if all counts are within their caps."""
    fits = True
    for rule, (cap, target) in CAPS.items():
        most, aim = (cap * total // 1000, target * total // 1000) if rule == "clause" else (cap, target)
        fits &= counts[rule] <= most
        print(f"{rule}: {counts[rule]} in {total} paragraphs, cap {most}, target {aim}" + (": TOO MANY" if counts[rule] > most else ""))
    return fits


def self_test():
    """Fails unless each paragraph of the fixtures has the findings that its last word in brackets names."""
    seen = set()
    for path in sorted(FIXTURES.iterdir()):
        for paragraph in paragraphs(path):
            *_, expected = paragraph.words
            named = re.search(r"\((ok|[a-z, ]+)\)$", expected)
            if not named:
                sys.exit(f"self-test: {path.name}:{paragraph.line} names no findings")
            paragraph.words[-1] = expected[: named.start()].strip()
            wanted = [] if named[1] == "ok" else named[1].split(", ")
            found = findings(paragraph)
            if found != wanted:
                sys.exit(f"self-test: {path.name}:{paragraph.line}: found {found}, expected {wanted}")
            seen.update(found)
    if seen != set(CAPS):
        sys.exit(f"self-test: no fixture breaks {set(CAPS) - seen}")
    if report(1000, {"opening": 1, "clause": 0, "long": 0}) or report(1000, {"opening": 0, "clause": 11, "long": 0}):
        sys.exit("self-test: counts beyond their caps pass")
    print("self-test: each rule finds its fixtures, and counts beyond a cap are refused")


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    if arguments and not arguments[0].startswith("--"):
        _, counts = check([pathlib.Path(name).resolve() for name in arguments], True)
        return 1 if any(counts.values()) else 0
    if arguments not in ([], ["--list"]):
        sys.exit(__doc__)
    return 0 if report(*check(tracked(), bool(arguments))) else 1


if __name__ == "__main__":
    sys.exit(main())
