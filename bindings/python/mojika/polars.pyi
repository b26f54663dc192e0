import os
from collections.abc import Sequence
from typing import Union

import polars

class Columns:
    def __init__(self, series: polars.Series) -> None: ...
    def decode(self, label: Union[str, polars.Series], errors: str = "strict") -> polars.Series: ...
    def encode(self, label: Union[str, polars.Series], errors: str = "strict") -> polars.Series: ...
    def detect(self) -> polars.Series: ...

class Expressions:
    def __init__(self, expression: polars.Expr) -> None: ...
    def decode(self, label: Union[str, polars.Expr], errors: str = "strict") -> polars.Expr: ...
    def encode(self, label: Union[str, polars.Expr], errors: str = "strict") -> polars.Expr: ...
    def detect(self) -> polars.Expr: ...

def scan_csv(
    source: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]],
    encoding: str = "auto",
    errors: str = "strict",
    *,
    confidence: float = 0.9,
    compression: str | None = "infer",
    include_file_paths: str | None = None,
    **options: object,
) -> polars.LazyFrame: ...

__all__ = ["Columns", "Expressions", "scan_csv"]
