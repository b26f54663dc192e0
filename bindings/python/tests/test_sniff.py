"""detect, decode_html, decode_xml: the library's reasons in the library's words."""

import bz2
import copy
import gzip
import io
import json
import lzma
import pathlib
import pickle
import subprocess
import sys

import pytest

import mojika


def test_repair_of_mojibake():
    assert mojika.repair("cafÃ© – Привет") == "café – Привет"
    assert mojika.repair("РџСЂРёРІРµС‚\n") == "Привет\n"
    first, second = mojika.find_mojibake("ok\nQueen\x92s\nÃ€hnlich")
    assert (first.line, first.before, first.after, first.confidence) == (2, "Queen\x92s\n", "Queen’s\n", "certain")
    assert first.steps == [("encode", "ISO-8859-1"), ("decode", "windows-1252")]
    assert (second.after, second.confidence) == (None, "tentative")
    assert mojika.find_mojibake("naïve café") == []
    assert "line=2" in repr(first)


def test_detect():
    found = mojika.detect("これは日本語の文章です。".encode("cp932"))
    assert (found.encoding, found.source, found.certainty) == ("Shift_JIS", "detection", "tentative")
    found = mojika.detect(b"\xfe\xff\x00a")
    assert (found.encoding, found.source, found.bom_length) == ("UTF-16BE", "bom", 2)
    assert mojika.detect(b"abc").source == "default"
    assert mojika.detect(b"abc", transport="text/plain; charset=big5").encoding == "Big5"
    assert mojika.detect(b"<meta charset=sjis>", context="html").source == "meta"
    with pytest.raises(ValueError, match="context"):
        mojika.detect(b"", context="poem")
    assert "source='default'" in repr(mojika.detect(b""))


def test_what_is_no_text(tmp_path):
    text = "文字化け,1\n".encode("cp932") * 20
    packed = {"gzip": gzip.compress(text), "bzip2": bz2.compress(text), "xz": lzma.compress(text)}
    for kind, data in {**packed, "binary": b"\x89PNG\r\n\x1a\n\0\0\0", "text": text}.items():
        found = mojika.detect(data)
        assert found.kind == kind and (found.encoding is None) == (kind != "text"), found
        if kind == "text":
            continue
        assert found.what and kind in repr(found)
        with pytest.raises(mojika.DoubtError, match="no text"):
            mojika.decode(data)
        assert mojika.decode(data, errors="replace", confidence=0)
    path = tmp_path / "image"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    with pytest.raises(mojika.DoubtError, match="PNG") as caught:
        mojika.open(path).read()
    assert pickle.loads(pickle.dumps(caught.value)).no_text == caught.value.no_text == "PNG"


def test_detections_and_decoders_are_copied_and_pickled():
    for data in ("これは日本語の文章です。".encode("cp932"), b"\xfe\xff\0a", b"caf\xe9", gzip.compress(b"")):
        found = mojika.detect(data)
        for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            assert again == found and again.candidates == found.candidates and repr(again) == repr(found)
            assert again.is_doubtful() == found.is_doubtful()
    decoder = mojika.IncrementalDecoder("iso-2022-jp", "replace", bom="remove")
    data = "文字化".encode("iso2022_jp")
    text = decoder.decode(data[:4])
    encoder = mojika.IncrementalEncoder("iso-2022-jp", "ignore")
    encoder.encode("文")
    for copied in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        again = copied(decoder)
        assert again.errors == "replace" and text + again.decode(data[4:], True) == "文字化"
        assert copied(encoder).encode("字", True) == encoder.__class__("iso-2022-jp").encode("字", True)[3:]
        assert copied(mojika.IncrementalDecoder("extended:latin1")).encoding == "ISO-8859-1"


def test_html():
    page = mojika.decode_html(b"<meta charset=sjis>\x95\xb6\x8e\x9a\xff")
    assert (page.text, page.encoding, page.source) == ("<meta charset=sjis>文字\ufffd", "Shift_JIS", "meta")
    assert page.errors == [(23, 1)]
    page = mojika.decode_html(b"\xc0\xc1", content_type="text/html; charset=windows-1251")
    assert (page.text, page.source, page.certainty) == ("АБ", "transport", "certain")
    assert mojika.decode_html(b"\xc0", encoding="koi8-r").source == "override"


def test_xml():
    document = mojika.decode_xml(b'<?xml version="1.0" encoding="koi8-r"?><a>\xc1</a>')
    assert (document.text[-6:], document.source) == ("<a>а</a>"[-6:], "xml-declaration")
    with pytest.raises(mojika.XmlError):
        mojika.decode_xml(b'<?xml version="1.0" encoding="utf-16"?><a/>')
    with pytest.raises(UnicodeDecodeError) as caught:
        mojika.decode_xml(b"<a>\xff</a>")
    assert caught.value.start == 3


def test_doubt():
    found = mojika.detect("これは日本語の文章です。".encode("cp932"))
    assert found.probability > 0.9 and not found.is_doubtful()
    assert found.candidates[0] == ("Shift_JIS", pytest.approx(found.probability))
    page = b"<!doctype html><meta charset=utf-8>" + "Вечером на веранде пили чай и говорили о лете.".encode("cp1251")
    found = mojika.detect(page)
    assert (found.encoding, found.declared, found.contradiction) == ("UTF-8", "UTF-8", "windows-1251")
    assert found.is_doubtful() and not found.is_doubtful(0)


def test_what_is_doubtful_is_not_decoded(tmp_path):
    short = b"caf\xe9\xa4\n"
    path = tmp_path / "short.txt"
    path.write_bytes(short)
    calls = [
        lambda **how: mojika.decode(short, **how),
        lambda **how: mojika.to_utf8(short, **how),
        lambda **how: mojika.open(path, **how).read(),
        lambda **how: mojika.open(path, mode="r", **how).read(),
    ]
    for call in calls:
        with pytest.raises(mojika.DoubtError, match="name the encoding") as caught:
            call()
        assert len(caught.value.candidates) > 1 and caught.value.candidates[0][1] < 0.9
        assert caught.value.declared is None
        assert len(call(confidence=0)) >= 6
        assert len(call(encoding="latin1")) >= 6
    page = b"<!doctype html><meta charset=utf-8>" + "Вечером на веранде пили чай и говорили о лете.".encode("cp1251")
    with pytest.raises(mojika.DoubtError, match="declared UTF-8"):
        mojika.decode(page, errors="replace")
    error = pickle.loads(pickle.dumps(mojika.DoubtError("UTF-8", None, [("UTF-8", 0.5)])))
    assert (error.encoding, error.candidates) == ("UTF-8", [("UTF-8", 0.5)])


def encoded(text, name):
    """The lines of a text that an encoding has all characters of; None if that is nothing but ASCII."""
    lines = []
    for line in text.splitlines(keepends=True):
        try:
            lines.append(mojika.encode(line, name))
        except (UnicodeEncodeError, LookupError):
            continue
    return None if not lines or "".join(text.splitlines()).isascii() else b"".join(lines)


def test_agrees_with_the_command(tmp_path):
    here = pathlib.Path(__file__)
    # Away from the sources, scripts/check-python.sh puts them beside the tests.
    samples = next(path for path in (here.parent / "samples", here.parents[3] / "samples") if path.is_dir())
    ascii = b"A line of ASCII.\n" * 8000
    marked = "Вечером".encode("utf-32")
    cases = [path.read_bytes() for path in samples.glob("*.txt")]
    cases += [ascii + case for case in cases if b"\0" not in case] + [marked, b"", b"abc", b"<meta charset=sjis>\x95\xb6"]
    texts = [path.read_text("utf-8") for path in sorted((samples / "utf-8").glob("*.txt"))]
    for name in mojika.encodings():
        for text in texts:
            if whole := encoded(text, name):
                page = b"<!doctype html><meta charset=utf-8>" + whole
                # Zero bytes in a page are binary to the command.
                cases += [whole, whole if b"\0" in whole else page, *(whole[:length] for length in (5, 12, 40, 100, 400))]
    assert len(cases) > 1000
    for number, case in enumerate(cases):
        (tmp_path / f"{number}.txt").write_bytes(case)
    command = [sys.executable, "-m", "mojika", "detect", "--json", "-v", str(tmp_path)]
    said = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
    said = {pathlib.Path(line["path"]).stem: line for line in map(json.loads, said)}
    for number, case in enumerate(cases):
        line = said[str(number)]
        found = mojika.detect(case)
        if line["encoding"] is None:
            # The command has words for what is no text: zero bytes, or what nothing fits.
            assert b"\0" in case or found.probability == 0, case[-40:]
            continue
        assert (found.encoding, found.source) == (line["encoding"], line["source"]), case[-40:]
        assert found.probability == pytest.approx(line["probability"], abs=1e-4), case[-40:]
        with mojika.open(io.BytesIO(case), errors="replace", confidence=0) as file:
            assert file.source_encoding == line["encoding"], case[-40:]
        if found.is_doubtful():
            with pytest.raises(mojika.DoubtError):
                mojika.decode(case, errors="replace")
        else:
            try:
                mojika.decode(case, errors="replace")
            except mojika.DoubtError as error:
                # The command doubts that the text is in one encoding, too.
                assert error.reason, case[-40:]
                convert = [sys.executable, "-m", "mojika", "convert", "--from", "auto", str(tmp_path / f"{number}.txt")]
                refused = subprocess.run(convert, capture_output=True)
                assert refused.returncode == 1 and b"doubtful" in refused.stderr, case[-40:]
