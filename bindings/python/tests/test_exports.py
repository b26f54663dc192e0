"""Real engines write any encoding, and have mojika's functions by name."""

import importlib
import os

import pytest

import mojika
import mojika.arrow

ROWS = {"名前": ["文字化け", "€uro"], "値": [1, 2]}
EXPECTED = "名前,値\n文字化け,1\n?uro,2\n".encode("cp932")


def _lost(table):
    return [(row["line"], row["character"], row["name"]) for row in table.to_pylist()]


LOST = [(3, "€", "EURO SIGN")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.csv"


def test_pandas_writes(path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ROWS)
    for mode in ("w", "wb"):
        with mojika.open(path, mode, "cp932", errors="replace") as file:
            frame.to_csv(file, index=False)
            writer = file.buffer if mode == "w" else file
            if mode == "w":
                file.flush()
            assert _lost(writer.errors) == LOST
        assert path.read_bytes() == EXPECTED
        path.unlink()
    pytest.importorskip("fsspec")
    importlib.import_module("mojika.fsspec")
    # By the protocol's name, as `fsspec.open` has arguments `encoding` and `errors` of its own.
    options = {"mojika": {"encoding": "cp932", "errors": "replace"}}
    frame.to_csv(f"mojika://{path}", index=False, storage_options=options)
    assert path.read_bytes() == EXPECTED


def test_polars_writes(path):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(ROWS)
    with mojika.open(path, "wb", "cp932", errors="replace") as file:
        frame.write_csv(file)
        assert _lost(file.errors) == LOST
        assert file.errors.to_polars()["character"].to_list() == ["€"]
    assert path.read_bytes() == EXPECTED
    with mojika.open(path, "wb", "cp932", errors="replace") as file:
        frame.lazy().sink_csv(file)
    assert path.read_bytes() == EXPECTED


def test_pyarrow_writes(path):
    csv = pytest.importorskip("pyarrow.csv")
    pa = pytest.importorskip("pyarrow")
    with mojika.open(path, "wb", "cp932", errors="html") as file:
        csv.write_csv(pa.table(ROWS), file, csv.WriteOptions(quoting_style="none"))
        table = file.errors.to_pyarrow()
        assert table["name"].to_pylist() == ["EURO SIGN"]
        assert file.errors.to_pandas()["line"].to_list() == [3]
    # pyarrow puts the names of columns in quotes.
    assert path.read_bytes().split(b"\n", 1)[1] == EXPECTED.replace(b"?", b"&#8364;").split(b"\n", 1)[1]


def test_duckdb_writes(path):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("fsspec")
    from mojika.fsspec import Utf8FileSystem

    connection = duckdb.connect()
    files = Utf8FileSystem(encoding="cp932", errors="replace")
    connection.register_filesystem(files)
    connection.execute("create table t as select * from (values ('文字化け', 1), ('€uro', 2)) as t(名前, 値)")
    connection.execute(f"copy t to 'mojika://{path}'")
    assert path.read_bytes() == EXPECTED
    assert [_lost(table) for table in files.written_errors.values()] == [LOST]
    strict = duckdb.connect()
    strict.register_filesystem(Utf8FileSystem(encoding="cp932"))
    with pytest.raises(Exception, match="U\\+20AC"):
        strict.execute(f"copy (select '€') to 'mojika://{path}'")
    assert path.read_bytes() == EXPECTED and os.listdir(path.parent) == [path.name]


def test_fsspec_writes(path):
    fsspec = pytest.importorskip("fsspec")
    from mojika.fsspec import Utf8FileSystem

    files = Utf8FileSystem(fsspec.filesystem("memory"), encoding="gbk")
    with files.open("/folder/a", "wb") as file:
        file.write("文字".encode())
    assert files.fs.cat("/folder/a") == "文字".encode("gbk") and files.cat("/folder/a") == "文字".encode()
    with pytest.raises(ValueError, match="name the encoding"):
        Utf8FileSystem().open(str(path), "wb")
    local = Utf8FileSystem(encoding="gbk")
    with pytest.raises(ZeroDivisionError):
        with local.open(str(path), "wb") as file:
            file.write(b"a")
            1 / 0
    with pytest.raises(mojika.EncodeError):
        with local.open(str(path), "w") as file:
            file.write("\U0001f600")
    assert os.listdir(path.parent) == []
    # Who asks for the size first decodes once.
    with local.open(str(path), "wb") as file:
        file.write("文字".encode() * 10)
    assert local.size(str(path)) == 60
    calls = []
    local._reader = calls.append
    assert local.open(str(path)).read() == "文字".encode() * 10 and not calls


def test_chains_of_urls_write_a_file_and_make_its_folders(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    import mojika.fsspec  # noqa: F401 - registers the protocol.

    options = {"encoding": "gbk"}
    for path in (tmp_path / "a.csv", tmp_path / "new" / "folder" / "a.csv"):
        for _ in range(2):
            with fsspec.open(f"mojika::file://{path}", "wb", mojika=options) as file:
                file.write("文字".encode())
            assert path.read_bytes() == "文字".encode("gbk") and os.listdir(path.parent)[0] == "a.csv"
        with fsspec.open(f"mojika::file://{path}", mojika=options) as file:
            assert file.read() == "文字".encode()
    with fsspec.open("mojika::memory://chain/folder/a.csv", "wb", mojika=options) as file:
        file.write("文字".encode())
    assert fsspec.filesystem("memory").cat("/chain/folder/a.csv") == "文字".encode("gbk")
    pandas = pytest.importorskip("pandas")
    url = f"mojika::file://{tmp_path}/frames/b.csv"
    frame = pandas.DataFrame({"名前": ["文字"]})
    frame.to_csv(url, index=False, storage_options={"mojika": options})
    assert (tmp_path / "frames" / "b.csv").read_bytes() == "名前\n文字\n".encode("gbk")
    assert pandas.read_csv(url, storage_options={"mojika": options}).equals(frame)


def test_columns_list_what_they_lose():
    pa = pytest.importorskip("pyarrow")
    column, bad = mojika.arrow.decode(
        pa.chunked_array([[b"a\n\x82\xff\x81"], [None, b"\x82\xa0", b"\xfd"]]), "cp932", "replace", errors_out=True
    )
    assert column.to_pyarrow().to_pylist() == ["a\n\ufffd\ufffd", None, "あ", "\ufffd"]
    rows = bad.to_pylist()
    data = [b"a\n\x82\xff\x81", None, b"\x82\xa0", b"\xfd"]
    assert [row["row"] for row in rows] == [0] * (len(rows) - 1) + [3]
    for row in rows:
        assert data[row["row"]][row["offset"] :].startswith(row["bytes"]) and row["encoding"] == "Shift_JIS"
    assert (rows[0]["line"], rows[0]["column"], rows[-1]["column"]) == (2, 1, 1)
    for layout in (pa.binary(), pa.large_binary(), pa.binary_view()):
        array = pa.array(data, layout)
        same = mojika.arrow.decode(array, "cp932", "replace").to_pyarrow().to_pylist()
        listed, table = mojika.arrow.decode(array, "cp932", "replace", errors_out=True)
        assert listed.to_pyarrow().to_pylist() == same and table.to_pylist() == rows
        nulls, table = mojika.arrow.decode(array, "cp932", "null", errors_out=True)
        assert nulls.to_pyarrow().to_pylist() == [None, None, "あ", None] and table.to_pylist() == rows
    labels = pa.array(["cp932", None, "nonsense"])
    column, table = mojika.arrow.decode(pa.array([b"a", b"b", b"c"]), labels, "null", errors_out=True)
    assert [(row["row"], row["offset"], row["encoding"]) for row in table.to_pylist()] == [(1, None, None), (2, None, "nonsense")]
    with pytest.raises(mojika.DecodeError) as caught:
        mojika.arrow.decode(pa.array([b"a", b"b\n\xff"]), "cp932")
    assert (caught.value.row, caught.value.line, caught.value.column) == (1, 2, 1)

    texts = ["文é", None, "a\n€\U0001f600b"]
    for layout in (pa.string(), pa.large_string(), pa.string_view()):
        array = pa.array(texts, layout)
        for errors, expected in (
            ("replace", ["文?", None, "a\n??b"]),
            ("html", ["文&#233;", None, "a\n&#8364;&#128512;b"]),
            ("null", [None, None, None]),
        ):
            expected = [text and text.encode("cp932") for text in expected]
            assert mojika.arrow.encode(array, "cp932", errors).to_pyarrow().to_pylist() == expected
            column, lost = mojika.arrow.encode(array, "cp932", errors, errors_out=True)
            assert column.to_pyarrow().to_pylist() == expected
            assert [(row["row"], row["offset"], row["line"], row["column"], row["character"]) for row in lost.to_pylist()] == [
                (0, 3, 1, 2, "é"), (2, 2, 2, 1, "€"), (2, 5, 2, 2, "\U0001f600"),
            ]
            assert lost.to_pyarrow()["name"].to_pylist()[1] == "EURO SIGN"


def test_functions_of_pyarrow():
    pa = pytest.importorskip("pyarrow")
    import pyarrow.compute as pc

    mojika.arrow.register_functions()
    mojika.arrow.register_functions()
    raw = pa.array([b"\x95\xb6", None, b"\xff"])
    assert pc.call_function("mojika_try_decode", [raw, "cp932"]).to_pylist() == ["文", None, None]
    labels = pa.array(["cp932", "gbk", "koi8-r"])
    assert pc.call_function("mojika_decode", [raw, labels]).to_pylist() == ["文", None, "Ъ"]
    with pytest.raises(mojika.DecodeError):
        pc.call_function("mojika_decode", [raw, "cp932"])
    assert pc.call_function("mojika_encode", [pa.array(["文"]), "cp932"]).to_pylist() == [b"\x95\xb6"]
    assert pc.call_function("mojika_try_encode", [pa.array(["€"]), "cp932"]).to_pylist() == [None]
    assert pc.call_function("mojika_detect", [pa.array([b"\xef\xbb\xbfa"])]).to_pylist() == ["UTF-8"]


def test_namespace_of_polars():
    pl = pytest.importorskip("polars")
    importlib.import_module("mojika.polars")
    frame = pl.DataFrame({"raw": [b"\x95\xb6", None, b"\xc2"], "label": ["cp932", "gbk", "koi8-r"]})
    lazy = frame.lazy().select(
        text=pl.col("raw").mojika.decode("cp932", "replace"),
        each=pl.col("raw").mojika.decode(pl.col("label")),
        found=pl.col("raw").mojika.detect().struct.field("source"),
    )
    assert lazy.collect_schema() == {"text": pl.String, "each": pl.String, "found": pl.String}
    assert lazy.collect()["each"].to_list() == ["文", None, "б"]
    again = lazy.select(pl.col("each").mojika.encode("utf-16be")).collect()["each"]
    assert again.to_list() == ["文".encode("utf-16be"), None, "б".encode("utf-16be")]
    assert again.mojika.decode("utf-16be").to_list() == ["文", None, "б"] and again.name == "each"
    with pytest.raises(LookupError):
        pl.col("raw").mojika.decode("wordperfect")


def test_polars_scans_many_files(tmp_path):
    pl = pytest.importorskip("polars")
    from mojika.polars import scan_csv

    for number, encoding in enumerate(("cp932", "euc_jp", "utf-8")):
        text = "名前,値\n" + "".join(f"文字化け{n},{n + number * 100}\n" for n in range(100))
        (tmp_path / f"{number}.csv").write_bytes(text.encode(encoding))
    lazy = scan_csv(str(tmp_path / "*.csv"), include_file_paths="path")
    assert lazy.collect_schema() == {"名前": pl.String, "値": pl.Int64, "path": pl.String}
    frame = lazy.filter(pl.col("値") >= 50).select("path", "値").collect()
    assert frame["値"].to_list() == list(range(50, 300))
    assert frame["path"].unique().len() == 3
    assert lazy.head(3).collect()["値"].to_list() == [0, 1, 2]
    assert lazy.select(pl.len()).collect().item() == 300
    assert scan_csv(tmp_path).collect().height == 300
    assert scan_csv([tmp_path / "0.csv"], "cp932", schema={"名前": pl.String, "値": pl.Int32}).collect()["値"].sum() == 4950
    # A limit opens no more files than it takes.
    (tmp_path / "9.csv").write_bytes(b"\xff\xfe\xff")
    assert scan_csv(tmp_path).head(250).collect().height == 250
    with pytest.raises(FileNotFoundError):
        scan_csv(str(tmp_path / "*.txt"))


def test_functions_of_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("fsspec")
    from mojika.duckdb import register

    connection = register(duckdb.connect(), encoding="cp932")
    register(connection, encoding="cp932")
    connection.execute("create table t as select * from (values ('\\x95\\xB6'::blob, 'cp932'), (null, 'gbk'), ('\\xFF'::blob, 'gbk')) as t(raw, label)")
    decoded = connection.sql("select mojika_try_decode(raw, label) from t").fetchall()
    assert decoded == [("文",), (None,), (None,)]
    with pytest.raises(Exception, match="malformed"):
        connection.sql("select mojika_decode(raw, label) from t").fetchall()
    assert connection.sql("select mojika_encode('文', 'cp932')").fetchall() == [(b"\x95\xb6",)]
    assert connection.sql("select mojika_try_encode('€', 'cp932')").fetchall() == [(None,)]
    assert connection.sql("select mojika_detect('\\xEF\\xBB\\xBFa'::blob)").fetchall() == [("UTF-8",)]
    path = tmp_path / "file.csv"
    path.write_bytes("名前,値\n文字,1\n".encode("cp932"))
    assert connection.sql(f"select 名前 from read_csv('mojika://{path}')").fetchall() == [("文字",)]
