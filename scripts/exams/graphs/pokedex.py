#!/usr/bin/env python3
"""The exam over pokedex.json (pokemon-go-pokedex): sizes with units, types, forms before and after. Use: pokedex.py FILE [--check]"""
import json
import pathlib

from exam import only, run, said_only, turn, whole


class Dex:
    def __init__(self, path):
        self.rows = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["pokemon"]
        self.by_name = {r["name"]: r for r in self.rows}

    def where(self, test):
        return [r["name"] for r in self.rows if test(r)]

    def typed(self, *types):
        return self.where(lambda r: set(types) <= set(r["type"]))

    def becomes(self, name):
        return [e["name"] for e in self.by_name[name].get("next_evolution", [])]

    def was(self, name):
        return [e["name"] for e in self.by_name[name].get("prev_evolution", [])]

    def size(self, name, of="height"):
        return float(self.by_name[name][of].split()[0])

    def top(self, of, names=None, best=max):
        names = names or list(self.by_name)
        value = best(self.size(n, of) for n in names)
        return [n for n in names if self.size(n, of) == value]


def make(exam, path):
    d = Dex(path)
    ask = exam.ask
    ask("one fact", "How tall is Pikachu?", any=whole(d.size("Pikachu")))
    ask("one fact", "what does snorlax weigh", any=whole(d.size("Snorlax", "weight")))
    ask("one fact", "What type is Gengar?", all=d.by_name["Gengar"]["type"])
    ask("one fact", "which candy do I need for Dratini?", any=[d.by_name["Dratini"]["candy"]])
    ask("one fact", "How many candies does it take to evolve Magikarp?", number=d.by_name["Magikarp"]["candy_count"])
    ask("one fact", "how far must i walk to hatch an Eevee", any=[d.by_name["Eevee"]["egg"]])
    ask("one fact", "What is the number of Mewtwo?", any=["150"])
    ask("list", "What is Charizard weak against?", all=d.by_name["Charizard"]["weaknesses"])
    ask("list", "what does bulbasaur evolve into", all=d.becomes("Bulbasaur"))
    ask("list", "Which ghost pokemon are there?", all=d.typed("Ghost"))
    ask("list", "List all dragon types.", all=d.typed("Dragon"))
    ask("list", "which pokemon hatch from 2 km eggs?", all=d.where(lambda r: r["egg"] == "2 km"))
    ask("inverse", "What evolves into Gyarados?", any=d.was("Gyarados"))
    ask("inverse", "which one is number 25?", any=["Pikachu"])
    ask("how many", "How many fire pokemon are there?", number=len(d.typed("Fire")))
    ask("how many", "how many types does Onix have", number=len(d.by_name["Onix"]["type"]))
    ask("how many", "How many weaknesses has Geodude?", number=len(d.by_name["Geodude"]["weaknesses"]))
    ask("how many", "how many pokemon are weak to ice", number=len(d.where(lambda r: "Ice" in r["weaknesses"])))
    ask("yes or no", "Is Lapras a water type?", yesno="yes")
    ask("yes or no", "Is vulpix weak against grass?", yesno="no")
    ask("yes or no", "does Ponyta evolve into Rapidash?", yesno="yes")
    ask("two hops", "What types is the pokemon that evolves from Diglett?", all=d.by_name["Dugtrio"]["type"])
    ask("two hops", "how heavy is what Magnemite becomes?", any=whole(d.size("Magneton", "weight")))
    ask("two conditions", "Which pokemon are both Bug and Flying?", all=d.typed("Bug", "Flying"))
    ask("two conditions", "grass pokemon that are weak to psychic",
        all=d.where(lambda r: "Grass" in r["type"] and "Psychic" in r["weaknesses"]))
    ask("extreme", "What is the tallest pokemon?", any=d.top("height"))
    ask("extreme", "which pokemon is the lightest", any=d.top("weight", best=min))
    ask("extreme", "Which Electric pokemon is the heaviest?", any=d.top("weight", d.typed("Electric")))
    most = max(len(r["weaknesses"]) for r in d.rows)
    ask("extreme", "Which pokemon has the most weaknesses?", any=d.where(lambda r: len(r["weaknesses"]) == most))
    ask("comparison", "Who is heavier, Onix or Golem?", lead=max(("Onix", "Golem"), key=lambda n: d.size(n, "weight")))
    ask("comparison", "is Ekans longer than Pidgeot?", yesno="yes" if d.size("Ekans") > d.size("Pidgeot") else "no")
    ask("value filter", "Which pokemon weigh more than 300 kg?", all=d.where(lambda r: d.size(r["name"], "weight") > 300))
    ask("value filter", "how many pokemon are taller than 2 meters",
        number=len(d.where(lambda r: d.size(r["name"]) > 2)))
    ask("value filter", "water pokemon under 5 kg",
        all=[n for n in d.typed("Water") if d.size(n, "weight") < 5])
    ask("tell me about", "tell me something about Jolteon",
        any=d.by_name["Jolteon"]["type"] + d.by_name["Jolteon"]["weaknesses"] + whole(d.size("Jolteon")))
    ask("unknown", "How tall is Agumon?", refuse=True)
    ask("unknown", "Who is the trainer of Psyduck?", refuse=True)
    exam.talk(turn("one fact", "how heavy is Machop?", any=whole(d.size("Machop", "weight"))),
              turn("follow-up", "And Machamp?", any=whole(d.size("Machamp", "weight"))),
              turn("follow-up", "what is it weak against?", all=d.by_name["Machamp"]["weaknesses"]),
              turn("follow-up", "Which is heavier of the two?", any=["Machamp"]))
    exam.talk(turn("list", "Which pokemon are of type Fighting?", all=d.typed("Fighting")),
              turn("follow-up", "which of those is the tallest", any=d.top("height", d.typed("Fighting"))),
              turn("follow-up", "And how many are there?", number=len(d.typed("Fighting"))))
    exam.talk(said_only("My favourite is Abra."),
              turn("follow-up", "what will it turn into?", all=d.becomes("Abra")),
              turn("follow-up", "what type is the last one?", any=d.by_name["Alakazam"]["type"]))
    assert only(d.becomes("Ponyta")) == "Rapidash"


if __name__ == "__main__":
    run(make, "pokedex")
