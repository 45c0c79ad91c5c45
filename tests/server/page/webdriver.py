"""A browser through chromedriver's WebDriver protocol, with nothing but Python's own library."""
import base64
import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--hide-scrollbars"]
KEYS = {"enter": "\ue007", "down": "\ue015", "tab": "\ue004", "escape": "\ue00c"}


class Browser:
    def __init__(self, port=9515):
        self.base = f"http://127.0.0.1:{port}"
        self.profile = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        arguments = OPTIONS + [f"--user-data-dir={self.profile.name}"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        self.wait(lambda: self.send("GET", "/status")["ready"], "chromedriver")
        self.session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def ask(self, method, path, body=None):
        return self.send(method, f"/session/{self.session}{path}", {} if method == "POST" and body is None else body)

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def size(self, width, height):
        self.ask("POST", "/window/rect", {"width": width, "height": height})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, css):
        return self.ask("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.ask("POST", f"/element/{self.find(css)}/click")

    def type(self, css, text):
        self.ask("POST", f"/element/{self.find(css)}/value", {"text": text})

    def press(self, key):
        """Where the focus is."""
        element = self.ask("GET", "/element/active")[ELEMENT]
        self.ask("POST", f"/element/{element}/value", {"text": key})

    def clear(self, css):
        self.ask("POST", f"/element/{self.find(css)}/clear")

    def text(self, css):
        return self.run("const e = document.querySelector(arguments[0]); return e ? e.innerText : '';", css)

    def value(self, css):
        return self.run("return document.querySelector(arguments[0]).value", css)

    def settle(self):
        """Until two frames have been drawn: what was asked for stands on the screen."""
        self.ask("POST", "/execute/async", {"script": "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)));", "args": []})

    def screenshot(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def problems(self):
        """What the browser's console complained of."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def wait(self, condition, what, seconds=60):
        end = time.time() + seconds
        while time.time() < end:
            try:
                if found := condition():
                    return found
            except (OSError, RuntimeError):
                pass
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {what}")
