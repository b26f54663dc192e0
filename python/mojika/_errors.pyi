class DecodeError(UnicodeDecodeError):
    offset: int | None
    row: int | None

class EncodeError(UnicodeEncodeError):
    row: int | None

class DoubtError(ValueError):
    encoding: str
    declared: str | None
    candidates: list[tuple[str, float]]
    def __init__(self, encoding: str, declared: str | None, candidates: list[tuple[str, float]]) -> None: ...

class XmlError(ValueError): ...
