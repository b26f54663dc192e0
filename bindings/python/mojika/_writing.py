"""Files that take UTF-8 and hold another encoding."""

import io
import os
import secrets
import stat
import warnings

from mojika import _native


class Utf8Writer(io.BufferedIOBase):
    """A file of bytes that takes UTF-8, or text, and writes it in another encoding.

    ``mojika.open`` with mode "w" or "wb" makes one. A file that is named by its path appears when it is closed; where the
    ``with`` block ends with an exception, or a character cannot be written with errors="strict", it stays as it was.
    """

    _CHUNK = 256 << 10

    def __init__(self, file, encoding, errors="strict", *, bom=None, exclusive=False, commits=False, appends=False):
        self._file = self._draft = self._encoder = None
        self._failed = False
        # Whether the file is one of fsspec that appears only when its method commit is called.
        self._commits = commits
        if encoding == "auto":
            raise ValueError("name the encoding to write: mojika.open(path, 'w', 'cp932')")
        if bom not in (None, "strip", "add"):
            raise ValueError(f"bom must be 'strip' or 'add' to write, not {bom!r}")
        self._encoder = _native.Utf8Encoder(encoding, errors)
        has_mark = self._encoder.has_mark if bom is None else bom == "add"
        self._pending = [self._encoder.bom()] if has_mark else []
        if hasattr(file, "write"):
            self._file = file
            self._name = getattr(file, "name", None)
        else:
            self._name = os.fspath(file)
            if appends:
                self._file, self._draft = self._extended()
            if self._file is None:
                self._file, self._draft = _opened(self._name, exclusive)
        self._length = sum(map(len, self._pending))

    def _extended(self):
        """The file to add to and its draft, or a pair of None if there is nothing in it."""
        path = os.path.realpath(self._name)
        if not os.path.isfile(path) or not os.path.getsize(path):
            return None, None
        with io.FileIO(path) as file:
            found = _native.detect(file.read(4), context="text")
        if found.bom_length and found.encoding != self.target_encoding:
            raise ValueError(
                f"{self._name} begins with the byte order mark of {found.encoding}: name that encoding to add to it"
            )
        self._pending = []
        file = _Extension(path)
        return file, file

    @property
    def name(self):
        return self._name

    @property
    def mode(self):
        return "wb"

    @property
    def target_encoding(self):
        """The name of the encoding that is written."""
        return self._encoder.encoding

    @property
    def errors(self):
        """The characters so far that the encoding lacks, as a ``mojika.arrow.Table``: row (null), offset, line, column,
        character, name, encoding. It has the first million; ``error_count`` is the number of all."""
        return self._encoder.errors

    @property
    def error_count(self):
        return self._encoder.error_count

    def writable(self):
        return True

    def write(self, data, /):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if self._failed:
            # The error has been raised before; a text layer writes its rest when it is closed.
            return len(data)
        self._take(data, False)
        return len(data) if isinstance(data, str) else memoryview(data).nbytes

    def _take(self, data, final):
        try:
            encoded = self._encoder.encode(data, final)
        except BaseException:
            self._failed = True
            raise
        self._pending.append(encoded)
        self._length += len(encoded)
        if self._length >= self._CHUNK:
            self._pass_on()

    def _pass_on(self):
        if self._length:
            rest = memoryview(b"".join(self._pending))
            self._pending, self._length = [], 0
            while rest:
                written = self._file.write(rest)
                rest = rest[len(rest) if written is None else written :]

    def flush(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if self._file is not None and not self._failed:
            self._pass_on()
            if hasattr(self._file, "flush"):
                self._file.flush()

    def discard(self):
        """Gives up: the file stays as it was. Of a file object, what has been passed on to it stays."""
        self._failed = True

    def close(self):
        if self.closed:
            return
        try:
            if self._file is not None and not self._failed:
                try:
                    self._take(b"", True)
                    self.flush()
                except BaseException:
                    self._failed = True
                    raise
        finally:
            file, self._file = self._file, None
            try:
                if file is not None and hasattr(file, "close"):
                    file.close()
                if file is not None and self._commits:
                    if self._failed:
                        file.discard()
                    else:
                        file.commit()
                if self._draft is not None:
                    self._draft.finish(keep=not self._failed)
            finally:
                super().close()

    def __exit__(self, kind, *rest):
        if kind is not None:
            self.discard()
        self.close()

    def __del__(self):
        if self._draft is not None and not self.closed:
            warnings.warn(f"unclosed file {self!r}", ResourceWarning, source=self)
        self.close()

    def __repr__(self):
        return f"<mojika.Utf8Writer name={self.name!r} encoding={self.target_encoding!r}>"

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle 'Utf8Writer' object")


class _Extension(io.FileIO):
    """A file that is written to at its end, and cut to its length if that fails."""

    def __init__(self, path):
        super().__init__(path, "ab")
        self._path, self._before, self._after = path, os.fstat(self.fileno()).st_size, 0

    def write(self, data):
        written = super().write(data)
        self._after = self.tell()
        return written

    def finish(self, keep):
        # Not if another one has written to the file since.
        if not keep and os.path.getsize(self._path) == self._after:
            os.truncate(self._path, self._before)


class _TextWriter(io.TextIOWrapper):
    """A text layer whose file is discarded where its ``with`` block fails."""

    def __exit__(self, kind, *rest):
        if kind is not None:
            self.buffer.discard()
        self.close()


class _Draft:
    """A file that appears under its name when it is complete."""

    def __init__(self, path, temporary, exclusive):
        self._path, self._temporary, self._exclusive = path, temporary, exclusive

    def finish(self, keep):
        try:
            if keep and self._exclusive:
                # Fails if another one has made it meanwhile.
                os.link(self._temporary, self._path)
            elif keep:
                os.replace(self._temporary, self._path)
                return
        except BaseException:
            os.unlink(self._temporary)
            raise
        os.unlink(self._temporary)


def _opened(path, exclusive):
    """A raw file to write to, and the draft that it is; None where the path is no regular file, such as a named pipe."""
    path = os.path.realpath(path)
    mode = None
    try:
        status = os.stat(path)
        mode = stat.S_IMODE(status.st_mode)
    except FileNotFoundError:
        status = None
    if status is not None:
        if exclusive:
            raise FileExistsError(17, os.strerror(17), path)
        if not stat.S_ISREG(status.st_mode):
            # A folder is an error here.
            return io.FileIO(path, "w"), None
    folder, name = os.path.split(path)
    encoded = os.fsencode(name)[:200]
    temporary = os.path.join(folder, f".{os.fsdecode(encoded)}.{secrets.token_hex(6)}.tmp")
    file = io.FileIO(temporary, "x")
    if mode is not None:
        os.chmod(temporary, mode)
    return file, _Draft(path, temporary, exclusive)
