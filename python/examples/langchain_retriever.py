"""A retriever for LangChain: langchain_retriever.py DATABASE RUN QUESTION. Needs langchain-core."""

import sys
from typing import Any, List

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

import kgwalk


class GraphRetriever(BaseRetriever):
    """A document a fact, the weightiest first."""

    retriever: Any  # a kgwalk.Retriever
    tokens: int = 400

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> List[Document]:
        found = self.retriever.retrieve(query, tokens=self.tokens)
        return [
            Document(
                page_content=f"{each.fact.head} | {each.fact.relation} | {each.fact.tail}",
                metadata={"weight": each.weight, "source": each.source},
            )
            for each in found.facts
        ]


if __name__ == "__main__":
    retriever = GraphRetriever(retriever=kgwalk.Retriever.open(sys.argv[1], sys.argv[2]))
    for document in retriever.invoke(sys.argv[3]):
        print(document.page_content, document.metadata)
