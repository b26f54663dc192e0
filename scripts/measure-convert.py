#!/usr/bin/env python3
"""Measures `mojika convert` beside the floor of its work, beside iconv and beside uconv.

usage: scripts/measure-convert.py [-h] [--folder FOLDER] [--runs N] [--megabytes N] [--files N] [--gigabytes N] [PART...]

Parts, all by default:

large   one file of 200 MB in Shift_JIS, GB18030 and windows-1251, to UTF-8, with one job and with two
files   100,000 files of 2 to 8 KB in twenty encodings: --from auto, one job and two; cp -r; iconv in a shell loop
auto    10,000 and 100,000 files of 2 to 8 KB in one encoding, for four encodings: --from auto with --confidence 0 and with
        the default, which also looks for lines in another encoding, and --from that encoding
ascii   `mojika detect` of 1 GB of ASCII with one word of windows-1251 at its end; reading the same file
memory  one file of 5 GB, to /dev/null: peak memory

Files lie in FOLDER, by default /dev/shm, which is memory: no disk is measured. Their text is drawn from samples/utf-8.
"cpu" is processor time, user and system; other work on the machine disturbs it little. Times are in seconds, as the
least and the greatest of N runs (5; 3 for "files" and "auto", 1 for "memory"); ratios are those of the least.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import built

ROOT = Path(__file__).resolve().parent.parent
BUFFER = 1 << 20
LARGE = [("shift_jis", "ja"), ("gb18030", "zh-hans"), ("windows-1251", "ru")]
AUTO = [("windows-1251", "ru"), ("windows-1252", "fr"), ("shift_jis", "ja"), ("euc-kr", "ko")]
MIB, GIB = 1 << 20, 1 << 30


class Cost:
    """Wall and processor seconds, and peak memory in bytes, of several runs."""

    def __init__(self):
        self.wall, self.cpu, self.peak = [], [], 0

    def add(self, wall, cpu, peak=0):
        self.wall.append(wall)
        self.cpu.append(cpu)
        self.peak = max(self.peak, peak)

    def __str__(self):
        return f"wall {span(self.wall)}  cpu {span(self.cpu)}"


def span(times):
    return f"{min(times):.3f}-{max(times):.3f}"


def command(arguments, runs, clean=None, check=True):
    """The cost of a command, or None if it is not installed. `clean` is removed before each run."""
    if not shutil.which(arguments[0]):
        return None
    cost = Cost()
    with open(os.devnull, "w") as null:
        quiet = [(os.POSIX_SPAWN_DUP2, null.fileno(), 1), (os.POSIX_SPAWN_DUP2, null.fileno(), 2)]
        for _ in range(runs):
            if clean:
                remove(clean)
            start = time.perf_counter()
            child = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=quiet)
            _, status, usage = os.wait4(child, 0)
            wall = time.perf_counter() - start
            if check and os.waitstatus_to_exitcode(status) != 0:
                sys.exit(f"failed: {' '.join(map(str, arguments))}")
            cost.add(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10)
    return cost


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def bare(source, target, length, runs):
    """The cost of reading `source` to its end and of writing `length` bytes to `target`, in pieces of 1 MB."""
    cost = Cost()
    buffer = bytearray(BUFFER)
    for _ in range(runs):
        remove(target)
        wall, cpu = time.perf_counter(), time.process_time()
        written = 0
        with open(source, "rb", buffering=0) as reader, open(target, "wb", buffering=0) as writer:
            size = os.fstat(reader.fileno()).st_size
            done = 0
            while read := reader.readinto(buffer):
                done += read
                # As much of the output as there is of the input.
                due = length * done // size - written
                while due:
                    put = writer.write(memoryview(buffer)[: min(due, BUFFER)])
                    due -= put
                    written += put
        cost.add(time.perf_counter() - wall, time.process_time() - cpu)
    return cost


def bare_read(source, piece, runs):
    """The cost of reading `source` to its end, in pieces of this many bytes."""
    cost = Cost()
    buffer = bytearray(piece)
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        with open(source, "rb", buffering=0) as reader:
            while reader.readinto(buffer):
                pass
        cost.add(time.perf_counter() - wall, time.process_time() - cpu)
    return cost


def ratio(one, other, field="cpu"):
    if one is None or other is None:
        return "-"
    return f"{min(getattr(one, field)) / min(getattr(other, field)):.2f}"


def drawn_text(language, length, seed):
    """A sample's characters, drawn at random by their frequency: there is no pattern for a processor to learn."""
    letters = (ROOT / f"samples/utf-8/{language}.txt").read_text(encoding="utf-8").replace("\r", "")
    return "".join(random.Random(seed).choices(letters, k=length))


def large_file(path, encoding, language, size):
    """In a process of its own: what it has in memory would count as that of the commands."""
    child = os.fork()
    if child:
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
            sys.exit(f"cannot write {path}")
        return
    piece = drawn_text(language, BUFFER, 1).encode(encoding)
    with open(path, "wb") as file:
        while size >= len(piece):
            file.write(piece)
            size -= len(piece)
        # Up to a line's end, which is no part of a character.
        file.write(piece[: piece.rfind(b"\n", 0, size) + 1])
    os._exit(0)


def measure_large(mojika, folder, options):
    print(f"one file of {options.megabytes} MB to UTF-8, {options.runs} runs each")
    source, target = folder / "in", folder / "out"
    for encoding, language in LARGE:
        large_file(source, encoding, language, options.megabytes * 1_000_000)
        convert = [mojika, "convert", "-f", encoding, "-o", str(target), str(source)]
        one = command([*convert, "-j", "1"], options.runs, target)
        length = target.stat().st_size
        two = command([*convert, "-j", "2"], options.runs, target)
        floor = bare(source, target, length, options.runs)
        copy = bare(source, target, source.stat().st_size, options.runs)
        pair = ["-f", encoding, "-t", "utf-8", "-o", str(target), str(source)]
        iconv = command(["iconv", *pair], min(options.runs, 2), target)
        uconv = command(["uconv", *pair], min(options.runs, 2), target)
        print(f"\n{encoding}: {source.stat().st_size} bytes in, {length} out")
        for name, cost in [
            ("bare read and write", floor),
            ("same, input's bytes", copy),
            ("one job", one),
            ("two jobs", two),
            ("iconv", iconv),
            ("uconv", uconv),
        ]:
            print(f"  {name:<20} {cost or 'not installed'}")
        print(
            f"  cpu: floor/one job {ratio(floor, one)}, with the input's bytes {ratio(copy, one)} (0.60 wanted); "
            f"iconv/one job {ratio(iconv, one)}, uconv/one job {ratio(uconv, one)} (2.5 wanted)"
        )
        print(
            f"  wall: one/two jobs {ratio(one, two, 'wall')} (1.5 wanted); floor/one job {ratio(floor, one, 'wall')}, "
            f"floor/two jobs {ratio(floor, two, 'wall')}; peak memory {one.peak / MIB:.0f} and {two.peak / MIB:.0f} MiB",
            flush=True,
        )
        remove(source)
        remove(target)


def mixed_files(tree, count):
    """Files of 2 to 8 KB in the samples' encodings, 500 a folder. Returns each file's label."""
    labels = []
    draw = random.Random(2)
    samples = sorted((ROOT / "samples").glob("*.*.txt"))
    texts = [(sample.name.split(".")[1], sample.read_bytes()) for sample in samples]
    for number in range(count):
        folder = tree / f"{number // 500:03}"
        if number % 500 == 0:
            folder.mkdir(parents=True)
        label, text = draw.choice(texts)
        (folder / f"{number:06}.txt").write_bytes(text * max(1, draw.randrange(2000, 8000) // len(text)))
        labels.append(label)
    return labels


def measure_files(mojika, folder, options):
    runs = min(options.runs, 3)
    source, target = folder / "tree", folder / "converted"
    labels = mixed_files(source, options.files)
    size = sum(file.stat().st_size for file in source.rglob("*.txt"))
    print(f"{options.files} files, {size} bytes, mixed encodings, {runs} runs each")
    convert = [mojika, "convert", "--from", "auto", "--confidence", "0", "-q", str(source), "-o", str(target)]
    copy = command(["cp", "-r", str(source), str(target)], runs, target)
    one = command([*convert, "-j", "1"], runs, target)
    two = command([*convert, "-j", "2"], runs, target)
    given = command([mojika, "convert", "--from", "windows-1251", "-q", str(source), "-o", str(target), "-j", "1",
                     "--errors", "replacement"], runs, target)
    remove(target)
    # As many files as take a few seconds. The loop gets each file's encoding for nothing.
    slice_ = min(options.files, 2000)
    target.mkdir()
    lines = [
        f'iconv -f {label} -t utf-8 "{source}/{number // 500:03}/{number:06}.txt" >"{target}/{number}"'
        for number, label in enumerate(labels[:slice_])
    ]
    script = folder / "loop.sh"
    script.write_text("\n".join(lines) + "\n")
    loop = command(["bash", str(script)], 1)
    scale = options.files / slice_
    print(f"  {'cp -r':<28} {copy}\n  {'one job, --from auto':<28} {one}\n  {'two jobs, --from auto':<28} {two}")
    print(f"  {'one job, one encoding given':<28} {given}")
    print(f"  {'iconv in a loop':<28} {loop}, for {slice_} files; times {scale:.0f}: {min(loop.wall) * scale:.0f} s")
    print(f"  wall: loop/two jobs {min(loop.wall) * scale / min(two.wall):.0f}, loop/one job "
          f"{min(loop.wall) * scale / min(one.wall):.0f} (50 wanted); two jobs/cp -r {ratio(two, copy, 'wall')} (1 wanted)")
    print(f"  cpu: one job/cp -r {ratio(one, copy)} (1.6 wanted); with the encoding given {ratio(given, copy)}")
    print(f"  peak memory {one.peak / MIB:.0f} and {two.peak / MIB:.0f} MiB", flush=True)


def measure_auto(mojika, folder, options):
    runs = min(options.runs, 3)
    source, target = folder / "tree", folder / "converted"
    for count in sorted({options.files // 10, options.files}):
        print(f"{count} undeclared files of 2 to 8 KB in one encoding, one job, {runs} runs each")
        for encoding, language in AUTO:
            draw = random.Random(3)
            text = (ROOT / f"samples/utf-8/{language}.txt").read_text(encoding="utf-8").replace("\r", "")
            lines = (text.encode(encoding, "ignore")).split(b"\n")
            for number in range(count):
                if number % 500 == 0:
                    (source / f"{number // 500:03}").mkdir(parents=True)
                length, parts = draw.randrange(2000, 8000), []
                while length > 0:
                    parts.append(draw.choice(lines))
                    length -= len(parts[-1]) + 1
                (source / f"{number // 500:03}" / f"{number:06}.txt").write_bytes(b"\n".join(parts))
            convert = [mojika, "convert", "-q", "-j", "1", "-o", str(target), str(source), "--from"]
            auto = command([*convert, "auto", "--confidence", "0"], runs, target)
            # By default, a few of these files are doubtful, which the status says.
            doubting = command([*convert, "auto"], runs, target, check=False)
            given = command([*convert, encoding], runs, target)
            print(f"  {encoding:<13} auto, any confidence: {auto}; auto: {doubting}; given: {given}; to given: "
                  f"wall {ratio(auto, given, 'wall')} and {ratio(doubting, given, 'wall')}, "
                  f"cpu {ratio(auto, given)} and {ratio(doubting, given)} (1.5 wanted)", flush=True)
            remove(target)
            remove(source)


def measure_ascii(mojika, folder, options):
    source = folder / "in.txt"
    line = b"A line of a log that is ASCII, as most lines of most files are.\n"
    with open(source, "wb") as file:
        for _ in range(min(1000, int(1000 * options.gigabytes))):
            file.write(line * (1_000_000 // len(line)))
        file.write("Вечером на веранде\n".encode("windows-1251"))
    size = source.stat().st_size
    rate = lambda cost: f"{cost}; {size / max(cost.wall) / 1e9:.1f}-{size / min(cost.wall) / 1e9:.1f} GB/s"
    print(f"mojika detect of {size} bytes of ASCII and one word, {options.runs} runs: ", end="")
    print(subprocess.check_output([mojika, "detect", str(source)], text=True).splitlines()[1].split()[0])
    cost = command([mojika, "detect", str(source)], options.runs)
    print(f"  {'mojika detect':<20} {rate(cost)} (5 wanted)")
    for piece in [64 << 10, BUFFER]:
        print(f"  {f'read, {piece >> 10} KB at once':<20} {rate(bare_read(source, piece, options.runs))}", flush=True)
    remove(source)


def measure_memory(mojika, folder, options):
    source = folder / "in"
    size = int(options.gigabytes * 1e9)
    large_file(source, "windows-1251", "ru", size)
    print(f"one file of {options.gigabytes:g} GB, windows-1251, to /dev/null")
    for jobs in [1, 2]:
        convert = [mojika, "convert", "-f", "windows-1251", "-j", str(jobs), "-o", "/dev/null", str(source)]
        cost = command(convert, 1)
        most = 64 + 16 * jobs
        print(f"  {jobs} job(s): {cost}, peak memory {cost.peak / MIB:.0f} MiB (at most {most} wanted)", flush=True)
    remove(source)


PARTS = {
    "large": measure_large,
    "files": measure_files,
    "auto": measure_auto,
    "ascii": measure_ascii,
    "memory": measure_memory,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--gigabytes", type=float, default=5)
    parser.add_argument("--mojika", help="the command to measure, instead of building it")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"no part {part!r}: {', '.join(PARTS)}")
    mojika = options.mojika
    mojika = mojika or str(built.command())
    os.environ["LC_ALL"] = "C"
    for part in options.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="mojika-measure-", dir=options.folder) as folder:
            PARTS[part](mojika, Path(folder), options)


if __name__ == "__main__":
    main()
