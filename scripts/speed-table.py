#!/usr/bin/env python3
"""Prints docs/SPEED.md's table from reports of the bench `versus`: times encoding_rs, plain text / with markup, one pair of
figures for each report.

    cargo bench -p mojika-benches --bench versus -- --quick --only shuffled --out target/versus
    scripts/speed-table.py target/versus/report.json
"""

import collections
import json
import sys

OPERATIONS = ["decode-to-utf8", "decode-to-utf16", "encode-from-utf8", "encode-from-utf16"]
KINDS = ["shuffled-dense", "shuffled-markup"]


def ratios_of(path):
    """Times encoding_rs by encoding, language, operation and kind."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    return {
        (cell["encoding"], cell["language"], cell["operation"], cell["kind"]): peer["ratio"]["median"]
        for cell in cells
        for peer in cell["peers"]
        if peer["name"] == "encoding_rs"
    }


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    reports = [ratios_of(path) for path in sys.argv[1:]]
    rows = collections.OrderedDict((key[:2], None) for key in reports[0])
    print("| | to UTF-8 | to UTF-16 | from UTF-8 | from UTF-16 |")
    print("|---|---|---|---|---|")
    for row in rows:
        columns = []
        for operation in OPERATIONS:
            pairs = [[report.get((*row, operation, kind)) for kind in KINDS] for report in reports]
            known = all(ratio is not None for pair in pairs for ratio in pair)
            text = "; ".join(" / ".join(f"{ratio:.2g}" for ratio in pair) for pair in pairs) if known else ""
            columns.append(text)
        if any(columns):
            print(f"| {', '.join(row)} | " + " | ".join(columns) + " |")


if __name__ == "__main__":
    main()
