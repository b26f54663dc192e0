"""detect, decode_html, decode_xml: the library's reasons in the library's words."""

import io
import json
import pathlib
import subprocess
import sys

import pytest

import mojika


def test_detect():
    found = mojika.detect("これは日本語の文章です。".encode("cp932"))
    assert (found.encoding, found.source, found.confidence) == ("Shift_JIS", "detection", "tentative")
    found = mojika.detect(b"\xfe\xff\x00a")
    assert (found.encoding, found.source, found.bom_length) == ("UTF-16BE", "bom", 2)
    assert mojika.detect(b"abc").source == "default"
    assert mojika.detect(b"abc", transport="text/plain; charset=big5").encoding == "Big5"
    assert mojika.detect(b"<meta charset=sjis>", context="html").source == "meta"
    with pytest.raises(ValueError, match="context"):
        mojika.detect(b"", context="poem")
    assert "source='default'" in repr(mojika.detect(b""))


def test_html():
    page = mojika.decode_html(b"<meta charset=sjis>\x95\xb6\x8e\x9a\xff")
    assert (page.text, page.encoding, page.source) == ("<meta charset=sjis>文字\ufffd", "Shift_JIS", "meta")
    assert page.errors == [(23, 1)]
    page = mojika.decode_html(b"\xc0\xc1", content_type="text/html; charset=windows-1251")
    assert (page.text, page.source, page.confidence) == ("АБ", "transport", "certain")
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


def test_agrees_with_the_command():
    samples = pathlib.Path(__file__).parents[2] / "samples"
    ascii = b"A line of ASCII.\n" * 8000
    marked = "Вечером".encode("utf-32")
    cases = [path.read_bytes() for path in samples.glob("*.txt")]
    cases += [ascii + case for case in cases if b"\0" not in case] + [marked, b"", b"abc", b"<meta charset=sjis>\x95\xb6"]
    for case in cases:
        command = [sys.executable, "-m", "mojika", "detect", "--json"]
        said = json.loads(subprocess.run(command, input=case, capture_output=True, check=True).stdout)
        found = mojika.detect(case)
        assert (found.encoding, found.source) == (said["encoding"], said["source"]), case[-40:]
        with mojika.open(io.BytesIO(case)) as file:
            assert file.source_encoding == said["encoding"], case[-40:]
