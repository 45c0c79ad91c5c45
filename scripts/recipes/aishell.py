#!/usr/bin/env python3
"""AISHELL-1 to a list of recordings, and the recognizers of TASA (table 1).

  scripts/recipes/aishell.py FOLDER OUT [--rows ...] [--run]

FOLDER holds (data_aishell/)wav/{train,dev,test}/SPEAKER/*.wav and transcript/aishell_transcript_v0.8.txt.
The spaces between the words of a transcript are taken out: what counts are characters. Recordings without
a transcript are left out and counted. Writes OUT/manifest.tsv."""

from corpus import CorpusError, Recipe, Row, lines_of, need_file, need_folder, perform
from speech import add_recognition_commands, recording, write_recordings

SPLITS = ("train", "dev", "test")


def transcripts(path):
    texts = {}
    for number, line in lines_of(path):
        name, *words = line.split() if line.strip() else ("",)
        if not words:
            raise CorpusError(f"{path}:{number}: is not NAME WORDS; unpack data_aishell.tgz again")
        texts[name] = (number, "".join(words))
    return texts


def recordings(folder, path, left_out):
    texts = transcripts(path)
    for split in SPLITS:
        place = folder / "wav" / split
        files = sorted(place.glob("*/*.wav"))
        if not files:
            packed = sorted((folder / "wav").glob("*.tar.gz"))
            advice = (
                f"unpack wav/*.tar.gz ({len(packed)} are there)"
                if packed
                else "unpack data_aishell.tgz again"
            )
            raise CorpusError(f"{place}: holds no SPEAKER/*.wav; {advice}")
        for file in files:
            if file.stem in texts:
                number, text = texts[file.stem]
                yield recording(file, split, file.parent.name, text, f"{path}:{number}")
            else:
                left_out.append(file)


def table():
    pitch = ("features.pitch=true",)
    conformer, tasa = "d_tasa_conformer_paper", "model.encoder.tasa.mode="
    return [
        Row("transformer", "transformer_paper", pitch, "TASA, table 1: CER 6.10 (dev), 6.78 (test)"),
        Row("r_tasa", "r_tasa_paper", pitch, "TASA, table 1: CER 5.69, 6.21"),
        Row("d_tasa", "d_tasa_paper", pitch, "TASA, table 1: CER 5.57, 6.06"),
        Row("conformer", conformer, pitch + (tasa + "none",), "TASA, table 1: CER 5.05, 5.78"),
        Row("r_tasa_conformer", conformer, pitch + (tasa + "residual",), "TASA, table 1: CER 4.96, 5.45"),
        Row("d_tasa_conformer", conformer, pitch, "TASA, table 1: CER 4.84, 5.21"),
    ]


def main():
    recipe = Recipe(__doc__)
    options = recipe.parse()
    folder = need_folder(options.folder, "data_aishell")
    if (folder / "data_aishell").is_dir():
        folder = folder / "data_aishell"
    path = need_file(folder / "transcript/aishell_transcript_v0.8.txt", "unpack data_aishell.tgz again")
    left_out = []
    write_recordings(recipe, recordings(folder, path, left_out))
    recipe.tell(f"{len(left_out)} recordings without a transcript left out")
    add_recognition_commands(recipe, table(), ["train"], ["dev"], ["dev", "test"], "CER")
    recipe.finish()


if __name__ == "__main__":
    perform(main)
