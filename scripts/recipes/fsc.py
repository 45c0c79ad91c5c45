#!/usr/bin/env python3
"""Fluent Speech Commands to a manifest of utterances, and the intent column of the thesis' tables 4.1 to 4.3.

  scripts/recipes/fsc.py FOLDER OUT [--teacher BERT] [--student WAV2VEC2] [--align MANIFEST] [--rows ...]
                         [--run]

FOLDER holds data/{train,valid,test}_data.csv with the columns path, speakerId, transcription, action,
object and location, and the wavs that they name. The intent is action, object and location together, as
SUPERB scores it. Writes OUT/manifest.tsv, OUT/align.tsv and the transcripts OUT/{train,dev}.txt."""

from corpus import Recipe, need_file, need_folder, perform, records_of
from understanding import INTENT, add_encoder_options, add_understanding_commands, spoken, write_manifests

SPLITS = {"train": "train", "valid": "dev", "test": "test"}
COLUMNS = ("path", "speakerId", "transcription", "action", "object", "location")


def utterances(folder):
    for name, split in SPLITS.items():
        path = need_file(folder / "data" / f"{name}_data.csv", "name the folder that holds data and wavs")
        for number, record in records_of(path, COLUMNS):
            intent = "|".join(record[column].strip() for column in ("action", "object", "location"))
            yield spoken(
                folder / record["path"],
                f"{path}:{number}",
                split=split,
                speaker=record["speakerId"],
                intent=intent,
                text=" ".join(record["transcription"].split()),
            )


def main():
    recipe = Recipe(__doc__)
    add_encoder_options(recipe.parser)
    options = recipe.parse()
    folder = need_folder(options.folder, "data and wavs")
    write_manifests(recipe, utterances(folder))
    paper = {name: f"thesis, tables 4.1 to 4.3: accuracy {score}" for name, score in INTENT.items()}
    add_understanding_commands(recipe, ("intent",), paper)
    recipe.finish()


if __name__ == "__main__":
    perform(main)
