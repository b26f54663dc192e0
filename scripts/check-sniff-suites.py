#!/usr/bin/env python3
"""Compares `mojika detect` and `mojika convert --from auto` with published test suites that lie in folders.

    scripts/check-sniff-suites.py [--html5lib DIR] [--xml DIR]

--html5lib  a checkout of html5lib-tests: each page of encoding/*.dat has the encoding that a browser decides
--xml       the W3C's XML conformance suite (the folder with xmlconf.xml): what is well-formed must be decoded, and
            documents that break section 4.3.3 must be refused

A folder that is absent is skipped. Deviations that the HTML Standard explains are printed with the reason; any other
fails.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent


def detect(mojika, options, files):
    """One object of `detect --json` for each file."""
    run = subprocess.run([mojika, "detect", "--json", *options, *files], capture_output=True)
    lines = run.stdout.splitlines()
    assert len(lines) == len(files), run.stderr
    return [json.loads(line) for line in lines]


def name_of(mojika, label):
    return subprocess.run([mojika, "encodings", label], check=True, capture_output=True, text=True).stdout.strip()


def html_tests(folder):
    for path in sorted(folder.glob("encoding/*.dat")) + sorted(folder.glob("encoding/scripted/*.dat")):
        for number, test in enumerate(path.read_bytes().split(b"#data\n")[1:], 1):
            page, _, encoding = test.rpartition(b"\n#encoding\n")
            yield f"{path.relative_to(folder / 'encoding')} {number}", page, encoding.strip().decode()


def html_deviation(name, page):
    """Why another answer than the suite's is right for a page, if it is."""
    if name.startswith("scripted"):
        return "a script writes the meta: there is no parser and no script here"
    if page.rfind(b"<meta") >= 1024 - len(b"<meta charset=x>"):
        return "the meta is behind the 1024 bytes of the prescan: a parser changes the encoding later (late_meta)"
    return None


def check_html(mojika, folder):
    tests = list(html_tests(folder))
    with tempfile.TemporaryDirectory() as scratch:
        files = []
        for number, (_, page, _) in enumerate(tests):
            file = pathlib.Path(scratch) / f"{number}.html"
            file.write_bytes(page)
            files.append(file)
        # A browser for Western Europe, as the suite's control test wants.
        found = detect(mojika, ["--locale", "en"], files)
    right, explained, wrong = 0, [], []
    for (name, page, label), decision in zip(tests, found):
        expected = name_of(mojika, label)
        if decision["encoding"] == expected:
            right += 1
            continue
        what = f"{name}: {decision['encoding']} by {decision['source']}, not {expected}"
        reason = html_deviation(name, page)
        if reason:
            explained.append(f"{what}: {reason}")
        else:
            wrong.append(what)
    for text in sorted(folder.glob("encoding/chardet/test_*.txt")):
        tests.append(None)
        label = text.stem.removeprefix("test_")
        decision, = detect(mojika, ["--context", "text"], [text])
        if decision["encoding"] == name_of(mojika, label):
            right += 1
        else:
            wrong.append(f"{text.name}: {decision['encoding']}")
    report("html5lib", len(tests), right, explained, wrong)
    return not wrong


def xml_tests(folder):
    for path in sorted(folder.rglob("*.xml")):
        if path.name == "xmlconf.xml":
            continue
        text = path.read_bytes()
        if b"<TEST " not in text or b"TYPE=" not in text:
            continue
        for tag in re.findall(rb"<TEST\s[^>]*>", re.sub(rb"<!--.*?-->", b"", text, flags=re.S)):
            attributes = dict(re.findall(r"([A-Z]+)\s*=\s*[\"']([^\"']*)", tag.decode("latin-1")))
            document = path.parent / attributes["URI"]
            if document.is_file():
                yield attributes["ID"], attributes["TYPE"], attributes["SECTIONS"], document


def check_xml(mojika, folder):
    tests = list(xml_tests(folder))
    found = detect(mojika, ["--context", "xml"], [test[3] for test in tests])
    right, checked, wrong, encodings = 0, 0, [], {}
    for (name, kind, sections, document), decision in zip(tests, found):
        convert = [mojika, "convert", "--from", "auto", "--context", "xml", document]
        run = subprocess.run(convert, capture_output=True)
        refused = decision["error"] or (run.returncode and run.stderr.decode().strip())
        if decision["error"] and not run.returncode:
            wrong.append(f"{name}: refused by detect and not by convert")
        if kind in ("valid", "invalid"):
            ok = not refused
        elif kind == "not-wf" and "4.3.3" in sections:
            ok = bool(refused)
        else:
            # Not well-formed for other reasons, or where a processor may stop.
            continue
        checked += 1
        encodings[decision["encoding"]] = encodings.get(decision["encoding"], 0) + 1
        if ok:
            right += 1
        else:
            wrong.append(f"{name} ({kind}, {sections}): {refused or 'accepted'}")
    print(f"XML: {len(tests)} documents, none ends the command; encodings of those checked: {encodings}")
    report("XML", checked, right, [], wrong)
    return not wrong and checked


def report(what, count, right, explained, wrong):
    print(f"{what}: {right} of {count} as expected, {len(explained)} deviations explained, {len(wrong)} wrong")
    for line in explained:
        print(f"  explained: {line}")
    for line in wrong:
        print(f"  WRONG: {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--html5lib", type=pathlib.Path)
    parser.add_argument("--xml", type=pathlib.Path)
    arguments = parser.parse_args()
    mojika = built.command()
    passed = True
    for folder, present, check in [
        (arguments.html5lib, "encoding", check_html),
        (arguments.xml, "xmlconf.xml", check_xml),
    ]:
        if folder is None or not (folder / present).exists():
            print(f"skipped: {present} is not in {folder}")
            continue
        passed &= bool(check(mojika, folder))
    sys.exit(0 if passed else 1)


main()
