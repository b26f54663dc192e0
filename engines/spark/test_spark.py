"""The Spark job in local mode: mixed folders, WARC, bad files, killed tasks, the SQL function."""

import io
import os
import pathlib
import signal
import subprocess
import sys

import mojika
import mojika_spark
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
    for text in (TEXT, "文" * 1000, "x", "a\n" * 100):
        path.write_bytes(mojika.encode(text, "shift_jis"))
        parts = list(mojika_spark.rows_of(str(path), "shift_jis", "strict"))
        assert "".join(row["text"] for row in parts) == text
        assert [row["part"] for row in parts] == list(range(len(parts)))
        assert all(row["text"].endswith("\n") for row in parts[:-1]) or "\n" not in text


def test_a_killed_task_runs_again(spark, folder, tmp_path):
    flag = tmp_path / "killed"
    output = tmp_path / "out"

    def rows_of(path, encoding, errors, flag=str(flag)):
        for row in mojika_spark.rows_of(path, encoding, errors):
            yield row
            if not os.path.exists(flag):
                open(flag, "w").close()
                os.kill(os.getpid(), signal.SIGKILL)

    mojika_spark.convert(spark, [str(folder)], str(output), rows=rows_of, partitions=2)
    assert flag.exists()
    assert len(rows(spark, output, "text")) == 5
    assert len(rows(spark, output, "bad")) == 1


def test_warc(spark, tmp_path):
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    path = tmp_path / "crawl.warc.gz"
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, kind, body in (
            ("http://a/", "text/html; charset=shift_jis", "<p>文字".encode("cp932")),
            ("http://b/", "text/html", b"<meta charset=koi8-r>\xc1"),
            ("http://c/", "text/html; charset=euc-kr", b"\xff"),
            ("http://d/", "image/png", b"\x89PNG"),
        ):
            headers = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.0")
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers)
            )
    output = tmp_path / "out"
    mojika_spark.convert(spark, [str(path)], str(output))
    text = {row["url"]: row for row in rows(spark, output, "text")}
    assert (text["http://a/"]["text"], text["http://a/"]["source"]) == ("<p>文字", "transport")
    assert (text["http://b/"]["text"][-1], text["http://b/"]["source"]) == ("а", "meta")
    (bad,) = rows(spark, output, "bad")
    assert bad["url"] == "http://c/" and bad["offset"] > 0


def test_the_sql_function(spark):
    mojika_spark.register(spark)
    row = spark.sql("select mojika_decode(x'95b6', 'shift_jis') t, mojika_decode(null, 'big5') n").collect()[0]
    assert (row.t, row.n) == ("文", None)
    mojika_spark.register(spark, "mojika_try_decode", "null")
    assert spark.sql("select mojika_try_decode(x'ff', 'shift_jis') t").collect()[0].t is None
    with pytest.raises(Exception, match="malformed sequence"):
        spark.sql("select mojika_decode(x'ff', 'shift_jis') t").collect()


def test_the_command(folder, tmp_path):
    command = [sys.executable, mojika_spark.__file__, "-o", str(tmp_path / "out"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "5 rows of text, 1 bad" in done.stderr
