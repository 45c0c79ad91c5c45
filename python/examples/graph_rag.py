"""Facts for a prompt, two ways under one budget of tokens: graph_rag.py DATABASE RUN QUESTIONS [COUNT].

`Retriever` walks from what a question names. The other way is the usual one: facts as sentences, the nearest to the
question by the vectors of their words (TF-IDF). QUESTIONS is a file of make_questions(). Told is how often the facts
hold an entity that answers the question.
"""

import collections
import json
import math
import re
import sys
from typing import Callable, Dict, List, Tuple

import kgwalk

BUDGET = 100  # tokens of facts a question


def words(text: str) -> List[str]:
    return re.findall(r"\w+", text.lower().replace("_", " "))


class SentenceSearch:
    """The nearest sentences by the cosine of TF-IDF vectors, in an inverted index."""

    def __init__(self, sentences: List[str]) -> None:
        self.sentences = sentences
        counts = [collections.Counter(words(sentence)) for sentence in sentences]
        appearances = collections.Counter(word for count in counts for word in count)
        self.idf = {word: math.log(len(sentences) / n) + 1 for word, n in appearances.items()}
        self.index: Dict[str, List[Tuple[int, float]]] = collections.defaultdict(list)
        for i, count in enumerate(counts):
            length = math.sqrt(sum((n * self.idf[word]) ** 2 for word, n in count.items()))
            for word, n in count.items():
                self.index[word].append((i, n * self.idf[word] / length))

    def __call__(self, question: str) -> str:
        scores: Dict[int, float] = collections.defaultdict(float)
        for word, n in collections.Counter(words(question)).items():
            for i, weight in self.index.get(word, ()):
                scores[i] += n * self.idf[word] * weight
        text, tokens = [], 0
        for i in sorted(scores, key=lambda i: (-scores[i], i)):
            tokens += kgwalk.estimated_tokens(self.sentences[i])
            if tokens > BUDGET:
                break
            text.append(self.sentences[i])
        return "\n".join(text)


def recall(find: Callable[[str], str], questions: List[Tuple[str, List[str]]]) -> float:
    found = 0
    for question, answers in questions:
        lines = [part.strip() for line in find(question).split("\n") for part in line.split("|")]
        found += any(answer in lines for answer in answers)
    return 100 * found / len(questions)


def main() -> None:
    database, run, file = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    graph = kgwalk.KnowledgeGraph.open(database)
    with open(file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    alone = [row for row in rows if len(row["turns"]) == 1 and row["asks"] in ("one", "list") and row["answers"]]
    asked = [(row["turns"][0], row["answers"]) for row in alone[:count]]
    if not asked:
        sys.exit(f"{file} has no question without a conversation before it that entities answer")

    retriever = kgwalk.Retriever.open(database, run)
    search = SentenceSearch([" | ".join(fact) for fact in graph.to_edges()])
    print(f"{len(asked)} questions, {BUDGET} tokens each: an answer is among the facts")
    print(f"  walks from what is named   {recall(lambda q: retriever.retrieve(q, tokens=BUDGET).text, asked):5.1f} %")
    print(f"  nearest sentences, TF-IDF  {recall(search, asked):5.1f} %")


if __name__ == "__main__":
    main()
