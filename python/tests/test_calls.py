"""Long calls, threads, forks, and an interpreter that ends in the midst of one."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import kgwalk
from conftest import environment


def train_long(database, **options):
    with kgwalk.Store.open(database, write=True) as store:
        kgwalk.embed_graph(store, embedding={"dim": 64, "epochs": 1_000_000}, **options)


def test_a_callback_stops_the_work(database):
    with pytest.raises(kgwalk.Stopped):
        train_long(database, progress=lambda event: False if event.kind == "progress" else None)


def test_an_error_of_a_callback_comes_out(database):
    def fail(event):
        raise KeyError(event.kind)

    with pytest.raises(KeyError):
        train_long(database, progress=fail)
    with pytest.raises(TypeError, match="progress"):
        train_long(database, progress=5)


def test_a_flag_stops_the_work_and_a_run_keeps_it(database, tmp_path):
    stop = kgwalk.StopFlag()
    threading.Timer(0.3, stop.request).start()
    with pytest.raises(kgwalk.Interrupted):
        train_long(database, run=tmp_path / "run", stop=stop)
    assert stop.requested and (tmp_path / "run").exists()


def test_a_signal_stops_the_work_and_is_the_error(database, tmp_path):
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        train_long(database, run=tmp_path / "run")
    assert isinstance(caught.value.__cause__, kgwalk.Interrupted)


def test_other_threads_run_meanwhile(database):
    stop = kgwalk.StopFlag()
    counted = []

    def count():
        for i in range(20):
            time.sleep(0.01)
            counted.append(i)
        stop.request()

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(kgwalk.Stopped):
        train_long(database, stop=stop)
    thread.join()
    assert len(counted) == 20


def test_work_in_another_thread_stops_too(database):
    errors = []

    def work():
        try:
            train_long(database, stop=stop)
        except kgwalk.Stopped as error:
            errors.append(error)

    stop = kgwalk.StopFlag()
    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    stop.request()
    thread.join(timeout=60)
    assert not thread.is_alive() and len(errors) == 1


def run(script, *arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        env=environment(), capture_output=True, text=True, timeout=120,
    )


def test_an_interpreter_that_ends_meanwhile_does_not_crash(database):
    done = run(
        """
        import sys, threading, time
        import kgwalk

        def train():
            with kgwalk.Store.open(sys.argv[1], write=True) as store:
                kgwalk.embed_graph(store, embedding={"dim": 64, "epochs": 1_000_000}, progress=lambda event: None)

        def ask():
            graph = kgwalk.KnowledgeGraph.from_triples([(f"e{i}", "to", f"e{i // 2}") for i in range(3000)])
            while True:
                kgwalk.distance_rows(graph, range(64))

        for work in (train, ask, ask):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("ends")
        """,
        database,
    )
    assert done.returncode == 0 and done.stdout == "ends\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_computes(database):
    done = run(
        """
        import os, sys
        import kgwalk

        store = kgwalk.Store.open(sys.argv[1], write=True)
        graph = store.load_graph()
        kgwalk.set_num_threads(2)
        before = kgwalk.distance_rows(graph, range(40))
        child = os.fork()
        if child == 0:
            same = (kgwalk.distance_rows(graph, range(40)) == before).all()
            index = kgwalk.DistanceIndex.build(graph)
            try:
                store.table_names()
            except kgwalk.StoreError as error:
                same = same and "fork" in str(error)
            sys.exit(0 if same and kgwalk.num_threads() == 1 and index.distance(0, 0) == 0 else 3)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
        database,
    )
    assert done.returncode == 0, done.stderr


def test_import_is_quick_and_without_torch():
    done = run(
        """
        import sys, time
        began = time.perf_counter()
        import kgwalk
        seconds = time.perf_counter() - began
        assert "kgwalk._model" not in sys.modules and "torch" not in sys.modules
        loaded = open("/proc/self/maps").read()
        assert "libtorch" not in loaded
        assert kgwalk.__version__ and "Planner" in dir(kgwalk)
        try:
            kgwalk.nothing
        except AttributeError:
            print(seconds)
        """
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 3  # 0.3 where nothing else runs: docs/guides/python.md


def test_number_of_threads():
    before = kgwalk.num_threads()
    kgwalk.set_num_threads(1)
    assert kgwalk.num_threads() == 1
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.set_num_threads(-1)
    kgwalk.set_num_threads(before)
    assert kgwalk.probe_blas().gflops_sgemm > 0
