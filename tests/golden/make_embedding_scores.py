#!/usr/bin/env python3
"""Golden values of the models of embeddings, in float64: scores of facts from both ends, the loss of one batch of
questions with its penalty, and the gradients of all tables by autograd.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_embedding_scores.py
It rewrites embedding_scores.json beside itself. Scores are written as their papers do, fact by fact; nothing is shared
with the C++ code.
"""
import json
import math
import pathlib

import torch

HERE = pathlib.Path(__file__).resolve().parent
ENTITIES, RELATIONS, DIM = 9, 3, 10
TAIL, HEAD = 0, 1
# Given entity, relation, end asked for, answers, weights. Entities given come back as answers, relations repeat.
QUESTIONS = [
    (0, 0, TAIL, [3, 4], [1.0, 0.5]),
    (4, 0, HEAD, [0, 2, 4], [1.0, 2.0, 1.0]),
    (7, 1, TAIL, [8], [1.0]),
    (5, 2, HEAD, [1], [1.5]),
]
SHARED = [1, 3, 6, 8, 0]


def complexes(rows):
    half = rows.shape[-1] // 2
    return torch.complex(rows[..., :half].contiguous(), rows[..., half:].contiguous())


def distance(model, norm, h, r, t):
    """The smaller, the likelier."""
    if model == "transe":
        return torch.linalg.vector_norm(h + r - t, ord=1 if norm == "l1" else 2) ** (2 if norm == "l2_squared" else 1)
    if model == "distmult":
        return -(h * r * t).sum()
    if model == "complex":
        return -(complexes(h) * complexes(r) * complexes(t).conj()).sum().real
    turned = complexes(h) * torch.polar(torch.ones_like(r), r)  # rotate: r are angles
    return (turned - complexes(t)).abs().square().sum() ** (1 if norm == "l2_squared" else 0.5)


def cubes(model, rows):
    return (complexes(rows).abs() if model in ("complex", "rotate") else rows.abs()).pow(3).sum()


def loss_of(case, entities, relations):
    def far(given, relation, side, other):
        if side == TAIL:
            return distance(case["model"], case["norm"], entities[given], relations[relation], entities[other])
        if case["reciprocal"]:
            return distance(case["model"], case["norm"], entities[given], relations[RELATIONS + relation], entities[other])
        return distance(case["model"], case["norm"], entities[other], relations[relation], entities[given])

    negatives = SHARED if case["sampling"] == "shared" else range(ENTITIES)
    count = len(SHARED) if case["sampling"] == "shared" else ENTITIES
    loss = penalty = 0
    for given, relation, side, answers, weights in QUESTIONS:
        d = torch.stack([far(given, relation, side, e) for e in negatives if e not in answers])
        row = RELATIONS + relation if case["reciprocal"] and side == HEAD else relation
        for answer, weight in zip(answers, weights):
            near = far(given, relation, side, answer)
            if case["loss"] == "softmax":
                mass = math.log(ENTITIES / count) + torch.logsumexp(-d, 0)
                loss = loss + weight * (torch.logaddexp(-near, mass) + near)
            elif case["loss"] == "self_adversarial":
                shares = torch.softmax(-d, 0).detach()
                loss = loss + weight * torch.nn.functional.softplus(near - case["margin"])
                loss = loss + weight * (shares * torch.nn.functional.softplus(case["margin"] - d)).sum()
            else:
                loss = loss + weight * torch.relu(case["margin"] + near - d).sum() / count
            used = cubes(case["model"], entities[given]) + cubes(case["model"], entities[answer])
            if case["model"] != "rotate":
                used = used + cubes(case["model"], relations[row])
            penalty = penalty + weight * used
    return loss, penalty


def cases():
    for model in ("transe", "distmult", "complex", "rotate"):
        norms = {"transe": ("l1", "l2", "l2_squared"), "rotate": ("l2", "l2_squared")}.get(model, ("l2",))
        for norm in norms:
            for loss in ("softmax", "self_adversarial", "margin"):
                for sampling in ("shared", "all"):
                    for reciprocal in (False, True):
                        yield {"model": model, "norm": norm, "loss": loss, "sampling": sampling, "reciprocal": reciprocal,
                               "margin": 1.5, "n3_penalty": 0.3 if reciprocal else 0.0}


def drawn(generator, rows, columns):
    return (torch.randn(rows, columns, generator=generator, dtype=torch.float64) * 0.5).requires_grad_()


def rounded(rows):
    return [[float(f"{x:.9g}") for x in row] for row in rows.tolist()]


found = []
generator = torch.Generator().manual_seed(7)
for case in cases():
    width = DIM // 2 if case["model"] == "rotate" else DIM
    entities = drawn(generator, ENTITIES, DIM)
    relations = drawn(generator, RELATIONS * (2 if case["reciprocal"] else 1), width)
    loss, penalty = loss_of(case, entities, relations)
    (loss + case["n3_penalty"] * penalty).backward()
    scores = [float(distance(case["model"], case["norm"], entities[h], relations[r], entities[t]))
              for h, r, t in ((0, 0, 1), (4, 1, 4), (8, 2, 3))]
    found.append({**case, "entities": rounded(entities), "relations": rounded(relations), "value": float(f"{float(loss):.9g}"),
                  "distances": [float(f"{x:.9g}") for x in scores], "entity_gradient": rounded(entities.grad),
                  "relation_gradient": rounded(relations.grad)})
(HERE / "embedding_scores.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
