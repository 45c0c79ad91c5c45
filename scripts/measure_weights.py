#!/usr/bin/env python3
"""What weights of facts do to TransE's tables and to questions: the rows of docs/results/embeddings.md.

Usage: measure_weights.py WEIGHTED.csv --vectors FOLDER        the folder of `kgwalk export --embeddings FOLDER`
       measure_weights.py WEIGHTED.csv --questions FILE        made by `kgwalk questions`

WEIGHTED.csv is of weigh_walks.py. Of vectors: the tail of 1,500 facts that dialogues walk (weight above 1), and of as many that they do
not, among all entities but the other tails of head and relation (drawn by the seed; L1 unless --l2). Of questions: the share that asks
about an entity of a walked fact."""
import argparse
import collections
import csv
import json
import pathlib
import random

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("weighted", type=pathlib.Path)
what = parser.add_mutually_exclusive_group(required=True)
what.add_argument("--vectors", type=pathlib.Path)
what.add_argument("--questions", type=pathlib.Path)
parser.add_argument("--count", type=int, default=1500)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--l2", action="store_true")
options = parser.parse_args()


def folded(text):
    return " ".join(text.lower().split())


facts = {}
with open(options.weighted, newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        facts[tuple(folded(row[part]) for part in ("head", "relation", "tail"))] = float(row["weight"])
walked = sorted(fact for fact, weight in facts.items() if weight > 1)
others = sorted(fact for fact, weight in facts.items() if weight <= 1)

if options.questions:
    met = {fact[end] for fact in walked for end in (0, 2)}
    lines = [json.loads(line) for line in open(options.questions, encoding="utf-8")]
    starts = [folded(line["start"]) for line in lines if "start" in line]
    print(f"{len(starts)} questions, {100 * sum(s in met for s in starts) / len(starts):.1f} % about one of {len(met)} entities of walks")
    raise SystemExit


def names(file):
    """Row of each name; files may have an id in front."""
    return {folded(line.rstrip("\n").split("\t")[-1]): i for i, line in enumerate(open(options.vectors / file, encoding="utf-8"))}


entities, relations = np.load(options.vectors / "entities.npy"), np.load(options.vectors / "relations.npy")
entity, relation = names("entities.tsv"), names("relations.tsv")
tails = collections.defaultdict(set)
for head, by, tail in facts:
    tails[head, by].add(tail)


def ranks(chosen):
    for head, by, tail in chosen:
        point = entities[entity[head]] + relations[relation[by]]
        away = np.abs(entities - point)
        away = np.square(away).sum(axis=1) if options.l2 else away.sum(axis=1)
        right = away[entity[tail]]
        away[[entity[other] for other in tails[head, by]]] = np.inf
        yield 1 + np.sum(away < right) + np.sum(away == right) / 2


draw = random.Random(options.seed)
for title, known in (("walked", walked), ("never walked", others)):
    known = [f for f in known if f[0] in entity and f[1] in relation and f[2] in entity]
    found = np.array(list(ranks(draw.sample(known, min(options.count, len(known))))))
    print(f"{len(found)} facts {title}: MRR {np.mean(1 / found):.3f}, Hits@10 {np.mean(found <= 10):.3f}")
