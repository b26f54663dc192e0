"""Nothing grows: the memory of the process, and the references to arguments."""

import gc
import io
import os
import sys

import pytest

import mojika

resource = pytest.importorskip("resource")
TEXT = "文字化けのある、長い文章。" * 20_000
DATA = TEXT.encode("cp932")


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc")
def test_ten_thousand_files_leave_none_open(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(DATA[:1000])
    expected = DATA[:1000].decode("cp932").encode()
    before = len(os.listdir("/proc/self/fd"))
    for number in range(10_000):
        with mojika.open(path, "cp932") as file:
            assert file.read() == expected
        if number % 100 == 0:
            assert len(os.listdir("/proc/self/fd")) == before


def decode():
    assert len(mojika.decode(DATA, "shift_jis")) == len(TEXT)


def encode():
    assert len(mojika.encode(TEXT, "shift_jis")) == len(DATA)


def fail():
    for call in (lambda: mojika.decode(DATA + b"\xff", "shift_jis"), lambda: mojika.encode(TEXT + "😀", "shift_jis")):
        with pytest.raises(UnicodeError):
            call()


def handle():
    assert mojika.decode(DATA + b"\xff" * 50, "shift_jis", "backslashreplace").endswith("\\xff")


def read():
    file = mojika.open(io.BytesIO(DATA), "shift_jis")
    while file.read(100_000):
        pass
    file.seek(7)
    assert file.read(3)
    # Without close.


def read_what_fails():
    with pytest.raises(UnicodeError), mojika.open(io.BytesIO(DATA + b"\xff"), "shift_jis") as file:
        file.read()


def pieces():
    decoder, encoder = mojika.IncrementalDecoder("shift_jis"), mojika.IncrementalEncoder("shift_jis")
    for at in range(0, len(DATA), 50_001):
        encoder.encode(decoder.decode(DATA[at : at + 50_001]))


def document():
    assert mojika.decode_html(DATA, content_type="text/html; charset=shift_jis").text
    assert mojika.detect(DATA).encoding == "Shift_JIS"


def columns():
    pa = pytest.importorskip("pyarrow")
    import mojika.arrow

    column = pa.array([DATA] * 3 + [None], pa.binary())
    text = mojika.arrow.decode(column, "shift_jis").to_pyarrow()
    assert mojika.arrow.encode(text, "shift_jis").to_pyarrow().equals(column)
    with pytest.raises(UnicodeError):
        mojika.arrow.decode(pa.array([DATA, b"\xff"]), "shift_jis")


WORK = [decode, encode, fail, handle, read, read_what_fails, pieces, document, columns]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def test_memory_does_not_grow(work):
    for _ in range(5):
        work()
    gc.collect()
    references = sys.getrefcount(DATA), sys.getrefcount(TEXT)
    # A leak of one input a call would be 15 MB in each round; an allocator may keep more than before in one.
    rounds = []
    while not rounds or (rounds[-1] > 5_000_000 and len(rounds) < 4):
        before = resident()
        for _ in range(30):
            work()
        gc.collect()
        rounds.append(resident() - before)
    assert (sys.getrefcount(DATA), sys.getrefcount(TEXT)) == references
    assert rounds[-1] <= 5_000_000, rounds
