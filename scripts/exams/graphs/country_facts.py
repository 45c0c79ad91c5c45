#!/usr/bin/env python3
"""The exam over the files of country-json, one for each thing told of countries. Use: country_facts.py FOLDER [--check]"""
import json
import pathlib

from exam import run, turn, whole

LEFT_OUT = ("flag", "IATA-code", "cities", "alphabet-letters")  # pictures, airports, cities, and lists by letters


def make(exam, path):
    d = {}
    for file in sorted(pathlib.Path(path).glob("*.json")):
        if file.stem.removeprefix("country-by-") in LEFT_OUT:
            continue
        for each in json.load(open(file, encoding="utf-8")):
            d.setdefault(each["country"], {}).update((k, v) for k, v in each.items() if k != "country")
    ask = exam.ask

    def where(holds):
        names = []
        for name, row in d.items():
            try:
                if holds(row):
                    names.append(name)
            except (TypeError, KeyError):  # it tells not that
                continue
        return names

    def g(country, key):
        return d[country][key]

    ask("one fact","What is the capital of Kenya?",any=["Nairobi"])
    ask("one fact","what's the national dish of brazil",any=["Feijoada"])
    ask("one fact","Which currency do they use in Mongolia?",any=["Mongolian Tugrik"])
    ask("one fact","How many people live in Norway?",any=whole(g('Norway','population')))
    ask("one fact","What is the calling code of Switzerland?",any=["41"])
    ask("one fact","when did Peru become independent",any=["1821"])
    ask("one fact","On which continent is Egypt?",any=["Africa"])
    ask("one fact","what is the life expectancy in Japan",number=80.7)
    ask("one fact","What kind of government does Denmark have?",any=[g('Denmark','government')])
    ask("one fact","What's the main religion in Mongolia?",any=["Buddhism"])
    ask("one fact","what is the average temperature in Chile",number=9.39)
    ask("one fact","How tall are men in Norway on average?",number=179.7)
    ask("one fact","what's the internet domain of Switzerland",any=[".ch"])
    ask("inverse","Of which country is Ulan Bator the capital?",any=["Mongolia"])
    ask("inverse","Where do people eat Ceviche?",any=["Peru"])
    ask("inverse","which country has the calling code 254",any=["Kenya"])
    ask("list","Which languages are spoken in Switzerland?",all=g('Switzerland','languages'))
    ask("list","Where is Swahili spoken?",all=where(lambda r:'Swahili' in r['languages']))
    ask("list","Which countries are federal republics?",all=where(lambda r:r['government']=='Federal Republic'))
    ask("list","list the buddhist countries",all=where(lambda r:r['religion']=='Buddhism'))
    ask("how many","How many countries are in South America?",number=len(where(lambda r:r['continent']=='South America')))
    ask("how many","how many countries speak Portuguese",number=len(where(lambda r:'Portuguese' in r['languages'])))
    ask("how many","How many countries became independent in 1960?",number=len(where(lambda r:r['independence']==1960)))
    ask("yes or no","Is Switzerland landlocked?",yesno="yes")
    ask("yes or no","is French spoken in Canada?",yesno="yes" if 'French' in g('Canada','languages') else "no")
    ask("yes or no","Is Rio de Janeiro the capital of Brazil?",yesno="no")
    ask("extreme","Which country in Europe has the largest population?",any=[max(where(lambda r:r['continent']=='Europe' and r['population']),key=lambda n:d[n]['population'])])
    ask("extreme","what's the smallest country in africa by area",any=[min(where(lambda r:r['continent']=='Africa' and r['area']),key=lambda n:d[n]['area'])])
    ask("extreme","Which country has the lowest average temperature?",any=[min(where(lambda r:r.get('temperature') is not None),key=lambda n:d[n]['temperature'])])
    ask("extreme","In which South American country do people live longest?",any=[max(where(lambda r:r['continent']=='South America' and r['expectancy']),key=lambda n:d[n]['expectancy'])])
    ask("comparison","Are there more people in Kenya or in Peru?",lead="Kenya")
    ask("comparison","Is Norway larger than Japan?",yesno="no")
    ask("comparison","Which is hotter, Egypt or Brazil?",lead="Brazil")
    ask("value filter","Which South American countries have fewer than 5 million people?",all=where(lambda r:r['continent']=='South America' and r['population']<5e6))
    ask("value filter","countries with a life expectancy over 80",all=where(lambda r:r['expectancy']>80))
    ask("two conditions","Which Asian countries use the euro?",any=where(lambda r:r['continent']=='Asia' and r['currency_name']=='Euro') or ["no","none","I know"])
    ask("two conditions","which african countries speak both Berberi and Arabic",all=where(lambda r:r['continent']=='Africa' and "Berberi" in r["languages"] and "Arabic" in r['languages']))
    ask("two conditions","Which European countries are landlocked?",all=where(lambda r:r['continent']=='Europe' and r['landlocked']=='1'))
    ask("two hops","What language do they speak in the country whose capital is Nairobi?",any=g('Kenya','languages'))
    ask("tell me about","Tell me about Chile.",any=["Santiago de Chile","South America","Republic","Chilean Peso"])
    ask("unknown","Who is the president of Chile?",refuse=True)
    ask("unknown","What is the capital of Atlantis?",refuse=True)
    exam.talk(turn("one fact","What is the capital of Italy?",any=["Roma"]),turn("follow-up","And its population?",any=whole(g('Italy','population'))),turn("follow-up","what do they eat there",any=["Pasta","Pizza","Polenta"]),turn("follow-up","How about Japan?",any=["Sushi","Ramen"]),turn("follow-up","which of the two is bigger",lead="Japan"))

run(make, "country_facts")
