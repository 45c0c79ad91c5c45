#!/usr/bin/env python3
"""Makes an exam of single questions over OpenDialKG's graph, in the format of `kgwalk eval conversations`.
The wordings are those of somebody who had not seen how the program is trained.

Use: make_single_questions.py TRIPLES OUT.json [--seed N] [--count N] [--bank BANK]
  TRIPLES   opendialkg_triples.txt
  --count   questions (1000)
  --bank    data/questions/bank.txt: stops where a wording shares four words in a row with it (optional)
Entities are drawn, right answers are what the triples say. Groups: relations that the bank of questions has wordings for (known), others (new), what no relation says (missing)."""
import argparse
import collections
import json
import random
import re
import sys

# {x}: the head where the tail is asked for, the tail after "<". A "!" asks for all of them, a "#" how many, a "?" whether {y} is one.
KNOWN = {
    "directed_by": ["who directed {x}", "which film maker was behind {x}", "who shot {x}", "do you know who sat in the director's chair for {x}",
                    "<!which films did {x} direct", "<!list everything {x} has made as a director", "<!i need the complete list of {x}'s films as director",
                    "#how many directors does {x} have", "#how many people directed {x}", "#was it one director or several for {x}, how many",
                    "?did {y} direct {x}", "?is {x} by director {y}", "?was it {y} who called the shots on {x}"],
    "written_by": ["who wrote {x}", "who came up with {x}, the writer i mean", "who is the author of {x}", "{x} was written by whom",
                   "<what did {x} write", "<name something written by {x}", "<tell me a work {x} is the writer of", "<anything that {x} had a hand in writing",
                   "?did {y} write {x}", "?is {y} a writer of {x}", "?{x} was written by {y}, wasn't it"],
    "starred_actors": ["who is in {x}", "name an actor in {x}", "who acts in {x}", "which famous people show up in {x}",
                       "!who are all the actors in {x}", "!list the whole cast of {x}", "!give me everyone who plays in {x}",
                       "<what is {x} in", "<name a film with {x}", "<which movie could i see {x} in", "<what has {x} appeared in",
                       "?is {y} in {x}", "?does {y} act in {x}", "?did {y} get a part in {x}"],
    "release_year": ["when did {x} come out", "what year is {x} from", "when was {x} released", "{x} is from when", "how old is {x}, what year", "in which year did they bring out {x}"],
    "has_genre": ["what genre is {x}", "what kind of thing is {x}, which genre", "how would you describe the genre of {x}", "in which section of a store would i find {x}, genre wise",
                  "?is {x} {y}, as a genre", "?does {x} count as {y}", "?would {y} be a fair label for {x}"],
    "in_language": ["what language is {x} in", "in which language did they make {x}", "{x} language", "which languages do they use in {x}",
                    "?is {x} in {y}", "?do people talk {y} in {x}", "?could i watch {x} in {y}"],
    "Place of birth": ["where was {x} born", "in which town was {x} born", "what is the birthplace of {x}", "where did {x} come into this world",
                       "<who was born in {x}", "<name a person born in {x}", "<any celebrity whose birthplace is {x}",
                       "?was {x} born in {y}", "?is {y} the birthplace of {x}", "?did {x} start life in {y}"],
    "Place of death": ["where did {x} die", "in what place did {x} pass away", "what is {x}'s place of death", "which town was it where {x} died", "{x} died where", "where was {x} when the end came"],
    "Country of nationality": ["what nationality is {x}", "which country is {x} from", "what is {x}'s nationality", "{x} is a citizen of which country",
                               "?is {x} from {y}, by nationality", "?is {x} a citizen of {y}", "?does {x} come from the country {y}"],
    "Gender": ["is {x} a man or a woman", "what gender is {x}", "is {x} male or female", "do you say he or she about {x}, male or female", "{x}'s gender", "male or female, what's {x}"],
    "Spouse (or domestic partner)": ["who is {x} married to", "who did {x} marry", "what is the name of {x}'s husband or wife", "who is the better half of {x}",
                                     "{x} is or was married to who", "who said yes to {x} at the altar"],
    "Sibling": ["who is {x}'s brother or sister", "does {x} have siblings, who", "who are the siblings of {x}", "who grew up with {x} as brother or sister", "name a sibling of {x}", "{x} is the brother or sister of who"],
    "Children": ["who are {x}'s children", "name a son or daughter of {x}", "what is the name of {x}'s child", "does {x} have children, who",
                 "<who is the parent of {x}", "<who are {x}'s mom and dad, one of them will do", "<{x} is the child of which famous person"],
    "Influenced By": ["who influenced {x}", "who inspired {x}", "who did {x} look up to",
                      "!who were all the influences on {x}", "!list everybody that influenced {x}", "!give me every name that inspired {x}",
                      "<who was influenced by {x}", "<name somebody {x} had an influence on", "<who followed in the footsteps of {x}"],
    "Award Won": ["what award did {x} win", "which prize did {x} get", "did {x} ever win an award, which one",
                  "!which awards has {x} won, all of them", "!list all the prizes {x} got", "!every award {x} took home",
                  "<who won the {x}", "<name a winner of the {x}", "<who has been given the {x}"],
    "Religion": ["what religion is {x}", "what does {x} believe in, which religion", "which faith does {x} belong to",
                 "<who has {x} as religion", "<name a believer in {x}", "<which well known person is into {x}, as a faith",
                 "?is {y} the religion of {x}", "?does {x} believe in {y}", "?would {x} say {y} when asked about religion"],
    "Instrument Played": ["what instrument does {x} play", "which instrument is {x} known for", "what does {x} play on stage", "what did {x} learn to play",
                          "<who plays the {x}", "<name a musician who has {x} as an instrument", "<who is any good with the {x}"],
    "Record Label": ["what label is {x} on", "which record label is {x} signed to", "what company puts out the music of {x}", "whose label did {x} sign with",
                     "<which artist is on {x}", "<name an act signed to {x}", "<who makes records for {x}"],
    "Employment history": ["where did {x} work", "who did {x} work for", "which employer did {x} have", "where was {x} employed", "what company or place gave {x} a job", "who paid {x} a salary"],
    "Cause of death": ["how did {x} die", "what did {x} die of", "what was the cause of {x}'s death", "why did {x} die", "what killed {x}", "what took {x} from us"],
    "Sport played": ["what sport does {x} play", "which sport is {x} famous for", "{x} is an athlete in what sport", "what sport was {x} in",
                     "<who does {x} as a sport", "<name an athlete who does {x}", "<who is known from the sport of {x}"],
    "Capital": ["what is the capital of {x}", "which city is {x}'s capital", "{x} capital", "tell me the capital city for {x}", "where does the government of {x} sit", "which town do you learn at school as the capital of {x}"],
    "Adjoins": ["what borders {x}", "which place is next to {x}", "name a neighbor of {x}",
                "!list all the neighbors of {x}", "!what are all the places bordering {x}", "!everything that lies right next to {x} please",
                "?does {x} border {y}", "?is {y} next to {x}", "?do {x} and {y} share a border"],
    "music_by": ["who wrote the music for {x}", "who is the composer of {x}", "whose soundtrack is it in {x}", "who composed the score of {x}",
                 "<what did {x} compose the music for", "<name something with music by {x}", "<where can i hear a soundtrack by {x}"],
    "Time zone(s)": ["what time zone is {x} in", "which time zone do they have in {x}", "{x} time zone", "what's the time zone over in {x}", "{x} is in which time zone", "what zone do i set on my phone for {x}"],
    "Named after": ["who or what is {x} named after", "where does {x} get its name from", "after whom was {x} named", "{x} is named for who", "what's behind the name {x}, whom does it honor", "who gave {x} the name, i mean after whom is it"],
}
NEW = {
    "Higher classification": ["what is {x} classified under in biology", "which group of living things does {x} belong to", "what is the higher classification of {x}", "in the tree of life, what is {x} part of",
                              "{x} is a kind of what, biologically", "what bigger family is {x} in"],
    "Military Conflict": ["what wars was {x} in", "which military conflict did {x} take part in", "name a war that {x} fought in",
                          "<!who fought in the {x}", "<!which countries took part in the {x}", "<!list all the sides of the {x}"],
    "Associated medical specialty": ["which medical specialty deals with {x}", "what kind of specialist treats {x}", "what field of medicine is {x} part of", "who do i go to with {x}, which specialty",
                                     "{x} belongs to which branch of medicine", "which department of the hospital handles {x}"],
    "Language spoken": ["what language do {x} speak", "which languages are spoken by {x}", "what is the language of {x}", "what do {x} speak at home", "{x} speak what language", "which tongue have {x} got"],
    "Olympics participated in": ["which olympics did {x} take part in", "name an olympics that {x} was in", "when was {x} at the olympics, which ones",
                                 "#how many olympics has {x} been to", "#at how many olympic games did {x} compete", "#number of olympics with {x} in them"],
    "School type": ["what type of school is {x}", "what kind of a school do you call {x}", "{x} is which type of institution",
                    "?is {x} some kind of {y}", "?is {y} the type of school that {x} is", "?so for {x} the school type is {y}, right"],
    "Sport Team Location": ["where are the {x} from", "which city is the home of {x}", "where do the {x} play", "what town do {x} belong to", "{x} is a team from where", "where would i travel to see {x} at home"],
    "Album Contribution": ["what album did {x} contribute to", "which record has {x} on it as a guest", "on what album did {x} help out",
                           "<who contributed to the album {x}", "<who helped out on {x}, the record", "<name a guest on the album {x}"],
    "Hub": ["what is the hub of {x}", "which airport does {x} use as its hub", "{x} has its base at which airport",
            "<!which airlines have their hub at {x}", "<!who uses {x} as a hub", "<!list the airlines based at {x}"],
    "Legal structure": ["what is the legal structure of {x}", "what legal form does {x} have", "what type of company is {x} legally", "is {x} a public company or what", "{x} is registered as what", "on paper, what kind of business is {x}"],
    "Organization acquired": ["which company did {x} buy", "what has {x} acquired", "name a firm {x} took over",
                              "<who bought {x}", "<which company acquired {x}", "<who took over {x}"],
    "Ideology": ["what is the ideology of {x}", "what does {x} believe in politically", "which political direction is {x}",
                 "?is {y} the ideology of {x}", "?does {x} believe in {y}", "?is {x} all about {y}"],
    "Language Family": ["which language family is {x} in", "what languages is {x} related to, which family", "{x} is part of what language family",
                        "<!what languages belong to {x}", "<!list all languages in the {x} family", "<!name every language that is one of the {x}"],
    "Place exported to": ["where does {x} export to", "which country buys from {x}", "name a place {x} sells its products to",
                          "!list every country {x} exports to", "!what are all the export markets of {x}", "!where do the exports of {x} go, all of them"],
    "Near travel destination": ["which city is near {x}", "what travel destination is close to {x}", "where is {x}, near which city", "if i visit {x}, what town is close by", "what's the nearest destination to {x}", "i want to see {x}, to what place should i travel"],
    "Used To Treat": ["what is {x} used for, which illness", "what does {x} help against", "which condition do they treat with {x}",
                      "<how do you treat {x}", "<what helps with {x}", "<what do doctors use against {x}"],
    "Sponsorship": ["what does {x} sponsor", "who gets money from {x} as a sponsor", "name something sponsored by {x}",
                    "<!who sponsors {x}", "<!which companies paid as sponsors for {x}", "<!list all the sponsors of {x}"],
    "Cuisine": ["what food does {x} go with", "what do they cook at {x}, which cuisine", "which cuisine does {x} have",
                "?is {y} the cuisine of {x}", "?is {y} what {x} is about, food wise", "?does {x} go with {y}, as cuisine"],
    "Climate": ["for what month do you have the climate of {x}", "what months are there in the climate data of {x}", "climate of {x}, which month", "what month's weather do you know in {x}",
                "about which month can you tell me the climate in {x}", "which time of year is on record for the climate in {x}"],
    "Organization type": ["what type of organization is {x}", "is {x} a company, a charity or what", "what sort of organization do we call {x}", "an organisation of which type, {x}", "what is {x} as an organization",
                          "how would you classify the organization {x}"],
}
MISSING = ["how tall is {x}", "what is {x}'s phone number", "when is {x}'s birthday", "what does {x} like to eat", "how rich is {x}", "what is {x}'s email", "what color are {x}'s eyes",
           "how much does {x} earn a year", "what's {x}'s star sign", "how many cats does {x} have", "what size is the house of {x}", "is {x} left handed",
           "what time does {x} get up", "what's {x}'s middle name", "can i get an autograph from {x}, where", "what brand of phone does {x} use"]
# How many shares of the questions each relation and mark gets (so that the exam weighs as the first one).
SHARES = {
    "directed_by": {"": 2, "<!": 1, "#": 1, "?": 1},
    "written_by": {"": 2, "<": 1, "?": 1},
    "starred_actors": {"": 2, "!": 1, "<": 1, "?": 1},
    "release_year": {"": 3},
    "has_genre": {"": 2, "?": 1},
    "in_language": {"": 1, "?": 1},
    "Place of birth": {"": 2, "<": 1, "?": 1},
    "Place of death": {"": 2},
    "Country of nationality": {"": 2, "?": 1},
    "Gender": {"": 2},
    "Spouse (or domestic partner)": {"": 2},
    "Sibling": {"": 2},
    "Children": {"": 1, "<": 1},
    "Influenced By": {"": 1, "!": 1, "<": 1},
    "Award Won": {"": 1, "!": 1, "<": 1},
    "Religion": {"": 1, "<": 1, "?": 1},
    "Instrument Played": {"": 1, "<": 1},
    "Record Label": {"": 1, "<": 1},
    "Employment history": {"": 2},
    "Cause of death": {"": 2},
    "Sport played": {"": 1, "<": 1},
    "Capital": {"": 2},
    "Adjoins": {"": 1, "!": 1, "?": 1},
    "music_by": {"": 2, "<": 1},
    "Time zone(s)": {"": 2},
    "Named after": {"": 2},
    "Higher classification": {"": 2},
    "Military Conflict": {"": 1, "<!": 1},
    "Associated medical specialty": {"": 2},
    "Language spoken": {"": 2},
    "Olympics participated in": {"": 1, "#": 1},
    "School type": {"": 1, "?": 1},
    "Sport Team Location": {"": 2},
    "Album Contribution": {"": 1, "<": 1},
    "Hub": {"": 1, "<!": 1},
    "Legal structure": {"": 1},
    "Organization acquired": {"": 1, "<": 1},
    "Ideology": {"": 1, "?": 1},
    "Language Family": {"": 1, "<!": 1},
    "Place exported to": {"": 1, "!": 1},
    "Near travel destination": {"": 1},
    "Used To Treat": {"": 1, "<": 1},
    "Sponsorship": {"": 1, "<!": 1},
    "Cuisine": {"": 1, "?": 1},
    "Climate": {"": 1},
    "Organization type": {"": 1},
}
# Of these, only what matches is asked for where the answer is no: the graph leaves out too much else.
DOUBTFUL = {"School type": "^(Medical|Art|Business|Boarding) ", "Cuisine": "^(Italian|Indian|Mexican|Cajun|French) "}


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
        heads = [h for h in sorted(facts) if h in self.g.clear and 1 <= len(facts[h]) <= few and re.search("[A-Za-z]", h)
                 and (facts is not self.g.out["in_language"] or h in self.g.out["starred_actors"])]
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
            others = [t for t in others if not relation in DOUBTFUL or re.search(DOUBTFUL[relation], t)]
            yes = self.r.random() < 0.5 or not others
            y = self.r.choice(answers if yes else others)
            text = text.replace("{y}", self.g.plain(y))
            right = {"kind": "yes or no", "yesno": "yes" if yes else "no"}
        elif mark == "!":
            right = {"kind": "list", "all": sorted({self.g.plain(a) for a in answers})}
        else:
            right = {"kind": "one backward" if back else "one", "any": named}
        said = text.replace("{x}", x)
        said = self.written(said)
        return {"say": said, **right, "kind": f"{group}: {right['kind']}"}

    def written(self, said):
        """As typed in a hurry, or with a capital and a stop."""
        if self.r.random() < 0.4:
            return said
        order = re.match(r"(list|name|give|tell|i need|everything|every)\b", said)
        return said[0].upper() + said[1:] + ("." if order else "?")

    def draw(self, table, group, count):
        made, said = [], set()
        choices = [(relation, mark) for relation in sorted(table) for mark, share in SHARES[relation].items() for _ in range(share)]
        wordings = collections.defaultdict(list)
        for relation in table:
            for wording in table[relation]:
                wordings[relation, re.match("<?[!#?]?", wording)[0]].append(wording)
        undealt = collections.defaultdict(list)
        for attempt in range(100 * count):
            if len(made) == count:
                return made
            slot = choices[attempt % len(choices)]
            if not undealt[slot]:
                undealt[slot] = self.r.sample(wordings[slot], len(wordings[slot]))
            turn = self.ask(slot[0], undealt[slot].pop(), group)
            if turn and turn["say"] not in said:
                said.add(turn["say"])
                made.append(turn)
        sys.exit(f"only {len(made)} of {count} questions of the group {group} can be made of these triples")

    def missing(self, count):
        people = sorted(p for p in self.g.out["Place of birth"] if p in self.g.clear and " " in p)
        said = [self.written(MISSING[i % len(MISSING)].replace("{x}", p)) for i, p in enumerate(self.r.sample(people, count))]
        return [{"say": s, "kind": "missing", "refuse": True} for s in said]


def windows(text):
    words = re.findall(r"[a-z0-9']+|\{x\}", re.sub(r"\{\w+\}", "{x}", re.sub(r"\{\w+'s\}", "{x} 's", text.lower())))
    return {tuple(words[i:i + 4]) for i in range(len(words) - 3)}


def check(bank):
    runs = set()
    for line in open(bank, encoding="utf-8"):
        if line.startswith(("<", ">")):
            runs |= windows(line.lstrip("<>*?@"))
    wrong = [f"'{' '.join(w)}' is in the bank: {wording}" for wording in [w for table in (KNOWN, NEW) for ws in table.values() for w in ws] + MISSING
             for w in sorted(windows(wording.lstrip("<!#?")) & runs)]
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
