"""What the Spark job does without Spark: packing, records by CDX, rows of CSV, URLs of fsspec, files that appear when complete."""

import contextlib
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time

import fsspec
import mojika_csv
import mojika_files
import mojika_pieces
import mojika_spark
import pyarrow as pa
import pyarrow.parquet
import pytest
from mojika_pieces import FILE, Piece


def record(url, text):
    """A member of a WARC file."""
    http = b"HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=shift_jis\r\n\r\n" + text.encode("cp932")
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{url}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n")


def archive(count):
    """An archive, and the offset and length of each record."""
    members = [record(f"http://a/{number}", f"<p>文字 {number}") for number in range(count)]
    starts = [sum(map(len, members[:number])) for number in range(count)]
    return b"".join(members), list(zip(starts, map(len, members)))


def test_tasks_have_about_as_many_bytes_as_they_should():
    generator = random.Random(46)
    kinds = {
        "tiny": [generator.randrange(1000) for _ in range(5000)],
        "skewed": [int(1e5 * generator.paretovariate(0.8)) % 900_000_000 for _ in range(2000)],
        "equal": [1_000_000_000] * 20,
        "one": [5],
        "none there": [0, 0],
    }
    for name, sizes in kinds.items():
        found = [Piece(f"{number}", size) for number, size in enumerate(sizes)]
        packed = mojika_pieces.pack(found)
        assert sorted(piece for pieces in packed for piece in pieces) == sorted(found), name
        loads = [sum(piece.size + FILE for piece in pieces) for pieces in packed]
        least = max(max(sizes) + FILE, sum(loads) / len(loads))
        assert max(loads) <= least * 4 / 3, name
        assert loads == sorted(loads, reverse=True), name
        assert len(packed) <= -(-sum(loads) // mojika_pieces.TASK), name
        assert packed == mojika_pieces.pack(found), name
    assert mojika_pieces.pack([]) == []
    assert [len(pieces) for pieces in mojika_pieces.pack(found, tasks=9)] == [1, 1]


def test_archives_are_divided_at_records_of_the_cdx():
    records = [(number * 1000, 400) for number in range(1000)]
    lines = [f'key 2026 {json.dumps({"filename": "crawl/a.warc.gz", "offset": str(o), "length": str(n)})}' for o, n in records]
    assert mojika_pieces.read_cdx(reversed(lines)) == {"a.warc.gz": records}
    old = ["CDX N b a m s k r M S V g", *(f"k 2026 u text/html 200 D - - {n} {o} crawl/a.warc.gz" for o, n in records), ""]
    assert mojika_pieces.read_cdx(old) == mojika_pieces.read_cdx(old[1:]) == {"a.warc.gz": records}
    cdx = {"a.warc.gz": records, "z.warc.zst": records}
    files = [Piece("s3://b/a.warc.gz", 10**6), Piece("z.warc.zst", 10**6), Piece("b.warc.gz", 5)]
    found = mojika_pieces.pieces(files, cdx, task=100_000)
    assert found[-2:] == files[1:] and len(found) == 6
    assert sum((piece.ranges for piece in found[:-2]), ()) == tuple(records)
    assert all(piece.size == sum(length for _, length in piece.ranges) <= 100_000 for piece in found[:-2])
    for wrong in ['key 1 {"filename": "a"}', "one two", 'k 1 {"filename":"a","offset":"x","length":"1"}', "k 1 {"]:
        with pytest.raises(ValueError, match="line 2"):
            mojika_pieces.read_cdx([lines[0], wrong])


def test_records_of_a_piece_are_read_from_any_url(s3, tmp_path):
    data, places = archive(10)
    (tmp_path / "a.warc.gz").write_bytes(data)
    files = fsspec.filesystem("s3", **s3["s3"])
    files.pipe_file("crawl/a.warc.gz", data)
    for path in (str(tmp_path / "a.warc.gz"), f"file://{tmp_path}/a.warc.gz", "s3://crawl/a.warc.gz"):
        whole = list(mojika_spark.rows_of(path, "auto", "strict", storage_options=s3))
        assert [row["url"] for row in whole] == [f"http://a/{number}" for number in range(10)]
        assert [(row["offset"], row["length"]) for row in whole] == places
        some = list(mojika_spark.rows_of(path, "auto", "strict", storage_options=s3, ranges=[places[2], places[3], places[7]]))
        assert some == [whole[2], whole[3], whole[7]]
        rows = list(mojika_spark.rows_of(path, "auto", "strict", storage_options=s3, ranges=[places[1], (places[9][0], 10**6)]))
        assert rows[0] == whole[1] and rows[-1]["kind"] == "bad" and "cut off" in rows[-1]["error"]
    (missing,) = mojika_spark.rows_of("s3://crawl/none.warc.gz", "auto", "strict", storage_options=s3)
    assert missing["kind"] == "bad" and "FileNotFoundError" in missing["error"]


def test_an_archive_that_cannot_be_read_is_a_bad_row_however_late_that_is_noted(monkeypatch):
    class Late(mojika_spark._Feeder):
        def __setattr__(self, name, value):
            if name == "error" and value is not None:
                time.sleep(0.5)
            super().__setattr__(name, value)

    @contextlib.contextmanager
    def opened(path, storage_options):
        raise OSError("the store is gone")
        yield

    monkeypatch.setattr(mojika_spark, "_Feeder", Late)
    monkeypatch.setattr(mojika_spark, "COMMAND", ["sh", "-c", "cat"])
    monkeypatch.setattr(mojika_files, "opened", opened)
    (row,) = mojika_spark.rows_of("s3://crawl/a.warc.gz", "auto", "strict")
    assert row["kind"] == "bad" and row["error"] == "OSError: the store is gone"


def test_folders_and_patterns_of_urls_are_found_with_sizes(s3, tmp_path):
    files = fsspec.filesystem("s3", **s3["s3"])
    for name in ("texts/a.txt", "texts/in/b.txt"):
        files.pipe_file(f"crawl/{name}", b"x" * len(name))
    expected = [Piece("s3://crawl/texts/a.txt", 11), Piece("s3://crawl/texts/in/b.txt", 14)]
    assert mojika_pieces.find(["s3://crawl/texts/"], s3) == mojika_pieces.find(["s3://crawl/texts"], s3) == expected
    assert mojika_pieces.find(["s3://crawl/texts/*.txt"], s3) == expected[:1]
    assert mojika_pieces.find(["s3://crawl/none.txt", str(tmp_path / "none")], s3) == [
        Piece(str(tmp_path / "none"), 0), Piece("s3://crawl/none.txt", 0),
    ]
    rows = list(mojika_spark.rows_of(expected[0].path, "auto", "strict", storage_options=s3))
    assert rows[0]["text"] == b"x" * 11


SCHEMA = "名前 string, 値 long, 日 date"


def batches(path, encoding="cp932", errors="strict", schema=SCHEMA, **options):
    """The good rows and the bad ones."""
    found = mojika_csv.csv_batches(str(path), encoding, errors, mojika_csv.arrow_schema(schema), **options)
    rows = [row for batch in found for row in batch.to_pylist()]
    return [row for row in rows if row["kind"] == "row"], [row for row in rows if row["kind"] == "bad"]


def test_rows_of_csv_have_types_and_bad_rows_stand_aside(tmp_path):
    path = tmp_path / "a.csv"
    text = '名前,値,日\n文字,1,2026-11-26\n"引用,\n二行",,\n少ない,2\n誤り,二,2026-01-01\n両方,x,昨日\n多,1,2026-01-01,余\n末,-5,2026-02-28\n'
    path.write_bytes(text.encode("cp932"))
    good, bad = batches(path)
    assert [(row["名前"], row["値"], row["日"] and row["日"].isoformat()) for row in good] == [
        ("文字", 1, "2026-11-26"), ("引用,\n二行", None, None), ("末", -5, "2026-02-28"),
    ]
    assert all(row["_path"] == str(path) for row in good + bad)
    found = {row["_row"]: (row["_error"], row["_raw"]) for row in bad}
    assert found == {
        4: ("2 fields, not 3", "少ない,2"), 5: ("column 値: '二' is not of the type int64", "誤り,二,2026-01-01"),
        6: ("column 値: 'x' is not of the type int64", "両方,x,昨日"), 7: ("4 fields, not 3", "多,1,2026-01-01,余"),
    }
    assert [row["_row"] for row in good] == [2, 3, 8]
    path.write_bytes("文字\t1\t\n".encode("utf-16"))
    good, bad = batches(path, "auto", delimiter="\t", header=False)
    assert ([row["値"] for row in good], bad) == ([1], [])


def test_long_csv_counts_its_rows_over_blocks(tmp_path):
    path = tmp_path / "a.csv"
    lines = ["名前,値,日"] + [f"文字{n},{n if n % 1000 else 'x'},2026-01-01{',' if n % 777 == 5 else ''}" for n in range(60_000)]
    path.write_bytes("\n".join(lines).encode("cp932"))
    good, bad = batches(path)
    assert len(good) + len(bad) == 60_000
    for row in good:
        assert row["_row"] == row["値"] + 2
    for row in bad:
        assert lines[row["_row"] - 1] == row["_raw"]


def test_a_csv_that_cannot_be_read_is_one_bad_row(tmp_path):
    path = tmp_path / "a.csv"
    rows = {
        b"\x96\xbc\x91O,\x92l,\x93\xfa\n\xff\xff,1,\n": "DecodeError",
        "名前,値\n文字,1\n".encode("cp932"): "its columns are 名前, 値",
        b"": "Empty CSV",
    }
    for data, error in rows.items():
        path.write_bytes(data)
        good, (bad,) = batches(path)
        assert good == [] and error in bad["_error"], bad
    good, (bad,) = batches(tmp_path / "none.csv")
    assert "FileNotFoundError" in bad["_error"]
    for wrong in ("名前", "名前 varchar"):
        with pytest.raises(ValueError, match="column"):
            mojika_csv.arrow_schema(wrong)


def table(*rows):
    return pa.RecordBatch.from_pylist([{"kind": kind, "text": text} for kind, text in rows])


def test_files_of_tasks_appear_when_they_are_complete(s3, tmp_path):
    for output, options in ((str(tmp_path / "out"), None), ("s3://crawl/out", s3), ("memory://out", None)):
        files, folder = mojika_files.filesystem(output, options)

        def names():
            files.invalidate_cache()
            return sorted(path.rpartition("/out/")[2] for path in files.find(folder)) if files.exists(folder) else []

        def dies():
            yield table(("text", "half" * 1000))
            raise RuntimeError("the task dies")

        for _ in range(2):
            with pytest.raises(RuntimeError):
                mojika_files.write_files(dies(), output, "kind", "part-00000.parquet", options)
            assert names() == []
        for text in ("one", "two"):
            written = mojika_files.write_files([table(("text", text), ("bad", "x")), table(("text", "b"))], output, "kind", "p.parquet", options)
            assert sorted(map(tuple, (row.values() for row in written))) == [("kind=bad/p.parquet", "bad", 1), ("kind=text/p.parquet", "text", 2)]
            assert names() == ["kind=bad/p.parquet", "kind=text/p.parquet"]
        with files.open(f"{folder}/kind=text/p.parquet") as file:
            assert pa.parquet.read_table(file).to_pydict() == {"text": ["two", "b"]}


def test_a_task_that_is_killed_leaves_no_file_that_a_reader_takes(tmp_path):
    script = """
import os, signal, sys
import mojika_files, pyarrow as pa
def dies():
    yield pa.RecordBatch.from_pylist([{"kind": "text", "text": "x"}])
    os.kill(os.getpid(), signal.SIGKILL)
mojika_files.write_files(dies(), sys.argv[1], "kind", "p.parquet")
"""
    folder = os.path.dirname(mojika_files.__file__)
    environment = os.environ | {"PYTHONPATH": folder}
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environment, cwd=tmp_path)
    assert done.returncode == -signal.SIGKILL
    left = [name for _, _, names in os.walk(tmp_path) for name in names]
    assert all(name.startswith(".") and name.endswith(".tmp") for name in left), left


@pytest.mark.parametrize("encoding", ["cp932", "gb18030", "big5", "euc-kr", "koi8-r", "utf-8", "utf-16le", "utf-16be", "extended:utf-32be"])
def test_lines_are_divided_wherever_the_encoding_has_them(tmp_path, encoding):
    import mojika

    word = "мир" if encoding == "koi8-r" else "文字\u010a" if encoding.startswith(("utf", "ext")) else "文字"
    text = "".join(f"{word * (number % 7)} {number}\n" for number in range(400)) + "end"
    data = mojika.encode(text, encoding)
    path = tmp_path / "file"
    path.write_bytes(data)
    for task in (50, 51, 97, 1000, 5000):
        found = mojika_pieces.lines([Piece(str(path), len(data))], encoding, task)
        assert len(found) == max(1, len(data) // task) or len(found) > 1
        rows = [row for piece in found for row in mojika_spark.rows_of(str(path), encoding, "strict", ranges=piece.ranges)]
        assert all(row["kind"] == "text" for row in rows)
        assert b"".join(row["text"] for row in rows).decode() == text, task
        assert all(row["text"].endswith(b"\n") or row["text"] == b"" for row in rows[:-1] if row["offset"] + row["length"] < len(data))


@pytest.mark.parametrize("mark, real", [(b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"), (b"\xef\xbb\xbf", "utf-8")])
def test_a_mark_decides_for_all_ranges(tmp_path, mark, real):
    text = "".join(f"文字{number}\n" for number in range(200))
    data = mark + text.encode(real)
    path = tmp_path / "file"
    path.write_bytes(data)
    for encoding in ("utf-16le", "cp932"):
        found = mojika_pieces.lines([Piece(str(path), len(data))], encoding, 97)
        rows = [row for piece in found for row in mojika_spark.rows_of(str(path), encoding, "strict", ranges=piece.ranges)]
        assert b"".join(row["text"] for row in rows).decode() == text and len(found) > 10


def test_text_is_divided_only_where_lines_can_be_found(tmp_path):
    file = Piece("file.txt", 10_000)
    for encoding in ("auto", "iso-2022-jp", "utf-7", "ibm930", "ibm037", "extended:iso-2022-kr"):
        assert mojika_pieces.lines([file], encoding, 100) == [file], encoding
    for name in ("file.txt.gz", "file.warc", "small.txt"):
        whole = Piece(name, 150 if name == "small.txt" else 10_000)
        assert mojika_pieces.lines([whole], "cp932", 100) == [whole]


def test_a_bad_byte_of_a_range_has_its_place_in_the_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes("文字\n".encode("cp932") * 100 + b"a\xff\n" + "文字\n".encode("cp932") * 100)
    rows = [row for start in (0, 250, 500, 750) for row in mojika_spark.rows_of(str(path), "cp932", "strict", ranges=[(start, 250)])]
    (bad,) = [row for row in rows if row["kind"] == "bad"]
    assert "byte offset 501" in bad["error"] and bad["offset"] == 500
    assert sum(row["text"].count(b"\n") for row in rows if row["kind"] == "text") < 201


def test_a_column_of_the_csv_cannot_have_the_name_of_the_output(tmp_path):
    with pytest.raises(ValueError, match="column kind"):
        mojika_spark.run_of([], csv={"schema": "kind string, value long"})
