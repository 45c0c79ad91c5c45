"""An assistant's side of MCP: lists and calls every tool over Streamable HTTP and over standard input and output."""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

CALLS = {
    "search": {"text": "roger fed"},
    "neighborhood": {"entity": "Inception"},
    "distance": {"from": "Inception", "to": "Roger Federer"},
    "fact": {"head": "Inception", "relation": "directed_by", "tail": "Christopher Nolan"},
    "stats": {},
    "introduction": {},
    "relations": {"count": 5},
    "ask": {"question": "Who directed Inception?"},
    "plan": {"start": "Inception"},
    "explain": {"start": "Inception", "goal": "Roger Federer"},
    "lead": {"start": "Inception", "goal": "Roger Federer"},
    "connect": {"entities": ["Inception", "Roger Federer"]},
    "complete": {"head": "Inception", "relation": "has_genre", "k": 3},
    "query": {"form": {"count": {"step": "~directed_by", "from": "Christopher Nolan"}}},
    "retrieve": {"question": "Who directed Inception?"},
    "edits": {},
}


async def check(server, how):
    async with Client(server) as client:
        assert client.server_info.name == "kgwalk"
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == set(CALLS), [tool.name for tool in tools]
        for tool in tools:
            answer = await client.call_tool(tool.name, CALLS[tool.name])
            assert not answer.is_error, (tool.name, answer.content)
            assert answer.structured_content and answer.content[0].text, tool.name
        answer = await client.call_tool("plan", {"start": "Incepton"})
        assert answer.is_error and "did you mean 'Inception'" in answer.content[0].text, answer.content
        resources = (await client.list_resources()).resources
        assert [str(one.uri) for one in resources] == ["kgwalk://films/graph"], resources
        graph = json.loads((await client.read_resource(str(resources[0].uri))).contents[0].text)
        assert graph["model"] == "films" and graph["entities"] > 0, graph
        assert len((await client.list_resource_templates()).resource_templates) == 1
        entity = json.loads((await client.read_resource("kgwalk://films/entity/Christopher%20Nolan")).contents[0].text)
        assert entity["entity"] == "Christopher Nolan" and entity["groups"], entity
        prompts = (await client.list_prompts()).prompts
        assert {one.name for one in prompts} == {"answer_from_graph", "lead_the_talk"}, prompts
        talk = await client.get_prompt("lead_the_talk", {"start": "Inception", "goal": "Roger Federer"})
        assert "from Inception to Roger Federer" in talk.messages[0].content.text, talk
        print(f"mcp over {how}: {len(tools)} tools called, resources and prompts read, revision {client.protocol_version}")


async def main():
    await check(sys.argv[1], "http")
    await check(StdioServerParameters(command=sys.argv[2], args=sys.argv[3:]), "stdio")


asyncio.run(main())
