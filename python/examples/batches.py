"""Many plans at a time: batches.py DATABASE RUN. Threads suffice, since planning does not hold the interpreter's lock."""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import List

import kgwalk

planner = kgwalk.Planner.open(sys.argv[1], sys.argv[2], threads=1)
graph = planner.graph
starts = graph.entity_names()[: min(64, graph.num_connected)]


def plan(start: str) -> List[kgwalk.PlannedPath]:
    return planner.plan(start=start, k=1)


with ThreadPoolExecutor(max_workers=8) as pool:
    for start, paths in zip(starts, pool.map(plan, starts)):
        print(paths[0] if paths else f"{start}: no way leads out")
