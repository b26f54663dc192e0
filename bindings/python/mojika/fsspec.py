"""A filesystem over another one, whose files are read and written as UTF-8.

``pyarrow.dataset``, pandas and dask open files by themselves; through this filesystem they get UTF-8 whatever the files
are in:

>>> import fsspec, pyarrow.dataset
>>> files = Utf8FileSystem(fsspec.filesystem("file"), encoding="shift_jis")
>>> table = pyarrow.dataset.dataset("/data/folder", format="csv", filesystem=files).to_table()  # doctest: +SKIP

With URLs: ``pandas.read_csv("mojika://file.csv", storage_options={"mojika": {"encoding": "shift_jis"}})``, as
``fsspec.open`` keeps an argument ``encoding`` to itself; and in front of the URL of another filesystem: ``fsspec.open("mojika::s3://bucket/file.csv", mojika={"encoding": "shift_jis"})``.
"""

import io

import fsspec
from fsspec.spec import AbstractFileSystem

import mojika

__all__ = ["Utf8FileSystem"]


class Utf8FileSystem(AbstractFileSystem):
    """Reads the files of ``fs`` as UTF-8, and writes UTF-8 to them in their encoding.

    ``encoding``, ``errors`` and the other options are those of ``mojika.open``; with "auto", the encoding of each
    file is found out separately. Sizes are those of the text: ``info`` decodes a file to know its size, and listings leave
    sizes out. The text of the last one is kept, up to 256 MiB, so that a program that asks for the size first and then reads
    does not decode twice.

    A file that is written appears when it is closed, if ``fs`` can do that. ``written_errors`` has the table of each file
    with characters that the encoding lacks, by its path.
    """

    _MOST_KEPT = 256 << 20

    protocol = "mojika"
    cachable = False

    def __init__(
        self,
        fs=None,
        target_protocol=None,
        target_options=None,
        encoding="auto",
        errors="strict",
        fo=None,
        confidence=0.9,
        compression="infer",
        allowed=None,
        locale=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if fs is None:
            fs = fsspec.filesystem(target_protocol or "file", **(target_options or {}))
        self.fs = fs
        # The file of a chain of URLs, which leaves no path here.
        self._only = fo
        self.encoding = encoding
        self.errors = errors
        self.confidence = confidence
        self.compression = compression
        self.allowed = allowed
        self.locale = locale
        if encoding != "auto":
            mojika.lookup(encoding)
        self._sizes = {}
        self._kept = None
        self.written_errors = {}

    @classmethod
    def _strip_protocol(cls, path):
        if isinstance(path, (list, tuple)):
            return [cls._strip_protocol(one) for one in path]
        path = fsspec.utils.stringify_path(path)
        return path[len("mojika://") :] if path.startswith("mojika://") else path

    def _inner(self, path):
        """The path for the filesystem below."""
        return self.fs._strip_protocol(self._strip_protocol(path) or self._only or "")

    def _folder(self, path):
        """The path of a folder for the filesystem below. The path of a chain is empty, and its folder is that of its file."""
        is_of_chain = self._only is not None and not self._strip_protocol(path)
        return self.fs._parent(self._only) if is_of_chain else self._inner(path)

    def _open(self, path, mode="rb", block_size=None, autocommit=True, cache_options=None, **kwargs):
        if mode in ("wb", "xb"):
            return self._writer(path, mode, autocommit)
        if mode != "rb":
            raise NotImplementedError(f"mojika.fsspec reads and writes, and has no mode {mode!r}")
        kept = self._kept
        if kept is not None and kept[0] == self._key(path):
            return _Kept(kept[1])
        return self._reader(path)

    def _reader(self, path):
        inner = self.fs.open(self._inner(path), "rb")
        try:
            return mojika.Utf8Reader(
                inner,
                self.encoding,
                self.errors,
                confidence=self.confidence,
                compression=self.compression,
                allowed=self.allowed,
                locale=self.locale,
            )
        except BaseException:
            inner.close()
            raise

    def _writer(self, path, mode, autocommit):
        if mode == "xb" and self.exists(path):
            raise FileExistsError(path)
        if self.encoding == "auto":
            raise ValueError("name the encoding to write: Utf8FileSystem(encoding='cp932')")
        self._kept = None
        self._sizes.clear()
        inner = self.fs.open(self._inner(path), "wb", autocommit=False)
        commits = autocommit and hasattr(inner, "commit") and hasattr(inner, "discard")
        if autocommit and not commits:
            inner.close()
            inner = self.fs.open(self._inner(path), "wb")
        errors = {"fatal": "strict", "replacement": "replace"}.get(self.errors, self.errors)
        try:
            return _Writer(self, path, inner, self.encoding, errors, commits=commits)
        except BaseException:
            inner.close()
            if commits:
                inner.discard()
            raise

    def mkdir(self, path, create_parents=True, **kwargs):
        return self.fs.mkdir(self._folder(path), create_parents=create_parents, **kwargs)

    def makedirs(self, path, exist_ok=False):
        return self.fs.makedirs(self._folder(path), exist_ok=exist_ok)

    def _rm(self, path):
        return self.fs.rm_file(self._inner(path))

    def rm_file(self, path):
        return self._rm(path)

    def rmdir(self, path):
        return self.fs.rmdir(self._inner(path))

    def cp_file(self, path1, path2, **kwargs):
        return self.fs.cp_file(self._inner(path1), self._inner(path2), **kwargs)

    def mv(self, path1, path2, recursive=False, maxdepth=None, **kwargs):
        self._kept = None
        kwargs |= {"recursive": recursive, "maxdepth": maxdepth}
        return self.fs.mv(self._inner(path1), self._inner(path2), **kwargs)

    def ls(self, path, detail=True, **kwargs):
        entries = self.fs.ls(self._inner(path), detail=True, **kwargs)
        entries = [{**entry, "size": self._listed_size(entry)} for entry in entries]
        return entries if detail else [entry["name"] for entry in entries]

    @staticmethod
    def _listed_size(entry):
        return None if entry.get("type") == "file" else entry.get("size")

    def info(self, path, **kwargs):
        entry = dict(self.fs.info(self._inner(path), **kwargs))
        if entry.get("type") == "file":
            entry["size"] = self._size(path, entry)
        return entry

    def _key(self, path, entry=None):
        if entry is None:
            try:
                entry = self.fs.info(self._inner(path))
            except OSError:
                return None
        return (self._inner(path), entry.get("size"), entry.get("mtime"), entry.get("LastModified"))

    def _size(self, path, entry):
        key = self._key(path, entry)
        if key not in self._sizes:
            with self._reader(path) as file:
                text = file.read(self._MOST_KEPT)
                if file.read(1):
                    self._sizes[key] = file.seek(0, 2) if file.seekable() else len(text) + 1 + len(file.read())
                else:
                    self._sizes[key] = len(text)
                    self._kept = (key, text)
        return self._sizes[key]

    def exists(self, path, **kwargs):
        return self.fs.exists(self._inner(path), **kwargs)

    def isfile(self, path):
        return self.fs.isfile(self._inner(path))

    def isdir(self, path):
        return self.fs.isdir(self._inner(path))

    def modified(self, path):
        return self.fs.modified(self._inner(path))

    def created(self, path):
        return self.fs.created(self._inner(path))

    def cat_file(self, path, start=None, end=None, **kwargs):
        with self._open(path) as file:
            if start is not None or end is not None:
                size = file.seek(0, 2)
                start = 0 if start is None else start + size * (start < 0)
                end = size if end is None else end + size * (end < 0)
                file.seek(start)
                return file.read(max(0, end - start))
            return file.read()

    def ukey(self, path):
        return (self.fs.ukey(self._inner(path)), self.encoding, self.errors)


class _Kept(io.BytesIO):
    """Text that has been decoded. Its bytes are shared until someone writes, which no one does."""

    def writable(self):
        return False


class _Writer(mojika.Utf8Writer):
    """A file whose unmappable characters its filesystem lists."""

    def __init__(self, files, path, inner, encoding, errors, **options):
        self._files, self._path = files, path
        super().__init__(inner, encoding, errors, **options)

    def close(self):
        if not self.closed:
            try:
                super().close()
            finally:
                if self._encoder is not None and self.error_count:
                    self._files.written_errors[self._path] = self.errors


fsspec.register_implementation("mojika", Utf8FileSystem, clobber=True)
