#!/usr/bin/env python3
"""Golden values of hi-attention over the inputs of four layers (Hiformer Eq. 6, 7, 9 and 10), one head and one query at a
time, in float64.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_hi_attention.py
It rewrites hi_attention.json beside itself. Each layer projects its own input; the layer asked has queries, all layers that
it looks into have keys and values. Projections act as x W and have no biases. Nothing is shared with the C++ code.
"""
import json

import torch

from make_attention import HERE, draw, dump, hi_layers, one_head

LAYERS, BATCH, TIME, WIDTH, HEADS = 4, 2, 5, 6, 2
D = WIDTH // HEADS
LENGTHS = [5, 3]


def heads_of(x, query, key_value, w, allowed):
    """A head each, [T, d]: the queries of one layer to the keys and values of another."""
    q, k, v = (x[query] @ w["wq"][query], x[key_value] @ w["wk"][key_value], x[key_value] @ w["wv"][key_value])
    return [one_head(*(z[:, h * D:(h + 1) * D] for z in (q, k, v)), allowed) for h in range(HEADS)]


def combined(x, layer, earlier, w, allowed):
    """Every way to bring the layers together, for one example: x [L, T, D]."""
    own = heads_of(x, layer, layer, w, allowed)
    below = [heads_of(x, layer, l, w, allowed) for l in earlier]  # nearest first
    plain = torch.cat(own, 1) @ w["wo"][layer]
    sums = [sum((b[h] for b in below), own[h]) for h in range(HEADS)]
    result = {"plain": plain, "sum_eq10": torch.cat(sums, 1) @ w["wo"][layer], "concat_eq9": plain, "concat_eq6": plain}
    if below:
        result["concat_eq9"] = plain + torch.cat([head for b in below for head in b], 1) @ w["w_concat_eq9"]
        joined = [own[h] + torch.cat([b[h] for b in below], 1) @ w["w_concat_eq6"] for h in range(HEADS)]
        result["concat_eq6"] = torch.cat(joined, 1) @ w["wo"][layer]
    return result


def case(seed, layer, history, dilation, causal):
    g = torch.Generator().manual_seed(4000 + seed)
    earlier = hi_layers(layer, history, dilation)
    n = max(len(earlier), 1)
    x = draw(g, LAYERS, BATCH, TIME, WIDTH, scale=1)
    w = {name: draw(g, LAYERS, WIDTH, WIDTH) for name in ("wq", "wk", "wv", "wo")}
    w["w_concat_eq9"], w["w_concat_eq6"] = draw(g, n * WIDTH, WIDTH), draw(g, n * D, D)
    rows = [combined(x[:, b], layer, earlier, w, lambda i, j: j < LENGTHS[b] and (not causal or j <= i))
            for b in range(BATCH)]
    return {"options": {"heads": HEADS, "history": history, "dilation": dilation, "causal": causal, "layer": layer},
            "inputs": {"x": x, "lengths": torch.tensor(LENGTHS)}, "weights": w,
            "expected": {name: torch.stack([row[name] for row in rows]) for name in rows[0]}}


def main():
    cases, seed = {}, 0
    for causal in (False, True):
        for layer, history, dilation in ((3, 0, 1), (3, 1, 1), (3, 2, 1), (3, 2, 2), (2, 2, 2), (1, 3, 1)):
            name = f"layer {layer}, history {history}, dilation {dilation}, causal {int(causal)}"
            cases[name] = case(seed, layer, history, dilation, causal)
            seed += 1
    (HERE / "hi_attention.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
