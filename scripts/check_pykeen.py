#!/usr/bin/env python3
"""Whether kgwalk ranks as PyKEEN does, and what PyKEEN makes of kgwalk's tables.

Usage: scripts/check_pykeen.py RUN TRAIN VALID TEST [--count N]
       scripts/check_pykeen.py --ranks FILE

RUN     folder of `kgwalk link-prediction --run RUN`, of any model; TransE with the L2 norm
Others  the files it read.
FILE    a table of ranks: test_ranks.tsv, or what `kgwalk eval paths --ranks FILE` wrote of a walker

With RUN, PyKEEN's RankBasedEvaluator is given the scores of the run's vectors for the first N triples of TEST (all unless told), and
ranks and filters them itself; then it is given the ranks of RUN/test_ranks.tsv. Prints what it makes of both, and fails where they
differ. Needs PyKEEN, which brings torch and pandas."""
import argparse
import json
import pathlib
import sys

import numpy as np
import torch
from pykeen.evaluation import RankBasedEvaluator

parser = argparse.ArgumentParser()
parser.add_argument("run", type=pathlib.Path, nargs="?")
parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="TRAIN VALID TEST")
parser.add_argument("--count", type=int)
parser.add_argument("--ranks", type=pathlib.Path)
options = parser.parse_args()
if (options.ranks is None) == (options.run is None) or (options.run and len(options.files) != 3):
    parser.error("give RUN TRAIN VALID TEST, or --ranks FILE")


def metrics(evaluator, side="both"):
    found = evaluator.finalize()
    return {name: found.get_metric(f"{side}.realistic.{name}") for name in ("mrr", "hits_at_1", "hits_at_3", "hits_at_10")}


def of_table(file, num_entities, count=None):
    """An evaluator with the ranks of a table, and the side that it can tell of: a walker is asked for tails alone."""
    evaluator = RankBasedEvaluator(filtered=True)
    evaluator.num_entities = num_entities
    rows = [line.rstrip("\n").split("\t") for line in open(file, encoding="utf-8")][1:]
    sides = [side for side, column in (("head", 3), ("tail", 4)) if rows[0][column]]
    for side in sides:
        ranks = np.array([float(row[3 if side == "head" else 4]) for row in rows[:count]])
        for kind in ("optimistic", "realistic", "pessimistic"):
            evaluator.ranks[side, kind].append(ranks)
        evaluator.num_candidates[side].append(np.full(len(ranks), num_entities))
    return evaluator, "both" if len(sides) == 2 else sides[0]


if options.ranks:
    print("PyKEEN on", options.ranks, metrics(*of_table(options.ranks, 1)))
    sys.exit()


def vectors(file):
    """The tables of a safetensors file, and the configuration they were trained with."""
    data = file.read_bytes()
    length = int.from_bytes(data[:8], "little")
    tables = json.loads(data[8 : 8 + length])
    read = lambda t: np.frombuffer(data[8 + length :][slice(*t["data_offsets"])], "<f4").reshape(t["shape"])
    config = json.loads(tables["__metadata__"]["embedding_training"])["config"]
    return {name: torch.from_numpy(read(t).copy()).double() for name, t in tables.items() if t.get("dtype") == "F32"}, config


tables, config = vectors(options.run / "checkpoints" / "last" / "embedding.safetensors")
entity, relation = tables["entities"], tables["relations"]
entity_ids, relation_ids = {}, {}
splits = []
for file in options.files:
    rows = [line.rstrip("\r\n").split("\t") for line in open(file, encoding="utf-8")]
    number = lambda names, name: names.setdefault(name, len(names))
    splits.append([(number(entity_ids, h), number(relation_ids, r), number(entity_ids, t)) for h, r, t in rows])
test = torch.tensor(splits[2][: options.count])
known = {"head": {}, "tail": {}}
for h, r, t in sum(splits, []):
    known["head"].setdefault((r, t), []).append(h)
    known["tail"].setdefault((h, r), []).append(t)


def complexes(rows):
    return torch.complex(*(half.contiguous() for half in rows.chunk(2, -1)))


def scores_of(batch, side):
    """Scores of all entities at one end of facts, as the papers write them: [facts, entities]."""
    h, r, t = batch.T
    given = entity[t if side == "head" else h]
    backwards = side == "head"
    if backwards and config["reciprocal"]:
        r, backwards = r + len(relation_ids), False
    r = relation[r]
    if config["model"] == "transe":
        return -torch.cdist(given - r if backwards else given + r, entity)
    if config["model"] == "distmult":
        return given * r @ entity.T
    given, r = complexes(given), complexes(r)
    turned = given * (r.conj() if backwards else r)
    if config["model"] == "complex":
        return (turned @ complexes(entity).conj().T).real
    return -torch.cdist(torch.cat([turned.real, turned.imag], 1), entity)


own = RankBasedEvaluator(filtered=True)
for side, place in (("head", 0), ("tail", 2)):
    for begin in range(0, len(test), 256):
        batch = test[begin : begin + 256]
        scores = scores_of(batch, side)
        true = scores.gather(1, batch[:, place : place + 1])
        for row, (a, b, c) in enumerate(batch.tolist()):
            scores[row, known[side][(b, c) if side == "head" else (a, b)]] = float("nan")
        scores.scatter_(1, batch[:, place : place + 1], true)
        own.process_scores_(hrt_batch=batch, target=side, scores=scores, true_scores=true)

table, side = of_table(options.run / "test_ranks.tsv", len(entity), options.count)
ours, theirs = metrics(table, side), metrics(own)
print("PyKEEN on the scores:         ", theirs)
print("PyKEEN on test_ranks.tsv:     ", ours)
sys.exit(any(abs(ours[name] - theirs[name]) > 1e-4 for name in ours))
