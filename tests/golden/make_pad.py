#!/usr/bin/env python3
"""Golden values of PAD (thesis Eq. 4.1 to 4.3 and the spans of AASA), in plain Python with its floats.

Run:  python3 tests/golden/make_pad.py
It rewrites pad.json beside itself. Nothing here is shared with the C++ code.
"""
import json
import math
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
LAYERS, HEADS, ROOM, LENGTH, TOKENS, WIDTH = 2, 3, 13, 11, 4, 5
XI, HALF_WIDTHS = 4, [2, 4, 8]


def numbers(shape, rng):
    return [numbers(shape[1:], rng) for _ in range(shape[0])] if shape else round(rng.gauss(0, 1), 6)


def shape_of(x):
    return [len(x)] + shape_of(x[0]) if isinstance(x, list) else []


def flat(x):
    return [v for row in x for v in flat(row)] if isinstance(x, list) else [x]


def tensor(x):
    return {"shape": shape_of(x), "data": flat(x)}


def softmax(row):
    e = [math.exp(v - max(row)) for v in row]
    return [v / sum(e) for v in e]


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def mean(rows):
    return [sum(column) / len(rows) for column in zip(*rows)]


def significance(logits):
    """Eq. 4.3: what a unit receives of all units' attention, over heads and layers; padding takes no part."""
    received = [0.0] * LENGTH
    for layer in logits:
        for head in layer:
            for query in head[:LENGTH]:
                for key, weight in enumerate(softmax(query[:LENGTH])):
                    received[key] += weight
    return [r / sum(received) for r in received]


def local_loss(speech, text):
    """Eq. 4.2: every token finds its likest unit of speech."""
    return -sum(max(cosine(s, t) for s in speech) for t in text) / len(text)


def anchors_of(prior):
    """Algorithm 2: units by falling significance, none within xi / 2 of one that was taken."""
    taken = []
    for i in sorted(range(LENGTH), key=lambda i: -prior[i]):
        if all(abs(i - j) > XI / 2 for j in taken):
            taken.append(i)
    return taken


def main():
    rng = random.Random(41)
    logits = numbers([LAYERS, HEADS, ROOM, ROOM], rng)
    speech, text = numbers([LENGTH, WIDTH], rng), numbers([TOKENS, WIDTH], rng)
    prior = significance(logits)
    anchors = anchors_of(prior)
    pool = [[mean(speech[max(0, a - s):a + s + 1]) for s in HALF_WIDTHS] for a in anchors]
    spans = [span for row in pool for span in row]
    pooled = mean(speech), mean(text)
    case = {"options": {"xi": XI, "half_widths": HALF_WIDTHS, "pooling": "mean", "length": LENGTH},
            "inputs": {"attention_logits": tensor(logits), "speech": tensor(speech), "text": tensor(text)},
            "expected": {"significance": tensor(prior), "local_loss": tensor(local_loss(speech, text)),
                         "global_mean_l1": tensor(sum(abs(a - b) for a, b in zip(*pooled))),
                         "anchors": tensor([float(a) for a in anchors]), "span_pool": tensor(pool),
                         "span_local_loss": tensor(local_loss(spans, text))}}
    (HERE / "pad.json").write_text(json.dumps({"case": case}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
