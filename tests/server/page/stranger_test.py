"""Someone who knows nothing opens the page and clicks what it offers: stranger_test.py PROGRAM MODEL OUT

Each question of the empty page must get the answer that the model's introduction has for it, and each goal be reached by going on.
"""
import json
import pathlib
import sys
import time
import urllib.request

from asking import count, entries, say, told
from served import Server
from webdriver import Browser

MOST_TURNS = 20


def offered(page):
    page.wait(lambda: count(page, ".welcome .start") > 0, "what the empty page offers", 60)
    return page.run("return [...document.querySelectorAll('.welcome .start')].map(e => e.innerText)")


def anew(page):
    page.click("#new")
    page.wait(lambda: entries(page) == 0, "a new conversation")
    offered(page)


def click(page, place):
    page.run("document.querySelectorAll('.welcome .start')[arguments[0]].click()", place)
    page.wait(lambda: entries(page) == 1 and told(page), "an answer")


def led(page, goal):
    for _ in range(MOST_TURNS):
        if f"{goal} is reached" in page.text("#here"):
            return entries(page)
        say(page, "Tell me more.")
    raise AssertionError(f"{goal} was not reached in {MOST_TURNS} turns: {page.text('#log')}")


def main():
    program, model, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    server = Server(program, [model])
    try:
        with Browser() as page:
            page.size(1280, 900)
            begin = time.time()
            page.open(server.url)
            found = offered(page)
            print(f"the empty page after {time.time() - begin:.1f} s: {len(found)} things to begin with")
            page.settle()
            page.screenshot(out / "empty.png")
            with urllib.request.urlopen(server.url + "api/v1/introduction") as answer:
                introduction = json.load(answer)
            for i, one in enumerate(introduction["questions"]):
                assert found[i] == one["question"], (found[i], one)
                click(page, i)
                assert one["answer"] in page.text("#log .it:last-child"), (one, told(page))
                print(f"{one['question']} {told(page)}")
                page.settle()
                page.screenshot(out / f"question{i + 1}.png")
                anew(page)
            for i, one in enumerate(introduction["goals"]):
                click(page, len(introduction["questions"]) + i)
                turns = led(page, one["goal"])
                print(f"from {one['from']} to {one['goal']} in {turns} turns")
                page.settle()
                page.screenshot(out / f"goal{i + 1}.png")
                anew(page)
            assert not page.problems(), page.problems()
    finally:
        server.stop()
    print("a stranger gets on")


main()
