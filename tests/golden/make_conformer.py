#!/usr/bin/env python3
"""Golden values of Conformer blocks (Gulati et al., INTERSPEECH 2020, Eq. 1), position by position, in float64.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_conformer.py
It rewrites conformer.json beside itself; nothing is shared with the C++ code. A stack of two blocks: half-step
feed-forward, self-attention with relative positions, convolution module, half-step feed-forward, norm; one more norm
after the last block. Layer normalization stands in the convolution module where the paper has batch normalization.
"""
import json
import math

import torch

from make_attention import HERE, affine, draw, dump, norm
from make_relative import sinusoid

EPS = 1e-5


def swish(x):
    return x / (1 + torch.exp(-x))


def ffn(x, w, name):
    return affine(swish(affine(x, w, name + ".inner")), w, name + ".output")


def attention(x, w, name, heads, keep):
    width = x.shape[1]
    d = width // heads
    q, k, v = affine(x, w, name + ".qkv").split(width, 1)
    rows = []
    for i in range(x.shape[0]):
        row = torch.zeros(width)
        for h in range(heads):
            cut = slice(h * d, (h + 1) * d)
            u, p = w[name + ".relative.content_bias"][h], w[name + ".relative.position_bias"][h]
            seen = [j for j in range(x.shape[0]) if keep[j]]
            scores = []
            for j in seen:
                r = (w[name + ".relative.projection.weight"] @ sinusoid(i - j, width))[cut]
                scores.append(float((q[i, cut] + u) @ k[j, cut] + (q[i, cut] + p) @ r) / math.sqrt(d))
            e = [math.exp(s - max(scores)) for s in scores]
            row[cut] = sum(a / sum(e) * v[j, cut] for a, j in zip(e, seen))
        rows.append(row)
    return affine(torch.stack(rows), w, name + ".output")


def convolution(x, w, name, kernel, causal, keep):
    t, width = x.shape
    both = affine(x, w, name + ".input")
    gated = both[:, :width] / (1 + torch.exp(-both[:, width:]))
    left = kernel - 1 if causal else kernel // 2
    rows = []
    for i in range(t):
        row = w[name + ".bias"].clone()
        for k in range(kernel):
            j = i + k - left
            if 0 <= j < t and keep[j]:
                row += w[name + ".weight"][k] * gated[j]
        rows.append(row)
    return affine(swish(norm(torch.stack(rows), w, name + ".norm", EPS)), w, name + ".output")


def block(x, w, name, heads, kernel, causal, keep):
    x = x + 0.5 * ffn(norm(x, w, name + "ffn_before_norm", EPS), w, name + "ffn_before")
    x = x + attention(norm(x, w, name + "attention_norm", EPS), w, name + "attention", heads, keep)
    x = x + convolution(norm(x, w, name + "convolution_norm", EPS), w, name + "convolution", kernel, causal, keep)
    x = x + 0.5 * ffn(norm(x, w, name + "ffn_norm", EPS), w, name + "ffn")
    return norm(x, w, name + "block_norm", EPS)


def weights(g, width, heads, inner, kernel):
    w = {}
    for layer in range(2):
        name = f"layers.{layer}."
        for network in ("ffn", "ffn_before"):
            w[name + network + ".inner.weight"] = draw(g, inner, width)
            w[name + network + ".inner.bias"] = draw(g, inner, scale=0.2)
            w[name + network + ".output.weight"] = draw(g, width, inner)
            w[name + network + ".output.bias"] = draw(g, width, scale=0.2)
        w[name + "attention.qkv.weight"] = draw(g, 3 * width, width)
        w[name + "attention.qkv.bias"] = draw(g, 3 * width, scale=0.2)
        w[name + "attention.output.weight"] = draw(g, width, width)
        w[name + "attention.output.bias"] = draw(g, width, scale=0.2)
        w[name + "attention.relative.content_bias"] = draw(g, heads, width // heads)
        w[name + "attention.relative.position_bias"] = draw(g, heads, width // heads)
        w[name + "attention.relative.projection.weight"] = draw(g, width, width)
        w[name + "convolution.input.weight"] = draw(g, 2 * width, width)
        w[name + "convolution.input.bias"] = draw(g, 2 * width, scale=0.2)
        w[name + "convolution.output.weight"] = draw(g, width, width)
        w[name + "convolution.output.bias"] = draw(g, width, scale=0.2)
        w[name + "convolution.weight"] = draw(g, kernel, width)
        w[name + "convolution.bias"] = draw(g, width, scale=0.2)
        for part in ("attention_norm", "ffn_norm", "ffn_before_norm", "convolution_norm", "block_norm",
                     "convolution.norm"):
            w[name + part + ".weight"] = 1 + draw(g, width, scale=0.2)
            w[name + part + ".bias"] = draw(g, width, scale=0.2)
    w["final_norm.weight"] = 1 + draw(g, width, scale=0.2)
    w["final_norm.bias"] = draw(g, width, scale=0.2)
    return w


def case(seed, kernel, causal):
    g = torch.Generator().manual_seed(5000 + seed)
    width, heads, inner, t = 6, 2, 8, 6
    w = weights(g, width, heads, inner, kernel)
    x = draw(g, 2, t, width, scale=1)
    keep = torch.tensor([[True] * 6, [True, True, True, True, False, False]])
    y = []
    for b in range(2):
        z = x[b]
        for layer in range(2):
            z = block(z, w, f"layers.{layer}.", heads, kernel, causal, keep[b])
        y.append(norm(z, w, "final_norm", EPS))
    return {"options": {"layers": 2, "width": width, "heads": heads, "ffn_width": inner, "kernel": kernel,
                        "causal": causal},
            "inputs": {"x": x, "keep": keep}, "weights": w, "expected": {"y": torch.stack(y)}}


def main():
    cases = {"symmetric": case(1, 3, False), "causal": case(2, 4, True)}
    (HERE / "conformer.json").write_text(json.dumps(dump(cases)) + "\n")


if __name__ == "__main__":
    main()
