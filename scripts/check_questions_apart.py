#!/usr/bin/env python3
"""Proves that data/questions_apart.txt is apart: none of its wordings has four words in a row with what is learned from.

Use: check_questions_apart.py [FILE]
  FILE   another file of wordings in the format of data/questions/bank.txt (data/questions_apart.txt)
Compared with data/questions/bank.txt and with asked.txt and unsaid.txt of data/words; with the questions of measures.txt and the phrases
of families.txt there; and with
the templates in listening/questions, where a variable stands for one to three words of data/words. An entity counts as a word.
A wording of fewer than four words may not stand in the bank as a whole. Ends with 1 and tells the places if any is shared."""
import itertools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANY = "*"  # in a template: a word of data/words


def words(text):
    text = re.sub(r"\{(x's|y's)\}", " {x} 's ", text.lower())
    text = re.sub(r"\{\w+\}", " {x} ", text)
    return re.findall(r"\{x\}|\*|'s|[a-z0-9]+(?:'[a-z]+)?", text)


def windows(sequence):
    return {tuple(sequence[i:i + 4]) for i in range(len(sequence) - 3)}


def wordings(path):
    """Line number and words of each wording."""
    phrases = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("["):
            phrases = line.startswith("[:")
        elif line.strip() and not line.startswith(("#", "=")):
            text = line if phrases else re.sub(r"^[<>][*?@]?", "", line)
            yield number, line, words(text.replace("{p}", ANY).replace("{s}", "{x}"))


def relation_phrases():
    """What data/words has to say for nouns, verbs and comparatives, and its questions."""
    spoken, asked = [], []
    for name in ("families.txt", "measures.txt"):
        for line in (ROOT / "data/words" / name).read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            for field in line.split(" | ")[2:]:
                key, _, values = field.partition("=")
                if key.strip() == "w":  # single words, which make no wording
                    continue
                for value in values.split(","):
                    (asked if key.strip() == "ask" else spoken).extend(re.split(r"[|~]", value))
    return spoken, asked


def templates():
    """Concatenations of text and variables in the sources that make questions, as words."""
    piece = re.compile(r'"((?:[^"\\]|\\.)*)"|(owner_of\(\w+\))|([a-zA-Z_][\w.]*(?:\([^()]*\))?)')
    for path in sorted((ROOT / "listening/questions").glob("*.cc")):
        source = re.sub(r"//.*|#include.*", "", path.read_text(encoding="utf-8"))
        expression = rf"(?:{piece.pattern})(?:\s*\+\s*(?:{piece.pattern}))*"
        for match in re.finditer(expression, source):
            if '"' not in match.group():
                continue
            text = ""
            for literal, owner, variable in piece.findall(match.group()):
                if owner:
                    text += "{x's}"
                elif variable:
                    text += "{x}" if variable in ("x", "y", "v") else f" {ANY} "
                else:
                    text += literal
            yield words(text)


def spread(template):
    """A template with each variable as one to three words; long ones by parts, since only four words in a row count."""
    places = [i for i, w in enumerate(template) if w == ANY]
    if len(places) > 3:
        half = places[2]
        yield from spread(template[:half + 1])
        yield from spread(template[places[1]:])
        return
    for counts in itertools.product((1, 2, 3), repeat=len(places)):
        lengths = dict(zip(places, counts))
        yield [w for i, word in enumerate(template) for w in [word] * lengths.get(i, 1)]


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "data/questions_apart.txt"
    learned = ("data/questions/bank.txt", "data/words/asked.txt", "data/words/unsaid.txt")
    bank = [w for file in learned for _, _, w in wordings(ROOT / file)]
    spoken, asked = relation_phrases()
    exact = set().union(*(windows(w) for w in bank + [words(a) for a in asked] + [words(s) for s in spoken]))
    # A window that is all variables says nothing; phrases of data/words are compared as they stand, above.
    made = {w for t in templates() for s in spread(t) for w in windows(s) if any(x not in (ANY, "{x}") for x in w)}
    fillers = {w for s in spoken for w in words(s)} - {"{x}", "the", "a", "an", "is"}
    short = {tuple(w) for w in bank if len(w) < 4}
    shared = count = 0
    for number, line, said in wordings(path):
        count += 1
        for window in sorted(windows(said)):
            covers = itertools.product(*[(w, ANY) if w in fillers else (w,) for w in window])
            source = "the bank" if window in exact else "templates" if any(c in made for c in covers) else None
            if source:
                shared += 1
                print(f"{path.name}:{number}: '{' '.join(window)}' is in {source}: {line}")
        if tuple(said) in short:
            shared += 1
            print(f"{path.name}:{number}: the bank has it: {line}")
    print(f"{count} wordings, {shared} runs shared")
    sys.exit(1 if shared or not count else 0)


main()
