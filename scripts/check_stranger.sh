#!/usr/bin/env bash
# What a stranger does: clones, runs ./demo.sh, opens the page and clicks what it offers. Every question of the empty page must be
# answered rightly and every goal be led to; screenshots go to OUT. Needs the packages chromium and chromium-driver, and for a new
# clone the time of a whole build, so it is no part of the tests.
# Usage: scripts/check_stranger.sh OUT [FOLDER]
#   FOLDER   a clone in which ./demo.sh has run; default: a new clone of this one in a temporary folder, where it is run
set -euo pipefail
[[ $# -ge 1 && $# -le 2 ]] || { echo "usage: scripts/check_stranger.sh OUT [FOLDER]" >&2; exit 2; }
out=$(realpath -m "$1")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
command -v chromedriver > /dev/null || { echo "check_stranger: install the packages chromium and chromium-driver" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ $# -eq 2 ]]; then
  clone=$(realpath "$2")
else
  clone=$work/kgwalk
  git clone --quiet "$here" "$clone"
  begin=$SECONDS
  "$clone/demo.sh" > "$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
  echo "clone and ./demo.sh: $((SECONDS - begin)) s"
fi
[[ -f $clone/runs/demo/films.json ]] || { echo "check_stranger: $clone/runs/demo/films.json is missing; run ./demo.sh there" >&2; exit 2; }
PYTHONPATH=$here/tests/server/page python3 "$here/tests/server/page/stranger_test.py" "$clone/build/release/cli/kgwalk" "$clone/runs/demo/films.json" "$out"
