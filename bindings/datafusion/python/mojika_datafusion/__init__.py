"""SQL functions of mojika for DataFusion: decode_text, try_decode_text, encode_text, try_encode_text, detect_encoding, and
the table function read_csv_text.

>>> from datafusion import SessionContext
>>> context = SessionContext()
>>> register(context)
>>> context.sql("select decode_text(x'95b6', 'shift_jis') as text").to_pydict()
{'text': ['文']}
"""

import datafusion

from mojika_datafusion._native import ReadCsvText, functions

__all__ = ["register"]


def register(context):
    """Makes all functions known to a ``datafusion.SessionContext``."""
    for function in functions():
        context.register_udf(datafusion.udf(function))
    context.register_udtf(datafusion.udtf(ReadCsvText(), "read_csv_text"))
