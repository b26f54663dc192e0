#!/usr/bin/env python3
"""What a month of Common Crawl takes: simulates the Spark job with tasks on cores, stragglers, and tasks that fail and run again.

    scripts/simulate-scale.py                                    # 90,000 archives on 1 to 10,000 cores
    scripts/simulate-scale.py --archives 500 --cores 1 10 100    # a part of it
    scripts/simulate-scale.py --measure                          # the constants, with the Python that has the wheel and pyarrow

Each archive is a task, or several with --split, where a CDX divides it. The driver starts one task after another. A task takes its
bytes at the speed of a core, and no faster than its share of the network. A straggler is some times as slow; with --speculate, a copy
of it begins elsewhere when it has taken that many times as long as others. A task that fails has used a part of its time, and runs
again at the end. The same seed gives the same figures.
"""
import argparse
import heapq
import pathlib
import random
import resource
import sys
import tempfile

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Cores:
    """Cores, by the time at which each is free."""

    def __init__(self, count):
        self.free = [0.0] * count
        self.end = 0.0

    def begin(self, at):
        """When a task may begin on the core that is free first, which is then taken."""
        return max(at, heapq.heappop(self.free))

    def done(self, at):
        heapq.heappush(self.free, at)
        self.end = max(self.end, at)


def run(args, count):
    """Time of day in seconds; core seconds, and those of them that were lost; tasks that failed."""
    dice = random.Random(args.seed)
    cores = Cores(count)
    speed = min(args.speed, args.network * 1000 / 8 / count)
    waiting = []
    for _ in range(args.archives):
        size = args.megabytes * max(0.2, dice.gauss(1, 0.05))
        waiting += [size / args.split] * args.split
    waiting.reverse()
    again = []
    driver = useful = lost = 0.0
    failed = 0
    while waiting or again:
        size = waiting.pop() if waiting else again.pop()
        start = cores.begin(driver + args.start)
        driver = start
        seconds = args.task + size / speed
        took = seconds
        copy = None
        if dice.random() < args.stragglers:
            took = seconds * args.slowness
            late = seconds * args.speculate
            if args.speculate and late + seconds < took and len(cores.free) > 1:
                copy = cores.begin(start + late)
                took = min(took, copy + seconds - start)
        if dice.random() < args.failures:
            took *= dice.random()
            failed += 1
            again.append(size)
            lost += took
        else:
            useful += seconds
            lost += took - seconds
        if copy is not None:
            lost += max(0.0, start + took - copy)
            cores.done(max(copy, start + took))
        cores.done(start + took)
    return cores.end, useful + lost, lost, failed


def simulate(args):
    print(f"{args.archives} archives of {args.megabytes:.0f} MB, each in {args.split} tasks\n")
    print("| cores | hours | core hours | lost, % | of the ideal, % | failed tasks |\n|---:|---:|---:|---:|---:|---:|")
    for count in args.cores:
        time_of_day, core_seconds, lost, failed = run(args, count)
        ideal = args.archives * args.split * (args.task + args.megabytes / args.split / args.speed) / count
        print(
            f"| {count:,} | {time_of_day / 3600:,.2f} | {core_seconds / 3600:,.0f} | {100 * lost / core_seconds:.1f} | "
            f"{100 * ideal / time_of_day:.0f} | {failed:,} |",
            flush=True,
        )


def measure(args):
    """Prints the constants of this machine."""
    import legacy_pages
    import web_archive

    sys.path.insert(0, str(ROOT / "bindings/spark"))
    import mojika_files
    import mojika_spark
    import pyarrow as pa

    if args.command:
        mojika_spark.COMMAND = [args.command]
    paragraphs = legacy_pages.texts(ROOT / "../shared/corpora", ROOT / "samples/utf-8")
    legacy = [(page.url, page.content_type, page.body) for page in legacy_pages.pages(paragraphs, 200)]
    modern = legacy_pages.modern(paragraphs, args.made * 1_000_000)

    def batches(path):
        pending = []
        for row in mojika_spark.rows_of(str(path), "auto", "replace", 0):
            pending.append({name: row.get(name) for name in names})
            if len(pending) == 500:
                yield pa.RecordBatch.from_pylist(pending, schema=schema)
                pending.clear()
        if pending:
            yield pa.RecordBatch.from_pylist(pending, schema=schema)

    schema = mojika_spark.mojika_csv.arrow_schema(mojika_spark.SCHEMA)
    names = schema.names
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        pages = bodies = 0
        with open(folder / "a.warc.gz", "wb") as file:
            for number, page in enumerate(modern):
                for one in [page, legacy[number % len(legacy)]] if number % 1000 < 46 else [page]:
                    file.writelines(web_archive.compressed([web_archive.response(*one)]))
                    pages += 1
                    bodies += len(one[2])
        (folder / "none.warc.gz").write_bytes(b"".join(web_archive.compressed([web_archive.info()])))
        size = (folder / "a.warc.gz").stat().st_size
        print(f"{pages} pages, {bodies / 1e6:.0f} MB of bodies, {size / 1e6:.1f} MB in gzip")
        found = {"a": [], "none": []}
        for _ in range(args.runs):
            for name, seen in found.items():
                start = built.processor_seconds()
                mojika_files.write_files(batches(folder / f"{name}.warc.gz"), str(folder / "out"), "kind", f"{name}.parquet")
                seen.append(built.processor_seconds() - start)
        written = sum(path.stat().st_size for path in (folder / "out").rglob("a.parquet"))
        least, most = min(found["a"]), max(found["a"])
        print(f"a core: {size / 1e6 / least:.1f} MB of gzip a second ({size / 1e6 / most:.1f} to {size / 1e6 / least:.1f})")
        print(f"a process for an archive: {min(found['none']):.3f} s ({min(found['none']):.3f} to {max(found['none']):.3f})")
        print(f"output: {written / size:.2f} bytes of Parquet for each byte of gzip")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"memory: {memory:.0f} MiB of Python at most, with the pages of this script")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--archives", type=int, default=90_000, help="[90000]")
    parser.add_argument("--megabytes", type=float, default=1000, help="of an archive, in gzip [1000]")
    parser.add_argument("--split", type=int, default=1, help="tasks of an archive [1]")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 10, 100, 1000, 3000, 10_000])
    parser.add_argument("--speed", type=float, default=18, help="MB of gzip a second of a core [18]")
    parser.add_argument("--network", type=float, default=1000, help="Gbit/s of all of them [1000]")
    parser.add_argument("--task", type=float, default=0.5, help="seconds of a task besides its bytes [0.5]")
    parser.add_argument("--start", type=float, default=0.005, help="seconds of the driver for a task [0.005]")
    parser.add_argument("--stragglers", type=float, default=0.02, help="part of the tasks that are slow [0.02]")
    parser.add_argument("--slowness", type=float, default=5, help="how many times as long they take [5]")
    parser.add_argument("--speculate", type=float, default=0, help="times as long as others before a copy begins; 0 is never [0]")
    parser.add_argument("--failures", type=float, default=0.01, help="part of the tasks that fail [0.01]")
    parser.add_argument("--seed", type=int, default=46)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--made", type=int, default=100, help="MB of bodies of the archive that is measured [100]")
    parser.add_argument("--command", help="measure this command instead of the wheel's")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    (measure if args.measure else simulate)(args)


if __name__ == "__main__":
    main()
