"""What the exams of this folder share: how right answers are written, and how an exam becomes a file."""
import datetime
import json
import pathlib
import sys


def whole(value):
    """The ways in which a number is written in a sentence."""
    value = int(value) if float(value).is_integer() else value
    forms = {str(value), f"{value:,}", f"{value:,}".replace(",", " ")}
    if abs(value) >= 1e6:
        forms |= {f"{value / 1e6:.4g} million"}
    if not isinstance(value, int):
        forms |= {f"{value:.{digits}f}" for digits in (1, 2) if len(f"{value:.{digits}f}") > 3}
    return sorted(forms)


def day(text):
    """The ways in which a date (2002-08-14...) is written."""
    date = datetime.date.fromisoformat(text[:10])
    return [date.isoformat(), f"{date.day} {date:%B} {date.year}", f"{date:%B} {date.day}, {date.year}"]


class Exam:
    def __init__(self):
        self.conversations = []

    def talk(self, *turns):
        self.conversations.append(list(turns))

    def ask(self, kind, say, **right):
        self.talk(turn(kind, say, **right))


def turn(kind, say, **right):
    if isinstance(right.get("number"), float) and not right["number"].is_integer():
        right["any"] = whole(right.pop("number"))
    if "number" in right:
        right["number"] = int(right["number"])
    for key, value in right.items():
        if key in ("any", "all", "no"):
            right[key] = sorted(set(value))
            assert right[key] and all(isinstance(v, str) and v for v in right[key]), say
        assert value is not None, say
    return {"say": say, "kind": kind, **right}


def said_only(say):
    return {"say": say, "kind": None}


def only(values):
    values = set(values)
    assert len(values) == 1, values
    return values.pop()


def run(make, name):
    """Command line of an exam: FILE writes NAME.json beside it; --check tells whether that file is still right."""
    if len(sys.argv) < 2:
        sys.exit(f"Use: {name}.py FILE_OF_THE_GRAPH [--check]")
    exam = Exam()
    make(exam, sys.argv[1])
    text = json.dumps(exam.conversations, ensure_ascii=False, indent=1) + "\n"
    path = pathlib.Path(__file__).parent / f"{name}.json"
    if "--check" in sys.argv:
        sys.exit(None if path.read_text(encoding="utf-8") == text else f"{path} is not what the graph says")
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {sum(t['kind'] is not None for c in exam.conversations for t in c)} questions")
