#!/usr/bin/env python3
"""Golden values of HiTKG as a whole (thesis Eq. 5.3 to 5.8), in float64: which memory is read first, what the decoder
is given, where the length and the scores are read, and the loss.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_hitkg.py
It rewrites hitkg.json beside itself. The layers are those of make_attention.py; nothing is shared with the C++ code.
"""
import json
import math

import torch

from make_attention import HERE, Drawer, affine, draw, dump, run_decoder, run_encoder, stack_weights

ENTITIES, RELATIONS, HOPS = 7, 4, 4  # HOPS: rows of the table of hop positions
EOP, BOP = RELATIONS, RELATIONS + 1


def named(prefix, weights):
    return {prefix + name: value for name, value in weights.items()}


def draw_weights(g, c):
    """c: kg, distance (widths), width, text (widths), projected, goal, bias, train_relations, max_hops."""
    d, entity = c["width"], c["kg"] + c["distance"]
    mp, draws = c["kg"] + entity, Drawer(g)
    w = draws.w
    if c["train_relations"]:
        w["metapath.relations"] = draw(g, RELATIONS, c["kg"])
    w["metapath.special"], w["metapath.eop"] = draw(g, 2, c["kg"]), draw(g, entity)
    w["network.cls"] = draw(g, d)
    w["network.decoder_positions.weight"] = draw(g, 3 + HOPS, d, scale=0.3)
    w["network.text_positions.weight"] = draw(g, 6, d, scale=0.3)
    w["network.history_positions.weight"] = draw(g, 5, d, scale=0.3)
    if c["projected"]:
        draws.affine("network.text_in", d, c["text"])
        draws.affine("network.metapath_in", d, mp)
        draws.affine("scorer.project", mp, d)
    if c["goal"]:
        draws.affine("network.goal_in", d, entity)
    draws.affine("network.length_head", c["max_hops"], d)
    if c["bias"]:
        w["scorer.relation_bias"] = draw(g, c["max_hops"], RELATIONS + 1)
    for name in ("dialogue_encoder", "path_encoder"):
        w.update(named(f"network.{name}.", stack_weights(g, c["encoder"], "attention", [])))
    w.update(named("network.decoder.", stack_weights(g, c["decoder"], "self", [0, 0])))
    return w


def part(w, prefix):
    return {name[len(prefix):]: value for name, value in w.items() if name.startswith(prefix)}


def metapath(w, tables, relation, entity):
    """MP = [relation; tail] (5.3.2), [relation; tail; distance] where the entities' rows hold distances too."""
    rows = w.get("metapath.relations", tables["relations"])
    left = rows[relation] if relation < RELATIONS else w["metapath.special"][relation - RELATIONS]
    return torch.cat([left, tables["entities"][entity]])


def log_softmax(x):
    top = x.max()
    return x - top - torch.log(torch.exp(x - top).sum())


def walk(w, tables, c, example):
    """One example: log-probabilities of the candidates before each hop, and of the lengths."""
    def into(x):
        return affine(x, w, "network.metapath_in") if c["projected"] else x

    text = example["text"]
    words = affine(text, w, "network.text_in") if c["projected"] else text
    everything = torch.ones(16, dtype=torch.bool)
    h_d, _ = run_encoder(words + w["network.text_positions.weight"][:len(words)], everything,
                         part(w, "network.dialogue_encoder."), c["encoder"])
    e_p = torch.stack([into(metapath(w, tables, r, t)) for r, t in example["history"]])
    h_p, _ = run_encoder(e_p + w["network.history_positions.weight"][:len(e_p)], everything,
                         part(w, "network.path_encoder."), c["encoder"])
    # S_a = [cls; goal; MP_bop and the path so far], Eq. 5.4
    goal = example["goal"] if c["goal"] else None
    g = torch.zeros(c["width"]) if not c["goal"] else affine(
        tables["entities"][ENTITIES if goal is None else goal], w, "network.goal_in")
    path = [(BOP, example["start"])] + example["path"]
    s = torch.stack([w["network.cls"], g] + [into(metapath(w, tables, r, t)) for r, t in path])
    keep = torch.tensor([True, goal is not None] + [True] * len(path))
    s = s + w["network.decoder_positions.weight"][:len(s)]
    # Eq. 5.5: the path history is read before the dialogue
    out = run_decoder(s, keep, [(h_p, everything, None), (h_d, everything, None)], part(w, "network.decoder."), c["decoder"])
    lengths = log_softmax(affine(out[0], w, "network.length_head"))  # Eq. 5.6, at cls
    hops = []
    for i, candidates in enumerate(example["candidates"]):  # Eq. 5.7, at MP_bop and the hops
        t = out[2 + i]
        t = affine(t, w, "scorer.project") if c["projected"] else t
        ends = [metapath(w, tables, r, e) for r, e in candidates]
        ends.append(torch.cat([w["metapath.special"][0], w["metapath.eop"]]))
        scores = torch.stack([t @ pi for pi in ends])
        if c["bias"]:
            scores = scores + w["scorer.relation_bias"][i][[r for r, _ in candidates] + [EOP]]
        hops.append(log_softmax(scores))
    return hops, lengths


def case(seed, norm, projected, goal, bias, layers):
    g = torch.Generator().manual_seed(7000 + seed)
    hi = {"history": 0, "dilation": 1, "combine": "concat_eq9"}
    kg, distance = 2, 2 if goal else 0
    width = 8 if projected else 2 * kg + distance
    stack = {"width": width, "heads": 2, "ffn_width": 5, "norm": norm, "norm_eps": 1e-5, "activation": "gelu", "hi": hi,
             "hi_memory": hi}
    c = {"kg": kg, "distance": distance, "width": width, "text": 3 if projected else width, "projected": projected,
         "goal": goal, "bias": bias, "train_relations": bias, "max_hops": 2, "encoder": {**stack, "layers": layers[0]},
         "decoder": {**stack, "layers": layers[1]}}
    tables = {"entities": torch.cat([draw(g, ENTITIES, kg + distance, scale=1), torch.zeros(1, kg + distance)]),
              "relations": draw(g, RELATIONS, kg, scale=1)}
    w = draw_weights(g, c)
    examples = [
        {"text": draw(g, 5, c["text"], scale=1), "history": [(BOP, 3), (1, 4), (BOP, 2), (0, 5)], "start": 5, "goal": 6,
         "path": [(2, 1)], "candidates": [[(0, 2), (2, 1), (2, 6), (3, 1)], [(1, 0), (2, 5)]], "gold": [1, 2], "length": 0},
        {"text": draw(g, 3, c["text"], scale=1), "history": [(BOP, 0)], "start": 0, "goal": None, "path": [(3, 4)],
         "candidates": [[(3, 4), (0, 3)], [(1, 1), (1, 6), (3, 0)]], "gold": [0, 1], "length": 1}]
    walked = [walk(w, tables, c, e) for e in examples]
    golds = [log_p[gold] for e, (hops, _) in zip(examples, walked) for log_p, gold in zip(hops, e["gold"])]
    path = -sum(golds) / len(golds)
    length = -sum(lengths[e["length"]] for e, (_, lengths) in zip(examples, walked)) / len(examples)
    return {"options": c, "inputs": {"examples": [dict(e) for e in examples]}, "tables": tables, "weights": w,
            "expected": {"hops": [hops for hops, _ in walked], "lengths": [lengths for _, lengths in walked],
                         "path": path, "length": length, "loss": 0.1 * length + 0.9 * path}}


def plain(x):
    if isinstance(x, torch.Tensor):
        return dump(x)
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return [plain(v) for v in x] if isinstance(x, (list, tuple)) else x


def main():
    cases = {"stage 1 as printed": case(1, "end", False, False, False, (1, 2)),
             "stage 2 as printed": case(2, "end", False, True, False, (1, 2)),
             "ours, with projections and a bias": case(3, "pre", True, True, True, (2, 2))}
    (HERE / "hitkg.json").write_text(json.dumps(plain(cases), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    assert math.isclose(float(log_softmax(torch.tensor([0.0, 0.0]))[0]), -math.log(2))
    main()
