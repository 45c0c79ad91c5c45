#!/usr/bin/env python3
"""Golden values for seq2seq, straight from the papers' formulas, in float64, one head and one query at a time.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_attention.py
It rewrites attention.json, stack.json and albert.json beside itself. Nothing here is shared with the C++ code: weights
are drawn here, under the names that the C++ modules register, and every output is computed by plain loops.
"""
import json
import math
import pathlib

import torch

torch.set_default_dtype(torch.float64)
HERE = pathlib.Path(__file__).resolve().parent


def short(x):
    """Six decimals, so that the files stay small; the numbers used below are the rounded ones."""
    return torch.round(x * 1e6) / 1e6


def dump(x):
    if isinstance(x, torch.Tensor):
        if x.dtype in (torch.bool, torch.int64):
            return {"shape": list(x.shape), "data": x.flatten().to(torch.int64).tolist()}
        return {"shape": list(x.shape), "data": x.flatten().tolist()}
    if isinstance(x, dict):
        return {k: dump(v) for k, v in x.items()}
    return x


def draw(generator, *shape, scale=0.5):
    return short(torch.randn(*shape, generator=generator) * scale)


def affine(x, w, name):
    y = x @ w[name + ".weight"].T
    return y + w[name + ".bias"] if name + ".bias" in w else y


def norm(x, w, name, eps):
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * w[name + ".weight"] + w[name + ".bias"]


def one_head(q, k, v, allowed):
    """q [Tq, d], k and v [Tk, d], allowed(i, j) -> bool. A query without keys gives zeros."""
    rows = []
    for i in range(q.shape[0]):
        keys = [j for j in range(k.shape[0]) if allowed(i, j)]
        if not keys:
            rows.append(torch.zeros(v.shape[1]))
            continue
        scores = [float(q[i] @ k[j]) / math.sqrt(q.shape[1]) for j in keys]
        top = max(scores)
        weights = [math.exp(s - top) for s in scores]
        rows.append(sum(wt / sum(weights) * v[j] for wt, j in zip(weights, keys)))
    return torch.stack(rows)


def hi_layers(below, n, f):
    return [below - 1 - k * f for k in range(n) if below - 1 - k * f >= 0]


def attention(q, sources, w, prefix, options, allowed):
    """q [Tq, H d]; sources: (keys, values) [Tk, H d] of the current layer, then of the earlier ones, nearest first."""
    heads, combine = options["heads"], options["combine"]
    d = q.shape[1] // heads

    def cut(x, h):
        return x[:, h * d:(h + 1) * d]

    out = [[one_head(cut(q, h), cut(k, h), cut(v, h), allowed) for h in range(heads)] for k, v in sources]
    current, earlier = out[0], out[1:]
    weight = w[prefix + "output.weight"]
    bias = w.get(prefix + "output.bias", torch.zeros(weight.shape[0]))
    plain = torch.cat(current, 1)
    if not earlier:
        return plain @ weight.T + bias
    if combine == "sum":
        return sum((torch.cat(e, 1) for e in earlier), plain) @ weight.T + bias
    if combine == "concat_eq9":
        w_s, w_f = weight[:, :heads * d].T, weight[:, heads * d:].T
        return plain @ w_s + torch.cat([torch.cat(e, 1) for e in earlier], 1) @ w_f + bias
    w_h = w[prefix + "w_h"]
    joined = [current[h] + torch.cat([e[h] for e in earlier], 1) @ w_h for h in range(heads)]
    return torch.cat(joined, 1) @ weight.T + bias


def split(x, parts):
    size = x.shape[1] // parts
    return [x[:, i * size:(i + 1) * size] for i in range(parts)]


# ---- one module over given inputs ----

def attention_weights(g, options, below, memory):
    d_model, inner = options["width"], options["heads"] * options["head_width"]
    n = len(hi_layers(below, options["history"], options["dilation"]))
    shapes = {"query": (inner, d_model), "key_value": (2 * inner, d_model)} if memory else {"qkv": (3 * inner, d_model)}
    shapes["output"] = (d_model, (1 + n) * inner if options["combine"] == "concat_eq9" else inner)
    w = {}
    for name, shape in shapes.items():
        w[name + ".weight"] = draw(g, *shape)
        w[name + ".bias"] = draw(g, shape[0], scale=0.2)
    if options["combine"] == "concat_eq6" and n:
        w["w_h"] = draw(g, n * options["head_width"], options["head_width"])
    return w


def attention_case(seed, combine, history, dilation, causal, memory):
    g = torch.Generator().manual_seed(seed)
    options = {"width": 6, "heads": 2, "head_width": 4, "history": history, "dilation": dilation, "combine": combine}
    below, batch, tq, tk = 4, 2, 3 if memory else 5, 5
    w = attention_weights(g, options, below, memory)
    x = draw(g, batch, tq, 6, scale=1)
    states = draw(g, batch, tk, 6, scale=1)
    earlier = draw(g, below, batch, tk, 2 * 8, scale=1)  # keys beside values of the layers below
    keep = torch.tensor([[True, True, True, True, False], [False, False, True, True, False]])
    rows = []
    for b in range(batch):
        if memory:
            q = affine(x[b], w, "query")
            k, v = split(affine(states[b], w, "key_value"), 2)
        else:
            q, k, v = split(affine(x[b], w, "qkv"), 3)
        sources = [(k, v)] + [tuple(split(earlier[i, b], 2)) for i in hi_layers(below, history, dilation)]
        rows.append(attention(q, sources, w, "", options,
                              lambda i, j: bool(keep[b, j]) and (not causal or j <= i + tk - tq)))
    return {"options": {**options, "causal": causal, "memory": memory, "layers_below": below},
            "inputs": {"x": x, "states": states, "earlier": earlier, "key_keep": keep},
            "weights": w, "expected": {"y": torch.stack(rows)}}


def make_attention():
    cases, seed = {}, 1
    for memory in (False, True):
        for combine in ("concat_eq9", "concat_eq6", "sum"):
            for history, dilation in ((0, 1), (2, 1), (2, 2), (6, 1)):
                causal = not memory and seed % 2 == 0
                cases[f"{'memory' if memory else 'self'},{combine},n={history},f={dilation},causal={int(causal)}"] = \
                    attention_case(seed, combine, history, dilation, causal, memory)
                seed += 1
    return cases


# ---- encoder and decoder stacks ----

def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


def gelu_new(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def feed_forward(x, w, prefix, act):
    return affine(act(affine(x, w, prefix + "inner")), w, prefix + "output")


def around(x, w, name, place, eps, f):
    if place == "pre":
        return x + f(norm(x, w, name, eps))
    y = x + f(x)
    return norm(y, w, name, eps) if place == "post" else y


def run_encoder(x, keep, w, o, layer_states=None):
    """x [T, D] of one example -> states [T, D] and (keys, values) of every layer; layer_states receives each layer's."""
    trace = []
    for layer in range(o["layers"]):
        prefix = f"layers.{layer}."

        def attend(z):
            q, k, v = split(affine(z, w, prefix + "attention.qkv"), 3)
            sources = [(k, v)] + [trace[i] for i in hi_layers(layer, o["hi"]["history"], o["hi"]["dilation"])]
            trace.append((k, v))
            return attention(q, sources, w, prefix + "attention.", {"heads": o["heads"], **o["hi"]},
                             lambda i, j: bool(keep[j]))

        x = around(x, w, prefix + "attention_norm", o["norm"], o["norm_eps"], attend)
        x = around(x, w, prefix + "ffn_norm", "pre" if o["norm"] == "pre" else "post", o["norm_eps"],
                   lambda z: feed_forward(z, w, prefix + "ffn.", gelu))
        if layer_states is not None:
            layer_states.append(x)
    final = o["norm"] == "pre" and layer_states is None
    return (norm(x, w, "final_norm", o["norm_eps"]) if final else x), trace


def run_decoder(x, keep, memories, w, o, layer_states=None):
    """memories: list of (states [Tk, D], keep [Tk], trace or None) in order of attention."""
    trace = []
    for layer in range(o["layers"]):
        prefix = f"layers.{layer}."

        def attend_self(z):
            q, k, v = split(affine(z, w, prefix + "self_attention.qkv"), 3)
            sources = [(k, v)] + [trace[i] for i in hi_layers(layer, o["hi"]["history"], o["hi"]["dilation"])]
            trace.append((k, v))
            return attention(q, sources, w, prefix + "self_attention.", {"heads": o["heads"], **o["hi"]},
                             lambda i, j: bool(keep[j]) and j <= i)

        x = around(x, w, prefix + "self_norm", o["norm"], o["norm_eps"], attend_self)
        for m, (states, memory_keep, memory_trace) in enumerate(memories):
            name = f"{prefix}memory.{m}."

            def attend_memory(z):
                k, v = split(affine(states, w, name + "key_value"), 2)
                sources = [(k, v)]
                if memory_trace is not None:
                    hi = o["hi_memory"]
                    sources += [memory_trace[i] for i in hi_layers(len(memory_trace), hi["history"], hi["dilation"])]
                return attention(affine(z, w, name + "query"), sources, w, name, {"heads": o["heads"], **o["hi_memory"]},
                                 lambda i, j: bool(memory_keep[j]))

            x = around(x, w, f"{prefix}memory_norm.{m}", o["norm"], o["norm_eps"], attend_memory)
        x = around(x, w, prefix + "ffn_norm", "pre" if o["norm"] == "pre" else "post", o["norm_eps"],
                   lambda z: feed_forward(z, w, prefix + "ffn.", gelu))
        if layer_states is not None:
            layer_states.append(x)
    return norm(x, w, "final_norm", o["norm_eps"]) if o["norm"] == "pre" and layer_states is None else x


class Drawer:
    def __init__(self, g):
        self.g, self.w = g, {}

    def affine(self, name, out, in_):
        self.w[name + ".weight"] = draw(self.g, out, in_)
        self.w[name + ".bias"] = draw(self.g, out, scale=0.2)

    def norm(self, name, width):
        self.w[name + ".weight"] = short(1 + draw(self.g, width, scale=0.2))
        self.w[name + ".bias"] = draw(self.g, width, scale=0.2)

    def output(self, prefix, width, heads, n, combine):
        self.affine(prefix + "output", width, (1 + n) * width if combine == "concat_eq9" else width)
        if combine == "concat_eq6" and n:
            self.w[prefix + "w_h"] = draw(self.g, n * width // heads, width // heads)


def stack_weights(g, o, self_name, memory_layers):
    draws, d = Drawer(g), o["width"]
    for layer in range(o["layers"]):
        prefix = f"layers.{layer}."
        own = "attention" if self_name == "attention" else "self_attention"
        draws.affine(f"{prefix}{own}.qkv", 3 * d, d)
        draws.output(f"{prefix}{own}.", d, o["heads"], len(hi_layers(layer, o["hi"]["history"], o["hi"]["dilation"])),
                     o["hi"]["combine"])
        if o["norm"] != "end":
            draws.norm(prefix + ("attention_norm" if own == "attention" else "self_norm"), d)
        for m, layers in enumerate(memory_layers):
            name = f"{prefix}memory.{m}."
            hi = o["hi_memory"] if layers else {"history": 0, "dilation": 1, "combine": "concat_eq9"}
            draws.affine(name + "query", d, d)
            draws.affine(name + "key_value", 2 * d, d)
            draws.output(name, d, o["heads"], len(hi_layers(layers, hi["history"], hi["dilation"])), hi["combine"])
            if o["norm"] != "end":
                draws.norm(f"{prefix}memory_norm.{m}", d)
        draws.affine(prefix + "ffn.inner", o["ffn_width"], d)
        draws.affine(prefix + "ffn.output", d, o["ffn_width"])
        draws.norm(prefix + "ffn_norm", d)
    if o["norm"] == "pre":
        draws.norm("final_norm", d)
    return draws.w


def stack_case(seed, place, hi, hi_memory):
    g = torch.Generator().manual_seed(1000 + seed)
    o = {"layers": 3, "width": 4, "heads": 2, "ffn_width": 5, "norm": place, "norm_eps": 1e-5, "activation": "gelu",
         "hi": hi, "hi_memory": hi_memory}
    encoder, decoder = stack_weights(g, o, "attention", []), stack_weights(g, o, "self", [o["layers"], 0])
    source, plain, target = draw(g, 2, 4, 4, scale=1), draw(g, 2, 3, 4, scale=1), draw(g, 2, 4, 4, scale=1)
    source_keep = torch.tensor([[True, True, True, True], [True, True, False, False]])
    plain_keep = torch.tensor([[True, False, True], [False, False, False]])  # the second example keeps nothing
    target_keep = torch.tensor([[True, False, True, True], [True, False, True, True]])  # a masked goal at position 1
    states, outputs = [], []
    for b in range(2):
        encoded, trace = run_encoder(source[b], source_keep[b], encoder, o)
        states.append(encoded)
        outputs.append(run_decoder(target[b], target_keep[b],
                                   [(encoded, source_keep[b], trace), (plain[b], plain_keep[b], None)], decoder, o))
    return {"options": o,
            "inputs": {"source": source, "plain": plain, "target": target, "source_keep": source_keep,
                       "plain_keep": plain_keep, "target_keep": target_keep},
            "weights": {"encoder": encoder, "decoder": decoder},
            "expected": {"encoder": torch.stack(states), "decoder": torch.stack(outputs)}}


def make_stacks():
    def hi(n, f, combine):
        return {"history": n, "dilation": f, "combine": combine}
    return {
        "pre, plain": stack_case(1, "pre", hi(0, 1, "concat_eq9"), hi(0, 1, "concat_eq9")),
        "post, eq9": stack_case(2, "post", hi(2, 1, "concat_eq9"), hi(2, 2, "concat_eq9")),
        "end, eq6": stack_case(3, "end", hi(2, 1, "concat_eq6"), hi(1, 1, "concat_eq6")),
        "pre, sum": stack_case(4, "pre", hi(2, 2, "sum"), hi(3, 1, "sum")),
    }


# ---- ALBERT, names as in Hugging Face's files ----

def albert_weights(g, o):
    draws, d, e = Drawer(g), o["hidden_size"], o["embedding_size"]
    for name, rows in (("word", o["vocab_size"]), ("position", o["max_position_embeddings"]),
                       ("token_type", o["type_vocab_size"])):
        draws.w[f"albert.embeddings.{name}_embeddings.weight"] = draw(g, rows, e)
    draws.norm("albert.embeddings.LayerNorm", e)
    draws.affine("albert.encoder.embedding_hidden_mapping_in", d, e)
    for group in range(o["num_hidden_groups"]):
        for inner in range(o["inner_group_num"]):
            name = f"albert.encoder.albert_layer_groups.{group}.albert_layers.{inner}."
            for part in ("query", "key", "value", "dense"):
                draws.affine(f"{name}attention.{part}", d, d)
            draws.norm(name + "attention.LayerNorm", d)
            draws.affine(name + "ffn", o["intermediate_size"], d)
            draws.affine(name + "ffn_output", d, o["intermediate_size"])
            draws.norm(name + "full_layer_layer_norm", d)
    draws.affine("albert.pooler", d, d)
    draws.affine("predictions.dense", e, d)
    draws.norm("predictions.LayerNorm", e)
    draws.w["predictions.bias"] = draw(g, o["vocab_size"], scale=0.2)
    return draws.w


def run_albert(ids, types, keep, w, o):
    """One example: ids [T] -> states [T, D]."""
    eps, act = o["layer_norm_eps"], gelu_new if o["hidden_act"] == "gelu_new" else gelu
    table = {k: w[f"albert.embeddings.{k}_embeddings.weight"] for k in ("word", "position", "token_type")}
    x = torch.stack([table["word"][i] + table["position"][p] + table["token_type"][t]
                     for p, (i, t) in enumerate(zip(ids.tolist(), types.tolist()))])
    x = affine(norm(x, w, "albert.embeddings.LayerNorm", eps), w, "albert.encoder.embedding_hidden_mapping_in")
    heads, d = o["num_attention_heads"], o["hidden_size"] // o["num_attention_heads"]
    for layer in range(o["num_hidden_layers"]):
        group = int(layer / (o["num_hidden_layers"] / o["num_hidden_groups"]))
        for inner in range(o["inner_group_num"]):
            name = f"albert.encoder.albert_layer_groups.{group}.albert_layers.{inner}."
            q, k, v = (affine(x, w, f"{name}attention.{part}") for part in ("query", "key", "value"))
            context = torch.cat([one_head(*(z[:, h * d:(h + 1) * d] for z in (q, k, v)), lambda i, j: bool(keep[j]))
                                 for h in range(heads)], 1)
            x = norm(x + affine(context, w, name + "attention.dense"), w, name + "attention.LayerNorm", eps)
            y = affine(act(affine(x, w, name + "ffn")), w, name + "ffn_output")
            x = norm(y + x, w, name + "full_layer_layer_norm", eps)
    return x


def albert_case(seed, act, groups, inner):
    g = torch.Generator().manual_seed(2000 + seed)
    o = {"vocab_size": 11, "embedding_size": 4, "hidden_size": 6, "num_hidden_layers": 4, "num_hidden_groups": groups,
         "inner_group_num": inner, "num_attention_heads": 2, "intermediate_size": 7, "hidden_act": act,
         "max_position_embeddings": 8, "type_vocab_size": 2, "layer_norm_eps": 1e-12}
    w = albert_weights(g, o)
    ids = torch.randint(0, o["vocab_size"], (2, 6), generator=g)
    types = torch.tensor([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 0]])
    keep = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    act_function = gelu_new if act == "gelu_new" else gelu
    states = torch.stack([run_albert(ids[b], types[b], keep[b], w, o) for b in range(2)])
    pooled = torch.tanh(affine(states[:, 0], w, "albert.pooler"))
    inner_states = norm(act_function(affine(states, w, "predictions.dense")), w, "predictions.LayerNorm",
                        o["layer_norm_eps"])
    logits = inner_states @ w["albert.embeddings.word_embeddings.weight"].T + w["predictions.bias"]
    return {"options": o, "inputs": {"ids": ids, "types": types, "keep": keep}, "weights": w,
            "expected": {"states": states, "pooled": pooled, "logits": logits}}


def main():
    files = {"attention.json": make_attention(), "stack.json": make_stacks(),
             "albert.json": {"gelu_new": albert_case(1, "gelu_new", 1, 1), "gelu, groups": albert_case(2, "gelu", 2, 2)}}
    for name, cases in files.items():
        (HERE / name).write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
