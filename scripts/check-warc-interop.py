#!/usr/bin/env python3
"""Archives that `mojika warc` writes are read by warcio and FastWARC, and theirs by `mojika warc`.

    scripts/check-warc-interop.py [--venv DIR] [--mojika COMMAND]

--venv installs warcio and fastwarc to DIR first. Without it, a library that Python cannot import is left out with a line that
says so. Records, addresses, texts and digests are compared; exits with 1 at the first difference.
"""
import argparse
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import legacy_pages
import web_archive

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ["warcio==1.8.1", "fastwarc==2.0.1"]
KINDS = ["wet", "warc-utf8"]


def with_warcio(path):
    """(type, address, HTTP content type or None, body) of each record, digests checked."""
    from warcio.archiveiterator import ArchiveIterator
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            http = record.http_headers and record.http_headers.get_header("Content-Type")
            yield record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), http, record.content_stream().read()


def with_fastwarc(path):
    from fastwarc.warc import ArchiveIterator
    with open(path, "rb") as file:
        # To verify a digest, the block is read as it is.
        for record in ArchiveIterator(file, parse_http=False):
            if not record.verify_block_digest():
                sys.exit(f"{path.name}: FastWARC finds a wrong digest in {record.record_id}")
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            http = record.http_headers and record.http_headers.get("Content-Type")
            kind = str(record.record_type)
            yield kind, record.headers.get("WARC-Target-URI"), http, record.reader.read()


def of_warcio(pages, path):
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=path.suffix == ".gz")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "warcio"}))
        for page in pages:
            head = StatusAndHeaders("200 OK", [("Content-Type", page.content_type)], protocol="HTTP/1.0")
            writer.write_record(writer.create_warc_record(page.url, "response", payload=io.BytesIO(page.body), http_headers=head))


def of_fastwarc(pages, path):
    from fastwarc.stream_io import GzipWriter, ZstdWriter, zstd_train_dictionary_from_samples
    from fastwarc.warc import WarcRecord, WarcRecordType
    with open(path, "wb") as file:
        stream = file
        if path.suffix == ".gz":
            stream = GzipWriter(file)
        elif path.suffix == ".zst":
            dictionary = None
            if "dictionary" in path.name:
                dictionary = zstd_train_dictionary_from_samples([page.body[:4000] for page in pages], 20_000)
            # A compressed dictionary frame, and a plain one.
            stream = ZstdWriter(file, dictionary=dictionary, compress_dictionary_frame="compressed" in path.name)
        for page in pages:
            record = WarcRecord()
            record.init_headers(WarcRecordType.response)
            record.headers["WARC-Target-URI"] = page.url
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {page.content_type}\r\nContent-Length: {len(page.body)}\r\n\r\n"
            record.set_bytes_content(head.encode() + page.body)
            record.is_http = True
            record.write(stream, checksum_data=True)
            if stream is not file:
                # The member's end.
                stream.finish()
        if stream is not file:
            # What it has kept back of compressed bytes.
            stream.close()


LIBRARIES = {"warcio": (with_warcio, of_warcio), "fastwarc": (with_fastwarc, of_fastwarc)}


def check(what, found, expected):
    if found != expected:
        at = next((at for at, (one, other) in enumerate(zip(found, expected)) if one != other), min(len(found), len(expected)))
        sys.exit(f"error: {what}: {len(found)} records, {len(expected)} expected; the first difference is in number {at}:\n"
                 f"{str(found[at:at + 1])[:2000]}\n{str(expected[at:at + 1])[:2000]}")
    print(f"{what}: {len(found)} records, as they should be")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv")
    parser.add_argument("--mojika", default=None, help="the command [default: built]")
    args = parser.parse_args()
    if args.venv:
        subprocess.run([sys.executable, "-m", "venv", args.venv], check=True)
        python = pathlib.Path(args.venv) / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS], check=True)
        sys.exit(subprocess.run([python, __file__, *(["--mojika", args.mojika] if args.mojika else [])]).returncode)
    libraries = {}
    for name, functions in LIBRARIES.items():
        try:
            importlib.import_module(name)
            libraries[name] = functions
        except ImportError as error:
            print(f"{name} is left out: {error}")
    if not libraries:
        return
    if args.mojika is None:
        args.mojika = str(built.command())

    def mojika(*options):
        run = subprocess.run([args.mojika, "warc", "--quiet", *options], check=True, capture_output=True)
        return [json.loads(line) for line in run.stdout.decode().split("\n") if line]

    paragraphs = legacy_pages.texts(ROOT / "../shared/corpora", ROOT / "samples/utf-8")
    pages = [page for page in legacy_pages.pages(paragraphs, 200) if not page.is_lying()]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        records = [web_archive.info()]
        records += [web_archive.response(page.url, page.content_type, page.body, coding)
                    for page, coding in zip(pages, [None, "gzip", "chunked"] * len(pages))]
        records.append(web_archive.record("metadata", None, "application/warc-fields", b"a: b\r\n"))
        source = folder / "source.warc.gz"
        source.write_bytes(b"".join(web_archive.compressed(records)))
        texts = {record["url"]: record["text"] for record in mojika(source)}
        for name, (read, write) in libraries.items():
            for kind in KINDS:
                for ending in ["warc", "warc.gz"]:
                    output = folder / f"{kind}.{ending}"
                    mojika(source, "--format", kind, "-o", output, "--force")
                    found = list(read(output))
                    if kind == "wet":
                        expected = [("conversion", page.url, None, texts[page.url].encode()) for page in pages]
                        found = [one for one in found if one[0] != "warcinfo"]
                    else:
                        # The text, except the label in a meta.
                        again = {record["url"]: record["text"].encode() for record in mojika(output)}
                        expected = [("response", page.url, "text/html; charset=utf-8", again[page.url]) for page in pages]
                        kinds = [one[0] for one in found]
                        check(f"{name} reads the types of {output.name}", kinds,
                              ["warcinfo", "warcinfo", *["response"] * len(pages), "metadata"])
                        found = [one for one in found if one[0] == "response"]
                    check(f"{name} reads {output.name}", found, expected)
            zstandard = ["warc.zst", "dictionary.warc.zst", "compressed-dictionary.warc.zst"] if name == "fastwarc" else []
            for ending in ["warc", "warc.gz", *zstandard]:
                path = folder / f"{name}.{ending}"
                write(pages, path)
                found = [(record["url"], record["text"]) for record in mojika(path)]
                check(f"mojika reads {path.name}", found, [(page.url, texts[page.url]) for page in pages])


main()
