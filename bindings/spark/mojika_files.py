"""Files and URLs of fsspec, as tasks open them, and files that appear when they are complete."""

import contextlib
import io
import os
import uuid

# Files of at most this many bytes of UTF-8 are held in memory until they are known to be good; longer ones are decoded twice.
HELD = 32 << 20
# Protocols of stores whose objects are there when their upload is complete.
OBJECTS = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss"}


def is_warc(path):
    """Whether a file of this name is an archive."""
    return path.lower().endswith((".warc", ".warc.gz", ".warc.zst"))


def filesystem(path, storage_options=None):
    """The fsspec filesystem of a path or a URL, and the path in it. Options are a dict for each protocol."""
    import fsspec

    protocol = path.split("://")[0] if "://" in path else "file"
    return fsspec.core.url_to_fs(path, **(storage_options or {}).get(protocol, {}))


def opened(path, storage_options=None):
    """A file, for reading bytes."""
    if "://" in path:
        files, name = filesystem(path, storage_options)
        return files.open(name, "rb")
    return open(path, "rb")


class Lines(io.RawIOBase):
    """The lines of a file that begin in a range, as a file that can be sought. In UTF-16 and UTF-32, a line feed has a unit's bytes."""

    BLOCK = 64 << 10

    def __init__(self, file, offset, length, unit=1):
        self.file, self.unit = file, unit
        self.size = file.seek(0, 2)
        self.start, self.end = self._begin(offset), self._begin(offset + length)
        self.at = self.start

    def _begin(self, offset):
        """The place of the first line that begins at `offset` or after it."""
        offset -= offset % self.unit
        if offset == 0 or offset >= self.size:
            return min(offset, self.size)
        # The line before may end right here.
        at = offset - self.unit
        self.file.seek(at)
        while block := self.file.read(self.BLOCK):
            end = self._line_end(block)
            if end:
                return at + end
            at += len(block)
        return self.size

    def _line_end(self, block):
        """The place after the first line feed in a block of whole units, or 0."""
        found = -1
        while (found := block.find(b"\n", found + 1)) >= 0:
            start = found - found % self.unit
            if block[start : start + self.unit].strip(b"\0") == b"\n" and found - start in (0, self.unit - 1):
                return start + self.unit
        return 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        self.at = max(self.start, {0: self.start, 1: self.at, 2: self.end}[whence] + offset)
        return self.at - self.start

    def tell(self):
        return self.at - self.start

    def readinto(self, buffer):
        self.file.seek(self.at)
        data = self.file.read(min(len(buffer), max(0, self.end - self.at)))
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


def checked(file, errors):
    """What is to be read of a file: with "strict", all of it has been decoded before, so that a bad file leaves no rows."""
    if errors != "strict":
        return file
    whole = file.read(HELD + 1)
    if len(whole) <= HELD:
        return io.BytesIO(whole)
    del whole
    file.seek(0, 2)
    file.seek(0)
    return file


def write_files(batches, output, kind, name, storage_options=None):
    """Writes batches to files of this name, by the values of the column `kind`: a row for each with its name below `output`."""
    import pyarrow as pa
    import pyarrow.parquet

    files = {}
    try:
        for batch in batches:
            for value in batch.column(kind).unique().to_pylist():
                rows = batch.filter(pa.compute.equal(batch.column(kind), value)).drop_columns([kind])
                if value not in files:
                    file = Appearing(output, f"{kind}={value}/{name}", storage_options)
                    files[value] = [file, pa.parquet.ParquetWriter(file.file, rows.schema, compression="zstd"), 0]
                files[value][1].write_batch(rows)
                files[value][2] += rows.num_rows
        for _, writer, _ in files.values():
            writer.close()
        for file, _, _ in files.values():
            file.commit()
    finally:
        for file, writer, _ in files.values():
            # A writer that is open would write to the file when it is dropped.
            with contextlib.suppress(Exception):
                writer.close()
            file.discard()
    return [{"name": file.name, "kind": value, "rows": count} for value, (file, _, count) in files.items()]


class Appearing:
    """A file that appears when it is complete: by a rename, or at the end of an upload where the store has objects.

    A process that dies leaves a file whose name begins with a dot, which readers of tables leave out, or an upload that the store
    drops.
    """

    def __init__(self, output, name, storage_options=None):
        self.name = name
        self.files, folder = filesystem(output, storage_options)
        protocols = self.files.protocol
        protocols = {protocols} if isinstance(protocols, str) else set(protocols)
        self.is_object = bool(OBJECTS & protocols)
        self.is_local = "file" in protocols
        self.path = self.draft = f"{folder.rstrip('/')}/{name}"
        if not self.is_object:
            parent, _, base = self.path.rpartition("/")
            self.files.makedirs(parent, exist_ok=True)
            self.draft = f"{parent}/.{base}.{uuid.uuid4().hex}.tmp"
        self.file = self.files.open(self.draft, "wb")

    def commit(self):
        """Lets it appear, in the place of one that exists."""
        self.file.close()
        self.file = None
        if self.is_object:
            return
        if self.is_local:
            os.replace(self.draft, self.path)
            return
        if self.files.exists(self.path):
            self.files.rm_file(self.path)
        self.files.mv(self.draft, self.path)

    def discard(self):
        """Leaves nothing, unless it has appeared."""
        if self.file is None:
            return
        file, self.file = self.file, None
        if self.is_object:
            # To close it would complete the upload.
            file.discard()
            file.closed = True
            return
        file.close()
        self.files.rm_file(self.draft)
