#!/usr/bin/env python3
"""Golden values of the pointer-generator's loss (See, Liu and Manning 2017, Eq. 8, 9, 11, 12) in float64, by plain
sums over words and positions; gradients by torch's autograd through those sums.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_pointer.py
It rewrites pointer.json beside itself. Nothing is shared with the C++ code.
"""
import json
import os

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
torch.set_default_dtype(torch.float64)


def dump(x):
    return {"shape": list(x.shape), "data": x.flatten().tolist()}


def affine(x, w, b):
    return w @ x + b


def sentence(w, states, source, copies, gold, smoothing):
    """Loss, -log P and coverage of one dialogue: states [T, D], source [Ts, D], copies and gold lists of ints."""
    width, words = states.shape[1], w["transformer.output.weight"].shape[0]
    wk, wv = w["pointer.key_value.weight"].split(width)
    bk, bv = w["pointer.key_value.bias"].split(width)
    seen = [torch.zeros(()) for _ in copies]
    loss, nll, coverage = torch.zeros(()), torch.zeros(()), torch.zeros(())
    for s, g in zip(states, gold):
        q = affine(s, w["pointer.query.weight"], w["pointer.query.bias"])
        scores = {i: q @ affine(source[i], wk, bk) / width ** 0.5 for i, c in enumerate(copies) if c >= 0}
        total = sum(torch.exp(x) for x in scores.values())
        a = {i: torch.exp(x) / total for i, x in scores.items()}
        mean = sum(a[i] * affine(source[i], wv, bv) for i in a)
        context = affine(mean, w["pointer.output.weight"], w["pointer.output.bias"])
        z = w["gate.weight"][0] @ torch.cat([s, context]) + w["gate.bias"][0]
        p_gen, p_copy = 1 / (1 + torch.exp(-z)), 1 / (1 + torch.exp(z))
        logits = [w["transformer.output.weight"][v] @ s for v in range(words)]
        norm = torch.log(sum(torch.exp(x) for x in logits))
        copied = sum((a[i] for i in a if copies[i] == g), torch.zeros(()))
        told = torch.exp(logits[g] - norm) if g < words else torch.zeros(())
        minus_log = -torch.log(p_gen * told + p_copy * copied)
        uniform = sum(norm - x for x in logits) / words
        nll = nll + minus_log
        loss = loss + (1 - smoothing) * minus_log + smoothing * uniform
        for i in a:
            coverage = coverage + torch.minimum(a[i], seen[i])
            seen[i] = seen[i] + a[i]
    return loss, nll, coverage


def case(seed, smoothing, weight):
    g = torch.Generator().manual_seed(seed)
    draw = lambda *shape: torch.randn(*shape, generator=g, dtype=torch.float64)
    d, v = 4, 7
    w = {"transformer.output.weight": draw(v, d), "pointer.query.weight": draw(d, d), "pointer.query.bias": draw(d),
         "pointer.key_value.weight": draw(2 * d, d), "pointer.key_value.bias": draw(2 * d),
         "pointer.output.weight": draw(d, d), "pointer.output.bias": draw(d), "gate.weight": draw(1, 2 * d),
         "gate.bias": draw(1)}
    states, source = draw(2, 3, d), draw(2, 5, d)
    # Piece 7 is the source's first one that is in no vocabulary; the second dialogue has four positions.
    copies, gold = [[2, 3, 7, 3, -1], [-1, 6, 6, 1, 0]], [[3, 7, 0], [6, 2]]
    lengths = [5, 4]
    leaves = [states, source, *w.values()]
    for x in leaves:
        x.requires_grad_()
    parts = [sentence(w, states[b, :len(gold[b])], source[b, :lengths[b]], copies[b][:lengths[b]], gold[b], smoothing)
             for b in range(2)]
    loss, nll, coverage = (sum(p[k] for p in parts) for k in range(3))
    (loss + weight * coverage).backward()
    keep = torch.tensor([[i < n for i in range(5)] for n in lengths]).double()
    return {"options": {"smoothing": smoothing, "coverage": weight},
            "inputs": {"states": dump(states), "source": dump(source), "keep": dump(keep), "copies": copies, "gold": gold},
            "weights": {k: dump(x) for k, x in w.items()},
            "expected": {"loss": (loss + weight * coverage).item(), "nll": nll.item(), "coverage": coverage.item(),
                         "grad_states": dump(states.grad), "grad_source": dump(source.grad),
                         "grads": {k: dump(x.grad) for k, x in w.items()}}}


def main():
    cases = {"plain": case(1, 0.0, 0.0), "smoothed": case(2, 0.1, 0.0), "covered": case(3, 0.1, 0.7)}
    with open(os.path.join(HERE, "pointer.json"), "w", encoding="utf-8") as f:
        json.dump(cases, f)
        f.write("\n")


if __name__ == "__main__":
    main()
