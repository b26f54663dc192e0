import io
import os
from typing import IO, Any, Literal, Union, overload

from mojika._errors import DecodeError as DecodeError
from mojika._errors import DoubtError as DoubtError
from mojika._errors import EncodeError as EncodeError
from mojika._errors import XmlError as XmlError
from mojika._native import Detection as Detection
from mojika._native import Document as Document
from mojika._native import IncrementalDecoder as IncrementalDecoder
from mojika._native import IncrementalEncoder as IncrementalEncoder
from mojika._native import Utf8Reader as Utf8Reader
from mojika._native import __version__ as __version__
from mojika._native import decode as decode
from mojika._native import decode_html as decode_html
from mojika._native import decode_xml as decode_xml
from mojika._native import detect as detect
from mojika._native import encode as encode
from mojika._native import encodings as encodings
from mojika._native import lookup as lookup
from mojika._native import to_utf8 as to_utf8

_File = Union[str, os.PathLike[str], IO[bytes], Any]
_Bom = Literal["sniff", "remove", "keep"]

@overload
def open(
    file: _File,
    encoding: str = "auto",
    errors: str = "strict",
    mode: Literal["rb"] = "rb",
    *,
    bom: _Bom = "sniff",
    confidence: float = 0.9,
) -> Utf8Reader: ...
@overload
def open(
    file: _File,
    encoding: str = "auto",
    errors: str = "strict",
    *,
    mode: Literal["r", "rt"],
    bom: _Bom = "sniff",
    newline: str | None = None,
    confidence: float = 0.9,
) -> io.TextIOWrapper: ...
def register_codecs() -> None: ...

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
