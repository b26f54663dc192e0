"""What the stubs promise to a type checker. `mypy --strict` reads this file; nothing runs it."""

import io

from typing_extensions import assert_type

import mojika

assert_type(mojika.open("file"), mojika.Utf8Reader)
assert_type(mojika.open("file", mode="rb"), mojika.Utf8Reader)
assert_type(mojika.open("file", "shift_jis", mode="r", newline=""), io.TextIOWrapper)
assert_type(mojika.open(io.BytesIO(b""), "shift_jis").read(10), bytes)
assert_type(mojika.decode(b"", "big5"), str)
assert_type(mojika.decode(bytearray(), "big5", "replace", bom="keep"), str)
assert_type(mojika.to_utf8(memoryview(b"")), bytes)
assert_type(mojika.encode("", "big5"), bytes)
assert_type(mojika.detect(b"").encoding, str)
assert_type(mojika.decode_html(b"", content_type="text/html").errors, list[tuple[int, int]])
assert_type(mojika.IncrementalDecoder("big5").getstate(), tuple[bytes, int])
assert_type(mojika.IncrementalEncoder("big5").encode("", True), bytes)
try:
    mojika.decode(b"\xff", "big5")
except mojika.DecodeError as error:
    assert_type(error.offset, int | None)
    assert_type(error.row, int | None)
except mojika.XmlError:
    pass
