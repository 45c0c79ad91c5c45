"""A small real model phrases and hears: language_model_client.py PROGRAM MODEL URL

Asks the same questions of `kgwalk serve MODEL` alone, with --phrase-by URL and with --hear-by URL. Whatever the language model writes, every
answer must be there and name what it names without one, and every sentence be counted as the model's or as ours.
"""
import json
import pathlib
import re
import subprocess
import sys
import urllib.request

QUESTIONS = [
    ("Who directed Inception?", "Christopher Nolan"),
    ("Who directed The Godfather?", "Francis Ford Coppola"),
    ("Who composed the music of Inception?", "Hans Zimmer"),
    ("In what city was Roger Federer born?", "Basel"),
    ("What is the capital of France?", "Paris"),
    ("Did Christopher Nolan direct Interstellar?", "Interstellar"),
]
SECONDS = 60  # a small model on a busy machine


def ask(url, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data, {"Content-Type": "application/json"}), timeout=600) as answer:
        return answer.read().decode()


def counted(url, metric):
    return {by: int(n) for by, n in re.findall(rf'^{metric}{{[a-z]+="([^"]+)"}} (\d+)$', ask(url, "/metrics"), re.M)}


def answers(program, model, *options):
    """What is said to each question, and how often each way of phrasing and of hearing was taken."""
    command = [program, "serve", model, "--port", "0", "--no-log", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://[^/]+", server.stdout.readline()).group()
        said = []
        for question, _ in QUESTIONS:
            answer = json.loads(ask(url, "/v1/chat/completions", {"messages": [{"role": "user", "content": question}]}))
            said.append(answer["choices"][0]["message"]["content"])
        return said, counted(url, "kgwalk_phrased_total"), counted(url, "kgwalk_heard_total")
    finally:
        server.terminate()
        server.wait()


def main():
    program, model, url = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    alone, _, _ = answers(program, str(model))
    right = [name for (question, name), said in zip(QUESTIONS, alone) if name in said]
    assert len(right) >= 4, alone
    phrased, by, _ = answers(program, str(model), "--phrase-by", url, "--phrase-timeout", str(SECONDS))
    heard, _, heard_by = answers(program, str(model), "--hear-by", url, "--hear-timeout", str(SECONDS))
    for (question, _), ours, theirs in zip(QUESTIONS, alone, phrased):
        print(f"{question}\n  ours:  {ours}\n  given: {theirs}" + ("" if theirs != ours else " (the same)"))
    print("phrased by:", by, "heard by:", heard_by)
    for (question, name), ours, *others in zip(QUESTIONS, alone, phrased, heard):
        for said in others:
            assert said and (name in said or name not in ours), (question, ours, said)
    assert sum(by.values()) > 0 and sum(heard_by.values()) > 0, (by, heard_by)
    print("a language model phrases and hears, and what is said stays the graph's")


main()
