"""A program written for OpenAI's API: with another base URL alone it holds a conversation to a goal."""
import math
import sys

import openai

GOAL = "Roger Federer"


def talk(client, model):
    """Talks until the goal is reached; every second turn is streamed."""
    messages = [{"role": "system", "content": "/from Inception"}]
    for turn in range(12):
        messages.append({"role": "user", "content": "Tell me more."})
        ask = dict(model=model, messages=messages, metadata={"goal": GOAL}, temperature=0.7, max_tokens=100)
        if turn % 2:
            reply, finish, beside = "", None, None
            for chunk in client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **ask):
                if chunk.choices:
                    reply += chunk.choices[0].delta.content or ""
                    finish = chunk.choices[0].finish_reason or finish
                beside = (chunk.model_extra or {}).get("kgwalk", beside)
            assert finish == "stop" and chunk.usage.total_tokens > 0
        else:
            answer = client.chat.completions.create(**ask)
            reply, beside = answer.choices[0].message.content, answer.model_extra["kgwalk"]
            assert answer.choices[0].finish_reason == "stop"
        messages.append({"role": "assistant", "content": reply})
        assert beside["said"] == reply
        if f"{GOAL}: the goal is reached" in beside["reply"]:
            return turn + 1
    raise AssertionError("the goal was not reached:\n" + reply)


def transcribe(client, file):
    with open(file, "rb") as sound:
        assert client.audio.transcriptions.create(model="films", file=sound).text == "high low"
    for form in ("text", "srt", "vtt"):
        with open(file, "rb") as sound:
            text = client.audio.transcriptions.create(model="films", file=sound, response_format=form)
        assert "high low" in text and ("-->" in text) == (form != "text"), text
    with open(file, "rb") as sound:
        verbose = client.audio.transcriptions.create(model="films", file=sound, response_format="verbose_json",
                                                     timestamp_granularities=["word", "segment"], language="en")
    assert [word.word for word in verbose.words] == ["high", "low"] and verbose.words[0].end <= verbose.words[1].end
    assert verbose.segments[0].text == "high low" and 0.7 < verbose.duration < 0.9 and verbose.language == "en"
    with open(file, "rb") as sound:
        events = list(client.audio.transcriptions.create(model="films", file=sound, stream=True))
    assert "".join(e.delta for e in events[:-1]) == events[-1].text == "high low", events
    try:
        client.audio.transcriptions.create(model="films", file=("notes.txt", b"no sound"))
        raise AssertionError("what is no sound was transcribed")
    except openai.BadRequestError as error:
        assert "notes.txt: is damaged" in error.message, error.message
    print("openai: a sound as json, text, srt, vtt, verbose_json and a stream")


def main():
    client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
    names = [model.id for model in client.models.list()]
    assert names == ["films"], names
    assert client.models.retrieve("films").id == "films"
    print(f"openai: {GOAL} reached after {talk(client, 'films')} turns")

    texts = ["a film by Christopher Nolan", "who plays tennis?"]
    for form in ({}, {"encoding_format": "float"}):  # the package asks for base64 by itself
        vectors = client.embeddings.create(model="films", input=texts, **form)
        assert [row.index for row in vectors.data] == [0, 1] and vectors.usage.prompt_tokens > 0
        for row in vectors.data:
            assert math.isclose(sum(x * x for x in row.embedding), 1, rel_tol=1e-3)
    print(f"openai: vectors of {len(vectors.data[0].embedding)} numbers")

    transcribe(client, sys.argv[2])

    try:
        client.chat.completions.create(model="gpt", messages=[{"role": "user", "content": "Hi"}])
        raise AssertionError("an unknown model was answered")
    except openai.NotFoundError as error:
        assert "there is no model 'gpt'" in error.message, error.message
    try:
        client.chat.completions.create(model="films", messages=[])
        raise AssertionError("a chat without messages was answered")
    except openai.BadRequestError as error:
        assert "messages" in error.message


main()
