"""Load as of many users: load.py PROGRAM DIALOGS MINUTES [OPTIONS OF kgwalk serve...]

Asks for plans over 64 connections. First as fast as the server answers, for 15 s; then for MINUTES at half that rate, at random
times (a Poisson process, seed 1) whatever is still unanswered, each time measured from when the request was due. Before, 45 s of
the same warm up, longer where each turn would not have been asked for five times by then: buffers grow to the largest plan that
each of the server's threads has met. DIALOGS is a file of dialogues in OpenDialKG's form: 500 of its turns are asked for, over and
over.
"""
import asyncio
import random
import sys
import time

from asked import answerable, message, plans
from server import Server, percentile, told

CONNECTIONS = 64
FULL_S, WARMING_S, WARMING_ROUNDS = 15, 45, 5


class Load:
    def __init__(self, port, bodies):
        self.port = port
        self.requests = [message("POST", "/api/v1/plan", body) for body in bodies]
        self.count = 0
        self.errors = {}
        self.times = []

    async def connect(self):
        self.free = asyncio.Queue()
        for _ in range(CONNECTIONS):
            self.free.put_nowait(await asyncio.open_connection("127.0.0.1", self.port))

    async def ask(self, due):
        reader, writer = await self.free.get()
        self.count += 1
        try:
            writer.write(self.requests[self.count % len(self.requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            status = head.split(b" ")[1].decode()
        except (OSError, asyncio.IncompleteReadError) as error:
            status = repr(error)
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        if status == "200":
            self.times.append(time.perf_counter() - due)
        else:
            self.errors[status] = self.errors.get(status, 0) + 1
        self.free.put_nowait((reader, writer))

    async def full(self, seconds):
        """Answers a second when each connection asks again at once."""
        end = time.perf_counter() + seconds

        async def one():
            while time.perf_counter() < end:
                await self.ask(time.perf_counter())

        before = len(self.times)
        await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
        return (len(self.times) - before) / seconds

    async def paced(self, rate, seconds):
        chance = random.Random(1)
        due = time.perf_counter()
        end = due + seconds
        asked = set()
        while due < end:
            due += chance.expovariate(rate)
            await asyncio.sleep(max(0, due - time.perf_counter()))
            task = asyncio.ensure_future(self.ask(due))
            asked.add(task)
            task.add_done_callback(asked.discard)
        await asyncio.gather(*asked)


async def watch(server, every_s, seen):
    while True:
        seen.append(server.memory_kb())
        await asyncio.sleep(every_s)


async def measure(server, bodies, minutes):
    load = Load(server.port, bodies)
    await load.connect()
    rate = await load.full(FULL_S)
    print(f"full load, {CONNECTIONS} connections, {FULL_S} s: {rate:.0f} plans a second, {told(load.times)}", flush=True)
    load.times.clear()
    warming_s = max(WARMING_S, WARMING_ROUNDS * len(bodies) / (rate / 2))
    await load.paced(rate / 2, warming_s)
    print(f"half of that, the first {warming_s:.0f} s: {told(load.times)}", flush=True)
    load.times.clear()
    memory = []
    watching = asyncio.ensure_future(watch(server, 5, memory))
    await load.paced(rate / 2, 60 * minutes)
    watching.cancel()
    print(f"then {minutes:g} minutes: {len(load.times)} answers, {told(load.times)}; errors: {load.errors or 'none'}")
    print(f"memory, every 5 s of them: {memory[0]} kB first, {min(memory)} to {max(memory)}, {memory[-1]} last")
    return load.errors, percentile(load.times, 0.99), max(memory) - memory[0]


def main():
    program, dialogs, minutes, *model = sys.argv[1:]
    server = Server(program, model)
    try:
        bodies = answerable(server, plans(dialogs, 500))
        errors, p99, more_kb = asyncio.run(measure(server, bodies, float(minutes)))
    finally:
        status = server.stop()
    assert not errors and status == 0, (errors, status)
    assert p99 < 0.1 and more_kb <= 1024, (p99, more_kb)


main()
