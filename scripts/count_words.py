#!/usr/bin/env python3
"""Prints the section [common] of data/words/everyday.txt: words that English texts write in lower case.

Use: count_words.py TEXT... [--least 9]     texts with words between blanks, as WikiText-2 has them
A word counts where a third of its uses inside sentences is in lower case, so that names which are words too stay out.
"""
import argparse
import collections
import re
import textwrap


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--least", type=int, default=9)
    parser.add_argument("--without", default="data/words/everyday.txt", help="words of its section [function] stay out")
    options = parser.parse_args()
    function, inside = set(), False
    for line in open(options.without, encoding="utf-8"):
        if line.startswith("["):
            inside = line.startswith("[function]")
        elif inside:
            function.update(line.split())
    lower, capital = collections.Counter(), collections.Counter()
    for path in options.texts:
        for line in open(path, encoding="utf-8"):
            before = "."
            for word in re.findall(r"[A-Za-z]+|[.!?:\"]", line.replace("<unk>", " ")):
                if re.fullmatch("[a-z]{2,}", word):
                    lower[word] += 1
                elif re.fullmatch("[A-Z][a-z]+", word) and before not in '.!?:"':
                    capital[word.lower()] += 1
                before = word
    common = [w for w, n in sorted(lower.items(), key=lambda item: (-item[1], item[0]))
              if n >= options.least and n >= 0.35 * (n + capital[w]) and w not in function]
    print("\n".join(textwrap.wrap(" ".join(common), 118)))


if __name__ == "__main__":
    main()
