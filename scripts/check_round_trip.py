#!/usr/bin/env python3
"""Whether a graph comes back as it was: makes statements of every kind as N-Quads, has kgwalk read and export them,
and compares both files as sets. Blank nodes may get other labels: each is known by a number that it alone has.

Usage: scripts/check_round_trip.py KGWALK [STATEMENTS]      exit 1 where a statement is lost, added or changed
"""
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = "http://example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
NUMBER_OF_BLANK = f"<{BASE}number>"
TERM = re.compile(r'<[^>]*>|_:[^\s.]+|"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[A-Za-z0-9-]+)?')
WORDS = "amber river stone quiet harbor lantern winter meadow copper thistle".split()


def literal(rng, i):
    """Texts with escapes, languages and datatypes; also those that look alike and are not."""
    return rng.choice([
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
        lambda: '"' + " ".join(rng.choice(WORDS) for _ in range(20)) + f' {i}"',
        lambda: f'"{i % 50}"^^<{BASE}type/own>'])()


def statements(count, rng):
    """A tenth with blank nodes, a third with literals, half in one of five graphs."""
    entities, blanks = max(10, count // 5), max(2, count // 50)
    made = {f'_:b{b} {NUMBER_OF_BLANK} "{b}"^^<{XSD}integer> .' for b in range(blanks)}
    i = 0
    while len(made) < count:
        i += 1
        subject = f"_:b{rng.randrange(blanks)}" if rng.random() < 0.05 else f"<{BASE}e/{rng.randrange(entities)}>"
        kind = rng.random()
        if kind < 0.33:
            predicate, value = f"<{BASE}v/{rng.randrange(20)}>", literal(rng, i)
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


def run(*command):
    start = time.time()
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return time.time() - start


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    kgwalk, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        given, back, database = Path(folder, "in.nq"), Path(folder, "out.nq"), Path(folder, "kg.db")
        given.write_text("\n".join(statements(count, random.Random(1))) + "\n", encoding="utf-8")
        read = run(kgwalk, "ingest", given, "--db", database, "--quiet")
        written = run(kgwalk, "export", "--db", database, "--graph", back, "--quiet")
        want, have = canonical(given), canonical(back)
    for name, rows in (("lost", want - have), ("added", have - want)):
        for row in sorted(rows)[:5]:
            print(f"{name}: {' '.join(row)}")
    print(f"{len(want):,} statements; {len(want - have):,} lost, {len(have - want):,} added; "
          f"read in {read:.1f} s, written in {written:.1f} s")
    sys.exit(1 if want != have else 0)


if __name__ == "__main__":
    main()
