#!/usr/bin/env python3
"""Makes an exam of conversations over OpenDialKG's graph, in the format of `kgwalk eval conversations`.

Use: make_conversations.py TRIPLES OUT.json [--seed N] [--each N] [--bank BANK]
  TRIPLES   opendialkg_triples.txt
  --each    conversations of each kind (40)
  --bank    data/questions/bank.txt: stops where a wording here shares four words in a row with it
The wordings were written before the program that is examined; the entities are drawn. A turn without a kind is not judged.
Right answers are what the triples say."""
import argparse
import collections
import json
import random
import re
import sys

FORWARD = {"directed_by", "written_by", "starred_actors", "release_year", "has_genre", "in_language",
           "Country of nationality", "Place of birth", "Spouse (or domestic partner)", "Gender"}

# {f} a film, {g} another, {p} a person, {q} another, {y} a year, {r} a role's word.
SMALL_TALK = [
    "Hey there!", "Good evening to you", "Cheers, that helps a lot", "Thanks a bunch!", "Alright, see you around",
    "Okay okay, got it", "Hmm, interesting", "Work was exhausting today", "My cat just knocked over my coffee",
    "How are you doing today?", "You are pretty smart", "Well, that was silly of me", "Looks like rain again",
    "I'm so tired right now", "Nice chatting with you", "Bye for now", "Sorry, one moment please", "lol", "I see what you mean",
    "Great, appreciated", "My sister is visiting next week", "That's too bad"]
ABILITY = ["So what are you able to help me with?", "And who am I talking to?", "What sort of things may I ask?", "Are you a robot?"]
DIRECT = {
    "directed_by": ["Whose direction gave us {f}?", "Which person took the director credit for {f}?",
                    "I'd love to learn who made the movie {f} as director", "{f}: who was the filmmaker?"],
    "written_by": ["Whose script was used for {f}?", "Whose pen is behind {f}?", "Which writer do we owe {f} to?"],
    "starred_actors": ["Could you give me one performer from {f}?", "Some actress or actor seen in {f}?", "Any performer you know from {f}?"],
    "release_year": ["In what year could people first watch {f}?", "How far back does {f} date, which year?", "{f} came to cinemas in which year?"],
    "has_genre": ["What sort of movie would you call {f}?", "Under which genre is {f} filed?", "{f} belongs to what genre?"]}
PRONOUN = {
    "directed_by": ["And whose direction was it?", "Who had the director job on it?", "So who directed that one?"],
    "written_by": ["Who did the writing for it?", "And whose screenplay is it?"],
    "release_year": ["What year did it arrive in theaters?", "How old is it, I mean from which year?"],
    "starred_actors": ["Which actors can be seen there?", "Who plays in that?"],
    "has_genre": ["What genre would it be?", "Which kind of film is that?"]}
LIKED = ["Last night I finally saw {f}.", "My friends keep talking about {f}.", "I really adore {f}.", "We watched {f} on Sunday."]
CAST_AFTER = ["And whom did they cast in it?", "Okay, and which actors played in it?", "Who was cast?", "And the cast?"]
YEAR_AFTER = ["When did the movie come out?", "And the year it was released?", "Which year was that film from?"]
GENRE_AFTER = ["What genre is the movie?", "And its genre?"]
FILMS_OF = ["Which movies had {p} at the helm?", "Show me what {p} made as director.", "What are the pictures that {p} directed?"]
ELSE = ["What other ones?", "Anything else by the same person?", "Which others are there?", "And besides that one?"]
AND_ENTITY = ["And {g}?", "What about {g}?", "How about {g} then?", "Same question for {g}."]
RELATION_ONLY = {"directed_by": ["And the director?", "Director?"], "written_by": ["And the writer?", "Its writer?"],
                 "release_year": ["Year?", "And the release year?"], "has_genre": ["Genre?", "And the genre?"]}
COUNT_CAST = ["How many actors do you have for {f}?", "Count the people who acted in {f}, please.", "What's the number of cast members of {f}?"]
COUNT_FILMS = ["In how many movies did {p} act?", "How many films is {p} in?", "How often was {p} cast in a film, in total?"]
COUNT_DIRECTED = ["How many pictures did {p} direct?", "The number of films directed by {p}?"]
WHICH_ONES = ["Which ones?", "And which are they?", "Name them, please.", "What are they?"]
FIRST_OF_LIST = ["Which of those is the oldest?", "Which of them came out first?", "The earliest among these?"]
LAST_OF_LIST = ["Which of those is the most recent?", "Which of them came out last?", "The newest of them?"]
FIRST_OF_SET = ["What is the oldest film with {p}?", "What's the very first movie {p} acted in, by year?", "The earliest picture starring {p}?"]
LAST_OF_SET = ["What is the latest film with {p}?", "The most recent movie {p} acted in?", "What is the newest picture starring {p}?"]
AFTER = ["Which movies with {p} came out after {y}?", "Films starring {p} released later than {y}?", "What has {p} acted in since {y}, {y} not counted?"]
BEFORE = ["Which movies with {p} came out before {y}?", "Films starring {p} that are older than {y}?"]
IN_YEAR = ["Which movies with {p} came out in {y}?", "What {y} film has {p} in it?"]
WHAT_ABOUT_YEAR = ["And in {y}?", "What about {y}?"]
BOTH = ["Which films have both {p} and {q} in them?", "In what movie do {p} and {q} appear together?", "Is there a picture with {p} as well as {q}? Which?"]
DIRECTED_AND_WITH = ["Which films by director {q} is {p} in?", "What did {q} direct that {p} acted in?"]
BUT_NOT = ["Which movies has {p} acted in but {q} has not?", "Films starring {p} without {q}?", "What is {p} in where {q} is not?"]
WHICH_FIRST = ["Which came out earlier, {f} or {g}?", "What is older, {f} or {g}?", "{f} or {g}: which one was released first?"]
WHICH_LATER = ["Which is the newer one, {f} or {g}?", "{f} or {g}: which came later?"]
MORE_FILMS = ["Who made more movies as an actor, {p} or {q}?", "{p} or {q}: who acted in more films?"]
IS_OLDER = ["Is {f} older than {g}?", "Did {f} come out before {g}?", "Was {f} released earlier than {g}?"]
BEFORE_YEAR = ["Was {f} released before {y}?", "Did {f} come out before {y}?", "Is {f} from a year before {y}?"]
TWO_HOPS = ["What other movies were made by the director of {f}?", "Which films were also directed by the maker of {f}?",
            "The one who directed {f}, what else did they make?"]
TWO_HOPS_COUNTRY = ["What nationality does the director of {f} have?", "From which country does the director of {f} come?"]
TWO_QUESTIONS = ["Who directed {f} and when was it released?", "What year is {f} from, and who is its director?",
                 "Which genre is {f}, and who directed it?"]
CORRECTION = ["No, I meant {g}.", "Sorry, I was asking about {g}.", "Not that one, {g}!"]
REPEAT = ["Can you say that again?", "Sorry, what was that?", "Once more, please?"]
WHY = ["Why?", "How do you know that?", "What makes you say so?"]
NOBODY = ["Zorblatt Five", "Quennimore Halloway", "The Vexing of Marlo Tibbs", "Ostrava Nine Lanterns", "Grebnax", "Pelligrove Manor",
          "Dunstable Wrexley", "A Thimble for Oskar", "Hollis Vandermoat", "Night Train to Zubrowka Falls"]
ASK_NOBODY = ["Who directed {n}?", "When was {n} released?", "Who stars in {n}?", "What genre is {n}?"]
NO_RELATION = ["How tall is {p}?", "What is the phone number of {p}?", "How much did {f} cost to produce?", "What's the soundtrack length of {f}?",
               "Which shoe size does {p} wear?", "How many cameras were used on {f}?", "What is {p}'s favorite food?", "How many days of shooting did {f} take?"]
VERIFY = ["I heard {p} directed {f}, did they?", "{f} was made by director {p}, yes?", "Did {p} really direct {f}?"]
VERIFY_CAST = ["Does {p} appear in {f}?", "Is {p} among the actors of {f}?"]
ABOUT = ["Tell me about {f}.", "Got any information on {f}?", "I want to hear something about {f}."]
ABOUT_PERSON = ["Tell me about {p}.", "What do you know about {p}?"]


class Graph:
    def __init__(self, path):
        self.out = collections.defaultdict(lambda: collections.defaultdict(list))
        self.into = collections.defaultdict(lambda: collections.defaultdict(list))
        bare = collections.Counter()
        names = set()
        for line in open(path, encoding="utf-8"):
            parts = line.rstrip("\n").split("\t")
            if len(parts) != 3:
                continue
            head, relation, tail = parts
            names.update((head, tail))
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
    def __init__(self, graph, seed):
        self.g, self.r = graph, random.Random(seed)

    def film(self, *relations):
        while True:
            film = self.r.choice(self.g.films)
            if all(self.g.out[film][r] for r in relations):
                return film

    def say(self, wordings, **names):
        return self.r.choice(wordings).format(**names)

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
        turns = [{"say": s, "kind": "small talk", "nofact": True} for s in self.r.sample(SMALL_TALK, 2)]
        return turns + [{"say": self.r.choice(ABILITY), "kind": "small talk", "nofact": True}]

    def direct(self):
        relation = self.r.choice(sorted(DIRECT))
        return [self.asked(self.film(relation), relation)]

    def pronoun(self):
        relation = self.r.choice(sorted(PRONOUN))
        film = self.film(relation)
        return [{"say": self.say(LIKED, f=film), "kind": None}, self.asked(film, relation, PRONOUN[relation], "pronoun")]

    def topic_kept(self):
        film = self.film("directed_by", "has_genre")
        after = self.r.choice([("starred_actors", CAST_AFTER), ("release_year", YEAR_AFTER), ("has_genre", GENRE_AFTER)])
        return [self.asked(film, "directed_by"), self.asked(film, after[0], after[1], "topic kept")]

    def what_else(self):
        person = self.r.choice([d for d in self.g.directors if 3 <= len(self.g.directed(d)) <= 8])
        films = self.g.directed(person)
        first = {"say": f"Give me a film that {person} directed.", "kind": "direct", "any": films}
        return [first, {"say": self.r.choice(ELSE), "kind": "what else", "any": films}]

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
                {"say": self.r.choice(["And who directed the other one?", "Who is the director of the other one?"]), "kind": "the other one",
                 "any": sorted(set(self.g.out[later]["directed_by"]))}]

    def count(self):
        which = self.r.randrange(3)
        if which == 0:
            film = self.film()
            return [{"say": self.say(COUNT_CAST, f=film), "kind": "count", "number": len(set(self.g.out[film]["starred_actors"]))}]
        if which == 1:
            person = self.actor(lambda films: 2 <= len(films) <= 40)
            return [{"say": self.say(COUNT_FILMS, p=person), "kind": "count", "number": len(self.g.acted(person))}]
        person = self.r.choice(self.g.directors)
        return [{"say": self.say(COUNT_DIRECTED, p=person), "kind": "count", "number": len(self.g.directed(person))}]

    def which_ones(self):
        person = self.r.choice([d for d in self.g.directors if 2 <= len(self.g.directed(d)) <= 8])
        return [{"say": self.say(COUNT_DIRECTED, p=person), "kind": "count", "number": len(self.g.directed(person))},
                {"say": self.r.choice(WHICH_ONES), "kind": "which ones", "all": self.g.directed(person)}]

    def extreme(self, films, last):
        years = self.dated(films)
        best = (max if last else min)(years.values())
        return sorted(f for f, y in years.items() if y == best)

    def of_a_list(self):
        person = self.r.choice([d for d in self.g.directors if 3 <= len(self.g.directed(d)) <= 8 and len(set(self.dated(self.g.directed(d)).values())) >= 2])
        last = self.r.random() < 0.5
        return [{"say": self.say(FILMS_OF, p=person), "kind": "list", "all": self.g.directed(person)},
                {"say": self.r.choice(LAST_OF_LIST if last else FIRST_OF_LIST), "kind": "first or last of a list",
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
            cast = [p for p in self.g.out[film]["starred_actors"] if p in set(self.g.actors)]
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
            return [{"say": self.say(IS_OLDER, f=film, g=other), "kind": "comparison yes or no",
                     "yesno": "yes" if self.g.year(film) < self.g.year(other) else "no"}]
        film = self.two_dated()[0]
        year = self.g.year(film) + self.r.choice([-12, -5, 4, 9])
        return [{"say": self.say(BEFORE_YEAR, f=film, y=year), "kind": "comparison yes or no", "yesno": "yes" if self.g.year(film) < year else "no"}]

    def two_hops(self):
        while True:
            film = self.film("directed_by")
            directors = set(self.g.out[film]["directed_by"])
            others = sorted({f for d in directors for f in self.g.directed(d)} - {film})
            if others:
                return [{"say": self.say(TWO_HOPS, f=film), "kind": "two hops", "any": others}]

    def two_hops_country(self):
        while True:
            film = self.film("directed_by")
            countries = sorted({c for d in self.g.out[film]["directed_by"] for c in self.g.out[d]["Country of nationality"]})
            if countries:
                return [{"say": self.say(TWO_HOPS_COUNTRY, f=film), "kind": "two hops", "any": countries}]

    def two_questions(self):
        film = self.film("directed_by", "release_year", "has_genre")
        said = self.say(TWO_QUESTIONS, f=film)
        directors = sorted(set(self.g.out[film]["directed_by"]))
        need = [self.r.choice(directors)] if len(directors) > 1 else directors
        second = self.g.out[film]["release_year"][:1] if "genre" not in said else []
        turn = {"say": said, "kind": "two questions", "all": need + second}
        if not second:
            turn = {"say": said, "kind": "two questions", "any": directors}
        return [turn]

    def correction(self):
        relation = self.r.choice(["directed_by", "release_year"])
        film, other = self.film(relation), self.film(relation)
        return [self.asked(film, relation), {"say": self.say(CORRECTION, g=other), "kind": "correction", "any": sorted(set(self.g.out[other][relation]))}]

    def repeat(self):
        relation = self.r.choice(["directed_by", "release_year"])
        film = self.film(relation)
        answer = sorted(set(self.g.out[film][relation]))
        return [self.asked(film, relation), {"say": self.r.choice(REPEAT), "kind": "repeat", "any": answer}]

    def why(self):
        relation = self.r.choice(["directed_by", "release_year"])
        film = self.film(relation)
        return [self.asked(film, relation), {"say": self.r.choice(WHY), "kind": "why", "any": sorted(set(self.g.out[film][relation]))}]

    def unknown_name(self):
        return [{"say": self.say(ASK_NOBODY, n=self.r.choice(NOBODY)), "kind": "unknown name", "refuse": True}]

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
            return [{"say": self.say(ABOUT, f=film), "kind": "tell me about", "any": sorted({t for r in self.g.out[film].values() for t in r})}]
        person = self.r.choice(self.g.actors)
        known = {t for r in self.g.out[person].values() for t in r} | {h for r in self.g.into[person].values() for h in r}
        return [{"say": self.say(ABOUT_PERSON, p=person), "kind": "tell me about", "any": sorted(known)}]


KINDS = ["small_talk", "direct", "pronoun", "topic_kept", "what_else", "ellipsis_entity", "ellipsis_value", "ellipsis_relation", "the_other_one",
         "count", "which_ones", "of_a_list", "of_a_set", "value_filter", "both", "but_not", "compare_values", "compare_counts", "compared_yes_no",
         "two_hops", "two_hops_country", "two_questions", "correction", "repeat", "why", "unknown_name", "unknown_relation", "verify", "tell_me_about"]


def wordings():
    for name, value in globals().items():
        if name.isupper() and name not in ("FORWARD", "KINDS", "NOBODY"):
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
    parser.add_argument("--bank")
    options = parser.parse_args()
    if options.bank:
        check(options.bank)
    exam = Exam(Graph(options.triples), options.seed)
    talks = [getattr(exam, kind)() for kind in KINDS for _ in range(options.each // (2 if kind.startswith("two_hops") else 1))]
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(talks, file, ensure_ascii=False, indent=0)
    kinds = collections.Counter(t["kind"] for talk in talks for t in talk if t["kind"])
    for kind, count in sorted(kinds.items()):
        print(f"{count:5d}  {kind}")
    print(f"{sum(kinds.values()):5d}  judged turns in {len(talks)} conversations")


if __name__ == "__main__":
    main()
