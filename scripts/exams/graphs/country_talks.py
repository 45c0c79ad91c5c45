#!/usr/bin/env python3
"""Conversations over countries.json (world-countries), as people hold them. Use: country_talks.py FILE [--check]"""
import json

from exam import run, said_only, turn, whole


def make(exam, path):
    with open(path, encoding="utf-8") as file:
        countries = {c["name"]["common"]: c for c in json.load(file)}
    by_code = {c["cca3"]: name for name, c in countries.items()}

    def neighbours(name):
        return [by_code[code] for code in countries[name]["borders"]]

    def where(key, value):
        return [name for name, c in countries.items() if c[key] == value]

    def speaking(language):
        return [name for name, c in countries.items() if language in c["languages"].values()]

    def area(name):
        return countries[name]["area"]

    def capital(*names):
        return [city for name in names for city in countries[name]["capital"]]

    def languages(name):
        return list(countries[name]["languages"].values())

    talk, africa, swahili = exam.talk, where("region", "Africa"), speaking("Swahili")
    talk(turn("one fact", "What's the capital of Kenya?", any=capital("Kenya")),
         turn("another", "and Uganda's?", any=capital("Uganda")),
         turn("yes or no", "Do they share a border?", yesno="yes"),
         turn("comparison", "Which of the two is bigger?", any=["Kenya"]))
    swiss = neighbours("Switzerland")
    talk(turn("yes or no", "Is Switzerland landlocked?", yesno="yes"),
         turn("pronoun", "Who are its neighbours?", all=swiss),
         turn("of those", "Which of those is the largest?", any=[max(swiss, key=area)]),
         turn("pronoun", "What do people speak there?", any=languages(max(swiss, key=area))))
    south = where("subregion", "South America")
    talk(turn("how many", "How many countries are in South America?", number=len(south)),
         turn("which", "Name them", all=south[:4]),
         turn("of those", "Which ones speak Portuguese?", all=[n for n in south if n in speaking("Portuguese")]),
         turn("pronoun", "What money does it use?", any=["Brazilian real", "BRL"]))
    talk(turn("small talk", "Hi there", nofact=True), said_only("I'm going to Japan next month."),
         turn("pronoun", "What currency do they have?", any=["Japanese yen", "JPY"]),
         turn("yes or no", "Does it border China?", yesno="no"),
         turn("pronoun", "How big is it?", any=whole(area("Japan"))))
    inland = [n for n in swahili if countries[n]["landlocked"]]
    talk(turn("inverse", "Which countries speak Swahili?", all=swahili),
         turn("how many", "How many is that?", number=len(swahili)),
         turn("yes or no", "Are any of them landlocked?", yesno="yes" if inland else "no"),
         turn("which", "Which?", all=inland))
    talk(turn("tell me about", "Tell me about Iceland", any=["Reykjavik", "Iceland"]),
         turn("yes or no", "Is it in Europe?", yesno="yes"), turn("another", "What about Greenland?", any=["No", "Americas"]),
         turn("why", "Why?", any=["Greenland"]))
    talk(turn("comparison", "Which is bigger, Spain or France?", any=["France"]),
         turn("another", "And Germany?", any=["France", *whole(area("Germany"))]),
         turn("the other one", "What's the capital of the smaller one?", any=capital("Spain", "Germany")))
    talk(turn("yes or no", "Does France border Italy?", yesno="yes"), turn("check again", "And Spain?", yesno="yes"),
         turn("check again", "And Portugal?", yesno="no"),
         turn("pronoun", "Which countries does it border then?", any=neighbours("France") + neighbours("Portugal")))
    talk(turn("not there", "What is the population of Peru?", refuse=True), turn("pronoun", "Ok, its area then?", any=whole(area("Peru"))),
         turn("not there", "Who is the president?", refuse=True), turn("yes or no", "Does Peru have a coast?", yesno="yes"))
    largest, smallest = max(africa, key=area), min(africa, key=area)
    talk(turn("first or last", "what's the largest country in africa", any=[largest]), turn("pronoun", "capital?", any=capital(largest)),
         turn("first or last", "and the smallest one?", any=[smallest]), turn("not there", "is that an island?", refuse=True))
    both = [n for n in countries if n in neighbours("France") and n in neighbours("Germany")]
    talk(turn("two conditions", "Which countries border both France and Germany?", all=both),
         turn("of those", "Which of them has the smallest area?", any=[min(both, key=area)]),
         turn("pronoun", "What languages are spoken there?", any=languages(min(both, key=area))))
    most = max(len(neighbours(n)) for n in countries)
    talk(turn("not there", "Is there a country called Wakanda?", refuse=True), turn("not there", "What about Narnia?", refuse=True),
         turn("first or last", "Fine. Which country has the most neighbours?", any=[n for n in countries if len(neighbours(n)) == most]))
    talk(turn("one fact", "What's the currency of Norway?", any=["Norwegian krone", "NOK"]),
         turn("yes or no", "Does Sweden use the same?", yesno="no"),
         turn("one fact", "What does Sweden use?", any=["Swedish krona", "SEK"]))


if __name__ == "__main__":
    run(make, "country_talks")
