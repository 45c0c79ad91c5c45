#!/usr/bin/env python3
"""Golden values of relative positions (Transformer-XL, as in the Conformer), cell by cell, in float64.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_relative.py
It rewrites relative.json beside itself; nothing is shared with the C++ code. The logit of query i and key j is
(q_i + u) . k_j + (q_i + v) . (W_r R(i - j)), for the keys of earlier layers too.
"""
import json
import math

import torch

from make_attention import HERE, draw, dump, hi_layers


def sinusoid(distance, width):
    row = []
    for c in range(width):
        angle = distance / 10000 ** (2 * (c // 2) / width)
        row.append(math.cos(angle) if c % 2 else math.sin(angle))
    return torch.tensor(row)


def case(seed, causal, history, below):
    g = torch.Generator().manual_seed(4000 + seed)
    width, heads, d, t, batch = 6, 2, 3, 5, 2
    inner = heads * d
    n = len(hi_layers(below, history, 1))
    w = {"qkv.weight": draw(g, 3 * inner, width), "qkv.bias": draw(g, 3 * inner, scale=0.2),
         "output.weight": draw(g, width, inner), "output.bias": draw(g, width, scale=0.2),
         "relative.content_bias": draw(g, heads, d), "relative.position_bias": draw(g, heads, d),
         "relative.projection.weight": draw(g, inner, width)}
    x = draw(g, batch, t, width, scale=1)
    earlier = draw(g, max(below, 1), batch, t, 2 * inner, scale=1)
    keep = torch.tensor([[True] * 5, [False, True, True, True, False]])
    outputs = []
    for b in range(batch):
        q, k, v = (x[b] @ w["qkv.weight"].T + w["qkv.bias"]).split(inner, 1)
        sources = [(k, v)] + [tuple(earlier[i, b].split(inner, 1)) for i in hi_layers(below, history, 1)]
        rows = []
        for i in range(t):
            row = torch.zeros(inner)
            for h in range(heads):
                cut = slice(h * d, (h + 1) * d)
                u, p = w["relative.content_bias"][h], w["relative.position_bias"][h]
                for keys, values in sources:
                    seen = [j for j in range(t) if keep[b, j] and (not causal or j <= i)]
                    scores = []
                    for j in seen:
                        r = (w["relative.projection.weight"] @ sinusoid(i - j, width))[cut]
                        scores.append(float((q[i, cut] + u) @ keys[j, cut] + (q[i, cut] + p) @ r) / math.sqrt(d))
                    if not seen:
                        continue
                    e = [math.exp(s - max(scores)) for s in scores]
                    row[cut] += sum(a / sum(e) * values[j, cut] for a, j in zip(e, seen))
            rows.append(row)
        outputs.append(torch.stack(rows) @ w["output.weight"].T + w["output.bias"])
    assert n == (len(sources) - 1)
    return {"options": {"width": width, "heads": heads, "causal": causal, "history": history, "layers_below": below},
            "inputs": {"x": x, "earlier": earlier, "key_keep": keep}, "weights": w,
            "expected": {"y": torch.stack(outputs)}}


def main():
    cases = {f"causal {int(causal)}, history {history}": case(2 * history + causal, causal, history, 2 * history)
             for causal in (False, True) for history in (0, 1)}
    (HERE / "relative.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")


main()
