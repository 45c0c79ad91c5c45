"""A small world of films, and what is made of it once for all tests."""

import importlib.metadata
import itertools
import os
import pathlib

import pytest

import kgwalk

# Tests of more than a second or two.
MODEL = pathlib.Path(kgwalk.__file__).parent.glob("_model*.so")
HAS_MODEL = any(True for _ in MODEL)


def film_facts():
    """30 films with a director, an actor, a genre and a year each."""
    colors = ["Red", "Green", "Blue", "Silver", "Golden", "Black"]
    places = ["Harbor", "Mountain", "River", "Garden", "Tower"]
    people = ["Ada Brook", "Ben Carver", "Cora Dale", "Dan Ember", "Eva Frost", "Finn Grove", "Gus Holm"]
    genres = ["Drama", "Comedy", "Thriller"]
    for i, (color, place) in enumerate(itertools.product(colors, places)):
        film = f"{color} {place}"
        yield film, "directed_by", people[i % 4]
        yield film, "starred_actors", people[3 + i % 4]
        yield film, "has_genre", genres[i % 3]
        yield film, "release_year", str(1990 + i)


def write_facts(path):
    path.write_text("".join("\t".join(fact) + "\n" for fact in film_facts()), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def graph():
    return kgwalk.KnowledgeGraph.from_triples(film_facts())


@pytest.fixture(scope="session")
def facts_file(tmp_path_factory):
    return write_facts(tmp_path_factory.mktemp("facts") / "facts.txt")


@pytest.fixture
def database(tmp_path, facts_file):
    """A database that the test may change."""
    kgwalk.ingest(tmp_path / "kg.db", facts_file)
    return tmp_path / "kg.db"


@pytest.fixture(scope="session")
def trained(tmp_path_factory, facts_file):
    """A folder with a database, its tables, and a walker with a listener, all trained as briefly as can be."""
    if not HAS_MODEL:
        pytest.skip("this kgwalk was built without LibTorch")
    at = tmp_path_factory.mktemp("trained")
    kgwalk.ingest(at / "kg.db", facts_file)
    kgwalk.compute_distances(database=at / "kg.db", index=True, rank=8)
    kgwalk.embed(database=at / "kg.db", settings={"dim": 8, "epochs": 2})
    kgwalk.make_questions(database=at / "kg.db", out=at / "questions.jsonl", count=300)
    kgwalk.train_walker(
        database=at / "kg.db",
        run=at / "walker",
        preset="graph",
        questions=at / "questions.jsonl",
        settings={"trainer.max_epochs": 1},
    )
    kgwalk.train_listener(
        database=at / "kg.db", run=at / "walker" / "listener", made=400, settings={"listening.trainer.max_epochs": 2}
    )
    return at


@pytest.fixture(scope="session")
def planner(trained):
    return kgwalk.Planner.open(trained / "kg.db", trained / "walker")


def environment():
    """For a Python process of its own that imports the same kgwalk."""
    paths = [str(pathlib.Path(kgwalk.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def another_torch():
    """Whether Python's torch is another than the one this kgwalk is linked with."""
    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return False
    ours = kgwalk._graph._shared_torch
    return bool(ours) and version.split(".")[:2] != ours.split(".")[:2]
