"""What the stubs promise to a type checker. `mypy --strict` reads this file; nothing runs it."""

import io
from typing import Any, Literal, Union

import polars
from typing_extensions import assert_type

import mojika
import mojika.arrow
import mojika.polars

assert_type(mojika.open("file"), mojika.Utf8Reader)
assert_type(mojika.open("file", mode="rb"), mojika.Utf8Reader)
assert_type(mojika.open("file", "shift_jis", "replace", "rb"), mojika.Utf8Reader)
assert_type(mojika.open("file", "rb", "shift_jis", "replace"), mojika.Utf8Reader)
assert_type(mojika.open("file", "shift_jis", mode="r", newline=""), io.TextIOWrapper)
assert_type(mojika.open("file", "r", "shift_jis"), io.TextIOWrapper)
assert_type(mojika.open(io.BytesIO(b""), "shift_jis").read(10), bytes)
assert_type(mojika.open("file", "w", "cp932", errors="replace"), io.TextIOWrapper)
assert_type(mojika.open("file", "wb", "cp932", errors=lambda error: error.object), mojika.Utf8Writer)
assert_type(mojika.open("file", "cp932", mode="xb").errors, mojika.arrow.Table)
assert_type(mojika.open("file", "a", "cp932"), io.TextIOWrapper)
assert_type(mojika.decode(b"", "big5"), str)
assert_type(mojika.decode(b"", "big5", lambda error: error.reason, allowed=["big5"]), str)
assert_type(mojika.encode("", "big5", lambda error: "?"), bytes)
assert_type([row["offset"] for row in mojika.malformed_sequences(b"")], list[Any])


def of_any_mode(mode: str, known: Literal["r", "w"]) -> None:
    either = Union[mojika.Utf8Reader, mojika.Utf8Writer, io.TextIOWrapper]
    assert_type(mojika.open("file", mode, "cp932"), either)
    assert_type(mojika.open("file", mode, encoding="cp932"), either)
    assert_type(mojika.open("file", "cp932", mode=mode), either)
    assert_type(mojika.open("file", known, "cp932"), io.TextIOWrapper)


assert_type(mojika.decode(bytearray(), "big5", "replace", bom="keep"), str)
assert_type(mojika.to_utf8(memoryview(b"")), bytes)
assert_type(mojika.encode("", "big5"), bytes)
assert_type(mojika.detect(b"").encoding, str | None)
assert_type(mojika.resolve("latin1"), tuple[str, str])
assert_type(mojika.decode_html(b"", content_type="text/html").errors, list[tuple[int, int]])
assert_type(mojika.IncrementalDecoder("big5").getstate(), tuple[bytes, int])
assert_type(mojika.IncrementalEncoder("big5").encode("", True), bytes)
assert_type(mojika.arrow.decode([], "big5"), mojika.arrow.Column)
assert_type(mojika.arrow.decode([], "big5", "null", errors_out=True), tuple[mojika.arrow.Column, mojika.arrow.Table])
try:
    mojika.decode(b"\xff", "big5")
except mojika.DecodeError as error:
    assert_type(error.offset, int | None)
    assert_type(error.line, int | None)
    assert_type(error.row, int | None)
except mojika.XmlError:
    pass
# A reader is a file of bytes to those who want one.
assert_type(polars.read_csv(mojika.open("file")), polars.DataFrame)
assert_type(polars.scan_csv(mojika.open("file", "cp932")), polars.LazyFrame)
assert_type(mojika.polars.scan_csv(["a", "b"], "cp932"), polars.LazyFrame)
polars.DataFrame().write_csv(mojika.open("file", "wb", "cp932"))
