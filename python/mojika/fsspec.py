"""A filesystem over another one, the files of which read as UTF-8.

``pyarrow.dataset``, pandas and dask open files by themselves; through this filesystem they get UTF-8 whatever the files
are in:

>>> import fsspec, pyarrow.dataset
>>> files = Utf8FileSystem(fsspec.filesystem("file"), encoding="shift_jis")
>>> table = pyarrow.dataset.dataset("/data/folder", format="csv", filesystem=files).to_table()  # doctest: +SKIP

With URLs: ``pandas.read_csv("mojika://file.csv", storage_options={"encoding": "shift_jis"})``, and in front of the URL of
another filesystem: ``fsspec.open("mojika::s3://bucket/file.csv", mojika={"encoding": "shift_jis"})``.
"""

import fsspec
from fsspec.spec import AbstractFileSystem

import mojika

__all__ = ["Utf8FileSystem"]


class Utf8FileSystem(AbstractFileSystem):
    """Reads the files of ``fs`` as UTF-8. It cannot write.

    ``encoding``, ``errors`` and ``confidence`` are those of ``mojika.open``; with "auto", each file is looked at by itself. Sizes are
    those of the text: ``info`` decodes a file to know its size, and listings leave sizes out.
    """

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
        if encoding != "auto":
            mojika.lookup(encoding)
        self._sizes = {}

    @classmethod
    def _strip_protocol(cls, path):
        if isinstance(path, (list, tuple)):
            return [cls._strip_protocol(one) for one in path]
        path = fsspec.utils.stringify_path(path)
        return path[len("mojika://") :] if path.startswith("mojika://") else path

    def _inner(self, path):
        """The path for the filesystem below."""
        return self.fs._strip_protocol(self._strip_protocol(path) or self._only or "")

    def _open(self, path, mode="rb", **kwargs):
        if mode != "rb":
            raise NotImplementedError("mojika.fsspec only reads")
        inner = self.fs.open(self._inner(path), "rb")
        try:
            return mojika.Utf8Reader(inner, self.encoding, self.errors, confidence=self.confidence)
        except BaseException:
            inner.close()
            raise

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

    def _size(self, path, entry):
        key = (path, entry.get("size"), entry.get("mtime"), entry.get("LastModified"))
        if key not in self._sizes:
            with self._open(path) as file:
                self._sizes[key] = file.seek(0, 2) if file.seekable() else len(file.read())
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


fsspec.register_implementation("mojika", Utf8FileSystem, clobber=True)
