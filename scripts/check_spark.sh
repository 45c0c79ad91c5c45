#!/usr/bin/env bash
# 100,000 plans on a cluster of Apache Spark with two workers on this machine, one of them killed in the middle, against one process of as
# many threads: the same answers, and how fast each is. No part of the tests: it takes minutes, needs Java and gets PySpark from PyPI.
# Usage: scripts/check_spark.sh PROGRAM MODEL.tar.zst NAMES [COUNT]
#   NAMES   file of names of the model's graph, one a line, that plans start at
set -euo pipefail
[[ $# -ge 3 ]] || { echo "usage: scripts/check_spark.sh PROGRAM MODEL.tar.zst NAMES [COUNT]" >&2; exit 2; }
program=$(realpath "$1") model=$(realpath "$2") names=$(realpath "$3") count=${4:-100000}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v java > /dev/null || { echo "Spark needs Java: install Debian's openjdk-17-jre-headless" >&2; exit 2; }
work=$(mktemp -d)
declare -a started=()
clean() { for pid in "${started[@]}"; do pkill -9 -P "$pid" 2> /dev/null || true; kill -9 "$pid" 2> /dev/null || true; done; rm -rf "$work"; }
trap clean EXIT

venv=${KGWALK_SPARK_VENV:-$work/venv}
if [[ ! -x $venv/bin/python ]]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --requirement "$root/examples/spark/requirements.txt" "setuptools<70"
fi
SPARK_HOME=$("$venv/bin/python" -c 'import pathlib, pyspark; print(pathlib.Path(pyspark.__file__).parent)')
export SPARK_HOME SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=$venv/bin/python OMP_NUM_THREADS=1 SPARK_LOCAL_DIRS=$work/local

python3 - "$names" "$count" > "$work/requests.jsonl" << 'PY'
import json, random, sys
names = [line.strip() for line in open(sys.argv[1]) if line.strip()]
random.seed(1)
for i in range(int(sys.argv[2])):
    print(json.dumps({"id": i, "start": random.choice(names), "k": 3, "history": [{"speaker": "user", "text": "Tell me more."}]}))
PY

echo "one process of two threads"
"$program" plan "$model" --requests "$work/requests.jsonl" --threads 2 > "$work/one.jsonl"

class() { "$SPARK_HOME/bin/spark-class" "$@"; }
class org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 7077 --webui-port 0 > "$work/master.log" 2>&1 & started+=($!)
for i in 1 2; do
  class org.apache.spark.deploy.worker.Worker --cores 1 --memory 1g --webui-port 0 --work-dir "$work/worker$i" spark://127.0.0.1:7077 \
    > "$work/worker$i.log" 2>&1 & started+=($!)
done
until [[ $(grep -c "Registering worker" "$work/master.log") -eq 2 ]]; do sleep 0.5; done

submit() {  # submit NAME
  "$SPARK_HOME/bin/spark-submit" --master spark://127.0.0.1:7077 --conf spark.ui.enabled=false --conf spark.executor.memory=512m \
    "$root/examples/spark/plan_requests.py" "$model" "$work/requests.jsonl" "$work/$1" --program "$program" --partitions 20 \
    > "$work/$1.log" 2>&1
}
fail() { grep -E "ERROR|Caused by|Error" "$work/$1.log" | sort -u | head -n 20 >&2; exit 1; }
compare() { cat "$work/$1"/part-* | python3 "$root/examples/spark/same_answers.py" "$work/one.jsonl"; }

echo "two workers of one thread"
begin=$(date +%s.%N)
submit both || fail both
python3 -c "print(f'$count plans in {$(date +%s.%N) - $begin:.1f} s, start of Spark counted')"
compare both

echo "the same, one worker killed"
begin=$(date +%s.%N)
submit killed & job=$!
until grep -q "Finished task 3" "$work/killed.log" 2> /dev/null; do kill -0 $job || fail killed; sleep 0.2; done
pkill -9 -f "$work/worker2" || true
wait $job || fail killed
python3 -c "print(f'$count plans in {$(date +%s.%N) - $begin:.1f} s')"
grep -h -o "Lost executor [0-9]*" "$work/killed.log" | sort -u
compare killed
