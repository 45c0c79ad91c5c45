"""Clients that a server has to outlive: hard_clients.py PROGRAM DIALOGS [OPTIONS OF kgwalk serve...]

256 event streams beside 256 idle connections; requests that trickle, are too long, are no HTTP or whose client leaves; a server
that is killed while conversations go on.
"""
import random
import socket
import sys
import tempfile
import threading
import time
from http.client import HTTPException

from asked import answerable, message, plans
from server import Server, percentile, told


def connect(server):
    client = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def time_of(server, method, path, bodies, count):
    times = []
    for i in range(count):
        begin = time.perf_counter()
        status, _ = server.ask(method, path, bodies[i % len(bodies)])
        assert status == 200, status
        times.append(time.perf_counter() - begin)
    return times


def read_until(client, end):
    text = b""
    while end not in text:
        more = client.recv(65536)
        assert more, "the stream broke off"
        text += more
    return text


def listeners(server, bodies):
    alone = time_of(server, "POST", "/api/v1/plan", bodies, 300)
    session = server.ask("POST", "/api/v1/sessions", {})[1]["id"]
    streams, idle = [connect(server) for _ in range(256)], [connect(server) for _ in range(256)]
    for client in streams:
        client.sendall(message("GET", f"/api/v1/sessions/{session}/events"))
        read_until(client, b"event: session")
    for client in idle:
        client.sendall(message("GET", "/livez"))
        read_until(client, b"ok\n")
    lives = time_of(server, "GET", "/livez", [None], 300)
    beside = time_of(server, "POST", "/api/v1/plan", bodies, 300)
    print(f"beside 256 event streams and 256 idle connections: /livez {told(lives)}")
    print(f"  /api/v1/plan {told(beside)}; without them {told(alone)}")
    begin = time.perf_counter()
    server.ask("POST", f"/api/v1/sessions/{session}/turns", {"say": "/from " + bodies[0]["start"]})
    for client in streams:
        read_until(client, b"event: turn")
    print(f"  a turn until all 256 had it: {1000 * (time.perf_counter() - begin):.0f} ms")
    for client in streams + idle:
        client.close()
    assert max(lives) < 0.05 and percentile(beside, 0.99) < 1.5 * percentile(alone, 0.99) + 0.005
    wait_for(lambda: server.metric("kgwalk_connections") <= 1, "the streams to be let go of")


def wait_for(condition, what, seconds=60):
    end = time.time() + seconds
    while not condition():
        assert time.time() < end, f"waited in vain for {what}"
        time.sleep(0.1)


def tricklers(server):
    """Headers that come a byte a second, and bodies that never end."""
    clients = [connect(server) for _ in range(500)]
    for i, client in enumerate(clients):
        client.sendall(b"GET /livez HTTP/1.1\r\nX: " if i % 2 else b"POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n{")
    begin = time.time()
    slowest, left = 0, clients
    while left and time.time() - begin < 60:
        still = []
        for client in left:
            try:
                client.sendall(b"a")
                still.append(client)
            except OSError:
                client.close()
        left = still
        slowest = max(slowest, *time_of(server, "GET", "/livez", [None], 5))
        time.sleep(1)
    print(f"500 requests that trickle: all closed after {time.time() - begin:.0f} s, /livez in {1000 * slowest:.1f} ms at most meanwhile")
    assert not left and slowest < 0.05


def oversized(server):
    statuses = {}
    for request in (b"POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
                    b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
                    b"POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n" + b"x" * 2_000_000,
                    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n",
                    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100_000,
                    message("POST", "/api/v1/plan", {"start": "x" * 500_000}),
                    message("POST", "/api/v1/batch", {"requests": [{"operation": "stats"}] * 101}),
                    b"POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n" + b"[" * 900_000):
        client = connect(server)
        try:
            client.sendall(request)
        except OSError:
            pass  # refused before all was sent
        status = client.recv(100).split(b" ")[1].decode()
        statuses[status] = statuses.get(status, 0) + 1
        client.close()
    print(f"too long: {statuses}")
    assert set(statuses) <= {"400", "413", "431"}, statuses


def malformed(server):
    chance = random.Random(1)
    good = message("POST", "/api/v1/plan", {"start": "x"})
    for _ in range(2000):
        bytes_ = bytearray(good)
        for _ in range(chance.randint(1, 20)):
            bytes_[chance.randrange(len(bytes_))] = chance.randrange(256)
        client = connect(server)
        client.sendall(bytes_[: chance.randint(1, len(bytes_))])
        client.close()
    print(f"2,000 requests of broken bytes: /livez in {1000 * max(time_of(server, 'GET', '/livez', [None], 20)):.1f} ms at most after them")


def aborted(server, bodies):
    begin = time.time()
    for i in range(10_000):
        client = connect(server)
        request = message("POST", "/api/v1/plan", bodies[i % len(bodies)])
        client.sendall(request if i % 2 else request[: len(request) // 2])
        client.close()
    sent = time.time() - begin
    slowest = max(time_of(server, "GET", "/livez", [None], 50))
    wait_for(lambda: server.metric("kgwalk_connections") <= 1 and server.metric("kgwalk_queue_length") == 0, "the aborted to be forgotten")
    print(f"10,000 requests whose client leaves, sent in {sent:.1f} s: /livez in {1000 * slowest:.1f} ms at most, nothing left of them")
    assert slowest < 0.05


def killed(program, model, bodies):
    """What was answered before SIGKILL is there after it."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, [*model, "--sessions", folder])
        answered = {}

        def talk(start):
            id = None
            try:
                while True:
                    if id is None:
                        status, session = server.ask("POST", "/api/v1/sessions", {"from": start})
                        if status == 201:
                            id = session["id"]
                            answered[id] = len(session["log"])
                    else:
                        status, turn = server.ask("POST", f"/api/v1/sessions/{id}/turns", {"say": f"/from {start}"})
                        if status == 200:
                            answered[id] = turn["turns"]
                    assert status in (200, 201, 429), (status, session)
            except (OSError, HTTPException):
                pass  # the server has gone

        lost = turns = 0
        for _ in range(5):
            talks = [threading.Thread(target=talk, args=[bodies[i]["start"]]) for i in range(16)]
            for one in talks:
                one.start()
            time.sleep(2)
            server.kill()
            for one in talks:
                one.join()
            server.start()
            for id, count in answered.items():
                status, session = server.ask("GET", f"/api/v1/sessions/{id}")
                lost += status != 200 or len(session["log"]) < count
                turns += count
            answered.clear()
        status = server.stop()
        print(f"killed by SIGKILL five times, 16 conversations at once: {turns} turns answered, {lost} conversations lost any of them")
        assert lost == 0 and status == 0


def main():
    program, dialogs, *model = sys.argv[1:]
    server = Server(program, [*model, "--max-connections", "2048"])
    bodies = answerable(server, plans(dialogs, 100))
    before = server.memory_kb()
    try:
        listeners(server, bodies)
        tricklers(server)
        oversized(server)
        malformed(server)
        aborted(server, bodies)
        assert server.ask("POST", "/api/v1/plan", bodies[0])[0] == 200
        print(f"memory: {before} kB before, {server.memory_kb()} kB after")
    finally:
        status = server.stop()
    assert status == 0, status
    killed(program, model, bodies)


main()
