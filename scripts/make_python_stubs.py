#!/usr/bin/env python3
"""Makes the type stubs of the Python module from the built modules. Usage: make_python_stubs.py BUILD [--check]

BUILD is the build folder, build/release. Needs pybind11-stubgen, as scripts/check_python.sh has it. With --check nothing
is written, and the exit status is 1 where the stubs that are there differ.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "kgwalk"

HEADER = '''"""Made by scripts/make_python_stubs.py from the docstrings of the module."""

from __future__ import annotations

import os
import pathlib
import typing

import numpy
import numpy.typing
{imports}
Path = typing.Union[str, "os.PathLike[str]"]
{aliases}
'''
ALIASES = {
    "_graph": "Ids = typing.Union[typing.Sequence[int], numpy.typing.NDArray[typing.Any]]\n"
    "Form = typing.Union[Query, typing.Dict[str, typing.Any], str]\n"
    "OnProgress = typing.Union[typing.Callable[[ProgressEvent], object], bool, None]\n",
    "_model": "History = typing.Union[str, typing.Sequence[typing.Union[typing.Tuple[str, str], Utterance]]]\n"
    "Hop = typing.Union[NamedHop, PlannedHop, typing.Tuple[str, str, str]]\n"
    "OnStep = typing.Union[typing.Callable[[WorkflowStep, typing.Optional[WorkflowResult]], object], None]\n",
}
IMPORTS = {"_graph": "", "_model": "from ._graph import Form, InputOptions, KnowledgeGraph, OnProgress, StopFlag\n"}

COLUMN = "numpy.typing.NDArray[numpy.uint32]"
# What can be said more exactly than the module's own signatures do, in order.
SAID = [
    (r"\bkgwalk\._(graph|model)\.", ""),
    (r"\bnumpy\.ndarray\[(numpy\.\w+)\]", r"numpy.typing.NDArray[\1]"),
    (r"\bnumpy\.ndarray\[\.\.\.\]", "numpy.typing.NDArray[numpy.void]"),
    (r"\bnumpy\.ndarray\b", "numpy.typing.NDArray[typing.Any]"),
    (r"-> (list\[)?os\.PathLike\b", r"-> \1pathlib.Path"),
    (r"\bos\.PathLike\b(?!\[)", "Path"),
    (r"\blist\[str\[\d\]\]", "list[str]"),
    (r": ([A-Z]\w+) = None", r": \1 | None = None"),
    (r"progress: typing\.Any = None", "progress: OnProgress = None"),
    (r"on_step: typing\.Any = None", "on_step: OnStep = None"),
    (r" = (\[\]|\{\}|\(\))", " = ..."),
    (r": dict = ", ": dict[str, typing.Any] = "),
    (r"-> (list|dict|tuple):", lambda m: "-> " + {"list": "list[typing.Any]", "dict": "dict[str, typing.Any]", "tuple": "tuple[typing.Any, ...]"}[m[1]] + ":"),
    (r"\*args\b", "*args: typing.Any"),
    (r"\*\*kwargs\b", "**kwargs: typing.Any"),
    (r"(def (?:answer|words|form|sparql|evidence|query)\(self, query): typing\.Any", r"\1: Form"),
    (r"(def distances\(self), a: typing\.Any, b: typing\.Any", r"\1, a: Ids, b: Ids"),
    (r"\b(goals|sources): typing\.Any", r"\1: Ids"),
    (r"\b(triples|add|remove): typing\.Any\b", r"\1: Path | typing.Sequence[Path] | None"),
    (r"\boperations: typing\.Any", "operations: dict[str, typing.Any] | typing.Sequence[dict[str, typing.Any]]"),
    (r"triples: typing\.Iterable\b", "triples: typing.Iterable[typing.Tuple[str, ...]]"),
    (r"def facts\(self, .*", f"def facts(self, inverses: bool = False) -> tuple[{COLUMN}, {COLUMN}, {COLUMN}]:"),
    (r"def to_edges\(self.*", "def to_edges(self, inverses: bool = False) -> typing.Iterator[tuple[str, str, str]]:"),
    (r"def to_scipy\(self.*", "def to_scipy(self, relation: int | str | None = None) -> typing.Any:"),
    (r"def (to_networkx|to_pandas)\(self.*", r"def \1(self, inverses: bool = False) -> typing.Any:"),
    (r"def (entity_names|relation_names)\(self\).*", r"def \1(self) -> list[str]:"),
    (r"def __enter__\(self\) -> typing\.Any", "def __enter__(self) -> Store"),
    (r"def __eq__\(self, arg0: \w+\)", "def __eq__(self, other: object)"),
]


def sequences(line):
    """Lists that are taken may be other sequences; lists that are given are lists."""
    arguments, arrow, result = line.rpartition(") ->")
    return arguments.replace("list[", "typing.Sequence[") + arrow + result if "def " in line else line


def generated(build, name):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pybind11_stubgen", f"kgwalk.{name}", "-o", folder, "--ignore-all-errors"],
            env={**os.environ, "PYTHONPATH": str(build / "python")}, check=True, capture_output=True,
        )  # fmt: skip
        text = next(pathlib.Path(folder).rglob(f"{name}.pyi")).read_text(encoding="utf-8")
    body = re.sub(r".*^__all__: .*?\]\n", "", text, count=1, flags=re.DOTALL | re.MULTILINE)
    body = re.sub(r"^    (__match_args__|__hash__): .*\n", "", body, flags=re.MULTILINE)
    body = re.sub(r"^def _\w+\(.*\n    \.\.\.\n", "", body, flags=re.MULTILINE)
    for pattern, said in SAID:
        body = re.sub(pattern, said, body)
    body = "\n".join(sequences(line) for line in body.split("\n"))
    return HEADER.format(imports=IMPORTS[name], aliases=ALIASES[name]) + body


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    differs = False
    for name in ("_graph", "_model"):
        path, text = PACKAGE / f"{name}.pyi", generated(build, name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            print(f"{path}: is not what the module has; run scripts/make_python_stubs.py")
            differs = True
    return differs


if __name__ == "__main__":
    sys.exit(main())
