"""The exceptions. Each is one of Python's as well, with the same attributes."""


def _place(error):
    return "" if error.line is None else f" (line {error.line}, column {error.column})"


def _word(errors):
    """The argument ``errors`` of a call that takes no function."""
    if not isinstance(errors, str):
        raise TypeError("errors must be a word here; decode, to_utf8, encode, open and Utf8FileSystem take a function, too")
    return errors


class DecodeError(UnicodeDecodeError):
    """Bytes are malformed in their encoding.

    ``object[start:end]`` is the malformed sequence, as in any ``UnicodeDecodeError``. ``offset`` says where it starts, in
    bytes from the start of the input, also where ``object`` is a part of it. ``line`` and ``column`` count from 1, or are
    None where what precedes is not known. ``row`` is the row in a column of Arrow.
    """

    offset = None
    line = None
    column = None
    row = None

    def __str__(self):
        if self.encoding == "replacement":
            return (
                "the label names an encoding that browsers do not decode; after 'extended:', iso-2022-kr, iso-2022-cn and "
                "hz-gb-2312 are decoded"
            )
        offset = self.start if self.offset is None else self.offset
        length = self.end - self.start
        row = "" if self.row is None else f" of row {self.row}"
        bytes_ = "byte" if length == 1 else "bytes"
        return f"not {self.encoding}: malformed sequence of {length} {bytes_} at byte offset {offset}{_place(self)}{row}"


class EncodeError(UnicodeEncodeError):
    """A character has no bytes in the encoding.

    ``start`` counts characters, as in any ``UnicodeEncodeError``. ``line`` and ``column`` count from 1. In a file that is
    written, ``object`` is the character, and ``offset`` says where it is, in bytes of UTF-8. ``row`` is the row in a column
    of Arrow.
    """

    offset = None
    line = None
    column = None
    row = None

    def __str__(self):
        character = ord(self.object[self.start])
        row = "" if self.row is None else f" of row {self.row}"
        at = f"offset {self.start}" if self.offset is None else f"byte offset {self.offset}"
        return f"U+{character:04X} at {at}{_place(self)}{row} is unmappable in {self.encoding}"


class DoubtError(ValueError):
    """An encoding was to be found out, and no answer is sure enough.

    ``candidates`` has names and probabilities, the best first; ``encoding`` is what would have been decoded, ``declared``
    what is declared, or None. ``no_text`` says what the bytes are if they are no text, or is None. ``reason`` says where
    the encoding changes, or is None.
    """

    def __init__(self, encoding, declared, candidates, no_text=None, reason=None):
        self.encoding, self.declared, self.candidates, self.no_text = encoding, declared, candidates, no_text
        self.reason = reason
        if no_text:
            super().__init__(f"no text: {no_text}; name the encoding, or use confidence=0, to decode it all the same")
            return
        if reason:
            super().__init__(f"doubtful: {reason}; name the encoding, or ask for less with confidence=")
            return
        said = f"declared {declared}, in which it is malformed; by its bytes " if declared else ""
        guesses = ", ".join(f"{name} ({probability:.2f})" for name, probability in candidates[:3]) or "nothing fits"
        super().__init__(f"doubtful: {said}{guesses}; name the encoding, or ask for less with confidence=")

    def __reduce__(self):
        return type(self), (self.encoding, self.declared, self.candidates, self.no_text, self.reason)


class XmlError(ValueError):
    """An XML document contradicts itself about its encoding."""


class EditError(ValueError):
    """An edit of a file is refused: its text is not there as it should be, the file has changed, or the new text cannot be
    written in its encoding. The file is as it was."""
