"""The page of the API in a real browser: docs_test.py PROGRAM DEMO OUT [AXE], as page_test.py."""
import pathlib
import sys

from served import Server
from webdriver import Browser


def accessible(page, axe):
    page.run(pathlib.Path(axe).read_text())
    found = page.ask("POST", "/execute/async", {"script": "const done = arguments[0]; axe.run().then(r => done(r.violations))", "args": []})
    serious = [f"{v['id']}: {v['help']}: {v['nodes'][0]['html']}" for v in found if v["impact"] in ("serious", "critical")]
    assert not serious, serious


def shown(page):
    return page.run("return [...document.querySelectorAll('details.path:not([hidden]) > summary > code')].map(e => e.textContent)")


def reads_and_tries(page, server, out):
    page.open(server.url + "docs")
    page.wait(lambda: len(shown(page)) > 30, "the paths")
    page.type("#find", "chat completions")
    page.wait(lambda: shown(page) == ["/v1/chat/completions"], "one path")
    page.click("details.path:not([hidden]) > summary")
    page.wait(lambda: "max_completion_tokens" in page.text("details[open]"), "the fields of the body")
    page.clear("#find")
    page.type("#find", "/api/v1/search")
    page.wait(lambda: "/api/v1/search" in shown(page), "the search")
    page.run("document.querySelectorAll('details.path:not([hidden])')[1].open = true")
    page.wait(lambda: page.run("return !!document.querySelectorAll('details.path:not([hidden])')[1].querySelector('button')"), "a trial")
    page.run("const part = document.querySelectorAll('details.path:not([hidden])')[1]; part.querySelector('input').value = '/api/v1/search?text=incep';"
             "part.querySelector('button').click()")
    page.wait(lambda: page.run("return [...document.querySelectorAll('pre')].some(e => e.textContent.includes('Inception'))"), "an answer")
    page.screenshot(out / "docs.png")


def main():
    program, demo, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    with Browser() as page:
        server = Server(program, ["--db", demo / "kg.db", "--run", demo / "agent", "--name", "films"])
        try:
            page.size(1280, 900)
            reads_and_tries(page, server, out)
            if len(sys.argv) > 4:
                accessible(page, sys.argv[4])
            assert not page.problems(), "the console complains"
            page.size(390, 800)
            assert page.run("return document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
            page.screenshot(out / "docs_phone.png")
        except BaseException:
            page.screenshot(out / "docs_failed.png")
            print(page.problems(), file=sys.stderr)
            raise
        finally:
            server.stop()
    print("the page of the API holds")


main()
