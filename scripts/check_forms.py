#!/usr/bin/env python3
"""Compares answers to random forms with those of another engine, pyoxigraph, on the same graph.

Usage: check_forms.py PROGRAMS [--world FILE] [--lcquad FOLDER] [--forms N] [--seed N]

PROGRAMS is the folder of the built examples (build/graph/examples). Needs the Python package pyoxigraph in the
environment that runs it; nothing of kgwalk needs it. For each graph (the files given, a table of names with years
and towns whose facts have qualifiers, which are made here) the program `ingest` makes a database and its export as N-Triples, random forms are
answered by `query`, and the SPARQL that it writes for each by pyoxigraph over the export. Then the SPARQL is read
back by `query --sparql` and must give the same answer. With --lcquad all queries of train.jsonl are read, and their
answers compared with those listed there. Exit status 1 where anything differs.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import pyoxigraph as ox

from made_graphs import RDF, XSD, films, towns

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
COMMENT = "http://www.w3.org/2000/01/rdf-schema#comment"
TYPE = RDF + "type"


def run(program, *arguments, lines=None):
    text = None if lines is None else "".join(line + "\n" for line in lines)
    done = subprocess.run([str(program), *map(str, arguments)], input=text, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{program}: {done.stderr}")
    return done.stdout


class Graph:
    """A database, its export in pyoxigraph, and what forms can be made of."""

    def __init__(self, programs, name, files, folder):
        self.name, self.programs = name, programs
        self.database = folder / (name + ".db")
        export = folder / (name + ".nt")
        print(name + ":", run(programs / "ingest", self.database, export, *files).strip(), flush=True)
        self.store = ox.Store()
        self.store.bulk_load(export.read_bytes(), format=ox.RdfFormat.N_TRIPLES)
        self.facts = collections.defaultdict(list)
        self.labels = {}
        statements = collections.defaultdict(list)
        for quad in self.store:
            if isinstance(quad.subject, ox.BlankNode):
                statements[quad.subject].append((quad.predicate, quad.object))
            elif quad.predicate.value == LABEL and isinstance(quad.object, ox.Literal):
                self.labels[quad.subject] = quad.object.value
            elif quad.predicate.value in (ALIAS, COMMENT):
                continue  # names and texts are no facts
            else:
                self.facts[quad.predicate].append((quad.subject, quad.object))
        self.said = collections.defaultdict(list)  # by relation: ends, and what a statement says beside them
        for said in statements.values():
            frame = {p.value.removeprefix(RDF): o for p, o in said if p.value.startswith(RDF)}
            beside = [(p, o) for p, o in said if not p.value.startswith(RDF)]
            self.said[frame["predicate"]].append((frame["subject"], frame["object"], beside))
        self.relations = sorted(self.facts, key=lambda r: r.value)
        self.is_plain = all(r.value.startswith("http://example.org/relation/") for r in self.relations)

    def relation(self, iri):
        return self.labels[iri] if self.is_plain else iri.value

    def entity(self, term):
        if self.is_plain:
            return self.labels[term]
        return str(term) if isinstance(term, ox.Literal) else term.value

    def value_of(self, term):
        """What a term is compared as, in json; None where it is no number and no date."""
        if self.is_plain:
            text = self.labels.get(term, "")
            return int(text) if text.lstrip("-").isdigit() else None
        if not isinstance(term, ox.Literal):
            return None
        kind = term.datatype.value.removeprefix(XSD)
        if kind in ("integer", "decimal", "double"):
            return float(term.value) if kind != "integer" else int(term.value)
        if kind == "date":
            return {"date": term.value[:11] if term.value.startswith("-") else term.value[:10]}
        return {"year": int(term.value)} if kind == "gYear" else None


class Maker:
    """Random forms over a graph."""

    def __init__(self, graph, seed):
        self.graph, self.random = graph, random.Random(seed)
        valued = collections.Counter()
        for relation, facts in graph.facts.items():
            valued[relation] = sum(graph.value_of(o) is not None for _, o in facts) / len(facts)
        self.value_relations = [r for r in graph.relations if valued[r] > 0.5]
        self.thing_relations = [r for r in graph.relations if valued[r] <= 0.5 and r.value != TYPE]
        self.types = sorted({o.value for _, o in graph.facts.get(ox.NamedNode(TYPE), [])})

    def fact(self, relation):
        return self.random.choice(self.graph.facts[relation])

    def name(self, relation, backwards=False):
        return ("~" if backwards else "") + self.graph.relation(relation)

    def family(self, relation, backwards=False):
        if self.random.random() < 0.15:
            other = self.random.choice(self.thing_relations)
            return [self.name(relation, backwards), self.name(other, self.random.random() < 0.5)]
        return self.name(relation, backwards)

    def set(self, depth):
        kinds = ["step"] * 4 + ["having"] + (["type"] * 2 if self.types else [])
        if depth > 0:
            kinds += ["deep step"] * 2 + ["and"] * 2 + ["or", "but", "where_count", "first", "last"]
            kinds += ["where", "where"] if self.value_relations else []
        kind = self.random.choice(kinds)
        return getattr(self, kind.replace(" ", "_"))(depth - 1)

    def qualified(self, relation, form, beside):
        """The step with some of what a statement says, or with what another one says."""
        if self.random.random() < 0.2:
            beside = self.random.choice(self.graph.said[relation])[2]
        form["with"] = []
        for predicate, value in self.random.sample(beside, self.random.randint(1, len(beside))):
            one = {"qualifier": self.graph.relation(predicate)}
            plain = self.graph.value_of(value)
            if plain is None:
                one["is"] = self.graph.entity(value)
            else:
                if isinstance(plain, dict) and "date" in plain and self.random.random() < 0.5:
                    plain = {"year": int(plain["date"][:4])}
                one |= {"test": self.random.choice(["<", "<=", "=", "=", "!=", ">=", ">"]), "value": plain}
            form["with"].append(one)
        return form

    def step(self, _):
        if self.graph.said and self.random.random() < 0.8:
            relation = self.random.choice(sorted(self.graph.said, key=lambda r: r.value))
            subject, obj, beside = self.random.choice(self.graph.said[relation])
            form = {"step": self.family(relation), "from": self.graph.entity(subject)}
            if self.random.random() < 0.5:
                form = {"step": self.family(relation, True), "from": self.graph.entity(obj)}
            return self.qualified(relation, form, beside)
        relation = self.random.choice(self.thing_relations)
        subject, obj = self.fact(relation)
        if self.random.random() < 0.5:
            return {"step": self.family(relation), "from": self.graph.entity(subject)}
        return {"step": self.family(relation, True), "from": self.graph.entity(obj)}

    def having(self, _):
        return {"having": self.family(self.random.choice(self.graph.relations))}

    def type(self, _):
        return {"type": self.random.choice(self.types)}

    def deep_step(self, depth):
        relation = self.random.choice(self.thing_relations)
        form = {"step": self.family(relation, self.random.random() < 0.5), "from": self.set(depth)}
        if self.graph.said.get(relation) and self.random.random() < 0.5:
            return self.qualified(relation, form, self.random.choice(self.graph.said[relation])[2])
        return form

    def and_(self, depth):
        return {"and": [self.set(depth), self.set(depth)]}

    def or_(self, depth):
        return {"or": [self.set(depth), self.set(depth)]}

    def but(self, depth):
        return {"but": [self.set(depth), self.set(depth)]}

    def condition(self, relation):
        values = [self.graph.value_of(o) for _, o in self.graph.facts[relation]]
        values = [v for v in values if v is not None]
        value = self.random.choice(values)
        if isinstance(value, dict) and "date" in value and self.random.random() < 0.5 and value["date"][0] != "-":
            value = {"year": int(value["date"][:4])}
        if self.random.random() < 0.2:
            other = self.random.choice(values)
            return {"between": [value, other]}
        return {"test": self.random.choice(["<", "<=", "=", "!=", ">=", ">"]), "value": value}

    def where(self, depth):
        relation = self.random.choice(self.value_relations)
        of = {"having": self.name(relation)} if self.random.random() < 0.5 else self.set(depth)
        return {"where": self.name(relation), **self.condition(relation), "of": of}

    def count_condition(self):
        return {"test": self.random.choice(["<", "<=", "=", "!=", ">=", ">"]), "value": self.random.randrange(5)}

    def where_count(self, depth):
        relation = self.random.choice(self.thing_relations)
        form = {"where_count": self.name(relation, self.random.random() < 0.5)}
        if self.random.random() < 0.3:
            form["among"] = self.set(0)
        return {**form, **self.count_condition(), "of": self.set(depth)}

    def measure(self):
        if self.value_relations and self.random.random() < 0.7:
            return {"by": self.name(self.random.choice(self.value_relations))}
        relation = self.random.choice(self.thing_relations)
        return {"by_count": self.name(relation, self.random.random() < 0.5)}

    def ranked(self, key, depth):
        measure = self.measure()
        of = {"having": measure["by"]} if "by" in measure and self.random.random() < 0.5 else self.set(depth)
        return {key: of, **measure, "n": self.random.choice([1, 1, 1, 2, 3, 5])}

    def first(self, depth):
        return self.ranked("first", depth)

    def last(self, depth):
        return self.ranked("last", depth)

    def compared(self):
        if self.value_relations and self.random.random() < 0.7:
            relation = self.random.choice(self.value_relations)
            measure = {"by": self.name(relation)}
        else:
            relation = self.random.choice(self.thing_relations)
            measure = {"by_count": self.name(relation)}
        return [self.graph.entity(self.fact(relation)[0]) for _ in range(2)], measure

    def query(self):
        kind = self.random.choice(["find"] * 10 + ["count"] * 3 + ["sum", "average", "which", "whether", "difference",
                                                                  "check", "check_among", "check_count", "relations"])
        depth = self.random.choice([0, 1, 1, 2, 2, 3])
        if kind in ("sum", "average") and not self.value_relations:
            kind = "find"
        if kind in ("find", "count", "check"):
            return {kind: self.set(depth)}
        if kind in ("sum", "average"):
            relation = self.random.choice(self.value_relations)
            of = {"having": self.name(relation)} if self.random.random() < 0.5 else self.set(depth)
            return {kind: self.name(relation), "of": of}
        if kind == "check_among":
            members = self.set(0) if self.random.random() < 0.3 else self.step(0)["from"]
            return {"check": self.set(depth), "members": members}
        if kind == "check_count":
            return {"check": self.set(depth), **self.count_condition()}
        if kind == "relations":
            subject, obj = self.fact(self.random.choice(self.graph.relations))
            ends = [self.graph.entity(subject), self.graph.entity(obj)]
            return {"relations": ends if self.random.random() < 0.5 else ends[::-1]}
        both, measure = self.compared()
        form = {kind: both, **measure}
        if kind == "whether":
            form["test"] = self.random.choice(["<", "<=", "=", "!=", ">=", ">"])
        return form


setattr(Maker, "and", Maker.and_)
setattr(Maker, "or", Maker.or_)


def term_of(graph, text):
    """An entity as `query` tells its id, as a term of the store, which writes numbers and dates its own way."""
    if graph.is_plain:
        return text
    if not text.startswith('"'):
        return "<" + text + ">"
    quad = next(ox.parse(f"<x:s> <x:p> {text} .".encode(), format=ox.RdfFormat.N_TRIPLES))
    store = ox.Store()
    store.add(quad)
    return str(next(iter(store)).object)


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def number_of(json_number):
    return json_number["number"] if isinstance(json_number, dict) else json_number


def is_unknown(told):
    """Of two things compared, one has no value: SPARQL compares what there is, and has no such answer."""
    return told["answer"].get("no_common_value") and told["form"].keys() & {"which", "whether", "difference"}


def compare_with_oxigraph(graph, told):
    """None where both agree, else what differs."""
    answer = told["answer"]
    if is_unknown(told):
        return None
    result = graph.store.query(told["sparql"])
    if isinstance(result, ox.QueryBoolean):
        return None if bool(result) == answer["truth"] else f"truth {bool(result)}"
    rows = list(result)
    names = [v.value for v in result.variables]
    if names == ["n"]:
        number = rows[0][0] if rows else None
        if "number" not in answer:  # SUM and AVG of nothing are 0 in SPARQL
            return None if number is None or float(number.value) == 0 else f"number {number}"
        if number is None:
            return "no number"
        return None if near(float(number.value), number_of(answer["number"])) else f"number {number}"
    if names == ["p", "backwards"]:
        # labels are no facts
        rows = [r for r in rows if r["p"].value not in (LABEL, ALIAS, COMMENT)]
        found = {("~" if r["backwards"].value == "true" else "") + graph.relation(r["p"]) for r in rows}
        return None if len(found) == len(answer.get("relations", [])) else f"relations {found}"
    found = {graph.labels[r[0]] if graph.is_plain else str(r[0]) for r in rows}
    ours = {term_of(graph, text) for text in told["ids"]}
    return None if found == ours else f"{len(found)} things, we {len(ours)}: {sorted(found ^ ours)[:4]}"


def check_graph(graph, count, seed):
    maker = Maker(graph, seed)
    forms = [json.dumps(maker.query(), ensure_ascii=False) for _ in range(count)]
    told = [json.loads(line) for line in
            run(graph.programs / "query", graph.database, lines=forms).splitlines()]
    wrong = unsaid = empty = no_common = 0
    again, same = [], []
    for form, one in zip(forms, told, strict=True):
        if "error" in one or "error" in one["sparql"]:
            unsaid += 1
            reason = one["error"] if "error" in one else one["sparql"]["error"]
            if "SPARQL cannot" not in reason:
                wrong += 1
                print("refused:", form, reason)
            continue
        answer = one["answer"]
        no_common += bool(is_unknown(one))
        empty += not (one["ids"] or "truth" in answer or number_of(answer.get("number", 0)))
        difference = compare_with_oxigraph(graph, one)
        if difference:
            wrong += 1
            print("differs:", form, "\n  ", difference, "\n  ", one["words"], "\n  ", one["sparql"])
        again.append(" ".join(one["sparql"].split()))
        same.append((form, one))
    back = [json.loads(line) for line in
            run(graph.programs / "query", graph.database, "--sparql", lines=again).splitlines()]
    unread, examples = collections.Counter(), {}
    for (form, one), other in zip(same, back, strict=True):
        if "error" in other:
            unread[other["error"][:60]] += 1
            examples[other["error"][:60]] = form
        elif not same_answer(one["answer"], other["answer"]):
            wrong += 1
            print("read back otherwise:", form, "\n  ", one["sparql"], "\n  ", other["words"])
    print(f"{graph.name}: {count} forms, {count - unsaid - no_common} compared, {wrong} differ; not compared: {unsaid} not "
          f"sayable in SPARQL, {no_common} not known for want of a value; {empty} with an empty answer; "
          f"{len(back) - sum(unread.values())} of {len(back)} read back")
    for reason, times in unread.most_common():
        print("   not read back:", times, reason, examples[reason])
    return wrong


def same_answer(a, b):
    if a.get("no_common_value") or b.get("no_common_value"):
        return True
    numbers = [number_of(x.get("number", 0)) for x in (a, b)]
    return (sorted(a["entities"]) == sorted(b["entities"]) and near(*numbers) and a.get("truth") == b.get("truth")
            and a.get("relations") == b.get("relations"))


def told_apart(name, labels):
    """The label that a name was made of by putting something in brackets behind it."""
    return name if name in labels else next((x for x in labels if name.startswith(x + " (")), name)


def check_lcquad(graph, questions):
    """All queries are read and give the answers that are listed, which leave out what the question names."""
    items = [json.loads(line) for line in questions.open()]
    told = [json.loads(line) for line in run(graph.programs / "query", graph.database, "--sparql",
                                             lines=[i["sparql"].replace("\n", " ") for i in items]).splitlines()]
    wrong = unknown = 0
    for item, one in zip(items, told, strict=True):
        if "is not in the graph" in one.get("error", ""):  # what names nothing has no facts
            unknown += 1
            difference = None if not (item.get("count") or item.get("yes") or item.get("answers")) else one["error"]
        elif "error" in one:
            difference = one["error"]
        elif "count" in item:
            difference = None if one["answer"]["number"] == item["count"] else "count"
        elif "yes" in item:
            difference = None if one["answer"]["truth"] == item["yes"] else "truth"
        else:
            named = {text.split(">")[0] for text in item["sparql"].split("<")[1:]}
            # by the source's names, which ingestion tells apart where two things bear one
            ours = {graph.labels.get(ox.NamedNode(iri), name) if ":" in iri and iri[0] != '"' else name
                    for name, iri in zip(one["answer"]["entities"], one["ids"], strict=True) if iri not in named}
            ours = {told_apart(name, item["answers"]) for name in ours}
            difference = None if ours == set(item["answers"]) else f"{sorted(ours ^ set(item['answers']))[:4]}"
        if difference:
            wrong += 1
            if wrong <= 10:
                print("lcquad differs:", item["question"], "\n  ", item["sparql"], "\n  ", difference)
    print(f"{questions}: {len(items)} queries, {wrong} differ; {unknown} name what is not in the graph")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--world", type=pathlib.Path)
    parser.add_argument("--lcquad", type=pathlib.Path)
    parser.add_argument("--forms", type=int, default=2000, help="of all graphs together")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graphs = [Graph(options.programs, "films", [films(folder, options.seed)], folder),
                  Graph(options.programs, "towns", [towns(folder, options.seed)], folder)]
        if options.world:
            graphs.append(Graph(options.programs, "world", [options.world], folder))
        if options.lcquad:
            graphs.append(Graph(options.programs, "lcquad", [options.lcquad / "graph.nt"], folder))
        for graph in graphs:
            wrong += check_graph(graph, options.forms // len(graphs), options.seed)
        if options.lcquad:
            wrong += check_lcquad(graphs[-1], options.lcquad / "train.jsonl")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
