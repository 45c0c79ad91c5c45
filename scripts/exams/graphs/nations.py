#!/usr/bin/env python3
"""The exam over nations.json (world-countries-capitals): names in small letters, codes, yes and no. Use: nations.py FILE [--check]"""
import json
import pathlib

from exam import run, turn, whole


class World:
    def __init__(self, path):
        self.rows = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        self.by_name = {r["country"]: r for r in self.rows}

    def where(self, test):
        return [r["country"] for r in self.rows if test(r)]

    def speaking(self, language):
        return self.where(lambda r: language in r["native_language"])

    def area(self, name):
        return self.by_name[name]["area"]["km2"]


def make(exam, path):
    w = World(path)
    of, ask = w.by_name, exam.ask
    left = w.where(lambda r: r["drive_direction"] == "left")
    ask("one fact", "What is the capital of Mongolia?", any=[of["mongolia"]["capital"]])
    ask("one fact", "what do they use as money in vietnam", any=[of["vietnam"]["currency"]])
    ask("one fact", "What is Jamaica famous for?", any=[of["jamaica"]["famous_for"], *of["jamaica"]["famous_for"].split(", ")])
    ask("one fact", "What's the dialling code of Portugal?", any=[of["portugal"]["phone_code"], of["portugal"]["phone_code"][1:]])
    ask("one fact", "on which side of the road do people drive in Kenya", any=[of["kenya"]["drive_direction"]])
    ask("one fact", "What kind of government does Oman have?", any=[of["oman"]["constitutional_form"]])
    ask("one fact", "how large is Cuba in square kilometres?", any=whole(w.area("cuba")))
    ask("list", "Which languages do they speak in Switzerland?", all=of["switzerland"]["native_language"])
    ask("list", "where is dutch spoken?", all=w.speaking("dutch"))
    ask("list", "Which countries are absolute monarchies?", all=w.where(lambda r: r["constitutional_form"] == "absolute monarchy"))
    ask("list", "In which countries is alcohol prohibited nationwide?", all=w.where(lambda r: r["alcohol_prohibition"] == "nationwide"))
    ask("inverse", "Which country has Nairobi as its capital?", any=["kenya"])
    ask("inverse", "where do they pay with the yen", any=["japan"])
    ask("inverse", "Which country's domain is .ch?", any=["switzerland"])
    ask("inverse", "who has the phone code +31", any=["netherlands"])
    ask("how many", "How many countries drive on the left?", number=len(left))
    ask("how many", "how many languages are spoken in Bolivia?", number=len(of["bolivia"]["native_language"]))
    ask("how many", "How many landlocked countries are there?", number=len(w.where(lambda r: r["is_landlocked"])))
    ask("how many", "in how many countries is spanish a native language", number=len(w.speaking("spanish")))
    ask("yes or no", "Is Laos landlocked?", yesno="yes" if of["laos"]["is_landlocked"] else "no")
    ask("yes or no", "do they drive on the left in Japan?", yesno="yes" if "japan" in left else "no")
    ask("yes or no", "Is Sweden a republic?", yesno="yes" if of["sweden"]["constitutional_form"] == "republic" else "no")
    ask("yes or no", "is lagos the capital of nigeria", yesno="yes" if of["nigeria"]["capital"] == "lagos" else "no")
    ask("two hops", "Which currency is used in the country whose capital is Warsaw?", any=[of["poland"]["currency"]])
    ask("two hops", "what are the languages of the country that has Lima as its capital", all=of["peru"]["native_language"])
    ask("two conditions", "Which landlocked countries speak German?",
        all=[n for n in w.speaking("german") if of[n]["is_landlocked"]])
    ask("two conditions", "monarchies where people drive on the left",
        all=[n for n in left if "monarchy" in of[n]["constitutional_form"]])
    ask("extreme", "What is the largest country?", any=[max(of, key=w.area)])
    ask("extreme", "which is the smallest landlocked country",
        any=[min(w.where(lambda r: r["is_landlocked"]), key=w.area)])
    most = max(len(r["native_language"]) for r in w.rows)
    ask("extreme", "Which country has the most native languages?", any=w.where(lambda r: len(r["native_language"]) == most))
    ask("comparison", "Which is bigger, Chad or Niger?", lead=max(("chad", "niger"), key=w.area))
    ask("comparison", "is Egypt larger than Ethiopia?", yesno="yes" if w.area("egypt") > w.area("ethiopia") else "no")
    ask("value filter", "Which countries have an area above 5,000,000 km2?", all=w.where(lambda r: r["area"]["km2"] > 5e6))
    ask("value filter", "countries smaller than 100 square kilometres", all=w.where(lambda r: r["area"]["km2"] < 100))
    ask("tell me about", "Tell me about Nepal.",
        any=[of["nepal"]["capital"], of["nepal"]["currency"], of["nepal"]["famous_for"], *of["nepal"]["native_language"]])
    ask("unknown", "What is the capital of Narnia?", refuse=True)
    ask("unknown", "Who is the president of France?", refuse=True)
    exam.talk(turn("one fact", "whats the capital of ghana", any=[of["ghana"]["capital"]]),
              turn("follow-up", "and of Togo?", any=[of["togo"]["capital"]]),
              turn("follow-up", "What language do they speak there?", any=of["togo"]["native_language"]),
              turn("follow-up", "where else is it spoken?", all=[n for n in w.speaking(of["togo"]["native_language"][0]) if n != "togo"]))
    exam.talk(turn("one fact", "What is the currency of Norway?", any=[of["norway"]["currency"]]),
              turn("follow-up", "Is it bigger than Finland?", yesno="yes" if w.area("norway") > w.area("finland") else "no"),
              turn("follow-up", "By how much?", any=whole(abs(w.area("norway") - w.area("finland")))))


if __name__ == "__main__":
    run(make, "nations")
