"""Random encoder-decoders in the Hugging Face form of Marian and BART models, and what they compute, written with
nothing but torch operations: tests/golden/encoder_decoder.json. Run with Debian's python3-torch:
  /usr/bin/python3 tests/golden/make_encoder_decoder.py
"""
import json
import math
import os

import torch

torch.manual_seed(20)
D, H, F, V, P, L = 8, 2, 12, 11, 16, 2


def dump(x):
    return {"shape": list(x.shape), "data": [round(float(v), 7) for v in x.flatten()]}


def sinusoids():
    """Marian's table: sines in the first half of the columns, cosines in the second."""
    table = torch.zeros(P, D)
    for p in range(P):
        for j in range(D // 2):
            angle = p / 10000 ** (2 * j / D)
            table[p, j], table[p, D // 2 + j] = math.sin(angle), math.cos(angle)
    return table


def linear(w, name, rows, columns):
    w[name + ".weight"] = torch.randn(rows, columns) * 0.4
    w[name + ".bias"] = torch.randn(rows) * 0.2


def norm(w, name):
    w[name + ".weight"] = 1 + torch.randn(D) * 0.2
    w[name + ".bias"] = torch.randn(D) * 0.2


def random_weights(kind):
    w = {"model.shared.weight": torch.randn(V, D) * 0.5, "final_logits_bias": torch.randn(1, V) * 0.3}
    for stack in ("encoder", "decoder"):
        w[f"model.{stack}.embed_positions.weight"] = sinusoids() if kind == "marian" else torch.randn(P + 2, D) * 0.3
        if kind == "bart":
            norm(w, f"model.{stack}.layernorm_embedding")
        for layer in range(L):
            at = f"model.{stack}.layers.{layer}."
            for attention in ("self_attn",) if stack == "encoder" else ("self_attn", "encoder_attn"):
                for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    linear(w, at + attention + "." + part, D, D)
                norm(w, at + attention + "_layer_norm")
            linear(w, at + "fc1", F, D)
            linear(w, at + "fc2", D, F)
            norm(w, at + "final_layer_norm")
    return w


def apply(w, name, x):
    return x @ w[name + ".weight"].T + w[name + ".bias"]


def normed(w, name, x):
    return torch.nn.functional.layer_norm(x, (D,), w[name + ".weight"], w[name + ".bias"], 1e-5)


def attention(w, name, x, memory, mask):
    q, k, v = (apply(w, f"{name}.{p}_proj", y).view(-1, H, D // H).transpose(0, 1)
               for p, y in (("q", x), ("k", memory), ("v", memory)))
    scores = q @ k.transpose(1, 2) / math.sqrt(D // H) + mask
    mixed = (scores.softmax(-1) @ v).transpose(0, 1).reshape(-1, D)
    return apply(w, name + ".out_proj", mixed)


def run(w, kind, source, target):
    scale = math.sqrt(D) if kind == "marian" else 1
    act = torch.relu if kind == "marian" else torch.nn.functional.gelu
    unused = 0 if kind == "marian" else 2

    def embed(stack, ids):
        x = w["model.shared.weight"][ids] * scale
        x = x + w[f"model.{stack}.embed_positions.weight"][unused:unused + len(ids)]
        return normed(w, f"model.{stack}.layernorm_embedding", x) if kind == "bart" else x

    def feed(at, x):
        return normed(w, at + "final_layer_norm", x + apply(w, at + "fc2", act(apply(w, at + "fc1", x))))

    x = embed("encoder", source)
    for layer in range(L):
        at = f"model.encoder.layers.{layer}."
        x = normed(w, at + "self_attn_layer_norm", x + attention(w, at + "self_attn", x, x, torch.zeros(1)))
        x = feed(at, x)
    y = embed("decoder", target)
    causal = torch.full((len(target), len(target)), float("-inf")).triu(1)
    for layer in range(L):
        at = f"model.decoder.layers.{layer}."
        y = normed(w, at + "self_attn_layer_norm", y + attention(w, at + "self_attn", y, y, causal))
        y = normed(w, at + "encoder_attn_layer_norm", y + attention(w, at + "encoder_attn", y, x, torch.zeros(1)))
        y = feed(at, y)
    return y @ w["model.shared.weight"].T + w["final_logits_bias"]


def case(kind):
    w = random_weights(kind)
    source, target = torch.tensor([4, 7, 2, 9, 3]), torch.tensor([1, 5, 8, 6])
    config = {"model_type": kind, "d_model": D, "vocab_size": V, "max_position_embeddings": P,
              "encoder_layers": L, "decoder_layers": L, "encoder_attention_heads": H, "decoder_attention_heads": H,
              "encoder_ffn_dim": F, "decoder_ffn_dim": F, "scale_embedding": kind == "marian",
              "activation_function": "relu" if kind == "marian" else "gelu", "normalize_before": False}
    return {"config": config, "source": source.tolist(), "target": target.tolist(),
            "weights": {name: dump(x) for name, x in w.items()}, "logits": dump(run(w, kind, source, target))}


out = os.path.join(os.path.dirname(__file__), "encoder_decoder.json")
with open(out, "w") as f:
    json.dump({kind: case(kind) for kind in ("marian", "bart")}, f)
    f.write("\n")
