#!/usr/bin/env python3
"""LibriSpeech to a list of recordings, and the recognizers of TASA (table 2) and Hiformer (table VI).

  scripts/recipes/librispeech.py FOLDER OUT [--train train-clean-100,...] [--align-hours 10] [--rows ...]
                                 [--run]

FOLDER holds train-clean-100, dev-clean and so on with SPEAKER/CHAPTER/SPEAKER-CHAPTER.trans.txt and a flac
file a line of it. Subsets keep their names as splits. Writes OUT/manifest.tsv; with --align-hours also
OUT/align.tsv, so many hours of train-clean-360 drawn at random, on which the thesis aligns speech with
text (recipes fsc and slurp)."""

import random

from corpus import CorpusError, Recipe, Row, lines_of, need_folder, perform, write_table
from speech import COLUMNS, add_recognition_commands, recording, write_recordings

TRAIN = ("train-clean-100", "train-clean-360", "train-other-500")
DEV = ("dev-clean", "dev-other")
TEST = ("test-clean", "test-other")


def recordings(folder, subset):
    lists = sorted((folder / subset).glob("*/*/*.trans.txt"))
    if not lists:
        raise CorpusError(
            f"{folder / subset}: holds no SPEAKER/CHAPTER/*.trans.txt; unpack {subset}.tar.gz again"
        )
    for path in lists:
        for number, line in lines_of(path):
            name, _, text = line.partition(" ")
            if not text.strip():
                raise CorpusError(f"{path}:{number}: is not NAME TEXT; unpack {subset}.tar.gz again")
            file = path.with_name(name + ".flac")
            yield recording(file, subset, path.parent.parent.name, text.strip(), f"{path}:{number}")


def seconds_of(path):
    """Length of a flac file by its header (STREAMINFO)."""
    with open(path, "rb") as file:
        head = file.read(26)
    rate = int.from_bytes(head[18:21], "big") >> 4
    if len(head) < 26 or head[:4] != b"fLaC" or rate == 0:
        raise CorpusError(f"{path}: is no flac file; unpack its archive again")
    return (int.from_bytes(head[21:26], "big") & (1 << 36) - 1) / rate


def write_alignment(recipe, folder, subset, hours, seed):
    """OUT/align.tsv: split align, and dev-clean as dev."""
    rows = list(recordings(folder, subset))
    random.Random(seed).shuffle(rows)
    chosen, seconds = [], 0.0
    for row in rows:
        if seconds >= hours * 3600:
            break
        seconds += seconds_of(row["path"])
        chosen.append(dict(row, split="align"))
    if seconds < hours * 3600:
        raise CorpusError(
            f"{folder / subset}: has {seconds / 3600:.2f} hours only; ask for fewer with --align-hours"
        )
    dev = [dict(row, split="dev") for row in recordings(folder, "dev-clean")]
    write_table(recipe.out / "align.tsv", COLUMNS, chosen + dev)
    recipe.tell(f"{recipe.out / 'align.tsv'}: {len(chosen)} utterances to align, {len(dev)} for development")


def table():
    ctc = (
        "features.pitch=true",
        "speeds=[1]",
        "model.decoder.layers=0",
        "model.ctc_weight=1",
        "units.kind=pieces",
        "units.size=5000",
        "search.method=ctc_greedy",
        "trainer.max_epochs=100",
    )
    return [
        Row(
            "transformer",
            "transformer_paper",
            ctc,
            "TASA, table 2: WER 6.11 (test-clean), 14.13 (test-other)",
        ),
        Row("r_tasa", "r_tasa_paper", ctc, "TASA, table 2: WER 5.70, 13.79"),
        Row("d_tasa", "d_tasa_paper", ctc, "TASA, table 2: WER 5.66, 13.59"),
        Row("conformer", "conformer_paper", (), "Hiformer, table VI without a language model: WER 2.8, 6.5"),
        Row("chiformer", "chiformer_paper", (), "Hiformer, table VI without a language model: WER 2.6, 6.4"),
    ]


def main():
    recipe = Recipe(__doc__)
    recipe.parser.add_argument("--train", metavar="SUBSET,...", help="default: all of train-* that are there")
    recipe.parser.add_argument(
        "--align-hours", type=float, default=0, metavar="H", help="write OUT/align.tsv too"
    )
    recipe.parser.add_argument(
        "--align-subset", default="train-clean-360", metavar="SUBSET", help="default: %(default)s"
    )
    recipe.parser.add_argument("--seed", type=int, default=1, help="of that draw (default: %(default)s)")
    options = recipe.parse()
    folder = need_folder(options.folder, "train-clean-100, dev-clean and so on")
    if (folder / "LibriSpeech").is_dir():
        folder = folder / "LibriSpeech"
    train = (
        options.train.split(",") if options.train else [name for name in TRAIN if (folder / name).is_dir()]
    )
    if not train:
        raise CorpusError(f"{folder}: holds none of {', '.join(TRAIN)}; unpack one there")
    held_out = [name for name in DEV + TEST if (folder / name).is_dir()]
    if not any(name in held_out for name in DEV):
        raise CorpusError(f"{folder}: holds neither {' nor '.join(DEV)}; unpack one there")
    write_recordings(recipe, (row for subset in train + held_out for row in recordings(folder, subset)))
    if options.align_hours > 0:
        write_alignment(recipe, folder, options.align_subset, options.align_hours, options.seed)
    add_recognition_commands(
        recipe,
        table(),
        train,
        [name for name in DEV if name in held_out],
        held_out,
        "WER on each of the subsets",
    )
    recipe.finish()


if __name__ == "__main__":
    perform(main)
