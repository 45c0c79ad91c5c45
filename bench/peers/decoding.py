#!/usr/bin/env python3
"""Decoding beside CTranslate2 on equal weights, in turn (P15).

  cmake --preset bench && cmake --build --preset bench --target decoding_bench
  OMP_NUM_THREADS=1 OPENBLAS_CORETYPE=SKYLAKEX bench/peers/decoding.py build/release/bench/decoding_bench [--sizes tiny base] [--rounds 7]

Random weights of a Transformer are written by the program, and given to CTranslate2 by its specification API. First it
is compared what both write where a sentence may end at any piece. Then each cell is run by both in turn, one thread
each; the least of many runs counts. Both take as many steps: the end is the last.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import ctranslate2
import numpy
from ctranslate2.specs import Activation, TransformerSpec

SHAPES = {"tiny": (4, 4), "base": (6, 8)}  # layers, heads
CELLS = [(bits, beam, rows, length) for bits in (32, 8) for beam in (1, 5) for rows in (1, 8, 64) for length in (16, 64)]
MARKS = ["<blank>", "<unk>", "<s>", "</s>"]
SECONDS = 2  # of both, in each cell at least
END_BIAS = 3  # with it sentences of random weights end at several lengths


def read_weights(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    return {name: numpy.frombuffer(data[slice(*entry["data_offsets"])], numpy.float32).reshape(entry["shape"]).copy()
            for name, entry in header.items() if name != "__metadata__"}


def positions(count, width):
    angles = numpy.arange(count)[:, None] * numpy.exp(numpy.arange(width // 2) * (-2 * math.log(10000) / width))
    return numpy.stack([numpy.sin(angles), numpy.cos(angles)], 2).reshape(count, width).astype(numpy.float32)


def fill(target, weights, name):
    """A linear map or a normalization: weight and bias of `name`."""
    weight, bias = weights[name + ".weight"], weights[name + ".bias"]
    if hasattr(target, "gamma"):
        target.gamma, target.beta = weight, bias
    else:
        target.weight, target.bias = weight, bias


def write_model(weights, size, end_bias, folder):
    layers, heads = SHAPES[size]
    spec = TransformerSpec.from_config(layers, heads, pre_norm=False, activation=Activation.RELU)
    table = weights["output.weight"]
    for stack, embeddings in ((spec.encoder, spec.encoder.embeddings[0]), (spec.decoder, spec.decoder.embeddings)):
        embeddings.weight = table
        stack.position_encodings.encodings = positions(512, table.shape[1])
    bias = weights["output.bias"] * 0
    bias[MARKS.index("</s>")] = end_bias
    spec.decoder.projection.weight, spec.decoder.projection.bias = table, bias
    for i in range(layers):
        ours, layer = f"encoder.layers.{i}", spec.encoder.layer[i]
        fill(layer.self_attention.linear[0], weights, f"{ours}.attention.qkv")
        fill(layer.self_attention.linear[1], weights, f"{ours}.attention.output")
        fill(layer.self_attention.layer_norm, weights, f"{ours}.attention_norm")
        ours_decoder, decoder = f"decoder.layers.{i}", spec.decoder.layer[i]
        fill(decoder.self_attention.linear[0], weights, f"{ours_decoder}.self_attention.qkv")
        fill(decoder.self_attention.linear[1], weights, f"{ours_decoder}.self_attention.output")
        fill(decoder.self_attention.layer_norm, weights, f"{ours_decoder}.self_norm")
        for k, part in enumerate(("query", "key_value", "output")):
            fill(decoder.attention.linear[k], weights, f"{ours_decoder}.memory.0.{part}")
        fill(decoder.attention.layer_norm, weights, f"{ours_decoder}.memory_norm.0")
        for prefix, ffn in ((ours, layer.ffn), (ours_decoder, decoder.ffn)):
            fill(ffn.linear_0, weights, f"{prefix}.ffn.inner")
            fill(ffn.linear_1, weights, f"{prefix}.ffn.output")
            fill(ffn.layer_norm, weights, f"{prefix}.ffn_norm")
    words = MARKS + [str(i) for i in range(len(MARKS), len(table))]
    spec.register_source_vocabulary(words)
    spec.register_target_vocabulary(words)
    spec.validate()
    folder.mkdir()
    spec.save(str(folder))


class Ours:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            sys.exit(f"{program} did not start")

    def run(self, size, bits, beam, rows, length, end_bias=0):
        """seconds, sources and what was written, as lists of pieces"""
        self.process.stdin.write(f"{size} {bits} {beam} {rows} {length} {end_bias}\n")
        self.process.stdin.flush()
        seconds = float(self.process.stdout.readline())
        lines = [self.process.stdout.readline().split() for _ in range(2 * rows)]
        return seconds, lines[::2], lines[1::2]


class Theirs:
    def __init__(self, folder):
        self.folder, self.models = folder, {}

    def model(self, size, bits, end_bias):
        key = size, bits, end_bias
        if key not in self.models:
            path = self.folder / f"{size}_{end_bias}"
            if not path.exists():
                write_model(read_weights(self.folder / f"{size}.safetensors"), size, end_bias, path)
            self.models[key] = ctranslate2.Translator(str(path), compute_type="int8" if bits == 8 else "float32",
                                                      inter_threads=1, intra_threads=1)
        return self.models[key]

    def run(self, sources, size, bits, beam, length, end_bias=0):
        model = self.model(size, bits, end_bias)
        begin = time.perf_counter()
        found = model.translate_batch(sources, beam_size=beam, length_penalty=0, max_decoding_length=length,
                                      min_decoding_length=0 if end_bias else length, return_end_token=True)
        seconds = time.perf_counter() - begin
        return seconds, [result.hypotheses[0] for result in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--sizes", nargs="+", default=["tiny"], choices=SHAPES)
    parser.add_argument("--rounds", type=int, default=5, help="runs of a cell at least")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        ours, theirs = Ours(arguments.program, name), Theirs(pathlib.Path(name))
        for size in arguments.sizes:
            compare(ours, theirs, size)
            measure(ours, theirs, size, arguments.rounds)


def compare(ours, theirs, size):
    for bits in (32, 8):
        for beam in (1, 5):
            _, sources, written = ours.run(size, bits, beam, 64, 17, END_BIAS)
            _, found = theirs.run(sources, size, bits, beam, 17, END_BIAS)
            ended = [b for b in found if b[-1] == "</s>"]
            same = sum(a == b[:-1] for a, b in zip(written, found))  # ours counts the end that a cut sentence has not
            print(f"{size}, {bits} bits, beam {beam}: {same} of {len(found)} sentences are the same, {len(ended)} of them end")


def measure(ours, theirs, size, rounds):
    ratios = []
    print("| size | bits | beam | rows | length | ours, ms | CTranslate2, ms | times |\n|---|---|---|---|---|---|---|---|")
    for bits, beam, rows, length in CELLS:
        best, spent, runs = [math.inf, math.inf], 0.0, 0
        ours.run(size, bits, beam, rows, length)
        while runs < rounds or spent < SECONDS:
            seconds, sources, _ = ours.run(size, bits, beam, rows, length)
            theirs_seconds, _ = theirs.run(sources, size, bits, beam, length)
            best = [min(best[0], seconds), min(best[1], theirs_seconds)]
            spent, runs = spent + seconds + theirs_seconds, runs + 1
        ratios.append(best[1] / best[0])
        print(f"| {size} | {bits} | {beam} | {rows} | {length} | {1e3 * best[0]:.2f} | {1e3 * best[1]:.2f} | {ratios[-1]:.2f} |", flush=True)
    print(f"{size}: geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
