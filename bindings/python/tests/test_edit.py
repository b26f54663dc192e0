"""Edits of text in files: ``mojika.edit``."""

import os
import pathlib
import re

import pytest

import mojika

# "￢" in its second form, a malformed lead, and a word.
BYTES = b"// \xfa\x54 \x82\"\r\ncolour = \"\x90\xc2\"\r\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(BYTES)
    return path


def test_a_text_is_replaced_and_other_bytes_stay(path):
    file = mojika.edit(path, "shift_jis")
    assert (file.encoding, file.line_ends, file.name) == ("Shift_JIS", "CRLF", path)
    assert file.text == '// ￢ \ufffd"\r\ncolour = "青"\r\n'
    assert file.replace("青", "赤\n") == 1
    assert path.read_bytes() == BYTES.replace(b"\x90\xc2", b"\x90\xd4\r\n")
    assert file.replace("o", "0", all=True) == 2
    assert file.replace("0", "0", all=True) == 0


def test_what_is_refused_leaves_the_file_as_it_was(path):
    file = mojika.edit(path, "shift_jis")
    for old, new, said in [
        ("o", "0", "2 times, in lines 2 and 2"),
        ("z", "y", "is not in its text"),
        ("青", "é", "U+00E9 'é' at line 2, column 11"),
        ("青", "\ufffd", "U+FFFD at line 2, column 11"),
        ("", "x", "empty"),
    ]:
        with pytest.raises(mojika.EditError, match=said.replace("+", "\\+")):
            file.replace(old, new)
    assert path.read_bytes() == BYTES
    assert mojika.edit(path, "shift_jis", "html").replace("青", "é") == 1
    assert b"&#233;" in path.read_bytes()


def test_the_whole_text_is_written_if_the_file_is_the_same(path):
    file = mojika.edit(path, "shift_jis")
    with pytest.raises(ValueError, match="read the text first"):
        file.write("x")
    text = file.text
    with pytest.raises(mojika.EditError, match="cannot be written"):
        file.write(text.replace("青", "é"))
    # The file is what it was, so another text can be written.
    assert file.write(text.replace("青", "赤")) == 1
    assert path.read_bytes() == BYTES.replace(b"\x90\xc2", b"\x90\xd4")
    text, fingerprint = file.text, file.fingerprint
    path.write_bytes(BYTES)
    with pytest.raises(mojika.EditError, match="has changed"):
        file.write(text)
    with pytest.raises(mojika.EditError, match="has changed"):
        file.write(text, expect=fingerprint)
    assert path.read_bytes() == BYTES


def test_a_diff_is_applied(path):
    diff = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n // ￢ \ufffd"\n-colour = "青"\n+colour = "赤"\n'
    assert mojika.edit(path, "cp932").patch(diff) == 1
    assert path.read_bytes() == BYTES.replace(b"\x90\xc2", b"\x90\xd4")
    with pytest.raises(mojika.EditError, match="does not fit"):
        mojika.edit(path, "cp932").patch(diff)


def test_times_and_line_ends_stay_if_asked(path):
    os.utime(path, (10**9, 10**9))
    file = mojika.edit(path, "shift_jis", "html", keep_times=True, keep_line_ends=True)
    assert file.replace("青", "\né") == 1
    assert path.read_bytes() == BYTES.replace(b"\x90\xc2", b"\n&#233;")
    assert path.stat().st_mtime == 10**9
    assert mojika.edit(path, "shift_jis").replace("#233", "#234") == 1
    assert path.stat().st_mtime > 10**9


def test_the_encoding_is_found_or_doubted(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes("これは日本語の文章です。\n".encode("cp932"))
    assert mojika.edit(path).replace("文章", "文") == 1
    assert path.read_bytes().decode("cp932") == "これは日本語の文です。\n"
    path.write_bytes(b"\xc1\xc2\xc3 \xd1\xd2\n")
    with pytest.raises(mojika.DoubtError):
        mojika.edit(path)
    with pytest.raises(LookupError):
        mojika.edit(path, "no-such")
    with pytest.raises(ValueError, match="errors must be"):
        mojika.edit(path, "koi8-r", "no-such")
    with pytest.raises(TypeError, match="errors must be a word here"):
        mojika.edit(path, "koi8-r", lambda error: "?")
    with pytest.raises(mojika.EditError, match='errors="html", "replace" or "ignore"'):
        mojika.edit(path, "koi8-r").replace("ц", "é")
    with pytest.raises(FileNotFoundError):
        mojika.edit(tmp_path / "missing", "koi8-r").text  # noqa: B018


def test_a_file_longer_than_what_is_read_whole_is_edited(tmp_path):
    path = tmp_path / "long.txt"
    line = "Строка текста\n".encode("cp1251")
    path.write_bytes(line * 1000 + "ёж\n".encode("cp1251") + line * 1000)
    file = mojika.edit(path, "cp1251", max_size=1000)
    with pytest.raises(OSError, match="max-size|max_size"):
        file.text  # noqa: B018
    assert file.replace("ёж", "ужи") == 1
    assert path.read_bytes() == line * 1000 + "ужи\n".encode("cp1251") + line * 1000


def test_the_guide_does_what_it_says(tmp_path, monkeypatch):
    # scripts/check-python.sh runs the tests away from the sources, with the guide beside them.
    here = pathlib.Path(__file__)
    guides = [here.with_name("EDIT.md"), here.parents[3] / "docs/EDIT.md"]
    guide = next(guide for guide in guides if guide.is_file())
    block = re.search(r"```python\n(.*?)```", guide.read_text("utf-8"), re.S).group(1)
    monkeypatch.chdir(tmp_path)
    text = "Уважаемый Иван Иванович!\r\nПисьмо от 5 марта 2025 года получено.\r\n"
    path = pathlib.Path("letter.txt")
    path.write_bytes(text.encode("cp1251"))
    lines = " Дорогой Иван Иванович!\n-Письмо от 5 марта 2025 года получено.\n+Письмо от 6 марта 2025 года получено.\n"
    pathlib.Path("change.diff").write_text(f"--- a\n+++ b\n@@ -1,2 +1,2 @@\n{lines}", "utf-8")
    exec(block, {})
    expected = "Дорогой Иван Иванович!\r\nПисьмо от 6 марта 2026 года получено.\r\n"
    assert path.read_bytes() == expected.encode("cp1251")
