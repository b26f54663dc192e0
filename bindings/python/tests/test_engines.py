"""Real engines read files in any encoding through `mojika.open` and `mojika.fsspec`."""

import functools
import gzip
import threading

import pytest

import mojika

NAMES = [f"文字{n}能" for n in range(3000)]
CSV = "名前,値\n" + "".join(f"{name},{n}\n" for n, name in enumerate(NAMES))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(CSV.encode("cp932"))
    return path


def test_pandas(path):
    pd = pytest.importorskip("pandas")
    with mojika.open(path, "shift_jis") as file:
        assert pd.read_csv(file)["名前"].to_list() == NAMES
    with mojika.open(path, "shift_jis", mode="r") as file:
        assert pd.read_csv(file, engine="python")["名前"].to_list() == NAMES
    with mojika.open(path, "shift_jis") as file:
        chunks = list(pd.read_csv(file, chunksize=1000))
        assert sum((chunk["名前"].to_list() for chunk in chunks), []) == NAMES
    mojika.register_codecs()
    assert pd.read_csv(path, encoding="mojika:shift_jis")["名前"].to_list() == NAMES


def test_pandas_puts_no_text_layer_on_top(path):
    pd = pytest.importorskip("pandas")
    with mojika.open(path, "shift_jis") as file:
        handles = pd.io.common.get_handle(file, "r", encoding="utf-8", is_text=True)
        assert handles.handle is file
        handles.close()


def test_pyarrow(path):
    csv = pytest.importorskip("pyarrow.csv")
    with mojika.open(path, "shift_jis") as file:
        assert csv.read_csv(file)["名前"].to_pylist() == NAMES
    with mojika.open(path, "shift_jis") as file:
        assert csv.open_csv(file).read_all()["名前"].to_pylist() == NAMES


def test_polars(path):
    pl = pytest.importorskip("polars")
    with mojika.open(path, "shift_jis") as file:
        assert pl.read_csv(file)["名前"].to_list() == NAMES
    with mojika.open(path, "shift_jis") as file:
        frame = pl.scan_csv(file).filter(pl.col("値") > 2990).collect()
        assert frame["名前"].to_list() == NAMES[2991:]


def test_duckdb(path):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("fsspec")
    import mojika.fsspec

    connection = duckdb.connect()
    connection.register_filesystem(mojika.fsspec.Utf8FileSystem(encoding="shift_jis"))
    rows = connection.sql(f"select 名前 from read_csv('mojika://{path}')").fetchall()
    assert [row[0] for row in rows] == NAMES


def test_datasets_of_several_files(tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    fsspec = pytest.importorskip("fsspec")
    from mojika.fsspec import Utf8FileSystem

    folder = tmp_path / "set"
    folder.mkdir()
    for n in range(8):
        (folder / f"{n}.csv").write_bytes(CSV.encode("cp932"))
    files = Utf8FileSystem(fsspec.filesystem("file"), encoding="shift_jis")
    table = dataset.dataset(str(folder), format="csv", filesystem=files).to_table()
    assert table["名前"].to_pylist() == NAMES * 8


def test_fsspec(path):
    fsspec = pytest.importorskip("fsspec")
    from mojika.fsspec import Utf8FileSystem

    files = Utf8FileSystem(encoding="shift_jis")
    assert files.cat_file(str(path)) == CSV.encode()
    assert files.cat_file(str(path), 3, 20) == CSV.encode()[3:20]
    assert files.cat_file(str(path), -5) == CSV.encode()[-5:]
    assert files.info(str(path))["size"] == len(CSV.encode())
    assert files.ls(str(path.parent), detail=False) == [str(path)]
    with files.open(str(path), "r", encoding="utf-8", newline="") as file:
        assert file.read() == CSV
    with pytest.raises(NotImplementedError):
        files.open(str(path), "ab")
    with pytest.raises(LookupError):
        Utf8FileSystem(encoding="wordperfect")
    with fsspec.open(f"mojika::file://{path}", mojika={"encoding": "shift_jis"}) as file:
        assert file.read() == CSV.encode()


def test_pandas_by_url(path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("fsspec")
    import mojika.fsspec  # noqa: F401

    frame = pd.read_csv(f"mojika://{path}", storage_options={"mojika": {"encoding": "shift_jis"}})
    assert frame["名前"].to_list() == NAMES
    with pytest.raises(LookupError):
        pd.read_csv(f"mojika://{path}", storage_options={"mojika": {"encoding": "wordperfect"}})


def test_files_of_a_web_server(path):
    """A server that ignores ranges, as simple ones do, and one file that it lacks."""
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    import http.server

    import mojika.fsspec  # noqa: F401

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    packed = path.with_suffix(".csv.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    handler = functools.partial(Quiet, directory=path.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"mojika::http://127.0.0.1:{server.server_address[1]}/"
        for file in (path, packed):
            with fsspec.open(url + file.name, mojika={"encoding": "shift_jis"}) as text:
                assert text.read() == CSV.encode()
        pd = pytest.importorskip("pandas")
        frame = pd.read_csv(url + path.name, storage_options={"mojika": {"encoding": "shift_jis"}})
        assert frame["名前"].to_list() == NAMES
        with pytest.raises(FileNotFoundError):
            with fsspec.open(url + "none.csv", mojika={"encoding": "shift_jis"}) as text:
                text.read()
        server.shutdown()


def test_dask(tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    import mojika.fsspec  # noqa: F401

    for n in range(4):
        (tmp_path / f"{n}.csv").write_bytes(CSV.encode("cp932"))
    options = {"encoding": "shift_jis"}
    frame = dd.read_csv(f"mojika://{tmp_path}/*.csv", storage_options=options, blocksize=None).compute(scheduler="threads")
    assert sorted(frame["名前"]) == sorted(NAMES * 4)
    # In blocks, which start and end at places in the text.
    frame = dd.read_csv(f"mojika://{tmp_path}/0.csv", storage_options=options, blocksize=10_000)
    assert frame.npartitions > 3
    assert frame.compute(scheduler="threads")["名前"].to_list() == NAMES


def finishes(work):
    """The exception of `work`, which runs in a thread of its own for a minute at most."""
    caught = []

    def run():
        try:
            work()
        except BaseException as error:  # noqa: BLE001 (polars panics)
            caught.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    return caught[0]


def test_errors_in_a_dataset_end_as_exceptions(tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    pytest.importorskip("fsspec")
    from mojika.fsspec import Utf8FileSystem

    for n in range(6):
        (tmp_path / f"{n}.csv").write_bytes(CSV.encode("cp932") + (b"\xff,1\n" if n == 4 else b""))
    files = Utf8FileSystem(encoding="shift_jis")
    error = finishes(lambda: dataset.dataset(str(tmp_path), format="csv", filesystem=files).to_table(use_threads=False))
    assert "malformed sequence" in str(error)


def test_errors_in_duckdb_end_as_exceptions(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("fsspec")
    import mojika.fsspec

    path = tmp_path / "bad.csv"
    path.write_bytes(CSV.encode("cp932") * 20 + b"\xff,1\n")
    connection = duckdb.connect()
    connection.register_filesystem(mojika.fsspec.Utf8FileSystem(encoding="shift_jis"))
    error = finishes(lambda: connection.sql(f"select count(*) from read_csv('mojika://{path}')").fetchall())
    assert "malformed sequence" in str(error)


@pytest.mark.parametrize("engine", ["pandas", "pyarrow.csv", "polars"])
def test_errors_in_engines_end_as_exceptions(tmp_path, engine):
    module = pytest.importorskip(engine)
    path = tmp_path / "bad.csv"
    path.write_bytes(CSV.encode("cp932") * 20 + b"\xff,1\n")

    def read():
        with mojika.open(path, "shift_jis") as file:
            module.read_csv(file)

    assert "malformed sequence" in str(finishes(read))
