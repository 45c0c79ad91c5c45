"""Fills in the patterns of QALD's queries with things and values. For make_qald_graph.py."""
import collections
import re
import statistics
import sys

import pyoxigraph

from qald_queries import (BACKGROUND, DISTRACTORS, FACTS_PER_RELATION, LABEL, MOST_ANSWERS, RESOURCE, TYPE, Values, is_thing,
                          place, tail, value_of)


class Maker:
    def __init__(self, queries, rng):
        self.queries, self.rng, self.values = queries, rng, Values(rng)
        self.facts, self.named = {}, {}          # facts in order; names that queries ask for
        self.objects, self.subjects = collections.defaultdict(list), collections.defaultdict(list)
        self.places, self.types = collections.defaultdict(dict), collections.defaultdict(dict)
        self.things = {}
        for query in queries:
            self.pool(query)
        # answers that values or counts decide about: not taken for anything else, which would give them other values
        self.reserved = {a for q in queries if q.order or q.having or any(held for _, held in q.branches)
                         or any(s == q.asked and o[0] == "?" and self.values.is_value(r) for s, r, o in q.patterns())
                         for a in q.answers}
        self.reserved |= {t for q in queries if q.ask and (not q.truth or q.branches[0][1]) for t in self.constants(q)}
        self.places_of = collections.defaultdict(list)
        for where, things in self.places.items():
            for thing in things:
                self.places_of[thing].append(where)

    def pool(self, query):
        for subject, relation, object_ in query.patterns():
            for term, end, other in ((subject, "subject", object_), (object_, "object", subject)):
                for thing in query.answers if term == query.asked else [term]:
                    if not is_thing(thing):
                        if thing.startswith('"') and end == "object":
                            self.values.learn(relation, thing)
                        continue
                    self.things[thing] = True
                    if relation != TYPE:
                        self.places[place(relation, end)][thing] = True
                    elif end == "subject":
                        self.types[other][thing] = True

    def add(self, subject, relation, object_):
        if relation == LABEL:
            self.named[subject] = re.match(r'"(.*)"', object_)[1]
            return
        if (subject, relation, object_) not in self.facts:
            self.facts[subject, relation, object_] = True
            self.objects[subject, relation].append(object_)
            self.subjects[relation, object_].append(subject)
            if relation == TYPE:
                self.types[object_][subject] = True

    def candidates(self, variable, patterns, avoid):
        """Things for a variable, the most fitting first: of its types and places, of its types, of a place, of a
        place beside those, any."""
        kinds = [self.types[o] for s, r, o in patterns if s == variable and r == TYPE]
        where = [self.places[place(r, end)] for s, r, o in patterns if r not in (TYPE, LABEL)
                 for term, end in ((s, "subject"), (o, "object")) if term == variable]
        everything = list(self.things)
        alike = {t: True for pool in kinds or where for t in pool}
        near = {t for w in {w: True for a in alike for w in self.places_of.get(a, ())} for t in self.places[w]}
        tiers = ([t for t in everything if all(t in k for k in kinds + where)],
                 [t for t in everything if kinds and all(t in k for k in kinds)],
                 [t for t in everything if where and all(t in w for w in where)],
                 [t for t in everything if any(t in w for w in where)],
                 [t for t in everything if t in near], everything)
        found = {}
        for tier in tiers:
            tier = [t for t in tier if t not in avoid and t not in found]
            self.rng.shuffle(tier)
            found.update(dict.fromkeys(tier))
        values = [r for s, r, _ in patterns if s == variable and self.values.is_value(r)]
        return sorted(found, key=lambda t: (t in self.reserved, any(self.objects[t, r] for r in values)))

    def linked(self, variable, patterns, binding, avoid):
        """What the graph has already for a variable beside what is bound: one capital of a country is enough."""
        found = None
        for subject, relation, object_ in patterns:
            subject, object_ = (binding.get(t, t) if t != variable else t for t in (subject, object_))
            if relation in (TYPE, LABEL) or variable not in (subject, object_):
                continue
            other = object_ if subject == variable else subject
            if other.startswith("?") or other == variable:
                continue
            here = self.subjects[relation, other] if subject == variable else self.objects[subject, relation]
            found = [t for t in here if found is None or t in found]
        return [t for t in found or [] if t not in avoid]

    def conditions_on(self, variable, conditions, binding):
        """Those that compare it with a value, what is bound put in its place."""
        held, turned = [], {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        for condition in conditions:
            if condition[0] == "regex" and condition[1] == variable and re.search(r"\^\d{4}", condition[2]):
                held.append(condition)
            elif condition[0] == "compare" and condition[2] in turned:
                kind, a, operator, b = condition
                a, b = binding.get(a, a) if a != variable else a, binding.get(b, b) if b != variable else b
                if a == variable and b.startswith('"'):
                    held.append((kind, a, operator, b))
                elif b == variable and a.startswith('"'):
                    held.append((kind, b, turned[operator], a))
        return held

    def compared(self, variable, conditions):
        return any(variable in c[1:] and (c[0] != "compare" or c[2] in "<=>=") and (c[0] != "regex" or "^" in c[2])
                   for c in conditions)

    def fill(self, patterns, conditions, binding, avoid, hold=True, reuse=True, order=None):
        """Binds what is not bound and adds the facts. `hold`: whether the comparisons are to be true."""
        binding = dict(binding)
        variables = list(dict.fromkeys(t for s, _, o in patterns for t in (s, o) if t.startswith("?")))
        relation_of = {o: r for s, r, o in patterns if o in variables and r != TYPE}
        is_subject = {s for s, _, _ in patterns}
        values = [v for v in variables if v not in is_subject and v in relation_of and
                  (self.compared(v, conditions) or v == order or self.values.is_value(relation_of[v]))
                  and not any(c[0] == "compare" and c[2] in ("=", "!=") and v in c[1:] for c in conditions)]
        same = [(c[1], c[3]) for c in conditions if c[0] == "compare" and c[2] == "=" and c[3].startswith("?")]
        for variable in variables:
            if variable in binding or variable in values:
                continue
            pair = next((b if a == variable else a for a, b in same if variable in (a, b)), None)
            if pair in binding and hold:
                binding[variable] = binding[pair]
                continue
            taken = set(avoid) | {binding.get(t, t) for s, _, o in patterns for t in (s, o)}
            label = next((o for s, r, o in patterns if s == variable and r == LABEL and o.startswith('"')), None)
            if label:
                binding[variable] = "<" + RESOURCE + re.match(r'"(.*)"', label)[1].replace(" ", "_") + ">"
                continue
            described = next((o for s, r, o in patterns if s == variable and r == LABEL), None)
            wanted = next((c[2] for c in conditions if c[0] == "regex" and c[1] in (variable, described)), None)
            if described:
                binding[described] = "?"  # its name comes with it
            choice = self.linked(variable, patterns, binding, taken) if reuse and variable not in same else []
            if wanted:
                choice = [t for t in choice or self.things if wanted.lower() in tail(t).lower()]
                if not choice:
                    made = "<" + RESOURCE + wanted[0].upper() + wanted[1:] + ">"
                    choice, self.things[made] = [made], True
                choice = choice[:1]
            binding[variable] = self.rng.choice(choice) if choice else self.candidates(variable, patterns, taken)[0]
        # what belongs to a constant first: the others are compared with it
        for variable in sorted(values, key=lambda v: any(o == v and s.startswith("?") for s, _, o in patterns)):
            if variable in binding:
                continue
            relation, held = relation_of[variable], self.conditions_on(variable, conditions, binding)
            owner = next(binding.get(s, s) for s, _, o in patterns if o == variable)
            present = [t for t in self.objects[owner, relation] if t.startswith('"')]
            fit = [t for t in present if all(self.true(t, c) for c in held) == hold] if held else present
            if fit:
                binding[variable] = fit[0]
            elif held:
                binding[variable] = self.values.holding(relation, held, hold)
            else:
                binding[variable] = self.values.draw(relation, self.values.datatype(relation, conditions))
        for subject, relation, object_ in patterns:
            subject, object_ = binding.get(subject, subject), binding.get(object_, object_)
            if object_ != "?":
                self.add(subject, relation, object_)
        return binding

    @staticmethod
    def true(term, condition):
        if condition[0] == "regex":
            return re.search(condition[2], term[1:]) is not None
        a, b = value_of(term), value_of(condition[3])
        return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[condition[2]]

    def constants(self, query):
        return {t for s, _, o in query.patterns() for t in (s, o) if is_thing(t)}

    # -- the kinds of queries

    def find(self, query):
        """Answers spread over the branches; what lies between is shared by about four of them."""
        answers = query.answers[:MOST_ANSWERS]
        avoid = self.constants(query) | set(query.answers)
        if query.counted or not answers:
            patterns = [p for p in query.branches[0][0]]
            answers = self.candidates(query.asked, patterns, avoid)[: self.rng.randint(3, 9)]
        filtered = [c for c in query.branches[0][1] if c[0] == "regex" or c[0] == "compare" and c[2] in "<=>="]
        between = {}
        for index, answer in enumerate(answers):
            number = index % len(query.branches)
            patterns, conditions = query.branches[number]
            shared = between.get((number, index // 4), {}) if is_thing(answer) and not filtered else {}
            binding = self.fill(patterns, conditions, {**shared, query.asked: answer}, avoid,
                                reuse=is_thing(answer))
            between[number, index // 4] = {v: t for v, t in binding.items() if v != query.asked and t.startswith("<")}
        for patterns, conditions in query.branches[len(answers):]:  # fewer answers than branches
            self.fill(patterns, conditions, {}, avoid, reuse=False)
        if filtered:
            self.distract(query, avoid)

    def distract(self, query, avoid, extra=lambda: {}):
        for index in range(DISTRACTORS):
            patterns, conditions = query.branches[index % len(query.branches)]
            binding, given = dict(extra()), set(avoid)
            owner = query.asked
            if query.order and isinstance(query.order, str):
                owner = next(s for s, _, o in patterns if o == query.order)
            wanted = [c for c in conditions if c[0] == "regex" and "^" not in c[2]]
            if owner.startswith("?"):
                binding[owner] = self.fresh(owner, patterns, given)
                given.add(binding[owner])
            avoid.update(given)
            if wanted and not query.order:  # a thing that does not have the word in its name
                for condition in wanted:
                    if any(condition[1] in p for p in patterns):
                        binding[condition[1]] = next(
                            t for t in self.candidates(condition[1], patterns, given)
                            if condition[2].lower() not in tail(t).lower())
                conditions = [c for c in conditions if c not in wanted]
            order = query.order if isinstance(query.order, str) else None
            self.fill(patterns, conditions, binding, given, hold=bool(query.order), reuse=False, order=order)

    def fresh(self, variable, patterns, avoid):
        """A thing that has nothing yet of what the patterns leave open: it would stand beside what they give it."""
        choice = self.candidates(variable, patterns, avoid)
        open_ = [r for s, r, o in patterns if s == variable and o.startswith("?")]
        return next((t for t in choice if not any(self.objects[t, r] for r in open_)), choice[0])

    def group(self, query):
        """HAVING (COUNT(?x) > n)."""
        counted, _, least = query.having
        avoid = self.constants(query) | set(query.answers)
        others = [t for t in self.candidates(query.asked, query.branches[0][0], avoid)][:DISTRACTORS]
        many = [(a, least + self.rng.randint(1, 3)) for a in query.answers[: 3 if least > 5 else 5]]
        few = [(a, self.rng.randint(1, min(least, 4))) for a in others]
        avoid |= set(others)
        for answer, count in many + few:
            self.count_up(query, counted, answer, count, avoid)

    def count_up(self, query, counted, answer, count, avoid):
        patterns = query.branches[0][0]
        avoid = avoid | set(self.linked(counted, patterns, {query.asked: answer}, ()))
        leading = [r for s, r, o in patterns if s == counted and o == query.asked]
        choice = self.candidates(counted, patterns, avoid)
        choice.sort(key=lambda t: any(self.objects[t, r] for r in leading))
        for thing in choice[:count]:
            number = self.rng.randrange(len(query.branches))
            patterns, conditions = query.branches[number]
            self.fill(patterns, conditions, {query.asked: answer, counted: thing}, avoid)

    def store(self):
        store = pyoxigraph.Store()
        text = "\n".join(" ".join(f) + " ." for f in self.facts)
        store.load(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
        return store

    def keys(self, query, store):
        """(answer, what it is ordered by) of all that the query without its limit finds, the first first."""
        key = query.order if isinstance(query.order, str) else None
        text = re.sub(r"\b(LIMIT|OFFSET)\s+\d+", "", query.sparql, flags=re.I)
        if key:
            text = re.sub(r"SELECT (DISTINCT )?(\?\w+)", lambda m: f"SELECT DISTINCT {m[2]} ({key} AS ?key_)",
                          text, count=1, flags=re.I)
        else:
            count = re.search(r"COUNT\([^()]*\)", text, re.I)[0]
            text = re.sub(r"SELECT (DISTINCT )?(\?\w+)", lambda m: f"SELECT {m[2]} ({count} AS ?key_)", text, count=1,
                          flags=re.I)
        found = {}
        for row in store.query(text):
            found.setdefault(str(row[0]), value_of(str(row[1])))
        return list(found.items())

    def superlative(self, query):
        answers = query.answers[: query.limit]
        avoid = self.constants(query) | set(query.answers)
        if not isinstance(query.order, str):
            counted = query.order[1]
            others = self.candidates(query.asked, query.branches[0][0], avoid)[:DISTRACTORS]
            for other in others:
                self.count_up(query, counted, other, self.rng.randint(1, 3), avoid | set(others))
            present = self.keys(query, self.store())
            count = max([n for a, n in present if a not in answers], default=3)
            count = int(max(count, 4)) + 3 - int(dict(present).get(answers[0], 0))
            if count > 0:
                self.count_up(query, counted, answers[0], count, avoid)
            return
        present = self.keys(query, self.store())
        relation = next(r for _, r, o in query.patterns() if o == query.order)
        datatype = self.values.datatype(relation)
        sign = 1 if query.descending else -1
        conditions = [c for _, held in query.branches for c in held]
        if query.order == query.asked:  # the answer is the value itself
            best = {a: value_of(a) for a in answers}
            for answer in answers:
                patterns, held = query.branches[0]
                self.fill(patterns, held, {query.asked: answer}, avoid)
            self.behind(query, relation, datatype, sign, best, avoid)
            return
        ahead = present[: query.offset]
        row = answers if len(ahead) == query.offset else \
            self.candidates(query.asked, query.branches[0][0], avoid)[: query.offset] + answers
        if [a for a, _ in present[: query.offset + query.limit]] == [a for a, _ in ahead] + answers:
            best = dict(present[: query.offset + query.limit])
        elif query.offset and row == answers:
            patterns, held = query.branches[0]
            bounds = sorted(value for _, value in present[query.offset - 1 : query.offset + 1])
            term = self.values.draw(relation, datatype, *bounds)
            self.fill(patterns, held, {query.asked: answers[0], query.order: term}, avoid)
            best = {answers[0]: value_of(term)}
        else:
            best, bound = {}, present[0][1] if present else None
            top = max if sign > 0 else min
            if bound is None:
                patterns, held = query.branches[0]
                held = self.against_constants(query)
                bound = value_of(self.values.draw(relation, datatype)) if not held else None
            for index, answer in enumerate(reversed(row)):
                patterns, held = query.branches[index % len(query.branches)]
                link = next(r for _, r, o in patterns if o == query.order)
                limits = self.conditions_on(query.order, held, self.owned(patterns, held))
                if limits:
                    term = self.values.holding(link, limits, True)
                else:
                    term = self.beyond(link, datatype, bound, sign)
                bound = top(bound, value_of(term)) if bound is not None else value_of(term)
                owner = next(s for s, _, o in patterns if o == query.order)
                given = {query.asked: answer, query.order: term}
                if owner.startswith("?") and owner != query.asked:
                    given[owner] = self.fresh(owner, patterns, avoid)
                self.fill(patterns, held, given, avoid)
                best[answer] = value_of(term)
        self.behind(query, relation, datatype, sign, best, avoid | set(row))

    def beyond(self, relation, datatype, bound, sign):
        if datatype in ("date", "gYear"):
            return self.values.draw(relation, datatype, *sorted((bound + sign, bound + 4 * sign)))
        return self.values.draw(relation, datatype, *((bound, bound * 1.1 + 2) if sign > 0 else (bound * 0.6, bound)))

    def against_constants(self, query):
        return [c for _, held in query.branches for c in held if c[0] == "compare" and query.order in c[1:]]

    def owned(self, patterns, conditions):
        """The values of constants that a variable is compared with, made where they are not there."""
        binding = {}
        for subject, relation, object_ in patterns:
            if is_thing(subject) and self.compared(object_, conditions):
                if not self.objects[subject, relation]:
                    self.add(subject, relation, self.values.draw(relation, self.values.datatype(relation)))
                binding[object_] = self.objects[subject, relation][0]
        return binding

    def behind(self, query, relation, datatype, sign, best, avoid):
        last = min(best.values(), key=lambda v: v * sign)
        timed = datatype in ("date", "gYear")
        far = last - sign * 60 if timed else last * (0.2 if sign > 0 else 3) + (0 if sign > 0 else 20)
        if timed and last < 2010:
            far = min(far, 2018)
        near = last - sign * 1.01 if timed else last
        self.distract(query, avoid, lambda: {query.order: self.values.draw(relation, datatype, *sorted((far, near)))})

    def yes(self, query):
        patterns, conditions = query.branches[0]
        self.fill(patterns, conditions, {}, set())

    def no(self, query):
        """What is asked about is known, and has the relation to something else where that does not make it true."""
        patterns, conditions = query.branches[0]
        if conditions:
            hold = any(c[0] == "unbound" for c in conditions)  # known not to be unbound
            self.fill(patterns, [] if hold else conditions, {}, set(), hold=False)
            return
        *others, (subject, relation, object_) = patterns
        binding = self.fill(others, [], {}, set(self.subjects[relation, object_])) if others else {}
        subject = binding.get(subject, subject)
        if not object_.startswith("?"):
            value = "?other"
            choice = self.candidates(value, [(subject, relation, value)], {object_, subject})
            self.add(subject, relation, choice[0])
            known = self.candidates("?s", [("?s", relation, object_)], {subject, object_, *binding.values()})
            self.add(known[0], relation, object_)  # and so is what it does not have
            return
        # it must not have the relation at all: others have, and it has what these others have
        known = [s for s, r, _ in self.facts if r == relation]
        if not known:
            known = [t for t in self.candidates("?s", [("?s", relation, "?o")], {subject, *binding.values()})[:3]]
            for thing in known:
                self.add(thing, relation, self.candidates("?o", [(thing, relation, "?o")], {thing})[0])
        if not any(subject in (f[0], f[2]) for f in self.facts):
            shared = sorted({r for s, r, o in self.facts if s in known and r not in (relation, TYPE) and is_thing(o)})
            for link in self.rng.sample(shared, min(2, len(shared))):
                self.add(subject, link, self.candidates("?o", [(subject, link, "?o")], {subject})[0])

    # -- all of them

    def background(self):
        """More facts of the relations there are, between things that stand where their things stand."""
        # what must stay as it is: things that are asked to lack a fact, and queries that take some of what they find
        kept = {t for q in self.queries if q.ask and not q.truth for t in self.constants(q)}
        kept |= {t for q in self.queries if q.limit and not q.order for t in self.constants(q)}
        ends = collections.defaultdict(lambda: ([], []))
        for subject, relation, object_ in self.facts:
            if relation != TYPE and (is_thing(object_) or "^^" in object_):
                ends[relation][0].append(subject)
                ends[relation][1].append(object_)
        relations = sorted(ends)
        added = 0
        for _ in range(40 * BACKGROUND):
            if added == BACKGROUND:
                break
            relation = min(self.rng.sample(relations, 3), key=lambda r: len(ends[r][0]))
            subject, object_ = (self.beside(self.rng.choice(ends[relation][end])) for end in (0, 1))
            # one fact of a relation for each thing: the questions keep few answers
            if subject in kept or object_ in kept or subject == object_ or self.objects[subject, relation]:
                continue
            if not is_thing(object_):
                if subject in self.reserved:
                    continue
                object_ = self.values.draw(relation, self.values.datatype(relation))
            self.add(subject, relation, object_)
            ends[relation][0].append(subject)
            ends[relation][1].append(object_)
            added += 1
        return added

    def beside(self, thing):
        """Something that stands in one of the places of a thing."""
        where = self.places_of.get(thing)
        return self.rng.choice(list(self.places[self.rng.choice(where)])) if where else thing

    def make(self):
        def steps(query):
            if query.ask:
                return (4, self.no) if not query.truth else (1, self.yes)
            if query.order:
                return 3, self.superlative
            if query.having:
                return 2, self.group
            plain = not any(held for _, held in query.branches)
            return (0 if plain and not query.counted else 1), self.find
        added = 0
        # the file's own values first, so that what is drawn agrees with them; the most last: of one country, of all, the second
        ordered = sorted(self.queries, key=lambda q: (q.offset, -len(self.constants(q))) if q.order else (0, 0))
        for step in range(5):
            for query in (q for q in ordered if steps(q)[0] == step):
                try:
                    steps(query)[1](query)
                except (ValueError, IndexError, StopIteration) as error:
                    print(f"{query.number}: not filled in: {error!r}", file=sys.stderr)
            facts = collections.Counter(r for _, r, _ in self.facts if r != TYPE)
            if step == 2 and statistics.median(facts.values()) < FACTS_PER_RELATION:
                added = self.background()
        return added
