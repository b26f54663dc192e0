"""The exceptions. Each is one of Python's as well, with the same attributes."""


class DecodeError(UnicodeDecodeError):
    """Bytes are malformed in their encoding.

    ``object[start:end]`` is the malformed sequence, as in any ``UnicodeDecodeError``. ``offset`` says where it starts, in
    bytes from the start of the input, also where ``object`` is a part of it. ``row`` is the row in a column of Arrow.
    """

    offset = None
    row = None

    def __str__(self):
        offset = self.start if self.offset is None else self.offset
        length = self.end - self.start
        row = "" if self.row is None else f" of row {self.row}"
        bytes_ = "byte" if length == 1 else "bytes"
        return f"not {self.encoding}: malformed sequence of {length} {bytes_} at byte offset {offset}{row}"


class EncodeError(UnicodeEncodeError):
    """A character has no bytes in the encoding.

    ``start`` counts characters, as in any ``UnicodeEncodeError``. ``row`` is the row in a column of Arrow.
    """

    row = None

    def __str__(self):
        character = ord(self.object[self.start])
        row = "" if self.row is None else f" of row {self.row}"
        return f"U+{character:04X} at offset {self.start}{row} is unmappable in {self.encoding}"


class XmlError(ValueError):
    """An XML document contradicts itself about its encoding."""
