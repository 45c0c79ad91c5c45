#!/usr/bin/env python3
"""Word error rates of two rows, several trainings each, and whether their difference is more than seeds and utterances make.

Usage: compare_seeds.py REFERENCE --row FILE... --baseline FILE...

REFERENCE  a transcript a line, as `kgwalk task asr eval --output` writes them; of "<s> ... </s> (id)" (CMU Sphinx) the words count
FILE       what `kgwalk task asr eval --output FILE` wrote of one training

The test draws trainings of each row and utterances (the same of both rows) with replacement, 10,000 times, and counts how often the
difference has the other sign or none: p, two-sided. With three trainings a row it cannot be small; it says how little is known."""
import argparse
import pathlib
import re
import statistics

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("reference", type=pathlib.Path)
parser.add_argument("--row", type=pathlib.Path, nargs="+", required=True)
parser.add_argument("--baseline", type=pathlib.Path, nargs="+", required=True)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()


def lines(file):
    for line in open(file, encoding="utf-8"):
        yield re.sub(r"\([^)]*\)\s*$|</?s>", "", line.lower()).split()


def edits(said, heard):
    """Least number of words changed, left out and put in."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


reference = list(lines(options.reference))
words = np.array([len(line) for line in reference])


def errors(files):
    """[trainings, utterances]"""
    table = []
    for file in files:
        heard = list(lines(file))
        if len(heard) != len(reference):
            raise SystemExit(f"{file}: {len(heard)} lines, the reference has {len(reference)}")
        table.append([edits(said, other) for said, other in zip(reference, heard)])
    return np.array(table)


row, baseline = errors(options.row), errors(options.baseline)
for title, table in (("row", row), ("baseline", baseline)):
    rates = [100 * one.sum() / words.sum() for one in table]
    spread = f", standard deviation {statistics.stdev(rates):.2f}" if len(rates) > 1 else ""
    print(f"{title}: WER {statistics.mean(rates):.2f} % on average of {', '.join(f'{r:.2f}' for r in rates)}{spread}")

draw = np.random.default_rng(options.seed)
differences = []
for _ in range(10000):
    at = draw.integers(len(words), size=len(words))
    mean = lambda table: table[draw.integers(len(table), size=len(table))][:, at].mean(axis=0).sum()
    differences.append(100 * (mean(row) - mean(baseline)) / words[at].sum())
differences = np.array(differences)
low, high = np.quantile(differences, [0.025, 0.975])
p = min(1, 2 * min(np.mean(differences >= 0), np.mean(differences <= 0)))
print(f"difference {np.mean(differences):+.2f}, 95 % from {low:+.2f} to {high:+.2f}, p = {max(p, 1e-4):.3f}")
