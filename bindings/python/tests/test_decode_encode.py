"""Whole input: decode, encode, to_utf8, with every error handler."""

import random

import pytest
from conftest import TEXTS, text_for

import mojika

# CPython's codecs that agree with the Standard on the texts above.
PEERS = {
    "Shift_JIS": "cp932", "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp", "GBK": "gbk", "gb18030": "gb18030",
    "Big5": "big5", "EUC-KR": "cp949", "UTF-8": "utf-8", "UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be",
    "UTF-32LE": "utf-32-le", "windows-1251": "cp1251", "KOI8-R": "koi8-r", "windows-1252": "cp1252", "IBM037": "cp037",
}


def test_python_decodes_what_is_encoded_and_the_other_way_round():
    for encoding, peer in PEERS.items():
        text = TEXTS[encoding]
        assert mojika.encode(text, encoding) == text.encode(peer), encoding
        assert mojika.decode(text.encode(peer), encoding) == text, encoding
        assert mojika.to_utf8(text.encode(peer), encoding) == text.encode(), encoding


def test_round_trip(encoding):
    text = text_for(encoding)
    if encoding == "replacement":
        with pytest.raises(LookupError, match="no encoder"):
            mojika.encode(text, encoding)
        return
    for text in (text, "", text[:1], text * 3000):
        if encoding == "x-user-defined" or text_for(encoding).isascii():
            assert text.isascii()
        assert mojika.decode(mojika.encode(text, encoding), encoding) == text


def test_single_bytes_agree_with_to_utf8(encoding):
    for byte in range(256):
        data = bytes([byte]) * 3
        decoded = mojika.decode(data, encoding, "replace", bom="keep")
        assert decoded.encode() == mojika.to_utf8(data, encoding, "replace", bom="keep")


def test_random_bytes_agree_with_to_utf8(encoding):
    rng = random.Random(encoding)
    for length in (1, 2, 3, 7, 50, 1000, 40_000):
        data = rng.randbytes(length)
        decoded = mojika.decode(data, encoding, "replace")
        assert decoded.encode() == mojika.to_utf8(data, encoding, "replace")


def test_names():
    assert mojika.lookup("sjis") == "Shift_JIS"
    assert mojika.lookup(" Latin1 ") == "windows-1252"
    assert mojika.lookup("extended:latin1") == "ISO-8859-1"
    assert mojika.lookup("cp932") == "Shift_JIS"
    assert mojika.lookup("cp037") == "IBM037"
    assert mojika.lookup("iso_8859_2") == "ISO-8859-2"
    with pytest.raises(LookupError, match="wordperfect"):
        mojika.lookup("wordperfect")
    assert len(mojika.encodings()) > 80
    assert len({mojika.lookup(name) for name in mojika.encodings()}) == len(mojika.encodings())
    assert "extended:ISO-8859-1" in mojika.encodings()


def test_the_last_name_stands_for_no_other():
    # The last name of a thread is remembered; one that goes on, ends sooner or differs in its last letter is another.
    peers = {
        "gbk": "gbk", "windows-1251": "cp1251", "windows-1252": "cp1252", "windows-125": None, "koi8-r": "koi8-r",
        "koi8-r".ljust(40): "koi8-r", "koi8-x": None, "extended:" + "x" * 40: None,
    }
    for first in peers:
        for second in peers:
            for name in (first, second, first):
                if peers[name] is None:
                    for call, argument in ((mojika.decode, b"\xb5\xe4"), (mojika.encode, "a")):
                        with pytest.raises(LookupError):
                            call(argument, name)
                else:
                    text = b"\xb5\xe4".decode(peers[name])
                    assert mojika.decode(b"\xb5\xe4", name) == text, (first, second)
                    assert mojika.encode(text, name) == b"\xb5\xe4", (first, second)


def test_a_bom_overrides_the_encoding_unless_it_shall_not():
    data = b"\xef\xbb\xbf\xc3\xa9"
    assert mojika.decode(data, "windows-1252") == "é"
    assert mojika.decode(data, "windows-1252", bom="keep") == "ï»¿Ã©"
    assert mojika.decode(data, "utf-8", bom="keep") == "\ufeffé"
    with pytest.raises(ValueError, match="sniff"):
        mojika.decode(data, "utf-8", bom="yes")


def test_decode_errors_have_places():
    data = b"abc\x82\x22def"
    with pytest.raises(UnicodeDecodeError) as caught:
        mojika.decode(data, "shift_jis")
    error = caught.value
    assert isinstance(error, mojika.DecodeError)
    assert (error.encoding, error.object, error.start, error.end, error.offset) == ("Shift_JIS", data, 3, 4, 3)
    assert str(error) == "not Shift_JIS: malformed sequence of 1 byte at byte offset 3 (line 1, column 4)"
    with pytest.raises(mojika.DecodeError) as caught:
        mojika.to_utf8(bytearray(data), "shift_jis")
    assert (caught.value.start, caught.value.end) == (3, 4)


def test_decode_error_handlers():
    data = b"a\x81\xffb\xff"
    assert mojika.decode(data, "euc-kr", "replace") == "a\ufffdb\ufffd"
    assert mojika.decode(data, "euc-kr", "ignore") == "ab"
    assert mojika.decode(data, "euc-kr", "backslashreplace") == "a\\x81\\xffb\\xff"
    assert mojika.decode(b"a\xffb", "euc-kr", "surrogateescape") == "a\udcffb"
    with pytest.raises(LookupError):
        mojika.decode(data, "euc-kr", "no such handler")


def test_decode_handlers_of_ones_own():
    import codecs

    codecs.register_error("test.back", lambda error: ("<", error.start + 2))
    assert mojika.decode(b"a\xffbc", "euc-kr", "test.back") == "a<c"
    codecs.register_error("test.end", lambda error: ("!", -1))
    assert mojika.decode(b"a\xffbc", "euc-kr", "test.end") == "a!c"
    codecs.register_error("test.far", lambda error: ("!", 99))
    with pytest.raises(IndexError, match="99"):
        mojika.decode(b"a\xffbc", "euc-kr", "test.far")
    codecs.register_error("test.bad", lambda error: ("!",))
    with pytest.raises(TypeError, match="tuple"):
        mojika.decode(b"a\xffbc", "euc-kr", "test.bad")


def test_encode_errors_count_characters():
    for text, start in (("ab→c", 2), ("😀é→", 0), ("éé→", 2), ("a\udcffb", 1)):
        with pytest.raises(UnicodeEncodeError) as caught:
            mojika.encode(text, "windows-1252")
        error = caught.value
        assert isinstance(error, mojika.EncodeError)
        assert (error.object, error.start, error.end) == (text, start, start + 1)
    with pytest.raises(mojika.EncodeError, match=r"U\+2192 at offset 1 \(line 1, column 2\) is unmappable in KOI8-R"):
        mojika.encode("a→", "koi8-r")


def test_encode_errors_behind_pairs():
    with pytest.raises(mojika.EncodeError) as caught:
        mojika.encode("a😀😀\ud800", "utf-8")
    assert (caught.value.start, caught.value.end) == (3, 4)


def test_two_surrogates_are_no_character():
    for handler, expected in (("ignore", b"ab"), ("replace", b"a??b"), ("html", b"a&#55357;&#56832;b")):
        assert mojika.encode("a\ud83d\ude00b", "utf-8", handler) == expected
    assert mojika.encode("a\ud83d\ude00b😀", "utf-8", "ignore") == "ab😀".encode()


def test_encode_error_handlers():
    text = "1→2😀"
    assert mojika.encode(text, "koi8-r", "html") == b"1&#8594;2&#128512;"
    assert mojika.encode(text, "koi8-r", "xmlcharrefreplace") == b"1&#8594;2&#128512;"
    assert mojika.encode(text, "koi8-r", "replace") == b"1?2?"
    assert mojika.encode(text, "koi8-r", "ignore") == b"12"
    assert mojika.encode(text, "koi8-r", "backslashreplace") == b"1\\u21922\\U0001f600"
    assert mojika.encode(text, "koi8-r", "namereplace") == b"1\\N{RIGHTWARDS ARROW}2\\N{GRINNING FACE}"
    assert mojika.encode("a\udcff", "shift_jis", "surrogateescape") == b"a\xff"
    assert mojika.encode("文→😀字", "iso-2022-jp", "ignore").decode("iso2022_jp") == "文→字"


def test_inputs_of_all_kinds():
    import array

    for data in (bytearray(b"\x95\xb6"), memoryview(b"\x95\xb6"), array.array("B", b"\x95\xb6")):
        assert mojika.decode(data, "shift_jis") == "文"
    with pytest.raises(TypeError):
        mojika.decode("text", "shift_jis")
    with pytest.raises(TypeError):
        mojika.decode(None, "shift_jis")


def test_threads_share_nothing():
    from concurrent.futures import ThreadPoolExecutor

    texts = {name: TEXTS[name] * 5000 for name in TEXTS}
    data = {name: mojika.encode(text, name) for name, text in texts.items()}
    with ThreadPoolExecutor(8) as pool:
        results = pool.map(lambda name: (name, mojika.decode(data[name], name)), list(texts) * 5)
        assert all(text == texts[name] for name, text in results)


def test_nothing_leaks():
    import gc
    import sys
    import tracemalloc

    data = b"a\xff" + b"x" * 100_000

    def once():
        mojika.decode(b"abc" * 50_000, "shift_jis")
        mojika.encode("é" * 50_000, "windows-1252")
        try:
            mojika.decode(data, "big5")
        except UnicodeDecodeError:
            pass

    once()
    gc.collect()
    references = sys.getrefcount(data)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(50):
        once()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert sys.getrefcount(data) == references
    assert grown < 100_000


def test_a_label_that_nothing_is_decoded_of_is_refused_with_the_name_that_is():
    korean = "가나".encode("iso2022_kr")
    with pytest.raises(mojika.DecodeError, match="after 'extended:', iso-2022-kr"):
        mojika.decode(korean, "iso-2022-kr")
    assert mojika.decode(korean, "extended:iso-2022-kr") == "가나"


def test_calls_with_two_arguments_are_like_those_with_more():
    # They take another way, which knows the object of the last name, and copies some input.
    class Text(str):
        pass

    class Bytes(bytes):
        pass

    names = ["utf-8", "latin-1", "extended:latin-1", "ascii", "us-ascii", "shift_jis", "windows-1251", "utf-16", "iso-2022-jp"]
    inputs = ["", "a", "é", "\x80", "\x9f\xa0", "€", "abc" * 50, "é" * 70, "ab文", "\ufeffa", "\ud800", "\U0001f600", "\x1b"]
    bytes_ = [b"\xef\xbb\xbfa", b"\xff\xfea\0", b"\xfe\xff\0a", b"\xff", b"\x80", b"\xc3", b"\xa0\x9f", b"\xe9" * 70]
    bytes_ += [text.encode("utf-8", "replace") for text in inputs]

    def outcome(call, *arguments, **options):
        try:
            return call(*arguments, **options)
        except UnicodeError as error:
            return type(error), error.encoding, error.object, error.start, error.end

    for _ in range(2):
        for name in names:
            copy = "".join(list(name))
            for text in inputs:
                expected = outcome(mojika.encode, text, encoding=name, errors="strict")
                for called in (name, copy, Text(name)):
                    assert outcome(mojika.encode, text, called) == expected, (text, name)
                    assert outcome(mojika.encode, Text(text), called) == expected, (text, name)
            for data in bytes_:
                expected = outcome(mojika.decode, data, encoding=name, errors="strict")
                for called in (name, copy, Text(name)):
                    assert outcome(mojika.decode, data, called) == expected, (data, name)
                    assert outcome(mojika.decode, Bytes(data), called) == expected, (data, name)
                    assert outcome(mojika.decode, bytearray(data), called) == expected, (data, name)
    for arguments in ((), (b"a", 1), (b"a", None), ("a", "utf-8"), (b"a", "utf-8", "strict", 1), (1, "utf-8")):
        with pytest.raises(TypeError):
            mojika.decode(*arguments)
    for arguments in ((), ("a", 1), (b"a", "utf-8"), ("a", "utf-8", "strict", 1)):
        with pytest.raises(TypeError):
            mojika.encode(*arguments)


def test_decode_and_encode_are_functions_of_the_module():
    import inspect
    import pickle

    for call in (mojika.decode, mojika.encode):
        assert call.__module__ == "mojika._native" and pickle.loads(pickle.dumps(call)) is call
        assert list(inspect.signature(call).parameters)[1:3] == ["encoding", "errors"] and call.__doc__
