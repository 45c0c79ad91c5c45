#!/usr/bin/env python3
"""Makes a graph in which the queries of QALD-9 have answers, and its questions with what they answer there.

Use: make_qald_graph.py QALD_FILE OUT_GRAPH.nt OUT_QUESTIONS.jsonl [--seed N]
  QALD_FILE  JSON lines: id, kind, question by language, sparql over DBpedia, boolean, answers
Needs rdflib and pyoxigraph. Names and relations are DBpedia's, facts are not all true: each query's patterns are
filled in with its own answers and with what stands in the same places of other queries, beside things that do not
satisfy it. The answers written are those that the repaired query has on the whole graph."""
import argparse
import collections
import json
import logging
import random
import re
import sys
import urllib.parse

import pyoxigraph

from qald_facts import Maker
from qald_queries import Asked, LABEL, ONTOLOGY, TYPE, is_thing, tail


def words_of(name):
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", urllib.parse.unquote(name))
    return " ".join(words.split()).lower()


def labels(maker):
    """Things by the end of the IRI, without what is in brackets behind it where that is one thing's alone."""
    things = sorted({t for f in maker.facts for t in (f[0], f[2]) if is_thing(t)} | set(maker.named))
    full = {t: urllib.parse.unquote(tail(t)).replace("_", " ").removeprefix("Category:") for t in things}
    short = {t: re.sub(r"(?<=\S) \([^()]*\)$", "", name) for t, name in full.items()}
    met = collections.Counter(short.values())
    names = {t: short[t] if met[short[t]] == 1 else full[t] for t in things}
    for relation in sorted({f[1] for f in maker.facts}):
        names[relation] = words_of(tail(relation))
    for kind in sorted({f[2] for f in maker.facts if f[1] == TYPE}):
        if kind.startswith("<" + ONTOLOGY):
            names[kind] = tail(kind)
        else:
            names[kind] = words_of(re.sub(r"^Wikicat|\d+$", "", tail(kind)))
    return names | maker.named


def answered(query, store, names):
    """The line for a query, or why there is none."""
    line = {"question": query.question, "sparql": query.sparql, "kind": query.kind}
    result = store.query(query.sparql)
    if query.ask:
        return line | {"yes": bool(result)}, None
    rows = [row[0] for row in result]
    if query.counted:
        count = int(rows[0].value)
        return (line | {"count": count}, None) if count else (None, "nothing counted")
    if not rows:
        return None, "no answer"
    found = sorted({names.get(str(t), t.value) for t in rows})
    return (line | {"answers": found}, None) if len(found) <= 1000 else (None, "over 1,000 answers")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("qald")
    parser.add_argument("graph")
    parser.add_argument("questions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger("rdflib").setLevel(logging.ERROR)  # of answers that are no valid values
    with open(options.qald, encoding="utf-8") as file:
        items = [json.loads(line) for line in file if line.strip()]
    queries, left_out = [], collections.Counter()
    for item in items:
        try:
            queries.append(Asked(item))
        except Exception as error:  # whatever a parser makes of a slip
            print(f"{item['id']}: cannot be read: {error}", file=sys.stderr)
            left_out["cannot be read"] += 1
            continue
        if queries[-1].kind == "union" and len(queries[-1].branches) == 1:
            queries[-1].kind = "find"
            print(f"{item['id']}: is told to be a union and has none: find", file=sys.stderr)
    maker = Maker(queries, random.Random(options.seed))
    added = maker.make()
    store, names = maker.store(), labels(maker)
    for term, name in names.items():
        if term.startswith("<"):
            store.add(pyoxigraph.Quad(pyoxigraph.NamedNode(term[1:-1]), pyoxigraph.NamedNode(LABEL[1:-1]),
                                      pyoxigraph.Literal(name, language="en")))
    # as the store writes them: answers have numbers in its spelling
    relations = {f[1] for f in maker.facts}
    lines = sorted((f"{q.subject} {q.predicate} {q.object} ." for q in store),
                   key=lambda x: (LABEL not in x, x.split()[0] not in relations, x))
    with open(options.graph, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    kinds = collections.defaultdict(collections.Counter)
    with open(options.questions, "w", encoding="utf-8") as file:
        for query in queries:
            line, why = answered(query, store, names) if query.question else (None, "no English question")
            kinds[query.kind]["asked" if line else "left out"] += 1
            if not line:
                left_out[why] += 1
                print(f"{query.number}: {why}: {query.question}", file=sys.stderr)
                continue
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            if query.ask and line["yes"] != query.truth:
                print(f"{query.number}: is {line['yes']} here: {query.question}", file=sys.stderr)
            if query.order:
                keys = [k for _, k in maker.keys(query, store)]
                end = query.offset + query.limit
                if len(keys) > end and keys[end - 1] == keys[end]:
                    print(f"{query.number}: is a tie: {query.question}", file=sys.stderr)
    print(f"{sum(k['asked'] for k in kinds.values())} questions of {len(items)}")
    for kind, count in sorted(kinds.items(), key=lambda k: -k[1]["asked"]):
        print(f"  {kind:12} {count['asked']:4}  left out {count['left out']}")
    for why, count in left_out.most_common():
        print(f"left out, {why}: {count}")
    types = sum(1 for f in maker.facts if f[1] == TYPE)
    print(f"{len(lines)} triples: {len(maker.facts) - types} facts ({added} of them background), {types} types, "
          f"{len(lines) - len(maker.facts)} labels; {len(relations)} relations, "
          f"{len({t for t in names if is_thing(t)})} things")


if __name__ == "__main__":
    main()
