#!/usr/bin/env bash
# clang-tidy with the checks of .clang-tidy on the C++ files that differ from BASE, a commit (default: HEAD~1), and on
# those that git does not know yet. Usage: scripts/tidy.sh [BASE] | scripts/tidy.sh --files FILE...
# Configures build/tidy, where sources stand one by one and nothing is precompiled; nothing is built there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v clang-tidy > /dev/null; then
  echo "tidy: clang-tidy is not installed; on Debian: apt-get install clang-tidy libomp-dev" >&2
  exit 2
fi
if [[ ${1:-} == --files ]]; then
  shift
  changed=("$@")
else
  base=${1:-HEAD~1}
  git rev-parse --verify --quiet "$base^{commit}" > /dev/null || { echo "tidy: there is no commit '$base'" >&2; exit 2; }
  mapfile -t changed < <(
    { git diff --name-only --diff-filter=d "$base" -- '*.cc' '*.h'
      git ls-files --others --exclude-standard -- '*.cc' '*.h'; } | sort -u)
fi

# A header is looked at through the source of its name, else through the first that includes it.
files=()
for file in "${changed[@]}"; do
  if [[ $file == *.h ]]; then
    if [[ -e ${file%.h}.cc ]]; then
      file=${file%.h}.cc
    else
      header=$file
      file=$(git grep --untracked -lF "\"${header#include/}\"" -- '*.cc' | sed -n 1p)
      [[ -n $file ]] || { echo "tidy: no source includes $header; not looked at" >&2; continue; }
    fi
  fi
  files+=("$file")
done
if [[ ${#files[@]} -eq 0 ]]; then
  echo "tidy: no C++ file differs" >&2
  exit 0
fi
mapfile -t files < <(printf '%s\n' "${files[@]}" | sort -u)

mkdir -p build
cmake --preset dev -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DKGWALK_UNITY=OFF \
  -DKGWALK_BUILD_BENCH=ON > build/tidy.log 2>&1 || { cat build/tidy.log >&2; exit 2; }
# Only what is compiled has flags; the fixtures of tests/consumer, for one, have none.
known=()
for file in "${files[@]}"; do
  if grep -qF "\"$PWD/$file\"" build/tidy/compile_commands.json; then known+=("$file"); else echo "tidy: $file is not compiled; not looked at" >&2; fi
done
[[ ${#known[@]} -gt 0 ]] || exit 0
# The flags are GCC's: clang does not know all of its warnings. It reads its own omp.h (libomp-dev), GCC's it cannot.
# Clang also stumbles over LibTorch's own headers in C++20 (a vector of a type that is not complete yet), so what counts is
# what it finds in our files.
findings=$(printf '%s\0' "${known[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/tidy --quiet \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-everything 2> build/tidy/stderr.log |
  awk -v root="$PWD/" '/^[^ ].*:[0-9]+:[0-9]+: (warning|error|note): / { ours = index($0, root) == 1 } ours' || true)
# A clang-tidy that could not start has told so, and found nothing.
if grep -qE 'command not found|Error reading|Could not auto-detect|unknown (argument|key)' build/tidy/stderr.log; then
  cat build/tidy/stderr.log >&2
  exit 2
fi
[[ -z $findings ]] || { echo "$findings"; exit 1; }
echo "tidy: ${#known[@]} files, nothing found"
