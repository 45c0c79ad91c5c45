"""Pairs of sentences as the corpora of IWSLT and WMT come: two files line by line, a table split by tabs,
or two files of marked segments; and the rows that the papers translate."""

import re
from itertools import zip_longest
from xml.sax.saxutils import unescape

from corpus import CorpusError, Row, lines_of, written

SEGMENT = re.compile(r'<seg\s+id\s*=\s*"?\s*([^"\s>]+)\s*"?\s*>(.*?)</seg>', re.IGNORECASE)
ENTITIES = {"&quot;": '"', "&apos;": "'"}


def languages_of(pair):
    parts = pair.split("-")
    if len(parts) != 2 or not all(parts):
        raise CorpusError(f"--pair {pair}: is no pair of languages; write source-target, such as de-en")
    return parts


def paired(source, target, sides):
    """Texts of two readers of (line, text), which must have as many. `sides` are the files' names."""
    for number, (a, b) in enumerate(zip_longest(source, target), 1):
        if a is None or b is None:
            short, long = (0, 1) if a is None else (1, 0)
            raise CorpusError(
                f"{sides[short]}: ends after {number - 1} sentences, {sides[long]} has more; sentence "
                "i of both must belong together: take both files from the same archive"
            )
        yield a[1], b[1]


def pairs_of_lines(source, target):
    return paired(lines_of(source), lines_of(target), (source, target))


def pairs_of_table(path, swapped):
    """The first two columns of a table split by tabs; others (scores, where it is from) are passed over."""
    for number, line in lines_of(path):
        fields = line.split("\t")
        if len(fields) < 2:
            raise CorpusError(
                f"{path}:{number}: has no tab; each line must be a sentence, a tab, and its " "translation"
            )
        yield (fields[1], fields[0]) if swapped else (fields[0], fields[1])


def segments_of(path):
    """Number and text of each <seg> of an .xml or .sgm file, each on a line of its own."""
    count = 0
    for number, line in lines_of(path):
        if "<seg" not in line.lower():
            continue
        match = SEGMENT.search(line)
        if not match:
            raise CorpusError(
                f'{path}:{number}: the segment is not <seg id="N">TEXT</seg> on one line; '
                "take the file as it was released"
            )
        count += 1
        yield number, unescape(match.group(2), ENTITIES).strip()
    if count == 0:
        raise CorpusError(f"{path}: has no <seg>; is it a source or a reference of this corpus?")


def pairs_of_segments(source, target):
    return paired(segments_of(source), segments_of(target), (source, target))


def cleaned(pairs, max_words, max_ratio, left_out):
    """Pairs as the papers train on them: no side empty, too long, or much longer than the other."""
    for a, b in pairs:
        long, short = sorted((len(a.split()), len(b.split())), reverse=True)
        if short == 0 or long > max_words or (max_ratio > 0 and long > max_ratio * short):
            left_out.append(1)
        else:
            yield a.strip(), b.strip()


def write_pairs(recipe, splits, languages, pairs):
    """Writes (split, source, target) to OUT/SPLIT.LANGUAGE; all files appear together."""
    paths = [recipe.out / f"{split}.{language}" for split in splits for language in languages]
    counts = dict.fromkeys(splits, 0)
    with written(*paths) as files:
        sides = {split: files[2 * i : 2 * i + 2] for i, split in enumerate(splits)}
        for split, a, b in pairs:
            counts[split] += 1
            for file, text in zip(sides[split], (a, b)):
                file.write(text + "\n")
        for split, count in counts.items():
            if count == 0:
                raise CorpusError(
                    f"{recipe.options.folder}: no pair is left for {split}; look at --max-ratio, "
                    "--max-words and the files that were named"
                )
    return counts


def add_pair_options(parser, pair, max_words):
    parser.add_argument("--pair", default=pair, help="source and target language (default: %(default)s)")
    parser.add_argument(
        "--max-ratio",
        type=float,
        default=1.5,
        metavar="X",
        help="training pairs with one side so many times longer are left out; 0 keeps all "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--max-words",
        type=int,
        default=max_words,
        metavar="N",
        help="training pairs with longer sides are left out (default: %(default)s)",
    )


# alpha, beta and feature map of GHT and GHT-PS: table A.1 of the thesis.
GROUPS = {
    "iwslt": {
        "de-en": ((0.7, 0.5, "value"), (0.5, 0.7, "output")),
        "it-en": ((0.3, 0.5, "value"), (0.3, 0.3, "attention")),
        "en-de": ((0.3, 0.1, "attention"), (0.3, 0.7, "output")),
        "en-it": ((0.3, 0.3, "value"), (0.3, 1, "value")),
        "en-fr": ((0.7, 0.7, "value"), (0.5, 0.3, "attention")),
    },
    "wmt": {
        "en-de": ((0.5, 0.5, "value"), (0.5, 0.5, "value")),
        "en-fr": ((0.3, 0.3, "value"), (0.3, 0.3, "value")),
    },
}
# BLEU of vanilla, GHT and GHT-PS: table 3.1 of the thesis.
GROUPED_BLEU = {
    "iwslt": {
        "de-en": (34.4, 35.4, 35.2),
        "it-en": (32.3, 32.8, 32.7),
        "en-de": (28.0, 29.1, 28.9),
        "en-it": (30.8, 31.6, 31.6),
        "en-fr": (40.1, 41.5, 41.4),
    },
    "wmt": {"en-de": (27.3, 28.6, 28.2), "en-fr": (38.1, 40.7, 40.5)},
}


def grouped_rows(benchmark, pair, settings):
    """Vanilla, GHT and GHT-PS of table 3.1. GHT-PS has groups of its own, where table A.1 gives it others."""
    if pair not in GROUPS[benchmark]:
        return []
    bleu = [f"thesis, table 3.1: BLEU {score}" for score in GROUPED_BLEU[benchmark][pair]]

    def grouped(name, groups, paper):
        alpha, beta, feature = groups
        heads = (f"heads.alpha={alpha}", f"heads.beta={beta}", f"heads.feature={feature}")
        return Row(name, "ght_paper", settings + heads, paper)

    of_ght, of_pillars = GROUPS[benchmark][pair]
    ght = grouped("ght", of_ght, bleu[1])
    begin = ght
    if of_pillars != of_ght:
        begin = grouped("ght_ps_begin", of_pillars, "the first stage of ght_ps")
    plain = Row("vanilla", "ght_paper", settings + ("heads.groups=0",), bleu[0])
    return [plain, ght, Row("ght_ps", "ght_paper", settings + ("heads.groups=0",), bleu[2], first=begin)]


def add_translation_commands(recipe, languages, table, cased):
    """Trains and evaluates each row; all but the first are tested against it (paired bootstrap)."""

    def pair(split):
        return [recipe.out / f"{split}.{language}" for language in languages]

    recipe.say(f"Scored by BLEU and chrF of whole lines, {'with case' if cased else 'lower-cased'}.")
    case = ["--mixed-case"] if cased else []
    baseline = None
    for row in recipe.rows(table):
        recipe.train("mt", row, "--train", *pair("train"), "--dev", *pair("dev"))
        output = recipe.out / f"{row.name}.{languages[1]}"
        compared = ["--baseline", baseline] if baseline else []
        recipe.command(
            "task",
            "mt",
            "eval",
            "--model",
            recipe.run_of(row.name),
            "--test",
            *pair("test"),
            *case,
            "--output",
            output,
            *compared,
        )
        baseline = baseline or output
