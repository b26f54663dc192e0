#!/usr/bin/env python3
"""Keeps the tables of speed: one for each processor in docs/SPEED.md, from reports of the bench `versus`, and six rows of
them in README.md.

    cargo bench -p mojika-benches --bench versus -- --quick --only shuffled --out target/versus
    cargo bench -p mojika-benches --bench versus -- --quick --only shuffled --level avx2 --out target/versus-avx2
    scripts/speed-table.py add target/versus/report.json target/versus-avx2/report.json
    scripts/speed-table.py picture target/versus/report.json   # docs/speed-six.svg: the README's rows as bars of GB/s
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

# The README's rows; the best and the worst of all rows are added.
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
    """The README's rows for the processor of the newest table, at its highest level; the best and the worst row are named."""
    columns = tables()
    newest = next(reversed(columns))[0]
    (_, level), rows = next((key, rows) for key, rows in columns.items() if key[0] == newest)
    operations = [HEADINGS.index("to UTF-8"), HEADINGS.index("from UTF-8")]

    def mean(row):
        values = [value for operation in operations for value in rows[row][operation]]
        return math.exp(sum(map(math.log, values)) / len(values))

    complete = sorted((row for row in rows if None not in [rows[row][operation] for operation in operations]), key=mean)
    said = {complete[-1]: " (the best row)", complete[0]: " (the worst row)"}
    name = re.sub(r" \(family.*", "", newest)
    lines = ["| | " + " | ".join(f"{HEADINGS[operation]}, {name}, {level}" for operation in operations) + " |", "|---|---|---|"]
    for row in dict.fromkeys([*said, *ROWS]):
        encoding, language = row.split(", ")
        cells = [" / ".join(f"{value:.2g}" for value in rows[row][operation]) for operation in operations]
        lines.append(f"| {encoding}, {LANGUAGES[language]}{said.get(row, '')} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# The picture of README.md: bars of GB/s, mojika's first.
BARS = [("mojika", "#d62728"), ("encoding_rs", "#1f77b4"), ("iconv", "#949494"), ("ICU", "#9467bd"), ("memcpy", "#2ca02c")]
WIDTH, NAME, BAR, GAP, TEXT = 480, 8, 13, 30, 15


def picture(paths):
    """Bars for the README's rows, from a report with the rows' cells to UTF-8 of plain text. memcpy's are cut at the end."""
    (report,) = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in paths]
    speeds = {}
    for cell in report["cells"]:
        if (cell["operation"], cell["kind"]) == (OPERATIONS[0], KINDS[0]):
            peers = {peer["name"]: peer["gb_per_s"] for peer in cell["peers"]}
            speeds[f"{cell['encoding']}, {cell['language']}"] = {"mojika": cell["gb_per_s"], **peers}
    rows = [*ROWS, "UTF-8, en"]
    missing = [row for row in rows if row not in speeds]
    if missing:
        sys.exit("the report has no cell to UTF-8 of: " + "; ".join(missing))
    longest = 1.05 * max(speeds[row].get(name, 0) for row in ROWS for name, _ in BARS[:-1])
    machine = report["machine"]
    made, y = [], 22

    def write(x, y, text, size=TEXT, colour="#000000"):
        made.append(f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" fill="{colour}">{text}</text>')

    write(NAME, y, "To UTF-8, GB/s of input, one core", 17)
    write(NAME, y + 20, f"{machine['cpu']}, {LEVELS[machine['level']]}", 13)
    y += 44
    x = NAME
    for name, colour in BARS:
        made.append(f'<rect x="{x}" y="{y - 11}" width="12" height="12" fill="{colour}"/>')
        write(x + 17, y, name, 14)
        x += 34 + 8 * len(name)
    y += 8
    for row in rows:
        encoding, language = row.split(", ")
        y += GAP
        write(NAME, y, f"{encoding}, {LANGUAGES[language]}")
        y += 7
        for name, colour in BARS:
            if name not in speeds[row]:
                continue
            speed = speeds[row][name]
            length = round(min(speed / longest, 1) * (WIDTH - NAME - 62))
            made.append(f'<rect x="{NAME}" y="{y}" width="{max(length, 1)}" height="{BAR - 2}" fill="{colour}"/>')
            write(NAME + length + 5, y + BAR - 3, f"{speed:.2g}" + (" →" if speed > longest else ""), 13)
            y += BAR
    head = f'<svg width="{WIDTH}" height="{y + 12}" viewBox="0 0 {WIDTH} {y + 12}" xmlns="http://www.w3.org/2000/svg">'
    dark = "<style>@media (prefers-color-scheme: dark) { [fill='#FFFFFF'] { fill: #0D1117 } [fill='#000000'] { fill: #E6EDF3 } }</style>"
    ground = f'<rect width="{WIDTH}" height="{y + 12}" fill="#FFFFFF"/>'
    (ROOT / "docs/speed-six.svg").write_text("\n".join([head + dark, ground, *made, "</svg>"]) + "\n", encoding="utf-8")


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
    if arguments[:1] == ["picture"] and len(arguments) == 2:
        return picture(arguments[1:])
    if arguments in (["readme"], ["readme", "--check"]):
        return readme("--check" in arguments)
    sys.exit(__doc__)


main()
