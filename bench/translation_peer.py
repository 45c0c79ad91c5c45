"""The peer of bench/translation_bench.cc: the same Transformer-tiny with torch.nn.Transformer, its cases under the same
names; processor time with one thread, the least of the repetitions, and the memory that a case's work peaked at above
what was held before it. Decoding runs the whole decoder over the prefix at every step, as nn.Transformer has no cache
of keys and values.
  OMP_NUM_THREADS=1 /usr/bin/python3 bench/translation_peer.py [--repetitions N] [--filter REGEX]
"""
import argparse
import ctypes
import re
import time

import torch

torch.set_num_threads(1)
torch.manual_seed(1)
PIECES, WIDTH = 6000, 128


class Tiny(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(PIECES, WIDTH)
        self.net = torch.nn.Transformer(WIDTH, 4, 4, 4, 256, 0.3, "relu", batch_first=True)
        self.positions = torch.randn(1024, WIDTH)
        self.drop = torch.nn.Dropout(0.3)

    def embed(self, ids):
        return self.drop(self.table(ids) * WIDTH ** 0.5 + self.positions[:ids.shape[1]])

    def decode(self, memory, ids):
        mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf")).triu(1)
        return self.net.decoder(self.embed(ids), memory, tgt_mask=mask)

    def logits(self, states):
        return states @ self.table.weight.T


def status_mib(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith(name + ":"))


def timed(name, work, count, unit, repetitions):
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    before = status_mib("VmRSS")
    with open("/proc/self/clear_refs", "w") as clear:
        clear.write("5")
    work()
    best = 1e9
    for _ in range(repetitions):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    print(f"{name}: {best * 1e3:.1f} ms, {count / best:.1f} {unit}/s, {status_mib('VmHWM') - before:.0f} MiB", flush=True)


def train(name, rows, length, repetitions):
    model = Tiny()
    adam = torch.optim.Adam(model.parameters())
    loss_of = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
    source = torch.randint(4, PIECES, (rows, length))
    target = torch.randint(4, PIECES, (rows, length))

    def step():
        adam.zero_grad()
        states = model.decode(model.net.encoder(model.embed(source)), target)
        loss_of(model.logits(states).flatten(0, 1), target.flatten()).backward()
        adam.step()

    timed(name, step, rows * length, "target pieces", repetitions)


@torch.no_grad()
def search(name, beam, rows, length, repetitions):
    model = Tiny().eval()
    source = torch.randint(4, PIECES, (rows, length))

    def run():
        memory = model.net.encoder(model.embed(source)).repeat_interleave(beam, 0)
        ids = torch.full((rows * beam, 1), 2)
        scores = torch.full((rows, beam), float("-inf"))
        scores[:, 0] = 0
        for _ in range(length):
            log_probs = model.logits(model.decode(memory, ids)[:, -1]).log_softmax(-1).view(rows, beam, PIECES)
            scores, best = (scores.unsqueeze(2) + log_probs).flatten(1).topk(beam)
            parents = (torch.arange(rows).unsqueeze(1) * beam + best // PIECES).flatten()
            ids = torch.cat([ids[parents], (best % PIECES).view(-1, 1)], 1)
        return ids

    timed(name, run, rows, "sentences", repetitions)


parser = argparse.ArgumentParser(description="nn.Transformer on the cases of translation_bench")
parser.add_argument("--repetitions", type=int, default=3)
parser.add_argument("--filter", default="", help="regular expression; only the cases that it is found in")
options = parser.parse_args()
for rows, length in (64, 16), (256, 16), (64, 64), (16, 256), (4, 1024):
    if re.search(options.filter, name := f"train_step/rows:{rows}/length:{length}"):
        train(name, rows, length, options.repetitions)
for beam, rows, length in (1, 64, 16), (5, 64, 16), (1, 1, 16), (1, 8, 16), (1, 256, 16), (1, 64, 64), (1, 64, 256):
    if re.search(options.filter, name := f"decode/beam:{beam}/rows:{rows}/length:{length}/bits:32"):
        search(name, beam, rows, length, options.repetitions)
