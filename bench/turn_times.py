#!/usr/bin/env python3
"""How long a turn of conversation takes, for one or two programs in one run (P23).

Usage: turn_times.py CONVERSATIONS MODEL PROGRAM [MODEL PROGRAM] [--turns N] [--rounds N]

CONVERSATIONS: a json list of lists of {"say": ...}, as scripts/exams writes them. Each program serves its model on one
thread; in each round both hold the same conversations, in turn, and the least time of a turn over the rounds counts.
Prints median and 99th percentile in milliseconds, over HTTP on this machine, and the ratio.
"""
import argparse
import json
import socket
import statistics
import subprocess
import time
import urllib.request


def post(port, path, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    return json.load(urllib.request.urlopen(request))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def hold(port, conversations):
    times = []
    for turns in conversations:
        session = post(port, "/api/v1/sessions", {})["id"]
        for turn in turns:
            begin = time.perf_counter()
            post(port, f"/api/v1/sessions/{session}/turns", {"say": turn["say"]})
            times.append(1e3 * (time.perf_counter() - begin))
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("conversations")
    parser.add_argument("served", nargs="+", metavar="MODEL PROGRAM")
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    held, turns = [], 0
    for conversation in json.load(open(options.conversations)):
        if turns < options.turns:
            held.append(conversation)
            turns += len(conversation)
    pairs = list(zip(options.served[::2], options.served[1::2]))
    ports = [free_port() for _ in pairs]
    servers = [
        subprocess.Popen(
            [program, "serve", model, "--port", str(port), "--threads", "1", "--max-sessions", "10000"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for (model, program), port in zip(pairs, ports)
    ]
    try:
        for port in ports:
            for _ in range(600):
                try:
                    session = post(port, "/api/v1/sessions", {})["id"]
                    post(port, f"/api/v1/sessions/{session}/turns", {"say": "hello"})
                    break
                except OSError:
                    time.sleep(0.2)
        least = [[float("inf")] * turns for _ in pairs]
        for _ in range(options.rounds):
            for i, port in enumerate(ports):
                least[i] = [min(pair) for pair in zip(least[i], hold(port, held))]
    finally:
        for server in servers:
            server.terminate()
    told = []
    for (model, program), times in zip(pairs, least):
        told.append((statistics.median(times), statistics.quantiles(times, n=100)[98]))
        print(f"{program}: p50 {told[-1][0]:.1f} ms, p99 {told[-1][1]:.1f} ms of {len(times)} turns")
    if len(told) == 2:
        print(f"the second takes {told[1][0] / told[0][0]:.2f} (p50) and {told[1][1] / told[0][1]:.2f} (p99) of the first")


if __name__ == "__main__":
    main()
