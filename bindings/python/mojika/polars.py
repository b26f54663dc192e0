"""polars: ``pl.col("raw").mojika.decode("cp932")``, and CSV files in any encoding as a lazy frame.

Importing this module makes the namespace ``mojika`` of expressions and series:

>>> import mojika.polars, polars
>>> frame = polars.DataFrame({"raw": [b"\\x95\\xb6", None]})
>>> frame.select(polars.col("raw").mojika.decode("cp932")).to_series().to_list()
['文', None]
>>> frame["raw"].mojika.decode("cp932").mojika.encode("utf-16le").to_list()
[b'\\x87e', None]
"""

import glob as _glob
import os as _os

import polars
from polars.io.plugins import register_io_source as _register_io_source

import mojika
import mojika.arrow

__all__ = ["Columns", "Expressions", "scan_csv"]

_DETECTION = polars.Struct({"encoding": polars.String, "source": polars.String, "certainty": polars.String})


@polars.api.register_series_namespace("mojika")
class Columns:
    """The methods of ``Series.mojika``; those of ``mojika.arrow`` say what the arguments are."""

    def __init__(self, series):
        self._series = series

    def decode(self, label, errors="strict"):
        """Bytes to text. ``label`` is one label, or a series with a label for each row."""
        return _named(mojika.arrow.decode(self._series, label, errors), self._series)

    def encode(self, label, errors="strict"):
        """Text to bytes."""
        return _named(mojika.arrow.encode(self._series, label, errors), self._series)

    def detect(self):
        """The encoding of each row of bytes, as a struct: encoding, source, certainty."""
        return _named(mojika.arrow.detect(self._series), self._series)


def _named(column, series):
    return column.to_polars().alias(series.name)


@polars.api.register_expr_namespace("mojika")
class Expressions:
    """The methods of ``Expr.mojika``. Each is one call for a batch of rows, by ``map_batches``."""

    def __init__(self, expression):
        self._expression = expression

    def decode(self, label, errors="strict"):
        """Bytes to text. ``label`` is one label, or an expression with a label for each row."""
        return self._mapped(label, lambda series, label: series.mojika.decode(label, errors), polars.String)

    def encode(self, label, errors="strict"):
        """Text to bytes."""
        return self._mapped(label, lambda series, label: series.mojika.encode(label, errors), polars.Binary)

    def detect(self):
        """The encoding of each row of bytes, as a struct: encoding, source, certainty."""
        return self._expression.map_batches(
            lambda series: series.mojika.detect(), return_dtype=_DETECTION, is_elementwise=True
        )

    def _mapped(self, label, work, dtype):
        work = _saying(work)
        if isinstance(label, str):
            mojika.lookup(label)
            return self._expression.map_batches(
                lambda series: work(series, label), return_dtype=dtype, is_elementwise=True
            )
        return polars.map_batches(
            [self._expression, label], lambda columns: work(*columns), return_dtype=dtype, is_elementwise=True
        )


def _saying(work):
    """The same with errors that polars can raise again, as it makes them anew of their message."""

    def call(*columns):
        try:
            return work(*columns)
        except UnicodeError as error:
            raise polars.exceptions.ComputeError(str(error)) from error

    return call


def scan_csv(
    source, encoding="auto", errors="strict", *, confidence=0.9, compression="infer", include_file_paths=None, **options
):
    """A lazy frame over CSV files in any encoding: paths, a pattern for ``glob``, URLs of fsspec, or a list of these.

    Files are opened when the frame is collected, one after another, and only as far as a limit asks for. ``options`` are
    those of ``polars.scan_csv``. The columns are those of the first file, unless there is an argument ``schema``.
    """
    files = list(_files(source))
    if not files:
        raise FileNotFoundError(f"no file is {source!r}")
    if encoding != "auto":
        mojika.lookup(encoding)

    def scan(path, **more):
        opened = _opened(path, encoding, errors, confidence, compression)
        frame = polars.scan_csv(opened, **{**options, **more})
        if include_file_paths is not None:
            frame = frame.with_columns(polars.lit(path).alias(include_file_paths))
        return frame

    def schema():
        return scan(files[0]).collect_schema()

    def batches(with_columns, predicate, n_rows, batch_size):
        columns = dict(schema())
        columns.pop(include_file_paths, None)
        for path in files:
            frame = scan(path, schema=columns)
            if predicate is not None:
                frame = frame.filter(predicate)
            if with_columns is not None:
                frame = frame.select(with_columns)
            if n_rows is not None:
                frame = frame.head(n_rows)
            result = frame.collect()
            yield result
            if n_rows is not None:
                n_rows -= result.height
                if n_rows <= 0:
                    return

    return _register_io_source(batches, schema=schema)


def _files(source):
    if isinstance(source, (list, tuple)):
        for one in source:
            yield from _files(one)
        return
    path = _os.fspath(source)
    if "://" not in path and not _os.path.exists(path) and _glob.has_magic(path):
        yield from sorted(_glob.glob(path, recursive=True))
    elif "://" not in path and _os.path.isdir(path):
        yield from sorted(_os.path.join(path, name) for name in _os.listdir(path) if name.lower().endswith(".csv"))
    else:
        yield path


def _opened(path, encoding, errors, confidence, compression):
    if "://" in path:
        import fsspec

        path = fsspec.open(path, "rb").open()
    return mojika.open(path, encoding, errors, confidence=confidence, compression=compression)
