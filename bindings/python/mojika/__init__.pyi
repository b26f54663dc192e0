import io
import os
from collections.abc import Callable
from typing import IO, Any, BinaryIO, Literal, Union, overload

from typing_extensions import Buffer, Self

from mojika._errors import DecodeError as DecodeError
from mojika._errors import DoubtError as DoubtError
from mojika._errors import EditError as EditError
from mojika._errors import EncodeError as EncodeError
from mojika._errors import XmlError as XmlError
from mojika._native import Detection as Detection
from mojika._native import Document as Document
from mojika._native import EditedFile as EditedFile
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
from mojika._native import resolve as resolve
from mojika._native import to_utf8 as to_utf8
from mojika.arrow import Table

_File = Union[str, os.PathLike[str], IO[bytes], Any]
_Bom = Literal["sniff", "remove", "keep"]
_Compression = Literal["infer", "gzip", "gz", "zstd", "zst", "bz2", "bzip2", "xz"]
_Handler = Callable[[EncodeError], Union[str, bytes, tuple[Union[str, bytes], int]]]
_OnUnmappable = Union[str, _Handler]

class Utf8Writer(io.BufferedIOBase, BinaryIO):  # type: ignore[misc, unused-ignore]
    @property
    def name(self) -> Any: ...
    def __init__(
        self,
        file: _File,
        encoding: str,
        errors: _OnUnmappable = "strict",
        *,
        bom: Literal["strip", "add"] = "strip",
        exclusive: bool = False,
        commits: bool = False,
    ) -> None: ...
    @property
    def mode(self) -> str: ...
    @property
    def target_encoding(self) -> str: ...
    @property
    def errors(self) -> Table: ...
    @property
    def error_count(self) -> int: ...
    def write(self, data: Union[Buffer, str], /) -> int: ...
    def __enter__(self) -> Self: ...
    def discard(self) -> None: ...
    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None: ...

# The mode first, as Python's own.
@overload
def open(
    file: _File,
    mode: Literal["rb"],
    encoding: str = "auto",
    errors: str = "strict",
    *,
    bom: _Bom = "sniff",
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
) -> Utf8Reader: ...
@overload
def open(
    file: _File,
    mode: Literal["r", "rt"],
    encoding: str = "auto",
    errors: str = "strict",
    *,
    bom: _Bom = "sniff",
    newline: str | None = None,
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
) -> io.TextIOWrapper: ...
@overload
def open(
    file: _File,
    mode: Literal["wb", "xb"],
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    bom: Literal["strip", "add"] = "strip",
) -> Utf8Writer: ...
@overload
def open(
    file: _File,
    mode: Literal["w", "wt", "x", "xt"],
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    bom: Literal["strip", "add"] = "strip",
    newline: str | None = None,
) -> io.TextIOWrapper: ...

# The encoding first.
@overload
def open(
    file: _File,
    encoding: str = "auto",
    errors: str = "strict",
    mode: Literal["rb"] = "rb",
    *,
    bom: _Bom = "sniff",
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
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
    compression: _Compression | None = "infer",
) -> io.TextIOWrapper: ...
@overload
def open(
    file: _File,
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    mode: Literal["wb", "xb"],
    bom: Literal["strip", "add"] = "strip",
) -> Utf8Writer: ...
@overload
def open(
    file: _File,
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    mode: Literal["w", "wt", "x", "xt"],
    bom: Literal["strip", "add"] = "strip",
    newline: str | None = None,
) -> io.TextIOWrapper: ...
def edit(
    path: str | os.PathLike[str],
    encoding: str = "auto",
    errors: Literal["strict", "replace", "html", "ignore"] = "strict",
    *,
    keep_line_ends: bool = False,
    keep_times: bool = False,
    confidence: float = 0.9,
    max_size: int = 67108864,
) -> EditedFile: ...
def register_codecs() -> None: ...

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
    "lookup",
    "open",
    "register_codecs",
    "resolve",
    "to_utf8",
]
