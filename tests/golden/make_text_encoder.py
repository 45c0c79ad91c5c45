#!/usr/bin/env python3
"""Golden values of texts through a made-up BERT with a WordPiece vocabulary: pieces, states, and the vector of each text.

Run with Debian's python3-torch:  /usr/bin/python3 tests/golden/make_text_encoder.py
It rewrites text_encoder.json beside itself. The network is make_bert.py's, in float64 and one text at a time; the
pieces are found by the rule of the paper written down once more. Nothing is shared with the C++ code.
"""
import json
import re

import torch

from make_attention import HERE, draw, dump
from make_bert import encode, weights

VOCABULARY = ("[PAD] [UNK] [CLS] [SEP] [MASK] who what where was is the a of film book music direct ##ed ##or ##s play "
              "##ing wrote it born nolan ##i ##sh . ? , ' 1 ##9 ##4 ##7").split()
TEXTS = ["Who directed the film?", "it", "What films was the director of?", "Nolan's films, 1947.",
         "Playing a book of music is nolanish; who wrote it?", ""]


def pieces(text):
    """Longest pieces from the left; a word that cannot be put together is unknown."""
    found = ["[CLS]"]
    for word in re.findall(r"\w+|[^\w\s]", text.lower()):
        begin, parts = 0, []
        while begin < len(word):
            marks = "##" if begin else ""
            end = next((e for e in range(len(word), begin, -1) if marks + word[begin:e] in VOCABULARY), None)
            if end is None:
                parts = ["[UNK]"]
                break
            parts.append(marks + word[begin:end])
            begin = end
        found += parts
    return [VOCABULARY.index(piece) for piece in found + ["[SEP]"]]


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    o = {"vocab_size": len(VOCABULARY), "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
         "intermediate_size": 40, "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
         "max_position_embeddings": 20, "type_vocab_size": 2, "layer_norm_eps": 1e-12}
    w = weights(torch.Generator().manual_seed(7100), o)
    texts = []
    for text in TEXTS:
        ids = torch.tensor(pieces(text))
        states, _ = encode(ids, torch.zeros_like(ids), w, o)
        mean = states.mean(0)
        texts.append({"text": text, "ids": ids.tolist(), "states": dump(states), "vector": (mean / mean.norm()).tolist()})
    whole = {"options": o, "vocabulary": VOCABULARY, "weights": dump(w), "texts": texts}
    (HERE / "text_encoder.json").write_text(json.dumps(whole, separators=(",", ":")) + "\n")
