#!/usr/bin/env python3
"""Recipes of text: translation, language models, summaries.

Usage: text_test.py SCRIPTS_FOLDER [PROGRAM]     without PROGRAM nothing is trained"""

import hashlib
import sys
import unittest

from recipe_case import RecipeTest, sentence, small, write


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
                f'{{"id": "{name}", "dialogue": "{article}", '
                f'"summary": "First {sentence(k, "de")} . Second ."}}'
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
