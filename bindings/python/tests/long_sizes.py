"""Sizes that 32 bits cannot say. `scripts/check-python.sh --all` runs this file; it takes 8 GB of memory for columns."""

import os

import pytest

import mojika

pa = pytest.importorskip("pyarrow")
import mojika.arrow  # noqa: E402

VALUE = ("文字化け" * 250_000).encode("cp932")
TEXT = VALUE.decode("cp932")


def available():
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(available() < 9 << 30, reason="less than 9 GB of memory are free")
def test_a_large_column():
    rows = 1_100
    column = pa.array([VALUE] * rows, pa.large_binary())
    assert column.nbytes > 2 << 30
    text = mojika.arrow.decode(column, "shift_jis").to_pyarrow()
    assert text.type == pa.large_string() and len(text) == rows
    assert text[0].as_py() == text[rows - 1].as_py() == TEXT
    del column
    encoded = mojika.arrow.encode(text, "shift_jis").to_pyarrow()
    assert encoded[rows - 1].as_py() == VALUE


@pytest.mark.skipif(available() < 6 << 30, reason="less than 6 GB of memory are free")
def test_offsets_of_32_bits_are_an_error_when_they_do_not_suffice():
    column = pa.array([VALUE] * 800, pa.binary())
    with pytest.raises(ValueError, match="cast the column to large_binary"):
        mojika.arrow.decode(column, "shift_jis")
    # A view has no such limit.
    views = mojika.arrow.decode(column.slice(0, 10).cast(pa.binary_view()), "shift_jis").to_pyarrow()
    assert views[9].as_py() == TEXT


def test_a_file_of_five_gigabytes(tmp_path):
    path = tmp_path / "sparse"
    size = 5 << 30
    with open(path, "wb") as file:
        # Zeros, which take no room on the disk.
        file.truncate(size)
        file.seek(size)
        file.write("文\n".encode("cp932") + b"\xff")
    with mojika.open(path, "shift_jis", "replace") as file:
        assert file.seek(0, 2) == size + 7
        assert file.seek(size) == size
        assert file.read() == "文\n\ufffd".encode()
    with mojika.open(path, "shift_jis") as file:
        file.seek(size - 10)
        with pytest.raises(mojika.DecodeError) as caught:
            file.read()
        assert caught.value.offset == size + 3
