#!/usr/bin/env python3
"""The exam over cars.json (vega-datasets): weights, powers and years of cars. Use: cars.py FILE [--check]"""
import collections
import json

from exam import run, turn


def make(exam, path):
    rows = json.load(open(path, encoding="utf-8"))
    ask = exam.ask
    count = collections.Counter(row["Name"] for row in rows)
    of = {row["Name"]: row for row in rows if count[row["Name"]] == 1}

    def where(holds):
        return [row["Name"] for row in rows if holds(row)]

    def y(row):
        return int(row["Year"][:4])

    ask("one fact","How many cylinders does the Ford Fiesta have?",number=of['ford fiesta']['Cylinders'])
    ask("one fact","what's the horsepower of the chrysler cordoba",number=190)
    ask("one fact","How much does the Toyota Starlet weigh?",number=1755)
    ask("one fact","Where does the Saab 99e come from?",any=["Europe"])
    ask("one fact","how many miles per gallon does a honda civic 1500 gl get",number=44.6)
    ask("one fact","In which year was the Audi fox built?",any=["1974"])
    ask("one fact","What is the acceleration of the Datsun 200sx?",number=14.8)
    ask("one fact","displacement of the plymouth horizon?",number=of['plymouth horizon']['Displacement'])
    ask("one fact","how heavy is the mercury capri 2000",number=2220)
    ask("inverse","Which car has 230 horsepower?",any=["pontiac grand prix"])
    ask("inverse","which cars have 3 cylinders",all=where(lambda r:r['Cylinders']==3))
    ask("list","Which cars have five cylinders?",all=where(lambda r:r['Cylinders']==5))
    ask("list","What Japanese cars are from 1974?",all=where(lambda r:r['Origin']=='Japan' and y(r)==1974))
    ask("how many","How many cars come from Japan?",number=len(set(where(lambda r:r['Origin']=='Japan'))))
    ask("how many","how many cars are there",number=len(count))
    ask("how many","How many European cars were made in 1973?",number=len(set(where(lambda r:r['Origin']=='Europe' and y(r)==1973))))
    ask("how many","how many cars have more than 200 horsepower",number=len(set(where(lambda r:(r['Horsepower'] or 0)>200))))
    ask("yes or no","Is the Toyota Starlet from Japan?",yesno="yes")
    ask("yes or no","does the ford fiesta have 8 cylinders?",yesno="no")
    ask("yes or no","Was the Fiat X1.9 made in the USA?",yesno="no")
    ask("extreme","Which car has the most horsepower?",any=["pontiac grand prix"])
    ask("extreme","what is the lightest car",any=[min(rows,key=lambda r:r['Weight_in_lbs'])['Name']])
    ask("extreme","Which Japanese car is the heaviest?",any=[max((r for r in rows if r['Origin']=='Japan'),key=lambda r:r['Weight_in_lbs'])['Name']])
    ask("extreme","which car gets the best mileage",any=[max(rows,key=lambda r:r['Miles_per_Gallon'] or 0)['Name']])
    ask("extreme","Which European car has the most horsepower?",any=[max((r for r in rows if r['Origin']=='Europe'),key=lambda r:r['Horsepower'] or 0)['Name']])
    ask("comparison","Which is heavier, the Ford Fiesta or the Saab 99e?",lead="saab 99e")
    ask("comparison","Does the Chrysler Cordoba have more horsepower than the Ford Fiesta?",yesno="yes")
    ask("comparison","is the toyota starlet lighter than the plymouth horizon",yesno="yes")
    ask("value filter","Which cars weigh less than 1700 pounds?",all=where(lambda r:r['Weight_in_lbs']<1700))
    ask("value filter","cars with more than 215 horsepower",all=where(lambda r:(r['Horsepower'] or 0)>215))
    ask("value filter","Which cars get over 40 miles per gallon?",all=where(lambda r:(r['Miles_per_Gallon'] or 0)>40))
    ask("two conditions","Which European cars have six cylinders?",all=where(lambda r:r['Origin']=='Europe' and r['Cylinders']==6))
    ask("two conditions","Which Japanese cars have three cylinders?",all=where(lambda r:r['Origin']=='Japan' and r['Cylinders']==3))
    ask("average","What is the average weight of the European cars?",any=["2,4","24"])
    ask("tell me about","Tell me about the ford fiesta.",any=["66","1800","1,800","1978"])
    ask("unknown","Who designed the Ford Fiesta?",refuse=True)
    ask("unknown","how many doors does the ford fiesta have",refuse=True)
    ask("unknown","What is the horsepower of the Tesla Model S?",refuse=True)
    exam.talk(turn("one fact","How many horsepower does the Audi fox have?",number=83),turn("follow-up","and how much does it weigh?",number=of['audi fox']['Weight_in_lbs']),turn("follow-up","what about the ford fiesta",number=1800),turn("follow-up","Which one is heavier?",lead="audi fox"),turn("follow-up","where is it from",any=["Europe"]))

run(make, "cars")
