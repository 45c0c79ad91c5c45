"""LangChain's ChatOpenAI and litellm with another base URL: langchain_client.py URL"""
import sys

import litellm
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

QUESTION = "I love Inception."


class Told(BaseModel):
    """What the graph says."""
    answer: str = Field(description="The sentence.")
    name: str | None = Field(description="The entity that it comes to.")
    sources: list[str]


def langchain(url):
    for more in ({}, {"use_responses_api": True}):
        chat = ChatOpenAI(base_url=url, api_key="none", model="films", max_retries=0, **more)
        said = chat.invoke([SystemMessage("You know films."), HumanMessage(QUESTION)])
        assert said.text, said
        on = chat.invoke([HumanMessage(QUESTION), AIMessage(said.text), HumanMessage("Who directed it?")])
        assert on.text, on
        streamed = "".join(chunk.text for chunk in chat.stream(QUESTION))
        assert streamed == said.text, (streamed, said.text)
        told = chat.with_structured_output(Told).invoke(QUESTION)
        assert told.name and told.name in told.answer, told
        print("langchain:", "responses" if more else "chat completions", "whole, streamed and structured:", told.name)


def lite(url):
    ask = dict(model="openai/films", api_base=url, api_key="none", messages=[{"role": "user", "content": QUESTION}])
    said = litellm.completion(**ask, temperature=0.2, max_tokens=200).choices[0].message.content
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in litellm.completion(**ask, stream=True))
    assert said and streamed == said, (said, streamed)
    response = litellm.responses(model="openai/films", api_base=url, api_key="none", input=QUESTION)
    assert response.output[0].content[0].text == said, response
    print("litellm: chat completions whole and streamed, responses")


langchain(sys.argv[1] + "/v1")
lite(sys.argv[1] + "/v1")
