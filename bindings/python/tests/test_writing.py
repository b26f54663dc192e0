"""`mojika.open` to write: UTF-8 goes in, any encoding comes out, and every character that it lacks is listed."""

import codecs
import gc
import io
import os
import stat
import threading
import warnings

import pytest

import mojika

TEXT = "".join(f"{n},文字化け{n},ソース\n" for n in range(3000))


@pytest.mark.parametrize("encoding", ["cp932", "gbk", "iso-2022-jp", "utf-16le", "utf-8", "big5", "cp1047"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 4096, 1 << 20])
def test_round_trip_in_pieces_of_every_size(tmp_path, encoding, size):
    text = TEXT if size > 100 else TEXT[:2000]
    if encoding == "cp1047":
        text = "abc, é\n" * 100
    data = text.encode()
    with mojika.open(tmp_path / "file", "wb", encoding) as file:
        for start in range(0, len(data), size):
            assert file.write(data[start : start + size]) == len(data[start : start + size])
        assert file.error_count == 0 and len(file.errors) == 0
    assert (tmp_path / "file").read_bytes() == mojika.encode(text, encoding)


def test_text_with_either_order_of_arguments(tmp_path):
    path = tmp_path / "file"
    with mojika.open(path, "w", "cp932", newline="\r\n") as file:
        file.write("文\n字\n")
    assert path.read_bytes() == "文\r\n字\r\n".encode("cp932")
    with mojika.open(path, "cp932", mode="w") as file:
        file.write("字")
    with mojika.open(path, "r", "cp932") as file:
        assert file.read() == "字"
    with mojika.open(path, "rb", "cp932") as file:
        assert file.read() == "字".encode()
    with pytest.raises(FileExistsError):
        mojika.open(path, "x", "cp932")
    with mojika.open(tmp_path / "new", "x", "cp932") as file:
        file.write("字")
    assert (tmp_path / "new").read_bytes() == "字".encode("cp932")


@pytest.mark.parametrize("encoding, lost", [("cp932", "€é\U0001f600"), ("gbk", "é\U0001f600"), ("windows-1252", "文字\u0100")])
def test_every_unmappable_character_is_listed(tmp_path, encoding, lost):
    text = "a\nbc" + "\n".join(f"x{character}y{character}" for character in lost) + "\n"
    lost = [character for character in text if _is_lost(character, encoding)]
    assert lost
    data = text.encode()
    for errors, written in (("replace", "?"), ("html", None), ("ignore", ""), (lambda error: "!", "!")):
        sink = io.BytesIO()
        file = mojika.open(sink, "wb", encoding, errors=errors)
        for byte in data:
            file.write(bytes([byte]))
        file.flush()
        rows = file.errors.to_pylist()
        assert [row["character"] for row in rows] == lost and file.error_count == len(lost)
        for row in rows:
            before = data[: row["offset"]].decode()
            assert row["line"] == before.count("\n") + 1
            assert row["column"] == len(before) - (before.rfind("\n") + 1) + 1
            assert data[row["offset"] :].decode().startswith(row["character"])
            assert row["encoding"] == mojika.lookup(encoding) and row["row"] is None
            assert row["name"]
        expected = "".join(
            (f"&#{ord(c)};" if written is None else written) if _is_lost(c, encoding) else c for c in text
        )
        assert sink.getvalue() == mojika.encode(expected, encoding)


def test_html_writes_what_the_standard_reports():
    text = "a\x0e文\x1b"
    sink = io.BytesIO()
    file = mojika.open(sink, "wb", "iso-2022-jp", errors="html")
    file.write(text.encode())
    file.flush()
    assert sink.getvalue() == mojika.encode(text, "iso-2022-jp", "html")
    assert [row["character"] for row in file.errors.to_pylist()] == ["\x0e", "\x1b"]


def _is_lost(character, encoding):
    try:
        mojika.encode(character, encoding)
    except mojika.EncodeError:
        return True
    return False


def test_strict_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    for mode, piece in (("wb", "a\nb€".encode()), ("w", "a\nb€")):
        with pytest.raises(mojika.EncodeError) as caught:
            with mojika.open(path, mode, "shift_jis") as file:
                file.write("a\n" * 200_000 if mode == "w" else b"a\n" * 200_000)
                file.write(piece)
                file.flush()
        error = caught.value
        assert (error.offset, error.line, error.column, error.object) == (400_003, 200_002, 2, "€")
        assert "line 200002, column 2" in str(error)
        assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["file"]
    with pytest.raises(ZeroDivisionError):
        with mojika.open(path, "w", "shift_jis") as file:
            file.write("new")
            1 / 0
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["file"]
    file = mojika.open(path, "w", "shift_jis")
    file.write("new")
    assert path.read_bytes() == b"old"
    file.close()
    assert path.read_bytes() == b"new" and file.closed


def test_modes_links_and_pipes(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    (tmp_path / "link").symlink_to(path)
    with mojika.open(tmp_path / "link", "w", "gbk") as file:
        file.write("字")
    assert path.read_bytes() == "字".encode("gbk") and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (tmp_path / "link").is_symlink()
    with mojika.open(tmp_path / "new", "w", "gbk"):
        pass
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~mask
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    with mojika.open(tmp_path / "pipe", "w", "gbk") as file:
        file.write("字")
    reader.join()
    assert read == ["字".encode("gbk")]
    with pytest.raises(OSError):
        mojika.open(tmp_path, "w", "gbk")
    with pytest.raises(FileNotFoundError):
        mojika.open(tmp_path / "no" / "file", "w", "gbk")


def test_handlers():
    def written(errors, text="a€b"):
        sink = io.BytesIO()
        file = mojika.open(sink, "wb", "shift_jis", errors=errors)
        file.write(text.encode())
        file.flush()
        return sink.getvalue()

    assert written("backslashreplace") == b"a\\u20acb"
    assert written("namereplace") == b"a\\N{EURO SIGN}b"
    codecs.register_error("mojika-euro", lambda error: ("EUR", error.end))
    assert written("mojika-euro") == b"aEURb"
    assert written(lambda error: b"\x80" if error.column == 2 else "") == b"a\x80b"
    for wrong, error in ((lambda error: "é", mojika.EncodeError), (lambda error: 1, TypeError), (lambda error: ("", 5), ValueError)):
        with pytest.raises(error):
            written(wrong)
    with pytest.raises(TypeError):
        written(5)
    with pytest.raises(LookupError):
        written("no such handler")


def test_marks_labels_and_mistakes(tmp_path):
    path = tmp_path / "file"
    for encoding, options in (("utf-8-sig", {}), ("utf-8", {"bom": "add"}), ("utf-16le", {"bom": "add"})):
        with mojika.open(path, "w", encoding, **options) as file:
            file.write("a")
        assert path.read_bytes() == ("\ufeffa").encode(encoding.replace("-sig", ""))
    with pytest.raises(ValueError, match="byte order mark"):
        mojika.open(path, "w", "gbk", bom="add")
    with pytest.raises(ValueError, match="name the encoding"):
        mojika.open(path, "w")
    with pytest.raises(LookupError):
        mojika.open(path, "w", "nonsense")
    with pytest.raises(LookupError):
        mojika.open(path, "w", "replacement")
    with pytest.raises(ValueError):
        mojika.open(path, mode="q")
    with pytest.raises(TypeError):
        mojika.open(path, "w", "gbk", encoding="gbk")
    # To write, "ascii" is US-ASCII.
    with pytest.raises(mojika.EncodeError):
        mojika.encode("é", "ascii")
    assert mojika.encode("é", "latin-1") == b"\xe9"
    with pytest.raises(mojika.DecodeError) as caught:
        with mojika.open(path, "wb", "gbk") as file:
            file.write(b"a\nb\xff")
    assert (caught.value.offset, caught.value.line, caught.value.column) == (3, 2, 2)
    with pytest.raises(mojika.DecodeError):
        with mojika.open(path, "wb", "gbk") as file:
            file.write("字".encode()[:2])
    with pytest.raises(ValueError):
        file.write(b"a")


def test_a_file_that_nobody_closes_is_warned_of(tmp_path):
    path = tmp_path / "file"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        file = mojika.open(path, "wb", "gbk")
        file.write(b"a")
        del file
        gc.collect()
        file = mojika.open(path, "gbk")
        del file
        gc.collect()
    assert [warning.category for warning in caught] == [ResourceWarning] * 2, [str(one.message) for one in caught]
    assert path.read_bytes() == b"a"


def test_reading_lists_every_malformed_sequence(tmp_path):
    path = tmp_path / "file"
    data = ("あ\nいう".encode("cp932") + b"\xff\x81\n\xfd") * 3000
    path.write_bytes(data)
    for errors in ("replace", "ignore"):
        with mojika.open(path, "shift_jis", errors) as file:
            file.seek(0, 2)
            file.seek(0)
            text = file.read()
            rows = file.errors.to_pylist()
        assert file.error_count == len(rows) == 9000
        assert text.decode() == data.decode("mojika:shift_jis" if mojika.register_codecs() is None else "", errors)
        for row in rows[:6] + rows[-6:]:
            place, length = row["offset"], len(row["bytes"])
            assert data[place : place + length] == row["bytes"] and row["encoding"] == "Shift_JIS"
            assert row["line"] == data[:place].count(b"\n") + 1
        assert [row["column"] for row in rows[:3]] == [3, 4, 1]
        assert rows[3]["column"] == 3 and rows[3]["line"] == 4
    with mojika.open(path, "shift_jis") as file:
        with pytest.raises(mojika.DecodeError) as caught:
            file.read()
        assert (caught.value.offset, caught.value.line, caught.value.column) == (7, 2, 3)
        assert len(file.errors) == 1
        file.seek(0)
        with pytest.raises(mojika.DecodeError) as again:
            file.read()
        assert (again.value.line, again.value.column) == (2, 3) and file.error_count == 1
