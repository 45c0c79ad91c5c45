#!/usr/bin/env python3
"""Makes questions for both ends of a relation that is said by a verb, in the format of `kgwalk listen eval`.

Use: make_voice_questions.py TRIPLES OUT.jsonl [--seed N] [--count N]
  TRIPLES   opendialkg_triples.txt, whose relation "Influenced By" is asked for
  --count   people asked about, each in both directions (60)
Only people who influenced others than influenced them are asked about, so that one answer is never right for both."""
import argparse
import collections
import json
import random

RELATION = "Influenced By"
BY_X = ("Who did {} influence?", "Which people has {} influenced?", "Who was influenced by {}?")
OF_X = ("Who influenced {}?", "By whom was {} influenced?", "Who has influenced {}?")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triples")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    of, by = collections.defaultdict(set), collections.defaultdict(set)
    for line in open(options.triples, encoding="utf-8"):
        parts = line.rstrip("\n").split("\t")
        if len(parts) == 3 and parts[1] == RELATION:
            of[parts[0]].add(parts[2])
            by[parts[2]].add(parts[0])
    people = sorted(x for x in of if x in by and of[x] != by[x] and "(" not in x)
    with open(options.out, "w", encoding="utf-8") as out:
        for i, x in enumerate(random.Random(options.seed).sample(people, min(options.count, len(people)))):
            for kind, wordings, answers in (("whom X influenced", BY_X, by[x]), ("who influenced X", OF_X, of[x])):
                text = wordings[i % len(wordings)].format(x)
                out.write(json.dumps({"question": text, "kind": kind, "answers": sorted(answers)}) + "\n")


if __name__ == "__main__":
    main()
