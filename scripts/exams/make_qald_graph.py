#!/usr/bin/env python3
"""Makes a graph in which the queries of QALD-9 have answers, and its questions with what they answer there.

Use: make_qald_graph.py QALD_FILE OUT_GRAPH.nt OUT_QUESTIONS.jsonl [--seed N]
  QALD_FILE  JSON lines: id, kind, question by language, sparql over DBpedia, boolean, answers
Needs rdflib and pyoxigraph. Names and relations are DBpedia's, facts are not all true: each query's patterns are
filled in with its own answers and with what stands in the same places of other queries, beside things that do not
satisfy it. The answers written are those that the repaired query has on the whole graph."""
import argparse
import collections
import itertools
import json
import logging
import random
import re
import statistics
import sys
import urllib.parse

import pyoxigraph
import rdflib
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery

RESOURCE, ONTOLOGY = "http://dbpedia.org/resource/", "http://dbpedia.org/ontology/"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
PREFIXES = {
    "xsd": XSD, "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "dbo": ONTOLOGY, "onto": ONTOLOGY, "dbp": "http://dbpedia.org/property/", "res": RESOURCE, "dbr": RESOURCE,
    "dbc": RESOURCE + "Category:", "dct": "http://purl.org/dc/terms/", "foaf": "http://xmlns.com/foaf/0.1/",
    "yago": "http://dbpedia.org/class/yago/", "skos": "http://www.w3.org/2004/02/skos/core#",
}
# Queries that ask for the contrary of their question, by id.
SLIPS = {
    338: ("?y > ?x", "?x > ?y"),             # more episodes than the second
    407: ("ORDER BY ?b", "ORDER BY DESC(?b)"),  # the highest budget
}
MOST_ANSWERS = 12   # of those that the file lists
DISTRACTORS = 5
BACKGROUND = 1000
FACTS_PER_RELATION = 10  # the median of lcquad/graph.nt; background is added where there are fewer

# Plausible values by the relation's name, the first that is found in it: (least, greatest).
RANGES = (
    ("rank", 5, 120), ("height", 1.5, 2.2), ("elevation", 300, 5000), ("population", 800, 3e6), ("area", 1e7, 9e10),
    ("length", 2e4, 3e6), ("mainspan", 100, 1500), ("weight", 6e4, 1.2e5), ("mass", 1e4, 1e20), ("budget", 2e6, 2e8),
    ("employees", 50, 9e4), ("visitors", 5e3, 3e6), ("capacity", 4e3, 8e4), ("floorcount", 8, 90), ("pages", 80, 900),
    ("episodes", 10, 150), ("races", 5, 200), ("ign", 40, 95), ("entrance", 1, 8), ("satellite", 1, 80),
    ("birth", 1900, 1998), ("opening", 1863, 1995), ("established", 1200, 1990), ("erupt", 1700, 2015),
    ("release", 1950, 2014), ("publication", 1950, 2014), ("activeyears", 950, 1600), ("date", 1900, 2014),
    ("year", 1900, 2014), ("", 1, 500),
)
WHOLE = re.compile(r"population|number|count|rank|episodes|races|pages|employees|capacity|visitors|ign$|established",
                   re.I)
MEASURED = re.compile(r"height|elevation|length|area|weight|mass|budget|span", re.I)


def tail(iri):
    """The last part of an IRI: of a resource all behind the namespace, since names may hold a slash."""
    iri = iri.strip("<>")
    return iri[len(RESOURCE):] if iri.startswith(RESOURCE) else re.split(r"[/#]", iri)[-1]


def place(relation, end):
    """One place for a relation in all vocabularies."""
    return tail(relation).lower(), end


def is_thing(term):
    return term.startswith("<" + RESOURCE)


def literal(text, datatype=None, language=None):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{text}"' + (f"@{language}" if language else f"^^<{XSD}{datatype}>" if datatype else "")


def written(term):
    """A term of rdflib as N-Triples has it; a variable with its mark."""
    if isinstance(term, rdflib.Variable):
        return "?" + term
    if isinstance(term, rdflib.Literal):
        return literal(str(term), str(term.datatype)[len(XSD):] if term.datatype else None, term.language)
    return f"<{term}>" if isinstance(term, rdflib.URIRef) else "?_" + term  # a blank node is a variable of its own


def value_of(term):
    """What a literal is compared by: a number, or a time in years."""
    text = re.match(r'"(.*)"', term).group(1)
    date = re.match(r"(-?\d{1,4})-(\d\d)-(\d\d)", text)
    return int(date[1]) + (int(date[2]) - 1) / 12 + (int(date[3]) - 1) / 372 if date else float(text)


def typed(text, relation):
    """An answer of the file that is no IRI, as a literal."""
    if re.fullmatch(r"-?\d+", text):
        return literal(text, "gYear" if re.search("year", tail(relation), re.I) and len(text) == 4 else "integer")
    if date := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text):
        return literal(f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}", "date")
    if re.fullmatch(r"-?\d*\.?\d+([eE][+-]?\d+)?", text):
        return literal(text, "double")
    return literal(text)


# ---- reading

def repaired(number, sparql):
    """The query as SPARQL 1.1 has it, on one line."""
    sparql = " ".join(sparql.split())
    if number in SLIPS:
        sparql = sparql.replace(*SLIPS[number])
    sparql = re.sub(r"SELECT COUNT\(DISTINCT (\?\w+) AS \?\w+\)", r"SELECT (COUNT(DISTINCT \1) AS ?c)", sparql,
                    flags=re.I)
    sparql = re.sub(r"COUNT\(DISTINCT\((\?\w+)\)\)", r"COUNT(DISTINCT \1)", sparql, flags=re.I)
    counted = re.search(r"ORDER BY \w*\s*\(\s*COUNT", sparql, re.I)
    if counted and not re.search(r"GROUP BY", sparql, re.I):
        variable = re.search(r"SELECT (?:DISTINCT )?(\?\w+)", sparql, re.I)[1]
        sparql = sparql[: counted.start()] + f"GROUP BY {variable} " + sparql[counted.start():]
    # regex is for strings, and these are dates and things
    sparql = re.sub(r"regex\s*\(\s*(\?\w+)", r"regex(STR(\1)", sparql, flags=re.I)
    # a day is not comparable with a moment
    sparql = re.sub(r"xsd:dateTime\('(\d{4}-\d\d-\d\d)T[^']*'\)", r'"\1"^^xsd:date', sparql)
    known = PREFIXES | dict(re.findall(r"PREFIX\s+(\w+):\s*<([^>]*)>", sparql, re.I))
    sparql = re.sub(r"PREFIX\s+\w+:\s*<[^>]*>\s*", "", sparql, flags=re.I)
    # whole IRIs: parsers differ about the dots in names
    parts = re.split(r"""(<[^<>\s]*>|"[^"]*"|'[^']*')""", sparql)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"(?<![\w:?])(\w+):([^\s;,(){}^]*[^\s;,(){}^.])",
                              lambda m: f"<{known[m[1]]}{m[2]}>", parts[index])
    return "".join(parts).strip()


class Asked:
    """A query taken apart. A branch is what has to hold together: patterns and conditions. A condition is
    ("compare", variable, operator, constant or variable), ("regex", variable, pattern) or ("unbound", variable)."""

    def __init__(self, item):
        self.number, self.kind = int(item["id"]), item["kind"]
        self.question = " ".join(item["question"].get("en", "").split())
        self.truth = bool((item.get("boolean") or [False])[0])
        self.sparql = repaired(self.number, item["sparql"])
        self.order, self.descending, self.limit, self.offset = None, False, None, 0
        self.having, self.counted, self.counts = None, None, {}
        algebra = translateQuery(parseQuery(self.sparql)).algebra
        self.ask = algebra.name == "AskQuery"
        self.shown = [] if self.ask else ["?" + v for v in algebra.PV]
        self.branches = self.read(algebra.p)
        shown = self.shown[0] if self.shown else None
        if shown and not any(shown in pattern for pattern in self.patterns()):
            self.counted = next(v for v in self.counts.values() if any(v in p for p in self.patterns()))
        self.asked = self.counted or shown
        if self.order in self.counts:
            self.order = ("count", self.counts[self.order])
        places = [r for _, r, o in self.patterns() if o == self.asked]
        answers = [] if self.ask or self.counted else (item.get("answers") or [])
        relation = places[0] if places else ""
        self.answers = [f"<{a}>" if re.match(r"https?://\S+$", a) else typed(a, relation) for a in answers]

    def patterns(self):
        return [pattern for patterns, _ in self.branches for pattern in patterns]

    def read(self, node):
        name = node.name
        if name == "BGP":
            return [([tuple(written(t) for t in triple) for triple in node.triples], [])]
        if name == "Union":
            return self.read(node.p1) + self.read(node.p2)
        if name in ("Join", "LeftJoin"):
            return [(a[0] + b[0], a[1] + b[1]) for a, b in itertools.product(self.read(node.p1), self.read(node.p2))]
        if name == "Filter":
            branches, conditions = self.read(node.p), []
            for condition in self.conditions(node.expr):
                if condition[1] in self.counts:
                    self.having = (self.counts[condition[1]], condition[2], int(value_of(condition[3])))
                else:
                    conditions.append(condition)
            return [(patterns, held + conditions) for patterns, held in branches]
        if name == "AggregateJoin":
            for aggregate in node.A:
                if aggregate.name == "Aggregate_Count":
                    self.counts["?" + aggregate.res] = written(aggregate.vars)
            return self.read(node.p)
        if name == "OrderBy":
            branches, key = self.read(node.p), node.expr[0]
            self.order, self.descending = self.variable(key.expr), key.order == "DESC"
            return branches
        if name == "Slice":
            self.limit, self.offset = node.length, node.start
        if name == "Extend":
            branches, given = self.read(node.p), "?" + node.expr if isinstance(node.expr, rdflib.Variable) else None
            if given in self.counts:
                self.counts["?" + node.var] = self.counts[given]
            return branches
        if name in ("Slice", "Project", "Distinct", "Group", "ToMultiSet"):
            return self.read(node.p)
        raise ValueError(f"has {name}")

    def variable(self, expression):
        """The variable or constant within casts and functions of one argument."""
        while not isinstance(expression, rdflib.term.Identifier):
            inner = expression["arg" if "arg" in expression else "expr"]
            expression = inner[0] if isinstance(inner, list) else inner
        return written(expression)

    def conditions(self, expression):
        if expression.name == "ConditionalAndExpression":
            return [c for part in [expression.expr, *expression.other] for c in self.conditions(part)]
        if expression.name == "RelationalExpression":
            return [("compare", self.variable(expression.expr), expression.op, self.variable(expression.other))]
        if expression.name == "Builtin_REGEX":
            return [("regex", self.variable(expression.text), str(expression.pattern))]
        if expression.name == "UnaryNot":
            return [("unbound", self.variable(expression.expr))]
        raise ValueError(f"has the filter {expression.name}")


# ---- values

class Values:
    """Draws literals. None is drawn twice for a relation while there are others: ties are for nobody to order."""

    def __init__(self, rng):
        self.rng, self.drawn, self.datatypes = rng, set(), {}

    def learn(self, relation, term):
        if found := re.search(r"XMLSchema#(\w+)>$", term):
            # a length that happens to be whole is still a length
            if self.datatypes.get(relation) != "double":
                self.datatypes[relation] = found[1]

    def datatype(self, relation, conditions=()):
        name = tail(relation)
        for condition in conditions:
            if condition[0] == "compare" and (found := re.search(r"XMLSchema#(\w+)>$", condition[3])):
                # years are compared with plain numbers by year() and without it; only the plain ones are numbers
                return "double" if found[1] in ("decimal", "double") else \
                    "gYear" if found[1] == "integer" and name.endswith("Year") else found[1]
            if condition[0] == "regex":
                return "gYear" if name.lower().endswith("year") else "date"
        if re.search(r"date$", name, re.I) or name in ("founded", "foundation", "formation"):
            return "date"
        if relation in self.datatypes:
            return self.datatypes[relation]
        if re.search(r"year$", name, re.I):
            return "gYear"
        return "integer" if WHOLE.search(name) else "double"

    def is_value(self, relation):
        name = tail(relation)
        return relation in self.datatypes or bool(re.search(r"date$|year$", name, re.I) or WHOLE.search(name) or
                                                  MEASURED.search(name))

    def draw(self, relation, datatype, lower=None, upper=None):
        """A literal whose value lies strictly between the bounds."""
        least, greatest = next((a, b) for key, a, b in RANGES if key in tail(relation).lower())
        timed = datatype in ("date", "gYear")
        if timed and greatest > 2100 or timed and least < 100:
            least, greatest = 1900, 2014
        if lower is None:
            lower = least if upper is None or upper > least else upper - 40 if timed else upper * 0.3
        if upper is None:
            upper = greatest if greatest > lower else lower + 30 if timed else lower * 1.5
        if not timed:  # away from the bounds, where there is room
            lower, upper = lower + (upper - lower) * 0.02, upper - (upper - lower) * 0.02
        again = None
        for _ in range(400):
            term = self.write(self.rng.uniform(lower, upper), datatype)
            if lower < value_of(term) < upper:
                if (relation, term) not in self.drawn:
                    self.drawn.add((relation, term))
                    return term
                again = term
        if again:
            return again
        raise ValueError(f"no value of {tail(relation)} between {lower} and {upper}")

    def write(self, value, datatype):
        if datatype == "date":
            year = int(value // 1)
            return literal(f"{year:04}-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}", "date")
        if datatype == "gYear":
            return literal(f"{int(value):04}", "gYear")
        if datatype == "integer":
            return literal(str(round(value)), "integer")
        return literal(f"{value:.2f}" if abs(value) < 1000 else str(round(value)), "double")

    def holding(self, relation, conditions, hold):
        """A literal for which all of the conditions hold, or one of them does not."""
        datatype, bounds = self.datatype(relation, conditions), []
        for condition in conditions:
            if condition[0] == "regex":
                year = int(re.search(r"\d{4}", condition[2])[0])
                bounds += [(">", year - 1e-6), ("<", year + 1 - 1e-6)]
            else:
                bounds.append((condition[2][0], value_of(condition[3])))
        if not hold:
            bounds = [self.rng.choice(bounds)]
            bounds = [({">": "<", "<": ">"}[bounds[0][0]], bounds[0][1])]
        lower = max((v for op, v in bounds if op == ">"), default=None)
        upper = min((v for op, v in bounds if op == "<"), default=None)
        if datatype == "gYear" and lower is not None and upper is not None:  # a year has nothing between
            return self.write(upper, datatype)
        return self.draw(relation, datatype, lower, upper)


# ---- the graph

class Maker:
    def __init__(self, queries, rng):
        self.queries, self.rng, self.values = queries, rng, Values(rng)
        self.facts, self.named = {}, {}          # facts in order; names that queries ask for
        self.objects, self.subjects = collections.defaultdict(list), collections.defaultdict(list)
        self.places, self.types = collections.defaultdict(dict), collections.defaultdict(dict)
        self.things = {}
        for query in queries:
            self.pool(query)
        # answers that values or counts decide about: not taken for anything else, which would give them other values
        self.reserved = {a for q in queries if q.order or q.having or any(held for _, held in q.branches)
                         or any(s == q.asked and o[0] == "?" and self.values.is_value(r) for s, r, o in q.patterns())
                         for a in q.answers}
        self.reserved |= {t for q in queries if q.ask and (not q.truth or q.branches[0][1]) for t in self.constants(q)}
        self.places_of = collections.defaultdict(list)
        for where, things in self.places.items():
            for thing in things:
                self.places_of[thing].append(where)

    def pool(self, query):
        for subject, relation, object_ in query.patterns():
            for term, end, other in ((subject, "subject", object_), (object_, "object", subject)):
                for thing in query.answers if term == query.asked else [term]:
                    if not is_thing(thing):
                        if thing.startswith('"') and end == "object":
                            self.values.learn(relation, thing)
                        continue
                    self.things[thing] = True
                    if relation != TYPE:
                        self.places[place(relation, end)][thing] = True
                    elif end == "subject":
                        self.types[other][thing] = True

    def add(self, subject, relation, object_):
        if relation == LABEL:
            self.named[subject] = re.match(r'"(.*)"', object_)[1]
            return
        if (subject, relation, object_) not in self.facts:
            self.facts[subject, relation, object_] = True
            self.objects[subject, relation].append(object_)
            self.subjects[relation, object_].append(subject)
            if relation == TYPE:
                self.types[object_][subject] = True

    def candidates(self, variable, patterns, avoid):
        """Things for a variable, the most fitting first: of its types and places, of its types, of a place, of a
        place beside those, any."""
        kinds = [self.types[o] for s, r, o in patterns if s == variable and r == TYPE]
        where = [self.places[place(r, end)] for s, r, o in patterns if r not in (TYPE, LABEL)
                 for term, end in ((s, "subject"), (o, "object")) if term == variable]
        everything = list(self.things)
        alike = {t: True for pool in kinds or where for t in pool}
        near = {t for w in {w: True for a in alike for w in self.places_of.get(a, ())} for t in self.places[w]}
        tiers = ([t for t in everything if all(t in k for k in kinds + where)],
                 [t for t in everything if kinds and all(t in k for k in kinds)],
                 [t for t in everything if where and all(t in w for w in where)],
                 [t for t in everything if any(t in w for w in where)],
                 [t for t in everything if t in near], everything)
        found = {}
        for tier in tiers:
            tier = [t for t in tier if t not in avoid and t not in found]
            self.rng.shuffle(tier)
            found.update(dict.fromkeys(tier))
        values = [r for s, r, _ in patterns if s == variable and self.values.is_value(r)]
        return sorted(found, key=lambda t: (t in self.reserved, any(self.objects[t, r] for r in values)))

    def linked(self, variable, patterns, binding, avoid):
        """What the graph has already for a variable beside what is bound: one capital of a country is enough."""
        found = None
        for subject, relation, object_ in patterns:
            subject, object_ = (binding.get(t, t) if t != variable else t for t in (subject, object_))
            if relation in (TYPE, LABEL) or variable not in (subject, object_):
                continue
            other = object_ if subject == variable else subject
            if other.startswith("?") or other == variable:
                continue
            here = self.subjects[relation, other] if subject == variable else self.objects[subject, relation]
            found = [t for t in here if found is None or t in found]
        return [t for t in found or [] if t not in avoid]

    def conditions_on(self, variable, conditions, binding):
        """Those that compare it with a value, what is bound put in its place."""
        held, turned = [], {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        for condition in conditions:
            if condition[0] == "regex" and condition[1] == variable and re.search(r"\^\d{4}", condition[2]):
                held.append(condition)
            elif condition[0] == "compare" and condition[2] in turned:
                kind, a, operator, b = condition
                a, b = binding.get(a, a) if a != variable else a, binding.get(b, b) if b != variable else b
                if a == variable and b.startswith('"'):
                    held.append((kind, a, operator, b))
                elif b == variable and a.startswith('"'):
                    held.append((kind, b, turned[operator], a))
        return held

    def compared(self, variable, conditions):
        return any(variable in c[1:] and (c[0] != "compare" or c[2] in "<=>=") and (c[0] != "regex" or "^" in c[2])
                   for c in conditions)

    def fill(self, patterns, conditions, binding, avoid, hold=True, reuse=True, order=None):
        """Binds what is not bound and adds the facts. `hold`: whether the comparisons are to be true."""
        binding = dict(binding)
        variables = list(dict.fromkeys(t for s, _, o in patterns for t in (s, o) if t.startswith("?")))
        relation_of = {o: r for s, r, o in patterns if o in variables and r != TYPE}
        is_subject = {s for s, _, _ in patterns}
        values = [v for v in variables if v not in is_subject and v in relation_of and
                  (self.compared(v, conditions) or v == order or self.values.is_value(relation_of[v]))
                  and not any(c[0] == "compare" and c[2] in ("=", "!=") and v in c[1:] for c in conditions)]
        same = [(c[1], c[3]) for c in conditions if c[0] == "compare" and c[2] == "=" and c[3].startswith("?")]
        for variable in variables:
            if variable in binding or variable in values:
                continue
            pair = next((b if a == variable else a for a, b in same if variable in (a, b)), None)
            if pair in binding and hold:
                binding[variable] = binding[pair]
                continue
            taken = set(avoid) | {binding.get(t, t) for s, _, o in patterns for t in (s, o)}
            label = next((o for s, r, o in patterns if s == variable and r == LABEL and o.startswith('"')), None)
            if label:
                binding[variable] = "<" + RESOURCE + re.match(r'"(.*)"', label)[1].replace(" ", "_") + ">"
                continue
            described = next((o for s, r, o in patterns if s == variable and r == LABEL), None)
            wanted = next((c[2] for c in conditions if c[0] == "regex" and c[1] in (variable, described)), None)
            if described:
                binding[described] = "?"  # its name comes with it
            choice = self.linked(variable, patterns, binding, taken) if reuse and variable not in same else []
            if wanted:
                choice = [t for t in choice or self.things if wanted.lower() in tail(t).lower()]
                if not choice:
                    made = "<" + RESOURCE + wanted[0].upper() + wanted[1:] + ">"
                    choice, self.things[made] = [made], True
                choice = choice[:1]
            binding[variable] = self.rng.choice(choice) if choice else self.candidates(variable, patterns, taken)[0]
        # what belongs to a constant first: the others are compared with it
        for variable in sorted(values, key=lambda v: any(o == v and s.startswith("?") for s, _, o in patterns)):
            if variable in binding:
                continue
            relation, held = relation_of[variable], self.conditions_on(variable, conditions, binding)
            owner = next(binding.get(s, s) for s, _, o in patterns if o == variable)
            present = [t for t in self.objects[owner, relation] if t.startswith('"')]
            fit = [t for t in present if all(self.true(t, c) for c in held) == hold] if held else present
            if fit:
                binding[variable] = fit[0]
            elif held:
                binding[variable] = self.values.holding(relation, held, hold)
            else:
                binding[variable] = self.values.draw(relation, self.values.datatype(relation, conditions))
        for subject, relation, object_ in patterns:
            subject, object_ = binding.get(subject, subject), binding.get(object_, object_)
            if object_ != "?":
                self.add(subject, relation, object_)
        return binding

    @staticmethod
    def true(term, condition):
        if condition[0] == "regex":
            return re.search(condition[2], term[1:]) is not None
        a, b = value_of(term), value_of(condition[3])
        return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[condition[2]]

    def constants(self, query):
        return {t for s, _, o in query.patterns() for t in (s, o) if is_thing(t)}

    # -- the kinds of queries

    def find(self, query):
        """Answers spread over the branches; what lies between is shared by about four of them."""
        answers = query.answers[:MOST_ANSWERS]
        avoid = self.constants(query) | set(query.answers)
        if query.counted or not answers:
            patterns = [p for p in query.branches[0][0]]
            answers = self.candidates(query.asked, patterns, avoid)[: self.rng.randint(3, 9)]
        filtered = [c for c in query.branches[0][1] if c[0] == "regex" or c[0] == "compare" and c[2] in "<=>="]
        between = {}
        for index, answer in enumerate(answers):
            number = index % len(query.branches)
            patterns, conditions = query.branches[number]
            shared = between.get((number, index // 4), {}) if is_thing(answer) and not filtered else {}
            binding = self.fill(patterns, conditions, {**shared, query.asked: answer}, avoid,
                                reuse=is_thing(answer))
            between[number, index // 4] = {v: t for v, t in binding.items() if v != query.asked and t.startswith("<")}
        for patterns, conditions in query.branches[len(answers):]:  # fewer answers than branches
            self.fill(patterns, conditions, {}, avoid, reuse=False)
        if filtered:
            self.distract(query, avoid)

    def distract(self, query, avoid, extra=lambda: {}):
        for index in range(DISTRACTORS):
            patterns, conditions = query.branches[index % len(query.branches)]
            binding, given = dict(extra()), set(avoid)
            owner = query.asked
            if query.order and isinstance(query.order, str):
                owner = next(s for s, _, o in patterns if o == query.order)
            wanted = [c for c in conditions if c[0] == "regex" and "^" not in c[2]]
            if owner.startswith("?"):
                binding[owner] = self.fresh(owner, patterns, given)
                given.add(binding[owner])
            avoid.update(given)
            if wanted and not query.order:  # a thing that does not have the word in its name
                for condition in wanted:
                    if any(condition[1] in p for p in patterns):
                        binding[condition[1]] = next(
                            t for t in self.candidates(condition[1], patterns, given)
                            if condition[2].lower() not in tail(t).lower())
                conditions = [c for c in conditions if c not in wanted]
            order = query.order if isinstance(query.order, str) else None
            self.fill(patterns, conditions, binding, given, hold=bool(query.order), reuse=False, order=order)

    def fresh(self, variable, patterns, avoid):
        """A thing that has nothing yet of what the patterns leave open: it would stand beside what they give it."""
        choice = self.candidates(variable, patterns, avoid)
        open_ = [r for s, r, o in patterns if s == variable and o.startswith("?")]
        return next((t for t in choice if not any(self.objects[t, r] for r in open_)), choice[0])

    def group(self, query):
        """HAVING (COUNT(?x) > n)."""
        counted, _, least = query.having
        avoid = self.constants(query) | set(query.answers)
        others = [t for t in self.candidates(query.asked, query.branches[0][0], avoid)][:DISTRACTORS]
        many = [(a, least + self.rng.randint(1, 3)) for a in query.answers[: 3 if least > 5 else 5]]
        few = [(a, self.rng.randint(1, min(least, 4))) for a in others]
        avoid |= set(others)
        for answer, count in many + few:
            self.count_up(query, counted, answer, count, avoid)

    def count_up(self, query, counted, answer, count, avoid):
        patterns = query.branches[0][0]
        avoid = avoid | set(self.linked(counted, patterns, {query.asked: answer}, ()))
        leading = [r for s, r, o in patterns if s == counted and o == query.asked]
        choice = self.candidates(counted, patterns, avoid)
        choice.sort(key=lambda t: any(self.objects[t, r] for r in leading))
        for thing in choice[:count]:
            number = self.rng.randrange(len(query.branches))
            patterns, conditions = query.branches[number]
            self.fill(patterns, conditions, {query.asked: answer, counted: thing}, avoid)

    def store(self):
        store = pyoxigraph.Store()
        text = "\n".join(" ".join(f) + " ." for f in self.facts)
        store.load(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
        return store

    def keys(self, query, store):
        """(answer, what it is ordered by) of all that the query without its limit finds, the first first."""
        key = query.order if isinstance(query.order, str) else None
        text = re.sub(r"\b(LIMIT|OFFSET)\s+\d+", "", query.sparql, flags=re.I)
        if key:
            text = re.sub(r"SELECT (DISTINCT )?(\?\w+)", lambda m: f"SELECT DISTINCT {m[2]} ({key} AS ?key_)",
                          text, count=1, flags=re.I)
        else:
            count = re.search(r"COUNT\([^()]*\)", text, re.I)[0]
            text = re.sub(r"SELECT (DISTINCT )?(\?\w+)", lambda m: f"SELECT {m[2]} ({count} AS ?key_)", text, count=1,
                          flags=re.I)
        found = {}
        for row in store.query(text):
            found.setdefault(str(row[0]), value_of(str(row[1])))
        return list(found.items())

    def superlative(self, query):
        answers = query.answers[: query.limit]
        avoid = self.constants(query) | set(query.answers)
        if not isinstance(query.order, str):
            counted = query.order[1]
            others = self.candidates(query.asked, query.branches[0][0], avoid)[:DISTRACTORS]
            for other in others:
                self.count_up(query, counted, other, self.rng.randint(1, 3), avoid | set(others))
            present = self.keys(query, self.store())
            count = max([n for a, n in present if a not in answers], default=3)
            count = int(max(count, 4)) + 3 - int(dict(present).get(answers[0], 0))
            if count > 0:
                self.count_up(query, counted, answers[0], count, avoid)
            return
        present = self.keys(query, self.store())
        relation = next(r for _, r, o in query.patterns() if o == query.order)
        datatype = self.values.datatype(relation)
        sign = 1 if query.descending else -1
        conditions = [c for _, held in query.branches for c in held]
        if query.order == query.asked:  # the answer is the value itself
            best = {a: value_of(a) for a in answers}
            for answer in answers:
                patterns, held = query.branches[0]
                self.fill(patterns, held, {query.asked: answer}, avoid)
            self.behind(query, relation, datatype, sign, best, avoid)
            return
        ahead = present[: query.offset]
        row = answers if len(ahead) == query.offset else \
            self.candidates(query.asked, query.branches[0][0], avoid)[: query.offset] + answers
        if [a for a, _ in present[: query.offset + query.limit]] == [a for a, _ in ahead] + answers:
            best = dict(present[: query.offset + query.limit])
        elif query.offset and row == answers:
            patterns, held = query.branches[0]
            bounds = sorted(value for _, value in present[query.offset - 1 : query.offset + 1])
            term = self.values.draw(relation, datatype, *bounds)
            self.fill(patterns, held, {query.asked: answers[0], query.order: term}, avoid)
            best = {answers[0]: value_of(term)}
        else:
            best, bound = {}, present[0][1] if present else None
            top = max if sign > 0 else min
            if bound is None:
                patterns, held = query.branches[0]
                held = self.against_constants(query)
                bound = value_of(self.values.draw(relation, datatype)) if not held else None
            for index, answer in enumerate(reversed(row)):
                patterns, held = query.branches[index % len(query.branches)]
                link = next(r for _, r, o in patterns if o == query.order)
                limits = self.conditions_on(query.order, held, self.owned(patterns, held))
                if limits:
                    term = self.values.holding(link, limits, True)
                else:
                    term = self.beyond(link, datatype, bound, sign)
                bound = top(bound, value_of(term)) if bound is not None else value_of(term)
                owner = next(s for s, _, o in patterns if o == query.order)
                given = {query.asked: answer, query.order: term}
                if owner.startswith("?") and owner != query.asked:
                    given[owner] = self.fresh(owner, patterns, avoid)
                self.fill(patterns, held, given, avoid)
                best[answer] = value_of(term)
        self.behind(query, relation, datatype, sign, best, avoid | set(row))

    def beyond(self, relation, datatype, bound, sign):
        if datatype in ("date", "gYear"):
            return self.values.draw(relation, datatype, *sorted((bound + sign, bound + 4 * sign)))
        return self.values.draw(relation, datatype, *((bound, bound * 1.1 + 2) if sign > 0 else (bound * 0.6, bound)))

    def against_constants(self, query):
        return [c for _, held in query.branches for c in held if c[0] == "compare" and query.order in c[1:]]

    def owned(self, patterns, conditions):
        """The values of constants that a variable is compared with, made where they are not there."""
        binding = {}
        for subject, relation, object_ in patterns:
            if is_thing(subject) and self.compared(object_, conditions):
                if not self.objects[subject, relation]:
                    self.add(subject, relation, self.values.draw(relation, self.values.datatype(relation)))
                binding[object_] = self.objects[subject, relation][0]
        return binding

    def behind(self, query, relation, datatype, sign, best, avoid):
        last = min(best.values(), key=lambda v: v * sign)
        timed = datatype in ("date", "gYear")
        far = last - sign * 60 if timed else last * (0.2 if sign > 0 else 3) + (0 if sign > 0 else 20)
        if timed and last < 2010:
            far = min(far, 2018)
        near = last - sign * 1.01 if timed else last
        self.distract(query, avoid, lambda: {query.order: self.values.draw(relation, datatype, *sorted((far, near)))})

    def yes(self, query):
        patterns, conditions = query.branches[0]
        self.fill(patterns, conditions, {}, set())

    def no(self, query):
        """What is asked about is known, and has the relation to something else where that does not make it true."""
        patterns, conditions = query.branches[0]
        if conditions:
            hold = any(c[0] == "unbound" for c in conditions)  # known not to be unbound
            self.fill(patterns, [] if hold else conditions, {}, set(), hold=False)
            return
        *others, (subject, relation, object_) = patterns
        binding = self.fill(others, [], {}, set(self.subjects[relation, object_])) if others else {}
        subject = binding.get(subject, subject)
        if not object_.startswith("?"):
            value = "?other"
            choice = self.candidates(value, [(subject, relation, value)], {object_, subject})
            self.add(subject, relation, choice[0])
            known = self.candidates("?s", [("?s", relation, object_)], {subject, object_, *binding.values()})
            self.add(known[0], relation, object_)  # and so is what it does not have
            return
        # it must not have the relation at all: others have, and it has what these others have
        known = [s for s, r, _ in self.facts if r == relation]
        if not known:
            known = [t for t in self.candidates("?s", [("?s", relation, "?o")], {subject, *binding.values()})[:3]]
            for thing in known:
                self.add(thing, relation, self.candidates("?o", [(thing, relation, "?o")], {thing})[0])
        if not any(subject in (f[0], f[2]) for f in self.facts):
            shared = sorted({r for s, r, o in self.facts if s in known and r not in (relation, TYPE) and is_thing(o)})
            for link in self.rng.sample(shared, min(2, len(shared))):
                self.add(subject, link, self.candidates("?o", [(subject, link, "?o")], {subject})[0])

    # -- all of them

    def background(self):
        """More facts of the relations there are, between things that stand where their things stand."""
        # what must stay as it is: things that are asked to lack a fact, and queries that take some of what they find
        kept = {t for q in self.queries if q.ask and not q.truth for t in self.constants(q)}
        kept |= {t for q in self.queries if q.limit and not q.order for t in self.constants(q)}
        ends = collections.defaultdict(lambda: ([], []))
        for subject, relation, object_ in self.facts:
            if relation != TYPE and (is_thing(object_) or "^^" in object_):
                ends[relation][0].append(subject)
                ends[relation][1].append(object_)
        relations = sorted(ends)
        added = 0
        for _ in range(40 * BACKGROUND):
            if added == BACKGROUND:
                break
            relation = min(self.rng.sample(relations, 3), key=lambda r: len(ends[r][0]))
            subject, object_ = (self.beside(self.rng.choice(ends[relation][end])) for end in (0, 1))
            # one fact of a relation for each thing: the questions keep few answers
            if subject in kept or object_ in kept or subject == object_ or self.objects[subject, relation]:
                continue
            if not is_thing(object_):
                if subject in self.reserved:
                    continue
                object_ = self.values.draw(relation, self.values.datatype(relation))
            self.add(subject, relation, object_)
            ends[relation][0].append(subject)
            ends[relation][1].append(object_)
            added += 1
        return added

    def beside(self, thing):
        """Something that stands in one of the places of a thing."""
        where = self.places_of.get(thing)
        return self.rng.choice(list(self.places[self.rng.choice(where)])) if where else thing

    def make(self):
        def steps(query):
            if query.ask:
                return (4, self.no) if not query.truth else (1, self.yes)
            if query.order:
                return 3, self.superlative
            if query.having:
                return 2, self.group
            plain = not any(held for _, held in query.branches)
            return (0 if plain and not query.counted else 1), self.find
        added = 0
        # the file's own values first: what is drawn for the others then agrees with them; what has to be the most last
        # and of these the highest of one country before the highest, and that before the second
        ordered = sorted(self.queries, key=lambda q: (q.offset, -len(self.constants(q))) if q.order else (0, 0))
        for step in range(5):
            for query in ordered:
                if steps(query)[0] == step:
                    try:
                        steps(query)[1](query)
                    except (ValueError, IndexError, StopIteration) as error:
                        print(f"{query.number}: not filled in: {error!r}", file=sys.stderr)
            facts = collections.Counter(r for _, r, _ in self.facts if r != TYPE)
            if step == 2 and statistics.median(facts.values()) < FACTS_PER_RELATION:
                added = self.background()
        return added


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
