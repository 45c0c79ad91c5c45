#!/usr/bin/env python3
"""Parallel text in two halves, by how rare its source words are in the training text.

Usage: split_by_rarity.py TRAIN.SOURCE TEXT.SOURCE TEXT.TARGET OUTPUT

Writes OUTPUT.near.{source,target} and OUTPUT.far.{source,target}: the lines sorted by the share of words and marks (lower case) that
TRAIN.SOURCE has at most ten times, ties by the share of those below a hundred times, then by their order, and cut in the middle."""
import argparse
import collections
import pathlib
import re

parser = argparse.ArgumentParser()
for name in ("train", "source", "target"):
    parser.add_argument(name, type=pathlib.Path)
parser.add_argument("output")
arguments = parser.parse_args()


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def words(line):
    return re.findall(r"\w+|[^\w\s]", line.lower())


seen = collections.Counter(word for line in lines(arguments.train) for word in words(line))
sides = [lines(path) for path in (arguments.source, arguments.target)]
if len(sides[0]) != len(sides[1]):
    parser.error(f"{arguments.source} has {len(sides[0])} lines and {arguments.target} {len(sides[1])}; they must be parallel")
pairs = list(zip(*sides))


def rarity(pair):
    counts = [seen[word] for word in words(pair[0])] or [0]
    return tuple(sum(count <= most for count in counts) / len(counts) for most in (10, 99))


pairs.sort(key=rarity)
for name, half in (("near", pairs[: len(pairs) // 2]), ("far", pairs[len(pairs) // 2 :])):
    for side, language in enumerate(("source", "target")):
        path = pathlib.Path(f"{arguments.output}.{name}.{language}")
        path.write_text("".join(pair[side] + "\n" for pair in half), encoding="utf-8")
    share = sum(rarity(pair)[0] for pair in half) / max(1, len(half))
    print(f"{arguments.output}.{name}: {len(half)} lines, {100 * share:.1f} % of words seen at most ten times")
