"""nginx in front of three replicas, one killed under load: replicas.py PROGRAM MODEL.json FOLDER

Two replicas serve the model of the file, the third a copy of its database that was backed up and restored. Beside each other:
plans, whose answers must be those that one replica gave before; turns whose state goes in and out; turns of conversations
that lie in a folder of all replicas. After WHOLE_S one replica is killed, after KILLED_S more it is started again, and when it answers, as
long again.
"""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

from server import Server, ask, told

WHOLE_S = KILLED_S = 8
PLANNERS, TALKERS = 6, 3  # threads: plans; conversations of each kind
EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/serve/nginx_replicas.conf"


class Proxy:
    """nginx with the example's rules over these ports."""

    def __init__(self, folder, ports):
        self.port = 8000 + os.getpid() % 1000
        rules = EXAMPLE.read_text().replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")
        for example, port in zip(("8081", "8082", "8083"), ports):
            rules = rules.replace(f"127.0.0.1:{example}", f"127.0.0.1:{port}")
        places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = folder / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""  # it keeps large requests in the folder
        config.write_text(f"{user} pid {folder}/pid; worker_processes 1; error_log {folder}/nginx.log; daemon off;"
                          f"events {{}} http {{ access_log off; {places}\n{rules}}}\n")  # fmt: skip
        self.process = subprocess.Popen(["nginx", "-e", "stderr", "-p", str(folder), "-c", str(config)])
        while True:
            try:
                if self.ask("GET", "/livez")[0] == 200:
                    return
            except OSError:
                assert self.process.poll() is None, "nginx ended"
            time.sleep(0.1)

    def ask(self, method, path, body=None):
        return ask(self.port, method, path, body)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def restored_copy(program, model, folder):
    """The model over a database that went through a backup."""
    parts = json.loads(model.read_text())
    parts = {name: str(model.parent / part) if name not in ("about", "license") else part for name, part in parts.items()}
    for command in (["backup", "--db", parts["database"], "--to", folder / "backup"],
                    ["restore", "--from", folder / "backup", "--db", folder / "kg.db"]):  # fmt: skip
        subprocess.run([program, *map(str, command), "--quiet"], check=True)
    copied = folder / model.name
    copied.write_text(json.dumps({**parts, "database": str(folder / "kg.db")}))
    return copied


def requests_of(server):
    """Plans from entities that have many edges, and what is said of them."""
    shown = server.ask("GET", "/api/v1/introduction")[1]
    starts = [name for kind in shown["kinds"] for name in kind["examples"]]
    said = [question["question"] for question in shown["questions"]] or ["Tell me more."]
    pairs = zip(starts, itertools.cycle(said))
    bodies = [{"start": start, "history": [{"speaker": "user", "text": text}], "k": 3} for start, text in pairs]
    return bodies, starts


def paths_of(answer):
    return [path["hops"] for path in answer["paths"]]


def plans_answered(server):
    text = server.ask("GET", "/metrics")[1]
    return sum(int(count) for count in re.findall(r'^kgwalk_requests_total{route="[^"]*plan",status="200"} (\d+)', text, re.M))


class Watched:
    """What clients saw, by kind of request."""

    def __init__(self):
        self.lock = threading.Lock()
        self.times, self.refused, self.notes = {}, {}, []

    def answered(self, kind, begin):
        with self.lock:
            self.times.setdefault(kind, []).append(time.perf_counter() - begin)

    def lost(self, kind, status):
        with self.lock:
            counts = self.refused.setdefault(kind, {})
            counts[status] = counts.get(status, 0) + 1


def plan_on(proxy, cases, seen, over, first):
    for body, expected in itertools.islice(itertools.cycle(cases), first, None):
        if over.is_set():
            return
        begin = time.perf_counter()
        status, answer = proxy.ask("POST", "/api/v1/plan", body)
        if status != 200:
            seen.lost("plan", status)
            continue
        assert paths_of(answer) == expected, (body, answer)
        seen.answered("plan", begin)


def carry_state_on(proxy, start, seen, over):
    state = None
    while not over.is_set():
        begin = time.perf_counter()
        status, answer = proxy.ask("POST", "/api/v1/turn", {"say": f"/from {start}", "state": state})
        if status != 200:
            seen.lost("turn with state", status)
            continue
        assert answer["at"] == start, answer["at"]
        state = answer["state"]
        seen.answered("turn with state", begin)


def talk_on(proxy, start, seen, over):
    """A turn whose answer was lost may have been taken: the conversation itself tells."""
    status, session = proxy.ask("POST", "/api/v1/sessions", {"from": start})
    assert status == 201, (status, session)
    place, taken = f"/api/v1/sessions/{session['id']}", len(session["log"])
    while not over.is_set():
        begin = time.perf_counter()
        status, answer = proxy.ask("POST", place + "/turns", {"say": f"/from {start}"})
        if status == 200:
            assert answer["turns"] == taken + 1, (answer["turns"], taken)  # none lost, none taken twice
            taken += 1
            seen.answered("turn of a conversation", begin)
        else:
            seen.lost("turn of a conversation", status)
            known = len(proxy.ask("GET", place)[1]["log"])
            assert known in (taken, taken + 1), (known, taken)
            taken = known


def main():
    program, model, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    (folder / "sessions").mkdir()
    more = ["--sessions", folder / "sessions", "--threads", "1"]
    copied = restored_copy(program, model, folder)
    replicas = [Server(program, [file, *more]) for file in (model, model, copied)]
    proxy = Proxy(folder, [replica.port for replica in replicas])
    try:
        bodies, starts = requests_of(replicas[0])
        cases = [(body, paths_of(replicas[0].ask("POST", "/api/v1/plan", body)[1])) for body in bodies]
        seen, over, failed = Watched(), threading.Event(), []

        def watched(work, *arguments):
            def run():
                try:
                    work(*arguments)
                except Exception as error:  # told at the end
                    failed.append(error)

            return threading.Thread(target=run)

        threads = [watched(plan_on, proxy, cases, seen, over, 7 * i) for i in range(PLANNERS)]
        for i in range(TALKERS):
            threads.append(watched(carry_state_on, proxy, starts[i % len(starts)], seen, over))
            threads.append(watched(talk_on, proxy, starts[i % len(starts)], seen, over))
        for thread in threads:
            thread.start()
        time.sleep(WHOLE_S)
        replicas[1].kill()
        time.sleep(KILLED_S)
        replicas[1].command[replicas[1].command.index("--port") + 1] = str(replicas[1].port)
        replicas[1].start()
        time.sleep(WHOLE_S)
        over.set()
        for thread in threads:
            thread.join()
        for kind in sorted(seen.times):
            print(f"{kind}: {len(seen.times[kind])} answers, {told(seen.times[kind])}; not answered: {seen.refused.get(kind) or 'none'}")
        answered_again = plans_answered(replicas[1])
        print(f"the replica that was killed and came back answered {answered_again} plans afterwards")
        assert not failed, failed
        assert not seen.refused.get("plan") and not seen.refused.get("turn with state"), seen.refused
        assert sum(seen.refused.get("turn of a conversation", {}).values()) <= TALKERS, "only those in flight may be lost"
        assert answered_again > 0
    finally:
        proxy.stop()
        for replica in replicas:
            replica.stop()


main()
