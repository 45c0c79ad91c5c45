"""LlamaIndex's OpenAILike with another base URL: llama_index_client.py URL"""
import sys

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

QUESTION = "I love Inception."

model = OpenAILike(model="films", api_base=sys.argv[1] + "/v1", api_key="none", is_chat_model=True, max_retries=0)
said = model.chat([ChatMessage(role="system", content="You know films."), ChatMessage(role="user", content=QUESTION)])
assert said.message.content, said
streamed = "".join(chunk.delta or "" for chunk in model.stream_chat([ChatMessage(role="user", content=QUESTION)]))
assert streamed == said.message.content, (streamed, said.message.content)
assert model.complete(QUESTION).text == streamed
print("llama-index: chat whole and streamed, completion through chat")
