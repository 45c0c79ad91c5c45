"""Looking around: the picture, its table, two names side by side, and graphs that a page may stumble over."""
from asking import choose, count, entries, say
from served import HOSTILE, HUB, LETTERS, NUM_LEAVES

FRAMES = """
  const done = arguments[0], canvas = document.querySelector('#picture'), box = canvas.getBoundingClientRect();
  const at = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, clientX: box.left + x, clientY: box.top + y, bubbles: true }));
  canvas.setPointerCapture = () => {};
  at('pointerdown', 4, 4);
  const paints = [], gaps = [];
  let i = 0, before = performance.now();
  const step = (now) => {
    if (i > 3) { paints.push(Number(canvas.dataset.frameMs)); gaps.push(now - before); }
    before = now;
    if (++i > 40) { at('pointerup', 4, 4); return done([paints, gaps].map((times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)])); }
    at('pointermove', 4 + 5 * (i % 9), 4 + 3 * (i % 7));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);"""


def drawn(page):
    return int(page.run("return document.querySelector('#picture').dataset.names"))


def click_on(page, name):
    """Where a name is drawn, as its table has it: the picture is a canvas."""
    page.run("""
      const canvas = document.querySelector('#picture'), box = canvas.getBoundingClientRect(), name = arguments[0];
      canvas.setPointerCapture = () => {};
      for (let y = 2; y < box.height; y += 5)
        for (let x = 2; x < box.width; x += 5) {
          const at = (kind) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, clientX: box.left + x, clientY: box.top + y }));
          at('pointermove');
          if (canvas.title.split(' · ')[0] !== name) continue;
          at('pointerdown');
          at('pointerup');
          return;
        }
      throw new Error(name + ' is not drawn');""", name)


def around(page, shots):
    choose(page, "#look", "united states", "United States of America")
    page.wait(lambda: "14 of 251" in page.text("#about-name"), "how many are drawn of how many")
    before = drawn(page)
    assert before >= 15, before
    page.run("[...document.querySelectorAll('#about-name button')].find(b => b.innerText === 'Show 50 more').click()")
    page.wait(lambda: drawn(page) == before + 50 and "64 of 251" in page.text("#about-name"), "fifty more")
    page.settle()
    page.screenshot(shots.out / "more.png")
    choose(page, "#look", "the dark kn", "The Dark Knight")
    page.wait(lambda: page.text("#about-name strong") == "The Dark Knight", "the name that was chosen")
    page.settle()
    before = drawn(page)
    click_on(page, "Christopher Nolan")
    page.wait(lambda: page.text("#about-name strong") == "Christopher Nolan" and drawn(page) > before, "a click to go on")
    page.run("[...document.querySelectorAll('#neighbors th button')].find(b => b.innerText.startsWith('Links')).click()")
    links = page.run("return [...document.querySelectorAll('#neighbors tbody td:last-child')].map(e => Number(e.innerText))")
    assert links == sorted(links, reverse=True) and len(links) > 5, links
    choose(page, "#about-name .compare input", "titani", "Titanic")
    page.wait(lambda: "side by side" in page.text("#side"), "two names side by side")
    shots.take("side-by-side")


def unusual(page, server, out):
    """A graph whose names are markup or of many languages, and a hub of 10,000 edges."""
    page.open(server.url)
    page.wait(lambda: count(page, ".welcome"), "the welcome")
    choose(page, "#look", "img src", HOSTILE)
    page.wait(lambda: page.text("#about-name strong") == HOSTILE, "the entity of markup")
    page.run("[...document.querySelectorAll('#about-name button')].find(b => b.innerText === 'Talk about this').click()")
    page.wait(lambda: HOSTILE in page.text("#here"), "to stand on it")
    say(page, f"I like {HOSTILE}.")
    page.run("[...document.querySelectorAll('.why')].at(-1).open = true")
    page.wait(lambda: HOSTILE in page.text(".why[open]"), "the path from it")
    saved = page.ask("POST", "/execute/async", {"script": """
      const [name, done] = arguments, base = location.origin + location.pathname;
      Promise.all([import(base + 'share.js'), import(base + 'table.js')]).then(([share, tables]) => {
        const talk = { model: name, entries: [{ say: name, said: name }], turns: [{ from: name, path: [{ relation: name, tail: name }] }], license: name };
        const page = new DOMParser().parseFromString(share.webPage(talk), 'text/html');
        done([page.querySelectorAll('img').length, share.markdown(talk), tables.csv([{ title: 'a' }], [['=1+1'], ['x"y'], [3]])]);
      });""", "args": [HOSTILE]})
    assert saved[0] == 0 and "<img" not in saved[1].replace("\\<", ""), saved
    assert saved[2] == "a\r\n'=1+1\r\n\"x\"\"y\"\r\n3\r\n", saved[2]
    assert page.run("return document.images.length") == 0 and page.run("return document.title") == "kgwalk"
    for name in LETTERS:
        choose(page, "#look", name.lower()[: max(2, len(name) - 1)], name)
        page.wait(lambda: page.text("#about-name strong") == name, name)
    hub(page, out)


def hub(page, out):
    choose(page, "#look", "hub of", HUB)
    page.wait(lambda: f"{NUM_LEAVES + 1:,} links" in page.text("#about-name"), "the hub")
    page.run("[...document.querySelectorAll('#about-name button')].find(b => b.innerText === 'Talk about this').click()")
    page.wait(lambda: HUB in page.text("#here"), "to stand on the hub")
    before = entries(page)
    say(page, f"What about {HUB}?")
    assert entries(page) == before + 1
    turns = page.run("return performance.getEntriesByName('turn drawn').map(e => e.duration)")
    looked = page.run("return performance.getEntriesByName('neighborhood drawn').map(e => e.duration)")
    assert max(turns) < 50 and max(looked) < 50, (turns, looked)
    choose(page, "#look", "hub of", HUB)
    page.wait(lambda: page.text("#about-name strong") == HUB, "the hub again")
    page.run("[...document.querySelectorAll('#about-name button')].find(b => b.innerText.startsWith('Show all')).click()")
    page.wait(lambda: drawn(page) > NUM_LEAVES, "all of them")
    paint, gap = page.ask("POST", "/execute/async", {"script": FRAMES, "args": []})
    more = page.run("return performance.getEntriesByName('more drawn').map(e => e.duration)")
    elements = count(page, "*")
    print(f"a hub of {NUM_LEAVES + 1} edges: {turns[-1]:.1f} ms beside the talk, {looked[-1]:.1f} ms as a first picture; all of them drawn in "
          f"{more[-1]:.0f} ms, then {paint:.1f} ms a frame and {gap:.0f} ms between two while it is dragged (medians); {elements} elements")
    page.screenshot(out / "hub.png")
    assert paint < 50 and more[-1] < 500 and elements < 2000
