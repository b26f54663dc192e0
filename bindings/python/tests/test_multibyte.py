"""What multi-byte codecs of Python have to do: error handlers at every place, streams in every piece, states, odd callers."""

import array
import codecs
import io
import random

import pytest
from conftest import TEXTS

import mojika

mojika.register_codecs()

# Encodings, each with text and a malformed sequence that leaves what follows as it is.
MULTI_BYTE = {
    "Shift_JIS": b"\xa0", "EUC-JP": b"\xff", "ISO-2022-JP": b"\x80", "GBK": b"\xff", "gb18030": b"\xff", "Big5": b"\x80",
    "EUC-KR": b"\xff", "UTF-8": b"\xff", "UTF-16LE": b"\x00\xdc", "UTF-16BE": b"\xdc\x00",
}


@pytest.fixture(params=MULTI_BYTE)
def name(request):
    return request.param


@pytest.fixture
def text(name):
    return TEXTS[name]


@pytest.fixture
def codec(name):
    return codecs.lookup(f"mojika:{name}")


def register(handler):
    codecs.register_error("mojika.test", handler)
    return "mojika.test"


def test_lengths_are_those_of_the_input(codec, text):
    data, characters = codec.encode(text)
    assert characters == len(text)
    assert codec.decode(data) == (text, len(data))
    assert codec.decode(memoryview(data)) == (text, len(data))
    assert codec.encode("") == (b"", 0)
    assert codec.decode(b"") == ("", 0)


def test_a_bad_sequence_anywhere(name, text):
    """Each handler, with the malformed sequence in front, behind, between, and twice."""
    bad = MULTI_BYTE[name]
    pieces = ["", text[:1], text, "ab"]
    for before in pieces:
        for behind in pieces:
            data = mojika.encode(before, name) + bad + mojika.encode(behind, name)
            assert mojika.decode(data, name, "ignore") == before + behind
            assert mojika.decode(data, name, "replace").replace("\ufffd", "") == before + behind
            assert mojika.decode(data, name, register(lambda error: ("<>", error.end))) == f"{before}<>{behind}"
            with pytest.raises(UnicodeDecodeError) as caught:
                mojika.decode(data, name)
            error = caught.value
            assert (error.object[error.start : error.end], error.start) == (bad, len(mojika.encode(before, name)))


@pytest.mark.parametrize("result", [None, ("x",), ("x", 1, 2), (1, 1), ("x", "1"), (b"x", 1), (None, 1), [1, "x"]])
def test_handlers_that_return_nonsense(result):
    errors = register(lambda error: result)
    with pytest.raises(TypeError):
        mojika.decode(b"a\xff", "euc-kr", errors)
    if result != (b"x", 1):
        with pytest.raises(TypeError):
            mojika.encode("a→", "koi8-r", errors)


def test_handlers_that_raise():
    class Odd(Exception):
        pass

    def handler(error):
        raise Odd(error.start)

    for call in (
        lambda errors: mojika.decode(b"a\xff", "euc-kr", errors),
        lambda errors: mojika.encode("a→", "koi8-r", errors),
        lambda errors: mojika.IncrementalDecoder("euc-kr", errors).decode(b"a\xff"),
        lambda errors: mojika.IncrementalEncoder("koi8-r", errors).encode("a→"),
    ):
        with pytest.raises(Odd, match="1"):
            call(register(handler))


def test_encode_handlers_go_anywhere():
    text = "ab→cd"
    for position, expected in ((3, b"ab?cd"), (5, b"ab?"), (-1, b"ab?d"), (4, b"ab?d"), (-2, b"ab?cd")):
        assert mojika.encode(text, "koi8-r", register(lambda error, to=position: ("?", to))) == expected
    for position in (6, -6, 1 << 40, -(1 << 40)):
        with pytest.raises(IndexError):
            mojika.encode(text, "koi8-r", register(lambda error, to=position: ("?", to)))
    seen = []

    def back(error):
        seen.append(error.start)
        return ("?", 0 if len(seen) < 3 else error.end)

    assert mojika.encode("a→b", "koi8-r", register(back)) == b"a?a?a?b"
    assert mojika.encode("文→", "shift_jis", register(lambda error: (b"\xff", error.end))) == "文→".encode("cp932")
    assert mojika.encode("文😀", "shift_jis", register(lambda error: (b"\xff", error.end))) == "文".encode("cp932") + b"\xff"


def test_replacements_are_encoded_themselves():
    # In the state of ISO-2022-JP at that place, and a replacement that is unmappable itself is the first error.
    data = mojika.encode("文😀字", "iso-2022-jp", register(lambda error: ("化", error.end)))
    assert data.decode("iso2022_jp") == "文化字" and data.endswith(b"\x1b(B")
    with pytest.raises(UnicodeEncodeError) as caught:
        mojika.encode("文😀", "shift_jis", register(lambda error: ("😀", error.end)))
    assert caught.value.start == 1


def test_every_pair_of_bytes_agrees_with_to_utf8(name):
    data = b"".join(bytes((lead, trail)) + b"\n\n" for lead in range(0x80, 0x100) for trail in range(0x100))
    decoded = mojika.decode(data, name, "replace", bom="keep")
    assert decoded.encode("utf-8") == mojika.to_utf8(data, name, "replace", bom="keep")


@pytest.mark.parametrize("method", ["read", "readline", "readlines", "iterate", "random"])
def test_stream_readers(name, text, codec, method):
    rng = random.Random(name)
    whole = text * 40 + "終" if name != "EUC-KR" and not name.startswith(("GB", "gb", "Big")) else text * 40
    data = codec.encode(whole)[0]
    reader = codec.streamreader(io.BytesIO(data))
    if method == "read":
        got = reader.read()
    elif method == "readline":
        got = "".join(iter(reader.readline, ""))
    elif method == "readlines":
        got = "".join(reader.readlines())
    elif method == "iterate":
        got = "".join(reader)
    else:
        pieces = []
        while piece := reader.read(rng.randrange(1, 9)):
            pieces.append(piece)
        got = "".join(pieces)
    assert got == whole
    reader.seek(0)
    assert reader.read() == whole


def test_stream_writers(name, text, codec):
    for size in (1, 2, 7, 1000):
        stream = io.BytesIO()
        writer = codec.streamwriter(stream)
        writer.writelines([text[at : at + size] for at in range(0, len(text), size)])
        writer.reset()
        assert stream.getvalue() == codec.encode(text)[0]


def test_incremental_files(name, text, tmp_path):
    """`open` reads with the incremental decoder and writes with the incremental encoder; `tell` takes states around."""
    path = tmp_path / "file"
    encoding = f"mojika:{name}"
    with open(path, "w", encoding=encoding, newline="") as file:
        for character in text * 3:
            file.write(character)
    # As with CPython's own codec, ISO-2022-JP does not return to ASCII when a file is closed.
    assert path.read_bytes() == mojika.encode(text * 3, name).removesuffix(b"\x1b(B")
    with open(path, encoding=encoding, newline="") as file:
        got = ""
        while piece := file.read(1):
            got += piece
            place = file.tell()
            file.seek(place)
        assert got == text * 3


def test_a_decoder_cut_short(name, text):
    """What is incomplete is kept, and is malformed at the end alone."""
    data = mojika.encode(text, name)
    for cut in range(len(data)):
        decoder = mojika.IncrementalDecoder(name)
        start = decoder.decode(data[:cut])
        kept, _ = decoder.getstate()
        assert text.startswith(start)
        if kept and name != "ISO-2022-JP":
            with pytest.raises(UnicodeDecodeError):
                decoder.decode(b"", True)
        assert start + decoder.decode(data[cut:], True) == text


def test_encoders_take_nothing_after_an_error():
    encoder = mojika.IncrementalEncoder("iso-2022-jp")
    start = encoder.encode("文")
    state = encoder.getstate()
    with pytest.raises(UnicodeEncodeError):
        encoder.encode("😀")
    assert encoder.getstate() == state
    assert start + encoder.encode("字", True) == "文字".encode("iso2022_jp")
    encoder.encode("文")
    encoder.reset()
    assert encoder.encode("a", True) == b"a"


def test_errors_can_be_changed():
    decoder = mojika.IncrementalDecoder("euc-kr")
    with pytest.raises(UnicodeDecodeError):
        # In front of everything else it could be the start of a byte order mark.
        decoder.decode(b"a\xff")
    decoder.errors = "replace"
    assert decoder.decode(b"\xffa") == "\ufffda"
    encoder = mojika.IncrementalEncoder("euc-kr")
    encoder.errors = "ignore"
    assert encoder.encode("a😀") == b"a"
    for wrong in (None, 1, b"strict"):
        with pytest.raises(TypeError):
            decoder.errors = wrong
        with pytest.raises(TypeError):
            encoder.errors = wrong


def test_wrong_arguments():
    decoder, encoder = mojika.IncrementalDecoder("big5"), mojika.IncrementalEncoder("big5")
    for call in (
        lambda: decoder.decode("text"), lambda: decoder.decode(None), lambda: encoder.encode(b"x"), lambda: encoder.encode(None),
        lambda: mojika.encode(b"x", "big5"), lambda: mojika.encode(None, "big5"), lambda: mojika.decode(1, "big5"),
        lambda: mojika.decode([1, 2], "big5"), lambda: mojika.decode(b"", 1), lambda: mojika.decode(b"", "big5", 1),
        lambda: decoder.setstate(None), lambda: encoder.setstate("x"),
        lambda: mojika.IncrementalDecoder(), lambda: mojika.IncrementalEncoder(None),
    ):
        with pytest.raises(TypeError):
            call()
    for state in ((b"x" * 100, 0), (b"", -1), (b"", 1 << 60), (b"", 255)):
        try:
            decoder.setstate(state)
        except (ValueError, OverflowError):
            pass
        decoder.decode(b"ab", True)
    for name in ("big5\0", "", "\ud800", "x" * 10_000):
        with pytest.raises((LookupError, ValueError)):
            mojika.decode(b"", name)


def test_buffers_of_other_items():
    units = array.array("H", [0x6587, 0x5B57])
    if units.itemsize != 2:
        pytest.skip("no items of two bytes")
    order = "utf-16le" if units.tobytes()[:2] == b"\x87\x65" else "utf-16be"
    assert mojika.decode(units, order) == "文字"
    assert mojika.decode(memoryview(b"a-b-c-")[::2], "big5") == "abc"
    assert mojika.to_utf8(memoryview(b"\x95\xb6"), "shift_jis") == "文".encode()


def test_subclasses_of_str_and_bytes():
    class Text(str):
        pass

    class Bytes(bytes):
        pass

    assert mojika.encode(Text("文"), "shift_jis") == b"\x95\xb6"
    assert type(mojika.encode(Text("ab"), "ascii")) is bytes
    assert mojika.decode(Bytes(b"\x95\xb6"), "shift_jis") == "文"
    assert mojika.decode(b"a", Text("big5")) == "a"


def test_widths_of_strings():
    """Results are in CPython's narrowest form: equal, with equal hashes, and as small as CPython's own."""
    import sys

    for text in ("", "a", "é", "ab", "é" * 50, "a" * 5000, "a" * 5000 + "é", "ÿ", "Ā", "ab文", "文" * 3000, "😀", "a😀é文"):
        for encoding, peer in (("utf-8", "utf-8"), ("utf-16le", "utf-16-le"), ("gb18030", "gb18030"), ("utf-32be", "utf-32-be")):
            got, expected = mojika.decode(text.encode(peer), encoding), text.encode(peer).decode(peer)
            assert got == expected and hash(got) == hash(expected) and {got: 1}[expected] == 1
            # Those of one character are shared, and may hold UTF-8 besides.
            assert len(text) == 1 or sys.getsizeof(got) == sys.getsizeof(expected)
            assert got.isascii() == expected.isascii() and got[:1] == expected[:1]
    every = bytes(range(256))
    for label, peer in (("extended:iso-8859-1", "latin-1"), ("extended:us-ascii", "ascii")):
        assert mojika.decode(every[:128], label) == every[:128].decode(peer)
        assert mojika.encode(every[:128].decode(peer), label) == every[:128]
    assert mojika.decode(every, "extended:iso-8859-1") == every.decode("latin-1")
    assert mojika.encode(every.decode("latin-1"), "extended:iso-8859-1") == every
    assert mojika.decode(b"\xef\xbb\xbf\xc3\xa9", "extended:iso-8859-1") == "é"
    assert mojika.decode(b"\xff\xfea\0", "extended:iso-8859-1") == "a"
    assert mojika.decode(b"\xff\xfea\0", "extended:iso-8859-1", bom="keep") == "ÿþa\0"
    with pytest.raises(UnicodeDecodeError):
        mojika.decode(b"a\x80", "extended:us-ascii")
    with pytest.raises(UnicodeEncodeError):
        mojika.encode("é", "extended:us-ascii")
    with pytest.raises(UnicodeEncodeError) as caught:
        mojika.encode("éĀ", "extended:iso-8859-1")
    assert caught.value.start == 1
