"""A newcomer's conversation on the page, in a real browser: page_test.py PROGRAM DEMO OUT [AXE]

DEMO is what `kgwalk demo` made. Screenshots go to OUT. AXE is the file axe.min.js of the npm package axe-core: with it the page is
checked for accessibility too.
"""
import json
import pathlib
import sys
import tempfile
import urllib.error
import urllib.request

import looking
from served import Nginx, Server, unusual_model
from webdriver import KEYS, Browser
from asking import choose, count, entries, say, shown, told

GOAL = "Roger Federer"
SIZES = {"wide": (1400, 900), "middle": (1280, 800), "phone": (390, 844)}


class Shots:
    """Screenshots of what the page shows, at three sizes, light and dark; each is checked for accessibility and for its width."""

    def __init__(self, page, out, axe):
        self.page, self.out, self.axe = page, out, axe

    def take(self, name):
        page = self.page
        for theme in ("light", "dark"):
            if page.run("return document.documentElement.dataset.theme") != theme:
                page.click("#theme")
            for size, (width, height) in SIZES.items():
                page.size(width, height)
                wide = page.run("return [document.documentElement.scrollWidth, innerWidth]")
                assert wide[0] <= wide[1], f"{name}: the page is {wide[0]} wide on a screen of {wide[1]}"
                page.run("document.querySelector('#log').scrollTop = document.querySelector('.welcome') ? 0 : 1e9")
                page.settle()
                page.screenshot(self.out / f"{name}-{size}-{theme}.png")
                if size == "phone":
                    page.run("document.querySelector('#around').scrollIntoView()")
                    page.settle()
                    page.screenshot(self.out / f"{name}-{size}-{theme}-below.png")
                    page.run("scrollTo(0, 0)")
            self.accessible(name + ", " + theme)
        page.click("#theme")
        page.size(*SIZES["wide"])

    def accessible(self, what):
        if not self.axe:
            return
        self.page.run(pathlib.Path(self.axe).read_text())
        found = self.page.ask("POST", "/execute/async", {"script": "const done = arguments[0]; axe.run().then(r => done(r.violations))", "args": []})
        serious = [f"{v['id']}: {v['help']}: {v['nodes'][0]['html']}" for v in found if v["impact"] in ("serious", "critical")]
        assert not serious, (what, serious)
        print(f"axe: {what}: {len(found)} findings, none serious", *[v["id"] for v in found])


def welcomed(page, server):
    """What an empty page offers: what the graph is about, questions, goals, and each can be clicked."""
    page.open(server.url)
    page.wait(lambda: count(page, ".welcome .start") >= 8, "questions and goals to begin with")
    assert "Films, books" in page.text(".welcome h2"), page.text(".welcome")
    assert count(page, ".welcome .kinds .entity") >= 6, page.text(".welcome")
    page.wait(lambda: int(page.run("return document.querySelector('#picture').dataset.names")) > 3, "a picture before anything is said")


def a_goal_that_is_offered(page, server):
    welcomed(page, server)
    page.run("[...document.querySelectorAll('.welcome .start')].at(-1).click()")
    page.wait(lambda: entries(page) == 1 and "steps to" in page.text("#here"), "the walk to the goal that was clicked")
    page.click("#new")
    page.wait(lambda: count(page, ".welcome .start") >= 8, "the welcome again")


def newcomer(page, server, shots):
    welcomed(page, server)
    shots.take("welcome")
    choose(page, "#goal", "roger f", GOAL)
    page.wait(lambda: page.run("return location.hash.length") == 33, "a conversation in the address")
    say(page, "I love Inception.")
    page.wait(lambda: "steps to " + GOAL in page.text("#here"), "the distance to the goal")
    for _ in range(12):
        if "reached" in page.text("#here"):
            break
        say(page, "Tell me more.")
    assert "reached" in page.text("#here"), page.text("#log")
    assert GOAL in page.text("#about-name"), "looking around does not follow the talk"
    page.run("[...document.querySelectorAll('.why')].at(-1).open = true")
    page.wait(lambda: "triples.txt" in page.text(".why[open] .source"), "where a fact comes from")
    shots.take("reached")


def in_everyday_words(page):
    """No relation as the graph writes it, no line of a terminal, no hops."""
    for box in ("#log", "#around"):
        text = page.text(box)
        for raw in ("~", "directed_by", "in_language", "-[", "]->", "/take", "hops", "edges", "weighed"):
            assert raw not in text, f"{raw!r} is shown: {text}"


def answers(page, server, shots):
    """A model that listens: a sentence, a table, why; what it cannot do is not offered."""
    page.click("#new")
    page.run("const m = document.querySelector('#models'); m.value = 'questions'; m.dispatchEvent(new Event('change'))")
    page.wait(lambda: page.run("return document.querySelector('#leading').hidden"), "no goals where the model has none")
    page.wait(lambda: count(page, ".welcome .start") == 5, "five questions")
    first = page.text(".welcome .start")
    page.click(".welcome .start")
    page.wait(lambda: entries(page) == 1, f"the answer to {first!r}")
    assert told(page), "nothing was answered"
    page.click("#new")
    page.wait(lambda: entries(page) == 0, "a new conversation")
    say(page, "Who directed Inception?")
    assert "Christopher Nolan" in told(page), told(page)
    say(page, "What films did Christopher Nolan direct?")
    assert count(page, "#log .it:last-child tbody tr") > 3, "a list without a table"
    page.run("[...document.querySelectorAll('.why')].at(-2).open = true")
    page.wait(lambda: "directed by" in page.text(".why[open]") and "triples.txt" in page.text(".why[open]"), "what was heard")
    page.run("[...document.querySelectorAll('#log .it:last-child th button')][0].click()")
    names = page.run("return [...document.querySelectorAll('#log .it:last-child tbody td:first-child')].map(e => e.innerText)")
    assert names == sorted(names), names
    in_everyday_words(page)
    shots.take("answers")
    page.run("[...document.querySelectorAll('#log .it:last-child .sentence .entity')].at(-1).click()")
    page.wait(lambda: page.text("#about-name strong") in told(page), "a name in the sentence to look around")
    say(page, "Thank you.")


def choose_model(page, name):
    page.click("#new")
    page.run("const m = document.querySelector('#models'); m.value = arguments[0]; m.dispatchEvent(new Event('change'))", name)
    page.wait(lambda: count(page, ".welcome .start") >= 5, "questions to begin with")


def last_table(page):
    """Its heads and rows."""
    return page.run("""
      const t = [...document.querySelectorAll('#log .it table')].at(-1), texts = (of) => [...of].map((e) => e.innerText);
      return t ? [texts(t.querySelectorAll('th')), [...t.querySelectorAll('tbody tr')].map((row) => texts(row.cells))] : null;""")


def whys(page):
    page.run("[...document.querySelectorAll('.why')].at(-1).open = true")
    page.wait(lambda: "triples.txt" in page.text("#log .it:last-child .why[open]"), "where the facts come from")
    return page.text("#log .it:last-child .why[open]")


def listener(page, shots):
    """What the demo serves: counts, conditions, comparisons, yes or no, each with what it rests on; and goals beside them."""
    choose_model(page, "whole")
    page.wait(lambda: shown(page, "#leading") and count(page, ".welcome .start") == 8, "questions and goals of a model that does both")
    offered = page.run("return [...document.querySelectorAll('.welcome .start')].map(e => e.innerText)")
    assert sum(text.endswith("?") for text in offered) == 5 and sum(text.startswith("From ") for text in offered) == 3, offered
    page.click(".welcome .start")
    page.wait(lambda: entries(page) == 1 and told(page), f"the answer to {offered[0]!r}")
    page.click("#new")
    page.wait(lambda: entries(page) == 0, "a new conversation")
    say(page, "How many films did Christopher Nolan direct?")
    assert "7" in told(page), told(page)
    page.run("[...document.querySelectorAll('#log .it button')].find(b => b.innerText === 'Show all 7').click()")
    page.wait(lambda: last_table(page) and len(last_table(page)[1]) == 7, "what was counted")
    say(page, "Which films by Christopher Nolan came out after 2008?")
    assert last_table(page)[0] == ["Name"] and len(last_table(page)[1]) == 4, last_table(page)
    assert page.text("#here").endswith(("Inception", "Christopher Nolan")), page.text("#here")
    say(page, "Did Christopher Nolan direct Inception?")
    assert told(page).startswith("Yes"), told(page)
    assert "directed" in whys(page) and "% sure" in whys(page), whys(page)
    say(page, "Which is older, Inception or Titanic?")
    assert sorted(last_table(page)[1]) == [["Inception", "2010"], ["Titanic", "1997"]], last_table(page)
    assert "1997" in whys(page) and "2010" in whys(page), whys(page)
    in_everyday_words(page)
    shots.take("listener")


def exact_forms(page):
    """An answer that carries its form, its rows and what it rests on shows them."""
    text = page.ask("POST", "/execute/async", {"script": """
      const done = arguments[0], base = location.origin + location.pathname;
      const fact = { head: 'Inception', relation: 'directed_by', tail: 'Christopher Nolan' };
      import(base + 'bubble.js').then(({ drawEntry }) => {
        const box = document.createElement('div');
        const entry = { say: 'How many?', said: 'Two.', at: null, goal: null, distance: null, reply: '', form: { words: 'how many films', json: { kind: 'count' } },
          sparql: 'SELECT (COUNT(*) AS ?n)', evidence: [[fact]], rows: [{ film: 'Heat', year: 1995 }, { film: 'Alien', year: 1979 }] };
        box.append(...drawEntry(entry, { look() {}, model: 'questions' }));
        document.body.append(box);
        box.querySelector('.why').open = true;
        box.querySelectorAll('th button')[1].click();
        box.querySelectorAll('th button')[1].click();
        setTimeout(() => {
          box.querySelectorAll('details').forEach((one) => { one.open = true; });
          done([box.innerText, [...box.querySelectorAll('tbody td:first-child')].map((cell) => cell.innerText)]);
          box.remove();
        }, 300);
      });""", "args": []})
    for part in ("how many films", "SELECT (COUNT(*)", '"kind": "count"', "What it rests on", "Christopher Nolan"):
        assert part in text[0], (part, text[0])
    assert text[1] == ["Alien", "Heat"], text[1]


def edited(page):
    """What was said is said anew, and the talk goes on from there."""
    before = entries(page)
    page.run("document.querySelectorAll('.mine .acts button')[2].click()")
    page.clear(".editing textarea")
    page.type(".editing textarea", "Who directed Titanic?" + KEYS["enter"])
    page.wait(lambda: entries(page) == 2 and "James Cameron" in told(page), "the answer to what was edited")
    assert before == 3 and "What films" not in page.text("#log"), page.text("#log")
    page.click("#undo")
    page.wait(lambda: entries(page) == 1, "the last turn to be taken back")
    page.run("location.reload()")
    page.wait(lambda: entries(page) == 1, "that to hold after a reload")


def stopped(page):
    """A turn that takes too long is stopped: it is as if it had not been said."""
    before = entries(page)
    page.run("""
      const real = window.fetch;
      window.fetch = (path, options) => !String(path).endsWith('/turns') ? real(path, options) : new Promise((resolve, reject) => {
        real(path, { ...options, signal: undefined });
        options.signal.addEventListener('abort', () => { window.fetch = real; reject(new DOMException('', 'AbortError')); });
      });""")
    page.type("#say", "Who directed Heat?" + KEYS["enter"])
    page.wait(lambda: shown(page, "#stop"), "something to stop it with")
    page.click("#stop")
    page.wait(lambda: "Stopped" in page.text("#log") and not shown(page, "#stop"), "it to be stopped")
    assert entries(page) == before and page.value("#say") == "Who directed Heat?", page.text("#log")
    page.clear("#say")
    say(page, "Who directed Inception?")
    assert entries(page) == before + 1


def history(page, server):
    """What was asked in this browser can be asked again, and deleted, here and at the server."""
    before = entries(page)
    page.click("#asked")
    page.wait(lambda: "Who directed Titanic?" in page.text("#history-list"), "what was asked")
    page.run("[...document.querySelectorAll('#history .start')].find(b => b.innerText === 'Who directed Titanic?').click()")
    page.wait(lambda: entries(page) == before + 1, "it to be asked again")
    talk = page.run("return location.hash.slice(1)")
    page.click("#asked")
    talks = count(page, "#history-list section")
    assert talks > 1, page.text("#history-list")
    page.run("[...document.querySelectorAll('#history-list section')][0].querySelectorAll('.quiet')[1].click()")
    page.wait(lambda: count(page, "#history-list section") == talks - 1 and not page.run("return location.hash"), "the conversation to be gone")
    try:
        urllib.request.urlopen(f"{server.url}api/v1/sessions/{talk}")
        raise AssertionError("the server still has it")
    except urllib.error.HTTPError as gone:
        assert gone.code == 404, gone
    page.click("#history-clear")
    page.wait(lambda: "Nothing yet" in page.text("#history-list"), "all to be gone")
    page.run("document.querySelector('#history').close()")


def undo_take_and_reload(page, server):
    page.open(server.url)
    page.wait(lambda: count(page, ".welcome"), "the page")
    say(page, "I love Inception.")
    say(page, "Tell me more.")
    before = page.text("#here")
    page.click("#undo")
    page.wait(lambda: page.text("#here") != before and entries(page) == 1, "undo")
    page.run("[...document.querySelectorAll('.why')].at(-1).open = true")
    second = page.wait(lambda: page.run("const b = document.querySelectorAll('.candidate'); return b.length > 1 && b[1].innerText"), "candidates")
    page.run("document.querySelectorAll('.candidate')[1].click()")
    page.wait(lambda: count(page, "#log .note"), "the candidate to be taken")
    page.run("[...document.querySelectorAll('.why')].at(-1).open = true")
    page.wait(lambda: page.run("return [...document.querySelectorAll('.taken .candidate')].at(-1).innerText") == second, "it to be the one taken")
    here = page.text("#here")
    page.run("location.reload()")
    page.wait(lambda: entries(page) == 1 and page.text("#here") == here, "the same conversation after a reload")


def lost_server(page, server):
    server.stop()
    page.type("#say", "Are you there?" + KEYS["enter"])
    page.wait(lambda: "does not answer" in page.text("#lost"), "the word that the server is lost")
    assert page.value("#say") == "Are you there?", "what was typed is lost"
    here = page.text("#here")
    server.start()
    page.wait(lambda: page.run("return document.getElementById('lost').hidden"), "the server to be back")
    page.wait(lambda: page.text("#here") == here, "the conversation to be back")


def by_keyboard(page):
    """From the field to say something on to a candidate that is taken, without a mouse."""
    page.click("#new")
    page.wait(lambda: entries(page) == 0, "a new conversation")
    page.type("#say", "I love Inception." + KEYS["enter"])
    page.wait(lambda: count(page, ".why > summary"), "an answer")
    page.run("document.querySelector('#log').focus()")
    focus = "const e = document.activeElement; return [e.tagName, e.className, e.innerText || e.ariaLabel || ''];"
    seen = []
    for _ in range(60):
        page.press(KEYS["tab"])
        seen.append(page.run(focus))
        outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", f"the focus on {seen[-1]} cannot be seen"
        if seen[-1][0] == "SUMMARY":
            page.press(KEYS["enter"])
        if seen[-1][1] == "candidate" and page.run("return !document.activeElement.closest('.taken')"):
            break
    else:
        raise AssertionError(f"no candidate can be reached by Tab: {seen}")
    page.press(KEYS["enter"])
    page.wait(lambda: count(page, "#log .note"), "the candidate that was taken by key")


def below_a_proxy(page, program, arguments):
    """The page, its streams and the description below a path of nginx, by the example of the docs."""
    with tempfile.TemporaryDirectory() as work:
        server = Server(program, [*arguments, "--prefix", "/kg", "--allowed-hosts", "kg.example"])
        nginx = Nginx(pathlib.Path(work), server.port)
        try:
            page.wait(lambda: page.open(nginx.url) or count(page, ".welcome"), "the page behind nginx")
            choose(page, "#goal", "roger f", GOAL)
            say(page, "I love Inception.")
            page.wait(lambda: "steps to" in page.text("#here"), "the distance to the goal")
            page.run("location.reload()")
            page.wait(lambda: entries(page) >= 1, "the same conversation after a reload")
            described = page.ask("POST", "/execute/async", {"script": """
              const done = arguments[0];
              fetch('api/v1/openapi.json').then(r => r.json()).then(d => done([d.servers[0].url, location.pathname]));""", "args": []})
            assert described == ["/kg", "/kg/"], described
            events = page.ask("POST", "/execute/async", {"script": """
              const done = arguments[0], stream = new EventSource('api/v1/sessions/' + location.hash.slice(1) + '/events');
              stream.addEventListener('session', () => {
                stream.addEventListener('turn', (event) => { stream.close(); done(JSON.parse(event.data).say); });
                fetch('api/v1/sessions/' + location.hash.slice(1) + '/turns', { method: 'POST', body: JSON.stringify({ say: 'Go on' }) });
              });""", "args": []})
            assert events == "Go on", events
            print("below /kg/ of nginx: page, turns, events and description")
        finally:
            nginx.stop()
            server.stop()


def turns_were_drawn_fast(page):
    drawn = page.run("return performance.getEntriesByName('turn drawn').map(e => e.duration)")
    print(f"{len(drawn)} turns drawn in {sorted(drawn)[len(drawn) // 2]:.1f} ms (median), {max(drawn):.1f} ms at most")
    assert max(drawn) < 50


def first_paint(page, server):
    """The least of five: other work on the machine makes single times long."""
    paints = []
    for _ in range(5):
        page.open(server.url)
        paints.append(page.wait(lambda: page.run("const p = performance.getEntriesByName('first-contentful-paint')[0]; return p && p.startTime"), "a paint"))
    print(f"first paint after {min(paints):.0f} ms, of five from {min(paints):.0f} to {max(paints):.0f}")
    assert min(paints) < 1000


def models_of(demo, folder):
    """One that heads for goals, a walker that listens, and what the demo serves: heads for goals and has a listener."""
    files = []
    for name, run in (("films", "agent"), ("questions", "walker"), ("whole", "agent")):
        files.append(pathlib.Path(folder) / f"{name}.json")
        files[-1].write_text(json.dumps({
            "database": str(demo / "kg.db"), "run": str(demo / run), "simulator": str(demo / "simulator"), "text": str(demo / "text"),
            "about": "Films, books, music and sport.", "license": "Apache-2.0",
            **({"listener": str(demo / "listener")} if name == "whole" else {})}))
    return files


def main():
    program, demo, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    axe = sys.argv[4] if len(sys.argv) > 4 else None
    with tempfile.TemporaryDirectory() as sessions, tempfile.TemporaryDirectory() as files, Browser() as page:
        models = models_of(demo, files)
        server = Server(program, [*models, "--loaded", "3", "--sessions", sessions])
        try:
            page.size(*SIZES["wide"])
            shots = Shots(page, out, axe)
            first_paint(page, server)
            a_goal_that_is_offered(page, server)
            newcomer(page, server, shots)
            turns_were_drawn_fast(page)
            in_everyday_words(page)
            answers(page, server, shots)
            exact_forms(page)
            edited(page)
            stopped(page)
            history(page, server)
            listener(page, shots)
            choose_model(page, "questions")
            looking.around(page, shots)
            assert not page.problems(), "the console complains"
            undo_take_and_reload(page, server)
            by_keyboard(page)
            lost_server(page, server)
            with tempfile.TemporaryDirectory() as work:
                odd = Server(program, unusual_model(program, pathlib.Path("data/sample").resolve(), pathlib.Path(work)))
                try:
                    looking.unusual(page, odd, out)
                finally:
                    odd.stop()
            if Nginx.program():
                below_a_proxy(page, program, models)
            else:
                print("nginx is not installed: the page below a path of it was not tried")
        except BaseException:
            page.screenshot(out / "failed.png")
            print(page.problems(), file=sys.stderr)
            raise
        finally:
            server.stop()
    print("the page holds")


main()
