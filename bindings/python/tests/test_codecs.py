"""The interface of `codecs`: registered names, incremental and stream codecs."""

import codecs
import csv
import io
import random

import pytest
from conftest import TEXTS, text_for

import mojika

mojika.register_codecs()
mojika.register_codecs()


def test_registered_names():
    assert b"\x80".decode("mojika:windows-1252") == "€"
    assert "文".encode("mojika:shift_jis") == b"\x95\xb6"
    assert "文".encode("MOJIKA:Shift-JIS") == b"\x95\xb6"
    assert b"\xc8".decode("mojika:ibm037") == "H"
    assert b"\x80".decode("mojika:latin1") == "€"
    assert b"\x80".decode("mojika:extended:latin1") == "\x80"
    assert codecs.lookup("mojika:euc-kr").name == "mojika:euc-kr"
    with pytest.raises(LookupError):
        codecs.lookup("mojika:wordperfect")


def test_every_encoding_is_registered(encoding):
    assert b"".decode(f"mojika:{encoding}") == ""


def test_files(tmp_path):
    path = tmp_path / "file.csv"
    rows = [["名前", "値"], ["能", "1"], ["表\n示", "2"]]
    with open(path, "w", encoding="mojika:shift_jis", newline="") as file:
        csv.writer(file).writerows(rows)
    with open(path, encoding="mojika:shift_jis", newline="") as file:
        assert list(csv.reader(file)) == rows
    assert path.read_bytes().decode("cp932").startswith("名前")


def test_stream_codecs():
    stream = io.BytesIO()
    writer = codecs.getwriter("mojika:iso-2022-jp")(stream)
    for character in "文字ab化":
        writer.write(character)
    writer.reset()
    assert stream.getvalue() == "文字ab化".encode("iso2022_jp")
    stream.seek(0)
    assert codecs.getreader("mojika:iso-2022-jp")(stream).read() == "文字ab化"


def test_any_cut_gives_the_same_text(encoding):
    rng = random.Random(encoding)
    good = b"" if encoding == "replacement" else mojika.encode(text_for(encoding), encoding)
    noise = bytes(rng.choice(b"\x1b(B$@JI\x0e!0\x81\x30\xff\xfe\xef\xbb\xbf\xa1\x00\xd8") for _ in range(60))
    for data in (good, noise, good + noise + good, b"\xff\xfe" + good, b"\xef\xbb\xbf" + noise):
        whole = mojika.decode(data, encoding, "replace")
        for size in (1, 2, 3, 5):
            decoder = mojika.IncrementalDecoder(encoding, "replace")
            pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
            assert "".join(pieces) + decoder.decode(b"", True) == whole


def test_a_state_can_be_taken_to_another_decoder_anywhere(encoding):
    rng = random.Random(encoding)
    good = b"" if encoding == "replacement" else mojika.encode(text_for(encoding), encoding)
    noise = bytes(rng.choice(b"\x1b(B$@JI!0\x81\x30\xff\xfe\xa1\x00\xd8") for _ in range(80))
    noise += bytes(rng.choice(b"\x0e\x0f~{}\x1b$)C!0\n\x41\xff") for _ in range(80))
    iso = b"\x1b$B\x1b(B\x1b(J\x1b(I!\x1b$B0!\x1b(B\x1b(B" if encoding == "ISO-2022-JP" else b""
    for data in (good, noise, iso, good + noise + good, b"\xff\xfe" + good):
        whole = mojika.decode(data, encoding, "replace")
        for cut in range(len(data) + 1):
            first = mojika.IncrementalDecoder(encoding, "replace")
            text = first.decode(data[:cut])
            state = first.getstate()
            second = mojika.IncrementalDecoder(encoding, "replace")
            second.setstate(state)
            assert second.getstate() == state, (data, cut)
            rest = second.decode(data[cut:], True)
            assert text + rest == whole, (data, cut, state)
            assert first.decode(data[cut:], True) == rest


def test_a_failed_call_has_read_nothing():
    decoder = mojika.IncrementalDecoder("shift_jis")
    assert decoder.decode(b"a\x95") == "a"
    with pytest.raises(UnicodeDecodeError) as caught:
        decoder.decode(b"\xb6\xff\xff")
    error = caught.value
    assert (error.object, error.start, error.end, error.offset) == (b"\x95\xb6\xff\xff", 2, 3, 3)
    assert decoder.getstate() == (b"\x95", 1)
    assert decoder.decode(b"\xb6", True) == "文"
    with pytest.raises(UnicodeDecodeError):
        decoder.decode(b"\x95", True)
    decoder.reset()
    assert decoder.getstate() == (b"", 0)


def test_text_files_can_be_told_and_sought(tmp_path):
    for encoding in ("shift_jis", "iso-2022-jp", "gb18030", "utf-8", "big5", "extended:iso-2022-kr", "hz", "ibm930"):
        text = "".join(f"{n}文字\n" for n in range(300))
        path = tmp_path / "file.txt"
        path.write_bytes(mojika.encode(text, encoding))
        with open(path, encoding=f"mojika:{encoding}", newline="") as file:
            places = {}
            for n in range(300):
                places[n] = file.tell()
                assert file.readline() == f"{n}文字\n"
            for n in (7, 299, 0, 150):
                file.seek(places[n])
                assert file.readline() == f"{n}文字\n"


@pytest.mark.parametrize(
    "encoding, text",
    [
        ("iso-2022-jp", "a文¥ｱ字b"),
        ("iso-2022-jp", "¥a文¥"),
        ("extended:iso-2022-kr", "ab文字c한글"),
        ("hz", "a~文字~b文"),
        ("IBM930", "A文字B文"),
        ("IBM933", "A文字B한글"),
    ],
)
def test_incremental_encoder_states(encoding, text):
    for cut in range(len(text)):
        first = mojika.IncrementalEncoder(encoding)
        start = first.encode(text[:cut])
        second = mojika.IncrementalEncoder(encoding)
        second.setstate(first.getstate())
        assert second.getstate() == first.getstate()
        rest = second.encode(text[cut:], True)
        assert start + rest == mojika.encode(text, encoding)
        assert second.getstate() == 0


def test_a_state_that_no_decoder_has():
    # A mode of an encoding without modes, a mode at the start, a mode and a bit that do not exist.
    for encoding, state in (("utf-16le", 0x51), ("extended:iso-2022-kr", 0x50), ("iso-2022-jp", 0x79), ("iso-2022-jp", 0x101)):
        with pytest.raises(ValueError, match="no state of a decoder"):
            mojika.IncrementalDecoder(encoding).setstate((b"", state))


def test_incremental_encoders_agree():
    for encoding, text in TEXTS.items():
        encoder = mojika.IncrementalEncoder(encoding)
        pieces = [encoder.encode(character) for character in text]
        assert b"".join(pieces) + encoder.encode("", True) == mojika.encode(text, encoding)
