#!/usr/bin/env python3
"""Runs every shell command of README.md and docs/*.md, and sees that every Rust block there is a doctest.

    scripts/check-docs.py          # run what is not left out below
    scripts/check-docs.py --list   # say what would be run, and what is left out and why

Commands run in the repository. Those that begin with `mojika` run in a scratch folder with the files that they name. What
is not run as it stands is listed below with the reason.
"""
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import built
import web_archive

ROOT = pathlib.Path(__file__).resolve().parent.parent

OF_TESTS = "compiled with these features, and run as `cargo test` has built it"


def example(options, arguments=""):
    """Sees that an example compiles with these options, and runs it with all features of the library."""
    name = options.split()[-1]
    return [
        f"cargo check -q {options}",
        "cargo test -q --no-run",
        f"${{CARGO_TARGET_DIR:-target}}/debug/examples/{name} {arguments}".strip(),
    ]


# What stands in for a command, or why it is not run here: (start of the command, commands instead or None, reason).
INSTEAD = [
    ("cargo test -p mojika-benches", None, ".ci/full runs all tests of the bench"),
    ("cargo test", None, ".ci/run runs it itself"),
    ("cargo install --locked --path cli", ["cargo build --release -p mojika-cli"], "builds the same and installs nothing"),
    ("mojika completions --install", ["mojika completions --install --prefix local"], "not to the home folder"),
    ("scripts/build-deb.sh", None, "scripts/check-packages.sh --all builds and tries it"),
    ("export PKG_CONFIG_PATH=", None, "scripts/check-c.sh runs it with the two commands below it"),
    ("./example shift_jis", None, "scripts/check-c.sh runs it"),
    ("cc example.c", None, "scripts/check-c.sh compiles and runs it"),
    ("LD_PRELOAD=", None, "scripts/check-c.sh runs programs so"),
    ("scripts/measure-c.sh", ["scripts/measure-c.sh --dev 0.005"], "short slices, and the build that tests use"),
    ("scripts/build-capi", None, "scripts/check-c.sh builds the libraries"),
    ("scripts/check-c.sh", None, ".ci/run runs it"),
    ("scripts/build-js.sh", None, "scripts/check-js.sh runs it"),
    ("npx ", None, "scripts/check-js.sh runs it in a project with the package"),
    ("npm pack", None, "scripts/check-js.sh packs the package"),
    ("npm install", None, "scripts/check-js.sh installs the package; the peers of the bench come from a registry"),
    ("node bindings/js/bench.mjs", None, "needs the peers; minutes"),
    ("scripts/build-wheel.sh", None, "scripts/check-python.sh runs it"),
    ("scripts/speed-table.py add", None, "needs reports of the whole bench"),
    ("scripts/speed-table.py picture", None, "needs a report of the bench"),
    ("scripts/speed-table.py readme", ["scripts/speed-table.py readme --check"], "checked, not written"),
    ("cargo bench -p mojika-benches --bench versus", [
        "cargo bench --profile dev -p mojika-benches --bench versus -- --quick --only ^decode-to-utf8/koi8-r/ru/shuffled-dense$",
    ], "one cell instead of all, with the build that tests use"),
    ("cargo run --release -p mojika-benches --example lengths", [
        "cargo run -p mojika-benches --example lengths",
    ], "with the build that tests use"),
    ("cargo run --release -p mojika-edit --example edit_time", example("-p mojika-edit --example edit_time"), OF_TESTS),
    ("cargo run -p mojika-sniff --example async_page", example("-p mojika-sniff --example async_page"), OF_TESTS),
    ("cargo run -p mojika-sniff --example http_response", example("-p mojika-sniff --example http_response"), OF_TESTS),
    ("cargo run --example highlight", example("--example highlight"), OF_TESTS),
    ("cargo run -p mojika-sniff --example index_pages", example(
        "-p mojika-sniff --example index_pages", "samples エスケープ"), OF_TESTS),
    ("scripts/check-figures.py", None, "needs reports of the bench on the processor that docs/SPEED.md names"),
    ("scripts/check-clients.sh", None, ".ci/full runs it"),
    ("scripts/measure-convert.py", [
        "scripts/measure-convert.py --megabytes 1 --files 200 --gigabytes 0.01 --runs 1 --folder /tmp",
    ], "small files instead of large ones"),
    ("scripts/measure-edit.py", ["scripts/measure-edit.py --megabytes 1 --runs 1 --folder /tmp"], "a small file"),
    ("scripts/compare-warc.py", [
        "scripts/compare-warc.py --pages 120 --megabytes 1 --gigabytes 0.002 --runs 1",
    ], "a small archive, and only the peers at hand"),
    ("scripts/check-warc-interop.py --venv", ["scripts/check-warc-interop.py"], "only the libraries at hand"),
    ("scripts/measure-sniffing.py", [
        "scripts/measure-sniffing.py --files-only --megabytes 1 --runs 1",
    ], "the command alone, on small files"),
    ("cargo run --release -p mojika-proof -- units", None, "`cargo test` runs it on the samples"),
    ("scripts/measure-size.sh", None, "builds eight programs; minutes"),
    ("scripts/simulate-scale.py --measure", None, "needs the wheel and pyarrow"),
    ("scripts/simulate-scale.py", ["scripts/simulate-scale.py --archives 900 --cores 1 100 --speculate 1.5"], "a part of the archives"),
    ("scripts/measure-warc.py", ["scripts/measure-warc.py --pages 200 --runs 1"], "a small archive"),
    ("spark-submit", None, "bindings/spark/test_spark.py runs the job, in an environment with Spark"),
    ("pip wheel --no-deps bindings/datafusion/python", None, "builds DataFusion; scripts/check-datafusion.sh does the same"),
    ("scripts/count-aarch64.sh", None, "needs an emulator"),
    ("cargo run --release -p mojika-proof -- full", None, "hours; `cargo test` runs the short form"),
    ("cargo run -p mojika-gen -- check", None, ".ci/run runs it itself"),
    ("cargo update -p", None, "for a program of the reader's: scripts/check-clients.sh runs it in clients"),
    ("scripts/check-hostile.py", None, ".ci/run runs its short form"),
    ("fuzz/smoke.sh", None, ".ci/run runs it for a shorter time"),
    ("cargo tree -i encoding_rs", None, "for a program of the reader's: scripts/check-clients.sh runs it in clients"),
]


class OldName(zipfile.ZipInfo):
    """An entry of a zip archive with a name in CP437 and no flag, as DOS wrote it."""

    def _encodeFilenameFlags(self):
        return self.filename.encode("cp437"), self.flag_bits & ~0x800


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def commands(text):
    for block in blocks(text, "sh"):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            line = re.split(r"\s+#\s", line)[0].strip()
            if line and not line.startswith("#"):
                yield line


def in_place_of(command):
    for start, instead, reason in INSTEAD:
        if command.startswith(start):
            return instead or [], reason
    return [command], None


def scratch_files(folder, mojika):
    """The files that the examples of the command name."""
    (folder / "page.html").write_bytes("<p>文字化</p>".encode("shift_jis"))
    (folder / "in.txt").write_bytes("汉字".encode("gbk"))
    (folder / "notes.txt").write_bytes("naïve 字".encode())
    (folder / "records.bin").write_bytes(b"\xC1\x0E\x4F\x58\x0F".ljust(80, b"\x40") * 2)
    (folder / "unix.bin").write_bytes(b"\xC1\x15\xC2\x15")
    for name in ["texts", "letters", "logs"]:
        (folder / name).mkdir()
    (folder / "letters/a.txt").write_bytes("Ваше письмо получено, ответим завтра.\n".encode("windows-1251") * 20)
    letter = "Уважаемый господин Иванов!\nПисьмо от 3 мая 2025 года получено, спасибо.\nС уважением, Пётр\n"
    (folder / "letter.txt").write_bytes(letter.encode("windows-1251"))
    (folder / "change.diff").write_text("@@ -3 +3 @@\n-С уважением, Пётр\n+С уважением, Пётр Петров\n", encoding="utf-8")
    (folder / "mail").mkdir()
    for name in "ab":
        (folder / f"mail/{name}.txt").write_bytes("Заря, отдел закупок. Заря, бухгалтерия.\n".encode("koi8-r"))
    (folder / "maildir/cur").mkdir(parents=True)
    message = (
        "Return-Path: <a@example.org>\nFrom: a@example.org\nTo: b@example.org\nSubject: notes\nDate: Wed, 1 Jan 2003 10:00:00 +0300\n"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\nПривет\n")
    (folder / "maildir/cur/1041404400.M1P1.host:2,S").write_bytes(message.encode("koi8-r"))
    (folder / "requests.jsonl").write_text(
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}\n'
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "read", "arguments": {"path": "a.txt"}}}\n')
    mixed = {language: (ROOT / f"samples/utf-8/{language}.txt").read_text(encoding="utf-8") for language in ["ja", "ru", "de"]}
    (folder / "texts/ja.txt").write_bytes(mixed["ja"].encode("cp932"))
    (folder / "texts/ru.txt").write_bytes(mixed["ru"].encode("koi8-r"))
    (folder / "texts/ru.html").write_bytes(b"<meta charset=windows-1251>" + mixed["ru"].encode("windows-1251"))
    (folder / "texts/de.txt").write_bytes(mixed["de"].encode())
    (folder / "texts/notes.txt").write_bytes(mixed["de"].encode("utf-16"))
    (folder / "texts/picture.png").write_bytes(b"\x89PNG\r\n\x1A\n" + bytes(100))
    (folder / "logs/a.log.gz").write_bytes(gzip.compress(mixed["ru"].encode("koi8-r")))
    (folder / "logs/b.log").write_bytes(mixed["ja"].encode("euc-jp"))
    # An archive with a page, a text, and a card of which nobody knows the encoding.
    (folder / "archive").mkdir()
    (folder / "archive/ru.txt").write_bytes(mixed["ru"].encode("koi8-r"))
    (folder / "archive/page.html").write_bytes(b"<!doctype html><meta charset=windows-1251>" + mixed["ru"].encode("windows-1251"))
    (folder / "archive/card.txt").write_bytes(b"caf\xe9 \xe5\n")
    (folder / "declared").mkdir()
    (folder / "declared/ru.po").write_bytes('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=KOI8-R\\n"\n\nmsgid "yes"\nmsgstr "да"\n'.encode("koi8-r"))
    (folder / "declared/page.html").write_bytes(b"<meta charset=windows-1251>" + mixed["ru"].encode("windows-1251"))
    (folder / "old-server").mkdir()
    for name in ["Отчёт за январь.txt", "Письма и телеграммы.txt", "Список сотрудников.txt"]:
        (folder / "old-server" / os.fsdecode(name.encode("koi8-r"))).write_bytes(b"")
    with zipfile.ZipFile(folder / "old.zip", "w") as archive:
        for name in ["Übersicht über die Verträge.txt", "Müller/Gehälter für März.txt", "Änderungen für später.txt"]:
            archive.writestr(OldName(name), b"text")
    (folder / "mixed").mkdir()
    for name, page in [
        ("a.css", b'@charset "koi8-r";'),
        ("b.html", "<meta charset=shift_jis><p>文字化".encode("shift_jis")),
        ("c.xml", "<?xml version='1.0' encoding='EUC-JP'?><a>文字</a>".encode("euc_jp")),
        ("d.txt", "文字".encode("utf-16")),
        ("e.txt", ("Съешь ещё этих мягких французских булок. " * 5).encode("cp1251")),
        ("f.html", "<!doctype html><title>文字</title>".encode("utf-16")),
        ("g.xml", "<?xml version='1.0' encoding='IBM037'?><a>42</a>".encode("cp037")),
        # UCS-4 with the octets in the order 2143.
        ("h.xml", b"".join(unit[1::-1] + unit[:1:-1] for unit in (
            character.encode("utf-32-be") for character in "<?xml version='1.0' encoding='UCS-4'?><a>文字</a>"))),
    ]:
        (folder / "mixed" / name).write_bytes(page)
    (folder / "samples").symlink_to(ROOT / "samples")
    records = list(web_archive.sample(ROOT / "samples/utf-8"))
    if gzip.decompress((ROOT / "samples/pages.warc.gz").read_bytes()) != b"".join(records):
        sys.exit("error: samples/pages.warc.gz is not what scripts/web_archive.py makes")
    (folder / "crawls").mkdir()
    for archive in ["crawl.warc.gz", "crawls/1.warc.gz", "crawls/2.warc.gz"]:
        (folder / archive).write_bytes(b"".join(web_archive.compressed(records)))
    first, second = list(web_archive.compressed(records))[:2]
    (folder / "lines.cdxj").write_text(
        f'example 2026 {{"filename": "1.warc.gz", "offset": "{len(first)}", "length": "{len(second)}"}}\n')
    (folder / "bin").mkdir()
    (folder / "bin" / "mojika").symlink_to(mojika)


def main():
    listing = sys.argv[1:] == ["--list"]
    if sys.argv[1:] and not listing:
        sys.exit(__doc__)
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    libraries = [ROOT / "src/lib.rs", *sorted((ROOT / "crates").glob("*/src/lib.rs"))]
    included = "".join(library.read_text() for library in libraries)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not listing:
            scratch_files(folder, built.command())
        for document in documents:
            name, text = str(document.relative_to(ROOT)), document.read_text()
            if blocks(text, "rust") and f'../{name}")' not in included:
                failed.append(f"{name}: its Rust blocks are no doctests; a library must include it")
            printed = set()
            for command in commands(text):
                instead, reason = in_place_of(command)
                if reason:
                    print(f"{name}: not as it stands, {reason}: {command}")
                for line in instead:
                    print(f"{name}: {line}", flush=True)
                    if listing:
                        continue
                    where = folder if line.startswith("mojika ") else ROOT
                    path = f"{folder / 'bin'}:" + os.environ["PATH"]
                    run = subprocess.run(
                        ["bash", "-euo", "pipefail", "-c", line], cwd=where,
                        env={**os.environ, "PATH": path, "XDG_STATE_HOME": str(folder / "state")},
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    )
                    output = run.stdout.decode(errors="replace")
                    printed.update(" ".join(said.split()) for said in output.splitlines())
                    if run.returncode:
                        failed.append(f"{name}: `{line}` ends with status {run.returncode}:\n{output}")
            if name == "README.md" and not listing:
                # What it shows must be what its commands print, except the time that they took.
                shown = [" ".join(line.split()) for block in blocks(text, "text") for line in block.splitlines()]
                failed += [
                    f"{name}: none of its commands prints: {line}"
                    for line in shown if line not in ("", "…") and not re.search(r" s \(.*/s\)", line) and line not in printed
                ]
    for failure in failed:
        print(f"error: {failure}", file=sys.stderr)
    sys.exit(1 if failed else 0)


main()
