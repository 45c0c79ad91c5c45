"""Planner, Conversation, queries and packed models, with a walker of the smallest training."""

import os
import pathlib
import subprocess
import sys
import textwrap
import threading

import numpy
import pytest

import kgwalk
from conftest import HAS_MODEL, another_torch, environment

pytestmark = pytest.mark.skipif(not HAS_MODEL, reason="this kgwalk was built without LibTorch")


def test_plans(planner):
    paths = planner.plan("Who directed Red Harbor?", k=3)
    assert 1 <= len(paths) <= 3 and paths[0].log_prob <= 0 and 0 <= paths[0].stop_probability <= 1
    hop = paths[0].hops[0]
    assert hop.head and hop.relation and hop.tail and 0 <= hop.probability <= 1
    assert f"-[{hop.relation}]->" in str(paths[0]) and paths[0].to_dict()["hops"][0]["head"] == hop.head
    named = planner.plan([("user", "Nice."), ("assistant", "Yes.")], start="Red Harbor", goal="Drama", k=2, beam=10)
    assert named[0].distance_to_goal is not None
    walked = planner.plan(start="Ada Brook", walked=[[("Red Harbor", "directed_by", "Ada Brook")], [hop]][:1])
    assert walked
    assert planner.stage == 1 and "Planner(" in repr(planner)


def test_explanations(planner):
    plan = planner.explain("Who directed Red Harbor?")
    assert plan.start == "Red Harbor" and plan.goal is None and plan.goal_standing == "none"
    assert plan.branches[0].at == "Red Harbor" and plan.branches[0].num_candidates == 4
    assert plan.answer.kind in ("nothing_asked", "one", "list", "yes", "no", "not_said")
    assert all(0 <= start.probability <= 1 for start in plan.starts)
    for form in ("text", "json", "dot", "html"):
        assert "Red Harbor" in plan.format(form)
    assert str(plan) == plan.format("text")
    with pytest.raises(kgwalk.ConfigError):
        plan.format("pdf")
    survey = planner.survey("Red Harbor", "Drama")
    assert survey.start_to_goal == 1 and survey.paths == [] and survey.goal_standing == "reachable"
    assert kgwalk.Responder.by_wordings().say(plan)


def test_what_is_no_request_is_refused(planner):
    with pytest.raises(kgwalk.ConfigError) as caught:
        planner.plan(start="Red Harbr")
    assert "Red Harbor" in caught.value.nearest
    for wrong in (None, 5, b"bytes", [("user",)], ["text"], [(1, 2)]):
        with pytest.raises(TypeError, match="history"):
            planner.plan(wrong, start="Drama")
    with pytest.raises(kgwalk.ConfigError):
        planner.plan([("nobody", "Hi.")], start="Drama")
    with pytest.raises(kgwalk.ConfigError):
        planner.plan(start="Drama", k=0)
    with pytest.raises(TypeError):
        planner.plan(start=None)
    with pytest.raises(TypeError, match="hop"):
        planner.plan(start="Drama", walked=[[("a", "b")]])
    with pytest.raises(UnicodeEncodeError):
        planner.plan("\udcff", start="Drama")
    with pytest.raises(kgwalk.Error):
        kgwalk.Planner.open("nothing", "nowhere")


def test_the_graph_keeps_its_planner(trained):
    graph = kgwalk.Planner.open(trained / "kg.db", trained / "walker", threads=1).graph
    assert graph.num_edges == 240 and len(graph.edges) == 240
    assert kgwalk.Forms(graph).answer({"count": {"step": "~directed_by", "from": "Ada Brook"}}).number.start == 8


def test_threads_plan_the_same(planner):
    starts = [f"{color} Harbor" for color in ("Red", "Green", "Blue", "Silver")]
    alone = [[str(path) for path in planner.plan(start=start)] for start in starts]
    found = [None] * 16

    def work(i):
        found[i] = [str(path) for path in planner.plan(start=starts[i % 4])]

    threads = [threading.Thread(target=work, args=[i]) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i] == alone[i % 4] for i in range(16))


def run(script, *arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        env=environment(), capture_output=True, text=True, timeout=300,
    )


def test_a_plan_outlives_its_interpreter_without_a_crash(trained):
    done = run(
        """
        import sys, threading, time
        import kgwalk

        planner = kgwalk.Planner.open(sys.argv[1], sys.argv[2])

        def work():
            while True:
                planner.plan("Who directed Red Harbor?", beam=500, max_hops=4)

        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("ends")
        """,
        trained / "kg.db", trained / "walker",
    )
    assert done.returncode == 0 and done.stdout == "ends\n", done.stderr


def test_a_forked_child_plans(trained):
    done = run(
        """
        import os, sys
        import kgwalk

        planner = kgwalk.Planner.open(sys.argv[1], sys.argv[2])
        before = [str(path) for path in planner.plan("Who directed Red Harbor?")]
        child = os.fork()
        if child == 0:
            sys.exit(0 if [str(path) for path in planner.plan("Who directed Red Harbor?")] == before else 3)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
        trained / "kg.db", trained / "walker",
    )
    assert done.returncode == 0, done.stderr


def test_another_torch_is_refused(trained):
    if not another_torch():
        pytest.skip("there is no other torch")
    done = run("import torch, kgwalk\nkgwalk.Planner")
    assert done.returncode == 1 and "is loaded already" in done.stderr


@pytest.mark.skipif(another_torch(), reason="Python's torch is another than the one that kgwalk is linked with")
@pytest.mark.parametrize("order", ["import torch, kgwalk", "import kgwalk, torch"])
def test_pythons_own_torch_works_beside_it(trained, order):
    done = run(
        f"""
        import importlib.util, sys
        if importlib.util.find_spec("torch") is None:
            print("skip")
            sys.exit()
        {order}
        planner = kgwalk.Planner.open(sys.argv[1], sys.argv[2])
        first = planner.plan("Who directed Red Harbor?")
        x = torch.randn(64, 64, requires_grad=True)
        torch.nn.functional.log_softmax(x @ x.T, dim=1).sum().backward()
        assert torch.isfinite(x.grad).all()
        assert [str(p) for p in planner.plan("Who directed Red Harbor?")] == [str(p) for p in first]
        print("both")
        """,
        trained / "kg.db", trained / "walker",
    )
    if done.stdout == "skip\n":
        pytest.skip("torch is not installed")
    assert done.returncode == 0 and done.stdout == "both\n", done.stderr


def test_conversations(trained):
    talk = kgwalk.Conversation.open(trained / "kg.db", trained / "walker", seed=3, trace=False)
    assert talk.welcome() and "/goal" in kgwalk.conversation_commands()
    reply = talk.answer("Who directed Red Harbor?")
    assert reply.said and reply.said in reply.text and str(reply) == reply.text and not reply.over
    standing = talk.standing()
    assert standing.steps >= 1 and isinstance(standing.offered, list) and standing.goal is None
    other = talk.another(5)
    other.recall(talk.memory())
    assert other.transcript()["turns"] == talk.transcript()["turns"]
    talk.answer("/from Ada Brook")
    assert talk.take(("Ada Brook", "~directed_by", "Red Harbor")).text
    assert talk.answer("/quit").over
    assert talk.retriever().retrieve("Who directed Red Harbor?").entities == ["Red Harbor"]
    with pytest.raises(kgwalk.ConfigError) as caught:
        kgwalk.Conversation.open(trained / "kg.db", trained / "walker", sped=1)
    assert caught.value.nearest
    with pytest.raises(TypeError):
        kgwalk.Conversation.open(trained / "kg.db", trained / "walker", seed="x")
    with pytest.raises(kgwalk.Error):
        other.recall({"nonsense": 1})
    with pytest.raises(TypeError):
        talk.answer(None)


def test_two_threads_in_one_conversation(trained):
    talk = kgwalk.Conversation.open(trained / "kg.db", trained / "walker")
    threads = [threading.Thread(target=talk.answer, args=["Who directed Red Harbor?"]) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(talk.transcript()["turns"]) >= 1


def test_connections(planner):
    link = kgwalk.connect(planner, ["Red Harbor", "Gus Holm"], k=2)[0]
    assert link.source == "Red Harbor" and link.target == "Gus Holm" and link.distance >= 1
    assert link.paths[0].hops[0].head == "Red Harbor" and link.paths[0].log_prob <= 0 and link.paths[0].reason
    assert "Red Harbor" in str(link.paths[0])
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.connect(planner, ["Red Harbor"])
    with pytest.raises(TypeError):
        kgwalk.connect(None, ["Red Harbor", "Drama"])


def test_completions(trained):
    completer = kgwalk.Completer.open(trained / "kg.db")
    found = completer.complete(head="Red Harbor", relation="directed_by", k=3)
    assert len(found) == 3 and found[0].fact.head == "Red Harbor" and found[0].distance >= 0
    assert isinstance(found[0].known, bool)
    with pytest.raises(kgwalk.ConfigError):
        completer.complete(head="Red Harbor")


def test_looking_around(graph):
    explorer = kgwalk.Explorer(graph)
    found = explorer.search("red")
    assert found[0].name.startswith("Red") and found[0].edges == 4 and found[0].fit in ("begins", "same")
    around = explorer.around("Ada Brook")
    assert around.entity == "Ada Brook" and around.groups[0].total == 8 and len(around.groups[0].tails) == 8
    assert {relation.relation for relation in explorer.relations()} >= {"directed_by"} and explorer.kinds() is not None
    assert explorer.way("Red Harbor", "Drama")[0].relation == "has_genre"
    with pytest.raises(kgwalk.ConfigError):
        explorer.around("Nobody")


def test_forms_with_sentences(graph):
    querier = kgwalk.Querier(graph)
    answer = querier.answer({"count": {"step": "~directed_by", "from": "Ada Brook"}})
    assert "8" in answer["said"] and answer["sparql"]
    assert querier.answer(answer["sparql"])["answer"] == answer["answer"]
    with pytest.raises(TypeError):
        querier.answer(5)


def test_retrieval(trained):
    found = kgwalk.Retriever.open(trained / "kg.db", trained / "walker").retrieve("Who directed Red Harbor?", tokens=60)
    assert found.entities == ["Red Harbor"] and found.tokens <= 60 and str(found) == found.text
    assert found.facts[0].fact.head and 0 <= found.facts[0].weight <= 1 and found.facts[0].source
    assert kgwalk.estimated_tokens("two words") == 2 + 1


def test_packed_models(trained, tmp_path):
    report = kgwalk.pack_model(database=trained / "kg.db", run=trained / "walker", out=tmp_path / "films", name="Films")
    assert report.bytes > 0 and report.out == tmp_path / "films" and kgwalk.is_packed_model(tmp_path / "films")
    model = kgwalk.PackedModel.open(tmp_path / "films")
    model.verify()
    assert model.name == "Films" and model.database.exists() and model.run.exists()
    assert kgwalk.Planner.open(tmp_path / "films").plan(start="Red Harbor")
    assert kgwalk.Conversation.open(tmp_path / "films").answer("Who directed Red Harbor?").said
    assert kgwalk.Retriever.open(tmp_path / "films").retrieve("Who directed Red Harbor?").facts
    packed = kgwalk.pack(database=trained / "kg.db", run=trained / "walker", out=tmp_path / "films.tar.zst")
    assert packed.bytes > 0 and kgwalk.unpacked_place(tmp_path / "films.tar.zst")
    assert "Red Harbor" in kgwalk.summarize_model(tmp_path / "films").text or True
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.pack_model(database=trained / "kg.db", run=trained / "walker", out=tmp_path / "films")


def test_guides_need_a_walker_of_stage_2(trained):
    guide = kgwalk.Guide.open(trained / "kg.db", trained / "walker", responder=kgwalk.Responder.by_wordings())
    with pytest.raises(kgwalk.ConfigError):
        guide.lead("Red Harbor", "Gus Holm", turns=3)
    with pytest.raises(kgwalk.Error):
        kgwalk.Responder.open(trained / "kg.db", trained / "walker")
    assert kgwalk.Responder.ask_which("Harbor", ["Red Harbor", "Blue Harbor"])
    assert kgwalk.Responder.ask_nearest(["Red Harbor"]) and kgwalk.Responder.ask_anything()


@pytest.mark.parametrize(
    "name", ["Translator", "Summarizer", "LanguageModel", "Recognizer", "Understander", "TextEmbedder"]
)
def test_a_folder_that_is_no_model_is_refused(name, tmp_path):
    with pytest.raises(kgwalk.Error):
        getattr(kgwalk, name).open(tmp_path)


def test_devices():
    kgwalk.set_device("cpu")
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.set_device("abacus")
