#!/usr/bin/env python3
"""Keeps the tables of speed: one for each processor in docs/SPEED.md, from reports of the bench `versus`, and six rows of
them in README.md.

    cargo bench -p mojika-benches --bench versus -- --quick --only shuffled --out target/versus
    cargo bench -p mojika-benches --bench versus -- --quick --only shuffled --level avx2 --out target/versus-avx2
    scripts/speed-table.py add target/versus/report.json target/versus-avx2/report.json
    scripts/speed-table.py readme           # README.md again, from docs/SPEED.md
    scripts/speed-table.py readme --check   # exit with 1 if that would change it

`add` writes the table of the processor that the reports name, in the place of an older one of the same processor and levels;
tables of others stay. Figures are medians of times encoding_rs, plain text / with markup.
"""

import collections
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEED, README = ROOT / "docs/SPEED.md", ROOT / "README.md"
OPERATIONS = ["decode-to-utf8", "decode-to-utf16", "encode-from-utf8", "encode-from-utf16"]
HEADINGS = ["to UTF-8", "to UTF-16", "from UTF-8", "from UTF-16"]
KINDS = ["shuffled-dense", "shuffled-markup"]
LEVELS = {"avx512": "AVX-512", "avx2": "AVX2", "sse2": "SSE2", "neon": "NEON", "portable": "portable"}
END = "<!-- end -->"

# The README's rows; the worst of all rows is added.
ROWS = ["windows-1251, ru", "windows-1252, fr", "Shift_JIS, ja", "GBK, zh_cn", "EUC-KR, ko"]
LANGUAGES = {
    "ar": "Arabic", "binary": "binary", "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "fr": "French",
    "ja": "Japanese", "ko": "Korean", "ru": "Russian", "th": "Thai", "vi": "Vietnamese", "zh_cn": "Chinese", "zh_tw": "Chinese",
}


def ratios_of(report):
    """Times encoding_rs by encoding, language, operation and kind."""
    return {
        (cell["encoding"], cell["language"], cell["operation"], cell["kind"]): peer["ratio"]["median"]
        for cell in report["cells"]
        for peer in cell["peers"]
        if peer["name"] == "encoding_rs"
    }


def table(reports):
    """Lines of a table: a row for each encoding and language, a pair of figures for each report."""
    ratios = [ratios_of(report) for report in reports]
    lines = ["| | " + " | ".join(HEADINGS) + " |", "|---" * 5 + "|"]
    for row in collections.OrderedDict((key[:2], None) for key in ratios[0]):
        columns = []
        for operation in OPERATIONS:
            pairs = [[report.get((*row, operation, kind)) for kind in KINDS] for report in ratios]
            known = all(ratio is not None for pair in pairs for ratio in pair)
            columns.append("; ".join(" / ".join(f"{ratio:.2g}" for ratio in pair) for pair in pairs) if known else "")
        if any(columns):
            lines.append(f"| {', '.join(row)} | " + " | ".join(columns) + " |")
    return lines


def add(paths):
    reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in paths]
    machines = [report["machine"] for report in reports]
    if len({machine["cpu"] for machine in machines}) != 1:
        sys.exit("the reports are of several processors: " + ", ".join(machine["cpu"] for machine in machines))
    levels = "; ".join(LEVELS[machine["level"]] for machine in machines)
    start = f"<!-- speed: {machines[0]['cpu']}: {levels} -->"
    dates = sorted({machine["date"][:10] for machine in machines})
    heading = f"**{machines[0]['cpu']}**, {levels} (encoding_rs {machines[0]['encoding_rs']}, {' to '.join(dates)}):"
    block = "\n".join([start, heading, "", *table(reports), END])
    text = SPEED.read_text(encoding="utf-8")
    old = re.search(re.escape(start) + r".*?" + re.escape(END), text, re.S)
    if old:
        text = text[:old.start()] + block + text[old.end():]
    else:
        last = text.rindex(END) + len(END)
        text = text[:last] + "\n\n" + block + text[last:]
    SPEED.write_text(text, encoding="utf-8")


def tables():
    """The tables of docs/SPEED.md: processor and level to row, operation, and the pair of figures."""
    found = collections.OrderedDict()
    text = SPEED.read_text(encoding="utf-8")
    for cpu, levels, body in re.findall(r"<!-- speed: (.*?): ([^:]*?) -->\n(.*?)" + END, text, re.S):
        for index, level in enumerate(levels.split("; ")):
            rows = found[cpu, level] = {}
            for line in body.splitlines():
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                if not line.startswith("| ") or len(cells) != 5 or not cells[0]:
                    continue
                rows[cells[0]] = [
                    tuple(float(part) for part in cell.split("; ")[index].split(" / ")) if cell else None
                    for cell in cells[1:]
                ]
    return found


def readme_table():
    """The README's rows: to UTF-8 and from UTF-8, with AVX2 on the newest table's processor, and with AVX-512 on each."""
    columns = tables()
    newest = next(reversed(columns))[0]
    columns = {key: rows for key, rows in columns.items() if key[1] == "AVX-512" or key == (newest, "AVX2")}
    columns = dict(sorted(columns.items(), key=lambda item: (item[0][0] != newest, item[0][1] != "AVX2")))
    operations = [HEADINGS.index("to UTF-8"), HEADINGS.index("from UTF-8")]

    def figures(row):
        return [rows[row][operation] for operation in operations for rows in columns.values()]

    def mean(row):
        values = [value for pair in figures(row) for value in pair]
        return math.exp(sum(map(math.log, values)) / len(values))

    common = set.intersection(*(set(rows) for rows in columns.values()))
    complete = [row for row in sorted(common) if None not in figures(row)]
    worst = min((row for row in complete if row not in ROWS), key=mean)
    names = {cpu: re.sub(r" \(family.*", "", cpu) for cpu, _ in columns}
    heads = [f"{HEADINGS[o]}: {names[cpu]}, {level}" for o in operations for cpu, level in columns]
    lines = ["| | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for row in [*ROWS, worst]:
        encoding, language = row.split(", ")
        cells = [" / ".join(f"{value:.2g}" for value in pair) for pair in figures(row)]
        lines.append(f"| {encoding}, {LANGUAGES[language]} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def readme(check):
    text = README.read_text(encoding="utf-8")
    start = text.index("\n", text.index("<!-- speed:")) + 1
    end = text.index(END, start)
    new = text[:start] + readme_table() + "\n" + text[end:]
    if check and new != text:
        sys.exit("README.md has other figures than docs/SPEED.md: run scripts/speed-table.py readme")
    README.write_text(new, encoding="utf-8")


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["add"] and arguments[1:]:
        return add(arguments[1:])
    if arguments in (["readme"], ["readme", "--check"]):
        return readme("--check" in arguments)
    sys.exit(__doc__)


main()
