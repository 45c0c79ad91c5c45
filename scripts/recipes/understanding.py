"""Manifests of spoken orders, and the commands of the thesis' tables 4.1 to 4.3."""

import os

from corpus import CorpusError, Row, write_table, written

COLUMNS = ("path", "split", "speaker", "intent", "slots", "text")

# What the thesis has for intent (accuracy on Fluent Speech Commands).
INTENT = {
    "wav2vec2": "94.40",
    "glob_cls": "97.39",
    "glob_avr": "97.30",
    "tlocal_idf": "94.91",
    "tlocal": "95.90",
    "pad_glob": "97.68",
    "pad_tlocal": "95.90",
    "pad_slocal": "97.86",
    "slocal": "97.52",
    "pad_slocal_fixed": "97.86",
    "pad_slocal_even": "96.73",
    "pad_joint": "97.50",
}


def add_encoder_options(parser):
    parser.add_argument(
        "--teacher", metavar="FOLDER", help="BERT or ALBERT (default: one trained on the transcripts)"
    )
    parser.add_argument(
        "--student", metavar="FOLDER", help="wav2vec 2.0 (default: one pre-trained on the recordings)"
    )
    parser.add_argument(
        "--align",
        metavar="MANIFEST",
        help="pairs to align, such as align.tsv of recipe librispeech "
        "(default: the corpus' own training part)",
    )


def spoken(file, where, **columns):
    if not file.is_file():
        raise CorpusError(f"{where}: there is no {file}; unpack all of the corpus, or take the line out")
    return {"path": os.path.abspath(file), **columns}


def write_manifests(recipe, rows):
    """OUT/manifest.tsv, OUT/align.tsv (its training part to align), OUT/{train,dev}.txt (for a teacher)."""
    rows = list(rows)
    counts = {split: sum(row["split"] == split for row in rows) for split in ("train", "dev", "test")}
    for split, count in counts.items():
        if count == 0:
            raise CorpusError(
                f"{recipe.options.folder}: names no utterance for {split}; unpack all of the corpus"
            )
    write_table(recipe.out / "manifest.tsv", COLUMNS, rows)
    parts = {"train": "align", "dev": "dev"}
    write_table(
        recipe.out / "align.tsv",
        ("path", "split", "text"),
        (dict(row, split=parts[row["split"]]) for row in rows if row["split"] in parts),
    )
    for split in parts:
        with written(recipe.out / f"{split}.txt") as (file,):
            # Each sentence once, in the order of the corpus.
            for text in dict.fromkeys(row["text"] for row in rows if row["split"] == split):
                file.write(text + "\n")
    told = ", ".join(f"{split} {count}" for split, count in counts.items())
    recipe.tell(f"{recipe.out / 'manifest.tsv'}: {told}")


def add_understanding_commands(recipe, heads, paper):
    """Teacher, student, and each row: aligned, with a head of each kind on it. `paper`: figures by row."""
    manifest, options = recipe.out / "manifest.tsv", recipe.options
    recipe.say(
        "Scored by accuracy (intent) or F1 (slots) of the test part, which each training of a head ends with."
    )
    rows = recipe.rows([Row(name, name) for name in INTENT])
    teacher, student = options.teacher, options.student
    if not teacher and any(row.name != "wav2vec2" for row in rows):
        teacher = recipe.run_of("teacher")
        recipe.command(
            "task",
            "slu",
            "text",
            "--run",
            teacher,
            "--preset",
            "text",
            "--train",
            recipe.out / "train.txt",
            "--dev",
            recipe.out / "dev.txt",
            *recipe.training_options,
        )
    if not student:
        student = recipe.run_of("student")
        recipe.command(
            "task",
            "slu",
            "pretrain",
            "--run",
            student,
            "--preset",
            "pretrain",
            "--audio",
            manifest,
            *recipe.training_options,
        )
    for row in rows:
        if row.name in paper:
            recipe.say(f"{row.name}: {paper[row.name]}")
        encoder = student
        if row.name != "wav2vec2":
            encoder = recipe.run_of(row.name)
            recipe.command(
                "task",
                "slu",
                "align",
                "--run",
                encoder,
                "--preset",
                row.preset,
                "--data",
                options.align or recipe.out / "align.tsv",
                "--teacher",
                teacher,
                "--student",
                student,
                *recipe.training_options,
            )
        for head in heads:
            recipe.command(
                "task",
                "slu",
                "train",
                "--run",
                recipe.run_of(f"{row.name}.{head}"),
                "--preset",
                head,
                "--data",
                manifest,
                "--student",
                encoder,
                *recipe.training_options,
            )
