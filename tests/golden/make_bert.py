#!/usr/bin/env python3
"""Golden values of BERT on random weights in Hugging Face's names, with torch's own operations, in float64.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_bert.py
It rewrites bert.json beside itself; nothing is shared with the C++ code. Padded positions are left out one
example at a time, so that no mask can hide an error.
"""
import json

import torch
import torch.nn.functional as F

from make_attention import HERE, draw, dump

ACT = {"gelu": F.gelu, "relu": F.relu}


def linear(x, w, name):
    return F.linear(x, w[name + ".weight"], w[name + ".bias"])


def norm(x, w, name, eps):
    return F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], eps)


def weights(g, o):
    d, f = o["hidden_size"], o["intermediate_size"]
    w = {"embeddings.word_embeddings.weight": draw(g, o["vocab_size"], d),
         "embeddings.position_embeddings.weight": draw(g, o["max_position_embeddings"], d),
         "embeddings.token_type_embeddings.weight": draw(g, o["type_vocab_size"], d)}

    def add(name, out, into):
        w[name + ".weight"], w[name + ".bias"] = draw(g, out, into), draw(g, out, scale=0.2)

    def add_norm(name):
        w[name + ".weight"], w[name + ".bias"] = 1 + draw(g, d, scale=0.2), draw(g, d, scale=0.2)

    add_norm("embeddings.LayerNorm")
    for layer in range(o["num_hidden_layers"]):
        p = f"encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            add(p + "attention.self." + part, d, d)
        add(p + "attention.output.dense", d, d)
        add_norm(p + "attention.output.LayerNorm")
        add(p + "intermediate.dense", f, d)
        add(p + "output.dense", d, f)
        add_norm(p + "output.LayerNorm")
    add("pooler.dense", d, d)
    return w


def encode(ids, types, w, o):
    """ids, types [T] without padding -> states [T, D], maps [L, H, T, T]"""
    eps, heads = o["layer_norm_eps"], o["num_attention_heads"]
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][types], w, "embeddings.LayerNorm", eps)
    maps = []
    for layer in range(o["num_hidden_layers"]):
        p = f"encoder.layer.{layer}."
        q, k, v = (linear(x, w, p + "attention.self." + n).view(len(ids), heads, -1).transpose(0, 1)
                   for n in ("query", "key", "value"))
        a = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
        maps.append(a)
        y = (a @ v).transpose(0, 1).reshape(len(ids), -1)
        x = norm(x + linear(y, w, p + "attention.output.dense"), w, p + "attention.output.LayerNorm", eps)
        y = linear(ACT[o["hidden_act"]](linear(x, w, p + "intermediate.dense")), w, p + "output.dense")
        x = norm(x + y, w, p + "output.LayerNorm", eps)
    return x, torch.stack(maps)


def significance(maps):
    """Eq. 4.3 as a double loop: what each position receives, as a share of all of its layer."""
    layers, heads, t, _ = maps.shape
    result = torch.zeros(t)
    for layer in range(layers):
        a = sum(maps[layer, h] for h in range(heads)) / heads
        result += torch.stack([sum(a[q, m] for q in range(t)) for m in range(t)]) / a.sum() / layers
    return result


def case(seed, act):
    g = torch.Generator().manual_seed(7000 + seed)
    o = {"vocab_size": 11, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
         "intermediate_size": 12, "hidden_act": act, "hidden_dropout_prob": 0.1,
         "attention_probs_dropout_prob": 0.1, "max_position_embeddings": 7, "type_vocab_size": 2,
         "layer_norm_eps": 1e-12}
    w = weights(g, o)
    ids = torch.randint(0, 11, (2, 6), generator=g)
    types = torch.randint(0, 2, (2, 6), generator=g)
    lengths = [6, 4]
    keep = torch.tensor([[i < n for i in range(6)] for n in lengths])
    found = [encode(ids[b, :n], types[b, :n], w, o) for b, n in enumerate(lengths)]
    pooled = torch.stack([torch.tanh(linear(x[0], w, "pooler.dense")) for x, _ in found])
    states = torch.zeros(2, 6, 8)
    prior, last = torch.zeros(2, 6), torch.zeros(2, 6)
    for b, (x, maps) in enumerate(found):
        states[b, : lengths[b]] = x
        prior[b, : lengths[b]] = significance(maps)
        last[b, : lengths[b]] = significance(maps[-1:])
    return {"options": o, "inputs": {"ids": ids, "types": types, "keep": keep}, "weights": w,
            "expected": {"states": states, "pooled": pooled, "significance": prior, "significance_last": last}}


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    cases = {f"bert_{act}": case(i, act) for i, act in enumerate(ACT)}
    (HERE / "bert.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")
