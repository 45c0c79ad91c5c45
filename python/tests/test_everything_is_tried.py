"""The list of what is public is made from the module itself: each name stands in a test."""

import inspect
import pathlib
import re

import kgwalk
from conftest import HAS_MODEL

TESTS = "".join(path.read_text(encoding="utf-8") for path in pathlib.Path(__file__).parent.glob("*.py"))
# Need models that no test here trains: the command line trains and tries them (docs/guides/python.md).
WITHOUT_A_MODEL = {
    "continue_line", "embed", "finish", "hear", "heard_s", "max_tokens", "perplexity", "rate", "settled_s", "stream",
    "summarize", "transcribe", "transcribe_bytes", "transcribe_file", "translate", "understand", "labels", "width", "text",
}  # fmt: skip


def public_names():
    for name in kgwalk.__all__:
        if not HAS_MODEL and name in kgwalk._MODEL_NAMES:
            continue
        yield name, getattr(kgwalk, name)


def is_record(value):
    return inspect.isclass(value) and hasattr(value, "__match_args__")


def test_all_that_is_promised_is_there():
    if not HAS_MODEL:
        return
    from kgwalk import _model

    there = {name for name in vars(_model) if not name.startswith("_")}
    assert there == set(kgwalk._MODEL_NAMES)


def test_everything_has_a_docstring():
    for name, value in public_names():
        if inspect.isclass(value) or callable(value):
            assert value.__doc__, name
        if inspect.isclass(value) and not issubclass(value, Exception):
            for member, attribute in vars(value).items():
                if not member.startswith("_"):
                    assert attribute.__doc__, f"{name}.{member}"


def test_everything_is_tried():
    missing = []
    for name, value in public_names():
        if inspect.isclass(value):
            if is_record(value):  # what others return
                continue
            members = [member for member in vars(value) if not member.startswith("_")]
            missing += [
                f"{name}.{member}"
                for member in members
                if member not in WITHOUT_A_MODEL and not re.search(rf"\b{member}\b", TESTS)
            ]
        elif callable(value) and not re.search(rf"kgwalk\.{name}\b", TESTS):
            missing.append(name)
    assert not missing
