"""The SQL functions in DataFusion's Python module, which is another library than ours."""

import pathlib
import re

import mojika_datafusion
import pyarrow as pa
import pytest
from datafusion import SessionContext


@pytest.fixture
def context():
    context = SessionContext()
    mojika_datafusion.register(context)
    return context


def values(context, sql):
    return context.sql(sql).to_arrow_table().column(0).to_pylist()


@pytest.mark.parametrize("bytes_type", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary())])
def test_columns(context, bytes_type):
    raw = pa.array([b"\x95\xb6", None, b"\xe9", b"x"], pa.binary()).cast(bytes_type)
    labels = pa.array(["shift_jis", "big5", "latin1", "wordperfect"])
    context.register_record_batches("t", [pa.table({"raw": raw, "label": labels}).to_batches()])
    assert values(context, "select try_decode_text(raw, label) from t") == ["文", None, "é", None]
    assert values(context, "select decode_text(raw, 'windows-1252') from t where label = 'latin1'") == ["é"]
    with pytest.raises(Exception, match="unknown encoding in row 3: wordperfect"):
        values(context, "select decode_text(raw, label) from t")
    assert values(context, "select encode_text(decode_text(raw, 'koi8-r'), 'koi8-r') from t")[2] == b"\xe9"


def test_literals(context):
    assert values(context, "select decode_text(x'ff', 'euc-kr', 'replace')") == ["\ufffd"]
    assert values(context, "select detect_encoding(x'efbbbf61')") == ["UTF-8"]
    assert values(context, "select encode_text('→', 'koi8-r', 'html')") == [b"&#8594;"]
    with pytest.raises(Exception, match="malformed sequence"):
        values(context, "select decode_text(x'ff', 'euc-kr')")
    with pytest.raises(Exception, match="2 to 3 arguments"):
        values(context, "select decode_text(x'ff')")


def test_csv(context, tmp_path):
    for number in range(3):
        rows = "".join(f"文字{row}能,{row}\n" for row in range(10_000))
        (tmp_path / f"{number}.csv").write_bytes(("名前,値\n" + rows).encode("cp932"))
    table = f"read_csv_text('{tmp_path}', 'shift_jis')"
    assert values(context, f'select count(*) from {table}') == [30_000]
    assert values(context, f'select distinct "名前" from {table} where "値" = 7') == ["文字7能"]
    assert values(context, f"select count(*) from read_csv_text('{tmp_path}')") == [30_000]
    (tmp_path / "1.csv").write_bytes("名前,値\n".encode("cp932") + b"\xff,1\n")
    with pytest.raises(Exception, match="1.csv"):
        values(context, f"select * from {table}")
    with pytest.raises(Exception, match="none.csv"):
        values(context, "select * from read_csv_text('none.csv', 'big5')")


def test_the_guide(context, tmp_path, monkeypatch):
    """The statements of docs/ENGINES.md, with a table and files as they name them."""
    guide = pathlib.Path(__file__).parents[4] / "docs" / "ENGINES.md"
    (block,) = re.findall(r"^```sql\n(.*?)^```", guide.read_text("utf-8"), re.M | re.S)
    (tmp_path / "folder").mkdir()
    for number in range(2):
        (tmp_path / "folder" / f"{number}.csv").write_bytes("名前,値\n文字化け,1\nソース,2\n".encode("cp932"))
    monkeypatch.chdir(tmp_path)
    pages = pa.table({"raw": [b"\x95\xb6", b"\xff"], "label": ["shift_jis", "big5"]})
    context.register_record_batches("pages", [pages.to_batches()])
    first, second = (statement for statement in block.split(";") if statement.strip())
    assert values(context, first) == ["文", None]
    assert values(context, second) == ["文字化け", "文字化け"]
