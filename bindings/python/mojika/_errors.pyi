class DecodeError(UnicodeDecodeError):
    offset: int | None
    line: int | None
    column: int | None
    row: int | None

class EncodeError(UnicodeEncodeError):
    offset: int | None
    line: int | None
    column: int | None
    row: int | None

class DoubtError(ValueError):
    encoding: str
    declared: str | None
    candidates: list[tuple[str, float]]
    no_text: str | None
    def __init__(
        self, encoding: str, declared: str | None, candidates: list[tuple[str, float]], no_text: str | None = None
    ) -> None: ...

class XmlError(ValueError): ...
class EditError(ValueError): ...
