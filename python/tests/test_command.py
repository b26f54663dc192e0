"""`python -m mojika` is the command."""

import subprocess
import sys

import pytest

from mojika.__main__ import command


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "mojika", *arguments], capture_output=True, **options)


@pytest.mark.skipif(command() is None, reason="built without the command")
def test_the_command():
    done = run("convert", "--from", "shift_jis", input="文字".encode("cp932"))
    assert (done.stdout, done.returncode) == ("文字".encode(), 0)
    assert run("--version").stdout.startswith(b"mojika")
    assert run("convert", "--no-such-option").returncode == 2


def test_without_the_command(monkeypatch, capsys):
    import mojika.__main__ as module

    monkeypatch.setattr(module, "command", lambda: None)
    assert module.main() == 2
    assert "cargo install" in capsys.readouterr().err
