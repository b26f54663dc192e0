r"""Codecs for every encoding of the WHATWG Encoding Standard, and for others by name.

>>> import mojika
>>> mojika.decode(b"\x95\xb6\x8e\x9a\x89\xbb", "shift_jis")
'文字化'
>>> mojika.encode("文字化", "shift_jis")
b'\x95\xb6\x8e\x9a\x89\xbb'

``open`` reads and writes UTF-8 in front of a file in any encoding; ``edit`` changes text in a file and keeps all other
bytes; ``mojika.arrow`` works on whole columns, ``mojika.fsspec`` on files that other libraries open, and
``register_codecs`` makes codecs of Python.
"""

import io as _io
import os as _os

from mojika._codecs import register_codecs
from mojika._errors import DecodeError, DoubtError, EditError, EncodeError, XmlError, _word
from mojika._native import (
    Detection,
    Document,
    EditedFile,
    IncrementalDecoder,
    IncrementalEncoder,
    Mojibake,
    Utf8Reader,
    __version__,
    decode,
    decode_html,
    decode_xml,
    detect,
    encode,
    encodings,
    find_mojibake,
    lookup,
    repair,
    resolve,
    to_utf8,
)
from mojika._writing import Utf8Writer, _TextWriter

# A file for isinstance, but no BufferedIOBase: pandas would put a text layer on that.
_io.IOBase.register(Utf8Reader)

__all__ = [
    "DecodeError",
    "Detection",
    "Document",
    "DoubtError",
    "EditError",
    "EditedFile",
    "EncodeError",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "Mojibake",
    "Utf8Reader",
    "Utf8Writer",
    "XmlError",
    "__version__",
    "decode",
    "decode_html",
    "decode_xml",
    "detect",
    "edit",
    "encode",
    "encodings",
    "find_mojibake",
    "lookup",
    "malformed_sequences",
    "open",
    "register_codecs",
    "repair",
    "resolve",
    "to_utf8",
]


def edit(
    path,
    encoding="auto",
    errors="strict",
    *,
    keep_line_ends=False,
    keep_times=False,
    confidence=0.9,
    max_size=64 << 20,
):
    r"""Changes text in a file, and keeps every other byte: the result has the text, and what changes it.

    >>> import mojika, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "colours.c")
    >>> path.write_bytes(b"// \xfa\x54 \x82\"\r\ncolour = \"\x90\xc2\"\r\n")
    25
    >>> file = mojika.edit(path, "shift_jis")
    >>> file.text
    '// ￢ �"\r\ncolour = "青"\r\n'
    >>> file.replace("青", "赤")
    1
    >>> path.read_bytes()
    b'// \xfaT \x82"\r\ncolour = "\x90\xd4"\r\n'

    ``replace(old, new, all=False)`` replaces a text that the file has exactly once, or with ``all`` wherever it is. It reads
    the file piece by piece, however long that is. ``patch(diff)`` applies a unified diff, and ``write(text)`` gives the file a
    whole new text, if the file has not changed since ``text`` was read (or has the fingerprint ``expect``). Each returns how
    many places it has changed. The file is replaced in one step; where an edit is refused, with ``EditError``, it is as it
    was. ``encoding``, ``line_ends`` and ``fingerprint`` say what the file is now.

    "auto" finds the encoding as ``open`` does, or raises ``DoubtError``. ``errors`` is for inserted characters that the
    encoding lacks: "strict", "replace" ("?"), "html" (a numeric character reference) or "ignore". Inserted line ends become
    those of the file, unless ``keep_line_ends`` is set. ``max_size`` is the length in bytes of the longest file that is read
    whole: by ``text``, ``patch`` and ``write``, and by ``replace`` in encodings with states, such as ISO-2022-JP.
    """
    if encoding == "auto":
        with Utf8Reader(path, confidence=confidence, compression=None) as reader:
            encoding = reader.source_encoding
    return EditedFile(
        path, encoding, _word(errors), keep_line_ends=keep_line_ends, keep_times=keep_times, max_size=max_size
    )


def malformed_sequences(data, encoding="auto", *, bom="sniff", confidence=0.9, allowed=None, locale=None):
    r"""All malformed sequences of bytes, as a ``mojika.arrow.Table``, up to the first million.

    >>> [(row["offset"], row["bytes"]) for row in malformed_sequences(b"a\xffb\xfe", "shift_jis")]
    [(1, b'\xff'), (3, b'\xfe')]
    """
    options = {"bom": bom, "confidence": confidence, "allowed": allowed, "locale": locale}
    with Utf8Reader(_io.BytesIO(data), encoding, "replace", compression=None, **options) as reader:
        while reader.read(1 << 20):
            pass
        return reader.errors


_READING = ("rb", "r", "rt")
_WRITING = ("wb", "w", "wt", "xb", "x", "xt", "ab", "a", "at")


def open(file, *args, **options):
    r"""Opens a file in any encoding: to read it as UTF-8, or to write UTF-8 to it.

    ``open(file, encoding="auto", errors="strict", mode="rb", *, bom, newline, confidence, compression, allowed, locale)``, or
    with the mode first, as Python's own: ``open(file, mode, encoding, errors)``.

    ``file`` is a path, a file descriptor, or a file object that is open for bytes; the last two are closed with the result. With mode "rb" the result
    reads bytes of UTF-8, without Python's lock; with mode "r" it is an ``io.TextIOWrapper`` around that. Places are those
    in the UTF-8 text; the result can be sought if the file can.

    ``encoding`` is a label of the Standard, another name that ``lookup`` knows, or "auto": a byte order mark, an XML
    declaration or detection decides then, and ``DoubtError`` says that the text is not right with the probability
    ``confidence``; 0 takes the best guess. ``allowed`` lists the only encodings to detect, and ``locale`` is a hint such as
    "ja". ``errors`` is "strict", "replace", "ignore", the name of a handler of ``codecs``, or a function: it is called with a
    ``DecodeError`` and returns what is read instead. ``result.errors`` is a table of all malformed sequences so far. ``compression`` is "infer": gzip, zstd, bzip2 and xz are recognised by their first bytes.
    None refuses them.

    >>> import io, mojika
    >>> mojika.open(io.BytesIO(b"a\xff\xfe"), "koi8-r", mode="r").read()
    'aЪЧ'

    With mode "wb" the result is a ``Utf8Writer``, which takes bytes of UTF-8; "w" puts a text layer on top, "x" is for
    a file that must not exist, and "a" adds to the end of one. A path's file appears when the result is closed, and stays as it was after an exception.
    ``errors`` is "strict", "replace" ("?"), "html" (a numeric character reference), "ignore", the name of a handler of
    ``codecs``, or a function: it is called with an ``EncodeError`` for a character, and returns what is written for it.
    ``result.errors`` is a table of all characters that the encoding lacks; of a text layer it is ``result.buffer.errors``.
    ``bom="add"`` begins with a byte order mark, as do the names "utf-8-sig", "utf-16" and "utf-32"; ``bom="strip"`` does not.

    >>> file = io.BytesIO()
    >>> writer = mojika.open(file, "wb", "shift_jis", errors="replace")
    >>> writer.write("文字€\n".encode())
    10
    >>> writer.flush()
    >>> file.getvalue()
    b'\x95\xb6\x8e\x9a?\n'
    >>> [(row["character"], row["column"], row["name"]) for row in writer.errors.to_pylist()]
    [('€', 3, 'EURO SIGN')]
    """
    names = ["encoding", "errors", "mode"]
    if args and _is_mode(args[0]):
        names = ["mode", "encoding", "errors"]
    if len(args) > len(names):
        raise TypeError(f"open() takes at most {1 + len(names)} positional arguments ({1 + len(args)} given)")
    for name, value in zip(names, args):
        if name in options:
            raise TypeError(f"open() got multiple values for argument {name!r}")
        options[name] = value
    # As for Python's own, None is what is taken if nothing is given, and a path may be bytes.
    for name in ("encoding", "errors"):
        if name in options and options[name] is None:
            del options[name]
    if isinstance(file, bytes):
        file = _os.fsdecode(file)
    given = options.pop("mode", "rb")
    # "br" is "rb".
    mode = next((mode for mode in _READING + _WRITING if _is_mode(given) and set(mode) == set(given)), None)
    if mode is not None and isinstance(file, int):
        file = _io.FileIO(file, mode[0])
    if mode in _READING:
        return _open_to_read(file, mode, **options)
    if mode in _WRITING:
        return _open_to_write(file, mode, **options)
    raise ValueError(f"mode must be one of {', '.join(_READING + _WRITING)}, not {given!r}")


def _is_mode(text):
    """Whether a text can only be a mode of Python's ``open``, of which some are not offered: no encoding is named so."""
    return isinstance(text, str) and text != "" and len(set(text)) == len(text) and set(text) <= set("rwxabtU+")


def _open_to_read(
    file, mode, encoding="auto", errors="strict", *, bom="sniff", newline=None, **options
):
    if mode == "rb" and newline is not None:
        raise ValueError("newline is for mode 'r'")
    reader = Utf8Reader(file, encoding, errors, bom=bom, **options)
    if mode == "rb":
        return reader
    return _io.TextIOWrapper(reader, encoding="utf-8", errors="strict", newline=newline)


def _open_to_write(file, mode, encoding="auto", errors="strict", *, bom=None, newline=None):
    if mode[-1] == "b" and newline is not None:
        raise ValueError("newline is for mode 'w'")
    writer = Utf8Writer(file, encoding, errors, bom=bom, exclusive=mode[0] == "x", appends=mode[0] == "a")
    if mode[-1] == "b":
        return writer
    # Surrogates that no UTF-8 has are an error of the text layer.
    return _TextWriter(writer, encoding="utf-8", errors="strict", newline=newline)
