"""What the tests of scripts/recipes share. Each makes a small corpus in its official layout; what a recipe writes
is compared byte for byte, what is broken must be told with file and line, and kgwalk trains on what was written."""

import contextlib
import importlib
import io
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import wave
from unittest import mock

RECIPES = pathlib.Path(sys.argv[1]).resolve() / "recipes"
ROOT = RECIPES.parents[1]
OPTIONS = {}
for page in ("options", "ablations"):
    for section in re.split("\n##+ ", (ROOT / f"docs/reference/{page}.md").read_text()):
        title = section.partition("\n")[0].removeprefix("kgwalk ")
        OPTIONS[title] = OPTIONS.get(title, "") + section
PROGRAM = sys.argv[2] if len(sys.argv) > 2 else None
sys.dont_write_bytecode = True
sys.path.insert(0, str(RECIPES))
corpus = importlib.import_module("corpus")


def is_option(name, section):
    """Whether the page of options has it in a section, or in a part that the section shares with others."""
    if f"| `{name}` |" in section:
        return True
    parts = re.findall(r"^- `(\S+)\.\*`: \[(.+?)\]", section, re.MULTILINE)
    return any(name.startswith(f"{path}.") and is_option(name[len(path) + 1:], OPTIONS[part]) for path, part in parts)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def write_wav(path, seconds=0.3, rate=16000, pitch=440):
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = (round(9000 * math.sin(2 * math.pi * pitch * i / rate)) for i in range(round(seconds * rate)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(s.to_bytes(2, "little", signed=True) for s in samples))


def flac_header(seconds, rate=16000):
    """A flac file without sound: its length is all that a recipe reads."""
    packed = (rate << 44) | (15 << 36) | round(seconds * rate)
    return b"fLaC\x80\0\0\x22" + bytes(10) + packed.to_bytes(8, "big") + bytes(16)


class RecipeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name).resolve()
        self.corpus, self.out = self.at / "corpus", self.at / "out"

    def call(self, recipe, *arguments):
        """Exit status, standard output and what was told, of a recipe in this process: it starts sooner."""
        told, printed, status = io.StringIO(), io.StringIO(), 0
        with mock.patch.object(sys, "argv", [f"{recipe}.py", *map(str, arguments)]):
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
                try:
                    corpus.perform(importlib.import_module(recipe).main)
                except SystemExit as end:
                    status = end.code if isinstance(end.code, int) else 1
                    print("" if isinstance(end.code, int) else end.code, file=told)
        self.assertEqual([str(path) for path in self.at.rglob("*.part")], [])
        return status, printed.getvalue(), told.getvalue()

    def make(self, recipe, *arguments):
        """Runs a recipe on the corpus; its commands."""
        status, printed, told = self.call(recipe, self.corpus, self.out, *arguments)
        self.assertEqual(status, 0, told)
        self.knows(printed)
        return printed

    def knows(self, commands):
        """Every preset is there, and every setting is an option of its training."""
        for command in commands.splitlines():
            words = shlex.split(command, comments=True)
            for option, value in zip(words, words[1:]):
                if option == "--preset":
                    self.assertTrue((ROOT / f"seq2seq/presets/{words[2]}_{value}.json").is_file(), command)
                if option == "--set":
                    self.assertTrue(is_option(value.split("=")[0], OPTIONS[" ".join(words[1:4])]), command)

    def refuses(self, said, recipe, *arguments):
        """One line of what is wrong, and nothing half written."""
        arguments = arguments or (self.corpus, self.at / "broken")
        status, printed, told = self.call(recipe, *arguments)
        self.assertEqual((status, printed), (1, ""), told)
        self.assertTrue(told.splitlines()[-1].startswith(f"{recipe}.py: "), told)
        self.assertIn(said, told.replace(f"{self.at}/", ""))

    def holds(self, name, text):
        self.assertEqual((self.out / name).read_bytes().decode(), text)

    def reads(self, recipe, *arguments):
        """kgwalk trains and evaluates on what the recipe wrote."""
        if not PROGRAM:
            self.skipTest("no program was named")
        environment = dict(os.environ, KGWALK=PROGRAM, KGWALK_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
        command = [sys.executable, RECIPES / f"{recipe}.py", self.corpus, self.out, "--run", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @contextlib.contextmanager
    def broken(self, path, text):
        """Another text in a file of the corpus for a while; None takes it away."""
        path = self.corpus / path
        before = path.read_bytes()
        if text is None:
            path.unlink()
        else:
            write(path, text)
        try:
            yield
        finally:
            write(path, before)

    def table(self, name, columns, *rows):
        text = "".join("\t".join(row) + "\n" for row in (columns.split(), *rows))
        self.holds(name, text.replace("AT/", f"{self.corpus}/"))


WORDS = "der hund die katze ein haus und wir sehen das wasser am morgen".split()


def sentence(i, language):
    words = [WORDS[(i * k + k) % len(WORDS)] for k in range(1, 5 + i % 3)]
    return " ".join(words if language == "de" else [word.upper() for word in words])


def small(model, *stacks):
    """Options that make a row's network as small as it gets and train it for one pass."""
    sizes = ("layers=1", "width=16", "heads=4", "ffn_width=16")
    settings = ["trainer.max_epochs=1", *(f"{model}.{stack}.{size}" for stack in stacks for size in sizes)]
    return [part for setting in settings for part in ("--set", setting)]
