"""`python -m mojika` is the command."""

import os
import signal
import subprocess
import sys
import time

import pytest


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "mojika", *arguments], capture_output=True, timeout=60, **options)


def test_streams():
    done = run("convert", "--from", "shift_jis", input="文字".encode("cp932"))
    assert (done.stdout, done.returncode) == ("文字".encode(), 0)
    done = run("convert", "--from", "shift_jis", input=b"\xff")
    assert done.returncode == 1 and b"malformed" in done.stderr


def test_version_help_and_mistakes():
    done = run("--version")
    assert (done.stdout.split()[0], done.returncode) == (b"mojika", 0)
    assert b"Usage: mojika" in run("--help").stdout
    done = run("convert", "--no-such-option")
    assert done.returncode == 2 and b"--no-such-option" in done.stderr
    assert run("--from", "shift_jis", input="文字".encode("cp932")).stdout == "文字".encode()


def test_output_without_a_line_end_is_flushed():
    assert run("convert", "--from", "utf-8", input=b"abc").stdout == b"abc"
    assert run("encodings").stdout.endswith(b"\n")


def test_files(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    (source / "1.txt").write_bytes("文字".encode("cp932"))
    done = run("convert", "--from", "shift_jis", "--output", str(tmp_path / "out"), str(source))
    assert done.returncode == 0, done.stderr
    (written,) = (tmp_path / "out").rglob("1.txt")
    assert written.read_text("utf-8") == "文字"


def test_the_script_of_pip():
    script = os.path.join(os.path.dirname(sys.executable), "mojika")
    done = subprocess.run([script, "--version"], capture_output=True, timeout=60)
    assert done.stdout.startswith(b"mojika ")


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_an_interrupt_ends_it():
    command = [sys.executable, "-m", "mojika", "convert", "--from", "shift_jis"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    # Long enough to be in the command; before that, Python itself ends in the same way.
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) in (130, -signal.SIGINT)
    process.stdin.close()
    process.stdout.close()
