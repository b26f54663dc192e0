#!/usr/bin/env python3
"""Runs other detectors over the pieces that `mojika-proof detect DIR --pieces FOLDER` wrote.

usage: scripts/compare-detectors.py FOLDER [MOST]

Takes those of charset-normalizer, chardet and uchardet (packages cchardet, faust-cchardet or pyuchardet) that Python can
import, and that of ICU if its library (libicui18n) is installed; at most MOST pieces (default 4000), spread over the
list. Prints the share of right answers by length, and the median time of a piece. An answer is right if it decodes the
piece to the same text, with errors replaced.
"""
import ctypes, ctypes.util, importlib, re, statistics, sys, time
from collections import defaultdict

NAMES = {"windows-874": "cp874", "GBK": "gb18030", "Big5": "big5hkscs", "EUC-KR": "cp949", "Shift_JIS": "cp932"}


def decoded(name, data):
    try:
        return data.decode(NAMES.get(name, name), "replace")
    except LookupError:
        return None


def detectors():
    def module(*names):
        for name in names:
            try:
                return importlib.import_module(name)
            except ImportError:
                pass

    if normalizer := module("charset_normalizer"):
        def charset_normalizer(data):
            best = normalizer.from_bytes(data).best()
            return best and best.encoding
        yield charset_normalizer
    if python := module("chardet"):
        def chardet(data):
            return python.detect(data)["encoding"]
        yield chardet
    if mozilla := module("cchardet", "faust_cchardet", "pyuchardet"):
        def uchardet(data):
            return mozilla.detect(data)["encoding"]
        yield uchardet
    if icu := icu_detector():
        yield icu


def icu_detector():
    """ICU's detector, of the C interface in ucsdet.h, whose functions have the version in their names."""
    if not (name := ctypes.util.find_library("icui18n")):
        return None
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
    name_of = function("ucsdet_getName", ctypes.c_char_p, pointer, status)
    error = ctypes.c_int(0)
    detector = open_(error)

    def icu(data):
        error = ctypes.c_int(0)
        set_text(detector, data, len(data), error)
        match = detect(detector, error)
        return name_of(match, error).decode("ascii") if match and error.value <= 0 else None

    return icu


def main():
    folder, most = sys.argv[1], int((sys.argv[2:] or ["4000"])[0])
    rows = [line.rstrip("\n").split("\t") for line in open(f"{folder}/list.tsv")]
    rows = rows[:: max(1, len(rows) // most)]
    lengths = sorted({int(row[3]) for row in rows})
    print("| detector |", " | ".join(f"{length} bytes, %: µs" for length in lengths), "|")
    print("|---|" + "---|" * len(lengths))
    for detector in detectors():
        right, times = defaultdict(list), defaultdict(list)
        for number, encoding, _, length, _ in rows:
            data = open(f"{folder}/{number}", "rb").read()
            start = time.perf_counter()
            try:
                said = detector(data)
            except Exception:  # A detector that fails has no answer.
                said = None
            times[int(length)].append(time.perf_counter() - start)
            right[int(length)].append(bool(said) and decoded(said, data) == decoded(encoding, data))
        cells = [f"{100 * statistics.mean(right[n]):.1f}: {1e6 * statistics.median(times[n]):.0f}" for n in lengths]
        print(f"| {detector.__name__} |", " | ".join(cells), "|")


main()
