#!/usr/bin/env python3
"""Asks other detectors about the documents of manifests, for `mojika-proof detect --files MANIFEST... --peers ANSWERS`.

usage: scripts/compare-detectors.py ANSWERS MANIFEST... [--most N] [--only NAME]

A manifest has lines of label, language, path and, perhaps, kind, with tabs between them; `mojika-proof detect DIR
--pieces FOLDER` writes one of pieces, FOLDER/list.tsv. Takes those of chardet, charset-normalizer and cchardet that
Python can import, and the libraries of uchardet (libuchardet) and ICU (libicui18n) if they are installed. --most takes N
documents of each manifest, spread over it; --only takes the detectors whose names have NAME in them. Writes lines of
path, detector with its version, the encoding's name, the stated probability (or nothing) and microseconds. Whether an
answer is right is for mojika-proof to say.
"""
import argparse, codecs, ctypes, ctypes.util, importlib, os, re, subprocess, sys, time

# Python's names of codecs, with hyphens, and the names that mojika has for them.
NAMES = {
    "big5hkscs": "big5", "cp949": "euc-kr", "cp932": "shift_jis", "shift-jis-2004": "shift_jis", "shift-jisx0213": "shift_jis",
    "euc-jis-2004": "euc-jp", "euc-jisx0213": "euc-jp", "gb2312": "gbk", "mac-roman": "macintosh",
    "mac-cyrillic": "x-mac-cyrillic", "mac-latin2": "x-mac-ce", "utf-8-sig": "utf-8", "tis-620": "windows-874",
    "iso2022-jp-1": "iso-2022-jp", "iso2022-jp-ext": "iso-2022-jp", "iso2022-jp": "iso-2022-jp", "hz": "HZ-GB-2312",
}
MARKS = {
    "utf-16": ((codecs.BOM_UTF16_BE, "utf-16be"), (b"", "utf-16le")),
    "utf-32": ((codecs.BOM_UTF32_BE, "utf-32be"), (b"", "utf-32le")),
}


def name_of(said, data):
    """The name that mojika has for what a detector says."""
    if not said:
        return "none"
    try:
        codec = codecs.lookup(said).name
    except LookupError:
        # uchardet: "UHC", "MAC-CENTRALEUROPE"
        return {"uhc": "euc-kr", "mac-centraleurope": "x-mac-ce"}.get(said.lower(), said)
    if codec in MARKS:
        return next(name for mark, name in MARKS[codec] if data.startswith(mark))
    codec = codec.replace("_", "-")
    codec = NAMES.get(codec, codec)
    codec = re.sub(r"^iso8859-", "iso-8859-", codec)
    return re.sub(r"^cp(?=\d)", "IBM", re.sub(r"^cp(?=125\d$|874$)", "windows-", codec))


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def detectors():
    """Names with versions, and functions from bytes to what is said and a probability."""
    if chardet := module("chardet"):
        eras = getattr(chardet, "EncodingEra", None)
        options = {"": {}, ", Web's encodings": {"encoding_era": eras.MODERN_WEB}} if eras else {"": {}}
        for suffix, era in options.items():
            def answer(data, era=era):
                said = chardet.detect(data, **era)
                return said["encoding"], said["confidence"]
            yield f"chardet {chardet.__version__}{suffix}", answer
    if normalizer := module("charset_normalizer"):
        def answer(data):
            best = normalizer.from_bytes(data).best()
            return (best.encoding, None) if best else (None, None)
        yield f"charset-normalizer {normalizer.__version__}", answer
    if cchardet := module("cchardet"):
        def answer(data):
            said = cchardet.detect(data)
            return said["encoding"], said["confidence"]
        yield f"cchardet {cchardet.__version__}", answer
    yield from uchardet()
    yield from icu()


def uchardet():
    """The C interface of uchardet.h."""
    if not (name := ctypes.util.find_library("uchardet")):
        return
    library = ctypes.CDLL(name)
    library.uchardet_new.restype = library.uchardet_get_charset.restype = ctypes.c_void_p
    pointer = ctypes.c_void_p
    library.uchardet_handle_data.argtypes = [pointer, ctypes.c_char_p, ctypes.c_size_t]
    for function in ("reset", "data_end", "get_charset"):
        getattr(library, f"uchardet_{function}").argtypes = [pointer]
    detector = library.uchardet_new()

    def answer(data):
        library.uchardet_reset(detector)
        library.uchardet_handle_data(detector, data, len(data))
        library.uchardet_data_end(detector)
        return ctypes.string_at(library.uchardet_get_charset(detector)).decode("ascii"), None

    try:
        version = re.search(r"Version (\S+)", subprocess.run(["uchardet", "--version"], capture_output=True, text=True).stdout)
    except OSError:
        version = None
    yield f"uchardet {version[1]}" if version else "uchardet", answer


def icu():
    """The C interface of ucsdet.h, whose functions have the version in their names."""
    if not (name := ctypes.util.find_library("icui18n")):
        return
    library = ctypes.CDLL(name)
    # "libicui18n.so.72"
    version = re.search(r"\.so\.(\d+)", name)

    def function(name, result, *arguments):
        found = getattr(library, f"{name}_{version[1]}" if version else name)
        found.restype, found.argtypes = result, arguments
        return found

    pointer, status = ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)
    open_ = function("ucsdet_open", pointer, status)
    set_text = function("ucsdet_setText", None, pointer, ctypes.c_char_p, ctypes.c_int32, status)
    detect = function("ucsdet_detect", pointer, pointer, status)
    name_of_match = function("ucsdet_getName", ctypes.c_char_p, pointer, status)
    confidence = function("ucsdet_getConfidence", ctypes.c_int32, pointer, status)
    detector = open_(ctypes.c_int(0))

    def answer(data):
        error = ctypes.c_int(0)
        set_text(detector, data, len(data), error)
        match = detect(detector, error)
        if not match or error.value > 0:
            return None, None
        said = name_of_match(match, error).decode("ascii")
        return re.sub("_(ltr|rtl)$", "", said), confidence(match, error) / 100

    yield f"ICU {version[1]}" if version else "ICU", answer


def documents(manifest, most):
    lines = [line.rstrip("\n").split("\t") for line in open(manifest, encoding="utf-8")]
    lines = lines[:: max(1, -(-len(lines) // most))] if most else lines
    for fields in lines:
        yield os.path.join(os.path.dirname(manifest), fields[2])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("answers")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--most", type=int)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    asked = [(name, answer) for name, answer in detectors() if options.only in name]
    print("asking", ", ".join(name for name, _ in asked) or "nobody", file=sys.stderr)
    with open(options.answers, "w", encoding="utf-8") as file:
        for manifest in options.manifests:
            for path in documents(manifest, options.most):
                data = open(path, "rb").read()
                for name, answer in asked:
                    start = time.perf_counter()
                    try:
                        said, probability = answer(data)
                    except Exception:  # A detector that fails has no answer.
                        said, probability = None, None
                    microseconds = 1e6 * (time.perf_counter() - start)
                    stated = f"{probability:.4f}" if said and probability else ""
                    file.write(f"{path}\t{name}\t{name_of(said, data)}\t{stated}\t{microseconds:.1f}\n")


main()
