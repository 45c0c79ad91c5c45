"""What the recipes share: reading with file and line in every error, files that appear whole or not at
all, and the commands of a table. Nothing but Python's standard library."""

import argparse
import contextlib
import csv
import dataclasses
import gzip
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
from typing import Optional


class CorpusError(Exception):
    """What is wrong, where, and what to do."""


def lines_of(path):
    """Number and text of each line, without its end; split at line feeds alone, which keeps lines aligned."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            for number, raw in enumerate(file, 1):
                try:
                    text = raw.decode("utf-8")
                except UnicodeDecodeError as error:
                    raise CorpusError(
                        f"{path}:{number}: byte {error.start + 1} is no UTF-8; convert the "
                        "file, e.g. with iconv"
                    ) from error
                yield number, text.removesuffix("\n").removesuffix("\r").removeprefix("\ufeff")
    except FileNotFoundError:
        raise CorpusError(f"{path}: there is no such file; unpack all of the corpus") from None
    except (EOFError, gzip.BadGzipFile) as error:
        raise CorpusError(f"{path}: cannot be unpacked ({error}); download it again") from error


def records_of(path, columns):
    """Line and fields by name of each row of a csv file with a line of column names."""
    rows = csv.reader((text + "\n" for _, text in lines_of(path)), strict=True)
    csv.field_size_limit(1 << 30)
    try:
        names = next(rows, [])
        for column in columns:
            if column not in names:
                raise CorpusError(
                    f"{path}:1: has no column '{column}' but {', '.join(names)}; take the file as it "
                    "was released"
                )
        for fields in rows:
            if len(fields) != len(names):
                raise CorpusError(
                    f"{path}:{rows.line_num}: has {len(fields)} fields, the first line {len(names)}; "
                    "download the file again"
                )
            yield rows.line_num, dict(zip(names, fields))
    except csv.Error as error:
        raise CorpusError(f"{path}:{rows.line_num}: {error}; download the file again") from error


def need_folder(path, holds):
    path = pathlib.Path(path)
    if not path.is_dir():
        raise CorpusError(f"{path}: there is no such folder; name the one that holds {holds}")
    return path


def need_file(path, advice):
    if not path.is_file():
        raise CorpusError(f"{path}: there is no such file; {advice}")
    return path


def one_of(paths, advice):
    """The first of some places that is there."""
    for path in paths:
        if path.exists():
            return path
    raise CorpusError(f"{paths[0]}: is not there; {advice}")


@contextlib.contextmanager
def written(*paths, binary=False):
    """Files (of text, unless binary) that get their names together, when all of them are written."""
    text = {} if binary else {"encoding": "utf-8", "newline": "\n"}
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
    parts = [path.with_name(path.name + ".part") for path in paths]
    try:
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(open(part, "wb" if binary else "w", **text)) for part in parts]
            yield files
            for file in files:
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        for part in parts:
            part.unlink(missing_ok=True)
        raise
    for part, path in zip(parts, paths):
        os.replace(part, path)


def write_table(path, columns, rows):
    """A tab-separated file with a line of column names; rows are dicts. Returns how many there are."""
    count = 0
    with written(path) as (file,):
        file.write("\t".join(columns) + "\n")
        for row in rows:
            values = [str(row.get(column, "")) for column in columns]
            for column, value in zip(columns, values):
                if "\t" in value or "\n" in value or "\r" in value:
                    raise CorpusError(
                        f"{path}: {column} '{value}' of {row['path']} holds a tab or the end of a "
                        "line, which the file cannot; take it out of the corpus"
                    )
            file.write("\t".join(values) + "\n")
            count += 1
    return count


@dataclasses.dataclass
class Row:
    """A row of a table: what is trained, and what the paper has for it."""

    name: str
    preset: str
    settings: tuple = ()
    paper: str = ""
    first: Optional["Row"] = None  # trained before it: this row begins with its pillars (GHT-PS)


class Recipe:
    """Options that all recipes have, and the commands that one ends with."""

    def __init__(self, text, folder="the corpus as it was unpacked"):
        self.parser = argparse.ArgumentParser(
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog="What stands behind -- is given to every training. KGWALK names the program (default: "
            "build/release/cli/kgwalk, then what the path holds).",
        )
        if folder:
            self.parser.add_argument("folder", metavar="FOLDER", help=folder)
        self.parser.add_argument("out", metavar="OUT", help="folder for what kgwalk reads, and the runs")
        self.parser.add_argument(
            "--rows", metavar="NAME,...", help="only these rows; a name that no row has is taken for a preset"
        )
        self.parser.add_argument(
            "--run", action="store_true", help="perform the commands instead of printing them"
        )
        self.commands = []
        self.trained = set()

    def parse(self):
        arguments = sys.argv[1:]
        split = arguments.index("--") if "--" in arguments else len(arguments)
        self.options = self.parser.parse_args(arguments[:split])
        self.training_options = arguments[split + 1 :]
        self.out = pathlib.Path(self.options.out)
        return self.options

    def tell(self, text):
        print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)

    def rows(self, table):
        if self.options.rows is None:
            return table
        known = {row.name: row for row in table}
        return [known.get(name) or Row(name, name) for name in self.options.rows.split(",")]

    def run_of(self, name):
        return str(self.out / "runs" / name)

    def say(self, text):
        self.commands.append("# " + text)

    def command(self, *arguments):
        self.commands.append([str(argument) for argument in arguments])

    def train(self, task, row, *data):
        """The training of a row, behind that of the one it begins with."""
        if row.name in self.trained:
            return
        self.trained.add(row.name)
        if row.first:
            self.train(task, row.first, *data)
        if row.paper:
            self.say(f"{row.name}: {row.paper}")
        settings = [part for setting in row.settings for part in ("--set", setting)]
        pillars = ["--pillars", self.run_of(row.first.name)] if row.first else []
        self.command(
            "task",
            task,
            "train",
            "--run",
            self.run_of(row.name),
            "--preset",
            row.preset,
            *pillars,
            *data,
            *settings,
            *self.training_options,
        )

    def finish(self):
        if not self.options.run:
            for command in self.commands:
                print(command if isinstance(command, str) else shlex.join(["kgwalk", *command]))
            return
        program = self.program()
        for command in self.commands:
            if isinstance(command, str):
                continue
            self.tell(shlex.join(["kgwalk", *command]))
            status = subprocess.run([program, *command], check=False).returncode
            if status != 0:
                raise CorpusError(
                    f"kgwalk ended with status {status}; its message is above. Repeat this recipe to " "go on"
                )

    @staticmethod
    def program():
        built = pathlib.Path(__file__).resolve().parents[2] / "build/release/cli/kgwalk"
        named = os.environ.get("KGWALK") or (str(built) if built.exists() else "kgwalk")
        found = shutil.which(named)
        if not found:
            raise CorpusError(f"no program {named}; build it, or name it in KGWALK")
        return found


def perform(main):
    """Runs a recipe: one line for what is wrong, and exit status 1."""
    try:
        main()
    except CorpusError as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error}")
    except OSError as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error.filename or 'writing'}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)
