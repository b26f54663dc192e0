"""The encodings as codecs of Python."""

import codecs

from mojika import _native

_PREFIX = "mojika_"
_registered = False


def _info(codec):
    name = codec.name

    class IncrementalEncoder(_native.IncrementalEncoder):
        def __new__(cls, errors="strict"):
            return super().__new__(cls, name, errors)

    class IncrementalDecoder(_native.IncrementalDecoder):
        def __new__(cls, errors="strict"):
            return super().__new__(cls, name, errors)

    class StreamWriter(codecs.StreamWriter):
        def __init__(self, stream, errors="strict"):
            super().__init__(stream, errors)
            self._encoder = IncrementalEncoder(errors)

        def encode(self, text, errors="strict"):
            return self._encoder.encode(text), len(text)

        def reset(self):
            # What ISO-2022-JP needs to come back to ASCII.
            if name in _MARKED:
                self._encoder.setstate(0)
            self.stream.write(self._encoder.encode("", True))
            self._encoder.reset()

    class StreamReader(codecs.StreamReader):
        def __init__(self, stream, errors="strict"):
            super().__init__(stream, errors)
            self._decoder = IncrementalDecoder(errors)

        def decode(self, data, errors="strict"):
            # The decoder keeps what is incomplete.
            return self._decoder.decode(data), len(data)

        def reset(self):
            super().reset()
            self._decoder.reset()

    return codecs.CodecInfo(
        name=f"mojika:{name.lower()}",
        encode=codec.encode,
        decode=codec.decode,
        incrementalencoder=IncrementalEncoder,
        incrementaldecoder=IncrementalDecoder,
        streamreader=StreamReader,
        streamwriter=StreamWriter,
    )


_MARKED = ("utf-8-sig", "utf-16", "utf-32")
_known = {}  # From the name of an encoding to its codec.


def _search(name):
    # Python hands over "mojika:shift-jis" as "mojika_shift_jis", or before 3.9 with the colon.
    if not name.startswith((_PREFIX, "mojika:")):
        return None
    label = name[len(_PREFIX) :]
    try:
        codec = _native.Codec(label)
    except LookupError:
        return None
    if codec.name not in _known:
        _known[codec.name] = _info(codec)
    return _known[codec.name]


def register_codecs():
    """Makes codecs of all encodings, under the names "mojika:LABEL".

    >>> register_codecs()
    >>> b"\\x80".decode("mojika:windows-1252")
    '€'
    """
    global _registered
    if not _registered:
        codecs.register(_search)
        _registered = True
