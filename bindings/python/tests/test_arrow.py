"""Columns, with the real engines."""

import random

import pytest

import mojika

pa = pytest.importorskip("pyarrow")
import mojika.arrow  # noqa: E402

TEXTS = ["文字", "", "a", None, "ソース能" * 20, "ｱｲｳ"]
ROWS = [None if text is None else text.encode("cp932") for text in TEXTS]
TYPES = {
    pa.binary(): pa.string(),
    pa.large_binary(): pa.large_string(),
    pa.binary_view(): pa.string_view(),
}


@pytest.mark.parametrize("bytes_type", TYPES)
def test_decode_and_encode(bytes_type):
    column = pa.array(ROWS, bytes_type)
    decoded = mojika.arrow.decode(column, "shift_jis").to_pyarrow()
    assert decoded.type == TYPES[bytes_type]
    assert decoded.to_pylist() == TEXTS
    decoded.validate(full=True)
    encoded = mojika.arrow.encode(decoded, "shift_jis").to_pyarrow()
    assert encoded.type == bytes_type
    assert encoded.to_pylist() == ROWS
    encoded.validate(full=True)


@pytest.mark.parametrize("bytes_type", TYPES)
def test_slices_and_chunks(bytes_type):
    column = pa.array(ROWS * 5, bytes_type)
    for start in range(8):
        for length in (0, 1, 5, 17):
            piece = column.slice(start, length)
            decoded = mojika.arrow.decode(piece, "shift_jis").to_pyarrow()
            decoded.validate(full=True)
            assert decoded.to_pylist() == (TEXTS * 5)[start : start + length]
    chunked = pa.chunked_array([column.slice(3, 4), column.slice(0, 0), column.slice(10, 9)], bytes_type)
    decoded = mojika.arrow.decode(chunked, "shift_jis")
    assert isinstance(decoded.to_pyarrow(), pa.ChunkedArray)
    assert decoded.to_pyarrow().to_pylist() == mojika.arrow.decode(chunked, "shift_jis").to_pyarrow().to_pylist()
    assert decoded.to_pyarrow().to_pylist() == (TEXTS * 5)[3:7] + (TEXTS * 5)[10:19]
    empty = mojika.arrow.decode(pa.chunked_array([], bytes_type), "shift_jis").to_pyarrow()
    assert (len(empty), empty.type) == (0, TYPES[bytes_type])


def test_other_layouts():
    fixed = pa.array([b"\x95\xb6", None, b"ab"], pa.binary(2))
    assert mojika.arrow.decode(fixed, "shift_jis").to_pyarrow().to_pylist() == ["文", None, "ab"]
    dictionary = pa.array(ROWS).dictionary_encode()
    assert mojika.arrow.decode(dictionary, "shift_jis").to_pyarrow().to_pylist() == TEXTS
    table = pa.table({"only": pa.array(ROWS)})
    assert mojika.arrow.decode(table, "shift_jis").to_pyarrow().to_pylist() == TEXTS
    with pytest.raises(TypeError, match="Int64"):
        mojika.arrow.decode(pa.array([1]), "shift_jis")
    for call in [mojika.arrow.decode, mojika.arrow.encode]:
        with pytest.raises(TypeError, match="errors must be a word here"):
            call(pa.array(ROWS), "shift_jis", lambda error: "?")
    with pytest.raises(TypeError, match="exports no Arrow"):
        mojika.arrow.decode(object(), "shift_jis")


@pytest.mark.parametrize("bytes_type", TYPES)
def test_errors(bytes_type):
    column = pa.chunked_array([pa.array([b"ok", b"\x95\xb6"], bytes_type), pa.array([None, b"ab\xff\xffc"], bytes_type)])
    with pytest.raises(UnicodeDecodeError) as caught:
        mojika.arrow.decode(column, "euc-kr")
    assert caught.value.row == 3
    column = column.slice(2)
    with pytest.raises(UnicodeDecodeError) as caught:
        mojika.arrow.decode(column, "euc-kr")
    error = caught.value
    assert (error.row, error.object, error.start, error.end, error.offset) == (1, b"ab\xff\xffc", 2, 3, 2)
    assert "row 1" in str(error)
    assert mojika.arrow.decode(column, "euc-kr", "replace").to_pyarrow().to_pylist() == [None, "ab\ufffd\ufffdc"]
    nulls = mojika.arrow.decode(column, "euc-kr", "null")
    assert (nulls.to_pyarrow().to_pylist(), nulls.null_count) == ([None, None], 2)
    with pytest.raises(ValueError, match="replace"):
        mojika.arrow.decode(column, "euc-kr", "ignore")
    with pytest.raises(LookupError):
        mojika.arrow.decode(column, "wordperfect")


def test_a_bad_row_leaves_its_neighbours():
    rows = [b"\x1b$B0!", b"\x1b$B", b"\xff", b"abc", b"\x95", b"d"]
    for label in ("iso-2022-jp", "shift_jis"):
        decoded = mojika.arrow.decode(pa.array(rows), label, "null").to_pyarrow().to_pylist()
        for row, text in zip(rows, decoded):
            try:
                assert text == mojika.decode(row, label)
            except UnicodeDecodeError:
                assert text is None


def test_labels_of_each_row():
    rows = pa.array(["é".encode("latin1"), "文".encode("cp932"), None, b"x", b"y"])
    labels = pa.array(["latin1", "shift_jis", None, "wordperfect", None])
    decoded = mojika.arrow.decode(rows, labels, "null").to_pyarrow().to_pylist()
    assert decoded == ["é", "文", None, None, None]
    for errors in ("strict", "replace"):
        with pytest.raises(LookupError, match="wordperfect") as caught:
            mojika.arrow.decode(rows, labels, errors)
        assert caught.value.row == 3
    with pytest.raises(LookupError, match="null"):
        mojika.arrow.decode(rows.slice(4), labels.slice(4))
    with pytest.raises(ValueError, match="1 labels for 5 rows"):
        mojika.arrow.decode(rows, labels.slice(4))
    chunks = pa.chunked_array([labels.slice(0, 1), labels.slice(1, 2)])
    for same in (chunks, chunks.cast(pa.large_string()), chunks.dictionary_encode()):
        assert mojika.arrow.decode(rows.slice(0, 3), same).to_pyarrow().to_pylist() == ["é", "文", None]


def test_a_label_that_is_none_is_reported_with_its_row():
    rows = pa.array([b"a", b"b"])
    with pytest.raises(LookupError, match="in row 1: wordperfect; mojika.encodings"):
        mojika.arrow.decode(rows, pa.array(["latin1", "wordperfect"]))
    with pytest.raises(LookupError, match="the label of row 1 is null"):
        mojika.arrow.decode(rows, pa.array(["latin1", None]))


def test_a_null_among_structs_is_no_row_of_a_table():
    column = pa.array([b"a", b"hidden"])
    table = pa.record_batch({"raw": column})
    assert mojika.arrow.decode(table, "utf-8").to_pyarrow().to_pylist() == ["a", "hidden"]
    structs = pa.StructArray.from_arrays([column], ["raw"], mask=pa.array([False, True]))
    with pytest.raises(TypeError, match="Struct"):
        mojika.arrow.decode(structs, "utf-8")


def test_encode_errors():
    column = pa.array(["ok", None, "1→2"])
    with pytest.raises(UnicodeEncodeError) as caught:
        mojika.arrow.encode(column, "windows-1252")
    assert (caught.value.row, caught.value.start, caught.value.object) == (2, 1, "1→2")
    assert mojika.arrow.encode(column, "windows-1252", "html").to_pyarrow().to_pylist() == [b"ok", None, b"1&#8594;2"]
    assert mojika.arrow.encode(column, "windows-1252", "null").to_pyarrow().to_pylist() == [b"ok", None, None]
    with pytest.raises(LookupError, match="no encoder"):
        mojika.arrow.encode(column, "replacement")


def test_labels_of_each_row_when_encoding():
    texts, labels = pa.array(["é", "文", None, "x"]), pa.array(["latin1", "shift_jis", None, "wordperfect"])
    encoded = mojika.arrow.encode(texts, labels, "null").to_pyarrow().to_pylist()
    assert encoded == [b"\xe9", b"\x95\xb6", None, None]
    for errors in ("strict", "html"):
        with pytest.raises(LookupError, match="wordperfect") as caught:
            mojika.arrow.encode(texts, labels, errors)
        assert caught.value.row == 3
    with pytest.raises(LookupError, match="no encoder") as caught:
        mojika.arrow.encode(pa.array(["a", "b"]), pa.array(["big5", "replacement"]))
    assert caught.value.row == 1
    with pytest.raises(ValueError, match="1 labels for 4 rows"):
        mojika.arrow.encode(texts, labels.slice(3))


def test_detect():
    rows = pa.array(["これは日本語の文章です。".encode("cp932"), None, b"\xef\xbb\xbfx"])
    found = mojika.arrow.detect(rows).to_pyarrow().to_pylist()
    assert found[0] == {"encoding": "Shift_JIS", "source": "detection", "certainty": "tentative"}
    assert found[1] is None
    assert found[2]["source"] == "bom"


def test_random_rows_agree_with_decode():
    rng = random.Random(5)
    rows = [rng.randbytes(rng.randrange(40)) for _ in range(500)]
    for label in ("shift_jis", "gb18030", "utf-16le", "iso-2022-jp", "windows-1253", "utf-8"):
        decoded = mojika.arrow.decode(pa.array(rows), label, "replace").to_pyarrow()
        decoded.validate(full=True)
        assert decoded.to_pylist() == [mojika.decode(row, label, "replace") for row in rows]


def test_polars():
    pl = pytest.importorskip("polars")
    decoded = mojika.arrow.decode(pl.Series("name", ROWS), "shift_jis").to_polars()
    assert decoded.to_list() == TEXTS
    assert decoded.dtype == pl.String
    frame = pl.DataFrame({"raw": ROWS, "label": ["sjis"] * len(ROWS)})
    frame = frame.with_columns(text=mojika.arrow.decode(frame["raw"], frame["label"]).to_polars())
    assert frame["text"].to_list() == TEXTS
    assert mojika.arrow.encode(frame["text"], "sjis").to_polars().to_list() == ROWS


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    source = pa.table({"raw": pa.array(ROWS)})
    raw = duckdb.sql("select raw from source").to_arrow_table()
    text = mojika.arrow.decode(raw, "shift_jis").to_pyarrow()
    decoded = pa.table({"text": text})
    assert duckdb.sql("select count(*), max(length(text)) from decoded").fetchall() == [(6, 80)]


def test_pandas():
    pd = pytest.importorskip("pandas")
    series = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([ROWS])))
    decoded = mojika.arrow.decode(series, "shift_jis").to_pandas()
    assert decoded.to_list()[:3] == TEXTS[:3]
    assert mojika.arrow.encode(decoded, "shift_jis").to_pyarrow().to_pylist() == ROWS


def test_a_result_can_be_exported_again_and_outlives_its_source():
    result = mojika.arrow.decode(pa.array(ROWS), "shift_jis")
    assert [pa.chunked_array(result).to_pylist() for _ in range(3)] == [TEXTS] * 3
    assert pa.array(TEXTS).equals(result.to_pyarrow())
    assert len(result) == 6 and "Utf8" in repr(result)


def test_columns_of_nothing_but_nulls_have_a_type():
    pl = pytest.importorskip("polars")
    decoded = mojika.arrow.decode(pa.nulls(3), "shift_jis").to_pyarrow()
    assert (decoded.type, decoded.to_pylist()) == (pa.string(), [None] * 3)
    assert mojika.arrow.encode(pa.nulls(2), "shift_jis").to_pyarrow().type == pa.binary()
    chunked = mojika.arrow.decode(pa.chunked_array([pa.nulls(1), pa.nulls(1)]), "shift_jis").to_pyarrow()
    assert isinstance(chunked, pa.ChunkedArray) and chunked.to_pylist() == [None, None]
    assert mojika.arrow.decode(pa.array([b"a"]), pa.nulls(1), "null").to_pyarrow().to_pylist() == [None]
    assert mojika.arrow.decode(pl.Series([None, None]), "shift_jis").to_polars().to_list() == [None, None]


def test_series_of_objects_and_lists():
    pandas = pytest.importorskip("pandas")
    for data in (pandas.Series(ROWS, dtype=object), list(ROWS), tuple(ROWS)):
        assert mojika.arrow.decode(data, "shift_jis").to_pyarrow().to_pylist() == TEXTS
    assert mojika.arrow.encode(list(TEXTS), ["shift_jis"] * len(TEXTS)).to_pyarrow().to_pylist() == ROWS


def test_errors_of_polars_expressions_say_where():
    pl = pytest.importorskip("polars")
    import mojika.polars

    frame = pl.DataFrame({"raw": [b"a", b"\xff"], "text": ["a", "€"]})
    with pytest.raises(pl.exceptions.ComputeError, match="malformed sequence .* of row 1"):
        frame.select(pl.col("raw").mojika.decode("cp932"))
    with pytest.raises(pl.exceptions.ComputeError, match="U\\+20AC|€"):
        frame.select(pl.col("text").mojika.encode("cp932"))
