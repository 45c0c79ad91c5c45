"""What people said in dialogues, as requests to /api/v1/plan."""
import csv
import json


def plans(file, most=2000):
    """From a file of dialogues in OpenDialKG's form: each path that was walked, asked for with what was said before it."""
    bodies = []
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines):
            said = []
            for message in json.loads(row["Messages"]):
                path = message.get("metadata", {}).get("path")
                if path and path[1]:
                    bodies.append({"history": said[-3:], "start": path[1][0][0]})
                elif "message" in message:
                    said.append({"speaker": message["sender"], "text": message["message"]})
    return bodies[:most]


def answerable(server, bodies):
    """Those that start at an entity of the graph: dialogues name some that are known from annotations only."""
    good = [body for body in bodies if server.ask("POST", "/api/v1/plan", body)[0] == 200]
    print(f"{len(good)} of {len(bodies)} turns begin in the graph", flush=True)
    return good


def message(method, path, body=None, more=""):
    """A request as bytes."""
    text = b"" if body is None else json.dumps(body).encode()
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}Content-Length: {len(text)}\r\n\r\n".encode() + text
