#!/usr/bin/env python3
"""The exam over elements.db (mendeleev): numbers, years and places of chemical elements. Use: elements.py FILE [--check]"""
import sqlite3

from exam import only, run, said_only, turn, whole


class Table:
    def __init__(self, path):
        database = sqlite3.connect(path)
        database.row_factory = sqlite3.Row
        self.rows = [dict(r) for r in database.execute(
            "select e.*, s.name as series, g.name as group_name, p.melting, p.boiling from elements e "
            "left join series s on s.id = e.series_id left join groups g on g.group_id = e.group_id left join "
            "(select atomic_number, max(melting_point) melting, max(boiling_point) boiling from phasetransitions "
            "group by atomic_number) p on p.atomic_number = e.atomic_number")]
        self.by_name = {r["name"]: r for r in self.rows}

    def where(self, **wanted):
        return [r["name"] for r in self.rows if all(r[k] == v for k, v in wanted.items())]

    def test(self, column, test):
        return [r["name"] for r in self.rows if r[column] is not None and test(r[column])]

    def most(self, column, best=max):
        top = best(r[column] for r in self.rows if r[column] is not None)
        return self.where(**{column: top})


def finders(row):
    return [name.strip() for name in row["discoverers"].split(",")]


def make(exam, path):
    t = Table(path)
    of, ask = t.by_name, exam.ask
    ask("one fact", "what's the chemical symbol of mercury", any=[of["Mercury"]["symbol"]])
    ask("one fact", "Who discovered oxygen?", any=finders(of["Oxygen"]))
    ask("one fact", "when was radium found?", number=of["Radium"]["discovery_year"])
    ask("one fact", "In which country was hafnium first discovered?", any=[of["Hafnium"]["discovery_location"]])
    ask("one fact", "At what temperature does gold melt?", any=whole(of["Gold"]["melting"]))
    ask("one fact", "how dense is lead", any=whole(of["Lead"]["density"]))
    ask("one fact", "What is the atomic number of uranium?", number=of["Uranium"]["atomic_number"])
    ask("inverse", "Which element is written Sn?", any=t.where(symbol="Sn"))
    ask("inverse", "what is element number 47", any=t.where(atomic_number=47))
    ask("inverse", "What did William Gregor discover?", any=t.where(discoverers="William Gregor"))
    ask("list", "which elements did sir humphrey davy discover", all=t.where(discoverers="Sir Humphrey Davy"))
    ask("list", "What are the noble gases?", all=t.where(series="Noble gases"))
    ask("list", "list the halogens", all=t.where(series="Halogens"))
    ask("list", "Which elements have been discovered in Russia?", all=t.where(discovery_location="Russia"))
    ask("how many", "How many lanthanides are there?", number=len(t.where(series="Lanthanides")))
    ask("how many", "how many radioactive elements do we know", number=len(t.where(is_radioactive=1)))
    ask("how many", "How many elements are in period 4?", number=len(t.where(period=4)))
    ask("how many", "What's the number of elements found by Carl Mosander?", number=len(t.where(discoverers="Carl Mosander")))
    ask("yes or no", "Is radon a noble gas?", yesno="yes" if of["Radon"]["series"] == "Noble gases" else "no")
    ask("yes or no", "is carbon radioactive", yesno="yes" if of["Carbon"]["is_radioactive"] else "no")
    ask("yes or no", "Was helium discovered by Marie Curie?", yesno="yes" if "Marie Curie" in of["Helium"]["discoverers"] else "no")
    ask("yes or no", "Does copper belong to the transition metals?",
        yesno="yes" if of["Copper"]["series"] == "Transition metals" else "no")
    ask("two hops", "To which series does the element with the symbol Na belong?", any=[of[only(t.where(symbol="Na"))]["series"]])
    ask("two hops", "Who discovered the element with atomic number 17?", any=finders(of[only(t.where(atomic_number=17))]))
    ask("two hops", "Which other elements are in the same series as neon?",
        all=set(t.where(series=of["Neon"]["series"])) - {"Neon"})
    ask("two hops", "in which year was the element with the symbol Fr discovered?",
        number=of[only(t.where(symbol="Fr"))]["discovery_year"])
    ask("two conditions", "Which halogens were discovered in France?", all=t.where(series="Halogens", discovery_location="France"))
    ask("two conditions", "noble gases found in 1898", all=t.where(series="Noble gases", discovery_year=1898))
    ask("two conditions", "Which radioactive lanthanides are there?", all=t.where(series="Lanthanides", is_radioactive=1))
    ask("extreme", "What is the densest element?", any=t.most("density"))
    ask("extreme", "which element has the highest boiling point", any=t.most("boiling"))
    ask("extreme", "What was the first element to be discovered, by year?", any=t.most("discovery_year", min))
    ask("extreme", "Which element costs the most per kg?", any=t.most("price_per_kg"))
    density = lambda n: of[n]["density"]
    year = lambda n: of[n]["discovery_year"]
    ask("comparison", "Which is denser, lead or gold?", lead=max(("Lead", "Gold"), key=density).lower())
    ask("comparison", "Was neon discovered before argon?", yesno="yes" if year("Neon") < year("Argon") else "no")
    ask("comparison", "which one was found earlier, iodine or bromine?", lead=min(("Iodine", "Bromine"), key=year).lower())
    ask("value filter", "Which elements were discovered after 2000?", all=t.test("discovery_year", lambda y: y > 2000))
    ask("value filter", "elements with a density above 20", all=t.test("density", lambda d: d > 20))
    ask("value filter", "what was discovered in 1774?", all=t.where(discovery_year=1774))
    titanium = of["Titanium"]
    ask("tell me about", "tell me about titanium",
        any=[titanium["discoverers"], titanium["series"], str(titanium["discovery_year"]), titanium["description"][:30]])
    ask("unknown", "When was unobtainium discovered?", refuse=True)
    ask("unknown", "Which colour does the flag of iron have?", refuse=True)
    radium = of["Radium"]
    exam.talk(turn("one fact", "who found polonium?", any=finders(of["Polonium"])),
              turn("follow-up", "And francium?", any=finders(of["Francium"])),
              turn("follow-up", "In what year was that?", number=year("Francium")),
              turn("follow-up", "and its atomic number?", number=of["Francium"]["atomic_number"]))
    exam.talk(said_only("We talked about radium in class today."),
              turn("follow-up", "What series does it belong to?", any=[radium["series"]]),
              turn("follow-up", "where was it discovered", any=[radium["discovery_location"]]))


if __name__ == "__main__":
    run(make, "elements")
