#!/usr/bin/env python3
"""IWSLT's talks (2014, 2017) to line-aligned text, and the translators of GTRANS (tables II, III, figure 3)
and of the thesis (table 3.1).

  scripts/recipes/iwslt.py FOLDER OUT [--pair de-en] [--dev dev2010] [--test tst2010,...] [--rows ...] [--run]

FOLDER holds train.tags.SRC-TGT.LANG and IWSLT*.NAME.SRC-TGT.LANG.xml, or line-aligned train.LANG, dev.LANG
and test.LANG. Of the talks' marks, titles and descriptions are kept as text, as fairseq's preparation
does, which the papers share: every 23rd pair is for development, and the test is dev2010, dev2012 (it:
dev2014), tst2010, tst2011 and tst2012. Writes OUT/{train,dev,test}.LANG."""

import re

from corpus import CorpusError, Recipe, Row, lines_of, need_folder, perform
from parallel_text import (
    add_pair_options,
    add_translation_commands,
    cleaned,
    grouped_rows,
    languages_of,
    paired,
    pairs_of_lines,
    pairs_of_segments,
    write_pairs,
)

DEV_EVERY = 23
NO_TEXT = re.compile(r"\s*</?(url|keywords|speaker|talkid|reviewer|translator|doc)\b")
MARKS = re.compile(r"</?(title|description)>")


def spoken(path):
    """The lines of train.tags.* that are text."""
    for number, line in lines_of(path):
        if not NO_TEXT.match(line):
            yield number, MARKS.sub("", line).strip()


def found(folder, pattern, pair, language):
    """The file of this name for a pair, which may be named in either direction."""
    for name in (pair, "-".join(reversed(pair.split("-")))):
        files = sorted(folder.rglob(pattern.format(pair=name, language=language)))
        if len(files) > 1:
            raise CorpusError(f"{folder}: holds both {files[0]} and {files[1]}; name the folder of one")
        if files:
            return files[0]
    raise CorpusError(
        f"{folder}: holds no {pattern.format(pair=pair, language=language)}; unpack the archive of {pair} "
        "there, or name its sets with --dev and --test"
    )


def marked_sources(folder, options, left_out):
    """(split, pairs) of the files with marks."""
    languages = languages_of(options.pair)
    tags = [found(folder, "train.tags.{pair}.{language}", options.pair, language) for language in languages]
    train = cleaned(
        paired(spoken(tags[0]), spoken(tags[1]), tags), options.max_words, options.max_ratio, left_out
    )

    def sets(split, names):
        for name in names.split(","):
            files = [
                found(folder, f"*.{name}.{{pair}}.{{language}}.xml", options.pair, language)
                for language in languages
            ]
            yield split, pairs_of_segments(*files)

    if options.dev:
        yield "train", train
        yield from sets("dev", options.dev)
    else:
        yield None, train
    second = "dev2014" if "it" in languages else "dev2012"
    yield from sets("test", options.test or f"dev2010,{second},tst2010,tst2011,tst2012")


def aligned_sources(folder, options, left_out):
    for split in ("train", "dev", "test"):
        pairs = pairs_of_lines(*(folder / f"{split}.{language}" for language in languages_of(options.pair)))
        yield split, (
            cleaned(pairs, options.max_words, options.max_ratio, left_out) if split == "train" else pairs
        )


def triples(sources):
    """(split, source, target); pairs of no split are dealt."""
    for split, pairs in sources:
        for number, (a, b) in enumerate(pairs, 1):
            yield split or ("train" if number % DEV_EVERY else "dev"), a, b


def table_of(pair):
    settings = ("vocabulary.size=10000", "trainer.adam.weight_decay=0.0001")
    table = grouped_rows("iwslt", pair, settings)
    if pair == "de-en":
        flat = ("model.encoder.group_layers=0", "model.decoder.group_layers=0")
        table += [
            Row("post_norm", "gtrans_paper", flat, "GTRANS, table II: BLEU 34.27"),
            Row("gtrans", "gtrans_paper", (), "GTRANS, table II: BLEU 35.32"),
            Row("post_norm_12", "gtrans_12_paper", flat, "GTRANS, table III: BLEU 35.12"),
            Row("gtrans_12", "gtrans_12_paper", (), "GTRANS, table III: BLEU 35.68"),
            Row("gtrans_60", "gtrans_60_paper", (), "GTRANS, figure 3: BLEU 35.55"),
        ]
    return table or [Row("vanilla", "ght_paper", settings + ("heads.groups=0",))]


def main():
    recipe = Recipe(__doc__)
    add_pair_options(recipe.parser, "de-en", 175)
    recipe.parser.add_argument(
        "--dev", metavar="NAME,...", help="sets for development instead of every 23rd pair"
    )
    recipe.parser.add_argument("--test", metavar="NAME,...", help="sets to test on instead of the papers'")
    options = recipe.parse()
    languages = languages_of(options.pair)
    folder = need_folder(options.folder, f"train.tags.{options.pair}.{languages[0]}")
    left_out = []
    aligned = (folder / f"train.{languages[0]}").is_file()
    sources = (aligned_sources if aligned else marked_sources)(folder, options, left_out)
    counts = write_pairs(recipe, ("train", "dev", "test"), languages, triples(sources))
    told = ", ".join(f"{split} {count}" for split, count in counts.items())
    recipe.tell(f"{recipe.out}: pairs {told}; left out of training {len(left_out)}")
    add_translation_commands(recipe, languages, table_of(options.pair), cased=False)
    recipe.finish()


if __name__ == "__main__":
    perform(main)
