#!/usr/bin/env python3
"""Splits questions with SPARQL into those to learn from and those to ask.

Use: split_questions.py QUESTIONS.jsonl LEARN.jsonl ASK.jsonl [--seed 1] [--share 0.2] [--by-relation]

Without --by-relation the questions to ask are drawn. With it relations are drawn until a share of the questions has
one of them; these are asked, and none that is learned from has a relation that they have. Questions that have both
kinds of relations are left out.
"""
import argparse
import json
import random
import re


def relations_of(sparql):
    """Last parts of the predicates of a query, types left out: director is one relation in every vocabulary."""
    body = sparql[sparql.index("{") + 1 : sparql.rindex("}")]
    found = set()
    for pattern in re.split(r"\s*\.\s+|\s*\.\s*$", body.strip()):
        terms = pattern.split()
        if len(terms) >= 3 and "rdf-syntax-ns#type" not in terms[1]:
            found.add(re.split(r"[/#:]", terms[1].strip("<>"))[-1].lower())
    return found


def split_by_relation(questions, share, rng):
    held = [relations_of(q["sparql"]) for q in questions]
    relations = sorted(set().union(*held))
    rng.shuffle(relations)
    new, asked = set(), 0
    for relation in relations:
        if asked >= share * len(questions):
            break
        new.add(relation)
        asked = sum(1 for has in held if has <= new)
    ask = [q for q, has in zip(questions, held) if has and has <= new]
    learn = [q for q, has in zip(questions, held) if not has & new]
    return learn, ask


def split(questions, share, rng):
    order = list(questions)
    rng.shuffle(order)
    cut = round(share * len(order))
    return order[cut:], order[:cut]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions")
    parser.add_argument("learn")
    parser.add_argument("ask")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--by-relation", action="store_true")
    options = parser.parse_args()
    with open(options.questions, encoding="utf-8") as file:
        questions = [json.loads(line) for line in file if line.strip()]
    rng = random.Random(options.seed)
    learn, ask = (split_by_relation if options.by_relation else split)(questions, options.share, rng)
    for path, kept in ((options.learn, learn), (options.ask, ask)):
        with open(path, "w", encoding="utf-8") as file:
            for question in kept:
                file.write(json.dumps(question, ensure_ascii=False) + "\n")
    print(f"{len(learn)} to learn from, {len(ask)} to ask, of {len(questions)}")


if __name__ == "__main__":
    main()
