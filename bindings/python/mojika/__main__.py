"""``python -m mojika``: the command ``mojika``, in the process of Python."""

import signal
import sys

from mojika._native import run_command


def main():
    # Python's own handler would not run before the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["mojika", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
