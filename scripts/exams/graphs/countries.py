#!/usr/bin/env python3
"""The exam over countries.json (world-countries): who borders whom, languages, money, areas. Use: countries.py FILE [--check]"""
import json

from exam import only, run, said_only, turn, whole


class World:
    def __init__(self, path):
        self.rows = json.load(open(path, encoding="utf-8"))
        self.name_of = {r["cca3"]: r["name"]["common"] for r in self.rows}
        self.by_name = {r["name"]["common"]: r for r in self.rows}

    def capitals(self, name):
        return self.by_name[name]["capital"]

    def neighbors(self, name):
        return [self.name_of[b] for b in self.by_name[name]["borders"]]

    def languages(self, name):
        return list(self.by_name[name]["languages"].values())

    def money(self, name):
        return [c["name"] for c in self.by_name[name]["currencies"].values()]

    def where(self, test):
        return [r["name"]["common"] for r in self.rows if test(r)]

    def speaking(self, language):
        return self.where(lambda r: language in r["languages"].values())

    def area(self, name):
        return self.by_name[name]["area"]


def make(exam, path):
    w = World(path)
    ask = exam.ask
    ask("one fact", "what's the capital of mongolia", any=w.capitals("Mongolia"))
    ask("one fact", "Which currency do people pay with in Thailand?", any=w.money("Thailand"))
    ask("one fact", "how big is iceland in square km", any=whole(w.area("Iceland")))
    ask("one fact", "What continent is Chad on?", any=[w.by_name["Chad"]["region"]])
    ask("one fact", "Which part of the world does Laos belong to?",
        any=[w.by_name["Laos"]["subregion"], w.by_name["Laos"]["region"]])
    ask("one fact", "What do you call someone from Denmark?", any=[w.by_name["Denmark"]["demonyms"]["eng"]["m"]])
    ask("inverse", "Canberra is the capital of which country?", any=w.where(lambda r: "Canberra" in r["capital"]))
    ask("inverse", "where do they pay in malaysian ringgit?",
        any=w.where(lambda r: "Malaysian ringgit" in [c["name"] for c in (r["currencies"] or {}).values()]))
    ask("inverse", "Whose web addresses end in .ke?", any=w.where(lambda r: ".ke" in r["tld"]))
    ask("list", "Which countries have a border with Austria?", all=w.neighbors("Austria"))
    ask("list", "what languages do they speak in belgium", all=w.languages("Belgium"))
    ask("list", "name all the neighbours of peru", all=w.neighbors("Peru"))
    ask("list", "In which places is Swahili spoken?", all=w.speaking("Swahili"))
    ask("how many", "How many countries does Brazil share a border with?", number=len(w.neighbors("Brazil")))
    ask("how many", "how many official languages does south africa have", number=len(w.languages("South Africa")))
    ask("how many", "How many countries are there in Oceania?", number=len(w.where(lambda r: r["region"] == "Oceania")))
    ask("how many", "how many countries in asia have no sea",
        number=len(w.where(lambda r: r["region"] == "Asia" and r["landlocked"])))
    ask("yes or no", "Do people speak Portuguese in Angola?", yesno="yes" if "Portuguese" in w.languages("Angola") else "no")
    ask("yes or no", "does Spain border Italy?", yesno="yes" if "Italy" in w.neighbors("Spain") else "no")
    ask("yes or no", "Is Nepal landlocked?", yesno="yes" if w.by_name["Nepal"]["landlocked"] else "no")
    ask("yes or no", "the capital of Turkey is Istanbul, isn't it?", yesno="yes" if "Istanbul" in w.capitals("Türkiye") else "no")
    ask("two hops", "What languages are spoken in the countries next to Portugal?",
        all={lang for n in w.neighbors("Portugal") for lang in w.languages(n)})
    ask("two hops", "Which cities are the capitals of Uruguay's neighbours?",
        all={c for n in w.neighbors("Uruguay") for c in w.capitals(n)})
    ask("two hops", "what money do they use in the country whose capital is Tbilisi?",
        any=w.money(only(w.where(lambda r: "Tbilisi" in r["capital"]))))
    ask("two hops", "Which language would I hear in the country that has Vaduz as its capital?",
        any=w.languages(only(w.where(lambda r: "Vaduz" in r["capital"]))))
    ask("two conditions", "In which countries of South America do they speak English?",
        all=set(w.speaking("English")) & set(w.where(lambda r: r["subregion"] == "South America")))
    ask("two conditions", "Which countries border both France and Germany?",
        all=set(w.neighbors("France")) & set(w.neighbors("Germany")))
    ask("two conditions", "landlocked countries in Europe where German is spoken",
        all=set(w.speaking("German")) & set(w.where(lambda r: r["region"] == "Europe" and r["landlocked"])))
    biggest = max(w.rows, key=lambda r: r["area"])["name"]["common"]
    ask("extreme", "what is the biggest country in the world", any=[biggest])
    in_central = [r for r in w.rows if r["subregion"] == "Central America"]
    ask("extreme", "Which country in Central America is the smallest?", any=[min(in_central, key=lambda r: r["area"])["name"]["common"]])
    most = max(len(r["borders"]) for r in w.rows)
    ask("extreme", "Which country has the most neighbours?", any=w.where(lambda r: len(r["borders"]) == most))
    ask("comparison", "Which is larger, Kazakhstan or Argentina?", lead=max(("Kazakhstan", "Argentina"), key=w.area))
    ask("comparison", "is norway bigger than finland?", yesno="yes" if w.area("Norway") > w.area("Finland") else "no")
    ask("value filter", "Which countries are bigger than 5 million square kilometres?", all=w.where(lambda r: r["area"] > 5e6))
    ask("value filter", "european countries smaller than 100 square km",
        all=w.where(lambda r: r["region"] == "Europe" and 0 <= r["area"] < 100))
    ask("tell me about", "tell me about bhutan",
        any=w.capitals("Bhutan") + w.money("Bhutan") + w.languages("Bhutan") + w.neighbors("Bhutan"))
    ask("unknown", "What is the capital of Wakanda?", refuse=True)
    ask("unknown", "Who is the prime minister of Canada?", refuse=True)
    peru = w.by_name["Peru"]
    exam.talk(turn("one fact", "capital of ecuador?", any=w.capitals("Ecuador")),
              turn("follow-up", "and Peru?", any=peru["capital"]),
              turn("follow-up", "and its currency?", any=w.money("Peru")),
              turn("follow-up", "Which languages do they speak there?", all=w.languages("Peru")))
    exam.talk(said_only("I'm going to Croatia next month."),
              turn("follow-up", "what's the money there?", any=w.money("Croatia")),
              turn("follow-up", "and which countries are around it?", all=w.neighbors("Croatia")))


if __name__ == "__main__":
    run(make, "countries")
