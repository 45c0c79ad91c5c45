#!/usr/bin/env bash
# Each offence against the floors, alone in a small tree, must be found; a clean tree must pass.
set -euo pipefail
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect pass|offence FILE INCLUDE
expect() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/$(dirname "$2")"
  echo "#include $3" > "$tree/$2"
  local status=0
  local report
  report=$(bash "$check" "$tree" 2>&1) || status=$?
  local wanted=0
  [[ $1 == pass ]] || wanted=1
  if [[ $status -ne $wanted ]]; then
    echo "FAILED: $2 with $3: exit $status instead of $wanted: $report"
    failures=$((failures + 1))
  elif [[ $wanted -eq 1 && $report != "$2:1: "* ]]; then
    echo "FAILED: $2 with $3: the report does not start with file and line: $report"
    failures=$((failures + 1))
  fi
}

expect pass graph/a.cc '"kgwalk/error.h"'
expect pass graph/a.cc '<vector>'
expect pass runtime/tensor/a.cc '<torch/types.h>'
expect offence runtime/tensor/a.cc '<torch/torch.h>'
expect pass walker/a.cc '"embeddings/links/embedding_model.h"'
expect pass seq2seq/layers/a.cc '"seq2seq/attention/attention.h"'
expect pass walker/training/a.cc '"walker/search/search.h"'
expect pass graph/store/a.cc '"graph/names.h"'
expect pass planner/a.cc '"rl/training/run.h"'
expect pass capi/a.cc '"kgwalk/planner.h"'
expect pass capi/a.h '"kgwalk.h"'
expect offence capi/a.cc '"server/http/router.h"'
expect offence server/a.cc '"kgwalk.h"'
expect offence include/kgwalk.h '"graph/names.h"'
expect pass cli/a.cc '"rl/training/a2c.h"'

expect offence runtime/a.cc '"kgwalk/store.h"'
expect offence runtime/a.cc '<torch/torch.h>'
expect offence runtime/a.h '"runtime/tensor/tensor_io.h"'
expect offence graph/a.h '<torch/torch.h>'
expect offence graph/a.h '<ATen/ATen.h>'
expect offence graph/a.h '"runtime/tensor/tensor_io.h"'
expect offence graph/a.cc '"embeddings/links/embedding_model.h"'
expect offence embeddings/a.cc '"walker/model.h"'
expect offence embeddings/a.cc '<torch/torch.h>'
expect offence seq2seq/a.cc '"kgwalk/store.h"'
expect offence seq2seq/attention/a.h '"seq2seq/models/albert.h"'
expect offence dialogue/a.cc '"embeddings/links/embedding_model.h"'
expect offence dialogue/a.cc '"walker/model.h"'
expect offence walker/a.cc '"rl/training/a2c.h"'
expect offence rl/a.cc '"cli/main.h"'
expect offence rl/a.cc '"kgwalk/plan.h"'
expect offence walker/search/a.h '"walker/training/training.h"'
expect offence graph/a.h '"kgwalk/store.h"'
expect pass include/kgwalk/ingest.h '"kgwalk/store.h"'
expect offence include/kgwalk/store.h '"kgwalk/ingest.h"'
expect offence include/kgwalk/store.h '"graph/names.h"'
expect offence include/kgwalk/cellar.h '<vector>'
expect offence graph/a.cc '"kgwalk/cellar.h"'
expect offence graph/cellar/a.cc '<vector>'
expect offence graph/a.h '"graph/a.h"'
expect offence graph/a.cc '"store.h"'
expect offence graph/a.cc '"../runtime/error.h"'

[[ $failures -eq 0 ]]
