#!/usr/bin/env python3
"""Golden values of grouped heads, from the thesis' formulas by plain loops, in float64.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_grouped_heads.py
It rewrites grouped_heads.json beside itself. Nothing here is shared with the C++ code.
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


def cosine(a, b):
    return float(a @ b) / (float(a.norm()) * float(b.norm()))


def mean_of(rows):
    return sum(rows) / len(rows)


def features_case(seed, memory):
    """Feature maps of one attention layer: means over kept positions; weights by key offset, clipped to the reach."""
    g = torch.Generator().manual_seed(seed)
    width, heads, reach, batch = 6, 2, 2, 2
    d = width // heads
    tq, tk = (4, 5) if memory else (5, 5)
    names = {"query": width, "key_value": 2 * width} if memory else {"qkv": 3 * width}
    w = {}
    for name, out in names.items():
        w[name + ".weight"], w[name + ".bias"] = draw(g, out, width), draw(g, out, scale=0.2)
    w["output.weight"], w["output.bias"] = draw(g, width, width), draw(g, width, scale=0.2)
    x, states = draw(g, batch, tq, width, scale=1), draw(g, batch, tk, width, scale=1)
    key_keep = torch.tensor([[True] * tk, [True, True, True, False, False]])
    query_keep = torch.tensor([[True] * 4, [True, True, False, False]]) if memory else key_keep
    values, outputs, maps = [[] for _ in range(heads)], [[] for _ in range(heads)], [[] for _ in range(heads)]
    for b in range(batch):
        if memory:
            q = x[b] @ w["query.weight"].T + w["query.bias"]
            k, v = (states[b] @ w["key_value.weight"].T + w["key_value.bias"]).split(width, 1)
        else:
            q, k, v = (x[b] @ w["qkv.weight"].T + w["qkv.bias"]).split(width, 1)
        keys = [j for j in range(tk) if key_keep[b, j]]
        for h in range(heads):
            c = slice(h * d, (h + 1) * d)
            values[h] += [v[j, c] for j in keys]
            for i in range(tq):
                if not query_keep[b, i]:
                    continue
                e = [math.exp(float(q[i, c] @ k[j, c]) / math.sqrt(d)) for j in keys]
                a = [z / sum(e) for z in e]
                outputs[h].append(sum(p * v[j, c] for p, j in zip(a, keys)))
                histogram = torch.zeros(2 * reach + 1)
                for p, j in zip(a, keys):
                    histogram[max(-reach, min(reach, j - i)) + reach] += p
                maps[h].append(histogram)
    return {"options": {"width": width, "heads": heads, "reach": reach, "memory": memory},
            "inputs": {"x": x, "states": states, "key_keep": key_keep.to(torch.int64),
                       "query_keep": query_keep.to(torch.int64)},
            "weights": w,
            "expected": {"value": torch.stack([mean_of(r) for r in values]),
                         "output": torch.stack([mean_of(r) for r in outputs]),
                         "attention": torch.stack([mean_of(r) for r in maps])}}


def quality(points, groups):
    k = len(points)

    def distance(i, j):
        return float((points[i] - points[j]).norm())
    total = 0.0
    for i in range(k):
        own = [j for j in range(k) if groups[j] == groups[i] and j != i]
        if not own:
            continue
        a = sum(distance(i, j) for j in own) / len(own)
        b = min(mean_of([distance(i, j) for j in range(k) if groups[j] == other])
                for other in set(groups) - {groups[i]})
        total += (b - a) / max(a, b)
    apart = min(distance(i, j) for i in range(k) for j in range(k) if groups[i] != groups[j])
    wide = max(distance(i, j) for i in range(k) for j in range(k) if groups[i] == groups[j])
    return total / k, apart / wide


def loss_case(seed, layers, heads, groups, width, alpha, beta):
    g = torch.Generator().manual_seed(seed)
    features = draw(g, layers, heads, width, scale=1)
    assignment = torch.stack([torch.cat([torch.arange(groups), torch.randint(groups, (heads - groups,), generator=g)])
                              [torch.randperm(heads, generator=g)] for _ in range(layers)])
    weight, bias = draw(g, layers, groups, width), draw(g, layers, groups)
    a_own = a_other = b_own = b_pair = 0.0
    own_likeness, vote = torch.zeros(layers, heads), torch.zeros(layers, heads)
    silhouettes, dunns, centroids = [], [], []
    for l in range(layers):
        z = [mean_of([features[l, i] for i in range(heads) if assignment[l, i] == j]) for j in range(groups)]
        for i in range(heads):
            j1 = int(assignment[l, i])
            own_likeness[l, i] = cosine(features[l, i], z[j1])
            b_own += float(own_likeness[l, i])
            scores = [float(weight[l, j] @ features[l, i] + bias[l, j]) for j in range(groups)]
            top = math.log(sum(math.exp(s) for s in scores))
            a_own += scores[j1] - top
            a_other += sum(scores[j2] - top for j2 in range(groups) if j2 != j1)
        b_pair += sum(cosine(z[j1], z[j2]) for j1 in range(groups) for j2 in range(j1 + 1, groups))
        centroids.append(torch.stack(z))
        for j in range(groups):  # Algorithm 1: the head nearest to the hidden unit of its group
            vote[l, max((i for i in range(heads) if assignment[l, i] == j), key=lambda i: float(own_likeness[l, i]))] = 1
        s, q = quality(list(features[l]), assignment[l].tolist())
        silhouettes.append(s)
        dunns.append(q)
    n, pairs = heads * layers, groups * (groups - 1) / 2 * layers
    form_a = -alpha * a_own / n + beta * a_other / ((groups - 1) * n)
    form_b = -alpha * b_own / n + beta * b_pair / pairs
    return {"options": {"alpha": alpha, "beta": beta, "groups": groups},
            "inputs": {"features": features, "assignment": assignment}, "weights": {"weight": weight, "bias": bias},
            "expected": {"classify": torch.tensor(form_a), "metric": torch.tensor(form_b),
                         "centroids": torch.stack(centroids), "similarity_to_own_centroid": own_likeness,
                         "homogenisation": torch.tensor(b_own / n), "diversification": torch.tensor(b_pair / pairs),
                         "one_batch_vote": vote, "silhouette": torch.tensor(silhouettes), "dunn": torch.tensor(dunns)}}


def tokens_case(seed, width=8, heads=4, groups=2, alpha=0.7, beta=0.4):
    """Eq. 3.4 of one layer of self-attention with e and z at every position, averaged over the kept ones."""
    g = torch.Generator().manual_seed(seed)
    d, batch, t = width // heads, 2, 4
    w = {"qkv.weight": draw(g, 3 * width, width), "qkv.bias": draw(g, 3 * width, scale=0.2),
         "output.weight": draw(g, width, width), "output.bias": draw(g, width, scale=0.2)}
    x, weight, bias = draw(g, batch, t, width, scale=1), draw(g, 1, groups, d), draw(g, 1, groups)
    keep = torch.tensor([[True] * t, [True, True, False, False]])
    own = [0, 1, 1, 0]
    sums = {"value": [0.0] * 4, "output": [0.0] * 4}  # to the own group, between groups, log p own, log p others
    near = {"value": torch.zeros(heads), "output": torch.zeros(heads)}
    for b in range(batch):
        q, k, v = (x[b] @ w["qkv.weight"].T + w["qkv.bias"]).split(width, 1)
        kept = [j for j in range(t) if keep[b, j]]
        for i in kept:
            maps = {"value": [], "output": []}
            for h in range(heads):
                c = slice(h * d, (h + 1) * d)
                e = [math.exp(float(q[i, c] @ k[j, c]) / math.sqrt(d)) for j in kept]
                maps["value"].append(v[i, c])
                maps["output"].append(sum(a / sum(e) * v[j, c] for a, j in zip(e, kept)))
            for name, e in maps.items():
                z = [mean_of([e[h] for h in range(heads) if own[h] == j]) for j in range(groups)]
                s = sums[name]
                s[1] += cosine(z[0], z[1])
                for h in range(heads):
                    s[0] += cosine(e[h], z[own[h]])
                    near[name][h] += cosine(e[h], z[own[h]])
                    scores = [float(weight[0, j] @ e[h] + bias[0, j]) for j in range(groups)]
                    top = math.log(sum(math.exp(y) for y in scores))
                    s[2] += scores[own[h]] - top
                    s[3] += scores[1 - own[h]] - top
    m = int(keep.sum())
    expected = {}
    for name, s in sums.items():
        expected["metric " + name] = torch.tensor(-alpha * s[0] / (m * heads) + beta * s[1] / m)
        expected["classify " + name] = torch.tensor((-alpha * s[2] + beta * s[3]) / (m * heads))
        expected["near " + name] = near[name] / m
    return {"options": {"width": width, "heads": heads, "groups": groups, "alpha": alpha, "beta": beta},
            "inputs": {"x": x, "keep": keep.to(torch.int64), "assignment": torch.tensor([own])},
            "weights": w, "classifier": {"weight": weight, "bias": bias}, "expected": expected}


def main():
    cases = {"tokens": tokens_case(5),
             "features, self": features_case(1, False), "features, memory": features_case(2, True),
             "loss, 2 groups": loss_case(3, 3, 6, 2, 5, 0.7, 0.5), "loss, 3 groups": loss_case(4, 2, 8, 3, 4, 0.3, 1.0)}
    (HERE / "grouped_heads.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")


main()
