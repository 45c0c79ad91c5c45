#!/usr/bin/env python3
"""Measures what the Python module costs. Usage: measure_python.py [DATABASE RUN PLAN_THREADS]

DATABASE and RUN are a walker's; PLAN_THREADS is the program of bench/plan_threads.cc, which is run in turn with Python's
threads, five times each. Without them what needs a model is left out. PYTHONPATH names the module (build/release/python).
"""

import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy

import kgwalk

THREADS, PLANS, ROUNDS = 8, 400, 5


def microseconds(call, times=20000):
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, time.perf_counter() - began)
    return 1e6 * best / times


def seconds_of_import():
    script = "import time; began = time.perf_counter(); import kgwalk; print(time.perf_counter() - began)"
    return min(float(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout) for _ in range(5))


def large_table():
    rows, columns = 1_000_000, 256
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/facts.txt", "w", encoding="utf-8") as facts:
            facts.write("a\tto\tb\n")
        kgwalk.ingest(f"{folder}/kg.db", f"{folder}/facts.txt")
        with kgwalk.Store.open(f"{folder}/kg.db", write=True) as store:
            store.put_table("large", numpy.zeros((rows, columns), dtype=numpy.float32))
            began = time.perf_counter()
            table = store.get_table("large")
            read = time.perf_counter() - began
    view = microseconds(lambda: table.values, 100)
    same = table.values.__array_interface__["data"] == table.values.__array_interface__["data"]
    return read, view, same, table.values.shape


def plans_a_second(planner):
    graph = planner.graph
    starts = [graph.entity_name(i % graph.num_connected) for i in range(PLANS)]

    def work(share):
        for start in share:
            planner.plan(start=start)

    threads = [threading.Thread(target=work, args=[starts[i::THREADS]]) for i in range(THREADS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return PLANS / (time.perf_counter() - began)


def main():
    print(f"import kgwalk: {seconds_of_import():.3f} s, the best of five")
    graph = kgwalk.KnowledgeGraph.from_triples([("a", "to", "b"), ("b", "to", "c")])
    print(f"a call, entity_name(): {microseconds(lambda: graph.entity_name(0)):.2f} us")
    print(f"a view, out_edges(): {microseconds(lambda: graph.out_edges(0)):.2f} us")
    read, view, same, shape = large_table()
    print(f"a table {shape}: read in {read:.2f} s, seen by numpy in {view:.1f} us, the same memory: {same}")
    if len(sys.argv) < 4:
        return
    database, run, program = sys.argv[1:4]
    planner = kgwalk.Planner.open(database, run, threads=1)
    plans_a_second(planner)
    here, there = [], []
    for _ in range(ROUNDS):
        here.append(plans_a_second(planner))
        command = [program, database, run, str(THREADS), str(PLANS)]
        there.append(float(subprocess.run(command, capture_output=True, check=True).stdout))
    ratios = [a / b for a, b in zip(here, there)]
    print(f"plans a second from {THREADS} threads: {statistics.median(here):.1f}, in C++ {statistics.median(there):.1f}")
    print(f"ratio: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
