#!/usr/bin/env python3
"""Writes a graph of fetch_graphs.py as N-Triples, for programs that do not read its own format. Nothing is mended on the way.

Use: graph_to_ntriples.py FILE > FILE.nt
  *.db    SQLite: a row is a thing, a column a relation, a foreign key a link
  *.json  Django's fixtures (pk, model, fields), or world-countries (borders, capital, languages ... of countries)"""
import json
import re
import sqlite3
import sys
import urllib.parse

BASE = "http://example.org/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD = "http://www.w3.org/2001/XMLSchema#"


def iri(*parts):
    return BASE + "/".join(urllib.parse.quote(str(p), safe="") for p in parts)


def literal(value):
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^<{XSD}boolean>'
    if isinstance(value, int):
        return f'"{value}"^^<{XSD}integer>'
    if isinstance(value, float):
        return f'"{value}"^^<{XSD}double>'
    if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+Z?", value):
        return f'"{value[:10]}"^^<{XSD}date>'
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def fact(head, relation, tail, link=False):
    if tail is not None and tail != "":
        print(f"<{head}> <{relation}> {f'<{tail}>' if link else literal(tail)} .")


def sqlite(path):
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    # The physicists' long tables (isotopes, energies of ions, scattering) are left aside.
    for table in ("elements", "series", "groups", "phasetransitions"):
        key = next(c["name"] for c in database.execute(f"pragma table_info({table})") if c["pk"])
        links = {c["from"]: c["table"] for c in database.execute(f"pragma foreign_key_list({table})")}
        if table == "phasetransitions":
            links["atomic_number"] = "elements"  # the file does not declare it
        for row in database.execute(f"select * from {table}"):
            head = iri(table, row[key])
            fact(head, TYPE, iri("type", table), link=True)
            for column in row.keys():
                if column in links and row[column] is not None:
                    fact(head, iri("relation", column), iri(links[column], row[column]), link=True)
                elif column != key or table == "elements":
                    fact(head, LABEL if column == "name" else iri("relation", column), row[column])


def fixtures(rows):
    models = {r["model"].split(".")[1] for r in rows}
    kinds = {"support_rep": "employee", "reports_to": "employee"} | {m: m for m in models}
    for row in rows:
        model, fields = row["model"].split(".")[1], row["fields"]
        if model == "playlisttrack":
            fact(iri("playlist", fields["playlist"]), iri("relation", "track"), iri("track", fields["track"]), link=True)
            continue
        head = iri(model, row["pk"])
        fact(head, TYPE, iri("type", model), link=True)
        person = f"{fields.get('firstname', '')} {fields.get('lastname', '')}".strip()
        title = fields.get("title") if model == "album" else None
        fact(head, LABEL, fields.get("name") or title or person or f"{model.capitalize()} {row['pk']}")
        for field, value in fields.items():
            if field in kinds and value is not None:
                fact(head, iri("relation", field), iri(kinds[field], value), link=True)
            elif field not in ("name", "firstname", "lastname") and not (model == "album" and field == "title"):
                fact(head, iri("relation", field), value)


def countries(rows):
    def named(kind, name):
        fact(iri(kind, name), LABEL, name)
        fact(iri(kind, name), TYPE, iri("type", kind), link=True)
        return iri(kind, name)

    for row in rows:
        head = iri("country", row["cca3"])
        fact(head, TYPE, iri("type", "country"), link=True)
        fact(head, LABEL, row["name"]["common"])
        fact(head, iri("relation", "official name"), row["name"]["official"])
        for relation, kind, names in (
                ("capital", "city", row["capital"]), ("language", "language", row["languages"].values()),
                ("currency", "currency", [c["name"] for c in row["currencies"].values()] if row["currencies"] else []),
                ("region", "region", [row["region"]]), ("subregion", "region", [row["subregion"]])):
            for name in names:
                if name:
                    fact(head, iri("relation", relation), named(kind, name), link=True)
        for neighbor in row["borders"]:
            fact(head, iri("relation", "borders"), iri("country", neighbor), link=True)
        for field in ("area", "landlocked", "independent", "unMember", "cca2", "cca3"):
            fact(head, iri("relation", field), row[field])
        fact(head, iri("relation", "demonym"), row["demonyms"].get("eng", {}).get("m"))
        for name in row["altSpellings"]:
            fact(head, ALIAS, name)
        for domain in row["tld"]:
            fact(head, iri("relation", "tld"), domain)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8")
    if sys.argv[1].endswith(".db"):
        return sqlite(sys.argv[1])
    rows = json.load(open(sys.argv[1], encoding="utf-8"))
    return fixtures(rows) if "fields" in rows[0] else countries(rows)


main()
