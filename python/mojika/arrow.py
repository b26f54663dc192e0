"""Whole columns of text and bytes, through Arrow's PyCapsule interface.

Arguments are anything that exports Arrow data: pyarrow, polars, DuckDB, pandas with Arrow columns. Results export it
again: ``pyarrow.chunked_array(result)``, ``polars.Series(result)``, or ``result.to_pyarrow()`` for the array that
corresponds to the argument.

>>> import pyarrow
>>> column = pyarrow.array([b"\\x95\\xb6", None, b"a\\xff"], pyarrow.binary())
>>> decode(column, "shift_jis", "null").to_pyarrow().to_pylist()
['文', None, None]
"""

from mojika import _native

__all__ = ["Column", "decode", "detect", "encode"]


class Column:
    """A column, as ``decode``, ``encode`` and ``detect`` give it. It exports Arrow's interface any number of times."""

    __slots__ = ("_column",)

    def __init__(self, column):
        self._column = column

    def __len__(self):
        return len(self._column)

    def __repr__(self):
        return repr(self._column)

    @property
    def type(self):
        """The name of the type, in the words of arrow-rs."""
        return self._column.type

    @property
    def null_count(self):
        return self._column.null_count

    def __arrow_c_schema__(self):
        return self._column.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self._column.__arrow_c_stream__(requested_schema)

    def to_pyarrow(self):
        """A ``pyarrow.ChunkedArray`` for what came as a stream, a ``pyarrow.Array`` for what came as an array."""
        import pyarrow

        if self._column.is_stream:
            return pyarrow.chunked_array(self)
        return pyarrow.array(_Array(self._column))

    def to_polars(self):
        """A ``polars.Series``."""
        import polars

        return polars.Series(self)

    def to_pandas(self):
        """A ``pandas.Series`` with an Arrow column."""
        import pandas
        import pyarrow

        chunked = pyarrow.chunked_array(self)
        return pandas.Series(pandas.arrays.ArrowExtensionArray(chunked))


class _Array:
    """One array of a column."""

    def __init__(self, column):
        self._column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self._column._array(requested_schema)


def _exported(data):
    """``data``, or what it holds that exports Arrow's interface."""
    if hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__"):
        return data
    # pandas before 3: a series holds an array, which can give pyarrow's.
    inner = getattr(data, "array", data)
    if hasattr(inner, "__arrow_array__"):
        return inner.__arrow_array__()
    raise TypeError(
        f"{type(data).__name__} exports no Arrow data: it has neither __arrow_c_array__ nor __arrow_c_stream__"
    )


def decode(data, label, errors="strict", *, bom="sniff"):
    """Decodes a column of bytes to a column of text.

    ``label`` is one label, or a column with a label for each row. ``errors`` says what becomes of a row with a malformed
    sequence: "strict" raises ``mojika.DecodeError`` with the attribute ``row``; "replace" writes U+FFFD for each malformed
    sequence; "null" makes the row null. A row whose label is null or unknown is null with "null", and else raises
    ``LookupError`` with the attribute ``row``. Nulls stay null.

    The type follows: binary gives string, large_binary large_string, binary_view string_view.
    """
    if not isinstance(label, str):
        label = _exported(label)
    return Column(_native.arrow_decode(_exported(data), label, errors, bom=bom))


def encode(data, label, errors="strict"):
    """Encodes a column of text to a column of bytes.

    ``label`` is one label, or a column with a label for each row. ``errors`` says what becomes of a character that the encoding lacks: "strict" raises ``mojika.EncodeError`` with the
    attribute ``row``; "html" writes a numeric character reference; "null" makes the row null. Rows with a null or unknown
    label are treated as by ``decode``.
    """
    if not isinstance(label, str):
        label = _exported(label)
    return Column(_native.arrow_encode(_exported(data), label, errors))


def detect(data):
    """The encoding of each row of a column of bytes, as a column of structs: encoding, source, confidence."""
    return Column(_native.arrow_detect(_exported(data)))
