import duckdb

def register(
    connection: duckdb.DuckDBPyConnection,
    encoding: str = "auto",
    errors: str = "strict",
    *,
    confidence: float = 0.9,
    compression: str | None = "infer",
) -> duckdb.DuckDBPyConnection: ...

__all__ = ["register"]
