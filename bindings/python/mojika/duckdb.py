"""DuckDB: SQL functions for columns of bytes, and files in any encoding as ``mojika://PATH``.

>>> import duckdb, mojika.duckdb
>>> connection = mojika.duckdb.register(duckdb.connect())
>>> connection.sql("select mojika_decode('\\\\x95\\\\xB6'::blob, 'cp932')").fetchall()
[('文',)]
"""

import mojika.arrow
from mojika.fsspec import Utf8FileSystem

__all__ = ["register"]


def register(connection, encoding="auto", errors="strict", *, confidence=0.9, compression="infer"):
    """Makes the functions and the filesystem known to a connection, which it returns.

    ``mojika_decode(blob, label)`` gives text, ``mojika_encode(text, label)`` a blob, ``mojika_detect(blob)`` the name of an
    encoding. ``mojika_try_decode`` and ``mojika_try_encode`` give null where the others raise an error.

    ``read_csv('mojika://file.csv')`` and ``copy … to 'mojika://file.csv'`` read and write ``encoding``; the other arguments are
    those of ``mojika.open``. For files named ``.gz`` and ``.zst``, which DuckDB decompresses itself, give ``read_csv`` the argument
    ``compression='none'``: the text is decompressed already.
    """
    files = Utf8FileSystem(encoding=encoding, errors=errors, confidence=confidence, compression=compression)
    if "mojika" in connection.list_filesystems():
        connection.unregister_filesystem("mojika")
    connection.register_filesystem(files)

    def decode(how):
        return lambda data, label: _whole(mojika.arrow.decode(_whole(data), _whole(label), how))

    def encode(how):
        return lambda text, label: _whole(mojika.arrow.encode(_whole(text), _whole(label), how))

    def detect(data):
        return _whole(mojika.arrow.detect(_whole(data))).field("encoding")

    functions = {
        "mojika_decode": (decode("strict"), ["BLOB", "VARCHAR"], "VARCHAR"),
        "mojika_try_decode": (decode("null"), ["BLOB", "VARCHAR"], "VARCHAR"),
        "mojika_encode": (encode("strict"), ["VARCHAR", "VARCHAR"], "BLOB"),
        "mojika_try_encode": (encode("null"), ["VARCHAR", "VARCHAR"], "BLOB"),
        "mojika_detect": (detect, ["BLOB"], "VARCHAR"),
    }
    for name, (function, parameters, result) in functions.items():
        try:
            connection.remove_function(name)
        except Exception:  # noqa: BLE001 - DuckDB's exceptions are not the same in all versions.
            pass
        connection.create_function(name, function, parameters, result, type="arrow", null_handling="special")
    return connection


def _whole(column):
    """One array: of a column, or of DuckDB's chunks."""
    import pyarrow

    array = column.to_pyarrow() if isinstance(column, mojika.arrow.Column) else column
    return array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array
