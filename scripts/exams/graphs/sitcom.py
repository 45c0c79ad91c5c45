#!/usr/bin/env python3
"""The exam over sitcom.nt (tbbt-ld): nine people, whom they know, what they do. Use: sitcom.py FILE [--check]"""
from exam import run, turn


def make(exam, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert text.count("givenName") == 9 and "theoretical physicist" in text
    ask = exam.ask
    known = ["Howard", "Penny", "Rajesh", "Sheldon"]
    ask("one fact", "What does Sheldon Cooper do for a living?", any=["theoretical physicist"])
    ask("one fact", "what is Penny's job", any=["pharmaceutical sales representative"])
    ask("one fact", "What is Amy's job title?", any=["neurobiologist"])
    ask("one fact", "Who is Howard Wolowitz married to?", any=["Bernadette"])
    ask("one fact", "who is bernadette's husband", any=["Howard"])
    ask("one fact", "Who is Sheldon's mother?", any=["Mary Cooper"])
    ask("one fact", "Who is the parent of Sheldon Cooper?", any=["Mary Cooper"])
    ask("one fact", "What is Sheldon's middle name?", any=["Lee"])
    ask("one fact", "what's howard's last name", any=["Wolowitz"])
    ask("one fact", "Where does Penny live?", any=["Pasadena"])
    ask("one fact", "Which city does Leonard live in?", any=["Pasadena"])
    ask("one fact", "What's the postal code of Sheldon's address?", any=["91104"])
    ask("inverse", "Who is a microbiologist?", any=["Bernadette"])
    ask("inverse", "Who owns a comic book store?", any=["Stuart"])
    ask("inverse", "who is the aerospace engineer", any=["Howard"])
    ask("inverse", "Who knows Mary Cooper?", all=known)
    ask("list", "Who does Mary Cooper know?", all=known)
    ask("list", "What are Mary's children?", all=["Sheldon"])
    ask("how many", "How many people does Mary Cooper know?", number=4)
    ask("how many", "How many people are there?", number=9)
    ask("yes or no", "Is Raj an astrophysicist?", yesno="yes")
    ask("yes or no", "Does Penny know Sheldon?", yesno="yes")
    ask("yes or no", "Is Howard married to Penny?", yesno="no")
    exam.talk(turn("one fact", "Who is Mary Cooper's son?", any=["Sheldon"]),
              turn("focus", "What does he do?", any=["theoretical physicist"]),
              turn("focus", "Where does he live?", any=["Pasadena"]),
              turn("focus", "And Leonard?", any=["Pasadena"]))
    ask("two hops", "What is the job of Bernadette's husband?", any=["aerospace engineer"])
    ask("two hops", "What does Mary Cooper's son do?", any=["theoretical physicist"])
    ask("unknown", "Who is Penny married to?", refuse=True)


run(make, "sitcom")
