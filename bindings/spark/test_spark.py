"""The Spark job in local mode: mixed folders, WARC, bad files, killed tasks, the SQL function."""

import gzip
import os
import pathlib
import signal
import subprocess
import sys
import time

import fsspec
import mojika
import mojika_spark
import pyarrow.parquet
import pytest
from pyspark.sql import SparkSession

TEXT = "".join(f"{n}番目の文字化けの行です。\n" for n in range(500))


@pytest.fixture(scope="module")
def spark():
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.addPyFile(mojika_spark.__file__)
    yield session
    session.stop()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "in"
    (folder / "inner").mkdir(parents=True)
    for encoding in ("shift_jis", "euc-jp", "utf-8", "utf-16le"):
        (folder / f"{encoding}.txt").write_bytes(
            (b"\xff\xfe" if encoding == "utf-16le" else b"") + mojika.encode(TEXT, encoding)
        )
    (folder / "inner" / "empty.txt").write_bytes(b"")
    (folder / "bad.txt").write_bytes(mojika.encode(TEXT, "shift_jis") + b"\xff\xff\x82")
    return folder


def rows(spark, output, kind):
    frame = spark.read.parquet(str(output)).where(f"kind = '{kind}'").orderBy("path", "part")
    return [row.asDict() for row in frame.collect()]


def test_a_mixed_folder(spark, folder, tmp_path):
    output = tmp_path / "out"
    for _ in range(2):
        mojika_spark.convert(spark, [str(folder)], str(output))
        text = {pathlib.Path(row["path"]).name: row for row in rows(spark, output, "text")}
        assert text["shift_jis.txt"]["text"] == TEXT
        assert text["shift_jis.txt"]["encoding"] == "Shift_JIS"
        assert text["shift_jis.txt"]["source"] == "detection"
        assert (text["utf-16le.txt"]["text"], text["utf-16le.txt"]["source"]) == (TEXT, "bom")
        assert text["empty.txt"]["text"] == ""
        assert sorted(text) == ["empty.txt", "euc-jp.txt", "shift_jis.txt", "utf-16le.txt", "utf-8.txt"]
        (bad,) = rows(spark, output, "bad")
        assert bad["path"].endswith("bad.txt") and "malformed sequence" in bad["error"]
        assert bad["text"] is None


def test_replace_and_missing_files(spark, folder, tmp_path):
    output = tmp_path / "out"
    inputs = [str(folder / "bad.txt"), str(folder / "none.txt")]
    mojika_spark.convert(spark, inputs, str(output), "shift_jis", "replace")
    (text,) = rows(spark, output, "text")
    assert text["had_errors"] and text["text"].startswith(TEXT) and "\ufffd" in text["text"]
    (bad,) = rows(spark, output, "bad")
    assert bad["error"].startswith("FileNotFoundError")
    with pytest.raises(LookupError):
        mojika_spark.convert(spark, inputs, str(output), "wordperfect")


def test_parts_end_with_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(mojika_spark, "PART", 100)
    path = tmp_path / "file"
    for held in (mojika_spark.mojika_files.HELD, 50):
        monkeypatch.setattr(mojika_spark.mojika_files, "HELD", held)
        for text in (TEXT, "文" * 1000, "x", "a\n" * 100):
            path.write_bytes(mojika.encode(text, "shift_jis"))
            parts = list(mojika_spark.rows_of(str(path), "shift_jis", "strict"))
            assert b"".join(row["text"] for row in parts) == text.encode()
            assert [row["part"] for row in parts] == list(range(len(parts)))
            assert all(row["text"].decode().endswith("\n") for row in parts[:-1]) or "\n" not in text
        path.write_bytes(mojika.encode(TEXT, "shift_jis") + b"\xff")
        (bad,) = mojika_spark.rows_of(str(path), "shift_jis", "strict")
        assert bad["kind"] == "bad"


def test_what_is_doubtful_is_bad(tmp_path):
    path = tmp_path / "short.txt"
    path.write_bytes(b"caf\xe9\xa4\n")
    (bad,) = mojika_spark.rows_of(str(path), "auto", "replace")
    assert bad["kind"] == "bad" and bad["error"].startswith("DoubtError: doubtful: ")
    (text,) = mojika_spark.rows_of(str(path), "auto", "replace", confidence=0)
    assert text["kind"] == "text"


def killed_once(flag, storage_options=None):
    """The rows of a file, from a worker that dies after the first one if the file `flag` is not there."""

    def rows_of(path, encoding, errors, flag=str(flag)):
        import mojika_spark

        for row in mojika_spark.rows_of(path, encoding, errors, storage_options=storage_options):
            yield row
            if not os.path.exists(flag):
                open(flag, "w").close()
                os.kill(os.getpid(), signal.SIGKILL)

    return rows_of


def test_a_killed_task_runs_again(spark, folder, tmp_path):
    flag = tmp_path / "killed"
    output = tmp_path / "out"

    mojika_spark.convert(spark, [str(folder)], str(output), rows=killed_once(flag), partitions=2)
    assert flag.exists()
    assert len(rows(spark, output, "text")) == 5
    assert len(rows(spark, output, "bad")) == 1


def record(url, kind, body):
    """A member of a WARC file."""
    http = b"HTTP/1.0 200 OK\r\nContent-Type: " + kind.encode() + b"\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{url}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n")


RECORDS = [
    record("http://a/", "text/html; charset=shift_jis", "<p>文字".encode("cp932")),
    record("http://b/", "text/html", b"<meta charset=koi8-r>\xc1"),
    record("http://c/", "text/html; charset=euc-kr", b"ab\xff"),
    record("http://d/", "image/png", b"\x89PNG"),
]


def test_warc(spark, tmp_path):
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(b"".join(RECORDS))
    output = tmp_path / "out"
    for source in (str(path), f"file://{path}"):
        mojika_spark.convert(spark, [source], str(output))
        text = {row["url"]: row for row in rows(spark, output, "text")}
        assert (text["http://a/"]["text"], text["http://a/"]["source"]) == ("<p>文字", "transport")
        assert (text["http://b/"]["text"][-1], text["http://b/"]["source"]) == ("а", "meta")
        assert text["http://a/"]["record_id"] == "<urn:http://a/>" and len(text) == 2
        (bad,) = rows(spark, output, "bad")
        assert (bad["url"], bad["path"]) == ("http://c/", source) and "offset 2 " in bad["error"]
        # Its bytes are doubtful in the declared encoding, too.
        mojika_spark.convert(spark, [source], str(output), errors="replace", confidence=0)
        text = {row["url"]: row for row in rows(spark, output, "text")}
        assert text["http://c/"]["text"] == "ab\ufffd" and text["http://c/"]["had_errors"]


def test_damaged_and_missing_archives(spark, tmp_path):
    path = tmp_path / "crawl.warc.gz"
    broken = RECORDS[1][:40] + b"\0\0\0" + RECORDS[1][43:]
    path.write_bytes(RECORDS[0] + broken + RECORDS[3])
    output = tmp_path / "out"
    mojika_spark.convert(spark, [str(path), str(tmp_path / "none.warc.gz")], str(output))
    (text,) = rows(spark, output, "text")
    assert text["url"] == "http://a/"
    damaged, missing = rows(spark, output, "bad")
    assert f"byte offset {len(RECORDS[0])}" in damaged["error"]
    assert "No such file" in missing["error"]


def test_a_mixed_folder_with_an_archive_in_one_command(folder, tmp_path):
    (folder / "crawl.warc.gz").write_bytes(b"".join(RECORDS))
    command = [sys.executable, mojika_spark.__file__, "-o", str(tmp_path / "out"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "7 rows of text, 2 bad" in done.stderr


@pytest.mark.parametrize("encoding", ["auto", "cp932"])
def test_a_file_of_500_mb_needs_no_more_memory_than_spark_has(tmp_path, encoding):
    lines = "文字化けは、書いた人と読む人が別の表を使っているときに起こります。\n".encode("cp932") * 10_000
    with open(tmp_path / "file.txt", "wb") as file:
        for _ in range(500_000_000 // len(lines) + 1):
            file.write(lines)
    size = (tmp_path / "file.txt").stat().st_size
    command = [sys.executable, mojika_spark.__file__, "--from", encoding, "-o", str(tmp_path / "out"), str(tmp_path / "file.txt")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    import pyarrow.dataset

    # The folders are there for pyarrow, too.
    table = pyarrow.dataset.dataset(tmp_path / "out", format="parquet", partitioning="hive")
    texts = table.to_table(columns=["text"], filter=pyarrow.dataset.field("kind") == "text")["text"]
    lengths = [len(text.as_py()) for text in texts]
    assert sum(lengths) == size // len(lines) * len(lines.decode("cp932")) and max(lengths) <= 1 << 20


def test_the_sql_function(spark):
    mojika_spark.register(spark)
    row = spark.sql("select mojika_decode(x'95b6', 'shift_jis') t, mojika_decode(null, 'big5') n").collect()[0]
    assert (row.t, row.n) == ("文", None)
    mojika_spark.register(spark, "mojika_try_decode", "null")
    assert spark.sql("select mojika_try_decode(x'ff', 'shift_jis') t").collect()[0].t is None
    with pytest.raises(Exception, match="malformed sequence"):
        spark.sql("select mojika_decode(x'ff', 'shift_jis') t").collect()


def test_a_job_that_is_killed_leaves_nothing_and_runs_again(spark, folder, tmp_path):
    """The whole job is killed in the middle: what is there is not taken for a result, and a second run is complete."""
    output, flag = tmp_path / "out", tmp_path / "started"
    script = f"""
import os, pathlib, sys, time
sys.path.insert(0, {str(pathlib.Path(mojika_spark.__file__).parent)!r})
import mojika_spark
from pyspark.sql import SparkSession

def rows_of(path, encoding, errors, flag={str(flag)!r}):
    import mojika_spark
    yield from mojika_spark.rows_of(path, encoding, errors)
    pathlib.Path(flag).touch()
    time.sleep(600)

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.addPyFile(mojika_spark.__file__)
mojika_spark.convert(spark, [{str(folder)!r}], {str(output)!r}, rows=rows_of, partitions=2)
"""
    process = subprocess.Popen([sys.executable, "-c", script], start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 400
    while not flag.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert flag.exists()
    assert not (output / "_SUCCESS").exists()
    mojika_spark.convert(spark, [str(folder)], str(output))
    assert (output / "_SUCCESS").exists()
    assert len(rows(spark, output, "text")) == 5 and len(rows(spark, output, "bad")) == 1


def test_a_task_that_is_killed_again_and_again_fails_the_job(spark, folder, tmp_path):
    def rows_of(path, encoding, errors):
        os.kill(os.getpid(), signal.SIGKILL)
        yield {}

    with pytest.raises(Exception, match="(?i)failed"):
        mojika_spark.convert(spark, [str(folder)], str(tmp_path / "out"), rows=rows_of, partitions=1)
    assert not (tmp_path / "out" / "_SUCCESS").exists()


def test_rows_of_csv(spark, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name, encoding in (("a.csv", "cp932"), ("b.csv", "utf-16")):
        (folder / name).write_bytes(("名前,値\n" + "".join(f"{name} 文字,{n}\n" for n in range(50)) + "x,y\nz\n").encode(encoding))
    output = tmp_path / "out"
    for writer in ("spark", "tasks"):
        counts = mojika_spark.convert(spark, [str(folder)], str(output), csv={"schema": "名前 string, 値 long"}, writer=writer)
        assert counts == {"row": 100, "bad": 4}
        frame = spark.read.parquet(str(output))
        assert frame.where("kind = 'row'").agg({"値": "sum"}).collect()[0][0] == 2 * sum(range(50))
        bad = frame.where("kind = 'bad'").orderBy("_path", "_row").collect()
        assert [(row["_row"], row["_raw"]) for row in bad] == [(52, "x,y"), (53, "z")] * 2


def test_an_archive_is_read_by_several_tasks(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(mojika_spark.mojika_pieces, "TASK", 1)
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(b"".join(RECORDS))
    starts = [sum(map(len, RECORDS[:number])) for number in range(4)]
    cdx = {"crawl.warc.gz": list(zip(starts, map(len, RECORDS)))}
    assert mojika_spark.tasks_of(spark, [str(path)], cdx=cdx).count() == 4
    mojika_spark.convert(spark, [str(path)], str(tmp_path / "out"), cdx=cdx)
    text = {row["url"]: row for row in rows(spark, tmp_path / "out", "text")}
    assert {url: row["offset"] for url, row in text.items()} == {"http://a/": 0, "http://b/": starts[1]}


def test_tasks_write_what_spark_writes_and_a_killed_one_leaves_nothing(spark, folder, tmp_path):
    flag = tmp_path / "killed"

    counts = [
        mojika_spark.convert(spark, [str(folder)], str(tmp_path / "one")),
        mojika_spark.convert(spark, [str(folder)], str(tmp_path / "two"), rows=killed_once(flag), partitions=2, writer="tasks"),
        # In fewer files: those of the job before are gone.
        mojika_spark.convert(spark, [str(folder)], str(tmp_path / "two"), partitions=1, writer="tasks"),
    ]
    assert flag.exists() and counts == [{"text": 5, "bad": 1}] * 3
    assert rows(spark, tmp_path / "one", "text") == rows(spark, tmp_path / "two", "text")
    left = sorted(str(path.relative_to(tmp_path / "two")) for path in (tmp_path / "two").rglob("*") if path.is_file())
    assert left == ["_SUCCESS", "kind=bad/part-00000.parquet", "kind=text/part-00000.parquet"]


def parts_in_s3(files, output):
    """The names of the objects below `output`, and the rows of each kind in them."""
    files.invalidate_cache()
    names = sorted(path.removeprefix(f"{output}/") for path in files.find(output))
    tables = {kind: [] for kind in ("text", "bad")}
    for name in names:
        if name.endswith(".parquet"):
            with files.open(f"{output}/{name}") as file:
                tables[name.split("/")[0].removeprefix("kind=")] += pyarrow.parquet.read_table(file).to_pylist()
    return names, tables


def test_a_job_reads_from_s3_and_writes_to_it(spark, s3, tmp_path, monkeypatch):
    files = fsspec.filesystem("s3", **s3["s3"])
    for encoding in ("shift_jis", "euc-jp", "utf-8"):
        files.pipe_file(f"crawl/in/{encoding}.txt", mojika.encode(TEXT, encoding))
    files.pipe_file("crawl/in/bad.txt", mojika.encode(TEXT, "shift_jis") + b"\xff\xff\x82")
    files.pipe_file("crawl/in/inner/crawl.warc.gz", b"".join(RECORDS))
    starts = [sum(map(len, RECORDS[:number])) for number in range(4)]
    cdx = {"crawl.warc.gz": list(zip(starts, map(len, RECORDS)))}
    # A task for each record, and for each file.
    monkeypatch.setattr(mojika_spark.mojika_pieces, "TASK", 1)
    flag = tmp_path / "killed"
    for options in ({"cdx": cdx}, {"rows": killed_once(flag, s3)}, {"partitions": 1}):
        counts = mojika_spark.convert(spark, ["s3://crawl/in"], "s3://crawl/out", storage_options=s3, writer="tasks", **options)
        assert counts == {"text": 5, "bad": 2}
        names, tables = parts_in_s3(files, "crawl/out")
        assert names[0] == "_SUCCESS"
        text = {row["url"] or row["path"]: row for row in tables["text"]}
        assert all(text[f"s3://crawl/in/{name}.txt"]["text"] == TEXT for name in ("shift_jis", "euc-jp", "utf-8"))
        assert (text["http://a/"]["text"], text["http://a/"]["offset"]) == ("<p>文字", 0)
        assert (text["http://b/"]["text"][-1], text["http://b/"]["offset"]) == ("а", starts[1])
        assert sorted(row["url"] or row["path"] for row in tables["bad"]) == ["http://c/", "s3://crawl/in/bad.txt"]
    assert flag.exists()
    # Those of the jobs before, in more tasks, are gone.
    assert names == ["_SUCCESS", "kind=bad/part-00000.parquet", "kind=text/part-00000.parquet"]
