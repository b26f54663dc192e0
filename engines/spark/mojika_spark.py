#!/usr/bin/env python3
"""Converts files of any encoding to Parquet on Apache Spark: paths are distributed, files read and decoded in the tasks.

    spark-submit mojika_spark.py --output OUT FILE-OR-FOLDER...

The result is one Parquet table in two parts: OUT/kind=text has the text, OUT/kind=bad the files that could not be
converted, with the reason. A file is in one of them alone. It is written by one job, which Spark commits at its end: a task
that is killed runs again, and a job that is started again writes the same. Documents in WARC files say for themselves which
encoding they are in; `--from` is for files of text.

The wheel mojika has to be installed on every worker. Importing this module gives `convert`, for a session of one's own, and
`register`, for the SQL function mojika_decode(binary, label).
"""

import argparse
import functools
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

SCHEMA = (
    "kind string, path string, part long, record_id string, url string, encoding string, source string, had_errors boolean, "
    "error string, text string"
)
COLUMNS = [column.split()[0] for column in SCHEMA.split(", ")]
# Bytes of UTF-8 in a row. Rows end with lines, unless a line is longer.
PART = 8 << 20
# Files of at most this many bytes of UTF-8 are held in memory until they are known to be good; longer ones are decoded twice.
HELD = 32 << 20
# Bytes of UTF-8 in a batch that goes from Python to Spark.
BATCH = 32 << 20


def rows_of_file(path, encoding, errors, confidence=0.9):
    """The rows of one file of text, which is in them as bytes of UTF-8."""
    import mojika

    with mojika.open(_opened(path), encoding, errors, confidence=confidence) as file:
        source = file
        if errors == "strict":
            # All of it is decoded before any of it is given on: a bad file leaves no rows of text.
            whole = file.read(HELD + 1)
            if len(whole) <= HELD:
                source = io.BytesIO(whole)
            else:
                del whole
                file.seek(0, 2)
                file.seek(0)
        part, rest = 0, b""
        is_last = False
        while not is_last:
            piece = source.read(PART)
            # Fewer bytes come at the end alone.
            is_last = len(piece) < PART
            text = rest + piece
            end = len(text) if is_last else _end(text)
            text, rest = text[:end], text[end:]
            if text or part == 0:
                yield {
                    "kind": "text", "path": path, "part": part, "encoding": file.source_encoding, "source": file.source,
                    "had_errors": file.had_errors, "text": text,
                }
            part += 1


def _end(text):
    """Where a row may end: behind the last line, or else between two characters."""
    end = text.rfind(b"\n") + 1
    if end:
        return end
    end = len(text)
    while end > 1 and text[end - 1] & 0xC0 == 0x80:
        end -= 1
    return end - 1 if text[end - 1] >= 0x80 else end


def rows_of_warc(path, errors, confidence=0.9):
    """The rows of the documents in a WARC file, as `mojika warc` decides them: each says for itself what it is in."""
    is_remote = "://" in path
    command = [sys.executable, "-m", "mojika", "warc", "--confidence", str(confidence), "-" if is_remote else path]
    with tempfile.TemporaryFile() as said:
        source = subprocess.PIPE if is_remote else subprocess.DEVNULL
        with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=said) as process:
            if is_remote:
                threading.Thread(target=_feed, args=(path, process.stdin), daemon=True).start()
            for line in process.stdout:
                yield _row_of_document(path, json.loads(line), errors)
        if process.returncode:
            said.seek(0)
            message = said.read().decode("utf-8", "replace")
            # What is damaged, if the archive could be read; the documents that are whole have been given on.
            yield {"kind": "bad", "path": path, "error": message[max(0, message.find("damaged:")) :].strip()}


def _feed(path, pipe):
    """Copies a file to the standard input of a process, which may end before."""
    try:
        with _opened(path) as file, pipe:
            shutil.copyfileobj(file, pipe, 1 << 20)
    except BrokenPipeError:
        pass


def _row_of_document(path, document, errors):
    row = {"path": path, "record_id": document["record_id"], "url": document["url"], "encoding": document["encoding"]}
    row |= {"source": document["source"], "had_errors": document["replaced"] > 0}
    if errors == "strict" and document["replaced"]:
        error = f"not {document['encoding']}: malformed sequence at byte offset {document['first_error']} of the body"
        error += f" (line {document['first_error_line']}, column {document['first_error_column']})"
        return row | {"kind": "bad", "error": error}
    if document["doubtful"]:
        # As of a file of text: somebody has to choose.
        return row | {"kind": "bad", "error": f"doubtful: {document['encoding']} ({document['source']})"}
    # A body that is not complete is given as far as it goes, with what is missing.
    return row | {"kind": "text", "part": 0, "error": document["damage"], "text": document["text"].encode()}


def _opened(path):
    if "://" in path:
        import fsspec

        return fsspec.open(path, "rb").open()
    return open(path, "rb")


def is_warc(path):
    return path.lower().endswith((".warc", ".warc.gz", ".warc.zst"))


def rows_of(path, encoding, errors, confidence=0.9):
    """The rows of one file; its row of the side table if it cannot be read or decoded."""
    try:
        yield from (
            rows_of_warc(path, errors, confidence) if is_warc(path) else rows_of_file(path, encoding, errors, confidence)
        )
    except (OSError, ValueError, LookupError) as error:
        yield {"kind": "bad", "path": path, "error": f"{type(error).__name__}: {error}"}


def task(encoding, errors, rows=rows_of):
    """The function for `mapInArrow`: batches of paths to batches of rows."""

    def run(batches):
        import pyarrow as pa

        types = {"string": pa.string(), "long": pa.int64(), "boolean": pa.bool_()}
        schema = pa.schema([(name, types[kind]) for name, kind in (column.split() for column in SCHEMA.split(", "))])
        pending, size = [], 0
        for batch in batches:
            for path in batch.column(0).to_pylist():
                for row in rows(path, encoding, errors):
                    pending.append(row)
                    size += len(row.get("text") or "")
                    if size >= BATCH or len(pending) >= 10_000:
                        yield pa.RecordBatch.from_pylist(pending, schema=schema)
                        pending, size = [], 0
        if pending:
            yield pa.RecordBatch.from_pylist(pending, schema=schema)

    return run


def find(inputs):
    """The files in the inputs: URLs and files as they are, folders with all that is in them, in order."""
    for path in inputs:
        if "://" not in path and os.path.isdir(path):
            for folder, folders, files in os.walk(path):
                folders.sort()
                for name in sorted(files):
                    yield os.path.join(folder, name)
        else:
            yield path


def frame_of(spark, inputs, encoding="auto", errors="strict", partitions=None, rows=None, confidence=0.9):
    """The rows of files and folders, as a data frame; the files are read when it is."""
    if encoding != "auto":
        import mojika

        # A wrong name is an error now and not in every task.
        mojika.lookup(encoding)
    rows = rows or functools.partial(rows_of, confidence=confidence)
    paths = list(find(inputs))
    if partitions is None:
        partitions = max(1, min(len(paths), spark.sparkContext.defaultParallelism * 4))
    # One path a slice element, dealt out so that neighbours, which are alike in size, go to different tasks.
    dealt = [[path] for start in range(partitions) for path in paths[start::partitions]]
    frame = spark.createDataFrame(spark.sparkContext.parallelize(dealt, partitions), "path string")
    return frame.mapInArrow(task(encoding, errors, rows), SCHEMA)


def convert(spark, inputs, output, encoding="auto", errors="strict", partitions=None, rows=None, confidence=0.9):
    """Converts files and folders to the table at `output`, which is replaced."""
    frame = frame_of(spark, inputs, encoding, errors, partitions, rows, confidence)
    frame.write.mode("overwrite").partitionBy("kind").parquet(output)


def register(spark, name="mojika_decode", errors="strict"):
    """Makes the SQL function mojika_decode(binary, label). With errors="null", what cannot be decoded is null."""
    import pyarrow as pa
    from pyspark.sql.functions import arrow_udf

    def decode(data: pa.Array, label: pa.Array) -> pa.Array:
        import mojika.arrow

        # Columns of the literal NULL have a type of their own.
        data = data.cast(pa.binary()) if pa.types.is_null(data.type) else data
        label = label.cast(pa.string()) if pa.types.is_null(label.type) else label
        return mojika.arrow.decode(data, label, errors).to_pyarrow()

    decode.__annotations__ = {"data": pa.Array, "label": pa.Array, "return": pa.Array}
    return spark.udf.register(name, arrow_udf(decode, "string"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("inputs", nargs="+", metavar="FILE-OR-FOLDER", help="text files, WARC files, folders of these, URLs")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="folder or URL of the table; it is replaced")
    parser.add_argument("--from", dest="encoding", default="auto", metavar="LABEL", help="the encoding of text files; auto finds it out")
    parser.add_argument(
        "--errors", choices=["fatal", "replace"], default="fatal",
        help="fatal: a file with malformed bytes goes to the side table; replace: they become U+FFFD",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.9, metavar="P",
        help="the probability with which a text must be right if its encoding is found out; others go to the side table",
    )
    parser.add_argument("--partitions", type=int, metavar="N", help="number of tasks; four for each core if left out")
    args = parser.parse_args()

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("mojika").getOrCreate()
    errors = "strict" if args.errors == "fatal" else args.errors
    try:
        convert(
            spark, args.inputs, args.output, args.encoding, errors, args.partitions, confidence=args.confidence
        )
        counts = dict(
            spark.read.parquet(args.output).groupBy("kind").agg({"path": "count"}).toPandas().itertuples(index=False)
        )
    finally:
        spark.stop()
    bad = counts.get("bad", 0)
    print(f"mojika: {counts.get('text', 0)} rows of text, {bad} bad: {args.output}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
