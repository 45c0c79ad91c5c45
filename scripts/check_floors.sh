#!/usr/bin/env bash
# Checks the direction of includes: a folder includes only from floors below it, and torch stays where it belongs.
# Usage: scripts/check_floors.sh [ROOT]     exit 1 and one line an offence: "file:line: why"
set -euo pipefail
root=${1:-$(dirname "${BASH_SOURCE[0]}")/..}
cd "$root"

mapfile -t files < <(
  find runtime graph embeddings seq2seq dialogue walker rl cli data -type f \( -name '*.h' -o -name '*.cc' \) 2> /dev/null | sort)
[[ ${#files[@]} -gt 0 ]] || { echo "check_floors: no sources under $PWD" >&2; exit 2; }

awk '
  BEGIN {
    below["runtime"] = ""
    below["graph"] = "runtime"
    below["embeddings"] = "graph runtime"
    below["seq2seq"] = "runtime"
    below["dialogue"] = "graph seq2seq runtime"
    below["walker"] = "dialogue embeddings seq2seq graph runtime"
    below["rl"] = "walker dialogue embeddings seq2seq graph runtime"
    below["cli"] = "rl walker dialogue embeddings seq2seq graph runtime"
    below["data"] = "runtime"
    # Steps inside seq2seq, lowest first.
    step["kernels"] = 1; step["text"] = 1; step["audio"] = 1; step["attention"] = 2; step["search"] = 2
    step["metrics"] = 2; step["layers"] = 3; step["models"] = 4; step["tasks"] = 5
    # Folders that must build without torch.
    split("graph embeddings data", names, " ")
    for (i in names) torch_free[names[i]] = 1
  }
  function offend(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; offences++ }
  FNR == 1 {
    split(FILENAME, part, "/")
    floor = part[1]
    is_tensor_file = FILENAME ~ /^runtime\/tensor\//
  }
  !/^[ \t]*#[ \t]*include[ \t]*[<"]/ { next }
  {
    quoted = $0 ~ /include[ \t]*"/
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", target)
    sub(/[>"].*/, "", target)
    split(target, to, "/")
  }
  target ~ /^(torch|ATen|c10|caffe2)\// {
    if (floor in torch_free) offend(floor " must not include torch: <" target ">")
    if (floor == "runtime" && !is_tensor_file) offend("in runtime only tensor/ may include torch: <" target ">")
    if (target == "torch/torch.h") offend("include \"runtime/tensor/torch.h\", the precompiled part of <torch/torch.h>")
    next
  }
  !(to[1] in below) {
    if (quoted) offend("include from the root of the repository, not \"" target "\"")
    next
  }
  {
    if (to[1] == floor) {
      if (floor == "seq2seq" && step[part[2]] && step[to[2]] > step[part[2]])
        offend("seq2seq/" part[2] " must not include \"" target "\": it lies above")
    } else if (index(" " below[floor] " ", " " to[1] " ") == 0) {
      offend(floor " must not include \"" target "\": it may include " (below[floor] == "" ? "nothing" : below[floor]))
    }
    if (target ~ /^runtime\/tensor\// && (floor in torch_free || (floor == "runtime" && !is_tensor_file)))
      offend("\"" target "\" needs torch, which this file must do without")
  }
  END { exit offences > 0 }
' "${files[@]}"
