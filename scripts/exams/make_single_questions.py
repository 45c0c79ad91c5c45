#!/usr/bin/env python3
"""Makes an exam of single questions over OpenDialKG's graph, in the format of `kgwalk eval conversations`.

Use: make_single_questions.py TRIPLES OUT.json [--seed N] [--count N] [--bank BANK]
  TRIPLES   opendialkg_triples.txt
  --count   questions (1000)
  --bank    data/questions/bank.txt
The wordings were written before the program that is examined, none with four words in a row from the bank;
--bank tells so, and whether the groups are right. Entities are drawn, right answers are what the triples say.
Half of the questions are about relations that the bank has wordings for (kinds "known ..."), a third about
relations of the graph that it has none for ("new ..."), the rest about what the graph has no relation for
("missing")."""
import argparse
import collections
import json
import random
import re
import sys

# {x}: the head where the tail is asked for, the tail after "<". A "!" asks for all of them, a "#" how many, a "?" whether {y} is one.
KNOWN = {
    "directed_by": ["remind me which filmmaker shot {x}", "whose vision was {x} on the set", "<!every picture shot by {x} please",
                    "#{x} needed how many filmmakers behind the camera", "?can one credit {y} with directing {x}"],
    "written_by": ["whom do we thank for writing {x}", "{x} sprang from whose pen", "<what came from the pen of {x}",
                   "?would those words in {x} be from {y}"],
    "starred_actors": ["whose face would i recognize in {x}", "got a name from among the performers of {x}",
                       "!could i get everybody that performs in {x}", "<what could i watch to see {x} perform",
                       "?would i spot {y} somewhere in {x}"],
    "release_year": ["which year saw {x} appear", "{x} hit the public in what year", "how far back does {x} go"],
    "has_genre": ["on which shelf of the shop belongs {x}", "into which drawer would you put {x}", "?could one file {x} under {y}"],
    "in_language": ["what tongue should i speak for {x}", "?would a speaker of {y} understand {x}"],
    "Place of birth": ["what spot on earth first had {x} crying in a cradle", "{x} first saw daylight in what town",
                       "<anybody you know that hails from {x}", "?{x} hails from {y}, correct"],
    "Place of death": ["at what spot on earth did {x} pass", "where did {x} breathe their last"],
    "Country of nationality": ["whose passport does {x} carry", "{x} holds which passport", "?does {x} carry a passport from {y}"],
    "Gender": ["should one call {x} sir or madam", "{x}, would that be male or female"],
    "Spouse (or domestic partner)": ["{x} wears whose wedding ring", "{x} got hitched to whom"],
    "Sibling": ["who shares both parents with {x}", "{x} quarreled over toys with whom, as kids"],
    "Children": ["any kids for {x}, by name", "<whose kid would {x} be"],
    "Influenced By": ["{x} borrowed ideas from whom", "!{x} names which people as heroes", "<anyone borrowing ideas from {x}"],
    "Award Won": ["{x} dusts off which trophies", "!all medals and trophies {x} ever dusts off", "<anybody dusting off a trophy called {x}"],
    "Religion": ["{x} adheres to which creed", "<anyone adhering to {x}", "?does {x} pray as a {y}"],
    "Instrument Played": ["{x} entertains crowds with what, a guitar or piano or such", "<anyone making noise on the {x}"],
    "Record Label": ["{x} puts out songs thanks to whom", "<whose records does {x} issue"],
    "Employment history": ["{x} earned money at which outfit", "whose payroll once listed {x}"],
    "Cause of death": ["how come that {x} is dead", "what put {x} into the ground"],
    "Sport played": ["at what does {x} compete", "<any athlete competing at {x}"],
    "Capital": ["from which city do they rule {x}", "{x} gets governed from where"],
    "Adjoins": ["if i walk out of {x}, where do i end up", "!{x} touches which places on a map", "?can i walk from {x} straight into {y}"],
    "music_by": ["{x} owes its tunes to whom", "whose notes are played during {x}", "<{x} supplied the tunes to what"],
    "Time zone(s)": ["my watch in {x} should follow what zone", "{x} sets its clocks by what"],
    "Named after": ["{x} bears its name in honor of whom or what", "people christened {x} in memory of whom"],
}
NEW = {
    "Higher classification": ["biologists group {x} with whom", "{x} counts as what sort of creature"],
    "Military Conflict": ["{x} sent troops into which wars", "<!what nations sent troops into the {x}"],
    "Associated medical specialty": ["what sort of doctor looks at {x}", "if i had {x}, which kind of doctor would i visit"],
    "Language spoken": ["how do {x} folks talk", "what would i hear among {x}"],
    "Olympics participated in": ["at which games did athletes of {x} march in", "#how often did athletes of {x} march in at the games"],
    "School type": ["what sort of school would {x} be", "?would you call {x} a {y}"],
    "Sport Team Location": ["where is home turf for the {x}", "in which town are {x} at home"],
    "Album Contribution": ["{x} can be heard on which records", "<who can be heard on the record {x}"],
    "Hub": ["where do planes of {x} mostly land and leave", "<!whose planes mostly land and leave at {x}"],
    "Legal structure": ["lawyers would call {x} what form of firm"],
    "Organization acquired": ["which firms did {x} swallow", "<which firm swallowed {x}"],
    "Ideology": ["what ideas does {x} stand for in politics", "?does {x} stand for {y} in politics"],
    "Language Family": ["to what family of tongues belongs {x}", "<!which tongues are in the family {x}"],
    "Place exported to": ["goods made in {x} end up where abroad", "!all lands that buy goods made in {x}"],
    "Near travel destination": ["{x} is a short trip away from what place"],
    "Used To Treat": ["against what would a doctor give {x}", "<what should one take against {x}"],
    "Sponsorship": ["{x} acted as a sponsor of what", "<!who were sponsors of the {x}"],
    "Cuisine": ["what would i get to eat at {x}", "?would i get {y} to eat at {x}"],
    "Climate": ["what weather figures are there for {x}"],
    "Organization type": ["what kind of outfit is {x} on paper"],
}
MISSING = ["how can i write to {x} over the internet", "what do i dial to get {x} on the line", "what shoe size does {x} take",
           "{x} ate what at lunch", "{x} weighs how many kilos", "which blood type runs through {x}",
           "how many twitter followers does {x} boast", "what was the first pet of {x} called", "{x} drives which car",
           "what do the scales show for {x}"]


class Graph:
    def __init__(self, path):
        self.out = collections.defaultdict(lambda: collections.defaultdict(list))
        self.into = collections.defaultdict(lambda: collections.defaultdict(list))
        namesakes = collections.defaultdict(set)
        for line in open(path, encoding="utf-8"):
            parts = line.rstrip("\n").split("\t")
            if len(parts) != 3 or parts[1].startswith("~"):
                continue
            head, relation, tail = parts
            for name in (head, tail):
                namesakes[self.plain(name).lower()].add(name)
            if head != tail and tail not in self.out[relation][head]:
                self.out[relation][head].append(tail)
                self.into[relation][tail].append(head)
        self.clear = {n for names in namesakes.values() if len(names) == 1 for n in names if self.sayable(n)}

    @staticmethod
    def plain(name):
        return re.sub(r"\s*\([^)]*\)$", "", name)

    @staticmethod
    def sayable(name):
        return 4 <= len(name) <= 40 and not re.search(r"[\[\"#:;?!/(]", name) and not name.isdigit()


class Exam:
    def __init__(self, graph, seed):
        self.g, self.r = graph, random.Random(seed)

    def about(self, facts, few):
        heads = [h for h in sorted(facts) if h in self.g.clear and 1 <= len(facts[h]) <= few]
        return self.r.choice(heads) if heads else None

    def ask(self, relation, wording, group):
        back = wording.startswith("<")
        facts = (self.g.into if back else self.g.out)[relation]
        text = wording.lstrip("<")
        mark = text[0] if text[0] in "!#?" else ""
        text = text.lstrip("!#?")
        x = self.about(facts, 12)
        if x is None:
            return None
        answers = sorted(set(facts[x]))
        named = sorted({n for a in answers for n in (a, self.g.plain(a)) if n})
        if mark == "#":
            right = {"kind": "count", "number": len(answers)}
        elif mark == "?":
            others = sorted(t for t in self.g.into[relation] if t in self.g.clear and t not in answers and len(self.g.into[relation][t]) > 1)
            yes = self.r.random() < 0.5 or not others
            y = self.r.choice(answers if yes else others)
            text = text.replace("{y}", self.g.plain(y))
            right = {"kind": "yes or no", "yesno": "yes" if yes else "no"}
        elif mark == "!":
            right = {"kind": "list", "all": sorted({self.g.plain(a) for a in answers})}
        else:
            right = {"kind": "one backward" if back else "one", "any": named}
        said = text.replace("{x}", x)
        said = said if self.r.random() < 0.4 else said[0].upper() + said[1:] + "?"
        return {"say": said, **right, "kind": f"{group}: {right['kind']}"}

    def draw(self, table, group, count):
        made, said = [], set()
        choices = [(relation, w) for relation in sorted(table) for w in table[relation]]
        for attempt in range(100 * count):
            if len(made) == count:
                return made
            turn = self.ask(*choices[attempt % len(choices)], group)
            if turn and turn["say"] not in said:
                said.add(turn["say"])
                made.append(turn)
        sys.exit(f"only {len(made)} of {count} questions of the group {group} can be made of these triples")

    def missing(self, count):
        people = sorted(p for p in self.g.out["Place of birth"] if p in self.g.clear and " " in p)
        said = [MISSING[i % len(MISSING)].replace("{x}", p) for i, p in enumerate(self.r.sample(people, count))]
        return [{"say": s, "kind": "missing", "refuse": True} for s in said]


def windows(text):
    words = re.findall(r"[a-z0-9']+|\{x\}", re.sub(r"\{\w+\}", "{x}", re.sub(r"\{\w+'s\}", "{x} 's", text.lower())))
    return {tuple(words[i:i + 4]) for i in range(len(words) - 3)}


def check(bank):
    """Stops where a wording has four words in a row with the bank, or a relation stands in the wrong group."""
    known, runs = set(), set()
    for line in open(bank, encoding="utf-8"):
        if line.startswith("[") and " -> " in line:
            known |= {r.strip().lstrip("~") for r in line.partition(" : ")[2].split(" ; ")}
        elif line.startswith(("<", ">")):
            runs |= windows(line.lstrip("<>*?@"))
    wrong = [f"the bank knows {r}" for r in NEW if r in known] + [f"the bank does not know {r}" for r in KNOWN if r not in known]
    for wording in [w for table in (KNOWN, NEW) for ws in table.values() for w in ws] + MISSING:
        wrong += [f"'{' '.join(w)}' is in the bank: {wording}" for w in sorted(windows(wording.lstrip("<!#?")) & runs)]
    if wrong:
        sys.exit("\n".join(wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triples")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--bank")
    options = parser.parse_args()
    if options.bank:
        check(options.bank)
    exam = Exam(Graph(options.triples), options.seed)
    new, missing = options.count // 3, options.count // 6
    turns = exam.draw(KNOWN, "known", options.count - new - missing) + exam.draw(NEW, "new", new) + exam.missing(missing)
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump([[t] for t in turns], file, ensure_ascii=False, indent=0)
    for kind, count in sorted(collections.Counter(t["kind"] for t in turns).items()):
        print(f"{count:5d}  {kind}")
    print(f"{len(turns):5d}  questions")


if __name__ == "__main__":
    main()
