"""Trainings and measures as functions."""

import threading

import pytest

import kgwalk
from conftest import HAS_MODEL

pytestmark = pytest.mark.skipif(not HAS_MODEL, reason="this kgwalk was built without LibTorch")


def test_what_may_be_set():
    assert "graph" in kgwalk.presets_of("train_walker")
    options = kgwalk.options_of("train_walker", "graph")
    assert any(option["name"] == "trainer.max_epochs" for option in options)
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.options_of("train_nothing")


def test_questions_are_measured(trained):
    seen = []
    measured = kgwalk.evaluate_questions(
        database=trained / "kg.db", run=trained / "walker", questions=trained / "questions.jsonl", progress=seen.append
    )
    row = measured.rows["all"]
    assert row.count > 0 and 0 <= row.first <= row.first3 <= 100 and measured.json and measured.text


def test_wrong_settings_tell_the_nearest(trained, tmp_path):
    given = {"database": trained / "kg.db", "run": tmp_path / "run", "preset": "graph"}
    with pytest.raises(kgwalk.ConfigError) as caught:
        kgwalk.train_walker(**given, settings={"traner": {"max_epochs": 1}})
    assert "trainer" in caught.value.nearest[0]
    with pytest.raises(kgwalk.ConfigError) as caught:
        kgwalk.train_walker(**given, settings={"trainer.max_epoch": 1})
    assert caught.value.nearest
    with pytest.raises(kgwalk.ConfigError) as caught:
        kgwalk.train_walker(**given, sede=1)
    assert caught.value.nearest == ["seed"]
    with pytest.raises(TypeError):
        kgwalk.train_walker(**given, settings=[1])


def test_a_walker_stops_and_goes_on(trained, tmp_path):
    given = {
        "database": trained / "kg.db",
        "run": tmp_path / "run",
        "preset": "graph",
        "questions": [{"name": "own", "file": trained / "questions.jsonl", "weight": 1.0}],
        "settings": {"trainer.max_epochs": 2},
    }
    with pytest.raises(kgwalk.Stopped):
        kgwalk.train_walker(**given, progress=lambda event: False if event.kind == "progress" else None)
    made = kgwalk.train_walker(**given)
    assert made.epochs == 2 and made.steps > 0 and made.run == tmp_path / "run" and made.best


def test_trainings_of_dialogues_tell_what_is_missing(trained, tmp_path):
    for train in (kgwalk.pretrain_text, kgwalk.train_simulator, kgwalk.train_responder):
        with pytest.raises(kgwalk.Error):
            train(database=trained / "kg.db", run=tmp_path / train.__name__)
    with pytest.raises(kgwalk.Error):
        kgwalk.train_stage2(database=trained / "kg.db", run=tmp_path / "stage2", stage1=tmp_path / "nothing")


def test_measures_tell_what_is_missing(trained, tmp_path):
    model = {"database": trained / "kg.db", "run": trained / "walker"}
    with pytest.raises(kgwalk.Error):
        kgwalk.evaluate_paths(**model, split="test")
    with pytest.raises(kgwalk.Error):
        kgwalk.evaluate_success(**model, distances=[0])
    with pytest.raises(kgwalk.Error):
        kgwalk.evaluate_routes(**model, split="dev")
    with pytest.raises(kgwalk.Error):
        kgwalk.evaluate_listener(
            database=trained / "kg.db", run=trained / "walker" / "listener", questions=tmp_path / "nothing"
        )
    with pytest.raises(kgwalk.Error):
        kgwalk.evaluate_conversations(**model, exam=tmp_path / "nothing")


def test_workflows_tell_their_steps_and_stop(facts_file, tmp_path):
    steps = []

    def on_step(step, result):
        steps.append((step.number, step.title, step.function, result is None))
        return len(steps) < 3

    with pytest.raises(kgwalk.Stopped):
        kgwalk.quickstart(triples=facts_file, folder=tmp_path / "films", on_step=on_step)
    assert steps[0][0] == 1 and steps[0][3] and not steps[1][3]

    def fail(step, result):
        raise KeyError(step.title)

    with pytest.raises(KeyError):
        kgwalk.quickstart(triples=facts_file, folder=tmp_path / "other", on_step=fail)


def test_demo_and_recipe_refuse_what_is_no_data(tmp_path):
    with pytest.raises(kgwalk.Error):
        kgwalk.opendialkg(data=tmp_path, folder=tmp_path / "recipe")
    with pytest.raises(kgwalk.Error):
        kgwalk.demo(data=tmp_path, folder=tmp_path / "demo")
