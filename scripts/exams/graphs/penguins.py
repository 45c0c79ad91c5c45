#!/usr/bin/env python3
"""The exam over penguins.csv (palmerpenguins): a row each, and no names. Use: penguins.py FILE [--check]"""
import csv

from exam import run, turn


def make(exam, path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    ask = exam.ask

    def many(test):
        return sum(map(test, rows))

    def over(column, least):
        return many(lambda row: row[column] not in ("NA", "") and float(row[column]) > least)

    ask("how many", "How many penguins are there?", number=len(rows))
    ask("how many", "How many Adelie penguins are there?", number=many(lambda r: r["species"] == "Adelie"))
    ask("how many", "how many penguins live on Dream", number=many(lambda r: r["island"] == "Dream"))
    ask("how many", "How many female penguins are there?", number=many(lambda r: r["sex"] == "female"))
    ask("how many", "How many Gentoo penguins are male?", number=many(lambda r: r["species"] == "Gentoo" and r["sex"] == "male"))
    ask("how many", "How many penguins weigh more than 6000 grams?", number=over("body_mass_g", 6000))
    ask("how many", "How many penguins were measured in 2007?", number=many(lambda r: r["year"] == "2007"))
    ask("how many", "How many penguins have a bill longer than 55 mm?", number=over("bill_length_mm", 55))
    ask("list", "Which species are there?", all=["Adelie", "Gentoo", "Chinstrap"])
    ask("list", "What islands are there?", all=["Torgersen", "Biscoe", "Dream"])
    ask("list", "Which islands do Adelie penguins live on?", all=["Torgersen", "Biscoe", "Dream"])
    ask("list", "On which island do the Gentoo penguins live?", any=["Biscoe"])
    ask("first or last", "Which species has the most penguins?", any=["Adelie"])
    ask("first or last", "Which island has the most penguins?", any=["Biscoe"])
    ask("first or last", "What is the highest body mass?",
        number=max(int(r["body_mass_g"]) for r in rows if r["body_mass_g"] not in ("NA", "")))
    ask("first or last", "What species is the heaviest penguin?", any=["Gentoo"])
    ask("how many", "How many species are there?", number=3)
    ask("yes or no", "Are there Gentoo penguins on Biscoe?", yesno="yes")
    ask("yes or no", "Are there Chinstrap penguins on Torgersen?", yesno="no")
    ask("average", "What is the average body mass?", any=["4201", "4202", "4,201", "4,202", "4201.75", "4,201.75"])
    exam.talk(turn("how many", "How many penguins live on Biscoe?", number=many(lambda r: r["island"] == "Biscoe")),
              turn("focus", "And on Torgersen?", number=many(lambda r: r["island"] == "Torgersen")))


run(make, "penguins")
