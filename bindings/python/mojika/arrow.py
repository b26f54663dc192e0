"""Whole columns of text and bytes, through Arrow's PyCapsule interface.

Arguments are anything that exports Arrow data: pyarrow, polars, DuckDB, pandas with Arrow columns; where pyarrow is
installed, also series of pandas with objects, lists and tuples. Results export Arrow data again: ``pyarrow.chunked_array(result)``, ``polars.Series(result)``, or ``result.to_pyarrow()`` for the array that
corresponds to the argument.

>>> import pyarrow
>>> column = pyarrow.array([b"\\x95\\xb6", None, b"a\\xff"], pyarrow.binary())
>>> decode(column, "shift_jis", "null").to_pyarrow().to_pylist()
['文', None, None]
"""

from mojika import _native
from mojika._errors import _word

__all__ = ["Column", "Table", "decode", "detect", "encode", "register_functions"]


class _Exporting:
    """Exports Arrow's interface, any number of times."""

    __slots__ = ("_column",)

    def __init__(self, column):
        self._column = column

    def __len__(self):
        return len(self._column)

    def __arrow_c_schema__(self):
        return self._column.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self._column.__arrow_c_stream__(requested_schema)


class Column(_Exporting):
    """A column, as ``decode``, ``encode`` and ``detect`` give it. It exports Arrow's interface any number of times."""

    __slots__ = ()

    def __repr__(self):
        return repr(self._column)

    @property
    def type(self):
        """The name of the type, in the words of arrow-rs."""
        return self._column.type

    @property
    def null_count(self):
        return self._column.null_count

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


class Table(_Exporting):
    """A row for each malformed sequence, or for each character that an encoding lacks.

    It exports Arrow's interface, as a record batch: ``pyarrow.table(table)``, ``polars.DataFrame(table)``.
    """

    __slots__ = ()

    def __repr__(self):
        return f"<Table of {len(self)} rows>"

    def __iter__(self):
        return iter(self.to_pylist())

    def to_pylist(self):
        """The rows as dicts."""
        return self._column.rows()

    def to_pyarrow(self):
        """A ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self):
        """A ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self):
        """A ``pandas.DataFrame``."""
        return self.to_pyarrow().to_pandas()


class _Array:
    """One array of a column."""

    def __init__(self, column):
        self._column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self._column._array(requested_schema)


def _exported(data, kind):
    """``data``, or what it holds that exports Arrow's interface. A column of nothing but nulls is one of this kind of values."""
    if _is_of_nulls(data):
        import pyarrow

        nulls = pyarrow.nulls(len(data), kind)
        return pyarrow.chunked_array([nulls]) if hasattr(data, "chunks") else nulls
    if hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__"):
        return data
    # pandas before 3: a series holds an array, which can give pyarrow's.
    inner = getattr(data, "array", data)
    if hasattr(inner, "__arrow_array__"):
        return inner.__arrow_array__()
    if isinstance(data, (list, tuple)) or type(data).__module__.startswith("pandas."):
        import pyarrow

        return pyarrow.array(data, kind, from_pandas=True)
    raise TypeError(
        f"{type(data).__name__} exports no Arrow data: it has neither __arrow_c_array__ nor __arrow_c_stream__"
    )


def _is_of_nulls(data):
    """Whether this is a column of pyarrow or polars whose type has no values."""
    kind = getattr(data, "type", None) or getattr(data, "dtype", None)
    module = type(data).__module__.partition(".")[0]
    return module in ("pyarrow", "polars") and str(kind).lower() == "null"


def decode(data, label, errors="strict", *, bom="sniff", errors_out=False):
    """Decodes a column of bytes to a column of text.

    ``label`` is one label, or a column with a label for each row. ``errors`` says what becomes of a row with a malformed
    sequence: "strict" raises ``mojika.DecodeError`` with the attribute ``row``; "replace" writes U+FFFD for each malformed
    sequence; "null" makes the row null. A row whose label is null or unknown is null with "null", and else raises
    ``LookupError`` with the attribute ``row``. Nulls stay null.

    The type follows: binary gives string, large_binary large_string, binary_view string_view.

    With ``errors_out=True`` the result is the column and a ``Table`` of all malformed sequences, also of those in rows that
    became null: row, offset in the value, line, column, bytes, encoding.

    >>> import pyarrow
    >>> column, bad = decode(pyarrow.array([b"a\\xffb"]), "shift_jis", "replace", errors_out=True)
    >>> bad.to_pylist()
    [{'row': 0, 'offset': 1, 'line': 1, 'column': 2, 'bytes': b'\\xff', 'encoding': 'Shift_JIS'}]
    """
    if not isinstance(label, str):
        label = _exported(label, "string")
    column, table = _native.arrow_decode(_exported(data, "binary"), label, _word(errors), bom=bom, errors_out=errors_out)
    return (Column(column), table) if errors_out else Column(column)


def encode(data, label, errors="strict", *, errors_out=False):
    """Encodes a column of text to a column of bytes.

    ``label`` is one label, or a column with a label for each row. ``errors`` says what becomes of a character that the
    encoding lacks: "strict" raises ``mojika.EncodeError`` with the attribute ``row``; "replace" writes "?"; "html" writes a
    numeric character reference; "null" makes the row null. Rows with a null or unknown label are treated as by ``decode``.

    With ``errors_out=True`` the result is the column and a ``Table`` of all those characters: row, offset in bytes of UTF-8,
    line, column, character, name, encoding.

    >>> import pyarrow
    >>> column, lost = encode(pyarrow.array(["文€"]), "shift_jis", "replace", errors_out=True)
    >>> column.to_pyarrow().to_pylist(), lost.to_pylist()[0]["name"]
    ([b'\\x95\\xb6?'], 'EURO SIGN')
    """
    if not isinstance(label, str):
        label = _exported(label, "string")
    column, table = _native.arrow_encode(_exported(data, "string"), label, _word(errors), errors_out=errors_out)
    return (Column(column), table) if errors_out else Column(column)


def detect(data):
    """The encoding of each row of a column of bytes, as a column of structs: encoding, source, certainty."""
    return Column(_native.arrow_detect(_exported(data, "binary")))


def register_functions():
    """Makes functions for ``pyarrow.compute.call_function``, and for expressions of datasets and Acero.

    "mojika_decode" takes binary and a label, "mojika_encode" string and a label, "mojika_detect" binary; the names
    "mojika_try_decode" and "mojika_try_encode" give null where the others raise an error. Calling it again changes nothing.

    >>> import pyarrow, pyarrow.compute
    >>> register_functions()
    >>> pyarrow.compute.call_function("mojika_decode", [pyarrow.array([b"\\x95\\xb6"]), "cp932"]).to_pylist()
    ['文']
    """
    import pyarrow
    from pyarrow import compute

    binary, string = pyarrow.binary(), pyarrow.string()

    def array(value, length):
        return pyarrow.repeat(value, length) if isinstance(value, pyarrow.Scalar) else value

    def labelled(work, how):
        def call(context, data, label):
            if isinstance(label, pyarrow.Scalar) and label.is_valid:
                label = label.as_py()
            else:
                label = array(label, context.batch_length)
            return work(array(data, context.batch_length), label, how).to_pyarrow()

        return call

    def found(context, data):
        return detect(array(data, context.batch_length)).to_pyarrow().field("encoding")

    labels = {"data": binary, "label": string}
    texts = {"text": string, "label": string}
    functions = {
        "mojika_decode": (labelled(decode, "strict"), "Bytes to text.", labels, string),
        "mojika_try_decode": (labelled(decode, "null"), "Bytes to text, or null.", labels, string),
        "mojika_encode": (labelled(encode, "strict"), "Text to bytes.", texts, binary),
        "mojika_try_encode": (labelled(encode, "null"), "Text to bytes, or null.", texts, binary),
        "mojika_detect": (found, "The encoding of bytes.", {"data": binary}, string),
    }
    known = set(compute.list_functions())
    for name, (function, summary, parameters, result) in functions.items():
        if name not in known:
            doc = {"summary": summary, "description": "By mojika."}
            compute.register_scalar_function(function, name, doc, parameters, result)
