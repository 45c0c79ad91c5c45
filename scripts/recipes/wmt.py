#!/usr/bin/env python3
"""WMT's news translation to line-aligned text, and the translators of Hiformer (table III), GTRANS (table II)
and the thesis (table 3.1).

  scripts/recipes/wmt.py FOLDER OUT [--pair en-de] [--train europarl-v7,...] [--dev newstest2013]
                         [--test newstest2014] [--rows ...] [--run]

FOLDER holds, at any depth, training text as two files NAME.de-en.de and NAME.de-en.en or as a table
NAME.de-en.tsv[.gz] (languages in the name's order), and sets as NAME-...src.en.sgm and NAME-...ref.de.sgm,
as NAME.en and NAME.de, or as a table NAME.tsv of source and target. Other corpora in these forms will do:
with `--train train --dev dev --test test` JRC-Acquis. Writes OUT/{train,dev,test}.LANG."""

from corpus import CorpusError, Recipe, Row, need_folder, perform
from parallel_text import (
    add_pair_options,
    add_translation_commands,
    cleaned,
    grouped_rows,
    languages_of,
    pairs_of_lines,
    pairs_of_segments,
    pairs_of_table,
    write_pairs,
)


def training_files(folder, languages):
    """By name each text of the pair: two files, or a file and whether its columns are swapped."""
    found = {}
    for pair in (languages, languages[::-1]):
        name = "-".join(pair)
        for path in sorted(folder.rglob(f"*.{name}.{languages[0]}")):
            found[path.name.removesuffix(f".{name}.{languages[0]}")] = (
                path,
                path.with_suffix("." + languages[1]),
            )
        for ending in (f".{name}.tsv", f".{name}.tsv.gz"):
            for path in sorted(folder.rglob("*" + ending)):
                found[path.name.removesuffix(ending)] = (path, pair != languages)
    return found


def training_pairs(folder, languages, names):
    known = training_files(folder, languages)
    for name in names or sorted(known):
        if name not in known:
            yield from set_pairs(folder, languages, name)
        elif isinstance(known[name][1], bool):
            yield from pairs_of_table(*known[name])
        else:
            yield from pairs_of_lines(*known[name])


def set_pairs(folder, languages, name):
    """A set for development or test, or a training text that is named so."""
    source, target = languages
    for pattern in (f"{name}-*src.{source}.sgm", f"{name}.{source}", f"{name}.tsv", f"{name}.txt"):
        files = sorted(folder.rglob(pattern))
        files = [path for path in files if pattern.startswith(f"{name}.") or fits(path, languages)]
        if len(files) > 1:
            raise CorpusError(f"{folder}: holds both {files[0]} and {files[1]}; name the folder of one")
        if not files:
            continue
        if pattern.endswith(".sgm"):
            reference = files[0].name.replace(f"src.{source}.sgm", f"ref.{target}.sgm")
            return pairs_of_segments(files[0], files[0].with_name(reference))
        if pattern.endswith(source):
            return pairs_of_lines(files[0], files[0].with_name(f"{name}.{target}"))
        return pairs_of_table(files[0], False)
    raise CorpusError(
        f"{folder}: holds no {name}-*src.{source}.sgm, {name}.{source}, {name}.tsv or {name}.txt; name "
        "what is there with --train, --dev and --test"
    )


def fits(path, languages):
    """newstest2014-deen-src.en.sgm is of one pair, newstest2013-src.en.sgm of all pairs from English."""
    marks = path.name.split("-")[1:-1]
    return not marks or marks[0] in ("".join(languages), "".join(languages[::-1]))


def table_of(pair, test):
    """The papers' rows; the plain networks alone where the test is another one than theirs."""
    cased = ("vocabulary.lower=false",)
    if test != "newstest2014" or pair not in ("en-de", "en-fr"):
        plain = ("base_paper", "hiformer_concat_paper", "hiformer_sum_paper")
        return [Row(preset.removesuffix("_paper"), preset, cased) for preset in plain]
    table = []
    if pair == "en-de":
        big = ("model.encoder.group_layers=3", "model.decoder.group_layers=2")
        slow = cased + ("trainer.accumulate=16",)
        table = [
            Row("transformer", "base_paper", cased, "Hiformer, table III: BLEU 27.42"),
            Row("hiformer_concat", "hiformer_concat_paper", cased, "Hiformer, table III: BLEU 28.24"),
            Row("hiformer_sum", "hiformer_sum_paper", cased, "Hiformer, table III: BLEU 28.07"),
            Row("big", "big_paper", slow, "GTRANS, table II, post-norm: BLEU 29.22"),
            Row("gtrans", "big_paper", slow + big, "GTRANS, table II: BLEU 30.01"),
        ]
    return table + grouped_rows("wmt", pair, cased)


def main():
    recipe = Recipe(__doc__)
    add_pair_options(recipe.parser, "en-de", 250)
    recipe.parser.add_argument(
        "--train", metavar="NAME,...", help="training texts (default: all of the pair)"
    )
    recipe.parser.add_argument(
        "--dev", default="newstest2013", metavar="NAME,...", help="default: %(default)s"
    )
    recipe.parser.add_argument(
        "--test", default="newstest2014", metavar="NAME,...", help="default: %(default)s"
    )
    options = recipe.parse()
    languages = languages_of(options.pair)
    folder = need_folder(options.folder, "what was unpacked of the training text and the sets")
    names = options.train.split(",") if options.train else None
    if not names and not training_files(folder, languages):
        raise CorpusError(
            f"{folder}: holds no training text NAME.{options.pair}.{languages[0]} or "
            f"NAME.{options.pair}.tsv; unpack it there, or name it with --train"
        )
    left_out = []
    train = cleaned(training_pairs(folder, languages, names), options.max_words, options.max_ratio, left_out)
    splits = {"train": [train]}
    for split, sets in (("dev", options.dev), ("test", options.test)):
        splits[split] = [set_pairs(folder, languages, name) for name in sets.split(",")]
    triples = ((split, a, b) for split, texts in splits.items() for pairs in texts for a, b in pairs)
    counts = write_pairs(recipe, tuple(splits), languages, triples)
    told = ", ".join(f"{split} {count}" for split, count in counts.items())
    recipe.tell(f"{recipe.out}: pairs {told}; left out of training {len(left_out)}")
    add_translation_commands(recipe, languages, table_of(options.pair, options.test), cased=True)
    recipe.finish()


if __name__ == "__main__":
    perform(main)
