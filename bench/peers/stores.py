#!/usr/bin/env python3
"""Bulk load, expansion and forms beside Oxigraph and Kuzu, on a graph of films (P17, P21).

Usage: stores.py [--films N] [--folder FOLDER] [--seconds S]

N films make 11 N triples: types, directors, starring people with a skew, years, minutes, subjects. Each engine loads
the graph in a process of its own, which tells its seconds and its peak of memory, and answers the same questions in
another: ours and Oxigraph the same SPARQL, Kuzu the Cypher beside it. Answers are compared before anything is timed;
a time is the median of as many repetitions as S seconds hold, three at least. One thread answers; what is looked up
once (values in order) is looked up before. PYTHONPATH must hold the module kgwalk (build/release/python).
"""
import argparse
import json
import math
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time

BASE = "http://example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def write_graph(folder, films):
    """films.nt for ours and Oxigraph, one CSV a table for Kuzu."""
    import numpy

    random = numpy.random.default_rng(7)
    people, others = max(100, films * 9 // 10), max(20, films // 10)
    chunk = 20_000
    with open(folder / "films.nt", "w") as nt, open(folder / "film.csv", "w") as film, open(
        folder / "director.csv", "w"
    ) as director, open(folder / "starring.csv", "w") as starring, open(folder / "about.csv", "w") as about:
        for begin in range(0, films, chunk):
            n = min(chunk, films - begin)
            person = (people * random.random((n, 6)) ** 4).astype(int)
            year, minutes = random.integers(1920, 2025, n), random.integers(60, 180, n)
            other = random.integers(0, others, (n, 2))
            for i in range(n):
                f, at = f"<{BASE}f{begin + i}>", f"f{begin + i}"
                cast, subjects = sorted(set(person[i, 1:])), sorted(set(other[i]))
                lines = [
                    f"{f} <{TYPE}> <{BASE}Film> .",
                    f"{f} <{BASE}director> <{BASE}p{person[i, 0]}> .",
                    f'{f} <{BASE}releaseYear> "{year[i]}"^^<{XSD}gYear> .',
                    f'{f} <{BASE}minutes> "{minutes[i]}"^^<{XSD}integer> .',
                ]
                lines += [f"{f} <{BASE}starring> <{BASE}p{p}> ." for p in cast]
                lines += [f"{f} <{BASE}about> <{BASE}o{o}> ." for o in subjects]
                nt.write("\n".join(lines) + "\n")
                film.write(f"{at},{year[i]},{minutes[i]}\n")
                director.write(f"{at},p{person[i, 0]}\n")
                starring.write("".join(f"{at},p{p}\n" for p in cast))
                about.write("".join(f"{at},o{o}\n" for o in subjects))
    (folder / "person.csv").write_text("".join(f"p{i}\n" for i in range(people)))
    (folder / "other.csv").write_text("".join(f"o{i}\n" for i in range(others)))


# Each question: SPARQL (bare names are of BASE), Cypher. Both give one column.
QUESTIONS = {
    "one hop": ("SELECT DISTINCT ?x WHERE { :f7 :starring ?x }", "MATCH (:Film {id: 'f7'})-[:Starring]->(x) RETURN DISTINCT x.id"),
    "one hop back": ("SELECT DISTINCT ?x WHERE { ?x :starring :p2000 }", "MATCH (x)-[:Starring]->(:Person {id: 'p2000'}) RETURN DISTINCT x.id"),
    "two hops": (
        "SELECT DISTINCT ?x WHERE { ?f :starring :p2000 . ?f :director ?x }",
        "MATCH (f)-[:Starring]->(:Person {id: 'p2000'}), (f)-[:Director]->(x) RETURN DISTINCT x.id",
    ),
    "two hops from a hub": (
        "SELECT DISTINCT ?x WHERE { ?f :starring :p0 . ?f :director ?x }",
        "MATCH (f)-[:Starring]->(:Person {id: 'p0'}), (f)-[:Director]->(x) RETURN DISTINCT x.id",
    ),
    "both": (
        "SELECT DISTINCT ?x WHERE { ?x :starring :p0 . ?x :starring :p2000 }",
        "MATCH (x)-[:Starring]->(:Person {id: 'p0'}), (x)-[:Starring]->(:Person {id: 'p2000'}) RETURN DISTINCT x.id",
    ),
    "without": (
        "SELECT DISTINCT ?x WHERE { ?x :starring :p2000 . FILTER NOT EXISTS { ?x :starring :p0 } }",
        "MATCH (x)-[:Starring]->(:Person {id: 'p2000'}) WHERE NOT EXISTS { MATCH (x)-[:Starring]->(:Person {id: 'p0'}) } RETURN DISTINCT x.id",
    ),
    "count of a hub": (
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x :starring :p0 }",
        "MATCH (x)-[:Starring]->(:Person {id: 'p0'}) RETURN COUNT(DISTINCT x.id)",
    ),
    "count after 2005": (
        'SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x a :Film . ?x :releaseYear ?y . FILTER(?y > "2005"^^xsd:gYear) }',
        "MATCH (x:Film) WHERE x.year > 2005 RETURN COUNT(*)",
    ),
    "first of a hub": (
        "SELECT ?x WHERE { ?x :starring :p0 . ?x :releaseYear ?y . ?x :minutes ?m } ORDER BY ?m LIMIT 1",
        "MATCH (x)-[:Starring]->(:Person {id: 'p0'}) RETURN x.id ORDER BY x.minutes LIMIT 1",
    ),
    "filter by year": (
        'SELECT DISTINCT ?x WHERE { ?x :starring :p20 . ?x :releaseYear ?y . FILTER(?y >= "1990"^^xsd:gYear && ?y <= "1999"^^xsd:gYear) }',
        "MATCH (x)-[:Starring]->(:Person {id: 'p20'}) WHERE x.year >= 1990 AND x.year <= 1999 RETURN DISTINCT x.id",
    ),
}
PREFIXES = f"PREFIX : <{BASE}> PREFIX xsd: <{XSD}> "
TIED = {"first of a hub"}  # ours tells all of several, the others any one: not compared


def load_ours(folder):
    import kgwalk

    kgwalk.ingest(folder / "ours", folder / "films.nt")


def load_oxigraph(folder):
    import pyoxigraph

    store = pyoxigraph.Store(str(folder / "oxigraph"))
    store.bulk_load(path=str(folder / "films.nt"), format=pyoxigraph.RdfFormat.N_TRIPLES)
    store.flush()


def load_kuzu(folder):
    import kuzu

    link = kuzu.Connection(kuzu.Database(str(folder / "kuzu")), num_threads=2)
    link.execute("CREATE NODE TABLE Film(id STRING, year INT64, minutes INT64, PRIMARY KEY(id))")
    for table in ("Person", "Other"):
        link.execute(f"CREATE NODE TABLE {table}(id STRING, PRIMARY KEY(id))")
    for table, to in (("Director", "Person"), ("Starring", "Person"), ("About", "Other")):
        link.execute(f"CREATE REL TABLE {table}(FROM Film TO {to})")
    for table in ("Film", "Person", "Other", "Director", "Starring", "About"):
        link.execute(f'COPY {table} FROM "{folder / (table.lower() + ".csv")}" (HEADER=false)')


class Ours:
    def __init__(self, folder):
        import kgwalk

        self.forms = kgwalk.Forms(kgwalk.Store.open(folder / "ours").load_graph())

    def prepared(self, name):
        return self.forms.query(PREFIXES + QUESTIONS[name][0])

    def rows(self, query):
        answer = self.forms.answer(query)
        return answer.total if query.kind == "count" else self.forms.names(answer)

    def texts(self, name):
        rows = self.rows(self.prepared(name))
        return sorted(rows) if isinstance(rows, list) else [str(rows)]


class Oxigraph:
    def __init__(self, folder):
        import pyoxigraph

        self.store = pyoxigraph.Store.read_only(str(folder / "oxigraph"))

    def prepared(self, name):
        return PREFIXES + QUESTIONS[name][0]

    def rows(self, query):
        return list(self.store.query(query))

    def texts(self, name):
        return sorted(row[0].value.removeprefix(BASE) for row in self.rows(self.prepared(name)))


class Kuzu:
    def __init__(self, folder):
        import kuzu

        self.link = kuzu.Connection(kuzu.Database(str(folder / "kuzu"), read_only=True), num_threads=1)

    def prepared(self, name):
        return QUESTIONS[name][1]

    def rows(self, query):
        return self.link.execute(query).get_all()

    def texts(self, name):
        return sorted(str(row[0]) for row in self.rows(self.prepared(name)))


ENGINES = {"ours": (load_ours, Ours), "oxigraph": (load_oxigraph, Oxigraph), "kuzu": (load_kuzu, Kuzu)}


def median_ms(call, seconds):
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times)


def child(engine, action, folder, seconds):
    """Runs in a process of its own and prints json."""
    begin = time.perf_counter()
    if action == "load":
        ENGINES[engine][0](folder)
        told = {"seconds": time.perf_counter() - begin}
    else:
        asked = ENGINES[engine][1](folder)
        told = {"open": time.perf_counter() - begin, "answers": {}, "ms": {}}
        for name in QUESTIONS:
            told["answers"][name] = asked.texts(name)
            query = asked.prepared(name)
            told["ms"][name] = median_ms(lambda: asked.rows(query), seconds)
    told["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    json.dump(told, sys.stdout)


def run(engine, action, arguments):
    command = [sys.executable, __file__, "--folder", str(arguments.folder), "--seconds", str(arguments.seconds)]
    done = subprocess.run([*command, "--child", engine, action], stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout)


def size_of(path):
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]
    return sum(f.stat().st_size for f in files) / 2**30


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--films", type=int, default=1_850_000)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/kgwalk_peers"))
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(*arguments.child, arguments.folder, arguments.seconds)
        return
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if not (arguments.folder / "films.nt").exists():
        write_graph(arguments.folder, arguments.films)
    for engine in ENGINES:
        shutil.rmtree(arguments.folder / engine, ignore_errors=True)
        (arguments.folder / engine).unlink(missing_ok=True)
        told = run(engine, "load", arguments)
        size = size_of(arguments.folder / engine)
        print(f"{engine}: load {told['seconds']:.1f} s, peak {told['peak']:.2f} GB, {size:.2f} GB on disk", flush=True)
    asked = {engine: run(engine, "ask", arguments) for engine in ENGINES}
    print("open: " + ", ".join(f"{engine} {told['open']:.2f} s" for engine, told in asked.items()))
    print(f"\n{'ms':<22}" + "".join(f"{engine:>12}" for engine in ENGINES) + "   times the faster")
    times = []
    for name in QUESTIONS:
        answers = [told["answers"][name] for told in asked.values()]
        if name not in TIED and any(a != answers[0] for a in answers):
            sys.exit(f"{name}: the answers differ: {[(len(a), a[:3]) for a in answers]}")
        ms = [told["ms"][name] for told in asked.values()]
        times.append(min(ms[1:]) / ms[0])
        print(f"{name:<22}" + "".join(f"{each:>12.3f}" for each in ms) + f"{times[-1]:>12.1f}")
    print(f"geometric mean: {math.exp(sum(map(math.log, times)) / len(times)):.1f}")


if __name__ == "__main__":
    main()
