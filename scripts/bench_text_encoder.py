#!/usr/bin/env python3
"""A text encoder's speed and exactness beside onnxruntime and python3-torch on equal weights, in one run.

  scripts/get_text_encoder.sh runs/minilm
  cmake --preset bench && cmake --build --preset bench --target text_encoder_bench
  apt-get install python3-torch
  /usr/bin/python3 -m venv --system-site-packages /tmp/peers
  /tmp/peers/bin/pip install onnxruntime onnx transformers==4.30.2 'numpy<2'
  OMP_NUM_THREADS=1 /tmp/peers/bin/python scripts/bench_text_encoder.py [--text runs/minilm] [--threads 1] [--rounds 5]

transformers' BertModel is written as ONNX. onnxruntime runs it with all of its own optimizations, as it is and after its
tool for BERT (fused attention, layer norms, GELU); its dynamic 8-bit integers are made of both, a scale a matrix and a
scale a column. torch runs the module, and its own dynamic integers. Of each program the fastest form counts, in each
cell. Rounds are interleaved: in each every form runs each cell for half a second; the best round counts.

First all states of 32 sequences are compared; where ours differ from torch's by 1e-4 or more, nothing is measured.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime
import torch
from transformers import BertModel
from transformers.utils import logging

CELLS = [("float32", 1), ("float32", 32), ("int8", 1), ("int8", 32)]
SECONDS = 0.5


def write_onnx(model, folder):
    """plain.onnx, fused.onnx, and each with 8-bit weights: {name: path}"""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers.optimizer import optimize_model

    ids = torch.randint(1000, 30000, (2, 32))
    paths = {form: os.path.join(folder, form + ".onnx") for form in ("plain", "fused")}
    torch.onnx.export(model, (ids, torch.ones_like(ids)), paths["plain"], input_names=["ids", "keep"],
                      output_names=["states"], opset_version=14,
                      dynamic_axes={name: {0: "batch", 1: "length"} for name in ("ids", "keep", "states")})
    shape = model.config
    optimize_model(paths["plain"], "bert", num_heads=shape.num_attention_heads, hidden_size=shape.hidden_size,
                   opt_level=0).save_model_to_file(paths["fused"])
    for form in ("plain", "fused"):
        for per, by_column in (("matrix", False), ("column", True)):
            name = f"{form} int8 a {per}"
            paths[name] = os.path.join(folder, name.replace(" ", "_") + ".onnx")
            quantize_dynamic(paths[form], paths[name], weight_type=QuantType.QInt8, per_channel=by_column,
                             extra_options={"DefaultTensorType": 1})
    return paths


class Onnx:
    def __init__(self, path, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def prepare(self, ids):
        return {"ids": ids.numpy(), "keep": np.ones_like(ids.numpy())}

    def run(self, feed):
        return torch.from_numpy(self.session.run(None, feed)[0])


class Torch:
    def __init__(self, model):
        self.model = model

    def prepare(self, ids):
        return ids, torch.ones_like(ids)

    @torch.no_grad()
    def run(self, feed):
        return self.model(*feed)[0]


def peers_of(model, folder, threads):
    """{(program, weights): {form: runner}}"""
    torch.backends.quantized.engine = "onednn"
    rounded = torch.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
    peers = {("torch", "float32"): {"module": Torch(model)}, ("torch", "int8"): {"dynamic": Torch(rounded)},
             ("onnxruntime", "float32"): {}, ("onnxruntime", "int8"): {}}
    for form, path in write_onnx(model, folder).items():
        peers["onnxruntime", "int8" if "int8" in form else "float32"][form] = Onnx(path, threads)
    return peers


def our_environment(arguments, states=None):
    more = {"KGWALK_TEXT": arguments.text, "KGWALK_THREADS": str(arguments.threads)}
    return {**os.environ, **more, **({"KGWALK_TEXT_STATES": states} if states else {})}


def our_states(arguments, folder):
    """What the C++ bench writes: ids, states with float32 and with 8-bit weights."""
    path = os.path.join(folder, "states.safetensors")
    subprocess.run([arguments.bench, "--benchmark_filter=^$"], env=our_environment(arguments, path), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    types = {"F32": np.float32, "I64": np.int64}
    return {name: torch.from_numpy(np.frombuffer(data[slice(*entry["data_offsets"])], types[entry["dtype"]])
                                   .reshape(entry["shape"]).copy())
            for name, entry in header.items() if name != "__metadata__"}


def our_rate(arguments, weights, batch):
    done = subprocess.run([arguments.bench, f"--benchmark_filter=^{weights}/{batch}/real_time$",
                           f"--benchmark_min_time={SECONDS}", "--benchmark_format=json"],
                          env=our_environment(arguments), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)["benchmarks"][0]["items_per_second"]


def rate(runner, feed, batch):
    runner.run(feed)
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        runner.run(feed)
        count += batch
    return count / (time.perf_counter() - begin)


def vectors(states):
    mean = states.mean(1)  # nothing is padded
    return mean / mean.norm(dim=1, keepdim=True)


def compare(ours, peers):
    """Exactness of all forms beside torch's float32; True when ours is what it must be."""
    exact_runner = peers["torch", "float32"]["module"]
    exact = exact_runner.run(exact_runner.prepare(ours["ids"]))
    rows = {f"kgwalk {weights}": ours[weights] for weights in ("float32", "int8")}
    for (program, _), forms in peers.items():
        for form, runner in forms.items():
            rows[f"{program} {form}"] = runner.run(runner.prepare(ours["ids"]))
    print("| states beside torch's float32 | largest difference | vectors of texts: difference | cosine, mean | least |\n"
          "|---|---|---|---|---|")
    for name, states in rows.items():
        cosine = (vectors(states) * vectors(exact)).sum(1)
        apart = (vectors(states) - vectors(exact)).abs().max()
        print(f"| {name} | {(states - exact).abs().max():.1e} | {apart:.1e} | {cosine.mean():.4f} | {cosine.min():.4f} |")
    return float((ours["float32"] - exact).abs().max()) < 1e-4


def measure(arguments, ours, peers):
    best = {}
    for done in range(arguments.rounds):
        for weights, batch in CELLS:
            def note(program, form, value):
                key = (weights, batch, program)
                best[key] = max(best.get(key, (0, "")), (value, form))
            note("kgwalk", "", our_rate(arguments, weights, batch))
            for (program, kind), forms in peers.items():
                for form, runner in forms.items():
                    if kind == weights:
                        note(program, form, rate(runner, runner.prepare(ours["ids"][:batch]), batch))
        print(f"round {done + 1} of {arguments.rounds}", file=sys.stderr)
    return best


def report(best):
    print("\n| sentences a second | kgwalk | onnxruntime | torch | ratio to the faster |\n|---|---|---|---|---|")
    ratios = []
    for weights, batch in CELLS:
        ours = best[weights, batch, "kgwalk"][0]
        onnx, plain = best[weights, batch, "onnxruntime"], best[weights, batch, "torch"]
        ratios.append(ours / max(onnx[0], plain[0]))
        print(f"| {weights}, batch of {batch} | {ours:.1f} | {onnx[0]:.1f} ({onnx[1]}) | {plain[0]:.1f} | "
              f"{ratios[-1]:.2f} |")
    print(f"\ngeometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, least {min(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--text", default="runs/minilm")
    parser.add_argument("--bench", default="build/release/bench/text_encoder_bench")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    logging.set_verbosity_error()
    model = BertModel.from_pretrained(arguments.text, add_pooling_layer=False).eval()
    with tempfile.TemporaryDirectory() as folder:
        peers = peers_of(model, folder, arguments.threads)
        ours = our_states(arguments, folder)
        print(f"torch {torch.__version__}, onnxruntime {onnxruntime.__version__}, {arguments.threads} thread(s)\n")
        if not compare(ours, peers):
            sys.exit("our states differ from torch's by 1e-4 or more; nothing is measured")
        report(measure(arguments, ours, peers))


if __name__ == "__main__":
    main()
