"""Small graphs made at random, in which scripts/check_forms.py asks."""
import random

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def films(folder, seed):
    """A table of names: films with years, people, countries; some films are called like years."""
    rand = random.Random(seed)
    lines = []
    for i in range(600):
        film = str(1900 + i) if i % 40 == 0 else f"Film {i}"
        for _ in range(rand.choice([1, 1, 2])):
            lines.append((film, "directed_by", f"Person {rand.randrange(80)}"))
        for _ in range(rand.randrange(5)):
            lines.append((film, "starred_actors", f"Person {rand.randrange(300)}"))
        if rand.random() < 0.9:
            lines.append((film, "release_year", str(rand.randrange(1950, 2021))))
        if rand.random() < 0.7:
            lines.append((film, "budget", str(rand.choice([1, 2, 5, 12]) * 10 ** rand.randrange(3, 8))))
        lines.append((film, "has_genre", rand.choice(["Drama", "Comedy", "War", "Crime"])))
        if i > 0 and rand.random() < 0.2:
            lines.append((film, "sequel_of", f"Film {rand.randrange(1, i + 1)}"))
    path = folder / "films.tsv.txt"
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    return path


def towns(folder, seed):
    """Towns with mayors and numbers of people, each fact said for a time, and some mayors twice."""
    rand = random.Random(seed)
    base, lines, nodes = "http://example.org/t/", [], 0

    def typed(value):
        kind = "gYear" if len(value) == 4 else "date"
        return f'"{value}"^^<{XSD}{kind}>'

    def moment(year):
        return typed(str(year) if rand.random() < 0.5 else f"{year}-{rand.randrange(1, 13):02d}-{rand.randrange(1, 29):02d}")

    def state(subject, predicate, obj, beside):
        nonlocal nodes
        nodes += 1
        lines.append(f"<{base}{subject}> <{base}{predicate}> {obj} .")
        ends = {"subject": f"<{base}{subject}>", "predicate": f"<{base}{predicate}>", "object": obj,
                "type": f"<{RDF}Statement>"}
        lines.extend(f"_:n{nodes} <{RDF}{key}> {term} ." for key, term in ends.items())
        lines.extend(f"_:n{nodes} <{base}{key}> {term} ." for key, term in beside.items())

    for town in range(60):
        for year in range(1950, 2020, rand.randrange(4, 12)):
            beside = {"start": moment(year), "end": moment(year + 3)}
            if rand.random() < 0.5:
                beside["party"] = f"<{base}party{rand.randrange(4)}>"
            state(f"town{town}", "mayor", f"<{base}person{rand.randrange(40)}>", beside)
        for year in rand.sample(range(1950, 2020), 4):
            state(f"town{town}", "population", f'"{rand.randrange(1, 90)}000"^^<{XSD}integer>',
                  {"at": moment(year), "counted": f"<{base}{rand.choice(['census', 'estimate'])}>"})
        lines.append(f"<{base}town{town}> <{base}near> <{base}town{rand.randrange(60)}> .")
    path = folder / "towns.nt"
    path.write_text("\n".join(dict.fromkeys(lines)) + "\n")
    return path
