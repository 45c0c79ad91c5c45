"""The peer of bench/translation_bench.cc: the same Transformer-tiny with torch.nn.Transformer, processor time with one
thread. Decoding runs the whole decoder over the prefix at every step, as nn.Transformer has no cache of keys and values.
  OMP_NUM_THREADS=1 /usr/bin/python3 bench/translation_peer.py [repetitions]
"""
import sys
import time

import torch

torch.set_num_threads(1)
torch.manual_seed(1)
PIECES, LENGTH, WIDTH = 6000, 16, 128


class Tiny(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(PIECES, WIDTH)
        self.net = torch.nn.Transformer(WIDTH, 4, 4, 4, 256, 0.3, "relu", batch_first=True)
        self.positions = torch.randn(64, WIDTH)
        self.drop = torch.nn.Dropout(0.3)

    def embed(self, ids):
        return self.drop(self.table(ids) * WIDTH ** 0.5 + self.positions[:ids.shape[1]])

    def decode(self, memory, ids):
        mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf")).triu(1)
        return self.net.decoder(self.embed(ids), memory, tgt_mask=mask)

    def logits(self, states):
        return states @ self.table.weight.T


def timed(name, work, count, unit, repetitions):
    work()
    best = 1e9
    for _ in range(repetitions):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    print(f"{name}: {best * 1e3:.1f} ms, {count / best:.1f} {unit}/s", flush=True)


def train(rows, repetitions):
    model = Tiny()
    adam = torch.optim.Adam(model.parameters())
    loss_of = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
    source = torch.randint(4, PIECES, (rows, LENGTH))
    target = torch.randint(4, PIECES, (rows, LENGTH))

    def step():
        adam.zero_grad()
        states = model.decode(model.net.encoder(model.embed(source)), target)
        loss_of(model.logits(states).flatten(0, 1), target.flatten()).backward()
        adam.step()

    timed(f"train_step/{rows}", step, rows * LENGTH, "target pieces", repetitions)


@torch.no_grad()
def search(beam, repetitions):
    model = Tiny().eval()
    source = torch.randint(4, PIECES, (64, LENGTH))

    def run():
        memory = model.net.encoder(model.embed(source)).repeat_interleave(beam, 0)
        ids = torch.full((64 * beam, 1), 2)
        scores = torch.full((64, beam), float("-inf"))
        scores[:, 0] = 0
        for _ in range(LENGTH):
            log_probs = model.logits(model.decode(memory, ids)[:, -1]).log_softmax(-1).view(64, beam, PIECES)
            scores, best = (scores.unsqueeze(2) + log_probs).flatten(1).topk(beam)
            parents = (torch.arange(64).unsqueeze(1) * beam + best // PIECES).flatten()
            ids = torch.cat([ids[parents], (best % PIECES).view(-1, 1)], 1)
        return ids

    timed(f"decode/{beam}", run, 64, "sentences", repetitions)


repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 5
train(64, repetitions)
train(256, repetitions)
search(1, repetitions)
search(5, repetitions)
