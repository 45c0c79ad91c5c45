#!/usr/bin/env python3
"""Makes an exam of conversations over OpenDialKG's graph, in the format of `kgwalk eval conversations`.
The wordings are those of somebody who had not seen how the program is trained.

Use: make_conversations.py TRIPLES OUT.json [--seed N] [--each N] [--lower SHARE] [--bank BANK]
  TRIPLES   opendialkg_triples.txt
  --each    conversations of each kind (40)
  --lower   share of the wordings written all in lower case whose names are in lower case too (0.35)
  --bank    data/questions/bank.txt: stops where a wording here shares four words in a row with it
The wordings were written before the program that is examined; the entities are drawn. A turn without a kind is not judged.
Right answers are what the triples say."""
import argparse
import collections
import json
import random
import re
import sys

import conversation_wordings
from conversation_wordings import *

FORWARD = {"directed_by", "written_by", "starred_actors", "release_year", "has_genre", "in_language",
           "Country of nationality", "Place of birth", "Spouse (or domestic partner)", "Gender"}

BARE = {"Film", "Movie", "Person", "Male", "Female"}  # no fact to count
class Graph:
    def __init__(self, path):
        self.out = collections.defaultdict(lambda: collections.defaultdict(list))
        self.into = collections.defaultdict(lambda: collections.defaultdict(list))
        bare = collections.Counter()
        names = set()
        self.known = collections.defaultdict(set)
        for line in open(path, encoding="utf-8"):
            parts = line.rstrip("\n").split("\t")
            if len(parts) != 3:
                continue
            head, relation, tail = parts
            names.update((head, tail))
            self.known[head].add(tail)
            self.known[tail].add(head)
            if relation in FORWARD:
                self.out[head][relation].append(tail)
                self.into[tail][relation].append(head)
        for name in names:
            bare[self.plain(name).lower()] += 1
        ok = lambda n: len(n) >= 7 and " " in n and not re.search(r"[(#\[\":;?!/]|\d", n) and bare[self.plain(n).lower()] == 1
        self.films = sorted(f for f, r in self.out.items() if ok(f) and all(k in r for k in ("directed_by", "starred_actors", "release_year"))
                            and len(set(r["release_year"])) == 1 and r["release_year"][0].isdigit() and len(r["starred_actors"]) >= 2)
        self.actors = sorted(p for p, r in self.into.items() if ok(p) and len(r["starred_actors"]) >= 4 and " " in p)
        self.directors = sorted(p for p, r in self.into.items() if ok(p) and len(r["directed_by"]) >= 2 and " " in p)

    @staticmethod
    def plain(name):
        return re.sub(r"\s*\([^)]*\)$", "", name)

    def year(self, film):
        years = {y for y in self.out[film]["release_year"] if re.fullmatch(r"(1[89]|20)\d\d", y)}
        return int(years.pop()) if len(years) == 1 else None

    def acted(self, person):
        return sorted(set(self.into[person]["starred_actors"]))

    def directed(self, person):
        return sorted(set(self.into[person]["directed_by"]))


class Exam:
    def __init__(self, graph, seed, lower=0.35):
        self.g, self.r, self.lower = graph, random.Random(seed), lower
        self.undealt = {}

    def film(self, *relations):
        while True:
            film = self.r.choice(self.g.films)
            if all(self.g.out[film][r] for r in relations):
                return film

    def deal(self, wordings):
        """Draws like cards from a shuffled pack, so that every wording gets its turn."""
        left = self.undealt.setdefault(id(wordings), [])
        if not left:
            left.extend(self.r.sample(wordings, len(wordings)))
        return left.pop()

    def say(self, wordings, **names):
        wording = self.deal(wordings)
        bare = re.sub(r"\{\w+\}", "", wording)
        said = wording.format(**names)
        return said.lower() if bare == bare.lower() and re.search("[a-z]", bare) and self.r.random() < self.lower else said

    def asked(self, film, relation, wordings=None, kind="direct"):
        return {"say": self.say(wordings or DIRECT[relation], f=film), "kind": kind, "any": sorted(set(self.g.out[film][relation]))}

    def actor(self, test):
        while True:
            person = self.r.choice(self.g.actors)
            if test(self.g.acted(person)):
                return person

    def dated(self, films):
        return {f: self.g.year(f) for f in films if self.g.year(f)}

    def pair(self):
        while True:
            film = self.film()
            cast = [p for p in self.g.out[film]["starred_actors"] if p in set(self.g.actors)]
            if len(cast) >= 2:
                p, q = self.r.sample(cast, 2)
                both = sorted(set(self.g.acted(p)) & set(self.g.acted(q)))
                if len(both) <= 6 and len(self.g.acted(p)) - len(both) in range(1, 12):
                    return p, q, both

    # One conversation of each kind.
    def small_talk(self):
        turns = [{"say": s, "kind": "small talk", "nofact": True} for s in (self.deal(SMALL_TALK), self.deal(SMALL_TALK))]
        return turns + [{"say": self.deal(ABILITY), "kind": "small talk", "nofact": True}]

    def direct(self):
        relation = self.r.choice(sorted(DIRECT))
        return [self.asked(self.film(relation), relation)]

    def pronoun(self):
        if self.r.random() < 0.4:
            return self.pronoun_person()
        relation = self.r.choice(sorted(PRONOUN))
        film = self.film(relation)
        return [{"say": self.say(LIKED, f=film), "kind": None}, self.asked(film, relation, PRONOUN[relation], "pronoun")]

    def pronoun_person(self):
        relation = self.r.choice(sorted(PRONOUN_PERSON))
        while True:
            p = self.r.choice(self.g.actors)
            facts = self.g.out[p]
            if len(facts["Gender"]) != 1 or facts["Gender"][0] not in ("Male", "Female"):
                continue
            right = self.g.acted(p) if relation == "starred_actors" else sorted(set(facts[relation]) | (set(self.g.into[p][relation]) if "Spouse" in relation else set()))
            if right:
                he, his, him = ("he", "his", "him") if facts["Gender"] == ["Male"] else ("she", "her", "her")
                return [{"say": self.say(LIKED_PERSON, p=p), "kind": None},
                        {"say": self.say(PRONOUN_PERSON[relation], he=he, his=his, him=him), "kind": "pronoun", "any": right}]

    def topic_kept(self):
        film = self.film("directed_by", "has_genre")
        after = self.r.choice([("starred_actors", CAST_AFTER), ("release_year", YEAR_AFTER), ("has_genre", GENRE_AFTER)])
        return [self.asked(film, "directed_by"), self.asked(film, after[0], after[1], "topic kept")]

    def what_else(self):
        person = self.r.choice([d for d in self.g.directors if 3 <= len(self.g.directed(d)) <= 8])
        films = self.g.directed(person)
        first = {"say": self.say(ONE_FILM_OF, p=person), "kind": "direct", "any": films}
        return [first, {"say": self.deal(ELSE), "kind": "what else", "any": films}]

    def ellipsis_entity(self):
        relation = self.r.choice(["directed_by", "release_year", "written_by"])
        film, other = self.film(relation), self.film(relation)
        return [self.asked(film, relation), {"say": self.say(AND_ENTITY, g=other), "kind": "ellipsis entity", "any": sorted(set(self.g.out[other][relation]))}]

    def ellipsis_value(self):
        person = self.actor(lambda films: len(set(self.dated(films).values())) >= 3)
        by_year = collections.defaultdict(list)
        for film, year in self.dated(self.g.acted(person)).items():
            by_year[year].append(film)
        one, two = self.r.sample(sorted(by_year), 2)
        return [{"say": self.say(IN_YEAR, p=person, y=one), "kind": "value filter", "all": by_year[one]},
                {"say": self.say(WHAT_ABOUT_YEAR, y=two), "kind": "ellipsis value", "all": by_year[two]}]

    def ellipsis_relation(self):
        first, then = self.r.sample(sorted(RELATION_ONLY), 2)
        film = self.film(first, then)
        return [self.asked(film, first), self.asked(film, then, RELATION_ONLY[then], "ellipsis relation")]

    def the_other_one(self):
        film, other = self.film("directed_by"), self.film("directed_by")
        while self.g.year(film) is None or self.g.year(other) is None or self.g.year(film) == self.g.year(other):
            film, other = self.film("directed_by"), self.film("directed_by")
        earlier, later = sorted((film, other), key=self.g.year)
        return [{"say": self.say(WHICH_FIRST, f=film, g=other), "kind": "compare values", "lead": earlier},
                {"say": self.deal(THE_OTHER), "kind": "the other one",
                 "any": sorted(set(self.g.out[later]["directed_by"]))}]

    def count(self):
        which = self.r.randrange(4)
        if which == 3:
            film = self.film("written_by")
            return [{"say": self.say(COUNT_WRITERS, f=film), "kind": "count", "number": len(set(self.g.out[film]["written_by"]))}]
        if which == 0:
            film = self.film()
            return [{"say": self.say(COUNT_CAST, f=film), "kind": "count", "number": len(set(self.g.out[film]["starred_actors"]))}]
        if which == 1:
            person = self.actor(lambda films: 2 <= len(films) <= 40)
            return [{"say": self.say(COUNT_FILMS, p=person), "kind": "count", "number": len(self.g.acted(person))}]
        person = self.r.choice(self.g.directors)
        return [{"say": self.say(COUNT_DIRECTED, p=person), "kind": "count", "number": len(self.g.directed(person))}]

    def which_ones(self):
        if self.r.random() < 0.3:
            film = self.film()
            while len(set(self.g.out[film]["starred_actors"])) > 8:
                film = self.film()
            cast = sorted(set(self.g.out[film]["starred_actors"]))
            return [{"say": self.say(COUNT_CAST, f=film), "kind": "count", "number": len(cast)},
                    {"say": self.deal(WHICH_ACTORS), "kind": "which ones", "all": cast}]
        person = self.r.choice([d for d in self.g.directors if 2 <= len(self.g.directed(d)) <= 8])
        return [{"say": self.say(COUNT_DIRECTED, p=person), "kind": "count", "number": len(self.g.directed(person))},
                {"say": self.deal(WHICH_ONES), "kind": "which ones", "all": self.g.directed(person)}]

    def extreme(self, films, last):
        years = self.dated(films)
        best = (max if last else min)(years.values())
        return sorted(f for f, y in years.items() if y == best)

    def of_a_list(self):
        person = self.r.choice([d for d in self.g.directors if 3 <= len(self.g.directed(d)) <= 8 and len(set(self.dated(self.g.directed(d)).values())) >= 2])
        last = self.r.random() < 0.5
        return [{"say": self.say(FILMS_OF, p=person), "kind": "list", "all": self.g.directed(person)},
                {"say": self.deal(LAST_OF_LIST if last else FIRST_OF_LIST), "kind": "first or last of a list",
                 "any": self.extreme(self.g.directed(person), last)}]

    def of_a_set(self):
        person = self.actor(lambda films: len(set(self.dated(films).values())) >= 2)
        last = self.r.random() < 0.5
        return [{"say": self.say(LAST_OF_SET if last else FIRST_OF_SET, p=person), "kind": "first or last of a set",
                 "any": self.extreme(self.g.acted(person), last)}]

    def value_filter(self):
        while True:
            person = self.actor(lambda films: len(films) <= 12 and len(set(self.dated(films).values())) >= 3)
            years = self.dated(self.g.acted(person))
            after = self.r.random() < 0.6
            cut = self.r.choice(sorted(set(years.values()))[1:-1])
            films = [f for f, y in years.items() if (y > cut if after else y < cut)]
            if films:
                return [{"say": self.say(AFTER if after else BEFORE, p=person, y=cut), "kind": "value filter", "all": sorted(films)}]

    def both(self):
        if self.r.random() < 0.6:
            p, q, films = self.pair()
            return [{"say": self.say(BOTH, p=p, q=q), "kind": "and", "all": films}]
        while True:
            director = self.r.choice(self.g.directors)
            film = self.r.choice(self.g.directed(director))
            cast = [p for p in self.g.out[film]["starred_actors"] if p in set(self.g.actors) and p != director]
            if cast:
                p = self.r.choice(cast)
                films = sorted(set(self.g.directed(director)) & set(self.g.acted(p)))
                return [{"say": self.say(DIRECTED_AND_WITH, p=p, q=director), "kind": "and", "all": films}]

    def but_not(self):
        p, q, films = self.pair()
        rest = sorted(set(self.g.acted(p)) - set(films))
        return [{"say": self.say(BUT_NOT, p=p, q=q), "kind": "but not", "all": rest, "no": films}]

    def two_dated(self):
        while True:
            film, other = self.film(), self.film()
            a, b = self.g.year(film), self.g.year(other)
            if a and b and a != b:
                return film, other

    def compare_values(self):
        film, other = self.two_dated()
        later = self.r.random() < 0.4
        right = sorted((film, other), key=self.g.year)[1 if later else 0]
        return [{"say": self.say(WHICH_LATER if later else WHICH_FIRST, f=film, g=other), "kind": "compare values", "lead": right}]

    def compare_counts(self):
        while True:
            p, q = self.r.sample(self.g.actors, 2)
            a, b = len(self.g.acted(p)), len(self.g.acted(q))
            if a != b:
                return [{"say": self.say(MORE_FILMS, p=p, q=q), "kind": "compare counts", "lead": p if a > b else q}]

    def compared_yes_no(self):
        if self.r.random() < 0.5:
            film, other = self.two_dated()
            if self.r.random() < 0.35:
                return [{"say": self.say(IS_NEWER, f=film, g=other), "kind": "comparison yes or no",
                         "yesno": "yes" if self.g.year(film) > self.g.year(other) else "no"}]
            return [{"say": self.say(IS_OLDER, f=film, g=other), "kind": "comparison yes or no",
                     "yesno": "yes" if self.g.year(film) < self.g.year(other) else "no"}]
        film = self.two_dated()[0]
        year = min(self.g.year(film) + self.r.choice([-12, -5, 4, 9]), 2020)
        if self.r.random() < 0.35:
            return [{"say": self.say(AFTER_YEAR, f=film, y=year), "kind": "comparison yes or no", "yesno": "yes" if self.g.year(film) > year else "no"}]
        return [{"say": self.say(BEFORE_YEAR, f=film, y=year), "kind": "comparison yes or no", "yesno": "yes" if self.g.year(film) < year else "no"}]

    def two_hops(self):
        while True:
            film = self.film("directed_by")
            directors = set(self.g.out[film]["directed_by"])
            others = sorted({f for d in directors for f in self.g.directed(d)} - {film})
            if others:
                return [{"say": self.say(TWO_HOPS, f=film), "kind": "two hops", "any": others}]

    def two_hops_country(self):
        born = self.r.random() < 0.3
        while True:
            film = self.film("directed_by")
            if born:
                places = sorted({c for d in self.g.out[film]["directed_by"] for c in self.g.out[d]["Place of birth"]})
                if places:
                    return [{"say": self.say(TWO_HOPS_BORN, f=film), "kind": "two hops", "any": places}]
                continue
            countries = sorted({c for d in self.g.out[film]["directed_by"] for c in self.g.out[d]["Country of nationality"]})
            if countries:
                return [{"say": self.say(TWO_HOPS_COUNTRY, f=film), "kind": "two hops", "any": countries}]

    def two_questions(self):
        which = self.r.choice(sorted(TWO_QUESTIONS))
        while True:
            film = self.film("directed_by", "release_year", "has_genre", *(["written_by"] if which == "writer" else []))
            directors, writers = sorted(set(self.g.out[film]["directed_by"])), sorted(set(self.g.out[film]["written_by"]))
            if len(directors) == 1 and (which != "writer" or len(writers) == 1):
                break
        turn = {"say": self.say(TWO_QUESTIONS[which], f=film), "kind": "two questions"}
        if which == "genre":
            return [{**turn, "any": directors}]
        return [{**turn, "all": sorted({*directors, *(writers if which == "writer" else self.g.out[film]["release_year"][:1])})}]

    def correction(self):
        relation = self.r.choice(["directed_by", "release_year"])
        film, other = self.film(relation), self.film(relation)
        return [self.asked(film, relation), {"say": self.say(CORRECTION, g=other), "kind": "correction", "any": sorted(set(self.g.out[other][relation]))}]

    def repeat(self):
        relation = self.r.choice(["directed_by", "release_year"])
        film = self.film(relation)
        answer = sorted(set(self.g.out[film][relation]))
        return [self.asked(film, relation), {"say": self.deal(REPEAT), "kind": "repeat", "any": answer}]

    def why(self):
        relation = self.r.choice(["directed_by", "release_year"])
        film = self.film(relation)
        return [self.asked(film, relation), {"say": self.deal(WHY), "kind": "why", "any": sorted(set(self.g.out[film][relation]))}]

    def unknown_name(self):
        film = self.r.random() < 0.6
        return [{"say": self.say(ASK_NO_FILM if film else ASK_NO_PERSON, n=self.deal(NOBODY["film" if film else "person"])),
                 "kind": "unknown name", "refuse": True}]

    def unknown_relation(self):
        return [{"say": self.say(NO_RELATION, p=self.r.choice(self.g.actors), f=self.film()), "kind": "unknown relation", "refuse": True}]

    def verify(self):
        film = self.film("directed_by")
        if self.r.random() < 0.5:
            right = self.r.random() < 0.5
            person = self.r.choice(self.g.out[film]["directed_by"]) if right else self.r.choice(self.g.directors)
            right = person in self.g.out[film]["directed_by"]
            return [{"say": self.say(VERIFY, p=person, f=film), "kind": "verify", "yesno": "yes" if right else "no"}]
        right = self.r.random() < 0.5
        person = self.r.choice(self.g.out[film]["starred_actors"]) if right else self.r.choice(self.g.actors)
        return [{"say": self.say(VERIFY_CAST, p=person, f=film), "kind": "verify", "yesno": "yes" if person in self.g.out[film]["starred_actors"] else "no"}]

    def tell_me_about(self):
        if self.r.random() < 0.6:
            film = self.film()
            return [{"say": self.say(ABOUT, f=film), "kind": "tell me about", "any": sorted(self.g.known[film] - {film} - BARE)}]
        person = self.r.choice(self.g.actors)
        return [{"say": self.say(ABOUT_PERSON, p=person), "kind": "tell me about", "any": sorted(self.g.known[person] - {person} - BARE)}]


KINDS = ["small_talk", "direct", "pronoun", "topic_kept", "what_else", "ellipsis_entity", "ellipsis_value", "ellipsis_relation", "the_other_one",
         "count", "which_ones", "of_a_list", "of_a_set", "value_filter", "both", "but_not", "compare_values", "compare_counts", "compared_yes_no",
         "two_hops", "two_hops_country", "two_questions", "correction", "repeat", "why", "unknown_name", "unknown_relation", "verify", "tell_me_about"]


def wordings():
    for name, value in vars(conversation_wordings).items():
        if name.isupper() and name != "NOBODY":
            lists = value.values() if isinstance(value, dict) else [value]
            for one in lists:
                yield from one


def runs_of_four(text):
    words = re.findall(r"[a-z']+|\{\w+(?:'s)?\}", text.lower())
    return {tuple(words[i:i + 4]) for i in range(len(words) - 3) if not any(w.startswith("{") for w in words[i:i + 4])}


def check(bank):
    known = set()
    for line in open(bank, encoding="utf-8"):
        known |= runs_of_four(line)
    shared = [(w, sorted(runs_of_four(w) & known)) for w in wordings() if runs_of_four(w) & known]
    for wording, runs in shared:
        print(f"shares {runs} with the bank: {wording}", file=sys.stderr)
    if shared:
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triples")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--lower", type=float, default=0.35)
    parser.add_argument("--bank")
    options = parser.parse_args()
    if options.bank:
        check(options.bank)
    exam = Exam(Graph(options.triples), options.seed, options.lower)
    talks = [getattr(exam, kind)() for kind in KINDS for _ in range(options.each // (2 if kind.startswith("two_hops") else 1))]
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(talks, file, ensure_ascii=False, indent=0)
    kinds = collections.Counter(t["kind"] for talk in talks for t in talk if t["kind"])
    for kind, count in sorted(kinds.items()):
        print(f"{count:5d}  {kind}")
    print(f"{sum(kinds.values()):5d}  judged turns in {len(talks)} conversations")


if __name__ == "__main__":
    main()
