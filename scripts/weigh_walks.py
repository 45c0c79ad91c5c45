#!/usr/bin/env python3
"""OpenDialKG's triples as csv with a weight: 1 and how often the training dialogues walk the edge, either way.

Usage: weigh_walks.py OPENDIALKG > weighted.csv
"""
import collections
import csv
import json
import pathlib
import sys

csv.field_size_limit(1 << 30)
folder = pathlib.Path(sys.argv[1])
walks = collections.Counter()


def key(head, relation, tail):
    """The same for an edge and its inverse."""
    head, relation, tail = (" ".join(part.lower().split()) for part in (head, relation, tail))
    return (tail, relation[1:].strip(), head) if relation.startswith("~") else (head, relation, tail)


for name in ("train.csv", "train_turns.csv"):
    with open(folder / name, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for message in json.loads(row["Messages"]):
                path = message.get("metadata", {}).get("path")
                for hop in path[1] if path else []:
                    walks[key(*hop)] += 1

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["head", "relation", "tail", "weight"])
with open(folder / "opendialkg_triples.txt", encoding="utf-8") as file:
    for line in file:
        head, relation, tail = line.rstrip("\n").split("\t")
        if not relation.startswith("~"):  # ingest adds the inverses
            out.writerow([head, relation, tail, 1 + walks[key(head, relation, tail)]])
