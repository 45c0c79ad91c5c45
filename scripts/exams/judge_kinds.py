#!/usr/bin/env python3
"""Tells how often the kind of a question was heard, and how often its answer was right, by the kinds of QALD.

Use: judge_kinds.py HEARD.jsonl
  a line a question: {"question", "kind", "form", "right"}; form as docs/reference/forms.md has it, null where nothing
  was heard
The last lines are the shares over all questions, with 95 % Wilson intervals, and the means over the kinds."""
import collections
import json
import math
import sys

KINDS = ("find", "superlative", "yes or no", "compare", "union", "count")
# Keys under which sets stand. Others hold names and values: an entity may be called "first".
OF_SETS = ("find", "count", "of", "which", "whether", "difference", "check", "members", "relations", "from", "and",
           "or", "but", "first", "last", "among")


def sets_within(part):
    """A form or set and all the sets in it."""
    if isinstance(part, list):
        for each in part:
            yield from sets_within(each)
    elif isinstance(part, dict):
        yield part
        for key in OF_SETS:
            if key in part:
                yield from sets_within(part[key])


def kind_of(form):
    """The kind as QALD's are told from SPARQL: what is asked for decides first, then what is in the sets."""
    if form is None:
        return None
    if "check" in form or "whether" in form:
        return "yes or no"
    if "count" in form:
        return "count"
    held = set().union(*(part.keys() for part in sets_within(form)))
    if held & {"first", "last", "which"}:
        return "superlative"
    if held & {"where", "where_count", "but"}:
        return "compare"
    return "union" if "or" in held else "find"


def interval(hits, count):
    """Wilson's, of 95 %, as shares of 100."""
    if not count:
        return 0.0, 0.0
    z, share = 1.959964, hits / count
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return tuple(max(0.0, min(100.0, 100 * (middle + sign * half) / (1 + z * z / count))) for sign in (-1, 1))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    asked, heard, right = collections.Counter(), collections.Counter(), collections.Counter()
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            item = json.loads(line)
            kind = item["kind"]
            asked[kind] += 1
            heard[kind] += kind_of(item["form"]) == kind
            right[kind] += bool(item["right"])
    if not asked:
        sys.exit(f"{sys.argv[1]}: no questions")
    print(f"{'kind':14}{'questions':>10}{'kind heard':>12}{'right':>9}")
    for kind in [k for k in KINDS if k in asked] + sorted(set(asked) - set(KINDS)):
        shares = (100 * counts[kind] / asked[kind] for counts in (heard, right))
        print(f"{kind:14}{asked[kind]:10}{next(shares):10.1f} %{next(shares):7.1f} %")
    total = sum(asked.values())
    for name, counts in (("kind heard", heard), ("answer right", right)):
        hits = sum(counts.values())
        low, high = interval(hits, total)
        mean = sum(100 * counts[kind] / asked[kind] for kind in asked) / len(asked)
        print(f"{name}: {100 * hits / total:.1f} % of {total} (95 %: {low:.1f} to {high:.1f}), {mean:.1f} % over kinds")


if __name__ == "__main__":
    main()
