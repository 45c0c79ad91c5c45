"""Each example runs and tells what it says; those whose packages are not there are skipped by name."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from conftest import another_torch, environment

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def run(name, *arguments, needs=()):
    for package in needs:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{name} needs {package}, which is not installed")
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *map(str, arguments)],
        env={**environment(), "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")},
        capture_output=True, text=True, timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_tried():
    tried = pathlib.Path(__file__).read_text(encoding="utf-8")
    assert all(path.name in tried for path in EXAMPLES.glob("*.py"))


def test_table_to_answers():
    told = run("table_to_answers.py", needs=["pandas"])
    assert "Memento" in told and "Tenet" in told and told.count("Christopher Nolan") >= 3


def test_plan_in_five_lines(trained):
    told = run("plan_in_five_lines.py", trained / "kg.db", trained / "walker", "Who directed Red Harbor?")
    assert "Red Harbor" in told and "log p" in told


def test_batches(trained):
    assert run("batches.py", trained / "kg.db", trained / "walker").count("-[") >= 30


def test_evaluation_table(trained):
    told = run("evaluation_table.py", trained / "kg.db", trained / "walker", trained / "questions.jsonl")
    assert "all" in told and "%" in told


def test_embeddings_plot(trained, tmp_path):
    shutil.copytree(trained / "kg.db", tmp_path / "kg.db")
    run("embeddings_plot.py", tmp_path / "kg.db", tmp_path / "films.png", needs=["matplotlib", "numpy"])
    assert (tmp_path / "films.png").stat().st_size > 1000


def test_graph_rag(trained):
    told = run("graph_rag.py", trained / "kg.db", trained / "walker", trained / "questions.jsonl", 40)
    assert "walks from what is named" in told


def test_langchain_retriever(trained):
    told = run(
        "langchain_retriever.py", trained / "kg.db", trained / "walker", "Who directed Red Harbor?", needs=["langchain_core"]
    )
    assert "Red Harbor | directed_by | Ada Brook" in told


def test_llamaindex_retriever(trained):
    told = run(
        "llamaindex_retriever.py", trained / "kg.db", trained / "walker", "Who directed Red Harbor?", needs=["llama_index"]
    )
    assert "Red Harbor | directed_by | Ada Brook" in told


@pytest.mark.skipif(another_torch(), reason="Python's torch is another than the one that kgwalk is linked with")
def test_walker_in_pytorch(trained):
    assert "steps, loss" in run("walker_in_pytorch.py", trained / "kg.db", trained / "walker", 8, needs=["torch"])
