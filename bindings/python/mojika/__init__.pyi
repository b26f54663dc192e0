import io
import os
from collections.abc import Callable, Sequence
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
from mojika._native import Mojibake as Mojibake
from mojika._native import Utf8Reader as Utf8Reader
from mojika._native import __version__ as __version__
from mojika._native import decode as decode
from mojika._native import decode_html as decode_html
from mojika._native import decode_xml as decode_xml
from mojika._native import detect as detect
from mojika._native import encode as encode
from mojika._native import encodings as encodings
from mojika._native import find_mojibake as find_mojibake
from mojika._native import lookup as lookup
from mojika._native import repair as repair
from mojika._native import resolve as resolve
from mojika._native import to_utf8 as to_utf8
from mojika.arrow import Table

# A path, a file descriptor, or a file of bytes.
_File = Union[str, int, os.PathLike[str], IO[bytes], Any]
_Bom = Literal["sniff", "remove", "keep"]
_Compression = Literal["infer", "gzip", "gz", "zstd", "zst", "bz2", "bzip2", "xz"]
_OnMalformedCall = Callable[[DecodeError], Union[str, tuple[str, int]]]
_OnMalformed = Union[str, _OnMalformedCall]
_OnUnmappable = Union[str, Callable[[EncodeError], Union[str, bytes, tuple[Union[str, bytes], int]]]]
_Word = Literal["strict", "fatal", "replace", "replacement", "ignore", "backslashreplace"]

class Utf8Writer(io.BufferedIOBase, BinaryIO):  # type: ignore[misc, unused-ignore]
    @property
    def name(self) -> Any: ...
    def __init__(
        self,
        file: _File,
        encoding: str,
        errors: _OnUnmappable = "strict",
        *,
        bom: Literal["strip", "add"] | None = None,
        exclusive: bool = False,
        commits: bool = False,
        appends: bool = False,
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
    errors: _OnMalformed = "strict",
    *,
    bom: _Bom = "sniff",
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> Utf8Reader: ...
@overload
def open(
    file: _File,
    mode: Literal["r", "rt"],
    encoding: str = "auto",
    errors: _OnMalformed = "strict",
    *,
    bom: _Bom = "sniff",
    newline: str | None = None,
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> io.TextIOWrapper: ...
@overload
def open(
    file: _File,
    mode: Literal["wb", "xb", "ab"],
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    bom: Literal["strip", "add"] | None = None,
) -> Utf8Writer: ...
@overload
def open(
    file: _File,
    mode: Literal["w", "wt", "x", "xt", "a", "at"],
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    bom: Literal["strip", "add"] | None = None,
    newline: str | None = None,
) -> io.TextIOWrapper: ...

# The encoding first. A third text is a word for errors here, as an encoding would follow a mode.
@overload
def open(
    file: _File,
    encoding: str = "auto",
    errors: _Word | _OnMalformedCall = "strict",
    mode: Literal["rb"] = "rb",
    *,
    bom: _Bom = "sniff",
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> Utf8Reader: ...
@overload
def open(
    file: _File,
    encoding: str = "auto",
    errors: _OnMalformed = "strict",
    *,
    mode: Literal["r", "rt"],
    bom: _Bom = "sniff",
    newline: str | None = None,
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> io.TextIOWrapper: ...
@overload
def open(
    file: _File,
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    mode: Literal["wb", "xb", "ab"],
    bom: Literal["strip", "add"] | None = None,
) -> Utf8Writer: ...
@overload
def open(
    file: _File,
    encoding: str,
    errors: _OnUnmappable = "strict",
    *,
    mode: Literal["w", "wt", "x", "xt", "a", "at"],
    bom: Literal["strip", "add"] | None = None,
    newline: str | None = None,
) -> io.TextIOWrapper: ...

# A mode that is not known before. With a function for errors, the type would be Any for every mode.
@overload
def open(
    file: _File,
    mode: str,
    encoding: str = "auto",
    errors: str = "strict",
    *,
    bom: Literal["sniff", "remove", "keep", "strip", "add"] | None = ...,
    newline: str | None = None,
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> Utf8Reader | Utf8Writer | io.TextIOWrapper: ...
@overload
def open(
    file: _File,
    encoding: str = "auto",
    errors: str = "strict",
    *,
    mode: str,
    bom: Literal["sniff", "remove", "keep", "strip", "add"] | None = ...,
    newline: str | None = None,
    confidence: float = 0.9,
    compression: _Compression | None = "infer",
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> Utf8Reader | Utf8Writer | io.TextIOWrapper: ...
def malformed_sequences(
    data: Buffer,
    encoding: str = "auto",
    *,
    bom: _Bom = "sniff",
    confidence: float = 0.9,
    allowed: Sequence[str] | None = None,
    locale: str | None = None,
) -> Table: ...
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
