# Licensed under the Apache License, Version 2.0 (see the file LICENSE).
"""Times a table's rows on two ways into pandas, and compares them; scripts/python-check runs it."""

import statistics
import subprocess
import sys
import time

import pandas

import spyhop

address, rows, csv, *program = sys.argv[1:]
ROUNDS = 3


def by_gateway():
    with spyhop.connect(address) as connection:
        begin = time.perf_counter()
        frame = connection.query("million").to_pandas()
        return time.perf_counter() - begin, frame


def by_csv():
    """The time of the program is its own word: a JVM's start does not count."""
    said = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    begin = time.perf_counter()
    frame = pandas.read_csv(csv, parse_dates=["day"])
    return float(said.split()[-1]) + time.perf_counter() - begin, frame


times = {by_gateway: [], by_csv: []}
for turn in range(ROUNDS):
    for way in times if turn % 2 == 0 else reversed(times):
        seconds, frame = way()
        times[way].append(seconds)
        assert len(frame) == int(rows), len(frame)
        assert frame["id"].tolist() == list(range(int(rows)))
        total = frame["price"].sum()
        assert abs(total - sum(range(int(rows))) / 100) < 1, total
        assert frame["name"].notna().sum() == int(rows) - int(rows) // 10

for way, taken in times.items():
    print(f"{way.__name__}: {' '.join(f'{t:.2f}' for t in taken)} s")
gateway, csv_time = (statistics.median(times[way]) for way in (by_gateway, by_csv))
print(
    f"{int(rows):,} rows of 4 columns into pandas: gateway {gateway:.2f} s, "
    f"Java client and CSV {csv_time:.2f} s, {csv_time / gateway:.1f} times as long"
)
