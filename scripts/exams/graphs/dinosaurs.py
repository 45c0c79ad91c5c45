#!/usr/bin/env python3
"""The exam over dinosaurs.json (dinosaur-data): a tree of objects, each inside the one it belongs to. Use: dinosaurs.py FILE [--check]"""
import json

from exam import run, turn


def make(exam, path):
    with open(path, encoding="utf-8") as file:
        root = json.load(file)
    taxa, parents = {}, {}

    def walk(taxon, parent):
        taxa.setdefault(taxon["name"], taxon)
        parents.setdefault(taxon["name"], parent)
        for child in taxon.get("children", []):
            walk(child, taxon["name"])

    walk(root, "")
    ask = exam.ask

    def children(name):
        return [child["name"] for child in taxa[name]["children"]]

    def of_rank(rank):
        return [name for name, taxon in taxa.items() if taxon["rank"] == rank]

    def species(name):
        return taxa[name].get("species_count", 0)

    ask("one fact", "What rank is Tyrannosaurus?", any=[taxa["Tyrannosaurus"]["rank"]])
    ask("yes or no", "Is Ceratopsidae a family?", yesno="yes")
    ask("yes or no", "Is Triceratops a family?", yesno="no")
    ask("how many", "How many species does Ceratopsidae have?", number=species("Ceratopsidae"))
    ask("one fact", "What is the species count of Coelurosauria?", number=species("Coelurosauria"))
    ask("list", "Which species belong to Triceratops?", all=children("Triceratops"))
    ask("inverse", "What does Velociraptor belong to?", any=[parents["Velociraptor"]])
    ask("inverse", "What is the parent of Diplodocus?", any=[parents["Diplodocus"]])
    ask("how many", "How many genera are there?", number=len(of_rank("genus")))
    ask("how many", "How many tribes are there?", number=len(of_rank("tribe")))
    ask("list", "List the subclasses.", all=of_rank("subclass"))
    ask("first or last", "Which family has the most species?", any=[max(of_rank("family"), key=species)])
    ask("first or last", "Which order has the most species?", any=[max(of_rank("order"), key=species)])
    ask("list", "Name the children of Hadrosaurinae", all=children("Hadrosaurinae")[:2])
    ask("yes or no", "Is Hadrosaurinae part of Hadrosauridae?", yesno="yes")
    ask("yes or no", "Is Triceratops part of Tyrannosauridae?", yesno="no")
    ask("comparison", "Which has more species, Centrosaurinae or Chasmosaurinae?",
        any=[max(("Centrosaurinae", "Chasmosaurinae"), key=species)])
    ask("filter", "Which families have more than 60 species?", all=[n for n in of_rank("family") if species(n) > 60][:3])
    ask("one fact", "What is the url of Stegosaurus?", any=[taxa["Stegosaurus"]["url"]])
    ask("not there", "What did Stegosaurus eat?", refuse=True)
    ask("not there", "How long was Diplodocus?", refuse=True)
    ask("inverse", "What genus is Velociraptor mongoliensis in?", any=["Velociraptor"])
    ask("tell me about", "Tell me about Stegosaurus", any=[parents["Stegosaurus"], "genus", *children("Stegosaurus")])
    ask("not there", "Where does Tricerabob belong?", refuse=True)
    exam.talk(turn("one fact", "What rank is Aves?", any=["class"]),
              turn("follow-up", "How many species does it have?", number=species("Aves")),
              turn("follow-up", "And Coelurosauria?", number=species("Coelurosauria")))


if __name__ == "__main__":
    run(make, "dinosaurs")
