"""Shared by the scripts that run the command: building it, its path, and the time that it takes."""

import json
import pathlib
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def command():
    """Builds the command in the release profile, and returns its path."""
    subprocess.run(["cargo", "build", "-q", "--release", "-p", "mojika-cli"], cwd=ROOT, check=True)
    metadata = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    output = subprocess.run(metadata, cwd=ROOT, check=True, capture_output=True).stdout
    return pathlib.Path(json.loads(output)["target_directory"]) / "release/mojika"


def processor_seconds():
    """User and system time of this process, and of those that it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(call):
    """The seconds that a call takes: those that pass, and those of the processor."""
    start, used = time.perf_counter(), processor_seconds()
    call()
    return time.perf_counter() - start, processor_seconds() - used
