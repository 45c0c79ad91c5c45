#!/usr/bin/env python3
"""The exam over movies.json (vega-datasets): who made which film, what it took and brought in. Use: movies.py FILE [--check]"""
import datetime
import json

from exam import day, only, run, said_only, turn, whole


class Films:
    def __init__(self, path):
        self.rows = [{**r, "Title": str(r["Title"])} for r in json.load(open(path, encoding="utf-8"))]

    def of(self, title):
        return only_row([r for r in self.rows if r["Title"] == title])

    def day(self, title):
        return day(date(self.of(title)).isoformat())

    def where(self, test):
        return [r for r in self.rows if test(r)]

    def by(self, director):
        return self.where(lambda r: r["Director"] == director)

    def titles(self, test):
        return [r["Title"] for r in self.where(test)]


def only_row(rows):
    assert len(rows) == 1, rows
    return rows[0]


def date(row):
    return datetime.datetime.strptime(row["Release Date"], "%b %d %Y").date()


def most(rows, column):
    return max((r for r in rows if r[column] is not None), key=lambda r: r[column])


def make(exam, path):
    w = Films(path)
    ask = exam.ask
    ask("one fact", "who directed Jaws", any=[w.of("Jaws")["Director"]])
    ask("one fact", "When did Gladiator come out?", any=w.day("Gladiator"))
    ask("one fact", "what did it cost to make Titanic", any=whole(w.of("Titanic")["Production Budget"]))
    ask("one fact", "How long is The Dark Knight?", number=w.of("The Dark Knight")["Running Time min"])
    ask("one fact", "How much money did Inception make worldwide?", any=whole(w.of("Inception")["Worldwide Gross"]))
    ask("one fact", "what is Fargo rated", any=[w.of("Fargo")["MPAA Rating"]])
    ask("one fact", "Which company distributed Pulp Fiction?", any=[w.of("Pulp Fiction")["Distributor"]])
    ask("one fact", "What genre is Braveheart?", any=[w.of("Braveheart")["Major Genre"]])
    ask("one fact", "what score does Se7en have on imdb", any=whole(w.of("Se7en")["IMDB Rating"]))
    ask("one fact", "How many people voted for Memento on IMDB?", any=whole(w.of("Memento")["IMDB Votes"]))
    ask("one fact", "What was the US box office of Toy Story?", any=whole(w.of("Toy Story")["US Gross"]))
    ask("list", "which films did Christopher Nolan direct", all=[r["Title"] for r in w.by("Christopher Nolan")])
    ask("list", "List everything by Pete Docter", all=[r["Title"] for r in w.by("Pete Docter")])
    ask("list", "What has M. Night Shyamalan made?", all=[r["Title"] for r in w.by("M. Night Shyamalan")])
    ask("how many", "How many movies has Steven Spielberg directed?", number=len(w.by("Steven Spielberg")))
    ask("how many", "how many films did Gramercy distribute", number=len(w.where(lambda r: r["Distributor"] == "Gramercy")))
    ask("how many", "How many westerns are there?", number=len(set(w.titles(lambda r: r["Major Genre"] == "Western"))))
    ask("yes or no", "Did Ridley Scott direct Alien?", yesno="yes")
    ask("yes or no", "is Shrek by David Fincher", yesno="no")
    ask("yes or no", "Is Signs longer than Unbreakable?", yesno="no")
    ask("yes or no", "did Avatar cost more than Titanic", yesno="yes")
    ask("two hops", "What else did the director of Jaws make?",
        any=[r["Title"] for r in w.by("Steven Spielberg") if r["Title"] != "Jaws"])
    ask("two hops", "Which genres has the director of Gladiator worked in?",
        all=[r["Major Genre"] for r in w.by("Ridley Scott") if r["Major Genre"]])
    ask("two conditions", "which comedies did Brad Bird direct",
        all=[r["Title"] for r in w.by("Brad Bird") if r["Major Genre"] == "Comedy"])
    ask("two conditions", "Which dramas by Martin Scorsese are there?",
        all=[r["Title"] for r in w.by("Martin Scorsese") if r["Major Genre"] == "Drama"])
    ask("two conditions", "what did Warner Bros. release that Christopher Nolan directed",
        all=[r["Title"] for r in w.by("Christopher Nolan") if r["Distributor"] == "Warner Bros."])
    ask("extreme", "What is the longest movie by Peter Jackson?", any=[most(w.by("Peter Jackson"), "Running Time min")["Title"]])
    ask("extreme", "Which film has the biggest budget?",
        any=[r["Title"] for r in w.rows if r["Production Budget"] == most(w.rows, "Production Budget")["Production Budget"]])
    ask("extreme", "what is the first film directed by Quentin Tarantino", any=[min(w.by("Quentin Tarantino"), key=date)["Title"]])
    ask("extreme", "Which David Fincher movie made the most money worldwide?",
        any=[most(w.by("David Fincher"), "Worldwide Gross")["Title"]])
    ask("extreme", "which movie by Woody Allen has the best imdb rating", any=[most(w.by("Woody Allen"), "IMDB Rating")["Title"]])
    ask("compare", "Which is longer, Inception or Memento?", lead="Inception")
    ask("compare", "Which came out first, Shrek or Ratatouille?", lead="Shrek")
    ask("compare", "Who directed more films, Tim Burton or Andrew Stanton?", lead="Tim Burton")
    ask("value filter", "Which films did Clint Eastwood direct after 2005?",
        all=[r["Title"] for r in w.by("Clint Eastwood") if date(r).year > 2005])
    ask("value filter", "what did Steven Spielberg make in the 1990s",
        all=[r["Title"] for r in w.by("Steven Spielberg") if 1990 <= date(r).year < 2000])
    ask("value filter", "Which Ridley Scott films cost more than 100 million?",
        all=[r["Title"] for r in w.by("Ridley Scott") if (r["Production Budget"] or 0) > 100e6])
    ask("tell me about", "Tell me about WALL-E", any=["Andrew Stanton", "Comedy", "Walt Disney Pictures", *w.day("WALL-E")])
    ask("tell me about", "What is Jurassic Park?", any=["Steven Spielberg", "Universal", "Action", *w.day("Jurassic Park")])
    ask("not known", "Who wrote the music for Jaws?", refuse=True)
    ask("not known", "Who played the lead in The Matrix?", refuse=True)
    ask("not known", "when was Zorblatt Rising released", refuse=True)
    exam.talk(turn("follow-up", "Who made Fight Club?", any=["David Fincher"]),
              turn("follow-up", "what else did he make", any=[r["Title"] for r in w.by("David Fincher") if r["Title"] != "Fight Club"]),
              turn("follow-up", "which of those is the newest", any=[max(w.by("David Fincher"), key=date)["Title"]]))
    exam.talk(said_only("Who directed Up?"),
              turn("follow-up", "And when was it released?", any=w.day("Up")),
              turn("follow-up", "What about Ratatouille?", any=w.day("Ratatouille")),
              turn("follow-up", "how much did it cost", any=whole(w.of("Ratatouille")["Production Budget"])))


run(make, "movies")
