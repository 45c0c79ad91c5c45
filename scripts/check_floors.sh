#!/usr/bin/env bash
# Checks the direction of includes: a folder includes only from floors below it, a room only from rooms below it,
# no headers include each other in a circle, torch stays where it belongs, and python/ includes public headers only.
# Usage: scripts/check_floors.sh [ROOT]     exit 1 and one line an offence: "file:line: why"
set -euo pipefail
root=${1:-$(dirname "${BASH_SOURCE[0]}")/..}
cd "$root"

mapfile -t files < <(
  find include runtime graph forms embeddings seq2seq dialogue listening walker rl planner server workflows capi cli python data -type f \
    \( -name '*.h' -o -name '*.cc' \) 2> /dev/null | sort)
[[ ${#files[@]} -gt 0 ]] || { echo "check_floors: no sources under $PWD" >&2; exit 2; }

awk '
  # The rooms of a floor, lowest first. What stands in the floor itself is below all of them.
  function rooms(floor, list,   names, i, n) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++) height[floor "/" names[i]] = i
    has_rooms[floor] = 1
  }
  # Rooms that stand side by side: none includes another.
  function siblings(room, list,   names, i, n) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++) sibling[room "/" names[i]] = 1
  }
  # The public headers that a room defines.
  function public(room, list,   names, i, n) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++) home["kgwalk/" names[i] ".h"] = room
  }
  BEGIN {
    below["runtime"] = ""
    below["graph"] = "runtime"
    below["forms"] = "graph runtime"
    below["embeddings"] = "graph runtime"
    below["seq2seq"] = "runtime"
    below["dialogue"] = "forms graph seq2seq runtime"
    below["listening"] = "dialogue seq2seq forms graph runtime"
    below["walker"] = "listening dialogue embeddings seq2seq forms graph runtime"
    below["rl"] = "walker listening dialogue embeddings seq2seq forms graph runtime"
    below["planner"] = "rl walker listening dialogue embeddings seq2seq forms graph runtime"
    below["server"] = "planner rl walker listening dialogue embeddings seq2seq forms graph runtime"
    below["workflows"] = "planner rl walker listening dialogue embeddings seq2seq forms graph runtime"
    below["capi"] = "planner rl walker listening dialogue embeddings seq2seq forms graph runtime"
    below["cli"] = "workflows server planner rl walker listening dialogue embeddings seq2seq forms graph runtime"
    below["python"] = "workflows planner rl walker listening dialogue embeddings seq2seq forms graph runtime"
    below["data"] = "runtime"
    rooms("runtime", "http tensor")
    rooms("graph", "values changes store distances ingest edits export")
    rooms("forms", "evaluation text sparql")
    rooms("embeddings", "vectors models distance links")
    rooms("seq2seq", "kernels text audio attention search metrics layers models tasks api")
    siblings("seq2seq", "text audio kernels")
    rooms("dialogue", "text pretraining linking questions response telling")
    rooms("listening", "words acts candidates questions network")
    rooms("walker", "data features network search evaluation training")
    rooms("rl", "environment simulator training")
    rooms("planner", "remote answering formats queries conversation exam")
    rooms("server", "http state doors page service")
    rooms("workflows", "training measuring steps")
    rooms("python", "binding graph model")
    rooms("cli", "parsing frame graph tasks train measure use workflows about program front")
    public("runtime", "error choice json progress threads device shards")
    public("graph", "graph_types knowledge_graph graph_details boost_graph dialogue input_format")
    public("graph/values", "typed_values")
    public("graph/store", "backup busy_error store values")
    public("graph/distances", "distances")
    public("graph/ingest", "ingest entities table_plan")
    public("graph/edits", "edits")
    public("graph/export", "export")
    public("forms", "forms")
    public("forms/evaluation", "query")
    public("forms/text", "form_text")
    public("embeddings/distance", "distance_factors")
    public("embeddings/models", "embedding_config")
    public("embeddings/links", "embeddings link_prediction embedding_export")
    public("planner", "plan planner guide responder packed_model")
    public("seq2seq/tasks", "decoded recognizer understander")
    public("seq2seq/api", "translator summarizer language_model")
    public("dialogue/text", "text_embedder")
    public("planner/remote", "phrasing")
    public("planner/formats", "plan_formats")
    public("planner/queries", "explore connect complete querier retrieve")
    public("planner/conversation", "conversation")
    public("workflows", "settings training evaluation workflows")
    home["kgwalk.h"] = "capi"  # the interface for C
    # Folders that must build without torch.
    split("graph forms embeddings data", names, " ")
    for (i in names) torch_free[names[i]] = 1
  }
  function offend(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; offences++ }
  # "graph/store" for "graph/store/rocks.h", "graph" for "graph/names.h".
  function room_of(part, n) { return n > 2 ? part[1] "/" part[2] : part[1] }
  FNR == 1 {
    num_parts = split(FILENAME, part, "/")
    room = room_of(part, num_parts)
    is_public = part[1] == "include"
    if (is_public) {
      public_name = substr(FILENAME, length("include/") + 1)
      room = home[public_name]
      if (room == "") offend("is no public header that scripts/check_floors.sh knows: name its room there")
      num_parts = split(room, part, "/") + 1
    }
    floor = part[1]
    is_tensor_file = FILENAME ~ /^runtime\/tensor\//
    if (has_rooms[floor] && num_parts > 2 && !(room in height))
      offend(room " is no room that scripts/check_floors.sh knows: give it a place there")
  }
  !/^[ \t]*#[ \t]*include[ \t]*[<"]/ { next }
  {
    quoted = $0 ~ /include[ \t]*"/
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", target)
    sub(/[>"].*/, "", target)
    num_to = split(target, to, "/")
    if (target in home) num_to = split(home[target], to, "/") + 1
    else if (quoted && to[1] == "kgwalk") offend("there is no public header \"" target "\"")
    else if (quoted && floor == "python" && to[1] != floor)
      offend("bindings include public headers and their own only, not \"" target "\"")
    else if (quoted && is_public) offend("a public header includes public headers only, not \"" target "\"")
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
    name = is_public ? public_name : FILENAME
    if (FILENAME ~ /\.h$/) includes[name] = includes[name] " " target
    goal = room_of(to, num_to)
    if (to[1] != floor) {
      if (index(" " below[floor] " ", " " to[1] " ") == 0)
        offend(floor " must not include \"" target "\": it may include " (below[floor] == "" ? "nothing" : below[floor]))
    } else if (goal != room && (height[goal] + 0 >= height[room] + 0 || (sibling[goal] && sibling[room]))) {
      offend(room " must not include \"" target "\": it does not lie below")
    }
    if (target ~ /^runtime\/tensor\// && (floor in torch_free || (floor == "runtime" && !is_tensor_file)))
      offend("\"" target "\" needs torch, which this file must do without")
  }
  # Depth first through the headers: one met again on the way closes a circle.
  function visit(file, way,   list, i, n) {
    if (state[file] == "done") return
    if (state[file] == "open") {
      printf "%s:1: headers include each other in a circle:%s %s\n", file, way, file
      offences++
      return
    }
    state[file] = "open"
    n = split(includes[file], list, " ")
    for (i = 1; i <= n; i++) visit(list[i], way " " file)
    state[file] = "done"
  }
  END {
    for (file in includes) visit(file, "")
    exit offences > 0
  }
' "${files[@]}"
