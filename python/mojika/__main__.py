"""``python -m mojika``: the command, which is a program of its own in the wheel."""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def command():
    """The path of the command, or None: that of the wheel, or one on the PATH."""
    name = "mojika.exe" if os.name == "nt" else "mojika"
    own = Path(__file__).parent / "bin" / name
    if own.is_file():
        return str(own)
    found = shutil.which("mojika")
    # The script that pip makes starts this module, and not the command.
    if found and Path(found).stat().st_size > 100_000:
        return found
    return None


def main():
    program = command()
    if program is None:
        print(
            "mojika: this installation was built without the command; "
            "install a wheel, or build it with: cargo install --path cli",
            file=sys.stderr,
        )
        return 2
    arguments = ["mojika", *sys.argv[1:]]
    if os.name == "posix":
        # The program takes the place of Python: signals, terminal and exit status are its own.
        sys.stdout.flush()
        import signal

        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execv(program, arguments)
    return subprocess.run(arguments, executable=program).returncode


if __name__ == "__main__":
    sys.exit(main())
