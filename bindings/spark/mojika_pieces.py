"""What tasks work on: files with their sizes, divided at records and packed by bytes. It runs in the driver and needs no Spark.

A piece is a file, or some records of an archive. `find` lists files and folders, also those of fsspec, with their sizes; `read_cdx`
reads where the records of archives are; `pieces` divides large archives there; `pack` packs pieces into tasks.
"""

import concurrent.futures
import heapq
import json
import os
from typing import NamedTuple, Optional

import mojika_files

# Bytes of a task.
TASK = 100_000_000
# What a file costs besides its bytes, in bytes: a request, and a process for an archive.
FILE = 1_000_000
# Requests for sizes at once.
REQUESTS = 32


class Piece(NamedTuple):
    """A file, or the records or lines of it at these places: pairs of offset and length in bytes."""

    path: str
    size: int
    ranges: Optional[tuple] = None


def find(inputs, storage_options=None):
    """Pieces of the files in the inputs, with their sizes: a folder is all that is in it, in order; in URLs, `*` is a pattern.

    A file that is not there has the size 0: the task that reads it says so.
    """
    found = []
    urls = []
    for path in inputs:
        if "://" in path:
            urls.append(path)
        elif os.path.isdir(path):
            for folder, folders, files in os.walk(path):
                folders.sort()
                found += [_local(os.path.join(folder, name)) for name in sorted(files)]
        else:
            found.append(_local(path))
    with concurrent.futures.ThreadPoolExecutor(REQUESTS) as pool:
        for pieces in pool.map(lambda url: _remote(url, storage_options), urls):
            found += pieces
    return found


def _local(path):
    try:
        return Piece(path, os.stat(path).st_size)
    except OSError:
        return Piece(path, 0)


def _remote(url, storage_options):
    files, path = mojika_files.filesystem(url, storage_options)

    def pieces(details):
        # A store may list the folder itself, with no bytes.
        names = [name for name in sorted(details) if details[name]["type"] == "file" and not name.endswith("/")]
        return [Piece(files.unstrip_protocol(name), details[name].get("size") or 0) for name in names]

    if "*" in path:
        return pieces(files.glob(path, detail=True))
    try:
        info = files.info(path)
    except OSError:
        return [Piece(url, 0)]
    if info["type"] == "directory":
        return pieces(files.find(path, detail=True))
    return [Piece(url, info.get("size") or 0)]


def read_cdx(lines):
    """Where the records of archives are: for each name of an archive, sorted pairs of offset and length.

    Lines are those of CDXJ, or of CDX with its first line or its usual eleven fields.
    """
    fields = "N b a m s k r M S V g".split()
    places = {}
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if line.startswith("CDX "):
            fields = line.split()[1:]
            continue
        if not line:
            continue
        try:
            if "{" in line:
                record = json.loads(line[line.index("{") :])
                name, offset, length = record["filename"], record["offset"], record["length"]
            else:
                values = dict(zip(fields, line.split(), strict=True))
                name, offset, length = values["g"], values["V"], values["S"]
            offset, length = int(offset), int(length)
            if offset < 0 or length <= 0:
                raise ValueError(length)
        except (KeyError, ValueError, TypeError) as error:
            raise ValueError(f"line {number} of the CDX has no name, offset and length of a record: {line[:100]!r}") from error
        places.setdefault(name.rsplit("/", 1)[-1], set()).add((offset, length))
    return {name: sorted(records) for name, records in places.items()}


def pieces(files, cdx=None, task=TASK):
    """Divides archives: each that `cdx` names into pieces of its records of at most `task` bytes, or of one record.

    Zstandard archives stay whole, as their records may need a dictionary, and so do files that the CDX does not name.
    """
    found = []
    for file in files:
        records = (cdx or {}).get(file.path.rsplit("/", 1)[-1])
        if not records or not mojika_files.is_warc(file.path) or file.path.lower().endswith(".zst"):
            found.append(file)
            continue
        part, size = [], 0
        for offset, length in records:
            if part and size + length > task:
                found.append(Piece(file.path, size, tuple(part)))
                part, size = [], 0
            part.append((offset, length))
            size += length
        found.append(Piece(file.path, size, tuple(part)))
    return found


def unit_of(encoding):
    """The bytes of a code unit of an encoding whose lines can be found from anywhere, or 0.

    In encodings that have ASCII as it is, no byte of another character is a line feed, unless escape sequences switch modes.
    """
    if encoding == "auto":
        return 0
    import mojika

    name = mojika.lookup(encoding)
    units = {"UTF-16LE": 2, "UTF-16BE": 2, "UTF-32LE": 4, "UTF-32BE": 4}
    if name in units:
        return units[name]
    if name.startswith(("ISO-2022-", "HZ", "UTF-7", "replacement")):
        return 0
    return int(mojika.decode(b"\n0a", encoding, "replace") == "\n0a")


def lines(files, encoding, task=TASK):
    """Divides files of text into ranges of about `task` bytes, where the encoding allows it. Compressed files stay whole."""
    unit = unit_of(encoding)
    found = []
    for file in files:
        is_whole = mojika_files.is_warc(file.path) or file.path.lower().endswith((".gz", ".zst", ".bz2", ".xz"))
        if not unit or is_whole or file.size < 2 * task:
            found.append(file)
            continue
        step = -(-file.size // (file.size // task) // unit) * unit
        for start in range(0, file.size, step):
            length = min(step, file.size - start)
            found.append(Piece(file.path, length, ((start, length),)))
    return found


def pack(found, task=TASK, tasks=None):
    """Packs pieces into tasks of about `task` bytes, or into this number of tasks: lists of pieces, the largest task first.

    The largest piece goes first, and each to the task with the fewest bytes so far, so that no task has more than 4/3 of the bytes
    that it must have, or the largest piece alone (Graham 1969). A file counts a million bytes more than it has.
    """
    costs = [piece.size + FILE for piece in found]
    count = tasks or max(1, -(-sum(costs) // task))
    count = max(1, min(count, len(found)))
    packed = [[] for _ in range(count)]
    loads = [(0, number) for number in range(count)]
    for at in sorted(range(len(found)), key=lambda at: (-costs[at], at)):
        load, number = heapq.heappop(loads)
        packed[number].append(at)
        heapq.heappush(loads, (load + costs[at], number))
    packed.sort(key=lambda ats: (-sum(costs[at] for at in ats), ats))
    # In a task, files are in the order in which they were named.
    return [[found[at] for at in sorted(ats)] for ats in packed if ats]
