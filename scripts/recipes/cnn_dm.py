#!/usr/bin/env python3
"""CNN-DailyMail to articles with summaries, and the summarizers of the thesis (table 3.5).

  scripts/recipes/cnn_dm.py FOLDER OUT [--rows ...] [--run]

FOLDER holds cnn/stories and dailymail/stories with a *.story an article, and url_lists with
all_{train,val,test}.txt (or {cnn,dailymail}_wayback_{training,validation,test}_urls.txt); or train.csv,
validation.csv and test.csv with the columns id, article and highlights. Lines without an end of a sentence
get one, as usual for this corpus. Writes OUT/{train,dev,test}.json and OUT/paper.json, the thesis' size of
the networks."""

import hashlib
import json

from corpus import CorpusError, Recipe, Row, lines_of, need_folder, perform, records_of, written

ENDS = (".", "!", "?", "...", "'", "`", '"', "\u2019", "\u201d", ")")
LISTS = {
    "train": ("all_train.txt", "training"),
    "dev": ("all_val.txt", "validation"),
    "test": ("all_test.txt", "test"),
}
TABLES = {"train": "train.csv", "dev": "validation.csv", "test": "test.csv"}

# The thesis' network (6 + 6 layers, 50,000 pieces, 512 of an article) and its training; in an article nobody
# speaks, so that the colon of a first sentence makes no speaker.
STACK = {
    "layers": 6,
    "width": 512,
    "heads": 8,
    "ffn_width": 2048,
    "dropout": 0.3,
    "attention_dropout": 0.2,
    "activation": "relu",
    "norm": "post",
}
PAPER = {
    "model": {
        "transformer": {"encoder": STACK, "decoder": STACK, "max_length": 512},
        "copy": False,
        "speakers": 0,
    },
    "vocabulary": {"size": 50000},
    "coverage": 0,
    "max_tokens": 4096,
    "search": {"beam": 5, "max_pieces": 140},
    "trainer": {
        "max_epochs": 20,
        "eval_every": 0,
        "adam": {"lr": 0.0005, "beta2": 0.98, "clip_norm": 0.1},
        "schedule": {"kind": "inverse_sqrt", "warmup_steps": 10000},
    },
}


def sentences(lines):
    for line in (" ".join(line.split()) for line in lines):
        if line:
            yield line if line.endswith(ENDS) else line + " ."


def story(path):
    """Article and summary of a .story file."""
    parts = {False: [], True: []}
    in_summary = False
    for _, line in lines_of(path):
        if line.startswith("@highlight"):
            in_summary = True
        else:
            parts[in_summary].append(line)
    if not in_summary:
        raise CorpusError(f"{path}: has no @highlight; download the stories again")
    return " ".join(sentences(parts[False])), " ".join(sentences(parts[True]))


def urls_of(folder, split):
    """(file, line, url) of a split."""
    joined, part = LISTS[split]
    lists = [folder / "url_lists" / joined]
    if not lists[0].is_file():
        lists = [folder / "url_lists" / f"{paper}_wayback_{part}_urls.txt" for paper in ("cnn", "dailymail")]
    for path in lists:
        if not path.is_file():
            raise CorpusError(f"{path}: there is no such file, nor {joined}; put the lists of URLs there")
        for number, url in lines_of(path):
            if url.strip():
                yield path, number, url.strip()


def examples_of_stories(folder, split):
    for path, number, url in urls_of(folder, split):
        name = hashlib.sha1(url.encode()).hexdigest()
        files = [folder / paper / "stories" / f"{name}.story" for paper in ("cnn", "dailymail")]
        file = next((file for file in files if file.is_file()), None)
        if file is None:
            raise CorpusError(
                f"{path}:{number}: there is neither {files[0]} nor the same in dailymail; unpack "
                "cnn_stories.tgz and dailymail_stories.tgz there"
            )
        yield name, *story(file)


def examples_of_table(folder, split):
    for _, record in records_of(folder / TABLES[split], ("id", "article", "highlights")):
        yield record["id"], *(
            " ".join(sentences(record[side].split("\n"))) for side in ("article", "highlights")
        )


def write_split(recipe, folder, split):
    examples = (examples_of_table if (folder / TABLES["train"]).is_file() else examples_of_stories)(
        folder, split
    )
    count = 0
    with written(recipe.out / f"{split}.json") as (file,):
        for name, article, summary in examples:
            file.write("[\n" if count == 0 else ",\n")
            file.write(json.dumps({"id": name, "dialogue": article, "summary": summary}, ensure_ascii=False))
            count += 1
        if count == 0:
            raise CorpusError(f"{folder}: names no article for {split}; download its lists or tables again")
        file.write("\n]\n")
    recipe.tell(f"{recipe.out / split}.json: {count} articles")


def main():
    recipe = Recipe(__doc__)
    options = recipe.parse()
    folder = need_folder(options.folder, "cnn/stories, dailymail/stories and url_lists, or train.csv")
    for split in LISTS:
        write_split(recipe, folder, split)
    with written(recipe.out / "paper.json") as (file,):
        file.write(json.dumps(PAPER, indent=2) + "\n")
    ght = Row("ght", "ght", ("heads.groups=4",), "thesis, table 3.5: ROUGE-1 / 2 / L 40.00 / 21.10 / 37.51")
    table = [
        Row("vanilla", "plain", (), "thesis, table 3.5: ROUGE-1 / 2 / L 38.45 / 17.97 / 36.03"),
        ght,
        Row("ght_ps", "ght_ps", (), "thesis, table 3.5: ROUGE-1 / 2 / L 40.01 / 21.31 / 37.62", first=ght),
    ]
    recipe.say("Scored by F1 of ROUGE-1, 2, L and Lsum on whole summaries, words by their stems.")
    baseline = []
    for row in recipe.rows(table):
        size = ["--config", recipe.out / "paper.json"] if row in table else ["--set", "model.speakers=0"]
        recipe.train(
            "summarize", row, "--train", recipe.out / "train.json", "--dev", recipe.out / "dev.json", *size
        )
        output = recipe.out / f"{row.name}.txt"
        recipe.command(
            "task",
            "summarize",
            "eval",
            "--model",
            recipe.run_of(row.name),
            "--test",
            recipe.out / "test.json",
            "--output",
            output,
            *baseline,
        )
        baseline = baseline or ["--baseline", output]
    recipe.finish()


if __name__ == "__main__":
    perform(main)
