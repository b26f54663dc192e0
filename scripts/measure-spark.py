#!/usr/bin/env python3
"""Measures the Spark job: paths that are distributed against bytes that are shipped, and the cost of a gigabyte.

    scripts/measure-spark.py                     # 256 MB of Shift_JIS in 64 files
    scripts/measure-spark.py --megabytes 32 --rounds 2

Run it with the Python that has the wheel and PySpark, on a quiet machine. "Paths": `mojika_spark.convert` reads and decodes in
the tasks. "Bytes": Spark reads the files with its source `binaryFile`, and the SQL function `mojika_decode` decodes the column.
Both write the same text, to Parquet and to nowhere (Spark's format `noop`). Each figure is the median of alternating runs, with
the least and the greatest; core seconds are seconds times cores.
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bindings" / "spark"))

import mojika_spark
from pyspark.sql import SparkSession

LINE = "文字化けという現象は、文字コードの取り違えで起こる。ソースは表示できない。\n"


def write_files(folder, megabytes, count):
    data = (LINE * (megabytes * 1_000_000 // count // len(LINE.encode("cp932")))).encode("cp932")
    for number in range(count):
        (folder / f"{number:04}.txt").write_bytes(data)
    return len(data) * count


def session(cores):
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.memory", "3g").config("spark.log.level", "ERROR")
    spark = spark.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.addPyFile(mojika_spark.__file__)
    mojika_spark.register(spark)
    return spark


def paths(spark, folder, partitions):
    return mojika_spark.frame_of(spark, [str(folder)], "shift_jis", partitions=partitions)


def shipped(spark, folder, partitions):
    files = spark.read.format("binaryFile").load(str(folder)).repartition(partitions)
    return files.selectExpr("path", "mojika_decode(content, 'shift_jis') text")


def seconds(frame, output):
    start = time.perf_counter()
    if output is None:
        frame.write.format("noop").mode("overwrite").save()
    else:
        frame.write.mode("overwrite").parquet(output)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=256)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "in"
        folder.mkdir()
        size = write_files(folder, args.megabytes, args.files)
        print(f"{args.files} files, {size} bytes of Shift_JIS")
        for cores, partitions in ((1, 1), (2, 2), (2, args.files)):
            spark = session(cores)
            for output in (None, os.path.join(scratch, "out")):
                times = {"paths": [], "bytes": []}
                for round_ in range(args.rounds + 1):
                    for name, make in (("paths", paths), ("bytes", shipped)):
                        took = seconds(make(spark, folder, partitions), output)
                        if round_:
                            times[name].append(took)
                medians = {name: statistics.median(seen) for name, seen in times.items()}
                for name, seen in times.items():
                    print(
                        f"{cores} cores, {partitions:>3} partitions, to {'nowhere' if output is None else 'Parquet'}: {name} "
                        f"{medians[name]:.2f} s ({min(seen):.2f} to {max(seen):.2f}), "
                        f"{medians[name] * cores / size * 1e9:.1f} core seconds a GB",
                        flush=True,
                    )
                print(f"    paths are {medians['bytes'] / medians['paths']:.2f} times as fast", flush=True)
            spark.stop()


if __name__ == "__main__":
    main()
