"""A retriever for LlamaIndex: llamaindex_retriever.py DATABASE RUN QUESTION. Needs llama-index-core."""

import sys
from typing import List

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

import kgwalk


class GraphRetriever(BaseRetriever):
    """A node a fact, scored by its weight."""

    def __init__(self, retriever: kgwalk.Retriever, tokens: int = 400) -> None:
        super().__init__()
        self._facts, self._tokens = retriever, tokens

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        found = self._facts.retrieve(query_bundle.query_str, tokens=self._tokens)
        return [
            NodeWithScore(
                node=TextNode(
                    text=f"{each.fact.head} | {each.fact.relation} | {each.fact.tail}", metadata={"source": each.source}
                ),
                score=each.weight,
            )
            for each in found.facts
        ]


if __name__ == "__main__":
    retriever = GraphRetriever(kgwalk.Retriever.open(sys.argv[1], sys.argv[2]))
    for node in retriever.retrieve(sys.argv[3]):
        print(f"{node.get_content()}   {node.score:.3f}")
