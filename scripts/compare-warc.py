#!/usr/bin/env python3
"""Compares what pipelines for web archives make of pages in legacy encodings, and how fast they are.

    scripts/compare-warc.py --venv DIR      # installs the peers (below) to DIR and runs all of it there
    scripts/compare-warc.py --only table    # one part: table, speed, cores, memory
    scripts/compare-warc.py --pages 200 --megabytes 5 --runs 1     # small

Peers that Python cannot import are left out, with a line that says so. datatrove's decision is its own function
`process_record`. NeMo Curator and DCLM are not installed: the decisions of nemo-curator 1.4.0 (UTF-8, else the answer of
charset_normalizer, else nothing) and DCLM (strict UTF-8, else nothing) are a few lines here, over the libraries that they use.

The pages are cut from the articles in --corpora if that is there, else from short made texts. A page is garbled if
more than 2 % of its characters beyond ASCII are missing; it is lost if there is no text. Figures of speed are medians over
--runs, with the least and the greatest. Run them on a quiet machine.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import built
import legacy_pages
import web_archive

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ["fastwarc==2.0.1", "resiliparse==2.0.1", "warcio==1.8.1", "datatrove==0.10.1", "faust-cchardet==3.2.0", "python-magic==0.4.27",
         "charset-normalizer==3.5.2", "trafilatura==2.3.1", "lxml-html-clean==0.4.6"]
OURS = "mojika warc"


# Decisions of the peers: from a body to its text, or None.

def resiliparse(from_meta):
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def decide(body, _):
        return bytes_to_str(body, detect_encoding(body, from_html_meta=from_meta))
    return decide


def datatrove(_=None):
    from datatrove.pipeline.readers.warc import process_record
    import cchardet  # noqa: F401, process_record imports it later
    import magic  # noqa: F401

    class Stream:
        def __init__(self, data):
            self.read = lambda: data

    class Record:
        rec_type = "response"

        def __init__(self, body, page):
            self.content_stream = lambda: Stream(body)
            self.rec_headers = {"WARC-Identified-Payload-Type": "text/html", "WARC-Record-ID": page, "WARC-Target-URI": page,
                                "WARC-Date": web_archive.DATE}

    def decide(body, url):
        found = process_record(Record(body, url))
        return found and found["text"]
    return decide


def dclm(_=None):
    def decide(body, _):
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            return None
    return decide


def nemo_curator(_=None):
    from charset_normalizer import detect
    strict = dclm()

    def decide(body, url):
        text = strict(body, url)
        encoding = None if text is not None else detect(body)["encoding"]
        if not encoding or encoding == "utf-8":
            return text
        try:
            return body.decode(encoding)
        except Exception:
            return None
    return decide


def trafilatura(_=None):
    from trafilatura.utils import decode_file

    def decide(body, _):
        return decode_file(body)
    return decide


DECISIONS = [
    ("resiliparse", resiliparse, False), ("resiliparse, meta option", resiliparse, True), ("datatrove", datatrove, None),
    ("trafilatura", trafilatura, None), ("NeMo Curator", nemo_curator, None), ("DCLM", dclm, None),
]


def peers():
    for name, make, option in DECISIONS:
        try:
            yield name, make(option)
        except ImportError as error:
            print(f"{name} is left out: {error}")


def write(path, records):
    with open(path, "wb") as file:
        for member in web_archive.compressed(records):
            file.write(member)


# The table of what is lost.

def is_garbled(text, wanted):
    """Whether more than 2 % of the characters beyond ASCII are missing."""
    if text.removeprefix("\uFEFF") == wanted:
        return False
    count = collections.Counter(one for one in wanted if one > "\x7F")
    missing = count - collections.Counter(text)
    return sum(missing.values()) > 0.02 * sum(count.values())


def table(args, folder, pages):
    by_url = {page.url: page for page in pages}
    archive = folder / "table.warc.gz"
    write(archive, (web_archive.response(page.url, page.content_type, page.body) for page in pages))
    run = subprocess.run([args.mojika, "warc", archive, "--quiet"], check=True, capture_output=True)
    ours = {record["url"]: record for record in map(json.loads, run.stdout.decode().split("\n")[:-1])}
    flagged = [bool(ours[page.url]["disagreements"]) for page in pages if page.is_lying()]
    honest = [bool(ours[page.url]["disagreements"]) for page in pages if not page.is_lying()]
    results = {OURS: {url: record["text"] for url, record in ours.items()}}
    for name, decide in peers():
        results[name] = {page.url: decide(page.body, page.url) for page in pages}
    groups = {
        "all but lying": [page for page in pages if not page.is_lying()],
        "declared rightly": [page for page in pages if page.kind in ("header", "meta", "both")],
        "undeclared": [page for page in pages if page.kind == "undeclared"],
        "lying": [page for page in pages if page.is_lying()],
    }
    encodings = len({page.encoding for page in pages})
    print(f"\n{len(pages)} pages in {encodings} legacy encodings. Lost or garbled, in %:\n")
    print("| pipeline | " + " | ".join(f"{name} ({len(group)})" for name, group in groups.items())
          + " | lying: not as browsers |\n|---|" + "---:|" * (len(groups) + 1))
    for name, texts in results.items():
        def share(group, wanted):
            bad = [texts.get(page.url) is None or is_garbled(texts[page.url], wanted(page)) for page in group]
            return f"{100 * sum(bad) / max(1, len(bad)):.1f}"
        cells = [*(share(group, lambda page: page.truth) for group in groups.values()),
                 share(groups["lying"], lambda page: page.browser)]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"\nFlagged by ours: {sum(flagged)} of {len(flagged)} lying pages, {sum(honest)} of {len(honest)} others.")
    lost = collections.Counter((page.encoding, page.kind) for page in pages
                               if not page.is_lying() and is_garbled(results[OURS].get(page.url, ""), page.truth))
    for (encoding, kind), count in sorted(lost.items()):
        print(f"  ours garbles {count}: {encoding}, {kind}")
    assert set(results[OURS]) == set(by_url)


# Speed.

def show(name, times, size, base=None):
    rates = sorted(size / one / 1e6 for one in times)
    median = statistics.median(rates)
    ratio = f", {median / base:.2f}" if base else ""
    print(f"  {name:<46} {median:7.1f} MB/s ({rates[0]:.1f}-{rates[-1]:.1f}){ratio}", flush=True)
    return median


def archives(folder, args, pages, paragraphs):
    """Archives of about --megabytes of text: the mix of a crawl, with 4.6 % of its pages legacy, and legacy pages alone."""
    wanted = args.megabytes * 1_000_000
    legacy = [(page.url, page.content_type, page.body) for page in pages]
    modern = list(legacy_pages.modern(paragraphs, wanted))
    mixed = []
    for number, page in enumerate(modern):
        mixed.append(page)
        if number % 1000 < 46:
            mixed.append(legacy[number % len(legacy)])
    alone, size = [], 0
    while size < wanted / 4:
        for one in legacy:
            alone.append(one)
            size += len(one[2])
    for name, list_ in [("4.6 % legacy", mixed), ("legacy alone", alone)]:
        path = folder / f"{name.split()[0].replace('.', '_')}.warc.gz"
        write(path, (web_archive.response(*one) for one in list_))
        yield name, path, list_


def speed(args, folder, pages, paragraphs):
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError as error:
        return print(f"speed is left out: {error}")
    affinity = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(affinity)})
    for name, path, list_ in archives(folder, args, pages, paragraphs):
        bodies = [body for _, _, body in list_]
        size = sum(map(len, bodies))
        print(f"\n{name}: {len(bodies)} pages, {size / 1e6:.0f} MB of bodies, {path.stat().st_size / 1e6:.0f} MB in gzip; processor time of one core\n")

        def bare():
            with open(path, "rb") as file:
                for _ in ArchiveIterator(file, record_types=WarcRecordType.response):
                    pass

        def bodies_read():
            with open(path, "rb") as file:
                for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                    record.reader.read()

        output = folder / "out.jsonl"

        def ours():
            output.unlink(missing_ok=True)
            subprocess.run([args.mojika, "warc", path, "--quiet", "-o", output], check=True)

        def decision(decide):
            def run():
                for body in bodies:
                    decide(body, "http://a.example/")
            return run

        calls = {"a bare pass of FastWARC": bare, "FastWARC, bodies read": bodies_read,
                 f"{OURS}: read, decide, decode, write": ours}
        for peer, decide in peers():
            if peer in ("datatrove", "resiliparse, meta option"):
                calls[f"the decision of {peer} alone"] = decision(decide)
        times = collections.defaultdict(list)
        for _ in range(args.runs):
            for what, call in calls.items():
                # Each run writes a new file; removing the old one is not timed.
                output.unlink(missing_ok=True)
                times[what].append(built.timed(call)[1])
        base = None
        for what, one in times.items():
            median = show(what, one, size, base)
            base = base or median
    os.sched_setaffinity(0, affinity)


def cores(args, folder, pages, paragraphs):
    _, path, list_ = next(archives(folder, args, pages, paragraphs))
    (folder / "many").mkdir()
    for number in range(8):
        os.link(path, folder / f"many/{number}.warc.gz")
    size = 8 * sum(len(body) for _, _, body in list_)
    print(f"\n8 archives in a folder, {size / 1e6:.0f} MB of bodies; time of day by jobs, to new files\n")
    times = collections.defaultdict(list)
    for _ in range(args.runs):
        for jobs in (1, 2):
            shutil.rmtree(folder / "jobs", ignore_errors=True)
            command = [args.mojika, "warc", folder / "many", "-o", f"{folder}/jobs/", "--quiet", "-j", str(jobs)]
            times[jobs].append(built.timed(lambda: subprocess.run(command, check=True))[0])
    base = show("one job", times[1], size)
    show("two jobs", times[2], size, base)


def memory(args, folder, pages, paragraphs):
    _, path, _ = next(archives(folder, args, pages, paragraphs))
    part = path.read_bytes()
    print("\nPeak memory for one archive, by its length:\n")
    for gigabytes in (args.gigabytes / 20, args.gigabytes):
        large = folder / "large.warc.gz"
        with open(large, "wb") as file:
            while file.tell() < gigabytes * 1e9:
                # Members may follow one another, so archives may.
                file.write(part)
        start, peak = time.perf_counter(), 0
        # For writing alone: what can be read, too, looks like an output that was closed.
        with open(os.devnull, "wb") as nothing:
            child = subprocess.Popen([args.mojika, "warc", large, "--quiet"], stdout=nothing)
        while child.poll() is None:
            # What wait4 says would include this process, as it was before the child became another.
            found = re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path(f"/proc/{child.pid}/status").read_text())
            peak = int(found.group(1)) if found else peak
            time.sleep(0.01)
        if child.returncode:
            sys.exit(f"ends with status {child.returncode}")
        print(f"  {large.stat().st_size / 1e9:.2f} GB: {peak / 1024:.0f} MiB, {time.perf_counter() - start:.0f} s")
        large.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", help="install the peers to this folder and run there")
    parser.add_argument("--pages", type=int, default=2700)
    parser.add_argument("--megabytes", type=int, default=200, help="text of the archive that is timed")
    parser.add_argument("--gigabytes", type=float, default=2, help="length of the archive for memory")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", action="append", choices=["table", "speed", "cores", "memory"])
    parser.add_argument("--folder", help="where archives are made [default: a temporary folder]")
    parser.add_argument("--corpora", type=pathlib.Path, default=ROOT / "../shared/corpora", help="folder of articles, LANGUAGE.html or .txt")
    parser.add_argument("--mojika", type=pathlib.Path, help="the command [default: built]")
    args = parser.parse_args()
    if args.venv:
        subprocess.run([sys.executable, "-m", "venv", args.venv], check=True)
        python = pathlib.Path(args.venv) / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS], check=True)
        at = sys.argv.index("--venv") if "--venv" in sys.argv else None
        rest = sys.argv[1:at] + sys.argv[at + 2:] if at else [one for one in sys.argv[1:] if not one.startswith("--venv=")]
        sys.exit(subprocess.run([python, __file__, *rest]).returncode)
    args.mojika = args.mojika or built.command()
    paragraphs = legacy_pages.texts(args.corpora, ROOT / "samples/utf-8")
    pages = list(legacy_pages.pages(paragraphs, args.pages))
    parts = args.only or ["table", "speed", "cores", "memory"]
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        folder = pathlib.Path(folder)
        for part in parts:
            if part == "table":
                table(args, folder, pages)
            else:
                globals()[part](args, folder, pages, paragraphs)


main()
