#!/usr/bin/env python3
"""Data directories of Kaldi to a list of recordings, and the recognizers of Hiformer (AMI: table V,
AISHELL-2: table VII).

  scripts/recipes/kaldi.py OUT train=DIR dev=DIR [test=DIR ...] [--rows ...] [--run]

A DIR holds wav.scp and text (or trans.txt, as in AISHELL-2), and may hold segments and utt2spk. The files
of wav.scp are wav or flac, by absolute paths or relative to DIR or to the folder one stands in. Segments
are cut out of wav files into OUT/wav/SPLIT. Writes OUT/manifest.tsv; the split is the name before =."""

import pathlib
import wave

from corpus import CorpusError, Recipe, Row, lines_of, need_folder, one_of, perform, written
from speech import add_recognition_commands, recording, write_recordings


def entries(path, fields):
    """Line, key and what follows of each line; as many fields where `fields` says so."""
    for number, line in lines_of(path):
        key, *rest = line.split(maxsplit=1) if line.strip() else ("",)
        values = rest[0].split() if rest else []
        if not key or (fields and len(values) != fields):
            raise CorpusError(
                f"{path}:{number}: is not NAME and {fields or 'what belongs to it'}; repair the directory "
                "with utils/fix_data_dir.sh"
            )
        yield number, key, values if fields else (rest[0].strip() if rest else "")


def read(path, fields=0):
    """What belongs to each name, and where it stands."""
    table = {}
    for number, key, value in entries(path, fields):
        if key in table:
            raise CorpusError(
                f"{path}:{number}: '{key}' stands in {table[key][1]} already; take one of them out"
            )
        table[key] = (value, f"{path}:{number}")
    return table


def found(table, key, where, of):
    if key not in table:
        raise CorpusError(f"{where}: {of} has no '{key}'; repair the directory with utils/fix_data_dir.sh")
    return table[key]


def sound_of(folder, value, where):
    if value.endswith("|") or value.startswith("|"):
        raise CorpusError(
            f"{where}: is a command ('{value[:40]}...'); kgwalk reads files alone: write its output to wav "
            "files, e.g. with `wav-copy scp:wav.scp ark,scp:...` or sox, and name those in wav.scp"
        )
    file = pathlib.Path(value)
    if not file.is_absolute() and (folder / file).is_file():
        return folder / file
    return file


def cut(source, begin, end, target, where):
    """The part of a wav file from `begin` to `end` (seconds; an end of -1 is that of the file)."""
    if not source.is_file():
        raise CorpusError(f"{where}: there is no {source}; unpack the recordings, or mend wav.scp")
    try:
        with wave.open(str(source), "rb") as sound:
            rate, frames = sound.getframerate(), sound.getnframes()
            first, last = round(begin * rate), frames if end == -1 else min(round(end * rate), frames)
            if not 0 <= first < last:
                raise CorpusError(
                    f"{where}: {begin} to {end} s is no part of {source}, which has {frames / rate:.2f} s; "
                    "repair the segment"
                )
            sound.setpos(first)
            samples, parameters = sound.readframes(last - first), sound.getparams()
    except (wave.Error, EOFError) as error:
        raise CorpusError(
            f"{where}: {source} cannot be cut ({error}); segments are cut out of plain wav files: convert "
            "it, e.g. with `flac -d` or sox"
        ) from error
    with written(target, binary=True) as (file,), wave.open(file, "wb") as sound:
        sound.setparams(parameters)
        sound.writeframes(samples)


def segment_of(recipe, split, utterance, segment, sounds, folder):
    (source, begin, end), where = segment
    if "/" in utterance:
        raise CorpusError(
            f"{where}: '{utterance}' names the file to be written and must have no /; rename it"
        )
    try:
        begin, end = float(begin), float(end)
    except ValueError:
        raise CorpusError(f"{where}: '{begin}' and '{end}' are no seconds; repair the segment") from None
    target = recipe.out / "wav" / split / f"{utterance}.wav"
    cut(sound_of(folder, *found(sounds, source, where, "wav.scp")), begin, end, target, where)
    return target, where


def recordings(recipe, split, folder):
    sounds = read(one_of([folder / "wav.scp"], "a data directory has one"))
    text_file = one_of([folder / "text", folder / "trans.txt"], "a data directory has one, or trans.txt")
    segments = read(folder / "segments", fields=3) if (folder / "segments").exists() else None
    speakers = read(folder / "utt2spk", fields=1) if (folder / "utt2spk").exists() else None
    for utterance, (text, where) in read(text_file).items():
        speaker = found(speakers, utterance, where, "utt2spk")[0][0] if speakers else utterance
        if segments is not None:
            segment = found(segments, utterance, where, "segments")
            file, where = segment_of(recipe, split, utterance, segment, sounds, folder)
        else:
            value, where = found(sounds, utterance, where, "wav.scp")
            file = sound_of(folder, value, where)
        yield recording(file, split, speaker, text, where)


def splits_of(arguments):
    folders = {}
    for argument in arguments:
        name, sign, folder = argument.partition("=")
        if not sign or not name or name in folders or not name.replace("-", "").replace("_", "").isalnum():
            raise CorpusError(f"{argument}: is not NAME=DIR with a name of its own, such as train=data/train")
        folders[name] = need_folder(folder, "wav.scp and text")
    for name in ("train", "dev"):
        if name not in folders:
            raise CorpusError(f"no {name}=DIR; name a directory to train on and one for development")
    return folders


def main():
    recipe = Recipe(__doc__, folder=None)
    recipe.parser.add_argument(
        "directories", nargs="+", metavar="NAME=DIR", help="train=DIR dev=DIR and those to test on"
    )
    folders = splits_of(recipe.parse().directories)
    write_recordings(
        recipe, (row for split, folder in folders.items() for row in recordings(recipe, split, folder))
    )
    table = [
        Row(
            "conformer",
            "conformer_paper",
            (),
            "Hiformer without a language model: WER 17.1 (AMI IHM, eval), 5.8 (AISHELL-2, iOS)",
        ),
        Row(
            "chiformer",
            "chiformer_paper",
            (),
            "Hiformer without a language model: WER 16.7 (AMI IHM, eval), 5.2 (AISHELL-2, iOS)",
        ),
    ]
    add_recognition_commands(
        recipe,
        table,
        ["train"],
        ["dev"],
        [name for name in folders if name != "train"],
        "WER; of Chinese by CER",
    )
    recipe.finish()


if __name__ == "__main__":
    perform(main)
