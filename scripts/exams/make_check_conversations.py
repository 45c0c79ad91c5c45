#!/usr/bin/env python3
"""Makes an exam of questions whether something is so, in conversations over OpenDialKG's graph, in the format of
`kgwalk eval conversations`.

Use: make_check_conversations.py TRIPLES OUT.json [--seed N] [--each N]
  TRIPLES   opendialkg_triples.txt
  --each    conversations that begin with a film, and with a person (40)
Who made a film or where somebody was born is asked first; then something that no relation says ("was it a hit"), then something
that one says of what was named, meant or both. Right answers are what the triples say."""
import argparse
import collections
import json
import random
import re

OF_FILMS = (
    "Did {it} make a lot of money?", "Was {it} a hit?", "Does {it} have a happy ending?", "Did the critics like {it}?",
    "Is {it} in black and white?", "Is {it} longer than two hours?", "Did they film {it} in 3D?", "Is {it} suitable for children?",
    "Does {it} have subtitles?", "Was there ever a remake?", "Is {it} out on DVD?", "Does {it} pass the Bechdel test?",
    "Did {it} flop?", "Can I stream {it} anywhere?", "Was {it} banned anywhere?", "Did {it} do well at the box office?",
    "Has {it} got a soundtrack album?", "Are there any deleted scenes?", "Does anyone die in {it}?", "Was {it} expensive to make?")
OF_PEOPLE = (
    "Can {he} swim?", "Is {he} left-handed?", "Did {he} ever go to prison?", "Does {he} have a dog?", "Is {he} very tall?",
    "Did {he} serve in the army?", "Does {he} smoke?", "Is {he} rich?", "Was {he} a vegetarian?", "Can {he} drive?",
    "Did {he} like football?", "Does {he} tweet?", "Is {he} on Instagram?", "Does {he} believe in ghosts?",
    "Did {he} keep a diary?", "Has {he} got any tattoos?", "Can {he} play the piano?", "Does {he} wear glasses?",
    "Is {he} any good at chess?", "Did {he} finish school?")
DIED = 15  # people of whom it is asked whether they died


def turn(say, kind=None, **right):
    return {"say": say, "kind": kind, **right}


def yes(is_so):
    return {"yesno": "yes" if is_so else "no"}


class Graph:
    def __init__(self, path):
        self.out = collections.defaultdict(lambda: collections.defaultdict(list))
        self.into = collections.defaultdict(lambda: collections.defaultdict(list))
        for line in open(path, encoding="utf-8"):
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 3:
                self.out[parts[0]][parts[1]].append(parts[2])
                self.into[parts[2]][parts[1]].append(parts[0])
        names = collections.Counter(re.sub(r"\s*\([^)]*\)$", "", n).lower() for n in set(self.out) | set(self.into))

        def plain(name):
            return (len(name) >= 7 and " " in name and not re.search(r'[(#\[":;?!/]|\d', name) and names[name.lower()] == 1)

        self.films = sorted(f for f, r in self.out.items() if plain(f) and all(k in r for k in ("directed_by", "starred_actors"))
                            and len(r["directed_by"]) == 1 and len(set(r.get("release_year", []))) == 1
                            and re.fullmatch(r"(19|20)\d\d", r["release_year"][0]))
        self.people = sorted(p for p, r in self.out.items() if plain(p) and "Place of birth" in r and "Gender" in r and self.works(p))

    def works(self, person):
        return self.into[person]["directed_by"] + self.into[person]["written_by"]

    def pronoun(self, person):
        return "she" if "Female" in self.out[person].get("Gender", []) else "he"


def of_film(graph, films, i, rand):
    film = films[i]
    facts = graph.out[film]
    director = facts["directed_by"][0]
    it = ("it", "the film", "it", "the movie")[i % 4]
    talk = [turn(f"Who directed {film}?"), turn(OF_FILMS[i % len(OF_FILMS)].format(it=it), "no relation of a film", refuse=True)]
    if i % 4 == 0:
        talk.append(turn(f"Did {graph.pronoun(director)} write it as well?", "he and it", **yes(director in facts["written_by"])))
    elif i % 4 == 1:
        talk.append(turn(f"Is it from {facts['release_year'][0]}?", "it and a value", **yes(True)))
    elif i % 4 == 2:
        other = graph.out[rand.choice(films[100:200])]["directed_by"][0]
        talk.append(turn(f"Did {other} direct it?", "a name and it", **yes(other == director)))
    else:
        talk.append(turn(f"Is {facts['starred_actors'][-1]} in the cast?", "a name and it", **yes(True)))
    return talk


def of_person(graph, people, i):
    person = people[i]
    he, works, born = graph.pronoun(person), graph.works(person), graph.out[person]["Place of birth"]
    talk = [turn(f"Where was {person} born?"), turn(OF_PEOPLE[i % len(OF_PEOPLE)].format(he=he), "no relation of a person", refuse=True)]
    if i % 4 == 0:
        talk.append(turn(f"Did {he} make {works[0]}?", "he and a name", **yes(True)))
    elif i % 4 == 1:
        place = graph.out[people[60 + i]]["Place of birth"][0]
        talk.append(turn(f"Was {he} born in {place}?", "he and a name", **yes(place in born)))
    elif i % 4 == 2:
        other = people[i + 1]
        talk.append(turn(f"Is {other} from there too?", "a name and there", **yes(born[0] in graph.out[other]["Place of birth"])))
    else:
        talk.append(turn(f"Did {he} direct {works[-1]}?", "he and a name", **yes(person in graph.out[works[-1]]["directed_by"])))
    return talk


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triples")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--each", type=int, default=40)
    options = parser.parse_args()
    graph, rand = Graph(options.triples), random.Random(options.seed)
    films, people = list(graph.films), list(graph.people)
    rand.shuffle(films)
    rand.shuffle(people)
    talks = [of_film(graph, films, i, rand) for i in range(options.each)]
    talks += [of_person(graph, people, i) for i in range(options.each)]
    dead = [p for p in people if "Place of death" in graph.out[p]][:DIED]
    talks += [[turn(f"Who wrote {graph.works(p)[0]}?"), turn(f"Did {p} die?", "any", **yes(True))] for p in dead]
    with open(options.out, "w", encoding="utf-8") as out:
        json.dump(talks, out, ensure_ascii=False, indent=1)
    print(f"{options.out}: {sum(t['kind'] is not None for talk in talks for t in talk)} judged turns in {len(talks)} conversations")


if __name__ == "__main__":
    main()
