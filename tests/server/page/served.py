"""A running `kgwalk serve`, a proxy before it, and a graph of names that a page may stumble over."""
import os
import pathlib
import re
import shutil
import socket
import subprocess

HOSTILE = "<img src=x onerror='document.title=1'> & Co. \u202e"
HUB = "Hub of many edges"
NUM_LEAVES = 10_000
LETTERS = ["東京物語", "Война и мир", "ألف ليلة وليلة", "Ünïcödé", "हिन्दी", "👩‍🚀 in space"]


class Server:
    def __init__(self, program, arguments, port=0):
        self.command = [program, "serve", *map(str, arguments), "--port", str(port), "--no-log"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("kgwalk serves "), line
        self.url = line.split()[2]
        self.port = int(re.search(r":(\d+)/", self.url).group(1))
        self.command[self.command.index("--port") + 1] = str(self.port)  # the same port again

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Nginx:
    """examples/serve/nginx.conf inside a server block, before a server on `port`."""

    def __init__(self, work, port):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        example = pathlib.Path("examples/serve/nginx.conf").read_text()
        assert "127.0.0.1:8080" in example
        places = "".join(f"{kind}_temp_path {work}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = work / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""  # else its workers may not write into `work`
        conf.write_text(f"""{user} daemon off; pid {work}/nginx.pid; error_log {work}/error.log; events {{}}
            http {{ access_log off; {places}
            server {{ listen 127.0.0.1:{self.port}; {example.replace("127.0.0.1:8080", f"127.0.0.1:{port}")} }} }}""")
        self.process = subprocess.Popen([self.program(), "-e", str(work / "error.log"), "-p", str(work), "-c", str(conf)])
        self.url = f"http://127.0.0.1:{self.port}/kg/"

    @staticmethod
    def program():
        return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def unusual_model(program, sample, work):
    """The sample with a name of markup in place of Inception, a hub of 10,000 edges and letters of many languages."""
    leaves = LETTERS + [f"Leaf {i}" for i in range(NUM_LEAVES - len(LETTERS))]
    for name in ("triples.txt", "entities.txt", "relations.txt", "train.csv", "dev.csv"):
        text = (sample / name).read_text().replace("Inception", HOSTILE)
        if name == "triples.txt":
            text += "".join(f"{HUB}\thas_leaf\t{leaf}\n{leaf}\t~has_leaf\t{HUB}\n" for leaf in leaves)
            text += f"{HUB}\thas_fan\t{HOSTILE}\n{HOSTILE}\t~has_fan\t{HUB}\n"
        elif name == "entities.txt":
            text += "".join(f"{entity}\n" for entity in [HUB, *leaves])
        elif name == "relations.txt":
            text += "has_leaf\n~has_leaf\nhas_fan\n~has_fan\n"
        (work / name).write_text(text)
    for command in (["ingest", "--db", "kg.db", "--triples", "triples.txt", "--entities", "entities.txt", "--relations", "relations.txt",
                     "--dialogs", "train=train.csv", "--dialogs", "dev=dev.csv"],
                    ["train", "--db", "kg.db", "--run", "walker", "--preset", "tiny", "--model", "prior"]):
        subprocess.run([program, *command, "--quiet", "--no-progress"], check=True, cwd=work, stdout=subprocess.DEVNULL)
    return ["--db", work / "kg.db", "--run", work / "walker", "--name", "unusual"]
