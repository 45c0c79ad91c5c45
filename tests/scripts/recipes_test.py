#!/usr/bin/env python3
"""The recipes of scripts/recipes: each on a small corpus in its official layout. What they write is compared byte for
byte, what is broken must be told with file and line, and kgwalk trains on what was written.

Usage: recipes_test.py SCRIPTS_FOLDER [PROGRAM]     without PROGRAM nothing is trained"""

import contextlib
import hashlib
import importlib
import io
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest
import wave
from unittest import mock

RECIPES = pathlib.Path(sys.argv[1]).resolve() / "recipes"
ROOT = RECIPES.parents[1]
OPTIONS = {
    section.partition("\n")[0].removeprefix("kgwalk "): section
    for section in (ROOT / "docs/reference/options.md").read_text().split("\n## ")
}
PROGRAM = sys.argv[2] if len(sys.argv) > 2 else None
sys.dont_write_bytecode = True
sys.path.insert(0, str(RECIPES))
corpus = importlib.import_module("corpus")


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
        """Exit status, standard output and what was told, of a recipe within this process: starting one takes longer."""
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
                    self.assertIn(f"`{value.split('=')[0]}`", OPTIONS[" ".join(words[1:4])], command)

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


class Iwslt(RecipeTest):
    def setUp(self):
        super().setUp()
        for language in ("de", "en"):
            lines = [sentence(i, language) for i in range(1, 70)]
            lines[30] = "&amp; wie\u2028es ist" if language == "de" else "& as it is"
            lines[40] = "" if language == "de" else "NOTHING"
            lines[41] = "kurz" if language == "de" else "MUCH LONGER"
            marks = "<url>http://x</url>\n<keywords>a, b</keywords>\n<talkid>1</talkid>\n"
            marks += f"<title>Titel {language}</title>\n<description>Was es ist</description>\n"
            write(self.corpus / f"de-en/train.tags.de-en.{language}", marks + "\n".join(lines) + "\n")
            for name in ("TED.dev2010", "TEDX.dev2012", "TED.tst2010", "TED.tst2011", "TED.tst2012"):
                write(
                    self.corpus / f"de-en/IWSLT14.{name}.de-en.{language}.xml",
                    f'<?xml version="1.0"?>\n<doc docid="1">\n<seg id="1"> {name} &amp; {language} </seg>\n'
                    f'<seg id="2">zwei</seg>\n</doc>\n',
                )

    def test_talks_become_the_papers_splits(self):
        commands = self.make("iwslt")
        for language in ("de", "en"):
            kept = [f"Titel {language}", "Was es ist"] + [sentence(i, language) for i in range(1, 70)]
            kept[32] = "&amp; wie\u2028es ist" if language == "de" else "& as it is"
            del kept[42:44]
            self.holds(f"dev.{language}", "".join(kept[i] + "\n" for i in (22, 45, 68)))
            self.holds(
                f"train.{language}", "".join(s + "\n" for i, s in enumerate(kept) if i not in (22, 45, 68))
            )
            names = ("TED.dev2010", "TEDX.dev2012", "TED.tst2010", "TED.tst2011", "TED.tst2012")
            self.holds(f"test.{language}", "".join(f"{name} & {language}\nzwei\n" for name in names))
        self.assertIn("--preset gtrans_paper --train", commands)
        self.assertIn("--set heads.alpha=0.7 --set heads.beta=0.5 --set heads.feature=value", commands)
        self.assertLess(
            commands.index("runs/ght_ps_begin "), commands.index(f"--pillars {self.out}/runs/ght_ps_begin")
        )

    def test_sets_can_be_named(self):
        self.make("iwslt", "--dev", "dev2010", "--test", "tst2010,tst2011")
        self.holds("dev.de", "TED.dev2010 & de\nzwei\n")
        self.holds("test.en", "TED.tst2010 & en\nzwei\nTED.tst2011 & en\nzwei\n")
        self.refuses(
            "corpus: holds no *.tst2099.de-en.de.xml", "iwslt", self.corpus, self.out, "--test", "tst2099"
        )
        self.refuses("--pair de: is no pair", "iwslt", self.corpus, self.out, "--pair", "de")

    def test_line_aligned_text_will_do(self):
        for split in ("train", "dev", "test"):
            for language in ("de", "en"):
                write(self.corpus / f"{split}.{language}", f"{split} {language}\n\n")
        self.make("iwslt")
        self.holds("train.de", "train de\n")
        self.holds("test.en", "test en\n\n")
        with self.broken("test.en", "a\n"):
            self.refuses("corpus/test.en: ends after 1 sentences, corpus/test.de has more", "iwslt")

    def test_what_is_broken_is_told(self):
        self.refuses("nowhere: there is no such folder", "iwslt", self.at / "nowhere", self.out)
        xml = "de-en/IWSLT14.TED.tst2010.de-en.de.xml"
        with self.broken(xml, '<seg id="1">eins</seg>\n'):
            self.refuses(f"corpus/{xml}: ends after 1 sentences", "iwslt")
        with self.broken(xml, '<seg id="1">eins</seg>\n<seg id="2">zwei\n</seg>\n'):
            self.refuses(f"corpus/{xml}:2: the segment is not", "iwslt")
        with self.broken(xml, "<doc>\n"):
            self.refuses(f"corpus/{xml}: has no <seg>", "iwslt")
        with self.broken("de-en/train.tags.de-en.en", b"ab\n\xffc\n"):
            self.refuses("corpus/de-en/train.tags.de-en.en:2: byte 1 is no UTF-8", "iwslt")
        with self.broken("de-en/train.tags.de-en.en", None):
            self.refuses("corpus: holds no train.tags.de-en.en; unpack", "iwslt")

    def test_kgwalk_trains_with_pillars(self):
        options = ("--set", "vocabulary.size=64", "--set", "heads.refresh=1")
        self.reads("iwslt", "--rows", "ght_ps", "--", *small("model", "encoder", "decoder"), *options)


class Wmt(RecipeTest):
    def setUp(self):
        super().setUp()
        write(self.corpus / "training/europarl-v7.de-en.de", "eins\nzwei drei vier\n")
        write(self.corpus / "training/europarl-v7.de-en.en", "one\ntwo\n")
        write(self.corpus / "news-commentary-v15.de-en.tsv", "fünf\tfive\textra\n\tempty\n")
        write(self.corpus / "dev/newstest2013.de", "dev de\n")
        write(self.corpus / "dev/newstest2013.en", "dev en\n")
        for side, language in (("src", "en"), ("ref", "de"), ("src", "de"), ("ref", "en")):
            write(
                self.corpus / f"test-full/newstest2014-deen-{side}.{language}.sgm",
                f'<srcset setid="x">\n<hl>\n<seg id="1">{side} {language}</seg>\n</hl>\n</srcset>\n',
            )
        write(self.corpus / "test-full/newstest2014-fren-src.en.sgm", '<seg id="1">no</seg>\n')

    def test_texts_and_sets_are_found(self):
        commands = self.make("wmt")
        self.holds("train.en", "one\nfive\n")
        self.holds("train.de", "eins\nfünf\n")
        self.holds("dev.en", "dev en\n")
        self.holds("test.en", "src en\n")
        self.holds("test.de", "ref de\n")
        self.assertIn("--preset hiformer_concat_paper --train", commands)
        self.assertIn("--mixed-case", commands)
        self.make("wmt", "--pair", "de-en", "--train", "europarl-v7", "--max-ratio", "0")
        self.holds("train.de", "eins\nzwei drei vier\n")
        self.holds("test.de", "src de\n")

    def test_other_corpora_in_these_forms_will_do(self):
        for split in ("train", "dev", "test"):
            write(self.corpus / f"{split}.tsv", f"{split} en\t{split} de\n")
        commands = self.make("wmt", "--train", "train", "--dev", "dev", "--test", "test")
        self.assertNotIn("table III", commands)
        self.holds("train.en", "train en\n")
        self.holds("test.de", "test de\n")

    def test_what_is_broken_is_told(self):
        with self.broken("news-commentary-v15.de-en.tsv", "a\tb\nc\n"):
            self.refuses("corpus/news-commentary-v15.de-en.tsv:2: has no tab", "wmt")
        with self.broken("training/europarl-v7.de-en.en", "one\n"):
            self.refuses("corpus/training/europarl-v7.de-en.en: ends after 1 sentences", "wmt")
        with self.broken("dev/newstest2013.de", None):
            self.refuses("corpus/dev/newstest2013.de: there is no such file", "wmt")
        self.refuses(
            "corpus: holds no newstest2020-*src.en.sgm", "wmt", self.corpus, self.out, "--dev", "newstest2020"
        )
        self.refuses("corpus: holds no training text", "wmt", self.corpus, self.out, "--pair", "en-cs")
        write(self.corpus / "a.de-en.tsv.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\3")
        self.refuses(
            "corpus/a.de-en.tsv.gz: cannot be unpacked",
            "wmt",
            self.corpus,
            self.at / "broken",
            "--train",
            "a",
        )


class WikiText(RecipeTest):
    def setUp(self):
        super().setUp()
        for i, split in enumerate(("train", "valid", "test")):
            lines = [" \n", " = Title = \n", " \n"] + [
                f" {sentence(k + i, 'de')} @-@ <unk> . \n" for k in range(40)
            ]
            write(self.corpus / f"wiki.{split}.tokens", "".join(lines))

    def test_lines_keep_their_number(self):
        commands = self.make("wikitext103")
        lines = ["", "= Title =", ""] + [f"{sentence(k + 2, 'de')} @-@ <unk> ." for k in range(40)]
        self.holds("test.txt", "".join(line + "\n" for line in lines))
        self.assertIn("--preset base_paper --train", commands)
        self.assertIn(f"--preset ght_paper --pillars {self.out}/runs/ght --train", commands)

    def test_a_missing_file_is_told(self):
        with self.broken("wiki.valid.tokens", None):
            self.refuses("corpus/wiki.valid.tokens: there is no such file; unpack", "wikitext103")

    def test_kgwalk_reads_it(self):
        self.reads("wikitext103", "--rows", "tiny", "--", "--set", "trainer.max_epochs=1")


class CnnDailyMail(RecipeTest):
    def setUp(self):
        super().setUp()
        for i, split in enumerate(("train", "val", "test")):
            urls = [f"http://web/{split}/{k}.html" for k in range(30 if split == "train" else 2)]
            write(self.corpus / f"url_lists/all_{split}.txt", "\n".join(urls) + "\n")
            for k, url in enumerate(urls):
                name = hashlib.sha1(url.encode()).hexdigest()
                text = f'Editor\'s note: he said "{sentence(k + i, "de")}"\n\nNo end\n\n'
                text += f"@highlight\n\nFirst {sentence(k, 'de')}\n\n@highlight\n\nSecond .\n"
                write(self.corpus / ("cnn", "dailymail")[k % 2] / f"stories/{name}.story", text)

    def test_stories_become_articles_and_summaries(self):
        commands = self.make("cnn_dm")
        items = []
        for k in range(2):
            name = hashlib.sha1(f"http://web/val/{k}.html".encode()).hexdigest()
            article = f'Editor\'s note: he said \\"{sentence(k + 1, "de")}\\" No end .'
            items.append(
                f'{{"id": "{name}", "dialogue": "{article}", "summary": "First {sentence(k, "de")} . Second ."}}'
            )
        self.holds("dev.json", "[\n" + ",\n".join(items) + "\n]\n")
        self.assertIn(f"--config {self.out}/paper.json", commands)

    def test_tables_will_do(self):
        for name in ("train", "validation", "test"):
            write(
                self.corpus / f"{name}.csv",
                'id,article,highlights\r\na,"One, ""two"".\r\nThree.","Four\nFive."\r\n',
            )
        self.make("cnn_dm")
        self.holds(
            "test.json",
            '[\n{"id": "a", "dialogue": "One, \\"two\\". Three.", "summary": "Four . Five."}\n]\n',
        )
        with self.broken("test.csv", "id,article,highlights\na,b\n"):
            self.refuses("corpus/test.csv:2: has 2 fields, the first line 3", "cnn_dm")
        with self.broken("test.csv", "id,article\na,b\n"):
            self.refuses("corpus/test.csv:1: has no column 'highlights'", "cnn_dm")
        with self.broken("test.csv", 'id,article,highlights\na,"b'):
            self.refuses("corpus/test.csv:2: unexpected end of data", "cnn_dm")

    def test_what_is_broken_is_told(self):
        name = hashlib.sha1(b"http://web/test/1.html").hexdigest()
        with self.broken(f"dailymail/stories/{name}.story", None):
            self.refuses("corpus/url_lists/all_test.txt:2: there is neither corpus/cnn/stories", "cnn_dm")
        with self.broken(f"dailymail/stories/{name}.story", "text\n"):
            self.refuses(f"corpus/dailymail/stories/{name}.story: has no @highlight", "cnn_dm")
        with self.broken("url_lists/all_val.txt", None):
            self.refuses("corpus/url_lists/cnn_wayback_validation_urls.txt: there is no such file", "cnn_dm")

    def test_kgwalk_reads_it(self):
        options = small("model.transformer", "encoder", "decoder")
        self.reads("cnn_dm", "--rows", "vanilla", "--", *options, "--set", "vocabulary.size=80")


class LibriSpeech(RecipeTest):
    SUBSETS = ("train-clean-100", "train-clean-360", "dev-clean", "test-clean")

    def setUp(self):
        super().setUp()
        for subset in self.SUBSETS:
            place = self.corpus / f"LibriSpeech/{subset}/26/495"
            write(place / "26-495.trans.txt", "26-495-0000 HE SAID\n26-495-0001 WE'LL SEE\n")
            for k in range(2):
                write(place / f"26-495-000{k}.flac", flac_header(900))

    def rows(self, subset, split=None):
        file = f"AT/LibriSpeech/{subset}/26/495/26-495-000"
        return [
            (f"{file}0.flac", split or subset, "26", "HE SAID"),
            (f"{file}1.flac", split or subset, "26", "WE'LL SEE"),
        ]

    def test_subsets_are_splits(self):
        commands = self.make("librispeech", "--align-hours", "0.5")
        everything = [row for subset in self.SUBSETS for row in self.rows(subset)]
        self.table("manifest.tsv", "path split speaker text", *everything)
        aligned = sorted((self.out / "align.tsv").read_text().splitlines()[1:3])
        self.assertEqual(
            aligned,
            [
                "\t".join(row).replace("AT/", f"{self.corpus}/")
                for row in self.rows("train-clean-360", "align")
            ],
        )
        self.assertIn(f"--train '{self.out}/manifest.tsv#split=train-clean-100' --train", commands)
        self.assertIn("--preset chiformer_paper", commands)

    def test_what_is_broken_is_told(self):
        self.refuses(
            "train-clean-360: has 0.50 hours only", "librispeech", self.corpus, self.out, "--align-hours", "2"
        )
        place = "LibriSpeech/dev-clean/26/495"
        with self.broken(f"{place}/26-495-0001.flac", None):
            self.refuses(
                f"{place}/26-495.trans.txt:2: there is no corpus/{place}/26-495-0001.flac", "librispeech"
            )
        with self.broken(f"{place}/26-495.trans.txt", "26-495-0000\n"):
            self.refuses(f"{place}/26-495.trans.txt:1: is not NAME TEXT", "librispeech")
        self.refuses(
            "corpus/LibriSpeech/train-other-500: holds no",
            "librispeech",
            self.corpus,
            self.out,
            "--train",
            "train-other-500",
        )
        with self.broken("LibriSpeech/train-clean-360/26/495/26-495-0000.flac", b"RIFF"):
            self.refuses(
                "26-495-0000.flac: is no flac file",
                "librispeech",
                self.corpus,
                self.out,
                "--align-hours",
                "0.5",
            )


class Aishell(RecipeTest):
    def setUp(self):
        super().setUp()
        lines = []
        for i, split in enumerate(("train", "dev", "test")):
            for k in range(6 if split == "train" else 2):
                name = f"BAC009S000{i}W000{k}"
                write_wav(
                    self.corpus / f"data_aishell/wav/{split}/S000{i}/{name}.wav", pitch=300 + 200 * (k % 2)
                )
                lines.append(f"{name} 而 对 楼市\n" if k % 2 else f"{name} 成交\n")
        write_wav(self.corpus / "data_aishell/wav/dev/S0001/BAC009S0001W0009.wav")
        write(self.corpus / "data_aishell/transcript/aishell_transcript_v0.8.txt", "".join(lines))

    def test_spaces_go_and_recordings_without_text(self):
        commands = self.make("aishell")
        rows = [
            (
                f"AT/data_aishell/wav/{split}/S000{i}/BAC009S000{i}W000{k}.wav",
                split,
                f"S000{i}",
                "而对楼市" if k % 2 else "成交",
            )
            for i, split in enumerate(("train", "dev", "test"))
            for k in range(2 if i else 6)
        ]
        self.table("manifest.tsv", "path split speaker text", *rows)
        self.assertIn("--set model.encoder.tasa.mode=residual", commands)

    def test_what_is_broken_is_told(self):
        transcript = "data_aishell/transcript/aishell_transcript_v0.8.txt"
        with self.broken(transcript, "BAC009S0000W0000 成交\nBAC\n"):
            self.refuses(f"{transcript}:2: is not NAME WORDS", "aishell")
        for file in (self.corpus / "data_aishell/wav/test").rglob("*.wav"):
            file.unlink()
        write(self.corpus / "data_aishell/wav/S0764.tar.gz", b"")
        self.refuses(
            "corpus/data_aishell/wav/test: holds no SPEAKER/*.wav; unpack wav/*.tar.gz (1 are there)",
            "aishell",
        )

    def test_kgwalk_reads_it(self):
        options = ("--set", "model.subsampling.channels=4", "--set", "speeds=[1]")
        self.reads("aishell", "--rows", "r_tasa", "--", *small("model", "encoder", "decoder"), *options)


class Kaldi(RecipeTest):
    def setUp(self):
        super().setUp()
        write_wav(self.corpus / "meeting.wav", seconds=1)
        write(self.corpus / "train/wav.scp", f"M1 {self.corpus}/meeting.wav\n")
        write(self.corpus / "train/segments", "M1-a M1 0.25 0.5\nM1-b M1 0.5 -1\n")
        write(self.corpus / "train/text", "M1-a he said\nM1-b <noise>\n")
        write(self.corpus / "train/utt2spk", "M1-a A\nM1-b B\n")
        write(self.corpus / "dev/wav.scp", "D1\twav/d1.wav\n")
        write_wav(self.corpus / "dev/wav/d1.wav")
        write(self.corpus / "dev/trans.txt", "D1\t厨房 用品\n")

    def arguments(self, out="out"):
        return self.at / out, f"train={self.corpus}/train", f"dev={self.corpus}/dev"

    def test_segments_are_cut(self):
        status, commands, told = self.call("kaldi", *self.arguments())
        self.assertEqual(status, 0, told)
        self.knows(commands)
        wavs = f"{self.out}/wav/train"
        self.table(
            "manifest.tsv",
            "path split speaker text",
            (f"{wavs}/M1-a.wav", "train", "A", "he said"),
            (f"{wavs}/M1-b.wav", "train", "B", "<noise>"),
            ("AT/dev/wav/d1.wav", "dev", "D1", "厨房 用品"),
        )
        with wave.open(str(self.corpus / "meeting.wav")) as whole, wave.open(f"{wavs}/M1-a.wav") as part:
            self.assertEqual((part.getnframes(), part.getframerate()), (4000, 16000))
            whole.setpos(4000)
            self.assertEqual(part.readframes(4000), whole.readframes(4000))
        with wave.open(f"{wavs}/M1-b.wav") as part:
            self.assertEqual(part.getnframes(), 8000)
        self.assertIn("--preset conformer_paper", commands)

    def test_what_is_broken_is_told(self):
        for path, text, said in (
            ("train/wav.scp", "M1 sox m.wav -t wav - |\n", "corpus/train/wav.scp:1: is a command"),
            ("train/wav.scp", "M1 /no/m.wav\n", "corpus/train/segments:1: there is no /no/m.wav"),
            (
                "train/wav.scp",
                f"M1 {self.corpus}/train/text\n",
                "corpus/train/segments:1: corpus/train/text cannot be cut",
            ),
            ("train/segments", "M1-a M1 0.25 0.5\n", "corpus/train/text:2: segments has no 'M1-b'"),
            (
                "train/segments",
                "M1-a M2 0.25 0.5\nM1-b M1 0 1\n",
                "corpus/train/segments:1: wav.scp has no 'M2'",
            ),
            ("train/segments", "M1-a M1 0.25\n", "corpus/train/segments:1: is not NAME and 3"),
            (
                "train/segments",
                "M1-a M1 1.5 2\nM1-b M1 0 1\n",
                "corpus/train/segments:1: 1.5 to 2.0 s is no part",
            ),
            (
                "train/segments",
                "M1-a M1 a 2\nM1-b M1 0 1\n",
                "corpus/train/segments:1: 'a' and '2' are no seconds",
            ),
            ("train/utt2spk", "M1-a A\nM1-a B\n", "corpus/train/utt2spk:2: 'M1-a' stands in"),
            ("train/utt2spk", "M1-a A\n", "corpus/train/text:2: utt2spk has no 'M1-b'"),
            ("dev/trans.txt", None, "corpus/dev/text: is not there"),
            ("dev/wav.scp", None, "corpus/dev/wav.scp: is not there"),
            ("dev/wav/d1.wav", None, "corpus/dev/wav.scp:1: there is no wav/d1.wav"),
        ):
            with self.subTest(said), self.broken(path, text):
                self.refuses(said, "kaldi", *self.arguments("broken"))
        self.refuses("no dev=DIR", "kaldi", self.out, f"train={self.corpus}/train")
        self.refuses("train: is not NAME=DIR", "kaldi", self.out, "train")


class FluentSpeechCommands(RecipeTest):
    HEAD = ",path,speakerId,transcription,action,object,location\n"

    def setUp(self):
        super().setUp()
        for part in ("train", "valid", "test"):
            rows = []
            for k in range(4):
                write_wav(self.corpus / f"wavs/{part}{k}.wav", pitch=300 + 300 * (k % 2))
                order = (
                    ('"Lights on,  please"', "activate,lights,none")
                    if k % 2
                    else ("Louder", "increase,volume,none")
                )
                rows.append(f"{k},wavs/{part}{k}.wav,S{k},{order[0]},{order[1]}\n")
            write(self.corpus / f"data/{part}_data.csv", self.HEAD + "".join(rows))

    def rows(self, part, split):
        return [
            (
                f"AT/wavs/{part}{k}.wav",
                split,
                f"S{k}",
                "activate|lights|none" if k % 2 else "increase|volume|none",
                "",
                "Lights on, please" if k % 2 else "Louder",
            )
            for k in range(4)
        ]

    def test_intents_are_joined(self):
        commands = self.make("fsc")
        parts = (("train", "train"), ("valid", "dev"), ("test", "test"))
        everything = [row for part, split in parts for row in self.rows(part, split)]
        self.table("manifest.tsv", "path split speaker intent slots text", *everything)
        to_align = [
            (row[0], split, row[5])
            for part, split in (("train", "align"), ("valid", "dev"))
            for row in self.rows(part, split)
        ]
        self.table("align.tsv", "path split text", *to_align)
        self.holds("train.txt", "Louder\nLights on, please\n")
        self.assertIn(
            f"--preset pad_slocal --data {self.out}/align.tsv --teacher {self.out}/runs/teacher", commands
        )
        named = self.make(
            "fsc", "--teacher", "bert", "--student", "w2v", "--align", "more.tsv", "--rows", "pad_glob"
        )
        self.assertEqual(
            named.splitlines()[2],
            f"kgwalk task slu align --run {self.out}/runs/pad_glob --preset pad_glob "
            "--data more.tsv --teacher bert --student w2v",
        )

    def test_what_is_broken_is_told(self):
        with self.broken("data/test_data.csv", self.HEAD + "0,wavs/no.wav,S,a,b,c,d\n"):
            self.refuses("corpus/data/test_data.csv:2: there is no corpus/wavs/no.wav", "fsc")
        with self.broken("data/test_data.csv", self.HEAD.replace("object", "thing")):
            self.refuses("corpus/data/test_data.csv:1: has no column 'object'", "fsc")
        with self.broken("data/test_data.csv", self.HEAD):
            self.refuses("corpus: names no utterance for test", "fsc")
        with self.broken("data/valid_data.csv", None):
            self.refuses("corpus/data/valid_data.csv: there is no such file", "fsc")

    def test_kgwalk_reads_it(self):
        self.reads("fsc", "--rows", "wav2vec2", "--", "--set", "trainer.max_epochs=1")


class Slurp(RecipeTest):
    def setUp(self):
        super().setUp()
        line = (
            '{"slurp_id": 1, "sentence": "wake me at ten", "intent": "alarm_set", "scenario": "alarm", "action": "set",'
            ' "tokens": [{"surface": "wake", "id": 0}, {"surface": "me"}, {"surface": "at"}, {"surface": "ten"}],'
            ' "recordings": [{"file": "NAME.flac", "wer": 0.0}, {"file": "NAME-headset.flac"}],'
            ' "entities": [{"span": [2, 3], "type": "time"}, {"span": [1], "type": "person"}]}\n'
        )
        for name in ("train", "devel", "test"):
            write(self.corpus / f"dataset/slurp/{name}.jsonl", line.replace("NAME", name))
            for end in ("", "-headset"):
                write(self.corpus / f"audio/slurp_real/{name}{end}.flac", flac_header(1))
        write(
            self.corpus / "dataset/slurp/metadata.json",
            '{"1": {"recordings": {"train.flac": {"usrid": "F1"}}}}',
        )

    def test_each_recording_is_an_utterance(self):
        commands = self.make("slurp")
        rows = [
            (
                f"AT/audio/slurp_real/{name}{end}.flac",
                split,
                "F1" if name + end == "train" else "",
                "alarm_set",
                '[["time","at ten"],["person","me"]]',
                "wake me at ten",
            )
            for name, split in (("train", "train"), ("devel", "dev"), ("test", "test"))
            for end in ("", "-headset")
        ]
        self.table("manifest.tsv", "path split speaker intent slots text", *rows)
        self.assertIn("--preset slots --data", commands)

    def test_what_is_broken_is_told(self):
        with self.broken("dataset/slurp/test.jsonl", "{}\n"):
            self.refuses(
                "corpus/dataset/slurp/test.jsonl:1: lacks what an utterance needs (KeyError", "slurp"
            )
        with self.broken("dataset/slurp/test.jsonl", "\n{\n"):
            self.refuses("corpus/dataset/slurp/test.jsonl:2: is no json", "slurp")
        with self.broken("audio/slurp_real/test.flac", None):
            self.refuses("test.jsonl:1: there is no corpus/audio/slurp_real/test.flac", "slurp")
        self.refuses(
            "corpus/audio/slurp_synth: there is no such folder", "slurp", self.corpus, self.out, "--synthetic"
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
