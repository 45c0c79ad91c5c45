"""OpenAI's responses and structured outputs through the package `openai`: openai_responses.py URL"""
import sys

import openai
from pydantic import BaseModel


class Fact(BaseModel):
    head: str
    relation: str
    tail: str


class Answer(BaseModel):
    answer: str
    entities: list[str]
    facts: list[Fact]


class Mood(BaseModel):
    mood: str


QUESTION = "I love Inception."


def structured(client):
    chat = client.chat.completions.parse(model="films", messages=[{"role": "user", "content": QUESTION}], response_format=Answer)
    told = chat.choices[0].message.parsed
    assert told.entities and told.facts[0].tail in told.answer, told
    response = client.responses.parse(model="films", input=QUESTION, text_format=Answer)
    assert response.output_parsed.entities == told.entities, response.output_parsed
    try:
        client.chat.completions.parse(model="films", messages=[{"role": "user", "content": QUESTION}], response_format=Mood)
        raise AssertionError("a schema that no part of an answer fills was answered")
    except openai.BadRequestError as error:
        assert error.param == "response_format" and error.code == "unsupported_value" and "'mood'" in error.message, error
    print("openai: structured outputs of chat and responses")


def responses(client):
    first = client.responses.create(model="films", input=QUESTION, instructions="You know films.", temperature=0.3)
    assert first.output_text and first.status == "completed" and first.usage.total_tokens > 0, first
    second = client.responses.create(model="films", input="Who directed it?", previous_response_id=first.id)
    assert second.output_text and second.previous_response_id == first.id
    text, kinds = "", []
    with client.responses.stream(model="films", input=QUESTION) as stream:
        for event in stream:
            kinds.append(event.type)
            if event.type == "response.output_text.delta":
                text += event.delta
        final = stream.get_final_response()
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
    assert final.output_text == text, (final.output_text, text)
    cut = client.responses.create(model="films", input=QUESTION, max_output_tokens=2)
    assert cut.status == "incomplete" and cut.incomplete_details.reason == "max_output_tokens"
    assert client.responses.retrieve(first.id).output_text == first.output_text
    client.responses.delete(first.id)
    try:
        client.responses.create(model="films", input="And then?", previous_response_id=first.id)
        raise AssertionError("a deleted response was gone on from")
    except openai.NotFoundError as error:
        assert error.param == "previous_response_id", error
    print("openai: responses, whole, streamed, gone on from and deleted")


def refusals(client):
    ask = dict(model="films", messages=[{"role": "user", "content": QUESTION}])
    for field in ({"n": 2}, {"logprobs": True}, {"tools": [{"type": "function", "function": {"name": "f"}}]}):
        try:
            client.chat.completions.create(**ask, **field)
            raise AssertionError(f"{field} was passed over")
        except openai.BadRequestError as error:
            assert error.param in field and error.code == "unsupported_parameter", error
    assert client.chat.completions.create(**ask, max_tokens=2).choices[0].finish_reason == "length"
    print("openai: what is not honored is refused by name")


def main():
    client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
    responses(client)
    structured(client)
    refusals(client)


main()
