"""The habits of CPython's own calls: marks, error handlers, modes, file descriptors, and names that are almost right."""

import codecs
import io
import os
import pickle

import pytest

import mojika

MARKED = ("utf-8-sig", "utf_8_sig", "UTF-16", "utf16", "u16", "utf-32", "U32")
UNMARKED = ("utf-8", "utf-16le", "utf_16_be", "utf-32-be")


def python_name(name):
    return {"utf16": "utf-16"}.get(name, name)


@pytest.mark.parametrize("name", MARKED + UNMARKED)
@pytest.mark.parametrize("text", ["", "a", "文字\n"])
def test_marks_are_written_where_cpython_writes_them(tmp_path, name, text):
    expected = text.encode(python_name(name))
    assert mojika.encode(text, name) == expected
    with mojika.open(tmp_path / "file", "w", name) as file:
        file.write(text)
    assert (tmp_path / "file").read_bytes() == expected
    encoder = mojika.IncrementalEncoder(name)
    assert encoder.encode(text) + encoder.encode("b", True) == (text + "b").encode(python_name(name))

    mojika.register_codecs()
    assert text.encode(f"mojika:{name}") == expected
    assert expected.decode(f"mojika:{name}") == text
    for encoding in (python_name(name), f"mojika:{name}"):
        path = tmp_path / "twice"
        for mode in "wa":
            with open(path, mode, encoding=encoding, newline="") as file:
                file.write(text)
        assert path.read_bytes() == (text * 2).encode(python_name(name)), encoding
        stream = io.BytesIO()
        writer = codecs.getwriter(encoding)(stream)
        writer.write("a")
        writer.write("b")
        assert stream.getvalue() == "ab".encode(python_name(name)), encoding


def test_a_mark_can_be_left_out(tmp_path):
    with mojika.open(tmp_path / "file", "w", "utf-8-sig", bom="strip") as file:
        file.write("a")
    assert (tmp_path / "file").read_bytes() == b"a"


def test_the_state_of_an_encoder_has_the_mark():
    encoder = mojika.IncrementalEncoder("utf-16")
    copied = pickle.loads(pickle.dumps(encoder))
    assert copied.encode("a") == encoder.encode("a") == "a".encode("utf-16")
    copied = pickle.loads(pickle.dumps(encoder))
    assert copied.encode("a") == encoder.encode("a") == b"a\0"
    encoder.reset()
    assert encoder.encode("a") == "a".encode("utf-16")
    with pytest.raises(mojika.EncodeError):
        mojika.IncrementalEncoder("utf-8-sig").encode("\ud800")


def test_functions_handle_errors_everywhere(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a\xffb\n")
    said = []

    def in_place_of(error):
        said.append((type(error).__name__, error.line, error.column))
        return f"<{error.object[error.start : error.end].hex()}>"

    calls = [
        lambda errors: mojika.decode(b"a\xffb\n", "shift_jis", errors),
        lambda errors: mojika.to_utf8(b"a\xffb\n", "shift_jis", errors).decode(),
        lambda errors: mojika.IncrementalDecoder("shift_jis", errors).decode(b"a\xffb\n"),
        lambda errors: mojika.open(path, "r", "shift_jis", errors).read(),
    ]
    for call in calls:
        assert call(in_place_of) == "a<ff>b\n"
        assert call(lambda error: ("!", error.end)) == "a!b\n"
        assert call("backslashreplace") == "a\\xffb\n"
        assert call("ignore") == "ab\n"
        with pytest.raises(ZeroDivisionError):
            call(lambda error: 1 / 0)
        with pytest.raises(TypeError):
            call(lambda error: None)
        with pytest.raises(TypeError):
            call(7)
        with pytest.raises(LookupError):
            call("no such handler")
    assert said[-1] == ("DecodeError", 1, 2)

    def reference(error):
        return f"[{ord(error.object[error.start]):x}]"

    assert mojika.encode("a€", "shift_jis", reference) == b"a[20ac]"
    assert mojika.encode("a€", "shift_jis", lambda error: b"?") == b"a?"
    assert mojika.IncrementalEncoder("shift_jis", reference).encode("€") == b"[20ac]"
    with mojika.open(path, "w", "shift_jis", reference) as file:
        file.write("a€")
    assert path.read_bytes() == b"a[20ac]"


def test_a_handler_of_a_file_goes_on_after_the_error(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a\xffb" * 300_000)
    with mojika.open(path, "shift_jis", lambda error: "xy") as file:
        text = b"axyb" * 300_000
        assert file.read() == text and file.error_count == 300_000
        assert file.seek(-8, 2) and file.read() == text[-8:]
    with mojika.open(path, "shift_jis", lambda error: ("", 0)) as file, pytest.raises(ValueError, match="after the error"):
        file.read()


def test_append(tmp_path):
    path = tmp_path / "log"
    for mode, line in (("a", "文"), ("at", "字"), ("ab", "化".encode())):
        with mojika.open(path, mode, "cp932") as file:
            file.write(line)
    assert path.read_bytes() == "文字化".encode("cp932")
    with pytest.raises(mojika.EncodeError), mojika.open(path, "a", "cp932") as file:
        file.write("あ" * 200_000 + "€")
    with pytest.raises(ZeroDivisionError), mojika.open(path, "a", "cp932") as file:
        file.write("あ" * 200_000)
        1 / 0
    assert path.read_bytes() == "文字化".encode("cp932")
    assert os.listdir(tmp_path) == ["log"]


def test_append_writes_one_mark_and_contradicts_none(tmp_path):
    path = tmp_path / "file"
    for _ in range(2):
        with mojika.open(path, "a", "utf-16") as file:
            file.write("a")
    assert path.read_bytes() == "aa".encode("utf-16")
    with pytest.raises(ValueError, match="byte order mark of UTF-16LE"):
        mojika.open(path, "a", "utf-16be")
    with pytest.raises(ZeroDivisionError), mojika.open(tmp_path / "new", "a", "utf-8") as file:
        file.write("a")
        1 / 0
    assert not (tmp_path / "new").exists()


def test_file_descriptors(tmp_path):
    path = tmp_path / "file"
    with mojika.open(os.open(path, os.O_WRONLY | os.O_CREAT), "w", "cp932") as file:
        file.write("文字")
    number = os.open(path, os.O_RDONLY)
    with mojika.open(number, "r", "cp932") as file:
        assert file.read() == "文字"
    with pytest.raises(OSError):
        os.fstat(number)


def test_detection_asks_and_tells():
    data = "これは日本語です。".encode("euc-jp")
    found = mojika.detect(data)
    assert found.certainty == "tentative" and not hasattr(found, "confidence")
    shown = repr(found)
    assert f"probability={found.probability:.2f}" in shown and "candidates=[('EUC-JP', " in shown
    only = mojika.detect("Größe".encode("cp1252"), allowed=["cp850", "utf-8"])
    assert only.encoding != "windows-1252" and {name for name, _ in only.candidates} <= {"IBM850", "UTF-8"}

    czech = "Příliš žluťoučký kůň".encode("cp1250")
    for call in (
        mojika.decode,
        lambda data, **options: mojika.to_utf8(data, **options).decode(),
        lambda data, **options: mojika.open(io.BytesIO(data), "r", **options).read(),
    ):
        assert call(czech, allowed=["windows-1250", "utf-8"], confidence=0.5) == "Příliš žluťoučký kůň"
        assert call(b"\xe9", allowed=["windows-1252"], locale="fr", confidence=0) == "é"
        with pytest.raises(ValueError, match="no encoding"):
            call(czech, allowed=[])
        with pytest.raises(LookupError, match="windows-1250"):
            call(czech, allowed=["windws-1250"])


def test_a_mistyped_name_is_answered_with_the_one_that_was_meant():
    for call in (lambda name: mojika.decode(b"", name), lambda name: mojika.encode("", name), mojika.lookup):
        with pytest.raises(LookupError, match="did you mean shift-jis"):
            call("shift-jsi")
        with pytest.raises(LookupError, match="encodings\\(\\) lists"):
            call("no-such-thing")


def test_malformed_sequences():
    table = mojika.malformed_sequences(b"a\xff\n\xfeb", "shift_jis")
    assert [(row["offset"], row["line"], row["column"], row["bytes"]) for row in table] == [
        (1, 1, 2, b"\xff"),
        (3, 2, 1, b"\xfe"),
    ]
    assert list(mojika.malformed_sequences(bytearray("文字".encode()))) == []
    assert len(mojika.malformed_sequences(b"\x1f\x8b\xff", "utf-8")) == 2
