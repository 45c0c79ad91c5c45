#!/usr/bin/env python3
"""Plans for a file of requests on a cluster of Apache Spark.

Usage: spark-submit --master spark://HOST:7077 plan_requests.py MODEL REQUESTS ANSWERS [--program kgwalk] [--partitions N]

MODEL      packed model, one file (`kgwalk pack --out model.tar.zst`); Spark copies it to each worker
REQUESTS   a request a line, as POST /api/v1/plan takes it; give each an "id", since answers come in any order of the partitions
ANSWERS    folder of text files that Spark writes, an answer a line

The program is installed on each worker. A partition is one `kgwalk plan --requests -`, which reads requests and writes answers line by
line; a partition whose worker is lost is planned again elsewhere, and its answers are the same."""
import argparse
import os
import subprocess
import threading

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import SparkSession

ROWS = 1000  # answers in a batch

parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("requests")
parser.add_argument("answers")
parser.add_argument("--program", default="kgwalk")
parser.add_argument("--partitions", type=int, default=0, help="four for each core of the cluster unless given")
options = parser.parse_args()
SCHEMA = pyarrow.schema([("value", pyarrow.string())])
model, program = os.path.basename(options.model), options.program


def plans(batches):
    process = subprocess.Popen(
        [program, "plan", SparkFiles.get(model), "--requests", "-", "--threads", "1", "--quiet"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def feed():  # beside the reading, or both would wait for each other once a pipe is full
        with process.stdin as to:
            for batch in batches:
                to.writelines(line + "\n" for line in batch.column("value").to_pylist())

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    answers = []
    for line in process.stdout:
        answers.append(line.rstrip("\n"))
        if len(answers) == ROWS:
            yield pyarrow.RecordBatch.from_pydict({"value": answers}, schema=SCHEMA)
            answers = []
    feeder.join()
    # Lines that were not answered say why themselves, and the program ends with 1 for them.
    if process.wait() not in (0, 1):
        raise RuntimeError(f"{program} ended with {process.returncode}")
    yield pyarrow.RecordBatch.from_pydict({"value": answers}, schema=SCHEMA)


spark = SparkSession.builder.appName("kgwalk plans").getOrCreate()
spark.sparkContext.addFile(options.model)
partitions = options.partitions or 4 * spark.sparkContext.defaultParallelism
requests = spark.read.text(options.requests).repartition(partitions)
requests.mapInArrow(plans, "value string").write.text(options.answers)
spark.stop()
