"""What tests do on the page again and again."""
from webdriver import KEYS


def count(page, css):
    return page.run("return document.querySelectorAll(arguments[0]).length", css)


def shown(page, css):
    return page.run("return document.querySelector(arguments[0]).offsetParent !== null", css)


def entries(page):
    """Turns in which a person spoke."""
    return count(page, "#log .mine:not(.saying)")


def told(page):
    """The last sentence that was answered."""
    return page.run("return [...document.querySelectorAll('#log .sentence')].at(-1)?.innerText ?? ''")


def say(page, text):
    before = entries(page)
    page.type("#say", text + KEYS["enter"])
    page.wait(lambda: entries(page) > before and page.value("#say") == "", f"the answer to {text!r}")


def choose(page, field, typed, name):
    """Types into a field with completion and takes what is marked first."""
    page.clear(field)
    page.type(field, typed)
    page.wait(lambda: name in page.text(field + " + ul"), f"completion of {typed!r}")
    page.type(field, KEYS["down"] + KEYS["enter"])
