#!/usr/bin/env python3
"""WikiText-103 (or -2) to lines of words, and the language models of the thesis (table 3.6).

  scripts/recipes/wikitext103.py FOLDER OUT [--rows ...] [--run]

FOLDER holds wiki.train.tokens, wiki.valid.tokens and wiki.test.tokens. Every line counts, empty ones too,
as in the published perplexities. Writes OUT/{train,valid,test}.txt."""

from corpus import Recipe, Row, lines_of, need_file, need_folder, perform, written

# Words and ends of lines as published, of WikiText-103 and WikiText-2.
PUBLISHED = {"train": (103227021, 2088628), "valid": (217646,), "test": (245569,)}


def write_split(recipe, folder, split):
    source = need_file(folder / f"wiki.{split}.tokens", "unpack wikitext-103-v1.zip and name its folder")
    words = 0
    with written(recipe.out / f"{split}.txt") as (file,):
        for _, line in lines_of(source):
            words += len(line.split()) + 1
            file.write(line.strip() + "\n")
    known = "as published" if words in PUBLISHED[split] else "not as published: part of the corpus?"
    recipe.tell(f"{recipe.out / split}.txt: {words} words with ends of lines, {known}")


def main():
    recipe = Recipe(__doc__)
    options = recipe.parse()
    folder = need_folder(options.folder, "wiki.train.tokens")
    for split in PUBLISHED:
        write_split(recipe, folder, split)
    ght = Row("ght", "ght_paper", (), "thesis, table 3.6: test perplexity 18.60")
    table = [
        Row("vanilla", "base_paper", (), "thesis, table 3.6: test perplexity 19.14"),
        ght,
        Row(
            "ght_ps", "ght_paper", ("heads.groups=0",), "thesis, table 3.6: test perplexity 18.59", first=ght
        ),
    ]
    recipe.say("Scored by perplexity a word, ends of lines counted, in sliding windows.")
    baseline = []
    for row in recipe.rows(table):
        recipe.train("lm", row, "--train", recipe.out / "train.txt", "--dev", recipe.out / "valid.txt")
        output = recipe.out / f"{row.name}.lines"
        recipe.command(
            "task",
            "lm",
            "eval",
            "--model",
            recipe.run_of(row.name),
            "--test",
            recipe.out / "test.txt",
            "--output",
            output,
            *baseline,
        )
        baseline = baseline or ["--baseline", output]
    recipe.finish()


if __name__ == "__main__":
    perform(main)
