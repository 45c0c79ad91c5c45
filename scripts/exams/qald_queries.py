"""QALD's queries, read and repaired, and values that fit their relations. For make_qald_graph.py."""
import itertools
import re

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
