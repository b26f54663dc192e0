#!/usr/bin/env python3
"""Converts files of any encoding to Parquet on Apache Spark: paths are distributed, files read and decoded in the tasks.

    spark-submit mojika_spark.py --output OUT FILE-OR-FOLDER...

The result is one Parquet table in two parts: OUT/kind=text has the text, OUT/kind=bad the files that could not be
converted, with the reason. A file is in one of them alone. It is written by one job, which Spark commits at its end: a task
that is killed runs again, and a job that is started again writes the same. Documents in WARC files say for themselves which
encoding they are in; `--from` is for files of text.

With `--as csv`, files of text are tables: OUT/kind=row has their rows with the columns of `--schema`, OUT/kind=bad the rows and the
files that do not fit. Tasks read any URL of fsspec; they write one, too, with `--writer tasks`.

The wheel mojika has to be installed on every worker. The modules mojika_csv, mojika_files and mojika_pieces stand in the same folder. Importing this module gives `convert`, for a session of one's own, and
`register`, for the SQL function mojika_decode(binary, label).
"""

import argparse
import bisect
import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

import mojika_csv
import mojika_files
import mojika_pieces

SCHEMA = (
    "kind string, path string, part long, record_id string, url string, offset long, length long, encoding string, source string, "
    "had_errors boolean, error string, text string"
)
# The command of the wheel.
COMMAND = [sys.executable, "-m", "mojika"]
# Bytes of UTF-8 in a row. Rows end with lines, unless a line is longer. Spark's writer looks at its memory after 100 rows, so that
# those of 8 MiB need more than the 1 GiB that it has by default.
PART = 1 << 20
# Bytes of UTF-8 in a batch that goes from Python to Spark.
BATCH = 4 << 20
# Bytes of Parquet that the writer holds before it writes them.
BLOCK = 32 << 20


def rows_of_file(path, encoding, errors, confidence=0.9, storage_options=None, ranges=None):
    """The rows of one file of text, which is in them as bytes of UTF-8; of the lines that begin in a range, if there is one."""
    import mojika

    with mojika_files.opened(path, storage_options) as raw:
        if ranges is None:
            yield from _rows_of_text(path, raw, encoding, errors, confidence=confidence)
            return
        ((offset, length),) = ranges
        # A byte order mark decides for all ranges of the file.
        found = mojika.detect(raw.read(4), context="text")
        encoding = found.encoding if found.bom_length else encoding
        unit = mojika_pieces.unit_of(encoding)
        lines = mojika_files.Lines(raw, offset, length, unit)
        options = {"bom": "sniff" if offset == 0 else "keep", "compression": None}
        try:
            for row in _rows_of_text(path, lines, encoding, errors, **options):
                yield row | {"offset": lines.start, "length": lines.end - lines.start}
        except mojika.DecodeError as error:
            message = str(error).replace(f"offset {error.offset}", f"offset {lines.start + error.offset}").partition(" (line")[0]
            yield {"kind": "bad", "path": path, "offset": lines.start, "length": lines.end - lines.start, "error": f"DecodeError: {message}"}


def _rows_of_text(path, raw, encoding, errors, **options):
    import mojika

    with mojika.open(raw, encoding, errors, **options) as file:
        source = mojika_files.checked(file, errors)
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
    """Where a row may end: after the last line, or else between two characters."""
    end = text.rfind(b"\n") + 1
    if end:
        return end
    end = len(text)
    while end > 1 and text[end - 1] & 0xC0 == 0x80:
        end -= 1
    return end - 1 if text[end - 1] >= 0x80 else end


def rows_of_warc(path, errors, confidence=0.9, storage_options=None, ranges=None):
    """The rows of the documents in a WARC file, as `mojika warc` decides them: each says for itself what it is in.

    `ranges` are the records to read, pairs of offset and length.
    """
    is_fed = ranges is not None or "://" in path
    command = [*COMMAND, "warc", "--confidence", str(confidence), "-" if is_fed else path]
    feeder = _Feeder(path, ranges, storage_options)
    with tempfile.TemporaryFile() as said:
        source = subprocess.PIPE if is_fed else subprocess.DEVNULL
        with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=said) as process:
            if is_fed:
                feeder.start(process.stdin)
            for line in process.stdout:
                row = _row_of_document(path, json.loads(line), errors)
                yield row | {"offset": feeder.place(row["offset"])}
            # Its error may come after the end of what it has fed.
            feeder.join()
        if feeder.error is not None:
            # What came before has been given on, and the file is bad.
            yield _bad(path, feeder.error)
        elif process.returncode:
            said.seek(0)
            message = said.read().decode("utf-8", "replace")
            # What is damaged, if the archive could be read; the documents that are whole have been given on.
            yield {"kind": "bad", "path": path, "error": message[max(0, message.find("damaged:")) :].strip()}


class _Feeder:
    """Copies a file, or ranges of it, to the standard input of a process, which may end before."""

    def __init__(self, path, ranges, storage_options):
        self.path, self.ranges, self.storage_options = path, ranges, storage_options
        self.error = self.thread = None
        self.starts = list(itertools.accumulate((length for _, length in ranges or ()), initial=0))

    def start(self, pipe):
        self.thread = threading.Thread(target=self._run, args=(pipe,), daemon=True)
        self.thread.start()

    def join(self):
        """Waits until nothing more is copied."""
        if self.thread is not None:
            self.thread.join()

    def _run(self, pipe):
        try:
            with pipe, mojika_files.opened(self.path, self.storage_options) as file:
                if self.ranges is None:
                    shutil.copyfileobj(file, pipe, 1 << 20)
                for offset, length in self.ranges or ():
                    file.seek(offset)
                    left = length
                    while left and (data := file.read(min(left, 1 << 20))):
                        pipe.write(data)
                        left -= len(data)
                    if left:
                        raise EOFError(f"the record at byte offset {offset} is cut off: {left} of {length} bytes are missing")
        except BrokenPipeError:
            pass
        except Exception as error:  # Whatever a filesystem raises is said in the row of the file.
            self.error = error

    def place(self, offset):
        """Where in the file an offset of what was copied is."""
        if self.ranges is None or offset is None:
            return offset
        at = bisect.bisect_right(self.starts, offset) - 1
        return self.ranges[at][0] + offset - self.starts[at]


def _row_of_document(path, document, errors):
    row = {"path": path, "record_id": document["record_id"], "url": document["url"], "encoding": document["encoding"]}
    row |= {"source": document["source"], "had_errors": document["replaced"] > 0}
    row |= {"offset": document["offset"], "length": document["length"]}
    if errors == "strict" and document["replaced"]:
        error = f"not {document['encoding']}: malformed sequence at byte offset {document['first_error']} of the body"
        error += f" (line {document['first_error_line']}, column {document['first_error_column']})"
        return row | {"kind": "bad", "error": error}
    if document["doubtful"]:
        # As of a file of text: somebody has to choose.
        return row | {"kind": "bad", "error": f"doubtful: {document['encoding']} ({document['source']})"}
    # A body that is not complete is given as far as it goes, with what is missing.
    return row | {"kind": "text", "part": 0, "error": document["damage"], "text": document["text"].encode()}


def _bad(path, error):
    return {"kind": "bad", "path": path, "error": f"{type(error).__name__}: {error}"}


def rows_of(path, encoding, errors, confidence=0.9, storage_options=None, ranges=None):
    """The rows of one file; its row of the side table if it cannot be read or decoded."""
    try:
        if mojika_files.is_warc(path):
            yield from rows_of_warc(path, errors, confidence, storage_options, ranges)
        else:
            yield from rows_of_file(path, encoding, errors, confidence, storage_options, ranges)
    except (OSError, EOFError, ValueError, LookupError) as error:
        yield _bad(path, error)


def _pieces_of(batches):
    """The path and the ranges of each row."""
    for batch in batches:
        for piece in batch.to_pylist():
            yield piece["path"], piece["ranges"] and [tuple(pair) for pair in json.loads(piece["ranges"])]


def task(encoding, errors, rows=rows_of):
    """The function for `mapInArrow`: batches of pieces to batches of rows."""

    def run(batches):
        import pyarrow as pa

        schema = mojika_csv.arrow_schema(SCHEMA)
        pending, size = [], 0
        for path, ranges in _pieces_of(batches):
            for row in rows(path, encoding, errors, **({"ranges": ranges} if ranges else {})):
                pending.append(row)
                size += len(row.get("text") or "")
                if size >= BATCH or len(pending) >= 10_000:
                    yield pa.RecordBatch.from_pylist(pending, schema=schema)
                    pending, size = [], 0
        if pending:
            yield pa.RecordBatch.from_pylist(pending, schema=schema)

    return run


def csv_task(encoding, errors, ddl, **options):
    """The same for rows of CSV, with the columns of this DDL."""

    def run(batches):
        for path, _ in _pieces_of(batches):
            yield from mojika_csv.csv_batches(path, encoding, errors, mojika_csv.arrow_schema(ddl), **options)

    return run


def write_task(run, output, kind, storage_options=None):
    """The function for `mapInArrow` that writes what `run` yields: a Parquet file for each kind of rows below `output`, a URL of fsspec
    or a folder. It yields the names of the files, and how many rows they have.

    Their names are those of the task, so that a task that runs again writes the same files. Each appears when it is complete.
    """

    def write(batches):
        import pyarrow as pa
        from pyspark import TaskContext

        number = TaskContext.get().partitionId()
        rows = mojika_files.write_files(run(batches), output, kind, f"part-{number:05}.parquet", storage_options)
        yield pa.RecordBatch.from_pylist(rows, schema=mojika_csv.arrow_schema("name string, kind string, rows long"))

    return write


# Applications whose workers have the modules.
_shared = set()


def share(spark):
    """Gives the modules to the workers, once."""
    if spark.sparkContext.applicationId in _shared:
        return
    _shared.add(spark.sparkContext.applicationId)
    for module in (mojika_csv, mojika_files, mojika_pieces):
        spark.sparkContext.addPyFile(module.__file__)
    if __name__ != "__main__":
        spark.sparkContext.addPyFile(__file__)


def tasks_of(spark, inputs, partitions=None, cdx=None, storage_options=None, encoding="auto"):
    """A data frame of the pieces of files and folders, packed into partitions by bytes. An encoding divides files of text, if its
    lines can be found from anywhere."""
    share(spark)
    found = mojika_pieces.lines(mojika_pieces.find(inputs, storage_options), encoding)
    if cdx is not None:
        found = mojika_pieces.pieces(found, cdx, mojika_pieces.TASK)
    if partitions is None:
        # As many as there are cores, if the files are few and small.
        least = min(len(found), spark.sparkContext.defaultParallelism)
        total = sum(piece.size + mojika_pieces.FILE for piece in found)
        partitions = max(least, -(-total // mojika_pieces.TASK), 1)
    packed = mojika_pieces.pack(found, tasks=partitions)

    def row(piece):
        return piece.path, piece.ranges and json.dumps(piece.ranges)

    # One list of pieces is one partition.
    slices = spark.sparkContext.parallelize([[row(piece) for piece in pieces] for pieces in packed], max(1, len(packed)))
    return spark.createDataFrame(slices.flatMap(lambda pieces: pieces), "path string, ranges string")


def run_of(inputs, encoding="auto", errors="strict", rows=None, confidence=0.9, storage_options=None, csv=None):
    """The function of the tasks, and the DDL of what they yield. `csv` has the options of `csv_batches` and the DDL as `schema`."""
    if encoding != "auto":
        import mojika

        # A wrong name is an error now and not in every task.
        mojika.lookup(encoding)
    if csv is None:
        rows = rows or functools.partial(rows_of, confidence=confidence, storage_options=storage_options)
        return task(encoding, errors, rows), SCHEMA
    options = dict(csv)
    ddl = mojika_csv.quoted(options.pop("schema"))
    mojika_csv.check_columns(ddl)
    run = csv_task(encoding, errors, ddl, confidence=confidence, storage_options=storage_options, **options)
    return run, f"{mojika_csv.CSV_SCHEMA}, {ddl}"


def frame_of(spark, inputs, encoding="auto", errors="strict", partitions=None, rows=None, confidence=0.9, cdx=None, storage_options=None,
             csv=None):
    """The rows of files and folders, as a data frame; the files are read when it is."""
    run, ddl = run_of(inputs, encoding, errors, rows, confidence, storage_options, csv)
    return tasks_of(spark, inputs, partitions, cdx, storage_options, "auto" if csv else encoding).mapInArrow(run, ddl)


def convert(spark, inputs, output, encoding="auto", errors="strict", partitions=None, rows=None, confidence=0.9, cdx=None,
            storage_options=None, csv=None, writer="spark"):
    """Converts files and folders to the table at `output`, which is replaced. With `writer="tasks"`, the tasks write it by fsspec."""
    kind = "kind"
    if writer == "spark":
        frame = frame_of(spark, inputs, encoding, errors, partitions, rows, confidence, cdx, storage_options, csv)
        frame.write.mode("overwrite").option("parquet.block.size", BLOCK).partitionBy(kind).parquet(output)
        return {row[kind]: row["count"] for row in spark.read.parquet(output).groupBy(kind).count().collect()}
    run, _ = run_of(inputs, encoding, errors, rows, confidence, storage_options, csv)
    tasks = tasks_of(spark, inputs, partitions, cdx, storage_options, "auto" if csv else encoding)
    files, folder = mojika_files.filesystem(output, storage_options)
    done = f"{folder.rstrip('/')}/_SUCCESS"
    if files.exists(done):
        files.rm_file(done)
    write = write_task(run, output, kind, storage_options)
    written = tasks.mapInArrow(write, "name string, kind string, rows long").collect()
    # What an earlier job has left.
    names = {row["name"] for row in written}
    for path in files.find(folder):
        if path[len(folder.rstrip("/")) + 1 :] not in names:
            files.rm_file(path)
    files.pipe_file(done, b"")
    counts = {}
    for row in written:
        counts[row["kind"]] = counts.get(row["kind"], 0) + row["rows"]
    return counts


def bad_of(spark, output, most=20):
    """Lines about the first bad files or rows of a table: path, and reason."""
    frame = spark.read.parquet(output).where("kind = 'bad'")
    path, error = ("path", "error") if "path" in frame.columns else ("_path", "_error")
    return [f"{row[path]}: {row[error]}" for row in frame.select(path, error).sort(path).limit(most).collect()]


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
    parser.add_argument("--as", dest="form", choices=["text", "csv"], default="text", help="csv: rows with the columns of --schema")
    parser.add_argument("--schema", metavar="DDL", help='the columns of the CSV, such as "name string, value long"')
    parser.add_argument("--delimiter", default=",", metavar="C", help="what stands between the fields of the CSV; a comma if left out")
    parser.add_argument("--no-header", action="store_true", help="the CSV has no line with the names of its columns")
    parser.add_argument("--cdx", metavar="FILE", help="CDX lines of the archives: large ones are divided among tasks at these records")
    parser.add_argument("--storage-options", type=json.loads, metavar="JSON", help='of fsspec, for each protocol: {"s3": {"anon": true}}')
    parser.add_argument(
        "--writer", choices=["spark", "tasks"], default="spark",
        help="tasks: the tasks write OUT by fsspec, as for a URL that Spark has no file system for",
    )
    parser.add_argument("--partitions", type=int, metavar="N", help="number of tasks; one for 100 MB if left out")
    args = parser.parse_args()
    if (args.form == "csv") != (args.schema is not None):
        parser.error("--as csv needs --schema, and --schema needs --as csv")
    csv = args.schema and {"schema": args.schema, "delimiter": args.delimiter, "header": not args.no_header}
    cdx = None
    if args.cdx:
        with open(args.cdx, encoding="utf-8") as lines:
            cdx = mojika_pieces.read_cdx(lines)

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("mojika").getOrCreate()
    errors = "strict" if args.errors == "fatal" else args.errors
    try:
        counts = convert(
            spark, args.inputs, args.output, args.encoding, errors, args.partitions, confidence=args.confidence, cdx=cdx,
            storage_options=args.storage_options, csv=csv, writer=args.writer,
        )
        failed = bad_of(spark, args.output) if counts.get("bad") and args.writer == "spark" else []
    finally:
        spark.stop()
    bad = counts.pop("bad", 0)
    for row in failed[:20]:
        print(f"mojika: bad: {row}", file=sys.stderr)
    what = "rows" if csv else "rows of text"
    print(f"mojika: {sum(counts.values())} {what}, {bad} bad: {args.output}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
