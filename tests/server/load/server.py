"""A running `kgwalk serve` as its clients and its operator see it."""
import http.client
import json
import re
import signal
import subprocess
import time


def ask(port, method, path, body=None):
    """Status and answer, over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, None if body is None else json.dumps(body))
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if "json" in answer.getheader("Content-Type", "") else text.decode()
    finally:
        connection.close()


class Server:
    def __init__(self, program, arguments):
        self.command = [program, "serve", *map(str, arguments), "--port", "0", "--no-log"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", line).group(1))
        while self.ask("GET", "/readyz")[0] != 200:
            time.sleep(0.1)

    def ask(self, method, path, body=None):
        return ask(self.port, method, path, body)

    def metric(self, name):
        return float(re.search(rf"^{name} (\S+)$", self.ask("GET", "/metrics")[1], re.M).group(1))

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Its exit status after it was asked to stop."""
        self.process.terminate()
        return self.process.wait()


def percentile(times, share):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def told(times):
    """Seconds as "p50 1.0, p99 2.0, most 3.0 ms"."""
    return "p50 {:.2f}, p99 {:.2f}, most {:.2f} ms".format(*(1000 * percentile(times, s) for s in (0.5, 0.99, 1)))
