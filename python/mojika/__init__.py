r"""Codecs for every encoding of the WHATWG Encoding Standard, and for others by name.

>>> import mojika
>>> mojika.decode(b"\x95\xb6\x8e\x9a\x89\xbb", "shift_jis")
'文字化'
>>> mojika.encode("文字化", "shift_jis")
b'\x95\xb6\x8e\x9a\x89\xbb'

``open`` gives a readable file of UTF-8 over a file in any encoding; ``mojika.arrow`` works on whole columns,
``mojika.fsspec`` on files that other libraries open, and ``register_codecs`` makes codecs of Python.
"""

import io as _io

from mojika._codecs import register_codecs
from mojika._errors import DecodeError, DoubtError, EncodeError, XmlError
from mojika._native import (
    Detection,
    Document,
    IncrementalDecoder,
    IncrementalEncoder,
    Utf8Reader,
    __version__,
    decode,
    decode_html,
    decode_xml,
    detect,
    encode,
    encodings,
    lookup,
    to_utf8,
)

# A file to whoever asks; no BufferedIOBase, on which pandas would put a text layer.
_io.IOBase.register(Utf8Reader)

__all__ = [
    "DecodeError",
    "Detection",
    "Document",
    "DoubtError",
    "EncodeError",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "Utf8Reader",
    "XmlError",
    "__version__",
    "decode",
    "decode_html",
    "decode_xml",
    "detect",
    "encode",
    "encodings",
    "lookup",
    "open",
    "register_codecs",
    "to_utf8",
]


def open(file, encoding="auto", errors="strict", mode="rb", *, bom="sniff", newline=None, confidence=0.9):
    r"""Opens a file in any encoding for reading as UTF-8.

    ``file`` is a path, or a file object that is open for bytes and is closed with the result. With mode "rb" the result
    reads bytes of UTF-8, without Python's lock; with mode "r" it is an ``io.TextIOWrapper`` around that. Places are those
    in the UTF-8 text; the result can be sought if the file can.

    ``encoding`` is a label of the Standard, another name that ``lookup`` knows, or "auto": a byte order mark, an XML
    declaration or detection decides then, and ``DoubtError`` says that the text is not right with the probability
    ``confidence``; 0 takes the best guess. ``errors`` is "strict", "replace" or "ignore".

    >>> import io, mojika
    >>> mojika.open(io.BytesIO(b"a\xff\xfe"), "koi8-r", mode="r").read()
    'aЪЧ'
    """
    if mode not in ("rb", "r", "rt"):
        raise ValueError(f"mode must be 'rb' or 'r', not {mode!r}: mojika.open only reads")
    if mode == "rb" and newline is not None:
        raise ValueError("newline is for mode 'r'")
    reader = Utf8Reader(file, encoding, errors, bom=bom, confidence=confidence)
    if mode == "rb":
        return reader
    return _io.TextIOWrapper(reader, encoding="utf-8", errors="strict", newline=newline)
