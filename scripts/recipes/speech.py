"""Lists of recordings for recognition, and the commands of its tables."""

import os

from corpus import CorpusError, write_table

COLUMNS = ("path", "split", "speaker", "text")


def recording(file, split, speaker, text, where):
    """A row of a list; `where` (file and line) says what names the recording."""
    if not file.is_file():
        raise CorpusError(f"{where}: there is no {file}; unpack all of the corpus, or take the line out")
    return {"path": os.path.abspath(file), "split": split, "speaker": speaker, "text": text}


def write_recordings(recipe, rows):
    """Writes OUT/manifest.tsv; returns its splits in the order in which they come."""
    counts = {}

    def counted():
        for row in rows:
            counts[row["split"]] = counts.get(row["split"], 0) + 1
            yield row
        if not counts:
            raise CorpusError(
                f"{recipe.out / 'manifest.tsv'}: no recording was found; is the corpus unpacked?"
            )

    write_table(recipe.out / "manifest.tsv", COLUMNS, counted())
    told = ", ".join(f"{split} {count}" for split, count in counts.items())
    recipe.tell(f"{recipe.out / 'manifest.tsv'}: {told}")
    return list(counts)


def add_recognition_commands(recipe, table, train, dev, tests, scored):
    """Trains each row and evaluates it on each of `tests`; all are splits of OUT/manifest.tsv."""

    def lists(option, splits):
        return [part for split in splits for part in (option, f"{recipe.out / 'manifest.tsv'}#split={split}")]

    recipe.say(f"Scored by {scored}.")
    for row in recipe.rows(table):
        recipe.train("asr", row, *lists("--train", train), *lists("--dev", dev))
        for test in tests:
            recipe.command(
                "task",
                "asr",
                "eval",
                "--model",
                recipe.run_of(row.name),
                *lists("--test", [test]),
                "--output",
                recipe.out / f"{row.name}.{test}.txt",
            )
