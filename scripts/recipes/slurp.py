#!/usr/bin/env python3
"""SLURP, or a list of spoken orders in its form, to a manifest of utterances with intents and slots. No table
of the papers is on SLURP: the rows of the thesis' table 4.1 are trained on it.

  scripts/recipes/slurp.py FOLDER OUT [--audio FOLDER] [--synthetic] [--teacher BERT] [--student WAV2VEC2]
                           [--align MANIFEST] [--rows ...] [--run]

FOLDER holds dataset/slurp/{train,devel,test}.jsonl (or these files themselves) and audio/slurp_real, with
--synthetic also train_synthetic.jsonl and audio/slurp_synth. A line is an object with sentence, intent (or
scenario and action), tokens, entities (type and span: places of tokens) and recordings (file). Each
recording is an utterance; speakers come from metadata.json where it is there. Writes OUT/manifest.tsv,
OUT/align.tsv and OUT/{train,dev}.txt."""

import json

from corpus import CorpusError, Recipe, lines_of, need_file, need_folder, one_of, perform
from understanding import add_encoder_options, add_understanding_commands, spoken, write_manifests


def objects(path):
    for number, line in lines_of(path):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise CorpusError(
                f"{path}:{number}: is no json ({error.msg}); download the file again"
            ) from error
        if not isinstance(item, dict):
            raise CorpusError(f"{path}:{number}: is no object; each line must be one utterance's")
        yield number, item


def speakers_of(path):
    """The speaker of each file, by metadata.json."""
    if not path.is_file():
        return {}
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    return {
        name: str(recording.get("usrid", ""))
        for entry in entries.values()
        for name, recording in entry.get("recordings", {}).items()
    }


def slots_of(item):
    surfaces = [token["surface"] for token in item["tokens"]]
    return [
        [entity["type"], " ".join(surfaces[place] for place in entity["span"])] for entity in item["entities"]
    ]


def utterances(path, split, audio, speakers):
    for number, item in objects(path):
        where = f"{path}:{number}"
        try:
            intent = item["intent"] if "intent" in item else f"{item['scenario']}_{item['action']}"
            slots = json.dumps(slots_of(item), ensure_ascii=False, separators=(",", ":"))
            text = " ".join(item["sentence"].split())
            files = [recording["file"] for recording in item["recordings"]]
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise CorpusError(
                f"{where}: lacks what an utterance needs ({type(error).__name__}: {error}); see --help "
                "for the keys"
            ) from error
        for file in files:
            yield spoken(
                audio / file,
                where,
                split=split,
                speaker=speakers.get(file, ""),
                intent=intent,
                slots=slots,
                text=text,
            )


def main():
    recipe = Recipe(__doc__)
    recipe.parser.add_argument(
        "--audio", metavar="FOLDER", help="recordings (default: FOLDER/audio/slurp_real)"
    )
    recipe.parser.add_argument(
        "--synthetic", action="store_true", help="train on the synthetic recordings too"
    )
    add_encoder_options(recipe.parser)
    options = recipe.parse()
    folder = need_folder(options.folder, "dataset/slurp and audio/slurp_real")
    texts = one_of(
        [folder / "dataset/slurp/train.jsonl", folder / "train.jsonl"], "name the folder of SLURP"
    ).parent
    audio = need_folder(options.audio or folder / "audio/slurp_real", "the recordings")
    parts = [("train", "train", audio), ("devel", "dev", audio), ("test", "test", audio)]
    if options.synthetic:
        parts.insert(
            1, ("train_synthetic", "train", need_folder(folder / "audio/slurp_synth", "the recordings"))
        )
    speakers = speakers_of(texts / "metadata.json")
    files = [
        (need_file(texts / f"{name}.jsonl", "download all parts"), split, place)
        for name, split, place in parts
    ]
    write_manifests(
        recipe, (row for path, split, place in files for row in utterances(path, split, place, speakers))
    )
    add_understanding_commands(recipe, ("intent", "slots"), {})
    recipe.finish()


if __name__ == "__main__":
    perform(main)
