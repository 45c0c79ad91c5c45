#!/usr/bin/env python3
"""Golden values of zero-shot scoring (thesis Eq. 5.7) and of the loss (Eq. 5.8 without its L2 term), in plain Python with its
floats.

Run:  python3 tests/golden/make_walker.py
It rewrites walker.json beside itself. Each state has candidates of its own, as many as its entity has edges, and eop last;
MP = [relation; tail]. Nothing here is shared with the C++ code.
"""
import json
import math
import random

from make_pad import HERE, numbers, softmax, tensor

ENTITIES, RELATIONS, WIDTH, HOPS = 6, 3, 4, 2  # WIDTH of an entity and of a relation
GAMMA, LAMBDA = 0.1, 0.9
CANDIDATES = [[[0, 1], [0, 2], [1, 3], [2, 5], [2, 0], [1, 1]], [[2, 4]], [[1, 5], [1, 2], [0, 0]], [[0, 3], [2, 3]]]
GOLD = [3, 1, 0, 2]  # 1 of the second and 2 of the fourth are eop
LENGTHS = [1, 0, 1, 0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def main():
    rng = random.Random(57)
    entities, relations = numbers([ENTITIES, WIDTH], rng), numbers([RELATIONS, WIDTH], rng)
    eop = numbers([2 * WIDTH], rng)
    states, length_logits = numbers([len(CANDIDATES), 2 * WIDTH], rng), numbers([len(CANDIDATES), HOPS], rng)
    probabilities = []
    for state, candidates in zip(states, CANDIDATES):
        ends = [relations[r] + entities[e] for r, e in candidates] + [eop]
        probabilities.append(softmax([dot(state, end) for end in ends]))
    path = -sum(math.log(p[gold]) for p, gold in zip(probabilities, GOLD)) / len(GOLD)
    length = -sum(math.log(softmax(row)[gold]) for row, gold in zip(length_logits, LENGTHS)) / len(LENGTHS)
    case = {"options": {"metapath": "[relation; tail]", "eop": "last candidate", "gamma": GAMMA, "lambda": LAMBDA},
            "inputs": {"state": tensor(states), "length_logits": tensor(length_logits), "length_gold": tensor(LENGTHS),
                       "candidates": CANDIDATES, "gold": GOLD},
            "weights": {"entities": tensor(entities), "relations": tensor(relations), "eop": tensor(eop)},
            "expected": {"probabilities": [tensor(p) for p in probabilities], "path_cross_entropy": tensor(path),
                         "length_cross_entropy": tensor(length),
                         "loss_without_l2": tensor(GAMMA * length + LAMBDA * path)}}
    (HERE / "walker.json").write_text(json.dumps({"zero_shot_scoring": case}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
