#!/usr/bin/env bash
# Four hosts that train one model together, each a network namespace with an address of its own: the losses are those of one process;
# one host is cut off in the middle, which stops the others with a sentence; three hosts then go on from the checkpoint.
# No part of the tests: it needs root for the namespaces, and takes a few minutes.
# Usage: scripts/check_hosts.sh PROGRAM
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: scripts/check_hosts.sh PROGRAM" >&2; exit 2; }
[[ $(id -u) -eq 0 ]] || { echo "network namespaces need root: start it with sudo" >&2; exit 2; }
program=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PATH=$PATH:/usr/sbin:/sbin OMP_NUM_THREADS=1
work=$(mktemp -d) hosts=4 net=kgwalk$$ timeout=20

clean() {
  for ((i = 0; i < hosts; ++i)); do
    ip netns pids "$net-$i" 2> /dev/null | xargs -r kill -9 2> /dev/null || true
    ip netns del "$net-$i" 2> /dev/null || true
  done
  ip netns del "$net-switch" 2> /dev/null || true
  rm -rf "$work"
}
trap clean EXIT

# A switch, and a cable from it to each host: 10.77.0.1 to 10.77.0.4.
ip netns add "$net-switch"
ip -n "$net-switch" link add bridge type bridge
ip -n "$net-switch" link set bridge up
for ((i = 0; i < hosts; ++i)); do
  ip netns add "$net-$i"
  ip link add "kgp$i" netns "$net-switch" type veth peer name eth0 netns "$net-$i"
  ip -n "$net-switch" link set "kgp$i" master bridge up
  ip -n "$net-$i" addr add "10.77.0.$((i + 1))/24" dev eth0
  ip -n "$net-$i" link set eth0 up
  ip -n "$net-$i" link set lo up
done

data=$root/data/sample
"$program" ingest --db "$work/kg.db" --triples "$data/triples.txt" --entities "$data/entities.txt" --relations "$data/relations.txt" \
  --dialogs train="$data/train.csv" --dialogs dev="$data/dev.csv" --dialogs test="$data/test.csv" --quiet > "$work/ingest.out"
"$program" embed --db "$work/kg.db" --set dim=64 --set epochs=2 --threads 1 --quiet > "$work/embed.out"
# Dropout is each process's own, so there is none here.
common=(--preset tiny --threads 1 --seed 3 --no-progress --set text.states=false --set text.word_width=32 --set text.word_dropout=0
        --set encoder.dropout=0 --set encoder.attention_dropout=0 --set decoder.dropout=0 --set decoder.attention_dropout=0 --set max_batch=16 --set trainer.accumulate=4 --set trainer.log_every=1 --set trainer.max_epochs=20)

# host SIZE RANK RUN: one process of a training, in the namespace of its host.
host() {
  ip netns exec "$net-$2" env MASTER_ADDR=10.77.0.1 MASTER_PORT=29555 WORLD_SIZE="$1" RANK="$2" LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 \
    KGWALK_RANK_TIMEOUT_S=$timeout "$program" train --db "$work/kg.db" --run "$3" "${common[@]}"
}

losses() { python3 - "$1/metrics.jsonl" << 'PY'
import json, sys
for line in open(sys.argv[1]):
    row = json.loads(line)
    if "loss" in row: print(row.get("step", row.get("update")), row["loss"])
PY
}

echo "one process"
"$program" train --db "$work/kg.db" --run "$work/one" "${common[@]}" > "$work/one.out" 2>&1
echo "four hosts"
for ((i = 1; i < hosts; ++i)); do host 4 $i "$work/four" > "$work/four.$i" 2>&1 & done
host 4 0 "$work/four" > "$work/four.0" 2>&1
wait
losses "$work/one" > "$work/one.losses"
losses "$work/four" > "$work/four.losses"
python3 - "$work/one.losses" "$work/four.losses" << 'PY'
import sys
a, b = ([float(l.split()[1]) for l in open(f)] for f in sys.argv[1:])
assert len(a) == len(b) and len(a) > 20, (len(a), len(b))
worst = max(abs(x - y) / abs(x) for x, y in zip(a, b))
print(f"{len(a)} losses, in single precision the farthest apart by {worst:.1e} of its value")
assert worst < 1e-5, worst
PY

echo "four hosts, the third cut off"
for ((i = 1; i < hosts; ++i)); do host 4 $i "$work/cut" > "$work/cut.$i" 2>&1 & done
host 4 0 "$work/cut" > "$work/cut.0" 2>&1 &
first=$!
until [[ -s $work/cut/metrics.jsonl && $(wc -l < "$work/cut/metrics.jsonl") -gt 15 ]]; do
  kill -0 $first 2> /dev/null || { cat "$work/cut.0" >&2; exit 1; }
  sleep 0.2
done
ip -n "$net-switch" link set kgp2 down
begin=$(date +%s)
code=0
wait $first || code=$?
echo "the first host ended with $code after $(($(date +%s) - begin)) s: $(tail -n 1 "$work/cut.0")"
wait
[[ $code -ne 0 ]] || { echo "a host was cut off and nobody told" >&2; exit 1; }

echo "three hosts go on"
hosts_left=3
ip -n "$net-switch" link set kgp2 up
for ((i = 1; i < hosts_left; ++i)); do host 3 $i "$work/cut" > "$work/on.$i" 2>&1 & done
host 3 0 "$work/cut" > "$work/on.0" 2>&1
wait
grep -h -i "resum\|goes on\|going on" "$work/on.0" | head -n 1 || true
echo "they came to update $(losses "$work/cut" | tail -n 1 | cut -d' ' -f1) of $(tail -n 1 "$work/one.losses" | cut -d' ' -f1)"
