"""`mojika.open`: a file of UTF-8, exact over any read size, that can be sought."""

import gzip
import io
import os
import random
import threading

import pytest

import mojika

TEXT = "".join(f"{n},文字化け{n},ソース\n" for n in range(2000))
DATA = TEXT.encode("cp932")
UTF8 = TEXT.encode()


class OddReads(io.RawIOBase):
    """Gives what it likes, and cannot be sought."""

    def __init__(self, data, size):
        self.data, self.size = io.BytesIO(data), size

    def readable(self):
        return True

    def read(self, size=-1):
        return self.data.read(min(self.size, size) if size >= 0 else self.size)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(DATA)
    return path


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100, 4095, 4096, 65536, 1 << 20, -1, None])
def test_every_read_size(path, size):
    with mojika.open(path, "shift_jis") as file:
        pieces = []
        while piece := file.read(size):
            pieces.append(piece)
        assert b"".join(pieces) == UTF8
        assert file.read(10) == b""
        if size and size > 0:
            assert all(len(piece) == size for piece in pieces[:-1])


@pytest.mark.parametrize("encoding", ["shift_jis", "iso-2022-jp", "gb18030", "utf-16le", "utf-8", "koi8-r"])
def test_every_read_size_with_every_method(tmp_path, encoding):
    text = "".join(f"{n},{'文字化け' if encoding != 'koi8-r' else 'мир'},a\n" for n in range(20)) + "end"
    data, utf_8 = mojika.encode(text, encoding), text.encode()
    path = tmp_path / "file"
    path.write_bytes(data)
    for size in (*range(1, 40), 63, 64, 65, len(utf_8) - 1, len(utf_8), len(utf_8) + 1):
        for source in (path, io.BytesIO(data)) if size < 9 else (path,):
            for method in ("read", "read1", "readinto", "readinto1", "readline"):
                file, got = mojika.open(source, encoding), b""
                buffer = bytearray(size)
                while True:
                    if method.startswith("readinto"):
                        piece = bytes(buffer[: getattr(file, method)(buffer)])
                    else:
                        piece = getattr(file, method)(size)
                    assert len(piece) <= size
                    if not piece:
                        break
                    got += piece
                    assert file.tell() == len(got)
                assert got == utf_8, (size, method)
                if source is not path:
                    source.seek(0)


def test_methods_in_any_order(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(DATA * 40)
    text = UTF8 * 40
    rng = random.Random(2)
    with mojika.open(path, "shift_jis") as file:
        place = 0
        for _ in range(3000):
            size = rng.choice((0, 1, 2, 5, 100, 5000, 300_000))
            method = rng.choice(("read", "read1", "peek", "readline", "readinto", "seek", "seek back"))
            if method.startswith("seek"):
                place = rng.randrange(len(text)) if method == "seek" else max(0, place - size)
                assert file.seek(place) == place
            elif method == "peek":
                piece = file.peek(size)
                assert text.startswith(piece, place) and bool(piece) == (place < len(text))
            elif method == "readinto":
                buffer = bytearray(size)
                count = file.readinto(buffer)
                assert buffer[:count] == text[place : place + size]
                place += count
            else:
                piece = getattr(file, method)(size)
                if method == "read":
                    assert piece == text[place : place + size]
                elif method == "readline":
                    end = text.find(b"\n", place) + 1 or len(text)
                    assert piece == text[place : min(end, place + size)]
                assert text.startswith(piece, place)
                place += len(piece)
            assert file.tell() == place


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
def test_every_size_of_the_inner_reads(size):
    file = mojika.open(OddReads(DATA[:5000], size), "shift_jis", "replace")
    assert file.read() == mojika.to_utf8(DATA[:5000], "shift_jis", "replace")
    assert not file.seekable()
    with pytest.raises(io.UnsupportedOperation):
        file.seek(0)


def test_lines(path):
    with mojika.open(str(path), "shift_jis") as file:
        assert file.readline() == "0,文字化け0,ソース\n".encode()
        assert file.readline(3) == b"1,\xe6"
        assert file.peek()[:2] == b"\x96\x87"
        assert len(list(file)) == 1999
        file.seek(0)
        assert file.readlines() == UTF8.splitlines(keepends=True)
        file.seek(0)
        assert len(file.readlines(30)) == 2


def test_places_in_any_order(tmp_path):
    text = TEXT * 150
    utf_8 = text.encode()
    rng = random.Random(1)
    for encoding in ("shift_jis", "iso-2022-jp"):
        path = tmp_path / encoding
        path.write_bytes(mojika.encode(text, encoding))
        with mojika.open(path, encoding) as file:
            assert file.seek(0, 2) == len(utf_8) == file.tell()
            for _ in range(60):
                place = rng.randrange(len(utf_8) + 100)
                assert file.seek(place) == place
                assert file.read(50) == utf_8[place : place + 50]
            file.seek(10)
            assert file.seek(-4, 1) == 6
            assert file.seek(-5, 2) == len(utf_8) - 5
            assert file.read() == utf_8[-5:]
            with pytest.raises(ValueError, match="negative"):
                file.seek(-1)
            with pytest.raises(ValueError, match="whence"):
                file.seek(0, 7)


def test_readinto_and_buffers(path):
    with mojika.open(path, "shift_jis") as file:
        buffer = bytearray(10)
        assert file.readinto(buffer) == 10
        assert buffer == UTF8[:10]
        assert file.readinto1(memoryview(buffer)[:4]) == 4
        with pytest.raises(TypeError):
            file.readinto(b"read-only")
        assert file.read1(5) == UTF8[14:19]
        assert io.BufferedReader(file).read() == UTF8[19:]


def test_modes_are_pythons_or_an_error_that_lists_them(path):
    for mode in ("rb", "br", "r", "rt", "tr"):
        with mojika.open(path, mode, "shift_jis") as file:
            assert isinstance(file, mojika.Utf8Reader) == ("b" in mode)
        with mojika.open(path, "shift_jis", mode=mode) as file:
            assert isinstance(file, mojika.Utf8Reader) == ("b" in mode)
    for mode in ("a+", "ax", "r+", "rb+", "w+", "U", "rw", "b", "+"):
        with pytest.raises(ValueError, match="mode must be one of rb, .* not "):
            mojika.open(path, mode, "shift_jis")
        with pytest.raises(ValueError, match="mode must be one of rb, .* not "):
            mojika.open(path, "shift_jis", mode=mode)


def test_arguments_may_be_none_and_paths_bytes_as_in_pythons_open(path):
    with mojika.open(os.fsencode(path), "r", "shift_jis", None) as file:
        text = file.read()
    with mojika.open(path, "r", encoding="shift_jis", errors=None) as file:
        assert file.read() == text
    with mojika.open(path, "r", None) as file:
        assert file.buffer.source_encoding == "Shift_JIS"


def test_text_mode(path):
    with mojika.open(path, "shift_jis", mode="r") as file:
        assert file.encoding == "utf-8"
        assert file.readline() == "0,文字化け0,ソース\n"
        place = file.tell()
        line = file.readline()
        file.seek(place)
        assert file.readline() == line
    with mojika.open(path, "shift_jis", mode="r", newline="") as file:
        assert file.read() == TEXT
    with pytest.raises(ValueError, match="name the encoding"):
        mojika.open(path, mode="w")


def test_auto_finds_out(tmp_path):
    path = tmp_path / "file"
    for data, encoding in (
        (DATA, "Shift_JIS"),
        (b"\xef\xbb\xbf" + UTF8, "UTF-8"),
        (TEXT.encode("utf-16"), "UTF-16LE"),
        (TEXT.encode("euc_jp"), "EUC-JP"),
        (b'<?xml version="1.0" encoding="koi8-r"?><a>\xc1</a>', "KOI8-R"),
        (b"", "UTF-8"),
    ):
        path.write_bytes(data)
        with mojika.open(path) as file:
            assert file.source_encoding == encoding
            assert file.source == mojika.detect(data).source
            assert file.read() == mojika.to_utf8(data, encoding)
            file.seek(0)
            assert file.read(4) == mojika.to_utf8(data, encoding)[:4]


@pytest.mark.parametrize("at", [0, 5, 262142, 262143, 262144, 262145, 600_000])
def test_errors_have_places_in_the_file(tmp_path, at):
    data = b"x" * at + b"\x82\x22" + b"y" * 10
    path = tmp_path / "bad"
    path.write_bytes(data)
    for source in (path, io.BytesIO(data), OddReads(data, 1000)):
        with pytest.raises(UnicodeDecodeError) as caught:
            mojika.open(source, "shift_jis").read()
        error = caught.value
        assert (error.offset, error.object, error.start, error.end) == (at, b"\x82", 0, 1)
        assert f"at byte offset {at}" in str(error)
    with mojika.open(path, "shift_jis", "replace") as file:
        assert file.read() == mojika.to_utf8(data, "shift_jis", "replace")
        assert file.had_errors
    with mojika.open(path, "shift_jis", "ignore") as file:
        assert file.read() == data.replace(b"\x82", b"")


def test_a_cut_character_at_the_end_is_an_error():
    with pytest.raises(UnicodeDecodeError):
        mojika.open(io.BytesIO(b"ab\x82"), "shift_jis").read()


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(FileNotFoundError):
        mojika.open(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        mojika.open(tmp_path)
    with pytest.raises(TypeError):
        mojika.open(io.StringIO("text"))
    with pytest.raises(TypeError):
        mojika.open(7.5)


def test_what_decided():
    assert mojika.open(io.BytesIO(b"abc"), "big5").source == "override"
    assert mojika.open(io.BytesIO(b"\xef\xbb\xbfabc"), "big5").source == "bom"


def test_errors_of_the_inner_file_come_through():
    class Failing(io.RawIOBase):
        def read(self, size=-1):
            if size == 0:
                return b""
            raise TimeoutError("too late")

    with pytest.raises(TimeoutError, match="too late"):
        mojika.open(Failing(), "big5").read()


def test_closing():
    inner = io.BytesIO(DATA)
    with mojika.open(inner, "shift_jis") as file:
        assert not file.closed
    assert file.closed and inner.closed
    file.close()
    with pytest.raises(ValueError, match="closed"):
        file.read()
    with pytest.raises(io.UnsupportedOperation):
        file.fileno()
    with pytest.raises(io.UnsupportedOperation):
        file.write(b"x")


def test_compressed(tmp_path):
    path = tmp_path / "file.gz"
    with gzip.open(path, "wb") as file:
        file.write(DATA)
    with mojika.open(gzip.open(path), "shift_jis") as file:
        file.seek(20)
        assert file.read() == UTF8[20:]
        file.seek(0)
        assert file.read() == UTF8


def test_an_inner_file_starts_where_it_is():
    inner = io.BytesIO(b"\xffheader" + DATA)
    inner.seek(7)
    file = mojika.open(inner, "shift_jis")
    assert file.read() == UTF8
    file.seek(0)
    assert file.read() == UTF8


def test_other_threads_run_meanwhile(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(DATA * 300)
    files = [mojika.open(path, "shift_jis") for _ in range(4)]
    shared = mojika.open(path, "shift_jis")
    total, lock = [0], threading.Lock()

    def read_own(file):
        assert file.read() == UTF8 * 300

    def read_shared():
        while piece := shared.read(10_000):
            with lock:
                total[0] += len(piece)

    threads = [threading.Thread(target=read_own, args=(file,)) for file in files]
    threads += [threading.Thread(target=read_shared) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert total[0] == len(UTF8) * 300


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_forked_while_threads_read(path):
    """The child has the forking thread alone; what other threads hold does not stop it from using files of its own."""
    stop = threading.Event()

    def read():
        while not stop.is_set():
            assert mojika.open(path, "shift_jis").read() == UTF8

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                good = mojika.open(path, "shift_jis").read() == UTF8 and mojika.decode(DATA, "shift_jis") == TEXT
                os._exit(0 if good else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_processes_of_multiprocessing(path):
    import multiprocessing

    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            assert pool.starmap(mojika.decode, [(DATA, "shift_jis")] * 4) == [TEXT] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_opens_files(path):
    mojika.open(path, "shift_jis").read(1)
    child = os.fork()
    if child == 0:
        good = mojika.open(path, "shift_jis").read() == UTF8
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
