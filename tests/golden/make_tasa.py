#!/usr/bin/env python3
"""Golden values of TASA, cell by cell from the paper's formulas, in float64.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_tasa.py
It rewrites tasa.json beside itself. Nothing here is shared with the C++ code. A cell (query i, key j) that is padded in
either coordinate, or later than the query in a causal map, is zero wherever a convolution reads it; a causal kernel does
not read row i + 1.
"""
import json
import math
import pathlib

import torch

torch.set_default_dtype(torch.float64)
HERE = pathlib.Path(__file__).resolve().parent


def draw(g, *shape, scale=0.5):
    return torch.round(torch.randn(*shape, generator=g) * scale * 1e6) / 1e6


def dump(x):
    if isinstance(x, torch.Tensor):
        return {"shape": list(x.shape), "data": x.flatten().tolist()}
    if isinstance(x, dict):
        return {k: dump(v) for k, v in x.items()}
    return x


def convolve(maps, weight, bias, kept, causal):
    """maps: list of C matrices [T, T]; weight [O, C, 3, 3]; kept(i, j) -> bool. Returns O matrices."""
    t = maps[0].shape[0]
    out = []
    for o in range(weight.shape[0]):
        result = torch.zeros(t, t)
        for i in range(t):
            for j in range(t):
                total = float(bias[o])
                for c, m in enumerate(maps):
                    for a in (-1, 0, 1):
                        for b in (-1, 0, 1):
                            y, x = i + a, j + b
                            if not (0 <= y < t and 0 <= x < t) or not kept(y, x) or (causal and a == 1):
                                continue
                            total += float(weight[o, c, a + 1, b + 1]) * float(m[y, x])
                result[i, j] = total
        out.append(result)
    return out


def soft_rows(scores, value, allowed):
    rows = []
    for i in range(scores.shape[0]):
        keys = [j for j in range(scores.shape[1]) if allowed(i, j)]
        if not keys:
            rows.append(torch.zeros(value.shape[1]))
            continue
        top = max(float(scores[i, j]) for j in keys)
        e = [math.exp(float(scores[i, j]) - top) for j in keys]
        rows.append(sum(w / sum(e) * value[j] for w, j in zip(e, keys)))
    return torch.stack(rows)


def case(seed, mode, causal, scale, history):
    g = torch.Generator().manual_seed(seed)
    layers, batch, t, width, heads = 3, 2, 5, 6, 2
    d = width // heads
    weights = []
    for layer in range(layers):
        n = 0 if layer == 0 else (layer if mode == "dense" else 1)
        w = {"qkv.weight": draw(g, 3 * width, width), "qkv.bias": draw(g, 3 * width, scale=0.2),
             "output.weight": draw(g, width, width), "output.bias": draw(g, width, scale=0.2)}
        if n:
            w["tasa.transmit_weight"] = draw(g, n * heads, heads, 3, 3)
            w["tasa.transmit_bias"] = draw(g, n * heads, scale=0.2)
            w["tasa.aggregate_weight"] = draw(g, heads, (n + 1) * heads, 3, 3, scale=0.3)
            w["tasa.aggregate_bias"] = draw(g, heads, scale=0.2)
        weights.append(w)
    x = draw(g, layers, batch, t, width, scale=1)
    keep = torch.tensor([[True] * 5, [False, True, True, True, False]])
    divisor = math.sqrt(d if scale == "head" else width)
    outputs = []
    for b in range(batch):
        def kept(i, j):
            return bool(keep[b, i]) and bool(keep[b, j]) and (not causal or j <= i)
        logits, earlier = [], []  # of each layer: H matrices; (keys, values)
        for layer in range(layers):
            w = weights[layer]
            q, k, v = (x[layer, b] @ w["qkv.weight"].T + w["qkv.bias"]).split(width, 1)
            cut = [slice(h * d, (h + 1) * d) for h in range(heads)]
            own = [q[:, c] @ k[:, c].T for c in cut]
            if layer:
                sources = logits if mode == "dense" else logits[-1:]
                received = []
                for s, maps in enumerate(sources):
                    rows = slice(s * heads, (s + 1) * heads)
                    received += convolve(maps, w["tasa.transmit_weight"][rows], w["tasa.transmit_bias"][rows], kept,
                                         causal)
                own = convolve(received + own, w["tasa.aggregate_weight"], w["tasa.aggregate_bias"], kept, causal)
            logits.append(own)

            def allowed(i, j):
                return bool(keep[b, j]) and (not causal or j <= i)
            joined = torch.cat([soft_rows(own[h] / divisor, v[:, cut[h]], allowed) for h in range(heads)], 1)
            for past in range(layer - 1, max(layer - 1 - history, -1), -1):  # Hiformer Eq. 10, plain logits
                pk, pv = earlier[past]
                joined = joined + torch.cat(
                    [soft_rows(q[:, c] @ pk[:, c].T / divisor, pv[:, c], allowed) for c in cut], 1)
            earlier.append((k, v))
            outputs.append(joined @ w["output.weight"].T + w["output.bias"])
    y = torch.stack(outputs).reshape(batch, layers, t, width).transpose(0, 1)
    return {"options": {"mode": mode, "causal": causal, "scale": scale, "history": history, "width": width,
                        "heads": heads},
            "inputs": {"x": x, "key_keep": keep.to(torch.int64)},
            "weights": {str(layer): w for layer, w in enumerate(weights)}, "expected": {"y": y}}


def main():
    cases, seed = {}, 1
    for mode in ("residual", "dense"):
        for causal in (False, True):
            for scale, history in (("head", 0), ("width", 1)):
                cases[f"{mode}, causal {int(causal)}, {scale}, history {history}"] = \
                    case(seed, mode, causal, scale, history)
                seed += 1
    (HERE / "tasa.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")


main()
