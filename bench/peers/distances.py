#!/usr/bin/env python3
"""Exact distances beside NetworKit and igraph: all pairs, rows of many sources, single pairs (P18).

Usage: distances.py TRIPLES [--all-pairs] [--sources N] [--pairs N]

TRIPLES: head, relation and tail a line, between tabs; edges are taken both ways, as kgwalk has them. One thread each;
distances are compared before they are timed. igraph makes lists of Python of what it finds, NetworKit vectors of
doubles: that is what their users get. PYTHONPATH must hold the module kgwalk (build/release/python).
"""
import argparse
import sys
import time

import igraph
import kgwalk
import networkit
import numpy

CHUNK = 256  # sources at once, so that the lists of igraph fit


def seconds_of(call):
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def networkit_rows(graph, sources):
    out = []
    for source in sources:
        search = networkit.distance.BFS(graph, int(source), storePaths=False)
        search.run()
        out.append(search.getDistances())
    return out


def igraph_rows(graph, sources):
    out = []
    for begin in range(0, len(sources), CHUNK):
        out += graph.distances(source=[int(s) for s in sources[begin : begin + CHUNK]])
    return out


def check(name, ours, theirs):
    for row, other in zip(ours, theirs):
        found = numpy.asarray(other, dtype=float)
        found = numpy.where((found > 1e6) | numpy.isinf(found), 255, found)
        if not numpy.array_equal(row, found.astype(numpy.uint8)):
            sys.exit(f"{name}: distances differ")


def told(what, ours, others):
    text = ", ".join(f"{name} {seconds:.4g} s ({seconds / ours:.0f} times)" for name, seconds in others.items())
    print(f"{what}: ours {ours:.4g} s; {text}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("triples")
    parser.add_argument("--all-pairs", action="store_true")
    parser.add_argument("--sources", type=int, default=512)
    parser.add_argument("--pairs", type=int, default=200)
    arguments = parser.parse_args()
    kgwalk.set_num_threads(1)
    networkit.setNumberOfThreads(1)
    with open(arguments.triples) as lines:
        facts = (tuple(line.rstrip("\n").split("\t")) for line in lines)
        graph = kgwalk.KnowledgeGraph.from_triples([fact for fact in facts if len(fact) == 3 and all(fact)])
    n = graph.num_entities
    pairs = {(min(e, int(t)), max(e, int(t))) for e in range(n) for t in graph.neighbors(e) if int(t) != e}
    print(f"{n:,} entities, {len(pairs):,} pairs with an edge")
    nk, ig = networkit.Graph(n), igraph.Graph(n=n, edges=list(pairs))
    for a, b in pairs:
        nk.addEdge(a, b)
    random = numpy.random.default_rng(1)
    sources = random.choice(n, arguments.sources, replace=False).astype(numpy.uint32)
    check("rows", kgwalk.distance_rows(graph, sources[:16]), networkit_rows(nk, sources[:16]))
    check("rows", kgwalk.distance_rows(graph, sources[:16]), igraph_rows(ig, sources[:16]))
    ours = min(seconds_of(lambda: kgwalk.distance_rows(graph, sources))[0] for _ in range(3))
    others = {
        "NetworKit": seconds_of(lambda: networkit_rows(nk, sources))[0],
        "igraph": seconds_of(lambda: igraph_rows(ig, sources))[0],
    }
    told(f"rows of {len(sources)} sources", ours, others)

    index = kgwalk.DistanceIndex.build(graph)
    a, b = (random.integers(0, n, arguments.pairs).astype(numpy.uint32) for _ in range(2))
    found = index.distances(a, b)
    many = [numpy.resize(each, 100_000) for each in (a, b)]
    ours = min(seconds_of(lambda: index.distances(*many))[0] for _ in range(3)) / len(many[0])

    def by_networkit():
        out = []
        for x, y in zip(a.tolist(), b.tolist()):
            search = networkit.distance.BidirectionalBFS(nk, x, y, storePred=False)
            search.run()
            out.append(search.getDistance())
        return out

    def by_igraph():
        return [ig.distances(source=[x], target=[y])[0][0] for x, y in zip(a.tolist(), b.tolist())]

    others = {}
    for name, call in (("NetworKit", by_networkit), ("igraph", by_igraph)):
        seconds, theirs = seconds_of(call)
        check(name, [found], [theirs])
        others[name] = seconds / len(a)
    told("one pair", ours, others)

    if arguments.all_pairs:
        everything = numpy.arange(n, dtype=numpy.uint32)
        ours = min(seconds_of(lambda: kgwalk.distance_rows(graph, everything))[0] for _ in range(3))

        def every_networkit():
            search = networkit.distance.APSP(nk)
            search.run()

        def every_igraph():
            for begin in range(0, n, CHUNK):
                ig.distances(source=list(range(begin, min(n, begin + CHUNK))))

        told("all pairs", ours, {"NetworKit": seconds_of(every_networkit)[0], "igraph": seconds_of(every_igraph)[0]})


if __name__ == "__main__":
    main()
