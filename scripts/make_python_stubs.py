#!/usr/bin/env python3
"""Makes the type stubs of the Python module from the built modules. Usage: make_python_stubs.py BUILD [--check]

BUILD is the build folder, build/release. Needs pybind11-stubgen, as scripts/check_python.sh has it. With --check nothing
is written, and the exit status is 1 where the stubs that are there differ.
"""

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
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, Union

import numpy
import numpy.typing
{imports}
Path = Union[str, "os.PathLike[str]"]
{aliases}
'''
ALIASES = {
    "_graph": "Ids = Union[Sequence[int], numpy.typing.NDArray[Any]]\n"
    "Form = Union[Query, Dict[str, Any], str]\n"
    "OnProgress = Union[Callable[[ProgressEvent], object], bool, None]\n",
    "_model": "Spoken = Union[str, Sequence[Union[Tuple[str, str], Utterance]]]\n"
    "Hop = Union[NamedHop, PlannedHop, Tuple[str, str, str]]\n",
}
IMPORTS = {
    "_graph": "",
    "_model": "from ._graph import InputOptions, KnowledgeGraph, OnProgress, StopFlag\n",
}

# What is said more exactly than the module's own signatures do, in order.
SAID = [
    (r"\bkgwalk\._(graph|model)\.", ""),
    (r"\btyping\.", ""),
    (r"\bcollections\.abc\.", ""),
    (r"\bnumpy\.ndarray\[(numpy\.\w+)\]", r"numpy.typing.NDArray[\1]"),
    (r"\bnumpy\.ndarray\[[^\]]*\]", "numpy.typing.NDArray[numpy.void]"),
    (r"-> numpy\.ndarray:", "-> numpy.typing.NDArray[Any]:"),
    (r": numpy\.ndarray\b", ": numpy.typing.NDArray[Any]"),
    (r"numpy\.typing\.NDArray\[EdgeT?\]", "numpy.typing.NDArray[numpy.void]"),
    (r"-> (List\[|Optional\[)?(os\.PathLike|pathlib\.Path)\b(?!\[)", r"-> \1pathlib.Path"),
    (r"(?<!Union\[str, )\bos\.PathLike\b(?!\[)", "Path"),
    (r"\bList\[Path\]( = )", r"Sequence[Path]\1"),
    (r"progress: object = None", "progress: OnProgress = None"),
    (r"\bstop: StopFlag = None", "stop: Optional[StopFlag] = None"),
    (r"(\w+): ([A-Z][\w.]*(?:\[[^=]*\])?) = None", r"\1: Optional[\2] = None"),
    (r"Optional\[Optional\[(.*?)\]\] = None", r"Optional[\1] = None"),
    (r"\bsources: object", "sources: Ids"),
    (r"def (distances)\(self, a: object, b: object\)", r"def \1(self, a: Ids, b: Ids)"),
    (r"def (answer|words|form|sparql|evidence|query)\(self, query: object", r"def \1(self, query: Form"),
    (r"before: List\[List\[int\]\] = \[\]", "before: Sequence[Sequence[int]] = ..."),
    (r"(database|mapping|text|run|language|simulator): (?:Path) = ''", r"\1: Path = ''"),
    (r"\bHistory\b( = \(\))?", lambda m: "Spoken" + (" = ..." if m.group(1) else "")),
    (r"walked: List\[List\[Hop\]\] = \(\)", "walked: Sequence[Sequence[Hop]] = ..."),
    (r"\b(triples|add|remove): object", r"\1: Union[Path, Sequence[Path], None]"),
    (r"on_step: object = None", "on_step: Optional[Callable[[WorkflowStep, Optional[WorkflowResult]], object]] = None"),
    (r"triples: Iterable\b(?!\[)", "triples: Iterable[Tuple[str, str, str]]"),
    (r"-> (tuple|list|dict)(?=:)", lambda m: {"tuple": "-> Tuple[Any, ...]", "list": "-> List[Any]", "dict": "-> Dict[str, Any]"}[m.group(1)]),
    (r": (dict) = \{\}", ": Dict[str, Any] = ..."),
    (r"(names|entities|lines|dialogues|texts|say|ask|entities|extra_entities|files): List\[(str|Path)\]", r"\1: Sequence[\2]"),
    (r"pairs: List\[Tuple\[str, str\]\]", "pairs: Sequence[Tuple[str, str]]"),
    (r"operations: object", "operations: Union[Dict[str, Any], Sequence[Dict[str, Any]]]"),
    (r"def facts\(self, \*args, \*\*kwargs\) -> (Any|object):", "def facts(self, inverses: bool = False) -> Tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]:"),
    (r"def to_edges\(self, \*args, \*\*kwargs\) -> (Any|object):", "def to_edges(self, inverses: bool = False) -> Iterator[Tuple[str, str, str]]:"),
    (r"def to_scipy\(self, \*args, \*\*kwargs\) -> (Any|object):", "def to_scipy(self, relation: Union[int, str, None] = None) -> Any:"),
    (r"def (to_networkx|to_pandas)\(self, \*args, \*\*kwargs\) -> (Any|object):", r"def \1(self, inverses: bool = False) -> Any:"),
    (r"\*\*kwargs\b", "**kwargs: Any"),
    (r"\*args\b(?!:)", "*args: Any"),
    (r"def __enter__\(self: object\) -> object:", "def __enter__(self) -> Store:"),
    (r"def __eq__\(self, arg0: \w+\) -> bool:", "def __eq__(self, other: object) -> bool:"),
    (r"\bself: object\b", "self"),
    (r"def to_dict\(self\) -> Dict\[str, Any\]:", "def to_dict(self) -> Dict[str, Any]:"),
    (r"def __repr__\(self\) -> \w+:", "def __repr__(self) -> str:"),
]


def generated(build, name):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pybind11_stubgen", f"kgwalk.{name}", "-o", folder, "--ignore-all-errors",
             "--numpy-array-wrap-with-annotated"][:6],
            env={"PYTHONPATH": str(build / "python"), "PATH": "/usr/bin:/bin"}, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        text = next(pathlib.Path(folder).rglob(f"{name}.pyi")).read_text(encoding="utf-8")
    body = text[text.index("__all__") :]
    body = re.sub(r"^    __match_args__: .*\n", "", body, flags=re.MULTILINE)
    body = re.sub(r"__all__: .*?\n(?=\S)", "", body, count=1, flags=re.DOTALL)
    for pattern, said in SAID:
        body = re.sub(pattern, said, body)
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
