#!/usr/bin/env python3
"""The whole chain from what is typed to what is said: asks `kgwalk chat` direct questions, no start given, and reads its sentences.

Usage: scripts/check_chain.py QUESTIONS NAMES DIALOGUES [--count N] [--out FILE] -- COMMAND...

QUESTIONS   questions with one answer each, of `kgwalk questions --set single_answer=true`
NAMES       names of all entities of the graph, one a line, a name first in its line where there are columns
DIALOGUES   a text in which everyday words stand in lower case; a name that is such words is neither counted nor a mistake
COMMAND     what talks, such as: kgwalk chat --db kg.db --run runs/listening

A sentence is right when it names the answer and no other entity that neither the question nor the answer names. Nothing here is
shared with the program's own check of names. Needs python3 alone."""
import argparse
import json
import re
import statistics
import subprocess
import sys
import time

WORD = re.compile(r"\w+|[^\w\s]", re.UNICODE)


def words(text):
    return tuple(WORD.findall(text))


def is_inside(inner, outer):
    return any(outer[i : i + len(inner)] == inner for i in range(len(outer) - len(inner) + 1))


class Names:
    """Finds the longest names in a text, as they are spelled."""

    def __init__(self, names, everyday):
        self.known = {words(name): name for name in names if name.strip()}
        self.longest = max(map(len, self.known))
        self.everyday = everyday

    def of(self, text):
        said, found, at = words(text), [], 0
        while at < len(said):
            for length in range(min(self.longest, len(said) - at), 0, -1):
                name = said[at : at + length]
                if name in self.known:
                    found.append(name)
                    at += length
                    break
            else:
                at += 1
        return [name for name in found if not self.is_everyday(name)]

    def is_everyday(self, name):
        return tuple(word.lower() for word in name) in self.everyday


def everyday_words(file, longest=3):
    """Runs of words that stand in lower case in a text."""
    runs = set()
    with open(file, encoding="utf-8", errors="replace") as text:
        for line in text:
            said = words(line)
            for length in range(1, longest + 1):
                for i in range(len(said) - length + 1):
                    run = said[i : i + length]
                    if all(word == word.lower() for word in run):
                        runs.add(run)
    return runs


class Chat:
    """One conversation; each question is taken back after its answer."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def turn(self, line):
        self.process.stdin.write(line + "\n/where\n")
        self.process.stdin.flush()
        lines = []
        while True:
            read = self.process.stdout.readline()
            if not read:
                sys.exit("check_chain.py: the conversation ended early")
            if read.startswith("> /where"):
                self.process.stdout.readline()  # its answer
                return lines
            lines.append(read.rstrip("\n"))

    def ask(self, turns):
        for line in turns[:-1]:
            self.turn(line)
        begin = time.perf_counter()
        lines = self.turn(turns[-1])
        took = time.perf_counter() - begin
        for _ in turns:
            self.turn("/undo")
        said = [line[len("assistant: ") :] for line in lines if line.startswith("assistant: ")]
        return (said[-1] if said else ""), took


def main():
    arguments = sys.argv[1:]
    if "--" not in arguments:
        sys.exit(__doc__)
    split = arguments.index("--")
    parser = argparse.ArgumentParser()
    for name in ("questions", "names", "dialogues"):
        parser.add_argument(name)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--out")
    options = parser.parse_args(arguments[:split])
    with open(options.names, encoding="utf-8") as file:
        names = [line.rstrip("\n").split("\t")[0] for line in file]
    checker = Names(names, everyday_words(options.dialogues))
    with open(options.questions, encoding="utf-8") as file:
        questions = [json.loads(line) for line in file][: options.count]
    chat = Chat(arguments[split + 1 :])
    named = wrong = right = 0
    times, rows = [], []
    for question in questions:
        said, took = chat.ask(question["turns"])
        allowed = [words(name) for name in question["answers"] + [question["start"]] + question["turns"]]
        others = [n for n in checker.of(said) if not any(is_inside(n, name) for name in allowed)]
        has = any(is_inside(words(answer), words(said)) for answer in question["answers"])
        named += has
        wrong += bool(others)
        right += has and not others
        times.append(1000 * took)
        rows.append({**question, "said": said, "names it": has, "others": [" ".join(n) for n in others], "ms": round(1000 * took, 1)})
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    times.sort()
    share = lambda count: f"{100 * count / len(questions):.1f} %"
    print(f"{len(questions)} questions: {share(named)} of the sentences name the answer, {share(wrong)} another entity, "
          f"{share(right)} the answer and no other")
    print(f"a turn takes {statistics.median(times):.1f} ms (median), {times[int(0.99 * (len(times) - 1))]:.1f} ms (99 %)")


main()
