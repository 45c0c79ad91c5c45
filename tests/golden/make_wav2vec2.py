#!/usr/bin/env python3
"""Golden values of wav2vec 2.0's encoder on random weights in Hugging Face's names, in float64, with torch's own
convolutions, norms and weight norm.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_wav2vec2.py
It rewrites wav2vec2.json beside itself; nothing is shared with the C++ code. Examples are run one at a time
without padding: what the C++ code does with padded batches must equal it.
"""
import json

import torch
import torch.nn.functional as F

from make_attention import HERE, draw, dump
from make_bert import linear, norm


def weights(g, o):
    w = {}
    channels = [1] + o["conv_dim"]
    for i, kernel in enumerate(o["conv_kernel"]):
        p = f"feature_extractor.conv_layers.{i}."
        w[p + "conv.weight"] = draw(g, channels[i + 1], channels[i], kernel)
        if o["conv_bias"]:
            w[p + "conv.bias"] = draw(g, channels[i + 1], scale=0.2)
        if i == 0 or o["feat_extract_norm"] == "layer":
            w[p + "layer_norm.weight"] = 1 + draw(g, channels[i + 1], scale=0.2)
            w[p + "layer_norm.bias"] = draw(g, channels[i + 1], scale=0.2)
    d, f = o["hidden_size"], o["intermediate_size"]

    def add(name, out, into):
        w[name + ".weight"], w[name + ".bias"] = draw(g, out, into), draw(g, out, scale=0.2)

    def add_norm(name, width):
        w[name + ".weight"], w[name + ".bias"] = 1 + draw(g, width, scale=0.2), draw(g, width, scale=0.2)

    add_norm("feature_projection.layer_norm", channels[-1])
    add("feature_projection.projection", d, channels[-1])
    w["masked_spec_embed"] = draw(g, d)
    w["encoder.pos_conv_embed.conv.weight_g"] = 1 + draw(g, 1, 1, o["num_conv_pos_embeddings"], scale=0.2)
    w["encoder.pos_conv_embed.conv.weight_v"] = draw(g, d, d // o["num_conv_pos_embedding_groups"],
                                                     o["num_conv_pos_embeddings"])
    w["encoder.pos_conv_embed.conv.bias"] = draw(g, d, scale=0.2)
    add_norm("encoder.layer_norm", d)
    for layer in range(o["num_hidden_layers"]):
        p = f"encoder.layers.{layer}."
        for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
            add(p + "attention." + part, d, d)
        add_norm(p + "layer_norm", d)
        add(p + "feed_forward.intermediate_dense", f, d)
        add(p + "feed_forward.output_dense", d, f)
        add_norm(p + "final_layer_norm", d)
    return w


def attention(x, w, p, heads):
    q, k, v = (linear(x, w, p + n).view(len(x), heads, -1).transpose(0, 1) for n in ("q_proj", "k_proj", "v_proj"))
    a = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
    return linear((a @ v).transpose(0, 1).reshape(len(x), -1), w, p + "out_proj")


def encode(samples, w, o, hide=None):
    """samples [S] -> hidden states [L + 1, T, D]"""
    x = samples.view(1, 1, -1)
    for i, stride in enumerate(o["conv_stride"]):
        p = f"feature_extractor.conv_layers.{i}."
        x = F.conv1d(x, w[p + "conv.weight"], w.get(p + "conv.bias"), stride)
        scale = w.get(p + "layer_norm.weight"), w.get(p + "layer_norm.bias")
        if o["feat_extract_norm"] == "layer":
            x = F.layer_norm(x.transpose(1, 2), x.shape[1:2], *scale).transpose(1, 2)
        elif i == 0:
            x = F.group_norm(x, x.shape[1], *scale)
        x = F.gelu(x)
    eps = o["layer_norm_eps"]
    x = linear(norm(x[0].T, w, "feature_projection.layer_norm", eps), w, "feature_projection.projection")
    if hide is not None:
        x[hide[: len(x)]] = w["masked_spec_embed"]
    conv = torch.nn.Conv1d(*x.shape[1:] * 2, o["num_conv_pos_embeddings"], padding=o["num_conv_pos_embeddings"] // 2,
                           groups=o["num_conv_pos_embedding_groups"])
    conv = torch.nn.utils.weight_norm(conv, dim=2)
    with torch.no_grad():
        for part in ("weight_g", "weight_v", "bias"):
            getattr(conv, part).copy_(w["encoder.pos_conv_embed.conv." + part])
        y = conv(x.T[None])[0]
    y = y[:, :-1] if o["num_conv_pos_embeddings"] % 2 == 0 else y
    x = x + F.gelu(y).T
    stable = o["do_stable_layer_norm"]
    if not stable:
        x = norm(x, w, "encoder.layer_norm", eps)
    hidden = [x]
    for layer in range(o["num_hidden_layers"]):
        p = f"encoder.layers.{layer}."
        first, second = p + "layer_norm", p + "final_layer_norm"
        ffn = lambda z: linear(F.gelu(linear(z, w, p + "feed_forward.intermediate_dense")), w,
                               p + "feed_forward.output_dense")
        if stable:
            x = x + attention(norm(x, w, first, eps), w, p + "attention.", o["num_attention_heads"])
            x = x + ffn(norm(x, w, second, eps))
        else:
            x = norm(x + attention(x, w, p + "attention.", o["num_attention_heads"]), w, first, eps)
            x = norm(x + ffn(x), w, second, eps)
        hidden.append(x)
    if stable:
        hidden[-1] = norm(x, w, "encoder.layer_norm", eps)
    return torch.stack(hidden)


def case(seed, **changes):
    g = torch.Generator().manual_seed(8000 + seed)
    o = {"conv_dim": [6, 5, 6], "conv_kernel": [5, 3, 2], "conv_stride": [3, 2, 2], "conv_bias": False,
         "feat_extract_norm": "group", "num_conv_pos_embeddings": 4, "num_conv_pos_embedding_groups": 2,
         "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 12,
         "do_stable_layer_norm": False, "layer_norm_eps": 1e-5, **changes}
    w = weights(g, o)
    lengths = [120, 77]
    samples = draw(g, 2, 120, scale=1)
    samples[1, 77:] = 0
    found = [encode(samples[b, :n], w, o) for b, n in enumerate(lengths)]
    hide = torch.zeros(2, found[0].shape[1], dtype=torch.bool)
    hide[0, 2:4] = hide[1, 1] = True
    masked = [encode(samples[b, :n], w, o, hide[b]) for b, n in enumerate(lengths)]
    return {"options": o, "inputs": {"samples": samples, "lengths": torch.tensor(lengths), "hide": hide},
            "weights": w, "expected": {"first": found[0], "second": found[1], "first_masked": masked[0],
                                       "second_masked": masked[1]}}


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    cases = {"base": case(0),
             "large": case(1, feat_extract_norm="layer", conv_bias=True, do_stable_layer_norm=True,
                           num_conv_pos_embeddings=5)}
    (HERE / "wav2vec2.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")
