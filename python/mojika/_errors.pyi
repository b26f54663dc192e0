class DecodeError(UnicodeDecodeError):
    offset: int | None
    row: int | None

class EncodeError(UnicodeEncodeError):
    row: int | None

class XmlError(ValueError): ...
