#!/usr/bin/env python3
"""Prints the table of spreads of docs/SPEED.md from reports of the bench, and compares another run with it.

    scripts/check-figures.py table MADE.json... --articles ARTICLES.json...
    scripts/check-figures.py check MADE.json [ARTICLES.json]

The reports are `report.json` of the command above the table; with `--articles` those of the same command with
`--corpus`. `check` expects nine figures in ten inside the printed ranges, widened by a tenth at either end.
"""
import json
import math
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/SPEED.md"
COLUMNS = ["decode-to-utf8", "decode-to-utf16", "encode-from-utf8", "encode-from-utf16"]
LANGUAGES = {
    "ru": "Russian", "fr": "French", "de": "German", "en": "English", "th": "Thai", "zh_cn": "Chinese",
    "zh_tw": "Chinese", "ko": "Korean", "ja": "Japanese",
}
OPERATIONS = {name: column for column, name in enumerate(COLUMNS)}
PEER = "encoding_rs"


def ratios(path):
    """How many times as fast as encoding_rs each cell is, by row and column."""
    found = {}
    for cell in json.loads(pathlib.Path(path).read_text())["cells"]:
        if cell["operation"] not in OPERATIONS or not cell["kind"].startswith("shuffled-"):
            continue
        kind = cell["kind"].removeprefix("shuffled-")
        row = f"{cell['encoding']}, {LANGUAGES[cell['language']]}, {kind}"
        for peer in cell["peers"]:
            if peer["name"] == PEER:
                found[row, OPERATIONS[cell["operation"]]] = peer["ratio"]["median"]
    return found


def spread(runs, key):
    values = [run[key] for run in runs if key in run]
    if not values:
        return "–"
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    return low if low == high else f"{low}-{high}"


def mean(runs, kind):
    means = []
    for run in runs:
        logs = [math.log(value) for (row, _), value in run.items() if row.endswith(kind)]
        means.append(math.exp(sum(logs) / len(logs)))
    low, high = f"{min(means):.1f}", f"{max(means):.1f}"
    return low if low == high else f"{low}-{high}"


def table(made, articles):
    rows = dict.fromkeys(row for row, _ in made[0])
    print("| encoding, text | to UTF-8 | to UTF-16 | from UTF-8 | from UTF-16 |")
    print("|---|---|---|---|---|")
    for row in rows:
        cells = [f"{spread(made, (row, c))} · {spread(articles, (row, c))}" for c in range(4)]
        print(f"| {row} | " + " | ".join("–" if cell == "– · –" else cell for cell in cells) + " |")
    for kind in ["dense", "markup"]:
        print(f"geometric mean, {kind}: made {mean(made, kind)}, articles {mean(articles, kind)}")


def printed():
    """The ranges of the page: by row and column, for made text and for articles."""
    found = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 5 or " · " not in line or not re.search(r", (dense|markup)$", cells[0]):
            continue
        for column, cell in enumerate(cells[1:]):
            for which, text in enumerate(cell.split(" · ")):
                if re.fullmatch(r"[\d.]+(-[\d.]+)?", text):
                    ends = [float(end) for end in text.split("-")]
                    found[which, cells[0], column] = (ends[0], ends[-1])
    return found


def check(paths):
    ranges, inside, outside = printed(), 0, 0
    if not ranges:
        sys.exit(f"{PAGE} has no table of ranges")
    for which, path in enumerate(paths):
        for (row, column), ratio in ratios(path).items():
            if (which, row, column) not in ranges:
                continue
            low, high = ranges[which, row, column]
            if low / 1.1 <= ratio <= high * 1.1:
                inside += 1
            else:
                outside += 1
                source = ["made text", "articles"][which]
                print(f"{row}, {COLUMNS[column]}, {source}: {ratio:.2f}, printed {low}-{high}")
    total = inside + outside
    if total == 0:
        sys.exit("no cell of these reports is in the page's table")
    print(f"{inside} of {total} figures inside the printed ranges, widened by a tenth")
    sys.exit(0 if inside >= 0.9 * total else 1)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["table"] and "--articles" in arguments:
        at = arguments.index("--articles")
        made, articles = arguments[1:at], arguments[at + 1:]
        if made and articles:
            return table([ratios(path) for path in made], [ratios(path) for path in articles])
    if arguments[:1] == ["check"] and 2 <= len(arguments) <= 3:
        return check(arguments[1:])
    sys.exit(__doc__)


main()
