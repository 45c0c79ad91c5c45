#!/usr/bin/env python3
"""Whether a graph comes back as it was: makes statements of every kind as N-Quads, has kgwalk read and export them
in each format that gives all of it back, and compares as sets what it read and what it read back. Blank nodes may get
other labels: each is known by a number that it alone has. Tables made at random come back as sqlite3 has them.

    nq       read, written
    jsonld   written, read back, written as N-Quads; pyoxigraph reads the same from it, where that is installed
    csv, graphml   the same; they have no place for texts of more than 80 letters, so there are none
    sqlite, a folder of csv   the facts of the rows, beside those that sqlite3 tells
    counts   of rapper, serdi and rdflib, as far as they are there, beside kgwalk's

Usage: scripts/check_round_trip.py KGWALK [STATEMENTS]      exit 1 where a statement is lost, added or changed
"""
import csv
import importlib
import json
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = "http://example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
NUMBER_OF_BLANK = f"<{BASE}number>"
TERM = re.compile(r'<[^>]*>|_:[^\s.]+|"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[A-Za-z0-9-]+)?')
LANGUAGE = re.compile(r'(?<=")@[A-Za-z0-9-]+$')
WORDS = "amber river stone quiet harbor lantern winter meadow copper thistle".split()


def literal(rng, i, long):
    """Texts with escapes, languages and datatypes; also those that look alike and are not."""
    kinds = [
        lambda: f'"{rng.choice(WORDS)} {i % 977}"',
        lambda: f'"{rng.choice(WORDS)}"@{rng.choice(["en", "de", "pt-BR"])}',
        lambda: f'"{i % 5000}"^^<{XSD}integer>',
        lambda: f'"{i % 5000}"',
        lambda: f'"{i % 100}.{i % 7}0"^^<{XSD}decimal>',
        lambda: f'"{1 + i % 9}.5E{i % 30}"^^<{XSD}double>',
        lambda: f'"{1900 + i % 150:04d}-{1 + i % 12:02d}-{1 + i % 28:02d}"^^<{XSD}date>',
        lambda: f'"{rng.choice(["true", "false"])}"^^<{XSD}boolean>',
        lambda: '"line\\n\\"quoted\\" back\\\\slash \\t ' + str(i % 300) + '"',
        lambda: f'"größe 漢字 {i % 300}"',
        lambda: f'"{i % 50}"^^<{BASE}type/own>']
    if long:
        kinds.append(lambda: '"' + " ".join(rng.choice(WORDS) for _ in range(20)) + f' {i}"')
    return rng.choice(kinds)()


def statements(count, rng, long=True):
    """A tenth with blank nodes, a third with literals, half in one of five graphs."""
    entities, blanks = max(10, count // 5), max(2, count // 50)
    made = {f'_:b{b} {NUMBER_OF_BLANK} "{b}"^^<{XSD}integer> .' for b in range(blanks)}
    i = 0
    while len(made) < count:
        i += 1
        subject = f"_:b{rng.randrange(blanks)}" if rng.random() < 0.05 else f"<{BASE}e/{rng.randrange(entities)}>"
        kind = rng.random()
        if kind < 0.33:
            predicate, value = f"<{BASE}v/{rng.randrange(20)}>", literal(rng, i, long)
        elif kind < 0.38:
            predicate, value = f"<{BASE}r/{rng.randrange(30)}>", f"_:b{rng.randrange(blanks)}"
        else:
            predicate, value = f"<{BASE}r/{rng.randrange(30)}>", f"<{BASE}e/{rng.randrange(entities)}>"
        graph = f" <{BASE}g/{rng.randrange(5)}>" if rng.random() < 0.5 else ""
        made.add(f"{subject} {predicate} {value}{graph} .")
    return sorted(made)


def canonical(path):
    """The lines as tuples of terms, blank nodes by their numbers."""
    rows, numbers = [], {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            terms = TERM.findall(line)
            if len(terms) < 3:
                continue
            rows.append(terms)
            if terms[1] == NUMBER_OF_BLANK:
                numbers[terms[0]] = "blank " + terms[2]
    return {tuple(numbers.get(term, term) for term in terms) for terms in rows}


class Checks:
    """Runs kgwalk in a folder, and remembers whether all was well."""

    def __init__(self, kgwalk, folder):
        self.kgwalk, self.folder, self.good, self.times = kgwalk, Path(folder), True, {}

    def run(self, *arguments):
        start = time.time()
        subprocess.run([self.kgwalk, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return time.time() - start

    def ingest(self, file, *options):
        """What kgwalk counted. The database is that of the folder."""
        told = self.folder / "told.json"
        seconds = self.run("ingest", file, "--db", self.folder / "kg.db", "--replace", "--json", told, *options)
        return seconds, json.loads(told.read_text())["counts"]

    def export(self, name):
        file = self.folder / name
        return self.run("export", "--db", self.folder / "kg.db", "--graph", file), file

    def compare(self, what, want, have, more=""):
        for name, rows in (("lost", want - have), ("added", have - want)):
            for row in sorted(rows)[:5]:
                print(f"{name}: {' '.join(row)}")
        print(f"{what}: {len(want):,}; {len(want - have):,} lost, {len(have - want):,} added{more}", flush=True)
        self.good = self.good and want == have


def check_statements(checks, count):
    """N-Quads and JSON-LD; gives the file of statements."""
    given = checks.folder / "given.nq"
    given.write_text("\n".join(statements(count, random.Random(1))) + "\n", encoding="utf-8")
    want = canonical(given)
    read, _ = checks.ingest(given)
    written, back = checks.export("back.nq")
    checks.compare("nq", want, canonical(back), f"; read in {read:.1f} s, written in {written:.1f} s")
    written, document = checks.export("back.jsonld")
    try:
        ox = importlib.import_module("pyoxigraph")
        quads = checks.folder / "peer.nq"
        ox.serialize(ox.parse(path=str(document), format=ox.RdfFormat.JSON_LD), str(quads), format=ox.RdfFormat.N_QUADS)
        small = lambda rows: {tuple(LANGUAGE.sub(lambda tag: tag[0].lower(), term) for term in row) for row in rows}
        checks.compare("jsonld, read by pyoxigraph", small(want), small(canonical(quads)))  # it writes "pt-br"
    except ImportError:
        print("jsonld is not read by pyoxigraph, which is not installed")
    read, _ = checks.ingest(document)
    checks.compare("jsonld", want, canonical(checks.export("again.nq")[1]),
                   f"; read in {read:.1f} s, written in {written:.1f} s")
    return given


def check_names_and_ids(checks, count):
    """Formats of facts, names and ids."""
    given = checks.folder / "short.nq"
    given.write_text("\n".join(statements(count, random.Random(2), long=False)) + "\n", encoding="utf-8")
    want = canonical(given)
    checks.ingest(given)
    files = {name: checks.export("back." + name)[1] for name in ("csv", "graphml")}
    columns = ["--id-columns", "head_id,tail_id,relation_id", "--source", "source"]
    for name, file in files.items():
        read, _ = checks.ingest(file, *(columns if name == "csv" else []))
        checks.compare(name, want, canonical(checks.export("again.nq")[1]), f"; read in {read:.1f} s")


def make_tables(file, rows, rng):
    """People of towns, who may know others; books with authors, a number, a price and a day."""
    base = sqlite3.connect(file)
    base.executescript("""
        CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
        CREATE TABLE persons (id INTEGER PRIMARY KEY, name TEXT, town_id INTEGER REFERENCES towns, friend_id INTEGER REFERENCES persons);
        CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES persons, pages INTEGER, price REAL, day DATE);
        CREATE TABLE book_readers (book_id INTEGER REFERENCES books, person_id INTEGER REFERENCES persons);
    """)
    towns, persons = max(2, rows // 50), max(4, rows // 4)
    some = lambda count: rng.randrange(1, count + 1)
    base.executemany("INSERT INTO towns VALUES (?, ?, ?)", ((i, f"Town {i}", some(90000)) for i in range(1, towns + 1)))
    base.executemany("INSERT INTO persons VALUES (?, ?, ?, ?)",
                     ((i, f"Person {i}", some(towns), some(persons) if i % 3 else None) for i in range(1, persons + 1)))
    base.executemany("INSERT INTO books VALUES (?, ?, ?, ?, ?, ?)",
                     ((i, f"Book, {i}", some(persons), some(900), some(9999) / 100 + 0.001,
                       f"{1900 + i % 120}-{1 + i % 12:02d}-{1 + i % 28:02d}") for i in range(1, persons + 1)))
    base.executemany("INSERT INTO book_readers VALUES (?, ?)",
                     {(some(persons), some(persons)) for _ in range(rows - towns - 2 * persons)})
    base.commit()
    return base


def rows_as_facts(base):
    """What sqlite3 says the facts are: head, relation, tail."""
    facts = set()
    ask = lambda query: facts.update((h, r, str(t)) for h, r, t in base.execute(query) if t is not None)
    for table, kind, columns in (("towns", "town", ["people"]), ("persons", "person", []),
                                 ("books", "book", ["pages", "price", "day"])):
        ask(f"SELECT '{table}/' || id, 'type', '{kind}' FROM {table}")
        for column in columns:
            ask(f"SELECT '{table}/' || id, '{column}', {column} FROM {table}")
    for table, column, to in (("persons", "town", "towns"), ("persons", "friend", "persons"), ("books", "author", "persons")):
        ask(f"SELECT '{table}/' || id, '{column}', '{to}/' || {column}_id FROM {table}")
    ask("SELECT 'books/' || book_id, 'reader', 'persons/' || person_id FROM book_readers")
    return facts


def check_tables(checks, rows):
    base = make_tables(checks.folder / "tables.sqlite", rows, random.Random(3))
    want = rows_as_facts(base)
    tables = checks.folder / "tables"
    tables.mkdir()
    for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        cursor = base.execute(f"SELECT * FROM {name}")
        with open(tables / (name + ".csv"), "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([[column[0] for column in cursor.description], *cursor])
    # A friend may be a book to one who sees only numbers.
    for what, source, *options in (("sqlite", checks.folder / "tables.sqlite"),
                                   ("a folder of csv", tables, "--link", "persons.friend_id=persons.id")):
        read, _ = checks.ingest(source, *options)
        with open(checks.export("facts.csv")[1], encoding="utf-8", newline="") as file:
            have = {(row["head_id"], row["relation"], row["tail"] if "/" not in row["tail_id"] or row["tail_id"][0] == '"'
                     else row["tail_id"]) for row in csv.DictReader(file)}
        checks.compare(what, want, have, f"; read in {read:.1f} s")


def check_counts(checks, given, most):
    """What other programs count in the same statements, without their graphs and up to so many."""
    triples = checks.folder / "count.nt"
    lines = {" ".join(TERM.findall(line)[:3]) + " ." for line in open(given, encoding="utf-8")}
    triples.write_text("\n".join(sorted(lines)[:most]) + "\n", encoding="utf-8")
    _, told = checks.ingest(triples)
    counts = {"kgwalk": sum(told.get(key, 0) for key in ("triple_lines", "labels", "aliases", "descriptions", "values"))}
    if shutil.which("rapper"):
        said = subprocess.run(["rapper", "-q", "-i", "ntriples", triples], check=True, stdout=subprocess.PIPE).stdout
        counts["rapper"] = said.count(b"\n")
    if shutil.which("serdi"):
        said = subprocess.run(["serdi", "-i", "ntriples", triples], check=True, stdout=subprocess.PIPE).stdout
        counts["serdi"] = said.count(b"\n")
    try:
        rdflib = importlib.import_module("rdflib")
        counts["rdflib"] = len(rdflib.Graph().parse(str(triples), format="nt"))
    except ImportError:
        pass
    print("counts:", ", ".join(f"{name} {count:,}" for name, count in counts.items()))
    checks.good = checks.good and len(set(counts.values())) == 1


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(sys.argv[1], folder)
        given = check_statements(checks, count)
        check_names_and_ids(checks, count)
        check_tables(checks, count)
        check_counts(checks, given, 1_000_000)
    sys.exit(0 if checks.good else 1)


if __name__ == "__main__":
    main()
