#!/usr/bin/env python3
"""Golden values of GTRANS (Eq. 2, 4, 5, 6 and 7) on whole stacks, in float64, by plain sums over layers and words.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_gtrans.py
It rewrites gtrans.json beside itself. The layers below the fusions are those of make_attention.py; nothing is shared
with the C++ code.
"""
import json
import math

import torch

from make_attention import HERE, draw, dump, norm, run_decoder, run_encoder, stack_weights


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def ends(layers, size):
    """Last layers of the groups, counted from 1: alpha_i = min(i T, L)."""
    return [min(i * size, layers) for i in range(1, math.ceil(layers / size) + 1)]


def softmax(row):
    top = max(row)
    e = [math.exp(x - top) for x in row]
    return [x / sum(e) for x in e]


def case(seed, place, encoder_layers, encoder_group, decoder_layers, decoder_group):
    g = torch.Generator().manual_seed(3000 + seed)
    plain = {"history": 0, "dilation": 1, "combine": "concat_eq9"}
    o = {"width": 4, "heads": 2, "ffn_width": 5, "norm": place, "norm_eps": 1e-5, "activation": "gelu", "hi": plain,
         "hi_memory": plain}
    eo, do = {**o, "layers": encoder_layers}, {**o, "layers": decoder_layers}
    encoder, decoder = stack_weights(g, eo, "attention", []), stack_weights(g, do, "self", [0])
    if place == "pre":  # the fusion's norm stands for the encoder's last one
        del encoder["final_norm.weight"], encoder["final_norm.bias"]
    encoder_ends, decoder_ends = ends(encoder_layers, encoder_group), ends(decoder_layers, decoder_group)
    encoder["fusion.weight"] = draw(g, len(encoder_ends), scale=1)
    encoder["fusion.norm.weight"], encoder["fusion.norm.bias"] = 1 + draw(g, 4, scale=0.2), draw(g, 4, scale=0.2)
    decoder["fusion.weight"] = draw(g, decoder_layers, scale=1)
    mixture, out = draw(g, len(decoder_ends), scale=2), draw(g, 7, 4, scale=1)
    source, target = draw(g, 2, 4, 4, scale=1), draw(g, 2, 3, 4, scale=1)
    keep = torch.tensor([[True] * 4, [True, True, False, False]])
    words = torch.randint(0, 7, (2, 3), generator=g)
    psi = softmax([float(w) / math.sqrt(4) for w in mixture])
    fused, groups, log_probs, losses = [], [], [], []
    for b in range(2):
        states = []
        run_encoder(source[b], keep[b], encoder, eo, states)
        mean = sum(sigmoid(float(encoder["fusion.weight"][i])) * states[a - 1] for i, a in enumerate(encoder_ends))
        memory = norm(mean / len(encoder_ends), encoder, "fusion.norm", 1e-5)
        fused.append(memory)
        states = []
        run_decoder(target[b], torch.ones(3, dtype=torch.bool), [(memory, keep[b], None)], decoder, do, states)
        per_group, begin = [], 0
        for end in decoder_ends:
            h = sum(sigmoid(float(decoder["fusion.weight"][i])) * states[i] for i in range(begin, end))
            per_group.append(norm(h, decoder, "final_norm", 1e-5) if place == "pre" else h)
            begin = end
        groups.append(torch.stack(per_group))
        rows, loss = [], []
        for t in range(3):
            p = [softmax([float(h[t] @ out[v]) for v in range(7)]) for h in per_group]
            rows.append([math.log(sum(psi[k] * p[k][v] for k in range(len(p)))) for v in range(7)])
            loss.append(sum(-psi[k] * math.log(p[k][int(words[b, t])]) for k in range(len(p))))
        log_probs.append(rows)
        losses.append(loss)
    return {"options": {"encoder": {**eo, "group_layers": encoder_group}, "decoder": {**do, "group_layers": decoder_group}},
            "inputs": {"source": source, "source_keep": keep, "target": target, "words": words},
            "weights": {"encoder": encoder, "decoder": decoder, "mixture": {"weight": mixture}, "out": out},
            "expected": {"fused": torch.stack(fused), "groups": torch.stack(groups, 1), "psi": torch.tensor(psi),
                         "log_probs": torch.tensor(log_probs), "loss": torch.tensor(losses)}}


def main():
    cases = {"post, 5 in 2, 3 in 2": case(1, "post", 5, 2, 3, 2), "post, 3 in 1, 4 in 4": case(2, "post", 3, 1, 4, 4),
             "pre, 4 in 3, 4 in 1": case(3, "pre", 4, 3, 4, 1)}
    (HERE / "gtrans.json").write_text(json.dumps(dump(cases), separators=(",", ":")) + "\n")


main()
